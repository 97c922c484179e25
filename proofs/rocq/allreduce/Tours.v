(** Calls that wait for what they are to tell, along paths: every valid schedule of their tasks is a schedule
    of calls, and what their states promise is known. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound Checker ScheduleSound.
From Exactsched.allreduce Require Import OrderFree Allgather Schemes Carried Legs CarriedBound CarriedChecker.
Import ListNotations.
Open Scope Q_scope.

Definition trip_of_led (e : led) : trip := let '(b, _, _, l) := e in Trip (place_of b) l.
Definition trips_of (l : list led) : list trip := map trip_of_led l.

(** ** The numbers of tasks *)
Definition tour_leg (p : ports) (c h : nat) (e : led) (a : arc) : task :=
  let '(_, _, k, l) := e in
  Task (arc_uses p a) (lasts k * cost a)
    (match h with 0%nat => needed_at (start_of l) k | Datatypes.S _ => [halt c h (tail a)] end
     ++ if (Datatypes.S h =? length l)%nat then needed_at (end_of l) k else [])
    (if (Datatypes.S h =? length l)%nat then makes k else halt c (Datatypes.S h) (head a)).

Lemma tour_nth p d c first last x l : forall h0 h,
  nth_error (tour p d c h0 first last x l) h = option_map (fun a =>
    Task (arc_uses p a) (d * cost a)
    (match (h0 + h)%nat with 0%nat => first | Datatypes.S _ => [halt c (h0 + h) (tail a)] end
     ++ if (Datatypes.S h =? length l)%nat then last else [])
    (if (Datatypes.S h =? length l)%nat then x else halt c (Datatypes.S (h0 + h)) (head a))) (nth_error l h).
Proof.
  induction l as [|a l IH]; intros h0 h; [destruct h; auto|]. destruct h as [|h].
  - cbn [tour nth_error option_map]. rewrite Nat.add_0_r. destruct l; reflexivity.
  - cbn [tour nth_error]. rewrite IH. replace (Datatypes.S h0 + h)%nat with (h0 + Datatypes.S h)%nat by lia.
    reflexivity.
Qed.
Lemma tour_length p d c first last x l : forall h, length (tour p d c h first last x l) = length l.
Proof. induction l as [|a l IH]; intros h; simpl; auto. Qed.
Lemma tour_of_nth p c e h : nth_error (tour_of p c e) h =
  option_map (tour_leg p c h e) (nth_error (way (trip_of_led e)) h).
Proof. destruct e as [[[b a] k] l]. unfold tour_of. rewrite tour_nth. reflexivity. Qed.
Lemma tour_of_length p c e : length (tour_of p c e) = length (way (trip_of_led e)).
Proof. destruct e as [[[b a] k] l]. unfold tour_of. rewrite tour_length. reflexivity. Qed.

Lemma tour_find p leds : forall c0 c e h a, nth_error leds c = Some e ->
  nth_error (way (trip_of_led e)) h = Some a ->
  nth_error (tours p c0 leds) (offset (lengths_of (trips_of leds)) c + h) = Some (tour_leg p (c0 + c) h e a).
Proof.
  induction leds as [|e' leds IH]; intros c0 [|c] e h a Hc Ha; try discriminate; cbn [nth_error] in Hc;
    cbn [tours trips_of map lengths_of offset].
  - injection Hc as ->. rewrite nth_error_app1.
    + rewrite tour_of_nth. simpl. rewrite Ha. simpl. rewrite Nat.add_0_r. auto.
    + rewrite tour_of_length. apply nth_error_Some. simpl. congruence.
  - rewrite nth_error_app2 by (rewrite tour_of_length; unfold lengths_of; lia). rewrite tour_of_length.
    replace (length (way (trip_of_led e')) + offset (map (fun k => length (way k)) (map trip_of_led leds)) c + h
      - length (way (trip_of_led e')))%nat
      with (offset (lengths_of (trips_of leds)) c + h)%nat by (unfold lengths_of, trips_of; lia).
    rewrite (IH (Datatypes.S c0) c e h a) by auto. f_equal. f_equal. lia.
Qed.
Lemma tour_task p leds : forall c0 i j, nth_error (tours p c0 leds) i = Some j ->
  exists c e h a, nth_error leds c = Some e /\ nth_error (way (trip_of_led e)) h = Some a /\
    i = (offset (lengths_of (trips_of leds)) c + h)%nat /\ j = tour_leg p (c0 + c) h e a.
Proof.
  induction leds as [|e leds IH]; intros c0 i j H; [destruct i; discriminate|]. cbn [tours] in H.
  destruct (Nat.lt_ge_cases i (length (way (trip_of_led e)))) as [L|L].
  - rewrite nth_error_app1, tour_of_nth in H by (rewrite tour_of_length; auto).
    destruct (nth_error (way (trip_of_led e)) i) as [a|] eqn:E; [|discriminate]. injection H as <-.
    exists 0%nat, e, i, a. simpl. rewrite Nat.add_0_r. auto.
  - rewrite nth_error_app2, tour_of_length in H by (rewrite tour_of_length; auto).
    destruct (IH (Datatypes.S c0) _ _ H) as (c & e' & h & a & E1 & E2 & E3 & E4).
    exists (Datatypes.S c), e', h, a. split; auto. split; auto. split.
    + cbn [trips_of map lengths_of offset]. unfold lengths_of, trips_of in E3. cbn [map offset]. lia.
    + rewrite E4. f_equal. lia.
Qed.

(** ** Promises *)
Section Kept.
Variable p : ports.
Variable members : list node.
Variable arcs : list arc.
Variable blocks : list block.
Variable leds : list led.
Variable wants : list state.
Variable promise : state -> nat -> node -> Prop.
Let trips := trips_of leds.
Let S1 := System (tours p 0 leds) [] wants.
Let S2 := carriers p blocks trips.
Hypothesis ways : forall b a k l, In (b, a, k, l) leds -> is_way arcs members l /\
  tail a = start_of l /\ head a = end_of l /\ (place_of b < length blocks)%nat /\
  lasts k == size_of blocks (place_of b) /\ place (makes k) = head a /\
  forall c h v, makes k <> halt c (Datatypes.S h) v.
Hypothesis positive : forall j, In j (tasks S1) -> 0 < lasts j.
Hypothesis silent : forall c h v b w, ~ promise (halt c (Datatypes.S h) v) b w.
Hypothesis kept : forall b a k l o w, In (b, a, k, l) leds -> promise (makes k) o w ->
  w = head a \/
  o = place_of b /\ (w = tail a \/ exists x, In x (needs k) /\ place x = tail a /\ promise x o w) \/
  exists x, In x (needs k) /\ place x = head a /\ promise x o w.
Variable s : schedule.
Hypothesis Hs : valid S1 s.
Let off c := offset (lengths_of trips) c.

Lemma led_trip c e : nth_error leds c = Some e -> nth_error trips c = Some (trip_of_led e).
Proof. intros H. unfold trips, trips_of. rewrite nth_error_map, H. auto. Qed.
Lemma both i j : nth_error (tasks S1) i = Some j ->
  exists c b a k l h x, nth_error leds c = Some (b, a, k, l) /\ In (b, a, k, l) leds /\
    nth_error l h = Some x /\ i = (off c + h)%nat /\ j = tour_leg p c h (b, a, k, l) x /\
    nth_error (tasks S2) i = Some (leg p (size_of blocks (place_of b)) c h x).
Proof.
  intros H. destruct (tour_task p leds 0 i j H) as (c & e & h & x & E1 & E2 & E3 & E4).
  destruct e as [[[b a] k] l]. exists c, b, a, k, l, h, x. simpl in E2, E4.
  split; auto. split; [eapply nth_error_In; eauto|]. split; auto. split; auto. split; auto.
  rewrite E3. apply (journey_find p blocks trips 0 c _ h x (led_trip _ _ E1) E2).
Qed.
Lemma first_of i j : nth_error (tasks S2) i = Some j -> exists j', nth_error (tasks S1) i = Some j'.
Proof.
  intros H. destruct (journey_task p blocks trips 0 i j H) as (c & k & h & a & E1 & E2 & E3 & _).
  unfold trips, trips_of in E1. rewrite nth_error_map in E1.
  destruct (nth_error leds c) as [e|] eqn:E; [|discriminate]. injection E1 as <-.
  exists (tour_leg p c h e a). rewrite E3. apply (tour_find p leds 0 c e h a E E2).
Qed.
Lemma same_time b a k l c h x : In (b, a, k, l) leds ->
  lasts (tour_leg p c h (b, a, k, l) x) == lasts (leg p (size_of blocks (place_of b)) c h x).
Proof. intros H. destruct (ways _ _ _ _ H) as (_ & _ & _ & _ & E & _). simpl. rewrite E. reflexivity. Qed.
Lemma positive2 j : In j (tasks S2) -> 0 < lasts j.
Proof.
  intros H. apply In_nth_error in H. destruct H as [i H]. destruct (first_of i j H) as (j' & Hj').
  destruct (both i j' Hj') as (c & b & a & k & l & h & x & _ & I & _ & _ & E & F).
  rewrite H in F. injection F as ->. rewrite <- (same_time b a k l c h x I), <- E. apply positive.
  eapply nth_error_In; eauto.
Qed.

Lemma halt_carried m t c h v : has S1 s m t (halt c (Datatypes.S h) v) -> has S2 s m t (halt c (Datatypes.S h) v).
Proof.
  intros [[]|(i & j & Hi & Mj & W)]. right.
  destruct (both i j Hi) as (c' & b & a & k & l & h' & x & _ & I & _ & _ & E & F).
  exists i, (leg p (size_of blocks (place_of b)) c' h' x). split; auto. split.
  - rewrite E in Mj. cbn [tour_leg makes] in Mj. destruct (Nat.eqb_spec (Datatypes.S h') (length l)) as [El|El]; [|exact Mj].
    exfalso. destruct (ways _ _ _ _ I) as (_ & _ & _ & _ & _ & _ & N). apply (N c h v). auto.
  - rewrite <- (same_time b a k l c' h' x I), <- E. auto.
Qed.

Lemma carried_valid : valid S2 s.
Proof.
  destruct Hs as [V F]. split.
  - intros q Hq. destruct (V q Hq) as (H & j & Hj & N). split; auto.
    destruct (both _ _ Hj) as (c & b & a & k & l & h & x & _ & I & _ & _ & E & G).
    eexists. split; [exact G|]. intros z Hz. destruct h as [|h]; simpl in Hz; [destruct Hz|].
    destruct Hz as [<-|[]]. apply halt_carried. apply N. rewrite E. simpl. auto.
  - assert (G : forall q q', compatible S1 q q' -> compatible S2 q q').
    { intros q q' C j k r Hj Hk Uj Uk.
      destruct (first_of _ _ Hj) as (j' & Hj'). destruct (first_of _ _ Hk) as (k' & Hk').
      destruct (both _ _ Hj') as (? & ? & ? & ? & ? & ? & ? & _ & _ & _ & _ & Ej & Gj).
      destruct (both _ _ Hk') as (? & ? & ? & ? & ? & ? & ? & _ & _ & _ & _ & Ek & Gk).
      rewrite Hj in Gj. injection Gj as ->. rewrite Hk in Gk. injection Gk as ->.
      apply (C _ _ r Hj' Hk'); [rewrite Ej|rewrite Ek]; auto. }
    clear - F G. induction F as [|q l H F IH]; constructor; auto. eapply Forall_impl; [|exact H]. auto.
Qed.

Lemma same_done m K i : In i (Done S1 s K m) <-> In i (Done S2 s K m).
Proof.
  unfold Done. rewrite !filter_In, !in_seq.
  assert (Key : forall j1 j2, nth_error (tasks S1) i = Some j1 -> nth_error (tasks S2) i = Some j2 ->
    doneb S1 s K m i = doneb S2 s K m i).
  { intros j1 j2 H1 H2. destruct (both i j1 H1) as (c & b & a & k & l & h & x & _ & I & _ & _ & E & F).
    unfold doneb, kind. rewrite (nth_error_nth _ _ _ H1), (nth_error_nth _ _ _ F), E.
    apply eq_true_iff_eq. rewrite !Qle_bool_iff, (same_time b a k l c h x I). tauto. }
  split; intros [[L1 L2] D].
  - destruct (nth_error (tasks S1) i) as [j|] eqn:E; [|apply nth_error_None in E; lia].
    destruct (both i j E) as (c & b & a & k & l & h & x & _ & _ & _ & _ & _ & F).
    rewrite <- (Key _ _ eq_refl F). split; auto. split; auto. apply nth_error_Some. congruence.
  - destruct (nth_error (tasks S2) i) as [j|] eqn:E; [|apply nth_error_None in E; lia].
    destruct (first_of i j E) as (j' & E'). rewrite (Key _ _ E' eq_refl). split; auto. split; auto.
    apply nth_error_Some. congruence.
Qed.

Lemma way_not_empty k : In k trips -> way k <> [].
Proof.
  intros H. apply in_map_iff in H. destruct H as ([[[b a] k'] l] & <- & H).
  destruct (ways _ _ _ _ H) as [(N & _) _]. exact N.
Qed.

Lemma came m K i : In i (Done S1 s K m) -> forall c b a k l, nth_error leds c = Some (b, a, k, l) ->
  i = (off c + (length l - 1))%nat -> forall o w, promise (makes k) o w ->
  forall t, lasts (kind S1 i) <= work s i m t -> learns p blocks trips s m o w t (place (makes k)).
Proof.
  revert i. apply (finite_induction (Done S1 s K m) (first s m) (fun i =>
    forall c b a k l, nth_error leds c = Some (b, a, k, l) ->
    i = (off c + (length l - 1))%nat -> forall o w, promise (makes k) o w ->
    forall t, lasts (kind S1 i) <= work s i m t -> learns p blocks trips s m o w t (place (makes k)))).
  intros i Hi IH c b a k l Hc Ei o w Pr t Ht.
  assert (I : In (b, a, k, l) leds) by (eapply nth_error_In; eauto).
  destruct (ways _ _ _ _ I) as (Wl & Ta & Ha & Lb & Lk & Pk & _).
  assert (Lpos : (0 < length l)%nat) by (destruct Wl as (N & _); destruct l; simpl; [congruence|lia]).
  destruct (last_arc l) as (z & Ez & Hz); [apply Wl|].
  pose proof (tour_find p leds 0 c _ _ z Hc Ez) as Fi. simpl in Fi. fold trips in Fi. fold (off c) in Fi.
  rewrite <- Ei in Fi. pose proof (both i _ Fi) as Gi.
  destruct (nth_error l 0) as [y|] eqn:Ey; [|apply nth_error_None in Ey; lia].
  pose proof (tour_find p leds 0 c _ 0%nat y Hc Ey) as F0. simpl in F0. fold trips in F0. fold (off c) in F0.
  rewrite Nat.add_0_r in F0.
  assert (Ki : kind S1 i = tour_leg p c (length l - 1) (b, a, k, l) z) by (unfold kind; apply nth_error_nth; auto).
  assert (K0 : kind S1 (off c) = tour_leg p c 0 (b, a, k, l) y) by (unfold kind; apply nth_error_nth; auto).
  (* all arcs of the path are done, the first one first *)
  assert (Cc : come p blocks trips s m K c = true).
  { unfold come, trip_of. rewrite (nth_error_nth _ _ _ (led_trip _ _ Hc)). cbn [trip_of_led way].
    fold (off c). rewrite <- Ei. apply same_done, filter_In in Hi. apply Hi. }
  assert (All := come_all p blocks trips positive2 s carried_valid m K c _ (led_trip _ _ Hc) Cc).
  cbn [trip_of_led way] in All. fold (off c) in All.
  destruct (All (length l - 1)%nat) as [_ First]; [lia|]. rewrite <- Ei in First. unfold start_key in First.
  fold (off c) in First. destruct (All 0%nat Lpos) as [D0 _]. rewrite Nat.add_0_r in D0.
  apply same_done in D0. clear All.
  assert (Pos : forall j, In j (Done S1 s K m) -> 0 < lasts (kind S1 j)).
  { intros j Hj. apply filter_In in Hj. destruct Hj as [Hj _]. apply in_seq in Hj.
    apply positive, nth_In. lia. }
  assert (Fi' : first s m i < t) by (apply (work_started S1 s Hs); specialize (Pos i Hi); lra).
  (* what one of its tasks needs is known from its first piece on *)
  assert (N : forall i1 x u, In i1 (Done S1 s K m) -> first s m i1 <= first s m i -> In x (needs (kind S1 i1)) ->
    promise x o w -> first s m i1 <= u -> learns p blocks trips s m o w u (place x)).
  { intros i1 x u D1 F1 Hx Px Fu.
    assert (W1 : 0 < work s i1 m K).
    { pose proof (Pos i1 D1). apply filter_In in D1. destruct D1 as [_ D1]. apply Qle_bool_iff in D1. lra. }
    pose proof (work_started S1 s Hs i1 m K W1) as FK.
    destruct (least_in (filter (of_task i1 m) s)) as [q [Iq Eq]].
    { intros E. unfold work in W1. rewrite E in W1. simpl in W1. lra. }
    apply filter_In in Iq. destruct Iq as [Iq Oq]. fold (first s m i1) in Eq.
    unfold of_task in Oq. apply andb_prop in Oq. destruct Oq as [O1 O2]. apply Nat.eqb_eq in O1, O2.
    destruct Hs as [V _]. destruct (V q Iq) as (_ & k' & Hk' & Nk). rewrite O1 in Hk'.
    destruct (kind_some S1 _ _ Hk') as (Ek' & _). rewrite Ek' in Hx.
    destruct (Nk x Hx) as [[]|(j & kj & Hj & Mj & Wj)]. rewrite O2 in Wj.
    destruct (kind_some S1 _ _ Hj) as (Ej & Lj & Ij). pose proof (positive _ Ij) as Pj.
    assert (Fj : first s m j < start q) by (apply (work_started S1 s Hs); lra).
    destruct (both j kj Hj) as (c' & b' & a' & k2 & l' & h' & x' & Hc' & I' & Hx' & Eo & Et & _).
    destruct (Nat.eqb_spec (Datatypes.S h') (length l')) as [El|El].
    - assert (Mk : makes k2 = x).
      { rewrite <- Mj, Et. cbn [tour_leg makes]. destruct (Nat.eqb_spec (Datatypes.S h') (length l')); [auto|contradiction]. }
      rewrite <- Mk. apply (IH j) with (c := c') (b := b') (a := a') (l := l'); auto.
      + apply filter_In. split; [apply in_seq; lia|]. apply Qle_bool_iff. rewrite Ej.
        eapply Qle_trans; [exact Wj|]. apply (work_mono S1 s Hs). lra.
      + lra.
      + rewrite Eo. f_equal. lia.
      + congruence.
      + rewrite Ej. eapply Qle_trans; [exact Wj|]. apply (work_mono S1 s Hs). lra.
    - exfalso. rewrite Et in Mj. cbn [tour_leg makes] in Mj.
      destruct (Nat.eqb_spec (Datatypes.S h') (length l')); [contradiction|]. rewrite <- Mj in Px.
      apply (silent _ _ _ _ _ Px). }
  rewrite Pk, Ha. destruct (kept b a k l o w I Pr) as [->|[(-> & H)|(x & Hx & Px & Px')]].
  - rewrite Ha. constructor.
  - apply (heard p blocks trips s m (place_of b) w t c _ (led_trip _ _ Hc)); auto.
    + cbn [trip_of_led way]. right. destruct Gi as (c' & b' & a' & k' & l' & h' & x' & _ & I' & _ & _ & E' & G').
      exists i, (leg p (size_of blocks (place_of b)) c (length l - 1) z).
      assert (J := journey_find p blocks trips 0 c _ _ z (led_trip _ _ Hc) Ez). cbn [trip_of_led regards] in J.
      fold (off c) in J. rewrite <- Ei in J. split; [exact J|]. split.
      * unfold leg. cbn [makes]. rewrite Hz. f_equal. lia.
      * rewrite Ki, (same_time b a k l c _ z I) in Ht. exact Ht.
    + cbn [trip_of_led way]. intros q j u Iq Oq Hj Mj.
      destruct (journey_task p blocks trips 0 _ j Hj) as (c' & k' & h' & a' & E1 & E2 & E3 & E4).
      rewrite E4 in Mj. unfold leg in Mj. simpl in Mj. apply halt_inj in Mj. destruct Mj as (-> & Eh & _).
      assert (h' = 0)%nat by lia. subst h'. fold (off c) in E3. rewrite Nat.add_0_r in E3.
      destruct H as [->|(x & Hx & Px & Px')]; [rewrite Ta; constructor|].
      rewrite <- Ta, <- Px. apply (N (off c) x); auto.
      * rewrite K0. cbn [tour_leg needs]. apply in_or_app. left. apply filter_In. split; auto.
        rewrite Px, Ta. apply Z.eqb_refl.
      * apply least_le. apply filter_In. split; auto. unfold of_task. rewrite E3, Oq, !Nat.eqb_refl. auto.
  - rewrite <- Ha, <- Px. apply (N i x); auto; [lra| |lra].
    rewrite Ki. cbn [tour_leg needs]. apply in_or_app. right.
    replace (Datatypes.S (length l - 1)) with (length l) by lia. rewrite Nat.eqb_refl. apply filter_In.
    split; auto. rewrite Px, Ha. apply Z.eqb_refl.
Qed.

Lemma has_learns m t x o w : has S1 s m t x -> promise x o w -> learns p blocks trips s m o w t (place x).
Proof.
  intros [[]|(i & j & Hi & <- & W)] Pr. destruct (kind_some S1 _ _ Hi) as (Ek & Li & _).
  destruct (both i j Hi) as (c & b & a & k & l & h & x & Hc & I & Hx & Eo & Et & _).
  rewrite Et in Pr |- *. cbn [tour_leg makes] in Pr |- *.
  destruct (Nat.eqb_spec (Datatypes.S h) (length l)) as [El|El]; [|destruct (silent _ _ _ _ _ Pr)].
  apply (came m t i) with (c := c) (b := b) (a := a) (l := l); auto.
  - apply filter_In. split; [apply in_seq; lia|]. apply Qle_bool_iff. rewrite Ek. auto.
  - rewrite Eo. f_equal. lia.
  - rewrite Ek. auto.
Qed.
End Kept.
