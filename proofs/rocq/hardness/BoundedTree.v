(** Spanning trees of bounded degree and the best tree of a broadcast: a graph has a spanning tree of degree at most K if
    and only if some tree of its platform carries one message per time unit. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched Require Sanity.
From Exactsched.existence Require Import Definitions Finite Structures Reached Broadcast.
From Exactsched.existence Require Theorems.
From Exactsched.hardness Require Import Definitions.
Import ListNotations.
Open Scope Q_scope.

(** ** Edges and arcs *)
Definition ends (a : arc) : edge := (tail a, head a).
Definition out_of (u : node) (arcs : list arc) : list arc := filter (fun a => tail a =? u)%Z arcs.
Definition in_to (u : node) (arcs : list arc) : list arc := filter (fun a => head a =? u)%Z arcs.

Lemma edges_at_arcs u arcs : (forall a, In a arcs -> tail a <> head a) ->
  edges_at (map ends arcs) u = (length (out_of u arcs) + length (in_to u arcs))%nat.
Proof.
  unfold edges_at, out_of, in_to. induction arcs as [|a arcs IH]; intros H; [reflexivity|].
  specialize (IH (fun b Hb => H b (or_intror Hb))). pose proof (H a (or_introl eq_refl)).
  cbn [map filter ends]. destruct (Z.eqb_spec (tail a) u), (Z.eqb_spec (head a) u); cbn [orb length]; try lia.
Qed.
Lemma in_to_once u arcs : NoDup (map head arcs) -> (length (in_to u arcs) <= 1)%nat.
Proof.
  intros N. assert (H : (length (map head (in_to u arcs)) <= length [u])%nat).
  { apply NoDup_incl_length.
    - unfold in_to. clear - N. induction arcs as [|a arcs IH]; simpl; [constructor|]. inversion N as [|x l Na N' E]; subst.
      destruct (_ =? _)%Z; simpl; auto. constructor; auto. intros I. apply Na. apply in_map_iff in I.
      destruct I as (b & <- & Hb). apply filter_In in Hb. apply in_map. tauto.
    - intros v Hv. apply in_map_iff in Hv. destruct Hv as (b & <- & Hb). apply filter_In in Hb.
      destruct Hb as [_ E]. apply Z.eqb_eq in E. left. auto. }
  rewrite map_length in H. exact H.
Qed.
Lemma connected_trans edges u v w : connected edges u v -> connected edges v w -> connected edges u w.
Proof. intros H. induction 1; auto. econstructor; eauto. Qed.
Lemma connected_back edges u v : connected edges u v -> connected edges v u.
Proof.
  induction 1 as [|v w H IH J]; [constructor|]. apply connected_trans with v; auto.
  apply connected_edge with w; [constructor|]. destruct J; [right|left]; auto.
Qed.

Section Graph.
Variables (nodes : list node) (edges : list edge) (source : node) (K : nat).
Hypothesis Once : NoDup nodes.
Hypothesis Simple : simple nodes edges.
Hypothesis Source : In source nodes.
Hypothesis Two : (2 <= K)%nat.

Lemma joined_nodes u v : joined edges u v -> In u nodes /\ In v nodes /\ u <> v.
Proof. intros [H|H]; destruct (Simple _ _ H) as (A & B & C); auto. Qed.
Lemma arc_joined a : In a (both_ways source K edges) <->
  a = arc_from source K (tail a) (head a) /\ joined edges (tail a) (head a).
Proof.
  unfold both_ways. rewrite in_flat_map. split.
  - intros ([u v] & H & [<-|[<-|[]]]); (split; [reflexivity|]); [left|right]; exact H.
  - intros (-> & [H|H]); [exists (tail a, head a)|exists (head a, tail a)]; (split; [exact H|]); simpl; auto.
Qed.

(** What a transfer out of u costs, and how many of them take at most one time unit. *)
Definition limit (u : node) : nat := if (u =? source)%Z then K else (K - 1)%nat.
Definition fee (u : node) : Q := 1 / count (limit u).
Lemma fee_arc a : In a (both_ways source K edges) -> cost a = fee (tail a).
Proof.
  intros H. apply arc_joined in H. destruct H as (E & _). rewrite E at 1. unfold arc_from, fee, limit, count. cbn [cost].
  destruct (_ =? _)%Z; reflexivity.
Qed.
Lemma limit_positive u : 0 < count (limit u).
Proof. apply count_pos. unfold limit. destruct (_ =? _)%Z; lia. Qed.
Lemma fee_positive u : 0 < fee u.
Proof. pose proof (limit_positive u). unfold fee. apply Qlt_shift_div_l; lra. Qed.
Lemma fee_limit n u : count n * fee u <= 1 <-> (n <= limit u)%nat.
Proof.
  pose proof (limit_positive u) as P. assert (E : fee u * count (limit u) == 1) by (unfold fee; field; lra).
  pose proof (fee_positive u) as F. transitivity (count n <= count (limit u)).
  - split; intros H; [apply Qmult_le_r with (fee u)|]; auto; [lra|].
    apply Qle_trans with (count (limit u) * fee u); [apply Qmult_le_compat_r; lra|lra].
  - unfold count. rewrite <- Zle_Qle. lia.
Qed.
Lemma arc_positive arcs : incl arcs (both_ways source K edges) -> forall a, In a arcs -> 0 < cost a.
Proof. intros I a H. rewrite (fee_arc a (I a H)). apply fee_positive. Qed.
Lemma sum_fee u arcs : incl arcs (both_ways source K edges) -> sum cost (out_of u arcs) == count (length (out_of u arcs)) * fee u.
Proof.
  intros I. rewrite <- sum_const. apply sum_eq. intros a Ha. apply filter_In in Ha. destruct Ha as (Ha & E).
  apply Z.eqb_eq in E. rewrite (fee_arc a (I a Ha)), E. reflexivity.
Qed.

(** ** From a tree of the graph to an arborescence *)
Lemma reaches_more arcs more R t : reaches arcs source R t -> reaches (arcs ++ more) source R t.
Proof.
  induction 1 as [|R t i a H IH E T N]; constructor; auto. rewrite nth_error_app1; auto.
  apply nth_error_Some. congruence.
Qed.
Section Directed.
Variable tree : list edge.
Hypothesis Within : forall u v, In (u, v) tree -> joined edges u v.
Hypothesis Connected : forall v, In v nodes -> connected tree source v.
(** Arcs that reach R, one for each node but the source, from different edges. *)
Definition grown (arcs : list arc) (R : list node) (rest : list edge) : Prop :=
  (exists t, reaches arcs source R t) /\ incl arcs (both_ways source K edges) /\ NoDup R /\ incl R nodes /\
  Permutation R (source :: map head arcs) /\ (forall a, In a arcs -> In (tail a) R) /\
  (forall v, edges_at tree v = (edges_at (map ends arcs) v + edges_at rest v)%nat) /\
  (forall u v, In (u, v) tree -> In (u, v) rest \/ In u R /\ In v R).

Lemma crossing R v : In source R -> connected tree source v -> ~ In v R ->
  exists x y, joined tree x y /\ In x R /\ ~ In y R.
Proof.
  intros Hs. induction 1 as [|v w H IH J]; intros N; [contradiction|].
  destruct (in_dec Z.eq_dec v R); [exists v, w; auto|auto].
Qed.
Lemma edges_at_app l l' v : edges_at (l ++ l') v = (edges_at l v + edges_at l' v)%nat.
Proof. unfold edges_at. now rewrite filter_app, app_length. Qed.
Lemma edges_at_cons x y (l : list edge) v :
  edges_at (@cons edge (x, y) l) v = ((if (x =? v)%Z || (y =? v)%Z then 1 else 0) + edges_at l v)%nat.
Proof. unfold edges_at. cbn [filter]. destruct (_ || _); reflexivity. Qed.

Lemma grow arcs R rest x y : grown arcs R rest -> joined tree x y -> In x R -> ~ In y R ->
  exists rest', grown (arcs ++ [arc_from source K x y]) (y :: R) rest'.
Proof.
  intros ((t & Re) & A & N & I & P & Tl & D & Out) J Hx Ny.
  assert (Je : joined edges x y) by (destruct J as [J|J]; apply Within in J; destruct J; [left|right|right|left]; auto).
  destruct (joined_nodes x y Je) as (_ & Yn & _).
  assert (E : exists e l1 l2, (e = (x, y) \/ e = (y, x)) /\ rest = l1 ++ e :: l2).
  { destruct J as [J|J]; (destruct (Out _ _ J) as [O|[O1 O2]]; [|contradiction]); apply in_split in O; destruct O as (l1 & l2 & ->); eauto 6. }
  destruct E as (e & l1 & l2 & Ee & ->). exists (l1 ++ l2).
  assert (De : forall l v, edges_at (e :: l) v = ((if (x =? v)%Z || (y =? v)%Z then 1 else 0) + edges_at l v)%nat).
  { intros l v. destruct Ee as [-> | ->]; rewrite edges_at_cons; [reflexivity|]. now rewrite orb_comm. }
  split; [|split; [|split; [|split; [|split; [|split; [|split]]]]]].
  - exists (length arcs :: t). apply (reaches_arc _ _ R t (length arcs) (arc_from source K x y)); auto.
    + apply reaches_more; auto.
    + rewrite nth_error_app2, Nat.sub_diag by lia. reflexivity.
  - apply incl_app; auto. intros b [<-|[]]. apply arc_joined. split; [reflexivity|exact Je].
  - constructor; auto.
  - intros v [<-|Hv]; auto.
  - rewrite map_app. cbn [map head arc_from]. rewrite P, app_comm_cons. apply Permutation_cons_append.
  - intros b Hb. apply in_app_iff in Hb. destruct Hb as [Hb|[<-|[]]]; right; auto.
  - intros v. rewrite D, map_app, !edges_at_app, De.
    change (map ends [arc_from source K x y]) with (@cons edge (x, y) []). rewrite edges_at_cons.
    change (edges_at [] v) with 0%nat. lia.
  - intros u v H. destruct (Out u v H) as [O|[O1 O2]]; [|right; split; right; auto].
    apply in_app_iff in O. destruct O as [O|[O|O]]; [left; apply in_app_iff; auto| |left; apply in_app_iff; auto].
    right. destruct Ee as [-> | ->]; injection O as <- <-; split; simpl; auto.
Qed.
Lemma grow_all n : exists arcs R rest, grown arcs R rest /\ (incl nodes R \/ (n <= length R)%nat).
Proof.
  induction n as [|n (arcs & R & rest & G & [L|L])].
  - exists [], [source], tree. split; [|right; simpl; lia]. split; [exists []; constructor|].
    split; [easy|]. split; [constructor; [easy|constructor]|]. split; [intros v [<-|[]]; exact Source|].
    split; [apply Permutation_refl|]. split; [easy|]. split; [reflexivity|auto].
  - exists arcs, R, rest. auto.
  - destruct (Forall_dec (fun v => In v R) (fun v => in_dec Z.eq_dec v R) nodes) as [F|F].
    + exists arcs, R, rest. split; auto. left. rewrite Forall_forall in F. exact F.
    + apply neg_Forall_Exists_neg in F; [|intros v; apply in_dec, Z.eq_dec]. apply Exists_exists in F.
      destruct F as (v & Hv & Nv).
      assert (Hs : In source R) by (destruct G as (_ & _ & _ & _ & P & _); rewrite P; left; auto).
      destruct (crossing R v Hs (Connected v Hv) Nv) as (x & y & J & Hx & Hy).
      destruct (grow arcs R rest x y G J Hx Hy) as (rest' & G'). exists (arcs ++ [arc_from source K x y]), (y :: R), rest'.
      split; auto. right. simpl. lia.
Qed.
Lemma arborescence_of : exists arcs R rest, grown arcs R rest /\ incl nodes R.
Proof.
  destruct (grow_all (S (length nodes))) as (arcs & R & rest & G & [I|L]); [eauto 6|].
  exfalso. destruct G as (_ & _ & N & I & _). pose proof (NoDup_incl_length N I). lia.
Qed.

Lemma broadcast_graph arcs : incl arcs (both_ways source K edges) -> graph nodes arcs source.
Proof.
  intros I. split; auto. intros a Ha. apply I, arc_joined in Ha. destruct Ha as (_ & J). apply joined_nodes in J. tauto.
Qed.
Lemma loads arcs r : incl arcs (both_ways source K edges) -> NoDup (map head arcs) ->
  (forall u, length (out_of u arcs) <= limit u)%nat ->
  sum (fun a => if uses_it r (transfer OnePort (Message 0) 1 a) then cost a else 0) arcs <= 1.
Proof.
  intros I N O. destruct r as [u|u|u|u v|u].
  - apply Qle_trans with (sum cost (out_of u arcs)).
    + unfold out_of. rewrite sum_filter. apply Qle_lteq. right. apply sum_eq. intros a _.
      replace (uses_it (Sends u) (transfer OnePort (Message 0) 1 a)) with (tail a =? u)%Z; [reflexivity|].
      apply eq_true_iff_eq. rewrite uses_it_spec, Z.eqb_eq. cbn. split; [intros ->; auto|intros [H|[H|[]]]; congruence].
    + rewrite sum_fee by auto. apply fee_limit, O.
  - apply Qle_trans with (sum cost (in_to u arcs)).
    + unfold in_to. rewrite sum_filter. apply Qle_lteq. right. apply sum_eq. intros a _.
      replace (uses_it (Receives u) (transfer OnePort (Message 0) 1 a)) with (head a =? u)%Z; [reflexivity|].
      apply eq_true_iff_eq. rewrite uses_it_spec, Z.eqb_eq. cbn. split; [intros ->; auto|intros [H|[H|[]]]; congruence].
    + pose proof (in_to_once u arcs N) as L. destruct (in_to u arcs) as [|a [|b l]] eqn:E; cbn [sum length] in *; [lra| |lia].
      assert (Ha : In a arcs) by (apply (filter_In (fun a => (head a =? u)%Z)); fold (in_to u arcs); rewrite E; left; auto).
      rewrite (fee_arc a (I a Ha)). pose proof (proj2 (fee_limit 1 (tail a))) as F. change (count 1) with 1 in F.
      assert (1 <= limit (tail a))%nat by (unfold limit; destruct (_ =? _)%Z; lia). specialize (F H). lra.
  - rewrite sum_none; [lra|]. intros a _. reflexivity.
  - rewrite sum_none; [lra|]. intros a _. reflexivity.
  - rewrite sum_none; [lra|]. intros a _. reflexivity.
Qed.
Lemma tree_reached : (forall v, In v nodes -> (edges_at tree v <= K)%nat) ->
  exists C, reached_within (Collectives.tree source) OnePort (both_ways source K edges) source nodes 1 C.
Proof.
  intros D. destruct arborescence_of as (arcs & R & rest & ((t & Re) & A & N & I & P & Tl & Deg & _) & Ir).
  pose proof (Permutation_NoDup P N) as N'. inversion N' as [|x l Ns Nh E]; subst.
  set (S := broadcast OnePort nodes arcs source).
  assert (St : structure S t) by (apply spanning_structure; exists R; auto).
  assert (Pos : takes_time S) by (apply broadcast_time, arc_positive, A).
  eexists. exists arcs. split; [exact A|]. split; [split; auto|].
  change 1 with (count (list_sum (map fst [(1%nat, t)])) / 1).
  apply (whole_periods S [(1%nat, t)] 1 Pos).
  - apply (at_arcs_two_sided OnePort arcs); [discriminate|apply broadcast_at_arcs].
  - intros k t' [[= <- <-]|[]]; exact St.
  - lra.
  - simpl. lia.
  - intros r. cbn [sum fst snd]. change (count 1) with 1. rewrite Qmult_1_l, Qplus_0_r.
    apply Qle_trans with (sum (fun i => if uses_it r (kind S i) then lasts (kind S i) else 0) (seq 0 (length arcs))).
    + destruct St as (Gr & _). destruct (grows_facts S t Gr) as (Nt & F). apply sum_incl; auto.
      * intros i Hi. apply in_seq in Hi. destruct (uses_it _ _); [|lra]. apply lasts_nonneg; auto.
        unfold S. rewrite broadcast_tasks. lia.
      * intros i Hi. apply in_seq. destruct (F i Hi) as (L & _). unfold S in L. rewrite broadcast_tasks in L. lia.
    + eapply Qle_trans; [|apply (loads arcs r A Nh)].
      * rewrite <- (sum_nth _ arcs (Arc 0 0 0)). apply Qle_lteq. right. apply sum_eq. intros i Hi. apply in_seq in Hi.
        unfold S. rewrite broadcast_kind by lia. unfold arc_of. destruct (uses_it _ _); [|reflexivity]. cbn. ring.
      * intros u. assert (Loops : forall a, In a arcs -> tail a <> head a).
        { intros a Ha. apply A, arc_joined in Ha. destruct Ha as (_ & J). apply joined_nodes in J. tauto. }
        pose proof (edges_at_arcs u arcs Loops) as Ea. specialize (Deg u).
        destruct (out_of u arcs) as [|a l] eqn:Eo; [simpl; lia|].
        assert (Hu : In u R).
        { assert (Ha : In a (out_of u arcs)) by (rewrite Eo; left; auto). apply filter_In in Ha. destruct Ha as (Ha & Eu).
          apply Z.eqb_eq in Eu. rewrite <- Eu. auto. }
        specialize (D u (I u Hu)). unfold limit. destruct (Z.eqb_spec u source) as [|Nu]; [lia|].
        rewrite P in Hu. destruct Hu as [Hu|Hu]; [congruence|]. apply in_map_iff in Hu. destruct Hu as (b & Eb & Hb).
        assert (In b (in_to u arcs)) by (apply filter_In; split; auto; now apply Z.eqb_eq).
        destruct (in_to u arcs); [easy|]. simpl in *. lia.
Qed.
End Directed.

(** ** From the best tree to a tree of the graph *)
Lemma reached_structure S T C : takes_time S -> reached S T C -> exists t, structure S t.
Proof.
  intros pos (HT & R). destruct (R 1%nat) as (s & V & Co).
  destruct (done_structure S pos s 1 (Qmax 0 (count 1 / T + C)) 0) as (t & St & _); eauto.
  - apply Q.le_max_l.
  - intros m x Hm Hx. destruct (Co m x Hm Hx) as [Gx|(i & k & H1 & H2 & H3)]; [left; auto|].
    right. exists i, k. repeat split; auto. eapply Qle_trans; [exact H3|]. apply (work_mono S s V), Q.le_max_r.
Qed.
Section Used.
Variable used : list arc.
Hypothesis Within : incl used (both_ways source K edges).
Hypothesis Tree : Collectives.tree source used.
Let S := broadcast OnePort nodes used source.

Lemma used_time : takes_time S.
Proof. apply broadcast_time, arc_positive, Within. Qed.
Lemma known_connected t : grows S t -> forall v, In (At (Message 0) v) (known S t) ->
  connected (map ends used) source v /\ (v = source \/ In v (map head used)).
Proof.
  induction 1 as [|i t G IH L N Ne]; intros v Hv.
  - destruct Hv as [Hv|[]]. injection Hv as <-. split; [constructor|auto].
  - apply known_in in Hv. destruct Hv as [Hv|(j & [<-|Hj] & Mk)].
    + apply IH, known_in. auto.
    + unfold S in L. rewrite broadcast_tasks in L. unfold S in Mk, Ne. rewrite broadcast_kind in Mk, Ne by auto.
      injection Mk as <-. assert (Ha : In (arc_of used i) used) by (apply nth_In; auto). split; [|right; apply in_map; auto].
      apply connected_edge with (tail (arc_of used i)).
      * apply IH. apply Ne. left. auto.
      * left. apply (in_map ends). auto.
    + apply IH, known_in. eauto.
Qed.
Lemma node_connected t v : structure S t -> In v nodes ->
  connected (map ends used) source v /\ (v = source \/ In v (map head used)).
Proof. intros (G & W) Hv. apply (known_connected t G), W, in_map. auto. Qed.
Lemma used_joined a : In a used -> joined edges (tail a) (head a).
Proof. intros H. apply Within, arc_joined in H. tauto. Qed.
Lemma used_spans t : structure S t -> spanning_tree nodes edges (map ends used).
Proof.
  intros St. destruct Tree as (N & Ns). split; [|split].
  - intros u v H. apply in_map_iff in H. destruct H as (a & E & Ha). injection E as <- <-. apply used_joined; auto.
  - intros u v Hu Hv. apply connected_trans with source; [apply connected_back|]; apply (node_connected t); auto.
  - rewrite map_length, <- (map_length head). apply Nat.le_antisymm.
    + apply (NoDup_incl_length (l := source :: map head used)); [constructor; auto|].
      intros v [<-|H]; auto. apply in_map_iff in H. destruct H as (a & <- & Ha). apply used_joined, joined_nodes in Ha. tauto.
    + change (length nodes <= length (source :: map head used))%nat. apply NoDup_incl_length; auto.
      intros v Hv. destruct (node_connected t v St Hv) as (_ & [->|H]); [left|right]; auto.
Qed.
(** What leaves a node takes its time. *)
Lemma port_bound u : 0 < sum cost (out_of u used) -> never_more S (1 / sum cost (out_of u used)).
Proof.
  destruct Tree as (N & Ns). set (s := sum cost (out_of u used)). intros Ps.
  set (cuts := map (fun a => ((fun x : state => (place x =? head a)%Z), cost a)) (out_of u used)).
  intros sch M T HT V Co.
  assert (W : count M * sum snd cuts <= T * Bound.total (Prices [(Sends u, 1)] [])).
  { apply (cut_bound S (Prices [(Sends u, 1)] []) cuts) with sch; auto.
    - apply used_time.
    - split; [intros r q [[= <- <-]|[]]; lra|intros r q []].
    - intros X w H. apply in_map_iff in H. destruct H as (a & E & Ha). injection E as <- <-.
      apply filter_In in Ha. destruct Ha as (Ha & _). split; [|split].
      + apply Qlt_le_weak, (arc_positive used Within a Ha).
      + intros x [<-|[]]. cbn [place]. apply Z.eqb_neq. intros E. apply Ns. rewrite E. now apply in_map.
      + exists (At (Message 0) (head a)). split; [|apply Z.eqb_refl]. apply in_map.
        apply used_joined, joined_nodes in Ha. tauto.
    - intros k Hk. apply in_map_iff in Hk. destruct Hk as (b & <- & Hb). unfold crossed, cuts. rewrite sum_map.
      cbn [fst snd]. unfold paid. cbn [for_resources for_odd_sets sum fst snd lasts transfer].
      assert (Same : forall a, In a used -> head a = head b -> a = b).
      { intros a Ha E. clear - N Ha Hb E. induction used as [|c l IH]; [easy|]. inversion N as [|x y Nc Nl]; subst.
        destruct Ha as [->|Ha], Hb as [->|Hb]; auto; exfalso; apply Nc; [rewrite E|rewrite <- E]; now apply in_map. }
      assert (U : uses_it (Sends u) (transfer OnePort (Message 0) 1 b) = (tail b =? u)%Z).
      { apply eq_true_iff_eq. rewrite uses_it_spec, Z.eqb_eq. cbn. split; [intros [H|[H|[]]]; congruence|intros ->; auto]. }
      rewrite U.
      apply Qle_trans with (sum (fun a => if (head a =? head b)%Z && (tail b =? u)%Z then cost b else 0) (out_of u used)).
      + apply sum_le. intros a Ha. apply filter_In in Ha. destruct Ha as (Ha & Eu). unfold enters. cbn [makes needs transfer place existsb].
        pose proof (arc_positive used Within b Hb). rewrite (Z.eqb_sym (head b)).
        destruct (Z.eqb_spec (head a) (head b)) as [E|]; cbn [andb]; [|lra].
        pose proof (Same a Ha E) as E2. subst a. rewrite Eu. cbn [andb]. destruct (negb _); lra.
      + destruct (tail b =? u)%Z.
        * pose proof (arc_positive used Within b Hb) as Pb.
          apply Qle_trans with (count (length (in_to (head b) (out_of u used))) * cost b).
          -- rewrite <- sum_const. unfold in_to. rewrite sum_filter. apply sum_le. intros a _. rewrite andb_true_r. lra.
          -- assert (L : (length (in_to (head b) (out_of u used)) <= 1)%nat).
             { apply in_to_once. clear - N. unfold out_of. induction used as [|c l IH]; simpl; [constructor|].
               inversion N as [|x y Nc Nl]; subst. destruct (_ =? _)%Z; simpl; auto. constructor; auto. intros I. apply Nc.
               apply in_map_iff in I. destruct I as (d & <- & Hd). apply filter_In in Hd. apply in_map. tauto. }
             assert (count (length (in_to (head b) (out_of u used))) <= 1) by (unfold count; change 1 with (inject_Z 1); rewrite <- Zle_Qle; lia). nra.
        * rewrite sum_none; [lra|]. intros a _. now rewrite andb_false_r. }
  assert (Es : sum snd cuts == s) by (unfold cuts; rewrite sum_map; reflexivity). rewrite Es in W.
  assert (Et : Bound.total (Prices [(Sends u, 1)] []) == 1) by reflexivity. rewrite Et in W.
  apply Qmult_le_r with s; auto. setoid_replace (1 / s * T * s) with T by (field; lra). lra.
Qed.
Lemma few_out u C : reached S 1 C -> (length (out_of u used) <= limit u)%nat.
Proof.
  intros R. apply fee_limit. rewrite <- sum_fee by auto. apply Qnot_lt_le. intros L.
  pose proof (Sanity.reached_at_most_never_more S _ 1 C (port_bound u ltac:(lra)) R) as B.
  apply Qmult_le_compat_r with (z := sum cost (out_of u used)) in B; [|lra].
  setoid_replace (1 / sum cost (out_of u used) * sum cost (out_of u used)) with 1 in B by (field; lra). lra.
Qed.
Lemma used_degree v : (length (out_of v used) <= limit v)%nat -> (edges_at (map ends used) v <= K)%nat.
Proof.
  intros O. rewrite edges_at_arcs.
  - destruct Tree as (N & Ns). pose proof (in_to_once v used N). unfold limit in O.
    destruct (Z.eqb_spec v source) as [E0|]; [|lia]. subst v.
    destruct (in_to source used) as [|a l] eqn:E; [simpl; lia|]. exfalso. apply Ns.
    assert (Ha : In a (in_to source used)) by (rewrite E; left; auto). apply filter_In in Ha. destruct Ha as (Ha & Ea).
    apply Z.eqb_eq in Ea. rewrite <- Ea. now apply in_map.
  - intros a Ha. apply used_joined, joined_nodes in Ha. tauto.
Qed.
End Used.

Theorem bounded_degree_tree : tree_of_degree nodes edges K <->
  exists C, reached_within (Collectives.tree source) OnePort (both_ways source K edges) source nodes 1 C.
Proof.
  split.
  - intros (tree & (W & Co & _) & D). apply (tree_reached tree W); auto.
  - intros (C & used & W & Tr & R). destruct (reached_structure _ 1 C (used_time used W) R) as (t & St).
    exists (map ends used). split; [now apply (used_spans used W Tr t)|].
    intros v _. apply used_degree; auto. now apply (few_out used W Tr v C).
Qed.

(** Otherwise some node has one receiver too many. *)
Theorem bounded_degree_gap : ~ tree_of_degree nodes edges K ->
  never_more_within (Collectives.tree source) OnePort (both_ways source K edges) source nodes (count K / count (K + 1)).
Proof.
  intros No used W Tr s M T HT V Co. assert (PK : 0 < count K) by (apply count_pos; lia).
  assert (PK1 : count (K + 1) == count K + 1) by (rewrite Nat.add_1_r; apply count_S).
  assert (P : 0 < count K / count (K + 1)) by (apply Qlt_shift_div_l; lra).
  destruct M as [|M]; [change (count 0) with 0; nra|].
  destruct (done_structure _ (used_time used W) s (S M) T 0 HT V Co ltac:(lia)) as (t & St & _).
  destruct (Forall_dec (fun u => (length (out_of u used) <= limit u)%nat) (fun u => le_dec _ _) nodes) as [F|F].
  - destruct No. exists (map ends used). split; [now apply (used_spans used W Tr t)|]. rewrite Forall_forall in F.
    intros v Hv. apply used_degree; auto.
  - apply neg_Forall_Exists_neg in F; [|intros u; apply le_dec]. apply Exists_exists in F. destruct F as (u & _ & F).
    assert (L : (count K + 1) / count K <= sum cost (out_of u used)).
    { rewrite sum_fee by auto. assert (B : count (S (limit u)) <= count (length (out_of u used)))
        by (unfold count; rewrite <- Zle_Qle; lia). rewrite count_S in B.
      assert (Lu : count (limit u) <= count K).
      { unfold count, limit. rewrite <- Zle_Qle. destruct (_ =? _)%Z; lia. }
      pose proof (limit_positive u) as Pu. unfold fee.
      apply Qle_trans with ((count (limit u) + 1) * (1 / count (limit u))).
      - apply Qle_shift_div_r; auto. setoid_replace ((count (limit u) + 1) * (1 / count (limit u)) * count K)
          with (count K + count K / count (limit u)) by (field; lra).
        assert (1 <= count K / count (limit u)) by (apply Qle_shift_div_l; lra). lra.
      - apply Qmult_le_compat_r; [exact B|]. apply Qle_shift_div_l; lra. }
    assert (Ps : 0 < sum cost (out_of u used)).
    { eapply Qlt_le_trans; [|exact L]. apply Qlt_shift_div_l; lra. }
    eapply Qle_trans; [apply (port_bound used W Tr u Ps s (S M) T HT V Co)|].
    apply Qmult_le_compat_r; auto. apply Qle_shift_div_r; auto. rewrite PK1.
    apply Qle_trans with (count K / (count K + 1) * ((count K + 1) / count K)).
    + apply Qle_lteq. right. field. split; lra.
    + rewrite !(Qmult_comm (count K / (count K + 1))). apply Qmult_le_compat_r; [exact L|]. rewrite <- PK1. lra.
Qed.
End Graph.
