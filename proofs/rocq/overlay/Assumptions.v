(** The main theorems of this folder rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched.overlay Require Import Bounds Soundness Augmented Sanity.

Definition theorems := (
  @check_overlay_parts,
  @check_overlay_sound,
  @check_reached_sound,
  @proves_sound,
  @rates_carry,
  @reached_at_most,
  @best_unique,
  @check_best_sound,
  @exchange_carries_two,
  @exchange_without_cycles,
  @exchange_by_a_tree,
  @counting_bound,
  @counting_bound_acyclic,
  @augmented,
  @augmented_acyclic,
  @one_receiver_more,
  @narrow_one_more,
  @narrow_never_more,
  @degrees_are_not_enough,
  @exchange_one_more,
  @exchange_not_two
).
Print Assumptions theorems.
