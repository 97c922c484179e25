(** Allgather: the bound of a bottleneck, which holds whatever switches copy; and what switches that only forward
    reach, switches that copy reach. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound.
From Exactsched.allreduce Require Import Calls Gossip Allgather.
Import ListNotations.
Open Scope Q_scope.

(** ** The bottleneck *)

(** The capacity of the arcs into X, in shard sizes per time unit; the data that X has not got. *)
Definition enters_set (X : list node) (a : arc) : bool := negb (is_in (tail a) X) && is_in (head a) X.
Definition capacity_into (arcs : list arc) (X : list node) : Q := sum (fun a => / cost a) (filter (enters_set X) arcs).
Definition data_outside (shards : list (node * Q)) (X : list node) : Q :=
  sum snd (filter (fun vd => negb (is_in (fst vd) X)) shards).

Lemma enters_set_spec X a : enters_set X a = true <-> ~ In (tail a) X /\ In (head a) X.
Proof. unfold enters_set. rewrite andb_true_iff, negb_true_iff, is_in_false, is_in_spec. tauto. Qed.

Lemma allgather_task p arcs members shards k : In k (tasks (allgather p arcs members shards)) ->
  exists v d a, In (v, d) shards /\ In a arcs /\ k = transfer p (Message v) d a.
Proof.
  unfold allgather. simpl. intros H. apply in_flat_map in H. destruct H as ([v d] & Hv & H).
  apply in_map_iff in H. destruct H as (a & <- & Ha). exists v, d, a. auto.
Qed.

(** For every set X of nodes with a member: rate times data outside X is at most the capacity into X. *)
Theorem bottleneck arcs members shards X :
  (forall a, In a arcs -> 0 < cost a) -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d) ->
  (exists u, In u members /\ In u X) ->
  forall s M K, 0 <= K -> valid (allgather Links arcs members shards) s ->
  completes (allgather Links arcs members shards) s M K ->
  count M * data_outside shards X <= K * capacity_into arcs X.
Proof.
  intros pos once sizes (u & Mu & Xu) s M K HK V C.
  set (S := allgather Links arcs members shards) in *.
  set (y := Prices (map (fun a => (Link (tail a) (head a), / cost a)) (filter (enters_set X) arcs)) []).
  set (cuts := map (fun vd : node * Q => ((fun x => item_eqb (what x) (Message (fst vd)) && is_in (place x) X), snd vd))
                 (filter (fun vd => negb (is_in (fst vd) X)) shards)).
  assert (inv_pos : forall a, In a arcs -> 0 < / cost a) by (intros; apply Qinv_lt_0_compat; auto).
  assert (B : count M * sum snd cuts <= K * total y).
  { apply (cut_bound S y cuts) with (s := s); auto.
    - intros k Hk. apply allgather_task in Hk. destruct Hk as (v & d & a & Hv & Ha & ->). simpl.
      apply Qmult_lt_0_compat; eauto.
    - split; [|intros ? ? []]. intros r q H. simpl in H. apply in_map_iff in H. destruct H as (a & [= <- <-] & Ha).
      apply filter_In in Ha. apply Qlt_le_weak, inv_pos. tauto.
    - intros Y w H. apply in_map_iff in H. destruct H as ([v d] & [= <- <-] & H). apply filter_In in H.
      destruct H as [H Hv]. cbn [fst snd] in *. apply negb_true_iff, is_in_false in Hv.
      split; [apply Qlt_le_weak; eauto|]. split.
      + intros x Hx. unfold S, allgather, owned in Hx. simpl in Hx. apply in_map_iff in Hx.
        destruct Hx as ([v' d'] & <- & H'). apply andb_false_iff.
        destruct (item_eqb (what (At (Message v') v')) (Message v)) eqn:E; auto. right. simpl in *.
        apply Z.eqb_eq in E. subst v'. apply is_in_false. auto.
      + exists (At (Message v) u). split.
        * unfold S, allgather, wanted_by. simpl. apply in_flat_map. exists (v, d). split; auto. apply in_map. auto.
        * apply andb_true_iff. simpl. rewrite Z.eqb_refl, is_in_spec. auto.
    - intros k Hk. apply allgather_task in Hk. destruct Hk as (v & d & a & Hv & Ha & ->).
      assert (Pd : 0 < d) by eauto. assert (Pc := pos a Ha).
      assert (Paid0 : 0 <= paid y (transfer Links (Message v) d a)).
      { apply paid_nonneg. split; [|intros ? ? []]. intros r q H. simpl in H. apply in_map_iff in H.
        destruct H as (a' & [= <- <-] & Ha'). apply filter_In in Ha'. apply Qlt_le_weak, inv_pos. tauto. }
      unfold crossed, cuts. rewrite sum_map. cbn [fst snd].
      destruct (enters_set X a) eqn:Ea.
      + (* the arc enters X: it pays d, and only the cut of v is crossed *)
        assert (Paid : d <= lasts (transfer Links (Message v) d a) * paid y (transfer Links (Message v) d a)).
        { unfold paid. simpl (for_odd_sets y). simpl (sum _ []). simpl for_resources. rewrite sum_map. cbn [fst snd].
          assert (L : / cost a <= sum (fun x => if uses_it (Link (tail x) (head x)) (transfer Links (Message v) d a)
             then / cost x else 0) (filter (enters_set X) arcs)).
          { eapply Qle_trans; [|apply (sum_member (fun x => if uses_it (Link (tail x) (head x))
              (transfer Links (Message v) d a) then / cost x else 0) _ a)].
            - assert (U : uses_it (Link (tail a) (head a)) (transfer Links (Message v) d a) = true).
              { apply uses_it_spec. simpl. auto. }
              rewrite U. lra.
            - intros x Hx. apply filter_In in Hx. destruct uses_it; [apply Qlt_le_weak, inv_pos; tauto|lra].
            - apply filter_In. auto. }
          simpl lasts. apply Qle_trans with (d * cost a * / cost a).
          - rewrite <- Qmult_assoc, Qmult_inv_r; lra.
          - rewrite Qplus_0_r. apply Qmult_le_l; auto. apply Qmult_lt_0_compat; auto. }
        eapply Qle_trans; [|exact Paid].
        clear - once Hv Pd sizes. set (k := transfer Links (Message v) d a).
        (* at most the entry of v counts *)
        apply Qle_trans with (sum (fun vd : node * Q => if (fst vd =? v)%Z then snd vd else 0) shards).
        * rewrite sum_filter. apply sum_le. intros [v' d'] H'. cbn [fst snd].
          assert (0 < d') by eauto. destruct (negb (is_in v' X)); [|destruct (v' =? v)%Z; lra].
          destruct (enters _ k) eqn:E; [|destruct (v' =? v)%Z; lra].
          unfold enters in E. apply andb_true_iff in E. destruct E as [E _]. apply andb_true_iff in E.
          destruct E as [E _]. simpl in E. apply Z.eqb_eq in E. rewrite E, Z.eqb_refl. lra.
        * clear - once Hv sizes. induction shards as [|[v' d'] l IH]; [destruct Hv|]. simpl in *.
          apply NoDup_cons_iff in once. destruct once as [Nv once].
          destruct Hv as [[= -> ->]|Hv].
          -- rewrite Z.eqb_refl. assert (E : sum (fun vd : node * Q => if (fst vd =? v)%Z then snd vd else 0) l == 0).
             { rewrite <- (sum_zero l). apply sum_eq. intros [w e] Hw. simpl.
               destruct (Z.eqb_spec w v) as [->|]; [|reflexivity]. exfalso. apply Nv. apply in_map_iff. exists (v, e). auto. }
             rewrite E. lra.
          -- assert (Nvv : (v' =? v)%Z = false).
             { apply Z.eqb_neq. intros ->. apply Nv. apply in_map_iff. exists (v, d). auto. }
             rewrite Nvv. assert (IH' := IH once (fun v d H => sizes v d (or_intror H)) Hv). lra.
      + apply Qle_trans with 0.
        * assert (E : sum (fun x : node * Q => if enters (fun z => item_eqb (what z) (Message (fst x)) && is_in (place z) X)
             (transfer Links (Message v) d a) then snd x else 0) (filter (fun vd => negb (is_in (fst vd) X)) shards) == 0).
          { rewrite <- (sum_zero (filter (fun vd => negb (is_in (fst vd) X)) shards)). apply sum_eq. intros [w e] _.
            destruct (enters _ _) eqn:E; [|reflexivity]. exfalso. unfold enters in E. simpl in E.
            rewrite !andb_true_iff, negb_true_iff, orb_false_r, andb_false_iff in E. destruct E as [[E1 E2] E3].
            assert (X1 : enters_set X a = true); [|congruence]. unfold enters_set. rewrite E2, andb_true_r.
            destruct E3 as [E3|E3]; [congruence|]. rewrite E3. auto. }
          rewrite E. lra.
        * apply Qmult_le_0_compat; auto. simpl. apply Qlt_le_weak, Qmult_lt_0_compat; auto. }
  assert (E1 : sum snd cuts == data_outside shards X) by (unfold cuts; rewrite sum_map; reflexivity).
  assert (E2 : total y == capacity_into arcs X).
  { unfold total, y. simpl. rewrite sum_map. cbn [snd]. unfold capacity_into. ring. }
  rewrite <- E1, <- E2. exact B.
Qed.

Corollary bottleneck_never_more arcs members shards X :
  (forall a, In a arcs -> 0 < cost a) -> NoDup (map fst shards) -> (forall v d, In (v, d) shards -> 0 < d) ->
  (exists u, In u members /\ In u X) -> 0 < data_outside shards X ->
  never_more (allgather Links arcs members shards) (capacity_into arcs X / data_outside shards X).
Proof.
  intros pos once sizes HX HD s M K HK V C.
  pose proof (bottleneck arcs members shards X pos once sizes HX s M K HK V C) as B.
  assert (E : capacity_into arcs X / data_outside shards X * K == K * capacity_into arcs X / data_outside shards X)
    by (field; lra).
  rewrite E. apply Qle_shift_div_l; auto.
Qed.
