(** Switches that only forward do no more than switches that copy: what the former reach, the latter reach.
    And a copy that comes to a switch leaves it on one arc only. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Sums Time Bound.
From Exactsched.allreduce Require Import Allgather.
Import ListNotations.
Open Scope Q_scope.

(** ** One system does what another does *)
Section Simulation.
Variables S1 S2 : system.
(** Task i of S1 is task [f i] of S2; where S1 has x, S2 has [g x]. *)
Variable f : nat -> nat.
Variable g : state -> state.
Hypothesis same_task : forall i k, nth_error (tasks S1) i = Some k -> exists k',
  nth_error (tasks S2) (f i) = Some k' /\ uses k' = uses k /\ lasts k' = lasts k /\ makes k' = g (makes k) /\
  forall x, In x (needs k') -> exists x', In x' (needs k) /\ g x' = x.
Hypothesis same_given : forall x, In x (given S1) -> In (g x) (given S2).
Hypothesis same_wanted : forall x, In x (wanted S2) -> exists x', In x' (wanted S1) /\ g x' = x.

Definition renamed (q : piece) : piece := Piece (f (which q)) (operation q) (start q) (stop q).
Variable s : schedule.
Hypothesis Hs : valid S1 s.

Lemma renamed_work i m t : work s i m t <= work (map renamed s) (f i) m t.
Proof.
  unfold work. rewrite !sum_filter, sum_map. apply sum_le. intros q Hq.
  cbv beta. change (before t (renamed q)) with (before t q).
  assert (0 <= before t q) by (apply before_nonneg, (valid_order S1 s Hs); auto).
  destruct (of_task i m q) eqn:E; [|destruct (of_task (f i) m (renamed q)); lra].
  assert (E' : of_task (f i) m (renamed q) = true); [|rewrite E'; lra].
  unfold of_task in *. simpl. apply andb_prop in E. destruct E as [E1 E2]. apply Nat.eqb_eq in E1.
  rewrite E1, Nat.eqb_refl. auto.
Qed.
Lemma renamed_has m t x : has S1 s m t x -> has S2 (map renamed s) m t (g x).
Proof.
  intros [H|(i & k & Hi & <- & W)]; [left; auto|]. right.
  destruct (same_task i k Hi) as (k' & Hk & _ & L & Mk & _). exists (f i), k'. split; auto. split; auto.
  rewrite L. eapply Qle_trans; [exact W|apply renamed_work].
Qed.
Lemma renamed_valid : valid S2 (map renamed s).
Proof.
  destruct Hs as [V F]. split.
  - intros q Hq. apply in_map_iff in Hq. destruct Hq as (q0 & <- & Hq0).
    destruct (V q0 Hq0) as (T & k & Hk & N).
    split; auto. destruct (same_task _ k Hk) as (k' & Hk' & _ & _ & _ & Nk). exists k'. split; auto.
    intros x Hx. destruct (Nk x Hx) as (x' & Hx' & <-). apply renamed_has. auto.
  - assert (G : forall q q', In q s -> In q' s -> compatible S1 q q' ->
      compatible S2 (renamed q) (renamed q')).
    { intros q q' Hq Hq' C j k r Hj Hk Uj Uk.
      destruct (V q Hq) as (_ & j0 & Hj0 & _). destruct (V q' Hq') as (_ & k0 & Hk0 & _).
      destruct (same_task _ _ Hj0) as (j' & Ej & Uj' & _).
      destruct (same_task _ _ Hk0) as (k' & Ek & Uk' & _).
      simpl in Hj, Hk. rewrite Ej in Hj. rewrite Ek in Hk. injection Hj as <-. injection Hk as <-.
      apply (C j0 k0 r); auto; congruence. }
    clear - F G. induction F as [|q l H F IH]; simpl; constructor.
    + apply Forall_forall. intros q' Hq'. apply in_map_iff in Hq'. destruct Hq' as (q0 & <- & Hq0).
      rewrite Forall_forall in H. apply G; simpl; auto.
    + apply IH. intros. apply G; simpl; auto.
Qed.
Lemma renamed_completes M t : completes S1 s M t -> completes S2 (map renamed s) M t.
Proof. intros C m x Hm Hx. destruct (same_wanted x Hx) as (x' & Hx' & <-). apply renamed_has. auto. Qed.
End Simulation.

Lemma numbers_of {A} (P : nat -> A -> nat -> Prop) (l : list A) : forall a,
  (forall i x, nth_error l i = Some x -> exists j, P (a + i)%nat x j) ->
  exists f : nat -> nat, forall i x, nth_error l i = Some x -> P (a + i)%nat x (f (a + i)%nat).
Proof.
  induction l as [|x l IH]; intros a H.
  - exists (fun i => i). intros [|i] x E; discriminate.
  - destruct (H 0%nat x eq_refl) as [j Hj]. destruct (IH (Datatypes.S a)) as [f Hf].
    { intros i z E. replace (Datatypes.S a + i)%nat with (a + Datatypes.S i)%nat by lia. apply H; auto. }
    exists (fun i => if (i =? a)%nat then j else f i). intros [|i] z E.
    + injection E as <-. rewrite Nat.add_0_r in *. rewrite Nat.eqb_refl. auto.
    + replace (a + Datatypes.S i)%nat with (Datatypes.S a + i)%nat by lia.
      destruct (Nat.eqb_spec (Datatypes.S a + i) a); [lia|]. auto.
Qed.

(** It is enough to find for every task of S1 the same task in S2. *)
Theorem simulation S1 S2 (g : state -> state) :
  (forall k, In k (tasks S1) -> exists k', In k' (tasks S2) /\ uses k' = uses k /\ lasts k' = lasts k /\
     makes k' = g (makes k) /\ forall x, In x (needs k') -> exists x', In x' (needs k) /\ g x' = x) ->
  (forall x, In x (given S1) -> In (g x) (given S2)) ->
  (forall x, In x (wanted S2) -> exists x', In x' (wanted S1) /\ g x' = x) ->
  (forall T, never_more S2 T -> never_more S1 T) /\ (forall T C, reached S1 T C -> reached S2 T C).
Proof.
  intros HT HG HW.
  destruct (numbers_of (fun (_ : nat) k j => exists k', nth_error (tasks S2) j = Some k' /\ uses k' = uses k /\
     lasts k' = lasts k /\ makes k' = g (makes k) /\
     forall x, In x (needs k') -> exists x', In x' (needs k) /\ g x' = x) (tasks S1) 0) as [f Hf].
  { intros i k E. apply nth_error_In in E. destruct (HT k E) as (k' & Hk & R).
    apply In_nth_error in Hk. destruct Hk as [j Hj]. exists j, k'. auto. }
  split.
  - intros T N s M K HK V C. apply (N (map (renamed f) s) M K); auto.
    + apply (renamed_valid S1 S2 f g Hf HG s V).
    + apply (renamed_completes S1 S2 f g Hf HG HW s V M K C).
  - intros T C [P R]. split; auto. intros M. destruct (R M) as (s & V & Co). exists (map (renamed f) s).
    split.
    + apply (renamed_valid S1 S2 f g Hf HG s V).
    + apply (renamed_completes S1 S2 f g Hf HG HW s V); auto.
Qed.

(** ** Copies on paths are copies *)
Definition copy_of (x : state) : state :=
  match what x with Message v => x | Values v _ => At (Message v) (place x) end.

Lemma hops_task p v q d path : forall x k, linked path -> In k (hops p v q d x path) ->
  exists a x', In a path /\ k = Task (arc_uses p a) (d * cost a) [x'] (makes k) /\
    copy_of (makes k) = At (Message v) (head a) /\
    ((x' = x /\ exists path', path = a :: path') \/ x' = At (Values v q) (tail a)).
Proof.
  induction path as [|a path IH]; [easy|]. intros x k Hl Hk. destruct path as [|b path].
  - destruct Hk as [<-|[]]. exists a, x. simpl. split; auto. split; auto. split; auto. left. eauto.
  - destruct Hl as [E Hl]. destruct Hk as [<-|Hk].
    + exists a, x. cbn [makes]. split; [left; auto|]. split; auto. split; auto. left. eauto.
    + destruct (IH _ _ Hl Hk) as (c & x' & Ic & Ek & Co & Fx). exists c, x'. split; [right; auto|].
      split; auto.
      split; auto. right. destruct Fx as [[-> [path' [= <- <-]]]| ->]; congruence.
Qed.

Lemma along_task p v q d path k : linked path -> In k (along p v q d path) ->
  exists a x', In a path /\ k = Task (arc_uses p a) (d * cost a) [x'] (makes k) /\
    copy_of (makes k) = At (Message v) (head a) /\ copy_of x' = At (Message v) (tail a).
Proof.
  destruct path as [|a0 path]; [easy|]. intros Hl Hk. apply hops_task in Hk; auto.
  destruct Hk as (a & x' & Ia & Ek & Co & Fx). exists a, x'. split; auto. split; auto. split; auto.
  destruct Fx as [[-> [path' [= <- <-]]]| ->]; reflexivity.
Qed.

Lemma numbered_in {A} (l : list A) : forall i q x, In (q, x) (number_from i l) -> In x l.
Proof. induction l as [|a l IH]; simpl; intros i q x H; auto. destruct H as [[= <- <-]|H]; eauto. Qed.

Theorem forwarding_copying p arcs members shards paths :
  proper_paths arcs members paths ->
  (forall T, never_more (allgather p arcs members shards) T ->
    never_more (forwarding p members shards paths) T) /\
  (forall T C, reached (forwarding p members shards paths) T C ->
    reached (allgather p arcs members shards) T C).
Proof.
  intros HP. apply simulation with copy_of.
  - intros k Hk. simpl in Hk. apply in_flat_map in Hk. destruct Hk as ([v d] & Hv & Hk).
    apply in_flat_map in Hk. destruct Hk as ([q path] & Hq & Hk). apply numbered_in in Hq.
    destruct (HP v path Hq) as (Inc & Hl & _).
    destruct (along_task p v q d path k Hl Hk) as (a & x' & Ia & Ek & Co & Cx).
    exists (transfer p (Message v) d a). split; [|split; [|split; [|split]]].
    + simpl. apply in_flat_map. exists (v, d). split; auto. apply in_map. auto.
    + rewrite Ek. reflexivity.
    + rewrite Ek. reflexivity.
    + rewrite Co. reflexivity.
    + intros x [<-|[]]. exists x'. rewrite Ek. simpl. auto.
  - intros x Hx. simpl in *. unfold owned in *. apply in_map_iff in Hx. destruct Hx as ([v d] & <- & H).
    apply in_map_iff. exists (v, d). auto.
  - intros x Hx. exists x. split; auto. simpl in Hx. unfold wanted_by in Hx. apply in_flat_map in Hx.
    destruct Hx as ([v d] & Hv & Hx). apply in_map_iff in Hx. destruct Hx as (u & <- & Hu). reflexivity.
Qed.

(** ** Nothing is copied at a switch: two tasks that take the same copy from a switch are the same task. *)
Lemma hops_heads p v q d path : forall x k, In k (hops p v q d x path) ->
  needs k = [x] \/ exists w, needs k = [At (Values v q) w] /\ exists l a, path = l ++ [a] /\
    In w (map head l).
Proof.
  induction path as [|a path IH]; [easy|]. intros x k Hk. destruct path as [|b path].
  - destruct Hk as [<-|[]]. auto.
  - destruct Hk as [<-|Hk]; [auto|]. right.
    destruct (@exists_last _ (a :: b :: path)) as (l & c & E); [easy|].
    assert (L : exists l', l = a :: l' /\ b :: path = l' ++ [c]).
    { destruct l as [|a' l']; [discriminate|]. injection E as <- E. eauto. }
    destruct L as (l' & -> & E').
    destruct (IH _ _ Hk) as [N|(w & N & l2 & c2 & E2 & Hw)].
    + exists (head a). split; auto. exists (a :: l'), c. split; auto. left. auto.
    + exists w. split; auto. exists (a :: l'), c. split; auto. right.
      rewrite E' in E2. apply app_inj_tail in E2. destruct E2 as [<- <-]. auto.
Qed.

Lemma hops_once p v q d path : forall x k k', NoDup (map head path) ->
  (forall w, x = At (Values v q) w -> ~ In w (map head path)) ->
  In k (hops p v q d x path) -> In k' (hops p v q d x path) -> needs k = needs k' -> k = k'.
Proof.
  induction path as [|a path IH]; [easy|]. intros x k k' ND Nx Hk Hk' E. destruct path as [|b path].
  - destruct Hk as [<-|[]], Hk' as [<-|[]]. auto.
  - assert (Other : forall j, In j (hops p v q d (At (Values v q) (head a)) (b :: path)) -> needs j <> [x]).
    { intros j Hj Ej. destruct (hops_heads _ _ _ _ _ _ _ Hj) as [N|(w & N & l & c & El & Hw)];
        rewrite Ej in N; injection N as N.
      - apply (Nx _ N). left. auto.
      - apply (Nx _ N). right. rewrite El, map_app. apply in_or_app. auto. }
    simpl in Hk, Hk'. destruct Hk as [<-|Hk], Hk' as [<-|Hk']; auto.
    + exfalso. apply (Other k'); auto.
    + exfalso. apply (Other k); auto.
    + apply NoDup_cons_iff in ND. destruct ND as [Na ND]. apply (IH (At (Values v q) (head a))); auto.
      intros w [= <-]. exact Na.
Qed.

Lemma numbered_once {A} (l : list A) : forall i q x y, In (q, x) (number_from i l) ->
  In (q, y) (number_from i l) -> x = y.
Proof.
  assert (Low : forall (l : list A) i q x, In (q, x) (number_from i l) -> (i <= q)%Z).
  { intros k. induction k as [|a k IH]; simpl; intros i q x H; [easy|]. destruct H as [[= <- <-]|H]; [lia|].
    apply IH in H. lia. }
  induction l as [|a l IH]; simpl; intros i q x y H H'; [easy|].
  destruct H as [[= <- <-]|H], H' as [[= E]|H']; auto.
  - apply Low in H'. lia.
  - subst. apply Low in H. lia.
  - eapply IH; eauto.
Qed.

Theorem leaves_once p arcs members shards paths k k' v q w :
  proper_paths arcs members paths -> NoDup (map fst shards) ->
  In k (tasks (forwarding p members shards paths)) -> In k' (tasks (forwarding p members shards paths)) ->
  In (At (Values v q) w) (needs k) -> In (At (Values v q) w) (needs k') -> k = k'.
Proof.
  intros HP once Hk Hk' N N'. simpl in Hk, Hk'.
  assert (G : forall j, In j (flat_map (fun '(v, d) => flat_map (fun '(q, path) => along p v q d path)
    (numbered (paths v))) shards) ->
    In (At (Values v q) w) (needs j) -> exists d path, In (v, d) shards /\ In (q, path) (numbered (paths v)) /\
      In j (along p v q d path) /\ needs j = [At (Values v q) w]).
  { intros j Hj Nj. apply in_flat_map in Hj. destruct Hj as ([v' d] & Hv & Hj).
    apply in_flat_map in Hj. destruct Hj as ([q' path] & Hq & Hj).
    assert (A : needs j = [At (Values v q) w] /\ v' = v /\ q' = q).
    { destruct path as [|a path]; [easy|]. destruct (hops_heads _ _ _ _ _ _ _ Hj) as [E|(w' & E & _)];
      rewrite E in Nj; destruct Nj as [Nj|[]]; [discriminate|]. injection Nj as -> -> ->. auto. }
    destruct A as (A & -> & ->). exists d, path. auto. }
  destruct (G k Hk N) as (d & path & Hv & Hq & Ik & Nk).
  destruct (G k' Hk' N') as (d' & path' & Hv' & Hq' & Ik' & Nk').
  assert (d = d').
  { clear - once Hv Hv'. induction shards as [|[u e] l IH]; [easy|]. simpl in once.
    apply NoDup_cons_iff in once.
    destruct once as [Nu once].
    destruct Hv as [[= -> ->]|Hv], Hv' as [[= E]|Hv']; auto.
    - exfalso. apply Nu. apply in_map_iff. exists (v, d'). auto.
    - subst. exfalso. apply Nu. apply in_map_iff. exists (v, d). auto. }
  subst d'. assert (path = path') by (eapply numbered_once; eauto). subst path'.
  assert (P : is_path arcs members path) by (apply (HP v); eapply numbered_in; eauto).
  destruct P as (_ & _ & ND & _). destruct path as [|a path]; [easy|]. simpl in Ik, Ik'.
  apply (hops_once p v q d (a :: path) (At (Message v) (tail a))); auto; [easy|congruence].
Qed.
