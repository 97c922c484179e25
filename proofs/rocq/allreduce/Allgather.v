(** What is claimed about allgather on a fabric with switches. Definitions only; read them after Model.v and
    Collectives.v. *)
From Coq Require Import QArith List.
From Exactsched Require Import Model Collectives.
Import ListNotations.
Open Scope Q_scope.

(** Members are the compute nodes; all other nodes are switches. Some members have a shard, of a given size;
    in every operation all members want all shards. The message of a shard has the name of its owner. *)
Definition owned (shards : list (node * Q)) : list state := map (fun '(v, _) => At (Message v) v) shards.
Definition wanted_by (members : list node) (shards : list (node * Q)) : list state :=
  flat_map (fun '(v, _) => map (At (Message v)) members) shards.

(** Switches that copy: what has come in may go out on any number of arcs. *)
Definition allgather (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q)) : system :=
  System (flat_map (fun '(v, d) => map (transfer p (Message v) d) arcs) shards)
    (owned shards) (wanted_by members shards).

(** Switches that only forward: each shard v has its paths. A copy that travels along path number q is a state
    of its own at the switches, [Values v q], so it leaves every switch by the next arc of the path and by no
    other. *)
Fixpoint hops (p : ports) (v q : Z) (d : Q) (x : state) (path : list arc) : list task :=
  match path with
  | [] => []
  | [a] => [Task (arc_uses p a) (d * cost a) [x] (At (Message v) (head a))]
  | a :: path => Task (arc_uses p a) (d * cost a) [x] (At (Values v q) (head a))
                 :: hops p v q d (At (Values v q) (head a)) path
  end.
Definition along (p : ports) (v q : Z) (d : Q) (path : list arc) : list task :=
  match path with [] => [] | a :: _ => hops p v q d (At (Message v) (tail a)) path end.
Definition forwarding (p : ports) (members : list node) (shards : list (node * Q))
    (paths : node -> list (list arc)) : system :=
  System
    (flat_map (fun '(v, d) => flat_map (fun '(q, path) => along p v q d path) (numbered (paths v))) shards)
    (owned shards) (wanted_by members shards).

(** A path goes from a member through different switches to a member. *)
Fixpoint linked (path : list arc) : Prop :=
  match path with a :: ((b :: _) as path') => head a = tail b /\ linked path' | _ => True end.
Definition is_path (arcs : list arc) (members : list node) (path : list arc) : Prop :=
  incl path arcs /\ linked path /\ NoDup (map head path) /\
  (forall a path', path = a :: path' -> In (tail a) members) /\
  forall a path', path = path' ++ [a] -> In (head a) members /\ forall b, In b path' -> ~ In (head b) members.
Definition proper_paths (arcs : list arc) (members : list node) (paths : node -> list (list arc)) : Prop :=
  forall v path, In path (paths v) -> is_path arcs members path.

(** ** Claims where switches only forward *)

(** Whatever the paths are, no schedule completes more than T K operations in time K, and none completes M
    operations before time K. *)
Definition forwards_never_more (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (T : Q) : Prop :=
  forall paths, proper_paths arcs members paths -> never_more (forwarding p members shards paths) T.
Definition forwarding_takes (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (M : nat) (K : Q) : Prop :=
  forall paths, proper_paths arcs members paths -> takes_at_least (forwarding p members shards paths) M K.

(** Along some paths, for every M some schedule completes M operations in time M / T + C; some schedule
    completes M operations by time K. *)
Definition forwards (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q)) (T C : Q)
    : Prop :=
  exists paths, proper_paths arcs members paths /\ reached (forwarding p members shards paths) T C.
Definition forwarded_by (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q)) (M : nat)
    (K : Q) : Prop :=
  exists paths, proper_paths arcs members paths /\ done_by (forwarding p members shards paths) M K.
