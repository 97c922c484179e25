(** Kinds "linear-optimum", "linear-infeasibility", "linear-unboundedness": points, multipliers of the rows
    and rays that show what a linear program is (weak duality, the easy half of Farkas 1902). *)
From Coq Require Import QArith List ZArith Lia Lqa Bool Permutation.
From Exactsched.minmax Require Import Sums Definitions Tables.
Import ListNotations.
Open Scope Q_scope.

(** A sparse vector over one denominator; a number times one of its numerators. *)
Definition vector (v : list (Z * Q)) : ledger := posted key (rev_map (fun e => (snd e, [fst e])) v).
Definition at_ (L : ledger) (i : Z) : Z := amount (key i) (accounts L).
Definition multiple (z : Z) (q : Q) : Q := (Qnum q * z) # Qden q.
Definition over (L : ledger) (q : Q) : Q := multiple (Zpos (unit_of L)) q.

Definition check_well_posed (P : program) : bool :=
  let n := number (objective P) in
  let is_variable j := (0 <=? j)%Z && (j <? n)%Z in
  all (fun r => all (fun e => is_variable (fst e)) (coefficients r)) (rows P) &&
    all is_variable (nonnegative P).
(** A x <= b, with = in the equalities, and x >= 0 for the nonnegative variables, where b is [o] of the right
    sides. *)
Definition check_point (P : program) (o : Q -> Q) (x : ledger) : bool :=
  let equal := set_of key (equalities P) in
  all_numbered (fun i r => let left := added (fun e => multiple (at_ x (fst e)) (snd e)) (coefficients r) in
    (if has equal i then Qeq_bool else Qle_bool) left (over x (o (right r)))) (rows P) &&
  all (fun j => 0 <=? at_ x j)%Z (nonnegative P).
Definition reaches (P : program) (x : ledger) : Q :=
  added (fun q => q) (rev_map_numbered (fun j c => multiple (at_ x j) c) (objective P)).
(** y A >= c, with = for all but the nonnegative variables, and y >= 0 but in the equalities; c is [o] of the
    objective. *)
Definition times_row (z : Z) (r : row) (done : weighted) : weighted :=
  fold_left (fun l e => (multiple z (snd e), [fst e]) :: l) (coefficients r) done.
Definition priced (P : program) (y : ledger) : ledger :=
  posted key (snd (fold_left (fun s r => (fst s + 1, times_row (at_ y (fst s)) r (snd s))%Z)
    (rows P) (0%Z, []))).
Definition check_multipliers (P : program) (o : Q -> Q) (y : ledger) : bool :=
  let equal := set_of key (equalities P) in
  let free := set_of key (nonnegative P) in
  let sums := priced P y in
  all_numbered (fun i _ => has equal i || (0 <=? at_ y i)%Z) (rows P) &&
  all_numbered (fun j c => if has free j then Qle_bool (over y (o c)) (balance sums (key j))
    else Qeq_bool (over y (o c)) (balance sums (key j))) (objective P).
Definition bound (P : program) (y : ledger) : Q :=
  added (fun q => q) (rev_map_numbered (fun i r => multiple (at_ y i) (right r)) (rows P)).

Definition check_linear_optimum (P : program) (primal dual : list (Z * Q)) (value : Q) : bool :=
  let x := vector primal in let y := vector dual in
  check_well_posed P && check_point P (fun q => q) x && check_multipliers P (fun q => q) y &&
  Qeq_bool (reaches P x) (over x value) && Qeq_bool (bound P y) (over y value).
Definition check_linear_infeasibility (P : program) (multipliers : list (Z * Q)) : bool :=
  let y := vector multipliers in
  check_well_posed P && check_multipliers P (fun _ => 0) y && less (bound P y) 0.
Definition check_linear_unboundedness (P : program) (point ray : list (Z * Q)) : bool :=
  let x := vector point in let d := vector ray in
  check_well_posed P && check_point P (fun q => q) x && check_point P (fun _ => 0) d && less 0 (reaches P d).

(** ** Vectors *)
Definition part (L : ledger) (i : Z) : Q := balance L (key i).
Lemma multiple_spec L i q : multiple (at_ L i) q == q * part L i * inject_Z (Zpos (unit_of L)).
Proof. unfold multiple, part, balance, at_. unfold Qeq. cbn. rewrite !Pos.mul_1_r. lia. Qed.
Lemma over_spec L q : over L q == q * inject_Z (Zpos (unit_of L)).
Proof. unfold over, multiple, Qeq. cbn. rewrite Pos.mul_1_r. reflexivity. Qed.
Lemma unit_positive L : 0 < inject_Z (Zpos (unit_of L)).
Proof. reflexivity. Qed.
Lemma part_nonneg L i : (0 <= at_ L i)%Z -> 0 <= part L i.
Proof. intros H. unfold part, balance, at_ in *. unfold Qle. cbn. lia. Qed.
Lemma sum_multiples {A} L (f : A -> Z * Q) (l : list A) :
  sum (fun x => multiple (at_ L (fst (f x))) (snd (f x))) l ==
  sum (fun x => snd (f x) * part L (fst (f x))) l * inject_Z (Zpos (unit_of L)).
Proof.
  rewrite Qmult_comm, <- sum_scale. apply sum_eq. intros x _. rewrite multiple_spec. ring.
Qed.

Lemma entry_exists {A} (l : list A) j : (0 <= j < count l)%Z -> exists x, entry l j x.
Proof.
  unfold entry, numbered, count.
  enough (G : forall k, (k <= j < k + Z.of_nat (length l))%Z ->
    exists x, In (j, x) (numbered_from k l)) by apply G.
  induction l as [|a l IH]; cbn [length numbered_from]; intros k H. lia.
  destruct (Z.eq_dec j k) as [->|N]. exists a. left. auto.
  destruct (IH (k + 1)%Z) as [x Hx]. lia. exists x. right. auto.
Qed.
Lemma check_well_posed_sound P : check_well_posed P = true -> well_posed P.
Proof.
  unfold check_well_posed. cbv zeta. intros H. split_tests.
  assert (V : forall j, (0 <=? j)%Z && (j <? number (objective P))%Z = true -> variable P j).
  { intros j Hj. rewrite number_spec in Hj. split_tests. apply entry_exists. auto. }
  split.
  - intros r j q Hr Hj. apply V. pose proof (all_spec _ _ H _ Hr) as T. apply (all_spec _ _ T (j, q) Hj).
  - intros j Hj. apply V. apply (all_spec _ _ H0 j Hj).
Qed.

(** ** Points *)
Definition satisfies (o : Q -> Q) (P : program) (x : Z -> Q) : Prop :=
  (forall i r, entry (rows P) i r -> left_side r x <= o (right r)) /\
  (forall i r, entry (rows P) i r -> In i (equalities P) -> left_side r x == o (right r)) /\
  (forall j, In j (nonnegative P) -> 0 <= x j).
Lemma left_side_spec L r : sum (fun e => multiple (at_ L (fst e)) (snd e)) (coefficients r) ==
  left_side r (part L) * inject_Z (Zpos (unit_of L)).
Proof.
  unfold left_side. rewrite (sum_multiples L (fun e => e)). apply Qmult_comp; [|reflexivity].
  apply sum_eq. intros [j q] _. reflexivity.
Qed.
Lemma check_point_sound P o L : check_point P o L = true -> satisfies o P (part L).
Proof.
  unfold check_point. cbv zeta. intros H. split_tests. pose proof (unit_positive L) as U.
  assert (R : forall i r, entry (rows P) i r -> left_side r (part L) <= o (right r) /\
    (In i (equalities P) -> left_side r (part L) == o (right r))).
  { intros i r Hr. pose proof (all_numbered_spec _ _ H _ _ Hr) as T. cbv beta zeta in T.
    rewrite <- has_set. destruct (has _ i).
    - apply Qeq_bool_iff in T. rewrite added_spec, left_side_spec, over_spec in T.
      apply Qmult_inj_r in T; [|lra]. split; [lra|auto].
    - apply Qle_bool_iff in T. rewrite added_spec, left_side_spec, over_spec in T.
      apply Qmult_lt_0_le_reg_r in T; auto. split; [auto|discriminate]. }
  split; [|split].
  - intros i r Hr. apply (R i r Hr).
  - intros i r Hr Hi. apply (R i r Hr); auto.
  - intros j Hj. apply part_nonneg. pose proof (all_spec _ _ H0 _ Hj) as T. cbv beta in T.
    apply Z.leb_le in T. auto.
Qed.
Lemma reaches_spec P L : reaches P L == objective_at P (part L) * inject_Z (Zpos (unit_of L)).
Proof.
  unfold reaches, objective_at. rewrite added_spec, (sum_perm _ _ _ (rev_map_numbered_perm _ _)), sum_map.
  rewrite (sum_eq _ (fun jc => multiple (at_ L (fst jc)) (snd jc))), (sum_multiples L (fun e => e)).
  apply Qmult_comp; [|reflexivity]. apply sum_eq. intros [j c] _. reflexivity. intros [j c] _. reflexivity.
Qed.

(** ** Multipliers *)
Definition coefficient (r : row) (j : Z) : Q :=
  sum (fun e => if (fst e =? j)%Z then snd e else 0) (coefficients r).
Definition column (P : program) (y : Z -> Q) (j : Z) : Q :=
  sum (fun '(i, r) => y i * coefficient r j) (numbered (rows P)).
Definition dual (o : Q -> Q) (P : program) (y : Z -> Q) : Prop :=
  (forall i r, entry (rows P) i r -> In i (equalities P) \/ 0 <= y i) /\
  (forall j c, entry (objective P) j c -> o c == column P y j \/ In j (nonnegative P) /\ o c <= column P y j).
Definition dual_value (P : program) (y : Z -> Q) : Q :=
  sum (fun '(i, r) => y i * right r) (numbered (rows P)).

(** Weak duality: c x <= y A x <= y b. *)
Lemma weak_duality P o x y : well_posed P -> feasible P x -> dual o P y ->
  sum (fun '(j, c) => o c * x j) (numbered (objective P)) <= dual_value P y.
Proof.
  intros [Var _] (Fl & Fe & Fn) [Dy Dc].
  apply Qle_trans with (sum (fun '(j, _) => column P y j * x j) (numbered (objective P))).
  - apply sum_le. intros [j c] Hj. destruct (Dc j c Hj) as [E|[Hn L]]. rewrite E. apply Qle_refl.
    apply Qmult_le_compat_r; auto.
  - assert (E : sum (fun '(j, _) => column P y j * x j) (numbered (objective P)) ==
      sum (fun '(i, r) => y i * left_side r x) (numbered (rows P))).
    { rewrite (sum_eq _ (fun jc =>
        sum (fun '(i, r) => y i * (coefficient r (fst jc) * x (fst jc))) (numbered (rows P)))).
      2: { intros [j c] _. cbn [fst]. unfold column. rewrite Qmult_comm, <- sum_scale. apply sum_eq.
         intros [i r] _. ring. }
      rewrite sum_swap. apply sum_eq. intros [i r] Hr. rewrite sum_scale. apply Qmult_comp; [reflexivity|].
      unfold coefficient, left_side.
      rewrite (sum_eq _ (fun jc =>
        sum (fun e => if (fst jc =? fst e)%Z then snd e * x (fst e) else 0) (coefficients r))).
      2: { intros [j c] _. cbn [fst]. rewrite Qmult_comm, <- sum_scale. apply sum_eq. intros e _.
         rewrite Z.eqb_sym.
           destruct (Z.eqb_spec j (fst e)) as [->|]; ring. }
      rewrite sum_swap. apply sum_eq. intros [k q] Hk. cbn [fst snd].
      destruct (Var r k q (entry_in _ _ _ Hr) Hk) as [c Hc].
      rewrite <- (sum_entry (fun _ => q * x k) _ _ _ Hc). apply sum_eq. intros [j c'] _. reflexivity. }
    rewrite E. apply sum_le. intros [i r] Hr. destruct (Dy i r Hr) as [Hi|Hi].
    + rewrite (Fe i r Hr Hi). apply Qle_refl.
    + rewrite !(Qmult_comm (y i)). apply Qmult_le_compat_r; auto. eapply Fl; eauto.
Qed.

Lemma priced_spec P L j : balance (priced P L) (key j) == column P (part L) j * inject_Z (Zpos (unit_of L)).
Proof.
  unfold priced, column, numbered. rewrite balance_spec. set (U := inject_Z (Zpos (unit_of L))).
  set (g := fun r : Q * list Z => fst r * times key (key j) (snd r)).
  assert (Row : forall i r done,
    sum g (times_row (at_ L i) r done) == part L i * coefficient r j * U + sum g done).
  { intros i r done. unfold times_row, coefficient.
    assert (Step : forall e, g (multiple (at_ L i) (snd e), [fst e]) ==
      part L i * (if (fst e =? j)%Z then snd e else 0) * U).
    { intros e. unfold g, times. cbn [fst snd sum]. rewrite multiple_spec. fold U.
      destruct (Pos.eqb_spec (key (fst e)) (key j)) as [E|E], (Z.eqb_spec (fst e) j) as [F|F]; try ring.
      apply key_eq in E. contradiction. subst j. contradiction. }
    revert done. induction (coefficients r) as [|e es IH]; intros done; cbn [fold_left sum]. ring.
    rewrite IH. cbn [sum]. rewrite Step. ring. }
  enough (G : forall l i done,
    sum g (snd (fold_left (fun s r => (fst s + 1, times_row (at_ L (fst s)) r (snd s))%Z) l (i, done))) ==
    sum (fun '(i, r) => part L i * coefficient r j) (numbered_from i l) * U + sum g done).
  { rewrite G. cbn [sum]. ring. }
  induction l as [|r l IH]; intros i done; cbn [fold_left numbered_from sum fst snd]. ring.
  rewrite IH, Row. ring.
Qed.
Lemma check_multipliers_sound P o L : check_multipliers P o L = true -> dual o P (part L).
Proof.
  unfold check_multipliers. cbv zeta. intros H. split_tests. pose proof (unit_positive L) as U. split.
  - intros i r Hr. pose proof (all_numbered_spec _ _ H _ _ Hr) as T. cbv beta in T. apply orb_true_iff in T.
    rewrite has_set in T. destruct T as [T|T]; auto. right. apply Z.leb_le in T. apply part_nonneg; auto.
  - intros j c Hj. pose proof (all_numbered_spec _ _ H0 _ _ Hj) as T. cbv beta in T. destruct (has _ j) eqn:F.
    + right. apply has_set in F. split; auto. apply Qle_bool_iff in T. rewrite priced_spec, over_spec in T.
      apply Qmult_lt_0_le_reg_r in T; auto.
    + left. apply Qeq_bool_iff in T. rewrite priced_spec, over_spec in T. apply Qmult_inj_r in T; auto. lra.
Qed.
Lemma bound_spec P L : bound P L == dual_value P (part L) * inject_Z (Zpos (unit_of L)).
Proof.
  unfold bound, dual_value. rewrite added_spec, (sum_perm _ _ _ (rev_map_numbered_perm _ _)), sum_map.
  rewrite Qmult_comm, <- sum_scale. apply sum_eq. intros [i r] _. rewrite multiple_spec. ring.
Qed.

(** ** What a linear program is *)
Theorem check_linear_optimum_sound P primal dual value :
  check_linear_optimum P primal dual value = true -> claims_linear_optimum P value.
Proof.
  unfold check_linear_optimum. cbv zeta. set (x := vector primal). set (y := vector dual). intros H.
  split_tests.
  apply check_well_posed_sound in H. split; auto. apply check_point_sound in H3.
  apply check_multipliers_sound in H2.
  rewrite reaches_spec, over_spec in H1. rewrite bound_spec, over_spec in H0.
  pose proof (unit_positive x). pose proof (unit_positive y). apply Qmult_inj_r in H1; [|lra].
  apply Qmult_inj_r in H0; [|lra].
  split; eauto. intros x' Hx'. rewrite <- H0. apply (weak_duality P (fun q => q)); auto.
Qed.
Theorem check_linear_infeasibility_sound P multipliers :
  check_linear_infeasibility P multipliers = true -> claims_linear_infeasibility P.
Proof.
  unfold check_linear_infeasibility. cbv zeta. set (y := vector multipliers). intros H. split_tests.
  apply check_well_posed_sound in H. split; auto. intros x Hx. apply check_multipliers_sound in H1.
  pose proof (weak_duality P (fun _ => 0) x (part y) H Hx H1) as W. rewrite bound_spec in H0.
  rewrite (sum_eq _ (fun _ => 0)), sum_zero in W. 2: intros [j c] _; ring.
  pose proof (Qmult_le_0_compat _ _ W (Qlt_le_weak _ _ (unit_positive y))). lra.
Qed.
Lemma linear_left r x d t : left_side r (fun j => x j + t * d j) == left_side r x + t * left_side r d.
Proof. unfold left_side. rewrite <- sum_scale, <- sum_plus. apply sum_eq. intros [j q] _. ring. Qed.
Lemma linear_objective P x d t :
  objective_at P (fun j => x j + t * d j) == objective_at P x + t * objective_at P d.
Proof. unfold objective_at. rewrite <- sum_scale, <- sum_plus. apply sum_eq. intros [j q] _. ring. Qed.
Theorem check_linear_unboundedness_sound P point ray :
  check_linear_unboundedness P point ray = true -> claims_linear_unboundedness P.
Proof.
  unfold check_linear_unboundedness. cbv zeta. set (x := part (vector point)). set (d := part (vector ray)).
  intros H. split_tests. apply check_well_posed_sound in H. split; auto. apply check_point_sound in H2, H1.
  fold x in H2. fold d in H1.
  rewrite reaches_spec in H0. fold d in H0. pose proof (unit_positive (vector ray)) as U.
  assert (G : 0 < objective_at P d).
  { apply Qmult_lt_r with (z := inject_Z (Zpos (unit_of (vector ray)))); lra. }
  destruct H2 as (Xl & Xe & Xn). destruct H1 as (Dl & De & Dn). intros b.
  assert (T : exists t, 0 <= t /\ b < objective_at P x + t * objective_at P d).
  { destruct (Qlt_le_dec b (objective_at P x)) as [L|L]. exists 0. split; lra.
    exists ((b - objective_at P x) / objective_at P d + 1). split.
    - apply Qle_trans with ((b - objective_at P x) / objective_at P d); [|lra]. apply Qle_shift_div_l; auto.
      lra.
    - assert (E : ((b - objective_at P x) / objective_at P d + 1) * objective_at P d ==
        b - objective_at P x + objective_at P d) by (field; lra).
      rewrite E. lra. }
  destruct T as (t & Ht & Hb). exists (fun j => x j + t * d j). rewrite linear_objective. split; auto.
  split; [|split].
  - intros i r Hr. rewrite linear_left. specialize (Xl i r Hr). specialize (Dl i r Hr). cbv beta in Dl.
    assert (0 <= t * - left_side r d) by (apply Qmult_le_0_compat; lra). lra.
  - intros i r Hr Hi. rewrite linear_left, (Xe i r Hr Hi), (De i r Hr Hi). ring.
  - intros j Hj. specialize (Xn j Hj). specialize (Dn j Hj).
    assert (0 <= t * d j) by (apply Qmult_le_0_compat; auto). lra.
Qed.
