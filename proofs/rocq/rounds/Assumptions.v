(** The main theorems of this folder rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched.rounds Require Import Soundness Bounds LastStep Spread Main Sanity.

Definition theorems := (
  @check_rounds_sound,
  @occupancy_bound,
  @last_step_bound,
  @distance_bound,
  @counting_bound,
  @rounding,
  @check_bound_sound,
  @check_optimal_sound,
  @least_steps_unique,
  @path_takes_four
).
Print Assumptions theorems.
