(** What the reductions of this folder are about: two problems that are NP-complete (Garey and Johnson 1979, SP15
    and ND1), and the instances that are made of theirs. Definitions only; read them after ../Model.v,
    ../Collectives.v and ../overlay/Definitions.v. *)
From Coq Require Import QArith List Arith ZArith.
From Exactsched Require Model Collectives.
From Exactsched.overlay Require Definitions.
Import ListNotations.
Open Scope Z_scope.

(** ** 3-PARTITION *)

Definition total (l : list Z) : Z := fold_right Z.add 0 l.
(** 3 p numbers between T / 4 and T / 2, of sum p T. *)
Definition instance (p : nat) (T : Z) (a : list Z) : Prop :=
  (1 <= p)%nat /\ length a = (3 * p)%nat /\ total a = Z.of_nat p * T /\ forall x, In x a -> T < 4 * x /\ 2 * x < T.
(** The numbers whose group is i. *)
Definition in_group (group : nat -> nat) (a : list Z) (i : nat) : list Z :=
  map (fun k => nth k a 0) (filter (fun k => (group k =? i)%nat) (seq 0 (length a))).
(** They can be divided into p groups of sum T each. (By their sizes each group has three of them.) *)
Definition partition (p : nat) (T : Z) (a : list Z) : Prop :=
  exists group : nat -> nat, (forall k, (k < length a)%nat -> (group k < p)%nat) /\
  forall i, (i < p)%nat -> total (in_group group a i) = T.

(** The machine of an instance: servers 0 to p - 1, of which 0 is the source, a relay for every number, and a last node
    that sends nothing. Everybody may send to everybody. *)
Definition server (T : Z) (i : nat) := Definitions.Node (Z.of_nat i) (inject_Z (2 * T)) 4 None.
Definition relay (p : nat) (T : Z) (a : list Z) (k : nat) :=
  Definitions.Node (Z.of_nat (p + k)) (inject_Z (T - nth k a 0)) 1 None.
Definition last_node (p : nat) := Definitions.Node (Z.of_nat (4 * p)) 0%Q 0 None.
Definition machine_of (p : nat) (T : Z) (a : list Z) : Definitions.machine :=
  Definitions.Machine (server T 0)
    (map (server T) (seq 1 (p - 1)) ++ map (relay p T a) (seq 0 (3 * p)) ++ [last_node p]) None.

(** ** Spanning trees of bounded degree *)

(** An edge joins two nodes; its order does not matter. *)
Definition edge := (Z * Z)%type.
Definition joined (edges : list edge) (u v : Z) : Prop := In (u, v) edges \/ In (v, u) edges.
Definition simple (nodes : list Z) (edges : list edge) : Prop :=
  forall u v, In (u, v) edges -> In u nodes /\ In v nodes /\ u <> v.
Inductive connected (edges : list edge) (u : Z) : Z -> Prop :=
| connected_here : connected edges u u
| connected_edge v w : connected edges u v -> joined edges v w -> connected edges u w.
(** A spanning tree: it connects all nodes, and has one edge less than there are nodes. *)
Definition spanning_tree (nodes : list Z) (edges tree : list edge) : Prop :=
  (forall u v, In (u, v) tree -> joined edges u v) /\ (forall u v, In u nodes -> In v nodes -> connected tree u v) /\
  S (length tree) = length nodes.
Definition edges_at (tree : list edge) (v : Z) : nat :=
  length (filter (fun '(x, y) => (x =? v) || (y =? v))%bool tree).
Definition tree_of_degree (nodes : list Z) (edges : list edge) (K : nat) : Prop :=
  exists tree, spanning_tree nodes edges tree /\ forall v, In v nodes -> (edges_at tree v <= K)%nat.

(** The platform of a graph: two opposite arcs for every edge; an arc costs 1 / K out of the source, and 1 / (K - 1) out
    of every other node. *)
Definition arc_from (source : Z) (K : nat) (u v : Z) : Collectives.arc :=
  Collectives.Arc u v (if u =? source then 1 / inject_Z (Z.of_nat K) else 1 / inject_Z (Z.of_nat (K - 1)))%Q.
Definition both_ways (source : Z) (K : nat) (edges : list edge) : list Collectives.arc :=
  flat_map (fun '(u, v) => [arc_from source K u v; arc_from source K v u]) edges.
