(** Exchanges: letters of blocks for own letters of the root, which are the same modulo the sizes of the blocks. *)
From Coq Require Import ZArith List Lia Bool Permutation.
From Exactsched.continuous Require Import Hall.
Import ListNotations.
Open Scope Z_scope.

(** What can be exchanged: letters, each with the size of its block. *)
Definition exchangeable_letters := list (Z * Z).

(** The new letters are from [least] to L - 1; the letter u, which will be spare, is not among them. *)
Record exchange (L least : Z) (old : exchangeable_letters) (u : Z) (new : list Z) : Prop := Exchange {
  same : Forall2 (fun nx X => (X - snd nx) mod fst nx = 0) old new;
  own : forall X, In X new -> least <= X < L;
  different : NoDup (u :: new) }.
Definition gain (old : exchangeable_letters) (new : list Z) : Z := total new - total (map snd old).

(** One of some choices of letters gains v. *)
Definition gains (L least : Z) (choices : list exchangeable_letters) (v u : Z) : Prop :=
  exists old new, In old choices /\ exchange L least old u new /\ gain old new = v.
(** Every sum modulo r is possible. *)
Definition exchangeable (L least r : Z) (choices : list exchangeable_letters) : Prop :=
  forall u v, least <= u < L -> exists old new, In old choices /\ exchange L least old u new /\ (gain old new - v) mod r = 0.
(** 2 L + 3 consecutive sums are possible. *)
Definition consecutive (L least start : Z) (choices : list exchangeable_letters) : Prop :=
  forall u v, start <= v <= start + 2 * L + 2 -> gains L least choices v u.

Lemma exchangeable_more L least r choices choices' : incl choices choices' -> exchangeable L least r choices -> exchangeable L least r choices'.
Proof. intros I E u v Hu. destruct (E u v Hu) as [old [new [H R]]]. exists old, new. split; [now apply I|exact R]. Qed.

Lemma consecutive_exchangeable L least start choices r : 0 < r <= 2 * L + 3 -> consecutive L least start choices -> exchangeable L least r choices.
Proof.
  intros Hr C u v Hu. set (w := start + (v - start) mod r). pose proof (Z.mod_pos_bound (v - start) r ltac:(lia)).
  destruct (C u w) as [old [new [I [E S]]]]; [unfold w; lia|]. exists old, new. split; [exact I|]. split; [exact E|]. rewrite S. unfold w.
  replace (start + (v - start) mod r - v) with ((v - start) mod r - (v - start)) by lia.
  rewrite Zminus_mod, Z.mod_mod, Z.sub_diag by lia. apply Z.mod_0_l. lia.
Qed.

(** If they are for L, they are for L + 6: with the same letters, or with all larger by 6. *)
Lemma total_larger k l : total (map (Z.add k) l) = total l + k * Z.of_nat (length l).
Proof. induction l as [|x l IH]; [cbn; lia|]. cbn [map length]. rewrite !total_cons, IH. lia. Qed.
Lemma same_larger old new : (forall nx, In nx old -> fst nx = 2 \/ fst nx = 3) ->
  Forall2 (fun nx X => (X - snd nx) mod fst nx = 0) old new -> Forall2 (fun nx X => (X - snd nx) mod fst nx = 0) old (map (Z.add 6) new).
Proof.
  intros H F. induction F as [|[n x] X old new E F IH]; [constructor|]. cbn [map]. constructor.
  - cbn [fst snd] in *. destruct (H (n, x) (or_introl eq_refl)) as [Hn|Hn]; cbn [fst] in Hn; subst n.
    + replace (6 + X - x) with (X - x + 3 * 2) by lia. now rewrite Z.mod_add.
    + replace (6 + X - x) with (X - x + 2 * 3) by lia. now rewrite Z.mod_add.
  - apply IH. intros nx Hx. apply H. now right.
Qed.
Lemma same_length {A B} (R : A -> B -> Prop) l l' : Forall2 R l l' -> length l = length l'.
Proof. induction 1 as [|x y l l' _ _ IH]; [reflexivity|]. cbn. now rewrite IH. Qed.
Definition of_three (choices : list exchangeable_letters) : Prop :=
  forall old, In old choices -> length old = 3%nat /\ forall nx, In nx old -> fst nx = 2 \/ fst nx = 3.
Lemma consecutive_next L least start choices : of_three choices -> 9 <= L -> consecutive L least start choices -> consecutive (L + 6) least start choices.
Proof.
  intros T HL C u v Hv. destruct (Z_le_gt_dec v (start + 2 * L + 2)) as [Le|Gt].
  - destruct (C u v ltac:(lia)) as [old [new [I [[S O D] G]]]]. exists old, new. split; [exact I|]. split; [|exact G]. split; [exact S| |exact D].
    intros X HX. specialize (O X HX). lia.
  - destruct (C (u - 6) (v - 18) ltac:(lia)) as [old [new [I [[S O D] G]]]]. destruct (T old I) as [Len M].
    exists old, (map (Z.add 6) new). split; [exact I|]. split; [split|].
    + now apply same_larger.
    + intros X HX. apply in_map_iff in HX. destruct HX as [Y [<- HY]]. specialize (O Y HY). lia.
    + replace u with (6 + (u - 6)) by lia. change (6 + (u - 6) :: map (Z.add 6) new) with (map (Z.add 6) (u - 6 :: new)).
      apply FinFun.Injective_map_NoDup; [intros x y H; lia|exact D].
    + unfold gain in *. rewrite total_larger. rewrite <- (same_length _ _ _ S), Len. change (Z.of_nat 3) with 3. lia.
Qed.
Lemma consecutive_forever L least start choices k : of_three choices -> 9 <= L -> 0 <= k -> consecutive L least start choices ->
  consecutive (L + 6 * k) least start choices.
Proof.
  intros T HL Hk C. pattern k. apply natlike_ind; [|intros n Hn IH|exact Hk].
  - now replace (L + 6 * 0) with L by lia.
  - replace (L + 6 * Z.succ n) with (L + 6 * n + 6) by lia. apply consecutive_next; [exact T|lia|exact IH].
Qed.

(** *** By computation *)
(** For a sum v: the letters that all exchanges with this sum take, if there are any exchanges. *)
Definition meet (bad : option (list Z)) (new : list Z) : option (list Z) :=
  match bad with None => Some new | Some l => Some (filter (fun u => existsb (Z.eqb u) new) l) end.
Definition steps_from (n l L : Z) : list Z := map (fun k => l + n * k) (places ((L - l + n - 1) / n)).
Fixpoint tried (L least : Z) (old : exchangeable_letters) (v : Z) (new : list Z) (bad : option (list Z)) : option (list Z) :=
  match bad with
  | Some [] => bad
  | _ =>
    match old with
    | [] => if v =? 0 then meet bad new else bad
    | (n, x) :: old' =>
      fold_left (fun bad X =>
        if (X - x <=? v) && ((X - x) mod n =? 0) && (least <=? X) && (X <? L) && negb (existsb (Z.eqb X) new)
        then tried L least old' (v - (X - x)) (X :: new) bad else bad)
        (match old' with [] => [x + v] | _ => steps_from n x L end) bad
    end
  end.
Definition unavoidable (L least : Z) (choices : list exchangeable_letters) (v : Z) : option (list Z) :=
  fold_left (fun bad old => tried L least old v [] bad) choices None.

Definition avoids (goal : Z -> Prop) (bad : option (list Z)) : Prop :=
  match bad with None => True | Some l => forall u, ~ In u l -> goal u end.
Lemma fold_left_keeps {A B} (P : A -> Prop) (f : A -> B -> A) l : (forall a b, In b l -> P a -> P (f a b)) -> forall a, P a -> P (fold_left f l a).
Proof.
  induction l as [|b l IH]; intros H a Pa; [exact Pa|]. cbn [fold_left]. apply IH.
  - intros a' b' Hb. apply H. now right.
  - apply H; [now left|exact Pa].
Qed.
Lemma meet_avoids goal bad new : avoids goal bad -> (forall u, ~ In u new -> goal u) -> avoids goal (meet bad new).
Proof.
  intros A New. destruct bad as [l|]; cbn [meet avoids] in *; [|exact New].
  intros u Hu. destruct (in_dec Z.eq_dec u l) as [Il|Nl]; [|now apply A].
  apply New. intros I. apply Hu. apply filter_In. split; [exact Il|]. apply existsb_exists. exists u. split; [exact I|apply Z.eqb_refl].
Qed.
Lemma tried_sound goal L least old : forall v new bad, avoids goal bad -> NoDup new ->
  (forall more u, Forall2 (fun nx X => (X - snd nx) mod fst nx = 0) old more -> (forall X, In X more -> least <= X < L) ->
     NoDup (more ++ new) -> gain old more = v -> ~ In u (more ++ new) -> goal u) ->
  avoids goal (tried L least old v new bad).
Proof.
  induction old as [|[n x] old IH]; intros v new bad A N H; cbn [tried].
  - assert (R : avoids goal (if v =? 0 then meet bad new else bad)).
    { destruct (Z.eqb_spec v 0) as [->|]; [|exact A]. apply meet_avoids; [exact A|]. intros u Hu.
      apply (H [] u); [constructor|intros X []|exact N|reflexivity|exact Hu]. }
    destruct bad as [[|b l]|]; [exact A|exact R|exact R].
  - assert (R : avoids goal (fold_left (fun bad X =>
        if (X - x <=? v) && ((X - x) mod n =? 0) && (least <=? X) && (X <? L) && negb (existsb (Z.eqb X) new)
        then tried L least old (v - (X - x)) (X :: new) bad else bad)
        (match old with [] => [x + v] | _ => steps_from n x L end) bad)).
    { apply fold_left_keeps; [|exact A]. intros bad' X _ A'.
      match goal with |- context [if ?c then _ else _] => destruct c eqn:C end; [|exact A'].
      rewrite !andb_true_iff, negb_true_iff, Z.eqb_eq, !Z.leb_le, Z.ltb_lt in C. destruct C as [[[[_ C1] C2] C3] C4].
      assert (Fresh : ~ In X new).
      { intros I. assert (T : existsb (Z.eqb X) new = true) by (apply existsb_exists; exists X; split; [exact I|apply Z.eqb_refl]). congruence. }
      apply IH; [exact A'|now constructor|]. intros more u F O D G Hu.
      apply (H (X :: more) u).
      + now constructor.
      + intros Y [<-|HY]; [lia|now apply O].
      + apply (Permutation_NoDup (Permutation_sym (Permutation_middle more new X)) D).
      + unfold gain in *. cbn [map snd]. rewrite !total_cons. lia.
      + intros I. apply Hu. apply (Permutation_in _ (Permutation_middle more new X)). exact I. }
    destruct bad as [[|b l]|]; [exact A|exact R|exact R].
Qed.
Lemma unavoidable_sound L least choices v : avoids (gains L least choices v) (unavoidable L least choices v).
Proof.
  unfold unavoidable. apply fold_left_keeps; [|exact I]. intros bad old Hold A. apply tried_sound; [exact A|constructor|].
  intros new u F O D G Hu. rewrite app_nil_r in *. exists old, new. split; [exact Hold|]. split; [|exact G]. split; [exact F|exact O|].
  now constructor.
Qed.

Definition check_consecutive (L least start : Z) (choices : list exchangeable_letters) : bool :=
  forallb (fun k => match unavoidable L least choices (start + k) with Some [] => true | _ => false end) (places (2 * L + 3)).
Lemma check_consecutive_sound L least start choices : check_consecutive L least start choices = true -> consecutive L least start choices.
Proof.
  unfold check_consecutive. rewrite forallb_forall. intros H u v Hv. specialize (H (v - start)). rewrite in_places in H.
  replace (start + (v - start)) with v in H by lia. pose proof (unavoidable_sound L least choices v) as S.
  destruct (unavoidable L least choices v) as [[|a l]|]; cbn [avoids] in S; [apply S; intros []|discriminate (H ltac:(lia))..].
Qed.

(** *** All sums modulo r, for one r after the other *)
Definition both (a b : option (list Z)) : option (list Z) :=
  match a, b with
  | None, _ => b
  | _, None => a
  | Some l, Some l' => Some (filter (fun u => existsb (Z.eqb u) l') l)
  end.
Definition residue (table : list (option (list Z))) (r t : Z) : option (list Z) :=
  let at_sum := fun v => nth (Z.to_nat v) table None in both (both (at_sum t) (at_sum (t + r))) (at_sum (t + 2 * r)).
(** The sizes r from [first] on. *)
Definition check_residues (L least : Z) (choices : list exchangeable_letters) (first many : Z) : bool :=
  let table := map (unavoidable L least choices) (places (3 * L)) in
  forallb (fun k => let r := first + k in
    forallb (fun t => match residue table r t with Some l => forallb (fun u => u <? least) l | None => false end) (places r)) (places many).

Lemma both_sound goal a b : avoids goal a -> avoids goal b -> avoids goal (both a b).
Proof.
  destruct a as [l|], b as [l'|]; cbn [both avoids]; try tauto. intros A B u Hu.
  destruct (in_dec Z.eq_dec u l) as [I|N]; [|now apply A]. destruct (in_dec Z.eq_dec u l') as [I'|N']; [|now apply B].
  exfalso. apply Hu. apply filter_In. split; [exact I|]. apply existsb_exists. exists u. split; [exact I'|apply Z.eqb_refl].
Qed.
Lemma check_residues_sound L least choices first many : 0 < first -> check_residues L least choices first many = true ->
  forall r, first <= r < first + many -> exchangeable L least r choices.
Proof.
  intros Hf H r Hr. unfold check_residues in H. cbv zeta in H. rewrite forallb_forall in H. specialize (H (r - first)). rewrite in_places in H.
  replace (first + (r - first)) with r in H by lia. specialize (H ltac:(lia)). rewrite forallb_forall in H.
  intros u v Hu. pose proof (Z.mod_pos_bound v r ltac:(lia)) as Bv. specialize (H (v mod r)). rewrite in_places in H. specialize (H Bv).
  set (table := map (unavoidable L least choices) (places (3 * L))) in *.
  set (goal := fun u => exists old new, In old choices /\ exchange L least old u new /\ (gain old new - v) mod r = 0).
  assert (At : forall k, 0 <= k -> avoids goal (nth (Z.to_nat (v mod r + k * r)) table None)).
  { intros k Hk. set (n := Z.to_nat (v mod r + k * r)). destruct (Nat.lt_ge_cases n (length table)) as [Less|More].
    - assert (E : nth n table None = unavoidable L least choices (v mod r + k * r)).
      { unfold table. rewrite (nth_indep _ None (unavoidable L least choices 0)) by exact Less. rewrite map_nth. f_equal.
        unfold table in Less. rewrite map_length, places_length in Less. unfold places.
        change 0 with (Z.of_nat 0). rewrite map_nth, seq_nth by exact Less. unfold n. nia. }
      rewrite E. pose proof (unavoidable_sound L least choices (v mod r + k * r)) as S.
      destruct (unavoidable L least choices (v mod r + k * r)) as [l|]; [|exact I].
      intros u' Hu'. destruct (S u' Hu') as [old [new [Io [Ex Sum]]]]. exists old, new. split; [exact Io|]. split; [exact Ex|]. rewrite Sum.
      rewrite Zminus_mod, Z.mod_add, Z.mod_mod, Z.sub_diag by lia. apply Z.mod_0_l. lia.
    - rewrite nth_overflow by exact More. exact I. }
  assert (R : avoids goal (residue table r (v mod r))).
  { unfold residue. cbv zeta. apply both_sound; [apply both_sound|].
    - specialize (At 0 ltac:(lia)). now replace (v mod r + 0 * r) with (v mod r) in At by lia.
    - specialize (At 1 ltac:(lia)). now replace (v mod r + 1 * r) with (v mod r + r) in At by lia.
    - exact (At 2 ltac:(lia)). }
  destruct (residue table r (v mod r)) as [l|]; [|discriminate]. apply R. intros I.
  rewrite forallb_forall in H. specialize (H u I). apply Z.ltb_lt in H. lia.
Qed.
