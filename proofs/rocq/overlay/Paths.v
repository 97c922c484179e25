(** Who sends which of N parts to whom, in whole numbers: nodes are numbered from 0, the source, to n, in the order
    of what they send. *)
From Coq Require Import ZArith List Lia Bool.
From Exactsched.rounds Require Import Counting.
From Exactsched.overlay Require Import Streams.
Import ListNotations.
Open Scope Z_scope.

Section Parts.
Variables (n : nat) (N : Z) (X d : nat -> Z).

(** Node v receives the part x from [parent x v], and so on back to the source; nobody sends more than X, nor to
    more than d + 1 others. *)
Record served (parent : Z -> nat -> nat) : Prop := Served {
  rooted : exists depth : Z -> nat -> Z, forall x v, 0 <= x < N -> (1 <= v <= n)%nat ->
    (parent x v <= n)%nat /\ depth x (parent x v) < depth x v;
  amounts : forall i, (i <= n)%nat ->
    total (fun x => count (fun v => (parent x v =? i)%nat) (seq 1 n)) (below N) <= X i;
  few : forall i, (i <= n)%nat -> exists l, Z.of_nat (length l) <= d i + 1 /\
    forall x v, 0 <= x < N -> (1 <= v <= n)%nat -> parent x v = i -> In v l }.

Hypothesis HN : 0 < N.
Hypothesis Pos : forall i, 0 <= X i.
Hypothesis Dpos : forall i, 0 <= d i.
Hypothesis Limit : forall i, X i <= N * d i.
Hypothesis Source : N <= X 0%nat.

Let S_ := before X.
Definition place (v : nat) (x : Z) : Z := (Z.of_nat v - 1) * N + x.
Definition own (x : Z) (v : nat) : nat := owner X n (place v x).

Lemma place_nonneg v x : (1 <= v)%nat -> 0 <= x < N -> 0 <= place v x.
Proof. intros. unfold place. nia. Qed.
Lemma own_earlier x v : 0 <= x < N -> (1 <= v)%nat -> place v x < S_ v -> (own x v < v)%nat.
Proof. intros Hx Hv H. apply owner_before; [exact Pos|lia|]. pose proof (place_nonneg v x Hv Hx). fold S_. lia. Qed.

Lemma own_amount i : (i < n)%nat \/ Z.of_nat n * N <= S_ (S n) -> (i <= n)%nat ->
  total (fun x => count (fun v => (own x v =? i)%nat) (seq 1 n)) (below N) <= X i.
Proof.
  intros H Hi. unfold own, place.
  rewrite (places N (fun p => (owner X n p =? i)%nat) n) by lia. apply places_owned; try assumption. nia.
Qed.
Lemma own_few i : (i < n)%nat -> exists l, Z.of_nat (length l) <= d i + 1 /\
  forall x v, 0 <= x < N -> (1 <= v <= n)%nat -> own x v = i -> In v l.
Proof.
  intros Hi. exists (seq (Z.to_nat (S_ i / N + 1)) (Z.to_nat (d i + 1))). specialize (Dpos i).
  rewrite seq_length. split; [lia|]. intros x v Hx Hv E.
  pose proof (receivers_owned X n N x i (d i) v HN Hx Hi ltac:(lia) (Limit i) E) as R. fold S_ in R.
  pose proof (before_grows X Pos 0 i ltac:(lia)) as B. cbn [before] in B. fold S_ in B.
  pose proof (Z.div_pos (S_ i) N B HN). apply in_seq. lia.
Qed.

(** ** Service in turn: everybody has received all before it sends. *)
Theorem in_turn : (forall j, (1 <= j <= n)%nat -> Z.of_nat j * N <= S_ j) ->
  served own /\ forall x v, 0 <= x < N -> (1 <= v <= n)%nat -> (own x v < v)%nat.
Proof.
  intros T. assert (E : forall x v, 0 <= x < N -> (1 <= v <= n)%nat -> (own x v < v)%nat).
  { intros x v Hx Hv. apply own_earlier; [exact Hx|lia|]. pose proof (T v Hv). unfold place. nia. }
  split; [|exact E]. constructor.
  - exists (fun _ v => Z.of_nat v). intros x v Hx Hv. specialize (E x v Hx Hv). lia.
  - intros i Hi. apply own_amount; [|exact Hi]. right. destruct n as [|k].
    + pose proof (before_grows X Pos 0 1 ltac:(lia)) as B. cbn [before] in B. unfold S_. cbn [before]. lia.
    + pose proof (T (S k) ltac:(lia)) as Tn. pose proof (before_grows X Pos (S k) (S (S k)) ltac:(lia)) as B.
      fold S_ in B. lia.
  - intros i Hi. destruct (Nat.eq_dec i n) as [->|Ne]; [|apply own_few; lia].
    exists []. split; [specialize (Dpos n); cbn [length]; lia|]. intros x v Hx Hv F. specialize (E x v Hx Hv). lia.
Qed.

(** ** The path: node k is the first that would have to send before it has received. *)
Section Path.
Hypothesis Sorted : forall i j, (1 <= i <= j)%nat -> (j <= n)%nat -> X j <= X i.
Hypothesis Enough : Z.of_nat n * N <= S_ (S n).
Variable k : nat.
Hypothesis Hk : (1 <= k <= n)%nat.
Hypothesis Late : S_ k < Z.of_nat k * N.
Hypothesis First : forall j, (1 <= j < k)%nat -> Z.of_nat j * N <= S_ j.

Lemma k_two : (2 <= k)%nat.
Proof. destruct (Nat.eq_dec k 1) as [E|]; [|lia]. exfalso. rewrite E in Late. unfold S_ in Late. cbn [before] in Late. lia. Qed.
Lemma slow j : (k - 1 <= j <= n)%nat -> X j < N.
Proof.
  intros Hj. pose proof k_two. pose proof (First (k - 1)%nat ltac:(lia)) as F.
  assert (E : S_ k = S_ (k - 1)%nat + X (k - 1)%nat).
  { replace k with (S (k - 1)) at 1 by lia. reflexivity. }
  assert (X (k - 1)%nat < N). { rewrite Nat2Z.inj_sub in F by lia. nia. }
  pose proof (Sorted (k - 1)%nat j ltac:(lia) ltac:(lia)). lia.
Qed.
(** Fast enough for what the first k nodes cannot send. *)
Lemma reach_at_most t : (k + t <= S n)%nat -> S_ (k + t) <= S_ k + Z.of_nat t * N.
Proof.
  induction t as [|t IH]; intros Ht; [rewrite Nat.add_0_r; lia|].
  replace (k + S t)%nat with (S (k + t)) by lia. unfold S_ in *. cbn [before].
  pose proof (slow (k + t) ltac:(lia)). specialize (IH ltac:(lia)). nia.
Qed.
Lemma useful j : (1 <= j <= n)%nat -> Z.of_nat k * N - S_ k <= X j.
Proof.
  intros Hj. pose proof (Sorted j n Hj ltac:(lia)) as L. pose proof (reach_at_most (n - k) ltac:(lia)) as R.
  replace (k + (n - k))%nat with n in R by lia. unfold S_ in *. cbn [before] in Enough.
  rewrite Nat2Z.inj_sub in R by lia. nia.
Qed.

(** Of the parts, node k + t receives those below the second number from the node before it, and the others from the
    node after it; the first number is that of node k + t - 1. *)
Fixpoint fronts (t : nat) : Z * Z :=
  match t with
  | O => let f := N - (Z.of_nat k * N - S_ k) in (f, f)
  | S t => let (a, b) := fronts t in (b, a - N + X (k + t)%nat)
  end.
Definition front (v : nat) : Z := snd (fronts (v - k)).
Definition front_before (v : nat) : Z := fst (fronts (v - k)).

Lemma front_next v : (k <= v)%nat -> front_before (S v) = front v /\ front (S v) = front_before v - N + X v.
Proof.
  intros Hv. unfold front, front_before. replace (S v - k)%nat with (S (v - k)) by lia. cbn [fronts].
  replace (k + (v - k))%nat with v by lia. now destruct (fronts (v - k)).
Qed.
Lemma front_k : front k = N - (Z.of_nat k * N - S_ k) /\ front_before k = front k.
Proof. unfold front, front_before. rewrite Nat.sub_diag. cbn. tauto. Qed.

Lemma fronts_facts t : (k + t <= n)%nat -> let v := (k + t)%nat in
  front_before v + front v = 2 * N - (Z.of_nat k + Z.of_nat v) * N + S_ k + S_ v /\
  0 <= front_before v - front v <= N - X v /\ front v <= front_before v <= front k.
Proof.
  cbv zeta. induction t as [|t IH]; intros Ht.
  - rewrite Nat.add_0_r. destruct front_k as [E ->]. rewrite E. pose proof (slow k ltac:(lia)). nia.
  - destruct (IH ltac:(lia)) as [A [B C]]. replace (k + S t)%nat with (S (k + t)) by lia.
    destruct (front_next (k + t) ltac:(lia)) as [-> ->].
    pose proof (Sorted (k + t) (S (k + t)) ltac:(lia) ltac:(lia)) as So. unfold S_ in *. cbn [before].
    rewrite Nat2Z.inj_succ. nia.
Qed.
Lemma front_facts v : (k <= v <= n)%nat ->
  front_before v + front v = 2 * N - (Z.of_nat k + Z.of_nat v) * N + S_ k + S_ v /\
  0 <= front_before v - front v <= N - X v /\ front v <= front_before v <= front k.
Proof. intros Hv. pose proof (fronts_facts (v - k)) as F. replace (k + (v - k))%nat with v in F by lia. apply F. lia. Qed.
(** Node n sends the rest to node 1 and to the node before it. *)
Lemma last_front : front k - front n + (N - front_before n) <= X n.
Proof.
  destruct (front_facts n ltac:(lia)) as [A _]. destruct front_k as [B _]. unfold S_ in *. cbn [before] in Enough. nia.
Qed.
Lemma front_k_range : 0 <= front k < N.
Proof.
  destruct front_k as [E _]. pose proof (useful k ltac:(lia)). pose proof (slow k ltac:(lia)). lia.
Qed.
Lemma front_last_nonneg : 0 <= front n.
Proof.
  pose proof last_front. pose proof (front_facts n ltac:(lia)) as [A _]. pose proof (front_facts n ltac:(lia)) as [_ [B C]].
  pose proof (slow n ltac:(lia)). destruct front_k as [E _]. unfold S_ in *. cbn [before] in Enough. nia.
Qed.
Lemma front_falls i j : (k <= i <= j)%nat -> (j <= n)%nat -> front j <= front i.
Proof.
  intros [Hi L] Hj. induction L as [|j L IH]; [lia|].
  destruct (front_next j ltac:(lia)) as [A _]. pose proof (front_facts (S j) ltac:(lia)) as [_ [_ F]].
  rewrite A in F. specialize (IH ltac:(lia)). lia.
Qed.
Lemma front_range v : (k <= v <= n)%nat -> 0 <= front v < N.
Proof.
  intros Hv. pose proof (front_falls v n ltac:(lia) ltac:(lia)). pose proof (front_falls k v ltac:(lia) ltac:(lia)).
  pose proof front_last_nonneg. pose proof front_k_range. lia.
Qed.

Definition along (x : Z) (v : nat) : nat :=
  if (v <? k)%nat then
    if (v =? 1)%nat then if x <? front n then 0%nat else if x <? front k then n else k
    else own x v
  else if x <? front v then if (v =? k)%nat then own x v else (v - 1)%nat
  else if (v =? n)%nat then 0%nat else S v.

Definition depth (x : Z) (v : nat) : Z :=
  if (v =? 0)%nat then 0
  else if (k <=? v)%nat && (front v <=? x) then 1 + Z.of_nat n - Z.of_nat v else 1 + Z.of_nat n + Z.of_nat v.

Lemma own_early x v : 0 <= x < N -> (1 <= v <= k)%nat -> (v < k)%nat \/ x < front k -> (own x v < v)%nat.
Proof.
  intros Hx Hv H. apply own_earlier; [exact Hx|lia|]. unfold place. destruct (Nat.eq_dec v k) as [->|Ne].
  - destruct front_k as [E _]. destruct H; [lia|]. nia.
  - pose proof (First v ltac:(lia)). nia.
Qed.

Ltac cases := repeat match goal with
  | H : context [(?a <? ?b)%nat] |- _ => destruct (Nat.ltb_spec a b)
  | H : context [(?a =? ?b)%nat] |- _ => destruct (Nat.eqb_spec a b)
  | H : context [(?a <=? ?b)%nat] |- _ => destruct (Nat.leb_spec a b)
  | H : context [?a <? ?b] |- _ => destruct (Z.ltb_spec a b)
  | H : context [?a <=? ?b] |- _ => destruct (Z.leb_spec a b)
  | |- context [(?a <? ?b)%nat] => destruct (Nat.ltb_spec a b)
  | |- context [(?a =? ?b)%nat] => destruct (Nat.eqb_spec a b)
  | |- context [(?a <=? ?b)%nat] => destruct (Nat.leb_spec a b)
  | |- context [?a <? ?b] => destruct (Z.ltb_spec a b)
  | |- context [?a <=? ?b] => destruct (Z.leb_spec a b)
  end; cbn [andb orb].

Lemma early_depth x v w : (w < v)%nat -> (v <= k)%nat -> (v < k)%nat \/ x < front k ->
  (w <= n)%nat /\ depth x w < depth x v.
Proof.
  intros L Hv H. split; [lia|]. unfold depth. destruct (Nat.eqb_spec w 0), (Nat.eqb_spec v 0); try lia.
  - destruct (_ && _); lia.
  - destruct (Nat.leb_spec k w); [lia|]. destruct (Nat.leb_spec k v); cbn [andb]; [|lia].
    assert (v = k) as -> by lia. destruct (Z.leb_spec (front k) x); lia.
Qed.

Lemma along_rooted x v : 0 <= x < N -> (1 <= v <= n)%nat -> (along x v <= n)%nat /\ depth x (along x v) < depth x v.
Proof.
  intros Hx Hv. pose proof k_two as K2. unfold along.
  destruct (Nat.ltb_spec v k) as [Lk|Gk].
  - destruct (Nat.eqb_spec v 1) as [->|N1].
    + unfold depth. destruct (Z.ltb_spec x (front n)), (Z.ltb_spec x (front k)); cases; try lia; cases; lia.
    + apply early_depth; [|lia|now left]. apply own_early; [exact Hx|lia|now left].
  - destruct (Z.ltb_spec x (front v)) as [Lx|Gx].
    + destruct (Nat.eqb_spec v k) as [->|Nk].
      * apply early_depth; [|lia|now right]. apply own_early; [exact Hx|lia|now right].
      * pose proof (front_falls (v - 1) v ltac:(lia) ltac:(lia)). unfold depth. cases; lia.
    + destruct (Nat.eqb_spec v n) as [->|Nn].
      * unfold depth. cases; lia.
      * pose proof (front_falls v (S v) ltac:(lia) ltac:(lia)). unfold depth. cases; lia.
Qed.

(** Whoever is not on the path sends as in turn. *)
Lemma along_own x v i : 0 <= x < N -> (1 <= v <= n)%nat -> (1 <= i < k)%nat -> along x v = i -> own x v = i.
Proof. intros Hx Hv Hi E. unfold along in E. cases; lia. Qed.

(** To whom a node of the path sends what. *)
Lemma along_path x v i : 0 <= x < N -> (1 <= v <= n)%nat -> (k <= i)%nat -> along x v = i ->
  (v = 1%nat /\ front n <= x /\ ((x < front k /\ i = n) \/ (front k <= x /\ i = k))) \/
  ((k < v)%nat /\ x < front v /\ v = S i) \/ ((k <= v < n)%nat /\ front v <= x /\ i = S v).
Proof.
  intros Hx Hv Hi E. pose proof k_two as K2. unfold along in E. destruct (Nat.ltb_spec v k).
  - destruct (Nat.eqb_spec v 1) as [->|]; [left; cases; lia|].
    pose proof (own_early x v Hx ltac:(lia) ltac:(left; lia)). lia.
  - destruct (Z.ltb_spec x (front v)).
    + destruct (Nat.eqb_spec v k) as [->|]; [|lia].
      pose proof (own_early x k Hx ltac:(lia) ltac:(right; lia)). lia.
    + destruct (Nat.eqb_spec v n); lia.
Qed.

(** Nobody on the path sends to more than two others. *)
Lemma two_receivers i v1 v2 (c1 c2 : Z -> bool) a1 a2 :
  (forall x v, 0 <= x < N -> (1 <= v <= n)%nat -> along x v = i -> (v = v1 /\ c1 x = true) \/ (v = v2 /\ c2 x = true)) ->
  count c1 (below N) <= a1 -> count c2 (below N) <= a2 -> a1 + a2 <= X i ->
  total (fun x => count (fun v => (along x v =? i)%nat) (seq 1 n)) (below N) <= X i.
Proof.
  intros H L1 L2 L.
  enough (total (fun x => count (fun v => (along x v =? i)%nat) (seq 1 n)) (below N) <=
    count c1 (below N) + count c2 (below N)) by lia.
  rewrite !count_total, <- total_plus. apply total_le. intros x Hx. apply below_spec in Hx.
  eapply Z.le_trans; [|apply Z.add_le_mono; [apply (count_at n v1 (c1 x))|apply (count_at n v2 (c2 x))]].
  eapply Z.le_trans; [|apply count_or]. apply count_le. intros v Hv E. apply in_seq in Hv. apply Nat.eqb_eq in E.
  destruct (H x v Hx ltac:(lia) E) as [[-> ->]|[-> ->]]; rewrite Nat.eqb_refl; cbn; [reflexivity|apply orb_true_r].
Qed.

Lemma along_amount_source :
  total (fun x => count (fun v => (along x v =? 0)%nat) (seq 1 n)) (below N) <= X 0%nat.
Proof.
  pose proof k_two as K2. eapply Z.le_trans; [|apply (own_amount 0); [left|]; lia]. apply total_le. intros x Hx.
  apply below_spec in Hx. set (late := front n <=? x).
  assert (P : count (fun v => (along x v =? 0)%nat) (seq 1 n) + count (fun v => (v =? 1)%nat && late) (seq 1 n) <=
    count (fun v => (own x v =? 0)%nat) (seq 1 n) + count (fun v => (v =? n)%nat && late) (seq 1 n)).
  { rewrite !count_total, <- !total_plus. apply total_le. intros v Hv. apply in_seq in Hv.
    assert (O1 : v = 1%nat -> own x v = 0%nat).
    { intros ->. pose proof (own_early x 1 Hx ltac:(lia) ltac:(left; lia)). lia. }
    destruct (Nat.eq_dec v 1) as [->|N1].
    - rewrite O1 by reflexivity. replace (1 =? n)%nat with false by (symmetry; apply Nat.eqb_neq; lia).
      unfold along, late. destruct (Nat.ltb_spec 1 k); [|lia]. rewrite !Nat.eqb_refl.
      destruct (Z.ltb_spec x (front n)), (Z.leb_spec (front n) x); try lia; [cbn; lia|].
      destruct (Z.ltb_spec x (front k)); [destruct (Nat.eqb_spec n 0)|destruct (Nat.eqb_spec k 0)]; try lia; cbn; lia.
    - destruct (Nat.eqb_spec v 1); [lia|]. cbn [andb flag].
      destruct (Nat.eqb_spec (along x v) 0) as [E|]; cbn [flag]; [|pose proof (flag_nonneg (own x v =? 0)%nat);
        pose proof (flag_nonneg ((v =? n)%nat && late)); lia].
      unfold along in E. destruct (Nat.ltb_spec v k).
      + destruct (Nat.eqb_spec v 1); [lia|]. rewrite E. cbn [Nat.eqb flag].
        pose proof (flag_nonneg ((v =? n)%nat && late)). lia.
      + destruct (Z.ltb_spec x (front v)).
        * destruct (Nat.eqb_spec v k); [|lia]. rewrite E. cbn [Nat.eqb flag].
          pose proof (flag_nonneg ((v =? n)%nat && late)). lia.
        * destruct (Nat.eqb_spec v n) as [->|]; [|lia]. unfold late. destruct (Z.leb_spec (front n) x); [|lia].
          cbn [andb flag]. pose proof (flag_nonneg (own x n =? 0)%nat). lia. }
  pose proof (count_at n n late). pose proof (count_at_least n 1 late ltac:(lia)). lia.
Qed.

Lemma along_amount i : (i <= n)%nat ->
  total (fun x => count (fun v => (along x v =? i)%nat) (seq 1 n)) (below N) <= X i.
Proof.
  intros Hi. pose proof k_two as K2. destruct (Nat.eq_dec i 0) as [->|I0]; [apply along_amount_source|].
  destruct (le_lt_dec k i) as [Path|Early].
  2:{ eapply Z.le_trans; [|apply (own_amount i); [left|]; lia]. apply total_le. intros x Hx. apply below_spec in Hx.
      apply count_le. intros v Hv E. apply in_seq in Hv. apply Nat.eqb_eq in E. apply Nat.eqb_eq.
      apply (along_own x v i); lia. }
  pose proof (front_range k ltac:(lia)) as Rk. pose proof (front_range n ltac:(lia)) as Rn.
  pose proof (front_range i ltac:(lia)) as Ri.
  destruct (Nat.eq_dec i n) as [->|Ni].
  - destruct (Nat.eq_dec k n) as [Ek|Nk].
    + apply (two_receivers n 1 1 (fun x => front n <=? x) (fun _ => false) (N - front n) 0).
      * intros x v Hx Hv E. left. destruct (along_path x v n Hx Hv Path E) as [A|[A|A]]; [|lia|lia].
        split; [lia|apply Z.leb_le; lia].
      * rewrite count_over; lia.
      * rewrite count_total, total_zero. lia.
      * destruct front_k as [F _]. pose proof (useful n ltac:(lia)) as U. rewrite <- Ek in U |- *. lia.
    + pose proof last_front as LF. pose proof (front_facts n ltac:(lia)) as [_ [_ B]].
      assert (P : front_before n = front (n - 1)%nat).
      { destruct (front_next (n - 1)%nat ltac:(lia)) as [<- _]. f_equal. lia. }
      pose proof (front_range (n - 1)%nat ltac:(lia)) as R1.
      apply (two_receivers n 1 (n - 1) (fun x => (front n <=? x) && (x <? front k)) (fun x => front (n - 1)%nat <=? x)
        (front k - front n) (N - front (n - 1)%nat)).
      * intros x v Hx Hv E. destruct (along_path x v n Hx Hv Path E) as [A|[A|A]]; [left|lia|right].
        -- split; [lia|]. apply andb_true_intro. split; [apply Z.leb_le|apply Z.ltb_lt]; lia.
        -- assert (v = n - 1)%nat as -> by lia. split; [lia|]. apply Z.leb_le. lia.
      * rewrite count_interval; lia.
      * rewrite count_over; lia.
      * lia.
  - destruct (front_next i ltac:(lia)) as [_ F]. pose proof (front_range (S i) ltac:(lia)) as R1.
    destruct (Nat.eq_dec i k) as [->|Nk].
    + apply (two_receivers k 1 (S k) (fun x => front k <=? x) (fun x => x <? front (S k)) (N - front k) (front (S k))).
      * intros x v Hx Hv E. destruct (along_path x v k Hx Hv Path E) as [A|[A|A]]; [left|right|lia].
        -- split; [lia|]. apply Z.leb_le. lia.
        -- assert (v = S k) as -> by lia. split; [lia|]. apply Z.ltb_lt. lia.
      * rewrite count_over; lia.
      * rewrite count_under; lia.
      * destruct front_k as [_ G]. lia.
    + assert (P : front_before i = front (i - 1)%nat).
      { destruct (front_next (i - 1)%nat ltac:(lia)) as [<- _]. f_equal. lia. }
      pose proof (front_range (i - 1)%nat ltac:(lia)) as R2.
      apply (two_receivers i (i - 1) (S i) (fun x => front (i - 1)%nat <=? x) (fun x => x <? front (S i))
        (N - front (i - 1)%nat) (front (S i))).
      * intros x v Hx Hv E. destruct (along_path x v i Hx Hv Path E) as [A|[A|A]]; [lia|right|left].
        -- assert (v = S i) as -> by lia. split; [lia|]. apply Z.ltb_lt. lia.
        -- assert (v = i - 1)%nat as -> by lia. split; [lia|]. apply Z.leb_le. lia.
      * rewrite count_over; lia.
      * rewrite count_under; lia.
      * lia.
Qed.

Lemma along_few i : (i <= n)%nat -> exists l, Z.of_nat (length l) <= d i + 1 /\
  forall x v, 0 <= x < N -> (1 <= v <= n)%nat -> along x v = i -> In v l.
Proof.
  intros Hi. pose proof k_two as K2. destruct (Nat.eq_dec i 0) as [->|I0].
  { exists (n :: seq 1 (Z.to_nat (d 0%nat))). pose proof (Dpos 0%nat). split; [cbn [length]; rewrite seq_length; lia|].
    intros x v Hx Hv E. destruct (Nat.eq_dec v n) as [->|Nn]; [now left|]. right.
    assert (O : own x v = 0%nat).
    { destruct (Nat.eq_dec v 1) as [->|N1]; [|unfold along in E; cases; lia].
      pose proof (own_early x 1 Hx ltac:(lia) ltac:(left; lia)). lia. }
    pose proof (receivers_first X n N x (d 0%nat) v HN Hx ltac:(lia) ltac:(lia) (Limit 0%nat) O). apply in_seq. lia. }
  destruct (le_lt_dec k i) as [Path|Early].
  - exists [(if (i =? k)%nat then 1 else if (i =? n)%nat then 1 else S i)%nat;
            (if (i =? k)%nat then S k else i - 1)%nat].
    split.
    + cbn [length]. pose proof (useful i ltac:(lia)). pose proof (Limit i). pose proof (Dpos i).
      assert (0 < d i) by nia. lia.
    + intros x v Hx Hv E. cbn [In]. destruct (along_path x v i Hx Hv Path E) as [A|[A|A]]; cases; lia.
  - destruct (own_few i ltac:(lia)) as [l [L F]]. exists l. split; [exact L|]. intros x v Hx Hv E.
    apply (F x v Hx Hv). apply along_own; try assumption. lia.
Qed.

Theorem path_served : served along.
Proof.
  constructor.
  - exists depth. intros x v Hx Hv. now apply along_rooted.
  - apply along_amount.
  - apply along_few.
Qed.
End Path.

(** One receiver more is enough. *)
Theorem one_more_receiver : (forall i j, (1 <= i <= j)%nat -> (j <= n)%nat -> X j <= X i) ->
  Z.of_nat n * N <= S_ (S n) -> exists parent, served parent.
Proof.
  intros Sorted Enough.
  assert (D : forall j, (forall i, (1 <= i < S j)%nat -> Z.of_nat i * N <= S_ i) \/
    exists k, (1 <= k <= j)%nat /\ S_ k < Z.of_nat k * N /\ forall i, (1 <= i < k)%nat -> Z.of_nat i * N <= S_ i).
  { induction j as [|j IH]; [left; intros; lia|]. destruct IH as [IH|[k [A [B C]]]].
    - destruct (Z_lt_le_dec (S_ (S j)) (Z.of_nat (S j) * N)) as [L|L].
      + right. exists (S j). split; [lia|]. split; [exact L|exact IH].
      + left. intros i Hi. destruct (Nat.eq_dec i (S j)) as [->|]; [exact L|apply IH; lia].
    - right. exists k. split; [lia|tauto]. }
  destruct (D n) as [T|[k [A [B C]]]].
  - exists own. apply in_turn. intros j Hj. apply T. lia.
  - exists (along k). now apply path_served.
Qed.

(** Without the last node nobody has to send to an earlier one. *)
Theorem in_turn_without_last : (forall i j, (1 <= i <= j)%nat -> (j < n)%nat -> X j <= X i) ->
  Z.of_nat n * N <= S_ n -> exists parent, served parent /\
  forall x v, 0 <= x < N -> (1 <= v <= n)%nat -> (parent x v < v)%nat.
Proof.
  intros Sorted Enough. exists own. apply in_turn. intros j Hj. destruct (Z_lt_le_dec (S_ j) (Z.of_nat j * N)) as [L|]; [|assumption].
  exfalso. assert (Slow : forall t, (j + t <= n)%nat -> S_ (j + t) < Z.of_nat (j + t) * N).
  { assert (Small : exists i, (1 <= i < j)%nat /\ X i < N).
    { assert (H : forall i, (i <= j)%nat -> (forall e, (1 <= e < i)%nat -> N <= X e) -> Z.of_nat i * N <= S_ i \/ i = 0%nat).
      { induction i as [|i IH]; intros Hi F; [now right|]. left. destruct (IH ltac:(lia) ltac:(intros; apply F; lia)) as [I| ->].
        - unfold S_ in *. cbn [before]. destruct i as [|i]; [cbn [before]; lia|]. specialize (F (S i) ltac:(lia)). nia.
        - unfold S_. cbn [before]. lia. }
      assert (E : forall m, (forall e, (1 <= e < m)%nat -> N <= X e) \/ exists e, (1 <= e < m)%nat /\ X e < N).
      { induction m as [|m IH]; [left; intros; lia|]. destruct IH as [I|[e [Ae Be]]]; [|right; exists e; split; [lia|exact Be]].
        destruct (Z_lt_le_dec (X m) N) as [Lm|Lm].
        - destruct (Nat.eq_dec m 0) as [->|]; [lia|]. right. exists m. split; [lia|exact Lm].
        - left. intros e He. destruct (Nat.eq_dec e m) as [->|]; [exact Lm|apply I; lia]. }
      destruct (E j) as [F|F]; [|exact F]. exfalso. destruct (H j ltac:(lia) F); lia. }
    destruct Small as [i [Hi Li]]. induction t as [|t IH]; intros Ht; [now rewrite Nat.add_0_r|].
    replace (j + S t)%nat with (S (j + t)) by lia. specialize (IH ltac:(lia)).
    pose proof (Sorted i (j + t)%nat ltac:(lia) ltac:(lia)). unfold S_ in *. cbn [before].
    rewrite Nat2Z.inj_succ. nia. }
  specialize (Slow (n - j)%nat ltac:(lia)). replace (j + (n - j))%nat with n in Slow by lia. lia.
Qed.
End Parts.
