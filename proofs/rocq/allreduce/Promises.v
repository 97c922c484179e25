(** A scheme of calls as a system of tasks, in which a call waits for what it is to tell: every valid schedule
    of the system is a schedule of calls, and what its states promise is known. So what the system reaches,
    the reduction reaches. *)
From Coq Require Import QArith List Arith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.allreduce Require Import OrderFree.
Import ListNotations.
Open Scope Q_scope.

Section Promises.
Variable p : ports.
Variable blocks : list block.
(** Calls, each with its task. *)
Variable entries : list (telling * task).
Let calls := map fst entries.
Variable wants : list state.
Let S := System (map snd entries) [] wants.

(** [promise x b w]: where the state x is, the value of w for block b is known. *)
Variable promise : state -> nat -> node -> Prop.
Hypothesis same : forall c k, In (c, k) entries ->
  uses k = uses (called p blocks c) /\ lasts k = lasts (called p blocks c) /\ place (makes k) = head (over c).
Hypothesis positive : forall c k, In (c, k) entries -> 0 < lasts k.
Hypothesis kept : forall c k b w, In (c, k) entries -> promise (makes k) b w ->
  w = head (over c) \/
  b = about c /\ (w = tail (over c) \/ exists x, In x (needs k) /\ place x = tail (over c) /\ promise x b w)
    \/
  exists x, In x (needs k) /\ place x = head (over c) /\ promise x b w.
Variable s : schedule.
Hypothesis Hs : valid S s.

Lemma entry_call i k : nth_error (tasks S) i = Some k ->
  exists c, nth_error calls i = Some c /\ In (c, k) entries.
Proof.
  unfold S, calls. simpl. intros E. rewrite nth_error_map in E.
  destruct (nth_error entries i) as [[c k']|] eqn:F; [|discriminate]. injection E as <-.
  exists c. split; [|eapply nth_error_In; eauto]. rewrite nth_error_map, F. reflexivity.
Qed.
Lemma call_entry i c : nth_error calls i = Some c ->
  exists k, nth_error (tasks S) i = Some k /\ In (c, k) entries.
Proof.
  unfold S, calls. simpl. intros E. rewrite nth_error_map in E.
  destruct (nth_error entries i) as [[c' k]|] eqn:F; [|discriminate]. injection E as <-.
  exists k. split; [|eapply nth_error_In; eauto]. rewrite nth_error_map, F. reflexivity.
Qed.
Lemma positive_tasks k : In k (tasks S) -> 0 < lasts k.
Proof. intros H. apply in_map_iff in H. destruct H as ([c k'] & <- & H). eauto. Qed.

Lemma knows_later m b w t v : knows blocks calls s m b w t v -> forall u, t <= u ->
  knows blocks calls s m b w u v.
Proof.
  intros Kn u tu. destruct Kn as [t|t i c Hc Ab W H]; [constructor|].
  apply told with i; auto. eapply Qle_trans; [exact W|]. apply (work_mono S s Hs); auto.
Qed.

Lemma kept_promises m K i : In i (Done S s K m) -> forall k, nth_error (tasks S) i = Some k ->
  forall b w, promise (makes k) b w -> forall t, lasts k <= work s i m t ->
  knows blocks calls s m b w t (place (makes k)).
Proof.
  revert i. apply (finite_induction (Done S s K m) (first s m)
    (fun i => forall k, nth_error (tasks S) i = Some k ->
    forall b w, promise (makes k) b w -> forall t, lasts k <= work s i m t ->
    knows blocks calls s m b w t (place (makes k)))).
  intros i Hi IH k Hk b w Pr t Ht.
  destruct (entry_call i k Hk) as (c & Hc & I). destruct (same c k I) as (_ & Lk & Pk). rewrite Pk.
  destruct (kind_some S _ _ Hk) as (Ek & _).
  assert (Pos : 0 < lasts k) by eauto.
  assert (Fi : first s m i < t) by (apply (work_started S s Hs); lra).
  (* what the task needs is there before its first piece, and is known ever after *)
  assert (N : forall x u, In x (needs k) -> promise x b w -> first s m i <= u ->
    knows blocks calls s m b w u (place x)).
  { intros x u Hx Px Fu.
    destruct (least_in (filter (of_task i m) s)) as [q [Iq Eq]].
    { intros E. assert (W : work s i m t == 0) by (unfold work; rewrite E; reflexivity). lra. }
    apply filter_In in Iq. destruct Iq as [Iq Oq]. fold (first s m i) in Eq.
    assert (Oq' := Oq). unfold of_task in Oq'. apply andb_prop in Oq'. destruct Oq' as [O1 O2].
    apply Nat.eqb_eq in O1, O2.
    destruct Hs as [V _]. destruct (V q Iq) as (_ & k' & Hk' & Nk).
    rewrite O1 in Hk'. rewrite Hk in Hk'. injection Hk' as <-.
    destruct (Nk x Hx) as [[]|(j & kj & Hj & Mj & Wj)]. rewrite O2 in Wj.
    destruct (kind_some S _ _ Hj) as (Ej & Lj & Ij). pose proof (positive_tasks _ Ij) as Pj.
    assert (Fj : first s m j < start q) by (apply (work_started S s Hs); lra).
    assert (FK : first s m i < K).
    { apply (work_started S s Hs). apply filter_In in Hi. destruct Hi as [_ D]. apply Qle_bool_iff in D.
      rewrite Ek in D. lra. }
    rewrite <- Mj. apply (IH j); auto.
    - apply filter_In. split; [apply in_seq; lia|]. apply Qle_bool_iff. rewrite Ej.
      eapply Qle_trans; [exact Wj|]. apply (work_mono S s Hs). lra.
    - lra.
    - congruence.
    - eapply Qle_trans; [exact Wj|]. apply (work_mono S s Hs). lra. }
  destruct (kept c k b w I Pr) as [->|[(-> & H)|(x & Hx & Px & Px')]].
  - constructor.
  - apply told with i; auto.
    + rewrite Lk in Ht. exact Ht.
    + intros q Iq Oq. destruct H as [->|(x & Hx & Px & Px')]; [constructor|]. rewrite <- Px. apply N; auto.
      apply least_le. apply filter_In. auto.
  - rewrite <- Px. apply N; auto. lra.
Qed.

Lemma has_knows m t x b w : has S s m t x -> promise x b w -> knows blocks calls s m b w t (place x).
Proof.
  intros [[]|(i & k & Hk & <- & W)] Pr. apply (kept_promises m t i); auto.
  destruct (kind_some S _ _ Hk) as (Ek & Li & _). apply filter_In. split; [apply in_seq; lia|].
  apply Qle_bool_iff. rewrite Ek. auto.
Qed.

Lemma calls_valid : valid (callers p blocks calls) s.
Proof.
  destruct Hs as [V F]. split.
  - intros q Hq. destruct (V q Hq) as (H & k & Hk & _). split; auto.
    destruct (entry_call _ _ Hk) as (c & Hc & _). exists (called p blocks c). split; [|intros x []].
    unfold callers. simpl. rewrite nth_error_map, Hc. reflexivity.
  - assert (G : forall q q', compatible S q q' -> compatible (callers p blocks calls) q q').
    { intros q q' C j k r Hj Hk Uj Uk. unfold callers in Hj, Hk. simpl in Hj, Hk.
      rewrite nth_error_map in Hj, Hk.
      destruct (nth_error calls (which q)) as [c|] eqn:E; [|discriminate]. injection Hj as <-.
      destruct (nth_error calls (which q')) as [c'|] eqn:E'; [|discriminate]. injection Hk as <-.
      destruct (call_entry _ _ E) as (j & Hj & Ij). destruct (call_entry _ _ E') as (k & Hk & Ik).
      destruct (same _ _ Ij) as (Sj & _). destruct (same _ _ Ik) as (Sk & _).
      apply (C j k r); auto; [rewrite Sj|rewrite Sk]; auto. }
    clear - F G. induction F as [|q l H F IH]; constructor; auto. eapply Forall_impl; [|exact H]. auto.
Qed.
End Promises.

(** If every target gets a state that promises all values, then what the system reaches the reduction
    reaches, and so for runs. *)
Section Kept.
Variable p : ports.
Variable nodes : list node.
Variable arcs : list arc.
Variable blocks : list block.
Variable entries : list (telling * task).
Variable wants : list state.
Variable promise : state -> nat -> node -> Prop.
Hypothesis same : forall c k, In (c, k) entries ->
  uses k = uses (called p blocks c) /\ lasts k = lasts (called p blocks c) /\ place (makes k) = head (over c).
Hypothesis pos : forall c k, In (c, k) entries -> 0 < lasts k.
Hypothesis kept : forall c k b w, In (c, k) entries -> promise (makes k) b w ->
  w = head (over c) \/
  b = about c /\ (w = tail (over c) \/ exists x, In x (needs k) /\ place x = tail (over c) /\ promise x b w)
    \/
  exists x, In x (needs k) /\ place x = head (over c) /\ promise x b w.
Hypothesis al : allowed arcs blocks (map fst entries).
Hypothesis wanted_promised : forall b B v w, nth_error blocks b = Some B -> In v (targets B) -> In w nodes ->
  exists x, In x wants /\ place x = v /\ promise x b w.
Let S := System (map snd entries) [] wants.

Lemma promised_schedule s M t : valid S s -> completes S s M t ->
  valid (callers p blocks (map fst entries)) s /\ reduced nodes blocks (map fst entries) s M t.
Proof.
  intros V Co. split.
  - apply (calls_valid p blocks entries wants same s V).
  - intros m b B v w Hm HB Hv Hw. destruct (wanted_promised b B v w HB Hv Hw) as (x & Hx & <- & Px).
    apply (has_knows p blocks entries wants promise same pos kept s V); auto.
Qed.
Theorem promised_reached T C : reached S T C -> reduces p nodes arcs blocks T C.
Proof.
  intros [PT R]. split; auto. intros M. destruct (R M) as (s & V & Co).
  exists (map fst entries), s. split; auto. apply promised_schedule; auto.
Qed.
Theorem promised_done M K : done_by S M K -> reduced_by p nodes arcs blocks M K.
Proof.
  intros (s & V & Co). exists (map fst entries), s. split; auto. apply promised_schedule; auto.
Qed.
End Kept.
