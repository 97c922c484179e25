(** What is claimed about order-free reductions of a group over switches: the calls of OrderFree.v travel along
    paths through nodes that only forward. Definitions only; read them after OrderFree.v and Allgather.v. *)
From Coq Require Import QArith List ZArith.
From Exactsched Require Import Model Collectives.
From Exactsched.allreduce Require Import OrderFree Allgather.
Import ListNotations.
Open Scope Q_scope.

(** ** Paths *)

(** Where a path starts and ends, and the nodes between. *)
Definition start_of (l : list arc) : node := match l with a :: _ => tail a | [] => 0%Z end.
Fixpoint end_of (l : list arc) : node :=
  match l with [] => 0%Z | [a] => head a | _ :: l => end_of l end.
Fixpoint inner (l : list arc) : list node :=
  match l with a :: ((_ :: _) as l') => head a :: inner l' | _ => [] end.

(** From a member to a member, through nodes that are not members. *)
Definition is_way (arcs : list arc) (members : list node) (l : list arc) : Prop :=
  l <> [] /\ incl l arcs /\ linked l /\ In (start_of l) members /\ In (end_of l) members /\
  forall v, In v (inner l) -> ~ In v members.

(** ** Calls along paths *)

(** A call: the start of a path tells its end what it knows about block number [regards]. *)
Record trip := Trip { regards : nat; way : list arc }.

(** Call number c has come over h arcs, to v. *)
Definition halt (c h : nat) (v : node) : state := At (Values (Z.of_nat c) (- Z.of_nat h)) v.
(** Over arc number h of its path, from 0 on: a call waits for nothing, and on its way for itself. *)
Definition leg (p : ports) (d : Q) (c h : nat) (a : arc) : task :=
  Task (arc_uses p a) (d * cost a) (match h with 0%nat => [] | S _ => [halt c h (tail a)] end)
    (halt c (S h) (head a)).
Fixpoint legs (p : ports) (d : Q) (c h : nat) (l : list arc) : list task :=
  match l with [] => [] | a :: l => leg p d c h a :: legs p d c (S h) l end.
Fixpoint journeys (p : ports) (blocks : list block) (c : nat) (trips : list trip) : list task :=
  match trips with
  | [] => []
  | k :: trips => legs p (size_of blocks (regards k)) c 0 (way k) ++ journeys p blocks (S c) trips
  end.
Definition carriers (p : ports) (blocks : list block) (trips : list trip) : system :=
  System (journeys p blocks 0 trips) [] [].

(** A scheme makes any number of calls along paths, about the blocks. *)
Definition permitted (arcs : list arc) (members : list node) (blocks : list block) (trips : list trip) : Prop :=
  forall k, In k trips -> is_way arcs members (way k) /\ (regards k < length blocks)%nat.

(** In operation m, node v knows at time t the value of w for block b: it is its own, or a call about b has
    come to v at time t, and where it started the value was known when it started (and at the start of each
    of its pieces on its first arc). *)
Inductive learns (p : ports) (blocks : list block) (trips : list trip) (s : schedule) (m b : nat) (w : node) :
    Q -> node -> Prop :=
| own_value t : learns p blocks trips s m b w t w
| heard t c k : nth_error trips c = Some k -> regards k = b ->
    has (carriers p blocks trips) s m t (halt c (length (way k)) (end_of (way k))) ->
    (forall q j u, In q s -> operation q = m -> nth_error (tasks (carriers p blocks trips)) (which q) = Some j ->
       makes j = halt c 1 u -> learns p blocks trips s m b w (start q) (start_of (way k))) ->
    learns p blocks trips s m b w t (end_of (way k)).

(** In the operations 0 to M - 1 the sum of each block is known at its targets at time t. *)
Definition collected (p : ports) (members : list node) (blocks : list block) (trips : list trip) (s : schedule)
    (M : nat) (t : Q) : Prop :=
  forall m b B v w, (m < M)%nat -> nth_error blocks b = Some B -> In v (targets B) -> In w members ->
  learns p blocks trips s m b w t v.

(** ** Claims *)

(** No scheme and no schedule of its calls complete more than T K operations in time K. *)
Definition collects_never_more (p : ports) (members : list node) (arcs : list arc) (blocks : list block) (T : Q)
  : Prop :=
  forall trips s M K, permitted arcs members blocks trips -> 0 <= K -> valid (carriers p blocks trips) s ->
  collected p members blocks trips s M K -> count M <= T * K.

(** For every M some scheme and schedule complete M operations in time M / T + C. *)
Definition collects (p : ports) (members : list node) (arcs : list arc) (blocks : list block) (T C : Q) : Prop :=
  0 < T /\ forall M, exists trips s, permitted arcs members blocks trips /\ valid (carriers p blocks trips) s /\
    collected p members blocks trips s M (count M / T + C).

(** Some scheme and schedule complete M operations by time K; none completes them before. *)
Definition collected_by (p : ports) (members : list node) (arcs : list arc) (blocks : list block) (M : nat)
    (K : Q) : Prop :=
  exists trips s, permitted arcs members blocks trips /\ valid (carriers p blocks trips) s /\
    collected p members blocks trips s M K.
Definition collecting_takes (p : ports) (members : list node) (arcs : list arc) (blocks : list block) (M : nat)
    (K : Q) : Prop :=
  forall trips s t, permitted arcs members blocks trips -> 0 <= t -> valid (carriers p blocks trips) s ->
  collected p members blocks trips s M t -> K <= t.
