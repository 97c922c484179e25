(** Senders that take turns, in whole numbers of parts: sender i has the places from what all before it send to
    what it sends besides, and N places in a row are one receiver's. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Exactsched.rounds Require Import Counting.
Import ListNotations.
Open Scope Z_scope.

Lemma below_plus a b : 0 <= a -> 0 <= b -> below (a + b) = below a ++ map (Z.add a) (below b).
Proof.
  intros Ha Hb. unfold below. rewrite Z2Nat.inj_add, seq_app, map_app by assumption. f_equal.
  rewrite map_map. rewrite Nat.add_0_l. set (k := Z.to_nat a). assert (E : a = Z.of_nat k) by lia.
  rewrite E. clear E Ha. clearbody k. generalize (Z.to_nat b). intros n. clear.
  assert (H : forall n k j, map Z.of_nat (seq (k + j) n) = map (fun x => Z.of_nat k + Z.of_nat x) (seq j n)).
  { clear. induction n as [|n IH]; intros k j; [reflexivity|]. cbn [seq map]. f_equal; [lia|].
    replace (S (k + j)) with (k + S j)%nat by lia. apply IH. }
  rewrite <- (H n k 0%nat). now rewrite Nat.add_0_r.
Qed.
Lemma count_app {A} (b : A -> bool) l l' : count b (l ++ l') = count b l + count b l'.
Proof. rewrite !count_total. apply total_app. Qed.
Lemma count_map {A B} (h : A -> B) (b : B -> bool) l : count b (map h l) = count (fun x => b (h x)) l.
Proof. rewrite !count_total. apply (total_map h (fun y => flag (b y))). Qed.
Lemma count_eq {A} (b c : A -> bool) l : (forall x, In x l -> b x = c x) -> count b l = count c l.
Proof. intros H. rewrite !count_total. apply total_eq. intros x Hx. now rewrite H. Qed.

(** The places of receivers 1 to n, one after the other. *)
Lemma places N (b : Z -> bool) n : 0 <= N ->
  total (fun x => count (fun v => b ((Z.of_nat v - 1) * N + x)) (seq 1 n)) (below N) = count b (below (Z.of_nat n * N)).
Proof.
  intros HN. induction n as [|n IH].
  - cbn [seq count]. rewrite total_zero. reflexivity.
  - rewrite (total_eq _ (fun x => count (fun v => b ((Z.of_nat v - 1) * N + x)) (seq 1 n) +
      flag (b (Z.of_nat n * N + x)))).
    + rewrite total_plus, IH, <- count_total. replace (Z.of_nat (S n) * N) with (Z.of_nat n * N + N) by lia.
      rewrite below_plus, count_app, count_map by nia. reflexivity.
    + intros x _. rewrite seq_S, count_app. cbn [count]. unfold flag.
      replace (Z.of_nat (1 + n) - 1) with (Z.of_nat n) by lia. destruct (b _); lia.
Qed.

Lemma count_at n a (b : bool) : count (fun v => (v =? a)%nat && b) (seq 1 n) <= flag b.
Proof.
  destruct b; cbn [flag].
  - rewrite (count_eq _ (fun v => (v =? a)%nat)) by (intros; apply andb_true_r). rewrite count_length.
    enough (length (filter (fun v => (v =? a)%nat) (seq 1 n)) <= length [a])%nat by (cbn [length] in *; lia).
    apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros v Hv. apply filter_In in Hv.
    destruct Hv as [_ E]. apply Nat.eqb_eq in E. now left.
  - rewrite (count_eq _ (fun _ => false)) by (intros; apply andb_false_r). rewrite count_total.
    cbn [flag]. rewrite total_zero. lia.
Qed.
Lemma count_at_least n a (b : bool) : (1 <= a <= n)%nat -> flag b <= count (fun v => (v =? a)%nat && b) (seq 1 n).
Proof.
  intros Ha. destruct b; cbn [flag]; [|apply count_nonneg]. rewrite count_total.
  pose proof (total_member (fun v => flag ((v =? a)%nat && true)) (seq 1 n) a) as H. cbv beta in H.
  rewrite Nat.eqb_refl in H. apply H; [intros; apply flag_nonneg|]. apply in_seq. lia.
Qed.

Lemma count_under N F : 0 <= F <= N -> count (fun x => x <? F) (below N) = F.
Proof.
  intros H. rewrite (count_eq _ (fun x => (0 <=? x) && (x <? F))), count_interval; try lia.
  intros x Hx. apply below_spec in Hx. destruct (Z.leb_spec 0 x); [reflexivity|lia].
Qed.
Lemma count_over N F : 0 <= F <= N -> count (fun x => F <=? x) (below N) = N - F.
Proof.
  intros H. rewrite (count_eq _ (fun x => (F <=? x) && (x <? N))), count_interval; try lia.
  intros x Hx. apply below_spec in Hx. destruct (Z.ltb_spec x N); [now rewrite andb_true_r|lia].
Qed.

Section Senders.
Variables (X : nat -> Z).
Hypothesis Pos : forall i, 0 <= X i.

(** What senders 0 to i - 1 send. *)
Fixpoint before (i : nat) : Z := match i with O => 0 | S i => before i + X i end.
Lemma before_grows i j : (i <= j)%nat -> before i <= before j.
Proof.
  induction 1 as [|j L IH]; [lia|]. cbn [before]. specialize (Pos j). lia.
Qed.

(** Whose place it is: one of the senders 0 to n. *)
Fixpoint owner (n : nat) (p : Z) : nat :=
  match n with O => O | S n' => if before n <=? p then n else owner n' p end.
Lemma owner_at_most n p : (owner n p <= n)%nat.
Proof. induction n as [|n IH]; [simpl; lia|]. cbn [owner]. destruct (before (S n) <=? p); lia. Qed.
Lemma owner_from n p : 0 <= p -> before (owner n p) <= p.
Proof.
  intros Hp. induction n as [|n IH]; [exact Hp|]. cbn [owner]. destruct (Z.leb_spec (before (S n)) p); [assumption|].
  exact IH.
Qed.
Lemma owner_until n p : (owner n p < n)%nat -> p < before (S (owner n p)).
Proof.
  induction n as [|n IH]; [lia|]. cbn [owner]. destruct (Z.leb_spec (before (S n)) p) as [|G]; [lia|]. intros H.
  pose proof (owner_at_most n p). destruct (Nat.eq_dec (owner n p) n) as [->|Ne]; [exact G|]. apply IH. lia.
Qed.
Lemma owner_before n p v : (0 < v)%nat -> 0 <= p < before v -> (owner n p < v)%nat.
Proof.
  intros Hv Hp. destruct (le_lt_dec v (owner n p)) as [L|]; [|assumption]. exfalso.
  pose proof (before_grows _ _ L). pose proof (owner_from n p ltac:(lia)). lia.
Qed.

(** A sender has no more places than it sends parts, *)
Lemma places_owned n K i : 0 <= K -> (i < n)%nat \/ K <= before (S n) -> (i <= n)%nat ->
  count (fun p => (owner n p =? i)%nat) (below K) <= X i.
Proof.
  intros HK Hi Hn. apply Z.le_trans with (Z.of_nat (length (map (Z.add (before i)) (below (X i))))).
  - rewrite count_length. apply Nat2Z.inj_le. apply NoDup_incl_length; [apply NoDup_filter, below_nodup|].
    intros p Hp. apply filter_In in Hp. destruct Hp as [Hp E]. apply below_spec in Hp. apply Nat.eqb_eq in E.
    pose proof (owner_from n p ltac:(lia)) as F. rewrite E in F.
    assert (p < before (S i)).
    { destruct (Nat.eq_dec i n) as [->|Ne]; [lia|]. pose proof (owner_until n p) as U. rewrite E in U. apply U. lia. }
    cbn [before] in H. apply in_map_iff. exists (p - before i). split; [lia|]. apply below_spec. lia.
  - rewrite map_length, below_length; [lia|apply Pos].
Qed.
(** and no more receivers than one more than N goes into them. *)
Lemma receivers_owned n N p i d v : 0 < N -> 0 <= p < N -> (i < n)%nat -> (1 <= v)%nat -> X i <= N * d ->
  owner n ((Z.of_nat v - 1) * N + p) = i ->
  before i / N <= Z.of_nat v - 1 <= before i / N + d.
Proof.
  intros HN Hp Hi Hv Xd E. set (q := (Z.of_nat v - 1) * N + p) in *. assert (Hq : 0 <= q) by (unfold q; nia).
  pose proof (owner_from n q Hq) as F. pose proof (owner_until n q) as U. rewrite E in *. specialize (U Hi).
  cbn [before] in U. assert (Q : q / N = Z.of_nat v - 1).
  { unfold q. rewrite Z.add_comm, Z.div_add, Z.div_small by lia. lia. }
  rewrite <- Q. split; [now apply Z.div_le_mono|].
  rewrite <- Z.div_add by lia. apply Z.div_le_mono; [exact HN|]. lia.
Qed.
Lemma receivers_first n N p d v : 0 < N -> 0 <= p < N -> (0 < n)%nat -> (1 <= v)%nat -> X 0%nat <= N * d ->
  owner n ((Z.of_nat v - 1) * N + p) = 0%nat -> Z.of_nat v <= d.
Proof.
  intros HN Hp Hi Hv Xd E. pose proof (owner_until n ((Z.of_nat v - 1) * N + p)) as U. rewrite E in U.
  specialize (U Hi). cbn [before] in U. assert ((Z.of_nat v - 1) * N < N * d) by lia. nia.
Qed.
End Senders.
