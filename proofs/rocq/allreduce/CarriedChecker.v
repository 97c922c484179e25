(** The checker of order-free reductions over switches: prices with cuts of the group and how far its members
    are from each other; trees of paths, a periodic schedule or the rows of a run. Executable, no proofs. *)
From Coq Require Import QArith List ZArith Bool.
From Exactsched Require Import Model Names Collectives Checker RunChecker.
From Exactsched.allreduce Require Import OrderFree Schemes ReducesChecker Allgather AllgatherChecker Carried.
Import ListNotations.
Open Scope Z_scope.

(** ** The bound *)

(** How far it is from member u at least, in parts of 1 / unit of a toll: along an arc out of u, or out of a
    node that is not a member, it grows by at most the toll. *)
Definition arc_near (unit : positive) (members : map_of Z) (u : node) (row : map_of Z) (tolled : arc * Z)
    : bool :=
  let (a, z) := tolled in
  let grows x := (value (node_code (head a)) row - x) * Z.pos (Qden (cost a)) <=? Z.pos unit * z in
  if tail a =? u then grows 0
  else if in_map members (tail a) then true else grows (value (node_code (tail a)) row).
(** The links from u to all members. *)
Fixpoint links_of (unit : positive) (members : list node) (marked : map_of Z) (tolled : list (arc * Z))
    (starts : list node) (rows : list (list (node * Z))) : option (list (arc * Z)) :=
  match starts, rows with
  | [], [] => Some []
  | u :: starts, r :: rows =>
    let row := row_map r in
    if forallb (fun v => 0 <=? value (node_code v) row) members
       && forallb (arc_near unit marked u row) tolled then
      match links_of unit members marked tolled starts rows with
      | Some l => Some (map (fun v => (Arc u v (1 # unit), value (node_code v) row)) members ++ l)
      | None => None
      end
    else None
  | _, _ => None
  end.
Definition check_carried_worth (p : ports) (members : list node) (arcs : list arc) (blocks : list block)
    (y : price_list) (unit : positive) (rows : list (list (node * Z))) (l : list evidence) : option Q :=
  let marked := node_map members in
  if prices_ok y && forallb (fun a => 0 <? Qnum (cost a)) arcs then
    match links_of unit members marked (tolls p (maps_of y) arcs) members rows with
    | Some links =>
      match total_worth members marked links blocks l 0 with
      | Some W => if 0 <? Qnum W then Some (inject_Z (sum_of_prices y) / W)%Q else None
      | None => None
      end
    | None => None
    end
  else None.

(** ** Schedules *)

(** The tasks of a call along its path: on the first arc it waits for what its task needs where it starts, on
    the last one for what its task needs where it ends; then what its task makes is there. *)
Fixpoint tour (p : ports) (d : Q) (c h : nat) (first last : list state) (x : state) (l : list arc) : list task :=
  match l with
  | [] => []
  | a :: l' =>
    Task (arc_uses p a) (d * cost a)%Q
      (match h with 0%nat => first | S _ => [halt c h (tail a)] end ++ match l' with [] => last | _ => [] end)
      (match l' with [] => x | _ => halt c (S h) (head a) end)
    :: tour p d c (S h) first last x l'
  end.
Definition needed_at (v : node) (k : task) : list state := filter (fun x => place x =? v) (needs k).
(** A call of Schemes.v, over a link as an arc of cost 1, with the path that the link stands for. *)
Definition led := (entry * list arc)%type.
Definition tour_of (p : ports) (c : nat) (e : led) : list task :=
  let '(_, _, k, l) := e in
  tour p (lasts k) c 0 (needed_at (start_of l) k) (needed_at (end_of l) k) (makes k) l.
Fixpoint tours (p : ports) (c : nat) (l : list led) : list task :=
  match l with [] => [] | e :: l => tour_of p c e ++ tours p (S c) l end.

Definition link_of (l : list arc) : arc := Arc (start_of l) (end_of l) 1.
Fixpoint with_ways (entries : list entry) (ways : list (list arc)) : option (list led) :=
  match entries, ways with
  | [], [] => Some []
  | (b, a, k) :: entries, l :: ways =>
    if (tail a =? start_of l) && (head a =? end_of l) && Qeq_bool (cost a) 1 then
      match with_ways entries ways with Some r => Some ((b, a, k, l) :: r) | None => None end
    else None
  | _, _ => None
  end.
Fixpoint pick_ways (table : map_of (list arc)) (l : list positive) : option (list (list arc)) :=
  match l with
  | [] => Some []
  | i :: l =>
    match find i table, pick_ways table l with Some w, Some r => Some (w :: r) | _, _ => None end
  end.
(** The system of forms whose links are these paths, numbered from 1. *)
Definition along_ways (p : ports) (members : list node) (arcs : list arc) (blocks : list block)
    (paths : list (list positive)) (forms : list form) : option system :=
  match routes (array arcs) paths with
  | None => None
  | Some table =>
    if forallb (route_ok (node_map members)) table then
      match scheme p members (map link_of table) blocks forms,
            pick_ways (array table) (flat_map (fun f => gathering f ++ spreading f) forms) with
      | Some entries, Some ways =>
        match with_ways entries ways with
        | Some l => Some (System (tours p 0 l) [] (wants_from 1 blocks))
        | None => None
        end
      | _, _ => None
      end
    else None
  end.

Definition check_carried_schedule (p : ports) (members : list node) (arcs : list arc) (blocks : list block)
    (paths : list (list positive)) (forms : list form) (s : periodic) : option (Q * Q) :=
  match along_ways p members arcs blocks paths forms with
  | Some sys => check_schedule sys s
  | None => None
  end.
Definition check_carried_run (p : ports) (members : list node) (arcs : list arc) (blocks : list block)
    (paths : list (list positive)) (forms : list form) (M : positive) (r : run) (y : price_list)
    (unit : positive) (rows : list (list (node * Z))) (l : list evidence) : option (Q * Q) :=
  match along_ways p members arcs blocks paths forms,
        check_carried_worth p members arcs blocks y unit rows l with
  | Some sys, Some U =>
    match check_system_run sys M r with
    | Some K =>
      if (0 <? Qnum U) && forallb (fun k => 0 <? Qnum (lasts k)) (tasks sys) then Some (K, least_time M U)
      else None
    | None => None
    end
  | _, _ => None
  end.
