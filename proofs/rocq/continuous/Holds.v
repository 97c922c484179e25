(** Theorem B of [logp-continuous](../../logp-continuous.md): for every latency L >= 3 and every number of processors
    the delay L + B(P - 1) is reached, and no delay is smaller. *)
From Coq Require Import ZArith List Lia.
From Exactsched.continuous Require Import Definitions Theorems Rows Tables Latencies Large.
Import ListNotations.
Open Scope Z_scope.

Theorem latency_7 : theorem_B 7.
Proof. refine (rows_decide 7 17 (before_rows 7 branches_7) exchanges_7 (trees 7 branches_7) exceptions_7 _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_8 : theorem_B 8.
Proof. refine (rows_decide 8 19 (before_rows 8 branches_8) exchanges_8 (trees 8 branches_8) exceptions_8 _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_9 : theorem_B 9.
Proof. refine (rows_decide 9 21 (before_rows 9 branches_9) exchanges_9 (trees 9 branches_9) [] _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_10 : theorem_B 10.
Proof. refine (rows_decide 10 23 (before_rows 10 branches_10) exchanges_10 (trees 10 branches_10) exceptions_10 _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_11 : theorem_B 11.
Proof. refine (rows_decide 11 25 (before_rows 11 branches_11) exchanges_11 (trees 11 branches_11) [] _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_12 : theorem_B 12.
Proof. refine (rows_decide 12 27 (before_rows 12 branches_12) exchanges_12 (trees 12 branches_12) [] _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_13 : theorem_B 13.
Proof. refine (rows_decide 13 29 (before_rows 13 branches_13) exchanges_13 (trees 13 branches_13) [] _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.

Theorem theorem_B_holds : forall L, 3 <= L -> theorem_B L.
Proof.
  intros L H. destruct (Z_le_gt_dec L 6); [apply latencies_to_6; lia|]. destruct (Z_le_gt_dec 14 L); [now apply latencies_from_14|].
  assert (C : L = 7 \/ L = 8 \/ L = 9 \/ L = 10 \/ L = 11 \/ L = 12 \/ L = 13) by lia.
  repeat (destruct C as [->|C]); [apply latency_7|apply latency_8|apply latency_9|apply latency_10|apply latency_11|apply latency_12|].
  subst. apply latency_13.
Qed.
