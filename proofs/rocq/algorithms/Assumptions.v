(** The theorems of this folder rest on no axiom: each line prints "Closed under the global context". *)
From Exactsched.algorithms Require Import Theorems Sanity.

Print Assumptions cheapest_arborescence.
Print Assumptions cheapest_whole.
Print Assumptions cheapest_laminar.
Print Assumptions fulkerson_laminar.
Print Assumptions small_is_10.
Print Assumptions entering_arcs_are_not_enough.
Print Assumptions negative_wrong.
