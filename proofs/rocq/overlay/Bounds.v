(** No rates carry more than the bounds by counting say. *)
From Coq Require Import ZArith QArith Qminmax List Lia Lqa Permutation Bool FMapPositive.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.overlay Require Import Definitions Sums Checker.
Import ListNotations.
Open Scope Q_scope.

Lemma sum_total {A} (f : A -> Z) l : inject_Z (total f l) == sum (fun x => inject_Z (f x)) l.
Proof. induction l as [|a l IH]; cbn [total sum]; [reflexivity|]. now rewrite inject_Z_plus, IH. Qed.

Lemma number_of_length {A} (l : list A) : number_of l = Z.of_nat (length l).
Proof. apply total_ones. Qed.

Lemma lowest_equal x : lowest x == x.
Proof.
  destruct x as [a b]. unfold lowest, Qeq. cbn [Qnum Qden].
  destruct (Z.gcd_divide_l a (Zpos b)) as [x Hx], (Z.gcd_divide_r a (Zpos b)) as [y Hy].
  pose proof (Z.gcd_nonneg a (Zpos b)). remember (Z.gcd a (Zpos b)) as g.
  assert (0 < g)%Z by (assert (g <> 0)%Z by (intros ->; lia); lia).
  assert (0 < y)%Z by nia.
  assert (Ex : (a / g = x)%Z) by (rewrite Hx; apply Z.div_mul; lia).
  assert (Ey : (Zpos b / g = y)%Z) by (rewrite Hy; apply Z.div_mul; lia).
  rewrite Ex, Ey, Z2Pos.id by lia. rewrite Hy. clear - Hx. nia.
Qed.
Lemma qsum_sum l : qsum l == sum (fun x => x) l.
Proof. induction l as [|a l IH]; cbn [qsum sum]; [reflexivity|]. now rewrite lowest_equal, IH. Qed.

Lemma add_to_value u v n t : value (add_to u n t) v = (value t v + if (u =? v)%Z then n else 0)%Z.
Proof.
  unfold add_to, value at 1. rewrite found_add. rewrite Pos.eqb_sym, key_eqb.
  destruct (Z.eqb_spec u v) as [->|]; fold (value t v); lia.
Qed.
Lemma tally {A} (f w : A -> Z) l t u :
  value (fold_right (fun a tb => add_to (f a) (w a) tb) t l) u =
  (value t u + total (fun a => if f a =? u then w a else 0) l)%Z.
Proof. induction l as [|a l IH]; cbn [fold_right total]; [lia|]. rewrite add_to_value, IH. lia. Qed.
Lemma value_empty u : value (PositiveMap.empty Z) u = 0%Z.
Proof. apply found_empty. Qed.

(** Cutting every rate off at T leaves T, if there is as much. *)
Lemma cut_off {A} (r : A -> Q) T l : 0 <= T -> (forall x, In x l -> 0 <= r x) ->
  Qmin (sum r l) T <= sum (fun x => Qmin (r x) T) l.
Proof.
  intros HT. induction l as [|a l IH]; cbn [sum]; intros H.
  - apply Q.le_min_l.
  - assert (Ha : 0 <= r a) by (apply H; now left).
    assert (Hl : 0 <= sum r l) by (apply sum_nonneg; intros; apply H; now right).
    assert (I : Qmin (sum r l) T <= sum (fun x => Qmin (r x) T) l) by (apply IH; intros; apply H; now right).
    destruct (Q.min_spec (r a) T) as [[A1 ->]|[A1 ->]], (Q.min_spec (sum r l) T) as [[B1 B2]|[B1 B2]];
      rewrite B2 in I; destruct (Q.min_spec (r a + sum r l) T) as [[C1 ->]|[C1 ->]]; lra.
Qed.

Section Every_overlay.
Variables (m : machine) (s : structure) (c : list connection) (T : Q).
Hypothesis V : valid_rates m c.
Hypothesis S : is_of s (connects c).
Hypothesis C : carries m c T.
Hypothesis Positive : 0 < T.
Hypothesis Names : NoDup (names (nodes m)).

Lemma others_nodup : NoDup (names (others m)).
Proof. now inversion Names. Qed.
Lemma source_elsewhere : ~ In (name (source m)) (names (others m)).
Proof. now inversion Names. Qed.

Definition cut (x : connection) : Q := Qmin (rate x) T.
Definition out (i : node) : Q := sum cut (from (name i) c).

Lemma rate_nonneg x : In x c -> 0 <= rate x.
Proof. intros H. destruct V as [_ [V2 _]]. now apply V2. Qed.
Lemma cut_nonneg x : In x c -> 0 <= cut x.
Proof. intros H. apply rate_nonneg in H. unfold cut. apply Q.min_glb; lra. Qed.
Lemma from_in x u : In x (from u c) -> In x c /\ sender x = u.
Proof. intros H. apply filter_In in H. destruct H as [H E]. now apply Z.eqb_eq in E. Qed.
Lemma out_nonneg i : 0 <= out i.
Proof. apply sum_nonneg. intros x Hx. apply cut_nonneg. now apply from_in in Hx. Qed.

Lemma into_one v : In v (others m) -> T <= sum (fun x => if (receiver x =? name v)%Z then rate x else 0) c.
Proof.
  intros Hv. destruct C as [_ C2]. eapply Qle_trans; [apply (C2 (fun w => (w =? name v)%Z))|].
  - apply Z.eqb_neq. intros E. apply source_elsewhere. rewrite E. now apply in_map.
  - exists v. split; [exact Hv|apply Z.eqb_refl].
  - apply sum_le. intros x Hx. pose proof (rate_nonneg x Hx).
    destruct (receiver x =? name v)%Z; cbn [andb]; [|lra]. destruct (negb _); lra.
Qed.

(** All nodes together send T to each of the others. *)
Lemma everybody : inject_Z (number_of (others m)) * T <= sum out (nodes m).
Proof.
  rewrite number_of_length, <- sum_constant.
  apply Qle_trans with (sum (fun v => sum (fun x => if (receiver x =? name v)%Z then cut x else 0) c) (others
    m)).
  - apply sum_le. intros v Hv. pose proof (into_one v Hv) as I.
    pose proof (cut_off (fun x => if (receiver x =? name v)%Z then rate x else 0) T c) as K.
    apply Qle_trans with (Qmin (sum (fun x => if (receiver x =? name v)%Z then rate x else 0) c) T).
    { apply Q.min_glb; [exact I|lra]. }
    eapply Qle_trans; [apply K|].
    + lra.
    + intros x Hx. pose proof (rate_nonneg x Hx). destruct (_ =? _)%Z; lra.
    + apply sum_le. intros x Hx. unfold cut. destruct (_ =? _)%Z; [lra|]. apply Q.le_min_l.
  - rewrite sum_swap. apply Qle_trans with (sum cut c).
    + apply sum_le. intros x Hx. unfold names in *.
      eapply Qle_trans; [|apply (sum_once_most (names (others m)) (receiver x) (cut x));
        [now apply cut_nonneg|apply others_nodup]].
      unfold names. rewrite sum_map. lra.
    + apply Qle_trans with (sum (fun x => sum (fun i => if (sender x =? name i)%Z then cut x else 0) (nodes
      m)) c).
      * apply sum_le. intros x Hx. destruct V as [_ [V2 _]]. destruct (V2 x Hx) as [[A _] _].
        eapply Qle_trans; [apply (sum_once_least (names (nodes m)) (sender x) (cut x));
          [now apply cut_nonneg|exact A]|].
        unfold names. rewrite sum_map. lra.
      * rewrite sum_swap. apply sum_le. intros i _. unfold out, from. rewrite sum_filter. lra.
Qed.

Lemma out_bandwidth i : In i (nodes m) -> out i <= bandwidth i.
Proof.
  intros Hi. destruct V as [_ [_ [V3 _]]]. eapply Qle_trans; [|now apply V3]. apply sum_le. intros x _.
  apply Q.le_min_l.
Qed.

Lemma real_degree i d : In (i, d) (real_degrees m) ->
  In i (nodes m) /\ (Z.of_nat (length (from (name i) c)) <= d)%Z.
Proof.
  destruct V as [V1 [V2 [_ V4]]]. unfold real_degrees. destruct (only m) as [l|] eqn:O; intros H;
    apply in_map_iff in H;
    destruct H as [j [E Hj]]; injection E as -> <-; (split; [exact Hj|]); [|now apply V4].
  apply Z.min_glb; [now apply V4|]. rewrite (tally fst (fun _ => 1%Z)), value_empty, Z.add_0_l.
  rewrite (total_eq _ (fun a => flag (fst a =? name i))) by (intros; reflexivity).
  rewrite <- count_total, count_length.
  apply Nat2Z.inj_le. rewrite <- (map_length (fun x => (sender x, receiver x))). apply NoDup_incl_length.
  - clear - V1. unfold from. induction c as [|x l' IH]; cbn [map filter] in *; [constructor|].
    inversion V1 as [|a b Ha N]; subst. destruct (_ =? _)%Z; [|auto]. cbn [map]. constructor; [|auto].
    intros I. apply Ha. apply in_map_iff in I. destruct I as [y [E I]]. apply filter_In in I. rewrite <- E.
    apply in_map_iff. exists y. tauto.
  - intros uv I. apply in_map_iff in I. destruct I as [x [<- I]]. apply from_in in I. destruct I as [Ix Ex].
    apply filter_In. destruct (V2 x Ix) as [[_ [_ [_ A]]] _]. rewrite O in A. split; [exact A|]. cbn [fst].
    now apply Z.eqb_eq.
Qed.

Lemma out_degree i d : In (i, d) (real_degrees m) -> out i <= inject_Z d * T.
Proof.
  intros H. destruct (real_degree i d H) as [_ L].
  apply Qle_trans with (sum (fun _ => T) (from (name i) c)).
  - apply sum_le. intros x _. apply Q.le_min_r.
  - rewrite sum_constant. apply Qmult_le_compat_r; [|lra]. now rewrite <- Zle_Qle.
Qed.

Lemma over_degrees (f : node -> Q) : sum f (nodes m) == sum (fun id => f (fst id)) (real_degrees m).
Proof. unfold real_degrees. destruct (only m); rewrite sum_map; reflexivity. Qed.

Lemma set_bound full :
  sum out (nodes m) <= full_bandwidths full (real_degrees m) + inject_Z (other_degrees full (real_degrees m))
    * T.
Proof.
  rewrite over_degrees. unfold full_bandwidths, other_degrees.
  rewrite qsum_sum, sum_map, sum_total, Qmult_comm, <- sum_scale, <- sum_plus.
  apply sum_le. intros [i d] H. cbn [fst snd].
  pose proof (out_degree i d H). destruct (real_degree i d H) as [Hi _]. pose proof (out_bandwidth i Hi).
  destruct (member (name i) full); [change (inject_Z 0) with 0|]; lra.
Qed.

(** The slope of a bound is positive, so that the bound is one. *)
Lemma by_slope n d b U : (0 < n - d)%Z -> inject_Z n * T <= b + inject_Z d * T -> b <= inject_Z (n - d) * U
  -> T <= U.
Proof.
  intros P H Q. unfold Z.sub in *. rewrite inject_Z_plus, inject_Z_opp in Q.
  assert (0 < inject_Z n - inject_Z d).
  { rewrite Zlt_Qlt, inject_Z_plus, inject_Z_opp in P. change (inject_Z 0) with 0 in P. lra. }
  destruct (Qlt_le_dec U T) as [Less|]; [|assumption]. exfalso. nra.
Qed.

Lemma silent : (0 < number_of (others m))%Z -> s = acyclic ->
  exists k, In k (others m) /\ from (name k) c = [].
Proof.
  intros N E. rewrite E in S. destruct S as [h H].
  assert (Last : exists k, In k (nodes m) /\ forall i, In i (nodes m) -> (h (name i) <= h (name k))%Z).
  { unfold nodes. generalize (source m), (others m). intros i l. revert i. induction l as [|j l IH]; intros i.
    - exists i. split; [now left|]. intros k [<-|[]]. lia.
    - destruct (IH i) as [k [Hk M]]. destruct (Z_le_gt_dec (h (name j)) (h (name k))).
      + exists k. split; [destruct Hk; [now left|right; now right]|]. intros x [<-|[<-|Hx]]; [apply M;
        now left|lia|].
        apply M. now right.
      + exists j. split; [right; now left|]. intros x [<-|[<-|Hx]]; [|lia|].
        * specialize (M i (or_introl eq_refl)). lia.
        * specialize (M x (or_intror Hx)). lia. }
  destruct Last as [k [Hk M]].
  assert (Q : from (name k) c = []).
  { destruct (from (name k) c) as [|x l] eqn:F; [reflexivity|]. exfalso.
    assert (Hx : In x (from (name k) c)) by (rewrite F; now left). apply from_in in Hx.
    destruct Hx as [Hx Ex].
    destruct V as [_ [V2 _]]. destruct (V2 x Hx) as [[_ [R _]] _]. apply in_map_iff in R.
    destruct R as [j [Ej Hj]].
    assert (h (sender x) < h (receiver x))%Z by (apply H; now exists x).
    specialize (M j (or_intror Hj)). rewrite <- Ex in M. rewrite Ej in M. lia. }
  destruct Hk as [Hk|Hk]; [|now exists k]. exfalso. subst k.
  destruct (others m) as [|v l] eqn:O; [cbn in N; lia|].
  destruct C as [_ C2].
  assert (I : T <= into (fun w => negb (w =? name (source m))%Z) c).
  { apply C2; [now rewrite Z.eqb_refl|]. exists v. rewrite O. split; [now left|].
    apply negb_true_iff, Z.eqb_neq.
    intros E'. apply source_elsewhere. rewrite O, <- E'. now left. }
  enough (into (fun w => negb (w =? name (source m))%Z) c <= 0) by lra.
  unfold into. rewrite <- (sum_zero c). apply sum_le. intros x Hx. rewrite negb_involutive.
  destruct (Z.eqb_spec (sender x) (name (source m))) as [Es|]; [|rewrite andb_false_r; lra]. exfalso.
  assert (In x (from (name (source m)) c)) as F by (apply filter_In; split; [exact Hx|now apply Z.eqb_eq]).
  rewrite Q in F. contradiction.
Qed.

Lemma in_real_degrees i : In i (nodes m) -> exists d, In (i, d) (real_degrees m).
Proof.
  intros H. unfold real_degrees. destruct (only m); eexists; apply in_map_iff; exists i; (split;
    [reflexivity|exact H]).
Qed.

(** The silent node leaves at least what the least of the receivers would send. *)
Lemma without_silent k d b : In k (others m) -> from (name k) c = [] ->
  (forall id, In id (real_degrees m) -> name (fst id) <> name (source m) -> b <= bandwidth (fst id) /\ (d <=
    snd id)%Z) ->
  forall full, sum out (nodes m) + Qmin b (inject_Z d * T) <=
    full_bandwidths full (real_degrees m) + inject_Z (other_degrees full (real_degrees m)) * T.
Proof.
  intros Hk Q L full. rewrite over_degrees. unfold full_bandwidths, other_degrees.
  rewrite qsum_sum, sum_map, sum_total, (Qmult_comm (sum _ _) T), <- sum_scale, <- sum_plus.
  destruct (in_real_degrees k (or_intror Hk)) as [dk Hd].
  apply in_split in Hd. destruct Hd as [l1 [l2 E]].
  set (most := fun id : node * Z => (if member (name (fst id)) full then bandwidth (fst id) else 0) +
    T * inject_Z (if member (name (fst id)) full then 0%Z else snd id)).
  assert (G : forall id, In id (real_degrees m) -> out (fst id) <= most id).
  { intros [i e] H. unfold most. cbn [fst snd]. pose proof (out_degree i e H).
    destruct (real_degree i e H) as [Hi _].
    pose proof (out_bandwidth i Hi). destruct (member (name i) full);
      [change (inject_Z 0) with 0|]; lra. }
  assert (Gk : out k + Qmin b (inject_Z d * T) <= most (k, dk)).
  { assert (Z0 : out k == 0) by (unfold out; rewrite Q; reflexivity). rewrite Z0.
    destruct (L (k, dk)) as [L1 L2].
    - rewrite E. apply in_app_iff. right. now left.
    - cbn [fst]. intros E'. apply source_elsewhere. rewrite <- E'. now apply in_map.
    - cbn [fst snd] in L1, L2. unfold most. cbn [fst snd]. destruct (member (name k) full).
      + pose proof (Q.le_min_l b (inject_Z d * T)). change (inject_Z 0) with 0. lra.
      + pose proof (Q.le_min_r b (inject_Z d * T)). rewrite Zle_Qle in L2. nra. }
  fold most. rewrite E in *. rewrite !sum_app. cbn [sum fst].
  assert (S1 : sum (fun id => out (fst id)) l1 <= sum most l1).
  { apply sum_le. intros id H. apply G. apply in_app_iff. now left. }
  assert (S2 : sum (fun id => out (fst id)) l2 <= sum most l2).
  { apply sum_le. intros id H. apply G. apply in_app_iff. right. now right. }
  change (fst (k, dk)) with k in *. lra.
Qed.
End Every_overlay.

Theorem proves_sound m s T why : proves m s T why = true -> never_more m s T.
Proof.
  unfold proves. intros H. do 3 (apply andb_prop in H; destruct H as [H ?]).
  rename H0 into Hwhy, H1 into HT, H2 into Hn, H into Hnames.
  apply distinct_sound in Hnames. destruct Hnames as [Names _]. apply Z.ltb_lt in Hn.
  apply Qle_bool_iff in HT.
  intros c U V S C. destruct (Qlt_le_dec T U) as [Less|]; [|assumption].
  assert (P : 0 < U) by lra.
  assert (Only : forall u, In u (others m) -> exists v, In v (others m) /\ negb (name v =? name (source m))%Z
    = true).
  { intros u Hu. exists u. split; [exact Hu|]. apply negb_true_iff, Z.eqb_neq. intros E.
    inversion Names as [|a l Na _]. apply Na. rewrite <- E. now apply in_map. }
  (* What leaves the source. *)
  assert (Source : U <= sum rate (from (name (source m)) c)).
  { destruct (others m) as [|u l] eqn:O; [cbn in Hn; lia|].
    destruct C as [_ C2]. eapply Qle_trans; [apply (C2 (fun w => negb (w =? name (source m))%Z))|].
    - now rewrite Z.eqb_refl.
    - rewrite O in *. apply (Only u). now left.
    - unfold into, from. rewrite sum_filter. apply sum_le. intros x Hx. rewrite negb_involutive.
      destruct V as [_ [V2 _]]. destruct (V2 x Hx) as [_ R].
      destruct (sender x =? _)%Z; [|rewrite andb_false_r; lra]. destruct (negb _); cbn; lra. }
  destruct why; cbv zeta in Hwhy.
  - apply Qle_bool_iff in Hwhy. destruct V as [_ [_ [V3 _]]]. specialize (V3 (source m) (or_introl eq_refl)).
    lra.
  - exfalso. destruct (real_degrees m) as [|[i d] l] eqn:R; [discriminate|]. apply Z.leb_le in Hwhy.
    assert (i = source m) as ->.
    { unfold real_degrees, nodes in R. destruct (only m); cbn [map] in R; now injection R as ->. }
    destruct (real_degree m c V (source m) d) as [_ L]; [rewrite R; now left|].
    destruct (from (name (source m)) c); [cbn in Source; lra|cbn [length] in L; lia].
  - apply existsb_exists in Hwhy. destruct Hwhy as [v [Hv E]]. apply andb_prop in E. destruct E as [_ E].
    destruct (incoming v) as [r|] eqn:I; [|discriminate]. apply Qle_bool_iff in E. destruct C as [C1 _].
    specialize (C1 v r Hv I). lra.
  - apply andb_prop in Hwhy. destruct Hwhy as [W1 W2]. apply Z.ltb_lt in W1. apply Qle_bool_iff in W2.
    pose proof (everybody m c U V C P Names) as E. pose proof (set_bound m c U V P (set_of full)) as B.
    apply (by_slope U _ _ (full_bandwidths (set_of full) (real_degrees m)) T W1); [|exact W2]. lra.
  - repeat (apply andb_prop in Hwhy; destruct Hwhy as [Hwhy ?]).
    destruct s; try discriminate. clear Hwhy.
    apply Qle_bool_iff in H, H1. apply Z.ltb_lt in H0, H2. apply Z.leb_le in H4.
    destruct (silent m acyclic c U V S C P Names Hn eq_refl) as [k [Hk Q]].
    pose proof (everybody m c U V C P Names) as E.
    assert (L : forall id, In id (real_degrees m) -> name (fst id) <> name (source m) ->
      least_bandwidth <= bandwidth (fst id) /\ (least_degree <= snd id)%Z).
    { intros id Hi Ne. rewrite forallb_forall in H3. specialize (H3 id Hi). apply orb_prop in H3.
      destruct H3 as [H3|H3]; [apply Z.eqb_eq in H3; contradiction|]. apply andb_prop in H3.
      destruct H3 as [A B].
      apply Qle_bool_iff in A. apply Z.leb_le in B. tauto. }
    pose proof (without_silent m c U V P Names k _ _ Hk Q L) as W.
    destruct (Q.min_spec least_bandwidth (inject_Z least_degree * U)) as [[M1 M2]|[M1 M2]].
    + specialize (W (set_of full)). rewrite M2 in W.
      apply (by_slope U _ _ (full_bandwidths (set_of full) (real_degrees m) - least_bandwidth) T H2);
        [|exact H1].
      lra.
    + specialize (W (set_of full')). rewrite M2 in W.
      apply (by_slope U _ _ (full_bandwidths (set_of full') (real_degrees m)) T H0); [|exact H].
      rewrite inject_Z_plus. lra.
  - destruct s; try discriminate. apply Z.ltb_lt in Hwhy. exfalso.
    (* Every node sends at the whole rate on every connection. *)
    assert (Whole : forall x, In x c -> U <= rate x).
    { intros x Hx. pose proof V as [V1 [V2 _]]. destruct (V2 x Hx) as [[_ [R _]] _]. apply in_map_iff in R.
      destruct R as [v [Ev Hv]]. pose proof (into_one m c U V C Names v Hv) as I. rewrite Ev in I.
      eapply Qle_trans; [exact I|]. apply in_split in Hx. destruct Hx as [l1 [l2 ->]].
      rewrite sum_app. cbn [sum]. rewrite Z.eqb_refl.
      assert (Zero : forall l, incl l (l1 ++ l2) -> sum (fun y => if (receiver y =? receiver x)%Z then rate y
        else 0) l == 0).
      { intros l Il. rewrite <- (sum_zero l). apply sum_eq. intros y Hy. apply Il in Hy.
        destruct (Z.eqb_spec (receiver y) (receiver x)) as [Er|]; [|reflexivity]. exfalso.
        assert (sender y = sender x) as Es.
        { apply (S (sender y) (sender x) (receiver x)); [exists y|exists x]; rewrite !in_app_iff; cbn;
          rewrite in_app_iff in Hy; tauto. }
        rewrite map_app in V1. cbn [map] in V1. apply NoDup_remove_2 in V1. apply V1. rewrite <- map_app.
        apply in_map_iff. exists y. rewrite Er, Es. tauto. }
      rewrite (Zero l1), (Zero l2) by (intros z Hz; apply in_app_iff; tauto). lra. }
    assert (Few : forall id, In id (real_degrees m) -> (Z.of_nat (length (from (name (fst id)) c)) <=
      children T id)%Z).
    { intros [i d] Hid. destruct (real_degree m c V i d Hid) as [Hi L]. cbn [fst snd] in *. unfold children.
      cbn [fst snd].
      set (l := from (name i) c) in *.
      assert (B : inject_Z (Z.of_nat (length l)) * U <= bandwidth i).
      { rewrite <- sum_constant. destruct V as [_ [_ [V3 _]]]. eapply Qle_trans; [|now apply V3]. fold l.
        apply sum_le. intros x Hx. apply Whole. now apply from_in in Hx. }
      assert (N0 : 0 <= inject_Z (Z.of_nat (length l))) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle;
        lia).
      destruct (Qle_bool (bandwidth i) 0) eqn:B0.
      - apply Qle_bool_iff in B0. assert (inject_Z (Z.of_nat (length l)) <= 0) as K by nra.
        change 0 with (inject_Z 0) in K. now rewrite <- Zle_Qle in K.
      - destruct (Z.leb_spec (Qnum T) 0); [exact L|]. apply Z.min_glb; [exact L|].
        assert (B1 : 0 < bandwidth i).
        { destruct (Qlt_le_dec 0 (bandwidth i)) as [|K]; [assumption|]. apply Qle_bool_iff in K. congruence. }
        apply Z.div_le_lower_bound; [lia|].
        destruct (length l) as [|n] eqn:En.
        + unfold Qlt in B1. cbn in B1. cbn. nia.
        + assert (K : inject_Z (Z.of_nat (Datatypes.S n)) * T < bandwidth i).
          { assert (0 < inject_Z (Z.of_nat (Datatypes.S n))) by (change 0 with (inject_Z 0);
            rewrite <- Zlt_Qlt; lia). nra. }
          unfold Qlt in K. cbn [Qnum Qden Qmult inject_Z] in K. rewrite Pos.mul_1_l in K. nia. }
    assert (Total : (number_of (others m) <= total (fun id => Z.of_nat (length (from (name (fst id)) c)))
      (real_degrees m))%Z).
    { pose proof (everybody m c U V C P Names) as E.
      assert (sum (out c U) (nodes m) <= inject_Z (total (fun id => Z.of_nat (length (from (name (fst id))
        c))) (real_degrees m)) * U).
      { rewrite (over_degrees m (out c U)), sum_total, (Qmult_comm _ U), <- sum_scale. apply sum_le.
        intros [i d] Hid.
        cbn [fst]. unfold out. eapply Qle_trans; [apply sum_le; intros x _; apply Q.le_min_r|].
        rewrite sum_constant. lra. }
      rewrite Zle_Qle. apply (Qmult_lt_0_le_reg_r _ _ U P). lra. }
    assert (total (fun id => Z.of_nat (length (from (name (fst id)) c))) (real_degrees m) <= total (children
      T) (real_degrees m))%Z.
    { now apply total_le. }
    lia.
Qed.
