(** The program that finds cheapest arborescences, for OCaml with zarith. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlNatBigInt.
From Exactsched.algorithms Require Import Cheapest.
Extraction Language OCaml.
Extraction "cheapest.ml" cheapest.
