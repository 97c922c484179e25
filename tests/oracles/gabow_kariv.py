"""Gabow-Kariv edge coloring (1982): Euler splits and recoloring, deterministic.

It shares nothing with `exactsched.graphs.edge_coloring`: no contraction, no padding, no matchings,
no chance.  Proof, and why it is not the engine: proofs/konig-edge-coloring.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def colored_by_gabow_kariv(edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The edges of a bipartite multigraph in as many matchings as its largest degree D.

    Complexity: O(E log^2 D) steps for the splits; for each of log2 D degrees at most |V| edges are
    inserted, along paths of at most |V| edges.

    >>> colored_by_gabow_kariv([(0, 0), (0, 1), (1, 0)])
    [[0], [1, 2]]
    """
    ends = [left for left, _ in edges], [right for _, right in edges]
    degree = max([count for side in ends for count in Counter(side).values()], default=0)
    return _colored(list(range(len(edges))), degree, ends) if edges else []


Ends = tuple[list[int], list[int]]  # of every edge: its left node, its right node


def _colored(chosen: list[int], degree: int, ends: Ends) -> list[list[int]]:
    """The chosen edges, at most `degree` at a node, in so many matchings, some maybe empty."""
    if degree == 1:
        return [chosen]
    half = (degree + 1) // 2
    power = 1 << (half - 1).bit_length()  # the least power of two that is at least half
    one, other = _euler_split(chosen, ends)
    classes = _colored(one, half, ends)
    while len(classes) + power > 2 * half:
        other += classes.pop()
    classes += _colored(other, power, ends)  # Euler splits only
    if degree % 2:
        smallest = min(classes, key=len)
        classes.remove(smallest)
        _insert(smallest, classes, ends)
    return classes


def _euler_split(chosen: list[int], ends: Ends) -> tuple[list[int], list[int]]:
    """Two halves: of the edges at every node each gets half, rounded up or down.

    The edges at a node are paired, up to one.  Edges and pairs form paths and cycles, the cycles
    with as many left pairs as right ones; the edges along them go to the halves in turn.
    """
    partner: tuple[dict[int, int], dict[int, int]] = {}, {}
    for side in (0, 1):
        single: dict[int, int] = {}
        for edge in chosen:
            node = ends[side][edge]
            mate = single.pop(node, None)
            if mate is None:
                single[node] = edge
            else:
                partner[side][edge], partner[side][mate] = mate, edge
    halves: tuple[list[int], list[int]] = [], []
    seen: set[int] = set()
    for start in chosen:
        if start in seen:
            continue
        seen.add(start)
        halves[0].append(start)
        for side in (0, 1):
            following, turn = partner[side].get(start), 1
            while following is not None and following not in seen:
                seen.add(following)
                halves[turn].append(following)
                following, turn = partner[side ^ turn].get(following), 1 - turn
    return halves


def _insert(chosen: list[int], classes: list[list[int]], ends: Ends) -> None:
    """Color more edges with the classes, if no node gets more edges than there are classes.

    Give an edge a color free at its left end.  An edge that has it at the right end gives way and
    takes the color that is free there, and so on along a path of edges with these two colors.
    It comes to left nodes by edges of the first color, so not back to the start (Konig).
    """
    edge_at = [[{side[edge]: edge for edge in matching} for matching in classes] for side in ends]
    for inserted in chosen:
        color, other = (
            next(
                c for c, edge_of in enumerate(edge_at[side]) if ends[side][inserted] not in edge_of
            )
            for side in (0, 1)
        )
        edge_at[0][color][ends[0][inserted]] = inserted
        edge: int | None = inserted
        side = 1
        while edge is not None:
            node = ends[side][edge]
            displaced = edge_at[side][color].get(node)
            if displaced is None:
                edge_at[side][other].pop(node, None)  # where `edge` was before it gave way
            else:
                edge_at[side][other][node] = displaced
            edge_at[side][color][node] = edge
            edge, side, color, other = displaced, 1 - side, other, color
    classes[:] = [list(edge_of.values()) for edge_of in edge_at[0]]
