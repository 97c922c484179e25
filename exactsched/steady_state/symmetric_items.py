"""Which links or ports some automorphism of platform and collective takes to each other.

What is gained by one of them, and lost with it, is the same for all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from exactsched.graphs.automorphisms import Permutation, Symmetries, symmetries
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
)


def first_alike(problem: Collective, items: Sequence[Sequence[str]]) -> list[int]:
    """For each item, the resources of a cable or a port, the first one that is like it.

    Some automorphisms are found, not all.  Of routes and of ordered reductions none are sought.

    >>> from exactsched.model.platform import Platform
    >>> ring = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)])
    >>> everybody = Allgather(ring, tuple((node, 1) for node in "abc"))
    >>> first_alike(everybody, [["link:0"], ["link:1"], ["link:2"]])
    [0, 0, 0]
    >>> first_alike(Broadcast(ring, "a", "link"), [["link:0"], ["link:1"], ["link:2"]])
    [0, 1, 2]
    """
    asked = _asked(problem)
    if asked is None:
        return list(range(len(items)))
    platform = problem.platform
    size, position = len(platform.nodes), platform.position
    sets = platform.switches, platform.multicast, platform.reduces
    ends = [(position[arc.tail], position[arc.head]) for arc in platform.arcs]
    concern = [Counter[Hashable]() for _ in platform.nodes]
    for (what, *sides), times in asked.items():
        for side, members in enumerate(sides):
            for place in members:
                concern[place][what, side] += times
    colors = _numbered(
        [
            (*(node in one for one in sets), frozenset(concern[position[node]].items()))
            for node in platform.nodes
        ]
    )
    arc_colors = _numbered([(arc.cost, arc.latency) for arc in platform.arcs])

    def keeps(permutation: Permutation) -> bool:
        return _moved(asked, permutation) == asked

    classes: dict[int, list[int]] = {}
    for place, color in enumerate(colors):
        if platform.nodes[place] not in platform.switches:
            classes.setdefault(color, []).append(place)
    generators = [
        one
        for among in classes.values()
        for one in symmetries(size, ends, colors, arc_colors, among, keeps).generators
    ]
    found = Symmetries(tuple(generators), (), False)
    node_of = found.orbits(size, lambda permutation, node: permutation[node])
    arc_of = found.orbits(len(ends), lambda permutation, arc: permutation[size + arc] - size)
    orbit: dict[str, Hashable] = {f"link:{arc}": first for arc, first in enumerate(arc_of)}
    for place, owner in enumerate(platform.nodes):
        for kind in ("send", "recv", "port"):
            orbit[f"{kind}:{owner}"] = kind, node_of[place]
    # An automorphism that takes an arc to another one takes the opposite arc to the opposite one.
    seen: dict[Hashable, int] = {}
    return [
        seen.setdefault(frozenset(orbit[name] for name in names), index)
        for index, names in enumerate(items)
    ]


# What is wanted, as nodes by their positions: who has something of some size, and who wants it.
_Asked = Counter[tuple[Hashable, frozenset[int], frozenset[int], frozenset[int]]]


def _asked(problem: Collective) -> _Asked | None:
    place = problem.platform.position
    nothing: frozenset[int] = frozenset()
    if problem.ports == "routes":
        return None
    if isinstance(problem, Broadcast):
        return Counter([(1, frozenset([place[problem.source]]), nothing, nothing)])
    if isinstance(problem, Alltoall):
        return Counter(
            (one.size, frozenset([place[one.source]]), frozenset([place[one.target]]), nothing)
            for one in problem.demands
        )
    if isinstance(problem, Allgather):
        return Counter(
            (size, frozenset([place[node]]), nothing, nothing) for node, size in problem.shards
        )
    if isinstance(problem, Combination):
        return Counter(
            (
                (block.size, block.source is None),
                nothing if block.source is None else frozenset([place[block.source]]),
                frozenset(place[node] for node in block.targets),
                frozenset(place[node] for node in problem.members_of(block.group)),
            )
            for block in problem.blocks
        )
    return None


def _moved(asked: _Asked, permutation: Permutation) -> _Asked:
    def image(nodes: frozenset[int]) -> frozenset[int]:
        return frozenset(permutation[node] for node in nodes)

    moved: _Asked = Counter()
    for (what, *sides), times in asked.items():
        one, other, third = map(image, sides)
        moved[what, one, other, third] += times
    return moved


def _numbered(keys: Sequence[Hashable]) -> list[int]:
    number: dict[Hashable, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]
