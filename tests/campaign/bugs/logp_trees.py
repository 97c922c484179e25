"""Bugs that the claims of `theorems.karp1993.section_2_broadcast` must find."""

from __future__ import annotations

from exactsched.logp.broadcast import _rounds
from exactsched.logp.counts import _by_recurrence, _count
from tests.campaign.planted import Bug

BUGS = (
    # Definition 2.3 as printed.
    Bug("karp1993.thm2.1", _rounds, "A.period", "A.g"),
    # Processors that send for the first time take the place of those that send again.
    Bug("karp1993.thm2.1", _rounds, "[*A, *range(B, C)]", "[*range(B, C)]"),
    # The last reception is not counted.
    Bug(
        "karp1993.thm2.1",
        _count,
        "(comb(A, B + 1) for B in range(C // D + 1))",
        "(comb(A, B + 1) for B in range(C // D))",
    ),
    # A processor too many in each round.
    Bug(
        "karp1993.fact2.1",
        _by_recurrence,
        "A if B < C else D[B - C]",
        "A if B < C else D[B - C] + 1",
    ),
    # Compositions with and without an empty part.
    Bug("karp1993.thm2.2", _count, "comb(A // B + C, C)", "comb(A // B + C - 1, C)"),
    # Definition 2.3 with the overhead in place of the period.
    Bug("karp1993.fig1", _rounds, "A.period", "A.o"),
)
