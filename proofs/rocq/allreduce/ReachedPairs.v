(** Schedules reach the best packing of pairs of trees: order-free all-reduce has a throughput, the value of that packing,
    with prices and cuts that prove it, in one-port and link platforms and in half-duplex ones whose graph is bipartite. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums Time Bound.
From Exactsched.existence Require Definitions Finite Structures Reached Broadcast.
From Exactsched.allreduce Require Import Calls Gossip Prices OrderFree Known AllReduce Promises BestPairs.
From Exactsched.allreduce Require Forwarding Examples.
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

(** ** A packing of pairs as a system of tasks *)
Section Tasks.
Variables (p : ports) (nodes : list node) (arcs : list arc).
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
  (Telling 0 a, Task (arc_uses p a) (size_of (all_reduce nodes) 0 * cost a)
    (arrivals k t (tail a) ++
     if is_last t a then map (fun b => passed k (tail b) (head a))
       (filter (fun b => (head b =? head a)%Z && negb (is_last t b)) (inwards t)) else [])
    (if is_last t a then everything (head a) else passed k (tail a) (head a))).
Definition outward (a : arc) : telling * task :=
  (Telling 0 a, Task (arc_uses p a) (size_of (all_reduce nodes) 0 * cost a) [everything (tail a)] (everything (head a))).
Definition tasks_of (k : Z) (t : pair) : list (telling * task) := map (inward k t) (inwards t) ++ map outward (outwards t).
Variable l : list (Q * pair).
Hypothesis Pairs : forall x t, In (x, t) l -> pair_of nodes arcs t.
Definition entries : list (telling * task) := flat_map (fun kt => tasks_of (fst kt) (snd (snd kt))) (numbered l).
Definition wants : list state := map everything nodes.
Definition as_system : system := System (map snd entries) [] wants.
Let S := as_system.

Lemma numbered_pair k y t : In (k, (y, t)) (numbered l) -> pair_of nodes arcs t.
Proof. intros H. apply Forwarding.numbered_in in H. now apply (Pairs y t). Qed.
Lemma entry_cases e : In e entries -> exists k y t, In (k, (y, t)) (numbered l) /\
  ((exists a, In a (inwards t) /\ e = inward k t a) \/ exists a, In a (outwards t) /\ e = outward a).
Proof.
  intros H. apply in_flat_map in H. destruct H as ((k & y & t) & Hk & H). exists k, y, t. split; auto. cbn [fst snd] in H.
  apply in_app_iff in H. destruct H as [H|H]; apply in_map_iff in H; destruct H as (a & <- & Ha); eauto.
Qed.
Lemma entry_arc e : In e entries -> exists a, In a arcs /\ fst e = Telling 0 a /\ uses (snd e) = arc_uses p a /\
  lasts (snd e) = size_of (all_reduce nodes) 0 * cost a /\ place (makes (snd e)) = head a.
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
Lemma last_arc t : pair_of nodes arcs t -> exists c, In c (inwards t) /\ head c = root t /\ tail c = last_caller t /\
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
Lemma crossed k y t (X : state -> bool) : In (k, (y, t)) (numbered l) -> (exists v, In v nodes /\ X (everything v) = true) ->
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
  destruct (last_arc t Pt) as (c & Hc & Hh & Tc & Only). destruct Pt as (Hr & IJ & IO & (Ga & Once & Nr) & (Sp & _)).
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
Lemma system_reached T C : reached S T C -> reduces p nodes arcs (all_reduce nodes) T C.
Proof.
  apply (promised_reached p nodes arcs (all_reduce nodes) entries wants promise).
  - intros c k H. destruct (entry_arc _ H) as (a & Ha & Ef & U & L & M). cbn in Ef. subst c. cbn [fst snd] in *. auto.
  - intros c k H. apply takes_time. apply in_map_iff. exists (c, k). auto.
  - exact kept.
  - intros c Hc. apply in_map_iff in Hc. destruct Hc as (e & <- & He). destruct (entry_arc e He) as (a & Ha & -> & _). cbn. split; auto.
  - intros b B v w HB Hv Hw. destruct b as [|[|b]]; [|discriminate|discriminate]. injection HB as <-. cbn in Hv.
    exists (everything v). split; [now apply in_map|]. split; auto. now split.
Qed.

(** *** What a packing promises is reached *)
Theorem packing_of_pairs_reached T : packed_pairs p nodes arcs l -> Definitions.bipartite p arcs -> 0 < T -> sum fst l == T ->
  exists C, reduces p nodes arcs (all_reduce nodes) T C.
Proof.
  intros Packed Bi PT ET.
  destruct (choose (fun (kt : Z * (Q * pair)) s => fst s = fst (snd kt) /\ Definitions.structure S (snd s) /\
    forall r, Definitions.load S r (snd s) <= load p r (snd (snd kt))) (numbered l)) as (l' & F).
  { intros (k & y & t) Hk. destruct (structure_load k y t Hk) as (s & St & L). exists (y, s). auto. }
  assert (Sums : sum fst l' == sum fst l /\ forall r, sum (fun xt => fst xt * Definitions.load S r (snd xt)) l' <=
    sum (fun xt => fst xt * load p r (snd xt)) l).
  { assert (Pos : forall x t, In (x, t) l -> 0 <= x) by (intros x t H; now apply (proj1 Packed x t)).
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
      split; auto. apply Forwarding.numbered_in in Hk. now apply (proj1 Packed y t).
    - intros r. eapply Qle_trans; [apply Ls|]. apply (proj2 Packed). }
  assert (Two_sided : Definitions.two_sided S).
  { apply (Broadcast.at_arcs_two_sided p arcs); auto. intros k Hk. apply in_map_iff in Hk. destruct Hk as (e & <- & He).
    destruct (entry_arc e He) as (a & Ha & _ & U & _). left. eauto. }
  destruct (Reached.packing_reached S l' takes_time Two_sided Pk) as (C & R).
  { unfold Definitions.value. rewrite Es, ET. exact PT. }
  exists C. apply (Reached.reached_eq _ _ T), system_reached in R; auto. unfold Definitions.value. now rewrite Es.
Qed.
End Tasks.

(** ** The throughput of order-free all-reduce *)
(** At least two nodes; every arc joins two of the nodes and takes some time. *)
Definition network (nodes : list node) (arcs : list arc) : Prop :=
  (exists u v, In u nodes /\ In v nodes /\ u <> v) /\ forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes /\ 0 < cost a.
Definition strongly_connected (nodes : list node) (arcs : list arc) : Prop := forall v w, In v nodes -> In w nodes -> leads (map arc_call arcs) v w.
(** No schemes and no schedules are faster than T, and some reach it but for a constant. *)
Definition all_reduce_throughput (p : ports) (nodes : list node) (arcs : list arc) (T : Q) : Prop :=
  reduces_never_more p nodes arcs (all_reduce nodes) T /\ exists C, reduces p nodes arcs (all_reduce nodes) T C.
(** T is the largest weight of a packing of pairs of trees, one into a root and one out of it. *)
Definition best_pairs_weigh (p : ports) (nodes : list node) (arcs : list arc) (T : Q) : Prop :=
  (exists l, packed_pairs p nodes arcs l /\ sum fst l == T) /\ forall l, packed_pairs p nodes arcs l -> sum fst l <= T.
(** Prices of the resources that add up to T; for every root cuts that in-trees leave and cuts that out-trees enter,
    together worth 1, for which the arcs can pay. *)
Definition cuts_prove (p : ports) (nodes : list node) (arcs : list arc) (T : Q) : Prop :=
  exists y, nonneg y /\ total y == T /\ worth_everywhere arc_call nodes arcs (toll p y) 1.

(** What is known at a time is known at an equal one. *)
Lemma knows_eq blocks calls s m b w t t' v : t == t' -> knows blocks calls s m b w t v -> knows blocks calls s m b w t' v.
Proof.
  intros E Kn. destruct Kn as [t|t i c Hc Ab W H]; [constructor|]. apply told with i; auto. eapply Qle_trans; [exact W|].
  apply Qle_lteq. right. unfold work. apply sum_eq. intros q _. unfold before. now rewrite E.
Qed.
Section Throughput.
Variables (p : ports) (nodes : list node) (arcs : list arc).
Hypothesis Net : network nodes arcs.
Let Ends := proj2 Net.

Lemma some_pair : strongly_connected nodes arcs -> exists t, pair_of nodes arcs t.
Proof.
  intros Con. destruct (proj1 Net) as (u & _ & Hu & _).
  destruct (gathers_tree arc_call nodes u arcs) as (J & IJ & TJ); [intros v Hv; now apply Con|].
  destruct (spreads_tree arc_call nodes u arcs) as (O & IO & TO); [intros v Hv; now apply Con|].
  exists (Pair u J O). split; [exact Hu|]. split; [exact IJ|]. split; [exact IO|]. now split.
Qed.
Lemma pair_connects t : pair_of nodes arcs t -> strongly_connected nodes arcs.
Proof.
  intros (_ & IJ & IO & (Ga & _) & (Sp & _)) v w Hv Hw. apply leads_trans with (root t).
  - apply leads_incl with (map arc_call (inwards t)); [now apply incl_map|auto].
  - apply leads_incl with (map arc_call (outwards t)); [now apply incl_map|auto].
Qed.
Lemma some_weight t : pair_of nodes arcs t -> exists l, packed_pairs p nodes arcs l /\ 0 < sum fst l.
Proof.
  intros Pt. set (c := sum cost (inwards t ++ outwards t) + 1).
  assert (Costs : forall a, In a (inwards t ++ outwards t) -> 0 <= cost a).
  { intros a Ha. destruct (Ends a (pair_arcs nodes arcs t a Pt Ha)) as (_ & _ & H). lra. }
  assert (Pc : 0 < c). { pose proof (sum_nonneg cost _ Costs). unfold c. lra. }
  assert (Ic : 0 < / c) by now apply Qinv_lt_0_compat.
  exists [(/ c, t)]. split; [split|cbn; lra].
  - intros x t' [E|[]]. injection E as <- <-. split; [lra|exact Pt].
  - intros r. cbn [sum fst snd]. rewrite Qplus_0_r. setoid_replace 1 with (/ c * c) by (field; lra). apply Qmult_le_l; auto.
    apply Qle_trans with (sum cost (inwards t ++ outwards t)); [|unfold c; lra].
    apply sum_le. intros a Ha. specialize (Costs a Ha). destruct (uses_it _ _); lra.
Qed.
Lemma throughput_once T T' : all_reduce_throughput p nodes arcs T -> all_reduce_throughput p nodes arcs T' -> T == T'.
Proof. intros (N & C & R) (N' & C' & R'). apply Qle_antisym; eapply reduces_at_most; eauto. Qed.
Lemma throughput_eq T T' : T == T' -> all_reduce_throughput p nodes arcs T -> all_reduce_throughput p nodes arcs T'.
Proof.
  intros E (N & C & PT & R). split; [exact (never_more_eq _ _ _ _ _ _ E N)|]. exists C. split; [lra|]. intros M.
  destruct (R M) as (calls & s & Al & V & Co). exists calls, s. split; auto. split; auto. intros m b B v w Hm HB Hv Hw.
  specialize (Co m b B v w Hm HB Hv Hw). revert Co. apply knows_eq. now rewrite E.
Qed.
Lemma reduces_connected T C : reduces p nodes arcs (all_reduce nodes) T C -> strongly_connected nodes arcs.
Proof.
  intros (PT & R). set (M := S (Z.to_nat (Qround.Qceiling (- C * T)))).
  assert (B : - C * T <= count M).
  { eapply Qle_trans; [apply Qround.Qle_ceiling|]. unfold count, M. rewrite <- Zle_Qle. lia. }
  assert (K : 0 <= count M / T + C).
  { assert (- C <= count M / T); [|lra]. apply Qle_shift_div_l; auto. }
  destruct (R M) as (calls & s & Al & V & Co).
  destruct (all_reduce_pairs p nodes arcs calls s M (count M / T + C)) as (pairs & L & P & _); auto.
  - destruct (proj1 Net) as (u & _ & Hu & _). intros ->. easy.
  - destruct pairs as [|t pairs]; [discriminate|]. apply (pair_connects t), P. now left.
Qed.

Hypothesis Bipartite : Definitions.bipartite p arcs.

(** There is a throughput, the weight of a best packing of pairs, with prices and cuts that prove it. *)
Theorem all_reduce_throughput_exists : strongly_connected nodes arcs ->
  exists T, 0 < T /\ all_reduce_throughput p nodes arcs T /\ best_pairs_weigh p nodes arcs T /\ cuts_prove p nodes arcs T.
Proof.
  intros Con. destruct (some_pair Con) as (t0 & P0). destruct (proj1 Net) as (u & v & Hu & Hv & N).
  destruct (all_reduce_both_sides p nodes arcs u v t0 Ends Hu Hv N P0) as (l & y & Pl & Most & Ny & E & W).
  destruct (some_weight t0 P0) as (l0 & Pl0 & W0). pose proof (Most l0 Pl0) as L0.
  exists (sum fst l). split; [lra|]. split; [split|split; [split|]].
  - assert (Et : total y / 1 == sum fst l) by (rewrite E; field). apply (never_more_eq _ _ _ _ _ _ Et).
    apply all_reduce_bound; auto; [intros a Ha; apply Ends, Ha|lra].
  - apply (packing_of_pairs_reached p nodes arcs Ends u v (conj Hu (conj Hv N)) l (fun x t H => proj2 (proj1 Pl x t H))); auto; [lra|reflexivity].
  - exists l. now split.
  - exact Most.
  - exists y. auto.
Qed.

(** The throughput is T if and only if a best packing of pairs weighs T. *)
Theorem all_reduce_throughput_is_packing T : strongly_connected nodes arcs ->
  all_reduce_throughput p nodes arcs T <-> best_pairs_weigh p nodes arcs T.
Proof.
  intros Con. destruct (all_reduce_throughput_exists Con) as (T0 & P0 & Th & ((l & Pl & El) & Most) & _). split.
  - intros Th'. pose proof (throughput_once _ _ Th Th') as E. split.
    + exists l. split; auto. lra.
    + intros l' Pl'. specialize (Most l' Pl'). lra.
  - intros ((l' & Pl' & El') & Most'). assert (E : T0 == T).
    { apply Qle_antisym; [rewrite <- El|rewrite <- El']; auto. }
    split; [apply (never_more_eq _ _ _ _ _ _ E), Th|]. destruct (proj1 Net) as (u & v & H).
    apply (packing_of_pairs_reached p nodes arcs Ends u v H l' (fun x t I => proj2 (proj1 Pl' x t I))); auto. lra.
Qed.

(** Prices and cuts prove every throughput: the bound misses nothing. *)
Corollary all_reduce_throughput_is_priced T : strongly_connected nodes arcs -> all_reduce_throughput p nodes arcs T ->
  cuts_prove p nodes arcs T.
Proof.
  intros Con Th. destruct (all_reduce_throughput_exists Con) as (T0 & _ & Th0 & _ & y & Ny & E & W). exists y.
  split; auto. split; auto. rewrite E. now apply throughput_once.
Qed.
End Throughput.

(** ** Examples *)
Lemma leads_first l u v : leads l u v -> u = v \/ exists w, In (u, w) l.
Proof. induction 1 as [|v w _ IH I]; auto. destruct IH as [->|H]; eauto. Qed.
(** A pair has a call out of every node but the root, and a call into it. *)
Lemma pair_size nodes arcs t : NoDup nodes -> pair_of nodes arcs t ->
  (2 * length nodes <= 2 + length (inwards t ++ outwards t))%nat.
Proof.
  intros N (_ & _ & _ & (Ga & _) & (Sp & _)). rewrite app_length.
  assert (I : incl nodes (root t :: map tail (inwards t))).
  { intros v Hv. destruct (leads_first _ _ _ (Ga v Hv)) as [->|(w & H)]; [now left|right].
    apply in_map_iff in H. destruct H as (a & E & Ha). injection E as <- _. now apply in_map. }
  assert (O : incl nodes (root t :: map head (outwards t))).
  { intros v Hv. specialize (Sp v Hv). inversion Sp as [E|x y _ H E]; [now left|right].
    apply in_map_iff in H. destruct H as (a & E' & Ha). injection E' as _ <-. now apply in_map. }
  apply NoDup_incl_length in I, O; auto. cbn in I, O. rewrite map_length in I, O. lia.
Qed.
Ltac reach := cbn; eauto 12 using here, along, in_eq, in_cons.
Ltac at_resource r x := let E := fresh in
  destruct (Names.resource_eqb r x) eqn:E; [apply Names.resource_eqb_eq in E; subst r; vm_compute; discriminate|].
Ltac is_pair := split; [cbn; tauto|split; [intros ? ?; cbn in *; tauto|split; [intros ? ?; cbn in *; tauto|
  split; (split; [intros ? H; cbn in H; repeat destruct H as [<-|H]; [..|easy]; reach|
    split; [repeat constructor; cbn; intuition discriminate|cbn; intuition discriminate]])]]].

(** A one-way ring of three: 3/4 all-reduces per time unit, a quarter at every root. *)
Definition ring : list arc := [Arc 0 1 1; Arc 1 2 1; Arc 2 0 1].
Definition ring_pairs : list (Q * pair) :=
  [(1 # 4, Pair 0 [Arc 1 2 1; Arc 2 0 1] [Arc 0 1 1; Arc 1 2 1]); (1 # 4, Pair 1 [Arc 2 0 1; Arc 0 1 1] [Arc 1 2 1; Arc 2 0 1]);
   (1 # 4, Pair 2 [Arc 0 1 1; Arc 1 2 1] [Arc 2 0 1; Arc 0 1 1])].
Lemma ring_network : network [0; 1; 2]%Z ring.
Proof.
  split; [exists 0%Z, 1%Z; cbn; intuition discriminate|]. intros a H.
  repeat destruct H as [<-|H]; [..|easy]; cbn; (split; [tauto|split; [tauto|lra]]).
Qed.
Lemma ring_connected : strongly_connected [0; 1; 2]%Z ring.
Proof.
  intros v w Hv Hw. repeat destruct Hv as [<-|Hv]; [..|easy]; (repeat destruct Hw as [<-|Hw]; [..|easy]); reach.
Qed.
Definition ring_links : list resource := [Link 0 1; Link 1 2; Link 2 0].
Lemma ring_load t : pair_of [0; 1; 2]%Z ring t -> 4 <= sum (fun r => load Links r t) ring_links.
Proof.
  intros Pt. assert (Size : (4 <= length (inwards t ++ outwards t))%nat).
  { assert (N : NoDup [0; 1; 2]%Z) by (repeat constructor; cbn; intuition discriminate).
    pose proof (pair_size _ _ t N Pt) as H. cbn [length] in H. lia. }
  unfold load. rewrite sum_swap. apply Qle_trans with (sum (fun _ => 1) (inwards t ++ outwards t)).
  - rewrite Finite.sum_one. unfold count. change 4 with (inject_Z 4). rewrite <- Zle_Qle. lia.
  - apply sum_le. intros a Ha. apply (pair_arcs _ _ t a Pt) in Ha. repeat destruct Ha as [<-|Ha]; [..|easy]; vm_compute; discriminate.
Qed.
Lemma ring_at_most l : packed_pairs Links [0; 1; 2]%Z ring l -> sum fst l <= 3 # 4.
Proof.
  intros (F & Fit). assert (4 * sum fst l <= 3); [|lra].
  apply Qle_trans with (sum (fun r => sum (fun xt => fst xt * load Links r (snd xt)) l) ring_links).
  - rewrite sum_swap, <- sum_scale. apply sum_le. intros [x t] H. destruct (F x t H) as (Hx & Pt). cbn [fst snd].
    rewrite sum_scale. pose proof (ring_load t Pt). nra.
  - cbn [ring_links sum]. pose proof (Fit (Link 0 1)). pose proof (Fit (Link 1 2)). pose proof (Fit (Link 2 0)). lra.
Qed.
Example ring_of_three : all_reduce_throughput Links [0; 1; 2]%Z ring (3 # 4).
Proof.
  apply all_reduce_throughput_is_packing; [exact ring_network|discriminate|exact ring_connected|]. split; [|exact ring_at_most].
  exists ring_pairs. split; [split|reflexivity].
  - intros x t H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <-; (split; [lra|is_pair]).
  - intros r. unfold load, uses_it, ring_pairs. cbn [sum fst snd inwards outwards app transfer uses arc_uses tail head existsb cost].
    at_resource r (Link 0 1). at_resource r (Link 1 2). at_resource r (Link 2 0). vm_compute; discriminate.
Qed.
(** Wrong: that one root is enough. Whatever pairs are packed at a single root of the ring weigh at most 1/2. *)
Example one_root_is_not_enough l : packed_pairs Links [0; 1; 2]%Z ring l -> (forall x t, In (x, t) l -> root t = 0%Z) ->
  sum fst l <= 1 # 2.
Proof.
  intros (F & Fit) At. assert (2 * sum fst l <= 1); [|lra]. eapply Qle_trans; [|apply (Fit (Link 1 2))].
  rewrite <- sum_scale. apply sum_le. intros [x t] H. destruct (F x t H) as (Hx & _ & IJ & IO & (Ga & _) & (Sp & _)).
  specialize (At x t H). cbn [fst snd]. assert (2 <= load Links (Link 1 2) t); [|nra].
  set (f := fun a => if uses_it (Link 1 2) (transfer Links (Message 0) 1 a) then cost a else 0).
  assert (Nonneg : forall A, incl A ring -> forall a, In a A -> 0 <= f a).
  { intros A I a Ha. apply I in Ha. repeat destruct Ha as [<-|Ha]; [..|easy]; vm_compute; discriminate. }
  assert (In (Arc 1 2 1) (inwards t)).
  { assert (H1 : In 1%Z [0; 1; 2]%Z) by (cbn; auto). destruct (leads_first _ _ _ (Ga 1%Z H1)) as [E|(w & I)]; [rewrite At in E; discriminate|].
    apply in_map_iff in I. destruct I as (a & E & Ha). pose proof (IJ a Ha) as Hr.
    repeat destruct Hr as [<-|Hr]; [..|easy]; try discriminate E. exact Ha. }
  assert (In (Arc 1 2 1) (outwards t)).
  { assert (H2 : In 2%Z [0; 1; 2]%Z) by (cbn; auto). specialize (Sp 2%Z H2). rewrite At in Sp. inversion Sp as [|y z _ I E]; subst.
    apply in_map_iff in I. destruct I as (a & E & Ha). pose proof (IO a Ha) as Hr.
    repeat destruct Hr as [<-|Hr]; [..|easy]; try discriminate E. exact Ha. }
  unfold load. rewrite sum_app. pose proof (sum_member f (inwards t) (Arc 1 2 1) (Nonneg _ IJ) ltac:(assumption)) as L1.
  pose proof (sum_member f (outwards t) (Arc 1 2 1) (Nonneg _ IO) ltac:(assumption)) as L2.
  unfold f in L1 at 1, L2 at 1. cbn in L1, L2. unfold f in L1, L2. lra.
Qed.

(** Wrong: that loads are enough for half-duplex networks of any shape. In a triangle three pairs weigh 3/8 and keep no port
    busy for longer than it is there; but only one call is made at a time, and 1/4 is never passed. *)
Definition star_pair (r u v : node) : pair := Pair r [Arc u r 1; Arc v r 1] [Arc r u 1; Arc r v 1].
Definition star_pairs : list (Q * pair) := [(1 # 8, star_pair 0 1 2); (1 # 8, star_pair 1 0 2); (1 # 8, star_pair 2 0 1)].
Example loads_of_pairs_are_not_enough : packed_pairs HalfDuplex [0; 1; 2]%Z Examples.triangle star_pairs /\ sum fst star_pairs == 3 # 8 /\
  forall C, ~ reduces HalfDuplex [0; 1; 2]%Z Examples.triangle (all_reduce [0; 1; 2]%Z) (3 # 8) C.
Proof.
  split; [split|split; [reflexivity|]].
  - intros x t H. repeat destruct H as [H|H]; [..|easy]; injection H as <- <-; (split; [lra|is_pair]).
  - intros r. unfold load, uses_it, star_pairs, star_pair. cbn [sum fst snd inwards outwards app transfer uses arc_uses tail head existsb cost].
    at_resource r (Port 0). at_resource r (Port 1). at_resource r (Port 2). vm_compute; discriminate.
  - intros C R. pose proof (reduces_at_most _ _ _ _ _ _ _ (proj1 Examples.triangle_half_duplex) R). lra.
Qed.
