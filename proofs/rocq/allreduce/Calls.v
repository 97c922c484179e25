(** What is said about one-way calls: who knows what after them, where they lead, which trees they contain,
    what they cost. Definitions only. *)
From Coq Require Import ZArith QArith List.
From Exactsched Require Import Model.
Import ListNotations.

(** ** Knowledge *)

(** In the call (u, v), u tells v all that u knows. *)
Definition call := (node * node)%type.

(** Who knows a token after the call c, if [K] are those who know it before. *)
Definition tell (K : node -> Prop) (c : call) : node -> Prop :=
  fun v => K v \/ (v = snd c /\ K (fst c)).

(** Who knows it after a sequence of calls, made one after the other. *)
Definition knowers (calls : list call) (K : node -> Prop) : node -> Prop := fold_left tell calls K.

(** At first everybody knows only his own value; in the end everybody knows all values. *)
Definition complete (nodes : list node) (calls : list call) : Prop :=
  forall v w, In v nodes -> In w nodes -> knowers calls (eq w) v.

(** Every call is between members. *)
Definition among (nodes : list node) (calls : list call) : Prop :=
  forall u v, In (u, v) calls -> In u nodes /\ In v nodes.

(** ** Trees *)

(** Calls of [l], in any order, lead from u to v. *)
Inductive leads (l : list call) (u : node) : node -> Prop :=
| here : leads l u u
| along v w : leads l u v -> In (v, w) l -> leads l u w.

(** The links of a network: [ends a] is the call that link a carries; several links may join the same
    nodes. *)
Section Network.
Context {A : Type}.
Variable ends : A -> call.
Variable nodes : list node.

(** J leads from every member to r; O leads from r to every member. *)
Definition gathers (r : node) (J : list A) : Prop := forall v, In v nodes -> leads (map ends J) v r.
Definition spreads (r : node) (O : list A) : Prop := forall v, In v nodes -> leads (map ends O) r v.

(** An in-tree: one link out of every other node at most, none out of the root. An out-tree: the reverse. *)
Definition in_tree (r : node) (J : list A) : Prop :=
  gathers r J /\ NoDup (map (fun a => fst (ends a)) J) /\ ~ In r (map (fun a => fst (ends a)) J).
Definition out_tree (r : node) (O : list A) : Prop :=
  spreads r O /\ NoDup (map (fun a => snd (ends a)) O) /\ ~ In r (map (fun a => snd (ends a)) O).

(** ** Prices *)

(** A call goes into, out of, a set of nodes. *)
Definition is_in (x : node) (Y : list node) : bool := if in_dec Z.eq_dec x Y then true else false.
Definition goes_into (Y : list node) (c : call) : bool := negb (is_in (fst c) Y) && is_in (snd c) Y.
Definition goes_out_of (Y : list node) (c : call) : bool := is_in (fst c) Y && negb (is_in (snd c) Y).

(** Weighted sets, each with a member and without r; no link crosses sets of more weight than its price. *)
Definition packing (links : list A) (price : A -> Q) (r : node) (crosses : list node -> call -> bool)
    (sets : list (list node * Q)) : Prop :=
  (forall Y w, In (Y, w) sets -> 0 <= w /\ ~ In r Y /\ exists v, In v Y /\ In v nodes)%Q /\
  forall a, In a links -> (sum (fun s => if crosses (fst s) (ends a) then snd s else 0) sets <= price a)%Q.
End Network.
