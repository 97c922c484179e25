(** Weak duality for every system of tasks: what the schedule did, weighted by prices, costs at most the time
    times the sum of the prices. And the bound of prices and cuts. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Sums Time.
Import ListNotations.
Open Scope Q_scope.

(** ** Prices *)

(** A price is paid by every task that uses the resource; a price of an odd set of resources (or any set) is
    paid by every task that uses two of them: of these tasks at most half as many as resources work at once.
    *)
Record prices := Prices { for_resources : list (resource * Q); for_odd_sets : list (list resource * Q) }.
Definition uses_it (r : resource) (k : task) : bool := existsb (resource_eqb r) (uses k).
Definition inside (R : list resource) (k : task) : bool := (2 <=? length (filter (fun r => uses_it r k)
  R))%nat.
Definition paid (y : prices) (k : task) : Q :=
  sum (fun ry => if uses_it (fst ry) k then snd ry else 0) (for_resources y) +
  sum (fun Ry => if inside (fst Ry) k then snd Ry else 0) (for_odd_sets y).
Definition capacity (R : list resource) : nat := Nat.div2 (length R).
Definition total (y : prices) : Q :=
  sum snd (for_resources y) + sum (fun Ry => count (capacity (fst Ry)) * snd Ry) (for_odd_sets y).
Definition nonneg (y : prices) : Prop :=
  (forall r p, In (r, p) (for_resources y) -> 0 <= p) /\ (forall R p, In (R, p) (for_odd_sets y) -> 0 <= p).

Lemma uses_it_spec r k : uses_it r k = true <-> In r (uses k).
Proof.
  unfold uses_it. rewrite existsb_exists. split.
  - intros (x & Hx & E). apply resource_eqb_eq in E. congruence.
  - intros H. exists r. split; auto. apply resource_eqb_refl.
Qed.

(** The list of prices with its conditions, each with the number of pieces that may pay it at once. *)
Definition charge := ((task -> bool) * nat * Q)%type.
Definition charges (y : prices) : list charge :=
  map (fun ry => ((uses_it (fst ry), 1%nat), snd ry)) (for_resources y) ++
  map (fun Ry => ((inside (fst Ry), capacity (fst Ry)), snd Ry)) (for_odd_sets y).
Lemma paid_charges y k : paid y k == sum (fun c : charge => if fst (fst c) k then snd c else 0) (charges y).
Proof. unfold paid, charges. rewrite sum_app, !sum_map. reflexivity. Qed.
Lemma total_charges y : total y == sum (fun c : charge => count (snd (fst c)) * snd c) (charges y).
Proof.
  unfold total, charges. rewrite sum_app, !sum_map. simpl.
  rewrite (sum_eq (fun x : resource * Q => count 1 * snd x) snd) by (intros; unfold count; simpl; ring).
  reflexivity.
Qed.
Lemma charges_nonneg y c : nonneg y -> In c (charges y) -> 0 <= snd c.
Proof.
  intros [N1 N2] H. unfold charges in H. apply in_app_iff in H.
  destruct H as [H|H]; apply in_map_iff in H; destruct H as ((r & p) & <- & H); simpl; eauto.
Qed.

Section System.
Variable S : system.
Hypothesis positive : forall k, In k (tasks S) -> 0 < lasts k.
Variable s : schedule.
Hypothesis Hs : valid S s.

Lemma valid_order p : In p s -> start p <= stop p.
Proof. intros H. destruct Hs as [V _]. destruct (V p H) as [? _]. lra. Qed.

Definition kind (i : nat) : task := nth i (tasks S) (Task [] 0 [] (At (Message 0) 0%Z)).
Lemma kind_some i k : nth_error (tasks S) i = Some k -> kind i = k /\ (i < length (tasks S))%nat /\
  In k (tasks S).
Proof. intros H. split; [|split].
  unfold kind. apply nth_error_nth; auto.
  apply nth_error_Some. congruence. eapply nth_error_In; eauto. Qed.

(** Pieces at work at the same time use different resources. *)
Lemma overlapping a b r : a < b ->
  (length (filter (fun p => uses_it r (kind (which p))) (filter (covers a b) s)) <= 1)%nat.
Proof.
  intros ab. destruct Hs as [V F].
  assert (G : forall l, (forall p, In p l -> exists k, nth_error (tasks S) (which p) = Some k) ->
    ForallOrdPairs (compatible S) l ->
    (length (filter (fun p => uses_it r (kind (which p))) (filter (covers a b) l)) <= 1)%nat).
  { clear V F. induction l as [|p l IH]; intros V F; [simpl; lia|].
    inversion F as [|? ? Fp Fl]; subst. assert (IH' := IH (fun q Hq => V q (or_intror Hq)) Fl). clear IH.
    simpl. destruct (covers a b p) eqn:C; auto. simpl. destruct (uses_it r (kind (which p))) eqn:U; auto.
    simpl. destruct (filter _ _) as [|q l'] eqn:E; [simpl; lia|]. exfalso.
    assert (I : In q (q :: l')) by (left; auto). rewrite <- E in I. apply filter_In in I.
    destruct I as [I Uq].
    apply filter_In in I. destruct I as [I Cq]. rewrite Forall_forall in Fp. specialize (Fp q I).
    destruct (V p) as (j & Hj); [left; auto|]. destruct (V q) as (k & Hk); [right; auto|].
    destruct (kind_some _ _ Hj) as [Ej _]. destruct (kind_some _ _ Hk) as [Ek _]. rewrite Ej in U.
    rewrite Ek in Uq.
    apply uses_it_spec in U, Uq. apply covers_spec in C, Cq. destruct (Fp j k r Hj Hk U Uq); lra. }
  apply G; auto. intros p Hp. destruct (V p Hp) as (_ & k & Hk & _). eauto.
Qed.

Lemma filter_filter {A} (b c : A -> bool) l : filter b (filter c l) = filter c (filter b l).
Proof. induction l as [|x l IH]; simpl; auto. destruct (b x) eqn:B, (c x) eqn:C; simpl; rewrite ?B, ?C, IH;
  auto. Qed.

(** Of the pieces that use two resources of R, at most half as many as R has resources work at once. *)
Lemma inside_at_most R : at_most (capacity R) (filter (fun p => inside R (kind (which p))) s).
Proof.
  intros a b ab. rewrite filter_filter. set (l := filter (covers a b) s).
  assert (H : forall r, (length (filter (fun p => uses_it r (kind (which p))) l) <= 1)%nat)
    by (intros; apply overlapping; auto).
  clearbody l. assert (G : (2 * length (filter (fun p => inside R (kind (which p))) l) <= length R)%nat).
  { apply Nat.le_trans with (list_sum (map (fun p => length (filter (fun r => uses_it r (kind (which p))) R))
      l)).
    - clear H. induction l as [|p l IH]; cbn [filter map list_sum fold_right]; [simpl; lia|].
      fold (list_sum (map (fun p => length (filter (fun r => uses_it r (kind (which p))) R)) l)).
      destruct (inside R (kind (which p))) eqn:E; cbn [length]; [apply Nat.leb_le in E|]; lia.
    - clear - H. induction R as [|r R IH]; cbn [filter length].
      + clear H. induction l as [|p l IH]; simpl; auto.
      + assert (E : (list_sum (map (fun p => length (if uses_it r (kind (which p)) then
          r :: filter (fun r => uses_it r (kind (which p))) R
            else filter (fun r => uses_it r (kind (which p))) R)) l)
          = length (filter (fun p => uses_it r (kind (which p))) l)
            + list_sum (map (fun p => length (filter (fun r => uses_it r (kind (which p))) R)) l))%nat).
        { clear. induction l as [|p l IH]; simpl; auto. destruct (uses_it r (kind (which p))); simpl; lia. }
        rewrite E. specialize (H r). lia. }
  unfold capacity. pose proof (Nat.div2_odd (length R)) as D.
  destruct (Nat.odd (length R)); simpl Nat.b2n in D; lia.
Qed.
Lemma uses_at_most r : at_most 1 (filter (fun p => uses_it r (kind (which p))) s).
Proof. intros a b ab. rewrite filter_filter. apply overlapping; auto. Qed.

Lemma charges_at_most y c : In c (charges y) ->
  at_most (snd (fst c)) (filter (fun p => fst (fst c) (kind (which p))) s).
Proof.
  intros H. unfold charges in H. apply in_app_iff in H. destruct H as [H|H]; apply in_map_iff in H;
  destruct H as ((r & p) & <- & H); [apply uses_at_most|apply inside_at_most].
Qed.

Lemma busy_until c b K : 0 <= K -> at_most c (filter (fun p => b (kind (which p))) s) ->
  sum (fun p => if b (kind (which p)) then before K p else 0) s <= count c * K.
Proof.
  intros HK Hc. rewrite <- sum_filter.
  assert (B : sum (fun p => before K p - before 0 p) (filter (fun p => b (kind (which p))) s) <= count c * (K
    - 0)).
  { apply busy; auto. intros p Hp. apply filter_In in Hp. apply valid_order. tauto. }
  rewrite (sum_eq (before K) (fun p => before K p - before 0 p)). lra.
  intros p Hp. apply filter_In in Hp. destruct Hs as [V _]. destruct (V p (proj1 Hp)) as [O _].
  rewrite (before_early 0 p); lra.
Qed.

Lemma work_mono i m t u : t <= u -> work s i m t <= work s i m u.
Proof. intros. unfold work. apply sum_le. intros p Hp. apply filter_In in Hp.
  apply before_mono; auto. apply valid_order. tauto. Qed.
Lemma work_nonneg i m t : 0 <= work s i m t.
Proof. unfold work. apply sum_nonneg. intros p Hp. apply filter_In in Hp.
  apply before_nonneg. apply valid_order. tauto. Qed.

(** ** What the tasks that are complete at time K cost *)
Section Prices.
Variable y : prices.
Hypothesis y_nonneg : nonneg y.
Variable K : Q.
Hypothesis HK : 0 <= K.

Definition doneb (m i : nat) : bool := Qle_bool (lasts (kind i)) (work s i m K).
(** The numbers of the tasks that are complete for operation m at time K. *)
Definition Done (m : nat) : list nat := filter (doneb m) (seq 0 (length (tasks S))).

Lemma paid_nonneg k : 0 <= paid y k.
Proof. rewrite paid_charges. apply sum_nonneg. intros c H. pose proof (charges_nonneg _ _ y_nonneg H).
  destruct (fst (fst c) k); lra. Qed.

Theorem weak_duality M :
  sum (fun m => sum (fun i => lasts (kind i) * paid y (kind i)) (Done m)) (seq 0 M)
  <= K * total y.
Proof.
  apply Qle_trans with
    (sum (fun m => sum (fun i => sum (fun p => if of_task i m p then
      before K p * paid y (kind (which p)) else 0) s)
       (seq 0 (length (tasks S)))) (seq 0 M)).
  { apply sum_le. intros m _. unfold Done. rewrite sum_filter. apply sum_le. intros i _.
    assert (E : sum (fun p => if of_task i m p then before K p * paid y (kind (which p)) else 0) s
             == work s i m K * paid y (kind i)).
    { unfold work. rewrite sum_filter, Qmult_comm, <- sum_scale. apply sum_eq. intros p _.
      destruct (of_task i m p) eqn:E. unfold of_task in E. apply andb_prop in E. destruct E as [E _].
      apply Nat.eqb_eq in E. subst i. lra. lra. }
    rewrite E. pose proof (paid_nonneg (kind i)). pose proof (work_nonneg i m K).
    destruct (doneb m i) eqn:D. apply Qle_bool_iff in D. nra. nra. }
  apply Qle_trans with (sum (fun p => before K p * paid y (kind (which p))) s).
  { erewrite sum_eq; [|intros m _; apply sum_swap]. rewrite sum_swap. apply sum_le. intros p Hp.
    assert (N : 0 <= before K p * paid y (kind (which p))).
    { apply Qmult_le_0_compat. apply before_nonneg, valid_order; auto. apply paid_nonneg. }
    apply Qle_trans with (sum (fun m => if (operation p =? m)%nat then
      before K p * paid y (kind (which p)) else 0) (seq 0 M)).
    - apply sum_le. intros m _. unfold of_task. destruct (operation p =? m)%nat.
      + eapply Qle_trans; [|apply (sum_at_most_one (seq 0 (length (tasks S))) (fun i => which p =? i)%nat
          (which p)); auto using seq_NoDup].
        * apply sum_le. intros i _. rewrite andb_true_r. lra.
        * intros i E. apply Nat.eqb_eq in E. auto.
      + apply Qle_trans with (sum (fun _ : nat => 0) (seq 0 (length (tasks S)))).
        apply sum_le. intros i _. rewrite andb_false_r. lra. rewrite sum_zero. lra.
    - apply (sum_at_most_one (seq 0 M) (fun m => operation p =? m)%nat (operation p)); auto using seq_NoDup.
      intros i E. apply Nat.eqb_eq in E. auto. }
  rewrite total_charges.
  apply Qle_trans with (sum (fun c : charge => snd c * sum (fun p => if fst (fst c) (kind (which p)) then
    before K p else 0) s) (charges y)).
  { erewrite (sum_eq _ _ (charges y)); [|intros c _; symmetry; apply sum_scale]. rewrite sum_swap.
    apply sum_le. intros p _. rewrite paid_charges, <- sum_scale. apply sum_le. intros c _.
    destruct (fst (fst c) (kind (which p))); lra. }
  rewrite <- sum_scale. apply sum_le. intros c H.
  pose proof (busy_until (snd (fst c)) (fst (fst c)) K HK (charges_at_most y c H)) as B.
  pose proof (charges_nonneg y c y_nonneg H). nra.
Qed.
End Prices.

(** ** Causality: complete tasks, ordered by when they first start, make what they need *)
Fixpoint least (l : list piece) : Q :=
  match l with [] => 0 | [p] => start p | p :: l' => Qmin (start p) (least l') end.
Lemma least_le l p : In p l -> least l <= start p.
Proof. induction l as [|q l IH]; simpl; [easy|]. destruct l as [|q' l].
  intros [->|[]]. lra. intros [->|H]. apply Q.le_min_l.
  eapply Qle_trans; [apply Q.le_min_r|apply IH; auto]. Qed.
Lemma least_in l : l <> [] -> exists p, In p l /\ least l == start p.
Proof. induction l as [|q l IH]; [easy|]. intros _. destruct l as [|q' l].
  exists q. simpl. split; auto. lra. destruct IH as [p [Hp Ep]]; [easy|].
  change (least (q :: q' :: l)) with (Qmin (start q) (least (q' :: l))).
  destruct (Q.min_spec (start q) (least (q' :: l))) as [[_ E]|[_ E]].
  exists q; split; [left|]; auto. exists p; split; [right; auto|]. rewrite E. auto. Qed.
Definition first (m i : nat) : Q := least (filter (of_task i m) s).

Lemma work_started i m t : 0 < work s i m t -> first m i < t.
Proof.
  intros H. destruct (Qlt_le_dec (first m i) t) as [|L]; auto. exfalso.
  assert (work s i m t == 0); [|lra]. unfold work. rewrite <- (sum_zero (filter (of_task i m) s)).
  apply sum_eq. intros p Hp. apply before_early. apply valid_order. apply filter_In in Hp. tauto.
  eapply Qle_trans; [exact L|]. apply least_le; auto.
Qed.

Lemma has_done m t K x : t <= K -> has S s m t x ->
  In x (given S) \/ exists j, In j (Done K m) /\ makes (kind j) = x /\ first m j < t.
Proof.
  intros tK [H|[j [k [Hj [Mk L]]]]]; auto. right. exists j.
  destruct (kind_some _ _ Hj) as [E [I T]]. split; [|split].
  - apply filter_In. split. apply in_seq. lia. unfold doneb. apply Qle_bool_iff. rewrite E.
    eapply Qle_trans; [exact L|]. apply work_mono; auto.
  - congruence.
  - apply work_started. pose proof (positive _ T). lra.
Qed.

Lemma done_needs m K i : In i (Done K m) -> forall x, In x (needs (kind i)) ->
  In x (given S) \/ exists j, In j (Done K m) /\ makes (kind j) = x /\ first m j < first m i.
Proof.
  intros Hi x Hx. apply filter_In in Hi. destruct Hi as [I D]. apply in_seq in I. apply Qle_bool_iff in D.
  assert (P : 0 < work s i m K). { assert (0 < lasts (kind i)); [|lra]. apply positive, nth_In. lia. }
  pose proof (work_started _ _ _ P) as F.
  destruct (least_in (filter (of_task i m) s)) as [p [Hp Ep]].
  { intros E. unfold work in P. rewrite E in P. simpl in P. lra. }
  apply filter_In in Hp. destruct Hp as [Hp Op]. apply andb_prop in Op. destruct Op as [O1 O2].
  apply Nat.eqb_eq in O1, O2. destruct Hs as [V _]. destruct (V p Hp) as [_ [k [Hk N]]].
  rewrite O1 in Hk. destruct (kind_some _ _ Hk) as [E _]. rewrite E in Hx. rewrite O2 in N.
  unfold first in F. destruct (has_done m (start p) K x) as [G|[j [J1 [J2 J3]]]]; auto. lra.
  right. exists j. repeat split; auto. unfold first at 2. lra.
Qed.

Lemma filter_shorter {A} (b c : A -> bool) l x : (forall y, b y = true -> c y = true) ->
  In x l -> b x = false -> c x = true -> (length (filter b l) < length (filter c l))%nat.
Proof.
  intros H. assert (L : forall l, (length (filter b l) <= length (filter c l))%nat).
  { induction l0; simpl; auto. destruct (b a) eqn:E. rewrite (H _ E). simpl. lia. destruct (c a); simpl; lia.
    }
  induction l as [|a l IH]; simpl; [easy|]. intros [->|I] B C. rewrite B, C. simpl. pose proof (L l). lia.
  specialize (IH I B C). destruct (b a) eqn:E. rewrite (H _ E). simpl. lia. destruct (c a); simpl; lia.
Qed.

Lemma finite_induction (D : list nat) (key : nat -> Q) (P : nat -> Prop) :
  (forall i, In i D -> (forall j, In j D -> key j < key i -> P j) -> P i) -> forall i, In i D -> P i.
Proof.
  intros H. set (below := fun i j => negb (Qle_bool (key i) (key j))).
  assert (B : forall i j, below i j = true <-> key j < key i).
  { intros i j. unfold below. rewrite negb_true_iff. split; intros E.
    apply Qnot_le_lt. intros L. apply Qle_bool_iff in L. congruence.
    destruct (Qle_bool (key i) (key j)) eqn:F; auto. apply Qle_bool_iff in F. lra. }
  assert (G : forall n i, In i D -> (length (filter (below i) D) < n)%nat -> P i).
  { induction n as [|n IH]; intros i Hi L. lia. apply H; auto. intros j Hj ji. apply IH; auto.
    assert (length (filter (below j) D) < length (filter (below i) D))%nat; [|lia].
    apply filter_shorter with j; auto.
    - intros y. rewrite !B. lra.
    - destruct (below j j) eqn:E; auto. apply B in E. lra.
    - apply B; auto. }
  intros i Hi. apply (G (Datatypes.S (length (filter (below i) D))) i Hi). lia.
Qed.

(** Every set of states that holds something made, and nothing given, is entered by a task of D, if D holds
    for each of its tasks an earlier task for each need. *)
Lemma entered_of (D : list nat) (key : nat -> Q) (X : state -> bool) :
  (forall i, In i D -> forall x, In x (needs (kind i)) ->
     In x (given S) \/ exists j, In j D /\ makes (kind j) = x /\ key j < key i) ->
  (forall x, In x (given S) -> X x = false) -> forall i, In i D -> X (makes (kind i)) = true ->
  exists j, In j D /\ X (makes (kind j)) = true /\ forall x, In x (needs (kind j)) -> X x = false.
Proof.
  intros N G. apply (finite_induction D key (fun i => X (makes (kind i)) = true ->
    exists j, In j D /\ X (makes (kind j)) = true /\ forall x, In x (needs (kind j)) -> X x = false)).
  intros i Hi IH Xi. destruct (existsb X (needs (kind i))) eqn:E.
  - apply existsb_exists in E. destruct E as [x [Hx Xx]].
    destruct (N i Hi x Hx) as [Gx|[j [J1 [J2 J3]]]].
    + rewrite (G x Gx) in Xx. discriminate.
    + apply (IH j); auto. congruence.
  - exists i. repeat split; auto. intros x Hx. destruct (X x) eqn:F; auto.
    assert (existsb X (needs (kind i)) = true) by (apply existsb_exists; eauto). congruence.
Qed.
Lemma entered (X : state -> bool) m K i : (forall x, In x (given S) -> X x = false) ->
  In i (Done K m) -> X (makes (kind i)) = true ->
  exists j, In j (Done K m) /\ X (makes (kind j)) = true /\ forall x, In x (needs (kind j)) -> X x = false.
Proof. intros G. apply entered_of with (first m); auto. intros j Hj. apply (done_needs m K j Hj). Qed.
End System.

(** ** The bound of prices and cuts *)

(** A cut is a set of states. A task enters it if it makes one of its states and needs none of them. *)
Definition enters (X : state -> bool) (k : task) : bool := X (makes k) && negb (existsb X (needs k)).
Definition crossed (cuts : list ((state -> bool) * Q)) (k : task) : Q :=
  sum (fun c => if enters (fst c) k then snd c else 0) cuts.
Definition proper_cuts (S : system) (cuts : list ((state -> bool) * Q)) : Prop :=
  forall X w, In (X, w) cuts -> 0 <= w /\ (forall x, In x (given S) -> X x = false) /\
    exists x, In x (wanted S) /\ X x = true.

Lemma enough_once S s y K M w : (forall k, In k (tasks S) -> 0 < lasts k) -> valid S s -> nonneg y ->
  0 <= K ->
  (forall m, (m < M)%nat -> w <= sum (fun i => lasts (kind S i) * paid y (kind S i)) (Done S s K m)) ->
  count M * w <= K * total y.
Proof.
  intros pos Hs Hy HK One. eapply Qle_trans; [|apply (weak_duality S s Hs y Hy K HK M)].
  replace M with (length (seq 0 M)) at 1 by apply seq_length.
  rewrite <- (sum_const w (seq 0 M)). apply sum_le. intros m Hm. apply One. apply in_seq in Hm. lia.
Qed.

Theorem cut_bound (S : system) (y : prices) (cuts : list ((state -> bool) * Q)) :
  (forall k, In k (tasks S) -> 0 < lasts k) -> nonneg y -> proper_cuts S cuts ->
  (forall k, In k (tasks S) -> crossed cuts k <= lasts k * paid y k) ->
  forall s M K, 0 <= K -> valid S s -> completes S s M K ->
  count M * sum snd cuts <= K * total y.
Proof.
  intros pos Hp Hc pack s M K HK Hs C. apply (enough_once S s); auto. intros m Hm.
  apply Qle_trans with (sum (fun i => crossed cuts (kind S i)) (Done S s K m)).
  - unfold crossed. rewrite sum_swap. apply sum_le. intros [X w] Hx. simpl.
    destruct (Hc X w Hx) as [Hw [G [x [Wx Xx]]]].
    destruct (has_done S pos s Hs m K K x) as [Gx|[i [Hi [Mi _]]]]; try lra. auto.
    { rewrite (G x Gx) in Xx. discriminate. }
    destruct (entered S pos s Hs X m K i G Hi) as [j [Hj [Xj Nj]]]. congruence.
    apply Qle_trans with (if enters X (kind S j) then w else 0).
    + unfold enters. rewrite Xj. destruct (existsb X (needs (kind S j))) eqn:E; simpl; [|lra].
      apply existsb_exists in E. destruct E as [z [Hz Ez]]. rewrite (Nj z Hz) in Ez. discriminate.
    + apply (sum_member (fun i => if enters X (kind S i) then w else 0)); auto.
      intros z _. destruct (enters X (kind S z)); lra.
  - apply sum_le. intros i Hi. apply pack. apply filter_In in Hi. destruct Hi as [Hi _].
    apply in_seq in Hi. apply nth_In. lia.
Qed.
