(** The checker: what is extracted and run. No proofs here. Numbers of tasks and places in an order count from
    1; times of slots are whole numbers of ticks, prices and weights whole numbers of one common unit. *)
From Coq Require Import QArith List ZArith Bool FMapPositive.
From Exactsched Require Import Model Names Collectives.
Import ListNotations.
Open Scope Z_scope.

(** ** Maps and sums *)
Definition map_of := PositiveMap.t.
Definition find {A} (p : positive) (m : map_of A) : option A := PositiveMap.find p m.
Definition put {A} (p : positive) (x : A) (m : map_of A) : map_of A := PositiveMap.add p x m.
Definition none {A} : map_of A := PositiveMap.empty A.
Definition or_zero (o : option Z) : Z := match o with Some z => z | None => 0 end.
Definition value (p : positive) (m : map_of Z) : Z := or_zero (find p m).
Definition add_to (p : positive) (v : Z) (m : map_of Z) : map_of Z := put p (value p m + v) m.
Definition member (p : positive) (m : map_of Z) : bool := match find p m with
  Some _ => true | None => false end.
Definition sumZ {A} (f : A -> Z) (l : list A) : Z := fold_left (fun s x => s + f x) l 0.

(** The entries of a list under 1, 2, 3 and so on. *)
Fixpoint array_from {A} (p : positive) (l : list A) (m : map_of A) : map_of A :=
  match l with [] => m | x :: l => array_from (Pos.succ p) l (put p x m) end.
Definition array {A} (l : list A) : map_of A := array_from 1 l none.

(** ** States get small numbers *)
Record numbering := Numbering { numbers : map_of positive; fresh : positive }.
Definition give_number (n : numbering) (x : state) : numbering :=
  let c := state_code x in
  match find c (numbers n) with
  | Some _ => n
  | None => Numbering (put c (fresh n) (numbers n)) (Pos.succ (fresh n))
  end.
Definition number (n : numbering) (x : state) : positive :=
  match find (state_code x) (numbers n) with Some p => p | None => 1%positive end.
Definition number_task (n : numbering) (k : task) : numbering :=
  fold_left give_number (needs k) (give_number n (makes k)).
Definition number_states (S : system) : numbering :=
  fold_left number_task (tasks S)
    (fold_left give_number (wanted S) (fold_left give_number (given S) (Numbering none 1))).

(** A task with numbers instead of names. *)
Record job := Job { job_uses : list positive; job_needs : list positive; job_makes : positive }.
Definition job_of (n : numbering) (k : task) : job :=
  Job (map resource_code (uses k)) (map (number n) (needs k)) (number n (makes k)).

(** ** Structures *)

(** A structure: how many operations of a period it carries out, and its tasks,
  each after those that make what
    it needs. A part: the states that its structures make, and the structures. *)
Definition structure := (Z * list positive)%type.
Definition part := (list state * list structure)%type.

(** The level of what is needed; and the levels of all states when the tasks of a structure have been done. *)
Fixpoint highest (known : map_of Z) (l : list positive) (h : Z) : option Z :=
  match l with
  | [] => Some h
  | x :: l => match find x known with Some d => highest known l (Z.max h d) | None => None end
  end.
Fixpoint grow (jobs : map_of job) (l : list positive) (known : map_of Z) (top : Z) : option (map_of Z * Z) :=
  match l with
  | [] => Some (known, top)
  | i :: l =>
    match find i jobs with
    | None => None
    | Some k =>
      match highest known (job_needs k) 0 with
      | None => None
      | Some h => if member (job_makes k) known then None
                  else grow jobs l (put (job_makes k) (h + 1) known) (Z.max top (h + 1))
      end
    end
  end.

(** The largest level of the structures of a part; of all parts. Every part has the same number of operations.
*)
Fixpoint part_height (jobs : map_of job) (known : map_of Z) (targets : list positive) (l : list structure)
  (top : Z)
    : option Z :=
  match l with
  | [] => Some top
  | (w, tasks) :: l =>
    if 0 <=? w then
      match grow jobs tasks known top with
      | Some (made, h) =>
          if forallb (fun x => member x made) targets then part_height jobs known targets l h else None
      | None => None
      end
    else None
  end.
Fixpoint parts_height (n : numbering) (jobs : map_of job) (known : map_of Z) (B : Z) (l : list part) (top : Z)
    : option Z :=
  match l with
  | [] => Some top
  | (targets, structures) :: l =>
    if sumZ fst structures =? B then
      match part_height jobs known (map (number n) targets) structures top with
      | Some h => parts_height n jobs known B l h
      | None => None
      end
    else None
  end.
Definition mark (n : numbering) (h : Z) (l : list state) (m : map_of Z) : map_of Z :=
  fold_left (fun m x => put (number n x) h m) l m.

(** How many operations of a period need each task. *)
Definition add_structure (m : map_of Z) (t : structure) : map_of Z :=
  fold_left (fun m i => add_to i (fst t) m) (snd t) m.
Definition sent (parts : list part) : map_of Z :=
  fold_left (fun m (q : part) => fold_left add_structure (snd q) m) parts none.

(** ** Slots *)

(** A slot: a task works from the first to the second tick of the period.
Slots that share a resource are listed
    in order of time. [free]: when each resource is free again; the result: how long each task works. *)
Definition slot := (positive * Z * Z)%type.
Fixpoint slots_fit (jobs : map_of job) (period : Z) (l : list slot) (free lasted : map_of Z) : option (map_of
  Z) :=
  match l with
  | [] => Some lasted
  | (i, a, b) :: l =>
    match find i jobs with
    | None => None
    | Some k =>
      if (0 <=? a) && (a <? b) && (b <=? period) && forallb (fun r => value r free <=? a) (job_uses k)
      then slots_fit jobs period l (fold_left (fun m r => put r b m) (job_uses k) free) (add_to i (b - a)
        lasted)
      else None
    end
  end.

(** Every task takes some time, and its slots last long enough for the operations that need it. *)
Fixpoint long_enough (tick : Q) (needed lasted : map_of Z) (p : positive) (l : list task) : bool :=
  match l with
  | [] => true
  | k :: l =>
    if (0 <? Qnum (lasts k)) &&
       (Qnum (lasts k) * value p needed * Z.pos (Qden tick)
          <=? value p lasted * Qnum tick * Z.pos (Qden (lasts k)))
    then long_enough tick needed lasted (Pos.succ p) l else false
  end.

Record periodic := Periodic { period : Q; tick : Q; parts : list part; slots : list slot }.

(** The throughput that is reached and the constant, if this is a periodic schedule of the system. *)
Definition check_schedule (S : system) (s : periodic) : option (Q * Q) :=
  let n := number_states S in
  let jobs := array (map (job_of n) (tasks S)) in
  let B := match parts s with (_, l) :: _ => sumZ fst l | [] => 0 end in
  let known := mark n 0 (given S) none in
  let targets := fold_left (fun m (q : part) => mark n 0 (fst q) m) (parts s) known in
  if (0 <? Qnum (tick s)) && (0 <? Qnum (period s)) && (0 <? B)
     && forallb (fun x => member (number n x) targets) (wanted S)
  then
    match parts_height n jobs known B (parts s) 0 with
    | None => None
    | Some H =>
      let ticks := (Qnum (period s) * Z.pos (Qden (tick s))) / (Z.pos (Qden (period s)) * Qnum (tick s)) in
      match slots_fit jobs ticks (slots s) none none with
      | None => None
      | Some lasted =>
        if long_enough (tick s) (sent (parts s)) lasted 1 (tasks S)
        then Some (inject_Z B / period s, inject_Z H * period s)%Q else None
      end
    end
  else None.

(** ** Prices *)
Record price_list := PriceList { resource_prices : list (resource * Z);
  odd_prices : list (list resource * Z) }.
Definition price_map (l : list (resource * Z)) : map_of Z :=
  fold_left (fun m (ry : resource * Z) => put (resource_code (fst ry)) (snd ry) m) l none.
Definition odd_map (Ry : list resource * Z) : map_of Z * Z :=
  (fold_left (fun m r => put (resource_code r) 0 m) (fst Ry) none, snd Ry).
Record price_maps := PriceMaps { prices_of : map_of Z; odds_of : list (map_of Z * Z) }.
Definition maps_of (y : price_list) : price_maps :=
  PriceMaps (price_map (resource_prices y)) (map odd_map (odd_prices y)).
Definition prices_ok (y : price_list) : bool :=
  forallb (fun ry : resource * Z => 0 <=? snd ry) (resource_prices y)
  && forallb (fun Ry : list resource * Z => 0 <=? snd Ry) (odd_prices y).
(** The sum of the prices: an odd set counts as often as tasks inside it can work at once. *)
Definition sum_of_prices (y : price_list) : Z :=
  sumZ snd (resource_prices y) + sumZ (fun Ry => Z.of_nat (length (fst Ry)) / 2 * snd Ry) (odd_prices y).
(** What a task with these resources pays for each time unit. *)
Definition rate_of_two (m : price_maps) (r s : resource) : Z :=
  let c := resource_code r in let d := resource_code s in
  if (c =? d)%positive then value c (prices_of m)
  else value c (prices_of m) + value d (prices_of m)
       + sumZ (fun oy : map_of Z * Z => if member c (fst oy) then if member d (fst oy) then
           snd oy else 0 else 0)
           (odds_of m).
Definition rate (m : price_maps) (l : list resource) : Z :=
  match l with
  | r :: s :: _ => rate_of_two m r s
  | [r] => value (resource_code r) (prices_of m)
  | [] => 0
  end.

(** ** The bound by cuts *)

(** A cut: the nodes number [start] to [stop - 1] of an order of nodes, and its weight. *)
Definition cut := (Z * Z * Z)%type.
Definition holds (c : cut) (p : Z) : bool := let '(b, e, _) := c in (b <=? p) && (p <? e).
Definition weight (c : cut) : Z := snd c.
Definition begins (c : cut) : Z := fst (fst c).
Definition ends (c : cut) : Z := snd (fst c).

(** The cuts by their start; and for each position of the order the cuts that hold it. *)
Definition bucket (m : map_of (list cut)) (p : positive) : list cut := match find p m with
  Some l => l | None => [] end.
Definition by_start (cuts : list cut) : map_of (list cut) :=
  fold_left (fun m c => let p := Z.to_pos (begins c) in put p (c :: bucket m p) m) cuts none.
Fixpoint sweep (starts : map_of (list cut)) (p : positive) (l : list node) (open : list cut)
    (m : map_of (list cut)) : map_of (list cut) :=
  match l with
  | [] => m
  | v :: l =>
    let here := fold_left (fun h c => c :: h) (bucket starts p) (filter (fun c => Z.pos p <? ends c) open) in
    sweep starts (Pos.succ p) l here (put (node_code v) here m)
  end.
Fixpoint positions (p : Z) (l : list node) (m : map_of Z) : map_of Z :=
  match l with [] => m | v :: l => positions (p + 1) l (put (node_code v) p m) end.

(** The weight of the cuts that an arc enters. *)
Definition entered_weight (holding : map_of (list cut)) (pos : map_of Z) (a : arc) : Z :=
  match find (node_code (head a)) holding with
  | None => 0
  | Some l => match find (node_code (tail a)) pos with
    | None => sumZ weight l
    | Some q => sumZ (fun c => if holds c q then 0 else weight c) l
    end
  end.

(** Every arc can pay for the cuts that it enters with a given time and its prices. *)
Definition pays (p : ports) (m : price_maps) (holding : map_of (list cut)) (pos : map_of Z) (a : arc) (time :
  Q) : bool :=
  let w := entered_weight holding pos a in
  if w =? 0 then true else w * Z.pos (Qden time) <=? Qnum time * rate m (arc_uses p a).

(** Each cut holds a target; for speed the first node of the cut is looked at first. *)
Definition in_cut (pos : map_of Z) (c : cut) (v : node) : bool :=
  match find (node_code v) pos with Some q => holds c q | None => false end.
Definition cut_ok (order : map_of node) (targets pos : map_of Z) (target_list : list node) (c : cut) : bool :=
  (0 <=? weight c) && (1 <=? begins c) &&
  match find (Z.to_pos (begins c)) order with
  | None => false
  | Some v => if member (node_code v) targets && in_cut pos c v then true
              else existsb (in_cut pos c) target_list
  end.
Definition node_map (l : list node) : map_of Z := fold_left (fun m v => put (node_code v) 0 m) l none.

Definition quotient (Y W : Z) : option Q := if 0 <? W then Some (inject_Z Y / inject_Z W)%Q else None.

Record cut_bound := CutBound { cut_prices : price_list; order : list node; cuts : list cut }.
Definition check_cuts (p : ports) (arcs : list arc) (source : node) (targets : list node) (b : cut_bound) :
  option Q :=
  let y := maps_of (cut_prices b) in
  let pos := positions 1 (order b) none in
  let holding := sweep (by_start (cuts b)) 1 (order b) [] none in
  if prices_ok (cut_prices b) && negb (member (node_code source) pos)
     && forallb (cut_ok (array (order b)) (node_map targets) pos targets) (cuts b)
     && forallb (fun a => (0 <? Qnum (cost a)) && pays p y holding pos a (cost a)) arcs
  then quotient (sum_of_prices (cut_prices b)) (sumZ weight (cuts b)) else None.

(** ** The bound by distances *)

(** For each source how far its messages go to every node: numbers that grow along an arc by at most its cost
    times its prices. Sizes are multiples of 1 / [unit_of_size]. *)
Record distance_bound := DistanceBound {
  distance_prices : price_list; unit_of_size : positive; distances : list (node * list (node * Z)) }.
Definition row_map (l : list (node * Z)) : map_of Z :=
  fold_left (fun m (vx : node * Z) => put (node_code (fst vx)) (snd vx) m) l none.
Definition row_ok (rated : list (arc * Z)) (sr : node * map_of Z) : bool :=
  (value (node_code (fst sr)) (snd sr) <=? 0)
  && forallb (fun ar : arc * Z => let (a, r) := ar in
       (value (node_code (head a)) (snd sr) - value (node_code (tail a)) (snd sr)) * Z.pos (Qden (cost a))
         <=? Qnum (cost a) * r) rated.
Definition demand_ok (unit : positive) (rows : map_of (map_of Z)) (d : demand) : bool :=
  (0 <? Qnum (amount d)) && (Z.pos unit mod Z.pos (Qden (amount d)) =? 0)
  && match find (node_code (from d)) rows with Some _ => true | None => false end.
Definition demand_value (unit : positive) (rows : map_of (map_of Z)) (d : demand) : Z :=
  match find (node_code (from d)) rows with
  | Some r => Qnum (amount d) * (Z.pos unit / Z.pos (Qden (amount d))) * value (node_code (to d)) r
  | None => 0
  end.
Definition check_distances (p : ports) (arcs : list arc) (demands : list demand) (b : distance_bound) :
  option Q :=
  let y := maps_of (distance_prices b) in
  let rows := map (fun sr : node * list (node * Z) => (fst sr, row_map (snd sr))) (distances b) in
  let by_source := fold_left (fun m (sr : node * map_of Z) => put (node_code (fst sr)) (snd sr) m) rows none
    in
  let rated := map (fun a => (a, rate y (arc_uses p a))) arcs in
  if prices_ok (distance_prices b)
     && forallb (fun a => 0 <? Qnum (cost a)) arcs
     && forallb (row_ok rated) rows
     && forallb (demand_ok (unit_of_size b) by_source) demands
  then quotient (sum_of_prices (distance_prices b) * Z.pos (unit_of_size b))
         (sumZ (demand_value (unit_of_size b) by_source) demands)
  else None.

(** ** The bound by potentials *)

(** For each state one number for each goal, in the order of the wanted states; 0 if it is missing. *)
Record potential_bound := PotentialBound { potential_prices : price_list;
  potentials : list (state * list Z) }.
Fixpoint entry (i : Z) (l : list Z) : Z :=
  match l with [] => 0 | x :: l => if i =? 0 then x else entry (i - 1) l end.
Fixpoint minus (l l' : list Z) : list Z :=
  match l, l' with
  | [], _ => map Z.opp l'
  | _, [] => l
  | x :: l, x' :: l' => (x - x') :: minus l l'
  end.
Definition vector (m : map_of (list Z)) (x : state) : list Z :=
  match find (state_code x) m with Some l => l | None => [] end.
Definition gain (m : map_of (list Z)) (k : task) : Z :=
  sumZ (Z.max 0) (fold_left (fun l x => minus l (vector m x)) (needs k) (vector m (makes k))).
(** A task needs the item that it makes, or the two halves of an interval. *)
Definition fits (k : task) : bool :=
  match what (makes k) with Message _ => true | Values a b => a <=? b end &&
  match needs k with
  | [x] => item_eqb (what x) (what (makes k))
  | [x; y] =>
    match what x, what y, what (makes k) with
    | Values a b, Values c d, Values e f =>
        (a =? e) && (b + 1 =? c) && (d =? f) && (a <=? b) && (c <=? d)
    | _, _, _ => false
    end
  | _ => false
  end.
Fixpoint goal_values (m : map_of (list Z)) (i : Z) (l : list state) (s : Z) : Z :=
  match l with [] => s | x :: l => goal_values m (i + 1) l (s + entry i (vector m x)) end.
Definition check_potentials (S : system) (b : potential_bound) : option Q :=
  let y := maps_of (potential_prices b) in
  let m := fold_left (fun m (xl : state * list Z) => put (state_code (fst xl)) (snd xl) m) (potentials b)
    none in
  if prices_ok (potential_prices b)
     && forallb (fun x => forallb (fun p => p <=? 0) (vector m x)) (given S)
     && forallb (fun k => (0 <? Qnum (lasts k)) && fits k
          && (gain m k * Z.pos (Qden (lasts k)) <=? Qnum (lasts k) * rate y (uses k))) (tasks S)
  then quotient (sum_of_prices (potential_prices b)) (goal_values m 0 (wanted S) 0) else None.

(** ** Problems *)

(** [Reduction] has the size of [Values k m] in a list; if it is not there, it is [usual]. *)
Inductive problem :=
| Multicast (p : ports) (arcs : list arc) (source : node) (targets : list node)
| Alltoall (p : ports) (arcs : list arc) (demands : list demand)
| Reduction (p : ports) (arcs : list arc) (usual : Q) (sizes : list (Z * Z * Q)) (steps : list step)
    (owners : list node) (goals : list (Z * Z * node)).
Definition size_in (usual : Q) (sizes : list (Z * Z * Q)) (k m : Z) : Q :=
  match List.find (fun r => (fst (fst r) =? k) && (snd (fst r) =? m)) sizes with
    Some r => snd r | None => usual end.
Definition system_of (q : problem) : system :=
  match q with
  | Multicast p arcs source targets => multicast p arcs source targets
  | Alltoall p arcs demands => alltoall p arcs demands
  | Reduction p arcs usual sizes steps owners goals =>
      reduction p arcs (size_in usual sizes) steps owners goals
  end.

Inductive bound := ByCuts (b : cut_bound) | ByDistances (b : distance_bound) | ByPotentials (b :
  potential_bound).

(** The bound that is proved, if it is one. *)
Definition check_bound (q : problem) (b : bound) : option Q :=
  match q, b with
  | Multicast p arcs source targets, ByCuts b => check_cuts p arcs source targets b
  | Alltoall p arcs demands, ByDistances b => check_distances p arcs demands b
  | _, ByPotentials b => check_potentials (system_of q) b
  | _, _ => None
  end.

(** The throughput and the constant of the schedule, and the bound. *)
Definition check_both (q : problem) (s : periodic) (b : bound) : option (Q * Q * Q) :=
  match check_schedule (system_of q) s, check_bound q b with
  | Some (T, C), Some U => Some (T, C, U)
  | _, _ => None
  end.

(** The throughput and the constant, if the schedule reaches what the bound says. *)
Definition check (q : problem) (s : periodic) (b : bound) : option (Q * Q) :=
  match check_both q s b with
  | Some (T, C, U) => if Qeq_bool U T then Some (T, C) else None
  | None => None
  end.
