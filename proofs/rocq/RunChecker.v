(** The checker of finite runs: what is extracted and run. No proofs here. Tasks and operations count from 1.
*)
From Coq Require Import QArith List ZArith Bool FMapPositive.
From Exactsched Require Import Model Names Collectives Checker.
Import ListNotations.
Open Scope Z_scope.

(** A row: a task works for an operation from the first to the second tick.
Rows are listed in order of time: of
    two that share a resource the earlier one stands first, and what makes a state before what needs it. *)
Definition row := (positive * positive * Z * Z)%type.
Definition row_slot (x : row) : slot := let '(i, _, a, b) := x in (i, a, b).

(** Maps with two keys: the operation, and a state or a task. *)
Definition find2 {A} (o x : positive) (m : map_of (map_of A)) : option A :=
  match find o m with Some l => find x l | None => None end.
Definition put2 {A} (o x : positive) (v : A) (m : map_of (map_of A)) : map_of (map_of A) :=
  put o (put x v (match find o m with Some l => l | None => none end)) m.

(** Is the state there when a row starts? *)
Definition ready (known : map_of Z) (made : map_of (map_of Z)) (o : positive) (a : Z) (x : positive) : bool :=
  if member x known then true else match find2 o x made with Some t => t <=? a | None => false end.

(** [duration i o]: how long task i of operation o lasts. [worked]: for how many ticks the task has worked,
  and
    when its last row so far ends. [made]: when a state was made. *)
Section Causal.
Variable jobs : map_of job.
Variable duration : positive -> positive -> option Q.
Variable tick : Q.
Variable known : map_of Z.
Fixpoint causal (l : list row) (worked : map_of (map_of (Z * Z))) (made : map_of (map_of Z))
    : option (map_of (map_of Z)) :=
  match l with
  | [] => Some made
  | (i, o, a, b) :: l =>
    match find i jobs, duration i o with
    | Some k, Some d =>
      if forallb (ready known made o a) (job_needs k) then
        let (w, e) := match find2 o i worked with Some we => we | None => (0, 0) end in
        let w' := w + (b - a) in
        let e' := Z.max e b in
        let made' := if Qle_bool d (inject_Z w' * tick)
                     then match find2 o (job_makes k) made with
                       Some _ => made | None => put2 o (job_makes k) e' made end
                     else made in
        causal l (put2 o i (w', e') worked) made'
      else None
    | _, _ => None
    end
  end.
(** All operations from 1 to M have made what is wanted. *)
Definition all_made (made : map_of (map_of Z)) (wanted : list positive) (M : positive) : bool :=
  snd (Pos.iter (fun ob : positive * bool => let (o, b) := ob in
    (Pos.succ o, if b then forallb (fun x => if member x known then true
                   else match find2 o x made with Some _ => true | None => false end) wanted else false))
    (1%positive, true) M).
End Causal.

Record run := Run { run_tick : Q; rows : list row }.

(** The makespan, in ticks, of a run of M operations of a system whose tasks last as [duration] says. *)
Definition check_rows (S : system) (duration : positive -> positive ->
  option Q) (M : positive) (r : run) : option Z :=
  let n := number_states S in
  let jobs := array (map (job_of n) (tasks S)) in
  let known := mark n 0 (given S) none in
  let makespan := fold_left (fun t (x : row) => Z.max t (snd x)) (rows r) 0 in
  match slots_fit jobs makespan (map row_slot (rows r)) none none with
  | None => None
  | Some _ =>
    match causal jobs duration (run_tick r) known (rows r) none none with
    | None => None
    | Some made =>
      if (0 <? Qnum (run_tick r)) && all_made known made (map (number n) (wanted S)) M then
        Some makespan else None
    end
  end.

(** A run of M operations of a system: when it ends. *)
Definition check_system_run (S : system) (M : positive) (r : run) : option Q :=
  let lengths := array (map lasts (tasks S)) in
  match check_rows S (fun i _ => find i lengths) M r with
  | Some K => Some (inject_Z K * run_tick r)%Q
  | None => None
  end.

(** A run of M operations: the makespan, and the bound that no schedule ends before. *)
Definition least_time (M : positive) (U : Q) : Q := (inject_Z (Z.pos M) / U)%Q.
Definition check_run (q : problem) (M : positive) (r : run) (b : bound) : option (Q * Q) :=
  match check_system_run (system_of q) M r, check_bound q b with
  | Some K, Some U => if 0 <? Qnum U then Some (K, least_time M U) else None
  | _, _ => None
  end.

(** ** Packets *)

(** The bound: cuts for the sizes, cuts for the latencies, with the same order and prices.
Sizes are multiples of
    1 / [size_unit]. *)
Record packet_bound := PacketBound { size_cuts : cut_bound; startup_cuts : list cut; size_unit : positive }.
Definition size_ok (unit : positive) (z : Q) : bool :=
  (0 <? Qnum z) && (Z.pos unit mod Z.pos (Qden z) =? 0).
Definition scaled_size (unit : positive) (z : Q) : Z := Qnum z * (Z.pos unit / Z.pos (Qden z)).
Definition check_packet_bound (p : ports) (arcs : list (arc * Q)) (source : node) (targets : list node)
    (sizes : list Q) (b : packet_bound) : option Q :=
  let c := size_cuts b in
  let y := maps_of (cut_prices c) in
  let pos := positions 1 (order c) none in
  let holding := sweep (by_start (cuts c)) 1 (order c) [] none in
  let startup := sweep (by_start (startup_cuts b)) 1 (order c) [] none in
  let at_ := array (order c) in
  let marked := node_map targets in
  let Y := sum_of_prices (cut_prices c) in
  if prices_ok (cut_prices c) && negb (member (node_code source) pos)
     && forallb (cut_ok at_ marked pos targets) (cuts c)
     && forallb (cut_ok at_ marked pos targets) (startup_cuts b)
     && forallb (size_ok (size_unit b)) sizes
     && forallb (fun al : arc * Q => let (a, latency) := al in
          (0 <? Qnum (cost a)) && (0 <=? Qnum latency) && pays p y holding pos a (cost a)
          && pays p y startup pos a latency) arcs
     && (0 <? Y)
  then Some (inject_Z (sumZ (scaled_size (size_unit b)) sizes * sumZ weight (cuts c)
               + Z.of_nat (length sizes) * Z.pos (size_unit b) * sumZ weight (startup_cuts b))
             / inject_Z (Z.pos (size_unit b) * Y))%Q
  else None.

(** A row of an arc with a latency lasts as long as the whole task. *)
Definition whole_row (arcs : map_of (arc * Q)) (duration : positive -> positive ->
  option Q) (tick : Q) (x : row) : bool :=
  let '(i, o, a, b) := x in
  match find i arcs, duration i o with
  | Some (_, latency), Some d => if Qnum latency <=? 0 then true else Qle_bool d (inject_Z (b - a) * tick)
  | _, _ => false
  end.
Definition check_packet_run (p : ports) (arcs : list (arc * Q)) (source : node) (targets : list node) (sizes
  : list Q)
    (r : run) (b : packet_bound) : option (Q * Q) :=
  let size := array sizes in
  let late := array arcs in
  let duration := fun i o =>
    match find i late, find o size with
    | Some (a, latency), Some z => Some (latency + z * cost a)%Q
    | _, _ => None
    end in
  match check_rows (multicast p (map fst arcs) source targets) duration (Pos.of_nat (length sizes)) r,
        check_packet_bound p arcs source targets sizes b with
  | Some K, Some L =>
    if (0 <? Z.of_nat (length sizes)) && forallb (whole_row late duration (run_tick r)) (rows r)
    then Some (inject_Z K * run_tick r, L)%Q else None
  | _, _ => None
  end.
