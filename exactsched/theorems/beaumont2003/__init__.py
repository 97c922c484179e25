"""Optimizing the steady-state throughput of broadcasts on heterogeneous platforms (2003)."""

PAPER = (
    "Beaumont, Legrand, Marchal, Robert, *Optimizing the steady-state throughput of broadcasts"
    " on heterogeneous platforms*, INRIA RR-4871, 2003"
)
CITED = "RR-4871"
