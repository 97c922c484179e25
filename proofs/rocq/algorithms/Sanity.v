(** The program runs, every theorem is used once, and small examples refute the theorems where they are stated wrongly. *)
From Coq Require Import QArith List Arith ZArith Lia Lqa Bool.
From Exactsched Require Import Model Collectives Sums.
From Exactsched.existence Require Import Definitions.
From Exactsched.algorithms Require Import Cheapest Right Shape Theorems.
Import ListNotations.
Open Scope Q_scope.

(** Nodes 1 and 2 reach each other for 1, and are reached for 5 and 6. The cuts are {1}, {2}, {3}, and {1, 2}. *)
Definition small := [Arc 0 1 5; Arc 0 2 6; Arc 1 2 1; Arc 2 1 1; Arc 2 3 4; Arc 0 3 9].
Example small_runs : cheapest [0; 1; 2; 3]%Z small 0 =
  Some ([4; 2; 0]%nat, [([1]%Z, 1); ([2]%Z, 1); ([3]%Z, 4); ([2; 1]%Z, 4)]).
Proof. vm_compute. reflexivity. Qed.
Lemma small_graph : graph [0; 1; 2; 3]%Z small 0.
Proof. split; [simpl; auto|]. intros a H. repeat destruct H as [<-|H]; simpl in *; tauto. Qed.
Lemma small_costs a : In a small -> 0 <= cost a.
Proof. intros H. repeat destruct H as [<-|H]; simpl; try lra. easy. Qed.
Example small_is_10 t : spanning [0; 1; 2; 3]%Z small 0 t -> 10 <= sum (price small) t.
Proof.
  intros S. pose proof (cheapest_arborescence _ _ _ small_graph small_costs) as R. rewrite small_runs in R.
  destruct R as (_ & R & _). eapply Qle_trans; [|apply (R t S)]. vm_compute. discriminate.
Qed.
(** The cheapest arc into every node is not enough: 1 + 1 + 4 is less than every arborescence costs. *)
Example entering_arcs_are_not_enough : ~ spanning [0; 1; 2; 3]%Z small 0 [2; 3; 4]%nat.
Proof. intros S. apply small_is_10 in S. vm_compute in S. now apply S. Qed.
Example small_laminar : laminar [([1]%Z, 1); ([2]%Z, 1); ([3]%Z, 4); ([2; 1]%Z, 4)].
Proof. exact (cheapest_laminar _ _ _ _ _ small_graph small_costs small_runs). Qed.
(** That all sets are apart would be wrong. *)
Example small_not_apart : ~ ForallOrdPairs (fun A B : list node * Q => forall v, In v (fst A) -> ~ In v (fst B))
  [([1]%Z, 1); ([2]%Z, 1); ([3]%Z, 4); ([2; 1]%Z, 4)].
Proof.
  intros H. inversion H as [|x l F _]; subst. rewrite Forall_forall in F.
  apply (F ([2; 1]%Z, 4)) with (v := 1%Z); simpl; auto.
Qed.
Example small_whole X w : In (X, w) [([1]%Z, 1); ([2]%Z, 1); ([3]%Z, 4); ([2; 1]%Z, 4)] -> whole w.
Proof.
  apply (cheapest_whole [0; 1; 2; 3]%Z small 0%Z [4; 2; 0]%nat _); [|exact small_runs].
  intros a H. repeat destruct H as [<-|H]; try easy; eexists; reflexivity.
Qed.
(** Costs that are not whole may have cuts that are not. *)
Example half_not_whole : cheapest [0; 1]%Z [Arc 0 1 (1 # 2)] 0 = Some ([0%nat], [([1]%Z, 1 # 2)]) /\ ~ whole (1 # 2).
Proof. split; [vm_compute; reflexivity|]. intros (z & E). unfold Qeq in E. simpl in E. lia. Qed.
Example small_sharp : exists t cuts, spanning [0; 1; 2; 3]%Z small 0 t /\
  cut_packing [0; 1; 2; 3]%Z small 0 (price small) (map as_cut cuts) /\ sum snd cuts == sum (price small) t /\ laminar cuts.
Proof.
  pose proof (cheapest_arborescence _ _ _ small_graph small_costs) as R. rewrite small_runs in R. destruct R as (S & _).
  destruct (fulkerson_laminar _ _ _ _ small_graph small_costs S) as (t & cuts & A & B & C & D & _). exists t, cuts. auto.
Qed.

(** Node 2 is not reached: there is no arborescence, and the program says so. *)
Definition unreached := [Arc 0 1 1; Arc 2 1 1].
Example none_runs : cheapest [0; 1; 2]%Z unreached 0 = None.
Proof. vm_compute. reflexivity. Qed.
Example none_spans t : ~ spanning [0; 1; 2]%Z unreached 0 t.
Proof.
  assert (G : graph [0; 1; 2]%Z unreached 0).
  { split; [simpl; auto|]. intros a H. repeat destruct H as [<-|H]; simpl in *; tauto. }
  assert (C : forall a, In a unreached -> 0 <= cost a).
  { intros a H. repeat destruct H as [<-|H]; simpl; try lra. easy. }
  pose proof (cheapest_arborescence _ _ _ G C) as R. rewrite none_runs in R. apply R.
Qed.
(** For negative costs the program is wrong: it takes the first of two arcs that cost nothing or less. *)
Definition negative := [Arc 0 1 0; Arc 0 1 (-1)].
Example negative_wrong : exists t t' cuts, cheapest [0; 1]%Z negative 0 = Some (t, cuts) /\
  spanning [0; 1]%Z negative 0 t' /\ sum (price negative) t' < sum (price negative) t.
Proof.
  exists [0%nat], [1%nat], []. split; [vm_compute; reflexivity|]. split; [|vm_compute; reflexivity].
  exists [1; 0]%Z. split; [|intros v [<-|[<-|[]]]; simpl; auto].
  apply (reaches_arc negative 0%Z [0%Z] [] 1 (Arc 0 1 (-1))); [constructor|reflexivity|simpl; auto|].
  intros [E|[]]. discriminate.
Qed.

(** Ten nodes, an arc from everybody to everybody. *)
Definition dense := flat_map (fun u => flat_map (fun v => if (u =? v)%Z then [] else
  [Arc u v (inject_Z (1 + (u * 7 + v * v * 3) mod 11))]) [0; 1; 2; 3; 4; 5; 6; 7; 8; 9]%Z) [0; 1; 2; 3; 4; 5; 6; 7; 8; 9]%Z.
Example dense_runs : match cheapest [0; 1; 2; 3; 4; 5; 6; 7; 8; 9]%Z dense 0 with
  | Some (t, cuts) => Some (length t, Qred (sum (price dense) t), Qred (sum snd cuts)) | None => None end =
  Some (9%nat, 11, 11).
Proof. vm_compute. reflexivity. Qed.
