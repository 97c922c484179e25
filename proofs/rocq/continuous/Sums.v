(** For which L all exchanges that the window needs are possible: all L >= 14. *)
From Coq Require Import ZArith List Lia Bool.
From Exactsched.continuous Require Import Hall Exchange Branches.
Import ListNotations.
Open Scope Z_scope.

(** The letters of the blocks of two and of three, raised c times; one more from a block of four, or from a second block of three. *)
Definition of_two_blocks (L c : Z) : exchangeable_letters :=
  [(2, 1 - L mod 2 + c); (3, fst (three_letters L) + c); (3, snd (three_letters L) + c)].
Definition with_one_more (L c : Z) (more : list (Z * Z)) : list exchangeable_letters :=
  of_two_blocks L c :: map (fun nx => of_two_blocks L c ++ [nx]) more.
Definition of_four (L c : Z) : list (Z * Z) := map (fun w => (4, w + c)) (four_letters L).
Definition of_second_three (L : Z) : list (Z * Z) := [(3, fst (three_letters L) + 1); (3, snd (three_letters L) + 1)].

(** Roots that lack no leaf, and roots that lack one, where the blocks are raised. *)
Record suffices (L : Z) : Prop := Suffices {
  with_four : forall r, L + 4 <= r <= 2 * L + 3 -> exchangeable L 0 r (with_one_more L 0 (of_four L 0));
  with_three : forall r, L + 4 <= r <= 2 * L + 3 -> exchangeable L 0 r (with_one_more L 0 (of_second_three L));
  raised : forall r, L + 4 <= r <= 2 * L + 2 -> exchangeable L 1 r (with_one_more L 1 (of_four L 1));
  raised_alone : exchangeable L 1 (L + 3) (with_one_more L 1 []) }.

Lemma alone_is_more L c more : incl (with_one_more L c []) (with_one_more L c more).
Proof. intros old [<-|[]]. now left. Qed.

Lemma consecutive_suffices L start : 9 <= L -> check_consecutive L 0 start (with_one_more L 0 []) = true ->
  check_consecutive L 1 start (with_one_more L 1 []) = true -> forall k, 0 <= k -> suffices (L + 6 * k).
Proof.
  intros HL C0 C1 k Hk.
  assert (E : forall c, with_one_more (L + 6 * k) c [] = with_one_more L c []).
  { intros c. unfold with_one_more, of_two_blocks, three_letters. replace (L + 6 * k + 2) with (L + 2 + 2 * k * 3) by lia.
    replace (L + 6 * k) with (L + 3 * k * 2) by lia. now rewrite !Z.mod_add by lia. }
  assert (T : forall c, of_three (with_one_more L c [])).
  { intros c old [<-|[]]. split; [reflexivity|]. intros nx [<-|[<-|[<-|[]]]]; cbn; tauto. }
  assert (All : forall c r, c = 0 \/ c = 1 -> 0 < r <= 2 * (L + 6 * k) + 3 -> exchangeable (L + 6 * k) c r (with_one_more (L + 6 * k) c [])).
  { intros c r Hc Hr. rewrite E. apply (consecutive_exchangeable _ _ start); [exact Hr|].
    apply consecutive_forever; [apply T|exact HL|exact Hk|]. destruct Hc as [-> | ->]; now apply check_consecutive_sound. }
  split.
  - intros r Hr. apply (exchangeable_more _ _ _ (with_one_more (L + 6 * k) 0 [])); [apply alone_is_more|apply All; lia].
  - intros r Hr. apply (exchangeable_more _ _ _ (with_one_more (L + 6 * k) 0 [])); [apply alone_is_more|apply All; lia].
  - intros r Hr. apply (exchangeable_more _ _ _ (with_one_more (L + 6 * k) 1 [])); [apply alone_is_more|apply All; lia].
  - apply All; lia.
Qed.

Definition check_suffices (L : Z) : bool :=
  check_residues L 0 (with_one_more L 0 (of_four L 0)) (L + 4) L && check_residues L 0 (with_one_more L 0 (of_second_three L)) (L + 4) L &&
  check_residues L 1 (with_one_more L 1 (of_four L 1)) (L + 4) (L - 1) && check_residues L 1 (with_one_more L 1 []) (L + 3) 1.
Lemma residues_suffice L : 0 < L -> check_suffices L = true -> suffices L.
Proof.
  intros HL. unfold check_suffices. rewrite !andb_true_iff. intros [[[A B] C] D]. split.
  - intros r Hr. apply (check_residues_sound L 0 _ (L + 4) L ltac:(lia) A). lia.
  - intros r Hr. apply (check_residues_sound L 0 _ (L + 4) L ltac:(lia) B). lia.
  - intros r Hr. apply (check_residues_sound L 1 _ (L + 4) (L - 1) ltac:(lia) C). lia.
  - apply (check_residues_sound L 1 _ (L + 3) 1 ltac:(lia) D). lia.
Qed.

(** The blocks of two and of three alone. *)
Definition check_alone (L : Z) : bool :=
  check_residues L 0 (with_one_more L 0 []) (L + 4) L && check_residues L 1 (with_one_more L 1 []) (L + 3) L.
Lemma alone_suffices L : 0 < L -> check_alone L = true -> suffices L.
Proof.
  intros HL. unfold check_alone. rewrite !andb_true_iff. intros [A B].
  pose proof (check_residues_sound L 0 _ (L + 4) L ltac:(lia) A) as E0. pose proof (check_residues_sound L 1 _ (L + 3) L ltac:(lia) B) as E1. split.
  - intros r Hr. apply (exchangeable_more _ _ _ (with_one_more L 0 [])); [apply alone_is_more|apply E0; lia].
  - intros r Hr. apply (exchangeable_more _ _ _ (with_one_more L 0 [])); [apply alone_is_more|apply E0; lia].
  - intros r Hr. apply (exchangeable_more _ _ _ (with_one_more L 1 [])); [apply alone_is_more|apply E1; lia].
  - apply E1; lia.
Qed.

Theorem exchanges_suffice L : 14 <= L -> suffices L.
Proof.
  intros H.
  assert (Few : In L [14; 15; 16; 17; 18; 19; 20; 22] \/ In L [21; 23; 24; 25; 26; 28] \/ 27 <= L /\ L <> 28) by (cbn [In]; lia).
  destruct Few as [Few|[Few|[Many Ne]]].
  - apply residues_suffice; [lia|]. assert (C : forallb check_suffices [14; 15; 16; 17; 18; 19; 20; 22] = true) by (vm_compute; reflexivity).
    rewrite forallb_forall in C. now apply C.
  - apply alone_suffices; [lia|]. assert (C : forallb check_alone [21; 23; 24; 25; 26; 28] = true) by (vm_compute; reflexivity).
    rewrite forallb_forall in C. now apply C.
  - assert (C : exists k, 0 <= k /\ (L = 27 + 6 * k \/ L = 34 + 6 * k \/ L = 29 + 6 * k \/ L = 30 + 6 * k \/ L = 31 + 6 * k \/ L = 32 + 6 * k)).
    { pose proof (Z.mod_pos_bound L 6 ltac:(lia)). pose proof (Z.div_mod L 6 ltac:(lia)). set (q := L / 6) in *.
      assert (L mod 6 = 0 \/ L mod 6 = 1 \/ L mod 6 = 2 \/ L mod 6 = 3 \/ L mod 6 = 4 \/ L mod 6 = 5) as [M|[M|[M|[M|[M|M]]]]] by lia; rewrite M in *;
        [exists (q - 5)|exists (q - 5)|exists (q - 5)|exists (q - 4)|exists (q - 5)|exists (q - 4)]; lia. }
    destruct C as [k [Hk [->|[->|[->|[->|[->| ->]]]]]]];
      [apply (consecutive_suffices 27 8)|apply (consecutive_suffices 34 8)|apply (consecutive_suffices 29 9)
      |apply (consecutive_suffices 30 8)|apply (consecutive_suffices 31 9)|apply (consecutive_suffices 32 8)];
      try lia; vm_compute; reflexivity.
Qed.
