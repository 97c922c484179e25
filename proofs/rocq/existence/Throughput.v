(** Every two-sided system has a throughput: the value of its best packing, and of its best prices. *)
From Coq Require Import QArith Qminmax List Arith ZArith Lia Lqa Bool Permutation.
From Exactsched Require Import Model Names Sums Time Bound Sanity.
From Exactsched.existence Require Import Definitions Finite Duality Structures Reached.
Import ListNotations.
Open Scope Q_scope.

Lemma resource_eq_dec (r s : resource) : {r = s} + {r <> s}.
Proof. decide equality; apply Z.eq_dec. Defined.
Definition resources (S : system) : list resource := nodup resource_eq_dec (flat_map uses (tasks S)).
Lemma resources_in S r : In r (resources S) <-> exists k, In k (tasks S) /\ In r (uses k).
Proof. unfold resources. rewrite nodup_In, in_flat_map. reflexivity. Qed.

(** ** Packings and prices of any system *)
Section Any.
Variable S : system.
Hypothesis positive : takes_time S.

Lemma idle r t : structure S t -> ~ In r (resources S) -> load S r t == 0.
Proof.
  intros St N. apply sum_none. intros i Hi. destruct (uses_it r (kind S i)) eqn:U; [|reflexivity].
  exfalso. apply N, resources_in. exists (kind S i). split; [|apply uses_it_spec; auto].
  apply nth_In. eapply structure_range; eauto.
Qed.

(** No packing is worth more than prices prove. *)
Lemma packing_prices y T l : prices_prove S (Prices y []) T -> packing S l -> value l <= T.
Proof.
  intros (N & E & P) (Pt & Pr). rewrite <- E. unfold total. simpl. rewrite Qplus_0_r.
  apply Qle_trans with (sum (fun xt => fst xt * cost_of S (Prices y []) (snd xt)) l).
  - apply sum_le. intros [x t] I. simpl. destruct (Pt x t I) as [Hx St]. specialize (P t St). nra.
  - rewrite (sum_eq _ (fun xt => sum (fun ry => snd ry * (fst xt * load S (fst ry) (snd xt))) y)).
    + rewrite sum_swap. apply sum_le. intros [r q] I. rewrite sum_scale. simpl. specialize (Pr r).
      assert (0 <= q) by (apply (proj1 N r q I)).
      setoid_replace q with (q * 1) at 2 by ring. rewrite !(Qmult_comm q). apply Qmult_le_compat_r; auto.
    + intros [x t] _. rewrite cost_loads, <- sum_scale. apply sum_eq. intros. simpl. ring.
Qed.

Lemma packing_of x : (forall t, In t (all_structures S) -> 0 <= x t) ->
  (forall r, In r (resources S) -> sum (fun t => load S r t * x t) (all_structures S) <= 1) ->
  packing S (map (fun t => (x t, t)) (all_structures S)).
Proof.
  intros Hx Hr. split.
  - intros y t I. apply in_map_iff in I. destruct I as (t' & E & I). injection E as <- <-.
    split; auto. apply all_structures_spec; auto.
  - intros r. rewrite sum_map. simpl. destruct (in_dec resource_eq_dec r (resources S)) as [I|N].
    + rewrite (sum_eq _ (fun t => load S r t * x t)). auto. intros; ring.
    + rewrite sum_none. lra. intros t It. apply all_structures_spec in It. rewrite idle; auto. ring.
Qed.

(** A best packing, and prices that prove that it is one. *)
Theorem best_packing_priced t0 : structure S t0 -> something_to_do S ->
  (forall k, In k (tasks S) -> uses k <> []) ->
  exists T y l, 0 < T /\ packing S l /\ value l == T /\ prices_prove S (Prices y []) T /\ NoDup (map fst y).
Proof.
  intros St0 (w & Ww & Nw) Some. set (all := all_structures S). set (R := resources S).
  assert (NR : NoDup R) by apply NoDup_nodup. assert (NA : NoDup all) by apply NoDup_nodup.
  destruct (least lasts (tasks S) 1) as (d & Hd & Le & _); [lra|exact positive|].
  (* every structure keeps some resource busy for a time d *)
  assert (Busy : forall t, structure S t -> d <= sum (fun r => load S r t) R).
  { intros t St. destruct St as (G & W). pose proof (W w Ww) as K. apply known_in in K.
    destruct K as [K|(i & Hi & _)]; [contradiction|]. assert (Ri : (i < length (tasks S))%nat) by (apply
      (grows_facts S t G); auto).
    assert (Ki : In (kind S i) (tasks S)) by (apply nth_In; auto).
    specialize (Some _ Ki). destruct (uses (kind S i)) as [|r u] eqn:U; [easy|].
    eapply Qle_trans; [apply (Le _ Ki)|].
    eapply Qle_trans; [|apply (sum_member (fun r => load S r t) R r)].
    - apply load_member; auto. split; auto. rewrite U. left; auto.
    - intros q _. apply load_nonneg; auto. split; auto.
    - apply resources_in. exists (kind S i). rewrite U. split; auto. left; auto. }
  destruct (packing_duality resource_eq_dec eq_list R all (load S) (fun _ => 1) (fun _ => 1) NR NA) with (U :=
    count (length R) / d)
    as (x & y & (Px & Pr) & Hy & Hc & V).
  - intros; lra.
  - intros x (Px & Pr). apply Qle_shift_div_l. lra. rewrite Qmult_comm, <- sum_scale.
    apply Qle_trans with (sum (fun t => sum (fun r => load S r t * x t) R) all).
    + apply sum_le. intros t It. specialize (Px t It). apply all_structures_spec in It. specialize (Busy t It).
      rewrite (sum_eq (fun r => load S r t * x t) (fun r => x t * load S r t)) by (intros; ring).
      rewrite sum_scale. nra.
    + rewrite sum_swap, <- sum_one. apply sum_le. auto.
  - set (l := map (fun t => (x t, t)) all). set (prices := map (fun r => (r, y r)) R).
    assert (Pl : packing S l) by (apply packing_of; auto).
    assert (Vl : value l == sum (fun t => 1 * x t) all).
    { unfold value, l. rewrite sum_map. apply sum_eq. intros; simpl; ring. }
    assert (Prove : prices_prove S (Prices prices []) (value l)).
    { split; [|split].
      - split; [|easy]. intros r q I. apply in_map_iff in I. destruct I as (r' & E & I). injection E as <- <-.
        auto.
      - unfold total, prices. simpl. rewrite sum_map, Vl, V. simpl. rewrite Qplus_0_r. apply sum_eq. intros;
        ring.
      - intros t St. rewrite cost_loads. unfold prices. rewrite sum_map. simpl. apply Hc. apply
        all_structures_spec; auto. }
    exists (value l), prices, l. split; [|split; [auto|split; [reflexivity|split; [auto|]]]].
    + (* the structure t0 alone, with a small weight *)
      set (c := sum (fun r => load S r t0) R).
      assert (C : 0 < c) by (specialize (Busy t0 St0); unfold c; lra).
      assert (Small : packing S [(/ c, t0)]).
      { assert (Ic : 0 < / c) by (apply Qinv_lt_0_compat; auto). split.
        - intros q t [I|[]]. injection I as <- <-. split; auto. lra.
        - intros r. simpl. rewrite Qplus_0_r. setoid_replace 1 with (/ c * c) by (field; lra).
          apply Qmult_le_l; auto. destruct (in_dec resource_eq_dec r R) as [I|N].
          + apply (sum_member (fun r => load S r t0)); auto. intros. apply load_nonneg; auto.
          + rewrite idle; auto. lra. }
      apply (packing_prices prices (value l)) in Small; auto. unfold value at 1 in Small. simpl in Small.
      assert (0 < / c) by (apply Qinv_lt_0_compat; auto). lra.
    + unfold prices. rewrite map_map. simpl. rewrite map_id. auto.
Qed.
End Any.

(** ** The throughput of a two-sided system *)
Theorem two_sided_throughput S t : takes_time S -> two_sided S -> something_to_do S -> structure S t ->
  exists T y l, 0 < T /\ throughput S T /\ packing S l /\ value l == T /\
    prices_prove S (Prices y []) T /\ NoDup (map fst y).
Proof.
  intros pos two todo St. destruct (best_packing_priced S pos t St todo) as (T & y & l & HT & Pl & Vl & Py & N).
  { destruct two as (side & two). intros k Hk. apply (two k Hk). }
  exists T, y, l. split; auto. split; [split|auto].
  - apply (prices_bound S pos (Prices y [])). auto.
  - destruct (packing_reached S l pos two Pl) as (C & R). lra. exists C. apply (reached_eq S (value l)); auto.
Qed.

Lemma best_eq S T T' : T == T' -> best_packing S T -> best_packing S T'.
Proof. intros E [(l & Hl & El) Max]. split. exists l. split; auto. lra. intros l' Hl'. specialize (Max l' Hl').
  lra. Qed.

Theorem throughput_is_best S t T : takes_time S -> two_sided S -> something_to_do S -> structure S t ->
  throughput S T <-> best_packing S T.
Proof.
  intros pos two todo St. destruct (two_sided_throughput S t pos two todo St) as (T0 & y & l & HT & Th & Pl &
    Vl & Py & _).
  assert (B : best_packing S T0).
  { split. exists l. auto. intros l' Pl'. apply (packing_prices S y); auto. }
  split.
  - intros Th'. apply (best_eq S T0); auto. eapply throughput_unique; eauto.
  - intros [(l' & Pl' & Vl') Max']. apply (throughput_eq S T0); auto. apply Qle_antisym.
    + rewrite <- Vl. auto.
    + rewrite <- Vl'. apply B. auto.
Qed.
