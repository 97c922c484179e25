(** What a theorem about one platform needs: the checker has been run, and its numbers are brought to lowest terms. *)
From Coq Require Import QArith Lqa List ZArith.
From Exactsched Require Import Model Sums Time Collectives Checker ScheduleSound Soundness.
Open Scope Q_scope.

(** The checker's numbers are T and C. *)
Definition gives (o : option (Q * Q)) (T C : Q) : bool :=
  match o with Some (t, c) => Qeq_bool t T && Qeq_bool c C | None => false end.
Definition bounds (o : option Q) (U : Q) : bool := match o with Some u => Qeq_bool u U | None => false end.

Lemma has_later S s m t t' x : valid S s -> t <= t' -> has S s m t x -> has S s m t' x.
Proof.
  intros V L [G|(i & k & N & E & W)]; [left; auto|right]. exists i, k. split; auto. split; auto.
  apply Qle_trans with (work s i m t); auto. unfold work. apply sum_le. intros p Hp. apply filter_In in Hp.
  destruct V as [V _]. destruct (V p (proj1 Hp)) as [H _]. apply before_mono; auto. lra.
Qed.
Lemma reached_eq S T C T' C' : T == T' -> C == C' -> reached S T C -> reached S T' C'.
Proof.
  intros ET EC [P R]. split. lra. intros M. destruct (R M) as (s & V & Co). exists s. split; auto.
  intros m x Hm Hx. apply has_later with (count M / T + C); auto. rewrite ET, EC. apply Qle_refl.
Qed.

Theorem bounded q b U : bounds (check_bound q b) U = true -> never_more (system_of q) U.
Proof.
  destruct (check_bound q b) eqn:E; simpl; [|discriminate]. intros H. apply Qeq_bool_eq in H.
  eapply never_more_eq; eauto. eapply bound_sound; eauto.
Qed.
Theorem scheduled q s T C : gives (check_schedule (system_of q) s) T C = true -> reached (system_of q) T C.
Proof.
  destruct (check_schedule (system_of q) s) as [[t c]|] eqn:E; simpl; [|discriminate]. intros H.
  apply andb_prop in H. destruct H as [HT HC]. apply Qeq_bool_eq in HT, HC.
  eapply reached_eq; eauto. eapply schedule_sound; eauto.
Qed.
Theorem exactly q s b T C : gives (check q s b) T C = true -> never_more (system_of q) T /\ reached (system_of q) T C.
Proof.
  destruct (check q s b) as [[t c]|] eqn:E; simpl; [|discriminate]. intros H.
  apply andb_prop in H. destruct H as [HT HC]. apply Qeq_bool_eq in HT, HC.
  destruct (check_sound _ _ _ _ _ E) as [N R]. split; [eapply never_more_eq|eapply reached_eq]; eauto.
Qed.
