"""Slips that the claims of `exactsched.theorems.beaumont2003`, sections 3 to 5.4, must find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # opposite arcs as if they were one edge
        "beaumont2003.lemma1",
        "steady_state.broadcast_schedule",
        'if problem.ports == "half-duplex" and edge[0] > edge[1]:',
        "if edge[0] > edge[1]:",
    ),
    Bug(  # the bound by one resource and one cut with the dearest arc
        "beaumont2003.ssb",
        "steady_state.broadcast",
        "least = min(platform.arcs[arc].cost for arc in crossing)",
        "least = max(platform.arcs[arc].cost for arc in crossing)",
    ),
    Bug(  # resources that only some of the entering arcs use
        "beaumont2003.ssb",
        "steady_state.broadcast",
        "set(uses[crossing[0]]).intersection(*(uses[arc] for arc in crossing))",
        "set(uses[crossing[0]])",
    ),
    Bug(  # off by one: a set that lacks a single arc is not seen
        "beaumont2003.thm3",
        "graphs.root_connectivity",
        "while amount:",
        "while amount > 1:",
    ),
    Bug(  # what cannot reach the sink stays where it is
        "beaumont2003.lemma3",
        "graphs.flow",
        "self._drain(excess, source)",
        "pass",
    ),
    Bug(  # the bound by one resource and one cut with the dearest arc
        "beaumont2003.thm4",
        "steady_state.broadcast",
        "least = min(platform.arcs[arc].cost for arc in crossing)",
        "least = max(platform.arcs[arc].cost for arc in crossing)",
    ),
    Bug(  # what a step takes from known sets is not noted
        "beaumont2003.thm5",
        "graphs.lovasz",
        "self._slacks[lowest.bit_length() - 1] -= amount",
        "self._slacks[lowest.bit_length() - 1] -= 0",
    ),
    Bug(  # every step takes 1, whatever would fit
        "beaumont2003.lemma5",
        "graphs.lovasz",
        "return arc, min(limit, demand)",
        "return arc, 1",
    ),
    Bug(  # a node whose slack is used up does not become tight
        "beaumont2003.thm6",
        "graphs.matching_decomposition",
        "self.tight[item - len(self.ends)] = True",
        "pass",
    ),
    Bug(  # the last matching is forgotten
        "beaumont2003.lemma6",
        "graphs.matching_decomposition",
        "pairwise(sorted(starting.keys() | stopping.keys()))",
        "pairwise(sorted(starting))",
    ),
    Bug(  # opposite arcs as if they were one edge
        "beaumont2003.fig2",
        "steady_state.broadcast_schedule",
        'if problem.ports == "half-duplex" and edge[0] > edge[1]:',
        "if edge[0] > edge[1]:",
    ),
    Bug(  # a rational row is scaled to integers, its price not scaled back
        "beaumont2003.lemma2",
        "linear_programs.linear_program",
        "self._factors[i] * Fraction(price, dual_unit)",
        "Fraction(price, dual_unit)",
    ),
    Bug(  # a used-up arc may be used again
        "beaumont2003.lemma4",
        "graphs.lovasz",
        "self._capacities[arc] -= amount",
        "self._capacities[arc] -= 0",
    ),
)
