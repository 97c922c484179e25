(** A root that has its own letters can spare any of them, if letters of some blocks can be exchanged for own letters. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Growing Exchange.
Import ListNotations.
Open Scope Z_scope.

Lemma taken_out (l : list Z) x : In x l -> exists l', Permutation l (x :: l').
Proof.
  intros H. destruct (in_split _ _ H) as [l1 [l2 ->]]. exists (l1 ++ l2). symmetry. apply Permutation_middle.
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

Lemma all_taken_out (new : list Z) : forall l, NoDup new -> incl new l -> exists l', Permutation l (new ++ l').
Proof.
  induction new as [|x new IH]; intros l N I; [exists l; reflexivity|]. inversion N as [|? ? Nx N']; subst.
  destruct (taken_out l x (I x (or_introl eq_refl))) as [l1 P]. destruct (IH l1 N') as [l' P'].
  - intros y Hy. pose proof (I y (or_intror Hy)) as Iy. apply (Permutation_in _ P) in Iy. destruct Iy as [<-|Iy]; [tauto|exact Iy].
  - exists l'. rewrite P, P'. reflexivity.
Qed.

(** Letters of the groups, each with the size of its group. *)
Inductive stands : exchangeable_letters -> list group -> Prop :=
| Stands_nil groups : stands [] groups
| Stands_cons n x old h letters letters' groups groups' : Permutation groups ((h, letters) :: groups') ->
    Permutation letters (x :: letters') -> n = group_size (h, letters) ->
    (forall y, stands old ((h, y :: letters') :: groups')) -> stands ((n, x) :: old) groups.

Lemma exchanged L t m old groups : stands old groups -> forall new pool, 
  Forall2 (fun nx X => (X - snd nx) mod fst nx = 0) old new -> growing L t m groups (new ++ pool) ->
  exists groups', growing L t m groups' (map snd old ++ pool).
Proof.
  induction 1 as [groups|n x old h letters letters' groups groups' Pg Pl En _ IH]; intros new pool F G.
  - inversion F; subst. now exists groups.
  - inversion F as [|? X ? new' E F']; subst. cbn [fst snd app] in *.
    apply (growing_permuted _ _ _ _ _ _ _ Pg (Permutation_refl _)) in G.
    apply (growing_exchange _ _ _ _ _ _ letters' x X _ G Pl) in E. clear G.
    apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_middle new' pool x)) in E.
    destruct (IH X new' (x :: pool) F' E) as [groups'' G]. exists groups''. cbn [map snd app].
    apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_sym (Permutation_middle (map snd old) pool x)) G).
Qed.

(** The root's own letters: at most one of 0, ..., L - 1 is missing. *)
Record own_letters (L : Z) (own : list Z) : Prop := OwnLetters {
  own_small : forall w, In w own -> 0 <= w < L;
  own_total : 2 * total own <= L * (L - 1);
  own_length : L - 1 <= Z.of_nat (length own) }.

Theorem exchanging L t m old new groups own foreign u : 13 <= L ->
  growing L t m groups (own ++ foreign) -> own_letters L own -> stands old groups ->
  (forall w, In w foreign -> 0 <= w <= L) -> (forall nx, In nx old -> 0 <= snd nx <= 4) -> (length old <= 4)%nat ->
  Z.of_nat (length (own ++ foreign)) <= 2 * L + 3 ->
  L - 1 + Z.of_nat (length (own ++ foreign)) <= t <= L + Z.of_nat (length (own ++ foreign)) ->
  In u own -> incl new own -> exchange L 0 old u new ->
  (gain old new - (t + total (own ++ foreign) - u)) mod Z.of_nat (length (own ++ foreign)) = 0 ->
  exists b, rooted L t m u b /\ 2 <= b <= L - 1.
Proof.
  intros HL G [Small Tot Len] St F Old Four Hr Ht Hu Inc [S _ D] Mod. unfold gain in Mod.
  set (r := Z.of_nat (length (own ++ foreign))) in *.
  assert (Er : r = Z.of_nat (length own) + Z.of_nat (length foreign)) by (unfold r; rewrite app_length; lia).
  destruct (all_taken_out (u :: new) own D) as [own' P].
  { intros w [<-|Hw]; [exact Hu|now apply Inc]. }
  assert (P' : Permutation (own ++ foreign) (new ++ u :: own' ++ foreign)).
  { rewrite P. cbn [app]. rewrite <- app_assoc. apply Permutation_middle. }
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) P') in G.
  destruct (exchanged _ _ _ _ _ St new _ S G) as [groups' G']. clear G.
  pose proof (total_permuted _ _ P) as TP. cbn [app] in TP. rewrite total_cons, total_app in TP.
  assert (TA : total (own ++ foreign) = total own + total foreign) by apply total_app.
  apply Z.mod_divide in Mod; [|lia]. destruct Mod as [k Mod].
  assert (Left : forall w, In w own' -> 0 <= w).
  { intros w Hw. apply Small. apply (Permutation_in _ (Permutation_sym P)). apply in_or_app. now right. }
  assert (New : 0 <= total new).
  { apply total_nonneg. intros w Hw. apply Small, Inc, Hw. }
  assert (Olds : 0 <= total (map snd old) <= 16).
  { split.
    - apply total_nonneg. intros w Hw. apply in_map_iff in Hw. destruct Hw as [nx [<- Hw]]. now apply Old.
    - pose proof (total_at_most 4 (map snd old)) as B. rewrite map_length in B. etransitivity; [apply B|lia].
      intros w Hw. apply in_map_iff in Hw. destruct Hw as [nx [<- Hw]]. now apply Old. }
  pose proof (total_nonneg own' Left) as N1. pose proof (total_nonneg foreign (fun w Hw => proj1 (F w Hw))) as N2.
  pose proof (total_at_most L foreign (fun w Hw => proj2 (F w Hw))) as A2.
  specialize (Small u Hu).
  assert (Sum : t + total (map snd old ++ own' ++ foreign) = - k * r).
  { rewrite !total_app. lia. }
  exists (- k). split.
  - apply (growing_rooted _ _ _ _ _ u (map snd old ++ own' ++ foreign) (- k) G'); [|lia|].
    + symmetry. apply Permutation_middle.
    + rewrite Sum. f_equal. unfold r. rewrite (Permutation_length P'), !app_length. cbn [length].
      rewrite map_length, (same_length _ _ _ S). reflexivity.
  - rewrite !total_app in Sum. set (q := - k) in *.
    assert (Low : r < q * r) by lia.
    assert (High : q * r < L * r).
    { rewrite <- Sum. assert (total own' <= total own) by lia. assert (13 * L <= L * L) by (apply Z.mul_le_mono_nonneg_r; lia).
      assert (L * (L - 1) <= L * Z.of_nat (length own)) by (apply Z.mul_le_mono_nonneg_l; lia).
      replace (L * r) with (L * Z.of_nat (length own) + L * Z.of_nat (length foreign)) by (rewrite Er; ring). lia. }
    split.
    + destruct (Z_lt_le_dec q 2); [|assumption]. exfalso. assert (q * r <= 1 * r) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    + destruct (Z_lt_le_dec (L - 1) q); [|assumption]. exfalso. assert (L * r <= q * r) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.
