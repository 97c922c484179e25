(** What is claimed about broadcast overlays on bounded multi-port machines. This file proves and computes
    nothing: read it, and trust only it. *)
From Coq Require Import QArith List Permutation.
Import ListNotations.
Open Scope Q_scope.

Fixpoint sum {A} (f : A -> Q) (l : list A) : Q := match l with [] => 0 | x :: l => f x + sum f l end.

(** A node sends to several others at once, to at most [degree], at rates of [bandwidth] together; it
    receives at most at the rate [incoming], if there is one. *)
Record node := Node { name : Z; bandwidth : Q; degree : Z; incoming : option Q }.

(** Everybody may send to everybody but the source, or only on the pairs (sender, receiver) of a list. *)
Record machine := Machine { source : node; others : list node; only : option (list (Z * Z)) }.

Definition nodes (m : machine) : list node := source m :: others m.
Definition names (l : list node) : list Z := map name l.

(** Something may be sent from u to v. *)
Definition allowed (m : machine) (u v : Z) : Prop :=
  In u (names (nodes m)) /\ In v (names (others m)) /\ u <> v /\
  match only m with None => True | Some l => In (u, v) l end.

(** A bound on the incoming rate of no receiver is exceeded. *)
Definition receivable (m : machine) (T : Q) : Prop :=
  forall v r, In v (others m) -> incoming v = Some r -> T <= r.

(** ** Overlays as trees *)

(** The arcs (sender, receiver) of a tree: every node but the source receives from one other, and there is a
    way back to the source, as depths grow along all arcs. *)
Definition arborescence (m : machine) (t : list (Z * Z)) : Prop :=
  (forall u v, In (u, v) t -> allowed m u v) /\
  Permutation (map snd t) (names (others m)) /\
  exists depth : Z -> Z, forall u v, In (u, v) t -> (depth u < depth v)%Z.

(** Trees, along each of which a part of the message is sent at some rate. *)
Record overlay := Overlay { trees : list (Q * list (Z * Z)) }.
Definition throughput (o : overlay) : Q := sum fst (trees o).

(** At what rate a node sends in all. *)
Definition sends (o : overlay) (u : Z) : Q :=
  sum (fun t => fst t * sum (fun a => if (fst a =? u)%Z then 1 else 0) (snd t)) (trees o).

Definition uses (o : overlay) (u v : Z) : Prop := exists t, In t (trees o) /\ In (u, v) (snd t).

Definition valid (m : machine) (o : overlay) : Prop :=
  (forall t, In t (trees o) -> 0 < fst t /\ arborescence m (snd t)) /\
  (forall i, In i (nodes m) -> sends o (name i) <= bandwidth i) /\
  receivable m (throughput o).

(** Every node sends to no more others than its degree says. *)
Definition within_degrees (m : machine) (o : overlay) : Prop :=
  forall i l, In i (nodes m) -> NoDup l -> (forall v, In v l -> uses o (name i) v) ->
  (Z.of_nat (length l) <= degree i)%Z.

(** What overlays are compared: all, those without cycles, and single trees. *)
Inductive structure := any | acyclic | tree.
Definition is_of (s : structure) (uses : Z -> Z -> Prop) : Prop :=
  match s with
  | any => True
  | acyclic => exists height : Z -> Z, forall u v, uses u v -> (height u < height v)%Z
  | tree => forall u u' v, uses u v -> uses u' v -> u = u'
  end.

(** An overlay with the throughput T. *)
Definition overlay_of (m : machine) (T : Q) : Prop := exists o, valid m o /\ throughput o == T.

(** An overlay of the structure, within the degrees, with the throughput T. *)
Definition reached (m : machine) (s : structure) (T : Q) : Prop :=
  exists o, valid m o /\ within_degrees m o /\ is_of s (uses o) /\ throughput o == T.

(** ** Overlays as rates, which is more liberal: what matters is what is sent into each set of nodes *)

Record connection := Connection { sender : Z; receiver : Z; rate : Q }.
Definition into (inside : Z -> bool) (c : list connection) : Q :=
  sum (fun x => if inside (receiver x) && negb (inside (sender x)) then rate x else 0) c.
Definition from (u : Z) (c : list connection) : list connection := filter (fun x => (sender x =? u)%Z) c.

(** Rates on different pairs of nodes, within bandwidths and degrees. *)
Definition valid_rates (m : machine) (c : list connection) : Prop :=
  NoDup (map (fun x => (sender x, receiver x)) c) /\
  (forall x, In x c -> allowed m (sender x) (receiver x) /\ 0 <= rate x) /\
  (forall i, In i (nodes m) -> sum rate (from (name i) c) <= bandwidth i) /\
  (forall i, In i (nodes m) -> (Z.of_nat (length (from (name i) c)) <= degree i)%Z).

(** At least T is sent into every set of nodes without the source, and nobody has to receive too much. *)
Definition carries (m : machine) (c : list connection) (T : Q) : Prop :=
  receivable m T /\
  forall inside, inside (name (source m)) = false -> (exists v, In v (others m) /\ inside (name v) = true) ->
  T <= into inside c.

Definition connects (c : list connection) (u v : Z) : Prop :=
  exists x, In x c /\ sender x = u /\ receiver x = v.

(** No rates of the structure carry more than T. *)
Definition never_more (m : machine) (s : structure) (T : Q) : Prop :=
  forall c T', valid_rates m c -> is_of s (connects c) -> carries m c T' -> T' <= T.

(** The best throughput of an overlay of the structure. *)
Definition best (m : machine) (s : structure) (T : Q) : Prop := reached m s T /\ never_more m s T.
