(** The definitions are not vacuous: small machines whose best throughput the checkers determine. *)
From Coq Require Import ZArith QArith List Lia Lqa Bool Permutation.
From Exactsched.overlay Require Import Definitions Sums Checker Bounds Soundness Augmented.
Import ListNotations.

(** The source sends to node 1, which sends everything on to node 2. *)
Definition line : machine := Machine (Node 0 2 1 None) [Node 1 1 1 None; Node 2 0 0 None] None.
Example line_carries_one : best line any 1.
Proof.
  apply (check_best_sound line any 1 1 [(1, [(0, 1); (1, 2)])]%Z [(0, 1); (1, 2)]%Z [] (by_all [1; 2]%Z)).
  vm_compute. reflexivity.
Qed.

(** Two halves of the message, which two nodes exchange: the arcs have a cycle, no part goes around. *)
Definition exchange : machine := Machine (Node 0 2 2 None) [Node 1 1 1 None; Node 2 1 1 None] None.
Example exchange_carries_two : best exchange any 2.
Proof.
  apply (check_best_sound exchange any 2 2 [(1, [(0, 1); (1, 2)]); (1, [(0, 2); (2, 1)])]%Z
    [(0, 1); (1, 2); (0, 2); (2, 1)]%Z [] by_source).
  vm_compute. reflexivity.
Qed.

(** Without cycles one of the two can send nothing, so less is possible. *)
Example exchange_without_cycles : best exchange acyclic (3 # 2).
Proof.
  apply (check_best_sound exchange acyclic (3 # 2) 3 [(1, [(0, 1); (0, 2)]); (2, [(0, 1); (1, 2)])]%Z
    [(0, 1); (0, 2); (1, 2)]%Z [(1, 1); (2, 2)]%Z (by_acyclic [0; 1; 2]%Z [0; 1; 2]%Z 1 1)).
  vm_compute. reflexivity.
Qed.

(** One tree, along which either node sends everything on to the other: half of it. *)
Example exchange_by_a_tree : best exchange tree 1.
Proof.
  apply (check_best_sound exchange tree 1 1 [(1, [(0, 1); (1, 2)])]%Z [(0, 1); (1, 2)]%Z [] by_children).
  vm_compute. reflexivity.
Qed.

(** ** One receiver more *)

(** Everybody may send to one other. Counting allows 2, *)
Definition narrow : machine := Machine (Node 0 2 1 None) [Node 1 1 1 None; Node 2 1 1 None] None.
Lemma narrow_names : NoDup (names (nodes narrow)).
Proof. cbn. repeat constructor; cbn; lia. Qed.
Lemma narrow_nonneg i : In i (nodes narrow) -> 0 <= bandwidth i /\ (0 <= degree i)%Z.
Proof. cbn. intros H. repeat destruct H as [<-|H]; cbn; split; (lra || lia). Qed.
Lemma narrow_counts : counts narrow (nodes narrow) 2.
Proof.
  split; [cbn; lra|]. split; [cbn; lia|]. split; [|vm_compute; discriminate].
  intros v r [<-|[<-|[]]]; discriminate.
Qed.
(** and two receivers each reach it: the overlay is that of [exchange]. *)
Example narrow_one_more : reached (one_more narrow) any 2.
Proof. apply augmented; [apply narrow_names|reflexivity|apply narrow_nonneg|lra|apply narrow_counts]. Qed.
(** The largest that counting allows is 2. *)
Example narrow_bound U : (forall T, 0 < T -> counts narrow (nodes narrow) T <-> T <= U) -> U == 2.
Proof.
  intros H. apply Qle_antisym; [|apply H; [lra|apply narrow_counts]].
  destruct (Qlt_le_dec 2 U) as [L|]; [|assumption]. destruct (proj2 (H U ltac:(lra)) ltac:(lra)) as [B _]. cbn in B. lra.
Qed.
Example narrow_never_more : never_more narrow any 2.
Proof.
  destruct (one_receiver_more narrow narrow_names eq_refl ltac:(discriminate) narrow_nonneg) as [U [E [B _]]].
  intros c T V S C. rewrite <- (narrow_bound U E). now apply (B c).
Qed.

(** Within the degrees 2 is not reached: one receiver more cannot be left out. Whoever gets nothing from the source gets
    at most 1. *)
Lemma narrow_at_most v c T : valid_rates narrow c -> carries narrow c T -> In v [1; 2]%Z ->
  (forall x, In x c -> sender x = 0%Z -> receiver x <> v) -> T <= 1.
Proof.
  intros [V1 [V2 [V3 _]]] [_ C] Hv No. set (w := (3 - v)%Z).
  assert (B : sum rate (from w c) <= 1).
  { destruct Hv as [<-|[<-|[]]]; [apply (V3 (Node 2 1 1 None))|apply (V3 (Node 1 1 1 None))]; cbn; tauto. }
  eapply Qle_trans; [|exact B]. eapply Qle_trans; [apply (C (fun u => (u =? v)%Z))|].
  - destruct Hv as [<-|[<-|[]]]; reflexivity.
  - destruct Hv as [<-|[<-|[]]]; [exists (Node 1 1 1 None)|exists (Node 2 1 1 None)]; cbn; tauto.
  - unfold into, from. rewrite sum_filter. apply sum_le. intros x Hx. destruct (V2 x Hx) as [[A _] R].
    destruct (Z.eqb_spec (receiver x) v) as [E|]; cbn [andb]; [|destruct (_ =? w)%Z; lra].
    destruct (Z.eqb_spec (sender x) v) as [F|F]; cbn [negb]; [destruct (_ =? w)%Z; lra|].
    assert (S0 : sender x <> 0%Z) by (intros Z0; now apply (No x Hx Z0)).
    destruct (Z.eqb_spec (sender x) w); [lra|]. exfalso. unfold w in *. cbn in A, Hv. lia.
Qed.
Example degrees_are_not_enough : ~ reached narrow any 2.
Proof.
  intros R. assert (L : 2 <= 1); [|lra]. apply (reached_at_most narrow any 2 1 narrow_names R).
  intros c T V _ C. pose proof V as [_ [_ [_ V4]]]. specialize (V4 (source narrow) (or_introl eq_refl)). cbn in V4.
  destruct (from 0 c) as [|x l] eqn:F.
  - apply (narrow_at_most 1 c T V C); [now left|]. intros y Hy E.
    assert (I : In y (from 0 c)) by (apply filter_In; split; [exact Hy|now apply Z.eqb_eq]). now rewrite F in I.
  - destruct l as [|z l]; [|cbn [length] in V4; lia].
    assert (One : forall v, receiver x <> v -> forall y, In y c -> sender y = 0%Z -> receiver y <> v).
    { intros v N y Hy E. assert (I : In y (from 0 c)) by (apply filter_In; split; [exact Hy|now apply Z.eqb_eq]).
      rewrite F in I. destruct I as [<-|[]]. exact N. }
    destruct (Z.eq_dec (receiver x) 1) as [E|N].
    + apply (narrow_at_most 2 c T V C); [right; now left|]. apply One. rewrite E. lia.
    + apply (narrow_at_most 1 c T V C); [now left|]. now apply One.
Qed.

(** Without cycles counting allows 3/2 on [exchange], which one receiver more reaches, and not 2. *)
Lemma exchange_counts : counts_without_one exchange (3 # 2).
Proof.
  exists [Node 1 1 1 None], (Node 2 1 1 None). split; [apply perm_swap|]. split; [cbn; lra|]. split; [cbn; lia|].
  split; [|vm_compute; discriminate]. intros v r [<-|[<-|[]]]; discriminate.
Qed.
Example exchange_one_more : reached (one_more exchange) acyclic (3 # 2).
Proof.
  apply augmented_acyclic; [cbn; repeat constructor; cbn; lia|reflexivity| |lra|apply exchange_counts].
  cbn. intros i H. repeat destruct H as [<-|H]; cbn; split; (lra || lia).
Qed.
Example exchange_not_two : ~ counts_without_one exchange 2.
Proof.
  intros [l [i [P [_ [_ [_ H]]]]]]. assert (L : length l = 1%nat).
  { apply Permutation_length in P. cbn in P. lia. }
  destruct l as [|j [|]]; try discriminate. assert (I : In j (others exchange)) by (rewrite P; right; now left).
  destruct I as [<-|[<-|[]]]; vm_compute in H; now apply H.
Qed.
