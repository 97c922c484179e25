(** The definitions are not vacuous: exact throughputs of small platforms, proved by the checkers. *)
From Coq Require Import QArith List ZArith.
From Exactsched Require Import Model Collectives Checker ScheduleSound.
From Exactsched.allreduce Require Import OrderFree Schemes ReducesChecker ReducesSound Allgather
  AllgatherChecker
  AllgatherSound Carried CarriedChecker CarriedSound.
Import ListNotations.
Open Scope Z_scope.

Definition exactly (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block) (T : Q) : Prop :=
  reduces_never_more p nodes arcs blocks T /\ exists C, reduces p nodes arcs blocks T C.
Definition slot_of (i : positive) (a b : Z) : slot := (i, a, b).
Definition arcs_of (l : list (node * node)) : list arc := map (fun '(u, v) => Arc u v 1) l.

(** ** The 2x3 grid under one-port: 3/5 all-reduces per time unit *)
Definition grid : list arc := arcs_of
  [(0, 1); (1, 0); (1, 2); (2, 1); (3, 4); (4, 3); (4, 5); (5, 4); (0, 3); (3, 0); (1, 4); (4, 1); (2, 5);
    (5, 2)].
Definition grid_evidence : list evidence := [Everywhere 5
  [(0, (Side [1; 3; 5] [(1, 2, 1); (2, 3, 1); (3, 4, 1)], Side [2; 4] [(1, 2, 1); (2, 3, 1)]));
   (1, (Side [3; 5] [(1, 2, 1); (2, 3, 1)], Side [0; 2; 4] [(1, 2, 1); (2, 3, 1); (3, 4, 1)]));
   (2, (Side [1; 3; 5] [(1, 2, 1); (2, 3, 1); (3, 4, 1)], Side [0; 4] [(1, 2, 1); (2, 3, 1)]));
   (3, (Side [1; 5] [(1, 2, 1); (2, 3, 1)], Side [0; 2; 4] [(1, 2, 1); (2, 3, 1); (3, 4, 1)]));
   (4, (Side [1; 3; 5] [(1, 2, 1); (2, 3, 1); (3, 4, 1)], Side [0; 2] [(1, 2, 1); (2, 3, 1)]));
   (5, (Side [1; 3] [(1, 2, 1); (2, 3, 1)], Side [0; 2; 4] [(1, 2, 1); (2, 3, 1); (3, 4, 1)]))]].
Definition grid_forms : list form :=
  [Form 1 [6; 14; 10; 4; 2] [1; 9; 5; 7; 14];
   Form 1 [10; 13; 8; 12; 2] [9; 5; 7; 14; 4];
   Form 1 [3; 13; 8; 6; 10] [1; 9; 3; 11; 13]]%positive.
Definition grid_schedule : periodic := Periodic 5 1
  [(map (whole 1) [0; 1; 2; 3; 4; 5],
    [(1, [1; 2; 3; 4; 5; 6; 7; 8; 9; 10]%positive); (1, [11; 12; 13; 14; 15; 16; 17; 18; 19; 20]%positive);
     (1, [21; 22; 23; 24; 25; 26; 27; 28; 29; 30]%positive)])]
  [slot_of 6 0 1; slot_of 3 0 1; slot_of 1 0 1; slot_of 21 0 1; slot_of 12 0 1;
   slot_of 13 0 1; slot_of 26 1 2; slot_of 11 1 2; slot_of 24 1 2; slot_of 28 1 2;
   slot_of 22 1 2; slot_of 23 1 2; slot_of 7 2 3; slot_of 25 2 3; slot_of 14 2 3;
   slot_of 29 2 3; slot_of 30 2 3; slot_of 2 2 3; slot_of 16 3 4; slot_of 5 3 4;
   slot_of 4 3 4; slot_of 8 3 4; slot_of 9 3 4; slot_of 10 3 4; slot_of 27 4 5;
   slot_of 15 4 5; slot_of 20 4 5; slot_of 17 4 5; slot_of 18 4 5; slot_of 19 4 5].
Definition grid_check := check_reduces OnePort [0; 1; 2; 3; 4; 5] grid (all_reduce [0; 1; 2; 3; 4; 5])
    (PriceList [(Sends 1, 1); (Sends 3, 1); (Sends 5, 1)] []) grid_evidence grid_forms grid_schedule.
Theorem grid_2x3 : exactly OnePort [0; 1; 2; 3; 4; 5] grid (all_reduce [0; 1; 2; 3; 4; 5]) (3 # 5).
Proof.
  assert (E : exists C, grid_check = Some (3 # 5, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. apply check_reduces_sound in E. destruct E. split; eauto.
Qed.

(** ** A triangle under half-duplex: 1/4, by the odd set of its three ports, in which one arc works at a
    time *)
Definition triangle : list arc := arcs_of [(1, 0); (2, 0); (0, 1); (0, 2); (1, 2); (2, 1)].
Definition pairs_of_cuts (u v : node) : side := Side [u; v] [(1, 2, 1); (2, 3, 1)].
Definition triangle_check := check_reduces HalfDuplex [0; 1; 2] triangle (all_reduce [0; 1; 2])
    (PriceList [] [([Port 0; Port 1; Port 2], 1)])
    [Everywhere 4 [(0, (pairs_of_cuts 1 2, pairs_of_cuts 1 2)); (1, (pairs_of_cuts 0 2, pairs_of_cuts 0 2));
                   (2, (pairs_of_cuts 0 1, pairs_of_cuts 0 1))]]
    [Form 1 [1; 2] [3; 4]]%positive
    (Periodic 4 1 [(map (whole 1) [0; 1; 2], [(1, [1; 2; 3; 4]%positive)])]
      [slot_of 1 0 1; slot_of 2 1 2; slot_of 3 2 3; slot_of 4 3 4]).
Theorem triangle_half_duplex : exactly HalfDuplex [0; 1; 2] triangle (all_reduce [0; 1; 2]) (1 # 4).
Proof.
  assert (E : exists C, triangle_check = Some (1 # 4, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. apply check_reduces_sound in E. destruct E. split; eauto.
Qed.

(** ** A path of three nodes whose links work at the same time: one all-reduce per time unit *)
Definition path : list arc := arcs_of [(0, 1); (2, 1); (1, 0); (1, 2)].
Definition path_check := check_reduces Links [0; 1; 2] path (all_reduce [0; 1; 2])
    (PriceList [(Link 0 1, 1); (Link 2 1, 1); (Link 1 0, 1); (Link 1 2, 1)] [])
    [Everywhere 4
      [(0, (Side [1; 2] [(1, 3, 1); (2, 3, 1)], Side [1; 2] [(1, 3, 1); (2, 3, 1)]));
       (1, (pairs_of_cuts 0 2, pairs_of_cuts 0 2));
       (2, (Side [1; 0] [(1, 3, 1); (2, 3, 1)], Side [1; 0] [(1, 3, 1); (2, 3, 1)]))]]
    [Form 1 [1; 2] [3; 4]]%positive
    (Periodic 1 1 [(map (whole 1) [0; 1; 2], [(1, [1; 2; 3; 4]%positive)])]
      [slot_of 1 0 1; slot_of 2 0 1; slot_of 3 0 1; slot_of 4 0 1]).
Theorem path_links : exactly Links [0; 1; 2] path (all_reduce [0; 1; 2]) 1.
Proof.
  assert (E : exists C, path_check = Some (1, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. apply check_reduces_sound in E. destruct E. split; eauto.
Qed.

(** ** Reduce to the middle of the path under one-port: 1/2, for the middle receives two sums *)
Definition reduce_check := check_reduces OnePort [0; 1; 2] path (reduce_to 1) (PriceList [(Receives 1, 1)] [])
    [AtRoot 1 (pairs_of_cuts 0 2)] [Form 1 [1; 2] []]%positive
    (Periodic 2 1 [([whole 1 1], [(1, [1; 2]%positive)])] [slot_of 1 0 1; slot_of 2 1 2]).
Theorem path_reduce : exactly OnePort [0; 1; 2] path (reduce_to 1) (1 # 2).
Proof.
  assert (E : exists C, reduce_check = Some (1 # 2, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. apply check_reduces_sound in E. destruct E. split; eauto.
Qed.

(** ** Reduce-scatter of shards of sizes 1 and 2 between two nodes: 1/2, for the larger shard takes time 2 *)
Definition two : list arc := arcs_of [(0, 1); (1, 0)].
Definition two_check := check_reduces Links [0; 1] two (reduce_scatter [(0, 1%Q); (1, 2%Q)])
    (PriceList [(Link 0 1, 1)] [])
    [AtRoot 0 (Side [] []); AtRoot 1 (Side [0] [(1, 2, 1)])] [Form 1 [2] []; Form 2 [1] []]%positive
    (Periodic 2 1 [([whole 1 0], [(1, [1]%positive)]); ([whole 2 1], [(1, [2]%positive)])]
      [slot_of 1 0 1; slot_of 2 0 2]).
Theorem two_reduce_scatter : exactly Links [0; 1] two (reduce_scatter [(0, 1%Q); (1, 2%Q)]) (1 # 2).
Proof.
  assert (E : exists C, two_check = Some (1 # 2, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. apply check_reduces_sound in E. destruct E. split; eauto.
Qed.

(** ** Allgather of three members on a switch (node 9): 1/2, for every member must hear two shards over one
    link *)
Definition star : list arc := arcs_of [(0, 9); (1, 9); (2, 9); (9, 0); (9, 1); (9, 2)].
Definition star_shards : list (node * Q) := [(0, 1%Q); (1, 1%Q); (2, 1%Q)].
Definition star_check := check_allgather Links star [0; 1; 2] star_shards (Bottleneck [0])
    [(0, [[1; 5]; [2; 6]]%positive); (1, [[2; 6]; [3; 4]]%positive); (2, [[3; 4]; [1; 5]]%positive)]
    (Periodic 2 1
      [(map (At (Message 0)) [0; 1; 2], [(1, [1; 2; 3; 4]%positive)]);
       (map (At (Message 1)) [0; 1; 2], [(1, [5; 6; 7; 8]%positive)]);
       (map (At (Message 2)) [0; 1; 2], [(1, [9; 10; 11; 12]%positive)])]
      [slot_of 1 0 1; slot_of 2 0 1; slot_of 3 0 1; slot_of 4 0 1; slot_of 7 0 1;
       slot_of 8 0 1; slot_of 11 1 2; slot_of 12 1 2; slot_of 5 1 2; slot_of 6 1 2;
       slot_of 9 1 2; slot_of 10 1 2]).
Theorem star_allgather : throughput (allgather Links star [0; 1; 2] star_shards) (1 # 2) /\
  exists paths, proper_paths star [0; 1; 2] paths /\
    throughput (forwarding Links [0; 1; 2] star_shards paths) (1 # 2).
Proof.
  assert (E : exists C, star_check = Some (1 # 2, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. apply (check_allgather_throughput _ _ _ _ _ _ _ _ _ E). reflexivity.
Qed.

(** ** A switch that lets out more than it takes in: only node 0 has a shard. By copying the switch does one
    allgather per time unit; if it only forwards, 1/2 is exact, by a potential of 1 at the switch. *)
Definition narrow : list arc := arcs_of [(0, 9); (9, 1); (9, 2)].
Definition narrow_shards : list (node * Q) := [(0, 1%Q)].
Definition narrow_check := check_allgather Links narrow [0; 1; 2] narrow_shards
    (Sets (SetBound (PriceList [(Link 0 9, 1)] []) [([1], 1); ([2], 1)] [(9, 1)]))
      [(0, [[1; 2]; [1; 3]]%positive)]
    (Periodic 2 1 [(map (At (Message 0)) [0; 1; 2], [(1, [1; 2; 3; 4]%positive)])]
      [slot_of 1 0 1; slot_of 2 0 1; slot_of 3 1 2; slot_of 4 1 2]).
Theorem narrow_forwarding :
  (forall paths, proper_paths narrow [0; 1; 2] paths ->
     never_more (forwarding Links [0; 1; 2] narrow_shards paths) (1 # 2)) /\
  exists paths C, proper_paths narrow [0; 1; 2] paths /\
    reached (forwarding Links [0; 1; 2] narrow_shards paths) (1 # 2) C.
Proof.
  assert (E : exists C, narrow_check = Some (1 # 2, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. apply check_allgather_sound in E. destruct E as (N & _ & paths & P & R).
  split; [exact N|]. exists paths, C. auto.
Qed.
Theorem narrow_copying : exists C, reached (allgather Links narrow [0; 1; 2] narrow_shards) 1 C.
Proof.
  assert (E : exists C, check_schedule (allgather Links narrow [0; 1; 2] narrow_shards)
    (Periodic 1 1 [(map (At (Message 0)) [0; 1; 2], [(1, [1; 2; 3]%positive)])]
      [slot_of 1 0 1; slot_of 2 0 1; slot_of 3 0 1]) = Some (1, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. exists C. apply schedule_sound in E. exact E.
Qed.

(** ** Three members on a switch, two of them joined: 7/8 all-reduces per time unit *)
Definition switched : list arc := [(Arc 0 3 1); (Arc 1 3 2); (Arc 2 3 1); (Arc 3 0 1); (Arc 3 1 2); (Arc 3 2
  1); (Arc 0 1 2); (Arc 1 0 2)].
Definition switched_near : list (list (node * Z)) := [[(0, 0); (1, 2); (2, 2); (3, 0)]; [(0, 2); (1, 0); (2,
  2); (3, 0)]; [(0, 2); (1, 2); (2, 0); (3, 0)]].
Definition switched_evidence : list evidence := [(Everywhere 8 [(0, ((Side [1; 2] [((1, 2), 2); ((2, 3),
  2)]), (Side [1; 2] [((1, 2), 2); ((2, 3), 2)]))); (1, ((Side [0; 2] [((1, 2), 2); ((2, 3), 2)]), (Side [0;
  2] [((1, 2), 2); ((2, 3), 2)]))); (2, ((Side [0; 1] [((1, 2), 2); ((2, 3), 2)]), (Side [0; 1] [((1, 2),
  2); ((2, 3), 2)])))])].
Definition switched_ways : list (list positive) := [[8]%positive; [3; 4]%positive; [1; 6]%positive;
  [7]%positive; [1; 5]%positive; [2; 4]%positive; [3; 5]%positive; [2; 6]%positive].
Definition switched_forms : list form := [(Form 1%positive [1; 2]%positive [3; 4]%positive); (Form
  1%positive [2; 5]%positive [6; 3]%positive); (Form 1%positive [3; 7]%positive [8; 2]%positive); (Form
  1%positive [7; 6]%positive [5; 8]%positive)].
Definition switched_slots : periodic := (Periodic 8 1 [([(At (Values 1 1) 0); (At (Values 1 1) 1); (At
  (Values 1 1) 2)], [(4, [1; 2; 3; 4; 5; 6]%positive); (1, [7; 8; 9; 10; 11; 12; 13; 14]%positive); (1, [15;
  16; 17; 18; 19; 20; 21; 22]%positive); (1, [23; 24; 25; 26; 27; 28; 29; 30]%positive)])] [((4%positive,
  0), 4); ((11%positive, 0), 2); ((2%positive, 0), 4); ((3%positive, 0), 4); ((10%positive, 0), 2);
  ((5%positive, 0), 4); ((6%positive, 0), 8); ((1%positive, 0), 8); ((19%positive, 2), 4); ((18%positive,
  2), 4); ((9%positive, 4), 5); ((25%positive, 4), 6); ((7%positive, 4), 5); ((8%positive, 4), 5);
  ((24%positive, 4), 6); ((14%positive, 4), 5); ((13%positive, 5), 6); ((17%positive, 5), 6); ((12%positive,
  5), 6); ((16%positive, 5), 6); ((15%positive, 6), 7); ((29%positive, 6), 8); ((21%positive, 6), 7);
  ((22%positive, 6), 7); ((28%positive, 6), 8); ((20%positive, 6), 7); ((27%positive, 7), 8); ((23%positive,
  7), 8); ((26%positive, 7), 8); ((30%positive, 7), 8)]).
Theorem all_reduce_over_a_switch : collects_never_more Links [0; 1; 2] switched (all_reduce [0; 1; 2]) (7 # 8) /\
  exists C, collects Links [0; 1; 2] switched (all_reduce [0; 1; 2]) (7 # 8) C.
Proof.
  assert (W : check_carried_worth Links [0; 1; 2] switched (all_reduce [0; 1; 2])
    ((PriceList [((Link 3 0), 2); ((Link 3 1), 1); ((Link 3 2), 2); ((Link 0 1), 1); ((Link 1 0), 1)] []))
    1%positive switched_near switched_evidence = Some (7 # 8)%Q) by (vm_compute; reflexivity).
  assert (E : exists C, check_carried_schedule Links [0; 1; 2] switched (all_reduce [0; 1; 2]) switched_ways
    switched_forms switched_slots = Some (7 # 8, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as [C E]. split; [apply (check_carried_worth_sound _ _ _ _ _ _ _ _ _ W)|].
  exists C. apply (check_carried_schedule_sound _ _ _ _ _ _ _ _ _ E).
Qed.
