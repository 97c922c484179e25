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
Hypothesis HL : 14 <= L.
Hypothesis Exchanges : suffices L.

Lemma even_bounds : 0 <= even L <= 1.
Proof. unfold even. pose proof (Z.mod_pos_bound L 2 ltac:(lia)). lia. Qed.
Lemma lacks_in_order d : L <= d <= 2 * L + 2 -> lacks_least L d <= lacks_most L d.
Proof.
  intros Hd. pose proof even_bounds. unfold lacks_least, lacks_most.
  pose proof (fibonacci_positive L (d - L) ltac:(lia) ltac:(lia)). destruct (Z.eqb_spec d (2 * L)), (Z.eqb_spec d (2 * L + 1)); lia.
Qed.

(** Branches of one block, whose letters can be exchanged: the depth, the letters, the spare index. *)
Notation front := (Z * (list Z * Z))%type.
Definition front_group (f : front) : group := (fst f, fst (snd f)).
Definition front_size (f : front) : Z := 2 + Z.of_nat (length (fst (snd f))).
Definition right_front (f : front) : Prop := partition L (fst f) [front_group f] (snd (snd f)) /\ 0 <= snd (snd f) <= L.

Lemma fronts_grown t fronts : (forall f, In f fronts -> right_front f) -> forall m0 groups rest,
  growing L t m0 groups (map fst fronts ++ rest) ->
  growing L t (m0 + total (map front_size fronts) - Z.of_nat (length fronts)) (groups ++ map front_group fronts) (map (fun f => snd (snd f)) fronts ++ rest).
Proof.
  induction fronts as [|f fronts IH]; intros R m0 groups rest G.
  - cbn. rewrite app_nil_r. now replace (m0 + 0 - 0) with m0 by lia.
  - destruct (R f (or_introl eq_refl)) as [P _]. cbn [map app] in G.
    apply (growing_branch L _ _ _ _ _ _ _ ltac:(lia) G) in P. clear G.
    apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_middle (map fst fronts) rest (snd (snd f)))) in P.
    apply (IH (fun g Hg => R g (or_intror Hg))) in P. rewrite <- app_assoc in P.
    apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_sym (Permutation_middle (map (fun f => snd (snd f)) fronts) rest (snd (snd f))))) in P.
    cbn [map app] in P |- *. rewrite total_cons. cbn [length].
    replace (m0 + (front_size f + total (map front_size fronts)) - Z.of_nat (S (length fronts)))
      with (m0 + processors_in [front_group f] - 1 + total (map front_size fronts) - Z.of_nat (length fronts)); [exact P|].
    unfold processors_in, front_size, front_group, group_size, members. cbn [map fst snd length total fold_right]. lia.
Qed.

(** Such branches, and others. *)
Lemma built t m0 fronts ds rest n : growing L t m0 [] (map fst fronts ++ ds ++ rest) ->
  (forall f, In f fronts -> right_front f) -> (forall d, In d ds -> L <= d <= 2 * L + 2) ->
  total (map (lacks_least L) ds) <= n <= total (map (lacks_most L) ds) ->
  exists groups foreign,
    growing L t (m0 + total (map front_size fronts) - Z.of_nat (length fronts) + total (map (fibonacci L) ds) - Z.of_nat (length ds) - n)
      (map front_group fronts ++ groups) (foreign ++ rest) /\
    (forall w, In w foreign -> 0 <= w <= L) /\ length foreign = (length fronts + length ds)%nat.
Proof.
  intros G R Hds Hn.
  destruct (divided_among L ds) with (n := n) as [bs [E [Hb T]]]; try assumption.
  { intros d e Hd He. apply all_branches; [lia|now apply Hds|exact He]. }
  { intros d Hd. apply lacks_in_order. now apply Hds. }
  apply (fronts_grown t fronts R) in G. cbn [app] in G. set (ws := map (fun f => snd (snd f)) fronts) in *.
  assert (Pm : Permutation (ws ++ ds ++ rest) (map fst bs ++ ws ++ rest)).
  { rewrite E, !app_assoc. apply Permutation_app_tail, Permutation_app_comm. }
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) Pm) in G.
  destruct (grown L t bs ltac:(lia) (fun d u m H => proj1 (Hb d u m H)) _ _ _ G) as [groups G']. clear G Pm.
  exists groups, (ws ++ map (fun x => fst (snd x)) bs). split; [|split].
  - assert (H : total (map (fun x => snd (snd x) - 1) bs) = total (map (fun x : Z * (Z * Z) => snd (snd x)) bs) - Z.of_nat (length ds)).
    { rewrite <- E, map_length. clear. induction bs as [|b l IH]; [reflexivity|]. cbn [map length]. rewrite !total_cons, IH. lia. }
    rewrite H, T in G'. rewrite <- app_assoc.
    replace (m0 + total (map front_size fronts) - Z.of_nat (length fronts) + total (map (fibonacci L) ds) - Z.of_nat (length ds) - n)
      with (m0 + total (map front_size fronts) - Z.of_nat (length fronts) + (total (map (fibonacci L) ds) - n - Z.of_nat (length ds))) by lia.
    apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _)) with (2 := G'). rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
  - intros w Hw. apply in_app_or in Hw. destruct Hw as [Hw|Hw]; apply in_map_iff in Hw; destruct Hw as [f [<- Hw]].
    + now apply R.
    + destruct f as [d [u m]]. exact (proj2 (Hb d u m Hw)).
  - unfold ws. rewrite app_length, !map_length. f_equal. now rewrite <- E, map_length.
Qed.

(** *** The blocks of two, three, four, raised c times *)
Definition two_front (c : Z) : front := (L + 1 + c, ([1 - L mod 2 + c], L mod 2 + c)).
Definition three_front (c : Z) : front := (L + 2 + c, ([fst (three_letters L) + c; snd (three_letters L) + c], (L + 2) mod 3 + c)).
Definition four_front (c : Z) : front := (L + 3 + c, (map (fun w => w + c) (four_letters L), (L + 1) mod 4 + c)).
Lemma right_two c : 0 <= c <= 1 -> right_front (two_front c).
Proof. intros H. split; [apply two_leaves; lia|]. cbn. pose proof (Z.mod_pos_bound L 2 ltac:(lia)). lia. Qed.
Lemma right_three c : 0 <= c <= 1 -> right_front (three_front c).
Proof. intros H. split; [apply three_leaves; lia|]. cbn. pose proof (Z.mod_pos_bound (L + 2) 3 ltac:(lia)). lia. Qed.
Lemma right_four c : 0 <= c <= 1 -> right_front (four_front c).
Proof. intros H. split; [apply four_leaves; lia|]. cbn. pose proof (Z.mod_pos_bound (L + 1) 4 ltac:(lia)). lia. Qed.
Lemma four_letters_length : length (four_letters L) = 3%nat.
Proof.
  unfold four_letters. pose proof (Z.mod_pos_bound (L + 1) 4 ltac:(lia)).
  assert ((L + 1) mod 4 = 0 \/ (L + 1) mod 4 = 1 \/ (L + 1) mod 4 = 2 \/ (L + 1) mod 4 = 3) as [E|[E|[E|E]]] by lia; rewrite E; reflexivity.
Qed.
Lemma four_letters_small w : In w (four_letters L) -> 0 <= w <= 3.
Proof. intros H. apply filter_In in H. destruct H as [[<-|[<-|[<-|[<-|[]]]]] _]; lia. Qed.

Lemma stand_blocks h2 x h3 y z more groups : (forall front, stands more (front ++ groups)) ->
  stands ((2, x) :: (3, y) :: (3, z) :: more) ((h2, [x]) :: (h3, [y; z]) :: groups).
Proof.
  intros H. apply (Stands_cons 2 x _ h2 [x] [] _ ((h3, [y; z]) :: groups)); [reflexivity|reflexivity|reflexivity|]. intros X.
  apply (Stands_cons 3 y _ h3 [y; z] [z] _ ((h2, [X]) :: groups)); [apply perm_swap|reflexivity|reflexivity|]. intros Y.
  apply (Stands_cons 3 z _ h3 [Y; z] [Y] _ ((h2, [X]) :: groups)); [reflexivity|apply perm_swap|reflexivity|]. intros Z1.
  apply (H [(h3, [Z1; Y]); (h2, [X])]).
Qed.
Lemma choices_stand c more (fronts : list front) groups : fronts = two_front c :: three_front c :: skipn 2 fronts ->
  (forall nx, In nx more -> exists f fs, skipn 2 fronts = f :: fs /\ In (snd nx) (fst (snd f)) /\ fst nx = front_size f - 1) ->
  forall old, In old (with_one_more L c more) -> stands old (map front_group fronts ++ groups).
Proof.
  intros E H old [<-|Hold].
  - rewrite E. cbn [map app]. apply stand_blocks. intros fr. apply Stands_nil.
  - apply in_map_iff in Hold. destruct Hold as [[n w] [<- Hnx]]. destruct (H (n, w) Hnx) as [f [fs [Ef [Iw En]]]]. cbn [fst snd] in Iw, En.
    rewrite E, Ef. cbn [map app of_two_blocks]. apply stand_blocks. intros fr.
    destruct (taken_out (fst (snd f)) w Iw) as [l P].
    apply (Stands_cons n w [] (fst f) (fst (snd f)) l _ (fr ++ map front_group fs ++ groups)).
    + apply Permutation_sym, Permutation_middle.
    + exact P.
    + rewrite En. unfold group_size, members, front_size. cbn [fst snd length]. lia.
    + intros X. apply Stands_nil.
Qed.
Lemma choices_small c more old : 0 <= c <= 1 -> (forall nx, In nx more -> 0 <= snd nx <= 4) -> In old (with_one_more L c more) ->
  (forall nx, In nx old -> 0 <= snd nx <= 4) /\ (length old <= 4)%nat.
Proof.
  intros Hc H Hold. pose proof (three_letters_small L). pose proof (Z.mod_pos_bound L 2 ltac:(lia)).
  assert (Two : forall nx, In nx (of_two_blocks L c) -> 0 <= snd nx <= 4).
  { intros nx [<-|[<-|[<-|[]]]]; cbn [snd]; lia. }
  destruct Hold as [<-|Hold]; [split; [exact Two|cbn; lia]|]. apply in_map_iff in Hold. destruct Hold as [nx [<- Hnx]]. split; [|cbn; lia].
  intros nx' I. apply in_app_or in I. destruct I as [I|[<-|[]]]; [now apply Two|now apply H].
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

Section Depth.
Variable s : Z.
Hypothesis Hs : 3 <= s <= L + 2.

Definition spares_all (m least : Z) : Prop :=
  forall u, least <= u < L -> exists b, rooted L (2 * L + s) m u b /\ 2 <= b <= L - 1.

Lemma depths_of (fronts : list front) : NoDup (map fst fronts) -> (forall f, In f fronts -> L + 1 <= fst f <= L + s /\ fst f < 2 * L) ->
  exists ds, Permutation (from_to L (s + 1)) (map fst fronts ++ ds) /\ (forall d, In d ds -> L <= d <= 2 * L + 2) /\
    Z.of_nat (length fronts) + Z.of_nat (length ds) = s + 1 /\
    total (map (lacks_least L) (from_to L (s + 1))) = total (map (lacks_least L) ds) /\
    total (map (lacks_most L) (from_to L (s + 1))) = Z.of_nat (length fronts) + total (map (lacks_most L) ds) /\
    fibonacci L (2 * L + s) - (L + 1) = total (map (fibonacci L) (map fst fronts)) + total (map (fibonacci L) ds).
Proof.
  intros N H. destruct (all_taken_out (map fst fronts) (from_to L (s + 1)) N) as [ds P].
  { intros d Hd. apply in_map_iff in Hd. destruct Hd as [f [<- Hf]]. apply in_from_to. pose proof (H f Hf). lia. }
  exists ds. split; [exact P|]. split; [|split; [|split; [|split]]].
  - intros d Hd. assert (I : In d (from_to L (s + 1))) by (apply (Permutation_in _ (Permutation_sym P)), in_or_app; now right).
    apply in_from_to in I. lia.
  - pose proof (Permutation_length P) as Q. rewrite from_to_length, app_length, map_length in Q. apply (f_equal Z.of_nat) in Q. rewrite Z2Nat.id, Nat2Z.inj_add in Q by lia. symmetry. exact Q.
  - rewrite (total_permuted _ _ (Permutation_map (lacks_least L) P)), map_app, total_app.
    assert (E : total (map (lacks_least L) (map fst fronts)) = 0); [|lia].
    clear P N. induction fronts as [|f fronts IH]; [reflexivity|]. cbn [map]. rewrite total_cons, IH by (intros g Hg; apply H; now right).
    pose proof (H f (or_introl eq_refl)). unfold lacks_least. destruct (Z.eqb_spec (fst f) (2 * L)); lia.
  - rewrite (total_permuted _ _ (Permutation_map (lacks_most L) P)), map_app, total_app. f_equal.
    clear P N. induction fronts as [|f fronts IH]; [reflexivity|]. cbn [map length]. rewrite total_cons, IH by (intros g Hg; apply H; now right).
    pose proof (H f (or_introl eq_refl)). unfold lacks_most. destruct (Z.eqb_spec (fst f) (2 * L + 1)); [lia|]. rewrite fibonacci_one; lia.
  - destruct (sums (s + 1) ltac:(lia)) as [F _]. replace (2 * L - 1 + (s + 1)) with (2 * L + s) in F by lia.
    rewrite <- F, (total_permuted _ _ (Permutation_map (fibonacci L) P)), map_app, total_app. reflexivity.
Qed.

(** Blocks raised c times, a root that lacks c leaves. *)
Lemma usual c (fronts : list front) choices n e : 0 <= c <= 1 -> NoDup (map fst fronts) -> (forall f, In f fronts -> L + 1 <= fst f <= L + s /\ fst f < 2 * L) ->
  (forall f, In f fronts -> right_front f) -> exchangeable L c (L + s + 1 - c) choices ->
  (forall old, In old choices -> (forall groups, stands old (map front_group fronts ++ groups)) /\
     (forall nx, In nx old -> 0 <= snd nx <= 4) /\ (length old <= 4)%nat) ->
  total (map (fibonacci L) (map fst fronts)) - total (map front_size fronts) = e ->
  total (map (lacks_least L) (from_to L (s + 1))) <= n <= total (map (lacks_most L) (from_to L (s + 1))) - Z.of_nat (length fronts) ->
  spares_all (fibonacci L (2 * L + s) - c - n - e) c.
Proof.
  intros Hc N H R Ex St Ee Hn. destruct (depths_of fronts N H) as [ds [P [Hds [Len [Least [Most Fib]]]]]].
  rewrite Least, Most in Hn.
  assert (G : growing L (2 * L + s) (1 + (L + s + 1 - c)) [] (map fst fronts ++ ds ++ from_to c (L - c))).
  { apply (growing_permuted _ _ _ [] [] (from_to c (L + s + 1 - c))); [constructor| |apply growing_root; lia].
    replace (L + s + 1 - c) with (L - c + (s + 1)) by lia. rewrite from_to_split by lia.
    replace (c + (L - c)) with L by lia. rewrite P, (Permutation_app_comm (from_to c (L - c))), <- app_assoc. reflexivity. }
  destruct (built _ _ fronts ds _ n G R Hds ltac:(lia)) as [groups [foreign [G' [Hf Lf]]]].
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_app_comm _ _)) in G'.
  assert (Lr : Z.of_nat (length (from_to c (L - c) ++ foreign)) = L + s + 1 - c).
  { rewrite app_length, from_to_length, Lf. lia. }
  intros u Hu.
  destruct (Ex u (2 * L + s + total (from_to c (L - c) ++ foreign) - u) Hu) as [old [new [Hold [E Mod]]]].
  destruct (St old Hold) as [Stand [Small Four]]. destruct E as [S O D].
  apply (exchanging L (2 * L + s) _ old new (map front_group fronts ++ groups) (from_to c (L - c)) foreign u ltac:(lia)).
  - replace (fibonacci L (2 * L + s) - c - n - e)
      with (1 + (L + s + 1 - c) + total (map front_size fronts) - Z.of_nat (length fronts) + total (map (fibonacci L) ds) - Z.of_nat (length ds) - n) by lia.
    exact G'.
  - now apply own_from_to.
  - apply Stand.
  - exact Hf.
  - exact Small.
  - exact Four.
  - lia.
  - lia.
  - apply in_from_to. lia.
  - intros X HX. apply in_from_to. specialize (O X HX). lia.
  - split; [exact S| |exact D]. intros X HX. specialize (O X HX). lia.
  - rewrite Lr. exact Mod.
Qed.

Lemma free_letter (l : list Z) : (length l <= 5)%nat -> exists o, 2 <= o <= 7 /\ ~ In o l.
Proof.
  intros H. destruct (Exists_dec (fun o => ~ In o l) (from_to 2 6)) as [E|E].
  - intros o. destruct (in_dec Z.eq_dec o l); [right|left]; tauto.
  - apply Exists_exists in E. destruct E as [o [Ho No]]. apply in_from_to in Ho. exists o. split; [lia|exact No].
  - exfalso. assert (I : incl (from_to 2 6) l).
    { intros o Ho. destruct (in_dec Z.eq_dec o l) as [|No]; [assumption|]. exfalso. apply E. apply Exists_exists. now exists o. }
    pose proof (NoDup_incl_length (from_to_once 2 6) I) as Len. rewrite from_to_length in Len. change (Z.to_nat 6) with 6%nat in Len. lia.
Qed.

(** L even and nothing lacks: the block of L + 1 takes a letter of the root. *)
Lemma special u : L <= s -> L mod 2 = 0 -> 0 <= u < L ->
  exists b, rooted L (2 * L + s) (fibonacci L (2 * L + s)) u b /\ 2 <= b <= L - 1.
Proof.
  intros Hsl Ev Hu. set (fronts := [two_front 0; three_front 0; four_front 0]).
  assert (Range : forall f, In f fronts -> L + 1 <= fst f <= L + s /\ fst f < 2 * L).
  { intros f [<-|[<-|[<-|[]]]]; cbn [fst two_front three_front four_front]; lia. }
  assert (Nd : NoDup (map fst fronts)).
  { cbn [map fst fronts two_front three_front four_front]. repeat constructor; cbn [In]; lia. }
  assert (Right : forall f, In f fronts -> right_front f).
  { intros f [<-|[<-|[<-|[]]]]; [apply right_two|apply right_three|apply right_four]; lia. }
  destruct (depths_of fronts Nd Range) as [ds0 [P0 [Hds0 [Len0 [Least [Most Fib]]]]]].
  destruct (taken_out ds0 (2 * L)) as [ds P1].
  { assert (I : In (2 * L) (from_to L (s + 1))) by (apply in_from_to; lia). apply (Permutation_in _ P0), in_app_or in I. destruct I as [I|I]; [|exact I].
    apply in_map_iff in I. destruct I as [f [E I]]. pose proof (Range f I). lia. }
  rewrite (total_permuted _ _ (Permutation_map (lacks_least L) P1)) in Least.
  rewrite (total_permuted _ _ (Permutation_map (fibonacci L) P1)) in Fib. clear Most.
  cbn [map] in Least, Fib. rewrite !total_cons in Least. rewrite (total_cons (fibonacci L (2 * L))) in Fib.
  destruct (sums (s + 1) ltac:(lia)) as [_ [_ I]]. rewrite I in Least. clear I.
  assert (E1 : even L = 1) by (unfold even; lia).
  destruct (Z.leb_spec (s + 1) L); [lia|].
  assert (E2 : lacks_least L (2 * L) = 1) by (unfold lacks_least; now rewrite Z.eqb_refl).
  rewrite E1, E2 in Least.
  assert (F1 : fibonacci L (L + 1 + 0) = 3) by (replace (L + 1 + 0) with (L - 1 + 2) by lia; rewrite fibonacci_second; lia).
  assert (F2 : fibonacci L (L + 2 + 0) = 4) by (replace (L + 2 + 0) with (L - 1 + 3) by lia; rewrite fibonacci_second; lia).
  assert (F4 : fibonacci L (L + 3 + 0) = 5) by (replace (L + 3 + 0) with (L - 1 + 4) by lia; rewrite fibonacci_second; lia).
  pose proof (fibonacci_2L L ltac:(lia)) as F3.
  assert (Sizes : total (map (fibonacci L) (map fst fronts)) = 12 /\ total (map front_size fronts) = 12).
  { unfold fronts, front_size. cbn [map fst snd two_front three_front four_front total fold_right]. rewrite map_length, four_letters_length.
    rewrite F1, F2, F4. split; reflexivity. }
  destruct Sizes as [S1 S2]. rewrite S1, F3 in Fib.
  assert (Len : Z.of_nat (length ds) = s - 3).
  { apply Permutation_length in P1. cbn [length] in P1. unfold fronts in Len0. cbn [length] in Len0. lia. }
  assert (In' : forall d, In d ds -> L <= d <= 2 * L + 2).
  { intros d Hd. apply Hds0. apply (Permutation_in _ (Permutation_sym P1)). now right. }
  assert (Nonneg : forall l, (forall d, In d l -> L <= d <= 2 * L + 2) -> total (map (lacks_least L) l) <= total (map (lacks_most L) l)).
  { induction l as [|d l IH]; intros H'; [cbn; lia|]. cbn [map]. rewrite !total_cons.
    pose proof (lacks_in_order d (H' d (or_introl eq_refl))). pose proof (IH (fun x Hx => H' x (or_intror Hx))). lia. }
  assert (G : growing L (2 * L + s) (1 + (L + s + 1)) [] (map fst fronts ++ ds ++ (2 * L :: from_to 0 L))).
  { apply (growing_permuted _ _ _ [] [] (from_to 0 (L + s + 1))); [constructor| |apply growing_root; lia].
    replace (L + s + 1) with (L + (s + 1)) by lia. rewrite from_to_split by lia. rewrite Z.add_0_l, P0, P1, Permutation_app_comm.
    rewrite <- app_assoc. apply Permutation_app_head. cbn [app]. apply Permutation_middle. }
  destruct (built _ _ fronts ds _ 0 G Right In') as [groups [foreign [G' [Hf Lf]]]].
  { specialize (Nonneg ds In'). lia. }
  clear G. rewrite S2 in G'.
  apply (growing_permuted _ _ _ _ _ _ _ (Permutation_refl _) (Permutation_sym (Permutation_middle foreign (from_to 0 L) (2 * L)))) in G'.
  destruct (with_four L Exchanges (L + s + 1) ltac:(lia) u (2 * L + s + (total (from_to 0 L) - 1 + total foreign) - u) Hu) as [old [new [Hold [E Mod]]]].
  destruct (choices_small 0 (of_four L 0) old ltac:(lia)) as [Old Four]; [|exact Hold|].
  { intros nx Hnx. apply in_map_iff in Hnx. destruct Hnx as [w [<- Hw]]. apply four_letters_small in Hw. cbn [snd]. lia. }
  assert (LenNew : length new = length old) by (destruct E as [S _ _]; symmetry; apply (same_length _ _ _ S)).
  (* The letter j + 1 is not among those five. *)
  destruct (free_letter (u :: new)) as [o [Ho No]]; [cbn [length]; lia|].
  assert (Free : exists j, 1 <= j <= 6 /\ ~ In (j + 1) (u :: new)).
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
  assert (G2 : growing L (2 * L + s) (fibonacci L (2 * L + s)) (map front_group fronts ++ (2 * L, j + 1 :: A) :: groups ++ g)
                 (own ++ 0 :: j :: foreign)).
  { replace (fibonacci L (2 * L + s)) with (1 + (L + s + 1) + 12 - Z.of_nat (length fronts) + total (map (fibonacci L) ds) - Z.of_nat (length ds) - 0 + (L + 3) - 1)
      by (change (Z.of_nat (length fronts)) with 3; lia).
    apply (growing_permuted _ _ _ ((2 * L, j + 1 :: A) :: (map front_group fronts ++ groups) ++ g) _ (own ++ 0 :: j :: foreign)).
    { rewrite <- app_assoc. apply Permutation_middle. }
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
  assert (Lr : Z.of_nat (length (own ++ 0 :: j :: foreign)) = L + s + 1).
  { rewrite app_length. cbn [length]. rewrite Lf. change (length fronts) with 3%nat. lia. }
  assert (Tp : total (own ++ 0 :: j :: foreign) = total (from_to 0 L) - 1 + total foreign).
  { rewrite (total_permuted _ _ PO), total_app, !total_cons. lia. }
  assert (Others : forall w, 0 <= w < L -> In w (u :: new) -> In w own).
  { intros w Hw I4. apply (still_there (j + 1) own w PO Hw). intros ->. now apply Nj. }
  apply (exchanging L (2 * L + s) _ old new _ own (0 :: j :: foreign) u ltac:(clear - HL; lia) G2).
  - apply (own_without (j + 1) own); [clear - Hj HL; lia|exact PO].
  - apply (choices_stand 0 (of_four L 0) fronts); [reflexivity| |exact Hold].
    intros nx Hnx. apply in_map_iff in Hnx. destruct Hnx as [w [<- Hw]]. exists (four_front 0), []. split; [reflexivity|]. split.
    + cbn [snd fst four_front]. apply in_map_iff. now exists w.
    + unfold front_size. cbn [snd fst four_front]. rewrite map_length, four_letters_length. reflexivity.
  - intros w [<-|[<-|Hw]]; [clear - HL; lia|clear - Hj HL; lia|now apply Hf].
  - exact Old.
  - exact Four.
  - rewrite Lr. clear - Hs. lia.
  - rewrite Lr. clear. lia.
  - apply Others; [exact Hu|now left].
  - intros X HX. destruct E as [_ O _]. apply Others; [now apply O|now right].
  - exact E.
  - rewrite Lr, Tp. exact Mod.
Qed.

(** The rest by cases: which blocks can be exchanged. *)
Lemma cases D : total (map (lacks_least L) (from_to L (s + 1))) <= D -> D < fibonacci L (L + s) ->
  spares_all (fibonacci L (2 * L + s) - D) (if D <=? total (map (lacks_most L) (from_to L (s + 1))) - 2 then 0 else 1).
Proof.
  intros Enough Most. pose proof even_bounds as Ev. destruct (sums (s + 1) ltac:(lia)) as [_ [M I]].
  replace (L - 1 + (s + 1)) with (L + s) in M by lia.
  pose proof (fibonacci_grows L (L - 1 + 4) (L + s) ltac:(lia) ltac:(lia)) as Grow. rewrite fibonacci_second in Grow by lia.
  assert (Grow6 : 4 <= s -> 6 <= fibonacci L (L + s)).
  { intros H. pose proof (fibonacci_grows L (L - 1 + 5) (L + s) ltac:(lia) ltac:(lia)) as G. rewrite fibonacci_second in G by lia. lia. }
  assert (GrowL : L < s + 1 -> L <= fibonacci L (L + s)).
  { intros H. pose proof (fibonacci_grows L (L - 1 + L) (L + s) ltac:(lia) ltac:(lia)) as G. rewrite fibonacci_second in G by lia. lia. }
  assert (F : forall k, 1 <= k <= 5 -> fibonacci L (L - 1 + k) = 1 + k) by (intros k Hk; apply fibonacci_second; lia).
  assert (Most' : total (map (lacks_most L) (from_to L (s + 1))) >= 4 + total (map (lacks_least L) (from_to L (s + 1))) /\
    D <= total (map (lacks_most L) (from_to L (s + 1))) + 1 /\ (4 <= s -> total (map (lacks_most L) (from_to L (s + 1))) >= 5 + total (map (lacks_least L) (from_to L (s + 1))))).
  { rewrite M, I. destruct (Z.leb_spec (s + 1) (L + 1)), (Z.leb_spec (s + 1) L); lia. }
  destruct Most' as [Wide [HD Wider]]. clear M I Grow Grow6 GrowL Most.
  set (most := total (map (lacks_most L) (from_to L (s + 1)))) in *. set (least := total (map (lacks_least L) (from_to L (s + 1)))) in *.
  assert (FourSmall : forall c nx, 0 <= c <= 1 -> In nx (of_four L c) -> 0 <= snd nx <= 4).
  { intros c nx Hc Hnx. apply in_map_iff in Hnx. destruct Hnx as [w [<- Hw]]. apply four_letters_small in Hw. cbn [snd]. lia. }
  assert (FourStand : forall c nx, In nx (of_four L c) -> exists f fs, [four_front c] = f :: fs /\ In (snd nx) (fst (snd f)) /\ fst nx = front_size f - 1).
  { intros c nx Hnx. apply in_map_iff in Hnx. destruct Hnx as [w [<- Hw]]. exists (four_front c), []. split; [reflexivity|]. split.
    + cbn [snd fst four_front]. apply in_map_iff. now exists w.
    + unfold front_size. cbn [snd fst four_front]. rewrite map_length, four_letters_length. reflexivity. }
  pose proof (three_letters_small L) as Small3.
  destruct (Z.leb_spec D (most - 2)) as [Le|Gt].
  - destruct (Z_le_gt_dec D (most - 3)) as [Le3|Gt3].
    + replace (fibonacci L (2 * L + s) - D) with (fibonacci L (2 * L + s) - 0 - D - 0) by lia.
      apply (usual 0 [two_front 0; three_front 0; four_front 0] (with_one_more L 0 (of_four L 0))); [lia| | | | | | |].
      * cbn [map fst two_front three_front four_front]. repeat constructor; cbn [In]; lia.
      * intros f [<-|[<-|[<-|[]]]]; cbn [fst two_front three_front four_front]; lia.
      * intros f [<-|[<-|[<-|[]]]]; [apply right_two|apply right_three|apply right_four]; lia.
      * apply (with_four L Exchanges). lia.
      * intros old Hold. split; [|apply (choices_small 0 (of_four L 0)); [lia|intros nx; apply FourSmall; lia|exact Hold]].
        intros groups. apply (choices_stand 0 (of_four L 0)); [reflexivity|apply FourStand|exact Hold].
      * unfold front_size. cbn [map fst snd two_front three_front four_front total fold_right]. rewrite map_length, four_letters_length.
        replace (L + 1 + 0) with (L - 1 + 2) by lia. replace (L + 2 + 0) with (L - 1 + 3) by lia. replace (L + 3 + 0) with (L - 1 + 4) by lia.
        rewrite !F by lia. reflexivity.
      * cbn [length]. lia.
    + replace (fibonacci L (2 * L + s) - D) with (fibonacci L (2 * L + s) - 0 - (D - 1) - 1) by lia.
      apply (usual 0 [two_front 0; three_front 0; three_front 1] (with_one_more L 0 (of_second_three L))); [lia| | | | | | |].
      * cbn [map fst two_front three_front four_front]. repeat constructor; cbn [In]; lia.
      * intros f [<-|[<-|[<-|[]]]]; cbn [fst two_front three_front four_front]; lia.
      * intros f [<-|[<-|[<-|[]]]]; [apply right_two|apply right_three|apply right_three]; lia.
      * apply (with_three L Exchanges). lia.
      * intros old Hold. split; [|apply (choices_small 0 (of_second_three L)); [lia|intros nx [<-|[<-|[]]]; cbn [snd]; lia|exact Hold]].
        intros groups. apply (choices_stand 0 (of_second_three L)); [reflexivity| |exact Hold].
        intros nx [<-|[<-|[]]]; exists (three_front 1), []; (split; [reflexivity|]); split; try reflexivity; cbn [fst snd three_front In]; tauto.
      * unfold front_size. cbn [map fst snd two_front three_front four_front total fold_right].
        replace (L + 1 + 0) with (L - 1 + 2) by lia. replace (L + 2 + 0) with (L - 1 + 3) by lia. replace (L + 2 + 1) with (L - 1 + 4) by lia.
        rewrite !F by lia. reflexivity.
      * cbn [length]. lia.
  - destruct (Z_le_gt_dec 4 s) as [S4|S3].
    + replace (fibonacci L (2 * L + s) - D) with (fibonacci L (2 * L + s) - 1 - (D - 4) - 3) by lia.
      apply (usual 1 [two_front 1; three_front 1; four_front 1] (with_one_more L 1 (of_four L 1))); [lia| | | | | | |].
      * cbn [map fst two_front three_front four_front]. repeat constructor; cbn [In]; lia.
      * intros f [<-|[<-|[<-|[]]]]; cbn [fst two_front three_front four_front]; lia.
      * intros f [<-|[<-|[<-|[]]]]; [apply right_two|apply right_three|apply right_four]; lia.
      * apply (raised L Exchanges). lia.
      * intros old Hold. split; [|apply (choices_small 1 (of_four L 1)); [lia|intros nx; apply FourSmall; lia|exact Hold]].
        intros groups. apply (choices_stand 1 (of_four L 1)); [reflexivity|apply FourStand|exact Hold].
      * unfold front_size. cbn [map fst snd two_front three_front four_front total fold_right]. rewrite map_length, four_letters_length.
        replace (L + 1 + 1) with (L - 1 + 3) by lia. replace (L + 2 + 1) with (L - 1 + 4) by lia. replace (L + 3 + 1) with (L - 1 + 5) by lia.
        rewrite !F by lia. reflexivity.
      * cbn [length]. specialize (Wider S4). lia.
    + replace (fibonacci L (2 * L + s) - D) with (fibonacci L (2 * L + s) - 1 - (D - 3) - 2) by lia.
      apply (usual 1 [two_front 1; three_front 1] (with_one_more L 1 [])); [lia| | | | | | |].
      * cbn [map fst two_front three_front four_front]. repeat constructor; cbn [In]; lia.
      * intros f [<-|[<-|[]]]; cbn [fst two_front three_front four_front]; lia.
      * intros f [<-|[<-|[]]]; [apply right_two|apply right_three]; lia.
      * replace (L + s + 1 - 1) with (L + 3) by lia. apply (raised_alone L Exchanges).
      * intros old Hold. split; [|apply (choices_small 1 []); [lia|intros nx []|exact Hold]].
        intros groups. apply (choices_stand 1 []); [reflexivity|intros nx []|exact Hold].
      * unfold front_size. cbn [map fst snd two_front three_front four_front total fold_right].
        replace (L + 1 + 1) with (L - 1 + 3) by lia. replace (L + 2 + 1) with (L - 1 + 4) by lia.
        rewrite !F by lia. reflexivity.
      * cbn [length]. lia.
Qed.
End Depth.

Theorem window_good t : 2 * L + 3 <= t < 2 * L + 3 + L -> all_good L t.
Proof.
  intros Ht m u Hm Hu. set (s := t - 2 * L). assert (Hs : 3 <= s <= L + 2) by (unfold s; lia).
  assert (Et : t = 2 * L + s) by (unfold s; lia). clearbody s. subst t.
  pose proof (fibonacci_step L (2 * L + s) ltac:(lia)) as F. replace (2 * L + s - L) with (L + s) in F by lia.
  set (D := fibonacci L (2 * L + s) - m). assert (Em : m = fibonacci L (2 * L + s) - D) by (unfold D; lia).
  assert (HD : 0 <= D < fibonacci L (L + s)) by (unfold D; lia).
  assert (Hu0 : 0 <= u < L /\ (D <> 0 -> 1 <= u)) by (unfold D; lia). clearbody D. clear Hu. subst m.
  destruct (Z_lt_le_dec D (total (map (lacks_least L) (from_to L (s + 1))))) as [Few|Enough].
  - destruct (sums (s + 1) ltac:(lia)) as [_ [_ I]]. rewrite I in Few. destruct (Z.leb_spec (s + 1) L); [lia|].
    pose proof (Z.mod_pos_bound L 2 ltac:(lia)). unfold even in Few. assert (D = 0) by lia. subst D. rewrite Z.sub_0_r.
    destruct (special s Hs u) as [b [R B]]; [lia|lia|lia|]. exists b. split; [exact R|]. lia.
  - destruct (cases s Hs D Enough ltac:(lia) u) as [b [R B]]; [|exists b; split; [exact R|]; lia].
    destruct (Z.leb_spec D (total (map (lacks_most L) (from_to L (s + 1))) - 2)) as [Le|Gt]; [lia|].
    destruct (sums (s + 1) ltac:(lia)) as [_ [M _]]. rewrite M in Gt. replace (L - 1 + (s + 1)) with (L + s) in Gt by lia.
    pose proof (fibonacci_grows L (L - 1 + 4) (L + s) ltac:(lia) ltac:(lia)) as Grow. rewrite fibonacci_second in Grow by lia.
    pose proof even_bounds. destruct (Z.leb_spec (s + 1) (L + 1)); lia.
Qed.
End Window.
