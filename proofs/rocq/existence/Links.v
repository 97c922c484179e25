(** Broadcast over links: the throughput is the width of the narrowest root cut (Edmonds). *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Collectives Sums Time Bound.
From Exactsched.existence Require Import Definitions Finite Structures Reached Throughput Edmonds Capacities
  Broadcast.
Import ListNotations.
Open Scope Q_scope.

Section Links.
Variables (nodes : list node) (arcs : list arc) (source : node).
Let S := broadcast Links nodes arcs source.
Hypothesis G : graph nodes arcs source.
Hypothesis costs : forall a, In a arcs -> 0 < cost a.
Hypothesis simple : NoDup (map (fun a => (tail a, head a)) arcs).
Let pos : takes_time S := broadcast_time Links nodes arcs source costs.

Lemma arc_cost i : (i < length arcs)%nat -> 0 < cost (arc_of arcs i).
Proof. intros H. apply costs, nth_In; auto. Qed.
Lemma links_lasts i : (i < length arcs)%nat -> lasts (kind S i) == cost (arc_of arcs i).
Proof. intros H. unfold S. rewrite broadcast_kind by auto. simpl. ring. Qed.
Lemma link_user i j : (i < length arcs)%nat -> (j < length arcs)%nat ->
  uses_it (Link (tail (arc_of arcs i)) (head (arc_of arcs i))) (kind S j) = (i =? j)%nat.
Proof.
  intros Hi Hj. apply eq_true_iff_eq. rewrite uses_it_spec, Nat.eqb_eq. unfold S. rewrite broadcast_kind by
    auto. simpl.
  split.
  - intros [E|[]]. injection E as E1 E2.
    apply (proj1 (NoDup_nth (map (fun a => (tail a, head a)) arcs) (0, 0)%Z) simple); rewrite ?map_length; auto.
    pose proof (map_nth (fun a => (tail a, head a)) arcs (Arc 0 0 0)) as M. cbn [tail head] in M.
    rewrite !M. fold (arc_of arcs i) (arc_of arcs j). congruence.
  - intros ->. auto.
Qed.

Lemma packing_at_most_width l X : packing S l -> root_cut nodes source X -> value l <= width arcs X.
Proof.
  intros (Pt & Pr) HX. unfold width.
  apply Qle_trans with (sum (fun i => served i l) (into arcs X)).
  - unfold served. rewrite (sum_eq _ (fun i => sum (fun xt => if listed i (snd xt) then fst xt else 0) l)) by
    (intros; apply sum_filter).
    rewrite sum_swap. apply sum_le. intros [x t] I. cbn [fst snd]. destruct (Pt x t I) as [Hx St].
    destruct (structure_enters Links nodes arcs source t X St HX) as (i & Hi & Li & E).
    apply Qle_trans with (if listed i t then x else 0). apply listed_in in Hi. rewrite Hi. lra.
    apply (sum_member (fun i => if listed i t then x else 0)).
    + intros j _. destruct (listed j t); lra.
    + apply filter_In. split; auto. apply in_seq. lia.
  - apply sum_le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi.
    assert (Li : (i < length arcs)%nat) by lia. pose proof (arc_cost i Li) as Pc. apply Qle_shift_div_l; auto.
    eapply Qle_trans; [|apply (Pr (Link (tail (arc_of arcs i)) (head (arc_of arcs i))))].
    unfold served. rewrite sum_filter, Qmult_comm, <- sum_scale. apply sum_le. intros [x t] I. cbn [fst snd].
    destruct (Pt x t I) as [Hx St]. destruct (listed i t) eqn:E.
    + apply listed_in in E. assert (L : lasts (kind S i) <= load S (Link (tail (arc_of arcs i)) (head (arc_of
      arcs i))) t).
      { apply load_member; auto. apply uses_it_spec. rewrite link_user, Nat.eqb_refl; auto. }
      rewrite links_lasts in L by auto. rewrite Qmult_comm. rewrite !(Qmult_comm x). apply Qmult_le_compat_r;
        auto.
    + rewrite Qmult_0_r. apply Qmult_le_0_compat; auto. apply load_nonneg; auto.
Qed.

Lemma width_packing T : 0 <= T -> (forall X, root_cut nodes source X -> T <= width arcs X) ->
  exists l, packing S l /\ value l == T.
Proof.
  intros HT Cut. destruct (edmonds_fractional nodes arcs source (fun i => 1 / cost (arc_of arcs i)) T G) as (l
    & Tl & Vl & Sl); auto.
  { intros i Hi. apply Qle_shift_div_l. apply arc_cost; auto. lra. }
  exists l. split; auto. split.
  - intros x t I. destruct (Tl x t I) as [Hx St]. split; auto. apply spanning_structure; auto.
  - intros r. destruct (existsb (fun i => uses_it r (kind S i)) (numbers arcs)) eqn:E.
    + apply existsb_exists in E. destruct E as (i & Hi & Ui). apply in_seq in Hi. assert (Li : (i < length
      arcs)%nat) by lia.
      assert (Er : r = Link (tail (arc_of arcs i)) (head (arc_of arcs i))).
      { apply uses_it_spec in Ui. unfold S in Ui. rewrite broadcast_kind in Ui by auto. destruct Ui as [<-|[]].
        auto. }
      apply Qle_trans with (cost (arc_of arcs i) * served i l).
      * unfold served. rewrite sum_filter, <- sum_scale. apply Qle_lteq. right. apply sum_eq. intros [x t] I.
        cbn [fst snd].
        destruct (Tl x t I) as [Hx St]. assert (N : NoDup t) by (eapply spanning_nodup; eauto).
        assert (L : load S r t == if listed i t then cost (arc_of arcs i) else 0).
        { unfold load. assert (One : forall j, In j t -> uses_it r (kind S j) = (i =? j)%nat).
          { intros j Hj. rewrite Er. apply link_user; auto. eapply spanning_numbers; eauto. }
          destruct (listed i t) eqn:E.
          - apply listed_in in E. rewrite (sum_only _ t i N E).
            + rewrite One, Nat.eqb_refl by auto. apply links_lasts; auto.
            + intros j Hj Ne. rewrite One by auto. destruct (Nat.eqb_spec i j); [congruence|reflexivity].
          - apply sum_none. intros j Hj. rewrite One by auto. destruct (Nat.eqb_spec i j) as [->|];
            [|reflexivity].
            apply listed_in in Hj. congruence. }
        rewrite L. destruct (listed i t); ring.
      * specialize (Sl i Li). pose proof (arc_cost i Li) as Pc.
        setoid_replace 1 with (1 / cost (arc_of arcs i) * cost (arc_of arcs i)) by (field; lra).
        rewrite Qmult_comm. apply Qmult_le_compat_r; lra.
    + rewrite sum_none. lra. intros [x t] I. cbn [fst snd]. destruct (Tl x t I) as [Hx St].
      assert (L : load S r t == 0); [|rewrite L; ring]. apply sum_none. intros j Hj.
      rewrite (existsb_false _ _ E j). reflexivity. apply in_seq. apply (spanning_numbers _ _ _ _ _ St) in Hj.
        lia.
Qed.

Theorem narrowest_cut T : 0 < T -> (forall X, root_cut nodes source X -> T <= width arcs X) ->
  (exists X, root_cut nodes source X /\ width arcs X == T) -> throughput S T.
Proof.
  intros HT Cut (X & HX & W). destruct (width_packing T) as (l & Pl & Vl); auto. lra.
  assert (St : exists t, structure S t).
  { destruct l as [|[x t] l]. unfold value in Vl. simpl in Vl. lra. exists t. apply (proj1 Pl x t). left; auto.
    }
  destruct St as (t & St).
  assert (Todo : something_to_do S).
  { destruct HX as (Xs & v & Hv & Xv). apply (broadcast_to_do Links nodes arcs source v); auto. congruence. }
  assert (Two : two_sided S).
  { apply (at_arcs_two_sided Links arcs). intros E; discriminate. apply broadcast_at_arcs. }
  apply (throughput_is_best S t T); auto. split; eauto. intros l' Pl'. rewrite <- W. apply
    packing_at_most_width; auto.
Qed.
End Links.
