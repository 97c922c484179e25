(** If the checker accepts, the order-free reduction has that throughput. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound Checker ScheduleSound BoundSound
  RunChecker RunSound.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known AllReduce Promises Schemes
  SchemesSound
  ReducesChecker.
Import ListNotations.
Open Scope Z_scope.

(** ** Cuts that links can pay: a link has a price, and a whole number with the same meaning. *)
Section Links.
Variable nodes : list node.
Variable arcs : list arc.
Variable price : arc -> Q.
Variable tolled : list (arc * Z).
Hypothesis numbered : forall a, In a arcs -> exists z, In (a, z) tolled /\ (0 <= price a)%Q /\
  forall w, w * Z.pos (Qden (cost a)) <= z -> (inject_Z w <= price a)%Q.
Let members := node_map nodes.

(** The set of a cut, among all nodes that matter. *)
Definition everyone : list node := nodes ++ map tail arcs ++ map head arcs.
Definition set_of (s : side) (c : cut) : list node * Q :=
  (filter (in_cut (positions 1 (side_order s) none) c) everyone, inject_Z (weight c)).
Lemma is_in_set s c x : In x everyone -> is_in x (fst (set_of s c)) = in_cut (positions 1 (side_order s) none)
  c x.
Proof.
  intros Hx. simpl. destruct (in_cut _ c x) eqn:E.
  - apply is_in_spec, filter_In. auto.
  - apply is_in_false. rewrite filter_In, E. intros [_ F]. discriminate.
Qed.

Lemma side_packing turn crosses r s :
  (forall a c, In a arcs -> crosses (fst (set_of s c)) (arc_call a) =
     in_cut (positions 1 (side_order s) none) c (head (turn a)) &&
     negb (in_cut (positions 1 (side_order s) none) c (tail (turn a)))) ->
  side_ok nodes members tolled turn r s = true ->
  packing arc_call nodes arcs price r crosses (map (set_of s) (side_cuts s)).
Proof.
  intros Cr E. unfold side_ok in E. set (pos := positions 1 (side_order s) none) in *.
  rewrite !andb_true_iff, !forallb_forall in E. destruct E as [[E1 E2] E3].
  apply negb_true_iff, member_false in E1.
  assert (Cut : forall c, In c (side_cuts s) ->
    0 <= weight c /\ 1 <= begins c < Checker.ends c /\ exists v, In v nodes /\ in_cut pos c v = true).
  { intros c Hc. eapply cut_ok_spec; [apply node_map_in|]. apply E2; auto. }
  split.
  - intros Y w H. apply in_map_iff in H. destruct H as (c & [= <- <-] & Hc).
    destruct (Cut c Hc) as (C1 & _ & v & V1 & V2). split; [|split].
    + rewrite <- inject_0, inject_le. auto.
    + fold pos. rewrite filter_In. unfold in_cut. rewrite E1. intros [_ F]. discriminate.
    + exists v. split; auto. fold pos. apply filter_In. split; auto. apply in_or_app. auto.
  - intros a Ha. set (w := entered_weight (sweep (by_start (side_cuts s)) 1 (side_order s) [] none) pos
      (turn a)).
    assert (Sw : (sum (fun c => if crosses (fst c) (arc_call a) then snd c else 0)
      (map (set_of s) (side_cuts s))
      == inject_Z w)%Q).
    { unfold w, pos. rewrite entered_weight_spec by (intros c Hc; apply Cut; auto).
      rewrite sum_map, <- sum_inject. apply sum_eq. intros c _. rewrite Cr by auto. unfold set_of. cbn [snd].
      destruct (in_cut _ c (head (turn a)) && _); reflexivity. }
    rewrite Sw. destruct (numbered a Ha) as (z & Hz & Pz & Fz).
    assert (E4 : arc_pays (sweep (by_start (side_cuts s)) 1 (side_order s) [] none) pos turn (a, z) = true)
      by (apply E3; auto).
    unfold arc_pays in E4. cbn [fst snd] in E4. fold w in E4. apply orb_true_iff in E4.
    destruct E4 as [E4|E4].
    + apply Z.eqb_eq in E4. rewrite E4, inject_0. auto.
    + apply Z.leb_le in E4. auto.
Qed.

Lemma everyone_ends a : In a arcs -> In (tail a) everyone /\ In (head a) everyone.
Proof.
  intros Ha. unfold everyone. split; apply in_or_app; right; apply in_or_app; [left|right]; apply in_map;
    auto.
Qed.
Lemma outs_packing r s : side_ok nodes members tolled back r s = true ->
  packing arc_call nodes arcs price r goes_out_of (map (set_of s) (side_cuts s)).
Proof.
  apply side_packing. intros a c Ha. destruct (everyone_ends a Ha). unfold goes_out_of.
  cbn [arc_call fst snd].
  rewrite !is_in_set by auto. reflexivity.
Qed.
Lemma ins_packing r s : side_ok nodes members tolled (fun a => a) r s = true ->
  packing arc_call nodes arcs price r goes_into (map (set_of s) (side_cuts s)).
Proof.
  apply side_packing. intros a c Ha. destruct (everyone_ends a Ha). unfold goes_into. cbn [arc_call fst snd].
  rewrite !is_in_set by auto. apply andb_comm.
Qed.
Lemma set_weights s : (sum snd (map (set_of s) (side_cuts s)) == inject_Z (side_weight s))%Q.
Proof. rewrite sum_map. unfold side_weight. rewrite <- sum_inject. reflexivity. Qed.

Lemma evidence_worth B e : evidence_ok nodes members tolled B e = true ->
  worth arc_call nodes arcs price B (inject_Z (worth_of e)).
Proof.
  destruct e as [w roots|r s]; unfold evidence_ok.
  - rewrite !andb_true_iff, !forallb_forall. intros [[[E1 E2] E3] E4]. left. split; [|split; [|split]].
    + intros v Hv. apply node_map_in. auto.
    + intros ->. discriminate.
    + intros a Ha. destruct (numbered a Ha) as (z & Hz & _). specialize (E3 (a, z) Hz). cbn [fst] in E3.
      assert (E5 : member (node_code (tail a)) members && member (node_code (head a)) members = true) by auto.
      apply andb_true_iff in E5. destruct E5. split; apply node_map_in; auto.
    + intros r Hr. specialize (E4 r Hr). unfold root_ok in E4.
      destruct (find _ _) as [[outs ins]|]; [|discriminate].
      rewrite !andb_true_iff in E4. destruct E4 as [[F1 F2] F3]. apply Z.leb_le in F3.
      exists (map (set_of outs) (side_cuts outs)), (map (set_of ins) (side_cuts ins)).
      split; [apply outs_packing; auto|]. split; [apply ins_packing; auto|].
      rewrite !set_weights, <- inject_Z_plus, inject_le. exact F3.
  - rewrite andb_true_iff, existsb_exists. intros [(v & Hv & E1) E2]. apply Z.eqb_eq in E1. subst v.
    right. exists r. split; auto. exists (map (set_of s) (side_cuts s)). split; [apply outs_packing; auto|].
    rewrite set_weights. simpl. lra.
Qed.

Lemma total_worth_spec blocks : forall l s V, total_worth nodes members tolled blocks l s = Some V ->
  (forall B, In B blocks -> (0 < size B)%Q) /\
  exists W : nat -> Q, (forall b B, nth_error blocks b = Some B -> worth arc_call nodes arcs price B (W b)) /\
    (V == s + sum (fun b => size_of blocks b * W b) (seq 0 (length blocks)))%Q.
Proof.
  induction blocks as [|B blocks IH]; intros l s V E; destruct l as [|e l]; try discriminate.
  - injection E as <-. split; [easy|]. exists (fun _ => 0%Q). split; [intros [|b] B H; discriminate|]. simpl.
    ring.
  - cbn [total_worth] in E. destruct (_ && _) eqn:C; [|discriminate]. apply andb_true_iff in C.
    destruct C as [C1 C2].
    apply IH in E. destruct E as (E1 & W & E2 & E3). split.
    + intros B' [<-|H]; auto. apply Qpos, Z.ltb_lt. auto.
    + exists (fun b => match b with 0%nat => inject_Z (worth_of e) | Datatypes.S b => W b end). split.
      * intros [|b] B' H; simpl in H; [injection H as <-; apply evidence_worth; auto|auto].
      * rewrite E3, (lowest_correct (s + size B * inject_Z (worth_of e))). cbn [length seq sum].
        rewrite <- seq_shift, sum_map. unfold size_of. cbn [nth]. ring.
Qed.
End Links.

(** Arcs with their tolls. *)
Section Tolls.
Variable p : ports.
Variable nodes : list node.
Variable arcs : list arc.
Variable y : price_list.
Hypothesis ok : prices_ok y = true.
Hypothesis costs : forall a, In a arcs -> (0 < cost a)%Q.

Lemma toll_numbered a : In a arcs -> exists z, In (a, z) (tolls p (maps_of y) arcs) /\
  (0 <= toll p (in_Q y) a)%Q /\
  forall w, w * Z.pos (Qden (cost a)) <= z -> (inject_Z w <= toll p (in_Q y) a)%Q.
Proof.
  intros Ha. exists (Qnum (cost a) * rate (maps_of y) (arc_uses p a)). split; [|split].
  - unfold tolls. apply in_map_iff. exists a. auto.
  - apply toll_nonneg; auto. apply prices_nonneg; auto.
  - intros w H. apply scaled_le in H. eapply Qle_trans; [exact H|].
    unfold toll. apply Qmult_le_l; auto.
    change (arc_uses p a) with (uses (transfer p (Message 0) 1 a)). apply rate_paid; auto.
Qed.
End Tolls.

Theorem check_worth_sound p nodes arcs blocks y l U :
  check_worth p nodes arcs blocks y l = Some U -> reduces_never_more p nodes arcs blocks U.
Proof.
  unfold check_worth. destruct (_ && _) eqn:E; [|discriminate]. rewrite andb_true_iff, forallb_forall in E.
  destruct E as [E1 E2]. destruct (total_worth _ _ _ _ _ _) as [V|] eqn:TW; [|discriminate].
  destruct (0 <? Qnum V) eqn:P; [|discriminate]. intros H. injection H as <-. apply Z.ltb_lt, Qpos in P.
  assert (costs : forall a, In a arcs -> (0 < cost a)%Q) by (intros a Ha; apply Qpos, Z.ltb_lt; auto).
  apply (total_worth_spec nodes arcs (toll p (in_Q y)) _ (toll_numbered p arcs y E1 costs)) in TW.
  destruct TW as (S1 & W & W1 & W2).
  rewrite Qplus_0_l in W2. rewrite W2 in P.
  assert (Eq : (total (in_Q y) / sum (fun b => size_of blocks b * W b) (seq 0 (length blocks))
    == inject_Z (sum_of_prices y) / V)%Q) by (rewrite total_sum, W2; reflexivity).
  apply (never_more_eq _ _ _ _ _ _ Eq). apply cuts_never_more; auto. apply prices_nonneg; auto.
Qed.

Lemma check_schedule_lasts S s R : check_schedule S s = Some R -> forall k, In k (tasks S) -> (0 < lasts k)%Q.
Proof.
  unfold check_schedule. destruct (_ && _); [|discriminate].
  destruct (parts_height _ _ _ _ _ _); [|discriminate].
  destruct (slots_fit _ _ _ _ _); [|discriminate]. destruct (long_enough _ _ _ _ _) eqn:L; [|discriminate].
  intros _. apply (long_enough_spec _ _ _ _ _ L).
Qed.

Theorem check_schedule_of_sound p nodes arcs blocks forms s T C :
  check_schedule_of p nodes arcs blocks forms s = Some (T, C) -> reduces p nodes arcs blocks T C.
Proof.
  unfold check_schedule_of, along_forms.
  destruct (scheme p nodes arcs blocks forms) as [entries|] eqn:E; [|discriminate].
  intros H. apply (scheme_kept p nodes arcs blocks entries (scheme_fine p nodes arcs blocks entries forms E)); auto.
  - intros e I. apply (check_schedule_lasts _ _ _ H). simpl. apply in_map. auto.
  - apply (schedule_sound _ s). auto.
Qed.

Theorem check_run_of_sound p nodes arcs blocks forms M r y l K L :
  check_run_of p nodes arcs blocks forms M r y l = Some (K, L) ->
  reduced_by p nodes arcs blocks (Pos.to_nat M) K /\ reduction_takes p nodes arcs blocks (Pos.to_nat M) L.
Proof.
  unfold check_run_of, along_forms.
  destruct (scheme p nodes arcs blocks forms) as [entries|] eqn:E; [|discriminate].
  destruct (check_worth _ _ _ _ _ _) as [U|] eqn:B; [|discriminate].
  destruct (check_system_run _ _ _) as [K'|] eqn:R; [|discriminate].
  destruct (_ && _) eqn:P; [|discriminate]. apply andb_true_iff in P. destruct P as [P1 P2].
  apply Z.ltb_lt, Qpos in P1. rewrite forallb_forall in P2. intros H. injection H as <- <-. split.
  - apply (scheme_kept p nodes arcs blocks entries (scheme_fine p nodes arcs blocks entries forms E)).
    + intros e I. apply Qpos, Z.ltb_lt, P2. simpl. apply in_map. auto.
    + eapply system_run_sound; eauto.
  - intros calls s t Al Ht V Co. unfold least_time.
    assert (C : (inject_Z (Z.pos M) = count (Pos.to_nat M))%Q)
      by (unfold count; rewrite positive_nat_Z; auto).
    rewrite C. apply Qle_shift_div_r; auto. rewrite Qmult_comm.
    apply (check_worth_sound _ _ _ _ _ _ _ B calls s); auto.
Qed.

(** Both sides, with one rate. *)
Theorem check_sides_sound p nodes arcs blocks forms s y l T C :
  check_schedule_of p nodes arcs blocks forms s = Some (T, C) ->
  check_worth p nodes arcs blocks y l = Some T ->
  reduces_never_more p nodes arcs blocks T /\ reduces p nodes arcs blocks T C.
Proof.
  intros R B. split; [eapply check_worth_sound; eauto|eapply check_schedule_of_sound; eauto].
Qed.

Theorem check_reduces_sound p nodes arcs blocks y l forms s T C :
  check_reduces p nodes arcs blocks y l forms s = Some (T, C) ->
  reduces_never_more p nodes arcs blocks T /\ reduces p nodes arcs blocks T C.
Proof.
  unfold check_reduces. destruct (check_schedule_of _ _ _ _ _ _) as [[T' C']|] eqn:E; [|discriminate].
  destruct (check_worth _ _ _ _ _ _) as [U|] eqn:F; [|discriminate].
  destruct (Qle_bool U T') eqn:L; [|discriminate]. intros H. injection H as <- <-. apply Qle_bool_iff in L.
  split; [|apply (check_schedule_of_sound p nodes arcs blocks forms s); auto].
  intros calls s' M K Al HK V Co. eapply Qle_trans; [eapply check_worth_sound; eauto|].
  apply Qmult_le_compat_r; auto.
Qed.
