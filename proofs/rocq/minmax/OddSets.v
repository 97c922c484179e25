(** Kind "fractional-edge-coloring": a weighted graph as a sum of matchings, and a node or an odd set of nodes
    that shows that they cannot last less long (the easy half of Edmonds 1965). *)
From Coq Require Import QArith List ZArith Lia Lqa Bool.
From Exactsched.minmax Require Import Sums Definitions Tables Matchings.
Import ListNotations.
Open Scope Q_scope.

(** One node and its load, or 2k + 1 different nodes and the weight inside. *)
Definition check_witness (E : list edge) (S : list vertex) (value : Q) : bool :=
  match S with
  | [] => false
  | [x] => Qeq_bool (added (fun e => if covers e x then weight e else 0) E) value
  | _ => match distinct vertex_key S with
      | Some members =>
          let n := number S in
          let k := (n / 2)%Z in
          let member x := mem (vertex_key x) members in
          let is_inside e := member (one e) && member (other e) in
          (n =? 2 * k + 1)%Z && (0 <? k)%Z &&
          Qeq_bool (added (fun e => if is_inside e then weight e else 0) E) (value * inject_Z k)
      | None => false
      end
  end.
Definition check_fractional_edge_coloring
  (E : list edge) (D : weighted) (witness : list vertex) (value : Q) : bool :=
  check_graph E && check_decomposition E D value && check_witness E witness value.

Definition is_inside (S : list vertex) (e : edge) : bool := within S (one e) && within S (other e).
Lemma within_spec S x : within S x = true <-> In x S.
Proof.
  unfold within. rewrite existsb_exists. split. intros (y & Hy & Es). apply same_spec in Es. congruence.
  intros H. exists x. split; auto. apply same_spec. auto.
Qed.
(** At most k edges of a matching are inside a set of 2k + 1 nodes: their ends are 2 different nodes each. *)
Lemma odd_set_at_most E S k M : graph E -> odd_set S k -> matching E M ->
  (count (of_kind E (is_inside S) M) <= k)%Z.
Proof.
  intros G (_ & Size & _) (_ & _ & U). unfold of_kind. set (L := filter _ _).
  assert (N : NoDup L) by apply NoDup_filter, numbered_nodup.
  assert (In_L : forall i e, In (i, e) L -> entry E i e /\ In i M /\ In (one e) S /\ In (other e) S).
  { intros i e H. apply filter_In in H. cbn [fst snd] in H. unfold is_inside in H.
    rewrite !andb_true_iff, !within_spec, listed_spec in H. tauto. }
  assert (Nd : NoDup (flat_map (fun ie => ends (snd ie)) L)).
  { clearbody L. clear Size. induction N as [|[i e] L Hn N IH]; cbn [flat_map]; [constructor|].
    destruct (In_L i e) as (He & Hi & _); [left; auto|]. destruct (G e) as [Ne _]; [eapply entry_in; eauto|].
    assert (Out : forall x, covers e x = true -> ~ In x (flat_map (fun ie => ends (snd ie)) L)).
    { intros x Cx Hx. apply in_flat_map in Hx. destruct Hx as ([j f] & Hj & Hx).
      destruct (In_L j f) as (Hf & Hj' & _); [right; auto|].
      assert (i = j). { apply (U i j e f x); auto. apply covers_spec. cbn in Hx. intuition. }
      subst j. apply Hn. replace e with f; auto. eapply entry_unique; eauto. }
    cbn. constructor; [|constructor].
    - intros [H|H]; [congruence|]. apply (Out (one e)); auto. apply covers_spec; auto.
    - apply Out. apply covers_spec; auto.
    - apply IH. intros j f Hf. apply In_L. right; auto. }
  assert (Inc : incl (flat_map (fun ie => ends (snd ie)) L) S).
  { intros x Hx. apply in_flat_map in Hx. destruct Hx as ([j f] & Hj & Hx). apply In_L in Hj. cbn in Hx.
    destruct Hx as [<-|[<-|[]]]; tauto. }
  pose proof (NoDup_incl_length Nd Inc) as Le.
  assert (Two : length (flat_map (fun ie => ends (snd ie)) L) = (2 * length L)%nat).
  { clear. induction L as [|a L IH]; cbn [flat_map length]; auto. cbn. rewrite IH. lia. }
  unfold count in *. lia.
Qed.
Lemma inside_at_most E D S k : graph E -> odd_set S k -> decomposition E D ->
  inside E S <= total D * inject_Z k.
Proof.
  intros G O H. rewrite Qmult_comm. apply (weight_at_most E D (is_inside S)); auto.
  intros M. apply odd_set_at_most; auto.
Qed.

Lemma check_witness_sound E S value : check_witness E S value = true ->
  (exists x, load E x == value) \/ (exists S k, odd_set S k /\ inside E S == value * inject_Z k).
Proof.
  unfold check_witness. destruct S as [|x [|y S]]; [discriminate| |].
  - intros H. apply Qeq_bool_iff in H. left. exists x. unfold load. rewrite sum_filter, <- added_spec. auto.
  - remember (x :: y :: S) as T. clear. destruct (distinct vertex_key T) as [members|] eqn:D; [|discriminate].
    cbv zeta. intros H. split_tests. apply Z.eqb_eq in H. apply distinct_spec in D as [N I]. right.
    exists T, (number T / 2)%Z. rewrite added_spec in *.
    split.
    + split; [eapply nodup_keys; eauto|]. split; auto. rewrite <- number_spec. auto.
    + match goal with Q : _ == _ |- _ => rewrite <- Q end. unfold inside. rewrite sum_filter. apply sum_eq.
      intros e _.
      assert (W : forall z, within T z = mem (vertex_key z) members).
      { intros z. apply eq_true_iff_eq. rewrite within_spec, I, in_map_iff. split; [eauto|].
        intros (w & Ew & Hw). apply vertex_key_eq in Ew. congruence. }
      rewrite !W. reflexivity.
Qed.
Theorem check_fractional_edge_coloring_sound E D witness value :
  check_fractional_edge_coloring E D witness value = true -> claims_fractional_edge_coloring E value.
Proof.
  unfold check_fractional_edge_coloring. intros H. split_tests. apply check_graph_sound in H.
  match goal with K : check_decomposition _ _ _ = true |- _ => rename K into D_good end.
  apply check_decomposition_sound in D_good. destruct D_good as [HD V].
  match goal with K : check_witness _ _ _ = true |- _ => apply check_witness_sound in K as Wit end.
  split; auto. split; split; eauto.
  - intros D' HD'. destruct Wit as [(x & Hx)|(S & k & HS & ES)].
    + rewrite <- Hx. apply load_at_most; auto.
    + pose proof (inside_at_most E D' S k H HS HD') as L. rewrite ES in L. destruct HS as (_ & _ & Pos).
      rewrite Zlt_Qlt in Pos. apply Qmult_lt_0_le_reg_r with (inject_Z k); auto.
  - intros x. rewrite <- V. apply load_at_most; auto.
  - split; auto. intros S k HS. rewrite <- V. apply inside_at_most; auto.
Qed.
