(** What a theorem about an allgather on one platform needs: the checkers have been run, and their numbers are
    brought to lowest terms. *)
From Coq Require Import QArith List ZArith Bool.
From Exactsched Require Import Model Collectives ScheduleSound Soundness OnePlatform.
From Exactsched.allreduce Require Import Allgather ShardsChecker ShardsSound.
Open Scope Q_scope.

Theorem forwarded p arcs members shards paths s T C :
  gives (check_shards_schedule p arcs members shards paths s) T C = true -> forwards p arcs members shards T C.
Proof.
  intros H. destruct (given _ _ _ H) as (t & c & E & ET & EC). apply check_shards_schedule_sound in E.
  destruct E as (ways & P & R). exists ways. split; auto. eapply reached_eq; eauto.
Qed.

(** ** Bounded by cuts *)

Theorem bounded_by_cuts p arcs members shards y l U :
  bounds (check_shards_bound p arcs members shards y l) U = true -> never_more (allgather p arcs members shards) U.
Proof.
  intros H. destruct (bounded_by _ _ H) as (u & E & EU). eapply never_more_eq; eauto. eapply check_shards_bound_sound; eauto.
Qed.
Theorem exactly_by_cuts p arcs members shards paths s y l T C :
  checked (check_shards_schedule p arcs members shards paths s) (check_shards_bound p arcs members shards y l) T C
    = true ->
  never_more (allgather p arcs members shards) T /\ forwards p arcs members shards T C.
Proof.
  intros H. apply andb_prop in H. destruct H. split; [eapply bounded_by_cuts|eapply forwarded]; eauto.
Qed.
Theorem ran_by_cuts p arcs members shards paths M r y l K L :
  gives (check_shards_run p arcs members shards paths M r y l) K L = true ->
  forwarded_by p arcs members shards (Pos.to_nat M) K /\
  takes_at_least (allgather p arcs members shards) (Pos.to_nat M) L.
Proof.
  intros H. destruct (given _ _ _ H) as (k & m & E & EK & EL). apply check_shards_run_sound in E.
  destruct E as [(ways & P & D) N]. split; [|eapply takes_at_least_eq; eauto].
  exists ways. split; auto. eapply done_by_eq; eauto.
Qed.

(** ** Bounded by forwarding *)

Theorem bounded_by_forwarding p arcs members shards b U :
  bounds (check_forwarding_bound p arcs members shards b) U = true -> forwards_never_more p arcs members shards U.
Proof.
  intros H. destruct (bounded_by _ _ H) as (u & E & EU). intros paths P. eapply never_more_eq; eauto.
  eapply check_forwarding_bound_sound; eauto.
Qed.
Theorem exactly_by_forwarding p arcs members shards paths s b T C :
  checked (check_shards_schedule p arcs members shards paths s) (check_forwarding_bound p arcs members shards b) T C
    = true ->
  forwards_never_more p arcs members shards T /\ forwards p arcs members shards T C.
Proof.
  intros H. apply andb_prop in H. destruct H. split; [eapply bounded_by_forwarding|eapply forwarded]; eauto.
Qed.
Theorem ran_by_forwarding p arcs members shards paths M r b K L :
  gives (check_forwarding_run p arcs members shards paths M r b) K L = true ->
  forwarded_by p arcs members shards (Pos.to_nat M) K /\ forwarding_takes p arcs members shards (Pos.to_nat M) L.
Proof.
  intros H. destruct (given _ _ _ H) as (k & m & E & EK & EL). apply check_forwarding_run_sound in E.
  destruct E as [(ways & P & D) N]. split; [exists ways; split; auto; eapply done_by_eq; eauto|].
  intros paths' P'. eapply takes_at_least_eq; eauto.
Qed.
