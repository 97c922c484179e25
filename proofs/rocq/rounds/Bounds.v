(** No schedule is faster than the bounds by prices and cuts, by distances, and by rounding. *)
From Coq Require Import ZArith List Lia Bool FMapPositive Permutation.
From Exactsched.rounds Require Import Definitions Counting Tables Checker Soundness.
Import ListNotations.
Open Scope Z_scope.

Definition active (t : Z) (x : transfer) : bool := (start x <=? t) && (t <? finish x).

Lemma active_spec t x : active t x = true <-> start x <= t < finish x.
Proof. unfold active. rewrite andb_true_iff, Z.leb_le, Z.ltb_lt. tauto. Qed.

(** Charging every transfer for all of its steps is charging, in every step, the transfers under way. *)
Lemma by_steps (f : transfer -> Z) (u : schedule) (from until : Z) :
  (forall x, In x u -> from <= start x /\ start x <= finish x <= until) ->
  total (fun x => duration (along x) * f x) u =
  total (fun t => total f (filter (active (from + t)) u)) (below (until - from)).
Proof.
  intros H.
  rewrite (total_eq (fun t => total f (filter (active (from + t)) u))
    (fun t => total (fun x => f x * flag (active (from + t) x)) u)).
  2:{ intros t _. rewrite total_filter. apply total_eq. intros x _. unfold flag. destruct active; lia. }
  rewrite total_swap. apply total_eq. intros x Hx. destruct (H x Hx) as [H1 H2].
  rewrite total_scale, <- count_total.
  assert (E : count (fun t => active (from + t) x) (below (until - from)) = duration (along x)).
  { pose proof (count_interval (until - from) (start x - from) (finish x - from)) as I.
    replace (duration (along x)) with (finish x - from - (start x - from)) by (unfold finish; lia).
    rewrite <- I by lia. apply Z.le_antisymm; apply count_le; intros t _ Ht.
    - apply active_spec in Ht. apply andb_true_intro. split; [apply Z.leb_le|apply Z.ltb_lt]; lia.
    - apply andb_prop in Ht. destruct Ht as [A B]. apply Z.leb_le in A. apply Z.ltb_lt in B.
      apply active_spec. lia. }
  rewrite E. lia.
Qed.

Lemma flat_map_nodup {A B} (g : A -> list B) l :
  (forall x, In x l -> NoDup (g x)) -> ForallOrdPairs (fun x y => forall r, In r (g x) -> In r (g y) ->
    False) l ->
  NoDup (flat_map g l).
Proof.
  intros N F. induction F as [|x l Hx F IH]; cbn [flat_map]; [constructor|].
  assert (IH' : NoDup (flat_map g l)) by (apply IH; intros; apply N; now right).
  assert (Nx : NoDup (g x)) by (apply N; now left). rewrite Forall_forall in Hx.
  assert (D : forall r, In r (g x) -> ~ In r (flat_map g l)).
  { intros r Hr Hf. apply in_flat_map in Hf. destruct Hf as [y [Hy Hr']]. exact (Hx y Hy r Hr Hr'). }
  clear - IH' Nx D. induction Nx as [|r l' Hr Nx IH]; cbn [app]; [exact IH'|]. constructor.
  - rewrite in_app_iff. intros [H|H]; [contradiction|]. apply (D r); [now left|exact H].
  - apply IH. intros q Hq. apply D. now right.
Qed.

Section Every_schedule.
Variables (p : problem) (s : schedule) (T : Z).
Hypothesis WF : well_formed p = true.
Hypothesis V : valid p s.
Hypothesis C : completes p s T.

Lemma arc_facts a : In a (arcs p) -> 0 < duration a /\ tail a <> head a.
Proof.
  intros Ha. apply andb_prop in WF. destruct WF as [W _]. rewrite forallb_forall in W. specialize (W a Ha).
  apply andb_prop in W. destruct W as [W1 W2]. apply Z.ltb_lt in W1. apply negb_true_iff, Z.eqb_neq in W2.
  tauto.
Qed.
Lemma transfer_facts x : In x s -> In (along x) (arcs p) /\ 0 <= start x < finish x /\ tail (along x) <> head
  (along x).
Proof.
  intros Hx. destruct V as [V1 _]. destruct (V1 x Hx) as [A [B _]]. destruct (arc_facts _ A). unfold finish.
  auto with zarith.
Qed.
Lemma one_source k j : In k (packets p) -> In j (packets p) -> number k = number j -> k = j.
Proof.
  apply andb_prop in WF. destruct WF as [_ W]. apply increasing_sound in W. revert W. generalize (packets p).
  induction l as [|a l IH]; cbn [map]; intros N Hk Hj E; [easy|]. inversion N as [|b m Hb N' E1]; subst.
  destruct Hk as [<-|Hk], Hj as [<-|Hj]; auto.
  - exfalso. apply Hb. rewrite E. now apply in_map.
  - exfalso. apply Hb. rewrite <- E. now apply in_map.
Qed.

(** Something true of a node that has the packet, and false of its source, becomes true in some transfer. *)
Lemma crossing (P : Z -> bool) k : In k (packets p) -> P (source k) = false ->
  forall v t, P v = true -> has p s v (number k) t ->
  exists x, In x s /\ carried x = number k /\ P (head (along x)) = true /\ P (tail (along x)) = false /\
    finish x <= t.
Proof.
  intros Hk Ps. enough (H : forall n v t, t < Z.of_nat n -> P v = true -> has p s v (number k) t ->
    exists x, In x s /\ carried x = number k /\ P (head (along x)) = true /\ P (tail (along x)) = false /\
      finish x <= t).
  { intros v t. apply (H (Z.to_nat (t + 1))). lia. }
  induction n as [|n IH]; intros v t Ht Pv Hv.
  - destruct Hv as [Hv|[x [Hx [_ [_ F]]]]].
    + pose proof (f_equal source (one_source k _ Hk Hv eq_refl)) as E. cbn [source] in E. congruence.
    + pose proof (transfer_facts x Hx). lia.
  - destruct Hv as [Hv|[x [Hx [E [Ek F]]]]].
    + pose proof (f_equal source (one_source k _ Hk Hv eq_refl)) as E. cbn [source] in E. congruence.
    + destruct (P (tail (along x))) eqn:Pt.
      * pose proof (transfer_facts x Hx) as [_ [L _]]. destruct V as [V1 _].
        destruct (V1 x Hx) as [_ [_ Ht']].
        rewrite Ek in Ht'. destruct (IH _ (start x) ltac:(lia) Pt Ht') as [y [A [B [D [G I]]]]].
        exists y. repeat split; auto. lia.
      * exists x. repeat split; auto. now rewrite E.
Qed.

(** Nodes have nothing before their labels. *)
Lemma labels_are_early label : labels_hold p label = true ->
  forall v k t, has p s v k t -> 0 <= t -> value label v <= t.
Proof.
  intros L. apply andb_prop in L. destruct L as [L1 L2]. rewrite forallb_forall in L1, L2.
  enough (H : forall n v k t, t < Z.of_nat n -> has p s v k t -> 0 <= t -> value label v <= t).
  { intros v k t. apply (H (Z.to_nat (t + 1))). lia. }
  induction n as [|n IH]; intros v k t Ht Hv T0; [lia|].
  destruct Hv as [Hv|[x [Hx [E [Ek F]]]]].
  - specialize (L2 _ Hv). cbn [source] in L2. apply Z.leb_le in L2. lia.
  - pose proof (transfer_facts x Hx) as [A [B _]]. specialize (L1 _ A). apply Z.leb_le in L1. rewrite E in L1.
    destruct V as [V1 _]. destruct (V1 x Hx) as [_ [_ D]].
    assert (value label (tail (along x)) <= start x) by (apply (IH _ (carried x)); auto; lia).
    unfold finish in *. lia.
Qed.

(** ** Prices and cuts *)

Definition in_time : schedule := filter (fun x => finish x <=? T) s.

Lemma compatible_in_time : ForallOrdPairs (compatible (ports p)) in_time.
Proof. apply pairs_filter, V. Qed.

Lemma entering_is_enough c : (exists v, In v (nodes p) /\ member v c = true) ->
  count (fun k => negb (member (source k) c)) (packets p) <= count (fun x => enters c (along x)) in_time.
Proof.
  intros [v [Hv Mv]]. rewrite !count_length. apply Nat2Z.inj_le.
  rewrite <- (map_length number (filter _ (packets p))). apply (images carried).
  - apply andb_prop in WF. destruct WF as [_ W]. apply increasing_sound in W.
    clear - W. induction (packets p) as [|k l IH]; cbn [map filter] in *; [constructor|].
    inversion W as [|a m Ha N E]; subst. destruct (negb _); [|auto]. cbn [map]. constructor; [|auto].
    intros I. apply Ha. apply in_map_iff in I. destruct I as [j [E I]]. apply filter_In in I. rewrite <- E.
    now apply in_map.
  - intros n Hn. apply in_map_iff in Hn. destruct Hn as [k [<- Hk]]. apply filter_In in Hk.
    destruct Hk as [Hk Mk].
    apply negb_true_iff in Mk.
    destruct (crossing (fun v => member v c) k Hk Mk v T Mv (C v k Hv Hk)) as [x [A [B [D [E F]]]]].
    exists x. split; [|exact B]. apply filter_In. split.
    + apply filter_In. split; [exact A|now apply Z.leb_le].
    + unfold enters. rewrite E. cbn. exact D.
Qed.

Lemma ports_different m a : tail a <> head a -> NoDup (ports_of m a).
Proof.
  intros N. destruct m; cbn; (apply NoDup_cons; [intros [E|[]]; congruence|apply NoDup_cons;
    [intros []|apply NoDup_nil]]).
Qed.

(** In one step all ports together are charged at most once. *)
Lemma ports_once t (l : list (port * Z)) x : (forall r y, In (r, y) l -> 0 <= y) ->
  ForallOrdPairs (compatible (ports p)) x -> (forall y, In y x -> In y s /\ active t y = true) ->
  total (fun y => port_prices (ports p) (of_list (map (fun ry => (port_key (fst ry), snd ry)) l)) (along y)) x
  <= total snd l.
Proof.
  intros Hl F I. unfold port_prices.
  replace (total snd l) with (total snd (map (fun ry => (port_key (fst ry), snd ry)) l))
    by (rewrite total_map; reflexivity).
  assert (E : forall y, total (fun z => total (fun r => found y (port_key r) 0) (ports_of (ports p) (along
    z))) x =
    total (fun k => found y k 0) (map port_key (flat_map (fun z => ports_of (ports p) (along z)) x))).
  { intros y. rewrite total_map. clear. induction x as [|z x IH]; cbn [total flat_map]; [reflexivity|].
    rewrite total_app, IH. reflexivity. }
  rewrite E. apply found_total.
  - intros k y H. apply in_map_iff in H. destruct H as [[r z] [H1 H2]]. injection H1 as _ <-.
    now apply (Hl r).
  - apply FinFun.Injective_map_NoDup; [intros r q; apply port_key_injective|]. apply flat_map_nodup.
    + intros y Hy. apply ports_different, (transfer_facts y), I, Hy.
    + apply (pairs_weaken (compatible (ports p))); [|exact F]. intros y z Hy Hz Co r Ry Rz.
      destruct (I y Hy) as [_ Ay]. destruct (I z Hz) as [_ Az]. apply active_spec in Ay, Az.
      destruct (Co r Ry Rz); lia.
Qed.

(** In one step at most half of the nodes of a set are senders to others of them, if all are half-duplex. *)
Lemma set_half t c x : ports p = half_duplex ->
  ForallOrdPairs (compatible (ports p)) x -> (forall y, In y x -> In y s /\ active t y = true) ->
  count (fun y => inside (set_of c) (along y)) x <= size c / 2.
Proof.
  intros M F I. apply Z.div_le_lower_bound; [lia|].
  set (x' := filter (fun y => inside (set_of c) (along y)) x).
  set (ends := fun y => [tail (along y); head (along y)]).
  assert (N : NoDup (flat_map ends x')).
  { apply flat_map_nodup.
    - intros y Hy. apply filter_In in Hy. destruct (transfer_facts y) as [_ [_ D]]; [apply I; tauto|].
      unfold ends. apply NoDup_cons; [intros [E|[]]; congruence|apply NoDup_cons;
        [intros []|apply NoDup_nil]].
    - apply (pairs_weaken (compatible (ports p))); [|now apply pairs_filter]. intros y z Hy Hz Co r Ry Rz.
      apply filter_In in Hy, Hz. destruct (I y) as [_ Ay]; [tauto|]. destruct (I z) as [_ Az]; [tauto|].
      apply active_spec in Ay, Az. rewrite M in Co.
      assert (forall a, In r [tail a; head a] -> In (whole r) (ports_of half_duplex a)) as W.
      { intros a [<-|[<-|[]]]; cbn; tauto. }
      destruct (Co (whole r) (W _ Ry) (W _ Rz)); lia. }
  assert (L : (length (flat_map ends x') <= length c)%nat).
  { apply NoDup_incl_length; [exact N|]. intros r Hr. apply in_flat_map in Hr. destruct Hr as [y [Hy Hr]].
    apply filter_In in Hy. destruct Hy as [_ Hy]. unfold inside in Hy. apply andb_prop in Hy.
    destruct Hy as [A B]. apply member_spec in A, B. destruct Hr as [<-|[<-|[]]]; auto. }
  assert (Z.of_nat (length (flat_map ends x')) = 2 * count (fun y => inside (set_of c) (along y)) x).
  { rewrite count_length. fold x'. clear. induction x' as [|y l IH]; [reflexivity|].
    cbn [flat_map ends app length] in *. lia. }
  assert (size c = Z.of_nat (length c)).
  { apply total_ones. }
  lia.
Qed.

Lemma forallb_in {A} (f : A -> bool) l x : forallb f l = true -> In x l -> f x = true.
Proof. intros H. rewrite forallb_forall in H. auto. Qed.

(** In one step the prices of all ports and odd sets are paid at most once. *)
Lemma step_paid o t x : (forall r y, In (r, y) (prices o) -> 0 <= y) ->
  (forall c, In c (odd_sets o) -> 0 <= weight c) -> odd_sets o = [] \/ ports p = half_duplex ->
  ForallOrdPairs (compatible (ports p)) x -> (forall z, In z x -> In z s /\ active t z = true) ->
  total (fun z => port_prices (ports p) (price_table o) (along z) +
    set_prices (weighted (odd_sets o)) (along z)) x <= spent o.
Proof.
  intros Hy Hw Hm Fx Ix. rewrite total_plus. unfold spent. apply Z.add_le_mono.
  - apply (ports_once t (prices o) x); auto.
  - unfold set_prices. rewrite total_swap. unfold weighted. rewrite total_map. cbn [fst snd]. apply total_le.
    intros c Hc. rewrite (total_eq _ (fun z => weight c * flag (inside (set_of (members c)) (along z)))).
    2:{ intros z _. unfold flag. destruct inside; lia. }
    rewrite total_scale, <- count_total. apply Z.mul_le_mono_nonneg_l; [now apply Hw|].
    apply (set_half t); auto. destruct Hm as [E|E]; [|exact E]. rewrite E in Hc. easy.
Qed.

Theorem occupancy_bound o b : check_occupancy p o b = true -> 0 <= T -> b <= T.
Proof.
  unfold check_occupancy. intros Ch T0.
  repeat (apply andb_prop in Ch; destruct Ch as [Ch ?]).
  rename H into Hb, H0 into Hneed, H1 into Hspent, H2 into Harcs, H3 into Hmodel, H4 into Hcuts, H5 into Hodd,
    H6 into Hprices, H7 into Hidle.
  assert (Hlabels : labels_hold p (table_of (labels o)) = true) by (unfold labels_hold; now rewrite Ch, H8).
  clear Ch H8.
  apply Z.ltb_lt in Hb, Hneed, Hspent. apply Z.leb_le in Hidle.
  set (y := price_table o) in *. set (odd := weighted (odd_sets o)) in *.
  set (some := weighted (cuts o)) in *.
  set (label := table_of (labels o)) in *.
  set (paid := fun x => port_prices (ports p) y (along x) + set_prices odd (along x)).
  assert (Hsome : forall c, In c some -> 0 <= snd c /\ exists v, In v (nodes p) /\ member v (fst c) = true).
  { intros c Hc. apply in_map_iff in Hc. destruct Hc as [w [<- Hw]].
    pose proof (forallb_in _ _ _ Hcuts Hw) as Cw.
    cbn beta in Cw. apply andb_prop in Cw. destruct Cw as [C1 C2]. apply Z.leb_le in C1. split; [exact C1|].
    apply existsb_exists in C2. destruct C2 as [v [V1 V2]]. exists v. apply member_spec in V2.
    split; [exact V2|]. now apply member_spec. }
  assert (Hpaid : forall x, In x s -> cut_weights some (along x) <= duration (along x) * paid x /\
                                      (paid x = 0 \/ idle o <= start x)).
  { intros x Hx. destruct (transfer_facts x Hx) as [Ha [Hs _]]. pose proof (forallb_in _ _ _ Harcs Ha) as Ca.
    cbn beta zeta in Ca. apply andb_prop in Ca. destruct Ca as [C1 C2]. apply Z.leb_le in C1. split;
      [exact C1|].
    apply orb_prop in C2. destruct C2 as [C2|C2]; [left; now apply Z.eqb_eq|right]. apply Z.leb_le in C2.
    destruct V as [V1 _]. destruct (V1 x Hx) as [_ [_ Hh]].
    pose proof (labels_are_early label Hlabels _ _ _ Hh ltac:(lia)). lia. }
  set (u := filter (fun x => negb (paid x =? 0)) in_time).
  assert (Hu : forall x, In x u -> In x s /\ idle o <= start x /\ start x <= finish x <= T).
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx Px]. apply filter_In in Hx. destruct Hx as [Hx Fx].
    apply Z.leb_le in Fx. apply negb_true_iff, Z.eqb_neq in Px. destruct (Hpaid x Hx) as [_ [E|E]];
      [contradiction|].
    destruct (transfer_facts x Hx) as [_ [L _]]. repeat split; auto; lia. }
  assert (N1 : needed p some <= total (fun x => duration (along x) * paid x) u).
  { apply Z.le_trans with (total (fun x => cut_weights some (along x)) in_time).
    - unfold needed, cut_weights. rewrite total_swap. apply total_le. intros c Hc.
      destruct (Hsome c Hc) as [C1 C2].
      rewrite (total_eq _ (fun x => snd c * flag (enters (fst c) (along x)))).
      2:{ intros x _. unfold flag. destruct enters; lia. }
      rewrite total_scale, <- count_total. apply Z.mul_le_mono_nonneg_l; [exact C1|].
      now apply entering_is_enough.
    - unfold u. rewrite total_filter. apply total_le. intros x Hx. apply filter_In in Hx.
      destruct (Hpaid x (proj1 Hx)) as [P1 _]. destruct (Z.eqb_spec (paid x) 0); cbn [negb]; lia. }
  rewrite (by_steps paid u (idle o) T) in N1 by (intros x Hx; apply Hu in Hx; tauto).
  assert (Step : forall t, total paid (filter (active (idle o + t)) u) <= spent o).
  { intros t. set (x := filter (active (idle o + t)) u).
    assert (Fx : ForallOrdPairs (compatible (ports p)) x) by (apply pairs_filter, pairs_filter,
      compatible_in_time).
    assert (Ix : forall z, In z x -> In z s /\ active (idle o + t) z = true).
    { intros z Hz. apply filter_In in Hz. destruct Hz as [Hz Az]. split; [now apply Hu|exact Az]. }
    apply (step_paid o (idle o + t) x); auto.
    - intros r z Hr. pose proof (forallb_in _ _ _ Hprices Hr) as P. now apply Z.leb_le in P.
    - intros c Hc. pose proof (forallb_in _ _ _ Hodd Hc) as W. now apply Z.leb_le in W.
    - destruct (odd_sets o); [now left|]. right. destruct (ports p); [reflexivity|discriminate]. }
  destruct (Z_lt_le_dec T (idle o)) as [Early|Late].
  { exfalso. assert (below (T - idle o) = []) as E.
    { unfold below. replace (Z.to_nat (T - idle o)) with 0%nat by lia. reflexivity. }
    rewrite E in N1. cbn in N1. lia. }
  assert (N2 : needed p some <= (T - idle o) * spent o).
  { eapply Z.le_trans; [exact N1|]. eapply Z.le_trans; [apply total_le; intros t _; apply Step|].
    rewrite (total_eq _ (fun _ => spent o * 1)) by (intros; lia). rewrite total_scale.
    rewrite total_ones, below_length; lia. }
  destruct (Z_lt_le_dec T b) as [Less|]; [|assumption]. exfalso. nia.
Qed.

(** ** Distances *)

Lemma forallb_and {A} (f g : A -> bool) l : forallb (fun x => f x && g x) l = true ->
  forallb f l = true /\ forallb g l = true.
Proof.
  rewrite !forallb_forall. intros H. split; intros x Hx; specialize (H x Hx); apply andb_prop in H; tauto.
Qed.

Theorem distance_bound d b : check_distance p d b = true -> b <= T.
Proof.
  unfold check_distance. intros Ch. repeat (apply andb_prop in Ch; destruct Ch as [Ch ?]).
  rename H into Hb, H0 into Harcs, H1 into Hown, H2 into Hleaving, H3 into Hlabel, H4 into Hother, Ch into
    Htarget.
  apply Z.leb_le in Hb, Hleaving, Hlabel. apply Z.ltb_lt in Hown. apply negb_true_iff, Z.eqb_neq in Hother.
  apply member_spec in Htarget. apply forallb_and in Harcs. destruct Harcs as [Hrise Hleave].
  set (o := origin d) in *. set (label := table_of (distances d)) in *.
  set (last := T - value label (target d)).
  assert (Dep : forall k, In k (packets p) -> source k = o -> forall n v t, t < Z.of_nat n -> v <> o ->
    has p s v (number k) t ->
    exists x, In x s /\ carried x = number k /\ tail (along x) = o /\ start x + value label v <= t).
  { intros k Hk Sk. induction n as [|n IH]; intros v t Ht Hv Hh.
    - destruct Hh as [Hh|[x [Hx [_ [_ F]]]]].
      + pose proof (f_equal source (one_source k _ Hk Hh eq_refl)) as E. cbn [source] in E. congruence.
      + pose proof (transfer_facts x Hx). lia.
    - destruct Hh as [Hh|[x [Hx [E [Ek F]]]]].
      + pose proof (f_equal source (one_source k _ Hk Hh eq_refl)) as E. cbn [source] in E. congruence.
      + pose proof (transfer_facts x Hx) as [A [B _]]. pose proof (forallb_in _ _ _ Hrise A) as R.
        apply Z.leb_le in R.
        rewrite E in R. unfold finish in *.
        destruct (Z.eq_dec (tail (along x)) o) as [E1|N1].
        * exists x. rewrite E1 in R. repeat split; auto. lia.
        * destruct V as [V1 _]. destruct (V1 x Hx) as [_ [_ Hx']]. rewrite Ek in Hx'.
          destruct (IH _ (start x) ltac:(lia) N1 Hx') as [y [Y1 [Y2 [Y3 Y4]]]]. exists y. repeat split; auto.
          lia. }
  set (own := filter (fun k => source k =? o) (packets p)).
  set (u := filter (fun x => (tail (along x) =? o) && (start x <=? last)) s).
  assert (L : (length own <= length u)%nat).
  { rewrite <- (map_length number own). apply (images carried).
    - apply andb_prop in WF. destruct WF as [_ W]. apply increasing_sound in W. unfold own.
      clear - W. induction (packets p) as [|k l IH]; cbn [map filter] in *; [constructor|].
      inversion W as [|a m Ha N E]; subst. destruct (source k =? o); [|auto]. cbn [map]. constructor; [|auto].
      intros I. apply Ha. apply in_map_iff in I. destruct I as [j [E I]]. apply filter_In in I. rewrite <- E.
      now apply in_map.
    - intros n Hn. apply in_map_iff in Hn. destruct Hn as [k [<- Hk]]. apply filter_In in Hk.
      destruct Hk as [Hk Sk].
      apply Z.eqb_eq in Sk.
      destruct (Dep k Hk Sk (Z.to_nat (T + 1)) (target d) T ltac:(lia) Hother (C _ _ Htarget Hk)) as [x [A [B
        [D E]]]].
      exists x. split; [|exact B]. apply filter_In. split; [exact A|]. apply andb_true_intro.
      split; [now apply Z.eqb_eq|]. apply Z.leb_le. unfold last. lia. }
  rewrite count_length in Hown, Hb. fold own in Hown, Hb.
  assert (Iu : forall x, In x u -> In x s /\ tail (along x) = o /\ 0 <= start x <= last /\ leaving d <=
    duration (along x)).
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx E]. apply andb_prop in E. destruct E as [E1 E2].
    apply Z.eqb_eq in E1. apply Z.leb_le in E2. pose proof (transfer_facts x Hx) as [A [B _]].
    pose proof (forallb_in _ _ _ Hleave A) as Le. cbn beta in Le. rewrite E1, Z.eqb_refl in Le. cbn in Le.
    apply Z.leb_le in Le. repeat split; auto; lia. }
  assert (0 <= last).
  { destruct u as [|x u'] eqn:Eu; [cbn [length] in L; lia|]. specialize (Iu x (or_introl eq_refl)). lia. }
  assert (Sp : Z.of_nat (length u) * leaving d <= last - 0 + leaving d).
  { apply (spaced start (leaving d) Hleaving); [|intros x Hx; apply Iu in Hx; lia|lia].
    apply (pairs_weaken (compatible (ports p))); [|apply pairs_filter, V].
    intros x y Hx Hy Co. apply Iu in Hx, Hy. destruct Hx as [_ [X1 [_ X2]]]. destruct Hy as [_ [Y1 [_ Y2]]].
    assert (exists r, In r (ports_of (ports p) (along x)) /\ In r (ports_of (ports p) (along y))) as [r [R1
      R2]].
    { destruct (ports p); cbn; rewrite X1, Y1; [exists (whole o)|exists (sending o)]; tauto. }
    destruct (Co r R1 R2); unfold finish in *; lia. }
  unfold last in *. nia.
Qed.
End Every_schedule.

(** ** Rounding *)

(** If all durations are multiples of g, the start of every transfer can be moved to a multiple of g. *)
Definition earlier (g : Z) (x : transfer) : transfer := Transfer (along x) (carried x) (start x / g * g).

Lemma rounded_down g p s : 0 < g -> (forall a, In a (arcs p) -> exists n, duration a = n * g) -> valid p s ->
  valid p (map (earlier g) s) /\ forall v k t, has p s v k t -> has p (map (earlier g) s) v k (t / g * g).
Proof.
  intros G D [V F].
  assert (Fin : forall x, In x s -> forall t, finish x <= t -> finish (earlier g x) <= t / g * g).
  { intros x Hx t Ht. destruct (V x Hx) as [A _]. destruct (D _ A) as [n E]. unfold finish, earlier in *;
    cbn [start along].
    rewrite E in *. replace (start x / g * g + n * g) with ((start x / g + n) * g) by lia.
    apply Z.mul_le_mono_nonneg_r; [lia|]. rewrite <- Z.div_add by lia. apply Z.div_le_mono; lia. }
  assert (Has : forall v k t, has p s v k t -> has p (map (earlier g) s) v k (t / g * g)).
  { intros v k t [H|[x [Hx [E1 [E2 E3]]]]]; [now left|]. right. exists (earlier g x).
    split; [now apply in_map|]. repeat split; auto. }
  split; [split|exact Has].
  - intros y Hy. apply in_map_iff in Hy. destruct Hy as [x [<- Hx]]. destruct (V x Hx) as [A [B H]].
    split; [exact A|split]; [|apply Has, H]. cbn [earlier start].
    apply Z.mul_nonneg_nonneg; [apply Z.div_pos; lia|lia].
  - apply pairs_map. refine (pairs_weaken _ _ _ _ F). intros x y Hx Hy Co r Rx Ry.
    destruct (Co r Rx Ry) as [L|L]; [left; apply (Fin x Hx)|right; apply (Fin y Hy)]; exact L.
Qed.

Theorem rounding g p b : 0 < g -> (forall a, In a (arcs p) -> exists n, duration a = n * g) ->
  never_before p b -> never_before p ((b + g - 1) / g * g).
Proof.
  intros G D B s t T0 V C. destruct (rounded_down g p s G D V) as [V' H].
  assert (b <= t / g * g).
  { apply (B (map (earlier g) s)); [|exact V'|].
    - apply Z.mul_nonneg_nonneg; [apply Z.div_pos; lia|lia].
    - intros v k Hv Hk. apply H, C; auto. }
  assert ((b + g - 1) / g <= t / g).
  { enough ((b + g - 1) / g < t / g + 1) by lia. apply Z.div_lt_upper_bound; lia. }
  pose proof (Z.mul_div_le t g G). nia.
Qed.
