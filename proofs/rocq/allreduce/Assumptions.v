(** The main theorems rest on no axiom: each line below prints "Closed under the global context". *)
From Exactsched.allreduce Require Import Gossip Prices AllReduce ReducesSound Forwarding AllgatherSound
  ShardsSound CarriedBound CarriedSound Examples Helpers BestPairs.
Print Assumptions gather_and_spread_tokens.
Print Assumptions disjoint_trees.
Print Assumptions two_n_minus_two.
Print Assumptions pair_bound.
Print Assumptions all_reduce_bound.
Print Assumptions all_reduce_pairs.
Print Assumptions reduces_at_most.
Print Assumptions check_reduces_sound.
Print Assumptions check_sides_sound.
Print Assumptions check_run_of_sound.
Print Assumptions collects_bound.
Print Assumptions check_carried_sound.
Print Assumptions check_carried_run_sound.
Print Assumptions forwarding_copying.
Print Assumptions leaves_once.
Print Assumptions check_allgather_sound.
Print Assumptions check_allgather_throughput.
Print Assumptions check_shards_sound.
Print Assumptions check_shards_run_sound.
Print Assumptions check_forwarding_sound.
Print Assumptions check_forwarding_run_sound.
Print Assumptions grid_2x3.
Print Assumptions triangle_half_duplex.
Print Assumptions star_allgather.
Print Assumptions narrow_forwarding.
Print Assumptions all_reduce_over_a_switch.
Print Assumptions calls_in_turn.
Print Assumptions helpers_reach_one.
Print Assumptions helpers_need_seven.
Print Assumptions helpers_no_pair.
Print Assumptions helpers_pairs_at_most.
Print Assumptions all_reduce_both_sides.
Print Assumptions best_pairs_bound.
Print Assumptions two_nodes.
Print Assumptions one_node_unbounded.
