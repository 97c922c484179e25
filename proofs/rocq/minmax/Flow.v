(** Kind "maximum-flow": a flow and a cut of the same value are a maximum and a minimum
    (Ford and Fulkerson 1956). *)
From Coq Require Import QArith List ZArith Lia Lqa Bool.
From Exactsched.minmax Require Import Sums Definitions Tables Networks.
Import ListNotations.
Open Scope Q_scope.

(** The flow is a list with one amount for each arc, in their order; the cut lists its nodes. *)
Definition check_maximum_flow
  (N : network) (source sink : Z) (flow : list Q) (cut : list Z) (value : Q) : bool :=
  let S := has (set_of key cut) in
  let F := rev_map_numbered (fun i x => (i, x)) flow in
  let arc_of := index (arcs N) in
  check_network N && is_node N source && is_node N sink && S source && negb (S sink) &&
  Qeq_bool (added (fun a => if leaves S a then capacity a else 0) (arcs N)) value &&
  amounts_fit arc_of F &&
  let gains := posted key (transfers arc_of F) in
  all (fun v => (v =? source)%Z || (v =? sink)%Z || Qeq_bool (balance gains (key v)) 0) (below (size N)) &&
  Qeq_bool (balance gains (key sink)) value.

(** No flow passes more than a cut lets through. *)
Lemma flow_at_most_cut N source sink f S : well_formed N -> node N sink ->
  flow N source sink f -> separates source sink S -> gain N f sink <= leaving N S.
Proof.
  intros W Hs [F C] [S1 S2]. rewrite leaving_entering. apply gain_enters; auto. rewrite S2. auto.
  intros w Hw Sw Nw. apply C; auto. intros ->. rewrite S1 in Sw. discriminate.
Qed.

Theorem check_maximum_flow_sound N source sink f cut value :
  check_maximum_flow N source sink f cut value = true -> claims_maximum_flow N source sink value.
Proof.
  unfold check_maximum_flow. intros H. split_tests.
  set (F := rev_map_numbered (fun i x => (i, x)) f) in *. set (S := has (set_of key cut)) in *.
  assert (W : well_formed N) by (apply check_network_sound; auto).
  assert (Hs : node N source) by (apply is_node_spec; auto).
  assert (Ht : node N sink) by (apply is_node_spec; auto).
  assert (G : flow N source sink (amount_on F) /\ gain N (amount_on F) sink == value).
  { split; [split|].
    - apply amounts_fit_spec; auto.
    - intros v Hv N1 N2. rewrite <- transfers_balance by auto. destruct W as [Size _].
      match goal with A : all _ (below _) = true |- _ => pose proof (all_spec _ _ A v) as T end.
      cbn beta in T. rewrite in_below in T by lia. specialize (T Hv).
      apply orb_true_iff in T. destruct T as [T|T]; [|apply Qeq_bool_iff in T; auto].
      apply orb_true_iff in T. destruct T as [T|T]; apply Z.eqb_eq in T; contradiction.
    - rewrite <- transfers_balance; auto. }
  assert (K : separates source sink S /\ leaving N S == value).
  { split; [split; auto|]. unfold leaving. rewrite sum_filter, <- added_spec. auto. }
  split; auto. split; auto. split; auto. split; split.
  - exists (amount_on F). auto.
  - intros g Hg. rewrite <- (proj2 K). eapply flow_at_most_cut; eauto. apply K.
  - exists S. auto.
  - intros S' HS'. rewrite <- (proj2 G). eapply flow_at_most_cut; eauto. apply G.
Qed.
