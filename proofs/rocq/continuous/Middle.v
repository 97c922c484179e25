(** The depths 2 L, 2 L + 1, 2 L + 2: the table of the page. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction Growing Branches.
Import ListNotations.
Open Scope Z_scope.

Section Middle.
Variable L : Z.
Hypothesis HL : 14 <= L.

Lemma fibonacci_2L : fibonacci L (2 * L) = L + 3.
Proof.
  rewrite fibonacci_step by lia. replace (2 * L - 1) with (L - 1 + L) by lia. rewrite fibonacci_second by lia.
  replace (2 * L - L) with (L - 1 + 1) by lia. rewrite fibonacci_second by lia. lia.
Qed.
Lemma fibonacci_2L1 : fibonacci L (2 * L + 1) = L + 6.
Proof.
  rewrite fibonacci_step by lia. replace (2 * L + 1 - 1) with (2 * L) by lia. rewrite fibonacci_2L.
  replace (2 * L + 1 - L) with (L - 1 + 2) by lia. rewrite fibonacci_second by lia. lia.
Qed.
Lemma fibonacci_2L2 : fibonacci L (2 * L + 2) = L + 10.
Proof.
  rewrite fibonacci_step by lia. replace (2 * L + 2 - 1) with (2 * L + 1) by lia. rewrite fibonacci_2L1.
  replace (2 * L + 2 - L) with (L - 1 + 3) by lia. rewrite fibonacci_second by lia. lia.
Qed.

Lemma two : has L (L + 1) (L mod 2) 3.
Proof. eexists. split; [pose proof (two_leaves L 0 ltac:(lia) ltac:(lia)) as P; rewrite !Z.add_0_r in P; exact P|reflexivity]. Qed.
Lemma two_raised : has L (L + 2) (L mod 2 + 1) 3.
Proof.
  eexists. split; [pose proof (two_leaves L 1 ltac:(lia) ltac:(lia)) as P; replace (L + 1 + 1) with (L + 2) in P by lia; exact P|reflexivity].
Qed.
Lemma three : has L (L + 2) ((L + 2) mod 3) 4.
Proof. eexists. split; [pose proof (three_leaves L 0 ltac:(lia) ltac:(lia)) as P; rewrite !Z.add_0_r in P; exact P|reflexivity]. Qed.

(** Some spare index of its own, below L. *)
Definition spares_one (t m : Z) : Prop := exists u b, 0 <= u < L /\ rooted L t m u b.

(** A row: the branches, what the root lacks, the spare index, the balls of the root. *)
Lemma row lack branches t m u b : 0 <= lack <= 1 -> map fst branches = from_to L (Z.of_nat (length branches)) ->
  (forall x, In x branches -> has L (fst x) (fst (snd x)) (snd (snd x))) ->
  t = 2 * L + Z.of_nat (length branches) - 1 -> m = 1 + L - lack + total (map (fun x => snd (snd x)) branches) -> lack <= u < L ->
  2 * t + 2 * total (map (fun x => fst (snd x)) branches) + L * (L - 1) - 2 * u = 2 * b * (L + Z.of_nat (length branches) - lack) ->
  spares_one t m.
Proof.
  intros Hl Ed B Et Em Hu Sum.
  destruct (root_with_branches L lack branches ltac:(lia) Hl Ed (fun d u m H => B (d, (u, m)) H) u b t Et Hu Sum) as [m' [R E]].
  exists u, b. split; [lia|]. now rewrite Em, <- E.
Qed.

Lemma parity : (exists h, L = 2 * h + 1 /\ L mod 2 = 1) \/ (exists h, L = 2 * h /\ L mod 2 = 0).
Proof.
  pose proof (Z.mod_pos_bound L 2 ltac:(lia)). pose proof (Z.div_mod L 2 ltac:(lia)).
  assert (L mod 2 = 0 \/ L mod 2 = 1) as [E|E] by lia; rewrite E in *; [right|left]; exists (L / 2); lia.
Qed.


Lemma depths_1 : [L] = from_to L 1.
Proof. change (from_to L 1) with [L + 0]. f_equal. lia. Qed.
Lemma depths_2 : [L; L + 1] = from_to L 2.
Proof. change (from_to L 2) with [L + 0; L + 1]. now rewrite Z.add_0_r. Qed.
Lemma depths_3 : [L; L + 1; L + 2] = from_to L 3.
Proof. change (from_to L 3) with [L + 0; L + 1; L + 2]. now rewrite Z.add_0_r. Qed.

Lemma has_one : has L L 0 2. Proof. apply one_leaf. lia. Qed.
Lemma has_none : has L L L 1. Proof. apply no_leaf. lia. Qed.
Lemma has_raised : has L (L + 1) 1 2. Proof. apply one_leaf_raised. lia. Qed.

Lemma row_1 lack v1 m1 u b : 0 <= lack <= 1 -> has L L v1 m1 -> lack <= u < L ->
  4 * L + 2 * v1 + L * (L - 1) - 2 * u = 2 * b * (L + 1 - lack) -> spares_one (2 * L) (1 + L - lack + m1).
Proof.
  intros Hl H1 Hu E. apply (row lack [(L, (v1, m1))] _ _ u b Hl depths_1); [|cbn; lia|cbn; lia|exact Hu|].
  - intros x [<-|[]]. exact H1.
  - cbn [length map fst snd total fold_right]. change (Z.of_nat 1) with 1. lia.
Qed.
Lemma row_2 lack v1 m1 v2 m2 u b : 0 <= lack <= 1 -> has L L v1 m1 -> has L (L + 1) v2 m2 -> lack <= u < L ->
  4 * L + 2 + 2 * v1 + 2 * v2 + L * (L - 1) - 2 * u = 2 * b * (L + 2 - lack) -> spares_one (2 * L + 1) (1 + L - lack + m1 + m2).
Proof.
  intros Hl H1 H2 Hu E. apply (row lack [(L, (v1, m1)); (L + 1, (v2, m2))] _ _ u b Hl depths_2); [|cbn; lia|cbn; lia|exact Hu|].
  - intros x [<-|[<-|[]]]; [exact H1|exact H2].
  - cbn [length map fst snd total fold_right]. change (Z.of_nat 2) with 2. lia.
Qed.
Lemma row_3 lack v1 m1 v2 m2 v3 m3 u b : 0 <= lack <= 1 -> has L L v1 m1 -> has L (L + 1) v2 m2 -> has L (L + 2) v3 m3 -> lack <= u < L ->
  4 * L + 4 + 2 * v1 + 2 * v2 + 2 * v3 + L * (L - 1) - 2 * u = 2 * b * (L + 3 - lack) ->
  spares_one (2 * L + 2) (1 + L - lack + m1 + m2 + m3).
Proof.
  intros Hl H1 H2 H3 Hu E. apply (row lack [(L, (v1, m1)); (L + 1, (v2, m2)); (L + 2, (v3, m3))] _ _ u b Hl depths_3); [|cbn; lia|cbn; lia|exact Hu|].
  - intros x [<-|[<-|[<-|[]]]]; [exact H1|exact H2|exact H3].
  - cbn [length map fst snd total fold_right]. change (Z.of_nat 3) with 3. lia.
Qed.

Lemma spares_equal t m m' : m = m' -> spares_one t m -> spares_one t m'.
Proof. now intros ->. Qed.

(** The depth 2 L: L odd if no leaf lacks. *)
Lemma depth_2L e : 0 <= e <= 1 -> (e = 0 -> L mod 2 = 1) -> spares_one (2 * L) (fibonacci L (2 * L) - e).
Proof.
  intros He Odd. rewrite fibonacci_2L. assert (e = 0 \/ e = 1) as [-> | ->] by lia.
  - destruct parity as [[h [E _]]|[h [_ M]]]; [|specialize (Odd eq_refl); lia].
    apply (spares_equal _ (1 + L - 0 + 2)); [lia|]. apply (row_1 0 0 2 h (h + 1)); [lia|exact has_one|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 1)); [lia|]. destruct parity as [[h [E _]]|[h [E _]]].
    + apply (row_1 0 L 1 (h - 1) (h + 2)); [lia|exact has_none|lia|nia].
    + apply (row_1 0 L 1 (L - 1) (h + 1)); [lia|exact has_none|lia|nia].
Qed.

Lemma depth_2L1 e : 0 <= e <= 2 -> spares_one (2 * L + 1) (fibonacci L (2 * L + 1) - e).
Proof.
  intros He. rewrite fibonacci_2L1. pose proof two as T.
  assert (e = 0 \/ e = 1 \/ e = 2) as [-> |[-> | ->]] by lia; destruct parity as [[h [E M]]|[h [E M]]]; rewrite M in T.
  - apply (spares_equal _ (1 + L - 0 + 2 + 3)); [lia|]. apply (row_2 0 0 2 1 3 1 (h + 1)); [lia|exact has_one|exact T|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 2 + 3)); [lia|]. apply (row_2 0 0 2 0 3 (h + 1) h); [lia|exact has_one|exact T|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 2 + 2)); [lia|]. apply (row_2 0 0 2 1 2 1 (h + 1)); [lia|exact has_one|exact has_raised|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 1 + 3)); [lia|]. apply (row_2 0 L 1 0 3 (h - 1) (h + 1)); [lia|exact has_none|exact T|lia|nia].
  - apply (spares_equal _ (1 + L - 1 + 2 + 2)); [lia|]. apply (row_2 1 0 2 1 2 (h + 2) (h + 1)); [lia|exact has_one|exact has_raised|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 1 + 2)); [lia|]. apply (row_2 0 L 1 1 2 h (h + 1)); [lia|exact has_none|exact has_raised|lia|nia].
Qed.

Lemma depth_2L2 e : 0 <= e <= 3 -> spares_one (2 * L + 2) (fibonacci L (2 * L + 2) - e).
Proof.
  intros He. rewrite fibonacci_2L2. pose proof two as T. pose proof two_raised as R. pose proof three as Y.
  pose proof (Z.mod_pos_bound (L + 2) 3 ltac:(lia)) as By. set (y := (L + 2) mod 3) in *.
  assert (e = 0 \/ e = 1 \/ e = 2 \/ e = 3) as [-> |[-> |[-> | ->]]] by lia; destruct parity as [[h [E M]]|[h [E M]]]; rewrite M in T, R.
  - apply (spares_equal _ (1 + L - 0 + 2 + 3 + 4)); [lia|]. apply (row_3 0 0 2 1 3 y 4 (h + 5 + y) h); [lia|exact has_one|exact T|exact Y|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 2 + 3 + 4)); [lia|]. apply (row_3 0 0 2 0 3 y 4 (2 + y) h); [lia|exact has_one|exact T|exact Y|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 2 + 2 + 4)); [lia|]. apply (row_3 0 0 2 1 2 y 4 (h + 5 + y) h); [lia|exact has_one|exact has_raised|exact Y|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 2 + 2 + 4)); [lia|]. apply (row_3 0 0 2 1 2 y 4 (3 + y) h); [lia|exact has_one|exact has_raised|exact Y|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 2 + 2 + 3)); [lia|]. apply (row_3 0 0 2 1 2 2 3 (h + 7) h); [lia|exact has_one|exact has_raised|exact R|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 2 + 2 + 3)); [lia|]. apply (row_3 0 0 2 1 2 1 3 4 h); [lia|exact has_one|exact has_raised|exact R|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 1 + 2 + 3)); [lia|]. apply (row_3 0 L 1 1 2 2 3 (h + 4) (h + 1)); [lia|exact has_none|exact has_raised|exact R|lia|nia].
  - apply (spares_equal _ (1 + L - 0 + 1 + 2 + 3)); [lia|]. apply (row_3 0 L 1 1 2 1 3 1 (h + 1)); [lia|exact has_none|exact has_raised|exact R|lia|nia].
Qed.

(** *** All branches *)
(** What a branch of depth d may lack at least and at most: the tree of depth 2 L has no partition if L is even. *)
Definition even : Z := 1 - L mod 2.
Definition lacks_least (d : Z) : Z := if d =? 2 * L then even else 0.
Definition lacks_most (d : Z) : Z := if d =? 2 * L + 1 then 3 - even else fibonacci L (d - L).

Lemma spares_branch t m e : m = fibonacci L t - e -> spares_one t m -> branch L t e.
Proof. intros -> [u [b [Hu R]]]. exists u. split; [lia|]. now apply rooted_has in R. Qed.
Lemma spares_full t : spares_one t (fibonacci L t - 0) -> full_branch L t.
Proof. rewrite Z.sub_0_r. intros H. exact H. Qed.

Lemma all_branches d e : L <= d <= 2 * L + 2 -> lacks_least d <= e <= lacks_most d -> branch L d e.
Proof.
  intros Hd He. unfold lacks_least, lacks_most, even in He. pose proof (Z.mod_pos_bound L 2 ltac:(lia)) as M2.
  destruct (Z_lt_le_dec d (2 * L)) as [Small|Large].
  - destruct (Z.eqb_spec d (2 * L)), (Z.eqb_spec d (2 * L + 1)); try lia. rewrite fibonacci_one in He by lia.
    replace d with (L - 1 + (d - L + 1)) by lia. assert (e = 0 \/ e = 1) as [-> | ->] by lia.
    + apply full_is_branch, natural. lia.
    + apply natural_dropped. lia.
  - assert (d = 2 * L \/ d = 2 * L + 1 \/ d = 2 * L + 2) as [-> |[-> | ->]] by lia.
    + destruct (Z.eqb_spec (2 * L) (2 * L)), (Z.eqb_spec (2 * L) (2 * L + 1)); try lia.
      assert (F : fibonacci L (2 * L - L) = 2) by (replace (2 * L - L) with (L - 1 + 1) by lia; rewrite fibonacci_second by lia; lia).
      rewrite F in He. destruct (Z.eq_dec e 2) as [->|].
      * pose proof (full_raised L (L - 1 + L) ltac:(lia) (natural L L ltac:(lia))) as B. replace (L - 1 + L + 1) with (2 * L) in B by lia.
        now rewrite F in B.
      * eapply spares_branch; [reflexivity|]. apply depth_2L; lia.
    + destruct (Z.eqb_spec (2 * L + 1) (2 * L)), (Z.eqb_spec (2 * L + 1) (2 * L + 1)); try lia.
      destruct (Z.eq_dec e 3) as [->|].
      * pose proof (full_raised L (2 * L) ltac:(lia)) as B. replace (2 * L + 1 - L) with (L - 1 + 2) in B by lia.
        rewrite fibonacci_second in B by lia. apply B. apply spares_full, depth_2L; lia.
      * eapply spares_branch; [reflexivity|]. apply depth_2L1. lia.
    + destruct (Z.eqb_spec (2 * L + 2) (2 * L)), (Z.eqb_spec (2 * L + 2) (2 * L + 1)); try lia.
      assert (F : fibonacci L (2 * L + 2 - L) = 4) by (replace (2 * L + 2 - L) with (L - 1 + 3) by lia; rewrite fibonacci_second by lia; lia).
      rewrite F in He. destruct (Z.eq_dec e 4) as [->|].
      * pose proof (full_raised L (2 * L + 1) ltac:(lia)) as B. replace (2 * L + 1 + 1) with (2 * L + 2) in B by lia.
        rewrite F in B. apply B. apply spares_full, depth_2L1; lia.
      * eapply spares_branch; [reflexivity|]. apply depth_2L2. lia.
Qed.
End Middle.
