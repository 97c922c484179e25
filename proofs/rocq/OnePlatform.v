(** What a theorem about one platform needs: the checker has been run, and its numbers are brought to lowest terms. *)
From Coq Require Import QArith Lqa List ZArith.
From Exactsched Require Import Model Sums Time Collectives Checker ScheduleSound Soundness RunChecker RunSound
  RestrictedChecker RestrictedSound.
Open Scope Q_scope.

(** The checker's numbers are A and B. *)
Definition gives (o : option (Q * Q)) (A B : Q) : bool :=
  match o with Some (a, b) => Qeq_bool a A && Qeq_bool b B | None => false end.
Definition bounds (o : option Q) (U : Q) : bool := match o with Some u => Qeq_bool u U | None => false end.
Definition checked (o : option (Q * Q)) (u : option Q) (T C : Q) : bool := gives o T C && bounds u T.

(** ** Claims about equal numbers *)

Lemma has_later S s m t t' x : valid S s -> t <= t' -> has S s m t x -> has S s m t' x.
Proof.
  intros V L [G|(i & k & N & E & W)]; [left; auto|right]. exists i, k. split; auto. split; auto.
  apply Qle_trans with (work s i m t); auto. unfold work. apply sum_le. intros p Hp. apply filter_In in Hp.
  destruct V as [V _]. destruct (V p (proj1 Hp)) as [H _]. apply before_mono; auto. lra.
Qed.
Lemma completes_eq S s M t t' : t == t' -> valid S s -> completes S s M t -> completes S s M t'.
Proof. intros E V C m x Hm Hx. apply has_later with t; auto. lra. Qed.
Lemma reached_eq S T C T' C' : T == T' -> C == C' -> reached S T C -> reached S T' C'.
Proof.
  intros ET EC [P R]. split. lra. intros M. destruct (R M) as (s & V & Co). exists s. split; auto.
  apply completes_eq with (count M / T + C); auto. rewrite ET, EC. reflexivity.
Qed.
Lemma done_by_eq S M K K' : K == K' -> done_by S M K -> done_by S M K'.
Proof. intros E (s & V & C). exists s. split; auto. apply completes_eq with K; auto. Qed.
Lemma takes_at_least_eq S M K K' : K == K' -> takes_at_least S M K -> takes_at_least S M K'.
Proof. intros E H s t Ht V C. rewrite <- E. eapply H; eauto. Qed.

Lemma given o A B : gives o A B = true -> exists a b, o = Some (a, b) /\ a == A /\ b == B.
Proof.
  destruct o as [[a b]|]; simpl; [|discriminate]. intros H. apply andb_prop in H. destruct H as [HA HB].
  apply Qeq_bool_eq in HA, HB. eauto.
Qed.
Lemma bounded_by o U : bounds o U = true -> exists u, o = Some u /\ u == U.
Proof. destruct o as [u|]; simpl; [|discriminate]. intros H. apply Qeq_bool_eq in H. eauto. Qed.

(** ** Series *)

Theorem bounded q b U : bounds (check_bound q b) U = true -> never_more (system_of q) U.
Proof. intros H. destruct (bounded_by _ _ H) as (u & E & EU). eapply never_more_eq; eauto. eapply bound_sound; eauto. Qed.
Theorem scheduled q s T C : gives (check_schedule (system_of q) s) T C = true -> reached (system_of q) T C.
Proof. intros H. destruct (given _ _ _ H) as (t & c & E & ET & EC). eapply reached_eq; eauto. eapply schedule_sound; eauto. Qed.
Theorem exactly q s b T C : gives (check q s b) T C = true -> never_more (system_of q) T /\ reached (system_of q) T C.
Proof.
  intros H. destruct (given _ _ _ H) as (t & c & E & ET & EC). destruct (check_sound _ _ _ _ _ E) as [N R].
  split; [eapply never_more_eq|eapply reached_eq]; eauto.
Qed.

(** ** Series restricted to a tree or an acyclic set *)

Theorem restricted_bounded kind p arcs source targets b U :
  bounds (check_restricted_bound kind p arcs source targets b) U = true ->
  never_more_within (is_allowed kind source) p arcs source targets U.
Proof.
  intros H. destruct (bounded_by _ _ H) as (u & E & EU). intros used I A. eapply never_more_eq; eauto.
  eapply restricted_bound_sound; eauto.
Qed.
Theorem restricted_scheduled kind p arcs source targets used ranks s T C :
  gives (check_restricted_schedule kind p arcs source targets used ranks s) T C = true ->
  reached_within (is_allowed kind source) p arcs source targets T C.
Proof.
  intros H. destruct (given _ _ _ H) as (t & c & E & ET & EC). apply restricted_schedule_sound in E.
  destruct E as (l & I & A & R). exists l. split; auto. split; auto. eapply reached_eq; eauto.
Qed.
Theorem restricted_exactly kind p arcs source targets used ranks s b T C :
  checked (check_restricted_schedule kind p arcs source targets used ranks s)
    (check_restricted_bound kind p arcs source targets b) T C = true ->
  never_more_within (is_allowed kind source) p arcs source targets T /\
  reached_within (is_allowed kind source) p arcs source targets T C.
Proof.
  intros H. apply andb_prop in H. destruct H as [H1 H2].
  split; [eapply restricted_bounded|eapply restricted_scheduled]; eauto.
Qed.

(** ** Runs *)

Theorem ran q M r b K L : gives (check_run q M r b) K L = true ->
  done_by (system_of q) (Pos.to_nat M) K /\ takes_at_least (system_of q) (Pos.to_nat M) L.
Proof.
  intros H. destruct (given _ _ _ H) as (k & l & E & EK & EL). apply run_sound in E. destruct E as [D N].
  split; [eapply done_by_eq|eapply takes_at_least_eq]; eauto.
Qed.
Theorem packets_ran p arcs source targets sizes r b K L :
  gives (check_packet_run p arcs source targets sizes r b) K L = true ->
  let S := packets p arcs source targets sizes in
  (exists s, valid S s /\ completes S s 1 K /\ pays_latency_once arcs S s) /\ takes_at_least S 1 L.
Proof.
  intros H. destruct (given _ _ _ H) as (k & l & E & EK & EL). apply packet_run_sound in E.
  destruct E as [(s & V & C & P) N]. split; [|eapply takes_at_least_eq; eauto].
  exists s. split; auto. split; auto. eapply completes_eq; eauto.
Qed.
