(** No continuous broadcast has a smaller delay than L + B(m). *)
From Coq Require Import ZArith List Lia Permutation Bool.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction.
Import ListNotations.
Open Scope Z_scope.

Definition size_of {A} (l : list A) : Z := Z.of_nat (length l).
Definition some_of {A} (f : A -> bool) (l : list A) : Z := size_of (filter f l).
Lemma some_cons {A} f (x : A) l : some_of f (x :: l) = (if f x then 1 else 0) + some_of f l.
Proof. unfold some_of, size_of. cbn [filter]. destruct (f x); cbn [length]; lia. Qed.
Lemma some_nonneg {A} f (l : list A) : 0 <= some_of f l.
Proof. unfold some_of, size_of. lia. Qed.
Lemma some_le {A} (f g : A -> bool) l : (forall x, In x l -> f x = true -> g x = true) -> some_of f l <= some_of g l.
Proof.
  induction l as [|x l IH]; intros H; [cbn; lia|]. rewrite !some_cons.
  pose proof (IH (fun y Hy => H y (or_intror Hy))). specialize (H x (or_introl eq_refl)). destruct (f x), (g x); try lia.
Qed.
Lemma some_split {A} (f g : A -> bool) l : some_of f l <= some_of g l + some_of (fun x => f x && negb (g x)) l.
Proof. induction l as [|x l IH]; [cbn; lia|]. rewrite !some_cons. destruct (f x), (g x); cbn [andb negb]; lia. Qed.
Lemma some_mapped {A B} (f : B -> bool) (g : A -> B) l : some_of f (map g l) = some_of (fun x => f (g x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map]. now rewrite !some_cons, IH. Qed.
Lemma some_all {A} (f : A -> bool) l : (forall x, In x l -> f x = true) -> some_of f l = size_of l.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|]. rewrite some_cons, IH, (H x (or_introl eq_refl)).
  - unfold size_of. cbn [length]. lia.
  - intros y Hy. apply H. now right.
Qed.
Lemma some_two {A} (f : A -> bool) l x y : x <> y -> In x l -> In y l -> f x = true -> f y = true -> NoDup l -> 2 <= some_of f l.
Proof.
  intros D Hx Hy Fx Fy N. unfold some_of, size_of.
  assert (H : (length [x; y] <= length (filter f l))%nat); [|cbn [length] in H; lia].
  apply NoDup_incl_length.
  - constructor; [intros [E|[]]; now apply D|]. constructor; [intros []|constructor].
  - intros z [<-|[<-|[]]]; apply filter_In; now split.
Qed.

(** If every label stands at least twice, there are at least twice as many things as labels. *)
Lemma labels_twice {A} (label : A -> option Z) (labels : list Z) (l : list A) : NoDup labels ->
  (forall i, In i labels -> 2 <= some_of (fun x => match label x with Some j => j =? i | None => false end) l) ->
  2 * size_of labels <= size_of l.
Proof.
  intros N H.
  assert (Sum : total (map (fun i => some_of (fun x => match label x with Some j => j =? i | None => false end) l) labels)
                <= size_of l).
  { clear H. induction l as [|x l IH].
    - replace (size_of []) with 0 by reflexivity. clear N. induction labels as [|i labels IHl]; [cbn; lia|exact IHl].
    - replace (size_of (x :: l)) with (1 + size_of l) by (unfold size_of; cbn [length]; lia).
      assert (S : total (map (fun i => some_of (fun y => match label y with Some j => j =? i | None => false end) (x :: l)) labels)
        <= total (map (fun i => some_of (fun y => match label y with Some j => j =? i | None => false end) l) labels) + 1); [|lia].
      clear IH. assert (One : forall ls, NoDup ls ->
        total (map (fun i => some_of (fun y => match label y with Some j => j =? i | None => false end) (x :: l)) ls)
        = total (map (fun i => some_of (fun y => match label y with Some j => j =? i | None => false end) l) ls)
          + (match label x with Some j => if in_dec Z.eq_dec j ls then 1 else 0 | None => 0 end)).
      { induction ls as [|i ls IHs]; intros Ns; [now destruct (label x)|].
        inversion Ns as [|? ? Ni Ns']; subst. cbn [map]. rewrite !total_cons, (IHs Ns'), some_cons.
        destruct (label x) as [j|]; [|lia].
        assert (E : (if in_dec Z.eq_dec j (i :: ls) then 1 else 0)
          = (if j =? i then 1 else 0) + (if in_dec Z.eq_dec j ls then 1 else 0)); [|lia].
        destruct (in_dec Z.eq_dec j (i :: ls)) as [I|I], (Z.eqb_spec j i) as [Q|D], (in_dec Z.eq_dec j ls) as [I'|I'];
          try lia; exfalso; try (rewrite Q in I'; tauto); cbn [In] in I; try tauto; try (destruct I; [now apply D|tauto]).
        apply I. now left. }
      rewrite (One labels N). destruct (label x) as [j|]; [destruct (in_dec Z.eq_dec j labels)|]; lia. }
  assert (T : 2 * size_of labels <=
    total (map (fun i => some_of (fun x => match label x with Some j => j =? i | None => false end) l) labels)); [|lia].
  clear Sum N. induction labels as [|i labels IH]; [cbn; lia|]. cbn [map]. rewrite total_cons.
  replace (size_of (i :: labels)) with (1 + size_of labels) by (unfold size_of; cbn [length]; lia).
  pose proof (H i (or_introl eq_refl)). pose proof (IH (fun j Hj => H j (or_intror Hj))). lia.
Qed.

Section Bound.
Variables (L : Z) (processors : list Z) (s : schedule Z) (d : Z).
Hypothesis HL : 0 < L.
Hypothesis Once : NoDup processors.
Hypothesis V : valid L processors s.

Definition all_who : list (option Z) := None :: map Some processors.
Definition is_sent (q : option Z) (u i p : Z) : bool :=
  match s q u with Some (p', i') => (p' =? p) && (i' =? i) | None => false end.
Lemma is_sent_spec q u i p : is_sent q u i p = true <-> s q u = Some (p, i).
Proof.
  unfold is_sent. destruct (s q u) as [[p' i']|]; [|easy]. rewrite andb_true_iff, !Z.eqb_eq. split.
  - now intros [-> ->].
  - intros E. now injection E.
Qed.
Definition holds (i y p : Z) : bool := existsb (fun q => existsb (fun u => is_sent q u i p) (places (y - L + 1))) all_who.
Lemma holds_spec i y p : holds i y p = true <-> has L s (Some p) i y.
Proof.
  unfold holds. rewrite existsb_exists. split.
  - intros [q [Hq H]]. apply existsb_exists in H. destruct H as [u [Hu H]]. apply in_places in Hu.
    apply is_sent_spec in H. exists q, u. split; [exact H|lia].
  - intros [q [u [H Hu]]]. pose proof (starts _ _ _ _ V _ _ _ _ H). destruct (among _ _ _ _ V _ _ _ _ H) as [_ Aq].
    exists q. split.
    + destruct q as [q|]; [right; apply in_map; now apply Aq|now left].
    + apply existsb_exists. exists u. split; [apply in_places; lia|now apply is_sent_spec].
Qed.

Definition holders (i y : Z) : Z := some_of (holds i y) processors.
Definition source_sends (i u : Z) : bool := existsb (is_sent None u i) processors.

Lemma holders_step i y : holders i y <= holders i (y - 1) + holders i (y - L) + (if source_sends i (y - L) then 1 else 0).
Proof.
  unfold holders.
  pose proof (some_split (holds i y) (holds i (y - 1)) processors) as S.
  set (new := fun p => holds i y p && negb (holds i (y - 1) p)) in *.
  set (sending := fun q => match s q (y - L) with Some (p, i') => i' =? i | None => false end).
  set (target := fun q => match s q (y - L) with Some (p, _) => p | None => 0 end).
  assert (N : some_of new processors <= some_of sending all_who).
  { unfold some_of, size_of. rewrite <- (map_length target (filter sending all_who)).
    apply inj_le. apply NoDup_incl_length; [now apply NoDup_filter|].
    intros p Hp. apply filter_In in Hp. destruct Hp as [Hp Hn]. unfold new in Hn. apply andb_prop in Hn.
    destruct Hn as [H1 H2]. apply holds_spec in H1. destruct H1 as [q [u [Hs Hu]]].
    assert (u = y - L).
    { destruct (Z.eq_dec u (y - L)) as [|Ne]; [assumption|]. exfalso.
      assert (H : holds i (y - 1) p = true); [apply holds_spec; exists q, u; split; [exact Hs|lia]|].
      rewrite H in H2. discriminate. }
    subst u. apply in_map_iff. exists q. unfold target, sending. rewrite Hs. split; [reflexivity|].
    apply filter_In. rewrite Hs. split; [|apply Z.eqb_refl].
    destruct (among _ _ _ _ V _ _ _ _ Hs) as [_ Aq]. destruct q as [q|]; [right; apply in_map; now apply Aq|now left]. }
  unfold all_who in N. rewrite some_cons, some_mapped in N.
  assert (M : some_of (fun q => sending (Some q)) processors <= some_of (holds i (y - L)) processors).
  { apply some_le. intros q _ H. unfold sending in H. destruct (s (Some q) (y - L)) as [[p i']|] eqn:E; [|discriminate].
    apply Z.eqb_eq in H. subst i'. apply holds_spec. exact (sends_what_it_has _ _ _ _ V _ _ _ _ E). }
  assert (Q : sending None = true -> source_sends i (y - L) = true).
  { unfold sending, source_sends. destruct (s None (y - L)) as [[p i']|] eqn:E; [|discriminate]. intros H.
    apply Z.eqb_eq in H. subst i'. apply existsb_exists. exists p. split; [exact (proj1 (among _ _ _ _ V _ _ _ _ E))|].
    now apply is_sent_spec. }
  destruct (sending None); [rewrite Q by reflexivity|destruct (source_sends i (y - L))]; lia.
Qed.

Lemma holders_early i y : y < L -> holders i y = 0.
Proof.
  intros Hy. unfold holders. assert (H : some_of (holds i y) processors <= some_of (fun _ => false) processors).
  { apply some_le. intros p _ H. apply holds_spec in H. destruct H as [q [u [H Hu]]].
    pose proof (starts _ _ _ _ V _ _ _ _ H). lia. }
  assert (Z0 : some_of (fun _ : Z => false) processors = 0) by (clear; induction processors; [reflexivity|assumption]).
  pose proof (some_nonneg (holds i y) processors). lia.
Qed.

(** If the source sends an item once, at the step u, or never, then f is what is reached. *)
Lemma holders_at_most i u last : 0 <= u -> (forall v, v <= last -> source_sends i v = true -> v = u) ->
  forall y, y - L <= last -> holders i y <= fibonacci L (y - L - u).
Proof.
  intros Hu Single y Hy. destruct (Z_lt_le_dec y 0) as [Neg|Pos].
  - rewrite holders_early, fibonacci_negative; lia.
  - revert Hy. revert y Pos. apply (Zlt_0_ind (fun y => y - L <= last -> holders i y <= fibonacci L (y - L - u))).
    intros y IH Pos Hy. destruct (Z_lt_le_dec y L) as [Early|Late].
    { rewrite holders_early, fibonacci_negative; lia. }
    pose proof (holders_step i y) as S.
    pose proof (IH (y - 1) ltac:(lia) ltac:(lia)) as I1. pose proof (IH (y - L) ltac:(lia) ltac:(lia)) as I2.
    replace (y - 1 - L - u) with (y - L - u - 1) in I1 by lia. replace (y - L - L - u) with (y - L - u - L) in I2 by lia.
    set (n := y - L - u) in *.
    assert (Src : source_sends i (y - L) = true -> n = 0).
    { intros H. pose proof (Single (y - L) ltac:(lia) H). unfold n. lia. }
    destruct (Z_lt_le_dec n 0) as [N0|N0].
    + rewrite (fibonacci_negative L n), (fibonacci_negative L (n - 1)), (fibonacci_negative L (n - L)) in * by lia.
      destruct (source_sends i (y - L)); [specialize (Src eq_refl); lia|lia].
    + destruct (Z.eq_dec n 0) as [->|N1].
      * rewrite (fibonacci_one L 0) by lia. rewrite (fibonacci_negative L (0 - 1)), (fibonacci_negative L (0 - L)) in * by lia.
        destruct (source_sends i (y - L)); lia.
      * destruct (source_sends i (y - L)); [specialize (Src eq_refl); lia|].
        destruct (Z_lt_le_dec n L).
        -- rewrite (fibonacci_one L n) by lia. rewrite (fibonacci_one L (n - 1)) in I1 by lia.
           rewrite (fibonacci_negative L (n - L)) in I2 by lia. lia.
        -- rewrite (fibonacci_step L n) by lia. lia.
Qed.

Theorem delay_at_least : within L processors s d -> processors <> [] -> Z.of_nat (length processors) <= fibonacci L (d - L).
Proof.
  intros W Ne. destruct processors as [|p0 ps] eqn:Ep; [congruence|]. rewrite <- Ep in *. clear Ne.
  assert (Hd : 0 <= d).
  { destruct (W 0 p0 ltac:(lia)) as [q [u [H Hu]]]; [rewrite Ep; now left|]. pose proof (starts _ _ _ _ V _ _ _ _ H). lia. }
  set (items := places (d + 1)). set (steps := places (2 * d + 1)).
  set (label := fun u => match s None u with Some (_, i) => Some i | None => None end).
  assert (Lonely : exists i, In i items /\ some_of (fun u => match label u with Some j => j =? i | None => false end) steps <= 1).
  { destruct (Exists_dec (fun i => some_of (fun u => match label u with Some j => j =? i | None => false end) steps <= 1) items)
      as [E|E].
    - intros i. destruct (Z_le_gt_dec (some_of (fun u => match label u with Some j => j =? i | None => false end) steps) 1);
        [left|right]; lia.
    - apply Exists_exists in E. exact E.
    - exfalso. pose proof (labels_twice label items steps (places_once _)) as T.
      unfold size_of, items, steps in T. rewrite !places_length in T.
      assert (2 * Z.of_nat (Z.to_nat (d + 1)) <= Z.of_nat (Z.to_nat (2 * d + 1))); [|lia]. apply T.
      intros i Hi. destruct (Z_le_gt_dec 2 (some_of (fun u => match label u with Some j => j =? i | None => false end) steps));
        [assumption|]. exfalso. apply E. apply Exists_exists. exists i. split; [exact Hi|]. lia. }
  destruct Lonely as [i [Hi Few]]. apply in_places in Hi.
  assert (Label : forall v, v <= 2 * d -> source_sends i v = true ->
    In v steps /\ (match label v with Some j => j =? i | None => false end) = true /\ 0 <= i <= v).
  { intros v Hv H. unfold source_sends in H. apply existsb_exists in H. destruct H as [p [_ H]]. apply is_sent_spec in H.
    pose proof (starts _ _ _ _ V _ _ _ _ H). pose proof (sends_what_it_has _ _ _ _ V _ _ _ _ H) as B. cbn in B.
    split; [apply in_places; lia|]. split; [|exact B]. unfold label. rewrite H. apply Z.eqb_refl. }
  assert (U : exists u, i <= u /\ forall v, v <= 2 * d -> source_sends i v = true -> v = u).
  { destruct (existsb (source_sends i) steps) eqn:E.
    - apply existsb_exists in E. destruct E as [u [Hu E]]. apply in_places in Hu.
      destruct (Label u ltac:(lia) E) as [_ [Lu Bu]]. exists u. split; [lia|]. intros v Hv H.
      destruct (Label v Hv H) as [Sv [Lv _]]. destruct (Z.eq_dec v u) as [|Ne]; [assumption|]. exfalso.
      pose proof (some_two (fun u => match label u with Some j => j =? i | None => false end) steps v u Ne Sv
        ltac:(apply in_places; lia) Lv Lu (places_once _)). lia.
    - exists i. split; [lia|]. intros v Hv H. exfalso. destruct (Label v Hv H) as [Sv _].
      assert (existsb (source_sends i) steps = true) by (apply existsb_exists; now exists v). congruence. }
  destruct U as [u [Hu Single]].
  pose proof (holders_at_most i u (2 * d) ltac:(lia) Single (i + d) ltac:(lia)) as B.
  assert (All : holders i (i + d) = Z.of_nat (length processors)).
  { unfold holders. rewrite some_all; [reflexivity|]. intros p Hp. apply holds_spec. now apply W. }
  pose proof (fibonacci_grows L (i + d - L - u) (d - L) HL ltac:(lia)). lia.
Qed.
End Bound.

Theorem never_sooner L processors (s : schedule Z) d t : 0 < L -> NoDup processors -> valid L processors s ->
  within L processors s d -> 1 <= Z.of_nat (length processors) -> least_steps L (Z.of_nat (length processors)) t -> L + t <= d.
Proof.
  intros HL N V W M [Ht [Reached Least]].
  assert (Ne : processors <> []) by (intros ->; cbn in M; lia).
  pose proof (delay_at_least L processors s d HL N V W Ne) as B.
  destruct (Z_lt_le_dec (d - L) t) as [Less|]; [|lia]. exfalso. destruct (Z_lt_le_dec (d - L) 0).
  - rewrite fibonacci_negative in B; lia.
  - pose proof (Least (d - L) ltac:(lia)). lia.
Qed.
