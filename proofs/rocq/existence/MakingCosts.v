(** Prices have potentials: the potential of a state is what it costs to make it. So the bound of prices and
    potentials proves the throughput of every alltoall and every reduce. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Collectives Sums Time Bound Potentials.
From Exactsched.existence Require Import Definitions Finite Structures Broadcast.
Import ListNotations.
Open Scope Q_scope.

Section Costs.
Variable S : system.
Hypothesis positive : takes_time S.
Variable y : prices.
Hypothesis Ny : nonneg y.
Let c (i : nat) : Q := lasts (kind S i) * paid y (kind S i).
Let n := length (tasks S).

Lemma c_nonneg i : (i < n)%nat -> 0 <= c i.
Proof. intros H. apply Qmult_le_0_compat. apply lasts_nonneg; auto. apply paid_nonneg; auto. Qed.
Lemma c_grows t i : grows S t -> In i t -> 0 <= c i.
Proof. intros G Hi. apply c_nonneg. apply (grows_facts S t G); auto. Qed.

(** Two lists of tasks together make what both make, and cost no more. *)
Lemma grows_union t u : grows S t -> grows S u -> exists v, grows S v /\ incl (known S t) (known S v) /\
  incl (known S u) (known S v) /\ cost_of S y v <= cost_of S y t + cost_of S y u.
Proof.
  intros Gt Gu. induction Gu as [|i u Gu (v & Gv & It & Iu & C) Li Ni Ne].
  - exists t. split; auto. split. apply incl_refl. split.
    + intros x Hx. apply known_in in Hx. destruct Hx as [Hx|(j & [] & _)]. apply known_in. auto.
    + unfold cost_of. simpl. lra.
  - assert (Ci : 0 <= c i) by (apply c_nonneg; auto).
    assert (Cu : cost_of S y (i :: u) == c i + cost_of S y u) by reflexivity.
    destruct (in_dec Nat.eq_dec i v) as [I|N].
    + exists v. split; auto. split; auto. split; [|rewrite Cu; lra].
      intros x Hx. apply known_in in Hx. destruct Hx as [Hx|(j & [<-|Hj] & E)].
      * apply known_in. auto.
      * apply known_in. eauto.
      * apply Iu, known_in. eauto.
    + assert (Grow : incl (known S v) (known S (i :: v))).
      { intros x Hx. apply known_in in Hx. apply known_in. destruct Hx as [Hx|(j & Hj & E)]; auto. right.
        exists j. simpl; auto. }
      exists (i :: v). split; [|split; [|split]].
      * constructor; auto. intros x Hx. auto.
      * intros x Hx. auto.
      * intros x Hx. apply known_in in Hx. destruct Hx as [Hx|(j & [<-|Hj] & E)].
        -- apply known_in. auto.
        -- apply known_in. right. exists i. simpl; auto.
        -- apply Grow, Iu, known_in. eauto.
      * rewrite Cu. assert (Cv : cost_of S y (i :: v) == c i + cost_of S y v) by reflexivity. rewrite Cv. lra.
Qed.

(** All lists of tasks that can work one after another, and those that make x. *)
Definition all_lists : list (list nat) := filter (growsb S) (words n (seq 0 n)).
Lemma all_lists_spec t : In t all_lists <-> grows S t.
Proof.
  unfold all_lists. rewrite filter_In, growsb_spec. split; [tauto|]. intros G. split; auto.
  destruct (grows_facts S t G) as (N & L).
  assert (I : incl t (seq 0 n)) by (intros i Hi; apply in_seq; apply L in Hi; unfold n; lia).
  apply words_in; auto. rewrite <- (seq_length n 0). apply NoDup_incl_length; auto.
Qed.
Definition makers (x : state) : list (list nat) := filter (fun t => among (known S t) x) all_lists.
Lemma makers_in x t : In t (makers x) <-> grows S t /\ In x (known S t).
Proof. unfold makers. rewrite filter_In, all_lists_spec, among_in. reflexivity. Qed.

(** What it costs to make a state; all tasks together, if it cannot be made. *)
Definition everything : Q := sum c (seq 0 n).
Definition cheapest (x : state) : Q := fold_right (fun t q => Qmin (cost_of S y t) q) everything (makers x).
Lemma fold_min (l : list (list nat)) q : let m := fold_right (fun t q => Qmin (cost_of S y t) q) q l in
  (forall t, In t l -> m <= cost_of S y t) /\ m <= q /\ (m == q \/ exists t, In t l /\ m == cost_of S y t).
Proof.
  induction l as [|t l (I1 & I2 & I3)]; simpl.
  - split. easy. split. lra. left. reflexivity.
  - set (m := fold_right (fun t q => Qmin (cost_of S y t) q) q l) in *. split; [|split].
    + intros u [<-|Hu]. apply Q.le_min_l. eapply Qle_trans; [apply Q.le_min_r|]. auto.
    + eapply Qle_trans; [apply Q.le_min_r|]. auto.
    + destruct (Q.min_spec (cost_of S y t) m) as [[_ E]|[_ E]].
      right. exists t. split. left; auto. rewrite E. reflexivity.
      destruct I3 as [I3|(u & Hu & Eu)]. left. rewrite E. auto. right. exists u. split; auto. rewrite E. auto.
Qed.
Lemma cost_everything t : grows S t -> cost_of S y t <= everything.
Proof.
  intros G. destruct (grows_facts S t G) as (N & L). apply sum_incl; auto.
  - intros i Hi. apply c_nonneg. apply in_seq in Hi. lia.
  - intros i Hi. apply in_seq. destruct (L i Hi) as [Li _]. unfold n. lia.
Qed.
Lemma cheapest_le x t : grows S t -> In x (known S t) -> cheapest x <= cost_of S y t.
Proof. intros G I. apply (fold_min (makers x) everything). apply makers_in; auto. Qed.
Lemma cheapest_list x : (exists t, grows S t /\ In x (known S t)) ->
  exists t, grows S t /\ In x (known S t) /\ cheapest x == cost_of S y t.
Proof.
  intros (t & G & I). destruct (fold_min (makers x) everything) as (F1 & F2 & F3). fold (cheapest x) in *.
  destruct F3 as [E|(u & Hu & E)].
  - exists t. split; auto. split; auto. apply Qle_antisym. apply cheapest_le; auto. rewrite E. apply
    cost_everything; auto.
  - apply makers_in in Hu. exists u. tauto.
Qed.
Lemma cheapest_unmade x : (forall t, grows S t -> ~ In x (known S t)) -> cheapest x == everything.
Proof.
  intros N. destruct (fold_min (makers x) everything) as (_ & _ & [E|(u & Hu & _)]); auto.
  apply makers_in in Hu. destruct Hu as [G I]. exfalso. eapply N; eauto.
Qed.
Lemma cost_nonneg t : grows S t -> 0 <= cost_of S y t.
Proof. intros G. apply sum_nonneg. intros i Hi. apply (c_grows t); auto. Qed.
Lemma cheapest_nonneg x : 0 <= cheapest x.
Proof.
  destruct (fold_min (makers x) everything) as (_ & _ & [E|(u & Hu & E)]); unfold cheapest; rewrite E.
  - apply sum_nonneg. intros i Hi. apply c_nonneg. apply in_seq in Hi. lia.
  - apply makers_in in Hu. apply cost_nonneg. tauto.
Qed.
Lemma cheapest_given x : In x (given S) -> cheapest x <= 0.
Proof.
  intros Hx. eapply Qle_trans. apply (cheapest_le x []). constructor. apply known_in. auto. unfold cost_of.
    simpl. lra.
Qed.
Lemma made_dec x : {exists t, grows S t /\ In x (known S t)} + {forall t, grows S t -> ~ In x (known S t)}.
Proof.
  destruct (makers x) as [|t l] eqn:E.
  - right. intros t G I. assert (H : In t (makers x)) by (apply makers_in; auto). rewrite E in H. easy.
  - left. exists t. apply makers_in. rewrite E. left; auto.
Qed.

(** Making what a task makes costs no more than making what it needs, and the task. *)
Lemma cheapest_task i : (i < n)%nat -> cheapest (makes (kind S i)) <= sum cheapest (needs (kind S i)) + c i.
Proof.
  intros Li. pose proof (c_nonneg i Li) as Ci.
  assert (Dec : (forall x, In x (needs (kind S i)) -> exists t, grows S t /\ In x (known S t)) \/
    exists x, In x (needs (kind S i)) /\ forall t, grows S t -> ~ In x (known S t)).
  { induction (needs (kind S i)) as [|x l IH]. left. easy. destruct (made_dec x) as [Y|N].
    - destruct IH as [IH|(z & Hz & Nz)]. left. intros z [<-|Hz]; auto. right. exists z. simpl; auto.
    - right. exists x. simpl; auto. }
  destruct Dec as [All|(x & Hx & N)].
  - assert (Choose : forall l, incl l (needs (kind S i)) -> exists v, grows S v /\ incl l (known S v) /\
      cost_of S y v <= sum cheapest l).
    { induction l as [|x l IH]; intros I.
      - exists []. split. constructor. split. easy. unfold cost_of. simpl. lra.
      - destruct IH as (v & Gv & Iv & Cv). intros z Hz. apply I. right; auto.
        destruct (cheapest_list x) as (t & Gt & It & Et). apply All, I. left; auto.
        destruct (grows_union t v Gt Gv) as (u & Gu & I1 & I2 & Cu). exists u. split; auto. split.
        + intros z [<-|Hz]; auto.
        + simpl. lra. }
    destruct (Choose _ (incl_refl _)) as (v & Gv & Iv & Cv).
    destruct (in_dec Nat.eq_dec i v) as [I|Ni].
    + eapply Qle_trans. apply (cheapest_le _ v Gv). apply known_in. eauto. lra.
    + eapply Qle_trans. apply (cheapest_le _ (i :: v)). constructor; auto. apply known_in. right. exists i.
      simpl; auto.
      assert (Cv' : cost_of S y (i :: v) == c i + cost_of S y v) by reflexivity. rewrite Cv'. lra.
  - assert (L : everything <= sum cheapest (needs (kind S i))).
    { rewrite <- (cheapest_unmade x N). apply sum_member; auto. intros; apply cheapest_nonneg. }
    destruct (fold_min (makers (makes (kind S i))) everything) as (_ & F & _). fold (cheapest (makes (kind S
      i))) in F. lra.
Qed.

(** Goals that share no task: each has its own class of states. *)
Variable class : state -> state -> bool.
Hypothesis own : forall w, In w (wanted S) -> class w w = true.
Hypothesis closed : forall w k x, In w (wanted S) -> In k (tasks S) -> class w (makes k) = true -> In x (needs
  k) ->
  class w x = true.
Hypothesis once : NoDup (wanted S).
Hypothesis apart : forall w w' k, In w (wanted S) -> In w' (wanted S) -> In k (tasks S) ->
  class w (makes k) = true -> class w' (makes k) = true -> w = w'.

Definition goal_potential (w x : state) : Q := if class w x then cheapest x else 0.
Definition goals : list (state * (state -> Q)) := map (fun w => (w, goal_potential w)) (wanted S).

Lemma goals_good : forall w p, In (w, p) goals -> In w (wanted S) /\ forall x, In x (given S) -> p x <= 0.
Proof.
  intros w p I. apply in_map_iff in I. destruct I as (w' & E & I). injection E as <- <-. split; auto.
  intros x Hx. unfold goal_potential. destruct (class w' x). apply cheapest_given; auto. lra.
Qed.
Lemma goals_paid k : In k (tasks S) -> sum (fun g => added (snd g) k) goals <= lasts k * paid y k.
Proof.
  intros Hk. unfold goals. rewrite sum_map. cbn [snd].
  assert (Hi := Hk). apply (In_nth _ _ (Task [] 0 [] (At (Message 0) 0%Z))) in Hi. destruct Hi as (i & Li & Ei).
  fold (kind S i) in Ei. subst k.
  assert (Nn : forall w x, 0 <= goal_potential w x).
  { intros w x. unfold goal_potential. destruct (class w x). apply cheapest_nonneg. lra. }
  assert (Off : forall w, class w (makes (kind S i)) = false -> added (goal_potential w) (kind S i) == 0).
  { intros w E. unfold added. unfold goal_potential at 1. rewrite E. apply Q.max_l.
    assert (0 <= sum (goal_potential w) (needs (kind S i))) by (apply sum_nonneg; auto). lra. }
  destruct (existsb (fun w => class w (makes (kind S i))) (wanted S)) eqn:E.
  - apply existsb_exists in E. destruct E as (w & Hw & E). rewrite (sum_only _ (wanted S) w once Hw).
    + unfold added. apply Q.max_lub. apply c_nonneg; auto. unfold goal_potential at 1. rewrite E.
      rewrite (sum_eq (goal_potential w) cheapest).
      * pose proof (cheapest_task i Li). unfold c in *. lra.
      * intros x Hx. unfold goal_potential. rewrite (closed w (kind S i) x); auto. reflexivity.
    + intros w' Hw' N. apply Off. destruct (class w' (makes (kind S i))) eqn:E'; auto. exfalso. apply N.
      eapply apart; eauto.
  - rewrite sum_none. apply (c_nonneg i Li). intros w Hw. apply Off. apply (existsb_false _ _ E w Hw).
Qed.
Lemma goals_sum : (exists t, structure S t) -> (forall t, structure S t -> 1 <= cost_of S y t) ->
  1 <= sum (fun g => snd g (fst g)) goals.
Proof.
  intros (t0 & G0 & W0) P. unfold goals. rewrite sum_map. cbn [fst snd].
  rewrite (sum_eq _ cheapest) by (intros w Hw; unfold goal_potential; rewrite own by auto; reflexivity).
  assert (Made : forall l, incl l (wanted S) -> exists v, grows S v /\ incl l (known S v) /\ cost_of S y v <=
    sum cheapest l).
  { induction l as [|x l IH]; intros I.
    - exists []. split. constructor. split. easy. unfold cost_of. simpl. lra.
    - destruct IH as (v & Gv & Iv & Cv). intros z Hz. apply I. right; auto.
      destruct (cheapest_list x) as (t & Gt & It & Et). exists t0. split; auto. apply W0, I. left; auto.
      destruct (grows_union t v Gt Gv) as (u & Gu & I1 & I2 & Cu). exists u. split; auto. split.
      + intros z [<-|Hz]; auto.
      + simpl. lra. }
  destruct (Made _ (incl_refl _)) as (v & Gv & Iv & Cv). eapply Qle_trans; [|exact Cv]. apply P. split; auto.
Qed.
End Costs.
