"""Packets that spread in synchronous rounds, and proofs that fewer are not enough, as plain data.

Nodes are 0..size-1; arcs and packets are numbered from 0, the step that comes first is step 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from exactsched.certificate import rules
from exactsched.certificate.limits import MAX_ITEMS
from exactsched.certificate.result import Result
from exactsched.certificate.rules import ArcIndex, Count, Index, NodeIndex, NotNegative
from exactsched.exact.errors import Malformed
from exactsched.exact.rational import readable, to_json

RoundsPorts = Literal["half-duplex", "one-port"]
Packet = Annotated[int, Index("packet")]


class TimedArc(NamedTuple):
    """An arc between two different nodes, and how many steps a packet takes on it, mostly 1."""

    tail: NodeIndex
    head: NodeIndex
    duration: Count


class Origin(NamedTuple):
    """The next `number` packets are at this node from the start."""

    node: NodeIndex
    number: Count


class Send(NamedTuple):
    """A packet starts on an arc."""

    arc: ArcIndex
    packet: Packet


class WeightedSet(NamedTuple):
    """A set of nodes, and its weight or price."""

    nodes: tuple[NodeIndex, ...]
    weight: NotNegative


@readable
@dataclass(frozen=True, slots=True)
class OccupancyProof:
    """Prices of ports and odd sets, and cuts that they pay for: no steady flow is faster.

    An arc costs its steps times the prices of its ports and of the odd sets that contain both of
    its ends, and the `cuts` that it enters weigh no more.

    - `prices`: one for each node (half-duplex: its port), or two (one-port: all sending ports, then
      all receiving ports)
    - `odd_sets`: in half-duplex, sets of an odd number of nodes, which are resources as well: of
      the arcs inside a set of 2 k + 1 nodes at most k work at a time
    - `cuts`: sets of nodes, not empty
    """

    prices: tuple[NotNegative, ...]
    odd_sets: tuple[WeightedSet, ...]
    cuts: tuple[WeightedSet, ...]


@dataclass(frozen=True, slots=True)
class SynchronousRun(Result):
    """Who sends which packet over which arc in which step, until everybody has all packets.

    What arrives at the end of a step can be sent on in the next one.  No schedule needs fewer than
    `bound` steps: by counting how many transfers each step can have at most, by distances, or by
    the occupancy, if one is given.

    - `size`: the number of nodes, P
    - `arcs`: the arcs of the graph; one may be there more than once
    - `ports`: in "half-duplex" a node takes part in one transfer at a time, in "one-port" in one as
      a sender and in one as a receiver
    - `origins`: where the packets are, which are numbered through; from 1 to 10^18 in all
    - `sends`: for each step what starts in it; the last steps may be left out
    - `steps`: after how many steps all is done
    - `bound`: how many no schedule does without
    - `occupancy`: empty, or one proof, or, where all arcs take one step, a second one without cuts,
      whose prices are those of the last step
    - `optimal`: whether `steps` is `bound`
    - `names`: what the nodes are called, all different; empty if they are called 0, 1, ...
    """

    size: Count
    arcs: tuple[TimedArc, ...]
    ports: RoundsPorts
    origins: tuple[Origin, ...]
    sends: tuple[tuple[Send, ...], ...]
    steps: int
    bound: int
    occupancy: tuple[OccupancyProof, ...]
    optimal: bool
    names: tuple[str, ...]

    def validate(self) -> None:
        rules.graph_size(self.size)
        rules.ends([(tail, head) for tail, head, _ in self.arcs], self.size, "arcs")
        for position, (tail, head, duration) in enumerate(self.arcs):
            if tail == head:
                raise Malformed(f"arcs[{position}]", tail, "an arc joins two nodes")
            rules.at_most(MAX_ITEMS, duration, f"arcs[{position}][2]", "steps")
        self._validate_sends()
        if self.names:
            rules.one_each(self.names, range(self.size), "names", "node")
            if len(set(self.names)) < self.size:
                raise Malformed("names", self.size, "two nodes may not have the same name")
        if len(self.occupancy) > 2:
            raise Malformed("occupancy", len(self.occupancy), "one proof, and one of the last step")
        for index, proof in enumerate(self.occupancy):
            self._validate_occupancy(proof, f"occupancy[{index}]")
        self._validate_last_step()

    def _validate_sends(self) -> None:
        if not self.origins:
            raise Malformed("origins", [], "there is at least one packet")
        rules.indices(rules.column(self.origins, 0), self.size, "origins", "node", "[0]")
        packets = sum(origin.number for origin in self.origins)
        rules.at_most(MAX_ITEMS, packets, "origins", "packets")
        if len(self.sends) > self.steps:
            rule = "there is at most one row for each of the steps"
            raise Malformed("sends", len(self.sends), rule)
        rules.indices_of_rows(self.sends, 0, len(self.arcs), "sends[{}]", "arc")
        rules.indices_of_rows(self.sends, 1, packets, "sends[{}]", "packet")

    def _validate_last_step(self) -> None:
        for proof in self.occupancy[1:]:
            if proof.cuts:
                rule = "the cuts of the last step are those of the first proof"
                raise Malformed("occupancy[1].cuts", len(proof.cuts), rule)
            for position, (_, _, duration) in enumerate(self.arcs):
                if duration > 1:
                    rule = "if the last step has its own prices, every arc takes one step"
                    raise Malformed(f"arcs[{position}][2]", to_json(duration), rule)

    def _validate_occupancy(self, proof: OccupancyProof, place: str) -> None:
        ports = range(self.size if self.ports == "half-duplex" else 2 * self.size)
        rules.one_each(proof.prices, ports, f"{place}.prices", "port")
        if proof.odd_sets and self.ports == "one-port":
            rule = "odd sets are resources in half-duplex only"
            raise Malformed(f"{place}.odd_sets", len(proof.odd_sets), rule)
        for position, (nodes, _) in enumerate(proof.odd_sets):
            self._validate_odd_set(nodes, f"{place}.odd_sets[{position}][0]")
        for position, (nodes, _) in enumerate(proof.cuts):
            rules.distinct(nodes, self.size, f"{place}.cuts[{position}][0]", "node")
            if not nodes:
                rule = "nothing needs to be sent into no node"
                raise Malformed(f"{place}.cuts[{position}][0]", [], rule)

    def _validate_odd_set(self, nodes: tuple[NodeIndex, ...], place: str) -> None:
        rules.distinct(nodes, self.size, place, "node")
        if len(nodes) % 2 == 0:
            raise Malformed(place, len(nodes), "an odd set has an odd number of nodes")
