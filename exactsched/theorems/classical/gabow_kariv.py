"""Gabow and Kariv 1982: bipartite multigraphs are colored by Euler splits and recoloring."""

from __future__ import annotations

from exactsched.graphs.edge_coloring import color_edges
from exactsched.graphs.gabow_kariv import color_by_recoloring
from exactsched.instances.graphs import BIPARTITE, Multigraph
from exactsched.oracles.matchings import largest_load, two_sided
from exactsched.theorems.claim import Say, claim


@claim(
    "gabow-kariv.edge-coloring",
    number="Gabow and Kariv, SIAM J. Comput. 11 (1982)",
    instances=BIPARTITE,
    page="konig-edge-coloring",
    implements=("exactsched/graphs/gabow_kariv.py",),
    judged="`check`; the steps are counted; degrees counted again",
)
def recoloring(graph: Multigraph, say: Say) -> None:
    """A bipartite multigraph with E edges, multiplicities of at most b bits and largest degree D
    is colored with D colors, each of which is a matching, in at most
    16 E (2 + log2 min(D, E)) (1 + log2 |V|) + 2 |V| E b steps: edges looked at in Euler splits and
    on paths of two colors, or copied with a class. Nothing is drawn at random.
    """
    edges, copies = graph.edges, [int(number) for number in graph.numbers]
    degree = int(largest_load(two_sided(edges), copies))
    stated = color_edges(edges, copies, method="gabow-kariv")
    say(degree=degree, colors=stated.colors, classes=len(stated.classes))
    say.accepts(stated)
    say.require(stated.colors == degree, "the colors are not as many as the largest degree")
    lefts, rights = [left for left, _ in edges], [right for _, right in edges]
    found = color_by_recoloring(lefts, rights, copies)
    nodes, bits = len(set(lefts)) + len(set(rights)), max(copies, default=0).bit_length()
    heads = 16 * len(edges) * (1 + min(degree, len(edges)).bit_length()) * nodes.bit_length()
    say(steps=found.steps, bound=heads + 2 * nodes * len(edges) * bits)
    say.require(found.steps <= say.facts["bound"], "more steps than the bound")
    again = color_by_recoloring(lefts, rights, copies)
    say.require(found == again, "the same graph has two colorings")
