(** A root that has its own letters, and a block of two and a block of three, can spare any of them. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Growing Exchange.
Import ListNotations.
Open Scope Z_scope.

Lemma taken_out (l : list Z) x : In x l -> exists l', Permutation l (x :: l').
Proof.
  intros H. destruct (in_split _ _ H) as [l1 [l2 ->]]. exists (l1 ++ l2). symmetry. apply Permutation_middle.
Qed.
Lemma four_taken_out (l : list Z) u x y z : In u l -> In x l -> In y l -> In z l ->
  ~ In x [u] -> ~ In y [u; x] -> ~ In z [u; x; y] -> exists l', Permutation l (x :: y :: z :: u :: l').
Proof.
  intros Hu Hx Hy Hz Nx Ny Nz. cbn [In] in *.
  destruct (taken_out l u Hu) as [l1 P1]. assert (X : In x l1) by (apply (Permutation_in _ P1) in Hx; destruct Hx; [tauto|assumption]).
  destruct (taken_out l1 x X) as [l2 P2]. assert (Y : In y l2).
  { apply (Permutation_in _ P1) in Hy. destruct Hy; [tauto|]. apply (Permutation_in _ P2) in H. destruct H; [tauto|assumption]. }
  destruct (taken_out l2 y Y) as [l3 P3]. assert (Z' : In z l3).
  { apply (Permutation_in _ P1) in Hz. destruct Hz; [tauto|]. apply (Permutation_in _ P2) in H. destruct H; [tauto|].
    apply (Permutation_in _ P3) in H. destruct H; [tauto|assumption]. }
  destruct (taken_out l3 z Z') as [l4 P4]. exists l4. rewrite P1, P2, P3, P4.
  rewrite perm_swap. constructor. rewrite perm_swap. constructor. apply perm_swap.
Qed.
Lemma total_nonneg l : (forall w, In w l -> 0 <= w) -> 0 <= total l.
Proof.
  induction l as [|x l IH]; intros H; [cbn; lia|]. rewrite total_cons. pose proof (H x (or_introl eq_refl)).
  pose proof (IH (fun w Hw => H w (or_intror Hw))). lia.
Qed.
Lemma total_at_most k l : (forall w, In w l -> w <= k) -> total l <= k * Z.of_nat (length l).
Proof.
  induction l as [|x l IH]; intros H; [cbn; lia|]. rewrite total_cons. pose proof (H x (or_introl eq_refl)).
  pose proof (IH (fun w Hw => H w (or_intror Hw))). cbn [length]. lia.
Qed.

(** The root's own letters: at most two of 0, ..., L - 1 are missing. *)
Record own_letters (L : Z) (own : list Z) : Prop := OwnLetters {
  own_small : forall w, In w own -> 0 <= w < L;
  own_total : 2 * total own <= L * (L - 1);
  own_length : L - 2 <= Z.of_nat (length own) }.

Theorem exchanging L t m h2 x h3 y z groups own foreign u X Y Z1 : 15 <= L ->
  growing L t m ((h2, [x]) :: (h3, [y; z]) :: groups) (own ++ foreign) -> own_letters L own ->
  (forall w, In w foreign -> 0 <= w <= L) -> 0 <= x <= 2 -> 0 <= y <= 3 -> 0 <= z <= 3 ->
  Z.of_nat (length (own ++ foreign)) <= 2 * L + 3 ->
  L - 1 + Z.of_nat (length (own ++ foreign)) <= t <= L + Z.of_nat (length (own ++ foreign)) ->
  In u own -> In X own -> In Y own -> In Z1 own -> exchange L 0 (x, y, z) u (X, Y, Z1) ->
  (X + Y + Z1 - (x + y + z) - (t + total (own ++ foreign) - u)) mod Z.of_nat (length (own ++ foreign)) = 0 ->
  exists b, rooted L t m u b /\ 2 <= b <= L - 1.
Proof.
  intros HL G [Small Tot Len] F Hx Hy Hz Hr Ht Hu HX HY HZ [M2 [M3 M3'] Own [Nxy [Nxz [Nyz [Nxu [Nyu Nzu]]]]]] Mod.
  set (r := Z.of_nat (length (own ++ foreign))) in *.
  assert (Er : r = Z.of_nat (length own) + Z.of_nat (length foreign)) by (unfold r; rewrite app_length; lia).
  destruct (four_taken_out own u X Y Z1 Hu HX HY HZ) as [own' P]; [cbn [In]; intuition congruence..|].
  assert (P' : Permutation (own ++ foreign) (X :: Y :: Z1 :: u :: own' ++ foreign)).
  { rewrite P. reflexivity. }
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) P') in G.
  apply (growing_exchange _ _ _ _ _ _ [] x X _ G (Permutation_refl _)) in M2. clear G.
  apply (fun Q => growing_permuted _ _ _ _ ((h3, [y; z]) :: (h2, [X]) :: groups) _ (Y :: x :: Z1 :: u :: own' ++ foreign)
                    (perm_swap _ _ _) (perm_swap _ _ _) Q) in M2.
  apply (growing_exchange _ _ _ _ _ _ [z] y Y _ M2 (Permutation_refl _)) in M3. clear M2.
  assert (Q : Permutation (y :: x :: Z1 :: u :: own' ++ foreign) (Z1 :: y :: x :: u :: own' ++ foreign)).
  { transitivity (y :: Z1 :: x :: u :: own' ++ foreign); [constructor|]; apply perm_swap. }
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) Q) in M3.
  apply (growing_exchange _ _ _ _ _ _ [Y] z Z1 _ M3 (perm_swap _ _ _)) in M3'. clear M3 Q.
  pose proof (total_permuted _ _ P) as TP. rewrite !total_cons in TP.
  assert (TA : total (own ++ foreign) = total own + total foreign) by apply total_app.
  apply Z.mod_divide in Mod; [|lia]. destruct Mod as [k Mod].
  assert (Left : forall w, In w own' -> 0 <= w).
  { intros w Hw. apply Small. apply (Permutation_in _ (Permutation_sym P)). now do 4 right. }
  pose proof (total_nonneg own' Left) as N1. pose proof (total_nonneg foreign (fun w Hw => proj1 (F w Hw))) as N2.
  pose proof (total_at_most L foreign (fun w Hw => proj2 (F w Hw))) as A2.
  specialize (Small u Hu).
  assert (Sum : t + total (z :: y :: x :: own' ++ foreign) = - k * r).
  { rewrite !total_cons, total_app. lia. }
  exists (- k). split.
  - apply (growing_rooted _ _ _ _ _ u (z :: y :: x :: own' ++ foreign) (- k) M3'); [|lia|].
    + symmetry. apply (Permutation_middle [z; y; x] (own' ++ foreign) u).
    + rewrite Sum. f_equal. unfold r. rewrite (Permutation_length P'). reflexivity.
  - rewrite !total_cons, total_app in Sum. set (q := - k) in *.
    assert (Low : r < q * r) by lia.
    assert (High : q * r < L * r).
    { rewrite <- Sum. assert (total own' <= total own) by lia. assert (15 * L <= L * L) by (apply Z.mul_le_mono_nonneg_r; lia).
      assert (L * (L - 2) <= L * Z.of_nat (length own)) by (apply Z.mul_le_mono_nonneg_l; lia).
      replace (L * r) with (L * Z.of_nat (length own) + L * Z.of_nat (length foreign)) by (rewrite Er; ring). lia. }
    split.
    + destruct (Z_lt_le_dec q 2); [|assumption]. exfalso. assert (q * r <= 1 * r) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    + destruct (Z_lt_le_dec (L - 1) q); [|assumption]. exfalso. assert (L * r <= q * r) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.
