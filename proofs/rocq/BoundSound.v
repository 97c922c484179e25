(** If the checker accepts prices with cuts, distances or potentials, no schedule has a larger throughput. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool FMapPositive.
From Exactsched Require Import Model Names Sums Time Bound Potentials Collectives Checker ScheduleSound.
Import ListNotations.
Open Scope Z_scope.

(** ** Helpful facts *)
Lemma fold_put {A B} (key : A -> positive) (val : A -> B) l : forall m p v,
  find p (fold_left (fun m x => put (key x) (val x) m) l m) = Some v ->
  (exists x, In x l /\ key x = p /\ val x = v) \/ find p m = Some v.
Proof.
  induction l as [|a l IH]; simpl; intros m p v E; auto. apply IH in E. destruct E as [(x & Hx & E)|E].
  - left. exists x. split; [right|]; auto.
  - apply find_put in E. destruct E as [[<- <-]|[_ E]]; auto. left. exists a. split; [left|]; auto.
Qed.
Lemma fold_put_keeps {A B} (key : A -> positive) (val : A ->
  B) l : forall m p, (exists v, find p m = Some v) ->
  exists v, find p (fold_left (fun m x => put (key x) (val x) m) l m) = Some v.
Proof.
  induction l as [|a l IH]; simpl; intros m p E; auto. apply IH.
  destruct (Pos.eq_dec (key a) p) as [->|N]. rewrite find_same. eauto. rewrite find_other; auto.
Qed.
Lemma inject_le a b : (inject_Z a <= inject_Z b)%Q <-> a <= b.
Proof. rewrite <- Zle_Qle. tauto. Qed.
Lemma inject_0 : inject_Z 0 = 0%Q.
Proof. auto. Qed.
(** w / 1 <= time * r, without fractions. *)
Lemma scaled_le w (t : Q) r : w * Z.pos (Qden t) <= Qnum t * r <-> (inject_Z w <= t * inject_Z r)%Q.
Proof. unfold Qle. simpl. rewrite !Pos.mul_1_r, Z.mul_1_r. tauto. Qed.

(** ** Prices *)
Definition in_Q (y : price_list) : prices :=
  Prices (map (fun ry => (fst ry, inject_Z (snd ry))) (resource_prices y))
         (map (fun Ry => (fst Ry, inject_Z (snd Ry))) (odd_prices y)).
Lemma prices_ok_spec y : prices_ok y = true ->
  (forall ry, In ry (resource_prices y) -> 0 <= snd ry) /\ (forall Ry, In Ry (odd_prices y) -> 0 <= snd Ry).
Proof. unfold prices_ok. rewrite andb_true_iff, !forallb_forall. intros [E1 E2].
  split; intros; apply Z.leb_le; auto. Qed.
Lemma prices_nonneg y : prices_ok y = true -> nonneg (in_Q y).
Proof.
  intros E. apply prices_ok_spec in E. destruct E as [E1 E2].
  split; intros r p I; simpl in I; apply in_map_iff in I; destruct I as ((r' & z) & I & H);
    injection I as <- <-;
  rewrite <- inject_0, inject_le; [apply (E1 _ H)|apply (E2 _ H)].
Qed.
Lemma total_sum y : (total (in_Q y) == inject_Z (sum_of_prices y))%Q.
Proof.
  unfold total, sum_of_prices, in_Q. cbn [for_resources for_odd_sets].
  rewrite inject_Z_plus, !sum_map, <- !sum_inject.
  apply Qplus_comp; apply sum_eq; intros [R p] _; simpl; [reflexivity|]. rewrite inject_Z_mult.
  unfold count, capacity. rewrite Nat.div2_div, Nat2Z.inj_div. reflexivity.
Qed.

Section Rate.
Variable y : price_list.
Hypothesis ok : prices_ok y = true.
Variable k : task.
Let f (ry : resource * Z) : Q := if uses_it (fst ry) k then inject_Z (snd ry) else 0%Q.
Let l := resource_prices y.
Lemma f_nonneg ry : In ry l -> (0 <= f ry)%Q.
Proof.
  intros H. apply prices_ok_spec in ok. destruct ok as [E1 _]. unfold f. destruct uses_it; [|lra].
  rewrite <- inject_0, inject_le. auto.
Qed.
Lemma price_in r : find (resource_code r) (price_map l) = None \/
  exists p, find (resource_code r) (price_map l) = Some p /\ In (r, p) l.
Proof.
  destruct (find (resource_code r) (price_map l)) as [p|] eqn:E; auto. right. exists p. split; auto.
  unfold price_map in E. apply (fold_put (fun ry : resource * Z => resource_code (fst ry)) snd) in E.
  rewrite find_none in E. destruct E as [((r' & p') & H & E1 & E2)|E]; [|discriminate].
  simpl in *. apply resource_code_inj in E1. subst. auto.
Qed.
Lemma f_used r p : In r (uses k) -> f (r, p) = inject_Z p.
Proof. intros H. apply uses_it_spec in H. unfold f. simpl. rewrite H. auto. Qed.
Lemma value_paid r : In r (uses k) -> (inject_Z (value (resource_code r) (price_map l)) <= sum f l)%Q.
Proof.
  intros H. unfold value. destruct (price_in r) as [->|(p & -> & I)]; simpl.
  - apply sum_nonneg. apply f_nonneg.
  - rewrite <- (f_used r p H). apply sum_member; auto. apply f_nonneg.
Qed.
Lemma two_paid r s : In r (uses k) -> In s (uses k) -> r <> s ->
  (inject_Z (value (resource_code r) (price_map l) + value (resource_code s) (price_map l)) <= sum f l)%Q.
Proof.
  intros Hr Hs ne. pose proof (value_paid r Hr) as P. pose proof (value_paid s Hs) as P'.
  rewrite inject_Z_plus.
  unfold value in *. destruct (price_in r) as [E|(p & E & I)]; rewrite E in *; [cbn [or_zero] in *;
    rewrite inject_0 in *; lra|].
  destruct (price_in s) as [E'|(p' & E' & I')]; rewrite E' in *; [cbn [or_zero] in *; rewrite inject_0 in *;
    lra|]. cbn [or_zero] in *.
  rewrite <- (f_used r p Hr), <- (f_used s p' Hs).
  apply Qle_trans with (sum f [(r, p); (s, p')]); [simpl; lra|]. apply sum_incl; auto using f_nonneg.
  - constructor. intros [F|[]]. congruence. constructor; auto. constructor.
  - intros x [<-|[<-|[]]]; auto.
Qed.
Lemma odd_in r Ry : member (resource_code r) (fst (odd_map Ry)) = true -> In r (fst Ry).
Proof.
  intros E. apply member_spec in E. destruct E as [v E]. simpl in E.
  apply (fold_put resource_code (fun _ => 0)) in E. rewrite find_none in E.
  destruct E as [(x & H & E & _)|E]; [|discriminate]. apply resource_code_inj in E. subst. auto.
Qed.
Lemma odd_inside r s R : In r (uses k) -> In s (uses k) -> r <> s -> In r R -> In s R -> inside R k = true.
Proof.
  intros Hr Hs ne Ir Is. apply Nat.leb_le.
  apply (NoDup_incl_length (l := [r; s])).
  - constructor. intros [F|[]]. congruence. constructor; auto. constructor.
  - intros x [<-|[<-|[]]]; apply filter_In; split; auto; apply uses_it_spec; auto.
Qed.
Lemma odd_paid r s : In r (uses k) -> In s (uses k) -> r <> s ->
  (inject_Z (sumZ (fun oy : map_of Z * Z => if member (resource_code r) (fst oy)
      then if member (resource_code s) (fst oy) then snd oy else 0%Z else 0%Z) (odds_of (maps_of y)))
   <= sum (fun Ry : list resource * Q => if inside (fst Ry) k then snd Ry else 0) (for_odd_sets (in_Q y)))%Q.
Proof.
  intros Hr Hs ne. simpl. rewrite <- sum_inject, !sum_map. apply sum_le. intros Ry H.
  assert (N : (0 <= inject_Z (snd Ry))%Q).
  { apply prices_ok_spec in ok. destruct ok as [_ E2]. rewrite <- inject_0, inject_le. auto. }
  destruct (member (resource_code r) (fst (odd_map Ry))) eqn:E1;
  [destruct (member (resource_code s) (fst (odd_map Ry))) eqn:E2|];
  cbn [fst snd odd_map]; rewrite ?inject_0; try (destruct (inside (fst Ry) k); lra).
  apply odd_in in E1, E2. rewrite (odd_inside r s (fst Ry)); auto. lra.
Qed.
Theorem rate_paid : (inject_Z (rate (maps_of y) (uses k)) <= paid (in_Q y) k)%Q.
Proof.
  unfold paid, in_Q. cbn [for_resources]. rewrite sum_map. simpl.
  change (sum (fun x : resource * Z => if uses_it (fst x) k then
    inject_Z (snd x) else 0%Q) (resource_prices y)) with (sum f l).
  assert (O : (0 <= sum (fun Ry : list resource * Q => if inside (fst Ry) k then
    snd Ry else 0) (for_odd_sets (in_Q y)))%Q).
  { apply sum_nonneg. intros [R p] H. simpl. destruct (inside R k); [|lra].
    destruct (prices_nonneg y ok) as [_ N]. eauto. }
  pose proof odd_paid as OP. cbn [in_Q for_odd_sets] in *.
  destruct (uses k) as [|r [|s rest]] eqn:U; simpl rate.
  - rewrite inject_0. assert (0 <= sum f l)%Q by (apply sum_nonneg, f_nonneg). lra.
  - pose proof (value_paid r) as V. rewrite U in V. specialize (V (or_introl eq_refl)).
    unfold l in *. cbn [prices_of maps_of]. lra.
  - unfold rate_of_two. cbn [prices_of maps_of]. fold l.
    assert (Hr : In r (uses k)) by (rewrite U; left; auto). assert (Hs : In s (uses k)) by (rewrite U; right;
      left; auto).
    destruct (Pos.eqb_spec (resource_code r) (resource_code s)) as [E|E].
    + pose proof (value_paid r Hr). lra.
    + assert (ne : r <> s) by congruence. rewrite <- U in OP.
      pose proof (two_paid r s Hr Hs ne) as T. pose proof (OP r s Hr Hs ne) as OP'.
      rewrite inject_Z_plus. lra.
Qed.
End Rate.

Lemma rate_pays y k w : prices_ok y = true -> (0 < lasts k)%Q ->
  (inject_Z w <= lasts k * inject_Z (rate (maps_of y) (uses k)))%Q ->
    (inject_Z w <= lasts k * paid (in_Q y) k)%Q.
Proof.
  intros ok L H. eapply Qle_trans; [exact H|]. apply Qmult_le_l; auto. apply rate_paid; auto.
Qed.

Lemma quotient_bound S Y W U y w : quotient Y W = Some U -> (y * inject_Z W == w * inject_Z Y)%Q ->
  (0 < w)%Q ->
  (forall s M K, (0 <= K)%Q -> valid S s -> completes S s M K -> (count M * w <= K * y)%Q) -> never_more S U.
Proof.
  unfold quotient. destruct (Z.ltb_spec 0 W) as [P|]; [|discriminate]. intros E E2 Hw B. injection E as <-.
  intros s M K HK V C. specialize (B s M K HK V C).
  assert (PQ : (0 < inject_Z W)%Q) by (rewrite <- inject_0, <- Zlt_Qlt; auto).
  apply Qmult_le_r with w; auto. eapply Qle_trans; [exact B|].
  apply Qmult_le_r with (inject_Z W); auto.
  assert (X : (inject_Z Y / inject_Z W * K * w * inject_Z W == K * (w * inject_Z Y))%Q) by (field; lra).
  rewrite X, <- E2. lra.
Qed.

(** ** Cuts *)
Section Sweep.
Variable cs : list Checker.cut.
Hypothesis starts_at : forall c, In c cs -> 1 <= begins c < ends c.

Lemma bucket_sum (f : Checker.cut -> Z) l : forall m p, sumZ f (bucket (fold_left (fun m c => let p :=
  Z.to_pos (begins c) in put p (c :: bucket m p) m) l m) p)
  = sumZ f (bucket m p) + sumZ (fun c => if (Z.to_pos (begins c) =? p)%positive then f c else 0) l.
Proof.
  induction l as [|c l IH]; simpl; intros m p. rewrite sumZ_nil. lia.
  rewrite IH, sumZ_cons. unfold bucket at 1. destruct (Pos.eqb_spec (Z.to_pos (begins c)) p) as [<-|N].
  - rewrite find_same, sumZ_cons. lia.
  - rewrite find_other by auto. unfold bucket. lia.
Qed.
Lemma sum_filtered (f : Checker.cut -> Z) (b : Checker.cut ->
  bool) l : sumZ f (filter b l) = sumZ (fun c => if b c then f c else 0) l.
Proof. induction l as [|c l IH]; auto. simpl. rewrite sumZ_cons. destruct (b c); rewrite ?sumZ_cons; lia. Qed.
Lemma sum_onto (f : Checker.cut -> Z) l : forall h, sumZ f (fold_left (fun h c => c :: h) l h) = sumZ f h +
  sumZ f l.
Proof. induction l as [|c l IH]; simpl; intros h. rewrite sumZ_nil. lia. rewrite IH, !sumZ_cons. lia. Qed.
Lemma sumZ_plus {A} (f g : A -> Z) l : sumZ (fun x => f x + g x) l = sumZ f l + sumZ g l.
Proof. induction l as [|c l IH]; auto. rewrite !sumZ_cons. lia. Qed.

(** The list of cuts at a position sums up as all cuts that hold the position. *)
Definition held (q : Z) (l : list Checker.cut) : Prop :=
  forall f : Checker.cut -> Z, sumZ f l = sumZ (fun c => if holds c q then f c else 0) cs.
Definition agree (m : map_of (list Checker.cut)) (pos : map_of Z) : Prop :=
  forall v, match find v pos with None => find v m = None | Some q => exists l, find v m = Some l /\
    held q l end.
Lemma sweep_agrees order : forall p open m pos, held (Z.pos p - 1) open -> agree m pos ->
  agree (sweep (by_start cs) p order open m) (positions (Z.pos p) order pos).
Proof.
  induction order as [|v order IH]; cbn [sweep positions]; intros p open m pos O A; auto.
  set (here := fold_left _ _ _).
  assert (Hh : held (Z.pos p) here).
  { intros f. unfold here. rewrite sum_onto, sum_filtered, O. unfold by_start. rewrite bucket_sum.
    unfold bucket at 1. rewrite find_none, sumZ_nil, Z.add_0_l, <- sumZ_plus. apply sumZ_ext. intros c Hc.
    pose proof (starts_at c Hc) as L. unfold holds, begins, ends in *. destruct c as [[b e] w].
    cbn [fst snd] in *.
    destruct (Z.leb_spec b (Z.pos p)), (Z.ltb_spec (Z.pos p) e), (Z.leb_spec b (Z.pos p - 1)),
      (Z.ltb_spec (Z.pos p - 1) e),
      (Pos.eqb_spec (Z.to_pos b) p); cbn [andb]; lia. }
  replace (Z.pos p + 1) with (Z.pos (Pos.succ p)) by lia. apply IH.
  - replace (Z.pos (Pos.succ p) - 1) with (Z.pos p) by lia. auto.
  - intros u. destruct (Pos.eq_dec (node_code v) u) as [<-|N].
    + rewrite !find_same. eauto.
    + rewrite !find_other by auto. apply A.
Qed.
Lemma holding_agrees order : agree (sweep (by_start cs) 1 order [] none) (positions 1 order none).
Proof.
  apply sweep_agrees.
  - intros f. rewrite sumZ_nil. symmetry. transitivity (sumZ (fun _ : Checker.cut => 0) cs);
      [apply sumZ_ext|].
    + intros c Hc. pose proof (starts_at c Hc) as L. unfold holds, begins, ends in *. destruct c as [[b e] w].
      simpl in *.
      destruct (Z.leb_spec b 0); auto. lia.
    + clear. induction cs as [|c l IH]; auto.
  - intros v. rewrite !find_none. auto.
Qed.

Lemma entered_weight_spec order a : let pos := positions 1 order none in
  entered_weight (sweep (by_start cs) 1 order [] none) pos a
  = sumZ (fun c => if in_cut pos c (head a) && negb (in_cut pos c (tail a)) then weight c else 0) cs.
Proof.
  intros pos. unfold entered_weight, in_cut. pose proof (holding_agrees order (node_code (head a))) as A.
  fold pos in A.
  destruct (find (node_code (head a)) pos) as [q|].
  - destruct A as (l & -> & Hl). destruct (find (node_code (tail a)) pos) as [t|]; rewrite Hl; apply sumZ_ext;
      intros c _;
    destruct (holds c q); simpl; auto. destruct (holds c t); auto.
  - rewrite A. clear. induction cs as [|c l IH]; auto.
Qed.
End Sweep.

Lemma cut_ok_spec order targets pos l c :
  (forall v, member (node_code v) targets = true -> In v l) ->
  cut_ok order targets pos l c = true ->
  0 <= weight c /\ 1 <= begins c < ends c /\ exists v, In v l /\ in_cut pos c v = true.
Proof.
  intros T. unfold cut_ok. rewrite !andb_true_iff, !Z.leb_le. intros [[C1 C2] C3].
  destruct (find _ order) as [v|]; [|discriminate].
  assert (E : exists v, In v l /\ in_cut pos c v = true).
  { destruct (member (node_code v) targets && in_cut pos c v) eqn:E.
    - apply andb_true_iff in E. destruct E as [E1 E2]. eauto.
    - apply existsb_exists in C3. auto. }
  split; auto. split; auto. destruct E as (u & _ & E). unfold in_cut in E.
  destruct (find _ pos) as [q|]; [|discriminate].
  unfold holds, begins, ends in *. destruct c as [[b e] w]. simpl in *. apply andb_true_iff in E.
  rewrite Z.leb_le, Z.ltb_lt in E. lia.
Qed.
Lemma node_map_in l v : member (node_code v) (node_map l) = true -> In v l.
Proof.
  intros E. apply member_spec in E. destruct E as [x E]. unfold node_map in E.
  apply (fold_put node_code (fun _ => 0)) in E. rewrite find_none in E.
  destruct E as [(u & H & E & _)|E]; [|discriminate].
  apply node_code_inj in E. subst. auto.
Qed.

(** The cuts of the checker, as sets of states with weights. *)
Definition cuts_in_Q (b : Checker.cut_bound) : list ((state -> bool) * Q) :=
  map (fun c => (fun x : state => in_cut (positions 1 (order b) none) c (place x),
    inject_Z (weight c))) (cuts b).
Theorem cuts_facts p arcs source targets b U : check_cuts p arcs source targets b = Some U ->
  let S := multicast p arcs source targets in
  let y := in_Q (cut_prices b) in
  (forall k, In k (tasks S) -> (0 < lasts k)%Q) /\ nonneg y /\ proper_cuts S (cuts_in_Q b) /\
  (forall k, In k (tasks S) -> (crossed (cuts_in_Q b) k <= lasts k * paid y k)%Q) /\
  (sum snd (cuts_in_Q b) == inject_Z (sumZ weight (cuts b)))%Q /\ 0 < sumZ weight (cuts b) /\
  quotient (sum_of_prices (cut_prices b)) (sumZ weight (cuts b)) = Some U.
Proof.
  intros E S y'. unfold check_cuts in E. set (pos := positions 1 (order b) none) in E.
  set (y := cut_prices b) in *.
  destruct (_ && _) eqn:E0 in E; [|discriminate]. rewrite !andb_true_iff, !forallb_forall in E0.
  destruct E0 as [[[E1 E2] E3] E4]. apply negb_true_iff, member_false in E2.
  assert (Cut : forall c, In c (cuts b) -> 0 <= weight c /\ 1 <= begins c < ends c /\
    exists v, In v targets /\ in_cut pos c v = true).
  { intros c Hc. eapply cut_ok_spec; [apply node_map_in|]. apply E3; auto. }
  assert (Start : forall c, In c (cuts b) -> 1 <= begins c < ends c) by (intros c Hc; apply Cut; auto).
  assert (Lasts : forall k, In k (tasks S) -> (0 < lasts k)%Q).
  { intros k Hk. simpl in Hk. apply in_map_iff in Hk. destruct Hk as (a & <- & Ha). specialize (E4 a Ha).
    apply andb_true_iff in E4. destruct E4 as [E4 _]. apply Z.ltb_lt in E4. apply Qpos in E4. simpl. lra. }
  split; [auto|]. split; [apply prices_nonneg; auto|]. split; [|split; [|split; [|split; auto]]].
  - intros X w H. apply in_map_iff in H. destruct H as (c & I & Hc). injection I as <- <-.
    destruct (Cut c Hc) as (C1 & C2 & v & V1 & V2). split; [|split].
    + rewrite <- inject_0, inject_le. auto.
    + simpl. intros x [<-|[]]. simpl. unfold in_cut. fold pos. rewrite E2. auto.
    + exists (At (Message 0) v). split; auto. simpl. apply in_map. auto.
  - intros k Hk. pose proof (Lasts k Hk) as Lk. simpl in Hk. apply in_map_iff in Hk.
    destruct Hk as (a & <- & Ha).
    specialize (E4 a Ha). apply andb_true_iff in E4. destruct E4 as [_ E4]. unfold pays in E4.
    set (w := entered_weight _ _ _) in E4.
    assert (Ew : (crossed (cuts_in_Q b) (transfer p (Message 0) 1 a) == inject_Z w)%Q).
    { unfold w. rewrite entered_weight_spec by auto. fold pos. unfold crossed, cuts_in_Q.
      rewrite sum_map, <- sum_inject.
      apply sum_eq. intros c _. unfold enters. simpl. rewrite orb_false_r. fold pos.
      destruct (_ && _); reflexivity. }
    rewrite Ew. destruct (Z.eqb_spec w 0) as [w0|_].
    + rewrite w0, inject_0. apply Qmult_le_0_compat; [lra|]. apply paid_nonneg. apply prices_nonneg; auto.
    + apply Z.leb_le, scaled_le in E4. apply rate_pays; auto. simpl. lra.
  - unfold cuts_in_Q. rewrite sum_map, <- sum_inject. reflexivity.
  - unfold quotient in E. destruct (Z.ltb_spec 0 (sumZ weight (cuts b))); [auto|discriminate].
Qed.
Theorem cuts_sound p arcs source targets b U :
  check_cuts p arcs source targets b = Some U -> never_more (multicast p arcs source targets) U.
Proof.
  intros E. apply cuts_facts in E. destruct E as (E1 & E2 & E3 & E4 & E5 & E6 & E7).
  apply (quotient_bound _ _ _ _ (total (in_Q (cut_prices b))) (sum snd (cuts_in_Q b)) E7); auto.
  - rewrite total_sum, E5. ring.
  - rewrite E5, <- inject_0, <- Zlt_Qlt. auto.
  - apply Bound.cut_bound; auto.
Qed.

(** ** Distances *)
Lemma number_from_in {A} (l : list A) : forall i d x, In (d, x) (number_from i l) ->
  i <= d /\ nth_error l (Z.to_nat (d - i)) = Some x.
Proof.
  induction l as [|a l IH]; simpl; [easy|]. intros i d x [E|E].
  - injection E as <- <-. split. lia. rewrite Z.sub_diag. auto.
  - apply IH in E. destruct E as [L E]. split. lia.
    replace (Z.to_nat (d - i)) with (S (Z.to_nat (d - (i + 1)))) by lia. auto.
Qed.
Lemma numbered_same {A} (l : list A) d x z : In (d, x) (numbered l) -> In (d, z) (numbered l) -> x = z.
Proof. intros H H'. apply number_from_in in H, H'. destruct H as [_ H], H' as [_ H']. congruence. Qed.
Lemma numbered_one {A} (l : list A) e c : (0 <= c)%Q -> forall i,
  (sum (fun dx : Z * A => if (fst dx =? e)%Z then c else 0) (number_from i l) <= c)%Q.
Proof.
  intros Hc. induction l as [|x l IH]; simpl; intros i; [auto|]. destruct (Z.eqb_spec i e) as [->|N].
  - assert (E : (sum (fun dx : Z * A => if (fst dx =? e)%Z then c else 0) (number_from (e + 1) l) == 0)%Q);
      [|lra].
    rewrite <- (sum_zero (number_from (e + 1) l)). apply sum_eq. intros [d z] H. apply number_from_in in H.
    simpl. destruct (Z.eqb_spec d e); [lia|lra].
  - specialize (IH (i + 1)). lra.
Qed.
Lemma numbered_sum {A} (f : A -> Q) (l : list A) : forall i,
  (sum (fun dx : Z * A => f (snd dx)) (number_from i l) == sum f l)%Q.
Proof. induction l as [|x l IH]; simpl; intros i. reflexivity. rewrite IH. reflexivity. Qed.
Lemma numbered_member {A} (l : list A) d x : In (d, x) (numbered l) -> In x l.
Proof. intros H. apply number_from_in in H. destruct H as [_ H]. eapply nth_error_In; eauto. Qed.

Theorem distances_sound p arcs demands b U :
  check_distances p arcs demands b = Some U -> never_more (alltoall p arcs demands) U.
Proof.
  unfold check_distances. set (y := distance_prices b). set (D := unit_of_size b).
  set (rows := map _ (distances b)). set (by_source := fold_left _ rows none).
  destruct (_ && _) eqn:E; [|discriminate]. rewrite !andb_true_iff, !forallb_forall in E.
  destruct E as [[[E1 E2] E3] E4]. intros Eq.
  set (dist := fun (x : demand) (v : node) => match find (node_code (from x)) by_source with
    | Some r => value (node_code v) r | None => 0 end).
  assert (Row : forall x, In x demands -> (0 < amount x)%Q /\ dist x (from x) <= 0 /\
     (forall a, In a arcs -> (inject_Z (dist x (head a)) - inject_Z (dist x (tail a)) <= cost a * inject_Z
       (rate (maps_of y) (arc_uses p a)))%Q) /\
     (inject_Z (demand_value D by_source x) == inject_Z (Z.pos D) * (amount x * inject_Z (dist x (to x))))%Q).
  { intros x Hx. specialize (E4 x Hx). unfold demand_ok in E4.
    rewrite !andb_true_iff, Z.ltb_lt, Z.eqb_eq in E4.
    destruct E4 as [[F1 F2] F3]. unfold dist, demand_value. destruct (find (node_code (from x)) by_source) as
      [r|] eqn:Er; [|discriminate].
    unfold by_source in Er. apply (fold_put (fun sr : node * map_of Z => node_code (fst sr)) snd) in Er.
    rewrite find_none in Er.
    destruct Er as [((s' & r') & H & E & E')|Er]; [|discriminate]. simpl in E, E'. apply node_code_inj in E.
    subst s' r'.
    specialize (E3 _ H). unfold row_ok in E3. rewrite andb_true_iff, Z.leb_le, forallb_forall in E3.
    destruct E3 as [G1 G2]. simpl in *.
    split; [apply Qpos; auto|]. split; auto. split.
    - intros a Ha. specialize (G2 (a, rate (maps_of y) (arc_uses p a))). simpl in G2.
      assert (I : In (a, rate (maps_of y) (arc_uses p a)) (map (fun a => (a,
        rate (maps_of y) (arc_uses p a))) arcs))
        by (apply in_map_iff; eauto).
      specialize (G2 I). apply Z.leb_le, scaled_le in G2. unfold Z.sub in G2.
      rewrite inject_Z_plus, inject_Z_opp in G2. lra.
    - apply Z.mod_divide in F2; [|lia]. destruct F2 as [z F2]. rewrite F2, Z.div_mul by lia.
      rewrite !inject_Z_mult. assert (A : (amount x * inject_Z (Z.pos (Qden (amount x))) == inject_Z (Qnum
        (amount x)))%Q).
      { unfold Qeq. simpl. rewrite ?Pos.mul_1_r, ?Z.mul_1_r. auto. }
      rewrite <- A. ring. }
  set (phi := fun (dx : Z * demand) (x : state) => match what x with
    | Message e => if (e =? fst dx)%Z then (amount (snd dx) * inject_Z (dist (snd dx) (place x)))%Q else 0%Q
      | _ => 0%Q end).
  set (goals := map (fun dx : Z * demand => (At (Message (fst dx)) (to (snd dx)),
    phi dx)) (numbered demands)).
  set (w := sum (fun g : state * (state -> Q) => snd g (fst g)) goals).
  assert (W : (w * inject_Z (Z.pos D) == inject_Z (sumZ (demand_value D by_source) demands))%Q).
  { unfold w, goals. rewrite sum_map. rewrite <- sum_inject, Qmult_comm, <- sum_scale.
    rewrite <- (numbered_sum (fun x => inject_Z (demand_value D by_source x)) demands 0).
    apply sum_eq. intros [d x] H. unfold phi. cbn [fst snd what place]. rewrite Z.eqb_refl.
    apply numbered_member in H. destruct (Row x H) as (_ & _ & _ & R). rewrite R. reflexivity. }
  assert (DP : (0 < inject_Z (Z.pos D))%Q) by (rewrite <- inject_0, <- Zlt_Qlt; lia).
  assert (P : (0 < w)%Q).
  { unfold quotient in Eq. destruct (Z.ltb_spec 0 (sumZ (demand_value D by_source) demands)) as [L|];
      [|discriminate].
    apply Qmult_lt_r with (inject_Z (Z.pos D)); auto. rewrite W, Qmult_0_l, <- inject_0, <- Zlt_Qlt. auto. }
  apply (quotient_bound _ _ _ _ (total (in_Q y)) w Eq); auto.
  { rewrite total_sum, <- W, inject_Z_mult. ring. }
  assert (Task : forall k, In k (tasks (alltoall p arcs demands)) ->
    exists d x a, In (d, x) (numbered demands) /\ In a arcs /\
    k = transfer p (Message d) (amount x) a).
  { intros k Hk. simpl in Hk. apply in_flat_map in Hk. destruct Hk as ((d & x) & H & Hk).
    apply in_map_iff in Hk.
    destruct Hk as (a & <- & Ha). exists d, x, a. auto. }
  assert (Lasts : forall k, In k (tasks (alltoall p arcs demands)) -> (0 < lasts k)%Q).
  { intros k Hk. destruct (Task k Hk) as (d & x & a & H & Ha & ->). apply numbered_member in H.
    destruct (Row x H) as (A & _). specialize (E2 a Ha). apply Z.ltb_lt, Qpos in E2. simpl. nra. }
  apply (Potentials.potential_bound _ (in_Q y) goals (fun x z => item_eqb (what x) (what z)));
    auto using prices_nonneg.
  - intros k _. apply item_eqb_eq. auto.
  - intros j k Hj Hk. destruct (Task k Hk) as (d & x & a & H & Ha & ->). simpl. lra.
  - intros g f H. unfold goals in H. apply in_map_iff in H. destruct H as ((d & x) & I & H).
    injection I as <- <-. split.
    + simpl. apply in_map_iff. exists (d, x). auto.
    + simpl. intros z Hz. apply in_map_iff in Hz. destruct Hz as ((e & x') & <- & H'). unfold phi.
      cbn [fst snd what place].
      destruct (Z.eqb_spec e d) as [->|]; [|lra]. rewrite (numbered_same _ _ _ _ H' H).
      destruct (Row x (numbered_member _ _ _ H)) as (A & R & _). rewrite <- inject_le, inject_0 in R. nra.
  - intros k Hk. pose proof (Lasts k Hk) as Lk. destruct (Task k Hk) as (d & x & a & H & Ha & ->).
    destruct (Row x (numbered_member _ _ _ H)) as (A & _ & R & _). specialize (R a Ha).
    set (k := transfer p (Message d) (amount x) a) in *.
    assert (RP : (inject_Z (rate (maps_of y) (arc_uses p a)) <= paid (in_Q y) k)%Q) by
      (apply (rate_paid y E1 k)).
    assert (Cp : (0 < cost a)%Q) by (apply Qpos, Z.ltb_lt; auto).
    set (c := Qmax 0 (amount x * (inject_Z (dist x (head a)) - inject_Z (dist x (tail a))))%Q).
    assert (C0 : (0 <= c)%Q) by apply Q.le_max_l.
    apply Qle_trans with c.
    + unfold goals. rewrite sum_map. eapply Qle_trans; [|apply (numbered_one demands d c C0 0)].
      apply sum_le. intros [e x'] H'. cbn [fst snd]. unfold added, phi. simpl.
      destruct (Z.eqb_spec d e) as [->|N].
      * rewrite Z.eqb_refl. rewrite (numbered_same _ _ _ _ H' H). unfold c.
        apply Q.max_le_compat_l. lra.
      * destruct (Z.eqb_spec e d); [congruence|]. destruct (Q.max_spec 0 (0 - (0 + 0))%Q) as [[_ ->]|[_ ->]];
          lra.
    + assert (X : (cost a * inject_Z (rate (maps_of y) (arc_uses p a)) <= cost a * paid (in_Q y) k)%Q) by
        (apply Qmult_le_l; auto).
      unfold c. simpl. apply Q.max_lub.
      * apply Qmult_le_0_compat; [nra|]. apply paid_nonneg, prices_nonneg; auto.
      * assert (amount x * (inject_Z (dist x (head a)) - inject_Z (dist x (tail a))) <= amount x * (cost a *
          paid (in_Q y) k))%Q
          by (apply Qmult_le_l; auto; lra). lra.
Qed.

(** ** Potentials *)
Lemma entry_nil i : entry i [] = 0.
Proof. auto. Qed.
Lemma entry_opp l : forall i, entry i (map Z.opp l) = - entry i l.
Proof. induction l as [|x l IH]; simpl; intros i; auto. destruct (i =? 0); auto. Qed.
Lemma entry_minus l : forall l' i, entry i (minus l l') = entry i l - entry i l'.
Proof.
  induction l as [|x l IH]; intros [|x' l'] i; simpl; try lia.
  - destruct (i =? 0); try rewrite entry_opp; lia.
  - destruct (i =? 0); try rewrite IH; lia.
Qed.
Lemma entry_gain m k i : entry i (fold_left (fun l x => minus l (vector m x)) (needs k) (vector m (makes k)))
  = entry i (vector m (makes k)) - sumZ (fun x => entry i (vector m x)) (needs k).
Proof.
  generalize (vector m (makes k)) as v. induction (needs k) as [|x l IH]; simpl; intros v. rewrite sumZ_nil.
  lia.
  rewrite IH, entry_minus, sumZ_cons. lia.
Qed.
Lemma entries_sum {A} (l : list A) : forall i v,
  sumZ (fun ix : Z * A => Z.max 0 (entry (fst ix - i) v)) (number_from i l) <= sumZ (Z.max 0) v.
Proof.
  induction l as [|x l IH]; simpl; intros i v.
  - rewrite sumZ_nil. apply sumZ_nonneg. intros. lia.
  - rewrite sumZ_cons. simpl. rewrite Z.sub_diag. specialize (IH (i + 1) (tl v)).
    assert (E : sumZ (fun ix : Z * A => Z.max 0 (entry (fst ix - i) v)) (number_from (i + 1) l)
              = sumZ (fun ix : Z * A => Z.max 0 (entry (fst ix - (i + 1)) (tl v))) (number_from (i + 1) l)).
    { apply sumZ_ext. intros [d z] H. apply number_from_in in H. simpl. destruct v as [|y v]; auto. simpl.
      destruct (Z.eqb_spec (d - i) 0); [lia|]. replace (d - i - 1) with (d - (i + 1)) by lia. auto. }
    rewrite E. destruct v as [|y v]; simpl tl in *.
    + rewrite entry_nil, sumZ_nil in *. lia.
    + rewrite sumZ_cons. simpl. lia.
Qed.
Lemma goal_values_sum m l : forall i s,
  goal_values m i l s = s + sumZ (fun ix : Z * state => entry (fst ix) (vector m (snd ix))) (number_from i l).
Proof. induction l as [|x l IH]; simpl; intros i s. rewrite sumZ_nil. lia. rewrite IH, sumZ_cons. simpl. lia.
  Qed.

(** The scope of an item: the message itself, the interval of values. *)
Definition part_of (x z : state) : bool :=
  match what x, what z with
  | Message d, Message e => d =? e
  | Values a b, Values c d => (c <=? a) && (b <=? d)
  | _, _ => false
  end.
Lemma fits_nested j k : fits j = true -> fits k = true ->
  (sum (fun x => bit (part_of (makes j) x)) (needs k) <= bit (part_of (makes j) (makes k)))%Q.
Proof.
  unfold fits. rewrite !andb_true_iff. intros [J _] [_ F]. destruct (needs k) as [|x [|z [|]]];
    try discriminate.
  - apply item_eqb_eq in F. unfold part_of. simpl. rewrite F. lra.
  - destruct (what x) as [|a b] eqn:Wx; try discriminate. destruct (what z) as [|c d] eqn:Wz;
      try discriminate.
    destruct (what (makes k)) as [|e f] eqn:Wk; try discriminate.
    rewrite !andb_true_iff, !Z.eqb_eq, !Z.leb_le in F.
    destruct F as [[[[<- F1] <-] F2] F3]. simpl. unfold part_of. rewrite Wx, Wz, Wk.
    destruct (what (makes j)) as [|g h]; [simpl; lra|]. apply Z.leb_le in J.
    destruct (Z.leb_spec a g), (Z.leb_spec h b), (Z.leb_spec c g), (Z.leb_spec h d); unfold bit; simpl;
      try lra; lia.
Qed.

Theorem potentials_sound S b U : check_potentials S b = Some U -> never_more S U.
Proof.
  unfold check_potentials. set (y := potential_prices b). set (m := fold_left _ (potentials b) none).
  destruct (_ && _) eqn:E; [|discriminate]. rewrite !andb_true_iff, !forallb_forall in E.
  destruct E as [[E1 E2] E3]. intros Eq.
  assert (Task : forall k, In k (tasks S) -> (0 < lasts k)%Q /\ fits k = true /\
    (inject_Z (gain m k) <= lasts k * inject_Z (rate (maps_of y) (uses k)))%Q).
  { intros k Hk. specialize (E3 k Hk). rewrite !andb_true_iff, Z.ltb_lt, Z.leb_le in E3.
    destruct E3 as [[F1 F2] F3].
    split; [apply Qpos; auto|]. split; auto. apply (proj1 (scaled_le _ _ _)). auto. }
  set (goals := map (fun ix : Z * state => (snd ix, fun x => inject_Z (entry (fst ix) (vector m x))))
    (numbered (wanted S))).
  set (w := sum (fun g : state * (state -> Q) => snd g (fst g)) goals).
  assert (W : (w == inject_Z (goal_values m 0 (wanted S) 0))%Q).
  { unfold w, goals. rewrite goal_values_sum, Z.add_0_l, sum_map, <- sum_inject. reflexivity. }
  assert (P : (0 < w)%Q).
  { unfold quotient in Eq. destruct (Z.ltb_spec 0 (goal_values m 0 (wanted S) 0)) as [L|]; [|discriminate].
    rewrite W, <- inject_0, <- Zlt_Qlt. auto. }
  apply (quotient_bound _ _ _ _ (total (in_Q y)) w Eq); auto.
  { rewrite total_sum, W. ring. }
  apply (Potentials.potential_bound S (in_Q y) goals part_of); auto using prices_nonneg.
  - intros k Hk. apply Task; auto.
  - intros k Hk. destruct (Task k Hk) as (_ & F & _). unfold part_of. unfold fits in F.
    apply andb_true_iff in F.
    destruct F as [F _]. destruct (what (makes k)); [apply Z.eqb_refl|]. rewrite !Z.leb_refl. auto.
  - intros j k Hj Hk. apply fits_nested; apply Task; auto.
  - intros x f H. apply in_map_iff in H. destruct H as ((i & x') & I & H). injection I as <- <-. split.
    + apply numbered_member in H. auto.
    + intros z Hz. simpl. specialize (E2 z Hz). rewrite forallb_forall in E2. rewrite <- inject_0, inject_le.
      clear - E2. revert i. induction (vector m z) as [|v l IH]; simpl; intros i. lia.
      destruct (i =? 0). apply Z.leb_le, E2. left; auto. apply IH. intros. apply E2. right. auto.
  - intros k Hk. destruct (Task k Hk) as (L & _ & G). apply Qle_trans with (inject_Z (gain m k)).
    + unfold goals. rewrite sum_map. unfold gain.
      set (v := fold_left _ (needs k) _). pose proof (entries_sum (wanted S) 0 v) as N.
      rewrite <- inject_le in N.
      eapply Qle_trans; [|exact N]. rewrite <- sum_inject. apply sum_le. intros [i x] _. cbn [fst snd].
      rewrite Z.sub_0_r. unfold v. rewrite entry_gain. unfold added.
      rewrite sum_inject. unfold Z.sub.
      set (a := entry i (vector m (makes k))). set (s := sumZ _ (needs k)).
      assert (X : (inject_Z a - inject_Z s == inject_Z (a + - s))%Q) by (rewrite inject_Z_plus, inject_Z_opp;
        ring).
      rewrite X. apply Q.max_lub.
      * rewrite <- inject_0, inject_le. lia.
      * rewrite inject_le. lia.
    + apply rate_pays; auto.
Qed.
