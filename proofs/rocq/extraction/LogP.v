(** The checkers of LogP schedules, for Python. *)
From Exactsched.logp Require Import Checker AllreduceChecker OverheadChecker SumChecker.
From Exactsched.extraction Require Import Replaced.
Extraction Language JSON.
Extraction "logp.json" check_schedule check_broadcast_bound check_receptions_bound
  check_overheads_bound check_allreduce check_summation check_summation_bound.
