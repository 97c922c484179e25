(** What the checker of schedules accepts is valid and complete in time; valid schedules keep the capacity. *)
From Coq Require Import ZArith QArith Qround List Lia Lqa Bool FMapPositive Permutation.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Checker.
Import ListNotations.
Open Scope Z_scope.

(** ** Times in units *)

Lemma units_le u a b : ((a # u) <= (b # u))%Q <-> a <= b.
Proof. unfold Qle. cbn [Qnum Qden]. nia. Qed.
Lemma units_plus u a b : ((a # u) + (b # u) == (a + b # u))%Q.
Proof. unfold Qeq, Qplus. cbn [Qnum Qden]. nia. Qed.

Section Units.
Variables (c : clock) (ps : list Z).
Let m := machine_of c ps.

Lemma units_delay : (delay m == (delay_ c # unit_ c))%Q.
Proof. unfold delay, m, machine_of, delay_, Qeq, Qplus, Qmult. cbn. nia. Qed.
Lemma units_sent r : (sent m (message_of c r) == (at_ r + overhead_ c # unit_ c))%Q.
Proof. unfold sent, m. cbn [start message_of overhead machine_of]. apply units_plus. Qed.
Lemma units_arrives r : (arrives m (message_of c r) == (at_ r + overhead_ c + latency_ c # unit_ c))%Q.
Proof. unfold arrives. rewrite units_sent. apply units_plus. Qed.
Lemma units_received r : (received m (message_of c r) == (at_ r + delay_ c # unit_ c))%Q.
Proof. unfold received. rewrite units_delay. apply units_plus. Qed.
End Units.

(** ** Holdings *)

Lemma held_hold h q i t r j : held (hold h q i t) r j = 
  if (q =? r) && (i =? j) then match held h q i with Some u => Some u | None => Some t end else held h r j.
Proof.
  unfold hold, held.
  destruct (PositiveMap.find (key q) h) as [tb|] eqn:F; [destruct (PositiveMap.find (key i) tb) as [u|]
    eqn:G|].
  - destruct (Z.eqb_spec q r) as [<-|N]; cbn [andb]; [|reflexivity].
    destruct (Z.eqb_spec i j) as [<-|N]; [now rewrite F, G|reflexivity].
  - destruct (Z.eqb_spec q r) as [<-|N]; cbn [andb].
    + rewrite PositiveMap.gss, F. destruct (Z.eqb_spec i j) as [<-|N]; [now rewrite PositiveMap.gss|].
      now rewrite PositiveMap.gso by (intros E; apply key_injective in E; congruence).
    + now rewrite PositiveMap.gso by (intros E; apply key_injective in E; congruence).
  - rewrite PositiveMap.gempty. destruct (Z.eqb_spec q r) as [<-|N]; cbn [andb].
    + rewrite PositiveMap.gss, F. destruct (Z.eqb_spec i j) as [<-|N]; [now rewrite PositiveMap.gss|].
      rewrite PositiveMap.gso by (intros E; apply key_injective in E; congruence). apply PositiveMap.gempty.
    + now rewrite PositiveMap.gso by (intros E; apply key_injective in E; congruence).
Qed.

Section Run.
Variables (c : clock) (p : problem).
Hypothesis Clock : on p = machine_of c (processors (on p)).
Hypothesis Sane : sane c = true.

Lemma sane_facts : 0 < latency_ c /\ 0 <= overhead_ c /\ 0 < gap_ c.
Proof.
  unfold sane in Sane. apply andb_prop in Sane. destruct Sane as [S1 S2]. apply andb_prop in S1.
  destruct S1 as [S0 S1].
  apply Z.ltb_lt in S0, S2. apply Z.leb_le in S1. tauto.
Qed.

Lemma has_more s x q i t : has p s q i t -> has p (x :: s) q i t.
Proof. intros [H|[y [Hy R]]]; [now left|]. right. exists y. split; [now right|exact R]. Qed.
Lemma has_incl s s' q i t : incl s s' -> has p s q i t -> has p s' q i t.
Proof. intros I [H|[y [Hy R]]]; [now left|]. right. exists y. split; [now apply I|exact R]. Qed.
Lemma has_later s q i t u : (t <= u)%Q -> has p s q i t -> has p s q i u.
Proof. intros L [H|[y [Hy [A [B C]]]]]; [now left|]. right. exists y. repeat split; auto. eapply Qle_trans;
  eauto. Qed.

(** What is held is had; at the start, what is given. *)
Definition right_holdings (s : schedule) (h : holdings) : Prop :=
  forall q i t, held h q i = Some t -> has p s q i (t # unit_ c).

Lemma right_at_start : right_holdings [] (held_at_start (given p)).
Proof.
  unfold held_at_start. cut (incl (given p) (given p)); [|apply incl_refl]. generalize (given p) at 1 3.
  intros l. induction l as [|[a b] l IH]; intros I q i t; cbn [fold_right].
  - unfold held. rewrite PositiveMap.gempty. discriminate.
  - assert (I' : incl l (given p)) by (intros x Hx; apply I; now right).
    rewrite held_hold. cbn [fst snd]. destruct (Z.eqb_spec a q) as [->|N]; cbn [andb]; [|now apply IH].
    destruct (Z.eqb_spec b i) as [->|N]; [|now apply IH]. intros _. left. apply I. now left.
Qed.

Lemma flows_sound rows : forall done h h', right_holdings done h ->
  flows c (set_of (processors (on p))) rows h = Some h' ->
  right_holdings (rev (map (message_of c) rows) ++ done) h' /\
  forall x, In x (map (message_of c) rows) ->
    In (sender x) (processors (on p)) /\ In (receiver x) (processors (on p)) /\ sender x <> receiver x /\ (0
      <= start x)%Q /\
    has p (rev (map (message_of c) rows) ++ done) (sender x) (item x) (start x).
Proof.
  induction rows as [|r rows IH]; intros done h h' R; cbn [flows map rev].
  - intros E. injection E as <-. split; [exact R|easy].
  - destruct (_ && _) eqn:C; [|discriminate]. intros E.
    apply andb_prop in C. destruct C as [C Hh]. repeat (apply andb_prop in C; destruct C as [C ?]).
    apply member_spec in C, H1. apply negb_true_iff, Z.eqb_neq in H0. apply Z.leb_le in H.
    destruct (held h (from r) (what r)) as [t|] eqn:Hd; [|discriminate]. apply Z.leb_le in Hh.
    assert (Now : has p done (from r) (what r) (at_ r # unit_ c)).
    { apply (has_later done _ _ (t # unit_ c)); [now apply units_le|now apply R]. }
    assert (R' : right_holdings (message_of c r :: done) (hold h (to r) (what r) (at_ r + delay_ c))).
    { intros q i u. rewrite held_hold. destruct (Z.eqb_spec (to r) q) as [<-|N]; cbn [andb].
      - destruct (Z.eqb_spec (what r) i) as [<-|N].
        + destruct (held h (to r) (what r)) as [v|] eqn:Hv; intros K; injection K as <-.
          * apply has_more. now apply R.
          * right. exists (message_of c r). split; [now left|]. repeat split. rewrite Clock, units_received.
            apply Qle_refl.
        + intros K. apply has_more. now apply R.
      - intros K. apply has_more. now apply R. }
    destruct (IH _ _ _ R' E) as [A B]. rewrite <- app_assoc. cbn [app]. split; [exact A|].
    intros x [<-|Hx]; [|now apply B]. cbn [sender receiver item start message_of]. repeat split; auto.
    + change 0%Q with (0 # 1)%Q. unfold Qle. cbn. lia.
    + apply (has_incl done); [|exact Now]. intros y Hy. apply in_app_iff. right. now right.
Qed.
End Run.

(** ** Events of a processor that follow each other *)

Definition away (e f : event) : Prop :=
  whose e = whose f -> begins e + lasts e <= begins f \/ begins f + lasts f <= begins e.

Lemma one_by_one_sound events : (forall e, In e events -> 0 <= lasts e) -> forall free, one_by_one events
  free = true ->
  ForallOrdPairs away events /\
  forall e t, In e events -> PositiveMap.find (key (whose e)) free = Some t -> t <= begins e.
Proof.
  induction events as [|e events IH]; intros W free H; [split; [constructor|easy]|].
  cbn [one_by_one] in H. apply andb_prop in H. destruct H as [H1 H2].
  destruct (IH (fun f Hf => W f (or_intror Hf)) _ H2) as [F G]. pose proof (W e (or_introl eq_refl)) as We.
  split.
  - constructor; [|exact F]. apply Forall_forall. intros f Hf E. left. apply (G f _ Hf). rewrite E.
    apply PositiveMap.gss.
  - intros f t [<-|I] Hu.
    + rewrite Hu in H1. now apply Z.leb_le.
    + destruct (Z.eq_dec (whose f) (whose e)) as [E|N].
      * rewrite E in *. rewrite Hu in H1. apply Z.leb_le in H1.
        specialize (G f (begins e + lasts e) I). rewrite E in G. specialize (G (PositiveMap.gss _ _ _)). lia.
      * apply (G f t I). rewrite PositiveMap.gso; [exact Hu|]. intros E. now apply key_injective in E.
Qed.

Lemma merge_upto_permutes steps : forall l l', Permutation (merge_upto steps l l') (l ++ l').
Proof.
  induction steps as [|step steps IH]; intros l l'; [reflexivity|]. cbn [merge_upto].
  destruct l as [|e l]; [reflexivity|]. destruct l' as [|e' l']; [now rewrite app_nil_r|].
  destruct (begins e <=? begins e').
  - cbn [app]. constructor. apply IH.
  - rewrite IH. apply (Permutation_middle (e :: l) l' e').
Qed.
Lemma merge_permutes l l' : Permutation (merge l l') (l ++ l').
Proof. apply merge_upto_permutes. Qed.

Lemma pairs_permuted {A} (R : A -> A -> Prop) l l' : (forall x y, R x y -> R y x) ->
  Permutation l l' -> ForallOrdPairs R l -> ForallOrdPairs R l'.
Proof.
  intros S P. induction P as [|x l l' P IH|x y l|l l' l'' P IH P' IH']; intros F; auto.
  - inversion F as [|a b Fx Fl]; subst. constructor; [|auto]. rewrite Forall_forall in *. intros z Hz.
    apply Fx.
    now apply (Permutation_in _ (Permutation_sym P)).
  - inversion F as [|a b Fy Fl]; subst. inversion Fl as [|a b Fx Fl']; subst. rewrite Forall_forall in *.
    constructor; [|constructor; [|exact Fl']]; apply Forall_forall.
    + intros z [<-|Hz]; [|auto]. apply S. apply Fy. now left.
    + intros z Hz. apply Fy. now right.
Qed.

Lemma pairs_app {A} (R : A -> A -> Prop) l l' : ForallOrdPairs R (l ++ l') ->
  ForallOrdPairs R l /\ ForallOrdPairs R l' /\ forall x y, In x l -> In y l' -> R x y.
Proof.
  induction l as [|a l IH]; cbn [app]; intros F; [repeat split; [constructor|exact F|easy]|].
  inversion F as [|b m Fa Fl]; subst. rewrite Forall_forall in Fa. destruct (IH Fl) as [A1 [A2 A3]]. split;
    [|split].
  - constructor; [|exact A1]. apply Forall_forall. intros x Hx. apply Fa. apply in_app_iff. now left.
  - exact A2.
  - intros x y [<-|Hx] Hy; [|now apply A3]. apply Fa. apply in_app_iff. now right.
Qed.

Lemma pairs_of_map {A B} (R : B -> B -> Prop) (f : A -> B) l :
  ForallOrdPairs R (map f l) -> ForallOrdPairs (fun x y => R (f x) (f y)) l.
Proof.
  induction l as [|a l IH]; cbn [map]; intros F; constructor; inversion F as [|b m Fa Fl]; subst; auto.
  rewrite Forall_forall in *. intros y Hy. apply Fa. now apply in_map.
Qed.

Lemma pairs_both {A} (R R' : A -> A -> Prop) l : ForallOrdPairs R l -> ForallOrdPairs R' l ->
  ForallOrdPairs (fun x y => R x y /\ R' x y) l.
Proof.
  induction 1 as [|a l Fa F IH]; intros F'; constructor; inversion F' as [|b m Fb Fl]; subst; auto.
  rewrite Forall_forall in *. intros y Hy. split; auto.
Qed.

Lemma pairs_rev {A} (R : A -> A -> Prop) l : (forall x y, R x y -> R y x) -> ForallOrdPairs R l ->
  ForallOrdPairs R (rev l).
Proof. intros S. apply pairs_permuted; [exact S|apply Permutation_rev]. Qed.

Lemma away_symmetric e f : away e f -> away f e.
Proof. unfold away. intros H E. specialize (H (eq_sym E)). tauto. Qed.

Lemma sends_last (c : clock) rows w : 0 <= w -> forall e, In e (sends_of w rows) -> 0 <= lasts e.
Proof. intros W e H. apply in_map_iff in H. destruct H as [r [<- _]]. exact W. Qed.
Lemma receptions_last c rows w : 0 <= w -> forall e, In e (receptions_of c w rows) -> 0 <= lasts e.
Proof. intros W e H. apply in_map_iff in H. destruct H as [r [<- _]]. exact W. Qed.
Lemma merge_last l l' : (forall e, In e l -> 0 <= lasts e) -> (forall e, In e l' -> 0 <= lasts e) ->
  forall e, In e (merge l l') -> 0 <= lasts e.
Proof. intros H H' e I. apply (Permutation_in _ (merge_permutes l l')) in I. apply in_app_iff in I.
destruct I; auto. Qed.

Lemma compatible_symmetric m x y : compatible m x y -> compatible m y x.
Proof.
  unfold compatible, apart. intros [A [B C]]. split; [|split].
  - intros E. specialize (A (eq_sym E)). tauto.
  - intros E. specialize (B (eq_sym E)). tauto.
  - intros q i j Hi Hj. specialize (C q j i Hj Hi). tauto.
Qed.

(** Events that follow each other make messages compatible. *)
Lemma one_by_one_compatible c ps rows : sane c = true ->
  one_by_one (sends_of (gap_ c) rows) (PositiveMap.empty Z) = true ->
  one_by_one (receptions_of c (gap_ c) rows) (PositiveMap.empty Z) = true ->
  one_by_one (merge (sends_of (overhead_ c) rows) (receptions_of c (overhead_ c) rows)) (PositiveMap.empty Z)
    = true ->
  ForallOrdPairs (compatible (machine_of c ps)) (map (message_of c) rows).
Proof.
  intros Sane Hs Hr Ho. destruct (sane_facts c Sane) as [Lp [Op Gp]]. apply pairs_map.
  destruct (one_by_one_sound _ (sends_last c rows _ (Z.lt_le_incl _ _ Gp)) _ Hs) as [Fs _].
  destruct (one_by_one_sound _ (receptions_last c rows _ (Z.lt_le_incl _ _ Gp)) _ Hr) as [Fr _].
  destruct (one_by_one_sound _ (merge_last _ _ (sends_last c rows _ Op) (receptions_last c rows _ Op)) _
    Ho) as [Fo _].
  apply (pairs_permuted _ _ _ away_symmetric (merge_permutes _ _)) in Fo.
  apply pairs_app in Fo. destruct Fo as [Fos [For_ Fx]]. unfold sends_of, receptions_of in *.
  apply pairs_of_map in Fs, Fr, Fos, For_.
  pose proof (pairs_both _ _ _ (pairs_both _ _ _ Fs Fr) (pairs_both _ _ _ Fos For_)) as All.
  refine (pairs_weaken _ _ _ _ All). intros x y Hx Hy [[A B] [C D]]. unfold away in *.
  cbn [whose begins lasts] in *.
  assert (X1 := Fx _ _ (in_map _ _ _ Hx) (in_map _ _ _ Hy)).
  assert (X2 := Fx _ _ (in_map _ _ _ Hy) (in_map _ _ _ Hx)).
  cbn [whose begins lasts] in X1, X2. clear Fx. set (m := machine_of c ps).
  assert (Ap : forall w a b, a + w <= b \/ b + w <= a -> apart (w # unit_ c) (a # unit_ c) (b # unit_ c)).
  { intros w a b [L|L]; [left|right]; rewrite units_plus; now apply units_le. }
  split; [|split].
  + intros E. apply Ap, A, E.
  + intros E. unfold apart. unfold m. rewrite !units_arrives. apply Ap, B, E.
  + intros q i j Hi Hj. unfold busy in Hi, Hj. cbn [sender receiver message_of] in Hi, Hj.
    assert (Cases : forall z k, In k ((if from z =? q then [(start (message_of c z), sent m (message_of c
      z))] else []) ++
      (if to z =? q then [(arrives m (message_of c z), received m (message_of c z))] else [])) ->
      exists a, (fst k == (a # unit_ c))%Q /\ (snd k == (a + overhead_ c # unit_ c))%Q /\
        (from z = q /\ a = at_ z \/ to z = q /\ a = at_ z + overhead_ c + latency_ c)).
    { intros z k Hk. apply in_app_iff in Hk. destruct Hk as [Hk|Hk].
      - destruct (Z.eqb_spec (from z) q); [|easy]. destruct Hk as [<-|[]]. exists (at_ z). cbn [fst snd].
        split; [reflexivity|]. split; [apply units_sent|tauto].
      - destruct (Z.eqb_spec (to z) q); [|easy]. destruct Hk as [<-|[]].
        exists (at_ z + overhead_ c + latency_ c). cbn [fst snd].
        split; [apply units_arrives|]. split; [|tauto]. unfold m. rewrite units_received. unfold delay_.
        replace (at_ z + (latency_ c + 2 * overhead_ c)) with (at_ z + overhead_ c + latency_ c + overhead_
          c) by lia. reflexivity. }
    destruct (Cases x i Hi) as [a [I1 [I2 Ia]]]. destruct (Cases y j Hj) as [b [J1 [J2 Jb]]].
    rewrite I1, I2, J1, J2, !units_le.
    destruct Ia as [[Ea ->]|[Ea ->]], Jb as [[Eb ->]|[Eb ->]].
    * apply C. congruence.
    * apply X1. congruence.
    * destruct (X2 ltac:(congruence)) as [L|L]; [right|left]; exact L.
    * apply D. congruence.
Qed.

Theorem check_schedule_sound c ps given_ wanted_ rows t :
  check_schedule c ps given_ wanted_ rows t = true ->
  done_within (Problem (machine_of c ps) given_ wanted_) (t # unit_ c).
Proof.
  unfold check_schedule. intros H. apply andb_prop in H. destruct H as [H Ho]. apply andb_prop in H.
  destruct H as [H Hr].
  apply andb_prop in H. destruct H as [H Hs]. apply andb_prop in H. destruct H as [Sane Hf].
  set (p := Problem (machine_of c ps) given_ wanted_).
  destruct (flows c (set_of ps) rows (held_at_start given_)) as [h|] eqn:F; [|discriminate].
  destruct (flows_sound c p eq_refl rows [] _ h (right_at_start c p) F) as [Hh V].
  rewrite app_nil_r in Hh, V. exists (rev (map (message_of c) rows)). split; [split|].
  - intros x Hx. apply V. now apply in_rev.
  - apply pairs_rev; [apply compatible_symmetric|]. now apply one_by_one_compatible.
  - intros q i Hq. rewrite forallb_forall in Hf. specialize (Hf (q, i) Hq). cbn [fst snd] in Hf.
    destruct (held h q i) as [u|] eqn:E; [|discriminate]. apply Z.leb_le in Hf.
    apply (has_later p _ _ _ (u # unit_ c)); [now apply units_le|]. now apply Hh.
Qed.
