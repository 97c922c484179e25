(** Edmonds with capacities: whole ones, then rational ones. *)
From Coq Require Import QArith Qround List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Collectives Sums Time.
From Exactsched.existence Require Import Definitions Finite Edmonds.
Import ListNotations.
Open Scope nat_scope.

Lemma list_sum_flat {X} (f : X -> nat) (l : list X) (p : X -> bool) :
  many p (flat_map (fun i => repeat i (f i)) l) = list_sum (map f (filter p l)).
Proof.
  induction l as [|i l IH]; simpl; auto. rewrite many_app, IH.
  assert (R : forall k, many p (repeat i k) = if p i then k else 0).
  { induction k as [|k IHk]; simpl; [destruct (p i); auto|]. rewrite many_cons, IHk. destruct (p i); simpl;
    lia. }
  rewrite R. destruct (p i); simpl; auto.
Qed.
Lemma many_trees_with i trees : (forall t, In t trees -> NoDup t) ->
  trees_with i trees = many (Nat.eqb i) (concat trees).
Proof.
  induction trees as [|t trees IH]; intros H; auto. simpl concat. rewrite many_app, <- IH by (intros; apply H;
    right; auto).
  unfold trees_with. simpl. assert (E : many (Nat.eqb i) t = Nat.b2n (listed i t)).
  { assert (N : NoDup t) by (apply H; left; auto). clear - N. unfold listed.
    induction N as [|a l Ha N IH]; auto. rewrite many_cons, IH. simpl. destruct (Nat.eqb_spec i a) as [->|];
      simpl; auto.
    destruct (existsb (Nat.eqb a) l) eqn:E; auto. apply listed_in in E. contradiction. }
  rewrite E. destruct (listed i t); simpl; auto.
Qed.
Lemma reaches_nodup arcs root reached t : reaches arcs root reached t ->
  NoDup t /\ forall i, In i t -> In (head (arc_of arcs i)) reached.
Proof.
  induction 1 as [|reached t i a G (N & F) E T H].
  - split. constructor. easy.
  - assert (A : arc_of arcs i = a) by (apply nth_error_nth; auto). split.
    + constructor; auto. intros I. apply H. rewrite <- A. auto.
    + intros j [<-|Hj]. rewrite A. left; auto. right; auto.
Qed.
Lemma spanning_nodup nodes arcs root t : spanning nodes arcs root t -> NoDup t.
Proof. intros (r & G & _). apply (reaches_nodup _ _ _ _ G). Qed.

Theorem edmonds_capacitated nodes arcs root (c : nat -> nat) k : graph nodes arcs root ->
  (forall X, root_cut nodes root X -> k <= list_sum (map c (into arcs X))) <->
  exists trees, length trees = k /\ (forall t, In t trees -> spanning nodes arcs root t) /\
    forall i, i < length arcs -> trees_with i trees <= c i.
Proof.
  intros (Hroot & Hends). split.
  - intros Cut. set (orig := flat_map (fun i => repeat i (c i)) (numbers arcs)). set (g j := nth j orig 0%nat).
    assert (Orig : forall i, In i orig -> i < length arcs).
    { intros i I. apply in_flat_map in I. destruct I as (i' & I & J). apply repeat_spec in J. subst.
      apply in_seq in I. lia. }
    destruct (edmonds nodes (map (arc_of arcs) orig) root k Hroot) as (trees' & L & Sp & N).
    { intros a I. apply in_map_iff in I. destruct I as (i & <- & I). apply Hends, nth_In, Orig; auto. }
    { intros X v Xr Hv Xv. eapply Nat.le_trans. apply (Cut X). split; eauto. unfold entering.
      change (length (filter (goes_in X) (map (arc_of arcs) orig))) with (many (goes_in X) (map (arc_of arcs)
        orig)).
      assert (E : many (goes_in X) (map (arc_of arcs) orig) = many (fun i => goes_in X (arc_of arcs i)) orig).
      { clear. induction orig as [|i l IH]; auto. simpl map. rewrite !many_cons, IH. auto. }
      rewrite E. unfold orig. rewrite list_sum_flat. auto. }
    exists (map (map g) trees'). rewrite map_length. split; auto.
    assert (Tr : forall r t, reaches (map (arc_of arcs) orig) root r t -> reaches arcs root r (map g t)).
    { intros r t G. induction G as [|r t j a G IH E Ht Nh]; simpl. constructor. apply reaches_arc; auto.
      rewrite nth_error_map in E. destruct (nth_error orig j) as [i|] eqn:F; [|easy]. simpl in E. injection E
        as <-.
      unfold g. rewrite (nth_error_nth _ _ _ F). apply nth_error_nth'. apply Orig. eapply nth_error_In; eauto. }
    assert (Sp' : forall t, In t (map (map g) trees') -> spanning nodes arcs root t).
    { intros t I. apply in_map_iff in I. destruct I as (t' & <- & I). destruct (Sp t' I) as (r & G & Inc).
      exists r. auto. }
    split; auto. intros i Hi. rewrite many_trees_with by (intros t Ht; eapply spanning_nodup; eauto).
    rewrite <- concat_map.
    assert (M : forall l, many (Nat.eqb i) (map g l) = many (fun j => i =? g j) l).
    { induction l as [|j l IH]; auto. simpl map. rewrite !many_cons, IH. auto. }
    rewrite M. apply Nat.le_trans with (many (fun j => i =? g j) (seq 0 (length orig))).
    + apply NoDup_incl_length. apply NoDup_filter; auto. intros j Hj. apply filter_In in Hj. apply filter_In.
      destruct Hj as [Hj E]. split; auto. apply in_concat in Hj. destruct Hj as (t & Ht & Hj). apply in_seq.
      pose proof (spanning_numbers _ _ _ _ _ (Sp t Ht) Hj). rewrite map_length in H. lia.
    + rewrite <- M. assert (E : map g (seq 0 (length orig)) = orig).
      { unfold g. clear. induction orig as [|x l IH]; auto. simpl length. simpl seq. rewrite <- seq_shift.
        simpl map.
        rewrite map_map. f_equal. exact IH. }
      rewrite E. unfold orig. rewrite list_sum_flat. unfold numbers.
      assert (F : filter (Nat.eqb i) (seq 0 (length arcs)) = [i]).
      { assert (NS : NoDup (seq 0 (length arcs))) by apply seq_NoDup.
        assert (Is : In i (seq 0 (length arcs))) by (apply in_seq; lia).
        clear - NS Is. induction NS as [|a l Ha NS IH]; [easy|]. simpl. destruct (Nat.eqb_spec i a) as [->|Ne].
        - f_equal. assert (Z : forall y, In y l -> (a =? y) = false).
          { intros y Hy. apply Nat.eqb_neq. intros ->. auto. }
          clear - Z. induction l as [|y l IH]; auto. simpl. rewrite Z by (left; auto). apply IH. intros; apply
            Z; right; auto.
        - apply IH. destruct Is as [->|Is]; [easy|auto]. }
      rewrite F. simpl. lia.
  - intros (trees & <- & Sp & Cap) X (Xr & v & Hv & Xv).
    assert (E : forall l, (forall t, In t l -> spanning nodes arcs root t) ->
      length l <= list_sum (map (fun i => trees_with i l) (into arcs X))).
    { induction l as [|t l IH]; intros H; simpl length. lia.
      assert (IHl : length l <= list_sum (map (fun i => trees_with i l) (into arcs X))) by (apply IH; intros;
        apply H; right; auto).
      assert (One : 1 <= many (enter arcs X) t).
      { eapply spanning_enters; eauto. apply H; left; auto. }
      assert (W : exists i, In i t /\ enter arcs X i = true).
      { clear - One. unfold many in *. destruct (filter (enter arcs X) t) as [|i f] eqn:F; simpl in One; [lia|].
        exists i. apply filter_In. rewrite F. left; auto. }
      destruct W as (i & Hi & En).
      assert (Ii : In i (into arcs X)).
      { apply filter_In. unfold enter in En. destruct (nth_error arcs i) as [a|] eqn:F; [|easy].
        split. apply in_seq. assert (i < length arcs) by (apply nth_error_Some; congruence). lia.
        unfold arc_of. rewrite (nth_error_nth _ _ _ F). auto. }
      assert (Step : forall f, In i f -> list_sum (map (fun i => trees_with i l) f) + 1 <= list_sum (map (fun i
        => trees_with i (t :: l)) f)).
      { assert (Le : forall f, list_sum (map (fun i => trees_with i l) f) <= list_sum (map (fun i => trees_with
        i (t :: l)) f)).
        { induction f as [|j f IHf]; simpl; auto. unfold trees_with at 3. simpl. destruct (listed j t); simpl;
          fold (trees_with j l); lia. }
        induction f as [|j f IHf]; intros If; [easy|]. simpl. unfold trees_with at 3. simpl. specialize (Le f).
        destruct If as [->|If].
        - apply listed_in in Hi. rewrite Hi. simpl. fold (trees_with i l). lia.
        - specialize (IHf If). destruct (listed j t); simpl; fold (trees_with j l); lia. }
      specialize (Step _ Ii). lia. }
    eapply Nat.le_trans; [apply E; auto|].
    assert (Le : forall f, (forall i, In i f -> i < length arcs) -> list_sum (map (fun i => trees_with i trees)
      f) <= list_sum (map c f)).
    { induction f as [|j f IHf]; intros H; simpl; auto. specialize (Cap j (H j (or_introl eq_refl))).
      assert (list_sum (map (fun i => trees_with i trees) f) <= list_sum (map c f)) by (apply IHf; intros;
        apply H; right; auto). lia. }
    apply Le. intros i Hi. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi. lia.
Qed.

Open Scope Q_scope.

(** ** Rational capacities *)
Lemma common_multiple (l : list Q) : (forall x, In x l -> 0 <= x) ->
  exists q, (0 < q)%nat /\ forall x, In x l -> exists k, count k == count q * x.
Proof.
  induction l as [|[a b] l IH]; intros H.
  - exists 1%nat. split. lia. easy.
  - destruct IH as (q & Hq & Hl). intros; apply H; right; auto.
    assert (Hx : 0 <= a # b) by (apply H; left; auto).
    assert (Ha : (0 <= a)%Z) by (unfold Qle in Hx; simpl in Hx; lia).
    assert (Eb : count (Pos.to_nat b) == inject_Z (Zpos b)) by (unfold count; rewrite positive_nat_Z;
      reflexivity).
    assert (Ea : count (Z.to_nat a) == inject_Z a) by (unfold count; rewrite Z2Nat.id by auto; reflexivity).
    exists (Pos.to_nat b * q)%nat. split. pose proof (Pos2Nat.is_pos b). nia. intros x [<-|Hx'].
    + exists (Z.to_nat a * q)%nat. rewrite !count_mult, Ea, Eb, (Qmake_Qdiv a b). field. easy.
    + destruct (Hl x Hx') as (k & Hk). exists (Pos.to_nat b * k)%nat. rewrite !count_mult, Hk. ring.
Qed.
Lemma count_list_sum {X} (f : X -> nat) l : count (list_sum (map f l)) == sum (fun x => count (f x)) l.
Proof.
  induction l as [|x l IH]. reflexivity. simpl. unfold count in *. rewrite Nat2Z.inj_add, inject_Z_plus, IH.
    reflexivity.
Qed.
Lemma count_le_inv a b : count a <= count b -> (a <= b)%nat.
Proof. unfold count. rewrite <- Zle_Qle. lia. Qed.

Theorem edmonds_fractional nodes arcs root (z : nat -> Q) T : graph nodes arcs root ->
  (forall i, (i < length arcs)%nat -> 0 <= z i) -> 0 <= T ->
  (forall X, root_cut nodes root X -> T <= sum z (into arcs X)) ->
  exists l, trees_of_weight nodes arcs root l /\ value l == T /\
    forall i, (i < length arcs)%nat -> served i l <= z i.
Proof.
  intros G Hz HT Cut. destruct (common_multiple (T :: map z (numbers arcs))) as (q & Hq & Int).
  { intros x [<-|Hx]; auto. apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). apply in_seq in Hi. apply Hz.
    lia. }
  assert (Cq : 0 < count q) by (apply count_pos; auto).
  destruct (Int T) as (k & Hk). left; auto.
  set (c i := Z.to_nat (Qfloor (count q * z i))).
  assert (Hc : forall i, (i < length arcs)%nat -> count (c i) == count q * z i).
  { intros i Hi. destruct (Int (z i)) as (p & Hp). right. apply in_map. apply in_seq. lia.
    unfold c. rewrite (Qfloor_comp _ _ (Qeq_sym _ _ Hp)). unfold count at 2. rewrite Qfloor_Z, Nat2Z.id. exact
      Hp. }
  destruct (proj1 (edmonds_capacitated nodes arcs root c k G)) as (trees & L & Sp & Cap).
  { intros X HX. apply count_le_inv. rewrite Hk, count_list_sum.
    rewrite (sum_eq _ (fun i => count q * z i)).
    - rewrite sum_scale. specialize (Cut X HX). rewrite !(Qmult_comm (count q)). apply Qmult_le_compat_r; lra.
    - intros i Hi. apply Hc. apply filter_In in Hi. destruct Hi as [Hi _]. apply in_seq in Hi. lia. }
  assert (Iq : 0 < / count q) by (apply Qinv_lt_0_compat; auto).
  exists (map (fun t => (/ count q, t)) trees). split; [|split].
  - intros x t I. apply in_map_iff in I. destruct I as (t' & E & I). injection E as <- <-. split. lra. auto.
  - unfold value. rewrite sum_map. simpl. rewrite sum_const, L, Hk. field. lra.
  - intros i Hi. specialize (Cap i Hi). apply count_le in Cap. rewrite (Hc i Hi) in Cap.
    assert (E : served i (map (fun t => (/ count q, t)) trees) == / count q * count (trees_with i trees)).
    { unfold served, trees_with. rewrite sum_filter, sum_map. simpl.
      rewrite (Qmult_comm _ (count _)), <- sum_const, sum_filter. reflexivity. }
    rewrite E. setoid_replace (z i) with (/ count q * (count q * z i)) by (field; lra).
    rewrite !(Qmult_comm (/ count q)). apply Qmult_le_compat_r; lra.
Qed.
