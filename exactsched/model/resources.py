"""Port models as data: the resources of a platform, and which of them each place keeps busy.

A *place* is where work is done: an arc (its index), or the processor of a node (the number of arcs
plus the index of the node).  Every resource works at most one time unit per time unit.

A message of size s on an arc keeps each of its resources busy for s times the cost of the arc;
under `routes`, where the resources are shared links, for s times the cost of the link.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from exactsched.model.problem import Collective, Reduction

# The ports that an arc keeps busy at its tail and at its head, where nodes have ports.
SIDES: Final = {"one-port": ("send", "recv"), "half-duplex": ("port", "port")}


def arc_resources(problem: Collective, arcs: Sequence[int] | None = None) -> list[tuple[str, ...]]:
    """For every arc, or for these, the names of the resources that a message keeps busy there.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> arc_resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a"))
    [('send:a', 'recv:b')]
    """
    platform = problem.platform
    listed = range(len(platform.tails)) if arcs is None else arcs
    if sides := SIDES.get(problem.ports):
        tails = list(map(platform.tails.__getitem__, listed))
        heads = list(map(platform.heads.__getitem__, listed))
        one, other = (
            {node: f"{side}:{node}" for node in {*ends}}
            for side, ends in zip(sides, (tails, heads), strict=True)
        )
        return list(zip(map(one.__getitem__, tails), map(other.__getitem__, heads), strict=True))
    if problem.ports == "routes":
        return [tuple(f"link:{name}" for name, _ in platform.arcs[arc].route) for arc in listed]
    return [(f"link:{arc}",) for arc in listed]


def size_costs(problem: Collective) -> tuple[list[Fraction], dict[str, Fraction]]:
    """Factors of arcs and of resources; a resource that is not named has the factor 1.

    A message of size 1 on an arc keeps a resource of the arc busy for the product of both.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> routed = Platform(["a", "b"], [("a", "b", 2, 0, [("up", 1), ("down", 2)])])
    >>> size_costs(Broadcast(routed, "a", "routes"))[1]["link:down"]
    Fraction(2, 1)
    >>> size_costs(Broadcast(routed, "a", "link"))
    ([Fraction(2, 1)], {})
    """
    if problem.ports != "routes":
        return list(problem.platform.costs), {}
    ones = [Fraction(1)] * len(problem.platform.arcs)
    return ones, {f"link:{name}": cost for name, cost in problem.platform.links.items()}


def place_shares(problem: Collective) -> list[tuple[tuple[str, Fraction], ...]]:
    """The resources of every place, and which part of their time its work takes at full speed.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> routed = Platform(["a", "b"], [("a", "b", 2, 0, [("up", 1), ("down", 2)])])
    >>> place_shares(Broadcast(routed, "a", "routes"))[0]
    (('link:up', Fraction(1, 2)), ('link:down', Fraction(1, 1)))
    """
    if problem.ports != "routes":
        whole = Fraction(1)
        return [tuple((name, whole) for name in names) for names in place_resources(problem)]
    arcs = problem.platform.arcs
    return [tuple((f"link:{name}", cost / arc.cost) for name, cost in arc.route) for arc in arcs]


def place_resources(problem: Collective) -> list[tuple[str, ...]]:
    """The resources of every place: of the arcs, then of the processors of the nodes.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> place_resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a"))
    [('send:a', 'recv:b'), ('compute:a',), ('compute:b',)]
    """
    processors = [(f"compute:{node}",) for node in problem.platform.nodes]
    return arc_resources(problem) + processors


def resources(problem: Collective) -> list[str]:
    """The names of all resources of a problem.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a", "half-duplex"))
    ['port:a', 'port:b']
    """
    nodes = problem.platform.nodes
    computing = problem.processors if isinstance(problem, Reduction) else ()
    processors = [f"compute:{node}" for node in computing]
    if problem.ports == "one-port":
        return [f"{side}:{node}" for node in nodes for side in ("send", "recv")] + processors
    if problem.ports == "half-duplex":
        return [f"port:{node}" for node in nodes] + processors
    if problem.ports == "routes":
        return [f"link:{name}" for name in problem.platform.links]
    return [f"link:{index}" for index in range(len(problem.platform.tails))] + processors
