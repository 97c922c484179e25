(** The checker of collectives, for OCaml with zarith. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlNatBigInt.
From Exactsched Require Import Checker.
Extraction Language OCaml.
Extraction "collectives.ml" check_schedule check_bound system_of.
