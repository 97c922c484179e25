(** Checker of allreduces on LogP machines, in units as in [Checker]. Nothing is proved here. *)
From Coq Require Import ZArith List Bool FMapPositive.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Checker.
Import ListNotations.
Open Scope Z_scope.

(** Whose values a message carries. *)
Definition carried (h : holdings) (ps : list Z) (r : row) : list Z :=
  filter (fun v =>
    match held h (from r) v with Some u => u <=? at_ r | None => false end &&
    negb ((what r =? 1) && (v =? from r))) ps.

(** A processor receives values that it did not have. *)
Fixpoint receive (h : holdings) (q time : Z) (values : list Z) : option holdings :=
  match values with
  | [] => Some h
  | v :: values =>
      match held h q v with
      | Some _ => None
      | None => receive (hold h q v time) q time values
      end
  end.

(** Messages in the order of their starts. *)
Fixpoint reduces (c : clock) (known : set) (ps : list Z) (last : Z) (rows : list row) (h : holdings)
    : option holdings :=
  match rows with
  | [] => Some h
  | r :: rows =>
      if member (from r) known && member (to r) known && negb (from r =? to r) && (last <=? at_ r) then
        match receive h (to r) (at_ r + delay_ c) (carried h ps r) with
        | Some h => reduces c known ps (at_ r) rows h
        | None => None
        end
      else None
  end.

Definition check_allreduce (c : clock) (ps : list Z) (rows : list row) (t : Z) : bool :=
  sane c &&
  match reduces c (set_of ps) ps 0 rows (held_at_start (map (fun q => (q, q)) ps)) with
  | Some h =>
      forallb (fun q => forallb (fun v =>
        match held h q v with Some u => u <=? t | None => false end) ps) ps
  | None => false
  end &&
  one_by_one (sends_of (gap_ c) rows) (PositiveMap.empty Z) &&
  one_by_one (receptions_of c (gap_ c) rows) (PositiveMap.empty Z) &&
  one_by_one (merge (sends_of (overhead_ c) rows) (receptions_of c (overhead_ c) rows)) (PositiveMap.empty Z).
