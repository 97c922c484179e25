(** Platforms that the papers draw, and their best throughput: theorems about single platforms, proved by running the
    checkers. What is reached is reached by the schedule written here, not always by the one that is printed. *)
From Coq Require Import QArith List ZArith.
From Exactsched Require Import Model Collectives Checker RestrictedChecker Soundness RestrictedSound Sanity.
Import ListNotations.
Open Scope Z_scope.

(** ** Figure 1 of "pipelining broadcasts" (RR-4871): [figure_1]; node 0 is Ps *)

(** All arcs together. *)
Example broadcast_figure_1 : throughput (broadcast OnePort [0; 1; 2; 3; 4] figure_1 0) 1.
Proof.
  assert (E : check (Multicast OnePort figure_1 0 [0; 1; 2; 3; 4])
    (Periodic 2 1 [(map (At (Message 0)) [1; 2; 3; 4], [(1, [1; 3; 5; 6]%positive); (1, [2; 4; 6; 5]%positive)])]
      [(1%positive, 0, 1); (3%positive, 0, 1); (6%positive, 0, 1); (2%positive, 1, 2); (4%positive, 1, 2);
       (5%positive, 1, 2)])
    (ByCuts (CutBound (PriceList [(Sends 0, 1)] []) [1; 2; 3; 4] [(1, 5, 1)]))
    = Some (2 / 2, 6)%Q).
  { vm_compute. reflexivity. }
  apply check_throughput in E. refine (throughput_eq _ _ _ _ E). reflexivity.
Qed.

(** One tree only: a case for each arc into node 1, and again for node 2. *)
Example tree_figure_1 : exists T C, (T == 2 # 3)%Q /\
  never_more_within (tree 0) OnePort figure_1 0 [0; 1; 2; 3; 4] T /\
  reached_within (tree 0) OnePort figure_1 0 [0; 1; 2; 3; 4] T C.
Proof.
  set (case := fun (r v w : Z) => OfCuts (CutBound (PriceList [(Sends r, 2)] []) [v; w] [(1, 2, 1); (2, 3, 2)])).
  set (both := OfCuts (CutBound (PriceList [(Sends 0, 1)] []) [1; 2] [(1, 2, 1); (2, 3, 1)])).
  set (b := SplitOnNode 1 [([1%positive], case 2 4 1);
    ([4%positive], SplitOnNode 2 [([2%positive], case 1 3 2); ([3%positive], both)])]).
  set (s := Periodic (3 # 2) (1 # 2) [(map (At (Message 0)) [1; 2; 3; 4], [(1, [1; 2; 3; 4]%positive)])]
    [(4%positive, 0, 1); (1%positive, 0, 2); (2%positive, 0, 2); (3%positive, 2, 3)]).
  assert (E : check_restricted OneTree OnePort figure_1 0 [0; 1; 2; 3; 4] [1; 3; 5; 6]%positive [] s b
    = Some (1 / (3 # 2), 9 # 2)%Q).
  { vm_compute. reflexivity. }
  apply restricted_sound in E. exists (1 / (3 # 2))%Q, (9 # 2)%Q. split; [reflexivity|exact E].
Qed.

(** ** Figure 2 of "scatters and reductions" (RR-4872): a scatter from Ps = 0 to P0 = 3 and P1 = 4 *)
Definition figure_2 : list arc := [Arc 0 1 1; Arc 0 2 1; Arc 1 3 (2 # 3); Arc 2 3 (4 # 3); Arc 2 4 (4 # 3)].
Example scatter_figure_2 : throughput (scatter OnePort figure_2 0 [(3, 1%Q); (4, 1%Q)]) (1 # 2).
Proof.
  assert (E : check (Alltoall OnePort figure_2 [Demand 0 3 1; Demand 0 4 1])
    (Periodic 2 (1 # 3) [([At (Message 0) 3], [(1, [1; 3]%positive)]); ([At (Message 1) 4], [(1, [7; 10]%positive)])]
      [(1%positive, 0, 3); (3%positive, 0, 2); (10%positive, 0, 4); (7%positive, 3, 6)])
    (ByDistances (DistanceBound (PriceList [(Sends 0, 1)] []) 1 [(0, [(0, 0); (1, 1); (2, 1); (3, 1); (4, 1)])]))
    = Some (1 / 2, 4)%Q).
  { vm_compute. reflexivity. }
  apply check_throughput in E. refine (throughput_eq _ _ _ _ E). reflexivity.
Qed.

(** ** Figure 6 there: a reduction of three values to node 0, which combines two of them in time 1/2 *)
Definition pairs_of_3 : list arc := [Arc 0 1 1; Arc 1 0 1; Arc 0 2 1; Arc 2 0 1; Arc 1 2 1; Arc 2 1 1].
Definition steps_at (v : node) (time : Q) : list step :=
  [Step v 0 0 1 time; Step v 0 0 2 time; Step v 0 1 2 time; Step v 1 1 2 time].
Definition steps_of_3 : list step := steps_at 0 (1 # 2) ++ steps_at 1 1 ++ steps_at 2 1.
Example reduce_figure_6 : throughput (reduce OnePort pairs_of_3 (fun _ _ => 1%Q) steps_of_3 [0; 1; 2] 0) 1.
Proof.
  assert (E : check (Reduction OnePort pairs_of_3 1 [] steps_of_3 [0; 1; 2] [(0, 2, 0)])
    (Periodic 1 (1 # 2) [([At (Values 0 2) 0], [(1, [36; 44; 26; 38]%positive)])]
      [(26%positive, 0, 2); (36%positive, 0, 2); (38%positive, 0, 1); (44%positive, 0, 2)])
    (ByPotentials (PotentialBound (PriceList [(Sends 2, 1)] [])
      (map (fun x => (x, [1])) [At (Values 0 2) 0; At (Values 0 2) 1; At (Values 1 2) 0; At (Values 1 2) 1;
        At (Values 2 2) 0; At (Values 2 2) 1])))
    = Some (1 / 1, 4)%Q).
  { vm_compute. reflexivity. }
  apply check_throughput in E. refine (throughput_eq _ _ _ _ E). reflexivity.
Qed.
