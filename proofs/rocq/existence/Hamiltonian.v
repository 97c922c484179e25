(** Half-duplex on a bipartite graph with a Hamiltonian cycle of cheapest arcs both ways: the throughput is
    P / (2 (P - 1) c), by P / 2 paths around the cycle that miss every other edge. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Collectives Sums Time Bound.
From Exactsched.existence Require Import Definitions Finite Structures Reached Throughput Edmonds Capacities
  Broadcast.
Import ListNotations.
Open Scope Q_scope.

Section Cycle.
Variables (nodes : list node) (arcs : list arc) (h : nat) (v : nat -> node) (f g : nat -> nat) (c : Q).
Let P := (2 * h)%nat.
Let S := broadcast HalfDuplex nodes arcs (v 0%nat).
Hypothesis some : (0 < h)%nat.
Hypothesis G : graph nodes arcs (v 0%nat).
Hypothesis all : forall u, In u nodes <-> exists k, (k < P)%nat /\ v k = u.
Hypothesis once : forall i k, (i < P)%nat -> (k < P)%nat -> v i = v k -> i = k.
Hypothesis around : v P = v 0%nat.
Hypothesis c_pos : 0 < c.
Hypothesis cheapest : forall a, In a arcs -> c <= cost a.
Hypothesis colored : bipartite HalfDuplex arcs.
(** Arc number [f i] goes from node i to the next one, [g i] back. *)
Hypothesis forth : forall i, (i < P)%nat -> nth_error arcs (f i) = Some (Arc (v i) (v (i + 1)%nat) c).
Hypothesis back : forall i, (i < P)%nat -> nth_error arcs (g i) = Some (Arc (v (i + 1)%nat) (v i) c).

Lemma cycle_costs a : In a arcs -> 0 < cost a.
Proof. intros Ha. pose proof (cheapest a Ha). lra. Qed.
Let pos : takes_time S := broadcast_time HalfDuplex nodes arcs (v 0%nat) cycle_costs.

(** ** The paths *)
Lemma forwards k : (k < P)%nat -> reaches arcs (v 0%nat) (map v (rev (seq 0 (k + 1)))) (map f (rev (seq 0 k))).
Proof.
  induction k as [|k IH]; intros Hk. simpl. constructor.
  replace (Datatypes.S k + 1)%nat with (Datatypes.S (k + 1)) by lia. rewrite !seq_S, !rev_app_distr. simpl.
  apply (reaches_arc arcs (v 0%nat) _ _ (f k) (Arc (v k) (v (k + 1)%nat) c)).
  - apply IH. lia.
  - apply forth. lia.
  - simpl. apply in_map. apply -> in_rev. apply in_seq. lia.
  - simpl. rewrite in_map_iff. intros (i & E & Hi). apply in_rev, in_seq in Hi. apply once in E; lia.
Qed.
Lemma backwards j q : (2 * j + q < P)%nat -> reaches arcs (v 0%nat)
  (map v (seq (P - q) q) ++ map v (rev (seq 0 (2 * j + 1)))) (map g (seq (P - q) q) ++ map f (rev (seq 0 (2 *
    j)))).
Proof.
  induction q as [|q IH]; intros Hq. { apply forwards. lia. }
  assert (Eq : seq (P - Datatypes.S q) (Datatypes.S q) = (P - q - 1)%nat :: seq (P - q) q).
  { simpl. f_equal. lia. f_equal. lia. }
  rewrite Eq. simpl map. simpl app.
  apply (reaches_arc arcs (v 0%nat) _ _ (g (P - q - 1)) (Arc (v (P - q - 1 + 1)%nat) (v (P - q - 1)%nat) c)).
  - apply IH. lia.
  - apply back. lia.
  - cbn [tail]. replace (P - q - 1 + 1)%nat with (P - q)%nat by lia. apply in_app_iff. destruct q as [|q].
    + right. rewrite Nat.sub_0_r, around. apply in_map. apply -> in_rev. apply in_seq. lia.
    + left. apply in_map, in_seq. lia.
  - cbn [head]. rewrite in_app_iff, !in_map_iff. intros [(i & E & Hi)|(i & E & Hi)].
    + apply in_seq in Hi. apply once in E; lia.
    + apply in_rev, in_seq in Hi. apply once in E; lia.
Qed.
(** Path j misses edge 2 j. *)
Definition path (j : nat) : list nat := map g (seq (2 * j + 1) (P - 1 - 2 * j)) ++ map f (rev (seq 0 (2 * j))).
Lemma path_structure j : (j < h)%nat -> structure S (path j).
Proof.
  intros Hj. apply spanning_structure; auto. exists (map v (seq (2 * j + 1) (P - 1 - 2 * j)) ++ map v (rev (seq
    0 (2 * j + 1)))).
  split.
  - unfold path. replace (2 * j + 1)%nat with (P - (P - 1 - 2 * j))%nat at 1 by lia.
    replace (seq (2 * j + 1) (P - 1 - 2 * j)) with (seq (P - (P - 1 - 2 * j)) (P - 1 - 2 * j)) by (f_equal;
      lia).
    apply backwards. lia.
  - intros u Hu. apply all in Hu. destruct Hu as (k & Hk & <-). apply in_app_iff. destruct (le_lt_dec k (2 *
    j)).
    + right. apply in_map. apply -> in_rev. apply in_seq. lia.
    + left. apply in_map, in_seq. lia.
Qed.

(** ** Their loads *)
Definition touches (k i : nat) : bool := (i =? k)%nat || (i + 1 =? k)%nat || ((k =? 0)%nat && (i + 1 =? P)%nat).
Lemma v_next k i : (k < P)%nat -> (i < P)%nat -> v (i + 1)%nat = v k <-> (i + 1 = k \/ (k = 0 /\ i + 1 =
  P))%nat.
Proof.
  intros Hk Hi. split.
  - intros E. destruct (Nat.eq_dec (i + 1) P) as [F|F]. rewrite F, around in E. apply once in E; lia. apply
    once in E; lia.
  - intros [->|(-> & ->)]; auto.
Qed.
Lemma port_used k i n : (k < P)%nat -> (i < P)%nat -> n = f i \/ n = g i ->
  uses_it (Port (v k)) (kind S n) = touches k i /\ lasts (kind S n) == c.
Proof.
  intros Hk Hi Hn. assert (Ln : (n < length arcs)%nat).
  { apply nth_error_Some. destruct Hn as [->| ->]. rewrite forth by auto. discriminate. rewrite back by auto.
    discriminate. }
  unfold S. rewrite broadcast_kind by auto. unfold arc_of.
  assert (En : exists a, nth_error arcs n = Some a /\ cost a = c /\
    ((tail a = v i /\ head a = v (i + 1)%nat) \/ (tail a = v (i + 1)%nat /\ head a = v i))).
  { destruct Hn as [->| ->]. rewrite forth by auto. eexists. simpl. auto. rewrite back by auto. eexists. simpl.
    auto. }
  destruct En as (a & Ea & Ca & Ta). rewrite (nth_error_nth _ _ _ Ea). split.
  - apply eq_true_iff_eq. rewrite uses_it_spec. unfold touches. rewrite !orb_true_iff, andb_true_iff,
    !Nat.eqb_eq.
    pose proof (v_next k i Hk Hi) as N. simpl. split.
    + intros [E|[E|[]]]; injection E as E; destruct Ta as [[T1 T2]|[T1 T2]]; rewrite ?T1, ?T2 in E;
      try (apply once in E; auto; lia); apply N in E; lia.
    + intros T. assert (v i = v k \/ v (i + 1)%nat = v k) as [E|E] by (destruct T as [[->|T]|T]; [left;
      auto|right; apply N; lia|right; apply N; lia]);
      destruct Ta as [[T1 T2]|[T1 T2]]; rewrite T1, T2, E; auto.
  - simpl. rewrite Ca. ring.
Qed.
(** All edges but 2 j. *)
Definition kept (j : nat) : list nat := seq (2 * j + 1) (P - 1 - 2 * j) ++ rev (seq 0 (2 * j)).
Lemma path_load k j : (k < P)%nat -> (j < h)%nat -> load S (Port (v k)) (path j) == c * sum (fun i => bit
  (touches k i)) (kept j).
Proof.
  intros Hk Hj. unfold load, path, kept. rewrite !sum_app, !sum_map, Qmult_plus_distr_r, <- !sum_scale. apply
    Qplus_comp; apply sum_eq; intros i Hi.
  - apply in_seq in Hi. destruct (port_used k i (g i)) as [-> E]; auto. lia. unfold bit. destruct (touches k
    i); [rewrite E|]; ring.
  - apply in_rev, in_seq in Hi. destruct (port_used k i (f i)) as [-> E]; auto. lia. unfold bit. destruct
    (touches k i); [rewrite E|]; ring.
Qed.
Lemma kept_all j (w : nat -> Q) : (j < h)%nat -> sum w (kept j) == sum w (seq 0 P) - w (2 * j)%nat.
Proof.
  intros Hj. assert (E : seq 0 P = seq 0 (2 * j) ++ (2 * j)%nat :: seq (2 * j + 1) (P - 1 - 2 * j)).
  { replace P with (2 * j + Datatypes.S (P - 1 - 2 * j))%nat at 1 by lia. rewrite seq_app. simpl. do 2 f_equal.
    f_equal; lia. }
  unfold kept. rewrite E, !sum_app. simpl sum. rewrite (sum_perm w (rev (seq 0 (2 * j))) (seq 0 (2 * j))).
  2: apply Permutation_sym, Permutation_rev. replace (j + (j + 0))%nat with (2 * j)%nat by lia. ring.
Qed.
Lemma two_edges k : (k < P)%nat -> sum (fun i => bit (touches k i)) (seq 0 P) <= 2.
Proof.
  intros Hk. set (k' := if (k =? 0)%nat then (P - 1)%nat else (k - 1)%nat).
  apply Qle_trans with (sum (fun i => (if (i =? k)%nat then 1 else 0) + (if (i =? k')%nat then 1 else 0)) (seq
    0 P)).
  - apply sum_le. intros i Hi. apply in_seq in Hi. unfold touches, k', bit.
    destruct (Nat.eqb_spec i k), (Nat.eqb_spec (i + 1) k), (Nat.eqb_spec k 0), (Nat.eqb_spec (i + 1) P); simpl;
      repeat match goal with |- context [Nat.eqb ?a ?b] => destruct (Nat.eqb_spec a b) end; try lra; lia.
  - rewrite sum_plus.
    assert (One : forall m, sum (fun i => if (i =? m)%nat then 1 else 0) (seq 0 P) <= 1).
    { intros m. apply (sum_at_most_one (seq 0 P) (fun i => i =? m)%nat m). lra. apply seq_NoDup. intros i E.
      apply Nat.eqb_eq; auto. }
    pose proof (One k). pose proof (One k'). lra.
Qed.
Lemma loads_fit k : (k < P)%nat -> sum (fun j => load S (Port (v k)) (path j)) (seq 0 h) <= c * count (P - 1).
Proof.
  intros Hk. rewrite (sum_eq _ (fun j => c * (sum (fun i => bit (touches k i)) (seq 0 P) + -1 * bit (touches k
    (2 * j))))).
  2:{ intros j Hj. apply in_seq in Hj. rewrite path_load, kept_all by lia. ring. }
  rewrite sum_scale, sum_plus, sum_const, seq_length, sum_scale, !(Qmult_comm c). apply Qmult_le_compat_r;
    [|lra].
  assert (One : 1 <= sum (fun j => bit (touches k (2 * j))) (seq 0 h)).
  { apply Qle_trans with (bit (touches k (2 * (k / 2)))).
    - assert (T : touches k (2 * (k / 2)) = true); [|rewrite T; unfold bit; lra].
      unfold touches. rewrite !orb_true_iff, !Nat.eqb_eq. pose proof (Nat.div_mod k 2). pose proof
        (Nat.mod_upper_bound k 2). lia.
    - apply (sum_member (fun j => bit (touches k (2 * j)))). intros; apply bit_nonneg. apply in_seq.
      split. lia. rewrite Nat.add_0_l. apply Nat.div_lt_upper_bound; [lia|exact Hk]. }
  pose proof (two_edges k Hk) as Two. pose proof (count_nonneg h) as H0.
  assert (CP : count (P - 1) == count h * 2 - 1).
  { unfold P, count. rewrite Nat2Z.inj_sub, Nat2Z.inj_mul by lia. unfold Z.sub. rewrite inject_Z_plus,
    inject_Z_mult, inject_Z_opp.
    change (inject_Z (Z.of_nat 2)) with 2. change (inject_Z (Z.of_nat 1)) with 1. ring. }
  rewrite CP. set (a := sum (fun i => bit (touches k i)) (seq 0 P)) in *.
  assert (count h * a <= count h * 2). { rewrite !(Qmult_comm (count h)). apply Qmult_le_compat_r; auto. } lra.
Qed.

(** ** The throughput *)
Let T := count P / (2 * count (P - 1) * c).
Lemma P_pos : 0 < count (P - 1) /\ count P == 2 * count h /\ 0 < count h.
Proof.
  split; [|split]. apply count_pos. unfold P. lia. unfold P. rewrite count_mult. reflexivity. apply count_pos;
    auto.
Qed.
Lemma cycle_reached : packing S (map (fun j => (1 / (count (P - 1) * c), path j)) (seq 0 h)) /\
  value (map (fun j => (1 / (count (P - 1) * c), path j)) (seq 0 h)) == T.
Proof.
  destruct P_pos as (P1 & P2 & P3). assert (W : 0 < 1 / (count (P - 1) * c)).
  { apply Qlt_shift_div_l. apply Qmult_lt_0_compat; auto. lra. }
  split; [split|].
  - intros x t I. apply in_map_iff in I. destruct I as (j & E & Hj). injection E as <- <-. apply in_seq in Hj.
    split. lra.
    apply path_structure. lia.
  - intros r. rewrite sum_map. cbn [fst snd]. rewrite sum_scale.
    destruct (existsb (fun k => resource_eqb r (Port (v k))) (seq 0 P)) eqn:E.
    + apply existsb_exists in E. destruct E as (k & Hk & E). apply resource_eqb_eq in E. subst r. apply in_seq
      in Hk.
      setoid_replace 1 with (1 / (count (P - 1) * c) * (c * count (P - 1))) at 2 by (field; split; lra).
      rewrite !(Qmult_comm (1 / _)). apply Qmult_le_compat_r; [|lra]. apply loads_fit. lia.
    + rewrite (sum_none (fun j => load S r (path j))). lra. intros j Hj. apply in_seq in Hj. apply sum_none.
      intros i Hi.
      assert (St : structure S (path j)) by (apply path_structure; lia). apply (structure_range S) in Hi; auto.
      unfold S in Hi. rewrite broadcast_tasks in Hi. destruct (uses_it r (kind S i)) eqn:U; [|reflexivity].
        exfalso.
      apply uses_it_spec in U. unfold S in U. rewrite broadcast_kind in U by auto.
      destruct G as [_ He]. destruct (He (arc_of arcs i) (nth_In _ _ Hi)) as [Ht Hh]. apply all in Ht, Hh.
      destruct Ht as (a & La & Ea), Hh as (b & Lb & Eb).
      assert (F : forall k, (k < P)%nat -> r <> Port (v k)).
      { intros k Hk ->. assert (I : In k (seq 0 P)) by (apply in_seq; lia). pose proof (existsb_false _ _ E k
        I) as F. cbn beta in F.
        rewrite resource_eqb_refl in F. discriminate. }
      destruct U as [U|[U|[]]]; [apply (F a)|apply (F b)]; auto; congruence.
  - unfold value. rewrite sum_map. cbn [fst]. rewrite sum_const, seq_length. unfold T. rewrite P2. field.
    split; lra.
Qed.

Lemma cycle_prices : prices_prove S (Prices (map (fun k => (Port (v k), 1 / (2 * count (P - 1) * c))) (seq 0
  P)) []) T.
Proof.
  destruct P_pos as (P1 & P2 & P3). set (y := 1 / (2 * count (P - 1) * c)).
  assert (D : 0 < 2 * count (P - 1) * c) by (apply Qmult_lt_0_compat; lra).
  assert (Y : 0 < y) by (apply Qlt_shift_div_l; lra).
  split; [|split].
  - split; [|easy]. intros r q I. apply in_map_iff in I. destruct I as (k & E & _). injection E as <- <-. lra.
  - unfold total. simpl. rewrite sum_map. cbn [snd]. rewrite sum_const, seq_length. unfold T, y. field. split;
    lra.
  - intros t St. pose proof St as (Gr & W). destruct (grows_facts S t Gr) as (N & R).
    assert (Len : (P - 1 <= length t)%nat).
    { assert (L : (length (map (fun k => At (Message 0) (v k)) (seq 0 P)) <= length (known S t))%nat).
      { apply NoDup_incl_length.
        - assert (forall l, (forall i, In i l -> (i < P)%nat) -> NoDup l -> NoDup (map (fun k => At (Message 0)
          (v k)) l)) as Nd.
          { induction l as [|a l IH]; intros H N'; simpl; constructor; inversion N'; subst.
            - rewrite in_map_iff. intros (b & E & Hb). injection E as E. apply once in E. subst; auto. apply H;
              right; auto. apply H; left; auto.
            - apply IH; auto. intros; apply H; right; auto. }
          apply Nd. intros i Hi. apply in_seq in Hi. lia. apply seq_NoDup.
        - intros x Hx. apply in_map_iff in Hx. destruct Hx as (k & <- & Hk). apply in_seq in Hk. apply W. apply
          in_map. apply all. exists k. split; auto. lia. }
      rewrite map_length, seq_length in L. unfold known in L. rewrite app_length, map_length in L. simpl in L.
        lia. }
    apply Qle_trans with (sum (fun _ => 2 * y * c) t).
    + rewrite sum_const. apply count_le in Len. apply Qle_trans with (count (P - 1) * (2 * y * c)).
      * apply Qle_lteq. right. unfold y. field. split; lra.
      * apply Qmult_le_compat_r; auto. assert (0 < y * c) by (apply Qmult_lt_0_compat; auto). lra.
    + apply sum_le. intros i Hi. destruct (R i Hi) as [Li _]. unfold S in Li. rewrite broadcast_tasks in Li.
      assert (Ia : In (arc_of arcs i) arcs) by (apply nth_In; auto).
      destruct G as [_ He]. destruct (He _ Ia) as [Ht Hh]. apply all in Ht, Hh.
      destruct Ht as (a & La & Ea), Hh as (b & Lb & Eb).
      assert (Ne : a <> b). { intros ->. destruct (colored eq_refl) as (col & Col). apply (Col _ Ia).
        congruence. }
      assert (Pays : 2 * y <= paid (Prices (map (fun k => (Port (v k), y)) (seq 0 P)) []) (kind S i)).
      { unfold paid. simpl. rewrite sum_map, Qplus_0_r. cbn [fst snd].
        assert (U : forall k, k = a \/ k = b -> uses_it (Port (v k)) (kind S i) = true).
        { intros k Hk. apply uses_it_spec. unfold S. rewrite broadcast_kind by auto. simpl. rewrite <- Ea, <-
          Eb. destruct Hk as [->| ->]; auto. }
        eapply Qle_trans; [|apply (sum_two (fun k => if uses_it (Port (v k)) (kind S i) then y else 0) (seq 0
          P) a b)].
        - rewrite !U by auto. lra.
        - intros k _. destruct (uses_it _ _); lra.
        - apply in_seq. lia.
        - apply in_seq. lia.
        - auto. }
      assert (La' : c <= lasts (kind S i)).
      { unfold S. rewrite broadcast_kind by auto. simpl. pose proof (cheapest _ Ia). lra. }
      apply Qle_trans with (c * (2 * y)). apply Qle_lteq. right. ring.
      apply Qle_trans with (lasts (kind S i) * (2 * y)). apply Qmult_le_compat_r; lra.
      rewrite !(Qmult_comm (lasts _)). apply Qmult_le_compat_r; lra.
Qed.

Theorem hamiltonian_throughput : throughput S T.
Proof.
  assert (Two : two_sided S) by (apply (at_arcs_two_sided HalfDuplex arcs); auto; apply broadcast_at_arcs).
  assert (Todo : something_to_do S).
  { apply (broadcast_to_do HalfDuplex nodes arcs (v 0%nat) (v 1%nat)). apply all. exists 1%nat. split; auto.
    unfold P. lia.
    intros E. apply once in E; unfold P; lia. }
  destruct cycle_reached as [Pl V].
  apply (throughput_is_best S (path 0) T); auto. apply path_structure; auto.
  split. eauto. intros l Pl'. eapply packing_prices; eauto. apply cycle_prices.
Qed.
End Cycle.
