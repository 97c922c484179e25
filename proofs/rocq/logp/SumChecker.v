(** Checker of summations on LogP machines, in units as in [Checker]. Nothing is proved here. *)
From Coq Require Import ZArith QArith List Bool FMapPositive.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions Summation Checker.
Import ListNotations.
Open Scope Z_scope.

(** Additions in units: the processor, the start, the number of operands. *)
Record added := Added { by_ : Z; since : Z; many : Z }.
Definition addition_of (c : clock) (a : added) : addition := Addition (by_ a) (since a # unit_ c) (many a).
Definition summation_of (c : clock) (r : Z) (rows : list row) (adds : list added) : summation :=
  Summation r (map (message_of c) rows) (map (addition_of c) adds).

Definition additions_of (c : clock) (adds : list added) : list event :=
  map (fun a => Event (by_ a) (since a) (many a * Zpos (unit_ c))) adds.

Definition check_summation (c : clock) (ps : list Z) (r : Z) (rows : list row) (adds : list added) (t n : Z)
    : bool :=
  let known := set_of ps in
  let one := Zpos (unit_ c) in
  let when := of_list (map (fun x => (key (from x), at_ x)) rows) in
  let complete q time := if q =? r then time <=? t
    else match PositiveMap.find (key q) when with Some u => time <=? u | None => false end in
  sane c && member r known &&
  forallb (fun x => member (from x) known && member (to x) known && negb (from x =? to x) &&
    negb (from x =? r) &&
    (0 <=? at_ x) && complete (to x) (at_ x + delay_ c + one)) rows &&
  forallb (fun a => member (by_ a) known && (0 <=? since a) && (0 <? many a) &&
    complete (by_ a) (since a + many a * one)) adds &&
  distinct (map from rows) (set_of []) &&
  one_by_one (receptions_of c (gap_ c) rows) (PositiveMap.empty Z) &&
  one_by_one
    (merge (merge (sends_of (overhead_ c) rows) (receptions_of c (overhead_ c + one) rows))
      (additions_of c adds)) (PositiveMap.empty Z) &&
  (n =? 1 + total (fun _ => 1) rows + total many adds).

(** ** The bound *)

(** The machine on which the messages of a summation, backwards in time, are a broadcast: with each reception
    goes the addition of what is received. *)
Definition backwards (c : clock) : clock :=
  Clock (unit_ c) (delay_ c + Zpos (unit_ c)) 0 (Z.max (gap_ c) (overhead_ c + Zpos (unit_ c))).

(** The time that is left from the labels on until k. *)
Definition left_until (k : Z) (labels : list (Z * Z)) : Z :=
  total (fun ln => snd ln * Z.max 0 (k - fst ln)) labels.

(** The labels are those of as many nodes as there are processors, the root included. *)
Definition check_summation_bound (c : clock) (ps : list Z) (labels : list (Z * Z)) (t n : Z) : bool :=
  let b := backwards c in
  sane c && distinct ps (set_of []) &&
  match labels with
  | (l, k) :: rest =>
      (l =? 0) && (k =? 1) && complete (delay_ b) (period b) (total (fun _ => 1) ps) labels 1 0 rest &&
      (Zpos (unit_ c) + t + left_until (t - overhead_ c) rest <? (n + 1) * Zpos (unit_ c))
  | [] => false
  end.

(** A summation, and the bound of its time. *)
Definition check_most_operands (c : clock) (ps : list Z) (r : Z) (rows : list row) (adds : list added)
    (labels : list (Z * Z)) (t n : Z) : bool :=
  check_summation c ps r rows adds t n && check_summation_bound c ps labels t n.
