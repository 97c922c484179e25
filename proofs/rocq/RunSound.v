(** If the checker accepts a finite run, the run is valid and complete at its makespan, and no schedule ends
    before the bound. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool FMapPositive.
From Exactsched Require Import Model Names Sums Time Bound Collectives Checker ScheduleSound BoundSound
  Soundness RunChecker.
Import ListNotations.
Open Scope Z_scope.

(** ** From throughput to makespan *)
Theorem bound_of_run S U M : (0 < U)%Q -> never_more S U -> takes_at_least S M (count M / U).
Proof. intros P N s t Ht V C. apply Qle_shift_div_r; auto. rewrite Qmult_comm. eapply N; eauto. Qed.

(** ** Maps with two keys *)
Lemma find2_put2 {A} o x (v : A) m o' x' :
  find2 o' x' (put2 o x v m) = if (o =? o')%positive && (x =? x')%positive then Some v else find2 o' x' m.
Proof.
  unfold find2, put2. destruct (Pos.eqb_spec o o') as [<-|N]; simpl.
  - rewrite find_same. destruct (Pos.eqb_spec x x') as [<-|N]. apply find_same. rewrite find_other by auto.
    destruct (find o m); auto. apply find_none.
  - rewrite find_other by auto. auto.
Qed.

Definition row_task (x : row) : positive := fst (fst (fst x)).
Definition row_operation (x : row) : positive := snd (fst (fst x)).
Definition row_start (x : row) : Z := snd (fst x).
Definition row_stop (x : row) : Z := snd x.
Definition same (i o : positive) (x : row) : bool := (row_task x =? i)%positive &&
  (row_operation x =? o)%positive.
Definition length_of (x : row) : Z := row_stop x - row_start x.

Section Causal.
Variable jobs : map_of job.
Variable duration : positive -> positive -> option Q.
Variable tick : Q.
Variable known : map_of Z.
Hypothesis tick_pos : (0 < tick)%Q.

(** For how many ticks task i of operation o has worked in rows that end by t. *)
Definition worked_by (l : list row) (i o : positive) (t : Z) : Z :=
  sumZ (fun x => if same i o x && (row_stop x <=? t) then length_of x else 0) l.
Definition made_by (l : list row) (o v : positive) (t : Z) : Prop :=
  exists i j d, find i jobs = Some j /\ job_makes j = v /\ duration i o = Some d /\
    (d <= inject_Z (worked_by l i o t) * tick)%Q.
Definition forward (l : list row) : Prop := forall x, In x l -> row_start x <= row_stop x.

Lemma worked_by_app l l' i o t : worked_by (l ++ l') i o t = worked_by l i o t + worked_by l' i o t.
Proof. apply sumZ_app. Qed.
Lemma worked_by_nonneg l i o t : forward l -> 0 <= worked_by l i o t.
Proof. intros F. apply sumZ_nonneg. intros x Hx. specialize (F x Hx). unfold length_of.
  destruct (_ && _); lia. Qed.
Lemma made_by_app l l' o v t : forward l' -> made_by l o v t -> made_by (l ++ l') o v t.
Proof.
  intros F (i & j & d & H1 & H2 & H3 & H4). exists i, j, d. repeat split; auto. eapply Qle_trans; [exact H4|].
  apply Qmult_le_compat_r; [|lra]. apply inject_le. rewrite worked_by_app.
  pose proof (worked_by_nonneg l' i o t F). lia.
Qed.

Definition progress (l : list row) (worked : map_of (map_of (Z * Z))) (made : map_of (map_of Z)) : Prop :=
  (forall o v t, find2 o v made = Some t -> made_by l o v t) /\
  forall o i, let (w, e) := match find2 o i worked with Some we => we | None => (0, 0) end in
    w = sumZ (fun x => if same i o x then length_of x else 0) l /\
    forall x, In x l -> same i o x = true -> row_stop x <= e.

Definition started_well (l : list row) (x : row) : Prop :=
  exists j d, find (row_task x) jobs = Some j /\ duration (row_task x) (row_operation x) = Some d /\
  forall v, In v (job_needs j) -> member v known = true \/
    exists t, t <= row_start x /\ made_by l (row_operation x) v t.

Lemma causal_spec l : forall done worked made made', forward (done ++ l) -> progress done worked made ->
  causal jobs duration tick known l worked made = Some made' ->
  (forall o v t, find2 o v made' = Some t -> made_by (done ++ l) o v t) /\
  forall x, In x l -> started_well (done ++ l) x.
Proof.
  induction l as [|[[[i o] a] b] l IH]; simpl; intros done worked made made' F [P1 P2] E.
  - injection E as <-. rewrite app_nil_r. split; auto. easy.
  - destruct (find i jobs) as [k|] eqn:Ek; [|discriminate]. destruct (duration i o) as [d|] eqn:Ed;
      [|discriminate].
    destruct (forallb _ (job_needs k)) eqn:R; [|discriminate]. rewrite forallb_forall in R.
    set (x := ((i, o, a, b) : row)) in *.
    assert (Fd : forward done) by (intros z Hz; apply F; apply in_app_iff; auto).
    assert (Fl : forward l) by (intros z Hz; apply F; apply in_app_iff; simpl; auto).
    assert (Fx : row_start x <= row_stop x) by (apply F; apply in_app_iff; simpl; auto).
    assert (Eo : done ++ x :: l = (done ++ [x]) ++ l) by (rewrite <- app_assoc; auto). rewrite Eo in F |- *.
    pose proof (P2 o i) as Po. destruct (match find2 o i worked with
      Some we => we | None => (0, 0) end) as [w e] eqn:We.
    destruct Po as [Pw Pe].
    assert (F1 : forward [x]) by (intros z [<-|[]]; auto).
    refine (let H := IH (done ++ [x]) _ _ _ F _ E in _). Unshelve.
    + destruct H as [H1 H2]. split; auto. intros z [<-|Hz]; auto. exists k, d. split; auto. split; auto.
      intros v Hv. specialize (R v Hv). unfold ready in R. destruct (member v known); auto. right.
      destruct (find2 o v made) as [t|] eqn:Et; [|discriminate]. apply Z.leb_le in R. exists t. split; auto.
      rewrite <- Eo. apply made_by_app; auto. intros z [<-|Hz]; auto.
    + assert (Sum : forall i' o', sumZ (fun z => if same i' o' z then length_of z else 0) (done ++ [x])
        = sumZ (fun z => if same i' o' z then length_of z else 0) done + if same i' o' x then
          length_of x else 0).
      { intros. rewrite sumZ_app, sumZ_cons, sumZ_nil. lia. }
      assert (X : same i o x = true) by (unfold same, row_task, row_operation; simpl; rewrite !Pos.eqb_refl;
        auto).
      assert (N : forall i' o', same i' o' x = (i =? i')%positive && (o =? o')%positive) by (intros;
        reflexivity).
      split.
      * assert (Old : forall o' v t, find2 o' v made = Some t -> made_by (done ++ [x]) o' v t)
          by (intros; apply made_by_app; auto).
        destruct (Qle_bool d (inject_Z (w + (b - a)) * tick)) eqn:Q; auto.
        destruct (find2 o (job_makes k) made) eqn:M; auto.
        intros o' v t. rewrite find2_put2. destruct (Pos.eqb_spec o o') as [<-|]; simpl; auto.
        destruct (Pos.eqb_spec (job_makes k) v) as [<-|]; auto. intros T. injection T as <-.
        exists i, k, d. split; auto. split; auto. split; auto. apply Qle_bool_iff in Q.
        eapply Qle_trans; [exact Q|].
        apply Qmult_le_compat_r; [|lra]. apply inject_le. unfold worked_by.
        rewrite sumZ_app, sumZ_cons, sumZ_nil, X.
        rewrite (sumZ_ext _ (fun z => if same i o z then length_of z else 0) done).
        -- rewrite <- Pw. unfold row_stop, length_of, row_start. simpl.
           destruct (Z.leb_spec b (Z.max e b)); simpl; lia.
        -- intros z Hz. destruct (same i o z) eqn:Sz; auto. specialize (Pe z Hz Sz). simpl.
           destruct (Z.leb_spec (row_stop z) (Z.max e b)); auto. lia.
      * intros o' i'. rewrite find2_put2, Sum, N. specialize (P2 o' i').
        destruct (Pos.eqb_spec o o') as [<-|]; destruct (Pos.eqb_spec i i') as [<-|]; simpl.
        -- split. rewrite <- Pw. unfold length_of, row_stop, row_start. simpl. lia.
           intros z Hz Sz. apply in_app_iff in Hz. destruct Hz as [Hz|[<-|[]]]. specialize (Pe z Hz Sz). lia.
           unfold row_stop. simpl. lia.
        -- destruct (match find2 o i' worked with Some we => we | None => (0, 0) end) as [w' e'] eqn:We'.
           destruct P2 as [P2 P3]. split. lia. intros z Hz Sz. apply in_app_iff in Hz.
           destruct Hz as [Hz|[<-|[]]]; auto.
           rewrite N in Sz. apply andb_true_iff in Sz. rewrite Pos.eqb_eq in Sz. tauto.
        -- destruct (match find2 o' i worked with Some we => we | None => (0, 0) end) as [w' e'] eqn:We'.
           destruct P2 as [P2 P3]. split. lia. intros z Hz Sz. apply in_app_iff in Hz.
           destruct Hz as [Hz|[<-|[]]]; auto.
           rewrite N in Sz. apply andb_true_iff in Sz. rewrite !Pos.eqb_eq in Sz. tauto.
        -- destruct (match find2 o' i' worked with Some we => we | None => (0, 0) end) as [w' e'] eqn:We'.
           destruct P2 as [P2 P3]. split. lia. intros z Hz Sz. apply in_app_iff in Hz.
           destruct Hz as [Hz|[<-|[]]]; auto.
           rewrite N in Sz. apply andb_true_iff in Sz. rewrite !Pos.eqb_eq in Sz. tauto.
Qed.

Lemma all_made_spec made wanted M : all_made known made wanted M = true ->
  forall o x, (o <= M)%positive -> In x wanted -> member x known = true \/ exists t, find2 o x made = Some t.
Proof.
  unfold all_made. rewrite Pos2Nat.inj_iter.
  set (good := fun o => forallb (fun x => if member x known then true
    else match find2 o x made with Some _ => true | None => false end) wanted).
  set (step := fun ob : positive * bool => let (o, b) := ob in (Pos.succ o, if b then good o else false)).
  assert (G : forall k, let (o, b) := Nat.iter k step (1%positive, true) in
    Pos.to_nat o = S k /\ (b = true -> forall o', (Pos.to_nat o' <= k)%nat -> good o' = true)).
  { induction k as [|k IH]; simpl.
    - split; auto. intros _ o' L. pose proof (Pos2Nat.is_pos o'). lia.
    - destruct (Nat.iter k step _) as [o b]. destruct IH as [I1 I2]. simpl. rewrite Pos2Nat.inj_succ.
      split; [lia|].
      destruct b; [|discriminate]. intros Go o' L. destruct (Nat.eq_dec (Pos.to_nat o') (S k)) as [E|E].
      + rewrite <- I1 in E. apply Pos2Nat.inj in E. congruence.
      + apply I2; auto. lia. }
  specialize (G (Pos.to_nat M)). intros E o x L Hx.
  assert (E' : snd (Nat.iter (Pos.to_nat M) step (1%positive, true)) = true) by exact E. clear E.
  destruct (Nat.iter (Pos.to_nat M) step _) as [o' b]. simpl in E'. destruct G as [_ G].
  assert (Go : good o = true) by (apply G; auto; apply Pos2Nat.inj_le; auto).
  unfold good in Go. rewrite forallb_forall in Go. specialize (Go x Hx). destruct (member x known); auto.
  destruct (find2 o x made); [eauto|discriminate].
Qed.
End Causal.

(** ** Rows are a schedule *)

(** The rows speak of a system T and its operations; they are pieces of a system S. *)
Section Simulation.
Variables T S : system.
Variable duration : positive -> positive -> option Q.
Variable M : positive.
Variable r : run.
Variable which_of : positive -> nat -> nat.
Variable operation_of : positive -> nat.
Variable state_of : positive -> state -> state.
Variable legal : positive -> Prop.
Variable operations : nat.
Hypothesis legal_duration : forall i o d, duration i o = Some d -> legal o.
Hypothesis legal_number : forall o, (o <= M)%positive -> legal o.
Hypothesis same_task : forall o i k d, nth_error (tasks T) i = Some k -> duration (number_of i) o = Some d ->
  exists k', nth_error (tasks S) (which_of o i) = Some k' /\ uses k' = uses k /\ (lasts k' == d)%Q /\
    makes k' = state_of o (makes k) /\ needs k' = map (state_of o) (needs k).
Hypothesis same_given : forall o x, legal o -> In x (given T) -> In (state_of o x) (given S).
Hypothesis same_wanted : forall m y, (m < operations)%nat -> In y (wanted S) ->
  exists o x, (o <= M)%positive /\ In x (wanted T) /\ operation_of o = m /\ state_of o x = y.

Definition piece_of (x : row) : piece :=
  Piece (which_of (row_operation x) (place_of (row_task x))) (operation_of (row_operation x))
    (inject_Z (row_start x) * run_tick r) (inject_Z (row_stop x) * run_tick r).
Definition pieces : schedule := map piece_of (rows r).

Theorem rows_sound K : check_rows T duration M r = Some K ->
  (0 < run_tick r)%Q /\ valid S pieces /\ completes S pieces operations (inject_Z K * run_tick r) /\
  forall x, In x (rows r) -> exists k d, nth_error (tasks T) (place_of (row_task x)) = Some k /\
    duration (row_task x) (row_operation x) = Some d.
Proof.
  unfold check_rows. set (n := number_states T). set (jobs := array (map (job_of n) (tasks T))).
  set (known := mark n 0 (given T) none). set (makespan := fold_left _ (rows r) 0).
  destruct (slots_fit _ _ _ _ _) as [lasted|] eqn:F; [|discriminate].
  destruct (causal _ _ _ _ _ _ _) as [made|] eqn:C; [|discriminate].
  destruct (_ && _) eqn:E; [|discriminate]. intros R. injection R as <-.
  apply andb_true_iff in E. destruct E as [E1 E2]. apply Z.ltb_lt, Qpos in E1.
  destruct (slots_fit_spec _ _ _ _ _ _ F) as (F1 & _ & F3 & _).
  assert (Row : forall x, In x (rows r) -> 0 <= row_start x < row_stop x /\ row_stop x <= makespan).
  { intros x Hx. destruct (F1 (row_slot x)) as (_ & X1 & X2); [apply in_map; auto|].
    destruct x as [[[i o] a] b]. auto. }
  assert (Fw : forward ([] ++ rows r)) by (intros x Hx; specialize (Row x Hx); lia).
  destruct (causal_spec jobs duration _ known E1 (rows r) [] none none made Fw) as [H1 H2]; auto.
  { split. intros o v t Et. unfold find2 in Et. rewrite find_none in Et. discriminate.
    intros o i. unfold find2. rewrite find_none. split; auto. easy. }
  simpl in H1, H2.
  assert (Order : forall x, In x (rows r) -> (0 <= start (piece_of x) < stop (piece_of x))%Q).
  { intros x Hx. destruct (Row x Hx) as [[X1 X2] _]. simpl. split.
    - apply Qmult_le_0_compat; [|lra]. rewrite <- inject_0, inject_le. auto.
    - apply Qmult_lt_compat_r; auto. rewrite <- Zlt_Qlt. auto. }
  (* What the rows make is there. *)
  assert (Made : forall o v t x, made_by jobs duration (run_tick r) (rows r) o v t -> relevant T x ->
    number n x = v ->
    has S pieces (operation_of o) (inject_Z t * run_tick r) (state_of o x)).
  { intros o v t x (i & j & d & J1 & J2 & J3 & J4) Rx Ex.
    destruct (job_task T _ _ J1) as (k & K1 & -> & _ & _ & K5). simpl in J2.
    assert (x = makes k). { apply number_inj with T; auto. right; right; eauto.
    transitivity v; [exact Ex|symmetry; exact J2]. } subst x.
    rewrite <- (number_place i) in J3. destruct (same_task o _ _ _ K1 J3) as (k' & S1 & S2 & S3 & S4 & S5).
    right. exists (which_of o (place_of i)), k'. split; auto. split; auto. rewrite S3.
    eapply Qle_trans; [exact J4|].
    unfold work, pieces. rewrite sum_filter, sum_map. unfold worked_by.
    rewrite <- sum_inject, Qmult_comm, <- sum_scale.
    apply sum_le. intros z Hz. specialize (Order z Hz).
    assert (B0 : (0 <= before (inject_Z t * run_tick r) (piece_of z))%Q) by (apply before_nonneg; lra).
    destruct (same i o z && (row_stop z <=? t)) eqn:Sz.
    - apply andb_true_iff in Sz. destruct Sz as [Sz St]. apply Z.leb_le in St. unfold same in Sz.
      apply andb_true_iff in Sz. rewrite !Pos.eqb_eq in Sz. destruct Sz as [<- <-].
      assert (O : of_task (which_of (row_operation z) (place_of (row_task z))) (operation_of (row_operation
        z)) (piece_of z) = true)
        by (unfold of_task; simpl; rewrite !Nat.eqb_refl; auto).
      rewrite O, before_late; [|lra|simpl; apply Qmult_le_compat_r; [apply inject_le; auto|lra]].
      simpl. unfold length_of, Z.sub. rewrite inject_Z_plus, inject_Z_opp. lra.
    - rewrite inject_0. destruct (of_task _ _ _); lra. }
  assert (Given : forall o x, legal o -> relevant T x -> member (number n x) known = true -> forall t,
    has S pieces (operation_of o) t (state_of o x)).
  { intros o x Lo Rx Kx t. left. apply same_given; auto. apply member_spec in Kx. destruct Kx as [h Kx].
    apply mark_find in Kx. rewrite find_none in Kx. destruct Kx as [(_ & z & Hz & Ez)|Kx]; [|discriminate].
    apply number_inj in Ez; auto. congruence. left. auto. }
  assert (Well : forall x, In x (rows r) -> exists k d, nth_error (tasks T) (place_of (row_task x)) = Some k
    /\
    find (row_task x) jobs = Some (job_of n k) /\ In k (tasks T) /\
    duration (row_task x) (row_operation x) = Some d /\
    forall v, In v (needs k) -> has S pieces (operation_of (row_operation x)) (start (piece_of x)) (state_of
      (row_operation x) v)).
  { intros x Hx. destruct (H2 x Hx) as (j & d & J1 & J2 & J3).
    destruct (job_task T _ _ J1) as (k & K1 & -> & _ & _ & K5).
    exists k, d. split; auto. split; auto. split; auto. split; auto. intros v Hv.
    assert (Rv : relevant T v) by (right; right; eauto).
    destruct (J3 (number n v)) as [Kv|(t & T1 & T2)]; [simpl; apply in_map; auto| |].
    - apply Given; auto. eapply legal_duration; eauto.
    - destruct (Made _ _ _ v T2 Rv eq_refl) as [G|(i' & k' & I1 & I2 & I3)]; [left; auto|]. right.
      exists i', k'.
      split; auto. split; auto. eapply Qle_trans; [exact I3|]. unfold work. apply sum_le. intros p Hp.
      apply filter_In in Hp. destruct Hp as [Hp _]. apply in_map_iff in Hp. destruct Hp as (z & <- & Hz).
      specialize (Order z Hz). apply before_mono; [lra|]. simpl.
      apply Qmult_le_compat_r; [apply inject_le; auto|lra]. }
  split; auto. split; [|split].
  - split.
    + intros p Hp. apply in_map_iff in Hp. destruct Hp as (x & <- & Hx). split; auto.
      destruct (Well x Hx) as (k & d & K1 & _ & _ & K2 & K3). rewrite <- (number_place (row_task x)) in K2.
      destruct (same_task _ _ _ _ K1 K2) as (k' & S1 & S2 & S3 & S4 & S5).
      exists k'. split; auto. rewrite S5. intros y Hy. apply in_map_iff in Hy. destruct Hy as (v & <- & Hv).
      apply K3; auto.
    + unfold pieces. assert (P : forall x z, In x (rows r) -> In z (rows r) ->
        (forall u, In u (slot_uses jobs (row_slot x)) -> In u (slot_uses jobs (row_slot z)) ->
           slot_to (row_slot x) <= slot_from (row_slot z)) -> compatible S (piece_of x) (piece_of z)).
      { intros x z Hx Hz A j k u Hj Hk Uj Uk. left. simpl. apply Qmult_le_compat_r; [|lra]. apply inject_le.
        destruct (Well x Hx) as (k1 & d1 & K1 & J1 & _ & D1 & _).
        destruct (Well z Hz) as (k2 & d2 & K2 & J2 & _ & D2 & _).
        rewrite <- (number_place (row_task x)) in D1. rewrite <- (number_place (row_task z)) in D2.
        destruct (same_task _ _ _ _ K1 D1) as (k1' & S1 & S2 & _).
        destruct (same_task _ _ _ _ K2 D2) as (k2' & S1' & S2' & _).
        simpl in Hj, Hk. rewrite S1 in Hj. rewrite S1' in Hk. injection Hj as <-. injection Hk as <-.
        rewrite S2 in Uj. rewrite S2' in Uk. destruct x as [[[i o] a] b], z as [[[i' o'] a'] b'].
        unfold row_task in J1, J2. cbn [fst snd] in J1, J2.
        apply (A (resource_code u)); unfold slot_uses; cbn [row_slot fst snd]; rewrite ?J1, ?J2; apply in_map;
          auto. }
      clear - F3 P. induction (rows r) as [|x l IH]; simpl in *; constructor.
      * inversion F3 as [|? ? A1 A2]; subst. rewrite Forall_forall in *. intros p Hp. apply in_map_iff in Hp.
        destruct Hp as (z & <- & Hz). apply P; auto. apply A1. apply in_map. auto.
      * inversion F3; subst. apply IH; auto.
  - intros m y Hm Hy. destruct (same_wanted m y Hm Hy) as (o & x & O1 & O2 & <- & <-).
    assert (Rx : relevant T x) by (right; left; auto).
    destruct (all_made_spec known made _ M E2 o (number n x) O1) as [Kx|(t & Et)]; [apply in_map;
      auto|apply Given; auto|].
    destruct (Made _ _ _ x (H1 _ _ _ Et) Rx eq_refl) as [G|(i' & k' & I1 & I2 & I3)]; [left; auto|]. right.
    exists i', k'.
    split; auto. split; auto. eapply Qle_trans; [exact I3|]. unfold work. apply sum_le. intros p Hp.
    apply filter_In in Hp. destruct Hp as [Hp _]. apply in_map_iff in Hp. destruct Hp as (z & <- & Hz).
    destruct (Row z Hz) as [_ Rz]. specialize (Order z Hz).
    assert (L : (stop (piece_of z) <= inject_Z makespan * run_tick r)%Q)
      by (simpl; apply Qmult_le_compat_r; [apply inject_le; auto|lra]).
    rewrite (before_late _ _ (Qlt_le_weak _ _ (proj2 Order)) L).
    assert (stop (piece_of z) - start (piece_of z) == before (stop (piece_of z)) (piece_of z))%Q as -> by
      (symmetry; apply before_late; lra).
    destruct (Qlt_le_dec (inject_Z t * run_tick r) (stop (piece_of z))) as [Lt|Ge].
    + apply before_mono; lra.
    + rewrite !before_late; lra.
  - intros x Hx. destruct (Well x Hx) as (k & d & K1 & _ & _ & K2 & _). eauto.
Qed.
End Simulation.

Theorem system_run_sound S M r K : check_system_run S M r = Some K -> done_by S (Pos.to_nat M) K.
Proof.
  unfold check_system_run. destruct (check_rows _ _ _ _) as [K'|] eqn:E; [|discriminate].
  intros R. injection R as <-.
  apply (rows_sound S S _ M r (fun _ i => i) (fun o => place_of o) (fun _ x => x)
      (fun _ => True)
      (Pos.to_nat M)) in E; auto.
  - destruct E as (_ & V & C & _). eexists. split; eauto.
  - intros o i k d Hk Hd. exists k. repeat split; auto.
    + apply array_find in Hd. rewrite place_number, nth_error_map, Hk in Hd. injection Hd as <-.
      reflexivity.
    + rewrite map_id. auto.
  - intros m y Hm Hy. exists (number_of m), y. rewrite place_number. repeat split; auto.
    unfold number_of. lia.
Qed.
Lemma least_time_sound S M U : 0 < Qnum U -> never_more S U ->
  takes_at_least S (Pos.to_nat M) (least_time M U).
Proof.
  intros P N. unfold least_time.
  assert (C : (inject_Z (Z.pos M) = count (Pos.to_nat M))%Q) by (unfold count; rewrite positive_nat_Z; auto).
  rewrite C. apply bound_of_run; auto. apply Qpos; auto.
Qed.

Theorem run_sound q M r b K L : check_run q M r b = Some (K, L) ->
  done_by (system_of q) (Pos.to_nat M) K /\ takes_at_least (system_of q) (Pos.to_nat M) L.
Proof.
  unfold check_run. destruct (check_system_run _ _ _) as [K'|] eqn:E; [|discriminate].
  destruct (check_bound q b) as [U|] eqn:F; [|discriminate].
  destruct (Z.ltb_spec 0 (Qnum U)) as [P|]; [|discriminate].
  intros R. injection R as <- <-. split; [eapply system_run_sound; eauto|].
  apply least_time_sound; auto. eapply bound_sound; eauto.
Qed.

(** ** Packets *)
Lemma nth_flat {A B} (f : A -> list B) n l : (forall x, In x l -> length (f x) = n) ->
  forall k i x y, nth_error l k = Some x -> nth_error (f x) i = Some y ->
    nth_error (flat_map f l) (k * n + i) = Some y.
Proof.
  induction l as [|a l IH]; intros Hn k i x y Ek Ei. destruct k; discriminate.
  assert (La : length (f a) = n) by (apply Hn; left; auto). destruct k as [|k]; simpl in Ek |- *.
  - injection Ek as ->. rewrite nth_error_app1; auto. apply nth_error_Some. congruence.
  - rewrite nth_error_app2 by lia. replace (n + k * n + i - length (f a))%nat with (k * n + i)%nat by lia.
    apply (IH (fun x Hx => Hn x (or_intror Hx)) k i x y); auto.
Qed.
Lemma nth_numbered {A} (l : list A) : forall j k x, nth_error l k = Some x ->
  nth_error (number_from j l) k = Some (j + Z.of_nat k, x).
Proof.
  induction l as [|a l IH]; intros j [|k] x E; try discriminate; simpl in E |- *.
  - injection E as ->. f_equal. f_equal. lia.
  - rewrite (IH (j + 1) k x E). f_equal. f_equal. lia.
Qed.
Lemma numbered_nth {A} (l : list A) d x : In (d, x) (numbered l) ->
  exists k, d = Z.of_nat k /\ nth_error l k = Some x.
Proof.
  intros H. apply number_from_in in H. destruct H as [L H]. exists (Z.to_nat d). rewrite Z2Nat.id by auto.
  rewrite Z.sub_0_r in H. auto.
Qed.

Section Packets.
Variable p : ports.
Variable arcs : list (arc * Q).
Variable source : node.
Variable targets : list node.
Variable sizes : list Q.
Let S := packets p arcs source targets sizes.

Lemma packet_task k : In k (tasks S) -> exists d z al, In (d, z) (numbered sizes) /\ In al arcs /\
  k = packet_transfer p d z al.
Proof.
  intros H. simpl in H. apply in_flat_map in H. destruct H as ((d & z) & H & Hk). apply in_map_iff in Hk.
  destruct Hk as (al & <- & Ha). exists d, z, al. auto.
Qed.
Lemma nth_packet k i z al : nth_error sizes k = Some z -> nth_error arcs i = Some al ->
  nth_error (tasks S) (k * length arcs + i) = Some (packet_transfer p (Z.of_nat k) z al).
Proof.
  intros Ek Ei. simpl. apply nth_flat with (x := (Z.of_nat k, z)).
  - intros [d w] _. apply map_length.
  - apply (nth_numbered sizes 0). auto.
  - rewrite nth_error_map, Ei. auto.
Qed.

Theorem packet_bound_sound b L : check_packet_bound p arcs source targets sizes b = Some L ->
  takes_at_least S 1 L.
Proof.
  unfold check_packet_bound. set (c := size_cuts b). set (y := cut_prices c).
  set (pos := positions 1 (order c) none).
  set (D := size_unit b). destruct (_ && _) eqn:E; [|discriminate].
  rewrite !andb_true_iff, !forallb_forall in E.
  destruct E as [[[[[[E1 E2] E3] E4] E5] E6] E7]. apply negb_true_iff, member_false in E2.
  apply Z.ltb_lt in E7.
  intros R. match type of R with Some ?v = Some _ => assert (RL : L = v) by congruence end.
  assert (Cut : forall x, In x (cuts c) \/ In x (startup_cuts b) ->
    0 <= weight x /\ 1 <= begins x < ends x /\ exists v, In v targets /\ in_cut pos x v = true).
  { intros x [Hx|Hx]; eapply cut_ok_spec; try apply node_map_in; [apply E3|apply E4]; auto. }
  assert (Start : forall x, In x (cuts c) -> 1 <= begins x < ends x) by (intros x Hx; apply Cut; auto).
  assert (Start' : forall x, In x (startup_cuts b) -> 1 <= begins x < ends x) by (intros x Hx; apply Cut;
    auto).
  assert (DP : (0 < inject_Z (Z.pos D))%Q) by (rewrite <- inject_0, <- Zlt_Qlt; lia).
  assert (Size : forall z, In z sizes -> (0 < z)%Q /\ (inject_Z (scaled_size D z) == inject_Z (Z.pos D) *
    z)%Q).
  { intros z Hz. specialize (E5 z Hz). unfold size_ok in E5. rewrite andb_true_iff, Z.ltb_lt, Z.eqb_eq in E5.
    destruct E5 as [F1 F2]. split; [apply Qpos; auto|]. unfold scaled_size. fold D in F2.
    apply Z.mod_divide in F2; [|lia]. destruct F2 as [q F2]. rewrite F2, Z.div_mul by lia.
    rewrite !inject_Z_mult.
    assert (A : (z * inject_Z (Z.pos (Qden z)) == inject_Z (Qnum z))%Q).
    { unfold Qeq. simpl. rewrite ?Pos.mul_1_r, ?Z.mul_1_r. auto. }
    rewrite <- A. ring. }
  set (X := fun (d : Z) (x : Checker.cut) (q : state) => item_eqb (what q) (Message d) &&
    in_cut pos x (place q)).
  set (cutsQ := flat_map (fun dz : Z * Q => map (fun x => (X (fst dz) x,
    (snd dz * inject_Z (weight x))%Q)) (cuts c)
    ++ map (fun x => (X (fst dz) x, inject_Z (weight x))) (startup_cuts b)) (numbered sizes)).
  set (w := sum snd cutsQ).
  assert (W : (w * inject_Z (Z.pos D) == inject_Z (sumZ (scaled_size D) sizes * sumZ weight (cuts c)
               + Z.of_nat (length sizes) * Z.pos D * sumZ weight (startup_cuts b)))%Q).
  { unfold w, cutsQ. rewrite sum_flat_map.
    rewrite (sum_eq _ (fun dz : Z * Q => (fun z => z * inject_Z (sumZ weight (cuts c)) + inject_Z (sumZ
      weight (startup_cuts b)))%Q (snd dz))).
    2: { intros [d z] _. rewrite sum_app, !sum_map. cbn [snd]. rewrite sum_scale, !sum_inject. reflexivity. }
    rewrite (numbered_sum (fun z => (z * inject_Z (sumZ weight (cuts c)) + inject_Z (sumZ weight
      (startup_cuts b)))%Q) sizes 0).
    clear - Size. rewrite inject_Z_plus, !inject_Z_mult. generalize (inject_Z (sumZ weight (cuts c)))
      (inject_Z (sumZ weight (startup_cuts b))).
    intros u v. induction sizes as [|z l IH].
    - rewrite sumZ_nil. simpl. ring.
    - cbn [sum length]. rewrite sumZ_cons, Nat2Z.inj_succ, <- Z.add_1_l, !inject_Z_plus.
      destruct (Size z) as [_ Sz]; [left; auto|]. rewrite Sz.
      assert (IH' := IH (fun x Hx => Size x (or_intror Hx))).
      rewrite Qmult_plus_distr_l, IH'. ring. }
  intros s t Ht V C.
  assert (B : (count 1 * w <= t * total (in_Q y))%Q).
  { unfold w. apply (Bound.cut_bound S (in_Q y) cutsQ) with (s := s); auto using prices_nonneg.
    - intros k Hk. destruct (packet_task k Hk) as (d & z & [a l] & Hz & Ha & ->). specialize (E6 _ Ha).
      apply numbered_member in Hz. destruct (Size z Hz) as [Zp _]. cbn in E6.
      rewrite !andb_true_iff, Z.ltb_lt, Z.leb_le in E6. destruct E6 as [[[F1 F2] _] _]. apply Qpos in F1.
      simpl.
      assert (0 <= l)%Q by (unfold Qle; simpl; lia). nra.
    - intros Y u H. apply in_flat_map in H. destruct H as ((d & z) & Hd & H). cbn [fst snd] in H.
      destruct (Size z) as [Zp _]; [eapply numbered_member; eauto|].
      assert (G : exists x, (In x (cuts c) \/ In x (startup_cuts b)) /\ Y = X d x /\ (0 <= u)%Q).
      { apply in_app_iff in H. destruct H as [H|H]; apply in_map_iff in H; destruct H as (x & I & Hx);
          injection I as <- <-;
        exists x; split; auto; split; auto; destruct (Cut x) as (C1 & _); auto;
          rewrite <- inject_le, inject_0 in C1; auto.
        apply Qmult_le_0_compat; lra. }
      destruct G as (x & Hx & -> & U). destruct (Cut x Hx) as (C1 & C2 & v & V1 & V2). split; auto. split.
      + simpl. intros q Hq. apply in_map_iff in Hq. destruct Hq as ((e & z') & <- & _). unfold X. simpl.
        unfold in_cut. rewrite E2. apply andb_false_r.
      + exists (At (Message d) v). split.
        * simpl. apply in_flat_map. exists (d, z). split; auto. apply in_map. auto.
        * unfold X. simpl. rewrite Z.eqb_refl. auto.
    - intros k Hk. destruct (packet_task k Hk) as (d & z & [a l] & Hz & Ha & ->). specialize (E6 _ Ha).
      cbn in E6. rewrite !andb_true_iff, Z.ltb_lt, Z.leb_le in E6. destruct E6 as [[[F1 F2] F3] F4].
      apply Qpos in F1.
      assert (Lp : (0 <= l)%Q) by (unfold Qle; simpl; lia).
      destruct (Size z) as [Zp _]; [eapply numbered_member; eauto|].
      set (k := packet_transfer p d z (a, l)) in *.
      set (en := entered_weight (sweep (by_start (cuts c)) 1 (order c) [] none) pos a) in *.
      set (en' := entered_weight (sweep (by_start (startup_cuts b)) 1 (order c) [] none) pos a) in *.
      assert (RP : (inject_Z (rate (maps_of y) (arc_uses p a)) <= paid (in_Q y) k)%Q) by
        (apply (rate_paid y E1 k)).
      assert (P0 : (0 <= paid (in_Q y) k)%Q) by (apply paid_nonneg, prices_nonneg; auto).
      assert (Pay : forall u time, (0 <= time)%Q -> (if u =? 0 then
        true else u * Z.pos (Qden time) <=? Qnum time * rate (maps_of y) (arc_uses p a)) = true ->
        (inject_Z u <= time * paid (in_Q y) k)%Q).
      { intros u time T0 H. destruct (Z.eqb_spec u 0) as [->|_].
        - rewrite inject_0. apply Qmult_le_0_compat; auto.
        - apply Z.leb_le, scaled_le in H. eapply Qle_trans; [exact H|].
          rewrite !(Qmult_comm time). apply Qmult_le_compat_r; auto. }
      pose proof (Pay en (cost a) (Qlt_le_weak _ _ F1) F3) as G. pose proof (Pay en' l Lp F4) as G'.
      clear Pay.
      assert (Nonneg : forall cs x, (forall x, In x cs -> 0 <= weight x) ->
        0 <= sumZ (fun x0 => if in_cut pos x0 x && negb (in_cut pos x0 (tail a)) then weight x0 else 0) cs).
      { intros cs x H. apply sumZ_nonneg. intros x0 Hx. destruct (_ && _); auto. lia. }
      assert (N : 0 <= en) by (unfold en; rewrite entered_weight_spec by auto; apply Nonneg; intros;
        apply Cut; auto).
      assert (N' : 0 <= en') by (unfold en'; rewrite entered_weight_spec by auto; apply Nonneg; intros;
        apply Cut; auto).
      rewrite <- inject_le, inject_0 in N, N'.
      set (e := (z * inject_Z en + inject_Z en')%Q).
      assert (e0 : (0 <= e)%Q) by (unfold e; nra).
      apply Qle_trans with e.
      + unfold crossed, cutsQ. rewrite sum_flat_map. eapply Qle_trans; [|apply (numbered_one sizes d e e0 0)].
        apply sum_le. intros [d' z'] Hz'. cbn [fst snd]. rewrite sum_app, !sum_map. cbn [fst snd].
        assert (En : forall x, enters (X d' x) k = (d =? d') && (in_cut pos x (head a) &&
          negb (in_cut pos x (tail a)))).
        { intros x. unfold enters, X, k. simpl. rewrite orb_false_r. destruct (d =? d'); simpl; auto. }
        destruct (Z.eqb_spec d d') as [<-|ne].
        * rewrite Z.eqb_refl. rewrite (numbered_same _ _ _ _ Hz' Hz). unfold e.
          unfold en, en'. rewrite !entered_weight_spec by auto. fold pos.
          apply Qplus_le_compat.
          -- rewrite <- sum_inject, <- sum_scale. apply sum_le. intros x _. rewrite En. simpl.
             destruct (_ && _); [lra|rewrite inject_0; lra].
          -- rewrite <- sum_inject. apply sum_le. intros x _. rewrite En. simpl.
             destruct (_ && _); [lra|rewrite inject_0; lra].
        * destruct (Z.eqb_spec d' d); [congruence|].
          assert (Z0 : forall (f : Checker.cut -> Q) l0, (sum (fun x => if enters (X d' x) k then
            f x else 0) l0 == 0)%Q).
          { intros f l0. rewrite <- (sum_zero l0). apply sum_eq. intros x _. rewrite En. simpl. lra. }
          rewrite (Z0 (fun x => (z' * inject_Z (weight x))%Q)), (Z0 (fun x => inject_Z (weight x))). lra.
      + unfold e. change (lasts k) with (l + z * cost a)%Q.
        assert (z * inject_Z en <= z * (cost a * paid (in_Q y) k))%Q by (apply Qmult_le_l; auto). lra. }
  unfold count in B. simpl (inject_Z (Z.of_nat 1)) in B. rewrite total_sum in B. fold y in E7.
  assert (Yp : (0 < inject_Z (sum_of_prices y))%Q) by (rewrite <- inject_0, <- Zlt_Qlt; auto).
  change (inject_Z 1) with 1%Q in B.   rewrite RL, <- W, inject_Z_mult. apply Qle_shift_div_r.
  - apply Qmult_lt_0_compat; auto.
  - assert (w * inject_Z (Z.pos D) <= t * inject_Z (sum_of_prices y) * inject_Z (Z.pos D))%Q; [|lra].
    apply Qmult_le_compat_r; lra.
Qed.

Theorem packet_run_sound r b K L : check_packet_run p arcs source targets sizes r b = Some (K, L) ->
  (exists s, valid S s /\ completes S s 1 K /\ pays_latency_once arcs S s) /\ takes_at_least S 1 L.
Proof.
  unfold check_packet_run. set (duration := fun i o => _).
  destruct (check_rows _ _ _ _) as [K'|] eqn:E; [|discriminate].
  destruct (check_packet_bound _ _ _ _ _ _) as [U|] eqn:F; [|discriminate].
  destruct (_ && _) eqn:G; [|discriminate]. intros R. injection R as <- <-.
  apply andb_true_iff in G. destruct G as [G1 G2]. apply Z.ltb_lt in G1. rewrite forallb_forall in G2.
  split; [|eapply packet_bound_sound; eauto].
  set (which_of := fun o i => (place_of o * length arcs + i)%nat).
  set (state_of := fun o x => At (Message (Z.of_nat (place_of o))) (place x)).
  assert (Dur : forall i o d, duration i o = Some d -> exists a l z, nth_error arcs (place_of i) = Some (a,
    l) /\
    nth_error sizes (place_of o) = Some z /\ d = (l + z * cost a)%Q).
  { intros i o d Hd. unfold duration in Hd. destruct (find i (array arcs)) as [[a l]|] eqn:Ea;
      [|discriminate].
    destruct (find o (array sizes)) as [z|] eqn:Ez; [|discriminate]. injection Hd as <-.
    apply array_find in Ea, Ez. exists a, l, z. auto. }
  apply (rows_sound _ S duration _ r which_of (fun _ => 0%nat) state_of
    (fun o => exists z, nth_error sizes (place_of o) = Some z) 1) in E.
  - destruct E as (T & V & C & Rows). eexists. split; [exact V|]. split; [exact C|].
    intros q k a l Hq Hk Ha Lp. apply in_map_iff in Hq. destruct Hq as (x & <- & Hx).
    destruct (Rows x Hx) as (k0 & d & K1 & D1). destruct (Dur _ _ _ D1) as (a' & l' & z & A1 & A2 & A3).
    unfold piece_of in Hk, Ha. cbn [which] in Hk, Ha. unfold which_of in Hk, Ha.
    assert (Lt : (place_of (row_task x) < length arcs)%nat) by (apply nth_error_Some; congruence).
    rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small in Ha by lia.
    assert (Eq : (a, l) = (a', l')) by congruence. injection Eq as <- <-.
    rewrite (nth_packet _ _ _ _ A2 A1) in Hk. injection Hk as <-.
    specialize (G2 x Hx). unfold whole_row in G2. destruct x as [[[i o] u] v].
    unfold row_task, row_operation in *. cbn [fst snd] in *.
    destruct (find i (array arcs)) as [[a0 l0]|] eqn:Fa; [|discriminate]. assert (Fa' := Fa).
    apply array_find in Fa.
    assert (Eq : (a, l) = (a0, l0)) by congruence. injection Eq as <- <-. rewrite D1 in G2.
    destruct (Z.leb_spec (Qnum l) 0) as [Neg|_].
    + unfold Qlt in Lp. simpl in Lp. lia.
    + apply Qle_bool_iff in G2. subst d. simpl. unfold Z.sub in G2. rewrite inject_Z_plus, inject_Z_opp in G2.
      unfold row_stop, row_start. simpl. lra.
  - intros i o d Hd. destruct (Dur _ _ _ Hd) as (_ & _ & z & _ & Z1 & _). eauto.
  - intros o Ho. destruct (nth_error sizes (place_of o)) as [z|] eqn:Ez; [eauto|]. apply nth_error_None in Ez.
    apply Pos2Nat.inj_le in Ho. rewrite Nat2Pos.id in Ho by lia. unfold place_of in Ez.
    pose proof (Pos2Nat.is_pos o). lia.
  - intros o i k d Hk Hd. destruct (Dur _ _ _ Hd) as (a & l & z & A1 & A2 & ->). rewrite place_number in A1.
    simpl in Hk. rewrite map_map, nth_error_map, A1 in Hk. injection Hk as <-.
    exists (packet_transfer p (Z.of_nat (place_of o)) z (a, l)). split; [apply nth_packet; auto|].
    repeat split; auto.
  - intros o x (z & Hz) [<-|[]]. simpl. apply in_map_iff. exists (Z.of_nat (place_of o), z). split; auto.
    apply nth_error_In with (place_of o). apply (nth_numbered sizes 0). auto.
  - intros m x Hm Hx. simpl in Hx. apply in_flat_map in Hx. destruct Hx as ((d & z) & Hd & Hx).
    apply in_map_iff in Hx. destruct Hx as (v & <- & Hv). destruct (numbered_nth _ _ _ Hd) as (k & -> & Hk).
    exists (number_of k), (At (Message 0) v). unfold state_of. rewrite place_number. simpl.
    split; [|split; [|split]]; auto.
    + assert (k < length sizes)%nat by (apply nth_error_Some; congruence). unfold number_of.
      apply Pos2Nat.inj_le. rewrite SuccNat2Pos.id_succ, Nat2Pos.id; lia.
    + apply in_map. auto.
    + lia.
Qed.
End Packets.
