(** Kind "minimum-cost-arborescence": an arborescence that costs as much as a packing of root cuts weighs
    (the easy half of Fulkerson 1974). *)
From Coq Require Import QArith List ZArith Lia Lqa Bool Permutation.
From Exactsched.minmax Require Import Sums Definitions Tables Networks Branchings Intervals.
Import ListNotations.
Open Scope Q_scope.

(** The place of every node in the order. *)
Definition places (order : list Z) : table Z :=
  snd (fold_left (fun s v => (fst s + 1, Table.add (key v) (fst s) (snd s))%Z) order (0%Z, Table.empty Z)).
(** A cut is a part of the order. *)
Definition set_of_cut (place : table Z) (c : interval) (v : Z) : bool := in_interval c (find v place).

Definition check_price (N : network) (T : list Z) : Q :=
  let chosen := set_of key T in
  added (fun q => q) (rev_map_numbered (fun i a => if has chosen i then cost a else 0) (arcs N)).
Definition check_cuts (N : network) (root : Z) (order : list Z) (cuts : list interval) : bool :=
  let place := places order in
  let node_of := index order in
  let s := swept order cuts in
  match find root place with None => true | Some _ => false end &&
  all (fun c => less 0 (snd c) && match find (start c) node_of with
    | Some v => is_node N v && set_of_cut place c v | None => false end) cuts &&
  check_intervals s cuts &&
  all (fun a => match entered s (find (tail a) place) (find (head a) place) with
    | Some w => Qle_bool w (cost a) | None => false end) (arcs N).
Definition check_minimum_cost_arborescence N root T order cuts value : bool :=
  check_network N && is_node N root && check_branching (index (arcs N)) (below (size N)) [root] T &&
  Qeq_bool (check_price N T) value && check_cuts N root order cuts &&
    Qeq_bool (added (fun c => snd c) cuts) value.

(** An arborescence pays for every cut that it enters, and it enters all of them. *)
Lemma cuts_at_most_price N root C T : cut_packing N root C -> arborescence N root T -> sum fst C <= price N T.
Proof.
  intros [Cut Pay] HT. unfold price. rewrite sum_filter.
  set (paid (ia : Z * arc) (c : Q * (Z -> bool)) :=
    if listed T (fst ia) && enters (snd c) (snd ia) then fst c else 0).
  apply Qle_trans with (sum (fun c => sum (fun ia => paid ia c) (numbered (arcs N))) C).
  - apply sum_le. intros [w S] Hc. destruct (Cut _ _ Hc) as (Hw & Sr & v & Hv & Sv). cbn [fst].
    destruct (branching_enters N [root] T S v) as (i & a & Hi & Ha & E); auto. intros r [<-|[]]. auto.
    apply Qle_trans with (paid (i, a) (w, S)).
    + unfold paid. cbn [fst snd]. rewrite E, (proj2 (listed_spec _ _) Hi). apply Qle_refl.
    + apply (sum_member (fun ia => paid ia (w, S))); auto. intros ia _. unfold paid. cbn [fst].
      destruct (_ && _); lra.
  - rewrite sum_swap. apply sum_le. intros [i a] Ha. apply entry_in, Pay in Ha. unfold paid. cbn [fst snd].
    destruct (listed T i); cbn [andb].
    + eapply Qle_trans; [|apply Ha]. rewrite sum_filter. apply Qle_refl.
    + rewrite sum_zero. lra.
Qed.

Lemma check_price_spec N T : check_price N T == price N T.
Proof.
  unfold check_price, price.
  rewrite added_spec, (sum_perm _ _ _ (rev_map_numbered_perm _ _)), sum_map, sum_filter.
  apply sum_eq. intros [i a] _. replace (has (set_of key T) i) with (listed T i). reflexivity.
  apply eq_true_iff_eq. rewrite has_set. apply listed_spec.
Qed.
Lemma check_cuts_sound N root order cuts : check_cuts N root order cuts = true ->
  exists C, cut_packing N root C /\ sum fst C == sum (fun c => snd c) cuts.
Proof.
  unfold check_cuts. cbv zeta. intros H. split_tests. rename H2 into Cuts. rename H1 into Fit.
  rename H0 into Pay.
  exists (map (fun c => (snd c, set_of_cut (places order) c)) cuts). split; [split|].
  - intros w S HS. apply in_map_iff in HS. destruct HS as (c & E & Hc). injection E as <- <-.
    pose proof (all_spec _ _ Cuts _ Hc) as G. cbn beta in G. split_tests. split; auto. split.
    + unfold set_of_cut. destruct (find root _); [discriminate|auto].
    + destruct (find (start c) _) as [v|]; [|discriminate]. split_tests. exists v. split; auto.
      apply is_node_spec; auto.
  - intros a Ha. pose proof (all_spec _ _ Pay _ Ha) as G. cbn beta in G.
    destruct (entered _ _ _) as [w|] eqn:Ew; [|discriminate].
    split_tests. apply entered_spec in Ew; auto. rewrite Ew in G. eapply Qle_trans; [|apply G].
    rewrite sum_filter, sum_map. apply Qle_refl.
  - rewrite sum_map. reflexivity.
Qed.

Theorem check_minimum_cost_arborescence_sound N root T order cuts value :
  check_minimum_cost_arborescence N root T order cuts value = true ->
    claims_minimum_cost_arborescence N root value.
Proof.
  unfold check_minimum_cost_arborescence. intros H. split_tests. apply check_network_sound in H.
  rewrite check_price_spec, added_spec in *.
  match goal with K : check_cuts _ _ _ _ = true |- _ => apply check_cuts_sound in K as (C0 & HC & EC) end.
  assert (HT : arborescence N root T) by (apply check_branching_sound; auto).
  split; auto. split. apply is_node_spec; auto. split; split.
  - exists T. auto.
  - intros T' HT'. pose proof (cuts_at_most_price _ _ _ _ HC HT'). lra.
  - exists C0. split; auto. lra.
  - intros C' HC'. pose proof (cuts_at_most_price _ _ _ _ HC' HT). lra.
Qed.
