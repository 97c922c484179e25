(** The main theorem: if the checker accepts, the claim holds against every schedule. *)
From Coq Require Import QArith List ZArith.
From Exactsched Require Import Model Sums Collectives Checker ScheduleSound BoundSound.
Open Scope Q_scope.

Theorem bound_sound q b U : check_bound q b = Some U -> never_more (system_of q) U.
Proof.
  destruct q, b; simpl; try discriminate; eauto using cuts_sound, distances_sound, potentials_sound;
    apply potentials_sound.
Qed.

Lemma never_more_eq S T T' : T == T' -> never_more S T -> never_more S T'.
Proof. intros E N s M K HK V C. rewrite <- E. eapply N; eauto. Qed.

Theorem check_both_sound q s b T C U : check_both q s b = Some (T, C, U) ->
  reached (system_of q) T C /\ never_more (system_of q) U.
Proof.
  unfold check_both. destruct (check_schedule _ _) as [[T' C']|] eqn:E; [|discriminate].
  destruct (check_bound _ _) as [U'|] eqn:F; [|discriminate]. intros R. injection R as <- <- <-.
  split; [eapply schedule_sound|eapply bound_sound]; eauto.
Qed.

Theorem check_sound q s b T C : check q s b = Some (T, C) -> never_more (system_of q) T /\
  reached (system_of q) T C.
Proof.
  unfold check. destruct (check_both q s b) as [[[T' C'] U]|] eqn:E; [|discriminate].
  destruct (Qeq_bool U T') eqn:G; [|discriminate]. intros R. injection R as <- <-. apply Qeq_bool_eq in G.
  apply check_both_sound in E. destruct E as [E F]. split; auto. apply never_more_eq with U; auto.
Qed.

Corollary check_throughput q s b T C : check q s b = Some (T, C) -> throughput (system_of q) T.
Proof. intros E. apply check_sound in E. destruct E as [N R]. split; [|exists C]; auto. Qed.
