(** The window begins with 2 L + 3: every letter can be spare, whatever lacks, if the exchanges suffice. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction Growing Exchange Exchanging Branches Middle Sums.
Import ListNotations.
Open Scope Z_scope.

(** What lacks is divided among the branches. *)
Lemma divided_among L ds : (forall d e, In d ds -> lacks_least L d <= e <= lacks_most L d -> branch L d e) ->
  (forall d, In d ds -> lacks_least L d <= lacks_most L d) ->
  forall n, total (map (lacks_least L) ds) <= n <= total (map (lacks_most L) ds) ->
  exists branches, map fst branches = ds /\ (forall d u m, In (d, (u, m)) branches -> has L d u m /\ 0 <= u <= L) /\
    total (map (fun x => snd (snd x)) branches) = total (map (fibonacci L) ds) - n.
Proof.
  induction ds as [|d ds IH]; intros B R n Hn.
  - exists []. cbn in Hn |- *. split; [reflexivity|]. split; [intros d u m []|lia].
  - cbn [map] in Hn. rewrite !total_cons in Hn.
    assert (Sum : total (map (lacks_least L) ds) <= total (map (lacks_most L) ds)).
    { assert (R' : forall d, In d ds -> lacks_least L d <= lacks_most L d) by (intros x Hx; apply R; now right). clear - R'.
      induction ds as [|x l IHl]; [cbn; lia|]. cbn [map]. rewrite !total_cons. pose proof (R' x (or_introl eq_refl)).
      pose proof (IHl (fun y Hy => R' y (or_intror Hy))). lia. }
    pose proof (R d (or_introl eq_refl)) as Rd.
    set (e := Z.max (lacks_least L d) (n - total (map (lacks_most L) ds))).
    destruct (B d e (or_introl eq_refl)) as [u [Hu H]]; [unfold e; lia|].
    destruct (IH (fun d e H => B d e (or_intror H)) (fun d H => R d (or_intror H)) (n - e)) as [bs [E [Hb T]]]; [unfold e; lia|].
    exists ((d, (u, fibonacci L d - e)) :: bs). cbn [map fst snd]. rewrite !total_cons, E, T. split; [reflexivity|]. split; [|lia].
    intros d' u' m' [Q|Q]; [|now apply Hb]. injection Q as <- <- <-. now split.
Qed.

Section Window.
Variable L : Z.
Hypothesis HL : 15 <= L.
Hypothesis Exchanges : suffices L.

Lemma even_bounds : 0 <= even L <= 1.
Proof. unfold even. pose proof (Z.mod_pos_bound L 2 ltac:(lia)). lia. Qed.
Lemma lacks_in_order d : L <= d <= 2 * L + 2 -> lacks_least L d <= lacks_most L d.
Proof.
  intros Hd. pose proof even_bounds. unfold lacks_least, lacks_most.
  pose proof (fibonacci_positive L (d - L) ltac:(lia) ltac:(lia)). destruct (Z.eqb_spec d (2 * L)), (Z.eqb_spec d (2 * L + 1)); lia.
Qed.

(** Two branches with a block of two and of three, and others. *)
Lemma built t m0 d2 x w2 d3 y z w3 ds rest n : growing L t m0 [] (d2 :: d3 :: ds ++ rest) ->
  partition L d2 [(d2, [x])] w2 -> partition L d3 [(d3, [y; z])] w3 -> 0 <= w2 <= L -> 0 <= w3 <= L ->
  (forall d, In d ds -> L <= d <= 2 * L + 2) ->
  total (map (lacks_least L) ds) <= n <= total (map (lacks_most L) ds) ->
  exists groups foreign, growing L t (m0 + 5 + total (map (fibonacci L) ds) - Z.of_nat (length ds) - n)
      ((d2, [x]) :: (d3, [y; z]) :: groups) (foreign ++ rest) /\
    (forall w, In w foreign -> 0 <= w <= L) /\ length foreign = S (S (length ds)).
Proof.
  intros G P2 P3 H2 H3 Hds Hn.
  destruct (divided_among L ds) with (n := n) as [bs [E [Hb T]]]; try assumption.
  { intros d e Hd He. apply all_branches; [lia|now apply Hds|exact He]. }
  { intros d Hd. apply lacks_in_order. now apply Hds. }
  apply (growing_branch L _ _ _ _ _ _ _ ltac:(lia) G) in P2. clear G. cbn [app] in P2.
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (perm_swap d3 w2 _)) in P2.
  apply (growing_branch L _ _ _ _ _ _ _ ltac:(lia) P2) in P3. clear P2. cbn [app] in P3.
  assert (Pm : Permutation (w3 :: w2 :: ds ++ rest) (map fst bs ++ w3 :: w2 :: rest)).
  { rewrite E, <- !Permutation_middle. reflexivity. }
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) Pm) in P3.
  destruct (grown L t bs ltac:(lia) (fun d u m H => proj1 (Hb d u m H)) _ _ _ P3) as [groups G]. clear P3 Pm.
  exists groups, (w3 :: w2 :: map (fun x => fst (snd x)) bs). split; [|split].
  - replace (m0 + 5 + total (map (fibonacci L) ds) - Z.of_nat (length ds) - n)
      with (m0 + processors_in [(d2, [x])] - 1 + processors_in [(d3, [y; z])] - 1 + total (map (fun x => snd (snd x) - 1) bs)).
    + apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _)) with (2 := G). cbn [app]. now rewrite <- !Permutation_middle.
    + change (processors_in [(d2, [x])]) with 3. change (processors_in [(d3, [y; z])]) with 4.
      assert (H : total (map (fun x => snd (snd x) - 1) bs) = total (map (fun x : Z * (Z * Z) => snd (snd x)) bs) - Z.of_nat (length ds)).
      { rewrite <- E, map_length. clear. induction bs as [|b l IH]; [reflexivity|]. cbn [map length]. rewrite !total_cons, IH. lia. }
      rewrite H, T. lia.
  - intros w [<-|[<-|Hw]]; [lia|lia|]. apply in_map_iff in Hw. destruct Hw as [[d [u m]] [<- Hw]]. exact (proj2 (Hb d u m Hw)).
  - cbn [length]. now rewrite map_length, <- E, map_length.
Qed.

Lemma own_from_to lack : 0 <= lack <= 1 -> own_letters L (from_to lack (L - lack)).
Proof.
  intros H. split.
  - intros w Hw. apply in_from_to in Hw. lia.
  - rewrite total_from_to by lia. assert (lack = 0 \/ lack = 1) as [-> | ->] by lia; lia.
  - rewrite from_to_length. lia.
Qed.
Lemma own_without o own : 0 <= o < L -> Permutation (from_to 0 L) (o :: own) -> own_letters L own.
Proof.
  intros H P. pose proof (total_from_to 0 L ltac:(lia)) as T. rewrite (total_permuted _ _ P), total_cons in T. split.
  - intros w Hw. assert (I : In w (from_to 0 L)) by (apply (Permutation_in _ (Permutation_sym P)); now right). apply in_from_to in I. lia.
  - lia.
  - apply Permutation_length in P. rewrite from_to_length in P. cbn [length] in P. lia.
Qed.
Lemma still_there o own w : Permutation (from_to 0 L) (o :: own) -> 0 <= w < L -> w <> o -> In w own.
Proof.
  intros P Hw Ne. assert (I : In w (from_to 0 L)) by (apply in_from_to; lia). apply (Permutation_in _ P) in I. destruct I; [congruence|assumption].
Qed.

(** *** Sums over the branches *)
Lemma from_to_next n : 0 <= n -> from_to L (n + 1) = from_to L n ++ [L + n].
Proof. intros H. rewrite from_to_split by lia. f_equal. change (from_to (L + n) 1) with [L + n + 0]. f_equal. lia. Qed.
Lemma sums n : 0 <= n ->
  total (map (fibonacci L) (from_to L n)) = fibonacci L (2 * L - 1 + n) - (L + 1) /\
  total (map (lacks_most L) (from_to L n)) = fibonacci L (L - 1 + n) - 1 - (if n <=? L + 1 then 0 else even L) /\
  total (map (lacks_least L) (from_to L n)) = (if n <=? L then 0 else even L).
Proof.
  intros Hn. pattern n. apply natlike_ind; [| |exact Hn].
  - rewrite !Z.add_0_r. cbn [map from_to places seq Z.to_nat]. rewrite (fibonacci_one L (L - 1)) by lia.
    replace (2 * L - 1) with (L - 1 + L) by lia. rewrite fibonacci_second by lia.
    destruct (Z.leb_spec 0 L), (Z.leb_spec 0 (L + 1)); try lia. change (total []) with 0. lia.
  - clear n Hn. intros n Hn [F [M I]]. replace (Z.succ n) with (n + 1) by lia. rewrite from_to_next, !map_app, !total_app by lia.
    rewrite F, M, I. cbn [map total fold_right]. unfold lacks_most, lacks_least.
    rewrite (fibonacci_step L (2 * L - 1 + (n + 1))), (fibonacci_step L (L - 1 + (n + 1))) by lia.
    replace (2 * L - 1 + (n + 1) - 1) with (2 * L - 1 + n) by lia. replace (2 * L - 1 + (n + 1) - L) with (L + n) by lia.
    replace (L - 1 + (n + 1) - 1) with (L - 1 + n) by lia. replace (L - 1 + (n + 1) - L) with n by lia.
    replace (L + n - L) with n by lia.
    destruct (Z.leb_spec n L), (Z.leb_spec (n + 1) L), (Z.leb_spec n (L + 1)), (Z.leb_spec (n + 1) (L + 1)),
      (Z.eqb_spec (L + n) (2 * L)), (Z.eqb_spec (L + n) (2 * L + 1)); try lia.
    assert (Q : fibonacci L n = 3).
    { replace n with (L - 1 + 2) by lia. rewrite fibonacci_second; lia. }
    lia.
Qed.

(** Two depths, and the others. *)
Lemma two_depths n a b : L <= a < L + n -> L <= b < L + n -> a <> b -> exists ds, Permutation (from_to L n) (a :: b :: ds).
Proof.
  intros Ha Hb Ne. destruct (taken_out (from_to L n) a) as [l P]; [apply in_from_to; lia|].
  destruct (taken_out l b) as [ds P'].
  - assert (I : In b (from_to L n)) by (apply in_from_to; lia). apply (Permutation_in _ P) in I. destruct I; [congruence|assumption].
  - exists ds. now rewrite P, P'.
Qed.

Section Depth.
Variable s : Z.
Hypothesis Hs : 3 <= s <= L + 2.

Definition spares_all (m least : Z) : Prop :=
  forall u, least <= u < L -> exists b, rooted L (2 * L + s) m u b /\ 2 <= b <= L - 1.

(** Blocks raised c times, and a root that lacks c leaves. *)
Lemma usual c n : 0 <= c <= 1 ->
  total (map (lacks_least L) (from_to L (s + 1))) <= n <= total (map (lacks_most L) (from_to L (s + 1))) - 2 ->
  spares_all (fibonacci L (2 * L + s) - c - n - 2 * c) c.
Proof.
  intros Hc Hn.
  pose proof (two_leaves L c ltac:(lia) ltac:(lia)) as P2. pose proof (three_leaves L c ltac:(lia) ltac:(lia)) as P3.
  pose proof (three_letters_small L) as [Hy Hz].
  pose proof (Z.mod_pos_bound (L + 2) 3 ltac:(lia)) as B3. pose proof (Z.mod_pos_bound L 2 ltac:(lia)) as B2.
  set (x := 1 - L mod 2 + c) in *. set (w2 := L mod 2 + c) in *. set (w3 := (L + 2) mod 3 + c) in *.
  set (y := fst (three_letters L) + c) in *. set (z := snd (three_letters L) + c) in *.
  assert (H2 : 0 <= w2 <= L) by (unfold w2; lia). assert (H3 : 0 <= w3 <= L) by (unfold w3; lia).
  assert (E2 : exists d, d = L + 1 + c) by now eexists. destruct E2 as [d2 E2]. rewrite <- E2 in P2.
  assert (E3 : exists d, d = L + 2 + c) by now eexists. destruct E3 as [d3 E3]. rewrite <- E3 in P3.
  destruct (two_depths (s + 1) d2 d3) as [ds P]; [lia|lia|lia|].
  pose proof (total_permuted _ _ (Permutation_map (lacks_least L) P)) as Least.
  pose proof (total_permuted _ _ (Permutation_map (lacks_most L) P)) as Most.
  pose proof (total_permuted _ _ (Permutation_map (fibonacci L) P)) as Fib.
  cbn [map] in Least, Most, Fib. rewrite !total_cons in Least, Most, Fib.
  assert (L23 : lacks_least L d2 = 0 /\ lacks_least L d3 = 0 /\ lacks_most L d2 = 1 /\ lacks_most L d3 = 1).
  { unfold lacks_least, lacks_most. destruct (Z.eqb_spec d2 (2 * L)), (Z.eqb_spec d2 (2 * L + 1)), (Z.eqb_spec d3 (2 * L)), (Z.eqb_spec d3 (2 * L + 1)); try lia.
    rewrite !fibonacci_one by lia. lia. }
  assert (F2 : fibonacci L d2 = 3 + c) by (replace d2 with (L - 1 + (2 + c)) by lia; rewrite fibonacci_second; lia).
  assert (F3 : fibonacci L d3 = 4 + c) by (replace d3 with (L - 1 + (3 + c)) by lia; rewrite fibonacci_second; lia).
  destruct (sums (s + 1) ltac:(lia)) as [F _]. rewrite F in Fib. replace (2 * L - 1 + (s + 1)) with (2 * L + s) in Fib by lia.
  assert (Len : Z.of_nat (length ds) = s - 1).
  { pose proof (Permutation_length P) as H. rewrite from_to_length in H. cbn [length] in H. lia. }
  assert (G : growing L (2 * L + s) (1 + (L + s + 1 - c)) [] (d2 :: d3 :: ds ++ from_to c (L - c))).
  { apply (growing_permuted _ _ _ [] [] (from_to c (L + s + 1 - c))); [constructor| |apply growing_root; lia].
    replace (L + s + 1 - c) with (L - c + (s + 1)) by lia. rewrite from_to_split by lia.
    replace (c + (L - c)) with L by lia. rewrite P. apply Permutation_app_comm. }
  destruct (built _ _ d2 x w2 d3 y z w3 ds _ n G P2 P3 H2 H3) as [groups [foreign [G' [Hf Lf]]]].
  { intros d Hd. assert (I : In d (from_to L (s + 1))) by (apply (Permutation_in _ (Permutation_sym P)); now do 2 right).
    apply in_from_to in I. lia. }
  { lia. }
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_app_comm _ _)) in G'.
  assert (Lr : Z.of_nat (length (from_to c (L - c) ++ foreign)) = L + s + 1 - c).
  { rewrite app_length, from_to_length, Lf. lia. }
  intros u Hu.
  assert (Ex : exchangeable L c (L + s + 1 - c) (x, y, z)).
  { assert (c = 0 \/ c = 1) as [E|E] by lia; unfold x, y, z; rewrite E; [apply (proj1 Exchanges)|apply (proj2 Exchanges)]; lia. }
  destruct (Ex u (2 * L + s + total (from_to c (L - c) ++ foreign) - u) Hu) as [[[X Y] Z1] [E Mod]]. cbn [sum_of] in Mod.
  assert (Own : c <= X < L /\ c <= Y < L /\ c <= Z1 < L) by (destruct E as [_ _ O _]; exact O).
  eapply (exchanging L (2 * L + s) _ d2 x d3 y z groups (from_to c (L - c)) foreign u X Y Z1 HL);
    try (apply in_from_to; lia); try assumption; try (unfold x, y, z; lia); try lia.
  - replace (fibonacci L (2 * L + s) - c - n - 2 * c)
      with (1 + (L + s + 1 - c) + 5 + total (map (fibonacci L) ds) - Z.of_nat (length ds) - n) by lia.
    exact G'.
  - now apply own_from_to.
  - destruct E as [M2 M3 _ Dif]. split; [exact M2|exact M3|lia|exact Dif].
  - rewrite Lr. exact Mod.
Qed.

Lemma free_letter (l : list Z) : (length l <= 4)%nat -> exists o, 2 <= o <= 6 /\ ~ In o l.
Proof.
  intros H. destruct (Exists_dec (fun o => ~ In o l) (from_to 2 5)) as [E|E].
  - intros o. destruct (in_dec Z.eq_dec o l); [right|left]; tauto.
  - apply Exists_exists in E. destruct E as [o [Ho No]]. apply in_from_to in Ho. exists o. split; [lia|exact No].
  - exfalso. assert (I : incl (from_to 2 5) l).
    { intros o Ho. destruct (in_dec Z.eq_dec o l) as [|No]; [assumption|]. exfalso. apply E. apply Exists_exists. now exists o. }
    pose proof (NoDup_incl_length (from_to_once 2 5) I) as Len. rewrite from_to_length in Len. change (Z.to_nat 5) with 5%nat in Len. lia.
Qed.

(** L even and nothing lacks: the block of L + 1 takes a letter of the root. *)
Lemma special u : L <= s -> L mod 2 = 0 -> 0 <= u < L ->
  exists b, rooted L (2 * L + s) (fibonacci L (2 * L + s)) u b /\ 2 <= b <= L - 1.
Proof.
  intros Hsl Ev Hu.
  destruct (two_depths (s + 1) (L + 1) (L + 2)) as [ds0 P0]; [lia|lia|lia|].
  destruct (taken_out ds0 (2 * L)) as [ds P1].
  { assert (I : In (2 * L) (from_to L (s + 1))) by (apply in_from_to; lia). apply (Permutation_in _ P0) in I. destruct I as [I|[I|I]]; [lia|lia|exact I]. }
  assert (P : Permutation (from_to L (s + 1)) (L + 1 :: L + 2 :: 2 * L :: ds)) by now rewrite P0, P1. clear P0 P1 ds0.
  pose proof (total_permuted _ _ (Permutation_map (lacks_least L) P)) as Least.
  pose proof (total_permuted _ _ (Permutation_map (lacks_most L) P)) as Most.
  pose proof (total_permuted _ _ (Permutation_map (fibonacci L) P)) as Fib.
  cbn [map] in Least, Most, Fib. rewrite !total_cons in Least, Most, Fib.
  destruct (sums (s + 1) ltac:(lia)) as [F [M I]]. rewrite F in Fib. rewrite M in Most. rewrite I in Least.
  replace (2 * L - 1 + (s + 1)) with (2 * L + s) in Fib by lia.
  assert (E1 : even L = 1) by (unfold even; lia). rewrite E1 in *.
  assert (Values : lacks_least L (L + 1) = 0 /\ lacks_least L (L + 2) = 0 /\ lacks_least L (2 * L) = 1).
  { unfold lacks_least. rewrite E1. destruct (Z.eqb_spec (L + 1) (2 * L)), (Z.eqb_spec (L + 2) (2 * L)), (Z.eqb_spec (2 * L) (2 * L)); lia. }
  assert (F1 : fibonacci L (L + 1) = 3) by (replace (L + 1) with (L - 1 + 2) by lia; rewrite fibonacci_second; lia).
  assert (F2 : fibonacci L (L + 2) = 4) by (replace (L + 2) with (L - 1 + 3) by lia; rewrite fibonacci_second; lia).
  pose proof (fibonacci_2L L ltac:(lia)) as F3.
  destruct (Z.leb_spec (s + 1) L); [lia|].
  assert (Len : Z.of_nat (length ds) = s - 2).
  { pose proof (Permutation_length P) as H'. rewrite from_to_length in H'. cbn [length] in H'. lia. }
  assert (In' : forall d, In d ds -> L <= d <= 2 * L + 2).
  { intros d Hd. assert (Id : In d (from_to L (s + 1))) by (apply (Permutation_in _ (Permutation_sym P)); now do 3 right).
    apply in_from_to in Id. lia. }
  assert (Nonneg : forall l, (forall d, In d l -> L <= d <= 2 * L + 2) -> total (map (lacks_least L) l) <= total (map (lacks_most L) l)).
  { induction l as [|d l IH]; intros H'; [cbn; lia|]. cbn [map]. rewrite !total_cons.
    pose proof (lacks_in_order d (H' d (or_introl eq_refl))). pose proof (IH (fun x Hx => H' x (or_intror Hx))). lia. }
  assert (G : growing L (2 * L + s) (1 + (L + s + 1)) [] (L + 1 :: L + 2 :: ds ++ (2 * L :: from_to 0 L))).
  { apply (growing_permuted _ _ _ [] [] (from_to 0 (L + s + 1))); [constructor| |apply growing_root; lia].
    replace (L + s + 1) with (L + (s + 1)) by lia. rewrite from_to_split by lia. rewrite Z.add_0_l, P, Permutation_app_comm. cbn [app].
    do 2 constructor. apply Permutation_middle. }
  pose proof (three_leaves L 0 ltac:(lia) ltac:(lia)) as P3. pose proof (two_leaves L 0 ltac:(lia) ltac:(lia)) as P2.
  pose proof (proj1 Exchanges (L + s + 1) ltac:(lia)) as Ex. unfold old_letters in Ex. pose proof (three_letters_small L) as [Hy Hz].
  set (y := fst (three_letters L)) in *. set (z := snd (three_letters L)) in *. rewrite !Z.add_0_r in *.
  pose proof (Z.mod_pos_bound (L + 2) 3 ltac:(lia)) as B3.
  destruct (built _ _ (L + 1) _ _ (L + 2) y z _ ds _ 0 G P2 P3 ltac:(lia) ltac:(lia) In') as [groups [foreign [G' [Hf Lf]]]].
  { specialize (Nonneg ds In'). lia. }
  clear G.
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_sym (Permutation_middle foreign (from_to 0 L) (2 * L)))) in G'.
  destruct (Ex u (2 * L + s + (total (from_to 0 L) - 1 + total foreign) - u) Hu) as [[[X Y] Z1] [E Mod]]. cbn [sum_of] in Mod.
  (* The letter j + 1 is not among those four. *)
  destruct (free_letter [u; X; Y; Z1] (le_n _)) as [o [Ho No]].
  assert (Free : exists j, 1 <= j <= 5 /\ ~ In (j + 1) [u; X; Y; Z1]).
  { exists (o - 1). replace (o - 1 + 1) with o by lia. split; [lia|exact No]. }
  destruct Free as [j [Hj Nj]]. clear o Ho No.
  assert (Inner : exists g, growing L (2 * L) (L + 3) g (0 :: from_to 0 L)).
  { assert (G : growing L (2 * L) (1 + (L + 1)) [] (L :: from_to 0 L)).
    { apply (growing_permuted _ _ _ [] [] (from_to 0 (L + 1))); [constructor| |apply growing_root; lia].
      rewrite from_to_split by lia. change (from_to (0 + L) 1) with [L + 0]. rewrite Z.add_0_r. symmetry. apply Permutation_cons_append. }
    destruct (one_leaf L ltac:(lia)) as [g [Pg Eg]]. apply (growing_branch L _ _ _ _ _ _ _ ltac:(lia) G) in Pg. rewrite Eg in Pg.
    exists g. now replace (L + 3) with (1 + (L + 1) + 2 - 1) by lia. }
  destruct Inner as [g Gi].
  destruct (taken_out (from_to 0 L) j) as [A PA]; [apply in_from_to; clear - Hj HL; lia|].
  destruct (taken_out (from_to 0 L) (j + 1)) as [own PO]; [apply in_from_to; clear - Hj HL; lia|].
  pose proof (total_from_to 0 L ltac:(lia)) as TA. rewrite (total_permuted _ _ PA), total_cons in TA.
  assert (LA : Z.of_nat (length A) = L - 1).
  { pose proof (Permutation_length PA) as H'. rewrite from_to_length in H'. cbn [length] in H'. lia. }
  assert (LO : Z.of_nat (length own) = L - 1).
  { pose proof (Permutation_length PO) as H'. rewrite from_to_length in H'. cbn [length] in H'. lia. }
  assert (G2 : growing L (2 * L + s) (fibonacci L (2 * L + s)) ((L + 1, [1 - L mod 2]) :: (L + 2, [y; z]) :: ((2 * L, j + 1 :: A) :: groups ++ g))
                 (own ++ 0 :: j :: foreign)).
  { replace (fibonacci L (2 * L + s)) with (1 + (L + s + 1) + 5 + total (map (fibonacci L) ds) - Z.of_nat (length ds) - 0 + (L + 3) - 1) by lia.
    apply (growing_permuted _ _ _ ((2 * L, j + 1 :: A) :: ((L + 1, [1 - L mod 2]) :: (L + 2, [y; z]) :: groups) ++ g) _ (own ++ 0 :: j :: foreign)).
    { cbn [app]. rewrite (perm_swap (L + 1, [1 - L mod 2])). constructor. apply perm_swap. }
    { reflexivity. }
    apply (growing_graft L (2 * L + s) _ _ (2 * L) _ (L + 3) g (0 :: from_to 0 L) (j + 1 :: A) _ ltac:(lia) G' Gi).
    - transitivity ((0 :: j :: A) ++ (j + 1 :: own) ++ foreign).
      { apply Permutation_app; [constructor; exact PA|]. rewrite Permutation_app_comm. apply Permutation_app_tail. exact PO. }
      transitivity (j + 1 :: (0 :: j :: A) ++ own ++ foreign); [symmetry; apply (Permutation_middle (0 :: j :: A))|].
      cbn [app]. constructor. rewrite !app_assoc. rewrite <- !(Permutation_middle (A ++ own)). reflexivity.
    - cbn [length]. rewrite from_to_length. lia.
    - unfold divisible. replace (group_size (2 * L, j + 1 :: A)) with (L + 1) by (unfold group_size, members; cbn [fst snd length]; lia).
      unfold members. cbn [fst snd]. rewrite !total_cons.
      pose proof (Z.div_mod L 2 ltac:(lia)) as DM. rewrite Ev in DM. set (h := L / 2) in *.
      replace (2 * L + (j + 1 + total A)) with ((h + 1) * (L + 1)) by nia. apply Z.mod_mul. lia. }
  assert (Lr : Z.of_nat (length (own ++ 0 :: j :: foreign)) = L + s + 1) by (rewrite app_length; cbn [length]; lia).
  assert (Tp : total (own ++ 0 :: j :: foreign) = total (from_to 0 L) - 1 + total foreign).
  { rewrite (total_permuted _ _ PO), total_app, !total_cons. lia. }
  assert (Others : forall w, 0 <= w < L -> In w [u; X; Y; Z1] -> In w own).
  { intros w Hw I4. apply (still_there (j + 1) own w PO Hw). intros ->. now apply Nj. }
  assert (Own : 0 <= X < L /\ 0 <= Y < L /\ 0 <= Z1 < L) by (destruct E as [_ _ O _]; exact O).
  apply (exchanging L (2 * L + s) _ _ _ _ _ _ _ own (0 :: j :: foreign) u X Y Z1 HL G2).
  - apply (own_without (j + 1) own); [clear - Hj HL; lia|exact PO].
  - intros w [<-|[<-|Hw]]; [clear - HL; lia|clear - Hj HL; lia|now apply Hf].
  - clear - HL. pose proof (Z.mod_pos_bound L 2 ltac:(lia)). lia.
  - clear - Hy. lia.
  - clear - Hz. lia.
  - rewrite Lr. clear - Hs. lia.
  - rewrite Lr. clear. lia.
  - apply Others; [exact Hu|now left].
  - apply Others; [apply Own|cbn; tauto].
  - apply Others; [apply Own|cbn; tauto].
  - apply Others; [apply Own|cbn; tauto].
  - exact E.
  - rewrite Lr, Tp. exact Mod.
Qed.
End Depth.

Theorem window_good t : 2 * L + 3 <= t < 2 * L + 3 + L -> all_good L t.
Proof.
  intros Ht m u Hm Hu. set (s := t - 2 * L). assert (Hs : 3 <= s <= L + 2) by (unfold s; lia).
  assert (Et : t = 2 * L + s) by (unfold s; lia). clearbody s. subst t.
  assert (Good : forall least, spares_all s m least -> least <= u < L -> good L (2 * L + s) m u).
  { intros least A I. destruct (A u I) as [b [R B]]. exists b. split; [exact R|]. lia. }
  pose proof even_bounds as E. destruct (sums (s + 1) ltac:(lia)) as [_ [M I]].
  replace (L - 1 + (s + 1)) with (L + s) in M by lia.
  pose proof (fibonacci_step L (2 * L + s) ltac:(lia)) as F. replace (2 * L + s - L) with (L + s) in F by lia.
  pose proof (fibonacci_grows L (L - 1 + 4) (L + s) ltac:(lia) ltac:(lia)) as Grow. rewrite fibonacci_second in Grow by lia.
  assert (Grow' : L < s + 1 -> L <= fibonacci L (L + s)).
  { intros H. pose proof (fibonacci_grows L (L - 1 + L) (L + s) ltac:(lia) ltac:(lia)) as G. rewrite fibonacci_second in G by lia. lia. }
  set (D := fibonacci L (2 * L + s) - m). assert (Em : m = fibonacci L (2 * L + s) - D) by (unfold D; lia).
  assert (HD : 0 <= D < fibonacci L (L + s)) by (unfold D; lia).
  assert (Hu0 : 0 <= u < L /\ (D <> 0 -> 1 <= u)) by (unfold D; lia). clearbody D. clear Hu.
  destruct (Z_lt_le_dec D (total (map (lacks_least L) (from_to L (s + 1))))) as [Few|Enough].
  { rewrite I in Few. destruct (Z.leb_spec (s + 1) L); [lia|]. assert (D = 0) by lia. subst D. rewrite Z.sub_0_r in Em. subst m.
    destruct (special s Hs u) as [b [R B]]; [lia|unfold even in *; pose proof (Z.mod_pos_bound L 2 ltac:(lia)); lia|lia|].
    exists b. split; [exact R|]. lia. }
  destruct (Z_le_gt_dec D (total (map (lacks_most L) (from_to L (s + 1))) - 2)) as [Le|Gt].
  - apply (Good 0); [|lia]. replace m with (fibonacci L (2 * L + s) - 0 - D - 2 * 0) by lia. apply (usual s Hs 0 D); lia.
  - rewrite I in *. rewrite M in *. apply (Good 1); [|destruct (Z.leb_spec (s + 1) (L + 1)), (Z.leb_spec (s + 1) L); lia].
    replace m with (fibonacci L (2 * L + s) - 1 - (D - 3) - 2 * 1) by lia. apply (usual s Hs 1 (D - 3)); [lia|].
    rewrite I, M. destruct (Z.leb_spec (s + 1) (L + 1)), (Z.leb_spec (s + 1) L); lia.
Qed.
End Window.
