(** The bound of prices and cuts for all-reduces is the value of a best packing of pairs of trees: nothing is lost between
    the two sides of the linear program. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool ListDec.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched Require Names.
From Exactsched.existence Require Finite Duality Throughput Definitions FewStructures.
From Exactsched.algorithms Require Cheapest Right Theorems.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known AllReduce.
Import ListNotations.
Open Scope Q_scope.

(** ** Whether calls lead somewhere can be decided *)
Definition free_arcs (l : list call) : list arc := map (fun c => Arc (fst c) (snd c) 0) l.
Lemma leads_free l u v : Right.leads (fun a => Cheapest.free a = true) (free_arcs l) u v <-> leads l u v.
Proof.
  split.
  - induction 1 as [|a H IH I _]; [constructor|]. apply in_map_iff in I. destruct I as ([x y] & <- & Hc).
    apply along with x; auto.
  - induction 1 as [|v w L IH I]; [constructor|].
    apply (Right.leads_on _ _ u (Arc v w 0)); [exact IH| |reflexivity]. apply in_map_iff. exists (v, w). auto.
Qed.
Lemma leads_dec l u v : {leads l u v} + {~ leads l u v}.
Proof.
  set (nodes := u :: map fst l ++ map snd l).
  assert (G : Definitions.graph nodes (free_arcs l) u).
  { split; [left; reflexivity|]. intros a Ha. apply in_map_iff in Ha. destruct Ha as (c & <- & Hc). cbn [tail head].
    split; right; apply in_app_iff; [left|right]; now apply in_map. }
  destruct (in_dec Z.eq_dec v (fst (Cheapest.reach nodes (fun _ => Cheapest.free) (free_arcs l) u))) as [I|N]; [left|right].
  - now apply leads_free, (Right.reached_leads nodes u (free_arcs l) G).
  - intros L. apply N. now apply (Right.reached_leads nodes u (free_arcs l) G), leads_free.
Qed.
Lemma all_dec {A} (P : A -> Prop) (D : forall x, {P x} + {~ P x}) l : {forall x, In x l -> P x} + {~ forall x, In x l -> P x}.
Proof.
  destruct (Forall_dec P D l) as [F|F]; [left; now apply Forall_forall|right].
  intros H. apply F. now apply Forall_forall.
Qed.
Lemma words_within {A} k : forall (l t : list A), In t (Finite.words k l) -> incl t l.
Proof.
  induction k as [|k IH]; intros l t; cbn [Finite.words]; intros [<-|H]; try easy.
  apply in_flat_map in H. destruct H as (x & Hx & H). apply in_map_iff in H. destruct H as (t' & <- & H).
  intros y [<-|Hy]; auto. now apply (IH l t').
Qed.

(** ** Best packings of sets of arcs, and prices *)
Section Columns.
Variables (p : ports) (arcs : list arc).
Hypothesis Costs : forall a, In a arcs -> 0 < cost a.
Definition works (a : arc) : task := transfer p (Message 0) 1 a.
(** For how long arcs keep a resource busy that carry a message of size 1 each. *)
Definition busy (r : resource) (l : list arc) : Q := sum (fun a => if uses_it r (works a) then cost a else 0) l.
Let R := nodup Throughput.resource_eq_dec (flat_map (arc_uses p) arcs).
Lemma busy_nonneg r l : incl l arcs -> 0 <= busy r l.
Proof. intros I. apply sum_nonneg. intros a Ha. specialize (Costs a (I a Ha)). destruct (uses_it _ (works a)); lra. Qed.
Lemma busy_used r l a : incl l arcs -> In a l -> In r (arc_uses p a) -> cost a <= busy r l.
Proof.
  intros I Ha Hr. assert (U : uses_it r (works a) = true) by now apply uses_it_spec.
  pose proof (sum_member (fun a => if uses_it r (works a) then cost a else 0) l a) as M.
  cbv beta in M. rewrite U in M. apply M; auto. intros b Hb. specialize (Costs b (I b Hb)). destruct (uses_it _ (works b)); lra.
Qed.
Lemma busy_idle r l : incl l arcs -> ~ In r R -> busy r l == 0.
Proof.
  intros I N. apply Finite.sum_none. intros a Ha. destruct (uses_it r (works a)) eqn:U; [|reflexivity].
  exfalso. apply N, nodup_In, in_flat_map. exists a. split; [now apply I|now apply uses_it_spec in U].
Qed.
Lemma busy_somewhere : exists d, 0 < d /\ forall l, incl l arcs -> l <> [] -> d <= sum (fun r => busy r l) R.
Proof.
  destruct (Finite.least cost arcs 1) as (d & Hd & Le & _); [lra|exact Costs|].
  exists d. split; [lra|]. intros [|a l] I N; [easy|]. assert (Ha : In a (a :: l)) by now left.
  assert (exists r, In r (arc_uses p a)) as (r & Hr) by (destruct p; eexists; left; reflexivity).
  eapply Qle_trans; [apply (Le a), I, Ha|]. eapply Qle_trans; [apply (busy_used r (a :: l) a I Ha Hr)|].
  apply (sum_member (fun r => busy r (a :: l))).
  - intros q _. now apply busy_nonneg.
  - apply nodup_In, in_flat_map. exists a. split; auto.
Qed.

(** Things of finitely many kinds, each a set of arcs. *)
Context {A : Type}.
Variables (all : list A) (good : A -> Prop) (parts : A -> list arc).
Hypothesis All : forall t, In t all <-> good t.
Hypothesis Parts : forall t, good t -> incl (parts t) arcs /\ parts t <> [].
Definition packed (l : list (Q * A)) : Prop :=
  (forall x t, In (x, t) l -> 0 <= x /\ good t) /\ forall r, sum (fun xt => fst xt * busy r (parts (snd xt))) l <= 1.
Lemma packed_some t : good t -> exists l, packed l /\ 0 < sum fst l.
Proof.
  intros Pt. destruct (Parts t Pt) as (I & _). set (c := sum cost (parts t) + 1).
  assert (Pos : forall a, In a (parts t) -> 0 <= cost a) by (intros a Ha; specialize (Costs a (I a Ha)); lra).
  assert (Pc : 0 < c). { pose proof (sum_nonneg cost _ Pos). unfold c. lra. }
  assert (Ic : 0 < / c) by now apply Qinv_lt_0_compat.
  exists [(/ c, t)]. split; [split|cbn; lra].
  - intros x t' [E|[]]. injection E as <- <-. split; [lra|exact Pt].
  - intros r. cbn [sum fst snd]. rewrite Qplus_0_r. setoid_replace 1 with (/ c * c) by (field; lra). apply Qmult_le_l; auto.
    apply Qle_trans with (sum cost (parts t)); [|unfold c; lra].
    apply sum_le. intros a Ha. specialize (Pos a Ha). destruct (uses_it _ _); lra.
Qed.
(** If there is one, there are a best packing and prices that each can pay; they add up to what the packing weighs. *)
Theorem best_packed t0 : good t0 ->
  exists l y, packed l /\ 0 < sum fst l /\ (forall l', packed l' -> sum fst l' <= sum fst l) /\
    nonneg y /\ total y == sum fst l /\ forall t, good t -> 1 <= sum (toll p y) (parts t).
Proof.
  intros P0. destruct busy_somewhere as (d & Pd & Busy). set (cols := seq 0 (length all)).
  set (M := fun r i => busy r (parts (nth i all t0))).
  assert (In_all : forall i, In i cols -> good (nth i all t0)).
  { intros i Hi. apply in_seq in Hi. apply All, nth_In. lia. }
  destruct (Duality.packing_duality Throughput.resource_eq_dec Nat.eq_dec R cols M (fun _ => 1) (fun _ => 1)
    (NoDup_nodup _ _) (seq_NoDup _ _)) with (U := count (length R) / d) as (x & y & (Px & Pr) & Hy & Hc & V).
  - intros; lra.
  - intros x (Px & Pr). apply Qle_shift_div_l; [lra|]. rewrite Qmult_comm, <- sum_scale.
    apply Qle_trans with (sum (fun i => sum (fun r => M r i * x i) R) cols).
    + apply sum_le. intros i Hi. specialize (Px i Hi). destruct (Parts _ (In_all i Hi)) as (I & N). specialize (Busy _ I N).
      rewrite (sum_eq (fun r => M r i * x i) (fun r => x i * M r i)) by (intros; ring). rewrite sum_scale.
      unfold M. nra.
    + rewrite sum_swap, <- Finite.sum_one. apply sum_le. auto.
  - set (l := map (fun i => (x i, nth i all t0)) cols). set (Y := Prices (map (fun r => (r, y r)) R) []).
    assert (Toll : forall t, sum (toll p Y) (parts t) == sum (fun r => y r * busy r (parts t)) R).
    { intros t. unfold toll, paid, Y. cbn [for_resources for_odd_sets sum].
      rewrite (sum_eq (fun r => y r * busy r (parts t)) (fun r => sum (fun a => y r * if uses_it r (works a) then cost a else 0) (parts t)))
        by (intros; rewrite sum_scale; reflexivity).
      rewrite sum_swap. apply sum_eq. intros a _. rewrite sum_map, Qplus_0_r, <- sum_scale. cbn [fst snd]. apply sum_eq. intros r _.
      unfold works. destruct (uses_it r _); ring. }
    assert (Pay : forall t, good t -> 1 <= sum (toll p Y) (parts t)).
    { intros t Pt. rewrite Toll. pose proof (proj2 (All t) Pt) as I. apply (In_nth _ _ t0) in I. destruct I as (i & Li & Ei).
      assert (Hi : In i cols) by (apply in_seq; lia). specialize (Hc i Hi). unfold M in Hc. now rewrite Ei in Hc. }
    assert (Value : total Y == sum fst l).
    { unfold total, Y, l. cbn [for_resources for_odd_sets sum]. rewrite !sum_map. cbn [snd fst].
      rewrite (sum_eq x (fun i => 1 * x i)) by (intros; ring). rewrite V, Qplus_0_r. apply sum_eq. intros; ring. }
    assert (Most : forall l', packed l' -> sum fst l' <= sum fst l).
    { intros l' (F & Fit). rewrite <- Value. unfold total, Y. cbn [for_resources for_odd_sets sum]. rewrite sum_map, Qplus_0_r. cbn [snd].
      apply Qle_trans with (sum (fun xt => sum (fun r => y r * (fst xt * busy r (parts (snd xt)))) R) l').
      - apply sum_le. intros [q t] H. destruct (F q t H) as (Hq & Pt). cbn [fst snd]. specialize (Pay t Pt). rewrite Toll in Pay.
        rewrite (sum_eq _ (fun r => q * (y r * busy r (parts t)))) by (intros; ring). rewrite sum_scale. nra.
      - rewrite sum_swap. apply sum_le. intros r Hr. rewrite sum_scale. specialize (Fit r). specialize (Hy r Hr). nra. }
    exists l, Y. split; [split|split; [|split; [exact Most|split; [|split; [exact Value|exact Pay]]]]].
    + intros q t H. apply in_map_iff in H. destruct H as (i & E & Hi). injection E as <- <-. auto.
    + intros r. unfold l. rewrite sum_map. cbn [fst snd]. destruct (in_dec Throughput.resource_eq_dec r R) as [I|Nr].
      * rewrite (sum_eq _ (fun i => M r i * x i)) by (intros; unfold M; ring). auto.
      * rewrite Finite.sum_none; [lra|]. intros i Hi. rewrite busy_idle; auto; [ring|apply Parts; auto].
    + destruct (packed_some t0 P0) as (l0 & P & W). specialize (Most l0 P). lra.
    + split; [|easy]. intros r q H. apply in_map_iff in H. destruct H as (r' & E & Hr). injection E as <- <-. auto.
Qed.
End Columns.

Section Pairs.
Variables (p : ports) (nodes : list node) (arcs : list arc).
Hypothesis Ends : forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes /\ 0 < cost a.

(** ** All pairs *)
Lemma pair_dec t : {In (root t) nodes /\ in_tree arc_call nodes (root t) (inwards t) /\ out_tree arc_call nodes (root t) (outwards t)} +
  {~ (In (root t) nodes /\ in_tree arc_call nodes (root t) (inwards t) /\ out_tree arc_call nodes (root t) (outwards t))}.
Proof.
  assert (E : forall A : Prop, {A} + {~ A} -> forall B : Prop, {B} + {~ B} -> {A /\ B} + {~ (A /\ B)}) by (intros A [|] B [|]; tauto).
  assert (O : forall l : list node, {NoDup l /\ ~ In (root t) l} + {~ (NoDup l /\ ~ In (root t) l)}).
  { intros l. apply E; [apply NoDup_dec, Z.eq_dec|]. destruct (in_dec Z.eq_dec (root t) l); tauto. }
  apply E; [apply in_dec, Z.eq_dec|]. apply E; (apply E; [apply all_dec; intros v; apply leads_dec|apply O]).
Qed.
Definition all_pairs : list pair :=
  filter (fun t => if pair_dec t then true else false)
    (flat_map (fun r => flat_map (fun J => map (fun O => Pair r J O) (Finite.words (length arcs) arcs))
      (Finite.words (length arcs) arcs)) nodes).
Lemma all_pairs_spec t : In t all_pairs <-> pair_of nodes arcs t.
Proof.
  unfold all_pairs, pair_of. rewrite filter_In, in_flat_map. split.
  - intros ((r & Hr & H) & D). destruct (pair_dec t) as [(R & Ti & To)|]; [|discriminate].
    apply in_flat_map in H. destruct H as (J & HJ & H). apply in_map_iff in H. destruct H as (O & <- & HO).
    apply words_within in HJ, HO. cbn in *. auto.
  - intros (R & IJ & IO & Ti & To). destruct (pair_dec t) as [_|N]; [|tauto]. split; auto. exists (root t). split; auto.
    apply in_flat_map. exists (inwards t). split.
    + apply Finite.words_in; auto. apply NoDup_incl_length; auto. now apply in_tree_once in Ti.
    + apply in_map_iff. exists (outwards t). split; [destruct t; reflexivity|].
      apply Finite.words_in; auto. apply NoDup_incl_length; auto. now apply out_tree_once in To.
Qed.

(** ** Prices of a best packing *)
Lemma pair_arcs t a : pair_of nodes arcs t -> In a (inwards t ++ outwards t) -> In a arcs.
Proof. intros (_ & IJ & IO & _) H. apply in_app_iff in H. destruct H; auto. Qed.
Lemma some_arc t u v : pair_of nodes arcs t -> In u nodes -> In v nodes -> u <> v -> exists a, In a (inwards t ++ outwards t).
Proof.
  intros (_ & _ & _ & (Ga & _) & _) Hu Hv N.
  assert (exists w, In w nodes /\ w <> root t) as (w & Hw & Nw).
  { destruct (Z.eq_dec u (root t)) as [->|]; [exists v; auto|exists u; auto]. }
  destruct (inwards t) as [|a l] eqn:E; [|exists a; left; reflexivity]. exfalso. specialize (Ga w Hw). cbn in Ga.
  inversion Ga as [|x y L []]. congruence.
Qed.
Definition packed_pairs (l : list (Q * pair)) : Prop :=
  (forall x t, In (x, t) l -> 0 <= x /\ pair_of nodes arcs t) /\ forall r, sum (fun xt => fst xt * load p r (snd xt)) l <= 1.
Definition pair_toll (y : prices) (t : pair) : Q := sum (toll p y) (inwards t ++ outwards t).

Lemma pair_parts u v : In u nodes -> In v nodes -> u <> v ->
  forall t, pair_of nodes arcs t -> incl (inwards t ++ outwards t) arcs /\ inwards t ++ outwards t <> [].
Proof.
  intros Hu Hv N t Pt. split; [intros a; now apply pair_arcs|].
  destruct (some_arc t u v Pt Hu Hv N) as (a & Ha). intros E. now rewrite E in Ha.
Qed.
Lemma best_pairs u v t0 : In u nodes -> In v nodes -> u <> v -> pair_of nodes arcs t0 ->
  exists l y, packed_pairs l /\ 0 < sum fst l /\ (forall l', packed_pairs l' -> sum fst l' <= sum fst l) /\
    nonneg y /\ total y == sum fst l /\ forall t, pair_of nodes arcs t -> 1 <= pair_toll y t.
Proof.
  intros Hu Hv N. apply (best_packed p arcs (fun a Ha => proj2 (proj2 (Ends a Ha))) all_pairs (pair_of nodes arcs)
    (fun t => inwards t ++ outwards t) all_pairs_spec (pair_parts u v Hu Hv N)).
Qed.
End Pairs.

(** ** Trees and cuts of one weight, from a root and to it *)
Section Trees.
Variables (nodes : list node) (arcs : list arc) (ends : arc -> call) (price : arc -> Q) (r : node).
Hypothesis Ends : forall a, In a arcs -> In (fst (ends a)) nodes /\ In (snd (ends a)) nodes.
Hypothesis Prices : forall a, In a arcs -> 0 <= price a.
Hypothesis Root : In r nodes.
Hypothesis Reached : forall v, In v nodes -> leads (map ends arcs) r v.
Let view (a : arc) : arc := Arc (fst (ends a)) (snd (ends a)) (price a).
Let viewed := map view arcs.

Lemma view_graph : Definitions.graph nodes viewed r.
Proof. split; [exact Root|]. intros a Ha. apply in_map_iff in Ha. destruct Ha as (b & <- & Hb). now apply Ends. Qed.
Lemma view_costs a : In a viewed -> 0 <= cost a.
Proof. intros Ha. apply in_map_iff in Ha. destruct Ha as (b & <- & Hb). now apply Prices. Qed.
Lemma view_arc i a : nth_error viewed i = Some a -> exists b, nth_error arcs i = Some b /\ a = view b.
Proof. unfold viewed. rewrite nth_error_map. destruct (nth_error arcs i) as [b|]; [|discriminate]. intros E. injection E as <-. eauto. Qed.
Lemma view_spans : exists t, Definitions.spanning nodes viewed r t.
Proof.
  set (all := fun (_ : nat) (_ : arc) => true). exists (snd (Cheapest.reach nodes all viewed r)), (fst (Cheapest.reach nodes all viewed r)).
  split; [apply Right.reach_reaches|]. intros v Hv. pose proof (Reached v Hv) as Lv. clear Hv.
  induction Lv as [|v w L IH I]; [apply Right.reach_start|]. apply in_map_iff in I. destruct I as (a & E & Ha).
  assert (Hv : In (view a) viewed) by now apply in_map. apply In_nth_error in Hv. destruct Hv as (i & Ei).
  pose proof (Right.reach_closed nodes all viewed r Root (fun b Hb => proj2 (proj2 view_graph b Hb)) i (view a) Ei eq_refl) as C.
  unfold view in C. cbn [tail head] in C. rewrite E in C. cbn [fst snd] in C. apply C, IH.
Qed.
Let chosen (t : list nat) : list arc := map (Definitions.arc_of arcs) t.
Lemma reaches_chosen R t : Definitions.reaches viewed r R t ->
  incl (chosen t) arcs /\ (forall v, In v R -> leads (map ends (chosen t)) r v) /\
  (forall v, In v R <-> v = r \/ In v (map (fun a => snd (ends a)) (chosen t))) /\
  NoDup (map (fun a => snd (ends a)) (chosen t)) /\ ~ In r (map (fun a => snd (ends a)) (chosen t)) /\
  sum price (chosen t) == sum (Right.price viewed) t.
Proof.
  induction 1 as [|R t i a Re (I & L & Hd & Nd & Nr & S) E T N].
  - split; [easy|]. split; [intros v [<-|[]]; constructor|]. split; [cbn; intuition|]. split; [constructor|]. split; [easy|reflexivity].
  - apply view_arc in E. destruct E as (b & E & ->). assert (Eb : Definitions.arc_of arcs i = b) by now apply nth_error_nth.
    unfold chosen in *. cbn [map sum]. rewrite Eb. unfold view in T, N. cbn [tail head] in T, N.
    assert (Lb : forall v, In v R -> leads (ends b :: map ends (map (Definitions.arc_of arcs) t)) r v).
    { intros v Hv. apply leads_incl with (map ends (map (Definitions.arc_of arcs) t)); [intros x Hx; right; exact Hx|auto]. }
    split; [intros x [<-|Hx]; [eapply nth_error_In; eauto|auto]|]. split; [|split; [|split; [|split]]].
    + intros v [<-|Hv]; auto. unfold view. cbn [head]. apply along with (fst (ends b)); [now apply Lb|].
      left. now destruct (ends b).
    + intros v. unfold view. cbn [head In]. rewrite Hd. intuition.
    + constructor; auto. intros H. apply N, Hd. auto.
    + intros [H|H]; [|contradiction]. apply N, Hd. auto.
    + assert (Ev : Definitions.arc_of viewed i = view b).
      { apply nth_error_nth. unfold viewed. now rewrite nth_error_map, E. }
      rewrite S. unfold Right.price at 2. now rewrite Ev.
Qed.
(** A tree from r, and a packing of cuts that weighs as much. *)
Lemma tree_and_cuts : exists O sets, incl O arcs /\ out_tree ends nodes r O /\
  packing ends nodes arcs price r goes_into sets /\ sum snd sets == sum price O.
Proof.
  pose proof (Theorems.cheapest_arborescence nodes viewed r view_graph view_costs) as C. destruct view_spans as (t0 & S0).
  destruct (Cheapest.cheapest nodes viewed r) as [[t cuts]|]; [|now destruct (C t0)].
  destruct C as ((R & Re & All) & _ & (Pos & Fit) & Eq). destruct (reaches_chosen R t Re) as (I & L & _ & Nd & Nr & S).
  exists (chosen t), cuts. split; [exact I|]. split; [|split; [split|]].
  - split; [intros v Hv; auto|]. split; [exact Nd|exact Nr].
  - intros Y w H. destruct (Pos (fun v => Cheapest.mem v Y) w) as (Hw & Yr & v & Hv & Yv); [apply (in_map Right.as_cut _ (Y, w)), H|].
    split; auto. split; [now apply Right.mem_out|]. exists v. split; auto. now apply Right.mem_in.
  - intros a Ha. apply In_nth_error in Ha. destruct Ha as (i & Ei).
    assert (Hi : (i < length viewed)%nat) by (unfold viewed; rewrite map_length; apply nth_error_Some; congruence).
    assert (Ev : Definitions.arc_of viewed i = view a).
    { apply nth_error_nth. unfold viewed. now rewrite nth_error_map, Ei. }
    specialize (Fit i Hi). unfold Right.price in Fit. rewrite Ev, sum_map in Fit. cbn [cost view] in Fit.
    eapply Qle_trans; [|exact Fit]. apply Qle_lteq. right. apply sum_eq. intros [Y w] _. cbn [fst snd Right.as_cut].
    replace (goes_into Y (ends a)) with (Definitions.goes_in (fun v => Cheapest.mem v Y) (view a)); [reflexivity|].
    apply eq_true_iff_eq. rewrite goes_into_spec. unfold Definitions.goes_in, view. cbn [tail head].
    now rewrite andb_true_iff, negb_true_iff, Right.mem_out, Right.mem_in.
  - rewrite Eq. symmetry. exact S.
Qed.
End Trees.

(** An in-tree to r, and a packing of cuts that it leaves which weighs as much. *)
Lemma in_tree_and_cuts nodes arcs (price : arc -> Q) r : (forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes) ->
  (forall a, In a arcs -> 0 <= price a) -> In r nodes -> gathers arc_call nodes r arcs ->
  exists J sets, incl J arcs /\ in_tree arc_call nodes r J /\
    packing arc_call nodes arcs price r goes_out_of sets /\ sum snd sets == sum price J.
Proof.
  intros Ends Pos Hr Ga.
  destruct (tree_and_cuts nodes arcs (back arc_call) price r) as (J & outs & IJ & TJ & (P1 & P2) & EJ); auto.
  { intros a Ha. destruct (Ends a Ha). auto. }
  { intros w Hw. apply leads_back. now apply Ga. }
  exists J, outs. split; [exact IJ|]. split; [|split; [split; [exact P1|]|exact EJ]].
  - destruct TJ as (SJ & NJ & RJ). split; [|split; [exact NJ|exact RJ]].
    intros w Hw. specialize (SJ w Hw). apply leads_back in SJ. exact SJ.
  - intros a Ha. eapply Qle_trans; [|apply (P2 a Ha)].
    apply Qle_lteq. right. apply sum_eq. intros s _. unfold goes_into, goes_out_of, back. cbn [fst snd]. now rewrite andb_comm.
Qed.

(** ** Both sides of the linear program *)
(** Where a pair of trees exists, a best packing of pairs has the weight of prices with which two cut packings for every
    root are worth 1: what [all_reduce_bound] asks for. *)
Theorem all_reduce_both_sides p nodes arcs u v t0 :
  (forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes /\ 0 < cost a) ->
  In u nodes -> In v nodes -> u <> v -> pair_of nodes arcs t0 ->
  exists l y, packed_pairs p nodes arcs l /\ (forall l', packed_pairs p nodes arcs l' -> sum fst l' <= sum fst l) /\
    nonneg y /\ total y == sum fst l /\ worth_everywhere arc_call nodes arcs (toll p y) 1.
Proof.
  intros Ends Hu Hv N P0. destruct (best_pairs p nodes arcs Ends u v t0 Hu Hv N P0) as (l & y & Pl & Pos & Most & Ny & E & Pay).
  exists l, y. split; [exact Pl|]. split; [exact Most|]. split; [exact Ny|]. split; [exact E|].
  split; [intros ->; easy|]. split; [intros a Ha; destruct (Ends a Ha); tauto|].
  assert (Tolls : forall a, In a arcs -> 0 <= toll p y a).
  { intros a Ha. destruct (Ends a Ha) as (_ & _ & C). unfold toll. apply Qmult_le_0_compat; [lra|]. now apply paid_nonneg. }
  assert (All : forall r w, In r nodes -> In w nodes -> leads (map arc_call arcs) r w).
  { intros r w Hr Hw. destruct P0 as (_ & IJ & IO & (Ga & _) & (Sp & _)). apply leads_trans with (root t0).
    - apply leads_incl with (map arc_call (inwards t0)); [now apply incl_map|auto].
    - apply leads_incl with (map arc_call (outwards t0)); [now apply incl_map|auto]. }
  intros r Hr.
  destruct (tree_and_cuts nodes arcs arc_call (toll p y) r) as (O & ins & IO & TO & PO & EO); auto.
  { intros a Ha. destruct (Ends a Ha) as (? & ? & _). auto. }
  destruct (in_tree_and_cuts nodes arcs (toll p y) r) as (J & outs & IJ & TJ & PJ & EJ); auto.
  { intros a Ha. destruct (Ends a Ha) as (? & ? & _). auto. }
  { intros w Hw. now apply All. }
  exists outs, ins. split; [exact PJ|split; [exact PO|]].
  assert (Pt : pair_of nodes arcs (Pair r J O)) by (repeat (split; auto); apply TJ || apply TO).
  specialize (Pay _ Pt). unfold pair_toll in Pay. cbn [inwards outwards] in Pay. rewrite sum_app in Pay. lra.
Qed.

(** So the weight of a best packing of pairs bounds every scheme and every schedule. *)
Theorem best_pairs_bound p nodes arcs u v t0 :
  (forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes /\ 0 < cost a) ->
  In u nodes -> In v nodes -> u <> v -> pair_of nodes arcs t0 ->
  exists l, packed_pairs p nodes arcs l /\ (forall l', packed_pairs p nodes arcs l' -> sum fst l' <= sum fst l) /\
    reduces_never_more p nodes arcs (all_reduce nodes) (sum fst l).
Proof.
  intros Ends Hu Hv N P0. destruct (all_reduce_both_sides p nodes arcs u v t0 Ends Hu Hv N P0) as (l & y & Pl & Most & Ny & E & W).
  exists l. split; [exact Pl|]. split; [exact Most|].
  assert (Et : total y / 1 == sum fst l) by (rewrite E; field). apply (never_more_eq _ _ _ _ _ _ Et).
  apply all_reduce_bound; auto; [intros a Ha; apply Ends, Ha|lra].
Qed.

(** ** Examples *)
(** Two nodes that tell each other: a pair exists, so a best packing does, and it bounds all schedules. *)
Definition there_and_back : list arc := [Arc 0 1 1; Arc 1 0 1].
Lemma one_pair : pair_of [0; 1]%Z there_and_back (Pair 0 [Arc 1 0 1] [Arc 0 1 1]).
Proof.
  split; [left; reflexivity|]. split; [intros a [<-|[]]; right; left; reflexivity|]. split; [intros a [<-|[]]; left; reflexivity|].
  split; (split; [|split; [repeat constructor; easy|cbn; intuition discriminate]]).
  - intros v [<-|[<-|[]]]; [constructor|]. apply along with 1%Z; [constructor|left; reflexivity].
  - intros v [<-|[<-|[]]]; [constructor|]. apply along with 0%Z; [constructor|left; reflexivity].
Qed.
Example two_nodes : exists l, packed_pairs Links [0; 1]%Z there_and_back l /\ 1 <= sum fst l /\
  reduces_never_more Links [0; 1]%Z there_and_back (all_reduce [0; 1]%Z) (sum fst l).
Proof.
  destruct (best_pairs_bound Links [0; 1]%Z there_and_back 0 1 (Pair 0 [Arc 1 0 1] [Arc 0 1 1])) with (5 := one_pair) as (l & P & Most & B).
  - intros a H. repeat destruct H as [<-|H]; cbn; try easy; repeat split; auto; lra.
  - left; reflexivity.
  - right; left; reflexivity.
  - discriminate.
  - exists l. split; [exact P|]. split; [|exact B]. apply (Most [(1, Pair 0 [Arc 1 0 1] [Arc 0 1 1])]). split.
    + intros x t [E|[]]. injection E as <- <-. split; [lra|exact one_pair].
    + intros r. unfold load. cbn [sum fst snd inwards outwards app]. unfold uses_it. cbn [uses transfer arc_uses tail head existsb cost].
      destruct (Names.resource_eqb r (Link 1 0)) eqn:E1, (Names.resource_eqb r (Link 0 1)) eqn:E2; cbn [orb]; try lra.
      apply Names.resource_eqb_eq in E1, E2. congruence.
Qed.
(** A single node has nothing to tell, and there is no best packing. *)
Example one_node_unbounded : ~ exists l, packed_pairs Links [0%Z] [] l /\ forall l', packed_pairs Links [0%Z] [] l' -> sum fst l' <= sum fst l.
Proof.
  intros (l & (P & _) & Most). assert (L : sum fst [(sum fst l + 1, Pair 0 [] [])] <= sum fst l); [|cbn in L; lra].
  apply Most. split.
  - intros x t [E|[]]. injection E as <- <-. split.
    + assert (0 <= sum fst l); [|lra]. apply sum_nonneg. intros [y t'] H. now apply (P y t').
    + split; [left; reflexivity|]. split; [easy|]. split; [easy|]. split; (split; [|split; [constructor|easy]]);
        intros v [<-|[]]; constructor.
  - intros r. cbn. lra.
Qed.
