(** Order-free all-reduce has a throughput in every port model and on every network: half-duplex, too, on graphs that are
    not bipartite. In place of prices of resources there are prices of arcs, and sets of arcs that can carry calls at the same
    time. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool ListDec.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched Require Periodic.
From Exactsched.existence Require Definitions Finite Duality Structures Throughput AnySystem.
From Exactsched.allreduce Require Import Calls OrderFree Known AllReduce BestPairs OneSum ReachedPairs.
From Exactsched.allreduce Require Forwarding Examples.
Import ListNotations.
Open Scope Q_scope.

(** Arcs that can carry calls at the same time: no two of them share a resource. *)
Definition arcs_together (p : ports) (arcs m : list arc) : Prop :=
  NoDup m /\ incl m arcs /\ forall a b, In a m -> In b m -> a <> b -> forall r, In r (arc_uses p a) -> ~ In r (arc_uses p b).
(** Prices of arcs, per time, prove T if arcs that carry calls at the same time cost at most T, and a pair of trees at least 1. *)
Definition arc_prices_prove (p : ports) (nodes : list node) (arcs : list arc) (q : arc -> Q) (T : Q) : Prop :=
  (forall a, In a arcs -> 0 <= q a) /\ (forall m, arcs_together p arcs m -> sum q m <= T) /\
  forall t, pair_of nodes arcs t -> 1 <= sum (fun a => cost a * q a) (inwards t ++ outwards t).

Lemma arc_eq_dec (a b : arc) : {a = b} + {a <> b}.
Proof. decide equality; try apply Z.eq_dec. decide equality; [decide equality|apply Z.eq_dec]. Qed.
(** How often an arc is in a list. *)
Definition times (a : arc) (w : list arc) : Q := sum (fun b => if arc_eq_dec b a then 1 else 0) w.
Definition arcs_of (t : pair) : list arc := inwards t ++ outwards t.
(** A plan: pairs with weights, and sets of arcs that carry calls at the same time, with times of sum 1, in which every arc
    works as long as the pairs ask. *)
Definition pairs_plan (p : ports) (nodes : list node) (arcs : list arc) (l : list (Q * pair)) (d : list (Q * list arc)) : Prop :=
  (forall x t, In (x, t) l -> 0 <= x /\ pair_of nodes arcs t) /\ (forall x m, In (x, m) d -> 0 <= x /\ arcs_together p arcs m) /\
  sum fst d <= 1 /\
  forall a, In a arcs -> cost a * sum (fun xt => fst xt * times a (arcs_of (snd xt))) l <= sum (fun xm => fst xm * times a (snd xm)) d.
(** T is the largest weight of the pairs of a plan. *)
Definition best_plan_weighs (p : ports) (nodes : list node) (arcs : list arc) (T : Q) : Prop :=
  (exists l d, pairs_plan p nodes arcs l d /\ sum fst l == T) /\ forall l d, pairs_plan p nodes arcs l d -> sum fst l <= T.

Section Priced.
Variables (p : ports) (nodes : list node) (arcs : list arc).
Hypothesis Net : network nodes arcs.
Let Ends := proj2 Net.

(** ** Prices of arcs bound every scheme and every schedule *)
Theorem arc_prices_bound q T : arc_prices_prove p nodes arcs q T -> reduces_never_more p nodes arcs (all_reduce nodes) T.
Proof.
  intros (Hq & Sets & Pay) calls s M K Al HK V Co. set (S := callers p (all_reduce nodes) calls) in *.
  assert (N : nodes <> []) by (destruct (proj1 Net) as (u & _ & Hu & _); intros E; rewrite E in Hu; easy).
  assert (Call : forall i, (i < length calls)%nat -> In (over (call_of calls i)) arcs /\
    kind S i = called p (all_reduce nodes) (call_of calls i) /\ lasts (kind S i) == cost (over (call_of calls i))).
  { intros i Hi. destruct (Al (call_of calls i)) as (A & B); [now apply nth_In|]. split; auto. split; [now apply kind_call|].
    unfold S. rewrite kind_call by auto. cbn in B. replace (about (call_of calls i)) with 0%nat by lia.
    unfold called. cbn [lasts]. replace (about (call_of calls i)) with 0%nat by lia. unfold size_of. cbn. ring. }
  assert (Len : length (tasks S) = length calls) by apply map_length.
  assert (pos : Definitions.takes_time S).
  { intros k Hk. apply (In_nth _ _ (Task [] 0 [] (At (Message 0) 0))) in Hk. destruct Hk as (i & Hi & <-). rewrite Len in Hi.
    destruct (Call i Hi) as (A & _ & E). change (0 < lasts (kind S i)). rewrite E. now apply Ends. }
  assert (some : forall k, In k (tasks S) -> uses k <> []).
  { intros k Hk. apply in_map_iff in Hk. destruct Hk as (c & <- & _). cbn. destruct p; discriminate. }
  eapply Qle_trans; [|apply (AnySystem.priced_work S some (fun i => q (over (call_of calls i))) T) with (s := s) (M := M)]; auto.
  - rewrite <- (seq_length M 0) at 1. rewrite <- Finite.sum_one. apply sum_le. intros m Hm. apply in_seq in Hm.
    destruct (all_reduce_pair p nodes arcs calls s M K m N Ends Al V Co) as (t & Pt & Cheap); [lia|].
    eapply Qle_trans; [apply (Pay t Pt)|]. rewrite sum_app. eapply Qle_trans; [apply (Cheap (fun a => cost a * q a))|].
    + intros a Ha. destruct (Ends a Ha) as (_ & _ & C). specialize (Hq a Ha). nra.
    + fold S. apply sum_le. intros i Hi. apply done_call in Hi. destruct (Call i Hi) as (_ & _ & E). rewrite E. lra.
  - intros i Hi. rewrite Len in Hi. apply Hq, Call, Hi.
  - intros m (Nd & R & A). rewrite <- (sum_map (fun i => over (call_of calls i)) q). apply Sets.
    assert (Apart : forall i j r, In i m -> In j m -> i <> j -> In r (arc_uses p (over (call_of calls i))) ->
      ~ In r (arc_uses p (over (call_of calls j)))).
    { intros i j r Hi Hj Nij U U'. apply (A i j Hi Hj Nij). exists r. pose proof (R i Hi) as Li. pose proof (R j Hj) as Lj.
      rewrite Len in Li, Lj. destruct (Call i Li) as (_ & -> & _). destruct (Call j Lj) as (_ & -> & _). auto. }
    split; [|split].
    + assert (G : forall m', incl m' m -> NoDup m' -> NoDup (map (fun i => over (call_of calls i)) m')).
      { induction m' as [|i m' IH]; intros I Nm; cbn [map]; constructor.
        - intros H. apply in_map_iff in H. destruct H as (j & E & Hj). inversion Nm; subst.
          assert (exists r, In r (arc_uses p (over (call_of calls i)))) as (r & Hr) by (destruct p; eexists; left; reflexivity).
          apply (Apart i j r); [apply I; now left|apply I; now right| |exact Hr|now rewrite E]. intros ->. auto.
        - inversion Nm; subst. apply IH; auto. intros x Hx. apply I. now right. }
      apply G; auto. apply incl_refl.
    + intros a Ha. apply in_map_iff in Ha. destruct Ha as (i & <- & Hi). apply Call. rewrite <- Len. auto.
    + intros a b Ha Hb Nab r. apply in_map_iff in Ha, Hb. destruct Ha as (i & <- & Hi), Hb as (j & <- & Hj).
      apply Apart; auto. congruence.
Qed.

(** ** They exist, and schedules reach what they prove *)
(** There is a throughput, and prices of arcs prove it. *)
Theorem all_reduce_throughput_in_any_model : strongly_connected nodes arcs ->
  exists T q, 0 < T /\ all_reduce_throughput p nodes arcs T /\ arc_prices_prove p nodes arcs q T.
Proof.
  intros Con. destruct (some_pair nodes arcs Net Con) as (t0 & P0). destruct (proj1 Net) as (u & v & Two).
  set (l := map (fun t => (1, t)) (all_pairs nodes arcs)).
  assert (Pairs : forall x t, In (x, t) l -> pair_of nodes arcs t).
  { intros x t H. apply in_map_iff in H. destruct H as (t' & E & H). injection E as _ <-. now apply all_pairs_spec. }
  assert (All : forall t, pair_of nodes arcs t -> exists k, In (k, (1, t)) (numbered l)).
  { intros t Pt. assert (I : In (1, t) l) by (apply in_map, all_pairs_spec, Pt). unfold numbered. revert I. generalize 0%Z.
    induction l as [|x l' IH]; intros i; [easy|]. intros [->|I]; [exists i; now left|]. destruct (IH (fun x t H => Pairs x t (or_intror H)) (i + 1)%Z I) as (k & Hk).
    exists k. now right. }
  assert (Serves : forall x t, In (x, t) l -> serves nodes nodes arcs t) by (intros x t H; now apply pair_serves, (Pairs x t)).
  set (S := as_system p nodes l). set (ent := entry p nodes l).
  assert (pos : Definitions.takes_time S) by (apply (takes_time p nodes nodes arcs Ends l Serves)).
  assert (Len : length (tasks S) = length (entries p nodes l)) by apply map_length.
  assert (Arc : forall i, (i < length (tasks S))%nat -> In (over (fst (ent i))) arcs /\ uses (kind S i) = arc_uses p (over (fst (ent i))) /\
    lasts (kind S i) == cost (over (fst (ent i)))).
  { intros i Hi. rewrite Len in Hi. destruct (entry_arc p nodes nodes arcs l Serves (ent i)) as (a & Ha & E & U & L & _); [now apply nth_In|].
    unfold S. rewrite kind_entry. fold ent. rewrite E. cbn [over]. split; auto. split; auto. rewrite L. unfold size_of. cbn. ring. }
  assert (some : forall k, In k (tasks S) -> uses k <> []).
  { intros k Hk. apply (In_nth _ _ (Task [] 0 [] (At (Message 0) 0))) in Hk. destruct Hk as (i & Hi & <-).
    destruct (Arc i Hi) as (_ & U & _). change (uses (kind S i) <> []). rewrite U. destruct p; discriminate. }
  assert (todo : Definitions.something_to_do S).
  { exists (everything u). split; [|easy]. apply (in_map everything). tauto. }
  destruct (All t0 P0) as (k0 & K0). destruct (is_structure p nodes nodes arcs Ends u v Two l Serves k0 1 t0 K0) as (s0 & St0 & _).
  destruct (AnySystem.any_throughput S s0 pos some todo St0) as (T & _ & _ & PT & (_ & C & Re) & _ & _ & q & Q0 & Sets & Pay).
  (* an arc has the highest price of its calls *)
  set (on := fun a => filter (fun i => if arc_eq_dec (over (fst (ent i))) a then true else false) (seq 0 (length (tasks S)))).
  assert (On : forall a i, In i (on a) <-> (i < length (tasks S))%nat /\ over (fst (ent i)) = a).
  { intros a i. unfold on. rewrite filter_In, in_seq. destruct (arc_eq_dec _ a); intuition (try lia; try discriminate). }
  set (price := fun a => fold_right Qmax 0 (map q (on a))).
  assert (Price : forall a, price a == 0 \/ exists i, In i (on a) /\ price a == q i).
  { intros a. unfold price. induction (on a) as [|i o IH]; [left; reflexivity|]. cbn [map fold_right].
    destruct (Q.max_spec (q i) (fold_right Qmax 0 (map q o))) as [(_ & E)|(_ & E)].
    - setoid_rewrite E. destruct IH as [Z|(j & Hj & Ej)]; [left; now rewrite Z|right; exists j; split; [now right|now rewrite Ej]].
    - right. exists i. split; [now left|exact E]. }
  assert (Below : forall i, (i < length (tasks S))%nat -> q i <= price (over (fst (ent i)))).
  { intros i Hi. assert (I : In i (on (over (fst (ent i))))) by now apply On. unfold price.
    induction (on (over (fst (ent i)))) as [|j o IH]; [easy|]. cbn [map fold_right]. destruct I as [->|I]; [apply Q.le_max_l|].
    eapply Qle_trans; [now apply IH|apply Q.le_max_r]. }
  assert (Zero : forall a, 0 <= price a).
  { intros a. destruct (Price a) as [E|(i & Hi & E)]; rewrite E; [lra|]. apply Q0, On with (1 := Hi). }
  exists T, price. split; [exact PT|].
  assert (Prove : arc_prices_prove p nodes arcs price T).
  { split; [auto|split].
    - intros m (Nd & _ & A).
      assert (G : forall m', incl m' m -> NoDup m' -> exists n, Definitions.together S n /\ sum price m' == sum q n /\
        forall i, In i n -> In (over (fst (ent i))) m').
      { induction m' as [|a m' IH]; intros I Nm.
        - exists []. split; [split; [constructor|split; easy]|split; [reflexivity|easy]].
        - inversion Nm as [|? ? Na Nm']; subst. destruct IH as (n & (N1 & N2 & N3) & E & N4); auto; [intros x Hx; apply I; now right|].
          destruct (Price a) as [Z|(i & Hi & Ei)].
          + exists n. split; [now split|]. split; [cbn [sum]; rewrite Z, E; ring|]. intros j Hj. right. auto.
          + apply On in Hi. destruct Hi as (Li & Ea). exists (i :: n).
            assert (Apart : forall j, In j n -> ~ Definitions.clash S i j).
            { intros j Hj (r & U & U'). destruct (Arc i Li) as (_ & Eu & _). destruct (Arc j (N2 j Hj)) as (_ & Eu' & _).
              rewrite Eu in U. rewrite Eu' in U'. rewrite Ea in U. apply (A a (over (fst (ent j)))) with (r := r); auto.
              - apply I. now left.
              - apply I. right. auto.
              - intros E'. apply Na. rewrite E'. auto. }
            split; [split; [|split]|split].
            * constructor; auto. intros H. apply Na. rewrite <- Ea. auto.
            * intros j [<-|Hj]; auto.
            * intros j k [<-|Hj] [<-|Hk] Njk; auto. intros Cl. apply (Apart j Hj). now apply AnySystem.clash_sym.
            * cbn [sum]. rewrite Ei, E. reflexivity.
            * intros j [<-|Hj]; [left; auto|right; auto]. }
      destruct (G m (incl_refl m) Nd) as (n & Tn & E & _). rewrite E. apply Sets, Tn.
    - intros t Pt. destruct (All t Pt) as (k & Hk).
      destruct (is_structure p nodes nodes arcs Ends u v Two l Serves k 1 t Hk) as (s & St & Most).
      eapply Qle_trans; [apply (Pay s St)|].
      set (g := fun e : telling * task => lasts (snd e) * price (over (fst e))).
      apply Qle_trans with (sum (fun i => g (ent i)) s).
      + apply sum_le. intros i Hi. assert (Li : (i < length (tasks S))%nat) by (eapply Structures.structure_range; eauto).
        unfold g. replace (snd (ent i)) with (kind S i) by apply kind_entry. specialize (Below i Li).
        pose proof (Structures.lasts_nonneg S pos i Li). nra.
      + eapply Qle_trans; [apply Most|].
        * intros e He. unfold g. destruct (entry_arc p nodes nodes arcs l Serves e He) as (a & Ha & E & _ & L & _). rewrite L.
          destruct (Ends a Ha) as (_ & _ & Ca). apply Qmult_le_0_compat; [unfold size_of; cbn; lra|apply Zero].
        * unfold tasks_of. rewrite !sum_app, !sum_map. apply Qle_lteq. right. unfold g, size_of. cbn.
          apply Qplus_comp; apply sum_eq; intros a _; ring. }
  split; [split|exact Prove].
  - now apply (arc_prices_bound price).
  - exists C. now apply (system_reached p nodes nodes arcs Ends u v Two l Serves).
Qed.

(** There is one, in every port model, if and only if every node leads to every other. *)
Theorem all_reduce_throughput_iff_connected : (exists T, all_reduce_throughput p nodes arcs T) <-> strongly_connected nodes arcs.
Proof.
  split.
  - intros (T & _ & C & R). now apply (reduces_connected p nodes arcs Net T C).
  - intros Con. destruct (all_reduce_throughput_in_any_model Con) as (T & _ & _ & Th & _). eauto.
Qed.
(** Prices of arcs prove every throughput. *)
Corollary all_reduce_arc_prices T : all_reduce_throughput p nodes arcs T -> exists q, arc_prices_prove p nodes arcs q T.
Proof.
  intros Th. assert (Con : strongly_connected nodes arcs) by (apply all_reduce_throughput_iff_connected; eauto).
  destruct (all_reduce_throughput_in_any_model Con) as (T0 & q & _ & Th0 & Hq & Sets & Pay). exists q. split; auto. split; auto.
  intros m Hm. rewrite <- (throughput_once p nodes arcs T0 T Th0 Th). auto.
Qed.

(** ** Plans of pairs *)
Let all := nodup arc_eq_dec arcs.
Lemma by_arcs f w : incl w arcs -> sum f w == sum (fun a => f a * times a w) all.
Proof.
  induction w as [|b w IH]; intros I; [unfold times; cbn; rewrite Finite.sum_none; [reflexivity|intros; ring]|].
  cbn [sum]. rewrite IH by (intros x Hx; apply I; now right).
  rewrite (sum_eq (fun a => f a * times a (b :: w)) (fun a => f a * (if arc_eq_dec b a then 1 else 0) + f a * times a w))
    by (intros; unfold times; cbn [sum]; ring).
  rewrite sum_plus. apply Qplus_comp; [|reflexivity]. rewrite (Finite.sum_only _ all b).
  - destruct (arc_eq_dec b b); [ring|easy].
  - apply NoDup_nodup.
  - apply nodup_In, I. now left.
  - intros y _ N. destruct (arc_eq_dec b y); [congruence|ring].
Qed.
(** No plan is worth more than prices of arcs prove. *)
Lemma plan_at_most q T l d : arc_prices_prove p nodes arcs q T -> pairs_plan p nodes arcs l d -> sum fst l <= T.
Proof.
  intros (Hq & Sets & Pay) (Pl & Pd & One & Serve).
  assert (T0 : 0 <= T). { apply (Sets []). split; [constructor|split; easy]. }
  apply Qle_trans with (sum (fun a => q a * (cost a * sum (fun xt => fst xt * times a (arcs_of (snd xt))) l)) all).
  - rewrite (sum_eq _ (fun a => sum (fun xt => fst xt * (cost a * q a * times a (arcs_of (snd xt)))) l)).
    + rewrite sum_swap. apply sum_le. intros [x t] H. destruct (Pl x t H) as (Hx & Pt). cbn [fst snd].
      rewrite sum_scale, <- (by_arcs (fun a => cost a * q a)) by (intros a; apply (pair_arcs nodes arcs t a Pt)).
      specialize (Pay t Pt). unfold arcs_of. nra.
    + intros a _. rewrite <- !sum_scale. apply sum_eq. intros; ring.
  - apply Qle_trans with (sum (fun a => q a * sum (fun xm => fst xm * times a (snd xm)) d) all).
    + apply sum_le. intros a Ha. apply nodup_In in Ha. specialize (Serve a Ha). specialize (Hq a Ha). nra.
    + rewrite (sum_eq _ (fun a => sum (fun xm => fst xm * (q a * times a (snd xm))) d))
        by (intros; rewrite <- sum_scale; apply sum_eq; intros; ring).
      rewrite sum_swap. apply Qle_trans with (sum (fun xm => T * fst xm) d).
      * apply sum_le. intros [x m] H. destruct (Pd x m H) as (Hx & Tm). cbn [fst snd].
        rewrite sum_scale, <- by_arcs by apply Tm. specialize (Sets m Tm). nra.
      * rewrite sum_scale. nra.
Qed.

Lemma together_dec m : {arcs_together p arcs m} + {~ arcs_together p arcs m}.
Proof.
  unfold arcs_together. assert (E : forall A : Prop, {A} + {~ A} -> forall B : Prop, {B} + {~ B} -> {A /\ B} + {~ (A /\ B)}) by (intros A [|] B [|]; tauto).
  apply E; [apply NoDup_dec, arc_eq_dec|]. apply E; [apply all_dec; intros a; apply in_dec, arc_eq_dec|].
  assert (D : forall a b, {a <> b -> forall r, In r (arc_uses p a) -> ~ In r (arc_uses p b)} +
    {~ (a <> b -> forall r, In r (arc_uses p a) -> ~ In r (arc_uses p b))}).
  { intros a b. destruct (arc_eq_dec a b) as [|N]; [left; easy|].
    destruct (all_dec (fun r => ~ In r (arc_uses p b)) (fun r => ltac:(destruct (in_dec Throughput.resource_eq_dec r (arc_uses p b)); tauto)) (arc_uses p a)) as [Y|No];
      [left; auto|right; intros H; apply No, H, N]. }
  destruct (all_dec (fun a => forall b, In b m -> a <> b -> forall r, In r (arc_uses p a) -> ~ In r (arc_uses p b))
    (fun a => all_dec _ (D a) m) m) as [Y|No]; [left; intros a b Ha Hb; now apply Y|right; intros H; apply No; intros a Ha b Hb; now apply H].
Qed.
Definition all_sets : list (list arc) := filter (fun m => if together_dec m then true else false) (Finite.words (length arcs) arcs).
Lemma all_sets_spec m : In m all_sets <-> arcs_together p arcs m.
Proof.
  unfold all_sets. rewrite filter_In. destruct (together_dec m) as [Y|N]; [|split; [easy|tauto]]. split; auto. intros _. split; auto.
  destruct Y as (Nd & I & _). apply Finite.words_in; auto. now apply NoDup_incl_length.
Qed.

(** A plan of pairs weighs as much as some prices of arcs prove. *)
Lemma plan_and_prices q0 U : arc_prices_prove p nodes arcs q0 U ->
  exists l d q T, pairs_plan p nodes arcs l d /\ sum fst l == T /\ arc_prices_prove p nodes arcs q T.
Proof.
  intros Bound. set (t0 := Pair 0 [] []). set (P := all_pairs nodes arcs). set (D := all_sets).
  set (rows := map inl all ++ [inr tt] : list (arc + unit)).
  set (cols := map inl (seq 0 (length P)) ++ map inr (seq 0 (length D)) : list (nat + nat)).
  set (A (i : arc + unit) (j : nat + nat) := match i, j with
    | inl a, inl k => cost a * times a (arcs_of (nth k P t0)) | inl a, inr k => - times a (nth k D [])
    | inr _, inl _ => 0 | inr _, inr _ => 1 end : Q).
  set (b (i : arc + unit) := match i with inl _ => 0 | inr _ => 1 end : Q).
  set (c (j : nat + nat) := match j with inl _ => 1 | inr _ => 0 end : Q).
  assert (eq1 : forall i k : arc + unit, {i = k} + {i <> k}) by (decide equality; [apply arc_eq_dec|decide equality]).
  assert (eq2 : forall i k : nat + nat, {i = k} + {i <> k}) by (decide equality; apply Nat.eq_dec).
  assert (NR : NoDup rows).
  { apply Periodic.nodup_app; [apply Finite.nodup_map; [congruence|apply NoDup_nodup]|repeat constructor; auto|].
    intros x Hx [<-|[]]. apply in_map_iff in Hx. destruct Hx as (? & ? & _). discriminate. }
  assert (NC : NoDup cols).
  { apply Periodic.nodup_app; try (apply Finite.nodup_map; [congruence|apply seq_NoDup]).
    intros x Hx Hx'. apply in_map_iff in Hx, Hx'. destruct Hx as (? & <- & _), Hx' as (? & ? & _). discriminate. }
  assert (Sc : forall f, sum f cols == sum (fun k => f (inl k)) (seq 0 (length P)) + sum (fun k => f (inr k)) (seq 0 (length D))).
  { intros f. unfold cols. rewrite sum_app, !sum_map. reflexivity. }
  assert (Sr : forall f, sum f rows == sum (fun a => f (inl a)) all + f (inr tt)).
  { intros f. unfold rows. rewrite sum_app, sum_map. cbn. ring. }
  set (pairs (x : nat + nat -> Q) := map (fun k => (x (inl k), nth k P t0)) (seq 0 (length P))).
  set (sets (x : nat + nat -> Q) := map (fun k => (x (inr k), nth k D [])) (seq 0 (length D))).
  assert (Plan : forall x, Duality.packed rows cols A b x -> pairs_plan p nodes arcs (pairs x) (sets x)).
  { intros x (Px & Pr). split; [|split; [|split]].
    - intros y t I. apply in_map_iff in I. destruct I as (k & E & I). injection E as <- <-. split.
      + apply Px, in_app_iff. left. now apply in_map.
      + apply all_pairs_spec, nth_In. apply in_seq in I. unfold P in *. lia.
    - intros y m I. apply in_map_iff in I. destruct I as (k & E & I). injection E as <- <-. split.
      + apply Px, in_app_iff. right. now apply in_map.
      + apply all_sets_spec, nth_In. apply in_seq in I. unfold D in *. lia.
    - assert (I : In (inr tt) rows) by (apply in_app_iff; right; now left). specialize (Pr _ I). rewrite Sc in Pr. cbn [A b] in Pr.
      rewrite (Finite.sum_none (fun k => 0 * x (inl k))) in Pr by (intros; ring).
      unfold sets. rewrite sum_map. cbn [fst]. rewrite (sum_eq _ (fun k => 1 * x (inr k))) by (intros; ring). lra.
    - intros a Ha. assert (I : In (inl a) rows) by (apply in_app_iff; left; now apply in_map, nodup_In). specialize (Pr _ I).
      rewrite Sc in Pr. cbn [A b] in Pr. unfold pairs, sets. rewrite !sum_map. cbn [fst snd].
      rewrite (sum_eq (fun k => cost a * times a (arcs_of (nth k P t0)) * x (inl k))
        (fun k => cost a * (x (inl k) * times a (arcs_of (nth k P t0))))) in Pr by (intros; ring).
      rewrite (sum_eq (fun k => - times a (nth k D []) * x (inr k)) (fun k => -1 * (x (inr k) * times a (nth k D [])))) in Pr by (intros; ring).
      rewrite !sum_scale in Pr. lra. }
  assert (Value : forall x, sum (fun j => c j * x j) cols == sum fst (pairs x)).
  { intros x. rewrite Sc. cbn [c]. rewrite (Finite.sum_none (fun k => 0 * x (inr k))) by (intros; ring).
    unfold pairs. rewrite sum_map, Qplus_0_r. apply sum_eq. intros; cbn [fst]; ring. }
  destruct (Duality.packing_duality eq1 eq2 rows cols A b c NR NC) with (U := U) as (x & y & Px & Hy & Hc & V).
  { intros i _. destruct i; cbn; lra. }
  { intros x Px. rewrite Value. apply (plan_at_most q0 U _ (sets x)); auto. }
  exists (pairs x), (sets x), (fun a => y (inl a)), (y (inr tt)). split; [now apply Plan|]. split; [|split; [|split]].
  - rewrite <- Value, V, Sr. cbn [b]. rewrite (Finite.sum_none (fun a => y (inl a) * 0)) by (intros; ring). ring.
  - intros a Ha. apply Hy, in_app_iff. left. now apply in_map, nodup_In.
  - intros m Hm. pose proof (proj2 (all_sets_spec m) Hm) as I. apply (In_nth _ _ []) in I. destruct I as (k & Lk & Ek).
    assert (J : In (inr k) cols) by (apply in_app_iff; right; apply in_map, in_seq; unfold D; lia).
    specialize (Hc _ J). rewrite Sr in Hc. cbn [c A] in Hc. unfold D in Hc. rewrite Ek in Hc.
    rewrite (sum_eq _ (fun a => -1 * (y (inl a) * times a m))) in Hc by (intros; ring).
    rewrite sum_scale, <- (by_arcs (fun a => y (inl a))) in Hc by apply Hm. lra.
  - intros t Pt. pose proof (proj2 (all_pairs_spec nodes arcs t) Pt) as I. apply (In_nth _ _ t0) in I. destruct I as (k & Lk & Ek).
    assert (J : In (inl k) cols) by (apply in_app_iff; left; apply in_map, in_seq; unfold P; lia).
    specialize (Hc _ J). rewrite Sr in Hc. cbn [c A] in Hc. unfold P in Hc. rewrite Ek in Hc.
    rewrite (by_arcs (fun a => cost a * y (inl a))) by (intros a; apply (pair_arcs nodes arcs t a Pt)).
    rewrite (sum_eq _ (fun a => y (inl a) * (cost a * times a (arcs_of t)))) by (intros; unfold arcs_of; ring). lra.
Qed.

(** In every port model the throughput is T if and only if a best plan of pairs weighs T. *)
Theorem all_reduce_throughput_is_plan T : strongly_connected nodes arcs ->
  all_reduce_throughput p nodes arcs T <-> best_plan_weighs p nodes arcs T.
Proof.
  intros Con. destruct (all_reduce_throughput_in_any_model Con) as (T0 & q0 & _ & Th & Pr).
  destruct (plan_and_prices q0 T0 Pr) as (l & d & q & V & Pl & E & Pq).
  assert (EV : V == T0).
  { apply Qle_antisym; [rewrite <- E; now apply (plan_at_most q0 T0 l d)|]. destruct Th as (_ & C & R).
    exact (reduces_at_most _ _ _ _ _ _ _ (arc_prices_bound q V Pq) R). }
  split.
  - intros Th'. pose proof (throughput_once p nodes arcs T0 T Th Th') as E0. split.
    + exists l, d. split; auto. rewrite E, EV. exact E0.
    + intros l' d' Pl'. rewrite <- E0. now apply (plan_at_most q0 T0 l' d').
  - intros ((l' & d' & Pl' & E') & Most). assert (E0 : T0 == T).
    { apply Qle_antisym; [rewrite <- EV, <- E; now apply (Most l d)|rewrite <- E'; now apply (plan_at_most q0 T0 l' d')]. }
    now apply (throughput_eq p nodes arcs T0 T E0).
Qed.
End Priced.

(** ** Examples *)
Lemma quarter_each arcs t : (forall a, In a arcs -> cost a == 1) -> pair_of [0; 1; 2]%Z arcs t ->
  1 <= sum (fun a => cost a * (1 # 4)) (inwards t ++ outwards t).
Proof.
  intros Cost Pt. rewrite (sum_eq _ (fun _ => (1 # 4) * 1)).
  - rewrite sum_scale, Finite.sum_one. assert (N : NoDup [0; 1; 2]%Z) by (repeat constructor; cbn; intuition discriminate).
    pose proof (pair_size _ _ t N Pt) as H. cbn [length] in H. assert (4 <= count (length (inwards t ++ outwards t))); [|lra].
    unfold count. change 4 with (inject_Z 4). rewrite <- Zle_Qle. lia.
  - intros a Ha. rewrite (Cost a (pair_arcs _ _ t a Pt Ha)). ring.
Qed.
Lemma triangle_network : network [0; 1; 2]%Z Examples.triangle.
Proof.
  split; [exists 0%Z, 1%Z; cbn; intuition discriminate|].
  intros a H. repeat destruct H as [<-|H]; [..|easy]; cbn; (split; [tauto|split; [tauto|lra]]).
Qed.
(** A triangle, half-duplex: any two arcs share a node, so a quarter for each arc proves 1/4; no odd set is needed. *)
Example triangle_by_arcs : arc_prices_prove HalfDuplex [0; 1; 2]%Z Examples.triangle (fun _ => 1 # 4) (1 # 4) /\
  all_reduce_throughput HalfDuplex [0; 1; 2]%Z Examples.triangle (1 # 4).
Proof.
  assert (P : arc_prices_prove HalfDuplex [0; 1; 2]%Z Examples.triangle (fun _ => 1 # 4) (1 # 4)).
  { split; [intros; lra|split].
    - intros m (Nd & I & A). destruct m as [|a [|b m]]; [vm_compute; discriminate|vm_compute; discriminate|]. exfalso.
      assert (Nab : a <> b). { intros ->. inversion Nd; subst. apply H1. now left. }
      assert (Ha : In a (a :: b :: m)) by (now left). assert (Hb : In b (a :: b :: m)) by (right; now left).
      specialize (A a b Ha Hb Nab). apply I in Ha, Hb. clear I Nd. cbn in Ha, Hb, A.
      repeat destruct Ha as [<-|Ha]; [..|easy]; (repeat destruct Hb as [<-|Hb]; [..|easy]); try congruence; cbn in A;
        (eapply A; [left; reflexivity|cbn; tauto]) || (eapply A; [right; left; reflexivity|cbn; tauto]).
    - intros t. apply quarter_each. intros a H. repeat destruct H as [<-|H]; [..|easy]; reflexivity. }
  split; [exact P|]. split; [|exact (proj2 Examples.triangle_half_duplex)].
  apply (arc_prices_bound HalfDuplex _ _) with (2 := P). exact triangle_network.
Qed.
(** So no plan of pairs weighs more, and one weighs as much. *)
Example triangle_by_plans : best_plan_weighs HalfDuplex [0; 1; 2]%Z Examples.triangle (1 # 4).
Proof.
  pose proof (proj2 triangle_by_arcs) as Th. apply all_reduce_throughput_is_plan; [exact triangle_network| |exact Th].
  apply (all_reduce_throughput_iff_connected HalfDuplex _ _ triangle_network). eauto.
Qed.
(** Wrong: that the highest price of a single arc bounds. On the ring of three a quarter for each arc would prove 1/4, but 3/4 is
    reached: three arcs carry calls at the same time. *)
Example single_arcs_are_not_enough : (forall t, pair_of [0; 1; 2]%Z ring t -> 1 <= sum (fun a => cost a * (1 # 4)) (inwards t ++ outwards t)) /\
  ~ reduces_never_more Links [0; 1; 2]%Z ring (all_reduce [0; 1; 2]%Z) (1 # 4).
Proof.
  split.
  - intros t. apply quarter_each. intros a H. repeat destruct H as [<-|H]; [..|easy]; reflexivity.
  - intros N. destruct ring_of_three as (_ & C & R). pose proof (reduces_at_most _ _ _ _ _ _ _ N R). lra.
Qed.
