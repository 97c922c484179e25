(** The universal tree is optimal (theorems 2.1 and 2.2 of Karp, Sahay, Santos and Schauser 1993): for every machine and
    every number of processors the least time of a broadcast is the P-th smallest label. *)
From Coq Require Import ZArith QArith Qminmax Qround List Lia Lqa Bool Permutation.
From Exactsched.rounds Require Import Counting.
From Exactsched.logp Require Import Definitions Checker Soundness Bounds.
Import ListNotations.
Open Scope Z_scope.

(** ** What is claimed *)

(** A node of the tree is the way to it from the root: numbers of children from 0, the last one first. The child number
    i of a node that knows the item at some time knows it i gaps and a delay later. *)
Fixpoint label (m : machine) (x : list nat) : Q :=
  match x with
  | [] => 0
  | i :: x => label m x + delay m + inject_Z (Z.of_nat i) * Qmax (gap m) (overhead m)
  end.
(** Different nodes, with labels of at most t. *)
Definition reached (m : machine) (t : Q) (l : list (list nat)) : Prop :=
  NoDup l /\ forall x, In x l -> (label m x <= t)%Q.
(** B is the P-th smallest label: P nodes have labels of at most B, and fewer have smaller ones. *)
Definition broadcast_time (m : machine) (P : nat) (B : Q) : Prop :=
  (exists l, reached m B l /\ length l = P) /\ forall t l, (t < B)%Q -> reached m t l -> (length l < P)%nat.
(** Positive latency and gap, and processors that can be told apart. *)
Definition proper (m : machine) : Prop :=
  (0 < latency m)%Q /\ (0 <= overhead m)%Q /\ (0 < gap m)%Q /\ NoDup (processors m).

(** ** The tree in whole units *)
Section Units.
Variables (D G : Z).
Hypothesis HD : 0 < D.
Hypothesis HG : 0 < G.

Fixpoint units (x : list nat) : Z := match x with [] => 0 | i :: x => units x + D + Z.of_nat i * G end.
Lemma units_nonneg x : 0 <= units x.
Proof. induction x as [|i x IH]; cbn [units]; nia. Qed.

Definition children (s : Z) (x : list nat) : list (list nat) :=
  map (fun i => i :: x) (seq 0 (Z.to_nat ((s - units x) / G + 1))).
Fixpoint upto (n : nat) (t : Z) : list (list nat) :=
  match n with
  | O => []
  | S n => if t <? 0 then [] else [] :: flat_map (children (t - D)) (upto n (t - D))
  end.
Lemma upto_spec n : forall t, t < Z.of_nat n -> forall x, In x (upto n t) <-> units x <= t.
Proof.
  induction n as [|n IH]; intros t Ht x; cbn [upto].
  - split; [easy|]. pose proof (units_nonneg x). lia.
  - destruct (Z.ltb_spec t 0) as [L|L]; [split; [easy|]; pose proof (units_nonneg x); lia|].
    assert (IHn := IH (t - D) ltac:(lia)). clear IH. cbn [In]. rewrite in_flat_map. split.
    + intros [<-|[y [Hy Hx]]]; [exact L|]. apply IHn in Hy. unfold children in Hx. apply in_map_iff in Hx.
      destruct Hx as [i [<- Hi]]. apply in_seq in Hi. cbn [units].
      pose proof (Z.div_pos (t - D - units y) G ltac:(lia) HG). pose proof (Z.mul_div_le (t - D - units y) G HG). nia.
    + destruct x as [|i x]; [now left|]. cbn [units]. intros Hx. right. exists x. split; [apply IHn; nia|].
      unfold children. apply in_map_iff. exists i. split; [reflexivity|]. apply in_seq.
      pose proof (Z.div_le_lower_bound (t - D - units x) G (Z.of_nat i) HG ltac:(lia)). lia.
Qed.
Lemma children_once s x : NoDup (children s x).
Proof. apply FinFun.Injective_map_NoDup; [intros i j E; now injection E|apply seq_NoDup]. Qed.
Lemma upto_once n : forall t, NoDup (upto n t).
Proof.
  induction n as [|n IH]; intros t; cbn [upto]; [constructor|]. destruct (t <? 0); [constructor|]. constructor.
  - rewrite in_flat_map. intros [y [_ H]]. apply in_map_iff in H. now destruct H as [i [E _]].
  - specialize (IH (t - D)). induction IH as [|y l Hy N IH]; cbn [flat_map]; [constructor|].
    assert (Ne : forall z, In z (children (t - D) y) -> ~ In z (flat_map (children (t - D)) l)).
    { intros z H F. apply in_map_iff in H. destruct H as [i [<- _]]. apply in_flat_map in F.
      destruct F as [w [Hw F]]. apply in_map_iff in F. destruct F as [j [E _]]. injection E as _ <-. contradiction. }
    revert Ne. generalize (children_once (t - D) y). intros C Ne. induction C as [|z k Hz C IHC]; cbn [app]; [exact IH|].
    constructor.
    + rewrite in_app_iff. intros [H|H]; [contradiction|]. apply (Ne z); [now left|exact H].
    + apply IHC. intros w Hw. apply Ne. now right.
Qed.

(** The nodes with labels of at most t, and what they have sent by then. *)
Definition nodes (t : Z) : list (list nat) := upto (Z.to_nat (t + 1)) t.
Definition size (t : Z) : Z := Z.of_nat (length (nodes t)).
Definition sends (s : Z) : Z := total (fun x => (s - units x) / G + 1) (nodes s).

Lemma nodes_spec t x : In x (nodes t) <-> units x <= t.
Proof.
  destruct (Z_lt_le_dec t 0) as [L|L].
  - unfold nodes. replace (Z.to_nat (t + 1)) with O by lia. cbn. pose proof (units_nonneg x). split; [easy|lia].
  - apply upto_spec. lia.
Qed.
Lemma size_before t : t < 0 -> size t = 0.
Proof. intros L. unfold size, nodes. now replace (Z.to_nat (t + 1)) with O by lia. Qed.
Lemma size_most t l : NoDup l -> (forall x, In x l -> units x <= t) -> Z.of_nat (length l) <= size t.
Proof. intros N H. apply inj_le, NoDup_incl_length; [exact N|]. intros x Hx. apply nodes_spec. now apply H. Qed.

Lemma same_nodes n t : t < Z.of_nat n -> Permutation (upto n t) (nodes t).
Proof.
  intros Hn. apply NoDup_Permutation; [apply upto_once..|]. intros x. rewrite nodes_spec. now apply upto_spec.
Qed.
Lemma size_sends t : 0 <= t -> size t = 1 + sends (t - D).
Proof.
  intros Ht. unfold size, nodes. destruct (Z.to_nat (t + 1)) as [|n] eqn:E; [lia|]. cbn [upto].
  destruct (Z.ltb_spec t 0); [lia|]. cbn [length].
  enough (E' : Z.of_nat (length (flat_map (children (t - D)) (upto n (t - D)))) = sends (t - D)) by lia.
  unfold sends. rewrite <- (total_perm _ _ _ (same_nodes n (t - D) ltac:(lia))).
  assert (In_ : forall x, In x (upto n (t - D)) -> units x <= t - D) by (intros x; apply upto_spec; lia).
  induction (upto n (t - D)) as [|x l IH]; [reflexivity|]. cbn [flat_map total].
  rewrite app_length, Nat2Z.inj_add, IH by (intros; apply In_; now right).
  unfold children. rewrite map_length, seq_length.
  pose proof (Z.div_pos (t - D - units x) G ltac:(specialize (In_ x (or_introl eq_refl)); lia) HG). lia.
Qed.
Lemma sends_nonneg_ s : 0 <= sends s.
Proof.
  apply total_nonneg. intros x Hx. apply nodes_spec in Hx. pose proof (Z.div_pos (s - units x) G ltac:(lia) HG). lia.
Qed.
Lemma sends_next s : sends s = sends (s - G) + size s.
Proof.
  unfold sends at 1, size. rewrite (total_eq _ (fun x => ((s - G - units x) / G + 1) + 1)).
  - rewrite total_plus, total_ones. f_equal. unfold sends.
    assert (P : Permutation (nodes (s - G)) (filter (fun x => units x <=? s - G) (nodes s))).
    { apply NoDup_Permutation; [apply upto_once|apply NoDup_filter, upto_once|]. intros x.
      rewrite filter_In, !nodes_spec, Z.leb_le. lia. }
    rewrite (total_perm _ _ _ P), total_filter. apply total_eq. intros x Hx. apply nodes_spec in Hx.
    destruct (Z.leb_spec (units x) (s - G)); [reflexivity|].
    enough ((s - G - units x) / G = -1) by lia. symmetry. apply (Z.div_unique _ _ _ (s - units x)); lia.
  - intros x _. replace (s - G - units x) with (s - units x + -1 * G) by lia. rewrite Z.div_add by lia. lia.
Qed.

(** P nodes are reached at some time, and there is a first such time. *)
Lemma enough_nodes P : Z.of_nat P <= size (D + Z.of_nat P * G).
Proof.
  assert (L : length (map (fun i => [i]) (seq 0 P)) = P) by now rewrite map_length, seq_length. rewrite <- L at 1.
  apply size_most.
  - apply FinFun.Injective_map_NoDup; [intros i j E; now injection E|apply seq_NoDup].
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as [i [<- Hi]]. apply in_seq in Hi. cbn [units]. nia.
Qed.
Lemma first_time P : (0 < P)%nat -> exists t, 0 <= t /\ Z.of_nat P <= size t /\ forall s, s < t -> size s < Z.of_nat P.
Proof.
  intros HP. pose proof (enough_nodes P) as E.
  assert (H : forall n, (forall s, s < Z.of_nat n -> size s < Z.of_nat P) \/
    exists t, 0 <= t /\ Z.of_nat P <= size t /\ forall s, s < t -> size s < Z.of_nat P).
  { induction n as [|n [IH|IH]]; [left; intros s Hs; rewrite size_before; lia| |now right].
    destruct (Z_lt_le_dec (size (Z.of_nat n)) (Z.of_nat P)) as [L|L].
    - left. intros s Hs. destruct (Z.eq_dec s (Z.of_nat n)) as [->|]; [exact L|apply IH; lia].
    - right. exists (Z.of_nat n). split; [lia|tauto]. }
  destruct (H (Z.to_nat (D + Z.of_nat P * G + 1))) as [F|F]; [|exact F].
  specialize (F (D + Z.of_nat P * G) ltac:(lia)). lia.
Qed.
End Units.

(** ** No schedule is faster *)
Lemma clock_positive c : sane c = true -> 0 < delay_ c /\ 0 < period c.
Proof. intros Sane. destruct (sane_facts c Sane) as [L0 [O0 G0]]. unfold delay_, period. lia. Qed.

Section Every_schedule.
Variables (c : clock) (p : problem) (s : schedule) (source : Z) (items : list Z).
Hypothesis Clock_ : on p = machine_of c (processors (on p)).
Hypothesis Sane : sane c = true.
Hypothesis V : valid p s.
Hypothesis Broadcast : p = broadcast (on p) source items.
Let D := delay_ c.
Let G := period c.
Let others : Z := total (fun q => if q =? source then 0 else 1) (processors (on p)).
Let R : list message := filter (fun x => negb (receiver x =? source)) s.
Let A (y : Z) : Z := count (fun x => tick (unit_ c) (start x) <=? y) R.

Lemma messages_at_most y : A y <= sends D G y.
Proof.
  destruct (clock_positive c Sane) as [HD HG]. fold D G in HD, HG.
  enough (H : forall k y, y < Z.of_nat k -> A y <= sends D G y) by (apply (H (Z.to_nat (y + 1))); lia).
  induction k as [|k IH]; intros z Hz.
  - unfold A, R. rewrite (messages_before c p s V) by lia. now apply sends_nonneg_.
  - destruct (Z_lt_le_dec z 0) as [Neg|Pos].
    { unfold A, R. rewrite (messages_before c p s V) by lia. now apply sends_nonneg_. }
    pose proof (messages_step c p s Clock_ Sane V source items Broadcast z) as M. cbv zeta in M. fold R G D in M.
    fold others in M. change (A z <= A (z - G) + Z.min others (1 + A (z - D))) in M.
    pose proof (IH (z - G) ltac:(lia)). pose proof (IH (z - D) ltac:(lia)).
    rewrite (sends_next D G HD HG), (size_sends D G HD HG) by exact Pos. lia.
Qed.

(** In any time no more messages than receivers, nor than nodes that can have sent them. *)
Lemma messages_grow y : 0 <= y -> A y <= A (y - G) + Z.min others (size D G y).
Proof.
  intros Hy. destruct (clock_positive c Sane) as [HD HG]. fold D G in HD, HG.
  pose proof (messages_step c p s Clock_ Sane V source items Broadcast y) as M. cbv zeta in M.
  change (A y <= A (y - G) + Z.min others (1 + A (y - D))) in M.
  rewrite (size_sends D G HD HG) by exact Hy. pose proof (messages_at_most (y - D)). lia.
Qed.
End Every_schedule.

(** ** Machines with rational times *)

(** The same times, written in another way. *)
Definition same (m m' : machine) : Prop :=
  (latency m == latency m' /\ overhead m == overhead m' /\ gap m == gap m')%Q /\ processors m = processors m'.
Lemma same_received m m' x : same m m' ->
  (sent m x == sent m' x /\ arrives m x == arrives m' x /\ received m x == received m' x)%Q.
Proof.
  intros [[L [O _]] _]. unfold received, delay, arrives, sent. repeat split; lra.
Qed.
Lemma same_has m m' source items s q i t : same m m' ->
  has (broadcast m source items) s q i t -> has (broadcast m' source items) s q i t.
Proof.
  intros E [H|[x [Hx [A [B C]]]]]; [now left|right]. exists x. cbn [on broadcast] in *.
  destruct (same_received m m' x E) as [_ [_ R]]. rewrite <- R. tauto.
Qed.
Lemma same_busy m m' q x i' : same m m' -> In i' (busy m' q x) ->
  exists i, In i (busy m q x) /\ (fst i == fst i' /\ snd i == snd i')%Q.
Proof.
  intros E H. destruct (same_received m m' x E) as [S [A R]]. unfold busy in *. apply in_app_iff in H.
  destruct H as [H|H].
  - destruct (sender x =? q) eqn:Q; [|contradiction]. destruct H as [<-|[]]. exists (start x, sent m x).
    split; [now left|]. cbn. split; [reflexivity|exact S].
  - destruct (receiver x =? q) eqn:Q; [|contradiction]. destruct H as [<-|[]]. exists (arrives m x, received m x).
    split; [apply in_app_iff; right; now left|]. cbn. split; assumption.
Qed.
Lemma same_valid m m' source items s : same m m' ->
  valid (broadcast m source items) s -> valid (broadcast m' source items) s.
Proof.
  intros E [V1 V2]. split.
  - intros x Hx. destruct (V1 x Hx) as [A [B [C [D H]]]]. cbn [on broadcast] in *. destruct E as [E0 E1].
    rewrite <- E1. split; [exact A|]. split; [exact B|]. split; [exact C|]. split; [exact D|].
    now apply (same_has m m').
  - refine (pairs_weaken _ _ _ _ V2). intros x y _ _ [A [B C]]. cbn [on broadcast] in *.
    pose proof (same_received m m' x E) as [Sx [Ax Rx]]. pose proof (same_received m m' y E) as [Sy [Ay Ry]].
    destruct E as [[L [O Ga]] P]. split; [|split].
    + intros Eq. specialize (A Eq). unfold apart in *. destruct A; [left|right]; lra.
    + intros Eq. specialize (B Eq). unfold apart in *. destruct B; [left|right]; lra.
    + intros q i j Hi Hj. destruct (same_busy m m' q x i (conj (conj L (conj O Ga)) P) Hi) as [i' [Hi' [I1 I2]]].
      destruct (same_busy m m' q y j (conj (conj L (conj O Ga)) P) Hj) as [j' [Hj' [J1 J2]]].
      destruct (C q i' j' Hi' Hj'); [left|right]; lra.
Qed.

(** A clock whose unit divides the times of a machine. *)
Lemma machine_clock m : proper m -> exists c, sane c = true /\ same m (machine_of c (processors m)).
Proof.
  intros [L [O [Ga _]]]. destruct (latency m) as [a u] eqn:El, (overhead m) as [b v] eqn:Eo, (gap m) as [e w] eqn:Eg.
  exists (Clock (u * v * w) (a * Zpos (v * w)) (b * Zpos (u * w)) (e * Zpos (u * v))). split.
  - unfold sane. cbn [latency_ overhead_ gap_]. unfold Qlt, Qle in *. cbn [Qnum Qden] in *.
    repeat (apply andb_true_intro; split); [apply Z.ltb_lt|apply Z.leb_le|apply Z.ltb_lt]; nia.
  - unfold same, machine_of. cbn [latency overhead gap processors latency_ overhead_ gap_ unit_].
    rewrite El, Eo, Eg. unfold Qeq. cbn [Qnum Qden]. repeat split; lia.
Qed.

Lemma first_once {A} (l : list A) k : NoDup l -> NoDup (firstn k l).
Proof.
  intros N. revert k. induction N as [|a l Ha N IH]; intros k; destruct k as [|k]; cbn [firstn]; try constructor; [|apply IH].
  intros H. apply Ha. rewrite <- (firstn_skipn k). apply in_app_iff. now left.
Qed.

Section Labels.
Variables (m : machine) (c : clock).
Hypothesis Sane : sane c = true.
Hypothesis Same : same m (machine_of c (processors m)).
Let D := delay_ c.
Let G := period c.

Lemma label_units x : (label m x == units D G x # unit_ c)%Q.
Proof.
  destruct Same as [[L [O Ga]] _]. cbn [latency overhead gap machine_of] in *.
  assert (Eg : (Qmax (gap m) (overhead m) == G # unit_ c)%Q).
  { rewrite Ga, O. unfold G, period. destruct (Q.max_spec (gap_ c # unit_ c) (overhead_ c # unit_ c)) as [[Le ->]|[Le ->]];
      unfold Qlt, Qle in Le; cbn [Qnum Qden] in Le; unfold Qeq; cbn [Qnum Qden]; nia. }
  induction x as [|i x IH]; [reflexivity|]. cbn [label units]. rewrite IH, Eg. unfold delay. rewrite L, O.
  unfold D, delay_, Qeq, Qplus, Qmult, inject_Z. cbn [Qnum Qden]. nia.
Qed.
Lemma reached_size t l : reached m t l -> Z.of_nat (length l) <= size D G (tick (unit_ c) t).
Proof.
  intros [N H]. destruct (clock_positive c Sane) as [HD HG]. apply size_most; [exact HD|exact HG|exact N|].
  intros x Hx. specialize (H x Hx). rewrite label_units in H.
  assert (E : tick (unit_ c) 0 + units D G x <= tick (unit_ c) t) by (apply tick_le; lra). exact E.
Qed.
Lemma size_reached t : (0 <= t)%Q -> reached m t (nodes D G (tick (unit_ c) t)).
Proof.
  intros Ht. split; [apply upto_once; apply (clock_positive c Sane)|]. intros x Hx.
  apply nodes_spec in Hx; try apply (clock_positive c Sane). rewrite label_units. now apply tick_back.
Qed.

(** A time in units at which P nodes are reached, and not before. *)
Lemma time_in_units P : (0 < P)%nat -> exists T, 0 <= T /\ Z.of_nat P <= size D G T /\
  (forall s, s < T -> size D G s < Z.of_nat P) /\ broadcast_time m P (T # unit_ c).
Proof.
  intros HP. destruct (clock_positive c Sane) as [HD HG]. destruct (first_time D G HD HG P HP) as [T [T0 [E F]]].
  exists T. split; [exact T0|]. split; [exact E|]. split; [exact F|].
  assert (ET : tick (unit_ c) (T # unit_ c) = T).
  { unfold tick. rewrite <- (Qfloor_Z T) at 2. apply Qfloor_comp. apply scale_units. }
  split.
  - exists (firstn P (nodes D G T)). split.
    + destruct (size_reached (T # unit_ c)) as [N H]; [unfold Qle; cbn; lia|]. rewrite ET in N, H. split.
      * now apply first_once.
      * intros x Hx. apply H. rewrite <- (firstn_skipn P). apply in_app_iff. now left.
    + apply firstn_length_le. unfold size in E. lia.
  - intros t l L R. pose proof (reached_size t l R) as S.
    assert (tick (unit_ c) t < T).
    { destruct (Z_lt_le_dec (tick (unit_ c) t) T) as [|Le]; [assumption|]. apply tick_back in Le. lra. }
    specialize (F _ H). lia.
Qed.
End Labels.

Lemma broadcast_time_unique m P B B' : broadcast_time m P B -> broadcast_time m P B' -> (B == B')%Q.
Proof.
  intros [[l [R L]] F] [[l' [R' L']] F'].
  destruct (Qlt_le_dec B B') as [X|X]; [specialize (F' B l X R); lia|].
  destruct (Qlt_le_dec B' B) as [Y|Y]; [specialize (F B' l' Y R'); lia|]. now apply Qle_antisym.
Qed.
(** B(P) exists for every machine and every number of processors. *)
Theorem broadcast_time_exists m P : proper m -> (0 < P)%nat -> exists B, (0 <= B)%Q /\ broadcast_time m P B.
Proof.
  intros Pr HP. destruct (machine_clock m Pr) as [c [Sane Same]].
  destruct (time_in_units m c Sane Same P HP) as [T [T0 [_ [_ B]]]]. exists (T # unit_ c). split; [|exact B].
  unfold Qle. cbn. lia.
Qed.

(** By the time t no more processors have the item than nodes have labels of at most t. *)
Lemma completed_size m c source items s t : proper m -> sane c = true -> same m (machine_of c (processors m)) ->
  In source (processors m) -> NoDup items -> valid (broadcast m source items) s -> completes (broadcast m source items) s t ->
  let y := tick (unit_ c) t in let A := fun y => count (fun x => tick (unit_ c) (start x) <=? y)
    (filter (fun x => negb (receiver x =? source)) s) in
  let P := Z.of_nat (length (processors m)) in
  (P - 1) * Z.of_nat (length items) <= A (y - delay_ c) /\
  (forall y, A y <= sends (delay_ c) (period c) y) /\
  (forall y, 0 <= y -> A y <= A (y - period c) + Z.min (P - 1) (size (delay_ c) (period c) y)) /\ forall y, y < 0 -> A y = 0.
Proof.
  intros [_ [_ [_ N]]] Sane Same Hs Items V C. cbv zeta. set (m' := machine_of c (processors m)) in *.
  set (p := broadcast m' source items).
  assert (V' : valid p s) by now apply (same_valid m m').
  assert (C' : completes p s t).
  { intros q i H. apply (same_has m m' source items s q i t Same). apply C.
    cbn [wanted broadcast p m' machine_of processors] in *. exact H. }
  assert (O : total (fun q => if q =? source then 0 else 1) (processors m) = Z.of_nat (length (processors m)) - 1).
  { apply in_split in Hs. destruct Hs as [l1 [l2 E]]. rewrite E in *. apply NoDup_remove_2 in N.
    rewrite total_app. cbn [total]. rewrite Z.eqb_refl.
    rewrite !(total_eq (fun q => if q =? source then 0 else 1) (fun _ => 1)).
    - rewrite !total_ones, app_length. cbn [length]. lia.
    - intros q Hq. destruct (Z.eqb_spec q source) as [->|]; [|reflexivity]. destruct N. apply in_app_iff. now right.
    - intros q Hq. destruct (Z.eqb_spec q source) as [->|]; [|reflexivity]. destruct N. apply in_app_iff. now left. }
  rewrite <- O. split; [|split; [|split]].
  - exact (messages_needed c p s eq_refl source items eq_refl N Items t C').
  - exact (messages_at_most c p s source items eq_refl Sane V' eq_refl).
  - exact (messages_grow c p s source items eq_refl Sane V' eq_refl).
  - exact (messages_before c p s V' source).
Qed.

(** No schedule is faster than B(P). *)
Theorem broadcast_takes m source item B : proper m -> In source (processors m) ->
  broadcast_time m (length (processors m)) B -> never_before (broadcast m source [item]) B.
Proof.
  intros Pr Hs [_ F] s t T0 V C. destruct (Qlt_le_dec t B) as [L|]; [|assumption]. exfalso.
  destruct (machine_clock m Pr) as [c [Sane Same]].
  pose proof (completed_size m c source [item] s t Pr Sane Same Hs ltac:(repeat constructor; easy) V C) as H.
  cbv zeta in H. destruct H as [H1 [H2 _]]. specialize (H2 (tick (unit_ c) t - delay_ c)).
  specialize (F t _ L (size_reached m c Sane Same t T0)).
  destruct (clock_positive c Sane) as [HD HG].
  pose proof (size_sends (delay_ c) (period c) HD HG (tick (unit_ c) t) (tick_nonneg _ _ T0)) as E. unfold size in E.
  cbn [length] in H1. lia.
Qed.
