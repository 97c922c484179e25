"""A new broadcast model for several network topologies (2025).

| in the paper | here |
|---|---|
| 2.2 the constraints (6) to (8): are they sufficient? | `section_2_2_constraints` |
| the optimum in closed form, and the search for cycles | `section_2_2_hamiltonian` |
| 2.3 theorems 1 and 2 | `section_2_3_balanced_theorems_1_and_2` |
| 2.3 frames and packets | `section_2_3_frames` |
| 2.4 equations (16) and (17) | `section_2_4_equations_16_and_17` |
| 3 binary trees | `section_3_binary_trees` |
| 3 tables 2 to 6 | `section_3_tables_2_to_6` |
"""

PAPER = (
    "Lu, Hwang, Tenreiro, Tripti, Hamilton, Deng, *A new broadcast model for several network"
    " topologies*, 2025"
)
CITED = "Balanced Saturation (BBS), Lu et al. 2025"
# Numbered statements without a claim, and why there is none.
NOT_EXECUTED = (
    ("Equation (15)", "T = T_I + T_S + T_F defines T_S; as the stages may overlap it says nothing"),
    ("Equation (18)", "an expectation, not a statement: T_I = T_F"),
    ("Equations (19), (20)", "operation counts of an unspecified program"),
    ("Figures 4 to 11", "curves without numbers; proofs/rounds-published.md draws ours"),
)
