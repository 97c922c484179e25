(** Broadcast: it has a throughput if and only if every node can be reached, and prices and cuts prove it. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Collectives Sums Time Bound Sanity.
From Exactsched.existence Require Import Definitions Finite Structures Reached Throughput Edmonds Capacities
  Cuts.
Import ListNotations.
Open Scope Q_scope.

(** ** Which systems are two-sided *)
(** A task works at an arc or computes at a node. *)
Definition at_arcs (p : ports) (arcs : list arc) (S : system) : Prop := forall k, In k (tasks S) ->
  (exists a, In a arcs /\ uses k = arc_uses p a) \/ exists v, uses k = [Computes v].

Lemma at_arcs_two_sided p arcs S : bipartite p arcs -> at_arcs p arcs S -> two_sided S.
Proof.
  intros B At.
  assert (exists side : resource -> bool, forall a, In a arcs -> forall r r', In r (arc_uses p a) ->
    In r' (arc_uses p a) -> side r = side r' -> r = r') as (side & Side).
  { destruct p.
    - exists (fun r => match r with Sends _ => true | _ => false end).
      intros a _ r r' [<-|[<-|[]]] [<-|[<-|[]]]; simpl; congruence.
    - destruct (B eq_refl) as (color & Color).
      exists (fun r => match r with Port v => color v | _ => false end).
      intros a Ha r r' [<-|[<-|[]]] [<-|[<-|[]]] E; simpl in E; auto; specialize (Color a Ha); congruence.
    - exists (fun _ => true). intros a _ r r' [<-|[]] [<-|[]]; auto. }
  exists side. intros k Hk. destruct (At k Hk) as [(a & Ha & E)|(v & E)]; rewrite E.
  - split. destruct p; discriminate. apply Side; auto.
  - split. discriminate. intros r r' [<-|[]] [<-|[]]; auto.
Qed.

Lemma at_arcs_uses p arcs S k : at_arcs p arcs S -> In k (tasks S) -> uses k <> [].
Proof. intros At Hk. destruct (At k Hk) as [(a & _ & E)|(v & E)]; rewrite E; destruct p; discriminate. Qed.

(** ** Broadcast *)
Section Broadcast.
Variables (p : ports) (nodes : list node) (arcs : list arc) (source : node).
Let S := broadcast p nodes arcs source.
Hypothesis G : graph nodes arcs source.
Hypothesis costs : forall a, In a arcs -> 0 < cost a.

Lemma broadcast_time : takes_time S.
Proof.
  intros k Hk. apply in_map_iff in Hk. destruct Hk as (a & <- & Ha). simpl. specialize (costs a Ha). lra.
Qed.
Lemma broadcast_at_arcs : at_arcs p arcs S.
Proof. intros k Hk. apply in_map_iff in Hk. destruct Hk as (a & <- & Ha). left. exists a. auto. Qed.
Lemma broadcast_tasks : length (tasks S) = length arcs.
Proof. apply map_length. Qed.
Lemma broadcast_kind i : (i < length arcs)%nat -> kind S i = transfer p (Message 0) 1 (arc_of arcs i).
Proof.
  intros H. unfold kind, S, broadcast, multicast, arc_of. simpl.
  rewrite (nth_indep _ _ (transfer p (Message 0) 1 (Arc 0 0 0))) by (rewrite map_length; auto). apply map_nth.
Qed.
Lemma broadcast_to_do x : In x nodes -> x <> source -> something_to_do S.
Proof.
  intros Hx Nx. exists (At (Message 0) x). split. apply in_map; auto. intros [E|[]]. congruence.
Qed.

(** An arborescence is a structure. *)
Lemma reaches_structure reached t : reaches arcs source reached t ->
  grows S t /\ forall v, In v reached <-> In (At (Message 0) v) (known S t).
Proof.
  induction 1 as [|reached t i a R (Gr & K) E T N].
  - split. constructor. intros v. simpl. split. intros [<-|[]]; auto. intros [E|[]]. injection E. auto.
  - assert (Li : (i < length arcs)%nat) by (apply nth_error_Some; congruence).
    assert (Ai : arc_of arcs i = a) by (apply nth_error_nth; auto).
    pose proof (broadcast_kind i Li) as Ki. rewrite Ai in Ki.
    assert (Kn : forall x, In x (known S (i :: t)) <-> x = At (Message 0) (head a) \/ In x (known S t)).
    { intros x. rewrite !known_in. split.
      - intros [Hx|(j & [<-|Hj] & <-)]; eauto. rewrite Ki. auto.
      - intros [->|[Hx|(j & Hj & <-)]]; auto; right. exists i. rewrite Ki. simpl; auto. exists j. simpl; auto. }
    split.
    + constructor; auto. rewrite broadcast_tasks; auto. intros I. apply N. apply K. apply known_in. right.
      exists i. rewrite Ki. auto. rewrite Ki. intros x [<-|[]]. apply K. auto.
    + intros v. rewrite Kn, <- K. simpl. split; intros [E'|H]; auto. left; congruence. injection E'. auto.
Qed.
Lemma spanning_structure t : spanning nodes arcs source t -> structure S t.
Proof.
  intros (reached & R & I). destruct (reaches_structure reached t R) as (Gr & K). split; auto.
  intros x Hx. apply in_map_iff in Hx. destruct Hx as (v & <- & Hv). apply K. auto.
Qed.
(** What every structure pays, the trees pay. *)
Definition tree_cost (y : prices) (i : nat) : Q := lasts (kind S i) * paid y (kind S i).
Lemma tree_cost_nonneg y i : nonneg y -> (i < length arcs)%nat -> 0 <= tree_cost y i.
Proof.
  intros Ny Hi. apply Qmult_le_0_compat. apply lasts_nonneg. apply broadcast_time. rewrite broadcast_tasks;
    auto.
  apply paid_nonneg; auto.
Qed.

(** Root cuts are entered: then there is a tree, by Edmonds for one tree. *)
Lemma reachable_structure : (forall X, root_cut nodes source X -> exists a, In a arcs /\ goes_in X a = true) ->
  exists t, spanning nodes arcs source t.
Proof.
  intros Cut. destruct G as [Hs He]. destruct (edmonds nodes arcs source 1 Hs He) as ([|t [|]] & L & St & _);
    try discriminate.
  - intros X v Xs Hv Xv. destruct (Cut X) as (a & Ha & E). split; eauto. unfold entering.
    assert (I : In a (filter (goes_in X) arcs)) by (apply filter_In; auto). destruct (filter (goes_in X) arcs).
      easy. simpl; lia.
  - exists t. apply St. left; auto.
Qed.
Lemma structure_enters t X : structure S t -> root_cut nodes source X ->
  exists i, In i t /\ (i < length arcs)%nat /\ goes_in X (arc_of arcs i) = true.
Proof.
  intros (Gr & W) (Xs & v & Hv & Xv).
  destruct (existsb (fun i => goes_in X (arc_of arcs i)) t) eqn:E.
  - apply existsb_exists in E. destruct E as (i & Hi & E). exists i. split; auto. split; auto.
    rewrite <- broadcast_tasks. apply (grows_facts S t Gr); auto.
  - exfalso. assert (Out : forall x, In x (known S t) -> X (place x) = false).
    { clear W. revert E. induction Gr as [|i t Gr IH Li Ni Ne]; intros E.
      - intros x [<-|[]]. auto.
      - simpl in E. apply orb_false_iff in E. destruct E as [Ei E]. specialize (IH E).
        intros x Hx. apply known_in in Hx. destruct Hx as [Hx|(j & [<-|Hj] & <-)].
        + apply IH, known_in. auto.
        + rewrite broadcast_tasks in Li. rewrite broadcast_kind in * by auto. simpl in *.
          assert (T : X (tail (arc_of arcs i)) = false)
            by (apply (IH (At (Message 0) (tail (arc_of arcs i)))), Ne; left; auto).
          unfold goes_in in Ei. rewrite T in Ei. auto.
        + apply IH, known_in. eauto. }
    assert (X v = false); [|congruence]. apply (Out (At (Message 0) v)), W, in_map; auto.
Qed.
Lemma structure_reachable t : structure S t -> exists t', spanning nodes arcs source t'.
Proof.
  intros St. apply reachable_structure. intros X HX. destruct (structure_enters t X St HX) as (i & _ & Li & E).
  exists (arc_of arcs i). split; auto. apply nth_In; auto.
Qed.

(** Prices that every tree pays have cuts that prove it, as in the bound of prices and cuts. *)
Theorem prices_have_cuts y T t0 : structure S t0 -> prices_prove S y T ->
  exists cuts, proper_cuts S cuts /\ (forall k, In k (tasks S) -> crossed cuts k <= lasts k * paid y k) /\
    1 <= sum snd cuts.
Proof.
  intros St0 (Ny & E & P). destruct (structure_reachable t0 St0) as (t & St).
  destruct (cuts_reach nodes arcs source (tree_cost y) G (fun i => tree_cost_nonneg y i Ny) 1 t St)
    as (cuts & (Pos & Fit) & Sum).
  - lra.
  - intros t' St'. apply (P t'). apply spanning_structure; auto.
  - exists (map (fun Xw => (fun x => fst Xw (place x), snd Xw)) cuts). split; [|split].
    + intros Y w I. apply in_map_iff in I. destruct I as ([X w'] & E' & I). injection E' as <- <-.
      destruct (Pos X w' I) as (Hw & Xs & v & Hv & Xv). split; auto. split.
      * intros x [<-|[]]. auto.
      * exists (At (Message 0) v). split. apply in_map; auto. auto.
    + intros k Hk. apply (In_nth _ _ (Task [] 0 [] (At (Message 0) 0%Z))) in Hk. destruct Hk as (i & Hi & Ek).
      fold (kind S i) in Ek. rewrite broadcast_tasks in Hi. specialize (Fit i Hi). subst k. eapply Qle_trans;
        [|exact Fit].
      unfold crossed. rewrite sum_map. apply Qle_lteq. right. apply sum_eq. intros [X w] _. cbn [fst snd].
      rewrite broadcast_kind by auto. unfold enters, goes_in. cbn [makes needs transfer existsb place].
      rewrite orb_false_r, andb_comm. reflexivity.
    + rewrite sum_map. simpl. exact Sum.
Qed.
End Broadcast.
