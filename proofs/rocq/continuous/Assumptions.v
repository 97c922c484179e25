(** The main theorems of this folder rest on no axiom: Rocq prints "Closed under the global context".
    One question for all, since each looks through everything that is proved below. *)
From Exactsched.continuous Require Import Hall Partitions Induction LowerBound Theorems Latencies Merged Sums Window Large Rows Holds Exception Sanity.

Definition theorems := (
  @hall,
  @hall_only_if,
  @partition_broadcast,
  @good_forever,
  @never_sooner,
  @continuous_broadcast,
  @latencies_to_6,
  @nine_processors,
  @exception,
  @window_good,
  @exchanges_suffice,
  @exception_reached,
  @latencies_from_14,
  @rows_decide,
  @theorem_B_holds,
  @exception_without_partition,
  @large_exception,
  @thirteen
).
Print Assumptions theorems.
