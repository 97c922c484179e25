(** What the checker of runs accepts is a valid schedule that is complete in time. *)
From Coq Require Import ZArith List Lia Bool FMapPositive.
From Exactsched.rounds Require Import Definitions Counting Tables Checker.
Import ListNotations.
Open Scope Z_scope.

Lemma port_key_injective r q : port_key r = port_key q -> r = q.
Proof. destruct r, q; cbn; intros E; inversion E; f_equal; now apply key_injective. Qed.

Lemma arrival_arrive b m v k t w j :
  arrival (State b (arrive m v k t)) w j = if (v =? w) && (k =? j) then Some t else arrival (State b m) w j.
Proof.
  unfold arrival, arrive; cbn [arrivals].
  destruct (Z.eqb_spec v w) as [->|N]; cbn [andb].
  - rewrite PositiveMap.gss. destruct (Z.eqb_spec k j) as [->|M].
    + now rewrite PositiveMap.gss.
    + rewrite PositiveMap.gso by (intros E; apply key_injective in E; congruence).
      destruct (PositiveMap.find (key w) m); [reflexivity|]. now rewrite PositiveMap.gempty.
  - now rewrite PositiveMap.gso by (intros E; apply key_injective in E; congruence).
Qed.

Section Run.
Variable p : problem.

Lemma has_more s x v k t : has p s v k t -> has p (x :: s) v k t.
Proof. intros [H|[y [Hy R]]]; [now left|]. right. exists y. split; [now right|exact R]. Qed.
Lemma has_later s v k t u : t <= u -> has p s v k t -> has p s v k u.
Proof. intros L [H|[y [Hy [A [B C]]]]]; [now left|]. right. exists y. repeat split; auto. lia. Qed.

Definition right_after (done : schedule) (st : state) : Prop :=
  valid p done /\
  (forall v k t, arrival st v k = Some t -> has p done v k t) /\
  (forall x r, In x done -> In r (ports_of (ports p) (along x)) -> finish x <= found (busy st) (port_key r)
    0).

Lemma right_at_origins : right_after [] (at_origins p).
Proof.
  split; [|split].
  - split; [easy|constructor].
  - intros v k t. unfold at_origins. cut (incl (packets p) (packets p)); [|apply incl_refl].
    generalize (packets p) at 1 3. intros l. induction l as [|a l IH]; intros Il; cbn [fold_right].
    + unfold arrival; cbn [arrivals]. now rewrite PositiveMap.gempty.
    + rewrite arrival_arrive. destruct (Z.eqb_spec (source a) v) as [<-|N]; cbn [andb].
      * destruct (Z.eqb_spec (number a) k) as [<-|M].
        { intros _. left. destruct a. apply Il. now left. }
        { apply IH. intros b Hb. apply Il. now right. }
      * apply IH. intros b Hb. apply Il. now right.
  - easy.
Qed.

Lemma busy_after l : forall (b : table) r t,
  found (fold_right (fun q tb => PositiveMap.add (port_key q) t tb) b l) (port_key r) 0 =
  if existsb (fun q => Pos.eqb (port_key r) (port_key q)) l then t else found b (port_key r) 0.
Proof.
  induction l as [|q l IH]; intros b r t; cbn [fold_right existsb]; [reflexivity|].
  rewrite found_add, IH. destruct (Pos.eqb (port_key r) (port_key q)); reflexivity.
Qed.

Lemma right_step done st x :
  right_after done st -> In (along x) (arcs p) -> 0 <= start x -> 0 < duration (along x) ->
  free (ports p) st x = true -> there st x = true -> right_after (x :: done) (after (ports p) st x).
Proof.
  intros [[V F] [A B]] Hx Hs Hd Hf Ht. unfold free in Hf. rewrite forallb_forall in Hf.
  assert (Hc : forall y, In y done -> compatible (ports p) x y).
  { intros y Hy r Rx Ry. right. specialize (B y r Hy Ry). specialize (Hf r Rx). apply Z.leb_le in Hf. lia. }
  split; [split|split].
  - intros y [<-|Hy].
    + split; [exact Hx|split; [exact Hs|]]. apply has_more. unfold there in Ht.
      destruct (arrival st (tail (along x)) (carried x)) as [t|] eqn:E; [|discriminate].
      apply Z.leb_le in Ht. apply (has_later _ _ _ t); auto.
    + destruct (V y Hy) as [V1 [V2 V3]]. split; [exact V1|split; [exact V2|]]. now apply has_more.
  - constructor; [|exact F]. apply Forall_forall. exact Hc.
  - intros v k t. unfold after. rewrite arrival_arrive.
    destruct (Z.eqb_spec (head (along x)) v) as [<-|N]; cbn [andb].
    + destruct (Z.eqb_spec (carried x) k) as [<-|M].
      * intros E. injection E as <-. right. exists x. repeat split; [now left|lia].
      * intros E. apply has_more. apply A. destruct st; exact E.
    + intros E. apply has_more. apply A. destruct st; exact E.
  - intros y r Hy Hr. unfold after; cbn [busy]. rewrite busy_after.
    destruct (existsb _ _) eqn:E.
    + destruct Hy as [<-|Hy]; [lia|]. apply existsb_exists in E. destruct E as [q [Hq E]].
      apply Pos.eqb_eq, port_key_injective in E. subst q.
      specialize (B y r Hy Hr). specialize (Hf r Hq). apply Z.leb_le in Hf. unfold finish at 2. lia.
    + destruct Hy as [<-|Hy]; [|now apply B]. exfalso.
      assert (existsb (fun q => Pos.eqb (port_key r) (port_key q)) (ports_of (ports p) (along x)) = true);
        [|congruence].
      apply existsb_exists. exists r. split; [exact Hr|apply Pos.eqb_refl].
Qed.

Lemma read_right s : forall done st st',
  right_after done st -> (forall x, In x s -> In (along x) (arcs p)) ->
  read (ports p) s st = Some st' -> exists all, right_after all st'.
Proof.
  induction s as [|x s IH]; intros done st st' R I; cbn [read].
  - intros E. injection E as <-. now exists done.
  - destruct (_ && _) eqn:C; [|discriminate]. intros E.
    repeat (apply andb_prop in C; destruct C as [C ?]).
    apply (IH (x :: done) (after (ports p) st x) st'); [|intros y Hy; apply I; now right|exact E].
    apply right_step; auto; try (apply I; now left); try (now apply Z.leb_le); now apply Z.ltb_lt.
Qed.
End Run.

Lemma numbered_known l : forall i k a, PositiveMap.find k (numbered_from i l) = Some a -> In a l.
Proof.
  induction l as [|b l IH]; intros i k a; cbn [numbered_from].
  - now rewrite PositiveMap.gempty.
  - destruct (Pos.eqb_spec k (key i)) as [->|N].
    + rewrite PositiveMap.gss. intros E. injection E as <-. now left.
    + rewrite PositiveMap.gso by exact N. intros E. right. now apply (IH (i + 1) k).
Qed.

Lemma row_known l known step row : forall later s,
  (forall k a, PositiveMap.find k known = Some a -> In a l) ->
  (forall x, In x later -> In (along x) l) ->
  row_of known step row later = Some s -> forall x, In x s -> In (along x) l.
Proof.
  induction row as [|[i k] row IH]; intros later s K L; cbn [row_of].
  - intros E. now injection E as <-.
  - destruct (PositiveMap.find (key i) known) as [a|] eqn:F; [|discriminate].
    destruct (row_of known step row later) as [s'|] eqn:G; [|discriminate].
    intros E. injection E as <-. intros x [<-|Hx].
    + cbn [along]. now apply (K (key i)).
    + now apply (IH later s').
Qed.

Lemma schedule_known l known rows : forall step s,
  (forall k a, PositiveMap.find k known = Some a -> In a l) ->
  schedule_of known step rows = Some s -> forall x, In x s -> In (along x) l.
Proof.
  induction rows as [|row rows IH]; intros step s K; cbn [schedule_of].
  - intros E. injection E as <-. easy.
  - destruct (schedule_of known (step + 1) rows) as [later|] eqn:F; [|discriminate].
    intros E. apply (row_known l known step row later s K); [|exact E].
    now apply (IH (step + 1)).
Qed.

Theorem check_rounds_sound p rows t : check_rounds p rows t = true -> done_within p t.
Proof.
  unfold check_rounds. destruct (schedule_of _ 0 rows) as [s|] eqn:S; [|discriminate].
  destruct (read (ports p) s (at_origins p)) as [st|] eqn:R; [|discriminate]. intros E.
  destruct (read_right p s [] _ _ (right_at_origins p)
    (schedule_known (arcs p) _ rows 0 s (numbered_known (arcs p) 0) S) R) as [all [V [A _]]].
  exists all. split; [exact V|]. intros v k Hv Hk. unfold everywhere in E. rewrite forallb_forall in E.
  specialize (E v Hv). rewrite forallb_forall in E. specialize (E k Hk). cbn beta in E.
  destruct (arrival st v (number k)) as [u|] eqn:U; [|discriminate]. apply Z.leb_le in E.
  apply (has_later p all v (number k) u t E). now apply A.
Qed.
