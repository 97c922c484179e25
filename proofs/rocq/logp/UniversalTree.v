(** The universal tree can be carried out: P processors are P nodes with the smallest labels, and every one starts its
    sends as soon as it has the item, a gap apart. *)
From Coq Require Import ZArith QArith Qminmax List Lia Lqa Bool Permutation.
From Exactsched.logp Require Import Definitions Checker Soundness Bounds Universal.
From Exactsched.rounds Require Import Counting.
Import ListNotations.
Open Scope Q_scope.

(** ** Nodes with their parents *)
Definition closed (l : list (list nat)) : Prop := forall i x, In (i :: x) l -> In x l.

Lemma latest (f : list nat -> Z) l : l <> [] -> exists x, In x l /\ forall y, In y l -> (f y <= f x)%Z.
Proof.
  induction l as [|a l IH]; [easy|]. intros _. destruct l as [|b l]; [exists a; split; [now left|intros y [<-|[]]; lia]|].
  destruct IH as [x [Hx M]]; [easy|]. destruct (Z_le_gt_dec (f x) (f a)).
  - exists a. split; [now left|]. intros y [<-|Hy]; [lia|]. specialize (M y Hy). lia.
  - exists x. split; [now right|]. intros y [<-|Hy]; [lia|now apply M].
Qed.

Lemma trim D G P : (0 < D)%Z -> (0 < G)%Z -> forall k l, (length l <= P + k)%nat -> (P <= length l)%nat -> NoDup l -> closed l ->
  exists l', NoDup l' /\ closed l' /\ length l' = P /\ incl l' l.
Proof.
  intros HD HG. induction k as [|k IH]; intros l Hk HP N C.
  - exists l. repeat split; try assumption; [lia|apply incl_refl].
  - destruct (Nat.eq_dec (length l) P) as [E|E]; [exists l; repeat split; try assumption; apply incl_refl|].
    destruct (latest (units D G) l) as [x [Hx M]]; [intros ->; cbn in *; lia|].
    apply in_split in Hx. destruct Hx as [l1 [l2 ->]]. rewrite app_length in *. cbn [length] in *.
    destruct (IH (l1 ++ l2)) as [l' [A [B [L I]]]].
    + rewrite app_length. lia.
    + rewrite app_length. lia.
    + now apply NoDup_remove_1 in N.
    + intros i y H. assert (Hy : In (i :: y) (l1 ++ x :: l2)) by (apply in_app_iff in H; apply in_app_iff; cbn; tauto).
      pose proof (C i y Hy) as Y. apply in_app_iff in Y. cbn [In] in Y. apply in_app_iff.
      destruct Y as [Y|[Y|Y]]; [now left| |now right]. subst y. specialize (M _ Hy). cbn [units] in M. nia.
    + exists l'. repeat split; try assumption. intros y Hy. apply I in Hy. apply in_app_iff in Hy. apply in_app_iff.
      cbn. tauto.
Qed.

Lemma closed_root l : closed l -> l <> [] -> In [] l.
Proof.
  intros C. destruct l as [|x l]; [easy|]. intros _. assert (H : forall y, In y (x :: l) -> In [] (x :: l)).
  { induction y as [|i y IH]; [easy|]. intros Hy. now apply IH, (C i). }
  apply (H x). now left.
Qed.

(** Names for the members of a list. *)
Lemma named {A B} (dec : forall x y : A, {x = y} + {x <> y}) (b0 : B) (l : list A) : NoDup l ->
  forall l' : list B, length l = length l' -> exists f, map f l = l'.
Proof.
  induction 1 as [|a l Ha N IH]; intros l' E; destruct l' as [|b l']; try discriminate.
  - exists (fun _ => b0). reflexivity.
  - injection E as E. destruct (IH l' E) as [f F]. exists (fun x => if dec x a then b else f x). cbn [map].
    destruct (dec a a); [|congruence]. f_equal. rewrite <- F. apply map_ext_in. intros x Hx.
    destruct (dec x a) as [->|]; [contradiction|reflexivity].
Qed.
Lemma names_apart {A B} (f : A -> B) l x y : NoDup (map f l) -> In x l -> In y l -> f x = f y -> x = y.
Proof.
  induction l as [|a l IH]; cbn [map]; intros N Hx Hy E; [easy|]. inversion N as [|b k Ha N']; subst.
  destruct Hx as [<-|Hx], Hy as [<-|Hy]; [reflexivity| | |now apply IH].
  - destruct Ha. rewrite E. now apply in_map.
  - destruct Ha. rewrite <- E. now apply in_map.
Qed.
Lemma pairs_once {A} (R : A -> A -> Prop) l : NoDup l -> (forall x y, In x l -> In y l -> x <> y -> R x y) ->
  ForallOrdPairs R l.
Proof.
  induction 1 as [|a l Ha N IH]; intros H; constructor.
  - apply Forall_forall. intros y Hy. apply H; [now left|now right|]. intros ->. contradiction.
  - apply IH. intros x y Hx Hy. apply H; now right.
Qed.

(** ** The schedule *)
Section Schedule.
Variables (m : machine) (source item_ : Z) (B : Q) (l : list (list nat)) (name : list nat -> Z).
Hypothesis Proper : proper m.
Hypothesis Once : NoDup ([] :: l).
Hypothesis Closed : closed ([] :: l).
Hypothesis Until : forall x, In x l -> label m x <= B.
Hypothesis Names : Permutation (map name ([] :: l)) (processors m).
Hypothesis Root : name [] = source.

Let G := Qmax (gap m) (overhead m).
Definition told (x : list nat) : message :=
  Message (name (tl x)) (name x) item_ (label m (tl x) + inject_Z (Z.of_nat (hd 0%nat x)) * G).
Definition tree_schedule : schedule := map told l.

Lemma not_root x : In x l -> exists i y, x = i :: y /\ In y ([] :: l).
Proof.
  intros Hx. destruct x as [|i y]; [inversion Once; contradiction|]. exists i, y. split; [reflexivity|].
  apply (Closed i). now right.
Qed.
Lemma apart_names x y : In x ([] :: l) -> In y ([] :: l) -> name x = name y -> x = y.
Proof.
  intros Hx Hy E. apply (names_apart name ([] :: l)); try assumption.
  destruct Proper as [_ [_ [_ N]]]. eapply Permutation_NoDup; [symmetry; exact Names|exact N].
Qed.
Lemma named_in x : In x ([] :: l) -> In (name x) (processors m).
Proof. intros Hx. rewrite <- Names. now apply in_map. Qed.
Lemma G_facts : gap m <= G /\ overhead m <= G /\ 0 < G.
Proof.
  destruct Proper as [_ [_ [Ga _]]]. pose proof (Q.le_max_l (gap m) (overhead m)). pose proof (Q.le_max_r (gap m) (overhead m)).
  unfold G. repeat split; lra.
Qed.
Lemma label_nonneg x : 0 <= label m x.
Proof.
  destruct Proper as [L [O _]]. destruct G_facts as [_ [_ HG]]. induction x as [|i x IH]; cbn [label]; [lra|]. fold G.
  assert (0 <= inject_Z (Z.of_nat i)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
  unfold delay. nra.
Qed.
Lemma told_received x : In x l -> received m (told x) == label m x.
Proof.
  intros Hx. destruct (not_root x Hx) as [i [y [-> _]]]. unfold received, told. cbn [start tl hd label]. fold G. lra.
Qed.
Lemma told_start x : label m (tl x) <= start (told x).
Proof.
  unfold told. cbn [start]. destruct G_facts as [_ [_ HG]].
  assert (0 <= inject_Z (Z.of_nat (hd 0%nat x))) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia). nra.
Qed.
Lemma told_has x t : In x ([] :: l) -> label m x <= t -> has (broadcast m source [item_]) tree_schedule (name x) item_ t.
Proof.
  intros [<-|Hx] L.
  - left. cbn [given broadcast map]. left. now rewrite Root.
  - right. exists (told x). split; [now apply in_map|]. split; [reflexivity|]. split; [reflexivity|].
    cbn [on broadcast]. now rewrite told_received.
Qed.

Lemma siblings_apart x y w : In x l -> In y l -> x <> y -> tl x = tl y -> w <= G ->
  start (told x) + w <= start (told y) \/ start (told y) + w <= start (told x).
Proof.
  intros Hx Hy Ne E Hw. destruct (not_root x Hx) as [i [x' [-> _]]], (not_root y Hy) as [j [y' [-> _]]].
  cbn [tl] in E. subst y'. unfold told. cbn [start tl hd]. assert (Nij : i <> j) by congruence.
  destruct G_facts as [_ [_ HG]].
  assert (S : forall a b, (a < b)%nat -> inject_Z (Z.of_nat a) * G + w <= inject_Z (Z.of_nat b) * G).
  { intros a b Lab. assert (inject_Z (Z.of_nat a) + 1 <= inject_Z (Z.of_nat b)).
    { change 1 with (inject_Z 1). rewrite <- inject_Z_plus, <- Zle_Qle. lia. }
    nra. }
  destruct (lt_dec i j) as [L|L]; [left; specialize (S i j L)|right; specialize (S j i ltac:(lia))]; lra.
Qed.

Theorem tree_valid : valid (broadcast m source [item_]) tree_schedule.
Proof.
  destruct G_facts as [Gg [Go HG]]. split.
  - intros z Hz. apply in_map_iff in Hz. destruct Hz as [x [<- Hx]]. destruct (not_root x Hx) as [i [y [E Hy]]].
    cbn [on broadcast]. assert (T : tl x = y) by now rewrite E. unfold told at 1 2 3 4. cbn [sender receiver]. rewrite T.
    split; [now apply named_in|]. split; [apply named_in; now right|]. split.
    + intros F. apply apart_names in F; [|exact Hy|now right]. rewrite E in F. clear - F.
      assert (length y = length (i :: y)) by now rewrite <- F. cbn in H. lia.
    + pose proof (told_start x) as S. rewrite T in S. pose proof (label_nonneg y). split; [lra|].
      replace (item (told x)) with item_ by reflexivity. replace (sender (told x)) with (name y) by (cbn; now rewrite T).
      now apply told_has.
  - unfold tree_schedule. apply pairs_map. inversion Once as [|a k Hr N]; subst. apply pairs_once; [exact N|].
    intros x y Hx Hy Ne. destruct (not_root x Hx) as [i [x' [Ex Hx']]], (not_root y Hy) as [j [y' [Ey Hy']]].
    assert (Tx : tl x = x') by now rewrite Ex. assert (Ty : tl y = y') by now rewrite Ey.
    assert (Rec : receiver (told x) <> receiver (told y)).
    { cbn [told receiver]. intros F. apply apart_names in F; [contradiction|now right|now right]. }
    assert (Send : sender (told x) = sender (told y) -> tl x = tl y).
    { cbn [told sender]. rewrite Tx, Ty. intros F. now apply apart_names. }
    assert (Both : forall u v, In u l -> In v l -> sender (told u) = receiver (told v) -> received m (told v) <= start (told u)).
    { intros u v Hu Hv F. destruct (not_root u Hu) as [a [u' [Eu Hu']]]. assert (Tu : tl u = u') by now rewrite Eu.
      cbn [told sender receiver] in F. rewrite Tu in F. apply apart_names in F; [|exact Hu'|now right].
      rewrite told_received by exact Hv. rewrite <- F, <- Tu. apply told_start. }
    split; [|split].
    + intros F. apply siblings_apart; try assumption. now apply Send.
    + intros F. contradiction.
    + intros q a b Ha Hb. cbn [on broadcast] in *. unfold busy in Ha, Hb. apply in_app_iff in Ha, Hb.
      destruct (Z.eqb_spec (sender (told x)) q) as [Sx|Sx], (Z.eqb_spec (receiver (told x)) q) as [Rx|Rx],
        (Z.eqb_spec (sender (told y)) q) as [Sy|Sy], (Z.eqb_spec (receiver (told y)) q) as [Ry|Ry]; cbn [In] in Ha, Hb;
        try congruence;
        repeat match goal with H : _ \/ _ |- _ => destruct H end; try contradiction; subst; cbn [fst snd];
        first [ apply siblings_apart; try assumption; apply Send; congruence
              | right; apply Both; try assumption; congruence
              | left; apply Both; try assumption; congruence ].
Qed.

Theorem tree_completes : completes (broadcast m source [item_]) tree_schedule B.
Proof.
  intros q i H. cbn [wanted broadcast] in H. apply in_prod_iff in H. destruct H as [Hq [<-|[]]].
  rewrite <- Names in Hq. apply in_map_iff in Hq. destruct Hq as [x [<- Hx]].
  destruct Hx as [<-|Hx].
  - left. cbn. left. now rewrite Root.
  - apply told_has; [now right|now apply Until].
Qed.
End Schedule.

(** One schedule is as fast as the tree. *)
Theorem broadcast_within m source item_ B : proper m -> In source (processors m) ->
  broadcast_time m (length (processors m)) B -> done_within (broadcast m source [item_]) B.
Proof.
  intros Pr Hs HB. destruct (machine_clock m Pr) as [c [Sane Same]]. destruct (clock_positive c Sane) as [HD HG].
  set (P := length (processors m)) in *.
  assert (HP : (0 < P)%nat) by (unfold P; destruct (processors m); [contradiction|cbn; lia]).
  destruct (time_in_units m c Sane Same P HP) as [T [T0 [E [_ BT]]]].
  pose proof (broadcast_time_unique m P _ _ HB BT) as EB.
  destruct (trim (delay_ c) (period c) P HD HG (length (nodes (delay_ c) (period c) T)) (nodes (delay_ c) (period c) T))
    as [l [N [C [L I]]]].
  - lia.
  - unfold size in E. lia.
  - now apply upto_once.
  - intros i x H. apply nodes_spec in H; try assumption. apply nodes_spec; try assumption. cbn [units] in H. nia.
  - assert (Ne : l <> []) by (intros ->; cbn in L; lia). pose proof (closed_root l C Ne) as R.
    apply in_split in R. destruct R as [l1 [l2 El]].
    assert (Pl : Permutation l ([] :: l1 ++ l2)) by (rewrite El; symmetry; apply Permutation_middle).
    pose proof Hs as Hs'. apply in_split in Hs'. destruct Hs' as [p1 [p2 Ep]].
    assert (Pp : Permutation (processors m) (source :: p1 ++ p2)) by (rewrite Ep; symmetry; apply Permutation_middle).
    assert (Len : length ([] :: l1 ++ l2) = length (source :: p1 ++ p2)).
    { rewrite <- (Permutation_length Pl), <- (Permutation_length Pp). exact L. }
    assert (N' : NoDup ([] :: l1 ++ l2)) by now apply (Permutation_NoDup Pl).
    destruct (named (list_eq_dec Nat.eq_dec) source ([] :: l1 ++ l2) N' (source :: p1 ++ p2) Len) as [name Nm].
    exists (tree_schedule m item_ (l1 ++ l2) name). split.
    + apply tree_valid; try assumption.
      * intros i x H. rewrite <- Pl in *. now apply (C i).
      * rewrite Nm. now symmetry.
      * now injection Nm.
    + apply tree_completes with (l := l1 ++ l2); try assumption.
      * intros i x H. rewrite <- Pl in *. now apply (C i).
      * intros x Hx. rewrite EB. rewrite (label_units m c Same).
        assert (H : In x (nodes (delay_ c) (period c) T)) by (apply I; rewrite Pl; now right).
        apply nodes_spec in H; try assumption. unfold Qle. cbn [Qnum Qden]. nia.
      * rewrite Nm. now symmetry.
      * now injection Nm.
Qed.

(** Theorem 2.1: the least time of a broadcast is the P-th smallest label of the universal tree. *)
Theorem universal_tree_optimal m source item_ B : proper m -> In source (processors m) ->
  broadcast_time m (length (processors m)) B -> least_time (broadcast m source [item_]) B.
Proof.
  intros Pr Hs HB. split; [|split].
  - assert (HP : (0 < length (processors m))%nat) by (destruct (processors m); [contradiction|cbn; lia]).
    destruct (broadcast_time_exists m _ Pr HP) as [B' [P B0]]. rewrite (broadcast_time_unique m _ _ _ HB B0). exact P.
  - now apply broadcast_within.
  - now apply broadcast_takes.
Qed.

(** P processors can have the item by the time t if and only if P nodes have labels of at most t. *)
Theorem within_time m source item_ t : proper m -> In source (processors m) -> 0 <= t ->
  done_within (broadcast m source [item_]) t <-> exists l, reached m t l /\ length l = length (processors m).
Proof.
  intros Pr Hs Ht. assert (HP : (0 < length (processors m))%nat) by (destruct (processors m); [contradiction|cbn; lia]).
  destruct (broadcast_time_exists m _ Pr HP) as [B [B0 HB]]. split.
  - intros [s [V C]]. pose proof (broadcast_takes m source item_ B Pr Hs HB s t Ht V C) as L.
    destruct HB as [[l [[N R] E]] _]. exists l. split; [|exact E]. split; [exact N|]. intros x Hx. specialize (R x Hx). lra.
  - intros [l [R E]]. assert (L : B <= t).
    { destruct (Qlt_le_dec t B) as [L|]; [|assumption]. destruct HB as [_ F]. specialize (F t l L R). lia. }
    destruct (broadcast_within m source item_ B Pr Hs HB) as [s [V C]]. exists s. split; [exact V|].
    intros q i H. destruct (C q i H) as [G|[x [Hx [A [D F]]]]]; [now left|]. right. exists x. repeat split; try assumption. lra.
Qed.
