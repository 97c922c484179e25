"""The proof that ports of a graph cannot take more packets in a step than a steady broadcast."""

from __future__ import annotations

from exactsched.certificate import parse
from exactsched.certificate.collectives import Series
from exactsched.certificate.synchronous import OccupancyProof
from exactsched.model.platform import Platform
from exactsched.model.problem import Ports
from exactsched.steady_state.broadcast import broadcast
from exactsched.synchronous.bounds import occupancy_proof
from exactsched.synchronous.graph import SynchronousGraph

# Up to here it takes less than a second of processor time (measured: complete:60, torus:9x9).
MAX_NODES = 100


def steady_occupancy(graph: SynchronousGraph, ports: Ports) -> tuple[OccupancyProof, ...]:
    """One proof for runs of many packets from one source; none for several, or a large graph.

    By it N packets take N / C steps or more, where C is the throughput of an optimal steady
    broadcast.

    >>> from exactsched.platforms.built_in import ring
    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> (proof,) = steady_occupancy(synchronous_graph(ring(4), 0), "half-duplex")
    >>> sum(proof.prices) / sum(weight for _, weight in proof.cuts)
    Fraction(2, 3)
    """
    if len(graph.sources) > 1 or not 1 < graph.size <= MAX_NODES:
        return ()
    fastest = dict(sorted(((tail, head), -steps) for tail, head, steps in graph.arcs))
    links = [(tail, head, -steps) for (tail, head), steps in fastest.items()]
    steady = broadcast(Platform(range(graph.size), links), graph.sources[0], ports=ports)
    stated = parse(steady.certificate())
    assert isinstance(stated, Series)
    return (occupancy_proof(stated),)
