(** Continuous broadcast in the postal model (Karp, Sahay, Santos, Schauser 1993, section 3): what is claimed.

    A message that is sent at the step s is received at the step s + L. In every step a source makes one more item, which
    all processors shall have. A processor sends one message a step and receives one message a step; the source sends one
    message a step and receives nothing. *)
From Coq Require Import ZArith List.
Import ListNotations.
Open Scope Z_scope.

Section Continuous.
Variables (L : Z) (A : Type).

(** Who sends in which step: to whom, and which item. [None] is the source, items are numbered from 0. *)
Definition schedule := option A -> Z -> option (A * Z).

(** The source has the item i from the step i on, a processor from the step of a reception on. *)
Definition has (s : schedule) (who : option A) (i t : Z) : Prop :=
  match who with
  | None => 0 <= i <= t
  | Some p => exists q u, s q u = Some (p, i) /\ u + L <= t
  end.

Record valid (processors : list A) (s : schedule) : Prop := Valid {
  starts : forall q u p i, s q u = Some (p, i) -> 0 <= u;
  among : forall q u p i, s q u = Some (p, i) -> In p processors /\ forall q', q = Some q' -> In q' processors;
  sends_what_it_has : forall q u p i, s q u = Some (p, i) -> has s q i u;
  receives_once : forall q q' u p i i', s q u = Some (p, i) -> s q' u = Some (p, i') -> q = q' }.

(** Every processor has the item i by the step i + delay. *)
Definition within (processors : list A) (s : schedule) (delay : Z) : Prop :=
  forall i p, 0 <= i -> In p processors -> has s (Some p) i (i + delay).
End Continuous.
Arguments has L {A}.
Arguments valid L {A}.
Arguments within L {A}.

(** f_i = 1 for i < L, f_i = f_{i-1} + f_{i-L} (definition 2.5): the most processors that know an item i steps after the first one
    does. The list is f_n, ..., f_0. *)
Fixpoint fibonacci_list (L n : nat) : list Z :=
  match n with
  | O => [1]
  | S n' => let l := fibonacci_list L n' in
            (if (S n' <? L)%nat then 1 else nth 0 l 0 + nth (L - 1) l 0) :: l
  end.
Definition fibonacci (L : Z) (i : Z) : Z := if i <? 0 then 0 else nth 0 (fibonacci_list (Z.to_nat L) (Z.to_nat i)) 0.

(** The least t in which m processors can know an item: t = B(m). *)
Definition least_steps (L m t : Z) : Prop := 0 <= t /\ m <= fibonacci L t /\ forall t', 0 <= t' < t -> fibonacci L t' < m.

(** The least delay of a continuous broadcast to m processors. *)
Definition least_delay (L m delay : Z) : Prop :=
  forall processors : list Z, NoDup processors -> Z.of_nat (length processors) = m ->
  (exists s, valid L processors s /\ within L processors s delay) /\
  (forall s d, valid L processors s -> within L processors s d -> delay <= d).
