(** The checkers of overlays, for Python. *)
From Exactsched.overlay Require Import Checker.
From Exactsched.extraction Require Import Replaced.
Extraction Language JSON.
Extraction "overlay.json" check_overlay check_reached proves.
