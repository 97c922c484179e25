"""Optimizing the steady-state throughput of scatter and reduce operations (2003).

| in the report | here |
|---|---|
| 3.1 SSSP(G); 3.4 lemma 1, proposition 1 | `section_3_1_scatter_proposition_1` |
| 3.2, 3.3 figures 2 to 4 | `section_3_2_figures` |
| 3.5 SSPA2A(G), proposition 2 | `section_3_5_alltoall_proposition_2` |
| 4.2 SSR(G); 4.5 lemma 1 again, proposition 3 | `section_4_2_reduce_proposition_3` |
| 4.3 lemma 2; 4.4 theorem 1, EXTRACT_TREES | `section_4_4_trees_theorem_1` |
| 4.6 proposition 4 | `section_4_6_fixed_period_proposition_4` |
| 4.2, 4.3, 4.7 figures 6, 7 and 9 to 12 | `section_4_7_figures` |
| footnote 1: reductions that commute | `section_4_commutative` |
| 6 parallel prefix | `section_6_prefix` |
"""

PAPER = (
    "Legrand, Marchal, Robert, *Optimizing the steady-state throughput of scatter and reduce"
    " operations on heterogeneous platforms*, INRIA RR-4872, 2003"
)
CITED = "RR-4872"
