(** Networks, the capacity of cuts, and flows given arc by arc: what the checkers share, and why the gains of
    the nodes of a set add up to what flows into the set minus what flows out of it. *)
From Coq Require Import QArith List ZArith Lia Lqa Bool FMapPositive.
From Exactsched.minmax Require Import Sums Definitions Tables.
Import ListNotations.
Open Scope Q_scope.

Definition is_node (N : network) (v : Z) : bool := (0 <=? v)%Z && (v <? size N)%Z.
Definition check_network (N : network) : bool :=
  (0 <? size N)%Z &&
  all (fun a => is_node N (tail a) && is_node N (head a) && Qle_bool 0 (measure a)) (arcs N).
(** The capacity that enters a set of nodes. *)
Definition entering_capacity (N : network) (S : Z -> bool) : Q :=
  added (fun a => if enters S a then capacity a else 0) (arcs N).

(** Amounts on some arcs: no arc is named twice, none carries more than its capacity. *)
Definition amounts_fit (arc_of : table arc) (F : list (Z * Q)) : bool :=
  match distinct (fun p => key (fst p)) F with
  | Some _ => all (fun p => match find (fst p) arc_of with
      | Some a => Qle_bool 0 (snd p) && Qle_bool (snd p) (capacity a) | None => false end) F
  | None => false
  end.
Definition transfers (arc_of : table arc) (F : list (Z * Q)) : weighted :=
  fold_left (fun rows p => match find (fst p) arc_of with
    | Some a => (snd p, [head a]) :: (- snd p, [tail a]) :: rows | None => rows end) F [].

Lemma is_node_spec N v : is_node N v = true -> node N v.
Proof. unfold is_node, node. intros H. split_tests. lia. Qed.
Lemma check_network_sound N : check_network N = true -> well_formed N.
Proof.
  unfold check_network, well_formed. intros H. split_tests. split; auto. intros a Ha.
  eapply all_spec in Ha; eauto. cbn in Ha. split_tests. auto using is_node_spec.
Qed.
Lemma entering_capacity_spec N S : entering_capacity N S == entering N S.
Proof. unfold entering_capacity, entering. rewrite added_spec, sum_filter. reflexivity. Qed.
Lemma entering_ext N (S S' : Z -> bool) : well_formed N -> (forall v, node N v -> S v = S' v) ->
  entering N S == entering N S'.
Proof.
  intros W E. unfold entering. rewrite !sum_filter. apply sum_eq. intros a Ha. unfold enters.
  apply W in Ha. destruct Ha as (T & H & _). rewrite (E _ T), (E _ H). reflexivity.
Qed.
Lemma leaving_entering N (S : Z -> bool) : leaving N S = entering N (fun v => negb (S v)).
Proof.
  unfold leaving, entering. f_equal. apply filter_ext. intros a. unfold leaves, enters.
  rewrite negb_involutive. apply andb_comm.
Qed.

Definition at_node (v w : Z) : Q := if Z.eqb w v then 1 else 0.
Lemma gain_spec N f v :
  gain N f v == sum (fun '(i, a) => f i * (at_node v (head a) - at_node v (tail a))) (numbered (arcs N)).
Proof.
  unfold gain, inflow, outflow. rewrite !sum_filter, <- sum_minus. apply sum_eq. intros [i a] _.
  unfold at_node. destruct (head a =? v)%Z, (tail a =? v)%Z; ring.
Qed.
(** What the nodes of a set gain is what enters it minus what leaves it. *)
Lemma gains_of_set N f (S : Z -> bool) : well_formed N ->
  sum (fun v => if S v then gain N f v else 0) (below (size N)) ==
  sum (fun '(i, a) => (if enters S a then f i else 0) - (if leaves S a then f i else 0)) (numbered (arcs N)).
Proof.
  intros [Size W]. set (bit (v : Z) := if S v then 1 else 0).
  assert (P : forall w, node N w -> sum (fun v => bit v * at_node v w) (below (size N)) == bit w).
  { intros w Hw. rewrite (sum_only (fun v => bit v * at_node v w) (below (size N)) w).
    - unfold at_node. rewrite Z.eqb_refl. ring.
    - apply nodup_below. lia.
    - apply in_below; [lia|]. exact Hw.
    - intros y _ D. unfold at_node. destruct (Z.eqb_spec w y); [congruence|]. ring. }
  set (given v (ia : Z * arc) := let (i, a) := ia in f i * (at_node v (head a) - at_node v (tail a))).
  rewrite (sum_eq _ (fun v : Z => sum (fun ia => bit v * given v ia) (numbered (arcs N)))).
  2: { intros v _. assert (G : gain N f v == sum (given v) (numbered (arcs N))) by apply gain_spec.
       rewrite (sum_scale (bit v) (given v)), <- G. unfold bit. destruct (S v); ring. }
  rewrite sum_swap. apply sum_eq. intros [i a] Ha. apply entry_in, W in Ha. destruct Ha as (Ht & Hh & _).
  rewrite (sum_eq _ (fun v => f i * (bit v * at_node v (head a) - bit v * at_node v (tail a)))).
  2: intros v _; unfold given; ring.
  rewrite sum_scale, sum_minus, !P by auto. unfold bit, enters, leaves.
  destruct (S (head a)), (S (tail a)); cbn; ring.
Qed.
(** If a set gains in one node only, then at least this much enters it. *)
Lemma gain_enters N f (S : Z -> bool) v :
  well_formed N -> (forall i a, entry (arcs N) i a -> 0 <= f i <= capacity a) -> node N v -> S v = true ->
  (forall w, node N w -> S w = true -> w <> v -> gain N f w == 0) -> gain N f v <= entering N S.
Proof.
  intros W F Hv Sv C.
  assert (E : sum (fun v => if S v then gain N f v else 0) (below (size N)) == gain N f v).
  { destruct W as [Size _]. rewrite (sum_only _ _ v), Sv. reflexivity. apply nodup_below; lia.
    apply in_below; auto; lia.
    intros y Hy D. destruct (S y) eqn:Sy; [|reflexivity]. apply C; auto. apply in_below in Hy; auto. lia. }
  rewrite <- E, gains_of_set by auto. unfold entering. rewrite sum_filter.
  rewrite <- (sum_numbered (fun a => if enters S a then capacity a else 0)). apply sum_le. intros [i a] Ha.
  apply F in Ha. unfold enters, leaves. destruct (S (head a)), (S (tail a)); cbn; lra.
Qed.

(** The flow that the amounts describe. *)
Definition amount_on (F : list (Z * Q)) (i : Z) : Q := sum (fun p => if Z.eqb (fst p) i then snd p else 0) F.
Lemma amounts_fit_spec N F : amounts_fit (index (arcs N)) F = true -> well_formed N ->
  (forall i a, entry (arcs N) i a -> 0 <= amount_on F i <= capacity a) /\
  (forall p, In p F -> exists a, find (fst p) (index (arcs N)) = Some a).
Proof.
  unfold amounts_fit. destruct (distinct _ F) as [t|] eqn:D; [|easy]. intros A W. apply distinct_spec in D.
  destruct D as [Nd _]. split.
  - intros i a Ha. unfold amount_on. destruct (in_dec Z.eq_dec i (map fst F)) as [I|I].
    + apply in_map_iff in I. destruct I as ([j x] & Ej & Hx). simpl in Ej. subst j.
      rewrite (sum_only _ F (i, x)); auto.
      * cbn [fst snd]. rewrite Z.eqb_refl. pose proof (all_spec _ _ A _ Hx) as T. cbn [fst snd] in T.
        destruct (find i _) as [b|] eqn:Eb; [|easy]. apply index_spec in Eb.
        rewrite (entry_unique _ _ _ _ Ha Eb). split_tests. auto.
      * eapply nodup_keys; eauto.
      * intros [j y] Hy D. cbn [fst snd]. destruct (Z.eqb_spec j i) as [->|]; [|reflexivity]. destruct D.
        clear - Nd Hx Hy. induction F as [|p F IH]; [easy|]. cbn [map] in Nd. apply NoDup_cons_iff in Nd.
        destruct Nd as [Np Nd].
        destruct Hx as [->|Hx], Hy as [E|Hy]; auto; [|subst p]; destruct Np; apply in_map_iff; eexists;
          (split; [|eauto]); auto.
    + rewrite (sum_eq _ (fun _ => 0)), sum_zero. destruct W as [_ W]. apply entry_in, W in Ha.
      unfold capacity. lra.
      intros [j y] Hy. cbn [fst snd]. destruct (Z.eqb_spec j i) as [->|]; [|reflexivity]. destruct I.
      apply in_map_iff. exists (i, y). auto.
  - intros p Hp. pose proof (all_spec _ _ A _ Hp) as T. cbn in T. destruct (find (fst p) _); [eauto|easy].
Qed.
Lemma transfers_sum (t : table arc) F g : sum g (transfers t F) == sum (fun p => match find (fst p) t with
    | Some a => g (snd p, [head a]) + g (- snd p, [tail a]) | None => 0 end) F.
Proof.
  unfold transfers. enough (G : forall rows, sum g (fold_left (fun rows p => match find (fst p) t with
    | Some a => (snd p, [head a]) :: (- snd p, [tail a]) :: rows | None => rows end) F rows) ==
    sum (fun p => match find (fst p) t with
    | Some a => g (snd p, [head a]) + g (- snd p, [tail a]) | None => 0 end) F + sum g rows).
  { rewrite G. simpl. ring. }
  induction F as [|p F IH]; intros rows; cbn [fold_left sum]. ring.
  rewrite IH. destruct (find (fst p) t); cbn [sum]; ring.
Qed.
Lemma transfers_balance N F v : amounts_fit (index (arcs N)) F = true -> well_formed N ->
  balance (posted key (transfers (index (arcs N)) F)) (key v) == gain N (amount_on F) v.
Proof.
  intros A W. apply amounts_fit_spec in A; auto. destruct A as [_ A].
  rewrite balance_spec, transfers_sum, gain_spec. unfold amount_on.
  rewrite (sum_eq (fun '(i, a) => _) (fun ia => sum (fun p => if Z.eqb (fst ia) (fst p) then
     snd p * (at_node v (head (snd ia)) - at_node v (tail (snd ia))) else 0) F) (numbered (arcs N))).
  2: { intros [i a] _. cbn [fst snd]. rewrite Qmult_comm, <- sum_scale. apply sum_eq. intros p _.
       rewrite Z.eqb_sym. destruct (i =? fst p)%Z; ring. }
  rewrite sum_swap. apply sum_eq. intros p Hp. destruct (A _ Hp) as [a E]. rewrite E. apply index_spec in E.
  pose proof (sum_entry (fun a => snd p * (at_node v (head a) - at_node v (tail a))) _ _ _ E) as S.
  rewrite (sum_eq _ (fun '(j, y) =>
    if (j =? fst p)%Z then snd p * (at_node v (head y) - at_node v (tail y)) else 0)), S.
  2: intros [j b] _; reflexivity.
  assert (K : forall w, times key (key v) [w] == at_node v w).
  { intros w. unfold times, at_node. cbn [sum]. destruct (Pos.eqb_spec (key w) (key v)) as [Ek|Ek],
      (Z.eqb_spec w v); try ring.
    apply key_eq in Ek. contradiction. subst. contradiction. }
  cbn [fst snd]. rewrite !K. ring.
Qed.
Lemma transfers_single (t : table arc) F r : In r (transfers t F) -> exists w, snd r = [w].
Proof.
  unfold transfers. enough (G : forall rows, (forall r, In r rows -> exists w, snd r = [w]) -> forall r,
    In r (fold_left (fun rows p => match find (fst p) t with
      | Some a => (snd p, [head a]) :: (- snd p, [tail a]) :: rows | None => rows end) F rows) ->
        exists w, snd r = [w]).
  { apply G. easy. }
  induction F as [|p F IH]; intros rows B r' H; cbn [fold_left] in *; [auto|]. eapply IH; [|apply H].
  intros q Hq. destruct (find (fst p) _); [|auto]. destruct Hq as [<-|[<-|Hq]]; cbn; eauto.
Qed.
(** A node that no amount touches gains nothing. *)
Lemma transfers_touch N F v : amounts_fit (index (arcs N)) F = true -> well_formed N ->
  (forall r, In r (transfers (index (arcs N)) F) -> snd r <> [v]) -> gain N (amount_on F) v == 0.
Proof.
  intros A W H. rewrite <- transfers_balance, balance_spec by auto.
  rewrite (sum_eq _ (fun _ => 0)), sum_zero. reflexivity.
  intros r Hr. specialize (H r Hr). apply transfers_single in Hr. destruct Hr as [w Ew]. rewrite Ew in *.
  rewrite times_absent. ring. intros x [<-|[]] E. apply key_eq in E. subst. auto.
Qed.
