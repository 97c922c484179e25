(** The checkers of allgathers and of reductions in any order, for Python. *)
From Exactsched.allreduce Require Import ReducesChecker ShardsChecker CarriedChecker.
From Exactsched.extraction Require Import Replaced.
Extraction Language JSON.
Extraction "fabrics.json" check_shards_bound check_shards_schedule check_shards_run check_worth check_schedule_of check_run_of
  check_forwarding_bound check_forwarding_run check_carried_worth check_carried_schedule check_carried_run.
