(** Theorem B of [logp-continuous](../../logp-continuous.md) for the latencies 3, ..., 6 and every number of
    processors: the delay L + B(P - 1) is reached, and no delay is smaller. *)
From Coq Require Import ZArith List Lia Bool.
From Exactsched.continuous Require Import Definitions Check Search Theorems Three.
Import ListNotations.
Open Scope Z_scope.

Theorem latency_3 : theorem_B 3.
Proof. refine (continuous_broadcast 3 12 (base 3 12) window_of_three _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_4 : theorem_B 4.
Proof. refine (continuous_broadcast 4 11 (base 4 11) (window 4 11) _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_5 : theorem_B 5.
Proof. refine (continuous_broadcast 5 13 (base 5 13) (window 5 13) _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.
Theorem latency_6 : theorem_B 6.
Proof. refine (continuous_broadcast 6 15 (base 6 15) (window 6 15) _ _ _); [lia|vm_cast_no_check (eq_refl true)..]. Qed.

Theorem latencies_to_6 L : 3 <= L <= 6 -> theorem_B L.
Proof.
  intros H. assert (C : L = 3 \/ L = 4 \/ L = 5 \/ L = 6) by lia.
  repeat (destruct C as [->|C]); [apply latency_3|apply latency_4|apply latency_5|subst; apply latency_6].
Qed.
