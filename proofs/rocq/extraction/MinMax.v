(** The checkers of min-max theorems, for Python. *)
From Exactsched.minmax Require Import Flow RootCut Branchings Arborescences MinimumCostArborescence EdgeColoring
  Matchings OddSets LinearProgram.
From Exactsched.minmax Require Import Tables.
From Exactsched.extraction Require Import Replaced.
(** [Table] is another name of [PositiveMap]. *)
Extract Inlined Constant Table.empty => "PositiveMap.empty".
Extract Inlined Constant Table.find => "PositiveMap.find".
Extract Inlined Constant Table.mem => "PositiveMap.mem".
Extract Inlined Constant Table.add => "PositiveMap.add".
Extract Inlined Constant Table.remove => "PositiveMap.remove".
Extraction Language JSON.
Extraction "min_max.json" check_maximum_flow check_minimum_root_cut check_branching_packing check_unmet_demand
  check_concurrent_branching_packing check_arborescence_decomposition check_minimum_cost_arborescence
  check_edge_coloring check_matching_decomposition check_fractional_edge_coloring
  check_linear_optimum check_linear_infeasibility check_linear_unboundedness.
