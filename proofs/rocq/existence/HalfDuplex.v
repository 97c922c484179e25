(** Half-duplex on graphs of any form: floor(P / 2) / ((P - 1) c) is a bound, and a Hamiltonian cycle (P even) or path (P
    odd) of cheapest arcs reaches it. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Collectives Sums Time Bound.
From Exactsched Require Sanity.
From Exactsched.rounds Require Counting.
From Exactsched.existence Require Import Definitions Finite Structures Reached Throughput Edmonds Capacities
  Broadcast.
From Exactsched.existence Require Hamiltonian.
Import ListNotations.
Open Scope Q_scope.

(** ** More tasks do no harm *)
Lemma renumber {A} (l l' : list A) : incl l l' ->
  exists f, forall i k, nth_error l i = Some k -> nth_error l' (f i) = Some k.
Proof.
  induction l as [|a l IH]; intros I.
  - exists (fun i => i). intros [|i] k; discriminate.
  - destruct IH as [f F]. { intros x Hx. apply I. now right. }
    destruct (In_nth_error l' a (I a (or_introl eq_refl))) as [n En].
    exists (fun i => match i with O => n | Datatypes.S i => f i end). intros [|i] k E; [|now apply F].
    cbn in E. congruence.
Qed.

Section More.
Variables (S S' : system) (f : nat -> nat).
Hypothesis Given : given S = given S'.
Hypothesis Numbers : forall i k, nth_error (tasks S) i = Some k -> nth_error (tasks S') (f i) = Some k.

Definition moved (p : piece) : piece := Piece (f (which p)) (operation p) (start p) (stop p).
Lemma more_work s i m t : (forall p, In p s -> start p <= stop p) -> work s i m t <= work (map moved s) (f i) m t.
Proof.
  unfold work. induction s as [|p s IH]; intros H; [apply Qle_refl|]. cbn [map filter].
  assert (Hp : 0 <= before t p).
  { specialize (H p (or_introl eq_refl)). unfold before.
    destruct (Q.min_spec (stop p) t) as [[? ->]|[? ->]], (Q.min_spec (start p) t) as [[? ->]|[? ->]]; lra. }
  specialize (IH (fun q Hq => H q (or_intror Hq))). assert (E : before t (moved p) = before t p) by reflexivity.
  destruct (of_task i m p) eqn:O.
  - unfold of_task in O. apply andb_prop in O. destruct O as [O1 O2]. apply Nat.eqb_eq in O1.
    replace (of_task (f i) m (moved p)) with true; [cbn [sum]; rewrite E; lra|].
    unfold of_task. cbn [moved which operation]. rewrite O1, O2, Nat.eqb_refl. reflexivity.
  - destruct (of_task (f i) m (moved p)); cbn [sum]; [rewrite E; lra|exact IH].
Qed.
Lemma more_has s m t x : (forall p, In p s -> start p <= stop p) -> has S s m t x -> has S' (map moved s) m t x.
Proof.
  intros H [G|(i & k & E & M & L)]; [left; now rewrite <- Given|right]. exists (f i), k. split; [now apply Numbers|].
  split; [exact M|]. eapply Qle_trans; [exact L|now apply more_work].
Qed.
Lemma more_valid s : valid S s -> valid S' (map moved s).
Proof.
  intros [V F]. assert (O : forall p, In p s -> start p <= stop p) by (intros p Hp; destruct (V p Hp) as [? _]; lra).
  split.
  - intros q Hq. apply in_map_iff in Hq. destruct Hq as (p & <- & Hp). destruct (V p Hp) as [T (k & E & N)].
    split; [exact T|]. exists k. split; [now apply Numbers|]. intros x Hx. apply more_has; auto.
  - apply Counting.pairs_map. refine (Counting.pairs_weaken _ _ _ _ F). intros p q Hp Hq C j k r Ej Ek.
    destruct (V p Hp) as [_ (j0 & Ej0 & _)], (V q Hq) as [_ (k0 & Ek0 & _)]. cbn [moved which start stop] in *.
    pose proof (Numbers _ _ Ej0) as Nj. pose proof (Numbers _ _ Ek0) as Nk. rewrite Ej in Nj. rewrite Ek in Nk.
    injection Nj as ->. injection Nk as ->. now apply C.
Qed.
End More.

Lemma more_tasks S S' T C : given S = given S' -> wanted S = wanted S' -> incl (tasks S) (tasks S') ->
  reached S T C -> reached S' T C.
Proof.
  intros G W I [HT R]. split; [exact HT|]. destruct (renumber _ _ I) as [f F]. intros M. destruct (R M) as (s & V & D).
  exists (map (moved f) s). split; [now apply (more_valid S)|]. intros m x Hm Hx. apply (more_has S); auto.
  - intros p Hp. destruct V as [V _]. destruct (V p Hp) as [? _]. lra.
  - apply D; [exact Hm|]. now rewrite W.
Qed.
(** A broadcast may leave arcs out. *)
Lemma more_arcs p nodes arcs arcs' source T C : incl arcs arcs' ->
  reached (broadcast p nodes arcs source) T C -> reached (broadcast p nodes arcs' source) T C.
Proof. intros I. apply more_tasks; try reflexivity. now apply incl_map. Qed.

(** ** The bound *)
Lemma sum_once (l : list node) h c : 0 <= c -> NoDup l -> sum (fun v => if (v =? h)%Z then c else 0) l <= c.
Proof.
  intros C N. induction N as [|a l Ha N IH]; cbn [sum]; [exact C|]. destruct (Z.eqb_spec a h) as [->|]; [|lra].
  assert (sum (fun v => if (v =? h)%Z then c else 0) l == 0); [|lra].
  rewrite <- (sum_zero l). apply sum_eq. intros v Hv. destruct (Z.eqb_spec v h); [subst; contradiction|reflexivity].
Qed.

(** At most P / 2 transfers at a time, and a message needs P - 1 of at least c each. *)
Theorem half_duplex_bound nodes arcs source c : graph nodes arcs source -> NoDup nodes -> (2 <= length nodes)%nat -> 0 < c ->
  (forall a, In a arcs -> c <= cost a) ->
  never_more (broadcast HalfDuplex nodes arcs source) (count (Nat.div2 (length nodes)) / (count (length nodes - 1) * c)).
Proof.
  intros [Hs He] N P2 Pc costs s M K HK V D. set (S := broadcast HalfDuplex nodes arcs source) in *.
  set (y := Prices [] [(map Port nodes, 1)]).
  set (others := filter (fun v => negb (v =? source)%Z) nodes).
  set (cuts := map (fun v => ((fun x : state => (place x =? v)%Z), c)) others).
  assert (Len : length others = (length nodes - 1)%nat).
  { unfold others. apply in_split in Hs. destruct Hs as (l1 & l2 & E). rewrite E in *. apply NoDup_remove_2 in N.
    assert (F : forall l, ~ In source l -> filter (fun v => negb (v =? source)%Z) l = l).
    { induction l as [|a l IH]; intros Ha; [reflexivity|]. cbn [filter]. destruct (Z.eqb_spec a source) as [->|]; cbn [negb].
      - destruct Ha. now left.
      - f_equal. apply IH. intros Hl. apply Ha. now right. }
    rewrite filter_app. cbn [filter]. rewrite Z.eqb_refl. cbn [negb].
    rewrite !F by (intros I; apply N; apply in_app_iff; tauto). rewrite !app_length. cbn [length]. lia. }
  assert (B : count M * sum snd cuts <= K * total y).
  { refine (cut_bound S y cuts _ _ _ _ s M K HK V D).
    - apply broadcast_time. intros a Ha. specialize (costs a Ha). lra.
    - split; [easy|]. intros R p [E|[]]. injection E as <- <-. lra.
    - intros X w I. apply in_map_iff in I. destruct I as (v & E & Hv). injection E as <- <-.
      apply filter_In in Hv. destruct Hv as [Hv Ne]. apply negb_true_iff, Z.eqb_neq in Ne. split; [lra|]. split.
      + intros x [<-|[]]. cbn. apply Z.eqb_neq. congruence.
      + exists (At (Message 0) v). split; [cbn; now apply in_map|]. cbn. apply Z.eqb_refl.
    - intros k Hk. cbn [S broadcast multicast tasks] in Hk. apply in_map_iff in Hk. destruct Hk as (a & <- & Ha).
      destruct (He a Ha) as [Ht Hh]. specialize (costs a Ha).
      unfold crossed, cuts. rewrite sum_map. cbn [fst snd].
      destruct (Z.eq_dec (tail a) (head a)) as [Loop|Ne].
      + rewrite (sum_eq _ (fun _ => 0)).
        * rewrite sum_zero. cbn [lasts transfer]. unfold paid, y. cbn [for_resources for_odd_sets sum fst snd].
          destruct (inside _ _); nra.
        * intros v _. unfold enters. cbn [makes needs transfer existsb place]. rewrite Loop.
          destruct (head a =? v)%Z; reflexivity.
      + assert (I : inside (map Port nodes) (transfer HalfDuplex (Message 0) 1 a) = true).
        { unfold inside. apply Nat.leb_le. change 2%nat with (length [Port (tail a); Port (head a)]).
          apply NoDup_incl_length.
          - constructor; [|repeat constructor; easy]. intros [E|[]]. injection E as E. congruence.
          - intros r [<-|[<-|[]]]; apply filter_In; (split; [now apply in_map|]); apply uses_it_spec; cbn; tauto. }
        unfold paid, y. cbn [for_resources for_odd_sets sum fst snd]. rewrite I. cbn [lasts transfer].
        eapply Qle_trans; [|apply Qle_trans with c; [apply (sum_once others (head a) c); [lra|]|lra]].
        * apply sum_le. intros v _. unfold enters. cbn [makes needs transfer existsb place].
          rewrite (Z.eqb_sym (head a)). destruct (v =? head a)%Z; cbn [andb]; [|lra]. destruct (negb _); lra.
        * now apply NoDup_filter. }
  assert (C1 : sum snd cuts == count (length nodes - 1) * c).
  { unfold cuts. rewrite sum_map. cbn [snd]. rewrite sum_const, Len. reflexivity. }
  assert (C2 : total y == count (Nat.div2 (length nodes))).
  { unfold total, y, capacity. cbn [for_resources for_odd_sets sum fst snd]. rewrite map_length. ring. }
  rewrite C1, C2 in B. assert (W : 0 < count (length nodes - 1)) by (apply count_pos; lia).
  assert (Z0 : 0 < count (length nodes - 1) * c) by now apply Qmult_lt_0_compat.
  setoid_replace (count (Nat.div2 (length nodes)) / (count (length nodes - 1) * c) * K)
    with ((K * count (Nat.div2 (length nodes))) / (count (length nodes - 1) * c)) by (field; split; lra).
  now apply Qle_shift_div_l.
Qed.

(** ** Reached by a cycle *)
Section Line.
Variables (nodes : list node) (arcs : list arc) (P : nat) (v : nat -> node) (c : Q).
Hypothesis G : graph nodes arcs (v 0%nat).
Hypothesis all : forall u, In u nodes <-> exists k, (k < P)%nat /\ v k = u.
Hypothesis once : forall i k, (i < P)%nat -> (k < P)%nat -> v i = v k -> i = k.
Hypothesis Nodes : NoDup nodes.
Hypothesis c_pos : 0 < c.
Hypothesis cheapest : forall a, In a arcs -> c <= cost a.

Lemma line_nodes : length nodes = P.
Proof.
  assert (E : Permutation nodes (map v (seq 0 P))).
  { apply NoDup_Permutation; [exact Nodes| |].
    - assert (H : forall l, (forall i, In i l -> (i < P)%nat) -> NoDup l -> NoDup (map v l)).
      { induction l as [|a l IH]; intros Hl N; cbn [map]; constructor; inversion N; subst.
        - rewrite in_map_iff. intros (b & E & Hb). apply once in E; [subst; contradiction| |]; apply Hl; cbn; tauto.
        - apply IH; auto. intros i Hi. apply Hl. now right. }
      apply H; [|apply seq_NoDup]. intros i Hi. apply in_seq in Hi. lia.
    - intros u. rewrite all, in_map_iff. split; intros (k & A & B); exists k.
      + split; [exact B|]. apply in_seq. lia.
      + apply in_seq in B. split; [lia|exact A]. }
  rewrite (Permutation_length E), map_length, seq_length. reflexivity.
Qed.

(** Whether a node has an even place. *)
Definition even_place (u : node) : bool :=
  match find (fun k => (v k =? u)%Z) (seq 0 P) with Some k => Nat.even k | None => false end.
Lemma even_place_at k : (k < P)%nat -> even_place (v k) = Nat.even k.
Proof.
  intros Hk. unfold even_place. destruct (find _ _) as [j|] eqn:E.
  - apply find_some in E. destruct E as [Hj E]. apply in_seq in Hj. apply Z.eqb_eq in E. apply once in E; [now subst|lia|lia].
  - pose proof (find_none _ _ E k ltac:(apply in_seq; lia)) as F. cbn beta in F. now rewrite Z.eqb_refl in F.
Qed.

Theorem even_cycle h : P = (2 * h)%nat -> (0 < h)%nat -> v P = v 0%nat ->
  (forall i, (i < P)%nat -> In (Arc (v i) (v (i + 1)%nat) c) arcs /\ In (Arc (v (i + 1)%nat) (v i) c) arcs) ->
  throughput (broadcast HalfDuplex nodes arcs (v 0%nat)) (count P / (2 * count (P - 1) * c)).
Proof.
  intros EP Hh around On. split.
  - intros s M K HK V D. pose proof (half_duplex_bound nodes arcs (v 0%nat) c G Nodes) as B. rewrite line_nodes in B.
    specialize (B ltac:(lia) c_pos cheapest s M K HK V D). rewrite EP in B at 1. rewrite Nat.div2_double in B.
    assert (W : 0 < count (P - 1)) by (apply count_pos; lia).
    assert (E : count P == 2 * count h) by (rewrite EP, count_mult; reflexivity). rewrite E.
    setoid_replace (2 * count h / (2 * count (P - 1) * c)) with (count h / (count (P - 1) * c)) by (field; split; lra).
    exact B.
  - set (forth := map (fun i => Arc (v i) (v (i + 1)%nat) c) (seq 0 P)).
    set (back := map (fun i => Arc (v (i + 1)%nat) (v i) c) (seq 0 P)).
    assert (I : incl (forth ++ back) arcs).
    { intros a Ha. apply in_app_iff in Ha. destruct Ha as [Ha|Ha]; apply in_map_iff in Ha; destruct Ha as (i & <- & Hi);
        apply in_seq in Hi; apply On; lia. }
    assert (Ha : forall a, In a (forth ++ back) -> exists i, (i < P)%nat /\
      (a = Arc (v i) (v (i + 1)%nat) c \/ a = Arc (v (i + 1)%nat) (v i) c)).
    { intros a Ha. apply in_app_iff in Ha. destruct Ha as [Ha|Ha]; apply in_map_iff in Ha; destruct Ha as (i & <- & Hi);
        apply in_seq in Hi; exists i; (split; [lia|tauto]). }
    assert (Th : throughput (broadcast HalfDuplex nodes (forth ++ back) (v 0%nat)) (count P / (2 * count (P - 1) * c))).
    { rewrite EP. apply (Hamiltonian.hamiltonian_throughput nodes (forth ++ back) h v (fun i => i) (fun i => P + i)%nat c); auto.
      - split; [apply G|]. intros a A. destruct G as [_ Ge]. apply Ge. now apply I.
      - now rewrite <- EP.
      - now rewrite <- EP.
      - now rewrite <- EP.
      - intros _. exists even_place. intros a A. destruct (Ha a A) as (i & Hi & E).
        assert (Alt : even_place (v i) <> even_place (v (i + 1)%nat)).
        { rewrite even_place_at by exact Hi. destruct (Nat.eq_dec (i + 1) P) as [L|L].
          - rewrite L, around, even_place_at by lia. replace i with (2 * (h - 1) + 1)%nat by lia.
            rewrite Nat.even_add, Nat.even_mul. discriminate.
          - rewrite even_place_at by lia. rewrite Nat.even_add. destruct (Nat.even i); discriminate. }
        destruct E as [->| ->]; cbn [tail head]; congruence.
      - intros i Hi. rewrite nth_error_app1 by (unfold forth; rewrite map_length, seq_length; lia).
        unfold forth. rewrite nth_error_map, (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia).
        rewrite seq_nth by lia. reflexivity.
      - intros i Hi. rewrite nth_error_app2 by (unfold forth; rewrite map_length, seq_length; lia).
        unfold forth, back. rewrite map_length, seq_length, nth_error_map, (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia).
        rewrite seq_nth by lia. replace (0 + (P + i - P))%nat with i by lia. reflexivity. }
    destruct Th as [_ [C R]]. exists C. now apply (more_arcs HalfDuplex nodes (forth ++ back)).
Qed.

Theorem odd_path h : P = (2 * h + 1)%nat -> (0 < h)%nat ->
  (forall i, (i + 1 < P)%nat -> In (Arc (v i) (v (i + 1)%nat) c) arcs) ->
  throughput (broadcast HalfDuplex nodes arcs (v 0%nat)) (1 / (2 * c)).
Proof.
  intros EP Hh On. split.
  - intros s M K HK V D. pose proof (half_duplex_bound nodes arcs (v 0%nat) c G Nodes) as B. rewrite line_nodes in B.
    specialize (B ltac:(lia) c_pos cheapest s M K HK V D). replace (Nat.div2 P) with h in B.
    2:{ rewrite EP, Nat.add_1_r. symmetry. apply Nat.div2_succ_double. }
    replace (P - 1)%nat with (2 * h)%nat in B by lia.
    assert (W : 0 < count h) by (apply count_pos; lia).
    assert (E : count (2 * h) == 2 * count h) by (rewrite count_mult; reflexivity). rewrite E in B.
    setoid_replace (1 / (2 * c)) with (count h / (2 * count h * c)) by (field; split; lra). exact B.
  - set (path := map (fun i => Arc (v i) (v (i + 1)%nat) c) (seq 0 (P - 1))).
    assert (I : incl path arcs).
    { intros a Ha. apply in_map_iff in Ha. destruct Ha as (i & <- & Hi). apply in_seq in Hi. apply On. lia. }
    set (S := broadcast HalfDuplex nodes path (v 0%nat)).
    assert (Gp : graph nodes path (v 0%nat)) by (split; [apply G|]; intros a A; destruct G as [_ Ge]; apply Ge; now apply I).
    assert (pos : forall a, In a path -> 0 < cost a) by (intros a A; specialize (cheapest a (I a A)); lra).
    assert (At : forall i, (i < P - 1)%nat -> nth_error path i = Some (Arc (v i) (v (i + 1)%nat) c)).
    { intros i Hi. unfold path. rewrite nth_error_map, (nth_error_nth' _ 0%nat) by (rewrite seq_length; lia).
      rewrite seq_nth by lia. reflexivity. }
    set (t := rev (seq 0 (P - 1))).
    assert (Re : forall k, (k <= P - 1)%nat -> reaches path (v 0%nat) (map v (rev (seq 0 (k + 1)))) (rev (seq 0 k))).
    { induction k as [|k IH]; intros Hk; [constructor|].
      replace (Datatypes.S k + 1)%nat with (Datatypes.S (k + 1)) by lia. rewrite !seq_S, !rev_app_distr. simpl.
      apply (reaches_arc path (v 0%nat) _ _ k (Arc (v k) (v (k + 1)%nat) c)).
      - apply IH. lia.
      - apply At. lia.
      - simpl. apply in_map. apply -> in_rev. apply in_seq. lia.
      - simpl. rewrite in_map_iff. intros (i & E & Hi). apply in_rev, in_seq in Hi. apply once in E; lia. }
    assert (St : structure S t).
    { apply spanning_structure; auto. exists (map v (rev (seq 0 (P - 1 + 1)))). split; [apply Re; lia|].
      intros u Hu. apply all in Hu. destruct Hu as (k & Hk & <-). apply in_map. apply -> in_rev. apply in_seq. lia. }
    assert (R : reached S (count (list_sum (map fst [(1%nat, t)])) / (2 * c))
      (count (list_max (map (fun kt => height S (snd kt)) [(1%nat, t)])) * (2 * c))).
    { apply (whole_periods S [(1%nat, t)] (2 * c)).
      - now apply broadcast_time.
      - apply (at_arcs_two_sided HalfDuplex path); [|apply broadcast_at_arcs]. intros _. exists even_place.
        intros a A. apply in_map_iff in A. destruct A as (i & <- & Hi). apply in_seq in Hi. cbn [tail head].
        rewrite !even_place_at by lia. rewrite Nat.even_add. destruct (Nat.even i); discriminate.
      - intros k u [E|[]]. injection E as <- <-. exact St.
      - lra.
      - cbn. lia.
      - intros r. cbn [sum fst snd]. rewrite Qplus_0_r. change (count 1) with 1. rewrite Qmult_1_l.
        unfold load, t. rewrite (sum_perm _ _ (seq 0 (P - 1))) by (symmetry; apply Permutation_rev).
        set (x := match r with Port x => x | _ => 0%Z end).
        apply Qle_trans with (sum (fun i => (if (i <? P)%nat && (v i =? x)%Z then c else 0) +
          (if (i + 1 <? P)%nat && (v (i + 1)%nat =? x)%Z then c else 0)) (seq 0 (P - 1))).
        + apply sum_le. intros i Hi. apply in_seq in Hi.
          assert (Li : (i < length path)%nat) by (unfold path; rewrite map_length, seq_length; lia).
          unfold S. rewrite broadcast_kind by exact Li. unfold arc_of. rewrite (nth_error_nth _ _ _ (At i ltac:(lia))).
          destruct (Nat.ltb_spec i P), (Nat.ltb_spec (i + 1) P); try lia. cbn [andb].
          destruct (uses_it r _) eqn:U.
          * apply uses_it_spec in U. cbn [transfer uses arc_uses tail head lasts cost] in *.
            destruct U as [<-|[<-|[]]]; cbn [x]; rewrite Z.eqb_refl;
              match goal with |- context [(?a =? ?b)%Z] => destruct (a =? b)%Z end; lra.
          * destruct (v i =? x)%Z, (v (i + 1)%nat =? x)%Z; lra.
        + rewrite sum_plus. assert (One : forall b : nat -> nat, (forall i j, b i = b j -> i = j) ->
            sum (fun i => if (b i <? P)%nat && (v (b i) =? x)%Z then c else 0) (seq 0 (P - 1)) <= c).
          { intros b Inj. destruct (existsb (fun i => (b i <? P)%nat && (v (b i) =? x)%Z) (seq 0 (P - 1))) eqn:Ex.
            - apply existsb_exists in Ex. destruct Ex as (k & _ & Ek). apply andb_prop in Ek. destruct Ek as [K1 K2].
              apply Nat.ltb_lt in K1. apply Z.eqb_eq in K2.
              apply (sum_at_most_one (seq 0 (P - 1)) (fun i => (b i <? P)%nat && (v (b i) =? x)%Z) k); [lra|apply seq_NoDup|].
              intros i E. apply andb_prop in E. destruct E as [E1 E2]. apply Nat.ltb_lt in E1. apply Z.eqb_eq in E2.
              apply Inj. apply once; [exact E1|exact K1|congruence].
            - rewrite (sum_eq _ (fun _ => 0)); [rewrite sum_zero; lra|]. intros i Hi.
              pose proof (existsb_false _ _ Ex i Hi) as E. cbn beta in E. now rewrite E. }
          pose proof (One (fun i => i) (fun _ _ E => E)) as A1.
          pose proof (One (fun i => i + 1)%nat ltac:(cbv beta; intros; lia)) as A2.
          eapply Qle_trans; [apply Qplus_le_compat; [exact A1|exact A2]|]. lra. }
    eexists. apply (more_arcs HalfDuplex nodes path arcs _ _ _ I). exact R.
Qed.
End Line.
