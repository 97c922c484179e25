(** If the checker accepts a proof by cases, no schedule that uses one tree, or an acyclic set of arcs, has a
    larger throughput. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool FMapPositive.
From Exactsched Require Import Model Names Sums Time Bound Collectives Checker ScheduleSound BoundSound
  Soundness
  RestrictedChecker.
Import ListNotations.
Open Scope Z_scope.

Lemma check_cuts_fewer p arcs used source targets b U : incl used arcs ->
  check_cuts p arcs source targets b = Some U -> check_cuts p used source targets b = Some U.
Proof.
  intros I. unfold check_cuts. destruct (_ && forallb _ arcs) eqn:E; [|discriminate].
  apply andb_true_iff in E. destruct E as [E1 E2]. rewrite E1. rewrite forallb_forall in E2.
  replace (forallb _ used) with true; auto. symmetry. apply forallb_forall. intros a Ha. apply E2; auto.
Qed.

(** ** The bound of a tree, rounded *)
Section Tree.
Variable p : ports.
Variable source : node.
Variable targets : list node.
Variable used : list arc.
Hypothesis one_tree : tree source used.
Let S := multicast p used source targets.
Variable y : prices.
Hypothesis no_odd : for_odd_sets y = [].
Hypothesis y_nonneg : nonneg y.
Variable cs : list ((state -> bool) * Q).
Hypothesis lasting : forall k, In k (tasks S) -> (0 < lasts k)%Q.
Hypothesis proper : proper_cuts S cs.
Hypothesis pack : forall k, In k (tasks S) -> (crossed cs k <= lasts k * paid y k)%Q.
Variable s : schedule.
Variable M : nat.
Variable K : Q.
Hypothesis K_nonneg : (0 <= K)%Q.
Hypothesis s_valid : valid S s.
Hypothesis s_complete : completes S s M K.
Hypothesis M_pos : (0 < M)%nat.

Lemma tree_task i : (i < length (tasks S))%nat -> exists a, nth_error used i = Some a /\
  kind S i = transfer p (Message 0) 1 a.
Proof.
  intros L. simpl in L. rewrite map_length in L. destruct (nth_error used i) as [a|] eqn:E;
    [|apply nth_error_None in E; lia].
  exists a. split; auto. unfold kind. apply nth_error_nth. simpl. rewrite nth_error_map, E. auto.
Qed.
Lemma one_maker i j : (i < length (tasks S))%nat -> (j < length (tasks S))%nat ->
  makes (kind S i) = makes (kind S j) -> i = j.
Proof.
  intros Li Lj E. destruct (tree_task i Li) as (a & Ea & Ka). destruct (tree_task j Lj) as (b & Eb & Kb).
  rewrite Ka, Kb in E.
  simpl in E. injection E as E. destruct one_tree as [N _]. rewrite NoDup_nth_error in N. apply N.
  - simpl in Li. rewrite map_length in *. auto.
  - rewrite !nth_error_map, Ea, Eb. simpl. congruence.
Qed.

(** The tasks that are complete in every operation. *)
Definition always : list nat := filter (fun i => forallb (fun m => doneb S s K m i) (seq 0 M)) (seq 0 (length
  (tasks S))).
Lemma always_done i : In i always <-> (i < length (tasks S))%nat /\ forall m, (m < M)%nat ->
  In i (Done S s K m).
Proof.
  unfold always, Done. rewrite filter_In, forallb_forall, in_seq. split.
  - intros [L H]. split; [lia|]. intros m Hm. apply filter_In. rewrite in_seq. split; [lia|]. apply H, in_seq.
    lia.
  - intros [L H]. split; [lia|]. intros m Hm. apply in_seq in Hm. specialize (H m). rewrite filter_In in H.
    apply H. lia.
Qed.
Lemma done_index m i : In i (Done S s K m) -> (i < length (tasks S))%nat.
Proof. intros H. apply filter_In in H. destruct H as [H _]. apply in_seq in H. lia. Qed.

Lemma always_needs i : In i always -> forall x, In x (needs (kind S i)) ->
  In x (given S) \/ exists j, In j always /\ makes (kind S j) = x /\ (first s 0 j < first s 0 i)%Q.
Proof.
  intros Hi x Hx. apply always_done in Hi. destruct Hi as [Li Hi].
  destruct (done_needs S lasting s s_valid 0 K i (Hi 0%nat M_pos) x Hx) as [G|(j & J1 & J2 & J3)]; auto.
  destruct (in_dec state_eq_dec x (given S)) as [G|NG]; auto. right. exists j. split; auto. apply always_done.
  split. apply (done_index 0); auto. intros m Hm.
  destruct (done_needs S lasting s s_valid m K i (Hi m Hm) x Hx) as [G|(j' & J1' & J2' & _)];
    [contradiction|].
  replace j with j'; auto. apply one_maker; try congruence; eapply done_index; eauto.
Qed.
Lemma always_wanted x : In x (wanted S) -> ~ In x (given S) -> exists j, In j always /\ makes (kind S j) = x.
Proof.
  intros Hx NG. destruct (has_done S lasting s s_valid 0 K K x) as [G|(j & J1 & J2 & _)]; auto;
    [lra|contradiction|].
  exists j. split; auto. apply always_done. split. apply (done_index 0); auto. intros m Hm.
  destruct (has_done S lasting s s_valid m K K x) as [G|(j' & J1' & J2' & _)]; auto; [lra|contradiction|].
  replace j with j'; auto. apply one_maker; try congruence; eapply done_index; eauto.
Qed.
Lemma always_pays : (sum snd cs <= sum (fun i => lasts (kind S i) * paid y (kind S i)) always)%Q.
Proof.
  apply Qle_trans with (sum (fun i => crossed cs (kind S i)) always).
  - unfold crossed. rewrite sum_swap. apply sum_le. intros [X w] Hx. simpl.
    destruct (proper X w Hx) as (Hw & G & x & Wx & Xx).
    destruct (always_wanted x Wx) as (i & Hi & Mi). { intros Gx. rewrite (G x Gx) in Xx. discriminate. }
    destruct (entered_of S always (first s 0) X always_needs G i Hi) as (j & Hj & Xj & Nj). congruence.
    apply Qle_trans with (if enters X (kind S j) then w else 0)%Q.
    + unfold enters. rewrite Xj. destruct (existsb X (needs (kind S j))) eqn:E; simpl; [|lra].
      apply existsb_exists in E. destruct E as [z [Hz Ez]]. rewrite (Nj z Hz) in Ez. discriminate.
    + apply (sum_member (fun i => if enters X (kind S i) then w else 0%Q)); auto.
      intros z _. destruct (enters X (kind S z)); lra.
  - apply sum_le. intros i Hi. apply pack. apply nth_In. apply always_done in Hi. apply Hi.
Qed.

(** The load of a resource, by the tasks that are complete in every operation. *)
Definition load (r : resource) : Q := sum (fun i => if uses_it r (kind S i) then
  lasts (kind S i) else 0%Q) always.
Lemma load_fits r : (count M * load r <= K)%Q.
Proof.
  set (one := Prices [(r, 1%Q)] []).
  assert (N : nonneg one) by (split; simpl; [intros ? ? [E|[]]; injection E as <- <-; lra|easy]).
  pose proof (enough_once S s one K M (load r) lasting s_valid N K_nonneg) as E.
  assert (T : (total one == 1)%Q) by (unfold total; simpl; ring). rewrite T, Qmult_1_r in E. apply E.
  intros m Hm. unfold load.
  apply Qle_trans with (sum (fun i => if uses_it r (kind S i) then lasts (kind S i) else 0%Q) (Done S s K m)).
  - apply sum_incl.
    + intros i Hi. assert (0 < lasts (kind S i))%Q by (apply lasting, nth_In; eapply done_index; eauto).
      destruct (uses_it r (kind S i)); lra.
    + apply NoDup_filter, seq_NoDup.
    + intros i Hi. apply always_done in Hi. apply Hi; auto.
  - apply sum_le. intros i _. unfold paid, one. simpl. destruct (uses_it r (kind S i)); lra.
Qed.
Lemma largest (l : list (resource * Q)) (f : resource -> Q) : (forall r v, In (r, v) l -> (0 <= v)%Q) ->
  l <> [] ->
  exists r v, In (r, v) l /\ (sum (fun rv => snd rv * f (fst rv)) l <= sum snd l * f r)%Q.
Proof.
  intros N. induction l as [|[r v] l IH]; [easy|]. intros _. destruct l as [|rv l'].
  - exists r, v. simpl. split; auto. lra.
  - destruct IH as (q & w & Hq & L). { intros; eapply N; right; eauto. } easy.
    assert (P : (0 <= v)%Q) by (eapply N; left; eauto).
    assert (T : (0 <= sum snd (rv :: l'))%Q) by (apply sum_nonneg; intros [q' w'] H; eapply N; right; eauto).
    set (rest := rv :: l') in *. cbn [sum fst snd].
    destruct (Qlt_le_dec (f q) (f r)).
    + exists r, v. split; [left; auto|]. nra.
    + exists q, w. split; [right; auto|]. nra.
Qed.
Lemma busiest : (0 < total y)%Q -> exists r, (sum snd cs <= total y * load r)%Q.
Proof.
  intros P. assert (T : (total y == sum snd (for_resources y))%Q) by (unfold total; rewrite no_odd; simpl;
    ring).
  destruct (largest (for_resources y) load) as (r & v & _ & L).
  - apply y_nonneg.
  - intros E. rewrite T, E in P. simpl in P. lra.
  - exists r. rewrite T. eapply Qle_trans; [apply always_pays|]. eapply Qle_trans; [|exact L]. unfold load.
    rewrite (sum_eq (fun rv : resource * Q => snd rv * _)%Q
      (fun rv => sum (fun i => if uses_it (fst rv) (kind S i) then
        snd rv * lasts (kind S i) else 0)%Q always)).
    2: { intros rv _. rewrite <- sum_scale. apply sum_eq. intros i _. destruct (uses_it _ _); lra. }
    rewrite sum_swap. apply sum_le. intros i _. unfold paid. rewrite no_odd. simpl.
    rewrite Qplus_0_r, <- sum_scale.
    apply sum_le. intros rv _. destruct (uses_it (fst rv) (kind S i)); lra.
Qed.

(** All costs are multiples of g / d: then the load of a resource is one, and at least n times as large. *)
Variables d g n : Z.
Hypothesis d_pos : 0 < d.
Hypothesis g_pos : 0 < g.
Hypothesis multiples : forall a, In a used -> exists z, (cost a * inject_Z d == inject_Z (z * g))%Q.
Lemma load_multiple r : exists z, (load r * inject_Z d == inject_Z (z * g))%Q.
Proof.
  unfold load. assert (L : forall i, In i always -> (i < length (tasks S))%nat) by (intros i Hi;
    apply always_done in Hi; tauto).
  induction always as [|i l IH]; simpl.
  - exists 0. simpl. rewrite inject_0. ring.
  - destruct IH as [z Hz]; [intros; apply L; right; auto|]. destruct (uses_it r (kind S i)).
    + destruct (tree_task i) as (a & Ea & Ka); [apply L; left; auto|].
      destruct (multiples a) as [u Hu]; [eapply nth_error_In; eauto|].
      exists (u + z). rewrite Z.mul_add_distr_r, inject_Z_plus, <- Hz, <- Hu, Ka. simpl. ring.
    + exists z. rewrite <- Hz. ring.
Qed.
Lemma rounded_bound Y W : (total y == inject_Z Y)%Q -> (sum snd cs == inject_Z W)%Q -> 0 < Y ->
  n = - (- (W * d) / (Y * g)) -> 0 < n -> (count M <= inject_Z d / inject_Z (n * g) * K)%Q.
Proof.
  intros EY EW PY En Pn. assert (PYq : (0 < total y)%Q) by (rewrite EY, <- inject_0, <- Zlt_Qlt; auto).
  destruct (busiest PYq) as [r B]. destruct (load_multiple r) as [z Hz].
  assert (Pd : (0 < inject_Z d)%Q) by (rewrite <- inject_0, <- Zlt_Qlt; auto).
  assert (Z1 : W * d <= Y * g * z).
  { rewrite EY, EW in B. apply inject_le. rewrite inject_Z_mult.
    assert (E : (inject_Z (Y * g * z) == inject_Z Y * (load r * inject_Z d))%Q).
    { rewrite Hz, <- inject_Z_mult. replace (Y * g * z) with (Y * (z * g)) by ring. reflexivity. }
    rewrite E. assert (inject_Z W * inject_Z d <= inject_Z Y * load r * inject_Z d)%Q by
      (apply Qmult_le_compat_r; lra). lra. }
  assert (Z2 : n <= z).
  { rewrite En. assert (- z <= - (W * d) / (Y * g)); [|lia]. apply Z.div_le_lower_bound; nia. }
  pose proof (load_fits r) as F.
  assert (G : (count M * inject_Z (n * g) <= inject_Z d * K)%Q).
  { apply Qle_trans with (count M * (load r * inject_Z d))%Q.
    - rewrite Hz, !(Qmult_comm (count M)). apply Qmult_le_compat_r; [apply inject_le; nia|apply count_nonneg].
    - assert (count M * load r * inject_Z d <= K * inject_Z d)%Q by (apply Qmult_le_compat_r; lra). lra. }
  assert (Pq : (0 < inject_Z (n * g))%Q) by (rewrite <- inject_0, <- Zlt_Qlt; nia).
  apply Qmult_le_r with (inject_Z (n * g)); auto. eapply Qle_trans; [exact G|].
  assert (E : (inject_Z d / inject_Z (n * g) * K * inject_Z (n * g) == inject_Z d * K)%Q) by (field; lra).
  lra.
Qed.
End Tree.

Lemma gcd_divides d l : forall g a, In a l -> (fold_left (fun g a => Z.gcd g (scaled_cost d a)) l g |
  scaled_cost d a).
Proof.
  assert (H : forall l g, (fold_left (fun g a => Z.gcd g (scaled_cost d a)) l g | g)).
  { clear. induction l as [|b l IH]; simpl; intros g. apply Z.divide_refl.
    eapply Z.divide_trans; [apply IH|apply Z.gcd_divide_l]. }
  induction l as [|b l IH]; simpl; [easy|]. intros g a [<-|I]; auto.
  eapply Z.divide_trans; [apply H|apply Z.gcd_divide_r].
Qed.

Theorem rounded_sound p arcs source targets b U d T used : 0 < d ->
  check_cuts p arcs source targets b = Some U -> rounded d arcs b = Some T ->
  incl used arcs -> tree source used -> never_more (multicast p used source targets) T.
Proof.
  intros Pd E R I One. apply (check_cuts_fewer _ _ _ _ _ _ _ I) in E.
  pose proof (cuts_facts _ _ _ _ _ _ E) as (E1 & E2 & E3 & E4 & E5 & E6 & E7).
  assert (Plain : quotient (sum_of_prices (cut_prices b)) (sumZ weight (cuts b)) = Some T ->
    never_more (multicast p used source targets) T).
  { intros Q. replace T with U by congruence. eapply cuts_sound; eauto. }
  unfold rounded in R. destruct (odd_prices (cut_prices b)) as [|] eqn:Odd; auto.
  set (Y := sum_of_prices (cut_prices b)) in *. set (W := sumZ weight (cuts b)) in *.
  set (g := fold_left _ arcs 0) in *. set (n := - (- (W * d) / (Y * g))) in *.
  destruct (_ && _) eqn:C in R; auto. rewrite !andb_true_iff, !Z.ltb_lt, forallb_forall in C.
  destruct C as [[[C1 C2] C3] C4]. assert (RT : T = (inject_Z d / inject_Z (n * g))%Q) by congruence.
  intros s M K HK V Co. destruct M as [|M].
  - rewrite RT. change (count 0) with 0%Q. apply Qmult_le_0_compat; auto. apply Qle_shift_div_l.
    + rewrite <- inject_0, <- Zlt_Qlt. nia.
    + rewrite Qmult_0_l, <- inject_0, inject_le. lia.
  - rewrite RT. apply (rounded_bound p source targets used One (in_Q (cut_prices b)) ) with (cs :=
      cuts_in_Q b) (s := s) (Y := Y) (W := W); auto.
    + simpl. rewrite Odd. auto.
    + lia.
    + intros a Ha. specialize (C4 a (I a Ha)). apply Z.eqb_eq, Z.mod_divide in C4; [|lia].
      destruct C4 as [q Hq].
      destruct (gcd_divides d arcs 0 a (I a Ha)) as [z Hz]. fold g in Hz. exists z. rewrite <- Hz.
      unfold scaled_cost.
      rewrite Hq, Z.div_mul by lia. rewrite !inject_Z_mult.
      assert (A : (cost a * inject_Z (Z.pos (Qden (cost a))) == inject_Z (Qnum (cost a)))%Q).
      { unfold Qeq. simpl. rewrite ?Pos.mul_1_r, ?Z.mul_1_r. auto. }
      rewrite <- A. ring.
    + apply total_sum.
Qed.

(** ** Cases *)
Lemma larger_l a b : (a <= larger a b)%Q.
Proof. unfold larger. destruct (Qle_bool a b) eqn:E; [apply Qle_bool_iff in E; auto|lra]. Qed.
Lemma larger_r a b : (b <= larger a b)%Q.
Proof.
  unfold larger. destruct (Qle_bool a b) eqn:E; [lra|]. apply Qnot_lt_le. intros L.
  assert (Qle_bool a b = true) by (apply Qle_bool_iff; lra). congruence.
Qed.
Lemma never_more_le S T T' : (T <= T')%Q -> never_more S T -> never_more S T'.
Proof. intros L N s M K HK V C. eapply Qle_trans; [eapply N; eauto|]. apply Qmult_le_compat_r; auto. Qed.

Lemma in_drop gone l a : In a (map snd (drop gone l)) <-> exists i, In (i, a) l /\ member i gone = false.
Proof.
  unfold drop. rewrite in_map_iff. split.
  - intros ((i & b) & <- & H). apply filter_In in H. destruct H as [H N]. apply negb_true_iff in N. eauto.
  - intros (i & H & N). exists (i, a). split; auto. apply filter_In. split; auto. simpl. rewrite N. auto.
Qed.

(** Induction on proofs by cases. *)
Section Induction.
Variable P : proof -> Prop.
Hypothesis of_cuts : forall b, P (OfCuts b).
Hypothesis on_node : forall v cases, Forall (fun c => P (snd c)) cases -> P (SplitOnNode v cases).
Hypothesis on_cycle : forall cycle cases, Forall (fun c => P (snd c)) cases -> P (SplitOnCycle cycle cases).
Fixpoint proof_cases (b : proof) : P b :=
  match b with
  | OfCuts b => of_cuts b
  | SplitOnNode v cases => on_node v cases
      ((fix go (l : list (list positive * proof)) : Forall (fun c => P (snd c)) l :=
        match l with [] => Forall_nil _ | c :: l => Forall_cons c (proof_cases (snd c)) (go l) end) cases)
  | SplitOnCycle cycle cases => on_cycle cycle cases
      ((fix go (l : list (positive * proof)) : Forall (fun c => P (snd c)) l :=
        match l with [] => Forall_nil _ | c :: l => Forall_cons c (proof_cases (snd c)) (go l) end) cases)
  end.
End Induction.

Section Split.
Variable kind : restriction.
Variable p : ports.
Variable arcs : list arc.
Variable d : Z.
Variable source : node.
Variable targets : list node.
Hypothesis d_pos : 0 < d.

Definition allowed (used : list arc) : Prop := match kind with
  OneTree => tree source used | Acyclic => acyclic used end.
(** The numbers mean what they should. *)
Definition numbered_well (l : remaining) : Prop := forall i a, In (i, a) l -> find i (array arcs) = Some a.
Definition bounds (l : remaining) (U : Q) : Prop :=
  forall used, incl used (map snd l) -> allowed used -> never_more (multicast p used source targets) U.

Lemma leaf_sound l b U : check_leaf kind p d source targets l b = Some U -> bounds l U.
Proof.
  unfold check_leaf. destruct (check_cuts _ _ _ _ _) as [V|] eqn:E; [|discriminate]. intros R used I A.
  unfold allowed in A. destruct kind.
  - eapply rounded_sound; eauto.
  - injection R as <-. eapply cuts_sound. eapply check_cuts_fewer; eauto.
Qed.
Lemma drop_well gone l : numbered_well l -> numbered_well (drop gone l).
Proof. intros N i a H. apply filter_In in H. apply N. tauto. Qed.

(** A tree uses only arcs that one of the cases keeps. *)
Lemma node_cases_sound v l gone used : kind = OneTree -> node_cases v l gone = true ->
  incl used (map snd l) -> allowed used ->
  exists m, In m gone /\ incl used (map snd (drop m l)).
Proof.
  intros Kd E I A. unfold node_cases in E. rewrite !andb_true_iff, !forallb_forall in E.
  destruct E as [[E1 E2] E3].
  unfold allowed in A. rewrite Kd in A. destruct A as [A _].
  assert (Others : forall m i b, In m gone -> In (i, b) l -> head b <> v -> member i m = false).
  { intros m i b Hm Hb Nb. specialize (E1 m Hm). rewrite forallb_forall in E1. specialize (E1 _ Hb).
    simpl in E1.
    destruct (member i m); auto. apply Z.eqb_eq in E1. contradiction. }
  destruct (in_dec Z.eq_dec v (map head used)) as [H|H].
  - apply in_map_iff in H. destruct H as (a & Ha & Ua). destruct (proj1 (in_map_iff _ _ _) (I a Ua)) as ((i &
      a') & Ea & Hl).
    simpl in Ea. subst a'. specialize (E2 _ Hl). simpl in E2. rewrite Ha, Z.eqb_refl in E2.
    apply existsb_exists in E2.
    destruct E2 as (m & Hm & Nm). apply negb_true_iff in Nm. exists m. split; auto. intros b Ub.
    apply in_drop.
    destruct (Z.eq_dec (head b) v) as [Eb|Nb].
    + assert (b = a).
      { clear - A Ub Ua Eb Ha. induction used as [|c u IH]; [easy|]. inversion A as [|? ? A1 A2]; subst.
        destruct Ub as [->|Ub], Ua as [->|Ua]; auto.
        - exfalso. apply A1. apply in_map_iff. exists a. split; auto.
        - exfalso. apply A1. rewrite <- Eb. apply in_map. auto. }
      subst b. exists i. auto.
    + destruct (proj1 (in_map_iff _ _ _) (I b Ub)) as ((j & b') & Eb' & Hb). simpl in Eb'. subst b'. exists j.
      split; auto.
      eapply Others; eauto.
  - destruct gone as [|m gone]; [discriminate|]. exists m. split; [left; auto|]. intros b Ub. apply in_drop.
    destruct (proj1 (in_map_iff _ _ _) (I b Ub)) as ((j & b') & Eb' & Hb). simpl in Eb'. subst b'. exists j.
    split; auto.
    apply (Others m j b); auto. left; auto. intros E. apply H. rewrite <- E. apply in_map. auto.
Qed.

(** An acyclic set misses an arc of a closed walk. *)
Lemma walk_rank used rank : (forall a, In a used -> rank (tail a) < rank (head a)) ->
  forall cycle v w, walk (array arcs) v cycle = Some w ->
  (forall i a, In i cycle -> find i (array arcs) = Some a -> In a used) -> rank v <= rank w /\ (cycle <> [] ->
    rank v < rank w).
Proof.
  intros R. induction cycle as [|i cycle IH]; simpl; intros v w E H.
  - injection E as ->. split; [lia|easy].
  - destruct (find i (array arcs)) as [a|] eqn:Ea; [|discriminate].
    destruct (Z.eqb_spec (tail a) v) as [<-|]; [|discriminate].
    destruct (IH _ _ E) as [L _]; [intros; eapply H; eauto|].
    assert (rank (tail a) < rank (head a)) by (apply R; eapply H; eauto). split; [lia|]. lia.
Qed.
Lemma cycle_misses cycle used : closed (array arcs) cycle = true -> acyclic used ->
  exists i a, In i cycle /\ find i (array arcs) = Some a /\ ~ In a used.
Proof.
  intros C [rank R].
  assert (Dec : (forall i a, In i cycle -> find i (array arcs) = Some a -> In a used) \/
    exists i a, In i cycle /\ find i (array arcs) = Some a /\ ~ In a used).
  { assert (D : forall a b : arc, {a = b} + {a <> b}) by (repeat decide equality).
    clear C. induction cycle as [|i cycle IH]; [left; easy|].
    destruct IH as [H|(j & a & H1 & H2 & H3)]; [|right; exists j, a; simpl; auto].
    destruct (find i (array arcs)) as [a|] eqn:Ea.
    - destruct (in_dec D a used) as [Ia|Na]; [|right; exists i, a; simpl; auto].
      left. intros j b [<-|Hj] Eb; [congruence|eauto].
    - left. intros j b [<-|Hj] Eb; [congruence|eauto]. }
  destruct Dec as [H|H]; auto. exfalso. destruct cycle as [|i rest]; [discriminate|]. unfold closed in C.
  destruct (find i (array arcs)) as [a|]; [|discriminate].
  destruct (walk _ _ (i :: rest)) as [w|] eqn:Ew; [|discriminate]. apply Z.eqb_eq in C. subst w.
  destruct (walk_rank used rank R _ _ _ Ew H) as [_ L]. assert (rank (tail a) < rank (tail a)) by (apply L;
    easy). lia.
Qed.

Lemma kind_eq : {kind = OneTree} + {kind = Acyclic}.
Proof. destruct kind; auto. Qed.
Theorem split_sound : forall b l U, numbered_well l ->
  check_split kind p (array arcs) d source targets l b = Some U -> bounds l U.
Proof.
  apply (proof_cases (fun b => forall l U, numbered_well l ->
    check_split kind p (array arcs) d source targets l b = Some U -> bounds l U)).
  - intros b l U N E. eapply leaf_sound; eauto.
  - intros v cases IH l U N E. cbn [check_split] in E. destruct (kind_eq) as [Kd|Kd]; rewrite Kd in E at 1;
      [|discriminate].
    destruct (node_cases _ _ _) eqn:C; [|discriminate]. intros used I A.
    destruct (node_cases_sound v l _ used Kd C I A) as (m & Hm & Im). clear C I.
    revert U E Hm. induction cases as [|[w b] cases IHc]; [easy|]. intros U E Hm.
    inversion IH as [|? ? IHb IHl]; subst. simpl in IHb.
    destruct (check_split _ _ _ _ _ _ (drop (set_of w) l) b) as [u|] eqn:Eu; [|discriminate].
    match type of E with match ?g with _ => _ end = _ => destruct g as [t|] eqn:Et; [|discriminate] end.
    injection E as <-. destruct Hm as [Hm|Hm].
    + subst m. eapply never_more_le; [apply larger_l|]. apply (IHb (drop (set_of w) l) u); auto.
      apply drop_well; auto.
    + eapply never_more_le; [apply larger_r|]. apply IHc; auto.
  - intros cycle cases IH l U N E. cbn [check_split] in E. destruct (kind_eq) as [Kd|Kd]; rewrite Kd in
      E at 1; [discriminate|].
    destruct (_ && _) eqn:C; [|discriminate]. apply andb_true_iff in C. destruct C as [C1 C2].
    rewrite forallb_forall in C2.
    intros used I A. assert (A' := A). unfold allowed in A'. rewrite Kd in A'.
    destruct (cycle_misses cycle used C1 A') as (i & a & H1 & H2 & H3).
    specialize (C2 i H1). apply existsb_exists in C2. destruct C2 as ((j & b0) & Hj & Ej). simpl in Ej.
    apply Pos.eqb_eq in Ej. subst j.
    assert (Im : incl used (map snd (drop (put i 0 none) l))).
    { intros b Ub. apply in_drop. destruct (proj1 (in_map_iff _ _ _) (I b Ub)) as ((j & b') & Eb' & Hb).
      simpl in Eb'. subst b'.
      exists j. split; auto. apply member_false. rewrite find_other; [apply find_none|]. intros <-.
      apply N in Hb. apply H3. congruence. }
    clear C1 H1 I. revert U E Hj. induction cases as [|[w b] cases IHc]; [easy|]. intros U E Hm.
    inversion IH as [|? ? IHb IHl]; subst. simpl in IHb.
    destruct (check_split _ _ _ _ _ _ (drop (put w 0 none) l) b) as [u|] eqn:Eu; [|discriminate].
    match type of E with match ?g with _ => _ end = _ => destruct g as [t|] eqn:Et; [|discriminate] end.
    injection E as <-. destruct Hm as [Hm|Hm].
    + injection Hm as Ew _. subst w. eapply never_more_le; [apply larger_l|].
      apply (IHb (drop (put i 0 none) l) u); auto. apply drop_well; auto.
    + eapply never_more_le; [apply larger_r|]. apply IHc; auto.
Qed.
End Split.

(** ** Both sides *)
Definition is_allowed (kind : restriction) (source : node) : list arc -> Prop :=
  match kind with OneTree => tree source | Acyclic => acyclic end.

Lemma count_from_in {A} (l : list A) : forall p i x, In (i, x) (count_from p l) ->
  (place_of p <= place_of i)%nat /\ nth_error l (place_of i - place_of p) = Some x.
Proof.
  induction l as [|a l IH]; simpl; [easy|]. intros p i x [E|E].
  - injection E as -> ->. split; auto. rewrite Nat.sub_diag. auto.
  - apply IH in E. rewrite place_succ in E. destruct E as [L E]. split; [lia|].
    replace (place_of i - place_of p)%nat with (S (place_of i - S (place_of p))) by lia. auto.
Qed.
Lemma array_from_complete {A} (l : list A) : forall p m q x, (place_of p <= place_of q)%nat ->
  nth_error l (place_of q - place_of p) = Some x -> find q (array_from p l m) = Some x.
Proof.
  assert (Keep : forall (l : list A) p m q, (place_of q < place_of p)%nat ->
    find q (array_from p l m) = find q m).
  { clear. induction l as [|a l IH]; simpl; intros p m q L; auto. rewrite IH by (rewrite place_succ; lia).
    apply find_other. intros ->. lia. }
  induction l as [|a l IH]; simpl; intros p m q x L E. destruct (place_of q - place_of p)%nat; discriminate.
  destruct (Nat.eq_dec (place_of q) (place_of p)) as [Eq|N].
  - rewrite Eq, Nat.sub_diag in E. injection E as ->. apply place_inj in Eq. subst q.
    rewrite Keep by (rewrite place_succ; lia). apply find_same.
  - apply IH; rewrite place_succ; [lia|]. replace (place_of q - place_of p)%nat with
      (S (place_of q - S (place_of p))) in E by lia. auto.
Qed.
Lemma counted_well arcs : numbered_well arcs (count_from 1 arcs).
Proof.
  intros i a H. apply count_from_in in H. destruct H as [L H]. apply array_from_complete; auto.
Qed.
Lemma counted_all {A} (l : list A) : forall p, map snd (count_from p l) = l.
Proof. induction l as [|x l IH]; simpl; intros p; auto. rewrite IH. auto. Qed.
Lemma common_pos arcs : forall d, 0 < d -> 0 < fold_left (fun d a => Z.lcm d (Z.pos (Qden (cost a)))) arcs d.
Proof.
  induction arcs as [|a arcs IH]; simpl; intros d P; auto. apply IH.
  pose proof (Z.lcm_nonneg d (Z.pos (Qden (cost a)))). destruct (Z.eq_dec (Z.lcm d (Z.pos (Qden (cost a))))
    0) as [E|]; [|lia].
  apply Z.lcm_eq_0 in E. lia.
Qed.

Theorem restricted_bound_sound kind p arcs source targets b U :
  check_restricted_bound kind p arcs source targets b = Some U ->
  never_more_within (is_allowed kind source) p arcs source targets U.
Proof.
  intros E used I A. unfold check_restricted_bound in E.
  apply (split_sound kind p arcs (common arcs) source targets) in E.
  - apply E. rewrite counted_all. auto. unfold allowed. unfold is_allowed in A. destruct kind; auto.
  - apply common_pos. lia.
  - apply counted_well.
Qed.

Lemma pick_spec arcs l : forall used, pick (array arcs) l = Some used -> incl used arcs.
Proof.
  induction l as [|i l IH]; simpl; intros used E. injection E as <-. easy.
  destruct (find i (array arcs)) as [a|] eqn:Ea; [|discriminate]. destruct (pick _ l); [|discriminate].
  injection E as <-. intros b [<-|Hb]. apply array_find in Ea. eapply nth_error_In; eauto.
  apply (IH l0); auto.
Qed.
Lemma heads_differ_spec l : forall seen, heads_differ l seen = true ->
  NoDup (map head l) /\ forall v, member (node_code v) seen = true -> ~ In v (map head l).
Proof.
  induction l as [|a l IH]; simpl; intros seen E. split; [constructor|easy].
  destruct (member (node_code (head a)) seen) eqn:F; [discriminate|]. apply IH in E. destruct E as [E1 E2].
  split.
  - constructor; auto. apply E2. apply member_spec. exists 0. apply find_same.
  - intros v Hv [E|H]; [congruence|]. revert H. apply E2. apply member_spec in Hv. destruct Hv as [x Hx].
    apply member_spec.
    exists x. rewrite find_other; auto. intros Ec. apply node_code_inj in Ec. subst v.
    apply member_false in F. congruence.
Qed.
Theorem restricted_schedule_sound kind p arcs source targets used ranks s T C :
  check_restricted_schedule kind p arcs source targets used ranks s = Some (T, C) ->
  reached_within (is_allowed kind source) p arcs source targets T C.
Proof.
  unfold check_restricted_schedule. destruct (pick _ used) as [l|] eqn:E; [|discriminate].
  destruct (allowed_ok _ _ _ _) eqn:A; [|discriminate]. intros R. exists l. split; [eapply pick_spec; eauto|].
  split; [|eapply schedule_sound; eauto]. destruct kind; simpl in *.
  - apply heads_differ_spec in A. destruct A as [A1 A2]. split; auto. apply A2. apply member_spec. exists 0.
    apply find_same.
  - exists (fun v => value (node_code v) (row_map ranks)). rewrite forallb_forall in A. intros a Ha.
    apply Z.ltb_lt; auto.
Qed.

Theorem restricted_sound kind p arcs source targets used ranks s b T C :
  check_restricted kind p arcs source targets used ranks s b = Some (T, C) ->
  never_more_within (is_allowed kind source) p arcs source targets T /\
  reached_within (is_allowed kind source) p arcs source targets T C.
Proof.
  unfold check_restricted. destruct (check_restricted_schedule _ _ _ _ _ _ _ _) as [[T' C']|] eqn:E;
    [|discriminate].
  destruct (check_restricted_bound _ _ _ _ _ _) as [U|] eqn:F; [|discriminate].
  destruct (Qeq_bool U T') eqn:G; [|discriminate]. intros R. injection R as <- <-. apply Qeq_bool_eq in G.
  split.
  - intros l I A. apply never_more_eq with U; auto. eapply restricted_bound_sound; eauto.
  - eapply restricted_schedule_sound; eauto.
Qed.
