(** The collectives as systems of tasks: broadcast, multicast, scatter, gather, alltoall, reduce and prefix,
    under three port models. Definitions only; read them after Model.v. *)
From Coq Require Import QArith List ZArith.
From Exactsched Require Import Model.
Import ListNotations.
Open Scope Q_scope.

(** ** Platforms *)

(** An arc carries a message of size 1 from [tail] to [head] in time [cost]. *)
Record arc := Arc { tail : node; head : node; cost : Q }.

(** Which transfers exclude each other: in [OnePort] two that leave the same node and two that enter the same
    node; in [HalfDuplex] two that share a node, whichever way they go; in [Links] two on the same arc. *)
Inductive ports := OnePort | HalfDuplex | Links.

Definition arc_uses (p : ports) (a : arc) : list resource :=
  match p with
  | OnePort => [Sends (tail a); Receives (head a)]
  | HalfDuplex => [Port (tail a); Port (head a)]
  | Links => [Link (tail a) (head a)]
  end.

(** An item of some size goes over an arc. *)
Definition transfer (p : ports) (x : item) (size : Q) (a : arc) : task :=
  Task (arc_uses p a) (size * cost a) [At x (tail a)] (At x (head a)).

(** The list, each entry with its number, from 0 on. *)
Fixpoint number_from {A} (i : Z) (l : list A) : list (Z * A) :=
  match l with [] => [] | x :: l => (i, x) :: number_from (i + 1) l end.
Definition numbered {A} (l : list A) : list (Z * A) := number_from 0 l.

(** ** One message *)

(** In every operation one message of size 1 goes from the source to all targets. *)
Definition multicast (p : ports) (arcs : list arc) (source : node) (targets : list node) : system :=
  System (map (transfer p (Message 0) 1) arcs) [At (Message 0) source] (map (At (Message 0)) targets).

(** In a broadcast the targets are all nodes. *)
Definition broadcast (p : ports) (nodes : list node) (arcs : list arc) (source : node) : system :=
  multicast p arcs source nodes.

(** ** Many messages *)

(** In every operation the message number d of demand number d, with its size, goes from [from] to [to]. *)
Record demand := Demand { from : node; to : node; amount : Q }.
Definition alltoall (p : ports) (arcs : list arc) (demands : list demand) : system := System
  (flat_map (fun '(d, x) => map (transfer p (Message d) (amount x)) arcs) (numbered demands))
  (map (fun '(d, x) => At (Message d) (from x)) (numbered demands))
  (map (fun '(d, x) => At (Message d) (to x)) (numbered demands)).

(** A scatter has one source, with a message for every target; a gather one target, with
  one from every source. *)
Definition scatter (p : ports) (arcs : list arc) (source : node) (targets : list (node * Q)) : system :=
  alltoall p arcs (map (fun '(v, z) => Demand source v z) targets).
Definition gather (p : ports) (arcs : list arc) (sources : list (node * Q)) (target : node) : system :=
  alltoall p arcs (map (fun '(v, z) => Demand v target z) sources).

(** ** Reductions *)

(** Values number 0 to N are combined in this order by an associative operator. [Values k m] is the result of
    the values k to m; [owners] says who has the single values at the start;
      a goal (k, m, v) wants [Values k m]
    at v. A step (v, k, l, m, t): node v can make [Values k m] from [Values k l] and [Values (l + 1) m] in
      time t. *)
Record step := Step { step_node : node; step_first : Z; step_cut : Z; step_last : Z; step_time : Q }.
Definition combine (c : step) : task :=
  Task [Computes (step_node c)] (step_time c)
    [At (Values (step_first c) (step_cut c)) (step_node c); At (Values (step_cut c + 1) (step_last c))
      (step_node c)]
    (At (Values (step_first c) (step_last c)) (step_node c)).

(** All intervals (k, m) with 0 <= k <= m < n. *)
Definition indices (n : nat) : list Z := map Z.of_nat (seq 0 n).
Definition intervals (n : nat) : list (Z * Z) :=
  flat_map (fun k => map (fun m => (k, m)) (filter (Z.leb k) (indices n))) (indices n).

(** A reduction with several goals; [size_of k m] is the size of [Values k m]. *)
Definition reduction (p : ports) (arcs : list arc) (size_of : Z -> Z -> Q) (steps : list step)
    (owners : list node) (goals : list (Z * Z * node)) : system := System
  (flat_map (fun '(k, m) => map (transfer p (Values k m) (size_of k m)) arcs) (intervals (length owners))
   ++ map combine steps)
  (map (fun '(i, v) => At (Values i i) v) (numbered owners))
  (map (fun '(k, m, v) => At (Values k m) v) goals).

(** In a reduce one node wants the result of all values; in a prefix the owner of each value i > 0 wants the
    result of the values 0 to i. *)
Definition reduce p arcs size_of steps owners (target : node) : system :=
  reduction p arcs size_of steps owners [(0, Z.of_nat (length owners) - 1, target)%Z].
Definition prefix p arcs size_of steps owners : system :=
  reduction p arcs size_of steps owners (map (fun '(i, v) => (0, i, v)%Z) (List.tl (numbered owners))).

(** ** Runs of packets *)

(** A broadcast of packets with different sizes, over arcs that come with a latency: packet number d of size z
    takes time latency + z * cost on an arc. All packets together are one operation. *)
Definition packet_transfer (p : ports) (d : Z) (z : Q) (late : arc * Q) : task :=
  let (a, latency) := late in
  Task (arc_uses p a) (latency + z * cost a) [At (Message d) (tail a)] (At (Message d) (head a)).
Definition packets (p : ports) (arcs : list (arc * Q)) (source : node) (targets : list node) (sizes : list Q)
    : system := System
  (flat_map (fun '(d, z) => map (packet_transfer p d z) arcs) (numbered sizes))
  (map (fun '(d, _) => At (Message d) source) (numbered sizes))
  (flat_map (fun '(d, _) => map (At (Message d)) targets) (numbered sizes)).

(** No transfer over an arc with a latency is interrupted: it would pay the latency again.
(The tasks of packet d
    are those with the numbers from d * length arcs on, one for each arc.) *)
Definition pays_latency_once (arcs : list (arc * Q)) (S : system) (s : schedule) : Prop :=
  forall q k a latency, In q s -> nth_error (tasks S) (which q) = Some k ->
  nth_error arcs (which q mod length arcs) = Some (a, latency) -> 0 < latency ->
  lasts k <= stop q - start q.

(** ** Restricted broadcasts *)

(** A tree: no two arcs enter one node, and none enters the source. *)
Definition tree (source : node) (arcs : list arc) : Prop := NoDup (map head arcs) /\
  ~ In source (map head arcs).
(** A set of arcs without a directed cycle: the nodes have ranks that grow along every arc. *)
Definition acyclic (arcs : list arc) : Prop := exists rank : node -> Z, forall a, In a arcs ->
  (rank (tail a) < rank (head a))%Z.

(** Schedules that use only some of the arcs, a set that is allowed (a tree; an acyclic set). *)
Definition never_more_within (allowed : list arc -> Prop) p arcs source targets (T : Q) : Prop :=
  forall used, incl used arcs -> allowed used -> never_more (multicast p used source targets) T.
Definition reached_within (allowed : list arc -> Prop) p arcs source targets (T C : Q) : Prop :=
  exists used, incl used arcs /\ allowed used /\ reached (multicast p used source targets) T C.
