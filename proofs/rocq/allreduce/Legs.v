(** The tasks of calls along paths: which number each has, and that a call that has come to its end has gone
    over all arcs of its path. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.allreduce Require Import OrderFree Allgather Carried.
Import ListNotations.
Open Scope Q_scope.

(** ** The numbers of tasks: lists of tasks, one list for each call *)

(** The number of the first task of call c. *)
Fixpoint offset (lengths : list nat) (c : nat) : nat :=
  match lengths, c with n :: l, S c => n + offset l c | _, _ => 0 end.
Definition lengths_of (trips : list trip) : list nat := map (fun k => length (way k)) trips.

Lemma legs_nth p d c l : forall h0 h, nth_error (legs p d c h0 l) h =
  option_map (leg p d c (h0 + h)) (nth_error l h).
Proof.
  induction l as [|a l IH]; intros h0 [|h]; simpl; auto.
  - rewrite Nat.add_0_r. auto.
  - rewrite IH. replace (S h0 + h)%nat with (h0 + S h)%nat by lia. auto.
Qed.
Lemma legs_length p d c l : forall h, length (legs p d c h l) = length l.
Proof. induction l as [|a l IH]; intros h; simpl; auto. Qed.

Lemma journey_find p blocks trips : forall c0 c k h a, nth_error trips c = Some k ->
  nth_error (way k) h = Some a ->
  nth_error (journeys p blocks c0 trips) (offset (lengths_of trips) c + h) =
    Some (leg p (size_of blocks (regards k)) (c0 + c) h a).
Proof.
  induction trips as [|k' trips IH]; intros c0 [|c] k h a Hc Ha; try discriminate; simpl in *.
  - injection Hc as ->. rewrite nth_error_app1, legs_nth, Ha.
    + simpl. rewrite Nat.add_0_r. auto.
    + rewrite legs_length. apply nth_error_Some. congruence.
  - rewrite nth_error_app2 by (rewrite legs_length; lia). rewrite legs_length.
    replace (length (way k') + offset (lengths_of trips) c + h - length (way k'))%nat
      with (offset (lengths_of trips) c + h)%nat by lia.
    rewrite (IH (S c0) c k h a) by auto. f_equal. f_equal. lia.
Qed.
Lemma journey_task p blocks trips : forall c0 i j, nth_error (journeys p blocks c0 trips) i = Some j ->
  exists c k h a, nth_error trips c = Some k /\ nth_error (way k) h = Some a /\
    i = (offset (lengths_of trips) c + h)%nat /\ j = leg p (size_of blocks (regards k)) (c0 + c) h a.
Proof.
  induction trips as [|k trips IH]; intros c0 i j H; [destruct i; discriminate|]. cbn [journeys] in H.
  destruct (Nat.lt_ge_cases i (length (way k))) as [L|L].
  - rewrite nth_error_app1, legs_nth in H by (rewrite legs_length; auto).
    destruct (nth_error (way k) i) as [a|] eqn:E; [|discriminate]. injection H as <-.
    exists 0%nat, k, i, a. simpl. rewrite Nat.add_0_r. auto.
  - rewrite nth_error_app2, legs_length in H by (rewrite legs_length; auto).
    destruct (IH (S c0) _ _ H) as (c & k' & h & a & E1 & E2 & E3 & E4).
    exists (S c), k', h, a. simpl. split; auto. split; auto. split; [lia|].
    rewrite E4. f_equal. lia.
Qed.

Lemma halt_inj c h v c' h' v' : halt c h v = halt c' h' v' -> c = c' /\ h = h' /\ v = v'.
Proof. unfold halt. intros [= E1 E2 E3]. repeat split; auto; lia. Qed.

(** A sum over all tasks, call by call. *)
Lemma sum_seq_add (g : nat -> Q) a b : sum g (seq 0 (a + b)) == sum g (seq 0 a) + sum (fun i => g (a + i)%nat) (seq 0 b).
Proof.
  rewrite seq_app, sum_app. simpl. apply Qplus_comp; [reflexivity|].
  assert (E : seq a b = map (fun i => (a + i)%nat) (seq 0 b)).
  { clear. revert a. induction b as [|b IH]; intros a; simpl; auto. rewrite Nat.add_0_r. f_equal.
    rewrite IH, <- seq_shift, map_map. apply map_ext. intros; lia. }
  rewrite E, sum_map. reflexivity.
Qed.
Lemma sum_by_calls p blocks trips : forall c0 (g : nat -> Q),
  sum g (seq 0 (length (journeys p blocks c0 trips))) ==
  sum (fun c => sum (fun h => g (offset (lengths_of trips) c + h)%nat)
    (seq 0 (nth c (lengths_of trips) 0%nat))) (seq 0 (length trips)).
Proof.
  induction trips as [|k trips IH]; intros c0 g; [reflexivity|]. cbn [journeys].
  rewrite app_length, legs_length, sum_seq_add, (IH (S c0)). cbn [length seq sum]. rewrite <- seq_shift, sum_map.
  simpl. apply Qplus_comp; [reflexivity|]. apply sum_eq. intros c _. apply sum_eq. intros h _.
  rewrite Nat.add_assoc. reflexivity.
Qed.

Lemma last_arc l : l <> [] -> exists a, nth_error l (length l - 1) = Some a /\ head a = end_of l.
Proof.
  induction l as [|a l IH]; intros N; [congruence|]. destruct l as [|b l]; [exists a; auto|].
  destruct IH as (z & E & H); [discriminate|]. exists z. simpl in *. rewrite Nat.sub_0_r in E. auto.
Qed.

(** ** A call that has come to its end *)
Section Chain.
Variable p : ports.
Variable blocks : list block.
Variable trips : list trip.
Let S := carriers p blocks trips.
Hypothesis positive : forall k, In k (tasks S) -> 0 < lasts k.
Variable s : schedule.
Hypothesis Hs : valid S s.
Variable m : nat.
Variable K : Q.
Let off c := offset (lengths_of trips) c.

Lemma come_done t c k : t <= K -> nth_error trips c = Some k -> way k <> [] ->
  has S s m t (halt c (length (way k)) (end_of (way k))) ->
  In (off c + (length (way k) - 1))%nat (Done S s K m) /\ first s m (off c + (length (way k) - 1))%nat < t.
Proof.
  intros tK Hc N H. destruct (has_done S positive s Hs m t K _ tK H) as [[]|(j & Hj & Mj & Fj)].
  assert (E : nth_error (tasks S) j = Some (kind S j)).
  { apply filter_In in Hj. destruct Hj as [Hj _]. apply in_seq in Hj. unfold kind. apply nth_error_nth'. lia. }
  destruct (journey_task p blocks trips 0 j _ E) as (c' & k' & h & a & E1 & E2 & E3 & E4).
  rewrite E4 in Mj. unfold leg in Mj. simpl in Mj. apply halt_inj in Mj. destruct Mj as (-> & Eh & _).
  rewrite Hc in E1. injection E1 as <-. replace (length (way k) - 1)%nat with h by lia. unfold off.
  rewrite <- E3. auto.
Qed.
Lemma chain_done c k : nth_error trips c = Some k -> forall n h, (h + n = length (way k) - 1)%nat ->
  In (off c + (length (way k) - 1))%nat (Done S s K m) -> (h < length (way k))%nat ->
  In (off c + h)%nat (Done S s K m) /\ first s m (off c + h)%nat <= first s m (off c + (length (way k) - 1))%nat.
Proof.
  intros Hc. induction n as [|n IH]; intros h E D L.
  - replace (length (way k) - 1)%nat with h in * by lia. split; auto. lra.
  - destruct (IH (Datatypes.S h)) as [D' F']; [lia|auto|lia|].
    destruct (nth_error (way k) (Datatypes.S h)) as [a|] eqn:Ea; [|apply nth_error_None in Ea; lia].
    pose proof (journey_find p blocks trips 0 c k (Datatypes.S h) a Hc Ea) as F.
    assert (Ek : kind S (off c + Datatypes.S h)%nat = leg p (size_of blocks (regards k)) c (Datatypes.S h) a).
    { unfold kind. apply nth_error_nth. exact F. }
    destruct (done_needs S positive s Hs m K _ D' (halt c (Datatypes.S h) (tail a))) as [[]|(j & J1 & J2 & J3)].
    { rewrite Ek. simpl. auto. }
    assert (Ej : nth_error (tasks S) j = Some (kind S j)).
    { apply filter_In in J1. destruct J1 as [J1 _]. apply in_seq in J1. unfold kind. apply nth_error_nth'. lia. }
    destruct (journey_task p blocks trips 0 j _ Ej) as (c' & k' & h' & a' & E1 & E2 & E3 & E4).
    rewrite E4 in J2. unfold leg in J2. simpl in J2. apply halt_inj in J2. destruct J2 as (-> & Eh & _).
    assert (h' = h) by lia. subst h'. unfold off. rewrite <- E3. split; auto. unfold off in F', J3. lra.
Qed.
End Chain.
