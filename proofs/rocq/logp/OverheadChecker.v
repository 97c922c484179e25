(** Checker of the bound for items that everybody wants from the others, where overheads take time: a processor
    cannot receive while it sends. Nothing is proved here. *)
From Coq Require Import ZArith List Bool FMapPositive.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Checker.
Import ListNotations.
Open Scope Z_scope.

Definition is_held (h : holdings) (q i : Z) : bool := match held h q i with Some _ => true | None => false end.

(** Of every processor a list of at least m items that it wants and does not have. *)
Fixpoint all_lack (have want : holdings) (m : Z) (ps : list Z) (lacking : list (list Z)) : bool :=
  match ps with
  | [] => true
  | q :: ps =>
      match lacking with
      | [] => false
      | items :: lacking =>
          distinct items (set_of []) && (m <=? total (fun _ => 1) items) &&
          forallb (fun i => is_held want q i && negb (is_held have q i)) items &&
          all_lack have want m ps lacking
      end
  end.

(** Somebody sends m times and receives m times: if this takes no longer than m periods, all is near its place,
    and the reception number 0 has to keep clear of the send number d. *)
Definition check_overheads_bound (c : clock) (ps : list Z) (given_ wanted_ : list (Z * Z))
    (lacking : list (list Z)) (m d b : Z) : bool :=
  sane c && distinct ps (set_of []) && (0 <? total (fun _ => 1) ps) && (0 <=? d) && (d <? m) &&
  all_lack (held_at_start given_) (held_at_start wanted_) m ps lacking &&
  (b <=? delay_ c + (m - 1) * period c +
     Z.min (period c) (overhead_ c - Z.abs (latency_ c + overhead_ c - d * period c))).
