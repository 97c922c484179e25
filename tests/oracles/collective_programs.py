"""The linear programs of RR-4872, in full: scatter and alltoall (SSSP, SSPA2A), and reduce (SSR).

As they must be, and as printed.  One-port; a variable is what is sent or computed per time unit.
They are solved exactly and their optimum is checked, so their values are facts to compare with.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from exactsched.model.platform import Node, Platform
from exactsched.oracles.linear_programs import ONE, THROUGHPUT, ThroughputProgram
from exactsched.theorems.optimum import optimum

Pairs = Mapping[tuple[Node, Node], Fraction | int]  # (source, target) -> size of its messages
Interval = tuple[int, int]
Flows = dict[int, int]  # arc -> variable


class _Program(ThroughputProgram):
    """With the ports of a platform, each busy for all the time at most."""

    def __init__(self, platform: Platform) -> None:
        super().__init__()
        self.platform = platform
        self.busy: dict[tuple[str, Node], dict[int, Fraction]] = {}

    def sent(self, size: Fraction | int) -> Flows:
        """A variable for each arc: messages of that size, which keep both ports busy."""
        flows = {}
        for index, arc in enumerate(self.platform.arcs):
            flows[index] = self.variable()
            for port in (("send", arc.tail), ("recv", arc.head)):
                self.busy.setdefault(port, {})[flows[index]] = size * arc.cost
        return flows

    def net(self, flows: Flows, node: Node) -> dict[int, Fraction]:
        """What enters a node minus what leaves it."""
        arcs = self.platform.arcs
        entering = {v: ONE for index, v in flows.items() if arcs[index].head == node}
        leaving = {v: -ONE for index, v in flows.items() if arcs[index].tail == node}
        return {**entering, **leaving}

    def gross(self, flows: Flows, node: Node) -> dict[int, Fraction]:
        """What enters a node."""
        arcs = self.platform.arcs
        return {v: ONE for index, v in flows.items() if arcs[index].head == node}

    def throughput(self) -> Fraction:
        for row in self.busy.values():
            self.at_most(row, 1)
        return Fraction(optimum(self.stated()).value)


def alltoall_throughput(platform: Platform, pairs: Pairs) -> Fraction:
    """SSPA2A(G) as it must be: for every pair a flow of value TP, net, from source to target.

    With one source it is SSSP(G).  Sources are exempt from conservation.
    """
    program = _Program(platform)
    for (source, target), size in pairs.items():
        flows = program.sent(size)
        for node in platform.nodes:
            if node not in (source, target):
                program.equation(program.net(flows, node))
        program.equation({**program.net(flows, target), THROUGHPUT: -ONE})
    return program.throughput()


def printed_scatter_throughput(
    platform: Platform, targets: Sequence[Node], exempt: Collection[Node]
) -> Fraction:
    """SSSP(G) as printed: (5) for all nodes but the target and those exempt, (6) gross.

    The printed program names no source: (5) is for all i != k.
    """
    program = _Program(platform)
    for target in targets:
        flows = program.sent(1)
        for node in platform.nodes:
            if node != target and node not in exempt:
                program.equation(program.net(flows, node))
        program.equation({**program.gross(flows, target), THROUGHPUT: -ONE})
    return program.throughput()


def reduce_throughput(
    platform: Platform,
    owners: Sequence[Node],
    target: Node,
    size: Callable[[Interval], Fraction | int] = lambda _: 1,
) -> Fraction:
    """SSR(G) as it must be: what arrives at the target is net of what leaves it."""
    return _reduce(platform, owners, target, size, _Program.net)


def printed_reduce_throughput(platform: Platform, owners: Sequence[Node], target: Node) -> Fraction:
    """SSR(G) as printed: (11) counts what arrives at the target gross."""
    return _reduce(platform, owners, target, lambda _: 1, _Program.gross)


def _reduce(
    platform: Platform,
    owners: Sequence[Node],
    target: Node,
    size: Callable[[Interval], Fraction | int],
    arriving: Callable[[_Program, Flows, Node], dict[int, Fraction]],
) -> Fraction:
    """`owners[i]` has v[i,i]; the time of a task on a node is its `compute`, if it has one."""
    program = _Program(platform)
    last = len(owners) - 1
    intervals = [(k, m) for k in range(last + 1) for m in range(k, last + 1)]
    flows = {interval: program.sent(size(interval)) for interval in intervals}
    made: dict[tuple[Node, Interval], dict[int, Fraction]] = {}
    used: dict[tuple[Node, Interval], dict[int, Fraction]] = {}
    for node in platform.nodes:
        time = platform.node_data.get(node, {}).get("compute")
        if time is None:
            continue
        for k, m in intervals:
            for cut in range(k, m):
                task = program.variable()
                program.busy.setdefault(("compute", node), {})[task] = Fraction(time)
                made.setdefault((node, (k, m)), {})[task] = ONE
                for part in ((k, cut), (cut + 1, m)):
                    used.setdefault((node, part), {})[task] = -ONE
    for node in platform.nodes:
        for interval in intervals:
            here = node, interval
            if here == (target, (0, last)):
                arrived = arriving(program, flows[interval], node) | made.get(here, {})
                program.equation({**arrived, THROUGHPUT: -ONE})
            elif interval[0] < interval[1] or node != owners[interval[0]]:
                balance = program.net(flows[interval], node) | made.get(here, {})
                program.equation({**balance, **used.get(here, {})})
    return program.throughput()
