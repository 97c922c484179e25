(** The bound of prices and cuts for reductions over switches: a call pays at least what the cheapest path
    from its start to its end costs. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation Sorted.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known AllReduce Allgather Carried Legs.
Import ListNotations.
Open Scope Q_scope.

Definition ends_of (l : list arc) : call := (start_of l, end_of l).
Definition way_toll (p : ports) (y : prices) (l : list arc) : Q := sum (toll p y) l.

Section Schedule.
Variable p : ports.
Variable blocks : list block.
Variable trips : list trip.
Let sys := carriers p blocks trips.
Hypothesis ways : forall k, In k trips -> way k <> [].
Hypothesis positive : forall j, In j (tasks sys) -> 0 < lasts j.
Variable s : schedule.
Hypothesis Hs : valid sys s.
Variable m : nat.
Variable K : Q.

Let off c := offset (lengths_of trips) c.
Definition nowhere : trip := Trip 0 [].
Definition trip_of (c : nat) : trip := nth c trips nowhere.
(** The calls that have come to their ends. *)
Definition come (c : nat) : bool := doneb sys s K m (off c + (length (way (trip_of c)) - 1))%nat.
Definition Come : list nat := filter come (seq 0 (length trips)).
Definition start_key (c : nat) : Q := first s m (off c).

Lemma some_trip c k : nth_error trips c = Some k -> trip_of c = k /\ (c < length trips)%nat /\ In k trips.
Proof.
  intros H. split; [|split]. apply nth_error_nth; auto. apply nth_error_Some; congruence.
  eapply nth_error_In; eauto.
Qed.
Lemma way_length k : In k trips -> (0 < length (way k))%nat.
Proof. intros H. pose proof (ways k H). destruct (way k); simpl; [congruence|lia]. Qed.

(** What the arcs of a call pay that has come to its end. *)
Lemma come_all c k : nth_error trips c = Some k -> come c = true -> forall h, (h < length (way k))%nat ->
  In (off c + h)%nat (Done sys s K m) /\ start_key c <= first s m (off c + h)%nat.
Proof.
  intros Hc E h L. destruct (some_trip c k Hc) as (Ek & _ & Ik). unfold come in E. rewrite Ek in E.
  assert (Last : In (off c + (length (way k) - 1))%nat (Done sys s K m)).
  { apply filter_In. split; auto. apply in_seq. split; [lia|]. apply nth_error_Some.
    destruct (nth_error (way k) (length (way k) - 1)) as [a|] eqn:Ea.
    - unfold off, sys. simpl. rewrite (journey_find p blocks trips 0 c k _ a Hc Ea). discriminate.
    - apply nth_error_None in Ea. lia. }
  destruct (chain_done p blocks trips positive s Hs m K c k Hc (length (way k) - 1 - h) h) as [D _]; auto; [lia|].
  split; auto. clear D.
  (* the first arc is not later than any other *)
  revert h L. induction h as [|h IH]; intros L.
  - rewrite Nat.add_0_r. unfold start_key. lra.
  - specialize (IH ltac:(lia)).
    destruct (chain_done p blocks trips positive s Hs m K c k Hc (length (way k) - 1 - Datatypes.S h) (Datatypes.S h))
      as [D _]; auto; [lia|]. change (offset (lengths_of trips) c) with (off c) in D.
    destruct (nth_error (way k) (Datatypes.S h)) as [a|] eqn:Ea; [|apply nth_error_None in Ea; lia].
    pose proof (journey_find p blocks trips 0 c k (Datatypes.S h) a Hc Ea) as F.
    assert (Kd : kind sys (off c + Datatypes.S h)%nat = leg p (size_of blocks (regards k)) c (Datatypes.S h) a).
    { unfold kind. apply nth_error_nth. exact F. }
    destruct (done_needs sys positive s Hs m K _ D (halt c (Datatypes.S h) (tail a))) as [[]|(j & J1 & J2 & J3)].
    { rewrite Kd. simpl. auto. }
    assert (Ej : nth_error (tasks sys) j = Some (kind sys j)).
    { apply filter_In in J1. destruct J1 as [J1 _]. apply in_seq in J1. unfold kind. apply nth_error_nth'. lia. }
    destruct (journey_task p blocks trips 0 j _ Ej) as (c' & k' & h' & a' & E1 & E2 & E3 & E4).
    rewrite E4 in J2. unfold leg in J2. simpl in J2. apply halt_inj in J2. destruct J2 as (-> & Eh & _).
    assert (h' = h) by lia. subst h'. fold (off c) in E3. rewrite <- E3 in IH. lra.
Qed.

Lemma paid_by_calls (y : prices) : nonneg y -> (forall k a, In k trips -> In a (way k) -> 0 < cost a) ->
  (forall k, In k trips -> 0 < size_of blocks (regards k)) ->
  sum (fun c => size_of blocks (regards (trip_of c)) * way_toll p y (way (trip_of c))) Come <=
  sum (fun i => lasts (kind sys i) * paid y (kind sys i)) (Done sys s K m).
Proof.
  intros Hy costs sizes. set (f := fun i => lasts (kind sys i) * paid y (kind sys i)).
  unfold Done. rewrite sum_filter. unfold sys at 2. simpl tasks. rewrite (sum_by_calls p blocks trips 0).
  unfold Come. rewrite sum_filter. apply sum_le. intros c Hc. apply in_seq in Hc.
  destruct (nth_error trips c) as [k|] eqn:E; [|apply nth_error_None in E; lia].
  destruct (some_trip c k E) as (Ek & _ & Ik).
  assert (Ln : nth c (lengths_of trips) 0%nat = length (way k)).
  { unfold lengths_of. apply nth_error_nth. rewrite nth_error_map, E. auto. }
  rewrite Ln, Ek.
  assert (Each : forall h a, nth_error (way k) h = Some a ->
    f (off c + h)%nat == size_of blocks (regards k) * toll p y a).
  { intros h a Ea. pose proof (journey_find p blocks trips 0 c k h a E Ea) as F.
    assert (Kd : kind sys (off c + h)%nat = leg p (size_of blocks (regards k)) c h a).
    { unfold kind. apply nth_error_nth. exact F. }
    unfold f. rewrite Kd. unfold leg, toll. simpl lasts.
    rewrite (paid_uses y _ (transfer p (Message 0) 1 a)) by reflexivity. ring. }
  assert (Pos : forall h, (h < length (way k))%nat -> 0 <= f (off c + h)%nat).
  { intros h Hh. destruct (nth_error (way k) h) as [a|] eqn:Ea; [|apply nth_error_None in Ea; lia].
    rewrite (Each h a Ea). apply Qmult_le_0_compat; [apply Qlt_le_weak; auto|]. apply toll_nonneg; auto.
    apply (costs k); auto. eapply nth_error_In; eauto. }
  destruct (come c) eqn:C.
  - assert (Sum : size_of blocks (regards k) * way_toll p y (way k)
      == sum (fun h => f (off c + h)%nat) (seq 0 (length (way k)))).
    { unfold way_toll. rewrite <- sum_scale. set (g := fun h => f (off c + h)%nat).
      change (forall h a, nth_error (way k) h = Some a -> g h == size_of blocks (regards k) * toll p y a) in Each.
      clearbody g. clear - Each. revert g Each. generalize (way k).
      induction l as [|a l IH]; intros g Each; [reflexivity|]. cbn [length seq sum].
      rewrite <- seq_shift, sum_map, (Each 0%nat a) by auto. apply Qplus_comp; [reflexivity|].
      apply (IH (fun h => g (Datatypes.S h))). intros h b Hb. apply (Each (Datatypes.S h) b). auto. }
    rewrite Sum. apply sum_le. intros h Hh. apply in_seq in Hh.
    destruct (come_all c k E C h) as [D _]; [lia|]. apply filter_In in D. destruct D as [_ D].
    fold (off c). rewrite D. apply Qle_refl.
  - apply sum_nonneg. intros h Hh. apply in_seq in Hh. fold (off c).
    destruct (doneb sys s K m (off c + h)); [apply Pos; lia|lra].
Qed.

(** The calls about block b that have come to their ends, in the order of their starts. *)
Variable b : nat.
Definition Heard : list nat := filter (fun c => (regards (trip_of c) =? b)%nat) Come.
Variable L : list nat.
Hypothesis HL : Permutation Heard L.
Hypothesis SL : StronglySorted (fun c c' => start_key c <= start_key c') L.
Definition starts_before (t : Q) (c : nat) : bool := negb (Qle_bool t (start_key c)).
Lemma starts_before_spec t c : starts_before t c = true <-> start_key c < t.
Proof.
  unfold starts_before. rewrite negb_true_iff. split; intros H.
  - apply Qnot_le_lt. intros N. apply Qle_bool_iff in N. congruence.
  - destruct (Qle_bool t (start_key c)) eqn:E; auto. apply Qle_bool_iff in E. lra.
Qed.

Lemma learned_in_order w t v : learns p blocks trips s m b w t v -> t <= K ->
  knowers (map (fun c => ends_of (way (trip_of c))) (filter (starts_before t) L)) (eq w) v.
Proof.
  induction 1 as [t|t c k Hc Rb Hh Hp IH]; intros tK.
  - apply knowers_more. auto.
  - destruct (some_trip c k Hc) as (Ek & Lc & Ik).
    destruct (come_done p blocks trips positive s Hs m K t c k tK Hc (ways k Ik) Hh) as [Dl Fl].
    assert (Cc : come c = true).
    { unfold come. rewrite Ek. apply filter_In in Dl. apply Dl. }
    destruct (come_all c k Hc Cc 0%nat (way_length k Ik)) as [D0 _]. rewrite Nat.add_0_r in D0.
    destruct (come_all c k Hc Cc (length (way k) - 1)%nat) as [_ Fk]; [pose proof (way_length k Ik); lia|].
    unfold off in Fk. assert (F : start_key c < t) by lra.
    destruct (nth_error (way k) 0) as [a|] eqn:Ea;
      [|apply nth_error_None in Ea; pose proof (way_length k Ik); lia].
    pose proof (journey_find p blocks trips 0 c k 0%nat a Hc Ea) as Fd. rewrite Nat.add_0_r in Fd.
    assert (W : 0 < work s (off c) m K).
    { apply filter_In in D0. destruct D0 as [_ D0]. apply Qle_bool_iff in D0.
      assert (0 < lasts (kind sys (off c))); [|lra]. apply positive. unfold kind, off.
      rewrite (nth_error_nth _ _ _ Fd). eapply nth_error_In. exact Fd. }
    destruct (least_in (filter (of_task (off c) m) s)) as [q [Iq Eq]].
    { intros E. unfold work in W. rewrite E in W. simpl in W. lra. }
    apply filter_In in Iq. destruct Iq as [Iq Oq]. unfold of_task in Oq. apply andb_prop in Oq.
    destruct Oq as [O1 O2]. apply Nat.eqb_eq in O1, O2.
    assert (Eq' : start_key c == start q) by exact Eq. clear Eq.
    assert (tq : start q <= K) by lra.
    specialize (IH q _ (head a) Iq O2 ltac:(rewrite O1; exact Fd) eq_refl tq).
    assert (iL : In c L).
    { apply (Permutation_in c HL). apply filter_In. split.
      - apply filter_In. split; auto. apply in_seq. lia.
      - rewrite Ek, Rb. apply Nat.eqb_refl. }
    apply in_split in iL. destruct iL as (A & B & EL). rewrite EL in *.
    assert (HB := sorted_split start_key _ _ _ SL).
    rewrite !filter_app, !map_app, !knowers_app in *. simpl in *.
    assert (Ei : starts_before t c = true) by (apply starts_before_spec; auto). rewrite Ei.
    assert (Ei' : starts_before (start q) c = false).
    { destruct (starts_before (start q) c) eqn:E; auto. apply starts_before_spec in E. lra. }
    rewrite Ei' in IH.
    assert (EB : filter (starts_before (start q)) B = []).
    { clear - HB Eq'. induction B as [|j B IHB]; simpl; auto.
      destruct (starts_before (start q) j) eqn:E.
      - apply starts_before_spec in E. pose proof (HB j (or_introl eq_refl)). lra.
      - apply IHB. intros; apply HB; simpl; auto. }
    rewrite EB in IH. simpl in IH |- *.
    apply knowers_more. right. unfold ends_of at 1 3. rewrite Ek. simpl. split; auto.
    revert IH. apply knowers_filter. intros j. rewrite !starts_before_spec. lra.
Qed.
End Schedule.

(** If the paths of every sequence of calls that tells the targets of block b everything cost W b at least,
    no scheme completes more than total / sum size W operations per time unit. *)
Theorem collects_bound (p : ports) (members : list node) (arcs : list arc) (blocks : list block) (y : prices)
    (W : nat -> Q) :
  (forall a, In a arcs -> 0 < cost a) -> (forall B, In B blocks -> 0 < size B) -> nonneg y ->
  (forall b B used, nth_error blocks b = Some B -> (forall l, In l used -> is_way arcs members l) ->
     (forall v w, In v (targets B) -> In w members -> knowers (map ends_of used) (eq w) v) ->
     W b <= sum (way_toll p y) used) ->
  let value := sum (fun b => size_of blocks b * W b) (seq 0 (length blocks)) in
  0 < value -> collects_never_more p members arcs blocks (total y / value).
Proof.
  intros pos sizes Hy HW value Pv trips s M K Al HK Hs C.
  assert (size_pos : forall b, (b < length blocks)%nat -> 0 < size_of blocks b).
  { intros b Hb. apply sizes, nth_In; auto. }
  assert (ways : forall k, In k trips -> way k <> []) by (intros k Hk; apply (Al k Hk)).
  assert (costs : forall k a, In k trips -> In a (way k) -> 0 < cost a).
  { intros k a Hk Ha. destruct (Al k Hk) as [(_ & I & _) _]. auto. }
  assert (bulk : forall k, In k trips -> 0 < size_of blocks (regards k)).
  { intros k Hk. apply size_pos, Al; auto. }
  set (sys := carriers p blocks trips) in *.
  assert (positive : forall j, In j (tasks sys) -> 0 < lasts j).
  { intros j Hj. apply In_nth_error in Hj. destruct Hj as [i Hi].
    destruct (journey_task p blocks trips 0 i j Hi) as (c & k & h & a & E1 & E2 & _ & ->). simpl.
    apply nth_error_In in E1, E2. apply Qmult_lt_0_compat; eauto. }
  assert (G : count M * value <= K * total y).
  { apply (enough_once sys s); auto. intros m Hm.
    eapply Qle_trans; [|apply (paid_by_calls p blocks trips positive s Hs m K y Hy costs bulk)].
    set (D := Come p blocks trips s m K). set (T := trip_of trips).
    set (f := fun c => size_of blocks (regards (T c)) * way_toll p y (way (T c))).
    assert (In_trips : forall c, In c D -> In (T c) trips).
    { intros c Hc. apply filter_In in Hc. destruct Hc as [Hc _]. apply in_seq in Hc. apply nth_In. lia. }
    assert (f_nonneg : forall c, In c D -> 0 <= f c).
    { intros c Hc. apply In_trips in Hc. apply Qmult_le_0_compat; [apply Qlt_le_weak; auto|].
      apply sum_nonneg. intros a Ha. apply toll_nonneg; eauto. }
    apply Qle_trans with (sum (fun b => sum f (Heard p blocks trips s m K b)) (seq 0 (length blocks))).
    - apply sum_le. intros b Hb. apply in_seq in Hb.
      destruct (nth_error blocks b) as [B|] eqn:EB; [|apply nth_error_None in EB; lia].
      destruct (sorting (start_key trips s m) (Heard p blocks trips s m K b)) as (L & PL & SL).
      assert (Wb : W b <= sum (fun c => way_toll p y (way (T c))) L).
      { rewrite <- (sum_map (fun c => way (T c)) (way_toll p y)). apply (HW b B); auto.
        - intros l Hl. apply in_map_iff in Hl. destruct Hl as (c & <- & Hc).
          apply (Permutation_in c (Permutation_sym PL)) in Hc. apply filter_In in Hc. destruct Hc as [Hc _].
          apply Al. auto.
        - intros v w Hv Hw. rewrite map_map.
          pose proof (learned_in_order p blocks trips ways positive s Hs m K b L PL SL w K v
            (C m b B v w Hm EB Hv Hw) (Qle_refl K)) as Kn.
          apply knowers_filtered in Kn. exact Kn. }
      rewrite <- (sum_perm _ _ _ PL) in Wb.
      assert (E : sum f (Heard p blocks trips s m K b)
        == size_of blocks b * sum (fun c => way_toll p y (way (T c))) (Heard p blocks trips s m K b)).
      { rewrite <- sum_scale. apply sum_eq. intros c Hc. apply filter_In in Hc. destruct Hc as [_ Ab].
        apply Nat.eqb_eq in Ab. unfold f, T. rewrite Ab. reflexivity. }
      rewrite E. specialize (size_pos b (proj2 Hb)). apply Qmult_le_l; auto.
    - unfold Heard. erewrite sum_eq; [|intros b _; apply sum_filter]. rewrite sum_swap.
      apply sum_le. intros c Hc.
      apply (sum_at_most_one _ (fun b => (regards (T c) =? b)%nat) (regards (T c))); auto.
      + apply seq_NoDup.
      + intros b Eb. apply Nat.eqb_eq in Eb. auto. }
  assert (E : total y / value * K == K * total y / value) by (field; lra).
  rewrite E. apply Qle_shift_div_l; auto.
Qed.
