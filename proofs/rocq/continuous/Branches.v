(** Trees whose depth is less than 2 L + 3, without some leaves: the branches of larger ones. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction Growing.
Import ListNotations.
Open Scope Z_scope.

Definition has (L d u m : Z) : Prop := exists groups, partition L d groups u /\ processors_in groups = m.

Lemma rooted_has L t m u b : rooted L t m u b -> has L t u m.
Proof. intros [letters [groups [P [E _]]]]. now exists ((t, letters) :: groups). Qed.

(** Leaves d become trees with m processors and the spare index u. *)
Lemma grown L t branches : 0 < L -> (forall d u m, In (d, (u, m)) branches -> has L d u m) -> forall m0 groups rest,
  growing L t m0 groups (map fst branches ++ rest) ->
  exists groups', growing L t (m0 + total (map (fun x => snd (snd x) - 1) branches)) (groups ++ groups') (map (fun x => fst (snd x)) branches ++ rest).
Proof.
  intros HL. induction branches as [|[d [u m]] branches IH]; intros B m0 groups rest G.
  - exists []. rewrite app_nil_r. cbn. replace (m0 + 0) with m0 by lia. exact G.
  - destruct (B d u m (or_introl eq_refl)) as [g [P E]]. cbn [map fst app] in G.
    apply (growing_branch _ _ _ _ _ _ _ _ HL G) in P. rewrite E in P. clear G E.
    destruct (IH (fun d u m H => B d u m (or_intror H)) (m0 + m - 1) (groups ++ g) (u :: rest)) as [g' G'].
    { apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_middle _ _ _) P). }
    exists (g ++ g'). rewrite app_assoc. cbn [map app fst snd]. rewrite total_cons.
    replace (m0 + (m - 1 + total (map (fun x => snd (snd x) - 1) branches))) with (m0 + m - 1 + total (map (fun x => snd (snd x) - 1) branches)) by lia.
    apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_sym (Permutation_middle _ _ _)) G').
Qed.

Lemma from_to_split least p q : 0 <= p -> 0 <= q -> from_to least (p + q) = from_to least p ++ from_to (least + p) q.
Proof.
  intros Hp Hq. unfold from_to, places. rewrite Z2Nat.inj_add by lia. rewrite seq_app, !map_app. f_equal.
  rewrite Nat.add_0_l. rewrite <- (Nat.add_0_r (Z.to_nat p)) at 1. generalize (Z.to_nat q) as n. intros n. 
  assert (H : forall k, map (Z.add least) (map Z.of_nat (seq (Z.to_nat p + k) n)) = map (Z.add (least + p)) (map Z.of_nat (seq k n))).
  { induction n as [|n IH]; intros k; [reflexivity|]. cbn [seq map]. f_equal; [lia|].
    replace (S (Z.to_nat p + k)) with (Z.to_nat p + S k)%nat by lia. apply IH. }
  apply H.
Qed.
Lemma total_from_to least n : 0 <= n -> 2 * total (from_to least n) = n * (2 * least + n - 1).
Proof.
  intros Hn. rewrite <- (Z2Nat.id n Hn). generalize (Z.to_nat n) as k. clear n Hn. intros k. induction k as [|k IH].
  - reflexivity.
  - replace (Z.of_nat (S k)) with (Z.of_nat k + 1) by lia. rewrite from_to_split, total_app by lia.
    change (from_to (least + Z.of_nat k) 1) with [least + Z.of_nat k + 0]. cbn [total fold_right]. nia.
Qed.

(** A root that lacks [lack] = 0 or 1 of its leaves, with branches, and a spare index of its own. *)
Lemma root_with_branches L lack branches : 0 < L -> 0 <= lack <= 1 -> map fst branches = from_to L (Z.of_nat (length branches)) ->
  (forall d u m, In (d, (u, m)) branches -> has L d u m) ->
  forall u b t, t = 2 * L + Z.of_nat (length branches) - 1 -> lack <= u < L ->
  2 * t + 2 * total (map (fun x => fst (snd x)) branches) + L * (L - 1) - 2 * u = 2 * b * (L + Z.of_nat (length branches) - lack) ->
  exists m, rooted L t m u b /\ m = 1 + L - lack + total (map (fun x => snd (snd x)) branches).
Proof.
  intros HL Hl Ed B u b t -> Hu Sum. set (n := Z.of_nat (length branches)) in *.
  assert (G : growing L (2 * L + n - 1) (1 + (L - lack + n)) [] (map fst branches ++ from_to lack (L - lack))).
  { apply (growing_permuted _ _ _ [] [] (from_to lack (L - lack + n))); [constructor| |].
    - rewrite from_to_split by lia. replace (lack + (L - lack)) with L by lia. rewrite Ed. apply Permutation_app_comm.
    - apply growing_root; lia. }
  destruct (grown L _ branches HL B _ _ _ G) as [groups G']. clear G. cbn [app] in G'.
  assert (Hin : In u (from_to lack (L - lack))) by (apply in_from_to; lia).
  destruct (in_split _ _ Hin) as [l1 [l2 El]]. pose proof (total_from_to lack (L - lack) ltac:(lia)) as T.
  eexists. split.
  - apply (growing_rooted _ _ _ _ _ u (map (fun x => fst (snd x)) branches ++ l1 ++ l2) b G').
    + rewrite El, app_assoc, <- Permutation_middle, <- app_assoc. reflexivity.
    + lia.
    + rewrite app_length, map_length, from_to_length. fold n.
      replace (Z.of_nat (length branches + Z.to_nat (L - lack))) with (L + n - lack) by (unfold n; lia).
      rewrite El in T. rewrite total_app, total_cons in T. rewrite !total_app.
      assert (lack = 0 \/ lack = 1) as [-> | ->] by lia; lia.
  - assert (H : total (map (fun x => snd (snd x) - 1) branches) = total (map (fun x : Z * (Z * Z) => snd (snd x)) branches) - n).
    { unfold n. clear. induction branches as [|x l IH]; [reflexivity|]. cbn [map length]. rewrite !total_cons, IH. lia. }
    rewrite H. lia.
Qed.

(** Trees with the m - e processors; [full] if they may be raised. *)
Definition branch (L d e : Z) : Prop := exists u, 0 <= u <= L /\ has L d u (fibonacci L d - e).
Definition full_branch (L d : Z) : Prop := exists u b, 0 <= u < L /\ rooted L d (fibonacci L d) u b.

Lemma full_is_branch L d : full_branch L d -> branch L d 0.
Proof.
  intros [u [b [Hu R]]]. exists u. split; [lia|]. rewrite Z.sub_0_r. now apply rooted_has in R.
Qed.
Lemma full_raised L d : 0 < L <= d + 1 -> full_branch L d -> branch L (d + 1) (fibonacci L (d + 1 - L)).
Proof.
  intros H [u [b [Hu R]]]. apply rooted_raise, rooted_has in R. exists (u + 1). split; [lia|].
  rewrite (fibonacci_step L (d + 1)) by lia. replace (d + 1 - 1) with d by lia. now replace (fibonacci L d + _ - _) with (fibonacci L d) by lia.
Qed.

(** *** One root and leaves *)
Lemma fibonacci_second L k : 0 < L -> 0 <= k <= L -> fibonacci L (L - 1 + k) = 1 + k.
Proof.
  intros HL Hk. destruct Hk as [Hk H]. revert H. pattern k. apply natlike_ind; [|clear k Hk; intros k Hk IH H|exact Hk].
  - intros _. rewrite fibonacci_one; lia.
  - rewrite fibonacci_step by lia. replace (L - 1 + Z.succ k - 1) with (L - 1 + k) by lia. rewrite IH, fibonacci_one by lia. lia.
Qed.
Lemma natural L k : 1 <= k <= L -> full_branch L (L - 1 + k).
Proof.
  intros Hk. set (s := L - 1 + k + total (from_to 0 k)). set (u := s mod k).
  assert (Hu : 0 <= u < k) by (apply Z.mod_pos_bound; lia).
  exists u, (s / k). split; [lia|]. rewrite fibonacci_second by lia.
  assert (Hin : In u (from_to 0 k)) by (apply in_from_to; lia). destruct (in_split _ _ Hin) as [l1 [l2 El]].
  apply (growing_rooted L (L - 1 + k) (1 + k) [] (from_to 0 k) u (l1 ++ l2)).
  - apply growing_root; lia.
  - rewrite El. symmetry. apply Permutation_middle.
  - lia.
  - rewrite from_to_length, Z2Nat.id by lia. pose proof (Z.div_mod s k ltac:(lia)) as E. fold u in E. unfold s in E at 1.
    rewrite El in E at 1. rewrite total_app, total_cons in E. rewrite total_app. lia.
Qed.
Lemma natural_dropped L k : 1 <= k <= L -> branch L (L - 1 + k) 1.
Proof.
  intros Hk. destruct (Z.eq_dec k 1) as [->|].
  - exists L. split; [lia|]. exists []. replace (L - 1 + 1) with L by lia. split.
    + split; [intros g []| |reflexivity]. cbn. intros w [<-|[]]. lia.
    + replace L with (L - 1 + 1) at 2 by lia. rewrite fibonacci_second by lia. reflexivity.
  - pose proof (full_raised L (L - 1 + (k - 1)) ltac:(lia) (natural L (k - 1) ltac:(lia))) as B.
    replace (L - 1 + (k - 1) + 1) with (L - 1 + k) in B by lia. rewrite fibonacci_one in B by lia. exact B.
Qed.

(** *** The three smallest branches *)
Lemma one_leaf L : 0 < L -> has L L 0 2.
Proof.
  intros HL. exists [(L, [])]. split; [|reflexivity]. split.
  - intros g [<-|[]]. unfold divisible. cbn. apply Z.mod_1_r.
  - cbn [flat_map members fst snd app]. intros w [<-|[<-|[]]]; lia.
  - change (flat_map (group_children L) [(L, [])]) with [L - L - 0]. replace (L - L - 0) with 0 by lia. apply perm_swap.
Qed.
Lemma no_leaf L : 0 < L -> has L L L 1.
Proof. intros HL. exists []. split; [|reflexivity]. split; [intros g []| |reflexivity]. cbn. intros w [<-|[]]. lia. Qed.
Lemma one_leaf_raised L : 0 < L -> has L (L + 1) 1 2.
Proof.
  intros HL. exists [(L + 1, [])]. split; [|reflexivity]. split.
  - intros g [<-|[]]. unfold divisible. cbn. apply Z.mod_1_r.
  - cbn [flat_map members fst snd app]. intros w [<-|[<-|[]]]; lia.
  - change (flat_map (group_children L) [(L + 1, [])]) with [L + 1 - L - 0]. replace (L + 1 - L - 0) with 1 by lia. apply perm_swap.
Qed.
(** Two leaves, raised s times: the block of two that exchanges need. *)
Lemma two_leaves L s : 0 < L -> 0 <= s -> partition L (L + 1 + s) [(L + 1 + s, [1 - L mod 2 + s])] (L mod 2 + s).
Proof.
  intros HL Hs. pose proof (Z.mod_pos_bound L 2 ltac:(lia)) as B. pose proof (Z.div_mod L 2 ltac:(lia)) as E.
  set (x := L mod 2) in *. split.
  - intros g [<-|[]]. unfold divisible, members, group_size. cbn [fst snd length total fold_right members].
    change (Z.of_nat 2) with 2. replace (L + 1 + s + (1 - x + s + 0)) with ((L / 2 + 1 + s) * 2) by lia. apply Z.mod_mul. lia.
  - cbn [flat_map members fst snd app]. intros w [<-|[<-|[<-|[]]]]; lia.
  - change (flat_map (group_children L) [(L + 1 + s, [1 - x + s])]) with [L + 1 + s - L - 0; L + 1 + s - L - 1]. cbn [flat_map members fst snd app].
    replace (L + 1 + s - L - 0) with (1 + s) by lia. replace (L + 1 + s - L - 1) with s by lia.
    assert (x = 0 \/ x = 1) as [-> | ->] by lia; cbn.
    + rewrite perm_swap. constructor. apply perm_swap.
    + apply perm_swap.
Qed.
(** The letters of the block of three: all of 0, 1, 2 but (L + 2) modulo 3. *)
Definition three_letters (L : Z) : Z * Z :=
  if (L + 2) mod 3 =? 0 then (1, 2) else if (L + 2) mod 3 =? 1 then (0, 2) else (0, 1).
Lemma three_letters_small L : 0 <= fst (three_letters L) <= 2 /\ 0 <= snd (three_letters L) <= 2.
Proof. unfold three_letters. destruct ((L + 2) mod 3 =? 0), ((L + 2) mod 3 =? 1); cbn [fst snd]; lia. Qed.
Lemma three_leaves L s : 0 < L -> 0 <= s ->
  partition L (L + 2 + s) [(L + 2 + s, [fst (three_letters L) + s; snd (three_letters L) + s])] ((L + 2) mod 3 + s).
Proof.
  intros HL Hs. unfold three_letters. pose proof (Z.mod_pos_bound (L + 2) 3 ltac:(lia)) as B. pose proof (Z.div_mod (L + 2) 3 ltac:(lia)) as E.
  set (x := (L + 2) mod 3) in *.
  assert (C : forall y z, Permutation [x; y; z] [2; 1; 0] -> partition L (L + 2 + s) [(L + 2 + s, [y + s; z + s])] (x + s)).
  { intros y z P. pose proof (total_permuted _ _ P) as T. cbn [total fold_right] in T. split.
    - intros g [<-|[]]. unfold divisible, members, group_size. cbn [fst snd length total fold_right members].
      change (Z.of_nat 3) with 3. replace (L + 2 + s + (y + s + (z + s + 0))) with (((L + 2) / 3 + 1 + s) * 3) by lia. apply Z.mod_mul. lia.
    - assert (R : forall w, In w [x; y; z] -> 0 <= w <= 2).
      { intros w Hw. apply (Permutation_in _ P) in Hw. destruct Hw as [<-|[<-|[<-|[]]]]; lia. }
      pose proof (R x ltac:(now left)). pose proof (R y ltac:(right; now left)). pose proof (R z ltac:(right; right; now left)).
      cbn [flat_map members fst snd app]. intros w [<-|[<-|[<-|[<-|[]]]]]; lia.
    - change (flat_map (group_children L) [(L + 2 + s, [y + s; z + s])]) with [L + 2 + s - L - 0; L + 2 + s - L - 1; L + 2 + s - L - 2].
      cbn [flat_map members fst snd app]. replace (L + 2 + s - L - 0) with (2 + s) by lia. replace (L + 2 + s - L - 1) with (1 + s) by lia.
      replace (L + 2 + s - L - 2) with (0 + s) by lia. rewrite perm_swap. constructor.
      exact (Permutation_map (fun w => w + s) P). }
  assert (x = 0 \/ x = 1 \/ x = 2) as [Ex|[Ex|Ex]] by lia; rewrite Ex in *; cbn [Z.eqb Pos.eqb fst snd]; apply C.
  - rewrite perm_swap. change [1; 0; 2] with ([1; 0] ++ [2]). rewrite Permutation_app_comm. reflexivity.
  - change [1; 0; 2] with ([1; 0] ++ [2]). rewrite Permutation_app_comm. reflexivity.
  - constructor. apply perm_swap.
Qed.

(** The letters of the block of four: all of 0, 1, 2, 3 but (L + 1) modulo 4. *)
Definition four_letters (L : Z) : list Z := filter (fun w => negb (w =? (L + 1) mod 4)) [0; 1; 2; 3].
Lemma four_leaves L s : 0 < L -> 0 <= s ->
  partition L (L + 3 + s) [(L + 3 + s, map (fun w => w + s) (four_letters L))] ((L + 1) mod 4 + s).
Proof.
  intros HL Hs. unfold four_letters. pose proof (Z.mod_pos_bound (L + 1) 4 ltac:(lia)) as B. pose proof (Z.div_mod (L + 1) 4 ltac:(lia)) as E.
  set (x := (L + 1) mod 4) in *.
  assert (C : forall w1 w2 w3, Permutation [x; w1; w2; w3] [3; 2; 1; 0] ->
    partition L (L + 3 + s) [(L + 3 + s, map (fun w => w + s) [w1; w2; w3])] (x + s)).
  { intros w1 w2 w3 P. pose proof (total_permuted _ _ P) as T. cbn [total fold_right] in T. cbn [map]. split.
    - intros g [<-|[]]. unfold divisible, members, group_size. cbn [fst snd length total fold_right members].
      change (Z.of_nat 4) with 4. replace (L + 3 + s + (w1 + s + (w2 + s + (w3 + s + 0)))) with (((L + 1) / 4 + 2 + s) * 4) by lia.
      apply Z.mod_mul. lia.
    - assert (R : forall w, In w [x; w1; w2; w3] -> 0 <= w <= 3).
      { intros w Hw. apply (Permutation_in _ P) in Hw. destruct Hw as [<-|[<-|[<-|[<-|[]]]]]; lia. }
      pose proof (R x ltac:(now left)). pose proof (R w1 ltac:(right; now left)). pose proof (R w2 ltac:(right; right; now left)).
      pose proof (R w3 ltac:(right; right; right; now left)).
      cbn [flat_map members fst snd app]. intros w [<-|[<-|[<-|[<-|[<-|[]]]]]]; lia.
    - change (flat_map (group_children L) [(L + 3 + s, [w1 + s; w2 + s; w3 + s])])
        with [L + 3 + s - L - 0; L + 3 + s - L - 1; L + 3 + s - L - 2; L + 3 + s - L - 3].
      cbn [flat_map members fst snd app]. replace (L + 3 + s - L - 0) with (3 + s) by lia. replace (L + 3 + s - L - 1) with (2 + s) by lia.
      replace (L + 3 + s - L - 2) with (1 + s) by lia. replace (L + 3 + s - L - 3) with (0 + s) by lia. rewrite perm_swap. constructor.
      exact (Permutation_map (fun w => w + s) P). }
  assert (x = 0 \/ x = 1 \/ x = 2 \/ x = 3) as [Ex|[Ex|[Ex|Ex]]] by lia; rewrite Ex in *; cbn [filter Z.eqb Pos.eqb negb]; apply C;
    apply NoDup_Permutation; try (repeat constructor; cbn; lia); intros w; cbn [In]; tauto.
Qed.
