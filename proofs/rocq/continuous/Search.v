(** A search for partitions. Nothing is proved of it: what it finds is checked. *)
From Coq Require Import ZArith List Bool.
From Exactsched.continuous Require Import Definitions Hall Cycles Partitions Check.
Import ListNotations.
Open Scope Z_scope.

(** How often there is each letter, the largest letter first. *)
Definition stock := list (Z * Z).
Definition taken (x : Z) (s : stock) : stock := map (fun xn => if fst xn =? x then (x, snd xn - 1) else xn) s.

(** An answer, and the number of blocks that may still be tried. *)
Definition answer := (option (list group) * Z)%type.

(** All ways to take so many letters whose sum is right modulo the size, few large ones first. *)
Fixpoint words (s : stock) (size many sum : Z) (word : list Z) (left : stock) (then_ : list Z -> stock -> Z -> answer)
  (tries : Z) {struct s} : answer :=
  if many =? 0 then (if sum mod size =? 0 then then_ word (rev_append left s) tries else (None, tries))
  else match s with
       | [] => (None, tries)
       | (x, n) :: s' =>
         (fix times (k : nat) (used : Z) (word : list Z) (tries : Z) : answer :=
            match words s' size (many - used) (sum + used * x) word ((x, n - used) :: left) then_ tries with
            | (None, tries') => match k with
                                | S k' => if 0 <? tries' then times k' (used + 1) (x :: word) tries' else (None, 0)
                                | O => (None, tries')
                                end
            | found => found
            end) (Z.to_nat (Z.min n many)) 0 word tries
       end.

(** Blocks for the headers, each with its size; the root's block takes what is left. *)
Fixpoint fill (headers : list (Z * Z)) (root : Z * Z) (balls : Z -> bool) (s : stock) (groups : list group) (tries : Z) : answer :=
  if tries <=? 0 then (None, 0) else
  match headers with
  | [] => let letters := flat_map (fun xn => repeat (fst xn) (Z.to_nat (snd xn))) s in
          let sum := fst root + total letters in
          if (sum mod snd root =? 0) && balls (sum / snd root)
          then (Some ((fst root, letters) :: groups), tries) else (None, tries - 1)
  | (h, size) :: headers =>
    words s size (size - 1) h [] [] (fun word s' => fill headers root balls s' ((h, word) :: groups)) (tries - 1)
  end.

(** The nodes with children, in the order in which they lose their last leaf: the root is (t, t - L + 1). *)
Fixpoint pruned (nodes : list (Z * Z)) (lack : Z) : list (Z * Z) :=
  match nodes with
  | [] => []
  | (h, size) :: nodes => if 0 <? lack then (h, size - 1) :: pruned nodes (lack - 1) else (h, size) :: nodes
  end.
Definition tried (L t lack : Z) (order : list (Z * Z) -> list (Z * Z)) (balls : Z -> bool) (tries u : Z) : option (list group) :=
  let sizes := map (Z.add 1) (places (t - 2 * L + 1)) in
  let inner := flat_map (fun r => repeat (L - 1 + r, r) (Z.to_nat (fibonacci L (t - 2 * L + 1 - r)))) sizes in
  let nodes := pruned (order ((t, t - L + 1) :: inner)) lack in
  let leaf_again := Z.of_nat (length (filter (fun hs => snd hs =? 0) nodes)) in
  let s := (L, leaf_again) :: map (fun x => (x, (if x <=? t - L then fibonacci L (t - x - L) else 0) - (if x =? 0 then lack else 0)))
                                (rev (places L)) in
  let size_is := fun r => filter (fun hs => (snd hs =? r) && negb (fst hs =? t)) nodes in
  match filter (fun hs => fst hs =? t) nodes with
  | root :: _ => if existsb (fun xn => (fst xn =? u) && (0 <? snd xn)) s
                 then fst (fill (flat_map size_is (rev sizes)) root balls (taken u s) [] tries) else None
  | [] => None
  end.

Definition orders : list (list (Z * Z) -> list (Z * Z)) :=
  [ (fun l => filter (fun hs => (snd hs =? 1) || (3 <? snd hs)) (tl l) ++ firstn 1 l ++
              filter (fun hs => snd hs =? 3) (tl l) ++ filter (fun hs => snd hs =? 2) (tl l));
    (fun l => tl l ++ firstn 1 l); (fun l => firstn 1 l ++ rev (tl l)) ].

Fixpoint first_of {A B} (f : A -> option B) (l : list A) : option B :=
  match l with [] => None | x :: l => match f x with Some y => Some y | None => first_of f l end end.

(** Few tries in every order, before many in one. *)
Definition patience : list Z := [30; 300; 3000; 30000].
Definition search (L : Z) (tmu : Z * Z * Z) : list group :=
  let '(t, m, u) := tmu in
  let lack := fibonacci L t - m in
  let balls := fun b => (2 <=? b) && (b <=? if lack =? 0 then L - 1 else L) in
  match first_of (fun tries => first_of (fun order => tried L t lack order balls tries u) orders) patience with
  | Some groups => groups
  | None => []
  end.
Definition search_any (L : Z) (tm : Z * Z) : before :=
  let (t, m) := tm in
  let lack := fibonacci L t - m in
  match first_of (fun tries => first_of (fun u => first_of (fun order =>
          option_map (pair u) (tried L t lack order (fun _ => true) tries u)) orders) (places (L + 1))) patience with
  | Some (u, groups) => Blocks u groups
  | None => Blocks 0 []
  end.

(** The exception, even L and L + 3 processors: one cycle of two nodes with children and L letters. *)
Definition merged (L : Z) : before :=
  let half := L / 2 in
  let letters := places (half - 2) ++ map (Z.add (half - 1)) (places half) in
  Merged [combine (places (L + 2)) ((2 * L, L + 1) :: (0, 0) :: (L - 1, 0) :: map (fun x => (x, 0)) letters ++ [(L, 1)]);
          [(0, (half - 2, 0))]].
Definition base (L first : Z) : list before :=
  map (fun tm => if (L mod 2 =? 0) && (snd tm =? L + 3) then merged L else search_any L tm) (base_cases L first).
Definition window (L first : Z) : list (list group) := map (search L) (window_cases L first).
