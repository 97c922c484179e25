(** A cheapest spanning arborescence, and root cuts that prove it (Chu and Liu 1965, Edmonds 1967, Fulkerson 1974): the
    program. It runs; that it is right is proved in Right.v. *)
From Coq Require Import QArith List Arith ZArith Bool.
From Exactsched Require Import Model Collectives.
From Exactsched.existence Require Import Definitions.
Import ListNotations.
Open Scope Q_scope.

Definition mem (v : node) (l : list node) : bool := existsb (Z.eqb v) l.
(** The arcs with their numbers; all arcs turned round. *)
Definition indexed (arcs : list arc) : list (nat * arc) := List.combine (numbers arcs) arcs.
Definition turned (arcs : list arc) : list arc := map (fun a => Arc (head a) (tail a) (cost a)) arcs.
Definition free (a : arc) : bool := Qle_bool (cost a) 0.

(** From the nodes that are reached, one usable arc after the other is taken that leads to a new node. *)
Fixpoint grow (usable : nat -> arc -> bool) (l : list (nat * arc)) (fuel : nat) (reached : list node) (t : list nat)
  : list node * list nat :=
  match fuel with
  | O => (reached, t)
  | S fuel =>
    match find (fun ia => usable (fst ia) (snd ia) && mem (tail (snd ia)) reached && negb (mem (head (snd ia)) reached)) l with
    | Some (i, a) => grow usable l fuel (head a :: reached) (i :: t)
    | None => (reached, t)
    end
  end.
Definition reach (nodes : list node) (usable : nat -> arc -> bool) (arcs : list arc) (v : node) : list node * list nat :=
  grow usable (indexed arcs) (length nodes) [v] [].

(** The nodes from which free arcs lead to v; a shortest list; the least cost. *)
Definition behind (nodes : list node) (arcs : list arc) (v : node) : list node :=
  fst (reach nodes (fun _ => free) (turned arcs) v).
Fixpoint shortest (l : list (list node)) (best : list node) : list node :=
  match l with [] => best | X :: l => shortest l (if (length X <? length best)%nat then X else best) end.
Fixpoint least (l : list Q) (best : Q) : Q :=
  match l with [] => best | q :: l => least l (if Qle_bool q best then q else best) end.

Definition enters (X : list node) (a : arc) : bool := negb (mem (tail a) X) && mem (head a) X.
(** The arcs that enter X get cheaper. *)
Definition lower (X : list node) (d : Q) (arcs : list arc) : list arc :=
  map (fun a => if enters X a then Arc (tail a) (head a) (Qred (cost a - d)) else a) arcs.
(** X is to be entered once: by the arc of the tree that entered it first. Free arcs lead on inside. *)
Definition once (nodes : list node) (arcs : list arc) (root : node) (X : list node) (t : list nat) : list nat :=
  let first := find (fun i => mem (head (arc_of arcs i)) X) (rev t) in
  snd (reach nodes (fun i a =>
    (listed i t && negb (mem (head a) X)) ||
    match first with Some j => (i =? j)%nat | None => false end ||
    (free a && mem (tail a) X && mem (head a) X)) arcs root).

(** While free arcs do not reach all nodes from the root, a smallest set X that no free arc enters pays for the arcs that
    enter it. *)
Fixpoint cheapest_within (fuel : nat) (nodes : list node) (arcs : list arc) (root : node)
  : option (list nat * list (list node * Q)) :=
  match fuel with
  | O => None
  | S fuel =>
    let (reached, t) := reach nodes (fun _ => free) arcs root in
    match filter (fun v => negb (mem v reached)) nodes with
    | [] => Some (t, [])
    | v :: others =>
      let X := shortest (map (behind nodes arcs) others) (behind nodes arcs v) in
      match map cost (filter (enters X) arcs) with
      | [] => None
      | q :: costs =>
        let d := least costs q in
        match cheapest_within fuel nodes (lower X d arcs) root with
        | None => None
        | Some (t, cuts) => Some (once nodes arcs root X t, (X, d) :: cuts)
        end
      end
    end
  end.
Definition cheapest (nodes : list node) (arcs : list arc) (root : node) : option (list nat * list (list node * Q)) :=
  cheapest_within (S (length arcs)) nodes arcs root.
