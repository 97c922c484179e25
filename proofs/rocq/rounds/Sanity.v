(** The definitions are not vacuous: small examples whose least number of steps the checkers determine. *)
From Coq Require Import ZArith List.
From Exactsched.rounds Require Import Definitions Checker Main.
Import ListNotations.
Open Scope Z_scope.

Definition both_ways (u v : Z) : list arc := [Arc u v 1; Arc v u 1].

(** Two packets cross a half-duplex path of three nodes in 2 N + P - 3 = 4 steps, and in no fewer: the last
  two
    nodes are counted. *)
Definition path : problem :=
  Problem [0; 1; 2] (both_ways 0 1 ++ both_ways 1 2) half_duplex [Packet 0 0; Packet 1 0].
Definition path_rows : list (list (Z * Z)) := [[(0, 0)]; [(2, 0)]; [(0, 1)]; [(2, 1)]].
Definition path_bound : proof :=
  by_counting (Counting [Group false false [0]; Group true true [1]; Group true false [2]] true [0]
    [(0, 0); (1, 9); (2, 2)] [(0, 9); (1, 1); (2, 9)] [(1, 1); (2, 1)] 1 1 [1; 1; 1]).
Example path_takes_four : least_steps path 4.
Proof. apply (check_optimal_sound path path_rows path_bound 4 1). vm_compute. reflexivity. Qed.

(** A half-duplex triangle: its three nodes are one odd set, in which one transfer works at a time. *)
Definition triangle : problem :=
  Problem [0; 1; 2] (both_ways 0 1 ++ both_ways 1 2 ++ both_ways 2 0) half_duplex [Packet 0 0].
Definition triangle_bound : proof :=
  by_occupancy (Occupancy [] [Weighted [0; 1; 2] 1] [Weighted [1] 1; Weighted [2] 1] [] 0).
Example triangle_takes_two : least_steps triangle 2.
Proof. apply (check_optimal_sound triangle [[(0, 0)]; [(2, 0)]] triangle_bound 2 1). vm_compute. reflexivity.
Qed.

(** The port of one-port node 1 sends one packet in two directions, and has nothing to send in step 0. *)
Definition star : problem :=
  Problem [0; 1; 2; 3] (both_ways 0 1 ++ both_ways 1 2 ++ both_ways 1 3) one_port [Packet 0 0].
Definition star_bound : proof :=
  by_occupancy (Occupancy [(sending 1, 1)] [] [Weighted [2] 1; Weighted [3] 1] [(1, 1); (2, 2); (3, 2)] 1).
Example star_takes_three : least_steps star 3.
Proof. apply (check_optimal_sound star [[(0, 0)]; [(2, 0)]; [(4, 0)]] star_bound 3 1). vm_compute.
reflexivity. Qed.

(** All durations are even, so a bound of 5 says 6. *)
Definition slow : problem :=
  Problem [0; 1] [Arc 0 1 2] one_port [Packet 0 0; Packet 1 0; Packet 2 0].
Definition slow_bound : proof := by_distance (Farthest 0 1 2 [(1, 2)]).
Example slow_takes_six : least_steps slow 6.
Proof. apply (check_optimal_sound slow [[(0, 0)]; []; [(0, 1)]; []; [(0, 2)]; []] slow_bound 5 2).
vm_compute. reflexivity. Qed.
