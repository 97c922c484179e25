(** For which L all exchanges are possible: all L >= 23, and 21. *)
From Coq Require Import ZArith List Lia Bool.
From Exactsched.continuous Require Import Hall Exchange Branches.
Import ListNotations.
Open Scope Z_scope.

(** What is exchanged: the letter of the block of two, and those of the block of three, raised c times. *)
Definition old_letters (L c : Z) : letters := (1 - L mod 2 + c, fst (three_letters L) + c, snd (three_letters L) + c).

(** Roots that lack no leaf, and roots that lack one, where the blocks are raised. *)
Definition suffices (L : Z) : Prop :=
  (forall r, L + 4 <= r <= 2 * L + 3 -> exchangeable L 0 r (old_letters L 0)) /\
  (forall r, L + 3 <= r <= 2 * L + 2 -> exchangeable L 1 r (old_letters L 1)).

Lemma consecutive_suffices L start : 0 < L -> check_consecutive L 0 start (old_letters L 0) = true ->
  check_consecutive L 1 start (old_letters L 1) = true -> 9 <= L -> forall k, 0 <= k -> suffices (L + 6 * k).
Proof.
  intros HL C0 C1 H9 k Hk.
  assert (E : forall c, old_letters (L + 6 * k) c = old_letters L c).
  { intros c. unfold old_letters, three_letters. replace (L + 6 * k + 2) with (L + 2 + 2 * k * 3) by lia.
    replace (L + 6 * k) with (L + 3 * k * 2) by lia. now rewrite !Z.mod_add by lia. }
  split; intros r Hr; rewrite E; apply (consecutive_exchangeable _ _ start); try lia;
    apply consecutive_forever; try lia; now apply check_consecutive_sound.
Qed.
Lemma residues_suffice L : 0 < L -> check_residues L 0 (old_letters L 0) (L + 4) = true ->
  check_residues L 1 (old_letters L 1) (L + 3) = true -> suffices L.
Proof.
  intros HL C0 C1. split; intros r Hr.
  - apply (check_residues_sound L 0 _ (L + 4) ltac:(lia) C0). lia.
  - apply (check_residues_sound L 1 _ (L + 3) ltac:(lia) C1). lia.
Qed.

Theorem exchanges_suffice L : 23 <= L \/ L = 21 -> suffices L.
Proof.
  intros H.
  assert (Few : L = 21 \/ L = 23 \/ L = 24 \/ L = 25 \/ L = 26 \/ L = 28 \/ 27 <= L /\ L <> 28) by lia.
  destruct Few as [->|[->|[->|[->|[->|[->|[Many Ne]]]]]]];
    [apply residues_suffice; [lia|vm_compute; reflexivity|vm_compute; reflexivity]..|].
  assert (C : exists k, 0 <= k /\ (L = 27 + 6 * k \/ L = 34 + 6 * k \/ L = 29 + 6 * k \/ L = 30 + 6 * k \/ L = 31 + 6 * k \/ L = 32 + 6 * k)).
  { pose proof (Z.mod_pos_bound L 6 ltac:(lia)). pose proof (Z.div_mod L 6 ltac:(lia)). set (q := L / 6) in *.
    assert (L mod 6 = 0 \/ L mod 6 = 1 \/ L mod 6 = 2 \/ L mod 6 = 3 \/ L mod 6 = 4 \/ L mod 6 = 5) as [M|[M|[M|[M|[M|M]]]]] by lia; rewrite M in *;
      [exists (q - 5)|exists (q - 5)|exists (q - 5)|exists (q - 4)|exists (q - 5)|exists (q - 4)]; lia. }
  destruct C as [k [Hk [->|[->|[->|[->|[->| ->]]]]]]];
    [apply (consecutive_suffices 27 8)|apply (consecutive_suffices 34 8)|apply (consecutive_suffices 29 9)
    |apply (consecutive_suffices 30 8)|apply (consecutive_suffices 31 9)|apply (consecutive_suffices 32 8)];
    try lia; vm_compute; reflexivity.
Qed.
