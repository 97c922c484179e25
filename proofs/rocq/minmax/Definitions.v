(** What the min-max theorems of the package are about: flows, cuts, branchings, matchings, linear programs.
    This page proves and computes nothing; at its end stands what a document of each kind claims. *)
From Coq Require Import QArith ZArith List Bool.
From Exactsched.minmax Require Import Sums.  (* sum f l: the sum of f x over the list l *)
Import ListNotations.
Open Scope Q_scope.

(** ** Lists whose entries are named by their number, from 0: arcs, edges, root sets. *)
Fixpoint numbered_from {A} (i : Z) (l : list A) : list (Z * A) :=
  match l with [] => [] | x :: l => (i, x) :: numbered_from (i + 1) l end.
Definition numbered {A} (l : list A) : list (Z * A) := numbered_from 0 l.
(** x is entry number i of the list. *)
Definition entry {A} (l : list A) (i : Z) (x : A) : Prop := In (i, x) (numbered l).
(** Whether a number is in a list. *)
Definition listed (l : list Z) (i : Z) : bool := existsb (Z.eqb i) l.

(** ** Networks *)
(** An arc has a capacity or a cost. *)
Record arc := Arc { tail : Z; head : Z; measure : Q }.
Definition capacity := measure.
Definition cost := measure.
(** The nodes are 0 .. size - 1; parallel arcs and loops are allowed. *)
Record network := Network { size : Z; arcs : list arc }.
Definition node (N : network) (v : Z) : Prop := (0 <= v < size N)%Z.
(** Arcs join nodes, and their numbers are not negative. *)
Definition well_formed (N : network) : Prop :=
  (0 < size N)%Z /\ forall a, In a (arcs N) -> node N (tail a) /\ node N (head a) /\ 0 <= measure a.

(** A set of nodes is a function; an arc enters a set if its head is in it and its tail is not. *)
Definition enters (S : Z -> bool) (a : arc) : bool := S (head a) && negb (S (tail a)).
Definition leaves (S : Z -> bool) (a : arc) : bool := S (tail a) && negb (S (head a)).
(** The capacity that enters a set, and the one that leaves it. *)
Definition entering (N : network) (S : Z -> bool) : Q := sum capacity (filter (enters S) (arcs N)).
Definition leaving (N : network) (S : Z -> bool) : Q := sum capacity (filter (leaves S) (arcs N)).

(** ** Flows and cuts *)
(** A flow gives an amount to the number of each arc. What flows into node v, and out of it. *)
Definition inflow (N : network) (f : Z -> Q) (v : Z) : Q :=
  sum (fun '(i, _) => f i) (filter (fun '(_, a) => Z.eqb (head a) v) (numbered (arcs N))).
Definition outflow (N : network) (f : Z -> Q) (v : Z) : Q :=
  sum (fun '(i, _) => f i) (filter (fun '(_, a) => Z.eqb (tail a) v) (numbered (arcs N))).
Definition gain (N : network) (f : Z -> Q) (v : Z) : Q := inflow N f v - outflow N f v.
(** Every arc carries at most its capacity, and nothing stays in a node but the source and the sink. *)
Definition flow (N : network) (source sink : Z) (f : Z -> Q) : Prop :=
  (forall i a, entry (arcs N) i a -> 0 <= f i <= capacity a) /\
  (forall v, node N v -> v <> source -> v <> sink -> gain N f v == 0).
(** A set with the source and without the sink. *)
Definition separates (source sink : Z) (S : Z -> bool) : Prop := S source = true /\ S sink = false.
(** A set of nodes without the root, not empty. *)
Definition root_cut (N : network) (root : Z) (S : Z -> bool) : Prop :=
  S root = false /\ exists v, node N v /\ S v = true.

(** A number that some flow reaches and none exceeds; that some cut has and none undercuts. *)
Definition maximum_flow (N : network) (source sink : Z) (value : Q) : Prop :=
  (exists f, flow N source sink f /\ gain N f sink == value) /\
  (forall f, flow N source sink f -> gain N f sink <= value).
Definition minimum_cut (N : network) (source sink : Z) (value : Q) : Prop :=
  (exists S, separates source sink S /\ leaving N S == value) /\
  (forall S, separates source sink S -> value <= leaving N S).
Definition minimum_root_cut (N : network) (root : Z) (value : Q) : Prop :=
  (exists S, root_cut N root S /\ entering N S == value) /\
  (forall S, root_cut N root S -> value <= entering N S).

(** ** Branchings *)
(** The nodes to which a path of arcs of T leads from the roots. T lists the numbers of its arcs. *)
Inductive reached (N : network) (roots T : list Z) : Z -> Prop :=
| reached_root r : In r roots -> reached N roots T r
| reached_arc i a : reached N roots T (tail a) -> In i T -> entry (arcs N) i a -> reached N roots T (head a).
(** The arcs of a branching enter no root and no other node twice; every node is reached. *)
Definition branching (N : network) (roots T : list Z) : Prop :=
  NoDup T /\
  (forall i, In i T -> exists a, entry (arcs N) i a /\ ~ In (head a) roots) /\
  (forall i j a b, In i T -> In j T -> entry (arcs N) i a -> entry (arcs N) j b ->
     head a = head b -> i = j) /\
  (forall v, node N v -> reached N roots T v).
Definition arborescence (N : network) (root : Z) (T : list Z) : Prop := branching N [root] T.

(** Lists of the numbers of arcs or edges, each with a weight: all weights, and those of the lists with i. *)
Definition weighted := list (Q * list Z).
Definition total (P : weighted) : Q := sum fst P.
Definition containing (i : Z) (P : weighted) : Q := sum fst (filter (fun p => listed (snd p) i) P).

(** Arborescences within the capacities. *)
Definition packing (N : network) (root : Z) (P : weighted) : Prop :=
  (forall w T, In (w, T) P -> 0 < w /\ arborescence N root T) /\
  (forall i a, entry (arcs N) i a -> containing i P <= capacity a).
(** The greatest total weight of a packing. *)
Definition maximum_packing (N : network) (root : Z) (value : Q) : Prop :=
  (exists P, packing N root P /\ total P == value) /\
  (forall P, packing N root P -> total P <= value).

(** Root sets and the demands for branchings from them; the rows of B are the number of a root set, a weight
    and a branching from this root set. They meet [factor] times the demands within the capacities. *)
Definition demands := list (list Z * Q).
Definition rooted := list (Z * (Q * list Z)).
Definition meets (N : network) (roots : demands) (factor : Q) (B : rooted) : Prop :=
  (forall k w T, In (k, (w, T)) B -> 0 < w /\ exists R d, entry roots k (R, d) /\ branching N R T) /\
  (forall i a, entry (arcs N) i a -> containing i (map snd B) <= capacity a) /\
  (forall k R d, entry roots k (R, d) -> total (map snd (filter (fun b => Z.eqb (fst b) k) B)) == factor * d).
(** Root sets are not empty, consist of nodes, and demand at least 0. *)
Definition root_sets (N : network) (roots : demands) : Prop :=
  forall R d, In (R, d) roots -> R <> [] /\ (forall r, In r R -> node N r) /\ 0 <= d.
(** What the root sets without a node of S demand. *)
Definition demand_beyond (roots : demands) (S : Z -> bool) : Q :=
  sum snd (filter (fun '(R, _) => negb (existsb S R)) roots).
(** The greatest multiple of all demands that can be met. *)
Definition greatest_multiple (N : network) (roots : demands) (value : Q) : Prop :=
  (exists B, meets N roots value B) /\ (forall t B, meets N roots t B -> t <= value).

(** The cost of a set of arcs, and a packing of root cuts: each arc pays for those that it enters. *)
Definition price (N : network) (T : list Z) : Q :=
  sum (fun '(_, a) => cost a) (filter (fun '(i, _) => listed T i) (numbered (arcs N))).
Definition cut_packing (N : network) (root : Z) (C : list (Q * (Z -> bool))) : Prop :=
  (forall w S, In (w, S) C -> 0 < w /\ root_cut N root S) /\
  (forall a, In a (arcs N) -> sum fst (filter (fun c => enters (snd c) a) C) <= cost a).
(** The least cost of an arborescence, and the greatest total weight of a packing of root cuts. *)
Definition minimum_cost (N : network) (root : Z) (value : Q) : Prop :=
  (exists T, arborescence N root T /\ price N T == value) /\
  (forall T, arborescence N root T -> value <= price N T).
Definition maximum_cut_packing (N : network) (root : Z) (value : Q) : Prop :=
  (exists C, cut_packing N root C /\ sum fst C == value) /\
  (forall C, cut_packing N root C -> sum fst C <= value).

(** ** Matchings *)
(** The nodes of the two sides of a bipartite graph are numbered separately. *)
Inductive vertex := Left (u : Z) | Right (v : Z) | Vertex (v : Z).
Definition same (x y : vertex) : bool :=
  match x, y with Left u, Left v | Right u, Right v | Vertex u, Vertex v => Z.eqb u v | _, _ => false end.
Record edge := Edge { one : vertex; other : vertex; weight : Q }.
(** An edge joins two nodes and has a positive weight; in a bipartite graph it goes from left to right. *)
Definition graph (E : list edge) : Prop := forall e, In e E -> one e <> other e /\ 0 < weight e.
Definition bipartite (E : list edge) : Prop :=
  forall e, In e E -> exists u v, one e = Left u /\ other e = Right v.

Definition covers (e : edge) (x : vertex) : bool := same (one e) x || same (other e) x.
(** The load of a node, and the weight inside a set of nodes. *)
Definition load (E : list edge) (x : vertex) : Q := sum weight (filter (fun e => covers e x) E).
Definition within (S : list vertex) (x : vertex) : bool := existsb (same x) S.
Definition inside (E : list edge) (S : list vertex) : Q :=
  sum weight (filter (fun e => within S (one e) && within S (other e)) E).
Definition largest_load (E : list edge) (value : Q) : Prop :=
  (forall x, load E x <= value) /\ (exists x, load E x == value).

(** The numbers of some edges, of which no two have an end in common. *)
Definition matching (E : list edge) (M : list Z) : Prop :=
  NoDup M /\ (forall i, In i M -> exists e, entry E i e) /\
  (forall i j e f x, In i M -> In j M -> entry E i e -> entry E j f ->
     covers e x = true -> covers f x = true -> i = j).
(** Matchings, each with a duration, that contain every edge for as long as its weight. *)
Definition decomposition (E : list edge) (D : weighted) : Prop :=
  (forall d M, In (d, M) D -> 0 < d /\ matching E M) /\
  (forall i e, entry E i e -> containing i D == weight e).
Definition least_duration (E : list edge) (value : Q) : Prop :=
  (exists D, decomposition E D /\ total D == value) /\
  (forall D, decomposition E D -> value <= total D).

Definition count {A} (l : list A) : Z := Z.of_nat (length l).
(** A set S of 2k + 1 nodes contains at most k edges of a matching: it takes at least [inside E S / k]. *)
Definition odd_set (S : list vertex) (k : Z) : Prop :=
  NoDup S /\ count S = (2 * k + 1)%Z /\ (0 < k)%Z.
Definition largest_of_loads_and_odd_sets (E : list edge) (value : Q) : Prop :=
  (forall x, load E x <= value) /\ (forall S k, odd_set S k -> inside E S <= value * inject_Z k) /\
  ((exists x, load E x == value) \/ (exists S k, odd_set S k /\ inside E S == value * inject_Z k)).

(** One matching for each color; an edge has as many colors as copies (its weight). *)
Definition coloring (E : list edge) (C : list (list Z)) : Prop :=
  (forall M, In M C -> matching E M) /\
  (forall i e, entry E i e -> inject_Z (count (filter (fun M => listed M i) C)) == weight e).
Definition fewest_colors (E : list edge) (colors : Z) : Prop :=
  (exists C, coloring E C /\ count C = colors) /\ (forall C, coloring E C -> (colors <= count C)%Z).

(** ** Linear programs *)
(** A row: coefficients (a number of a variable and a coefficient each), and a right side. *)
Record row := Row { coefficients : list (Z * Q); right : Q }.
(** Maximize the sum of c x, row by row at most the right side; the rows in [equalities] hold with =, and the
    variables in [nonnegative] are at least 0. *)
Record program := Program { objective : list Q; rows : list row; equalities : list Z; nonnegative : list Z }.
(** Coefficients belong to variables. *)
Definition variable (P : program) (j : Z) : Prop := exists c, entry (objective P) j c.
Definition well_posed (P : program) : Prop :=
  (forall r j q, In r (rows P) -> In (j, q) (coefficients r) -> variable P j) /\
  (forall j, In j (nonnegative P) -> variable P j).
(** A point gives a number to each variable. *)
Definition left_side (r : row) (x : Z -> Q) : Q := sum (fun '(j, q) => q * x j) (coefficients r).
Definition objective_at (P : program) (x : Z -> Q) : Q :=
  sum (fun '(j, c) => c * x j) (numbered (objective P)).
Definition feasible (P : program) (x : Z -> Q) : Prop :=
  (forall i r, entry (rows P) i r -> left_side r x <= right r) /\
  (forall i r, entry (rows P) i r -> In i (equalities P) -> left_side r x == right r) /\
  (forall j, In j (nonnegative P) -> 0 <= x j).
(** What a linear program is: it has a maximum, no point, or points of any value. *)
Definition optimum (P : program) (value : Q) : Prop :=
  (exists x, feasible P x /\ objective_at P x == value) /\
  (forall x, feasible P x -> objective_at P x <= value).
Definition infeasible (P : program) : Prop := forall x, ~ feasible P x.
Definition unbounded (P : program) : Prop := forall b, exists x, feasible P x /\ b < objective_at P x.

(** ** What a document of each kind claims *)
Definition claims_maximum_flow N source sink value : Prop :=
  well_formed N /\ node N source /\ node N sink /\ maximum_flow N source sink value /\
  minimum_cut N source sink value.
Definition claims_minimum_root_cut N root value : Prop :=
  well_formed N /\ node N root /\ minimum_root_cut N root value.
Definition claims_branching_packing N roots : Prop :=
  well_formed N /\ root_sets N roots /\ exists B, meets N roots 1 B.
Definition claims_unmet_demand N roots entered needed : Prop :=
  well_formed N /\ root_sets N roots /\ (forall B, ~ meets N roots 1 B) /\
  exists S, (exists v, node N v /\ S v = true) /\ entering N S == entered /\ demand_beyond roots S == needed.
Definition claims_concurrent_branching_packing N roots value : Prop :=
  well_formed N /\ root_sets N roots /\ greatest_multiple N roots value.
Definition claims_arborescence_decomposition N root value : Prop :=
  well_formed N /\ node N root /\ maximum_packing N root value /\ minimum_root_cut N root value.
Definition claims_minimum_cost_arborescence N root value : Prop :=
  well_formed N /\ node N root /\ minimum_cost N root value /\ maximum_cut_packing N root value.
Definition claims_edge_coloring E colors : Prop :=
  graph E /\ bipartite E /\ fewest_colors E colors /\ largest_load E (inject_Z colors).
Definition claims_matching_decomposition E value : Prop :=
  graph E /\ bipartite E /\ least_duration E value /\ largest_load E value.
Definition claims_fractional_edge_coloring E value : Prop :=
  graph E /\ least_duration E value /\ largest_of_loads_and_odd_sets E value.
Definition claims_linear_optimum P value : Prop := well_posed P /\ optimum P value.
Definition claims_linear_infeasibility P : Prop := well_posed P /\ infeasible P.
Definition claims_linear_unboundedness P : Prop := well_posed P /\ unbounded P.
