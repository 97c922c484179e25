(** Carathéodory: a positive combination of vectors with n coordinates needs at most n of them.
    So König needs at most as many matchings as there are edges. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Sums.
From Exactsched.existence Require Import Definitions Finite Koenig.
Import ListNotations.
Open Scope Q_scope.

Section Few.
Context {X : Type}.

(** More than n vectors with n coordinates are dependent. *)
Lemma dependent n : forall (l : list X) (v : X -> nat -> Q), (n < length l)%nat ->
  exists r : list (Q * X), Permutation (map snd r) l /\ (exists p, In p r /\ ~ fst p == 0) /\
    forall k, (k < n)%nat -> sum (fun p => fst p * v (snd p) k) r == 0.
Proof.
  induction n as [|n IH]; intros l v Hn.
  - destruct l as [|x l]; simpl in Hn. lia. exists (map (fun x => (1, x)) (x :: l)). split; [|split].
    + rewrite map_map. simpl. rewrite map_id. auto.
    + exists (1, x). simpl. split; auto. lra.
    + intros; lia.
  - destruct (existsb (fun x => negb (Qeq_bool (v x n) 0)) l) eqn:E.
    + apply existsb_exists in E. destruct E as (x & Hx & E). apply negb_true_iff in E.
      assert (Nz : ~ v x n == 0) by (intros Z; apply Qeq_bool_iff in Z; congruence).
      apply in_split in Hx. destruct Hx as (l1 & l2 & ->).
      destruct (IH (l1 ++ l2) (fun y k => v y k - v y n / v x n * v x k)) as (r & Pr & (p & Hp & Np) & Zr).
      { rewrite app_length in *. simpl in Hn. lia. }
      set (t := sum (fun p => fst p * v (snd p) n) r).
      exists ((- t / v x n, x) :: r). split; [|split].
      * simpl. rewrite Pr. apply Permutation_middle.
      * exists p. split; auto. right; auto.
      * intros k Hk. simpl. destruct (Nat.eq_dec k n) as [->|Nk]. fold t. field. auto.
        specialize (Zr k). cbn beta in Zr.
        assert (Sp : sum (fun p => fst p * (v (snd p) k - v (snd p) n / v x n * v x k)) r
          == sum (fun p => fst p * v (snd p) k) r - v x k / v x n * t).
        { unfold t. clear - Nz. induction r as [|q r IHr]; simpl. field; auto. rewrite IHr. field; auto. }
        rewrite Sp in Zr. assert (Z := Zr ltac:(lia)). setoid_replace (- t / v x n * v x k) with (- (v x k / v
          x n * t)) by (field; auto). lra.
    + destruct (IH l v) as (r & Pr & Hp & Zr). lia. exists r. split; auto. split; auto.
      intros k Hk. destruct (Nat.eq_dec k n) as [->|Nk]; [|apply Zr; lia].
      rewrite <- (sum_zero r). apply sum_eq. intros [c y] Hy.
      assert (Iy : In y l) by (apply (Permutation_in _ Pr); apply in_map_iff; exists (c, y); auto).
      apply (existsb_false _ _ E) in Iy. apply negb_false_iff, Qeq_bool_iff in Iy. simpl. rewrite Iy. lra.
Qed.

End Few.

Theorem caratheodory {X} n (v : X -> nat -> Q) (l : list (Q * X)) : (forall p, In p l -> 0 < fst p) ->
  exists l', (length l' <= n)%nat /\ (forall p, In p l' -> 0 < fst p /\ In (snd p) (map snd l)) /\
    forall k, (k < n)%nat -> sum (fun p => fst p * v (snd p) k) l' == sum (fun p => fst p * v (snd p) k) l.
Proof.
  remember (length l) as N eqn:EN. revert l EN. induction N as [N IH] using lt_wf_ind. intros l EN Hl.
  destruct (le_lt_dec (length l) n) as [L|L].
  { exists l. split; auto. split. intros p Hp. split; auto. apply in_map; auto. reflexivity. }
  assert (Dep : exists r : list (Q * (Q * X)), Permutation (map snd r) l /\ (exists p, In p r /\ 0 < fst p) /\
    forall k, (k < n)%nat -> sum (fun p => fst p * v (snd (snd p)) k) r == 0).
  { destruct (dependent n l (fun y => v (snd y)) L) as (r & Pr & (p & Hp & Np) & Zr).
    destruct (Qlt_le_dec 0 (fst p)) as [P|P]. exists r. split; auto. split; eauto.
    exists (map (fun q => (- fst q, snd q)) r). split. rewrite map_map. simpl. auto. split.
    - exists (- fst p, snd p). split. apply in_map_iff. eauto. simpl. lra.
    - intros k Hk. rewrite sum_map. simpl. rewrite (sum_eq _ (fun q => -1 * (fst q * v (snd (snd q)) k))) by
      (intros; lra).
      rewrite sum_scale, (Zr k Hk). lra. }
  destruct Dep as (r & Pr & (p & Hp & Pp) & Zr).
  assert (Hr : forall q, In q r -> 0 < fst (snd q)).
  { intros q Hq. apply Hl. apply (Permutation_in _ Pr), in_map; auto. }
  (* as far as possible along the dependence *)
  destruct (greatest (fun q : Q * (Q * X) => - (fst (snd q) / fst q)) (filter (fun q => positive (fst q)) r))
    as (m & Hm & Best).
  { intros E. assert (I : In p (filter (fun q => positive (fst q)) r)) by (apply filter_In; split; auto; apply
    positive_spec; auto). rewrite E in I. easy. }
  apply filter_In in Hm. destruct Hm as [Hm Pm]. apply positive_spec in Pm. set (th := fst (snd m) / fst m) in
    *.
  assert (Th : 0 < th) by (apply Qlt_shift_div_l; auto; specialize (Hr m Hm); lra).
  set (new q := (fst (snd q) - th * fst q, snd (snd q)) : Q * X).
  assert (Nn : forall q, In q r -> 0 <= fst (new q)).
  { intros q Hq. simpl. pose proof (Hr q Hq) as Hq'. destruct (Qlt_le_dec 0 (fst q)) as [P|P]; [|nra].
    assert (Iq : In q (filter (fun q => positive (fst q)) r)) by (apply filter_In; split; auto; apply
      positive_spec; auto).
    apply Best in Iq. assert (th * fst q <= fst (snd q) / fst q * fst q) by (apply Qmult_le_compat_r; lra).
    setoid_replace (fst (snd q) / fst q * fst q) with (fst (snd q)) in H by (field; lra). lra. }
  assert (Len : length r = length l) by (rewrite <- (Permutation_length Pr), map_length; auto).
  set (l1 := map new (filter (fun q => positive (fst (new q))) r)).
  assert (Less : (length l1 < length l)%nat).
  { unfold l1. rewrite map_length, <- Len.
    assert (T : forall s : list (Q * (Q * X)), filter (fun _ => true) s = s) by (induction s as [|a s IHs];
      simpl; congruence).
    rewrite <- (T r) at 2. apply filter_fewer; auto. exists m. split; auto. split; auto. apply
      not_true_is_false. rewrite positive_spec.
    simpl. unfold th. setoid_replace (fst (snd m) / fst m * fst m) with (fst (snd m)) by (field; lra). lra. }
  destruct (IH (length l1)) with (l := l1) as (l' & L1 & L2 & L3); auto.
  { lia. }
  { intros q Hq. apply in_map_iff in Hq. destruct Hq as (q' & <- & Hq). apply filter_In in Hq. apply
    positive_spec. tauto. }
  exists l'. split; auto. split.
  - intros q Hq. apply L2 in Hq. destruct Hq as [Hq I]. split; auto. apply in_map_iff in I. destruct I as (q1 &
    E1 & I).
    apply in_map_iff in I. destruct I as (q2 & E2 & I). apply filter_In in I. subst q1. simpl in E1. rewrite <-
      E1.
    apply in_map. apply (Permutation_in _ Pr), in_map. tauto.
  - intros k Hk. rewrite (L3 k Hk). unfold l1. rewrite sum_map, sum_filter.
    rewrite <- (sum_perm _ _ _ Pr), sum_map.
    rewrite (sum_eq _ (fun q => fst (snd q) * v (snd (snd q)) k + (- th) * (fst q * v (snd (snd q)) k))).
    + rewrite sum_plus, sum_scale, (Zr k Hk). lra.
    + intros q Hq. destruct (positive (fst (new q))) eqn:P. simpl. lra. apply positive_false in P. pose proof
      (Nn q Hq) as Q0.
      assert (Z : fst (new q) == 0) by lra. simpl in Z.
      setoid_replace (fst (snd q) * v (snd (snd q)) k + - th * (fst q * v (snd (snd q)) k)) with ((fst (snd q)
        - th * fst q) * v (snd (snd q)) k) by ring.
      rewrite Z. lra.
Qed.
(** How many edges of m end at node x: at most one. The loads, counted slot by slot. *)
Definition no_edge := Edge 0 0 0.
Definition at_node (es : list edge) (side : edge -> Z) (x : Z) (m : list nat) : Q :=
  sum (fun i => if listed i m && (side (nth i es no_edge) =? x)%Z then 1 else 0) (seq 0 (length es)).
Lemma at_node_le es side x m : side = left \/ side = right -> matching es m -> at_node es side x m <= 1.
Proof.
  intros Hs (M1 & M2 & M3). unfold at_node. set (b i := listed i m && (side (nth i es no_edge) =? x)%Z).
  change (sum (fun i => if b i then 1 else 0) (seq 0 (length es)) <= 1). destruct (existsb b (seq 0 (length
    es))) eqn:E.
  - apply existsb_exists in E. destruct E as (k & _ & Ek). apply (sum_at_most_one (seq 0 (length es)) b k 1).
    lra. apply seq_NoDup.
    intros i Ei. unfold b in Ei, Ek. apply andb_true_iff in Ei, Ek. rewrite listed_in, Z.eqb_eq in Ei, Ek.
    destruct Ei as [Ii Ei], Ek as [Ik Ek]. destruct (Nat.eq_dec i k) as [|N]; auto. exfalso.
    destruct (M3 i k _ _ Ii Ik N (nth_error_nth' _ no_edge (M2 i Ii)) (nth_error_nth' _ no_edge (M2 k Ik))) as
      [Dl Dr].
    destruct Hs as [->| ->]; congruence.
  - rewrite (sum_eq _ (fun _ => 0)), sum_zero. lra. intros i Hi. apply (existsb_false _ _ E) in Hi. rewrite Hi.
    lra.
Qed.
Lemma weight_served es side x sl : (forall i e, nth_error es i = Some e -> served i sl == weight e) ->
  sum (fun s => fst s * at_node es side x (snd s)) sl == weight_at side x es.
Proof.
  intros Hs. unfold weight_at. rewrite sum_filter, <- (sum_nth (fun e => if (side e =? x)%Z then weight e else
    0) es no_edge).
  rewrite (sum_eq _ (fun s => sum (fun i => if listed i (snd s) && (side (nth i es no_edge) =? x)%Z then fst s
    else 0) (seq 0 (length es)))).
  - rewrite sum_swap. apply sum_eq. intros i Hi. apply in_seq in Hi.
    assert (Ei : nth_error es i = Some (nth i es no_edge)) by (apply nth_error_nth'; lia).
    destruct (side _ =? x)%Z.
    + rewrite <- (Hs i _ Ei). unfold served. rewrite sum_filter. apply sum_eq. intros s _. destruct (listed i
      (snd s)); simpl; lra.
    + rewrite <- (sum_zero sl). apply sum_eq. intros s _. destruct (listed i (snd s)); simpl; lra.
  - intros s _. unfold at_node. rewrite <- sum_scale. apply sum_eq. intros i _. destruct (listed i (snd s) &&
    _); lra.
Qed.

(** No shorter time is enough. *)
Theorem decomposed_weights es D slots side x : side = left \/ side = right -> decomposed es D slots ->
  weight_at side x es <= D.
Proof.
  intros Hs (S1 & S2 & S3). rewrite <- (weight_served es side x slots S3), <- S2. apply sum_le. intros [d m] H.
    simpl.
  destruct (S1 d m H) as [Hd Hm]. pose proof (at_node_le es side x m Hs Hm). nra.
Qed.
Theorem koenig_iff es D : 0 <= D -> (forall e, In e es -> 0 <= weight e) ->
  (exists slots, decomposed es D slots) <-> (forall x, weight_at left x es <= D /\ weight_at right x es <= D).
Proof.
  intros HD Hw. split.
  - intros (slots & H) x. split; eapply decomposed_weights; eauto.
  - intros H. apply koenig; auto; apply H.
Qed.

(** At most as many matchings as edges, when D is the largest weight_at. *)
Theorem koenig_few es D : (forall e, In e es -> 0 <= weight e) ->
  (forall x, weight_at left x es <= D /\ weight_at right x es <= D) -> (exists x, weight_at left x es == D \/
    weight_at right x es == D) ->
  exists slots, decomposed es D slots /\ (length slots <= length es)%nat.
Proof.
  intros Hw Hl Tight.
  assert (HD : 0 <= D). { apply Qle_trans with (weight_at left 0%Z es). apply sum_nonneg. intros e He. apply
    filter_In in He. apply Hw; tauto. apply Hl. }
  destruct (koenig es D HD Hw) as (slots & S1 & S2 & S3). apply Hl. apply Hl.
  set (v (m : list nat) (i : nat) := if listed i m then 1 else 0 : Q).
  assert (Sv : forall i l, served i l == sum (fun s => fst s * v (snd s) i) l).
  { intros i l. unfold served. rewrite sum_filter. apply sum_eq. intros s _. unfold v. destruct (listed i (snd
    s)); lra. }
  destruct (caratheodory (length es) v slots) as (l & L1 & L2 & L3). intros [d m] H. apply (S1 d m H).
  exists l. split; auto.
  assert (Sl : forall i e, nth_error es i = Some e -> served i l == weight e).
  { intros i e He. rewrite <- (S3 i e He), !Sv. apply L3. apply nth_error_Some. congruence. }
  assert (Old : forall d m, In (d, m) l -> 0 < d /\ exists d', In (d', m) slots).
  { intros d m H. apply L2 in H. simpl in H. destruct H as [Hd I]. split; auto. apply in_map_iff in I. destruct
    I as ([d' m'] & E & I).
    simpl in E. subst m'. eauto. }
  split; [|split; auto].
  - intros d m H. destruct (Old d m H) as [Hd (d' & I)]. split; auto. apply (S1 d' m I).
  - (* the tight node is busy in every slot *)
    assert (exists side x, (side = left \/ side = right) /\ weight_at side x es == D) as (side & x & Hs & T).
    { destruct Tight as (x & [T|T]); [exists left, x|exists right, x]; auto. }
    assert (Full : forall d m, In (d, m) slots -> at_node es side x m == 1).
    { intros d m H. destruct (S1 d m H) as [Hd Hm]. pose proof (at_node_le es side x m Hs Hm).
      assert (d * (1 - at_node es side x m) <= 0); [|nra].
      apply Qle_trans with (sum (fun s => fst s * (1 - at_node es side x (snd s))) slots).
      - apply (sum_member (fun s => fst s * (1 - at_node es side x (snd s))) slots (d, m)); auto. intros [d'
        m'] H'. simpl.
        destruct (S1 d' m' H') as [Hd' Hm']. pose proof (at_node_le es side x m' Hs Hm'). apply
          Qmult_le_0_compat; lra.
      - rewrite (sum_eq _ (fun s => fst s + (-1) * (fst s * at_node es side x (snd s)))) by (intros; lra).
        rewrite sum_plus, sum_scale, (weight_served es side x slots S3), S2, T. lra. }
    rewrite <- T, <- (weight_served es side x l Sl). apply sum_eq. intros [d m] H. simpl.
    destruct (Old d m H) as [_ (d' & I)]. rewrite (Full d' m I). lra.
Qed.
