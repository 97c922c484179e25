(** What weighted structures promise is reached: with sets of tasks that do not disturb each other for any
    system, with loads alone for a two-sided one (by König). *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Sums Time Bound Periodic.
From Exactsched.existence Require Import Definitions Finite Structures Koenig.
Import ListNotations.
Open Scope Q_scope.

(** ** Common denominators *)
Lemma common_denominator (l : weighted) : (forall x t, In (x, t) l -> 0 <= x) ->
  exists q, (0 < q)%nat /\ exists r : list (nat * list nat), map snd r = map snd l /\ forall f : list nat -> Q,
    sum (fun nt => count (fst nt) * f (snd nt)) r == count q * sum (fun xt => fst xt * f (snd xt)) l.
Proof.
  induction l as [|[x t] l IH]; intros H.
  - exists 1%nat. split. lia. exists []. split; auto. intros f. simpl. lra.
  - destruct IH as (q & Hq & r & Er & Hr). intros; eapply H; right; eauto.
    destruct x as [a b]. assert (Hx : 0 <= a # b) by (apply (H _ t); left; auto).
    assert (Ha : (0 <= a)%Z) by (unfold Qle in Hx; simpl in Hx; lia).
    exists (Pos.to_nat b * q)%nat. split. pose proof (Pos2Nat.is_pos b). nia.
    exists ((Z.to_nat a * q, t)%nat :: map (fun nt => (Pos.to_nat b * fst nt, snd nt)%nat) r). simpl. split.
    + f_equal. rewrite map_map. simpl. rewrite <- Er. apply map_ext. auto.
    + intros f. rewrite sum_map. simpl.
      assert (E : sum (fun nt => count (Pos.to_nat b * fst nt) * f (snd nt)) r ==
        count (Pos.to_nat b) * sum (fun nt => count (fst nt) * f (snd nt)) r).
      { rewrite <- sum_scale. apply sum_eq. intros nt _. rewrite count_mult. ring. }
      rewrite E, Hr, !count_mult.
      assert (Eb : count (Pos.to_nat b) == inject_Z (Zpos b)) by (unfold count; rewrite positive_nat_Z;
        reflexivity).
      assert (Ea : count (Z.to_nat a) == inject_Z a) by (unfold count; rewrite Z2Nat.id by auto; reflexivity).
      rewrite Eb, Ea, (Qmake_Qdiv a b). field. easy.
Qed.

(** ** From sets of tasks, one after another, to slots *)
Fixpoint placed (from : Q) (l : weighted) : list (nat * Q * Q) :=
  match l with [] => [] | (d, m) :: l => map (fun i => (i, from, from + d)) m ++ placed (from + d) l end.
Definition clear (clash : nat -> nat -> Prop) (x y : nat * Q * Q) : Prop :=
  clash (fst (fst x)) (fst (fst y)) -> snd x <= snd (fst y) \/ snd y <= snd (fst x).
Lemma placed_inside l : (forall d m, In (d, m) l -> 0 < d) -> forall from x, In x (placed from l) ->
  from <= snd (fst x) < snd x /\ snd x <= from + sum fst l /\ exists d m, In (d, m) l /\ In (fst (fst x)) m.
Proof.
  induction l as [|[d m] l IH]; simpl; intros H from x Hx. easy.
  assert (Hd : 0 < d) by (eapply H; left; eauto).
  assert (Hl : 0 <= sum fst l).
  { apply sum_nonneg. intros [d' m'] H'. simpl. apply Qlt_le_weak. eapply H; right; eauto. }
  apply in_app_iff in Hx. destruct Hx as [Hx|Hx].
  - apply in_map_iff in Hx. destruct Hx as (i & <- & Hi). simpl. repeat split; try lra. exists d, m. auto.
  - apply IH in Hx; [|intros; eapply H; right; eauto]. destruct Hx as (H1 & H2 & d' & m' & H3 & H4).
    repeat split; try lra. exists d', m'. auto.
Qed.
Lemma placed_clear clash l :
  (forall d m, In (d, m) l -> 0 < d /\ NoDup m /\ forall i j, In i m -> In j m -> i <> j -> ~ clash i j) ->
  forall from, ForallOrdPairs (clear clash) (placed from l).
Proof.
  induction l as [|[d m] l IH]; simpl; intros H from. constructor.
  destruct (H d m) as (Hd & N & C); auto.
  assert (G : forall k, (forall i, In i k -> In i m) -> NoDup k ->
    ForallOrdPairs (clear clash) (map (fun i => (i, from, from + d)) k ++ placed (from + d) l)).
  { induction k as [|i k IHk]; intros I Nk; simpl. apply IH. intros; apply H; auto.
    inversion Nk; subst. constructor.
    - apply Forall_forall. intros y Hy. apply in_app_iff in Hy. destruct Hy as [Hy|Hy]; intros Cl.
      + apply in_map_iff in Hy. destruct Hy as (j & <- & Hj). simpl in Cl. exfalso. apply (C i j); auto.
        apply I; left; auto. apply I; right; auto. intros ->. auto.
      + apply placed_inside in Hy. simpl. left. lra. intros d' m' H'. apply (H d' m'); auto.
    - apply IHk; auto. intros; apply I; right; auto. }
  apply G; auto.
Qed.
Lemma placed_room i l from : (forall d m, In (d, m) l -> NoDup m) ->
  sum (fun x => if (fst (fst x) =? i)%nat then snd x - snd (fst x) else 0) (placed from l) == served i l.
Proof.
  unfold served. rewrite sum_filter. revert from. induction l as [|[d m] l IH]; simpl; intros from H. lra.
  rewrite sum_app, IH, sum_map by (intros; eapply H; eauto). simpl.
  assert (E : sum (fun j => if (j =? i)%nat then from + d - from else 0) m == if listed i m then d else 0);
    [|lra].
  assert (N : NoDup m) by (eapply H; eauto). destruct (listed i m) eqn:M.
  - apply listed_in in M. rewrite (sum_only (fun j => if (j =? i)%nat then from + d - from else 0) m i N M).
    rewrite Nat.eqb_refl. lra. intros y _ Ny. destruct (Nat.eqb_spec y i); [congruence|lra].
  - apply sum_none. intros j Hj. destruct (Nat.eqb_spec j i) as [->|]; [|lra].
    apply listed_in in Hj. congruence.
Qed.

Lemma reached_eq S T T' C : T == T' -> reached S T C -> reached S T' C.
Proof.
  intros E [P R]. split. lra. intros M. destruct (R M) as (s & V & Co). exists s. split; auto.
  intros m x Hm Hx. destruct (Co m x Hm Hx) as [G|(i & k & H1 & H2 & H3)]. left; auto.
  right. exists i, k. repeat split; auto. eapply Qle_trans; [exact H3|]. apply (work_mono S s V). rewrite E.
    lra.
Qed.

(** ** Any system *)
Section Any.
Variable S : system.
Hypothesis positive : takes_time S.
Let n := length (tasks S).

(** A list of structures, one operation each, within a period. *)
Variable trees : list (list nat).
Hypothesis trees_carry : forall t, In t trees -> structure S t.
Hypothesis some : (0 < length trees)%nat.
Definition uses_of (i : nat) : Q := sum (fun t => bit (listed i t)) trees.
Definition lev (c i : nat) : nat := level S i (nth c trees []).
Definition heights : nat := list_max (map (height S) trees).

Lemma uses_nonneg i : 0 <= uses_of i.
Proof. apply sum_nonneg. intros t _. apply bit_nonneg. Qed.
Lemma rank_uses i : rank lev (length trees) i == uses_of i.
Proof.
  unfold rank, uses_of. rewrite <- (sum_nth (fun t => bit (listed i t)) trees []). apply sum_eq.
  intros c _. unfold one, lev. destruct (Nat.eqb_spec (level S i (nth c trees [])) 0) as [E|E];
    destruct (listed i (nth c trees [])) eqn:M; unfold bit; try lra.
  - apply listed_in, (level_in S) in M. congruence.
  - apply level_in, listed_in in E. congruence.
Qed.
(** What all trees together ask of a resource. *)
Lemma loads_uses r : sum (load S r) trees ==
  sum (fun i => if uses_it r (kind S i) then lasts (kind S i) * uses_of i else 0) (seq 0 n).
Proof.
  rewrite (sum_eq (fun i => if uses_it r (kind S i) then lasts (kind S i) * uses_of i else 0)
    (fun i => sum (fun t => if listed i t then (if uses_it r (kind S i) then lasts (kind S i) else 0) else 0)
      trees)).
  - rewrite sum_swap. apply sum_eq. intros t Ht. unfold load.
    destruct (grows_facts S t) as (N & L). apply trees_carry; auto.
    rewrite <- (sum_filter (fun i => if uses_it r (kind S i) then lasts (kind S i) else 0) (fun i => listed i
      t)).
    apply sum_perm. apply NoDup_Permutation; auto. apply NoDup_filter, seq_NoDup.
    intros i. rewrite filter_In, in_seq, listed_in. split; [|tauto]. intros Hi. split; auto. apply L in Hi.
    unfold n. lia.
  - intros i _. unfold uses_of. destruct (uses_it r (kind S i)).
    + rewrite <- sum_scale. apply sum_eq. intros t _. unfold bit. destruct (listed i t); lra.
    + symmetry. apply sum_none. intros t _. destruct (listed i t); lra.
Qed.

Variable period : Q.
Hypothesis period_pos : 0 < period.
Variable slots : weighted.
Hypothesis slots_good : forall d m, In (d, m) slots -> 0 < d /\ NoDup m /\
  (forall i, In i m -> (i < n)%nat) /\ forall i j, In i m -> In j m -> i <> j -> ~ clash S i j.
Hypothesis slots_fit : sum fst slots <= period.
Hypothesis slots_serve : forall i, (i < n)%nat -> lasts (kind S i) * uses_of i <= served i slots.

Theorem trees_reached : reached S (count (length trees) / period) (count heights * period).
Proof.
  assert (Tree : forall c, (c < length trees)%nat -> structure S (nth c trees [])) by (intros; apply
    trees_carry, nth_In; auto).
  apply (periodic_reached S positive (placed 0 slots) period (length trees) lev heights); auto.
  - intros k Hk. assert (I : In (slot (placed 0 slots) k) (placed 0 slots)) by (apply nth_In; auto).
    apply placed_inside in I; [|intros d m Hd; apply (slots_good d m Hd)]. destruct I as (I1 & I2 & d & m & I3
      & I4).
    unfold stask, sfrom, sto. repeat split; try lra. destruct (slots_good d m I3) as (_ & _ & M & _). apply M
      in I4.
    unfold n in I4. lia.
  - intros k l r Hk Hl N U V.
    assert (F : ForallOrdPairs (clear (clash S)) (placed 0 slots)).
    { apply placed_clear. intros d m Hm. destruct (slots_good d m Hm) as (H1 & H2 & H3 & H4). auto. }
    assert (Sym : forall x y, clear (clash S) x y -> clear (clash S) y x).
    { intros x y C (z & Z1 & Z2). destruct C; auto. exists z. auto. }
    apply (pairs_nth _ (0%nat, 0, 0) _ Sym F k l Hk Hl N). exists r. auto.
  - intros c i Hc Hi. destruct (grows_facts S (nth c trees [])) as (N & L). apply Tree; auto.
    unfold lev in *. apply level_in in Hi. destruct (L i Hi) as [Li D]. split; auto. split.
    + eapply Nat.le_trans. apply level_height. apply list_max_in, in_map, nth_In. auto.
    + intros x Hx. destruct (D x Hx) as [G|(j & E & Hj & Lj)]; auto. right. exists j. split; auto. split; auto.
      apply level_in; auto.
  - intros c x Hc Hx. destruct (Tree c Hc) as (G & W). apply W, known_in in Hx.
    destruct Hx as [Gx|(j & Hj & Ej)]; auto. right. exists j. split; auto. apply level_in; auto.
  - intros i Hi. rewrite rank_uses. eapply Qle_trans; [apply slots_serve; auto|].
    unfold room, stask, sfrom, sto, slot, slot_count.
    rewrite (sum_nth (fun x => if (fst (fst x) =? i)%nat then snd x - snd (fst x) else 0) (placed 0 slots)
      (0%nat, 0, 0)).
    rewrite placed_room. lra. intros d m Hm. apply (slots_good d m Hm).
Qed.
End Any.

(** ** A two-sided system *)
Section TwoSided.
Variable S : system.
Hypothesis positive : takes_time S.
Let n := length (tasks S).
Variable side : resource -> bool.
Hypothesis two : forall k, In k (tasks S) ->
  uses k <> [] /\ forall r r', In r (uses k) -> In r' (uses k) -> side r = side r' -> r = r'.
Variable trees : list (list nat).
Hypothesis trees_carry : forall t, In t trees -> structure S t.
Hypothesis some : (0 < length trees)%nat.
Variable period : Q.
Hypothesis period_pos : 0 < period.
Hypothesis loads : forall r, sum (load S r) trees <= period.

(** The end of a task on a side: its resource there, or a node of its own. *)
Definition end_of (b : bool) (i : nat) : Z :=
  match filter (fun r => Bool.eqb (side r) b) (uses (kind S i)) with
  | r :: _ => Zpos (resource_code r) | [] => (- 1 - Z.of_nat i)%Z end.
Lemma end_cases b i : (exists r, In r (uses (kind S i)) /\ side r = b /\ end_of b i = Zpos (resource_code r)) \/
  (end_of b i = (- 1 - Z.of_nat i)%Z /\ forall r, In r (uses (kind S i)) -> side r <> b).
Proof.
  unfold end_of. destruct (filter _ _) as [|r l] eqn:E.
  - right. split; auto. intros r Hr <-. assert (I : In r (filter (fun q => Bool.eqb (side q) (side r)) (uses
    (kind S i)))).
    apply filter_In. split; auto. apply eqb_reflx. rewrite E in I. easy.
  - left. assert (I : In r (r :: l)) by (left; auto). rewrite <- E in I. apply filter_In in I. destruct I as [I
    J].
    apply eqb_prop in J. eauto.
Qed.
Definition edges : list edge :=
  map (fun i => Edge (end_of true i) (end_of false i) (lasts (kind S i) * uses_of trees i)) (seq 0 n).
Lemma edges_nth i : (i < n)%nat ->
  nth_error edges i = Some (Edge (end_of true i) (end_of false i) (lasts (kind S i) * uses_of trees i)).
Proof.
  intros H. unfold edges.
  apply (map_nth_error (fun i => Edge (end_of true i) (end_of false i) (lasts (kind S i) * uses_of trees i))).
  rewrite (nth_error_nth' _ 0%nat) by (rewrite seq_length; auto). rewrite seq_nth by auto. auto.
Qed.
Lemma edges_length : length edges = n.
Proof. unfold edges. rewrite map_length, seq_length. auto. Qed.
Lemma weight_nonneg i : (i < n)%nat -> 0 <= lasts (kind S i) * uses_of trees i.
Proof. intros H. apply Qmult_le_0_compat. apply lasts_nonneg; auto. apply uses_nonneg. Qed.

Lemma ends_fit b x : sum (fun i => if (end_of b i =? x)%Z then lasts (kind S i) * uses_of trees i else 0) (seq
  0 n)
  <= period.
Proof.
  destruct (existsb (fun i => (end_of b i =? x)%Z) (seq 0 n)) eqn:E.
  2:{ rewrite sum_none. lra. intros i Hi. rewrite (existsb_false _ _ E i Hi). reflexivity. }
  apply existsb_exists in E. destruct E as (i & Hi & Ei). apply Z.eqb_eq in Ei. apply in_seq in Hi.
  assert (Load : forall r, sum (fun i => if uses_it r (kind S i) then lasts (kind S i) * uses_of trees i else
    0) (seq 0 n)
    <= period).
  { intros r. eapply Qle_trans; [|apply (loads r)]. apply Qle_lteq. right. symmetry.
    apply (loads_uses S trees trees_carry some r). }
  destruct (end_cases b i) as [(r & Hr & _ & Er)|[Er Nr]]; rewrite Er in Ei; subst x.
  - eapply Qle_trans; [|apply (Load r)]. apply sum_le. intros j Hj. apply in_seq in Hj.
    destruct (Z.eqb_spec (end_of b j) (Zpos (resource_code r))) as [Ej|_].
    + assert (Ur : uses_it r (kind S j) = true); [|rewrite Ur; lra]. apply uses_it_spec.
      destruct (end_cases b j) as [(r' & Hr' & _ & Er')|[Er' _]]; rewrite Er' in Ej.
      * injection Ej as Ej. apply resource_code_inj in Ej. subst. auto.
      * lia.
    + destruct (uses_it r (kind S j)); [|lra]. apply weight_nonneg. lia.
  - destruct (two (kind S i)) as [Some _]. { apply nth_In. unfold n in Hi. lia. }
    destruct (uses (kind S i)) as [|r l] eqn:U; [easy|].
    eapply Qle_trans; [|apply (Load r)]. apply sum_le. intros j Hj. apply in_seq in Hj.
    destruct (Z.eqb_spec (end_of b j) (- 1 - Z.of_nat i)) as [Ej|_].
    + assert (j = i).
      { destruct (end_cases b j) as [(r' & _ & _ & Er')|[Er' _]]; rewrite Er' in Ej; lia. }
      subst j. assert (Ur : uses_it r (kind S i) = true); [|rewrite Ur; lra]. apply uses_it_spec.
      rewrite U. left; auto.
    + destruct (uses_it r (kind S j)); [|lra]. apply weight_nonneg. lia.
Qed.

Theorem loads_reached : reached S (count (length trees) / period) (count (heights S trees) * period).
Proof.
  assert (At : forall b side', (forall i q, side' (Edge (end_of true i) (end_of false i) q) = end_of b i) ->
    forall x, weight_at side' x edges <= period).
  { intros b side' Hs x. unfold weight_at, edges. rewrite sum_filter, sum_map. eapply Qle_trans; [|apply
    (ends_fit b x)].
    apply sum_le. intros i _. rewrite Hs. simpl. lra. }
  destruct (koenig edges period) as (slots & K1 & K2 & K3).
  - lra.
  - intros e He. apply in_map_iff in He. destruct He as (i & <- & Hi). apply in_seq in Hi. apply weight_nonneg.
    lia.
  - apply (At true). auto.
  - apply (At false). auto.
  - apply (trees_reached S positive trees trees_carry some period period_pos slots).
    + intros d m Hm. destruct (K1 d m Hm) as (Hd & M1 & M2 & M3). split; auto. split; auto.
      rewrite edges_length in M2. split; auto. intros i j Hi Hj Nij (r & Ui & Uj).
      pose proof (M2 i Hi) as Li. pose proof (M2 j Hj) as Lj.
      destruct (M3 i j _ _ Hi Hj Nij (edges_nth i Li) (edges_nth j Lj)) as (Dl & Dr). simpl in Dl, Dr.
      assert (Same : end_of (side r) i = end_of (side r) j).
      { assert (E : forall k, (k < n)%nat -> In r (uses (kind S k)) -> end_of (side r) k = Zpos (resource_code
        r)).
        { intros k Hk Uk. destruct (end_cases (side r) k) as [(q & Hq & Sq & ->)|[_ Nr]].
          - destruct (two (kind S k)) as [_ T]. apply nth_In; auto. rewrite (T q r Hq Uk Sq). auto.
          - exfalso. apply (Nr r Uk). auto. }
        rewrite !E; auto. }
      destruct (side r); auto.
    + rewrite K2. lra.
    + intros i Hi. rewrite (K3 i _ (edges_nth i Hi)). simpl. lra.
Qed.
End TwoSided.

(** Whole numbers of operations on every structure, within a period: the constant is the largest height times
  the
    period (theorem A of ../../asymptotic-optimality.md). *)
Lemma reached_later S T C C' : C <= C' -> reached S T C -> reached S T C'.
Proof.
  intros L [P R]. split; auto. intros M. destruct (R M) as (s & V & Co). exists s. split; auto.
  intros m x Hm Hx. destruct (Co m x Hm Hx) as [G|(i & k & H1 & H2 & H3)]. left; auto.
  right. exists i, k. repeat split; auto. eapply Qle_trans; [exact H3|]. apply (work_mono S s V). lra.
Qed.
Lemma list_max_le_in l h : (forall k, In k l -> (k <= h)%nat) -> (list_max l <= h)%nat.
Proof. intros H. apply list_max_le, Forall_forall. auto. Qed.
Theorem whole_periods S (share : list (nat * list nat)) period : takes_time S -> two_sided S ->
  (forall k t, In (k, t) share -> structure S t) -> 0 < period -> (0 < list_sum (map fst share))%nat ->
  (forall r, sum (fun kt => count (fst kt) * load S r (snd kt)) share <= period) ->
  reached S (count (list_sum (map fst share)) / period) (count (list_max (map (fun kt => height S (snd kt))
    share)) * period).
Proof.
  intros pos (side & two) Carry Pp Some Fit.
  set (trees := flat_map (fun kt => repeat (snd kt) (fst kt)) share).
  assert (E : forall f, sum f trees == sum (fun kt => count (fst kt) * f (snd kt)) share).
  { intros f. unfold trees. rewrite sum_flat. apply sum_eq. intros kt _. apply sum_repeat. }
  assert (L : length trees = list_sum (map fst share)).
  { unfold trees. clear. induction share as [|[k t] l IH]; simpl; auto. rewrite app_length, repeat_length, IH.
    auto. }
  assert (In_trees : forall t, In t trees -> exists k, In (k, t) share).
  { intros t Ht. apply in_flat_map in Ht. destruct Ht as ([k t'] & H & Ht). apply repeat_spec in Ht. simpl in
    Ht. subst t'. eauto. }
  apply reached_later with (count (heights S trees) * period).
  { apply Qmult_le_compat_r; [|lra]. apply count_le, list_max_le_in. intros h Hh. apply in_map_iff in Hh.
    destruct Hh as (t & <- & Ht). destruct (In_trees t Ht) as (k & I). apply list_max_in, in_map_iff. exists
      (k, t). auto. }
  rewrite <- L. apply (loads_reached S pos side two trees); auto.
  - intros t Ht. destruct (In_trees t Ht) as (k & I). eauto.
  - rewrite L. auto.
  - intros r. rewrite E. auto.
Qed.

(** Every packing of a two-sided system is reached. *)
Theorem packing_reached S l : takes_time S -> two_sided S -> packing S l -> 0 < value l ->
  exists C, reached S (value l) C.
Proof.
  intros pos two (Pt & Pr) Pos. destruct (common_denominator l) as (q & Hq & r & Er & Hr).
  { intros x t H. apply (Pt x t H). }
  assert (Cq : 0 < count q) by (apply count_pos; auto).
  assert (El : count (list_sum (map fst r)) == count q * value l).
  { unfold value. rewrite <- (sum_eq (fun xt => fst xt * 1) fst l) by (intros; ring). rewrite <- (Hr (fun _ =>
    1)).
    clear. induction r as [|[k t] r IH]; simpl. reflexivity. rewrite <- IH. unfold count.
    rewrite Nat2Z.inj_add, inject_Z_plus. ring. }
  eexists. apply (reached_eq S (count (list_sum (map fst r)) / count q)). rewrite El. field; lra.
  apply whole_periods; auto.
  - intros k t H. assert (I : In t (map snd l)) by (rewrite <- Er; apply in_map_iff; exists (k, t); auto).
    apply in_map_iff in I. destruct I as ([x t'] & <- & I). apply (Pt x t' I).
  - destruct (list_sum (map fst r)); [|lia]. change (count 0) with 0 in El.
    assert (0 < count q * value l) by (apply Qmult_lt_0_compat; auto). lra.
  - intros v. rewrite (Hr (load S v)). specialize (Pr v). nra.
Qed.

(** What has a throughput can be carried out. *)
Lemma throughput_structure S T : takes_time S -> throughput S T -> exists t, structure S t.
Proof.
  intros pos (_ & C & HT & R). destruct (R 1%nat) as (s & V & Co).
  destruct (done_structure S pos s 1 (Qmax 0 (count 1 / T + C)) 0) as (t & St & _); eauto.
  - apply Q.le_max_l.
  - intros m x Hm Hx. destruct (Co m x Hm Hx) as [Gx|(i & k & H1 & H2 & H3)]. left; auto.
    right. exists i, k. repeat split; auto. eapply Qle_trans; [exact H3|]. apply (work_mono S s V). apply
      Q.le_max_r.
Qed.

(** Finite runs: M operations take at least M / T, and at most a constant more. *)
Theorem runs S T : throughput S T ->
  exists C, forall M, takes_at_least S M (count M / T) /\ done_by S M (count M / T + C).
Proof.
  intros (N & C & HT & R). exists C. intros M. split; [|apply R].
  intros s t Ht V Co. specialize (N s M t Ht V Co). apply Qle_shift_div_r; auto. lra.
Qed.
