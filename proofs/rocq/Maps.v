(** Finite maps, arrays and sums of integers, as the checkers use them. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool FMapPositive.
From Exactsched Require Import Model Sums Checker.
Import ListNotations.
Open Scope Z_scope.

(** ** Maps *)
Section Maps.
Context {A : Type}.
Implicit Types (m : map_of A) (x y : A).
Lemma find_same m p x : find p (put p x m) = Some x.
Proof. apply PositiveMap.gss. Qed.
Lemma find_other m p q x : p <> q -> find q (put p x m) = find q m.
Proof. intros. apply PositiveMap.gso. congruence. Qed.
Lemma find_none p : find p (@none A) = None.
Proof. apply PositiveMap.gempty. Qed.
Lemma find_put m p q x y : find q (put p x m) = Some y -> (p = q /\ x = y) \/ (p <> q /\ find q m = Some y).
Proof. destruct (Pos.eq_dec p q) as [->|N]. rewrite find_same. intros E. injection E as ->. auto.
  rewrite find_other; auto. Qed.
End Maps.
Lemma value_same m p x : value p (put p x m) = x.
Proof. unfold value. rewrite find_same. auto. Qed.
Lemma value_other m p q x : p <> q -> value q (put p x m) = value q m.
Proof. intros. unfold value. rewrite find_other; auto. Qed.
Lemma value_none p : value p none = 0.
Proof. unfold value. rewrite find_none. auto. Qed.
Lemma member_spec p m : member p m = true <-> exists v, find p m = Some v.
Proof. unfold member. destruct (find p m) as [v|]; split; try easy. eauto. intros [v E]. discriminate. Qed.
Lemma member_false p m : member p m = false <-> find p m = None.
Proof. unfold member. destruct (find p m); split; easy. Qed.

(** The place of number p in a list, from 0. *)
Definition place_of (p : positive) : nat := Nat.pred (Pos.to_nat p).
Definition number_of (i : nat) : positive := Pos.of_succ_nat i.
Lemma place_number i : place_of (number_of i) = i.
Proof. unfold place_of, number_of. rewrite SuccNat2Pos.id_succ. auto. Qed.
Lemma number_place p : number_of (place_of p) = p.
Proof. apply SuccNat2Pos.inv. unfold place_of. pose proof (Pos2Nat.is_pos p). lia. Qed.
Lemma place_inj p q : place_of p = place_of q -> p = q.
Proof. intros E. rewrite <- (number_place p), <- (number_place q), E. auto. Qed.
Lemma place_succ p : place_of (Pos.succ p) = S (place_of p).
Proof. unfold place_of. rewrite Pos2Nat.inj_succ. pose proof (Pos2Nat.is_pos p). lia. Qed.

Lemma array_from_find {A} (l : list A) : forall p m q x, find q (array_from p l m) = Some x ->
  ((place_of p <= place_of q)%nat /\ nth_error l (place_of q - place_of p) = Some x) \/ find q m = Some x.
Proof.
  induction l as [|a l IH]; simpl; intros p m q x E; auto. apply IH in E. rewrite place_succ in E.
  destruct E as [[L E]|E].
  - left. split. lia. replace (place_of q - place_of p)%nat with (S (place_of q - S (place_of p))) by lia.
    auto.
  - apply find_put in E. destruct E as [[<- ->]|[_ E]]; auto. left. split. lia. rewrite Nat.sub_diag. auto.
Qed.
Lemma array_find {A} (l : list A) p x : find p (array l) = Some x -> nth_error l (place_of p) = Some x.
Proof.
  intros E. apply array_from_find in E. rewrite find_none in E. destruct E as [[_ E]|E]; [|discriminate].
  replace (place_of 1) with 0%nat in E by auto. rewrite Nat.sub_0_r in E. auto.
Qed.

(** ** Sums of integers *)
Lemma sumZ_acc {A} (f : A -> Z) l : forall s, fold_left (fun s x => s + f x) l s = s + sumZ f l.
Proof.
  unfold sumZ. induction l as [|x l IH]; simpl; intros s. lia. rewrite IH, (IH (f x)). lia.
Qed.
Lemma sumZ_nil {A} (f : A -> Z) : sumZ f [] = 0.
Proof. auto. Qed.
Lemma sumZ_cons {A} (f : A -> Z) x l : sumZ f (x :: l) = f x + sumZ f l.
Proof. unfold sumZ at 1. simpl. apply sumZ_acc. Qed.
Lemma sum_inject {A} (f : A -> Z) l : (sum (fun x => inject_Z (f x)) l == inject_Z (sumZ f l))%Q.
Proof. induction l as [|x l IH]. reflexivity. rewrite sumZ_cons. simpl. rewrite IH, inject_Z_plus.
  reflexivity. Qed.
Lemma sumZ_app {A} (f : A -> Z) l l' : sumZ f (l ++ l') = sumZ f l + sumZ f l'.
Proof. induction l as [|x l IH]; simpl; rewrite ?sumZ_cons, ?sumZ_nil; lia. Qed.
Lemma sumZ_nonneg {A} (f : A -> Z) l : (forall x, In x l -> 0 <= f x) -> 0 <= sumZ f l.
Proof. induction l as [|x l IH]; intros H. rewrite sumZ_nil. lia. rewrite sumZ_cons.
  assert (0 <= f x) by (apply H; left; auto). assert (0 <= sumZ f l) by (apply IH; intros; apply H; right;
    auto). lia. Qed.
Lemma sumZ_ext {A} (f g : A -> Z) l : (forall x, In x l -> f x = g x) -> sumZ f l = sumZ g l.
Proof. induction l as [|x l IH]; intros H; auto. rewrite !sumZ_cons, (H x), IH; simpl; auto. intros. apply H.
  right. auto. Qed.

Lemma sum_nth {A} (F : A -> Q) (l : list A) d : (sum (fun k => F (nth k l d)) (seq 0 (length l)) == sum F
  l)%Q.
Proof. induction l as [|a l IH]; simpl. reflexivity. rewrite <- seq_shift, sum_map, IH. reflexivity. Qed.
Lemma sum_flat_map {A B} (f : B -> Q) (h : A -> list B) l : (sum f (flat_map h l) == sum (fun x => sum f (h
  x)) l)%Q.
Proof. induction l; simpl. reflexivity. rewrite sum_app, IHl. reflexivity. Qed.
Lemma sum_repeat {A} (f : A -> Q) x n : (sum f (repeat x n) == inject_Z (Z.of_nat n) * f x)%Q.
Proof. induction n. simpl. ring. change (repeat x (S n)) with (x :: repeat x n). cbn [sum].
  rewrite IHn, Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. ring. Qed.
