(** The theorems of this folder rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched.hardness Require Import Partition Theorems Sanity.

Definition theorems := (
  @three_partition,
  @three_partition_acyclic,
  @three_partition_gap,
  @bounded_degree_tree,
  @bounded_degree_gap,
  @rates_partition,
  @no_partition_reaches_79_4,
  @trees_are_not_enough,
  @the_gap_is_less,
  @star_gap_is_largest,
  @parents_count
).
Print Assumptions theorems.
