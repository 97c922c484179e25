(** Algorithms of this field that run, and are right: read Cheapest.v (the program) and the definitions of
    ../existence. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums.
From Exactsched.existence Require Import Definitions.
From Exactsched.existence Require Cuts.
From Exactsched.algorithms Require Import Cheapest Right Shape.
Import ListNotations.
Open Scope Q_scope.

(** The program finds a cheapest spanning arborescence and a packing of root cuts that weighs as much, or says that
    there is no spanning arborescence. *)
Theorem cheapest_arborescence nodes arcs root : graph nodes arcs root ->
  (forall a, In a arcs -> 0 <= cost a) ->
  match cheapest nodes arcs root with
  | Some (t, cuts) =>
      spanning nodes arcs root t /\ (forall t', spanning nodes arcs root t' -> sum (price arcs) t <= sum (price arcs) t') /\
      cut_packing nodes arcs root (price arcs) (map as_cut cuts) /\ sum snd cuts == sum (price arcs) t
  | None => forall t, ~ spanning nodes arcs root t
  end.
Proof.
  intros G Costs. destruct (cheapest nodes arcs root) as [[t cuts]|] eqn:E.
  - destruct (cheapest_within_right nodes root _ arcs G Costs t cuts E) as (S & P & L).
    assert (Sum : sum snd (map as_cut cuts) == sum snd cuts) by (rewrite sum_map; reflexivity).
    assert (B : forall t', spanning nodes arcs root t' -> sum snd cuts <= sum (price arcs) t').
    { intros t' S'. rewrite <- Sum. now apply (Cuts.cuts_at_most_tree nodes arcs root). }
    split; [exact S|]. split; [|split; [exact P|]].
    + intros t' S'. eapply Qle_trans; [exact L|]. now apply B.
    + apply Qle_antisym; [now apply B|exact L].
  - intros t S. apply (cheapest_within_found nodes root (Datatypes.S (length arcs)) arcs G Costs); [|eauto|exact E].
    assert (L : forall l, (length (filter (fun a => negb (free a)) l) <= length l)%nat); [|specialize (L arcs); lia].
    induction l as [|a l IH]; simpl; [lia|]. destruct (negb (free a)); simpl; lia.
Qed.

(** Whole costs have whole cuts, *)
Theorem cheapest_whole nodes arcs root t cuts : (forall a, In a arcs -> whole (cost a)) ->
  cheapest nodes arcs root = Some (t, cuts) -> forall X w, In (X, w) cuts -> whole w.
Proof. intros W E. exact (Shape.cheapest_whole _ nodes arcs root W t cuts E). Qed.
(** and no two of the sets cross. *)
Theorem cheapest_laminar nodes arcs root t cuts : graph nodes arcs root ->
  (forall a, In a arcs -> 0 <= cost a) -> cheapest nodes arcs root = Some (t, cuts) -> laminar cuts.
Proof. intros G C E. apply (Shape.cheapest_laminar _ nodes arcs root G C t cuts E). Qed.

(** So Fulkerson's theorem has its sharp form: the least cost is the weight of a packing of root cuts of which no two
    cross, whole if the costs are. *)
Theorem fulkerson_laminar nodes arcs root t0 : graph nodes arcs root ->
  (forall a, In a arcs -> 0 <= cost a) -> spanning nodes arcs root t0 ->
  exists t cuts, spanning nodes arcs root t /\ cut_packing nodes arcs root (price arcs) (map as_cut cuts) /\
    sum snd cuts == sum (price arcs) t /\ laminar cuts /\
    ((forall a, In a arcs -> whole (cost a)) -> forall X w, In (X, w) cuts -> whole w).
Proof.
  intros G C S0. pose proof (cheapest_arborescence nodes arcs root G C) as R.
  destruct (cheapest nodes arcs root) as [[t cuts]|] eqn:E; [|now destruct (R t0)].
  destruct R as (S & _ & P & Eq). exists t, cuts. split; [exact S|]. split; [exact P|]. split; [exact Eq|].
  split; [now apply (cheapest_laminar nodes arcs root t)|intros W; now apply (cheapest_whole nodes arcs root t)].
Qed.
