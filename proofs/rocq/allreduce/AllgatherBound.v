(** Allgather: the bounds of prices and sets of nodes. Whatever switches copy, what a set of nodes has not got
    must enter it. If switches only forward, the prices may be shifted by a potential at the switches. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound Periodic.
From Exactsched.allreduce Require Import Calls Gossip Prices Known Allgather Forwarding.
Import ListNotations.
Open Scope Q_scope.

(** ** Sets that must be entered *)

(** The arc enters X; the data that X has not got. *)
Definition enters_set (X : list node) (a : arc) : bool := negb (is_in (tail a) X) && is_in (head a) X.
Definition data_outside (shards : list (node * Q)) (X : list node) : Q :=
  sum snd (filter (fun vd => negb (is_in (fst vd) X)) shards).
(** Weighted sets of nodes, each with a member; what must come into them in an operation; what an arc
    carries. *)
Definition proper_sets (members : list node) (sets : list (list node * Q)) : Prop :=
  forall X w, In (X, w) sets -> 0 <= w /\ exists u, In u members /\ In u X.
Definition value_of (shards : list (node * Q)) (sets : list (list node * Q)) : Q :=
  sum (fun s => snd s * data_outside shards (fst s)) sets.
Definition entered_sets (sets : list (list node * Q)) (a : arc) : Q :=
  sum (fun s => if enters_set (fst s) a then snd s else 0) sets.

(** The shard that a state is about, and its size. *)
Definition owner (x : state) : Z := match what x with Message v => v | Values v _ => v end.
Definition shard_size (shards : list (node * Q)) (v : Z) : Q :=
  sum (fun vd => if (fst vd =? v)%Z then snd vd else 0) shards.

Lemma one_owner (shards : list (node * Q)) v c : 0 <= c -> NoDup (map fst shards) ->
  sum (fun vd => if (fst vd =? v)%Z then c else 0) shards <= c.
Proof.
  intros Hc. induction shards as [|[u e] l IH]; intros N; [simpl; lra|]. cbn [map] in N.
  apply NoDup_cons_iff in N.
  destruct N as [Nu N]. specialize (IH N). cbn [sum fst snd] in *. destruct (Z.eqb_spec u v) as [->|]; [|lra].
  assert (E : sum (fun vd : Z * Q => if (fst vd =? v)%Z then c else 0) l == 0); [|lra].
  rewrite <- (sum_zero l). apply sum_eq. intros [u e'] H. cbn [fst].
  destruct (Z.eqb_spec u v) as [->|]; [|reflexivity].
  exfalso. apply Nu. apply in_map_iff. exists (v, e'). auto.
Qed.
Lemma shard_size_in shards v d : NoDup (map fst shards) -> In (v, d) shards -> shard_size shards v == d.
Proof.
  unfold shard_size. induction shards as [|[u e] l IH]; [easy|]. cbn [map]. intros N H.
  apply NoDup_cons_iff in N.
  destruct N as [Nu N]. cbn [sum fst snd]. destruct H as [[= -> ->]|H].
  - rewrite Z.eqb_refl. assert (E : sum (fun vd : Z * Q => if (fst vd =? v)%Z then snd vd else 0) l == 0);
      [|lra].
    rewrite <- (sum_zero l). apply sum_eq. intros [u e'] H. cbn [fst snd].
    destruct (Z.eqb_spec u v) as [->|]; [|reflexivity].
    exfalso. apply Nu. apply in_map_iff. exists (v, e'). auto.
  - destruct (Z.eqb_spec u v) as [->|]; [exfalso; apply Nu; apply in_map_iff; exists (v, d); auto|].
    rewrite IH; auto. lra.
Qed.

Section Operation.
Variable S : system.
Variables members : list node.
Variable shards : list (node * Q).
Hypothesis once : NoDup (map fst shards).
Hypothesis sizes : forall v d, In (v, d) shards -> 0 < d.
Hypothesis positive : forall k, In k (tasks S) -> 0 < lasts k.
Hypothesis same_owner : forall k x, In k (tasks S) -> In x (needs k) -> owner x = owner (makes k).
Hypothesis at_owner : forall x, In x (given S) -> place x = owner x.
Hypothesis all_wanted : forall v d u, In (v, d) shards -> In u members -> In (At (Message v) u) (wanted S).
Variable s : schedule.
Hypothesis Hs : valid S s.
Variable sets : list (list node * Q).
Hypothesis proper : proper_sets members sets.

Lemma size_nonneg v : 0 <= shard_size shards v.
Proof. apply sum_nonneg. intros [u d] H. cbn [fst snd]. specialize (sizes u d H). destruct (u =? v)%Z; lra.
Qed.

(** A task enters a set if it makes something inside and needs nothing from inside. *)
Definition in_set (X : list node) (x : state) : bool := is_in (place x) X.
Definition gain (k : task) : Q :=
  shard_size shards (owner (makes k)) * sum (fun e => if enters (in_set (fst e)) k then snd e else 0) sets.

Lemma value_gained M m K : completes S s M K -> (m < M)%nat ->
  value_of shards sets <= sum (fun i => gain (kind S i)) (Done S s K m).
Proof.
  intros C Hm. unfold gain. set (D := Done S s K m).
  apply Qle_trans with (sum (fun i => sum (fun e => if enters (in_set (fst e)) (kind S i)
    then snd e * shard_size shards (owner (makes (kind S i))) else 0) sets) D).
  2:{ apply sum_le. intros i _. rewrite <- sum_scale. apply sum_le. intros e _.
      destruct (enters (in_set (fst e)) (kind S i)); lra. }
  rewrite sum_swap. unfold value_of. apply sum_le. intros [X w] HX. cbn [fst snd].
  destruct (proper X w HX) as (Hw & u & Mu & Xu).
  set (f := fun i => if enters (in_set X) (kind S i) then w * shard_size shards (owner (makes (kind S i)))
    else 0).
  assert (f_nonneg : forall i, 0 <= f i).
  { intros i. unfold f. pose proof (size_nonneg (owner (makes (kind S i)))). destruct enters; nra. }
  apply Qle_trans with (sum (fun vd => sum (fun i => if (fst vd =? owner (makes (kind S i)))%Z then f i else
    0) D) shards).
  - unfold data_outside. rewrite sum_filter, <- sum_scale. apply sum_le. intros [v d] Hv. cbn [fst snd].
    assert (Pd : 0 < d) by eauto.
    assert (N : 0 <= sum (fun i => if (v =? owner (makes (kind S i)))%Z then f i else 0) D).
    { apply sum_nonneg. intros i _. specialize (f_nonneg i). destruct (v =? _)%Z; lra. }
    destruct (negb (is_in v X)) eqn:Ev; [|lra]. apply negb_true_iff, is_in_false in Ev.
    set (Y := fun x => (owner x =? v)%Z && in_set X x).
    assert (G : forall x, In x (given S) -> Y x = false).
    { intros x Hx. unfold Y, in_set. rewrite (at_owner x Hx).
      destruct (Z.eqb_spec (owner x) v) as [->|]; auto.
      apply is_in_false. auto. }
    assert (Yw : Y (At (Message v) u) = true).
    { unfold Y, in_set. cbn [owner what place]. rewrite Z.eqb_refl. apply is_in_spec. auto. }
    destruct (has_done S positive s Hs m K K (At (Message v) u)) as [Gx|(i & Hi & Mi & _)]; [lra| | |].
    + apply C; auto. eapply all_wanted; eauto.
    + rewrite (G _ Gx) in Yw. discriminate.
    + destruct (entered S positive s Hs Y m K i G Hi) as (j & Hj & Yj & Nj); [congruence|].
      unfold Y in Yj. apply andb_true_iff in Yj. destruct Yj as [Oj Xj]. apply Z.eqb_eq in Oj.
      assert (Tj : In (kind S j) (tasks S)).
      { apply nth_In. apply filter_In in Hj. destruct Hj as [Hj _]. apply in_seq in Hj. lia. }
      assert (Fj : f j == w * d).
      { pose proof (shard_size_in shards v d once Hv) as Sz. unfold f, enters. rewrite Xj, Oj.
        destruct (existsb (in_set X) (needs (kind S j))) eqn:E; [|cbn [andb negb]; rewrite Sz; reflexivity].
        exfalso.
        apply existsb_exists in E. destruct E as (x & Hx & Ex). specialize (Nj x Hx).
        unfold Y in Nj. rewrite Ex, (same_owner _ x Tj Hx), Oj, Z.eqb_refl in Nj. discriminate. }
      rewrite <- Fj.
      eapply Qle_trans; [|apply (sum_member (fun i => if (v =? owner (makes (kind S i)))%Z then f i else 0) D
        j); auto].
      * rewrite Oj, Z.eqb_refl. lra.
      * intros i' _. specialize (f_nonneg i'). destruct (v =? _)%Z; lra.
  - rewrite sum_swap. apply sum_le. intros i _. apply one_owner; auto.
Qed.
End Operation.

Lemma wanted_all members shards v d u : In (v, d) shards -> In u members ->
  In (At (Message v) u) (wanted_by members shards).
Proof. intros Hv Hu. unfold wanted_by. apply in_flat_map. exists (v, d). split; auto. apply in_map. auto. Qed.
Lemma owned_at_owner shards x : In x (owned shards) -> place x = owner x.
Proof. unfold owned. rewrite in_map_iff. intros ([v d] & <- & _). reflexivity. Qed.

(** What an arc does for the sets, as a task of size d. *)
Lemma gain_arc shards sets v d a (k : task) x : NoDup (map fst shards) -> In (v, d) shards ->
  needs k = [x] -> place x = tail a -> place (makes k) = head a -> owner (makes k) = v ->
  gain shards sets k == d * entered_sets sets a.
Proof.
  intros once Hv N Px Pm Om. unfold gain, entered_sets. rewrite Om, (shard_size_in shards v d) by auto.
  apply Qmult_comp; [reflexivity|]. apply sum_eq. intros [X w] _. unfold enters, enters_set, in_set.
  rewrite N, Pm. cbn [existsb fst snd]. rewrite Px, orb_false_r, andb_comm. reflexivity.
Qed.

(** ** Switches that copy *)
Lemma allgather_task p arcs members shards k : In k (tasks (allgather p arcs members shards)) ->
  exists v d a, In (v, d) shards /\ In a arcs /\ k = transfer p (Message v) d a.
Proof.
  unfold allgather. simpl. intros H. apply in_flat_map in H. destruct H as ([v d] & Hv & H).
  apply in_map_iff in H. destruct H as (a & <- & Ha). exists v, d, a. auto.
Qed.
Lemma lasts_paid p y d a k : uses k = arc_uses p a -> lasts k = d * cost a ->
  lasts k * paid y k == d * toll p y a.
Proof.
  intros U L. rewrite L, (paid_uses y k (transfer p (Message 0) 1 a)) by exact U. unfold toll. ring.
Qed.

(** If no arc enters sets of more weight than it pays, the rate is at most the prices over the value of the
    sets. *)
Theorem copying_bound p arcs members shards y sets :
  (forall a, In a arcs -> 0 < cost a) -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d) ->
  nonneg y -> proper_sets members sets -> (forall a, In a arcs -> entered_sets sets a <= toll p y a) ->
  forall s M K, 0 <= K -> valid (allgather p arcs members shards) s ->
  completes (allgather p arcs members shards) s M K -> count M * value_of shards sets <= K * total y.
Proof.
  intros pos once sizes Hy proper fit s M K HK V C. set (S := allgather p arcs members shards) in *.
  assert (positive : forall k, In k (tasks S) -> 0 < lasts k).
  { intros k Hk. apply allgather_task in Hk. destruct Hk as (v & d & a & Hv & Ha & ->). simpl.
    apply Qmult_lt_0_compat; eauto. }
  apply (enough_once S s); auto. intros m Hm.
  eapply Qle_trans; [apply (value_gained S members shards once sizes positive) with (s := s) (K := K) (M := M)
    (m := m); auto|].
  - intros k x Hk Hx. apply allgather_task in Hk. destruct Hk as (v & d & a & _ & _ & ->).
    destruct Hx as [<-|[]]. auto.
  - apply owned_at_owner.
  - intros. eapply wanted_all; eauto.
  - apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi.
    assert (Hk : In (kind S i) (tasks S)) by (apply nth_In; lia). apply allgather_task in Hk.
    destruct Hk as (v & d & a & Hv & Ha & ->).
    rewrite (gain_arc shards sets v d a (transfer p (Message v) d a) (At (Message v) (tail a))),
      (lasts_paid p y d a) by auto.
    apply Qmult_le_l; auto. eauto.
Qed.

(** The capacity of the arcs into X, in shard sizes per time unit. *)
Definition capacity_into (arcs : list arc) (X : list node) : Q :=
  sum (fun a => / cost a) (filter (enters_set X) arcs).

(** For every set X of nodes with a member: rate times data outside X is at most the capacity into X. *)
Theorem bottleneck arcs members shards X :
  (forall a, In a arcs -> 0 < cost a) -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d) ->
  (exists u, In u members /\ In u X) ->
  forall s M K, 0 <= K -> valid (allgather Links arcs members shards) s ->
  completes (allgather Links arcs members shards) s M K ->
  count M * data_outside shards X <= K * capacity_into arcs X.
Proof.
  intros pos once sizes HX s M K HK V C.
  set (y := Prices (map (fun a => (Link (tail a) (head a), / cost a)) (filter (enters_set X) arcs)) []).
  assert (inv_pos : forall a, In a arcs -> 0 < / cost a) by (intros; apply Qinv_lt_0_compat; auto).
  assert (Hy : nonneg y).
  { split; [|intros ? ? []]. intros r q H. simpl in H. apply in_map_iff in H.
    destruct H as (a & [= <- <-] & Ha).
    apply filter_In in Ha. apply Qlt_le_weak, inv_pos. tauto. }
  assert (B : count M * value_of shards [(X, 1)] <= K * total y).
  { apply (copying_bound Links arcs members shards y [(X, 1)]) with (s := s); auto.
    - intros Y w [[= <- <-]|[]]. split; [lra|auto].
    - intros a Ha. unfold entered_sets. cbn [sum fst snd]. pose proof (pos a Ha) as Pc.
      destruct (enters_set X a) eqn:Ea; [|pose proof (toll_nonneg Links y a Pc Hy); lra].
      unfold toll. assert (L : / cost a <= paid y (transfer Links (Message 0) 1 a)).
      { unfold paid, y. cbn [for_resources for_odd_sets sum]. rewrite sum_map, Qplus_0_r. cbn [fst snd].
        set (f := fun x => if uses_it (Link (tail x) (head x)) (transfer Links (Message 0) 1 a) then / cost x
          else 0).
        assert (Fa : f a = / cost a).
        { unfold f. assert (U : uses_it (Link (tail a) (head a)) (transfer Links (Message 0) 1 a) = true).
          { apply uses_it_spec. simpl. auto. } rewrite U. auto. }
        rewrite <- Fa. apply (sum_member f); [|apply filter_In; auto].
        intros x Hx. apply filter_In in Hx. unfold f. destruct uses_it;
          [apply Qlt_le_weak, inv_pos; tauto|lra]. }
      assert (E : cost a * / cost a == 1) by (apply Qmult_inv_r; lra).
      assert (cost a * / cost a <= cost a * paid y (transfer Links (Message 0) 1 a))
        by (apply Qmult_le_l; auto).
      lra. }
  assert (E1 : value_of shards [(X, 1)] == data_outside shards X) by (unfold value_of; simpl; ring).
  assert (E2 : total y == capacity_into arcs X).
  { unfold total, y. simpl. rewrite sum_map. cbn [snd]. unfold capacity_into. ring. }
  rewrite <- E1, <- E2. exact B.
Qed.

Corollary bottleneck_never_more arcs members shards X :
  (forall a, In a arcs -> 0 < cost a) -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d) ->
  (exists u, In u members /\ In u X) -> 0 < data_outside shards X ->
  never_more (allgather Links arcs members shards) (capacity_into arcs X / data_outside shards X).
Proof.
  intros pos once sizes HX HD s M K HK V C.
  pose proof (bottleneck arcs members shards X pos once sizes HX s M K HK V C) as B.
  assert (E : capacity_into arcs X / data_outside shards X * K
    == K * capacity_into arcs X / data_outside shards X)
    by (field; lra).
  rewrite E. apply Qle_shift_div_l; auto.
Qed.

(** ** Switches that only forward *)
Section Forwarding.
Variable p : ports.
Variable arcs : list arc.
Variable members : list node.
Variable shards : list (node * Q).
Variable paths : node -> list (list arc).
Let S := forwarding p members shards paths.
Hypothesis pos : forall a, In a arcs -> 0 < cost a.
Hypothesis once : NoDup (map fst shards).
Hypothesis sizes : forall v d, In (v, d) shards -> 0 < d.
Hypothesis HP : proper_paths arcs members paths.
(** A potential: not negative, zero at the members. *)
Variable q : node -> Q.
Hypothesis q_nonneg : forall v, 0 <= q v.
Hypothesis q_members : forall v, In v members -> q v == 0.

Lemma forwarding_task k : In k (tasks S) -> exists v d a x, In (v, d) shards /\ In a arcs /\
  uses k = arc_uses p a /\ lasts k = d * cost a /\ needs k = [x] /\
  place x = tail a /\ place (makes k) = head a /\ owner x = v /\ owner (makes k) = v.
Proof.
  intros Hk. unfold S in Hk. simpl in Hk. apply in_flat_map in Hk. destruct Hk as ([v d] & Hv & Hk).
  apply in_flat_map in Hk. destruct Hk as ([n path] & Hq & Hk). apply numbered_in in Hq.
  destruct (HP v path Hq) as (Inc & Hl & _). destruct (along_task p v n d path k Hl Hk) as
    (a & x & Ia & Ek & Co & Cx).
  assert (Copy : forall z w, copy_of z = At (Message v) w -> place z = w /\ owner z = v).
  { intros [[e|e f] z] w E; unfold copy_of in E; simpl in E; injection E as -> ->; auto. }
  destruct (Copy _ _ Co), (Copy _ _ Cx). exists v, d, a, x. rewrite Ek. simpl. repeat split; auto.
Qed.
Lemma forwarding_positive k : In k (tasks S) -> 0 < lasts k.
Proof.
  intros Hk. destruct (forwarding_task k Hk) as (v & d & a & x & Hv & Ha & _ & L & _). rewrite L.
  apply Qmult_lt_0_compat; eauto.
Qed.

(** The states on the paths are made once each. *)
Definition on_path (k : task) : list state := match what (makes k) with Values _ _ => [makes k] | _ => [] end.
Lemma nodup_blocks {A} (key : state -> Z) (g : Z * A -> list task) L : NoDup (map fst L) ->
  (forall e, In e L ->
     NoDup (flat_map on_path (g e)) /\ forall x, In x (flat_map on_path (g e)) -> key x = fst e) ->
  NoDup (flat_map on_path (flat_map g L)).
Proof.
  induction L as [|e L IH]; intros N H; [constructor|]. cbn [map] in N. apply NoDup_cons_iff in N.
  destruct N as [Ne N].
  cbn [flat_map]. rewrite flat_map_app. destruct (H e (or_introl eq_refl)) as [H1 H2].
  apply nodup_app; auto; [apply IH; auto; intros; apply H; right; auto|].
  intros x Hx Hx'. apply Ne. rewrite <- (H2 x Hx). apply in_flat_map in Hx'. destruct Hx' as (k & Hk & Hx').
  apply in_flat_map in Hk. destruct Hk as (e' & He' & Hk).
  destruct (H e' (or_intror He')) as [_ H3]. rewrite (H3 x). { apply in_map. auto. }
  apply in_flat_map. exists k. auto.
Qed.
Lemma hops_on_path v n d path : forall x, NoDup (map head path) ->
  NoDup (flat_map on_path (hops p v n d x path)) /\
  forall z, In z (flat_map on_path (hops p v n d x path)) ->
    exists w, z = At (Values v n) w /\ In w (map head path).
Proof.
  induction path as [|a path IH]; intros x N; [split; [constructor|easy]|]. destruct path as [|b path].
  - simpl. split; [constructor|easy].
  - cbn [map] in N. apply NoDup_cons_iff in N. destruct N as [Na N].
    destruct (IH (At (Values v n) (head a)) N) as [I1 I2].
    change (hops p v n d x (a :: b :: path)) with (Task (arc_uses p a) (d * cost a) [x]
      (At (Values v n) (head a))
      :: hops p v n d (At (Values v n) (head a)) (b :: path)).
    cbn [flat_map on_path what makes app]. split.
    + constructor; auto. intros H. destruct (I2 _ H) as (w & [= <-] & Hw). auto.
    + intros z [<-|H]; [exists (head a); split; auto; left; auto|]. destruct (I2 z H) as (w & E & Hw).
      exists w. split; auto. right. auto.
Qed.
Lemma numbered_nodup {A} (l : list A) : forall i, NoDup (map fst (number_from i l)) /\
  forall j, In j (map fst (number_from i l)) -> (i <= j)%Z.
Proof.
  induction l as [|a l IH]; intros i; [split; [constructor|easy]|]. destruct (IH (i + 1)%Z) as [I1 I2].
  cbn [number_from map fst]. split.
  - constructor; auto. intros H. apply I2 in H. lia.
  - intros j [<-|H]; [lia|]. apply I2 in H. lia.
Qed.
Lemma made_once : NoDup (flat_map on_path (tasks S)).
Proof.
  unfold S. simpl tasks. apply (nodup_blocks owner
    (fun '(v, d) => flat_map (fun '(n, path) => along p v n d path) (numbered (paths v))));
    [exact once|]. intros [v d] Hv. split.
  - apply (nodup_blocks (fun x => match what x with Values _ n => n | _ => 0%Z end)
      (fun '(n, path) => along p v n d path)); [apply numbered_nodup|].
    intros [n path] Hn. apply numbered_in in Hn. destruct (HP v path Hn) as (_ & _ & N & _).
    unfold along. destruct path as [|a path]; [split; [constructor|easy]|].
    destruct (hops_on_path v n d (a :: path) (At (Message v) (tail a)) N) as [H1 H2]. split; auto.
    intros x Hx. destruct (H2 x Hx) as (w & -> & _). reflexivity.
  - intros x Hx. apply in_flat_map in Hx. destruct Hx as (k & Hk & Hx). apply in_flat_map in Hk.
    destruct Hk as ([n path] & Hn & Hk). apply numbered_in in Hn. destruct (HP v path Hn) as (_ & _ & N & _).
    unfold along in Hk. destruct path as [|a path]; [easy|].
    destruct (hops_on_path v n d (a :: path) (At (Message v) (tail a)) N) as [_ H2].
    destruct (H2 x) as (w & -> & _); [apply in_flat_map; eauto|]. reflexivity.
Qed.
Lemma same_place l : NoDup (flat_map on_path l) -> forall i j k k',
  nth_error l i = Some k -> nth_error l j = Some k' ->
  on_path k <> [] -> makes k = makes k' -> i = j.
Proof.
  induction l as [|a l IH]; intros N i j k k' Hi Hj Ok E; [destruct i; discriminate|].
  cbn [flat_map] in N. apply nodup_parts in N. destruct N as (_ & N & D).
  assert (Same : on_path k = on_path k') by (unfold on_path; rewrite E; auto).
  assert (Out : forall m k, nth_error l m = Some k -> forall z, In z (on_path k) ->
    In z (flat_map on_path l)).
  { intros m k0 Hm z Hz. apply in_flat_map. exists k0. split; auto. eapply nth_error_In; eauto. }
  assert (Some_ : exists z, In z (on_path k)) by
    (destruct (on_path k) as [|z r]; [congruence|exists z; left; auto]).
  destruct Some_ as [z Hz]. destruct i as [|i], j as [|j]; auto; simpl in Hi, Hj.
  - injection Hi as ->. exfalso. apply (D z Hz). eapply Out; eauto. rewrite <- Same. auto.
  - injection Hj as ->. exfalso. apply (D z); [rewrite <- Same; auto|]. eapply Out; eauto.
  - f_equal. eapply IH; eauto.
Qed.

(** What the potential loses, summed over tasks of which those after an interrupted one are not done. *)
Definition drop (k : task) : Q :=
  shard_size shards (owner (makes k)) * (sum (fun x => q (place x)) (needs k) - q (place (makes k))).
Variable b : nat -> bool.
Hypothesis closed : forall i j k k', nth_error (tasks S) i = Some k -> nth_error (tasks S) j = Some k' ->
  b i = true -> needs k = [makes k'] -> on_path k' <> [] -> b j = true.
Fixpoint dropped (i : nat) (l : list task) : Q :=
  match l with [] => 0 | k :: l => (if b i then drop k else 0) + dropped (Datatypes.S i) l end.
Lemma dropped_app l : forall i l', dropped i (l ++ l') == dropped i l + dropped (i + length l) l'.
Proof.
  induction l as [|k l IH]; intros i l'; cbn [app dropped length].
  - rewrite Nat.add_0_r. ring.
  - rewrite IH. replace (Datatypes.S i + length l)%nat with (i + Datatypes.S (length l))%nat by lia. ring.
Qed.

Lemma hops_dropped v d n path : In (v, d) shards -> forall x i pre post, linked path ->
  (forall a path', path = a :: path' -> tail a = place x) ->
  tasks S = pre ++ hops p v n d x path ++ post -> length pre = i ->
  dropped i (hops p v n d x path) <= if b i then d * q (place x) else 0.
Proof.
  intros Hv. assert (Pd : 0 < d) by eauto. pose proof (shard_size_in shards v d once Hv) as Sz.
  induction path as [|a path IH]; intros x i pre post Hl Hx Et Len.
  - simpl. destruct (b i); [|lra]. apply Qmult_le_0_compat; auto. lra.
  - destruct path as [|a' path].
    + simpl. destruct (b i); [|lra]. unfold drop. simpl. unfold owner at 1. simpl. rewrite Sz.
      pose proof (q_nonneg (head a)). nra.
    + change (hops p v n d x (a :: a' :: path)) with
        (Task (arc_uses p a) (d * cost a) [x] (At (Values v n) (head a))
        :: hops p v n d (At (Values v n) (head a)) (a' :: path)) in *.
      set (k := Task (arc_uses p a) (d * cost a) [x] (At (Values v n) (head a))) in *.
      destruct Hl as [El Hl].
      assert (I : dropped (Datatypes.S i) (hops p v n d (At (Values v n) (head a)) (a' :: path)) <=
        if b (Datatypes.S i) then d * q (head a) else 0).
      { apply (IH (At (Values v n) (head a)) (Datatypes.S i) (pre ++ [k]) post); auto.
        - intros c path' [= <- <-]. simpl. auto.
        - rewrite Et, <- app_assoc. reflexivity.
        - rewrite app_length. simpl. lia. }
      cbn [dropped]. assert (Dk : drop k == d * (q (place x) - q (head a))).
      { unfold drop, k. simpl. unfold owner. simpl. rewrite Sz. ring. }
      assert (Ki : nth_error (tasks S) i = Some k).
      { rewrite Et, nth_error_app2 by lia. replace (i - length pre)%nat with 0%nat by lia. reflexivity. }
      destruct (b (Datatypes.S i)) eqn:B'.
      * assert (B : b i = true).
        { assert (Next : exists k', nth_error (tasks S) (Datatypes.S i) = Some k' /\ needs k' = [makes k]).
          { rewrite Et, nth_error_app2 by lia. replace (Datatypes.S i - length pre)%nat with 1%nat by lia.
            cbn [app nth_error]. destruct path as [|a'' path]; simpl; eauto. }
          destruct Next as (k' & Hk' & Nk'). apply (closed (Datatypes.S i) i k' k); auto. simpl. discriminate.
          }
        rewrite B, Dk. lra.
      * destruct (b i); [rewrite Dk|lra]. pose proof (q_nonneg (head a)). nra.
Qed.

Lemma along_dropped v d n path i pre post : In (v, d) shards -> is_path arcs members path ->
  tasks S = pre ++ along p v n d path ++ post -> length pre = i -> dropped i (along p v n d path) <= 0.
Proof.
  intros Hv (_ & Hl & _ & Hm & _) Et Len. unfold along in *. destruct path as [|a path]; [simpl; lra|].
  eapply Qle_trans; [apply (hops_dropped v d n (a :: path) Hv) with (pre := pre) (post := post); auto|].
  - intros c path' [= <- <-]. reflexivity.
  - assert (E : q (tail a) == 0) by (apply q_members; eapply Hm; eauto). simpl place.
    destruct (b i); [rewrite E|]; lra.
Qed.
Lemma blocks_dropped {A} (g : A -> list task) L : (forall e, In e L -> forall i pre post,
    tasks S = pre ++ g e ++ post -> length pre = i -> dropped i (g e) <= 0) ->
  forall i pre post, tasks S = pre ++ flat_map g L ++ post -> length pre = i -> dropped i (flat_map g L) <= 0.
Proof.
  induction L as [|e L IH]; intros H i pre post Et Len; [simpl; lra|]. cbn [flat_map] in *.
  rewrite <- app_assoc in Et.
  rewrite dropped_app.
  assert (H1 : dropped i (g e) <= 0) by (apply (H e (or_introl eq_refl) i pre (flat_map g L ++ post)); auto).
  assert (H2 : dropped (i + length (g e)) (flat_map g L) <= 0).
  { apply (IH (fun e He => H e (or_intror He)) _ (pre ++ g e) post); [rewrite <- app_assoc; auto|].
    rewrite app_length. lia. }
  lra.
Qed.
Lemma all_dropped : dropped 0 (tasks S) <= 0.
Proof.
  unfold S at 1. simpl tasks. apply (blocks_dropped
    (fun '(v, d) => flat_map (fun '(n, path) => along p v n d path) (numbered (paths v))))
    with (pre := []) (post := []); [|unfold S; simpl; rewrite app_nil_r; reflexivity|reflexivity].
  intros [v d] Hv i pre post Et Len.
  apply (blocks_dropped (fun '(n, path) => along p v n d path)) with (pre := pre) (post := post); auto.
  intros [n path] Hn i' pre' post' Et' Len'. apply numbered_in in Hn. eapply along_dropped; eauto.
Qed.
End Forwarding.

Lemma dropped_done S shards q (b : nat -> bool) l : forall i,
  (forall j k, nth_error l j = Some k -> kind S (i + j) = k) ->
  dropped shards q b i l == sum (fun i => drop shards q (kind S i)) (filter b (seq i (length l))).
Proof.
  induction l as [|k l IH]; intros i H; [reflexivity|]. cbn [dropped length seq filter].
  rewrite (IH (Datatypes.S i)).
  - assert (E : kind S i = k) by (rewrite <- (Nat.add_0_r i); apply (H 0%nat); auto).
    destruct (b i); cbn [sum]; rewrite ?E; ring.
  - intros j k' Hj. replace (Datatypes.S i + j)%nat with (i + Datatypes.S j)%nat by lia. apply H. auto.
Qed.

(** If no arc enters sets of more weight than it pays and the potential falls, the rate is at most the prices
    over the value of the sets. Better than [copying_bound] only if some switch lets out more than it takes
    in. *)
Theorem forwarding_bound p arcs members shards paths y q sets :
  (forall a, In a arcs -> 0 < cost a) -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d) ->
  proper_paths arcs members paths -> nonneg y -> proper_sets members sets ->
  (forall v, 0 <= q v) -> (forall v, In v members -> q v == 0) ->
  (forall a, In a arcs -> entered_sets sets a <= toll p y a + q (tail a) - q (head a)) ->
  forall s M K, 0 <= K -> valid (forwarding p members shards paths) s ->
  completes (forwarding p members shards paths) s M K -> count M * value_of shards sets <= K * total y.
Proof.
  intros pos once sizes HP Hy proper q0 qm fit s M K HK V C.
  set (S := forwarding p members shards paths) in *.
  pose proof (forwarding_positive p arcs members shards paths pos sizes HP) as positive. fold S in positive.
  apply (enough_once S s); auto. intros m Hm.
  eapply Qle_trans; [apply (value_gained S members shards once sizes positive) with (s := s) (K := K) (M := M)
    (m := m); auto|].
  - intros k x Hk Hx. destruct (forwarding_task p arcs members shards paths HP k Hk) as
      (v & d & a & z & _ & _ & _ & _ & N & _ & _ & O1 & O2).
    rewrite N in Hx. destruct Hx as [<-|[]]. congruence.
  - apply owned_at_owner.
  - intros. eapply wanted_all; eauto.
  - assert (D : sum (fun i => drop shards q (kind S i)) (Done S s K m) <= 0).
    { unfold Done. rewrite <- (dropped_done S shards q (doneb S s K m) (tasks S) 0).
      - apply (all_dropped p arcs members shards paths once sizes HP q q0 qm). fold S.
        intros i j k k' Hi Hj Bi N Ok.
        destruct (kind_some S _ _ Hi) as (Ei & Li & _).
        assert (Di : In i (Done S s K m)) by (apply filter_In; split; auto; apply in_seq; lia).
        destruct (done_needs S positive s V m K i Di (makes k')) as [G|(j' & Dj & Mj & _)].
        + rewrite Ei, N. left. auto.
        + exfalso. unfold S, forwarding in G. simpl in G. apply in_map_iff in G.
          destruct G as ([v d] & G & _).
          unfold on_path in Ok. rewrite <- G in Ok. auto.
        + apply filter_In in Dj. destruct Dj as [Lj Bj]. apply in_seq in Lj.
          assert (Hj' : nth_error (tasks S) j' = Some (kind S j')) by (apply nth_error_nth'; lia).
          rewrite (same_place (tasks S) (made_once p arcs members shards paths once HP) j j' k' (kind S j') Hj
            Hj' Ok); auto.
      - intros j k Hj. apply kind_some in Hj. tauto. }
    apply Qle_trans with (sum (fun i => lasts (kind S i) * paid y (kind S i) + drop shards q (kind S i))
      (Done S s K m)).
    + apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi.
      assert (Hk : In (kind S i) (tasks S)) by (apply nth_In; lia).
      destruct (forwarding_task p arcs members shards paths HP _ Hk) as
        (v & d & a & x & Hv & Ha & U & L & N & Px & Pm & Ox & Om).
      rewrite (gain_arc shards sets v d a (kind S i) x), (lasts_paid p y d a) by auto.
      unfold drop. rewrite Om, (shard_size_in shards v d), N, Pm by auto. cbn [sum]. rewrite Px.
      specialize (fit a Ha). assert (0 < d) by eauto. nra.
    + rewrite sum_plus. lra.
Qed.
