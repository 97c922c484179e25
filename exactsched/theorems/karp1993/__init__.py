"""Optimal broadcast and summation in the LogP model (1993)."""

PAPER = (
    "Karp, Sahay, Santos, Schauser, *Optimal broadcast and summation in the LogP model*, SPAA 1993"
)
CITED = "Karp, Sahay, Santos and Schauser, SPAA 1993"
