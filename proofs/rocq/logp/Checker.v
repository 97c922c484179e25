(** Checkers of schedules of items on LogP machines, and of lower bounds on all of them. Times are whole
    numbers of units, of which there are [unit_] in a unit of time. Nothing is proved here. *)
From Coq Require Import ZArith QArith List Bool FMapPositive.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.logp Require Import Definitions.
Import ListNotations.
Open Scope Z_scope.

(** The machine in units. *)
Record clock := Clock { unit_ : positive; latency_ : Z; overhead_ : Z; gap_ : Z }.
Definition machine_of (c : clock) (ps : list Z) : machine :=
  Machine (latency_ c # unit_ c) (overhead_ c # unit_ c) (gap_ c # unit_ c) ps.
Definition delay_ (c : clock) : Z := latency_ c + 2 * overhead_ c.
Definition period (c : clock) : Z := Z.max (gap_ c) (overhead_ c).
Definition sane (c : clock) : bool := (0 <? latency_ c) && (0 <=? overhead_ c) && (0 <? gap_ c).

(** A message in units: sender, receiver, item, start. *)
Record row := Row { from : Z; to : Z; what : Z; at_ : Z }.
Definition message_of (c : clock) (r : row) : message := Message (from r) (to r) (what r) (at_ r # unit_ c).

(** ** Schedules; rows are in the order of their starts *)

Definition holdings := PositiveMap.t table.
Definition held (h : holdings) (q i : Z) : option Z :=
  match PositiveMap.find (key q) h with Some t => PositiveMap.find (key i) t | None => None end.
(** The earliest time remains. *)
Definition hold (h : holdings) (q i time : Z) : holdings :=
  let t := match PositiveMap.find (key q) h with Some t => t | None => PositiveMap.empty Z end in
  match PositiveMap.find (key i) t with
  | Some _ => h
  | None => PositiveMap.add (key q) (PositiveMap.add (key i) time t) h
  end.
Definition held_at_start (l : list (Z * Z)) : holdings :=
  fold_right (fun qi h => hold h (fst qi) (snd qi) 0) (PositiveMap.empty table) l.

(** Every sender has its item when it starts. *)
Fixpoint flows (c : clock) (known : set) (rows : list row) (h : holdings) : option holdings :=
  match rows with
  | [] => Some h
  | r :: rows =>
      if member (from r) known && member (to r) known && negb (from r =? to r) && (0 <=? at_ r) &&
        match held h (from r) (what r) with Some t => t <=? at_ r | None => false end
      then flows c known rows (hold h (to r) (what r) (at_ r + delay_ c)) else None
  end.

(** What a processor does, for how long, from a time on. *)
Record event := Event { whose : Z; begins : Z; lasts : Z }.

(** The events of each processor follow each other. *)
Fixpoint one_by_one (events : list event) (free : table) : bool :=
  match events with
  | [] => true
  | e :: events =>
      match PositiveMap.find (key (whose e)) free with Some t => t <=? begins e | None => true end &&
      one_by_one events (PositiveMap.add (key (whose e)) (begins e + lasts e) free)
  end.

(** Two lists of events as one, in order if they are; as many steps as both have events. *)
Fixpoint merge_upto (steps l l' : list event) : list event :=
  match steps with
  | [] => l ++ l'
  | _ :: steps =>
      match l, l' with
      | [], _ => l'
      | _, [] => l
      | e :: l0, e' :: l0' =>
          if begins e <=? begins e' then e :: merge_upto steps l0 l' else e' :: merge_upto steps l l0'
      end
  end.
Definition merge (l l' : list event) : list event := merge_upto (l ++ l') l l'.

Definition sends_of (width : Z) (rows : list row) : list event :=
  map (fun r => Event (from r) (at_ r) width) rows.
Definition receptions_of (c : clock) (width : Z) (rows : list row) : list event :=
  map (fun r => Event (to r) (at_ r + overhead_ c + latency_ c) width) rows.

Definition check_schedule (c : clock) (ps : list Z) (given_ wanted_ : list (Z * Z)) (rows : list row) (t : Z)
    : bool :=
  sane c &&
  match flows c (set_of ps) rows (held_at_start given_) with
  | Some h =>
      forallb (fun qi => match held h (fst qi) (snd qi) with Some u => u <=? t | None => false end) wanted_
  | None => false
  end &&
  one_by_one (sends_of (gap_ c) rows) (PositiveMap.empty Z) &&
  one_by_one (receptions_of c (gap_ c) rows) (PositiveMap.empty Z) &&
  one_by_one (merge (sends_of (overhead_ c) rows) (receptions_of c (overhead_ c) rows)) (PositiveMap.empty Z).

(** ** The bound for the items of one source *)

(** The least labels of the universal tree, increasing, each with the number of nodes that have it. By the
    time [s] a node with the label l has sent (s - l) / period + 1 times, if it has been reached. *)
Fixpoint sent_by (g s : Z) (labels : list (Z * Z)) : Z :=
  match labels with
  | [] => 0
  | (l, n) :: labels => if l <=? s then n * ((s - l) / g + 1) + sent_by g s labels else 0
  end.

(** The tree is complete: before the next label no more nodes can have been reached than those before it. *)
Fixpoint complete (d g others : Z) (all : list (Z * Z)) (so_far last : Z) (rest : list (Z * Z)) : bool :=
  match rest with
  | [] => others <=? so_far
  | (l, n) :: rest =>
      (last <? l) && (0 <? n) && (1 + sent_by g (l - 1 - d) all <=? so_far) &&
      complete d g others all (so_far + n) l rest
  end.

(** The items do not reach everybody before the bound: by then too few messages have been sent. *)
Definition check_broadcast_bound (c : clock) (ps : list Z) (source : Z) (items : list Z)
    (labels : list (Z * Z)) (b : Z) : bool :=
  let others := total (fun q => if q =? source then 0 else 1) ps in
  let s := b - delay_ c in
  sane c && distinct ps (set_of []) && distinct items (set_of []) &&
  ((b <=? 0) ||
   match labels with
   | (l, n) :: rest =>
       (l =? 0) && (n =? 1) && complete (delay_ c) (period c) others labels 1 0 rest &&
       (0 <? others) && (0 <? total (fun _ => 1) items) &&
       (sent_by (period c) (s - 1) labels <? others * total (fun _ => 1) items)
   | [] => false
   end).

(** ** The bound for the receptions of one processor *)

(** A processor wants this many items that it does not have. *)
Definition check_receptions_bound (c : clock) (given_ wanted_ : list (Z * Z)) (q : Z) (items : list Z) (b : Z)
    : bool :=
  let have := set_of (map snd (filter (fun qi => fst qi =? q) given_)) in
  let want := set_of (map snd (filter (fun qi => fst qi =? q) wanted_)) in
  sane c && distinct items (set_of []) && forallb (fun i => member i want && negb (member i have)) items &&
  (0 <? total (fun _ => 1) items) && (b <=? delay_ c + (total (fun _ => 1) items - 1) * period c).
