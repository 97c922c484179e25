(** M. Hall's theorem (1952): integers can be thrown from the places 0, ..., r - 1 of a cycle of length r so that no two
    land at the same place, in some order, if and only if r divides their sum. *)
From Coq Require Import ZArith List Lia Permutation.
Import ListNotations.
Open Scope Z_scope.

Definition total : list Z -> Z := fold_right Z.add 0.
Lemma total_cons x l : total (x :: l) = x + total l.
Proof. reflexivity. Qed.
Lemma total_app l l' : total (l ++ l') = total l + total l'.
Proof. induction l; cbn; lia. Qed.
Lemma total_permuted l l' : Permutation l l' -> total l = total l'.
Proof. induction 1; cbn; lia. Qed.

(** The places 0, ..., r - 1. *)
Definition places (r : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat r)).
Lemma in_places r x : In x (places r) <-> 0 <= x < r.
Proof.
  unfold places. rewrite in_map_iff. split.
  - intros [n [<- H]]. apply in_seq in H. lia.
  - intros H. exists (Z.to_nat x). rewrite in_seq. lia.
Qed.
Lemma places_once r : NoDup (places r).
Proof. apply FinFun.Injective_map_NoDup; [intros x y; apply Nat2Z.inj|apply seq_NoDup]. Qed.
Lemma places_length r : length (places r) = Z.to_nat r.
Proof. unfold places. now rewrite map_length, seq_length. Qed.

(** One place is left beside r - 1 of them. *)
Lemma one_left r l : 0 < r -> NoDup l -> incl l (places r) -> Z.of_nat (length l) = r - 1 ->
  exists z, Permutation (z :: l) (places r).
Proof.
  intros R N I Len.
  destruct (Exists_dec (fun z => ~ In z l) (places r)) as [E|E].
  - intros z. destruct (in_dec Z.eq_dec z l); [right|left]; tauto.
  - apply Exists_exists in E. destruct E as [z [Hz Nz]]. exists z.
    apply NoDup_Permutation_bis; [now constructor| |].
    + rewrite places_length. cbn [length]. lia.
    + intros x [<-|H]; [exact Hz|now apply I].
  - exfalso. assert (J : incl (places r) l).
    { intros z Hz. destruct (in_dec Z.eq_dec z l) as [|Nz]; [assumption|]. exfalso. apply E.
      apply Exists_exists. now exists z. }
    pose proof (NoDup_incl_length (places_once r) J). rewrite places_length in H. lia.
Qed.

Section Hall.
Context {A : Type}.
Variables (value : A -> Z) (r : Z).
Hypothesis R : 0 < r.

(** A thing thrown from a place, and where it lands. *)
Definition lands (xa : Z * A) : Z := (fst xa + value (snd xa)) mod r.

Record thrown (l : list (Z * A)) : Prop := Thrown {
  from_places : incl (map fst l) (places r);
  from_once : NoDup (map fst l);
  lands_once : NoDup (map lands l) }.

Lemma lands_in xa : In (lands xa) (places r).
Proof. apply in_places. apply Z.mod_pos_bound. exact R. Qed.

Lemma thrown_permuted l l' : Permutation l l' -> thrown l -> thrown l'.
Proof.
  intros P [I N M]. split.
  - intros x H. apply I. now apply (Permutation_in _ (Permutation_sym (Permutation_map fst P))).
  - now apply (Permutation_NoDup (Permutation_map fst P)).
  - now apply (Permutation_NoDup (Permutation_map lands P)).
Qed.

(** One more thing: it is thrown from a free place, pushes out what lands there, which is thrown from another free
    place, and so on. C is the sum of two places in turn and the throw between them, which never changes, so that no
    thing is pushed out twice. *)
Lemma one_more fuel : forall l a b d C visited,
  thrown l -> a <> b -> ~ In a (map fst l) -> ~ In b (map fst l) ->
  In a visited -> In b visited -> NoDup visited -> incl visited (places r) ->
  (forall xa, In xa l -> In (fst xa) visited -> exists y, In y visited /\ y <> b /\ lands xa = (C - y) mod r) ->
  (a + value d) mod r = (C - b) mod r -> (Z.to_nat r < fuel + length visited)%nat ->
  exists l', thrown l' /\ Permutation (map snd l') (d :: map snd l).
Proof.
  induction fuel as [|fuel IH]; intros l a b d C visited T Nab Na Nb Va Vb Nv Iv Inv E Fuel.
  - pose proof (NoDup_incl_length Nv Iv) as H. rewrite places_length in H. lia.
  - destruct (in_dec Z.eq_dec (lands (a, d)) (map lands l)) as [H|H].
    + apply in_map_iff in H. destruct H as [[x e] [Ex Hx]].
      destruct (in_split _ _ Hx) as [l1 [l2 El]].
      assert (P : Permutation l ((x, e) :: l1 ++ l2)) by (rewrite El; symmetry; apply Permutation_middle).
      pose proof (thrown_permuted _ _ P T) as [I1 N1 M1]. cbn [map fst] in I1, N1. cbn [map] in M1.
      inversion N1 as [|? ? Nx N2]; subst. inversion M1 as [|? ? Mx M2]; subst.
      assert (Out : forall z, ~ In z (map fst (l1 ++ (x, e) :: l2)) -> ~ In z (map fst (l1 ++ l2)) /\ z <> x).
      { intros z Hz. split.
        - intros H. apply Hz. apply (Permutation_in _ (Permutation_sym (Permutation_map fst P))). now right.
        - intros ->. apply Hz. apply in_map_iff. exists (x, e). now split. }
      destruct (Out a Na) as [Na' Nax]. destruct (Out b Nb) as [Nb' Nbx].
      assert (Vx : ~ In x visited).
      { intros V. destruct (Inv (x, e) Hx V) as [y [Hy [Ny Ly]]].
        rewrite Ex in Ly. unfold lands in Ly. cbn [fst snd] in Ly. rewrite E in Ly.
        apply Iv, in_places in Hy. apply Iv, in_places in Vb.
        apply Ny. assert (Q : (b - y) mod r = 0).
        { replace (b - y) with ((C - y) - (C - b)) by lia. rewrite Zminus_mod, Ly, Z.sub_diag. apply Z.mod_0_l. lia. }
        apply Z.mod_divide in Q; [|lia]. destruct Q as [k Q].
        assert (-1 < k < 1) by (split; apply (Z.mul_lt_mono_pos_r r); lia). lia. }
      assert (Rx : In x (places r)) by (apply I1; now left).
      destruct (IH ((a, d) :: l1 ++ l2) b x e C (x :: visited)) as [l' [T' P']].
      * split; cbn [map fst].
        -- intros z [<-|Hz]; [now apply Iv|]. apply I1. now right.
        -- now constructor.
        -- constructor; [|exact M2]. now rewrite <- Ex.
      * exact Nbx.
      * intros [Q|Q]; [now apply Nab|now apply Nb'].
      * intros [Q|Q]; [now apply Nax|now apply Nx].
      * now right.
      * now left.
      * now constructor.
      * intros z [<-|Hz]; [exact Rx|now apply Iv].
      * intros [z f] [Q|Hz] Vz; cbn [fst] in Vz.
        -- injection Q as <- <-. exists b. repeat split; [now right|congruence|]. exact E.
        -- assert (z <> x).
           { intros ->. apply Nx. apply in_map_iff. exists (x, f). now split. }
           destruct Vz as [Q|Vz]; [congruence|].
           assert (Hz' : In (z, f) (l1 ++ (x, e) :: l2)).
           { apply (Permutation_in _ (Permutation_sym P)). now right. }
           destruct (Inv (z, f) Hz' Vz) as [y [Hy [Ny Ly]]]. exists y.
           repeat split; [now right| |exact Ly]. intros ->. now apply Vx.
      * unfold lands in Ex. cbn [fst snd] in Ex. rewrite E in Ex.
        replace (b + value e) with ((x + value e) - x + b) by lia.
        rewrite Z.add_mod, Zminus_mod, Ex, <- Zminus_mod, <- Z.add_mod by lia. f_equal. lia.
      * cbn [length]. lia.
      * exists l'. split; [exact T'|]. rewrite P'. rewrite (Permutation_map snd P). cbn [map snd]. apply perm_swap.
    + exists ((a, d) :: l). split; [|reflexivity]. destruct T as [I N M]. split; cbn [map fst].
      * intros z [<-|Hz]; [now apply Iv|now apply I].
      * now constructor.
      * now constructor.
Qed.

(** Any r - 1 things can be thrown, whatever their sum is. *)
Lemma all_but_one (things : list A) : Z.of_nat (length things) <= r - 1 ->
  exists l, thrown l /\ Permutation (map snd l) things.
Proof.
  induction things as [|d things IH]; intros Len.
  - exists []. split; [|reflexivity]. split; cbn; [intros x []|constructor|constructor].
  - cbn [length] in Len. destruct IH as [l [T P]]; [lia|].
    assert (Hl : length l = length things) by (rewrite <- (map_length snd l); now apply Permutation_length).
    assert (Free : forall more, (length more <= 1)%nat -> exists a, In a (places r) /\ ~ In a (map fst l ++ more)).
    { intros more Hm.
      destruct (Exists_dec (fun z => ~ In z (map fst l ++ more)) (places r)) as [E|E].
      - intros z. destruct (in_dec Z.eq_dec z (map fst l ++ more)); [right|left]; tauto.
      - apply Exists_exists in E. exact E.
      - exfalso. assert (J : incl (places r) (map fst l ++ more)).
        { intros z Hz. destruct (in_dec Z.eq_dec z (map fst l ++ more)) as [|Nz]; [assumption|]. exfalso.
          apply E. apply Exists_exists. now exists z. }
        pose proof (NoDup_incl_length (places_once r) J) as H.
        rewrite places_length, app_length, map_length in H. lia. }
    destruct (Free [] ltac:(cbn; lia)) as [a [Ia Na]]. rewrite app_nil_r in Na.
    destruct (Free [a] ltac:(cbn; lia)) as [b [Ib Nb]].
    assert (Nb' : ~ In b (map fst l) /\ b <> a).
    { split; intros H; apply Nb; apply in_or_app; [now left|]. right. now left. }
    destruct Nb' as [Nb' Nba].
    destruct (one_more (Z.to_nat r) l a b d (a + b + value d) [a; b]) as [l' [T' P']]; try assumption.
    + congruence.
    + now left.
    + right. now left.
    + constructor; [|constructor; [intros []|constructor]]. intros [Q|[]]. now apply Nba.
    + intros z [<-|[<-|[]]]; assumption.
    + intros xa Hx [Q|[Q|[]]]; exfalso; [apply Na|apply Nb']; rewrite Q; now apply in_map.
    + f_equal. lia.
    + cbn [length]. lia.
    + exists l'. split; [exact T'|]. now rewrite P', P.
Qed.

Lemma landing_total l : total (map lands l) mod r = (total (map fst l) + total (map (fun xa => value (snd xa)) l)) mod r.
Proof.
  induction l as [|xa l IH]; [reflexivity|]. cbn [map total fold_right]. fold (total (map lands l)).
  fold (total (map fst l)). fold (total (map (fun xa => value (snd xa)) l)).
  rewrite Z.add_mod, IH, <- Z.add_mod by lia. unfold lands. rewrite Z.add_mod_idemp_l by lia. f_equal. lia.
Qed.

(** *** Hall's theorem *)
Theorem hall (things : list A) : Z.of_nat (length things) = r -> total (map value things) mod r = 0 ->
  exists l, thrown l /\ Permutation (map snd l) things.
Proof.
  intros Len Sum. destruct things as [|d things]; [cbn in Len; lia|]. cbn [length] in Len.
  destruct (all_but_one things) as [l [[I N M] P]]; [lia|].
  assert (Hl : length l = length things) by (rewrite <- (map_length snd l); now apply Permutation_length).
  destruct (one_left r (map fst l) R N I) as [x Px]; [rewrite map_length; lia|].
  destruct (one_left r (map lands l) R M) as [z Pz].
  { intros y H. apply in_map_iff in H. destruct H as [xa [<- _]]. apply lands_in. }
  { rewrite map_length. lia. }
  assert (Ez : (x + value d) mod r = z).
  { assert (Rz : 0 <= z < r).
    { apply in_places. apply (Permutation_in _ Pz). now left. }
    pose proof (total_permuted _ _ Px) as Tx. pose proof (total_permuted _ _ Pz) as Tz.
    cbn [total fold_right] in Tx, Tz. fold (total (map fst l)) in Tx. fold (total (map lands l)) in Tz.
    pose proof (landing_total l) as TL.
    assert (Ev : total (map (fun xa => value (snd xa)) l) = total (map value things)).
    { rewrite <- (map_map snd value). apply total_permuted. now apply Permutation_map. }
    rewrite Ev in TL. cbn [map total fold_right] in Sum. fold (total (map value things)) in Sum.
    rewrite <- (Z.mod_small z r Rz).
    replace z with (x + total (map fst l) - total (map lands l)) by lia.
    rewrite Zminus_mod, TL, <- Zminus_mod.
    replace (x + total (map fst l) - (total (map fst l) + total (map value things)))
      with (x + value d - (value d + total (map value things))) by lia.
    rewrite (Zminus_mod (x + value d)), Sum, Z.sub_0_r, Z.mod_mod by lia. reflexivity. }
  exists ((x, d) :: l). split; [|cbn [map snd]; now constructor]. split; cbn [map fst].
  - intros y H. now apply (Permutation_in _ Px).
  - apply (Permutation_NoDup (Permutation_sym Px)), places_once.
  - change (lands (x, d)) with ((x + value d) mod r). rewrite Ez.
    apply (Permutation_NoDup (Permutation_sym Pz)), places_once.
Qed.

(** Where every place throws one thing, every place is landed on. *)
Lemma thrown_everywhere l : thrown l -> Z.of_nat (length l) = r ->
  Permutation (map fst l) (places r) /\ Permutation (map lands l) (places r).
Proof.
  intros [I N M] Len. split; apply NoDup_Permutation_bis; try assumption.
  - rewrite map_length, places_length. lia.
  - rewrite map_length, places_length. lia.
  - intros y H. apply in_map_iff in H. destruct H as [xa [<- _]]. apply lands_in.
Qed.

(** The other direction. *)
Theorem hall_only_if l : thrown l -> Z.of_nat (length l) = r -> total (map (fun xa => value (snd xa)) l) mod r = 0.
Proof.
  intros T Len. destruct (thrown_everywhere l T Len) as [Pf Pl].
  pose proof (landing_total l) as TL. rewrite (total_permuted _ _ Pf), (total_permuted _ _ Pl) in TL.
  set (s := total (places r)) in *. set (v := total (map (fun xa => value (snd xa)) l)) in *.
  replace v with ((s + v) - s) by lia. rewrite Zminus_mod, <- TL, Z.sub_diag. apply Z.mod_0_l. lia.
Qed.
End Hall.
