"""Optimal broadcast and summation in the LogP model (1993)."""

PAPER = (
    "Karp, Sahay, Santos, Schauser, *Optimal broadcast and summation in the LogP model*, SPAA 1993"
)
CITED = "Karp, Sahay, Santos and Schauser, SPAA 1993"
# Figures with numbers, but without a claim, and why there is none.
NOT_EXECUTED = (
    ("Figure 3", "the digraph of transmissions between blocks is an image only"),
    ("Figure 4", "a part of the construction of theorem 3.7, which the text leaves incomplete"),
)
