(** What is claimed about summation on a LogP machine: a second page, read after [Definitions]. It proves and
    computes nothing. *)
From Coq Require Import ZArith QArith List.
From Exactsched.rounds Require Import Counting.
From Exactsched.logp Require Import Definitions.
Import ListNotations.
Open Scope Q_scope.

(** A processor adds operands of its own to what it has, one after the other, in one time unit each. *)
Record addition := Addition { adder : Z; begin : Q; operands : Z }.

(** A message carries the sum of what its sender has, and is added by its receiver at once. *)
Record summation := Summation { root : Z; messages : list message; additions : list addition }.

(** What a processor does, from when until when: a reception is followed by one addition. *)
Inductive piece := sending (x : message) | receiving (x : message) | adding (y : addition).
Definition worker (w : piece) : Z :=
  match w with sending x => sender x | receiving x => receiver x | adding y => adder y end.
Definition starts (m : machine) (w : piece) : Q :=
  match w with sending x => start x | receiving x => arrives m x | adding y => begin y end.
Definition ends (m : machine) (w : piece) : Q :=
  match w with
  | sending x => sent m x
  | receiving x => received m x + 1
  | adding y => begin y + inject_Z (operands y)
  end.
Definition pieces (a : summation) : list piece :=
  map sending (messages a) ++ map receiving (messages a) ++ map adding (additions a).

(** A processor has its sum complete: the root by time t, every other one when its message starts. *)
Definition complete_by (a : summation) (t : Q) (q : Z) (end_ : Q) : Prop :=
  (q = root a /\ end_ <= t) \/ exists x, In x (messages a) /\ sender x = q /\ end_ <= start x.

Definition valid_summation (m : machine) (a : summation) (t : Q) : Prop :=
  (forall x, In x (messages a) -> In (sender x) (processors m) /\ In (receiver x) (processors m) /\
     sender x <> receiver x /\ sender x <> root a /\ 0 <= start x) /\
  (forall y, In y (additions a) -> In (adder y) (processors m) /\ 0 <= begin y /\ (0 < operands y)%Z) /\
  (* Every processor sends at most once. *)
  NoDup (map sender (messages a)) /\
  (* Receptions of a processor are a gap apart; it has one send. *)
  ForallOrdPairs (fun x y => receiver x = receiver y -> apart (gap m) (arrives m x) (arrives m y))
    (messages a) /\
  (* A processor does one thing at a time. *)
  ForallOrdPairs (fun v w => worker v = worker w -> ends m v <= starts m w \/ ends m w <= starts m v)
    (pieces a) /\
  (* What a processor receives or adds is part of what it sends, or of the result. *)
  (forall x, In x (messages a) -> complete_by a t (receiver x) (ends m (receiving x))) /\
  (forall y, In y (additions a) -> complete_by a t (adder y) (ends m (adding y))).

(** The root and all senders take part, each with one operand at first and those that it adds. *)
Definition parties (a : summation) : list Z := root a :: map sender (messages a).
Definition number_of_operands (a : summation) : Z :=
  (Z.of_nat (length (parties a)) + total operands (additions a))%Z.

(** Whatever the own operands of the processors add up to, the sum of the root is the sum of them all. *)
Definition adds_up (a : summation) : Prop :=
  forall own : Z -> Z, exists sum : Z -> Z,
    (forall q,
       sum q = own q + total (fun x => sum (sender x)) (filter (fun x => receiver x =? q) (messages a)))%Z /\
    sum (root a) = total own (parties a).

(** This many operands can be added within the time t. *)
Definition sums_within (m : machine) (t : Q) (n : Z) : Prop :=
  exists a, In (root a) (processors m) /\ valid_summation m a t /\ adds_up a /\ number_of_operands a = n.

(** No summation adds more operands within the time t, and this is the largest number. *)
Definition adds_at_most (m : machine) (t : Q) (n : Z) : Prop :=
  forall a, In (root a) (processors m) -> valid_summation m a t -> (number_of_operands a <= n)%Z.
Definition most_operands (m : machine) (t : Q) (n : Z) : Prop := sums_within m t n /\ adds_at_most m t n.
