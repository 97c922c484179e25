(** No schedule is faster than prices pay for cuts if the last step has prices of its own: a packet that enters a
    set of nodes in the last step only reaches all of its nodes from outside. *)
From Coq Require Import ZArith List Lia Bool FMapPositive.
From Exactsched.rounds Require Import Definitions Counting Tables Checker Soundness Bounds.
Import ListNotations.
Open Scope Z_scope.

Section Every_schedule.
Variables (p : problem) (s : schedule) (T : Z).
Hypothesis WF : well_formed p = true.
Hypothesis V : valid p s.
Hypothesis C : completes p s T.
Hypothesis Unit : forall a, In a (arcs p) -> duration a = 1.

Let in_time := in_time s T.
Definition early (x : transfer) : bool := finish x <=? T - 1.

Lemma one_step x : In x s -> finish x = start x + 1.
Proof. intros Hx. destruct (transfer_facts p s WF V x Hx) as [A _]. unfold finish. now rewrite (Unit _ A). Qed.

(** Every packet from outside enters a set before the last step, or the set can be entered at once. *)
Lemma entering_in_time c : (exists v, In v (nodes p) /\ member v (set_of (members c)) = true) ->
  (forall v, In v (members c) -> In v (nodes p)) ->
  count (fun k => negb (member (source k) (set_of (members c)))) (packets p) <=
  count (fun x => enters (set_of (members c)) (along x) && (early x || at_once (arcs p) c)) in_time.
Proof.
  intros [v [Hv Mv]] Known. set (m := set_of (members c)) in *. rewrite !count_length. apply Nat2Z.inj_le.
  rewrite <- (map_length number (filter _ (packets p))). apply (images carried).
  - apply andb_prop in WF. destruct WF as [_ W]. apply increasing_sound in W.
    clear - W. induction (packets p) as [|k l IH]; cbn [map filter] in *; [constructor|].
    inversion W as [|a n Ha N E]; subst. destruct (negb _); [|auto]. cbn [map]. constructor; [|auto].
    intros I. apply Ha. apply in_map_iff in I. destruct I as [j [E I]]. apply filter_In in I. rewrite <- E.
    now apply in_map.
  - intros n Hn. apply in_map_iff in Hn. destruct Hn as [k [<- Hk]]. apply filter_In in Hk.
    destruct Hk as [Hk Mk]. apply negb_true_iff in Mk.
    assert (Found : exists x, In x s /\ carried x = number k /\ member (head (along x)) m = true /\
      member (tail (along x)) m = false /\ finish x <= T /\ early x || at_once (arcs p) c = true).
    { destruct (at_once (arcs p) c) eqn:Once.
      - destruct (crossing p s WF V (fun v => member v m) k Hk Mk v T Mv (C v k Hv Hk))
          as [x [A [B [D [E F]]]]].
        exists x. rewrite orb_true_r. tauto.
      - (* Some node of the set has no arc from outside. *)
        assert (Shut : exists w, In w (members c) /\ forall a, In a (arcs p) -> head a = w -> enters m a = false).
        { unfold at_once in Once. fold m in Once. clear - Once. clearbody m. induction (members c) as [|w l IH]; [discriminate|].
          cbn [forallb] in Once. apply andb_false_iff in Once. destruct Once as [Ow|Ow].
          - exists w. split; [now left|]. intros a Ha E. destruct (enters m a) eqn:En; [|reflexivity]. exfalso.
            rewrite <- not_true_iff_false in Ow. apply Ow. apply member_spec. apply in_map_iff. exists a.
            split; [exact E|]. now apply filter_In.
          - destruct (IH Ow) as [u [Hu Su]]. exists u. split; [now right|exact Su]. }
        destruct Shut as [w [Hw Sw]]. assert (Mw : member w m = true) by now apply member_spec.
        destruct (C w k (Known w Hw) Hk) as [Hh|[y [Hy [E [Ek F]]]]].
        + exfalso. pose proof (f_equal source (one_source p WF k _ Hk Hh eq_refl)) as E. cbn [source] in E.
          congruence.
        + pose proof (transfer_facts p s WF V y Hy) as [A [St _]]. specialize (Sw _ A E). unfold enters in Sw.
          rewrite E, Mw, andb_true_r in Sw. apply negb_false_iff in Sw.
          destruct V as [V1 _]. destruct (V1 y Hy) as [_ [_ Ht]]. rewrite Ek in Ht.
          pose proof (one_step y Hy).
          destruct (crossing p s WF V (fun v => member v m) k Hk Mk _ (start y) Sw Ht)
            as [x [Xs [B [D [G I]]]]].
          exists x. assert (early x = true) as -> by (apply Z.leb_le; lia). repeat split; auto. lia. }
    destruct Found as [x [A [B [D [E [F G]]]]]]. exists x. split; [|exact B]. apply filter_In. split.
    + apply filter_In. split; [exact A|now apply Z.leb_le].
    + unfold enters. rewrite D, E, G. reflexivity.
Qed.
End Every_schedule.

Theorem last_step_bound p s T : well_formed p = true -> valid p s -> completes p s T ->
  forall o last b, check_last_step p o last b = true -> 0 <= T -> b <= T.
Proof.
  intros WF V C o last b Ch T0. unfold check_last_step in Ch. cbv zeta in Ch.
  do 5 (apply andb_prop in Ch; destruct Ch as [Ch ?]).
  rename H into Hb, H0 into Hneed, H1 into Harcs, H2 into Hcuts, H3 into Hlast, Ch into Ho.
  apply Z.ltb_lt in Hb, Hneed.
  set (some := weighted (cuts o)) in *. set (once := weighted (filter (at_once (arcs p)) (cuts o))) in *.
  set (paid := fun o x => port_prices (ports p) (price_table o) (along x) +
    set_prices (weighted (odd_sets o)) (along x)).
  assert (Prices : forall o, prices_hold (ports p) o = true -> (forall r y, In (r, y) (prices o) -> 0 <= y) /\
    (forall c, In c (odd_sets o) -> 0 <= weight c) /\ (odd_sets o = [] \/ ports p = half_duplex)).
  { intros q H. unfold prices_hold in H. apply andb_prop in H. destruct H as [H Hm]. apply andb_prop in H.
    destruct H as [Hp Hw]. split; [|split].
    - intros r y I. pose proof (forallb_in _ _ _ Hp I) as K. now apply Z.leb_le in K.
    - intros c I. pose proof (forallb_in _ _ _ Hw I) as K. now apply Z.leb_le in K.
    - destruct (ports p); [now right|]. destruct (odd_sets q); [now left|discriminate]. }
  assert (Arcs : forall x, In x s -> duration (along x) = 1 /\ cut_weights some (along x) <= paid o x /\
    cut_weights once (along x) <= paid last x).
  { intros x Hx. destruct (transfer_facts p s WF V x Hx) as [Ha _]. pose proof (forallb_in _ _ _ Harcs Ha) as K.
    cbn beta in K. apply andb_prop in K. destruct K as [K K3]. apply andb_prop in K. destruct K as [K1 K2].
    apply Z.eqb_eq in K1. apply Z.leb_le in K2, K3. auto. }
  assert (Unit : forall a, In a (arcs p) -> duration a = 1).
  { intros a Ha. pose proof (forallb_in _ _ _ Harcs Ha) as K. cbn beta in K. apply andb_prop in K.
    destruct K as [K _]. apply andb_prop in K. destruct K as [K _]. now apply Z.eqb_eq. }
  set (l := in_time s T) in *. set (before := filter (early T) l).
  set (final := filter (fun x => negb (early T x)) l).
  assert (Il : forall x, In x l -> In x s /\ 0 <= start x /\ finish x = start x + 1 /\ finish x <= T).
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx F]. apply Z.leb_le in F.
    destruct (transfer_facts p s WF V x Hx) as [_ [B _]]. pose proof (one_step p s WF V Unit x Hx).
    repeat split; auto; lia. }
  assert (N1 : needed p some <= total (paid o) before + total (paid last) final).
  { apply Z.le_trans with (total (fun x => cut_weights some (along x)) before +
      total (fun x => cut_weights once (along x)) final).
    - unfold before, final. rewrite !total_filter, <- total_plus.
      apply Z.le_trans with (total (fun x => total (fun c => weight c *
        flag (enters (set_of (members c)) (along x) && (early T x || at_once (arcs p) c))) (cuts o)) l).
      + rewrite total_swap. unfold needed, some, weighted. rewrite total_map. cbn [fst snd]. apply total_le.
        intros c Hc. pose proof (forallb_in _ _ _ Hcuts Hc) as K. cbn beta in K. apply andb_prop in K.
        destruct K as [K K3]. apply andb_prop in K. destruct K as [K1 K2]. apply Z.leb_le in K1.
        rewrite total_scale, <- count_total. apply Z.mul_le_mono_nonneg_l; [exact K1|].
        apply (entering_in_time p s T WF V C Unit c).
        * apply existsb_exists in K2. destruct K2 as [v [I M]]. exists v. apply member_spec in M.
          split; [exact M|]. now apply member_spec.
        * intros v I. pose proof (forallb_in _ _ _ K3 I) as M. now apply member_spec in M.
      + apply total_le. intros x _. unfold cut_weights, some, once, weighted. rewrite !total_map. cbn [fst snd].
        rewrite total_filter. destruct (early T x); cbn [negb orb].
        * rewrite Z.add_0_r. apply total_le. intros c _. rewrite andb_true_r. unfold flag.
          destruct enters; lia.
        * apply total_le. intros c _. destruct (at_once (arcs p) c); unfold flag; destruct enters; cbn [andb]; lia.
    - apply Z.add_le_mono; apply total_le; intros x Hx; apply filter_In in Hx; apply Arcs; now apply Il. }
  assert (Pairs : ForallOrdPairs (compatible (ports p)) l) by apply (compatible_in_time p s T V).
  assert (Pay : forall q t x, prices_hold (ports p) q = true -> ForallOrdPairs (compatible (ports p)) x ->
    (forall z, In z x -> In z l /\ active t z = true) -> total (paid q) x <= spent q).
  { intros q t x Hq Fx Ix. destruct (Prices q Hq) as [P1 [P2 P3]]. apply (step_paid p s WF V q t x); auto.
    intros z Hz. destruct (Ix z Hz) as [A B]. split; [now apply Il|exact B]. }
  destruct (Z_lt_le_dec T 1) as [Zero|One].
  { exfalso. destruct l as [|x l'] eqn:El; [cbn in N1; lia|]. specialize (Il x (or_introl eq_refl)). lia. }
  assert (Final : total (paid last) final <= spent last).
  { apply (Pay last (T - 1)); [exact Hlast|now apply pairs_filter|]. intros z Hz. apply filter_In in Hz.
    destruct Hz as [Hz E]. split; [exact Hz|]. specialize (Il z Hz). apply negb_true_iff in E.
    unfold early in E. apply Z.leb_gt in E. apply active_spec. lia. }
  assert (Before : total (paid o) before <= (T - 1) * spent o).
  { rewrite (total_eq (paid o) (fun x => duration (along x) * paid o x)).
    2:{ intros x Hx. apply filter_In in Hx. destruct (Arcs x) as [-> _]; [now apply Il|lia]. }
    rewrite (by_steps (paid o) before 0 (T - 1)).
    2:{ intros x Hx. apply filter_In in Hx. destruct Hx as [Hx E]. apply Z.leb_le in E. specialize (Il x Hx).
        lia. }
    eapply Z.le_trans; [apply total_le; intros t _; apply (Pay o (0 + t)); [exact Ho| |]|].
    - now apply pairs_filter, pairs_filter.
    - intros z Hz. apply filter_In in Hz. destruct Hz as [Hz A]. apply filter_In in Hz. tauto.
    - rewrite (total_eq _ (fun _ => spent o * 1)) by (intros; lia). rewrite total_scale, total_ones,
        below_length; lia. }
  assert (0 <= spent o).
  { destruct (Prices o Ho) as [P1 [P2 _]]. unfold spent. apply Z.add_nonneg_nonneg; apply total_nonneg.
    - intros [r y] I. now apply (P1 r).
    - intros c I. apply Z.mul_nonneg_nonneg; [now apply P2|]. apply Z.div_pos; [|lia]. unfold size.
      apply total_nonneg. intros; lia. }
  destruct (Z_lt_le_dec T b) as [Less|]; [|assumption]. exfalso. nia.
Qed.
