(** Names of resources and states can be compared. *)
From Coq Require Import ZArith List Bool.
From Exactsched Require Import Model.
Open Scope Z_scope.

Definition resource_eqb (r s : resource) : bool :=
  match r, s with
  | Sends v, Sends w | Receives v, Receives w | Port v, Port w | Computes v, Computes w => v =? w
  | Link u v, Link t w => (u =? t) && (v =? w)
  | _, _ => false
  end.
Definition item_eqb (x y : item) : bool :=
  match x, y with
  | Message d, Message e => d =? e
  | Values k m, Values l n => (k =? l) && (m =? n)
  | _, _ => false
  end.
Definition state_eqb (x y : state) : bool := item_eqb (what x) (what y) && (place x =? place y).

Lemma resource_eqb_spec r s : reflect (r = s) (resource_eqb r s).
Proof.
  apply iff_reflect. destruct r, s; simpl; rewrite ?andb_true_iff, ?Z.eqb_eq; split; intros E;
    try injection E as -> ->; try injection E as ->; try congruence; try easy; destruct E; congruence.
Qed.
Lemma resource_eqb_eq r s : resource_eqb r s = true <-> r = s.
Proof. symmetry. apply reflect_iff, resource_eqb_spec. Qed.
Lemma item_eqb_eq x y : item_eqb x y = true <-> x = y.
Proof.
  destruct x, y; simpl; rewrite ?andb_true_iff, ?Z.eqb_eq; split; intros E;
    try injection E as -> ->; try injection E as ->; try congruence; try easy; destruct E; congruence.
Qed.
Lemma state_eqb_eq x y : state_eqb x y = true <-> x = y.
Proof.
  destruct x as [i v], y as [j w]. unfold state_eqb. simpl. rewrite andb_true_iff, item_eqb_eq, Z.eqb_eq.
  split; [intros [-> ->]; auto|intros E; injection E as -> ->; auto].
Qed.
Lemma state_eqb_refl x : state_eqb x x = true.
Proof. apply state_eqb_eq; auto. Qed.
Lemma resource_eqb_refl r : resource_eqb r r = true.
Proof. apply resource_eqb_eq; auto. Qed.

Lemma resource_eq_dec (r s : resource) : {r = s} + {r <> s}.
Proof. destruct (resource_eqb_spec r s); auto. Qed.
Lemma item_eq_dec (x y : item) : {x = y} + {x <> y}.
Proof. destruct (item_eqb x y) eqn:E; [left|right]; rewrite <- item_eqb_eq; congruence. Qed.
Lemma state_eq_dec (x y : state) : {x = y} + {x <> y}.
Proof. destruct (state_eqb x y) eqn:E; [left|right]; rewrite <- state_eqb_eq; congruence. Qed.
