(** A period repeated for ever is a schedule that loses a constant. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Sums Time Bound.
Import ListNotations.
Open Scope Q_scope.

Lemma nodup_app {A} (l l' : list A) : NoDup l -> NoDup l' -> (forall x, In x l -> ~ In x l') ->
  NoDup (l ++ l').
Proof. induction 1 as [|a l Ha Nd IH]; simpl; intros N' D; auto. constructor.
  rewrite in_app_iff. intros [H|H]. auto. apply (D a); auto. apply IH; auto. Qed.
Lemma nodup_prod {A B} (l : list A) (l' : list B) : NoDup l -> NoDup l' -> NoDup (list_prod l l').
Proof.
  intros Nd N'. induction Nd as [|a l Ha Nd IH]; simpl. constructor. apply nodup_app; auto.
  - clear - N'. induction N' as [|b l' Hb N' IH]; simpl; constructor; auto.
    rewrite in_map_iff. intros [y [E Hy]]. injection E as ->. auto.
  - intros [x y] H H'. apply in_map_iff in H. destruct H as [z [E _]]. injection E as <- <-.
    apply in_prod_iff in H'. tauto.
Qed.
Lemma pairs_map {A B} (R : B -> B -> Prop) (f : A -> B) l : NoDup l ->
  (forall x y, In x l -> In y l -> x <> y -> R (f x) (f y)) -> ForallOrdPairs R (map f l).
Proof.
  induction 1 as [|a l Ha Nd IH]; simpl; intros H; constructor.
  - apply Forall_forall. intros y Hy. apply in_map_iff in Hy. destruct Hy as [x [<- Hx]].
    apply H; auto. intros ->. auto.
  - apply IH. auto.
Qed.
Lemma sum_seq_app f a b c : sum f (seq a (b + c)) == sum f (seq a b) + sum f (seq (a + b) c).
Proof. rewrite seq_app, sum_app. reflexivity. Qed.

Section Periodic.
Variable S : system.
Hypothesis positive : forall k, In k (tasks S) -> 0 < lasts k.

(** Slots: a task and its interval in the period. Classes: the messages 0..B-1 of a period;
    class c does task i at level [lev c i], not at all if that is 0. *)
Variable slots : list (nat * Q * Q).
Variable period : Q.
Variable B : nat.
Variable lev : nat -> nat -> nat.
Variable H : nat.

Definition slot (k : nat) : nat * Q * Q := nth k slots (0%nat, 0, 0).
Definition stask k := fst (fst (slot k)).
Definition sfrom k := snd (fst (slot k)).
Definition sto k := snd (slot k).
Definition slot_count := length slots.

Hypothesis inside : forall k, (k < slot_count)%nat ->
  (stask k < length (tasks S))%nat /\ 0 <= sfrom k < sto k /\ sto k <= period.
Hypothesis slots_apart : forall k l r, (k < slot_count)%nat -> (l < slot_count)%nat -> k <> l ->
  In r (uses (kind S (stask k))) -> In r (uses (kind S (stask l))) ->
  sto k <= sfrom l \/ sto l <= sfrom k.
Hypothesis levels : forall c i, (c < B)%nat -> lev c i <> 0%nat ->
  (i < length (tasks S))%nat /\ (lev c i <= H)%nat /\
  forall x, In x (needs (kind S i)) -> In x (given S) \/
    exists j, makes (kind S j) = x /\ (lev c j <> 0)%nat /\ (lev c j < lev c i)%nat.
Hypothesis all_made : forall c x, (c < B)%nat -> In x (wanted S) -> In x (given S) \/
    exists j, makes (kind S j) = x /\ (lev c j <> 0)%nat.

Definition one (c i : nat) : Q := if (lev c i =? 0)%nat then 0 else 1.
Definition rank (c i : nat) : Q := sum (fun c' => one c' i) (seq 0 c).
Definition room (k i : nat) : Q := sum (fun k' => if (stask k' =? i)%nat then
  sto k' - sfrom k' else 0) (seq 0 k).
Hypothesis enough : forall i, (i < length (tasks S))%nat -> lasts (kind S i) * rank B i <= room slot_count i.
Hypothesis period_pos : 0 < period.
Hypothesis B_pos : (0 < B)%nat.

Definition dur i := lasts (kind S i).
Definition lo (c k : nat) : Q := Qmax (dur (stask k) * rank c (stask k)) (room k (stask k)).
Definition hi (c k : nat) : Q :=
  Qmin (dur (stask k) * (rank c (stask k) + 1)) (room k (stask k) + (sto k - sfrom k)).
Definition when (r c k : nat) : Q := period * count (r + lev c (stask k) - 1).
Definition tag := (nat * (nat * nat))%type.
Definition real (t : tag) : bool := let '(_, (c, k)) := t in
  negb (lev c (stask k) =? 0)%nat && negb (Qle_bool (hi c k) (lo c k)).
Definition piece_of (t : tag) : piece := let '(r, (c, k)) := t in
  Piece (stask k) (r * B + c)
    (when r c k + sfrom k + (lo c k - room k (stask k)))
    (when r c k + sfrom k + (hi c k - room k (stask k))).
Definition tags (R : nat) : list tag := list_prod (seq 0 R) (list_prod (seq 0 B) (seq 0 slot_count)).
Definition unrolled (R : nat) : schedule := map piece_of (filter real (tags R)).

Lemma in_tags R r c k : In (r, (c, k)) (tags R) <-> (r < R)%nat /\ (c < B)%nat /\ (k < slot_count)%nat.
Proof. unfold tags. rewrite !in_prod_iff, !in_seq. lia. Qed.
Lemma real_spec r c k : real (r, (c, k)) = true <-> lev c (stask k) <> 0%nat /\ lo c k < hi c k.
Proof. unfold real. rewrite andb_true_iff, !negb_true_iff. rewrite Nat.eqb_neq.
  split; intros [P Q]; split; auto.
  apply Qnot_le_lt. intros L. apply Qle_bool_iff in L. congruence.
  destruct (Qle_bool (hi c k) (lo c k)) eqn:E; auto. apply Qle_bool_iff in E. lra. Qed.

Lemma later a b : (a < b)%nat -> period * count a + period <= period * count b.
Proof. intros L. pose proof (count_le (Datatypes.S a) b L) as C. rewrite count_S in C. nra. Qed.

Lemma one_nonneg c i : 0 <= one c i.
Proof. unfold one. destruct Nat.eqb; lra. Qed.
Lemma rank_nonneg c i : 0 <= rank c i.
Proof. apply sum_nonneg. intros. apply one_nonneg. Qed.
Lemma rank_lt c d i : (c < d)%nat -> lev c i <> 0%nat -> rank c i + 1 <= rank d i.
Proof.
  intros L E. unfold rank. replace d with (c + (1 + (d - c - 1)))%nat by lia.
  rewrite sum_seq_app, sum_seq_app. simpl (seq _ 1). simpl (sum _ [_]).
  assert (one c i == 1) by (unfold one; apply Nat.eqb_neq in E; rewrite E; lra).
  assert (0 <= sum (fun c' => one c' i) (seq (0 + c + 1) (d - c - 1))) by (apply sum_nonneg; intros;
    apply one_nonneg).
  replace (0 + c)%nat with c in * by lia. lra.
Qed.

(** Every piece lies in its slot, in its period. *)
Lemma piece_place r c k : (k < slot_count)%nat -> real (r, (c, k)) = true ->
  let p := piece_of (r, (c, k)) in
  when r c k + sfrom k <= start p /\ start p < stop p /\ stop p <= when r c k + sto k.
Proof.
  intros Hk Hr. apply real_spec in Hr. destruct Hr as [_ L]. simpl.
  assert (room k (stask k) <= lo c k) by apply Q.le_max_r.
  assert (hi c k <= room k (stask k) + (sto k - sfrom k)) by apply Q.le_min_r.
  repeat split; lra.
Qed.

Lemma unrolled_apart R : ForallOrdPairs (compatible S) (unrolled R).
Proof.
  apply pairs_map.
  { apply NoDup_filter. repeat apply nodup_prod; apply seq_NoDup. }
  intros [r [c k]] [r' [c' k']] I I' ne. apply filter_In in I, I'.
  destruct I as [I T]. destruct I' as [I' T']. apply in_tags in I, I'.
  destruct I as [Ir [Ic Ik]]. destruct I' as [Ir' [Ic' Ik']].
  intros j j' x Hj Hj' Ux Ux'. apply kind_some in Hj, Hj'.
  destruct Hj as [Ej _]. destruct Hj' as [Ej' _]. simpl in Ej, Ej'.
  destruct (piece_place r c k Ik T) as [P1 [P2 P3]]. destruct (piece_place r' c' k' Ik' T') as [P1' [P2'
    P3']].
  destruct (inside k Ik) as [_ [S1 S2]]. destruct (inside k' Ik') as [_ [S1' S2']].
  destruct (proj1 (real_spec _ _ _) T) as [L _]. destruct (proj1 (real_spec _ _ _) T') as [L' _].
  destruct (Nat.lt_trichotomy (r + lev c (stask k) - 1) (r' + lev c' (stask k') - 1)) as [lt|[eq|gt]].
  - left. pose proof (later _ _ lt). unfold when in *. lra.
  - assert (W : when r c k == when r' c' k') by (unfold when; rewrite eq; reflexivity).
    destruct (Nat.eq_dec k k') as [<-|nk].
    + assert (nc : c <> c'). { intros <-. apply ne. f_equal. lia. }
      assert (D : 0 <= dur (stask k)). { apply Qlt_le_weak, positive, nth_In. apply inside; auto. }
      assert (G : forall c c', (c < c')%nat -> lev c (stask k) <> 0%nat -> hi c k <= lo c' k).
      { intros d d' l n. pose proof (rank_lt d d' (stask k) l n).
        assert (hi d k <= dur (stask k) * (rank d (stask k) + 1)) by apply Q.le_min_l.
        assert (dur (stask k) * rank d' (stask k) <= lo d' k) by apply Q.le_max_l. nra. }
      simpl. destruct (Nat.lt_ge_cases c c').
      left. pose proof (G c c' H0 L). lra. right. assert (l : (c' < c)%nat) by lia. pose proof (G c' c l L').
      lra.
    + rewrite <- Ej in Ux. rewrite <- Ej' in Ux'.
      destruct (slots_apart k k' x Ik Ik' nk Ux Ux'); [left|right]; lra.
  - right. pose proof (later _ _ gt). unfold when in *. lra.
Qed.

(** The slots of a task are one line, and class c has its own stretch of it. *)
Definition clip (x y z : Q) : Q := Qmin y z - Qmin x z.
Lemma line x y i n : 0 <= x <= y -> (forall k, (k < n)%nat -> sfrom k <= sto k) ->
  sum (fun k => if (stask k =? i)%nat
                then Qmax 0 (Qmin y (room k i + (sto k - sfrom k)) - Qmax x (room k i)) else 0) (seq 0 n)
  == clip x y (room n i).
Proof.
  intros xy. induction n as [|n IH]; intros O.
  - unfold room, clip. simpl. mins; lra.
  - replace (Datatypes.S n) with (n + 1)%nat by lia. rewrite sum_seq_app, IH by auto.
    specialize (O n (Nat.lt_succ_diag_r n)).
    assert (E : room (n + 1) i == room n i + (if (stask n =? i)%nat then sto n - sfrom n else 0)).
    { unfold room. rewrite sum_seq_app. simpl. ring. }
    unfold clip. rewrite E. clear E. simpl. generalize (room n i). intros q.
    destruct (stask n =? i)%nat; mins; lra.
Qed.

Lemma enough_work R r c i t : (r < R)%nat -> (c < B)%nat -> lev c i <> 0%nat ->
  period * count (r + lev c i) <= t -> lasts (kind S i) <= work (unrolled R) i (r * B + c) t.
Proof.
  intros Hr Hc Hl Ht. destruct (levels c i Hc Hl) as [Hi _].
  set (x := dur i * rank c i). set (y := dur i * (rank c i + 1)).
  assert (D : 0 < dur i) by (apply positive, nth_In; auto).
  pose proof (rank_nonneg c i) as R0.
  assert (E : dur i == clip x y (room slot_count i)).
  { assert (y <= room slot_count i). { unfold y. pose proof (enough i Hi) as En. fold (dur i) in En.
    pose proof (rank_lt c B i Hc Hl). nra. }
    assert (y - x == dur i) by (unfold x, y; ring). assert (0 <= x) by (unfold x; nra). unfold clip.
    mins; lra. }
  fold (dur i). rewrite E. rewrite <- line; [|unfold x, y; split; nra|intros k Hk;
    destruct (inside k Hk) as [_ [? _]]; lra].
  unfold work, unrolled. rewrite sum_filter, sum_map, sum_filter.
  set (f := fun t0 : tag => if real t0 then if of_task i (r * B + c) (piece_of t0) then
    before t (piece_of t0) else 0 else 0).
  assert (F : forall t0, In t0 (tags R) -> 0 <= f t0).
  { intros [r0 [c0 k0]] I. apply in_tags in I. unfold f. destruct (real _) eqn:T; [|lra].
    destruct of_task; [|lra]. apply before_nonneg. destruct (piece_place r0 c0 k0) as [_ [? _]]; auto. tauto.
    lra. }
  change (sum (fun k : nat => if (stask k =? i)%nat then Qmax 0 (Qmin
    y (room k i + (sto k - sfrom k)) - Qmax x (room k i)) else 0) (seq 0 slot_count) <= sum f (tags R)).
  eapply Qle_trans; [|apply (sum_incl f (map (fun k => (r, (c, k))) (seq 0 slot_count)) (tags R) F)].
  - rewrite sum_map. apply sum_le. intros k Hk. apply in_seq in Hk. assert (Ik : (k < slot_count)%nat) by lia.
    destruct (stask k =? i)%nat eqn:Ei.
    + apply Nat.eqb_eq in Ei. unfold f. destruct (real (r, (c, k))) eqn:T.
      * assert (O : of_task i (r * B + c) (piece_of (r, (c, k))) = true).
        { unfold of_task. simpl. rewrite Ei, !Nat.eqb_refl. auto. }
        rewrite O. destruct (piece_place r c k Ik T) as [P1 [P2 P3]].
        destruct (inside k Ik) as [_ [S1 S2]].
        assert (Le : stop (piece_of (r, (c, k))) <= t).
        { eapply Qle_trans; [exact P3|]. eapply Qle_trans; [|exact Ht].
          assert (Lt : (r + lev c i - 1 < r + lev c i)%nat) by lia. apply later in Lt. unfold when.
          rewrite Ei. lra. }
        rewrite before_late by lra. simpl. apply real_spec in T. destruct T as [_ T]. revert T.
        unfold lo, hi. rewrite Ei. fold x y. intros T. destruct (Q.max_spec 0 (Qmin
          y (room k i + (sto k - sfrom k)) - Qmax x (room k i))) as [[_ M]|[_ M]]; rewrite M; lra.
      * assert (Z : hi c k <= lo c k).
        { unfold real in T. rewrite andb_false_iff, !negb_false_iff in T. destruct T as [T|T].
          apply Nat.eqb_eq in T. rewrite Ei in T. contradiction. apply Qle_bool_iff in T. auto. }
        unfold lo, hi in Z. rewrite Ei in Z. fold x y in Z.
        destruct (Q.max_spec 0 (Qmin y (room k i + (sto k - sfrom k)) - Qmax x (room k i))) as [[M0 M]|[M0
          M]]; rewrite M; lra.
    + apply F. apply in_tags. auto.
  - clear. assert (Nd : NoDup (seq 0 slot_count)) by apply seq_NoDup.
    induction Nd as [|a l Ha Nd IH]; simpl; constructor; auto.
    rewrite in_map_iff. intros [k [Ek Hk]]. injection Ek as ->. auto.
  - intros t0 I. apply in_map_iff in I. destruct I as [k [<- Ik]]. apply in_seq in Ik. apply in_tags. lia.
Qed.

Theorem unrolled_valid R : valid S (unrolled R).
Proof.
  split; [|apply unrolled_apart].
  intros p Hp. apply in_map_iff in Hp. destruct Hp as [[r [c k]] [<- I]]. apply filter_In in I.
  destruct I as [I T].
  apply in_tags in I. destruct I as [Ir [Ic Ik]]. destruct (piece_place r c k Ik T) as [P1 [P2 P3]].
  destruct (inside k Ik) as [Sk [S1 S2]]. destruct (proj1 (real_spec _ _ _) T) as [L _].
  assert (W : 0 <= when r c k). { unfold when. apply Qmult_le_0_compat. lra. apply count_nonneg. }
  split. lra. exists (kind S (stask k)). split. apply nth_error_nth'; auto.
  intros x Hx. destruct (levels c (stask k) Ic L) as [_ [_ Nd]]. destruct (Nd x Hx) as [G|[j [J1 [J2 J3]]]].
  left; auto. right. exists j, (kind S j). destruct (levels c j Ic J2) as [Sj _].
  split. apply nth_error_nth'; auto. split; auto.
  change (operation (piece_of (r, (c, k)))) with (r * B + c)%nat. apply enough_work; auto.
  eapply Qle_trans; [|exact P1]. unfold when.
  assert (C : count (r + lev c j) <= count (r + lev c (stask k) - 1)) by (apply count_le; lia). nra.
Qed.

Theorem unrolled_completes R t : period * count (R + H - 1) <= t -> completes S (unrolled R) (R * B) t.
Proof.
  intros Ht m x Hm Hx.
  assert (Hc : (m mod B < B)%nat) by (apply Nat.mod_upper_bound; lia).
  assert (Hr : (m / B < R)%nat) by (apply Nat.div_lt_upper_bound; lia).
  assert (Em : m = (m / B * B + m mod B)%nat) by (rewrite Nat.mul_comm; apply Nat.div_mod; lia).
  destruct (all_made (m mod B) x Hc Hx) as [G|[j [J1 J2]]]. left; auto.
  destruct (levels (m mod B) j Hc J2) as [Sj [Lj _]].
  right. exists j, (kind S j). split. apply nth_error_nth'; auto. split; auto.
  rewrite Em at 1. apply enough_work; auto. eapply Qle_trans; [|exact Ht].
  assert (C : count (m / B + lev (m mod B) j) <= count (R + H - 1)) by (apply count_le; lia). nra.
Qed.

Theorem periodic_reached : reached S (count B / period) (count H * period).
Proof.
  assert (Bq : 0 < count B). { unfold count. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. lia. }
  split. apply Qlt_shift_div_l; lra.
  intros M. set (R := (M / B + 1)%nat). exists (unrolled R). split. apply unrolled_valid.
  assert (MR : (M < R * B)%nat). { unfold R. pose proof (Nat.div_mod M B).
  pose proof (Nat.mod_upper_bound M B). nia. }
  intros m x Hm Hx. apply (unrolled_completes R); auto; [|lia].
  replace (R + H - 1)%nat with (M / B + H)%nat by (unfold R; lia).
  assert (C : count (M / B) * count B <= count M).
  { unfold count. rewrite <- inject_Z_mult, <- Zle_Qle, <- Nat2Z.inj_mul. apply inj_le. rewrite Nat.mul_comm.
    apply Nat.mul_div_le. lia. }
  assert (Q : count M / (count B / period) == period * (count M / count B)) by (field; split; lra).
  assert (D : count (M / B) <= count M / count B) by (apply Qle_shift_div_l; lra).
  rewrite Q. unfold count at 1. rewrite Nat2Z.inj_add, inject_Z_plus. fold (count (M / B)) (count H). nra.
Qed.
End Periodic.
