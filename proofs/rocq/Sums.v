(** Finite sums of rational numbers. *)
From Coq Require Import QArith Qminmax List Arith Lia Lqa Setoid Permutation.
From Exactsched Require Import Model.
Import ListNotations.
Open Scope Q_scope.

Section S.
Context {A : Type}.
Implicit Types (f g : A -> Q) (l : list A).

Lemma sum_le f g l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof. induction l as [|a l IH]; simpl; intros H. lra.
  assert (f a <= g a) by (apply H; auto). assert (sum f l <= sum g l) by (apply IH; auto). lra. Qed.
Lemma sum_eq f g l : (forall x, In x l -> f x == g x) -> sum f l == sum g l.
Proof. induction l as [|a l IH]; simpl; intros H. lra.
  assert (f a == g a) by (apply H; auto). assert (sum f l == sum g l) by (apply IH; auto). lra. Qed.
Lemma sum_zero l : sum (fun _ => 0) l == 0.
Proof. induction l; simpl; lra. Qed.
Lemma sum_nonneg f l : (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof. intros H. rewrite <- (sum_zero l). apply sum_le; auto. Qed.
Lemma sum_plus f g l : sum (fun x => f x + g x) l == sum f l + sum g l.
Proof. induction l; simpl; lra. Qed.
Lemma sum_scale c f l : sum (fun x => c * f x) l == c * sum f l.
Proof. induction l; simpl; lra. Qed.
Lemma sum_app f l l' : sum f (l ++ l') == sum f l + sum f l'.
Proof. induction l; simpl; lra. Qed.
Lemma sum_filter f b l : sum f (filter b l) == sum (fun x => if b x then f x else 0) l.
Proof. induction l as [|a l IH]; simpl. lra. destruct (b a); simpl; lra. Qed.
Lemma sum_filter_le f b l : (forall x, In x l -> 0 <= f x) -> sum f (filter b l) <= sum f l.
Proof. intros H. rewrite sum_filter. apply sum_le. intros x Hx. destruct (b x). lra. auto. Qed.
Lemma sum_member f l x : (forall x, In x l -> 0 <= f x) -> In x l -> f x <= sum f l.
Proof. induction l as [|a l IH]; simpl; intros H Hx. easy.
  assert (0 <= f a) by auto. assert (0 <= sum f l) by (apply sum_nonneg; auto).
  destruct Hx as [->|Hx]. lra. assert (f x <= sum f l) by (apply IH; auto). lra. Qed.
Lemma sum_perm f l l' : Permutation l l' -> sum f l == sum f l'.
Proof. induction 1; simpl; lra. Qed.
Lemma sum_incl f l l' : (forall x, In x l' -> 0 <= f x) -> NoDup l -> incl l l' -> sum f l <= sum f l'.
Proof.
  intros H N. revert l' H. induction N as [|a l Ha N IH]; intros l' H I; simpl.
  - apply sum_nonneg; auto.
  - assert (In a l') by (apply I; left; auto). apply in_split in H0. destruct H0 as [l1 [l2 ->]].
    rewrite (sum_perm f (l1 ++ a :: l2) (a :: l1 ++ l2)) by (symmetry; apply Permutation_middle).
    simpl. assert (sum f l <= sum f (l1 ++ l2)); [|lra]. apply IH.
    + intros x Hx. apply H. apply in_app_iff in Hx. apply in_app_iff. simpl. tauto.
    + intros x Hx. assert (Hx' : In x (l1 ++ a :: l2)) by (apply I; right; auto).
      apply in_app_iff in Hx'. apply in_app_iff. simpl in Hx'.
      destruct Hx' as [?|[->|?]]; auto. contradiction.
Qed.
End S.

Lemma sum_map {A B} (h : A -> B) f l : sum f (map h l) == sum (fun x => f (h x)) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma sum_swap {A B} (f : A -> B -> Q) l l' :
  sum (fun x => sum (fun y => f x y) l') l == sum (fun y => sum (fun x => f x y) l) l'.
Proof. induction l as [|a l IH]; simpl. symmetry. apply sum_zero.
  rewrite IH, sum_plus. reflexivity. Qed.
Lemma sum_at_most_one (l : list nat) (b : nat -> bool) k c : 0 <= c -> NoDup l ->
  (forall i, b i = true -> i = k) -> sum (fun i => if b i then c else 0) l <= c.
Proof.
  intros Hc N Hb. induction N as [|a l Ha N IH]; simpl. lra.
  destruct (b a) eqn:E; [|lra]. apply Hb in E. subst a.
  assert (sum (fun i => if b i then c else 0) l == 0); [|lra].
  rewrite <- (sum_zero l). apply sum_eq. intros x Hx. destruct (b x) eqn:E; [|lra].
  apply Hb in E. subst. contradiction.
Qed.
