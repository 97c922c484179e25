(** Names of resources and states can be compared, and have codes. *)
From Coq Require Import ZArith List Bool Lia.
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
Lemma resource_eqb_refl r : resource_eqb r r = true.
Proof. apply resource_eqb_eq; auto. Qed.

Lemma state_eq_dec (x y : state) : {x = y} + {x <> y}.
Proof. destruct (state_eqb x y) eqn:E; [left|right]; rewrite <- state_eqb_eq; congruence. Qed.

(** ** Codes: positive numbers for names, no two names with the same one; finite maps use them as keys. *)
Definition natural (z : Z) : Z := if z <? 0 then -2 * z - 1 else 2 * z.
Definition paired (a b : Z) : Z := (a + b) * (a + b) + b.
Definition item_code (x : item) : Z :=
  match x with
  | Message d => 2 * natural d
  | Values k m => 2 * paired (natural k) (natural m) + 1
  end.
Definition state_code (x : state) : positive := Z.to_pos (1 + paired (item_code (what x)) (natural (place
  x))).
Definition node_code (v : node) : positive := Z.to_pos (1 + natural v).
Definition resource_code (r : resource) : positive := Z.to_pos (1 +
  match r with
  | Sends v => 5 * natural v
  | Receives v => 5 * natural v + 1
  | Port v => 5 * natural v + 2
  | Computes v => 5 * natural v + 3
  | Link u v => 5 * paired (natural u) (natural v) + 4
  end).

Lemma natural_nonneg z : 0 <= natural z.
Proof. unfold natural. destruct (Z.ltb_spec z 0); lia. Qed.
Lemma natural_inj y z : natural y = natural z -> y = z.
Proof. unfold natural. destruct (Z.ltb_spec y 0), (Z.ltb_spec z 0); lia. Qed.
Lemma paired_nonneg a b : 0 <= a -> 0 <= b -> 0 <= paired a b.
Proof. unfold paired. nia. Qed.
Lemma paired_inj a b c d : 0 <= a -> 0 <= b -> 0 <= c -> 0 <= d -> paired a b = paired c d -> a = c /\ b = d.
Proof.
  unfold paired. intros A B C D E.
  assert (G : forall x y b d, 0 <= x < y -> b <= x -> 0 <= d -> x * x + b = y * y + d -> False).
  { clear. intros x y b d X B D E. assert ((x + 1) * (x + 1) <= y * y) by (apply Z.mul_le_mono_nonneg; lia).
    lia. }
  destruct (Z.lt_trichotomy (a + b) (c + d)) as [L|[F|L]].
  - exfalso. apply (G (a + b) (c + d) b d); lia.
  - rewrite F in E. lia.
  - exfalso. apply (G (c + d) (a + b) d b); lia.
Qed.
Lemma item_code_nonneg x : 0 <= item_code x.
Proof.
  destruct x; unfold item_code; pose proof natural_nonneg as N. specialize (N number). lia.
  pose proof (paired_nonneg _ _ (N first) (N last)). lia.
Qed.
Lemma item_code_inj x y : item_code x = item_code y -> x = y.
Proof.
  destruct x as [d|k m], y as [e|l n]; unfold item_code; intros E.
  - f_equal. apply natural_inj. lia.
  - lia.
  - lia.
  - destruct (paired_inj (natural k) (natural m) (natural l) (natural n)) as [E1 E2];
      auto using natural_nonneg; [lia|]. apply natural_inj in E1, E2. congruence.
Qed.
Lemma to_pos_inj a b : 0 <= a -> 0 <= b -> Z.to_pos (1 + a) = Z.to_pos (1 + b) -> a = b.
Proof. intros A B E. apply Z2Pos.inj in E; lia. Qed.
Lemma state_code_inj x y : state_code x = state_code y -> x = y.
Proof.
  destruct x as [i v], y as [j w]. unfold state_code. simpl. intros E.
  pose proof (natural_nonneg v). pose proof (natural_nonneg w).
  pose proof (item_code_nonneg i). pose proof (item_code_nonneg j).
  apply to_pos_inj in E; auto using paired_nonneg.
  apply paired_inj in E; auto. destruct E as [E1 E2]. apply item_code_inj in E1. apply natural_inj in E2.
  congruence.
Qed.
Lemma node_code_inj v w : node_code v = node_code w -> v = w.
Proof. intros E. apply to_pos_inj in E; auto using natural_nonneg. apply natural_inj; auto. Qed.
Lemma resource_code_inj r s : resource_code r = resource_code s -> r = s.
Proof.
  pose proof natural_nonneg as N. pose proof (fun u v => paired_nonneg _ _ (N u) (N v)) as P.
  intros E. apply to_pos_inj in E.
  - destruct r as [v|v|v|u v|v], s as [w|w|w|t w|w]; try (f_equal; apply natural_inj; lia); try (exfalso;
      lia).
    destruct (paired_inj (natural u) (natural v) (natural t) (natural w)) as [E1 E2]; auto; [lia|].
    apply natural_inj in E1, E2. congruence.
  - destruct r as [v|v|v|u v|v]; try (specialize (N v); lia). specialize (P u v). lia.
  - destruct s as [v|v|v|u v|v]; try (specialize (N v); lia). specialize (P u v). lia.
Qed.
