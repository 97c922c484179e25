(** Structures of any system: their levels, how they are found, and that every schedule contains them. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Sums Time Bound.
From Exactsched.existence Require Import Definitions Finite.
Import ListNotations.
Open Scope Q_scope.

Definition among (l : list state) (x : state) : bool := existsb (state_eqb x) l.
Lemma among_in l x : among l x = true <-> In x l.
Proof.
  unfold among. rewrite existsb_exists. split. intros (y & H & E). apply state_eqb_eq in E. subst; auto.
  intros H. exists x. split; auto. apply state_eqb_eq; auto.
Qed.
Lemma list_max_in k l : In k l -> (k <= list_max l)%nat.
Proof.
  intros H. assert (F : Forall (fun k => (k <= list_max l)%nat) l) by (apply list_max_le; auto).
  rewrite Forall_forall in F. auto.
Qed.

Section Structures.
Variable S : system.

Lemma known_in t x : In x (known S t) <-> In x (given S) \/ exists i, In i t /\ makes (kind S i) = x.
Proof.
  unfold known. rewrite in_app_iff, in_map_iff. split; intros [H|(i & H1 & H2)]; auto; right; exists i; auto.
Qed.

(** ** Levels *)
Lemma level_in i t : level S i t <> 0%nat <-> In i t.
Proof.
  induction t as [|j t IH]; simpl. intuition.
  destruct (Nat.eqb_spec i j) as [->|N]. intuition; discriminate. rewrite IH. intuition congruence.
Qed.
Lemma level_height i t : (level S i t <= height S t)%nat.
Proof.
  destruct (in_dec Nat.eq_dec i t) as [I|N]. apply list_max_in, in_map_iff; eauto.
  rewrite <- level_in in N. lia.
Qed.
Lemma grows_facts t : grows S t -> NoDup t /\ forall i, In i t -> (i < length (tasks S))%nat /\
  forall x, In x (needs (kind S i)) -> In x (given S) \/
    exists j, makes (kind S j) = x /\ In j t /\ (level S j t < level S i t)%nat.
Proof.
  induction 1 as [|i t G (N & F) L Ni Ne].
  - split. constructor. easy.
  - split. constructor; auto. assert (Same : forall j, In j t -> level S j (i :: t) = level S j t).
    { intros j Hj. simpl. destruct (Nat.eqb_spec j i) as [->|]; auto. contradiction. }
    intros j [<-|Hj].
    + split; auto. intros x Hx. pose proof (Ne x Hx) as K. apply known_in in K. destruct K as [K|(j & Hj &
      Ej)]; auto.
      right. exists j. split; auto. split. right; auto. rewrite Same by auto. simpl. rewrite Nat.eqb_refl.
      apply Nat.lt_succ_r. assert (W : waits_for S i j = true).
      { unfold waits_for. rewrite Ej. apply among_in; auto. }
      apply list_max_in, in_map_iff. exists j. rewrite W. auto.
    + destruct (F j Hj) as [Lj Fj]. split; auto. intros x Hx. destruct (Fj x Hx) as [K|(k & E & Hk & Lk)]; auto.
      right. exists k. split; auto. split. right; auto. rewrite !Same; auto.
Qed.

(** ** All structures *)
Fixpoint growsb (t : list nat) : bool :=
  match t with
  | [] => true
  | i :: t => growsb t && (i <? length (tasks S))%nat && negb (listed i t) &&
      forallb (among (known S t)) (needs (kind S i))
  end.
Lemma growsb_spec t : growsb t = true <-> grows S t.
Proof.
  induction t as [|i t IH]; simpl.
  - split; auto. constructor.
  - rewrite !andb_true_iff, negb_true_iff, Nat.ltb_lt, forallb_forall, IH. split.
    + intros [[[G L] N] F]. constructor; auto. rewrite <- listed_in. congruence.
      intros x Hx. apply among_in. auto.
    + intros G. inversion G; subst. repeat split; auto. apply not_true_is_false. rewrite listed_in. auto.
      intros x Hx. apply among_in. auto.
Qed.
Definition structureb (t : list nat) : bool := growsb t && forallb (among (known S t)) (wanted S).
Lemma structureb_spec t : structureb t = true <-> structure S t.
Proof.
  unfold structureb, structure. rewrite andb_true_iff, growsb_spec, forallb_forall. split; intros [G H]; split;
    auto.
  intros x Hx. apply among_in. auto. intros x Hx. apply among_in. auto.
Qed.
Definition eq_list := list_eq_dec Nat.eq_dec.
Definition all_structures : list (list nat) :=
  nodup eq_list (filter structureb (words (length (tasks S)) (seq 0 (length (tasks S))))).
Lemma all_structures_spec t : In t all_structures <-> structure S t.
Proof.
  unfold all_structures. rewrite nodup_In, filter_In, structureb_spec. split; [tauto|]. intros H. split; auto.
  destruct H as (G & _). destruct (grows_facts t G) as (N & L).
  assert (I : incl t (seq 0 (length (tasks S)))) by (intros i Hi; apply in_seq; apply L in Hi; lia).
  apply words_in; auto. rewrite <- (seq_length (length (tasks S)) 0). apply NoDup_incl_length; auto.
Qed.

(** ** A structure, or a set of states that no task enters *)
Lemma structure_within (D : list nat) : (forall i, In i D -> (i < length (tasks S))%nat) ->
  (forall X : state -> bool, (forall x, In x (given S) -> X x = false) -> (exists x, In x (wanted S) /\ X x =
    true) ->
    exists j, In j D /\ X (makes (kind S j)) = true /\ forall x, In x (needs (kind S j)) -> X x = false) ->
  exists t, structure S t /\ incl t D.
Proof.
  intros R Cut.
  enough (Grow : forall k t, (length D <= length t + k)%nat -> grows S t -> incl t D ->
    exists t, structure S t /\ incl t D).
  { apply (Grow (length D) []). simpl; lia. constructor. easy. }
  induction k as [|k IH]; intros t Hk G I.
  - destruct (forallb (among (known S t)) (wanted S)) eqn:E.
    + exists t. split; auto. apply structureb_spec. unfold structureb. rewrite E. apply growsb_spec in G.
      rewrite G. auto.
    + exfalso. destruct (Cut (fun x => negb (among (known S t) x))) as (j & Hj & Xj & _).
      * intros x Hx. apply negb_false_iff, among_in, known_in. auto.
      * clear - E. induction (wanted S) as [|x l IHl]; simpl in E. easy. apply andb_false_iff in E. destruct E
        as [E|E].
        exists x. rewrite E. simpl; auto. destruct (IHl E) as (z & Hz & Ez). exists z. simpl; auto.
      * apply negb_true_iff in Xj. assert (Nj : ~ In j t).
        { intros H. apply not_true_iff_false in Xj. apply Xj, among_in, known_in. eauto. }
        assert (N : NoDup (j :: t)) by (constructor; auto; apply grows_facts; auto).
        apply NoDup_incl_length with (l' := D) in N. simpl in N. lia. intros i [<-|Hi]; auto.
  - destruct (forallb (among (known S t)) (wanted S)) eqn:E.
    + exists t. split; auto. apply structureb_spec. unfold structureb. rewrite E. apply growsb_spec in G.
      rewrite G. auto.
    + destruct (Cut (fun x => negb (among (known S t) x))) as (j & Hj & Xj & Nd).
      * intros x Hx. apply negb_false_iff, among_in, known_in. auto.
      * clear - E. induction (wanted S) as [|x l IHl]; simpl in E. easy. apply andb_false_iff in E. destruct E
        as [E|E].
        exists x. rewrite E. simpl; auto. destruct (IHl E) as (z & Hz & Ez). exists z. simpl; auto.
      * apply negb_true_iff in Xj. apply (IH (j :: t)). simpl; lia.
        -- constructor; auto. intros H. apply not_true_iff_false in Xj. apply Xj, among_in, known_in. eauto.
           intros x Hx. apply Nd in Hx. apply negb_false_iff, among_in in Hx. auto.
        -- intros i [<-|Hi]; auto.
Qed.

Hypothesis positive : takes_time S.

(** What a schedule has completed contains a structure. *)
Lemma done_structure s M K m : 0 <= K -> valid S s -> completes S s M K -> (m < M)%nat ->
  exists t, structure S t /\ incl t (Done S s K m).
Proof.
  intros HK V Co Hm. apply structure_within.
  - intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi. lia.
  - intros X Gx (x & Hx & Xx). destruct (has_done S positive s V m K K x) as [G|(i & Hi & Mi & _)]; auto. lra.
    apply Gx in G. congruence. apply (Bound.entered S positive s V X m K i Gx Hi). congruence.
Qed.

(** Prices bound the operations. *)
Theorem prices_bound y T : prices_prove S y T -> never_more S T.
Proof.
  intros (Ny & E & P) s M K HK V Co. rewrite <- E. rewrite Qmult_comm.
  rewrite <- (Qmult_1_r (count M)). apply (enough_once S s); auto. intros m Hm.
  destruct (done_structure s M K m HK V Co Hm) as (t & St & It). eapply Qle_trans; [apply (P t St)|].
  apply sum_incl; auto. 2: apply (grows_facts t), St.
  intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi. apply Qmult_le_0_compat.
  apply Qlt_le_weak, positive, nth_In. lia. apply paid_nonneg; auto.
Qed.

(** ** Loads *)
Lemma lasts_nonneg i : (i < length (tasks S))%nat -> 0 <= lasts (kind S i).
Proof. intros H. apply Qlt_le_weak, positive, nth_In; auto. Qed.
Lemma structure_range t i : structure S t -> In i t -> (i < length (tasks S))%nat.
Proof. intros (G & _) Hi. apply (grows_facts t G); auto. Qed.
Lemma load_nonneg r t : structure S t -> 0 <= load S r t.
Proof.
  intros St. apply sum_nonneg. intros i Hi. destruct (uses_it r (kind S i)); [|lra].
  apply lasts_nonneg. eapply structure_range; eauto.
Qed.
Lemma load_member r t i : structure S t -> In i t -> In r (uses (kind S i)) -> lasts (kind S i) <= load S r t.
Proof.
  intros St Hi Hr. apply Qle_trans with (if uses_it r (kind S i) then lasts (kind S i) else 0).
  - apply uses_it_spec in Hr. rewrite Hr. lra.
  - apply (sum_member (fun i => if uses_it r (kind S i) then lasts (kind S i) else 0)); auto.
    intros j Hj. destruct (uses_it r (kind S j)); [|lra]. apply lasts_nonneg. eapply structure_range; eauto.
Qed.
(** The cost of a structure, resource by resource. *)
Lemma cost_loads (y : list (resource * Q)) t :
  cost_of S (Prices y []) t == sum (fun ry => snd ry * load S (fst ry) t) y.
Proof.
  unfold cost_of, load, paid. simpl.
  rewrite (sum_eq (fun ry => snd ry * sum _ t)
    (fun ry => sum (fun i => lasts (kind S i) * (if uses_it (fst ry) (kind S i) then snd ry else 0)) t)).
  - rewrite sum_swap. apply sum_eq. intros i _. rewrite Qplus_0_r, <- sum_scale. reflexivity.
  - intros [r q] _. simpl. rewrite <- sum_scale. apply sum_eq. intros i _. destruct (uses_it r (kind S i));
    ring.
Qed.
End Structures.
