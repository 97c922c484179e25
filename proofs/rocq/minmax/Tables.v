(** What the checkers are made of: loops over lists, sets and tables of numbers, exact totals over a common
    denominator; each with the lemma that says what it computes. *)
From Coq Require Import QArith List ZArith Lia Lqa Bool FMapPositive Permutation.
From Exactsched.minmax Require Import Sums Definitions.
Import ListNotations.
Open Scope Z_scope.

Module Table := PositiveMap.
Notation table := PositiveMap.t.

(** ** Loops: folds, so that long lists need no stack. *)
Definition all {A} (f : A -> bool) (l : list A) : bool := fold_left (fun (b : bool) x => if b then f x else
  false) l true.
Definition any {A} (f : A -> bool) (l : list A) : bool := fold_left (fun (b : bool) x => if b then true else
  f x) l false.
Definition all_numbered {A} (f : Z -> A -> bool) (l : list A) : bool :=
  snd (fold_left (fun (p : Z * bool) x => (fst p + 1, if snd p then f (fst p) x else false)) l (0, true)).
Definition rev_map {A B} (f : A -> B) (l : list A) : list B := fold_left (fun done x => f x :: done) l [].
Definition rev_map_numbered {A B} (f : Z -> A -> B) (l : list A) : list B :=
  snd (fold_left (fun '(i, done) x => (i + 1, f i x :: done)) l (0, [])).

(** How many entries. *)
Definition number {A} (l : list A) : Z := fold_left (fun n _ => n + 1) l 0.

Lemma all_spec {A} (f : A -> bool) l : all f l = true -> forall x, In x l -> f x = true.
Proof.
  unfold all. induction l as [|a l IH]; simpl; intros H x Hx. easy.
  assert (N : forall l, fold_left (fun (b : bool) x => if b then f x else false) l false = false).
  { clear. induction l; auto. }
  destruct (f a) eqn:E; [|rewrite N in H; easy]. destruct Hx as [<-|Hx]; auto.
Qed.
Lemma any_spec {A} (f : A -> bool) l : any f l = true -> exists x, In x l /\ f x = true.
Proof.
  unfold any. induction l as [|a l IH]; simpl; intros H. easy.
  destruct (f a) eqn:E. eauto. destruct IH as (x & ? & ?); eauto.
Qed.
Lemma all_numbered_spec {A} (f : Z -> A -> bool) l :
  all_numbered f l = true -> forall i x, entry l i x -> f i x = true.
Proof.
  unfold all_numbered, entry, numbered. generalize 0.
  induction l as [|a l IH]; simpl; intros k H i x Hx. easy.
  assert (N : forall l k, snd (fold_left (fun (p : Z * bool) x => (fst p + 1,
    if snd p then f (fst p) x else false)) l (k, false)) = false).
  { clear. induction l; auto. simpl. auto. }
  destruct (f k a) eqn:E; [|rewrite N in H; easy]. destruct Hx as [Hx|Hx].
  injection Hx as <- <-. auto. eapply IH; eauto.
Qed.
Lemma rev_map_perm {A B} (f : A -> B) l : Permutation (rev_map f l) (map f l).
Proof.
  unfold rev_map. rewrite <- (app_nil_r (map f l)). generalize (@nil B).
  induction l as [|a l IH]; simpl; intros d. auto.
  rewrite IH. symmetry. apply Permutation_middle.
Qed.
Lemma rev_map_numbered_perm {A B} (f : Z -> A -> B) l :
  Permutation (rev_map_numbered f l) (map (fun '(i, x) => f i x) (numbered l)).
Proof.
  unfold rev_map_numbered, numbered. rewrite <- (app_nil_r (map _ _)). generalize (@nil B) 0.
  induction l as [|a l IH]; simpl; intros d k. auto. rewrite IH. symmetry. apply Permutation_middle.
Qed.

Lemma number_spec {A} (l : list A) : number l = count l.
Proof.
  unfold number, count.
  enough (G : forall n, fold_left (fun n _ => n + 1) l n = n + Z.of_nat (length l)) by apply G.
  induction l as [|a l IH]; intros n; cbn [fold_left length]; [lia|]. rewrite IH. lia.
Qed.

(** ** Entries *)
Lemma entry_from {A} (l : list A) k i x : In (i, x) (numbered_from k l) ->
  k <= i < k + Z.of_nat (length l) /\ In x l.
Proof.
  revert k. induction l as [|a l IH]; simpl; intros k H. easy.
  destruct H as [H|H]. injection H as <- <-. split; auto. lia. apply IH in H. split; [lia|tauto].
Qed.
Lemma entry_in {A} (l : list A) i x : entry l i x -> In x l.
Proof. intros H. apply entry_from in H. tauto. Qed.
Lemma entry_unique {A} (l : list A) i x y : entry l i x -> entry l i y -> x = y.
Proof.
  unfold entry, numbered. generalize 0. induction l as [|a l IH]; simpl; intros k H H'. easy.
  destruct H as [H|H], H' as [H'|H']; try congruence; eauto.
  - injection H as <- <-. apply entry_from in H'. lia.
  - injection H' as <- <-. apply entry_from in H. lia.
Qed.
Lemma numbered_nodup {A} (l : list A) : NoDup (numbered l).
Proof.
  unfold numbered. generalize 0. induction l as [|a l IH]; simpl; intros k; constructor; auto.
  intros H. apply entry_from in H. lia.
Qed.
Lemma numbered_snd {A} (l : list A) : map snd (numbered l) = l.
Proof. unfold numbered. generalize 0. induction l as [|a l IH]; simpl; intros k; f_equal; auto. Qed.
Lemma in_entry {A} (l : list A) x : In x l -> exists i, entry l i x.
Proof. rewrite <- (numbered_snd l) at 1. rewrite in_map_iff. intros ([i y] & <- & H). exists i. auto. Qed.
Lemma sum_numbered {A} (f : A -> Q) l : (sum (fun '(_, x) => f x) (numbered l) == sum f l)%Q.
Proof. rewrite <- (numbered_snd l) at 2. rewrite sum_map. apply sum_eq. intros [i x] _. reflexivity. Qed.
(** The sum of a function of the entries that picks out number i. *)
Lemma sum_entry {A} (f : A -> Q) l i x :
  entry l i x -> (sum (fun '(j, y) => if Z.eqb j i then f y else 0%Q) (numbered l) == f x)%Q.
Proof.
  intros H. rewrite (sum_only _ (numbered l) (i, x)); auto using numbered_nodup.
  - rewrite Z.eqb_refl. reflexivity.
  - intros [j y] Hy N. destruct (Z.eqb_spec j i) as [->|]; [|reflexivity].
    destruct N. f_equal. eapply entry_unique; eauto.
Qed.
Lemma listed_spec l i : listed l i = true <-> In i l.
Proof.
  unfold listed. rewrite existsb_exists. split.
  - intros (x & H & E). apply Z.eqb_eq in E. subst. auto.
  - intros H. exists i. split; auto. apply Z.eqb_refl.
Qed.

(** ** Tables *)
Definition key (i : Z) : positive := match i with Z0 => xH | Zpos p => xO p | Zneg p => xI p end.
Lemma key_eq i j : key i = key j -> i = j.
Proof. destruct i, j; simpl; congruence. Qed.

(** The entries of a list by their numbers. *)
Definition index {A} (l : list A) : table A :=
  snd (fold_left (fun '(i, t) x => (i + 1, Table.add (key i) x t)) l (0, Table.empty A)).
Definition find {A} (i : Z) (t : table A) : option A := Table.find (key i) t.
Lemma index_spec {A} (l : list A) i x : find i (index l) = Some x -> entry l i x.
Proof.
  unfold index, entry, numbered, find.
  enough (G : forall k (t : table A), Table.find (key i) (snd (fold_left
    (fun '(i, t) x => (i + 1, Table.add (key i) x t)) l (k, t))) = Some x ->
    Table.find (key i) t = Some x \/ In (i, x) (numbered_from k l)).
  { intros H. apply G in H. rewrite PositiveMap.gempty in H. intuition discriminate. }
  induction l as [|a l IH]; simpl; intros k t H; auto.
  apply IH in H. destruct H as [H|H]; auto. destruct (Z.eq_dec i k) as [->|N].
  - rewrite PositiveMap.gss in H. injection H as ->. auto.
  - rewrite PositiveMap.gso in H; auto. intros E. apply key_eq in E. auto.
Qed.

(** Sets. *)
Definition mem (k : positive) (t : table unit) : bool := Table.mem k t.
Definition set_of {A} (f : A -> positive) (l : list A) : table unit :=
  fold_left (fun t x => Table.add (f x) tt t) l (Table.empty unit).
(** The set, if no two entries have one key. *)
Definition distinct {A} (f : A -> positive) (l : list A) : option (table unit) :=
  fold_left (fun o x => match o with
    | Some t => if Table.mem (f x) t then None else Some (Table.add (f x) tt t)
    | None => None end) l (Some (Table.empty unit)).
Lemma mem_add k j (t : table unit) : mem k (Table.add j tt t) = true <-> k = j \/ mem k t = true.
Proof.
  unfold mem. rewrite !PositiveMap.mem_find. destruct (Pos.eq_dec k j) as [->|N].
  - rewrite PositiveMap.gss. intuition.
  - rewrite PositiveMap.gso by auto. destruct (PositiveMap.find k t); intuition congruence.
Qed.
Lemma mem_empty k : mem k (Table.empty unit) = false.
Proof. unfold mem. rewrite PositiveMap.mem_find, PositiveMap.gempty. auto. Qed.
Lemma set_of_spec {A} (f : A -> positive) l k : mem k (set_of f l) = true <-> In k (map f l).
Proof.
  unfold set_of.
  enough (G : forall t, mem k (fold_left (fun t x => Table.add (f x) tt t) l t) =
    true <-> In k (map f l) \/ mem k t = true).
  { rewrite G, mem_empty. intuition discriminate. }
  induction l as [|a l IH]; simpl; intros t. intuition. rewrite IH, mem_add. intuition congruence.
Qed.
Lemma distinct_spec {A} (f : A -> positive) l t : distinct f l = Some t ->
  NoDup (map f l) /\ forall k, mem k t = true <-> In k (map f l).
Proof.
  unfold distinct.
  enough (G : forall t0, fold_left (fun o x => match o with
      | Some t => if Table.mem (f x) t then None else Some (Table.add (f x) tt t) | None => None end) l (Some
        t0) = Some t ->
    NoDup (map f l) /\ (forall k, In k (map f l) -> mem k t0 = false) /\
    (forall k, mem k t = true <-> In k (map f l) \/ mem k t0 = true)).
  { intros H. apply G in H. destruct H as (N & _ & H). split; auto. intros k. rewrite H, mem_empty.
    intuition discriminate. }
  assert (None_stays : forall l, fold_left (fun o x => match o with
      | Some t => if Table.mem (f x) t then None else Some (Table.add (f x) tt t) | None => None end) l None
        = None).
  { clear. induction l; auto. }
  induction l as [|a l IH]; simpl; intros t0 H.
  - injection H as ->. split; [constructor|]. intuition.
  - destruct (Table.mem (f a) t0) eqn:E. rewrite None_stays in H. discriminate.
    apply IH in H. destruct H as (N & F & S). split; [|split].
    + constructor; auto. intros I. apply F in I. assert (mem (f a) (Table.add (f a) tt t0) =
        true) by (apply mem_add; auto). congruence.
    + intros k [<-|Hk]; auto. apply F in Hk. destruct (mem k t0) eqn:M; auto.
      assert (mem k (Table.add (f a) tt t0) = true) by (apply mem_add; auto). congruence.
    + intros k. rewrite S, mem_add. intuition congruence.
Qed.
Lemma nodup_keys {A} (f : A -> positive) l : NoDup (map f l) -> NoDup l.
Proof. apply NoDup_map_inv. Qed.
Definition has (t : table unit) (i : Z) : bool := mem (key i) t.
Lemma has_set l i : has (set_of key l) i = true <-> In i l.
Proof.
  unfold has. rewrite set_of_spec, in_map_iff. split; [|eauto]. intros (j & E & H). apply key_eq in E.
  congruence.
Qed.
Lemma has_distinct l t i : distinct key l = Some t -> (has t i = true <-> In i l).
Proof.
  intros D. apply distinct_spec in D. unfold has. rewrite (proj2 D), in_map_iff.
  split; [|eauto]. intros (j & E & H). apply key_eq in E. congruence.
Qed.
Lemma has_add w v t : has (Table.add (key v) tt t) w = true <-> w = v \/ has t w = true.
Proof. unfold has. rewrite mem_add. split; intros [E|H]; auto. apply key_eq in E. auto. subst. auto. Qed.

(** The numbers 0 .. n - 1. *)
Definition before (p : Z * list Z) : Z * list Z := (fst p - 1, fst p - 1 :: snd p).
Definition below (n : Z) : list Z := snd (Z.iter n before (n, [])).
Lemma below_gen m n : let p := nat_rect (fun _ => (Z * list Z)%type) (n, []) (fun _ => before) m in
  fst p = n - Z.of_nat m /\ NoDup (snd p) /\ forall x, In x (snd p) <-> n - Z.of_nat m <= x < n.
Proof.
  induction m as [|m IH]. cbn. split; [lia|]. split. constructor. lia.
  set (p := nat_rect _ _ _ m) in *. change (nat_rect _ _ _ (S m)) with (before p). destruct p as [j l].
  cbn [before fst snd] in *. destruct IH as (-> & N & I). split; [lia|]. split.
  - constructor; auto. rewrite I. lia.
  - intros x. cbn [In]. rewrite I. lia.
Qed.
Lemma below_spec n : 0 <= n -> NoDup (below n) /\ forall x, In x (below n) <-> 0 <= x < n.
Proof.
  intros H. unfold below. rewrite iter_nat_of_Z by auto. destruct (below_gen (Z.abs_nat n) n) as (_ & N & I).
  rewrite Zabs2Nat.id_abs, Z.abs_eq, Z.sub_diag in I by auto. split; auto.
Qed.
Lemma in_below n x : 0 <= n -> (In x (below n) <-> 0 <= x < n).
Proof. intros H. apply below_spec; auto. Qed.
Lemma nodup_below n : 0 <= n -> NoDup (below n).
Proof. intros H. apply below_spec; auto. Qed.

(** ** Totals over a common denominator *)
Open Scope Q_scope.
Definition common (u : Z) (q : Q) : Z := (u * (Zpos (Qden q) / Z.gcd u (Zpos (Qden q))))%Z.
Definition scaled (u : Z) (q : Q) : Z := (Qnum q * (u / Zpos (Qden q)))%Z.
Lemma common_divided u q : (0 < u)%Z -> (0 < common u q)%Z /\ (u | common u q)%Z /\
  (Zpos (Qden q) | common u q)%Z.
Proof.
  intros H. unfold common. set (d := Zpos (Qden q)). assert (0 < d)%Z by (unfold d; lia).
  destruct (Z.gcd_divide_r u d) as [y Hy]. destruct (Z.gcd_divide_l u d) as [x Hx].
  pose proof (Z.gcd_nonneg u d). remember (Z.gcd u d) as g. assert (g <> 0)%Z by (intros ->; lia).
  replace (d / g)%Z with y by (rewrite Hy, Z.div_mul; auto). split; [|split].
  - assert (0 < y)%Z by nia. nia.
  - exists y. ring.
  - exists x. rewrite Hy, Hx. ring.
Qed.
Lemma scaled_spec u q : (Zpos (Qden q) | u)%Z -> inject_Z (scaled u q) == q * inject_Z u.
Proof.
  intros [k ->]. unfold scaled. rewrite Z.div_mul by lia. unfold Qeq. simpl. rewrite !Pos.mul_1_r. ring.
Qed.

(** The row (q, keys) adds q to the account of each of its keys. *)
Record ledger := Ledger { unit_of : positive; accounts : table Z }.
Definition amount (k : positive) (t : table Z) : Z := match Table.find k t with Some z => z | None => 0%Z end.
Definition post {K} (key : K -> positive) (u : Z) (t : table Z) (r : Q * list K) : table Z :=
  let z := scaled u (fst r) in fold_left (fun t x => Table.add (key x) (amount (key x) t + z)%Z t) (snd r) t.
Definition posted {K} (key : K -> positive) (rows : list (Q * list K)) : ledger :=
  let u := fold_left (fun u r => common u (fst r)) rows 1%Z in
  Ledger (Z.to_pos u) (fold_left (post key u) rows (Table.empty Z)).
Definition balance (L : ledger) (k : positive) : Q := amount k (accounts L) # unit_of L.
Definition times {K} (key : K -> positive) (k : positive) (l : list K) : Q :=
  sum (fun x => if Pos.eqb (key x) k then 1 else 0) l.

Lemma units_divided {A} (f : A -> Q) (l : list A) u : (0 < u)%Z ->
  let v := fold_left (fun u r => common u (f r)) l u in
  (0 < v)%Z /\ (u | v)%Z /\ forall r, In r l -> (Zpos (Qden (f r)) | v)%Z.
Proof.
  revert u. induction l as [|a l IH]; simpl; intros u H. repeat split; auto using Z.divide_refl. easy.
  destruct (common_divided u (f a) H) as (P & D & D'). destruct (IH _ P) as (P' & E & F).
  repeat split; auto. eapply Z.divide_trans; eauto. intros r [<-|Hr]; auto. eapply Z.divide_trans; eauto.
Qed.
Lemma inject_if (b : bool) z : inject_Z (if b then z else 0%Z) == inject_Z z * (if b then 1 else 0).
Proof. destruct b; cbn; ring. Qed.
Lemma amount_add k j z t : amount k (Table.add j z t) = if Pos.eqb j k then z else amount k t.
Proof.
  unfold amount. destruct (Pos.eqb_spec j k) as [->|N]. rewrite PositiveMap.gss. auto.
  rewrite PositiveMap.gso by auto. auto.
Qed.
Lemma post_spec {K} (key : K -> positive) u t r k : (Zpos (Qden (fst r)) | u)%Z ->
  inject_Z (amount k (post key u t r)) == inject_Z (amount k t) + fst r * times key k (snd r) * inject_Z u.
Proof.
  intros D. apply scaled_spec in D. unfold post, times. revert t.
  induction (snd r) as [|x l IH]; intros t; cbn [fold_left sum].
  - ring.
  - rewrite IH, amount_add. destruct (Pos.eqb_spec (key x) k) as [E|]; [|ring].
    rewrite E, inject_Z_plus, D. ring.
Qed.
Lemma over_unit z u x : inject_Z z == x * inject_Z (Zpos u) -> z # u == x.
Proof. intros H. rewrite Qmake_Qdiv, H. field. unfold Qeq. simpl. lia. Qed.
Lemma balance_spec {K} (key : K -> positive) rows k :
  balance (posted key rows) k == sum (fun r => fst r * times key k (snd r)) rows.
Proof.
  unfold balance, posted. cbn [accounts unit_of]. destruct (units_divided (@fst Q (list K)) rows 1 eq_refl)
    as (P & _ & D).
  remember (fold_left (fun u r => common u (fst r)) rows 1%Z) as u. clear Hequ. apply over_unit.
  rewrite Z2Pos.id by auto.
  assert (G : forall t, inject_Z (amount k (fold_left (post key u) rows t)) ==
    inject_Z (amount k t) + sum (fun r => fst r * times key k (snd r)) rows * inject_Z u).
  { induction rows as [|r rows IH]; intros t; cbn [fold_left sum]. ring.
    rewrite IH, post_spec. ring. apply D; left; auto. intros r' H'. apply D; right; auto. }
  rewrite G. unfold amount at 1. rewrite PositiveMap.gempty. cbn. ring.
Qed.
(** A list whose entries are different contains a key once or not at all. *)
Lemma times_nodup l i : NoDup l -> times key (key i) l == if listed l i then 1 else 0.
Proof.
  intros N. unfold times. induction N as [|a l Ha N IH]; simpl. reflexivity. rewrite IH.
  destruct (Pos.eqb_spec (key a) (key i)) as [E|E].
  - apply key_eq in E. subst. rewrite Z.eqb_refl. simpl. apply listed_spec with (i := i) in N || idtac.
    destruct (listed l i) eqn:L; [|reflexivity]. apply listed_spec in L. contradiction.
  - destruct (Z.eqb_spec i a) as [->|]; [contradiction|]. simpl. ring.
Qed.
Lemma times_absent {K} (f : K -> positive) k l : (forall x, In x l -> f x <> k) -> times f k l == 0.
Proof.
  intros H. unfold times. rewrite (sum_eq _ (fun _ => 0)), sum_zero. reflexivity. intros x Hx.
  destruct (Pos.eqb_spec (f x) k) as [E|]; [|reflexivity]. apply H in Hx. contradiction.
Qed.
(** The weights of those that contain number i. *)
Lemma balance_containing P i : (forall w T, In (w, T) P -> NoDup T) ->
  balance (posted key P) (key i) == containing i P.
Proof.
  intros H. rewrite balance_spec. unfold containing. rewrite sum_filter. apply sum_eq. intros [w T] Hw.
  cbn [fst snd].
  rewrite times_nodup by eauto. destruct (listed T i); ring.
Qed.

(** The sum of a list. *)
Definition added {A} (f : A -> Q) (l : list A) : Q :=
  let u := fold_left (fun u x => common u (f x)) l 1%Z in
  fold_left (fun z x => (z + scaled u (f x))%Z) l 0%Z # Z.to_pos u.
Lemma added_spec {A} (f : A -> Q) l : added f l == sum f l.
Proof.
  unfold added. destruct (units_divided f l 1 eq_refl) as (P & _ & D).
  remember (fold_left (fun u x => common u (f x)) l 1%Z) as u. clear Hequ. apply over_unit.
  rewrite Z2Pos.id by auto.
  assert (G : forall z, inject_Z (fold_left (fun z x => (z + scaled u (f x))%Z) l z) ==
    inject_Z z + sum f l * inject_Z u).
  { induction l as [|r rows IH]; intros z; cbn [fold_left sum]. ring.
    rewrite IH, inject_Z_plus, scaled_spec. ring. apply D; left; auto. intros r' H'. apply D; right; auto. }
  rewrite G. cbn. ring.
Qed.
Definition less (x y : Q) : bool := negb (Qle_bool y x).
Lemma less_spec x y : less x y = true -> x < y.
Proof.
  unfold less. rewrite negb_true_iff. intros H. apply Qnot_le_lt. intros L. apply Qle_bool_iff in L.
  congruence.
Qed.
(** Turn a conjunction of tests into hypotheses. *)
Ltac split_tests := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H
  | H : Qle_bool _ _ = true |- _ => apply Qle_bool_iff in H
  | H : Qeq_bool _ _ = true |- _ => apply Qeq_bool_iff in H
  | H : less _ _ = true |- _ => apply less_spec in H
  | H : (_ <=? _)%Z = true |- _ => apply Z.leb_le in H
  | H : (_ <? _)%Z = true |- _ => apply Z.ltb_lt in H
  | H : negb _ = true |- _ => apply negb_true_iff in H
  end.
