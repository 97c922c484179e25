"""Bugs that the claims of `theorems.beaumont2003`, sections 5.5 and 6, must find."""

from __future__ import annotations

from exactsched.runs.frames import Pattern
from exactsched.runs.pipelined import pipelined_broadcast
from exactsched.runs.time_scaling import _lag
from exactsched.steady_state.broadcast import _Arcs
from exactsched.steady_state.solution import Solution
from tests.campaign.planted import Bug

BUGS = (
    # A cut counts as if a message took all of the arcs that enter it.
    Bug(
        "beaumont2003.lemma7",
        _Arcs.single_price_bound,
        "min([A[B] for B in C])",
        "sum(A[B] for B in C)",
    ),
    # Off by one: the next level starts before its messages are complete.
    Bug("beaumont2003.thm7", _lag, "1 - (1 - A) // B", "-(1 - A) // B"),
    # Off by one: the last of the periods that have ended.
    Bug("beaumont2003.thm7", Solution.operations_within, "A - B.depth + 1", "A - B.depth"),
    # Off by one: the first level is not behind.
    Bug("beaumont2003.thm8", Pattern.limit, "A + B.depth - 1", "A + B.depth"),
    # Of the latencies at one moment the smallest counts.
    Bug("beaumont2003.thm8", Pattern.__init__, "max(A.get(B, C), D)", "min(A.get(B, D), D)"),
    # The start-up cuts are charged to every packet in full.
    Bug(
        "beaumont2003.thm8",
        pipelined_broadcast,
        "tuple(Cut(A, B, C / D) for A, B, C in E.startup_cuts)",
        "E.startup_cuts",
    ),
)
