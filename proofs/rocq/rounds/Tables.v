(** Tables from integers to integers, made from lists of pairs, for checkers that look up quickly. *)
From Coq Require Import ZArith List Lia Bool FMapPositive.
From Exactsched.rounds Require Import Counting.
Import ListNotations.
Open Scope Z_scope.

(** Different integers have different keys. *)
Definition key (x : Z) : positive := match x with Z0 => 1%positive | Zpos p => xO p | Zneg p => xI p end.

Lemma key_injective x y : key x = key y -> x = y.
Proof. destruct x, y; simpl; congruence. Qed.
Lemma key_eqb x y : (key x =? key y)%positive = (x =? y).
Proof.
  apply eq_true_iff_eq. rewrite Pos.eqb_eq, Z.eqb_eq. split; [apply key_injective|congruence].
Qed.

Definition table := PositiveMap.t Z.
Definition found (t : table) (k : positive) (default : Z) : Z :=
  match PositiveMap.find k t with Some y => y | None => default end.
Definition value (t : table) (x : Z) : Z := found t (key x) 0.

Fixpoint of_list (l : list (positive * Z)) : table :=
  match l with [] => PositiveMap.empty Z | (k, y) :: l => PositiveMap.add k y (of_list l) end.
Definition table_of (l : list (Z * Z)) : table := of_list (map (fun p => (key (fst p), snd p)) l).

Lemma found_empty k d : found (PositiveMap.empty Z) k d = d.
Proof. unfold found. now rewrite PositiveMap.gempty. Qed.
Lemma found_add t k y j d : found (PositiveMap.add k y t) j d = if Pos.eqb j k then y else found t j d.
Proof.
  unfold found. destruct (Pos.eqb_spec j k) as [->|N].
  - now rewrite PositiveMap.gss.
  - now rewrite PositiveMap.gso.
Qed.

(** What different keys find adds up to no more than all values. *)
Lemma found_total (l : list (positive * Z)) (keys : list positive) :
  (forall k y, In (k, y) l -> 0 <= y) -> NoDup keys ->
  total (fun k => found (of_list l) k 0) keys <= total snd l.
Proof.
  intros H N. induction l as [|[j y] l IH].
  - cbn [of_list total]. rewrite (total_eq _ (fun _ => 0)); [rewrite total_zero; lia|].
    intros k _. apply found_empty.
  - cbn [of_list total snd].
    assert (Hl : total (fun k => found (of_list l) k 0) keys <= total snd l).
    { apply IH. intros k z Hk. apply (H k z). now right. }
    assert (Hy : 0 <= y) by (apply (H j y); now left).
    assert (Hp : forall k, 0 <= found (of_list l) k 0).
    { clear - H. induction l as [|[i z] l IH]; intros k.
      - cbn. rewrite found_empty. lia.
      - cbn [of_list]. rewrite found_add. destruct (Pos.eqb k i).
        + apply (H i z). right. now left.
        + apply IH. intros a b [E|Hab]; [apply (H a b); now left|apply (H a b); right; now right]. }
    enough (total (fun k => found (PositiveMap.add j y (of_list l)) k 0) keys
            <= y + total (fun k => found (of_list l) k 0) keys) by lia.
    clear - Hp Hy N. induction N as [|k keys Hk N IH]; cbn [total]; [lia|].
    rewrite found_add. specialize (Hp k). destruct (Pos.eqb_spec k j) as [->|_]; [|lia].
    enough (total (fun k => found (PositiveMap.add j y (of_list l)) k 0) keys
            = total (fun k => found (of_list l) k 0) keys) by lia.
    apply total_eq. intros i Hi. rewrite found_add. destruct (Pos.eqb_spec i j) as [->|_];
      [contradiction|reflexivity].
Qed.

Lemma found_nonneg (l : list (positive * Z)) k :
  (forall k y, In (k, y) l -> 0 <= y) -> 0 <= found (of_list l) k 0.
Proof.
  intros H. induction l as [|[i z] l IH].
  - cbn. rewrite found_empty. lia.
  - cbn [of_list]. rewrite found_add. destruct (Pos.eqb k i); [apply (H i z); now left|].
    apply IH. intros a b Hab. apply (H a b). now right.
Qed.

(** Sets of integers, from their lists. *)
Definition set := PositiveMap.t unit.
Definition set_of (l : list Z) : set :=
  fold_right (fun x s => PositiveMap.add (key x) tt s) (PositiveMap.empty unit) l.
Definition member (x : Z) (s : set) : bool :=
  match PositiveMap.find (key x) s with Some _ => true | None => false end.

Lemma member_spec x l : member x (set_of l) = true <-> In x l.
Proof.
  unfold member. induction l as [|a l IH]; cbn [set_of fold_right In].
  - rewrite PositiveMap.gempty. split; [discriminate|easy].
  - fold (set_of l). destruct (Z.eq_dec a x) as [->|N].
    + rewrite PositiveMap.gss. tauto.
    + rewrite PositiveMap.gso; [tauto|]. intros E. apply key_injective in E. congruence.
Qed.

(** Whether the members of a list are different, and not in a set. *)
Fixpoint distinct (l : list Z) (seen : set) : bool :=
  match l with
  | [] => true
  | x :: l => negb (member x seen) && distinct l (PositiveMap.add (key x) tt seen)
  end.

Lemma distinct_sound l : forall seen, distinct l seen = true ->
  NoDup l /\ forall x, In x l -> PositiveMap.find (key x) seen = None.
Proof.
  induction l as [|a l IH]; intros seen H; [split; [constructor|easy]|].
  cbn [distinct] in H. apply andb_prop in H. destruct H as [H1 H2]. destruct (IH _ H2) as [N F].
  apply negb_true_iff in H1. unfold member in H1. destruct (PositiveMap.find (key a) seen) eqn:E;
    [discriminate|].
  split.
  - constructor; auto. intros I. specialize (F a I). now rewrite PositiveMap.gss in F.
  - intros x [<-|Hx]; [exact E|]. specialize (F x Hx). destruct (Z.eq_dec x a) as [->|M]; [exact E|].
    rewrite PositiveMap.gso in F; [exact F|]. intros K. apply key_injective in K. contradiction.
Qed.
