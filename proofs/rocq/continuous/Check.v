(** Deciding by computation that partitions and cycles are right, for the cases with which the induction begins. *)
From Coq Require Import ZArith List Lia Permutation Bool FMapPositive.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction.
Import ListNotations.
Open Scope Z_scope.

(** How often each number >= 0 stands in a list. *)
Definition key (w : Z) : positive := Z.to_pos (w + 1).
Definition counted (w : Z) (c : PositiveMap.t nat) : nat := match PositiveMap.find (key w) c with Some n => n | None => O end.
Fixpoint tally (l : list Z) (c : PositiveMap.t nat) : PositiveMap.t nat :=
  match l with [] => c | w :: l => tally l (PositiveMap.add (key w) (S (counted w c)) c) end.
Lemma tally_counts w l : 0 <= w -> forall c, (forall w', In w' l -> 0 <= w') -> counted w (tally l c) = (count_occ Z.eq_dec l w + counted w c)%nat.
Proof.
  intros Hw. induction l as [|x l IH]; intros c H; [reflexivity|]. cbn [tally count_occ].
  rewrite IH by (intros w' I; apply H; now right). specialize (H x (or_introl eq_refl)). unfold counted at 1.
  destruct (Z.eq_dec x w) as [->|Ne].
  - rewrite PositiveMap.gss. lia.
  - rewrite PositiveMap.gso by (unfold key; lia). reflexivity.
Qed.

Definition same_lists (t : Z) (l l' : list Z) : bool :=
  forallb (fun w => (0 <=? w) && (w <=? t)) l && forallb (fun w => (0 <=? w) && (w <=? t)) l' &&
  let c := tally l (PositiveMap.empty nat) in let c' := tally l' (PositiveMap.empty nat) in
  forallb (fun w => Nat.eqb (counted w c) (counted w c')) (places (t + 1)).
Lemma same_lists_sound t l l' : same_lists t l l' = true ->
  (forall w, In w l -> 0 <= w <= t) /\ Permutation l l'.
Proof.
  unfold same_lists. cbv zeta. rewrite !andb_true_iff, !forallb_forall. intros [[A B] C].
  assert (A' : forall w, In w l -> 0 <= w <= t).
  { intros w H. specialize (A w H). apply andb_prop in A. rewrite !Z.leb_le in A. exact A. }
  assert (B' : forall w, In w l' -> 0 <= w <= t).
  { intros w H. specialize (B w H). apply andb_prop in B. rewrite !Z.leb_le in B. exact B. }
  split; [exact A'|]. apply (Permutation_count_occ Z.eq_dec). intros w.
  destruct (Z_le_gt_dec 0 w), (Z_le_gt_dec w t);
    [|rewrite !(proj1 (count_occ_not_In Z.eq_dec _ w)); try reflexivity; intros H;
      first [specialize (A' w H)|specialize (B' w H)]; lia..].
  specialize (C w). rewrite in_places in C. specialize (C ltac:(lia)). apply Nat.eqb_eq in C.
  rewrite !tally_counts in C by first [lia|intros w' I; apply A', I|intros w' I; apply B', I].
  cbn [counted] in C. unfold counted in C. rewrite !PositiveMap.gempty in C. lia.
Qed.

Definition check_partition (L t : Z) (groups : list group) (u : Z) : bool :=
  forallb (fun g => total (members g) mod group_size g =? 0) groups &&
  same_lists t (u :: flat_map members groups) (t :: flat_map (group_children L) groups).
Lemma check_partition_sound L t groups u : check_partition L t groups u = true -> partition L t groups u.
Proof.
  unfold check_partition. rewrite andb_true_iff, forallb_forall. intros [D S].
  destruct (same_lists_sound _ _ _ S) as [R Pm]. split; [|exact R|exact Pm].
  intros g Hg. now apply Z.eqb_eq, D.
Qed.

(** A case of the window: the first group holds the root. *)
Definition check_good (L t m u : Z) (groups : list group) : bool :=
  match groups with
  | [] => false
  | g :: _ =>
    let b := total (members g) / group_size g in
    (fst g =? t) && check_partition L t groups u && (processors_in groups =? m) &&
    (2 <=? b) && (b <=? L) && ((b <=? L - 1) || negb (m =? fibonacci L t))
  end.
Lemma check_good_sound L t m u groups : check_good L t m u groups = true -> good L t m u.
Proof.
  destruct groups as [|[h letters] groups]; [discriminate|]. unfold check_good. cbn [fst].
  set (b := total (members (h, letters)) / group_size (h, letters)).
  rewrite !andb_true_iff, orb_true_iff, negb_true_iff, !Z.eqb_eq, !Z.leb_le, Z.eqb_neq.
  intros [[[[[-> P] M] B1] B2] B3]. apply check_partition_sound in P.
  exists b. split; [|split; [lia|]].
  - exists letters, groups. split; [exact P|]. split; [exact M|].
    pose proof (all_divisible _ _ _ _ P _ (or_introl eq_refl)) as D. unfold divisible in D. unfold b.
    assert (0 < group_size (t, letters)) by (unfold group_size, members; cbn [length]; lia).
    pose proof (Z.div_mod (total (members (t, letters))) (group_size (t, letters)) ltac:(lia)). lia.
  - intros E. destruct B3; [lia|tauto].
Qed.

(** All cases of a depth in the window, in order: m from f_{t-1} + 1 to f_t, and for each m the spare indices. *)
Definition spares (L t m : Z) : list Z := if m =? fibonacci L t then places L else map (Z.add 1) (places (L - 1)).
Definition numbers (L t : Z) : list Z := map (Z.add (fibonacci L (t - 1) + 1)) (places (fibonacci L t - fibonacci L (t - 1))).
Definition window_cases (L first : Z) : list (Z * Z * Z) :=
  flat_map (fun t => flat_map (fun m => map (fun u => (t, m, u)) (spares L t m)) (numbers L t)) (map (Z.add first) (places L)).
Definition base_cases (L first : Z) : list (Z * Z) :=
  flat_map (fun t => map (pair t) (numbers L t)) (map (Z.add L) (places (first - L))).

Fixpoint all_two {A B} (f : A -> B -> bool) (l : list A) (l' : list B) : bool :=
  match l, l' with
  | [], [] => true
  | x :: l, y :: l' => f x y && all_two f l l'
  | _, _ => false
  end.
Lemma all_two_sound {A B} (f : A -> B -> bool) l : forall l', all_two f l l' = true ->
  forall x, In x l -> exists y, f x y = true.
Proof.
  induction l as [|a l IH]; intros [|b l'] H x Hx; try easy. cbn in H. apply andb_prop in H. destruct H as [H1 H2].
  destruct Hx as [<-|Hx]; [now exists b|now apply (IH l' H2)].
Qed.

Lemma in_numbers L t m : In m (numbers L t) <-> fibonacci L (t - 1) < m <= fibonacci L t.
Proof.
  unfold numbers. rewrite in_map_iff. split.
  - intros [k [<- H]]. apply in_places in H. lia.
  - intros H. exists (m - (fibonacci L (t - 1) + 1)). rewrite in_places. lia.
Qed.

Definition check_window (L first : Z) (certificates : list (list group)) : bool :=
  all_two (fun tmu groups => match tmu with (t, m, u) => check_good L t m u groups end) (window_cases L first) certificates.
Lemma check_window_sound L first certificates : check_window L first certificates = true ->
  forall t, first <= t < first + L -> all_good L t.
Proof.
  intros H t Ht m u Hm Hu.
  destruct (all_two_sound _ _ _ H (t, m, u)) as [groups G]; [|exact (check_good_sound _ _ _ _ _ G)].
  unfold window_cases. apply in_flat_map. exists t. split.
  - apply in_map_iff. exists (t - first). rewrite in_places. lia.
  - apply in_flat_map. exists m. split; [now apply in_numbers|]. apply in_map. unfold spares.
    destruct (Z.eqb_spec m (fibonacci L t)) as [E|Ne].
    + apply in_places. lia.
    + destruct Hu as [Hu|[_ Hu]]; [|now apply Ne in Hu]. apply in_map_iff. exists (u - 1). rewrite in_places. lia.
Qed.

(** Before the window, any spare index will do; and cycles that are not made of a partition, too. *)
Inductive before := Blocks (u : Z) (groups : list group) | Merged (cycles : list cycle).
Definition reaches (L t m : Z) : Prop :=
  exists l : list processor, NoDup l /\ Z.of_nat (length l) = m /\ exists s, valid L l s /\ within L l s (L + t).

Fixpoint once (l : list Z) : bool := match l with [] => true | x :: l => negb (existsb (Z.eqb x) l) && once l end.
Lemma once_sound l : once l = true -> NoDup l.
Proof.
  induction l as [|x l IH]; intros H; [constructor|]. cbn in H. apply andb_prop in H. destruct H as [N H].
  constructor; [|now apply IH]. intros I. apply negb_true_iff in N.
  assert (E : existsb (Z.eqb x) l = true) by (apply existsb_exists; exists x; split; [exact I|apply Z.eqb_refl]). congruence.
Qed.
Definition check_cycle (t : Z) (c : cycle) : bool :=
  (0 <? long c) && forallb (fun x => (0 <=? x) && (x <? long c)) (map fst c) && once (map fst c) &&
  once (map (lands fst (long c)) c) && once (busy c) && forallb (fun w => (0 <=? w) && (w <=? t)) (indices c).
Lemma check_cycle_sound t c : check_cycle t c = true -> legal t c.
Proof.
  unfold check_cycle. rewrite !andb_true_iff, !forallb_forall, Z.ltb_lt. intros [[[[[P A] B] C] D] E].
  split; [exact P| |now apply once_sound|].
  - split; [|now apply once_sound|now apply once_sound]. intros x H. specialize (A x H). apply andb_prop in A.
    rewrite Z.leb_le, Z.ltb_lt in A. now apply in_places.
  - intros w H. specialize (E w H). apply andb_prop in E. now rewrite !Z.leb_le in E.
Qed.
Definition check_before (L t m : Z) (x : before) : bool :=
  match x with
  | Blocks u groups => check_partition L t groups u && (processors_in groups =? m)
  | Merged cycles => forallb (check_cycle t) cycles &&
      same_lists t (flat_map indices cycles) (t :: flat_map (children L) cycles) &&
      (Z.of_nat (length (flat_map indices cycles)) =? m)
  end.
Lemma check_before_sound L t m x : 0 < L -> check_before L t m x = true -> reaches L t m.
Proof.
  intros HL. destruct x as [u groups|cycles]; cbn [check_before]; rewrite !andb_true_iff, Z.eqb_eq.
  - intros [P <-]. apply (partition_broadcast L t groups u HL). now apply check_partition_sound.
  - intros [[A B] C]. rewrite forallb_forall in A. destruct (same_lists_sound _ _ _ B) as [_ Pm].
    assert (A' : forall c, In c cycles -> legal t c) by (intros c H; apply check_cycle_sound, A, H).
    exists (everybody cycles). split; [apply (everybody_processors t cycles)|]. split.
    + now rewrite everybody_length.
    + now apply (cycles_broadcast L t cycles).
Qed.
Definition check_base (L first : Z) (certificates : list before) : bool :=
  all_two (fun tm x => check_before L (fst tm) (snd tm) x) (base_cases L first) certificates.
Lemma check_base_sound L first certificates : 0 < L -> check_base L first certificates = true ->
  forall t m, L <= t < first -> fibonacci L (t - 1) < m <= fibonacci L t -> reaches L t m.
Proof.
  intros HL H t m Ht Hm. destruct (all_two_sound _ _ _ H (t, m)) as [x X]; [|exact (check_before_sound _ _ _ _ HL X)].
  unfold base_cases. apply in_flat_map. exists t. split.
  - apply in_map_iff. exists (t - L). rewrite in_places. lia.
  - apply in_map. now apply in_numbers.
Qed.

(** Certificates say how often each of the groups of a table stands in a partition. *)
Definition unpacked (table : list (Z * list (Z * Z))) (counts : list (nat * nat)) : list group :=
  let groups := map (fun hl => (fst hl, flat_map (fun xn => repeat (fst xn) (Z.to_nat (snd xn))) (snd hl))) table in
  flat_map (fun kn => repeat (nth (fst kn) groups (0, [])) (snd kn)) counts.
