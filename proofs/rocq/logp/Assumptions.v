(** The main theorems of this folder rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched.logp Require Import Soundness Bounds OverheadBounds AllreduceSound SumSoundness SumBounds Universal UniversalTree
  Postal Sanity.

Definition theorems := (
  @check_schedule_sound,
  @check_broadcast_bound_sound,
  @check_receptions_bound_sound,
  @check_overheads_bound_sound,
  @check_allreduce_sound,
  @check_allreduce_bound_sound,
  @check_least_allreduce_sound,
  @informed_at_most,
  @capacity_kept,
  @least_time_unique,
  @check_broadcast_sound,
  @every_operand_counts,
  @check_summation_sound,
  @operands_at_most,
  @check_summation_bound_sound,
  @check_most_operands_sound,
  @most_operands_unique,
  @four_take_twenty,
  @five_reduce_in_four,
  @figure_1_takes_24,
  @printed_bound_is_wrong,
  @figure_6_adds_79,
  @figure_6_adds_at_most_79,
  @figure_6_in_any_time,
  @printed_summation_is_wrong,
  @two_of_three_processors,
  @broadcast_time_exists,
  @universal_tree_optimal,
  @within_time,
  @postal_within,
  @postal_least_time,
  @items_take,
  @fibonacci_sum,
  @printed_tree_is_wrong,
  @close_takes_7,
  @not_ten_after_seven,
  @two_items_not_five
).
Print Assumptions theorems.
