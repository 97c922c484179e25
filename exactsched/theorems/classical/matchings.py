"""König, Birkhoff and von Neumann, Edmonds: matchings with colors, weights or durations."""

from __future__ import annotations

from fractions import Fraction

from exactsched.graphs.edge_coloring import color_edges
from exactsched.graphs.fractional_edge_coloring import color_fractionally
from exactsched.graphs.matching_decomposition import (
    decompose_into_few_matchings,
    decompose_into_matchings,
)
from exactsched.instances.graphs import (
    BIPARTITE,
    DOUBLY_STOCHASTIC,
    WEIGHTED,
    DoublyStochastic,
    Multigraph,
)
from exactsched.oracles.flows_and_cuts import ALL_SETS
from exactsched.oracles.linear_programs import rank
from exactsched.oracles.matchings import fractional_index, largest_load, tight_nodes, two_sided
from exactsched.theorems.claim import Say, claim


@claim(
    "konig.edge-coloring",
    number="König, Math. Ann. 77 (1916); Gabow and Kariv, SIAM J. Comput. 11 (1982)",
    instances=BIPARTITE,
    page="konig-edge-coloring",
    implements=("exactsched/graphs/edge_coloring.py",),
    judged="`check`; degrees counted again",
)
def edge_coloring(graph: Multigraph, say: Say) -> None:
    """A bipartite multigraph whose largest degree is D is colored with D colors, each of which is a
    matching, in at most max(1, min(D, |E|)) classes of equal matchings, E the set of edges without
    their multiplicities.
    """
    stated = color_edges(graph.edges, graph.numbers)
    largest = int(largest_load(two_sided(graph.edges), graph.numbers))
    say(degree=largest, colors=stated.colors, classes=len(stated.classes))
    say.accepts(stated)
    say.require(stated.colors == largest, "the colors are not as many as the largest degree")
    few = len(stated.classes) <= max(1, min(largest, len(graph.edges)))
    say.require(few, "more classes than min(D, |E|)")


@claim(
    "birkhoff.von-neumann",
    number="Birkhoff 1946; von Neumann 1953; Marcus and Ree 1959 (their number)",
    instances=DOUBLY_STOCHASTIC,
    page="weighted-edge-coloring",
    implements=("exactsched/graphs/matching_decomposition.py",),
    judged="`check`; permutations and their sum by definition, for both decompositions",
)
def permutations(matrix: DoublyStochastic, say: Say) -> None:
    """A doubly stochastic n x n matrix with rational entries is a convex combination of at most
    (n - 1)^2 + 1 permutation matrices, with rational weights.
    """
    size = len(matrix.rows)
    entries = {(r, c): a for r, row in enumerate(matrix.rows) for c, a in enumerate(row) if a}
    say(size=size, entries=len(entries))
    for name, decompose in (
        ("permutations", decompose_into_matchings),
        ("few", decompose_into_few_matchings),
    ):
        stated = decompose(list(entries), list(entries.values()))
        say({name: len(stated.matchings)})
        say.require(say.accepts(stated).value == 1, "the weights do not add up to 1")
        again = dict.fromkeys(entries, Fraction(0))
        for weight, matching in stated.matchings:
            chosen = [stated.edges[edge] for edge in matching]
            for side in (0, 1):
                complete = {place[side] for place in chosen} == set(range(size))
                say.require(complete, f"{chosen} is no permutation")
            for place in chosen:
                again[place] += Fraction(weight)
        say.require(again == entries, "the permutations do not add up to the matrix")
        few = len(stated.matchings) <= (size - 1) ** 2 + 1
        say.require(few, "more than (n - 1)^2 + 1 permutations")


@claim(
    "edmonds.matching-polytope",
    number="Edmonds, J. Res. Nat. Bur. Standards 69B (1965); Schrijver, chapter 25",
    instances=WEIGHTED,
    page="matching-polytope",
    implements=(
        "exactsched/graphs/fractional_edge_coloring.py",
        "exactsched/graphs/matching_sweep.py",
    ),
    judged=f"`check`; all odd sets, up to {ALL_SETS} nodes; the rank by elimination",
)
def matching_polytope(graph: Multigraph, say: Say) -> None:
    """A graph with positive rational weights is a sum of matchings with durations that last,
    together, as long as the largest load of a node or density of an odd set (the weight inside S
    over (|S| - 1) / 2), not less. They are linearly independent: at most |E|, and |E| - t + c + 1
    if t > 0 nodes are tight, c bipartite components all tight.
    """
    edges, weights = graph.edges, graph.numbers
    stated = color_fractionally(graph.size, edges, weights)
    say(edges=len(edges), value=stated.value, k=len(stated.matchings))
    say.accepts(stated)
    if graph.size <= ALL_SETS:
        index = fractional_index(graph.size, edges, weights)
        say.require(stated.value == index, "not the largest load or density of an odd set")
    vectors = [[int(e in chosen) for e in range(len(edges))] for _, chosen in stated.matchings]
    say.require(rank(vectors) == len(vectors), "the matchings are not linearly independent")
    tight, balanced = tight_nodes(edges, weights, stated.value)
    if tight:
        say(tight=tight, balanced=balanced)
        few = len(vectors) <= len(edges) - tight + balanced + 1
        say.require(few, "more than |E| - t + c + 1 matchings")
