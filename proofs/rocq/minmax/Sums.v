(** Sums over lists: a copy of [sum] of Exactsched.Model and of lemmas of Exactsched.Sums, to be replaced by
    those when both are in one tree; what stays here then is [sum_minus], [sum_only], [sum_one]. *)
From Coq Require Import QArith List ZArith Lia Lqa Permutation.
Import ListNotations.
Open Scope Q_scope.

Fixpoint sum {A} (f : A -> Q) (l : list A) : Q :=
  match l with [] => 0 | x :: l => f x + sum f l end.

Section Sums.
Context {A : Type}.
Implicit Types (f g : A -> Q) (b : A -> bool) (l : list A).

Lemma sum_le f g l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H. lra.
  assert (f a <= g a) by (apply H; auto). assert (sum f l <= sum g l) by (apply IH; auto). lra.
Qed.
Lemma sum_eq f g l : (forall x, In x l -> f x == g x) -> sum f l == sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H. lra.
  assert (f a == g a) by (apply H; auto). assert (sum f l == sum g l) by (apply IH; auto). lra.
Qed.
Lemma sum_zero l : sum (fun _ => 0) l == 0.
Proof. induction l; simpl; lra. Qed.
Lemma sum_nonneg f l : (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof. intros H. rewrite <- (sum_zero l). apply sum_le; auto. Qed.
Lemma sum_plus f g l : sum (fun x => f x + g x) l == sum f l + sum g l.
Proof. induction l; simpl; lra. Qed.
Lemma sum_minus f g l : sum (fun x => f x - g x) l == sum f l - sum g l.
Proof. induction l; simpl; lra. Qed.
Lemma sum_scale c f l : sum (fun x => c * f x) l == c * sum f l.
Proof. induction l; simpl; lra. Qed.
Lemma sum_app f l l' : sum f (l ++ l') == sum f l + sum f l'.
Proof. induction l; simpl; lra. Qed.
Lemma sum_filter f b l : sum f (filter b l) == sum (fun x => if b x then f x else 0) l.
Proof. induction l as [|a l IH]; simpl. lra. destruct (b a); simpl; lra. Qed.
Lemma sum_member f l x : (forall x, In x l -> 0 <= f x) -> In x l -> f x <= sum f l.
Proof.
  induction l as [|a l IH]; simpl; intros H Hx. easy.
  assert (0 <= f a) by auto. assert (0 <= sum f l) by (apply sum_nonneg; auto).
  destruct Hx as [->|Hx]. lra. assert (f x <= sum f l) by (apply IH; auto). lra.
Qed.
Lemma sum_perm f l l' : Permutation l l' -> sum f l == sum f l'.
Proof. induction 1; simpl; lra. Qed.
Lemma sum_only f l x : NoDup l -> In x l -> (forall y, In y l -> y <> x -> f y == 0) -> sum f l == f x.
Proof.
  induction 1 as [|a l Ha N IH]; simpl; intros Hx H. easy. destruct Hx as [->|Hx].
  - rewrite (sum_eq f (fun _ => 0)), sum_zero. lra. intros y Hy. apply H; auto. intros ->. auto.
  - rewrite IH by auto. rewrite (H a); auto. lra. intros ->. auto.
Qed.
Lemma sum_one (l : list A) (c : Q) : sum (fun _ => c) l == c * inject_Z (Z.of_nat (length l)).
Proof.
  induction l as [|a l IH]; cbn [sum length]. cbn. ring.
  rewrite IH, Nat2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. change (inject_Z 1) with 1. ring.
Qed.
End Sums.

Lemma sum_map {A B} (h : A -> B) f l : sum f (map h l) == sum (fun x => f (h x)) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma sum_swap {A B} (f : A -> B -> Q) l l' :
  sum (fun x => sum (fun y => f x y) l') l == sum (fun y => sum (fun x => f x y) l) l'.
Proof.
  induction l as [|a l IH]; simpl. symmetry. apply sum_zero. rewrite IH, sum_plus. reflexivity.
Qed.
