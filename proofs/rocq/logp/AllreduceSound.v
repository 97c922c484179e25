(** What the checker of allreduces accepts reduces every value once everywhere, and no allreduce is faster than a
    broadcast: whoever holds the value of one processor has heard of it. *)
From Coq Require Import ZArith QArith Qround List Lia Lqa Bool FMapPositive Permutation.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Checker Allreduce AllreduceChecker OverheadChecker Soundness Bounds
  OverheadBounds.
Import ListNotations.
Open Scope Z_scope.

Lemma holds_cases m s q v t : holds m s q v t -> q = v \/
  exists x, In x s /\ receiver x = q /\ (received m x <= t)%Q /\ carries m s x v.
Proof.
  intros H. destruct H as [q t|x v t I R H N]; [now left|]. right. exists x. repeat split; auto.
Qed.

(** ** The checker *)

Lemma receive_sound q time values : forall h h', receive h q time values = Some h' ->
  (forall v, In v values -> held h q v = None /\ held h' q v = Some time) /\
  (forall r v, ~ (r = q /\ In v values) -> held h' r v = held h r v).
Proof.
  induction values as [|v values IH]; intros h h' E; cbn [receive] in E.
  - injection E as <-. split; [easy|reflexivity].
  - destruct (held h q v) eqn:Hv; [discriminate|]. destruct (IH _ _ E) as [A B].
    assert (Now : held (hold h q v time) q v = Some time) by (rewrite held_hold, !Z.eqb_refl, Hv; reflexivity).
    assert (New : ~ In v values) by (intros I; destruct (A v I) as [K _]; congruence).
    split.
    + intros w [<-|I].
      * split; [exact Hv|]. rewrite B by tauto. exact Now.
      * destruct (A w I) as [K1 K2]. split; [|exact K2]. rewrite held_hold in K1. rewrite Z.eqb_refl in K1.
        destruct (Z.eqb_spec v w) as [<-|N]; [contradiction|exact K1].
    + intros r w N. rewrite B by (cbn [In] in N; tauto). rewrite held_hold.
      destruct (Z.eqb_spec q r) as [<-|]; cbn [andb]; [|reflexivity].
      destruct (Z.eqb_spec v w) as [<-|]; [|reflexivity]. exfalso. apply N. split; [reflexivity|now left].
Qed.

Lemma held_at_zero l q i u : held (held_at_start l) q i = Some u -> u = 0.
Proof.
  unfold held_at_start. revert u. induction l as [|[a b] l IH]; cbn [fold_right]; intros u.
  - unfold held. rewrite PositiveMap.gempty. discriminate.
  - rewrite held_hold. cbn [fst snd]. destruct (Z.eqb_spec a q) as [->|]; cbn [andb]; [|apply IH].
    destruct (Z.eqb_spec b i) as [->|]; [|apply IH].
    destruct (held _ q i) as [w|] eqn:E; intros K; injection K as <-; [now apply IH|reflexivity].
Qed.

Section Run.
Variables (c : clock) (ps : list Z) (all : list row).
Hypothesis Sane : sane c = true.
Let m := machine_of c ps.
Let s := map (message_of c) all.
Hypothesis Known : forall r, In r all -> In (from r) ps /\ In (to r) ps /\ 0 <= at_ r.

Lemma received_by r z : (received m (message_of c r) <= (z # unit_ c))%Q <-> at_ r + delay_ c <= z.
Proof. unfold m. rewrite units_received. apply units_le. Qed.

Lemma values_of_processors q v t : holds m s q v t -> In q ps -> In v ps.
Proof.
  induction 1 as [q t|x v t I R H IH N]; [easy|]. intros _. apply IH. apply in_map_iff in I.
  destruct I as [r [<- I]]. cbn [sender message_of]. now apply Known.
Qed.

(** What is known after the first messages. *)
Definition right (done : list row) (h : holdings) : Prop :=
  (forall q, In q ps -> held h q q = Some 0) /\
  (forall x v, In x done -> carries m s (message_of c x) v -> held h (to x) v = Some (at_ x + delay_ c)) /\
  (forall q v u, held h q v = Some u -> (q = v /\ u = 0) \/
     exists x, In x done /\ to x = q /\ carries m s (message_of c x) v /\ u = at_ x + delay_ c).

Lemma held_is_holds done h q v u z : incl done all -> right done h -> held h q v = Some u -> u <= z ->
  holds m s q v (z # unit_ c).
Proof.
  intros Il [_ [_ R]] H L. destruct (R q v u H) as [[-> _]|[x [I [<- [[Ho N] ->]]]]]; [apply holds_own|].
  apply (holds_received m s (message_of c x) v); [now apply in_map, Il|now apply received_by|exact Ho|exact N].
Qed.

Lemma carried_spec done r rows h : all = done ++ r :: rows -> right done h ->
  (forall x, In x rows -> at_ r <= at_ x) ->
  forall v, In v (carried h ps r) <-> carries m s (message_of c r) v.
Proof.
  intros E R Later v. assert (Ir : In r all) by (rewrite E; apply in_app_iff; right; now left).
  destruct (Known r Ir) as [Kf [_ K0]]. destruct (sane_facts c Sane) as [L0 [O0 G0]].
  unfold carried. rewrite filter_In. split.
  - intros [Iv H]. apply andb_prop in H. destruct H as [H N].
    destruct (held h (from r) v) as [u|] eqn:Hh; [|discriminate]. apply Z.leb_le in H. split.
    + apply (held_is_holds done h (from r) v u); auto. intros x Hx. rewrite E. apply in_app_iff. now left.
    + cbn [item message_of sender]. intros W ->. rewrite W, !Z.eqb_refl in N. discriminate.
  - intros [Ho N]. cbn [item message_of sender start] in Ho, N. split; [now apply (values_of_processors _ _ _ Ho)|].
    apply andb_true_intro. split.
    + destruct (holds_cases _ _ _ _ _ Ho) as [<-|[x [Ix [Ex [Rx Cx]]]]].
      * destruct R as [R0 _]. rewrite (R0 _ Kf). apply Z.leb_le.
        exact K0.
      * apply in_map_iff in Ix. destruct Ix as [y [<- Iy]]. apply received_by in Rx.
        assert (Id : In y done).
        { rewrite E in Iy. apply in_app_iff in Iy. destruct Iy as [Iy|[<-|Iy]]; [exact Iy| |].
          - unfold delay_ in Rx. lia.
          - specialize (Later y Iy). unfold delay_ in Rx. lia. }
        destruct R as [_ [R1 _]]. cbn [receiver message_of] in Ex. rewrite <- Ex, (R1 y v Id Cx).
        now apply Z.leb_le.
    + apply negb_true_iff, andb_false_iff. destruct (Z.eqb_spec (what r) 1) as [W|]; [|now left]. right.
      apply Z.eqb_neq. now apply N.
Qed.

(** No value is received twice. *)
Definition fresh (y x : row) : Prop :=
  to y = to x -> forall v, carries m s (message_of c y) v -> ~ carries m s (message_of c x) v.

Lemma reduces_rows known last rows : forall h h', reduces c known ps last rows h = Some h' ->
  forall x, In x rows -> member (from x) known = true /\ member (to x) known = true /\ from x <> to x /\
    last <= at_ x.
Proof.
  revert last. induction rows as [|r rows IH]; intros last h h' E x Ix; [easy|]. cbn [reduces] in E.
  destruct (_ && _) eqn:Ch; [|discriminate]. do 3 (apply andb_prop in Ch; destruct Ch as [Ch ?]).
  apply Z.leb_le in H. apply negb_true_iff, Z.eqb_neq in H0.
  destruct (receive _ _ _ _) as [h1|]; [|discriminate]. destruct Ix as [<-|Ix]; [auto|].
  destruct (IH _ _ _ E x Ix) as [A [B [D F]]]. repeat split; auto. lia.
Qed.

Lemma reduces_sound known rows : forall done last h h', all = done ++ rows -> right done h ->
  reduces c known ps last rows h = Some h' ->
  right all h' /\ (forall x, In x rows -> ~ carries m s (message_of c x) (to x)) /\
  (forall x y, In x rows -> In y done -> fresh y x) /\ ForallOrdPairs fresh rows.
Proof.
  induction rows as [|r rows IH]; intros done last h h' E R H.
  - cbn [reduces] in H. injection H as <-. rewrite app_nil_r in E. subst done. repeat split; try easy.
    + apply R.
    + apply R.
    + apply R.
    + constructor.
  - cbn [reduces] in H. destruct (_ && _); [|discriminate].
    destruct (receive h (to r) (at_ r + delay_ c) (carried h ps r)) as [h1|] eqn:Re; [|discriminate].
    assert (Later : forall x, In x rows -> at_ r <= at_ x).
    { intros x Ix. now destruct (reduces_rows _ _ _ _ _ H x Ix) as [_ [_ [_ L]]]. }
    pose proof (carried_spec done r rows h E R Later) as Spec. destruct (receive_sound _ _ _ _ _ Re) as [New Old].
    assert (Ir : In r all) by (rewrite E; apply in_app_iff; right; now left).
    assert (Itself : ~ carries m s (message_of c r) (to r)).
    { intros K. apply Spec in K. destruct (New _ K) as [N _]. destruct R as [R0 _].
      rewrite R0 in N by now apply Known. discriminate. }
    assert (Fr : forall y, In y done -> fresh y r).
    { intros y Iy Et v Cy K. apply Spec in K. destruct (New _ K) as [N _]. destruct R as [_ [R1 _]].
      rewrite <- Et, (R1 y v Iy Cy) in N. discriminate. }
    assert (R' : right (done ++ [r]) h1).
    { destruct R as [R0 [R1 R2]]. split; [|split].
      - intros q Iq. rewrite Old; [now apply R0|]. intros [-> K]. apply Spec in K. contradiction.
      - intros x v Ix Cx. apply in_app_iff in Ix. destruct Ix as [Ix|[<-|[]]].
        + rewrite Old; [now apply R1|]. intros [Et K]. apply Spec in K. now apply (Fr x Ix Et v).
        + apply New. now apply Spec.
      - intros q v u Hu. destruct (Z.eq_dec q (to r)) as [->|Nq].
        + destruct (in_dec Z.eq_dec v (carried h ps r)) as [K|K].
          * right. exists r. destruct (New _ K) as [_ N]. apply Spec in K. rewrite N in Hu. injection Hu as <-.
            repeat split; auto; try apply K. apply in_app_iff. right. now left.
          * rewrite Old in Hu by tauto. destruct (R2 _ _ _ Hu) as [|[x [Ix P]]]; [now left|]. right. exists x.
            split; [|exact P]. apply in_app_iff. now left.
        + rewrite Old in Hu by tauto. destruct (R2 _ _ _ Hu) as [|[x [Ix P]]]; [now left|]. right. exists x.
          split; [|exact P]. apply in_app_iff. now left. }
    destruct (IH (done ++ [r]) (at_ r) h1 h') as [A [B [D F]]]; [now rewrite <- app_assoc|exact R'|exact H|].
    split; [exact A|]. split; [|split].
    + intros x [<-|Ix]; auto.
    + intros x y [<-|Ix] Iy; [now apply Fr|]. apply D; [exact Ix|]. apply in_app_iff. now left.
    + constructor; [|exact F]. apply Forall_forall. intros x Ix. apply D; [exact Ix|]. apply in_app_iff. right.
      now left.
Qed.
End Run.

Theorem check_allreduce_sound c ps rows t : check_allreduce c ps rows t = true ->
  reduced_within (machine_of c ps) (t # unit_ c).
Proof.
  unfold check_allreduce. intros H. do 4 (apply andb_prop in H; destruct H as [H ?]).
  rename H into Sane, H0 into Ho, H1 into Hr, H2 into Hs, H3 into Hh.
  destruct (reduces _ _ _ _ _ _) as [h|] eqn:E; [|discriminate].
  pose proof (reduces_rows c ps _ _ _ _ _ E) as Rows.
  assert (Known : forall r, In r rows -> In (from r) ps /\ In (to r) ps /\ 0 <= at_ r).
  { intros r I. destruct (Rows r I) as [A [B [_ D]]]. apply member_spec in A, B. auto. }
  assert (R0 : right c ps rows [] (held_at_start (map (fun q => (q, q)) ps))).
  { split; [|split; [easy|]].
    - intros q Iq. pose proof (proj2 (held_starts (map (fun q => (q, q)) ps) q q)) as Hq. unfold is_held in Hq.
      destruct (held _ q q) as [u|] eqn:Eu; [|discriminate Hq; apply in_map_iff; now exists q].
      f_equal. now apply (held_at_zero _ _ _ _ Eu).
    - intros q v u Hu. left. split; [|now apply (held_at_zero _ _ _ _ Hu)].
      assert (I : In (q, v) (map (fun q => (q, q)) ps)).
      { apply held_starts. unfold is_held. now rewrite Hu. }
      apply in_map_iff in I. destruct I as [w [Ew _]]. congruence. }
  destruct (reduces_sound c ps rows Sane Known _ rows [] 0 _ h eq_refl R0 E) as [R [Own [_ Fresh]]].
  exists (map (message_of c) rows). split; [split; [|split; [|split]]|].
  - intros x Ix. apply in_map_iff in Ix. destruct Ix as [r [<- Ir]]. destruct (Rows r Ir) as [_ [_ [N _]]].
    destruct (Known r Ir) as [A [B D]]. cbn [sender receiver start message_of]. repeat split; auto.
    unfold Qle. cbn. lia.
  - now apply one_by_one_compatible.
  - intros x Ix. apply in_map_iff in Ix. destruct Ix as [r [<- Ir]]. now apply Own.
  - apply pairs_map. exact Fresh.
  - intros q v Iq Iv. cbn [processors machine_of] in *. rewrite forallb_forall in Hh. specialize (Hh q Iq).
    rewrite forallb_forall in Hh. specialize (Hh v Iv). destruct (held h q v) as [u|] eqn:Eu; [|discriminate].
    apply Z.leb_le in Hh. apply (held_is_holds c ps rows rows h q v u); auto. apply incl_refl.
Qed.

(** ** The bound *)

Lemma kept {A} (P : A -> Prop) l : (forall x, In x l -> P x \/ ~ P x) ->
  exists l', (forall x, In x l' <-> In x l /\ P x) /\ forall R, ForallOrdPairs R l -> ForallOrdPairs R l'.
Proof.
  induction l as [|a l IH]; intros H.
  - exists []. split; [cbn; tauto|auto].
  - destruct IH as [l' [A1 A2]]; [intros x I; apply H; now right|].
    destruct (H a (or_introl eq_refl)) as [Pa|Na].
    + exists (a :: l'). split.
      * intros x. cbn [In]. rewrite A1. intuition congruence.
      * intros R F. inversion F as [|b k Fa Fl]; subst. constructor; [|now apply A2].
        rewrite Forall_forall in *. intros x I. apply Fa. now apply A1.
    + exists l'. split.
      * intros x. rewrite A1. cbn [In]. intuition congruence.
      * intros R F. inversion F as [|b k Fa Fl]; subst. now apply A2.
Qed.

Lemma exists_or_not {A} (P : A -> Prop) l : (forall x, In x l -> P x \/ ~ P x) ->
  (exists x, In x l /\ P x) \/ ~ exists x, In x l /\ P x.
Proof.
  intros H. destruct (kept P l H) as [[|x l'] [K _]].
  - right. intros [x I]. now apply K in I.
  - left. exists x. apply K. now left.
Qed.

Lemma holds_or_not c ps s v : sane c = true -> (forall x, In x s -> (0 <= start x)%Q) ->
  forall n q t, tick (unit_ c) t < Z.of_nat n ->
  holds (machine_of c ps) s q v t \/ ~ holds (machine_of c ps) s q v t.
Proof.
  intros Sane Pos. destruct (sane_facts c Sane) as [L0 [O0 G0]]. induction n as [|n IH]; intros q t Ht.
  all: destruct (Z.eq_dec q v) as [->|Nq]; [left; apply holds_own|].
  all: assert (Tick : forall x, (received (machine_of c ps) x <= t)%Q ->
    tick (unit_ c) (start x) + delay_ c <= tick (unit_ c) t)
    by (intros x Rx; exact (received_tick c (Problem (machine_of c ps) [] []) eq_refl x t Rx)).
  - right. intros H. destruct (holds_cases _ _ _ _ _ H) as [|[x [Ix [_ [Rx _]]]]]; [contradiction|].
    specialize (Tick x Rx). pose proof (tick_nonneg (unit_ c) _ (Pos x Ix)). unfold delay_ in Tick. lia.
  - set (P := fun x => receiver x = q /\ (received (machine_of c ps) x <= t)%Q /\
      carries (machine_of c ps) s x v).
    assert (Dec : forall x, In x s -> P x \/ ~ P x).
    { intros x Ix. unfold P, carries. destruct (Z.eq_dec (receiver x) q) as [Er|]; [|tauto].
      destruct (Qlt_le_dec t (received (machine_of c ps) x)) as [Late|Rx].
      { right. intros [_ [K _]]. apply (Qlt_irrefl t). now apply (Qlt_le_trans _ (received (machine_of c ps) x)). }
      assert (Before : tick (unit_ c) (start x) < Z.of_nat n).
      { specialize (Tick x Rx). unfold delay_ in Tick. lia. }
      destruct (IH (sender x) (start x) Before) as [Ho|Ho]; [|tauto].
      destruct (Z.eq_dec (item x) 1) as [Ei|], (Z.eq_dec v (sender x)) as [Ev|]; tauto. }
    destruct (exists_or_not P s Dec) as [[x [Ix [<- [Rx [Ho N]]]]]|No].
    + left. now apply (holds_received _ _ x).
    + right. intros H. destruct (holds_cases _ _ _ _ _ H) as [|[x K]]; [contradiction|]. apply No. now exists x.
Qed.

Theorem check_allreduce_bound_sound c ps source labels b : In source ps ->
  check_broadcast_bound c ps source [0] labels b = true ->
  reduced_never_before (machine_of c ps) (b # unit_ c).
Proof.
  intros Is Ch s t T0 [V1 [V2 _]] Done. set (m := machine_of c ps) in *.
  assert (Sane : sane c = true).
  { unfold check_broadcast_bound in Ch. now do 3 (apply andb_prop in Ch; destruct Ch as [Ch _]). }
  assert (Dec : forall q u, holds m s q source u \/ ~ holds m s q source u).
  { intros q u. apply (holds_or_not c ps s source Sane) with (n := Z.to_nat (tick (unit_ c) u + 1)).
    - intros x Ix. now destruct (V1 x Ix) as [_ [_ [_ S0]]].
    - lia. }
  destruct (kept (fun x => carries m s x source) s) as [told [In_told Pairs]].
  { intros x _. unfold carries. destruct (Dec (sender x) (start x)); [|tauto].
    destruct (Z.eq_dec (item x) 1) as [Ei|], (Z.eq_dec source (sender x)) as [Ev|]; tauto. }
  set (one := fun x => Message (sender x) (receiver x) 0 (start x)).
  set (p := broadcast m source [0]).
  assert (Has : forall q u, holds m s q source u -> has p (map one told) q 0 u).
  { intros q u H. destruct (holds_cases _ _ _ _ _ H) as [->|[x [Ix [Er [Rx Cx]]]]].
    - left. now left.
    - right. exists (one x). split; [apply in_map, In_told; tauto|]. split; [exact Er|]. split; [reflexivity|].
      exact Rx. }
  apply (check_broadcast_bound_sound c ps source [0] labels b Ch (map one told) t T0).
  - split.
    + intros y Iy. apply in_map_iff in Iy. destruct Iy as [x [<- Ix]]. apply In_told in Ix.
      destruct Ix as [Ix [Ho _]]. destruct (V1 x Ix) as [A [B [N S0]]]. repeat split; auto.
    + apply pairs_map. refine (pairs_weaken _ _ _ _ (Pairs _ V2)). intros x y _ _ Co. exact Co.
  - intros q i Iq. apply in_prod_iff in Iq. destruct Iq as [Iq [<-|[]]]. apply Has. now apply Done.
Qed.

(** Both. *)
Theorem check_least_allreduce_sound c ps source rows labels t : In source ps -> 0 <= t ->
  check_allreduce c ps rows t = true -> check_broadcast_bound c ps source [0] labels t = true ->
  least_allreduce (machine_of c ps) (t # unit_ c).
Proof.
  intros I T0 A B. split; [unfold Qle; cbn; lia|]. split; [now apply (check_allreduce_sound c ps rows)|].
  now apply (check_allreduce_bound_sound c ps source labels).
Qed.
