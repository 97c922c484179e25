(** No schedule is faster than the bound for items that everybody wants, where overheads take time: bound (a) of
    the page on allgathers and alltoalls. *)
From Coq Require Import ZArith QArith Qround List Lia Lqa Bool FMapPositive Permutation.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Checker OverheadChecker Soundness Bounds.
Import ListNotations.
Open Scope Z_scope.

(** ** Counting *)

Lemma count_once y l : NoDup l -> count (Z.eqb y) l <= 1.
Proof.
  intros N. rewrite count_length. enough (length (filter (Z.eqb y) l) <= length [y])%nat by (cbn in *; lia).
  apply NoDup_incl_length; [now apply NoDup_filter|]. intros x Hx. apply filter_In in Hx.
  destruct Hx as [_ E]. apply Z.eqb_eq in E. now left.
Qed.
Lemma count_some y l : In y l -> 1 <= count (Z.eqb y) l.
Proof.
  intros I. rewrite count_total.
  pose proof (total_member (fun x => flag (y =? x)) l y (fun x _ => flag_nonneg _) I) as M.
  cbn beta in M. rewrite Z.eqb_refl in M. exact M.
Qed.

(** Who does what is counted by the doers, or by what is done. *)
Lemma count_by {A} (who : A -> Z) ps l :
  total (fun q => count (fun x => who x =? q) l) ps = total (fun x => count (Z.eqb (who x)) ps) l.
Proof.
  rewrite (total_eq _ (fun q => total (fun x => flag (who x =? q)) l)) by (intros; apply count_total).
  rewrite total_swap. apply total_eq. intros x _. symmetry. apply count_total.
Qed.

(** If everybody gets m things from each other, somebody gives as many. *)
Lemma somebody {A} (from_ to_ : A -> Z) ps m (l : list A) : NoDup ps -> 0 < Z.of_nat (length ps) ->
  (forall x, In x l -> In (from_ x) ps) -> (forall q, In q ps -> m <= count (fun x => to_ x =? q) l) ->
  exists q, In q ps /\ m <= count (fun x => from_ x =? q) l.
Proof.
  intros N P F T. destruct (existsb (fun q => m <=? count (fun x => from_ x =? q) l) ps) eqn:E.
  - apply existsb_exists in E. destruct E as [q [I E]]. exists q. split; [exact I|now apply Z.leb_le].
  - exfalso.
    assert (Few : forall q, In q ps -> count (fun x => from_ x =? q) l <= m - 1).
    { intros q I. destruct (Z_lt_le_dec (count (fun x => from_ x =? q) l) m) as [|K]; [lia|].
      apply Z.leb_le in K. rewrite <- not_true_iff_false in E. exfalso. apply E. apply existsb_exists.
      now exists q. }
    pose proof (total_le (fun _ => m) (fun q => count (fun x => to_ x =? q) l) ps T) as T1.
    pose proof (total_le (fun q => count (fun x => from_ x =? q) l) (fun _ => m - 1) ps Few) as F1.
    rewrite count_by in T1, F1.
    pose proof (total_le (fun x => count (Z.eqb (to_ x)) ps) (fun _ => 1) l (fun x _ => count_once _ _ N)) as T2.
    pose proof (total_le (fun _ => 1) (fun x => count (Z.eqb (from_ x)) ps) l
      (fun x Hx => count_some _ _ (F x Hx))) as F2.
    assert (Cst : forall z, total (fun _ : Z => z) ps = z * Z.of_nat (length ps)).
    { intros z. rewrite <- total_ones, <- total_scale. apply total_eq. intros. lia. }
    rewrite Cst in T1, F1. nia.
Qed.

(** Of m things that are a width apart, within m - 1 widths and a little, number d is near its place. *)
Lemma near_its_place {A} (f : A -> Z) (width e m d : Z) l : 0 < width -> 0 <= d < m -> e < width ->
  ForallOrdPairs (fun x y => f x + width <= f y \/ f y + width <= f x) l ->
  (forall x, In x l -> 0 <= f x <= (m - 1) * width + e) -> m <= Z.of_nat (length l) ->
  exists x, In x l /\ d * width <= f x <= d * width + e.
Proof.
  intros W D E F B M.
  destruct (existsb (fun x => (d * width <=? f x) && (f x <=? d * width + e)) l) eqn:Ex.
  { apply existsb_exists in Ex. destruct Ex as [x [I Hx]]. apply andb_prop in Hx. destruct Hx as [H1 H2].
    apply Z.leb_le in H1, H2. now exists x. }
  exfalso.
  assert (Out : forall x, In x l -> (f x <? d * width) || (d * width + e <? f x) = true).
  { intros x I. destruct (Z.ltb_spec (f x) (d * width)); [reflexivity|].
    destruct (Z.ltb_spec (d * width + e) (f x)); [reflexivity|]. exfalso.
    rewrite <- not_true_iff_false in Ex. apply Ex. apply existsb_exists. exists x. split; [exact I|].
    apply andb_true_intro. split; apply Z.leb_le; lia. }
  pose proof (count_or (fun x => f x <? d * width) (fun x => d * width + e <? f x) l) as Or.
  assert (All : count (fun x => (f x <? d * width) || (d * width + e <? f x)) l = Z.of_nat (length l)).
  { rewrite count_total, <- total_ones. apply total_eq. intros x I. now rewrite (Out x I). }
  assert (Low : count (fun x => f x <? d * width) l * width <= d * width - 1 - 0 + width).
  { rewrite count_length. apply (spaced f width ltac:(lia)); [now apply pairs_filter| |nia].
    intros x I. apply filter_In in I. destruct I as [I L]. apply Z.ltb_lt in L. specialize (B x I). lia. }
  assert (High : count (fun x => d * width + e <? f x) l * width <=
    (m - 1) * width + e - (d * width + e + 1) + width).
  { rewrite count_length. apply (spaced f width ltac:(lia)); [now apply pairs_filter| |nia].
    intros x I. apply filter_In in I. destruct I as [I L]. apply Z.ltb_lt in L. specialize (B x I). lia. }
  assert (count (fun x => f x <? d * width) l < d + 1) by (apply (Z.mul_lt_mono_pos_r width); lia).
  assert (count (fun x => d * width + e <? f x) l < m - d) by (apply (Z.mul_lt_mono_pos_r width); lia).
  cbn beta in Or. rewrite All in Or. lia.
Qed.

(** ** The bound *)

Lemma held_starts l q i : is_held (held_at_start l) q i = true <-> In (q, i) l.
Proof.
  unfold is_held, held_at_start. induction l as [|[a b] l IH]; cbn [fold_right In].
  - unfold held. rewrite PositiveMap.gempty. split; [discriminate|easy].
  - rewrite held_hold. cbn [fst snd]. destruct (Z.eqb_spec a q) as [->|N]; cbn [andb].
    + destruct (Z.eqb_spec b i) as [->|N].
      * destruct (held _ q i); split; auto.
      * rewrite IH. split; [auto|]. intros [E|I]; [congruence|exact I].
    + rewrite IH. split; [auto|]. intros [E|I]; [congruence|exact I].
Qed.

Lemma all_lack_sound have want m : forall ps lacking, all_lack have want m ps lacking = true ->
  forall q, In q ps -> exists items, NoDup items /\ m <= Z.of_nat (length items) /\
  forall i, In i items -> is_held want q i = true /\ is_held have q i = false.
Proof.
  induction ps as [|a ps IH]; intros lacking H q I; [easy|]. destruct lacking as [|items lacking];
    [discriminate|].
  cbn [all_lack] in H. repeat (apply andb_prop in H; destruct H as [H ?]). destruct I as [->|I].
  - exists items. apply distinct_sound in H. destruct H as [N _]. apply Z.leb_le in H2. rewrite total_ones in H2.
    rewrite forallb_forall in H1. split; [exact N|]. split; [exact H2|]. intros i Hi. specialize (H1 i Hi).
    apply andb_prop in H1. destruct H1 as [W G]. split; [exact W|now apply negb_true_iff].
  - now apply (IH lacking).
Qed.

Theorem check_overheads_bound_sound c ps given_ wanted_ lacking m d b :
  check_overheads_bound c ps given_ wanted_ lacking m d b = true ->
  never_before (Problem (machine_of c ps) given_ wanted_) (b # unit_ c).
Proof.
  unfold check_overheads_bound. intros H s t T0 V C. do 6 (apply andb_prop in H; destruct H as [H ?]).
  rename H into Sane, H0 into Hb, H1 into Lack, H2 into Dm, H3 into D0, H4 into Pos, H5 into Np.
  apply Z.leb_le in Hb, D0. apply Z.ltb_lt in Dm, Pos. rewrite total_ones in Pos. apply distinct_sound in Np.
  destruct Np as [Np _].
  set (p := Problem (machine_of c ps) given_ wanted_).
  destruct (sane_facts c Sane) as [L0 [O0 G0]]. assert (P0 : 0 < period c) by (unfold period; lia).
  apply tick_back. destruct (Z_lt_le_dec (tick (unit_ c) t) b) as [Less|]; [exfalso|assumption].
  set (at_tick := fun x => tick (unit_ c) (start x)).
  set (K := tick (unit_ c) t - delay_ c).
  set (l := filter (fun x => at_tick x <=? K) s).
  pose proof V as [V1 V2].
  assert (In_l : forall x, In x l -> In x s /\ 0 <= at_tick x <= K).
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx E]. apply Z.leb_le in E.
    destruct (V1 x Hx) as [_ [_ [_ [S0 _]]]]. pose proof (tick_nonneg (unit_ c) _ S0). split; [exact Hx|].
    unfold at_tick in *. lia. }
  (* Everybody receives m times. *)
  assert (Gets : forall q, In q ps -> m <= count (fun x => receiver x =? q) l).
  { intros q Hq. destruct (all_lack_sound _ _ _ _ _ Lack q Hq) as [items [Ni [Li Hi]]].
    rewrite count_length. etransitivity; [exact Li|]. apply Nat2Z.inj_le. apply (images item); [exact Ni|].
    intros i I. destruct (Hi i I) as [W G]. apply held_starts in W. rewrite <- not_true_iff_false in G.
    rewrite held_starts in G. destruct (C q i W) as [Gi|[x [Hx [E1 [E2 R]]]]]; [contradiction|].
    exists x. split; [|exact E2]. apply filter_In. split; [|now apply Z.eqb_eq]. apply filter_In.
    split; [exact Hx|]. apply Z.leb_le. pose proof (received_tick c p eq_refl x t R) as Rt.
    cbv beta zeta in Rt. unfold at_tick, K. lia. }
  assert (From : forall x, In x l -> In (sender x) ps).
  { intros x Hx. apply In_l in Hx. destruct Hx as [Hx _]. now destruct (V1 x Hx) as [S _]. }
  destruct (somebody sender receiver ps m l Np Pos From Gets) as [q [Hq Gives]].
  specialize (Gets q Hq). rewrite count_length in Gets, Gives.
  set (e := K - (m - 1) * period c).
  pose proof (pairs_filter _ (fun x => at_tick x <=? K) _ (ticks_apart c p s eq_refl V)) as Apart.
  fold l in Apart.
  assert (Near : forall who : message -> Z, who = sender \/ who = receiver -> forall k, 0 <= k < m ->
    m <= Z.of_nat (length (filter (fun x => who x =? q) l)) ->
    exists x, In x s /\ who x = q /\ k * period c <= at_tick x <= k * period c + e).
  { intros who Wh k Hk M.
    destruct (near_its_place at_tick (period c) e m k (filter (fun x => who x =? q) l)) as [x [Hx B]];
      [exact P0|exact Hk|unfold e, K; lia| | |exact M|].
    - pose proof (pairs_filter _ (fun x => who x =? q) _ Apart) as F. refine (pairs_weaken _ _ _ _ F).
      intros x y Hx Hy [A B]. apply filter_In in Hx, Hy. destruct Hx as [_ Ex]. destruct Hy as [_ Ey].
      apply Z.eqb_eq in Ex, Ey. destruct Wh as [-> | ->]; [apply A|apply B]; congruence.
    - intros x Hx. apply filter_In in Hx. destruct Hx as [Hx _]. apply In_l in Hx. unfold e. lia.
    - apply filter_In in Hx. destruct Hx as [Hx E]. apply Z.eqb_eq in E. apply In_l in Hx.
      exists x. tauto. }
  destruct (Near sender (or_introl eq_refl) d ltac:(lia) Gives) as [x [Hx [Ex Bx]]].
  destruct (Near receiver (or_intror eq_refl) 0 ltac:(lia) Gets) as [y [Hy [Ey By]]].
  assert (Co : compatible (on p) x y).
  { destruct (ForallOrdPairs_In V2 x y Hx Hy) as [E|[E|E]]; [|exact E|now apply compatible_symmetric].
    exfalso. subst y. destruct (V1 x Hx) as [_ [_ [N _]]]. congruence. }
  destruct Co as [_ [_ Co]].
  specialize (Co q (start x, sent (on p) x) (arrives (on p) y, received (on p) y)). cbn [fst snd] in Co.
  assert (Two : (start x + (- latency_ c # unit_ c) <= start y \/ start y + (delay_ c # unit_ c) <= start x)%Q).
  { assert (Om : overhead (on p) = (overhead_ c # unit_ c)) by reflexivity.
    assert (Lm : latency (on p) = (latency_ c # unit_ c)) by reflexivity.
    destruct Co as [Co|Co].
    - unfold busy. apply in_app_iff. left. rewrite Ex, Z.eqb_refl. now left.
    - unfold busy. apply in_app_iff. right. rewrite Ey, Z.eqb_refl. now left.
    - left. unfold arrives, sent in Co. rewrite Lm in Co.
      assert (N : ((- latency_ c # unit_ c) == - (latency_ c # unit_ c))%Q) by reflexivity. rewrite N. lra.
    - right. unfold received in Co. rewrite (clock_delay c p eq_refl) in Co. exact Co. }
  assert (Ticks : at_tick x - latency_ c <= at_tick y \/ at_tick y + delay_ c <= at_tick x).
  { destruct Two as [Q|Q]; apply tick_le in Q; unfold at_tick; lia. }
  unfold e, K, delay_ in *. lia.
Qed.
