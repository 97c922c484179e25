(** What the main theorems of this folder rest on: nothing but Coq's logic. *)
From Exactsched.continuous Require Import Hall Partitions Induction LowerBound Theorems Latencies Merged Sums Window Large Rows Holds Exception Sanity.
Print Assumptions hall.
Print Assumptions hall_only_if.
Print Assumptions partition_broadcast.
Print Assumptions good_forever.
Print Assumptions never_sooner.
Print Assumptions continuous_broadcast.
Print Assumptions latencies_to_6.
Print Assumptions nine_processors.
Print Assumptions exception.
Print Assumptions window_good.
Print Assumptions exchanges_suffice.
Print Assumptions exception_reached.
Print Assumptions latencies_from_14.
Print Assumptions rows_decide.
Print Assumptions theorem_B_holds.
Print Assumptions exception_without_partition.
Print Assumptions large_exception.
Print Assumptions thirteen.
