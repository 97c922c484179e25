(** Checkers of runs in synchronous rounds, and of proofs that fewer steps are not enough. Nothing is proved
    here. *)
From Coq Require Import ZArith List Bool FMapPositive.
From Exactsched.rounds Require Import Definitions Counting Tables.
Import ListNotations.
Open Scope Z_scope.

(** ** A run: the rows of `sends`, with indices of arcs and packets, as in documents *)

Definition port_key (r : port) : positive :=
  match r with
  | sending v => xO (key v)
  | receiving v => xI (xO (key v))
  | whole v => xI (xI (key v))
  end.

(** What is known while a run is read: until when ports are busy, and when nodes have packets. *)
Record state := State { busy : table; arrivals : PositiveMap.t table }.

Definition arrival (st : state) (node packet : Z) : option Z :=
  match PositiveMap.find (key node) (arrivals st) with
  | Some of_node => PositiveMap.find (key packet) of_node
  | None => None
  end.
Definition arrive (m : PositiveMap.t table) (node packet t : Z) : PositiveMap.t table :=
  let of_node := match PositiveMap.find (key node) m with Some l => l | None => PositiveMap.empty Z end in
  PositiveMap.add (key node) (PositiveMap.add (key packet) t of_node) m.

Definition at_origins (p : problem) : state :=
  State (PositiveMap.empty Z)
    (fold_right (fun k m => arrive m (source k) (number k) 0) (PositiveMap.empty table) (packets p)).

Definition free (m : port_model) (st : state) (x : transfer) : bool :=
  forallb (fun r => found (busy st) (port_key r) 0 <=? start x) (ports_of m (along x)).
Definition there (st : state) (x : transfer) : bool :=
  match arrival st (tail (along x)) (carried x) with Some t => t <=? start x | None => false end.
Definition after (m : port_model) (st : state) (x : transfer) : state :=
  State
    (fold_right (fun r t => PositiveMap.add (port_key r) (finish x) t) (busy st) (ports_of m (along x)))
    (arrive (arrivals st) (head (along x)) (carried x) (finish x)).

(** Reads transfers one after the other; every one is possible. *)
Fixpoint read (m : port_model) (s : schedule) (st : state) : option state :=
  match s with
  | [] => Some st
  | x :: s =>
      if (0 <=? start x) && (0 <? duration (along x)) && free m st x && there st x
      then read m s (after m st x) else None
  end.

Definition everywhere (p : problem) (st : state) (t : Z) : bool :=
  forallb (fun v => forallb (fun k =>
    match arrival st v (number k) with Some u => u <=? t | None => false end) (packets p)) (nodes p).

(** The arcs by their indices 0, 1, .... *)
Fixpoint numbered_from (i : Z) (l : list arc) : PositiveMap.t arc :=
  match l with
  | [] => PositiveMap.empty arc
  | a :: l => PositiveMap.add (key i) a (numbered_from (i + 1) l)
  end.

(** The transfers of one step, and of all steps from [step] on; none if an index is wrong. *)
Fixpoint row_of (known : PositiveMap.t arc) (step : Z) (row : list (Z * Z)) (later : schedule)
    : option schedule :=
  match row with
  | [] => Some later
  | (i, packet) :: row =>
      match PositiveMap.find (key i) known, row_of known step row later with
      | Some a, Some s => Some (Transfer a packet step :: s)
      | _, _ => None
      end
  end.
Fixpoint schedule_of (known : PositiveMap.t arc) (step : Z) (rows : list (list (Z * Z))) : option schedule :=
  match rows with
  | [] => Some []
  | row :: rows =>
      match schedule_of known (step + 1) rows with
      | Some later => row_of known step row later
      | None => None
      end
  end.

Definition check_rounds (p : problem) (rows : list (list (Z * Z))) (t : Z) : bool :=
  match schedule_of (numbered_from 0 (arcs p)) 0 rows with
  | Some s =>
      match read (ports p) s (at_origins p) with Some st => everywhere p st t | None => false end
  | None => false
  end.

(** ** Proofs that fewer steps are not enough *)

(** Arcs take time and join two nodes; every packet has a number of its own. *)
Definition well_formed (p : problem) : bool :=
  forallb (fun a => (0 <? duration a) && negb (tail a =? head a)) (arcs p) &&
  increasing (map number (packets p)).

(** No node has anything before its label, if labels rise by at most its duration along every arc. *)
Definition labels_hold (p : problem) (label : table) : bool :=
  forallb (fun a => value label (head a) <=? value label (tail a) + duration a) (arcs p) &&
  forallb (fun k => value label (source k) <=? 0) (packets p).

(** A set of nodes, and its weight or price. *)
Record weighted_set := Weighted { members : list Z; weight : Z }.

(** Prices of ports and odd sets, and the cuts that they pay for. Nothing that is paid starts before
    [idle]. *)
Record occupancy := Occupancy {
  prices : list (port * Z); odd_sets : list weighted_set; cuts : list weighted_set;
  labels : list (Z * Z); idle : Z }.

Definition price_table (o : occupancy) : table :=
  of_list (map (fun ry => (port_key (fst ry), snd ry)) (prices o)).
Definition inside (c : set) (a : arc) : bool := member (tail a) c && member (head a) c.
Definition enters (c : set) (a : arc) : bool := negb (member (tail a) c) && member (head a) c.
Definition weighted (l : list weighted_set) : list (set * Z) :=
  map (fun c => (set_of (members c), weight c)) l.

Definition port_prices (m : port_model) (y : table) (a : arc) : Z :=
  total (fun r => found y (port_key r) 0) (ports_of m a).
Definition set_prices (odd : list (set * Z)) (a : arc) : Z :=
  total (fun c => if inside (fst c) a then snd c else 0) odd.
Definition cut_weights (some : list (set * Z)) (a : arc) : Z :=
  total (fun c => if enters (fst c) a then snd c else 0) some.

Definition size (l : list Z) : Z := total (fun _ => 1) l.
Definition spent (o : occupancy) : Z :=
  total snd (prices o) + total (fun c => weight c * (size (members c) / 2)) (odd_sets o).
Definition needed (p : problem) (some : list (set * Z)) : Z :=
  total (fun c => snd c * count (fun k => negb (member (source k) (fst c))) (packets p)) some.

Definition check_occupancy (p : problem) (o : occupancy) (b : Z) : bool :=
  let y := price_table o in
  let odd := weighted (odd_sets o) in
  let some := weighted (cuts o) in
  let label := table_of (labels o) in
  let known := set_of (nodes p) in
  labels_hold p label && (0 <=? idle o) &&
  forallb (fun ry => 0 <=? snd ry) (prices o) &&
  forallb (fun c => 0 <=? weight c) (odd_sets o) &&
  forallb (fun c => (0 <=? weight c) && existsb (fun v => member v known) (members c)) (cuts o) &&
  match odd_sets o, ports p with [], _ => true | _, half_duplex => true | _, one_port => false end &&
  forallb (fun a => let paid := port_prices (ports p) y a + set_prices odd a in
    (cut_weights some a <=? duration a * paid) &&
    ((paid =? 0) || (idle o <=? value label (tail a)))) (arcs p) &&
  (0 <? spent o) && (0 <? needed p some) && ((b - 1 - idle o) * spent o <? needed p some).

(** Where every arc takes one step, the last step may have prices of its own. A packet that enters a set of nodes
    for the first time in the last step reaches all of its nodes from outside, so other sets do not count. *)
Definition at_once (arcs : list arc) (c : weighted_set) : bool :=
  let inside := set_of (members c) in
  let heads := set_of (map head (filter (enters inside) arcs)) in
  forallb (fun v => member v heads) (members c).

Definition prices_hold (m : port_model) (o : occupancy) : bool :=
  forallb (fun ry => 0 <=? snd ry) (prices o) && forallb (fun c => 0 <=? weight c) (odd_sets o) &&
  match m with half_duplex => true | one_port => match odd_sets o with [] => true | _ => false end end.

Definition check_last_step (p : problem) (o last : occupancy) (b : Z) : bool :=
  let y := price_table o in
  let odd := weighted (odd_sets o) in
  let some := weighted (cuts o) in
  let y' := price_table last in
  let odd' := weighted (odd_sets last) in
  let once := weighted (filter (at_once (arcs p)) (cuts o)) in
  let known := set_of (nodes p) in
  prices_hold (ports p) o && prices_hold (ports p) last &&
  forallb (fun c => (0 <=? weight c) && existsb (fun v => member v known) (members c) &&
    forallb (fun v => member v known) (members c)) (cuts o) &&
  forallb (fun a => (duration a =? 1) &&
    (cut_weights some a <=? port_prices (ports p) y a + set_prices odd a) &&
    (cut_weights once a <=? port_prices (ports p) y' a + set_prices odd' a)) (arcs p) &&
  (0 <? needed p some) && ((b - 2) * spent o + spent last <? needed p some).

(** The packets of one node leave it one after the other, and the last one still has to reach a target, for
    which it takes [distances] from there on. *)
Record farthest := Farthest { origin : Z; target : Z; leaving : Z; distances : list (Z * Z) }.

Definition check_distance (p : problem) (d : farthest) (b : Z) : bool :=
  let label := table_of (distances d) in
  let own := count (fun k => source k =? origin d) (packets p) in
  member (target d) (set_of (nodes p)) && negb (target d =? origin d) &&
  (value label (origin d) <=? 0) && (0 <=? leaving d) && (0 <? own) &&
  forallb (fun a => (value label (head a) <=? value label (tail a) + duration a) &&
    (negb (tail a =? origin d) || (leaving d <=? duration a))) (arcs p) &&
  (b <=? (own - 1) * leaving d + value label (target d)).

(** ** Counting: how many nodes can have been informed, and so can send, or receive far away *)

(** Nodes that are counted together; the far ones are those whose packets are counted. *)
Record group := Group { far : bool; side : bool; group_members : list Z }.

(** [even] and [odd]: of every node the least lengths of walks from sources to it, of either parity, or less.
    [bounds]: how many transfers to far nodes are under way in rounds 0, 1, ..., at most; a round is [fastest]
    steps long. [entry]: the least duration of an arc into a far node. *)
Record counting := Counting {
  groups : list group; two_sided : bool; sources : list Z; even : list (Z * Z); odd : list (Z * Z);
  entry : list (Z * Z); fastest : Z; slow_rounds : Z; bounds : list Z }.

(** Binomial coefficients times the number of sources, row by row, cut off at a number that is large
    enough. *)
Fixpoint next_row (limit last : Z) (row : list Z) : list Z :=
  match row with
  | [] => [Z.min limit last]
  | x :: row => Z.min limit (last + x) :: next_row limit x row
  end.

(** How many of the nodes have a walk of length l, l + 1, .... *)
Fixpoint walks (driver : list Z) (l : Z) (this other : table) (g : list Z) : list Z :=
  match driver with
  | [] => []
  | _ :: driver => count (fun v => value this v <=? l) g :: walks driver (l + 1) other this g
  end.

(** At most this many nodes of a group have been reached by chains, of whatever lengths. *)
Fixpoint chains (row ws : list Z) (most : Z) : Z :=
  match row, ws with
  | [], _ => 0
  | x :: row, w :: ws => Z.min x w + chains row ws most
  | x :: row, [] => Z.min x most + chains row [] most
  end.

(** A group with its number of nodes and its walks. *)
Record prepared := Prepared { of_group : group; most : Z; its_walks : list Z }.

Definition informed (g : prepared) (row : list Z) : Z := Z.min (most g) (chains row (its_walks g) (most g)).

(** How many nodes are informed: all, the far ones, those on either side. *)
Record numbers := Numbers { all_n : Z; far_n : Z; this_n : Z; that_n : Z }.
Definition numbers_of (f : prepared -> Z) (gs : list prepared) : numbers :=
  Numbers (total f gs) (total (fun g => if far (of_group g) then f g else 0) gs)
    (total (fun g => if side (of_group g) then f g else 0) gs)
    (total (fun g => if side (of_group g) then 0 else f g) gs).
Fixpoint numbers_by_round (driver : list Z) (limit : Z) (row : list Z) (gs : list prepared) : list numbers :=
  match driver with
  | [] => []
  | _ :: driver =>
      numbers_of (fun g => informed g row) gs :: numbers_by_round driver limit (next_row limit 0 row) gs
  end.

Fixpoint drop (c : Z) (l : list numbers) : list numbers :=
  match l with [] => [] | x :: l' => if c <=? 0 then l else drop (c - 1) l' end.

(** How many transfers can be under way, if senders are those informed now, and receivers those informed
    later. *)
Definition most_transfers (m : port_model) (bipartite : bool) (now later : numbers) : Z :=
  let few := Z.min (all_n now) (far_n later) in
  match m with
  | one_port => few
  | half_duplex => Z.min few (if bipartite then Z.min (this_n later) (that_n later) else all_n later / 2)
  end.

(** The stated numbers are no less than these, round by round. *)
Fixpoint no_less (m : port_model) (bipartite : bool) (final : numbers) (now later : list numbers)
    (ms : list Z) : bool :=
  match ms with
  | [] => true
  | x :: ms =>
      let '(n, now) := match now with n :: now => (n, now) | [] => (final, []) end in
      let '(n', later) := match later with n :: later => (n, later) | [] => (final, []) end in
      (most_transfers m bipartite n n' <=? x) && no_less m bipartite final now later ms
  end.

(** How many steps of transfers there are within a time. *)
Fixpoint capacity (round ever : Z) (ms : list Z) (time : Z) : Z :=
  match ms with
  | [] => time * ever
  | x :: ms => if time <=? round then time * x else round * x + capacity round ever ms (time - round)
  end.

Definition near_nodes (c : counting) : list Z := flat_map group_members (groups c).
Definition far_nodes (c : counting) : list Z := flat_map group_members (filter far (groups c)).
Definition this_side (c : counting) : list Z := flat_map group_members (filter side (groups c)).

Definition work (p : problem) (fars : list Z) (far_set : set) (quickest : table) : Z :=
  total (fun _ => 1) (packets p) * total (value quickest) fars -
  total (fun k => if member (source k) far_set then value quickest (source k) else 0) (packets p).

Definition check_counting (p : problem) (c : counting) (b : Z) : bool :=
  let known := set_of (nodes p) in
  let near_set := set_of (near_nodes c) in
  let far_set := set_of (far_nodes c) in
  let this := set_of (this_side c) in
  let quickest := table_of (entry c) in
  let evens := table_of (even c) in
  let odds := table_of (odd c) in
  let origins := set_of (sources c) in
  let gs := map (fun g => Prepared g (size (group_members g))
                            (walks (bounds c) 0 evens odds (group_members g))) (groups c) in
  let limit := 1 + size (near_nodes c) in
  let final := numbers_of most gs in
  let rows := numbers_by_round (bounds c) limit [size (sources c)] gs in
  let ever := most_transfers (ports p) (two_sided c) final final in
  distinct (far_nodes c) (PositiveMap.empty unit) &&
  forallb (fun v => member v known && (0 <=? value quickest v)) (far_nodes c) &&
  forallb (fun k => member (source k) origins && (value evens (source k) <=? 0)) (packets p) &&
  (0 <? fastest c) && (0 <=? slow_rounds c) &&
  forallb (fun a =>
    (fastest c <=? duration a) && (duration a <=? slow_rounds c * fastest c) &&
    (value odds (head a) <=? value evens (tail a) + 1) &&
    (value evens (head a) <=? value odds (tail a) + 1) &&
    (negb (member (head a) far_set) ||
      (value quickest (head a) <=? duration a) && member (tail a) near_set &&
      (negb (two_sided c) || xorb (member (tail a) this) (member (head a) this)))) (arcs p) &&
  no_less (ports p) (two_sided c) final rows (drop (slow_rounds c) rows) (bounds c) &&
  ((b <=? 0) || (capacity (fastest c) ever (bounds c) (b - 1) <? work p (far_nodes c) far_set quickest)).

(** ** What is stated *)

Inductive proof :=
  | by_nothing
  | by_occupancy (o : occupancy)
  | by_last_step (o last : occupancy)
  | by_distance (d : farthest)
  | by_counting (c : counting).

Definition proves (p : problem) (why : proof) (b : Z) : bool :=
  match why with
  | by_nothing => b <=? 0
  | by_occupancy o => well_formed p && check_occupancy p o b
  | by_last_step o last => well_formed p && check_last_step p o last b
  | by_distance d => well_formed p && check_distance p d b
  | by_counting c => well_formed p && check_counting p c b
  end.

(** A bound, rounded up to a multiple of what divides all durations. *)
Definition check_bound (p : problem) (why : proof) (before_rounding divisor b : Z) : bool :=
  proves p why before_rounding && (0 <? divisor) &&
  forallb (fun a => duration a mod divisor =? 0) (arcs p) &&
  (b <=? (before_rounding + divisor - 1) / divisor * divisor).

(** A run of t steps, and a proof that fewer are not enough. *)
Definition check_optimal (p : problem) (rows : list (list (Z * Z))) (why : proof)
    (before_rounding divisor t : Z) : bool :=
  (0 <=? t) && check_rounds p rows t && check_bound p why before_rounding divisor t.
