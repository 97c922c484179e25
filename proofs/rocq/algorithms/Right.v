(** The program of Cheapest.v is right: it finds a cheapest arborescence and cuts that weigh as much, whenever there is
    one. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time.
From Exactsched.existence Require Import Definitions Finite.
From Exactsched.existence Require Cuts Capacities FewStructures.
From Exactsched.algorithms Require Import Cheapest.
Import ListNotations.
Open Scope Q_scope.

Definition within (X : list node) (v : node) : bool := mem v X.
Lemma mem_in v l : mem v l = true <-> In v l.
Proof.
  unfold mem. rewrite existsb_exists. split; [intros (x & H & E); apply Z.eqb_eq in E; subst; auto|].
  intros H. exists v. rewrite Z.eqb_refl. auto.
Qed.
Lemma mem_out v l : mem v l = false <-> ~ In v l.
Proof. rewrite <- mem_in. destruct (mem v l); intuition discriminate. Qed.
Lemma indexed_in arcs i a : In (i, a) (indexed arcs) <-> nth_error arcs i = Some a.
Proof.
  assert (G : forall arcs k, In (i, a) (List.combine (seq k (length arcs)) arcs) <-> (k <= i)%nat /\ nth_error arcs (i - k) = Some a).
  { clear arcs. induction arcs as [|b arcs IH]; intros k; cbn [List.combine seq length In].
    - split; [easy|]. intros (_ & H). destruct (i - k)%nat; discriminate.
    - rewrite IH. split.
      + intros [H|(L & H)]; [injection H as <- <-; rewrite Nat.sub_diag; split; auto|].
        split; [lia|]. replace (i - k)%nat with (S (i - S k)) by lia. exact H.
      + intros (L & H). destruct (i - k)%nat as [|n] eqn:E; [left; injection H as <-; f_equal; lia|].
        right. split; [lia|]. replace (i - S k)%nat with n by lia. exact H. }
  unfold indexed, numbers. rewrite G, Nat.sub_0_r. split; [tauto|]. intros H. split; [lia|exact H].
Qed.

(** ** Growing *)
Section Grow.
Variables (usable : nat -> arc -> bool) (l : list (nat * arc)).
Lemma step_some R i a :
  find (fun ia => usable (fst ia) (snd ia) && mem (tail (snd ia)) R && negb (mem (head (snd ia)) R)) l = Some (i, a) ->
  In (i, a) l /\ usable i a = true /\ In (tail a) R /\ ~ In (head a) R.
Proof.
  intros F. apply find_some in F. cbn [fst snd] in F. rewrite !andb_true_iff, negb_true_iff, mem_in, mem_out in F. tauto.
Qed.
Lemma grow_incl n : forall R t, incl R (fst (grow usable l n R t)).
Proof.
  induction n as [|n IH]; intros R t; cbn [grow]; [apply incl_refl|]. destruct (find _ l) as [[i a]|]; [|apply incl_refl].
  intros v Hv. apply IH. right. exact Hv.
Qed.
Lemma grow_invariant (P : node -> Prop) n : (forall i a, In (i, a) l -> usable i a = true -> P (tail a) -> P (head a)) ->
  forall R t, (forall v, In v R -> P v) -> forall v, In v (fst (grow usable l n R t)) -> P v.
Proof.
  intros St. induction n as [|n IH]; intros R t H; cbn [grow]; [exact H|].
  destruct (find _ l) as [[i a]|] eqn:F; [|exact H]. apply step_some in F. destruct F as (I & U & T & _).
  apply IH. intros v [<-|Hv]; eauto.
Qed.
Lemma grow_once n : forall R t, NoDup R -> NoDup (fst (grow usable l n R t)).
Proof.
  induction n as [|n IH]; intros R t N; cbn [grow]; [exact N|]. destruct (find _ l) as [[i a]|] eqn:F; [|exact N].
  apply step_some in F. apply IH. constructor; tauto.
Qed.
Lemma grow_ends n : forall R t, (length R + n <= length (fst (grow usable l n R t)))%nat \/
  forall i a, In (i, a) l -> usable i a = true -> In (tail a) (fst (grow usable l n R t)) ->
    In (head a) (fst (grow usable l n R t)).
Proof.
  induction n as [|n IH]; intros R t; cbn [grow]; [left; cbn; lia|]. destruct (find _ l) as [[i a]|] eqn:F.
  - destruct (IH (head a :: R) (i :: t)) as [L|C]; [left; cbn [length] in L; lia|right; exact C].
  - right. cbn [fst]. intros i a I U T. pose proof (find_none _ _ F _ I) as E. cbn [fst snd] in E.
    rewrite U, (proj2 (mem_in _ _) T) in E. cbn [andb] in E. apply negb_false_iff in E. now apply mem_in.
Qed.
Lemma grow_reaches arcs root n : (forall i a, In (i, a) l -> nth_error arcs i = Some a) ->
  forall R t, reaches arcs root R t ->
  reaches arcs root (fst (grow usable l n R t)) (snd (grow usable l n R t)).
Proof.
  intros A. induction n as [|n IH]; intros R t H; cbn [grow]; [exact H|].
  destruct (find _ l) as [[i a]|] eqn:F; [|exact H]. apply step_some in F. apply IH.
  destruct F as (I & _ & T & N). apply reaches_arc; auto.
Qed.
Lemma grow_uses n : forall R t i, In i (snd (grow usable l n R t)) -> In i t \/ exists a, In (i, a) l /\ usable i a = true.
Proof.
  induction n as [|n IH]; intros R t i; cbn [grow]; [auto|]. destruct (find _ l) as [[j a]|] eqn:F; [|auto].
  apply step_some in F. intros H. destruct (IH _ _ _ H) as [[<-|I]|E]; auto. right. exists a. tauto.
Qed.
End Grow.

(** A path of arcs that are all right. *)
Inductive leads (ok : arc -> Prop) (arcs : list arc) (u : node) : node -> Prop :=
| leads_here : leads ok arcs u u
| leads_on a : leads ok arcs u (tail a) -> In a arcs -> ok a -> leads ok arcs u (head a).
Lemma leads_trans (ok : arc -> Prop) arcs u v w : leads ok arcs u v -> leads ok arcs v w -> leads ok arcs u w.
Proof. intros H. induction 1; auto. constructor; auto. Qed.
Lemma leads_back (ok : arc -> Prop) arcs a w : In a arcs -> ok a -> leads ok arcs (head a) w -> leads ok arcs (tail a) w.
Proof.
  intros I O H. apply leads_trans with (head a); auto. constructor; auto. constructor.
Qed.

Section Nodes.
Variables (nodes : list node) (root : node).

(** What [reach] reaches is closed, and leads from v. *)
Lemma reach_closed usable arcs v : In v nodes -> (forall a, In a arcs -> In (head a) nodes) ->
  forall i a, nth_error arcs i = Some a -> usable i a = true ->
  In (tail a) (fst (reach nodes usable arcs v)) -> In (head a) (fst (reach nodes usable arcs v)).
Proof.
  intros Hv H. unfold reach. destruct (grow_ends usable (indexed arcs) (length nodes) [v] []) as [L|C].
  - exfalso. set (R := fst (grow _ _ _ _ _)) in *. assert (N : NoDup R) by (apply grow_once; constructor; [easy|constructor]).
    assert (I : incl R nodes).
    { intros w Hw. revert w Hw. apply grow_invariant; [|intros w [<-|[]]; exact Hv].
      intros i a I _ _. apply indexed_in, nth_error_In in I. auto. }
    pose proof (NoDup_incl_length N I). cbn [length] in L. lia.
  - intros i a E. apply C. now apply indexed_in.
Qed.
Lemma reach_in usable arcs v : In v nodes -> (forall a, In a arcs -> In (head a) nodes) -> incl (fst (reach nodes usable arcs v)) nodes.
Proof.
  intros Hv H w Hw. revert w Hw. apply grow_invariant; [|intros w [<-|[]]; exact Hv].
  intros i a I _ _. apply indexed_in, nth_error_In in I. auto.
Qed.
Lemma reach_start usable arcs v : In v (fst (reach nodes usable arcs v)).
Proof. apply grow_incl. left. reflexivity. Qed.
Lemma reach_reaches usable arcs v : reaches arcs v (fst (reach nodes usable arcs v)) (snd (reach nodes usable arcs v)).
Proof. apply grow_reaches; [intros i a; apply indexed_in|constructor]. Qed.

Section Arcs.
Variable arcs : list arc.
Hypothesis G : graph nodes arcs root.
Hypothesis Costs : forall a, In a arcs -> 0 <= cost a.
Let is_free (a : arc) : Prop := free a = true.

Lemma turned_nodes a : In a (turned arcs) -> In (head a) nodes.
Proof. intros H. apply in_map_iff in H. destruct H as (b & <- & Hb). apply G in Hb. tauto. Qed.
Lemma behind_spec u v : In v nodes -> In u (behind nodes arcs v) <-> leads is_free arcs u v.
Proof.
  intros Hv. unfold behind. split.
  - revert u. apply grow_invariant; [|intros w [<-|[]]; constructor].
    intros i a I F H. apply indexed_in, nth_error_In, in_map_iff in I. destruct I as (b & <- & Hb). cbn in *.
    apply leads_back; auto.
  - assert (C : forall w, leads is_free arcs u w -> In w (behind nodes arcs v) -> In u (behind nodes arcs v)).
    { induction 1 as [|a H IH I F]; auto. intros W. apply IH.
      assert (J : In (Arc (head a) (tail a) (cost a)) (turned arcs)) by (apply (in_map (fun a => Arc (head a) (tail a) (cost a))); auto).
      apply In_nth_error in J. destruct J as (i & E).
      apply (reach_closed (fun _ => free) (turned arcs) v Hv turned_nodes i _ E); [exact F|exact W]. }
    intros H. apply (C v H), reach_start.
Qed.
Lemma behind_nodes v : In v nodes -> incl (behind nodes arcs v) nodes.
Proof. intros Hv. apply reach_in; [exact Hv|apply turned_nodes]. Qed.
Lemma behind_once v : NoDup (behind nodes arcs v).
Proof. apply grow_once. constructor; [easy|constructor]. Qed.

(** A shortest set: free arcs lead from everywhere in it to everywhere, and none enters it. *)
Lemma shortest_spec l : forall best, (In (shortest l best) (best :: l)) /\
  forall X, In X (best :: l) -> (length (shortest l best) <= length X)%nat.
Proof.
  induction l as [|Y l IH]; intros best; cbn [shortest].
  - split; [left; auto|]. intros X [<-|[]]. lia.
  - destruct (IH (if (length Y <? length best)%nat then Y else best)) as (I & M). split.
    + destruct I as [<-|I]; [|right; right; auto]. destruct (_ <? _)%nat; simpl; auto.
    + intros X HX. destruct (Nat.ltb_spec (length Y) (length best)).
      * destruct HX as [<-|[<-|HX]]; [|apply M; left; auto|apply M; right; auto].
        specialize (M Y (or_introl eq_refl)). lia.
      * destruct HX as [<-|[<-|HX]]; [apply M; left; auto| |apply M; right; auto].
        specialize (M best (or_introl eq_refl)). lia.
Qed.
Definition strong (X : list node) : Prop :=
  (exists v, In v X) /\ incl X nodes /\ ~ In root X /\ (forall a, In a arcs -> is_free a -> enters X a = false) /\
  forall u v, In u X -> In v X -> leads (fun a => is_free a /\ In (tail a) X /\ In (head a) X) arcs u v.
Lemma enters_spec X a : enters X a = true <-> ~ In (tail a) X /\ In (head a) X.
Proof. unfold enters. now rewrite andb_true_iff, negb_true_iff, mem_in, mem_out. Qed.
Lemma smallest_strong reached v others : (forall w, In w reached <-> leads is_free arcs root w) ->
  filter (fun v => negb (mem v reached)) nodes = v :: others ->
  strong (shortest (map (behind nodes arcs) others) (behind nodes arcs v)).
Proof.
  intros Re E. assert (Un : forall w, In w (v :: others) <-> In w nodes /\ ~ In w reached).
  { intros w. rewrite <- E, filter_In, negb_true_iff, mem_out. tauto. }
  destruct (shortest_spec (map (behind nodes arcs) others) (behind nodes arcs v)) as (I & M).
  change (behind nodes arcs v :: map (behind nodes arcs) others) with (map (behind nodes arcs) (v :: others)) in I, M.
  apply in_map_iff in I. destruct I as (w & Ew & Hw). rewrite <- Ew in *. clear Ew. pose proof (proj1 (Un w) Hw) as (Hn & Nw).
  assert (Out : forall u, In u (behind nodes arcs w) -> In u nodes /\ ~ In u reached).
  { intros u Hu. split; [now apply (behind_nodes w)|]. intros Ru. apply Nw. apply Re. apply Re in Ru.
    apply leads_trans with u; auto. now apply behind_spec. }
  assert (Back : forall u, In u (behind nodes arcs w) -> leads is_free arcs w u).
  { intros u Hu. destruct (Out u Hu) as (Nu & Ru). apply behind_spec; auto.
    assert (Sub : incl (behind nodes arcs u) (behind nodes arcs w)).
    { intros x Hx. apply behind_spec; auto. apply leads_trans with u; [apply behind_spec|apply behind_spec]; auto. }
    assert (L : (length (behind nodes arcs w) <= length (behind nodes arcs u))%nat).
    { apply M. apply in_map. apply Un. auto. }
    apply (NoDup_length_incl (behind_once u) L Sub). apply reach_start. }
  split; [exists w; apply reach_start|]. split; [intros u Hu; now apply Out|]. split; [|split].
  - intros H. destruct (Out root H) as (_ & R). apply R, Re. constructor.
  - intros a Ha Fa. apply not_true_is_false. intros En. apply enters_spec in En. destruct En as (T & H). apply T.
    apply behind_spec; auto. apply leads_back; auto. now apply behind_spec.
  - intros u x Hu Hx. assert (P : leads is_free arcs u x).
    { apply leads_trans with w; [now apply behind_spec|auto]. }
    revert Hx. clear - P Hn G. induction P as [|a P IH I F]; intros Hx; [constructor|].
    assert (T : In (tail a) (behind nodes arcs w)).
    { apply behind_spec; auto. apply leads_back; auto. now apply behind_spec. }
    constructor; auto.
Qed.

(** ** One arc into X *)
Section Once.
Variables (X : list node) (t : list nat) (R : list node).
Hypothesis Strong : strong X.
Hypothesis Spans : reaches arcs root R t.
Hypothesis All : incl nodes R.
Let first := find (fun i => mem (head (arc_of arcs i)) X) (rev t).
Let usable (i : nat) (a : arc) : bool :=
  (listed i t && negb (mem (head a) X)) || match first with Some j => (i =? j)%nat | None => false end ||
  (free a && mem (tail a) X && mem (head a) X).
Let Y := fst (reach nodes usable arcs root).

Lemma Y_closed i a : nth_error arcs i = Some a -> usable i a = true -> In (tail a) Y -> In (head a) Y.
Proof. apply reach_closed; [apply G|]. intros b Hb. apply G in Hb. tauto. Qed.
Lemma Y_strong v : In v X -> In v Y -> incl X Y.
Proof.
  intros Hv Yv u Hu. destruct Strong as (_ & _ & _ & _ & L). specialize (L v u Hv Hu). clear Hu.
  induction L as [|a L IH I (F & Ta & Ha)]; auto. apply In_nth_error in I. destruct I as (i & E).
  apply (Y_closed i a E); auto. unfold usable. rewrite F, (proj2 (mem_in _ _) Ta), (proj2 (mem_in _ _) Ha). apply orb_true_r.
Qed.
Lemma find_app {A} (f : A -> bool) l x :
  find f (l ++ [x]) = match find f l with Some y => Some y | None => if f x then Some x else None end.
Proof. induction l as [|y l IH]; simpl; [reflexivity|]. destruct (f y); auto. Qed.
Lemma Y_prefix R' s : reaches arcs root R' s -> incl s t ->
  (forall j, find (fun i => mem (head (arc_of arcs i)) X) (rev s) = Some j -> first = Some j) ->
  incl R' Y /\ (forall j, find (fun i => mem (head (arc_of arcs i)) X) (rev s) = Some j -> incl X Y).
Proof.
  induction 1 as [|R' s i a Re IH E T N]; intros I F.
  - split; [intros v [<-|[]]; apply reach_start|discriminate].
  - cbn [rev] in *. rewrite find_app in *. assert (Ai : arc_of arcs i = a) by now apply nth_error_nth.
    destruct IH as (In1 & In2); [intros j Hj; apply I; right; auto|intros j Hj; rewrite Hj in F; auto|].
    assert (Hd : In (head a) Y /\ (In (head a) X -> incl X Y)).
    { destruct (find _ (rev s)) as [j|] eqn:Fs.
      - specialize (In2 j eq_refl). split; auto. destruct (in_dec Z.eq_dec (head a) X) as [Hx|Hx]; [auto|].
        apply (Y_closed i a E); auto. unfold usable. rewrite (proj2 (listed_in i t)), (proj2 (mem_out _ _) Hx) by (apply I; left; auto).
        reflexivity.
      - rewrite Ai in F. destruct (mem (head a) X) eqn:M.
        + assert (H : In (head a) Y).
          { apply (Y_closed i a E); auto. unfold usable. rewrite (F i eq_refl), Nat.eqb_refl. now rewrite orb_true_r. }
          split; auto. intros Hx. now apply Y_strong with (head a).
        + split; [|intros Hx; apply mem_in in Hx; congruence].
          apply (Y_closed i a E); auto. unfold usable. rewrite (proj2 (listed_in i t)), M by (apply I; left; auto). reflexivity. }
    destruct Hd as (H1 & H2). split; [intros v [<-|Hv]; auto|].
    intros j Hj. destruct (find _ (rev s)) as [j'|] eqn:Fs; [now apply (In2 j')|]. rewrite Ai in Hj.
    destruct (mem (head a) X) eqn:M; [|discriminate]. apply H2. now apply mem_in.
Qed.
Lemma once_spans : spanning nodes arcs root (once nodes arcs root X t).
Proof.
  exists Y. split; [apply reach_reaches|]. intros v Hv. destruct (Y_prefix R t Spans (incl_refl t)) as (I & _); auto.
Qed.
Lemma once_uses i : In i (once nodes arcs root X t) -> let a := arc_of arcs i in nth_error arcs i = Some a /\
  ((In i t /\ (In (head a) X -> first = Some i)) \/ (free a = true /\ In (tail a) X /\ In (head a) X)).
Proof.
  intros H. destruct (grow_uses _ _ _ _ _ _ H) as [[]|(a & I & U)]. apply indexed_in in I.
  assert (Ai : arc_of arcs i = a) by now apply nth_error_nth. cbv zeta. rewrite Ai. split; auto.
  fold first in U. rewrite !orb_true_iff, !andb_true_iff, negb_true_iff, mem_out, listed_in, !mem_in in U.
  destruct U as [[[U1 U2]|U]|[[U1 U2] U3]]; [left; split; [auto|contradiction]|left|right; auto].
  destruct first as [j|] eqn:F; [|discriminate]. apply Nat.eqb_eq in U. subst j. split; auto.
  apply find_some in F. now apply in_rev.
Qed.
End Once.
End Arcs.

(** ** Cheaper arcs *)
Definition lowered (X : list node) (d : Q) (a : arc) : arc :=
  if enters X a then Arc (tail a) (head a) (Qred (cost a - d)) else a.
Lemma lowered_ends X d a : tail (lowered X d a) = tail a /\ head (lowered X d a) = head a.
Proof. unfold lowered. destruct (enters X a); auto. Qed.
Lemma lowered_cost X d a : cost (lowered X d a) == cost a - if enters X a then d else 0.
Proof. unfold lowered. destruct (enters X a); cbn [cost]; [apply Qred_correct|lra]. Qed.
Lemma arc_lower X d arcs i : arc_of (lower X d arcs) i = lowered X d (arc_of arcs i).
Proof.
  unfold arc_of, lower. assert (E : lowered X d (Arc 0 0 0) = Arc 0 0 0).
  { unfold lowered, enters. cbn [tail head]. destruct (mem 0 X); reflexivity. }
  rewrite <- E at 1. apply (map_nth (lowered X d)).
Qed.
Lemma reaches_same arcs arcs' : (forall i a, nth_error arcs i = Some a ->
    exists a', nth_error arcs' i = Some a' /\ tail a' = tail a /\ head a' = head a) ->
  forall R t, reaches arcs root R t -> reaches arcs' root R t.
Proof.
  intros S R t. induction 1 as [|R t i a H IH E T N]; [constructor|]. destruct (S i a E) as (a' & E' & Ta & Ha).
  rewrite <- Ha. apply reaches_arc; auto; congruence.
Qed.
Lemma reaches_lower X d arcs R t : reaches (lower X d arcs) root R t <-> reaches arcs root R t.
Proof.
  split; apply reaches_same; intros i a E.
  - unfold lower in E. rewrite nth_error_map in E. destruct (nth_error arcs i) as [b|]; [|discriminate].
    injection E as <-. exists b. split; auto. destruct (lowered_ends X d b). auto.
  - exists (lowered X d a). unfold lower. rewrite nth_error_map, E. split; [reflexivity|apply lowered_ends].
Qed.
Lemma spanning_lower X d arcs t : spanning nodes (lower X d arcs) root t <-> spanning nodes arcs root t.
Proof. unfold spanning. split; intros (R & H & I); exists R; split; auto; now apply (reaches_lower X d). Qed.
Lemma graph_lower X d arcs : graph nodes arcs root -> graph nodes (lower X d arcs) root.
Proof.
  intros (Hr & H). split; auto. intros a Ha. apply in_map_iff in Ha. destruct Ha as (b & <- & Hb).
  destruct (lowered_ends X d b) as (E1 & E2). unfold lowered in E1, E2. rewrite E1, E2. auto.
Qed.
Lemma least_spec l : forall best, In (least l best) (best :: l) /\ forall q, In q (best :: l) -> least l best <= q.
Proof.
  induction l as [|p l IH]; intros best; cbn [least].
  - split; [left; auto|]. intros q [<-|[]]. lra.
  - destruct (IH (if Qle_bool p best then p else best)) as (I & M). split.
    + destruct I as [<-|I]; [destruct (Qle_bool p best); simpl; auto|right; right; auto].
    + pose proof (M _ (or_introl eq_refl)) as L. destruct (Qle_bool p best) eqn:E.
      * apply Qle_bool_iff in E. intros q [<-|[<-|Hq]]; [lra|lra|apply M; right; auto].
      * assert (best < p) by (apply Qnot_le_lt; intros K; apply Qle_bool_iff in K; congruence).
        intros q [<-|[<-|Hq]]; [lra|lra|apply M; right; auto].
Qed.

(** ** The program *)
Definition price (arcs : list arc) (i : nat) : Q := cost (arc_of arcs i).
Definition as_cut (Xw : list node * Q) : (node -> bool) * Q := (fun v => mem v (fst Xw), snd Xw).
Lemma free_spec a : free a = true <-> cost a <= 0.
Proof. apply Qle_bool_iff. Qed.
Lemma not_free a : free a = false -> 0 < cost a.
Proof. intros H. apply Qnot_le_lt. intros E. apply free_spec in E. congruence. Qed.

(** The step of the program: X, what it pays, and the arcs that enter it. *)
Section Step.
Variables (arcs : list arc) (X : list node) (q : Q) (costs : list Q).
Hypothesis G : graph nodes arcs root.
Hypothesis Costs : forall a, In a arcs -> 0 <= cost a.
Hypothesis Strong : strong arcs X.
Hypothesis Entering : map cost (filter (enters X) arcs) = q :: costs.
Let d := least costs q.
Lemma least_arc : (exists a, In a arcs /\ enters X a = true /\ cost a = d) /\
  forall a, In a arcs -> enters X a = true -> d <= cost a.
Proof.
  destruct (least_spec costs q) as (I & M). fold d in I, M. rewrite <- Entering in I, M. split.
  - apply in_map_iff in I. destruct I as (a & E & Ha). apply filter_In in Ha. exists a. tauto.
  - intros a Ha E. apply M, in_map, filter_In. auto.
Qed.
Lemma paid_positive : 0 < d.
Proof.
  destruct least_arc as ((a & Ha & E & <-) & _). apply not_free. apply not_true_is_false. intros F.
  destruct Strong as (_ & _ & _ & No & _). rewrite (No a Ha F) in E. discriminate.
Qed.
Lemma costs_lower a : In a (lower X d arcs) -> 0 <= cost a.
Proof.
  intros H. apply in_map_iff in H. destruct H as (b & E & Hb). change (lowered X d b = a) in E. subst a.
  rewrite lowered_cost. pose proof (Costs b Hb). destruct (enters X b) eqn:E; [|lra]. pose proof (proj2 least_arc b Hb E). lra.
Qed.
Lemma fewer_lower : (length (filter (fun a => negb (free a)) (lower X d arcs)) < length (filter (fun a => negb (free a)) arcs))%nat.
Proof.
  assert (E : length (filter (fun a => negb (free a)) (lower X d arcs)) = length (filter (fun a => negb (free (lowered X d a))) arcs)).
  { unfold lower. fold (lowered X d). clear. induction arcs as [|a l IH]; [reflexivity|]. cbn [map filter].
    change (if enters X a then _ else a) with (lowered X d a). destruct (free (lowered X d a)); cbn [negb length]; auto. }
  rewrite E. apply filter_fewer.
  - intros a H. apply negb_true_iff in H. apply negb_true_iff, not_true_is_false. intros F. apply free_spec in F.
    apply not_free in H. rewrite lowered_cost in H. pose proof paid_positive. destruct (enters X a); lra.
  - destruct least_arc as ((a & Ha & En & Ec) & _). exists a. split; auto. split.
    + apply negb_true_iff, not_true_is_false. intros F. apply free_spec in F. rewrite Ec in F. pose proof paid_positive. lra.
    + apply negb_false_iff, free_spec. rewrite lowered_cost, En, Ec. lra.
Qed.
Lemma price_lower i : price (lower X d arcs) i == price arcs i - if enters X (arc_of arcs i) then d else 0.
Proof. unfold price. rewrite arc_lower. apply lowered_cost. Qed.
Lemma once_costs t : spanning nodes (lower X d arcs) root t ->
  sum (price arcs) (once nodes arcs root X t) <= sum (price (lower X d arcs)) t + d.
Proof.
  intros (R & Re & All). apply reaches_lower in Re. set (t2 := once nodes arcs root X t).
  assert (Range : forall i, In i t -> In (arc_of (lower X d arcs) i) (lower X d arcs)).
  { intros i Hi. apply nth_In. unfold lower. rewrite map_length. clear - Re Hi.
    induction Re as [|R t j a Re IH E T N]; [easy|]. destruct Hi as [<-|Hi]; auto. apply nth_error_Some. congruence. }
  assert (N2 : NoDup t2) by (apply (Capacities.reaches_nodup arcs root _ _ (reach_reaches _ arcs root))).
  assert (U := fun i => once_uses arcs X t i). fold t2 in U. cbv zeta in U.
  rewrite (sum_eq (price arcs) (fun i => price (lower X d arcs) i + if enters X (arc_of arcs i) then d else 0))
    by (intros i _; rewrite price_lower; lra).
  rewrite sum_plus. apply Qplus_le_compat.
  - apply Qle_trans with (sum (price (lower X d arcs)) (filter (fun i => listed i t) t2)).
    + rewrite sum_filter. apply sum_le. intros i Hi. destruct (listed i t) eqn:L; [lra|].
      destruct (U i Hi) as (_ & [(I & _)|(F & Ta & Ha)]); [apply listed_in in I; congruence|].
      rewrite price_lower. apply free_spec in F. unfold enters. rewrite (proj2 (mem_in _ _) Ta). cbn [negb andb].
      unfold price. lra.
    + apply sum_incl.
      * intros i Hi. unfold price. apply costs_lower, Range, Hi.
      * now apply NoDup_filter.
      * intros i Hi. apply filter_In in Hi. now apply listed_in.
  - pose proof paid_positive as P.
    assert (One : forall i, In i t2 -> enters X (arc_of arcs i) = true ->
      find (fun i => mem (head (arc_of arcs i)) X) (rev t) = Some i).
    { intros i Hi E. apply enters_spec in E. destruct (U i Hi) as (_ & [(_ & F)|(_ & Ta & _)]); tauto. }
    destruct (find _ (rev t)) as [j|].
    + eapply Qle_trans; [|apply (sum_at_most_one t2 (fun i => (i =? j)%nat) j d); [lra|exact N2|intros i; apply Nat.eqb_eq]].
      apply sum_le. intros i Hi. destruct (enters X (arc_of arcs i)) eqn:E; [|destruct (i =? j)%nat; lra].
      specialize (One i Hi E). injection One as ->. rewrite Nat.eqb_refl. lra.
    + rewrite sum_none; [lra|]. intros i Hi. destruct (enters X (arc_of arcs i)) eqn:E; [|reflexivity].
      specialize (One i Hi E). discriminate.
Qed.
Lemma cuts_lower cuts : cut_packing nodes (lower X d arcs) root (price (lower X d arcs)) (map as_cut cuts) ->
  cut_packing nodes arcs root (price arcs) (map as_cut ((X, d) :: cuts)).
Proof.
  intros (Pos & Fit). pose proof paid_positive as P. destruct Strong as ((v & Hv) & I & Nr & _). split.
  - intros Z w [E|H]; [|now apply (Pos Z w)]. injection E as <- <-. split; [cbn; lra|]. split; [now apply mem_out|].
    exists v. split; auto. now apply mem_in.
  - intros i Hi. cbn [map sum as_cut fst snd]. specialize (Fit i). unfold lower in Fit at 1. rewrite map_length in Fit.
    specialize (Fit Hi). rewrite price_lower in Fit. rewrite arc_lower in Fit.
    change (goes_in (fun v => mem v X) (arc_of arcs i)) with (enters X (arc_of arcs i)).
    rewrite (sum_eq _ (fun Xw => if goes_in (fst Xw) (lowered X d (arc_of arcs i)) then snd Xw else 0)).
    + destruct (enters X (arc_of arcs i)); lra.
    + intros Xw _. unfold goes_in. now destruct (lowered_ends X d (arc_of arcs i)) as (-> & ->).
Qed.
End Step.

Lemma reached_leads arcs : graph nodes arcs root ->
  forall w, In w (fst (reach nodes (fun _ => free) arcs root)) <-> leads (fun a => free a = true) arcs root w.
Proof.
  intros G w. split.
  - revert w. apply grow_invariant; [|intros w [<-|[]]; constructor].
    intros i a I F H. apply indexed_in, nth_error_In in I. now apply leads_on.
  - induction 1 as [|a H IH I F]; [apply reach_start|]. apply In_nth_error in I. destruct I as (i & E).
    apply (reach_closed (fun _ => free) arcs root (proj1 G)) with (i := i); auto. intros b Hb. apply G in Hb. tauto.
Qed.

Theorem cheapest_within_right fuel : forall arcs, graph nodes arcs root -> (forall a, In a arcs -> 0 <= cost a) ->
  forall t cuts, cheapest_within fuel nodes arcs root = Some (t, cuts) ->
  spanning nodes arcs root t /\ cut_packing nodes arcs root (price arcs) (map as_cut cuts) /\
  sum (price arcs) t <= sum snd cuts.
Proof.
  induction fuel as [|fuel IH]; intros arcs G Costs t cuts E; [discriminate|]. cbn [cheapest_within] in E.
  pose proof (reached_leads arcs G) as L. pose proof (reach_reaches (fun _ => free) arcs root) as Re.
  pose proof (grow_uses (fun _ => free) (indexed arcs) (length nodes) [root] []) as U.
  change (grow (fun _ => free) (indexed arcs) (length nodes) [root] []) with (reach nodes (fun _ => free) arcs root) in U.
  destruct (reach nodes (fun _ => free) arcs root) as [R t0]. cbn [fst snd] in *.
  destruct (filter _ nodes) as [|v others] eqn:Un.
  - injection E as <- <-. split; [|split].
    + exists R. split; auto. intros v Hv. apply mem_in. apply not_false_is_true. intros M.
      assert (I : In v []) by (rewrite <- Un; apply filter_In; rewrite M; auto). easy.
    + split; [easy|]. intros i Hi. cbn. apply Costs, nth_In, Hi.
    + cbn. rewrite <- (sum_zero t0). apply sum_le. intros i Hi. destruct (U i Hi) as [[]|(a & I & F)].
      apply indexed_in in I. unfold price. rewrite (nth_error_nth arcs i (Arc 0 0 0) I : arc_of arcs i = a). now apply free_spec.
  - pose proof (smallest_strong arcs G R v others L Un) as St. set (X := shortest _ _) in *.
    destruct (map cost (filter (enters X) arcs)) as [|q costs] eqn:En; [discriminate|].
    set (d := least costs q) in *.
    destruct (cheapest_within fuel nodes (lower X d arcs) root) as [[t' cuts']|] eqn:E'; [|discriminate].
    injection E as <- <-.
    destruct (IH (lower X d arcs) (graph_lower X d arcs G) (costs_lower arcs X q costs Costs En) t' cuts' E') as (S1 & S2 & S3).
    split; [|split].
    + destruct S1 as (R' & Re' & All). apply (once_spans arcs G X t' R' St); auto. now apply (reaches_lower X d).
    + now apply (cuts_lower arcs X q costs St En).
    + cbn [sum snd]. pose proof (once_costs arcs X q costs Costs St En t' S1). fold d in H. lra.
Qed.

Theorem cheapest_within_found fuel : forall arcs, graph nodes arcs root -> (forall a, In a arcs -> 0 <= cost a) ->
  (length (filter (fun a => negb (free a)) arcs) < fuel)%nat -> (exists t, spanning nodes arcs root t) ->
  cheapest_within fuel nodes arcs root <> None.
Proof.
  induction fuel as [|fuel IH]; intros arcs G Costs Lt (t & Sp); [lia|]. cbn [cheapest_within].
  pose proof (reached_leads arcs G) as L. destruct (reach nodes (fun _ => free) arcs root) as [R t0]. cbn [fst] in L.
  destruct (filter _ nodes) as [|v others] eqn:Un; [discriminate|].
  pose proof (smallest_strong arcs G R v others L Un) as St. set (X := shortest _ _) in *.
  destruct (map cost (filter (enters X) arcs)) as [|q costs] eqn:En.
  - exfalso. destruct St as ((w & Hw) & I & Nr & _).
    destruct (Cuts.tree_enters nodes arcs root t (fun v => mem v X) Sp) as (i & _ & Hi & E).
    + split; [now apply mem_out|]. exists w. split; auto. now apply mem_in.
    + assert (Ha : In (cost (arc_of arcs i)) (map cost (filter (enters X) arcs))).
      { apply in_map, filter_In. split; [now apply nth_In|exact E]. }
      rewrite En in Ha. easy.
  - set (d := least costs q).
    assert (Next : cheapest_within fuel nodes (lower X d arcs) root <> None).
    { apply IH.
      - now apply graph_lower.
      - apply (costs_lower arcs X q costs Costs En).
      - pose proof (fewer_lower arcs X q costs St En). fold d in H. lia.
      - exists t. now apply spanning_lower. }
    destruct (cheapest_within fuel nodes (lower X d arcs) root) as [[t' cuts']|]; [discriminate|congruence].
Qed.
End Nodes.
