(** Weighted parts of an order, and the weight of those that contain one place and not another: O(log n) for
    each question, since a tree of the stops is kept for every start. *)
From Coq Require Import QArith List ZArith Lia Lqa Bool FMapPositive.
From Exactsched.minmax Require Import Sums Definitions Tables.
Import ListNotations.
Open Scope Z_scope.

(** From [start], before [stop], and a weight. *)
Definition interval := (Z * Z * Q)%type.
Definition start (c : interval) : Z := fst (fst c).
Definition stop (c : interval) : Z := snd (fst c).
Definition in_interval (c : interval) (p : option Z) : bool :=
  match p with Some p => (start c <=? p) && (p <? stop c) | None => false end.

(** Numbers with weights: the tree for the widths h :: ws has those below h in its low part. *)
Inductive tree := Empty | Fork (weight : Z) (low high : tree).
Definition total_of (t : tree) : Z := match t with Empty => 0 | Fork w _ _ => w end.
Definition low (t : tree) : tree := match t with Empty => Empty | Fork _ l _ => l end.
Definition high (t : tree) : tree := match t with Empty => Empty | Fork _ _ h => h end.
Fixpoint fits (ws : list Z) (k : Z) : bool :=
  match ws with [] => k =? 0 | h :: ws => if k <? h then fits ws k else fits ws (k - h) end.
Fixpoint put (ws : list Z) (k w : Z) (t : tree) : tree :=
  match ws with
  | [] => Fork (total_of t + w) Empty Empty
  | h :: ws => if k <? h then Fork (total_of t + w) (put ws k w (low t)) (high t)
               else Fork (total_of t + w) (low t) (put ws (k - h) w (high t))
  end.
(** The weight of the numbers above x. *)
Fixpoint above (ws : list Z) (x : Z) (t : tree) : Z :=
  match ws with
  | [] => if x <? 0 then total_of t else 0
  | h :: ws => if x <? h then above ws x (low t) + total_of (high t) else above ws (x - h) (high t)
  end.
(** Powers of two, the largest first, for numbers up to n. *)
Fixpoint widths (n : positive) (w : Z) (done : list Z) : list Z :=
  match n with xH => w :: done | xO n | xI n => widths n (2 * w) (w :: done) end.

(** For each start, the stops and weights; then, for each place, the tree of the intervals that start there
    or before. *)
Definition bucket (b : table (list (Z * Z))) (s : Z) : list (Z * Z) :=
  match find s b with Some l => l | None => [] end.
Definition buckets (u : Z) (cuts : list interval) : table (list (Z * Z)) :=
  fold_left (fun b c => Table.add (key (start c)) ((stop c, scaled u (snd c)) :: bucket b (start c)) b) cuts
    (Table.empty (list (Z * Z))).
Record scan := Scan { place : Z; so_far : tree; kept : table tree }.
Definition advance (ws : list Z) (b : table (list (Z * Z))) {A} (s : scan) (_ : A) : scan :=
  let t := fold_left (fun t e => put ws (fst e) (snd e) t) (bucket b (place s)) (so_far s) in
  Scan (place s + 1) t (Table.add (key (place s)) t (kept s)).
Record sweep := Sweep { unit_ : Z; stops : list Z; versions : table tree }.
Definition swept {A} (order : list A) (cuts : list interval) : sweep :=
  let u := fold_left (fun u c => common u (snd c)) cuts 1 in
  let ws := widths (Z.to_pos (fold_left (fun n _ => n + 1) order 1)) 1 [] in
  Sweep u ws (kept (fold_left (advance ws (buckets u cuts)) order (Scan 0 Empty (Table.empty tree)))).
Definition starts_before (s : sweep) (p x : Z) : option Z :=
  match find p (versions s) with Some t => Some (above (stops s) x t) | None => None end.
(** The weight of the intervals that contain h and not t. *)
Definition entered (s : sweep) (t h : option Z) : option Q :=
  match h with
  | None => Some 0%Q
  | Some p => match starts_before s p p with
    | None => None
    | Some all_ => match t with
      | None => Some (all_ # Z.to_pos (unit_ s))
      | Some q => match starts_before s (Z.min p q) (Z.max p q) with
        | Some both => Some (all_ - both # Z.to_pos (unit_ s)) | None => None end
      end
    end
  end.
Definition check_intervals (s : sweep) (cuts : list interval) : bool :=
  all (fun c => (0 <=? start c) && fits (stops s) (stop c)) cuts.

Lemma total_put ws k w t : total_of (put ws k w t) = total_of t + w.
Proof. destruct ws as [|h ws]; cbn; [auto|]. destruct (k <? h); auto. Qed.
Lemma above_put ws : forall k w x t, fits ws k = true ->
  above ws x (put ws k w t) = above ws x t + if x <? k then w else 0.
Proof.
  induction ws as [|h ws IH]; cbn [fits put above]; intros k w x t F.
  - apply Z.eqb_eq in F. subst k. cbn [total_of]. destruct (x <? 0); lia.
  - destruct (Z.ltb_spec k h), (Z.ltb_spec x h); cbn [low high].
    + rewrite IH by auto. lia.
    + destruct (Z.ltb_spec x k); lia.
    + rewrite total_put. destruct (Z.ltb_spec x k); lia.
    + rewrite IH by auto. replace (x - h <? k - h) with (x <? k); auto. apply eq_true_iff_eq.
      rewrite !Z.ltb_lt. lia.
Qed.
Lemma above_empty ws x : above ws x Empty = 0.
Proof.
  revert x. induction ws as [|h ws IH]; cbn; intros x. destruct (x <? 0); auto.
  rewrite !IH. destruct (x <? h); auto.
Qed.

Open Scope Q_scope.
Section Sweep.
Variables (u : Z) (ws : list Z) (cuts : list interval).
Hypothesis starts_fit : forall c, In c cuts -> (0 <= start c)%Z.
Hypothesis stops_fit : forall c, In c cuts -> fits ws (stop c) = true.
Definition z (c : interval) : Q := inject_Z (scaled u (snd c)).
(** The weight of the intervals that start at p or before and stop behind x. *)
Definition heavy (p x : Z) : Q := sum (fun c => if (start c <=? p)%Z && (x <? stop c)%Z then z c else 0) cuts.

Lemma bucket_add b s l t : bucket (Table.add (key s) l b) t = if (t =? s)%Z then l else bucket b t.
Proof.
  unfold bucket, find. destruct (Z.eqb_spec t s) as [->|N]. rewrite PositiveMap.gss. auto.
  rewrite PositiveMap.gso; auto. intros E. apply key_eq in E. auto.
Qed.
Lemma buckets_spec s (g : Z * Z -> Q) :
  sum g (bucket (buckets u cuts) s) ==
  sum (fun c => if (s =? start c)%Z then g (stop c, scaled u (snd c)) else 0) cuts.
Proof.
  unfold buckets. enough (G : forall b, sum g (bucket (fold_left (fun b c => Table.add (key (start c))
    ((stop c, scaled u (snd c)) :: bucket b (start c)) b) cuts b) s) ==
    sum (fun c => if (s =? start c)%Z then g (stop c, scaled u (snd c)) else 0) cuts + sum g (bucket b s)).
  { rewrite G. unfold bucket at 1, find. rewrite PositiveMap.gempty. cbn [sum]. ring. }
  clear. induction cuts as [|c l IH]; intros b; cbn [fold_left sum]. ring.
  rewrite IH, bucket_add. destruct (Z.eqb_spec s (start c)) as [->|]; cbn [sum]; ring.
Qed.
Lemma buckets_in s e : In e (bucket (buckets u cuts) s) -> fits ws (fst e) = true.
Proof.
  unfold buckets. revert stops_fit. clear. intros F.
  enough (G : forall b, (forall s e, In e (bucket b s) -> fits ws (fst e) = true) ->
    forall e, In e (bucket (fold_left (fun b c =>
    Table.add (key (start c)) ((stop c, scaled u (snd c)) :: bucket b (start c)) b) cuts b) s) ->
      fits ws (fst e) = true).
  { apply G. intros s' e' H. unfold bucket, find in H. rewrite PositiveMap.gempty in H. easy. }
  induction cuts as [|c l IH]; intros b B e' H; cbn [fold_left] in H; [eauto|]. eapply IH; [|..|exact H].
  - intros c' Hc. apply F. right. auto.
  - intros s' e'' H'. rewrite bucket_add in H'. destruct (s' =? start c)%Z; [|eauto].
    destruct H' as [<-|H']; [|eauto]. apply F. left. auto.
Qed.
Lemma put_all l : (forall e, In e l -> fits ws (fst e) = true) -> forall t x,
  inject_Z (above ws x (fold_left (fun t e => put ws (fst e) (snd e) t) l t)) ==
  inject_Z (above ws x t) + sum (fun e => if (x <? fst e)%Z then inject_Z (snd e) else 0) l.
Proof.
  induction l as [|e l IH]; intros F t x; cbn [fold_left sum]. ring.
  rewrite IH by (intros; apply F; right; auto). rewrite above_put by (apply F; left; auto).
  rewrite inject_Z_plus.
  destruct (x <? fst e)%Z; [ring|]. change (inject_Z 0) with 0. ring.
Qed.
Definition holds (p : Z) (t : tree) : Prop := forall x, inject_Z (above ws x t) == heavy p x.
Lemma advance_holds {A} (l : list A) : forall s, holds (place s - 1) (so_far s) ->
  (forall p t, find p (kept s) = Some t -> holds p t) ->
  forall p t, find p (kept (fold_left (advance ws (buckets u cuts)) l s)) = Some t -> holds p t.
Proof.
  induction l as [|a l IH]; cbn [fold_left]; intros s H K; auto. destruct s as [q t k].
  cbn [place so_far kept] in *. unfold advance at 2.
  cbn [place so_far kept]. set (t' := fold_left _ _ t).
  assert (H' : holds q t').
  { intros x. unfold t'. rewrite put_all by (apply buckets_in). rewrite (H x), buckets_spec. unfold heavy.
    rewrite <- sum_plus.
    apply sum_eq. intros c _. cbn [fst snd]. fold (z c).
    destruct (Z.leb_spec (start c) (q - 1)), (Z.leb_spec (start c) q), (Z.eqb_spec q (start c)); try lia;
    destruct (x <? stop c)%Z; cbn [andb]; ring. }
  apply IH; cbn [place so_far kept].
  - replace (q + 1 - 1)%Z with q by lia. auto.
  - intros p tr. unfold find. destruct (Z.eq_dec p q) as [->|N].
    + rewrite PositiveMap.gss. intros E. injection E as <-. auto.
    + rewrite PositiveMap.gso; [apply K|]. intros E. apply key_eq in E. auto.
Qed.
Lemma nothing_before : holds (0 - 1) Empty.
Proof.
  intros x. rewrite above_empty. unfold heavy. rewrite (sum_eq _ (fun _ => 0)), sum_zero. reflexivity.
  intros c Hc. apply starts_fit in Hc. destruct (Z.leb_spec (start c) (0 - 1)); [lia|reflexivity].
Qed.
End Sweep.

Lemma entered_spec {A} (order : list A) cuts t h q : check_intervals (swept order cuts) cuts = true ->
  entered (swept order cuts) t h = Some q ->
  q == sum (fun c => if in_interval c h && negb (in_interval c t) then snd c else 0) cuts.
Proof.
  intros F. set (s := swept order cuts) in *.
  destruct (units_divided (@snd (Z * Z) Q) cuts 1 eq_refl) as (P & _ & D).
  change (fold_left (fun u c => common u (snd c)) cuts 1%Z) with (unit_ s) in *.
  assert (Before : forall p x y, starts_before s p x = Some y ->
    inject_Z y ==
    sum (fun c => if (start c <=? p)%Z && (x <? stop c)%Z then snd c else 0) cuts * inject_Z (unit_ s)).
  { intros p x y. unfold starts_before. destruct (find p (versions s)) as [tr|] eqn:E; [|discriminate].
    intros Y. injection Y as <-.
    unfold s, swept in E. cbn [versions] in E. eapply advance_holds in E.
    - rewrite (E x). unfold heavy. rewrite Qmult_comm, <- sum_scale. apply sum_eq. intros c Hc. unfold z.
      destruct (_ && _); [|ring]. rewrite Qmult_comm. apply scaled_spec. apply D. auto.
    - intros c Hc. pose proof (all_spec _ _ F _ Hc) as T. cbv beta in T. split_tests. auto.
    - apply nothing_before. intros c Hc. pose proof (all_spec _ _ F _ Hc) as T. cbv beta in T. split_tests.
      auto.
    - intros p' t'. unfold find. cbn [kept]. rewrite PositiveMap.gempty. discriminate. }
  unfold entered. destruct h as [p|].
  2: { intros E. injection E as <-. rewrite (sum_eq _ (fun _ => 0)), sum_zero. reflexivity. intros c _.
     reflexivity. }
  destruct (starts_before s p p) as [one|] eqn:E1; [|discriminate]. apply Before in E1. destruct t as [r|].
  - destruct (starts_before s (Z.min p r) (Z.max p r)) as [both|] eqn:E2; [|discriminate]. apply Before in E2.
    intros E. injection E as <-. apply over_unit. rewrite Z2Pos.id by auto. unfold Z.sub.
    assert (M : forall a b u : Q, a * u + - (b * u) == (a - b) * u) by (intros; ring).
    rewrite inject_Z_plus, inject_Z_opp, E1, E2, M, <- sum_minus. apply Qmult_comp; [|reflexivity].
    apply sum_eq. intros c _. unfold in_interval.
    destruct (Z.leb_spec (start c) p), (Z.ltb_spec p (stop c)), (Z.leb_spec (start c) r),
      (Z.ltb_spec r (stop c)), (Z.leb_spec (start c) (Z.min p r)), (Z.ltb_spec (Z.max p r) (stop c));
      try lia; cbn; ring.
  - intros E. injection E as <-. apply over_unit. rewrite Z2Pos.id by auto. rewrite E1.
    apply Qmult_comp; [|reflexivity].
    apply sum_eq. intros c _. cbn [in_interval negb]. rewrite andb_true_r. reflexivity.
Qed.
