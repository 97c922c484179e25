"""A new broadcast model for several network topologies (2025)."""

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
)
