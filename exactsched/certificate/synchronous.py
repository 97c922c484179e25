"""Packets that spread step by step, and proofs that fewer steps are not enough, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.exact.rational import Rational

# A set of nodes, and its weight or price.
WeightedSet = tuple[tuple[int, ...], Rational]


@dataclass(frozen=True, slots=True)
class OccupancyProof:
    """Prices of ports and odd sets, and cuts that they pay for: no steady flow is faster.

    `prices` has one for each node (half-duplex: its port), or two (one-port: its sending port, then
    its receiving port).  An odd set of 2 k + 1 nodes is a resource as well, in half-duplex: at
    most k of the arcs inside work at a time.  An arc costs its steps times the prices of its ports
    and of the odd sets that contain both of its ends, and the `cuts` that it enters weigh no more.
    """

    prices: tuple[Rational, ...]
    odd_sets: tuple[WeightedSet, ...]
    cuts: tuple[WeightedSet, ...]


@dataclass(frozen=True, slots=True)
class SynchronousRun:
    """Who sends which packet over which arc in which step, until everybody has all packets.

    The graph has the nodes 0..size-1 and the `arcs` (tail, head, duration): a packet takes this
    many steps on it, nearly always 1.  With the `ports` "half-duplex" a node takes part in one
    transfer at a time, with "one-port" in one as a sender and in one as a receiver.  The packets
    are numbered through: a row (node, number) of `origins` says that the next `number` packets are
    at this node from the start.  `sends[t]` lists what starts in step t: arc, packet, arc, packet,
    ...; what arrives at the end of a step can be sent on in the next one.

    All is done after `steps` steps.  No schedule needs fewer than `bound`: by counting how many
    transfers each step can have at most, by distances, or by the `occupancy`, if one is given.
    `names` are what the nodes are called, if not 0, 1, ...
    """

    size: int
    arcs: tuple[tuple[int, int, int], ...]
    ports: str
    origins: tuple[tuple[int, int], ...]
    sends: tuple[tuple[int, ...], ...]
    steps: int
    bound: int
    occupancy: tuple[OccupancyProof, ...]
    optimal: bool
    names: tuple[str, ...]
