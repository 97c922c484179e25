(** Kind "arborescence-decomposition": a packing of arborescences that weighs as much as enters a root cut
    (the easy half of Edmonds 1973). *)
From Coq Require Import QArith List ZArith Lia Lqa Bool.
From Exactsched.minmax Require Import Sums Definitions Tables Networks RootCut Branchings.
Import ListNotations.
Open Scope Q_scope.

Definition check_arborescence_decomposition
  (N : network) (root : Z) (trees : weighted) (cut : list Z) (value : Q) : bool :=
  let arc_of := index (arcs N) in
  let nodes := below (size N) in
  check_network N && is_node N root &&
  all (fun p => less 0 (fst p) && check_branching arc_of nodes [root] (snd p)) trees &&
  check_within_capacities N trees && Qeq_bool (added fst trees) value && check_root_cut N root cut value.

(** Every arborescence enters every root cut. *)
Lemma packing_at_most_cut N root P S : packing N root P -> root_cut N root S -> total P <= entering N S.
Proof.
  intros [Tr Cap] [Sr (v & Hv & Sv)]. apply (crossing N S P (fun p => p) fst).
  - rewrite map_id. auto.
  - intros [w T] Hp. apply Tr in Hp. cbn. lra.
  - intros [w T] Hp. apply Tr in Hp. right. split. apply Qle_refl.
    apply (branching_enters N [root] T S v); auto. apply Hp.
    intros r [<-|[]]. auto.
Qed.

Theorem check_arborescence_decomposition_sound N root trees cut value :
  check_arborescence_decomposition N root trees cut value = true ->
    claims_arborescence_decomposition N root value.
Proof.
  unfold check_arborescence_decomposition. intros H. split_tests. rename H3 into Trees. rename H2 into Caps.
  apply check_network_sound in H. assert (Hr : node N root) by (apply is_node_spec; auto).
  match goal with K : check_root_cut _ _ _ _ = true |- _ =>
    apply check_root_cut_sound in K as (S & HS & ES) end.
  assert (P : packing N root trees).
  { assert (Tr : forall w T, In (w, T) trees -> 0 < w /\ arborescence N root T).
    { intros w T Hp. pose proof (all_spec _ _ Trees _ Hp) as G. cbn [fst snd] in G. split_tests. split; auto.
      apply check_branching_sound; auto. }
    split; auto. apply check_within_capacities_sound; auto. intros w T Hp. apply Tr in Hp. apply Hp. }
  assert (V : total trees == value) by (unfold total; rewrite <- added_spec; auto).
  split; auto. split; auto. split; split; eauto.
  - intros P' HP'. rewrite <- ES. eapply packing_at_most_cut; eauto.
  - intros S' HS'. rewrite <- V. eapply packing_at_most_cut; eauto.
Qed.
