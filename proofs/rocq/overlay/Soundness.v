(** What the checker of overlays accepts is an overlay of the stated throughput, and nothing that is
    reached exceeds what is never exceeded. *)
From Coq Require Import ZArith QArith Qminmax List Lia Lqa Permutation Bool FMapPositive.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.overlay Require Import Definitions Sums Checker Bounds.
Import ListNotations.
Open Scope Q_scope.

Lemma member_add x v s : member x (PositiveMap.add (key v) tt s) = true <-> x = v \/ member x s = true.
Proof.
  unfold member. destruct (Z.eq_dec x v) as [->|N].
  - rewrite PositiveMap.gss. tauto.
  - rewrite PositiveMap.gso; [tauto|]. intros E. now apply key_injective in E.
Qed.

Lemma pair_in_sound u v l : pair_in u v (pairs_of l) = true -> In (u, v) l.
Proof.
  induction l as [|[a b] l IH]; cbn [pairs_of fold_right].
  - unfold pair_in. now rewrite PositiveMap.gempty.
  - fold (pairs_of l). unfold pair_in, add_pair. cbn [fst snd]. intros H. destruct (Z.eq_dec u a) as [->|N].
    + rewrite PositiveMap.gss in H. apply member_add in H. destruct H as [->|H]; [now left|]. right. apply IH.
      unfold pair_in. destruct (PositiveMap.find (key a) (pairs_of l)); [exact H|].
      unfold member in H. now rewrite PositiveMap.gempty in H.
    + rewrite PositiveMap.gso in H by (intros E; now apply key_injective in E). right. now apply IH.
Qed.

Lemma may_send_sound m u v : may_send (known_of m) u v = true -> allowed m u v.
Proof.
  unfold may_send, known_of. cbn [all_names receivers permitted]. intros H.
  repeat (apply andb_prop in H; destruct H as [H ?]). apply member_spec in H, H2.
  apply negb_true_iff, Z.eqb_neq in H1.
  repeat split; auto. destruct (only m); [now apply pair_in_sound|exact I].
Qed.

Lemma grows_sound k t : forall reached r, grows k reached t = Some r ->
  forall (l : list Z) (d : Z -> Z) (D : Z),
  (forall v, member v reached = true <-> In v l) -> (forall v, In v l -> (d v < D)%Z) ->
  exists d' : Z -> Z, (forall v, In v l -> d' v = d v) /\ (forall u v, In (u, v) t -> (d' u < d' v)%Z) /\
    NoDup (map snd t) /\ (forall v, In v (map snd t) -> ~ In v l) /\
    (forall u v, In (u, v) t -> may_send k u v = true) /\
    (forall v, member v r = true <-> In v l \/ In v (map snd t)).
Proof.
  induction t as [|[u v] t IH]; cbn [grows map]; intros reached r H l d D R L.
  - injection H as <-. exists d. split; [auto|]. split; [easy|]. split; [constructor|]. split; [easy|].
    split; [easy|].
    intros v. rewrite R. cbn. tauto.
  - destruct (_ && _) eqn:E; [|discriminate]. apply andb_prop in E. destruct E as [E M]. apply andb_prop in E.
    destruct E as [Eu Ev]. apply R in Eu. apply negb_true_iff in Ev.
    assert (Nv : ~ In v l) by (intros I; apply R in I; congruence).
    destruct (IH _ _ H (v :: l) (fun x => if (x =? v)%Z then D else d x) (D + 1)%Z) as [d' [A [B [N [F [S
      G]]]]]].
    + intros x. rewrite member_add, R. cbn. split; intros [|]; auto.
    + intros x [<-|Hx]; [rewrite Z.eqb_refl; lia|]. specialize (L x Hx). destruct (x =? v)%Z; lia.
    + assert (Av : d' v = D) by (rewrite A by (now left); now rewrite Z.eqb_refl).
      assert (Al : forall x, In x l -> d' x = d x).
      { intros x Hx. rewrite A by (now right). destruct (Z.eqb_spec x v) as [->|];
        [contradiction|reflexivity]. }
      exists d'. split; [exact Al|]. split; [|split; [|split; [|split]]].
      * intros a b [E'|I]; [|now apply B]. injection E' as <- <-. rewrite (Al _ Eu), Av. now apply L.
      * cbn [snd]. constructor; [|exact N]. intros I. apply (F v I). now left.
      * intros x [<-|I]; [exact Nv|]. intros K. apply (F x I). now right.
      * intros a b [E'|I]; [|now apply S]. now injection E' as <- <-.
      * intros x. rewrite G. cbn. tauto.
Qed.

Lemma check_tree_sound m t : NoDup (names (others m)) -> ~ In (name (source m)) (names (others m)) ->
  check_tree m (known_of m) t = true -> arborescence m t.
Proof.
  intros N So H. unfold check_tree in H. destruct (grows _ _ t) as [r|] eqn:G; [|discriminate].
  destruct (grows_sound _ t _ _ G [name (source m)] (fun _ => 0%Z) 1%Z) as [d [_ [B [Nt [F [S R]]]]]].
  - intros v. apply member_spec.
  - intros v _. lia.
  - assert (Al : forall u v, In (u, v) t -> allowed m u v) by (intros u v I; now apply may_send_sound, S).
    split; [exact Al|]. split; [|now exists d]. apply NoDup_Permutation; auto. intros v. split; intros I.
    + apply in_map_iff in I. destruct I as [[a b] [<- I]]. now destruct (Al a b I) as [_ [A _]].
    + pose proof I as J. unfold names in J. apply in_map_iff in J. destruct J as [i [<- Hi]].
      rewrite forallb_forall in H.
      specialize (H i Hi). apply R in H. destruct H as [[E|[]]|H]; [|exact H]. exfalso. apply So.
      now rewrite E.
Qed.

Lemma parts_sent_value ts u :
  value (parts_sent ts) u = total (fun t => total (fun a => if (fst a =? u)%Z then fst t else 0%Z) (snd t))
    ts.
Proof.
  unfold parts_sent. induction ts as [|t ts IH]; cbn [fold_right total]; [apply value_empty|].
  rewrite (tally fst (fun _ => fst t)), IH. lia.
Qed.

Lemma overlay_sends T parts ts u : (0 < parts)%Z ->
  sends (overlay_from T parts ts) u * inject_Z parts == inject_Z (value (parts_sent ts) u) * T.
Proof.
  intros P. assert (P' : 0 < inject_Z parts) by (change 0 with (inject_Z 0); now rewrite <- Zlt_Qlt).
  rewrite parts_sent_value, sum_total. unfold sends, overlay_from. cbn [trees]. rewrite sum_map.
  cbn [fst snd].
  rewrite Qmult_comm, (Qmult_comm _ T), <- !sum_scale. apply sum_eq. intros t _.
  rewrite (sum_total (fun a => if (fst a =? u)%Z then fst t else 0%Z)).
  rewrite (sum_eq (fun a => inject_Z (if (fst a =? u)%Z then fst t else 0%Z))
    (fun a => inject_Z (fst t) * (if (fst a =? u)%Z then 1 else 0)) (snd t)).
  2:{ intros a _. destruct (fst a =? u)%Z; [ring|]. change (inject_Z 0) with 0. ring. }
  rewrite sum_scale. field. intros E. rewrite E in P'. now apply Qlt_irrefl in P'.
Qed.

Lemma overlay_throughput T parts ts : (0 < parts)%Z -> total fst ts = parts ->
  throughput (overlay_from T parts ts) == T.
Proof.
  intros P E. assert (P' : 0 < inject_Z parts) by (change 0 with (inject_Z 0); now rewrite <- Zlt_Qlt).
  unfold throughput, overlay_from. cbn [trees]. rewrite sum_map. cbn [fst].
  rewrite (sum_eq _ (fun t => T / inject_Z parts * inject_Z (fst t))).
  2:{ intros t _. unfold Qdiv. ring. }
  rewrite sum_scale, <- sum_total, E. field. intros K. rewrite K in P'. now apply Qlt_irrefl in P'.
Qed.

Theorem check_overlay_parts m T parts ts : check_overlay m T parts ts = true ->
  valid m (overlay_from T parts ts) /\ throughput (overlay_from T parts ts) == T.
Proof.
  unfold check_overlay. intros H. apply andb_prop in H. destruct H as [H Hts]. apply andb_prop in H.
  destruct H as [H Hr].
  apply andb_prop in H. destruct H as [H Hb]. apply andb_prop in H. destruct H as [H So].
  apply andb_prop in H.
  destruct H as [P N]. apply Z.ltb_lt in P.
  assert (P' : 0 < inject_Z parts) by (change 0 with (inject_Z 0); now rewrite <- Zlt_Qlt).
  apply distinct_sound in N. destruct N as [N _]. apply negb_true_iff in So.
  assert (So' : ~ In (name (source m)) (names (others m))).
  { intros I. apply member_spec in I. unfold known_of in So. cbn [receivers] in So. congruence. }
  rewrite forallb_forall in Hb, Hr.
  assert (Th : throughput (overlay_from T parts ts) == T).
  { destruct ts as [|t0 ts'].
    - apply Qeq_bool_iff in Hts. unfold overlay_from, throughput. cbn [map trees sum]. now rewrite Hts.
    - apply overlay_throughput; [exact P|]. apply andb_prop in Hts. destruct Hts as [Hts _].
      apply andb_prop in Hts.
      now apply Z.eqb_eq. }
  split; [|exact Th]. split; [|split].
  - intros t Ht. unfold overlay_from in Ht. cbn [trees] in Ht. destruct ts as [|t0 ts'] eqn:E; [easy|].
    rewrite <- E in *. clear E t0 ts'. apply andb_prop in Hts. destruct Hts as [Hts Ha].
    apply andb_prop in Hts.
    destruct Hts as [T0 _]. apply in_map_iff in Ht. destruct Ht as [t' [<- Ht]]. cbn [fst snd].
    rewrite forallb_forall in Ha. specialize (Ha t' Ht). apply andb_prop in Ha. destruct Ha as [A B].
    apply Z.ltb_lt in A. split; [|now apply check_tree_sound].
    assert (0 < inject_Z (fst t')) by (change 0 with (inject_Z 0); now rewrite <- Zlt_Qlt).
    assert (0 < T).
    { destruct (Qlt_le_dec 0 T) as [|K]; [assumption|]. apply Qle_bool_iff in K. now rewrite K in T0. }
    apply Qmult_lt_0_compat; [assumption|]. apply Qlt_shift_div_l; lra.
  - intros i Hi. specialize (Hb i Hi). apply Qle_bool_iff in Hb.
    rewrite <- (overlay_sends T parts ts) in Hb by exact P.
    apply (Qmult_lt_0_le_reg_r _ _ (inject_Z parts) P'). lra.
  - intros v r Hv E. specialize (Hr v Hv). rewrite E in Hr. apply Qle_bool_iff in Hr. now rewrite Th.
Qed.

Theorem check_overlay_sound m T parts ts : check_overlay m T parts ts = true -> overlay_of m T.
Proof. intros H. exists (overlay_from T parts ts). now apply check_overlay_parts. Qed.

Theorem check_reached_sound m s T parts ts arcs heights :
  check_reached m s T parts ts arcs heights = true -> reached m s T.
Proof.
  unfold check_reached. intros H. apply andb_prop in H. destruct H as [H St]. apply andb_prop in H.
  destruct H as [Ov De].
  destruct (check_overlay_parts m T parts ts Ov) as [V Th]. exists (overlay_from T parts ts).
  unfold check_degrees in De. apply andb_prop in De. destruct De as [Us De]. rewrite forallb_forall in Us, De.
  assert (Uses : forall u v, uses (overlay_from T parts ts) u v -> In (u, v) arcs).
  { intros u v [t [Ht I]]. unfold overlay_from in Ht. cbn [trees] in Ht. apply in_map_iff in Ht.
    destruct Ht as [t' [<- Ht]]. cbn [snd] in I. specialize (Us t' Ht). rewrite forallb_forall in Us.
    apply pair_in_sound. now apply (Us (u, v)). }
  split; [exact V|]. split; [|split; [|exact Th]].
  - intros i l Hi N Hl. specialize (De i Hi). apply Z.leb_le in De.
    rewrite (tally fst (fun _ => 1%Z)), value_empty, Z.add_0_l in De.
    rewrite (total_eq _ (fun a => flag (fst a =? name i)%Z)) in De by (intros; reflexivity).
    rewrite <- count_total, count_length in De. eapply Z.le_trans; [|exact De]. apply Nat2Z.inj_le.
    apply (images snd); [exact N|]. intros v Hv. exists (name i, v). split; [|reflexivity].
    apply filter_In. split; [now apply Uses, Hl|]. apply Z.eqb_refl.
  - unfold check_structure in St. destruct s; cbn [is_of]; [exact I| |].
    + exists (value (table_of heights)). intros u v U. rewrite forallb_forall in St.
      specialize (St _ (Uses u v U)).
      now apply Z.ltb_lt.
    + apply distinct_sound in St. destruct St as [St _]. intros u u' v U1 U2. apply Uses in U1, U2.
      revert St U1 U2. clear. induction arcs as [|a l IH]; cbn [map]; intros N I J; [easy|].
      inversion N as [|b l' Hb N']; subst. destruct I as [->|I], J as [J|J].
      * now injection J.
      * exfalso. apply Hb. apply in_map_iff. now exists (u', v).
      * subst a. exfalso. apply Hb. apply in_map_iff. now exists (u, v).
      * now apply IH.
Qed.

(** ** What is reached is never more than what is never exceeded *)

Lemma least_element {A} (f : A -> Z) (l : list A) : l <> [] -> exists x, In x l /\ forall y, In y l -> (f x
  <= f y)%Z.
Proof.
  induction l as [|a l IH]; [easy|]. intros _. destruct l as [|b l].
  - exists a. split; [now left|]. intros y [<-|[]]. lia.
  - destruct IH as [x [Hx M]]; [easy|]. destruct (Z_le_gt_dec (f a) (f x)).
    + exists a. split; [now left|]. intros y [<-|Hy]; [lia|]. specialize (M y Hy). lia.
    + exists x. split; [now right|]. intros y [<-|Hy]; [lia|]. now apply M.
Qed.

(** A tree enters every set of nodes without the source. *)
Lemma tree_enters m t inside : arborescence m t -> inside (name (source m)) = false ->
  (exists v, In v (others m) /\ inside (name v) = true) ->
  exists u v, In (u, v) t /\ inside v = true /\ inside u = false.
Proof.
  intros [Al [Pe [d D]]] So [v [Hv Iv]].
  destruct (least_element (fun a => d (snd a)) (filter (fun a => inside (snd a)) t)) as [[a b] [Hab M]].
  - assert (I : In (name v) (map snd t)) by (apply (Permutation_in _ (Permutation_sym Pe)); now apply in_map).
    apply in_map_iff in I. destruct I as [x [E Hx]]. intros K.
    assert (In x []) as []. rewrite <- K. apply filter_In. split; [exact Hx|]. now rewrite E.
  - apply filter_In in Hab. destruct Hab as [Hab Ib]. cbn [snd] in Ib. exists a, b. split; [exact Hab|].
    split; [exact Ib|].
    destruct (inside a) eqn:Ia; [|reflexivity]. exfalso.
    destruct (Al a b Hab) as [A _]. unfold nodes in A. cbn [names map] in A. destruct A as [A|A];
      [congruence|].
    assert (I : In a (map snd t)) by now apply (Permutation_in _ (Permutation_sym Pe)).
    apply in_map_iff in I. destruct I as [[c a'] [E Hc]]. cbn [snd] in E. subst a'.
    assert (d a < d b)%Z by now apply D. specialize (M (c, a)). cbn [snd] in M.
    assert (d b <= d a)%Z; [|lia]. apply M. apply filter_In. split; [exact Hc|exact Ia].
Qed.

Definition same_pair (a b : Z * Z) : bool := (fst a =? fst b)%Z && (snd a =? snd b)%Z.
Lemma same_pair_spec a b : same_pair a b = true <-> a = b.
Proof.
  unfold same_pair. rewrite andb_true_iff, !Z.eqb_eq. destruct a, b; cbn [fst snd]. split.
  - now intros [-> ->].
  - intros E. now injection E.
Qed.
Lemma pair_dec (a b : Z * Z) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

(** The rates of an overlay: what all trees together send on each pair that they use. *)
Definition used_pairs (o : overlay) : list (Z * Z) := nodup pair_dec (flat_map snd (trees o)).
Definition rate_on (o : overlay) (a : Z * Z) : Q :=
  sum (fun t => if existsb (same_pair a) (snd t) then fst t else 0) (trees o).
Definition rates (o : overlay) : list connection :=
  map (fun a => Connection (fst a) (snd a) (rate_on o a)) (used_pairs o).

Section Rates.
Variables (m : machine) (o : overlay).
Hypothesis Names : NoDup (names (nodes m)).
Hypothesis V : valid m o.

Lemma used_spec a : In a (used_pairs o) <-> exists t, In t (trees o) /\ In a (snd t).
Proof. unfold used_pairs. rewrite nodup_In, in_flat_map. reflexivity. Qed.

Lemma tree_nodup t : In t (trees o) -> NoDup (snd t).
Proof.
  intros Ht. destruct V as [V1 _]. destruct (V1 t Ht) as [_ [_ [Pe _]]].
  apply (NoDup_map_inv snd). apply (Permutation_NoDup (Permutation_sym Pe)). now inversion Names.
Qed.

Lemma weights t : In t (trees o) -> 0 <= fst t.
Proof. intros Ht. destruct V as [V1 _]. destruct (V1 t Ht) as [P _]. lra. Qed.

Lemma used_in_tree t (b : Z * Z -> bool) : In t (trees o) ->
  sum (fun a => if b a then (if existsb (same_pair a) (snd t) then fst t else 0) else 0) (used_pairs o) ==
  fst t * sum (fun a => if b a then 1 else 0) (snd t).
Proof.
  intros Ht. pose proof (tree_nodup t Ht) as Nt.
  assert (Nu : NoDup (used_pairs o)) by apply NoDup_nodup.
  assert (Pe : Permutation (filter (fun a => existsb (same_pair a) (snd t)) (used_pairs o)) (snd t)).
  { apply NoDup_Permutation; [now apply NoDup_filter|exact Nt|]. intros a.
    rewrite filter_In, used_spec, existsb_exists. split.
    - intros [_ [b' [Hb E]]]. apply same_pair_spec in E. now subst b'.
    - intros Ha. split; [now exists t|]. exists a. split; [exact Ha|now apply same_pair_spec]. }
  rewrite <- sum_scale.
  assert (E : sum (fun x => fst t * (if b x then 1 else 0)) (snd t) ==
              sum (fun x => fst t * (if b x then 1 else 0)) (filter (fun a => existsb (same_pair a) (snd t))
                (used_pairs o))).
  { symmetry. now apply sum_perm. }
  rewrite E, sum_filter. apply sum_eq. intros a _. destruct (b a), (existsb _ _); ring.
Qed.

Lemma rates_valid : within_degrees m o -> valid_rates m (rates o).
Proof.
  intros Wd. destruct V as [V1 [V2 V3]]. unfold rates. split; [|split; [|split]].
  - rewrite map_map. cbn [sender receiver]. rewrite (map_ext _ (fun a => a)) by now intros [].
    rewrite map_id. apply NoDup_nodup.
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as [[u v] [<- Ha]]. cbn [sender receiver rate fst snd].
    apply used_spec in Ha. destruct Ha as [t [Ht Ia]]. split; [now apply (V1 t Ht)|].
    apply sum_nonneg. intros t' Ht'. pose proof (weights t' Ht'). destruct (existsb _ _); lra.
  - intros i Hi. eapply Qle_trans; [|now apply V2]. unfold from. rewrite sum_filter, sum_map.
    cbn [sender rate].
    unfold rate_on, sends.
    rewrite (sum_eq _ (fun a => sum (fun t => if (fst a =? name i)%Z then (if existsb (same_pair a) (snd t)
      then fst t else 0) else 0) (trees o))).
    2:{ intros a _. destruct (fst a =? name i)%Z; [reflexivity|]. now rewrite sum_zero. }
    rewrite sum_swap. apply sum_le. intros t Ht. rewrite (used_in_tree t (fun a => (fst a =? name i)%Z) Ht).
    lra.
  - intros i Hi. rewrite <- (map_length receiver). apply (Wd i _ Hi).
    + unfold from. clear. assert (N : NoDup (used_pairs o)) by apply NoDup_nodup.
      induction N as [|a l Ha N IH]; cbn [map filter]; [constructor|].
      destruct (sender _ =? name i)%Z eqn:E; [|exact IH]. cbn [map]. constructor; [|exact IH]. intros I.
      apply in_map_iff in I. destruct I as [x [Ex I]]. apply filter_In in I. destruct I as [I Es].
      apply in_map_iff in I.
      destruct I as [a' [<- Ia]]. cbn [sender receiver] in *. apply Z.eqb_eq in E, Es.
      apply Ha. destruct a, a'; cbn [fst snd] in *. now subst.
    + intros v Hv. apply in_map_iff in Hv. destruct Hv as [x [<- Hx]]. apply filter_In in Hx.
      destruct Hx as [Hx E].
      apply Z.eqb_eq in E. apply in_map_iff in Hx. destruct Hx as [[u w] [<- Ha]].
      cbn [sender receiver fst snd] in *.
      apply used_spec in Ha. destruct Ha as [t [Ht Ia]]. exists t. subst u. tauto.
Qed.

Lemma rates_carry : carries m (rates o) (throughput o).
Proof.
  destruct V as [V1 [_ V3]]. split; [exact V3|]. intros inside So Ex. unfold into, rates, throughput.
  rewrite sum_map.
  cbn [sender receiver rate]. unfold rate_on.
  rewrite (sum_eq _ (fun a => sum (fun t => if inside (snd a) && negb (inside (fst a)) then
    (if existsb (same_pair a) (snd t) then fst t else 0) else 0) (trees o)) (used_pairs o)).
  2:{ intros a _. destruct (_ && _); [reflexivity|]. now rewrite sum_zero. }
  rewrite sum_swap. apply sum_le. intros t Ht.
  rewrite (used_in_tree t (fun a => inside (snd a) && negb (inside (fst a))) Ht).
  destruct (V1 t Ht) as [W Ar]. destruct (tree_enters m (snd t) inside Ar So Ex) as [u [v [I [Iv Iu]]]].
  pose proof (sum_member (fun a => if inside (snd a) && negb (inside (fst a)) then 1 else 0) (snd t) (u, v))
    as M.
  cbn [fst snd] in M. rewrite Iv, Iu in M. cbn [andb negb] in M.
  assert (1 <= sum (fun a => if inside (snd a) && negb (inside (fst a)) then 1 else 0) (snd t)).
  { apply M; [|exact I]. intros a _. destruct (_ && _); lra. }
  nra.
Qed.

Lemma rates_structure s : is_of s (uses o) -> is_of s (connects (rates o)).
Proof.
  assert (U : forall u v, connects (rates o) u v -> uses o u v).
  { intros u v [x [Hx [<- <-]]]. unfold rates in Hx. apply in_map_iff in Hx. destruct Hx as [[a b] [<- Ha]].
    cbn [sender receiver fst snd]. now apply used_spec in Ha. }
  destruct s; cbn [is_of]; [auto| |].
  - intros [h H]. exists h. auto.
  - intros H u u' v A B. apply (H u u' v); auto.
Qed.
End Rates.

Theorem reached_at_most m s T U : NoDup (names (nodes m)) -> reached m s T -> never_more m s U -> T <= U.
Proof.
  intros N [o [V [D [S E]]]] B. rewrite <- E. apply (B (rates o)).
  - now apply rates_valid.
  - now apply rates_structure.
  - now apply rates_carry.
Qed.

Theorem best_unique m s T U : NoDup (names (nodes m)) -> best m s T -> best m s U -> T == U.
Proof.
  intros N [A B] [A' B']. apply Qle_antisym; [now apply (reached_at_most m s T U)|now apply (reached_at_most
    m s U T)].
Qed.

(** An overlay that is reached, and a reason why nothing is faster. *)
Definition check_best (m : machine) (s : structure) (T : Q) (parts : Z) (ts : list (Z * list (Z * Z)))
    (arcs heights : list (Z * Z)) (why : reason) : bool :=
  check_reached m s T parts ts arcs heights && proves m s T why.
Theorem check_best_sound m s T parts ts arcs heights why :
  check_best m s T parts ts arcs heights why = true -> best m s T.
Proof.
  unfold check_best. intros H. apply andb_prop in H. destruct H as [A B].
  split; [now apply (check_reached_sound m s T parts ts arcs heights)|now apply (proves_sound m s T why)].
Qed.
