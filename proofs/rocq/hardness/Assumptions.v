(** The theorems of this folder rest on no axiom: each line prints "Closed under the global context". *)
From Exactsched.hardness Require Import Partition Theorems Sanity.

Print Assumptions three_partition.
Print Assumptions three_partition_acyclic.
Print Assumptions three_partition_gap.
Print Assumptions bounded_degree_tree.
Print Assumptions bounded_degree_gap.
Print Assumptions rates_partition.
Print Assumptions no_partition_reaches_79_4.
Print Assumptions trees_are_not_enough.
Print Assumptions the_gap_is_less.
Print Assumptions star_gap_is_largest.
Print Assumptions parents_count.
