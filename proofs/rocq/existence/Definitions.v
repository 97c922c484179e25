(** What the theorems of this folder speak about: read it after ../Model.v and ../Collectives.v, and before
    Theorems.v. It proves nothing. Of Bound.v it uses [kind S i], task number i, and the prices and cuts. *)
From Coq Require Import QArith List Arith ZArith.
From Exactsched Require Import Model Collectives Bound.
From Exactsched Require Names Potentials.
Import ListNotations.
Open Scope Q_scope.

(** ** Structures *)

(** The states that are there when the tasks of a list are complete. Tasks are named by their numbers. *)
Definition known (S : system) (t : list nat) : list state :=
  given S ++ map (fun i => makes (kind S i)) t.

(** A list of tasks, the last one first: what each needs is given, or made by those before it. *)
Inductive grows (S : system) : list nat -> Prop :=
| grows_nil : grows S []
| grows_task i t : grows S t -> (i < length (tasks S))%nat -> ~ In i t ->
    incl (needs (kind S i)) (known S t) -> grows S (i :: t).

(** A structure carries out one operation: an arborescence, a path, a reduction tree. *)
Definition structure (S : system) (t : list nat) : Prop := grows S t /\ incl (wanted S) (known S t).

(** ** Packings *)

(** How long one use of a structure keeps a resource busy. *)
Definition load (S : system) (r : resource) (t : list nat) : Q :=
  sum (fun i => if uses_it r (kind S i) then lasts (kind S i) else 0) t.

(** Lists of numbers with weights: structures with the operations that they carry in a unit of time, sets of
  tasks or
    edges with times. What they weigh together, and those that contain i. *)
Definition weighted := list (Q * list nat).
Definition value (l : weighted) : Q := sum fst l.
Definition listed (i : nat) (m : list nat) : bool := existsb (Nat.eqb i) m.
Definition served (i : nat) (l : weighted) : Q := sum fst (filter (fun s => listed i (snd s)) l).
(** Structures that keep no resource busy for more than the whole time. *)
Definition packing (S : system) (l : weighted) : Prop :=
  (forall x t, In (x, t) l -> 0 <= x /\ structure S t) /\
  forall r, sum (fun xt => fst xt * load S r (snd xt)) l <= 1.
Definition best_packing (S : system) (T : Q) : Prop :=
  (exists l, packing S l /\ value l == T) /\ forall l, packing S l -> value l <= T.

(** The longest chain of tasks of a structure that wait for each other. *)
Definition waits_for (S : system) (i j : nat) : bool := existsb (Names.state_eqb (makes (kind S j))) (needs
  (kind S i)).
Fixpoint level (S : system) (i : nat) (t : list nat) : nat :=
  match t with
  | [] => 0%nat
  | j :: t => if (i =? j)%nat
      then Datatypes.S (list_max (map (fun k => if waits_for S i k then level S k t else 0%nat) t))
      else level S i t
  end.
Definition height (S : system) (t : list nat) : nat := list_max (map (fun i => level S i t) t).

(** ** Plans, for resources of any kind *)

(** Two tasks share a resource. *)
Definition clash (S : system) (i j : nat) : Prop := exists r, In r (uses (kind S i)) /\ In r (uses (kind S j)).
(** Tasks that can work at the same time: no two of them share a resource. *)
Definition together (S : system) (m : list nat) : Prop :=
  NoDup m /\ (forall i, In i m -> (i < length (tasks S))%nat) /\ forall i j, In i m -> In j m -> i <> j -> ~
    clash S i j.
(** Structures with weights, and sets of tasks that work together, with times of sum 1, in which every task
  works as
    long as the structures ask. *)
Definition plan (S : system) (l d : weighted) : Prop :=
  (forall x t, In (x, t) l -> 0 <= x /\ structure S t) /\ (forall x m, In (x, m) d -> 0 <= x /\ together S m) /\
  value d <= 1 /\ forall i, (i < length (tasks S))%nat -> lasts (kind S i) * served i l <= served i d.

(** ** Certificates *)

(** What a structure pays. Prices prove T if they add up to T and every structure pays 1. *)
Definition cost_of (S : system) (y : prices) (t : list nat) : Q :=
  sum (fun i => lasts (kind S i) * paid y (kind S i)) t.
Definition prices_prove (S : system) (y : prices) (T : Q) : Prop :=
  nonneg y /\ total y == T /\ forall t, structure S t -> 1 <= cost_of S y t.
(** Prices of tasks, per time, for resources of any kind: tasks that work together cost T at most, a structure
  at least 1. *)
Definition task_prices_prove (S : system) (q : nat -> Q) (T : Q) : Prop :=
  (forall i, (i < length (tasks S))%nat -> 0 <= q i) /\ (forall m, together S m -> sum q m <= T) /\
  forall t, structure S t -> 1 <= sum (fun i => lasts (kind S i) * q i) t.
(** What the bound of prices and potentials asks for. That the tasks fit concerns the system alone. *)
Definition potentials_prove (S : system) (T : Q) : Prop := exists y goals, nonneg y /\
  (forall w p, In (w, p) goals -> In w (wanted S) /\ forall x, In x (given S) -> p x <= 0) /\
  (forall k, In k (tasks S) -> sum (fun g => Potentials.added (snd g) k) goals <= lasts k * paid y k) /\
  total y == T /\ 1 <= sum (fun g => snd g (fst g)) goals.

(** ** Which systems *)

(** Every task uses at least one resource, and at most one of either side: all systems of one-port and of link
    platforms, and those of half-duplex platforms whose graph is bipartite. *)
Definition two_sided (S : system) : Prop := exists side : resource -> bool, forall k, In k (tasks S) ->
  uses k <> [] /\ forall r r', In r (uses k) -> In r' (uses k) -> side r = side r' -> r = r'.
(** Every task lasts some time, and there is something to do. *)
Definition takes_time (S : system) : Prop := forall k, In k (tasks S) -> 0 < lasts k.
Definition something_to_do (S : system) : Prop := exists x, In x (wanted S) /\ ~ In x (given S).
(** One-port and link platforms, and half-duplex ones whose graph is bipartite. *)
Definition bipartite (p : ports) (arcs : list arc) : Prop :=
  p = HalfDuplex -> exists color : node -> bool, forall a, In a arcs -> color (tail a) <> color (head a).

(** ** Bipartite graphs *)

(** An edge; parallel ones are allowed. An edge is named by its number in the list. *)
Record edge := Edge { left : Z; right : Z; weight : Q }.
(** What the edges at a node weigh together ([side] is [left] or [right]). *)
Definition weight_at (side : edge -> Z) (x : Z) (es : list edge) : Q :=
  sum weight (filter (fun e => (side e =? x)%Z) es).
(** No two edges of a matching share an end. *)
Definition matching (es : list edge) (m : list nat) : Prop :=
  NoDup m /\ (forall i, In i m -> (i < length es)%nat) /\
  forall i j e f, In i m -> In j m -> i <> j -> nth_error es i = Some e -> nth_error es j = Some f ->
  left e <> left f /\ right e <> right f.
(** Matchings, each with a time, of total time D, that contain every edge for as long as its weight. *)
Definition decomposed (es : list edge) (D : Q) (slots : weighted) : Prop :=
  (forall d m, In (d, m) slots -> 0 < d /\ matching es m) /\ sum fst slots == D /\
  forall i e, nth_error es i = Some e -> served i slots == weight e.

(** ** Arborescences *)

(** A tree is a list of arcs, by their numbers; it grows from the root, arc by arc: each goes from a node that
    is reached to a node that is not. *)
Inductive reaches (arcs : list arc) (root : node) : list node -> list nat -> Prop :=
| reaches_root : reaches arcs root [root] []
| reaches_arc reached t i a : reaches arcs root reached t -> nth_error arcs i = Some a ->
    In (tail a) reached -> ~ In (head a) reached -> reaches arcs root (head a :: reached) (i :: t).
Definition spanning (nodes : list node) (arcs : list arc) (root : node) (t : list nat) : Prop :=
  exists reached, reaches arcs root reached t /\ incl nodes reached.

(** A root cut: a set with a node and without the root. How many arcs enter a set. *)
Definition root_cut (nodes : list node) (root : node) (X : node -> bool) : Prop :=
  X root = false /\ exists v, In v nodes /\ X v = true.
Definition goes_in (X : node -> bool) (a : arc) : bool := negb (X (tail a)) && X (head a).
Definition entering (X : node -> bool) (arcs : list arc) : nat := length (filter (goes_in X) arcs).
(** The arcs join nodes of the list, and the root is one of them. *)
Definition graph (nodes : list node) (arcs : list arc) (root : node) : Prop :=
  In root nodes /\ forall a, In a arcs -> In (tail a) nodes /\ In (head a) nodes.
(** What enters a set, if arc number i has the capacity [c i]. *)
Definition arc_of (arcs : list arc) (i : nat) : arc := nth i arcs (Arc 0 0 0%Q).
Definition numbers (arcs : list arc) : list nat := seq 0 (length arcs).
Definition into (arcs : list arc) (X : node -> bool) : list nat :=
  filter (fun i => goes_in X (arc_of arcs i)) (numbers arcs).
Definition trees_with (i : nat) (trees : list (list nat)) : nat := length (filter (listed i) trees).
(** Weighted spanning trees. *)
Definition trees_of_weight (nodes : list node) (arcs : list arc) (root : node) (l : weighted) : Prop :=
  forall x t, In (x, t) l -> 0 <= x /\ spanning nodes arcs root t.
(** Weighted sets of nodes: root cuts that together ask of no arc more than it costs. *)
Definition cut_packing (nodes : list node) (arcs : list arc) (root : node) (c : nat -> Q)
    (cuts : list ((node -> bool) * Q)) : Prop :=
  (forall X w, In (X, w) cuts -> 0 <= w /\ root_cut nodes root X) /\
  forall i, (i < length arcs)%nat -> sum (fun Xw => if goes_in (fst Xw) (arc_of arcs i) then snd Xw else 0)
    cuts <= c i.
(** How many messages the arcs that enter a set can carry in a unit of time. *)
Definition width (arcs : list arc) (X : node -> bool) : Q := sum (fun i => 1 / cost (arc_of arcs i)) (into arcs
  X).
