(** The checker of collectives, for Python. *)
From Exactsched Require Import Checker.
From Exactsched.extraction Require Import Replaced.
Extraction Language JSON.
Extraction "collectives.json" check check_schedule check_bound system_of.
