(** The definitions are not vacuous: small machines whose best throughput the checkers determine. *)
From Coq Require Import ZArith QArith List.
From Exactsched.overlay Require Import Definitions Checker Bounds Soundness.
Import ListNotations.

(** The source sends to node 1, which sends everything on to node 2. *)
Definition line : machine := Machine (Node 0 2 1 None) [Node 1 1 1 None; Node 2 0 0 None] None.
Example line_carries_one : best line any 1.
Proof.
  apply (check_best_sound line any 1 1 [(1, [(0, 1); (1, 2)])]%Z [(0, 1); (1, 2)]%Z [] (by_all [1; 2]%Z)).
  vm_compute. reflexivity.
Qed.

(** Two halves of the message, which two nodes exchange: the arcs have a cycle, no part goes around. *)
Definition exchange : machine := Machine (Node 0 2 2 None) [Node 1 1 1 None; Node 2 1 1 None] None.
Example exchange_carries_two : best exchange any 2.
Proof.
  apply (check_best_sound exchange any 2 2 [(1, [(0, 1); (1, 2)]); (1, [(0, 2); (2, 1)])]%Z
    [(0, 1); (1, 2); (0, 2); (2, 1)]%Z [] by_source).
  vm_compute. reflexivity.
Qed.

(** Without cycles one of the two can send nothing, so less is possible. *)
Example exchange_without_cycles : best exchange acyclic (3 # 2).
Proof.
  apply (check_best_sound exchange acyclic (3 # 2) 3 [(1, [(0, 1); (0, 2)]); (2, [(0, 1); (1, 2)])]%Z
    [(0, 1); (0, 2); (1, 2)]%Z [(1, 1); (2, 2)]%Z (by_acyclic [0; 1; 2]%Z [0; 1; 2]%Z 1 1)).
  vm_compute. reflexivity.
Qed.
