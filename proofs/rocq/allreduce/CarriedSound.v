(** If the checker accepts, the reduction over switches has that throughput, or ends at that time. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound Checker ScheduleSound BoundSound
  RunChecker RunSound.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known AllReduce Schemes SchemesSound
  ReducesChecker ReducesSound Allgather AllgatherChecker AllgatherSound Carried Legs CarriedBound CarriedChecker
  Tours.
Import ListNotations.
Open Scope Z_scope.

(** ** Paths *)
Lemma end_of_last l a : end_of (l ++ [a]) = head a.
Proof.
  induction l as [|b l IH]; auto. simpl. destruct (l ++ [a]) eqn:E; [destruct l; discriminate|exact IH].
Qed.
Lemma inner_last l a : inner (l ++ [a]) = map head l.
Proof.
  induction l as [|b l IH]; auto. simpl. destruct (l ++ [a]) eqn:E; [destruct l; discriminate|].
  simpl in *. rewrite <- IH. reflexivity.
Qed.
Lemma path_way arcs members l : l <> [] -> is_path arcs members l -> is_way arcs members l.
Proof.
  intros N (I & Lk & _ & St & En). split; auto. split; auto. split; auto.
  destruct (exists_last N) as (l' & a & ->). destruct (En a l' eq_refl) as [E1 E2].
  rewrite end_of_last, inner_last. split; [|split; auto].
  - destruct (l' ++ [a]) as [|x l''] eqn:E; [congruence|]. apply (St x l'' eq_refl).
  - intros v Hv. apply in_map_iff in Hv. destruct Hv as (b & <- & Hb). auto.
Qed.

(** ** How far members are from each other *)
Section Links.
Variable p : ports.
Variable members : list node.
Variable arcs : list arc.
Variable y : price_list.
Variable unit : positive.
Hypothesis ok : prices_ok y = true.
Hypothesis costs : forall a, In a arcs -> (0 < cost a)%Q.
Let D := inject_Z (Z.pos unit).

Lemma near_walk u row : In u members ->
  forallb (arc_near unit (node_map members) u row) (tolls p (maps_of y) arcs) = true ->
  forall l x, l <> [] -> incl l arcs -> linked l -> (forall v, In v (inner l) -> ~ In v members) ->
  (x = 0 /\ start_of l = u \/ x = value (node_code (start_of l)) row /\ ~ In (start_of l) members) ->
  (inject_Z (value (node_code (end_of l)) row - x) <= D * way_toll p (in_Q y) l)%Q.
Proof.
  intros Hu F. rewrite forallb_forall in F.
  assert (Step : forall a x, In a arcs ->
    (x = 0 /\ tail a = u \/ x = value (node_code (tail a)) row /\ ~ In (tail a) members) ->
    (inject_Z (value (node_code (head a)) row - x) <= D * toll p (in_Q y) a)%Q).
  { intros a x Ha Hx. specialize (F (a, Qnum (cost a) * rate (maps_of y) (arc_uses p a))).
    assert (G : In (a, Qnum (cost a) * rate (maps_of y) (arc_uses p a)) (tolls p (maps_of y) arcs)).
    { unfold tolls. apply in_map_iff. exists a. auto. }
    specialize (F G). unfold arc_near in F.
    assert (F' : (value (node_code (head a)) row - x) * Z.pos (Qden (cost a))
      <= Qnum (cost a) * (Z.pos unit * rate (maps_of y) (arc_uses p a))).
    { destruct Hx as [[-> Tu]|[-> Nm]].
      - rewrite Tu, Z.eqb_refl in F. apply Z.leb_le in F. lia.
      - destruct (Z.eqb_spec (tail a) u) as [Eu|Nu]; [exfalso; apply Nm; rewrite Eu; auto|].
        rewrite node_map_spec in F. destruct (is_in (tail a) members) eqn:I; [apply is_in_spec in I; contradiction|].
        apply Z.leb_le in F. lia. }
    apply scaled_le in F'. eapply Qle_trans; [exact F'|]. rewrite inject_Z_mult. fold D.
    assert (R : (cost a * inject_Z (rate (maps_of y) (arc_uses p a)) <= toll p (in_Q y) a)%Q).
    { unfold toll. apply Qmult_le_l; auto.
      change (arc_uses p a) with (uses (transfer p (Message 0) 1 a)). apply rate_paid; auto. }
    assert (Pd : (0 <= D)%Q) by (unfold D; rewrite <- inject_0, inject_le; lia).
    assert (E : (cost a * (D * inject_Z (rate (maps_of y) (arc_uses p a)))
      == D * (cost a * inject_Z (rate (maps_of y) (arc_uses p a))))%Q) by ring.
    rewrite E, !(Qmult_comm D). apply Qmult_le_compat_r; auto. }
  induction l as [|a l IH]; intros x N I Lk Nn Hx; [congruence|].
  assert (Ha : In a arcs) by (apply I; left; auto). destruct l as [|b l].
  - unfold way_toll. cbn [sum end_of]. rewrite Qplus_0_r. apply Step; auto.
  - change (end_of (a :: b :: l)) with (end_of (b :: l)). destruct Lk as [Eh Lk].
    assert (Nh : ~ In (head a) members) by (apply Nn; left; auto).
    specialize (IH (value (node_code (head a)) row)).
    assert (G := Step a x Ha Hx).
    assert (G' : (inject_Z (value (node_code (end_of (b :: l))) row - value (node_code (head a)) row)
      <= D * way_toll p (in_Q y) (b :: l))%Q).
    { apply IH; auto; [discriminate| | |].
      - intros z Hz. apply I. right. auto.
      - intros v Hv. apply Nn. right. auto.
      - right. cbn [start_of]. rewrite <- Eh. auto. }
    unfold way_toll in *. cbn [sum] in *. unfold Z.sub in *. rewrite inject_Z_plus, inject_Z_opp in *. lra.
Qed.

Definition near (a : arc) (z : Z) : Prop := exists u v, a = Arc u v (1 # unit) /\ 0 <= z /\
  forall l, is_way arcs members l -> start_of l = u -> end_of l = v ->
    (inject_Z z <= D * way_toll p (in_Q y) l)%Q.
Lemma links_spec starts : incl starts members -> forall rows links,
  links_of unit members (node_map members) (tolls p (maps_of y) arcs) starts rows = Some links ->
  (forall a z, In (a, z) links -> near a z) /\
  forall u v, In u starts -> In v members -> exists z, In (Arc u v (1 # unit), z) links.
Proof.
  induction starts as [|u starts IH]; intros Inc rows links E; destruct rows as [|r rows]; try discriminate.
  - injection E as <-. split; [intros ? ? []|intros ? ? []].
  - cbn [links_of] in E. destruct (_ && _) eqn:F; [|discriminate]. apply andb_true_iff in F.
    destruct F as [F1 F2]. rewrite forallb_forall in F1.
    destruct (links_of _ _ _ _ starts rows) as [links'|] eqn:E'; [|discriminate]. injection E as <-.
    assert (Hu : In u members) by (apply Inc; left; auto).
    destruct (IH (fun x Hx => Inc x (or_intror Hx)) rows links' E') as [I1 I2]. split.
    + intros a z H. apply in_app_iff in H. destruct H as [H|H]; auto. apply in_map_iff in H.
      destruct H as (v & [= <- <-] & Hv). exists u, v. split; auto. split; [apply Z.leb_le; auto|].
      intros l (N & I & Lk & _ & _ & Nn) Su Ev.
      assert (W := near_walk u (row_map r) Hu F2 l 0 N I Lk Nn (or_introl (conj eq_refl Su))).
      rewrite Ev, Z.sub_0_r in W. exact W.
    + intros u' v [<-|H] Hv.
      * exists (value (node_code v) (row_map r)). apply in_or_app. left. apply in_map_iff. exists v. auto.
      * destruct (I2 u' v H Hv) as [z Hz]. exists z. apply in_or_app. auto.
Qed.

Section Priced.
Variable links : list (arc * Z).
Hypothesis all_near : forall a z, In (a, z) links -> near a z.
Definition same_ends (a : arc) (az : arc * Z) : bool := (tail (fst az) =? tail a) && (head (fst az) =? head a).
Definition link_price (a : arc) : Q :=
  match List.find (same_ends a) links with Some (_, z) => inject_Z z / D | None => 0%Q end.
Lemma D_positive : (0 < D)%Q.
Proof. unfold D. rewrite <- inject_0, <- Zlt_Qlt. lia. Qed.
Lemma found_link a : In a (map fst links) -> exists z, In (a, z) links /\ link_price a = (inject_Z z / D)%Q.
Proof.
  intros H. apply in_map_iff in H. destruct H as ([a0 z0] & E0 & H0). simpl in E0. subst a0. unfold link_price.
  destruct (List.find (same_ends a) links) as [[a' z]|] eqn:E.
  - apply find_some in E. destruct E as [I E]. unfold same_ends in E. simpl in E. apply andb_true_iff in E.
    rewrite !Z.eqb_eq in E. destruct E as [E1 E2].
    destruct (all_near _ _ H0) as (u & v & -> & _). destruct (all_near _ _ I) as (u' & v' & -> & _).
    simpl in E1, E2. subst. exists z. auto.
  - exfalso. apply (List.find_none _ _ E) in H0. unfold same_ends in H0. simpl in H0. rewrite !Z.eqb_refl in H0.
    discriminate.
Qed.
Lemma link_numbered a : In a (map fst links) -> exists z, In (a, z) links /\ (0 <= link_price a)%Q /\
  forall w, w * Z.pos (Qden (cost a)) <= z -> (inject_Z w <= link_price a)%Q.
Proof.
  intros H. destruct (found_link a H) as (z & Hz & ->). exists z. split; auto.
  destruct (all_near _ _ Hz) as (u & v & -> & Pz & _). pose proof D_positive as P. split.
  - apply Qle_shift_div_l; auto. rewrite Qmult_0_l, <- inject_0, inject_le. auto.
  - simpl. intros w Hw. apply Qle_shift_div_l; auto. unfold D. rewrite <- inject_Z_mult, inject_le. exact Hw.
Qed.
Lemma link_cheaper l : is_way arcs members l -> In (Arc (start_of l) (end_of l) (1 # unit)) (map fst links) ->
  (link_price (Arc (start_of l) (end_of l) (1 # unit)) <= way_toll p (in_Q y) l)%Q.
Proof.
  intros W H. destruct (found_link _ H) as (z & Hz & ->). destruct (all_near _ _ Hz) as (u & v & E & _ & F).
  injection E as <- <-. apply Qle_shift_div_r; [apply D_positive|]. rewrite Qmult_comm. apply F; auto.
Qed.
End Priced.
End Links.

Theorem check_carried_worth_sound p members arcs blocks y unit rows l U :
  check_carried_worth p members arcs blocks y unit rows l = Some U ->
  collects_never_more p members arcs blocks U.
Proof.
  unfold check_carried_worth. destruct (_ && _) eqn:E; [|discriminate].
  rewrite andb_true_iff, forallb_forall in E. destruct E as [E1 E2].
  destruct (links_of _ _ _ _ _ _) as [links|] eqn:EL; [|discriminate].
  destruct (total_worth _ _ _ _ _ _) as [V|] eqn:TW; [|discriminate].
  destruct (0 <? Qnum V) eqn:P; [|discriminate]. intros H. injection H as <-. apply Z.ltb_lt, Qpos in P.
  assert (costs : forall a, In a arcs -> (0 < cost a)%Q) by (intros a Ha; apply Qpos, Z.ltb_lt; auto).
  destruct (links_spec p members arcs y unit E1 costs members (incl_refl _) rows links EL) as [L1 L2].
  apply (total_worth_spec members (map fst links) (link_price unit links) links
    (link_numbered p members arcs y unit links L1)) in TW.
  destruct TW as (S1 & W & W1 & W2).
  rewrite Qplus_0_l in W2. rewrite W2 in P.
  assert (Eq : (total (in_Q y) / sum (fun b => size_of blocks b * W b) (seq 0 (length blocks))
    == inject_Z (sum_of_prices y) / V)%Q) by (rewrite total_sum, W2; reflexivity).
  assert (G : collects_never_more p members arcs blocks
    (total (in_Q y) / sum (fun b => size_of blocks b * W b) (seq 0 (length blocks)))%Q).
  { apply collects_bound; auto; [apply prices_nonneg; auto|].
    intros b B used EB Hu Kn. set (as_link := fun l => Arc (start_of l) (end_of l) (1 # unit)).
    assert (In_links : forall l, In l used -> In (as_link l) (map fst links)).
    { intros w Hw. destruct (Hu w Hw) as (_ & _ & _ & St & En & _).
      destruct (L2 _ _ St En) as [z Hz]. apply in_map_iff. exists (as_link w, z). auto. }
    apply Qle_trans with (sum (link_price unit links) (map as_link used)).
    - apply (worth_bound arc_call members (map fst links) (link_price unit links) B); auto.
      + intros a Ha. apply in_map_iff in Ha. destruct Ha as (w & <- & Hw). auto.
      + intros v w Hv Hw. rewrite map_map. apply (Kn v w Hv Hw).
    - rewrite sum_map. apply sum_le. intros w Hw.
      apply (link_cheaper p members arcs y unit links L1); auto. apply (In_links w Hw). }
  intros trips s M K Al HK V' Co. rewrite <- Eq. eapply G; eauto.
Qed.

(** ** Schedules *)
Lemma with_ways_spec entries : forall ways leds, with_ways entries ways = Some leds ->
  map fst leds = entries /\ forall b a k l, In (b, a, k, l) leds ->
    In l ways /\ tail a = start_of l /\ head a = end_of l /\ (cost a == 1)%Q.
Proof.
  induction entries as [|[[b a] k] entries IH]; intros ways leds E; destruct ways as [|l ways]; try discriminate.
  - injection E as <-. split; auto. intros ? ? ? ? [].
  - cbn [with_ways] in E. destruct (_ && _) eqn:C; [|discriminate].
    destruct (with_ways entries ways) as [r|] eqn:R; [|discriminate]. injection E as <-.
    rewrite !andb_true_iff, !Z.eqb_eq in C. destruct C as [[C1 C2] C3]. apply Qeq_bool_eq in C3.
    destruct (IH _ _ R) as [I1 I2]. split; [simpl; congruence|].
    intros b' a' k' l' [[= <- <- <- <-]|H].
    + split; [left; auto|]. auto.
    + destruct (I2 _ _ _ _ H) as (J & J'). split; [right; auto|auto].
Qed.
Lemma pick_ways_in table l : forall r, pick_ways (array table) l = Some r -> incl r table.
Proof.
  induction l as [|i l IH]; simpl; intros r E; [injection E as <-; intros a []|].
  destruct (find i (array table)) as [w|] eqn:F; [|discriminate].
  destruct (pick_ways (array table) l) as [r'|]; [|discriminate]. injection E as <-.
  intros x [<-|Hx]; [apply array_find, nth_error_In in F; auto|apply (IH r'); auto].
Qed.

Lemma along_ways_spec p members arcs blocks paths forms sys :
  along_ways p members arcs blocks paths forms = Some sys -> (forall j, In j (tasks sys) -> (0 < lasts j)%Q) ->
  (forall T C, reached sys T C -> collects p members arcs blocks T C) /\
  (forall M K, done_by sys M K -> collected_by p members arcs blocks M K).
Proof.
  unfold along_ways. destruct (routes _ _) as [table|] eqn:ER; [|discriminate].
  destruct (forallb _ table) eqn:EF; [|discriminate]. rewrite forallb_forall in EF.
  destruct (scheme _ _ _ _ _) as [entries|] eqn:ES; [|discriminate].
  destruct (pick_ways _ _) as [ways|] eqn:EP; [|discriminate].
  destruct (with_ways entries ways) as [leds|] eqn:EW; [|discriminate].
  intros H pos. injection H as <-. apply pick_ways_in in EP. apply with_ways_spec in EW.
  destruct EW as [EW1 EW2]. set (out := map tell entries).
  assert (Fine := scheme_fine p members (map link_of table) blocks entries forms ES).
  assert (Out : forall b a k l, In (b, a, k, l) leds -> In (Telling (place_of b) a, k) out).
  { intros b a k l H. unfold out. apply in_map_iff. exists (b, a, k). split; auto. rewrite <- EW1.
    apply in_map_iff. exists (b, a, k, l). auto. }
  assert (is_ways : forall l, In l ways -> is_way arcs members l).
  { intros l Hl. apply EP in Hl. apply path_way.
    - intros ->. specialize (EF [] Hl). discriminate.
    - apply route_ok_spec; auto. eapply routes_incl; eauto. }
  assert (Hyp : forall b a k l, In (b, a, k, l) leds -> is_way arcs members l /\
    tail a = start_of l /\ head a = end_of l /\ (place_of b < length blocks)%nat /\
    (lasts k == size_of blocks (place_of b))%Q /\ place (makes k) = head a /\
    forall c h v, makes k <> halt c (S h) v).
  { intros b a k l H. destruct (EW2 _ _ _ _ H) as (Hl & T & He & Co). split; auto. split; auto. split; auto.
    assert (O := Out _ _ _ _ H). apply In_nth_error in O. destruct O as [i Hi].
    destruct (Fine i _ Hi) as (_ & Lb & _ & Ls & Pm & Mk). split; auto. split; [|split; auto].
    - rewrite Ls. simpl. rewrite Co. ring.
    - intros c h v E. destruct Mk as [Mk|[Mk _]]; rewrite E in Mk; unfold halt, arrival, whole in Mk;
        [discriminate|]. injection Mk as _ Mk _. lia. }
  assert (silent : forall c h v b w, ~ promise members out (halt c (S h) v) b w).
  { intros c h v b w (E & E' & _). lia. }
  assert (kept : forall b a k l o w, In (b, a, k, l) leds -> promise members out (makes k) o w ->
    w = head a \/
    o = place_of b /\ (w = tail a \/
      exists x, In x (needs k) /\ place x = tail a /\ promise members out x o w) \/
    exists x, In x (needs k) /\ place x = head a /\ promise members out x o w).
  { intros b a k l o w H Pr.
    apply (fine_kept p members (map link_of table) blocks entries Fine (Telling (place_of b) a) k o w); eauto. }
  assert (Al : permitted arcs members blocks (trips_of leds)).
  { intros t Ht. apply in_map_iff in Ht. destruct Ht as ([[[b a] k] l] & <- & H).
    destruct (Hyp _ _ _ _ H) as (? & _ & _ & ? & _). auto. }
  assert (All : forall s M t, valid (System (tours p 0 leds) [] (wants_from 1 blocks)) s ->
    completes (System (tours p 0 leds) [] (wants_from 1 blocks)) s M t ->
    valid (carriers p blocks (trips_of leds)) s /\ collected p members blocks (trips_of leds) s M t).
  { intros s M t V Co. split.
    - apply (carried_valid p members arcs blocks leds (wants_from 1 blocks) Hyp s V).
    - intros m b B v w Hm HB Hv Hw.
      destruct (wants_promised members blocks entries b B v w HB Hv Hw) as (x & Hx & <- & Px).
      apply (has_learns p members arcs blocks leds (wants_from 1 blocks) (promise members out) Hyp pos silent
        kept s V); auto. }
  split.
  - intros T C [PT R]. split; auto. intros M. destruct (R M) as (s & V & Co). exists (trips_of leds), s.
    split; auto.
  - intros M K (s & V & Co). exists (trips_of leds), s. split; auto.
Qed.

Theorem check_carried_schedule_sound p members arcs blocks paths forms s T C :
  check_carried_schedule p members arcs blocks paths forms s = Some (T, C) ->
  collects p members arcs blocks T C.
Proof.
  unfold check_carried_schedule. destruct (along_ways _ _ _ _ _ _) as [sys|] eqn:E; [|discriminate]. intros H.
  apply (along_ways_spec _ _ _ _ _ _ _ E); [apply (check_schedule_lasts _ _ _ H)|].
  apply (schedule_sound _ s). auto.
Qed.

Theorem check_carried_run_sound p members arcs blocks paths forms M r y unit rows l K L :
  check_carried_run p members arcs blocks paths forms M r y unit rows l = Some (K, L) ->
  collected_by p members arcs blocks (Pos.to_nat M) K /\ collecting_takes p members arcs blocks (Pos.to_nat M) L.
Proof.
  unfold check_carried_run. destruct (along_ways _ _ _ _ _ _) as [sys|] eqn:E; [|discriminate].
  destruct (check_carried_worth _ _ _ _ _ _ _ _) as [U|] eqn:B; [|discriminate].
  destruct (check_system_run _ _ _) as [K'|] eqn:R; [|discriminate].
  destruct (_ && _) eqn:P; [|discriminate]. apply andb_true_iff in P. destruct P as [P1 P2].
  apply Z.ltb_lt, Qpos in P1. rewrite forallb_forall in P2. intros H. injection H as <- <-. split.
  - apply (along_ways_spec _ _ _ _ _ _ _ E).
    + intros j Hj. apply Qpos, Z.ltb_lt. auto.
    + eapply system_run_sound; eauto.
  - intros trips s t Al Ht V Co. unfold least_time.
    assert (C : (inject_Z (Z.pos M) = count (Pos.to_nat M))%Q)
      by (unfold count; rewrite positive_nat_Z; auto).
    rewrite C. apply Qle_shift_div_r; auto. rewrite Qmult_comm.
    apply (check_carried_worth_sound _ _ _ _ _ _ _ _ _ B trips s); auto.
Qed.

(** Both sides, with one rate. *)
Theorem check_carried_sound p members arcs blocks paths forms s y unit rows l T C :
  check_carried_schedule p members arcs blocks paths forms s = Some (T, C) ->
  check_carried_worth p members arcs blocks y unit rows l = Some T ->
  collects_never_more p members arcs blocks T /\ collects p members arcs blocks T C.
Proof.
  intros R B. split; [eapply check_carried_worth_sound; eauto|eapply check_carried_schedule_sound; eauto].
Qed.
