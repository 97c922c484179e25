(** Sums of rational numbers over lists. *)
From Coq Require Import QArith Qminmax List Lia Lqa Permutation Bool.
From Exactsched.overlay Require Import Definitions.
Import ListNotations.
Open Scope Q_scope.

Section Sums.
Context {A : Type}.
Implicit Types (f g : A -> Q) (l : list A).

Lemma sum_le f g l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lra|].
  assert (f a <= g a) by auto. assert (sum f l <= sum g l) by auto. lra.
Qed.
Lemma sum_eq f g l : (forall x, In x l -> f x == g x) -> sum f l == sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lra|].
  assert (f a == g a) by auto. assert (sum f l == sum g l) by auto. lra.
Qed.
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
Proof. induction l as [|a l IH]; simpl; [lra|]. destruct (b a); simpl; lra. Qed.
Lemma sum_perm f l l' : Permutation l l' -> sum f l == sum f l'.
Proof. induction 1; simpl; lra. Qed.
Lemma sum_member f l x : (forall x, In x l -> 0 <= f x) -> In x l -> f x <= sum f l.
Proof.
  induction l as [|a l IH]; simpl; intros H Hx; [easy|].
  assert (0 <= f a) by auto. assert (0 <= sum f l) by (apply sum_nonneg; auto).
  destruct Hx as [->|Hx]; [lra|]. assert (f x <= sum f l) by auto. lra.
Qed.
Lemma sum_constant c l : sum (fun _ => c) l == inject_Z (Z.of_nat (length l)) * c.
Proof.
  induction l as [|a l IH]; cbn [sum length]; [unfold inject_Z; simpl; lra|].
  rewrite IH, Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. unfold inject_Z at 2. lra.
Qed.
End Sums.

Lemma sum_map {A B} (h : A -> B) f l : sum f (map h l) == sum (fun x => f (h x)) l.
Proof. induction l as [|a l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.
Lemma sum_swap {A B} (f : A -> B -> Q) l l' :
  sum (fun x => sum (fun y => f x y) l') l == sum (fun y => sum (fun x => f x y) l) l'.
Proof.
  induction l as [|a l IH]; simpl; [symmetry; apply sum_zero|]. rewrite IH, sum_plus. reflexivity.
Qed.
Lemma sum_integers {A} (f : A -> Z) l :
  sum (fun x => inject_Z (f x)) l == inject_Z (fold_right (fun x s => f x + s)%Z 0%Z l).
Proof.
  induction l as [|a l IH]; cbn [sum fold_right]; [reflexivity|]. rewrite IH, inject_Z_plus. reflexivity.
Qed.

(** A number is counted at most once among different names, and at least once if it is one of them. *)
Lemma sum_once_most (l : list Z) (x : Z) c : 0 <= c -> NoDup l ->
  sum (fun y => if (x =? y)%Z then c else 0) l <= c.
Proof.
  intros C Nd. induction Nd as [|a l Ha N IH]; simpl; [lra|].
  destruct (Z.eqb_spec x a) as [->|]; [|lra].
  assert (sum (fun y => if (a =? y)%Z then c else 0) l == 0); [|lra].
  rewrite <- (sum_zero l). apply sum_eq. intros y Hy. destruct (Z.eqb_spec a y); [congruence|lra].
Qed.
Lemma sum_once_least (l : list Z) (x : Z) c : 0 <= c -> In x l ->
  c <= sum (fun y => if (x =? y)%Z then c else 0) l.
Proof.
  intros C. induction l as [|a l IH]; simpl; [easy|].
  assert (P : 0 <= sum (fun y => if (x =? y)%Z then c else 0) l).
  { apply sum_nonneg. intros y _. destruct (x =? y)%Z; lra. }
  intros [->|H].
  - rewrite Z.eqb_refl. lra.
  - specialize (IH H). destruct (x =? a)%Z; lra.
Qed.
