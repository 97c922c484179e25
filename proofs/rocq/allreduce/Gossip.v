(** The calls of a complete sequence can be divided into two sets: one leads from every node to a node r, the
    other from r to every node. *)
From Coq Require Import ZArith List Permutation Lia.
From Exactsched Require Import Model.
From Exactsched Require Bound.
From Exactsched.allreduce Require Import Calls.
Import ListNotations.
Local Open Scope nat_scope.

(** A call comes in to Y from outside. *)
Definition comes_in (calls : list call) (Y : list node) : Prop :=
  exists u v, In (u, v) calls /\ ~ In u Y /\ In v Y.

(** An origin: a nonempty set that no call enters, while some call enters each of its proper parts. *)
Definition origin (calls : list call) (X : list node) : Prop :=
  X <> [] /\ ~ comes_in calls X /\
  forall Y, incl Y X -> Y <> [] -> ~ incl X Y -> comes_in calls Y.

(** ** Sets as lists *)
Lemma is_in_spec x X : is_in x X = true <-> In x X.
Proof. unfold is_in; destruct in_dec; split; congruence || auto. Qed.
Lemma is_in_false x X : is_in x X = false <-> ~ In x X.
Proof. rewrite <- is_in_spec. destruct (is_in x X); split; congruence || auto. Qed.
Lemma in_or_not (x : node) X : In x X \/ ~ In x X.
Proof. destruct (in_dec Z.eq_dec x X); auto. Qed.

(** ** Ways *)
Lemma leads_incl l l' u v : incl l l' -> leads l u v -> leads l' u v.
Proof. intros I; induction 1; [constructor | econstructor; eauto]. Qed.

Lemma leads_trans l u v w : leads l u v -> leads l v w -> leads l u w.
Proof. intros H; induction 1; [auto | econstructor; eauto]. Qed.

Lemma leads_one l u v : In (u, v) l -> leads l u v.
Proof. intros; econstructor; [constructor | auto]. Qed.

(** ** Every set that no call enters contains an origin: a least nonempty part that no call enters *)
Lemma comes_in_dec calls Y : {comes_in calls Y} + {~ comes_in calls Y}.
Proof.
  induction calls as [|[u v] calls IH].
  - right. intros (u & v & [] & _).
  - destruct (in_dec Z.eq_dec u Y) as [Hu|Hu], (in_dec Z.eq_dec v Y) as [Hv|Hv];
      try (left; exists u, v; simpl; tauto);
      (destruct IH as [E|E];
       [left; destruct E as (a & b & ? & ?); exists a, b; simpl; tauto
       |right; intros (a & b & [[= -> ->]|I] & ? & ?); [tauto | apply E; exists a, b; auto]]).
Qed.

Lemma comes_in_ext calls Y Y' : incl Y Y' -> incl Y' Y -> comes_in calls Y -> comes_in calls Y'.
Proof. intros I I' (u & v & ? & ? & ?). exists u, v. repeat split; auto. Qed.

Fixpoint sublists (X : list node) : list (list node) :=
  match X with [] => [[]] | x :: X => sublists X ++ map (cons x) (sublists X) end.

Lemma filter_sublists f X : In (filter f X) (sublists X).
Proof.
  induction X as [|x X IH]; simpl; auto.
  apply in_or_app. destruct (f x); [right; apply in_map; auto | auto].
Qed.

Lemma sublists_incl X Y : In Y (sublists X) -> incl Y X.
Proof.
  revert Y; induction X as [|x X IH]; simpl; intros Y H.
  - destruct H as [<-|[]]. intros y [].
  - apply in_app_or in H. destruct H as [H|H].
    + apply incl_tl; auto.
    + apply in_map_iff in H. destruct H as (Z & <- & HZ). intros y [->|I]; simpl; auto.
      right; exact (IH _ HZ _ I).
Qed.

Lemma sublists_length X Y : In Y (sublists X) -> (length Y <= length X).
Proof.
  revert Y; induction X as [|x X IH]; simpl; intros Y H.
  - destruct H as [<-|[]]; auto.
  - apply in_app_or in H. destruct H as [H|H]; [specialize (IH _ H); lia |].
    apply in_map_iff in H. destruct H as (Z & <- & HZ). specialize (IH _ HZ). simpl; lia.
Qed.

Lemma sublists_whole X Y : In Y (sublists X) -> (length X <= length Y) -> Y = X.
Proof.
  revert Y; induction X as [|x X IH]; simpl; intros Y H L.
  - destruct H as [<-|[]]; auto.
  - apply in_app_or in H. destruct H as [H|H].
    + apply sublists_length in H. lia.
    + apply in_map_iff in H. destruct H as (Z & <- & HZ). simpl in L. f_equal. apply IH; auto; lia.
Qed.

Lemma list_search {A} (P : A -> Prop) (dec : forall a, {P a} + {~ P a}) (l : list A) :
  (exists a, In a l /\ P a) \/ (forall a, In a l -> ~ P a).
Proof.
  induction l as [|a l [(b & ? & ?)|IH]].
  - right; intros a [].
  - left; exists b; simpl; auto.
  - destruct (dec a) as [H|H]; [left; exists a; simpl; auto |].
    right. intros b [->|I]; auto.
Qed.

Lemma has_origin calls : forall n X, length X <= n -> X <> [] -> ~ comes_in calls X ->
  exists X', incl X' X /\ origin calls X'.
Proof.
  induction n as [|n IH]; intros X L N E.
  - destruct X; [congruence | simpl in L; lia].
  - destruct (list_search (fun Y => Y <> [] /\ length Y < length X /\ ~ comes_in calls Y))
      with (l := sublists X) as [(Y & HY & NY & LY & EY)|H].
    + intros Y. destruct Y as [|y Y]; [right; intros [? _]; congruence|].
      destruct (Compare_dec.lt_dec (length (y :: Y)) (length X)) as [?|?]; [|right; tauto].
      destruct (comes_in_dec calls (y :: Y)); [right; tauto | left; repeat split; auto; congruence].
    + destruct (IH Y) as (X' & I & S'); auto; [lia|].
      exists X'. split; auto. apply sublists_incl in HY. eapply incl_tran; eauto.
    + exists X. split; [apply incl_refl|]. repeat split; auto.
      intros Y I NY PY.
      destruct (comes_in_dec calls Y) as [?|EY]; auto. exfalso.
      apply (H (filter (fun x => is_in x Y) X)); [apply filter_sublists|].
      assert (I1 : incl (filter (fun x => is_in x Y) X) Y).
      { intros y Hy. apply filter_In in Hy. apply is_in_spec, Hy. }
      assert (I2 : incl Y (filter (fun x => is_in x Y) X)).
      { intros y Hy. apply filter_In. rewrite is_in_spec. auto. }
      split; [|split].
      * intros Z. rewrite Z in I2. destruct Y as [|y Y]; [congruence | destruct (I2 y); simpl; auto].
      * destruct (Compare_dec.lt_dec (length (filter (fun x => is_in x Y) X)) (length X)) as [?|G]; auto.
        exfalso. apply PY. apply Compare_dec.not_lt in G.
        rewrite (sublists_whole X _ (filter_sublists _ X) G) in I1. exact I1.
      * intros Z. apply EY. eapply comes_in_ext; [| |exact Z]; auto.
Qed.

(** ** If every nonempty part of X outside X' is entered, the calls with heads outside X' lead from X' to X *)
Lemma growth (rest O : list call) (X X' : list node) (r : node) :
  ~ comes_in rest X ->
  (forall Y, incl Y X -> Y <> [] -> (forall y, In y Y -> ~ In y X') -> comes_in rest Y) ->
  (forall u v, In (u, v) rest -> In v X -> ~ In v X' -> In (u, v) O) ->
  forall n Z, (length (filter (fun x => negb (is_in x Z)) X) <= n) ->
  incl X' Z -> (forall z, In z Z -> leads O r z) -> forall x, In x X -> leads O r x.
Proof.
  intros NE HY HO. induction n as [|n IH]; intros Z L I HZ x Hx.
  - destruct (in_or_not x Z) as [?|N]; auto.
    assert (In x (filter (fun x => negb (is_in x Z)) X)) as F.
    { apply filter_In. rewrite Bool.negb_true_iff, is_in_false. auto. }
    destruct filter; [destruct F | simpl in L; lia].
  - destruct (in_or_not x Z) as [?|N]; auto.
    assert (F : In x (filter (fun x => negb (is_in x Z)) X)).
    { apply filter_In. rewrite Bool.negb_true_iff, is_in_false. auto. }
    destruct (HY (filter (fun x => negb (is_in x Z)) X)) as (u & v & C & Nu & Iv).
    + intros y Hy. apply filter_In in Hy. tauto.
    + intros E. rewrite E in F. destruct F.
    + intros y Hy Hy'. apply filter_In in Hy. rewrite Bool.negb_true_iff, is_in_false in Hy. firstorder.
    + assert (Iv' := Iv). apply filter_In in Iv'. destruct Iv' as [vX vZ].
      rewrite Bool.negb_true_iff, is_in_false in vZ.
      assert (uX : In u X). { destruct (in_or_not u X); auto. exfalso. apply NE. exists u, v. auto. }
      assert (uZ : In u Z).
      { destruct (in_or_not u Z); auto. exfalso. apply Nu. apply filter_In.
        rewrite Bool.negb_true_iff, is_in_false. auto. }
      apply (IH (v :: Z)); auto.
      * assert (F' := Bound.filter_shorter (fun x => negb (is_in x (v :: Z))) (fun x => negb (is_in x Z)) X
          v).
        enough (length (filter (fun x => negb (is_in x (v :: Z))) X) <
                length (filter (fun x => negb (is_in x Z)) X)) by lia.
        apply F'; auto.
        -- intros y. rewrite !Bool.negb_true_iff, !is_in_false. simpl. tauto.
        -- rewrite Bool.negb_false_iff, is_in_spec. simpl; auto.
        -- rewrite Bool.negb_true_iff, is_in_false. auto.
      * apply incl_tl; auto.
      * intros z [<-|Hz]; auto. econstructor; [apply HZ, uZ|]. apply HO; auto.
Qed.

Definition heads_in (X : list node) (c : call) : bool := is_in (snd c) X.

(** ** The general form, with tokens: J and O share out the calls with heads in an origin X; O leads from r to
    all of X; for each token that all of X know in the end, J leads to r from somebody in X who knows it at
    first. By induction on the calls: an origin X of c :: calls contains an origin X' of calls. If X' = X,
    then c joins J. Otherwise c enters X' and joins J, and the calls with heads in X but not in X' join O. *)
Theorem gather_and_spread_tokens calls : forall X, origin calls X ->
  exists r J O, In r X /\ Permutation (filter (heads_in X) calls) (J ++ O) /\
    (forall x, In x X -> leads O r x) /\
    forall K : node -> Prop, (forall x, In x X -> knowers calls K x) ->
      exists x, In x X /\ K x /\ leads J x r.
Proof.
  induction calls as [|c calls IH]; intros X (NX & EX & HX).
  - destruct X as [|r X]; [congruence|]. exists r, [], []. simpl.
    assert (U : forall x, In x (r :: X) -> x = r).
    { intros x Hx. destruct (Z.eq_dec x r); auto. exfalso.
      destruct (HX [r]) as (u & v & [] & _).
      - intros y [<-|[]]; simpl; auto.
      - congruence.
      - intros I. destruct (I x Hx) as [?|[]]; congruence. }
    repeat split; auto.
    + intros x Hx. rewrite (U x Hx). constructor.
    + intros K HK. exists r. split; [auto | split; [apply HK; simpl; auto | constructor]].
  - assert (ER : ~ comes_in calls X).
    { intros (u & v & ? & ? & ?). apply EX. exists u, v. simpl; auto. }
    destruct (has_origin calls (length X) X) as (X' & I & SX'); auto.
    destruct (IH X' SX') as (r & J & O & Hr & HP & HO & HJ).
    destruct c as [a b].
    destruct (list_search (fun x => ~ In x X')) with (l := X) as [(y & Hy & Ny)|Same].
    + intros x. destruct (in_dec Z.eq_dec x X'); [right|left]; tauto.
    + (* X' is a proper subset: the call enters X' *)
      assert (Hab : ~ In a X' /\ In b X').
      { destruct SX' as (N' & E' & _). destruct (HX X') as (u & v & [[= -> ->]|C] & ? & ?); auto.
        exfalso. apply E'. exists u, v. auto. }
      assert (aX : In a X).
      { destruct (in_or_not a X); auto. exfalso. apply EX. exists a, b. simpl; firstorder. }
      set (f := fun c => andb (heads_in X c) (negb (heads_in X' c))).
      exists r, ((a, b) :: J), (O ++ filter f calls).
      split; [auto|]. split; [|split].
      * assert (E : heads_in X (a, b) = true) by (apply is_in_spec; apply I; tauto).
        simpl filter. rewrite E. simpl. apply perm_skip. rewrite app_assoc. rewrite <- HP. clear - I.
        induction calls as [|c calls IHc]; simpl; auto.
        assert (F : f c = andb (heads_in X c) (negb (heads_in X' c))) by reflexivity. rewrite F.
        destruct (heads_in X c) eqn:E, (heads_in X' c) eqn:E'; simpl; auto.
        -- apply Permutation_cons_app. exact IHc.
        -- exfalso. unfold heads_in in *. rewrite is_in_spec in E'. rewrite is_in_false in E. auto.
      * intros x Hx.
        apply (growth calls (O ++ filter f calls) X X' r) with (n := length X) (Z := X'); auto.
        -- intros Y IY NY DY. destruct (HX Y) as (u & v & [[= -> ->]|C] & ? & ?); auto.
           ++ intros Q. destruct X' as [|x' X']; [destruct SX' as (SX' & _); congruence|].
              apply (DY x'); simpl; auto. apply Q, I; simpl; auto.
           ++ exfalso. apply (DY v); tauto.
           ++ exists u, v. auto.
        -- intros u v C vX vX'. apply in_or_app. right. apply filter_In. split; auto.
           unfold f, heads_in. simpl. apply is_in_spec in vX. apply is_in_false in vX'. rewrite vX, vX'. auto.
        -- clear. induction X as [|x X IHX]; simpl; auto. destruct negb; simpl; lia.
        -- apply incl_refl.
        -- intros z Hz. apply leads_incl with O; [apply incl_appl, incl_refl | auto].
      * intros K HK. destruct (HJ (tell K (a, b))) as (x & Hx & Kx & Lx).
        { intros x Hx. apply (HK x). auto. }
        assert (Lx' : leads ((a, b) :: J) x r).
        { apply leads_incl with J; [apply incl_tl, incl_refl | auto]. }
        destruct Kx as [Kx|[-> Kx]]; [exists x; auto|].
        exists a. split; [auto|]. split; [auto|].
        apply leads_trans with b; auto. apply leads_one. simpl; auto.
    + (* X' is X *)
      assert (I' : incl X X').
      { intros x Hx. destruct (in_or_not x X') as [?|N]; auto. destruct (Same x Hx N). }
      assert (HP' : Permutation (filter (heads_in X) calls) (J ++ O)).
      { rewrite <- HP. erewrite filter_ext; [apply Permutation_refl|].
        intros c. unfold heads_in. destruct (is_in (snd c) X') eqn:E.
        - apply is_in_spec. apply is_in_spec in E. auto.
        - apply is_in_false. apply is_in_false in E. auto. }
      exists r, (filter (heads_in X) [(a, b)] ++ J), O.
      split; [auto|]. split; [|split; [auto|]].
      * simpl. destruct (heads_in X (a, b)); simpl; auto.
      * intros K HK. destruct (HJ (tell K (a, b))) as (x & Hx & Kx & Lx).
        { intros x Hx. apply (HK x). auto. }
        assert (Lx' : leads (filter (heads_in X) [(a, b)] ++ J) x r)
          by (apply leads_incl with J; [apply incl_appr, incl_refl | auto]).
        destruct Kx as [Kx|[-> Kx]]; [exists x; auto|]. simpl in Hx, Lx'.
        assert (bX : In b X) by auto.
        assert (aX : In a X).
        { destruct (in_or_not a X); auto. exfalso. apply EX. exists a, b. simpl; auto. }
        exists a. split; [auto|]. split; [auto|].
        apply leads_trans with b; auto. apply leads_one.
        unfold heads_in; simpl. apply is_in_spec in bX. rewrite bX. simpl; auto.
Qed.

Lemma not_entered_ignorant calls : forall Y K, ~ comes_in calls Y -> (forall y, In y Y -> ~ K y) ->
  forall y, In y Y -> ~ knowers calls K y.
Proof.
  induction calls as [|[a b] calls IH]; simpl; auto.
  intros Y K E H. apply IH.
  - intros (u & v & ? & ? & ?). apply E. exists u, v. simpl; auto.
  - intros y Hy [Ky|[-> Ka]]; simpl in *; [firstorder|].
    destruct (in_or_not a Y) as [Ha|Ha]; [firstorder|]. apply E. exists a, b. simpl; auto.
Qed.

(** ** The theorem *)
Theorem gather_and_spread nodes calls :
  nodes <> [] ->
  among nodes calls ->
  complete nodes calls ->
  exists r J O, In r nodes /\ Permutation calls (J ++ O) /\
    (forall v, In v nodes -> leads J v r) /\ (forall v, In v nodes -> leads O r v).
Proof.
  intros N B C.
  destruct (gather_and_spread_tokens calls nodes) as (r & J & O & Hr & HP & HO & HJ).
  - split; [auto|]. split.
    + intros (u & v & I & ? & ?). apply B in I. tauto.
    + intros Y IY NY PY. destruct (comes_in_dec calls Y) as [?|E]; auto. exfalso.
      destruct (list_search (fun x => ~ In x Y)) with (l := nodes) as [(w & Hw & Nw)|H].
      * intros x. destruct (in_dec Z.eq_dec x Y); [right|left]; tauto.
      * destruct Y as [|y Y]; [congruence|].
        apply (not_entered_ignorant calls (y :: Y) (eq w)) with (y := y); simpl; auto.
        -- intros z Hz <-. apply Nw; auto.
        -- apply C; auto. apply IY; simpl; auto.
      * apply PY. intros x Hx. destruct (in_or_not x Y) as [?|Nx]; auto. destruct (H x Hx Nx).
  - exists r, J, O. split; [auto|]. split; [|split; auto].
    + rewrite <- HP.
      assert (E : filter (heads_in nodes) calls = calls).
      { assert (B' : forall c, In c calls -> heads_in nodes c = true).
        { intros [u v] I. apply B in I. apply is_in_spec. tauto. }
        clear - B'. induction calls as [|c calls IH]; simpl; auto.
        rewrite B' by (simpl; auto). rewrite IH; auto. intros; apply B'; simpl; auto. }
      rewrite E. apply Permutation_refl.
    + intros v Hv. destruct (HJ (eq v)) as (x & _ & -> & L); auto.
Qed.

(** ** The definitions agree with what is known: n members need 2n - 2 one-way calls (Harary, Schwenk 1974) *)
Lemma leads_last l u v : leads l u v -> u <> v -> exists x, In (x, v) l.
Proof. destruct 1; [congruence | eauto]. Qed.
Lemma leads_first l u v : leads l u v -> u <> v -> exists x, In (u, x) l.
Proof.
  induction 1 as [|v w L IH I]; [congruence|]. intros _.
  destruct (Z.eq_dec u v) as [->|N]; eauto.
Qed.

Theorem two_n_minus_two nodes calls :
  NoDup nodes ->
  among nodes calls ->
  complete nodes calls ->
  2 * length nodes - 2 <= length calls.
Proof.
  intros ND B C. destruct nodes as [|d nodes']; [simpl; lia|].
  destruct (gather_and_spread (d :: nodes') calls) as (r & J & O & Hr & HP & HJ & HO); auto; [congruence|].
  apply in_split in Hr. destruct Hr as (l1 & l2 & E). rewrite E in *. clear E.
  assert (ND' := ND). apply NoDup_remove in ND'. destruct ND' as [ND1 ND2].
  assert (In' : forall v, In v (l1 ++ l2) -> v <> r /\ In v (l1 ++ r :: l2)).
  { intros v Hv. split; [intros ->; auto|]. apply in_app_or in Hv. apply in_or_app. simpl. tauto. }
  assert (LJ : length (l1 ++ l2) <= length J).
  { assert (E : length (map fst J) = length J) by apply map_length. rewrite <- E. clear E.
    apply NoDup_incl_length; auto. intros v Hv. destruct (In' v Hv) as [N Iv].
    destruct (leads_first _ _ _ (HJ v Iv) N) as [x Hx]. apply in_map_iff. exists (v, x). auto. }
  assert (LO : length (l1 ++ l2) <= length O).
  { assert (E : length (map snd O) = length O) by apply map_length. rewrite <- E. clear E.
    apply NoDup_incl_length; auto. intros v Hv. destruct (In' v Hv) as [N Iv].
    destruct (leads_last _ _ _ (HO v Iv)) as [x Hx]; auto. apply in_map_iff. exists (x, v). auto. }
  rewrite (Permutation_length HP), app_length. rewrite app_length in LJ, LO |- *. simpl. lia.
Qed.
