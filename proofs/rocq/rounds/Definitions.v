(** What is claimed about packets that spread in synchronous rounds. This file proves and computes nothing:
    read it, and trust only it. *)
From Coq Require Import ZArith List.
Import ListNotations.
Open Scope Z_scope.

(** An arc carries one packet at a time from its tail to its head, in a whole number of steps. *)
Record arc := Arc { tail : Z; head : Z; duration : Z }.

(** A half-duplex node takes part in one transfer at a time; a one-port node in one as a sender and in one as
    a receiver. *)
Inductive port_model := half_duplex | one_port.

(** What a transfer occupies: the sending side, the receiving side, or the whole of a node. *)
Inductive port := sending (node : Z) | receiving (node : Z) | whole (node : Z).

Definition ports_of (m : port_model) (a : arc) : list port :=
  match m with
  | half_duplex => [whole (tail a); whole (head a)]
  | one_port => [sending (tail a); receiving (head a)]
  end.

(** A packet has a number and is at its source from the start. *)
Record packet := Packet { number : Z; source : Z }.

(** The platform, and the packets that every node is to have. *)
Record problem := Problem { nodes : list Z; arcs : list arc; ports : port_model; packets : list packet }.

(** A packet, by its number, starts on an arc in the step [start], a whole number; the first is step 0. *)
Record transfer := Transfer { along : arc; carried : Z; start : Z }.
Definition schedule := list transfer.

(** The transfer occupies the steps from [start] to [finish] - 1. *)
Definition finish (x : transfer) : Z := start x + duration (along x).

(** A node has a packet at time t: it is its source, or a transfer has brought it by then. *)
Definition has (p : problem) (s : schedule) (node packet t : Z) : Prop :=
  In (Packet packet node) (packets p) \/
  exists x, In x s /\ head (along x) = node /\ carried x = packet /\ finish x <= t.

(** Two transfers that share a port are one after the other. *)
Definition compatible (m : port_model) (x y : transfer) : Prop :=
  forall r, In r (ports_of m (along x)) -> In r (ports_of m (along y)) ->
    finish x <= start y \/ finish y <= start x.

(** Transfers are on arcs of the platform, start at time 0 or later where the packet is, and are
    compatible. *)
Definition valid (p : problem) (s : schedule) : Prop :=
  (forall x, In x s ->
     In (along x) (arcs p) /\ 0 <= start x /\ has p s (tail (along x)) (carried x) (start x)) /\
  ForallOrdPairs (compatible (ports p)) s.

(** At time t every node has every packet. *)
Definition completes (p : problem) (s : schedule) (t : Z) : Prop :=
  forall v k, In v (nodes p) -> In k (packets p) -> has p s v (number k) t.

(** Some valid schedule is complete after t steps. *)
Definition done_within (p : problem) (t : Z) : Prop := exists s, valid p s /\ completes p s t.

(** No valid schedule is complete after fewer than b steps. *)
Definition never_before (p : problem) (b : Z) : Prop :=
  forall s t, 0 <= t -> valid p s -> completes p s t -> b <= t.

(** The least number of steps. *)
Definition least_steps (p : problem) (t : Z) : Prop := 0 <= t /\ done_within p t /\ never_before p t.
