(** The definitions say something: what is reached is at most what is never passed,
  so the throughput is one number;
    and small examples whose bounds are attained. *)
From Coq Require Import QArith Qminmax Qround List Arith ZArith Lia Lqa.
From Exactsched Require Import Model Sums Time Collectives Checker Soundness
  RunChecker RunSound RestrictedChecker RestrictedSound.
Import ListNotations.
Open Scope Q_scope.

Theorem reached_at_most_never_more S T T' C : never_more S T -> reached S T' C -> T' <= T.
Proof.
  intros N [P R]. apply Qnot_lt_le. intros L.
  (* M with M / T' + C >= 0 and (T' - T) M > T T' C *)
  set (b := Qmax (- C * T') (T * T' * C / (T' - T)) + 1).
  set (M := Z.to_nat (Qceiling b)).
  assert (B : b <= count M).
  { eapply Qle_trans; [apply Qle_ceiling|]. unfold count, M. rewrite <- Zle_Qle. lia. }
  assert (B1 : - C * T' <= b - 1) by (unfold b; pose proof (Q.le_max_l (- C * T') (T * T' * C / (T' - T)));
    lra).
  assert (B2 : T * T' * C / (T' - T) <= b - 1) by (unfold b;
    pose proof (Q.le_max_r (- C * T') (T * T' * C / (T' - T))); lra).
  assert (B3 : T * T' * C <= (b - 1) * (T' - T)).
  { apply Qmult_le_r with (/ (T' - T)). apply Qinv_lt_0_compat; lra.
    setoid_replace ((b - 1) * (T' - T) * / (T' - T)) with (b - 1) by (field; lra). exact B2. }
  destruct (R M) as [s [V Co]].
  assert (E : count M / T' * T' == count M) by (field; lra).
  set (q := count M / T') in *.
  assert (K : 0 <= q + C). { apply Qmult_le_r with T'; auto. nra. }
  pose proof (N s M (q + C) K V Co) as F.
  assert (G : count M * T' <= T * (q + C) * T') by (apply Qmult_le_r; auto).
  assert (G2 : T * (q + C) * T' == T * count M + T * T' * C) by (rewrite <- E; ring).
  rewrite G2 in G. nra.
Qed.
Theorem throughput_unique S T T' : throughput S T -> throughput S T' -> T == T'.
Proof. intros [N [C R]] [N' [C' R']]. apply Qle_antisym; eapply reached_at_most_never_more; eauto. Qed.

Lemma throughput_eq S T T' : T == T' -> throughput S T -> throughput S T'.
Proof.
  intros E [N [C [P R]]]. split. apply never_more_eq with T; auto. exists C. split; [lra|]. intros M.
  destruct (R M) as (s & V & D). exists s. split; auto. intros m x Hm Hx.
  destruct (D m x Hm Hx) as [G|(i & k & I1 & I2 & I3)]; [left; auto|]. right. exists i, k. repeat split; auto.
  eapply Qle_trans; [exact I3|]. clear I3. unfold work. destruct V as [V _].
  assert (L : count M / T + C <= count M / T' + C) by (rewrite E; lra). revert L.
  generalize (count M / T + C), (count M / T' + C). intros t u L.
  assert (O : forall p, In p (filter (of_task i m) s) -> start p <= stop p).
  { intros p Hp. apply filter_In in Hp. destruct (V p (proj1 Hp)) as [O _]. lra. }
  apply sum_le. intros p Hp. apply before_mono; auto.
Qed.

(** A source and two nodes that can send to each other; every arc has cost 1. *)
Definition triangle : list arc := [Arc 0 1 1; Arc 0 2 1; Arc 1 2 1; Arc 2 1 1].
Definition both_trees : list part := [([At (Message 0) 1; At (Message 0) 2], [(1%Z, [1%positive; 3%positive]);
  (1%Z, [2%positive; 4%positive])])].

(** One-port: the source sends every message once, to 1 and 2 in turn. Never more, as it sends one at a time.
*)
Example one_port_triangle : throughput (broadcast OnePort [0; 1; 2]%Z triangle 0) 1.
Proof.
  assert (E : check (Multicast OnePort triangle 0 [0; 1; 2]%Z)
    (Periodic 2 1 both_trees [(1%positive, 0, 1); (3%positive, 0, 1); (2%positive, 1, 2);
      (4%positive, 1, 2)]%Z)
    (ByCuts (CutBound (PriceList [(Sends 0, 1%Z)] []) [1; 2]%Z [(1, 3, 1)%Z])) = Some (2 / 2, 4)).
  { vm_compute. reflexivity. }
  apply check_throughput in E. refine (throughput_eq _ _ _ _ E). reflexivity.
Qed.

(** Half-duplex: of the three nodes only two can work at once, so a message takes two time units. The price of
    the odd set of all three nodes shows it; prices of single ports show 3/4 only. *)
Example half_duplex_triangle : throughput (broadcast HalfDuplex [0; 1; 2]%Z triangle 0) (1 # 2).
Proof.
  assert (E : check (Multicast HalfDuplex triangle 0 [0; 1; 2]%Z)
    (Periodic 2 1 [([At (Message 0) 1; At (Message 0) 2], [(1%Z, [1%positive; 3%positive])])]
       [(1%positive, 0, 1); (3%positive, 1, 2)]%Z)
    (ByCuts (CutBound (PriceList [] [([Port 0; Port 1; Port 2], 1%Z)]) [1; 2]%Z [(1, 2, 1); (2, 3, 1)]%Z))
    = Some (1 / 2, 4)).
  { vm_compute. reflexivity. }
  apply check_throughput in E. refine (throughput_eq _ _ _ _ E). reflexivity.
Qed.

(** Link: all four arcs work all the time, each message is received over one arc into every node. *)
Example link_triangle : throughput (broadcast Links [0; 1; 2]%Z triangle 0) 2.
Proof.
  assert (E : check (Multicast Links triangle 0 [0; 1; 2]%Z)
    (Periodic 1 1 both_trees [(1%positive, 0, 1); (2%positive, 0, 1); (3%positive, 0, 1);
      (4%positive, 0, 1)]%Z)
    (ByCuts (CutBound (PriceList [(Link 0 1, 1%Z); (Link 0 2, 1%Z)] []) [1;
      2]%Z [(1, 3, 1)%Z])) = Some (2 / 1, 2)).
  { vm_compute. reflexivity. }
  apply check_throughput in E. refine (throughput_eq _ _ _ _ E). reflexivity.
Qed.

(** Node 0 sends messages of sizes 1 and 2 to the nodes 1 and 2 in every operation. *)
Example scatter_triangle : throughput (scatter OnePort triangle 0 [(1%Z, 1); (2%Z, 2)]) (1 # 3).
Proof.
  assert (E : check (Alltoall OnePort triangle [Demand 0 1 1; Demand 0 2 2])
    (Periodic 3 1 [([At (Message 0) 1], [(1%Z, [1%positive])]); ([At (Message 1) 2], [(1%Z, [6%positive])])]
       [(1%positive, 0, 1); (6%positive, 1, 3)]%Z)
    (ByDistances (DistanceBound (PriceList [(Sends 0, 1%Z)] []) 1 [(0, [(0, 0); (1, 1); (2, 1)])]%Z))
    = Some (1 / 3, 3)).
  { vm_compute. reflexivity. }
  apply check_throughput in E. refine (throughput_eq _ _ _ _ E). reflexivity.
Qed.

(** Node 1 wants the result of the values of the nodes 0, 1 and 2, and combines two of them in time 1/2. *)
Definition sums_at_1 : list step := [Step 1 0 0 1 (1 # 2); Step 1 0 0 2 (1 # 2); Step 1 0 1 2 (1 # 2);
  Step 1 1 1 2 (1 # 2)].
Example reduce_triangle : throughput (reduce OnePort triangle (fun _ _ => 1) sums_at_1 [0; 1; 2]%Z 1) (1 # 2).
Proof.
  assert (E : check (Reduction OnePort triangle 1 [] sums_at_1 [0; 1; 2]%Z [(0, 2, 1)%Z])
    (Periodic 2 (1 # 2) [([At (Values 0 2) 1], [(1%Z, [1; 24; 25; 27]%positive)])]
       [(1%positive, 0, 2); (24%positive, 2, 4); (25%positive, 2, 3); (27%positive, 3, 4)]%Z)
    (ByPotentials (PotentialBound (PriceList [(Receives 1, 1%Z)] [])
       [(At (Values 0 0) 1, [1%Z]); (At (Values 2 2) 1, [1%Z]); (At (Values 0 2) 1, [2%Z]);
        (At (Values 0 1) 1, [1%Z]); (At (Values 1 2) 1, [1%Z]); (At (Values 0 2) 0, [1%Z]);
          (At (Values 0 2) 2, [1%Z])])) = Some (1 / 2, 6)).
  { vm_compute. reflexivity. }
  apply check_throughput in E. refine (throughput_eq _ _ _ _ E). reflexivity.
Qed.

(** ** Finite runs *)

(** A source sends two messages to each of two nodes: time 4, and no schedule is faster. *)
Definition works (i o : positive) (a b : Z) : row := (i, o, a, b).
Definition star : list arc := [Arc 0 1 1; Arc 0 2 1].
Example run_star : done_by (broadcast OnePort [0; 1; 2]%Z star 0) 2 4 /\
  takes_at_least (broadcast OnePort [0; 1; 2]%Z star 0) 2 4.
Proof.
  apply (run_sound (Multicast OnePort star 0 [0; 1; 2]%Z) 2
    (Run 1 [works 1 1 0 1; works 2 1 1 2; works 1 2 2 3; works 2 2 3 4])
    (ByCuts (CutBound (PriceList [(Sends 0, 1%Z)] []) [1; 2]%Z [(1, 2, 1); (2, 3, 1)]%Z))).
  vm_compute. reflexivity.
Qed.

(** Packets of sizes 1 and 3/2 over arcs with latencies 1/2 and 1: time 21/2, and no schedule is faster. *)
Definition late_star : list (arc * Q) := [(Arc 0 1 1, 1 # 2); (Arc 0 2 2, 1)].
Example packets_star :
  let S := packets OnePort late_star 0 [0; 1; 2]%Z [1; 3 # 2] in
  (exists s, valid S s /\ completes S s 1 (21 # 2) /\ pays_latency_once late_star S s) /\
  exists L, L == 21 # 2 /\ takes_at_least S 1 L.
Proof.
  intros S. set (r := Run (1 # 2) [works 2 1 0 6; works 1 1 6 9; works 1 2 9 13; works 2 2 13 21]).
  set (b := PacketBound (CutBound (PriceList [(Sends 0, 2%Z)] []) [1; 2]%Z [(1, 2, 2); (2, 3, 4)]%Z)
    [(1, 2, 1); (2, 3, 2)]%Z 2).
  assert (E : check_packet_run OnePort late_star 0 [0; 1; 2]%Z [1; 3 # 2] r b = Some (21 # 2, 42 # 4)).
  { vm_compute. reflexivity. }
  apply packet_run_sound in E. destruct E as [E F]. split; auto. exists (42 # 4). split; [reflexivity|auto].
Qed.

(** ** Restricted broadcasts *)

(** The loads of a tree are even here, so one tree reaches 1/4, although prices alone show 1/3 only. *)
Definition even : list arc := [Arc 0 1 2; Arc 0 2 2; Arc 1 2 4].
Example one_tree : exists T C, T == 1 # 4 /\
  never_more_within (tree 0) OnePort even 0 [0; 1; 2]%Z T /\
  reached_within (tree 0) OnePort even 0 [0; 1; 2]%Z T C.
Proof.
  set (b := OfCuts (CutBound (PriceList [(Sends 0, 1%Z); (Receives 2, 1%Z)] []) [1; 2]%Z [(1, 2, 2);
    (2, 3, 4)]%Z)).
  set (s := Periodic 4 2 [([At (Message 0) 1; At (Message 0) 2], [(1%Z, [1; 2]%positive)])]
    [(1%positive, 0, 1); (2%positive, 1, 2)]%Z).
  assert (E : check_restricted OneTree OnePort even 0 [0; 1; 2]%Z [1; 2]%positive [] s b = Some (1 / 4, 4)).
  { vm_compute. reflexivity. }
  apply restricted_sound in E. exists (1 / 4), 4. split; [reflexivity|exact E].
Qed.

(** Figure 1 of the paper: without a directed cycle only 4/5 of the throughput 1 is left.
A case for each arc of
    the cycle between the nodes 1 and 2. *)
Definition figure_1 : list arc :=
  [Arc 0 1 1; Arc 0 2 1; Arc 1 2 1; Arc 2 1 1; Arc 1 3 (1 # 2); Arc 2 4 (1 # 2)].
Example acyclic_figure_1 : exists T C, T == 4 # 5 /\
  never_more_within acyclic OnePort figure_1 0 [0; 1; 2; 3; 4]%Z T /\
  reached_within acyclic OnePort figure_1 0 [0; 1; 2; 3; 4]%Z T C.
Proof.
  set (case := fun (v w : Z) => OfCuts (CutBound (PriceList [(Sends 0, 2%Z); (Sends v, 2%Z)] []) [1; 2; w]%Z
    [(1, 2, 2); (2, 3, 2); (3, 4, 1)]%Z)).
  set (b := SplitOnCycle [3; 4]%positive [(4%positive, case 1 3); (3%positive, case 2 4)]%Z).
  set (s := Periodic 5 1
    [(map (At (Message 0)) [1; 2; 3; 4]%Z, [(1%Z, [1; 2; 4; 5]%positive); (3%Z, [1; 3; 4; 5]%positive)])]
    [(1%positive, 0, 4); (3%positive, 0, 3); (5%positive, 0, 2); (4%positive, 3, 5); (2%positive, 4, 5)]%Z).
  assert (E : check_restricted Acyclic OnePort figure_1 0 [0; 1; 2; 3; 4]%Z [1; 2; 3; 5; 6]%positive
    [(0, 0); (1, 1); (2, 2); (3, 2); (4, 3)]%Z s b = Some (4 / 5, 15)).
  { vm_compute. reflexivity. }
  apply restricted_sound in E. exists (4 / 5), 15. split; [reflexivity|exact E].
Qed.
