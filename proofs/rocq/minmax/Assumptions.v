(** The soundness of every checker of this folder rests on no axiom: each line prints "Closed under the
    global context". *)
From Exactsched.minmax Require Import Flow RootCut Branchings Arborescences MinimumCostArborescence Matchings
  EdgeColoring OddSets LinearProgram.

Print Assumptions check_maximum_flow_sound.
Print Assumptions check_minimum_root_cut_sound.
Print Assumptions check_branching_packing_sound.
Print Assumptions check_unmet_demand_sound.
Print Assumptions check_concurrent_branching_packing_sound.
Print Assumptions check_arborescence_decomposition_sound.
Print Assumptions check_minimum_cost_arborescence_sound.
Print Assumptions check_matching_decomposition_sound.
Print Assumptions check_edge_coloring_sound.
Print Assumptions check_fractional_edge_coloring_sound.
Print Assumptions odd_set_at_most.
Print Assumptions check_linear_optimum_sound.
Print Assumptions check_linear_infeasibility_sound.
Print Assumptions check_linear_unboundedness_sound.
