(** Rows of the window: one tree with all its groups but the root's, and exchanges that make each of its letters the spare one. *)
From Coq Require Import ZArith List Lia Permutation Bool.
From Exactsched.continuous Require Import Definitions Hall Cycles Partitions Induction Check Theorems Growing.
Import ListNotations.
Open Scope Z_scope.

Definition check_growing (L t m : Z) (groups : list group) (pool : list Z) : bool :=
  (0 <=? t) && forallb (fun g => total (members g) mod group_size g =? 0) groups &&
  same_lists t (pool ++ flat_map members groups) (root_children L t pool ++ flat_map (group_children L) groups) &&
  (m =? 1 + Z.of_nat (length pool) + total (map group_size groups)).
Lemma check_growing_sound L t m groups pool : check_growing L t m groups pool = true -> 0 <= t /\ growing L t m groups pool.
Proof.
  unfold check_growing. rewrite !andb_true_iff, forallb_forall, Z.leb_le, Z.eqb_eq. intros [[[T D] S] M].
  destruct (same_lists_sound _ _ _ S) as [R P]. split; [exact T|]. split; [|exact R|exact P|exact M].
  intros g Hg. now apply Z.eqb_eq, D.
Qed.

(** ** Exchanges: (n, j, a) exchanges the letter x at the place j of the first group of n + 1 for x + a (n + 1) *)
Fixpoint taken_at (j : nat) (l : list Z) : option (Z * list Z) :=
  match l, j with
  | [], _ => None
  | x :: l, O => Some (x, l)
  | x :: l, S j => match taken_at j l with Some (y, l') => Some (y, x :: l') | None => None end
  end.
Lemma taken_at_sound l : forall j x l', taken_at j l = Some (x, l') -> Permutation l (x :: l').
Proof.
  induction l as [|y l IH]; intros [|j] x l' H; try discriminate; cbn [taken_at] in H.
  - injection H as <- <-. reflexivity.
  - destruct (taken_at j l) as [[z l'']|] eqn:E; [|discriminate]. injection H as <- <-. rewrite (IH _ _ _ E). apply perm_swap.
Qed.
Fixpoint take_out (y : Z) (l : list Z) : option (list Z) :=
  match l with
  | [] => None
  | x :: l => if x =? y then Some l else match take_out y l with Some l' => Some (x :: l') | None => None end
  end.
Lemma take_out_sound y l : forall l', take_out y l = Some l' -> Permutation l (y :: l').
Proof.
  induction l as [|x l IH]; intros l' H; [discriminate|]. cbn [take_out] in H. destruct (Z.eqb_spec x y) as [->|].
  - injection H as <-. reflexivity.
  - destruct (take_out y l) as [l''|] eqn:E; [|discriminate]. injection H as <-. rewrite (IH _ eq_refl). apply perm_swap.
Qed.
Fixpoint given (n j : nat) (a : Z) (groups : list group) : option (Z * list group) :=
  match groups with
  | [] => None
  | (h, letters) :: groups =>
    if Nat.eqb (length letters) n
    then match taken_at j letters with Some (x, l) => Some (x, (h, x + a * (Z.of_nat n + 1) :: l) :: groups) | None => None end
    else match given n j a groups with Some (x, g) => Some (x, (h, letters) :: g) | None => None end
  end.
Lemma given_sound n j a groups : forall x groups', given n j a groups = Some (x, groups') ->
  exists h letters letters' rest, Permutation groups ((h, letters) :: rest) /\ Permutation letters (x :: letters') /\
    group_size (h, letters) = Z.of_nat n + 1 /\ Permutation ((h, x + a * (Z.of_nat n + 1) :: letters') :: rest) groups'.
Proof.
  induction groups as [|[h l] groups IH]; intros x groups' H; [discriminate|]. cbn [given] in H.
  destruct (Nat.eqb_spec (length l) n) as [E|].
  - destruct (taken_at j l) as [[y l']|] eqn:T; [|discriminate]. injection H as <- <-.
    exists h, l, l', groups. split; [reflexivity|]. split; [now apply (taken_at_sound l j)|]. split; [|reflexivity].
    unfold group_size, members. cbn [fst snd length]. lia.
  - destruct (given n j a groups) as [[y g]|]; [|discriminate]. injection H as <- <-.
    destruct (IH _ _ eq_refl) as [h' [letters [letters' [rest [P [Q [S R]]]]]]].
    exists h', letters, letters', ((h, l) :: rest). split; [rewrite P; apply perm_swap|]. split; [exact Q|]. split; [exact S|].
    rewrite <- R. apply perm_swap.
Qed.

Definition exchanges := list (nat * nat * Z).
Fixpoint after (e : exchanges) (groups : list group) (pool : list Z) : option (list group * list Z) :=
  match e with
  | [] => Some (groups, pool)
  | (n, j, a) :: e =>
    match given n j a groups with
    | Some (x, groups') => match take_out (x + a * (Z.of_nat n + 1)) pool with Some pool' => after e groups' (x :: pool') | None => None end
    | None => None
    end
  end.
Lemma after_sound L t m e : forall groups pool groups' pool', growing L t m groups pool -> after e groups pool = Some (groups', pool') ->
  growing L t m groups' pool'.
Proof.
  induction e as [|[[n j] a] e IH]; intros groups pool groups' pool' G H; cbn [after] in H; [now injection H as <- <-|].
  destruct (given n j a groups) as [[x g]|] eqn:E; [|discriminate].
  destruct (given_sound _ _ _ _ _ _ E) as [h [letters [letters' [rest [P [Q [S R]]]]]]]. clear E.
  destruct (take_out _ pool) as [p|] eqn:E; [|discriminate]. apply take_out_sound in E.
  apply (IH g (x :: p)); [|exact H]. apply (growing_permuted _ _ _ _ _ _ _ R (Permutation_refl _)).
  apply (growing_exchange _ _ _ _ _ letters letters' x _ p); [|exact Q|].
  - exact (growing_permuted _ _ _ _ _ _ _ P E G).
  - rewrite S. replace (x + a * (Z.of_nat n + 1) - x) with (a * (Z.of_nat n + 1)) by lia. apply Z.mod_mul. lia.
Qed.

(** ** The root: u is spare, and the root has at most so many balls *)
Definition spares_after (t most : Z) (e : exchanges) (groups : list group) (pool : list Z) (u : Z) : bool :=
  match after e groups pool with
  | Some (_, pool') =>
    match take_out u pool' with
    | Some rest => let r := Z.of_nat (length pool') in let b := (t + total rest) / r in
                   (t + total rest =? b * r) && (2 <=? b) && (b <=? most)
    | None => false
    end
  | None => false
  end.
Lemma spares_after_sound L t m most e groups pool u : 0 <= t -> growing L t m groups pool -> most <= L -> (m = fibonacci L t -> most <= L - 1) ->
  spares_after t most e groups pool u = true -> good L t m u.
Proof.
  intros Ht G Most Full H. unfold spares_after in H. destruct (after e groups pool) as [[groups' pool']|] eqn:E; [|discriminate].
  apply (after_sound L t m) in E; [|exact G]. destruct (take_out u pool') as [rest|] eqn:T; [|discriminate]. apply take_out_sound in T.
  cbv zeta in H. set (b := (t + total rest) / Z.of_nat (length pool')) in *. rewrite !andb_true_iff, Z.eqb_eq, !Z.leb_le in H.
  destruct H as [[Sum B1] B2]. exists b. split; [exact (growing_rooted _ _ _ _ _ u rest b E T Ht Sum)|].
  split; [lia|]. intros M. specialize (Full M). lia.
Qed.

(** Exchanges with their gain, one after the other: which letters of a list cannot be spare with any of them. *)
Definition gain_of (e : exchanges) : Z := fold_right (fun nja s => match nja with (n, _, a) => a * (Z.of_nat n + 1) + s end) 0 e.
Fixpoint without (t most : Z) (groups : list group) (pool : list Z) (sum r : Z) (es : list (Z * exchanges)) (us : list Z) : list Z :=
  match us, es with
  | [], _ | _, [] => us
  | _, (gain, e) :: es =>
    let u := (sum - gain) mod r in
    without t most groups pool sum r es
      (if existsb (Z.eqb u) us then if spares_after t most e groups pool u then filter (fun w => negb (w =? u)) us else us else us)
  end.
Lemma without_sound t most groups pool sum r es (goal : Z -> Prop) :
  (forall e u, spares_after t most e groups pool u = true -> goal u) ->
  forall us u, In u us -> goal u \/ In u (without t most groups pool sum r es us).
Proof.
  intros H. induction es as [|[gain e] es IH]; intros us u Hu; [right; now destruct us|].
  destruct us as [|v us']; [now right|]. cbn [without]. set (us := v :: us') in *. set (w := (sum - gain) mod r).
  destruct (existsb (Z.eqb w) us); [|now apply IH]. destruct (spares_after t most e groups pool w) eqn:S; [|now apply IH].
  destruct (Z.eq_dec u w) as [->|Ne]; [left; now apply (H e)|]. apply IH, filter_In. split; [exact Hu|]. now apply negb_true_iff, Z.eqb_neq.
Qed.

(** A row: some trees, of which each serves some letters; the partitions of the others are given. *)
Definition tree := (list group * list Z)%type.
Definition still_without (L t m most : Z) (es : list (Z * exchanges)) (trees : list tree) (us : list Z) : list Z :=
  fold_left (fun us tr => match tr with (groups, pool) =>
    if check_growing L t m groups pool then without t most groups pool (t + total pool) (Z.of_nat (length pool)) es us else us end) trees us.
Lemma still_without_sound L t m most es trees : most <= L -> (m = fibonacci L t -> most <= L - 1) ->
  forall us u, In u us -> good L t m u \/ In u (still_without L t m most es trees us).
Proof.
  intros Most Full. unfold still_without. induction trees as [|[groups pool] trees IH]; intros us u Hu; [now right|]. cbn [fold_left].
  destruct (check_growing L t m groups pool) eqn:C; [|now apply IH]. destruct (check_growing_sound _ _ _ _ _ C) as [Ht G].
  destruct (without_sound t most groups pool (t + total pool) (Z.of_nat (length pool)) es (good L t m)
    (fun e u => spares_after_sound L t m most e groups pool u Ht G Most Full) us u Hu) as [Y|N]; [now left|now apply IH].
Qed.

(** What lacks goes from 0 to f_{t-L} - 1; exceptions are (t, what lacks, spare letter) and the groups. *)
Definition exception := (Z * Z * Z * list group)%type.
Definition is_exception (t lack u : Z) (x : exception) : bool := match x with (t', lack', u', _) => (t' =? t) && (lack' =? lack) && (u' =? u) end.
Definition check_row (L t f lack : Z) (es : list (Z * exchanges)) (trees : list tree) (exceptions : list exception) : bool :=
  let us := if lack =? 0 then places L else map (Z.add 1) (places (L - 1)) in
  let most := if lack =? 0 then L - 1 else L in
  forallb (fun u => existsb (fun x => if is_exception t lack u x then check_good L t (f - lack) u (snd x) else false) exceptions)
    (still_without L t (f - lack) most es trees us).
Lemma check_row_sound L t lack es trees exceptions : 0 < L -> check_row L t (fibonacci L t) lack es trees exceptions = true ->
  forall u, 1 <= u < L \/ (u = 0 /\ lack = 0) -> good L t (fibonacci L t - lack) u.
Proof.
  unfold check_row. cbv zeta. rewrite forallb_forall. intros HL H u Hu.
  destruct (still_without_sound L t (fibonacci L t - lack) (if lack =? 0 then L - 1 else L) es trees
    ltac:(destruct (lack =? 0); lia) ltac:(destruct (Z.eqb_spec lack 0); lia)
    (if lack =? 0 then places L else map (Z.add 1) (places (L - 1))) u) as [Y|N]; [|exact Y|].
  - destruct (Z.eqb_spec lack 0) as [E|E]; [apply in_places; lia|]. apply in_map_iff. exists (u - 1). rewrite in_places.
    destruct Hu as [Hu|[_ Hu]]; lia.
  - specialize (H u N). apply existsb_exists in H. destruct H as [x [_ X]].
    destruct (is_exception t lack u x); [|discriminate]. now apply check_good_sound in X.
Qed.

Definition check_rows (L first : Z) (es : list exchanges) (trees : Z -> Z -> list tree) (exceptions : list exception) : bool :=
  let es' := map (fun e => (gain_of e, e)) es in
  forallb (fun t => let f := fibonacci L t in forallb (fun lack => check_row L t f lack es' (trees t lack) exceptions)
    (places (f - fibonacci L (t - 1)))) (map (Z.add first) (places L)).
Theorem check_rows_sound L first es trees exceptions : 0 < L -> check_rows L first es trees exceptions = true ->
  forall t, first <= t < first + L -> all_good L t.
Proof.
  unfold check_rows. cbv zeta. rewrite forallb_forall. intros HL H t Ht m u Hm Hu. specialize (H t).
  rewrite in_map_iff, forallb_forall in H. specialize (H ltac:(exists (t - first); rewrite in_places; lia) (fibonacci L t - m)).
  rewrite in_places in H. specialize (H ltac:(lia)).
  replace m with (fibonacci L t - (fibonacci L t - m)) by lia. apply (check_row_sound _ _ _ _ _ _ HL H). lia.
Qed.

(** Rows and the smaller depths decide all numbers of processors. *)
Theorem rows_decide L first base es trees exceptions : 2 <= L <= first ->
  check_base L first base = true -> check_rows L first es trees exceptions = true -> theorem_B L.
Proof.
  intros HL Base Rows. apply (window_decides L first HL); [|exact (check_rows_sound L first es trees exceptions ltac:(lia) Rows)].
  intros t m Ht Hm. apply (check_base_sound L first base ltac:(lia) Base); assumption.
Qed.
