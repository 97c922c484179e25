"""How far a plan is from the optimum: the work of the links against a proved bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactsched.check import check
from exactsched.check.proved import ProvedSeries, shown
from exactsched.exact.errors import InvalidInput
from exactsched.exact.words import counted
from exactsched.export.msccl.document import SENDS
from exactsched.export.msccl.verifier import Verified
from exactsched.model.parts import Demand, Shard
from exactsched.model.platform import Arc, Node, Platform
from exactsched.model.problem import Allgather, Collective, Ports
from exactsched.model.resources import arc_resources
from exactsched.steady_state.allgather import solve_allgather
from exactsched.steady_state.alltoall import alltoall
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.combination import order_free_allreduce, reduce_scatter
from exactsched.steady_state.solution import Solution


@dataclass(frozen=True, slots=True)
class Comparison:
    """A verified plan on a platform.

    - `loads`: how long every resource works in one operation, in time units
    - `time`: the largest of them; the plan takes at least as long on these ways
    - `shared`: between how many pairs of gpus messages have several shortest ways
    - `least`: no schedule needs less for an operation, in the long run; proved

    An operation has shards, blocks and messages of size 1; in a broadcast and an all-reduce the
    whole vector has size 1.
    """

    plan: Verified
    proved: ProvedSeries
    loads: dict[str, Fraction]
    busiest: str
    time: Fraction
    least: Fraction
    shared: int = 0

    @property
    def gap(self) -> Fraction:
        """By which part `time` is longer than `least`; 0 if nothing can be better."""
        return self.time / self.least - 1

    def __str__(self) -> str:
        works = f"{self.busiest} works {shown(self.time)} time units an operation"
        bound = f"no schedule needs less than {shown(self.least)}"
        told: str = self.proved.problem.ports
        if self.shared:
            pairs = counted(self.shared, "pair")
            told += f"; what {pairs} of gpus send is shared evenly among several shortest ways"
        if not self.gap:
            return f"{works}, and {bound}: no plan has less to do ({told})"
        return f"{works}, {bound}: {float(100 * self.gap):.3g} % more ({told})"


def compare(
    plan: Verified, platform: Platform, ranks: Sequence[Node] | None = None, ports: Ports = "link"
) -> Comparison:
    """The loads of a verified plan, and the bound that is proved for its collective.

    `ranks` has the node of every gpu, all different; without it they are the nodes of the platform
    that are no switches.  Between two gpus without an arc a message takes the shortest way through
    nodes that are no gpus.  Plans do not say which one: where there are several, each of them takes
    an equal part, as equal-cost routing does.

    Raises `InvalidInput` for other numbers of ranks, for messages without a way, and where no bound
    is known: for a reduce-scatter, and a broadcast not under link ports, all nodes have to be gpus.
    """
    if ports == "routes":
        raise InvalidInput("ports", ports, "a plan is compared under the other port models")
    if ranks is None:
        ranks = [node for node in platform.nodes if node not in platform.switches]
    _check_ranks(plan, platform, ranks)
    solution = _optimum(plan, platform, ranks, ports)
    proved = check(solution.certificate())
    loads, shared = _loads(plan, platform, ranks, solution.problem)
    if not proved.bound:
        raise InvalidInput("platform", 0, "nothing can be delivered on this platform")
    busiest, time = max(loads.items(), key=lambda item: item[1], default=("no link", Fraction(0)))
    named = _named(busiest, platform)
    return Comparison(plan, proved, loads, named, time, 1 / proved.bound, shared)


def _check_ranks(plan: Verified, platform: Platform, ranks: Sequence[Node]) -> None:
    gpus = len(plan.algorithm.gpus)
    if len(ranks) != gpus:
        rule = f"the plan has {counted(gpus, 'gpu')}: name a node for each, --ranks ID,ID,..."
        raise InvalidInput("ranks", len(ranks), rule)
    if len(set(ranks)) < gpus:
        twice = next(node for node in ranks if list(ranks).count(node) > 1)
        raise InvalidInput("ranks", twice, "every gpu is a node of its own")
    for node in ranks:
        if node not in platform.position:
            raise InvalidInput("ranks", node, "not a node of the platform")


def _optimum(plan: Verified, platform: Platform, ranks: Sequence[Node], ports: Ports) -> Solution:
    name = plan.algorithm.collective
    if name in ("allgather", "broadcast") and (name == "allgather" or ports == "link"):
        alone = None if name == "allgather" else ranks[plan.root]
        shards = tuple(Shard(node, Fraction(alone in (None, node))) for node in ranks)
        return solve_allgather(Allgather(platform, shards, ports))
    if name == "alltoall":
        pairs = [Demand(one, other) for one in ranks for other in ranks if one != other]
        return alltoall(platform, pairs, ports=ports)
    if name == "allreduce":
        return order_free_allreduce(platform, ranks, ports=ports)
    if len(ranks) < len(platform.nodes):
        idle = next(node for node in platform.nodes if node not in set(ranks))
        raise InvalidInput("ranks", idle, f"no bound is known for {name} if this node is no gpu")
    if name == "broadcast":
        return broadcast(platform, ranks[plan.root], ports=ports)
    return reduce_scatter(platform, ports=ports)


def _loads(
    plan: Verified, platform: Platform, ranks: Sequence[Node], problem: Collective
) -> tuple[dict[str, Fraction], int]:
    algorithm = plan.algorithm
    moved: dict[tuple[int, int], int] = {}
    for gpu, program in enumerate(algorithm.gpus):
        for block in program.blocks:
            chunks = sum(step.size for step in block.steps if step.kind in SENDS)
            if chunks:
                ends = gpu, block.send
                moved[ends] = moved.get(ends, 0) + chunks
    whole = 1 if algorithm.collective in ("allreduce", "broadcast") else len(ranks)
    size = Fraction(whole, algorithm.chunks)
    ways = _Ways(platform, ranks)
    busy = arc_resources(problem)
    loads: dict[str, Fraction] = {}
    for (tail, head), chunks in sorted(moved.items()):
        for place, part in ways.between(ranks[tail], ranks[head]).items():
            work = part * chunks * size * platform.arcs[place].cost
            for resource in busy[place]:
                loads[resource] = loads.get(resource, Fraction(0)) + work
    return loads, len(ways.several)


class _Ways:
    """Shortest ways through nodes that are no gpus."""

    def __init__(self, platform: Platform, ranks: Sequence[Node]) -> None:
        self._arcs = platform.arcs
        self._ranks = frozenset(ranks)
        self._out: dict[Node, list[int]] = {node: [] for node in platform.nodes}
        for index, arc in enumerate(platform.arcs):
            self._out[arc.tail].append(index)
        self._trees: dict[Node, tuple[dict[Node, list[int]], dict[Node, int]]] = {}
        self.several: set[tuple[Node, Node]] = set()

    def between(self, tail: Node, head: Node) -> dict[int, Fraction]:
        """Which part of a message each arc carries, if all shortest ways carry equal parts."""
        if tail not in self._trees:
            self._trees[tail] = self._search(tail)
        entering, ways = self._trees[tail]
        if head not in entering:
            rule = "every message of the plan takes a way; change the platform or --ranks"
            value = "no way through nodes that are no gpus"
            raise InvalidInput(f"from {tail} to {head}", value, rule)
        if ways[head] > 1:
            self.several.add((tail, head))
        carried: dict[int, Fraction] = {}
        parts = {head: Fraction(1)}
        queue = [head]
        for node in queue:  # grows while it is read: the far ones before those near the tail
            for index in entering.get(node, ()):
                before = self._arcs[index].tail
                carried[index] = parts[node] * ways[before] / ways[node]
                if before not in parts:
                    queue.append(before)
                parts[before] = parts.get(before, Fraction(0)) + carried[index]
        return carried

    def _search(self, tail: Node) -> tuple[dict[Node, list[int]], dict[Node, int]]:
        """The last arcs of all shortest ways to every node, and how many ways these are."""
        far, ways = {tail: 0}, {tail: 1}
        entering: dict[Node, list[int]] = {}
        waiting = [tail]
        for node in waiting:
            if node != tail and node in self._ranks:
                continue
            for index in self._out[node]:
                head = self._arcs[index].head
                if head not in far:
                    far[head] = far[node] + 1
                    ways[head] = 0
                    waiting.append(head)
                if far[head] == far[node] + 1:
                    entering.setdefault(head, []).append(index)
                    ways[head] += ways[node]
        return entering, ways


def _named(resource: str, platform: Platform) -> str:
    if resource.startswith("link:"):
        arc: Arc = platform.arcs[int(resource[5:])]
        return f"link {arc}"
    return resource
