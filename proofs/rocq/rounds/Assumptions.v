(** What the main theorems of this folder rest on: nothing but Coq's logic. *)
From Exactsched.rounds Require Import Soundness Bounds LastStep Spread Main Sanity.
Print Assumptions check_rounds_sound.
Print Assumptions occupancy_bound.
Print Assumptions last_step_bound.
Print Assumptions distance_bound.
Print Assumptions counting_bound.
Print Assumptions rounding.
Print Assumptions check_bound_sound.
Print Assumptions check_optimal_sound.
Print Assumptions least_steps_unique.
Print Assumptions path_takes_four.
