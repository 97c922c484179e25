(** If the checker accepts the cuts of the shards, no allgather is faster, whatever switches copy; if it
    accepts sets with potentials, none is faster in which switches only forward; if it accepts the paths,
    switches that only forward are as fast. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound Checker ScheduleSound BoundSound
  RunChecker RunSound.
From Exactsched.allreduce Require Import Calls Gossip Prices Known Schemes Allgather Forwarding AllgatherBound
  SchemesSound AllgatherChecker AllgatherSound ReducesChecker ReducesSound ShardsChecker.
Import ListNotations.
Open Scope Q_scope.

(** ** Cuts of every shard *)

(** The states of a cut: the shard of v is at a node of Y. *)
Definition shard_in (v : node) (Y : list node) (x : state) : bool :=
  match what x with Message u => (u =? v)%Z && is_in (place x) Y | Values _ _ => false end.
Definition shard_cuts (row : node * Q * list (list node * Q)) : list ((state -> bool) * Q) :=
  let '(v, d, sets) := row in map (fun Yw => (shard_in v (fst Yw), d * snd Yw)) sets.

Lemma sum_flat_map {A B} (f : B -> Q) (g : A -> list B) l :
  sum f (flat_map g l) == sum (fun x => sum f (g x)) l.
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite sum_app, IH. reflexivity. Qed.

Theorem shards_bound p arcs members y (rows : list (node * Q * list (list node * Q))) :
  let shards := map fst rows in
  (forall a, In a arcs -> 0 < cost a) -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d) ->
  nonneg y ->
  (forall v d sets, In (v, d, sets) rows -> packing arc_call members arcs (toll p y) v goes_into sets) ->
  forall s M K, 0 <= K -> valid (allgather p arcs members shards) s ->
  completes (allgather p arcs members shards) s M K ->
  count M * sum (fun row => snd (fst row) * sum snd (snd row)) rows <= K * total y.
Proof.
  intros shards pos once sizes Hy pack s M K HK V C.
  assert (E : sum snd (flat_map shard_cuts rows) == sum (fun row => snd (fst row) * sum snd (snd row)) rows).
  { rewrite sum_flat_map. apply sum_eq. intros [[v d] sets] _. simpl. rewrite sum_map, <- sum_scale.
    reflexivity. }
  rewrite <- E. apply (Bound.cut_bound (allgather p arcs members shards) y (flat_map shard_cuts rows)) with (s := s);
    auto.
  - intros k Hk. apply allgather_task in Hk. destruct Hk as (v & d & a & Hv & Ha & ->). simpl.
    apply Qmult_lt_0_compat; eauto.
  - intros X w H. apply in_flat_map in H. destruct H as ([[v d] sets] & Hr & H).
    simpl in H. apply in_map_iff in H. destruct H as ([Y w'] & [= <- <-] & HY).
    destruct (pack v d sets Hr) as [P _]. destruct (P Y w' HY) as (Hw & Nv & u & Yu & Mu).
    assert (Hs : In (v, d) shards) by (apply in_map_iff; exists (v, d, sets); auto).
    split; [apply Qmult_le_0_compat; [apply Qlt_le_weak; eauto|auto]|]. split.
    + intros x Hx. simpl in Hx. unfold owned in Hx. apply in_map_iff in Hx.
      destruct Hx as ([u' d'] & <- & _). unfold shard_in. simpl.
      destruct (Z.eqb_spec u' v) as [->|]; auto. apply is_in_false. auto.
    + exists (At (Message v) u). split; [apply (wanted_all members shards v d u); auto|].
      unfold shard_in. simpl. rewrite Z.eqb_refl. apply is_in_spec. auto.
  - intros k Hk. apply allgather_task in Hk. destruct Hk as (v & d & a & Hv & Ha & ->).
    rewrite (lasts_paid p y d a) by auto.
    assert (Pd : 0 < d) by eauto. assert (Pt : 0 <= toll p y a) by (apply toll_nonneg; auto).
    unfold crossed. rewrite sum_flat_map.
    eapply Qle_trans; [|apply (one_owner shards v (d * toll p y a)); auto; apply Qmult_le_0_compat; lra].
    unfold shards. rewrite sum_map. apply sum_le. intros [[v' d'] sets] Hr. cbn [fst snd].
    assert (Hs : In (v', d') shards) by (apply in_map_iff; exists (v', d', sets); auto).
    simpl. rewrite sum_map. cbn [fst snd]. destruct (Z.eqb_spec v' v) as [->|N].
    + assert (d' = d).
      { clear - once Hs Hv. induction shards as [|[u e] l IH]; [destruct Hv|]. simpl in once.
        apply NoDup_cons_iff in once. destruct once as [Nu once].
        assert (F : forall x, In (v, x) l -> u <> v).
        { intros x Hx ->. apply Nu. apply in_map_iff. exists (v, x). auto. }
        destruct Hs as [[= -> ->]|Hs], Hv as [[= ->]|Hv]; auto; exfalso; eapply F; eauto. }
      subst d'. destruct (pack v d sets Hr) as [_ P]. specialize (P a Ha).
      apply Qle_trans with (d * sum (fun s => if goes_into (fst s) (arc_call a) then snd s else 0) sets).
      * rewrite <- sum_scale. apply sum_le. intros [Y w] _. cbn [fst snd].
        unfold enters, shard_in, goes_into, arc_call. simpl. rewrite Z.eqb_refl, orb_false_r. simpl.
        rewrite andb_comm. destruct (_ && _); lra.
      * rewrite !(Qmult_comm d). apply Qmult_le_compat_r; lra.
    + rewrite <- (sum_zero sets). apply sum_le. intros [Y w] _. unfold enters, shard_in. simpl.
      destruct (Z.eqb_spec v v') as [->|]; [congruence|]. simpl. lra.
Qed.

Lemma shards_worth_spec p arcs members y : prices_ok y = true -> (forall a, In a arcs -> 0 < cost a) ->
  forall shards l s W,
  shards_worth members (node_map members) (tolls p (maps_of y) arcs) shards l s = Some W ->
  exists rows : list (node * Q * list (list node * Q)), map fst rows = shards /\
    (forall v d sets, In (v, d, sets) rows -> 0 < d /\
      packing arc_call members arcs (toll p (in_Q y)) v goes_into sets) /\
    W == s + sum (fun row => snd (fst row) * sum snd (snd row)) rows.
Proof.
  intros ok costs. induction shards as [|[v d] shards IH]; intros l s W E; destruct l as [|e l];
    try discriminate.
  - injection E as <-. exists []. simpl. split; auto. split; [intros ? ? ? []|ring].
  - cbn [shards_worth] in E. destruct (_ && _) eqn:C; [|discriminate]. apply andb_true_iff in C.
    destruct C as [C1 C2]. apply IH in E. destruct E as (rows & E1 & E2 & E3).
    exists ((v, d, map (set_of members arcs e) (side_cuts e)) :: rows). split; [simpl; congruence|]. split.
    + intros v' d' sets [[= <- <- <-]|H]; auto. split; [apply Qpos, Z.ltb_lt; auto|].
      apply (ins_packing members arcs (toll p (in_Q y)) _ (toll_numbered p arcs y ok costs)); auto.
    + rewrite E3, (lowest_correct (s + d * inject_Z (side_weight e))). cbn [sum fst snd].
      rewrite (set_weights members arcs e). ring.
Qed.

Theorem check_shards_bound_sound p arcs members shards y l U :
  check_shards_bound p arcs members shards y l = Some U -> never_more (allgather p arcs members shards) U.
Proof.
  unfold check_shards_bound. destruct (_ && _) eqn:E; [|discriminate].
  rewrite !andb_true_iff, forallb_forall in E. destruct E as [[E1 E2] E3].
  destruct (shards_worth _ _ _ _ _ _) as [W|] eqn:SW; [|discriminate].
  destruct (0 <? Qnum W)%Z eqn:P; [|discriminate]. intros H. injection H as <-. apply Z.ltb_lt, Qpos in P.
  assert (costs : forall a, In a arcs -> 0 < cost a) by (intros a Ha; apply Qpos, Z.ltb_lt; auto).
  apply (shards_worth_spec p arcs members y E1 costs) in SW. destruct SW as (rows & <- & R2 & R3).
  apply distinct_spec in E3. destruct E3 as [once _].
  intros s M K HK V C.
  assert (G := shards_bound p arcs members (in_Q y) rows costs once).
  assert (sizes : forall v d, In (v, d) (map fst rows) -> 0 < d).
  { intros v d H. apply in_map_iff in H. destruct H as ([[v' d'] sets] & [= -> ->] & H). eapply R2; eauto. }
  specialize (G sizes (prices_nonneg y E1) (fun v d sets H => proj2 (R2 v d sets H)) s M K HK V C).
  rewrite total_sum, <- (Qplus_0_l (sum _ rows)), <- R3 in G.
  assert (E' : inject_Z (sum_of_prices y) / W * K == K * inject_Z (sum_of_prices y) / W) by (field; lra).
  rewrite E'. apply Qle_shift_div_l; auto.
Qed.

(** ** Sets, and potentials at switches that only forward *)
Theorem check_forwarding_bound_sound p arcs members shards b U :
  check_forwarding_bound p arcs members shards b = Some U ->
  forwards_never_more p arcs members shards U.
Proof.
  unfold check_forwarding_bound. destruct (_ && _) eqn:E; [|discriminate].
  rewrite !andb_true_iff, !forallb_forall in E. destruct E as [[E1 E2] E3]. intros B paths HP.
  apply distinct_spec in E3. destruct E3 as [once _].
  apply (sets_forwarding p arcs members shards b) with (T := U); auto.
  - intros a Ha. apply Qpos, Z.ltb_lt. auto.
  - intros v d H. apply Qpos, Z.ltb_lt, (E2 _ H).
Qed.

(** ** Paths *)
Lemma along_paths_proper p arcs members shards paths sys :
  along_paths p arcs members shards paths = Some sys ->
  exists ways, proper_paths arcs members ways /\ sys = forwarding p members shards ways.
Proof.
  unfold along_paths. destruct (all_routes _ _ _ _) as [m|] eqn:R; [|discriminate]. intros H. injection H as <-.
  exists (paths_in m). split; auto. apply (all_routes_proper _ _ _ _ _ R).
  intros v path Hp. unfold paths_in in Hp. rewrite find_none in Hp. destruct Hp.
Qed.

Theorem check_shards_schedule_sound p arcs members shards paths s T C :
  check_shards_schedule p arcs members shards paths s = Some (T, C) ->
  forwards p arcs members shards T C.
Proof.
  unfold check_shards_schedule. destruct (along_paths _ _ _ _ _) as [sys|] eqn:E; [|discriminate]. intros H.
  destruct (along_paths_proper _ _ _ _ _ _ E) as (ways & P & ->). exists ways. split; auto.
  apply (schedule_sound _ s). auto.
Qed.

Lemma run_along_sound p arcs members shards paths M r bound K L :
  run_along p arcs members shards paths M r bound = Some (K, L) ->
  forwarded_by p arcs members shards (Pos.to_nat M) K /\
  exists U, bound = Some U /\ forall S, never_more S U -> takes_at_least S (Pos.to_nat M) L.
Proof.
  unfold run_along. destruct (along_paths _ _ _ _ _) as [sys|] eqn:E; [|discriminate].
  destruct bound as [U|]; [|discriminate].
  destruct (check_system_run _ _ _) as [K'|] eqn:R; [|discriminate].
  destruct (0 <? Qnum U)%Z eqn:P; [|discriminate]. intros H. injection H as <- <-.
  destruct (along_paths_proper _ _ _ _ _ _ E) as (ways & W & ->). split.
  - exists ways. split; auto. eapply system_run_sound; eauto.
  - exists U. split; auto. intros S N. apply least_time_sound; [apply Z.ltb_lt|]; auto.
Qed.
Theorem check_shards_run_sound p arcs members shards paths M r y l K L :
  check_shards_run p arcs members shards paths M r y l = Some (K, L) ->
  forwarded_by p arcs members shards (Pos.to_nat M) K /\
  takes_at_least (allgather p arcs members shards) (Pos.to_nat M) L.
Proof.
  intros H. destruct (run_along_sound _ _ _ _ _ _ _ _ _ _ H) as (D & U & B & N). split; auto.
  apply N. eapply check_shards_bound_sound; eauto.
Qed.
Theorem check_forwarding_run_sound p arcs members shards paths M r b K L :
  check_forwarding_run p arcs members shards paths M r b = Some (K, L) ->
  forwarded_by p arcs members shards (Pos.to_nat M) K /\
  forwarding_takes p arcs members shards (Pos.to_nat M) L.
Proof.
  intros H. destruct (run_along_sound _ _ _ _ _ _ _ _ _ _ H) as (D & U & B & N). split; auto.
  intros ways W. apply N. eapply check_forwarding_bound_sound; eauto.
Qed.

(** Both sides, with one rate. *)
Theorem check_shards_sound p arcs members shards paths s y l T C :
  check_shards_schedule p arcs members shards paths s = Some (T, C) ->
  check_shards_bound p arcs members shards y l = Some T ->
  never_more (allgather p arcs members shards) T /\ forwards p arcs members shards T C.
Proof.
  intros R B. split; [eapply check_shards_bound_sound; eauto|eapply check_shards_schedule_sound; eauto].
Qed.
Theorem check_forwarding_sound p arcs members shards paths s b T C :
  check_shards_schedule p arcs members shards paths s = Some (T, C) ->
  check_forwarding_bound p arcs members shards b = Some T ->
  forwards_never_more p arcs members shards T /\ forwards p arcs members shards T C.
Proof.
  intros R B. split; [eapply check_forwarding_bound_sound; eauto|eapply check_shards_schedule_sound; eauto].
Qed.
