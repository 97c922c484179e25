(** What the main theorems of this folder rest on: nothing but Coq's logic. *)
From Exactsched.logp Require Import Soundness Bounds SumSoundness Sanity.
Print Assumptions check_schedule_sound.
Print Assumptions check_broadcast_bound_sound.
Print Assumptions check_receptions_bound_sound.
Print Assumptions informed_at_most.
Print Assumptions capacity_kept.
Print Assumptions least_time_unique.
Print Assumptions check_broadcast_sound.
Print Assumptions every_operand_counts.
Print Assumptions check_summation_sound.
Print Assumptions figure_1_takes_24.
