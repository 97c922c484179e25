(** Sums of integers over lists, and how many there are of something: what the bounds of the rounds, overlays
    and LogP folders share. *)
From Coq Require Import ZArith List Lia Bool Permutation.
Import ListNotations.
Open Scope Z_scope.

Fixpoint total {A} (f : A -> Z) (l : list A) : Z :=
  match l with [] => 0 | x :: l => f x + total f l end.

Fixpoint count {A} (b : A -> bool) (l : list A) : Z :=
  match l with [] => 0 | x :: l => (if b x then 1 else 0) + count b l end.

Definition flag (b : bool) : Z := if b then 1 else 0.

Lemma flag_nonneg b : 0 <= flag b.
Proof. destruct b; cbn; lia. Qed.

Section Totals.
Context {A : Type}.
Implicit Types (f g : A -> Z) (l : list A).

Lemma total_le f g l : (forall x, In x l -> f x <= g x) -> total f l <= total g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lia|].
  assert (f a <= g a) by auto. assert (total f l <= total g l) by auto. lia.
Qed.
Lemma total_eq f g l : (forall x, In x l -> f x = g x) -> total f l = total g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lia|].
  assert (f a = g a) by auto. assert (total f l = total g l) by auto. lia.
Qed.
Lemma total_zero l : total (fun _ => 0) l = 0.
Proof. induction l; simpl; lia. Qed.
Lemma total_nonneg f l : (forall x, In x l -> 0 <= f x) -> 0 <= total f l.
Proof. intros H. rewrite <- (total_zero l). apply total_le; auto. Qed.
Lemma total_plus f g l : total (fun x => f x + g x) l = total f l + total g l.
Proof. induction l; simpl; lia. Qed.
Lemma total_scale c f l : total (fun x => c * f x) l = c * total f l.
Proof. induction l; simpl; lia. Qed.
Lemma total_app f l l' : total f (l ++ l') = total f l + total f l'.
Proof. induction l; simpl; lia. Qed.
Lemma total_filter f b l : total f (filter b l) = total (fun x => if b x then f x else 0) l.
Proof. induction l as [|a l IH]; simpl; [lia|]. destruct (b a); simpl; lia. Qed.
Lemma total_member f l x : (forall x, In x l -> 0 <= f x) -> In x l -> f x <= total f l.
Proof.
  induction l as [|a l IH]; simpl; intros H Hx; [easy|].
  assert (0 <= f a) by auto. assert (0 <= total f l) by (apply total_nonneg; auto).
  destruct Hx as [->|Hx]; [lia|]. assert (f x <= total f l) by auto. lia.
Qed.
Lemma total_perm f l l' : Permutation l l' -> total f l = total f l'.
Proof. induction 1; simpl; lia. Qed.
Lemma total_incl f l l' : (forall x, In x l' -> 0 <= f x) -> NoDup l -> incl l l' -> total f l <= total f l'.
Proof.
  intros H N. revert l' H. induction N as [|a l Ha N IH]; intros l' H I; simpl.
  - apply total_nonneg; auto.
  - assert (Ia : In a l') by (apply I; left; auto). apply in_split in Ia. destruct Ia as [l1 [l2 ->]].
    rewrite (total_perm f (l1 ++ a :: l2) (a :: l1 ++ l2)) by (symmetry; apply Permutation_middle).
    simpl. assert (total f l <= total f (l1 ++ l2)); [|lia]. apply IH.
    + intros x Hx. apply H. apply in_app_iff in Hx. apply in_app_iff. simpl. tauto.
    + intros x Hx. assert (Hx' : In x (l1 ++ a :: l2)) by (apply I; right; auto).
      apply in_app_iff in Hx'. apply in_app_iff. simpl in Hx'.
      destruct Hx' as [?|[->|?]]; auto. contradiction.
Qed.
Lemma total_ones l : total (fun _ => 1) l = Z.of_nat (length l).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [total length]. lia. Qed.
Lemma count_total b l : count b l = total (fun x => flag (b x)) l.
Proof. induction l as [|a l IH]; simpl; [lia|]. unfold flag at 1. lia. Qed.
Lemma count_length b l : count b l = Z.of_nat (length (filter b l)).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [count filter]. rewrite IH. destruct (b a);
  cbn [length]; lia. Qed.
Lemma count_nonneg b l : 0 <= count b l.
Proof. rewrite count_length. lia. Qed.
Lemma count_le b c l : (forall x, In x l -> b x = true -> c x = true) -> count b l <= count c l.
Proof.
  intros H. rewrite !count_total. apply total_le. intros x Hx. specialize (H x Hx). unfold flag.
  destruct (b x), (c x); lia || (discriminate H; auto).
Qed.
Lemma count_or b c l : count (fun x => b x || c x) l <= count b l + count c l.
Proof.
  rewrite !count_total, <- total_plus. apply total_le. intros x _. unfold flag.
  destruct (b x), (c x); simpl; lia.
Qed.
End Totals.

Lemma total_map {A B} (h : A -> B) f l : total f (map h l) = total (fun x => f (h x)) l.
Proof. induction l as [|a l IH]; simpl; lia. Qed.
Lemma total_swap {A B} (f : A -> B -> Z) l l' :
  total (fun x => total (fun y => f x y) l') l = total (fun y => total (fun x => f x y) l) l'.
Proof.
  induction l as [|a l IH]; simpl; [symmetry; apply total_zero|]. rewrite IH, total_plus. reflexivity.
Qed.

(** Different things are no more than those that they are found in. *)
Lemma images {A B} (f : A -> B) (l : list B) (t : list A) :
  NoDup l -> (forall v, In v l -> exists x, In x t /\ f x = v) -> (length l <= length t)%nat.
Proof.
  intros N H. rewrite <- (map_length f t). apply NoDup_incl_length; auto.
  intros v Hv. destruct (H v Hv) as [x [Hx <-]]. apply in_map; auto.
Qed.

(** Things that are pairwise in conflict over an image have different images. *)
Lemma different_images {A B} (R : A -> A -> Prop) (f : A -> B) l :
  ForallOrdPairs R l -> (forall x y, In x l -> In y l -> R x y -> f x <> f y) -> NoDup (map f l).
Proof.
  induction 1 as [|a l Ha F IH]; simpl; intros H; constructor.
  - rewrite in_map_iff. intros [y [E Hy]]. rewrite Forall_forall in Ha. apply (H a y); auto.
  - apply IH. intros x y Hx Hy. apply H; auto.
Qed.

Lemma pairs_filter {A} (R : A -> A -> Prop) (b : A -> bool) l :
  ForallOrdPairs R l -> ForallOrdPairs R (filter b l).
Proof.
  induction 1 as [|x l Hx F IH]; simpl; [constructor|].
  destruct (b x); auto. constructor; auto. apply Forall_forall. intros y Hy.
  apply filter_In in Hy. rewrite Forall_forall in Hx. apply Hx. tauto.
Qed.

Lemma pairs_weaken {A} (R R' : A -> A -> Prop) l :
  (forall x y, In x l -> In y l -> R x y -> R' x y) -> ForallOrdPairs R l -> ForallOrdPairs R' l.
Proof.
  intros H F. induction F as [|x l Hx F IH]; constructor.
  - rewrite Forall_forall in *. intros y Hy. apply H; simpl; auto.
  - apply IH. intros; apply H; simpl; auto.
Qed.

Lemma pairs_map {A B} (R : B -> B -> Prop) (f : A -> B) l :
  ForallOrdPairs (fun x y => R (f x) (f y)) l -> ForallOrdPairs R (map f l).
Proof.
  induction 1 as [|x l Hx F IH]; simpl; constructor; auto.
  rewrite Forall_forall in *. intros y Hy. apply in_map_iff in Hy. destruct Hy as [z [<- Hz]]. auto.
Qed.

(** A list in strictly increasing order: a quick way to see that its members are different. *)
Fixpoint increasing_from (x : Z) (l : list Z) : bool :=
  match l with [] => true | y :: l => (x <? y) && increasing_from y l end.
Definition increasing (l : list Z) : bool :=
  match l with [] => true | x :: l => increasing_from x l end.

Lemma increasing_from_sound l : forall x, increasing_from x l = true -> NoDup l /\ (forall y, In y l -> x <
  y).
Proof.
  induction l as [|a l IH]; intros x H; [split; [constructor|easy]|].
  cbn [increasing_from] in H. apply andb_prop in H. destruct H as [Hx H]. apply Z.ltb_lt in Hx.
  destruct (IH a H) as [N L]. split.
  - constructor; auto. intros Ha. specialize (L a Ha). lia.
  - intros y [->|Hy]; auto. specialize (L y Hy). lia.
Qed.
Lemma increasing_sound l : increasing l = true -> NoDup l.
Proof.
  destruct l as [|a l]; [constructor|]. intros H. destruct (increasing_from_sound l a H) as [N L].
  constructor; auto. intros Ha. specialize (L a Ha). lia.
Qed.

(** The numbers 0 to n - 1. *)
Definition below (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).
Lemma below_spec n x : In x (below n) <-> 0 <= x < n.
Proof.
  unfold below. rewrite in_map_iff. split.
  - intros [k [<- H]]. apply in_seq in H. lia.
  - intros H. exists (Z.to_nat x). split; [lia|]. apply in_seq. lia.
Qed.
Lemma below_nodup n : NoDup (below n).
Proof. apply FinFun.Injective_map_NoDup; [intros x y; lia|apply seq_NoDup]. Qed.
Lemma below_length n : 0 <= n -> Z.of_nat (length (below n)) = n.
Proof. unfold below. rewrite map_length, seq_length. lia. Qed.

(** How many of the numbers 0 to n - 1 lie in an interval inside. *)
Lemma count_interval n a b : 0 <= a -> a <= b -> b <= n -> count (fun t => (a <=? t) && (t <? b)) (below n) =
  b - a.
Proof.
  intros H0 H1 H2. rewrite count_length.
  assert (L : length (filter (fun t => (a <=? t) && (t <? b)) (below n)) = length (map (Z.add a) (below (b -
    a)))).
  { apply Nat.le_antisymm; apply NoDup_incl_length.
    - apply NoDup_filter, below_nodup.
    - intros x Hx. apply filter_In in Hx. destruct Hx as [Hx E]. apply andb_prop in E. destruct E as [E F].
      apply Z.leb_le in E. apply Z.ltb_lt in F. apply in_map_iff. exists (x - a).
      split; [lia|]. apply below_spec. lia.
    - apply FinFun.Injective_map_NoDup; [intros x y; lia|apply below_nodup].
    - intros x Hx. apply in_map_iff in Hx. destruct Hx as [y [<- Hy]]. apply below_spec in Hy.
      apply filter_In. split; [apply below_spec; lia|]. apply andb_true_intro.
      split; [apply Z.leb_le|apply Z.ltb_lt]; lia. }
  rewrite L, map_length, below_length; lia.
Qed.

(** Times that are pairwise a width apart, within an interval. *)
Lemma spaced {A} (f : A -> Z) (width : Z) : 0 <= width -> forall l from until,
  ForallOrdPairs (fun x y => f x + width <= f y \/ f y + width <= f x) l ->
  (forall x, In x l -> from <= f x <= until) -> from <= until + width ->
  Z.of_nat (length l) * width <= until - from + width.
Proof.
  intros W. enough (H : forall n l from until, (length l <= n)%nat ->
    ForallOrdPairs (fun x y => f x + width <= f y \/ f y + width <= f x) l ->
    (forall x, In x l -> from <= f x <= until) -> from <= until + width ->
    Z.of_nat (length l) * width <= until - from + width).
  { intros l from until. now apply (H (length l)). }
  induction n as [|n IH]; intros l from until Hn F I L.
  - destruct l; cbn [length] in *; lia.
  - destruct l as [|x l]; [cbn [length]; lia|]. cbn [length] in Hn.
    inversion F as [|y m Hx F' E]; subst. rewrite Forall_forall in Hx.
    assert (Ix : from <= f x <= until) by (apply I; now left).
    set (b := fun y => f y + width <=? f x).
    assert (P : Z.of_nat (length l) = Z.of_nat (length (filter b l)) + Z.of_nat (length (filter (fun y =>
      negb (b y)) l))).
    { clear. induction l as [|a l IH]; [reflexivity|]. cbn [filter length]. destruct (b a);
      cbn [negb length]; lia. }
    assert (Hlen : forall c : A -> bool, (length (filter c l) <= n)%nat).
    { intros c. assert (length (filter c l) <= length l)%nat; [|lia].
      clear. induction l as [|a l IH]; cbn [filter length]; [lia|]. destruct (c a); cbn [length]; lia. }
    pose proof (IH (filter b l) from (f x - width) (Hlen _) (pairs_filter _ _ _ F')) as H1.
    pose proof (IH (filter (fun y => negb (b y)) l) (f x + width) until (Hlen _) (pairs_filter _ _ _ F')) as
      H2.
    assert (Z.of_nat (length (filter b l)) * width <= f x - from).
    { enough (Z.of_nat (length (filter b l)) * width <= f x - width - from + width) by lia. apply H1; [|lia].
      intros y Hy. apply filter_In in Hy. destruct Hy as [Hy By]. unfold b in By. apply Z.leb_le in By.
      assert (from <= f y <= until) by (apply I; now right). lia. }
    assert (Z.of_nat (length (filter (fun y => negb (b y)) l)) * width <= until - f x).
    { enough (Z.of_nat (length (filter (fun y => negb (b y)) l)) * width <= until - (f x + width) + width) by
      lia.
      apply H2; [|lia]. intros y Hy. apply filter_In in Hy. destruct Hy as [Hy By]. unfold b in By.
      apply negb_true_iff, Z.leb_gt in By. assert (from <= f y <= until) by (apply I; now right).
      destruct (Hx y Hy); lia. }
    cbn [length]. lia.
Qed.
