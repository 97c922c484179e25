(** Partitions for 7 <= L <= 13. Nothing is proved of them here: Rows.v checks them.

    The trees of the window are those of the page: natural branches, three larger ones from a table, and the root's own letters.
    Few exchanges for each L, found by a computer, serve all rows; 14 partitions are exceptions. *)
From Coq Require Import ZArith List Bool.
From Exactsched.continuous Require Import Definitions Hall Cycles Partitions Check Search Rows.
Import ListNotations.
Open Scope Z_scope.

(** A node all of whose children are leaves keeps all but one, which its sum prescribes. *)
Definition natural_branch (L d : Z) : list group * Z :=
  let k := d - L + 1 in
  if k =? 0 then ([], d)
  else let u := (d + k * (k - 1) / 2) mod k in ([(d, filter (fun x => negb (x =? u)) (places k))], u).

(** A branch without some leaves: its groups, the letters that it gives the root, and those that it takes from it. *)
Definition branch := (list group * list Z * list Z)%type.
Definition raise_branch (b : branch) : branch :=
  match b with (groups, plus, minus) => (map raise_group groups, map (Z.add 1) plus, map (Z.add 1) minus) end.
Definition found (table : list exception) (t lack : Z) : option exception :=
  find (fun x => match x with (t', lack', _, _) => (t' =? t) && (lack' =? lack) end) table.
Definition branches_at (L : Z) (table : list exception) (d lack : Z) : list branch :=
  if d <? 2 * L then let (groups, u) := natural_branch L d in [(groups, [u], [])]
  else match found table d lack with
       | Some (_, _, u, groups) => [(groups, [u], [])]
       | None => map (fun j => ([(L, []); (2 * L, 0 :: filter (fun x => negb (x =? j)) (map (Z.add 1) (places (L - 1))) ++ [j + 1])], [0; j], [j + 1])) [1; 2]
       end.
Definition branches_without (L : Z) (table : list exception) (d lack : Z) : list branch :=
  if (0 <? lack) && (lack =? if d <? 2 * L then 1 else d - 2 * L + 2)
  then map raise_branch (branches_at L table (d - 1) 0) else branches_at L table d lack.

(** The order in which leaves are dropped. *)
Definition dropping (L t lack : Z) : list Z :=
  let order := [2 * L; L] ++ map (Z.add (L + 3)) (places (L - 3)) ++
    [2 * L; 2 * L + 2; 2 * L + 2; 2 * L + 2; 2 * L + 2; L + 2; L + 1; 2 * L + 1; 2 * L + 1; 2 * L + 1] in
  firstn (Z.to_nat lack) (filter (fun d => d <=? t - L) order).

(** The first groups of 2, 3, 4 and 5 come first. *)
Fixpoint pulled (n : nat) (groups rest : list group) : list group :=
  match groups with
  | [] => rev rest
  | g :: groups => if Nat.eqb (length (snd g)) n then g :: rev_append rest groups else pulled n groups (g :: rest)
  end.
Definition ahead (groups : list group) : list group := pulled 1 (pulled 2 (pulled 3 (pulled 4 groups []) []) []) [].

Definition trees (L : Z) (table : list exception) (t lack : Z) : list tree :=
  let drops := dropping L t lack in
  let grown := fold_left (fun trs d =>
    let lack := Z.of_nat (length (filter (Z.eqb d) drops)) in
    flat_map (fun b => match b with (g, plus, minus) => map (fun tr => (fst tr ++ g,
      fold_left (fun pool x => match take_out x pool with Some p => p | None => pool end) minus (plus ++ snd tr))) trs end)
      (branches_without L table d lack)) (map (Z.add L) (places (t - 2 * L + 1))) [([], places L)] in
  map (fun tr => (ahead (fst tr), snd tr)) grown.

(** Before the window: the same branches, and the merged cycle. *)
Definition before_rows (L : Z) (table : list exception) : list before :=
  map (fun tm => match tm with (t, m) =>
    if t <? 2 * L then let (groups, u) := natural_branch L t in Blocks u groups
    else match found table t (fibonacci L t - m) with Some (_, _, u, groups) => Blocks u groups | None => merged L end end)
    (base_cases L (2 * L + 3)).

(** The letter at a place of the first group of some size becomes larger by a times the size. *)
Definition move (size place : nat) (a : Z) : nat * nat * Z := (pred size, place, a).

(** ** L = 7 *)
Definition branches_7 : list exception := [
  (14, 0, 3, [(14, [0; 0; 1; 2; 4; 5; 6]); (7, [])]); (14, 1, 2, [(14, [0; 1; 3; 4; 5; 6; 7])]); (15, 0, 1, [(15, [0; 0; 1; 2; 3; 4; 5; 6]); (8, [0]); (7, [])]); (15, 1, 2, [(15, [0; 0; 1; 1; 3; 4; 5; 7]); (8, [6])]); (15, 2,
  4, [(15, [1; 1; 2; 3; 5; 6; 7]); (8, [0])]); (16, 0, 0, [(16, [0; 0; 0; 1; 1; 1; 2; 3; 6]); (9, [4; 5]); (8, [2]); (7, [])]); (16, 1, 0, [(16, [0; 0; 1; 1; 1; 3; 5; 6; 7]); (9, [4; 2]); (8, [2])]); (16, 2, 2, [(16, [0; 0; 1;
  1; 1; 3; 5; 6; 7]); (9, [4; 2]); (8, [])]); (16, 3, 1, [(16, [0; 1; 1; 2; 2; 3; 4; 5; 6]); (9, [7]); (8, [])])].
Definition exchanges_7 : list exchanges := [
  []; [move 2 0 1]; [move 2 0 3; move 3 0 2]; [move 3 0 1; move 4 2 (-1)]; [move 3 1 1]; [move 2 0 1; move 4 2 (-1)]; [move 2 0 1; move 3 0 1; move 4 2 (-1)]; [move 2 0 2]; [move 2 0 1; move 3 0 2; move 3 1 1]; [move 2 0 1;
  move 4 0 1; move 4 1 1]; [move 2 0 1; move 3 0 1; move 4 1 1]; [move 2 0 1; move 4 1 1]; [move 2 0 2; move 4 1 1]; [move 2 0 1; move 3 0 1]; [move 2 0 2; move 3 1 1]; [move 2 0 2; move 3 0 2; move 3 1 1]; [move 2 0 2; move 3
  0 2; move 4 0 1]; [move 2 0 3; move 3 1 1]; [move 2 0 1; move 3 0 2]; [move 2 0 1; move 3 1 (-1)]; [move 2 0 1; move 3 0 2; move 5 0 1]; [move 2 0 2; move 3 0 2; move 5 0 1]; [move 5 0 1]; [move 2 0 3; move 4 2 (-1)]; [move 2
  0 3; move 3 1 1; move 5 1 1]; [move 2 0 3; move 5 0 1; move 5 1 1]; [move 3 1 (-1)]; [move 5 3 (-1)]; [move 2 0 2; move 3 0 2]; [move 2 0 3; move 3 0 1]; [move 2 0 2; move 3 1 (-1)]; [move 3 0 1; move 4 1 1]; [move 3 0 1];
  [move 4 0 1]; [move 3 0 2]; [move 2 0 3; move 5 0 1]; [move 2 0 3; move 5 1 1]; [move 5 0 1; move 5 1 1]; [move 2 0 1; move 5 0 1]; [move 3 1 (-1); move 4 0 1]; [move 2 0 1; move 3 0 1; move 3 1 (-1)]; [move 2 0 3; move 3 1
  1; move 4 1 1]].
Definition exceptions_7 : list exception := [
  (17, 0, 5, [(17, [0; 0; 0; 1; 1; 1; 1; 3; 3; 6]); (10, [2; 2; 2]); (9, [0; 0]); (8, [4]); (7, [])]); (17, 2, 4, [(17, [0; 0; 0; 1; 1; 2; 2; 2; 5]); (10, [1; 1]); (9, [3; 3]); (8, [6]); (7, [])]); (17, 3, 4, [(17, [0; 0; 1; 1;
  1; 1; 2; 2; 5]); (10, [2; 3]); (9, [3]); (8, [6]); (7, [])]); (18, 0, 4, [(18, [0; 0; 0; 0; 0; 0; 1; 1; 1; 1; 2]); (11, [1; 2; 2; 4]); (10, [2; 3; 5]); (9, [3; 3]); (8, [6]); (7, [])]); (18, 0, 6, [(18, [0; 0; 0; 0; 0; 0; 1;
  1; 1; 1; 2]); (11, [1; 2; 2; 4]); (10, [2; 3; 5]); (9, [3; 3]); (8, [4]); (7, [])]); (19, 0, 5, [(19, [0; 0; 0; 0; 0; 0; 3; 3; 3; 3; 4; 4]); (12, [0; 1; 1; 2; 2]); (11, [1; 1; 1; 1]); (10, [2; 2; 2]); (9, [4; 5]); (8, [6]);
  (7, [])]); (20, 2, 5, [(20, [0; 0; 0; 0; 0; 0; 1; 1; 1; 1; 1; 1]); (13, [1; 2; 2; 2; 4]); (12, [2; 2; 2; 3; 3]); (11, [3; 3; 3; 5]); (10, [4; 4; 6]); (9, [4; 5]); (8, [6]); (7, [])]); (21, 3, 5, [(21, [0; 0; 1; 1; 1; 2; 2; 2;
  2; 2; 2; 2; 4]); (14, [3; 3; 3; 3; 4; 5]); (13, [1; 1; 1; 1; 1]); (12, [0; 0; 0; 0; 0]); (11, [3; 3; 4; 4]); (10, [4; 5; 5]); (9, [6; 6]); (8, [6]); (7, []); (7, [])]); (23, 1, 6, [(23, [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 1;
  3; 4]); (16, [1; 1; 1; 1; 1; 2; 2; 2; 3]); (15, [1; 1; 1; 1; 2; 2; 2; 2]); (14, [0; 0; 0; 0; 0; 1; 1]); (13, [2; 2; 2; 3; 3; 3]); (12, [3; 3; 3; 4; 5]); (11, [4; 4; 5; 6]); (10, [4; 5; 5]); (9, [4; 5]); (9, [4; 5]); (8, [6]);
  (8, [6]); (8, [6]); (7, []); (7, []); (7, []); (7, [])])].

(** ** L = 8 *)
Definition branches_8 : list exception := [
  (16, 1, 7, [(16, [0; 1; 2; 3; 4; 5; 6; 8])]); (17, 0, 1, [(17, [0; 0; 0; 1; 2; 3; 4; 6; 7]); (9, [5]); (8, [])]); (17, 1, 1, [(17, [0; 0; 1; 2; 4; 5; 6; 7; 8]); (9, [3])]); (17, 2, 4, [(17, [0; 1; 1; 2; 3; 5; 6; 7; 8]); (9,
  [])]); (18, 0, 0, [(18, [0; 0; 0; 1; 1; 2; 4; 5; 6; 7]); (10, [3; 2]); (9, [1]); (8, [])]); (18, 1, 0, [(18, [0; 1; 1; 2; 3; 4; 5; 6; 7; 8]); (10, [0; 2]); (9, [1])]); (18, 2, 0, [(18, [0; 1; 1; 1; 2; 2; 3; 4; 5; 7]); (10,
  [6; 8]); (9, [])]); (18, 3, 1, [(18, [0; 1; 1; 2; 3; 4; 5; 6; 7; 8]); (10, [2]); (9, [])])].
Definition exchanges_8 : list exchanges := [
  [move 3 0 2]; [move 3 0 1]; [move 4 2 1]; [move 2 0 1; move 3 1 1]; [move 2 0 2; move 3 0 1]; [move 2 0 1; move 3 0 2]; [move 2 0 1]; [move 2 0 3; move 3 0 1]; []; [move 2 0 2; move 3 0 2]; [move 2 0 1; move 3 0 1; move 4 2
  (-1)]; [move 3 0 1; move 4 0 1; move 4 1 1]; [move 2 0 2; move 4 0 1; move 4 2 1]; [move 2 0 2]; [move 5 1 1]; [move 3 0 1; move 4 2 (-1)]; [move 2 0 3; move 3 0 1; move 4 0 1]; [move 2 0 2; move 3 0 2; move 4 0 1]; [move 3 0
  2; move 4 0 1; move 5 0 1]; [move 2 0 1; move 4 2 (-1)]; [move 2 0 3; move 3 0 2; move 4 0 1]; [move 2 0 3; move 3 0 2; move 5 2 1]; [move 2 0 3; move 4 0 1]; [move 3 1 1; move 4 2 1]; [move 4 0 1; move 4 2 1]; [move 2 0 3;
  move 3 0 2; move 3 1 2]; [move 2 0 1; move 5 2 1]; [move 2 0 3; move 3 0 2; move 4 0 2]; [move 2 0 3; move 3 1 2; move 4 0 1]; [move 2 0 1; move 3 0 2; move 3 1 (-1)]; [move 2 0 2; move 3 0 2; move 3 1 (-1)]; [move 2 0 3;
  move 3 0 2; move 5 0 1]; [move 2 0 3; move 3 1 2; move 5 0 1]; [move 2 0 3; move 4 0 2; move 5 0 1]; [move 2 0 3; move 5 0 1; move 5 2 1]; [move 2 0 3; move 3 0 1; move 4 2 (-1)]; [move 2 0 3; move 3 0 1; move 5 1 1]; [move 2
  0 3; move 4 0 2; move 4 2 1]; [move 2 0 2; move 3 0 2; move 4 0 1; move 4 2 1]; [move 2 0 3; move 3 0 1; move 3 1 2; move 5 1 1]].
Definition exceptions_8 : list exception := [
  (19, 2, 3, [(19, [0; 0; 1; 2; 2; 2; 3; 4; 5; 6]); (11, [0; 1]); (10, [1; 1]); (9, [7]); (8, [])]); (19, 2, 5, [(19, [0; 0; 0; 1; 1; 1; 1; 3; 3; 4]); (11, [2; 2]); (10, [2; 6]); (9, [7]); (8, [])]); (25, 3, 5, [(25, [0; 0; 0;
  0; 0; 0; 0; 0; 0; 0; 1; 1; 1; 1; 1; 4]); (17, [0; 1; 1; 1; 1; 1; 1; 4]); (16, [2; 2; 2; 2; 2; 3; 3]); (15, [2; 2; 2; 2; 3; 3; 3]); (14, [3; 3; 3; 4; 4; 4]); (13, [4; 4; 5; 5; 5]); (12, [5; 6; 6; 6]); (11, [5; 6; 6]); (10, [7;
  7]); (9, [7]); (9, [7]); (8, []); (8, []); (8, [])]); (26, 0, 7, [(26, [0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 0; 1; 1; 2; 2; 3; 3]); (18, [1; 1; 1; 1; 1; 2; 2; 2; 2; 2]); (17, [1; 1; 1; 1; 1; 2; 2; 2; 2]); (16, [0; 0; 0; 0; 0; 0;
  1; 1]); (15, [3; 3; 3; 3; 4; 4; 5]); (14, [3; 3; 3; 4; 4; 4]); (13, [4; 4; 4; 5; 6]); (12, [5; 5; 6; 7]); (11, [5; 6; 6]); (10, [5; 6]); (10, [5; 6]); (9, [7]); (9, [7]); (9, [7]); (8, []); (8, []); (8, []); (8, [])])].

(** ** L = 9 *)
Definition branches_9 : list exception := [
  (18, 0, 4, [(18, [0; 0; 1; 2; 3; 5; 6; 7; 8]); (9, [])]); (18, 1, 3, [(18, [0; 1; 2; 4; 5; 6; 7; 8; 9])]); (19, 0, 1, [(19, [0; 0; 1; 2; 3; 4; 5; 6; 7; 8]); (10, [0]); (9, [])]); (19, 1, 2, [(19, [0; 0; 1; 1; 3; 4; 5; 6; 7;
  9]); (10, [8])]); (19, 2, 1, [(19, [0; 1; 2; 3; 5; 6; 7; 8; 9]); (10, [4])]); (20, 0, 0, [(20, [0; 0; 0; 1; 1; 2; 2; 4; 5; 6; 7]); (11, [3; 1]); (10, [8]); (9, [])]); (20, 1, 0, [(20, [0; 1; 1; 2; 2; 3; 4; 5; 6; 7; 9]); (11,
  [0; 1]); (10, [8])]); (20, 2, 2, [(20, [0; 0; 1; 1; 2; 3; 4; 5; 7; 8; 9]); (11, [6; 1]); (10, [])]); (20, 3, 0, [(20, [1; 1; 1; 2; 2; 3; 4; 5; 6; 7; 8]); (11, [9]); (10, [])])].
Definition exchanges_9 : list exchanges := [
  [move 2 0 1]; [move 2 0 2]; [move 3 0 1]; [move 2 0 1; move 3 0 1]; []; [move 3 1 2]; [move 2 0 1; move 3 0 1; move 4 2 (-1)]; [move 3 0 1; move 4 2 (-1)]; [move 3 1 1; move 4 1 1]; [move 2 0 1; move 4 2 (-1)]; [move 2 0 4];
  [move 2 0 3; move 3 0 1; move 3 1 1]; [move 2 0 1; move 3 0 1; move 4 0 1]; [move 2 0 4; move 3 0 1; move 3 1 1]; [move 2 0 1; move 4 0 2]; [move 2 0 1; move 3 0 1; move 3 1 2]; [move 2 0 2; move 3 0 3]; [move 2 0 4; move 3 0
  3]; [move 2 0 3; move 3 0 1; move 3 1 2]; [move 2 0 3; move 3 0 3; move 3 1 1]; [move 2 0 4; move 3 0 1; move 5 0 1]; [move 2 0 4; move 5 0 1]; [move 2 0 2; move 3 0 3; move 3 1 2]; [move 2 0 2; move 3 0 2; move 3 1 2]; [move
  3 0 3; move 3 1 2]; [move 2 0 4; move 3 0 3; move 3 1 1]; [move 2 0 3; move 3 0 3; move 3 1 2]; [move 3 1 1]; [move 2 0 1; move 5 0 1]; [move 3 0 3; move 5 1 1]; [move 2 0 4; move 3 0 1; move 3 1 2]; [move 2 0 4; move 5 0 1;
  move 5 2 1]; [move 2 0 4; move 3 0 2; move 5 0 1]].

(** ** L = 10 *)
Definition branches_10 : list exception := [
  (20, 1, 9, [(20, [0; 1; 2; 3; 4; 5; 6; 7; 8; 10])]); (21, 0, 0, [(21, [0; 0; 1; 1; 2; 3; 4; 5; 6; 8; 9]); (11, [7]); (10, [])]); (21, 1, 0, [(21, [0; 1; 1; 2; 3; 4; 6; 7; 8; 9; 10]); (11, [5])]); (21, 2, 5, [(21, [0; 1; 1; 2;
  3; 4; 6; 7; 8; 9; 10]); (11, [])]); (22, 0, 0, [(22, [0; 0; 0; 1; 1; 2; 4; 5; 6; 7; 8; 9]); (12, [1; 2]); (11, [3]); (10, [])]); (22, 1, 0, [(22, [0; 0; 1; 1; 1; 2; 2; 3; 6; 8; 9; 10]); (12, [4; 5]); (11, [7])]); (22, 2, 0,
  [(22, [0; 1; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10]); (12, [1; 2]); (11, [])]); (22, 3, 1, [(22, [0; 1; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10]); (12, [2]); (11, [])])].
Definition exchanges_10 : list exchanges := [
  []; [move 3 0 1]; [move 2 0 1]; [move 2 0 2]; [move 3 0 1; move 4 0 2; move 4 1 2]; [move 2 0 2; move 3 1 2; move 4 1 2]; [move 2 0 1; move 3 1 1]; [move 3 1 2]; [move 2 0 4; move 3 0 2; move 3 1 1]; [move 2 0 2; move 4 0 1;
  move 4 1 2]; [move 2 0 2; move 4 0 2; move 4 1 2]; [move 2 0 2; move 3 0 1]; [move 4 0 2; move 4 1 2; move 5 2 1]; [move 2 0 4]; [move 2 0 2; move 3 0 1; move 4 1 2]; [move 2 0 4; move 3 0 1; move 3 1 1]; [move 2 0 2; move 3
  0 3]; [move 3 0 1; move 3 1 2]; [move 2 0 3; move 3 0 1; move 3 1 1]; [move 2 0 3; move 4 0 2; move 4 1 2]; [move 2 0 2; move 3 0 2]; [move 2 0 1; move 3 0 2; move 3 1 1]; [move 4 0 1; move 4 1 2; move 5 0 1]; [move 2 0 3;
  move 3 0 3]; [move 2 0 2; move 3 1 (-1)]; [move 2 0 3; move 3 0 3; move 4 0 2]; [move 2 0 2; move 3 0 2; move 3 1 2]; [move 2 0 3; move 3 0 3; move 3 1 1]; [move 2 0 1; move 3 0 1; move 4 0 2]; [move 2 0 2; move 3 0 3; move 3
  1 2]; [move 2 0 4; move 4 0 2; move 4 1 2]; [move 2 0 2; move 3 0 2; move 4 0 1]; [move 2 0 3; move 3 0 3; move 3 1 2]; [move 2 0 4; move 3 0 2; move 3 1 2]; [move 2 0 (-1)]; [move 2 0 4; move 3 0 1]; [move 3 0 3; move 3 1
  1]; [move 2 0 4; move 3 0 1; move 5 0 1]; [move 2 0 4; move 3 0 2; move 5 1 1]; [move 2 0 3]; [move 3 1 (-1)]; [move 2 0 1; move 4 0 2]; [move 3 0 1; move 4 2 1]; [move 2 0 1; move 3 0 1]; [move 2 0 2; move 3 1 1]; [move 4 0
  2; move 4 1 2]; [move 3 0 3; move 3 1 2]; [move 2 0 1; move 3 1 (-1)]; [move 2 0 4; move 3 0 3; move 3 1 2]; [move 2 0 4; move 4 0 1; move 4 2 2]; [move 2 0 3; move 3 1 2; move 5 0 2]; [move 2 0 2; move 3 0 2; move 4 0 2];
  [move 2 0 3; move 4 1 2; move 5 0 1]; [move 2 0 1; move 3 0 2; move 4 0 2; move 4 1 1]; [move 2 0 1; move 3 0 2; move 4 0 2; move 4 1 2]; [move 2 0 1; move 4 0 2; move 4 1 2; move 4 2 1]; [move 2 0 1; move 4 0 2; move 4 1 2;
  move 5 0 1]].
Definition exceptions_10 : list exception := [
  (23, 2, 5, [(23, [0; 0; 0; 1; 1; 2; 2; 2; 3; 3; 6; 9]); (13, [1; 1]); (12, [4; 8]); (11, [7]); (10, [])])].

(** ** L = 11 *)
Definition branches_11 : list exception := [
  (22, 0, 5, [(22, [0; 0; 1; 2; 3; 4; 6; 7; 8; 9; 10]); (11, [])]); (22, 1, 4, [(22, [0; 1; 2; 3; 5; 6; 7; 8; 9; 10; 11])]); (23, 0, 1, [(23, [0; 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10]); (12, [0]); (11, [])]); (23, 1, 2, [(23, [0;
  0; 1; 1; 3; 4; 5; 6; 7; 8; 9; 11]); (12, [10])]); (23, 2, 2, [(23, [0; 1; 1; 3; 5; 6; 7; 8; 9; 10; 11]); (12, [4])]); (24, 0, 0, [(24, [0; 0; 0; 1; 1; 1; 2; 4; 5; 6; 7; 9; 10]); (13, [3; 2]); (12, [8]); (11, [])]); (24, 1, 0,
  [(24, [0; 1; 1; 1; 2; 3; 4; 5; 6; 7; 9; 10; 11]); (13, [0; 2]); (12, [8])]); (24, 2, 2, [(24, [0; 0; 1; 1; 1; 3; 4; 5; 7; 8; 9; 10; 11]); (13, [6; 2]); (12, [])]); (24, 3, 1, [(24, [0; 1; 1; 2; 2; 3; 4; 5; 6; 7; 8; 10; 11]);
  (13, [9]); (12, [])])].
Definition exchanges_11 : list exchanges := [
  [move 2 0 5]; [move 2 0 1; move 3 0 2; move 3 1 1]; [move 3 0 3]; [move 3 0 3; move 3 1 1]; [move 2 0 1; move 3 0 2]; [move 2 0 5; move 3 1 1]; [move 2 0 2; move 3 0 1]; [move 3 0 1; move 3 1 1]; [move 2 0 1; move 3 0 3; move
  3 1 1]; [move 2 0 1; move 3 1 1]; [move 2 0 3; move 3 0 3]; [move 2 0 2]; [move 3 0 1]; [move 2 0 4; move 3 0 3]; [move 2 0 5; move 3 1 2]; [move 2 0 3; move 3 0 3; move 3 1 1]; [move 2 0 1]; [move 2 0 5; move 3 0 2; move 3 1
  1]; [move 2 0 3; move 3 1 2; move 4 1 2]; [move 2 0 2; move 3 0 3; move 4 1 2]; [move 2 0 4; move 3 0 2; move 4 1 2]; [move 2 0 4; move 4 0 2; move 4 1 2]; [move 2 0 3; move 3 0 3; move 4 1 2]; [move 2 0 1; move 3 0 3]; [move
  2 0 3; move 3 0 1]; [move 2 0 2; move 4 0 2]; [move 2 0 4; move 3 0 3; move 3 1 3]; [move 2 0 4; move 3 0 3; move 4 1 2]; []; [move 2 0 3; move 4 1 2]; [move 2 0 2; move 3 0 2]; [move 2 0 1; move 5 0 1]; [move 2 0 1; move 3 0
  1; move 4 1 2]; [move 4 0 2; move 4 1 2]; [move 2 0 5; move 5 0 1]; [move 2 0 5; move 4 1 2]; [move 2 0 2; move 3 0 3; move 3 1 2]; [move 2 0 5; move 4 0 2; move 4 1 2]; [move 2 0 3]; [move 2 0 4]; [move 2 0 2; move 4 0 2;
  move 4 1 2]; [move 2 0 3; move 3 0 1; move 4 1 2]; [move 2 0 3; move 3 0 3; move 3 1 2]].

(** ** L = 12 *)
Definition branches_12 : list exception := [
  (24, 1, 11, [(24, [0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 12])]); (25, 0, 1, [(25, [0; 0; 0; 1; 2; 3; 4; 5; 6; 8; 9; 10; 11]); (13, [7]); (12, [])]); (25, 1, 1, [(25, [0; 0; 1; 2; 3; 4; 6; 7; 8; 9; 10; 11; 12]); (13, [5])]); (25,
  2, 6, [(25, [0; 1; 1; 2; 3; 4; 5; 7; 8; 9; 10; 11; 12]); (13, [])]); (26, 0, 0, [(26, [0; 0; 1; 1; 2; 2; 3; 4; 6; 7; 8; 9; 10; 11]); (14, [0; 1]); (13, [5]); (12, [])]); (26, 1, 0, [(26, [0; 0; 1; 1; 2; 2; 3; 4; 5; 7; 8; 9;
  10; 12]); (14, [6; 1]); (13, [11])]); (26, 2, 2, [(26, [0; 1; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12]); (14, [0; 1]); (13, [])]); (26, 3, 1, [(26, [0; 1; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12]); (14, [2]); (13, [])])].
Definition exchanges_12 : list exchanges := [
  [move 2 0 2; move 3 0 3; move 3 1 3]; [move 2 0 3; move 3 0 3; move 3 1 3]; [move 2 0 3; move 3 0 2; move 3 1 3]; [move 2 0 5; move 3 0 3; move 4 2 1]; [move 2 0 5; move 3 0 3; move 3 1 2]; [move 2 0 5; move 3 0 1; move 3 1
  2]; [move 2 0 5; move 3 1 2; move 4 0 1]; [move 3 0 2; move 4 0 1; move 4 2 2]; [move 3 0 3; move 3 1 3; move 4 2 2]; [move 2 0 1; move 3 0 2; move 3 1 3]; [move 2 0 5; move 3 0 2]; [move 2 0 5; move 3 1 3; move 4 0 2]; [move
  2 0 3; move 3 0 2; move 3 1 1]; [move 2 0 5; move 3 0 3; move 3 1 3]; [move 2 0 1; move 3 0 2; move 3 1 2]; [move 2 0 2]; [move 2 0 1; move 3 1 1]; [move 3 0 2]; [move 2 0 2; move 3 0 1]; [move 2 0 2; move 3 0 2; move 3 1 1];
  [move 3 0 1]; []; [move 2 0 4]; [move 2 0 5]; [move 2 0 1]; [move 3 0 2; move 3 1 2]; [move 3 1 3]; [move 2 0 4; move 3 1 1]; [move 2 0 1; move 3 0 3; move 3 1 3]; [move 2 0 5; move 3 0 1; move 5 0 1]; [move 3 0 3; move 4 2
  2]; [move 2 0 5; move 3 0 2; move 3 1 2]; [move 3 0 1; move 4 0 2; move 4 2 2]; [move 2 0 2; move 3 0 3; move 4 2 2]; [move 2 0 5; move 3 0 2; move 4 1 2]; [move 2 0 1; move 3 0 4; move 3 1 3]; [move 2 0 2; move 3 0 2; move 3
  1 2]; [move 3 0 2; move 3 1 3]; [move 2 0 1; move 5 3 (-1)]; [move 3 0 2; move 5 3 (-1)]; [move 3 1 1]; [move 5 0 1]; [move 2 0 1; move 3 0 3]; [move 2 0 2; move 3 0 3]; [move 2 0 2; move 3 1 1]; [move 2 0 4; move 5 0 2];
  [move 2 0 5; move 5 0 2]; [move 2 0 3; move 3 0 4; move 3 1 3]; [move 2 0 4; move 3 0 4; move 3 1 2]; [move 2 0 3; move 3 0 2; move 4 0 2; move 4 2 2]].

(** ** L = 13 *)
Definition branches_13 : list exception := [
  (26, 0, 6, [(26, [0; 0; 1; 2; 3; 4; 5; 7; 8; 9; 10; 11; 12]); (13, [])]); (26, 1, 5, [(26, [0; 1; 2; 3; 4; 6; 7; 8; 9; 10; 11; 12; 13])]); (27, 0, 1, [(27, [0; 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11; 12]); (14, [0]); (13,
  [])]); (27, 1, 2, [(27, [0; 0; 1; 1; 3; 4; 5; 6; 7; 8; 9; 10; 11; 13]); (14, [12])]); (27, 2, 1, [(27, [0; 1; 2; 3; 4; 5; 7; 8; 9; 10; 11; 12; 13]); (14, [6])]); (28, 0, 0, [(28, [0; 0; 0; 1; 1; 1; 2; 3; 5; 6; 7; 9; 10; 11;
  12]); (15, [4; 2]); (14, [8]); (13, [])]); (28, 1, 0, [(28, [0; 0; 1; 1; 2; 3; 4; 5; 6; 7; 9; 10; 11; 12; 13]); (15, [1; 2]); (14, [8])]); (28, 2, 2, [(28, [0; 0; 1; 1; 1; 3; 4; 5; 6; 8; 9; 10; 11; 12; 13]); (15, [7; 2]);
  (14, [])]); (28, 3, 0, [(28, [1; 1; 1; 2; 2; 3; 4; 5; 6; 7; 8; 9; 10; 12; 13]); (15, [11]); (14, [])])].
Definition exchanges_13 : list exchanges := [
  [move 2 0 3]; [move 2 0 1; move 3 0 1; move 3 1 1]; [move 3 0 3]; [move 2 0 1; move 3 1 1]; [move 2 0 5]; [move 2 0 2]; [move 2 0 1; move 5 0 1]; [move 2 0 6]; [move 3 1 1]; [move 2 0 1; move 3 1 3]; [move 2 0 1]; [move 2 0
  2; move 3 1 3]; [move 2 0 1; move 3 0 3; move 3 1 1]; []; [move 2 0 6; move 3 1 1]; [move 2 0 1; move 3 0 1; move 4 2 (-1)]; [move 2 0 5; move 3 1 2]; [move 2 0 4; move 3 0 3]; [move 2 0 5; move 3 0 2; move 3 1 1]; [move 3 0
  3; move 3 1 3]; [move 3 0 1; move 4 2 (-1)]; [move 2 0 3; move 3 0 2; move 3 1 3]; [move 2 0 3; move 3 0 2; move 4 0 2]; [move 2 0 6; move 5 0 1; move 5 1 1]; [move 2 0 6; move 3 0 2; move 5 0 1]; [move 2 0 5; move 3 0 2;
  move 5 1 2]; [move 2 0 6; move 3 0 2; move 3 1 2]; [move 3 1 3; move 4 0 3; move 4 1 1]; [move 2 0 6; move 3 0 4; move 3 1 1]; [move 3 1 1; move 4 1 1]; [move 2 0 4]; [move 2 0 4; move 3 0 1]; [move 2 0 4; move 3 0 4; move 3
  1 3]; [move 2 0 4; move 4 0 3; move 4 2 2]; [move 3 1 3]; [move 2 0 5; move 3 1 1]; [move 2 0 4; move 3 0 4]; [move 2 0 5; move 3 0 4]; [move 5 1 2]; [move 4 2 (-1)]; [move 2 0 1; move 3 0 4; move 3 1 3]; [move 3 0 2]; [move
  2 0 2; move 4 0 3]; [move 2 0 3; move 3 1 3]; [move 2 0 3; move 4 0 3]; [move 2 0 5; move 3 0 2; move 3 1 3]; [move 2 0 3; move 3 0 3; move 4 0 3]; [move 2 0 6; move 3 0 3; move 3 1 3]; [move 2 0 1; move 4 0 3]; [move 2 0 6;
  move 3 0 3]; [move 2 0 6; move 4 1 2]; [move 3 1 3; move 4 1 2]; [move 2 0 6; move 3 0 4]; [move 2 0 1; move 3 1 3; move 4 0 2]; [move 2 0 3; move 3 0 4; move 4 1 2]; [move 2 0 5; move 3 0 4; move 3 1 2]].
