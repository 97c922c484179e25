(** A nonnegative matrix whose rows and columns all add up to D is a sum of permutations (Birkhoff).
    Proof of Rizzi: a matrix with one row and one column less gives the permutation. No paths, no Hall. *)
From Coq Require Import QArith Qminmax List Arith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Sums.
From Exactsched.existence Require Import Finite.
Import ListNotations.
Open Scope Q_scope.

Section Regular.
Context {A B : Type} (eqA : forall x y : A, {x = y} + {x <> y}) (eqB : forall x y : B, {x = y} + {x <> y}).
Implicit Types (R : list A) (C : list B) (w : A -> B -> Q) (P : A -> B -> bool).

Definition regular R C w D :=
  (forall a b, In a R -> In b C -> 0 <= w a b) /\
  (forall a, In a R -> sum (w a) C == D) /\
  (forall b, In b C -> sum (fun a => w a b) R == D).
Definition permutation R C P := regular R C (fun a b => bit (P a b)) 1.

Definition perfect R := forall C w D, NoDup C -> 0 < D -> regular R C w D ->
  exists P, permutation R C P /\ forall a b, In a R -> In b C -> P a b = true -> 0 < w a b.
Definition decomposes R := forall C w D, NoDup C -> 0 <= D -> regular R C w D ->
  exists l : list (Q * (A -> B -> bool)),
    (forall s, In s l -> 0 < fst s /\ permutation R C (snd s)) /\ sum fst l == D /\
    forall a b, In a R -> In b C -> w a b == sum (fun s => fst s * bit (snd s a b)) l.

Lemma regular_zero R C w D : regular R C w D -> D == 0 -> forall a b, In a R -> In b C -> w a b == 0.
Proof. intros (Hw & Hr & _) Z a b Ha Hb. assert (w a b <= sum (w a) C) by (apply sum_member; auto).
  rewrite Hr in H by auto. specialize (Hw a b Ha Hb). lra. Qed.
Lemma regular_perm R C C' w D : Permutation C C' -> regular R C w D -> regular R C' w D.
Proof. intros E (Hw & Hr & Hc). assert (I : forall b, In b C' -> In b C) by (intros b; apply Permutation_in,
  Permutation_sym; auto).
  repeat split; auto. intros a Ha. rewrite <- (sum_perm _ _ _ E). auto. Qed.

Lemma perfect_decomposes R : perfect R -> decomposes R.
Proof.
  intros Perf C w D NC. set (number w := length (filter (fun c => positive (w (fst c) (snd c))) (list_prod R
    C))).
  enough (G : forall n w D, (number w <= n)%nat -> 0 <= D -> regular R C w D ->
    exists l : list (Q * (A -> B -> bool)),
    (forall s, In s l -> 0 < fst s /\ permutation R C (snd s)) /\ sum fst l == D /\
    forall a b, In a R -> In b C -> w a b == sum (fun s => fst s * bit (snd s a b)) l).
  { intros. eapply G; eauto. }
  clear w D. induction n as [n IH] using lt_wf_ind. intros w D Hn HD Reg.
  destruct (Qlt_le_dec 0 D) as [HD'|HD'].
  2:{ exists []. simpl. repeat split; try easy. lra. apply (regular_zero R C w D); auto. lra. }
  destruct (Perf C w D NC HD' Reg) as (P & HP & Sup).
  destruct (least (fun c => w (fst c) (snd c)) (filter (fun c => P (fst c) (snd c)) (list_prod R C)) D) as (d &
    Hd & Hle & He); auto.
  { intros [a b] H. apply filter_In in H. destruct H as [H E]. apply in_prod_iff in H. simpl in *. apply Sup;
    tauto. }
  assert (Hdw : forall a b, In a R -> In b C -> P a b = true -> d <= w a b).
  { intros a b Ha Hb E. apply (Hle (a, b)). apply filter_In. split; auto. apply in_prod_iff; auto. }
  set (w' a b := w a b - d * bit (P a b)).
  assert (Minus : forall X (f g : X -> Q) l, sum (fun x => f x - d * g x) l == sum f l - d * sum g l).
  { intros X f g l. induction l as [|u l IHl]; simpl. lra. rewrite IHl. lra. }
  assert (Reg' : regular R C w' (D - d)).
  { destruct Reg as (Hw & Hr & Hc), HP as (Pw & Pr & Pc). repeat split.
    - intros a b Ha Hb. unfold w', bit. destruct (P a b) eqn:E. apply Hdw in E; auto. lra. specialize (Hw a b
      Ha Hb). lra.
    - intros a Ha. unfold w'. rewrite (Minus _ (w a) (fun b => bit (P a b))), (Hr a Ha), (Pr a Ha). lra.
    - intros b Hb. unfold w'. rewrite (Minus _ (fun a => w a b) (fun a => bit (P a b))), (Hc b Hb), (Pc b Hb).
      lra. }
  assert (exists l : list (Q * (A -> B -> bool)),
    (forall s, In s l -> 0 < fst s /\ permutation R C (snd s)) /\ sum fst l == D - d /\
    forall a b, In a R -> In b C -> w' a b == sum (fun s => fst s * bit (snd s a b)) l) as (l & L1 & L2 & L3).
  { destruct He as [He|[[a b] [Hab He]]].
    - exists []. simpl. repeat split; try easy. lra. apply (regular_zero R C w' (D - d)); auto. lra.
    - apply filter_In in Hab. destruct Hab as [Hab E]. simpl in *.
      apply (IH (number w')); auto; try lra. eapply Nat.lt_le_trans; [|exact Hn].
      apply filter_fewer.
      + intros [u v]. simpl. rewrite !positive_spec. unfold w', bit. destruct (P u v); lra.
      + exists (a, b). simpl. split; auto. split. apply positive_spec. lra. apply not_true_is_false.
        rewrite positive_spec. unfold w'. rewrite E. unfold bit. lra. }
  exists ((d, P) :: l). simpl. repeat split.
  - destruct H as [<-|H]; simpl; auto. lra. apply L1; auto.
  - destruct H as [<-|H]; simpl; auto. apply HP. apply L1; auto.
  - destruct H as [<-|H]; simpl; auto. apply HP. apply L1; auto.
  - destruct H as [<-|H]; simpl; auto. apply HP. apply L1; auto.
  - lra.
  - intros a b Ha Hb. rewrite <- L3 by auto. unfold w'. lra.
Qed.

Lemma decomposes_perfect x R : ~ In x R -> decomposes R -> perfect (x :: R).
Proof.
  intros Hx Dec C w D NC HD Reg.
  assert (exists y, In y C /\ 0 < w x y) as (y & Hy & Hxy).
  { destruct Reg as (Hw & Hr & Hc). apply sum_positive. rewrite (Hr x); simpl; auto. }
  destruct (in_split _ _ Hy) as (C1 & C2 & EC).
  assert (PC : Permutation C (y :: C1 ++ C2)) by (rewrite EC; symmetry; apply Permutation_middle).
  apply (regular_perm _ _ _ _ _ PC) in Reg. apply (Permutation_NoDup PC) in NC.
  enough (exists P, permutation (x :: R) (y :: C1 ++ C2) P /\
    forall a b, In a (x :: R) -> In b (y :: C1 ++ C2) -> P a b = true -> 0 < w a b) as (P & HP & Sup).
  { exists P. split. apply (regular_perm _ (y :: C1 ++ C2)). symmetry; auto. auto.
    intros a b Ha Hb. apply Sup; auto. apply (Permutation_in _ PC); auto. }
  clear PC EC Hy C. rename C1 into C. set (C' := C ++ C2) in *. clearbody C'. clear C C2. rename C' into C.
  destruct Reg as (Hw & Hr & Hc). inversion NC as [|? ? Hy NC']. subst.
  set (E := D - w x y).
  assert (Rx : sum (w x) C == E) by (specialize (Hr x); simpl in Hr; unfold E; rewrite <- Hr by auto; lra).
  assert (Cy : sum (fun a => w a y) R == E) by (specialize (Hc y); simpl in Hc; unfold E; rewrite <- Hc by
    auto; lra).
  assert (HE : 0 <= E) by (rewrite <- Rx; apply sum_nonneg; intros; apply Hw; simpl; auto).
  set (g b := w x b / E).
  assert (Gn : forall b, In b C -> 0 <= g b).
  { intros b Hb. unfold g. assert (0 <= w x b) by (apply Hw; simpl; auto). unfold Qdiv.
    apply Qmult_le_0_compat; auto. apply Qinv_le_0_compat; auto. }
  assert (Gx : forall b, In b C -> E * g b == w x b).
  { intros b Hb. unfold g. destruct (Qeq_dec E 0) as [Z|Z].
    - assert (w x b <= sum (w x) C) by (apply sum_member; auto; intros; apply Hw; simpl; auto).
      assert (0 <= w x b) by (apply Hw; simpl; auto). rewrite Z. lra.
    - field. auto. }
  assert (Gy : forall a, In a R -> w a y * sum g C == w a y).
  { intros a Ha. destruct (Qeq_dec E 0) as [Z|Z].
    - assert (w a y <= sum (fun a => w a y) R) by (apply (sum_member (fun a => w a y)); auto; intros; apply Hw;
      simpl; auto).
      assert (0 <= w a y) by (apply Hw; simpl; auto). assert (w a y == 0) as -> by lra. lra.
    - assert (sum g C == 1) as ->; [|lra].
      assert (E * sum g C == E * 1). { rewrite <- sum_scale, (sum_eq _ (w x)); auto. lra. }
      apply Qmult_inj_l in H; auto. }
  set (w' a b := w a b + w a y * g b).
  destruct (Dec C w' D NC') as (l & L1 & L2 & L3). lra.
  { repeat split.
    - intros a b Ha Hb. unfold w'. assert (0 <= w a b) by (apply Hw; simpl; auto).
      assert (0 <= w a y * g b). apply Qmult_le_0_compat. apply Hw; simpl; auto. auto. lra.
    - intros a Ha. unfold w'. rewrite sum_plus, sum_scale, Gy by auto. rewrite <- (Hr a) by (simpl; auto).
      simpl. lra.
    - intros b Hb. unfold w'. rewrite sum_plus.
      assert (sum (fun a => w a y * g b) R == g b * sum (fun a => w a y) R) as ->
        by (rewrite <- sum_scale; apply sum_eq; intros; lra).
      rewrite Cy, (Qmult_comm (g b)), Gx by auto.
      rewrite <- (Hc b) by (simpl; auto). simpl. lra. }
  set (bad P := existsb (fun a => existsb (fun b => P a b && negb (positive (w a b))) C) R).
  destruct (existsb (fun s => negb (bad (snd s))) l) eqn:Ex.
  - (* a permutation of the smaller matrix within the support of the greater one *)
    apply existsb_exists in Ex. destruct Ex as ([d P] & Hs & Good). simpl in Good. apply negb_true_iff in Good.
    apply L1 in Hs. destruct Hs as [_ (Pw & Pr & Pc)]. simpl in Pw, Pr, Pc.
    exists (fun a b => if eqA a x then if eqB b y then true else false else if eqB b y then false else P a b).
    split; [split; [|split]|].
    + intros. unfold bit. destruct (if eqA a x then _ else _); lra.
    + intros a [<-|Ha]; simpl.
      * destruct (eqA x x); [|easy]. destruct (eqB y y); [|easy]. unfold bit at 1.
        rewrite (sum_eq _ (fun _ => 0)), sum_zero. lra. intros b Hb. destruct (eqB b y). subst; easy.
          reflexivity.
      * destruct (eqA a x). subst; easy. destruct (eqB y y); [|easy]. unfold bit at 1. rewrite <- (Pr a Ha).
        rewrite (sum_eq _ (fun b => bit (P a b))). lra. intros b Hb. destruct (eqB b y). subst; easy.
          reflexivity.
    + intros b [<-|Hb]; simpl.
      * destruct (eqA x x); [|easy]. destruct (eqB y y); [|easy]. unfold bit at 1.
        rewrite (sum_eq _ (fun _ => 0)), sum_zero. lra. intros a Ha. destruct (eqA a x). subst; easy.
          reflexivity.
      * destruct (eqA x x); [|easy]. destruct (eqB b y). subst; easy. unfold bit at 1. rewrite <- (Pc b Hb).
        rewrite (sum_eq _ (fun a => bit (P a b))). lra. intros a Ha. destruct (eqA a x). subst; easy.
          reflexivity.
    + intros a b Ha Hb. destruct (eqA a x) as [->|Na], (eqB b y) as [->|Nb]; try easy. intros E1.
      destruct Ha as [?|Ha]. congruence. destruct Hb as [?|Hb]. congruence.
      apply positive_spec. apply (existsb_false _ _ Good) in Ha. apply (existsb_false _ _ Ha) in Hb.
      rewrite E1 in Hb. simpl in Hb. apply negb_false_iff in Hb. auto.
  - (* otherwise the new weight outside the support is too much *)
    exfalso. assert (D <= E); [|unfold E in *; lra]. rewrite <- L2.
    apply Qle_trans with (sum (fun a => sum (fun b => sum (fun s => if positive (w a b) then 0 else fst s * bit
      (snd s a b)) l) C) R).
    + rewrite (sum_eq _ (fun a => sum (fun s => sum (fun b => if positive (w a b) then 0 else fst s * bit (snd
      s a b)) C) l))
        by (intros; apply sum_swap). rewrite sum_swap. apply sum_le. intros [d P] Hs.
      pose proof (existsb_false _ _ Ex _ Hs) as Bad. apply negb_false_iff in Bad.
      apply existsb_exists in Bad. destruct Bad as (a & Ha & Bad). apply existsb_exists in Bad.
      destruct Bad as (b & Hb & Bad). simpl in Bad. apply andb_true_iff in Bad. destruct Bad as [B1 B2]. apply
        negb_true_iff in B2.
      destruct (L1 _ Hs) as [Hd _]. simpl in *.
      assert (N : forall a b, 0 <= (if positive (w a b) then 0 else d * bit (P a b))).
      { intros u v. destruct (positive (w u v)). lra. unfold bit. destruct (P u v); lra. }
      eapply Qle_trans; [|apply (sum_member (fun a => sum (fun b => if positive (w a b) then 0 else d * bit (P
        a b)) C) R a); auto].
      2:{ intros. apply sum_nonneg. auto. }
      eapply Qle_trans; [|apply (sum_member _ C b); auto]. simpl. rewrite B1, B2. unfold bit. lra.
    + rewrite <- Cy. apply sum_le. intros a Ha. rewrite <- (Gy a Ha), <- sum_scale. apply sum_le. intros b Hb.
      destruct (positive (w a b)) eqn:Ep.
      * rewrite sum_zero. apply Qmult_le_0_compat; auto. apply Hw; simpl; auto.
      * rewrite <- L3 by auto. unfold w'. apply positive_false in Ep. lra.
Qed.

Theorem birkhoff R : NoDup R -> decomposes R.
Proof.
  induction 1 as [|x R Hx NR IH].
  - apply perfect_decomposes. intros C w D NC HD (Hw & Hr & Hc). exists (fun _ _ => true).
    destruct C as [|b C]. repeat split; easy. specialize (Hc b). simpl in Hc. exfalso. rewrite <- Hc in HD by
      auto. lra.
  - apply perfect_decomposes, decomposes_perfect; auto.
Qed.
End Regular.
