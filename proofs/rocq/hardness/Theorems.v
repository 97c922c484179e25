(** The reductions behind the NP-hardness of best overlays and best trees, as theorems about instances: what is reached
    decides the problem. Over Definitions.v; the proofs are in the files that are named. (That the instances are made in
    polynomial time, and that the problems are NP-complete, is not stated here.) *)
From Coq Require Import QArith List Arith ZArith Lia Lqa.
From Exactsched Require Collectives.
From Exactsched.overlay Require Import Definitions Soundness.
From Exactsched.hardness Require Import Definitions Partition.
From Exactsched.hardness Require BoundedTree.
Import ListNotations.
Open Scope Q_scope.

(** If there is no partition, no overlay within the degrees has a throughput above T - 1 / (4 p). *)
Theorem three_partition_gap p T a : instance p T a -> ~ partition p T a ->
  never_more (machine_of p T a) any (inject_Z T - 1 / inject_Z (Z.of_nat (4 * p))).
Proof.
  intros I N c T' V _ C. apply Qnot_lt_le. intros L. apply N. now apply (rates_partition p T a I c T').
Qed.

(** 3-PARTITION: the numbers can be partitioned if and only if their machine has an overlay of throughput T within the
    degrees, *)
Theorem three_partition p T a : instance p T a -> partition p T a <-> reached (machine_of p T a) any (inject_Z T).
Proof.
  intros I. split; [intros (g & G1 & G2); now apply (groups_reach p T a I g)|].
  intros (o & V & D & _ & E). apply (rates_partition p T a I (rates o) (throughput o)).
  - apply rates_valid; auto. now apply names_once.
  - apply rates_carry; auto. now apply names_once.
  - rewrite E. destruct I as (Hp & _).
    assert (P : 0 < inject_Z (Z.of_nat (4 * p))) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
    assert (0 < 1 / inject_Z (Z.of_nat (4 * p))); [|lra]. apply Qlt_shift_div_l; lra.
Qed.
(** and the same if cycles are forbidden. *)
Theorem three_partition_acyclic p T a : instance p T a ->
  partition p T a <-> reached (machine_of p T a) acyclic (inject_Z T).
Proof.
  intros I. split; [intros (g & G1 & G2); now apply (groups_reach p T a I g)|].
  intros (o & V & D & _ & E). apply three_partition; auto. exists o. do 2 (split; [assumption|]). split; [exact Logic.I|assumption].
Qed.

(** DEGREE-CONSTRAINED SPANNING TREE: a graph has a spanning tree of degree at most K >= 2 if and only if some tree of
    its platform carries one message per time unit. *)
Theorem bounded_degree_tree nodes edges source K :
  NoDup nodes -> simple nodes edges -> In source nodes -> (2 <= K)%nat ->
  tree_of_degree nodes edges K <->
  exists C, Collectives.reached_within (Collectives.tree source) Collectives.OnePort (both_ways source K edges)
    source nodes 1 C.
Proof. intros. now apply BoundedTree.bounded_degree_tree. Qed.
(** If it has none, no tree carries more than K / (K + 1). *)
Theorem bounded_degree_gap nodes edges source K :
  NoDup nodes -> simple nodes edges -> In source nodes -> (2 <= K)%nat -> ~ tree_of_degree nodes edges K ->
  Collectives.never_more_within (Collectives.tree source) Collectives.OnePort (both_ways source K edges)
    source nodes (inject_Z (Z.of_nat K) / inject_Z (Z.of_nat (K + 1))).
Proof. intros. now apply BoundedTree.bounded_degree_gap. Qed.
