(** Trees under construction: all groups but the root's are made, and the root's indices lie in a pool, one too many. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions.
Import ListNotations.
Open Scope Z_scope.

(** The children of a root of index t with as many children as there are indices in the pool. *)
Definition root_children (L t : Z) (pool : list Z) : list Z := map (fun k => t - L - k) (places (Z.of_nat (length pool))).

Record growing (L t m : Z) (groups : list group) (pool : list Z) : Prop := Growing {
  made_divisible : forall g, In g groups -> divisible g;
  made_in_time : forall w, In w (pool ++ flat_map members groups) -> 0 <= w <= t;
  made_tree : Permutation (pool ++ flat_map members groups) (root_children L t pool ++ flat_map (group_children L) groups);
  made_of : m = 1 + Z.of_nat (length pool) + total (map group_size groups) }.

Lemma flat_map_permuted {A B} (f : A -> list B) l l' : Permutation l l' -> Permutation (flat_map f l) (flat_map f l').
Proof.
  induction 1 as [|x l l' _ IH|x y l|l l' l'' _ IH _ IH']; cbn [flat_map]; [constructor| | |now rewrite IH].
  - now apply Permutation_app_head.
  - rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma growing_permuted L t m groups groups' pool pool' : Permutation groups groups' -> Permutation pool pool' ->
  growing L t m groups pool -> growing L t m groups' pool'.
Proof.
  intros G P [D T Tree M]. unfold root_children in *. split.
  - intros g Hg. apply D. now apply (Permutation_in _ (Permutation_sym G)).
  - intros w Hw. apply T. apply (Permutation_in _ (Permutation_sym (Permutation_app P (flat_map_permuted members _ _ G)))), Hw.
  - unfold root_children. rewrite <- (Permutation_length P), <- P, <- (flat_map_permuted members _ _ G), Tree.
    now apply Permutation_app_head, flat_map_permuted.
  - now rewrite <- (Permutation_length P), <- (total_permuted _ _ (Permutation_map group_size G)).
Qed.

(** A root with r children, and nothing else: its children are t - L, t - L - 1, ..., from [least] on. *)
Definition from_to (least r : Z) : list Z := map (Z.add least) (places r).
Lemma in_from_to least r x : In x (from_to least r) <-> least <= x < least + r.
Proof.
  unfold from_to. rewrite in_map_iff. split.
  - intros [y [<- H]]. apply in_places in H. lia.
  - intros H. exists (x - least). rewrite in_places. lia.
Qed.
Lemma from_to_once least r : NoDup (from_to least r).
Proof. apply FinFun.Injective_map_NoDup; [intros x y H; lia|apply places_once]. Qed.
Lemma from_to_length least r : length (from_to least r) = Z.to_nat r.
Proof. unfold from_to. now rewrite map_length, places_length. Qed.

Lemma growing_root L t least r : 0 < r -> 0 <= least -> 0 < L -> t = L + least + r - 1 -> growing L t (1 + r) [] (from_to least r).
Proof.
  intros R Hl HL ->. split.
  - intros g [].
  - intros w Hw. cbn [flat_map] in Hw. rewrite app_nil_r in Hw. apply in_from_to in Hw. lia.
  - cbn [flat_map]. rewrite !app_nil_r. unfold root_children. rewrite from_to_length. apply NoDup_Permutation.
    + apply from_to_once.
    + apply FinFun.Injective_map_NoDup; [intros x y H; lia|apply places_once].
    + intros x. rewrite in_from_to, in_map_iff. split.
      * intros H. exists (least + r - 1 - x). rewrite in_places. lia.
      * intros [k [<- H]]. apply in_places in H. lia.
  - rewrite from_to_length. change (total (map group_size [])) with 0. lia.
Qed.

(** A leaf becomes the root of another tree, whose root's group takes its letters from both pools. *)
Lemma growing_graft L t m groups d pool m' groups' pool' letters rest : 0 < L ->
  growing L t m groups (d :: pool) -> growing L d m' groups' pool' ->
  Permutation (pool' ++ pool) (letters ++ rest) -> (length pool' = S (length letters)) -> divisible (d, letters) ->
  growing L t (m + m' - 1) ((d, letters) :: groups ++ groups') rest.
Proof.
  intros HL [D T Tree M] [D' T' Tree' M'] P Len Div.
  assert (LenR : length rest = S (length pool)).
  { apply Permutation_length in P. rewrite !app_length in P. lia. }
  assert (Td : 0 <= d <= t) by (apply T; now left).
  split.
  - intros g [<-|Hg]; [exact Div|]. apply in_app_or in Hg. destruct Hg; [now apply D|now apply D'].
  - intros w Hw.
    assert (In w ((d :: pool) ++ flat_map members groups) \/ In w (pool' ++ flat_map members groups')).
    { cbn [flat_map members fst snd] in Hw. rewrite flat_map_app in Hw.
      assert (Pool : In w (letters ++ rest) -> In w ((d :: pool) ++ flat_map members groups) \/ In w (pool' ++ flat_map members groups')).
      { intros H. apply (Permutation_in _ (Permutation_sym P)) in H. apply in_app_or in H.
        destruct H; [right; apply in_or_app; now left|left; right; apply in_or_app; now left]. }
      apply in_app_or in Hw. destruct Hw as [Hw|[<-|Hw]].
      - apply Pool, in_or_app. now right.
      - left. now left.
      - apply in_app_or in Hw. destruct Hw as [Hw|Hw]; [apply Pool, in_or_app; now left|].
        apply in_app_or in Hw. destruct Hw; [left; right; apply in_or_app; now right|right; apply in_or_app; now right]. }
    destruct H as [H|H]; [exact (T w H)|specialize (T' w H); lia].
  - cbn [flat_map]. rewrite !flat_map_app. unfold members at 1. cbn [fst snd].
    assert (Er : root_children L t rest = root_children L t (d :: pool)).
    { unfold root_children. rewrite LenR. reflexivity. }
    assert (Ed : group_children L (d, letters) = root_children L d pool').
    { unfold root_children, group_children, group_size, members. cbn [fst snd length]. now rewrite Len. }
    rewrite Er, Ed. cbn [app].
    set (G := flat_map members groups) in *. set (G' := flat_map members groups') in *.
    set (C := flat_map (group_children L) groups) in *. set (C' := flat_map (group_children L) groups') in *.
    transitivity (((d :: pool) ++ G) ++ (pool' ++ G')).
    + transitivity (d :: (letters ++ rest) ++ G ++ G').
      * rewrite <- Permutation_middle. constructor. rewrite !app_assoc. do 2 apply Permutation_app_tail. apply Permutation_app_comm.
      * rewrite <- P. cbn [app]. constructor. rewrite <- !app_assoc. rewrite (Permutation_app_comm pool').
        rewrite <- !app_assoc. do 2 apply Permutation_app_head. apply Permutation_app_comm.
    + rewrite Tree, Tree'. rewrite <- !app_assoc. apply Permutation_app_head. rewrite !app_assoc.
      apply Permutation_app_tail, Permutation_app_comm.
  - cbn [map]. rewrite total_cons, map_app, total_app, LenR. unfold group_size at 1, members. cbn [fst snd length].
    cbn [length] in M. rewrite Len in M'. lia.
Qed.

(** A leaf becomes the root of a tree with a partition. *)
Lemma growing_branch L t m groups d pool groups' u : 0 < L ->
  growing L t m groups (d :: pool) -> partition L d groups' u ->
  growing L t (m + processors_in groups' - 1) (groups ++ groups') (u :: pool).
Proof.
  intros HL [D T Tree M] [D' T' Tree'].
  assert (Td : 0 <= d <= t) by (apply T; now left).
  split.
  - intros g Hg. apply in_app_or in Hg. destruct Hg; [now apply D|now apply D'].
  - intros w Hw. rewrite flat_map_app in Hw. cbn [app] in Hw.
    assert (In w ((d :: pool) ++ flat_map members groups) \/ In w (u :: flat_map members groups')).
    { destruct Hw as [<-|Hw]; [right; now left|]. apply in_app_or in Hw.
      destruct Hw as [Hw|Hw]; [left; right; apply in_or_app; now left|].
      apply in_app_or in Hw. destruct Hw; [left; right; apply in_or_app; now right|right; now right]. }
    destruct H as [H|H]; [exact (T w H)|specialize (T' w H); lia].
  - rewrite !flat_map_app. change (root_children L t (u :: pool)) with (root_children L t (d :: pool)).
    set (G := flat_map members groups) in *. set (G' := flat_map members groups') in *.
    set (C := flat_map (group_children L) groups) in *. set (C' := flat_map (group_children L) groups') in *.
    apply Permutation_cons_inv with d. cbn [app].
    transitivity (((d :: pool) ++ G) ++ (u :: G')).
    + cbn [app]. constructor. rewrite <- Permutation_middle. constructor. now rewrite app_assoc.
    + rewrite Tree, Tree', <- Permutation_middle, <- !app_assoc. reflexivity.
  - unfold processors_in in *. rewrite map_app, total_app. cbn [length] in *. lia.
Qed.

(** A letter of a group is exchanged for one of the pool that is the same modulo the group's size. *)
Lemma growing_exchange L t m groups h letters letters' x y pool : growing L t m ((h, letters) :: groups) (y :: pool) ->
  Permutation letters (x :: letters') -> (y - x) mod group_size (h, letters) = 0 ->
  growing L t m ((h, y :: letters') :: groups) (x :: pool).
Proof.
  intros [D T Tree M] P Mod.
  assert (Size : group_size (h, y :: letters') = group_size (h, letters)).
  { unfold group_size, members. cbn [fst snd length]. apply Permutation_length in P. cbn [length] in P. now rewrite P. }
  assert (Members : Permutation ((y :: pool) ++ flat_map members ((h, letters) :: groups))
                                ((x :: pool) ++ flat_map members ((h, y :: letters') :: groups))).
  { cbn [flat_map]. unfold members at 1 3. cbn [fst snd app]. rewrite P. cbn [app].
    set (F := flat_map members groups).
    assert (Two : forall v w, Permutation (v :: pool ++ h :: w :: letters' ++ F) (v :: w :: h :: pool ++ letters' ++ F)).
    { intros v w. constructor. rewrite <- Permutation_middle, <- Permutation_middle. apply perm_swap. }
    rewrite !Two. apply perm_swap. }
  split.
  - intros g [<-|Hg]; [|apply D; now right]. specialize (D _ (or_introl eq_refl)). unfold divisible in *. rewrite Size.
    replace (total (members (h, y :: letters'))) with (total (members (h, letters)) + (y - x)).
    + rewrite Z.add_mod, D, Mod; [reflexivity|]. unfold group_size, members. cbn [length]. lia.
    + unfold members. cbn [fst snd]. rewrite !total_cons, (total_permuted _ _ P), total_cons. lia.
  - intros w Hw. apply T. now apply (Permutation_in _ (Permutation_sym Members)).
  - rewrite <- Members, Tree. cbn [flat_map]. unfold group_children at 3. rewrite Size. reflexivity.
  - cbn [map] in *. rewrite total_cons in *. rewrite Size. exact M.
Qed.

(** At last the root's group is made, and one index is spare. *)
Lemma growing_rooted L t m groups pool u rest b : growing L t m groups pool -> Permutation pool (u :: rest) -> 0 <= t ->
  t + total rest = b * Z.of_nat (length pool) -> rooted L t m u b.
Proof.
  intros [D T Tree M] P Ht E. exists rest, groups.
  assert (Size : group_size (t, rest) = Z.of_nat (length pool)).
  { unfold group_size, members. cbn [fst snd length]. now rewrite (Permutation_length P). }
  assert (Sum : total (members (t, rest)) = b * group_size (t, rest)).
  { rewrite Size, <- E. reflexivity. }
  split; [split|split; [|exact Sum]].
  - intros g [<-|Hg]; [|now apply D]. unfold divisible. rewrite Sum. apply Z.mod_mul.
    unfold group_size, members. cbn [length]. lia.
  - intros w Hw. destruct (Z.eq_dec w t) as [->|Ne]; [lia|]. apply T. cbn [flat_map] in Hw. unfold members at 1 in Hw. cbn [fst snd] in Hw.
    apply (Permutation_in w (Permutation_sym (Permutation_app_tail (flat_map members groups) P))). cbn [app].
    destruct Hw as [<-|[<-|Hw]]; [now left|congruence|now right].
  - cbn [flat_map]. unfold members at 1. cbn [fst snd app]. rewrite perm_swap. constructor.
    rewrite (Permutation_app_tail (flat_map members groups) (Permutation_sym P) : Permutation (u :: rest ++ _) _), Tree.
    unfold root_children, group_children. rewrite Size. reflexivity.
  - unfold processors_in. cbn [map]. rewrite total_cons, Size. lia.
Qed.
