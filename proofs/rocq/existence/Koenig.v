(** König, weighted: the edges of a bipartite graph can be served in a time D that no node exceeds. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Sums Periodic.
From Exactsched.existence Require Import Definitions Finite Regular.
Import ListNotations.
Open Scope Q_scope.

Section Koenig.
Variables (es : list edge) (D : Q).
Hypothesis nonneg : forall e, In e es -> 0 <= weight e.
Hypothesis D_nonneg : 0 <= D.
Hypothesis lefts_fit : forall u, weight_at left u es <= D.
Hypothesis rights_fit : forall v, weight_at right v es <= D.

(** The graph made regular and simple: edge i is cut in two by nodes [Into i] and [From i] with an idle edge
    between them; the lacking loads are filled up by a mirrored copy. *)
Inductive row := L (u : Z) | X (v : Z) | Into (i : nat).
Inductive col := R (v : Z) | Y (u : Z) | From (i : nat).
Definition row_eq (x y : row) : {x = y} + {x <> y}. Proof. decide equality; auto using Z.eq_dec, Nat.eq_dec.
  Defined.
Definition col_eq (x y : col) : {x = y} + {x <> y}. Proof. decide equality; auto using Z.eq_dec, Nat.eq_dec.
  Defined.
Let n := length es.
Let e (i : nat) : edge := nth i es (Edge 0 0 0).
Definition us := nodup Z.eq_dec (map left es).
Definition vs := nodup Z.eq_dec (map right es).
Definition rows := map L us ++ map X vs ++ map Into (seq 0 n).
Definition cols := map R vs ++ map Y us ++ map From (seq 0 n).
Definition w (r : row) (c : col) : Q :=
  match r, c with
  | L u, From i => if (left (e i) =? u)%Z then weight (e i) else 0
  | L u, Y u' => if (u =? u')%Z then D - weight_at left u es else 0
  | X v, R v' => if (v =? v')%Z then D - weight_at right v es else 0
  | X v, Y u => sum (fun i => if (left (e i) =? u)%Z && (right (e i) =? v)%Z then weight (e i) else 0) (seq 0 n)
  | Into i, R v => if (right (e i) =? v)%Z then weight (e i) else 0
  | Into i, From j => if (i =? j)%nat then D - weight (e i) else 0
  | _, _ => 0
  end.

Lemma e_in i : (i < n)%nat -> In (e i) es.
Proof. apply nth_In. Qed.
Lemma in_us i : (i < n)%nat -> In (left (e i)) us.
Proof. intros H. apply nodup_In, in_map, e_in; auto. Qed.
Lemma in_vs i : (i < n)%nat -> In (right (e i)) vs.
Proof. intros H. apply nodup_In, in_map, e_in; auto. Qed.
Lemma weight_sum side x : sum (fun i => if (side (e i) =? x)%Z then weight (e i) else 0) (seq 0 n) == weight_at
  side x es.
Proof. unfold weight_at. rewrite sum_filter. apply (sum_nth (fun e => if (side e =? x)%Z then weight e else
  0)). Qed.
Lemma weight_D i : (i < n)%nat -> weight (e i) <= D.
Proof. intros H. eapply Qle_trans; [|apply (lefts_fit (left (e i)))]. unfold weight_at. apply (sum_member
  weight).
  intros x Hx. apply filter_In in Hx. apply nonneg; tauto. apply filter_In. split. apply e_in; auto. apply
    Z.eqb_refl. Qed.
Lemma in_rows r : In r rows <-> match r with L u => In u us | X v => In v vs | Into i => (i < n)%nat end.
Proof. unfold rows. rewrite !in_app_iff, !in_map_iff. split.
  - intros [(x & <- & H)|[(x & <- & H)|(x & <- & H)]]; auto. apply in_seq in H. lia.
  - destruct r; intros H; eauto. right. right. exists i. rewrite in_seq. split; auto. lia. Qed.
Lemma in_cols c : In c cols <-> match c with R v => In v vs | Y u => In u us | From i => (i < n)%nat end.
Proof. unfold cols. rewrite !in_app_iff, !in_map_iff. split.
  - intros [(x & <- & H)|[(x & <- & H)|(x & <- & H)]]; auto. apply in_seq in H. lia.
  - destruct c; intros H; eauto. right. right. exists i. rewrite in_seq. split; auto. lia. Qed.
Lemma nodup_three {S T1 T2 T3} (f : T1 -> S) (g : T2 -> S) (h : T3 -> S) l l' l'' :
  (forall x y, f x = f y -> x = y) -> (forall x y, g x = g y -> x = y) -> (forall x y, h x = h y -> x = y) ->
  (forall x y, f x <> g y) -> (forall x y, f x <> h y) -> (forall x y, g x <> h y) ->
  NoDup l -> NoDup l' -> NoDup l'' -> NoDup (map f l ++ map g l' ++ map h l'').
Proof. intros F G H A B C N N' N''. apply nodup_app; [apply nodup_map; auto|apply nodup_app; try (apply
  nodup_map; auto)|].
  - intros z. rewrite !in_map_iff. intros (x & <- & _) (y & E & _). symmetry in E. eapply C; eauto.
  - intros z. rewrite in_app_iff, !in_map_iff. intros (x & <- & _) [(y & E & _)|(y & E & _)]; symmetry in E.
    eapply A; eauto. eapply B; eauto. Qed.
Lemma nodup_rows : NoDup rows.
Proof. apply nodup_three; try congruence; auto using NoDup_nodup, seq_NoDup; apply NoDup_nodup. Qed.
Lemma nodup_cols : NoDup cols.
Proof. apply nodup_three; try congruence; auto using NoDup_nodup, seq_NoDup; apply NoDup_nodup. Qed.
Lemma sum_Z (c : Q) l x : NoDup l -> In x l -> sum (fun y => if (x =? y)%Z then c else 0) l == c.
Proof. intros N H. rewrite (sum_only (fun y => if (x =? y)%Z then c else 0) l x N H). rewrite Z.eqb_refl.
  reflexivity.
  intros y _ E. destruct (Z.eqb_spec x y); [congruence|reflexivity]. Qed.
Lemma sum_Z' (f : Z -> Q) l x : NoDup l -> In x l -> sum (fun y => if (y =? x)%Z then f y else 0) l == f x.
Proof. intros N H. rewrite (sum_only (fun y => if (y =? x)%Z then f y else 0) l x N H). rewrite Z.eqb_refl.
  reflexivity.
  intros y _ E. destruct (Z.eqb_spec y x); [congruence|reflexivity]. Qed.
Lemma in_n x : (x < n)%nat -> In x (seq 0 n).
Proof. rewrite in_seq. lia. Qed.
Lemma sum_N (c : Q) x : (x < n)%nat -> sum (fun y => if (x =? y)%nat then c else 0) (seq 0 n) == c.
Proof. intros H. rewrite (sum_only (fun y => if (x =? y)%nat then c else 0) (seq 0 n) x (seq_NoDup _ _) (in_n x
  H)).
  rewrite Nat.eqb_refl. reflexivity. intros y _ E. destruct (Nat.eqb_spec x y); [congruence|reflexivity]. Qed.
Lemma sum_N' (f : nat -> Q) x : (x < n)%nat -> sum (fun y => if (y =? x)%nat then f y else 0) (seq 0 n) == f x.
Proof. intros H. rewrite (sum_only (fun y => if (y =? x)%nat then f y else 0) (seq 0 n) x (seq_NoDup _ _) (in_n
  x H)).
  rewrite Nat.eqb_refl. reflexivity. intros y _ E. destruct (Nat.eqb_spec y x); [congruence|reflexivity]. Qed.

Lemma padded : regular rows cols w D.
Proof.
  assert (Nu : NoDup us) by apply NoDup_nodup. assert (Nv : NoDup vs) by apply NoDup_nodup.
  assert (W : forall i, (i < n)%nat -> 0 <= weight (e i)) by (intros; apply nonneg, e_in; auto).
  split; [|split].
  - intros r c Hr Hc. apply in_rows in Hr. apply in_cols in Hc. destruct r, c; simpl; try lra.
    + destruct (_ =? _)%Z; [|lra]. specialize (lefts_fit u). lra.
    + destruct (_ =? _)%Z; [|lra]. auto.
    + destruct (_ =? _)%Z; [|lra]. specialize (rights_fit v). lra.
    + apply sum_nonneg. intros i Hi. apply in_seq in Hi. destruct (_ && _); [|lra]. apply W. lia.
    + destruct (_ =? _)%Z; [|lra]. auto.
    + destruct (_ =? _)%nat; [|lra]. specialize (weight_D i Hr). lra.
  - intros r Hr. apply in_rows in Hr. unfold cols. rewrite !sum_app, !sum_map. destruct r; simpl.
    + rewrite sum_zero, weight_sum, sum_Z by auto. lra.
    + rewrite sum_zero, sum_swap, sum_Z by auto.
      rewrite (sum_eq _ (fun i => if (right (e i) =? v)%Z then weight (e i) else 0)), weight_sum. lra.
      intros i Hi. apply in_seq in Hi.
      rewrite (sum_eq _ (fun u => if (left (e i) =? u)%Z then (if (right (e i) =? v)%Z then weight (e i) else
        0) else 0)).
      apply sum_Z; auto. apply in_us. lia. intros u _. destruct (_ =? u)%Z, (_ =? v)%Z; simpl; reflexivity.
    + rewrite sum_zero, sum_N, sum_Z by auto using in_vs. lra.
  - intros c Hc. apply in_cols in Hc. unfold rows. rewrite !sum_app, !sum_map. destruct c; simpl.
    + rewrite sum_zero, weight_sum, (sum_Z' (fun v => D - weight_at right v es)) by auto. lra.
    + rewrite sum_zero, sum_swap, (sum_Z' (fun u => D - weight_at left u es)) by auto.
      rewrite (sum_eq _ (fun i => if (left (e i) =? u)%Z then weight (e i) else 0)), weight_sum. lra.
      intros i Hi. apply in_seq in Hi.
      rewrite (sum_eq _ (fun v => if (right (e i) =? v)%Z then (if (left (e i) =? u)%Z then weight (e i) else
        0) else 0)).
      apply sum_Z; auto. apply in_vs. lia. intros v _. destruct (_ =? u)%Z, (_ =? v)%Z; simpl; reflexivity.
    + rewrite sum_zero, (sum_N' (fun i => D - weight (e i))), sum_Z by auto using in_us. lra.
Qed.

Definition busy (P : row -> col -> bool) : list nat := filter (fun i => negb (P (Into i) (From i))) (seq 0 n).
Lemma in_busy P i : In i (busy P) <-> (i < n)%nat /\ P (Into i) (From i) = false.
Proof. unfold busy. rewrite filter_In, in_seq, negb_true_iff. intuition lia. Qed.

Lemma busy_matching P : permutation rows cols P ->
  (forall r c, In r rows -> In c cols -> P r c = true -> 0 < w r c) -> matching es (busy P).
Proof.
  intros (_ & Pr & Pc) Sup.
  assert (bit_nonneg : forall b, 0 <= bit b) by (intros []; unfold bit; lra).
  assert (one_row : forall r c c', In r rows -> In c cols -> In c' cols -> P r c = true -> P r c' = true -> c =
    c').
  { intros r c c' Hr Hc Hc' H H'. destruct (col_eq c c') as [|N]; auto. exfalso.
    pose proof (sum_two (fun c => bit (P r c)) cols c c' (fun _ _ => bit_nonneg _) Hc Hc' N) as T.
    rewrite (Pr r Hr), H, H' in T. unfold bit in T. lra. }
  assert (one_col : forall r r' c, In r rows -> In r' rows -> In c cols -> P r c = true -> P r' c = true -> r =
    r').
  { intros r r' c Hr Hr' Hc H H'. destruct (row_eq r r') as [|N]; auto. exfalso.
    pose proof (sum_two (fun r => bit (P r c)) rows r r' (fun _ _ => bit_nonneg _) Hr Hr' N) as T.
    rewrite (Pc c Hc), H, H' in T. unfold bit in T. lra. }
  assert (lft : forall i, In i (busy P) -> P (L (left (e i))) (From i) = true).
  { intros i Hi. apply in_busy in Hi. destruct Hi as [Hi E].
    assert (Hc : In (From i) cols) by (apply in_cols; auto).
    destruct (sum_positive (fun r => bit (P r (From i))) rows) as (r & Hr & Hb). rewrite (Pc _ Hc). lra.
    destruct (P r (From i)) eqn:Er; [|unfold bit in Hb; lra]. pose proof (Sup _ _ Hr Hc Er) as S.
    destruct r; simpl in S; try lra.
    - destruct (Z.eqb_spec (left (e i)) u); [subst; auto|lra].
    - destruct (Nat.eqb_spec i0 i); [subst; congruence|lra]. }
  assert (rgt : forall i, In i (busy P) -> P (Into i) (R (right (e i))) = true).
  { intros i Hi. apply in_busy in Hi. destruct Hi as [Hi E].
    assert (Hr : In (Into i) rows) by (apply in_rows; auto).
    destruct (sum_positive (fun c => bit (P (Into i) c)) cols) as (c & Hc & Hb). rewrite (Pr _ Hr). lra.
    destruct (P (Into i) c) eqn:Er; [|unfold bit in Hb; lra]. pose proof (Sup _ _ Hr Hc Er) as S.
    destruct c; simpl in S; try lra.
    - destruct (Z.eqb_spec (right (e i)) v); [subst; auto|lra].
    - destruct (Nat.eqb_spec i i0); [subst; congruence|lra]. }
  split; [|split].
  - apply NoDup_filter, seq_NoDup.
  - intros i Hi. apply in_busy in Hi. apply Hi.
  - intros i j a b Hi Hj N Ha Hb. pose proof (lft i Hi). pose proof (lft j Hj). pose proof (rgt i Hi). pose
    proof (rgt j Hj).
    apply in_busy in Hi, Hj.
    assert (e i = a) by (apply nth_error_nth; auto). assert (e j = b) by (apply nth_error_nth; auto). subst a b.
    split; intros E.
    + assert (From i = From j); [|congruence]. rewrite E in H.
      apply (one_row (L (left (e j)))); auto; rewrite ?in_rows, ?in_cols; try tauto. apply in_us; tauto.
    + assert (Into i = Into j); [|congruence]. rewrite E in H1.
      apply (one_col _ _ (R (right (e j)))); auto; rewrite ?in_rows, ?in_cols; try tauto. apply in_vs; tauto.
Qed.

Lemma koenig_exists : exists slots, decomposed es D slots.
Proof.
  destruct (birkhoff row_eq col_eq rows nodup_rows cols w D nodup_cols D_nonneg padded) as (l & L1 & L2 & L3).
  exists (map (fun s => (fst s, busy (snd s))) l). split; [|split].
  - intros d m H. apply in_map_iff in H. destruct H as ([d' P] & E & H). simpl in E. injection E as -> <-.
    destruct (L1 _ H) as [Hd HP]. simpl in *. split; auto. apply busy_matching; auto.
    intros r c Hr Hc E. rewrite L3 by auto. eapply Qlt_le_trans; [exact Hd|].
    eapply Qle_trans; [|apply (sum_member (fun s => fst s * bit (snd s r c)) l (d, P)); auto].
    simpl. rewrite E. unfold bit. lra. intros s Hs. apply L1 in Hs. destruct Hs as [Hs _]. unfold bit. destruct
      (snd s r c); lra.
  - rewrite sum_map. simpl. exact L2.
  - intros i a Ha. assert (Hi : (i < n)%nat) by (apply nth_error_Some; congruence).
    assert (Ei : e i = a) by (apply nth_error_nth; auto).
    unfold served. rewrite sum_filter, sum_map. simpl.
    assert (sum (fun s => fst s * bit (snd s (Into i) (From i))) l == D - weight a) as S.
    { rewrite <- L3 by (rewrite ?in_rows, ?in_cols; auto). simpl. rewrite Nat.eqb_refl, Ei. lra. }
    enough (sum (fun s => if listed i (busy (snd s)) then fst s else 0) l + sum (fun s => fst s * bit (snd s
      (Into i) (From i))) l
      == sum fst l) by lra.
    rewrite <- sum_plus. apply sum_eq. intros s _.
    destruct (listed i (busy (snd s))) eqn:E; destruct (snd s (Into i) (From i)) eqn:E'; unfold bit; try lra.
    + apply listed_in, in_busy in E. destruct E. congruence.
    + exfalso. apply eq_true_false_abs with (2 := E). apply listed_in, in_busy. auto.
Qed.
End Koenig.

(** The theorem. Its converse, and the number of slots: Few.v. *)
Theorem koenig es D : 0 <= D -> (forall e, In e es -> 0 <= weight e) ->
  (forall x, weight_at left x es <= D) -> (forall x, weight_at right x es <= D) -> exists slots, decomposed es
    D slots.
Proof. intros. apply koenig_exists; auto. Qed.
