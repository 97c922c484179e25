(** Even L and L + 3 processors: the tree of depth 2 L has no partition, statement 7 of the page. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Growing Branches.
Import ListNotations.
Open Scope Z_scope.

Definition times (w : Z) (l : list Z) : nat := count_occ Z.eq_dec l w.
Lemma times_app w l l' : times w (l ++ l') = (times w l + times w l')%nat.
Proof. apply count_occ_app. Qed.
Lemma times_fewer w groups : (times w (map fst groups) <= times w (flat_map members groups))%nat.
Proof.
  induction groups as [|[h letters] groups IH]; [reflexivity|]. cbn [map flat_map members fst snd app]. unfold times in *. cbn [count_occ].
  rewrite count_occ_app. destruct (Z.eq_dec h w); lia.
Qed.
Lemma size_positive (g : group) : 1 <= group_size g.
Proof. unfold group_size, members. cbn [length]. lia. Qed.
Lemma in_children L g x : In x (group_children L g) <-> fst g - L - group_size g < x <= fst g - L.
Proof.
  unfold group_children. rewrite in_map_iff. split.
  - intros [k [<- H]]. apply in_places in H. lia.
  - intros H. exists (fst g - L - x). rewrite in_places. lia.
Qed.
Lemma children_once L g : NoDup (group_children L g).
Proof. apply FinFun.Injective_map_NoDup; [intros x y H; lia|apply places_once]. Qed.

Section Exception.
Variables (L u : Z) (groups : list group).
Hypothesis HL : 2 <= L.
Hypothesis P : partition L (2 * L) groups u.

(** A header has as many children as it has index L - 1 at most. So headers are 2 L and L. *)
Lemma header_large g : In g groups -> L + group_size g - 1 <= fst g <= 2 * L.
Proof.
  intros Hg. destruct P as [_ T Tree]. split.
  - assert (I : In (fst g - L - group_size g + 1) (2 * L :: flat_map (group_children L) groups)).
    { right. apply in_flat_map. exists g. split; [exact Hg|]. apply in_children. pose proof (size_positive g). lia. }
    apply (Permutation_in _ (Permutation_sym Tree)), T in I. lia.
  - apply T. right. apply in_flat_map. exists g. split; [exact Hg|now left].
Qed.
Lemma child_small w : In w (flat_map (group_children L) groups) -> w <= L.
Proof. intros H. apply in_flat_map in H. destruct H as [g [Hg H]]. apply in_children in H. pose proof (header_large g Hg). lia. Qed.
Lemma header_is g : In g groups -> fst g = 2 * L \/ (fst g = L /\ group_size g = 1).
Proof.
  intros Hg. pose proof (header_large g Hg). pose proof (size_positive g). destruct P as [_ _ Tree].
  assert (I : In (fst g) (u :: flat_map members groups)) by (right; apply in_flat_map; exists g; split; [exact Hg|now left]).
  apply (Permutation_in _ Tree) in I. destruct I as [I|I]; [left; lia|]. apply child_small in I. right. lia.
Qed.
Lemma tops_once : (times (2 * L) (map fst groups) <= 1)%nat.
Proof.
  etransitivity; [apply times_fewer|]. destruct P as [_ _ Tree].
  assert (E : times (2 * L) (u :: flat_map members groups) = times (2 * L) (2 * L :: flat_map (group_children L) groups)) by now apply Permutation_count_occ.
  unfold times in *. cbn [count_occ] in E. rewrite (proj1 (count_occ_not_In Z.eq_dec (flat_map (group_children L) groups) (2 * L))) in E.
  - destruct (Z.eq_dec u (2 * L)), (Z.eq_dec (2 * L) (2 * L)); lia.
  - intros I. apply child_small in I. lia.
Qed.
Lemma others_once : (times L (map fst groups) <= times (2 * L) (map fst groups))%nat.
Proof.
  etransitivity; [apply times_fewer|]. destruct P as [_ _ Tree].
  assert (E : times L (u :: flat_map members groups) = times L (2 * L :: flat_map (group_children L) groups)) by now apply Permutation_count_occ.
  assert (C : (times L (flat_map (group_children L) groups) <= times (2 * L) (map fst groups))%nat).
  { assert (H : forall g, In g groups -> fst g <= 2 * L) by (intros g Hg; now apply header_large). clear - H HL. revert H.
    induction groups as [|g gs IH]; intros H; [reflexivity|]. cbn [flat_map map]. rewrite times_app. specialize (IH (fun g Hg => H g (or_intror Hg))).
    unfold times in *. cbn [count_occ]. pose proof (proj1 (NoDup_count_occ Z.eq_dec _) (children_once L g) L) as O.
    destruct (Z.eq_dec (fst g) (2 * L)) as [|Ne]; [lia|]. rewrite (proj1 (count_occ_not_In Z.eq_dec (group_children L g) L)); [lia|].
    intros I. apply in_children in I. specialize (H g (or_introl eq_refl)). lia. }
  unfold times in *. cbn [count_occ] in E. destruct (Z.eq_dec u L), (Z.eq_dec (2 * L) L); lia.
Qed.

(** One root with L letters, and one node with a child: the sum is not divisible. *)
Lemma two_groups letters : L mod 2 = 0 -> Permutation groups [(2 * L, letters); (L, [])] -> Z.of_nat (length letters) = L -> False.
Proof.
  intros Ev G Len. destruct P as [D _ Tree]. pose proof (D (2 * L, letters) (Permutation_in _ (Permutation_sym G) (or_introl eq_refl))) as Div.
  rewrite (flat_map_permuted _ _ _ G), (flat_map_permuted (group_children L) _ _ G) in Tree.
  unfold divisible, group_size, members in Div. unfold group_children, group_size, members in Tree.
  cbn [flat_map fst snd length app] in Div, Tree. rewrite Nat2Z.inj_succ, Len in Div, Tree. rewrite total_cons in Div.
  assert (Root : Permutation (from_to 0 L ++ [L]) (map (fun k => 2 * L - L - k) (places (Z.succ L)))).
  { pose proof (made_tree _ _ _ _ _ (growing_root L (2 * L) 0 (Z.succ L) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia))) as R.
    cbn [flat_map] in R. rewrite !app_nil_r in R. unfold root_children in R. rewrite from_to_length, Z2Nat.id in R by lia.
    rewrite <- R. unfold Z.succ. rewrite from_to_split by lia. change (from_to (0 + L) 1) with [0 + L + 0]. now replace (0 + L + 0) with L by lia. }
  rewrite <- Root in Tree. change (map (fun k => L - L - k) (places (Z.of_nat 1))) with [L - L - 0] in Tree.
  replace (L - L - 0) with 0 in Tree by lia. rewrite app_nil_r in Tree.
  assert (Own : Permutation (u :: letters) (from_to 0 L ++ [0])).
  { apply (Permutation_app_inv_r [L]), Permutation_cons_inv with (2 * L). cbn [app]. rewrite perm_swap, Tree.
    constructor. rewrite <- !app_assoc. apply Permutation_app_head, perm_swap. }
  assert (Hu : 0 <= u < L).
  { pose proof (Permutation_in u Own (or_introl eq_refl)) as I. apply in_app_or in I. destruct I as [I|[<-|[]]]; [apply in_from_to in I|]; lia. }
  pose proof (total_permuted _ _ Own) as Sum. rewrite total_cons, total_app in Sum. cbn [total fold_right] in Sum.
  pose proof (total_from_to 0 L ltac:(lia)) as T.
  apply Z.mod_divide in Div; [|lia]. destruct Div as [k Div].
  pose proof (Z.div_mod L 2 ltac:(lia)) as E. rewrite Ev in E. clear Root Tree Own Len.
  set (h := L / 2) in *. set (all := total (from_to 0 L)) in *. clearbody h all.
  assert (EL : L = 2 * h) by lia. rewrite EL in Div, T, Hu.
  assert (K : u + 1 = (h + 1 - k) * (2 * h + 1)) by lia.
  assert (Pos : 0 < h + 1 - k) by (destruct (Z_lt_le_dec 0 (h + 1 - k)); [assumption|]; exfalso; nia).
  nia.
Qed.

(** There is no partition. *)
Lemma no_partition : L mod 2 = 0 -> processors_in groups <> L + 3.
Proof.
  intros Ev M. unfold processors_in in M. pose proof tops_once as O1. pose proof others_once as O2. pose proof header_is as H. pose proof header_large as S.
  assert (E : (length groups = times (2 * L) (map fst groups) + times L (map fst groups))%nat).
  { clear - H HL. induction groups as [|g gs IH]; [reflexivity|]. cbn [length map]. unfold times in *. cbn [count_occ].
    rewrite IH by (intros g' Hg'; apply H; now right). destruct (H g (or_introl eq_refl)) as [->|[-> _]];
      destruct (Z.eq_dec (2 * L) (2 * L)), (Z.eq_dec (2 * L) L), (Z.eq_dec L (2 * L)), (Z.eq_dec L L); lia. }
  assert (Two : forall a b, fst a = 2 * L -> fst b = L -> Permutation groups [a; b] -> False).
  { intros [h l] [h' l'] Ea Eb G. cbn [fst] in Ea, Eb. subst h h'.
    assert (Ia : In (2 * L, l) groups) by (apply (Permutation_in _ (Permutation_sym G)); now left).
    assert (Ib : In (L, l') groups) by (apply (Permutation_in _ (Permutation_sym G)); right; now left).
    pose proof (S _ Ia) as Sa. destruct (H _ Ib) as [Hb|[_ Hb]]; [cbn [fst] in Hb; lia|].
    assert (l' = []) as -> by (destruct l'; [reflexivity|unfold group_size, members in Hb; cbn [fst snd length] in Hb; lia]).
    rewrite (total_permuted _ _ (Permutation_map group_size G)) in M. cbn [map total fold_right] in M. rewrite Hb in M.
    apply (two_groups l Ev G). unfold group_size, members in M. cbn [fst snd length] in M. lia. }
  destruct groups as [|a [|b [|c gs]]].
  - cbn in M. lia.
  - pose proof (S a (or_introl eq_refl)). cbn [map total fold_right] in M. lia.
  - pose proof (H a (or_introl eq_refl)) as Ha. pose proof (H b (or_intror (or_introl eq_refl))) as Hb.
    destruct Ha as [Ha|[Ha _]], Hb as [Hb|[Hb _]].
    + unfold times in O1. cbn [map count_occ] in O1. rewrite Ha, Hb in O1. destruct (Z.eq_dec (2 * L) (2 * L)); lia.
    + exact (Two a b Ha Hb (Permutation_refl _)).
    + exact (Two b a Hb Ha (perm_swap b a [])).
    + unfold times in O2. cbn [map count_occ] in O2. rewrite Ha, Hb in O2. destruct (Z.eq_dec L L), (Z.eq_dec L (2 * L)); lia.
  - cbn [length] in E. lia.
Qed.
End Exception.

Theorem exception_without_partition L groups u : 2 <= L -> L mod 2 = 0 -> partition L (2 * L) groups u -> processors_in groups <> L + 3.
Proof. intros HL Ev P. exact (no_partition L u groups HL P Ev). Qed.
