(** No schedule is faster than the counting bound: how many nodes chains of transfers can have informed, and
    how many transfers to far nodes can so be under way. *)
From Coq Require Import ZArith List Lia Bool FMapPositive Permutation.
From Exactsched.rounds Require Import Definitions Counting Tables Checker Soundness Bounds.
Import ListNotations.
Open Scope Z_scope.

(** ** The arithmetic of the checker *)

Lemma next_row_nth limit row : 0 <= limit -> forall last l, 
  nth l (next_row limit last row) 0 =
  Z.min limit ((match l with O => last | S l' => nth l' row 0 end) + nth l row 0).
Proof.
  intros L. induction row as [|x row IH]; intros last l; cbn [next_row].
  - destruct l as [|[|l]]; cbn [nth]; lia.
  - destruct l as [|l]; cbn [nth]; [lia|]. rewrite IH. destruct l; reflexivity.
Qed.
Lemma next_row_length limit row : forall last, length (next_row limit last row) = S (length row).
Proof. induction row; intros; cbn [next_row length]; auto. Qed.

Definition parity (l : nat) {A} (this other : A) : A := if Nat.even l then this else other.
Lemma parity_succ l {A} (this other : A) : parity (S l) this other = parity l other this.
Proof. unfold parity. rewrite Nat.even_succ, <- Nat.negb_even. now destruct (Nat.even l). Qed.

Lemma walks_nth g most : (forall b, count b g <= most) -> forall driver i this other l,
  count (fun v => value (parity l this other) v <=? i + Z.of_nat l) g <= nth l (walks driver i this other g)
    most.
Proof.
  intros H. induction driver as [|d driver IH]; intros i this other l; cbn [walks].
  - destruct l; apply H.
  - destruct l as [|l]; cbn [nth].
    + rewrite Z.add_0_r. unfold parity; cbn. lia.
    + rewrite parity_succ. replace (i + Z.of_nat (S l)) with (i + 1 + Z.of_nat l) by lia. apply IH.
Qed.

Lemma chains_nth (f : nat -> Z) most row : forall ws,
  (forall l, f l <= nth l row 0) -> (forall l, f l <= nth l ws most) ->
  total f (seq 0 (length row)) <= chains row ws most.
Proof.
  assert (G : forall row ws i, (forall l, f (i + l)%nat <= nth l row 0) -> (forall l, f (i + l)%nat <= nth l
    ws most) ->
    total f (seq i (length row)) <= chains row ws most).
  { clear row. induction row as [|x row IH]; intros ws i H1 H2; [cbn; lia|].
    cbn [length seq total]. pose proof (H1 0%nat) as A. pose proof (H2 0%nat) as B.
    rewrite Nat.add_0_r in A, B. cbn [nth] in A.
    destruct ws as [|w ws]; cbn [chains]; cbn [nth] in B.
    - enough (total f (seq (S i) (length row)) <= chains row [] most) by lia. apply IH; intros l.
      + specialize (H1 (S l)). rewrite Nat.add_succ_comm. exact H1.
      + specialize (H2 (S l)). rewrite Nat.add_succ_comm. destruct l; exact H2.
    - enough (total f (seq (S i) (length row)) <= chains row ws most) by lia. apply IH; intros l.
      + specialize (H1 (S l)). rewrite Nat.add_succ_comm. exact H1.
      + specialize (H2 (S l)). rewrite Nat.add_succ_comm. exact H2. }
  intros ws. apply (G row ws 0%nat).
Qed.

Lemma iter_inside {B} (f : B -> B) r x : Nat.iter r f (f x) = f (Nat.iter r f x).
Proof. induction r as [|r IH]; [reflexivity|]. cbn [Nat.iter nat_rect]. now f_equal. Qed.

Lemma numbers_nth limit gs final r : forall driver row,
  nth r (numbers_by_round driver limit row gs) final = final \/
  nth r (numbers_by_round driver limit row gs) final =
    numbers_of (fun g => informed g (Nat.iter r (next_row limit 0) row)) gs.
Proof.
  induction r as [|r IH]; intros driver row; destruct driver as [|d driver]; cbn [numbers_by_round nth]; auto.
  specialize (IH driver (next_row limit 0 row)). rewrite iter_inside in IH. exact IH.
Qed.

Lemma numbers_length limit gs driver : forall row, length (numbers_by_round driver limit row gs) = length
  driver.
Proof. induction driver; intros; cbn [numbers_by_round length]; auto. Qed.

Lemma drop_nth final l : forall c i, 0 <= c -> nth i (drop c l) final = nth (Z.to_nat c + i) l final.
Proof.
  induction l as [|x l IH]; intros c i C; cbn [drop].
  - now destruct i, (Z.to_nat c + _)%nat.
  - destruct (Z.leb_spec c 0); [replace c with 0 by lia; reflexivity|].
    rewrite IH by lia. replace (Z.to_nat c) with (S (Z.to_nat (c - 1))) by lia. reflexivity.
Qed.

Lemma no_less_nth m two final ms : forall now later, no_less m two final now later ms = true ->
  forall i ever, most_transfers m two final final <= ever ->
  (i < length ms)%nat -> most_transfers m two (nth i now final) (nth i later final) <= nth i ms ever.
Proof.
  induction ms as [|x ms IH]; intros now later H i ever E L; [cbn in L; lia|]. cbn [no_less length] in *.
  destruct now as [|n now], later as [|n' later]; apply andb_prop in H; destruct H as [H1 H2];
    apply Z.leb_le in H1;
    (destruct i as [|i]; cbn [nth]; [exact H1|]); specialize (IH _ _ H2 i ever E ltac:(lia)); destruct i;
      exact IH.
Qed.

Lemma seq_moved n k : forall i, seq (n + i) k = map (fun j => (n + j)%nat) (seq i k).
Proof.
  induction k as [|k IH]; intros i; cbn [seq map]; [reflexivity|]. f_equal. rewrite <- IH. f_equal. lia.
Qed.

Lemma below_split f a t : 0 <= a <= t ->
  total f (below t) = total f (below a) + total (fun x => f (a + x)) (below (t - a)).
Proof.
  intros H. unfold below. replace (Z.to_nat t) with (Z.to_nat a + Z.to_nat (t - a))%nat by lia.
  rewrite seq_app, map_app, total_app. f_equal. cbn [Nat.add].
  rewrite !total_map. replace (seq (Z.to_nat a) (Z.to_nat (t - a))) with
    (map (fun i => (Z.to_nat a + i)%nat) (seq 0 (Z.to_nat (t - a)))).
  - rewrite total_map. apply total_eq. intros i _. f_equal. lia.
  - rewrite <- seq_moved. f_equal. lia.
Qed.

Lemma total_below_le f c t : 0 <= t -> (forall x, 0 <= x < t -> f x <= c) -> total f (below t) <= t * c.
Proof.
  intros T0 H. apply Z.le_trans with (total (fun _ => c * 1) (below t)).
  - apply total_le. intros x Hx. apply below_spec in Hx. specialize (H x Hx). lia.
  - rewrite total_scale, total_ones, below_length; lia.
Qed.

Lemma capacity_sound a ever ms : 0 < a -> forall f t, 0 <= t ->
  (forall x, 0 <= x -> f x <= nth (Z.to_nat (x / a)) ms ever) -> total f (below t) <= capacity a ever ms t.
Proof.
  intros A. induction ms as [|m ms IH]; intros f t T0 H; cbn [capacity].
  - apply total_below_le; [exact T0|]. intros x Hx. specialize (H x ltac:(lia)).
    now destruct (Z.to_nat (x / a)).
  - assert (First : forall x, 0 <= x < a -> f x <= m).
    { intros x Hx. specialize (H x ltac:(lia)). rewrite Z.div_small in H by lia. exact H. }
    destruct (Z.leb_spec t a) as [L|L].
    + apply total_below_le; [exact T0|]. intros x Hx. apply First. lia.
    + rewrite (below_split f a t) by lia. apply Z.add_le_mono.
      * apply total_below_le; [lia|exact First].
      * apply IH; [lia|]. intros x Hx. specialize (H (a + x) ltac:(lia)).
        replace ((a + x) / a) with (x / a + 1) in H.
        2:{ rewrite <- (Z.div_add x 1 a) by lia. f_equal. lia. }
        replace (Z.to_nat (x / a + 1)) with (S (Z.to_nat (x / a))) in H.
        2:{ assert (0 <= x / a) by (apply Z.div_pos; lia). lia. }
        exact H.
Qed.

(** ** Chains *)

Section Every_schedule.
Variables (p : problem) (s : schedule) (T : Z).
Hypothesis WF : well_formed p = true.
Hypothesis V : valid p s.
Hypothesis C : completes p s T.
Variable a : Z.
Hypothesis A : 0 < a.
Hypothesis Slow : forall x, In x s -> a <= duration (along x).

(** A chain of l transfers reaches the node by round r. *)
Fixpoint reach (l : nat) (r v : Z) : bool :=
  match l with
  | O => existsb (fun k => source k =? v) (packets p)
  | S l => existsb (fun x => (head (along x) =? v) && (finish x / a <=? r) && reach l (start x / a) (tail
    (along x))) s
  end.

Lemma rounds_grow x : In x s -> 0 <= start x / a /\ start x / a + 1 <= finish x / a.
Proof.
  intros Hx. destruct (transfer_facts p s WF V x Hx) as [_ [[S0 _] _]]. specialize (Slow x Hx).
  split; [apply Z.div_pos; lia|]. unfold finish.
  replace (start x / a + 1) with ((start x + 1 * a) / a) by (rewrite Z.div_add; lia). apply Z.div_le_mono;
    lia.
Qed.

Lemma informed_reach k : forall n v t, t < Z.of_nat n -> 0 <= t -> has p s v k t ->
  exists l, Z.of_nat l <= t / a /\ reach l (t / a) v = true.
Proof.
  induction n as [|n IH]; intros v t Ht T0 H; [lia|]. destruct H as [H|[x [Hx [E [Ek F]]]]].
  - exists 0%nat. split; [apply Z.div_pos; lia|]. cbn [reach]. apply existsb_exists. exists (Packet k v).
    split; [exact H|]. apply Z.eqb_refl.
  - destruct (transfer_facts p s WF V x Hx) as [_ [L _]]. destruct V as [V1 _].
    destruct (V1 x Hx) as [_ [_ H]]. rewrite Ek in H.
    destruct (IH _ (start x) ltac:(lia) ltac:(lia) H) as [l [L1 L2]]. exists (S l).
    pose proof (rounds_grow x Hx) as [_ G]. pose proof (Z.div_le_mono (finish x) t a A F).
    split; [lia|]. cbn [reach]. apply existsb_exists. exists x. split; [exact Hx|].
    rewrite L2, andb_true_r. apply andb_true_intro. split; [now apply Z.eqb_eq|apply Z.leb_le; lia].
Qed.

Variables evens odds : table.
Hypothesis Labels : forall x, In x s -> value odds (head (along x)) <= value evens (tail (along x)) + 1 /\
  value evens (head (along x)) <= value odds (tail (along x)) + 1.
Hypothesis Sources : forall k, In k (packets p) -> value evens (source k) <= 0.

Lemma reach_label l : forall r v, reach l r v = true -> value (parity l evens odds) v <= Z.of_nat l.
Proof.
  assert (G : forall l r v, reach l r v = true -> value (parity l evens odds) v <= Z.of_nat l);
    [|exact (G l)].
  clear l. induction l as [|l IH]; intros r v H; cbn [reach] in H; apply existsb_exists in H;
    destruct H as [x [Hx H]].
  - apply Z.eqb_eq in H. specialize (Sources x Hx). rewrite H in Sources. cbn. exact Sources.
  - apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [E _]. apply Z.eqb_eq in E.
    specialize (IH _ _ R). destruct (Labels x Hx) as [L1 L2]. rewrite E in L1, L2. rewrite parity_succ.
    unfold parity in *. destruct (Nat.even l); lia.
Qed.

(** How many transfers that end chains of l + 1 transfers start before round r. *)
Definition brought (l : nat) (r : Z) : Z :=
  count (fun x => (start x / a <? r) && reach l (start x / a) (tail (along x))) s.

Lemma reach_brought l r q : NoDup q -> (forall v, In v q -> reach (S l) r v = true) -> Z.of_nat (length q) <=
  brought l r.
Proof.
  intros N H. unfold brought. rewrite count_length. apply Nat2Z.inj_le.
  apply (images (fun x => head (along x))); [exact N|].
  intros v Hv. specialize (H v Hv). cbn [reach] in H. apply existsb_exists in H. destruct H as [x [Hx H]].
  apply andb_prop in H. destruct H as [H R]. apply andb_prop in H. destruct H as [E F].
  apply Z.eqb_eq in E. apply Z.leb_le in F. exists x. split; [|exact E]. apply filter_In. split; [exact Hx|].
  rewrite R, andb_true_r. apply Z.ltb_lt. pose proof (rounds_grow x Hx). lia.
Qed.

Lemma tails_of_round r (b : transfer -> bool) :
  NoDup (map (fun x => tail (along x)) (filter (fun x => (start x / a =? r) && b x) s)).
Proof.
  apply (different_images (compatible (ports p))); [apply pairs_filter, V|].
  intros x y Hx Hy Co E. apply filter_In in Hx, Hy. destruct Hx as [Hx Rx], Hy as [Hy Ry].
  apply andb_prop in Rx, Ry. destruct Rx as [Rx _], Ry as [Ry _]. apply Z.eqb_eq in Rx, Ry.
  assert (exists q, In q (ports_of (ports p) (along x)) /\ In q (ports_of (ports p) (along y))) as [q [Q1
    Q2]].
  { destruct (ports p); cbn; rewrite E; [exists (whole (tail (along y)))|exists (sending (tail (along y)))];
    tauto. }
  pose proof (rounds_grow x Hx). pose proof (rounds_grow y Hy).
  destruct (Co q Q1 Q2) as [L|L]; pose proof (Z.div_le_mono _ _ a A L); lia.
Qed.

Variable origins : list Z.
Hypothesis Origins : forall k, In k (packets p) -> In (source k) origins.

Definition chains_of (l : nat) (r : Z) : Z := match l with O => Z.of_nat (length origins) | S l => brought l
  r end.

Lemma reach_chains l r q : NoDup q -> (forall v, In v q -> reach l r v = true) -> Z.of_nat (length q) <=
  chains_of l r.
Proof.
  destruct l as [|l]; [|apply reach_brought]. intros N H. cbn [chains_of].
  apply Nat2Z.inj_le, NoDup_incl_length; [exact N|].
  intros v Hv. specialize (H v Hv). cbn [reach] in H. apply existsb_exists in H. destruct H as [k [Hk E]].
  apply Z.eqb_eq in E. subst v. now apply Origins.
Qed.

Lemma chains_step l r : 0 <= r ->
  chains_of l (r + 1) <= chains_of l r + match l with O => 0 | S l' => chains_of l' r end.
Proof.
  intros R. destruct l as [|l]; cbn [chains_of]; [lia|]. unfold brought at 1.
  set (now := fun x => (start x / a =? r) && reach l r (tail (along x))).
  apply Z.le_trans with (count (fun x => (start x / a <? r) && reach l (start x / a) (tail (along x)) || now
    x) s).
  - apply count_le. intros x Hx H. apply andb_prop in H. destruct H as [H1 H2]. apply Z.ltb_lt in H1.
    destruct (Z.eq_dec (start x / a) r) as [E|M]; apply orb_true_intro.
    + right. unfold now. rewrite E, Z.eqb_refl. now rewrite E in H2.
    + left. rewrite H2, andb_true_r. apply Z.ltb_lt. lia.
  - eapply Z.le_trans; [apply count_or|]. apply Z.add_le_mono; [unfold brought; lia|].
    rewrite count_length. rewrite <- (map_length (fun x => tail (along x))). apply reach_chains.
    + apply tails_of_round.
    + intros v Hv. apply in_map_iff in Hv. destruct Hv as [x [<- Hx]]. apply filter_In in Hx.
      destruct Hx as [_ Hx]. apply andb_prop in Hx. tauto.
Qed.

Lemma chains_at_first l : chains_of (S l) 0 = 0.
Proof.
  cbn [chains_of]. unfold brought. rewrite count_total. rewrite (total_eq _ (fun _ => 0));
    [apply total_zero|].
  intros x Hx. pose proof (rounds_grow x Hx) as [G _].
  destruct (Z.ltb_spec (start x / a) 0); [lia|reflexivity].
Qed.

Variable limit : Z.
Hypothesis Limit : 0 < limit.

Definition row (r : nat) : list Z := Nat.iter r (next_row limit 0) [size origins].

Lemma row_length r : length (row r) = S r.
Proof. induction r as [|r IH]; [reflexivity|]. change (row (S r)) with (next_row limit 0 (row r)).
now rewrite next_row_length, IH. Qed.

Lemma row_bounds r : forall l, Z.min limit (chains_of l (Z.of_nat r)) <= nth l (row r) 0.
Proof.
  induction r as [|r IH]; intros l.
  - destruct l as [|l].
    + cbn. unfold size. rewrite total_ones. lia.
    + rewrite chains_at_first. destruct l; cbn; lia.
  - pose proof (chains_step l (Z.of_nat r) ltac:(lia)) as S1.
    change (row (S r)) with (next_row limit 0 (row r)).
    rewrite next_row_nth by lia.
    replace (Z.of_nat (S r)) with (Z.of_nat r + 1) by lia. pose proof (IH l) as I1. destruct l as [|l].
    + lia.
    + pose proof (IH l) as I2. assert (0 <= chains_of l (Z.of_nat r)) by (destruct l; cbn [chains_of];
      [lia|apply count_nonneg]).
      assert (0 <= chains_of (S l) (Z.of_nat r)) by apply count_nonneg. lia.
Qed.

(** ** Groups *)

Variable gs : list prepared.
Hypothesis Gs : forall g, In g gs -> most g = size (group_members (of_group g)) /\ most g <= limit /\
  exists driver, its_walks g = walks driver 0 evens odds (group_members (of_group g)).

Definition is_informed (r v : Z) : Prop := exists l, Z.of_nat l <= r /\ reach l r v = true.

Lemma group_informed g r q : In g gs -> NoDup q -> (forall v, In v q -> In v (group_members (of_group g)) /\
  is_informed (Z.of_nat r) v) ->
  Z.of_nat (length q) <= informed g (row r).
Proof.
  intros Hg N H. destruct (Gs g Hg) as [M [L [driver W]]]. unfold informed. apply Z.min_glb.
  { rewrite M. unfold size. rewrite total_ones. apply Nat2Z.inj_le, NoDup_incl_length; [exact N|].
    intros v Hv. now apply H. }
  set (at_length := fun l => Z.of_nat (length (filter (reach l (Z.of_nat r)) q))).
  apply Z.le_trans with (total at_length (seq 0 (length (row r)))).
  - rewrite row_length.
    apply Z.le_trans with (total (fun v => total (fun l => flag (reach l (Z.of_nat r) v)) (seq 0 (S r))) q).
    + rewrite <- total_ones. apply total_le. intros v Hv. destruct (H v Hv) as [_ [l [Ll R]]].
      apply Z.le_trans with (flag (reach l (Z.of_nat r) v)); [rewrite R; cbn; lia|].
      apply (total_member (fun l => flag (reach l (Z.of_nat r) v))).
      * intros i _. apply flag_nonneg.
      * apply in_seq. lia.
    + rewrite total_swap. apply total_le. intros l _. unfold at_length. rewrite <- count_length, count_total.
      apply Z.le_refl.
  - apply chains_nth; intros l; unfold at_length.
    + eapply Z.le_trans; [|apply row_bounds]. apply Z.min_glb.
      * rewrite <- count_length. eapply Z.le_trans; [|exact L]. rewrite M. unfold size.
        rewrite total_ones, count_length.
        apply Nat2Z.inj_le, NoDup_incl_length; [now apply NoDup_filter|]. intros v Hv. apply filter_In in Hv.
        now apply H.
      * apply reach_chains; [now apply NoDup_filter|]. intros v Hv. now apply filter_In in Hv.
    + rewrite W. eapply Z.le_trans; [|apply walks_nth].
      * rewrite count_length. apply Nat2Z.inj_le, NoDup_incl_length; [now apply NoDup_filter|].
        intros v Hv. apply filter_In in Hv. destruct Hv as [Hv R]. apply filter_In. split; [now apply H|].
        apply Z.leb_le. now apply reach_label in R.
      * intros b. rewrite M, count_total. unfold size. apply total_le. intros; unfold flag; destruct b; lia.
Qed.

Lemma groups_informed (f : prepared -> Z) (ph : prepared -> bool) q :
  NoDup q -> (forall v, In v q -> exists g, In g gs /\ ph g = true /\ In v (group_members (of_group g))) ->
  (forall g q', In g gs -> NoDup q' -> incl q' q -> incl q' (group_members (of_group g)) -> Z.of_nat (length
    q') <= f g) ->
  Z.of_nat (length q) <= total (fun g => if ph g then f g else 0) gs.
Proof.
  intros N H F.
  set (of := fun g => filter (fun v => existsb (Z.eqb v) (group_members (of_group g))) q).
  apply Z.le_trans with (total (fun g => if ph g then Z.of_nat (length (of g)) else 0) gs).
  - apply Z.le_trans with (total (fun v => total (fun g =>
      if ph g then flag (existsb (Z.eqb v) (group_members (of_group g))) else 0) gs) q).
    + rewrite <- total_ones. apply total_le. intros v Hv. destruct (H v Hv) as [g [Hg [P I]]].
      assert (E : existsb (Z.eqb v) (group_members (of_group g)) = true).
      { apply existsb_exists. exists v. split; [exact I|apply Z.eqb_refl]. }
      pose proof (total_member (fun g => if ph g then flag (existsb (Z.eqb v) (group_members (of_group g)))
        else 0) gs g)
        as M. cbn beta in M. rewrite P, E in M. apply M; [|exact Hg].
      intros h _. destruct (ph h); [apply flag_nonneg|lia].
    + rewrite total_swap. apply total_le. intros g _. destruct (ph g); [|rewrite total_zero; lia].
      unfold of. rewrite <- count_length, count_total. lia.
  - apply total_le. intros g Hg. destruct (ph g); [|lia]. apply F; auto.
    + now apply NoDup_filter.
    + intros v Hv. now apply filter_In in Hv.
    + intros v Hv. apply filter_In in Hv. destruct Hv as [_ Hv]. apply existsb_exists in Hv.
      destruct Hv as [w [Hw E]]. apply Z.eqb_eq in E. now subst w.
Qed.

Variable driver : list Z.
Definition final : numbers := numbers_of most gs.
Definition rows : list numbers := numbers_by_round driver limit [size origins] gs.

(** Different nodes of groups, all informed by round r, are no more than the number for it. *)
Lemma numbers_sound (f : prepared -> Z) (r : nat) q : nth r rows final = numbers_of f gs ->
  (f = most \/ f = fun g => informed g (row r)) ->
  NoDup q -> (forall v, In v q -> is_informed (Z.of_nat r) v) ->
  forall g q', In g gs -> NoDup q' -> incl q' q -> incl q' (group_members (of_group g)) -> Z.of_nat (length
    q') <= f g.
Proof.
  intros _ [->| ->] N H g q' Hg N' I1 I2.
  - destruct (Gs g Hg) as [-> _]. unfold size. rewrite total_ones. apply Nat2Z.inj_le, NoDup_incl_length;
    auto.
  - apply group_informed; auto.
Qed.

Lemma numbers_form r : exists f, nth r rows final = numbers_of f gs /\ (f = most \/ f = fun g => informed g
  (row r)).
Proof.
  destruct (numbers_nth limit gs final r driver [size origins]) as [E|E].
  - exists most. split; [exact E|now left].
  - eexists. split; [exact E|now right].
Qed.

Lemma all_informed r q : NoDup q -> (forall v, In v q -> is_informed (Z.of_nat r) v) ->
  ((forall v, In v q -> exists g, In g gs /\ In v (group_members (of_group g))) ->
     Z.of_nat (length q) <= all_n (nth r rows final)) /\
  ((forall v, In v q -> exists g, In g gs /\ far (of_group g) = true /\ In v (group_members (of_group g))) ->
     Z.of_nat (length q) <= far_n (nth r rows final)) /\
  ((forall v, In v q -> exists g, In g gs /\ side (of_group g) = true /\ In v (group_members (of_group g))) ->
     Z.of_nat (length q) <= this_n (nth r rows final)) /\
  ((forall v, In v q -> exists g, In g gs /\ side (of_group g) = false /\ In v (group_members (of_group g)))
    ->
     Z.of_nat (length q) <= that_n (nth r rows final)).
Proof.
  intros N H. destruct (numbers_form r) as [f [E O]]. rewrite E.
  pose proof (numbers_sound f r q E O N H) as F.
  cbn [numbers_of all_n far_n this_n that_n]. repeat split; intros I.
  - apply (groups_informed f (fun _ => true) q N); [|exact F]. intros v Hv. destruct (I v Hv) as [g [G1 G2]].
    exists g. tauto.
  - apply (groups_informed f (fun g => far (of_group g)) q N); [|exact F]. exact I.
  - apply (groups_informed f (fun g => side (of_group g)) q N); [|exact F]. exact I.
  - rewrite (total_eq _ (fun g => if negb (side (of_group g)) then f g else 0)).
    2:{ intros g _. now destruct (side (of_group g)). }
    apply (groups_informed f (fun g => negb (side (of_group g))) q N); [|exact F].
    intros v Hv. destruct (I v Hv) as [g [G1 [G2 G3]]]. exists g. rewrite G2. tauto.
Qed.
End Every_schedule.

(** ** The counting bound *)

Lemma member_flat_map (f : group -> bool) gs v :
  In v (flat_map group_members (filter f gs)) <-> exists g, In g gs /\ f g = true /\ In v (group_members g).
Proof.
  rewrite in_flat_map. split; intros [g H]; exists g; rewrite filter_In in *; tauto.
Qed.

Lemma nodup_pairs (vs : list Z) (f : Z -> list Z) :
  NoDup vs -> (forall v, In v vs -> NoDup (f v)) -> NoDup (flat_map (fun v => map (pair v) (f v)) vs).
Proof.
  intros N H. apply flat_map_nodup.
  - intros v Hv. apply FinFun.Injective_map_NoDup; [|auto]. intros x y E. now injection E.
  - clear H. induction N as [|v vs Hv N IH]; constructor; auto. apply Forall_forall. intros w Hw r R1 R2.
    apply in_map_iff in R1, R2. destruct R1 as [x [<- _]]. destruct R2 as [y [E _]]. injection E as ->.
    contradiction.
Qed.

Lemma nodup_numbers (b : packet -> bool) l : NoDup (map number l) -> NoDup (map number (filter b l)).
Proof.
  induction l as [|k l IH]; cbn [map filter]; intros W; [constructor|].
  inversion W as [|a m Ha N E]; subst. destruct (b k); [|auto]. cbn [map]. constructor; [|auto].
  intros I. apply Ha. apply in_map_iff in I. destruct I as [j [E I]]. apply filter_In in I. rewrite <- E.
  now apply in_map.
Qed.

Lemma work_by_pairs p fars quickest : NoDup fars ->
  work p fars (set_of fars) quickest =
  total (fun v => value quickest v * count (fun k => negb (source k =? v)) (packets p)) fars.
Proof.
  intros N. unfold work.
  assert (E : total (fun v => value quickest v * count (fun k => negb (source k =? v)) (packets p)) fars =
    total (fun v => value quickest v * total (fun _ => 1) (packets p)) fars -
    total (fun v => value quickest v * count (fun k => source k =? v) (packets p)) fars).
  { enough (total (fun v => value quickest v * count (fun k => negb (source k =? v)) (packets p)) fars +
            total (fun v => value quickest v * count (fun k => source k =? v) (packets p)) fars =
            total (fun v => value quickest v * total (fun _ => 1) (packets p)) fars) by lia.
    rewrite <- total_plus. apply total_eq. intros v _.
    enough (count (fun k => negb (source k =? v)) (packets p) + count (fun k => source k =? v) (packets p) =
            total (fun _ => 1) (packets p)) by nia.
    rewrite !count_total, <- total_plus. apply total_eq. intros k _. now destruct (source k =? v). }
  rewrite E. f_equal.
  - rewrite <- total_scale. apply total_eq. intros v _. lia.
  - rewrite (total_eq (fun v => value quickest v * count (fun k => source k =? v) (packets p))
      (fun v => total (fun k => value quickest v * flag (source k =? v)) (packets p))).
    2:{ intros v _. now rewrite total_scale, count_total. }
    rewrite total_swap. apply total_eq. intros k _. clear E.
    induction N as [|v fars Hv N IH]; [unfold member, set_of; cbn [fold_right total];
      now rewrite PositiveMap.gempty|]. cbn [total]. rewrite <- IH.
    destruct (Z.eqb_spec (source k) v) as [->|M].
    + assert (member v (set_of (v :: fars)) = true) as -> by (apply member_spec; now left).
      destruct (member v (set_of fars)) eqn:F; [apply member_spec in F; contradiction|]. cbn. lia.
    + assert (member (source k) (set_of (v :: fars)) = member (source k) (set_of fars)) as ->.
      { apply eq_true_iff_eq. rewrite !member_spec. cbn. split; [intros [|]; [congruence|tauto]|tauto]. }
      cbn. lia.
Qed.

Section Final.
Variables (p : problem) (s : schedule) (T : Z) (c : counting) (b : Z).
Hypothesis WF : well_formed p = true.
Hypothesis Ch : check_counting p c b = true.
Hypothesis V : valid p s.
Hypothesis C : completes p s T.

Theorem counting_bound : 0 <= T -> b <= T.
Proof.
  intros T0. revert Ch. unfold check_counting. intros K.
  repeat (apply andb_prop in K; destruct K as [K ?]).
  rename H into Hb, H0 into Hless, H1 into Harcs, H2 into Hslow, H3 into Hfast, H4 into Hsources, H5 into
    Hfar,
    K into Hdistinct.
  apply orb_prop in Hb. destruct Hb as [Hb|Hb]; [apply Z.leb_le in Hb; lia|]. apply Z.ltb_lt in Hb, Hfast.
  apply Z.leb_le in Hslow.
  set (quickest := table_of (entry c)) in *. set (evens := table_of (even c)) in *.
  set (odds := table_of (odd c)) in *.
  set (limit := 1 + size (near_nodes c)) in *.
  set (gs := map _ (groups c)) in *. set (a := fastest c) in *.
  change (numbers_of most gs) with (final gs) in *.
  change (numbers_by_round (bounds c) limit [size (sources c)] gs) with (rows (sources c) limit gs (bounds
    c)) in *.
  set (now := rows (sources c) limit gs (bounds c)) in *.
  destruct (Z_lt_le_dec T b) as [Less|]; [|assumption]. exfalso.
  assert (Ha : forall x, In x s -> a <= duration (along x) <= slow_rounds c * a /\
    value odds (head (along x)) <= value evens (tail (along x)) + 1 /\
    value evens (head (along x)) <= value odds (tail (along x)) + 1 /\
    (In (head (along x)) (far_nodes c) -> value quickest (head (along x)) <= duration (along x) /\
      In (tail (along x)) (near_nodes c) /\
      (two_sided c = true -> xorb (member (tail (along x)) (set_of (this_side c)))
                                  (member (head (along x)) (set_of (this_side c))) = true))).
  { intros x Hx. destruct V as [V1 _]. destruct (V1 x Hx) as [I _].
    pose proof (forallb_in _ _ _ Harcs I) as H.
    cbn beta in H. repeat (apply andb_prop in H; destruct H as [H ?]). rename H0 into HE.
    apply Z.leb_le in H, H1, H2, H3.
    split; [lia|]. split; [assumption|]. split; [assumption|]. intros F. apply member_spec in F.
    apply orb_prop in HE. destruct HE as [HE|HE]; [rewrite F in HE; discriminate|]. clear H3.
    apply andb_prop in HE. destruct HE as [H3 H5]. apply andb_prop in H3. destruct H3 as [H3 H4].
    apply Z.leb_le in H3. apply member_spec in H4. split; [assumption|]. split; [assumption|]. intros E.
    rewrite E in H5. exact H5. }
  assert (Slow : forall x, In x s -> a <= duration (along x)) by (intros x Hx; now apply Ha).
  assert (Labels : forall x, In x s -> value odds (head (along x)) <= value evens (tail (along x)) + 1 /\
    value evens (head (along x)) <= value odds (tail (along x)) + 1).
  { intros x Hx. destruct (Ha x Hx) as [_ [L1 [L2 _]]]. tauto. }
  assert (Sources : forall k, In k (packets p) -> In (source k) (sources c) /\ value evens (source k) <= 0).
  { intros k Hk. pose proof (forallb_in _ _ _ Hsources Hk) as H. cbn beta in H. apply andb_prop in H.
    destruct H as [H1 H2]. apply member_spec in H1. now apply Z.leb_le in H2. }
  assert (Gs : forall g, In g gs -> most g = size (group_members (of_group g)) /\ most g <= limit /\
    exists driver, its_walks g = walks driver 0 evens odds (group_members (of_group g))).
  { intros g Hg. apply in_map_iff in Hg. destruct Hg as [h [<- Hh]]. cbn [most of_group its_walks].
    split; [reflexivity|]. split; [|now exists (bounds c)]. unfold limit, near_nodes. unfold size.
    rewrite !total_ones.
    apply in_split in Hh. destruct Hh as [l1 [l2 ->]]. rewrite flat_map_app, app_length. cbn [flat_map].
    rewrite app_length. lia. }
  assert (Limit : 0 < limit).
  { unfold limit, size. rewrite total_ones. lia. }
  pose (ii := is_informed p s a).
  assert (Inf : forall v k t, 0 <= t -> has p s v k t -> forall r, t / a <= Z.of_nat r -> ii (Z.of_nat r) v).
  { intros v k t Ht H r Hr.
    destruct (informed_reach p s WF V a Hfast Slow k (Z.to_nat (t + 1)) v t ltac:(lia) Ht H) as [l [L R]].
    exists l. split; [lia|]. destruct l as [|l]; [exact R|]. cbn [reach] in *. apply existsb_exists in R.
    destruct R as [x [Hx R]]. apply existsb_exists. exists x. split; [exact Hx|]. apply andb_prop in R.
    destruct R as [R R3]. apply andb_prop in R. destruct R as [R1 R2]. apply Z.leb_le in R2.
    rewrite R1, R3, andb_true_r. apply Z.leb_le. lia. }
  pose proof (fun r q => all_informed p s WF V a Hfast Slow evens odds Labels (fun k Hk => proj2 (Sources k
    Hk))
    (sources c) (fun k Hk => proj1 (Sources k Hk)) limit Limit gs Gs (bounds c) r q) as Num.
  fold ii now in Num. clearbody ii.
  assert (InGs : forall (f : group -> bool) v, In v (flat_map group_members (filter f (groups c))) ->
    exists g, In g gs /\ f (of_group g) = true /\ In v (group_members (of_group g))).
  { intros f v H. apply member_flat_map in H. destruct H as [g [H1 H2]].
    exists (Prepared g (size (group_members g)) (walks (bounds c) 0 evens odds (group_members g))).
    cbn [of_group].
    split; [|exact H2]. apply in_map_iff. now exists g. }
  assert (Near : forall v, In v (near_nodes c) -> exists g, In g gs /\ In v (group_members (of_group g))).
  { intros v H. unfold near_nodes in H. apply in_flat_map in H. destruct H as [g [H1 H2]].
    exists (Prepared g (size (group_members g)) (walks (bounds c) 0 evens odds (group_members g))).
    cbn [of_group].
    split; [|exact H2]. apply in_map_iff. now exists g. }
  (* The transfers to far nodes under way in one step. *)
  set (u := filter (fun x => member (head (along x)) (set_of (far_nodes c))) (in_time s T)).
  assert (Iu : forall x, In x u -> In x s /\ In (head (along x)) (far_nodes c) /\ 0 <= start x /\ start x <=
    finish x <= T).
  { intros x Hx. apply filter_In in Hx. destruct Hx as [Hx F]. apply filter_In in Hx. destruct Hx as [Hx E].
    apply Z.leb_le in E. apply member_spec in F. destruct (transfer_facts p s WF V x Hx) as [_ [L _]].
    repeat split; auto; lia. }
  assert (Step : forall t, 0 <= t -> count (fun x => active t x) u <=
    most_transfers (ports p) (two_sided c) (nth (Z.to_nat (t / a)) now (final gs))
      (nth (Z.to_nat (t / a)) (drop (slow_rounds c) now) (final gs))).
  { intros t Ht. rewrite drop_nth by exact Hslow. set (r := Z.to_nat (t / a)).
    assert (Hr : Z.of_nat r = t / a) by (unfold r; apply Z2Nat.id, Z.div_pos; lia).
    set (r' := (Z.to_nat (slow_rounds c) + r)%nat).
    assert (Hr' : Z.of_nat r' = slow_rounds c + t / a) by (unfold r'; lia).
    rewrite count_length. set (x := filter (fun z => active t z) u).
    assert (Fx : ForallOrdPairs (compatible (ports p)) x) by (apply pairs_filter, pairs_filter, pairs_filter,
      V).
    assert (Ix : forall z, In z x -> In z s /\ In (head (along z)) (far_nodes c) /\ In (tail (along z))
      (near_nodes c) /\
      start z <= t < finish z /\ ii (Z.of_nat r) (tail (along z)) /\ ii (Z.of_nat r') (tail (along z)) /\
      ii (Z.of_nat r') (head (along z)) /\ tail (along z) <> head (along z)).
    { intros z Hz. apply filter_In in Hz. destruct Hz as [Hz Az]. apply active_spec in Az.
      destruct (Iu z Hz) as [Sz [Fz [S0 _]]].
      destruct (Ha z Sz) as [D [_ [_ F]]]. destruct (F Fz) as [_ [N _]].
      destruct V as [V1 _]. destruct (V1 z Sz) as [Az' [_ H]]. destruct (arc_facts p WF _ Az') as [_ Dif].
      assert (start z / a <= t / a) by (apply Z.div_le_mono; lia).
      assert (finish z / a <= slow_rounds c + t / a).
      { rewrite <- (Z.div_add_l (slow_rounds c) a t) by lia. apply Z.div_le_mono; [lia|]. unfold finish. lia.
        }
      repeat split; auto; try lia.
      - apply (Inf _ (carried z) (start z)); auto; lia.
      - apply (Inf _ (carried z) (start z)); auto; lia.
      - apply (Inf _ (carried z) (finish z)); [unfold finish; lia| |lia].
        right. exists z. repeat split; auto. lia. }
    assert (Different : forall y z, In y x -> In z x -> compatible (ports p) y z ->
      forall q, In q (ports_of (ports p) (along y)) -> In q (ports_of (ports p) (along z)) -> False).
    { intros y z Hy Hz Co q Q1 Q2. destruct (Ix y Hy) as [_ [_ [_ [Y _]]]].
      destruct (Ix z Hz) as [_ [_ [_ [Z' _]]]].
      destruct (Co q Q1 Q2); lia. }
    assert (Tails : NoDup (map (fun z => tail (along z)) x)).
    { apply (different_images (compatible (ports p))); [exact Fx|]. intros y z Hy Hz Co E.
      destruct (ports p) eqn:M; [apply (Different y z Hy Hz Co (whole (tail (along y))))|
        apply (Different y z Hy Hz Co (sending (tail (along y))))]; cbn; rewrite E; tauto. }
    assert (Heads : NoDup (map (fun z => head (along z)) x)).
    { apply (different_images (compatible (ports p))); [exact Fx|]. intros y z Hy Hz Co E.
      destruct (ports p) eqn:M; [apply (Different y z Hy Hz Co (whole (head (along y))))|
        apply (Different y z Hy Hz Co (receiving (head (along y))))]; cbn; rewrite E; tauto. }
    assert (B1 : Z.of_nat (length x) <= all_n (nth r now (final gs))).
    { rewrite <- (map_length (fun z => tail (along z))). apply (Num r (map (fun z => tail (along z)) x)
      Tails);
      intros v Hv; apply in_map_iff in Hv; destruct Hv as [z [<- Hz]];
        destruct (Ix z Hz) as [_ [_ [N [_ [I _]]]]]; auto. }
    assert (B2 : Z.of_nat (length x) <= far_n (nth r' now (final gs))).
    { rewrite <- (map_length (fun z => head (along z))). apply (Num r' (map (fun z => head (along z)) x)
      Heads);
      intros v Hv; apply in_map_iff in Hv; destruct Hv as [z [<- Hz]];
        destruct (Ix z Hz) as [_ [F [_ [_ [_ [_ [I _]]]]]]]; auto. }
    assert (FarNear : forall v, In v (far_nodes c) -> In v (near_nodes c)).
    { intros v H. apply member_flat_map in H. destruct H as [g [H1 [_ H2]]]. apply in_flat_map. now exists g.
      }
    unfold most_transfers. destruct (ports p) eqn:M; [|lia].
    apply Z.min_glb; [lia|]. destruct (two_sided c) eqn:Two.
    - set (this := fun z => member z (set_of (this_side c))).
      assert (Ends : forall choose : transfer -> Z, (forall z, In z x -> choose z = tail (along z) \/ choose
        z = head (along z)) ->
        NoDup (map choose x) /\ forall v, In v (map choose x) -> ii (Z.of_nat r') v /\ In v (near_nodes c)).
      { intros choose Hc. split.
        - apply (different_images (compatible half_duplex)); [exact Fx|]. intros y z Hy Hz Co E.
          apply (Different y z Hy Hz Co (whole (choose y))); cbn.
          + destruct (Hc y Hy) as [->| ->]; tauto.
          + rewrite E. destruct (Hc z Hz) as [->| ->]; tauto.
        - intros v Hv. apply in_map_iff in Hv. destruct Hv as [z [<- Hz]].
          destruct (Ix z Hz) as [_ [F [N [_ [_ [I1 [I2 _]]]]]]]. destruct (Hc z Hz) as [->| ->]; auto. }
      assert (Xor : forall z, In z x -> xorb (this (tail (along z))) (this (head (along z))) = true).
      { intros z Hz. destruct (Ix z Hz) as [Sz [F _]]. destruct (Ha z Sz) as [_ [_ [_ H]]]. now apply H. }
      apply Z.min_glb.
      + destruct (Ends (fun z => if this (tail (along z)) then tail (along z) else head (along z))) as [N1
        I1].
        { intros z _. destruct (this (tail (along z))); tauto. }
        rewrite <- (map_length (fun z => if this (tail (along z)) then tail (along z) else head (along z))).
        apply (Num r' _ N1); [intros v Hv; now apply I1|]. intros v Hv. apply in_map_iff in Hv.
        destruct Hv as [z [<- Hz]].
        apply InGs. apply member_spec. specialize (Xor z Hz). unfold this in *.
        destruct (member (tail (along z)) _) eqn:E; [exact E|].
        destruct (member (head (along z)) _); [reflexivity|discriminate].
      + destruct (Ends (fun z => if this (tail (along z)) then head (along z) else tail (along z))) as [N1
        I1].
        { intros z _. destruct (this (tail (along z))); tauto. }
        rewrite <- (map_length (fun z => if this (tail (along z)) then head (along z) else tail (along z))).
        apply (Num r' _ N1); [intros v Hv; now apply I1|]. intros v Hv.
        destruct (Near v (proj2 (I1 v Hv))) as [g [G1 G2]]. exists g. split; [exact G1|]. split; [|exact G2].
        destruct (side (of_group g)) eqn:Sd; [|reflexivity]. exfalso.
        assert (this v = true) as Tv.
        { unfold this. apply member_spec. apply member_flat_map. apply in_map_iff in G1.
          destruct G1 as [h [<- Hh]].
          cbn [of_group] in *. now exists h. }
        apply in_map_iff in Hv. destruct Hv as [z [E Hz]]. specialize (Xor z Hz).
        destruct (this (tail (along z))) eqn:Tt; [rewrite E, Tv in Xor; discriminate|].
        rewrite E in Tt. congruence.
    - apply Z.div_le_lower_bound; [lia|].
      set (ends := fun z => [tail (along z); head (along z)]).
      assert (N : NoDup (flat_map ends x)).
      { apply flat_map_nodup.
        - intros y Hy. destruct (Ix y Hy) as [_ [_ [_ [_ [_ [_ [_ D]]]]]]]. unfold ends.
          apply NoDup_cons; [intros [E|[]]; congruence|apply NoDup_cons; [intros []|apply NoDup_nil]].
        - apply (pairs_weaken (compatible half_duplex)); [|exact Fx]. intros y z Hy Hz Co q Q1 Q2.
          apply (Different y z Hy Hz Co (whole q)); cbn; [destruct Q1 as [<-|[<-|[]]]|destruct Q2 as
            [<-|[<-|[]]]]; tauto. }
      assert (L : Z.of_nat (length (flat_map ends x)) = 2 * Z.of_nat (length x)).
      { clear. induction x as [|y l IH]; [reflexivity|]. cbn [flat_map ends app length] in *. lia. }
      rewrite <- L. apply (Num r' (flat_map ends x) N);
      intros v Hv; apply in_flat_map in Hv; destruct Hv as [z [Hz Hv]];
      destruct (Ix z Hz) as [_ [F [Ne [_ [_ [I1 [I2 _]]]]]]]; destruct Hv as [<-|[<-|[]]]; auto. }
  (* All of them together. *)
  assert (Sum : total (fun x => duration (along x)) u <= capacity a (most_transfers (ports p) (two_sided c)
    (final gs) (final gs)) (bounds c) (b - 1)).
  { rewrite (total_eq _ (fun x => duration (along x) * 1)) by (intros; lia).
    rewrite (by_steps (fun _ => 1) u 0 (b - 1)).
    2:{ intros x Hx. destruct (Iu x Hx) as [_ [_ I]]. lia. }
    rewrite Z.sub_0_r. apply capacity_sound; [exact Hfast|lia|]. intros t Ht. cbn [Z.add].
    rewrite total_ones, <- count_length.
    eapply Z.le_trans; [now apply Step|]. set (r := Z.to_nat (t / a)).
    destruct (Nat.lt_ge_cases r (length (bounds c))) as [L|L].
    - now apply no_less_nth; [| |].
    - assert (length now = length (bounds c)) as Len.
      { apply numbers_length. }
      rewrite drop_nth by exact Hslow. rewrite !nth_overflow by lia. apply Z.le_refl. }
  assert (Need : work p (far_nodes c) (set_of (far_nodes c)) quickest <= total (fun x => duration (along x))
    u).
  { destruct (distinct_sound _ _ Hdistinct) as [ND _]. rewrite work_by_pairs by exact ND.
    set (pairs := flat_map (fun v => map (pair v) (map number (filter (fun k => negb (source k =? v))
      (packets p)))) (far_nodes c)).
    apply Z.le_trans with (total (fun vn => value quickest (fst vn)) pairs).
    - unfold pairs. clear. induction (far_nodes c) as [|v l IH]; [cbn; lia|]. cbn [flat_map total].
      rewrite total_app.
      rewrite !total_map. cbn [fst]. rewrite count_length.
      enough (total (fun _ : packet => value quickest v) (filter (fun k => negb (source k =? v)) (packets p))
        =
        value quickest v * Z.of_nat (length (filter (fun k => negb (source k =? v)) (packets p)))) by lia.
      rewrite <- total_ones, <- total_scale. apply total_eq. intros; lia.
    - apply Z.le_trans with (total (fun vn => value quickest (fst vn)) (map (fun x => (head (along x),
      carried x)) u)).
      + apply total_incl.
        * intros vn H. apply in_map_iff in H. destruct H as [x [<- Hx]]. cbn [fst].
          destruct (Iu x Hx) as [_ [F _]].
          pose proof (forallb_in _ _ _ Hfar F) as Q. cbn beta in Q. apply andb_prop in Q. now apply Z.leb_le.
        * apply nodup_pairs; [exact ND|]. intros v _. apply nodup_numbers. apply andb_prop in WF.
          now apply increasing_sound.
        * intros vn H. apply in_flat_map in H. destruct H as [v [Hv H]]. apply in_map_iff in H.
          destruct H as [n [<- H]].
          apply in_map_iff in H. destruct H as [k [<- H]]. apply filter_In in H. destruct H as [Hk Ns].
          apply negb_true_iff, Z.eqb_neq in Ns.
          pose proof (forallb_in _ _ _ Hfar Hv) as Q. cbn beta in Q. apply andb_prop in Q.
          destruct Q as [Q _].
          apply member_spec in Q. destruct (C v k Q Hk) as [H|[x [Hx [E1 [E2 E3]]]]].
          { pose proof (f_equal source (one_source p WF k _ Hk H eq_refl)) as E. cbn [source] in E.
            congruence. }
          apply in_map_iff. exists x. rewrite E1, E2. split; [reflexivity|]. apply filter_In. split.
          { apply filter_In. split; [exact Hx|now apply Z.leb_le]. }
          { rewrite E1. now apply member_spec. }
      + rewrite total_map. cbn [fst]. apply total_le. intros x Hx. destruct (Iu x Hx) as [Sx [F _]].
        destruct (Ha x Sx) as [_ [_ [_ H]]]. now apply H. }
  lia.
Qed.
End Final.
