(** Order-free reduce to a node has a throughput: the weight of a best packing of trees into that node, with prices and cuts
    that prove it, in one-port and link platforms and in half-duplex ones whose graph is bipartite. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool ListDec.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.existence Require Definitions Finite.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known AllReduce BestPairs OneSum.
From Exactsched.allreduce Require Examples.
Import ListNotations.
Open Scope Q_scope.

(** No schemes and no schedules are faster than T, and some reach it but for a constant. *)
Definition reduce_throughput (p : ports) (nodes : list node) (arcs : list arc) (r : node) (T : Q) : Prop :=
  reduces_never_more p nodes arcs (reduce_to r) T /\ exists C, reduces p nodes arcs (reduce_to r) T C.
(** Weighted trees of arcs, each from all nodes into r, that keep no resource busy for more than the whole time. *)
Definition tree_into (nodes : list node) (arcs : list arc) (r : node) (J : list arc) : Prop :=
  incl J arcs /\ in_tree arc_call nodes r J.
Definition packed_trees (p : ports) (nodes : list node) (arcs : list arc) (r : node) (l : list (Q * list arc)) : Prop :=
  (forall x J, In (x, J) l -> 0 <= x /\ tree_into nodes arcs r J) /\
  forall v, sum (fun xJ => fst xJ * busy p v (snd xJ)) l <= 1.
(** T is the largest weight of such a packing. *)
Definition best_trees_weigh (p : ports) (nodes : list node) (arcs : list arc) (r : node) (T : Q) : Prop :=
  (exists l, packed_trees p nodes arcs r l /\ sum fst l == T) /\ forall l, packed_trees p nodes arcs r l -> sum fst l <= T.
(** Prices of the resources that add up to T, and cuts without r, together worth 1, that the arcs out of them can pay. *)
Definition out_cuts_prove (p : ports) (nodes : list node) (arcs : list arc) (r : node) (T : Q) : Prop :=
  exists y, nonneg y /\ total y == T /\ worth_at arc_call nodes arcs (toll p y) r 1.

Lemma reduction_once p nodes arcs blocks T T' C C' : reduces_never_more p nodes arcs blocks T -> reduces p nodes arcs blocks T C ->
  reduces_never_more p nodes arcs blocks T' -> reduces p nodes arcs blocks T' C' -> T == T'.
Proof. intros N R N' R'. apply Qle_antisym; eapply reduces_at_most; eauto. Qed.

Section Reduce.
Variables (p : ports) (nodes : list node) (arcs : list arc) (r : node).
Hypothesis Net : network nodes arcs.
Hypothesis Root : In r nodes.
Let Ends := proj2 Net.
Let Costs a (Ha : In a arcs) := proj2 (proj2 (Ends a Ha)).

(** ** All trees *)
Lemma in_tree_dec J : {in_tree arc_call nodes r J} + {~ in_tree arc_call nodes r J}.
Proof.
  assert (E : forall A : Prop, {A} + {~ A} -> forall B : Prop, {B} + {~ B} -> {A /\ B} + {~ (A /\ B)}) by (intros A [|] B [|]; tauto).
  apply E; [apply all_dec; intros v; apply leads_dec|]. apply E; [apply NoDup_dec, Z.eq_dec|].
  destruct (in_dec Z.eq_dec r (map (fun a => fst (arc_call a)) J)); tauto.
Qed.
Definition all_trees : list (list arc) := filter (fun J => if in_tree_dec J then true else false) (Finite.words (length arcs) arcs).
Lemma all_trees_spec J : In J all_trees <-> tree_into nodes arcs r J.
Proof.
  unfold all_trees, tree_into. rewrite filter_In. destruct (in_tree_dec J) as [Y|N]; [|split; [easy|tauto]]. split.
  - intros (H & _). split; auto. now apply (words_within _ _ _ H).
  - intros (I & _). split; auto. apply Finite.words_in; auto. apply NoDup_incl_length; auto. now apply in_tree_once in Y.
Qed.
Lemma tree_parts J : tree_into nodes arcs r J -> incl J arcs /\ J <> [].
Proof.
  intros (I & Ga & _). split; auto. intros ->. destruct (proj1 Net) as (u & v & Hu & Hv & N).
  assert (L : forall w, In w nodes -> w = r).
  { intros w Hw. specialize (Ga w Hw). inversion Ga as [E|x y _ [] _]. reflexivity. }
  apply N. now rewrite (L u), (L v).
Qed.

(** ** What a packing promises is reached *)
Lemma packing_of_trees_reached T l : packed_trees p nodes arcs r l -> Definitions.bipartite p arcs -> 0 < T -> sum fst l == T ->
  exists C, reduces p nodes arcs (reduce_to r) T C.
Proof.
  intros (F & Fit) Bi PT ET. destruct (proj1 Net) as (u & v & Two).
  set (l' := map (fun xJ => (fst xJ, Pair r (snd xJ) [])) l : list (Q * pair)).
  assert (In_l : forall x t, In (x, t) l' -> exists J, t = Pair r J [] /\ In (x, J) l).
  { intros x t H. apply in_map_iff in H. destruct H as ((y & J) & E & H). injection E as <- <-. eauto. }
  apply (packing_reached p nodes [r] arcs Ends u v Two l'); auto.
  - intros x t H. destruct (In_l x t H) as (J & -> & HJ). destruct (F x J HJ) as (_ & I & Tr).
    split; [exact Root|]. split; [exact I|]. split; [easy|]. split; [exact Tr|]. intros w [<-|[]]. constructor.
  - intros x t H. destruct (In_l x t H) as (J & -> & HJ). now apply (F x J).
  - intros w. eapply Qle_trans; [|apply (Fit w)]. apply Qle_lteq. right. unfold l'. rewrite sum_map. apply sum_eq.
    intros [x J] _. unfold load. cbn [fst snd inwards outwards]. rewrite app_nil_r. reflexivity.
  - rewrite <- ET. unfold l'. rewrite sum_map. apply sum_eq. intros; reflexivity.
Qed.

(** ** The throughput *)
Hypothesis Bipartite : Definitions.bipartite p arcs.

(** There is a throughput, the weight of a best packing of trees, with prices and cuts that prove it. *)
Theorem reduce_throughput_exists : gathers arc_call nodes r arcs ->
  exists T, 0 < T /\ reduce_throughput p nodes arcs r T /\ best_trees_weigh p nodes arcs r T /\ out_cuts_prove p nodes arcs r T.
Proof.
  intros Ga. destruct (gathers_tree arc_call nodes r arcs Ga) as (J0 & I0 & T0).
  destruct (best_packed p arcs Costs all_trees (tree_into nodes arcs r) (fun J => J) all_trees_spec tree_parts J0 (conj I0 T0))
    as (l & y & Pl & PT & Most & Ny & E & Pay).
  destruct (in_tree_and_cuts nodes arcs (toll p y) r) as (J & outs & IJ & TJ & PJ & EJ); auto.
  { intros a Ha. destruct (Ends a Ha) as (? & ? & _). auto. }
  { intros a Ha. apply toll_nonneg; auto. }
  assert (W : worth_at arc_call nodes arcs (toll p y) r 1).
  { exists outs. split; auto. rewrite EJ. apply Pay. now split. }
  exists (sum fst l). split; [exact PT|]. split; [split|split; [split|]].
  - assert (Et : total y / 1 == sum fst l) by (rewrite E; field). apply (never_more_eq _ _ _ _ _ _ Et).
    apply reduce_bound; auto. lra.
  - apply (packing_of_trees_reached _ l); auto. reflexivity.
  - exists l. split; [exact Pl|reflexivity].
  - exact Most.
  - exists y. auto.
Qed.

(** The throughput is T if and only if a best packing of trees weighs T. *)
Theorem reduce_throughput_is_packing T : gathers arc_call nodes r arcs ->
  reduce_throughput p nodes arcs r T <-> best_trees_weigh p nodes arcs r T.
Proof.
  intros Ga. destruct (reduce_throughput_exists Ga) as (T0 & P0 & (N & C & R) & ((l & Pl & El) & Most) & _). split.
  - intros (N' & C' & R'). pose proof (reduction_once _ _ _ _ _ _ _ _ N R N' R') as E. split.
    + exists l. split; auto. lra.
    + intros l' Pl'. specialize (Most l' Pl'). lra.
  - intros ((l' & Pl' & El') & Most'). assert (E : T0 == T).
    { apply Qle_antisym; [rewrite <- El|rewrite <- El']; auto. }
    split; [exact (never_more_eq _ _ _ _ _ _ E N)|]. apply (packing_of_trees_reached T l'); auto. lra.
Qed.

(** Prices and cuts prove every throughput: the bound misses nothing. *)
Corollary reduce_throughput_is_priced T : gathers arc_call nodes r arcs -> reduce_throughput p nodes arcs r T ->
  out_cuts_prove p nodes arcs r T.
Proof.
  intros Ga (N & C & R). destruct (reduce_throughput_exists Ga) as (T0 & _ & (N0 & C0 & R0) & _ & y & Ny & E & W). exists y.
  split; auto. split; auto. rewrite E. eapply reduction_once; eauto.
Qed.
End Reduce.

(** ** Examples *)
(** Nodes 1 and 2 tell node 0 and each other, all in time 1: two reduces to 0 per time unit, along two paths. *)
Definition three : list arc := [Arc 1 0 1; Arc 2 0 1; Arc 1 2 1; Arc 2 1 1].
Definition two_paths : list (Q * list arc) := [(1, [Arc 1 0 1; Arc 2 1 1]); (1, [Arc 2 0 1; Arc 1 2 1])].
Lemma three_network : network [0; 1; 2]%Z three.
Proof.
  split; [exists 0%Z, 1%Z; cbn; intuition discriminate|]. intros a H.
  repeat destruct H as [<-|H]; [..|easy]; cbn; (split; [tauto|split; [tauto|lra]]).
Qed.
Ltac reach := cbn; eauto 12 using here, along, in_eq, in_cons.
Lemma three_gathers : gathers arc_call [0; 1; 2]%Z 0%Z three.
Proof. intros v Hv. repeat destruct Hv as [<-|Hv]; [..|easy]; reach. Qed.
Lemma three_into J : tree_into [0; 1; 2]%Z three 0 J -> 1 <= busy Links (Link 1 0) J + busy Links (Link 2 0) J.
Proof.
  intros (I & Ga & _). assert (H1 : In 1%Z [0; 1; 2]%Z) by (cbn; auto). specialize (Ga 1%Z H1).
  inversion Ga as [|x y _ H E]. apply in_map_iff in H. destruct H as (a & Ea & Ha). injection Ea as _ Ea.
  assert (Pos : forall a, In a three -> 0 < cost a) by (intros b Hb; apply three_network; auto).
  pose proof (busy_nonneg Links three Pos (Link 1 0) J I). pose proof (busy_nonneg Links three Pos (Link 2 0) J I).
  pose proof (I a Ha) as H3. repeat destruct H3 as [<-|H3]; try easy.
  - pose proof (busy_used Links three Pos (Link 1 0) J _ I Ha ltac:(left; reflexivity)) as L. cbn in L. lra.
  - pose proof (busy_used Links three Pos (Link 2 0) J _ I Ha ltac:(left; reflexivity)) as L. cbn in L. lra.
Qed.
Example reduce_of_three : reduce_throughput Links [0; 1; 2]%Z three 0 2.
Proof.
  apply reduce_throughput_is_packing; [exact three_network|cbn; auto|discriminate|exact three_gathers|]. split.
  - exists two_paths. split; [split|reflexivity].
    + intros x J H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <-; (split; [lra|split; [intros a; cbn; tauto|]]);
        (split; [intros v Hv; repeat destruct Hv as [<-|Hv]; [..|easy]; reach|
          split; [repeat constructor; cbn; intuition discriminate|cbn; intuition discriminate]]).
    + intros v. unfold two_paths, busy, works, uses_it. cbn [sum fst snd transfer uses arc_uses tail head existsb cost].
      assert (D : forall u w, Names.resource_eqb v (Link u w) = true -> v = Link u w) by (intros; now apply Names.resource_eqb_eq).
      destruct (Names.resource_eqb v (Link 1 0)) eqn:E1; [apply D in E1; subst v; vm_compute; discriminate|].
      destruct (Names.resource_eqb v (Link 2 0)) eqn:E2; [apply D in E2; subst v; vm_compute; discriminate|].
      destruct (Names.resource_eqb v (Link 1 2)) eqn:E3; [apply D in E3; subst v; vm_compute; discriminate|].
      destruct (Names.resource_eqb v (Link 2 1)) eqn:E4; [apply D in E4; subst v; vm_compute; discriminate|].
      vm_compute; discriminate.
  - intros l (F & Fit). apply Qle_trans with (sum (fun xJ => fst xJ * busy Links (Link 1 0) (snd xJ)) l + sum (fun xJ => fst xJ * busy Links (Link 2 0) (snd xJ)) l).
    + rewrite <- sum_plus. apply sum_le. intros [x J] H. destruct (F x J H) as (Hx & TJ). cbn [fst snd].
      pose proof (three_into J TJ). nra.
    + pose proof (Fit (Link 1 0)). pose proof (Fit (Link 2 0)). lra.
Qed.
(** So prices that add up to 2 and cuts prove it. *)
Example three_priced : out_cuts_prove Links [0; 1; 2]%Z three 0 2.
Proof.
  apply reduce_throughput_is_priced; [exact three_network|cbn; auto|discriminate|exact three_gathers|exact reduce_of_three].
Qed.
(** Wrong: that a single tree is enough. One tree alone weighs at most 1. *)
Example one_tree_is_not_enough x J : packed_trees Links [0; 1; 2]%Z three 0 [(x, J)] -> x <= 1.
Proof.
  intros (F & Fit). destruct (F x J) as (Hx & I & TJ); [left; reflexivity|].
  destruct (tree_parts _ _ 0%Z three_network J (conj I TJ)) as (_ & N). destruct J as [|a J]; [easy|].
  assert (Pos : forall a, In a three -> 0 < cost a) by (intros b Hb; apply three_network; auto).
  specialize (Fit (Link (tail a) (head a))). cbn [sum fst snd] in Fit.
  pose proof (busy_used Links three Pos (Link (tail a) (head a)) (a :: J) a I ltac:(left; reflexivity) ltac:(left; reflexivity)) as L.
  assert (C : cost a == 1).
  { pose proof (I a ltac:(left; reflexivity)) as H. repeat destruct H as [<-|H]; [..|easy]; reflexivity. }
  rewrite C in L. nra.
Qed.
(** Wrong: that trees out of r pack as much. No tree leads from 0 to the others. *)
Example no_tree_out O : incl O three -> ~ out_tree arc_call [0; 1; 2]%Z 0%Z O.
Proof.
  intros I (Sp & _). assert (H1 : In 1%Z [0; 1; 2]%Z) by (cbn; auto). specialize (Sp 1%Z H1).
  assert (Stay : forall v, leads (map arc_call O) 0%Z v -> v = 0%Z).
  { induction 1 as [|v w _ IH Hc]; [reflexivity|]. subst v. apply in_map_iff in Hc. destruct Hc as (a & E & Ha).
    apply I in Ha. injection E as E1 _. repeat destruct Ha as [<-|Ha]; [..|easy]; discriminate. }
  apply Stay in Sp. discriminate.
Qed.
