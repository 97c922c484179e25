(** The checker of allgather over switches: a bottleneck or prices with sets of nodes, paths, a periodic
    schedule. Executable, no proofs. *)
From Coq Require Import QArith List ZArith Bool.
From Exactsched Require Import Model Names Collectives Checker.
From Exactsched.allreduce Require Import Schemes Allgather.
Import ListNotations.
Open Scope Z_scope.

Definition in_map (m : map_of Z) (v : node) : bool := member (node_code v) m.
Definition sumQ {A} (f : A -> Q) (l : list A) : Q := fold_left (fun s x => lowest (s + f x)) l 0%Q.

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
  | r :: l =>
    match look arcs r, routes arcs l with Some path, Some paths => Some (path :: paths) | _, _ => None end
  end.
(** The paths of each shard. *)
Fixpoint all_routes (arcs : map_of arc) (members : map_of Z) (l : list (node * list (list positive)))
    (m : map_of (list (list arc))) : option (map_of (list (list arc))) :=
  match l with
  | [] => Some m
  | (v, rs) :: l =>
    match routes arcs rs with
    | Some paths =>
        if forallb (route_ok members) paths then all_routes arcs members l (put (node_code v) paths m)
        else None
    | None => None
    end
  end.
Definition paths_in (m : map_of (list (list arc))) (v : node) : list (list arc) :=
  match find (node_code v) m with Some l => l | None => [] end.

(** What the bottleneck lets through: its capacity over the data that it has not got. *)
Definition bottleneck_rate (arcs : list arc) (members : list node) (shards : list (node * Q)) (X : list node)
    : option Q :=
  let m := node_map X in
  let entering := filter (fun a => negb (in_map m (tail a)) && in_map m (head a)) arcs in
  let into := sumQ (fun a => / cost a)%Q entering in
  let outside := sumQ snd (filter (fun vd => negb (in_map m (fst vd))) shards) in
  if existsb (in_map m) members && (0 <? Qnum outside) then Some (into / outside)%Q else None.

(** Prices; weighted sets of nodes, each with a member; a potential at switches, empty if switches may
    copy. *)
Record set_bound :=
  SetBound { set_prices : price_list; sets : list (list node * Z); potential : list (node * Z) }.
Definition potential_map (l : list (node * Z)) : map_of Z :=
  fold_left (fun m vq => put (node_code (fst vq)) (snd vq) m) l none.
Definition set_maps (l : list (list node * Z)) : list (map_of Z * Z) :=
  map (fun Xw => (node_map (fst Xw), snd Xw)) l.
Definition weight_entered (l : list (map_of Z * Z)) (a : arc) : Z :=
  sumZ (fun mw => if negb (in_map (fst mw) (tail a)) && in_map (fst mw) (head a) then snd mw else 0) l.
Definition arc_fits (p : ports) (y : price_maps) (l : list (map_of Z * Z)) (q : map_of Z) (a : arc) : bool :=
  let fall := value (node_code (tail a)) q - value (node_code (head a)) q in
  (weight_entered l a - fall) * Z.pos (Qden (cost a)) <=? Qnum (cost a) * rate y (arc_uses p a).
Definition sets_value (shards : list (node * Q)) (l : list (map_of Z * Z)) : Q :=
  let outside m := sumQ snd (filter (fun vd => negb (in_map m (fst vd))) shards) in
  sumQ (fun mw => inject_Z (snd mw) * outside (fst mw))%Q l.
Definition sets_rate (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (b : set_bound) : option Q :=
  let l := set_maps (sets b) in
  let q := potential_map (potential b) in
  let ms := node_map members in
  let W := sets_value shards l in
  if prices_ok (set_prices b)
     && forallb (fun mw => (0 <=? snd mw) && existsb (in_map (fst mw)) members) l
     && forallb (fun vq => (0 <=? snd vq) && negb (in_map ms (fst vq))) (potential b)
     && forallb (arc_fits p (maps_of (set_prices b)) l q) arcs
     && (0 <? Qnum W)
  then Some (inject_Z (sum_of_prices (set_prices b)) / W)%Q else None.

Inductive evidence_of_allgather := Bottleneck (X : list node) | Sets (b : set_bound).
Definition allgather_rate (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (e : evidence_of_allgather) : option Q :=
  match e, p with
  | Bottleneck X, Links => bottleneck_rate arcs members shards X
  | Bottleneck _, _ => None
  | Sets b, _ => sets_rate p arcs members shards b
  end.
(** Whether the bound holds for switches that copy as well. *)
Definition for_copying (e : evidence_of_allgather) : bool :=
  match e with Bottleneck _ => true | Sets b => match potential b with [] => true | _ => false end end.

(** The throughput and the constant: the rate of the bound is reached along the paths. *)
Definition check_allgather (p : ports) (arcs : list arc) (members : list node) (shards : list (node * Q))
    (e : evidence_of_allgather) (paths : list (node * list (list positive))) (s : periodic)
    : option (Q * Q) :=
  if forallb (fun a => 0 <? Qnum (cost a)) arcs && forallb (fun vd => 0 <? Qnum (snd vd)) shards
     && distinct none (map fst shards)
  then
    match allgather_rate p arcs members shards e, all_routes (array arcs) (node_map members) paths none with
    | Some T, Some m =>
      match check_schedule (forwarding p members shards (paths_in m)) s with
      | Some (T', C) => if Qle_bool T T' then Some (T', C) else None
      | None => None
      end
    | _, _ => None
    end
  else None.
