(** If the checker accepts the trees and the periodic schedule of a reduction, the reduction is reached. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Names Collectives Checker ScheduleSound.
From Exactsched.allreduce Require Import OrderFree Promises Schemes.
Import ListNotations.
Open Scope Z_scope.

Lemma lowest_correct q : (lowest q == q)%Q.
Proof.
  destruct q as [n d]. unfold lowest, Qeq. cbn [Qnum Qden]. set (g := Z.gcd n (Z.pos d)).
  assert (G : 0 < g).
  { pose proof (Z.gcd_nonneg n (Z.pos d)). assert (g <> 0); [|unfold g in *; lia].
    intros E. apply Z.gcd_eq_0_r in E. discriminate. }
  destruct (Z.gcd_divide_l n (Z.pos d)) as [a Ea]. destruct (Z.gcd_divide_r n (Z.pos d)) as [b Eb].
  fold g in Ea, Eb. assert (B : 0 < b) by nia.
  rewrite Eb at 2. rewrite Z.div_mul by lia. rewrite Ea at 1. rewrite Z.div_mul by lia.
  rewrite Z2Pos.id by auto. rewrite Eb, Ea at 1. ring.
Qed.

(** ** Maps from nodes *)
Lemma desk_same m v d : desk_of (put (node_code v) d m) v = d.
Proof. unfold desk_of. rewrite find_same. auto. Qed.
Lemma desk_other m u v d : u <> v -> desk_of (put (node_code u) d m) v = desk_of m v.
Proof. intros N. unfold desk_of. rewrite find_other; auto. intros E. apply node_code_inj in E. auto. Qed.
Lemma desk_none v : desk_of none v = Waits [].
Proof. unfold desk_of. rewrite find_none. auto. Qed.
Lemma gone_spec m v : gone m v = true <-> desk_of m v = Gone.
Proof. unfold gone. destruct (desk_of m v); split; congruence. Qed.

Lemma look_incl arcs l : forall r, look (array arcs) l = Some r -> incl r arcs.
Proof.
  induction l as [|i l IH]; simpl; intros r E; [injection E as <-; intros a []|].
  destruct (find i (array arcs)) as [a|] eqn:F; [|discriminate].
  destruct (look (array arcs) l) as [r'|]; [|discriminate]. injection E as <-.
  intros x [<-|Hx]; [apply array_find, nth_error_In in F; auto|apply (IH r'); auto].
Qed.

(** A call with its task, in the words of the definitions. *)
Definition tell (e : entry) : telling * task := let '(b, a, k) := e in (Telling (place_of b) a, k).

Section Scheme.
Variable p : ports.
Variable nodes : list node.
Variable arcs : list arc.
Variable blocks : list block.
(** All calls with their tasks. *)
Variable out : list (telling * task).

(** The values that are known where call number i has arrived: that of its tail, and what had arrived
    there. *)
Inductive carries : nat -> nat -> node -> Prop :=
| its_tail i c k : nth_error out i = Some (c, k) -> carries i (about c) (tail (over c))
| arrived_before i c k j w : nth_error out i = Some (c, k) ->
  In (arrival (Z.of_nat j) (tail (over c))) (needs k) ->
    carries j (about c) w -> carries i (about c) w.

Definition promise (x : state) (b : nat) (w : node) : Prop :=
  match what x with
  | Message i => exists j, i = Z.of_nat j /\ carries j b w
  | Values k m => k = Z.pos (number_of b) /\ m = k /\ In w nodes
  end.

(** What is to be shown of call number i and its task. *)
Definition fine (i : nat) (e : telling * task) : Prop :=
  let '(c, k) := e in
  In (over c) arcs /\ (about c < length blocks)%nat /\
  uses k = uses (called p blocks c) /\ lasts k = lasts (called p blocks c) /\ place (makes k) = head (over c) /\
  (makes k = arrival (Z.of_nat i) (head (over c)) \/
   makes k = whole (number_of (about c)) (head (over c)) /\ forall w, In w nodes ->
     w = head (over c) \/ w = tail (over c) \/
     exists x, In x (needs k) /\ (place x = tail (over c) \/ place x = head (over c)) /\
       promise x (about c) w).

(** Every value is at a node that has not made its call yet, which is its owner or has been called. *)
Definition located (b : nat) (heads : list node) (m : map_of desk) : Prop :=
  forall w, exists x L, desk_of m x = Waits L /\ (w = x \/ In x heads) /\
    (w = x \/ exists j, In (arrival (Z.of_nat j) x) L /\ carries j b w).
(** What has arrived at a desk is at its node. *)
Definition at_home (m : map_of desk) : Prop :=
  forall x L y, desk_of m x = Waits L -> In y L -> place y = x.

Lemma gather_fine b B heads : nth_error blocks (place_of b) = Some B -> forall l i m r m' root,
  gather_entries p (size B) b (Z.of_nat i) l m = Some (r, m', root) ->
  incl l arcs -> incl (map head l) heads -> located (place_of b) heads m -> at_home m ->
  (forall x, In x nodes \/ In x heads -> desk_of m' x = Gone \/ x = root) ->
  forall pre post, out = pre ++ map tell r ++ post -> length pre = i ->
  forall j e, nth_error (map tell r) j = Some e -> fine (i + j) e.
Proof.
  intros HB. assert (Hb : (place_of b < length blocks)%nat) by (apply nth_error_Some; congruence).
  assert (Sz : size_of blocks (place_of b) = size B)
    by (unfold size_of; rewrite (nth_error_nth _ _ _ HB); auto).
  induction l as [|a l IH]; [discriminate|].
  intros i m r m' root E Il Ih Lo Ho End pre post Eo Len j e Ej. cbn [gather_entries] in E.
  destruct (desk_of m (tail a)) as [L|] eqn:DT; [|discriminate].
  destruct (desk_of m (head a)) as [L'|] eqn:DH; [|discriminate].
  assert (Aa : In a arcs) by (apply Il; left; auto).
  assert (Hh : In (head a) heads) by (apply Ih; left; auto).
  destruct l as [|a' l'].
  - injection E as <- <- <-. destruct j as [|[|j]]; [|discriminate|discriminate]. injection Ej as <-.
    split; [exact Aa|]. split; [exact Hb|]. split; [reflexivity|]. split; [simpl; rewrite Sz; reflexivity|].
    split; [reflexivity|]. right. split; [simpl; rewrite number_place; reflexivity|]. intros w Hw. cbn [over].
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
  - destruct (gather_entries p (size B) b (Z.of_nat i + 1) (a' :: l') _) as [[[r' m''] root']|] eqn:G;
      [|discriminate].
    injection E as <- <- <-.
    assert (This : nth_error out i = Some (tell (new_entry p (size B) b a L
      (arrival (Z.of_nat i) (head a))))).
    { rewrite Eo, nth_error_app2 by lia. replace (i - length pre)%nat with 0%nat by lia. reflexivity. }
    destruct j as [|j].
    + injection Ej as <-. rewrite Nat.add_0_r.
      split; [exact Aa|]. split; [exact Hb|]. split; [reflexivity|]. split; [simpl; rewrite Sz; reflexivity|].
      split; [reflexivity|]. left. reflexivity.
    + simpl in Ej. replace (i + Datatypes.S j)%nat with (Datatypes.S i + j)%nat by lia.
      replace (Z.of_nat i + 1) with (Z.of_nat (Datatypes.S i)) in G by lia.
      refine (IH (Datatypes.S i) _ r' m'' root' G _ _ _ _ End
        (pre ++ [tell (new_entry p (size B) b a L (arrival (Z.of_nat i) (head a)))]) post _ _ j e Ej).
      * intros q Hq. apply Il. right; auto.
      * intros q Hq. apply Ih. right; auto.
      * intros w. destruct (Lo w) as (x & Lx & Dx & Wx & Cx).
        assert (New : desk_of (put (node_code (head a)) (Waits (arrival (Z.of_nat i) (head a) :: L'))
          (put (node_code (tail a)) Gone m)) (head a) = Waits (arrival (Z.of_nat i) (head a) :: L'))
            by apply desk_same.
        destruct (Z.eq_dec x (tail a)) as [->|Nt]; [|destruct (Z.eq_dec x (head a)) as [->|Nh]].
        -- exists (head a), (arrival (Z.of_nat i) (head a) :: L'). split; auto. split; auto. right. exists i.
           split; [left; auto|].
           destruct Cx as [->|(q & Iq & Cq)].
           ++ apply (its_tail i (Telling (place_of b) a) _ This).
           ++ rewrite DT in Dx. injection Dx as <-.
              apply (arrived_before i (Telling (place_of b) a) _ q w This); auto.
        -- exists (head a), (arrival (Z.of_nat i) (head a) :: L'). split; auto. split; auto.
           destruct Cx as [->|(q & Iq & Cq)]; auto. right. rewrite DH in Dx. injection Dx as <-.
           exists q. split; [right|]; auto.
        -- exists x, Lx. rewrite !desk_other by auto. auto.
      * intros x Lx y Dx Iy. destruct (Z.eq_dec x (head a)) as [->|Nh].
        { rewrite desk_same in Dx. injection Dx as <-. destruct Iy as [<-|Iy]; auto.
          apply (Ho (head a) L'); auto. }
        rewrite desk_other in Dx by auto. destruct (Z.eq_dec x (tail a)) as [->|Nt].
        { rewrite desk_same in Dx. discriminate. }
        rewrite desk_other in Dx by auto. apply (Ho x Lx); auto.
      * rewrite Eo, <- app_assoc. reflexivity.
      * rewrite app_length. simpl. lia.
Qed.

Lemma spread_fine b B l i : nth_error blocks (place_of b) = Some B -> incl l arcs ->
  forall j e, nth_error (map tell (map (spread_entry p (size B) b) l)) j = Some e -> fine (i + j) e.
Proof.
  intros HB Il j e Ej. rewrite !nth_error_map in Ej. destruct (nth_error l j) as [a|] eqn:Ea; [|discriminate].
  injection Ej as <-. assert (Aa : In a arcs) by (apply Il; eapply nth_error_In; eauto).
  split; [exact Aa|]. split; [apply nth_error_Some; simpl; congruence|]. split; [reflexivity|].
  split; [unfold called, size_of; simpl; rewrite (nth_error_nth _ _ _ HB); reflexivity|].
  split; [reflexivity|].
  right. split; [simpl; rewrite number_place; reflexivity|]. intros w Hw. right. right.
  exists (whole b (tail a)).
  split; [left; auto|]. split; [auto|]. split; auto. simpl. rewrite number_place. auto.
Qed.

Lemma form_fine i f r : form_entries p nodes (array blocks) (array arcs) (Z.of_nat i) f = Some r ->
  forall pre post, out = pre ++ map tell r ++ post -> length pre = i ->
  forall j e, nth_error (map tell r) j = Some e -> fine (i + j) e.
Proof.
  unfold form_entries. destruct (find (of_block f) (array blocks)) as [B|] eqn:EB; [|discriminate].
  destruct (look (array arcs) (gathering f)) as [U|] eqn:EU; [|discriminate].
  destruct (look (array arcs) (spreading f)) as [D|] eqn:ED; [|discriminate].
  destruct (gather_entries p (size B) (of_block f) (Z.of_nat i) U none) as [[[r' m'] root]|] eqn:G;
    [|discriminate].
  destruct (all_gone nodes U m' root) eqn:E; [|discriminate].
  intros [= <-] pre post Eo Len j e Ej. apply array_find in EB.
  unfold all_gone in E. rewrite andb_true_iff, !forallb_forall in E. destruct E as [E1 E2].
  apply look_incl in EU, ED. rewrite map_app in Ej, Eo.
  destruct (Nat.lt_ge_cases j (length (map tell r'))) as [Lj|Lj].
  - rewrite nth_error_app1 in Ej by auto. rewrite <- app_assoc in Eo.
    refine (gather_fine (of_block f) B (map head U) EB U i none r' m' root G EU (incl_refl _) _ _ _
      pre (map tell (map (spread_entry p (size B) (of_block f)) D) ++ post) Eo Len j e Ej).
    + intros w. exists w, []. rewrite desk_none. auto.
    + intros x L y Dx Iy. rewrite desk_none in Dx. injection Dx as <-. destruct Iy.
    + assert (Ok : forall x, gone m' x || (x =? root) = true -> desk_of m' x = Gone \/ x = root).
      { intros x Hx. apply orb_true_iff in Hx. rewrite gone_spec, Z.eqb_eq in Hx. auto. }
      intros x [Hx|Hx]; [apply Ok, E1; auto|]. apply in_map_iff in Hx. destruct Hx as (a & <- & Ha).
      apply Ok. apply (E2 a Ha).
  - rewrite nth_error_app2 in Ej by auto.
    replace (i + j)%nat with (i + length (map tell r') + (j - length (map tell r')))%nat by lia.
    apply (spread_fine (of_block f) B D _ EB ED _ _ Ej).
Qed.

Lemma length_sum {A} (l : list A) : sumZ (fun _ => 1) l = Z.of_nat (length l).
Proof. induction l as [|x l IH]; auto. rewrite sumZ_cons, IH. cbn [length]. lia. Qed.

Lemma all_fine forms : forall i r, all_entries p nodes (array blocks) (array arcs) (Z.of_nat i) forms = Some r
  ->
  forall pre post, out = pre ++ map tell r ++ post -> length pre = i ->
  forall j e, nth_error (map tell r) j = Some e -> fine (i + j) e.
Proof.
  induction forms as [|f forms IH]; simpl; intros i r E pre post Eo Len j e Ej.
  - injection E as <-. destruct j; discriminate.
  - destruct (form_entries p nodes (array blocks) (array arcs) (Z.of_nat i) f) as [l|] eqn:F; [|discriminate].
    rewrite length_sum in E.
    destruct (all_entries p nodes (array blocks) (array arcs) (Z.of_nat i + Z.of_nat (length l)) forms) as
      [r'|] eqn:A;
      [|discriminate]. injection E as <-. rewrite map_app in Ej, Eo. rewrite <- app_assoc in Eo.
    assert (Ll : length (map tell l) = length l) by apply map_length.
    destruct (Nat.lt_ge_cases j (length l)) as [Lj|Lj].
    + rewrite nth_error_app1 in Ej by lia. apply (form_fine i f l F pre (map tell r' ++ post) Eo Len j e Ej).
    + rewrite nth_error_app2 in Ej by lia. rewrite Ll in Ej. rewrite <- Nat2Z.inj_add in A.
      replace (i + j)%nat with (i + length l + (j - length l))%nat by lia.
      apply (IH _ _ A (pre ++ map tell l) post); auto.
      * rewrite <- app_assoc. auto.
      * rewrite app_length. lia.
Qed.
End Scheme.

Lemma wants_spec blocks : forall n b B v, nth_error blocks b = Some B -> In v (targets B) ->
  In (whole (number_of (place_of n + b)) v) (wants_from n blocks).
Proof.
  induction blocks as [|B' blocks IH]; intros n b B v E Hv; [destruct b; discriminate|].
  simpl. apply in_or_app. destruct b as [|b]; simpl in E.
  - injection E as ->. left. rewrite Nat.add_0_r, number_place. apply in_map. auto.
  - right. replace (place_of n + Datatypes.S b)%nat with (place_of (Pos.succ n) + b)%nat
      by (rewrite place_succ; lia).
    apply (IH _ b B); auto.
Qed.

(** Sizes and costs must be positive; the checkers of schedules look at that. *)
Section Kept.
Variable p : ports.
Variable nodes : list node.
Variable arcs : list arc.
Variable blocks : list block.
Variable entries : list entry.
Let S := System (map snd entries) [] (wants_from 1 blocks).

Lemma scheme_fine forms : scheme p nodes arcs blocks forms = Some entries ->
  forall i e, nth_error (map tell entries) i = Some e -> fine p nodes arcs blocks (map tell entries) i e.
Proof.
  intros E i e Hi. apply (all_fine p nodes arcs blocks (map tell entries) forms 0 entries E [] []); auto.
  simpl. rewrite app_nil_r. auto.
Qed.
Let out := map tell entries.
Hypothesis Fine : forall i e, nth_error out i = Some e -> fine p nodes arcs blocks out i e.
Lemma fine_same c k : In (c, k) out ->
  uses k = uses (called p blocks c) /\ lasts k = lasts (called p blocks c) /\ place (makes k) = head (over c).
Proof. intros H. apply In_nth_error in H. destruct H as [i Hi]. destruct (Fine i _ Hi) as (_ & _ & H). tauto.
Qed.
Lemma fine_kept c k b w : In (c, k) out -> promise nodes out (makes k) b w ->
  w = head (over c) \/
  b = about c /\ (w = tail (over c) \/
    exists x, In x (needs k) /\ place x = tail (over c) /\ promise nodes out x b w) \/
  exists x, In x (needs k) /\ place x = head (over c) /\ promise nodes out x b w.
Proof.
  intros H Pr. apply In_nth_error in H. destruct H as [i Hi].
  destruct (Fine i _ Hi) as (_ & _ & _ & _ & _ & [Mk|[Mk Wh]]); rewrite Mk in Pr; unfold promise in Pr;
    simpl in Pr.
  - destruct Pr as (j & Ej & Cj). apply Nat2Z.inj in Ej. subst j. right. left.
    inversion Cj as [? c' k' Hi' | ? c' k' j ? Hi' Hn Cj']; subst; rewrite Hi in Hi';
      injection Hi' as <- <-.
    + split; auto.
    + split; auto. right. exists (arrival (Z.of_nat j) (tail (over c))). split; auto. split; auto.
      exists j. auto.
  - destruct Pr as (Eb & _ & Hw). injection Eb as Eb.
    assert (about c = b) by (rewrite <- (place_number b), <- (place_number (about c)); congruence). subst b.
    destruct (Wh w Hw) as [->|[->|(x & Hx & Px & Prx)]]; auto 6.
    destruct Px as [Px|Px]; right; [left; split; auto; right|right]; exists x; auto.
Qed.
Lemma fine_allowed : allowed arcs blocks (map fst out).
Proof.
  intros c Hc. apply in_map_iff in Hc. destruct Hc as ([c' k] & <- & H). apply In_nth_error in H.
  destruct H as [i Hi]. destruct (Fine i _ Hi) as (? & ? & _). auto.
Qed.
Lemma wants_promised b B v w : nth_error blocks b = Some B -> In v (targets B) -> In w nodes ->
  exists x, In x (wants_from 1 blocks) /\ place x = v /\ promise nodes out x b w.
Proof.
  intros HB Hv Hw. exists (whole (number_of b) v).
  split; [apply (wants_spec blocks 1 b B); auto|]. split; auto. split; auto.
Qed.

Lemma scheme_kept : (forall e, In e entries -> (0 < lasts (snd e))%Q) ->
  (forall T C, reached S T C -> reduces p nodes arcs blocks T C) /\
  (forall M K, done_by S M K -> reduced_by p nodes arcs blocks M K).
Proof.
  intros pos. assert (Snd : map snd entries = map snd out).
  { unfold out. rewrite map_map. apply map_ext. intros [[b a] k]. reflexivity. }
  unfold S. rewrite Snd.
  assert (longer : forall c k, In (c, k) out -> (0 < lasts k)%Q).
  { intros c k H. apply in_map_iff in H. destruct H as ([[b a] k'] & [= <- <-] & H). apply (pos _ H). }
  split; intros; [eapply promised_reached|eapply promised_done];
    eauto using fine_same, fine_kept, fine_allowed, wants_promised.
Qed.
End Kept.
