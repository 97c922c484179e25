(** Kinds "branching-packing", "unmet-demand", "concurrent-branching-packing": branchings that share
    capacities, and a set of nodes that shows that no more of them fit (the easy half of Edmonds 1973). *)
From Coq Require Import QArith List ZArith Lia Lqa Bool FMapPositive Permutation.
From Exactsched.minmax Require Import Sums Definitions Tables Networks.
Import ListNotations.
Open Scope Q_scope.

(** The heads of the arcs, which are different and no roots; and for each node the heads of what leaves it. *)
Definition children (c : table (list Z)) (v : Z) : list Z := match find v c with Some l => l | None => [] end.
Definition hang (arc_of : table arc) (o : option (table unit * table (list Z))) (i : Z) :=
  match o, find i arc_of with
  | Some (heads, c), Some a => if has heads (head a) then None
      else Some (Table.add (key (head a)) tt heads,
                 Table.add (key (tail a)) (head a :: children c (tail a)) c)
  | _, _ => None
  end.
(** One step of a search from the roots: the node on top of the stack is found, its children are put on it. *)
Definition search (c : table (list Z)) {A} (s : list Z * table unit) (_ : A) : list Z * table unit :=
  match fst s with
  | v :: rest => (fold_left (fun stack w => w :: stack) (children c v) rest, Table.add (key v) tt (snd s))
  | [] => s
  end.
Definition check_branching (arc_of : table arc) (nodes roots T : list Z) : bool :=
  match fold_left (hang arc_of) T (Some (set_of key roots, Table.empty (list Z))) with
  | Some (_, c) =>
      let s := fold_left (search c) T (fold_left (search c) roots (roots, Table.empty unit)) in
      all (has (snd s)) nodes
  | None => false
  end.
Definition check_within_capacities (N : network) (P : weighted) : bool :=
  let used := posted key P in all_numbered (fun i a => Qle_bool (balance used (key i)) (capacity a)) (arcs N).

Definition check_root_sets (N : network) (roots : demands) : bool :=
  all (fun Rd => match fst Rd with
    | [] => false | _ => all (is_node N) (fst Rd) && Qle_bool 0 (snd Rd) end) roots.
Definition check_meets (N : network) (roots : demands) (factor : Q) (B : rooted) : bool :=
  let arc_of := index (arcs N) in
  let root_set_of := index roots in
  let nodes := below (size N) in
  all (fun b => less 0 (fst (snd b)) && match find (fst b) root_set_of with
    | Some (R, _) => check_branching arc_of nodes R (snd (snd b)) | None => false end) B &&
  check_within_capacities N (rev_map snd B) &&
  let met := posted key (rev_map (fun b => (fst (snd b), [fst b])) B) in
  all_numbered (fun k Rd => Qeq_bool (balance met (key k)) (factor * snd Rd)) roots.
Definition demand (roots : demands) (S : Z -> bool) : Q :=
  added (fun Rd => if any S (fst Rd) then 0 else snd Rd) roots.
Definition some_node (N : network) (nodes : list Z) : bool :=
  match nodes with v :: _ => is_node N v | [] => false end.

Definition check_branching_packing N roots B : bool :=
  check_network N && check_root_sets N roots && check_meets N roots 1 B.
Definition check_unmet_demand N roots nodes entered needed : bool :=
  let S := has (set_of key nodes) in
  check_network N && check_root_sets N roots && some_node N nodes &&
  Qeq_bool (entering_capacity N S) entered && Qeq_bool (demand roots S) needed && less entered needed.
Definition check_concurrent_branching_packing N roots B nodes value : bool :=
  let S := has (set_of key nodes) in
  check_network N && check_root_sets N roots && some_node N nodes && check_meets N roots value B &&
  let needed := demand roots S in less 0 needed && Qeq_bool (entering_capacity N S) (value * needed).

(** ** Branchings *)
Lemma hang_none arc_of T : fold_left (hang arc_of) T None = None.
Proof. induction T; auto. Qed.
Lemma hang_spec arc_of T : forall H0 C0 H1 C1, fold_left (hang arc_of) T (Some (H0, C0)) = Some (H1, C1) ->
  NoDup T /\ (forall i, In i T -> exists a, find i arc_of = Some a /\ has H0 (head a) = false) /\
  (forall i j a b, In i T -> In j T -> find i arc_of = Some a -> find j arc_of = Some b ->
     head a = head b -> i = j) /\
  (forall v h, In h (children C1 v) -> In h (children C0 v) \/
     exists i a, In i T /\ find i arc_of = Some a /\ tail a = v /\ head a = h).
Proof.
  induction T as [|i T IH]; cbn [fold_left]; intros H0 C0 H1 C1 H.
  - injection H as -> ->. repeat split; auto using NoDup_nil; easy.
  - unfold hang at 2 in H. destruct (find i arc_of) as [a|] eqn:Ea; [|rewrite hang_none in H; discriminate].
    destruct (has H0 (head a)) eqn:Eh; [rewrite hang_none in H; discriminate|]. apply IH in H.
    destruct H as (Nd & En & Un & Ch).
    assert (New : forall j b, In j T -> find j arc_of = Some b ->
      head b <> head a /\ has H0 (head b) = false).
    { intros j b Hj Eb. destruct (En j Hj) as (b' & Eb' & F). rewrite Eb in Eb'. injection Eb' as <-.
      split; [intros E|destruct (has H0 (head b)) eqn:Z; auto]; exfalso; apply not_true_iff_false in F;
        apply F, has_add; auto. }
    split; [|split; [|split]].
    + constructor; auto. intros Hi. destruct (New _ _ Hi Ea). auto.
    + intros j [<-|Hj]; eauto. destruct (En j Hj) as (b & Eb & _). exists b. split; auto.
      apply (New _ _ Hj Eb).
    + intros j k b c [<-|Hj] [<-|Hk] Eb Ec E; auto; [| |eauto].
      * rewrite Ea in Eb. injection Eb as <-. destruct (New _ _ Hk Ec). congruence.
      * rewrite Ea in Ec. injection Ec as <-. destruct (New _ _ Hj Eb). congruence.
    + intros v h Hh. apply Ch in Hh as [Hh|(j & b & ? & ? & ? & ?)]; [|right; exists j, b; simpl; auto].
      unfold children at 1, find in Hh. destruct (Z.eq_dec v (tail a)) as [->|N].
      * rewrite PositiveMap.gss in Hh. destruct Hh as [<-|Hh]; auto. right. exists i, a. simpl. auto.
      * rewrite PositiveMap.gso in Hh; auto. intros E. apply key_eq in E. auto.
Qed.
Lemma check_branching_sound N roots T :
  check_branching (index (arcs N)) (below (size N)) roots T = true -> well_formed N -> branching N roots T.
Proof.
  unfold check_branching. destruct (fold_left (hang _) T _) as [[H C]|] eqn:E; [|easy]. intros A W.
  apply hang_spec in E.
  destruct E as (Nd & En & Un & Ch). pose proof (fun i a => index_spec (arcs N) i a) as Ix.
  assert (Fi : forall i a, In i T -> entry (arcs N) i a -> find i (index (arcs N)) = Some a).
  { intros i a Hi Ha. destruct (En i Hi) as (b & Eb & _). rewrite Eb. f_equal. eapply entry_unique; eauto. }
  split; auto. split; [|split].
  - intros i Hi. destruct (En i Hi) as (a & Ea & Ha). exists a. split; auto. intros R. apply has_set in R.
    congruence.
  - intros i j a b Hi Hj Ha Hb Eh. eapply (Un i j); eauto.
  - set (found s := forall v, In v (fst s) \/ has (snd s) v = true -> reached N roots T v).
    assert (Step : forall X (l : list X) s, found s -> found (fold_left (search C) l s)).
    { intros X l. induction l as [|x l IH]; cbn [fold_left]; intros s Hs; auto. apply IH.
      destruct s as [[|v rest] t]; auto.
      unfold search. cbn [fst snd]. intros w Hw.
      assert (Stack : In w (fold_left (fun stack w => w :: stack) (children C v) rest) ->
        In w (children C v) \/ In w rest).
      { generalize (children C v) rest. clear. induction l as [|u l IH]; cbn; intros r Hr; auto.
        apply IH in Hr. cbn in Hr. tauto. }
      destruct Hw as [Hw|Hw]; cbn [fst snd] in Hw.
      - apply Stack in Hw. destruct Hw as [Hw|Hw]; [|apply Hs; cbn; auto].
        apply Ch in Hw. destruct Hw as [Hw|(i & a & Hi & Ea & <- & <-)].
        { unfold children, find in Hw. rewrite PositiveMap.gempty in Hw. easy. }
        eapply reached_arc; eauto. apply Hs. cbn. auto.
      - apply has_add in Hw. destruct Hw as [->|Hw]; apply Hs; cbn; auto. }
    intros v Hv. eapply all_spec in A; [|apply in_below; [destruct W; lia|exact Hv]].
    eapply (Step _ T); [apply (Step _ roots)|right; exact A].
    intros w [Hw|Hw]; cbn [fst snd] in Hw. apply reached_root; auto. unfold has in Hw.
    rewrite mem_empty in Hw. discriminate.
Qed.
(** A branching enters every set of nodes without its roots. *)
Lemma branching_enters N roots T S v : branching N roots T -> (forall r, In r roots -> S r = false) ->
  node N v -> S v = true -> exists i a, In i T /\ entry (arcs N) i a /\ enters S a = true.
Proof.
  intros (_ & _ & _ & R) Out Hv Sv. apply R in Hv. induction Hv as [r Hr|i a Hr IH Hi Ha].
  - rewrite (Out r Hr) in Sv. discriminate.
  - destruct (S (tail a)) eqn:St; auto. exists i, a. repeat split; auto. unfold enters. rewrite Sv, St. auto.
Qed.

(** ** Packings *)
Lemma containing_perm P P' i : Permutation P P' -> containing i P == containing i P'.
Proof. intros H. unfold containing. rewrite !sum_filter. apply sum_perm; auto. Qed.
(** What the arcs into a set carry, if they stay within their capacities, is at most what enters it. *)
Lemma crossing {X} N (S : Z -> bool) (B : list X) (row : X -> Q * list Z) (c : X -> Q) :
  (forall i a, entry (arcs N) i a -> containing i (map row B) <= capacity a) ->
  (forall b, In b B -> 0 <= fst (row b)) ->
  (forall b, In b B -> c b <= 0 \/
     c b <= fst (row b) /\ exists i a, In i (snd (row b)) /\ entry (arcs N) i a /\ enters S a = true) ->
  sum c B <= entering N S.
Proof.
  intros Cap Pos Cr. unfold entering.
  rewrite sum_filter, <- (sum_numbered (fun a => if enters S a then capacity a else 0)).
  set (carried (b : X) (ia : Z * arc) :=
    if enters S (snd ia) && listed (snd (row b)) (fst ia) then fst (row b) else 0).
  assert (Cn : forall b ia, In b B -> 0 <= carried b ia).
  { intros b ia Hb. unfold carried. destruct (_ && _); auto. lra. }
  apply Qle_trans with (sum (fun b => sum (carried b) (numbered (arcs N))) B).
  - apply sum_le. intros b Hb. destruct (Cr b Hb) as [L|(L & i & a & Hi & Ha & E)].
    + apply Qle_trans with 0; auto. apply sum_nonneg. auto.
    + apply Qle_trans with (carried b (i, a)).
      * unfold carried. cbn [fst snd]. rewrite E, (proj2 (listed_spec _ _) Hi). auto.
      * apply (sum_member (carried b)); auto.
  - rewrite sum_swap. apply sum_le. intros [i a] Ha. destruct (enters S a) eqn:E.
    + eapply Qle_trans; [|apply (Cap i a Ha)]. unfold containing. rewrite sum_filter, sum_map.
      unfold carried. cbn [fst snd]. rewrite E.
      apply Qle_refl.
    + unfold carried. cbn [fst snd]. rewrite E. cbn [andb]. rewrite sum_zero. lra.
Qed.
Lemma check_within_capacities_sound N P :
  check_within_capacities N P = true -> (forall w T, In (w, T) P -> NoDup T) ->
  forall i a, entry (arcs N) i a -> containing i P <= capacity a.
Proof.
  unfold check_within_capacities. intros H Nd i a Ha. rewrite <- balance_containing by auto.
  apply Qle_bool_iff. apply (all_numbered_spec _ _ H i a Ha).
Qed.

(** ** Demands *)
Lemma check_root_sets_sound N roots : check_root_sets N roots = true -> root_sets N roots.
Proof.
  unfold check_root_sets. intros H R d Hd. pose proof (all_spec _ _ H _ Hd) as T. cbn [fst snd] in T.
  destruct R as [|r R]; [discriminate|]. split_tests. split; [easy|]. split; auto.
  intros s Hs. apply is_node_spec. eapply all_spec; eauto.
Qed.
Lemma check_meets_sound N roots factor B :
  check_meets N roots factor B = true -> well_formed N -> meets N roots factor B.
Proof.
  unfold check_meets. intros H W. split_tests. rename H into Br. rename H1 into Caps. rename H0 into Met.
  assert (M : forall k w T, In (k, (w, T)) B -> 0 < w /\ exists R d, entry roots k (R, d) /\ branching N R T).
  { intros k w T Hb. pose proof (all_spec _ _ Br _ Hb) as G. cbn [fst snd] in G. split_tests. split; auto.
    destruct (find k (index roots)) as [[R d]|] eqn:E; [|discriminate]. exists R, d. split.
    apply index_spec; auto.
    apply check_branching_sound; auto. }
  split; auto. split.
  - intros i a Ha. rewrite <- (containing_perm _ _ _ (rev_map_perm snd B)).
    eapply check_within_capacities_sound; eauto. intros w T HT.
    apply (Permutation_in _ (rev_map_perm snd B)), in_map_iff in HT. destruct HT as ([k [w' T']] & E & Hb).
    cbn in E. injection E as -> ->. destruct (M _ _ _ Hb) as (_ & R & d & _ & Bt). apply Bt.
  - intros k R d Hk. pose proof (all_numbered_spec _ _ Met k (R, d) Hk) as G. cbn [snd] in G. split_tests.
    rewrite <- G, balance_spec, (sum_perm _ _ _ (rev_map_perm _ _)), sum_map.
    unfold total. rewrite sum_map, sum_filter. apply sum_eq. intros [j [w T]] _. cbn [fst snd]. unfold times.
    cbn [sum].
    destruct (Pos.eqb_spec (key j) (key k)) as [E|E], (Z.eqb_spec j k) as [F|F]; try ring;
      [apply key_eq in E|subst]; contradiction.
Qed.
Lemma any_existsb (S : Z -> bool) R : any S R = existsb S R.
Proof.
  apply eq_true_iff_eq. rewrite existsb_exists. split. apply any_spec.
  intros (x & Hx & E). unfold any. induction R as [|r R IH]; [easy|]. cbn [fold_left].
  assert (Y : forall l, fold_left (fun (b : bool) x => if b then true else S x) l true = true).
  { clear. induction l; auto. }
  destruct (S r) eqn:Er; [apply Y|]. destruct Hx as [->|Hx]; [congruence|auto].
Qed.
Lemma demand_spec roots S : demand roots S == demand_beyond roots S.
Proof.
  unfold demand, demand_beyond. rewrite added_spec, sum_filter. apply sum_eq. intros [R d] _. cbn [fst snd].
  rewrite any_existsb. destruct (existsb S R); reflexivity.
Qed.
(** The branchings from the root sets without a node of S all enter S. *)
Lemma demand_enters N roots factor B S v : meets N roots factor B -> node N v -> S v = true ->
  factor * demand_beyond roots S <= entering N S.
Proof.
  intros (M & Cap & Met) Hv Sv.
  set (far (R : list Z) := negb (existsb S R)).
  set (c (b : Z * (Q * list Z)) := sum (fun kR =>
    if (fst b =? fst kR)%Z then if far (fst (snd kR)) then fst (snd b) else 0 else 0) (numbered roots)).
  assert (E : factor * demand_beyond roots S == sum c B).
  { unfold c. rewrite sum_swap. unfold demand_beyond. rewrite sum_filter, <- sum_scale.
    rewrite <- (sum_numbered (fun Rd : list Z * Q =>
      factor * (if (let '(R, _) := Rd in negb (existsb S R)) then snd Rd else 0))).
    apply sum_eq. intros [k [R d]] Hk. cbn [fst snd]. fold (far R). pose proof (Met k R d Hk) as T.
    unfold total in T.
    rewrite sum_map, sum_filter in T. destruct (far R).
    - rewrite <- T. reflexivity.
    - rewrite (sum_eq _ (fun _ => 0)), sum_zero. ring. intros b _. destruct (fst b =? k)%Z; reflexivity. }
  rewrite E. apply (crossing N S B snd c); auto.
  - intros [k [w T]] Hb. apply M in Hb. cbn. lra.
  - intros [k [w T]] Hb. destruct (M _ _ _ Hb) as (Hw & R & d & Hk & HT).
    assert (Ec : c (k, (w, T)) == if far R then w else 0).
    { unfold c. cbn [fst snd]. rewrite <- (sum_entry (fun Rd => if far (fst Rd) then w else 0) _ _ _ Hk).
      apply sum_eq.
      intros [j [R' d']] _. cbn [fst snd]. rewrite Z.eqb_sym. reflexivity. }
    destruct (far R) eqn:F; [right|left; lra]. cbn [fst snd]. split; [lra|]. eapply branching_enters; eauto.
    intros r Hr. destruct (S r) eqn:Sr; auto. unfold far in F. apply negb_true_iff, not_true_iff_false in F.
    destruct F.
    apply existsb_exists. eauto.
Qed.

Lemma some_node_spec N nodes :
  some_node N nodes = true -> exists v, node N v /\ has (set_of key nodes) v = true.
Proof.
  destruct nodes as [|v l]; [discriminate|]. cbn [some_node]. intros H. exists v. split.
  apply is_node_spec; auto.
  apply has_set. left. auto.
Qed.

Theorem check_branching_packing_sound N roots B :
  check_branching_packing N roots B = true -> claims_branching_packing N roots.
Proof.
  unfold check_branching_packing. intros H. split_tests. apply check_network_sound in H. split; auto.
  split. apply check_root_sets_sound; auto. exists B. apply check_meets_sound; auto.
Qed.
Theorem check_unmet_demand_sound N roots nodes entered needed :
  check_unmet_demand N roots nodes entered needed = true -> claims_unmet_demand N roots entered needed.
Proof.
  unfold check_unmet_demand. intros H. split_tests. apply check_network_sound in H.
  rewrite entering_capacity_spec in *.
  rewrite demand_spec in *. destruct (some_node_spec _ _ H3) as (v & Hv & Sv). split; auto.
  split. apply check_root_sets_sound; auto. split; [|eauto 8].
  intros B HB. pose proof (demand_enters _ _ _ _ _ _ HB Hv Sv). lra.
Qed.
Theorem check_concurrent_branching_packing_sound N roots B nodes value :
  check_concurrent_branching_packing N roots B nodes value = true ->
    claims_concurrent_branching_packing N roots value.
Proof.
  unfold check_concurrent_branching_packing. intros H. split_tests. apply check_network_sound in H.
  rewrite entering_capacity_spec, demand_spec in *. destruct (some_node_spec _ _ H3) as (v & Hv & Sv).
  split; auto.
  split. apply check_root_sets_sound; auto. split. exists B. apply check_meets_sound; auto.
  intros t B' HB'. pose proof (demand_enters _ _ _ _ _ _ HB' Hv Sv) as L.
  apply Qmult_lt_0_le_reg_r with (demand_beyond roots (has (set_of key nodes))); lra.
Qed.
