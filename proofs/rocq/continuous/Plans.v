(** A plan of a cyclic schedule is a finite list of roles that processors take in turn. It makes a continuous broadcast. *)
From Coq Require Import ZArith List Lia Permutation Bool.
From Exactsched.continuous Require Import Definitions Hall.
Import ListNotations.
Open Scope Z_scope.

(** A block is a number of processors, its size, that take the same roles one after the other. A role stands at a place of
    its block's cycle and has an index: it receives an item that many steps before everybody shall have it. *)
Record role := Role { block : Z; size : Z; place : Z; index : Z }.

(** The role [giver] sends what it received k steps after that, and the role [taker] receives it. *)
Record send := Send { giver : role; after : Z; taker : role }.

Section Plan.
Variables (L t : Z) (roles : list role) (root : role) (sends : list send).

Definition step_of (e : send) : Z := (place (giver e) + after e) mod size (giver e).

Record plan : Prop := Plan {
  latency : 0 < L;
  sizes : forall x, In x roles -> 0 <= place x < size x /\ 0 <= index x <= t;
  one_size : forall x y, In x roles -> In y roles -> block x = block y -> size x = size y;
  one_place : forall x y, In x roles -> In y roles -> block x = block y -> place x = place y -> x = y;
  every_time : forall x n, In x roles -> exists y, In y roles /\ block y = block x /\
    (place y + index y - n) mod size y = 0;
  root_in : In root roles;
  root_index : index root = t;
  roles_of_sends : forall e, In e sends -> In (giver e) roles /\ In (taker e) roles /\ 0 <= after e /\
    index (taker e) = index (giver e) - L - after e;
  one_step : forall e f, In e sends -> In f sends -> block (giver e) = block (giver f) -> step_of e = step_of f -> e = f;
  one_sender : forall e f, In e sends -> In f sends -> taker e = taker f -> e = f;
  root_unsent : forall e, In e sends -> taker e <> root;
  all_sent : forall x, In x roles -> x = root \/ exists e, In e sends /\ taker e = x }.
Hypothesis P : plan.

(** The processor j of a block is at the place 0 of its cycle in the steps j, j + size, .... *)
Definition processor := (Z * Z)%type.
Definition taken_by (x : role) (u : Z) : processor := (block x, (u - place x) mod size x).

(** When the role x receives the item i, which the source sends in the step i. *)
Definition received (x : role) (i : Z) : Z := i + L + t - index x.

Definition sends_now (q : processor) (u : Z) (e : send) : bool :=
  (block (giver e) =? fst q) && (step_of e =? (u - snd q) mod size (giver e)) && (snd q <? size (giver e)) && (0 <=? snd q).
Definition the_schedule : schedule processor := fun q u =>
  match q with
  | None => if 0 <=? u then Some (taken_by root (u + L), u) else None
  | Some q =>
    match find (sends_now q u) sends with
    | None => None
    | Some e =>
      let i := u - after e - L - t + index (giver e) in
      if 0 <=? i then Some (taken_by (taker e) (u + L), i) else None
    end
  end.

Lemma sends_now_spec q u e : In e sends ->
  sends_now q u e = true <-> q = taken_by (giver e) (u - after e).
Proof.
  intros He. destruct (roles_of_sends P e He) as [Hb _]. destruct (sizes P _ Hb) as [Hs _].
  destruct q as [b j]. unfold sends_now, taken_by, step_of. cbn [fst snd].
  rewrite !andb_true_iff, !Z.eqb_eq, Z.ltb_lt, Z.leb_le. set (n := size (giver e)) in *. split.
  - intros [[[-> E] H1] H2]. f_equal. rewrite <- (Z.mod_small j n) by lia.
    replace (u - after e - place (giver e)) with (u - (place (giver e) + after e)) by lia.
    rewrite (Zminus_mod u (place (giver e) + after e)), E, <- Zminus_mod. f_equal. lia.
  - intros H. injection H as -> ->. pose proof (Z.mod_pos_bound (u - after e - place (giver e)) n ltac:(lia)).
    repeat split; try lia. rewrite Zminus_mod_idemp_r. f_equal. lia.
Qed.

Lemma find_send q u e : In e sends -> q = taken_by (giver e) (u - after e) -> find (sends_now q u) sends = Some e.
Proof.
  intros He Hq. apply (sends_now_spec q u e He) in Hq. destruct (find (sends_now q u) sends) as [f|] eqn:F.
  - destruct (find_some _ _ F) as [Hf Nf]. f_equal. apply (one_step P); try assumption.
    + unfold sends_now in Hq, Nf. rewrite !andb_true_iff, !Z.eqb_eq in Hq, Nf. destruct Hq as [[[-> _] _] _]. tauto.
    + unfold sends_now in Hq, Nf. rewrite !andb_true_iff, !Z.eqb_eq in Hq, Nf.
      destruct Hq as [[[B ->] _] _], Nf as [[[B' ->] _] _]. f_equal.
      apply (one_size P); [now apply (roles_of_sends P)|now apply (roles_of_sends P)|congruence].
  - pose proof (find_none _ _ F e He). congruence.
Qed.

(** Every role receives every item in its step. *)
Lemma role_receives x i : In x roles -> 0 <= i ->
  exists q, the_schedule q (received x i - L) = Some (taken_by x (received x i), i).
Proof.
  intros Hx Hi. destruct (all_sent P x Hx) as [->|[e [He <-]]].
  - exists None. unfold received. rewrite (root_index P). cbn.
    replace (i + L + t - t - L) with i by lia. destruct (Z.leb_spec 0 i); [|lia].
    do 3 f_equal; lia.
  - destruct (roles_of_sends P e He) as [_ [_ [Ha Ei]]].
    set (u := received (taker e) i - L). exists (Some (taken_by (giver e) (u - after e))). cbn.
    rewrite (find_send _ u e He eq_refl).
    assert (Eu : u - after e - L - t + index (giver e) = i) by (unfold u, received; lia).
    rewrite Eu. destruct (Z.leb_spec 0 i); [|lia]. do 3 f_equal. unfold u. lia.
Qed.

Definition processors_of (l : list processor) : Prop := NoDup l /\
  forall b j, In (b, j) l <-> exists x, In x roles /\ block x = b /\ 0 <= j < size x.

(** What the schedule sends: from the source, or by a role. *)
Lemma sent_cases q u p i : the_schedule q u = Some (p, i) ->
  (q = None /\ 0 <= u /\ i = u /\ p = taken_by root (received root i)) \/
  exists e, In e sends /\ q = Some (taken_by (giver e) (received (giver e) i)) /\ u = received (giver e) i + after e /\
    0 <= i /\ p = taken_by (taker e) (received (taker e) i) /\ u + L = received (taker e) i.
Proof.
  destruct q as [q|]; cbn [the_schedule]; intros H.
  - destruct (find (sends_now q u) sends) as [e|] eqn:F; [|discriminate].
    destruct (find_some _ _ F) as [He Ne]. apply (sends_now_spec q u e He) in Ne.
    destruct (Z.leb_spec 0 (u - after e - L - t + index (giver e))) as [Hi|]; [|discriminate].
    injection H as <- Ei. destruct (roles_of_sends P e He) as [_ [_ [_ Ex]]].
    right. exists e. split; [exact He|].
    assert (Er : received (giver e) i = u - after e) by (unfold received; lia).
    assert (Es : received (taker e) i = u + L) by (unfold received; lia).
    rewrite Er, Es, Ne. repeat split; lia.
  - destruct (Z.leb_spec 0 u); [|discriminate]. injection H as <- <-. left. repeat split; try lia.
    f_equal. unfold received. rewrite (root_index P). lia.
Qed.

Lemma taken_in l x u : processors_of l -> In x roles -> In (taken_by x u) l.
Proof.
  intros [_ H] Hx. apply H. exists x. destruct (sizes P x Hx) as [Hp _].
  split; [exact Hx|]. split; [reflexivity|]. apply Z.mod_pos_bound. lia.
Qed.

Lemma same_place x y u : In x roles -> In y roles -> taken_by x u = taken_by y u -> x = y.
Proof.
  intros Hx Hy E. unfold taken_by in E. injection E as B E. pose proof (one_size P x y Hx Hy B) as S.
  apply (one_place P); try assumption. destruct (sizes P x Hx) as [Px _], (sizes P y Hy) as [Py _].
  rewrite S in *. set (n := size y) in *.
  assert (Q : (place y - place x) mod n = 0).
  { replace (place y - place x) with ((u - place x) - (u - place y)) by lia.
    rewrite Zminus_mod, E, Z.sub_diag. apply Z.mod_0_l. lia. }
  apply Z.mod_divide in Q; [|lia]. destruct Q as [k Q].
  assert (0 < n) by lia. assert (-1 < k) by nia. assert (k < 1) by nia. lia.
Qed.

Theorem plan_valid l : processors_of l -> valid L l the_schedule.
Proof.
  intros Hl. split.
  - intros q u p i H. destruct (sent_cases _ _ _ _ H) as [[_ [Hu _]]|[e [He [_ [-> [Hi _]]]]]]; [exact Hu|].
    destruct (roles_of_sends P e He) as [Hb [_ [Ha _]]]. pose proof (sizes P _ Hb). pose proof (latency P).
    unfold received. lia.
  - intros q u p i H. destruct (sent_cases _ _ _ _ H) as [[-> [_ [_ ->]]]|[e [He [-> [_ [_ [-> _]]]]]]].
    + split; [apply taken_in; [exact Hl|apply (root_in P)]|discriminate].
    + destruct (roles_of_sends P e He) as [Hb [Ht _]]. split; [now apply taken_in|].
      intros q' Q. injection Q as <-. now apply taken_in.
  - intros q u p i H. destruct (sent_cases _ _ _ _ H) as [[-> [Hu [-> _]]]|[e [He [-> [-> [Hi _]]]]]]; cbn; [lia|].
    destruct (roles_of_sends P e He) as [Hb [_ [Ha _]]].
    destruct (role_receives (giver e) i Hb Hi) as [q Hq]. exists q, (received (giver e) i - L). split; [exact Hq|lia].
  - intros q q' u p i i' H H'.
    assert (Root : forall e j j', In e sends -> taken_by (taker e) (received (taker e) j) = taken_by root (received root j') ->
      received (taker e) j = received root j' -> False).
    { intros e j j' He E Er. apply (root_unsent P e He). rewrite Er in E. destruct (roles_of_sends P e He) as [_ [Ht _]].
      exact (same_place _ _ _ Ht (root_in P) E). }
    assert (Er : forall j, received root j = j + L) by (intros j; unfold received; rewrite (root_index P); lia).
    destruct (sent_cases _ _ _ _ H) as [[Eq [Hu [Ei Ep]]]|[e [He [Eq [Eu [Hi [Ep Es]]]]]]];
    destruct (sent_cases _ _ _ _ H') as [[Eq' [Hu' [Ei' Ep']]]|[f [Hf [Eq' [Eu' [Hi' [Ep' Es']]]]]]].
    + congruence.
    + exfalso. apply (Root f i' i Hf); [congruence|]. rewrite Er. lia.
    + exfalso. apply (Root e i i' He); [congruence|]. rewrite Er. lia.
    + assert (E : e = f).
      { apply (one_sender P); try assumption. apply (same_place _ _ (u + L)).
        - now apply (roles_of_sends P).
        - now apply (roles_of_sends P).
        - rewrite Es at 1. rewrite Es'. congruence. }
      subst f. rewrite Eq, Eq'. do 3 f_equal. unfold received in *. lia.
Qed.

Theorem plan_within l : processors_of l -> within L l the_schedule (L + t).
Proof.
  intros Hl i [b j] Hi Hp. apply Hl in Hp. destruct Hp as [x [Hx [Bx Hj]]].
  destruct (every_time P x (i + L + t - j) Hx) as [y [Hy [By E]]].
  destruct (role_receives y i Hy Hi) as [q Hq]. exists q, (received y i - L).
  pose proof (one_size P x y Hx Hy ltac:(congruence)) as S. destruct (sizes P y Hy) as [Py Iy].
  assert (T : taken_by y (received y i) = (b, j)).
  { unfold taken_by. rewrite By, Bx. f_equal. unfold received.
    replace (i + L + t - index y - place y) with (j - (place y + index y - (i + L + t - j))) by lia.
    rewrite Zminus_mod, E, Z.sub_0_r, Z.mod_mod by lia. apply Z.mod_small. lia. }
  rewrite T in Hq. split; [exact Hq|]. unfold received. lia.
Qed.
End Plan.
