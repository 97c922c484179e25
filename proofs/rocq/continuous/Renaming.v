(** Processors may have any names. *)
From Coq Require Import ZArith List Lia.
From Exactsched.continuous Require Import Definitions.
Import ListNotations.
Open Scope Z_scope.

Lemma names_exist {A} (same : forall x y : A, {x = y} + {x <> y}) (a0 : A) (l : list A) : NoDup l ->
  forall names : list Z, NoDup names -> length l = length names ->
  exists (name : A -> Z) (back : Z -> A),
    (forall x, In x l -> In (name x) names /\ back (name x) = x) /\
    (forall p, In p names -> In (back p) l /\ name (back p) = p).
Proof.
  induction 1 as [|a l Na Nl IH]; intros [|p names] Nn E; try easy.
  - exists (fun _ => 0), (fun _ => a0). split; [intros x []|intros p []].
  - inversion Nn as [|? ? Np Nn']; subst. cbn in E. destruct (IH names Nn' ltac:(lia)) as [name [back [H1 H2]]].
    exists (fun x => if same x a then p else name x), (fun q => if Z.eq_dec q p then a else back q). split.
    + intros x Hx. destruct (same x a) as [->|D].
      * split; [now left|]. now destruct (Z.eq_dec p p).
      * destruct Hx as [Q|Hx]; [now subst|]. destruct (H1 x Hx) as [I B]. split; [now right|].
        destruct (Z.eq_dec (name x) p) as [Q|]; [|exact B]. exfalso. apply Np. now rewrite <- Q.
    + intros q Hq. destruct (Z.eq_dec q p) as [->|D].
      * split; [now left|]. now destruct (same a a).
      * destruct Hq as [Q|Hq]; [now subst|]. destruct (H2 q Hq) as [I B]. split; [now right|].
        destruct (same (back q) a) as [Q|]; [|exact B]. exfalso. apply Na. now rewrite <- Q.
Qed.

Theorem renamed L {A} (same : forall x y : A, {x = y} + {x <> y}) (l : list A) (s : schedule A) delay names :
  NoDup l -> NoDup names -> length l = length names -> l <> [] -> valid L l s -> within L l s delay ->
  exists s' : schedule Z, valid L names s' /\ within L names s' delay.
Proof.
  intros Nl Nn E Ne V W. destruct l as [|a0 l0] eqn:El; [congruence|]. rewrite <- El in *.
  destruct (names_exist same a0 l Nl names Nn E) as [name [back [H1 H2]]].
  set (f := fun x : option (A * Z) => match x with Some (a, i) => Some (name a, i) | None => None end).
  set (s' := (fun q u => match q with
                         | None => f (s None u)
                         | Some p => if in_dec Z.eq_dec p names then f (s (Some (back p)) u) else None
                         end) : schedule Z).
  exists s'.
  assert (Fwd : forall q u a i, s q u = Some (a, i) -> s' (option_map name q) u = Some (name a, i)).
  { intros q u a i H. destruct q as [b|]; cbn.
    - destruct (among _ _ _ _ V _ _ _ _ H) as [_ Hb]. specialize (Hb b eq_refl). destruct (H1 b Hb) as [I B].
      destruct (in_dec Z.eq_dec (name b) names); [|tauto]. now rewrite B, H.
    - now rewrite H. }
  assert (Bwd : forall q u p i, s' q u = Some (p, i) -> exists a, In a l /\ p = name a /\
    s (option_map back q) u = Some (a, i) /\ forall q', q = Some q' -> In q' names).
  { intros q u p i H. destruct q as [b|]; cbn in H.
    - destruct (in_dec Z.eq_dec b names) as [I|]; [|discriminate]. cbn.
      destruct (s (Some (back b)) u) as [[a i']|] eqn:Es; [|discriminate]. injection H as <- <-. exists a.
      split; [exact (proj1 (among _ _ _ _ V _ _ _ _ Es))|]. split; [reflexivity|]. split; [reflexivity|]. intros q' Q. now injection Q as <-.
    - destruct (s None u) as [[a i']|] eqn:Es; [|discriminate]. injection H as <- <-. exists a.
      split; [exact (proj1 (among _ _ _ _ V _ _ _ _ Es))|]. split; [reflexivity|]. split; [exact Es|discriminate]. }
  assert (Has : forall a i t, In a l -> has L s (Some a) i t -> has L s' (Some (name a)) i t).
  { intros a i t Ha [q [u [H Hu]]]. exists (option_map name q), u. split; [now apply Fwd|exact Hu]. }
  split; [split|].
  - intros q u p i H. destruct (Bwd _ _ _ _ H) as [a [_ [_ [Es _]]]]. exact (starts _ _ _ _ V _ _ _ _ Es).
  - intros q u p i H. destruct (Bwd _ _ _ _ H) as [a [Ha [-> [_ Hq]]]]. split; [now apply H1|exact Hq].
  - intros q u p i H. destruct (Bwd _ _ _ _ H) as [a [_ [_ [Es Hq]]]].
    pose proof (sends_what_it_has _ _ _ _ V _ _ _ _ Es) as B. destruct q as [q|]; [|exact B].
    specialize (Hq q eq_refl). destruct (H2 q Hq) as [I Eq]. rewrite <- Eq. now apply Has.
  - intros q q' u p i i' H H'. destruct (Bwd _ _ _ _ H) as [a [Ha [-> [Es Hq]]]], (Bwd _ _ _ _ H') as [a' [Ha' [Ea [Es' Hq']]]].
    assert (a = a') by (rewrite <- (proj2 (H1 a Ha)), Ea; now apply H1). subst a'.
    pose proof (receives_once _ _ _ _ V _ _ _ _ _ _ Es Es') as Q. destruct q as [q|], q' as [q'|]; try discriminate; [|reflexivity].
    cbn in Q. injection Q as Q. rewrite <- (proj2 (H2 q (Hq q eq_refl))), Q. f_equal. now apply H2, Hq'.
  - intros i p Hi Hp. destruct (H2 p Hp) as [I Eq]. rewrite <- Eq. apply Has; [exact I|]. now apply W.
Qed.
