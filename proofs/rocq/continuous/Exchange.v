(** The sums of three exchanges: a letter x of a block of two, and two letters y, z of a block of three, for own letters of the root. *)
From Coq Require Import ZArith List Lia Bool.
From Exactsched.continuous Require Import Hall.
Import ListNotations.
Open Scope Z_scope.

(** Letters from [least] to L - 1, without u, that are the same as x modulo 2, as y and z modulo 3. *)
Definition letters := (Z * Z * Z)%type.
Definition sum_of (l : letters) : Z := let '(X, Y, Z1) := l in X + Y + Z1.
Record exchange (L least : Z) (old : letters) (u : Z) (new : letters) : Prop := Exchange {
  first_two : let '(x, _, _) := old in let '(X, _, _) := new in (X - x) mod 2 = 0;
  other_three : let '(_, y, z) := old in let '(_, Y, Z1) := new in (Y - y) mod 3 = 0 /\ (Z1 - z) mod 3 = 0;
  own : let '(X, Y, Z1) := new in least <= X < L /\ least <= Y < L /\ least <= Z1 < L;
  different : let '(X, Y, Z1) := new in X <> Y /\ X <> Z1 /\ Y <> Z1 /\ X <> u /\ Y <> u /\ Z1 <> u }.

(** Every sum modulo r is possible. *)
Definition exchangeable (L least r : Z) (old : letters) : Prop :=
  forall u v, least <= u < L -> exists new, exchange L least old u new /\ (sum_of new - sum_of old - v) mod r = 0.

(** 2 L + 3 consecutive sums are possible. *)
Definition consecutive (L least start : Z) (old : letters) : Prop :=
  forall u v, start <= v <= start + 2 * L + 2 -> exists new, exchange L least old u new /\ sum_of new - sum_of old = v.

Lemma consecutive_exchangeable L least start old r : 0 < r <= 2 * L + 3 -> consecutive L least start old -> exchangeable L least r old.
Proof.
  intros Hr C u v Hu. set (w := start + (v - start) mod r). pose proof (Z.mod_pos_bound (v - start) r ltac:(lia)).
  destruct (C u w) as [new [E S]]; [unfold w; lia|]. exists new. split; [exact E|]. rewrite S. unfold w.
  replace (start + (v - start) mod r - v) with ((v - start) mod r - (v - start)) by lia.
  rewrite Zminus_mod, Z.mod_mod, Z.sub_diag by lia. apply Z.mod_0_l. lia.
Qed.

(** If they are for L, they are for L + 6: with the same letters, or with all larger by 6. *)
Lemma consecutive_next L least start old : 9 <= L -> consecutive L least start old -> consecutive (L + 6) least start old.
Proof.
  intros HL C u v Hv. destruct old as [[x y] z]. destruct (Z_le_gt_dec v (start + 2 * L + 2)) as [Le|Gt].
  - destruct (C u v ltac:(lia)) as [[[X Y] Z1] [[T Th O D] S]]. exists (X, Y, Z1). split; [|exact S]. split; [exact T|exact Th|lia|exact D].
  - destruct (C (u - 6) (v - 18) ltac:(lia)) as [[[X Y] Z1] [[T Th O D] S]]. exists (X + 6, Y + 6, Z1 + 6). cbn [sum_of] in S |- *. split; [|lia].
    split; [| |lia|lia].
    + replace (X + 6 - x) with (X - x + 3 * 2) by lia. now rewrite Z.mod_add.
    + replace (Y + 6 - y) with (Y - y + 2 * 3) by lia. replace (Z1 + 6 - z) with (Z1 - z + 2 * 3) by lia. now rewrite !Z.mod_add.
Qed.
Lemma consecutive_forever L least start old k : 9 <= L -> 0 <= k -> consecutive L least start old -> consecutive (L + 6 * k) least start old.
Proof.
  intros HL Hk C. pattern k. apply natlike_ind; [|intros n Hn IH|exact Hk].
  - now replace (L + 6 * 0) with L by lia.
  - replace (L + 6 * Z.succ n) with (L + 6 * n + 6) by lia. apply consecutive_next; [lia|exact IH].
Qed.

(** *** By computation *)
(** For a sum v: the letters that all exchanges with this sum take, if there are any exchanges. *)
Definition meet (bad : option (list Z)) (new : list Z) : option (list Z) :=
  match bad with None => Some new | Some l => Some (filter (fun u => existsb (Z.eqb u) new) l) end.
Definition steps_from (n l : Z) (L : Z) : list Z := map (fun k => l + n * k) (places ((L - l + n - 1) / n)).
Definition with_two (L least : Z) (old : letters) (v X : Z) (bad : option (list Z)) (Y : Z) : option (list Z) :=
  match bad with
  | Some [] => bad
  | _ => let '(_, _, z) := old in let Z1 := v + sum_of old - X - Y in
         if ((Z1 - z) mod 3 =? 0) && (least <=? Z1) && (Z1 <? L) && (least <=? X) && (least <=? Y) &&
            negb (X =? Y) && negb (X =? Z1) && negb (Y =? Z1)
         then meet bad [X; Y; Z1] else bad
  end.
Definition with_one (L least : Z) (old : letters) (v : Z) (bad : option (list Z)) (X : Z) : option (list Z) :=
  match bad with
  | Some [] => bad
  | _ => let '(_, y, _) := old in fold_left (with_two L least old v X) (steps_from 3 y L) bad
  end.
Definition unavoidable (L least : Z) (old : letters) (v : Z) : option (list Z) :=
  let '(x, _, _) := old in fold_left (with_one L least old v) (steps_from 2 x L) None.

Definition avoids (L least : Z) (old : letters) (v : Z) (bad : option (list Z)) : Prop :=
  match bad with
  | None => True
  | Some l => forall u, ~ In u l -> exists new, exchange L least old u new /\ sum_of new - sum_of old = v
  end.
Lemma fold_left_keeps {A B} (P : A -> Prop) (f : A -> B -> A) l : (forall a b, In b l -> P a -> P (f a b)) -> forall a, P a -> P (fold_left f l a).
Proof.
  induction l as [|b l IH]; intros H a Pa; [exact Pa|]. cbn [fold_left]. apply IH.
  - intros a' b' Hb. apply H. now right.
  - apply H; [now left|exact Pa].
Qed.
Lemma in_steps n l L x : 0 < n -> In x (steps_from n l L) -> (x - l) mod n = 0 /\ x < L.
Proof.
  intros Hn H. unfold steps_from in H. apply in_map_iff in H. destruct H as [k [<- H]]. apply in_places in H. split.
  - replace (l + n * k - l) with (k * n) by lia. apply Z.mod_mul. lia.
  - assert (n * ((L - l + n - 1) / n) <= L - l + n - 1) by (apply Z.mul_div_le; lia). nia.
Qed.
Lemma with_two_sound L least x y z v X bad Y : (X - x) mod 2 = 0 -> X < L -> (Y - y) mod 3 = 0 -> Y < L ->
  avoids L least (x, y, z) v bad -> avoids L least (x, y, z) v (with_two L least (x, y, z) v X bad Y).
Proof.
  intros Mx Lx My Ly Pb. unfold with_two. set (Z1 := v + sum_of (x, y, z) - X - Y). cbv zeta.
  match goal with |- context [if ?c then _ else _] => destruct c eqn:C end; [|now destruct bad as [[|b l]|]].
  rewrite !andb_true_iff, !negb_true_iff, !Z.eqb_eq, !Z.leb_le, Z.ltb_lt, !Z.eqb_neq in C. destruct C as [[[[[[[C1 C2] C3] C4] C5] C6] C7] C8].
  assert (New : forall u, ~ In u [X; Y; Z1] -> exists new, exchange L least (x, y, z) u new /\ sum_of new - sum_of (x, y, z) = v).
  { intros u Hu. exists (X, Y, Z1). cbn [In] in Hu. split; [split; [exact Mx|now split|lia|intuition congruence]|unfold Z1; cbn [sum_of]; lia]. }
  assert (Met : avoids L least (x, y, z) v (meet bad [X; Y; Z1])).
  { destruct bad as [l|]; cbn [meet avoids] in *; [|exact New].
    intros u Hu. destruct (in_dec Z.eq_dec u l) as [Il|Nl]; [|now apply Pb].
    apply New. intros In3. apply Hu. apply filter_In. split; [exact Il|]. apply existsb_exists. exists u. split; [exact In3|apply Z.eqb_refl]. }
  destruct bad as [[|b l]|]; [exact Pb|exact Met|exact Met].
Qed.
Lemma unavoidable_sound L least old v : avoids L least old v (unavoidable L least old v).
Proof.
  destruct old as [[x y] z]. unfold unavoidable. apply fold_left_keeps; [|exact I]. intros bad X HX Pb.
  destruct (in_steps 2 x L X ltac:(lia) HX) as [Mx Lx].
  assert (Folded : avoids L least (x, y, z) v (fold_left (with_two L least (x, y, z) v X) (steps_from 3 y L) bad)).
  { apply fold_left_keeps; [|exact Pb]. intros bad' Y HY Pb'. destruct (in_steps 3 y L Y ltac:(lia) HY) as [My Ly]. now apply with_two_sound. }
  unfold with_one. destruct bad as [[|b l]|]; [exact Pb|exact Folded|exact Folded].
Qed.

Definition check_consecutive (L least start : Z) (old : letters) : bool :=
  forallb (fun k => match unavoidable L least old (start + k) with Some [] => true | _ => false end) (places (2 * L + 3)).
Lemma check_consecutive_sound L least start old : check_consecutive L least start old = true -> consecutive L least start old.
Proof.
  unfold check_consecutive. rewrite forallb_forall. intros H u v Hv. specialize (H (v - start)). rewrite in_places in H.
  replace (start + (v - start)) with v in H by lia. pose proof (unavoidable_sound L least old v) as S.
  destruct (unavoidable L least old v) as [[|a l]|]; cbn [avoids] in S; [apply S; intros []|discriminate (H ltac:(lia))..].
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
Definition check_residues (L least : Z) (old : letters) (from : Z) : bool :=
  let table := map (unavoidable L least old) (places (3 * L)) in
  forallb (fun k => let r := from + k in
    forallb (fun t => match residue table r t with Some l => forallb (fun u => u <? least) l | None => false end) (places r)) (places L).

Definition avoids_modulo (L least r : Z) (old : letters) (v : Z) (bad : option (list Z)) : Prop :=
  match bad with
  | None => True
  | Some l => forall u, ~ In u l -> exists new, exchange L least old u new /\ (sum_of new - sum_of old - v) mod r = 0
  end.
Lemma both_sound L least r old v a b : avoids_modulo L least r old v a -> avoids_modulo L least r old v b -> avoids_modulo L least r old v (both a b).
Proof.
  destruct a as [l|], b as [l'|]; cbn [both avoids_modulo]; try tauto. intros A B u Hu.
  destruct (in_dec Z.eq_dec u l) as [I|N]; [|now apply A]. destruct (in_dec Z.eq_dec u l') as [I'|N']; [|now apply B].
  exfalso. apply Hu. apply filter_In. split; [exact I|]. apply existsb_exists. exists u. split; [exact I'|apply Z.eqb_refl].
Qed.
Lemma check_residues_sound L least old from : 0 < from -> check_residues L least old from = true ->
  forall r, from <= r < from + L -> exchangeable L least r old.
Proof.
  intros Hf H r Hr. unfold check_residues in H. cbv zeta in H. rewrite forallb_forall in H. specialize (H (r - from)). rewrite in_places in H.
  replace (from + (r - from)) with r in H by lia. specialize (H ltac:(lia)). rewrite forallb_forall in H.
  intros u v Hu. pose proof (Z.mod_pos_bound v r ltac:(lia)) as Bv. specialize (H (v mod r)). rewrite in_places in H. specialize (H Bv).
  set (table := map (unavoidable L least old) (places (3 * L))) in *.
  assert (At : forall k, 0 <= k -> avoids_modulo L least r old v (nth (Z.to_nat (v mod r + k * r)) table None)).
  { intros k Hk. set (n := Z.to_nat (v mod r + k * r)). destruct (Nat.lt_ge_cases n (length table)) as [Less|More].
    - assert (E : nth n table None = unavoidable L least old (v mod r + k * r)).
      { unfold table. rewrite (nth_indep _ None (unavoidable L least old 0)) by exact Less. rewrite map_nth. f_equal.
        unfold table in Less. rewrite map_length, places_length in Less. unfold places.
        change 0 with (Z.of_nat 0). rewrite map_nth, seq_nth by exact Less. unfold n. nia. }
      rewrite E. pose proof (unavoidable_sound L least old (v mod r + k * r)) as S.
      destruct (unavoidable L least old (v mod r + k * r)) as [l|]; [|exact I].
      intros u' Hu'. destruct (S u' Hu') as [new [Ex Sum]]. exists new. split; [exact Ex|]. rewrite Sum.
      rewrite Zminus_mod, Z.mod_add, Z.mod_mod, Z.sub_diag by lia. apply Z.mod_0_l. lia.
    - rewrite nth_overflow by exact More. exact I. }
  assert (R : avoids_modulo L least r old v (residue table r (v mod r))).
  { unfold residue. cbv zeta. apply both_sound; [apply both_sound|].
    - specialize (At 0 ltac:(lia)). now replace (v mod r + 0 * r) with (v mod r) in At by lia.
    - specialize (At 1 ltac:(lia)). now replace (v mod r + 1 * r) with (v mod r + r) in At by lia.
    - exact (At 2 ltac:(lia)). }
  destruct (residue table r (v mod r)) as [l|]; [|discriminate]. apply R. intros I.
  rewrite forallb_forall in H. specialize (H u I). apply Z.ltb_lt in H. lia.
Qed.
