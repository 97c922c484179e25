(** The definitions are not vacuous: machines and items whose least time the checkers determine. *)
From Coq Require Import ZArith QArith List Lia Lqa.
From Exactsched.rounds Require Import Counting.
From Exactsched.logp Require Import Definitions Summation Allreduce Checker AllreduceChecker OverheadChecker SumChecker
  Soundness Bounds OverheadBounds AllreduceSound SumSoundness SumBounds Universal UniversalTree Postal.
Import ListNotations.
Open Scope Z_scope.

(** Figure 1 of Karp, Sahay, Santos and Schauser 1993: L = 6, o = 2, g = 4, eight processors, time 24. *)
Definition figure_1 : clock := Clock 1 6 2 4.
Example figure_1_takes_24 : least_time (broadcast (machine_of figure_1 [0; 1; 2; 3; 4; 5; 6; 7]) 0 [0]) 24.
Proof.
  apply (check_broadcast_sound figure_1 [0; 1; 2; 3; 4; 5; 6; 7] 0 [0]
    [Row 0 1 0 0; Row 0 2 0 4; Row 0 3 0 8; Row 1 4 0 10; Row 0 5 0 12; Row 1 6 0 14; Row 2 7 0 14]
    [(0, 1); (10, 1); (14, 1); (18, 1); (20, 1); (22, 1); (24, 1)] 24).
  vm_compute. reflexivity.
Qed.

(** The printed theorem 3.1 says that one item takes 6 if L = 4, g = 1 and P = 3;
  the source sends twice, and 5 is
    enough. *)
Example printed_bound_is_wrong : least_time (broadcast (machine_of (Clock 1 4 0 1) [0; 1; 2]) 0 [0]) 5.
Proof.
  apply (check_broadcast_sound (Clock 1 4 0 1) [0; 1; 2] 0 [0] [Row 0 1 0 0; Row 0 2 0 1] [(0, 1); (4, 1)] 5).
  vm_compute. reflexivity.
Qed.

(** Two items for two others, L = 2, in 4 steps: the source sends the second item to both at first. *)
Example two_items_take_four : least_time (broadcast (machine_of (Clock 1 2 0 1) [0; 1; 2]) 0 [0; 1]) 4.
Proof.
  apply (check_broadcast_sound (Clock 1 2 0 1) [0; 1; 2] 0 [0; 1]
    [Row 0 1 0 0; Row 0 2 1 1; Row 0 1 1 2; Row 1 2 0 2] [(0, 1); (2, 1)] 4).
  vm_compute. reflexivity.
Qed.

(** Everybody's item to everybody, L = 6, o = 2, g = 4, P = 4: rounds 4 apart would end at 18, but the
    first reception would start when the third send does. *)
Example four_take_twenty : never_before (allgather (machine_of (Clock 1 6 2 4) [0; 1; 2; 3])
  [(0, 0); (1, 1); (2, 2); (3, 3)]) 20.
Proof.
  apply (check_overheads_bound_sound (Clock 1 6 2 4) [0; 1; 2; 3] _ _
    [[1; 2; 3]; [0; 2; 3]; [0; 1; 3]; [0; 1; 2]] 3 2 20).
  vm_compute. reflexivity.
Qed.

(** Five processors, L = 2: everybody sends its value to the next one and to the one after it, and then, with the
    value that has come, to the third one. *)
Definition five : list Z := [0; 1; 2; 3; 4].
Definition to_all (shift time : Z) : list row := map (fun q => Row q ((q + shift) mod 5) 0 time) five.
Example five_reduce_in_four : least_allreduce (machine_of (Clock 1 2 0 1) five) 4.
Proof.
  apply (check_least_allreduce_sound (Clock 1 2 0 1) five 0 (to_all 1 0 ++ to_all 2 1 ++ to_all 3 2)
    [(0, 1); (2, 1); (3, 1); (4, 1)] 4); [now left|lia|vm_compute; reflexivity|vm_compute; reflexivity].
Qed.

(** Figure 6: L = 5, o = 2, g = 4, eight processors; 79 operands are added within 28. *)
Definition figure_6 : clock := Clock 1 5 2 4.
Example figure_6_adds_79 : sums_within (machine_of figure_6 [0; 1; 2; 3; 4; 5; 6; 7]) 28 79.
Proof.
  apply (check_summation_sound figure_6 [0; 1; 2; 3; 4; 5; 6; 7] 0
    [Row 6 1 0 4; Row 7 2 0 4; Row 5 0 0 6; Row 4 1 0 8; Row 3 0 0 10; Row 2 0 0 14; Row 1 0 0 18]
    [Added 0 0 13; Added 1 0 11; Added 2 0 11; Added 3 0 10; Added 4 0 8; Added 5 0 6; Added 6 0 4;
      Added 7 0 4;
     Added 1 14 1; Added 0 16 1; Added 0 20 1; Added 0 24 1] 28 79).
  vm_compute. reflexivity.
Qed.

(** The labels of its tree, and no more operands within 28. *)
Definition labels_6 : list (Z * Z) := [(0, 1); (10, 1); (14, 1); (18, 1); (20, 1); (22, 1); (24, 2)].
Example figure_6_adds_at_most_79 : most_operands (machine_of figure_6 [0; 1; 2; 3; 4; 5; 6; 7]) 28 79.
Proof.
  split; [exact figure_6_adds_79|].
  apply (check_summation_bound_sound figure_6 [0; 1; 2; 3; 4; 5; 6; 7] labels_6 28 79);
    [vm_compute; reflexivity|easy..].
Qed.

(** Each time unit more is one operand more at each of the eight processors, and no more. *)
Example figure_6_in_any_time t : 28 <= t ->
  adds_at_most (machine_of figure_6 [0; 1; 2; 3; 4; 5; 6; 7]) (t # 1) (79 + 8 * (t - 28)).
Proof.
  intros H. apply (check_summation_bound_sound figure_6 [0; 1; 2; 3; 4; 5; 6; 7] labels_6 t).
  - assert (E : (1 + t + left_until (t - 2) (tl labels_6) <? (79 + 8 * (t - 28) + 1) * 1) = true).
    { apply Z.ltb_lt. unfold left_until, labels_6. cbn [tl total fst snd]. lia. }
    cbv [check_summation_bound labels_6]. do 2 (apply andb_true_intro; split); [reflexivity..| |exact E].
    vm_compute. reflexivity.
  - unfold Qle. cbn [Qnum Qden]. lia.
  - unfold Qlt. cbn [Qnum Qden figure_6 unit_]. lia.
Qed.

(** Lemma 5.1 as printed counts one message too many: it says 77. *)
Example printed_summation_is_wrong :
  ~ most_operands (machine_of figure_6 [0; 1; 2; 3; 4; 5; 6; 7]) 28 77.
Proof. intros H. now pose proof (most_operands_unique _ _ _ _ H figure_6_adds_at_most_79). Qed.

(** The same machine with three processors and t = 15: the third one adds less than its message costs, and
    nobody adds more in any time before 16. *)
Example two_of_three_processors : most_operands (machine_of figure_6 [0; 1; 2]) 15 19.
Proof.
  apply (check_most_operands_sound figure_6 [0; 1; 2] 0 [Row 1 0 0 5] [Added 0 0 12; Added 1 0 5]
    [(0, 1); (10, 1); (14, 1)] 15 19); [easy|now left|vm_compute; reflexivity].
Qed.

(** ** The universal tree *)

Lemma processors_once n : NoDup (map Z.of_nat (seq 0 n)).
Proof. apply FinFun.Injective_map_NoDup; [intros i j; lia|apply seq_NoDup]. Qed.
(** The eighth label of the tree of figure 1 is 24. *)
Lemma figure_1_proper : proper (machine_of figure_1 [0; 1; 2; 3; 4; 5; 6; 7]).
Proof. repeat split; try reflexivity; [discriminate|]. apply (processors_once 8). Qed.
Example figure_1_eighth B : broadcast_time (machine_of figure_1 [0; 1; 2; 3; 4; 5; 6; 7]) 8 B -> (B == 24)%Q.
Proof.
  intros H. apply (least_time_unique (broadcast (machine_of figure_1 [0; 1; 2; 3; 4; 5; 6; 7]) 0 [0]));
    [|exact figure_1_takes_24].
  apply universal_tree_optimal; [exact figure_1_proper|now left|exact H].
Qed.

(** Children i g apart, as definition 2.3 says in print, would be too close for an overhead of 2 and a gap of 1: the
    printed labels of three processors are 0, 5, 6. Nothing ends by 6, and 7 is the least time. *)
Definition close : machine := Machine 1 2 1 [0; 1; 2].
Lemma close_proper : proper close.
Proof. repeat split; try reflexivity; [discriminate|]. apply (processors_once 3). Qed.
Lemma close_reached t l : reached close t l -> Z.of_nat (length l) <= size 5 2 (tick 1 t).
Proof. apply (reached_size close (Clock 1 1 2 1) eq_refl). now repeat split. Qed.
Example printed_tree_is_wrong : ~ done_within (broadcast close 0 [0]) 6.
Proof.
  intros H. apply (within_time close 0 0 6 close_proper (or_introl eq_refl)) in H; [|discriminate].
  destruct H as [l [R L]]. apply close_reached in R. rewrite L in R. vm_compute in R. now apply R.
Qed.
Example close_takes_7 : least_time (broadcast close 0 [0]) 7.
Proof.
  apply universal_tree_optimal; [exact close_proper|now left|]. split.
  - exists [[]; [0%nat]; [1%nat]]. split; [|reflexivity]. split; [repeat constructor; cbn; intuition discriminate|].
    intros x [<-|[<-|[<-|[]]]]; discriminate.
  - intros t l Less R. apply close_reached in R. cbn [length]. enough (size 5 2 (tick 1 t) <= 2) by (cbn [processors close length]; lia).
    assert (T : tick 1 t <= 6).
    { destruct (Z_le_gt_dec (tick 1 t) 6); [assumption|]. assert (X : 7 <= tick 1 t) by lia. apply tick_back in X. lra. }
    apply Z.le_trans with (size 5 2 6); [|discriminate]. unfold size at 1. apply size_most; [lia|lia|apply upto_once; lia|]. intros x Hx. apply nodes_spec in Hx; lia.
Qed.

(** Theorem 2.2: with L = 3 nine processors can have an item after 7 steps, ten cannot, as f_7 = 9. *)
Example nine_after_seven : done_within (broadcast (postal 3 (map Z.of_nat (seq 0 9))) 0 [0]) 7.
Proof. apply (postal_within 3 _ 0 0 7); [lia|apply processors_once|now left|lia|]. vm_compute. discriminate. Qed.
Example not_ten_after_seven : ~ done_within (broadcast (postal 3 (map Z.of_nat (seq 0 10))) 0 [0]) 7.
Proof.
  intros H. apply (postal_within 3 _ 0 0 7) in H; [|lia|apply processors_once|now left|lia]. vm_compute in H. now apply H.
Qed.
Example four_take_five : least_time (broadcast (postal 3 (map Z.of_nat (seq 0 4))) 0 [0]) 5.
Proof.
  apply (postal_least_time 3 _ 0 0 5); [lia|apply processors_once|now left|]. split; [lia|]. split; [vm_compute; discriminate|].
  intros t Ht. apply Z.le_lt_trans with (continuous.Definitions.fibonacci 3 4); [|reflexivity].
  apply continuous.Induction.fibonacci_grows; lia.
Qed.

(** Theorem 3.1 as corrected: eight items for nine others, L = 3, take 15 steps (figure 2). *)
Example eight_items_take_15 : never_before (broadcast (postal 3 (map Z.of_nat (seq 0 10))) 0 [1; 2; 3; 4; 5; 6; 7; 8]) 15.
Proof.
  apply (items_take 3 _ 0 _ 12); [lia|apply processors_once|now left|repeat constructor; cbn; lia|lia|reflexivity].
Qed.
(** It is reached for two items and two others, so it cannot be larger. *)
Example two_items_never_before_four : never_before (broadcast (postal 2 [0; 1; 2]) 0 [0; 1]) 4.
Proof. apply (items_take 2 _ 0 _ 2); [lia|apply (processors_once 3)|now left|repeat constructor; cbn; lia|lia|reflexivity]. Qed.
Example two_items_not_five : ~ never_before (broadcast (postal 2 [0; 1; 2]) 0 [0; 1]) 5.
Proof.
  intros H. destruct two_items_take_four as [_ [[s [V C]] _]]. specialize (H s 4%Q ltac:(discriminate) V C). now apply H.
Qed.

(** Fact 2.1 for L = 3: 1 + (1 + 1 + 1 + 2) = f_6 = 6, and not without the 1. *)
Example sum_of_four : 1 + total (continuous.Definitions.fibonacci 3) (below 4) = 6.
Proof. apply (fibonacci_sum 3 3); lia. Qed.
Example the_one_counts : total (continuous.Definitions.fibonacci 3) (below 4) <> continuous.Definitions.fibonacci 3 6.
Proof. discriminate. Qed.
