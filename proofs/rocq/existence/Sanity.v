(** Every theorem is used once, and each hypothesis is needed: a small example refutes the theorem without it.
  *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched Require Sanity.
From Exactsched.existence Require Import Definitions Finite Structures Edmonds Capacities Cuts AnySystem
  Broadcast Links Completeness Theorems.
Import ListNotations.
Open Scope Q_scope.

(** ** König *)
Definition fork := [Edge 0 1 1; Edge 0 2 2].
Example fork_in_3 : exists slots, decomposed fork 3 slots.
Proof.
  apply koenig_weighted. lra. intros e [<-|[<-|[]]]; simpl; lra. intros x. unfold weight_at, fork. simpl.
  destruct x as [|[[]|[]|]|[]]; simpl; lra.
Qed.
(** The largest edge is not enough. *)
Example fork_not_in_2 : ~ exists slots, decomposed fork 2 slots.
Proof.
  intros H. destruct (proj1 (koenig_weighted fork 2 ltac:(lra) ltac:(intros e [<-|[<-|[]]]; simpl; lra)) H 0%Z)
    as [L _].
  unfold weight_at in L. simpl in L. lra.
Qed.
Example fork_few : exists slots, decomposed fork 3 slots /\ (length slots <= 2)%nat.
Proof.
  apply (koenig_few_matchings fork 3). intros e [<-|[<-|[]]]; simpl; lra. intros x. unfold weight_at, fork.
    simpl.
  destruct x as [|[[]|[]|]|[]]; simpl; lra. exists 0%Z. left. reflexivity.
Qed.
(** Fewer than two matchings are not enough: both edges are at node 0. *)
Example fork_not_one d m : ~ decomposed fork 3 [(d, m)].
Proof.
  intros (Sm & _ & Sv). destruct (Sm d m) as (Hd & _ & _ & M); [left; auto|].
  pose proof (Sv 0%nat _ eq_refl) as S0. pose proof (Sv 1%nat _ eq_refl) as S1. unfold served in S0, S1. simpl
    in S0, S1.
  destruct (listed 0 m) eqn:E0; [|simpl in S0; lra]. destruct (listed 1 m) eqn:E1; [|simpl in S1; lra].
  apply listed_in in E0, E1. destruct (M 0%nat 1%nat _ _ E0 E1 ltac:(lia) eq_refl eq_refl) as [L _]. apply L.
    reflexivity.
Qed.

(** ** Edmonds *)
Definition two := [0; 1]%Z.
Definition pair := [Arc 0 1 2; Arc 0 1 3].
Lemma pair_graph : graph two pair 0.
Proof. split. left; auto. intros a [<-|[<-|[]]]; simpl; auto. Qed.
Lemma only_1 X : root_cut two 0 X -> X 0%Z = false /\ X 1%Z = true.
Proof. intros (H0 & v & [<-|[<-|[]]] & Hv); auto. congruence. Qed.
Example pair_two_trees : exists trees, length trees = 2%nat /\ (forall t, In t trees -> spanning two pair 0 t)
  /\
  NoDup (concat trees).
Proof.
  apply edmonds_disjoint. apply pair_graph. intros X HX. destruct (only_1 X HX) as [H0 H1].
  unfold entering, goes_in. simpl. rewrite H0, H1. simpl. auto.
Qed.
(** As many arcs as three trees need are not there, whatever the nodes are. *)
Example pair_not_three : ~ exists trees, length trees = 3%nat /\ (forall t, In t trees -> spanning two pair 0
  t) /\
  NoDup (concat trees).
Proof.
  intros H. pose proof (proj1 (edmonds_disjoint two pair 0 3 pair_graph) H) as Cut.
  assert (C : root_cut two 0 (Z.eqb 1)) by (split; [reflexivity|exists 1%Z; simpl; auto]).
  specialize (Cut _ C). compute in Cut. lia.
Qed.
Example pair_capacities : exists trees, length trees = 5%nat /\ (forall t, In t trees -> spanning two pair 0 t)
  /\
  forall i, (i < 2)%nat -> (trees_with i trees <= nth i [2; 3] 0)%nat.
Proof.
  apply (edmonds_with_capacities two pair 0 (fun i => nth i [2; 3] 0)%nat 5 pair_graph).
  intros X HX. destruct (only_1 X HX) as [H0 H1]. unfold into, goes_in. simpl. rewrite H0, H1. simpl. auto.
Qed.
Example pair_not_six : ~ exists trees, length trees = 6%nat /\ (forall t, In t trees -> spanning two pair 0 t)
  /\
  forall i, (i < length pair)%nat -> (trees_with i trees <= nth i [2; 3] 0)%nat.
Proof.
  intros H. pose proof (proj2 (edmonds_with_capacities two pair 0 (fun i => nth i [2; 3] 0)%nat 6 pair_graph)
    H) as Cut.
  assert (C : root_cut two 0 (Z.eqb 1)) by (split; [reflexivity|exists 1%Z; simpl; auto]).
  specialize (Cut _ C). compute in Cut. lia.
Qed.
Example pair_rates : exists l, trees_of_weight two pair 0 l /\ value l == 1 /\
  forall i, (i < 2)%nat -> served i l <= 1 # 2.
Proof.
  apply (edmonds_with_rates two pair 0 (fun _ => 1 # 2) 1 pair_graph). intros; lra. lra.
  intros X HX. destruct (only_1 X HX) as [H0 H1]. unfold into, goes_in. simpl. rewrite H0, H1. simpl. lra.
Qed.
(** The first arc is a tree. *)
Lemma pair_tree : spanning two pair 0 [0%nat].
Proof.
  exists [1; 0]%Z. split. apply (reaches_arc pair 0 [0%Z] [] 0 (Arc 0 1 2)); simpl; auto. constructor. intros
    [E|[]]. discriminate.
  intros v [<-|[<-|[]]]; simpl; auto.
Qed.
Example pair_few : exists l', trees_of_weight two pair 0 l' /\ value l' == 1 /\ (length l' <= 2)%nat.
Proof.
  destruct (few_arborescences two pair 0 [(1, [0%nat])]) as (l' & H1 & H2 & _ & H3).
  - apply pair_graph.
  - repeat constructor; simpl; intuition lia.
  - intros x t [E|[]]. injection E as <- <-. split. lra. apply pair_tree.
  - reflexivity.
  - exists l'. split; auto. split. rewrite H2. reflexivity. simpl in H3. lia.
Qed.
(** m - n + 1 trees are too few: two arcs that carry 1/2 each need both trees. *)
Lemma second_tree : spanning two pair 0 [1%nat].
Proof.
  exists [1; 0]%Z. split. apply (reaches_arc pair 0 [0%Z] [] 1 (Arc 0 1 3)); simpl; auto. constructor. intros
    [E|[]]. discriminate.
  intros v [<-|[<-|[]]]; simpl; auto.
Qed.
Example one_too_few : let l := [(1 # 2, [0%nat]); (1 # 2, [1%nat])] in trees_of_weight two pair 0 l /\ 0 <
  value l /\
  ~ exists l', trees_of_weight two pair 0 l' /\ (forall i, (i < 2)%nat -> served i l' == served i l) /\
    (length l' + length two <= length pair + 1)%nat.
Proof.
  intros l. split; [|split].
  - intros x t [E|[E|[]]]; injection E as <- <-; split; try lra. apply pair_tree. apply second_tree.
  - reflexivity.
  - intros (l' & Tl & Sv & L). pose proof (Sv 0%nat ltac:(lia)) as S0. pose proof (Sv 1%nat ltac:(lia)) as S1.
    destruct l' as [|[x t] [|]]; simpl in L; try lia; unfold served, l in S0, S1; simpl in S0, S1; [lra|].
    destruct (Tl x t) as [_ St]; [left; auto|].
    assert (One : sum (fun i => bit (listed i t && (head (arc_of pair i) =? 1)%Z)) (numbers pair) == 1).
    { apply (FewStructures.one_arc_in two pair 0); try discriminate; auto using pair_graph; simpl; auto. }
    simpl in One. destruct (listed 0 t), (listed 1 t); unfold bit in One; simpl in *; lra.
Qed.
(** The cheapest tree costs 2, and the cut weighs 2. *)
Example pair_cuts : exists cuts, cut_packing two pair 0 (fun i => cost (arc_of pair i)) cuts /\ 2 <= sum snd
  cuts.
Proof.
  apply (fulkerson two pair 0 (fun i => cost (arc_of pair i)) [0%nat] 2 pair_graph).
  - intros i Hi. destruct i as [|[|i]]; simpl in *; try lra. lia.
  - apply pair_tree.
  - lra.
  - intros t St. assert (C : root_cut two 0 (Z.eqb 1)) by (split; [reflexivity|exists 1%Z; simpl; auto]).
    destruct (tree_enters two pair 0 t (Z.eqb 1) St C) as (i & Hi & Li & _).
    eapply Qle_trans; [|apply (sum_member (fun i => cost (arc_of pair i)) t i); auto].
    + destruct i as [|[|i]]; simpl in *; try lra. lia.
    + intros j Hj. apply (spanning_numbers _ _ _ _ _ St) in Hj. destruct j as [|[|j]]; simpl in *; try lra. lia.
Qed.
(** Cuts never weigh more than a tree costs. *)
Example pair_no_more : ~ exists cuts, cut_packing two pair 0 (fun i => cost (arc_of pair i)) cuts /\ 3 <= sum
  snd cuts.
Proof.
  intros (cuts & P & L). pose proof (cuts_at_most_tree two pair 0 _ cuts [0%nat] P pair_tree) as U.
  simpl in U. lra.
Qed.

(** ** Duality: the best of x <= 2 is 2. *)
Example greatest_two : exists x y : unit -> Q, x tt <= 2 /\ 0 <= y tt /\ y tt == 1 /\ x tt == 2 * y tt.
Proof.
  assert (eq1 : forall i k : unit, {i = k} + {i <> k}) by decide equality.
  destruct (strong_duality eq1 eq1 [tt] [tt] (fun _ _ => 1) (fun _ => 2) (fun _ => 1) (fun _ => 0) 2) as (x & y
    & P & Hy & Hc & V).
  - repeat constructor; auto.
  - repeat constructor; auto.
  - intros i _. simpl. lra.
  - intros x P. specialize (P tt (or_introl eq_refl)). simpl in *. lra.
  - exists x, y. specialize (P tt (or_introl eq_refl)). specialize (Hy tt (or_introl eq_refl)).
    specialize (Hc tt (or_introl eq_refl)). simpl in *. repeat split; auto; lra.
Qed.
(** Without a bound there is no best point: x >= 0. *)
Example no_greatest : ~ exists x y : unit -> Q, (forall i, In i [tt] -> 0 <= y i) /\
  (forall j, In j [tt] -> sum (fun i => y i * -1) [tt] == 1) /\ 0 <= x tt.
Proof. intros (x & y & H & E & _). specialize (H tt (or_introl eq_refl)). specialize (E tt (or_introl
  eq_refl)). simpl in E. lra. Qed.

(** ** Throughput *)
Definition one_arc := [Arc 0 1 2].
Lemma one_arc_graph : graph two one_arc 0.
Proof. split. left; auto. intros a [<-|[]]. simpl; auto. Qed.
Lemma one_arc_costs a : In a one_arc -> 0 < cost a.
Proof. intros [<-|[]]. reflexivity. Qed.
(** One arc of cost 2 over links: the only cut is 1/2 wide. *)
Example link_half : throughput (broadcast Links two one_arc 0) (1 # 2).
Proof.
  apply link_broadcast.
  - apply one_arc_graph.
  - apply one_arc_costs.
  - repeat constructor; auto.
  - reflexivity.
  - intros X HX. destruct (only_1 X HX) as [H0 H1]. unfold width, into, one_arc, goes_in. simpl. rewrite H0,
    H1. simpl.
    apply Qle_bool_iff. reflexivity.
  - exists (Z.eqb 1). split. split; [reflexivity|exists 1%Z; simpl; auto]. reflexivity.
Qed.
(** Parallel arcs are one link: the cut is 1/2 + 1/3 wide, and no packing has this value. *)
Example parallel_arcs : ~ throughput (broadcast Links two pair 0) (5 # 6).
Proof.
  set (S := broadcast Links two pair 0). assert (costs : forall a, In a pair -> 0 < cost a) by (intros a
    [<-|[<-|[]]]; reflexivity).
  assert (pos : takes_time S) by (apply broadcast_time; auto). intros Th. apply throughput_is_packing in Th;
    auto.
  - destruct Th as [(l & (Pt & Pr) & V) _]. specialize (Pr (Link 0 1)).
    assert (L : 2 * value l <= sum (fun xt => fst xt * load S (Link 0 1) (snd xt)) l); [|lra].
    unfold value. rewrite <- sum_scale. apply sum_le. intros [x t] I. cbn [fst snd]. destruct (Pt x t I) as [Hx
      St].
    assert (C : root_cut two 0 (Z.eqb 1)) by (split; [reflexivity|exists 1%Z; simpl; auto]).
    destruct (structure_enters Links two pair 0 t _ St C) as (i & Hi & Li & _).
    assert (L2 : 2 <= load S (Link 0 1) t); [|nra].
    eapply Qle_trans; [|apply (load_member S pos (Link 0 1) t i St Hi)].
    + destruct i as [|[|i]]; [apply Qle_bool_iff; reflexivity|apply Qle_bool_iff; reflexivity|simpl in Li; lia].
    + destruct i as [|[|i]]; [left; auto|left; auto|simpl in Li; lia].
  - apply (at_arcs_two_sided Links pair). intros E; discriminate. apply broadcast_at_arcs.
  - apply (broadcast_to_do Links two pair 0 1). simpl; auto. lia.
  - exists [0%nat]. apply structureb_spec. reflexivity.
Qed.
Lemma triangle_graph : graph [0; 1; 2]%Z Sanity.triangle 0.
Proof. split. left; auto. intros a [<-|[<-|[<-|[<-|[]]]]]; simpl; auto. Qed.
Lemma triangle_costs a : In a Sanity.triangle -> 0 < cost a.
Proof. intros [<-|[<-|[<-|[<-|[]]]]]; reflexivity. Qed.
(** The triangle has a one-port throughput; it is 1 (../Sanity.v), and prices and cuts for it exist. *)
Example triangle_exists : exists T, throughput (broadcast OnePort [0; 1; 2]%Z Sanity.triangle 0) T.
Proof.
  apply (broadcast_exists OnePort [0; 1; 2]%Z Sanity.triangle 0 1).
  - apply triangle_graph.
  - apply triangle_costs.
  - simpl; auto.
  - lia.
  - intros X (H0 & v & [<-|[<-|[<-|[]]]] & Xv); [congruence| |].
    + exists (Arc 0 1 1). split. left; auto. unfold goes_in. simpl. rewrite H0, Xv. auto.
    + exists (Arc 0 2 1). split. right; left; auto. unfold goes_in. simpl. rewrite H0, Xv. auto.
Qed.
Example triangle_cuts : let S := broadcast OnePort [0; 1; 2]%Z Sanity.triangle 0 in
  exists y cuts, nonneg y /\ proper_cuts S cuts /\ (forall k, In k (tasks S) -> crossed cuts k <= lasts k *
    paid y k) /\
    total y == 1 /\ 1 <= sum snd cuts.
Proof.
  apply (broadcast_has_cuts OnePort [0; 1; 2]%Z Sanity.triangle 0 1).
  - apply triangle_graph.
  - apply triangle_costs.
  - intros E. discriminate.
  - simpl; auto.
  - lia.
  - apply Sanity.one_port_triangle.
Qed.
(** A node that no arc enters: no throughput. *)
Example unreached : ~ exists T, throughput (broadcast OnePort two [] 0) T.
Proof.
  intros H. assert (G : graph two [] 0) by (split; [left; auto|easy]).
  destruct (proj1 (broadcast_exists OnePort two [] 0 1 G ltac:(easy) ltac:(simpl; auto) ltac:(lia)) H (Z.eqb
    1))
    as (a & [] & _). split; [reflexivity|exists 1%Z; simpl; auto].
Qed.
(** A plan for half-duplex on the triangle exists, as its throughput is 1/2. *)
Example triangle_plan : exists l d, plan (broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0) l d /\ value l ==
  1 # 2.
Proof.
  apply throughput_has_plan.
  - apply broadcast_time. apply triangle_costs.
  - intros k. apply (at_arcs_uses HalfDuplex Sanity.triangle). apply broadcast_at_arcs.
  - apply (broadcast_to_do HalfDuplex [0; 1; 2]%Z Sanity.triangle 0 1). simpl; auto. lia.
  - apply Sanity.half_duplex_triangle.
Qed.
(** Prices of tasks for 1/2 exist, but none for 2/5. *)
Lemma triangle_uses k : In k (tasks (broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0)) -> uses k <> [].
Proof. apply (at_arcs_uses HalfDuplex Sanity.triangle). apply broadcast_at_arcs. Qed.
Example triangle_task_prices : exists q, task_prices_prove (broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0)
  q (1 # 2).
Proof.
  apply throughput_has_task_prices.
  - apply broadcast_time. apply triangle_costs.
  - apply triangle_uses.
  - apply (broadcast_to_do HalfDuplex [0; 1; 2]%Z Sanity.triangle 0 1). simpl; auto. lia.
  - apply Sanity.half_duplex_triangle.
Qed.
Example triangle_no_task_prices q : ~ task_prices_prove (broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0) q
  (2 # 5).
Proof.
  intros P. apply task_prices_never_more in P.
  - destruct Sanity.half_duplex_triangle as [_ (C & R)].
    pose proof (Sanity.reached_at_most_never_more _ _ _ _ P R) as L. lra.
  - apply broadcast_time. apply triangle_costs.
  - apply triangle_uses.
Qed.
(** Half-duplex on the triangle can be carried out, and no plan is worth more than 1/2. *)
Example triangle_structure : exists t, structure (broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0) t.
Proof.
  apply throughput_exists.
  - apply broadcast_time. apply triangle_costs.
  - apply triangle_uses.
  - apply (broadcast_to_do HalfDuplex [0; 1; 2]%Z Sanity.triangle 0 1). simpl; auto. lia.
  - exists (1 # 2). apply Sanity.half_duplex_triangle.
Qed.
Example triangle_plans l d : plan (broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0) l d -> 0 < value l ->
  value l <= 1 # 2.
Proof.
  intros P V. apply (plan_never_more (broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0) l d); auto.
  - apply broadcast_time. apply triangle_costs.
  - apply Sanity.half_duplex_triangle.
Qed.
(** A whole message every 2 on the arc of cost 2: the constant is one period. *)
Example one_arc_period : reached (broadcast Links two one_arc 0) (count 1 / 2) (count 1 * 2).
Proof.
  apply (whole_periods (broadcast Links two one_arc 0) [(1%nat, [0%nat])]).
  - apply broadcast_time, one_arc_costs.
  - apply (at_arcs_two_sided Links one_arc). intros E. discriminate. apply broadcast_at_arcs.
  - intros k t [E|[]]. injection E as <- <-. apply structureb_spec. reflexivity.
  - reflexivity.
  - simpl. lia.
  - intros r. unfold load, count. simpl. destruct (uses_it r _); apply Qle_bool_iff; reflexivity.
Qed.
(** Runs of broadcasts on the triangle. *)
Example triangle_runs : exists C, forall M, let S := broadcast OnePort [0; 1; 2]%Z Sanity.triangle 0 in
  takes_at_least S M (count M / 1) /\ done_by S M (count M / 1 + C).
Proof. apply asymptotic_optimality, Sanity.one_port_triangle. Qed.
(** The scatter of ../Sanity.v has potentials for 1/3, and none for 1/4. *)
Definition two_messages := [Demand 0 1 1; Demand 0 2 2].
Lemma two_amounts x : In x two_messages -> 0 < amount x.
Proof. intros [<-|[<-|[]]]; reflexivity. Qed.
Example scatter_potentials : potentials_prove (alltoall OnePort Sanity.triangle two_messages) (1 # 3).
Proof.
  apply (alltoall_has_potentials _ _ _ (Demand 0 1 1)).
  - apply triangle_costs.
  - apply two_amounts.
  - intros E. discriminate.
  - left. auto.
  - simpl. lia.
  - apply Sanity.scatter_triangle.
Qed.
Example scatter_no_potentials : ~ potentials_prove (alltoall OnePort Sanity.triangle two_messages) (1 # 4).
Proof.
  intros P. apply potentials_bound in P.
  - destruct Sanity.scatter_triangle as [_ (C & R)].
    pose proof (Sanity.reached_at_most_never_more _ _ _ _ P R) as L. lra.
  - apply alltoall_time. apply triangle_costs. apply two_amounts.
  - apply alltoall_fits.
Qed.
(** So no packing of paths weighs more than 1/3, and one weighs as much. *)
Example scatter_paths : best_packing (scatter OnePort Sanity.triangle 0 [(1%Z, 1); (2%Z, 2)]) (1 # 3) /\
  potentials_prove (scatter OnePort Sanity.triangle 0 [(1%Z, 1); (2%Z, 2)]) (1 # 3).
Proof.
  destruct (scatter_throughput OnePort Sanity.triangle 0 [(1%Z, 1); (2%Z, 2)] 1 1 (1 # 3)) as ((P & _) & Q).
  - apply triangle_costs.
  - intros v z [E|[E|[]]]; injection E as <- <-; reflexivity.
  - discriminate.
  - left. auto.
  - discriminate.
  - apply (Reached.throughput_structure _ (1 # 3)). { apply (alltoall_time OnePort Sanity.triangle two_messages). apply triangle_costs. apply two_amounts. }
    apply Sanity.scatter_triangle.
  - split; [apply P|apply Q]; apply Sanity.scatter_triangle.
Qed.
(** Wrong: that a scatter to the source alone has a best packing, too. *)
Example scatter_to_itself : ~ exists T, best_packing (scatter OnePort Sanity.triangle 0 [(0%Z, 1)]) T.
Proof.
  intros (T & (_ & Most)). assert (L : value [(Qminmax.Qmax T 0 + 1, [])] <= T).
  - apply Most. split.
    + intros x t [E|[]]. injection E as <- <-. split; [pose proof (Qminmax.Q.le_max_r T 0); lra|]. apply structureb_spec. reflexivity.
    + intros r. cbn. lra.
  - unfold value in L. cbn [sum fst] in L. pose proof (Qminmax.Q.le_max_l T 0). lra.
Qed.
Example reduce_potentials : potentials_prove (reduce OnePort Sanity.triangle (fun _ _ => 1) Sanity.sums_at_1
  [0; 1; 2]%Z 1) (1 # 2).
Proof.
  apply reduce_has_potentials.
  - apply triangle_costs.
  - intros. reflexivity.
  - intros c [<-|[<-|[<-|[<-|[]]]]]; simpl; split; try lia; reflexivity.
  - intros E. discriminate.
  - simpl. lia.
  - apply Sanity.reduce_triangle.
Qed.
(** Nothing to do: no throughput, since any number of operations is complete at time 0. *)
Example nothing_to_do : ~ exists T, throughput (broadcast OnePort [0%Z] [] 0) T.
Proof.
  intros (T & N & _). assert (E : count 1 <= T * 0).
  { apply (N [] 1%nat 0). lra. split. easy. constructor. intros m x _ [<-|[]]. left. left. auto. }
  rewrite Qmult_0_r in E. apply Qle_not_lt in E. apply E. reflexivity.
Qed.
(** Half-duplex on a triangle is not two-sided: there are structures that pack with weight 2/3 into the ports,
    and the throughput is 1/2 (../Sanity.v). *)
Example loads_are_not_enough : let S := broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0 in
  throughput S (1 # 2) /\ ~ best_packing S (1 # 2).
Proof.
  intros S. split. apply Sanity.half_duplex_triangle. intros [_ Max].
  assert (P : packing S [(1 # 3, [2; 0]%nat); (1 # 3, [3; 1]%nat)]).
  { split.
    - intros x t [E|[E|[]]]; injection E as <- <-; split; try (apply Qle_bool_iff; reflexivity);
        apply structureb_spec; vm_compute; reflexivity.
    - intros r. destruct (in_dec Throughput.resource_eq_dec r [Port 0; Port 1; Port 2]) as [I|N].
      + destruct I as [<-|[<-|[<-|[]]]]; apply Qle_bool_iff; vm_compute; reflexivity.
      + rewrite sum_none. lra. intros [x t] I. cbn [fst snd]. rewrite Throughput.idle. ring.
        * destruct I as [E|[E|[]]]; injection E as <- <-; apply structureb_spec; vm_compute; reflexivity.
        * intros I'. apply N. rewrite Throughput.resources_in in I'. destruct I' as (k & Hk & Hr).
          destruct Hk as [<-|[<-|[<-|[<-|[]]]]]; destruct Hr as [<-|[<-|[]]]; simpl; auto. }
  specialize (Max _ P). unfold value in Max. simpl in Max. lra.
Qed.

(** Nodes 0 to P - 1 in a ring of links. *)
Definition at_place (P i : nat) : node := Z.of_nat (i mod P).
Definition ring (P : nat) : list arc := map (fun i => Arc (at_place P i) (at_place P (i + 1)) 1) (seq 0 P) ++
  map (fun i => Arc (at_place P (i + 1)) (at_place P i) 1) (seq 0 P).
Definition places (P : nat) : list node := map Z.of_nat (seq 0 P).
Lemma ring_places P u : (0 < P)%nat -> In u (places P) <-> exists k, (k < P)%nat /\ at_place P k = u.
Proof.
  intros HP. unfold places, at_place. rewrite in_map_iff. split; intros (k & A & B); exists k.
  - apply in_seq in B. split; [lia|]. rewrite Nat.mod_small by lia. exact A.
  - rewrite Nat.mod_small in B by exact A. split; [exact B|]. apply in_seq. lia.
Qed.
Lemma places_once P : NoDup (places P).
Proof. apply FinFun.Injective_map_NoDup; [intros i j; lia|apply seq_NoDup]. Qed.
Lemma ring_once P i k : (i < P)%nat -> (k < P)%nat -> at_place P i = at_place P k -> i = k.
Proof. unfold at_place. intros Hi Hk E. rewrite !Nat.mod_small in E by assumption. lia. Qed.
Lemma ring_arc P i : (i < P)%nat -> In (Arc (at_place P i) (at_place P (i + 1)) 1) (ring P) /\
  In (Arc (at_place P (i + 1)) (at_place P i) 1) (ring P).
Proof.
  intros Hi. unfold ring. rewrite !in_app_iff, !in_map_iff.
  split; [left|right]; exists i; (split; [reflexivity|apply in_seq; lia]).
Qed.
Lemma ring_graph P more : (0 < P)%nat -> (forall a, In a more -> In (tail a) (places P) /\ In (head a) (places P)) ->
  graph (places P) (ring P ++ more) (at_place P 0).
Proof.
  intros HP M. assert (I : forall k, In (at_place P k) (places P)).
  { intros k. unfold at_place, places. apply in_map, in_seq. pose proof (Nat.mod_upper_bound k P). lia. }
  split; [apply I|]. intros a Ha. apply in_app_iff in Ha. destruct Ha as [Ha|Ha]; [|now apply M].
  apply in_app_iff in Ha. destruct Ha as [Ha|Ha]; apply in_map_iff in Ha; destruct Ha as (i & <- & _); split; apply I.
Qed.
(** All rings: P / (2 (P - 1)) for even P, 1/2 for odd P. *)
Lemma ring_costs P a : In a (ring P) -> 1 <= cost a.
Proof.
  intros Ha. apply in_app_iff in Ha. destruct Ha as [Ha|Ha]; apply in_map_iff in Ha; destruct Ha as (i & <- & _); cbn; lra.
Qed.
Example even_rings h : (0 < h)%nat -> let P := (2 * h)%nat in
  throughput (broadcast HalfDuplex (places P) (ring P ++ []) (at_place P 0)) (count P / (2 * count (P - 1) * 1)).
Proof.
  intros Hh P. apply (hamiltonian_cycle (places P) (ring P ++ []) h (at_place P) 1); fold P; auto.
  - apply ring_graph; [unfold P; lia|easy].
  - apply places_once.
  - intros u. apply ring_places. unfold P. lia.
  - apply ring_once.
  - unfold at_place. rewrite Nat.mod_same, Nat.mod_0_l; unfold P; try lia.
  - reflexivity.
  - intros a. rewrite app_nil_r. apply ring_costs.
  - rewrite app_nil_r. apply ring_arc.
Qed.
Example odd_rings h : (0 < h)%nat -> let P := (2 * h + 1)%nat in
  throughput (broadcast HalfDuplex (places P) (ring P ++ []) (at_place P 0)) (1 / (2 * 1)).
Proof.
  intros Hh P. apply (hamiltonian_path (places P) (ring P ++ []) h (at_place P) 1); fold P; auto.
  - apply ring_graph; [unfold P; lia|easy].
  - apply places_once.
  - intros u. apply ring_places. unfold P. lia.
  - apply ring_once.
  - reflexivity.
  - intros a. rewrite app_nil_r. apply ring_costs.
  - intros i Hi. rewrite app_nil_r. apply ring_arc. lia.
Qed.
(** Four nodes, all joined to each other: 4 / (2 * 3) = 2/3; the graph is not bipartite. *)
Definition diagonals : list arc := [Arc 0 2 1; Arc 2 0 1; Arc 1 3 2; Arc 3 1 1].
Example complete_four : throughput (broadcast HalfDuplex (places 4) (ring 4 ++ diagonals) 0) (2 # 3).
Proof.
  apply (Sanity.throughput_eq _ (count 4 / (2 * count 3 * 1))). reflexivity.
  apply (hamiltonian_cycle (places 4) (ring 4 ++ diagonals) 2 (at_place 4) 1).
  - lia.
  - apply ring_graph; [lia|]. intros a Ha. simpl in Ha. repeat (destruct Ha as [<-|Ha]; [simpl; tauto|]). easy.
  - apply places_once.
  - intros u. apply ring_places. lia.
  - apply ring_once.
  - reflexivity.
  - reflexivity.
  - intros a Ha. apply in_app_iff in Ha. destruct Ha as [Ha|Ha]; [now apply (ring_costs 4)|].
    simpl in Ha. repeat (destruct Ha as [<-|Ha]; [simpl; lra|]). easy.
  - intros i Hi. rewrite !in_app_iff. destruct (ring_arc 4 i Hi). tauto.
Qed.
(** The bound is about the cheapest arc: with 2 for c, the cost of one arc, it is wrong here. *)
Example not_any_cost : ~ never_more (broadcast HalfDuplex (places 4) (ring 4 ++ diagonals) 0)
  (count (Nat.div2 4) / (count 3 * 2)).
Proof.
  intros N. destruct complete_four as [_ [C R]]. pose proof (Sanity.reached_at_most_never_more _ _ _ _ N R) as L.
  vm_compute in L. now apply L.
Qed.
Example at_most_two_thirds : never_more (broadcast HalfDuplex (places 4) (ring 4 ++ diagonals) 0)
  (count (Nat.div2 4) / (count 3 * 1)).
Proof.
  apply (half_duplex_bound (places 4)).
  - apply (ring_graph 4); [lia|]. intros a Ha. simpl in Ha. repeat (destruct Ha as [<-|Ha]; [simpl; tauto|]). easy.
  - apply places_once.
  - simpl. lia.
  - lra.
  - intros a Ha. apply in_app_iff in Ha. destruct Ha as [Ha|Ha]; [now apply (ring_costs 4)|].
    simpl in Ha. repeat (destruct Ha as [<-|Ha]; [simpl; lra|]). easy.
Qed.
(** For odd P the formula is wrong: 3 / (2 * 2) on the triangle, whose throughput is 1/2. *)
Example triangle_is_odd : ~ throughput (broadcast HalfDuplex [0; 1; 2]%Z Sanity.triangle 0) (3 # 4).
Proof.
  intros H. pose proof (Sanity.throughput_unique _ _ _ H Sanity.half_duplex_triangle) as E. discriminate.
Qed.
