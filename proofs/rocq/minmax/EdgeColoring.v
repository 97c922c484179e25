(** Kind "edge-coloring": a bipartite multigraph colored with as many colors as its largest degree
    (the easy half of Konig 1916). *)
From Coq Require Import QArith List ZArith Lia Lqa Bool.
From Exactsched.minmax Require Import Sums Definitions Tables Matchings.
Import ListNotations.
Open Scope Q_scope.

(** A class is a matching with a number of colors; the weight of an edge is its number of copies. *)
Definition check_edge_coloring (E : list edge) (classes : list (Z * list Z)) (colors : Z) : bool :=
  check_graph E && check_bipartite E &&
  check_decomposition E (rev_map (fun c => (inject_Z (fst c), snd c)) classes) (inject_Z colors) &&
  check_load E (inject_Z colors).

Definition seconds (M : list Z) : Q * list Z := (1, M).
Lemma count_cons {A} (x : A) l : inject_Z (count (x :: l)) == 1 + inject_Z (count l).
Proof. unfold count. cbn [length]. rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. reflexivity. Qed.
(** A coloring is a decomposition into matchings that last 1 each. *)
Lemma coloring_decomposition E C : coloring E C -> decomposition E (map seconds C).
Proof.
  intros [Ms Cp]. split.
  - intros d M H. apply in_map_iff in H. destruct H as (M' & Em & HM). injection Em as <- <-. split; auto.
    reflexivity.
  - intros i e He. rewrite <- (Cp i e He). clear. induction C as [|M C IH]; [reflexivity|].
    unfold containing in *. cbn [map filter seconds snd]. destruct (listed M i); auto. cbn [sum fst].
    rewrite IH, count_cons. reflexivity.
Qed.
Lemma coloring_total C : total (map seconds C) == inject_Z (count C).
Proof.
  induction C as [|M C IH]; [reflexivity|]. unfold total in *. cbn [map sum seconds fst].
  rewrite IH, count_cons. reflexivity.
Qed.
(** A class with c colors stands for c times its matching. *)
Definition spread (D : weighted) : list (list Z) :=
  flat_map (fun p => repeat (snd p) (Z.to_nat (Qnum (fst p)))) D.
Lemma spread_total D (b : list Z -> bool) : (forall d M, In (d, M) D -> 0 < d /\ exists z, d = inject_Z z) ->
  inject_Z (count (filter b (spread D))) == sum fst (filter (fun p => b (snd p)) D).
Proof.
  induction D as [|[d M] D IH]; intros H; [reflexivity|]. unfold spread in *. cbn [flat_map fst snd filter].
  rewrite filter_app. unfold count in *. rewrite app_length, Nat2Z.inj_add, inject_Z_plus.
  assert (T := fun d' M' I => H d' M' (or_intror I)). apply IH in T. rewrite T. clear T IH.
  destruct (H d M) as [Pos [z ->]]; [left; auto|]. cbn [Qnum inject_Z].
  assert (0 < z)%Z by (rewrite Zlt_Qlt; auto).
  enough (F : Z.of_nat (length (filter b (repeat M (Z.to_nat z)))) = if b M then z else 0%Z).
  { rewrite F. destruct (b M); cbn [sum fst]; ring. }
  transitivity (if b M then Z.of_nat (Z.to_nat z) else 0%Z); [|destruct (b M); lia].
  generalize (Z.to_nat z). induction n as [|n IHn]; cbn [repeat filter]. destruct (b M); auto.
  destruct (b M); cbn [length]; lia.
Qed.

Theorem check_edge_coloring_sound E classes colors :
  check_edge_coloring E classes colors = true -> claims_edge_coloring E colors.
Proof.
  unfold check_edge_coloring. set (D := rev_map _ classes). intros H. split_tests.
  apply check_graph_sound in H.
  match goal with K : check_decomposition _ _ _ = true |- _ => rename K into D_good end.
  apply check_decomposition_sound in D_good. destruct D_good as [HD V].
  match goal with K : check_load _ _ = true |- _ => apply check_load_sound in K as [x Hx]; auto end.
  assert (W : forall d M, In (d, M) D -> 0 < d /\ exists z, d = inject_Z z).
  { intros d M Hd. split. apply HD in Hd. apply Hd.
    apply (Permutation.Permutation_in _ (rev_map_perm _ _)), in_map_iff in Hd.
    destruct Hd as (c & Ec & _). injection Ec as <- <-. eauto. }
  split; auto. split. apply check_bipartite_sound; auto. split; split; eauto.
  - exists (spread D). split; [split|].
    + intros M HM. apply in_flat_map in HM. destruct HM as ([d M'] & Hd & HM). apply repeat_spec in HM.
      cbn in HM. subst M'.
      destruct HD as [Ms _]. apply (Ms _ _ Hd).
    + intros i e He. rewrite spread_total by auto. destruct HD as [_ Sv]. apply (Sv i e He).
    + pose proof (spread_total D (fun _ => true) W) as T.
      assert (F : forall X (l : list X), filter (fun _ => true) l = l).
      { clear. induction l as [|a l IH]; cbn; congruence. }
      rewrite !F in T. unfold total in V. rewrite V in T. unfold Qeq in T. cbn in T. lia.
  - intros C HC. rewrite Zle_Qle, <- Hx, <- coloring_total. apply load_at_most, coloring_decomposition; auto.
  - intros y. rewrite <- V. apply load_at_most; auto.
Qed.
