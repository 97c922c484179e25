(** The bound by counting, and that one receiver more at every node reaches it. *)
From Coq Require Import ZArith QArith Qminmax Qround List Lia Lqa Permutation Bool.
From Exactsched.rounds Require Import Counting.
From Exactsched.overlay Require Import Definitions Sums Checker Bounds Soundness Streams Paths.
Import ListNotations.
Open Scope Q_scope.

(** ** What is claimed *)

(** A node sends no more than its bandwidth, and T to each of its receivers. *)
Definition at_most (T : Q) (i : node) : Q := Qmin (bandwidth i) (T * inject_Z (degree i)).
(** The source and the receivers are fast enough for T, and the nodes of a list can send T to everybody but the
    source. *)
Definition counts (m : machine) (senders : list node) (T : Q) : Prop :=
  T <= bandwidth (source m) /\ (1 <= degree (source m))%Z /\ receivable m T /\
  inject_Z (number_of (others m)) * T <= sum (at_most T) senders.
(** Some node other than the source sends nothing. *)
Definition counts_without_one (m : machine) (T : Q) : Prop :=
  exists l i, Permutation (others m) (i :: l) /\ counts m (source m :: l) T.

(** One receiver more for everybody. *)
Definition wider (i : node) : node := Node (name i) (bandwidth i) (degree i + 1) (incoming i).
Definition one_more (m : machine) : machine := Machine (wider (source m)) (map wider (others m)) (only m).

(** ** The bound *)
Section Bound.
Variables (m : machine) (s : structure) (c : list connection) (T : Q).
Hypothesis V : valid_rates m c.
Hypothesis C : carries m c T.
Hypothesis Positive : 0 < T.
Hypothesis Names : NoDup (names (nodes m)).
Hypothesis Some_other : others m <> [].

Lemma out_at_most i : In i (nodes m) -> out c T i <= at_most T i.
Proof.
  intros Hi. unfold at_most. apply Q.min_glb; [now apply (out_bandwidth m c T V)|].
  apply Qle_trans with (sum (fun _ => T) (from (name i) c)).
  - apply sum_le. intros x _. apply Q.le_min_r.
  - rewrite sum_constant, Qmult_comm. destruct V as [_ [_ [_ V4]]]. specialize (V4 i Hi). rewrite Zle_Qle in V4. nra.
Qed.
Lemma leaves_source : T <= sum rate (from (name (source m)) c).
Proof.
  destruct (others m) as [|u l] eqn:O; [now destruct Some_other|]. destruct C as [_ C2].
  eapply Qle_trans; [apply (C2 (fun w => negb (w =? name (source m))%Z))|].
  - now rewrite Z.eqb_refl.
  - exists u. rewrite O. split; [now left|]. apply negb_true_iff, Z.eqb_neq. intros E.
    inversion Names as [|a k Na _]. apply Na. rewrite <- E, O. now left.
  - unfold into, from. rewrite sum_filter. apply sum_le. intros x Hx. rewrite negb_involutive.
    destruct V as [_ [V2 _]]. destruct (V2 x Hx) as [_ R].
    destruct (sender x =? _)%Z; [|rewrite andb_false_r; lra]. destruct (negb _); cbn; lra.
Qed.
Lemma source_is_fast : T <= bandwidth (source m) /\ (1 <= degree (source m))%Z.
Proof.
  pose proof leaves_source as L. destruct V as [_ [_ [V3 V4]]].
  specialize (V3 (source m) (or_introl eq_refl)). specialize (V4 (source m) (or_introl eq_refl)). split; [lra|].
  destruct (from (name (source m)) c); [cbn in L; lra|cbn [length] in V4; lia].
Qed.

(** No rates within the degrees carry more than the bound says, *)
Theorem counting_bound : counts m (nodes m) T.
Proof.
  destruct source_is_fast as [B D]. split; [exact B|]. split; [exact D|]. split; [apply C|].
  eapply Qle_trans; [apply (everybody m c T V C Positive Names)|]. apply sum_le. apply out_at_most.
Qed.
(** and if they have no cycles, some receiver sends nothing. *)
Theorem counting_bound_acyclic : is_of acyclic (connects c) -> counts_without_one m T.
Proof.
  intros A. destruct source_is_fast as [B D].
  assert (Num : (0 < number_of (others m))%Z).
  { rewrite number_of_length. destruct (others m); [now destruct Some_other|cbn; lia]. }
  destruct (silent m acyclic c T V A C Positive Names Num eq_refl) as [k [Hk Q]].
  apply in_split in Hk. destruct Hk as [l1 [l2 E]].
  assert (P : Permutation (others m) (k :: l1 ++ l2)) by (rewrite E; symmetry; apply Permutation_middle).
  exists (l1 ++ l2), k. split; [exact P|]. split; [exact B|]. split; [exact D|]. split; [apply C|].
  eapply Qle_trans; [apply (everybody m c T V C Positive Names)|]. unfold nodes. cbn [sum].
  rewrite (sum_perm _ _ _ P). cbn [sum].
  assert (Z0 : out c T k == 0) by (unfold out; rewrite Q; reflexivity). rewrite Z0.
  pose proof (out_at_most (source m) (or_introl eq_refl)) as S0.
  assert (S1 : sum (out c T) (l1 ++ l2) <= sum (at_most T) (l1 ++ l2)); [|lra].
  apply sum_le. intros i Hi. apply out_at_most. right. rewrite P. now right.
Qed.
End Bound.

(** ** From numbers of parts to an overlay *)
Lemma nth_nodup {A} (l : list A) (a : A) i j : NoDup l -> (i < length l)%nat -> (j < length l)%nat ->
  nth i l a = nth j l a -> i = j.
Proof. intros N Hi Hj E. now apply (proj1 (NoDup_nth l a) N). Qed.

Lemma sum_flags {A} (b : A -> bool) l : sum (fun x => if b x then 1 else 0) l == inject_Z (count b l).
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [sum count]. rewrite IH, inject_Z_plus. destruct (b a); reflexivity.
Qed.

Section Overlay.
Variables (m : machine) (l : list node) (N : Z) (u : positive) (X d : nat -> Z) (parent : Z -> nat -> nat).
Hypothesis Names : NoDup (names (nodes m)).
Hypothesis Everybody : only m = None.
Hypothesis Order : Permutation l (others m).
Let n := length l.
Let at_ (i : nat) : node := nth i (source m :: l) (source m).
Let nm (i : nat) : Z := name (at_ i).
Hypothesis HN : (0 < N)%Z.
Hypothesis Served : served n N X d parent.
Hypothesis Bandwidths : forall i, (i <= n)%nat -> X i # u <= bandwidth (at_ i).
Hypothesis Degrees : forall i, (i <= n)%nat -> (d i + 1 <= degree (at_ i))%Z.
Hypothesis Incoming : receivable m (N # u).

Lemma all_nodes : Permutation (source m :: l) (nodes m).
Proof. unfold nodes. now constructor. Qed.
Lemma node_number i : In i (nodes m) -> exists k, (k <= n)%nat /\ at_ k = i.
Proof.
  intros H. rewrite <- all_nodes in H. apply (In_nth _ _ (source m)) in H. destruct H as [k [Hk E]].
  exists k. cbn [length] in Hk. split; [unfold n; lia|exact E].
Qed.
Lemma number_node k : (k <= n)%nat -> In (at_ k) (nodes m).
Proof. intros Hk. rewrite <- all_nodes. apply nth_In. cbn [length]. unfold n in Hk. lia. Qed.
Lemma number_other k : (1 <= k <= n)%nat -> In (at_ k) (others m).
Proof. intros Hk. rewrite <- Order. unfold at_. destruct k; [lia|]. cbn [nth]. apply nth_In. unfold n in Hk. lia. Qed.
Lemma other_number i : In i (others m) -> exists k, (1 <= k <= n)%nat /\ at_ k = i.
Proof.
  intros H. rewrite <- Order in H. apply (In_nth _ _ (source m)) in H. destruct H as [k [Hk E]].
  exists (S k). split; [unfold n; lia|exact E].
Qed.
Lemma names_apart i k : (i <= n)%nat -> (k <= n)%nat -> nm i = nm k -> i = k.
Proof.
  intros Hi Hk E. assert (Nd : NoDup (names (source m :: l))).
  { unfold names. eapply Permutation_NoDup; [|exact Names]. apply Permutation_map. symmetry. apply all_nodes. }
  apply (nth_nodup (names (source m :: l)) (name (source m))); try assumption;
    unfold names; rewrite ?map_length; cbn [length]; unfold n in *; try lia.
  rewrite !map_nth. exact E.
Qed.

Definition tree_of (x : Z) : list (Z * Z) := map (fun v => (nm (parent x v), nm v)) (seq 1 n).
Definition parts : overlay := Overlay (map (fun x => (1 # u, tree_of x)) (below N)).

Lemma by_name (f : nat -> Z) : exists g, forall i, (i <= n)%nat -> g (nm i) = f i.
Proof.
  assert (H : forall k, exists g, forall i, (i <= k)%nat -> (k <= n)%nat -> g (nm i) = f i).
  { induction k as [|k [g G]].
    - exists (fun _ => f 0%nat). intros i Hi _. now replace i with 0%nat by lia.
    - exists (fun z => if (z =? nm (S k))%Z then f (S k) else g z). intros i Hi Hn.
      destruct (Z.eqb_spec (nm i) (nm (S k))) as [E|Ne].
      + apply names_apart in E; try lia. now subst.
      + apply G; [|lia]. destruct (Nat.eq_dec i (S k)) as [->|]; [congruence|lia]. }
  destruct (H n) as [g G]. exists g. intros i Hi. now apply G.
Qed.

Lemma parent_range x v : (0 <= x < N)%Z -> (1 <= v <= n)%nat -> (parent x v <= n)%nat /\ parent x v <> v.
Proof.
  intros Hx Hv. destruct Served as [[depth R] _ _]. destruct (R x v Hx Hv) as [A B]. split; [exact A|].
  intros E. rewrite E in B. lia.
Qed.

Lemma tree_is x : (0 <= x < N)%Z -> arborescence m (tree_of x).
Proof.
  intros Hx. split; [|split].
  - intros a b I. apply in_map_iff in I. destruct I as [v [E Hv]]. injection E as <- <-. apply in_seq in Hv.
    destruct (parent_range x v Hx ltac:(lia)) as [P Ne]. split; [|split; [|split]].
    + unfold nm, names. apply in_map. now apply number_node.
    + unfold nm, names. apply in_map. apply number_other. lia.
    + intros E. apply names_apart in E; lia.
    + now rewrite Everybody.
  - unfold tree_of, names. rewrite map_map. cbn [snd]. unfold nm. rewrite <- (map_map at_ name).
    apply Permutation_map. replace (map at_ (seq 1 n)) with l; [exact Order|].
    apply (nth_ext _ _ (source m) (at_ 0)); [now rewrite map_length, seq_length|].
    intros i Hi. rewrite map_nth, seq_nth by exact Hi. reflexivity.
  - destruct Served as [[depth R] _ _]. destruct (by_name (depth x)) as [g G]. exists g. intros a b I.
    apply in_map_iff in I. destruct I as [v [E Hv]]. injection E as <- <-. apply in_seq in Hv.
    destruct (R x v Hx ltac:(lia)) as [A B]. rewrite !G by lia. exact B.
Qed.

Lemma parts_sends i : (i <= n)%nat -> sends parts (nm i) ==
  (total (fun x => count (fun v => (parent x v =? i)%nat) (seq 1 n)) (below N)) # u.
Proof.
  intros Hi. unfold sends, parts. cbn [trees]. rewrite sum_map. cbn [fst snd].
  rewrite (sum_eq _ (fun x => (1 # u) * inject_Z (count (fun v => (parent x v =? i)%nat) (seq 1 n)))).
  - rewrite sum_scale, <- sum_total. unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. lia.
  - intros x Hx. apply below_spec in Hx. unfold tree_of. rewrite sum_map. cbn [fst].
    rewrite sum_flags. replace (count (fun v => (nm (parent x v) =? nm i)%Z) (seq 1 n)) with
      (count (fun v => (parent x v =? i)%nat) (seq 1 n)); [reflexivity|].
    apply count_eq. intros v Hv. apply in_seq in Hv. destruct (parent_range x v Hx ltac:(lia)) as [P _].
    destruct (Nat.eqb_spec (parent x v) i) as [->|Ne]; [now rewrite Z.eqb_refl|].
    symmetry. apply Z.eqb_neq. intros E. apply names_apart in E; lia.
Qed.

Lemma parts_throughput : throughput parts == N # u.
Proof.
  unfold throughput, parts. cbn [trees]. rewrite sum_map. cbn [fst]. rewrite sum_constant, below_length by lia.
  unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. lia.
Qed.

Lemma parts_uses a b : uses parts a b -> exists x v, (0 <= x < N)%Z /\ (1 <= v <= n)%nat /\
  a = nm (parent x v) /\ b = nm v.
Proof.
  intros [t [Ht I]]. unfold parts in Ht. cbn [trees] in Ht. apply in_map_iff in Ht. destruct Ht as [x [<- Hx]].
  cbn [snd] in I. apply below_spec in Hx. unfold tree_of in I. apply in_map_iff in I. destruct I as [v [E Hv]].
  injection E as <- <-. apply in_seq in Hv. exists x, v. split; [exact Hx|]. split; [lia|tauto].
Qed.

Theorem parts_reached s : (s = any \/ s = acyclic /\ forall x v, (0 <= x < N)%Z -> (1 <= v <= n)%nat -> (parent x v < v)%nat) ->
  reached m s (N # u).
Proof.
  intros Hs. exists parts. split; [|split; [|split]].
  - split; [|split].
    + intros t Ht. unfold parts in Ht. cbn [trees] in Ht. apply in_map_iff in Ht. destruct Ht as [x [<- Hx]].
      apply below_spec in Hx. cbn [fst snd]. split; [reflexivity|now apply tree_is].
    + intros i Hi. destruct (node_number i Hi) as [k [Hk <-]]. fold (nm k). rewrite parts_sends by exact Hk.
      eapply Qle_trans; [|now apply Bandwidths]. destruct Served as [_ A _]. specialize (A k Hk).
      unfold Qle. cbn [Qnum Qden]. nia.
    + intros v r Hv Er. rewrite parts_throughput. now apply (Incoming v).
  - intros i k Hi Nk Hk. destruct (node_number i Hi) as [j [Hj <-]]. specialize (Degrees j Hj).
    destruct Served as [_ _ F]. destruct (F j Hj) as [r [Lr Fr]].
    enough (length k <= length (map nm r))%nat by (rewrite map_length in *; lia).
    apply NoDup_incl_length; [exact Nk|]. intros v Hv. destruct (parts_uses _ _ (Hk v Hv)) as [x [w [Hx [Hw [E ->]]]]].
    apply in_map. apply (Fr x w Hx Hw). symmetry. apply names_apart; [exact Hj|now apply parent_range|exact E].
  - destruct Hs as [->|[-> Early]]; [exact I|]. destruct (by_name Z.of_nat) as [g G]. exists g. intros a b U.
    destruct (parts_uses a b U) as [x [v [Hx [Hv [-> ->]]]]]. specialize (Early x v Hx Hv). rewrite !G by lia. lia.
  - apply parts_throughput.
Qed.
End Overlay.

(** ** One receiver more *)

Lemma common_unit (l : list Q) : exists u, forall q, In q l -> exists z, q == z # u.
Proof.
  induction l as [|a l [u H]]; [exists 1%positive; easy|]. exists (Qden a * u)%positive. intros q [<-|Hq].
  - exists (Qnum a * Zpos u)%Z. unfold Qeq. cbn [Qnum Qden]. lia.
  - destruct (H q Hq) as [z E]. exists (z * Zpos (Qden a))%Z. rewrite E. unfold Qeq. cbn [Qnum Qden]. lia.
Qed.

Lemma largest_first {A} (f : A -> Z) (l : list A) : exists l', Permutation l' l /\
  forall d i j, (i <= j < length l')%nat -> (f (nth j l' d) <= f (nth i l' d))%Z.
Proof.
  enough (H : forall k l, (length l <= k)%nat -> exists l', Permutation l' l /\
    forall d i j, (i <= j < length l')%nat -> (f (nth j l' d) <= f (nth i l' d))%Z) by now apply (H (length l)).
  clear l. induction k as [|k IH]; intros l Hl.
  - exists []. destruct l; [|cbn in Hl; lia]. split; [constructor|]. cbn [length]. lia.
  - destruct l as [|a l]; [exists []; split; [constructor|cbn [length]; lia]|].
    destruct (least_element (fun x => - f x)%Z (a :: l) ltac:(easy)) as [x [Hx Most]].
    apply in_split in Hx. destruct Hx as [l1 [l2 E]]. rewrite E in *.
    destruct (IH (l1 ++ l2)) as [l' [P S]]; [rewrite app_length in *; cbn [length] in Hl; lia|].
    exists (x :: l'). split; [rewrite P; apply Permutation_middle|]. intros d i j Hij. cbn [length] in Hij.
    destruct i as [|i], j as [|j]; cbn [nth]; try lia; [|apply S; lia].
    assert (I : In (nth j l' d) (l1 ++ x :: l2)).
    { rewrite <- Permutation_middle. right. rewrite <- P. apply nth_In. lia. }
    specialize (Most _ I). lia.
Qed.

Section One_more.
Variables (m : machine) (T : Q).
Hypothesis Names : NoDup (names (nodes m)).
Hypothesis Everybody : only m = None.
Hypothesis Nonneg : forall i, In i (nodes m) -> 0 <= bandwidth i /\ (0 <= degree i)%Z.
Hypothesis Positive : 0 < T.

(** How many parts a node sends, if T is N parts. *)
Definition whole (u : positive) (N : Z) (i : node) : Z :=
  Z.min (Qfloor (bandwidth i * inject_Z (Zpos u))) (N * degree i).
Lemma whole_spec u N i : (exists z, bandwidth i == z # u) -> whole u N i # u == at_most (N # u) i.
Proof.
  intros [z Ez]. unfold whole, at_most.
  assert (F : Qfloor (bandwidth i * inject_Z (Zpos u)) = z).
  { rewrite Ez. rewrite <- (Qfloor_Z z) at 2. apply Qfloor_comp. unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. lia. }
  rewrite F. rewrite Ez.
  assert (D : (N # u) * inject_Z (degree i) == (N * degree i) # u) by (unfold Qeq, Qmult, inject_Z; cbn [Qnum Qden]; lia).
  rewrite D. destruct (Q.min_spec (z # u) (N * degree i # u)) as [[L ->]|[L ->]]; unfold Qlt, Qle in L; cbn [Qnum Qden] in L;
    unfold Qeq; cbn [Qnum Qden]; nia.
Qed.

Lemma total_first (f : node -> Z) a l : forall k, (k < length l)%nat ->
  total f (firstn (S k) l) = (total f (firstn k l) + f (nth k l a))%Z.
Proof.
  induction l as [|b l IH]; intros k Hk; [cbn in Hk; lia|]. cbn [length] in Hk.
  rewrite firstn_cons. cbn [total]. destruct k as [|k]; [cbn [firstn total nth]; lia|].
  rewrite IH by lia. rewrite firstn_cons. cbn [total nth]. lia.
Qed.
Lemma before_total (X : nat -> Z) f (l : list node) a : (forall i, (i < length l)%nat -> X i = f (nth i l a)) ->
  before X (length l) = total f l.
Proof.
  intros H. enough (E : forall k, (k <= length l)%nat -> before X k = total f (firstn k l)).
  { rewrite E by lia. now rewrite firstn_all. }
  induction k as [|k IH]; intros Hk; [reflexivity|]. cbn [before]. rewrite (total_first f a), IH, H by lia. reflexivity.
Qed.

(** The parts of a unit that divides all numbers, and the receivers in the order of a list. *)
Lemma by_order (s : structure) : (s = any \/ s = acyclic) -> T <= bandwidth (source m) -> (1 <= degree (source m))%Z ->
  receivable m T ->
  (forall u N, T == N # u -> exists l, Permutation l (others m) /\ let n := length l in
    let X i := whole u N (nth i (source m :: l) (source m)) in
    ((forall i, In i (nodes m) -> whole u N i # u == at_most T i) ->
     match s with any => (forall i j, (1 <= i <= j)%nat -> (j <= n)%nat -> (X j <= X i)%Z) /\ (Z.of_nat n * N <= before X (S n))%Z
     | _ => (forall i j, (1 <= i <= j)%nat -> (j < n)%nat -> (X j <= X i)%Z) /\ (Z.of_nat n * N <= before X n)%Z end)) ->
  reached (one_more m) s T.
Proof.
  intros Hs B0 D0 R0 H. destruct (common_unit (T :: map bandwidth (nodes m))) as [u U].
  destruct (U T (or_introl eq_refl)) as [N ET].
  assert (HN : (0 < N)%Z). { rewrite ET in Positive. unfold Qlt in Positive. cbn [Qnum Qden] in Positive. lia. }
  assert (W : forall i, In i (nodes m) -> whole u N i # u == at_most T i).
  { intros i Hi. destruct (U (bandwidth i)) as [z Ez]; [right; now apply in_map|].
    rewrite (whole_spec u N i (ex_intro _ z Ez)). unfold at_most. now rewrite ET. }
  destruct (H u N ET) as [l [P Q]]. cbv zeta in Q. specialize (Q W). clear H.
  set (n := length l) in *. set (X := fun i => whole u N (nth i (source m :: l) (source m))) in *.
  set (d := fun i => degree (nth i (source m :: l) (source m))).
  assert (In_nodes : forall i, In (nth i (source m :: l) (source m)) (nodes m)).
  { intros i. destruct (nth_in_or_default i (source m :: l) (source m)) as [I| ->]; [|now left].
    destruct I as [<-|I]; [now left|right; now rewrite <- P]. }
  assert (Pos : forall i, (0 <= X i)%Z).
  { intros i. destruct (Nonneg _ (In_nodes i)) as [A B]. pose proof (W _ (In_nodes i)) as E. fold (X i) in E.
    assert (0 <= X i # u).
    { rewrite E. apply Q.min_glb; [exact A|]. rewrite Zle_Qle in B. change (inject_Z 0) with 0 in B. nra. }
    unfold Qle in H. cbn [Qnum Qden] in H. lia. }
  assert (Dpos : forall i, (0 <= d i)%Z) by (intros i; apply (Nonneg _ (In_nodes i))).
  assert (Limit : forall i, (X i <= N * d i)%Z) by (intros i; apply Z.le_min_r).
  assert (Source : (N <= X 0%nat)%Z).
  { pose proof (W _ (In_nodes 0%nat)) as E. fold (X 0%nat) in E. cbn [nth] in E.
    assert (T <= at_most T (source m)).
    { apply Q.min_glb; [exact B0|]. rewrite Zle_Qle in D0. change (inject_Z 1) with 1 in D0. nra. }
    rewrite <- E, ET in H. unfold Qle in H. cbn [Qnum Qden] in H. nia. }
  assert (S : exists parent, served n N X d parent /\
    (s = any \/ s = acyclic /\ forall x v, (0 <= x < N)%Z -> (1 <= v <= n)%nat -> (parent x v < v)%nat)).
  { destruct Hs as [-> | ->].
    - destruct (one_more_receiver n N X d HN Pos Dpos Limit Source (proj1 Q) (proj2 Q)) as [p Hp].
      exists p. split; [exact Hp|now left].
    - destruct (in_turn_without_last n N X d HN Pos Dpos Limit Source (proj1 Q) (proj2 Q)) as [p [Hp Ep]].
      exists p. split; [exact Hp|right; now split]. }
  destruct S as [parent [Sv Es]].
  assert (Names' : NoDup (names (nodes (one_more m)))).
  { unfold one_more, nodes, names in *. cbn [source others map]. rewrite map_map. exact Names. }
  assert (At : forall i, nth i (source (one_more m) :: map wider l) (source (one_more m)) =
    wider (nth i (source m :: l) (source m))).
  { intros i. cbn [one_more source]. change (wider (source m) :: map wider l) with (map wider (source m :: l)). apply map_nth. }
  assert (R : reached (one_more m) s (N # u)).
  { apply (parts_reached (one_more m) (map wider l) N u X d parent); try assumption.
    - cbn [one_more others]. now apply Permutation_map.
    - rewrite map_length. exact Sv.
    - intros i _. rewrite At. cbn [wider bandwidth]. unfold X. rewrite W by apply In_nodes. apply Q.le_min_l.
    - intros i _. rewrite At. cbn [wider degree]. unfold d. lia.
    - intros v r Hv Er. cbn [one_more others] in Hv. apply in_map_iff in Hv. destruct Hv as [w [<- Hw]].
      cbn [wider incoming] in Er. rewrite <- ET. now apply (R0 w).
    - now rewrite map_length. }
  destruct R as [o [A [B [C D]]]]. exists o. rewrite ET. tauto.
Qed.

Lemma number_parts u N : T == N # u -> forall l k, (forall i, In i l -> whole u N i # u == at_most T i) ->
  inject_Z k * T <= sum (at_most T) l -> (k * N <= total (whole u N) l)%Z.
Proof.
  intros ET l k W H. rewrite (sum_eq _ (fun i => (1 # u) * inject_Z (whole u N i))) in H.
  - rewrite sum_scale, <- sum_total, ET in H. unfold Qle, Qmult, inject_Z in H. cbn [Qnum Qden] in H. nia.
  - intros i Hi. rewrite <- W by exact Hi. unfold Qeq, Qmult, inject_Z. cbn [Qnum Qden]. lia.
Qed.

(** With one receiver more every throughput that counting allows is reached, *)
Theorem augmented : counts m (nodes m) T -> reached (one_more m) any T.
Proof.
  intros [B [D [R E]]]. apply by_order; auto. intros u N ET.
  destruct (largest_first (whole u N) (others m)) as [l [P L]]. exists l. split; [exact P|]. cbv zeta. intros W. split.
  - intros i j Hij Hj. destruct i as [|i], j as [|j]; try lia. cbn [nth]. apply L. lia.
  - rewrite (before_total _ (whole u N) (source m :: l) (source m)) by reflexivity.
    rewrite <- number_of_length. rewrite (total_perm (whole u N) (source m :: l) (nodes m)).
    + unfold number_of. rewrite (total_perm _ _ _ P). now apply (number_parts u N ET).
    + unfold nodes. now constructor.
Qed.
(** and without cycles every one that is allowed if one receiver sends nothing. *)
Theorem augmented_acyclic : counts_without_one m T -> reached (one_more m) acyclic T.
Proof.
  intros [r [i [P [B [D [R E]]]]]]. apply by_order; auto. intros u N ET.
  destruct (largest_first (whole u N) r) as [l [Pl L]]. exists (l ++ [i]).
  assert (Po : Permutation (l ++ [i]) (others m)).
  { rewrite P, Pl. symmetry. apply Permutation_cons_append. }
  split; [exact Po|]. cbv zeta. intros W. rewrite app_length. cbn [length]. rewrite Nat.add_1_r. split.
  - intros a b Hab Hb. destruct a as [|a], b as [|b]; try lia. cbn [nth].
    rewrite !app_nth1 by lia. apply L. lia.
  - change (S (length l)) with (length (source m :: l)) at 2.
    rewrite (before_total _ (whole u N) (source m :: l) (source m)).
    + assert (En : Z.of_nat (S (length l)) = number_of (others m)).
      { rewrite number_of_length, <- (Permutation_length Po), app_length. cbn [length]. lia. }
      rewrite En, (total_perm (whole u N) (source m :: l) (source m :: r)) by now constructor.
      apply (number_parts u N ET); [|exact E]. intros j Hj. apply W. destruct Hj as [<-|Hj]; [now left|].
      right. rewrite P. now right.
    + intros j Hj. change (source m :: l ++ [i]) with ((source m :: l) ++ [i]). now rewrite app_nth1.
Qed.
End One_more.

(** ** The largest throughput that counting allows *)

(** A bound on T for every way to say which nodes send their bandwidths, and which ones T to each receiver. *)
Fixpoint choices (l : list node) (a b : Q) : list (Q * Q) :=
  match l with
  | [] => [(a, b)]
  | i :: l => choices l a (b + bandwidth i) ++ choices l (a - inject_Z (degree i)) b
  end.
Lemma choices_spec l T : forall a b,
  a * T <= b + sum (at_most T) l <-> forall x y, In (x, y) (choices l a b) -> x * T <= y.
Proof.
  induction l as [|i l IH]; intros a b; cbn [choices sum].
  - split; [intros H x y [E|[]]; injection E as <- <-; lra|]. intros H. specialize (H a b (or_introl eq_refl)). lra.
  - unfold at_most at 1. split.
    + intros H x y I. apply in_app_iff in I. destruct I as [I|I]; refine (proj1 (IH _ _) _ x y I).
      * pose proof (Q.le_min_l (bandwidth i) (T * inject_Z (degree i))). lra.
      * pose proof (Q.le_min_r (bandwidth i) (T * inject_Z (degree i))). lra.
    + intros H. assert (A : a * T <= b + bandwidth i + sum (at_most T) l).
      { apply IH. intros x y I. apply H, in_app_iff. now left. }
      assert (B : (a - inject_Z (degree i)) * T <= b + sum (at_most T) l).
      { apply IH. intros x y I. apply H, in_app_iff. now right. }
      destruct (Q.min_spec (bandwidth i) (T * inject_Z (degree i))) as [[_ ->]|[_ ->]]; lra.
Qed.
Lemma choices_nonneg l : (forall i, In i l -> 0 <= bandwidth i) -> forall a b, 0 <= b ->
  forall x y, In (x, y) (choices l a b) -> 0 <= y.
Proof.
  induction l as [|i l IH]; intros H a b Hb x y I; cbn [choices] in I.
  - destruct I as [E|[]]. injection E as <- <-. exact Hb.
  - assert (0 <= bandwidth i) by (apply H; now left). apply in_app_iff in I.
    destruct I as [I|I]; (eapply IH; [|  |exact I]); [intros; apply H; now right|lra|intros; apply H; now right|exact Hb].
Qed.
Lemma least_of_bounds U (l : list (Q * Q)) : (forall x y, In (x, y) l -> 0 < x \/ 0 <= y) ->
  exists V, forall T, 0 < T -> (T <= U /\ (forall x y, In (x, y) l -> x * T <= y)) <-> T <= V.
Proof.
  induction l as [|[a b] l IH]; intros H.
  - exists U. intros T _. split; [tauto|]. intros L. split; [exact L|easy].
  - destruct IH as [V E]; [intros; apply H; now right|]. destruct (Qlt_le_dec 0 a) as [Pa|Na].
    + exists (Qmin V (b / a)). intros T HT. specialize (E T HT).
      assert (D : a * T <= b <-> T <= b / a).
      { split; intros L; [apply Qle_shift_div_l; [exact Pa|lra]|]. apply (Qmult_le_compat_r _ _ a) in L; [|lra].
        setoid_replace (b / a * a) with b in L by (field; lra). lra. }
      split.
      * intros [L F]. apply Q.min_glb; [apply E; split; [exact L|intros; apply F; now right]|].
        apply D. apply F. now left.
      * intros L. pose proof (Q.le_min_l V (b / a)). pose proof (Q.le_min_r V (b / a)).
        destruct (proj2 E ltac:(lra)) as [A B]. split; [exact A|]. intros x y [I|I]; [|now apply B].
        injection I as <- <-. apply D. lra.
    + exists V. intros T HT. specialize (E T HT). rewrite <- E. split; intros [L F]; (split; [exact L|]).
      * intros x y I. apply F. now right.
      * intros x y [I|I]; [|now apply F]. injection I as <- <-. destruct (H a b (or_introl eq_refl)); nra.
Qed.

Lemma incoming_bounds (l : list node) : exists c : list (Q * Q), (forall x y, In (x, y) c -> 0 < x) /\
  forall T, (forall v r, In v l -> incoming v = Some r -> T <= r) <-> (forall x y, In (x, y) c -> x * T <= y).
Proof.
  induction l as [|v l [c [P E]]]; [exists []; split; easy|]. destruct (incoming v) as [r|] eqn:R.
  - exists ((1, r) :: c). split.
    + intros x y [I|I]; [injection I as <- <-; lra|now apply (P x y)].
    + intros T. specialize (E T). split.
      * intros H x y [I|I]; [injection I as <- <-; specialize (H v r (or_introl eq_refl) R); lra|].
        revert x y I. apply E. intros w q Hw. apply H. now right.
      * intros H w q [<-|Hw] Eq; [|apply (proj2 E) with w; auto; intros; apply H; now right].
        rewrite R in Eq. injection Eq as <-. specialize (H 1 r (or_introl eq_refl)). lra.
  - exists c. split; [exact P|]. intros T. rewrite <- E. split.
    + intros H w q Hw. apply H. now right.
    + intros H w q [<-|Hw] Eq; [congruence|now apply (H w)].
Qed.

Lemma largest_count m : (forall i, In i (nodes m) -> 0 <= bandwidth i) ->
  exists U, 0 <= U /\ forall T, 0 < T -> counts m (nodes m) T <-> T <= U.
Proof.
  intros Nonneg. destruct (Z_le_gt_dec 1 (degree (source m))) as [D|D].
  2:{ exists 0. split; [lra|]. intros T HT. split; [intros [_ [D' _]]; lia|lra]. }
  destruct (incoming_bounds (others m)) as [c [P E]].
  destruct (least_of_bounds (bandwidth (source m)) (c ++ choices (nodes m) (inject_Z (number_of (others m))) 0)) as [V F].
  { intros x y I. apply in_app_iff in I. destruct I as [I|I]; [left; now apply (P x y)|right].
    revert x y I. apply choices_nonneg; [exact Nonneg|lra]. }
  exists (Qmax 0 V). split; [apply Q.le_max_l|]. intros T HT. specialize (F T HT). specialize (E T).
  transitivity (T <= V).
  - rewrite <- F. unfold counts, receivable. split.
    + intros [B [_ [R S]]]. split; [exact B|]. intros x y I. apply in_app_iff in I.
      destruct I as [I|I]; revert x y I; [now apply E|]. apply choices_spec. lra.
    + intros [B H]. split; [exact B|]. split; [exact D|]. split.
      * apply E. intros x y I. apply H, in_app_iff. now left.
      * enough (inject_Z (number_of (others m)) * T <= 0 + sum (at_most T) (nodes m)) by lra.
        apply choices_spec. intros x y I. apply H, in_app_iff. now right.
  - pose proof (Q.le_max_l 0 V). pose proof (Q.le_max_r 0 V). split; [lra|]. intros L.
    destruct (Q.max_spec 0 V) as [[_ M]|[_ M]]; rewrite M in L; lra.
Qed.

(** There is a largest throughput that counting allows. Within the degrees nothing is faster, and with one receiver
    more for every node it is reached. *)
Theorem one_receiver_more m : NoDup (names (nodes m)) -> only m = None -> others m <> [] ->
  (forall i, In i (nodes m) -> 0 <= bandwidth i /\ (0 <= degree i)%Z) ->
  exists U, (forall T, 0 < T -> counts m (nodes m) T <-> T <= U) /\
    never_more m any U /\ (0 < U -> reached (one_more m) any U).
Proof.
  intros N O Some_other Nonneg. destruct (largest_count m) as [U [U0 E]]; [intros; now apply Nonneg|].
  exists U. split; [exact E|]. split.
  - intros c T V _ C. destruct (Qlt_le_dec 0 T) as [P|P]; [|lra]. apply (E T P). now apply (counting_bound m c).
  - intros P. apply augmented; try assumption. apply (E U P). lra.
Qed.
