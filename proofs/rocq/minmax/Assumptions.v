(** The easy halves of the theorems, and the soundness of every checker of this folder, rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched.minmax Require Import Flow RootCut Branchings Arborescences MinimumCostArborescence Matchings
  EdgeColoring OddSets LinearProgram.

Definition theorems := (
  @flow_at_most_cut,
  @check_maximum_flow_sound,
  @check_minimum_root_cut_sound,
  @demand_enters,
  @check_branching_packing_sound,
  @check_unmet_demand_sound,
  @check_concurrent_branching_packing_sound,
  @packing_at_most_cut,
  @check_arborescence_decomposition_sound,
  @cuts_at_most_price,
  @check_minimum_cost_arborescence_sound,
  @load_at_most,
  @check_matching_decomposition_sound,
  @check_edge_coloring_sound,
  @check_fractional_edge_coloring_sound,
  @odd_set_at_most,
  @inside_at_most,
  @weak_duality,
  @check_linear_optimum_sound,
  @check_linear_infeasibility_sound,
  @check_linear_unboundedness_sound
).
Print Assumptions theorems.
