(** The bounds of prices and cuts for all-reduce, reduce and reduce-scatter; every schedule of all-reduces is,
    on average, a packing of pairs of trees; what is reached is at most what is never passed. *)
From Coq Require Import QArith Qminmax Qround List Arith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known.
Import ListNotations.
Open Scope Q_scope.

Lemma knowers_leads calls : forall (K : node -> Prop) v, knowers calls K v ->
  exists u, K u /\ leads calls u v.
Proof.
  induction calls as [|[a b] calls IH]; simpl; intros K v H.
  - exists v. split; auto. constructor.
  - destruct (IH _ v H) as (u & Ku & L).
    assert (L' : leads ((a, b) :: calls) u v) by (apply leads_incl with calls;
      [apply incl_tl, incl_refl | auto]).
    destruct Ku as [Ku|[-> Ka]]; [eauto|]. simpl in *. exists a. split; auto.
    apply leads_trans with b; auto. apply leads_one. simpl; auto.
Qed.

Lemma never_more_eq p nodes arcs blocks T T' : T == T' ->
  reduces_never_more p nodes arcs blocks T -> reduces_never_more p nodes arcs blocks T'.
Proof. intros E H calls s M K Al HK V C. rewrite <- E. eapply H; eauto. Qed.

(** ** What a block is worth under prices: cut packings for every root of an all-reduce; one packing for a
    reduce *)
Section Worth.
Context {A : Type}.
Variable ends : A -> call.
Variable nodes : list node.
Variable links : list A.
Variable price : A -> Q.
Definition worth_everywhere (W : Q) : Prop :=
  nodes <> [] /\ (forall a, In a links -> In (fst (ends a)) nodes /\ In (snd (ends a)) nodes) /\
  forall r, In r nodes -> exists outs ins,
    packing ends nodes links price r goes_out_of outs /\
    packing ends nodes links price r goes_into ins /\
    W <= sum snd outs + sum snd ins.
Definition worth_at (r : node) (W : Q) : Prop :=
  exists outs, packing ends nodes links price r goes_out_of outs /\ W <= sum snd outs.
Definition worth (B : block) (W : Q) : Prop :=
  (incl nodes (targets B) /\ worth_everywhere W) \/ exists r, In r (targets B) /\ worth_at r W.

Lemma worth_bound B W used : worth B W -> incl used links ->
  (forall v w, In v (targets B) -> In w nodes -> knowers (map ends used) (eq w) v) ->
  W <= sum price used.
Proof.
  intros [(I & N & Am & Cert)|(r & Hr & outs & P & HW)] On H.
  - apply (cuts_bound ends price nodes links); auto.
    + intros u v Huv. apply in_map_iff in Huv. destruct Huv as (a & E & Ha). specialize (Am a Ha).
      rewrite E in Am. auto.
    + intros v w Hv Hw. auto.
  - apply Qle_trans with (sum snd outs); auto.
    apply (gathers_bound ends nodes links price r outs used); auto.
    intros w Hw. destruct (knowers_leads _ _ _ (H r w Hr Hw)) as (u & -> & L). auto.
Qed.
End Worth.

(** The bound for any blocks. *)
Theorem cuts_never_more p nodes arcs blocks y (W : nat -> Q) :
  (forall a, In a arcs -> 0 < cost a) -> (forall B, In B blocks -> 0 < size B) -> nonneg y ->
  (forall b B, nth_error blocks b = Some B -> worth arc_call nodes arcs (toll p y) B (W b)) ->
  let value := sum (fun b => size_of blocks b * W b) (seq 0 (length blocks)) in
  0 < value -> reduces_never_more p nodes arcs blocks (total y / value).
Proof.
  intros pos sizes Hy HW value Pv. apply reduces_bound; auto.
  intros b B used EB On H. apply (worth_bound arc_call nodes arcs (toll p y) B); auto.
Qed.

(** All-reduce: for every root two cut packings, each within the prices of the arcs, together worth W. *)
Corollary all_reduce_bound p nodes arcs y W :
  (forall a, In a arcs -> 0 < cost a) -> nonneg y -> 0 < W -> worth_everywhere arc_call nodes arcs (toll p y) W ->
  reduces_never_more p nodes arcs (all_reduce nodes) (total y / W).
Proof.
  intros pos Hy PW HW.
  assert (E : total y / (sum (fun b => size_of (all_reduce nodes) b * W) (seq 0 1)) == total y / W).
  { simpl. unfold size_of. simpl. field. lra. }
  refine (never_more_eq _ _ _ _ _ _ E _). apply (cuts_never_more p nodes arcs (all_reduce nodes) y
    (fun _ => W)); auto.
  - intros B [<-|[]]. simpl. lra.
  - intros b B EB. left. split; auto. destruct b as [|b]; simpl in EB;
      [injection EB as <-|destruct b; discriminate].
    simpl. apply incl_refl.
  - simpl. unfold size_of. simpl. lra.
Qed.

(** Reduce: one packing of cuts without the root. *)
Corollary reduce_bound p nodes arcs y r W :
  (forall a, In a arcs -> 0 < cost a) -> nonneg y -> 0 < W -> worth_at arc_call nodes arcs (toll p y) r W ->
  reduces_never_more p nodes arcs (reduce_to r) (total y / W).
Proof.
  intros pos Hy PW HW.
  assert (E : total y / (sum (fun b => size_of (reduce_to r) b * W) (seq 0 1)) == total y / W).
  { simpl. unfold size_of. simpl. field. lra. }
  refine (never_more_eq _ _ _ _ _ _ E _). apply (cuts_never_more p nodes arcs (reduce_to r) y (fun _ => W));
    auto.
  - intros B [<-|[]]. simpl. lra.
  - intros b B EB. right. exists r. split; auto.
    destruct b as [|b]; simpl in EB; [injection EB as <-|destruct b; discriminate]. simpl. auto.
  - simpl. unfold size_of. simpl. lra.
Qed.

(** ** Every schedule of all-reduces is, on average, a packing of pairs of trees *)

(** An in-tree to the root and an out-tree from it. *)
Record pair := Pair { root : node; inwards : list arc; outwards : list arc }.
Definition pair_of (nodes : list node) (arcs : list arc) (t : pair) : Prop :=
  In (root t) nodes /\ incl (inwards t) arcs /\ incl (outwards t) arcs /\
  in_tree arc_call nodes (root t) (inwards t) /\ out_tree arc_call nodes (root t) (outwards t).
(** For how long a pair keeps the resource x busy. *)
Definition load (p : ports) (x : resource) (t : pair) : Q :=
  sum (fun a => if uses_it x (transfer p (Message 0) 1 a) then cost a else 0) (inwards t ++ outwards t).

Lemma choose {A B} (P : A -> B -> Prop) l : (forall a, In a l -> exists b, P a b) ->
  exists l', Forall2 P l l'.
Proof.
  induction l as [|a l IH]; intros H; [exists []; constructor|].
  destruct (H a) as [b Hb]; [simpl; auto|]. destruct IH as [l' Hl]; [intros; apply H; simpl; auto|].
  exists (b :: l'). constructor; auto.
Qed.

(** What an operation has done contains a pair of trees that costs no more, whatever the prices are. *)
Lemma all_reduce_pair p nodes arcs calls s M K m :
  nodes <> [] ->
  (forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes /\ 0 < cost a) ->
  allowed arcs (all_reduce nodes) calls -> valid (callers p (all_reduce nodes) calls) s ->
  reduced nodes (all_reduce nodes) calls s M K -> (m < M)%nat ->
  exists t, pair_of nodes arcs t /\ forall price : arc -> Q, (forall a, In a arcs -> 0 <= price a) ->
    sum price (inwards t) + sum price (outwards t) <=
    sum (fun i => price (over (call_of calls i))) (Done (callers p (all_reduce nodes) calls) s K m).
Proof.
  intros N B Al Hs C Hm. set (blocks := all_reduce nodes) in *.
  assert (positive : forall c, In c calls -> 0 < size_of blocks (about c) * cost (over c)).
  { intros c Hc. destruct (Al c Hc) as [Ac Lc]. replace (about c) with 0%nat by (simpl in Lc; lia).
    unfold size_of. simpl. destruct (B (over c)); auto. lra. }
  destruct (known_after p blocks calls s m K 0 positive Hs) as (used & U1 & U2 & U3).
  destruct (pair_bound arc_call nodes arcs used) as (r & J & O & Hr & IJ & IO & TJ & TO & HP); auto.
  - intros u v Huv. apply in_map_iff in Huv. destruct Huv as (a & [= <- <-] & Ha).
    destruct (B a Ha) as (? & ? & _). auto.
  - intros a Ha. destruct (U1 a Ha) as (c & Hc & ->). apply Al; auto.
  - intros v w Hv Hw. apply U2. apply (C m 0%nat (Block 1 nodes)); simpl; auto.
  - exists (Pair r J O). split; [split; [|split; [|split; [|split]]]; auto|].
    intros price Hp. simpl. specialize (HP price Hp). rewrite U3 in HP. eapply Qle_trans; [exact HP|].
    apply sum_filter_le. intros i Hi. apply done_call in Hi. apply Hp. apply Al. apply nth_In; auto.
Qed.

Theorem all_reduce_pairs p nodes arcs calls s M K :
  nodes <> [] ->
  (forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes /\ 0 < cost a) ->
  allowed arcs (all_reduce nodes) calls -> 0 <= K -> valid (callers p (all_reduce nodes) calls) s ->
  reduced nodes (all_reduce nodes) calls s M K ->
  exists pairs, length pairs = M /\ (forall t, In t pairs -> pair_of nodes arcs t) /\
    forall x, sum (load p x) pairs <= K.
Proof.
  intros N B Al HK Hs C. set (blocks := all_reduce nodes) in *. set (S := callers p blocks calls) in *.
  assert (Zero : forall c, In c calls -> about c = 0%nat).
  { intros c Hc. destruct (Al c Hc) as [_ Lc]. simpl in Lc. lia. }
  assert (One : forall m, In m (seq 0 M) -> exists t, pair_of nodes arcs t /\
     forall price : arc -> Q, (forall a, In a arcs -> 0 <= price a) ->
     sum price (inwards t) + sum price (outwards t) <=
     sum (fun i => price (over (call_of calls i))) (Done S s K m)).
  { intros m Hm. apply in_seq in Hm. apply (all_reduce_pair p nodes arcs calls s M K m); auto. lia. }
  destruct (choose _ _ One) as [pairs F]. exists pairs. split; [|split].
  - assert (L : length (seq 0 M) = length pairs) by (clear - F; induction F; simpl; congruence).
    rewrite <- L. apply seq_length.
  - intros t Ht. clear - F Ht. induction F as [|m q l l' [P _] F IH]; [destruct Ht|].
    destruct Ht as [<-|Ht]; auto.
  - intros x. set (y := Prices [(x, 1)] []).
    assert (Hy : nonneg y).
    { split; simpl; [intros r q [[= <- <-]|[]]; lra|intros ? ? []]. }
    pose proof (weak_duality S s Hs y Hy K HK M) as WD.
    assert (E : total y == 1) by (unfold total; simpl; ring). rewrite E, Qmult_1_r in WD.
    eapply Qle_trans; [|exact WD]. clear WD One.
    induction F as [|m t l l' [_ P] F IH]; simpl; [lra|].
    apply Qplus_le_compat; auto. unfold load. rewrite sum_app.
    eapply Qle_trans; [apply P|].
    + intros a Ha. destruct (B a Ha) as (_ & _ & ?). destruct uses_it; lra.
    + apply sum_le. intros i Hi. apply done_call in Hi. unfold S. rewrite kind_call by auto.
      assert (I : In (call_of calls i) calls) by (apply nth_In; auto).
      rewrite (paid_uses y _ (transfer p (Message 0) 1 (over (call_of calls i)))) by reflexivity.
      unfold called. simpl lasts. rewrite (Zero _ I). unfold size_of. simpl nth. simpl size.
      unfold paid, y. simpl. destruct (uses_it x _); lra.
Qed.

(** ** What is reached is at most what is never passed *)
Theorem reduces_at_most p nodes arcs blocks T T' C :
  reduces_never_more p nodes arcs blocks T -> reduces p nodes arcs blocks T' C -> T' <= T.
Proof.
  intros N [P R]. apply Qnot_lt_le. intros L.
  set (b := Qmax (- C * T') (T * T' * C / (T' - T)) + 1).
  set (M := Z.to_nat (Qceiling b)).
  assert (B : b <= count M).
  { eapply Qle_trans; [apply Qle_ceiling|]. unfold count, M. rewrite <- Zle_Qle. lia. }
  assert (B1 : - C * T' <= b - 1) by (unfold b; pose proof (Q.le_max_l (- C * T') (T * T' * C / (T' - T)));
    lra).
  assert (B2 : T * T' * C / (T' - T) <= b - 1).
  { unfold b. pose proof (Q.le_max_r (- C * T') (T * T' * C / (T' - T))). lra. }
  assert (B3 : T * T' * C <= (b - 1) * (T' - T)).
  { apply Qmult_le_r with (/ (T' - T)). apply Qinv_lt_0_compat; lra.
    setoid_replace ((b - 1) * (T' - T) * / (T' - T)) with (b - 1) by (field; lra). exact B2. }
  destruct (R M) as (calls & s & Al & V & Co).
  assert (E : count M / T' * T' == count M) by (field; lra).
  set (q := count M / T') in *.
  assert (K : 0 <= q + C). { apply Qmult_le_r with T'; auto. nra. }
  pose proof (N calls s M (q + C) Al K V Co) as F.
  assert (G : count M * T' <= T * (q + C) * T') by (apply Qmult_le_r; auto).
  assert (G2 : T * (q + C) * T' == T * count M + T * T' * C) by (rewrite <- E; ring).
  rewrite G2 in G. nra.
Qed.
