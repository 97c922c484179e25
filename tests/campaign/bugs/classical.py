"""Slips in the kernels that the claims of `exactsched.theorems.classical` must find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # the largest minimum cut instead of the smallest
        "ford-fulkerson.max-flow-min-cut",
        "graphs.flow",
        "cut = tuple(sorted(network.reachable(source)))",
        "cut = tuple(sorted(set(range(size)) - network.reaching(sink)))",
    ),
    Bug(  # what cannot reach the sink stays where it is
        "ford-fulkerson.max-flow-min-cut",
        "graphs.flow",
        "self._drain(excess, source)",
        "pass",
    ),
    Bug(  # off by one: a set that lacks a single arc is not seen
        "edmonds.branching",
        "graphs.root_connectivity",
        "while amount:",
        "while amount > 1:",
    ),
    Bug(  # a flow that is too small is called large enough
        "edmonds.branching",
        "graphs.root_cut",
        "least, cut = sent, reaching",
        "sent, cut = least, reaching",
    ),
    Bug(  # a set that a prefix does not meet loses slack as well
        "edmonds.branchings",
        "graphs.lovasz",
        "return self._around[head] & ~self._around[tail] & self._met[-1]",
        "return self._around[head] & self._met[-1]",
    ),
    Bug(  # Newton's method stops after one step
        "edmonds.branchings",
        "graphs.branching_packing",
        "unmet = scaled.unmet_set()",
        "unmet = None",
    ),
    Bug(  # the entering arc of a contracted set is not handed down
        "fulkerson.arborescence",
        "graphs.minimum_cost_arborescence",
        "while inner != outer and not final[inner]:",
        "while inner != outer and final[inner]:",
    ),
    Bug(  # a rational row is scaled to integers, its multiplier not scaled back
        "farkas.trichotomy",
        "linear_programs.linear_program",
        "true = {row: self._factors[row] * value for row, value in multipliers.items()}",
        "true = dict(multipliers)",
    ),
    Bug(  # a free variable may not move downwards
        "farkas.trichotomy",
        "linear_programs.linear_program",
        "frozenset(range(width)) - frozenset(program.nonnegative)",
        "frozenset()",
    ),
    Bug(  # off by one: a bundle of parallel edges gives one copy less
        "konig.edge-coloring",
        "graphs.edge_coloring",
        "dealt.append(queues[bundle][: -number - 1 : -1])",
        "dealt.append(queues[bundle][:-number:-1])",
    ),
    Bug(  # an odd degree is halved like an even one
        "konig.edge-coloring",
        "graphs.edge_coloring",
        "if degree % 2:",
        "if degree % 2 and degree > 3:",
    ),
    Bug(  # at an odd degree no color is dissolved
        "gabow-kariv.edge-coloring",
        "graphs.gabow_kariv",
        "if len(classes) > degree:",
        "if len(classes) > degree + 1:",
    ),
    Bug(  # a path of two colors ends with an edge that keeps its old color, too
        "gabow-kariv.edge-coloring",
        "graphs.gabow_kariv",
        "here[other].pop(near[edge], None)",
        "here[other].get(near[edge], None)",
    ),
    Bug(  # the last bit of the multiplicities is forgotten
        "gabow-kariv.edge-coloring",
        "graphs.gabow_kariv",
        "for bit in reversed(range(low)):",
        "for bit in reversed(range(1, low)):",
    ),
    Bug(  # an edge comes to a color that is taken at its right end
        "gabow-kariv.edge-coloring",
        "graphs.gabow_kariv",
        "elif other in free[0]:",
        "elif other in free[1]:",
    ),
    Bug(  # the last matching is forgotten
        "birkhoff.von-neumann",
        "graphs.matching_decomposition",
        "pairwise(sorted(starting.keys() | stopping.keys()))",
        "pairwise(sorted(starting))",
    ),
    Bug(  # where the two sides of an odd set are joined, one of them is lost
        "edmonds.matching-polytope",
        "graphs.fractional_edge_coloring",
        "joined.append((shared, sorted({*matching, *other})))",
        "joined.append((shared, sorted({*other})))",
    ),
)
