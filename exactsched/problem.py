"""What is asked: a collective on a platform under a port model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from exactsched.errors import InvalidInput
from exactsched.platform import Node, Platform

Ports = Literal["one-port", "half-duplex", "link"]
Restriction = Literal["none", "tree", "dag"]
PORTS: tuple[str, ...] = get_args(Ports)
RESTRICTIONS: tuple[str, ...] = get_args(Restriction)


@dataclass(frozen=True, slots=True)
class Broadcast:
    """A series of broadcasts of unit-size messages from `source` to all other nodes.

    `ports` says which transfers exclude each other in time:

    - ``one-port``: two that leave the same node, two that enter the same node;
    - ``half-duplex``: two that share a node, whichever way they go;
    - ``link``: two on the same arc.

    `restrict` says which arcs may be used together: any, only those of one arborescence
    (``tree``), only an acyclic set (``dag``).

    Raises `InvalidInput` for an unknown source, model or restriction, and for a platform with
    a single node, where there is nothing to send.
    """

    platform: Platform
    source: Node
    ports: Ports = "one-port"
    restrict: Restriction = "none"

    def __post_init__(self) -> None:
        # 0.0 and True would be found among integers.
        is_name = isinstance(self.source, (int, str)) and not isinstance(self.source, bool)
        if not is_name or self.source not in self.platform.nodes:
            some = ", ".join(map(str, self.platform.nodes[:8]))
            raise InvalidInput("source", self.source, f"not a node of the platform ({some} ...)")
        if self.ports not in PORTS:
            raise InvalidInput("ports", self.ports, f"a port model is one of {', '.join(PORTS)}")
        if self.restrict not in RESTRICTIONS:
            raise InvalidInput(
                "restrict", self.restrict, f"a restriction is one of {', '.join(RESTRICTIONS)}"
            )
        if len(self.platform.nodes) < 2:
            raise InvalidInput(
                "platform", self.platform.nodes[0], "a broadcast needs at least two nodes"
            )
