(** Partitions of some depths make partitions of all larger ones: statement 4 of the page. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions.
Import ListNotations.
Open Scope Z_scope.

(** ** The numbers f_i *)
Lemma fibonacci_list_nth L n : forall k, (k <= n)%nat -> nth k (fibonacci_list L n) 0 = nth 0 (fibonacci_list L (n - k)) 0.
Proof.
  induction n as [|n IH]; intros k Hk.
  - now replace k with 0%nat by lia.
  - destruct k as [|k]; [now rewrite Nat.sub_0_r|]. cbn [fibonacci_list nth]. rewrite IH by lia. reflexivity.
Qed.
Lemma fibonacci_negative L i : i < 0 -> fibonacci L i = 0.
Proof. intros H. unfold fibonacci. destruct (Z.ltb_spec i 0); lia. Qed.
Lemma fibonacci_one L i : 0 <= i < L -> fibonacci L i = 1.
Proof.
  intros H. unfold fibonacci. destruct (Z.ltb_spec i 0); [lia|]. destruct (Z.to_nat i) as [|n] eqn:E; [reflexivity|].
  cbn [fibonacci_list nth]. destruct (Nat.ltb_spec (S n) (Z.to_nat L)); [reflexivity|lia].
Qed.
Lemma fibonacci_step L i : 0 < L <= i -> fibonacci L i = fibonacci L (i - 1) + fibonacci L (i - L).
Proof.
  intros H. unfold fibonacci. destruct (Z.ltb_spec i 0), (Z.ltb_spec (i - 1) 0), (Z.ltb_spec (i - L) 0); try lia.
  replace (Z.to_nat i) with (S (Z.to_nat (i - 1))) by lia. cbn [fibonacci_list nth].
  destruct (Nat.ltb_spec (S (Z.to_nat (i - 1))) (Z.to_nat L)); [lia|].
  rewrite (fibonacci_list_nth _ _ (Z.to_nat L - 1)) by lia.
  now replace (Z.to_nat (i - 1) - (Z.to_nat L - 1))%nat with (Z.to_nat (i - L)) by lia.
Qed.
Lemma fibonacci_positive L i : 0 < L -> 0 <= i -> 1 <= fibonacci L i.
Proof.
  intros HL. revert i. apply (Zlt_0_ind (fun i => 1 <= fibonacci L i)). intros i IH Hi.
  destruct (Z_lt_le_dec i L); [rewrite fibonacci_one; lia|]. rewrite fibonacci_step by lia.
  pose proof (IH (i - 1) ltac:(lia)). pose proof (IH (i - L) ltac:(lia)). lia.
Qed.
Lemma fibonacci_grows L i j : 0 < L -> i <= j -> fibonacci L i <= fibonacci L j.
Proof.
  intros HL Hij. replace j with (i + Z.of_nat (Z.to_nat (j - i))) by lia. generalize (Z.to_nat (j - i)) as n. clear j Hij.
  induction n as [|n IH]; [rewrite Z.add_0_r; lia|]. etransitivity; [exact IH|].
  replace (i + Z.of_nat (S n)) with (i + Z.of_nat n + 1) by lia. set (j := i + Z.of_nat n) in *.
  destruct (Z_lt_le_dec j 0).
  - rewrite (fibonacci_negative L j) by lia. destruct (Z_lt_le_dec (j + 1) 0); [rewrite fibonacci_negative; lia|].
    pose proof (fibonacci_positive L (j + 1) HL ltac:(lia)). lia.
  - destruct (Z_lt_le_dec (j + 1) L); [rewrite !fibonacci_one; lia|].
    rewrite (fibonacci_step L (j + 1)) by lia. replace (j + 1 - 1) with j by lia.
    pose proof (fibonacci_positive L (j + 1 - L) HL ltac:(lia)). lia.
Qed.

(** The depth of a tree with m nodes. *)
Lemma depth_exists L m : 0 < L -> 2 <= m -> exists t, L <= t /\ fibonacci L (t - 1) < m <= fibonacci L t.
Proof.
  intros HL Hm.
  assert (H : forall n, m <= fibonacci L (L - 1 + Z.of_nat n) -> exists t, L <= t /\ fibonacci L (t - 1) < m <= fibonacci L t).
  { induction n as [|n IH]; intros H.
    - rewrite fibonacci_one in H by lia. lia.
    - destruct (Z_lt_le_dec (fibonacci L (L - 1 + Z.of_nat n)) m) as [Less|More]; [|now apply IH].
      exists (L - 1 + Z.of_nat (S n)). split; [lia|].
      replace (L - 1 + Z.of_nat (S n) - 1) with (L - 1 + Z.of_nat n) by lia. lia. }
  apply (H (Z.to_nat m)).
  assert (G : forall n, Z.of_nat n + 1 <= fibonacci L (L - 1 + Z.of_nat n)); [|specialize (G (Z.to_nat m)); lia].
  induction n as [|n IH]; [rewrite fibonacci_one; lia|].
  rewrite fibonacci_step by lia. replace (L - 1 + Z.of_nat (S n) - 1) with (L - 1 + Z.of_nat n) by lia.
  pose proof (fibonacci_positive L (L - 1 + Z.of_nat (S n) - L) HL ltac:(lia)). lia.
Qed.
Lemma depth_is_least L m t : 0 < L -> 0 <= t -> fibonacci L (t - 1) < m <= fibonacci L t -> least_steps L m t.
Proof.
  intros HL Ht H. repeat split; try lia. intros t' Ht'. pose proof (fibonacci_grows L t' (t - 1) HL ltac:(lia)). lia.
Qed.

(** ** The induction *)
Definition good (L t m u : Z) : Prop :=
  exists b, rooted L t m u b /\ 2 <= b <= L /\ (m = fibonacci L t -> b <= L - 1).
Definition all_good (L t : Z) : Prop :=
  forall m u, fibonacci L (t - 1) < m <= fibonacci L t -> 1 <= u < L \/ (u = 0 /\ m = fibonacci L t) -> good L t m u.

Lemma good_partition L t m u : good L t m u -> exists groups, partition L t groups u /\ processors_in groups = m.
Proof. intros [b [[letters [groups [P [E _]]]] _]]. now exists ((t, letters) :: groups). Qed.

Theorem good_forever L first : 2 <= L <= first -> (forall t, first <= t < first + L -> all_good L t) ->
  forall t, first <= t -> all_good L t.
Proof.
  intros HL Window t Ht. replace t with (first + (t - first)) by lia.
  assert (Hd : 0 <= t - first) by lia. revert Hd. generalize (t - first) as d. clear t Ht.
  apply (Zlt_0_ind (fun d => all_good L (first + d))). intros d IH Hd. set (t := first + d).
  destruct (Z_lt_le_dec d L) as [Small|Large]; [apply Window; lia|].
  assert (Below : forall s, first <= s < t -> all_good L s).
  { intros s Hs. replace s with (first + (s - first)) by lia. apply IH; unfold t in Hs; lia. }
  intros m u Hm Hu.
  pose proof (fibonacci_step L t ltac:(lia)) as F0.
  pose proof (fibonacci_step L (t - 1) ltac:(lia)) as F1.
  pose proof (fibonacci_step L (t - L) ltac:(lia)) as F2.
  pose proof (fibonacci_step L (t - 2) ltac:(lia)) as F3.
  replace (t - 1 - 1) with (t - 2) in F1 by lia. replace (t - 1 - L) with (t - L - 1) in F1 by lia.
  replace (t - L - L) with (t - 2 * L) in F2 by lia. replace (t - 2 - 1) with (t - 3) in F3 by lia.
  pose proof (fibonacci_positive L (t - 2 * L) ltac:(lia) ltac:(lia)) as Pn''.
  pose proof (fibonacci_positive L (t - L - 1) ltac:(lia) ltac:(lia)) as Pn'.
  pose proof (fibonacci_positive L (t - 2 - L) ltac:(lia) ltac:(lia)) as P3.
  set (lack := fibonacci L t - m). set (n' := fibonacci L (t - L - 1)) in *. set (n'' := fibonacci L (t - 2 * L)) in *.
  assert (Hlack : 0 <= lack < n' + n'') by (unfold lack; lia).
  destruct (Z_le_gt_dec lack (n' + n'' - 2)) as [Le|Gt].
  - set (lack'' := Z.min lack (n'' - 1)). set (lack' := lack - lack'').
    assert (B'' : 0 <= lack'' < n'') by (unfold lack''; lia).
    assert (B' : 0 <= lack' < n') by (unfold lack', lack''; lia).
    destruct (Below (t - 1) ltac:(lia) (fibonacci L (t - 1) - lack') u) as [b [Root [Hb Full]]].
    { replace (t - 1 - 1) with (t - 2) by lia. lia. }
    { destruct Hu as [Hu|[-> Hu]]; [now left|right]. split; [reflexivity|]. unfold lack', lack'', lack. lia. }
    destruct (good_partition L (t - L) (fibonacci L (t - L) - lack'') (b - 1)) as [groups' [Part Count]].
    { apply Below; [lia| |left; lia]. lia. }
    exists b. split; [|split; [exact Hb|]].
    + replace m with (fibonacci L (t - 1) - lack' + processors_in groups').
      * apply rooted_join; [lia|exact Root|exact Part].
      * rewrite Count. unfold lack', lack. lia.
    + intros E. apply Full. unfold lack', lack'', lack. lia.
  - assert (Hu1 : 1 <= u < L) by (destruct Hu as [Hu|[-> Hu]]; [exact Hu|unfold lack in *; lia]).
    destruct (Below (t - 2) ltac:(lia) (fibonacci L (t - 2)) (u - 1)) as [b [Root [Hb Full]]].
    { replace (t - 2 - 1) with (t - 3) by lia. lia. }
    { destruct (Z.eq_dec u 1) as [->|]; [right; split; reflexivity|left; lia]. }
    specialize (Full eq_refl). apply rooted_raise in Root.
    replace (t - 2 + 1) with (t - 1) in Root by lia. replace (u - 1 + 1) with u in Root by lia.
    destruct (good_partition L (t - L) (fibonacci L (t - L) - (n'' - 1)) (b + 1 - 1)) as [groups' [Part Count]].
    { apply Below; [lia| |left; lia]. lia. }
    exists (b + 1). split; [|split; [lia|]].
    + replace m with (fibonacci L (t - 2) + processors_in groups').
      * apply rooted_join; [lia|exact Root|exact Part].
      * rewrite Count. unfold lack in *. lia.
    + intros E. unfold lack in *. lia.
Qed.

