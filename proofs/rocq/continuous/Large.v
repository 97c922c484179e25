(** Theorem B of [logp-continuous](../../logp-continuous.md) for all L >= 14. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction Check LowerBound Theorems Growing Branches Middle
  Merged Sums Window.
Import ListNotations.
Open Scope Z_scope.

Lemma rooted_reaches L t m u b : 0 < L -> rooted L t m u b -> reaches L t m.
Proof. intros HL [letters [groups [P [<- _]]]]. now apply (partition_broadcast L t _ u HL). Qed.

(** Even L and L + 3 processors. *)
Theorem exception_reached L : 4 <= L -> L mod 2 = 0 -> reaches L (2 * L) (L + 3).
Proof.
  intros HL Ev. pose proof (Z.div_mod L 2 ltac:(lia)) as E. rewrite Ev in E. apply (merged_reaches (L / 2)); lia.
Qed.

(** All depths below 2 L + 3, with any number of leaves missing. *)
Theorem before_window L t m : 14 <= L -> L <= t < 2 * L + 3 -> fibonacci L (t - 1) < m <= fibonacci L t -> reaches L t m.
Proof.
  intros HL Ht Hm. pose proof (fibonacci_step L t ltac:(lia)) as F.
  assert (From : spares_one L t m -> reaches L t m).
  { intros [u [b [_ R]]]. exact (rooted_reaches L t m u b ltac:(lia) R). }
  destruct (Z_lt_le_dec t (2 * L)) as [Small|Large].
  - rewrite (fibonacci_one L (t - L)) in F by lia. destruct (natural L (t - L + 1) ltac:(lia)) as [u [b [_ R]]].
    replace (L - 1 + (t - L + 1)) with t in R by lia. replace m with (fibonacci L t) by lia. exact (rooted_reaches L t _ u b ltac:(lia) R).
  - set (e := fibonacci L t - m). replace m with (fibonacci L t - e) in * by (unfold e; lia).
    assert (t = 2 * L \/ t = 2 * L + 1 \/ t = 2 * L + 2) as [-> |[-> | ->]] by lia.
    + replace (2 * L - L) with (L - 1 + 1) in F by lia. rewrite fibonacci_second in F by lia.
      destruct (Z.eq_dec e 0) as [->|]; [|apply From, depth_2L; lia].
      pose proof (Z.mod_pos_bound L 2 ltac:(lia)). destruct (Z.eq_dec (L mod 2) 1) as [Odd|Ev]; [apply From, depth_2L; lia|].
      rewrite fibonacci_2L by lia. rewrite Z.sub_0_r. apply exception_reached; lia.
    + replace (2 * L + 1 - L) with (L - 1 + 2) in F by lia. rewrite fibonacci_second in F by lia. apply From, depth_2L1; lia.
    + replace (2 * L + 2 - L) with (L - 1 + 3) in F by lia. rewrite fibonacci_second in F by lia. apply From, depth_2L2; lia.
Qed.

Theorem exchanges_decide L : 14 <= L -> suffices L -> theorem_B L.
Proof.
  intros HL S. apply (window_decides L (2 * L + 3)); [lia| |].
  - intros t m Ht. apply before_window; lia.
  - intros t Ht. now apply window_good.
Qed.

Theorem latencies_from_14 L : 14 <= L -> theorem_B L.
Proof. intros H. apply exchanges_decide; [exact H|now apply exchanges_suffice]. Qed.
