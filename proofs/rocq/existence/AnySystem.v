(** Every system has a throughput, whatever its resources are: half-duplex on any graph, for example. In place
  of
    loads there are sets of tasks that can work at the same time. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Sums Time Bound.
From Exactsched.existence Require Import Definitions Finite Duality Structures Reached.
Import ListNotations.
Open Scope Q_scope.

(** ** Pieces with weights *)
Section Busy.
Variables (w : piece -> Q) (z : Q) (l : list piece).
Hypothesis w_nonneg : forall p, In p l -> 0 <= w p.
Hypothesis order : forall p, In p l -> start p <= stop p.
Hypothesis at_once : forall a b, a < b -> sum w (filter (covers a b) l) <= z.

Lemma quiet_weight a b : a <= b -> (forall p, In p l -> quiet a b (start p) /\ quiet a b (stop p)) ->
  sum (fun p => w p * (before b p - before a p)) l <= z * (b - a).
Proof.
  intros ab Hq. destruct (Qlt_le_dec a b) as [lt|ba].
  - apply Qle_trans with (sum w (filter (covers a b) l) * (b - a)).
    + rewrite Qmult_comm, <- sum_scale, sum_filter. apply sum_le. intros p Hp. destruct (Hq p Hp) as [Q1 Q2].
      pose proof (order p Hp) as O. destruct (covers a b p) eqn:E.
      * apply covers_spec in E. assert (before b p - before a p == b - a) as ->; [|lra].
        unfold before. mins; lra.
      * assert (N : ~ (start p <= a /\ b <= stop p)) by (rewrite <- covers_spec; congruence).
        assert (D : stop p <= a \/ b <= start p).
        { destruct Q1 as [Q1|Q1]; auto. destruct Q2 as [Q2|Q2]; auto. tauto. }
        assert (before b p - before a p == 0) as ->; [|lra]. unfold before. destruct D; mins; lra.
    + apply Qmult_le_compat_r; [auto|lra].
  - assert (E : a == b) by lra. rewrite sum_none. rewrite E. lra.
    intros p _. assert (before b p - before a p == 0) as ->; [|ring]. unfold before. mins; lra.
Qed.
Lemma busy_weight a b : a <= b -> sum (fun p => w p * (before b p - before a p)) l <= z * (b - a).
Proof.
  assert (G : forall times a b, a <= b ->
    (forall p, In p l -> (In (start p) times \/ quiet a b (start p)) /\ (In (stop p) times \/ quiet a b (stop
      p))) ->
    sum (fun p => w p * (before b p - before a p)) l <= z * (b - a)).
  { induction times as [|t times IH]; intros a' b' ab H.
    - apply quiet_weight; auto. intros p Hp. destruct (H p Hp) as [[[]|?] [[]|?]]; auto.
    - assert (K : forall x u v, a' <= u -> v <= b' -> (v <= t \/ t <= u) ->
        In x (t :: times) \/ quiet a' b' x -> In x times \/ quiet u v x).
      { intros x u v au vb tt [[->|I]|[L|L]]; auto; right; unfold quiet; destruct tt; try (left; lra); right;
        lra. }
      destruct (Qlt_le_dec a' t) as [at_|ta]; [destruct (Qlt_le_dec t b') as [tb|bt]|].
      + assert (H1 : sum (fun p => w p * (before t p - before a' p)) l <= z * (t - a')).
        { apply IH; [lra|]. intros p Hp. destruct (H p Hp). split; apply K; auto; try lra; left; lra. }
        assert (H2 : sum (fun p => w p * (before b' p - before t p)) l <= z * (b' - t)).
        { apply IH; [lra|]. intros p Hp. destruct (H p Hp). split; apply K; auto; try lra; right; lra. }
        rewrite (sum_eq _ (fun p => w p * (before t p - before a' p) + w p * (before b' p - before t p))) by
          (intros; ring).
        rewrite sum_plus. lra.
      + apply IH; auto. intros p Hp. destruct (H p Hp). split; apply K; auto; try lra; left; lra.
      + apply IH; auto. intros p Hp. destruct (H p Hp). split; apply K; auto; try lra; right; lra. }
  intros ab. apply (G (map start l ++ map stop l)); auto.
  intros p Hp. split; left; apply in_app_iff; [left|right]; apply in_map; auto.
Qed.
End Busy.

(** ** Sets of tasks that can work at the same time *)
Definition shares (S : system) (i j : nat) : bool := existsb (fun r => uses_it r (kind S j)) (uses (kind S i)).
Lemma shares_clash S i j : shares S i j = true <-> clash S i j.
Proof.
  unfold shares, clash. rewrite existsb_exists. split; intros (r & H1 & H2); exists r; split; auto; apply
    uses_it_spec; auto.
Qed.
Fixpoint togetherb (S : system) (m : list nat) : bool :=
  match m with
  | [] => true
  | i :: m => (i <? length (tasks S))%nat && negb (listed i m) && negb (existsb (shares S i) m) && togetherb S m
  end.
Lemma clash_sym S i j : clash S i j -> clash S j i.
Proof. intros (r & H1 & H2). exists r. auto. Qed.
Lemma togetherb_spec S m : togetherb S m = true <-> together S m.
Proof.
  induction m as [|i m IH]; simpl.
  - split; auto. intros _. split. constructor. split; easy.
  - rewrite !andb_true_iff, !negb_true_iff, Nat.ltb_lt, IH. split.
    + intros (((L & N) & C) & Nd & R & A). split; [|split].
      * constructor; auto. rewrite <- listed_in. congruence.
      * intros j [<-|Hj]; auto.
      * intros j k [<-|Hj] [<-|Hk] Ne; auto.
        -- rewrite <- shares_clash. rewrite (existsb_false _ _ C k Hk). discriminate.
        -- intros Cl. apply clash_sym in Cl. apply shares_clash in Cl. rewrite (existsb_false _ _ C j Hj) in
          Cl. discriminate.
    + intros (Nd & R & A). inversion Nd; subst. repeat split; auto.
      * apply R. left; auto.
      * apply not_true_is_false. rewrite listed_in. auto.
      * apply not_true_is_false. intros E. apply existsb_exists in E. destruct E as (j & Hj & E). apply
        shares_clash in E.
        apply (A i j); auto. left; auto. right; auto. intros ->. auto.
      * intros j Hj. apply R. right; auto.
      * intros j k Hj Hk. apply A; right; auto.
Qed.
Definition all_together (S : system) : list (list nat) :=
  nodup eq_list (filter (togetherb S) (words (length (tasks S)) (seq 0 (length (tasks S))))).
Lemma all_together_spec S m : In m (all_together S) <-> together S m.
Proof.
  unfold all_together. rewrite nodup_In, filter_In, togetherb_spec. split; [tauto|]. intros H. split; auto.
  destruct H as (N & R & _). assert (I : incl m (seq 0 (length (tasks S)))) by (intros i Hi; apply in_seq;
    apply R in Hi; lia).
  apply words_in; auto. rewrite <- (seq_length (length (tasks S)) 0). apply NoDup_incl_length; auto.
Qed.

(** ** Prices of tasks bound the operations *)
Section Prices.
Variable S : system.
Hypothesis positive : takes_time S.
Hypothesis some : forall k, In k (tasks S) -> uses k <> [].
Variables (q : nat -> Q) (z : Q).
Hypothesis q_nonneg : forall i, (i < length (tasks S))%nat -> 0 <= q i.
Hypothesis at_most : forall m, together S m -> sum q m <= z.

Lemma pieces_together s a b : valid S s -> a < b -> together S (map which (filter (covers a b) s)).
Proof.
  intros (V & F) ab.
  assert (G : forall l, (forall p, In p l -> 0 <= start p < stop p /\ exists k, nth_error (tasks S) (which p) =
    Some k) ->
    ForallOrdPairs (compatible S) l -> together S (map which (filter (covers a b) l))).
  { clear V F. induction l as [|p l IH]; intros V F; simpl. { split. constructor. split; easy. }
    inversion F as [|? ? Fp Fl]; subst. specialize (IH (fun q Hq => V q (or_intror Hq)) Fl).
    destruct (covers a b p) eqn:C; auto. simpl. destruct IH as (N & R & A).
    destruct (V p) as (_ & k & Hk); [left; auto|]. destruct (kind_some S _ _ Hk) as (Ek & Lk & Ik).
    assert (Apart : forall j, In j (map which (filter (covers a b) l)) -> ~ clash S (which p) j).
    { intros j Hj (r & U1 & U2). apply in_map_iff in Hj. destruct Hj as (p' & <- & Hp'). apply filter_In in Hp'.
      destruct Hp' as [Hp' C']. destruct (V p') as (_ & k' & Hk'); [right; auto|].
      destruct (kind_some S _ _ Hk') as (Ek' & _ & _). rewrite Forall_forall in Fp. specialize (Fp p' Hp').
      apply covers_spec in C, C'. rewrite Ek in U1. rewrite Ek' in U2. destruct (Fp k k' r Hk Hk' U1 U2); lra. }
    split; [|split].
    - constructor; auto. intros I. apply (Apart _ I). specialize (some k Ik). destruct (uses k) as [|r u]
      eqn:U; [easy|].
      exists r. rewrite Ek, U. simpl; auto.
    - intros j [<-|Hj]; auto.
    - intros i j [<-|Hi] [<-|Hj] Ne; auto. intros Cl. apply (Apart _ Hi). apply clash_sym; auto. }
  apply G; auto. intros p Hp. destruct (V p Hp) as (O & k & Hk & _). eauto.
Qed.

Lemma priced_work s K M : valid S s -> 0 <= K ->
  sum (fun m => sum (fun i => lasts (kind S i) * q i) (Done S s K m)) (seq 0 M) <= z * K.
Proof.
  intros V HK. assert (Hq : forall p, In p s -> 0 <= q (which p) /\ start p <= stop p /\ 0 <= start p).
  { intros p Hp. destruct V as [V _]. destruct (V p Hp) as (O & k & Hk & _). destruct (kind_some S _ _ Hk) as
    (_ & L & _).
    repeat split; auto; lra. }
  apply Qle_trans with
    (sum (fun m => sum (fun i => sum (fun p => if of_task i m p then before K p * q (which p) else 0) s)
       (seq 0 (length (tasks S)))) (seq 0 M)).
  { apply sum_le. intros m _. unfold Done. rewrite sum_filter. apply sum_le. intros i Hi. apply in_seq in Hi.
    assert (E : sum (fun p => if of_task i m p then before K p * q (which p) else 0) s == work s i m K * q i).
    { unfold work. rewrite sum_filter, Qmult_comm, <- sum_scale. apply sum_eq. intros p _.
      destruct (of_task i m p) eqn:E; [|ring]. unfold of_task in E. apply andb_prop in E. destruct E as [E _].
      apply Nat.eqb_eq in E. subst i. ring. }
    assert (Li : (i < length (tasks S))%nat) by lia. specialize (q_nonneg i Li).
    rewrite E. pose proof (work_nonneg S s V i m K).
    destruct (doneb S s K m i) eqn:D. apply Qle_bool_iff in D. apply Qmult_le_compat_r; auto. apply
      Qmult_le_0_compat; auto. }
  apply Qle_trans with (sum (fun p => q (which p) * (before K p - before 0 p)) s).
  { erewrite sum_eq; [|intros m _; apply sum_swap]. rewrite sum_swap. apply sum_le. intros p Hp.
    destruct (Hq p Hp) as (Q0 & O & P0). pose proof (before_nonneg K p O) as B0.
    assert (Z0 : before 0 p == 0) by (apply before_early; auto). rewrite Z0.
    assert (N : 0 <= before K p * q (which p)) by (apply Qmult_le_0_compat; auto).
    apply Qle_trans with (before K p * q (which p)); [|lra].
    apply Qle_trans with (sum (fun m => if (operation p =? m)%nat then before K p * q (which p) else 0) (seq 0
      M)).
    - apply sum_le. intros m _. unfold of_task. destruct (operation p =? m)%nat.
      + eapply Qle_trans; [|apply (sum_at_most_one (seq 0 (length (tasks S))) (fun i => which p =? i)%nat
        (which p)); auto using seq_NoDup].
        * apply sum_le. intros i _. rewrite andb_true_r. lra.
        * intros i E. apply Nat.eqb_eq in E. auto.
      + rewrite sum_none. lra. intros i _. rewrite andb_false_r. reflexivity.
    - apply (sum_at_most_one (seq 0 M) (fun m => operation p =? m)%nat (operation p)); auto using seq_NoDup.
      intros i E. apply Nat.eqb_eq in E. auto. }
  setoid_replace (z * K) with (z * (K - 0)) by ring.
  apply (busy_weight (fun p => q (which p)) z s); auto; try (intros; apply Hq; auto).
  intros a b ab. rewrite <- sum_map. apply at_most, pieces_together; auto.
Qed.

Lemma task_prices_bound : (forall t, structure S t -> 1 <= sum (fun i => lasts (kind S i) * q i) t) ->
  never_more S z.
Proof.
  intros P s M K HK V Co. eapply Qle_trans; [|apply (priced_work s K M V HK)].
  rewrite <- (seq_length M 0) at 1. rewrite <- sum_one. apply sum_le. intros m Hm. apply in_seq in Hm.
  destruct (done_structure S positive s M K m HK V Co) as (t & St & It). lia.
  eapply Qle_trans; [apply (P t St)|]. apply sum_incl; auto. 2: apply (grows_facts S t), St.
  intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi. apply Qmult_le_0_compat.
  apply lasts_nonneg; auto. lia. apply q_nonneg. lia.
Qed.
End Prices.

(** ** The throughput *)
Theorem plan_reached S l d : takes_time S -> plan S l d -> 0 < value l -> exists C, reached S (value l) C.
Proof.
  intros pos (Pl & Pd & One & Serve) Pos. destruct (common_denominator l) as (q & Hq & r & Er & Hr).
  { intros x t H. apply (Pl x t H). }
  set (trees := flat_map (fun nt => repeat (snd nt) (fst nt)) r).
  assert (E : forall f, sum f trees == count q * sum (fun xt => fst xt * f (snd xt)) l).
  { intros f. unfold trees. rewrite sum_flat, <- Hr. apply sum_eq. intros nt _. apply sum_repeat. }
  assert (Cq : 0 < count q) by (apply count_pos; auto).
  assert (El : count (length trees) == count q * value l).
  { unfold value. rewrite <- sum_one, E. apply Qmult_comp. reflexivity. apply sum_eq. intros; lra. }
  set (slots := map (fun xm => (count q * fst xm, snd xm)) (filter (fun xm => positive (fst xm)) d)).
  assert (Served : forall i w, served i w == sum (fun xt => fst xt * bit (listed i (snd xt))) w).
  { intros i w. unfold served. rewrite sum_filter. apply sum_eq. intros [x t] _. unfold bit. cbn [fst snd].
    destruct (listed i t); ring. }
  assert (Drop : forall f : list nat -> Q, sum (fun xm => fst xm * f (snd xm)) slots == count q * sum (fun xm
    => fst xm * f (snd xm)) d).
  { intros f. unfold slots. rewrite sum_map, sum_filter, <- sum_scale. apply sum_eq. intros [x m] I. cbn [fst
    snd].
    destruct (positive x) eqn:P. ring. apply positive_false in P. destruct (Pd x m I) as [Hx _].
    assert (x == 0) as -> by lra. ring. }
  exists (count (heights S trees) * count q).
  apply (reached_eq S (count (length trees) / count q)). rewrite El. field; lra.
  apply (trees_reached S pos trees) with (slots := slots); auto.
  - intros t Ht. apply in_flat_map in Ht. destruct Ht as ([k t'] & H & Ht). apply repeat_spec in Ht. simpl in
    Ht. subst t'.
    assert (I : In t (map snd l)) by (rewrite <- Er; apply in_map_iff; exists (k, t); auto).
    apply in_map_iff in I. destruct I as ([x t'] & <- & I). apply (Pl x t' I).
  - destruct (length trees); [|lia]. change (count 0) with 0 in El.
    assert (0 < count q * value l) by (apply Qmult_lt_0_compat; auto). lra.
  - intros x m I. apply in_map_iff in I. destruct I as ([x' m'] & E' & I). simpl in E'. injection E' as <- <-.
    apply filter_In in I. destruct I as [I P]. apply positive_spec in P. simpl in P. split. apply
      Qmult_lt_0_compat; auto.
    destruct (Pd x' m' I) as (_ & N & R & A). auto.
  - rewrite (sum_eq _ (fun xm => fst xm * 1)) by (intros; ring). rewrite (Drop (fun _ => 1)).
    rewrite (sum_eq _ fst d) by (intros; ring). fold (value d). setoid_replace (count q) with (count q * 1) at
      2 by ring.
    rewrite !(Qmult_comm (count q)). apply Qmult_le_compat_r; lra.
  - intros i Hi. rewrite Served, (Drop (fun m => bit (listed i m))). unfold uses_of. rewrite (E (fun t => bit
    (listed i t))). specialize (Serve i Hi). rewrite !Served in Serve.
    setoid_replace (lasts (kind S i) * (count q * sum (fun xt => fst xt * bit (listed i (snd xt))) l)) with
      (count q * (lasts (kind S i) * sum (fun xt => fst xt * bit (listed i (snd xt))) l)) by ring.
    rewrite !(Qmult_comm (count q)). apply Qmult_le_compat_r; lra.
Qed.

Theorem any_throughput S t0 : takes_time S -> (forall k, In k (tasks S) -> uses k <> []) -> something_to_do S
  -> structure S t0 ->
  exists T l d, 0 < T /\ throughput S T /\ plan S l d /\ value l == T /\
    exists q, task_prices_prove S q T.
Proof.
  intros pos Some (w & Ww & Nw) St0. set (n := length (tasks S)). set (sets := all_together S). set (all :=
    all_structures S).
  assert (NA : NoDup all) by apply NoDup_nodup. assert (NS : NoDup sets) by apply NoDup_nodup.
  destruct (least lasts (tasks S) 1) as (e & He & Le & _); [lra|exact pos|].
  set (rows := map inl (seq 0 n) ++ [inr tt] : list (nat + unit)).
  set (cols := map inl all ++ map inr sets : list (list nat + list nat)).
  set (A (i : nat + unit) (j : list nat + list nat) := match i, j with
    | inl i, inl t => lasts (kind S i) * bit (listed i t) | inl i, inr m => - bit (listed i m)
    | inr _, inl _ => 0 | inr _, inr _ => 1 end : Q).
  set (b (i : nat + unit) := match i with inl _ => 0 | inr _ => 1 end : Q).
  set (c (j : list nat + list nat) := match j with inl _ => 1 | inr _ => 0 end : Q).
  assert (eq1 : forall i k : nat + unit, {i = k} + {i <> k}) by (decide equality; [apply Nat.eq_dec|decide
    equality]).
  assert (eq2 : forall i k : list nat + list nat, {i = k} + {i <> k}) by (decide equality; apply eq_list).
  assert (NR : NoDup rows).
  { apply Periodic.nodup_app. apply nodup_map; [congruence|apply seq_NoDup]. repeat constructor; auto.
    intros x Hx [<-|[]]. apply in_map_iff in Hx. destruct Hx as (? & ? & _). discriminate. }
  assert (NC : NoDup cols).
  { apply Periodic.nodup_app; try (apply nodup_map; auto; congruence).
    intros x Hx Hx'. apply in_map_iff in Hx, Hx'. destruct Hx as (? & <- & _), Hx' as (? & ? & _).
      discriminate. }
  assert (Sc : forall f, sum f cols == sum (fun t => f (inl t)) all + sum (fun m => f (inr m)) sets).
  { intros f. unfold cols. rewrite sum_app, !sum_map. reflexivity. }
  assert (Sr : forall f, sum f rows == sum (fun i => f (inl i)) (seq 0 n) + f (inr tt)).
  { intros f. unfold rows. rewrite sum_app, sum_map. simpl. ring. }
  (* what a point means *)
  set (trees (x : list nat + list nat -> Q) := map (fun t => (x (inl t), t)) all : weighted).
  set (times (x : list nat + list nat -> Q) := map (fun m => (x (inr m), m)) sets : weighted).
  assert (Served : forall i f l, served i (map (fun t : list nat => (f t, t)) l) == sum (fun t => f t * bit
    (listed i t)) l).
  { intros i f l. unfold served. rewrite sum_filter, sum_map. apply sum_eq. intros t _. unfold bit. cbn [fst
    snd].
    destruct (listed i t); ring. }
  assert (Plan : forall x, packed rows cols A b x -> plan S (trees x) (times x)).
  { intros x (Px & Pr). split; [|split; [|split]].
    - intros q t I. apply in_map_iff in I. destruct I as (t' & E & I). injection E as <- <-. split.
      apply Px. apply in_app_iff. left. apply in_map; auto. apply all_structures_spec; auto.
    - intros q m I. apply in_map_iff in I. destruct I as (m' & E & I). injection E as <- <-. split.
      apply Px. apply in_app_iff. right. apply in_map; auto. apply all_together_spec; auto.
    - specialize (Pr (inr tt)). rewrite Sc in Pr. cbn [A b] in Pr. unfold value, times. rewrite sum_map. cbn
      [fst].
      rewrite (sum_none (fun t => 0 * x (inl t))) in Pr by (intros; ring).
      rewrite (sum_eq _ (fun m => x (inr m))) in Pr by (intros; ring).
      assert (I : In (inr tt) rows) by (apply in_app_iff; right; left; auto). specialize (Pr I). lra.
    - intros i Hi. assert (I : In (inl i) rows) by (apply in_app_iff; left; apply in_map, in_seq; unfold n;
      lia).
      specialize (Pr (inl i) I). rewrite Sc in Pr. cbn [A b] in Pr. unfold trees, times. rewrite !Served.
      rewrite (sum_eq (fun t => lasts (kind S i) * bit (listed i t) * x (inl t))
        (fun t => lasts (kind S i) * (x (inl t) * bit (listed i t)))) in Pr by (intros; ring).
      rewrite (sum_eq (fun m => - bit (listed i m) * x (inr m)) (fun m => -1 * (x (inr m) * bit (listed i m))))
        in Pr by (intros; ring).
      rewrite !sum_scale in Pr. lra. }
  (* each structure has a task that lasts some time, and each set at most n *)
  assert (Bounded : forall x, packed rows cols A b x -> sum (fun j => c j * x j) cols <= count n / e).
  { intros x P. pose proof (Plan x P) as (Pt & Pd & One & Serve). rewrite Sc. cbn [c].
    rewrite (sum_none (fun m => 0 * x (inr m))) by (intros; ring).
    assert (V : sum (fun t => 1 * x (inl t)) all == value (trees x)).
    { unfold value, trees. rewrite sum_map. apply sum_eq. intros; simpl; ring. }
    rewrite V. assert (e * value (trees x) <= count n); [|apply Qle_shift_div_l; lra].
    apply Qle_trans with (sum (fun i => lasts (kind S i) * served i (trees x)) (seq 0 n)).
    - unfold served. rewrite (sum_eq _ (fun i => sum (fun xt => lasts (kind S i) * (if listed i (snd xt) then
      fst xt else 0)) (trees x)))
        by (intros; rewrite sum_filter, sum_scale; reflexivity).
      rewrite sum_swap. unfold value. rewrite <- sum_scale. apply sum_le. intros [q t] I. cbn [fst snd].
      destruct (Pt q t I) as (Hq & St). destruct St as (G & W). pose proof (W w Ww) as K. apply known_in in K.
      destruct K as [K|(i & Hi & _)]; [contradiction|].
      assert (Li : (i < n)%nat) by (apply (grows_facts S t G); auto).
      apply Qle_trans with (lasts (kind S i) * (if listed i t then q else 0)).
      + assert (L : listed i t = true) by (apply listed_in; auto). rewrite L. apply Qmult_le_compat_r; auto.
        apply Le, nth_In; auto.
      + apply (sum_member (fun i => lasts (kind S i) * (if listed i t then q else 0))); [|apply in_seq; lia].
        intros j Hj. apply in_seq in Hj. apply Qmult_le_0_compat. apply lasts_nonneg; auto. unfold n in Hj.
          lia. destruct (listed j t); lra.
    - apply Qle_trans with (sum (fun _ => 1) (seq 0 n)).
      + apply sum_le. intros i Hi. apply in_seq in Hi. eapply Qle_trans; [apply Serve; unfold n in Hi; lia|].
        eapply Qle_trans; [|exact One]. unfold served, value. apply sum_filter_le. intros [q m] I. apply (Pd q
          m I).
      + rewrite sum_one, seq_length. lra. }
  destruct (packing_duality eq1 eq2 rows cols A b c NR NC) with (U := count n / e) as (x & y & P & Hy & Hc &
    V); auto.
  { intros i Hi. unfold b. destruct i; lra. }
  pose proof (Plan x P) as Pl. set (q i := y (inl i)). set (z := y (inr tt)).
  assert (Q0 : forall i, (i < length (tasks S))%nat -> 0 <= q i).
  { intros i Hi. apply Hy. apply in_app_iff. left. apply in_map, in_seq. unfold n. lia. }
  assert (Vx : value (trees x) == z).
  { rewrite Sc, Sr in V. cbn [b c] in V. rewrite (sum_none (fun m => 0 * x (inr m))) in V by (intros; ring).
    rewrite (sum_none (fun i => y (inl i) * 0)) in V by (intros; ring).
    unfold value, trees. rewrite sum_map. cbn [fst]. rewrite (sum_eq _ (fun t => 1 * x (inl t))) by (intros;
      ring). unfold z. lra. }
  assert (Sub : forall f m, together S m \/ structure S m -> sum (fun i => f i * bit (listed i m)) (seq 0 n) ==
    sum f m).
  { intros f m H. assert (NR' : NoDup m /\ forall i, In i m -> (i < n)%nat).
    { destruct H as [(N & R & _)|(G & _)]. auto. destruct (grows_facts S m G) as (N & R). split; auto. intros i
      Hi. apply R; auto. }
    destruct NR' as (N & R).
    rewrite (sum_eq _ (fun i => if listed i m then f i else 0)) by (intros; unfold bit; destruct (listed _ m);
      ring).
    rewrite <- (sum_filter f (fun i => listed i m)). apply sum_perm. apply NoDup_Permutation; auto. apply
      NoDup_filter, seq_NoDup.
    intros i. rewrite filter_In, in_seq, listed_in. split; [tauto|]. intros Hi. split; auto. apply R in Hi.
      lia. }
  assert (Sets : forall m, together S m -> sum q m <= z).
  { intros m Hm. assert (I : In (inr m) cols) by (apply in_app_iff; right; apply in_map, all_together_spec;
    auto).
    specialize (Hc _ I). rewrite Sr in Hc. cbn [c A] in Hc.
    rewrite (sum_eq _ (fun i => -1 * (q i * bit (listed i m)))) in Hc by (intros; unfold q; ring).
    rewrite sum_scale, Sub in Hc by auto. unfold z. lra. }
  assert (Trees : forall t, structure S t -> 1 <= sum (fun i => lasts (kind S i) * q i) t).
  { intros t St. assert (I : In (inl t) cols) by (apply in_app_iff; left; apply in_map, all_structures_spec;
    auto).
    specialize (Hc _ I). rewrite Sr in Hc. cbn [c A] in Hc.
    rewrite (sum_eq _ (fun i => (lasts (kind S i) * q i) * bit (listed i t))) in Hc by (intros; unfold q; ring).
    rewrite (Sub (fun i => lasts (kind S i) * q i)) in Hc by auto. lra. }
  assert (Never : never_more S z) by (apply (task_prices_bound S pos Some q z Q0); auto).
  (* some task of t0 has a price *)
  assert (Zp : 0 < z).
  { destruct (sum_positive (fun i => lasts (kind S i) * q i) t0) as (i & Hi & Pi). specialize (Trees t0 St0).
    lra.
    assert (Li : (i < n)%nat) by (eapply structure_range; eauto).
    assert (T1 : together S [i]).
    { split. repeat constructor; auto. split. intros j [<-|[]]. auto. intros j k [<-|[]] [<-|[]]; easy. }
    specialize (Sets _ T1). simpl in Sets. pose proof (lasts_nonneg S pos i Li). nra. }
  exists z, (trees x), (times x). split; auto. split; [|split; [auto|split; [auto|]]].
  2:{ exists q. split; auto. }
  split; auto.
  destruct (plan_reached S (trees x) (times x) pos Pl) as (C & R). lra. exists C. apply (reached_eq S (value
    (trees x))); auto.
Qed.

Theorem throughput_iff_structure S : takes_time S -> (forall k, In k (tasks S) -> uses k <> []) ->
  something_to_do S ->
  (exists T, throughput S T) <-> exists t, structure S t.
Proof.
  intros pos Some todo. split.
  - intros (T & Th). eapply throughput_structure; eauto.
  - intros (t & St). destruct (any_throughput S t pos Some todo St) as (T & _ & _ & _ & Th & _). eauto.
Qed.
