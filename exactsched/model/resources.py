"""Port models as data: the resources of a platform, and which of them each place keeps busy.

A *place* is where work is done: an arc (its index), or the processor of a node (the number of arcs
plus the index of the node).  Every resource works at most one time unit per time unit.
"""

from __future__ import annotations

from exactsched.model.problem import Collective, Reduction


def arc_resources(problem: Collective) -> list[tuple[str, ...]]:
    """For every arc the names of the resources that a message on it keeps busy.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> arc_resources(Broadcast(Platform(["a", "b"], [("a", "b", 1)]), "a"))
    [('send:a', 'recv:b')]
    """
    arcs = problem.platform.arcs
    if problem.ports == "one-port":
        return [(f"send:{arc.tail}", f"recv:{arc.head}") for arc in arcs]
    if problem.ports == "half-duplex":
        return [(f"port:{arc.tail}", f"port:{arc.head}") for arc in arcs]
    return [(f"link:{index}",) for index in range(len(arcs))]


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
    return [f"link:{index}" for index in range(len(problem.platform.arcs))] + processors
