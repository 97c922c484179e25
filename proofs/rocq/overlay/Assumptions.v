(** What the main theorems of this folder rest on: nothing but Coq's logic. *)
From Exactsched.overlay Require Import Bounds Soundness Augmented Sanity.
Print Assumptions check_overlay_parts.
Print Assumptions check_overlay_sound.
Print Assumptions check_reached_sound.
Print Assumptions proves_sound.
Print Assumptions rates_carry.
Print Assumptions reached_at_most.
Print Assumptions best_unique.
Print Assumptions check_best_sound.
Print Assumptions exchange_carries_two.
Print Assumptions exchange_without_cycles.
Print Assumptions exchange_by_a_tree.
Print Assumptions counting_bound.
Print Assumptions counting_bound_acyclic.
Print Assumptions augmented.
Print Assumptions augmented_acyclic.
Print Assumptions one_receiver_more.
Print Assumptions narrow_one_more.
Print Assumptions narrow_never_more.
Print Assumptions degrees_are_not_enough.
Print Assumptions exchange_one_more.
Print Assumptions exchange_not_two.
