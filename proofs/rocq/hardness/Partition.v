(** 3-PARTITION and overlays: the machine of an instance has throughput T if and only if there is a partition. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Model Sums Time.
From Exactsched.existence Require Finite.
From Exactsched.overlay Require Import Definitions Sums Soundness.
From Exactsched.hardness Require Import Definitions.
From Exactsched.hardness Require Servers.
Import ListNotations.
Open Scope Q_scope.

Lemma of_nat_le x y : (x <= y)%nat -> inject_Z (Z.of_nat x) <= inject_Z (Z.of_nat y).
Proof. intros H. rewrite <- Zle_Qle. lia. Qed.

Section Machine.
Variables (p : nat) (T : Z) (a : list Z).
Hypothesis I : instance p T a.
Let m := machine_of p T a.

Lemma number_size k : (k < 3 * p)%nat -> (T < 4 * nth k a 0 /\ 2 * nth k a 0 < T)%Z.
Proof. intros H. destruct I as (_ & L & _ & S). apply S, nth_In. lia. Qed.
Lemma T_positive : (0 < T)%Z.
Proof. destruct I as (Hp & _). destruct (number_size 0 ltac:(lia)). lia. Qed.

Lemma other_names : names (others m) = map Z.of_nat (seq 1 (4 * p)).
Proof.
  destruct I as (Hp & _). unfold names, m, machine_of. cbn [others]. rewrite !map_app, !map_map. cbn [name server relay last_node map].
  assert (E : seq 1 (4 * p) = seq 1 (p - 1) ++ seq p (3 * p) ++ [(4 * p)%nat]).
  { replace (4 * p)%nat with ((p - 1) + (3 * p + 1))%nat at 1 by lia. rewrite seq_app, seq_app.
    replace (1 + (p - 1))%nat with p by lia. cbn [seq]. now replace (p + 3 * p)%nat with (4 * p)%nat by lia. }
  rewrite E, !map_app. f_equal. f_equal.
  assert (G : forall n k, map (fun x => Z.of_nat (p + x)) (seq k n) = map Z.of_nat (seq (p + k) n)).
  { induction n as [|n IH]; intros k; simpl; [reflexivity|]. now rewrite IH, Nat.add_succ_r. }
  rewrite G. now rewrite Nat.add_0_r.
Qed.
Lemma all_names : names (nodes m) = map Z.of_nat (seq 0 (4 * p + 1)).
Proof.
  unfold nodes, names. cbn [map]. fold (names (others m)). rewrite other_names, Nat.add_1_r. reflexivity.
Qed.
Lemma names_once : NoDup (names (nodes m)).
Proof. rewrite all_names. apply Finite.nodup_map; [apply Nat2Z.inj|apply seq_NoDup]. Qed.
Lemma node_is i : In i (nodes m) -> (exists j, (j < p)%nat /\ i = server T j) \/
  (exists k, (k < 3 * p)%nat /\ i = relay p T a k) \/ i = last_node p.
Proof.
  destruct I as (Hp & _). intros [<-|H]; [left; exists 0%nat; split; [lia|reflexivity]|].
  cbn [others m machine_of] in H. rewrite !in_app_iff, !in_map_iff in H.
  destruct H as [(j & <- & Hj)|[(k & <- & Hk)|[<-|[]]]]; [left|right; left|right; right; reflexivity].
  - apply in_seq in Hj. exists j. split; [lia|reflexivity].
  - apply in_seq in Hk. exists k. split; [lia|reflexivity].
Qed.
Lemma is_server j : (j < p)%nat -> In (server T j) (nodes m).
Proof.
  intros H. destruct j as [|j]; [left; reflexivity|]. right. cbn [others m machine_of].
  apply in_app_iff. left. apply in_map, in_seq. lia.
Qed.
Lemma is_relay k : (k < 3 * p)%nat -> In (relay p T a k) (nodes m).
Proof. intros H. right. cbn [others m machine_of]. rewrite !in_app_iff. right. left. apply in_map, in_seq. lia. Qed.
Lemma is_last : In (last_node p) (nodes m).
Proof. right. cbn [others m machine_of]. rewrite !in_app_iff. right. right. now left. Qed.

(** ** From rates to a partition *)
Section Rates.
Variables (c : list connection) (T' : Q).
Hypothesis V : valid_rates m c.
Hypothesis C : carries m c T'.
(** Receivers are numbered from 0 to 4 p - 1: receiver v is node v + 1. *)
Let to (u : Z) (v : nat) (x : connection) : bool := (sender x =? u)%Z && (receiver x =? Z.of_nat (v + 1))%Z.
Let sent u v := sum (fun x => if to u v x then rate x else 0) c.
Let sends_to u v := existsb (to u v) c.

Lemma nonneg x : In x c -> 0 <= rate x.
Proof. intros H. destruct V as (_ & R & _). now apply R. Qed.
Lemma sent_nonneg u v : 0 <= sent u v /\ (sends_to u v = false -> sent u v == 0).
Proof.
  split.
  - apply sum_nonneg. intros x Hx. pose proof (nonneg x Hx). destruct (to u v x); lra.
  - intros E. unfold sent. rewrite <- (sum_zero c). apply sum_eq. intros x Hx.
    now rewrite (Finite.existsb_false _ _ E x Hx).
Qed.
Lemma once u x (q : Q) : 0 <= q ->
  sum (fun v => if to u v x then q else 0) (seq 0 (4 * p)) <= if (sender x =? u)%Z then q else 0.
Proof.
  intros Hq. unfold to. destruct (sender x =? u)%Z; cbn [andb]; [|rewrite sum_zero; lra].
  apply (Servers.at_most_once (fun v => (receiver x =? Z.of_nat (v + 1))%Z) q); [exact Hq|apply seq_NoDup|].
  intros i j _ _ E F. apply Z.eqb_eq in E, F. lia.
Qed.
Lemma sent_in_all u : sum (sent u) (seq 0 (4 * p)) <= sum rate (from u c).
Proof.
  unfold sent, from. rewrite sum_swap, sum_filter. apply sum_le. intros x Hx. apply once. now apply nonneg.
Qed.
Lemma receivers_of u : sum (fun v => if sends_to u v then 1 else 0) (seq 0 (4 * p)) <= inject_Z (Z.of_nat (length (from u c))).
Proof.
  apply Qle_trans with (sum (fun v => sum (fun x => if to u v x then 1 else 0) c) (seq 0 (4 * p))).
  - apply sum_le. intros v _. unfold sends_to. destruct (existsb _ _) eqn:E.
    + apply existsb_exists in E. destruct E as (x & Hx & E).
      pose proof (sum_member (fun x => if to u v x then 1 else 0) c x) as M. cbv beta in M. rewrite E in M.
      apply M; [intros y _; destruct (to u v y); lra|exact Hx].
    + apply sum_nonneg. intros x _. destruct (to u v x); lra.
  - rewrite sum_swap, <- (Qmult_1_r (inject_Z _)), <- sum_constant. unfold from. rewrite sum_filter.
    apply sum_le. intros x _. apply once. lra.
Qed.
Lemma received v : (v < 4 * p)%nat ->
  T' <= sum (fun i => sent (Z.of_nat i) v) (seq 0 p) + sum (fun k => sent (Z.of_nat (p + k)) v) (seq 0 (3 * p)).
Proof.
  intros Hv. destruct C as (_ & C'). destruct V as (_ & V2 & _ & V4).
  eapply Qle_trans; [apply (C' (fun u => (u =? Z.of_nat (v + 1))%Z))|].
  - cbn [source m machine_of name server]. apply Z.eqb_neq. lia.
  - assert (Hn : In (Z.of_nat (v + 1)) (names (others m))) by (rewrite other_names; apply in_map, in_seq; lia).
    apply in_map_iff in Hn. destruct Hn as (i & E & Hi). exists i. split; [exact Hi|]. rewrite E. apply Z.eqb_refl.
  - unfold into, sent. rewrite (sum_swap (fun i x => if to (Z.of_nat i) v x then rate x else 0)).
    rewrite (sum_swap (fun k x => if to (Z.of_nat (p + k)) v x then rate x else 0)), <- sum_plus.
    apply sum_le. intros x Hx. cbv beta. destruct (V2 x Hx) as ((A & _) & R).
    set (S1 := sum (fun i => if to (Z.of_nat i) v x then rate x else 0) (seq 0 p)).
    set (S2 := sum (fun k => if to (Z.of_nat (p + k)) v x then rate x else 0) (seq 0 (3 * p))).
    assert (N1 : 0 <= S1).
    { apply sum_nonneg. intros i _. destruct (to _ _ _); lra. }
    assert (N2 : 0 <= S2).
    { apply sum_nonneg. intros k _. destruct (to _ _ _); lra. }
    destruct (Z.eqb_spec (receiver x) (Z.of_nat (v + 1))) as [E|]; cbn [andb]; [|lra].
    destruct (negb _); [|lra]. apply in_map_iff in A. destruct A as (i & Ei & Hi).
    destruct (node_is i Hi) as [(j & Hj & ->)|[(k & Hk & ->)| ->]]; cbn [name server relay last_node] in Ei.
    + pose proof (sum_member (fun i => if to (Z.of_nat i) v x then rate x else 0) (seq 0 p) j) as M. cbv beta in M.
      assert (Ok : to (Z.of_nat j) v x = true) by (unfold to; now rewrite Ei, E, !Z.eqb_refl). rewrite Ok in M.
      assert (rate x <= S1); [|clear - N2 H; lra].
      apply M; [|apply in_seq; lia]. intros y _. clear - R. destruct (to _ v x); [exact R|apply Qle_refl].
    + pose proof (sum_member (fun k => if to (Z.of_nat (p + k)) v x then rate x else 0) (seq 0 (3 * p)) k) as M. cbv beta in M.
      assert (Ok : to (Z.of_nat (p + k)) v x = true) by (unfold to; now rewrite Ei, E, !Z.eqb_refl). rewrite Ok in M.
      assert (rate x <= S2); [|clear - N1 H; lra].
      apply M; [|apply in_seq; lia]. intros y _. clear - R. destruct (to _ v x); [exact R|apply Qle_refl].
    + exfalso. specialize (V4 _ Hi). cbn [name last_node degree] in V4.
      assert (In x (from (Z.of_nat (4 * p)) c)) by (apply filter_In; split; [exact Hx|apply Z.eqb_eq; congruence]).
      destruct (from _ c); [easy|]. cbn [length] in V4. lia.
Qed.

Theorem rates_partition : inject_Z T - 1 / inject_Z (Z.of_nat (4 * p)) < T' -> partition p T a.
Proof.
  intros Near. destruct I as (Hp & L & S & _). pose proof V as (_ & _ & V3 & V4).
  destruct (Servers.grouped p T (fun k => nth k a 0%Z) T' (fun i v => sent (Z.of_nat i) v)
    (fun k v => sent (Z.of_nat (p + k)) v) (fun i v => sends_to (Z.of_nat i) v)
    (fun k v => sends_to (Z.of_nat (p + k)) v)) as (g & G1 & G2).
  - exact Hp.
  - intros k Hk. apply in_seq in Hk. pose proof T_positive. destruct (number_size k); lia.
  - intros j k Hj Hk. apply in_seq in Hj, Hk. destruct (number_size j), (number_size k); lia.
  - rewrite <- S, <- L. f_equal. clear. induction a as [|x l IH]; [reflexivity|].
    cbn [length seq map]. rewrite <- seq_shift, map_map. cbn [nth]. now rewrite IH.
  - unfold Model.count. assert (P : 0 < inject_Z (Z.of_nat (4 * p))) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
    assert (E : inject_Z (Z.of_nat (4 * p)) * (1 / inject_Z (Z.of_nat (4 * p))) == 1) by (field; lra). nra.
  - intros. apply sent_nonneg.
  - intros. apply sent_nonneg.
  - intros i Hi. apply in_seq in Hi. eapply Qle_trans; [apply sent_in_all|]. rewrite <- (inject_Z_mult 2).
    apply (V3 (server T i)). apply is_server. lia.
  - intros k Hk. apply in_seq in Hk. eapply Qle_trans; [apply sent_in_all|].
    eapply Qle_trans; [apply (V3 (relay p T a k)); apply is_relay; lia|]. cbn [bandwidth relay].
    unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. lra.
  - intros i Hi. apply in_seq in Hi. eapply Qle_trans; [apply receivers_of|].
    apply (of_nat_le _ 4). specialize (V4 (server T i) (is_server i ltac:(lia))). cbn in V4. lia.
  - intros k Hk. apply in_seq in Hk. eapply Qle_trans; [apply receivers_of|].
    apply (of_nat_le _ 1). specialize (V4 (relay p T a k) (is_relay k ltac:(lia))). cbn [name relay degree] in V4. lia.
  - intros v Hv. apply in_seq in Hv. apply received. lia.
  - exists g. rewrite L. split; [exact G1|]. intros i Hi. unfold in_group. rewrite L. now apply G2.
Qed.
End Rates.

(** ** From a partition to an overlay *)
Section Groups.
Variable group : nat -> nat.
Hypothesis Group : forall k, (k < length a)%nat -> (group k < p)%nat.
Hypothesis Sums : forall i, (i < p)%nat -> total (in_group group a i) = T.
Let parts := seq 0 (Z.to_nat T).
Let number k := Z.to_nat (nth k a 0%Z).
(** Part x comes to node v + 1 from node v or, if that is a relay that has no time for this part, from the server of its
    group. *)
Definition parent (x v : nat) : nat :=
  if (v <? p)%nat then v else if (x <? Z.to_nat T - number (v - p))%nat then v else group (v - p).
Definition tree_of_part (x : nat) : list (Z * Z) :=
  map (fun v => (Z.of_nat (parent x v), Z.of_nat (v + 1))) (seq 0 (4 * p)).
Definition overlay_of_groups : overlay := Overlay (map (fun x => (1, tree_of_part x)) parts).

Lemma group_bound k : (k < 3 * p)%nat -> (group k < p)%nat.
Proof. intros H. apply Group. destruct I as (_ & -> & _). exact H. Qed.
Lemma number_bound k : (k < 3 * p)%nat -> (number k < Z.to_nat T)%nat /\ Z.of_nat (number k) = nth k a 0%Z.
Proof. intros H. pose proof T_positive. destruct (number_size k H). unfold number. lia. Qed.
Lemma parent_before x v : (v < 4 * p)%nat -> (parent x v <= v)%nat.
Proof.
  intros H. unfold parent. destruct (Nat.ltb_spec v p); [lia|]. destruct (_ <? _)%nat; [lia|].
  pose proof (group_bound (v - p) ltac:(lia)). lia.
Qed.
Lemma in_tree x u v : In (u, v) (tree_of_part x) ->
  exists w, (w < 4 * p)%nat /\ u = Z.of_nat (parent x w) /\ v = Z.of_nat (w + 1).
Proof.
  intros H. apply in_map_iff in H. destruct H as (w & E & Hw). apply in_seq in Hw. injection E as <- <-.
  exists w. repeat split; auto. lia.
Qed.
Lemma tree_arborescence x : arborescence m (tree_of_part x).
Proof.
  split; [|split].
  - intros u v H. destruct (in_tree x u v H) as (w & Hw & -> & ->). pose proof (parent_before x w Hw).
    split; [rewrite all_names; apply in_map, in_seq; lia|]. split; [rewrite other_names; apply in_map, in_seq; lia|].
    split; [lia|exact Logic.I].
  - rewrite other_names. unfold tree_of_part. rewrite map_map. cbn [snd].
    rewrite <- seq_shift, map_map. apply Permutation_refl' . apply map_ext. intros v. f_equal. lia.
  - exists (fun v => v). intros u v H. destruct (in_tree x u v H) as (w & Hw & -> & ->).
    pose proof (parent_before x w Hw). lia.
Qed.
Lemma used u v : uses overlay_of_groups u v ->
  exists x w, (w < 4 * p)%nat /\ u = Z.of_nat (parent x w) /\ v = Z.of_nat (w + 1).
Proof.
  intros (t & Ht & H). apply in_map_iff in Ht. destruct Ht as (x & <- & _). destruct (in_tree x u v H) as (w & E). eauto.
Qed.
Lemma has_throughput : throughput overlay_of_groups == inject_Z T.
Proof.
  pose proof T_positive. unfold throughput, overlay_of_groups. cbn [trees]. rewrite sum_map. cbn [fst].
  rewrite sum_constant. unfold parts. rewrite seq_length, Z2Nat.id by lia. lra.
Qed.

(** *** What is sent *)
Lemma sum_below n k : (k <= n)%nat ->
  sum (fun x => if (x <? k)%nat then 1 else 0) (seq 0 n) == inject_Z (Z.of_nat k).
Proof.
  intros H. replace n with (k + (n - k))%nat by lia. rewrite seq_app, sum_app.
  rewrite (sum_eq _ (fun _ => 1) (seq 0 k)), (sum_eq _ (fun _ => 0) (seq (0 + k) (n - k))), sum_constant, sum_zero, seq_length.
  - lra.
  - intros x Hx. apply in_seq in Hx. destruct (Nat.ltb_spec x k); [lia|reflexivity].
  - intros x Hx. apply in_seq in Hx. destruct (Nat.ltb_spec x k); [reflexivity|lia].
Qed.
Lemma sum_receivers (f : nat -> Q) :
  sum f (seq 0 (4 * p)) == sum f (seq 0 p) + sum (fun k => f (p + k)%nat) (seq 0 (3 * p)).
Proof.
  replace (4 * p)%nat with (p + 3 * p)%nat by lia. rewrite seq_app, sum_app. apply Qplus_comp; [reflexivity|].
  assert (G : forall n k, sum f (seq (p + k) n) == sum (fun k => f (p + k)%nat) (seq k n)).
  { induction n as [|n IH]; intros k; cbn [seq sum]; [reflexivity|]. rewrite <- IH, Nat.add_succ_r. reflexivity. }
  specialize (G (3 * p)%nat 0%nat). now rewrite Nat.add_0_r in G.
Qed.
Lemma sends_parents u : sends overlay_of_groups (Z.of_nat u) ==
  sum (fun v => sum (fun x => if (parent x v =? u)%nat then 1 else 0) parts) (seq 0 (4 * p)).
Proof.
  unfold sends, overlay_of_groups. cbn [trees]. rewrite sum_map. cbn [fst snd]. rewrite sum_swap. apply sum_eq. intros x _.
  unfold tree_of_part. rewrite sum_map. cbn [fst]. rewrite Qmult_1_l. apply sum_eq. intros v _.
  destruct (Z.eqb_spec (Z.of_nat (parent x v)) (Z.of_nat u)) as [E|E], (Nat.eqb_spec (parent x v) u) as [F|F];
    try reflexivity; lia.
Qed.
Lemma server_sends i : (i < p)%nat -> sends overlay_of_groups (Z.of_nat i) <= inject_Z (2 * T).
Proof.
  intros Hi. pose proof T_positive. rewrite sends_parents, sum_receivers.
  apply Qle_trans with (inject_Z T + sum (fun k => if (group k =? i)%nat then inject_Z (nth k a 0%Z) else 0) (seq 0 (3 * p))).
  - apply Qplus_le_compat.
    + eapply Qle_trans; [|apply (Servers.at_most_once (fun v => (v =? i)%nat) (inject_Z T) (seq 0 p))].
      * apply sum_le. intros v Hv. apply in_seq in Hv. unfold parent.
        destruct (Nat.ltb_spec v p); [|lia]. destruct (v =? i)%nat; [|rewrite sum_zero; lra].
        rewrite sum_constant. unfold parts. rewrite seq_length, Z2Nat.id by lia. lra.
      * change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia.
      * apply seq_NoDup.
      * intros x y _ _ E F. apply Nat.eqb_eq in E, F. congruence.
    + apply sum_le. intros k Hk. apply in_seq in Hk. destruct (number_bound k ltac:(lia)) as (B & E).
      unfold parent. destruct (Nat.ltb_spec (p + k) p); [lia|]. replace (p + k - p)%nat with k by lia.
      destruct (Nat.eqb_spec (group k) i) as [G|G].
      * apply Qle_trans with (sum (fun x => 1 - if (x <? Z.to_nat T - number k)%nat then 1 else 0) parts).
        -- apply sum_le. intros x _. destruct (x <? _)%nat; [|rewrite G, Nat.eqb_refl; lra].
           destruct (Nat.eqb_spec (p + k) i); [lia|lra].
        -- rewrite (sum_eq _ (fun x => 1 + (- (1)) * if (x <? Z.to_nat T - number k)%nat then 1 else 0)) by (intros; lra).
           unfold parts. rewrite sum_plus, sum_scale, sum_below, sum_constant, seq_length, <- E by lia.
           rewrite Nat2Z.inj_sub, Z2Nat.id by lia. unfold Z.sub. rewrite inject_Z_plus, inject_Z_opp. lra.
      * rewrite <- (sum_zero parts). apply sum_le. intros x _. destruct (x <? _)%nat.
        -- destruct (Nat.eqb_spec (p + k) i); [lia|lra].
        -- destruct (Nat.eqb_spec (group k) i); [congruence|lra].
  - pose proof (Servers.sum_total (fun k => (group k =? i)%nat) (fun k => nth k a 0%Z) (seq 0 (3 * p))) as E.
    pose proof (Sums i Hi) as S. unfold in_group in S. destruct I as (_ & L & _). rewrite L in S. rewrite S in E.
    assert (E' : sum (fun k => if (group k =? i)%nat then inject_Z (nth k a 0%Z) else 0) (seq 0 (3 * p)) == inject_Z T) by exact E.
    rewrite E', inject_Z_mult. change (inject_Z 2) with 2. lra.
Qed.
Lemma relay_sends k : (k < 3 * p)%nat -> sends overlay_of_groups (Z.of_nat (p + k)) <= inject_Z (T - nth k a 0%Z).
Proof.
  intros Hk. pose proof T_positive. rewrite sends_parents. destruct (number_bound k Hk) as (B & E).
  eapply Qle_trans; [|apply (Servers.at_most_once (fun v => (v =? p + k)%nat) (inject_Z (T - nth k a 0%Z)) (seq 0 (4 * p)))].
  - apply sum_le. intros v Hv. apply in_seq in Hv. destruct (Nat.eqb_spec v (p + k)) as [->|N].
    + apply Qle_trans with (sum (fun x => if (x <? Z.to_nat T - number k)%nat then 1 else 0) parts).
      * apply sum_le. intros x _. unfold parent. destruct (Nat.ltb_spec (p + k) p); [lia|].
        replace (p + k - p)%nat with k by lia. destruct (x <? _)%nat.
        -- destruct (_ =? _)%nat; lra.
        -- pose proof (group_bound k Hk). destruct (Nat.eqb_spec (group k) (p + k)); [lia|lra].
      * unfold parts. rewrite sum_below by lia. rewrite Nat2Z.inj_sub, Z2Nat.id, E by lia. lra.
    + rewrite <- (sum_zero parts). apply sum_le. intros x _. unfold parent. destruct (Nat.ltb_spec v p).
      * destruct (Nat.eqb_spec v (p + k)); [lia|lra].
      * destruct (x <? _)%nat; [destruct (Nat.eqb_spec v (p + k)); [lia|lra]|].
        pose proof (group_bound (v - p) ltac:(lia)). destruct (Nat.eqb_spec (group (v - p)) (p + k)); [lia|lra].
  - destruct (number_size k Hk). change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia.
  - apply seq_NoDup.
  - intros x y _ _ F G. apply Nat.eqb_eq in F, G. congruence.
Qed.
Lemma last_sends : sends overlay_of_groups (Z.of_nat (4 * p)) <= 0.
Proof.
  rewrite sends_parents, <- (sum_zero (seq 0 (4 * p))). apply sum_le. intros v Hv. apply in_seq in Hv.
  rewrite <- (sum_zero parts). apply sum_le. intros x _. pose proof (parent_before x v ltac:(lia)).
  destruct (Nat.eqb_spec (parent x v) (4 * p)); [lia|lra].
Qed.
Lemma overlay_valid : valid m overlay_of_groups.
Proof.
  split; [|split].
  - intros t Ht. apply in_map_iff in Ht. destruct Ht as (x & <- & _). split; [cbn; lra|apply tree_arborescence].
  - intros i Hi. destruct (node_is i Hi) as [(j & Hj & ->)|[(k & Hk & ->)| ->]].
    + now apply server_sends.
    + now apply relay_sends.
    + apply last_sends.
  - intros v r Hv E. exfalso. assert (Hv' : In v (nodes m)) by now right.
    destruct (node_is v Hv') as [(j & _ & ->)|[(k & _ & ->)| ->]]; discriminate.
Qed.

(** *** To whom *)
Lemma few_members i : (i < p)%nat -> (length (filter (fun k => (group k =? i)%nat) (seq 0 (3 * p))) <= 3)%nat.
Proof.
  intros Hi. pose proof (Sums i Hi) as S. unfold in_group in S. destruct I as (_ & L & _). rewrite L in S.
  assert (F : forall k, In k (filter (fun k => (group k =? i)%nat) (seq 0 (3 * p))) -> (T + 1 <= 4 * nth k a 0)%Z).
  { intros k Hk. apply filter_In in Hk. destruct Hk as [Hk _]. apply in_seq in Hk. destruct (number_size k); lia. }
  assert (G : forall l, (forall k, In k l -> (T + 1 <= 4 * nth k a 0)%Z) ->
    (Z.of_nat (length l) * (T + 1) <= 4 * total (map (fun k => nth k a 0%Z) l))%Z).
  { clear. induction l as [|k l IH]; intros H; [simpl; lia|]. cbn [length map total fold_right].
    fold (total (map (fun k => nth k a 0%Z) l)). specialize (IH (fun k Hk => H k (or_intror Hk))).
    pose proof (H k (or_introl eq_refl)). lia. }
  specialize (G _ F). rewrite S in G. pose proof T_positive. nia.
Qed.
Lemma overlay_degrees : within_degrees m overlay_of_groups.
Proof.
  intros i l Hi N U. destruct (node_is i Hi) as [(j & Hj & ->)|[(k & Hk & ->)| ->]]; cbn [degree server relay last_node name] in *.
  - assert (length l <= length (Z.of_nat (j + 1) :: map (fun k => Z.of_nat (p + k + 1)) (filter (fun k => (group k =? j)%nat) (seq 0 (3 * p)))))%nat.
    { apply NoDup_incl_length; [exact N|]. intros v Hv. destruct (used _ _ (U v Hv)) as (x & w & Hw & E & ->).
      unfold parent in E. destruct (Nat.ltb_spec w p); [left; f_equal; lia|]. destruct (x <? _)%nat; [lia|]. right.
      apply in_map_iff. exists (w - p)%nat. split; [f_equal; lia|]. apply filter_In. split; [apply in_seq; lia|].
      apply Nat.eqb_eq. lia. }
    cbn [length] in H. rewrite map_length in H. pose proof (few_members j Hj). lia.
  - assert (length l <= length [Z.of_nat (p + k + 1)])%nat; [|cbn [length] in *; lia].
    apply NoDup_incl_length; [exact N|]. intros v Hv. destruct (used _ _ (U v Hv)) as (x & w & Hw & E & ->).
    left. unfold parent in E. destruct (Nat.ltb_spec w p); [lia|]. destruct (x <? _)%nat; [f_equal; lia|].
    pose proof (group_bound (w - p) ltac:(lia)). lia.
  - destruct l as [|v l]; [cbn; lia|]. exfalso. destruct (used _ _ (U v (or_introl eq_refl))) as (x & w & Hw & E & _).
    pose proof (parent_before x w Hw). lia.
Qed.
Theorem groups_reach s : s <> tree -> reached m s (inject_Z T).
Proof.
  intros Hs. exists overlay_of_groups. split; [apply overlay_valid|]. split; [apply overlay_degrees|].
  split; [|apply has_throughput]. destruct s; [exact Logic.I| |congruence].
  exists (fun v => v). intros u v H. destruct (used u v H) as (x & w & Hw & -> & ->).
  pose proof (parent_before x w Hw). lia.
Qed.
End Groups.
End Machine.
