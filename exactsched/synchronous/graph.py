"""The plain graph on which packets spread step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from exactsched.certificate.synchronous import Origin, Send
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.reachability import breadth_first
from exactsched.model.platform import Arc, Node, Platform, refuse_no_platform

PORTS = ("half-duplex", "one-port")


@dataclass(frozen=True, slots=True)
class SynchronousGraph:
    """The nodes 0..size-1, the `arcs` (tail, head, steps), and the `sources` of the packets.

    Every node can be reached from every source.  `names` are what the nodes are called, if not
    0, 1, ...
    """

    size: int
    arcs: tuple[tuple[int, int, int], ...]
    sources: tuple[int, ...]
    names: tuple[str, ...]

    def origins(self, packets: int) -> tuple[Origin, ...]:
        """`packets` packets at every source: the rows of `SynchronousRun.origins`.

        >>> SynchronousGraph(2, ((0, 1, 1),), (0,), ()).origins(5)
        (Origin(node=0, number=5),)
        """
        if type(packets) is not int or packets < 1:
            raise InvalidInput("packets", packets, "a positive whole number of packets")
        return tuple(Origin(source, packets) for source in self.sources)


def synchronous_graph(platform: Platform, *sources: Node) -> SynchronousGraph:
    """The graph of a platform on which a packet takes cost + latency steps for an arc.

    With one source it is for a broadcast, with several for a broadcast from each of them, with
    all nodes for an all-gather.  Nodes keep their places in `platform.nodes`, arcs theirs in
    `platform.arcs`.  Raises `InvalidInput` for no source, a source that is unknown or given
    twice, an arc that takes no whole number of steps, and a node that a source does not reach.
    Linear time for each source.

    Takes time linear in its size for each source. Reference: proofs/rounds-schedules.md.

    >>> graph = synchronous_graph(Platform("ab", [("a", "b", 2), ("b", "a", 1)]), "a")
    >>> graph.arcs, graph.sources, graph.names
    (((0, 1, 2), (1, 0, 1)), (0,), ('a', 'b'))
    """
    refuse_no_platform(platform)
    if not sources:
        raise InvalidInput("sources", [], "packets come from at least one node")
    position, size = platform.position, len(platform.nodes)
    for index, source in enumerate(sources):
        if source not in position:
            raise InvalidInput("source", source, "not a node of the platform")
        if source in sources[:index]:
            raise InvalidInput("source", source, "this source is given twice")
    arcs = tuple((position[arc.tail], position[arc.head], _steps(arc)) for arc in platform.arcs)
    heads: list[list[int]] = [[] for _ in range(size)]
    for tail, head, _ in arcs:
        heads[tail].append(head)
    for source in sources:
        missed = _missed(heads, position[source])
        if missed is not None:
            rule = f"every node can be reached from {source!r}"
            raise InvalidInput("platform", platform.nodes[missed], rule)
    plain = platform.nodes == tuple(range(size))
    names = () if plain else tuple(map(str, platform.nodes))
    return SynchronousGraph(size, arcs, tuple(position[source] for source in sources), names)


# Half of the time of `Send` itself; a schedule may have millions.
_send = partial(tuple.__new__, Send)


def paired(row: Sequence[int]) -> tuple[Send, ...]:
    """The sends of a flat row arc, packet, arc, packet, ...; those who search write rows so.

    >>> paired([3, 0, 4, 1])
    (Send(arc=3, packet=0), Send(arc=4, packet=1))
    """
    return tuple(map(_send, zip(row[::2], row[1::2], strict=True)))


def _steps(arc: Arc) -> int:
    steps = arc.latency + arc.cost
    if steps.denominator != 1:
        rule = "a packet takes a whole number of steps on every arc"
        raise InvalidInput(f"arc {arc}", steps, rule)
    return steps.numerator


def _missed(heads: Sequence[Sequence[int]], source: int) -> int | None:
    """A node that cannot be reached, if there is one."""
    reached = breadth_first([source], heads.__getitem__)
    return next((node for node in range(len(heads)) if node not in reached), None)
