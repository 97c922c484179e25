(** No summation adds more operands than the universal tree has time for. Backwards in time its messages are a
    broadcast of the root, of which the bounds are known; a processor works from 0 to the time when it sends. *)
From Coq Require Import ZArith QArith Qround List Lia Lqa Bool.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Summation Checker SumChecker Soundness Bounds SumSoundness.
Import ListNotations.
Open Scope Z_scope.

(** ** Times that are left, and work that is done one after the other *)

Lemma left_step k l : Z.max 0 (k + 1 - l) = Z.max 0 (k - l) + flag (l <=? k).
Proof. unfold flag. destruct (Z.leb_spec l k); lia. Qed.

Lemma left_at_most {A} (label : A -> Z) (things : list A) labels k :
  (forall x, In x things -> 0 <= label x) -> (forall l n, In (l, n) labels -> 0 <= n) ->
  (forall y, count (fun x => label x <=? y) things <= reached_by labels y) ->
  total (fun x => Z.max 0 (k - label x)) things <= left_until k labels.
Proof.
  intros N P H. enough (K : forall j, total (fun x => Z.max 0 (Z.of_nat j - label x)) things <= left_until
    (Z.of_nat j) labels).
  { destruct (Z_lt_le_dec k 0) as [L|L]; [|specialize (K (Z.to_nat k)); now rewrite Z2Nat.id in K].
    rewrite (total_eq _ (fun _ => 0)), total_zero.
    - apply total_nonneg. intros [l n] I. specialize (P l n I). cbn [fst snd]. nia.
    - intros x Hx. specialize (N x Hx). lia. }
  induction j as [|j IH].
  - rewrite (total_eq _ (fun _ => 0)), total_zero.
    + apply total_nonneg. intros [l n] I. specialize (P l n I). cbn [fst snd]. nia.
    + intros x Hx. specialize (N x Hx). lia.
  - replace (Z.of_nat (S j)) with (Z.of_nat j + 1) by lia. set (y := Z.of_nat j) in *. specialize (H y).
    rewrite (total_eq _ (fun x => Z.max 0 (y - label x) + flag (label x <=? y)))
      by (intros; apply left_step).
    rewrite total_plus. rewrite count_total in H.
    assert (E : left_until (y + 1) labels = left_until y labels + reached_by labels y).
    { unfold left_until, reached_by. rewrite <- total_plus. apply total_eq. intros [l n] _. cbn [fst snd].
      rewrite left_step. unfold flag. destruct (l <=? y); lia. }
    lia.
Qed.

Lemma one_at_a_time {A} (from len : A -> Z) until l :
  ForallOrdPairs (fun v w => from v + len v <= from w \/ from w + len w <= from v) l ->
  (forall w, In w l -> 0 <= from w /\ 0 <= len w /\ from w + len w <= until) -> 0 <= until ->
  total len l <= until.
Proof.
  intros F H U.
  assert (One : forall y, count (fun w => (from w <=? y) && (y <? from w + len w)) l <= 1).
  { intros y. clear H. induction F as [|v l Hv F IH]; cbn [count]; [lia|].
    destruct ((from v <=? y) && (y <? from v + len v)) eqn:E; [|lia].
    enough (count (fun w => (from w <=? y) && (y <? from w + len w)) l = 0) by lia.
    rewrite count_total, (total_eq _ (fun _ => 0)); [apply total_zero|]. intros w Hw.
    rewrite Forall_forall in Hv. specialize (Hv w Hw). apply andb_prop in E. destruct E as [E1 E2].
    apply Z.leb_le in E1. apply Z.ltb_lt in E2. unfold flag.
    destruct (Z.leb_spec (from w) y), (Z.ltb_spec y (from w + len w)); cbn [andb]; try reflexivity. lia. }
  assert (K : forall j, total (fun w => Z.max 0 (Z.min (from w + len w) (Z.of_nat j) - from w)) l <= Z.of_nat
    j).
  { induction j as [|j IH].
    - rewrite (total_eq _ (fun _ => 0)); [rewrite total_zero; lia|]. intros w Hw. specialize (H w Hw). lia.
    - specialize (One (Z.of_nat j)). rewrite count_total in One. set (y := Z.of_nat j) in *.
      rewrite (total_eq _ (fun w => Z.max 0 (Z.min (from w + len w) y - from w) +
        flag ((from w <=? y) && (y <? from w + len w)))).
      + rewrite total_plus. lia.
      + intros w Hw. specialize (H w Hw). unfold flag.
        destruct (Z.leb_spec (from w) y), (Z.ltb_spec y (from w + len w)); cbn [andb]; lia. }
  specialize (K (Z.to_nat until)). rewrite Z2Nat.id in K by exact U.
  rewrite (total_eq len (fun w => Z.max 0 (Z.min (from w + len w) until - from w))); [exact K|].
  intros w Hw. specialize (H w Hw). lia.
Qed.

Lemma all_pairs {A} (R : A -> A -> Prop) l : NoDup l ->
  (forall x y, In x l -> In y l -> x <> y -> R x y) -> ForallOrdPairs R l.
Proof.
  induction 1 as [|x l Hx N IH]; intros H; constructor.
  - apply Forall_forall. intros y Hy. apply H; [now left|now right|]. intros ->. contradiction.
  - apply IH. intros y z Hy Hz. apply H; now right.
Qed.

Lemma tick_plus u a z : tick u (a + (z # u)) = tick u a + z.
Proof.
  apply Z.le_antisymm; [|apply tick_le; lra].
  enough (tick u (a + (z # u)) + - z <= tick u a) by lia. apply tick_le.
  assert (E : ((z # u) + (- z # u) == 0)%Q) by (unfold Qeq, Qplus; cbn [Qnum Qden]; nia). lra.
Qed.
Lemma tick_mono u a b : (a <= b)%Q -> tick u a <= tick u b.
Proof.
  intros H. pose proof (tick_le u a b 0) as L. rewrite Z.add_0_r in L. apply L.
  assert (E : (0 # u == 0)%Q) by reflexivity. lra.
Qed.
Lemma whole_units u n : (inject_Z n == (n * Zpos u # u))%Q.
Proof. unfold Qeq, inject_Z. cbn. lia. Qed.

(** ** Every summation *)

Section Every_summation.
Variables (c : clock) (ps : list Z) (a : summation) (t : Q).
Hypothesis Sane : sane c = true.
Hypothesis Distinct : NoDup ps.
Hypothesis Root : In (root a) ps.
Let m := machine_of c ps.
Hypothesis V : valid_summation m a t.
Let u := unit_ c.
Let one := Zpos u.
Let T := tick u t.
Let d := delay_ (backwards c).
Let at_tick (x : message) : Z := tick u (start x).

Lemma backward_delay : d = delay_ c + one.
Proof. unfold d, backwards, delay_ at 1. cbn [latency_ overhead_]. unfold one, u. lia. Qed.
Lemma end_of_reception x : (ends m (receiving x) == start x + (d # u))%Q.
Proof.
  cbn [ends]. unfold received, m. rewrite (units_delay c ps), backward_delay.
  rewrite <- units_plus. unfold one, u.
  assert (E : (Zpos (unit_ c) # unit_ c == 1)%Q) by (unfold Qeq; cbn; lia). rewrite E. ring.
Qed.

(** Every processor sends before the end: the last message starts before it. *)
Lemma before_the_end x : In x (messages a) -> (start x + (d # u) <= t)%Q.
Proof.
  destruct (sane_facts c Sane) as [L0 [O0 G0]].
  assert (Dp : (0 <= d # u)%Q) by (rewrite backward_delay; unfold delay_, one, Qle; cbn [Qnum Qden]; lia).
  destruct V as [_ [_ [_ [_ [_ [V6 _]]]]]].
  assert (Last : forall l : list message, l <> [] -> exists z, In z l /\ forall y, In y l -> (start y <= start
    z)%Q).
  { induction l as [|y l IH]; intros N; [easy|]. destruct l as [|w l].
    - exists y. split; [now left|]. intros z [->|[]]. lra.
    - destruct IH as [z [Hz Lz]]; [easy|]. destruct (Qlt_le_dec (start z) (start y)) as [K|K].
      + exists y. split; [now left|]. intros v [->|Hv]; [lra|]. specialize (Lz v Hv). lra.
      + exists z. split; [now right|]. intros v [->|Hv]; [exact K|auto]. }
  intros Hx. destruct (Last (messages a)) as [z [Hz Lz]]; [intros E; now rewrite E in Hx|].
  assert (Ez : (start z + (d # u) <= t)%Q).
  { destruct (V6 z Hz) as [[_ K]|[y [Hy [_ K]]]]; rewrite end_of_reception in K; [exact K|].
    specialize (Lz y Hy). assert (0 < d # u)%Q.
    { rewrite backward_delay. unfold delay_, one, Qlt. cbn [Qnum Qden]. lia. } lra. }
  specialize (Lz x Hx). lra.
Qed.

Lemma ticks_before_the_end x : In x (messages a) -> at_tick x + d <= T.
Proof. intros Hx. exact (tick_le u _ _ _ (before_the_end x Hx)). Qed.

(** The schedule backwards in time, from the whole number T of units on. *)
Let back (x : message) : message := Message (receiver x) (sender x) 0 (T - at_tick x - d # u).
Let backward : list message := map back (messages a).
Let p : problem := broadcast (machine_of (backwards c) ps) (root a) [0].

Lemma backward_sane : sane (backwards c) = true.
Proof.
  destruct (sane_facts c Sane) as [L0 [O0 G0]]. unfold sane, backwards, delay_.
  cbn [latency_ overhead_ gap_].
  repeat (apply andb_true_intro; split); [apply Z.ltb_lt|apply Z.leb_le|apply Z.ltb_lt]; lia.
Qed.

Lemma no_duplicates : NoDup (messages a).
Proof. destruct V as [_ [_ [N _]]]. now apply NoDup_map_inv in N. Qed.

Lemma backward_apart x y : In x (messages a) -> In y (messages a) -> x <> y -> receiver x = receiver y ->
  apart (Z.max (gap_ c) (overhead_ c + one) # u) (start (back x)) (start (back y)).
Proof.
  intros Hx Hy N E.
  assert (Ap : at_tick x + Z.max (gap_ c) (overhead_ c + one) <= at_tick y \/
    at_tick y + Z.max (gap_ c) (overhead_ c + one) <= at_tick x).
  { destruct V as [_ [_ [_ [V4 [V5 _]]]]].
    assert (G : apart (gap_ c # u) (start x) (start y)).
    { assert (G : apart (gap m) (arrives m x) (arrives m y)).
      { destruct (ForallOrdPairs_In V4 x y Hx Hy) as [K|[K|K]]; [contradiction|now apply K|].
        assert (G : apart (gap m) (arrives m y) (arrives m x)) by (now apply K). unfold apart in *. tauto. }
      revert G. unfold apart, arrives, sent. change (gap m) with (gap_ c # u). intros [|]; [left|right];
        lra. }
    assert (O : apart (overhead_ c + one # u) (start x) (start y)).
    { assert (I : forall z, In z (messages a) -> In (receiving z) (pieces a)).
      { intros z Hz. unfold pieces. apply in_app_iff. right. apply in_app_iff. left. now apply in_map. }
      assert (Len : forall z, (ends m (receiving z) == arrives m z + (overhead_ c + one # u))%Q).
      { intros z. cbn [ends]. unfold received, arrives, sent, delay. change (overhead m) with (overhead_ c #
        u).
        assert (Eu : (overhead_ c + one # u == (overhead_ c # u) + 1)%Q)
          by (unfold one, Qeq, Qplus; cbn [Qnum Qden]; nia).
        lra. }
      assert (K : (ends m (receiving x) <= arrives m y \/ ends m (receiving y) <= arrives m x)%Q).
      { destruct (ForallOrdPairs_In V5 _ _ (I x Hx) (I y Hy)) as [K|[K|K]].
        - now injection K.
        - now apply K.
        - destruct (K (eq_sym E)) as [L|L]; [right|left]; exact L. }
      rewrite !Len in K. unfold apart, arrives, sent in *. destruct K as [K|K]; [left|right]; lra. }
    destruct (Z.max_spec (gap_ c) (overhead_ c + one)) as [[_ ->]|[_ ->]];
      [destruct O as [K|K]|destruct G as [K|K]]; apply tick_le in K; unfold at_tick; tauto. }
  cbn [back start]. set (w := Z.max _ _) in *. unfold apart.
  rewrite !units_plus. subst w. clearbody at_tick T. destruct Ap as [Ap|Ap]; [right|left]; apply units_le;
    cbn beta; lia.
Qed.

Lemma backward_valid : valid p backward.
Proof.
  destruct V as [V1 [_ [_ [_ [_ [V6 _]]]]]].
  split.
  - intros z Hz. apply in_map_iff in Hz. destruct Hz as [x [<- Hx]]. cbn [back sender receiver start item].
    destruct (V1 x Hx) as [S1 [S2 [S3 [S4 S5]]]]. split; [exact S2|]. split; [exact S1|].
    split; [congruence|]. split.
    + change 0%Q with (0 # 1)%Q. unfold Qle. cbn [Qnum Qden]. pose proof (ticks_before_the_end x Hx). lia.
    + destruct (V6 x Hx) as [[R _]|[z [Hz [E K]]]].
      * left. cbn [given p broadcast map]. left. now rewrite R.
      * right. exists (back z). split; [now apply in_map|]. cbn [back receiver item]. split; [exact E|].
        split; [reflexivity|].
        unfold received. cbn [back start on p broadcast]. rewrite (units_delay (backwards c) ps).
        rewrite end_of_reception in K. apply tick_le in K. fold (at_tick x) (at_tick z) in K.
        change (delay_ (backwards c)) with d. change (unit_ (backwards c)) with u.
        rewrite units_plus. apply units_le. lia.
  - unfold backward. apply pairs_map, all_pairs; [exact no_duplicates|]. intros x y Hx Hy N.
    assert (Nsend : sender x <> sender y) by (intros E; apply N; now apply (one_message m a t V x y)).
    split; [|split].
    + cbn [back sender]. intros E. now apply backward_apart.
    + cbn [back receiver]. intros E. contradiction.
    + intros q i j Hi Hj.
      assert (Point : forall z i, In i (busy (on p) q z) -> (snd i == fst i)%Q).
      { intros z k Hk. assert (O : (overhead (on p) == 0)%Q) by reflexivity.
        unfold busy in Hk. apply in_app_iff in Hk.
        destruct Hk as [Hk|Hk]; destruct (_ =? _) in Hk; destruct Hk as [<-|[]] || destruct Hk; cbn [fst snd];
          unfold sent, received, arrives, sent, delay; rewrite O; ring. }
      apply Point in Hi, Hj. rewrite Hi, Hj.
      destruct (Qlt_le_dec (fst i) (fst j)); [left; now apply Qlt_le_weak|now right].
Qed.

Variables (labels rest : list (Z * Z)).
Hypothesis Form : labels = (0, 1) :: rest.
Hypothesis Complete : complete d (period (backwards c)) (Z.of_nat (length ps)) labels 1 0 rest = true.

Let others : Z := total (fun q => if q =? root a then 0 else 1) ps.
Lemma others_one_less : others + 1 = Z.of_nat (length ps).
Proof.
  unfold others. revert Distinct Root. generalize ps. intros l N I. induction N as [|q l Hq N IH]; [easy|].
  cbn [total length]. destruct (Z.eqb_spec q (root a)) as [->|Ne].
  - rewrite (total_eq _ (fun _ => 1)), total_ones; [lia|]. intros w Hw.
    destruct (Z.eqb_spec w (root a)); [|reflexivity]. subst. contradiction.
  - destruct I as [I|I]; [contradiction|]. specialize (IH I). lia.
Qed.

Lemma fewer_needed k : forall l all so_far last, complete d k (Z.of_nat (length ps)) all so_far last l = true
  -> complete d k others all so_far last l = true.
Proof.
  pose proof others_one_less as E. induction l as [|[x n] l IH]; intros all so_far last H; cbn [complete] in *.
  - apply Z.leb_le in H. apply Z.leb_le. lia.
  - apply andb_prop in H. destruct H as [H1 H2]. rewrite H1. now apply IH.
Qed.

(** How long before the end a processor sends its sum. *)
Let label (x : message) : Z := T - at_tick x.

Lemma labels_at_most y : count (fun x => label x <=? y) (messages a) <= reached_by rest y.
Proof.
  destruct (sane_facts c Sane) as [L0 [O0 G0]].
  assert (P0 : 0 < period (backwards c)) by (unfold period, backwards; cbn [gap_ overhead_]; lia).
  pose proof Complete as Co0. rewrite Form in Co0.
  destruct (complete_facts _ _ _ _ _ _ _ Complete) as [Inc Pos].
  assert (Early : y < 0 -> count (fun x => label x <=? y) (messages a) = 0).
  { intros Y. rewrite count_total, (total_eq _ (fun _ => 0)); [apply total_zero|]. intros x Hx. unfold flag.
    destruct (Z.leb_spec (label x) y) as [L|]; [|reflexivity]. exfalso. unfold label in L.
    pose proof (ticks_before_the_end x Hx).
    pose proof backward_delay. unfold delay_, one in *. lia. }
  destruct (Z_lt_le_dec y 0) as [Y|Y]; [rewrite Early by exact Y; now apply reached_nonneg|].
  assert (O : ordered labels = true) by (rewrite Form; exact Inc).
  assert (Cl : counted labels).
  { rewrite Form. intros b e [E|I]; [injection E as _ <-; lia|now apply (Pos b e)]. }
  pose proof (complete_sound _ _ _ P0 labels O Cl rest 1 0 Complete y Y) as S.
  assert (Lab : match labels with
    | (l, n) :: rest => l = 0 /\ n = 1 /\ complete (delay_ (backwards c)) (period (backwards c))
        (total (fun q => if q =? root a then 0 else 1) (processors (on p))) labels 1 0 rest = true
    | [] => False end).
  { rewrite Form. repeat split. rewrite <- Form. now apply fewer_needed. }
  pose proof (no_more_messages (backwards c) p backward eq_refl backward_sane backward_valid (root a) [0]
    eq_refl labels Lab (y - d)) as M. cbv beta zeta in M.
  assert (Same : count (fun x => tick (unit_ (backwards c)) (start x) <=? y - d)
      (filter (fun x => negb (receiver x =? root a)) backward) =
    count (fun x => label x <=? y) (messages a)).
  { rewrite !count_total, total_filter. unfold backward. rewrite total_map. apply total_eq. intros x Hx.
    destruct V as [V1 _]. destruct (V1 x Hx) as [_ [_ [_ [K _]]]]. cbn [back receiver start].
    apply Z.eqb_neq in K. rewrite K. cbn [negb]. unfold flag. change (unit_ (backwards c)) with u.
    assert (E : tick u (T - at_tick x - d # u) = T - at_tick x - d).
    { unfold tick. rewrite scale_units. apply Qfloor_Z. }
    rewrite E. unfold label.
    destruct (Z.leb_spec (T - at_tick x - d) (y - d)), (Z.leb_spec (T - at_tick x) y); lia || reflexivity. }
  rewrite Same in M.
  assert (Few : count (fun x => label x <=? y) (messages a) <= others).
  { rewrite count_length. unfold others.
    rewrite (total_eq _ (fun q => flag (negb (q =? root a)))) by (intros q _; now destruct (q =? root a)).
    rewrite <- count_total, count_length. apply Nat2Z.inj_le.
    apply Nat.le_trans with (length (messages a)); [apply shorter|].
    rewrite <- (map_length sender). destruct V as [V1 [_ [N _]]]. apply NoDup_incl_length; [exact N|].
    intros q Hq. apply in_map_iff in Hq. destruct Hq as [x [<- Hx]]. destruct (V1 x Hx) as [S1 [_ [_ [S4 _]]]].
    apply filter_In. split; [exact S1|]. now apply negb_true_iff, Z.eqb_neq. }
  pose proof others_one_less. lia.
Qed.

(** ** Work *)

Let work : list piece := map receiving (messages a) ++ map adding (additions a).
Let from (w : piece) : Z := tick u (starts m w).
Let len (w : piece) : Z :=
  match w with sending _ => 0 | receiving _ => overhead_ c + one | adding y => operands y * one end.

Lemma length_of_work w : In w work -> (ends m w == starts m w + (len w # u))%Q.
Proof.
  intros H. apply in_app_iff in H. destruct H as [H|H]; apply in_map_iff in H; destruct H as [x [<- Hx]];
    cbn [ends starts len].
  - unfold received, arrives, sent, delay. change (overhead m) with (overhead_ c # u).
    assert (Eu : (overhead_ c + one # u == (overhead_ c # u) + 1)%Q)
      by (unfold one, Qeq, Qplus; cbn [Qnum Qden]; nia).
    lra.
  - unfold one. now rewrite <- whole_units.
Qed.

(** A processor works until it sends, or until the end. *)
Let until (q : Z) : Z :=
  if q =? root a then T else total at_tick (filter (fun x => sender x =? q) (messages a)).

Lemma until_sender x : In x (messages a) -> until (sender x) = at_tick x.
Proof.
  intros Hx. destruct V as [V1 [_ [N _]]]. destruct (V1 x Hx) as [_ [_ [_ [K _]]]]. unfold until.
  apply Z.eqb_neq in K. rewrite K. revert Hx N. generalize (messages a). intros l.
  induction l as [|z l IH]; intros Hx N; [easy|]. cbn [map filter] in *.
  inversion N as [|b l' Hb N']; subst.
  destruct Hx as [->|Hx].
  - rewrite Z.eqb_refl. cbn [total]. rewrite total_filter, (total_eq _ (fun _ => 0));
      [rewrite total_zero; lia|].
    intros w Hw. destruct (Z.eqb_spec (sender w) (sender x)) as [E|]; [|reflexivity]. exfalso. apply Hb.
    rewrite <- E. now apply in_map.
  - destruct (Z.eqb_spec (sender z) (sender x)) as [E|]; [|now apply IH]. exfalso. apply Hb. rewrite E.
    now apply in_map.
Qed.

Lemma in_time w : In w work -> In (worker w) (parties a) /\ 0 <= from w /\ 0 <= len w /\
  from w + len w <= until (worker w).
Proof.
  destruct (sane_facts c Sane) as [L0 [O0 G0]]. intros H. pose proof (length_of_work w H) as E.
  destruct V as [V1 [V2 [_ [_ [_ [V6 V7]]]]]].
  assert (K : complete_by a t (worker w) (ends m w)).
  { apply in_app_iff in H. destruct H as [H|H]; apply in_map_iff in H; destruct H as [x [<- Hx]].
    - now apply V6.
    - now apply V7. }
  assert (N : (0 <= starts m w)%Q /\ 0 <= len w).
  { apply in_app_iff in H. destruct H as [H|H]; apply in_map_iff in H; destruct H as [x [<- Hx]];
      cbn [starts len].
    - destruct (V1 x Hx) as [_ [_ [_ [_ K5]]]]. split; [|unfold one; lia]. unfold arrives, sent.
      assert (0 <= overhead m)%Q by (unfold m, Qle; cbn; lia).
      assert (0 <= latency m)%Q by (unfold m, Qle; cbn; lia). lra.
    - destruct (V2 x Hx) as [_ [K5 K6]]. split; [exact K5|unfold one; nia]. }
  destruct N as [N1 N2]. split; [|split; [now apply tick_nonneg|split; [exact N2|]]].
  - destruct K as [[-> _]|[x [Hx [<- _]]]]; [now left|right; now apply in_map].
  - destruct K as [[R L]|[x [Hx [R L]]]]; rewrite E in L; apply tick_le in L; fold (from w) in L.
    + unfold until. apply Z.eqb_eq in R. rewrite R. exact L.
    + rewrite <- R, until_sender by exact Hx. exact L.
Qed.

Lemma parties_distinct : NoDup (parties a).
Proof.
  destruct V as [V1 [_ [N _]]]. constructor; [|exact N]. intros I. apply in_map_iff in I.
  destruct I as [x [E Hx]]. destruct (V1 x Hx) as [_ [_ [_ [K _]]]]. congruence.
Qed.

Hypothesis Time : (0 <= t)%Q.

Lemma all_work : total len work <= total until (parties a).
Proof.
  apply Z.le_trans with (total (fun q => total len (filter (fun w => worker w =? q) work)) (parties a)).
  - rewrite (total_eq (fun q => total len (filter _ work)) (fun q => total (fun w => if worker w =? q then len
      w else 0) work)) by (intros; apply total_filter).
    rewrite total_swap. apply total_le. intros w Hw. destruct (in_time w Hw) as [I [_ [L _]]].
    eapply Z.le_trans; [|apply (total_member (fun q => if worker w =? q then len w else 0) (parties a) (worker
      w));
      [intros q _; destruct (_ =? _); lia|exact I]].
    rewrite Z.eqb_refl. lia.
  - apply total_le. intros q Hq. apply (one_at_a_time from len).
    + assert (F : ForallOrdPairs (fun v w => worker v = worker w -> ends m v <= starts m w \/ ends m w <=
        starts m v)%Q work).
      { destruct V as [_ [_ [_ [_ [V5 _]]]]]. unfold pieces in V5. apply pairs_app in V5. apply V5. }
      apply (pairs_filter _ (fun w => worker w =? q)) in F. refine (pairs_weaken _ _ _ _ F).
      intros v w Hv Hw K. apply filter_In in Hv, Hw. destruct Hv as [Hv Ev], Hw as [Hw Ew].
      apply Z.eqb_eq in Ev, Ew.
      destruct (K ltac:(congruence)) as [L|L]; rewrite length_of_work in L by assumption; apply tick_le in L;
        [left|right]; exact L.
    + intros w Hw. apply filter_In in Hw. destruct Hw as [Hw Ew]. apply Z.eqb_eq in Ew.
      destruct (in_time w Hw) as [_ K]. now rewrite Ew in K.
    + destruct Hq as [<-|Hq].
      * unfold until. rewrite Z.eqb_refl. now apply tick_nonneg.
      * apply in_map_iff in Hq. destruct Hq as [x [<- Hx]]. rewrite until_sender by exact Hx.
        destruct V as [V1 _]. destruct (V1 x Hx) as [_ [_ [_ [_ K]]]]. now apply tick_nonneg.
Qed.

Theorem operands_at_most :
  number_of_operands a * one <= one + T + left_until (T - overhead_ c) rest.
Proof.
  pose proof all_work as W. unfold work, parties in W. rewrite total_app, !total_map in W.
  cbn [total] in W. rewrite total_map in W.
  rewrite (total_eq (fun x => until (sender x)) at_tick) in W by (intros; now apply until_sender).
  assert (Rt : until (root a) = T) by (unfold until; now rewrite Z.eqb_refl). rewrite Rt in W.
  cbn [len] in W.
  rewrite (total_eq (fun x => operands x * one) (fun x => one * operands x)) in W by (intros; lia).
  rewrite total_scale in W.
  assert (Lf : total (fun x => Z.max 0 (T - overhead_ c - label x)) (messages a) <= left_until (T - overhead_
    c) rest).
  { apply left_at_most; [| |exact labels_at_most].
    - intros x Hx. pose proof (ticks_before_the_end x Hx).
      destruct (sane_facts c Sane). pose proof backward_delay. unfold label, delay_, one in *. lia.
    - intros l n I. destruct (complete_facts _ _ _ _ _ _ _ Complete) as [_ Pos]. now apply (Pos l n). }
  assert (Each : total (fun _ => overhead_ c + one) (messages a) + total (fun x => Z.max 0 (T - overhead_ c -
    label x)) (messages a) >= total (fun _ => one) (messages a) + total at_tick (messages a)).
  { rewrite <- !total_plus. apply Z.le_ge, total_le. intros x _. unfold label. lia. }
  assert (Ones : total (fun _ => one) (messages a) = one * Z.of_nat (length (messages a))).
  { rewrite (total_eq _ (fun _ => one * 1)) by (intros; lia). now rewrite total_scale, total_ones. }
  unfold number_of_operands, parties. cbn [length]. rewrite map_length. nia.
Qed.
End Every_summation.

(** No more operands are added at any time before t + 1 units. *)
Theorem check_summation_bound_sound c ps labels t n : check_summation_bound c ps labels t n = true ->
  forall time, (0 <= time)%Q -> (time < (t + 1 # unit_ c))%Q -> adds_at_most (machine_of c ps) time n.
Proof.
  unfold check_summation_bound. intros H time T0 T1 a Root V. cbv zeta in H. apply andb_prop in H.
  destruct H as [H Hb]. apply andb_prop in H. destruct H as [Sane Hp]. apply distinct_sound in Hp.
  destruct Hp as [Hp _]. destruct labels as [|[l k] rest] eqn:El; [discriminate|].
  repeat (apply andb_prop in Hb; destruct Hb as [Hb ?]). apply Z.eqb_eq in Hb, H1. subst l k.
  apply Z.ltb_lt in H. rewrite <- El in *. rewrite total_ones in H0.
  pose proof (operands_at_most c ps a time Sane Hp Root V labels rest El H0 T0) as B.
  assert (Le : tick (unit_ c) time <= t).
  { enough (tick (unit_ c) time < t + 1) by lia. rewrite Zlt_Qlt.
    eapply Qle_lt_trans; [apply Qfloor_le|]. rewrite <- (scale_units (unit_ c)). unfold scale.
    apply Qmult_lt_compat_r; [unfold Qlt, inject_Z; cbn; lia|exact T1]. }
  assert (left_until (tick (unit_ c) time - overhead_ c) rest <= left_until (t - overhead_ c) rest).
  { apply total_le. intros [l k] I. cbn [fst snd]. destruct (complete_facts _ _ _ _ _ _ _ H0) as [_ Pos].
    specialize (Pos l k I). apply Z.mul_le_mono_nonneg_l; [exact Pos|lia]. }
  nia.
Qed.

(** A summation that reaches the bound adds the largest number of operands. *)
Theorem check_most_operands_sound c ps r rows adds labels t n : 0 <= t ->
  In r ps -> check_most_operands c ps r rows adds labels t n = true -> most_operands (machine_of c ps) (t #
  unit_ c) n.
Proof.
  unfold check_most_operands. intros T0 R H. apply andb_prop in H. destruct H as [S B]. split.
  - now apply (check_summation_sound c ps r rows adds).
  - apply (check_summation_bound_sound c ps labels t n B); unfold Qle, Qlt; cbn; nia.
Qed.

(** The largest number of operands is one number. *)
Theorem most_operands_unique m t n k : most_operands m t n -> most_operands m t k -> n = k.
Proof.
  intros [[a [Ra [Va [_ <-]]]] Na] [[b [Rb [Vb [_ <-]]]] Nb]. apply Z.le_antisymm; auto.
Qed.
