(** Cycles in which no two roles of a block receive the same item, and whose indices are those of a tree, make a plan. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans.
Import ListNotations.
Open Scope Z_scope.

(** Lists without repetition. *)
Lemma once_equal {A B} (f : A -> B) l x y : NoDup (map f l) -> In x l -> In y l -> f x = f y -> x = y.
Proof.
  induction l as [|z l IH]; intros N Hx Hy E; [destruct Hx|]. inversion N as [|? ? Nz N']; subst.
  destruct Hx as [<-|Hx], Hy as [<-|Hy]; try reflexivity.
  - exfalso. apply Nz. rewrite E. now apply in_map.
  - exfalso. apply Nz. rewrite <- E. now apply in_map.
  - now apply IH.
Qed.
Lemma once_app {A} (l l' : list A) : NoDup l -> NoDup l' -> (forall x, In x l -> ~ In x l') -> NoDup (l ++ l').
Proof.
  induction l as [|x l IH]; intros N N' D; [exact N'|]. inversion N; subst. cbn. constructor.
  - intros H. apply in_app_or in H. destruct H as [H|H]; [tauto|]. apply (D x); [now left|exact H].
  - apply IH; try assumption. intros y H. apply D. now right.
Qed.
Lemma once_tagged {A B} (f : A -> list B) (l : list (Z * A)) : NoDup (map fst l) -> (forall x, In x l -> NoDup (f (snd x))) ->
  NoDup (flat_map (fun x => map (pair (fst x)) (f (snd x))) l).
Proof.
  induction l as [|[b a] l IH]; intros N F; [constructor|]. cbn [map fst] in N. inversion N as [|? ? Nb N']; subst.
  cbn [flat_map fst snd]. apply once_app.
  - apply FinFun.Injective_map_NoDup; [intros x y H; congruence|]. apply (F (b, a)). now left.
  - apply IH; [exact N'|]. intros x H. apply F. now right.
  - intros [b' y] H H'. apply in_map_iff in H. destruct H as [z [E _]]. injection E as <- <-.
    apply in_flat_map in H'. destruct H' as [[b'' a'] [Hx Hy]]. cbn [fst snd] in Hy. apply in_map_iff in Hy.
    destruct Hy as [z' [E _]]. injection E as <- _. apply Nb. apply in_map_iff. now exists (b'', a').
Qed.
Lemma zipped {A B C} (f : A -> C) (g : B -> C) l : forall l', map f l = map g l' ->
  forall x y, In (x, y) (combine l l') -> f x = g y.
Proof.
  induction l as [|a l IH]; intros [|b l'] E x y H; try easy. cbn [map] in E. injection E as E1 E2.
  destruct H as [H|H]; [congruence|now apply (IH l')].
Qed.
Lemma zipped_left {A B} (l : list A) : forall (l' : list B) x x' y, NoDup l' ->
  In (x, y) (combine l l') -> In (x', y) (combine l l') -> x = x'.
Proof.
  induction l as [|a l IH]; intros [|b l'] x x' y N H H'; try easy. inversion N as [|? ? Nb N']; subst.
  destruct H as [H|H], H' as [H'|H'].
  - congruence.
  - exfalso. injection H as -> ->. apply in_combine_r in H'. tauto.
  - exfalso. injection H' as -> ->. apply in_combine_r in H. tauto.
  - now apply (IH l' x x' y).
Qed.
Lemma zipped_right {A B} (l : list A) : forall (l' : list B) x y y', NoDup l ->
  In (x, y) (combine l l') -> In (x, y') (combine l l') -> y = y'.
Proof.
  induction l as [|a l IH]; intros [|b l'] x y y' N H H'; try easy. inversion N as [|? ? Nb N']; subst.
  destruct H as [H|H], H' as [H'|H'].
  - congruence.
  - exfalso. injection H as -> ->. apply in_combine_l in H'. tauto.
  - exfalso. injection H' as -> ->. apply in_combine_l in H. tauto.
  - now apply (IH l' x y y').
Qed.
Lemma zipped_all {A B} (l : list A) : forall (l' : list B) y, length l = length l' -> In y l' -> exists x, In (x, y) (combine l l').
Proof.
  induction l as [|a l IH]; intros [|b l'] y E H; try easy. destruct H as [<-|H].
  - exists a. now left.
  - cbn in E. destruct (IH l' y ltac:(lia) H) as [x Hx]. exists x. now right.
Qed.

(** A cycle is a list of places with what stands there: an index, and a number of children, to whom the role sends in the steps
    from its reception on. *)
Definition cycle := list (Z * (Z * Z)).
Definition long (c : cycle) : Z := Z.of_nat (length c).
Definition indices (c : cycle) : list Z := map (fun xa => fst (snd xa)) c.
Definition children (L : Z) (c : cycle) : list Z :=
  flat_map (fun xa => map (fun k => fst (snd xa) - L - k) (places (snd (snd xa)))) c.
Definition busy (c : cycle) : list Z :=
  flat_map (fun xa => map (fun k => (fst xa + k) mod long c) (places (snd (snd xa)))) c.

Record legal (t : Z) (c : cycle) : Prop := Legal {
  not_empty : 0 < long c;
  receives_all : thrown fst (long c) c;
  sends_one : NoDup (busy c);
  in_time : forall w, In w (indices c) -> 0 <= w <= t }.

Section Cycles.
Variables (L t : Z) (cycles : list cycle).
Hypothesis Latency : 0 < L.
Hypothesis AllLegal : forall c, In c cycles -> legal t c.
Hypothesis Tree : Permutation (flat_map indices cycles) (t :: flat_map (children L) cycles).

Let numbered : list (Z * cycle) := combine (places (Z.of_nat (length cycles))) cycles.

Definition role_at (bc : Z * cycle) (xa : Z * (Z * Z)) : role := Role (fst bc) (long (snd bc)) (fst xa) (fst (snd xa)).
Let roles : list role := flat_map (fun bc => map (role_at bc) (snd bc)) numbered.
Let slots : list (role * Z) :=
  flat_map (fun bc => flat_map (fun xa => map (pair (role_at bc xa)) (places (snd (snd xa)))) (snd bc)) numbered.
Let slot_index (s : role * Z) : Z := index (fst s) - L - snd s.
Let slot_step (s : role * Z) : Z * Z := (block (fst s), (place (fst s) + snd s) mod size (fst s)).

Lemma numbers_once : NoDup (map fst numbered).
Proof.
  unfold numbered. assert (H : forall (l : list Z) (l' : list cycle), NoDup l -> NoDup (map fst (combine l l'))).
  { induction l as [|a l IH]; intros [|b l'] N; try constructor; inversion N as [|? ? Na N']; subst.
    - intros H. apply in_map_iff in H. destruct H as [[x y] [E H]]. cbn in E. subst. apply in_combine_l in H. tauto.
    - now apply IH. }
  apply H, places_once.
Qed.
Lemma numbered_cycles : map snd numbered = cycles.
Proof.
  unfold numbered. assert (H : forall (l' : list cycle) (l : list Z), length l = length l' -> map snd (combine l l') = l').
  { induction l' as [|b l' IH]; intros [|a l] E; try easy. cbn in *. f_equal. apply IH. lia. }
  apply H. rewrite places_length. lia.
Qed.
Lemma numbered_legal bc : In bc numbered -> legal t (snd bc).
Proof. intros H. apply AllLegal. rewrite <- numbered_cycles. now apply in_map. Qed.
Lemma flat_numbered {B} (f : cycle -> list B) : flat_map (fun bc => f (snd bc)) numbered = flat_map f cycles.
Proof.
  transitivity (flat_map f (map snd numbered)); [|now rewrite numbered_cycles].
  generalize numbered as l. induction l as [|bc l IH]; [reflexivity|]. cbn. now rewrite IH.
Qed.
Lemma map_flat {X Y Z'} (f : Y -> Z') (g : X -> list Y) l : map f (flat_map g l) = flat_map (fun x => map f (g x)) l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn. now rewrite map_app, IH. Qed.
Lemma flat_ext {X Y} (f g : X -> list Y) l : (forall x, In x l -> f x = g x) -> flat_map f l = flat_map g l.
Proof.
  induction l as [|x l IH]; intros H; [reflexivity|]. cbn. rewrite (H x (or_introl eq_refl)), IH; [reflexivity|].
  intros y Hy. apply H. now right.
Qed.

Lemma role_indices : map index roles = flat_map indices cycles.
Proof.
  unfold roles. rewrite map_flat, <- (flat_numbered indices). apply flat_ext. intros bc _. now rewrite map_map.
Qed.
Lemma slot_indices : map slot_index slots = flat_map (children L) cycles.
Proof.
  unfold slots. rewrite map_flat, <- (flat_numbered (children L)). apply flat_ext. intros bc _. unfold children.
  rewrite map_flat. apply flat_ext. intros xa _. now rewrite map_map.
Qed.

Lemma in_roles x : In x roles <-> exists bc xa, In bc numbered /\ In xa (snd bc) /\ x = role_at bc xa.
Proof.
  unfold roles. rewrite in_flat_map. split.
  - intros [bc [H Hx]]. apply in_map_iff in Hx. destruct Hx as [xa [<- Hx]]. now exists bc, xa.
  - intros [bc [xa [H [Hx ->]]]]. exists bc. split; [exact H|]. now apply in_map.
Qed.
Lemma in_slots s : In s slots <-> exists bc xa k, In bc numbered /\ In xa (snd bc) /\ 0 <= k < snd (snd xa) /\ s = (role_at bc xa, k).
Proof.
  unfold slots. rewrite in_flat_map. split.
  - intros [bc [H Hx]]. apply in_flat_map in Hx. destruct Hx as [xa [Hx Hs]]. apply in_map_iff in Hs.
    destruct Hs as [k [<- Hk]]. apply in_places in Hk. now exists bc, xa, k.
  - intros [bc [xa [k [H [Hx [Hk ->]]]]]]. exists bc. split; [exact H|]. apply in_flat_map. exists xa.
    split; [exact Hx|]. apply in_map. now apply in_places.
Qed.

Lemma places_of_roles_once : NoDup (map (fun x => (block x, place x)) roles).
Proof.
  unfold roles. rewrite map_flat.
  rewrite (flat_ext _ (fun bc : Z * cycle => map (pair (fst bc)) (map fst (snd bc)))).
  - apply (once_tagged (map fst)); [apply numbers_once|]. intros bc H. apply (receives_all t _ (numbered_legal bc H)).
  - intros bc _. now rewrite !map_map.
Qed.
Lemma slot_steps_once : NoDup (map slot_step slots).
Proof.
  unfold slots. rewrite map_flat.
  rewrite (flat_ext _ (fun bc : Z * cycle => map (pair (fst bc)) (busy (snd bc)))).
  - apply (once_tagged busy); [apply numbers_once|]. intros bc H. apply (sends_one t _ (numbered_legal bc H)).
  - intros bc _. unfold busy. rewrite !map_flat. apply flat_ext. intros xa _. now rewrite !map_map.
Qed.
Lemma one_number bc bc' : In bc numbered -> In bc' numbered -> fst bc = fst bc' -> bc = bc'.
Proof. apply once_equal, numbers_once. Qed.

Definition everybody : list processor := flat_map (fun bc => map (pair (fst bc)) (places (long (snd bc)))) numbered.

Theorem cycles_plan : exists root sends, plan L t roles root sends.
Proof.
  pose proof Tree as H. rewrite <- role_indices, <- slot_indices in H. apply Permutation_sym in H.
  destruct (Permutation_map_inv index roles H) as [roles' [E Pr]]. destruct roles' as [|root takers]; [discriminate|].
  cbn [map] in E. injection E as Eroot Etakers.
  assert (N : NoDup (root :: takers)).
  { apply (Permutation_NoDup Pr). exact (NoDup_map_inv _ _ places_of_roles_once). }
  destruct (proj1 (NoDup_cons_iff root takers) N) as [Nroot Ntakers].
  assert (Nslots : NoDup slots) by exact (NoDup_map_inv _ _ slot_steps_once).
  exists root, (map (fun st => Send (fst (fst st)) (snd (fst st)) (snd st)) (combine slots takers)).
  assert (S : forall e, In e (map (fun st => Send (fst (fst st)) (snd (fst st)) (snd st)) (combine slots takers)) ->
              In ((giver e, after e), taker e) (combine slots takers)).
  { intros e He. apply in_map_iff in He. destruct He as [[[x k] y] [<- He]]. exact He. }
  split.
  - exact Latency.
  - intros x Hx. apply in_roles in Hx. destruct Hx as [bc [xa [Hb [Hx ->]]]]. cbn.
    destruct (numbered_legal bc Hb) as [Pos [From _ _] _ In_time]. split.
    + apply in_places. apply From. now apply in_map.
    + apply In_time. unfold indices. apply (in_map (fun xa => fst (snd xa)) _ _ Hx).
  - intros x y Hx Hy B. apply in_roles in Hx, Hy. destruct Hx as [bc [xa [Hb [Hx ->]]]], Hy as [bc' [ya [Hb' [Hy ->]]]].
    cbn in *. now rewrite (one_number bc bc' Hb Hb' B).
  - intros x y Hx Hy B E. apply (once_equal _ _ _ _ places_of_roles_once Hx Hy). congruence.
  - intros x n Hx. apply in_roles in Hx. destruct Hx as [bc [xa [Hb [Hx ->]]]].
    destruct (numbered_legal bc Hb) as [Pos Thrown _ _].
    destruct (thrown_everywhere fst (long (snd bc)) Pos (snd bc) Thrown eq_refl) as [_ Pl].
    assert (Hn : In (n mod long (snd bc)) (places (long (snd bc)))).
    { apply in_places. now apply Z.mod_pos_bound. }
    apply (Permutation_in _ (Permutation_sym Pl)) in Hn. apply in_map_iff in Hn. destruct Hn as [ya [Ey Hy]].
    exists (role_at bc ya). split; [|split; [reflexivity|]].
    + apply in_roles. now exists bc, ya.
    + cbn. unfold lands in Ey. rewrite Zminus_mod, Ey, Z.sub_diag. apply Z.mod_0_l. lia.
  - apply (Permutation_in _ (Permutation_sym Pr)). now left.
  - now symmetry.
  - intros e He. apply S in He. pose proof (in_combine_l _ _ _ _ He) as Hs. pose proof (in_combine_r _ _ _ _ He) as Ht.
    pose proof (zipped slot_index index slots takers Etakers _ _ He) as Ei. unfold slot_index in Ei. cbn [fst snd] in Ei.
    apply in_slots in Hs. destruct Hs as [bc [xa [k [Hb [Hx [Hk Es]]]]]]. injection Es as Eg Ek.
    split; [|split; [|split]].
    + rewrite Eg. apply in_roles. now exists bc, xa.
    + apply (Permutation_in _ (Permutation_sym Pr)). now right.
    + lia.
    + lia.
  - intros e f He Hf B E. apply S in He, Hf.
    assert (Q : (giver e, after e) = (giver f, after f)).
    { apply (once_equal _ _ _ _ slot_steps_once (in_combine_l _ _ _ _ He) (in_combine_l _ _ _ _ Hf)).
      unfold slot_step. cbn [fst snd]. unfold step_of in E. congruence. }
    rewrite Q in He. pose proof (zipped_right _ _ _ _ _ Nslots He Hf). destruct e, f; cbn in *. congruence.
  - intros e f He Hf E. apply S in He, Hf. rewrite E in He. pose proof (zipped_left _ _ _ _ _ Ntakers He Hf).
    destruct e, f; cbn in *. congruence.
  - intros e He E. apply S in He. apply in_combine_r in He. rewrite E in He. tauto.
  - intros x Hx. apply (Permutation_in _ Pr) in Hx. destruct Hx as [<-|Hx]; [now left|right].
    destruct (zipped_all slots takers x) as [[y k] Hy].
    + rewrite <- (map_length slot_index), Etakers, map_length. reflexivity.
    + exact Hx.
    + exists (Send y k x). split; [|reflexivity]. apply in_map_iff. now exists ((y, k), x).
Qed.

Lemma everybody_processors : processors_of roles everybody.
Proof.
  split.
  - apply (once_tagged (fun c => places (long c))); [apply numbers_once|]. intros bc _. apply places_once.
  - intros b j. unfold everybody. rewrite in_flat_map. split.
    + intros [bc [Hb H]]. apply in_map_iff in H. destruct H as [j' [E Hj]]. injection E as <- <-.
      apply in_places in Hj. destruct (snd bc) as [|xa c] eqn:Ec.
      * unfold long in Hj. cbn in Hj. lia.
      * exists (role_at bc xa). split; [|split; [reflexivity|]].
        -- apply in_roles. exists bc, xa. rewrite Ec. repeat split; [exact Hb|now left].
        -- cbn. now rewrite Ec.
    + intros [x [Hx [<- Hj]]]. apply in_roles in Hx. destruct Hx as [bc [xa [Hb [Hx ->]]]]. cbn in *.
      exists bc. split; [exact Hb|]. apply in_map. now apply in_places.
Qed.

Lemma everybody_length : length everybody = length (flat_map indices cycles).
Proof.
  unfold everybody. rewrite <- (flat_numbered indices). generalize numbered as l. intros l.
  induction l as [|bc l IH]; [reflexivity|]. simpl flat_map. rewrite !app_length. f_equal; [|exact IH].
  rewrite map_length, places_length. unfold indices, long. rewrite map_length. lia.
Qed.

Theorem cycles_broadcast : exists s, valid L everybody s /\ within L everybody s (L + t).
Proof.
  destruct cycles_plan as [root [sends Pl]]. exists (the_schedule L t root sends).
  split; [apply (plan_valid _ _ _ _ _ Pl)|apply (plan_within _ _ _ _ _ Pl)]; apply everybody_processors.
Qed.
End Cycles.
