(** The checker of allgather, one side at a time: cuts of every shard, or sets with potentials; paths with a
    periodic schedule, or with the rows of a run. Executable, no proofs. *)
From Coq Require Import QArith List ZArith Bool.
From Exactsched Require Import Model Names Collectives Checker RunChecker.
From Exactsched.allreduce Require Import Schemes Allgather AllgatherChecker ReducesChecker.
Import ListNotations.
Open Scope Z_scope.

(** Every shard enters cuts without its owner; the sum of size times weight, if the arcs can pay for them. *)
Fixpoint shards_worth (members : list node) (marked : map_of Z) (tolled : list (arc * Z))
    (shards : list (node * Q)) (l : list side) (s : Q) : option Q :=
  match shards, l with
  | [], [] => Some s
  | (v, d) :: shards, e :: l =>
    if (0 <? Qnum d) && side_ok members marked tolled (fun a => a) v e
    then shards_worth members marked tolled shards l (lowest (s + d * inject_Z (side_weight e))) else None
  | _, _ => None
  end.

(** The bound, which holds for switches that copy as well. *)
Definition check_shards_bound (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (y : price_list) (l : list side) : option Q :=
  if prices_ok y && forallb (fun a => 0 <? Qnum (cost a)) arcs && distinct none (map fst shards) then
    match shards_worth members (node_map members) (tolls p (maps_of y) arcs) shards l 0 with
    | Some W => if 0 <? Qnum W then Some (inject_Z (sum_of_prices y) / W)%Q else None
    | None => None
    end
  else None.

(** The bound for switches that only forward. *)
Definition check_forwarding_bound (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (b : set_bound) : option Q :=
  if forallb (fun a => 0 <? Qnum (cost a)) arcs && forallb (fun vd => 0 <? Qnum (snd vd)) shards
     && distinct none (map fst shards)
  then sets_rate p arcs members shards b else None.

(** The system of the paths of each shard, if these are paths. *)
Definition along_paths (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (paths : list (node * list (list positive))) : option system :=
  match all_routes (array arcs) (node_map members) paths none with
  | Some m => Some (forwarding p members shards (paths_in m))
  | None => None
  end.

(** The throughput and the constant of a periodic schedule in which switches only forward. *)
Definition check_shards_schedule (p : ports) (arcs : list arc) (members : list node)
    (shards : list (node * Q)) (paths : list (node * list (list positive))) (s : periodic) : option (Q * Q) :=
  match along_paths p arcs members shards paths with
  | Some sys => check_schedule sys s
  | None => None
  end.

(** When a run of M allgathers ends, and when none ends before, by a bound on the throughput. *)
Definition run_along (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (paths : list (node * list (list positive))) (M : positive) (r : run) (bound : option Q)
    : option (Q * Q) :=
  match along_paths p arcs members shards paths, bound with
  | Some sys, Some U =>
    match check_system_run sys M r with
    | Some K => if 0 <? Qnum U then Some (K, least_time M U) else None
    | None => None
    end
  | _, _ => None
  end.
Definition check_shards_run (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (paths : list (node * list (list positive))) (M : positive) (r : run) (y : price_list) (l : list side)
    : option (Q * Q) :=
  run_along p arcs members shards paths M r (check_shards_bound p arcs members shards y l).
Definition check_forwarding_run (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (paths : list (node * list (list positive))) (M : positive) (r : run) (b : set_bound) : option (Q * Q) :=
  run_along p arcs members shards paths M r (check_forwarding_bound p arcs members shards b).
