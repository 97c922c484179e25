(** Continuous broadcast: the least delay, for every number of processors. *)
From Coq Require Import ZArith List Lia Permutation.
From Exactsched.continuous Require Import Definitions Hall Plans Cycles Partitions Induction Check LowerBound Renaming.
Import ListNotations.
Open Scope Z_scope.

Lemma reaches_names L t m names : 1 <= m -> reaches L t m -> NoDup names -> Z.of_nat (length names) = m ->
  exists s : schedule Z, valid L names s /\ within L names s (L + t).
Proof.
  intros Hm [l [N [E [s [V W]]]]] Nn En.
  apply (renamed L (fun x y : processor => ltac:(decide equality; apply Z.eq_dec)) l s (L + t) names N Nn); try assumption; [lia|].
  intros ->. cbn in E. lia.
Qed.

(** A delay that is reached at the depth of the tree is the least one. *)
Theorem least_delay_at L m t : 0 < L -> 1 <= m -> least_steps L m t -> reaches L t m -> least_delay L m (L + t).
Proof.
  intros HL Hm Least R names N E. split; [now apply (reaches_names L t m)|].
  intros s d V W. apply (never_sooner L names s d t HL N V W); rewrite E; [exact Hm|exact Least].
Qed.

Lemma reaches_one L : 0 < L -> reaches L 0 1.
Proof.
  intros HL. apply (partition_broadcast L 0 [] 0 HL). split; [intros g []| |reflexivity]. intros w [<-|[]]. lia.
Qed.

(** The steps that the items of a continuous broadcast to m processors take, L + B(m), are the fewest. *)
Definition theorem_B (L : Z) : Prop := forall m, 1 <= m -> exists t, least_steps L m t /\ least_delay L m (L + t).

(** The depths of a window decide all numbers of processors, if the smaller depths are reached. *)
Theorem window_decides L first : 2 <= L <= first ->
  (forall t m, L <= t < first -> fibonacci L (t - 1) < m <= fibonacci L t -> reaches L t m) ->
  (forall t, first <= t < first + L -> all_good L t) -> theorem_B L.
Proof.
  intros HL Base Window m Hm. destruct (Z.eq_dec m 1) as [->|Hm1].
  - assert (S : least_steps L 1 0) by (split; [lia|split; [rewrite fibonacci_one; lia|lia]]).
    exists 0. split; [exact S|]. apply least_delay_at; [lia|lia|exact S|]. apply reaches_one. lia.
  - destruct (depth_exists L m ltac:(lia) ltac:(lia)) as [t [Ht Hf]].
    pose proof (depth_is_least L m t ltac:(lia) ltac:(lia) Hf) as S. exists t. split; [exact S|].
    apply least_delay_at; [lia|lia|exact S|]. destruct (Z_lt_le_dec t first) as [Less|More].
    + apply Base; lia.
    + pose proof (good_forever L first HL Window t More m 1 Hf ltac:(left; lia)) as G.
      destruct (good_partition _ _ _ _ G) as [groups [P <-]]. apply (partition_broadcast L t groups 1); [lia|exact P].
Qed.

(** Finitely many cases, which a computation checks, decide all numbers of processors. *)
Theorem continuous_broadcast L first base window : 2 <= L <= first ->
  check_base L first base = true -> check_window L first window = true -> theorem_B L.
Proof.
  intros HL Base Window. apply (window_decides L first HL); [|exact (check_window_sound L first window Window)].
  intros t m Ht Hm. apply (check_base_sound L first base ltac:(lia) Base); assumption.
Qed.
