"""Arborescences by definition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product

Arc = tuple[int, int]


def spans(size: int, roots: Iterable[int], arcs: Iterable[Arc]) -> bool:
    """Whether the arcs enter every node but the roots once, no root, and reach all.

    >>> spans(3, [0], [(0, 1), (1, 2)]), spans(3, [0], [(2, 1), (1, 2)])
    (True, False)
    """
    pairs, reached = list(arcs), list(roots)
    if sorted(head for _, head in pairs) != [v for v in range(size) if v not in reached]:
        return False
    heads = defaultdict(list)
    for tail, head in pairs:
        heads[tail].append(head)
    for node in reached:
        reached += heads[node]
    return len(reached) == size


def arborescences(size: int, arcs: Iterable[Arc]) -> Iterator[tuple[Arc, ...]]:
    """All spanning arborescences of these arcs from node 0, by all choices of a parent.

    >>> list(arborescences(3, [(0, 1), (0, 2), (1, 2), (2, 1)]))
    [((0, 1), (0, 2)), ((0, 1), (1, 2)), ((2, 1), (0, 2))]
    """
    entering = [[arc for arc in arcs if arc[1] == node] for node in range(1, size)]
    return (tree for tree in product(*entering) if spans(size, [0], tree))
