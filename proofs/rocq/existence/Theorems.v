(** The theorems of this folder on one page, over Definitions.v. How they are proved stands in the files named
    in the proofs. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa.
From Exactsched Require Import Model Collectives Sums Bound.
From Exactsched Require Checker Sanity.
From Exactsched.existence Require Import Definitions Finite Edmonds Capacities Cuts Structures Reached
  Throughput AnySystem Broadcast Links FewStructures MakingCosts Completeness.
From Exactsched.existence Require Duality Few HalfDuplex.
Import ListNotations.
Open Scope Q_scope.

(** * Graphs *)

(** König, weighted: edges can be served by matchings in time D if and only if no node has more work than D. *)
Theorem koenig_weighted es D : 0 <= D -> (forall e, In e es -> 0 <= weight e) ->
  (exists slots, decomposed es D slots) <->
  (forall x, weight_at left x es <= D /\ weight_at right x es <= D).
Proof. apply Few.koenig_iff. Qed.

(** If D is the largest of these weights, at most as many matchings as edges are needed. *)
Theorem koenig_few_matchings es D : (forall e, In e es -> 0 <= weight e) ->
  (forall x, weight_at left x es <= D /\ weight_at right x es <= D) ->
  (exists x, weight_at left x es == D \/ weight_at right x es == D) ->
  exists slots, decomposed es D slots /\ (length slots <= length es)%nat.
Proof. apply Few.koenig_few. Qed.

(** Edmonds: k spanning arborescences without a common arc exist if and only if k arcs enter every root cut. *)
Theorem edmonds_disjoint nodes arcs root k : graph nodes arcs root ->
  (exists trees, length trees = k /\ (forall t, In t trees -> spanning nodes arcs root t) /\ NoDup (concat
    trees)) <->
  (forall X, root_cut nodes root X -> (k <= entering X arcs)%nat).
Proof.
  intros (Hr & He). rewrite (edmonds_iff nodes arcs root k Hr He). split.
  - intros H X (Xr & v & Hv & Xv). eauto.
  - intros H X v Xr Hv Xv. apply H. split; eauto.
Qed.

(** With capacities: k arborescences, of which at most [c i] use arc i, exist if and only if every root cut has
    the capacity k. *)
Theorem edmonds_with_capacities nodes arcs root (c : nat -> nat) k : graph nodes arcs root ->
  (forall X, root_cut nodes root X -> (k <= list_sum (map c (into arcs X)))%nat) <->
  exists trees, length trees = k /\ (forall t, In t trees -> spanning nodes arcs root t) /\
    forall i, (i < length arcs)%nat -> (trees_with i trees <= c i)%nat.
Proof. apply edmonds_capacitated. Qed.

(** Rates on the arcs of which at least T enter every root cut carry weighted arborescences of total weight T.
  *)
Theorem edmonds_with_rates nodes arcs root (z : nat -> Q) T : graph nodes arcs root ->
  (forall i, (i < length arcs)%nat -> 0 <= z i) -> 0 <= T ->
  (forall X, root_cut nodes root X -> T <= sum z (into arcs X)) ->
  exists l, trees_of_weight nodes arcs root l /\ value l == T /\ forall i, (i < length arcs)%nat -> served i l
    <= z i.
Proof. apply edmonds_fractional. Qed.

(** Weights can be moved to few arborescences, at most m - n + 2, and no arc notices. *)
Theorem few_arborescences nodes arcs root l : graph nodes arcs root -> NoDup nodes ->
  trees_of_weight nodes arcs root l -> 0 < value l ->
  exists l', trees_of_weight nodes arcs root l' /\ value l' == value l /\
    (forall i, (i < length arcs)%nat -> served i l' == served i l) /\
    (length l' + length nodes <= length arcs + 2)%nat.
Proof. intros. apply trees_few; auto. Qed.

(** Fulkerson: if every arborescence costs at least W, root cuts that pack into the costs weigh at least W; they
    never weigh more than an arborescence costs. *)
Theorem fulkerson nodes arcs root (c : nat -> Q) t W : graph nodes arcs root ->
  (forall i, (i < length arcs)%nat -> 0 <= c i) -> spanning nodes arcs root t -> 0 <= W ->
  (forall t, spanning nodes arcs root t -> W <= sum c t) <->
  exists cuts, cut_packing nodes arcs root c cuts /\ W <= sum snd cuts.
Proof.
  intros G Hc St HW. split.
  - intros Min. apply (cuts_reach nodes arcs root c G Hc W t); auto.
  - intros (cuts & P & L) t' St'. eapply Qle_trans; [exact L|]. eapply cuts_at_most_tree; eauto.
Qed.

(** Linear programs: with a point and a bound, the best point is worth what the best multipliers prove. *)
Theorem strong_duality {I J : Type} (eqI : forall i k : I, {i = k} + {i <> k}) (eqJ : forall j k : J, {j = k} +
  {j <> k})
    (rows : list I) (cols : list J) (A : I -> J -> Q) (b : I -> Q) (c : J -> Q) x0 U : NoDup rows -> NoDup cols
      ->
  let point x := forall i, In i rows -> sum (fun j => A i j * x j) cols <= b i in
  point x0 -> (forall x, point x -> sum (fun j => c j * x j) cols <= U) ->
  exists x y, point x /\ (forall i, In i rows -> 0 <= y i) /\
    (forall j, In j cols -> sum (fun i => y i * A i j) rows == c j) /\
    sum (fun j => c j * x j) cols == sum (fun i => y i * b i) rows.
Proof. intros NR NC point P0 HU. apply (Duality.linear_duality eqI eqJ rows cols A b c NR NC x0 U); auto. Qed.

(** * Schedules *)

(** A system has a throughput if and only if its operation can be carried out at all. Nothing is asked of its
    resources; in half-duplex on any graph, say, odd sets and all that is like them are covered. *)
Theorem throughput_exists S : takes_time S -> (forall k, In k (tasks S) -> uses k <> []) -> something_to_do S ->
  (exists T, throughput S T) <-> exists t, structure S t.
Proof. apply throughput_iff_structure. Qed.

(** It is the value of structures with weights, and of sets of tasks that work at the same time, with times of
  sum 1,
    in which every task works for as long as the structures ask. *)
Theorem throughput_has_plan S T : takes_time S -> (forall k, In k (tasks S) -> uses k <> []) -> something_to_do
  S ->
  throughput S T -> exists l d, plan S l d /\ value l == T.
Proof.
  intros pos Some todo Th. destruct (throughput_structure S T pos Th) as (t & St).
  destruct (any_throughput S t pos Some todo St) as (T' & l & d & _ & Th' & P & V & _). exists l, d. split;
    auto.
  rewrite V. eapply Sanity.throughput_unique; eauto.
Qed.
(** No plan has a larger value. *)
Theorem plan_never_more S l d T : takes_time S -> plan S l d -> 0 < value l -> throughput S T -> value l <= T.
Proof.
  intros pos P V (N & _). destruct (plan_reached S l d pos P V) as (C & R).
  eapply Sanity.reached_at_most_never_more; eauto.
Qed.

(** Completeness: prices of the tasks prove it, whatever it is; and they do prove it. *)
Theorem throughput_has_task_prices S T : takes_time S -> (forall k, In k (tasks S) -> uses k <> []) ->
  something_to_do S ->
  throughput S T -> exists q, task_prices_prove S q T.
Proof.
  intros pos Some todo Th. destruct (throughput_structure S T pos Th) as (t & St).
  destruct (any_throughput S t pos Some todo St) as (T' & l & d & _ & Th' & _ & _ & q & Q0 & Sets & Trees).
  assert (E : T' == T) by (eapply Sanity.throughput_unique; eauto). exists q. split; auto. split; auto.
  intros m Hm. rewrite <- E. auto.
Qed.
Theorem task_prices_never_more S q T : takes_time S -> (forall k, In k (tasks S) -> uses k <> []) ->
  task_prices_prove S q T -> never_more S T.
Proof. intros pos Some (Q0 & Sets & Trees). apply (task_prices_bound S pos Some q T); auto. Qed.

(** Asymptotic optimality: M operations take at least M / T, and at most a constant more. *)
Theorem asymptotic_optimality S T : throughput S T ->
  exists C, forall M, takes_at_least S M (count M / T) /\ done_by S M (count M / T + C).
Proof. apply runs. Qed.

(** With whole numbers of operations on structures that fit into a period, the constant is the largest height
  of a
    structure, the longest chain of tasks that wait for each other, times the period. *)
Theorem whole_periods S (share : list (nat * list nat)) period : takes_time S -> two_sided S ->
  (forall k t, In (k, t) share -> structure S t) -> 0 < period -> (0 < list_sum (map fst share))%nat ->
  (forall r, sum (fun kt => count (fst kt) * load S r (snd kt)) share <= period) ->
  reached S (count (list_sum (map fst share)) / period) (count (list_max (map (fun kt => height S (snd kt))
    share)) * period).
Proof. apply Reached.whole_periods. Qed.

(** The throughput, over all schedules, is the value of a best packing of structures into the resources. *)
Theorem throughput_is_packing S T : takes_time S -> two_sided S -> something_to_do S -> (exists t, structure S
  t) ->
  throughput S T <-> best_packing S T.
Proof. intros pos two todo (t & St). eapply throughput_is_best; eauto. Qed.

(** Completeness: whatever the throughput is, prices of the resources prove it; and at most one structure for
    each resource reaches it. *)
Theorem throughput_has_prices S T : takes_time S -> two_sided S -> something_to_do S -> throughput S T ->
  (exists y, prices_prove S (Prices y []) T) /\
  exists l, packing S l /\ value l == T /\ (length l <= length (resources S))%nat.
Proof.
  intros pos two todo Th. destruct (throughput_structure S T pos Th) as (t & St).
  destruct (two_sided_throughput S t pos two todo St) as (T' & y & l & HT & Th' & Pl & Vl & (Ny & E & P) & N).
  assert (ET : T' == T) by (eapply Sanity.throughput_unique; eauto). split.
  - exists y. split; auto. split; auto. rewrite E. auto.
  - destruct (best_packing_few S l y T') as (l' & Pl' & Vl' & Few); auto. split; auto.
    exists l'. split; auto. split; auto. rewrite Vl'. auto.
Qed.

(** Broadcast, in every port model: there is a throughput if and only if every root cut is entered. *)
Theorem broadcast_exists p nodes arcs source x : graph nodes arcs source -> (forall a, In a arcs -> 0 < cost a)
  ->
  In x nodes -> x <> source ->
  (exists T, throughput (broadcast p nodes arcs source) T) <->
  (forall X, root_cut nodes source X -> exists a, In a arcs /\ goes_in X a = true).
Proof.
  intros G costs Hx Nx. rewrite throughput_iff_structure.
  - split.
    + intros (t & St) X HX. destruct (structure_enters p nodes arcs source t X St HX) as (i & _ & Li & E).
      exists (arc_of arcs i). split; auto. apply nth_In; auto.
    + intros Cut. destruct (reachable_structure nodes arcs source G Cut) as (t & St). exists t.
      apply spanning_structure; auto.
  - apply broadcast_time; auto.
  - intros k. apply (at_arcs_uses p arcs). apply broadcast_at_arcs.
  - apply (broadcast_to_do p nodes arcs source x); auto.
Qed.

(** Completeness: prices and cuts, as [cut_bound] wants them, prove the throughput of every broadcast,
  one-port, over
    links, and half-duplex on a bipartite graph. *)
Theorem broadcast_has_cuts p nodes arcs source x T : graph nodes arcs source -> (forall a, In a arcs -> 0 <
  cost a) ->
  bipartite p arcs -> In x nodes -> x <> source ->
  let S := broadcast p nodes arcs source in throughput S T ->
  exists y cuts, nonneg y /\ proper_cuts S cuts /\ (forall k, In k (tasks S) -> crossed cuts k <= lasts k *
    paid y k) /\
    total y == T /\ 1 <= sum snd cuts.
Proof.
  intros G costs B Hx Nx S Th.
  assert (pos : takes_time S) by (apply broadcast_time; auto).
  assert (two : two_sided S) by (apply (at_arcs_two_sided p arcs); auto; apply broadcast_at_arcs).
  assert (todo : something_to_do S) by (apply (broadcast_to_do p nodes arcs source x); auto).
  destruct (throughput_has_prices S T pos two todo Th) as ((y & Py) & _).
  destruct (throughput_structure S T pos Th) as (t & St).
  destruct (prices_have_cuts p nodes arcs source G costs (Prices y []) T t St Py) as (cuts & C1 & C2 & C3).
  exists (Prices y []), cuts. destruct Py as (Ny & E & _). auto.
Qed.

(** Completeness: prices and potentials prove the throughput of every alltoall, and so of every scatter and
  gather. *)
Theorem alltoall_has_potentials p arcs demands x T : (forall a, In a arcs -> 0 < cost a) ->
  (forall x, In x demands -> 0 < amount x) -> bipartite p arcs -> In x demands -> from x <> to x ->
  throughput (alltoall p arcs demands) T -> potentials_prove (alltoall p arcs demands) T.
Proof. intros costs amounts B Hx N Th. eapply alltoall_potentials; eauto. Qed.

(** Scatter: a structure is a path from the source for every target. The throughput is T if and only if a best packing of
    them weighs T, and prices and potentials prove it. *)
Corollary scatter_throughput p arcs source targets v z T : (forall a, In a arcs -> 0 < cost a) ->
  (forall v z, In (v, z) targets -> 0 < z) -> bipartite p arcs -> In (v, z) targets -> v <> source ->
  let S := scatter p arcs source targets in (exists t, structure S t) ->
  (throughput S T <-> best_packing S T) /\ (throughput S T -> potentials_prove S T).
Proof.
  intros costs sizes B Hv N S Some. set (demands := map (fun '(v, z) => Demand source v z) targets).
  assert (amounts : forall x, In x demands -> 0 < amount x).
  { intros x Hx. apply in_map_iff in Hx. destruct Hx as ((u & d) & <- & H). apply (sizes u d H). }
  assert (Hx : In (Demand source v z) demands) by (apply in_map_iff; exists (v, z); auto).
  assert (Nx : from (Demand source v z) <> to (Demand source v z)) by (simpl; congruence).
  split.
  - apply throughput_is_packing; auto.
    + apply alltoall_time; auto.
    + apply (at_arcs_two_sided p arcs); auto. apply alltoall_at_arcs.
    + apply (alltoall_to_do p arcs demands (Demand source v z)); auto.
  - apply (alltoall_has_potentials p arcs demands (Demand source v z)); auto.
Qed.

(** And of every reduce of two values or more. *)
Theorem reduce_has_potentials p arcs size_of steps owners target T : (forall a, In a arcs -> 0 < cost a) ->
  (forall k m, 0 < size_of k m) ->
  (forall c, In c steps -> 0 < step_time c /\ (step_first c <= step_cut c < step_last c)%Z) ->
  bipartite p arcs -> (1 < length owners)%nat ->
  throughput (reduce p arcs size_of steps owners target) T ->
  potentials_prove (reduce p arcs size_of steps owners target) T.
Proof. intros. apply reduce_potentials; auto. Qed.

(** Potentials do prove it. *)
Theorem potentials_bound S T : takes_time S -> (forall k, In k (tasks S) -> Checker.fits k = true) ->
  potentials_prove S T -> never_more S T.
Proof. apply potentials_never_more. Qed.

(** Over links without parallel arcs the throughput of a broadcast is the width of the narrowest root cut. *)
Theorem link_broadcast nodes arcs source T : graph nodes arcs source -> (forall a, In a arcs -> 0 < cost a) ->
  NoDup (map (fun a => (tail a, head a)) arcs) -> 0 < T ->
  (forall X, root_cut nodes source X -> T <= width arcs X) -> (exists X, root_cut nodes source X /\ width arcs
    X == T) ->
  throughput (broadcast Links nodes arcs source) T.
Proof. intros. apply narrowest_cut; auto. Qed.

(** Half-duplex, on graphs of any form: at most floor(P / 2) transfers work at a time, and a message takes P - 1 of at
    least c each. *)
Theorem half_duplex_bound nodes arcs source c : graph nodes arcs source -> NoDup nodes -> (2 <= length nodes)%nat -> 0 < c ->
  (forall a, In a arcs -> c <= cost a) ->
  never_more (broadcast HalfDuplex nodes arcs source) (count (Nat.div2 (length nodes)) / (count (length nodes - 1) * c)).
Proof. apply HalfDuplex.half_duplex_bound. Qed.

(** P = 2 h nodes v 0, ..., v (P - 1) with a Hamiltonian cycle (v P = v 0) of arcs of the least cost c, forth and back: the
    throughput is P / (2 (P - 1) c), whatever the other arcs are. *)
Theorem hamiltonian_cycle nodes arcs h (v : nat -> node) c : let P := (2 * h)%nat in
  (0 < h)%nat -> graph nodes arcs (v 0%nat) -> NoDup nodes -> (forall u, In u nodes <-> exists k, (k < P)%nat /\ v k = u) ->
  (forall i k, (i < P)%nat -> (k < P)%nat -> v i = v k -> i = k) -> v P = v 0%nat ->
  0 < c -> (forall a, In a arcs -> c <= cost a) ->
  (forall i, (i < P)%nat -> In (Arc (v i) (v (i + 1)%nat) c) arcs /\ In (Arc (v (i + 1)%nat) (v i) c) arcs) ->
  throughput (broadcast HalfDuplex nodes arcs (v 0%nat)) (count P / (2 * count (P - 1) * c)).
Proof. intros P **. apply (HalfDuplex.even_cycle nodes arcs P v c) with h; auto. Qed.

(** P = 2 h + 1 nodes with a Hamiltonian path from the source of arcs of the least cost c: it is 1 / (2 c). *)
Theorem hamiltonian_path nodes arcs h (v : nat -> node) c : let P := (2 * h + 1)%nat in
  (0 < h)%nat -> graph nodes arcs (v 0%nat) -> NoDup nodes -> (forall u, In u nodes <-> exists k, (k < P)%nat /\ v k = u) ->
  (forall i k, (i < P)%nat -> (k < P)%nat -> v i = v k -> i = k) ->
  0 < c -> (forall a, In a arcs -> c <= cost a) ->
  (forall i, (i + 1 < P)%nat -> In (Arc (v i) (v (i + 1)%nat) c) arcs) ->
  throughput (broadcast HalfDuplex nodes arcs (v 0%nat)) (1 / (2 * c)).
Proof. intros P **. apply (HalfDuplex.odd_path nodes arcs P v c) with h; auto. Qed.
