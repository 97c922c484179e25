(** Checkers of overlays, and of bounds on the throughput of all of them. Nothing is proved here. *)
From Coq Require Import ZArith QArith List Bool FMapPositive.
From Exactsched.rounds Require Import Counting Tables.
From Exactsched.overlay Require Import Definitions.
Import ListNotations.
Open Scope Z_scope.

(** ** Sets of pairs *)

Definition pairs := PositiveMap.t set.
Definition pair_in (u v : Z) (s : pairs) : bool :=
  match PositiveMap.find (key u) s with Some l => member v l | None => false end.
Definition add_pair (uv : Z * Z) (s : pairs) : pairs :=
  let l := match PositiveMap.find (key (fst uv)) s with Some l => l | None => PositiveMap.empty unit end in
  PositiveMap.add (key (fst uv)) (PositiveMap.add (key (snd uv)) tt l) s.
Definition pairs_of (l : list (Z * Z)) : pairs := fold_right add_pair (PositiveMap.empty set) l.

(** ** Overlays *)

(** What is known of a machine: all names, those of receivers, the pairs that are allowed. *)
Record known := Known { all_names : set; receivers : set; permitted : option pairs }.
Definition known_of (m : machine) : known :=
  Known (set_of (names (nodes m))) (set_of (names (others m)))
    (match only m with None => None | Some l => Some (pairs_of l) end).
Definition may_send (k : known) (u v : Z) : bool :=
  member u (all_names k) && member v (receivers k) && negb (u =? v) &&
  match permitted k with None => true | Some s => pair_in u v s end.

(** A tree whose arcs are listed from the source on: the sender has been reached, the receiver not yet. *)
Fixpoint grows (k : known) (reached : set) (t : list (Z * Z)) : option set :=
  match t with
  | [] => Some reached
  | (u, v) :: t =>
      if member u reached && negb (member v reached) && may_send k u v
      then grows k (PositiveMap.add (key v) tt reached) t else None
  end.
Definition check_tree (m : machine) (k : known) (t : list (Z * Z)) : bool :=
  match grows k (set_of [name (source m)]) t with
  | Some reached => forallb (fun i => member (name i) reached) (others m)
  | None => false
  end.

(** How many parts every node sends: a tree with the number of parts that are sent along it. *)
Definition add_to (u n : Z) (t : table) : table := PositiveMap.add (key u) (value t u + n) t.
Definition parts_sent (ts : list (Z * list (Z * Z))) : table :=
  fold_right (fun t tb => fold_right (fun a tb => add_to (fst a) (fst t) tb) tb (snd t))
    (PositiveMap.empty Z) ts.

Definition overlay_from (T : Q) (parts : Z) (ts : list (Z * list (Z * Z))) : overlay :=
  Overlay (map (fun t => (T * (inject_Z (fst t) / inject_Z parts), snd t)%Q) ts).

Definition check_overlay (m : machine) (T : Q) (parts : Z) (ts : list (Z * list (Z * Z))) : bool :=
  let k := known_of m in
  let sent := parts_sent ts in
  (0 <? parts) && distinct (names (others m)) (set_of []) && negb (member (name (source m)) (receivers k)) &&
  forallb (fun i => Qle_bool (inject_Z (value sent (name i)) * T) (inject_Z parts * bandwidth i)) (nodes m) &&
  forallb (fun i => match incoming i with Some r => Qle_bool T r | None => true end) (others m) &&
  match ts with
  | [] => Qeq_bool T 0
  | _ => negb (Qle_bool T 0) && (total fst ts =? parts) &&
      forallb (fun t => (0 <? fst t) && check_tree m k (snd t)) ts
  end.

(** The arcs on which anything is sent, each once; and, of an acyclic overlay, heights that grow along
    them. *)
Definition check_degrees (m : machine) (ts : list (Z * list (Z * Z))) (arcs : list (Z * Z)) : bool :=
  let used := pairs_of arcs in
  let number := fold_right (fun a tb => add_to (fst a) 1 tb) (PositiveMap.empty Z) arcs in
  forallb (fun t => forallb (fun a => pair_in (fst a) (snd a) used) (snd t)) ts &&
  forallb (fun i => value number (name i) <=? degree i) (nodes m).
Definition check_structure (s : structure) (arcs : list (Z * Z)) (heights : list (Z * Z)) : bool :=
  match s with
  | any => true
  | acyclic => let h := table_of heights in forallb (fun a => value h (fst a) <? value h (snd a)) arcs
  | tree => distinct (map snd arcs) (set_of [])
  end.

Definition check_reached (m : machine) (s : structure) (T : Q) (parts : Z) (ts : list (Z * list (Z * Z)))
    (arcs : list (Z * Z)) (heights : list (Z * Z)) : bool :=
  check_overlay m T parts ts && check_degrees m ts arcs && check_structure s arcs heights.

(** ** Bounds by counting *)

(** Why nothing is faster: the source's bandwidth or degree, what a node can receive; all nodes together, of
    which those of a set are counted with their bandwidths and the others with their degrees; the same for
    acyclic overlays, in which some receiver sends nothing, at best one with the least bandwidth or degree;
    the numbers of children in trees. *)
Inductive reason :=
  | by_source
  | by_no_degree
  | by_receiver (i : Z)
  | by_all (full : list Z)
  | by_acyclic (full full' : list Z) (least_bandwidth : Q) (least_degree : Z)
  | by_children.

Definition number_of {A} (l : list A) : Z := total (fun _ => 1) l.
(** The degrees, or the numbers of allowed arcs if these are less. *)
Definition real_degrees (m : machine) : list (node * Z) :=
  match only m with
  | None => map (fun i => (i, degree i)) (nodes m)
  | Some l =>
      let number := fold_right (fun a tb => add_to (fst a) 1 tb) (PositiveMap.empty Z) l in
      map (fun i => (i, Z.min (degree i) (value number (name i)))) (nodes m)
  end.

(** In lowest terms. *)
Definition lowest (x : Q) : Q :=
  let g := Z.gcd (Qnum x) (Zpos (Qden x)) in Qmake (Qnum x / g) (Z.to_pos (Zpos (Qden x) / g)).
Fixpoint qsum (l : list Q) : Q := match l with [] => 0%Q | x :: l => lowest (x + qsum l) end.
Definition full_bandwidths (full : set) (l : list (node * Z)) : Q :=
  qsum (map (fun id => if member (name (fst id)) full then bandwidth (fst id) else 0%Q) l).
Definition other_degrees (full : set) (l : list (node * Z)) : Z :=
  total (fun id => if member (name (fst id)) full then 0 else snd id) l.

(** The most children at a rate above T. *)
Definition children (T : Q) (id : node * Z) : Z :=
  let b := bandwidth (fst id) in
  if Qle_bool b 0 then 0
  else if Qnum T <=? 0 then snd id
  else Z.min (snd id) ((Qnum b * Zpos (Qden T) - 1) / (Qnum T * Zpos (Qden b))).

Definition proves (m : machine) (s : structure) (T : Q) (why : reason) : bool :=
  let ids := real_degrees m in
  let n := number_of (others m) in
  distinct (names (nodes m)) (set_of []) && (0 <? n) && Qle_bool 0 T &&
  match why with
  | by_source => Qle_bool (bandwidth (source m)) T
  | by_no_degree => match ids with (_, d) :: _ => d <=? 0 | [] => false end
  | by_receiver i =>
      existsb (fun v => (name v =? i) &&
        match incoming v with Some r => Qle_bool r T | None => false end) (others m)
  | by_all full =>
      let chosen := set_of full in
      let slope := n - other_degrees chosen ids in
      (0 <? slope) && Qle_bool (full_bandwidths chosen ids) (inject_Z slope * T)
  | by_acyclic full full' b d =>
      let s1 := set_of full in
      let s2 := set_of full' in
      let slope1 := n - other_degrees s1 ids in
      let slope2 := n + d - other_degrees s2 ids in
      match s with acyclic => true | _ => false end && (0 <=? d) &&
      forallb (fun id => (name (fst id) =? name (source m)) ||
        Qle_bool b (bandwidth (fst id)) && (d <=? snd id)) ids &&
      (0 <? slope1) && Qle_bool (full_bandwidths s1 ids - b) (inject_Z slope1 * T) &&
      (0 <? slope2) && Qle_bool (full_bandwidths s2 ids) (inject_Z slope2 * T)
  | by_children => match s with tree => total (children T) ids <? n | _ => false end
  end.
