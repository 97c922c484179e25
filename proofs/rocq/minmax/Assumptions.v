(** The easy halves of the theorems and the soundness of every checker of this folder rest on no axiom:
    each line prints "Closed under the global context". *)
From Exactsched.minmax Require Import Flow RootCut Branchings Arborescences MinimumCostArborescence Matchings
  EdgeColoring OddSets LinearProgram.

Print Assumptions flow_at_most_cut.
Print Assumptions check_maximum_flow_sound.
Print Assumptions check_minimum_root_cut_sound.
Print Assumptions demand_enters.
Print Assumptions check_branching_packing_sound.
Print Assumptions check_unmet_demand_sound.
Print Assumptions check_concurrent_branching_packing_sound.
Print Assumptions packing_at_most_cut.
Print Assumptions check_arborescence_decomposition_sound.
Print Assumptions cuts_at_most_price.
Print Assumptions check_minimum_cost_arborescence_sound.
Print Assumptions load_at_most.
Print Assumptions check_matching_decomposition_sound.
Print Assumptions check_edge_coloring_sound.
Print Assumptions check_fractional_edge_coloring_sound.
Print Assumptions odd_set_at_most.
Print Assumptions inside_at_most.
Print Assumptions weak_duality.
Print Assumptions check_linear_optimum_sound.
Print Assumptions check_linear_infeasibility_sound.
Print Assumptions check_linear_unboundedness_sound.
