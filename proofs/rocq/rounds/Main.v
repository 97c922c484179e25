(** What the checkers of this folder accept is true: the run is valid and complete, and no schedule is
    faster. *)
From Coq Require Import ZArith List Lia Bool.
From Exactsched.rounds Require Import Definitions Counting Tables Checker Soundness Bounds LastStep Spread.
Import ListNotations.
Open Scope Z_scope.

Theorem proves_sound p why b : proves p why b = true -> never_before p b.
Proof.
  intros H s t T0 V C. destruct why; cbn [proves] in H.
  - apply Z.leb_le in H. lia.
  - apply andb_prop in H. destruct H as [W H]. now apply (occupancy_bound p s t W V C o).
  - apply andb_prop in H. destruct H as [W H]. now apply (last_step_bound p s t W V C o last).
  - apply andb_prop in H. destruct H as [W H]. now apply (distance_bound p s t W V C d).
  - apply andb_prop in H. destruct H as [W H]. now apply (counting_bound p s t c b W H V C).
Qed.

Theorem check_bound_sound p why before g b : check_bound p why before g b = true -> never_before p b.
Proof.
  unfold check_bound. intros H. repeat (apply andb_prop in H; destruct H as [H ?]).
  apply Z.ltb_lt in H2. apply Z.leb_le in H0. intros s t T0 V C.
  apply Z.le_trans with ((before + g - 1) / g * g); [exact H0|]. revert s t T0 V C. apply rounding;
    [exact H2| |].
  - intros a Ha. pose proof (forallb_in _ _ _ H1 Ha) as D. cbn beta in D. apply Z.eqb_eq in D.
    exists (duration a / g). rewrite (Z.div_mod (duration a) g) at 1 by lia. lia.
  - now apply (proves_sound p why).
Qed.

Theorem check_optimal_sound p rows why before g t : check_optimal p rows why before g t = true -> least_steps
  p t.
Proof.
  unfold check_optimal. intros H. apply andb_prop in H. destruct H as [H B]. apply andb_prop in H.
  destruct H as [T R].
  split; [now apply Z.leb_le|]. split; [now apply (check_rounds_sound p rows)|now apply (check_bound_sound p
    why before g)].
Qed.

(** The definition of the least number of steps leaves no choice, so it says something. *)
Theorem least_steps_unique p t u : least_steps p t -> least_steps p u -> t = u.
Proof.
  intros [T0 [[s [V C]] N]] [U0 [[s' [V' C']] N']]. apply Z.le_antisymm;
    [now apply (N s' u)|now apply (N' s t)].
Qed.
