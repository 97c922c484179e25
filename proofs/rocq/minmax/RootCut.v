(** Kind "minimum-root-cut": a root cut, and flows into the nodes, one after the other, that show that no root
    cut has a smaller capacity. *)
From Coq Require Import QArith List ZArith Lia Lqa Bool.
From Exactsched.minmax Require Import Sums Definitions Tables Networks.
Import ListNotations.
Open Scope Q_scope.

(** A set, not empty, without the root, entered by the capacity [value]. *)
Definition check_root_cut (N : network) (root : Z) (cut : list Z) (value : Q) : bool :=
  let S := has (set_of key cut) in
  negb (S root) && match cut with v :: _ => is_node N v | [] => false end &&
    Qeq_bool (entering_capacity N S) value.

(** A flow into v from the nodes that are done: what it touches else gains nothing. *)
Definition check_inflow
  (N : network) (arc_of : table arc) (value : Q) (finished : table unit) (v : Z) (F : list (Z * Q)) : bool :=
  amounts_fit arc_of F &&
  let rows := transfers arc_of F in
  let gains := posted key rows in
  Qle_bool value (balance gains (key v)) &&
  all (fun r => match snd r with
    | w :: _ => (w =? v)%Z || has finished w || Qeq_bool (balance gains (key w)) 0
    | [] => true end) rows.
(** The order is that of the rows, which are a node and the flow into it. *)
Definition check_inflows (N : network) (root : Z) (flows : list (Z * list (Z * Q))) (value : Q) : bool :=
  let arc_of := index (arcs N) in
  let '(good, finished) := fold_left (fun (s : bool * table unit) r =>
      (if fst s then is_node N (fst r) && check_inflow N arc_of value (snd s) (fst r) (snd r) else false,
       Table.add (key (fst r)) tt (snd s))) flows (true, set_of key [root]) in
  good && all (has finished) (below (size N)).
Definition check_minimum_root_cut N root cut flows value : bool :=
  check_network N && is_node N root && check_root_cut N root cut value && check_inflows N root flows value.

Lemma check_root_cut_sound N root cut value : check_root_cut N root cut value = true ->
  exists S, root_cut N root S /\ entering N S == value.
Proof.
  unfold check_root_cut. intros H. split_tests. exists (has (set_of key cut)).
  rewrite <- entering_capacity_spec.
  split; auto. split; auto. destruct cut as [|v cut]; [discriminate|]. exists v. split.
  apply is_node_spec; auto.
  apply has_set. left; auto.
Qed.
Lemma check_inflow_sound N value finished v F S : well_formed N ->
  check_inflow N (index (arcs N)) value finished v F = true ->
  node N v -> S v = true -> (forall w, has finished w = true -> S w = false) -> value <= entering N S.
Proof.
  intros W H Hv Sv D. unfold check_inflow in H. split_tests. rewrite transfers_balance in H0 by auto.
  apply Qle_trans with (1 := H0). apply gain_enters; auto. apply amounts_fit_spec; auto.
  intros w Hw Sw Nw. destruct (existsb (fun r => existsb (Z.eqb w) (snd r)) (transfers (index (arcs N)) F))
    eqn:E.
  - apply existsb_exists in E. destruct E as (r & Hr & E). pose proof (all_spec _ _ H1 _ Hr) as T. cbn in T.
    assert (exists u, snd r = [u]) as [u Eu].
    { clear - Hr. eapply transfers_single; eauto. }
    rewrite Eu in T, E. cbn in E. rewrite orb_false_r in E. apply Z.eqb_eq in E. subst u.
    destruct (Z.eqb_spec w v); [contradiction|]. destruct (has finished w) eqn:Hf.
    apply D in Hf. congruence. cbn in T. apply Qeq_bool_iff in T. rewrite <- transfers_balance; auto.
  - apply transfers_touch; auto. intros r Hr Er. apply not_true_iff_false in E. apply E, existsb_exists.
    exists r.
    split; auto. rewrite Er. cbn. rewrite Z.eqb_refl. auto.
Qed.
Lemma check_inflows_sound N root flows value S : well_formed N -> check_inflows N root flows value = true ->
  root_cut N root S -> value <= entering N S.
Proof.
  intros W H [S0 (v & Hv & Sv)]. unfold check_inflows in H.
  destruct (fold_left _ flows _) as [good finished] eqn:E. split_tests. subst good.
  assert (Hf : has finished v = true) by (eapply all_spec; eauto; apply in_below; destruct W; auto; lia).
  assert (D : forall w, has (set_of key [root]) w = true -> S w = false).
  { intros w Hw. apply has_set in Hw. destruct Hw as [<-|[]]. auto. }
  revert E D. generalize (set_of key [root]) as t.
  induction flows as [|[u F] flows IH]; cbn [fold_left]; intros t E D.
  - injection E as ->. apply D in Hf. congruence.
  - cbn [fst snd] in E. destruct (is_node N u && _) eqn:G.
    + split_tests. destruct (S u) eqn:Su.
      * eapply check_inflow_sound; eauto. apply is_node_spec; auto.
      * eapply IH; eauto. intros w Hw. apply has_add in Hw. destruct Hw as [->|Hw]; auto.
    + exfalso. clear - E. revert E. generalize (Table.add (key u) tt t) as t'.
      induction flows as [|p flows IH]; cbn; [discriminate|eauto].
Qed.

Theorem check_minimum_root_cut_sound N root cut flows value :
  check_minimum_root_cut N root cut flows value = true -> claims_minimum_root_cut N root value.
Proof.
  unfold check_minimum_root_cut. intros H. split_tests. apply check_network_sound in H. split; auto.
  split. apply is_node_spec; auto. split. apply check_root_cut_sound with cut; auto.
  intros S HS. eapply check_inflows_sound; eauto.
Qed.
