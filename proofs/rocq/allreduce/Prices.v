(** What complete sequences of calls cost: at least as much as an in-tree and an out-tree with one root, and
    so at least as much as the packings of cuts for the worst root say. *)
From Coq Require Import QArith List Permutation Lia Lqa Bool.
From Exactsched Require Import Model Sums.
From Exactsched Require Bound.
From Exactsched.allreduce Require Import Calls Gossip.
Import ListNotations.
Open Scope Q_scope.

(** ** Ways cross sets *)
Lemma goes_into_spec Y c : goes_into Y c = true <-> ~ In (fst c) Y /\ In (snd c) Y.
Proof. unfold goes_into. rewrite andb_true_iff, negb_true_iff, is_in_false, is_in_spec. tauto. Qed.
Lemma goes_out_of_spec Y c : goes_out_of Y c = true <-> In (fst c) Y /\ ~ In (snd c) Y.
Proof. unfold goes_out_of. rewrite andb_true_iff, negb_true_iff, is_in_false, is_in_spec. tauto. Qed.

Lemma leads_out_of l Y u v : leads l u v -> In u Y -> ~ In v Y -> exists c, In c l /\ goes_out_of Y c = true.
Proof.
  induction 1 as [|v w L IH I]; intros Nu Iw; [contradiction|].
  destruct (in_or_not v Y) as [Hv|Hv]; auto.
  exists (v, w). split; auto. apply goes_out_of_spec; auto.
Qed.
Lemma leads_into l Y u v : leads l u v -> ~ In u Y -> In v Y -> exists c, In c l /\ goes_into Y c = true.
Proof.
  induction 1 as [|v w L IH I]; intros Nu Iw; [contradiction|].
  destruct (in_or_not v Y) as [Hv|Hv]; auto.
  exists (v, w). split; auto. apply goes_into_spec; auto.
Qed.

(** ** Packings of cuts bound prices from below *)
Section Packings.
Context {A : Type}.
Variable ends : A -> call.
Variable nodes : list node.
Variable links : list A.
Variable price : A -> Q.

Lemma packing_bound r crosses sets l : packing ends nodes links price r crosses sets -> incl l links ->
  (forall Y w, In (Y, w) sets -> exists a, In a l /\ crosses Y (ends a) = true) ->
  sum snd sets <= sum price l.
Proof.
  intros [HY HP] I H.
  apply Qle_trans with (sum (fun a => sum (fun s => if crosses (fst s) (ends a) then snd s else 0) sets) l).
  - rewrite sum_swap. apply sum_le. intros [Y w] Hs. simpl. destruct (H Y w Hs) as (a & Ha & Ca).
    destruct (HY Y w Hs) as (Hw & _).
    apply Qle_trans with (if crosses Y (ends a) then w else 0); [rewrite Ca; lra|].
    apply (sum_member (fun a => if crosses Y (ends a) then w else 0)); auto.
    intros x _. destruct (crosses Y (ends x)); lra.
  - apply sum_le. auto.
Qed.

Lemma gathers_bound r sets J : packing ends nodes links price r goes_out_of sets -> incl J links ->
  gathers ends nodes r J -> sum snd sets <= sum price J.
Proof.
  intros P I G. apply (packing_bound r goes_out_of); auto. intros Y w Hs.
  destruct P as [P _]. destruct (P Y w Hs) as (_ & Nr & v & vY & Hv).
  destruct (leads_out_of _ Y _ _ (G v Hv)) as (c & Hc & Ec); auto.
  apply in_map_iff in Hc. destruct Hc as (a & <- & Ha). exists a; auto.
Qed.
Lemma spreads_bound r sets O : packing ends nodes links price r goes_into sets -> incl O links ->
  spreads ends nodes r O -> sum snd sets <= sum price O.
Proof.
  intros P I G. apply (packing_bound r goes_into); auto. intros Y w Hs.
  destruct P as [P _]. destruct (P Y w Hs) as (_ & Nr & v & vY & Hv).
  destruct (leads_into _ Y _ _ (G v Hv)) as (c & Hc & Ec); auto.
  apply in_map_iff in Hc. destruct Hc as (a & <- & Ha). exists a; auto.
Qed.
End Packings.

(** ** The links of a complete sequence, divided *)
Theorem divided {A} (ends : A -> call) nodes calls :
  nodes <> [] -> among nodes (map ends calls) -> complete nodes (map ends calls) ->
  exists r J O, In r nodes /\ Permutation calls (J ++ O) /\ gathers ends nodes r J /\ spreads ends nodes r O.
Proof.
  intros N B C. destruct (gather_and_spread nodes (map ends calls)) as (r & J & O & Hr & HP & HJ & HO); auto.
  apply Permutation_sym, Permutation_map_inv in HP. destruct HP as (l & E & HP).
  symmetry in E. apply map_eq_app in E. destruct E as (J' & O' & -> & <- & <-).
  exists r, J', O'. repeat split; auto.
Qed.

Lemma among_incl {A} (ends : A -> call) nodes links calls :
  incl calls links -> among nodes (map ends links) -> among nodes (map ends calls).
Proof. intros I B u v H. apply B. apply in_map_iff in H. destruct H as (a & E & Ha). apply in_map_iff. eauto.
Qed.

(** Certificate form: for every r two packings, each within the prices. *)
Theorem cuts_bound {A} (ends : A -> call) (price : A -> Q) nodes links calls W :
  nodes <> [] -> among nodes (map ends links) -> incl calls links -> complete nodes (map ends calls) ->
  (forall r, In r nodes -> exists outs ins,
     packing ends nodes links price r goes_out_of outs /\ packing ends nodes links price r goes_into ins /\
     W <= sum snd outs + sum snd ins) ->
  W <= sum price calls.
Proof.
  intros N B On C H.
  destruct (divided ends nodes calls) as (r & J & O & Hr & HP & HJ & HO); auto.
  { apply among_incl with links; auto. }
  destruct (H r Hr) as (outs & ins & PO & PI & HW).
  rewrite (sum_perm price _ _ HP), sum_app.
  assert (IJ : incl J links) by (intros a Ha; apply On, (Permutation_in a (Permutation_sym HP)), in_or_app;
    auto).
  assert (IO : incl O links) by (intros a Ha; apply On, (Permutation_in a (Permutation_sym HP)), in_or_app;
    auto).
  pose proof (gathers_bound ends nodes links price r outs J PO IJ HJ).
  pose proof (spreads_bound ends nodes links price r ins O PI IO HO). lra.
Qed.

(** ** Links that spread from r contain an out-tree; links that gather contain an in-tree *)
Section Trees.
Context {A : Type}.
Variable ends : A -> call.
Let head_of (a : A) : node := snd (ends a).

Definition outside (Z : list node) (a : A) : bool := negb (is_in (snd (ends a)) Z).

Lemma grow_tree nodes r l : spreads ends nodes r l -> forall n Z T,
  (length (filter (outside Z) l) <= n)%nat ->
  In r Z -> incl T l -> (forall z, In z Z -> leads (map ends T) r z) ->
  NoDup (map head_of T) -> ~ In r (map head_of T) -> (forall z, In z (map head_of T) -> In z Z) ->
  exists O, incl O l /\ out_tree ends nodes r O.
Proof.
  intros HS. induction n as [|n IH]; intros Z T L rZ I HZ ND Nr TZ;
    (destruct (list_search (fun x => ~ In x Z)) with (l := nodes) as [(x & Hx & Nx)|All];
     [intros x; destruct (in_dec Z.eq_dec x Z); [right|left]; tauto
     |destruct (leads_out_of _ Z _ _ (HS x Hx) rZ Nx) as (c & Hc & Ec);
      apply in_map_iff in Hc; destruct Hc as (a & <- & Ha); apply goes_out_of_spec in Ec;
        destruct Ec as [Ea Na]
     |exists T; split; auto; split; auto; intros v Hv; apply HZ;
      destruct (in_or_not v Z) as [?|N]; auto; destruct (All v Hv N)]);
    (assert (F : (length (filter (outside (snd (ends a) :: Z)) l) < length (filter (outside Z) l))%nat);
     [apply Bound.filter_shorter with a; auto; unfold outside;
      [intros y; rewrite !negb_true_iff, !is_in_false; simpl; tauto
      |rewrite negb_false_iff, is_in_spec; simpl; auto
      |rewrite negb_true_iff, is_in_false; auto]|]).
  - lia.
  - apply (IH (snd (ends a) :: Z) (a :: T)).
    + lia.
    + simpl; auto.
    + intros y [<-|Hy]; auto.
    + assert (IT : incl (map ends T) (map ends (a :: T))) by (simpl; apply incl_tl, incl_refl).
      intros z [<-|Hz]; [|apply leads_incl with (map ends T); auto].
      apply along with (fst (ends a)); [apply leads_incl with (map ends T); auto|].
      simpl. left. destruct (ends a); auto.
    + simpl. constructor; auto.
    + simpl. intros [E|E]; auto. unfold head_of in E. rewrite E in Na. auto.
    + simpl. intros z [<-|Hz]; auto.
Qed.

Lemma spreads_tree nodes r l : spreads ends nodes r l -> exists O, incl O l /\ out_tree ends nodes r O.
Proof.
  intros H. apply (grow_tree nodes r l H (length (filter (outside [r]) l)) [r] []); simpl; auto.
  - intros x [].
  - intros z [<-|[]]. constructor.
  - constructor.
Qed.
End Trees.

Definition back {A} (ends : A -> call) (a : A) : call := (snd (ends a), fst (ends a)).

Lemma leads_back {A} (ends : A -> call) l u v : leads (map ends l) u v -> leads (map (back ends) l) v u.
Proof.
  induction 1 as [|v w L IH I]; [constructor|].
  apply leads_trans with v; auto. apply leads_one. apply in_map_iff in I. destruct I as (a & E & Ha).
  apply in_map_iff. exists a. unfold back. rewrite E. auto.
Qed.

Lemma gathers_tree {A} (ends : A -> call) nodes r l : gathers ends nodes r l ->
  exists J, incl J l /\ in_tree ends nodes r J.
Proof.
  intros H. destruct (spreads_tree (back ends) nodes r l) as (J & I & S' & ND & Nr).
  - intros v Hv. apply leads_back; auto.
  - exists J. split; auto. split; [|split; auto].
    intros v Hv. specialize (S' v Hv). apply leads_back in S'.
    assert (E : map (back (back ends)) J = map ends J).
    { apply map_ext. intros a. unfold back. simpl. destruct (ends a); auto. }
    rewrite E in S'. auto.
Qed.

Lemma in_tree_once {A} (ends : A -> call) nodes r J : in_tree ends nodes r J -> NoDup J.
Proof. intros (_ & ND & _). exact (NoDup_map_inv _ _ ND). Qed.
Lemma out_tree_once {A} (ends : A -> call) nodes r O : out_tree ends nodes r O -> NoDup O.
Proof. intros (_ & ND & _). exact (NoDup_map_inv _ _ ND). Qed.

Lemma nodup_parts {A} (l l' : list A) : NoDup (l ++ l') -> NoDup l /\ NoDup l' /\ forall x, In x l ->
  ~ In x l'.
Proof.
  induction l as [|a l IH]; simpl; intros H; [repeat split; auto; constructor|].
  apply NoDup_cons_iff in H. destruct H as [Na H]. destruct (IH H) as (I1 & I2 & I3).
  rewrite in_app_iff in Na.
  split; [constructor; tauto|]. split; auto. intros x [<-|Hx]; auto.
Qed.

(** ** The theorem of fabrics: among the calls of a complete sequence, by their positions, are two trees that
    have one root and no call in common: one into the root, one out of it. *)
Theorem disjoint_trees (nodes : list node) (calls : list call) :
  nodes <> [] -> among nodes calls -> complete nodes calls ->
  exists (r : node) (J O : list nat), In r nodes /\
    (forall i, In i J \/ In i O -> (i < length calls)%nat) /\ (forall i, In i J -> ~ In i O) /\
    in_tree (fun i => nth i calls (r, r)) nodes r J /\ out_tree (fun i => nth i calls (r, r)) nodes r O.
Proof.
  intros N B C. destruct nodes as [|d nodes']; [congruence|]. set (nodes := d :: nodes') in *.
  assert (E : map (fun i => nth i calls (d, d)) (seq 0 (length calls)) = calls).
  { clear. induction calls as [|c calls IH]; simpl; auto. f_equal. rewrite <- seq_shift, map_map. exact IH. }
  destruct (divided (fun i => nth i calls (d, d)) nodes (seq 0 (length calls)))
    as (r & J & O & Hr & HP & HJ & HO); auto; try (rewrite E; auto; fail).
  assert (L : forall i, In i (J ++ O) <-> (i < length calls)%nat).
  { intros i. split; intros H.
    - apply (Permutation_in i (Permutation_sym HP)), in_seq in H. lia.
    - apply (Permutation_in i HP), in_seq. lia. }
  assert (ND : NoDup (J ++ O)) by (apply (Permutation_NoDup HP), seq_NoDup).
  apply nodup_parts in ND. destruct ND as (_ & _ & DJ).
  assert (Same : forall l, incl l (J ++ O) ->
    map (fun i => nth i calls (r, r)) l = map (fun i => nth i calls (d, d)) l).
  { intros l I. apply map_ext_in. intros i Hi. apply nth_indep, L, I, Hi. }
  destruct (gathers_tree (fun i => nth i calls (r, r)) nodes r J) as (J' & IJ & TJ).
  { unfold gathers. rewrite Same by (apply incl_appl, incl_refl). exact HJ. }
  destruct (spreads_tree (fun i => nth i calls (r, r)) nodes r O) as (O' & IO & TO).
  { unfold spreads. rewrite Same by (apply incl_appr, incl_refl). exact HO. }
  exists r, J', O'. split; auto. split; [|split; auto].
  - intros i [H|H]; apply L, in_or_app; auto.
  - intros i Hi Hi'. apply (DJ i); auto.
Qed.

(** Weighted: one pair of trees costs at most what the sequence costs, whatever the prices are. *)
Theorem pair_bound {A} (ends : A -> call) nodes links calls :
  nodes <> [] -> among nodes (map ends links) -> incl calls links -> complete nodes (map ends calls) ->
  exists r J O, In r nodes /\ incl J links /\ incl O links /\
    in_tree ends nodes r J /\ out_tree ends nodes r O /\
    forall price : A -> Q, (forall a, In a links -> 0 <= price a) ->
      sum price J + sum price O <= sum price calls.
Proof.
  intros N B On C. destruct (divided ends nodes calls) as (r & J & O & Hr & HP & HJ & HO); auto.
  { apply among_incl with links; auto. }
  destruct (gathers_tree ends nodes r J HJ) as (J' & IJ & TJ).
  destruct (spreads_tree ends nodes r O HO) as (O' & IO & TO).
  assert (AJ : incl J links) by (intros a Ha; apply On, (Permutation_in a (Permutation_sym HP)), in_or_app;
    auto).
  assert (AO : incl O links) by (intros a Ha; apply On, (Permutation_in a (Permutation_sym HP)), in_or_app;
    auto).
  exists r, J', O'. split; [auto|]. split; [eapply incl_tran; eauto|]. split; [eapply incl_tran; eauto|].
  split; [auto|]. split; [auto|]. intros price Hp.
  rewrite (sum_perm price _ _ HP), sum_app.
  assert (sum price J' <= sum price J) by (apply sum_incl; auto; eapply in_tree_once; eauto).
  assert (sum price O' <= sum price O) by (apply sum_incl; auto; eapply out_tree_once; eauto).
  lra.
Qed.
