(** Helpers that combine: nodes without a value of their own. With them the theorem on calls is false: here one sum along
    each arc reaches 1, and pairs of trees at most 6/7. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time Bound Periodic.
From Exactsched.allreduce Require Import Calls OrderFree Known AllReduce.
Import ListNotations.
Open Scope Q_scope.

(** ** Calls one after the other, and one operation after the other *)
(** Calls over different links of cost 1, after which everybody in [nodes] knows everything, make one all-reduce per time
    unit: call i of operation m works from m + i to m + i + 1. Other nodes may take part. *)
Section Pipeline.
Variables (nodes : list node) (arcs : list arc).
Hypothesis Once : NoDup (map arc_call arcs).
Hypothesis Unit : forall a, In a arcs -> cost a == 1.
Hypothesis Complete : complete nodes (map arc_call arcs).
Let blocks := all_reduce nodes.
Let calls := map (Telling 0) arcs.
Let piece_of (m i : nat) := Piece i m (count (m + i)) (count (m + i) + 1).
Definition in_turn (M : nat) : schedule := flat_map (fun m => map (piece_of m) (seq 0 (length arcs))) (seq 0 M).

Lemma count_le x y : (x <= y)%nat -> count x <= count y.
Proof. intros H. unfold count. rewrite <- Zle_Qle. lia. Qed.
Lemma in_turn_in M p : In p (in_turn M) <-> exists m i, (m < M)%nat /\ (i < length arcs)%nat /\ p = piece_of m i.
Proof.
  unfold in_turn. rewrite in_flat_map. split.
  - intros (m & Hm & H). apply in_map_iff in H. destruct H as (i & <- & Hi). apply in_seq in Hm, Hi. exists m, i. repeat split; lia.
  - intros (m & i & Hm & Hi & ->). exists m. split; [apply in_seq; lia|]. apply in_map, in_seq. lia.
Qed.
Lemma task_of i : nth_error (tasks (callers Links blocks calls)) i = option_map (called Links blocks) (nth_error calls i).
Proof. cbn [tasks callers]. apply nth_error_map. Qed.
Lemma call_of_arc i : nth_error calls i = option_map (Telling 0) (nth_error arcs i).
Proof. apply nth_error_map. Qed.
Lemma same_link i j a b r : nth_error arcs i = Some a -> nth_error arcs j = Some b ->
  In r (arc_uses Links a) -> In r (arc_uses Links b) -> i = j.
Proof.
  intros Ei Ej [<-|[]] [E|[]]. injection E as E1 E2.
  apply (proj1 (NoDup_nth_error (map arc_call arcs)) Once).
  - rewrite map_length. apply nth_error_Some. congruence.
  - rewrite !nth_error_map, Ei, Ej. cbn. unfold arc_call. congruence.
Qed.
Lemma pairs_all {A} (R : A -> A -> Prop) l : NoDup l -> (forall x y, In x l -> In y l -> x <> y -> R x y) -> ForallOrdPairs R l.
Proof.
  induction 1 as [|x l Nx N IH]; intros H; constructor.
  - apply Forall_forall. intros y Hy. apply H; simpl; auto. intros ->. contradiction.
  - apply IH. intros y z Hy Hz. apply H; simpl; auto.
Qed.
Lemma in_turn_once M : NoDup (in_turn M).
Proof.
  assert (G : forall k, NoDup (flat_map (fun m => map (piece_of m) (seq 0 (length arcs))) (seq k M))); [|apply G].
  induction M as [|M IH]; intros k; [constructor|]. cbn [seq flat_map]. apply nodup_app.
  - apply FinFun.Injective_map_NoDup; [|apply seq_NoDup]. intros x y E. now injection E.
  - apply IH.
  - intros p H H'. apply in_map_iff in H. destruct H as (i & <- & _). apply in_flat_map in H'.
    destruct H' as (m & Hm & H'). apply in_seq in Hm. apply in_map_iff in H'. destruct H' as (j & E & _).
    injection E as _ E _ _. lia.
Qed.
Lemma in_turn_valid M : valid (callers Links blocks calls) (in_turn M).
Proof.
  split.
  - intros p Hp. apply in_turn_in in Hp. destruct Hp as (m & i & Hm & Hi & ->). cbn [start stop which piece_of].
    pose proof (count_le 0 (m + i) ltac:(lia)) as P. change (count 0) with 0 in P. split; [lra|].
    rewrite task_of, call_of_arc. destruct (nth_error arcs i) as [a|] eqn:E; [|apply nth_error_None in E; lia].
    cbn. eexists. split; [reflexivity|]. intros x [].
  - apply pairs_all; [apply in_turn_once|]. intros p q Hp Hq N j k r Ej Ek Hr Hr'.
    apply in_turn_in in Hp, Hq. destruct Hp as (m & i & Hm & Hi & ->), Hq as (m' & i' & Hm' & Hi' & ->).
    cbn [which piece_of start stop] in *. rewrite task_of, call_of_arc in Ej, Ek.
    destruct (nth_error arcs i) as [a|] eqn:Ei; [|discriminate]. destruct (nth_error arcs i') as [b|] eqn:Ei'; [|discriminate].
    cbn in Ej, Ek. injection Ej as <-. injection Ek as <-.
    pose proof (same_link i i' a b r Ei Ei' Hr Hr') as E. subst i'.
    assert (m <> m') by congruence. destruct (Nat.lt_ge_cases m m') as [L|L].
    + left. pose proof (count_le (Datatypes.S (m + i)) (m' + i) ltac:(lia)) as C. now rewrite count_S in C.
    + right. pose proof (count_le (Datatypes.S (m' + i)) (m + i) ltac:(lia)) as C. now rewrite count_S in C.
Qed.
Lemma in_turn_work M m i t : (m < M)%nat -> (i < length arcs)%nat -> count (m + i) + 1 <= t -> 1 <= work (in_turn M) i m t.
Proof.
  intros Hm Hi Ht. unfold work. set (p := piece_of m i).
  assert (I : In p (filter (of_task i m) (in_turn M))).
  { apply filter_In. split; [apply in_turn_in; exists m, i; auto|]. unfold of_task, p, piece_of. cbn [which operation].
    now rewrite !Nat.eqb_refl. }
  assert (B : before t p == 1).
  { unfold before, p, piece_of. cbn [start stop]. rewrite !Q.min_l by lra. lra. }
  rewrite <- B. apply (sum_member (before t)); auto. intros q Hq. apply filter_In in Hq. destruct Hq as (Hq & _).
  apply in_turn_in in Hq. destruct Hq as (m' & i' & _ & _ & ->). unfold before, piece_of. cbn [start stop].
  destruct (Q.min_spec (count (m' + i') + 1) t) as [[? ->]|[? ->]], (Q.min_spec (count (m' + i')) t) as [[? ->]|[? ->]]; lra.
Qed.
Lemma in_turn_knows M m w : (m < M)%nat -> forall i, (i <= length arcs)%nat -> forall v,
  knowers (map arc_call (firstn i arcs)) (eq w) v -> forall t, count (m + i) <= t ->
  knows blocks calls (in_turn M) m 0 w t v.
Proof.
  intros Hm. induction i as [|i IH]; intros Hi v K t Ht; [cbn in K; subst v; apply own|].
  destruct (nth_error arcs i) as [a|] eqn:E; [|apply nth_error_None in E; lia].
  assert (F : firstn (Datatypes.S i) arcs = firstn i arcs ++ [a]).
  { clear - E. revert i E. induction arcs as [|b l IH]; intros [|i] E; try discriminate; cbn in *; [now injection E as ->|].
    now rewrite IH. }
  rewrite F, map_app in K. unfold knowers in K. rewrite fold_left_app in K. cbn [map fold_left tell] in K.
  replace (m + Datatypes.S i)%nat with (Datatypes.S (m + i)) in Ht by lia. rewrite count_S in Ht.
  destruct K as [K|(-> & K)]; [apply (IH ltac:(lia) v K); lra|]. cbn [arc_call fst snd] in *.
  apply (told blocks calls (in_turn M) m 0 w t i (Telling 0 a)).
  - now rewrite call_of_arc, E.
  - reflexivity.
  - cbn [over]. unfold size_of, blocks, all_reduce. cbn [nth size]. rewrite (Unit a) by (eapply nth_error_In; eauto).
    apply (in_turn_work M m i t Hm); lia || lra.
  - intros p Hp O. apply in_turn_in in Hp. destruct Hp as (m' & i' & _ & _ & ->). unfold of_task in O. cbn [which operation piece_of] in O.
    apply andb_true_iff in O. destruct O as (O1 & O2). apply Nat.eqb_eq in O1, O2. subst m' i'. cbn [start over piece_of].
    apply (IH ltac:(lia) (tail a) K). apply Qle_refl.
Qed.
Theorem calls_in_turn : reduces Links nodes arcs (all_reduce nodes) 1 (count (length arcs)).
Proof.
  split; [lra|]. intros M. exists calls, (in_turn M). split; [|split].
  - intros c Hc. apply in_map_iff in Hc. destruct Hc as (a & <- & Ha). cbn. auto.
  - apply in_turn_valid.
  - intros m b B v w Hm Eb Hv Hw. destruct b as [|b]; [|destruct b; discriminate]. injection Eb as <-. cbn [targets] in Hv.
    apply (in_turn_knows M m w Hm (length arcs)); [lia|rewrite firstn_all; now apply Complete|].
    pose proof (count_le (m + length arcs) (M + length arcs) ltac:(lia)) as L. unfold count in *.
    rewrite (Nat2Z.inj_add M), inject_Z_plus in L. setoid_replace (inject_Z (Z.of_nat M) / 1) with (inject_Z (Z.of_nat M)) by field. lra.
Qed.
End Pipeline.

(** ** Packings of pairs of trees *)
(** Weighted pairs, to a root and from it; the nodes of the list have values and want the sum, the root may be any node.
    No link works more than full time. *)
Definition pairs_fit (p : ports) (arcs : list arc) (nodes : list node) (l : list (Q * pair)) : Prop :=
  (forall x t, In (x, t) l -> 0 <= x /\ incl (inwards t) arcs /\ incl (outwards t) arcs /\
     gathers arc_call nodes (root t) (inwards t) /\ spreads arc_call nodes (root t) (outwards t)) /\
  forall r, sum (fun xt => fst xt * load p r (snd xt)) l <= 1.

(** ** The example *)
(** 1, 2, 3, 4 have values. 5 and 6 collect those of 1, 2 and of 3, 4; 7 and 8 add them, for 9 and 10, which tell the sum. *)
Definition with_values : list node := [1; 2; 3; 4]%Z.
Definition everybody : list node := [1; 2; 3; 4; 5; 6; 7; 8; 9; 10]%Z.
Definition narrow_calls : list call := [(1, 5); (2, 5); (3, 6); (4, 6); (7, 9); (8, 10)]%Z.
Definition wide_calls : list call := [(5, 7); (6, 7); (5, 8); (6, 8); (9, 1); (9, 2); (10, 3); (10, 4)]%Z.
Definition helped : list arc := map (fun '(u, v) => Arc u v 1)
  [(1, 5); (2, 5); (3, 6); (4, 6); (5, 7); (6, 7); (5, 8); (6, 8); (7, 9); (8, 10); (9, 1); (9, 2); (10, 3); (10, 4)]%Z.

(** The fewest narrow calls with which r reaches all that have values, or is reached by them, by trying all. *)
Definition mem (v : node) (l : list node) : bool := existsb (Z.eqb v) l.
Definition follow (calls : list call) (S : list node) : list node :=
  fold_left (fun S c => if mem (fst c) S && negb (mem (snd c) S) then snd c :: S else S) calls S.
Definition follows (calls : list call) (r : node) : list node := Nat.iter 10 (follow calls) [r].
Definition closed (calls : list call) (S : list node) : bool :=
  forallb (fun c => negb (mem (fst c) S) || mem (snd c) S) calls.
Fixpoint sublists {A} (l : list A) : list (list A) :=
  match l with [] => [[]] | x :: l => map (cons x) (sublists l) ++ sublists l end.
Definition flip (c : call) : call := (snd c, fst c).
Definition enough (f : call -> call) (r : node) (P : list call) : bool :=
  forallb (fun v => mem v (follows (map f (wide_calls ++ P)) r)) with_values.
Definition fewest (f : call -> call) (r : node) : nat :=
  fold_right (fun P n => if enough f r P then Nat.min (length P) n else n) 7%nat (sublists narrow_calls).
Lemma all_closed f r : In f [id; flip] -> In r everybody -> forall P, In P (sublists narrow_calls) ->
  closed (map f (wide_calls ++ P)) (follows (map f (wide_calls ++ P)) r) = true.
Proof.
  assert (E : forallb (fun f => forallb (fun r => forallb (fun P =>
    closed (map f (wide_calls ++ P)) (follows (map f (wide_calls ++ P)) r)) (sublists narrow_calls)) everybody) [id; flip] = true)
    by (vm_compute; reflexivity).
  intros Hf Hr P HP. rewrite forallb_forall in E. specialize (E f Hf). rewrite forallb_forall in E. specialize (E r Hr).
  rewrite forallb_forall in E. now apply E.
Qed.
Lemma seven : forall r, In r everybody -> (7 <= fewest flip r + fewest id r)%nat.
Proof.
  assert (E : forallb (fun r => (7 <=? fewest flip r + fewest id r)%nat) everybody = true) by (vm_compute; reflexivity).
  intros r Hr. rewrite forallb_forall in E. apply Nat.leb_le. now apply E.
Qed.

Lemma mem_in v l : mem v l = true <-> In v l.
Proof.
  unfold mem. rewrite existsb_exists. split; [intros (x & H & E); apply Z.eqb_eq in E; subst; auto|].
  intros H. exists v. rewrite Z.eqb_refl. auto.
Qed.
Lemma follows_start calls r : In r (follows calls r).
Proof.
  assert (G : forall l S, In r S -> In r (follow l S)).
  { unfold follow. induction l as [|c l IH]; intros S H; [exact H|]. cbn [fold_left]. apply IH. destruct (_ && _); simpl; auto. }
  unfold follows. generalize 10%nat. induction n as [|n IH]; [left; reflexivity|]. cbn [Nat.iter nat_rect]. apply G, IH.
Qed.
Lemma closed_step calls S u v : closed calls S = true -> In (u, v) calls -> In u S -> In v S.
Proof.
  intros C I U. unfold closed in C. rewrite forallb_forall in C. specialize (C _ I). cbn [fst snd] in C.
  rewrite (proj2 (mem_in _ _) U) in C. now apply mem_in.
Qed.
Lemma follow_knowers calls : forall (K : node -> Prop) S, (forall v, In v S -> K v) ->
  forall v, In v (follow calls S) -> knowers calls K v.
Proof.
  unfold follow, knowers. induction calls as [|c l IH]; intros K S H v Hv; [now apply H|]. cbn [fold_left] in *.
  apply (IH (tell K c)) with (2 := Hv). intros u Hu. unfold tell.
  destruct (mem (fst c) S && negb (mem (snd c) S)) eqn:E; [|auto]. apply andb_true_iff in E. destruct E as (E & _).
  apply mem_in in E. destruct Hu as [<-|Hu]; auto.
Qed.
(** One sum along each arc makes one all-reduce per time unit. *)
Theorem helpers_reach_one : exists C, reduces Links with_values helped (all_reduce with_values) 1 C.
Proof.
  eexists. apply calls_in_turn.
  - repeat constructor; cbn; intuition discriminate.
  - intros a Ha. apply in_map_iff in Ha. destruct Ha as ([u v] & <- & _). reflexivity.
  - intros v w Hv Hw. apply (follow_knowers _ (eq w) [w]); [intros u [<-|[]]; reflexivity|].
    assert (E : forallb (fun w => forallb (fun v => mem v (follow (map arc_call helped) [w])) with_values) with_values = true)
      by (vm_compute; reflexivity).
    rewrite forallb_forall in E. specialize (E w Hw). rewrite forallb_forall in E. apply mem_in, E, Hv.
Qed.
Lemma sublists_filter {A} (f : A -> bool) l : In (filter f l) (sublists l).
Proof.
  induction l as [|x l IH]; simpl; [auto|]. apply in_app_iff. destruct (f x); [left; apply in_map|right]; exact IH.
Qed.
Lemma fewest_least f r P : In P (sublists narrow_calls) -> enough f r P = true -> (fewest f r <= length P)%nat.
Proof.
  unfold fewest. induction (sublists narrow_calls) as [|P' l IH]; [easy|]. cbn [fold_right]. intros [->|H] E.
  - rewrite E. lia.
  - specialize (IH H E). destruct (enough f r P'); lia.
Qed.

(** The narrow calls among some arcs. *)
Definition call_in (l : list arc) (c : call) : bool := existsb (fun a => (tail a =? fst c)%Z && (head a =? snd c)%Z) l.
Definition narrow_in (l : list arc) : list call := filter (call_in l) narrow_calls.
Lemma call_in_spec l u v : call_in l (u, v) = true <-> In (u, v) (map arc_call l).
Proof.
  unfold call_in. rewrite existsb_exists, in_map_iff. cbn [fst snd]. split.
  - intros (a & Ha & E). apply andb_true_iff in E. destruct E as (E1 & E2). apply Z.eqb_eq in E1, E2. exists a.
    split; auto. unfold arc_call. congruence.
  - intros (a & E & Ha). injection E as <- <-. exists a. now rewrite !Z.eqb_refl.
Qed.
Lemma among_helped l c : incl l helped -> In c (map arc_call l) -> In c (wide_calls ++ narrow_in l).
Proof.
  intros I H. pose proof H as K. apply in_map_iff in H. destruct H as (a & <- & Ha). apply I, in_map_iff in Ha.
  destruct Ha as ([u v] & <- & Ha). cbn [arc_call tail head] in *. apply in_app_iff.
  destruct (in_dec (fun x y : call => ltac:(decide equality; apply Z.eq_dec) : {x = y} + {x <> y}) (u, v) wide_calls) as [W|W]; [auto|].
  right. apply filter_In. split; [|now apply call_in_spec]. cbn in Ha, W. unfold narrow_calls. cbn. tauto.
Qed.
Lemma spreads_need r O : In r everybody -> incl O helped -> spreads arc_call with_values r O ->
  (fewest id r <= length (narrow_in O))%nat.
Proof.
  intros Hr I Sp. apply fewest_least; [apply sublists_filter|]. unfold enough. apply forallb_forall. intros v Hv. apply mem_in.
  pose proof (all_closed id r (or_introl eq_refl) Hr _ (sublists_filter (call_in O) narrow_calls)) as C. fold (narrow_in O) in C.
  specialize (Sp v Hv). clear Hv. induction Sp as [|u w L IH J]; [apply follows_start|].
  apply (closed_step _ _ u w C); auto. rewrite map_id. now apply among_helped.
Qed.
Lemma gathers_need r J : In r everybody -> incl J helped -> gathers arc_call with_values r J ->
  (fewest flip r <= length (narrow_in J))%nat.
Proof.
  intros Hr I Ga. apply fewest_least; [apply sublists_filter|]. unfold enough. apply forallb_forall. intros v Hv. apply mem_in.
  pose proof (all_closed flip r (or_intror (or_introl eq_refl)) Hr _ (sublists_filter (call_in J) narrow_calls)) as C.
  fold (narrow_in J) in C. set (S := follows _ r) in *.
  assert (Back : forall w, leads (map arc_call J) v w -> In w S -> In v S).
  { induction 1 as [|u w L IH E]; auto. intros W. apply IH. apply (closed_step _ _ w u C); auto.
    apply (in_map flip _ (u, w)). now apply among_helped. }
  apply (Back r (Ga v Hv)), follows_start.
Qed.

(** No pair of trees uses fewer than seven of the six narrow arcs, counted twice where both use them, *)
Theorem helpers_need_seven r J O : In r everybody -> incl J helped -> incl O helped ->
  gathers arc_call with_values r J -> spreads arc_call with_values r O ->
  (7 <= length (narrow_in J) + length (narrow_in O))%nat.
Proof.
  intros Hr IJ IO Ga Sp. pose proof (seven r Hr). pose proof (gathers_need r J Hr IJ Ga). pose proof (spreads_need r O Hr IO Sp). lia.
Qed.
(** so pairs without a common call do not exist: the theorem on calls is false with helpers. *)
Theorem helpers_no_pair : ~ exists r J O, In r everybody /\ incl J helped /\ incl O helped /\
  (forall a, In a J -> ~ In a O) /\ gathers arc_call with_values r J /\ spreads arc_call with_values r O.
Proof.
  intros (r & J & O & Hr & IJ & IO & Apart & Ga & Sp). pose proof (helpers_need_seven r J O Hr IJ IO Ga Sp) as S7.
  assert (L : (length (narrow_in J ++ narrow_in O) <= length narrow_calls)%nat).
  { apply NoDup_incl_length.
    - assert (N : NoDup narrow_calls) by (repeat constructor; cbn; intuition discriminate).
      apply nodup_app; [now apply NoDup_filter|now apply NoDup_filter|].
      intros [u v] Hj Ho. apply filter_In in Hj, Ho. destruct Hj as (_ & Hj), Ho as (_ & Ho). apply call_in_spec in Hj, Ho.
      apply in_map_iff in Hj, Ho. destruct Hj as (a & Ea & Ha), Ho as (b & Eb & Hb). apply (Apart a Ha).
      assert (a = b); [|subst; exact Hb]. apply IJ, in_map_iff in Ha. apply IO, in_map_iff in Hb.
      destruct Ha as ([? ?] & <- & _), Hb as ([? ?] & <- & _). unfold arc_call in Ea, Eb.
      injection Ea as <- <-. injection Eb as E1 E2. cbn in E1, E2. now subst.
    - apply incl_app; apply incl_filter. }
  rewrite app_length in L. change (length narrow_calls) with 6%nat in L. lia.
Qed.
(** And packings of pairs reach at most 6/7, where one sum along each arc reaches 1. *)
Theorem helpers_pairs_at_most l : pairs_fit Links helped with_values l -> (forall x t, In (x, t) l -> In (root t) everybody) ->
  sum fst l <= 6 # 7.
Proof.
  intros (F & Fit) Roots. set (rs := map (fun c : call => Link (fst c) (snd c)) narrow_calls).
  assert (Busy : sum (fun r => sum (fun xt => fst xt * load Links r (snd xt)) l) rs <= 6).
  { apply Qle_trans with (sum (fun _ => 1) rs); [apply sum_le; intros r _; apply Fit|]. vm_compute. discriminate. }
  assert (Each : forall x t, In (x, t) l -> 7 <= sum (fun r => load Links r t) rs).
  { intros x t H. destruct (F x t H) as (_ & IJ & IO & Ga & Sp).
    pose proof (helpers_need_seven (root t) _ _ (Roots x t H) IJ IO Ga Sp) as S7.
    assert (Half : forall A, incl A helped -> count (length (narrow_in A)) <=
      sum (fun r => sum (fun a => if uses_it r (transfer Links (Message 0) 1 a) then cost a else 0) A) rs).
    { intros A IA. unfold narrow_in, rs. rewrite sum_map, <- (Qmult_1_r (count _)), <- sum_const, sum_filter.
      assert (Cost : forall a, In a A -> 0 <= cost a /\ cost a = 1).
      { intros a Ha. apply IA, in_map_iff in Ha. destruct Ha as ([? ?] & <- & _). cbn. split; [lra|reflexivity]. }
      apply sum_le. intros [u v] _. cbn [fst snd]. destruct (call_in A (u, v)) eqn:E.
      - apply call_in_spec, in_map_iff in E. destruct E as (a & E & Ha). destruct (Cost a Ha) as (_ & C1).
        pose proof (sum_member (fun a => if uses_it (Link u v) (transfer Links (Message 0) 1 a) then cost a else 0) A a) as M.
        cbv beta in M. injection E as <- <-.
        assert (U : uses_it (Link (tail a) (head a)) (transfer Links (Message 0) 1 a) = true) by (apply uses_it_spec; left; reflexivity).
        rewrite U, C1 in M. apply M; auto.
        intros b Hb. destruct (Cost b Hb) as (P & _). clear - P. destruct (uses_it _ (transfer _ _ _ b)); [exact P|lra].
      - apply sum_nonneg. intros a Ha. destruct (Cost a Ha) as (P & _). clear - P. destruct (uses_it _ (transfer _ _ _ a)); [exact P|lra]. }
    pose proof (Half _ IJ) as H1. pose proof (Half _ IO) as H2. unfold load.
    rewrite (sum_eq _ (fun r => sum (fun a => if uses_it r (transfer Links (Message 0) 1 a) then cost a else 0) (inwards t) +
      sum (fun a => if uses_it r (transfer Links (Message 0) 1 a) then cost a else 0) (outwards t))) by (intros; apply sum_app).
    rewrite sum_plus. assert (7 <= count (length (narrow_in (inwards t))) + count (length (narrow_in (outwards t)))); [|lra].
    unfold count. rewrite <- inject_Z_plus. change 7 with (inject_Z 7). rewrite <- Zle_Qle. lia. }
  rewrite sum_swap in Busy.
  assert (7 * sum fst l <= 6); [|lra]. eapply Qle_trans; [|exact Busy]. rewrite <- sum_scale. apply sum_le.
  intros [x t] H. cbn [fst snd]. rewrite sum_scale. specialize (Each x t H). destruct (F x t H) as (P & _). nra.
Qed.
