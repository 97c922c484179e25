(** The theorems of this folder rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched.existence Require Import Theorems Sanity.

Definition theorems := (
  @koenig_weighted,
  @koenig_few_matchings,
  @edmonds_disjoint,
  @edmonds_with_capacities,
  @edmonds_with_rates,
  @few_arborescences,
  @fulkerson,
  @strong_duality,
  @throughput_exists,
  @throughput_has_plan,
  @plan_never_more,
  @throughput_has_task_prices,
  @task_prices_never_more,
  @asymptotic_optimality,
  @whole_periods,
  @throughput_is_packing,
  @throughput_has_prices,
  @broadcast_exists,
  @broadcast_has_cuts,
  @alltoall_has_potentials,
  @scatter_throughput,
  @reduce_has_potentials,
  @potentials_bound,
  @link_broadcast,
  @half_duplex_bound,
  @hamiltonian_cycle,
  @hamiltonian_path,
  @even_rings,
  @odd_rings,
  @loads_are_not_enough,
  @scatter_paths,
  @scatter_to_itself
).
Print Assumptions theorems.
