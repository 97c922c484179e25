(** The checker of order-free reductions: prices with cuts, trees, a periodic schedule. Executable, no
    proofs. *)
From Coq Require Import QArith List ZArith Bool.
From Exactsched Require Import Model Names Collectives Checker RunChecker.
From Exactsched.allreduce Require Import OrderFree Schemes.
Import ListNotations.
Open Scope Z_scope.

(** Cuts without a root, as intervals of an order of the other nodes. *)
Record side := Side { side_order : list node; side_cuts : list cut }.
Definition side_weight (s : side) : Z := sumZ weight (side_cuts s).

(** What a block is worth under the prices. Wanted everywhere: for every root cuts that in-trees leave and
    cuts that out-trees enter, together worth that much. Wanted at a root: cuts that in-trees leave. *)
Inductive evidence :=
| Everywhere (value : Z) (roots : list (node * (side * side)))
| AtRoot (root : node) (outs : side).

(** An arc with what one use of it pays, times the denominator of its cost. *)
Definition tolls (p : ports) (y : price_maps) (arcs : list arc) : list (arc * Z) :=
  map (fun a => (a, Qnum (cost a) * rate y (arc_uses p a))) arcs.
Definition back (a : arc) : arc := Arc (head a) (tail a) (cost a).

Section Check.
Variable nodes : list node.
Variable members : map_of Z.
Variable tolled : list (arc * Z).

Definition arc_pays (holding : map_of (list cut)) (pos : map_of Z) (turn : arc -> arc) (at_ : arc * Z) : bool :=
  let w := entered_weight holding pos (turn (fst at_)) in
  (w =? 0) || (w * Z.pos (Qden (cost (fst at_))) <=? snd at_).
(** [turn]: the identity for cuts that are entered, [back] for cuts that are left. *)
Definition side_ok (turn : arc -> arc) (r : node) (s : side) : bool :=
  let pos := positions 1 (side_order s) none in
  let holding := sweep (by_start (side_cuts s)) 1 (side_order s) [] none in
  negb (member (node_code r) pos)
  && forallb (cut_ok (array (side_order s)) members pos nodes) (side_cuts s)
  && forallb (arc_pays holding pos turn) tolled.

Definition root_ok (roots : map_of (side * side)) (w : Z) (r : node) : bool :=
  match find (node_code r) roots with
  | None => false
  | Some (outs, ins) =>
      side_ok back r outs && side_ok (fun a => a) r ins && (w <=? side_weight outs + side_weight ins)
  end.
Definition root_map (roots : list (node * (side * side))) : map_of (side * side) :=
  fold_left (fun m rs => put (node_code (fst rs)) (snd rs) m) roots none.
Definition worth_of (e : evidence) : Z :=
  match e with Everywhere w _ => w | AtRoot _ s => side_weight s end.
Definition evidence_ok (B : block) (e : evidence) : bool :=
  match e with
  | Everywhere w roots =>
    let wanted_at := node_map (targets B) in
    let m := root_map roots in
    negb (match nodes with [] => true | _ => false end)
    && forallb (fun v => member (node_code v) wanted_at) nodes
    && forallb (fun at_ => member (node_code (tail (fst at_))) members
         && member (node_code (head (fst at_))) members) tolled
    && forallb (root_ok m w) nodes
  | AtRoot r s => existsb (fun v => v =? r) (targets B) && side_ok back r s
  end.
(** The sum of size times worth, if there is evidence for every block. *)
Fixpoint total_worth (blocks : list block) (l : list evidence) (s : Q) : option Q :=
  match blocks, l with
  | [], [] => Some s
  | B :: blocks, e :: l =>
    if (0 <? Qnum (size B)) && evidence_ok B e
    then total_worth blocks l (lowest (s + size B * inject_Z (worth_of e))) else None
  | _, _ => None
  end.
End Check.

(** The bound, if prices and cuts are right. *)
Definition check_worth (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block)
    (y : price_list) (l : list evidence) : option Q :=
  if prices_ok y && forallb (fun a => 0 <? Qnum (cost a)) arcs then
    match total_worth nodes (node_map nodes) (tolls p (maps_of y) arcs) blocks l 0 with
    | Some W => if 0 <? Qnum W then Some (inject_Z (sum_of_prices y) / W)%Q else None
    | None => None
    end
  else None.

(** The system of the forms: their tasks, and the sums that are wanted. *)
Definition along_forms (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block)
    (forms : list form) : option system :=
  match scheme p nodes arcs blocks forms with
  | Some entries => Some (System (map snd entries) [] (wants_from 1 blocks))
  | None => None
  end.

(** The throughput and the constant, if the forms and the schedule of their tasks are right. *)
Definition check_schedule_of (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block)
    (forms : list form) (s : periodic) : option (Q * Q) :=
  match along_forms p nodes arcs blocks forms with
  | Some sys => check_schedule sys s
  | None => None
  end.

(** When a run of M operations ends, and when none ends before. *)
Definition check_run_of (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block)
    (forms : list form) (M : positive) (r : run) (y : price_list) (l : list evidence) : option (Q * Q) :=
  match along_forms p nodes arcs blocks forms, check_worth p nodes arcs blocks y l with
  | Some sys, Some U =>
    match check_system_run sys M r with
    | Some K =>
      if (0 <? Qnum U) && forallb (fun k => 0 <? Qnum (lasts k)) (tasks sys) then Some (K, least_time M U)
      else None
    | None => None
    end
  | _, _ => None
  end.

(** Both sides: what is reached is as large as the bound. *)
Definition check_reduces (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block)
    (y : price_list) (l : list evidence) (forms : list form) (s : periodic) : option (Q * Q) :=
  match check_schedule_of p nodes arcs blocks forms s, check_worth p nodes arcs blocks y l with
  | Some (T, C), Some U => if Qle_bool U T then Some (T, C) else None
  | _, _ => None
  end.
