(** Intervals of time: pieces of which at most c work at once work at most c times as long as time passes. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Sums.
Import ListNotations.
Open Scope Q_scope.

Ltac plain a := lazymatch a with context [Qmin _ _] => fail | context [Qmax _ _] => fail | _ => idtac end.
Ltac mins := repeat match goal with
  | |- context [Qmin ?a ?b] => plain a; plain b; let H := fresh "H" in let E := fresh "E" in
      destruct (Q.min_spec a b) as [[H E]|[H E]]; rewrite E; clear E
  | |- context [Qmax ?a ?b] => plain a; plain b; let H := fresh "H" in let E := fresh "E" in
      destruct (Q.max_spec a b) as [[H E]|[H E]]; rewrite E; clear E end.

(** ** Time *)
Lemma before_nonneg t p : start p <= stop p -> 0 <= before t p.
Proof. unfold before. intros. mins; lra. Qed.
Lemma before_mono t u p : start p <= stop p -> t <= u -> before t p <= before u p.
Proof. unfold before. intros. mins; lra. Qed.
Lemma before_early t p : start p <= stop p -> t <= start p -> before t p == 0.
Proof. unfold before. intros. mins; lra. Qed.
Lemma before_late t p : start p <= stop p -> stop p <= t -> before t p == stop p - start p.
Proof. unfold before. intros. mins; lra. Qed.

Lemma count_le a b : (a <= b)%nat -> count a <= count b.
Proof. intros. unfold count. rewrite <- Zle_Qle. lia. Qed.
Lemma count_S a : count (Datatypes.S a) == count a + 1.
Proof. unfold count. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. reflexivity. Qed.
Lemma count_nonneg a : 0 <= count a.
Proof. change 0 with (count 0). apply count_le. lia. Qed.
Lemma sum_const {A} (w : Q) (l : list A) : sum (fun _ => w) l == count (length l) * w.
Proof. induction l as [|x l IH]; cbn [sum length]. unfold count. simpl. ring. rewrite IH, count_S. ring. Qed.

(** ** At most c pieces at once *)
Definition covers (a b : Q) (p : piece) : bool := Qle_bool (start p) a && Qle_bool b (stop p).
Lemma covers_spec a b p : covers a b p = true <-> start p <= a /\ b <= stop p.
Proof. unfold covers. rewrite andb_true_iff, !Qle_bool_iff. tauto. Qed.
Definition at_most (c : nat) (l : list piece) : Prop :=
  forall a b, a < b -> (length (filter (covers a b) l) <= c)%nat.

(** Nothing starts or stops strictly between a and b. *)
Definition quiet (a b : Q) (t : Q) : Prop := t <= a \/ b <= t.
Lemma quiet_time c l a b : at_most c l -> a <= b -> (forall p, In p l -> start p <= stop p) ->
  (forall p, In p l -> quiet a b (start p) /\ quiet a b (stop p)) ->
  sum (fun p => before b p - before a p) l <= count c * (b - a).
Proof.
  intros Hc ab W Hq. destruct (Qlt_le_dec a b) as [lt|ba].
  - apply Qle_trans with (count (length (filter (covers a b) l)) * (b - a)).
    + rewrite <- sum_const, sum_filter. apply sum_le. intros p Hp. destruct (Hq p Hp) as [Q1 Q2].
      specialize (W p Hp). destruct (covers a b p) eqn:E; unfold before.
      * apply covers_spec in E. mins; lra.
      * assert (N : ~ (start p <= a /\ b <= stop p)) by (rewrite <- covers_spec; congruence).
        assert (D : stop p <= a \/ b <= start p).
        { destruct Q1 as [Q1|Q1]; auto. destruct Q2 as [Q2|Q2]; auto. tauto. }
        destruct D; mins; lra.
    + apply Qmult_le_compat_r; [apply count_le, Hc; auto|lra].
  - assert (E : a == b) by lra.
    assert (Z : sum (fun p => before b p - before a p) l == 0).
    { rewrite <- (sum_zero l). apply sum_eq. intros p _. unfold before. mins; lra. }
    rewrite Z, E. assert (0 <= count c) by apply count_nonneg. nra.
Qed.

(** Cut the time wherever a piece starts or stops. *)
Lemma busy c l : at_most c l -> (forall p, In p l -> start p <= stop p) ->
  forall a b, a <= b -> sum (fun p => before b p - before a p) l <= count c * (b - a).
Proof.
  intros Hc W.
  assert (G : forall times a b, a <= b ->
    (forall p, In p l -> (In (start p) times \/ quiet a b (start p)) /\ (In (stop p) times \/
      quiet a b (stop p))) ->
    sum (fun p => before b p - before a p) l <= count c * (b - a)).
  { induction times as [|t times IH]; intros a b ab H.
    - apply quiet_time; auto. intros p Hp. destruct (H p Hp) as [[[]|?] [[]|?]]; auto.
    - assert (K : forall x u v, a <= u -> v <= b -> (v <= t \/ t <= u) ->
        In x (t :: times) \/ quiet a b x -> In x times \/ quiet u v x).
      { intros x u v au vb tt [[->|I]|[L|L]]; auto; right; unfold quiet; destruct tt; try (left; lra); right;
          lra. }
      destruct (Qlt_le_dec a t) as [at_|ta]; [destruct (Qlt_le_dec t b) as [tb|bt]|].
      + assert (H1 : sum (fun p => before t p - before a p) l <= count c * (t - a)).
        { apply IH; [lra|]. intros p Hp. destruct (H p Hp). split; apply K; auto; try lra; left; lra. }
        assert (H2 : sum (fun p => before b p - before t p) l <= count c * (b - t)).
        { apply IH; [lra|]. intros p Hp. destruct (H p Hp). split; apply K; auto; try lra; right; lra. }
        rewrite (sum_eq _ (fun p => (before t p - before a p) + (before b p - before t p))) by (intros; ring).
        rewrite sum_plus. lra.
      + apply IH; auto. intros p Hp. destruct (H p Hp). split; apply K; auto; try lra; left; lra.
      + apply IH; auto. intros p Hp. destruct (H p Hp). split; apply K; auto; try lra; right; lra. }
  intros a b ab. apply (G (map start l ++ map stop l)); auto.
  intros p Hp. split; left; apply in_app_iff; [left|right]; apply in_map; auto.
Qed.

Lemma pairs_filter {A} (R R' : A -> A -> Prop) (b : A -> bool) l :
  (forall x y, In x l -> In y l -> b x = true -> b y = true -> R x y -> R' x y) ->
  ForallOrdPairs R l -> ForallOrdPairs R' (filter b l).
Proof.
  intros H F. induction F as [|x l Hx F IH]; simpl. constructor.
  assert (IH' : ForallOrdPairs R' (filter b l)) by (apply IH; intros; apply H; simpl; auto).
  destruct (b x) eqn:E; auto. constructor; auto. apply Forall_forall. intros y Hy.
  apply filter_In in Hy. destruct Hy as [Hy Ey]. rewrite Forall_forall in Hx.
  apply H; simpl; auto.
Qed.

