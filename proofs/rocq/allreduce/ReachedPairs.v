(** Schedules reach the best packing of pairs of trees: order-free all-reduce has a throughput, the value of that packing,
    with prices and cuts that prove it, in one-port and link platforms and in half-duplex ones whose graph is bipartite. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.existence Require Definitions Finite Structures Reached Broadcast.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known AllReduce Promises BestPairs OneSum.
From Exactsched.allreduce Require Forwarding Examples.
Import ListNotations.
Open Scope Q_scope.

Lemma pair_serves nodes arcs t : pair_of nodes arcs t -> serves nodes nodes arcs t.
Proof. intros (R & IJ & IO & Ti & Sp & _). repeat (split; auto). Qed.
Corollary packing_of_pairs_reached p nodes arcs : network nodes arcs -> forall l T, packed_pairs p nodes arcs l ->
  Definitions.bipartite p arcs -> 0 < T -> sum fst l == T -> exists C, reduces p nodes arcs (all_reduce nodes) T C.
Proof.
  intros ((u & v & Two) & Ends) l T (F & Fit). apply (packing_reached p nodes nodes arcs Ends u v Two l); auto.
  - intros x t H. now apply pair_serves, (F x t).
  - intros x t H. now apply (F x t).
Qed.

(** ** The throughput of order-free all-reduce *)
Definition strongly_connected (nodes : list node) (arcs : list arc) : Prop := forall v w, In v nodes -> In w nodes -> leads (map arc_call arcs) v w.
(** No schemes and no schedules are faster than T, and some reach it but for a constant. *)
Definition all_reduce_throughput (p : ports) (nodes : list node) (arcs : list arc) (T : Q) : Prop :=
  reduces_never_more p nodes arcs (all_reduce nodes) T /\ exists C, reduces p nodes arcs (all_reduce nodes) T C.
(** T is the largest weight of a packing of pairs of trees, one into a root and one out of it. *)
Definition best_pairs_weigh (p : ports) (nodes : list node) (arcs : list arc) (T : Q) : Prop :=
  (exists l, packed_pairs p nodes arcs l /\ sum fst l == T) /\ forall l, packed_pairs p nodes arcs l -> sum fst l <= T.
(** Prices of the resources that add up to T; for every root cuts that in-trees leave and cuts that out-trees enter,
    together worth 1, for which the arcs can pay. *)
Definition cuts_prove (p : ports) (nodes : list node) (arcs : list arc) (T : Q) : Prop :=
  exists y, nonneg y /\ total y == T /\ worth_everywhere arc_call nodes arcs (toll p y) 1.

(** What is known at a time is known at an equal one. *)
Lemma knows_eq blocks calls s m b w t t' v : t == t' -> knows blocks calls s m b w t v -> knows blocks calls s m b w t' v.
Proof.
  intros E Kn. destruct Kn as [t|t i c Hc Ab W H]; [constructor|]. apply told with i; auto. eapply Qle_trans; [exact W|].
  apply Qle_lteq. right. unfold work. apply sum_eq. intros q _. unfold before. now rewrite E.
Qed.
Section Throughput.
Variables (p : ports) (nodes : list node) (arcs : list arc).
Hypothesis Net : network nodes arcs.
Let Ends := proj2 Net.

Lemma some_pair : strongly_connected nodes arcs -> exists t, pair_of nodes arcs t.
Proof.
  intros Con. destruct (proj1 Net) as (u & _ & Hu & _).
  destruct (gathers_tree arc_call nodes u arcs) as (J & IJ & TJ); [intros v Hv; now apply Con|].
  destruct (spreads_tree arc_call nodes u arcs) as (O & IO & TO); [intros v Hv; now apply Con|].
  exists (Pair u J O). split; [exact Hu|]. split; [exact IJ|]. split; [exact IO|]. now split.
Qed.
Lemma pair_connects t : pair_of nodes arcs t -> strongly_connected nodes arcs.
Proof.
  intros (_ & IJ & IO & (Ga & _) & (Sp & _)) v w Hv Hw. apply leads_trans with (root t).
  - apply leads_incl with (map arc_call (inwards t)); [now apply incl_map|auto].
  - apply leads_incl with (map arc_call (outwards t)); [now apply incl_map|auto].
Qed.
Lemma some_weight t : pair_of nodes arcs t -> exists l, packed_pairs p nodes arcs l /\ 0 < sum fst l.
Proof.
  destruct (proj1 Net) as (u & v & Hu & Hv & N).
  apply (packed_some p arcs (fun a Ha => proj2 (proj2 (Ends a Ha))) (pair_of nodes arcs) (fun t => inwards t ++ outwards t)).
  now apply (pair_parts nodes arcs u v).
Qed.
Lemma throughput_once T T' : all_reduce_throughput p nodes arcs T -> all_reduce_throughput p nodes arcs T' -> T == T'.
Proof. intros (N & C & R) (N' & C' & R'). apply Qle_antisym; eapply reduces_at_most; eauto. Qed.
Lemma throughput_eq T T' : T == T' -> all_reduce_throughput p nodes arcs T -> all_reduce_throughput p nodes arcs T'.
Proof.
  intros E (N & C & PT & R). split; [exact (never_more_eq _ _ _ _ _ _ E N)|]. exists C. split; [lra|]. intros M.
  destruct (R M) as (calls & s & Al & V & Co). exists calls, s. split; auto. split; auto. intros m b B v w Hm HB Hv Hw.
  specialize (Co m b B v w Hm HB Hv Hw). revert Co. apply knows_eq. now rewrite E.
Qed.
Lemma reduces_connected T C : reduces p nodes arcs (all_reduce nodes) T C -> strongly_connected nodes arcs.
Proof.
  intros (PT & R). set (M := S (Z.to_nat (Qround.Qceiling (- C * T)))).
  assert (B : - C * T <= count M).
  { eapply Qle_trans; [apply Qround.Qle_ceiling|]. unfold count, M. rewrite <- Zle_Qle. lia. }
  assert (K : 0 <= count M / T + C).
  { assert (- C <= count M / T); [|lra]. apply Qle_shift_div_l; auto. }
  destruct (R M) as (calls & s & Al & V & Co).
  destruct (all_reduce_pairs p nodes arcs calls s M (count M / T + C)) as (pairs & L & P & _); auto.
  - destruct (proj1 Net) as (u & _ & Hu & _). intros ->. easy.
  - destruct pairs as [|t pairs]; [discriminate|]. apply (pair_connects t), P. now left.
Qed.

Hypothesis Bipartite : Definitions.bipartite p arcs.

(** There is a throughput, the weight of a best packing of pairs, with prices and cuts that prove it. *)
Theorem all_reduce_throughput_exists : strongly_connected nodes arcs ->
  exists T, 0 < T /\ all_reduce_throughput p nodes arcs T /\ best_pairs_weigh p nodes arcs T /\ cuts_prove p nodes arcs T.
Proof.
  intros Con. destruct (some_pair Con) as (t0 & P0). destruct (proj1 Net) as (u & v & Hu & Hv & N).
  destruct (all_reduce_both_sides p nodes arcs u v t0 Ends Hu Hv N P0) as (l & y & Pl & Most & Ny & E & W).
  destruct (some_weight t0 P0) as (l0 & Pl0 & W0). pose proof (Most l0 Pl0) as L0.
  exists (sum fst l). split; [lra|]. split; [split|split; [split|]].
  - assert (Et : total y / 1 == sum fst l) by (rewrite E; field). apply (never_more_eq _ _ _ _ _ _ Et).
    apply all_reduce_bound; auto; [intros a Ha; apply Ends, Ha|lra].
  - apply (packing_of_pairs_reached p nodes arcs Net l); auto; [lra|reflexivity].
  - exists l. now split.
  - exact Most.
  - exists y. auto.
Qed.

(** The throughput is T if and only if a best packing of pairs weighs T. *)
Theorem all_reduce_throughput_is_packing T : strongly_connected nodes arcs ->
  all_reduce_throughput p nodes arcs T <-> best_pairs_weigh p nodes arcs T.
Proof.
  intros Con. destruct (all_reduce_throughput_exists Con) as (T0 & P0 & Th & ((l & Pl & El) & Most) & _). split.
  - intros Th'. pose proof (throughput_once _ _ Th Th') as E. split.
    + exists l. split; auto. lra.
    + intros l' Pl'. specialize (Most l' Pl'). lra.
  - intros ((l' & Pl' & El') & Most'). assert (E : T0 == T).
    { apply Qle_antisym; [rewrite <- El|rewrite <- El']; auto. }
    split; [apply (never_more_eq _ _ _ _ _ _ E), Th|].
    apply (packing_of_pairs_reached p nodes arcs Net l'); auto. lra.
Qed.

(** Prices and cuts prove every throughput: the bound misses nothing. *)
Corollary all_reduce_throughput_is_priced T : strongly_connected nodes arcs -> all_reduce_throughput p nodes arcs T ->
  cuts_prove p nodes arcs T.
Proof.
  intros Con Th. destruct (all_reduce_throughput_exists Con) as (T0 & _ & Th0 & _ & y & Ny & E & W). exists y.
  split; auto. split; auto. rewrite E. now apply throughput_once.
Qed.
End Throughput.

(** ** Examples *)
Lemma leads_first l u v : leads l u v -> u = v \/ exists w, In (u, w) l.
Proof. induction 1 as [|v w _ IH I]; auto. destruct IH as [->|H]; eauto. Qed.
(** A pair has a call out of every node but the root, and a call into it. *)
Lemma pair_size nodes arcs t : NoDup nodes -> pair_of nodes arcs t ->
  (2 * length nodes <= 2 + length (inwards t ++ outwards t))%nat.
Proof.
  intros N (_ & _ & _ & (Ga & _) & (Sp & _)). rewrite app_length.
  assert (I : incl nodes (root t :: map tail (inwards t))).
  { intros v Hv. destruct (leads_first _ _ _ (Ga v Hv)) as [->|(w & H)]; [now left|right].
    apply in_map_iff in H. destruct H as (a & E & Ha). injection E as <- _. now apply in_map. }
  assert (O : incl nodes (root t :: map head (outwards t))).
  { intros v Hv. specialize (Sp v Hv). inversion Sp as [E|x y _ H E]; [now left|right].
    apply in_map_iff in H. destruct H as (a & E' & Ha). injection E' as _ <-. now apply in_map. }
  apply NoDup_incl_length in I, O; auto. cbn in I, O. rewrite map_length in I, O. lia.
Qed.
Ltac reach := cbn; eauto 12 using here, along, in_eq, in_cons.
Ltac at_resource r x := let E := fresh in
  destruct (Names.resource_eqb r x) eqn:E; [apply Names.resource_eqb_eq in E; subst r; vm_compute; discriminate|].
Ltac is_pair := split; [cbn; tauto|split; [intros ? ?; cbn in *; tauto|split; [intros ? ?; cbn in *; tauto|
  split; (split; [intros ? H; cbn in H; repeat destruct H as [<-|H]; [..|easy]; reach|
    split; [repeat constructor; cbn; intuition discriminate|cbn; intuition discriminate]])]]].

(** A one-way ring of three: 3/4 all-reduces per time unit, a quarter at every root. *)
Definition ring : list arc := [Arc 0 1 1; Arc 1 2 1; Arc 2 0 1].
Definition ring_pairs : list (Q * pair) :=
  [(1 # 4, Pair 0 [Arc 1 2 1; Arc 2 0 1] [Arc 0 1 1; Arc 1 2 1]); (1 # 4, Pair 1 [Arc 2 0 1; Arc 0 1 1] [Arc 1 2 1; Arc 2 0 1]);
   (1 # 4, Pair 2 [Arc 0 1 1; Arc 1 2 1] [Arc 2 0 1; Arc 0 1 1])].
Lemma ring_network : network [0; 1; 2]%Z ring.
Proof.
  split; [exists 0%Z, 1%Z; cbn; intuition discriminate|]. intros a H.
  repeat destruct H as [<-|H]; [..|easy]; cbn; (split; [tauto|split; [tauto|lra]]).
Qed.
Lemma ring_connected : strongly_connected [0; 1; 2]%Z ring.
Proof.
  intros v w Hv Hw. repeat destruct Hv as [<-|Hv]; [..|easy]; (repeat destruct Hw as [<-|Hw]; [..|easy]); reach.
Qed.
Definition ring_links : list resource := [Link 0 1; Link 1 2; Link 2 0].
Lemma ring_load t : pair_of [0; 1; 2]%Z ring t -> 4 <= sum (fun r => load Links r t) ring_links.
Proof.
  intros Pt. assert (Size : (4 <= length (inwards t ++ outwards t))%nat).
  { assert (N : NoDup [0; 1; 2]%Z) by (repeat constructor; cbn; intuition discriminate).
    pose proof (pair_size _ _ t N Pt) as H. cbn [length] in H. lia. }
  unfold load. rewrite sum_swap. apply Qle_trans with (sum (fun _ => 1) (inwards t ++ outwards t)).
  - rewrite Finite.sum_one. unfold count. change 4 with (inject_Z 4). rewrite <- Zle_Qle. lia.
  - apply sum_le. intros a Ha. apply (pair_arcs _ _ t a Pt) in Ha. repeat destruct Ha as [<-|Ha]; [..|easy]; vm_compute; discriminate.
Qed.
Lemma ring_at_most l : packed_pairs Links [0; 1; 2]%Z ring l -> sum fst l <= 3 # 4.
Proof.
  intros (F & Fit). assert (4 * sum fst l <= 3); [|lra].
  apply Qle_trans with (sum (fun r => sum (fun xt => fst xt * load Links r (snd xt)) l) ring_links).
  - rewrite sum_swap, <- sum_scale. apply sum_le. intros [x t] H. destruct (F x t H) as (Hx & Pt). cbn [fst snd].
    rewrite sum_scale. pose proof (ring_load t Pt). nra.
  - cbn [ring_links sum]. pose proof (Fit (Link 0 1)). pose proof (Fit (Link 1 2)). pose proof (Fit (Link 2 0)). lra.
Qed.
Example ring_of_three : all_reduce_throughput Links [0; 1; 2]%Z ring (3 # 4).
Proof.
  apply all_reduce_throughput_is_packing; [exact ring_network|discriminate|exact ring_connected|]. split; [|exact ring_at_most].
  exists ring_pairs. split; [split|reflexivity].
  - intros x t H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <-; (split; [lra|is_pair]).
  - intros r. unfold load, uses_it, ring_pairs. cbn [sum fst snd inwards outwards app transfer uses arc_uses tail head existsb cost].
    at_resource r (Link 0 1). at_resource r (Link 1 2). at_resource r (Link 2 0). vm_compute; discriminate.
Qed.
(** Wrong: that one root is enough. Whatever pairs are packed at a single root of the ring weigh at most 1/2. *)
Example one_root_is_not_enough l : packed_pairs Links [0; 1; 2]%Z ring l -> (forall x t, In (x, t) l -> root t = 0%Z) ->
  sum fst l <= 1 # 2.
Proof.
  intros (F & Fit) At. assert (2 * sum fst l <= 1); [|lra]. eapply Qle_trans; [|apply (Fit (Link 1 2))].
  rewrite <- sum_scale. apply sum_le. intros [x t] H. destruct (F x t H) as (Hx & _ & IJ & IO & (Ga & _) & (Sp & _)).
  specialize (At x t H). cbn [fst snd]. assert (2 <= load Links (Link 1 2) t); [|nra].
  set (f := fun a => if uses_it (Link 1 2) (transfer Links (Message 0) 1 a) then cost a else 0).
  assert (Nonneg : forall A, incl A ring -> forall a, In a A -> 0 <= f a).
  { intros A I a Ha. apply I in Ha. repeat destruct Ha as [<-|Ha]; [..|easy]; vm_compute; discriminate. }
  assert (In (Arc 1 2 1) (inwards t)).
  { assert (H1 : In 1%Z [0; 1; 2]%Z) by (cbn; auto). destruct (leads_first _ _ _ (Ga 1%Z H1)) as [E|(w & I)]; [rewrite At in E; discriminate|].
    apply in_map_iff in I. destruct I as (a & E & Ha). pose proof (IJ a Ha) as Hr.
    repeat destruct Hr as [<-|Hr]; [..|easy]; try discriminate E. exact Ha. }
  assert (In (Arc 1 2 1) (outwards t)).
  { assert (H2 : In 2%Z [0; 1; 2]%Z) by (cbn; auto). specialize (Sp 2%Z H2). rewrite At in Sp. inversion Sp as [|y z _ I E]; subst.
    apply in_map_iff in I. destruct I as (a & E & Ha). pose proof (IO a Ha) as Hr.
    repeat destruct Hr as [<-|Hr]; [..|easy]; try discriminate E. exact Ha. }
  unfold load. rewrite sum_app. pose proof (sum_member f (inwards t) (Arc 1 2 1) (Nonneg _ IJ) ltac:(assumption)) as L1.
  pose proof (sum_member f (outwards t) (Arc 1 2 1) (Nonneg _ IO) ltac:(assumption)) as L2.
  unfold f in L1 at 1, L2 at 1. cbn in L1, L2. unfold f in L1, L2. lra.
Qed.

(** Wrong: that loads are enough for half-duplex networks of any shape. In a triangle three pairs weigh 3/8 and keep no port
    busy for longer than it is there; but only one call is made at a time, and 1/4 is never passed. *)
Definition star_pair (r u v : node) : pair := Pair r [Arc u r 1; Arc v r 1] [Arc r u 1; Arc r v 1].
Definition star_pairs : list (Q * pair) := [(1 # 8, star_pair 0 1 2); (1 # 8, star_pair 1 0 2); (1 # 8, star_pair 2 0 1)].
Example loads_of_pairs_are_not_enough : packed_pairs HalfDuplex [0; 1; 2]%Z Examples.triangle star_pairs /\ sum fst star_pairs == 3 # 8 /\
  forall C, ~ reduces HalfDuplex [0; 1; 2]%Z Examples.triangle (all_reduce [0; 1; 2]%Z) (3 # 8) C.
Proof.
  split; [split|split; [reflexivity|]].
  - intros x t H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <-; (split; [lra|is_pair]).
  - intros r. unfold load, uses_it, star_pairs, star_pair. cbn [sum fst snd inwards outwards app transfer uses arc_uses tail head existsb cost].
    at_resource r (Port 0). at_resource r (Port 1). at_resource r (Port 2). vm_compute; discriminate.
  - intros C R. pose proof (reduces_at_most _ _ _ _ _ _ _ (proj1 Examples.triangle_half_duplex) R). lra.
Qed.
