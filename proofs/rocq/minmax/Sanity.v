(** The definitions say what is meant: small examples of every kind, worked by hand; answers are unique; what
    should be excluded is excluded. *)
From Coq Require Import QArith List ZArith Lia Lqa.
From Exactsched.minmax Require Import Definitions Tables Flow RootCut Branchings Arborescences
  MinimumCostArborescence Matchings EdgeColoring OddSets LinearProgram.
Import ListNotations.
Open Scope Q_scope.

(** ** Flows, cuts, branchings: 0 sends 1/2 to 1 and 1 to 2, 1 sends 1 to 2, 2 sends 1/3 to 1. *)
Definition three : network := Network 3 [Arc 0 1 (1#2); Arc 0 2 1; Arc 1 2 1; Arc 2 1 (1#3)].
Example flow_into_1 : claims_maximum_flow three 0 1 (5#6).
Proof. apply check_maximum_flow_sound with (f := [1#2; 1#3; 0; 1#3]) (cut := [0; 2]%Z). reflexivity. Qed.
Example cut_of_1 : claims_minimum_root_cut three 0 (5#6).
Proof.
  apply check_minimum_root_cut_sound with (cut := [1%Z])
    (flows := [(1%Z, [(0%Z, 1#2); (1%Z, 1#3); (3%Z, 1#3)]); (2%Z, [(1%Z, 1)])]). reflexivity.
Qed.
Example two_trees : claims_arborescence_decomposition three 0 (5#6).
Proof.
  apply check_arborescence_decomposition_sound
    with (trees := [(1#2, [0; 1]%Z); (1#3, [3; 1]%Z)]) (cut := [1%Z]).
  reflexivity.
Qed.
Example cheapest_tree : claims_minimum_cost_arborescence three 0 (4#3).
Proof.
  apply check_minimum_cost_arborescence_sound with (T := [3; 1]%Z) (order := [1; 2]%Z)
    (cuts := [(0, 1, 1#3); (0, 2, 1#6); (1, 2, 5#6)]%Z). reflexivity.
Qed.
Definition two_demands : demands := [([0%Z], 1#2); ([1; 0]%Z, 1#2)].
Example demands_met : claims_branching_packing three two_demands.
Proof.
  apply check_branching_packing_sound with (B := [(0, (1#2, [0; 1])); (1, (1#2, [1]))]%Z). reflexivity.
Qed.
Example demands_met_more : claims_concurrent_branching_packing three two_demands (5#3).
Proof.
  apply check_concurrent_branching_packing_sound with (nodes := [1%Z])
    (B := [(0, (1#2, [0; 1])); (0, (1#3, [1; 3])); (1, (1#6, [1])); (1, (2#3, [2]))]%Z). reflexivity.
Qed.
Example demand_unmet : claims_unmet_demand three [([0%Z], 1)] (5#6) 1.
Proof. apply check_unmet_demand_sound with (nodes := [1%Z]). reflexivity. Qed.

(** Values below and above are refused, and so is a flow that loses something. *)
Example too_little : check_maximum_flow three 0 1 [1#2; 0; 0; 0] [0; 2]%Z (1#2) = false.
Proof. reflexivity. Qed.
Example lost : check_maximum_flow three 0 1 [1#2; 1; 0; 1#3] [0; 2]%Z (5#6) = false.
Proof. reflexivity. Qed.
Lemma maximum_flow_unique N s t v w : maximum_flow N s t v -> maximum_flow N s t w -> v == w.
Proof. intros [(f & Hf & Ef) Mf] [(g & Hg & Eg) Mg]. specialize (Mf g Hg). specialize (Mg f Hf). lra. Qed.
Lemma maximum_packing_unique N r v w : maximum_packing N r v -> maximum_packing N r w -> v == w.
Proof. intros [(f & Hf & Ef) Mf] [(g & Hg & Eg) Mg]. specialize (Mf g Hg). specialize (Mg f Hf). lra. Qed.
Lemma minimum_cost_unique N r v w : minimum_cost N r v -> minimum_cost N r w -> v == w.
Proof. intros [(f & Hf & Ef) Mf] [(g & Hg & Eg) Mg]. specialize (Mf g Hg). specialize (Mg f Hf). lra. Qed.
Example not_one : ~ maximum_packing three 0 1.
Proof.
  intros H. destruct two_trees as (_ & _ & M & _). pose proof (maximum_packing_unique _ _ _ _ H M). lra.
Qed.

(** A set of arcs without one into node 1 is no arborescence; two arcs into node 2 are none either. *)
Example unreached : ~ arborescence three 0 [1%Z].
Proof.
  intros H. destruct (branching_enters three [0%Z] [1%Z] (Z.eqb 1) 1 H) as (i & a & Hi & Ha & E).
  intros r [<-|[]]. reflexivity. unfold node. cbn. lia. reflexivity.
  destruct Hi as [<-|[]].
  repeat (destruct Ha as [Ha|Ha]; [injection Ha; intros; subst; discriminate|]). destruct Ha.
Qed.
Example entered_twice : ~ arborescence three 0 [0; 1; 2]%Z.
Proof.
  intros (_ & _ & U & _). enough (1 = 2)%Z by discriminate.
  apply (U 1 2 (Arc 0 2 1) (Arc 1 2 1))%Z; unfold entry; cbn; auto.
Qed.

(** ** Matchings: a triangle takes 3, though no node has a load of more than 2. *)
Definition triangle : list edge :=
  [Edge (Vertex 0) (Vertex 1) 1; Edge (Vertex 1) (Vertex 2) 1; Edge (Vertex 2) (Vertex 0) 1].
Example triangle_takes_3 : claims_fractional_edge_coloring triangle 3.
Proof.
  apply check_fractional_edge_coloring_sound with (D := [(1#1, [0]); (1#1, [1]); (1#1, [2])]%Z)
    (witness := [Vertex 0; Vertex 1; Vertex 2]). reflexivity.
Qed.
Definition star : list edge := [Edge (Vertex 0) (Vertex 1) (1#2); Edge (Vertex 0) (Vertex 2) 1].
Example star_takes_its_load : claims_fractional_edge_coloring star (3#2).
Proof.
  apply check_fractional_edge_coloring_sound with (D := [(1#1, [1]); (1#2, [0])]%Z)
    (witness := [Vertex 0]). reflexivity.
Qed.
Example adjacent : ~ matching triangle [0; 1]%Z.
Proof.
  intros (_ & _ & U). enough (0 = 1)%Z by discriminate.
  apply (U 0 1 (Edge (Vertex 0) (Vertex 1) 1) (Edge (Vertex 1) (Vertex 2) 1) (Vertex 1))%Z;
    unfold entry; cbn; auto.
Qed.
Definition path (x y z : Q) : list edge :=
  [Edge (Left 0) (Right 0) x; Edge (Left 0) (Right 1) y; Edge (Left 1) (Right 0) z].
Example path_matchings : claims_matching_decomposition (path (1#2) (1#3) (1#3)) (5#6).
Proof. apply check_matching_decomposition_sound with (D := [(1#2, [0]); (1#3, [1; 2])]%Z). reflexivity. Qed.
Example path_colors : claims_edge_coloring (path 1 2 2) 3.
Proof. apply check_edge_coloring_sound with (classes := [(1, [0]); (2, [1; 2])]%Z). reflexivity. Qed.
(** Left 0 and Right 0 are two nodes: an edge between them is no loop, and they have loads of their own. *)
Example sides : load (path 1 2 3) (Left 0) == 3 /\ load (path 1 2 3) (Right 0) == 4.
Proof. split; reflexivity. Qed.

(** ** Linear programs: x + 2y <= 4, 3x + y <= 6, x and y at least 0. *)
Definition lines : list row := [Row [(0%Z, 1); (1%Z, 2)] 4; Row [(0%Z, 3); (1%Z, 1)] 6].
Example best_point : claims_linear_optimum (Program [1; 1] lines [] [0; 1]%Z) (14#5).
Proof.
  apply check_linear_optimum_sound
    with (primal := [(0%Z, 8#5); (1%Z, 6#5)]) (dual := [(0%Z, 2#5); (1%Z, 1#5)]). reflexivity.
Qed.
Example no_point : claims_linear_infeasibility (Program [1] [Row [(0%Z, 1)] 3; Row [(0%Z, 1)] 4] [1%Z] []).
Proof. apply check_linear_infeasibility_sound with (multipliers := [(0%Z, 1); (1%Z, -1)]). reflexivity. Qed.
Example bounded : ~ claims_linear_unboundedness (Program [1; 1] lines [] [0%Z]).
Proof.
  intros [_ U]. destruct (U 4) as (x & (F & _ & N) & B). pose proof (F 0 _ (or_introl eq_refl))%Z as F0.
  pose proof (N 0%Z (or_introl eq_refl)) as N0. cbn in F0, N0, B.
  pose proof (F 1 _ (or_intror (or_introl eq_refl)))%Z as F1. cbn in F1. lra.
Qed.
Example no_end : claims_linear_unboundedness (Program [1] [Row [(0%Z, -1)] 3] [] []).
Proof. apply check_linear_unboundedness_sound with (point := []) (ray := [(0%Z, 1)]). reflexivity. Qed.
