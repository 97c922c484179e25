(** Edmonds: if every set of nodes without the root is entered by k arcs, there are k arc-disjoint
    spanning trees from the root. Proof of Lovász: a tree reaches so that k - 1 arcs are left everywhere. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
From Exactsched Require Import Model Collectives.
From Exactsched.existence Require Import Definitions.
Import ListNotations.

(** Counting. *)
Section Count.
Context {X : Type}.
Definition many (f : X -> bool) l := length (filter f l).
Lemma many_cons f a l : many f (a :: l) = Nat.b2n (f a) + many f l.
Proof. unfold many. simpl. destruct (f a); reflexivity. Qed.
Lemma many_app f l l' : many f (l ++ l') = many f l + many f l'.
Proof. unfold many. rewrite filter_app, app_length. reflexivity. Qed.
Lemma many_perm f l l' : Permutation l l' -> many f l = many f l'.
Proof. induction 1; rewrite ?many_cons; lia. Qed.
Lemma many_le f g l : (forall x, In x l -> f x = true -> g x = true) -> many f l <= many g l.
Proof. induction l as [|a l IH]; intros H; auto. rewrite !many_cons. assert (many f l <= many g l) by (apply
  IH; simpl in *; auto).
  specialize (H a (or_introl eq_refl)). destruct (f a), (g a); simpl; try lia. Qed.
Lemma many_eq f g l : (forall x, In x l -> f x = g x) -> many f l = many g l.
Proof. intros H. apply Nat.le_antisymm; apply many_le; intros x Hx; rewrite H; auto. Qed.
Lemma many_zero f l : (forall x, In x l -> f x = false) -> many f l = 0.
Proof. intros H. rewrite (many_eq f (fun _ => false)); auto. induction l; auto. apply IHl. simpl in *; auto.
  Qed.
Lemma many_lt f g l x : (forall x, In x l -> f x = true -> g x = true) -> In x l -> g x = true -> f x = false
  -> many f l < many g l.
Proof. intros H Hx E F. apply in_split in Hx. destruct Hx as (l1 & l2 & ->). rewrite !many_app, !many_cons, E,
  F.
  assert (many f l1 <= many g l1 /\ many f l2 <= many g l2) by (split; apply many_le; intros; apply H; auto;
    apply in_app_iff; simpl; auto).
  simpl. lia. Qed.
Lemma many_two f g h k l : (forall x, In x l -> Nat.b2n (f x) + Nat.b2n (g x) <= Nat.b2n (h x) + Nat.b2n (k x))
  ->
  many f l + many g l <= many h l + many k l.
Proof. induction l as [|a l IH]; intros H. unfold many; simpl; lia. rewrite !many_cons.
  pose proof (H a (or_introl eq_refl)). assert (many f l + many g l <= many h l + many k l); [|lia].
  apply IH. simpl in *; auto. Qed.
Lemma many_witness f g l : many g l < many f l -> exists x, In x l /\ f x = true /\ g x = false.
Proof. intros H. destruct (existsb (fun x => f x && negb (g x)) l) eqn:E.
  - apply existsb_exists in E. destruct E as (x & Hx & E). apply andb_true_iff in E. rewrite negb_true_iff in
    E. eauto.
  - exfalso. assert (many f l <= many g l); [|lia]. apply many_le. intros x Hx F. destruct (g x) eqn:G; auto.
    apply not_true_iff_false in E. exfalso. apply E, existsb_exists. exists x. rewrite F, G. auto. Qed.
End Count.

Lemma nodup_left {X} (l l' : list X) : NoDup (l ++ l') -> NoDup l.
Proof. induction l as [|a l IH]; simpl; intros H; constructor; inversion H; subst; auto. rewrite in_app_iff in
  *. auto. Qed.

(** A property of sets of nodes that looks only at the given nodes can be decided. *)
Fixpoint subsets (l : list Z) : list (list Z) :=
  match l with [] => [[]] | x :: l => map (cons x) (subsets l) ++ subsets l end.
Definition inb (l : list Z) (v : Z) : bool := existsb (Z.eqb v) l.
Lemma inb_In l v : inb l v = true <-> In v l.
Proof. unfold inb. rewrite existsb_exists. split. intros (x & H & E). apply Z.eqb_eq in E. subst; auto.
  intros H. exists v. split; auto. apply Z.eqb_refl. Qed.
Lemma filter_subsets (S : Z -> bool) l : In (filter S l) (subsets l).
Proof. induction l as [|x l IH]; simpl; auto. apply in_app_iff. destruct (S x); auto. left. apply in_map. auto.
  Qed.
Lemma decide_set (nodes : list Z) (P : (Z -> bool) -> bool) :
  (forall S S', (forall v, In v nodes -> S v = S' v) -> P S = P S') ->
  (exists S, P S = true) \/ (forall S, P S = false).
Proof.
  intros Ext. destruct (existsb (fun l => P (inb l)) (subsets nodes)) eqn:E.
  - left. apply existsb_exists in E. destruct E as (l & _ & E). eauto.
  - right. intros S. apply not_true_iff_false. intros H. apply not_true_iff_false in E. apply E, existsb_exists.
    exists (filter S nodes). split. apply filter_subsets. rewrite <- H. apply Ext. intros v Hv.
    apply eq_true_iff_eq. rewrite inb_In, filter_In. tauto.
Qed.

Section Edmonds.
Variables (nodes : list Z) (arcs : list arc) (root : Z).
Hypothesis ends : forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes.
Hypothesis root_in : In root nodes.

Definition enter (S : Z -> bool) (i : nat) : bool :=
  match nth_error arcs i with Some a => goes_in S a | None => false end.
(** Every set without the root is entered by k arcs of the list g. *)
Definition entered (k : nat) (g : list nat) : Prop :=
  forall S v, S root = false -> In v nodes -> S v = true -> k <= many (enter S) g.

Lemma enter_ext S S' i : (forall v, In v nodes -> S v = S' v) -> enter S i = enter S' i.
Proof. intros H. unfold enter. destruct (nth_error arcs i) as [a|] eqn:E; auto. apply nth_error_In, ends in E.
  unfold goes_in. rewrite !H by tauto. auto. Qed.
Lemma reaches_enter reached t S : reaches arcs root reached t -> (forall v, In v reached -> S v = false) ->
  many (enter S) t = 0.
Proof. intros G H. apply many_zero. induction G as [|reached t i a G IH E T N]. easy.
  intros j [<-|Hj]. unfold enter, goes_in. rewrite E, (H (head a)) by (simpl; auto). apply andb_false_r.
  apply IH; auto. intros v Hv. apply H. simpl; auto. Qed.
Lemma reaches_root_in reached t : reaches arcs root reached t -> In root reached.
Proof. induction 1; simpl; auto. Qed.

(** The arc by which the tree reaches. A is a set, as small as possible, that can spare no arc (or all nodes).
  *)
Lemma good_arc k g reached t rest : entered (S k) g -> reaches arcs root reached t -> Permutation g (t ++ rest)
  -> entered k rest ->
  forall A x, (A root = false \/ forall v, A v = true) -> many (enter A) rest <= k -> In x nodes -> A x = true
    -> ~ In x reached ->
  exists i a, In i rest /\ nth_error arcs i = Some a /\ In (tail a) reached /\ ~ In (head a) reached /\
    forall S, S root = false -> goes_in S a = true -> k < many (enter S) rest.
Proof.
  intros Hg G Pg Hk A. remember (many A nodes) as n eqn:En. revert A En. induction n as [n IH] using lt_wf_ind.
  intros A En x HA Tight Hx Ax Nx. pose (B v := A v && negb (inb reached v)).
  assert (HB : many (enter A) rest < many (enter B) rest).
  { assert (k < many (enter B) g). { apply (Hg B x); auto; unfold B.
      rewrite (proj2 (inb_In reached root)). apply andb_false_r. eapply reaches_root_in; eauto.
      rewrite Ax. simpl. apply negb_true_iff, not_true_iff_false. rewrite inb_In. auto. }
    rewrite (many_perm _ _ _ Pg), many_app, (reaches_enter _ _ B G) in H. lia.
    intros v Hv. unfold B. rewrite (proj2 (inb_In reached v)) by auto. apply andb_false_r. }
  apply many_witness in HB. destruct HB as (i & Hi & EB & EA).
  unfold enter in EA, EB. destruct (nth_error arcs i) as [a|] eqn:E; [|easy]. unfold goes_in, B in EA, EB.
  assert (A (tail a) = true /\ A (head a) = true /\ In (tail a) reached /\ ~ In (head a) reached) as (At & Ah &
    Rt & Rh).
  { rewrite <- !inb_In. destruct (A (tail a)), (A (head a)), (inb reached (tail a)), (inb reached (head a));
    simpl in *; easy. }
  destruct (ends a) as [Nt Nh]. eapply nth_error_In; eauto.
  destruct (decide_set nodes (fun S => negb (S root) && goes_in S a && (many (enter S) rest <=? k))) as [[S
    HS]|HS].
  - intros S S' Ext. unfold goes_in. rewrite !Ext by auto. f_equal. f_equal. apply many_eq. intros j _. apply
    enter_ext; auto.
  - (* S spares no arc either: go on with the smaller set of what S and A share *)
    rewrite !andb_true_iff, negb_true_iff, Nat.leb_le in HS. destruct HS as [[Sr Se] St]. unfold goes_in in Se.
    apply andb_true_iff in Se. destruct Se as [Stl Shd]. apply negb_true_iff in Stl.
    apply (IH (many (fun v => S v && A v) nodes)) with (A := fun v => S v && A v) (x := head a); auto.
    + subst n. apply (many_lt _ _ _ (tail a)); auto. intros v _. rewrite andb_true_iff. tauto. rewrite Stl.
      auto.
    + left. rewrite Sr. auto.
    + destruct HA as [Ar|All].
      * assert (k <= many (enter (fun v => S v || A v)) rest). { apply (Hk _ (head a)); auto. rewrite Sr, Ar.
        auto. rewrite Shd. auto. }
        assert (many (enter (fun v => S v && A v)) rest + many (enter (fun v => S v || A v)) rest <= many
          (enter S) rest + many (enter A) rest); [|lia].
        apply many_two. intros j _. unfold enter, goes_in. destruct (nth_error arcs j) as [b|]; simpl; auto.
        destruct (S (tail b)), (S (head b)), (A (tail b)), (A (head b)); simpl; lia.
      * rewrite (many_eq _ (enter S)); auto. intros j _. apply enter_ext. intros v _. rewrite All. apply
        andb_true_r.
    + rewrite Shd, Ah. auto.
  - exists i, a. repeat split; auto. intros S Sr Se. specialize (HS S). rewrite Sr, Se in HS. simpl in HS.
    apply Nat.leb_gt in HS. auto.
Qed.

Lemma one_tree k g : entered (S k) g -> exists t rest, spanning nodes arcs root t /\ Permutation g (t ++ rest)
  /\ entered k rest.
Proof.
  intros Hg.
  enough (Grow : forall n reached t rest, many (fun v => negb (inb reached v)) nodes <= n -> reaches arcs root
    reached t ->
    Permutation g (t ++ rest) -> entered k rest ->
    exists t rest, spanning nodes arcs root t /\ Permutation g (t ++ rest) /\ entered k rest).
  { apply (Grow _ [root] [] g (le_n _)); auto. constructor. intros S v Sr Hv Sv. specialize (Hg S v Sr Hv Sv).
    lia. }
  induction n as [n IH] using lt_wf_ind. intros reached t rest Hn G Pg Hk.
  destruct (existsb (fun v => negb (inb reached v)) nodes) eqn:E.
  - apply existsb_exists in E. destruct E as (x & Hx & Nx). apply negb_true_iff, not_true_iff_false in Nx.
    rewrite inb_In in Nx.
    destruct (good_arc k g reached t rest Hg G Pg Hk (fun _ => true) x) as (i & a & Hi & Ea & Ht & Hh & Good);
      auto.
    { rewrite many_zero. lia. intros j _. unfold enter, goes_in. destruct (nth_error arcs j); auto. }
    apply in_split in Hi. destruct Hi as (r1 & r2 & ->).
    assert (Pr : Permutation (r1 ++ i :: r2) (i :: r1 ++ r2)) by (symmetry; apply Permutation_middle).
    destruct (ends a) as [_ Ha]. eapply nth_error_In; eauto.
    apply (IH (many (fun v => negb (inb (head a :: reached) v)) nodes)) with (reached := head a :: reached) (t
      := i :: t) (rest := r1 ++ r2).
    + eapply Nat.lt_le_trans; [|exact Hn]. apply (many_lt _ _ _ (head a)); auto.
      * intros v _. simpl. destruct (v =? head a)%Z; simpl; auto. easy.
      * apply negb_true_iff, not_true_iff_false. rewrite inb_In. auto.
      * apply negb_false_iff. apply inb_In. simpl; auto.
    + lia.
    + econstructor; eauto.
    + rewrite Pg, Pr. simpl. symmetry. apply Permutation_middle.
    + intros S v Sr Hv Sv. pose proof (Hk S v Sr Hv Sv) as H. rewrite (many_perm _ _ _ Pr), many_cons in H.
      destruct (enter S i) eqn:En; [|simpl in H; lia].
      assert (En' : goes_in S a = true) by (unfold enter in En; rewrite Ea in En; auto). apply Good in En';
        auto.
      rewrite (many_perm _ _ _ Pr), many_cons, En in En'. simpl in En'. lia.
  - exists t, rest. split; auto. exists reached. split; auto. intros v Hv. apply inb_In.
    destruct (inb reached v) eqn:F; auto. exfalso. apply not_true_iff_false in E. apply E, existsb_exists.
      exists v. rewrite F. auto.
Qed.

Lemma many_trees k : forall g, entered k g -> exists trees rest, length trees = k /\
  (forall t, In t trees -> spanning nodes arcs root t) /\ Permutation g (concat trees ++ rest).
Proof.
  induction k as [|k IH]; intros g Hg.
  - exists [], g. simpl. repeat split; auto. easy.
  - destruct (one_tree k g Hg) as (t & rest & St & Pg & Hr). destruct (IH rest Hr) as (trees & rest' & Hl & Hs
    & Pr).
    exists (t :: trees), rest'. simpl. split. lia. split. intros t' [<-|H]; auto. rewrite Pg, Pr, app_assoc.
      auto.
Qed.

Lemma many_numbers {X} (f : X -> bool) (l : list X) :
  many (fun i => match nth_error l i with Some a => f a | None => false end) (seq 0 (length l)) = many f l.
Proof. induction l as [|a l IH]; auto. simpl length. simpl seq. rewrite !many_cons. simpl. f_equal. rewrite <-
  IH, <- seq_shift.
  generalize (seq 0 (length l)). clear. induction l0 as [|i l0 IH]; auto. simpl map. rewrite !many_cons, IH.
    reflexivity. Qed.
End Edmonds.

Theorem edmonds nodes arcs root k :
  In root nodes -> (forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes) ->
  (forall S v, S root = false -> In v nodes -> S v = true -> k <= entering S arcs) ->
  exists trees, length trees = k /\ (forall t, In t trees -> spanning nodes arcs root t) /\ NoDup (concat
    trees).
Proof.
  intros Hroot Hends H. destruct (many_trees nodes arcs root Hends Hroot k (seq 0 (length arcs))) as (trees &
    rest & Hl & Hs & P).
  - intros S v Sr Hv Sv. unfold enter. rewrite many_numbers. apply (H S v); auto.
  - exists trees. repeat split; auto. apply (nodup_left _ rest). eapply Permutation_NoDup; eauto. apply
    seq_NoDup.
Qed.

(** The condition is necessary. *)
Lemma spanning_enters nodes arcs root t S v : spanning nodes arcs root t -> S root = false -> In v nodes -> S v
  = true ->
  1 <= many (enter arcs S) t.
Proof.
  intros (reached & G & I) Sr Hv Sv. apply I in Hv. clear I. revert v Hv Sv.
  induction G as [|reached t i a G IH E T N]; intros v Hv Sv.
  - destruct Hv as [<-|[]]. congruence.
  - rewrite many_cons. destruct Hv as [<-|Hv]; [|specialize (IH v Hv Sv); lia].
    destruct (S (tail a)) eqn:F. specialize (IH (tail a) T F). lia.
    unfold enter at 1, goes_in. rewrite E, F, Sv. simpl. lia.
Qed.
Lemma spanning_numbers nodes arcs root t i : spanning nodes arcs root t -> In i t -> i < length arcs.
Proof. intros (reached & G & _). induction G as [|reached t j a G IH E T N]; simpl; intros H. easy.
  destruct H as [<-|H]; auto. apply nth_error_Some. congruence. Qed.
Theorem edmonds_iff nodes arcs root k :
  In root nodes -> (forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes) ->
  (exists trees, length trees = k /\ (forall t, In t trees -> spanning nodes arcs root t) /\ NoDup (concat
    trees)) <->
  (forall S v, S root = false -> In v nodes -> S v = true -> k <= entering S arcs).
Proof.
  intros Hr He. split; [|apply edmonds; auto]. intros (trees & <- & Sp & N) S v Sr Hv Sv.
  apply Nat.le_trans with (many (enter arcs S) (concat trees)).
  - clear N. induction trees as [|t trees IH]; simpl; [lia|]. rewrite many_app.
    assert (1 <= many (enter arcs S) t) by (eapply spanning_enters; eauto; apply Sp; left; auto).
    assert (length trees <= many (enter arcs S) (concat trees)); [|lia]. apply IH. intros; apply Sp; right;
      auto.
  - unfold entering. fold (many (goes_in S) arcs). rewrite <- (many_numbers (goes_in S) arcs). change (many
    (enter arcs S) (concat trees) <= many (enter arcs S) (seq 0 (length arcs))).
    apply NoDup_incl_length. apply NoDup_filter; auto. intros i Hi. apply filter_In in Hi. apply filter_In.
    destruct Hi as [Hi E]. split; auto. apply in_concat in Hi. destruct Hi as (t & Ht & Hi). apply in_seq.
    pose proof (spanning_numbers nodes arcs root t i (Sp t Ht) Hi). lia.
Qed.
