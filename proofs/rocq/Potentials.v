(** The bound of prices and potentials, with several goals that may share tasks: scatter, alltoall, reduce,
    prefix. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Sums Time Bound.
Import ListNotations.
Open Scope Q_scope.

(** What a task adds to a potential. *)
Definition added (p : state -> Q) (k : task) : Q := Qmax 0 (p (makes k) - sum p (needs k)).
Definition bit (b : bool) : Q := if b then 1 else 0.

Section One.
Variable S : system.
Hypothesis positive : forall k, In k (tasks S) -> 0 < lasts k.
Variable s : schedule.
Hypothesis Hs : valid S s.
Variable sub : state -> state -> bool.
Hypothesis sub_refl : forall k, In k (tasks S) -> sub (makes k) (makes k) = true.
(** What a task needs has disjoint scopes within the scope of what it makes. *)
Hypothesis nested : forall j k, In j (tasks S) -> In k (tasks S) ->
  sum (fun x => bit (sub (makes j) x)) (needs k) <= bit (sub (makes j) (makes k)).
Variable K : Q.
Variable m : nat.
Notation kd := (kind S).
Notation D := (Done S s K m).
Variable p : state -> Q.
Hypothesis given_low : forall x, In x (given S) -> p x <= 0.

Lemma added_nonneg k : 0 <= added p k.
Proof. apply Q.le_max_l. Qed.
Lemma in_done i : In i D -> In (kd i) (tasks S).
Proof. intros H. apply filter_In in H. destruct H as [H _]. apply in_seq in H. apply nth_In. lia. Qed.
Definition earlier i j := negb (Qle_bool (first s m j) (first s m i)).
Lemma earlier_spec i j : earlier i j = true <-> first s m i < first s m j.
Proof. unfold earlier. rewrite negb_true_iff. split; intros E. apply Qnot_le_lt. intros L.
  apply Qle_bool_iff in L. congruence.
  destruct (Qle_bool _ _) eqn:F; auto. apply Qle_bool_iff in F. lra. Qed.

Lemma one_goal i : In i D ->
  p (makes (kd i)) <= sum (fun j => bit (negb (earlier i j) &&
    sub (makes (kd j)) (makes (kd i))) * added p (kd j)) D.
Proof.
  revert i. apply (finite_induction D (first s m)). intros i Hi IH.
  assert (N : sum p (needs (kd i)) <= sum (fun j => bit (earlier j i &&
    sub (makes (kd j)) (makes (kd i))) * added p (kd j)) D).
  { apply Qle_trans with (sum (fun x => sum (fun j => bit (earlier j i &&
      sub (makes (kd j)) x) * added p (kd j)) D) (needs (kd i))).
    - apply sum_le. intros x Hx. destruct (done_needs S positive s Hs m K i Hi x Hx) as [G|[j [J1 [J2 J3]]]].
      + eapply Qle_trans; [apply given_low; auto|]. apply sum_nonneg. intros j _.
        pose proof (added_nonneg (kd j)).
        destruct (earlier j i && sub (makes (kd j)) x); unfold bit; lra.
      + pose proof (IH j J1 J3) as I. rewrite J2 in I. eapply Qle_trans; [exact I|]. apply sum_le. intros q _.
        pose proof (added_nonneg (kd q)). destruct (earlier j q) eqn:E1, (earlier q i) eqn:E2; simpl;
          destruct (sub (makes (kd q)) x); simpl; unfold bit; try lra.
        exfalso. assert (~ first s m q < first s m i) by (rewrite <- earlier_spec; congruence).
        assert (~ first s m j < first s m q) by (rewrite <- earlier_spec; congruence). lra.
    - rewrite sum_swap. apply sum_le. intros j Hj. pose proof (added_nonneg (kd j)).
      pose proof (nested (kd j) (kd i) (in_done j Hj) (in_done i Hi)) as Ne.
      destruct (earlier j i); simpl.
      + erewrite (sum_eq _ _ (needs (kd i))); [|intros x _; apply Qmult_comm]. rewrite sum_scale, Qmult_comm.
        apply Qmult_le_compat_r; auto.
      + apply Qle_trans with (sum (fun _ : state => 0) (needs (kd i))). apply sum_le. intros. unfold bit. lra.
        rewrite sum_zero. unfold bit. lra. }
  assert (A : p (makes (kd i)) <= sum p (needs (kd i)) + added p (kd i)).
  { pose proof (Q.le_max_r 0 (p (makes (kd i)) - sum p (needs (kd i)))) as L. fold (added p (kd i)) in L. lra.
    }
  assert (B : added p (kd i) <= sum (fun j => bit (negb (earlier i j) &&
    sub (makes (kd j)) (makes (kd i))) * added p (kd j)
     - bit (earlier j i && sub (makes (kd j)) (makes (kd i))) * added p (kd j)) D).
  { set (f := fun j => bit (negb (earlier i j) && sub (makes (kd j)) (makes (kd i))) * added p (kd j)
     - bit (earlier j i && sub (makes (kd j)) (makes (kd i))) * added p (kd j)).
    apply Qle_trans with (f i).
    - unfold f. assert (E : earlier i i = false). { destruct (earlier i i) eqn:E; auto.
      apply earlier_spec in E. lra. }
      rewrite E, sub_refl by (apply in_done; auto). simpl. unfold bit. lra.
    - apply sum_member; auto. intros j _. unfold f. pose proof (added_nonneg (kd j)).
      destruct (earlier j i) eqn:E1, (earlier i j) eqn:E2; simpl;
        destruct (sub (makes (kd j)) (makes (kd i))); simpl; unfold bit; try lra.
      apply earlier_spec in E1, E2. lra. }
  unfold Qminus in B. rewrite sum_plus in B.
  assert (O : sum (fun j => - (bit (earlier j i && sub (makes (kd j)) (makes (kd i))) * added p (kd j))) D
    == - sum (fun j => bit (earlier j i && sub (makes (kd j)) (makes (kd i))) * added p (kd j)) D).
  { clear. generalize D. intros l. induction l; simpl. reflexivity. rewrite IHl. ring. }
  rewrite O in B. lra.
Qed.
End One.

(** [sub x z]: the scope of x is part of the scope of z (the same message; an interval inside an interval). *)
Theorem potential_bound (S : system) (y : prices) (goals : list (state * (state -> Q))) (sub : state ->
  state -> bool) :
  (forall k, In k (tasks S) -> 0 < lasts k) -> nonneg y ->
  (forall k, In k (tasks S) -> sub (makes k) (makes k) = true) ->
  (forall j k, In j (tasks S) -> In k (tasks S) ->
     sum (fun x => bit (sub (makes j) x)) (needs k) <= bit (sub (makes j) (makes k))) ->
  (forall w p, In (w, p) goals -> In w (wanted S) /\ forall x, In x (given S) -> p x <= 0) ->
  (forall k, In k (tasks S) -> sum (fun g => added (snd g) k) goals <= lasts k * paid y k) ->
  forall s M K, 0 <= K -> valid S s -> completes S s M K ->
  count M * sum (fun g => snd g (fst g)) goals <= K * total y.
Proof.
  intros pos Hp refl nest Hg pack s M K HK Hs C. apply (enough_once S s); auto. intros m Hm.
  apply Qle_trans with (sum (fun i => sum (fun g => added (snd g) (kind S i)) goals) (Done S s K m)).
  - rewrite sum_swap. apply sum_le. intros [w p] Hw. simpl. destruct (Hg w p Hw) as [Ww Gw].
    assert (Z0 : forall i, 0 <= added p (kind S i)) by (intros; apply Q.le_max_l).
    destruct (has_done S pos s Hs m K K w) as [Gx|[i [Hi [Mi _]]]]; [lra|auto| |].
    + eapply Qle_trans; [apply Gw; auto|]. apply sum_nonneg. auto.
    + rewrite <- Mi. eapply Qle_trans; [apply (one_goal S pos s Hs sub refl nest K m p Gw i Hi)|].
      apply sum_le. intros j _. pose proof (Z0 j). match goal with |- bit ?b * _ <= _ => destruct b end;
        unfold bit; lra.
  - apply sum_le. intros i Hi. apply pack. apply filter_In in Hi. destruct Hi as [Hi _].
    apply in_seq in Hi. apply nth_In. lia.
Qed.
