(** The theorems of this folder rest on no axiom: each line prints "Closed under the global context". *)
From Exactsched.existence Require Import Theorems Sanity.

Print Assumptions koenig_weighted.
Print Assumptions koenig_few_matchings.
Print Assumptions edmonds_disjoint.
Print Assumptions edmonds_with_capacities.
Print Assumptions edmonds_with_rates.
Print Assumptions few_arborescences.
Print Assumptions fulkerson.
Print Assumptions strong_duality.
Print Assumptions throughput_exists.
Print Assumptions throughput_has_plan.
Print Assumptions plan_never_more.
Print Assumptions throughput_has_task_prices.
Print Assumptions task_prices_never_more.
Print Assumptions asymptotic_optimality.
Print Assumptions whole_periods.
Print Assumptions throughput_is_packing.
Print Assumptions throughput_has_prices.
Print Assumptions broadcast_exists.
Print Assumptions broadcast_has_cuts.
Print Assumptions alltoall_has_potentials.
Print Assumptions scatter_throughput.
Print Assumptions reduce_has_potentials.
Print Assumptions potentials_bound.
Print Assumptions link_broadcast.
Print Assumptions half_duplex_bound.
Print Assumptions hamiltonian_cycle.
Print Assumptions hamiltonian_path.
Print Assumptions even_rings.
Print Assumptions odd_rings.
Print Assumptions loads_are_not_enough.
Print Assumptions scatter_paths.
Print Assumptions scatter_to_itself.
