(** The theorems of this folder rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched.algorithms Require Import Theorems Sanity.

Definition theorems := (
  @cheapest_arborescence,
  @cheapest_whole,
  @cheapest_laminar,
  @fulkerson_laminar,
  @small_is_10,
  @entering_arcs_are_not_enough,
  @negative_wrong
).
Print Assumptions theorems.
