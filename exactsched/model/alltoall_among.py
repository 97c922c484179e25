"""The alltoall of MPI in a few words: a group of nodes, instead of a demand for each pair."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import pasteable
from exactsched.model.parts import SWITCHES, Demand, checked_group, positive, refuse_latencies
from exactsched.model.platform import Node, Platform, refuse_no_platform
from exactsched.model.problem import PORTS, Alltoall


@pasteable
@dataclass(frozen=True, slots=True)
class AlltoallAmong:
    """A series of alltoalls in which each node of a group sends a message to each of the others.

    - `platform`: no arc has a latency
    - `among`: the group, at least two nodes, each once
    - `size`: that of all messages; > 0
    - `ports`: which transfers exclude each other, as for a broadcast, but not "routes"

    Raises `InvalidInput` as `Alltoall` does.
    """

    TAG: ClassVar = ("collective", "alltoall")

    platform: Platform
    among: tuple[Node, ...]
    size: Fraction = Fraction(1)
    ports: Literal["one-port", "half-duplex", "link"] = "one-port"

    def __post_init__(self) -> None:
        refuse_no_platform(self.platform)
        object.__setattr__(self, "among", checked_group(self.platform, self.among, "among"))
        for node in self.among:
            if node in self.platform.switches:
                raise InvalidInput("among", node, f"{SWITCHES}: leave it out of the group")
        object.__setattr__(self, "size", positive(self.size, "size"))
        if self.ports not in PORTS:
            raise InvalidInput("ports", self.ports, f"a port model is one of {', '.join(PORTS)}")
        refuse_latencies(self.platform)

    def written_out(self) -> Alltoall:
        """The same with its demands, in the order of the group: by source, then by target.

        >>> pair = AlltoallAmong(Platform("ab", [("a", "b", 1), ("b", "a", 1)]), ("a", "b"))
        >>> [str(demand) for demand in pair.written_out().demands]
        ['a=>b', 'b=>a']
        >>> AlltoallAmong.of(pair.written_out()) == pair
        True
        """
        demands = [Demand(*pair, self.size) for pair in _pairs(self.among)]
        return Alltoall(self.platform, tuple(demands), self.ports)

    @staticmethod
    def of(problem: Alltoall) -> AlltoallAmong | None:
        """The problem in a few words, if its demands are those of a group, in this order."""
        group, size = problem.sources, problem.demands[0].size
        if problem.ports == "routes" or len(problem.demands) != len(group) * (len(group) - 1):
            return None
        sizes = [demand.size for demand in problem.demands]
        pairs = [(demand.source, demand.target) for demand in problem.demands]
        if sizes.count(size) < len(sizes) or pairs != _pairs(group):
            return None
        return AlltoallAmong(problem.platform, group, size, problem.ports)


def _pairs(group: tuple[Node, ...]) -> list[tuple[Node, Node]]:
    return [(one, other) for one in group for other in group if one != other]
