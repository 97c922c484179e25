(** What is claimed about items on a LogP machine. This file proves and computes nothing:
    read it, and trust only it. *)
From Coq Require Import QArith List.
Import ListNotations.
Open Scope Q_scope.

(** The processors, and three times: the latency, the overhead, and the gap. *)
Record machine := Machine { latency : Q; overhead : Q; gap : Q; processors : list Z }.

(** From the start of a send to the end of the reception. *)
Definition delay (m : machine) : Q := latency m + 2 * overhead m.

(** The overhead of the sender begins at [start], a rational number. *)
Record message := Message { sender : Z; receiver : Z; item : Z; start : Q }.
Definition schedule := list message.

Definition sent (m : machine) (x : message) : Q := start x + overhead m.
Definition arrives (m : machine) (x : message) : Q := sent m x + latency m.
Definition received (m : machine) (x : message) : Q := start x + delay m.

(** Pairs (processor, item): who has what at the start, and who wants what. *)
Record problem := Problem { on : machine; given : list (Z * Z); wanted : list (Z * Z) }.

(** A processor has an item at time t: from the start, or it has been received by then. *)
Definition has (p : problem) (s : schedule) (processor item_ : Z) (t : Q) : Prop :=
  In (processor, item_) (given p) \/
  exists x, In x s /\ receiver x = processor /\ item x = item_ /\ received (on p) x <= t.

(** The times, from and until, in which a message occupies a processor. *)
Definition busy (m : machine) (processor : Z) (x : message) : list (Q * Q) :=
  (if (sender x =? processor)%Z then [(start x, sent m x)] else []) ++
  (if (receiver x =? processor)%Z then [(arrives m x, received m x)] else []).

Definition apart (width a b : Q) : Prop := a + width <= b \/ b + width <= a.

(** A processor starts sends, and receptions, a gap apart, and does one thing at a time. *)
Definition compatible (m : machine) (x y : message) : Prop :=
  (sender x = sender y -> apart (gap m) (start x) (start y)) /\
  (receiver x = receiver y -> apart (gap m) (arrives m x) (arrives m y)) /\
  forall q i j, In i (busy m q x) -> In j (busy m q y) -> snd i <= fst j \/ snd j <= fst i.

(** Messages join two processors, start at time 0 or later, when the sender has the item, and are
    compatible. *)
Definition valid (p : problem) (s : schedule) : Prop :=
  (forall x, In x s ->
     In (sender x) (processors (on p)) /\ In (receiver x) (processors (on p)) /\ sender x <> receiver x /\
     0 <= start x /\ has p s (sender x) (item x) (start x)) /\
  ForallOrdPairs (compatible (on p)) s.

(** At time t everybody has what he wants. *)
Definition completes (p : problem) (s : schedule) (t : Q) : Prop :=
  forall q i, In (q, i) (wanted p) -> has p s q i t.

Definition done_within (p : problem) (t : Q) : Prop := exists s, valid p s /\ completes p s t.
Definition never_before (p : problem) (b : Q) : Prop :=
  forall s t, 0 <= t -> valid p s -> completes p s t -> b <= t.
Definition least_time (p : problem) (t : Q) : Prop := 0 <= t /\ done_within p t /\ never_before p t.

(** The items of one processor reach everybody. *)
Definition broadcast (m : machine) (source : Z) (items : list Z) : problem :=
  Problem m (map (pair source) items) (list_prod (processors m) items).

(** Everybody's items, as pairs (owner, item), reach everybody. *)
Definition allgather (m : machine) (own : list (Z * Z)) : problem :=
  Problem m own (list_prod (processors m) (map snd own)).

(** Items (owner, addressee, item): each reaches its addressee. *)
Definition alltoall (m : machine) (own : list (Z * Z * Z)) : problem :=
  Problem m (map (fun x => (fst (fst x), snd x)) own) (map (fun x => (snd (fst x), snd x)) own).

(** A message is under way from the end of the one overhead to the start of the other. *)
Definition under_way (m : machine) (x : message) (t : Q) : Prop := sent m x <= t < arrives m x.

(** The capacity of the model: of the messages from, or to, a processor at most c are under way at any
    time. *)
Definition keeps_capacity (m : machine) (s : schedule) (c : Z) : Prop :=
  forall q t l, incl l s -> NoDup l -> (forall x, In x l -> under_way m x t) ->
  (forall x, In x l -> sender x = q) \/ (forall x, In x l -> receiver x = q) -> (Z.of_nat (length l) <= c)%Z.
