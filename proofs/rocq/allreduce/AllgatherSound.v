(** If the checker accepts, the allgather has that throughput: switches that copy pass it never, and switches that
    only forward reach it. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound Checker ScheduleSound.
From Exactsched.allreduce Require Import Calls Gossip Schemes SchemesSound Allgather AllgatherBound Forwarding
  AllgatherChecker.
Import ListNotations.
Open Scope Z_scope.

Lemma put_member p q x m : member q (put p x m) = (p =? q)%positive || member q m.
Proof.
  unfold member. destruct (Pos.eqb_spec p q) as [->|N]; [rewrite find_same; auto|rewrite find_other; auto].
Qed.
Lemma node_map_spec l v : in_map (node_map l) v = is_in v l.
Proof.
  unfold in_map, node_map. assert (G : forall l m, member (node_code v) (fold_left (fun m v => put (node_code v) 0 m) l m)
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
  unfold sumQ. assert (G : forall l s, (fold_left (fun s x => Qred (s + f x)) l s == s + sum f l)%Q).
  { clear l. induction l as [|x l IH]; intros s; cbn [fold_left sum]; [ring|].
    rewrite IH, (Qred_correct (s + f x)). ring. }
  rewrite G. ring.
Qed.

Lemma distinct_spec l : forall seen, distinct seen l = true ->
  NoDup l /\ forall v, In v l -> in_map seen v = false.
Proof.
  induction l as [|u l IH]; simpl; intros seen E; [split; [constructor|easy]|].
  destruct (in_map seen u) eqn:Su; [discriminate|]. apply IH in E. destruct E as [E1 E2].
  assert (N : ~ In u l).
  { intros H. apply E2 in H. unfold in_map in H. rewrite put_member, Pos.eqb_refl in H. discriminate. }
  split; [constructor; auto|]. intros v [->|H]; auto. apply E2 in H. unfold in_map in *. rewrite put_member in H.
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
    + intros c l' El. destruct l' as [|c' l']; [injection El as <-; split; [auto|easy]|destruct l'; discriminate].
  - destruct (in_map ms (head a)) eqn:Ma; [discriminate|]. apply andb_true_iff in E. destruct E as [E1 E2].
    apply Z.eqb_eq in E1. apply IH in E2. destruct E2 as (L & ND & Sn & Fin). unfold ms in Ma.
    rewrite node_map_spec, is_in_false in Ma. split; [split; auto|]. split; [|split].
    + constructor; auto. intros H. apply Sn in H. unfold in_map in H. rewrite put_member, Pos.eqb_refl in H. discriminate.
    + intros v [<-|H]; auto. apply Sn in H. unfold in_map in *. rewrite put_member in H. apply orb_false_iff in H. tauto.
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

Lemma routes_incl arcs l : forall r, routes (array arcs) l = Some r -> forall path, In path r -> incl path arcs.
Proof.
  induction l as [|x l IH]; simpl; intros r E path Hp; [injection E as <-; easy|].
  destruct (look (array arcs) x) as [p0|] eqn:L; [|discriminate].
  destruct (routes (array arcs) l) as [ps|]; [|discriminate]. injection E as <-.
  destruct Hp as [<-|Hp]; [apply (look_incl _ _ _ L)|apply (IH ps); auto].
Qed.

Lemma bottleneck_rate_sound arcs members shards X T :
  (forall a, In a arcs -> 0 < cost a)%Q -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d)%Q ->
  bottleneck_rate arcs members shards X = Some T -> never_more (allgather Links arcs members shards) T.
Proof.
  intros pos once sizes E. unfold bottleneck_rate in E. set (m := node_map X) in *.
  destruct (existsb (in_map m) members && _) eqn:C; [|discriminate]. injection E as <-.
  apply andb_true_iff in C. destruct C as [C1 C2]. apply existsb_exists in C1. destruct C1 as (u & Mu & Xu).
  unfold m in Xu. rewrite node_map_spec, is_in_spec in Xu. apply Z.ltb_lt in C2.
  assert (E1 : filter (fun a => negb (in_map m (tail a)) && in_map m (head a)) arcs = filter (enters_set X) arcs).
  { apply filter_ext. intros a. unfold enters_set, m. rewrite !node_map_spec. auto. }
  assert (E2 : filter (fun vd : node * Q => negb (in_map m (fst vd))) shards
    = filter (fun vd : node * Q => negb (is_in (fst vd) X)) shards).
  { apply filter_ext. intros vd. unfold m. rewrite node_map_spec. auto. }
  rewrite E1, E2 in *.
  assert (HD : (0 < data_outside shards X)%Q).
  { unfold data_outside. rewrite <- sumQ_spec. apply Qpos. exact C2. }
  intros s M K HK V Co. unfold capacity_into, data_outside in *. rewrite !sumQ_spec.
  apply (bottleneck_never_more arcs members shards X pos once sizes (ex_intro _ u (conj Mu Xu)) HD s M K HK V Co).
Qed.

Theorem check_allgather_sound arcs members shards X routes s T C :
  check_allgather arcs members shards X routes s = Some (T, C) ->
  never_more (allgather Links arcs members shards) T /\
  exists paths, (forall path, In path paths -> is_path arcs members path) /\
    reached (forwarding Links members shards paths) T C.
Proof.
  unfold check_allgather. destruct (_ && _) eqn:E; [|discriminate]. rewrite !andb_true_iff, !forallb_forall in E.
  destruct E as [[E1 E2] E3].
  destruct (bottleneck_rate arcs members shards X) as [T0|] eqn:B; [|discriminate].
  destruct (AllgatherChecker.routes (array arcs) routes) as [l|] eqn:R; [|discriminate].
  destruct (forallb _ l) eqn:F; [|discriminate]. rewrite forallb_forall in F.
  destruct (check_schedule _ s) as [[T' C']|] eqn:S; [|discriminate].
  destruct (Qle_bool T0 T') eqn:L; [|discriminate]. intros H. injection H as <- <-. apply Qle_bool_iff in L.
  apply distinct_spec in E3. destruct E3 as [once _].
  split.
  - assert (N : never_more (allgather Links arcs members shards) T0).
    { apply (bottleneck_rate_sound arcs members shards X); auto.
      - intros a Ha. apply Qpos, Z.ltb_lt. auto.
      - intros v d H. apply Qpos, Z.ltb_lt. apply (E2 _ H). }
    intros s0 M K HK V Co. eapply Qle_trans; [eapply N; eauto|]. apply Qmult_le_compat_r; auto.
  - exists l. split; [|apply (schedule_sound _ s); auto].
    intros path Hp. apply route_ok_spec; [eapply routes_incl; eauto|]. apply F; auto.
Qed.

(** So the throughput is the same for switches that copy and for switches that only forward. *)
Corollary check_allgather_throughput arcs members shards X routes s T C :
  check_allgather arcs members shards X routes s = Some (T, C) ->
  throughput (allgather Links arcs members shards) T /\
  exists paths, (forall path, In path paths -> is_path arcs members path) /\
    throughput (forwarding Links members shards paths) T.
Proof.
  intros E. apply check_allgather_sound in E. destruct E as (N & paths & P & R).
  destruct (forwarding_copying Links arcs members shards paths P) as [F1 F2].
  split; [split; [auto|eauto]|]. exists paths. split; auto. split; eauto.
Qed.
