(** What is claimed about order-free reductions (all-reduce, reduce, reduce-scatter): every member has a
    value, and the sum of all values is wanted at some members. Definitions only; read them after Model.v and
    Collectives.v. Order-free: a member may combine whatever it knows, in any order, in no time. *)
From Coq Require Import QArith List.
From Exactsched Require Import Model Collectives.
Import ListNotations.
Open Scope Q_scope.

(** ** What is wanted *)

(** A block: a vector of some size of which every member has its own; the sum is wanted at the targets. *)
Record block := Block { size : Q; targets : list node }.

(** All-reduce: one block, wanted everywhere. Reduce: one block, wanted at the root. Reduce-scatter: a block
    for every member, with a size, wanted there. *)
Definition all_reduce (nodes : list node) : list block := [Block 1 nodes].
Definition reduce_to (root : node) : list block := [Block 1 [root]].
Definition reduce_scatter (shards : list (node * Q)) : list block := map (fun '(v, d) => Block d [v]) shards.

(** ** What is done *)

(** A call: the tail of an arc tells the head what it knows about block number [about] when the call starts
    (it sends its partial sum). A call waits for nothing. *)
Record telling := Telling { about : nat; over : arc }.
Definition size_of (blocks : list block) (b : nat) : Q := size (nth b blocks (Block 0 [])).
Definition called (p : ports) (blocks : list block) (c : telling) : task :=
  Task (arc_uses p (over c)) (size_of blocks (about c) * cost (over c)) []
    (At (Message (Z.of_nat (about c))) (head (over c))).
Definition callers (p : ports) (blocks : list block) (calls : list telling) : system :=
  System (map (called p blocks) calls) [] [].

(** A scheme makes any number of calls along the arcs, about the blocks. *)
Definition allowed (arcs : list arc) (blocks : list block) (calls : list telling) : Prop :=
  forall c, In c calls -> In (over c) arcs /\ (about c < length blocks)%nat.

(** In operation m, node v knows at time t the value of w for block b: it is its own, or a call to v about b
    is complete at time t and its tail knew the value when the call started (and at the start of each of its
    pieces, if it was interrupted). *)
Inductive knows (blocks : list block) (calls : list telling) (s : schedule) (m b : nat) (w : node) :
    Q -> node -> Prop :=
| own t : knows blocks calls s m b w t w
| told t i c : nth_error calls i = Some c -> about c = b ->
    size_of blocks b * cost (over c) <= work s i m t ->
    (forall p, In p s -> of_task i m p = true -> knows blocks calls s m b w (start p) (tail (over c))) ->
    knows blocks calls s m b w t (head (over c)).

(** In the operations 0 to M - 1 the sum of each block is known at its targets at time t. *)
Definition reduced (nodes : list node) (blocks : list block) (calls : list telling) (s : schedule) (M : nat)
    (t : Q) : Prop :=
  forall m b B v w, (m < M)%nat -> nth_error blocks b = Some B -> In v (targets B) -> In w nodes ->
  knows blocks calls s m b w t v.

(** ** Claims *)

(** No scheme and no schedule of its calls complete more than T K operations in time K. *)
Definition reduces_never_more (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block) (T : Q)
  : Prop :=
  forall calls s M K, allowed arcs blocks calls -> 0 <= K -> valid (callers p blocks calls) s ->
  reduced nodes blocks calls s M K -> count M <= T * K.

(** For every M some scheme and schedule complete M operations in time M / T + C. *)
Definition reduces (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block) (T C : Q) : Prop :=
  0 < T /\ forall M, exists calls s, allowed arcs blocks calls /\ valid (callers p blocks calls) s /\
    reduced nodes blocks calls s M (count M / T + C).

(** Some scheme and schedule complete M operations by time K. *)
Definition reduced_by (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block) (M : nat) (K : Q)
  : Prop :=
  exists calls s, allowed arcs blocks calls /\ valid (callers p blocks calls) s /\
    reduced nodes blocks calls s M K.

(** No scheme and no schedule of its calls complete M operations before time K. *)
Definition reduction_takes (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block) (M : nat)
  (K : Q) : Prop :=
  forall calls s t, allowed arcs blocks calls -> 0 <= t -> valid (callers p blocks calls) s ->
  reduced nodes blocks calls s M t -> K <= t.
