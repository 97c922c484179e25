(** Linear programming: a program with a point and a bound has a best point, and multipliers of the rows that
    prove it (Fourier and Motzkin: every row that elimination makes is a combination of the given ones). *)
From Coq Require Import QArith Qminmax List Arith Lia Lqa Bool.
From Exactsched Require Import Model Sums Periodic.
From Exactsched.existence Require Import Finite.
Import ListNotations.
Open Scope Q_scope.

(** ** Elimination *)
Section Elimination.
Context {I J : Type} (eqJ : forall j k : J, {j = k} + {j <> k}).
Variables (rows : list I) (A : I -> J -> Q) (b : I -> Q).
Implicit Types (y z : I -> Q) (Y : list (I -> Q)) (x : J -> Q).

(** A combination of the rows with factors y: its coefficients, its right side; what x leaves of it. *)
Definition factor y j : Q := sum (fun i => y i * A i j) rows.
Definition right_side y : Q := sum (fun i => y i * b i) rows.
Definition slack cols y x : Q := right_side y - sum (fun j => factor y j * x j) cols.
Definition nonneg_factors y : Prop := forall i, In i rows -> 0 <= y i.

Definition mix p y q z : I -> Q := fun i => p * y i + q * z i.
Lemma factor_mix p y q z j : factor (mix p y q z) j == p * factor y j + q * factor z j.
Proof. unfold factor, mix. rewrite <- !sum_scale, <- sum_plus. apply sum_eq. intros. ring. Qed.
Lemma right_mix p y q z : right_side (mix p y q z) == p * right_side y + q * right_side z.
Proof. unfold right_side, mix. rewrite <- !sum_scale, <- sum_plus. apply sum_eq. intros. ring. Qed.
Lemma slack_mix cols p y q z x : slack cols (mix p y q z) x == p * slack cols y x + q * slack cols z x.
Proof.
  unfold slack. rewrite right_mix.
  rewrite (sum_eq _ (fun j => p * (factor y j * x j) + q * (factor z j * x j)))
    by (intros; rewrite factor_mix; ring).
  rewrite sum_plus, !sum_scale. ring.
Qed.

Definition above j Y := filter (fun y => positive (factor y j)) Y.
Definition below j Y := filter (fun y => positive (- factor y j)) Y.
Definition untouched j Y := filter (fun y => negb (positive (factor y j)) && negb (positive (- factor y j))) Y.
Definition eliminated j Y := untouched j Y ++
  map (fun '(y, z) => mix (- factor z j) y (factor y j) z) (list_prod (above j Y) (below j Y)).

Lemma eliminated_from j Y (P : (I -> Q) -> Prop) : (forall y, In y Y -> P y) ->
  (forall p y q z, 0 <= p -> 0 <= q -> In y Y -> In z Y -> P (mix p y q z)) ->
  forall y, In y (eliminated j Y) -> P y.
Proof.
  intros H M y Hy. apply in_app_iff in Hy. destruct Hy as [Hy|Hy].
  - apply filter_In in Hy. apply H. tauto.
  - apply in_map_iff in Hy. destruct Hy as ([u v] & <- & Hy). apply in_prod_iff in Hy. destruct Hy as [Hu Hv].
    apply filter_In in Hu, Hv. rewrite positive_spec in Hu, Hv. apply M; try tauto; lra.
Qed.
Lemma eliminated_zero j Y y : In y (eliminated j Y) -> factor y j == 0.
Proof.
  intros Hy. apply in_app_iff in Hy. destruct Hy as [Hy|Hy].
  - apply filter_In in Hy. destruct Hy as [_ Hy]. apply andb_true_iff in Hy. rewrite !negb_true_iff in Hy.
    destruct Hy as [H1 H2]. apply positive_false in H1, H2. lra.
  - apply in_map_iff in Hy. destruct Hy as ([u v] & <- & Hy). rewrite factor_mix. ring.
Qed.
Lemma eliminated_value j Y cols x : (forall y, In y (eliminated j Y) -> 0 <= slack cols y x) ->
  exists u, forall y, In y Y -> factor y j * u <= slack cols y x.
Proof.
  intros H. set (limit y := slack cols y x / factor y j).
  destruct (between limit limit (below j Y) (above j Y)) as (u & Lo & Hi).
  { intros z y Hz Hy. assert (M : 0 <= slack cols (mix (- factor z j) y (factor y j) z) x).
    { apply H, in_app_iff. right. apply in_map_iff. exists (y, z). split; auto. apply in_prod; auto. }
    apply filter_In in Hz, Hy. rewrite positive_spec in Hz, Hy. destruct Hz as [_ Hz], Hy as [_ Hy].
    rewrite slack_mix in M. unfold limit. revert Hz Hy M.
    generalize (slack cols y x) (slack cols z x) (factor y j) (factor z j). intros s t p q Hq Hp M.
    apply Qle_shift_div_l; auto. setoid_replace (t / q * p) with (- t * p / - q) by (field; lra).
    apply Qle_shift_div_r; nra. }
  exists u. intros y Hy. destruct (positive (factor y j)) eqn:P.
  - assert (Iy : In y (above j Y)) by (apply filter_In; auto). apply Hi in Iy. apply positive_spec in P.
    unfold limit in Iy. rewrite Qmult_comm.
    apply Qle_trans with (slack cols y x / factor y j * factor y j). apply Qmult_le_compat_r; lra.
    apply Qle_lteq. right. field. lra.
  - destruct (positive (- factor y j)) eqn:N.
    + assert (Iy : In y (below j Y)) by (apply filter_In; auto). apply Lo in Iy. apply positive_spec in N.
      unfold limit in Iy.
      assert (slack cols y x / factor y j * - factor y j <= u * - factor y j) by (apply Qmult_le_compat_r; lra).
      assert (slack cols y x / factor y j * - factor y j == - slack cols y x) as E by (field; lra).
      rewrite E in H0. lra.
    + assert (Iy : In y (eliminated j Y)).
      { apply in_app_iff. left. apply filter_In. rewrite P, N. auto. }
      apply H in Iy. apply positive_false in P, N. assert (factor y j == 0) as -> by lra. lra.
Qed.

Lemma factor_zero_mix p y q z j : factor y j == 0 -> factor z j == 0 -> factor (mix p y q z) j == 0.
Proof. intros E F. rewrite factor_mix, E, F. ring. Qed.

(** The columns of the list go, those of [rest] stay. *)
Lemma elimination rest : forall cols Y, NoDup (cols ++ rest) -> (forall y, In y Y -> nonneg_factors y) ->
  exists Y', (forall y, In y Y' -> nonneg_factors y) /\
    (forall j, (forall y, In y Y -> factor y j == 0) -> forall y, In y Y' -> factor y j == 0) /\
    (forall j, In j cols -> forall y, In y Y' -> factor y j == 0) /\
    forall x, (forall y, In y Y' -> 0 <= slack rest y x) ->
      exists x', (forall j, ~ In j cols -> x' j = x j) /\ forall y, In y Y -> 0 <= slack (cols ++ rest) y x'.
Proof.
  induction cols as [|j cols IH]; intros Y N Hn.
  - exists Y. repeat split; auto. intros j []. intros x H. exists x. auto.
  - inversion N as [|? ? Nj N']; subst.
    destruct (IH (eliminated j Y) N') as (Y' & H1 & H2 & H3 & H4).
    { apply eliminated_from; auto. intros p y q z Hp Hq Hy Hz i Hi. unfold mix.
      pose proof (Hn y Hy i Hi). pose proof (Hn z Hz i Hi). nra. }
    exists Y'. split; auto. split; [|split].
    + intros k Hk. apply H2. apply eliminated_from; auto. intros. apply factor_zero_mix; auto.
    + intros k [<-|Hk]; auto. apply H2. apply eliminated_zero.
    + intros x Hx. destruct (H4 x Hx) as (x1 & Off & S1).
      destruct (eliminated_value j Y (cols ++ rest) x1 S1) as (u & Hu).
      exists (fun k => if eqJ k j then u else x1 k). split.
      * intros k Hk. destruct (eqJ k j) as [->|]. exfalso. apply Hk. left; auto. apply Off. intros I1. apply Hk.
        right; auto.
      * intros y Hy. specialize (Hu y Hy). revert Hu. unfold slack. cbn [app sum].
        destruct (eqJ j j) as [_|]; [|easy].
        rewrite (sum_eq (fun k => factor y k * (if eqJ k j then u else x1 k)) (fun k => factor y k * x1 k)).
        lra. intros k Hk. destruct (eqJ k j) as [->|]; [contradiction|reflexivity].
Qed.
End Elimination.

(** ** Duality *)
Section Duality.
Context {I J : Type} (eqI : forall i k : I, {i = k} + {i <> k}) (eqJ : forall j k : J, {j = k} + {j <> k}).
Variables (rows : list I) (cols : list J) (A : I -> J -> Q) (b : I -> Q) (c : J -> Q).
Hypothesis rows_once : NoDup rows.
Hypothesis cols_once : NoDup cols.

(** Points of the program: each row is at most its right side. *)
Definition point (x : J -> Q) : Prop := forall i, In i rows -> sum (fun j => A i j * x j) cols <= b i.
Definition worth (x : J -> Q) : Q := sum (fun j => c j * x j) cols.

(** One more column, the worth, and one more row: it is at most what the point is worth. *)
Definition rows' := None :: map Some rows.
Definition A' (i : option I) (j : option J) : Q :=
  match i, j with None, None => 1 | None, Some j => - c j | Some i, None => 0 | Some i, Some j => A i j end.
Definition b' (i : option I) : Q := match i with None => 0 | Some i => b i end.
Definition cols' := map Some cols ++ [@None J].
Lemma eq_option {X} (d : forall x y : X, {x = y} + {x <> y}) (x y : option X) : {x = y} + {x <> y}.
Proof. decide equality. Defined.
Definition single (i k : option I) : Q := if eq_option eqI k i then 1 else 0.
Lemma rows'_once : NoDup rows'.
Proof.
  constructor. rewrite in_map_iff. intros (x & E & _). discriminate. apply nodup_map; auto. congruence.
Qed.
Lemma unit_sum (f : option I -> Q) i : In i rows' -> sum (fun k => single i k * f k) rows' == f i.
Proof.
  intros Hi. rewrite (sum_only (fun k => single i k * f k) rows' i rows'_once Hi); unfold single.
  - destruct (eq_option eqI i i); [ring|easy].
  - intros k _ N. destruct (eq_option eqI k i); [easy|ring].
Qed.
Lemma option_sum {X} (f : option X -> Q) l : sum f (map Some l) == sum (fun x => f (Some x)) l.
Proof. apply sum_map. Qed.

(** What a nonnegative combination says of every point. *)
Lemma combination x y : point x -> nonneg_factors rows' y -> sum (fun j => factor rows' A' y (Some j) * x j)
  cols +
  factor rows' A' y None * worth x <= right_side rows' b' y.
Proof.
  intros P N.
  assert (F : forall j, factor rows' A' y (Some j) ==
    - y None * c j + sum (fun i => y (Some i) * A i j) rows).
  { intros j. unfold factor. cbn [rows' sum]. rewrite option_sum. cbn [A']. ring. }
  assert (G : factor rows' A' y None == y None).
  { unfold factor. cbn [rows' sum]. rewrite option_sum. cbn [A'].
    rewrite (sum_none (fun i => y (Some i) * 0)) by (intros; ring). ring. }
  assert (R : right_side rows' b' y == sum (fun i => y (Some i) * b i) rows).
  { unfold right_side. cbn [rows' sum]. rewrite option_sum. cbn [b']. ring. }
  assert (E : sum (fun j => factor rows' A' y (Some j) * x j) cols ==
    - y None * worth x + sum (fun i => y (Some i) * sum (fun j => A i j * x j) cols) rows).
  { unfold worth.
    rewrite (sum_eq (fun i => y (Some i) * sum (fun j => A i j * x j) cols)
      (fun i => sum (fun j => y (Some i) * (A i j * x j)) cols)) by (intros; rewrite sum_scale; reflexivity).
    rewrite sum_swap, <- sum_scale, <- sum_plus. apply sum_eq. intros j _.
    rewrite F, Qmult_plus_distr_l. apply Qplus_comp. ring. rewrite Qmult_comm, <- sum_scale.
    apply sum_eq. intros. ring. }
  rewrite E, G, R.
  assert (sum (fun i => y (Some i) * sum (fun j => A i j * x j) cols) rows
    <= sum (fun i => y (Some i) * b i) rows); [|lra].
  apply sum_le. intros i Hi. specialize (P i Hi).
  assert (0 <= y (Some i)). { apply N. right. apply in_map; auto. }
  rewrite !(Qmult_comm (y (Some i))). apply Qmult_le_compat_r; auto.
Qed.

Theorem linear_duality x0 U : point x0 -> (forall x, point x -> worth x <= U) ->
  exists x y, point x /\ (forall i, In i rows -> 0 <= y i) /\
    (forall j, In j cols -> sum (fun i => y i * A i j) rows == c j) /\
    worth x == sum (fun i => y i * b i) rows.
Proof.
  intros P0 HU.
  assert (Once : NoDup cols').
  { apply nodup_app. apply nodup_map; auto. congruence. repeat constructor; auto.
    intros z Hz [<-|[]]. apply in_map_iff in Hz. destruct Hz as (? & ? & _). discriminate. }
  destruct (elimination (eq_option eqJ) rows' A' b' [None] (map Some cols) (map single rows') Once)
    as (Y & Y1 & _ & Y2 & Y3).
  { intros y Hy. apply in_map_iff in Hy. destruct Hy as (i & <- & _). intros k _. unfold single.
    destruct (eq_option eqI k i); lra. }
  set (q y := factor rows' A' y None). set (r y := right_side rows' b' y).
  assert (Zero : forall x y, In y Y -> sum (fun j => factor rows' A' y (Some j) * x j) cols == 0).
  { intros x y Hy. apply sum_none. intros j Hj. rewrite (Y2 (Some j)); auto. ring. apply in_map; auto. }
  assert (Sound : forall x y, point x -> In y Y -> q y * worth x <= r y).
  { intros x y P Hy. pose proof (combination x y P (Y1 y Hy)) as C. rewrite (Zero x y Hy) in C. unfold q, r.
    lra. }
  assert (Complete : forall t, (forall y, In y Y -> q y * t <= r y) -> exists x, point x /\ t <= worth x).
  { intros t Ht. destruct (Y3 (fun _ => t)) as (x & Off & S).
    { intros y Hy. unfold slack. simpl sum. specialize (Ht y Hy). unfold q, r in Ht. lra. }
    assert (Row : forall i, In i rows' -> sum (fun j => A' i (Some j) * x (Some j)) cols + A' i None * t <= b'
      i).
    { intros i Hi. specialize (S (single i) (in_map _ _ _ Hi)). unfold slack, factor, right_side in S.
      rewrite unit_sum, sum_app, option_sum in S by auto. cbn [sum] in S.
      rewrite (Off None), (unit_sum (fun k => A' k None)) in S.
      rewrite (sum_eq _ (fun j => A' i (Some j) * x (Some j))) in S. lra.
      intros j _. rewrite (unit_sum (fun k => A' k (Some j))) by auto. reflexivity.
      auto. rewrite in_map_iff. intros (? & ? & _). discriminate. }
    exists (fun j => x (Some j)). split.
    - intros i Hi. specialize (Row (Some i) (or_intror (in_map _ _ _ Hi))). simpl in Row. lra.
    - specialize (Row None (or_introl eq_refl)). simpl in Row. unfold worth.
      rewrite (sum_eq _ (fun j => -1 * (c j * x (Some j)))) in Row by (intros; ring). rewrite sum_scale in Row.
        lra. }
  set (up := filter (fun y => positive (q y)) Y).
  destruct (list_eq_dec (fun _ _ : nat => Nat.eq_dec _ _) (map (fun _ => 0%nat) up) []) as [E|E].
  - (* no row limits the worth *)
    exfalso. apply map_eq_nil in E. destruct (Complete (Qmax U (worth x0) + 1)) as (x & P & L).
    + intros y Hy. assert (q y <= 0).
      { apply positive_false. apply not_true_is_false. intros F. assert (I0 : In y up) by (apply filter_In;
        auto).
        rewrite E in I0. easy. }
      pose proof (Sound x0 y P0 Hy). pose proof (Q.le_max_r U (worth x0)). nra.
    + specialize (HU x P). pose proof (Q.le_max_l U (worth x0)). lra.
  - assert (E' : up <> []) by (intros F; apply E; rewrite F; auto). clear E.
    destruct (greatest (fun y => - (r y / q y)) up E') as (y & Hy & Best).
    apply filter_In in Hy. destruct Hy as [Hy Py]. apply positive_spec in Py.
    assert (Upper : forall x, point x -> worth x <= r y / q y).
    { intros x P. pose proof (Sound x y P Hy). apply Qle_shift_div_l; auto. lra. }
    destruct (Complete (r y / q y)) as (x & P & L).
    { intros z Hz. destruct (positive (q z)) eqn:Pz.
      - assert (Iz : In z up) by (apply filter_In; auto). apply Best in Iz. apply positive_spec in Pz.
        rewrite Qmult_comm. apply Qle_trans with (r z / q z * q z). apply Qmult_le_compat_r; lra.
        apply Qle_lteq. right. field. lra.
      - apply positive_false in Pz. pose proof (Sound x0 z P0 Hz). pose proof (Upper x0 P0). nra. }
    assert (Qy : q y == y None).
    { unfold q, factor. cbn [rows' sum A']. rewrite option_sum.
      rewrite (sum_none (fun i => y (Some i) * A' (Some i) None)) by (intros; simpl; ring). ring. }
    assert (Right : r y == sum (fun i => y (Some i) * b i) rows).
    { unfold r, right_side. cbn [rows' sum b']. rewrite option_sum. cbn [b']. ring. }
    exists x, (fun i => y (Some i) / q y). split; auto. split; [|split].
    + intros i Hi. apply Qle_shift_div_l; auto. rewrite Qmult_0_l. apply (Y1 y Hy). right. apply in_map; auto.
    + intros j Hj. specialize (Y2 (Some j) (in_map _ _ _ Hj) y Hy). unfold factor in Y2. cbn [rows' sum A'] in
      Y2.
      rewrite option_sum in Y2. cbn [A'] in Y2.
      rewrite (sum_eq _ (fun i => / q y * (y (Some i) * A i j))) by (intros; unfold Qdiv; ring).
      rewrite sum_scale.
      assert (S : sum (fun i => y (Some i) * A i j) rows == q y * c j) by (rewrite Qy; lra).
      rewrite S. field. lra.
    + rewrite (sum_eq (fun i => y (Some i) / q y * b i) (fun i => / q y * (y (Some i) * b i)))
        by (intros; unfold Qdiv; ring).
      rewrite sum_scale, <- Right. specialize (Upper x P).
      assert (/ q y * r y == r y / q y) as -> by (unfold Qdiv; ring). lra.
Qed.
End Duality.

(** The form in which it is used: variables and multipliers are nonnegative, the right sides too. *)
Section Packing.
Context {I J : Type} (eqI : forall i k : I, {i = k} + {i <> k}) (eqJ : forall j k : J, {j = k} + {j <> k}).
Variables (rows : list I) (cols : list J) (A : I -> J -> Q) (b : I -> Q) (c : J -> Q).
Hypothesis rows_once : NoDup rows.
Hypothesis cols_once : NoDup cols.
Hypothesis b_nonneg : forall i, In i rows -> 0 <= b i.
Definition packed (x : J -> Q) : Prop :=
  (forall j, In j cols -> 0 <= x j) /\ forall i, In i rows -> sum (fun j => A i j * x j) cols <= b i.

Theorem packing_duality U : (forall x, packed x -> sum (fun j => c j * x j) cols <= U) ->
  exists x y, packed x /\ (forall i, In i rows -> 0 <= y i) /\
    (forall j, In j cols -> c j <= sum (fun i => y i * A i j) rows) /\
    sum (fun j => c j * x j) cols == sum (fun i => y i * b i) rows.
Proof.
  intros HU. set (R := map inl rows ++ map inr cols : list (I + J)).
  set (A2 (i : I + J) (j : J) := match i with inl i => A i j | inr k => if eqJ j k then - (1) else 0 end).
  set (b2 (i : I + J) := match i with inl i => b i | inr _ => 0 end).
  assert (eq2 : forall i k : I + J, {i = k} + {i <> k}) by decide equality.
  assert (NR : NoDup R).
  { apply nodup_app; try (apply nodup_map; auto; congruence).
    intros z Hz Hz'. apply in_map_iff in Hz, Hz'. destruct Hz as (? & <- & _), Hz' as (? & ? & _).
      discriminate. }
  assert (Sign : forall k (x : J -> Q), In k cols -> sum (fun j => A2 (inr k) j * x j) cols == - x k).
  { intros k x Hk. rewrite (sum_only _ cols k cols_once Hk); unfold A2. destruct (eqJ k k); [ring|easy].
    intros j _ N. destruct (eqJ j k); [easy|ring]. }
  assert (Eq : forall x, point R cols A2 b2 x <-> packed x).
  { intros x. split.
    - intros P. split.
      + intros j Hj. specialize (P (inr j)). rewrite Sign in P by auto. simpl in P.
        assert (- x j <= 0); [|lra]. apply P. apply in_app_iff. right. apply in_map; auto.
      + intros i Hi. apply (P (inl i)). apply in_app_iff. left. apply in_map; auto.
    - intros [P1 P2] i Hi. apply in_app_iff in Hi. destruct Hi as [Hi|Hi]; apply in_map_iff in Hi;
      destruct Hi as (k & <- & Hk). apply P2; auto. rewrite Sign by auto. simpl. specialize (P1 k Hk). lra. }
  destruct (linear_duality eq2 eqJ R cols A2 b2 c NR cols_once (fun _ => 0) U) as (x & y & P & Hy & Hc & V).
  - apply Eq. split. intros; lra. intros i Hi. rewrite sum_none; auto. intros; ring.
  - intros x P. apply HU. apply Eq; auto.
  - assert (Split : forall f : I + J -> Q,
      sum f R == sum (fun i => f (inl i)) rows + sum (fun j => f (inr j)) cols).
    { intros f. unfold R. rewrite sum_app, !sum_map. reflexivity. }
    exists x, (fun i => y (inl i)). split. apply Eq; auto. split; [|split].
    + intros i Hi. apply Hy. apply in_app_iff. left. apply in_map; auto.
    + intros j Hj. rewrite <- (Hc j Hj), Split. cbn [A2].
      assert (0 <= y (inr j)) by (apply Hy, in_app_iff; right; apply in_map; auto).
      rewrite (sum_only (fun k => y (inr k) * (if eqJ j k then - (1) else 0)) cols j cols_once Hj).
      destruct (eqJ j j); [lra|easy]. intros k _ N. destruct (eqJ j k) as [->|]; [easy|ring].
    + unfold worth in V. rewrite V, Split. cbn [b2].
      rewrite (sum_none (fun j => y (inr j) * 0)) by (intros; ring). lra.
Qed.
End Packing.
