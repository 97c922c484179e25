"""Bugs that the claims of `theorems.karp1993.sections_4_and_5_sums` must find."""

from __future__ import annotations

from exactsched.logp.allgather_and_alltoall import allgather_bound
from exactsched.logp.allreduce import _paces, _rounds
from exactsched.logp.lagrangian_receptions import _gain, priced
from exactsched.logp.summation import _late_enough, _operands, _reverse
from tests.campaign.planted import Bug

BUGS = (
    # The surplus is never written out to the end.
    Bug("karp1993.thm4.1", _rounds, "1 if A <= B else 0", "1 if A < B else 0"),
    # A processor sends and receives at the same time.
    Bug("karp1993.thm4.1", _paces, "max(A.g, 2 * A.o)", "max(A.g, A.o)"),
    # The second pace is forgotten where the first one is possible.
    Bug("karp1993.thm4.1", _paces, "A >= 1", "A >= 1 and A == periods"),
    # As printed: one message too many.
    Bug("karp1993.lemma5.1", _operands, "len(A) - 1", "len(A)"),
    # As printed: a reception overlaps an addition.
    Bug("karp1993.lemma5.1", _reverse, "max(A.g, A.o + 1)", "A.g"),
    # All processors that have the time take part.
    Bug("karp1993.lemma5.1", _late_enough, "A - B - 1", "A"),
    # Rounded in the wrong direction.
    Bug("karp1993.lemma5.1.fractions", priced, "-(-A // B)", "A // B"),
    # What a sender adds until it sends.
    Bug(
        "karp1993.lemma5.1.fractions",
        _gain,
        "A + B // C + D // C - E // C",
        "A + (B + D) // C - E // C",
    ),
    # Sends that are done before the first reception.
    Bug("karp1993.alltoall", allgather_bound, "A = latency // B + 1", "A = latency // B"),
    # Only the distance from the multiple below.
    Bug("karp1993.alltoall", allgather_bound, "(A // B, A // B + 1)", "(A // B,)"),
    # As printed: two operands fewer.
    Bug("karp1993.fig6", _operands, "len(A) - 1", "len(A)"),
)
