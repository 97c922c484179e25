(** What is claimed. This page states and computes nothing else: read it, and trust only it (and, for a
    collective, its definition in Collectives.v). *)
From Coq Require Import QArith Qminmax List Arith ZArith.
Import ListNotations.
Open Scope Q_scope.

(** ** Names *)

(** Nodes are named by integers. *)
Definition node := Z.
Bind Scope Z_scope with node.

(** What can be known: message number d; the result of the values number [first] to [last] of a reduction. *)
Inductive item := Message (number : Z) | Values (first last : Z).

(** A state: an item is known at a node. *)
Record state := At { what : item; place : node }.

(** What does one thing at a time: the sending or the receiving port of a node; its only port, if it either
    sends or receives; the link from u to v; the processor of a node. *)
Inductive resource :=
  Sends (v : node) | Receives (v : node) | Port (v : node) | Link (u v : node) | Computes (v : node).

(** ** Systems *)

(** A task keeps all resources that it uses busy for the time that it lasts; it needs some states and makes
    one. In a broadcast the tasks are the transfers over the arcs, and the states say who knows the message.
    *)
Record task := Task { uses : list resource; lasts : Q; needs : list state; makes : state }.

(** An operation starts with the given states and is complete when all wanted states have been made. *)
Record system := System { tasks : list task; given : list state; wanted : list state }.

(** ** Schedules *)

(** From [start] to [stop] task number [which] works for operation number [operation] (both from 0 on).
    A task may be interrupted: then it has several pieces. *)
Record piece := Piece { which : nat; operation : nat; start : Q; stop : Q }.
Definition schedule := list piece.

Fixpoint sum {A} (f : A -> Q) (l : list A) : Q :=
  match l with [] => 0 | x :: l => f x + sum f l end.

(** How much of the piece lies before time t. *)
Definition before (t : Q) (p : piece) : Q := Qmin (stop p) t - Qmin (start p) t.
(** Is it a piece of task i for operation m? *)
Definition of_task (i m : nat) (p : piece) : bool := (which p =? i)%nat && (operation p =? m)%nat.
(** How long task i has worked for operation m before time t. *)
Definition work (s : schedule) (i m : nat) (t : Q) : Q := sum (before t) (filter (of_task i m) s).

(** State x is there for operation m at time t: it is given, or a task that makes it is complete. *)
Definition has (S : system) (s : schedule) (m : nat) (t : Q) (x : state) : Prop :=
  In x (given S) \/
  exists i k, nth_error (tasks S) i = Some k /\ makes k = x /\ lasts k <= work s i m t.

(** Two pieces that share a resource do not overlap. *)
Definition compatible (S : system) (p q : piece) : Prop :=
  forall j k r, nth_error (tasks S) (which p) = Some j -> nth_error (tasks S) (which q) = Some k ->
  In r (uses j) -> In r (uses k) -> stop p <= start q \/ stop q <= start p.

(** A schedule is valid if every piece takes some time from 0 on, belongs to a task of the system, and starts
    when all that its task needs is there, and if no two pieces share a resource at the same time. *)
Definition valid (S : system) (s : schedule) : Prop :=
  (forall p, In p s -> 0 <= start p < stop p /\
     exists k, nth_error (tasks S) (which p) = Some k /\
     forall x, In x (needs k) -> has S s (operation p) (start p) x) /\
  ForallOrdPairs (compatible S) s.

(** The operations 0 to M - 1 are complete at time t. *)
Definition completes (S : system) (s : schedule) (M : nat) (t : Q) : Prop :=
  forall m x, (m < M)%nat -> In x (wanted S) -> has S s m t x.

Definition count (M : nat) : Q := inject_Z (Z.of_nat M).

(** ** Claims *)

(** No valid schedule completes more than T K operations in time K, whatever K is. *)
Definition never_more (S : system) (T : Q) : Prop :=
  forall s M K, 0 <= K -> valid S s -> completes S s M K -> count M <= T * K.

(** For every M some valid schedule completes M operations in time M / T + C. *)
Definition reached (S : system) (T C : Q) : Prop :=
  0 < T /\ forall M, exists s, valid S s /\ completes S s M (count M / T + C).

(** The throughput is T: it is never passed, and it is reached up to a constant. *)
Definition throughput (S : system) (T : Q) : Prop := never_more S T /\ exists C, reached S T C.

(** No valid schedule completes M operations before time K. *)
Definition takes_at_least (S : system) (M : nat) (K : Q) : Prop :=
  forall s t, 0 <= t -> valid S s -> completes S s M t -> K <= t.

(** Some valid schedule completes M operations by time K. *)
Definition done_by (S : system) (M : nat) (K : Q) : Prop :=
  exists s, valid S s /\ completes S s M K.
