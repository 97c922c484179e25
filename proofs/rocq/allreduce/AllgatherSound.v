(** If the checker accepts, the allgather has that throughput: switches that only forward reach it, and
    neither they nor, if the bound has no potential, switches that copy pass it. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound Checker ScheduleSound BoundSound.
From Exactsched.allreduce Require Import Calls Gossip Known Schemes SchemesSound Allgather Forwarding
  AllgatherBound
  AllgatherChecker.
Import ListNotations.
Open Scope Z_scope.

Lemma put_member p q x m : member q (put p x m) = (p =? q)%positive || member q m.
Proof.
  unfold member. destruct (Pos.eqb_spec p q) as [->|N]; [rewrite find_same; auto|rewrite find_other; auto].
Qed.
Lemma node_map_spec l v : in_map (node_map l) v = is_in v l.
Proof.
  unfold in_map, node_map. assert (G : forall l m,
    member (node_code v) (fold_left (fun m v => put (node_code v) 0 m) l m)
    = is_in v l || member (node_code v) m).
  { clear l. induction l as [|u l IH]; intros m; simpl; auto. rewrite IH, put_member.
    destruct (Pos.eqb_spec (node_code u) (node_code v)) as [E|E].
    - apply node_code_inj in E. subst u. rewrite orb_true_l, orb_true_r. symmetry. apply orb_true_iff. left.
      apply is_in_spec. left. auto.
    - rewrite orb_false_l. f_equal. destruct (is_in v l) eqn:I; symmetry.
      + apply is_in_spec. right. apply is_in_spec. auto.
      + apply is_in_false. apply is_in_false in I. intros [->|H]; auto. }
  rewrite G. unfold member. rewrite find_none. apply orb_false_r.
Qed.

Lemma sumQ_spec {A} (f : A -> Q) l : (sumQ f l == sum f l)%Q.
Proof.
  unfold sumQ. assert (G : forall l s, (fold_left (fun s x => lowest (s + f x)) l s == s + sum f l)%Q).
  { clear l. induction l as [|x l IH]; intros s; cbn [fold_left sum]; [ring|].
    rewrite IH, (lowest_correct (s + f x)). ring. }
  rewrite G. ring.
Qed.

Lemma distinct_spec l : forall seen, distinct seen l = true ->
  NoDup l /\ forall v, In v l -> in_map seen v = false.
Proof.
  induction l as [|u l IH]; simpl; intros seen E; [split; [constructor|easy]|].
  destruct (in_map seen u) eqn:Su; [discriminate|]. apply IH in E. destruct E as [E1 E2].
  assert (N : ~ In u l).
  { intros H. apply E2 in H. unfold in_map in H. rewrite put_member, Pos.eqb_refl in H. discriminate. }
  split; [constructor; auto|]. intros v [->|H]; auto. apply E2 in H. unfold in_map in *.
  rewrite put_member in H.
  apply orb_false_iff in H. tauto.
Qed.

Section Paths.
Variable arcs : list arc.
Variable members : list node.
Let ms := node_map members.

Lemma path_ok_spec l : forall seen, path_ok ms seen l = true ->
  linked l /\ NoDup (map head l) /\ (forall v, In v (map head l) -> in_map seen v = false) /\
  forall a l', l = l' ++ [a] -> In (head a) members /\ forall b, In b l' -> ~ In (head b) members.
Proof.
  induction l as [|a l IH]; [discriminate|]. intros seen E. cbn [path_ok] in E.
  destruct (in_map seen (head a)) eqn:Sa; [discriminate|]. destruct l as [|b l].
  - unfold ms in E. rewrite node_map_spec, is_in_spec in E. split; [exact I|]. split; [|split].
    + constructor; auto. constructor.
    + intros v [<-|[]]. auto.
    + intros c l' El. destruct l' as [|c' l']; [injection El as <-; split; [auto|easy]|destruct l';
        discriminate].
  - destruct (in_map ms (head a)) eqn:Ma; [discriminate|]. apply andb_true_iff in E. destruct E as [E1 E2].
    apply Z.eqb_eq in E1. apply IH in E2. destruct E2 as (L & ND & Sn & Fin). unfold ms in Ma.
    rewrite node_map_spec, is_in_false in Ma. split; [split; auto|]. split; [|split].
    + constructor; auto. intros H. apply Sn in H. unfold in_map in H. rewrite put_member, Pos.eqb_refl in H.
      discriminate.
    + intros v [<-|H]; auto. apply Sn in H. unfold in_map in *. rewrite put_member in H.
      apply orb_false_iff in H. tauto.
    + intros c l' El. destruct l' as [|c' l']; [discriminate|]. injection El as <- El.
      destruct (Fin c l' El) as [F1 F2]. split; auto. intros d [<-|Hd]; auto.
Qed.

Lemma route_ok_spec l : incl l arcs -> route_ok ms l = true -> is_path arcs members l.
Proof.
  intros Inc E. destruct l as [|a l]; [discriminate|]. unfold route_ok in E. apply andb_true_iff in E.
  destruct E as [E1 E2]. unfold ms in E1. rewrite node_map_spec, is_in_spec in E1.
  apply path_ok_spec in E2. destruct E2 as (L & ND & _ & Fin).
  split; auto. split; auto. split; auto. split; auto. intros b l' [= <- <-]. auto.
Qed.
End Paths.

Lemma routes_incl arcs l : forall r, routes (array arcs) l = Some r -> forall path, In path r ->
  incl path arcs.
Proof.
  induction l as [|x l IH]; simpl; intros r E path Hp; [injection E as <-; easy|].
  destruct (look (array arcs) x) as [p0|] eqn:L; [|discriminate].
  destruct (routes (array arcs) l) as [ps|]; [|discriminate]. injection E as <-.
  destruct Hp as [<-|Hp]; [apply (look_incl _ _ _ L)|apply (IH ps); auto].
Qed.

Lemma all_routes_proper arcs members l : forall m m', all_routes (array arcs) (node_map members) l m = Some m'
  ->
  proper_paths arcs members (paths_in m) -> proper_paths arcs members (paths_in m').
Proof.
  induction l as [|[v rs] l IH]; cbn [all_routes]; intros m m' E P; [injection E as <-; auto|].
  destruct (routes (array arcs) rs) as [paths|] eqn:R; [|discriminate].
  destruct (forallb _ paths) eqn:F; [|discriminate]. rewrite forallb_forall in F. apply (IH _ _ E).
  intros u path Hp. unfold paths_in in Hp. destruct (Pos.eq_dec (node_code v) (node_code u)) as [Ec|Ec].
  - rewrite <- Ec, find_same in Hp. apply route_ok_spec; auto. eapply routes_incl; eauto.
  - rewrite find_other in Hp by auto. apply (P u). exact Hp.
Qed.

Lemma bottleneck_rate_sound arcs members shards X T :
  (forall a, In a arcs -> 0 < cost a)%Q -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d)%Q
    ->
  bottleneck_rate arcs members shards X = Some T -> never_more (allgather Links arcs members shards) T.
Proof.
  intros pos once sizes E. unfold bottleneck_rate in E. set (m := node_map X) in *.
  destruct (existsb (in_map m) members && _) eqn:C; [|discriminate]. injection E as <-.
  apply andb_true_iff in C. destruct C as [C1 C2]. apply existsb_exists in C1. destruct C1 as (u & Mu & Xu).
  unfold m in Xu. rewrite node_map_spec, is_in_spec in Xu. apply Z.ltb_lt in C2.
  assert (E1 : filter (fun a => negb (in_map m (tail a)) && in_map m (head a)) arcs = filter (enters_set X)
    arcs).
  { apply filter_ext. intros a. unfold enters_set, m. rewrite !node_map_spec. auto. }
  assert (E2 : filter (fun vd : node * Q => negb (in_map m (fst vd))) shards
    = filter (fun vd : node * Q => negb (is_in (fst vd) X)) shards).
  { apply filter_ext. intros vd. unfold m. rewrite node_map_spec. auto. }
  rewrite E1, E2 in *.
  assert (HD : (0 < data_outside shards X)%Q).
  { unfold data_outside. rewrite <- sumQ_spec. apply Qpos. exact C2. }
  intros s M K HK V Co. unfold capacity_into, data_outside in *. rewrite !sumQ_spec.
  apply (bottleneck_never_more arcs members shards X pos once sizes (ex_intro _ u (conj Mu Xu)) HD s M K HK V
    Co).
Qed.

Section Sets.
Variable p : ports.
Variable arcs : list arc.
Variable members : list node.
Variable shards : list (node * Q).
Variable b : set_bound.
Hypothesis pos : forall a, In a arcs -> (0 < cost a)%Q.
Hypothesis once : NoDup (map fst shards).
Hypothesis sizes : forall v d, In (v, d) shards -> (0 < d)%Q.
Variable T : Q.
Hypothesis ok : sets_rate p arcs members shards b = Some T.

Definition sets_in_Q : list (list node * Q) := map (fun Xw => (fst Xw, inject_Z (snd Xw))) (sets b).
Definition potential_of (v : node) : Q := inject_Z (value (node_code v) (potential_map (potential b))).

Lemma value_in_Q : (sets_value shards (set_maps (sets b)) == value_of shards sets_in_Q)%Q.
Proof.
  unfold sets_value, value_of, set_maps, sets_in_Q. rewrite sumQ_spec, !sum_map. apply sum_eq. intros [X w] _.
  cbn [fst snd]. apply Qmult_comp; [reflexivity|]. rewrite sumQ_spec. unfold data_outside.
  rewrite (filter_ext _ (fun vd : node * Q => negb (is_in (fst vd) X))); [reflexivity|].
  intros vd. rewrite node_map_spec. auto.
Qed.
Lemma entered_in_Q a : (inject_Z (weight_entered (set_maps (sets b)) a) == entered_sets sets_in_Q a)%Q.
Proof.
  unfold weight_entered, entered_sets, set_maps, sets_in_Q. rewrite <- sum_inject, !sum_map. apply sum_eq.
  intros [X w] _. cbn [fst snd]. unfold enters_set. rewrite !node_map_spec. destruct (_ && _); reflexivity.
Qed.
Lemma potential_found v : value (node_code v) (potential_map (potential b)) = 0 \/
  exists z, In (v, z) (potential b) /\ value (node_code v) (potential_map (potential b)) = z.
Proof.
  unfold value, potential_map. destruct (find _ _) as [z|] eqn:E; [|auto]. right. exists z. split; auto.
  apply (fold_put (fun vq : node * Z => node_code (fst vq)) snd) in E. rewrite find_none in E.
  destruct E as [([u z'] & H & E1 & E2)|E]; [|discriminate]. simpl in *. apply node_code_inj in E1. subst.
  auto.
Qed.

Lemma sets_conditions :
  nonneg (in_Q (set_prices b)) /\ proper_sets members sets_in_Q /\
  (forall v, 0 <= potential_of v)%Q /\ (forall v, In v members -> potential_of v == 0)%Q /\
  (forall a, In a arcs -> entered_sets sets_in_Q a <=
     toll p (in_Q (set_prices b)) a + potential_of (tail a) - potential_of (head a))%Q /\
  (0 < value_of shards sets_in_Q)%Q /\
  (total (in_Q (set_prices b)) / value_of shards sets_in_Q == T)%Q.
Proof.
  unfold sets_rate in ok. destruct (_ && _) eqn:E; [|discriminate]. injection ok as <-.
  rewrite !andb_true_iff, !forallb_forall in E. destruct E as [[[[E1 E2] E3] E4] E5].
  apply Z.ltb_lt, Qpos in E5. rewrite value_in_Q in E5.
  split; [apply prices_nonneg; auto|]. split; [|split; [|split; [|split; [|split; [exact E5|]]]]].
  - intros X w H. unfold sets_in_Q in H. apply in_map_iff in H. destruct H as ([X' w'] & [= <- <-] & H).
    specialize (E2 (node_map X', w')). cbn [fst snd] in E2.
    assert (E : (0 <=? w') && existsb (in_map (node_map X')) members = true).
    { apply E2. unfold set_maps. apply in_map_iff. exists (X', w'). auto. }
    apply andb_true_iff in E. destruct E as [F1 F2]. apply Z.leb_le in F1. apply existsb_exists in F2.
    destruct F2 as (u & Hu & Xu). rewrite node_map_spec, is_in_spec in Xu. split; [|eauto].
    rewrite <- inject_0, inject_le. auto.
  - intros v. unfold potential_of. rewrite <- inject_0, inject_le.
    destruct (potential_found v) as [->|(z & H & ->)]; [lia|]. specialize (E3 _ H). apply andb_true_iff in E3.
    destruct E3 as [E3 _]. apply Z.leb_le in E3. exact E3.
  - intros v Hv. unfold potential_of. destruct (potential_found v) as [->|(z & H & _)]; [reflexivity|].
    exfalso.
    specialize (E3 _ H). cbn [fst snd] in E3. rewrite node_map_spec, andb_true_iff, negb_true_iff,
      is_in_false in E3.
    tauto.
  - intros a Ha. rewrite <- entered_in_Q. specialize (E4 a Ha). apply Z.leb_le, scaled_le in E4.
    unfold Z.sub in E4. rewrite inject_Z_plus, inject_Z_opp, inject_Z_plus, inject_Z_opp in E4.
    fold (potential_of (tail a)) (potential_of (head a)) in E4.
    assert (R : (cost a * inject_Z (rate (maps_of (set_prices b)) (arc_uses p a))
      <= toll p (in_Q (set_prices b)) a)%Q).
    { unfold toll. apply Qmult_le_l; auto. change (arc_uses p a) with (uses (transfer p (Message 0) 1 a)).
      apply rate_paid; auto. }
    lra.
  - rewrite total_sum, value_in_Q. reflexivity.
Qed.

Lemma rate_of_bound S : (forall s M K, (0 <= K)%Q -> valid S s -> completes S s M K ->
    count M * value_of shards sets_in_Q <= K * total (in_Q (set_prices b)))%Q -> never_more S T.
Proof.
  destruct sets_conditions as (_ & _ & _ & _ & _ & P & E). intros H s M K HK V Co.
  specialize (H s M K HK V Co).
  rewrite <- E. assert (E' : (total (in_Q (set_prices b)) / value_of shards sets_in_Q * K
    == K * total (in_Q (set_prices b)) / value_of shards sets_in_Q)%Q) by (field; lra).
  rewrite E'. apply Qle_shift_div_l; auto.
Qed.
Lemma sets_forwarding paths : proper_paths arcs members paths ->
  never_more (forwarding p members shards paths) T.
Proof.
  intros HP. destruct sets_conditions as (C1 & C2 & C3 & C4 & C5 & _). apply rate_of_bound.
  apply (forwarding_bound p arcs members shards paths (in_Q (set_prices b)) potential_of sets_in_Q); auto.
Qed.
Lemma sets_copying : potential b = [] -> never_more (allgather p arcs members shards) T.
Proof.
  intros Z0. destruct sets_conditions as (C1 & C2 & _ & _ & C5 & _). apply rate_of_bound.
  apply (copying_bound p arcs members shards (in_Q (set_prices b)) sets_in_Q); auto.
  intros a Ha. specialize (C5 a Ha). unfold potential_of in C5. rewrite Z0 in C5.
  unfold potential_map, value in C5.
  cbn [fold_left] in C5. rewrite !find_none in C5. cbn [or_zero] in C5. rewrite inject_0 in C5. lra.
Qed.
End Sets.

(** No schedule passes T along any paths, on which switches only forward; if no potential is needed, none
    passes it where switches copy. Some paths, on which switches only forward, reach it. *)
Theorem check_allgather_sound p arcs members shards e routes s T C :
  check_allgather p arcs members shards e routes s = Some (T, C) ->
  (forall paths, proper_paths arcs members paths ->
     never_more (forwarding p members shards paths) T) /\
  (for_copying e = true -> never_more (allgather p arcs members shards) T) /\
  exists paths, proper_paths arcs members paths /\
    reached (forwarding p members shards paths) T C.
Proof.
  unfold check_allgather. destruct (_ && _) eqn:E; [|discriminate].
  rewrite !andb_true_iff, !forallb_forall in E.
  destruct E as [[E1 E2] E3].
  destruct (allgather_rate p arcs members shards e) as [T0|] eqn:B; [|discriminate].
  destruct (all_routes _ _ routes none) as [m|] eqn:R; [|discriminate].
  destruct (check_schedule _ s) as [[T' C']|] eqn:S; [|discriminate].
  destruct (Qle_bool T0 T') eqn:L; [|discriminate]. intros H. injection H as <- <-. apply Qle_bool_iff in L.
  apply distinct_spec in E3. destruct E3 as [once _].
  assert (pos : forall a, In a arcs -> (0 < cost a)%Q) by (intros a Ha; apply Qpos, Z.ltb_lt; auto).
  assert (sizes : forall v d, In (v, d) shards -> (0 < d)%Q)
    by (intros v d H; apply Qpos, Z.ltb_lt, (E2 _ H)).
  assert (Up : forall Sy, never_more Sy T0 -> never_more Sy T').
  { intros Sy N s0 M K HK V Co. eapply Qle_trans; [eapply N; eauto|]. apply Qmult_le_compat_r; auto. }
  split; [|split].
  - intros paths HP. apply Up. destruct e as [X|b].
    + destruct p; try discriminate. apply (forwarding_copying Links arcs members shards paths HP).
      apply (bottleneck_rate_sound arcs members shards X); auto.
    + apply (sets_forwarding p arcs members shards b pos once sizes T0 B paths HP).
  - intros Cp. apply Up. destruct e as [X|b].
    + destruct p; try discriminate. apply (bottleneck_rate_sound arcs members shards X); auto.
    + apply (sets_copying p arcs members shards b pos once sizes T0 B). simpl in Cp.
      destruct (potential b); [auto|discriminate].
  - exists (paths_in m). split; [|apply (schedule_sound _ s); auto]. apply (all_routes_proper _ _ _ _ _ R).
    intros v path Hp. unfold paths_in in Hp. rewrite find_none in Hp. destruct Hp.
Qed.

(** So the throughput is the same for switches that copy and for switches that only forward. *)
Corollary check_allgather_throughput p arcs members shards e routes s T C :
  check_allgather p arcs members shards e routes s = Some (T, C) -> for_copying e = true ->
  throughput (allgather p arcs members shards) T /\
  exists paths, proper_paths arcs members paths /\
    throughput (forwarding p members shards paths) T.
Proof.
  intros E Cp. apply check_allgather_sound in E. destruct E as (NF & N & paths & P & R).
  destruct (forwarding_copying p arcs members shards paths P) as [F1 F2].
  split; [split; eauto|]. exists paths. split; auto. split; eauto.
Qed.
