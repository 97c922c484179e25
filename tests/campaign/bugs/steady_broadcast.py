"""Bugs that the claims of `theorems.beaumont2003`, sections 3 to 5.4, must find."""

from __future__ import annotations

from exactsched.graphs.flow import FlowNetwork
from exactsched.graphs.lovasz import GrowingPacking
from exactsched.graphs.matching_decomposition import _Sweep, decompose_into_matchings
from exactsched.graphs.root_connectivity import _send
from exactsched.linear_programs.linear_program import _Scaled
from exactsched.steady_state.broadcast import _Arcs
from exactsched.steady_state.slots import _intervals
from tests.campaign.planted import Bug

BUGS = (
    # Opposite arcs are one edge under every port model.
    Bug("beaumont2003.lemma1", _intervals, "A == 'half-duplex' and B > C", "B > C"),
    # The bound by one resource and one cut takes the most expensive arc.
    Bug(
        "beaumont2003.ssb",
        _Arcs.single_price_bound,
        "min([A[B] for B in C])",
        "max([A[B] for B in C])",
    ),
    # Resources that only some of the entering arcs use.
    Bug("beaumont2003.ssb", _Arcs.single_price_bound, "set(A).intersection(*B)", "set(A)"),
    # Off by one: a set that lacks a single arc is not seen.
    Bug("beaumont2003.thm3", _send, "while A: ...", "while A > 1: ..."),
    # Flow that cannot reach the sink stays where it is.
    Bug(
        "beaumont2003.lemma3",
        FlowNetwork.push,
        "A[B] = A[C] = 0\nD._drain(A, B)",
        "A[B] = A[C] = 0",
    ),
    # The bound by one resource and one cut takes the most expensive arc.
    Bug(
        "beaumont2003.thm4",
        _Arcs.single_price_bound,
        "min([A[B] for B in C])",
        "max([A[B] for B in C])",
    ),
    # What a step takes from known sets is not noted.
    Bug("beaumont2003.thm5", GrowingPacking._use, "A[B.bit_length() - 1] -= C", "pass"),
    # Every step takes 1, whatever would fit.
    Bug("beaumont2003.lemma5", GrowingPacking._next_arc, "A, min(B, C)", "A, 1"),
    # A node whose slack is used up does not become tight.
    Bug("beaumont2003.thm6", _Sweep._use_up, "A.tight[B] = True", "pass"),
    # The last matching is forgotten.
    Bug("beaumont2003.lemma6", decompose_into_matchings, "A.keys() | B.keys()", "A"),
    # Opposite arcs are one edge under every port model.
    Bug("beaumont2003.fig2", _intervals, "A == 'half-duplex' and B > C", "B > C"),
    # A rational row is scaled to integers, its price is not scaled back.
    Bug("beaumont2003.lemma2", _Scaled.optimum, "divided(A * B, C * D)", "divided(B, D)"),
    # An arc that is used up may be used again.
    Bug("beaumont2003.lemma4", GrowingPacking._use, "A._capacities[B] -= C", "pass"),
)
