(** The main theorems rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched Require Import Model Bound Potentials Periodic ScheduleSound BoundSound Soundness Sanity.
From Exactsched Require Import RunSound RestrictedSound.
From Exactsched Require Import Figures.

Definition theorems := (
  @weak_duality,
  @cut_bound,
  @potential_bound,
  @periodic_reached,
  @schedule_sound,
  @bound_sound,
  @check_both_sound,
  @check_sound,
  @check_throughput,
  @reached_at_most_never_more,
  @throughput_unique,
  @one_port_triangle,
  @half_duplex_triangle,
  @link_triangle,
  @scatter_triangle,
  @reduce_triangle,
  @run_star,
  @packets_star,
  @one_tree,
  @acyclic_figure_1,
  @bound_of_run,
  @run_sound,
  @packet_bound_sound,
  @packet_run_sound,
  @restricted_bound_sound,
  @restricted_schedule_sound,
  @restricted_sound,
  @broadcast_figure_1,
  @tree_figure_1,
  @scatter_figure_2,
  @reduce_figure_6
).
Print Assumptions theorems.
