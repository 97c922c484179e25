(** The bound of prices and potentials misses nothing: it proves the throughput of every scatter, gather,
    alltoall and reduce. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Collectives Sums Time Bound Checker BoundSound.
From Exactsched Require Sanity Potentials.
From Exactsched.existence Require Import Definitions Finite Structures Reached Throughput Broadcast MakingCosts.
Import ListNotations.
Open Scope Q_scope.

Lemma fits_itself k : fits k = true -> part_of (makes k) (makes k) = true.
Proof.
  unfold fits, part_of. intros F. apply andb_true_iff in F. destruct F as [F _].
  destruct (what (makes k)); [apply Z.eqb_refl|]. rewrite !Z.leb_refl. auto.
Qed.
(** It is a proof. *)
Theorem potentials_never_more S T : takes_time S -> (forall k, In k (tasks S) -> fits k = true) ->
  potentials_prove S T -> never_more S T.
Proof.
  intros pos F (y & goals & Ny & Hg & Pay & E & One) s M K HK V Co.
  assert (B : count M * sum (fun g => snd g (fst g)) goals <= K * total y).
  { apply (Potentials.potential_bound S y goals part_of) with (s := s); auto.
    intros k Hk. apply fits_itself; auto. intros j k Hj Hk. apply fits_nested; auto. }
  rewrite E in B. pose proof (count_nonneg M). rewrite (Qmult_comm T). eapply Qle_trans; [|exact B].
  setoid_replace (count M) with (count M * 1) at 1 by ring. rewrite !(Qmult_comm (count M)). apply
    Qmult_le_compat_r; auto.
Qed.

Theorem potentials_complete S T class : takes_time S -> two_sided S -> something_to_do S ->
  (forall w, In w (wanted S) -> class w w = true) ->
  (forall w k x, In w (wanted S) -> In k (tasks S) -> class w (makes k) = true -> In x (needs k) -> class w x =
    true) ->
  NoDup (wanted S) ->
  (forall w w' k, In w (wanted S) -> In w' (wanted S) -> In k (tasks S) ->
    class w (makes k) = true -> class w' (makes k) = true -> w = w') ->
  throughput S T -> potentials_prove S T.
Proof.
  intros pos two todo Own Closed Once Apart Th.
  destruct (throughput_structure S T pos Th) as (t & St).
  destruct (two_sided_throughput S t pos two todo St) as (T' & y & l & HT & Th' & Pl & Vl & (Ny & E & P) & N).
  assert (ET : T' == T) by (eapply Sanity.throughput_unique; eauto).
  exists (Prices y []), (goals S (Prices y []) class). split; auto. split; [|split; [|split]].
  - apply goals_good; auto.
  - intros k Hk. apply goals_paid; auto.
  - rewrite E. auto.
  - apply goals_sum; auto. eauto.
Qed.

(** ** Alltoall, scatter, gather *)
Lemma numbered_of {A} (l : list A) x : In x l -> forall i, exists d, In (d, x) (number_from i l).
Proof.
  induction l as [|z l IH]; intros Hx i. easy. destruct Hx as [<-|Hx].
  exists i. left; auto. destruct (IH Hx (i + 1)%Z) as (d & Hd). exists d. right; auto.
Qed.
Section Alltoall.
Variables (p : ports) (arcs : list arc) (demands : list demand).
Let S := alltoall p arcs demands.
Hypothesis costs : forall a, In a arcs -> 0 < cost a.
Hypothesis amounts : forall x, In x demands -> 0 < amount x.

Lemma alltoall_task k : In k (tasks S) -> exists d x a, In (d, x) (numbered demands) /\ In a arcs /\
  k = transfer p (Message d) (amount x) a.
Proof.
  intros Hk. apply in_flat_map in Hk. destruct Hk as ((d & x) & H & Hk). apply in_map_iff in Hk.
  destruct Hk as (a & <- & Ha). exists d, x, a. auto.
Qed.
Lemma alltoall_time : takes_time S.
Proof.
  intros k Hk. destruct (alltoall_task k Hk) as (d & x & a & H & Ha & ->). apply numbered_member in H. simpl.
  apply Qmult_lt_0_compat; auto.
Qed.
Lemma alltoall_at_arcs : at_arcs p arcs S.
Proof. intros k Hk. destruct (alltoall_task k Hk) as (d & x & a & H & Ha & ->). left. exists a. auto. Qed.
Lemma alltoall_fits k : In k (tasks S) -> fits k = true.
Proof.
  intros Hk. destruct (alltoall_task k Hk) as (d & x & a & H & Ha & ->). unfold fits. simpl. apply Z.eqb_refl.
Qed.
Lemma alltoall_to_do x : In x demands -> from x <> to x -> something_to_do S.
Proof.
  intros Hx N. destruct (numbered_of demands x Hx 0) as (d & Hd).
  exists (At (Message d) (to x)). split. apply in_map_iff. exists (d, x). auto.
  intros I. apply in_map_iff in I. destruct I as ((e & x') & E & I). injection E as -> E.
  rewrite (numbered_same _ _ _ _ I Hd) in E. auto.
Qed.
Lemma numbered_once {A} (l : list A) : forall i, NoDup (map fst (number_from i l)).
Proof.
  induction l as [|x l IH]; intros i; simpl; constructor; auto. rewrite in_map_iff. intros ([j z] & E & H).
  simpl in E. subst j. assert (L : forall (l : list A) i j z, In (j, z) (number_from i l) -> (i <= j)%Z).
  { clear. induction l as [|x l IH]; simpl; intros i j z H. easy. destruct H as [E|H]. injection E as <- _. lia.
    apply IH in H. lia. }
  apply L in H. lia.
Qed.

Theorem alltoall_potentials T x : bipartite p arcs -> In x demands -> from x <> to x -> throughput S T ->
  potentials_prove S T.
Proof.
  intros B Hx N Th.
  apply (potentials_complete S T (fun w x => item_eqb (what w) (what x))); auto.
  - apply alltoall_time.
  - apply (at_arcs_two_sided p arcs); auto. apply alltoall_at_arcs.
  - apply (alltoall_to_do x); auto.
  - intros w _. apply item_eqb_eq; auto.
  - intros w k z _ Hk Ck Hz. destruct (alltoall_task k Hk) as (d & x' & a & _ & _ & ->). destruct Hz as
    [<-|[]]. auto.
  - assert (M : NoDup (map what (wanted S))).
    { unfold S. simpl. rewrite map_map. rewrite (map_ext _ (fun dx => Message (fst dx))) by (intros [d z];
      auto).
      rewrite <- (map_map fst Message). apply nodup_map. congruence. apply numbered_once. }
    apply NoDup_map_inv in M. auto.
  - intros w w' k Hw Hw' Hk C C'. apply item_eqb_eq in C, C'.
    apply in_map_iff in Hw, Hw'. destruct Hw as ((d & z) & <- & Hz), Hw' as ((e & z') & <- & Hz'). simpl in C,
      C'.
    assert (d = e) by congruence. subst e. rewrite (numbered_same _ _ _ _ Hz Hz'). auto.
Qed.
End Alltoall.

(** ** Reduce *)
Section Reduce.
Variables (p : ports) (arcs : list arc) (size_of : Z -> Z -> Q) (steps : list step) (owners : list node)
  (target : node).
Let S := reduce p arcs size_of steps owners target.
Hypothesis costs : forall a, In a arcs -> 0 < cost a.
Hypothesis sizes : forall k m, 0 < size_of k m.
Hypothesis times : forall c, In c steps -> 0 < step_time c /\ (step_first c <= step_cut c < step_last c)%Z.

Lemma reduce_task k : In k (tasks S) -> (exists i m a, (i <= m)%Z /\ In a arcs /\ k = transfer p (Values i m)
  (size_of i m) a) \/
  exists c, In c steps /\ k = combine c.
Proof.
  intros Hk. unfold S, reduce, reduction in Hk. simpl in Hk. apply in_app_iff in Hk. destruct Hk as [Hk|Hk].
  - left. apply in_flat_map in Hk. destruct Hk as ((i & m) & H & Hk). apply in_map_iff in Hk. destruct Hk as (a
    & <- & Ha).
    exists i, m, a. split; auto. unfold intervals in H. apply in_flat_map in H. destruct H as (i' & _ & H).
    apply in_map_iff in H. destruct H as (m' & E & H). injection E as -> ->. apply filter_In in H. apply
      Z.leb_le. tauto.
  - right. apply in_map_iff in Hk. destruct Hk as (c & <- & Hc). eauto.
Qed.
Lemma reduce_time : takes_time S.
Proof.
  intros k Hk. destruct (reduce_task k Hk) as [(i & m & a & _ & Ha & ->)|(c & Hc & ->)]; simpl.
  apply Qmult_lt_0_compat; auto. apply times; auto.
Qed.
Lemma reduce_at_arcs : at_arcs p arcs S.
Proof.
  intros k Hk. destruct (reduce_task k Hk) as [(i & m & a & _ & Ha & ->)|(c & Hc & ->)].
  left. exists a. auto. right. exists (step_node c). auto.
Qed.
Lemma reduce_fits k : In k (tasks S) -> fits k = true.
Proof.
  intros Hk. destruct (reduce_task k Hk) as [(i & m & a & L & Ha & ->)|(c & Hc & ->)]; unfold fits; simpl.
  - rewrite (proj2 (Z.leb_le _ _) L), !Z.eqb_refl. auto.
  - destruct (times c Hc) as [_ L]. rewrite !Z.eqb_refl.
    rewrite !(proj2 (Z.leb_le _ _)) by lia. try rewrite !(proj2 (Z.ltb_lt _ _)) by lia. auto.
Qed.
(** With two values or more there is something to do. *)
Lemma reduce_to_do : (1 < length owners)%nat -> something_to_do S.
Proof.
  intros L. exists (At (Values 0 (Z.of_nat (length owners) - 1)) target). split. left; auto.
  intros I. apply in_map_iff in I. destruct I as ((i & v) & E & _). injection E as E1 E2 _. lia.
Qed.

Theorem reduce_potentials T : bipartite p arcs -> (1 < length owners)%nat -> throughput S T -> potentials_prove
  S T.
Proof.
  intros B L Th. apply (potentials_complete S T (fun _ _ => true)); auto.
  - apply reduce_time.
  - apply (at_arcs_two_sided p arcs); auto. apply reduce_at_arcs.
  - apply reduce_to_do; auto.
  - repeat constructor; auto.
  - intros w w' k [<-|[]] [<-|[]]; auto.
Qed.
End Reduce.
