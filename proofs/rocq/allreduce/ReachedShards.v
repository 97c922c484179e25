(** Allgather among all nodes has a throughput: the weight of a best packing of structures, a tree out of every owner for his
    shard, with prices and cuts of every shard that prove it (one-port, links, half-duplex where the graph is bipartite). *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched Require Sanity Names.
From Exactsched.existence Require Definitions Structures Broadcast Theorems.
From Exactsched.allreduce Require Import Calls Gossip Prices Known AllReduce Allgather AllgatherBound ShardsSound BestPairs OneSum.
Import ListNotations.
Open Scope Q_scope.

(** Prices of the resources that add up to T; for every shard cuts without its owner that the arcs into them can pay;
    weighted by the sizes of the shards they are together worth 1. *)
Definition shard_cuts_prove (p : ports) (nodes : list node) (arcs : list arc) (shards : list (node * Q)) (T : Q) : Prop :=
  exists y (rows : list (node * Q * list (list node * Q))), nonneg y /\ total y == T /\ map fst rows = shards /\
    (forall v d sets, In (v, d, sets) rows -> packing arc_call nodes arcs (toll p y) v goes_into sets) /\
    1 <= sum (fun row => snd (fst row) * sum snd (snd row)) rows.

Lemma leads_cross l (f : node -> bool) u v : leads l u v -> f u = false -> f v = true ->
  exists x z, In (x, z) l /\ f x = false /\ f z = true.
Proof.
  induction 1 as [|v w L IH I]; intros Fu Fv; [congruence|].
  destruct (f v) eqn:E; [auto|]. eauto.
Qed.

Section Shards.
Variables (p : ports) (nodes : list node) (arcs : list arc) (shards : list (node * Q)).
Hypothesis Net : network nodes arcs.
Hypothesis Once : NoDup (map fst shards).
Hypothesis Sizes : forall v d, In (v, d) shards -> In v nodes /\ 0 < d.
Let Ends := proj2 Net.
Let S := allgather p arcs nodes shards.

Lemma allgather_time : Definitions.takes_time S.
Proof.
  intros k Hk. apply allgather_task in Hk. destruct Hk as (v & d & a & Hv & Ha & ->). cbn.
  destruct (Sizes v d Hv), (Ends a Ha) as (_ & _ & C). now apply Qmult_lt_0_compat.
Qed.
Lemma allgather_at_arcs : Broadcast.at_arcs p arcs S.
Proof. intros k Hk. apply allgather_task in Hk. destruct Hk as (v & d & a & Hv & Ha & ->). left. exists a. auto. Qed.
Lemma allgather_to_do : shards <> [] -> Definitions.something_to_do S.
Proof.
  intros N. destruct shards as [|(v, d) l] eqn:E; [easy|]. destruct (proj1 Net) as (x & z & Hx & Hz & D).
  assert (exists u, In u nodes /\ u <> v) as (u & Hu & Nu) by (destruct (Z.eq_dec x v) as [->|]; [exists z|exists x]; auto).
  exists (At (Message v) u). split; [apply (wanted_all nodes ((v, d) :: l) v d u); auto; now left|].
  intros I. apply owned_at_owner in I. cbn in I. congruence.
Qed.

(** A tree for every shard makes a structure. *)
Definition tree_tasks (q : node * Q * list arc) : list task := map (transfer p (Message (fst (fst q))) (snd (fst q))) (snd q).
Lemma trees_structure (trees : list (node * Q * list arc)) : map fst trees = shards ->
  (forall v d O, In (v, d, O) trees -> incl O arcs /\ out_tree arc_call nodes v O) ->
  exists t, Definitions.structure S t /\ forall g : task -> Q, (forall k, In k (tasks S) -> 0 <= g k) ->
    sum (fun i => g (kind S i)) t <= sum (fun q => sum g (tree_tasks q)) trees.
Proof.
  intros Es Tr. set (items := flat_map tree_tasks trees).
  assert (Shard : forall v d O, In (v, d, O) trees -> In (v, d) shards).
  { intros v d O H. rewrite <- Es. apply in_map_iff. exists (v, d, O). auto. }
  destruct (choose (fun k i => (i < length (tasks S))%nat /\ kind S i = k) items) as (D & F).
  { intros k Hk. apply in_flat_map in Hk. destruct Hk as (((v & d) & O) & H & Hk). apply in_map_iff in Hk. destruct Hk as (a & <- & Ha).
    assert (I : In (transfer p (Message v) d a) (tasks S)).
    { apply in_flat_map. exists (v, d). split; [eapply Shard; eauto|]. apply in_map. now apply (Tr v d O H). }
    apply (In_nth _ _ (Task [] 0 [] (At (Message 0) 0))) in I. destruct I as (i & Li & Ei). exists i. split; [exact Li|exact Ei]. }
  assert (Have : forall k, In k items -> exists i, In i D /\ kind S i = k).
  { clear - F. induction F as [|k i l m (_ & E) F IH]; [easy|]. intros x [<-|H]; [exists i; split; [now left|auto]|].
    destruct (IH x H) as (j & Hj & Ej). exists j. split; [now right|auto]. }
  assert (Range : forall i, In i D -> (i < length (tasks S))%nat).
  { clear - F. induction F as [|k i l m (L & _) F IH]; [easy|]. intros j [<-|H]; auto. }
  assert (Same : forall g : task -> Q, sum (fun i => g (kind S i)) D == sum g items).
  { intros g. clear - F. induction F as [|k i l m (_ & E) F IH]; [reflexivity|]. cbn [sum]. now rewrite IH, E. }
  destruct (Structures.structure_within S D Range) as (t & St & I).
  - intros X Given (x & Hx & Xx). apply in_flat_map in Hx. destruct Hx as ((v & d) & Hv & Hx). apply in_map_iff in Hx.
    destruct Hx as (u & <- & Hu). assert (exists O, In (v, d, O) trees) as (O & HO).
    { rewrite <- Es in Hv. apply in_map_iff in Hv. destruct Hv as ((vd & O) & E & H). cbn in E. subst vd. eauto. }
    destruct (Tr v d O HO) as (_ & Sp & _). specialize (Sp u Hu).
    destruct (leads_cross _ (fun w => X (At (Message v) w)) _ _ Sp) as (x & z & Hc & Fx & Fz); auto.
    { apply Given. apply in_map_iff. exists (v, d). split; auto. }
    apply in_map_iff in Hc. destruct Hc as (a & Ea & Ha). injection Ea as <- <-.
    destruct (Have (transfer p (Message v) d a)) as (i & Hi & Ei).
    { apply in_flat_map. exists (v, d, O). split; auto. apply (in_map (transfer p (Message v) d)), Ha. }
    exists i. split; auto. rewrite Ei. split; [exact Fz|]. intros w [<-|[]]. exact Fx.
  - exists t. split; auto. intros g Hg. apply Qle_trans with (sum (fun i => g (kind S i)) D).
    + apply sum_incl; auto; [|apply (Structures.grows_facts S t), St]. intros i Hi. apply Hg, nth_In. auto.
    + rewrite Same. unfold items. rewrite sum_flat_map. lra.
Qed.

Hypothesis Some : shards <> [].
Hypothesis Spread : forall v d, In (v, d) shards -> spreads arc_call nodes v arcs.
Hypothesis Bipartite : Definitions.bipartite p arcs.

Lemma allgather_structure : exists t, Definitions.structure S t.
Proof.
  destruct (choose (fun (vd : node * Q) q => fst q = vd /\ incl (snd q) arcs /\ out_tree arc_call nodes (fst vd) (snd q)) shards) as (trees & F).
  { intros (v & d) H. destruct (spreads_tree arc_call nodes v arcs (Spread v d H)) as (O & I & TO). exists (v, d, O). auto. }
  destruct (trees_structure trees) as (t & St & _); [| |eauto].
  - clear - F. induction F as [|vd q l m (E & _) F IH]; [reflexivity|]. cbn. now rewrite E, IH.
  - intros v d O H. clear - F H. induction F as [|vd q l m (E & I & TO) F IH]; [easy|]. destruct H as [->|H]; auto.
    cbn in E. subst vd. auto.
Qed.

(** There is a throughput. *)
Theorem allgather_throughput_exists : exists T, throughput S T.
Proof.
  apply (Theorems.throughput_exists S); [exact allgather_time| |now apply allgather_to_do|exact allgather_structure].
  intros k. apply (Broadcast.at_arcs_uses p arcs). exact allgather_at_arcs.
Qed.
(** It is T if and only if a best packing of structures weighs T. *)
Theorem allgather_throughput_is_packing T : throughput S T <-> Definitions.best_packing S T.
Proof.
  apply Theorems.throughput_is_packing; [exact allgather_time| |now apply allgather_to_do|exact allgather_structure].
  apply (Broadcast.at_arcs_two_sided p arcs); auto. exact allgather_at_arcs.
Qed.
(** Prices, and cuts of every shard, prove it: the bound misses nothing. *)
Theorem allgather_throughput_is_priced T : throughput S T -> shard_cuts_prove p nodes arcs shards T.
Proof.
  intros Th. destruct (Theorems.throughput_has_prices S T allgather_time) as ((y & Ny & E & Pay) & _); auto.
  { apply (Broadcast.at_arcs_two_sided p arcs); auto. exact allgather_at_arcs. }
  { now apply allgather_to_do. }
  set (Y := Prices y []) in *.
  destruct (choose (fun (vd : node * Q) (q : node * Q * list (list node * Q) * list arc) => fst (fst q) = vd /\ incl (snd q) arcs /\
    out_tree arc_call nodes (fst vd) (snd q) /\ packing arc_call nodes arcs (toll p Y) (fst vd) goes_into (snd (fst q)) /\
    sum snd (snd (fst q)) == sum (toll p Y) (snd q)) shards) as (found & F).
  { intros (v & d) H. destruct (tree_and_cuts nodes arcs arc_call (toll p Y) v) as (O & sets & IO & TO & PO & EO).
    - intros a Ha. destruct (Ends a Ha) as (? & ? & _). auto.
    - intros a Ha. apply toll_nonneg; auto. apply Ends, Ha.
    - apply (Sizes v d H).
    - exact (Spread v d H).
    - exists (v, d, sets, O). cbn. auto. }
  assert (Each : forall q, In q found -> In (fst (fst q)) shards /\ incl (snd q) arcs /\
    out_tree arc_call nodes (fst (fst (fst q))) (snd q) /\ packing arc_call nodes arcs (toll p Y) (fst (fst (fst q))) goes_into (snd (fst q)) /\
    sum snd (snd (fst q)) == sum (toll p Y) (snd q)).
  { clear - F. induction F as [|vd q l m (E & R) F IH]; [easy|]. intros x [<-|H].
    - rewrite E. split; [now left|exact R].
    - destruct (IH x H) as (I & R'). split; [now right|exact R']. }
  assert (Names : map (fun q => fst (fst q)) found = shards).
  { clear - F. induction F as [|vd q l m (E & _) F IH]; [reflexivity|]. cbn. now rewrite E, IH. }
  exists Y, (map fst found). split; [exact Ny|]. split; [exact E|]. split; [now rewrite map_map|]. split.
  - intros v d sets H. apply in_map_iff in H. destruct H as (q & Eq & H). destruct (Each q H) as (_ & _ & _ & P & _). now rewrite Eq in P.
  - destruct (trees_structure (map (fun q => (fst (fst q), snd q)) found)) as (t & St & Le).
    + rewrite map_map. exact Names.
    + intros v d O H. apply in_map_iff in H. destruct H as (q & Eq & H). injection Eq as Eq <-.
      destruct (Each q H) as (_ & I & TO & _). now rewrite Eq in TO.
    + eapply Qle_trans; [apply (Pay t St)|]. unfold Definitions.cost_of.
      eapply Qle_trans; [apply (Le (fun k => lasts k * paid Y k))|].
      * intros k Hk. apply Qmult_le_0_compat; [apply Qlt_le_weak, allgather_time, Hk|now apply paid_nonneg].
      * rewrite !sum_map. apply Qle_lteq. right. apply sum_eq. intros q Hq. destruct (Each q Hq) as (_ & _ & _ & _ & Eq).
        rewrite Eq, <- sum_scale. unfold tree_tasks. rewrite sum_map. cbn [fst snd]. apply sum_eq. intros a _.
        apply (lasts_paid p Y); reflexivity.
Qed.
(** They do prove it. *)
Theorem shard_cuts_never_more T : shard_cuts_prove p nodes arcs shards T -> never_more S T.
Proof.
  intros (y & rows & Ny & E & Er & P & One) s M K HK V Co.
  pose proof (shards_bound p arcs nodes y rows) as B. cbv zeta in B. rewrite Er in B.
  assert (L : count M * sum (fun row => snd (fst row) * sum snd (snd row)) rows <= K * total y).
  { apply (B (fun a Ha => proj2 (proj2 (Ends a Ha))) Once (fun v d H => proj2 (Sizes v d H)) Ny P s M K HK V Co). }
  assert (0 <= count M) by (unfold count; change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia). rewrite E in L. nra.
Qed.
End Shards.

(** ** Examples *)
(** Two nodes with a link each way exchange their shards: once per time unit. *)
Definition both_ways : list arc := [Arc 0 1 1; Arc 1 0 1].
Definition halves : list (node * Q) := [(0%Z, 1); (1%Z, 1)].
Lemma both_ways_network : network [0; 1]%Z both_ways.
Proof.
  split; [exists 0%Z, 1%Z; cbn; intuition discriminate|]. intros a H.
  repeat destruct H as [<-|H]; [..|easy]; cbn; (split; [tauto|split; [tauto|lra]]).
Qed.
Lemma halves_once : NoDup (map fst halves).
Proof. repeat constructor; cbn; intuition discriminate. Qed.
Lemma halves_sizes v d : In (v, d) halves -> In v [0; 1]%Z /\ 0 < d.
Proof. intros H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <-; (split; [cbn; tauto|lra]). Qed.
Lemma halves_spread v d : In (v, d) halves -> spreads arc_call [0; 1]%Z v both_ways.
Proof.
  intros [E|[E|[]]]; injection E as <- <-; intros u [<-|[<-|[]]]; try constructor.
  - apply Calls.along with 0%Z; [constructor|left; reflexivity].
  - apply Calls.along with 1%Z; [constructor|right; left; reflexivity].
Qed.
(** Half a time unit of each link pays for the cuts of both shards. *)
Example halves_cuts : shard_cuts_prove Links [0; 1]%Z both_ways halves 1.
Proof.
  exists (Prices [(Link 0 1, 1 # 2); (Link 1 0, 1 # 2)] []), [(0%Z, 1, [([1%Z], 1 # 2)]); (1%Z, 1, [([0%Z], 1 # 2)])].
  split; [split; [|easy]|split; [reflexivity|split; [reflexivity|split; [|vm_compute; discriminate]]]].
  - intros r q H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <-; lra.
  - intros v d sets H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <- <-; split;
      try (intros Y w HY; destruct HY as [HY|[]]; injection HY as <- <-; split; [lra|split; [cbn; intuition discriminate|]]);
      try (intros a Ha; repeat destruct Ha as [<-|Ha]; [..|easy]; vm_compute; discriminate).
    + exists 1%Z. cbn. auto.
    + exists 0%Z. cbn. auto.
Qed.
Example halves_reach_one : throughput (allgather Links both_ways [0; 1]%Z halves) 1.
Proof.
  assert (Some : halves <> []) by discriminate. assert (Bi : Definitions.bipartite Links both_ways) by discriminate.
  destruct (allgather_throughput_exists Links _ _ _ both_ways_network halves_once halves_sizes Some halves_spread) as (T & Th).
  pose proof (shard_cuts_never_more Links _ _ _ both_ways_network halves_once halves_sizes 1 halves_cuts) as N.
  assert (Le : T <= 1) by (destruct Th as (_ & C & R); exact (Sanity.reached_at_most_never_more _ _ _ _ N R)).
  destruct (proj1 (allgather_throughput_is_packing Links _ _ _ both_ways_network halves_once halves_sizes Some halves_spread Bi T) Th) as (_ & Most).
  assert (Ge : Definitions.value [(1, [0%nat; 3%nat])] <= T).
  - apply Most. split.
    + intros x t [E|[]]. injection E as <- <-. split; [lra|]. apply Structures.structureb_spec. reflexivity.
    + intros r. unfold Definitions.load. cbn [sum fst snd].
      destruct (Names.resource_eqb r (Link 0 1)) eqn:E1; [apply Names.resource_eqb_eq in E1; subst r; vm_compute; discriminate|].
      unfold uses_it. cbn. rewrite E1. destruct (Names.resource_eqb r (Link 1 0)); cbn; lra.
  - apply (Sanity.throughput_eq _ T); [|exact Th]. unfold Definitions.value in Ge. cbn in Ge. lra.
Qed.
(** Prices and cuts cannot prove less. *)
Example halves_no_cuts : ~ shard_cuts_prove Links [0; 1]%Z both_ways halves (1 # 2).
Proof.
  intros P. apply shard_cuts_never_more in P; [|exact both_ways_network|exact halves_once|exact halves_sizes].
  destruct halves_reach_one as (_ & C & R). pose proof (Sanity.reached_at_most_never_more _ _ _ _ P R). lra.
Qed.
(** Wrong: that sizes do not matter. If the shard of 1 is twice as large, 1 is not the throughput. *)
Example sizes_matter : ~ throughput (allgather Links both_ways [0; 1]%Z [(0%Z, 1); (1%Z, 2)]) 1.
Proof.
  intros (_ & C & R). assert (N : never_more (allgather Links both_ways [0; 1]%Z [(0%Z, 1); (1%Z, 2)]) (1 / 2)).
  - apply (bottleneck_never_more both_ways [0; 1]%Z [(0%Z, 1); (1%Z, 2)] [0%Z]).
    + intros a Ha. apply both_ways_network, Ha.
    + exact halves_once.
    + intros v d H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <-; lra.
    + exists 0%Z. cbn. auto.
    + reflexivity.
  - apply (Qle_not_lt _ _ (Sanity.reached_at_most_never_more _ _ _ _ N R)). reflexivity.
Qed.
