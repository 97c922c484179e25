(** The counting behind 3-PARTITION: who sends so much within the degrees has three relays at every server. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Sums Time.
From Exactsched.existence Require Import Finite.
From Exactsched.hardness Require Import Definitions.
Import ListNotations.
Open Scope Q_scope.


(** ** Sums *)
Lemma sum_minus {A} (f g : A -> Q) l : sum (fun x => f x - g x) l == sum f l - sum g l.
Proof. induction l as [|a l IH]; simpl; lra. Qed.
Lemma sum_total {A} (b : A -> bool) (a : A -> Z) l :
  sum (fun k => if b k then inject_Z (a k) else 0) l == inject_Z (total (map a (filter b l))).
Proof.
  induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. destruct (b x); simpl; [now rewrite inject_Z_plus|lra].
Qed.
Lemma sum_bits {A} (b : A -> bool) l : sum (fun k => bit (b k)) l == count (length (filter b l)).
Proof.
  induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. unfold bit.
  destruct (b x); simpl length; [rewrite count_S|]; lra.
Qed.
(** Numbers that are at most c and together as large as if all were c are c. *)
Lemma all_equal {A} (f : A -> Q) c l : (forall x, In x l -> f x <= c) -> sum f l == count (length l) * c ->
  forall x, In x l -> f x == c.
Proof.
  intros H E x Hx. assert (D : sum (fun x => c - f x) l == 0) by (rewrite sum_minus, sum_const; lra).
  pose proof (sum_member (fun x => c - f x) l x) as M. cbv beta in M. specialize (H x Hx) as Hc.
  assert (c - f x <= sum (fun x => c - f x) l); [|lra]. apply M; auto. intros y Hy. specialize (H y Hy). lra.
Qed.
Lemma pointwise {A} (f g : A -> Q) l : (forall x, In x l -> f x <= g x) -> sum g l <= sum f l ->
  forall x, In x l -> f x == g x.
Proof.
  intros H E x Hx. pose proof (sum_member (fun x => g x - f x) l x) as M. cbv beta in M.
  assert (g x - f x <= sum (fun x => g x - f x) l) by (apply M; auto; intros y Hy; specialize (H y Hy); lra).
  rewrite sum_minus in H0. specialize (H x Hx). lra.
Qed.
Lemma at_most_once (b : nat -> bool) c l : 0 <= c -> NoDup l ->
  (forall i j, In i l -> In j l -> b i = true -> b j = true -> i = j) -> sum (fun i => if b i then c else 0) l <= c.
Proof.
  intros Hc N U. destruct (existsb b l) eqn:E.
  - apply existsb_exists in E. destruct E as (k & Hk & Bk).
    eapply Qle_trans; [|apply (sum_at_most_one l (fun i => (i =? k)%nat) k c Hc N); intros i; apply Nat.eqb_eq].
    apply sum_le. intros i Hi. destruct (b i) eqn:Bi; [|destruct (i =? k)%nat; lra].
    rewrite (U i k Hi Hk Bi Bk), Nat.eqb_refl. lra.
  - rewrite sum_none; auto. intros i Hi. rewrite (existsb_false b l E i Hi). reflexivity.
Qed.

(** ** Servers and relays *)
Section Servers.
Variables (p : nat) (T : Z) (a : nat -> Z) (T' : Q).
Let receivers := seq 0 (4 * p).
Let servers := seq 0 p.
Let relays := seq 0 (3 * p).
(** What server i, and relay k, sends to receiver v, and whether v is one of its receivers. *)
Variables (from_server from_relay : nat -> nat -> Q) (serves relays_to : nat -> nat -> bool).
Hypothesis Some_server : (1 <= p)%nat.
Hypothesis Small : forall k, In k relays -> (1 <= a k)%Z.
Hypothesis Pairs : forall j k, In j relays -> In k relays -> (a j + a k < T)%Z.
Hypothesis Sum : total (map a relays) = (Z.of_nat p * T)%Z.
Hypothesis Near : count (4 * p) * (inject_Z T - T') < 1.
Hypothesis Server_rates : forall i v, 0 <= from_server i v /\ (serves i v = false -> from_server i v == 0).
Hypothesis Relay_rates : forall k v, 0 <= from_relay k v /\ (relays_to k v = false -> from_relay k v == 0).
Hypothesis Server_sends : forall i, In i servers -> sum (from_server i) receivers <= 2 * inject_Z T.
Hypothesis Relay_sends : forall k, In k relays -> sum (from_relay k) receivers <= inject_Z T - inject_Z (a k).
Hypothesis Server_degree : forall i, In i servers -> sum (fun v => bit (serves i v)) receivers <= 4.
Hypothesis Relay_degree : forall k, In k relays -> sum (fun v => bit (relays_to k v)) receivers <= 1.
Let served v := sum (fun i => from_server i v) servers.
Let relayed v := sum (fun k => from_relay k v) relays.
Hypothesis Received : forall v, In v receivers -> T' <= served v + relayed v.

Let Receivers_once : NoDup receivers. Proof. apply seq_NoDup. Qed.
Let Relays_once : NoDup relays. Proof. apply seq_NoDup. Qed.
Let Servers_once : NoDup servers. Proof. apply seq_NoDup. Qed.

Lemma inject_le x y : (x <= y)%Z -> inject_Z x <= inject_Z y.
Proof. now rewrite <- Zle_Qle. Qed.
Lemma count_four : count (4 * p) == 4 * count p.
Proof. rewrite count_mult. reflexivity. Qed.
Lemma count_three : count (3 * p) == 3 * count p.
Proof. rewrite count_mult. reflexivity. Qed.
Lemma count_p : 1 <= count p.
Proof. unfold count. change 1 with (inject_Z 1). apply inject_le. lia. Qed.
Lemma sum_all : sum (fun k => inject_Z (a k)) relays == count p * inject_Z T.
Proof.
  pose proof (sum_total (fun _ => true) a relays) as E. cbv beta iota in E. rewrite E.
  assert (F : filter (fun _ : nat => true) relays = relays).
  { clear. induction relays as [|x l IH]; simpl; congruence. }
  rewrite F, Sum, inject_Z_mult. reflexivity.
Qed.
Lemma relay_zero : In 0%nat relays.
Proof. apply in_seq. lia. Qed.
Lemma small k : In k relays -> 1 <= inject_Z (a k).
Proof. intros H. apply (inject_le 1), Small. auto. Qed.
Lemma pairs j k : In j relays -> In k relays -> inject_Z (a j) + inject_Z (a k) <= inject_Z T - 1.
Proof.
  intros Hj Hk. pose proof (Pairs j k Hj Hk) as L. assert (L' : (a j + a k <= T - 1)%Z) by lia.
  apply inject_le in L'. rewrite inject_Z_plus in L'. unfold Z.sub in L'. rewrite inject_Z_plus in L'.
  change (inject_Z (-(1))) with (- (1)) in L'. lra.
Qed.
Lemma large_T : 3 <= inject_Z T.
Proof. pose proof (pairs _ _ relay_zero relay_zero). pose proof (small _ relay_zero). lra. Qed.

(** What is not used, and what is received too much, is less than 1 in all. *)
Let surplus v := served v + relayed v - T'.
Let idle_server i := 2 * inject_Z T - sum (from_server i) receivers.
Let idle_relay k := inject_Z T - inject_Z (a k) - sum (from_relay k) receivers.
Lemma lengths : count (length receivers) == 4 * count p /\ count (length servers) = count p /\
  count (length relays) == 3 * count p.
Proof. unfold receivers, servers, relays. rewrite !seq_length, count_four, count_three. repeat split; reflexivity. Qed.
Lemma balance : sum surplus receivers + (sum idle_server servers + sum idle_relay relays) ==
  4 * count p * (inject_Z T - T').
Proof.
  unfold surplus, idle_server, idle_relay. rewrite !sum_minus, sum_plus, !sum_const. unfold served, relayed.
  rewrite (sum_swap (fun v i => from_server i v)), (sum_swap (fun v k => from_relay k v)), sum_all.
  destruct lengths as (-> & -> & ->). 
  change (sum (fun i => sum (fun v => from_server i v) receivers) servers) with
    (sum (fun i => sum (from_server i) receivers) servers).
  change (sum (fun k => sum (fun v => from_relay k v) receivers) relays) with
    (sum (fun k => sum (from_relay k) receivers) relays). ring.
Qed.
Lemma little_is_idle : sum surplus receivers + (sum idle_server servers + sum idle_relay relays) < 1.
Proof. rewrite balance, <- count_four. exact Near. Qed.
Lemma surplus_nonneg v : In v receivers -> 0 <= surplus v.
Proof. intros H. pose proof (Received v H). unfold surplus. lra. Qed.
Lemma idle_server_nonneg i : In i servers -> 0 <= idle_server i.
Proof. intros H. pose proof (Server_sends i H). unfold idle_server. lra. Qed.
Lemma idle_relay_nonneg k : In k relays -> 0 <= idle_relay k.
Proof. intros H. pose proof (Relay_sends k H). unfold idle_relay. lra. Qed.
Lemma at_most_T : T' <= inject_Z T /\ 4 * (inject_Z T - T') < 1.
Proof.
  pose proof count_p. pose proof balance as B. pose proof little_is_idle.
  pose proof (sum_nonneg surplus receivers surplus_nonneg). pose proof (sum_nonneg idle_server servers idle_server_nonneg).
  pose proof (sum_nonneg idle_relay relays idle_relay_nonneg). split; nra.
Qed.

(** Every relay has one receiver, and these are different. *)
Let target k := match find (relays_to k) receivers with Some v => v | None => 0%nat end.
Lemma target_found k : In k relays -> In (target k) receivers /\ relays_to k (target k) = true.
Proof.
  intros Hk. unfold target. destruct (find _ _) as [v|] eqn:F; [apply find_some in F; tauto|]. exfalso.
  assert (Z0 : sum (from_relay k) receivers == 0).
  { apply sum_none. intros v Hv. apply Relay_rates. now apply (find_none _ _ F). }
  pose proof (sum_member idle_relay relays k idle_relay_nonneg Hk) as M. unfold idle_relay at 1 in M.
  pose proof (sum_nonneg surplus receivers surplus_nonneg). pose proof (sum_nonneg idle_server servers idle_server_nonneg).
  pose proof little_is_idle. pose proof (pairs k k Hk Hk). pose proof (small k Hk). lra.
Qed.
Lemma target_only k v : In k relays -> In v receivers -> relays_to k v = true -> v = target k.
Proof.
  intros Hk Hv R. destruct (Nat.eq_dec v (target k)) as [|N]; auto. exfalso.
  destruct (target_found k Hk) as (It & Rt).
  pose proof (sum_two (fun v => bit (relays_to k v)) receivers v (target k)) as S2. cbv beta in S2.
  rewrite R, Rt in S2. pose proof (Relay_degree k Hk). unfold bit in *.
  assert (1 + 1 <= sum (fun v => if relays_to k v then 1 else 0) receivers); [|lra].
  apply S2; auto. intros z _. destruct (relays_to k z); lra.
Qed.
Lemma relay_elsewhere k v : In k relays -> In v receivers -> v <> target k -> from_relay k v == 0.
Proof.
  intros Hk Hv N. apply Relay_rates. destruct (relays_to k v) eqn:E; auto. destruct N. apply target_only; auto.
Qed.
Lemma relay_sum k : In k relays -> sum (from_relay k) receivers == from_relay k (target k).
Proof.
  intros Hk. destruct (target_found k Hk). apply sum_only; auto. intros v Hv N. apply relay_elsewhere; auto.
Qed.
Lemma targets_differ j k : In j relays -> In k relays -> target j = target k -> j = k.
Proof.
  intros Hj Hk E. destruct (Nat.eq_dec j k) as [|N]; auto. exfalso.
  destruct (target_found j Hj) as (It & _). set (v := target j) in *.
  assert (R2 : from_relay j v + from_relay k v <= relayed v).
  { apply (sum_two (fun k => from_relay k v)); auto. intros z _. apply Relay_rates. }
  assert (S0 : 0 <= served v) by (apply sum_nonneg; intros; apply Server_rates).
  pose proof (sum_member surplus receivers v surplus_nonneg It) as M. unfold surplus at 1 in M.
  pose proof (sum_two idle_relay relays j k idle_relay_nonneg Hj Hk N) as M2. unfold idle_relay at 1 2 in M2.
  rewrite !relay_sum in M2 by auto. rewrite <- E in M2. fold v in M2.
  pose proof (sum_nonneg idle_server servers idle_server_nonneg). pose proof little_is_idle. pose proof (pairs j k Hj Hk).
  destruct at_most_T. lra.
Qed.

(** What the servers have to add. *)
Let need v := T' - sum (fun k => if (target k =? v)%nat then inject_Z T - inject_Z (a k) else 0) relays.
Lemma need_served v : In v receivers -> need v <= served v.
Proof.
  intros Hv. pose proof (Received v Hv) as R. unfold need.
  assert (relayed v <= sum (fun k => if (target k =? v)%nat then inject_Z T - inject_Z (a k) else 0) relays); [|lra].
  apply sum_le. intros k Hk. destruct (Nat.eqb_spec (target k) v) as [E|N].
  - pose proof (Relay_sends k Hk). rewrite relay_sum in H by auto. now rewrite E in H.
  - rewrite relay_elsewhere; auto. lra.
Qed.
Lemma need_positive v : In v receivers -> 0 < need v.
Proof.
  intros Hv. unfold need. destruct at_most_T. pose proof large_T.
  assert (sum (fun k => if (target k =? v)%nat then inject_Z T - inject_Z (a k) else 0) relays <= inject_Z T - 1); [|lra].
  eapply Qle_trans; [|apply (at_most_once (fun k => (target k =? v)%nat) (inject_Z T - 1) relays); auto].
  - apply sum_le. intros k Hk. pose proof (small k Hk). destruct (_ =? _)%nat; lra.
  - lra.
  - intros j k Hj Hk Ej Ek. apply Nat.eqb_eq in Ej, Ek. apply targets_differ; auto. congruence.
Qed.

(** Every receiver has one server, and every server four receivers. *)
Let server v := match find (fun i => serves i v) servers with Some i => i | None => 0%nat end.
Lemma server_found v : In v receivers -> In (server v) servers /\ serves (server v) v = true.
Proof.
  intros Hv. unfold server. destruct (find _ _) as [i|] eqn:F; [apply find_some in F; tauto|]. exfalso.
  pose proof (need_positive v Hv). pose proof (need_served v Hv).
  assert (served v == 0); [|lra]. apply sum_none. intros i Hi. apply Server_rates.
  apply (find_none _ _ F i Hi).
Qed.
Let receives i := sum (fun v => bit (server v =? i)%nat) receivers.
Lemma receives_at_most i : In i servers -> receives i <= sum (fun v => bit (serves i v)) receivers.
Proof.
  intros Hi. apply sum_le. intros v Hv. destruct (Nat.eqb_spec (server v) i) as [<-|]; unfold bit.
  - destruct (server_found v Hv) as (_ & ->). lra.
  - destruct (serves i v); lra.
Qed.
Lemma receives_four : forall i, In i servers -> receives i == 4.
Proof.
  apply all_equal.
  - intros j Hj. eapply Qle_trans; [apply receives_at_most|apply Server_degree]; auto.
  - unfold receives. rewrite (sum_swap (fun i v => bit (server v =? i)%nat)).
    rewrite (sum_eq _ (fun _ => 1)).
    + rewrite sum_const. unfold receivers, servers. rewrite !seq_length, count_four. lra.
    + intros v Hv. destruct (server_found v Hv) as (Hs & _).
      rewrite (sum_only _ servers (server v) Servers_once Hs); [now rewrite Nat.eqb_refl|].
      intros i _ N. cbv beta. destruct (Nat.eqb_spec (server v) i) as [E|]; [congruence|reflexivity].
Qed.
Lemma server_only i v : In i servers -> In v receivers -> serves i v = true -> server v = i.
Proof.
  intros Hi Hv E.
  assert (P : bit (server v =? i)%nat == bit (serves i v)).
  { apply (pointwise (fun v => bit (server v =? i)%nat) (fun v => bit (serves i v)) receivers); auto.
    - intros w Hw. destruct (Nat.eqb_spec (server w) i) as [<-|]; unfold bit.
      + destruct (server_found w Hw) as (_ & ->). lra.
      + destruct (serves i w); lra.
    - pose proof (Server_degree i Hi). pose proof (receives_four i Hi). unfold receives in *. lra. }
  rewrite E in P. destruct (Nat.eqb_spec (server v) i); auto. unfold bit in P. lra.
Qed.
Lemma served_by_one v : In v receivers -> served v == from_server (server v) v.
Proof.
  intros Hv. destruct (server_found v Hv) as (Hs & _).
  apply (sum_only (fun i => from_server i v) servers (server v) Servers_once Hs).
  intros i Hi N. apply Server_rates. destruct (serves i v) eqn:E; auto. apply server_only in E; auto. congruence.
Qed.

(** What a server sends is enough for its receivers. *)
Let group k := server (target k).
Let members i := filter (fun k => (group k =? i)%nat) relays.
Lemma server_carries i : In i servers ->
  4 * T' - inject_Z T * count (length (members i)) + inject_Z (total (map a (members i))) <= 2 * inject_Z T.
Proof.
  intros Hi. eapply Qle_trans; [|apply (Server_sends i Hi)].
  apply Qle_trans with (sum (fun v => if (server v =? i)%nat then need v else 0) receivers).
  - apply Qle_lteq. right. symmetry.
    rewrite (sum_eq _ (fun v => T' * bit (server v =? i)%nat -
      sum (fun k => if (target k =? v)%nat then if (server v =? i)%nat then inject_Z T - inject_Z (a k) else 0 else 0) relays)).
    + rewrite sum_minus, sum_scale, (sum_swap (fun v k => if (target k =? v)%nat then _ else 0)).
      pose proof (receives_four i Hi) as R. unfold receives in R. rewrite R.
      rewrite (sum_eq (fun k => sum _ receivers) (fun k => inject_Z T * bit (group k =? i)%nat -
        (if (group k =? i)%nat then inject_Z (a k) else 0))).
      * unfold members. rewrite sum_minus, sum_scale, sum_bits, sum_total. lra.
      * intros k Hk. destruct (target_found k Hk) as (It & _).
        rewrite (sum_only _ receivers (target k) Receivers_once It).
        -- rewrite Nat.eqb_refl. unfold group. destruct (_ =? i)%nat; unfold bit; lra.
        -- intros v _ N. destruct (Nat.eqb_spec (target k) v); [congruence|reflexivity].
    + intros v Hv. unfold need. destruct (server v =? i)%nat; unfold bit.
      * lra.
      * rewrite (sum_none _ relays); [lra|]. intros k _. destruct (_ =? v)%nat; reflexivity.
  - apply sum_le. intros v Hv. destruct (Nat.eqb_spec (server v) i) as [<-|].
    + rewrite <- served_by_one by auto. apply need_served; auto.
    + apply Server_rates.
Qed.
Lemma group_sum i : In i servers -> (Z.of_nat (length (members i)) <= total (map a (members i)))%Z.
Proof.
  intros _. assert (H : forall k, In k (members i) -> (1 <= a k)%Z).
  { intros k Hk. apply filter_In in Hk. apply Small. tauto. }
  induction (members i) as [|k l IH]; [simpl; lia|]. cbn [length map total fold_right].
  pose proof (H k (or_introl eq_refl)). fold (total (map a l)).
  assert (Z.of_nat (length l) <= total (map a l))%Z by (apply IH; intros; apply H; right; auto). lia.
Qed.
Lemma three_members i : In i servers -> (3 <= length (members i))%nat.
Proof.
  intros Hi. pose proof (server_carries i Hi) as C. pose proof (group_sum i Hi) as G. apply inject_le in G.
  fold (count (length (members i))) in G. destruct at_most_T. pose proof large_T.
  destruct (length (members i)) as [|[|[|n]]]; try lia;
    [change (count 0) with 0 in *|change (count 1) with 1 in *|change (count 2) with 2 in *]; lra.
Qed.
Lemma group_found k : In k relays -> In (group k) servers.
Proof. intros Hk. apply server_found. apply target_found; auto. Qed.
Lemma exactly_three i : In i servers -> count (length (members i)) == 3.
Proof.
  intros Hi. assert (- count (length (members i)) == - (3)); [|lra].
  apply (all_equal (fun i => - count (length (members i))) (- (3)) servers); auto.
  - intros j Hj. pose proof (three_members j Hj) as L. unfold count.
    assert (inject_Z 3 <= inject_Z (Z.of_nat (length (members j)))) by (apply inject_le; lia).
    change (inject_Z 3) with 3 in H. lra.
  - rewrite (sum_eq _ (fun i => (- (1)) * count (length (members i)))) by (intros; lra). rewrite sum_scale.
    rewrite (sum_eq (fun i => count (length (members i))) (fun i => sum (fun k => bit (group k =? i)%nat) relays))
      by (intros; unfold members; now rewrite sum_bits).
    rewrite (sum_swap (fun i k => bit (group k =? i)%nat)), (sum_eq _ (fun _ => 1)).
    + rewrite sum_const. destruct lengths as (_ & -> & ->). lra.
    + intros k Hk. rewrite (sum_only _ servers (group k) Servers_once (group_found k Hk)); [now rewrite Nat.eqb_refl|].
      intros j _ N. destruct (Nat.eqb_spec (group k) j); [congruence|reflexivity].
Qed.
Lemma group_total i : In i servers -> total (map a (members i)) = T.
Proof.
  intros Hi. apply inject_Z_injective.
  apply (all_equal (fun i => inject_Z (total (map a (members i)))) (inject_Z T) servers); auto.
  - intros j Hj. apply inject_le. pose proof (server_carries j Hj) as C. rewrite exactly_three in C by auto.
    destruct at_most_T.
    assert (L : inject_Z (total (map a (members j))) < inject_Z (T + 1)).
    { rewrite inject_Z_plus. change (inject_Z 1) with 1. lra. }
    rewrite <- Zlt_Qlt in L. lia.
  - rewrite (sum_eq _ (fun i => sum (fun k => if (group k =? i)%nat then inject_Z (a k) else 0) relays))
      by (intros; unfold members; now rewrite sum_total).
    rewrite (sum_swap (fun i k => if (group k =? i)%nat then inject_Z (a k) else 0)),
      (sum_eq _ (fun k => inject_Z (a k))).
    + rewrite sum_all. destruct lengths as (_ & -> & _). reflexivity.
    + intros k Hk. rewrite (sum_only _ servers (group k) Servers_once (group_found k Hk)); [now rewrite Nat.eqb_refl|].
      intros j _ N. destruct (Nat.eqb_spec (group k) j); [congruence|reflexivity].
Qed.
Theorem grouped : exists g : nat -> nat, (forall k, (k < 3 * p)%nat -> (g k < p)%nat) /\
  forall i, (i < p)%nat -> total (map a (filter (fun k => (g k =? i)%nat) (seq 0 (3 * p)))) = T.
Proof.
  exists group. split.
  - intros k Hk. assert (I : In k relays) by (apply in_seq; lia). apply group_found in I. apply in_seq in I. lia.
  - intros i Hi. apply group_total. apply in_seq. lia.
Qed.
End Servers.
