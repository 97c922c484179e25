(** Block-cyclic schedules from arithmetic alone: if the indices of a tree can be divided into groups whose sums are divisible by
    their sizes, with one left over, Hall's theorem makes cycles of the groups. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles.
Import ListNotations.
Open Scope Z_scope.

(** A group is a header and letters. The header has as many children as the group has members, the letters have none. *)
Definition group := (Z * list Z)%type.
Definition members (g : group) : list Z := fst g :: snd g.
Definition group_size (g : group) : Z := Z.of_nat (length (members g)).
Definition group_children (L : Z) (g : group) : list Z := map (fun k => fst g - L - k) (places (group_size g)).
Definition divisible (g : group) : Prop := total (members g) mod group_size g = 0.

(** A partition of depth t, with a spare index u that stands in no group. *)
Record partition (L t : Z) (groups : list group) (u : Z) : Prop := Partition {
  all_divisible : forall g, In g groups -> divisible g;
  all_in_time : forall w, In w (u :: flat_map members groups) -> 0 <= w <= t;
  one_tree : Permutation (u :: flat_map members groups) (t :: flat_map (group_children L) groups) }.

Definition processors_in (groups : list group) : Z := 1 + total (map group_size groups).

(** ** Cycles *)
Lemma children_of_letters L l : children L (map (fun xa => (fst xa, (snd xa, 0))) l) = [].
Proof. induction l as [|x l IH]; [reflexivity|]. exact IH. Qed.

Lemma group_cycle L t g : divisible g -> (forall w, In w (members g) -> 0 <= w <= t) ->
  exists c, legal t c /\ indices c = members g /\ children L c = group_children L g.
Proof.
  destruct g as [h letters]. intros D In_time. unfold divisible in D.
  set (r := group_size (h, letters)) in *.
  assert (R : 0 < r) by (unfold r, group_size, members; cbn [length]; lia).
  set (things := (h, r) :: map (fun x => (x, 0)) letters).
  assert (Ev : map fst things = members (h, letters)).
  { unfold things, members. cbn [map fst snd]. rewrite map_map. cbn. now rewrite map_id. }
  destruct (hall fst r R things) as [l [T Pl]].
  { unfold things, r, group_size, members. cbn [length fst snd]. now rewrite map_length. }
  { now rewrite Ev. }
  apply Permutation_sym in Pl. destruct (Permutation_map_inv snd l Pl) as [c [E Pc]].
  apply (thrown_permuted fst r l c Pc) in T.
  assert (Len : long c = r).
  { unfold long. rewrite <- (map_length snd c), <- E, <- (map_length fst things), Ev. reflexivity. }
  assert (Ei : indices c = members (h, letters)).
  { unfold indices. rewrite <- (map_map snd fst c), <- E. exact Ev. }
  destruct c as [|[x [h' n]] rest]; [discriminate|]. cbn [map snd things] in E. injection E as <- <- E.
  assert (Zero : forall f : Z * (Z * Z) -> Z -> Z,
    flat_map (fun xa => map (f xa) (places (snd (snd xa)))) rest = []).
  { intros f. clear - E. revert letters E. induction rest as [|[y [w n]] rest IH]; intros [|z letters] E; try easy.
    cbn [map snd] in E. injection E as _ <- E. cbn [flat_map snd]. now rewrite (IH letters E). }
  exists ((x, (h, r)) :: rest). split; [|split].
  - split.
    + lia.
    + now rewrite Len.
    + unfold busy. cbn [flat_map fst snd]. rewrite Len, (Zero (fun xa k => (fst xa + k) mod r)), app_nil_r.
      assert (Inj : forall ks, NoDup ks -> incl ks (places r) -> NoDup (map (fun k => (x + k) mod r) ks)).
      { induction ks as [|k ks IH]; intros N I; [constructor|]. inversion N as [|? ? Nk N']; subst. cbn [map]. constructor.
        - intros H. apply in_map_iff in H. destruct H as [k' [Ek Hk]].
          assert (R1 : 0 <= k < r) by (apply in_places, I; now left).
          assert (R2 : 0 <= k' < r) by (apply in_places, I; now right).
          assert (Q : (k' - k) mod r = 0).
          { replace (k' - k) with ((x + k') - (x + k)) by lia. rewrite Zminus_mod, Ek, Z.sub_diag. apply Z.mod_0_l. lia. }
          apply Z.mod_divide in Q; [|lia]. destruct Q as [q Q].
          assert (-1 < q) by nia. assert (q < 1) by nia. apply Nk. now replace k with k' by lia.
        - apply IH; [exact N'|]. intros y Hy. apply I. now right. }
      apply Inj; [apply places_once|apply incl_refl].
    + rewrite Ei. exact In_time.
  - exact Ei.
  - unfold children. cbn [flat_map fst snd]. rewrite (Zero (fun xa k => fst (snd xa) - L - k)), app_nil_r. reflexivity.
Qed.

Theorem partition_broadcast L t groups u : 0 < L -> partition L t groups u ->
  exists l : list processor, NoDup l /\ Z.of_nat (length l) = processors_in groups /\
  exists s, valid L l s /\ within L l s (L + t).
Proof.
  intros HL [D T Tree].
  assert (C : exists cycles, (forall c, In c cycles -> legal t c) /\ flat_map indices cycles = flat_map members groups /\
              flat_map (children L) cycles = flat_map (group_children L) groups).
  { assert (T' : forall w, In w (flat_map members groups) -> 0 <= w <= t) by (intros w Hw; apply T; now right).
    clear T Tree. induction groups as [|g groups IH]; [exists []; split; [intros c []|split; reflexivity]|].
    destruct IH as [cs [Hc [Ei Ec]]].
    - intros g' Hg. apply D. now right.
    - intros w Hw. apply T'. cbn [flat_map]. apply in_or_app. now right.
    - destruct (group_cycle L t g) as [c [Lc [Eic Ecc]]].
      + apply D. now left.
      + intros w Hw. apply T'. cbn [flat_map]. apply in_or_app. now left.
      + exists (c :: cs). cbn [flat_map]. rewrite Ei, Ec, Eic, Ecc. split; [|split; reflexivity]. intros c' [<-|H]; [exact Lc|now apply Hc]. }
  destruct C as [cs [Hc [Ei Ec]]].
  set (spare := [(0, (u, 0))] : cycle).
  assert (Hs : legal t spare).
  { split; [reflexivity| | |].
    - split; cbn.
      + intros x [<-|[]]. now left.
      + constructor; [intros []|constructor].
      + constructor; [intros []|constructor].
    - constructor.
    - intros w [<-|[]]. apply T. now left. }
  assert (Tree' : Permutation (flat_map indices (spare :: cs)) (t :: flat_map (children L) (spare :: cs))).
  { cbn [flat_map]. rewrite Ei, Ec. exact Tree. }
  assert (All : forall c, In c (spare :: cs) -> legal t c) by (intros c [<-|H]; [exact Hs|now apply Hc]).
  exists (everybody (spare :: cs)).
  split; [apply (everybody_processors t (spare :: cs))|]. split; [|now apply (cycles_broadcast L t (spare :: cs))].
  rewrite everybody_length. cbn [flat_map]. rewrite Ei. unfold processors_in. clear.
  cbn [indices spare map app length]. rewrite Nat2Z.inj_succ.
  assert (H : Z.of_nat (length (flat_map members groups)) = total (map group_size groups)); [|lia].
  induction groups as [|g groups IH]; [reflexivity|]. cbn [flat_map map total fold_right].
  rewrite app_length, Nat2Z.inj_add, IH. reflexivity.
Qed.

(** ** Join and raise: statements 2 and 3 of the page *)

(** A partition whose first group holds the root and has b balls. *)
Definition rooted (L t m u b : Z) : Prop :=
  exists letters (groups : list group), partition L t ((t, letters) :: groups) u /\ processors_in ((t, letters) :: groups) = m /\
  total (members (t, letters)) = b * group_size (t, letters).

Lemma children_shifted L t letters w :
  Permutation (group_children L (t, letters ++ [w])) ((t - L) :: group_children L (t - 1, letters)).
Proof.
  unfold group_children, group_size, members. cbn [fst snd length]. rewrite app_length. cbn [length].
  set (n := length letters). unfold places.
  replace (Z.to_nat (Z.of_nat (S (n + 1)))) with (S (S n)) by lia.
  replace (Z.to_nat (Z.of_nat (S n))) with (S n) by lia.
  change (seq 0 (S (S n))) with (0%nat :: seq 1 (S n)). cbn [map].
  replace (t - L - Z.of_nat 0) with (t - L) by lia. constructor.
  rewrite <- (seq_shift (S n) 0), !map_map. erewrite map_ext; [reflexivity|]. intros k. cbn beta. lia.
Qed.

Lemma rooted_join L t m u b groups' : 0 < L -> rooted L (t - 1) m u b -> partition L (t - L) groups' (b - 1) ->
  rooted L t (m + processors_in groups') u b.
Proof.
  intros HL [letters [groups [[D T Tree] [Em Eb]]]] [D' T' Tree'].
  exists (letters ++ [b - 1]), (groups ++ groups').
  assert (Size : group_size (t, letters ++ [b - 1]) = group_size (t - 1, letters) + 1).
  { unfold group_size, members. cbn [fst snd length]. rewrite app_length. cbn [length]. lia. }
  assert (Sum : total (members (t, letters ++ [b - 1])) = b * group_size (t, letters ++ [b - 1])).
  { rewrite Size. unfold members in *. cbn [fst snd total fold_right] in *. fold (total letters) in *.
    fold (total (letters ++ [b - 1])). rewrite total_app. cbn [total fold_right]. lia. }
  split; [split|split; [|exact Sum]].
  - intros g [<-|Hg].
    + unfold divisible. rewrite Sum. apply Z.mod_mul. unfold group_size, members. cbn. lia.
    + apply in_app_or in Hg. destruct Hg; [apply D; now right|now apply D'].
  - intros w Hw. cbn [flat_map] in Hw. unfold members at 1 in Hw. cbn [fst snd] in Hw.
    assert (In w (u :: flat_map members ((t - 1, letters) :: groups)) \/ w = t \/ In w ((b - 1) :: flat_map members groups')).
    { rewrite flat_map_app in Hw. cbn [flat_map]. unfold members at 1. cbn [fst snd].
      destruct Hw as [<-|Hw]; [left; now left|]. apply in_app_or in Hw. destruct Hw as [Hw|Hw].
      - destruct Hw as [<-|Hw]; [right; now left|]. apply in_app_or in Hw. destruct Hw as [Hw|[<-|[]]].
        + left. right. apply in_or_app. left. now right.
        + right. right. now left.
      - apply in_app_or in Hw. destruct Hw as [Hw|Hw].
        + left. right. apply in_or_app. now right.
        + right. right. now right. }
    assert (0 <= t - 1) by (specialize (T (t - 1)); apply T; right; now left).
    destruct H as [H|[->|H]]; [specialize (T w H)|lia|specialize (T' w H)]; lia.
  - cbn [flat_map]. rewrite !flat_map_app.
    change (members (t, letters ++ [b - 1])) with (t :: letters ++ [b - 1]).
    cbn [flat_map] in Tree. change (members (t - 1, letters)) with ((t - 1) :: letters) in Tree.
    set (G := flat_map members groups) in *. set (G' := flat_map members groups') in *.
    set (C := flat_map (group_children L) groups) in *. set (C' := flat_map (group_children L) groups') in *.
    rewrite children_shifted.
    set (K := group_children L (t - 1, letters)) in *.
    assert (Tree1 : Permutation (u :: letters ++ G) (K ++ C)).
    { apply Permutation_cons_inv with (t - 1). rewrite <- Tree. cbn. apply perm_swap. }
    transitivity (t :: (u :: letters ++ G) ++ ((b - 1) :: G')).
    + cbn [app]. rewrite perm_swap. constructor. constructor.
      rewrite <- !app_assoc. apply Permutation_app_head. cbn [app].
      rewrite <- (Permutation_middle G G' (b - 1)). reflexivity.
    + constructor. rewrite Tree1, Tree'. cbn [app]. rewrite <- !app_assoc.
      rewrite (Permutation_app_comm C), <- app_comm_cons, <- Permutation_middle. cbn. constructor.
      apply Permutation_app_head. apply Permutation_app_comm.
  - unfold processors_in in *. cbn [map] in *. rewrite total_cons in Em |- *. rewrite map_app, total_app, Size. lia.
Qed.

Definition raise_group (g : group) : group := (fst g + 1, map (Z.add 1) (snd g)).
Lemma raise_members g : members (raise_group g) = map (Z.add 1) (members g).
Proof. unfold members, raise_group. cbn [fst snd map]. f_equal. lia. Qed.
Lemma raise_size g : group_size (raise_group g) = group_size g.
Proof. unfold group_size. now rewrite raise_members, map_length. Qed.
Lemma raise_children L g : group_children L (raise_group g) = map (Z.add 1) (group_children L g).
Proof.
  unfold group_children. rewrite raise_size, map_map. apply map_ext. intros k. cbn [raise_group fst]. lia.
Qed.
Lemma raise_total l : total (map (Z.add 1) l) = total l + Z.of_nat (length l).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map length]. rewrite !total_cons. lia. Qed.
Lemma raise_flat {B} (f g : B -> list Z) h l : (forall x, f (h x) = map (Z.add 1) (g x)) ->
  flat_map f (map h l) = map (Z.add 1) (flat_map g l).
Proof. intros H. induction l as [|x l IH]; [reflexivity|]. cbn [map flat_map]. now rewrite map_app, H, IH. Qed.

Lemma rooted_raise L t m u b : rooted L t m u b -> rooted L (t + 1) m (u + 1) (b + 1).
Proof.
  intros [letters [groups [[D T Tree] [Em Eb]]]]. exists (map (Z.add 1) letters), (map raise_group groups).
  change (t + 1, map (Z.add 1) letters) with (raise_group (t, letters)).
  change (raise_group (t, letters) :: map raise_group groups) with (map raise_group ((t, letters) :: groups)).
  set (all := (t, letters) :: groups) in *.
  assert (Members : flat_map members (map raise_group all) = map (Z.add 1) (flat_map members all)).
  { apply raise_flat, raise_members. }
  assert (Children : flat_map (group_children L) (map raise_group all) = map (Z.add 1) (flat_map (group_children L) all)).
  { apply raise_flat, raise_children. }
  split; [split|split].
  - intros g Hg. apply in_map_iff in Hg. destruct Hg as [g' [<- Hg]]. specialize (D g' Hg). unfold divisible in *.
    rewrite raise_size, raise_members, raise_total. fold (group_size g').
    replace (total (members g') + group_size g') with (total (members g') + 1 * group_size g') by lia.
    rewrite Z.mod_add; [exact D|]. unfold group_size, members. cbn. lia.
  - intros w Hw. rewrite Members in Hw. replace (u + 1) with (1 + u) in Hw by lia.
    change (In w (map (Z.add 1) (u :: flat_map members all))) in Hw. apply in_map_iff in Hw.
    destruct Hw as [x [<- Hx]]. specialize (T x Hx). lia.
  - rewrite Members, Children. replace (u + 1) with (1 + u) by lia. replace (t + 1) with (1 + t) by lia.
    apply (Permutation_map (Z.add 1) Tree).
  - unfold processors_in in *. rewrite map_map, (map_ext _ group_size); [exact Em|]. intros g. apply raise_size.
  - rewrite raise_members, raise_total, raise_size, Eb. fold (group_size (t, letters)). lia.
Qed.
