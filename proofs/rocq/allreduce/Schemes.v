(** Trees of an order-free reduction, checked and written as tasks that wait for what they are to tell: the
    system of tasks for which its periodic schedule is checked. Executable, no proofs. *)
From Coq Require Import QArith List ZArith Bool.
From Exactsched Require Import Model Names Collectives Checker.
From Exactsched.allreduce Require Import OrderFree.
Import ListNotations.
Open Scope Z_scope.

(** A number in lowest terms. *)
Definition lowest (q : Q) : Q :=
  let g := Z.gcd (Qnum q) (Z.pos (Qden q)) in (Qnum q / g) # Z.to_pos (Z.pos (Qden q) / g).

(** What the states of these tasks say: call number i has arrived at v; v knows the whole of block number b.
    Calls are numbered from 0, blocks and arcs from 1. *)
Definition arrival (i : Z) (v : node) : state := At (Message i) v.
Definition whole (b : positive) (v : node) : state := At (Values (Z.pos b) (Z.pos b)) v.

(** Trees for a block, by the numbers of their arcs: the in-tree from the leaves to the root, the out-tree
    from the root to the leaves (empty if the block is wanted at the root only). *)
Record form := Form { of_block : positive; gathering : list positive; spreading : list positive }.

(** What has arrived at a node; or the node has made its call already. *)
Inductive desk := Waits (arrivals : list state) | Gone.
Definition desk_of (m : map_of desk) (v : node) : desk :=
  match find (node_code v) m with None => Waits [] | Some d => d end.
Definition gone (m : map_of desk) (v : node) : bool :=
  match desk_of m v with Gone => true | Waits _ => false end.

(** A call about a block over an arc, and its task. *)
Definition entry := (positive * arc * task)%type.
Definition new_entry (p : ports) (d : Q) (b : positive) (a : arc) (l : list state) (x : state) : entry :=
  (b, a, Task (arc_uses p a) (d * cost a)%Q l x).

(** The calls of an in-tree, numbered from i on: each waits for all calls to its tail. The last one, to the
    root, waits for the other calls to the root as well: after it the root knows the whole. *)
Fixpoint gather_entries (p : ports) (d : Q) (b : positive) (i : Z) (l : list arc) (m : map_of desk)
    : option (list entry * map_of desk * node) :=
  match l with
  | [] => None
  | a :: l' =>
    match desk_of m (tail a), desk_of m (head a) with
    | Waits L, Waits L' =>
      let m' := put (node_code (tail a)) Gone m in
      match l' with
      | [] => Some ([new_entry p d b a (L ++ L') (whole b (head a))], m', head a)
      | _ :: _ =>
        let m'' := put (node_code (head a)) (Waits (arrival i (head a) :: L')) m' in
        match gather_entries p d b (i + 1) l' m'' with
        | Some (r, last, root) => Some (new_entry p d b a L (arrival i (head a)) :: r, last, root)
        | None => None
        end
      end
    | _, _ => None
    end
  end.
(** A call of an out-tree waits for the whole at its tail. *)
Definition spread_entry (p : ports) (d : Q) (b : positive) (a : arc) : entry :=
  new_entry p d b a [whole b (tail a)] (whole b (head a)).

Fixpoint look (arcs : map_of arc) (l : list positive) : option (list arc) :=
  match l with
  | [] => Some []
  | i :: l => match find i arcs, look arcs l with Some a, Some r => Some (a :: r) | _, _ => None end
  end.

(** All members and all who were called have made their call, but for the root. *)
Definition all_gone (nodes : list node) (U : list arc) (m : map_of desk) (root : node) : bool :=
  forallb (fun v => gone m v || (v =? root)) nodes
  && forallb (fun a => gone m (head a) || (head a =? root)) U.

Definition form_entries (p : ports) (nodes : list node) (blocks : map_of block) (arcs : map_of arc) (i : Z)
    (f : form) : option (list entry) :=
  match find (of_block f) blocks, look arcs (gathering f), look arcs (spreading f) with
  | Some B, Some U, Some D =>
    match gather_entries p (size B) (of_block f) i U none with
    | Some (r, m, root) =>
        if all_gone nodes U m root then Some (r ++ map (spread_entry p (size B) (of_block f)) D) else None
    | None => None
    end
  | _, _, _ => None
  end.
Fixpoint all_entries (p : ports) (nodes : list node) (blocks : map_of block) (arcs : map_of arc) (i : Z)
    (forms : list form) : option (list entry) :=
  match forms with
  | [] => Some []
  | f :: forms =>
    match form_entries p nodes blocks arcs i f with
    | Some l =>
      match all_entries p nodes blocks arcs (i + sumZ (fun _ => 1) l) forms with
      | Some r => Some (l ++ r)
      | None => None
      end
    | None => None
    end
  end.

(** The whole of each block is wanted at its targets. *)
Fixpoint wants_from (b : positive) (blocks : list block) : list state :=
  match blocks with
  | [] => []
  | B :: blocks => map (whole b) (targets B) ++ wants_from (Pos.succ b) blocks
  end.

(** The calls, each with its task: the tasks of form 1 are numbered first, in-tree before out-tree. *)
Definition scheme (p : ports) (nodes : list node) (arcs : list arc) (blocks : list block) (forms : list form)
    : option (list entry) := all_entries p nodes (array blocks) (array arcs) 0 forms.
