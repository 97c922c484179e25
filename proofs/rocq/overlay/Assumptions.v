(** What the main theorems of this folder rest on: nothing but Coq's logic. *)
From Exactsched.overlay Require Import Bounds Soundness Sanity.
Print Assumptions check_overlay_parts.
Print Assumptions check_overlay_sound.
Print Assumptions check_reached_sound.
Print Assumptions proves_sound.
Print Assumptions reached_at_most.
Print Assumptions best_unique.
Print Assumptions check_best_sound.
Print Assumptions exchange_without_cycles.
