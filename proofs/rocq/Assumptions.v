(** The main theorems rest on no axiom: each line below prints "Closed under the global context". *)
From Exactsched Require Import Model Bound Potentials Periodic ScheduleSound BoundSound Soundness Sanity.
Print Assumptions weak_duality.
Print Assumptions cut_bound.
Print Assumptions potential_bound.
Print Assumptions periodic_reached.
Print Assumptions schedule_sound.
Print Assumptions bound_sound.
Print Assumptions check_both_sound.
Print Assumptions check_sound.
Print Assumptions check_throughput.
Print Assumptions reached_at_most_never_more.
Print Assumptions throughput_unique.
Print Assumptions one_port_triangle.
Print Assumptions half_duplex_triangle.
Print Assumptions link_triangle.
Print Assumptions scatter_triangle.
Print Assumptions reduce_triangle.
Print Assumptions run_star.
Print Assumptions packets_star.
Print Assumptions one_tree.
Print Assumptions acyclic_figure_1.
From Exactsched Require Import RunSound RestrictedSound.
Print Assumptions bound_of_run.
Print Assumptions run_sound.
Print Assumptions packet_bound_sound.
Print Assumptions packet_run_sound.
Print Assumptions restricted_bound_sound.
Print Assumptions restricted_schedule_sound.
Print Assumptions restricted_sound.
