(** What is claimed about an allreduce on a LogP machine: a third page, read after [Definitions]. It proves and
    computes nothing. *)
From Coq Require Import ZArith QArith List.
From Exactsched.logp Require Import Definitions.
Import ListNotations.
Open Scope Q_scope.

(** Every processor has a value, named as it is. At time t it holds the reduction of its own value and of all that
    has been received by then. A message carries what its sender holds when the send starts; one with the item 1
    leaves out the sender's own value. *)
Inductive holds (m : machine) (s : schedule) : Z -> Z -> Q -> Prop :=
  | holds_own q t : holds m s q q t
  | holds_received x v t : In x s -> received m x <= t -> holds m s (sender x) v (start x) ->
      (item x = 1%Z -> v <> sender x) -> holds m s (receiver x) v t.
Definition carries (m : machine) (s : schedule) (x : message) (v : Z) : Prop :=
  holds m s (sender x) v (start x) /\ (item x = 1%Z -> v <> sender x).

(** As for items; and no value is reduced twice at a processor, neither its own nor one that came before. *)
Definition valid_allreduce (m : machine) (s : schedule) : Prop :=
  (forall x, In x s ->
     In (sender x) (processors m) /\ In (receiver x) (processors m) /\ sender x <> receiver x /\ 0 <= start x) /\
  ForallOrdPairs (compatible m) s /\
  (forall x, In x s -> ~ carries m s x (receiver x)) /\
  ForallOrdPairs (fun x y => receiver x = receiver y -> forall v, carries m s x v -> ~ carries m s y v) s.

(** At time t every processor holds the reduction of all values. *)
Definition all_reduced (m : machine) (s : schedule) (t : Q) : Prop :=
  forall q v, In q (processors m) -> In v (processors m) -> holds m s q v t.

Definition reduced_within (m : machine) (t : Q) : Prop := exists s, valid_allreduce m s /\ all_reduced m s t.
Definition reduced_never_before (m : machine) (b : Q) : Prop :=
  forall s t, 0 <= t -> valid_allreduce m s -> all_reduced m s t -> b <= t.
Definition least_allreduce (m : machine) (t : Q) : Prop :=
  0 <= t /\ reduced_within m t /\ reduced_never_before m t.
