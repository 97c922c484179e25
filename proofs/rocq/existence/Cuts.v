(** Fulkerson: the cheapest arborescence costs as much as the best packing of root cuts weighs. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Collectives Sums Time.
From Exactsched.existence Require Import Definitions Finite Duality Edmonds Capacities.
Import ListNotations.
Open Scope Q_scope.

Section Cuts.
Variables (nodes : list node) (arcs : list arc) (root : node) (c : nat -> Q).
Hypothesis G : graph nodes arcs root.
Hypothesis costs : forall i, (i < length arcs)%nat -> 0 <= c i.

(** The candidates: sets of nodes of the list. *)
Definition rootless : list (list Z) :=
  nodup (list_eq_dec Z.eq_dec) (filter (fun l => negb (inb l root) && existsb (inb l) nodes) (subsets nodes)).
Lemma rootless_cut l : In l rootless -> root_cut nodes root (inb l).
Proof.
  intros H. apply nodup_In, filter_In in H. destruct H as [_ H]. apply andb_true_iff in H. destruct H as [H1
    H2].
  apply negb_true_iff in H1. apply existsb_exists in H2. destruct H2 as (v & Hv & Ev). split; eauto.
Qed.
Lemma cut_rootless X : root_cut nodes root X -> exists l, In l rootless /\
  forall i, (i < length arcs)%nat -> goes_in X (arc_of arcs i) = goes_in (inb l) (arc_of arcs i).
Proof.
  intros (Xr & v & Hv & Xv). exists (filter X nodes).
  assert (Same : forall u, In u nodes -> inb (filter X nodes) u = X u).
  { intros u Hu. apply eq_true_iff_eq. rewrite inb_In, filter_In. tauto. }
  split.
  - apply nodup_In, filter_In. split. apply filter_subsets. destruct G as [Hr _]. rewrite (Same root Hr), Xr.
    simpl.
    apply existsb_exists. exists v. split; auto. rewrite Same; auto.
  - intros i Hi. destruct G as [_ He]. destruct (He (arc_of arcs i)) as [Ht Hh]. apply nth_In; auto.
    unfold goes_in. rewrite !Same; auto.
Qed.

Lemma tree_enters t X : spanning nodes arcs root t -> root_cut nodes root X ->
  exists i, In i t /\ (i < length arcs)%nat /\ goes_in X (arc_of arcs i) = true.
Proof.
  intros St (Xr & v & Hv & Xv). pose proof (spanning_enters nodes arcs root t X v St Xr Hv Xv) as One.
  unfold many in One. destruct (filter (enter arcs X) t) as [|i f] eqn:F; simpl in One; [lia|].
  assert (I : In i (filter (enter arcs X) t)) by (rewrite F; left; auto). apply filter_In in I. destruct I as
    [Hi E].
  exists i. unfold enter in E. destruct (nth_error arcs i) as [a|] eqn:Ea; [|easy].
  assert (i < length arcs)%nat by (apply nth_error_Some; congruence).
  split; auto. split; auto. unfold arc_of. rewrite (nth_error_nth _ _ _ Ea). auto.
Qed.

(** No packing of cuts weighs more than a tree costs. *)
Lemma cuts_at_most_tree cuts t : cut_packing nodes arcs root c cuts -> spanning nodes arcs root t ->
  sum snd cuts <= sum c t.
Proof.
  intros (Pos & Fit) St.
  apply Qle_trans with (sum (fun i => sum (fun Xw => if goes_in (fst Xw) (arc_of arcs i) then snd Xw else 0)
    cuts) t).
  - rewrite sum_swap. apply sum_le. intros [X w] I. simpl. destruct (Pos X w I) as [Hw HX].
    destruct (tree_enters t X St HX) as (i & Hi & _ & E).
    apply Qle_trans with (if goes_in X (arc_of arcs i) then w else 0). rewrite E. lra.
    apply (sum_member (fun i => if goes_in X (arc_of arcs i) then w else 0)); auto.
    intros j _. destruct (goes_in X (arc_of arcs j)); lra.
  - apply sum_le. intros i Hi. apply Fit. apply (spanning_numbers _ _ _ _ _ St Hi).
Qed.

Lemma served_sum (f : nat -> Q) (l : weighted) n : (forall x t, In (x, t) l -> NoDup t /\ forall i, In i t ->
  (i < n)%nat) ->
  sum (fun i => f i * served i l) (seq 0 n) == sum (fun xt => fst xt * sum f (snd xt)) l.
Proof.
  intros H. rewrite (sum_eq _ (fun i => sum (fun xt => if listed i (snd xt) then f i * fst xt else 0) l)).
  - rewrite sum_swap. apply sum_eq. intros [x t] I. destruct (H x t I) as [N R]. cbn [fst snd].
    rewrite <- (sum_filter (fun i => f i * x) (fun i => listed i t)).
    rewrite (sum_perm (fun i => f i * x) _ t).
    + rewrite <- sum_scale. apply sum_eq. intros; ring.
    + apply NoDup_Permutation; auto. apply NoDup_filter, seq_NoDup. intros i. rewrite filter_In, in_seq,
      listed_in.
      split; [tauto|]. intros Hi. apply R in Hi as L. split; auto. lia.
  - intros i _. unfold served. rewrite sum_filter, <- sum_scale. apply sum_eq. intros [x t] _. cbn [fst snd].
    destruct (listed i t); ring.
Qed.

Theorem cuts_reach W t0 : spanning nodes arcs root t0 -> 0 <= W -> (forall t, spanning nodes arcs root t -> W
  <= sum c t) ->
  exists cuts, cut_packing nodes arcs root c cuts /\ W <= sum snd cuts.
Proof.
  intros St0 HW Min.
  assert (NR : NoDup rootless) by apply NoDup_nodup. assert (NA : NoDup (numbers arcs)) by apply seq_NoDup.
  destruct (packing_duality Nat.eq_dec (list_eq_dec Z.eq_dec) (numbers arcs) rootless
    (fun i l => bit (goes_in (inb l) (arc_of arcs i))) c (fun _ => 1) NA NR) with (U := sum c t0)
    as (x & z & (Px & Pr) & Hz & Hc & V).
  - intros i Hi. apply costs. apply in_seq in Hi. lia.
  - (* the cuts of a point are a packing, so they weigh at most what a tree costs *)
    intros x (Px & Pr).
    assert (P : cut_packing nodes arcs root c (map (fun l => (inb l, x l)) rootless)).
    { split.
      - intros X w I. apply in_map_iff in I. destruct I as (l & E & Il). injection E as <- <-.
        split; auto. apply rootless_cut; auto.
      - intros i Hi. rewrite sum_map. simpl. eapply Qle_trans; [|apply (Pr i)]. 2: apply in_seq; lia.
        apply sum_le. intros l _. unfold bit. destruct (goes_in (inb l) (arc_of arcs i)); lra. }
    eapply Qle_trans; [|apply (cuts_at_most_tree _ _ P St0)]. rewrite sum_map. apply sum_le. intros; simpl; lra.
  - assert (P : cut_packing nodes arcs root c (map (fun l => (inb l, x l)) rootless)).
    { split.
      - intros X w I. apply in_map_iff in I. destruct I as (l & E & Il). injection E as <- <-.
        split; auto. apply rootless_cut; auto.
      - intros i Hi. rewrite sum_map. simpl. eapply Qle_trans; [|apply (Pr i)]. 2: apply in_seq; lia.
        apply sum_le. intros l _. unfold bit. destruct (goes_in (inb l) (arc_of arcs i)); lra. }
    exists (map (fun l => (inb l, x l)) rootless). split; auto. rewrite sum_map. simpl.
    rewrite (sum_eq _ (fun l => 1 * x l)) by (intros; ring). rewrite V.
    (* the multipliers, as capacities, hold trees of weight 1 *)
    destruct (edmonds_fractional nodes arcs root z 1 G) as (l & Tl & Vl & Sl).
    + intros i Hi. apply Hz, in_seq. lia.
    + lra.
    + intros X HX. destruct (cut_rootless X HX) as (s & Hs & Es). eapply Qle_trans; [apply (Hc s Hs)|].
      unfold into. rewrite sum_filter. apply sum_le. intros i Hi. rewrite Es by (apply in_seq in Hi; lia).
      unfold bit. destruct (goes_in (inb s) (arc_of arcs i)); lra.
    + apply Qle_trans with (sum (fun i => c i * served i l) (numbers arcs)).
      * unfold numbers. rewrite served_sum.
        -- apply Qle_trans with (sum (fun xt => W * fst xt) l). rewrite sum_scale. fold (value l). rewrite Vl.
          lra.
           apply sum_le. intros [y t] I. simpl. destruct (Tl y t I) as [Hy St]. specialize (Min t St). nra.
        -- intros y t I. destruct (Tl y t I) as [_ St]. split. eapply spanning_nodup; eauto.
           intros i Hi. eapply spanning_numbers; eauto.
      * apply sum_le. intros i Hi. assert (Li : (i < length arcs)%nat) by (apply in_seq in Hi; lia).
        specialize (Sl i Li). specialize (costs i Li). rewrite (Qmult_comm (z i)), !(Qmult_comm (c i)).
        apply Qmult_le_compat_r; auto.
Qed.
End Cuts.
