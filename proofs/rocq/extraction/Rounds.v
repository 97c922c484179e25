(** The checkers of synchronous rounds, for Python. *)
From Exactsched.rounds Require Import Checker.
From Exactsched.extraction Require Import Replaced.
Extraction Language JSON.
Extraction "rounds.json" check_rounds check_bound.
