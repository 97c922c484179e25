(** Every statement is used, and a wrong variant of it is refuted. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction Check LowerBound Theorems Latencies
  Growing Exchange Branches Sums Large Rows Tables Holds Exception.
Import ListNotations.
Open Scope Z_scope.

(** ** L = 3 and nine processors beside the source *)
Lemma depth_9 t : least_steps 3 9 t -> t = 7.
Proof.
  intros [H0 [H1 H2]]. destruct (Z_lt_le_dec 7 t) as [G|G]; [specialize (H2 7 ltac:(lia)); vm_compute in H2; discriminate|].
  destruct (Z_lt_le_dec t 7) as [S|]; [|lia]. pose proof (fibonacci_grows 3 t 6 ltac:(lia) ltac:(lia)) as F.
  replace (fibonacci 3 6) with 6 in F by reflexivity. lia.
Qed.
Example nine_processors : least_delay 3 9 10.
Proof. destruct (latency_3 9 ltac:(lia)) as [t [S D]]. now rewrite (depth_9 t S) in D. Qed.

Definition nine : list Z := [1; 2; 3; 4; 5; 6; 7; 8; 9].
Lemma nine_once : NoDup nine.
Proof. apply once_sound. reflexivity. Qed.
(** One step less is too few, and one more is not the least. *)
Example not_9 : ~ least_delay 3 9 9.
Proof. intros H. destruct (H nine nine_once eq_refl) as [[s [V W]] _]. pose proof (proj2 (nine_processors nine nine_once eq_refl) s 9 V W). lia. Qed.
Example not_11 : ~ least_delay 3 9 11.
Proof. intros H. destruct (nine_processors nine nine_once eq_refl) as [[s [V W]] _]. pose proof (proj2 (H nine nine_once eq_refl) s 10 V W). lia. Qed.

(** ** The exception: L = 4 and seven processors, for which a merged cycle is needed *)
Example exception : least_delay 4 7 12.
Proof.
  destruct (latency_4 7 ltac:(lia)) as [t [[H0 [H1 H2]] D]]. replace t with 8 in D; [exact D|].
  destruct (Z_lt_le_dec 8 t) as [G|G]; [specialize (H2 8 ltac:(lia)); vm_compute in H2; discriminate|].
  destruct (Z_lt_le_dec t 8) as [S|]; [|lia]. pose proof (fibonacci_grows 4 t 7 ltac:(lia) ltac:(lia)) as F.
  replace (fibonacci 4 7) with 5 in F by reflexivity. lia.
Qed.

(** Its letters cannot be divided; those for odd L can. *)
Example exception_has_none groups u : partition 4 8 groups u -> processors_in groups <> 7.
Proof. exact (exception_without_partition 4 groups u ltac:(lia) eq_refl). Qed.
Example odd_has_one : partition 3 6 [(6, [0; 0; 2]); (3, [])] 1 /\ processors_in [(6, [0; 0; 2]); (3, [])] = 3 + 3.
Proof. split; [apply check_partition_sound|]; reflexivity. Qed.

(** ** L = 40, 43 processors: an exception for which nothing is computed but the numbers f *)
Example large_exception : least_delay 40 43 120.
Proof.
  destruct (latencies_from_14 40 ltac:(lia) 43 ltac:(lia)) as [t [[H0 [H1 H2]] D]]. replace t with 80 in D; [exact D|].
  destruct (Z_lt_le_dec 80 t) as [G|G]; [specialize (H2 80 ltac:(lia)); vm_compute in H2; discriminate|].
  destruct (Z_lt_le_dec t 80) as [S|]; [|lia]. pose proof (fibonacci_grows 40 t 79 ltac:(lia) ltac:(lia)) as F.
  replace (fibonacci 40 79) with 41 in F by (vm_compute; reflexivity). lia.
Qed.
Lemma one_least_delay L m d d' : 0 <= m -> least_delay L m d -> least_delay L m d' -> d = d'.
Proof.
  intros Hm H H'. assert (E : Z.of_nat (length (places m)) = m) by (rewrite places_length; lia).
  destruct (H _ (places_once m) E) as [[s [V W]] Low]. destruct (H' _ (places_once m) E) as [[s' [V' W']] Low'].
  pose proof (Low s' d' V' W'). pose proof (Low' s d V W). lia.
Qed.
Example not_119 : ~ least_delay 40 43 119.
Proof. intros H. pose proof (one_least_delay 40 43 119 120 ltac:(lia) H large_exception). lia. Qed.

(** ** L = 13 and 150 processors: a latency for which the exchanges are a table *)
Example thirteen : least_delay 13 150 53.
Proof.
  destruct (theorem_B_holds 13 ltac:(lia) 150 ltac:(lia)) as [t [[H0 [H1 H2]] D]]. replace t with 40 in D; [exact D|].
  destruct (Z_lt_le_dec 40 t) as [G|G]; [specialize (H2 40 ltac:(lia)); vm_compute in H2; discriminate|].
  destruct (Z_lt_le_dec t 40) as [S|]; [|lia]. pose proof (fibonacci_grows 13 t 39 ltac:(lia) ltac:(lia)) as F.
  replace (fibonacci 13 39) with 134 in F by (vm_compute; reflexivity). lia.
Qed.
Example not_52 : ~ least_delay 13 150 52.
Proof. intros H. pose proof (one_least_delay 13 150 52 53 ltac:(lia) H thirteen). lia. Qed.
(** Without the exceptions, the exchanges or the trees the rows are refused; a letter that the pool lacks is not exchanged, and a tree that
    lacks a letter is none. *)
Example no_exceptions : check_rows 7 17 exchanges_7 (trees 7 branches_7) [] = false.
Proof. vm_compute. reflexivity. Qed.
Example no_exchanges : check_rows 7 17 [] (trees 7 branches_7) exceptions_7 = false.
Proof. vm_compute. reflexivity. Qed.
Example no_trees : check_rows 9 21 exchanges_9 (fun _ _ => []) [] = false.
Proof. vm_compute. reflexivity. Qed.
Example not_there : after [move 2 0 1] [(4, [0])] [0; 1] = None /\ after [move 2 0 1] [(4, [0])] [1; 2] = Some ([(4, [2])], [0; 1]).
Proof. split; reflexivity. Qed.
Example no_tree : check_growing 3 5 4 [] [0; 1; 2] = true /\ check_growing 3 5 4 [] [0; 1; 1] = false /\ check_growing 3 5 5 [] [0; 1; 2] = false.
Proof. repeat split; reflexivity. Qed.

(** A tree under construction: three leaves and L = 3. All but the letter 2 go with the header; the letter 0 cannot be spare. *)
Example root_of_three : rooted 3 5 4 2 2.
Proof. apply (growing_rooted 3 5 4 [] (from_to 0 3) 2 [0; 1]); [exact (growing_root 3 5 0 3 eq_refl ltac:(lia) eq_refl eq_refl)|apply (Permutation_app_comm [0; 1] [2])|lia|reflexivity]. Qed.
Example not_spare b : 5 + total [1; 2] <> b * 3.
Proof. cbn. lia. Qed.

(** Exchanges: the sums from 8 to 64 for L = 27; not all sums for L = 13; none where there are three letters only. *)
Example sums_of_27 : check_consecutive 27 0 8 (with_one_more 27 0 []) = true /\ check_consecutive 27 0 7 (with_one_more 27 0 []) = false.
Proof. split; vm_compute; reflexivity. Qed.
Example not_for_13 : check_suffices 13 = false.
Proof. vm_compute. reflexivity. Qed.
Example no_exchange r : ~ exchangeable 3 0 r [of_two_blocks 3 0].
Proof.
  intros H. destruct (H 0 0 ltac:(lia)) as [old [new [[<-|[]] [[S O D] _]]]].
  assert (I : incl (0 :: new) (from_to 0 3)).
  { intros X [<-|HX]; apply in_from_to; [lia|]. specialize (O X HX). lia. }
  pose proof (NoDup_incl_length D I) as Len. rewrite from_to_length in Len. cbn [length] in Len.
  rewrite <- (same_length _ _ _ S) in Len. cbn in Len. lia.
Qed.

(** ** Hall's theorem *)
(** The letters a, c and the header 4 of a block of three for L = 3 can be ordered. *)
Example a_block : exists l, thrown (fun x => x) 3 l /\ length l = 3%nat.
Proof.
  destruct (hall (fun x => x) 3 ltac:(lia) [5; 0; 1] eq_refl eq_refl) as [l [T P]]. exists l. split; [exact T|].
  rewrite <- (map_length snd l). now rewrite (Permutation.Permutation_length P).
Qed.
(** If the sum is not divisible, no order will do. *)
Example no_order l : thrown (fun x => x) 2 l -> Permutation.Permutation (map snd l) [0; 1] -> False.
Proof.
  intros T P. assert (Len : Z.of_nat (length l) = 2).
  { rewrite <- (map_length snd l). now rewrite (Permutation.Permutation_length P). }
  pose proof (hall_only_if (fun x => x) 2 ltac:(lia) l T Len) as H.
  rewrite (total_permuted _ [0; 1]) in H; [discriminate|exact P].
Qed.

(** ** What the checks refuse *)
(** A group whose sum is not divisible, an index too many, a merged cycle whose sends overlap. *)
Example not_divisible : check_partition 3 4 [(4, [1])] 0 = false.
Proof. reflexivity. Qed.
Example divisible_ : check_partition 3 4 [(4, [0])] 1 = true.
Proof. reflexivity. Qed.
Example too_many : check_partition 3 4 [(4, [0]); (3, [])] 1 = false.
Proof. reflexivity. Qed.
Example overlapping : check_cycle 8 [(0, (8, 5)); (1, (4, 1))] = false.
Proof. reflexivity. Qed.
Example no_window : check_window 3 12 [] = false.
Proof. vm_compute. reflexivity. Qed.
