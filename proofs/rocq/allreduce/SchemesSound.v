(** If the checker accepts the trees and the periodic schedule of a reduction, the reduction is reached. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool FMapPositive.
From Exactsched Require Import Model Names Collectives Checker.
From Exactsched.allreduce Require Import OrderFree Promises Schemes.
Import ListNotations.
Open Scope Z_scope.

(** ** Maps from nodes *)
Lemma desk_same m v d : desk_of (put (node_code v) d m) v = d.
Proof. unfold desk_of, find, put. rewrite PositiveMap.gss. auto. Qed.
Lemma desk_other m u v d : u <> v -> desk_of (put (node_code u) d m) v = desk_of m v.
Proof.
  intros N. unfold desk_of, find, put. rewrite PositiveMap.gso; auto.
  intros E. apply node_code_inj in E. auto.
Qed.
Lemma desk_none v : desk_of none v = Waits [].
Proof. unfold desk_of, find, none. rewrite PositiveMap.gempty. auto. Qed.
Lemma gone_spec m v : gone m v = true <-> desk_of m v = Gone.
Proof. unfold gone. destruct (desk_of m v); split; congruence. Qed.

Lemma array_from_find {A} (l : list A) : forall q m i x, find i (array_from q l m) = Some x ->
  In x l \/ find i m = Some x.
Proof.
  induction l as [|a l IH]; simpl; intros q m i x E; auto. apply IH in E. destruct E as [E|E]; auto.
  unfold find, put in E. destruct (Pos.eq_dec q i) as [->|N].
  - rewrite PositiveMap.gss in E. injection E as ->. auto.
  - rewrite PositiveMap.gso in E by auto. auto.
Qed.
Lemma array_find {A} (l : list A) i x : find i (array l) = Some x -> In x l.
Proof.
  intros E. apply array_from_find in E. destruct E as [E|E]; auto.
  unfold find, none in E. rewrite PositiveMap.gempty in E. discriminate.
Qed.
Lemma look_incl arcs l : forall r, look (array arcs) l = Some r -> incl r arcs.
Proof.
  induction l as [|i l IH]; simpl; intros r E; [injection E as <-; intros a []|].
  destruct (find i (array arcs)) as [a|] eqn:F; [|discriminate].
  destruct (look (array arcs) l) as [r'|]; [|discriminate]. injection E as <-.
  intros x [<-|Hx]; [apply array_find in F; auto|apply (IH r'); auto].
Qed.

Section Scheme.
Variable p : ports.
Variable nodes : list node.
Variable arcs : list arc.
Variable blocks : list block.
(** All calls with their tasks. *)
Variable out : list (telling * task).

(** The values that are known where call number i has arrived: that of its tail, and what had arrived there. *)
Inductive carries : nat -> nat -> node -> Prop :=
| its_tail i c k : nth_error out i = Some (c, k) -> carries i (about c) (tail (over c))
| arrived_before i c k j w : nth_error out i = Some (c, k) -> In (arrival (Z.of_nat j) (tail (over c))) (needs k) ->
    carries j (about c) w -> carries i (about c) w.

Definition promise (x : state) (b : nat) (w : node) : Prop :=
  match what x with
  | Message i => exists j, i = Z.of_nat j /\ carries j b w
  | Values k m => k = Z.of_nat b /\ In w nodes
  end.

(** What is to be shown of call number i and its task. *)
Definition fine (i : nat) (e : telling * task) : Prop :=
  let '(c, k) := e in
  In (over c) arcs /\ (about c < length blocks)%nat /\
  uses k = uses (called p blocks c) /\ lasts k = lasts (called p blocks c) /\ place (makes k) = head (over c) /\
  (makes k = arrival (Z.of_nat i) (head (over c)) \/
   makes k = whole (about c) (head (over c)) /\ forall w, In w nodes ->
     w = head (over c) \/ w = tail (over c) \/
     exists x, In x (needs k) /\ (place x = tail (over c) \/ place x = head (over c)) /\ promise x (about c) w).

(** Every value is at a node that has not made its call yet, which is its owner or has been called. *)
Definition located (b : nat) (heads : list node) (m : map_of desk) : Prop :=
  forall w, exists x L, desk_of m x = Waits L /\ (w = x \/ In x heads) /\
    (w = x \/ exists j, In (arrival (Z.of_nat j) x) L /\ carries j b w).
(** What has arrived at a desk is at its node. *)
Definition at_home (m : map_of desk) : Prop :=
  forall x L y, desk_of m x = Waits L -> In y L -> place y = x.

Lemma gather_fine b heads : (b < length blocks)%nat -> forall l i m r m' root,
  gather_entries p blocks b (Z.of_nat i) l m = Some (r, m', root) ->
  incl l arcs -> incl (map head l) heads -> located b heads m -> at_home m ->
  (forall x, In x nodes \/ In x heads -> desk_of m' x = Gone \/ x = root) ->
  forall pre post, out = pre ++ r ++ post -> length pre = i ->
  forall j e, nth_error r j = Some e -> fine (i + j) e.
Proof.
  intros Hb. induction l as [|a l IH]; [discriminate|].
  intros i m r m' root E Il Ih Lo Ho End pre post Eo Len j e Ej. cbn [gather_entries] in E.
  destruct (desk_of m (tail a)) as [L|] eqn:DT; [|discriminate].
  destruct (desk_of m (head a)) as [L'|] eqn:DH; [|discriminate].
  destruct (Z.eqb_spec (tail a) (head a)) as [|Nth]; [discriminate|].
  assert (Aa : In a arcs) by (apply Il; left; auto).
  assert (Hh : In (head a) heads) by (apply Ih; left; auto).
  destruct l as [|a' l'].
  - injection E as <- <- <-. destruct j as [|[|j]]; [|discriminate|discriminate]. injection Ej as <-.
    split; [exact Aa|]. split; [exact Hb|]. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|].
    right. split; [reflexivity|]. intros w Hw. cbn [over].
    destruct (Lo w) as (x & Lx & Dx & Wx & Cx).
    assert (Hx : desk_of (put (node_code (tail a)) Gone m) x = Gone \/ x = head a).
    { apply End. destruct Wx as [->|Wx]; auto. }
    destruct (Z.eq_dec x (tail a)) as [->|Nt].
    + destruct Cx as [->|(q & Iq & Cq)]; auto. right. right. rewrite DT in Dx. injection Dx as <-.
      exists (arrival (Z.of_nat q) (tail a)). split; [apply in_or_app; auto|]. split; [auto|].
      exists q. auto.
    + assert (x = head a).
      { destruct Hx as [Hx|Hx]; auto. rewrite desk_other in Hx by auto. congruence. }
      subst x. destruct Cx as [->|(q & Iq & Cq)]; auto. right. right. rewrite DH in Dx. injection Dx as <-.
      exists (arrival (Z.of_nat q) (head a)). split; [apply in_or_app; auto|]. split; [auto|].
      exists q. auto.
  - destruct (gather_entries p blocks b (Z.of_nat i + 1) (a' :: l') _) as [[[r' m''] root']|] eqn:G; [|discriminate].
    injection E as <- <- <-.
    assert (This : nth_error out i = Some (entry p blocks b a L (arrival (Z.of_nat i) (head a)))).
    { rewrite Eo, nth_error_app2 by lia. replace (i - length pre)%nat with 0%nat by lia. reflexivity. }
    destruct j as [|j].
    + injection Ej as <-. rewrite Nat.add_0_r.
      split; [exact Aa|]. split; [exact Hb|]. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|].
      left. reflexivity.
    + simpl in Ej. replace (i + Datatypes.S j)%nat with (Datatypes.S i + j)%nat by lia.
      replace (Z.of_nat i + 1) with (Z.of_nat (Datatypes.S i)) in G by lia.
      refine (IH (Datatypes.S i) _ r' m'' root' G _ _ _ _ End
        (pre ++ [entry p blocks b a L (arrival (Z.of_nat i) (head a))]) post _ _ j e Ej).
      * intros q Hq. apply Il. right; auto.
      * intros q Hq. apply Ih. right; auto.
      * intros w. destruct (Lo w) as (x & Lx & Dx & Wx & Cx).
        assert (New : desk_of (put (node_code (head a)) (Waits (arrival (Z.of_nat i) (head a) :: L'))
          (put (node_code (tail a)) Gone m)) (head a) = Waits (arrival (Z.of_nat i) (head a) :: L')) by apply desk_same.
        destruct (Z.eq_dec x (tail a)) as [->|Nt]; [|destruct (Z.eq_dec x (head a)) as [->|Nh]].
        -- exists (head a), (arrival (Z.of_nat i) (head a) :: L'). split; auto. split; auto. right. exists i.
           split; [left; auto|]. change b with (about (fst (entry p blocks b a L (arrival (Z.of_nat i) (head a))))).
           destruct Cx as [->|(q & Iq & Cq)].
           ++ apply (its_tail i (Telling b a) _ This).
           ++ rewrite DT in Dx. injection Dx as <-.
              apply (arrived_before i (Telling b a) _ q w This); auto.
        -- exists (head a), (arrival (Z.of_nat i) (head a) :: L'). split; auto. split; auto.
           destruct Cx as [->|(q & Iq & Cq)]; auto. right. rewrite DH in Dx. injection Dx as <-.
           exists q. split; [right|]; auto.
        -- exists x, Lx. rewrite !desk_other by auto. auto.
      * intros x Lx y Dx Iy. destruct (Z.eq_dec x (head a)) as [->|Nh].
        { rewrite desk_same in Dx. injection Dx as <-. destruct Iy as [<-|Iy]; auto. apply (Ho (head a) L'); auto. }
        rewrite desk_other in Dx by auto. destruct (Z.eq_dec x (tail a)) as [->|Nt].
        { rewrite desk_same in Dx. discriminate. }
        rewrite desk_other in Dx by auto. apply (Ho x Lx); auto.
      * rewrite Eo, <- app_assoc. reflexivity.
      * rewrite app_length. simpl. lia.
Qed.

Lemma spread_fine b l i : (b < length blocks)%nat -> incl l arcs ->
  forall j e, nth_error (map (spread_entry p blocks b) l) j = Some e -> fine (i + j) e.
Proof.
  intros Hb Il j e Ej. rewrite nth_error_map in Ej. destruct (nth_error l j) as [a|] eqn:Ea; [|discriminate].
  injection Ej as <-. assert (Aa : In a arcs) by (apply Il; eapply nth_error_In; eauto).
  split; [exact Aa|]. split; [exact Hb|]. split; [reflexivity|]. split; [reflexivity|]. split; [reflexivity|].
  right. split; [reflexivity|]. intros w Hw. right. right. exists (whole b (tail a)).
  split; [left; auto|]. split; [auto|]. split; auto.
Qed.

Lemma form_fine i f r : form_entries p nodes blocks (array arcs) (Z.of_nat i) f = Some r ->
  forall pre post, out = pre ++ r ++ post -> length pre = i ->
  forall j e, nth_error r j = Some e -> fine (i + j) e.
Proof.
  unfold form_entries. destruct (look (array arcs) (gathering f)) as [U|] eqn:EU; [|discriminate].
  destruct (look (array arcs) (spreading f)) as [D|] eqn:ED; [|discriminate].
  destruct (gather_entries p blocks (of_block f) (Z.of_nat i) U none) as [[[r' m'] root]|] eqn:G; [|discriminate].
  destruct (all_gone nodes U m' root && (of_block f <? length blocks)%nat) eqn:E; [|discriminate].
  intros [= <-] pre post Eo Len j e Ej. apply andb_true_iff in E. destruct E as [E Hb]. apply Nat.ltb_lt in Hb.
  unfold all_gone in E. rewrite andb_true_iff, !forallb_forall in E. destruct E as [E1 E2].
  apply look_incl in EU, ED.
  destruct (Nat.lt_ge_cases j (length r')) as [Lj|Lj].
  - rewrite nth_error_app1 in Ej by auto. rewrite <- app_assoc in Eo.
    refine (gather_fine (of_block f) (map head U) Hb U i none r' m' root G EU (incl_refl _) _ _ _
      pre (map (spread_entry p blocks (of_block f)) D ++ post) Eo Len j e Ej).
    + intros w. exists w, []. rewrite desk_none. auto.
    + intros x L y Dx Iy. rewrite desk_none in Dx. injection Dx as <-. destruct Iy.
    + assert (Ok : forall x, gone m' x || (x =? root) = true -> desk_of m' x = Gone \/ x = root).
      { intros x Hx. apply orb_true_iff in Hx. rewrite gone_spec, Z.eqb_eq in Hx. auto. }
      intros x [Hx|Hx]; [apply Ok, E1; auto|]. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha).
      apply Ok. apply (E2 a Ha).
  - rewrite nth_error_app2 in Ej by auto.
    replace (i + j)%nat with (i + length r' + (j - length r'))%nat by lia.
    apply (spread_fine (of_block f) D (i + length r') Hb ED _ _ Ej).
Qed.

Lemma all_fine forms : forall i r, all_entries p nodes blocks (array arcs) (Z.of_nat i) forms = Some r ->
  forall pre post, out = pre ++ r ++ post -> length pre = i ->
  forall j e, nth_error r j = Some e -> fine (i + j) e.
Proof.
  induction forms as [|f forms IH]; simpl; intros i r E pre post Eo Len j e Ej.
  - injection E as <-. destruct j; discriminate.
  - destruct (form_entries p nodes blocks (array arcs) (Z.of_nat i) f) as [l|] eqn:F; [|discriminate].
    destruct (all_entries p nodes blocks (array arcs) (Z.of_nat i + Z.of_nat (length l)) forms) as [r'|] eqn:A;
      [|discriminate]. injection E as <-. rewrite <- app_assoc in Eo.
    destruct (Nat.lt_ge_cases j (length l)) as [Lj|Lj].
    + rewrite nth_error_app1 in Ej by auto. apply (form_fine i f l F pre (r' ++ post) Eo Len j e Ej).
    + rewrite nth_error_app2 in Ej by auto. rewrite <- Nat2Z.inj_add in A.
      replace (i + j)%nat with (i + length l + (j - length l))%nat by lia.
      apply (IH _ _ A (pre ++ l) post); auto.
      * rewrite <- app_assoc. auto.
      * rewrite app_length. lia.
Qed.
End Scheme.

Lemma wants_spec blocks : forall b0 b B v, nth_error blocks b = Some B -> In v (targets B) ->
  In (whole (b0 + b) v) (wants_from b0 blocks).
Proof.
  induction blocks as [|B' blocks IH]; intros b0 b B v E Hv; [destruct b; discriminate|].
  simpl. apply in_or_app. destruct b as [|b]; simpl in E.
  - injection E as ->. left. rewrite Nat.add_0_r. apply in_map. auto.
  - right. replace (b0 + Datatypes.S b)%nat with (Datatypes.S b0 + b)%nat by lia. apply (IH _ b B); auto.
Qed.

(** Sizes and costs must be positive; the checker of the schedule looks at that. *)
Theorem scheme_reached p nodes arcs blocks forms entries T C :
  scheme p nodes arcs blocks forms = Some entries ->
  (forall c k, In (c, k) entries -> (0 < lasts k)%Q) ->
  reached (System (map snd entries) [] (wants_from 0 blocks)) T C -> reduces p nodes arcs blocks T C.
Proof.
  intros E pos R. unfold scheme in E.
  assert (Fine : forall i e, nth_error entries i = Some e -> fine p nodes arcs blocks entries i e).
  { intros i e Hi. apply (all_fine p nodes arcs blocks entries forms 0 entries E [] []); auto.
    simpl. rewrite app_nil_r. auto. }
  apply (promised_reached p nodes arcs blocks entries (wants_from 0 blocks) (promise nodes entries)); auto.
  - intros c k H. apply In_nth_error in H. destruct H as [i Hi]. destruct (Fine i _ Hi) as (_ & _ & H). tauto.
  - intros c k b w H Pr. apply In_nth_error in H. destruct H as [i Hi].
    destruct (Fine i _ Hi) as (_ & _ & _ & _ & _ & [Mk|[Mk Wh]]); rewrite Mk in Pr; unfold promise in Pr; simpl in Pr.
    + destruct Pr as (j & Ej & Cj). apply Nat2Z.inj in Ej. subst j. right. left.
      inversion Cj as [? c' k' Hi' | ? c' k' j ? Hi' Hn Cj']; subst; rewrite Hi in Hi'; injection Hi' as <- <-.
      * split; auto.
      * split; auto. right. exists (arrival (Z.of_nat j) (tail (over c))). split; auto. split; auto.
        exists j. auto.
    + destruct Pr as [Eb Hw]. apply Nat2Z.inj in Eb. subst b. destruct (Wh w Hw) as [->|[->|(x & Hx & Px & Prx)]]; auto 6.
      destruct Px as [Px|Px]; right; [left; split; auto; right|right]; exists x; auto.
  - intros c Hc. apply in_map_iff in Hc. destruct Hc as ([c' k] & <- & H). apply In_nth_error in H.
    destruct H as [i Hi]. destruct (Fine i _ Hi) as (? & ? & _). auto.
  - intros b B v w HB Hv Hw. exists (whole b v). split; [apply (wants_spec blocks 0 b B); auto|].
    split; auto. split; auto.
Qed.
