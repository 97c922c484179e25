(** Kind "matching-decomposition": a bipartite graph as a sum of matchings that last as long as its largest
    load; and what matchings, loads and their checkers have in common in all graphs. *)
From Coq Require Import QArith List ZArith Lia Lqa Bool FMapPositive Permutation.
From Exactsched.minmax Require Import Sums Definitions Tables.
Import ListNotations.
Open Scope Q_scope.

Definition vertex_key (x : vertex) : positive :=
  match x with Left u => (key u)~0~0 | Right v => (key v)~1~0 | Vertex v => (key v)~1 end.
Definition check_graph (E : list edge) : bool :=
  all (fun e => negb (same (one e) (other e)) && less 0 (weight e)) E.
Definition check_bipartite (E : list edge) : bool :=
  all (fun e => match one e, other e with Left _, Right _ => true | _, _ => false end) E.

(** The ends of the edges of a list are all different. *)
Definition ends_of (edge_of : table edge) (M : list Z) : option (list vertex) :=
  fold_left (fun o i => match o, find i edge_of with
    | Some l, Some e => Some (one e :: other e :: l) | _, _ => None end) M (Some []).
Definition check_matching (edge_of : table edge) (M : list Z) : bool :=
  match ends_of edge_of M with
  | Some l => match distinct vertex_key l with Some _ => true | None => false end
  | None => false
  end.
Definition check_decomposition (E : list edge) (D : weighted) (value : Q) : bool :=
  let edge_of := index E in
  all (fun p => less 0 (fst p) && check_matching edge_of (snd p)) D &&
  (let served := posted key D in all_numbered (fun i e => Qeq_bool (balance served (key i)) (weight e)) E) &&
  Qeq_bool (added fst D) value.
(** Some node has this load. *)
Definition check_load (E : list edge) (value : Q) : bool :=
  let loads := posted vertex_key (rev_map (fun e => (weight e, [one e; other e])) E) in
  match E with
  | [] => Qeq_bool 0 value
  | _ => any (fun e => Qeq_bool (balance loads (vertex_key (one e))) value ||
                       Qeq_bool (balance loads (vertex_key (other e))) value) E
  end.
Definition check_matching_decomposition (E : list edge) (D : weighted) (value : Q) : bool :=
  check_graph E && check_bipartite E && check_decomposition E D value && check_load E value.

(** ** Vertices *)
Lemma same_spec x y : same x y = true <-> x = y.
Proof. destruct x, y; cbn; try easy; rewrite Z.eqb_eq; split; congruence. Qed.
Lemma vertex_key_eq x y : vertex_key x = vertex_key y -> x = y.
Proof. destruct x, y; cbn; try discriminate; intros H; injection H as H; apply key_eq in H; congruence. Qed.
Lemma vertex_eqb x y : Pos.eqb (vertex_key x) (vertex_key y) = same x y.
Proof.
  apply eq_true_iff_eq. rewrite Pos.eqb_eq, same_spec. split; [apply vertex_key_eq|congruence].
Qed.
Lemma covers_spec e x : covers e x = true <-> x = one e \/ x = other e.
Proof. unfold covers. rewrite orb_true_iff, !same_spec. intuition. Qed.
Lemma check_graph_sound E : check_graph E = true -> graph E.
Proof.
  intros H e He. apply (all_spec _ _ H) in He. split_tests. split; auto. intros S. apply same_spec in S.
  congruence.
Qed.
Lemma check_bipartite_sound E : check_bipartite E = true -> bipartite E.
Proof. intros H e He. apply (all_spec _ _ H) in He. destruct (one e), (other e); try discriminate; eauto. Qed.

(** ** Matchings *)
Definition ends (e : edge) : list vertex := [one e; other e].
Lemma ends_of_spec edge_of M : forall l0 l, fold_left (fun o i => match o, find i edge_of with
    | Some l, Some e => Some (one e :: other e :: l) | _, _ => None end) M (Some l0) = Some l ->
  exists es, Forall2 (fun i e => find i edge_of = Some e) M es /\ Permutation l (flat_map ends es ++ l0).
Proof.
  induction M as [|i M IH]; cbn [fold_left]; intros l0 l H.
  - injection H as ->. exists []. split; [constructor|reflexivity].
  - destruct (find i edge_of) as [e|] eqn:Ee.
    + apply IH in H. destruct H as (es & F & P). exists (e :: es). split; [constructor; auto|]. rewrite P.
      cbn.
      rewrite <- Permutation_middle. apply perm_skip. symmetry. apply Permutation_middle.
    + exfalso. clear - H. induction M; cbn in H; [discriminate|auto].
Qed.
Lemma check_matching_sound E M : check_matching (index E) M = true -> matching E M.
Proof.
  unfold check_matching. destruct (ends_of _ M) as [l|] eqn:El; [|easy].
  destruct (distinct _ l) as [t|] eqn:D; [|easy].
  intros _. apply distinct_spec in D. destruct D as [N _]. apply nodup_keys in N. apply ends_of_spec in El.
  destruct El as (es & F & P). rewrite app_nil_r in P. apply (Permutation_NoDup P) in N. clear P l t.
  assert (Got : forall i e, In i M -> entry E i e -> In e es /\ find i (index E) = Some e).
  { intros i e Hi He. clear N. induction F as [|j f M es Ef F IH]; [easy|]. destruct Hi as [->|Hi].
    - replace e with f. split; auto. left; auto. eapply entry_unique; eauto. apply index_spec; auto.
    - destruct (IH Hi). split; auto. right; auto. }
  split; [|split].
  - clear Got. induction F as [|j f M es Ef F IH]; [constructor|]. cbn in N. apply NoDup_cons_iff in N.
    destruct N as [N1 N].
    apply NoDup_cons_iff in N. destruct N as [_ N]. constructor; auto. intros Hj. apply N1. right.
    apply in_flat_map.
    exists f. split; [|left; auto]. clear - Hj Ef F. induction F as [|k g M es Eg F IH]; [easy|].
    destruct Hj as [->|Hj]; [left; congruence|right; auto].
  - intros i Hi. clear - F Hi. induction F as [|j f M es Ef F IH]; [easy|]. destruct Hi as [->|Hi]; auto.
    exists f. apply index_spec; auto.
  - intros i j e f x Hi Hj He Hf Cx Cy. destruct (Got _ _ Hi He) as [_ Fi].
    destruct (Got _ _ Hj Hf) as [_ Fj]. clear Got He Hf.
    assert (Out : forall M es k g, Forall2 (fun i e => find i (index E) = Some e) M es -> In k M ->
      find k (index E) = Some g ->
      covers g x = true -> In x (flat_map ends es)).
    { clear. intros M es k g F Hk Eg C. apply in_flat_map. exists g. split.
      - induction F as [|j f M es Ef F IH]; [easy|]. destruct Hk as [->|Hk]; [left; congruence|right; auto].
      - apply covers_spec in C. cbn. intuition. }
    induction F as [|k g M es Eg F IH]; [easy|]. cbn in N. apply NoDup_cons_iff in N. destruct N as [N1 N].
    apply NoDup_cons_iff in N. destruct N as [N2 N].
    assert (No : In x (flat_map ends es) -> covers g x = true -> False).
    { intros Hx C. apply covers_spec in C. destruct C as [->| ->]; [apply N1; right|apply N2]; auto. }
    destruct Hi as [->|Hi], Hj as [->|Hj]; auto.
    + exfalso. apply No; [eapply Out; eauto|congruence].
    + exfalso. apply No; [eapply Out; eauto|congruence].
Qed.
Lemma check_decomposition_sound E D value : check_decomposition E D value = true ->
  decomposition E D /\ total D == value.
Proof.
  unfold check_decomposition. intros H. split_tests. rename H into Ms. rename H1 into Served.
  rewrite added_spec in H0.
  split; auto. assert (M : forall d M, In (d, M) D -> 0 < d /\ matching E M).
  { intros d M Hd. pose proof (all_spec _ _ Ms _ Hd) as T. cbn [fst snd] in T. split_tests. split; auto.
    apply check_matching_sound; auto. }
  split; auto. intros i e He. rewrite <- balance_containing. apply Qeq_bool_iff.
  apply (all_numbered_spec _ _ Served i e He).
  intros d M' Hd. apply M in Hd. apply Hd.
Qed.

(** If a matching has at most k edges of some kind, then these weigh at most k times the total duration. *)
Definition of_kind (E : list edge) (b : edge -> bool) (M : list Z) : list (Z * edge) :=
  filter (fun ie => b (snd ie) && listed M (fst ie)) (numbered E).
Lemma weight_at_most E D b k : (forall M, matching E M -> (count (of_kind E b M) <= k)%Z) ->
  decomposition E D -> sum weight (filter b E) <= inject_Z k * total D.
Proof.
  intros Few [Ms Served]. rewrite sum_filter, <- (sum_numbered (fun e => if b e then weight e else 0)).
  rewrite (sum_eq _ (fun ie => sum (fun p => if b (snd ie) && listed (snd p) (fst ie) then fst p else 0) D)).
  2: { intros [i e] He. cbn [fst snd]. destruct (b e); cbn [andb].
       rewrite <- (Served i e He). unfold containing. apply sum_filter. rewrite sum_zero. reflexivity. }
  rewrite sum_swap. unfold total. rewrite <- sum_scale. apply sum_le. intros [d M] Hd. cbn [fst snd].
  destruct (Ms d M Hd) as [Pos HM]. apply Few in HM. rewrite Zle_Qle in HM. unfold count, of_kind in HM.
  rewrite <- (sum_filter (fun _ => d)), sum_one. rewrite (Qmult_comm d). apply Qmult_le_compat_r; lra.
Qed.
Lemma one_at_node E x M : matching E M -> (count (of_kind E (fun e => covers e x) M) <= 1)%Z.
Proof.
  intros (_ & _ & U). unfold of_kind. set (L := filter _ _).
  assert (N : NoDup L) by apply NoDup_filter, numbered_nodup.
  assert (All : forall p q, In p L -> In q L -> p = q).
  { intros [i e] [j f] Hp Hq. apply filter_In in Hp, Hq. cbn [fst snd] in *.
    rewrite andb_true_iff, listed_spec in Hp, Hq.
    assert (i = j) by (apply (U i j e f x); tauto). subst j. f_equal.
    eapply entry_unique; [apply Hp|apply Hq]. }
  unfold count. destruct L as [|p [|q L]]; cbn; try lia. exfalso. apply NoDup_cons_iff in N.
  destruct N as [N _]. apply N. left.
  apply All; cbn; auto.
Qed.
Lemma load_at_most E D x : decomposition E D -> load E x <= total D.
Proof.
  intros H. unfold load. apply Qle_trans with (inject_Z 1 * total D).
  apply weight_at_most; auto using one_at_node.
  change (inject_Z 1) with 1. lra.
Qed.

(** ** Loads *)
Lemma check_load_sound E value : check_load E value = true -> graph E -> exists x, load E x == value.
Proof.
  unfold check_load. intros H G.
  set (loads := posted vertex_key (rev_map (fun e => (weight e, [one e; other e])) E)) in H.
  assert (L : forall x, balance loads (vertex_key x) == load E x).
  { intros x. unfold loads. rewrite balance_spec, (sum_perm _ _ _ (rev_map_perm _ _)), sum_map. unfold load.
    rewrite sum_filter. apply sum_eq.
    intros e He. apply G in He. destruct He as [Ne _]. unfold times, covers. cbn [fst snd sum].
    rewrite !vertex_eqb.
    destruct (same (one e) x) eqn:A, (same (other e) x) eqn:B; cbn [orb]; try ring.
    apply same_spec in A, B. congruence. }
  destruct E as [|e E]. apply Qeq_bool_iff in H. exists (Vertex 0). rewrite <- H. reflexivity.
  apply any_spec in H. destruct H as (f & _ & H). apply orb_true_iff in H.
  destruct H as [H|H]; apply Qeq_bool_iff in H; rewrite L in H; eauto.
Qed.
Theorem check_matching_decomposition_sound E D value :
  check_matching_decomposition E D value = true -> claims_matching_decomposition E value.
Proof.
  unfold check_matching_decomposition. intros H. split_tests. apply check_graph_sound in H.
  match goal with K : check_decomposition _ _ _ = true |- _ => rename K into D_good end.
  apply check_decomposition_sound in D_good. destruct D_good as [HD V].
  match goal with K : check_load _ _ = true |- _ => apply check_load_sound in K as [x Hx]; auto end.
  split; auto. split. apply check_bipartite_sound; auto. split; split; eauto.
  - intros D' HD'. rewrite <- Hx. apply load_at_most; auto.
  - intros y. rewrite <- V. apply load_at_most; auto.
Qed.
