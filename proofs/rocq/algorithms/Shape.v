(** What the cuts of Cheapest.v look like: whole numbers for whole costs, and no two sets cross. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time.
From Exactsched.existence Require Import Definitions Finite.
From Exactsched.algorithms Require Import Cheapest Right.
Import ListNotations.
Open Scope Q_scope.

Definition whole (q : Q) : Prop := exists z : Z, q == inject_Z z.
(** Of two sets the later one contains the first, or has no node of it. *)
Definition laminar (cuts : list (list node * Q)) : Prop :=
  ForallOrdPairs (fun A B => incl (fst A) (fst B) \/ forall v, In v (fst A) -> ~ In v (fst B)) cuts.

Lemma cheapest_whole fuel : forall nodes arcs root, (forall a, In a arcs -> whole (cost a)) ->
  forall t cuts, cheapest_within fuel nodes arcs root = Some (t, cuts) -> forall X w, In (X, w) cuts -> whole w.
Proof.
  induction fuel as [|fuel IH]; intros nodes arcs root W t cuts E; [discriminate|]. cbn [cheapest_within] in E.
  destruct (reach _ _ _ _) as [R t0]. destruct (filter _ nodes) as [|v others]; [injection E as <- <-; easy|].
  set (X := shortest _ _) in *. destruct (map cost (filter (enters X) arcs)) as [|q costs] eqn:En; [discriminate|].
  destruct (least_arc arcs X q costs En) as ((a & Ha & _ & Ea) & _). set (d := least costs q) in *.
  assert (Wd : whole d) by (rewrite <- Ea; auto).
  destruct (cheapest_within fuel nodes (lower X d arcs) root) as [[t' cuts']|] eqn:E'; [|discriminate].
  injection E as <- <-. intros Y w [H|H]; [injection H as <- <-; exact Wd|].
  apply (IH nodes (lower X d arcs) root) with (t := t') (cuts := cuts') (X := Y); auto.
  intros b Hb. apply in_map_iff in Hb. destruct Hb as (b' & <- & Hb). change (whole (cost (lowered X d b'))).
  destruct (W b' Hb) as (z & Ez), Wd as (zd & Ed). pose proof (lowered_cost X d b') as L. destruct (enters X b').
  - exists (z - zd)%Z. rewrite L, Ez, Ed. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. reflexivity.
  - exists z. rewrite L, Ez. ring.
Qed.

(** A free arc enters no set that weighs anything. *)
Lemma uncrossed nodes arcs root c (cuts : list ((node -> bool) * Q)) Y w i : cut_packing nodes arcs root c cuts ->
  In (Y, w) cuts -> 0 < w -> (i < length arcs)%nat -> c i <= 0 -> goes_in Y (arc_of arcs i) = false.
Proof.
  intros (Pos & Fit) I W Hi C. apply not_true_is_false. intros E. specialize (Fit i Hi).
  pose proof (sum_member (fun Xw => if goes_in (fst Xw) (arc_of arcs i) then snd Xw else 0) cuts (Y, w)) as M.
  cbv beta in M. cbn [fst snd] in M. rewrite E in M.
  assert (w <= sum (fun Xw => if goes_in (fst Xw) (arc_of arcs i) then snd Xw else 0) cuts); [|lra].
  apply M; auto. intros [Z u] HZ. cbn [fst snd]. destruct (Pos Z u HZ) as (Hu & _). clear - Hu. destruct (goes_in Z (arc_of arcs i)); lra.
Qed.

Lemma cheapest_laminar fuel : forall nodes arcs root, graph nodes arcs root ->
  (forall a, In a arcs -> 0 <= cost a) -> forall t cuts, cheapest_within fuel nodes arcs root = Some (t, cuts) ->
  (forall X w, In (X, w) cuts -> 0 < w) /\ laminar cuts.
Proof.
  induction fuel as [|fuel IH]; intros nodes arcs root G Costs t cuts E; [discriminate|]. cbn [cheapest_within] in E.
  pose proof (reached_leads nodes root arcs G) as L. destruct (reach _ _ _ _) as [R t0]. cbn [fst] in L.
  destruct (filter _ nodes) as [|v others] eqn:Un; [injection E as <- <-; split; [easy|constructor]|].
  pose proof (smallest_strong nodes root arcs G R v others L Un) as St. set (X := shortest _ _) in *.
  destruct (map cost (filter (enters X) arcs)) as [|q costs] eqn:En; [discriminate|].
  pose proof (paid_positive nodes root arcs X q costs St En) as Pd. set (d := least costs q) in *.
  destruct (cheapest_within fuel nodes (lower X d arcs) root) as [[t' cuts']|] eqn:E'; [|discriminate].
  injection E as <- <-. pose proof (graph_lower nodes root X d arcs G) as G'.
  pose proof (costs_lower arcs X q costs Costs En) as Costs'. fold d in Costs'.
  destruct (IH nodes (lower X d arcs) root G' Costs' t' cuts' E') as (P & La).
  destruct (cheapest_within_right nodes root fuel (lower X d arcs) G' Costs' t' cuts' E') as (_ & Pack & _).
  split; [intros Y w [H|H]; [injection H as _ <-; exact Pd|now apply (P Y w)]|]. constructor; auto.
  apply Forall_forall. intros [Y w] HY. cbn [fst].
  destruct (existsb (fun v => mem v Y) X) eqn:Meet.
  - left. apply existsb_exists in Meet. destruct Meet as (y & Hy & My). apply mem_in in My.
    intros x Hx. destruct St as (_ & _ & _ & _ & Lead). specialize (Lead x y Hx Hy).
    clear Hx Hy. induction Lead as [|a Lead IHl I (F & Ta & Ha)]; auto. apply IHl.
    destruct (in_dec Z.eq_dec (tail a) Y) as [|N]; auto. exfalso. apply In_nth_error in I. destruct I as (i & Ei).
    assert (Ai : arc_of arcs i = a) by now apply nth_error_nth.
    assert (Hi : (i < length arcs)%nat) by (apply nth_error_Some; congruence).
    assert (Z0 : goes_in (fun v => mem v Y) (arc_of (lower X d arcs) i) = false).
    { apply (uncrossed nodes _ root (price (lower X d arcs)) (map as_cut cuts') _ w).
      - exact Pack.
      - apply (in_map as_cut) in HY. exact HY.
      - now apply (P Y w).
      - unfold lower. now rewrite map_length.
      - unfold price. rewrite arc_lower, lowered_cost, Ai. apply free_spec in F. unfold enters.
        rewrite (proj2 (mem_in _ _) Ta). cbn [negb andb]. lra. }
    rewrite arc_lower, Ai in Z0. unfold goes_in in Z0. destruct (lowered_ends X d a) as (E1 & E2). rewrite E1, E2 in Z0.
    rewrite (proj2 (mem_out _ _) N), (proj2 (mem_in _ _) My) in Z0. discriminate.
  - right. intros x Hx My. apply mem_in in My. pose proof (existsb_false _ X Meet x Hx) as F. cbv beta in F. congruence.
Qed.
