"""Optimizing the steady-state throughput of broadcasts on heterogeneous platforms (2003).

The name of a file says which section it is, and which theorem stands there.  Lemma 1 is in section
4, lemmas 2 to 5 in section 5.3, lemma 6 in section 5.4, lemma 7 in section 5.5.
"""

PAPER = (
    "Beaumont, Legrand, Marchal, Robert, *Optimizing the steady-state throughput of broadcasts"
    " on heterogeneous platforms*, INRIA RR-4871, 2003"
)
CITED = "RR-4871"
# Figures with numbers, but without a claim, and why there is none.
NOT_EXECUTED = (
    ("Figure 6", "T* = 5; the text has neither the arcs nor the costs, only that of an edge"),
    ("Figures 7 and 8", "2 messages in 152 time units; bandwidths and links are an image only"),
)
