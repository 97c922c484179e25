(** Even L and L + 3 processors: no partition, but a cycle of two nodes with children and L letters: statement 7 of the page. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction Check Growing Branches.
Import ListNotations.
Open Scope Z_scope.

Lemma once_map {A B} (f : A -> B) l : NoDup l -> (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup (map f l).
Proof.
  induction l as [|x l IH]; intros N I; [constructor|]. inversion N as [|? ? Nx N']; subst. cbn [map]. constructor.
  - intros H. apply in_map_iff in H. destruct H as [y [E H]]. apply Nx. rewrite (I x y); [exact H|now left|now right|now symmetry].
  - apply IH; [exact N'|]. intros y z Hy Hz. apply I; now right.
Qed.

Lemma places_from_to n : places n = from_to 0 n.
Proof. unfold from_to. now rewrite (map_ext _ (fun x => x)), map_id by (intros x; lia). Qed.
Lemma map_shifted f c a n : (forall p, a <= p < a + n -> f p = p - c) -> map f (from_to a n) = from_to (a - c) n.
Proof.
  intros H. unfold from_to. rewrite map_map. apply map_ext_in. intros x Hx. apply in_places in Hx. rewrite H by lia. lia.
Qed.

Section Merged.
Variables h L : Z.
Hypothesis Hh : 2 <= h.
Hypothesis HL : L = 2 * h.

(** At the places 0, ..., L + 1 stand 2 L (the root), 0, L - 1, the letters 0, ..., h - 3, then h - 1, ..., L - 2, and L. *)
Definition index_at (p : Z) : Z :=
  if p =? 0 then 2 * L else if p =? 1 then 0 else if p =? 2 then L - 1 else if p <=? h then p - 3 else if p <=? L then p - 2 else L.
Definition children_at (p : Z) : Z := if p =? 0 then L + 1 else if p =? L + 1 then 1 else 0.
Definition merged_cycle : cycle := map (fun p => (p, (index_at p, children_at p))) (places (L + 2)).

Lemma long_merged : long merged_cycle = L + 2.
Proof. unfold long, merged_cycle. rewrite map_length, places_length. lia. Qed.

(** Where they land. *)
Lemma landing p : 0 <= p < L + 2 -> (p + index_at p) mod (L + 2) =
  if p =? 0 then L - 2 else if p =? 1 then 1 else if p =? 2 then L + 1 else if p <=? h then 2 * p - 3
  else if p =? h + 1 then L else if p <=? L then 2 * p - L - 4 else L - 1.
Proof.
  intros Hp. unfold index_at.
  assert (Mod : forall a q x, 0 <= x < L + 2 -> a = q * (L + 2) + x -> a mod (L + 2) = x).
  { intros a q x Hx ->. rewrite Z.add_comm, Z.mod_add by lia. apply Z.mod_small. exact Hx. }
  destruct (Z.eqb_spec p 0); [apply (Mod _ 1); lia|]. destruct (Z.eqb_spec p 1); [apply (Mod _ 0); lia|].
  destruct (Z.eqb_spec p 2); [apply (Mod _ 0); lia|]. destruct (Z.leb_spec p h); [apply (Mod _ 0); lia|].
  destruct (Z.eqb_spec p (h + 1)).
  - destruct (Z.leb_spec p L); [|lia]. apply (Mod _ 0); lia.
  - destruct (Z.leb_spec p L); apply (Mod _ 1); lia.
Qed.

Lemma merged_legal : legal (2 * L) merged_cycle.
Proof.
  split.
  - rewrite long_merged. lia.
  - rewrite long_merged. unfold merged_cycle. split.
    + rewrite map_map. cbn [fst]. rewrite map_id. apply incl_refl.
    + rewrite map_map. cbn [fst]. rewrite map_id. apply places_once.
    + rewrite map_map. apply once_map; [apply places_once|]. intros x y Hx Hy. apply in_places in Hx, Hy.
      unfold lands. cbn [fst snd]. rewrite !landing by assumption.
      destruct (Z.eqb_spec x 0), (Z.eqb_spec x 1), (Z.eqb_spec x 2), (Z.leb_spec x h), (Z.eqb_spec x (h + 1)), (Z.leb_spec x L); try lia;
      destruct (Z.eqb_spec y 0), (Z.eqb_spec y 1), (Z.eqb_spec y 2), (Z.leb_spec y h), (Z.eqb_spec y (h + 1)), (Z.leb_spec y L); lia.
  - unfold busy. rewrite long_merged.
    assert (E : flat_map (fun xa : Z * (Z * Z) => map (fun k => (fst xa + k) mod (L + 2)) (places (snd (snd xa)))) merged_cycle
      = map (fun k => k mod (L + 2)) (places (L + 1)) ++ [(L + 1) mod (L + 2)]).
    { unfold merged_cycle.
      assert (S : places (L + 2) = [0] ++ from_to 1 L ++ [L + 1]).
      { rewrite places_from_to. replace (L + 2) with (1 + (L + 1)) by lia. rewrite !from_to_split by lia.
        change (from_to (0 + 1 + L) 1) with [1 + L + 0]. replace (1 + L + 0) with (L + 1) by lia. reflexivity. }
      rewrite S, !map_app, !flat_map_app. cbn [map flat_map app fst snd]. rewrite app_nil_r.
      replace (children_at 0) with (L + 1) by (unfold children_at; reflexivity).
      f_equal.
      replace (flat_map _ (map _ (from_to 1 L))) with (@nil Z).
      + cbn [app]. unfold children_at. destruct (Z.eqb_spec (L + 1) 0), (Z.eqb_spec (L + 1) (L + 1)); try lia.
        change (places 1) with [0]. cbn [map app]. rewrite Z.add_0_r. reflexivity.
      + symmetry. assert (Z0 : forall l, (forall p, In p l -> 1 <= p <= L) ->
          flat_map (fun xa : Z * (Z * Z) => map (fun k => (fst xa + k) mod (L + 2)) (places (snd (snd xa))))
            (map (fun p => (p, (index_at p, children_at p))) l) = []).
        { induction l as [|p l IH]; intros H; [reflexivity|]. cbn [map flat_map fst snd]. rewrite IH by (intros q Hq; apply H; now right).
          pose proof (H p (or_introl eq_refl)). unfold children_at. destruct (Z.eqb_spec p 0), (Z.eqb_spec p (L + 1)); try lia. reflexivity. }
        apply Z0. intros p Hp. apply in_from_to in Hp. lia. }
    rewrite E. replace ([(L + 1) mod (L + 2)]) with (map (fun k => k mod (L + 2)) [L + 1]) by reflexivity. rewrite <- map_app.
    apply once_map.
    + apply once_app; [apply places_once|constructor; [intros []|constructor]|]. intros x Hx [<-|[]]. apply in_places in Hx. lia.
    + assert (R : forall x, In x (places (L + 1) ++ [L + 1]) -> 0 <= x < L + 2).
      { intros x Hx. apply in_app_or in Hx. destruct Hx as [Hx|[<-|[]]]; [apply in_places in Hx|]; lia. }
      intros x y Hx Hy. rewrite !Z.mod_small by now apply R. tauto.
  - intros w Hw. unfold indices, merged_cycle in Hw. rewrite map_map in Hw. apply in_map_iff in Hw. destruct Hw as [p [<- Hp]].
    apply in_places in Hp. cbn [fst snd]. unfold index_at.
    destruct (Z.eqb_spec p 0), (Z.eqb_spec p 1), (Z.eqb_spec p 2), (Z.leb_spec p h), (Z.leb_spec p L); lia.
Qed.

Lemma merged_indices : Permutation (h - 2 :: indices merged_cycle) (2 * L :: 0 :: from_to 0 (L + 1)).
Proof.
  assert (E : indices merged_cycle = 2 * L :: 0 :: L - 1 :: from_to 0 (h - 2) ++ from_to (h - 1) (L - h) ++ [L]).
  { unfold indices, merged_cycle. rewrite map_map. cbn [fst snd]. change (fun x => index_at x) with index_at.
    rewrite places_from_to. replace (L + 2) with (3 + ((h - 2) + ((L - h) + 1))) by lia. rewrite !from_to_split, !map_app by lia.
    rewrite (map_shifted index_at 3 (0 + 3) (h - 2)), (map_shifted index_at 2 (0 + 3 + (h - 2)) (L - h)).
    - change (from_to 0 3) with [0; 1; 2]. change (from_to (0 + 3 + (h - 2) + (L - h)) 1) with [0 + 3 + (h - 2) + (L - h) + 0].
      replace (0 + 3 + (h - 2) + (L - h) + 0) with (L + 1) by lia. replace (0 + 3 + (h - 2) - 2) with (h - 1) by lia.
      change (0 + 3 - 3) with 0. cbn [map app]. change (index_at 0) with (2 * L). change (index_at 1) with 0. change (index_at 2) with (L - 1).
      replace (index_at (L + 1)) with L; [reflexivity|]. unfold index_at.
      destruct (Z.eqb_spec (L + 1) 0), (Z.eqb_spec (L + 1) 1), (Z.eqb_spec (L + 1) 2), (Z.leb_spec (L + 1) h), (Z.leb_spec (L + 1) L); lia.
    - intros p Hp. unfold index_at. destruct (Z.eqb_spec p 0), (Z.eqb_spec p 1), (Z.eqb_spec p 2), (Z.leb_spec p h), (Z.leb_spec p L); lia.
    - intros p Hp. unfold index_at. destruct (Z.eqb_spec p 0), (Z.eqb_spec p 1), (Z.eqb_spec p 2), (Z.leb_spec p h); lia. }
  rewrite E.
  assert (S : from_to 0 (L + 1) = from_to 0 (h - 2) ++ [h - 2] ++ from_to (h - 1) (L - h) ++ [L - 1] ++ [L]).
  { replace (L + 1) with ((h - 2) + (1 + ((L - h) + (1 + 1)))) by lia. rewrite !from_to_split by lia.
    change (from_to (0 + (h - 2)) 1) with [h - 2 + 0]. change (from_to (0 + (h - 2) + 1 + (L - h)) 1) with [h - 2 + 1 + (L - h) + 0].
    change (from_to (0 + (h - 2) + 1 + (L - h) + 1) 1) with [h - 2 + 1 + (L - h) + 1 + 0]. change (0 + (h - 2)) with (h - 2).
    replace (h - 2 + 0) with (h - 2) by lia. replace (h - 2 + 1 + (L - h) + 1 + 0) with L by lia.
    replace (h - 2 + 1 + (L - h) + 0) with (L - 1) by lia. replace (h - 2 + 1) with (h - 1) by lia. reflexivity. }
  rewrite S. rewrite (perm_swap (2 * L)). constructor. rewrite (perm_swap 0). constructor.
  cbn [app]. rewrite <- (Permutation_middle (from_to 0 (h - 2))). constructor. rewrite !app_assoc. apply Permutation_middle.
Qed.

Theorem merged_reaches : reaches L (2 * L) (L + 3).
Proof.
  set (spare := [(0, (h - 2, 0))] : cycle).
  assert (Spare : legal (2 * L) spare).
  { split; [reflexivity| | |].
    - split; cbn; [intros x [<-|[]]; now left|constructor; [intros []|constructor]|constructor; [intros []|constructor]].
    - constructor.
    - intros w Hw. change (indices spare) with [h - 2] in Hw. destruct Hw as [<-|[]]. lia. }
  assert (A : forall c, In c [spare; merged_cycle] -> legal (2 * L) c) by (intros c [<-|[<-|[]]]; [exact Spare|exact merged_legal]).
  assert (Children : children L merged_cycle = map (fun k => L - k) (places (L + 1)) ++ [0]).
  { unfold children, merged_cycle. rewrite (places_from_to (L + 2)). replace (L + 2) with (1 + (L + 1)) by lia. rewrite !from_to_split by lia.
    rewrite !map_app, !flat_map_app.
    assert (Z0 : forall l, (forall p, In p l -> 1 <= p <= L) ->
      flat_map (fun xa : Z * (Z * Z) => map (fun k => fst (snd xa) - L - k) (places (snd (snd xa)))) (map (fun p => (p, (index_at p, children_at p))) l) = []).
    { induction l as [|p l IH]; intros H; [reflexivity|]. cbn [map flat_map fst snd]. rewrite IH by (intros q Hq; apply H; now right).
      pose proof (H p (or_introl eq_refl)). unfold children_at. destruct (Z.eqb_spec p 0), (Z.eqb_spec p (L + 1)); try lia. reflexivity. }
    rewrite (Z0 (from_to (0 + 1) L)) by (intros p Hp; apply in_from_to in Hp; lia).
    change (from_to 0 1) with [0]. change (from_to (0 + 1 + L) 1) with [0 + 1 + L + 0]. replace (0 + 1 + L + 0) with (L + 1) by lia.
    cbn [map flat_map fst snd app]. rewrite !app_nil_r. f_equal.
    - change (children_at 0) with (L + 1). change (index_at 0) with (2 * L). apply map_ext. intros k. lia.
    - unfold children_at, index_at. destruct (Z.eqb_spec (L + 1) 0), (Z.eqb_spec (L + 1) 1), (Z.eqb_spec (L + 1) 2), (Z.eqb_spec (L + 1) (L + 1)),
        (Z.leb_spec (L + 1) h), (Z.leb_spec (L + 1) L); try lia. change (places 1) with [0]. cbn [map]. f_equal. lia. }
  exists (everybody [spare; merged_cycle]). split; [apply (everybody_processors (2 * L))|]. split.
  - rewrite everybody_length. cbn [flat_map]. rewrite app_nil_r, app_length. pose proof long_merged as E. unfold long in E.
    replace (length (indices merged_cycle)) with (length merged_cycle) by (unfold indices; now rewrite map_length). cbn [length indices map spare]. lia.
  - apply (cycles_broadcast L (2 * L) [spare; merged_cycle]); [lia|exact A|]. cbn [flat_map]. rewrite !app_nil_r, Children.
    change (indices spare) with [h - 2]. change (children L spare) with (@nil Z). cbn [app]. rewrite merged_indices. constructor.
    rewrite Permutation_app_comm. cbn [app]. constructor. apply NoDup_Permutation.
    + apply from_to_once.
    + apply once_map; [apply places_once|]. intros x y _ _ E. lia.
    + intros x. rewrite in_from_to, in_map_iff. split.
      * intros H. exists (L - x). rewrite in_places. lia.
      * intros [k [<- H]]. apply in_places in H. lia.
Qed.
End Merged.
