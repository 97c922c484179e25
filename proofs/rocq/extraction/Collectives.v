(** The checkers of collectives, for Python. *)
From Exactsched Require Import Checker RunChecker RestrictedChecker.
From Exactsched.extraction Require Import Replaced.
Extraction Language JSON.
Extraction "collectives.json" check check_schedule check_bound system_of check_run check_packet_run
  check_restricted_schedule check_restricted_bound.
