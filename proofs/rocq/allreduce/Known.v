(** What the members know in a schedule of calls, they know after the completed calls made one after the
    other, in the order in which they started; so a bound for sequences of calls is a bound for schedules. *)
From Coq Require Import QArith Qminmax List Arith Lia Lqa Bool Permutation Sorted.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.allreduce Require Import Calls OrderFree.
Import ListNotations.
Open Scope Q_scope.

(** The call that an arc carries. *)
Definition arc_call (a : arc) : call := (tail a, head a).
(** What one use of an arc costs, for a block of size 1. *)
Definition toll (p : ports) (y : prices) (a : arc) : Q := cost a * paid y (transfer p (Message 0) 1 a).

Lemma paid_uses y j k : uses j = uses k -> paid y j = paid y k.
Proof. intros E. unfold paid, uses_it, inside, uses_it. rewrite E. reflexivity. Qed.
Lemma toll_nonneg p y a : 0 < cost a -> nonneg y -> 0 <= toll p y a.
Proof. intros. apply Qmult_le_0_compat; [lra|apply paid_nonneg; auto]. Qed.

(** ** More calls tell more *)
Lemma knowers_mono calls : forall (K K' : node -> Prop), (forall x, K x -> K' x) ->
  forall x, knowers calls K x -> knowers calls K' x.
Proof.
  induction calls as [|c calls IH]; simpl; auto. intros K K' H. apply IH.
  intros x [Hx|[E Hx]]; [left|right]; auto.
Qed.
Lemma knowers_more calls : forall (K : node -> Prop) x, K x -> knowers calls K x.
Proof. induction calls as [|c calls IH]; simpl; auto. intros K x H. apply IH. left; auto. Qed.
Lemma knowers_app l l' K : knowers (l ++ l') K = knowers l' (knowers l K).
Proof. apply fold_left_app. Qed.
Lemma knowers_filter {A} (f : A -> call) (b c : A -> bool) l :
  (forall x, b x = true -> c x = true) ->
  forall K x, knowers (map f (filter b l)) K x -> knowers (map f (filter c l)) K x.
Proof.
  intros H. induction l as [|a l IH]; simpl; auto. intros K x. specialize (H a).
  destruct (b a), (c a); simpl; auto; try (discriminate H; auto; fail).
  intros Hx. apply IH. revert Hx. apply knowers_mono. intros y Hy. left; auto.
Qed.
Lemma knowers_filtered {A} (f : A -> call) (b : A -> bool) l :
  forall K x, knowers (map f (filter b l)) K x -> knowers (map f l) K x.
Proof.
  induction l as [|a l IH]; simpl; auto. intros K x. destruct (b a); simpl; auto.
  intros Hx. apply IH. revert Hx. apply knowers_mono. intros y Hy. left; auto.
Qed.

(** ** Sorting by time *)
Section Sort.
Variable key : nat -> Q.
Let R i j := key i <= key j.
Lemma insert_sorted a l : StronglySorted R l -> exists l', Permutation (a :: l) l' /\ StronglySorted R l'.
Proof.
  induction 1 as [|b l Sl IH F].
  - exists [a]. split; auto. repeat constructor.
  - destruct (Qlt_le_dec (key b) (key a)) as [L|L].
    + destruct IH as (l' & P & S'). exists (b :: l'). split.
      * eapply perm_trans; [apply perm_swap|]. auto.
      * constructor; auto. eapply Permutation_Forall; [exact P|]. constructor; auto. unfold R. lra.
    + exists (a :: b :: l). split; auto. constructor; [constructor; auto|]. constructor; auto.
      eapply Forall_impl; [|exact F]. unfold R. intros; lra.
Qed.
Lemma sorting l : exists l', Permutation l l' /\ StronglySorted R l'.
Proof.
  induction l as [|a l (l' & P & S')]; [exists []; split; auto; constructor|].
  destruct (insert_sorted a l' S') as (l'' & P' & S''). exists l''. split; auto.
  eapply perm_trans; [|exact P']. auto.
Qed.
Lemma sorted_split A i B : StronglySorted R (A ++ i :: B) -> forall j, In j B -> key i <= key j.
Proof.
  induction A as [|a A IH]; simpl; intros H; apply StronglySorted_inv in H; destruct H as [H F]; auto.
  rewrite Forall_forall in F. exact F.
Qed.
End Sort.

(** ** Schedules *)
Section Schedule.
Variable p : ports.
Variable blocks : list block.
Variable calls : list telling.
Let S := callers p blocks calls.
Hypothesis positive : forall c, In c calls -> 0 < size_of blocks (about c) * cost (over c).
Variable s : schedule.
Hypothesis Hs : valid S s.
Variable m : nat.
Variable K : Q.

Definition nothing : telling := Telling 0 (Arc 0%Z 0%Z 0).
Definition call_of (i : nat) : telling := nth i calls nothing.
Lemma length_calls : length (tasks S) = length calls.
Proof. apply map_length. Qed.
Lemma kind_call i : (i < length calls)%nat -> kind S i = called p blocks (call_of i).
Proof.
  intros H. unfold kind, S, callers, call_of. simpl.
  rewrite (nth_indep _ _ (called p blocks nothing)) by (rewrite map_length; auto). apply map_nth.
Qed.
Lemma some_call i c : nth_error calls i = Some c -> call_of i = c /\ (i < length calls)%nat /\ In c calls.
Proof.
  intros H. split; [|split]. apply nth_error_nth; auto. apply nth_error_Some; congruence.
  eapply nth_error_In; eauto.
Qed.
Lemma done_call i : In i (Done S s K m) -> (i < length calls)%nat.
Proof. intros H. apply filter_In in H. destruct H as [H _]. apply in_seq in H. rewrite length_calls in H. lia.
Qed.

Definition by_time (t : Q) (i : nat) : bool := negb (Qle_bool t (first s m i)).
Lemma by_time_spec t i : by_time t i = true <-> first s m i < t.
Proof.
  unfold by_time. rewrite negb_true_iff. split; intros H.
  - apply Qnot_le_lt. intros L. apply Qle_bool_iff in L. congruence.
  - destruct (Qle_bool t (first s m i)) eqn:E; auto. apply Qle_bool_iff in E. lra.
Qed.

(** The completed calls about block b. *)
Variable b : nat.
Definition Told : list nat := filter (fun i => (about (call_of i) =? b)%nat) (Done S s K m).
Variable L : list nat.
Hypothesis HL : Permutation Told L.
Hypothesis SL : StronglySorted (fun i j => first s m i <= first s m j) L.

Lemma known_in_order w t v : knows blocks calls s m b w t v -> t <= K ->
  knowers (map (fun i => arc_call (over (call_of i))) (filter (by_time t) L)) (eq w) v.
Proof.
  induction 1 as [t|t i c Hc Ab Hw Hp IH]; intros tK.
  - apply knowers_more. auto.
  - destruct (some_call i c Hc) as (Ec & Li & Ic). pose proof (positive c Ic) as Pc. rewrite Ab in Pc.
    assert (W : 0 < work s i m t) by lra.
    pose proof (work_started S s Hs i m t W) as F.
    destruct (least_in (filter (of_task i m) s)) as [q [Iq Eq]].
    { intros E. unfold work in W. rewrite E in W. simpl in W. lra. }
    apply filter_In in Iq. destruct Iq as [Iq Oq]. fold (first s m i) in Eq.
    assert (iL : In i L).
    { apply (Permutation_in i HL). apply filter_In. split.
      - apply filter_In. split; [apply in_seq; rewrite length_calls; lia|].
        unfold doneb. apply Qle_bool_iff. rewrite kind_call, Ec by auto. simpl. rewrite Ab.
        apply Qle_trans with (work s i m t); auto. apply (work_mono S s Hs); auto.
      - rewrite Ec, Ab. apply Nat.eqb_refl. }
    assert (tq : start q <= K) by lra.
    specialize (IH q Iq Oq tq).
    apply in_split in iL. destruct iL as (A & B & EL). rewrite EL in *.
    assert (HB := sorted_split _ _ _ _ SL).
    rewrite !filter_app, !map_app, !knowers_app in *. simpl in *.
    assert (Ei : by_time t i = true) by (apply by_time_spec; auto). rewrite Ei.
    assert (Ei' : by_time (start q) i = false).
    { destruct (by_time (start q) i) eqn:E; auto. apply by_time_spec in E. lra. }
    rewrite Ei' in IH.
    assert (EB : filter (by_time (start q)) B = []).
    { clear - HB Eq. induction B as [|j B IHB]; simpl; auto.
      destruct (by_time (start q) j) eqn:E.
      - apply by_time_spec in E. pose proof (HB j (or_introl eq_refl)). lra.
      - apply IHB. intros; apply HB; simpl; auto. }
    rewrite EB in IH. simpl in IH |- *.
    apply knowers_more. right. unfold arc_call at 1 3. rewrite Ec. simpl. split; auto.
    revert IH. apply knowers_filter. intros j. rewrite !by_time_spec. lra.
Qed.
End Schedule.

(** The arcs of the completed calls about block b, in the order of their starts, tell what is known at time
    K. *)
Theorem known_after p blocks calls s m K b :
  (forall c, In c calls -> 0 < size_of blocks (about c) * cost (over c)) -> valid (callers p blocks calls) s ->
  exists used : list arc,
    (forall a, In a used -> exists c, In c calls /\ a = over c) /\
    (forall v w, knows blocks calls s m b w K v -> knowers (map arc_call used) (eq w) v) /\
    forall price : arc -> Q,
      sum price used == sum (fun i => price (over (call_of calls i))) (Told p blocks calls s m K b).
Proof.
  intros pos Hs. destruct (sorting (first s m) (Told p blocks calls s m K b)) as (L & PL & SL).
  exists (map (fun i => over (call_of calls i)) L). split; [|split].
  - intros a Ha. apply in_map_iff in Ha. destruct Ha as (i & <- & Hi). exists (call_of calls i). split; auto.
    apply nth_In. apply (Permutation_in i (Permutation_sym PL)) in Hi. apply filter_In in Hi.
    apply (done_call p blocks calls s m K i). tauto.
  - intros v w Hw. rewrite map_map.
    pose proof (known_in_order p blocks calls pos s Hs m K b L PL SL w K v Hw (Qle_refl K)) as Kn.
    apply knowers_filtered in Kn. exact Kn.
  - intros price. rewrite sum_map. symmetry. apply sum_perm. auto.
Qed.

(** ** The bound: if the arcs of every sequence of calls that tells the targets of block b everything cost W b
    at least, then no scheme completes more than total / sum size W operations per time unit. *)
Theorem reduces_bound (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block) (y : prices)
    (W : nat -> Q) :
  (forall a, In a arcs -> 0 < cost a) -> (forall B, In B blocks -> 0 < size B) -> nonneg y ->
  (forall b B used, nth_error blocks b = Some B -> incl used arcs ->
     (forall v w, In v (targets B) -> In w nodes -> knowers (map arc_call used) (eq w) v) ->
     W b <= sum (toll p y) used) ->
  let value := sum (fun b => size_of blocks b * W b) (seq 0 (length blocks)) in
  0 < value -> reduces_never_more p nodes arcs blocks (total y / value).
Proof.
  intros pos sizes Hy HW value Pv calls s M K Al HK Hs C.
  assert (size_pos : forall b, (b < length blocks)%nat -> 0 < size_of blocks b).
  { intros b Hb. apply sizes, nth_In; auto. }
  assert (positive : forall c, In c calls -> 0 < size_of blocks (about c) * cost (over c)).
  { intros c Hc. destruct (Al c Hc). apply Qmult_lt_0_compat; auto. }
  set (S := callers p blocks calls) in *.
  assert (G : count M * value <= K * total y).
  { apply (enough_once S s); auto.
    - intros k Hk. apply in_map_iff in Hk. destruct Hk as (c & <- & Hc). simpl. auto.
    - intros m Hm. set (f := fun i => lasts (kind S i) * paid y (kind S i)).
      assert (f_nonneg : forall i, In i (Done S s K m) -> 0 <= f i).
      { intros i Hi. apply Qmult_le_0_compat; [|apply paid_nonneg; auto].
        apply done_call in Hi. unfold S. rewrite kind_call by auto. simpl.
        apply Qlt_le_weak, positive, nth_In; auto. }
      apply Qle_trans with (sum (fun b => sum f (Told p blocks calls s m K b)) (seq 0 (length blocks))).
      + apply sum_le. intros b Hb. apply in_seq in Hb.
        destruct (nth_error blocks b) as [B|] eqn:EB; [|apply nth_error_None in EB; lia].
        destruct (known_after p blocks calls s m K b positive Hs) as (used & U1 & U2 & U3).
        assert (Wb : W b <= sum (toll p y) used).
        { apply (HW b B); auto.
          - intros a Ha. destruct (U1 a Ha) as (c & Hc & ->). apply Al; auto.
          - intros v w Hv Hw. apply U2. apply (C m b B); auto. }
        rewrite U3, Qmult_comm in *.
        assert (E : sum f (Told p blocks calls s m K b)
          == size_of blocks b * sum (fun i => toll p y (over (call_of calls i)))
            (Told p blocks calls s m K b)).
        { rewrite <- sum_scale. apply sum_eq. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi Ab].
          apply done_call in Hi. apply Nat.eqb_eq in Ab. unfold f, S. rewrite kind_call by auto. unfold toll.
          rewrite (paid_uses y (called p blocks (call_of calls i))
            (transfer p (Message 0) 1 (over (call_of calls i))))
            by reflexivity.
          simpl. rewrite Ab. ring. }
        rewrite E, Qmult_comm. specialize (size_pos b (proj2 Hb)). apply Qmult_le_l; auto.
      + unfold Told. erewrite sum_eq; [|intros b _; apply sum_filter]. rewrite sum_swap.
        apply sum_le. intros i Hi.
        apply (sum_at_most_one _ (fun b => (about (call_of calls i) =? b)%nat) (about (call_of calls i)));
          auto using seq_NoDup. intros b Hb. apply Nat.eqb_eq in Hb. auto. }
  assert (E : total y / value * K == K * total y / value) by (field; lra).
  rewrite E. apply Qle_shift_div_l; auto.
Qed.
