(** Broadcasts in the postal model, o = 0 and g = 1: theorem 2.2, and the bound of theorem 3.1 as corrected. *)
From Coq Require Import ZArith QArith Qminmax Qround List Lia Lqa Bool.
From Exactsched.rounds Require Import Counting.
From Exactsched.continuous Require Definitions Induction.
From Exactsched.logp Require Import Definitions Checker Soundness Bounds Universal UniversalTree.
Import ListNotations.
Open Scope Z_scope.

(** f_i = 1 for i < L, f_i = f_(i-1) + f_(i-L) (definition 2.5). *)
Notation fibonacci := continuous.Definitions.fibonacci.
Definition postal (L : Z) (ps : list Z) : machine := Machine (inject_Z L) 0 1 ps.

Lemma postal_proper L ps : 0 < L -> NoDup ps -> proper (postal L ps).
Proof. intros HL N. unfold proper, Qlt, Qle. cbn. repeat split; try lia. exact N. Qed.
Definition steps (L : Z) : clock := Clock 1 L 0 1.
Lemma postal_same L ps : same (postal L ps) (machine_of (steps L) ps).
Proof. unfold same, Qeq. cbn. repeat split; lia. Qed.
Lemma steps_sane L : 0 < L -> sane (steps L) = true.
Proof. intros HL. unfold sane. cbn. destruct (Z.ltb_spec 0 L); [reflexivity|lia]. Qed.

Lemma sends_early L y : 0 < L -> y < 0 -> sends L 1 y = 0.
Proof. intros HL Hy. unfold sends, nodes. now replace (Z.to_nat (y + 1)) with O by lia. Qed.
(** The tree has f_t nodes with labels of at most t. *)
Lemma postal_size L t : 0 < L -> 0 <= t -> size L 1 t = fibonacci L t.
Proof.
  intros HL Ht. revert t Ht. apply (Zlt_0_ind (fun t => size L 1 t = fibonacci L t)). intros t IH Ht.
  rewrite size_sends by lia. destruct (Z_lt_le_dec t L) as [Early|Late].
  - rewrite sends_early, continuous.Induction.fibonacci_one by lia. reflexivity.
  - rewrite sends_next by lia. rewrite (continuous.Induction.fibonacci_step L t) by lia.
    rewrite <- (IH (t - 1)), <- (IH (t - L)) by lia. rewrite (size_sends L 1 HL ltac:(lia) (t - 1)) by lia.
    replace (t - 1 - L) with (t - L - 1) by lia. lia.
Qed.
Lemma tick_whole t : tick 1 (inject_Z t) = t.
Proof. unfold tick, scale. rewrite <- (Qfloor_Z t) at 2. apply Qfloor_comp. unfold Qeq, Qmult, inject_Z. cbn. lia. Qed.

(** Theorem 2.2: an item can reach P processors in t steps if and only if P is at most f_t. *)
Theorem postal_within L ps source item_ t : 0 < L -> NoDup ps -> In source ps -> 0 <= t ->
  done_within (broadcast (postal L ps) source [item_]) (inject_Z t) <-> Z.of_nat (length ps) <= fibonacci L t.
Proof.
  intros HL N Hs Ht. rewrite (within_time _ _ _ _ (postal_proper L ps HL N) Hs) by (unfold Qle; cbn; lia).
  rewrite <- (postal_size L t HL Ht). cbn [processors postal].
  assert (D : delay_ (steps L) = L) by (unfold delay_; cbn; lia).
  split.
  - intros [l [R E]]. pose proof (reached_size (postal L ps) (steps L) (steps_sane L HL) (postal_same L ps) _ _ R) as S.
    rewrite D in S. change (unit_ (steps L)) with 1%positive in S. change (period (steps L)) with 1 in S.
    rewrite tick_whole in S. lia.
  - intros H. exists (firstn (length ps) (nodes L 1 t)). split; [|apply firstn_length_le; unfold size in H; lia].
    pose proof (size_reached (postal L ps) (steps L) (steps_sane L HL) (postal_same L ps) (inject_Z t)
      ltac:(unfold Qle; cbn; lia)) as [Nd R].
    rewrite D in Nd, R. change (unit_ (steps L)) with 1%positive in Nd, R. change (period (steps L)) with 1 in Nd, R.
    rewrite tick_whole in Nd, R. split; [now apply first_once|]. intros x Hx. apply R.
    rewrite <- (firstn_skipn (length ps)). apply in_app_iff. now left.
Qed.

(** So the least time is the least t with P <= f_t. *)
Theorem postal_least_time L ps source item_ t : 0 < L -> NoDup ps -> In source ps ->
  continuous.Definitions.least_steps L (Z.of_nat (length ps)) t -> least_time (broadcast (postal L ps) source [item_]) (inject_Z t).
Proof.
  intros HL N Hs [Ht [E F]]. split; [unfold Qle; cbn; lia|]. split; [now apply postal_within|].
  intros s u U V C. destruct (Qlt_le_dec u (inject_Z t)) as [Less|]; [|assumption]. exfalso.
  set (y := Qfloor u). assert (Hy : 0 <= y < t).
  { unfold y. split; [change 0 with (Qfloor 0); now apply Qfloor_resp_le|]. rewrite Zlt_Qlt.
    eapply Qle_lt_trans; [apply Qfloor_le|exact Less]. }
  specialize (F y Hy). destruct (proj1 (within_time _ source item_ u (postal_proper L ps HL N) Hs U)) as [l [R El]].
  { now exists s. }
  pose proof (reached_size (postal L ps) (steps L) (steps_sane L HL) (postal_same L ps) _ _ R) as S.
  replace (delay_ (steps L)) with L in S by (unfold delay_; cbn; lia). change (period (steps L)) with 1 in S.
  assert (Ey : tick (unit_ (steps L)) u = y).
  { unfold tick, scale, y. apply Qfloor_comp. cbn. ring. }
  rewrite Ey, postal_size in S by lia. cbn [processors postal] in El. lia.
Qed.

(** Theorem 3.1 as corrected: in the step j no more messages start than processors know anything, f_j, nor than there are
    receivers; k items need k for each of these. *)
Definition started (L others t : Z) : Z := total (fun j => Z.min others (fibonacci L j)) (below t).
Theorem items_take L ps source items t : 0 < L -> NoDup ps -> In source ps -> NoDup items -> 0 <= t ->
  let others := Z.of_nat (length ps) - 1 in started L others t < Z.of_nat (length items) * others ->
  never_before (broadcast (postal L ps) source items) (inject_Z (L + t)).
Proof.
  intros HL N Hs Ni Ht others Few s u U V C. destruct (Qlt_le_dec u (inject_Z (L + t))) as [Less|]; [|assumption]. exfalso.
  pose proof (completed_size (postal L ps) (steps L) source items s u (postal_proper L ps HL N) (steps_sane L HL)
    (postal_same L ps) Hs Ni V C) as H. cbv zeta in H. cbn [processors postal] in H.
  replace (delay_ (steps L)) with L in H by (unfold delay_; cbn; lia). change (period (steps L)) with 1 in H.
  change (unit_ (steps L)) with 1%positive in H. fold others in H. destruct H as [H1 [_ [H3 H4]]].
  set (A := fun y => count (fun x => tick 1 (start x) <=? y) (filter (fun x => negb (receiver x =? source)) s)) in *.
  change (others * Z.of_nat (length items) <= A (tick 1 u - L)) in H1.
  change (forall y, 0 <= y -> A y <= A (y - 1) + Z.min others (size L 1 y)) in H3.
  change (forall y, y < 0 -> A y = 0) in H4.
  assert (Hy : tick 1 u < L + t).
  { unfold tick. rewrite Zlt_Qlt. eapply Qle_lt_trans; [apply Qfloor_le|]. unfold scale. setoid_replace (u * inject_Z 1)%Q with u by (cbn; ring).
    exact Less. }
  assert (B : forall n, (forall y, y < Z.of_nat n -> A y <= started L others (Z.of_nat n))).
  { assert (O : 0 <= others) by (unfold others; destruct ps; [contradiction|cbn [length]; lia]).
    assert (F : forall j, 0 <= j -> 0 <= fibonacci L j) by (intros j Hj; rewrite <- postal_size by lia; unfold size; lia).
    induction n as [|n IH]; intros y Hn; [rewrite H4 by lia; cbn; lia|].
    assert (E : started L others (Z.of_nat (S n)) = started L others (Z.of_nat n) + Z.min others (fibonacci L (Z.of_nat n))).
    { unfold started, below. rewrite !Nat2Z.id, seq_S, map_app, total_app. cbn [map total]. rewrite Nat.add_0_l. lia. }
    rewrite E. specialize (F (Z.of_nat n) ltac:(lia)). destruct (Z.eq_dec y (Z.of_nat n)) as [->|].
    - specialize (H3 (Z.of_nat n) ltac:(lia)). rewrite postal_size in H3 by lia. specialize (IH (Z.of_nat n - 1) ltac:(lia)). lia.
    - specialize (IH y ltac:(lia)). lia. }
  specialize (B (Z.to_nat t) (tick 1 u - L) ltac:(lia)). rewrite Z2Nat.id in B by exact Ht. lia.
Qed.

(** Fact 2.1. *)
Theorem fibonacci_sum L t : 0 < L -> 0 <= t -> 1 + total (fibonacci L) (below (t + 1)) = fibonacci L (t + L).
Proof.
  intros HL Ht. rewrite <- (Z2Nat.id t Ht). induction (Z.to_nat t) as [|n IH].
  - cbn [total below]. rewrite (continuous.Induction.fibonacci_step L (Z.of_nat 0 + L)) by lia.
    cbn -[fibonacci]. rewrite !continuous.Induction.fibonacci_one by lia. reflexivity.
  - rewrite (continuous.Induction.fibonacci_step L (Z.of_nat (S n) + L)) by lia.
    replace (Z.of_nat (S n) + L - 1) with (Z.of_nat n + L) by lia. rewrite <- IH.
    replace (Z.of_nat (S n) + L - L) with (Z.of_nat n + 1) by lia. unfold below.
    replace (Z.to_nat (Z.of_nat (S n) + 1)) with (S (Z.to_nat (Z.of_nat n + 1))) by lia.
    rewrite seq_S, map_app, total_app. cbn [map total].
    replace (Z.of_nat (0 + Z.to_nat (Z.of_nat n + 1))) with (Z.of_nat n + 1) by lia. lia.
Qed.
