(** Schedules reach every packing of trees for one sum that some goals want: an in-tree to a root, and a tree from there to
    the goals. So they do for all-reduce, where all nodes are goals, and for reduce, where the root is the only one. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.existence Require Definitions Finite Structures Reached Broadcast.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known AllReduce Promises.
From Exactsched.allreduce Require Forwarding.
Import ListNotations.
Open Scope Q_scope.

(** ** In an in-tree every node is a fixed number of calls away from the root *)
Section Away.
Variables (r : node) (J : list arc).
Hypothesis Once : NoDup (map tail J).
Hypothesis Root : ~ In r (map tail J).
Inductive away : nat -> node -> Prop :=
| at_root : away 0 r
| one_more n a : In a J -> away n (head a) -> away (S n) (tail a).
Lemma same_tail a b : In a J -> In b J -> tail a = tail b -> a = b.
Proof.
  clear Root. induction J as [|c l IH]; [easy|]. inversion Once; subst. intros [<-|Ha] [<-|Hb] E; auto;
    exfalso; apply H1; [rewrite E|rewrite <- E]; now apply in_map.
Qed.
Lemma away_from m u : away m u -> m = 0%nat /\ u = r \/ exists n a, m = S n /\ In a J /\ tail a = u /\ away n (head a).
Proof. intros [|n a Ha An]; [auto|right; exists n, a; auto]. Qed.
Lemma away_once n u : away n u -> forall m, away m u -> n = m.
Proof.
  induction 1 as [|n a Ha _ IH]; intros m Hm; apply away_from in Hm; destruct Hm as [(-> & E)|(k & b & -> & Hb & E & Hk)]; auto.
  - exfalso. apply Root. rewrite <- E. now apply in_map.
  - exfalso. apply Root. rewrite <- E. now apply in_map.
  - apply same_tail in E; auto. subst b. now rewrite (IH k).
Qed.
Lemma leads_away u v n : leads (map arc_call J) u v -> away n v -> exists m, away m u.
Proof.
  intros L. revert n. induction L as [|v w L IH I]; intros n A; [eauto|]. apply in_map_iff in I. destruct I as (a & E & Ha).
  injection E as <- <-. apply (IH (S n)). now constructor.
Qed.
Lemma away_bounded l : (forall a, In a l -> exists n, away n (tail a)) ->
  exists N, forall a, In a l -> forall n, away n (tail a) -> (n <= N)%nat.
Proof.
  induction l as [|a l IH]; intros H; [exists 0%nat; easy|]. destruct IH as (N & HN); [intros b Hb; apply H; now right|].
  destruct (H a) as (n & An); [now left|]. exists (Nat.max n N). intros b [<-|Hb] m Am.
  - rewrite (away_once n (tail a) An m Am). lia.
  - specialize (HN b Hb m Am). lia.
Qed.
End Away.

(** At least two nodes; every arc joins two of the nodes and takes some time. *)
Definition network (nodes : list node) (arcs : list arc) : Prop :=
  (exists u v, In u nodes /\ In v nodes /\ u <> v) /\ forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes /\ 0 < cost a.

(** ** A packing of pairs as a system of tasks *)
(** One sum, wanted at some goals. All-reduce: all nodes are goals. Reduce: only the root, and nothing need go out of it. *)
Definition wanted_at (goals : list node) : list block := [Block 1 goals].
(** The in-tree is whole, and the other tree leads to the goals. *)
Definition serves (nodes goals : list node) (arcs : list arc) (t : pair) : Prop :=
  In (root t) nodes /\ incl (inwards t) arcs /\ incl (outwards t) arcs /\
  in_tree arc_call nodes (root t) (inwards t) /\ spreads arc_call goals (root t) (outwards t).
Section Tasks.
Variables (p : ports) (nodes goals : list node) (arcs : list arc).
Hypothesis Ends : forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes /\ 0 < cost a.
Variables u0 v0 : node.
Hypothesis Two : In u0 nodes /\ In v0 nodes /\ u0 <> v0.

(** In pair number k: what u is to pass on has arrived at v. And: v knows everything. *)
Definition passed (k : Z) (u v : node) : state := At (Values k u) v.
Definition everything (v : node) : state := At (Message 0) v.
(** Who makes the last call to the root: after it the root knows everything. *)
Definition last_caller (t : pair) : node :=
  match find (fun a => head a =? root t)%Z (inwards t) with Some a => tail a | None => root t end.
Definition arrivals (k : Z) (t : pair) (v : node) : list state :=
  map (fun b => passed k (tail b) v) (filter (fun b => head b =? v)%Z (inwards t)).
Definition is_last (t : pair) (a : arc) : bool := (tail a =? last_caller t)%Z.
Definition inward (k : Z) (t : pair) (a : arc) : telling * task :=
  (Telling 0 a, Task (arc_uses p a) (size_of (wanted_at goals) 0 * cost a)
    (arrivals k t (tail a) ++
     if is_last t a then map (fun b => passed k (tail b) (head a))
       (filter (fun b => (head b =? head a)%Z && negb (is_last t b)) (inwards t)) else [])
    (if is_last t a then everything (head a) else passed k (tail a) (head a))).
Definition outward (a : arc) : telling * task :=
  (Telling 0 a, Task (arc_uses p a) (size_of (wanted_at goals) 0 * cost a) [everything (tail a)] (everything (head a))).
Definition tasks_of (k : Z) (t : pair) : list (telling * task) := map (inward k t) (inwards t) ++ map outward (outwards t).
Variable l : list (Q * pair).
Hypothesis Pairs : forall x t, In (x, t) l -> serves nodes goals arcs t.
Definition entries : list (telling * task) := flat_map (fun kt => tasks_of (fst kt) (snd (snd kt))) (numbered l).
Definition wants : list state := map everything goals.
Definition as_system : system := System (map snd entries) [] wants.
Let S := as_system.

Lemma numbered_pair k y t : In (k, (y, t)) (numbered l) -> serves nodes goals arcs t.
Proof. intros H. apply Forwarding.numbered_in in H. now apply (Pairs y t). Qed.
Lemma entry_cases e : In e entries -> exists k y t, In (k, (y, t)) (numbered l) /\
  ((exists a, In a (inwards t) /\ e = inward k t a) \/ exists a, In a (outwards t) /\ e = outward a).
Proof.
  intros H. apply in_flat_map in H. destruct H as ((k & y & t) & Hk & H). exists k, y, t. split; auto. cbn [fst snd] in H.
  apply in_app_iff in H. destruct H as [H|H]; apply in_map_iff in H; destruct H as (a & <- & Ha); eauto.
Qed.
Lemma entry_arc e : In e entries -> exists a, In a arcs /\ fst e = Telling 0 a /\ uses (snd e) = arc_uses p a /\
  lasts (snd e) = size_of (wanted_at goals) 0 * cost a /\ place (makes (snd e)) = head a.
Proof.
  intros H. destruct (entry_cases e H) as (k & y & t & Hk & [(a & Ha & ->)|(a & Ha & ->)]); exists a;
    destruct (numbered_pair k y t Hk) as (_ & IJ & IO & _); cbn; repeat split; auto. now destruct (is_last t a).
Qed.
Lemma takes_time : Definitions.takes_time S.
Proof.
  intros k Hk. apply in_map_iff in Hk. destruct Hk as (e & <- & He). destruct (entry_arc e He) as (a & Ha & _ & _ & -> & _).
  destruct (Ends a Ha) as (_ & _ & C). unfold size_of. cbn. lra.
Qed.

(** The last caller. *)
Lemma last_arc t : serves nodes goals arcs t -> exists c, In c (inwards t) /\ head c = root t /\ tail c = last_caller t /\
  forall a, In a (inwards t) -> is_last t a = true -> a = c.
Proof.
  intros (Hr & _ & _ & (Ga & Once & Nr) & _). destruct Two as (Hu & Hv & N).
  assert (exists w, In w nodes /\ w <> root t) as (w & Hw & Nw).
  { destruct (Z.eq_dec u0 (root t)) as [->|]; [exists v0; auto|exists u0; auto]. }
  unfold is_last, last_caller. destruct (find _ _) as [c|] eqn:F.
  - apply find_some in F. destruct F as (Hc & E). apply Z.eqb_eq in E. exists c. repeat split; auto.
    intros a Ha Ea. apply Z.eqb_eq in Ea. now apply (same_tail (inwards t)).
  - exfalso. specialize (Ga w Hw). inversion Ga as [E|x y L I E]; [congruence|]. apply in_map_iff in I.
    destruct I as (a & Ea & Ha). pose proof (find_none _ _ F a Ha) as G. injection Ea as E1 E2. cbn in G.
    rewrite E2, Z.eqb_refl in G. discriminate.
Qed.

(** *** What the states promise *)
Definition promise (x : state) (b : nat) (w : node) : Prop := b = 0%nat /\
  match what x with
  | Message _ => In w nodes
  | Values k u => exists y t, In (k, (y, t)) (numbered l) /\ leads (map arc_call (inwards t)) w u
  end.
Lemma arrived k y t w v : In (k, (y, t)) (numbered l) -> leads (map arc_call (inwards t)) w v -> w = v \/
  exists b, In b (inwards t) /\ head b = v /\ promise (passed k (tail b) v) 0 w.
Proof.
  intros Hk L. inversion L as [E|x z L' I E]; [auto|]. right. apply in_map_iff in I. destruct I as (b & E' & Hb).
  injection E' as E1 E2. exists b. split; auto. split; auto. split; auto. cbn. rewrite E1. eauto.
Qed.
Lemma kept c k b w : In (c, k) entries -> promise (makes k) b w ->
  w = head (over c) \/
  b = about c /\ (w = tail (over c) \/ exists x, In x (needs k) /\ place x = tail (over c) /\ promise x b w) \/
  exists x, In x (needs k) /\ place x = head (over c) /\ promise x b w.
Proof.
  intros H Pr. destruct (entry_cases _ H) as (i & y & t & Hi & [(a & Ha & E)|(a & Ha & E)]); injection E as -> ->.
  - pose proof (numbered_pair _ _ _ Hi) as Pt. destruct (last_arc t Pt) as (c & Hc & Hh & _ & Only).
    assert (To_tail : leads (map arc_call (inwards t)) w (tail a) -> w = tail a \/ exists x, In x (needs (snd (inward i t a))) /\
      place x = tail a /\ promise x 0 w).
    { intros L. destruct (arrived i y t w (tail a) Hi L) as [->|(d & Hd & Ed & Pd)]; auto. right.
      exists (passed i (tail d) (tail a)). split; [|auto]. cbn. apply in_app_iff. left. unfold arrivals.
      apply (in_map (fun b => passed i (tail b) (tail a))), filter_In. now rewrite Ed, Z.eqb_refl. }
    cbn [fst snd over about inward needs] in *. cbn [makes] in Pr. destruct (is_last t a) eqn:La.
    + destruct Pr as (-> & Hw). cbn in Hw. pose proof (Only a Ha La) as ->. destruct Pt as (_ & _ & _ & (Ga & _) & _).
      rewrite <- Hh in Ga. destruct (arrived i y t w (head c) Hi (Ga w Hw)) as [->|(d & Hd & Ed & Pd)]; auto.
      right. destruct (is_last t d) eqn:Ld.
      * left. split; auto. apply To_tail. apply Only in Ld; auto. subst d. destruct Pd as (_ & y' & t' & Hi' & L).
        pose proof (Forwarding.numbered_once _ _ _ _ _ Hi Hi') as Et. injection Et as <- <-. exact L.
      * right. exists (passed i (tail d) (head c)). split; [|auto]. apply in_app_iff. right.
        apply (in_map (fun b => passed i (tail b) (head c))), filter_In. now rewrite Ed, Z.eqb_refl, Ld.
    + destruct Pr as (-> & y' & t' & Hi' & L). pose proof (Forwarding.numbered_once _ _ _ _ _ Hi Hi') as Et. injection Et as <- <-.
      right. left. split; auto.
  - right. left. destruct Pr as (-> & Hw). split; auto. right. exists (everything (tail a)). cbn. split; auto. split; auto. now split.
Qed.

(** *** Each pair is a structure *)
Lemma crossed k y t (X : state -> bool) : In (k, (y, t)) (numbered l) -> (exists v, In v goals /\ X (everything v) = true) ->
  exists e, In e (tasks_of k t) /\ X (makes (snd e)) = true /\ forall x, In x (needs (snd e)) -> X x = false.
Proof.
  intros Hk (v & Hv & Xv). pose proof (numbered_pair _ _ _ Hk) as Pt.
  set (good := fun e : telling * task => X (makes (snd e)) && forallb (fun x => negb (X x)) (needs (snd e))).
  destruct (existsb good (tasks_of k t)) eqn:E.
  { apply existsb_exists in E. destruct E as (e & He & G). exists e. split; auto. unfold good in G.
    apply andb_true_iff in G. destruct G as (G1 & G2). split; auto. rewrite forallb_forall in G2. intros x Hx.
    now apply negb_true_iff, G2. }
  exfalso. assert (No : forall e, In e (tasks_of k t) -> (forall x, In x (needs (snd e)) -> X x = false) -> X (makes (snd e)) = false).
  { intros e He Hn. pose proof (Finite.existsb_false _ _ E e He) as G. unfold good in G. apply andb_false_iff in G.
    destruct G as [G|G]; auto. assert (F : forallb (fun x => negb (X x)) (needs (snd e)) = true).
    { apply forallb_forall. intros x Hx. now apply negb_true_iff, Hn. }
    congruence. }
  assert (NoJ : forall a, In a (inwards t) -> (forall x, In x (needs (snd (inward k t a))) -> X x = false) ->
    X (makes (snd (inward k t a))) = false).
  { intros a Ha. apply No, in_app_iff. left. now apply in_map. }
  destruct (last_arc t Pt) as (c & Hc & Hh & Tc & Only). destruct Pt as (Hr & IJ & IO & (Ga & Once & Nr) & Sp).
  cbn [arc_call fst] in Once, Nr. change (map (fun a => tail a) (inwards t)) with (map tail (inwards t)) in Once, Nr.
  assert (Away : forall a, In a (inwards t) -> exists n, away (root t) (inwards t) n (tail a)).
  { intros a Ha. apply (leads_away _ _ _ (root t) 0%nat); [|constructor]. apply Ga, Ends, IJ, Ha. }
  destruct (away_bounded (root t) (inwards t) Once Nr (inwards t) Away) as (N & HN).
  assert (Lc : is_last t c = true) by (unfold is_last; now apply Z.eqb_eq).
  assert (In_tree : forall m a n, In a (inwards t) -> away (root t) (inwards t) n (tail a) -> (N < n + m)%nat -> is_last t a = false ->
    X (passed k (tail a) (head a)) = false).
  { induction m as [|m IH]; intros a n Ha An Lt La; [specialize (HN a Ha n An); lia|].
    pose proof (NoJ a Ha) as F. cbn [inward snd makes needs] in F. rewrite La in F. apply F. rewrite app_nil_r.
    intros x Hx. apply in_map_iff in Hx. destruct Hx as (b & <- & Hb). apply filter_In in Hb. destruct Hb as (Hb & Eb).
    apply Z.eqb_eq in Eb. rewrite <- Eb. apply (IH b (Datatypes.S n)); auto; [|lia|].
    - constructor; auto. now rewrite Eb.
    - destruct (is_last t b) eqn:Lb; auto. exfalso. apply Only in Lb; auto. subst b. apply Nr. rewrite <- Hh, Eb. now apply in_map. }
  assert (Ins : forall a, In a (inwards t) -> is_last t a = false -> X (passed k (tail a) (head a)) = false).
  { intros a Ha La. destruct (Away a Ha) as (n & An). apply (In_tree (Datatypes.S N) a n); auto. lia. }
  assert (Xr : X (everything (root t)) = false).
  { pose proof (NoJ c Hc) as F. cbn [inward snd makes needs] in F. rewrite Lc in F. rewrite <- Hh. apply F.
    intros x Hx. apply in_app_iff in Hx. destruct Hx as [Hx|Hx]; apply in_map_iff in Hx; destruct Hx as (b & <- & Hb);
      apply filter_In in Hb; destruct Hb as (Hb & Eb).
    - apply Z.eqb_eq in Eb. rewrite <- Eb. apply Ins; auto. destruct (is_last t b) eqn:Lb; auto. exfalso. apply Only in Lb; auto.
      subst b. apply Nr. rewrite <- Hh, Eb. now apply in_map.
    - apply andb_true_iff in Eb. destruct Eb as (Eb & Lb). apply Z.eqb_eq in Eb. apply negb_true_iff in Lb. rewrite <- Eb. now apply Ins. }
  assert (Xall : forall w, leads (map arc_call (outwards t)) (root t) w -> X (everything w) = false). { induction 1 as [|x w L IH I]; auto. apply in_map_iff in I. destruct I as (a & Ea & Ha). injection Ea as <- <-.
    apply (No (outward a)); [apply in_app_iff; right; now apply in_map|]. intros z [<-|[]]. exact IH. }
  rewrite (Xall v (Sp v Hv)) in Xv. discriminate.
Qed.
Lemma nth_middle {A} (f : A -> Q) (d : A) mid : forall pre post,
  sum (fun i => f (nth i (pre ++ mid ++ post) d)) (seq (length pre) (length mid)) == sum f mid.
Proof.
  induction mid as [|x mid IH]; intros pre post; [reflexivity|]. cbn [length seq sum app].
  rewrite app_nth2, Nat.sub_diag by lia. cbn [nth]. apply Qplus_comp; [reflexivity|].
  specialize (IH (pre ++ [x]) post). rewrite <- app_assoc in IH. cbn [app] in IH. rewrite app_length in IH. cbn [length] in IH.
  now rewrite Nat.add_1_r in IH.
Qed.
(** Call number i, with its task. *)
Definition entry (i : nat) : telling * task := nth i entries (Telling 0 (Arc 0 0 0), Task [] 0 [] (At (Message 0) 0)).
Lemma kind_entry i : kind S i = snd (entry i).
Proof. unfold kind, entry, S, as_system. cbn [tasks]. exact (map_nth snd entries (Telling 0 (Arc 0 0 0), Task [] 0 [] (At (Message 0) 0)) i). Qed.
Lemma is_structure k y t : In (k, (y, t)) (numbered l) -> exists s, Definitions.structure S s /\
  forall g : telling * task -> Q, (forall e, In e entries -> 0 <= g e) -> sum (fun i => g (entry i)) s <= sum g (tasks_of k t).
Proof.
  intros Hk. pose proof (in_split _ _ Hk) as (l1 & l2 & El). set (pre := flat_map (fun kt => tasks_of (fst kt) (snd (snd kt))) l1). set (post := flat_map (fun kt => tasks_of (fst kt) (snd (snd kt))) l2).
  assert (Et : entries = pre ++ tasks_of k t ++ post) by (unfold entries; rewrite El, flat_map_app; reflexivity).
  assert (Le : length (tasks S) = length entries) by apply map_length.
  set (D := seq (length pre) (length (tasks_of k t))).
  assert (Range : forall i, In i D -> (i < length (tasks S))%nat).
  { intros i Hi. apply in_seq in Hi. rewrite Le, Et, !app_length. lia. }
  destruct (Structures.structure_within S D Range) as (s & St & I).
  - intros X _ (x & Hx & Xx). apply in_map_iff in Hx. destruct Hx as (v & <- & Hv).
    destruct (crossed k y t X Hk) as (e & He & Xe & Ne); [eauto|].
    apply (In_nth _ _ (Telling 0 (Arc 0 0 0), Task [] 0 [] (At (Message 0) 0))) in He. destruct He as (i & Li & Ei).
    exists (length pre + i)%nat. assert (Ek : kind S (length pre + i) = snd e).
    { rewrite kind_entry. unfold entry. rewrite Et, app_nth2 by lia. replace (length pre + i - length pre)%nat with i by lia.
      now rewrite app_nth1, Ei by auto. }
    rewrite Ek. split; [apply in_seq; lia|auto].
  - exists s. split; auto. intros g Hg. apply Qle_trans with (sum (fun i => g (entry i)) D).
    + apply sum_incl; auto; [|apply (Structures.grows_facts S s), St].
      intros i Hi. apply Hg, nth_In. rewrite <- Le. auto.
    + unfold D, entry. rewrite Et. apply Qle_lteq. right. apply nth_middle.
Qed.
Lemma structure_load k y t : In (k, (y, t)) (numbered l) ->
  exists s, Definitions.structure S s /\ forall r, Definitions.load S r s <= load p r t.
Proof.
  intros Hk. destruct (is_structure k y t Hk) as (s & St & G). exists s. split; auto. intros r.
  apply Qle_trans with (sum (fun e => if uses_it r (snd e) then lasts (snd e) else 0) (tasks_of k t)).
  - eapply Qle_trans; [|apply (G (fun e => if uses_it r (snd e) then lasts (snd e) else 0))].
    + apply Qle_lteq. right. apply sum_eq. intros i _. rewrite kind_entry. reflexivity.
    + intros e He. destruct (uses_it _ _); [|lra]. apply Qlt_le_weak, takes_time. now apply in_map.
  - unfold tasks_of, load. rewrite !sum_app, !sum_map. apply Qle_lteq. right. apply Qplus_comp; apply sum_eq; intros a _;
      unfold uses_it, size_of; cbn; destruct (existsb _ _); ring.
Qed.

(** *** What the system reaches is reached *)
Lemma system_reached T C : reached S T C -> reduces p nodes arcs (wanted_at goals) T C.
Proof.
  apply (promised_reached p nodes arcs (wanted_at goals) entries wants promise).
  - intros c k H. destruct (entry_arc _ H) as (a & Ha & Ef & U & L & M). cbn in Ef. subst c. cbn [fst snd] in *. auto.
  - intros c k H. apply takes_time. apply in_map_iff. exists (c, k). auto.
  - exact kept.
  - intros c Hc. apply in_map_iff in Hc. destruct Hc as (e & <- & He). destruct (entry_arc e He) as (a & Ha & -> & _). cbn. split; auto.
  - intros b B v w HB Hv Hw. destruct b as [|[|b]]; [|discriminate|discriminate]. injection HB as <-. cbn in Hv.
    exists (everything v). split; [now apply in_map|]. split; auto. now split.
Qed.

(** *** What a packing promises is reached *)
Theorem packing_reached T : (forall x t, In (x, t) l -> 0 <= x) ->
  (forall r, sum (fun xt => fst xt * load p r (snd xt)) l <= 1) -> Definitions.bipartite p arcs -> 0 < T -> sum fst l == T ->
  exists C, reduces p nodes arcs (wanted_at goals) T C.
Proof.
  intros Nonneg Fit Bi PT ET.
  destruct (choose (fun (kt : Z * (Q * pair)) s => fst s = fst (snd kt) /\ Definitions.structure S (snd s) /\
    forall r, Definitions.load S r (snd s) <= load p r (snd (snd kt))) (numbered l)) as (l' & F).
  { intros (k & y & t) Hk. destruct (structure_load k y t Hk) as (s & St & L). exists (y, s). auto. }
  assert (Sums : sum fst l' == sum fst l /\ forall r, sum (fun xt => fst xt * Definitions.load S r (snd xt)) l' <=
    sum (fun xt => fst xt * load p r (snd xt)) l).
  { assert (Pos : forall x t, In (x, t) l -> 0 <= x) by (intros x t H; now apply (Nonneg x t)).
    clear - F Pos. unfold numbered in F. revert F. generalize 0%Z. revert l'. induction l as [|[x t] l0 IH]; intros l' i F; inversion F as [|? s ? l'' Hs F']; subst.
    - split; [reflexivity|]. intros r. cbn. lra.
    - destruct (IH (fun x t H => Pos x t (or_intror H)) l'' _ F') as (E1 & E2). destruct Hs as (Ex & _ & Ld). cbn [sum fst snd] in *. rewrite Ex. split; [now rewrite E1|].
      intros r. specialize (E2 r). specialize (Ld r). assert (0 <= x) by (apply (Pos x t); now left). nra. }
  destruct Sums as (Es & Ls). assert (Pk : Definitions.packing S l').
  { split.
    - intros x s Hs. assert (exists kt, In kt (numbered l) /\ x = fst (snd kt) /\ Definitions.structure S s) as ((k & y & t) & Hk & -> & St).
      { clear - F Hs. induction F as [|kt q m m' (E & St & _) F IH]; [easy|]. destruct Hs as [->|Hs].
        - exists kt. split; [now left|auto].
        - destruct (IH Hs) as (kt' & H & R). exists kt'. split; [now right|auto]. }
      split; auto. apply Forwarding.numbered_in in Hk. now apply (Nonneg y t).
    - intros r. eapply Qle_trans; [apply Ls|]. apply Fit. }
  assert (Two_sided : Definitions.two_sided S).
  { apply (Broadcast.at_arcs_two_sided p arcs); auto. intros k Hk. apply in_map_iff in Hk. destruct Hk as (e & <- & He).
    destruct (entry_arc e He) as (a & Ha & _ & U & _). left. eauto. }
  destruct (Reached.packing_reached S l' takes_time Two_sided Pk) as (C & R).
  { unfold Definitions.value. rewrite Es, ET. exact PT. }
  exists C. apply (Reached.reached_eq _ _ T), system_reached in R; auto. unfold Definitions.value. now rewrite Es.
Qed.
End Tasks.
