(** The sums of three exchanges: a letter of a block of two, and two letters of a block of three, for own letters of the root. *)
From Coq Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.

(** Four ways to divide n into b + c are enough: u, o and X forbid at most one each. *)
Lemma divided y z n M u o X : (y - z) mod 3 <> 0 -> 3 <= n <= 2 * M - 3 -> 0 <= M ->
  exists b c, b + c = n /\ 0 <= b <= M /\ 0 <= c <= M /\
    ~ In (y + 3 * b) [u; o; X] /\ ~ In (z + 3 * c) [u; o; X] /\ y + 3 * b <> z + 3 * c.
Proof.
  intros D Hn HM.
  assert (Apart : forall k, y - z <> 3 * k).
  { intros k E. apply D. rewrite E, Z.mul_comm. apply Z.mod_mul. lia. }
  set (bad := fun f b => y + 3 * b = f \/ z + 3 * (n - b) = f).
  assert (Once : forall f b b', bad f b -> bad f b' -> b = b').
  { intros f b b' [H|H] [H'|H']; try lia; exfalso;
      [apply (Apart (n - b' - b))|apply (Apart (n - b - b'))]; lia. }
  assert (Dec : forall f b, {bad f b} + {~ bad f b}).
  { intros f b. unfold bad. destruct (Z.eq_dec (y + 3 * b) f), (Z.eq_dec (z + 3 * (n - b)) f); [left|left|left|right]; tauto. }
  assert (Good : exists b, Z.max 0 (n - M) <= b <= Z.max 0 (n - M) + 3 /\ ~ bad u b /\ ~ bad o b /\ ~ bad X b).
  { set (s := Z.max 0 (n - M)).
    assert (Free : forall b, {~ bad u b /\ ~ bad o b /\ ~ bad X b} + {bad u b \/ bad o b \/ bad X b}).
    { intros b. destruct (Dec u b), (Dec o b), (Dec X b); tauto. }
    destruct (Free s) as [F|F0]; [exists s; split; [lia|exact F]|].
    destruct (Free (s + 1)) as [F|F1]; [exists (s + 1); split; [lia|exact F]|].
    destruct (Free (s + 2)) as [F|F2]; [exists (s + 2); split; [lia|exact F]|].
    destruct (Free (s + 3)) as [F|F3]; [exists (s + 3); split; [lia|exact F]|]. exfalso.
    destruct F0 as [A|[A|A]], F1 as [B|[B|B]], F2 as [C|[C|C]], F3 as [E|[E|E]];
      first [pose proof (Once _ _ _ A B)|pose proof (Once _ _ _ A C)|pose proof (Once _ _ _ A E)
            |pose proof (Once _ _ _ B C)|pose proof (Once _ _ _ B E)|pose proof (Once _ _ _ C E)]; lia. }
  destruct Good as [b [Hb [Bu [Bo BX]]]]. exists b, (n - b). unfold bad in *. repeat split; try lia.
  - intros [H|[H|[H|[]]]]; subst; tauto.
  - intros [H|[H|[H|[]]]]; subst; tauto.
  - intros H. apply (Apart (n - b - b)). lia.
Qed.

Theorem three_exchanges L r u o x y z v : 68 <= L -> 0 < r <= 2 * L + 3 ->
  0 <= x <= 2 -> 0 <= y <= 3 -> 0 <= z <= 3 -> (y - z) mod 3 <> 0 ->
  exists a b c, (2 * a + 3 * b + 3 * c - v) mod r = 0 /\
    0 <= x + 2 * a < L /\ 0 <= y + 3 * b < L /\ 0 <= z + 3 * c < L /\
    x + 2 * a <> u /\ x + 2 * a <> o /\ ~ In (y + 3 * b) [u; o; x + 2 * a] /\ ~ In (z + 3 * c) [u; o; x + 2 * a] /\
    y + 3 * b <> z + 3 * c.
Proof.
  intros HL Hr Hx Hy Hz D.
  set (w := 25 + (v - 25) mod r).
  assert (Hw : 25 <= w <= 25 + 2 * L + 2) by (unfold w; pose proof (Z.mod_pos_bound (v - 25) r); lia).
  assert (Ew : (w - v) mod r = 0).
  { unfold w. replace (25 + (v - 25) mod r - v) with ((v - 25) mod r - (v - 25)) by lia.
    rewrite Zminus_mod, Z.mod_mod, Z.sub_diag by lia. apply Z.mod_0_l. lia. }
  assert (HK : exists K, 2 * K + 3 <= L <= 2 * K + 4) by (exists ((L - 3) / 2); Z.div_mod_to_equations; lia).
  destruct HK as [K HK].
  assert (HM : exists M, 3 * M + 4 <= L <= 3 * M + 6) by (exists ((L - 4) / 3); Z.div_mod_to_equations; lia).
  destruct HM as [M HM].
  assert (Three : exists a n, w = 2 * a + 3 * n /\ 0 <= a /\ a + 6 <= K /\ n <= 2 * M - 3 /\ 3 <= n - 4).
  { set (lo := Z.max 0 ((w - 6 * M + 10) / 2)). set (a := lo + (2 * w - lo) mod 3).
    exists a, ((w - 2 * a) / 3).
    assert (B : lo <= a <= lo + 2) by (unfold a; pose proof (Z.mod_pos_bound (2 * w - lo) 3 ltac:(lia)); lia).
    assert (E : exists k, 2 * w - a = 3 * k).
    { exists ((2 * w - lo) / 3). unfold a. pose proof (Z.div_mod (2 * w - lo) 3 ltac:(lia)). lia. }
    destruct E as [k E]. assert (En : (w - 2 * a) / 3 = 2 * k - w).
    { replace (w - 2 * a) with ((2 * k - w) * 3) by lia. apply Z.div_mul. lia. }
    assert (B' : w - 6 * M + 9 <= 2 * lo /\ (lo = 0 \/ 2 * lo <= w - 6 * M + 10)) by (unfold lo; Z.div_mod_to_equations; lia).
    rewrite En. lia. }
  destruct Three as [a1 [n1 [E1 [H1 [H2 [H3 H4]]]]]].
  assert (One : exists a n, w = 2 * a + 3 * n /\ 0 <= a <= K /\ 3 <= n <= 2 * M - 3 /\ x + 2 * a <> u /\ x + 2 * a <> o).
  { destruct (Z.eq_dec (x + 2 * a1) u), (Z.eq_dec (x + 2 * a1) o), (Z.eq_dec (x + 2 * (a1 + 3)) u), (Z.eq_dec (x + 2 * (a1 + 3)) o);
      first [exists a1, n1; lia|exists (a1 + 3), (n1 - 2); lia|exists (a1 + 6), (n1 - 4); lia]. }
  destruct One as [a [n [E [Ha [Hn [Nu No]]]]]].
  destruct (divided y z n M u o (x + 2 * a) D Hn ltac:(lia)) as [b [c [Ebc [Hb [Hc [Yb [Zc Nyz]]]]]]].
  exists a, b, c. replace (2 * a + 3 * b + 3 * c - v) with (w - v) by lia.
  repeat split; try assumption; lia.
Qed.
