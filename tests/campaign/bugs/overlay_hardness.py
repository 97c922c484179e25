"""Bugs that the claims of `theorems.beaumont2010.section_3_hardness` must find."""

from __future__ import annotations

from exactsched.overlay.cases import _Search
from exactsched.overlay.partition import overlay_of_partition, partition_machine, partition_of
from exactsched.overlay.rate import best_rates
from exactsched.steady_state.arborescence_pricing import ArborescencePricing
from tests.campaign.planted import Bug

BUGS = (
    # The source receives nothing, whatever it could.
    Bug("beaumont2010.thm3.1", best_rates, "range(1, A)", "range(A)"),
    # A rate is that of the last tree, not of all.
    Bug("beaumont2010.thm3.1", best_rates, "A.get(B, C) + D", "D"),
    # A price for every arc that enters the node, not for that of its sender.
    Bug(
        "beaumont2010.thm3.1",
        best_rates,
        "{A: B.get(C, 0) for A, C in D.items()}",
        "dict(zip(D, B.values()))",
    ),
    # The next incoming bandwidth.
    Bug("beaumont2010.thm3.3", best_rates, "A[B + C - 1]", "A[B + C - 2]"),
    # A tree is as cheap as its last resources.
    Bug(
        "beaumont2010.thm3.3",
        ArborescencePricing.cheapest_exactly,
        "A.B.exact(C)",
        "[C.get(uses[0], 0) for uses in A._uses]",
    ),
    # A triple of a smaller sum than the largest one.
    Bug(
        "beaumont2010.lemma3.4",
        overlay_of_partition,
        "max(A for B in C)",
        "min(A for B in C)",
    ),
    # Relays are helped, not the nodes after them.
    Bug(
        "beaumont2010.lemma3.4",
        overlay_of_partition,
        "[OverlayArc(A, B + C + 1, D) for C in E]",
        "[OverlayArc(A, B + C, D) for C in E]",
    ),
    # Every overlay passes for optimal.
    Bug("beaumont2010.lemma3.4", overlay_of_partition, "A == B", "True"),
    # T - 1 / (4 p) is not enough.
    Bug("beaumont2010.lemma3.5", partition_of, "A >= 1", "A > 1"),
    # As printed: only from throughput T.
    Bug(
        "beaumont2010.lemma3.5",
        partition_of,
        "4 * A * (B - C.throughput) >= 1",
        "B > C.throughput",
    ),
    # The chain of lemma 3.4 is taken for granted.
    Bug(
        "beaumont2010.lemma3.5",
        partition_of,
        "A[B] = C - D",
        "A[B] = B - D - 1",
    ),
    # The degree of a server that is the last of the chain.
    Bug("beaumont2010.thm3.6", partition_machine, "[4] * A", "[3] * A"),
    # A gap of rounding in the proof.
    Bug("beaumont2010.thm3.6", _Search._repaired, "A > B * C.bound", "A > B * C.ceiling"),
)
