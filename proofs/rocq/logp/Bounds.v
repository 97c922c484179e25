(** No schedule is faster than the universal tree allows: the bound B(P) for one item, that for k items, and
    the bound by the receptions of one processor. *)
From Coq Require Import ZArith QArith Qround List Lia Lqa Bool FMapPositive Permutation.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Checker Soundness.
Import ListNotations.
Open Scope Z_scope.

(** ** The counts of the tree *)

Section Tree.
Variables (d g others : Z).
Hypothesis D : 0 < d.
Hypothesis G : 0 < g.

(** What has been sent by the time s, and who has been reached. *)
Definition sends_by (labels : list (Z * Z)) (s : Z) : Z :=
  total (fun ln => if fst ln <=? s then snd ln * ((s - fst ln) / g + 1) else 0) labels.
Definition reached_by (labels : list (Z * Z)) (s : Z) : Z :=
  total (fun ln => if fst ln <=? s then snd ln else 0) labels.

Definition ordered (labels : list (Z * Z)) : bool := increasing (map fst labels).

Lemma sent_by_total labels s : ordered labels = true -> sent_by g s labels = sends_by labels s.
Proof.
  unfold ordered, sends_by. induction labels as [|[l n] labels IH]; intros O; [reflexivity|].
  cbn [map fst increasing] in O. cbn [sent_by total fst snd]. destruct (Z.leb_spec l s) as [Le|Gt].
  - rewrite IH; [lia|]. destruct labels as [|[l' n'] labels]; [reflexivity|].
    cbn [map fst increasing increasing_from] in *.
    apply andb_prop in O. tauto.
  - rewrite (total_eq _ (fun _ => 0)); [now rewrite total_zero|]. intros [l' n'] H. cbn [fst snd].
    destruct (increasing_from_sound _ _ O) as [_ A]. specialize (A l' (in_map fst _ _ H)).
    destruct (Z.leb_spec l' s); lia.
Qed.

Lemma sends_step labels s : sends_by labels s = sends_by labels (s - g) + reached_by labels s.
Proof.
  unfold sends_by, reached_by. rewrite <- total_plus. apply total_eq. intros [l n] _. cbn [fst snd].
  destruct (Z.leb_spec l s), (Z.leb_spec l (s - g)); try lia.
  - replace (s - l) with (s - g - l + 1 * g) by lia. rewrite Z.div_add by lia. lia.
  - rewrite Z.div_small by lia. lia.
Qed.

Definition counted (labels : list (Z * Z)) : Prop := forall l n, In (l, n) labels -> 0 <= n.

Lemma sends_mono labels s t : counted labels -> s <= t -> sends_by labels s <= sends_by labels t.
Proof.
  intros P L. unfold sends_by. apply total_le. intros [l n] H. specialize (P l n H). cbn [fst snd].
  destruct (Z.leb_spec l s), (Z.leb_spec l t); try lia.
  - apply Z.mul_le_mono_nonneg_l; [exact P|]. pose proof (Z.div_le_mono (s - l) (t - l) g G ltac:(lia)). lia.
  - apply Z.mul_nonneg_nonneg; [exact P|]. pose proof (Z.div_pos (t - l) g ltac:(lia) G). lia.
Qed.
Lemma sends_nonneg labels s : counted labels -> 0 <= sends_by labels s.
Proof.
  intros P. apply total_nonneg. intros [l n] H. specialize (P l n H). cbn [fst snd].
  destruct (Z.leb_spec l s); [|lia].
  apply Z.mul_nonneg_nonneg; [exact P|]. pose proof (Z.div_pos (s - l) g ltac:(lia) G). lia.
Qed.
Lemma reached_nonneg labels s : counted labels -> 0 <= reached_by labels s.
Proof.
  intros P. apply total_nonneg. intros [l n] H. specialize (P l n H). cbn [fst snd].
  destruct (Z.leb_spec l s); lia.
Qed.

Lemma complete_facts all : forall rest so_far last, complete d g others all so_far last rest = true ->
  increasing_from last (map fst rest) = true /\ counted rest.
Proof.
  induction rest as [|[l n] rest IH]; intros so_far last H; cbn [complete] in H; [split; easy|].
  repeat (apply andb_prop in H; destruct H as [H ?]). destruct (IH _ _ H0) as [A B].
  cbn [map fst increasing_from]. rewrite H, A. split; [reflexivity|]. intros a b [E|I].
  - injection E as <- <-. apply Z.ltb_lt in H2. lia.
  - now apply (B a b).
Qed.

Lemma complete_sound all : ordered all = true -> counted all -> forall rest so_far last,
  complete d g others all so_far last rest = true ->
  forall s, last <= s -> Z.min others (1 + sends_by all (s - d)) <= so_far + reached_by rest s.
Proof.
  intros O P. induction rest as [|[l n] rest IH]; intros so_far last H s L; cbn [complete] in H.
  - apply Z.leb_le in H. cbn. lia.
  - pose proof (complete_facts all ((l, n) :: rest) so_far last H) as [_ Pr].
    repeat (apply andb_prop in H; destruct H as [H ?]). apply Z.ltb_lt in H, H2. apply Z.leb_le in H1.
    rewrite sent_by_total in H1 by exact O. destruct (Z_lt_le_dec s l) as [Less|More].
    + pose proof (sends_mono all (s - d) (l - 1 - d) P ltac:(lia)). pose proof (reached_nonneg _ s Pr). lia.
    + specialize (IH _ _ H0 s More). unfold reached_by in *. cbn [total fst snd].
      destruct (Z.leb_spec l s); lia.
Qed.
End Tree.

(** ** Ticks *)

Definition scale (u : positive) (q : Q) : Q := (q * inject_Z (Zpos u))%Q.
Definition tick (u : positive) (q : Q) : Z := Qfloor (scale u q).

Lemma scale_units u z : (scale u (z # u) == inject_Z z)%Q.
Proof. unfold scale, Qeq, Qmult, inject_Z. cbn. nia. Qed.
Lemma scale_plus u a b : (scale u (a + b) == scale u a + scale u b)%Q.
Proof. unfold scale. ring. Qed.
Lemma scale_le u a b : (a <= b)%Q -> (scale u a <= scale u b)%Q.
Proof. intros H. unfold scale. apply Qmult_le_compat_r; [exact H|]. unfold Qle, inject_Z. cbn. lia. Qed.

Lemma tick_le u a b z : (a + (z # u) <= b)%Q -> tick u a + z <= tick u b.
Proof.
  intros H. apply (scale_le u) in H. rewrite scale_plus, scale_units in H. unfold tick.
  rewrite <- (Qfloor_Z (Qfloor (scale u a) + z)). apply Qfloor_resp_le. rewrite inject_Z_plus.
  pose proof (Qfloor_le (scale u a)). lra.
Qed.
Lemma tick_nonneg u a : (0 <= a)%Q -> 0 <= tick u a.
Proof.
  intros H. apply (scale_le u) in H. unfold tick. change 0 with (Qfloor 0). apply Qfloor_resp_le.
  unfold scale in H at 1. lra.
Qed.
(** A time of at least z ticks is at least z units. *)
Lemma tick_back u a z : z <= tick u a -> ((z # u) <= a)%Q.
Proof.
  intros H. unfold tick in H. pose proof (Qfloor_le (scale u a)) as F.
  assert (I : (inject_Z z <= scale u a)%Q) by (eapply Qle_trans; [|exact F]; now rewrite <- Zle_Qle).
  unfold scale, Qle, inject_Z, Qmult in *. cbn in *. nia.
Qed.

(** ** Facts on every schedule *)

Section Every_schedule.
Variables (c : clock) (p : problem) (s : schedule).
Hypothesis Clock : on p = machine_of c (processors (on p)).
Hypothesis Sane : sane c = true.
Hypothesis V : valid p s.

Let at_tick (x : message) : Z := tick (unit_ c) (start x).

Lemma clock_delay : (delay (on p) == (delay_ c # unit_ c))%Q.
Proof. rewrite Clock. apply units_delay. Qed.

Lemma period_apart m x y : m = machine_of c (processors m) -> sender x <> receiver x -> sender y <> receiver
  y ->
  compatible m x y ->
  (sender x = sender y -> apart (period c # unit_ c) (start x) (start y)) /\
  (receiver x = receiver y -> apart (period c # unit_ c) (start x) (start y)).
Proof.
  intros E Nx Ny [A [B C]].
  assert (Gm : gap m = (gap_ c # unit_ c)) by now rewrite E.
  assert (Om : overhead m = (overhead_ c # unit_ c)) by now rewrite E.
  assert (Max : forall a b : Q, apart (gap m) a b -> apart (overhead m) a b -> apart (period c # unit_ c) a
    b).
  { intros a b H1 H2. unfold period. rewrite Gm in H1. rewrite Om in H2.
    destruct (Z.max_spec (gap_ c) (overhead_ c)) as [[_ ->]|[_ ->]]; assumption. }
  split; intros S.
  - apply Max; [now apply A|].
    specialize (C (sender x) (start x, sent m x) (start y, sent m y)). unfold busy, apart, sent in *.
    cbn [fst snd] in C.
    apply C; apply in_app_iff; left; rewrite ?S, Z.eqb_refl; now left.
  - assert (Sh : forall w, apart w (arrives m x) (arrives m y) -> apart w (start x) (start y)).
    { intros w. unfold apart, arrives, sent. intros [|]; [left|right]; lra. }
    apply Max; [now apply Sh, B|]. apply Sh.
    specialize (C (receiver x) (arrives m x, received m x) (arrives m y, received m y)).
    unfold busy, apart, arrives, received, sent, delay in *. cbn [fst snd] in C.
    assert ((arrives m x + overhead m <= arrives m y \/ arrives m y + overhead m <= arrives m x)%Q);
      [|exact H].
    unfold arrives, sent. destruct C as [C|C]; try (apply in_app_iff; right; rewrite ?S, Z.eqb_refl;
      now left);
      [left|right]; lra.
Qed.

Lemma ticks_apart : ForallOrdPairs (fun x y =>
  (sender x = sender y -> at_tick x + period c <= at_tick y \/ at_tick y + period c <= at_tick x) /\
  (receiver x = receiver y -> at_tick x + period c <= at_tick y \/ at_tick y + period c <= at_tick x)) s.
Proof.
  destruct V as [V1 V2]. refine (pairs_weaken _ _ _ _ V2). intros x y Hx Hy Co.
  destruct (V1 x Hx) as [_ [_ [Nx _]]]. destruct (V1 y Hy) as [_ [_ [Ny _]]].
  destruct (period_apart (on p) x y Clock Nx Ny Co) as [A B].
  split; intros E; [destruct (A E) as [L|L]|destruct (B E) as [L|L]]; apply tick_le in L; unfold at_tick;
    tauto.
Qed.

Lemma received_tick x t : (received (on p) x <= t)%Q -> at_tick x + delay_ c <= tick (unit_ c) t.
Proof. intros H. unfold received in H. rewrite clock_delay in H. now apply tick_le. Qed.

(** ** The items of one source *)

Variables (source : Z) (items : list Z).
Hypothesis Broadcast : p = broadcast (on p) source items.

Let R : list message := filter (fun x => negb (receiver x =? source)) s.
Let A (y : Z) : Z := count (fun x => at_tick x <=? y) R.
Let others : Z := total (fun q => if q =? source then 0 else 1) (processors (on p)).

Lemma others_length : others = Z.of_nat (length (filter (fun q => negb (q =? source)) (processors (on p)))).
Proof.
  unfold others. rewrite <- count_length, count_total. apply total_eq. intros q _. now destruct (q =? source).
Qed.

(** Who has an item is the source, or was sent one a delay before. *)
Lemma informed q i t : has p s q i t -> q = source \/
  In q (map receiver (filter (fun x => at_tick x <=? tick (unit_ c) t - delay_ c) R)).
Proof.
  intros [H|[x [Hx [E [_ L]]]]].
  - left. rewrite Broadcast in H. cbn [given broadcast] in H. apply in_map_iff in H. destruct H as [j [H _]].
    now injection H.
  - destruct (Z.eq_dec q source) as [->|N]; [now left|]. right. apply in_map_iff. exists x. split; [exact E|].
    apply filter_In. split.
    + apply filter_In. split; [exact Hx|]. apply negb_true_iff, Z.eqb_neq. congruence.
    + apply Z.leb_le. pose proof (received_tick x t L). lia.
Qed.

Lemma messages_step y : A y <= A (y - period c) + Z.min others (1 + A (y - delay_ c)).
Proof.
  destruct (sane_facts c Sane) as [L0 [O0 G0]]. assert (P0 : 0 < period c) by (unfold period; lia).
  set (now := fun x => (y - period c <? at_tick x) && (at_tick x <=? y)).
  assert (E : A y <= A (y - period c) + count now R).
  { unfold A. eapply Z.le_trans; [|apply count_or]. apply count_le. intros x _ H. apply Z.leb_le in H.
    unfold now.
    destruct (Z.leb_spec (at_tick x) (y - period c)); [reflexivity|]. cbn [orb]. apply andb_true_intro.
    split; [now apply Z.ltb_lt|now apply Z.leb_le]. }
  enough (count now R <= Z.min others (1 + A (y - delay_ c))) by lia. clear E. rewrite count_length.
  set (x := filter now R).
  assert (Fx : ForallOrdPairs (fun x y =>
    (sender x = sender y -> at_tick x + period c <= at_tick y \/ at_tick y + period c <= at_tick x) /\
    (receiver x = receiver y -> at_tick x + period c <= at_tick y \/ at_tick y + period c <= at_tick x)) x).
  { apply pairs_filter, pairs_filter, ticks_apart. }
  assert (Ix : forall z, In z x -> In z s /\ receiver z <> source /\ y - period c < at_tick z <= y).
  { intros z Hz. apply filter_In in Hz. destruct Hz as [Hz N]. apply filter_In in Hz. destruct Hz as [Hz M].
    apply negb_true_iff, Z.eqb_neq in M. apply andb_prop in N. destruct N as [N1 N2]. apply Z.ltb_lt in N1.
    apply Z.leb_le in N2.
    tauto. }
  apply Z.min_glb.
  - rewrite others_length. apply Nat2Z.inj_le. rewrite <- (map_length receiver). apply NoDup_incl_length.
    + apply (different_images _ receiver x Fx). intros z w Hz Hw [_ B] Eq. apply Ix in Hz, Hw.
      destruct (B Eq); lia.
    + intros q Hq. apply in_map_iff in Hq. destruct Hq as [z [<- Hz]]. destruct (Ix z Hz) as [Sz [Nz _]].
      apply filter_In. destruct V as [V1 _]. destruct (V1 z Sz) as [_ [Rz _]]. split; [exact Rz|].
      now apply negb_true_iff, Z.eqb_neq.
  - assert (Len : (length (map sender x) <= length (source :: map receiver (filter (fun z => at_tick z <=? y
    - delay_ c)%Z R)))%nat).
    { apply NoDup_incl_length.
      - apply (different_images _ sender x Fx). intros z w Hz Hw [B _] Eq. apply Ix in Hz, Hw.
        destruct (B Eq); lia.
      - intros q Hq. apply in_map_iff in Hq. destruct Hq as [z [<- Hz]]. destruct (Ix z Hz) as [Sz [_ Tz]].
        destruct V as [V1 _]. destruct (V1 z Sz) as [_ [_ [_ [_ Hh]]]].
        destruct (informed _ _ _ Hh) as [->|I]; [now left|].
        right. apply in_map_iff in I. destruct I as [w [E I]]. apply in_map_iff. exists w. split; [exact E|].
        apply filter_In in I. destruct I as [I1 I2]. apply filter_In. split; [exact I1|].
        apply Z.leb_le in I2. apply Z.leb_le.
        fold (at_tick z) in I2. lia. }
    rewrite map_length in Len. cbn [length] in Len. rewrite map_length in Len. unfold A.
    rewrite count_length. lia.
Qed.

Lemma messages_before y : y < 0 -> A y = 0.
Proof.
  intros N. unfold A. rewrite count_total, (total_eq _ (fun _ => 0)); [apply total_zero|].
  intros x Hx. apply filter_In in Hx. destruct V as [V1 _]. destruct (V1 x (proj1 Hx)) as [_ [_ [_ [S0 _]]]].
  pose proof (tick_nonneg (unit_ c) _ S0). fold (at_tick x) in H. unfold flag.
  destruct (Z.leb_spec (at_tick x) y); [lia|reflexivity].
Qed.

Variables (labels : list (Z * Z)).
Hypothesis Labels : match labels with
  | (l, n) :: rest => l = 0 /\ n = 1 /\ complete (delay_ c) (period c) others labels 1 0 rest = true
  | [] => False end.

(** At most as many messages have been started by any time as in the universal tree. *)
Lemma no_more_messages y : A y <= sends_by (period c) labels y.
Proof.
  destruct (sane_facts c Sane) as [L0 [O0 G0]]. assert (P0 : 0 < period c) by (unfold period; lia).
  assert (D0 : 0 < delay_ c) by (unfold delay_; lia).
  destruct labels as [|[l n] rest] eqn:El; [contradiction|]. destruct Labels as [-> [-> Co]].
  rewrite <- El in *.
  destruct (complete_facts _ _ _ _ _ _ _ Co) as [Inc Pos].
  assert (O : ordered labels = true) by (rewrite El; exact Inc).
  assert (P : counted labels).
  { rewrite El. intros a b [E|I]; [injection E as _ <-; lia|now apply (Pos a b)]. }
  enough (H : forall k y, y < Z.of_nat k -> A y <= sends_by (period c) labels y) by (apply (H (Z.to_nat (y +
    1))); lia).
  induction k as [|k IH]; intros z Hz.
  - rewrite messages_before by lia. now apply sends_nonneg.
  - destruct (Z_lt_le_dec z 0) as [Neg|Nonneg]; [rewrite messages_before by exact Neg;
    now apply sends_nonneg|].
    pose proof (messages_step z) as S1. pose proof (IH (z - period c) ltac:(lia)).
    pose proof (IH (z - delay_ c) ltac:(lia)).
    rewrite (sends_step (period c) P0).
    pose proof (complete_sound _ _ _ P0 labels O P rest 1 0 Co z Nonneg) as S2.
    assert (reached_by labels z = 1 + reached_by rest z).
    { rewrite El. unfold reached_by. cbn [total fst snd]. destruct (Z.leb_spec 0 z); lia. }
    lia.
Qed.

Hypothesis Distinct : NoDup (processors (on p)).
Hypothesis Items : NoDup items.

Lemma messages_needed t : completes p s t -> others * Z.of_nat (length items) <= A (tick (unit_ c) t - delay_
  c).
Proof.
  intros C. unfold A. rewrite count_length, others_length.
  set (pairs := list_prod (filter (fun q => negb (q =? source)) (processors (on p))) items).
  assert (N : NoDup pairs).
  { assert (N1 : NoDup (filter (fun q => negb (q =? source)) (processors (on p)))) by now apply NoDup_filter.
    unfold pairs. revert N1. generalize (filter (fun q => negb (q =? source)) (processors (on p))).
    intros l N1.
    induction N1 as [|q l Hq N1 IH]; cbn [list_prod]; [constructor|].
    assert (Na : NoDup (map (fun i => (q, i)) items)).
    { apply FinFun.Injective_map_NoDup; [|exact Items]. intros i j E. now injection E. }
    assert (No : forall qi, In qi (map (fun i => (q, i)) items) -> ~ In qi (list_prod l items)).
    { intros qi I J. apply in_map_iff in I. destruct I as [i [<- _]]. apply in_prod_iff in J. tauto. }
    clear - Na No IH. induction Na as [|a m Ha Na IH']; cbn [app]; [exact IH|]. constructor.
    - rewrite in_app_iff. intros [I|I]; [contradiction|]. apply (No a); [now left|exact I].
    - apply IH'. intros qi I. apply No. now right. }
  assert (L : (length pairs <= length (filter (fun x => at_tick x <=? tick (unit_ c) t - delay_ c)%Z R))%nat).
  { apply (images (fun x => (receiver x, item x))); [exact N|]. intros [q i] I. apply in_prod_iff in I.
    destruct I as [Iq Ii].
    apply filter_In in Iq. destruct Iq as [Iq Nq]. apply negb_true_iff, Z.eqb_neq in Nq.
    assert (W : In (q, i) (wanted p)).
    { rewrite Broadcast. cbn [wanted broadcast]. apply in_prod_iff. tauto. }
    destruct (C q i W) as [H|[x [Hx [E1 [E2 L]]]]].
    - exfalso. rewrite Broadcast in H. cbn [given broadcast] in H. apply in_map_iff in H.
      destruct H as [j [H _]].
      injection H as H _. congruence.
    - exists x. split; [|now rewrite E1, E2]. apply filter_In. split.
      + apply filter_In. split; [exact Hx|]. apply negb_true_iff, Z.eqb_neq. congruence.
      + apply Z.leb_le. pose proof (received_tick x t L). lia. }
  unfold pairs in L. rewrite prod_length in L. nia.
Qed.

Theorem tree_bound b t : completes p s t -> sends_by (period c) labels (b - delay_ c - 1) < others * Z.of_nat
  (length items) ->
  ((b # unit_ c) <= t)%Q.
Proof.
  intros C L. apply tick_back. pose proof (messages_needed t C).
  pose proof (no_more_messages (tick (unit_ c) t - delay_ c)).
  destruct (Z_lt_le_dec (tick (unit_ c) t) b) as [Less|]; [|assumption]. exfalso.
  destruct (sane_facts c Sane) as [L0 [O0 G0]]. assert (P0 : 0 < period c) by (unfold period; lia).
  assert (P : counted labels).
  { destruct labels as [|[l n] rest]; [contradiction|]. destruct Labels as [-> [-> Co]].
    destruct (complete_facts _ _ _ _ _ _ _ Co) as [_ Pos]. intros a e [E|I]; [injection E as _ <-;
      lia|now apply (Pos a e)]. }
  pose proof (sends_mono (period c) P0 labels (tick (unit_ c) t - delay_ c) (b - delay_ c - 1) P ltac:(lia)).
  lia.
Qed.
End Every_schedule.

Theorem check_broadcast_bound_sound c ps source items labels b :
  check_broadcast_bound c ps source items labels b = true ->
  never_before (broadcast (machine_of c ps) source items) (b # unit_ c).
Proof.
  unfold check_broadcast_bound. intros H s t T0 V C. apply andb_prop in H. destruct H as [H Hb].
  apply andb_prop in H. destruct H as [H Hi]. apply andb_prop in H. destruct H as [Sane Hp].
  apply distinct_sound in Hi, Hp. destruct Hi as [Hi _]. destruct Hp as [Hp _].
  apply orb_prop in Hb. destruct Hb as [Hb|Hb].
  { apply Z.leb_le in Hb. eapply Qle_trans; [|exact T0]. unfold Qle. cbn. lia. }
  destruct labels as [|[l n] rest] eqn:El; [discriminate|]. repeat (apply andb_prop in Hb;
    destruct Hb as [Hb ?]).
  apply Z.eqb_eq in Hb, H3. apply Z.ltb_lt in H. rewrite <- El in *.
  set (p := broadcast (machine_of c ps) source items).
  assert (Labels : match labels with
    | (l, n) :: rest => l = 0 /\ n = 1 /\ complete (delay_ c) (period c)
        (total (fun q => if q =? source then 0 else 1) (processors (on p))) labels 1 0 rest = true
    | [] => False end) by (rewrite El in *; repeat split; auto).
  apply (tree_bound c p s eq_refl Sane V source items eq_refl labels Labels Hp Hi b t C).
  rewrite total_ones in H. rewrite sent_by_total in H; [exact H|].
  unfold ordered. rewrite El. cbn [map fst increasing]. subst l.
  now destruct (complete_facts _ _ _ _ _ _ _ H2).
Qed.

(** ** The receptions of one processor *)

Lemma in_firsts (l : list (Z * Z)) q i : In i (map snd (filter (fun qi => fst qi =? q) l)) <-> In (q, i) l.
Proof.
  rewrite in_map_iff. split.
  - intros [[a b] [E I]]. apply filter_In in I. destruct I as [I N]. cbn [fst snd] in *. apply Z.eqb_eq in N.
    now subst.
  - intros I. exists (q, i). split; [reflexivity|]. apply filter_In. split; [exact I|apply Z.eqb_refl].
Qed.

Theorem check_receptions_bound_sound c ps given_ wanted_ q items b :
  check_receptions_bound c given_ wanted_ q items b = true ->
  never_before (Problem (machine_of c ps) given_ wanted_) (b # unit_ c).
Proof.
  unfold check_receptions_bound. cbv zeta. intros H s t T0 V C. apply andb_prop in H. destruct H as [H Hb].
  apply andb_prop in H. destruct H as [H Hn]. apply andb_prop in H. destruct H as [H Hi].
  apply andb_prop in H.
  destruct H as [Sane Hd]. apply distinct_sound in Hd. destruct Hd as [Hd _]. apply Z.leb_le in Hb.
  apply Z.ltb_lt in Hn.
  rewrite total_ones in Hb, Hn. rewrite forallb_forall in Hi.
  set (p := Problem (machine_of c ps) given_ wanted_).
  destruct (sane_facts c Sane) as [L0 [O0 G0]]. assert (P0 : 0 < period c) by (unfold period; lia).
  set (at_tick := fun x => tick (unit_ c) (start x)).
  set (r := filter (fun x => (receiver x =? q) && (at_tick x <=? tick (unit_ c) t - delay_ c)) s).
  assert (L : (length items <= length r)%nat).
  { apply (images item); [exact Hd|]. intros i I. specialize (Hi i I). apply andb_prop in Hi.
    destruct Hi as [W G].
    apply member_spec, in_firsts in W. apply negb_true_iff in G.
    destruct (C q i W) as [K|[x [Hx [E1 [E2 K]]]]].
    - exfalso. apply in_firsts, member_spec in K. cbn [given p] in K. congruence.
    - exists x. split; [|exact E2]. apply filter_In. split; [exact Hx|]. apply andb_true_intro.
      split; [now apply Z.eqb_eq|]. apply Z.leb_le. pose proof (received_tick c p eq_refl x t K).
      cbv beta zeta in H. unfold at_tick. lia. }
  apply tick_back.
  assert (Ir : forall x, In x r -> In x s /\ receiver x = q /\ 0 <= at_tick x <= tick (unit_ c) t - delay_ c).
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx E]. apply andb_prop in E. destruct E as [E1 E2].
    apply Z.eqb_eq in E1. apply Z.leb_le in E2. destruct V as [V1 _].
    destruct (V1 x Hx) as [_ [_ [_ [S0 _]]]].
    pose proof (tick_nonneg (unit_ c) _ S0). repeat split; auto. }
  assert (Late : 0 <= tick (unit_ c) t - delay_ c).
  { destruct r as [|x r'] eqn:E; [cbn [length] in L; lia|]. specialize (Ir x (or_introl eq_refl)). lia. }
  assert (Sp : Z.of_nat (length r) * period c <= tick (unit_ c) t - delay_ c - 0 + period c).
  { apply (spaced at_tick (period c) ltac:(lia)); [|intros x Hx; apply Ir in Hx; lia|lia].
    pose proof (pairs_filter _ (fun x => (receiver x =? q) && (at_tick x <=? tick (unit_ c) t - delay_ c)) _
      (ticks_apart c p s eq_refl V)) as F.
    refine (pairs_weaken _ _ _ _ F). intros x y Hx Hy [_ B]. apply Ir in Hx, Hy. apply B.
    destruct Hx as [_ [-> _]]. destruct Hy as [_ [-> _]]. reflexivity. }
  nia.
Qed.

(** ** The capacity follows from the gaps *)

Theorem capacity_kept c p s : on p = machine_of c (processors (on p)) -> sane c = true -> valid p s ->
  keeps_capacity (on p) s ((latency_ c + gap_ c - 1) / gap_ c).
Proof.
  intros Clock Sane [V1 V2] q t l Il Nl Hw Side. destruct (sane_facts c Sane) as [L0 [O0 G0]].
  assert (Gm : gap (on p) = (gap_ c # unit_ c)) by now rewrite Clock.
  assert (Lm : latency (on p) = (latency_ c # unit_ c)) by now rewrite Clock.
  (* Ticks counted from the moment t, just before which nothing starts. *)
  set (back := fun x => tick (unit_ c) (t - sent (on p) x)).
  assert (Co : forall x y, In x l -> In y l -> x <> y -> back x + gap_ c <= back y \/ back y + gap_ c <= back
    x).
  { intros x y Hx Hy N.
    assert (K : compatible (on p) x y).
    { destruct (ForallOrdPairs_In V2 x y (Il _ Hx) (Il _ Hy)) as [E|[K|K]]; [contradiction|exact K|].
      now apply compatible_symmetric. }
    destruct K as [K1 [K2 _]].
    assert (Ap : apart (gap (on p)) (start x) (start y)).
    { destruct Side as [Side|Side].
      - apply K1. now rewrite (Side x Hx), (Side y Hy).
      - assert (K : apart (gap (on p)) (arrives (on p) x) (arrives (on p) y)) by (apply K2;
        now rewrite (Side x Hx), (Side y Hy)).
        revert K. unfold apart, arrives, sent. intros [|]; [left|right]; lra. }
    unfold back. destruct Ap as [Ap|Ap]; [right|left]; apply tick_le; rewrite <- Gm; unfold sent; lra. }
  assert (Bounds : forall x, In x l -> 0 <= back x <= latency_ c - 1).
  { intros x Hx. destruct (Hw x Hx) as [W1 W2]. split.
    - apply tick_nonneg. lra.
    - unfold back, tick. enough (Qfloor (scale (unit_ c) (t - sent (on p) x)) < latency_ c) by lia.
      rewrite Zlt_Qlt. eapply Qle_lt_trans; [apply Qfloor_le|]. rewrite <- (scale_units (unit_ c)).
      rewrite <- Lm.
      unfold arrives in W2. unfold scale.
      apply Qmult_lt_compat_r; [unfold Qlt, inject_Z; cbn; lia|lra]. }
  assert (F : ForallOrdPairs (fun x y => back x + gap_ c <= back y \/ back y + gap_ c <= back x) l).
  { revert Nl Co. clear. intros Nl. induction Nl as [|x l Hx Nl IH]; intros Co; constructor.
    - apply Forall_forall. intros y Hy. apply Co; [now left|now right|]. intros ->. contradiction.
    - apply IH. intros y z Hy Hz. apply Co; now right. }
  pose proof (spaced back (gap_ c) ltac:(lia) l 0 (latency_ c - 1) F Bounds ltac:(lia)) as Sp.
  apply Z.div_le_lower_bound; [exact G0|]. lia.
Qed.

(** ** Who knows something *)

(** For one item: by no time have more processors anything than nodes of the universal tree have labels until
  then. *)
Theorem informed_at_most c p s source items labels : on p = machine_of c (processors (on p)) -> sane c = true
  ->
  valid p s -> p = broadcast (on p) source items ->
  match labels with
  | (l, n) :: rest => l = 0 /\ n = 1 /\ complete (delay_ c) (period c)
      (total (fun q => if q =? source then 0 else 1) (processors (on p))) labels 1 0 rest = true
  | [] => False end ->
  forall t l, NoDup l -> (forall q, In q l -> exists i, has p s q i t) ->
  Z.of_nat (length l) <= 1 + sends_by (period c) labels (tick (unit_ c) t - delay_ c).
Proof.
  intros Clock Sane V B L t l Nl H.
  pose proof (no_more_messages c p s Clock Sane V source items B labels L (tick (unit_ c) t - delay_ c)) as M.
  cbv beta zeta in M. rewrite count_length in M.
  assert (Len : (length l <= length (source :: map receiver (filter (fun x => tick (unit_ c) (start x) <=?
    tick (unit_ c) t - delay_ c)%Z
    (filter (fun x => negb (receiver x =? source)%Z) s))))%nat).
  { apply NoDup_incl_length; [exact Nl|]. intros q Hq. destruct (H q Hq) as [i Hi].
    destruct (informed c p s Clock source items B q i t Hi) as [->|I]; [now left|now right]. }
  cbn [length] in Len. rewrite map_length in Len. lia.
Qed.

Theorem least_time_unique p t u : least_time p t -> least_time p u -> (t == u)%Q.
Proof.
  intros [T0 [[s [V C]] N]] [U0 [[s' [V' C']] N']]. apply Qle_antisym;
    [now apply (N s' u)|now apply (N' s t)].
Qed.

(** A schedule, and the bound of the tree at its time. *)
Definition check_broadcast (c : clock) (ps : list Z) (source : Z) (items : list Z) (rows : list row)
    (labels : list (Z * Z)) (t : Z) : bool :=
  (0 <=? t) && check_schedule c ps (map (pair source) items) (list_prod ps items) rows t &&
  check_broadcast_bound c ps source items labels t.

Theorem check_broadcast_sound c ps source items rows labels t :
  check_broadcast c ps source items rows labels t = true ->
  least_time (broadcast (machine_of c ps) source items) (t # unit_ c).
Proof.
  unfold check_broadcast. intros H. apply andb_prop in H. destruct H as [H B]. apply andb_prop in H.
  destruct H as [T0 S].
  apply Z.leb_le in T0. split; [|split].
  - unfold Qle. cbn. lia.
  - now apply (check_schedule_sound c ps _ _ rows).
  - now apply (check_broadcast_bound_sound c ps source items labels).
Qed.
