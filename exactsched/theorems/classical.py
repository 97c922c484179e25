"""The classical theorems that the papers lean on."""

from __future__ import annotations

from collections import Counter

from exactsched.check import check
from exactsched.edge_coloring import color_edges
from exactsched.errors import Rejected
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import Multigraph, bipartite_multigraph
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, refuted


def _color(graph: Multigraph) -> Verdict:
    stated = color_edges(graph.edges, graph.numbers)
    degrees: Counter[tuple[str, int]] = Counter()
    for (left, right), copies in zip(graph.edges, graph.numbers, strict=True):
        degrees["left", left] += int(copies)
        degrees["right", right] += int(copies)
    largest = max(degrees.values(), default=0)
    facts = {"degree": largest, "colors": stated.colors, "classes": len(stated.classes)}
    try:
        check(stated)
    except Rejected as error:
        return refuted(f"the coloring is refused: {error}", **facts)
    if stated.colors != largest:
        return refuted("the colors are not as many as the largest degree", **facts)
    if len(stated.classes) > max(1, min(largest, len(graph.edges))):
        return refuted("more classes than min(D, |E|)", **facts)
    return held(**facts)


def _bipartite(choices: Choices, bound: int) -> Multigraph:
    return bipartite_multigraph(choices, max_side=bound)


CLAIMS = (
    Claim(
        id="konig.edge-coloring",
        statement=(
            "A bipartite multigraph whose largest degree is D is colored with D colors, each of"
            " which is a matching, in at most max(1, min(D, |E|)) classes of equal matchings, E the"
            " set of edges without their multiplicities."
        ),
        reference="König, Math. Ann. 77 (1916); Gabow and Kariv, SIAM J. Comput. 11 (1982)",
        status="classical",
        page="konig-edge-coloring",
        implemented=("exactsched/edge_coloring.py",),
        checked_by="`check`; degrees counted again",
        instance_type=Multigraph,
        instance=_bipartite,
        check=_color,
        bounds=Bounds(4, 10, 40),
        corners=lambda: (
            Multigraph(1, (), ()),
            Multigraph(1, ((0, 0),), (1,)),
            Multigraph(2, ((0, 0), (0, 1), (1, 0)), (10**20, 1, 1)),
        ),
    ),
)
