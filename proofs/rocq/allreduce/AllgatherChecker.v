(** The checker of allgather over switches under link ports: a bottleneck, paths, a periodic schedule. Executable. *)
From Coq Require Import QArith List ZArith Bool.
From Exactsched Require Import Model Names Collectives Checker.
From Exactsched.allreduce Require Import Schemes Allgather.
Import ListNotations.
Open Scope Z_scope.

Definition in_map (m : map_of Z) (v : node) : bool := member (node_code v) m.
Definition sumQ {A} (f : A -> Q) (l : list A) : Q := fold_left (fun s x => Qred (s + f x)) l 0%Q.

Fixpoint distinct (seen : map_of Z) (l : list node) : bool :=
  match l with
  | [] => true
  | v :: l => if in_map seen v then false else distinct (put (node_code v) 0 seen) l
  end.

(** A path: linked, through different switches, to a member. *)
Fixpoint path_ok (members seen : map_of Z) (l : list arc) : bool :=
  match l with
  | [] => false
  | a :: l' =>
    if in_map seen (head a) then false
    else match l' with
    | [] => in_map members (head a)
    | b :: _ => if in_map members (head a) then false
                else (head a =? tail b) && path_ok members (put (node_code (head a)) 0 seen) l'
    end
  end.
Definition route_ok (members : map_of Z) (l : list arc) : bool :=
  match l with [] => false | a :: _ => in_map members (tail a) && path_ok members none l end.
Fixpoint routes (arcs : map_of arc) (l : list (list positive)) : option (list (list arc)) :=
  match l with
  | [] => Some []
  | r :: l => match look arcs r, routes arcs l with Some path, Some paths => Some (path :: paths) | _, _ => None end
  end.

(** What the bottleneck lets through: its capacity over the data that it has not got. *)
Definition bottleneck_rate (arcs : list arc) (members : list node) (shards : list (node * Q)) (X : list node)
    : option Q :=
  let m := node_map X in
  let into := sumQ (fun a => / cost a)%Q (filter (fun a => negb (in_map m (tail a)) && in_map m (head a)) arcs) in
  let outside := sumQ snd (filter (fun vd => negb (in_map m (fst vd))) shards) in
  if existsb (in_map m) members && (0 <? Qnum outside) then Some (into / outside)%Q else None.

(** The throughput and the constant: the rate of the bottleneck is reached along the paths. *)
Definition check_allgather (arcs : list arc) (members : list node) (shards : list (node * Q)) (X : list node)
    (paths : list (list positive)) (s : periodic) : option (Q * Q) :=
  if forallb (fun a => 0 <? Qnum (cost a)) arcs && forallb (fun vd => 0 <? Qnum (snd vd)) shards
     && distinct none (map fst shards)
  then
    match bottleneck_rate arcs members shards X, routes (array arcs) paths with
    | Some T, Some l =>
      if forallb (route_ok (node_map members)) l then
        match check_schedule (forwarding Links members shards l) s with
        | Some (T', C) => if Qle_bool T T' then Some (T', C) else None
        | None => None
        end
      else None
    | _, _ => None
    end
  else None.
