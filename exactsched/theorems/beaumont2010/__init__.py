"""Broadcasting on large scale heterogeneous platforms under the bounded multi-port model (2010)."""

PAPER = (
    "Beaumont, Eyraud-Dubois, Agrawal, *Broadcasting on large scale heterogeneous platforms"
    " under the bounded multi-port model*, IPDPS 2010"
)
CITED = "Beaumont, Eyraud-Dubois and Agrawal, IPDPS 2010"
