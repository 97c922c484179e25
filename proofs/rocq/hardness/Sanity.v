(** Every theorem of this folder is used once, and small examples refute it where it is stated wrongly. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Checker ScheduleSound RestrictedChecker RestrictedSound.
From Exactsched Require Sanity.
From Exactsched.overlay Require Definitions Checker Soundness.
From Exactsched.hardness Require Import Definitions Theorems.
Import ListNotations.
Module O := overlay.Definitions.
Open Scope Z_scope.

(** ** 3-PARTITION *)
(** Of {7, 6, 6, 7, 7, 7} two groups of sum 20 can be made: the machine has throughput 20, also without cycles. *)
Definition with_partition := [7; 6; 6; 7; 7; 7].
Lemma with_instance : instance 2 20 with_partition.
Proof.
  split; [lia|]. split; [reflexivity|]. split; [reflexivity|]. intros x H. repeat destruct H as [<-|H]; try lia. easy.
Qed.
Lemma with_groups : partition 2 20 with_partition.
Proof.
  exists (fun k => match k with 0 | 1 | 3 => 0 | _ => 1 end)%nat. split.
  - intros k _. do 4 (destruct k as [|k]; [lia|]). lia.
  - intros i Hi. destruct i as [|[|i]]; [reflexivity|reflexivity|lia].
Qed.
Example partition_reaches_20 : O.reached (machine_of 2 20 with_partition) O.any 20.
Proof. exact (proj1 (three_partition _ _ _ with_instance) with_groups). Qed.
Example partition_reaches_20_acyclic : O.reached (machine_of 2 20 with_partition) O.acyclic 20.
Proof. exact (proj1 (three_partition_acyclic _ _ _ with_instance) with_groups). Qed.
(** A single tree does not: with trees in the place of overlays the theorem is false. *)
Definition triple := [6; 7; 7].
Lemma triple_instance : instance 1 20 triple.
Proof.
  split; [lia|]. split; [reflexivity|]. split; [reflexivity|]. intros x H. repeat destruct H as [<-|H]; try lia. easy.
Qed.
Example trees_are_not_enough : partition 1 20 triple /\ ~ O.reached (machine_of 1 20 triple) O.tree 20.
Proof.
  split.
  - exists (fun _ => 0%nat). split; [intros; lia|]. intros i Hi. destruct i as [|i]; [reflexivity|lia].
  - intros R. assert (L : (20 <= 40 # 3)%Q); [|lra].
    apply (Soundness.reached_at_most (machine_of 1 20 triple) O.tree 20 (40 # 3)); [|exact R|].
    + vm_compute. repeat constructor; simpl; intuition discriminate.
    + apply (Soundness.check_best_sound (machine_of 1 20 triple) O.tree (40 # 3) 1
        [(1, [(0, 1); (0, 2); (0, 3); (1, 4)])] [(0, 1); (0, 2); (0, 3); (1, 4)] [] overlay.Checker.by_children).
      vm_compute. reflexivity.
Qed.

(** {6, 6, 6, 6, 7, 9} has no partition into two groups of sum 20, so 159 / 8 is never passed, *)
Definition without_partition := [6; 6; 6; 6; 7; 9].
Lemma without_instance : instance 2 20 without_partition.
Proof.
  split; [lia|]. split; [reflexivity|]. split; [reflexivity|]. intros x H. repeat destruct H as [<-|H]; try lia. easy.
Qed.
Lemma without_groups : ~ partition 2 20 without_partition.
Proof.
  intros (g & _ & S). specialize (S 0%nat ltac:(lia)). unfold in_group in S. cbn [length without_partition seq filter] in S.
  repeat (destruct (g _ =? 0)%nat in S; cbn [filter] in S); discriminate.
Qed.
Example no_partition_never_more : O.never_more (machine_of 2 20 without_partition) O.any (159 # 8).
Proof.
  intros c T V S C. pose proof (three_partition_gap _ _ _ without_instance without_groups c T V S C) as L.
  eapply Qle_trans; [exact L|]. vm_compute. discriminate.
Qed.
Example no_partition_not_20 : ~ O.reached (machine_of 2 20 without_partition) O.any 20.
Proof. intros R. exact (without_groups (proj2 (three_partition _ _ _ without_instance) R)). Qed.
(** and 79 / 4 is reached: a bound of T - 1 / p instead of T - 1 / (4 p) would be wrong. *)
Definition late := [(0, 1); (1, 2); (2, 3); (3, 4); (4, 5); (5, 6); (6, 7); (7, 8)].
Definition served_by (l : list Z) := map (fun '(u, v) =>
  (if existsb (Z.eqb u) l then if (u =? 2) || (u =? 3) || (u =? 7) then 0 else 1 else u, v)) late.
Example no_partition_reaches_79_4 : O.reached (machine_of 2 20 without_partition) O.any (79 # 4).
Proof.
  apply (Soundness.check_reached_sound _ O.any (79 # 4) 79
    [(44, late); (8, served_by [7]); (4, served_by [6; 7]); (23, served_by [2; 3; 4; 5; 6; 7])]
    [(0, 1); (1, 2); (2, 3); (3, 4); (4, 5); (5, 6); (6, 7); (7, 8); (0, 3); (0, 4); (1, 5); (1, 6); (1, 7); (0, 8)] []).
  vm_compute. reflexivity.
Qed.
Example the_gap_is_less : ~ O.never_more (machine_of 2 20 without_partition) O.any (20 - (1 # 2)).
Proof.
  intros B. assert (L : (79 # 4 <= 20 - (1 # 2))%Q); [|lra].
  apply (Soundness.reached_at_most (machine_of 2 20 without_partition) O.any _ _); [|apply no_partition_reaches_79_4|exact B].
  vm_compute. repeat constructor; simpl; intuition discriminate.
Qed.

(** ** Spanning trees of bounded degree *)
(** A path has one of degree 2, so its platform carries 1. *)
Example path_carries_1 : exists C, reached_within (tree 0) OnePort (both_ways 0 2 [(0, 1); (1, 2)]) 0 [0; 1; 2] 1 C.
Proof.
  apply bounded_degree_tree; [repeat constructor; simpl; intuition discriminate| |left; reflexivity|lia|].
  - intros u v [[= <- <-]|[[= <- <-]|[]]]; simpl; intuition discriminate.
  - exists [(0, 1); (1, 2)]. split; [split; [|split]|].
    + intros u v H. left. exact H.
    + assert (S0 : forall v, In v [0; 1; 2] -> connected [(0, 1); (1, 2)] 1 v).
      { intros v [<-|[<-|[<-|[]]]]; [|constructor|].
        - apply connected_edge with 1; [constructor|right; simpl; auto].
        - apply connected_edge with 1; [constructor|left; simpl; auto]. }
      assert (S1 : forall u, In u [0; 1; 2] -> connected [(0, 1); (1, 2)] u 1).
      { intros u [<-|[<-|[<-|[]]]]; [|constructor|].
        - apply connected_edge with 0; [constructor|left; simpl; auto].
        - apply connected_edge with 2; [constructor|right; simpl; auto]. }
      intros u v Hu Hv. specialize (S1 u Hu). specialize (S0 v Hv). clear - S0 S1. induction S0; auto.
      eapply connected_edge; eauto.
    + reflexivity.
    + intros v [<-|[<-|[<-|[]]]]; vm_compute; lia.
Qed.

(** A star with three rays has none: the best tree carries 2 / 3, as the gap says. *)
Definition rays := [(1, 0); (1, 2); (1, 3)].
Lemma rays_once : NoDup [0; 1; 2; 3].
Proof. repeat constructor; simpl; intuition discriminate. Qed.
Lemma rays_simple : simple [0; 1; 2; 3] rays.
Proof. intros u v H. repeat destruct H as [[= <- <-]|H]; simpl; intuition discriminate. Qed.
Definition star_check := check_restricted OneTree OnePort (both_ways 1 2 rays) 1 [0; 1; 2; 3] [1; 3; 5]%positive []
  (Periodic (3 # 2) (1 # 2) [(map (At (Message 0)) [0; 2; 3], [(1, [1; 2; 3]%positive)])]
    [(1%positive, 0, 1); (2%positive, 1, 2); (3%positive, 2, 3)])
  (OfCuts (CutBound (PriceList [(Sends 1, 2)] []) [0; 2; 3] [(1, 2, 1); (2, 3, 1); (3, 4, 1)])).
Lemma star_best : exists T C, (T == 2 # 3)%Q /\
  never_more_within (tree 1) OnePort (both_ways 1 2 rays) 1 [0; 1; 2; 3] T /\
  reached_within (tree 1) OnePort (both_ways 1 2 rays) 1 [0; 1; 2; 3] T C.
Proof.
  assert (E : exists C, star_check = Some (2 # 3, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as (C & E). apply restricted_sound in E. exists (2 # 3)%Q, C. split; [reflexivity|exact E].
Qed.
Example star_has_no_tree : ~ tree_of_degree [0; 1; 2; 3] rays 2.
Proof.
  intros D. apply (bounded_degree_tree _ _ 1 2 rays_once rays_simple ltac:(simpl; auto) ltac:(lia)) in D.
  destruct D as (C & used & I & Tr & R), star_best as (T & _ & E & N & _).
  pose proof (Sanity.reached_at_most_never_more _ T 1 C (N used I Tr) R). lra.
Qed.
Example star_gap : never_more_within (tree 1) OnePort (both_ways 1 2 rays) 1 [0; 1; 2; 3] (2 # 3).
Proof.
  apply (bounded_degree_gap _ _ 1 2 rays_once rays_simple ltac:(simpl; auto) ltac:(lia) star_has_no_tree).
Qed.
(** So K / (K + 2) would be wrong, *)
Example star_gap_is_largest : ~ never_more_within (tree 1) OnePort (both_ways 1 2 rays) 1 [0; 1; 2; 3] (2 # 4).
Proof.
  intros N. destruct star_best as (T & C & E & _ & used & I & Tr & R).
  pose proof (Sanity.reached_at_most_never_more _ (2 # 4) T C (N used I Tr) R). lra.
Qed.
(** and so would be a cost of 1 / K out of every node: from a ray, the middle has a parent and K receivers. *)
Definition cheaper (a : arc) : arc := Arc (tail a) (head a) (1 # 2).
Example parents_count : ~ (tree_of_degree [0; 1; 2; 3] rays 2 <->
  exists C, reached_within (tree 0) OnePort (map cheaper (both_ways 0 2 rays)) 0 [0; 1; 2; 3] 1 C).
Proof.
  intros H. apply star_has_no_tree, H.
  assert (E : exists C, check_restricted_schedule OneTree OnePort (map cheaper (both_ways 0 2 rays)) 0 [0; 1; 2; 3]
    [2; 3; 5]%positive [] (Periodic 1 (1 # 2) [(map (At (Message 0)) [1; 2; 3], [(1, [1; 2; 3]%positive)])]
      [(1%positive, 0, 1); (2%positive, 0, 1); (3%positive, 1, 2)]) = Some (1, C)%Q) by (eexists; vm_compute; reflexivity).
  destruct E as (C & E). apply restricted_schedule_sound in E. exists C. exact E.
Qed.
