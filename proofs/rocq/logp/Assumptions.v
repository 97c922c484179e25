(** What the main theorems of this folder rest on: nothing but Coq's logic. *)
From Exactsched.logp Require Import Soundness Bounds OverheadBounds AllreduceSound SumSoundness SumBounds Sanity.
Print Assumptions check_schedule_sound.
Print Assumptions check_broadcast_bound_sound.
Print Assumptions check_receptions_bound_sound.
Print Assumptions check_overheads_bound_sound.
Print Assumptions check_allreduce_sound.
Print Assumptions check_allreduce_bound_sound.
Print Assumptions check_least_allreduce_sound.
Print Assumptions informed_at_most.
Print Assumptions capacity_kept.
Print Assumptions least_time_unique.
Print Assumptions check_broadcast_sound.
Print Assumptions every_operand_counts.
Print Assumptions check_summation_sound.
Print Assumptions operands_at_most.
Print Assumptions check_summation_bound_sound.
Print Assumptions check_most_operands_sound.
Print Assumptions most_operands_unique.
Print Assumptions four_take_twenty.
Print Assumptions five_reduce_in_four.
Print Assumptions figure_1_takes_24.
Print Assumptions printed_bound_is_wrong.
Print Assumptions figure_6_adds_79.
Print Assumptions figure_6_adds_at_most_79.
Print Assumptions figure_6_in_any_time.
Print Assumptions printed_summation_is_wrong.
Print Assumptions two_of_three_processors.
