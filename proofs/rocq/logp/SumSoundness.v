(** What the checker of summations accepts is one, and the messages of a summation bring every operand to the
    root. *)
From Coq Require Import ZArith QArith Qround List Lia Lqa Bool FMapPositive Permutation.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Summation Checker SumChecker Soundness.
Import ListNotations.
Open Scope Z_scope.

(** ** Every operand is in the result once *)

Lemma shorter {A} (b : A -> bool) l : (length (filter b l) <= length l)%nat.
Proof. induction l as [|x l IH]; cbn [filter length]; [lia|]. destruct (b x); cbn [length]; lia. Qed.

Section Adds_up.
Variables (m : machine) (a : summation) (t : Q).
Hypothesis Positive : (0 < delay m)%Q.
Hypothesis V : valid_summation m a t.
Variable own : Z -> Z.

Fixpoint sum_of (fuel : nat) (q : Z) : Z :=
  match fuel with
  | O => 0
  | S fuel => own q + total (fun x => sum_of fuel (sender x)) (filter (fun x => receiver x =? q) (messages a))
  end.

(** How many messages start before a time. *)
Definition earlier (u : Q) : nat := length (filter (fun x => negb (Qle_bool u (start x))) (messages a)).

Lemma one_message x y : In x (messages a) -> In y (messages a) -> sender x = sender y -> x = y.
Proof.
  destruct V as [_ [_ [N _]]]. revert N. generalize (messages a). induction l as [|z l IH]; cbn [map];
    intros N Hx Hy E; [easy|].
  inversion N as [|b l' Hb N']; subst. destruct Hx as [<-|Hx], Hy as [<-|Hy]; auto.
  - exfalso. apply Hb. rewrite E. now apply in_map.
  - exfalso. apply Hb. rewrite <- E. now apply in_map.
Qed.

Lemma earlier_less x u : In x (messages a) -> (start x < u)%Q -> (earlier (start x) < earlier u)%nat.
Proof.
  intros Hx L. unfold earlier. apply Nat.lt_le_trans with (length (x :: filter (fun y => negb (Qle_bool
    (start x) (start y))) (messages a))); [cbn; lia|].
  assert (B : forall y w, negb (Qle_bool w (start y)) = true <-> (start y < w)%Q).
  { intros y w. rewrite negb_true_iff. split; intros H.
    - destruct (Qlt_le_dec (start y) w) as [|K]; [assumption|]. apply Qle_bool_iff in K. congruence.
    - destruct (Qle_bool w (start y)) eqn:K; [|reflexivity]. apply Qle_bool_iff in K. lra. }
  revert Hx. generalize (messages a). induction l as [|y l IH]; [easy|]. intros [->|Hx]; cbn [filter].
  - assert (negb (Qle_bool u (start x)) = true) as -> by (now apply B).
    assert (negb (Qle_bool (start x) (start x)) = false) as ->.
    { destruct (negb (Qle_bool (start x) (start x))) eqn:K; [|reflexivity]. apply B in K. lra. }
    cbn [length]. apply le_n_S. clear IH. induction l as [|y l IH]; cbn [filter length]; [lia|].
    destruct (negb (Qle_bool (start x) (start y))) eqn:K.
    + apply B in K. assert (negb (Qle_bool u (start y)) = true) as -> by (apply B; lra). cbn [length]. lia.
    + destruct (negb (Qle_bool u (start y))); cbn [length]; lia.
  - specialize (IH Hx). cbn [length] in IH.
    destruct (negb (Qle_bool (start x) (start y))) eqn:K.
    + apply B in K. assert (negb (Qle_bool u (start y)) = true) as -> by (apply B; lra). cbn [length]. lia.
    + destruct (negb (Qle_bool u (start y))); cbn [length]; lia.
Qed.

(** What a sender receives started before its own message. *)
Lemma received_before x y : In x (messages a) -> In y (messages a) -> receiver x = sender y -> (start x <
  start y)%Q.
Proof.
  intros Hx Hy E. destruct V as [V1 [_ [_ [_ [_ [V6 _]]]]]].
  destruct (V6 x Hx) as [[R _]|[z [Hz [Ez L]]]].
  - exfalso. destruct (V1 y Hy) as [_ [_ [_ [N _]]]]. congruence.
  - assert (z = y) as -> by (apply one_message; auto; congruence). cbn [ends] in L. unfold received in L. lra.
Qed.

Lemma enough_fuel : forall n k y, In y (messages a) -> (earlier (start y) < n)%nat -> (earlier (start y) <
  k)%nat ->
  sum_of n (sender y) = sum_of k (sender y).
Proof.
  induction n as [|n IH]; intros k y Hy L1 L2; [lia|]. destruct k as [|k]; [lia|]. cbn [sum_of]. f_equal.
  apply total_eq.
  intros x Hx. apply filter_In in Hx. destruct Hx as [Hx E]. apply Z.eqb_eq in E.
  pose proof (earlier_less x (start y) Hx (received_before x y Hx Hy E)). apply IH; [exact Hx|lia|lia].
Qed.

Lemma sums_exist : exists sum : Z -> Z,
  (forall q, sum q = own q + total (fun x => sum (sender x)) (filter (fun x => receiver x =? q) (messages
    a))) /\
  sum (root a) = total own (parties a).
Proof.
  set (full := S (length (messages a))). exists (sum_of (S full)).
  assert (Less : forall y, In y (messages a) -> (earlier (start y) < full)%nat).
  { intros y _. unfold earlier, full. apply le_n_S, shorter. }
  assert (Eq : forall q, sum_of (S full) q = own q + total (fun x => sum_of (S full) (sender x)) (filter (fun
    x => receiver x =? q) (messages a))).
  { intros q. cbn [sum_of]. f_equal. apply total_eq. intros x Hx. apply filter_In in Hx.
    destruct Hx as [Hx _].
    apply (enough_fuel full (S full)); [exact Hx| |]; specialize (Less x Hx); lia. }
  split; [exact Eq|]. set (sum := sum_of (S full)) in *. clearbody sum.
  destruct V as [V1 [_ [N [_ [_ [V6 _]]]]]].
  assert (Np : NoDup (parties a)).
  { constructor; [|exact N]. intros I. apply in_map_iff in I. destruct I as [x [E Hx]].
    destruct (V1 x Hx) as [_ [_ [_ [K _]]]]. congruence. }
  assert (All : total sum (parties a) = total own (parties a) + total (fun x => sum (sender x)) (messages a)).
  { rewrite (total_eq sum (fun q => own q + total (fun x => if receiver x =? q then sum (sender x) else 0)
    (messages a))).
    2:{ intros q _. rewrite Eq at 1. f_equal. apply total_filter. }
    rewrite total_plus, total_swap. f_equal. apply total_eq. intros x Hx.
    assert (I : In (receiver x) (parties a)).
    { destruct (V6 x Hx) as [[R _]|[z [Hz [Ez _]]]]; [left; congruence|right]. rewrite <- Ez.
      now apply in_map. }
    revert Np I. generalize (parties a). intros l Nl. induction Nl as [|q l Hq Nl IH]; intros I; [easy|].
    cbn [total].
    destruct (Z.eqb_spec (receiver x) q) as [E|Ne].
    - rewrite (total_eq _ (fun _ => 0)); [rewrite total_zero; lia|]. intros w Hw.
      destruct (Z.eqb_spec (receiver x) w); [|reflexivity]. subst. contradiction.
    - destruct I as [I|I]; [congruence|]. rewrite IH by exact I. lia. }
  unfold parties in All at 1. cbn [total] in All. rewrite total_map in All. lia.
Qed.
End Adds_up.

Theorem every_operand_counts m a t : (0 < delay m)%Q -> valid_summation m a t -> adds_up a.
Proof. intros P V own. now apply (sums_exist m a t P V). Qed.

(** ** The checker *)

Lemma table_of_rows rows q u : PositiveMap.find (key q) (of_list (map (fun x => (key (from x), at_ x)) rows))
  = Some u ->
  exists x, In x rows /\ from x = q /\ at_ x = u.
Proof.
  induction rows as [|x rows IH]; cbn [map of_list]; intros H.
  - now rewrite PositiveMap.gempty in H.
  - destruct (Z.eq_dec (from x) q) as [E|N].
    + rewrite <- E, PositiveMap.gss in H. exists x. injection H as <-. split; [now left|tauto].
    + rewrite PositiveMap.gso in H by (intros K; apply key_injective in K; congruence).
      destruct (IH H) as [y [Hy R]]. exists y. split; [now right|exact R].
Qed.

(** A piece of work in units. *)
Inductive part := part_send (r : row) | part_receive (r : row) | part_add (y : added).
Definition event_of (c : clock) (w : part) : event :=
  match w with
  | part_send r => Event (from r) (at_ r) (overhead_ c)
  | part_receive r => Event (to r) (at_ r + overhead_ c + latency_ c) (overhead_ c + Zpos (unit_ c))
  | part_add y => Event (by_ y) (since y) (many y * Zpos (unit_ c))
  end.
Definition piece_of (c : clock) (w : part) : piece :=
  match w with
  | part_send r => sending (message_of c r)
  | part_receive r => receiving (message_of c r)
  | part_add y => adding (addition_of c y)
  end.

Section Checked.
Variables (c : clock) (ps : list Z).
Let m := machine_of c ps.

Lemma units_whole n : (inject_Z n == (n * Zpos (unit_ c) # unit_ c))%Q.
Proof. unfold Qeq, inject_Z. cbn [Qnum Qden]. lia. Qed.
Lemma piece_starts w : (starts m (piece_of c w) == (begins (event_of c w) # unit_ c))%Q.
Proof. destruct w; cbn [piece_of starts event_of begins]; [reflexivity|apply units_arrives|reflexivity]. Qed.
Lemma piece_ends w : (ends m (piece_of c w) == (begins (event_of c w) + lasts (event_of c w) # unit_ c))%Q.
Proof.
  destruct w as [r|r|y]; cbn [piece_of ends event_of begins lasts].
  - apply units_sent.
  - unfold m. rewrite units_received. change 1%Q with (inject_Z 1). rewrite units_whole, units_plus.
    unfold delay_.
    apply eq_subrelation; [typeclasses eauto|]. f_equal. lia.
  - cbn [addition_of begin operands]. rewrite units_whole. apply units_plus.
Qed.
Lemma piece_worker w : worker (piece_of c w) = whose (event_of c w).
Proof. now destruct w. Qed.
End Checked.

Theorem check_summation_sound c ps r rows adds t n :
  check_summation c ps r rows adds t n = true -> sums_within (machine_of c ps) (t # unit_ c) n.
Proof.
  unfold check_summation. cbv zeta. intros H. apply andb_prop in H. destruct H as [H Hn].
  apply andb_prop in H.
  destruct H as [H Ho]. apply andb_prop in H. destruct H as [H Hr]. apply andb_prop in H.
  destruct H as [H Hd].
  apply andb_prop in H. destruct H as [H Ha]. apply andb_prop in H. destruct H as [H Hm].
  apply andb_prop in H.
  destruct H as [Sane Hroot]. apply member_spec in Hroot. apply Z.eqb_eq in Hn. apply distinct_sound in Hd.
  destruct Hd as [Hd _].
  destruct (sane_facts c Sane) as [Lp [Op Gp]]. rewrite forallb_forall in Hm, Ha.
  set (m := machine_of c ps). set (a := summation_of c r rows adds).
  set (complete := fun q time => if q =? r then time <=? t
    else match PositiveMap.find (key q) (of_list (map (fun x => (key (from x), at_ x)) rows)) with
         | Some u => time <=? u | None => false end) in *.
  assert (Complete : forall q time e, complete q time = true -> (e == (time # unit_ c))%Q -> complete_by a (t
    # unit_ c) q e).
  { intros q time e H E. unfold complete in H. unfold complete_by. destruct (Z.eqb_spec q r) as [->|N].
    - left. split; [reflexivity|]. rewrite E. apply units_le. now apply Z.leb_le.
    - right. destruct (PositiveMap.find _ _) as [u|] eqn:F; [|discriminate]. apply Z.leb_le in H.
      destruct (table_of_rows rows q u F) as [x [Hx [Ex Ux]]]. exists (message_of c x).
      split; [cbn; now apply in_map|]. split; [exact Ex|]. rewrite E. cbn [message_of start]. apply units_le.
      lia. }
  assert (Valid : valid_summation m a (t # unit_ c)).
  { split; [|split; [|split; [|split; [|split; [|split]]]]].
    - intros x Hx. cbn [a messages summation_of] in Hx. apply in_map_iff in Hx. destruct Hx as [z [<- Hz]].
      specialize (Hm z Hz). repeat (apply andb_prop in Hm; destruct Hm as [Hm ?]).
      apply member_spec in Hm, H3.
      apply negb_true_iff, Z.eqb_neq in H1, H2. apply Z.leb_le in H0.
      cbn [message_of sender receiver start root a summation_of].
      repeat split; auto. change 0%Q with (0 # 1)%Q. unfold Qle. cbn. lia.
    - intros y Hy. cbn [a additions summation_of] in Hy. apply in_map_iff in Hy. destruct Hy as [z [<- Hz]].
      specialize (Ha z Hz). repeat (apply andb_prop in Ha; destruct Ha as [Ha ?]). apply member_spec in Ha.
      apply Z.leb_le in H1. apply Z.ltb_lt in H0. cbn [addition_of adder begin operands].
      repeat split; auto. change 0%Q with (0 # 1)%Q. unfold Qle. cbn. lia.
    - cbn [a messages summation_of]. rewrite map_map. cbn [message_of sender]. exact Hd.
    - cbn [a messages summation_of]. apply pairs_map.
      destruct (one_by_one_sound _ (receptions_last c rows _ (Z.lt_le_incl _ _ Gp)) _ Hr) as [F _].
      unfold receptions_of in F. apply pairs_of_map in F. refine (pairs_weaken _ _ _ _ F).
      intros x y _ _ Aw E.
      unfold away in Aw. cbn [whose begins lasts message_of receiver] in *. unfold apart, m.
      rewrite !units_arrives.
      destruct (Aw E) as [L|L]; [left|right]; cbn [machine_of gap]; rewrite units_plus; now apply units_le.
    - set (parts := map part_send rows ++ map part_receive rows ++ map part_add adds).
      assert (E1 : pieces a = map (piece_of c) parts).
      { unfold pieces, parts. cbn [a messages additions summation_of]. now rewrite !map_app, !map_map. }
      assert (E2 : Permutation (merge (merge (sends_of (overhead_ c) rows) (receptions_of c (overhead_ c +
        Zpos (unit_ c)) rows)) (additions_of c adds))
        (map (event_of c) parts)).
      { rewrite merge_permutes. unfold parts. rewrite !map_app, !map_map. rewrite app_assoc.
        apply Permutation_app; [|reflexivity].
        apply merge_permutes. }
      assert (La : forall e, In e (additions_of c adds) -> 0 <= lasts e).
      { intros e He. apply in_map_iff in He. destruct He as [y [<- Hy]]. specialize (Ha y Hy).
        repeat (apply andb_prop in Ha; destruct Ha as [Ha ?]). apply Z.ltb_lt in H0. cbn [lasts]. lia. }
      destruct (one_by_one_sound _ (merge_last _ _ (merge_last _ _ (sends_last c rows _ Op)
        (receptions_last c rows (overhead_ c + Zpos (unit_ c)) ltac:(lia))) La) _ Ho) as [F _].
      apply (pairs_permuted _ _ _ away_symmetric E2) in F. rewrite E1. apply pairs_map.
      apply pairs_of_map in F.
      refine (pairs_weaken _ _ _ _ F). intros v w _ _ Aw E. rewrite !piece_worker in E. unfold m.
      rewrite !piece_ends, !piece_starts, !units_le. exact (Aw E).
    - intros x Hx. cbn [a messages summation_of] in Hx. apply in_map_iff in Hx. destruct Hx as [z [<- Hz]].
      specialize (Hm z Hz). apply andb_prop in Hm. destruct Hm as [_ Hm]. cbn [message_of receiver].
      apply (Complete _ (at_ z + delay_ c + Zpos (unit_ c))); [exact Hm|].
      pose proof (piece_ends c ps (part_receive z)) as E. cbn [piece_of] in E. unfold m. rewrite E.
      cbn [event_of begins lasts].
      unfold delay_. apply eq_subrelation; [typeclasses eauto|]. f_equal. lia.
    - intros y Hy. cbn [a additions summation_of] in Hy. apply in_map_iff in Hy. destruct Hy as [z [<- Hz]].
      specialize (Ha z Hz). apply andb_prop in Ha. destruct Ha as [_ Ha]. cbn [addition_of adder].
      apply (Complete _ (since z + many z * Zpos (unit_ c))); [exact Ha|].
      apply (piece_ends c ps (part_add z)). }
  exists a. split; [exact Hroot|]. split; [exact Valid|]. split.
  - apply (every_operand_counts m a (t # unit_ c)); [|exact Valid]. unfold m. rewrite units_delay.
    assert (0 < delay_ c) by (unfold delay_; lia). unfold Qlt. cbn [Qnum Qden]. lia.
  - rewrite Hn. unfold number_of_operands, parties. cbn [a messages additions summation_of length root].
    rewrite !map_length, total_ones, total_map.
    rewrite (total_eq (fun x => operands (addition_of c x)) many) by reflexivity. lia.
Qed.
