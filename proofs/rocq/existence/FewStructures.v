(** Few structures are enough: a best packing needs at most one for each resource; spanning trees of one
    weight need at most m - n + 2 on a graph of n nodes and m arcs. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.existence Require Import Definitions Finite Structures Few Throughput Edmonds Capacities.
Import ListNotations.
Open Scope Q_scope.

(** Weighted lists that agree in n numbers with l, and have at most n members of l. *)
Lemma fewer n (v : list nat -> nat -> Q) (l : weighted) : (forall x t, In (x, t) l -> 0 <= x) ->
  exists l', (length l' <= n)%nat /\ (forall x t, In (x, t) l' -> 0 <= x /\ exists y, In (y, t) l /\ 0 < y) /\
    forall k, (k < n)%nat -> sum (fun xt => fst xt * v (snd xt) k) l' == sum (fun xt => fst xt * v (snd xt) k)
      l.
Proof.
  intros Hl. set (l0 := filter (fun xt => positive (fst xt)) l).
  assert (S0 : forall f, sum (fun xt => fst xt * f (snd xt)) l0 == sum (fun xt => fst xt * f (snd xt)) l).
  { intros f. unfold l0. rewrite sum_filter. apply sum_eq. intros [x t] I. cbn [fst snd]. destruct (positive x)
    eqn:E.
    lra. apply positive_false in E. specialize (Hl x t I). assert (x == 0) as -> by lra. ring. }
  destruct (caratheodory n v l0) as (l' & L1 & L2 & L3).
  { intros xt I. apply filter_In in I. apply positive_spec. tauto. }
  exists l'. split; auto. split.
  - intros x t I. apply L2 in I. simpl in I. destruct I as [Hx I]. split. lra. apply in_map_iff in I.
    destruct I as ([y t'] & E & I). simpl in E. subst t'. apply filter_In in I.
    destruct I as [I Py]. apply positive_spec in Py. exists y. auto.
  - intros k Hk. rewrite L3 by auto. apply (S0 (fun t => v t k)).
Qed.

Theorem best_packing_few S l y T : takes_time S -> prices_prove S (Prices y []) T -> NoDup (map fst y) ->
  packing S l -> value l == T -> exists l', packing S l' /\ value l' == T /\ (length l' <= length (resources
    S))%nat.
Proof.
  intros pos (Ny & E & P) N (Pt & Pr) V. set (R := resources S).
  set (v (t : list nat) (k : nat) := load S (nth k R (Sends 0)) t).
  destruct (fewer (length R) v l) as (l' & L1 & L2 & L3). { intros x t I. apply (Pt x t I). }
  assert (Pt' : forall x t, In (x, t) l' -> 0 <= x /\ structure S t).
  { intros x t I. destruct (L2 x t I) as (Hx & z & Iz & _). split; auto. apply (Pt z t Iz). }
  assert (Same : forall r, sum (fun xt => fst xt * load S r (snd xt)) l' == sum (fun xt => fst xt * load S r
    (snd xt)) l).
  { intros r. destruct (in_dec resource_eq_dec r R) as [I|O].
    - apply (In_nth _ _ (Sends 0)) in I. destruct I as (k & Hk & <-). apply (L3 k Hk).
    - rewrite !sum_none. reflexivity. intros [x t] I. cbn [fst snd]. rewrite idle; auto. ring. apply (Pt x t I).
      intros [x t] I. cbn [fst snd]. rewrite idle; auto. ring. apply (Pt' x t I). }
  assert (Pl' : packing S l'). { split; auto. intros r. rewrite Same. auto. }
  (* structures in use pay exactly 1, and what they pay is settled by the loads *)
  assert (Paid : forall q : weighted, sum (fun xt => fst xt * cost_of S (Prices y []) (snd xt)) q ==
    sum (fun ry => snd ry * sum (fun xt => fst xt * load S (fst ry) (snd xt)) q) y).
  { intros q. rewrite (sum_eq _ (fun xt => sum (fun ry => snd ry * (fst xt * load S (fst ry) (snd xt))) y)).
    - rewrite sum_swap. apply sum_eq. intros ry _. apply sum_scale.
    - intros [x t] _. cbn [fst snd]. rewrite cost_loads, <- sum_scale. apply sum_eq. intros; ring. }
  assert (Total : sum (fun ry => snd ry * 1) y == T).
  { rewrite <- E. unfold total. simpl. rewrite Qplus_0_r. apply sum_eq. intros; ring. }
  assert (Pays : sum (fun xt => fst xt * cost_of S (Prices y []) (snd xt)) l <= T).
  { rewrite Paid, <- Total. apply sum_le. intros [r q] I. cbn [fst snd].
    assert (0 <= q) by (apply (proj1 Ny r q I)). rewrite !(Qmult_comm q). apply Qmult_le_compat_r; auto. }
  assert (One : forall x t, In (x, t) l -> x * (cost_of S (Prices y []) t - 1) == 0).
  { assert (Nn : forall xt, In xt l -> 0 <= fst xt * (cost_of S (Prices y []) (snd xt) - 1)).
    { intros [x t] I. simpl. destruct (Pt x t I) as [Hx St]. specialize (P t St). apply Qmult_le_0_compat; lra.
      }
    intros x t I. pose proof (sum_member (fun xt => fst xt * (cost_of S (Prices y []) (snd xt) - 1)) l (x, t)
      Nn I) as M.
    specialize (Nn _ I). simpl in M, Nn.
    rewrite (sum_eq _ (fun xt => fst xt * cost_of S (Prices y []) (snd xt) + -1 * fst xt)) in M by (intros;
      ring).
    rewrite sum_plus, sum_scale in M. fold (value l) in M. lra. }
  exists l'. split; auto. split; auto.
  assert (Pays' : sum (fun xt => fst xt * cost_of S (Prices y []) (snd xt)) l' == T).
  { rewrite Paid, (sum_eq _ (fun ry => snd ry * sum (fun xt => fst xt * load S (fst ry) (snd xt)) l))
      by (intros; rewrite Same; reflexivity).
    rewrite <- Paid, <- V. unfold value. apply sum_eq. intros [x t] I. specialize (One x t I). cbn [fst snd].
    setoid_replace (x * cost_of S (Prices y []) t) with (x * (cost_of S (Prices y []) t - 1) + x) by ring. lra.
      }
  rewrite <- Pays'. unfold value. apply sum_eq. intros [x t] I. cbn [fst snd].
  destruct (L2 x t I) as (_ & z & Iz & Pz). specialize (One z t Iz).
  assert (cost_of S (Prices y []) t == 1) as ->; [|ring].
  apply Qmult_integral in One. destruct One; lra.
Qed.

(** ** At most m - n + 2 spanning trees *)
Section Trees.
Variables (nodes : list node) (arcs : list arc) (root : node).
Hypothesis G : graph nodes arcs root.
Hypothesis once : NoDup nodes.

Lemma reaches_heads reached t : reaches arcs root reached t ->
  In root reached /\ (forall v, In v reached <-> v = root \/ exists i, In i t /\ head (arc_of arcs i) = v) /\
  NoDup (map (fun i => head (arc_of arcs i)) t) /\ forall i, In i t -> head (arc_of arcs i) <> root.
Proof.
  induction 1 as [|reached t i a R (I0 & V & N & Z) E T H].
  - split. left; auto. split. intros v. simpl. split. intros [->|[]]; auto. intros [->|(i & [] & _)]; auto.
    split. constructor. easy.
  - assert (A : arc_of arcs i = a) by (apply nth_error_nth; auto).
    split. right; auto. split; [|split].
    + intros v. simpl. rewrite V. split.
      * intros [<-|[->|(j & Hj & Ej)]]; auto. right. exists i. rewrite A. auto. right. exists j. auto.
      * intros [->|(j & [<-|Hj] & Ej)]; auto. left. congruence. right. right. eauto.
    + simpl. constructor; auto. rewrite A, in_map_iff. intros (j & Ej & Hj). apply H, V. right. eauto.
    + intros j [<-|Hj]; auto. rewrite A. intros E0. apply H. rewrite E0. auto.
Qed.
(** A spanning tree has one arc into every node but the root. *)
Lemma one_arc_in t v : spanning nodes arcs root t -> In v nodes -> v <> root ->
  sum (fun i => bit (listed i t && (head (arc_of arcs i) =? v)%Z)) (numbers arcs) == 1.
Proof.
  intros St Hv Nv. pose proof (spanning_nodup _ _ _ _ St) as Nt. pose proof (spanning_numbers nodes arcs root
    t) as Rg.
  destruct St as (reached & R & I).
  destruct (reaches_heads reached t R) as (_ & V & N & _). apply I, V in Hv. destruct Hv as [?|(j & Hj & Ej)];
    [easy|].
  assert (Lj : (j < length arcs)%nat) by (apply Rg; auto; exists reached; auto).
  rewrite (sum_only _ (numbers arcs) j).
  - apply listed_in in Hj. rewrite Hj, Ej, Z.eqb_refl. unfold bit. simpl. reflexivity.
  - apply seq_NoDup.
  - apply in_seq. lia.
  - intros i _ Ne. destruct (listed i t) eqn:E; [|reflexivity]. destruct (Z.eqb_spec (head (arc_of arcs i)) v)
    as [Ei|]; [|reflexivity].
    exfalso. apply Ne. apply listed_in in E. apply (In_nth _ _ 0%nat) in E, Hj.
    destruct E as (k & Hk & <-), Hj as (q & Hq & <-). f_equal.
    apply (proj1 (NoDup_nth (map (fun i => head (arc_of arcs i)) t) (head (arc_of arcs 0))) N); rewrite
      ?map_length; auto.
    rewrite !(map_nth (fun i => head (arc_of arcs i))). congruence.
Qed.

Theorem trees_few l : trees_of_weight nodes arcs root l -> 0 < value l ->
  exists l', trees_of_weight nodes arcs root l' /\ value l' == value l /\
    (forall i, (i < length arcs)%nat -> served i l' == served i l) /\
    (length l' + length nodes <= length arcs + 2)%nat.
Proof.
  intros Tl Pos.
  assert (St0 : exists t0, spanning nodes arcs root t0).
  { destruct l as [|[x t] l]. unfold value in Pos. simpl in Pos. lra. exists t. apply (Tl x t). left; auto. }
  destruct St0 as (t0 & St0).
  (* the arcs of one tree need not be counted: what the others of its head carry settles them *)
  set (free := filter (fun i => negb (listed i t0)) (numbers arcs)).
  set (v (t : list nat) (k : nat) := match k with O => 1 | Datatypes.S k => bit (listed (nth k free 0%nat) t)
    end).
  destruct (fewer (Datatypes.S (length free)) v l) as (l' & L1 & L2 & L3). { intros x t I. apply (Tl x t I). }
  assert (Tl' : trees_of_weight nodes arcs root l').
  { intros x t I. destruct (L2 x t I) as (Hx & z & Iz & _). split; auto. apply (Tl z t Iz). }
  assert (Served : forall i q, served i q == sum (fun xt => fst xt * bit (listed i (snd xt))) q).
  { intros i q. unfold served. rewrite sum_filter. apply sum_eq. intros [x t] _. unfold bit. cbn [fst snd].
    destruct (listed i t); ring. }
  assert (Val : value l' == value l).
  { pose proof (L3 0%nat) as E. simpl in E. unfold value.
    rewrite (sum_eq fst (fun xt => fst xt * 1) l'), (sum_eq fst (fun xt => fst xt * 1) l) by (intros; ring).
      apply E. lia. }
  assert (Free : forall i, In i free -> served i l' == served i l).
  { intros i Hi. apply (In_nth _ _ 0%nat) in Hi. destruct Hi as (k & Hk & <-). rewrite !Served.
    apply (L3 (Datatypes.S k)). lia. }
  (* all arcs into a node carry the value together *)
  assert (Into : forall q, trees_of_weight nodes arcs root q -> forall u, In u nodes -> u <> root ->
    sum (fun i => if (head (arc_of arcs i) =? u)%Z then served i q else 0) (numbers arcs) == value q).
  { intros q Tq u Hu Nu. unfold value.
    rewrite (sum_eq _ (fun i => sum (fun xt => fst xt * bit (listed i (snd xt) && (head (arc_of arcs i) =?
      u)%Z)) q)).
    - rewrite sum_swap. apply sum_eq. intros [x t] I. cbn [fst snd]. rewrite sum_scale, one_arc_in; auto. ring.
      apply (Tq x t I).
    - intros i _. destruct (head (arc_of arcs i) =? u)%Z.
      + rewrite Served. apply sum_eq. intros xt _. rewrite andb_true_r. reflexivity.
      + symmetry. apply sum_none. intros xt _. rewrite andb_false_r. unfold bit. ring. }
  destruct St0 as (reached & R & Inc). destruct (reaches_heads reached t0 R) as (_ & V & N & Z).
  assert (St0 : spanning nodes arcs root t0) by (exists reached; auto).
  assert (Nt0 : NoDup t0) by (eapply spanning_nodup; eauto).
  exists l'. split; auto. split; auto. split.
  - intros i Hi. destruct (listed i t0) eqn:E.
    2:{ apply Free. apply filter_In. split. apply in_seq. lia. rewrite E. auto. }
    apply listed_in in E. set (u := head (arc_of arcs i)).
    assert (Hu : In u nodes). { destruct G as [_ He]. apply (He (arc_of arcs i)). apply nth_In; auto. }
    assert (Nu : u <> root) by (apply Z; auto).
    pose proof (Into l' Tl' u Hu Nu) as E1. pose proof (Into l Tl u Hu Nu) as E2. rewrite Val in E1. rewrite <-
      E2 in E1.
    assert (D : forall q, sum (fun k => if (head (arc_of arcs k) =? u)%Z then served k q else 0) (numbers arcs)
      ==
      served i q + sum (fun k => if (head (arc_of arcs k) =? u)%Z && negb (k =? i)%nat then served k q else 0)
        (numbers arcs)).
    { intros q.
      assert (S1 : sum (fun k => if (k =? i)%nat then served k q else 0) (numbers arcs) == served i q).
      { rewrite (sum_only _ (numbers arcs) i). rewrite Nat.eqb_refl. reflexivity. apply seq_NoDup. apply
        in_seq; lia.
        intros k _ Nk. destruct (Nat.eqb_spec k i); [easy|reflexivity]. }
      rewrite <- S1, <- sum_plus. apply sum_eq. intros k _. destruct (Nat.eqb_spec k i) as [->|].
      unfold u. rewrite Z.eqb_refl. simpl. ring. destruct (head (arc_of arcs k) =? u)%Z; simpl; ring. }
    rewrite !D in E1.
    assert (Rest : sum (fun k => if (head (arc_of arcs k) =? u)%Z && negb (k =? i)%nat then served k l' else 0)
      (numbers arcs) ==
      sum (fun k => if (head (arc_of arcs k) =? u)%Z && negb (k =? i)%nat then served k l else 0) (numbers
        arcs)); [|lra].
    apply sum_eq. intros k Hk. destruct (Z.eqb_spec (head (arc_of arcs k)) u) as [Ek|]; [|reflexivity].
    destruct (Nat.eqb_spec k i) as [|Nk]; [reflexivity|]. simpl. apply Free. apply filter_In. split; auto.
    apply negb_true_iff, not_true_iff_false. rewrite listed_in. intros Ik. apply Nk.
    apply (In_nth _ _ 0%nat) in E, Ik. destruct E as (p & Hp & Ep), Ik as (q & Hq & Eq). rewrite <- Ep, <- Eq.
      f_equal.
    apply (proj1 (NoDup_nth (map (fun i => head (arc_of arcs i)) t0) (head (arc_of arcs 0))) N); rewrite
      ?map_length; auto.
    rewrite !(map_nth (fun i => head (arc_of arcs i))). unfold u in Ek. congruence.
  - assert (Lf : (length free + length t0 <= length arcs)%nat).
    { unfold free, numbers. rewrite <- (seq_length (length arcs) 0) at 2.
      assert (Le : (length t0 <= length (filter (fun i => listed i t0) (seq 0 (length arcs))))%nat).
      { apply NoDup_incl_length; auto. intros i Hi. apply filter_In. split. apply in_seq.
        pose proof (spanning_numbers _ _ _ _ _ St0 Hi). lia. apply listed_in; auto. }
      assert (Sp : forall q : list nat, (length (filter (fun i => negb (listed i t0)) q) + length (filter (fun
        i => listed i t0) q) = length q)%nat).
      { induction q as [|a q IH]; auto. simpl. destruct (listed a t0); simpl; lia. }
      specialize (Sp (seq 0 (length arcs))). lia. }
    assert (Ln : (length nodes <= Datatypes.S (length t0))%nat).
    { assert (Q0 : (length nodes <= length (root :: map (fun i => head (arc_of arcs i)) t0))%nat).
      { apply NoDup_incl_length; auto. intros u Hu. apply Inc, V in Hu. destruct Hu as [->|(i & Hi & <-)].
        left; auto. right. apply in_map_iff. eauto. }
      simpl in Q0. rewrite map_length in Q0. auto. }
    lia.
Qed.
End Trees.
