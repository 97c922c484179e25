"""Broadcasting on large scale heterogeneous platforms under the bounded multi-port model (2010)."""

PAPER = (
    "Beaumont, Eyraud-Dubois, Agrawal, *Broadcasting on large scale heterogeneous platforms"
    " under the bounded multi-port model*, IPDPS 2010"
)
CITED = "Beaumont, Eyraud-Dubois and Agrawal, IPDPS 2010"
# Figures with numbers, but without a claim, and why there is none.
NOT_EXECUTED = (
    (
        "Figures 4 and 5",
        "averages over traces that the paper does not contain; proofs/overlay-experiments.md",
    ),
)
