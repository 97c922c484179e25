(** Finite sums, counting, least and greatest elements. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Sums Time.
From Exactsched Require Export Potentials.
From Exactsched.existence Require Import Definitions.
Import ListNotations.
Open Scope Q_scope.

(** ** Numbers *)
Lemma bit_nonneg b : 0 <= bit b.
Proof. destruct b; unfold bit; lra. Qed.
Definition positive (q : Q) : bool := negb (Qle_bool q 0).
Lemma positive_spec q : positive q = true <-> 0 < q.
Proof.
  unfold positive. rewrite negb_true_iff. split.
  - intros H. apply Qnot_le_lt. intros E. apply Qle_bool_iff in E. congruence.
  - intros H. apply not_true_is_false. intros E. apply Qle_bool_iff in E. lra.
Qed.
Lemma positive_false q : positive q = false -> q <= 0.
Proof. intros H. apply Qnot_lt_le. intros E. apply positive_spec in E. congruence. Qed.
Lemma count_mult m n : count (m * n) == count m * count n.
Proof. unfold count. rewrite Nat2Z.inj_mul, inject_Z_mult. reflexivity. Qed.
Lemma count_pos n : (0 < n)%nat -> 0 < count n.
Proof. intros H. unfold count. change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. lia. Qed.

(** ** Lists *)
Lemma existsb_false {X} (f : X -> bool) l : existsb f l = false -> forall x, In x l -> f x = false.
Proof.
  intros H x Hx. apply not_true_is_false. intros E. apply eq_true_false_abs with (2 := H).
  apply existsb_exists. eauto.
Qed.
Lemma filter_fewer {X} (f g : X -> bool) l : (forall x, f x = true -> g x = true) ->
  (exists x, In x l /\ g x = true /\ f x = false) -> (length (filter f l) < length (filter g l))%nat.
Proof.
  intros H. assert (L : forall l, (length (filter f l) <= length (filter g l))%nat).
  { clear - H. induction l as [|a l IH]; simpl; auto. specialize (H a). destruct (f a), (g a); simpl; try lia. }
  induction l as [|a l IH]; intros (x & Hx & E & F). easy. simpl. specialize (L l). specialize (H a).
  destruct Hx as [->|Hx]. rewrite E, F. simpl. lia.
  assert (length (filter f l) < length (filter g l))%nat by (apply IH; eauto).
  destruct (f a), (g a); simpl; try lia.
Qed.
Lemma nodup_map {S T} (f : S -> T) l : (forall x y, f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  intros I. induction 1 as [|a l Ha N IH]; simpl; constructor; auto. rewrite in_map_iff.
  intros (y & E & Hy). apply I in E. subst. auto.
Qed.
Lemma listed_in i m : listed i m = true <-> In i m.
Proof.
  unfold listed. rewrite existsb_exists. split. intros (x & H & E). apply Nat.eqb_eq in E. subst; auto.
  intros H. exists i. split; auto. apply Nat.eqb_refl.
Qed.
Lemma pairs_nth {A} (R : A -> A -> Prop) (d : A) l : (forall x y, R x y -> R y x) -> ForallOrdPairs R l ->
  forall i j, (i < length l)%nat -> (j < length l)%nat -> i <> j -> R (nth i l d) (nth j l d).
Proof.
  intros Sym. induction 1 as [|a l Ha F IH]; simpl; intros i j Hi Hj N. lia. rewrite Forall_forall in Ha.
  destruct i as [|i], j as [|j]; try lia.
  - apply Ha, nth_In. lia.
  - apply Sym, Ha, nth_In. lia.
  - apply IH; lia.
Qed.

(** All lists without repetitions of elements of l. *)
Fixpoint words {X} (k : nat) (l : list X) : list (list X) :=
  match k with O => [[]] | Datatypes.S k => [] :: flat_map (fun x => map (cons x) (words k l)) l end.
Lemma words_in {X} (l : list X) : forall k t, incl t l -> (length t <= k)%nat -> In t (words k l).
Proof.
  induction k as [|k IH]; intros [|x t] I H; simpl in *; try lia; auto. right. apply in_flat_map. exists x.
  split. apply I. left; auto. apply in_map, IH. intros y Hy. apply I. right; auto. lia.
Qed.

(** ** Sums *)
Lemma sum_only {X} (f : X -> Q) l x : NoDup l -> In x l -> (forall y, In y l -> y <> x -> f y == 0) ->
  sum f l == f x.
Proof.
  induction 1 as [|a l Ha N IH]; simpl; intros Hx H. easy. destruct Hx as [->|Hx].
  - rewrite (sum_eq f (fun _ => 0)), sum_zero. lra. intros y Hy. apply H; auto. intros ->. auto.
  - rewrite IH by auto. rewrite (H a); auto. lra. intros ->. auto.
Qed.
Lemma sum_none {X} (f : X -> Q) l : (forall x, In x l -> f x == 0) -> sum f l == 0.
Proof. intros H. rewrite <- (sum_zero l). apply sum_eq. auto. Qed.
Lemma sum_nth {A} (F : A -> Q) (l : list A) d :
  sum (fun k => F (nth k l d)) (seq 0 (length l)) == sum F l.
Proof. induction l as [|a l IH]; simpl. lra. rewrite <- seq_shift, sum_map. rewrite IH. reflexivity. Qed.
Lemma sum_two {X} (f : X -> Q) l x y : (forall z, In z l -> 0 <= f z) -> In x l -> In y l -> x <> y ->
  f x + f y <= sum f l.
Proof.
  intros H Hx Hy N. assert (sum f [x; y] <= sum f l); [|simpl in *; lra]. apply sum_incl; auto.
  repeat constructor; simpl; intuition. intros z [<-|[<-|[]]]; auto.
Qed.
Lemma sum_positive {X} (f : X -> Q) l : 0 < sum f l -> exists x, In x l /\ 0 < f x.
Proof.
  induction l as [|a l IH]; simpl; intros H. lra.
  destruct (Qlt_le_dec 0 (f a)) as [?|?]. eauto. destruct IH as [x [? ?]]. lra. eauto.
Qed.
Lemma sum_repeat {A} (f : A -> Q) x n : sum f (repeat x n) == count n * f x.
Proof. induction n as [|n IH]; simpl. change (count 0) with 0. lra. rewrite IH, count_S. lra. Qed.
Lemma sum_flat {A B} (f : B -> Q) (h : A -> list B) l : sum f (flat_map h l) == sum (fun x => sum f (h x)) l.
Proof. induction l as [|a l IH]; simpl. lra. rewrite sum_app, IH. lra. Qed.
Lemma sum_concat {X} (f : X -> Q) l : sum f (concat l) == sum (sum f) l.
Proof. induction l as [|a l IH]; simpl. lra. rewrite sum_app, IH. lra. Qed.
Lemma sum_one {A} (l : list A) : sum (fun _ => 1) l == count (length l).
Proof. rewrite sum_const. ring. Qed.

(** ** Least and greatest *)
Lemma least {X} (f : X -> Q) l D : 0 < D -> (forall x, In x l -> 0 < f x) ->
  exists d, 0 < d <= D /\ (forall x, In x l -> d <= f x) /\ (d == D \/ exists x, In x l /\ d == f x).
Proof.
  intros HD. induction l as [|a l IH]; intros H.
  - exists D. split; [lra|]. split. easy. left; reflexivity.
  - destruct IH as (d & Hd & Hl & He). intros; apply H; simpl; auto.
    assert (Ha : 0 < f a) by (apply H; simpl; auto).
    destruct (Qlt_le_dec (f a) d).
    + exists (f a). split; [lra|]. split. intros x [<-|Hx]. lra. apply Hl in Hx. lra.
      right. exists a. split. left; auto. reflexivity.
    + exists d. split; [lra|]. split. intros x [<-|Hx]; auto.
      destruct He as [?|[x [? ?]]]; auto. right. exists x. simpl. auto.
Qed.
Lemma greatest {X} (f : X -> Q) (l : list X) : l <> [] -> exists m, In m l /\ forall x, In x l -> f x <= f m.
Proof.
  induction l as [|a l IH]; intros H. easy. destruct l as [|b l].
  - exists a. split. left; auto. intros x [<-|[]]. lra.
  - destruct IH as (m & Hm & L). easy. destruct (Qlt_le_dec (f a) (f m)).
    + exists m. split. right; auto. intros x [<-|Hx]; auto. lra.
    + exists a. split. left; auto. intros x [<-|Hx]. lra. apply L in Hx. lra.
Qed.
Lemma between {X Y} (f : X -> Q) (g : Y -> Q) (lows : list X) (ups : list Y) :
  (forall l u, In l lows -> In u ups -> f l <= g u) ->
  exists y, (forall l, In l lows -> f l <= y) /\ forall u, In u ups -> y <= g u.
Proof.
  intros H. destruct lows as [|l0 lows'].
  - destruct ups as [|u0 ups']. exists 0. easy.
    destruct (greatest (fun u => - g u) (u0 :: ups')) as (m & Hm & L). easy.
    exists (g m). split. easy. intros u Hu. apply L in Hu. lra.
  - destruct (greatest f (l0 :: lows')) as (m & Hm & L). easy. exists (f m). auto.
Qed.
