"""Optimizing the steady-state throughput of scatter and reduce operations (2003)."""

PAPER = (
    "Legrand, Marchal, Robert, *Optimizing the steady-state throughput of scatter and reduce"
    " operations on heterogeneous platforms*, INRIA RR-4872, 2003"
)
CITED = "RR-4872"
