(** If the checker accepts a periodic schedule, unrolling it for ever is valid and reaches the throughput. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool FMapPositive.
From Exactsched Require Import Model Names Sums Time Bound Periodic Collectives Checker.
From Exactsched Require Export Maps.
Import ListNotations.
Open Scope Z_scope.

(** ** Numbers of states *)
Section Numbering.
Definition numbers_well (n : numbering) : Prop :=
  (forall c p, find c (numbers n) = Some p -> (p < fresh n)%positive) /\
  (forall c d p, find c (numbers n) = Some p -> find d (numbers n) = Some p -> c = d).
Definition numbered_in (n : numbering) (x : state) : Prop :=
  exists p, find (state_code x) (numbers n) = Some p.

Lemma give_number_well n x : numbers_well n -> numbers_well (give_number n x).
Proof.
  intros [W1 W2]. unfold give_number. destruct (find (state_code x) (numbers n)) eqn:E; [split; auto|].
  split; simpl.
  - intros c p H. apply find_put in H. destruct H as [[<- <-]|[_ H]]. lia. apply W1 in H. lia.
  - intros c d p H H'. apply find_put in H, H'. destruct H as [[<- <-]|[_ H]], H' as [[<- H']|[_ H']]; auto.
    + apply W1 in H'. lia.
    + apply W1 in H. subst. lia.
    + eauto.
Qed.
Lemma give_number_keeps n x z : numbered_in n z -> numbered_in (give_number n x) z.
Proof.
  intros [p E]. unfold numbered_in, give_number. destruct (find (state_code x) (numbers n)) eqn:F; eauto.
  simpl.
  destruct (Pos.eq_dec (state_code x) (state_code z)) as [C|C]. congruence. rewrite find_other; eauto.
Qed.
Lemma give_number_has n x : numbered_in (give_number n x) x.
Proof. unfold numbered_in, give_number. destruct (find (state_code x) (numbers n)) eqn:F; eauto. simpl.
  rewrite find_same. eauto. Qed.

Lemma give_numbers l : forall n, numbers_well n ->
  numbers_well (fold_left give_number l n) /\
  (forall z, numbered_in n z -> numbered_in (fold_left give_number l n) z) /\
  forall z, In z l -> numbered_in (fold_left give_number l n) z.
Proof.
  induction l as [|x l IH]; simpl; intros n W. repeat split; try apply W; auto; easy.
  destruct (IH (give_number n x)) as (I1 & I2 & I3); [apply give_number_well; auto|].
  split; [auto|split]. intros z Hz. apply I2, give_number_keeps; auto.
  intros z [<-|Hz]; auto. apply I2, give_number_has.
Qed.
Lemma number_tasks_well l : forall n, numbers_well n ->
  numbers_well (fold_left number_task l n) /\
  (forall z, numbered_in n z -> numbered_in (fold_left number_task l n) z) /\
  forall k z, In k l -> z = makes k \/ In z (needs k) -> numbered_in (fold_left number_task l n) z.
Proof.
  induction l as [|k l IH]; simpl; intros n W. repeat split; try apply W; auto; easy.
  destruct (give_numbers (needs k) (give_number n (makes k))) as (G1 & G2 & G3); [apply give_number_well;
    auto|].
  destruct (IH (number_task n k) G1) as (I1 & I2 & I3).
  split; [auto|split]. intros z Hz. apply I2, G2, give_number_keeps; auto.
  intros k' z [<-|Hk] Hz; eauto. destruct Hz as [->|Hz]; apply I2; [apply G2, give_number_has|apply G3; auto].
Qed.

Definition relevant (S : system) (x : state) : Prop :=
  In x (given S) \/ In x (wanted S) \/ exists k, In k (tasks S) /\ (x = makes k \/ In x (needs k)).
Lemma number_inj S x z : relevant S x -> relevant S z ->
  number (number_states S) x = number (number_states S) z -> x = z.
Proof.
  assert (W0 : numbers_well (Numbering none 1)).
  { split; simpl; intros c; [intros p H|intros d p H]; rewrite find_none in H; discriminate. }
  unfold number_states. destruct (give_numbers (given S) _ W0) as (A1 & A2 & A3).
  destruct (give_numbers (wanted S) _ A1) as (B1 & B2 & B3).
  destruct (number_tasks_well (tasks S) _ B1) as (C1 & C2 & C3).
  set (n := fold_left number_task _ _) in *.
  assert (R : forall u, relevant S u -> numbered_in n u).
  { intros u [H|[H|(k & H & H')]]; [apply C2, B2|apply C2|eapply C3]; eauto. }
  intros Rx Rz. destruct (R x Rx) as [p Ep]. destruct (R z Rz) as [q Eq]. unfold number. rewrite Ep, Eq.
  intros <-.
  apply state_code_inj. eapply C1; eauto.
Qed.
End Numbering.

(** ** Structures *)
Section Structures.
Variable S : system.
Let n := number_states S.
Let jobs := array (map (job_of n) (tasks S)).
Let known0 := mark n 0 (given S) none.

Lemma job_task p j : find p jobs = Some j ->
  exists k, nth_error (tasks S) (place_of p) = Some k /\ j = job_of n k /\
    kind S (place_of p) = k /\ (place_of p < length (tasks S))%nat /\ In k (tasks S).
Proof.
  intros E. apply array_find in E. rewrite nth_error_map in E.
  destruct (nth_error (tasks S) (place_of p)) as [k|] eqn:F; [|discriminate].
  simpl in E. injection E as <-. exists k. destruct (kind_some _ _ _ F) as (E1 & E2 & E3). auto.
Qed.
Lemma mark_find h l : forall m p v, find p (mark n h l m) = Some v ->
  (v = h /\ exists x, In x l /\ p = number n x) \/ find p m = Some v.
Proof.
  unfold mark. induction l as [|x l IH]; simpl; intros m p v E; auto. apply IH in E.
  destruct E as [(-> & z & Hz & ->)|E].
  left. eauto. apply find_put in E. destruct E as [[<- <-]|[_ E]]; auto. left. eauto.
Qed.

Definition grown (done : list positive) (known : map_of Z) : Prop :=
  (forall v h, find v known = Some h -> 0 <= h /\ ((exists x, In x (given S) /\ v = number n x) \/
     exists p j, In p done /\ find p jobs = Some j /\ job_makes j = v /\ 1 <= h)) /\
  (forall p, In p done -> exists j h, find p jobs = Some j /\ find (job_makes j) known = Some h /\ 1 <= h /\
     forall x, In x (job_needs j) -> exists h', find x known = Some h' /\ h' < h).

Lemma highest_spec known l : forall h top, highest known l h = Some top ->
  h <= top /\ forall x, In x l -> exists d, find x known = Some d /\ d <= top.
Proof.
  induction l as [|a l IH]; simpl; intros h top E. injection E as <-. split; [lia|easy].
  destruct (find a known) as [d|] eqn:Ed; [|discriminate]. apply IH in E. destruct E as [I1 I2]. split. lia.
  intros x [<-|Hx]; auto. exists d. split; auto. lia.
Qed.
Lemma grow_spec l : forall done known top known' top', grown done known ->
  grow jobs l known top = Some (known', top') ->
  top <= top' /\ grown (done ++ l) known' /\
  (forall p j h, ~ In p done -> In p l -> find p jobs = Some j -> find (job_makes j) known' = Some h ->
    h <= top') /\
  (forall v h, find v known = Some h -> find v known' = Some h).
Proof.
  induction l as [|i l IH]; simpl; intros done known top known' top' I E.
  - injection E as <- <-. rewrite app_nil_r. split; [lia|]. split; auto. split; auto. intros p j h _ [].
  - destruct (find i jobs) as [k|] eqn:Ek; [|discriminate].
    destruct (highest known (job_needs k) 0) as [h|] eqn:Eh; [|discriminate].
    destruct (member (job_makes k) known) eqn:M; [discriminate|]. apply member_false in M.
    destruct (highest_spec _ _ _ _ Eh) as [h0 HS].
    assert (I' : grown (done ++ [i]) (put (job_makes k) (h + 1) known)).
    { destruct I as [I1 I2]. split.
      - intros v h' Ev. apply find_put in Ev. destruct Ev as [[<- <-]|[Nv Ev]].
        + split. lia. right. exists i, k. rewrite in_app_iff. simpl. repeat split; auto. lia.
        + destruct (I1 _ _ Ev) as [H0 [G|(p & j & P1 & P2)]]; split; auto. right. exists p, j.
          rewrite in_app_iff. auto.
      - intros p Hp. apply in_app_iff in Hp. destruct Hp as [Hp|[<-|[]]].
        + destruct (I2 p Hp) as (j & h' & J1 & J2 & J3 & J4). exists j, h'.
          rewrite find_other by (intros X; rewrite X in M; congruence). repeat split; auto.
          intros x Hx. destruct (J4 x Hx) as (d & D1 & D2).
          exists d. rewrite find_other by (intros X; rewrite X in M; congruence). auto.
        + exists k, (h + 1). rewrite find_same. repeat split; auto. lia. intros x Hx.
          destruct (HS x Hx) as (d & D1 & D2).
          exists d. rewrite find_other by (intros X; rewrite X in M; congruence). split; auto. lia. }
    destruct (IH _ _ _ _ _ I' E) as (T1 & T2 & T3 & T4). rewrite <- app_assoc in T2. simpl in T2.
    split; [lia|]. split; [exact T2|]. split.
    + intros p j h' Np [<-|Hp] Ej Eh'.
      * assert (j = k) by congruence. subst j. rewrite (T4 (job_makes k) (h + 1)) in Eh' by apply find_same.
        injection Eh' as <-. lia.
      * destruct (Pos.eq_dec p i) as [->|Ni].
        -- assert (j = k) by congruence. subst j. rewrite (T4 (job_makes k) (h + 1)) in Eh' by
             apply find_same. injection Eh' as <-. lia.
        -- apply (T3 p j h'); auto. rewrite in_app_iff. simpl. intros [?|[?|[]]]; auto.
    + intros v h' Ev. apply T4. rewrite find_other; auto. intros X; rewrite X in M; congruence.
Qed.

(** The level of task i in a structure; 0 if it does not belong to it. *)
Definition levels_of (l : list positive) : map_of Z :=
  match grow jobs l known0 0 with Some (known, _) => known | None => none end.
Definition level (l : list positive) (i : nat) : nat :=
  if existsb (Pos.eqb (number_of i)) l
  then match find (number_of i) jobs with Some j => Z.to_nat (value (job_makes j) (levels_of l)) | None =>
    0%nat end
  else 0%nat.
(** A structure that makes its targets, with largest level at most H. *)
Definition sound_structure (targets : list positive) (H : Z) (l : list positive) : Prop :=
  exists known, levels_of l = known /\ grown l known /\ forallb (fun x => member x known) targets = true /\
    forall p j h, In p l -> find p jobs = Some j -> find (job_makes j) known = Some h -> h <= H.

Lemma grown_start : grown [] known0.
Proof.
  split; [|easy]. intros v h E. apply mark_find in E. rewrite find_none in E.
  destruct E as [(-> & x & Hx & ->)|E]; [|discriminate].
  split. lia. left. eauto.
Qed.
Lemma grow_top l : forall known top top' known' t, grow jobs l known top = Some (known', t) ->
  exists t', grow jobs l known top' = Some (known', t').
Proof.
  induction l as [|i l IH]; simpl; intros known top top' known' t E. injection E as <- <-. eauto.
  destruct (find i jobs); [|discriminate]. destruct (highest known (job_needs j) 0); [|discriminate].
  destruct (member (job_makes j) known); [discriminate|]. eapply IH; eauto.
Qed.
Lemma sound_structure_mono targets H H' l : H <= H' -> sound_structure targets H l ->
  sound_structure targets H' l.
Proof. intros L (k & E & G & F & B). exists k. split; auto. split; auto. split; auto.
  intros. apply Z.le_trans with H; eauto. Qed.

Lemma part_height_spec targets l : forall top H, part_height jobs known0 targets l top = Some H ->
  top <= H /\ forall t, In t l -> 0 <= fst t /\ sound_structure targets H (snd t).
Proof.
  induction l as [|[w ts] l IH]; simpl; intros top H E. injection E as <-. split; [lia|easy].
  destruct (Z.leb_spec 0 w) as [W|]; [|discriminate].
  destruct (grow jobs ts known0 top) as [[made h]|] eqn:G; [|discriminate].
  destruct (forallb _ targets) eqn:F; [|discriminate]. apply IH in E. destruct E as [E1 E2].
  destruct (grow_spec _ _ _ _ _ _ grown_start G) as (T1 & T2 & T3 & _). simpl in T2.
  split; [lia|]. intros t [<-|Ht]; auto. simpl. split; auto.
  exists made. split; [|split; [|split]]; auto.
  - unfold levels_of. destruct (grow_top _ _ _ 0 _ _ G) as [t' ->]. auto.
  - intros p j h' P1 P2 P3. apply Z.le_trans with h; auto. apply (T3 p j h'); auto.
Qed.
Lemma parts_height_spec B l : forall top H, parts_height n jobs known0 B l top = Some H ->
  top <= H /\ forall q, In q l -> sumZ fst (snd q) = B /\
    forall t, In t (snd q) -> 0 <= fst t /\ sound_structure (map (number n) (fst q)) H (snd t).
Proof.
  induction l as [|[targets ts] l IH]; simpl; intros top H E. injection E as <-. split; [lia|easy].
  destruct (Z.eqb_spec (sumZ fst ts) B) as [Q|]; [|discriminate].
  destruct (part_height _ _ _ ts top) as [h|] eqn:G; [|discriminate]. apply IH in E. destruct E as [E1 E2].
  destruct (part_height_spec _ _ _ _ G) as [P1 P2]. split; [lia|]. intros q [<-|Hq]; auto. simpl. split; auto.
  intros t Ht. destruct (P2 t Ht) as [P3 P4]. split; auto. eapply sound_structure_mono; eauto.
Qed.

Lemma level_in l i : level l i <> 0%nat -> In (number_of i) l /\ exists j, find (number_of i) jobs = Some j /\
  level l i = Z.to_nat (value (job_makes j) (levels_of l)).
Proof.
  unfold level. destruct (existsb _ l) eqn:E; [|easy]. apply existsb_exists in E. destruct E as (p & Hp & E).
  apply Pos.eqb_eq in E. subst p. destruct (find (number_of i) jobs) as [j|]; [|easy]. eauto.
Qed.
Lemma in_level l p j h : In p l -> find p jobs = Some j -> find (job_makes j) (levels_of l) = Some h ->
  level l (place_of p) = Z.to_nat h.
Proof.
  intros Hp Ej Eh. unfold level. rewrite number_place, Ej. unfold value. rewrite Eh.
  replace (existsb (Pos.eqb p) l) with true; auto. symmetry. apply existsb_exists. exists p. split; auto.
  apply Pos.eqb_refl.
Qed.

(** The state with this number is given, or made in the structure at this level. *)
Lemma known_made l x h : grown l (levels_of l) -> relevant S x -> find (number n x) (levels_of l) = Some h ->
  In x (given S) \/ exists i, makes (kind S i) = x /\ level l i = Z.to_nat h /\ 1 <= h.
Proof.
  intros [G1 G2] R E. destruct (G1 _ _ E) as [_ [(z & Hz & Ez)|(p & j & P1 & P2 & P3 & P4)]].
  - left. apply number_inj in Ez; auto. congruence. left. auto.
  - right. exists (place_of p). destruct (job_task _ _ P2) as (k & K1 & -> & K3 & K4 & K5). rewrite K3.
    simpl in P3.
    split; [|split]; auto.
    + symmetry. apply number_inj with S; auto. right. right. eauto.
    + apply in_level with (job_of n k); auto. simpl. rewrite P3. auto.
Qed.
Lemma structure_levels targets H l i : sound_structure targets H l -> level l i <> 0%nat ->
  (i < length (tasks S))%nat /\ (level l i <= Z.to_nat H)%nat /\
  forall x, In x (needs (kind S i)) -> In x (given S) \/
    exists j, makes (kind S j) = x /\ level l j <> 0%nat /\ (level l j < level l i)%nat.
Proof.
  intros (known & E & G & _ & B) L. apply level_in in L. destruct L as (L1 & j & L2 & L3).
  assert (G' := G). destruct G' as [_ G2]. destruct (G2 _ L1) as (j' & h & J1 & J2 & J3 & J4).
  assert (j' = j) by congruence. subst j'. destruct (job_task _ _ L2) as (k & K1 & Ej & K3 & K4 & K5).
  rewrite place_number in *. rewrite L3, E. unfold value. rewrite J2. simpl. split; [auto|split].
  - apply Z2Nat.inj_le; try lia; eauto. specialize (B _ _ _ L1 L2 J2). lia.
  - rewrite K3. intros x Hx. rewrite <- E in G, J4. destruct (J4 (number n x)) as (h' & H1 & H2).
    { subst j. simpl. apply in_map. auto. }
    destruct (known_made l x h') as [Gx|(i' & I1 & I2 & I3)]; auto. { right. right. eauto. }
    right. exists i'. rewrite I2. split; auto. split; lia.
Qed.
Lemma structure_targets targets H l x t : sound_structure targets H l -> In t targets -> number n x = t ->
  relevant S x ->
  In x (given S) \/ exists j, makes (kind S j) = x /\ level l j <> 0%nat.
Proof.
  intros (known & E & G & F & _) Ht Et R. rewrite forallb_forall in F. specialize (F t Ht).
  apply member_spec in F.
  destruct F as [h Eh]. rewrite <- E in G, Eh. rewrite <- Et in Eh.
  destruct (known_made l x h) as [Gx|(i & I1 & I2 & I3)]; auto. right. exists i. split; auto. rewrite I2. lia.
Qed.
End Structures.

(** ** Slots *)
Section Slots.
Variable jobs : map_of job.
Definition slot_uses (s : slot) : list positive :=
  match find (fst (fst s)) jobs with Some j => job_uses j | None => [] end.
Definition slot_from (s : slot) : Z := snd (fst s).
Definition slot_to (s : slot) : Z := snd s.

Lemma put_all b l : forall m r, value r (fold_left (fun m r => put r b m) l m) =
  if existsb (Pos.eqb r) l then b else value r m.
Proof.
  induction l as [|x l IH]; simpl; intros m r; auto. rewrite IH.
  destruct (existsb (Pos.eqb r) l); [rewrite orb_true_r; auto|]. rewrite orb_false_r.
  destruct (Pos.eqb_spec r x) as [->|N]. apply value_same. apply value_other. auto.
Qed.
Lemma slots_fit_spec period l : forall free lasted lasted', slots_fit jobs period l free lasted = Some
  lasted' ->
  (forall s, In s l -> (exists j, find (fst (fst s)) jobs = Some j) /\ 0 <= slot_from s < slot_to s /\
    slot_to s <= period) /\
  (forall s r, In s l -> In r (slot_uses s) -> value r free <= slot_from s) /\
  ForallOrdPairs (fun s t => forall r, In r (slot_uses s) -> In r (slot_uses t) ->
    slot_to s <= slot_from t) l /\
  (forall p, value p lasted' = value p lasted + sumZ (fun s => if (fst (fst s) =? p)%positive then
    slot_to s - slot_from s else 0) l).
Proof.
  induction l as [|[[i a] b] l IH]; simpl; intros free lasted lasted' E.
  - injection E as <-. repeat split; try easy. constructor. intros. rewrite sumZ_nil. lia.
  - destruct (find i jobs) as [k|] eqn:Ek; [|discriminate].
    destruct (_ && _) eqn:C; [|discriminate]. rewrite !andb_true_iff, !Z.leb_le, Z.ltb_lt, forallb_forall in
      C.
    destruct C as [[[C1 C2] C3] C4]. apply IH in E. destruct E as (I1 & I2 & I3 & I4).
    assert (M : forall r, In r (job_uses k) -> value r free <= a) by (intros; apply Z.leb_le; auto).
    split; [|split; [|split]].
    + intros s [<-|Hs]; auto. unfold slot_from, slot_to. simpl. rewrite Ek. eauto.
    + intros s r [<-|Hs] Hr. unfold slot_uses in Hr. simpl in Hr. rewrite Ek in Hr. apply M; auto.
      specialize (I2 s r Hs Hr). rewrite put_all in I2. destruct (existsb (Pos.eqb r) (job_uses k)) eqn:X;
        auto.
      apply existsb_exists in X. destruct X as (r' & X1 & X2). apply Pos.eqb_eq in X2. subst r'.
      specialize (M r X1). lia.
    + constructor; auto. apply Forall_forall. intros t Ht r Hr Hr'. specialize (I2 t r Ht Hr').
      unfold slot_uses in Hr. simpl in Hr. rewrite Ek in Hr. rewrite put_all in I2.
      replace (existsb (Pos.eqb r) (job_uses k)) with true in I2. auto.
      symmetry. apply existsb_exists. exists r. split; auto. apply Pos.eqb_refl.
    + intros p. rewrite I4, sumZ_cons. unfold add_to, slot_from, slot_to. simpl.
      destruct (Pos.eqb_spec i p) as [->|N].
      rewrite value_same. lia. rewrite value_other by auto. lia.
Qed.
End Slots.

(** ** Amounts *)
Lemma add_members w l : forall m p, value p (fold_left (fun m i => add_to i w m) l m) =
  value p m + sumZ (fun i => if (i =? p)%positive then w else 0) l.
Proof.
  induction l as [|i l IH]; simpl; intros m p. rewrite sumZ_nil. lia.
  rewrite IH, sumZ_cons. unfold add_to. destruct (Pos.eqb_spec i p) as [->|N].
  rewrite value_same. lia. rewrite value_other by auto. lia.
Qed.
Definition members_at (p : positive) (t : structure) : Z := sumZ (fun i => if (i =? p)%positive then
  fst t else 0) (snd t).
Lemma add_structures l : forall m p, value p (fold_left add_structure l m) = value p m + sumZ (members_at p)
  l.
Proof.
  induction l as [|t l IH]; simpl; intros m p. rewrite sumZ_nil. lia.
  rewrite IH, sumZ_cons. unfold add_structure at 1. rewrite add_members. unfold members_at at 2. lia.
Qed.
Lemma sent_value l p : value p (sent l) = sumZ (fun q : part => sumZ (members_at p) (snd q)) l.
Proof.
  unfold sent. rewrite <- (Z.add_0_l (sumZ _ l)), <- (value_none p). generalize (@none Z).
  induction l as [|q l IH]; simpl; intros m. rewrite sumZ_nil. lia. rewrite IH, add_structures, sumZ_cons.
  lia.
Qed.

Fixpoint least_level (l : list nat) : nat :=
  match l with
  | [] => 0%nat
  | a :: l => let b := least_level l in if (a =? 0)%nat then b else if (b =? 0)%nat then a else Nat.min a b
  end.
Lemma least_level_in l : least_level l <> 0%nat -> In (least_level l) l.
Proof.
  induction l as [|a l IH]; simpl; auto. destruct (Nat.eqb_spec a 0), (Nat.eqb_spec (least_level l) 0);
    intros H; auto.
  destruct (Nat.min_dec a (least_level l)) as [E|E]; rewrite E; auto.
Qed.
Lemma least_level_le l a : In a l -> a <> 0%nat -> least_level l <> 0%nat /\ (least_level l <= a)%nat.
Proof.
  induction l as [|b l IH]; [easy|]. intros I N. simpl in I |- *.
  destruct (Nat.eqb_spec b 0), (Nat.eqb_spec (least_level l) 0);
    (destruct I as [E|I]; [subst b|specialize (IH I N)]); try (destruct (Nat.eqb_spec a 0)); lia.
Qed.

(** ** The schedule *)
Section Schedule.
Variable S : system.
Variable s : periodic.
Let n := number_states S.
Let jobs := array (map (job_of n) (tasks S)).
Let ps := parts s.
Variables B H ticks : Z.
Variable lasted : map_of Z.
Hypothesis B_pos : 0 < B.
Hypothesis H_pos : 0 <= H.
Hypothesis tick_pos : (0 < tick s)%Q.
Hypothesis period_pos : (0 < period s)%Q.
Hypothesis wanted_targets : forall x, In x (wanted S) -> In x (given S) \/ exists q, In q ps /\
  In (number n x) (map (number n) (fst q)).
Hypothesis parts_sound : forall q, In q ps -> sumZ fst (snd q) = B /\
  forall t, In t (snd q) -> 0 <= fst t /\ sound_structure S (map (number n) (fst q)) H (snd t).
Hypothesis ticks_fit : forall b, b <= ticks -> (inject_Z b * tick s <= period s)%Q.
Hypothesis slots_fitting : slots_fit jobs ticks (slots s) none none = Some lasted.
Hypothesis lasting : forall k, In k (tasks S) -> (0 < lasts k)%Q.
Hypothesis amounts_fit : forall i k, nth_error (tasks S) i = Some k ->
  (lasts k * inject_Z (value (number_of i) (sent ps)) <= inject_Z (value (number_of i) lasted) * tick s)%Q.

Let expand (q : part) : list (list positive) := flat_map (fun t : structure => repeat (snd t) (Z.to_nat (fst
  t))) (snd q).
Let nB := Z.to_nat B.
Let lev (c i : nat) : nat := least_level (map (fun q => level S (nth c (expand q) []) i) ps).
Let in_time (x : slot) : nat * Q * Q :=
  (place_of (fst (fst x)), (inject_Z (slot_from x) * tick s)%Q, (inject_Z (slot_to x) * tick s)%Q).
Let slotsQ := map in_time (slots s).

Lemma expand_length q : In q ps -> length (expand q) = nB.
Proof.
  intros Hq. destruct (parts_sound q Hq) as [E P]. unfold nB. rewrite <- E. unfold expand.
  assert (N : forall t, In t (snd q) -> 0 <= fst t) by (intros; apply P; auto). clear - N.
  apply Nat2Z.inj. rewrite Z2Nat.id by (apply sumZ_nonneg; auto). induction (snd q) as [|t l IH]; auto.
  simpl. rewrite app_length, repeat_length, Nat2Z.inj_add, IH, sumZ_cons, Z2Nat.id; auto.
  apply N; left; auto. intros. apply N. right. auto.
Qed.
Lemma class_sound q c : In q ps -> (c < nB)%nat -> sound_structure S (map (number n) (fst q)) H (nth c
  (expand q) []).
Proof.
  intros Hq Hc. assert (I : In (nth c (expand q) []) (expand q)) by (apply nth_In; rewrite expand_length;
    auto).
  apply in_flat_map in I. destruct I as (t & Ht & I). apply repeat_spec in I. rewrite I.
  apply (parts_sound q Hq); auto.
Qed.

Lemma length_slotsQ : length slotsQ = length (slots s).
Proof. apply map_length. Qed.
Lemma nth_slot k : (k < length (slots s))%nat -> exists x, nth_error (slots s) k = Some x /\ In x (slots s) /\
  Periodic.slot slotsQ k = in_time x.
Proof.
  intros L. destruct (nth_error (slots s) k) as [x|] eqn:E; [|apply nth_error_None in E; lia].
  exists x. split; auto. split. eapply nth_error_In; eauto. unfold Periodic.slot. apply nth_error_nth.
  unfold slotsQ. rewrite nth_error_map, E. auto.
Qed.
Lemma pairs_nth {A} (R : A -> A -> Prop) l : ForallOrdPairs R l ->
  forall i j x y, (i < j)%nat -> nth_error l i = Some x -> nth_error l j = Some y -> R x y.
Proof.
  induction 1 as [|a l Ha F IH]; intros i j x y L Ei Ej. destruct i; discriminate.
  destruct j as [|j]; [lia|]. simpl in Ej. destruct i as [|i]; simpl in Ei.
  - injection Ei as <-. rewrite Forall_forall in Ha. apply Ha. eapply nth_error_In; eauto.
  - apply (IH i j); auto. lia.
Qed.
Lemma slots_clear k l r : (k < length (slots s))%nat -> (l < length (slots s))%nat -> k <> l ->
  In r (uses (kind S (stask slotsQ k))) -> In r (uses (kind S (stask slotsQ l))) ->
  (sto slotsQ k <= sfrom slotsQ l)%Q \/ (sto slotsQ l <= sfrom slotsQ k)%Q.
Proof.
  destruct (slots_fit_spec _ _ _ _ _ _ slots_fitting) as (F1 & _ & F3 & _).
  assert (G : forall k l, (k < l)%nat -> (l < length (slots s))%nat ->
    In r (uses (kind S (stask slotsQ k))) -> In r (uses (kind S (stask slotsQ l))) ->
    (sto slotsQ k <= sfrom slotsQ l)%Q).
  { clear k l. intros k l kl Ll Uk Ul. assert (Lk : (k < length (slots s))%nat) by lia.
    destruct (nth_slot k Lk) as (x & E1 & E2 & E3). destruct (nth_slot l Ll) as (z & E1' & E2' & E3').
    unfold stask, sfrom, sto in *. rewrite E3 in *. rewrite E3' in *. simpl in *.
    pose proof (pairs_nth _ _ F3 k l x z kl E1 E1' (resource_code r)) as P. cbv beta in P.
    destruct (F1 x E2) as ((j & Ej) & _). destruct (F1 z E2') as ((j' & Ej') & _).
    unfold slot_uses in P. rewrite Ej, Ej' in P.
    destruct (job_task S _ _ Ej) as (k1 & _ & -> & K1 & _). destruct (job_task S _ _ Ej') as (k2 & _ & ->
      & K2 & _).
    rewrite K1 in Uk. rewrite K2 in Ul. simpl in P. apply Qmult_le_compat_r; [|lra]. rewrite <- Zle_Qle.
    apply P; apply in_map; auto. }
  intros Lk Ll ne Uk Ul. destruct (Nat.lt_total k l) as [lt|[eq|gt]]; [left; auto|contradiction|right; auto].
Qed.

Lemma rank_sent i : (rank lev nB i <= inject_Z (value (number_of i) (sent ps)))%Q.
Proof.
  rewrite sent_value, <- sum_inject. unfold rank.
  set (ind := fun (l : list positive) => if (level S l i =? 0)%nat then 0%Q else 1%Q).
  assert (ind0 : forall l, (0 <= ind l)%Q) by (intros; unfold ind; destruct (_ =? _)%nat; lra).
  apply Qle_trans with (sum (fun c => sum (fun q => ind (nth c (expand q) [])) ps) (seq 0 nB)).
  - apply sum_le. intros c _. unfold one. destruct (lev c i =? 0)%nat eqn:E. apply sum_nonneg; auto.
    apply Nat.eqb_neq in E. unfold lev in E. pose proof (least_level_in _ E) as I. apply in_map_iff in I.
    destruct I as (q & Eq & Hq).
    eapply Qle_trans; [|apply (sum_member (fun q => ind (nth c (expand q) [])) ps q); auto].
    unfold ind. rewrite Eq. apply Nat.eqb_neq in E. rewrite E. lra.
  - rewrite sum_swap. apply sum_le. intros q Hq. rewrite <- (expand_length q Hq), (sum_nth ind (expand q) []).
    unfold expand. rewrite sum_flat_map, <- sum_inject. apply sum_le. intros t Ht. rewrite sum_repeat.
    destruct (parts_sound q Hq) as [_ P]. destruct (P t Ht) as [W _]. rewrite Z2Nat.id by auto.
    unfold members_at.
    rewrite <- sum_inject. unfold ind.
    assert (W' : (0 <= inject_Z (fst t))%Q) by (change 0%Q with (inject_Z 0); rewrite <- Zle_Qle; auto).
    assert (N : forall x, In x (snd t) -> (0 <= inject_Z (if (x =? number_of i)%positive then
      fst t else 0))%Q)
      by (intros; destruct (_ =? _)%positive; auto; change (inject_Z 0) with 0%Q; lra).
    destruct (level S (snd t) i =? 0)%nat eqn:L.
    + assert (0 <= sum (fun x => inject_Z (if (x =? number_of i)%positive then fst t else 0)) (snd t))%Q
        by (apply sum_nonneg; auto). lra.
    + apply Nat.eqb_neq, level_in in L. destruct L as [L _].
      pose proof (sum_member (fun x => inject_Z (if (x =? number_of i)%positive then
        fst t else 0)) (snd t) (number_of i) N L) as M.
      simpl in M. rewrite Pos.eqb_refl in M. lra.
Qed.

Lemma room_lasted i : (room slotsQ (slot_count slotsQ) i == inject_Z (value (number_of i) lasted) * tick s)%Q.
Proof.
  destruct (slots_fit_spec _ _ _ _ _ _ slots_fitting) as (_ & _ & _ & F4).
  rewrite F4, value_none, Z.add_0_l. unfold room, slot_count, stask, sto, sfrom, Periodic.slot.
  rewrite (sum_nth (fun x : nat * Q * Q => if (fst (fst x) =? i)%nat then
    (snd x - snd (fst x))%Q else 0%Q) slotsQ (0%nat, 0%Q, 0%Q)).
  unfold slotsQ. rewrite sum_map, <- sum_inject, Qmult_comm, <- sum_scale. apply sum_eq. intros x _. simpl.
  destruct (Nat.eqb_spec (place_of (fst (fst x))) i) as [E|E];
    destruct (Pos.eqb_spec (fst (fst x)) (number_of i)) as [E'|E'].
  - unfold Z.sub; rewrite inject_Z_plus, inject_Z_opp; ring.
  - exfalso. apply E'. rewrite <- E, number_place. auto.
  - exfalso. apply E. rewrite E', place_number. auto.
  - change (inject_Z 0) with 0%Q. ring.
Qed.

Theorem schedule_reached : reached S (inject_Z B / period s) (inject_Z H * period s).
Proof.
  assert (EB : inject_Z B = count nB) by (unfold count, nB; rewrite Z2Nat.id by lia; auto).
  assert (EH : inject_Z H = count (Z.to_nat H)) by (unfold count; rewrite Z2Nat.id by lia; auto).
  rewrite EB, EH. destruct (slots_fit_spec _ _ _ _ _ _ slots_fitting) as (F1 & _ & _ & _).
  apply (periodic_reached S lasting slotsQ (period s) nB lev (Z.to_nat H)).
  - intros k L. unfold slot_count in L. rewrite length_slotsQ in L.
    destruct (nth_slot k L) as (x & E1 & E2 & E3).
    unfold stask, sfrom, sto. rewrite E3. simpl. destruct (F1 x E2) as ((j & Ej) & X1 & X2).
    destruct (job_task S _ _ Ej) as (_ & _ & _ & _ & K & _). split; [auto|]. split; [split|].
    + apply Qmult_le_0_compat; [|lra]. change 0%Q with (inject_Z 0). rewrite <- Zle_Qle. lia.
    + apply Qmult_lt_compat_r; auto. rewrite <- Zlt_Qlt. lia.
    + apply ticks_fit. auto.
  - intros k l r Lk Ll. unfold slot_count in Lk, Ll. rewrite length_slotsQ in Lk, Ll. apply slots_clear; auto.
  - intros c i Hc L. unfold lev in L. pose proof (least_level_in _ L) as I. apply in_map_iff in I.
    destruct I as (q & Eq & Hq). fold (lev c i) in *.
    destruct (structure_levels S _ _ _ i (class_sound q c Hq Hc)) as (K1 & K2 & K3); [congruence|].
    split; auto. split; [lia|]. intros x Hx. destruct (K3 x Hx) as [G|(j & J1 & J2 & J3)]; auto. right.
    exists j.
    split; auto. assert (I : In (level S (nth c (expand q) []) j) (map (fun q => level S (nth c (expand q)
      []) j) ps)).
    { apply in_map_iff. eauto. }
    destruct (least_level_le _ _ I J2) as [N Le]. fold (lev c j) in N, Le. split; auto. lia.
  - intros c x Hc Hx. destruct (wanted_targets x Hx) as [G|(q & Hq & Ht)]; auto.
    assert (Rx : relevant S x) by (right; left; auto).
    destruct (structure_targets S _ _ _ x _ (class_sound q c Hq Hc) Ht eq_refl Rx) as [G|(j & J1 & J2)]; auto.
    right. exists j. split; auto.
    assert (I : In (level S (nth c (expand q) []) j) (map (fun q => level S (nth c (expand q) []) j) ps)).
    { apply in_map_iff. eauto. }
    destruct (least_level_le _ _ I J2) as [N _]. exact N.
  - intros i Hi. rewrite room_lasted.
    destruct (nth_error (tasks S) i) as [x|] eqn:Ex; [|apply nth_error_None in Ex; lia].
    destruct (kind_some _ _ _ Ex) as [K [_ IK]]. rewrite K. eapply Qle_trans; [|apply amounts_fit; eauto].
    pose proof (lasting _ IK) as P.
    rewrite (Qmult_comm (lasts x)), (Qmult_comm (lasts x)). apply Qmult_le_compat_r; [apply rank_sent|lra].
  - exact period_pos.
  - unfold nB. lia.
Qed.
End Schedule.

Lemma Qpos q : 0 < Qnum q -> (0 < q)%Q.
Proof. unfold Qlt. simpl. lia. Qed.
Lemma long_enough_spec tick needed lasted l : forall p, long_enough tick needed lasted p l = true ->
  (forall k, In k l -> (0 < lasts k)%Q) /\
  forall i k, nth_error l i = Some k ->
    (lasts k * inject_Z (value (number_of (place_of p + i)) needed)
      <= inject_Z (value (number_of (place_of p + i)) lasted) * tick)%Q.
Proof.
  induction l as [|k l IH]; simpl; intros p E. split; [easy|]. intros [|i]; discriminate.
  destruct (_ && _) eqn:C; [|discriminate]. apply andb_true_iff in C. rewrite Z.ltb_lt, Z.leb_le in C.
  destruct C as [C1 C2].
  apply IH in E. destruct E as [I1 I2]. split.
  - intros k' [<-|Hk]; auto using Qpos.
  - intros [|i] k' Ek; simpl in Ek.
    + injection Ek as <-. rewrite Nat.add_0_r, number_place. unfold Qle. simpl. rewrite !Pos2Z.inj_mul. lia.
    + specialize (I2 i k' Ek). rewrite place_succ in I2. rewrite Nat.add_succ_r. exact I2.
Qed.

Theorem schedule_sound S s T C : check_schedule S s = Some (T, C) -> reached S T C.
Proof.
  unfold check_schedule. set (n := number_states S). set (jobs := array (map (job_of n) (tasks S))).
  set (B := match parts s with (_, l) :: _ => sumZ fst l | [] => 0 end).
  destruct (_ && _) eqn:E; [|discriminate]. rewrite !andb_true_iff, !Z.ltb_lt, forallb_forall in E.
  destruct E as [[[E1 E2] E3] E4].
  destruct (parts_height _ _ _ _ _ _) as [H|] eqn:P; [|discriminate].
  set (ticks := _ / _). destruct (slots_fit _ _ _ _ _) as [lasted|] eqn:F; [|discriminate].
  destruct (long_enough _ _ _ _ _) eqn:L; [|discriminate]. intros R. injection R as <- <-.
  destruct (long_enough_spec _ _ _ _ _ L) as [L1 L2]. destruct (parts_height_spec S B _ _ _ P) as [P1 P2].
  apply (schedule_reached S s B H ticks lasted); auto using Qpos.
  - intros x Hx. specialize (E4 x Hx). apply member_spec in E4. destruct E4 as [v Ev].
    assert (G : forall l m p v, find p (fold_left (fun m (q : part) => mark n 0 (fst q) m) l m) = Some v ->
      (exists q, In q l /\ In p (map (number n) (fst q))) \/ exists v, find p m = Some v).
    { clear. induction l as [|q l IH]; simpl; intros m p v E; eauto. apply IH in E.
      destruct E as [(q' & Q1 & Q2)|(v' & E)]; [eauto|]. apply mark_find in E.
      destruct E as [(_ & x & Hx & ->)|E]; eauto.
      left. exists q. split; auto. apply in_map. auto. }
    apply G in Ev. destruct Ev as [Q|(v' & Ev)]; auto.
    apply mark_find in Ev. rewrite find_none in Ev. destruct Ev as [(_ & z & Hz & Ez)|Ev]; [|discriminate].
    left. apply number_inj in Ez; [congruence| |]; [right; left|left]; auto.
  - intros b Hb. assert (D : b * (Z.pos (Qden (period s)) * Qnum (tick s)) <= Qnum (period s) * Z.pos (Qden
      (tick s))).
    { eapply Z.le_trans; [apply Z.mul_le_mono_nonneg_r; [|exact Hb]; nia|].
      rewrite Z.mul_comm. apply Z.mul_div_le. nia. }
    unfold Qle. simpl. lia.
Qed.
