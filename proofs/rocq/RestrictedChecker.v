(** The checker of broadcasts restricted to one tree, or to an acyclic set of arcs: what is extracted and run.
No
    proofs here. Arcs count from 1. *)
From Coq Require Import QArith List ZArith Bool FMapPositive.
From Exactsched Require Import Model Names Collectives Checker.
Import ListNotations.
Open Scope Z_scope.

Inductive restriction := OneTree | Acyclic.

(** A proof by cases: a tree enters a node by at most one arc, so every arc into the node is kept by a case;
  an
    acyclic set misses an arc of a cycle, so every arc of the cycle is dropped by a case. *)
Inductive proof :=
| OfCuts (b : cut_bound)
| SplitOnNode (v : node) (cases : list (list positive * proof))
| SplitOnCycle (cycle : list positive) (cases : list (positive * proof)).

(** The arcs that no case above has dropped, with their numbers. *)
Definition remaining := list (positive * arc).
Fixpoint count_from {A} (p : positive) (l : list A) : list (positive * A) :=
  match l with [] => [] | x :: l => (p, x) :: count_from (Pos.succ p) l end.
Definition set_of (l : list positive) : map_of Z := fold_left (fun m i => put i 0 m) l none.
Definition drop (gone : map_of Z) (l : remaining) : remaining :=
  filter (fun ia => negb (member (fst ia) gone)) l.

(** The load of a resource by a tree is a multiple of the greatest common divisor of the costs. *)
Definition common (arcs : list arc) : Z := fold_left (fun d a => Z.lcm d (Z.pos (Qden (cost a)))) arcs 1.
Definition scaled_cost (d : Z) (a : arc) : Z := Qnum (cost a) * (d / Z.pos (Qden (cost a))).
Definition rounded (d : Z) (arcs : list arc) (b : cut_bound) : option Q :=
  let Y := sum_of_prices (cut_prices b) in
  let W := sumZ weight (cuts b) in
  let g := fold_left (fun g a => Z.gcd g (scaled_cost d a)) arcs 0 in
  let n := - (- (W * d) / (Y * g)) in
  match odd_prices (cut_prices b) with
  | [] => if (0 <? Y) && (0 <? g) && (0 <? n) && forallb (fun a => d mod Z.pos (Qden (cost a)) =? 0) arcs
          then Some (inject_Z d / inject_Z (n * g))%Q else quotient Y W
  | _ => quotient Y W
  end.
Definition larger (a b : Q) : Q := if Qle_bool a b then b else a.

Section Split.
Variable kind : restriction.
Variable p : ports.
Variable arc_map : map_of arc.
Variable d : Z.
Variable source : node.
Variable targets : list node.

Definition check_leaf (l : remaining) (b : cut_bound) : option Q :=
  let arcs := map snd l in
  match check_cuts p arcs source targets b with
  | None => None
  | Some U => match kind with OneTree => rounded d arcs b | Acyclic => Some U end
  end.
(** Every case drops arcs into v only, and every arc into v is kept by a case. *)
Definition node_cases (v : node) (l : remaining) (gone : list (map_of Z)) : bool :=
  forallb (fun m => forallb (fun ia : positive * arc => if member (fst ia) m then
    head (snd ia) =? v else true) l) gone
  && forallb (fun ia : positive * arc => if head (snd ia) =? v
       then existsb (fun m => negb (member (fst ia) m)) gone else true) l
  && match gone with [] => false | _ => true end.
Fixpoint walk (v : node) (cycle : list positive) : option node :=
  match cycle with
  | [] => Some v
  | i :: cycle => match find i arc_map with
    | Some a => if tail a =? v then walk (head a) cycle else None
    | None => None end
  end.
Definition closed (cycle : list positive) : bool :=
  match cycle with
  | [] => false
  | i :: _ => match find i arc_map with
    | Some a => match walk (tail a) cycle with Some v => v =? tail a | None => false end
    | None => false end
  end.

Fixpoint check_split (l : remaining) (b : proof) : option Q :=
  match b with
  | OfCuts b => check_leaf l b
  | SplitOnNode v cases =>
    match kind with
    | Acyclic => None
    | OneTree =>
      if node_cases v l (map (fun c => set_of (fst c)) cases) then
        (fix go (cs : list (list positive * proof)) : option Q :=
          match cs with
          | [] => Some 0%Q
          | (w, b) :: cs =>
            match check_split (drop (set_of w) l) b, go cs with
            | Some u, Some t => Some (larger u t)
            | _, _ => None
            end
          end) cases
      else None
    end
  | SplitOnCycle cycle cases =>
    match kind with
    | OneTree => None
    | Acyclic =>
      if closed cycle && forallb (fun i => existsb (fun c => (i =? fst c)%positive) cases) cycle then
        (fix go (cs : list (positive * proof)) : option Q :=
          match cs with
          | [] => Some 0%Q
          | (i, b) :: cs =>
            match check_split (drop (put i 0 none) l) b, go cs with
            | Some u, Some t => Some (larger u t)
            | _, _ => None
            end
          end) cases
      else None
    end
  end.
End Split.

(** The bound that is proved for schedules that use one tree, or an acyclic set of arcs. *)
Definition check_restricted_bound (kind : restriction) (p : ports) (arcs : list arc) (source : node)
    (targets : list node) (b : proof) : option Q :=
  check_split kind p (array arcs) (common arcs) source targets (count_from 1 arcs) b.

(** The arcs that are used; for an acyclic set the rank of each node. *)
Fixpoint pick (arc_map : map_of arc) (l : list positive) : option (list arc) :=
  match l with
  | [] => Some []
  | i :: l => match find i arc_map, pick arc_map l with Some a, Some r => Some (a :: r) | _, _ => None end
  end.
Fixpoint heads_differ (l : list arc) (seen : map_of Z) : bool :=
  match l with
  | [] => true
  | a :: l => if member (node_code (head a)) seen then false else heads_differ l (put (node_code (head a)) 0
    seen)
  end.
Definition allowed_ok (kind : restriction) (source : node) (used : list arc) (ranks : list (node * Z)) : bool
  :=
  match kind with
  | OneTree => heads_differ used (put (node_code source) 0 none)
  | Acyclic => let m := row_map ranks in
      forallb (fun a => value (node_code (tail a)) m <? value (node_code (head a)) m) used
  end.
Definition check_restricted_schedule (kind : restriction) (p : ports) (arcs : list arc) (source : node)
    (targets : list node) (used : list positive) (ranks : list (node * Z)) (s : periodic) : option (Q * Q) :=
  match pick (array arcs) used with
  | Some l => if allowed_ok kind source l ranks then check_schedule (multicast p l source targets) s else None
  | None => None
  end.

Definition check_restricted kind p arcs source targets used ranks s b : option (Q * Q) :=
  match check_restricted_schedule kind p arcs source targets used ranks s,
        check_restricted_bound kind p arcs source targets b with
  | Some (T, C), Some U => if Qeq_bool U T then Some (T, C) else None
  | _, _ => None
  end.
