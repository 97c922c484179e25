"""What the ports of a node have to do for all that it separates: a bound on runs in rounds.

Proofs: bound 1 of `proofs/rounds-certificates.md`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

import networkx

from exactsched.synchronous.graph import SynchronousGraph

# In a part with more pairs of a node and an arc distances are replaced by one fast arc.
_MOST_PAIRS = 1 << 12

_Steps = dict[int, int]  # of nodes


class _Task(NamedTuple):
    """Work of a port, and how long it takes from its end, at least, until all is done."""

    tail: int
    steps: int


class _Part:
    """Nodes that no single node separates, and the arcs between them."""

    def __init__(self, nodes: Iterable[int]) -> None:
        self.nodes = list(nodes)
        self.leaving: dict[int, list[tuple[int, int]]] = {node: [] for node in self.nodes}
        self.arcs = 0
        self.fastest_from: _Steps = {}
        self.fastest_to: _Steps = {}
        # For each node what is not behind it: the packets, and the time in which one gets there.
        self.packets: _Steps = {}
        self.spread: _Steps = {}

    def add(self, tail: int, head: int, steps: int) -> None:
        self.arcs += 1
        self.leaving[tail].append((head, steps))
        self.fastest_from[tail] = min(steps, self.fastest_from.get(tail, steps))
        self.fastest_to[head] = min(steps, self.fastest_to.get(head, steps))

    def sending(self, node: int, packets: int = 1) -> _Task:
        """From the node to all others."""
        least = self.fastest_from.get(node, 0)
        return _Task(self.spread.get(node, 0) - least, packets * least)

    def spread_from(self, nodes: Iterable[int], onward: _Steps) -> None:
        """Until all have a packet of one of the nodes, and those behind them, `onward` later."""
        if len(self.nodes) * self.arcs > _MOST_PAIRS:
            ranked = sorted((onward[node], node) for node in self.nodes)
            for node in nodes:
                longest, _ = ranked[-2 if ranked[-1][1] == node else -1]
                self.spread[node] = self.fastest_from.get(node, 0) + longest
            return
        for node in nodes:
            distances = steps_from((node,), self.leaving)
            self.spread[node] = max(
                distances.get(other, 0) + onward[other] for other in self.nodes if other != node
            )


def by_ports(graph: SynchronousGraph, own: Sequence[int], ports: str) -> int:
    """The most steps that the ports of a node need, from the first packet that it can have.

    Every packet is sent into all branches of a node but the one where it starts.

    >>> from exactsched.platforms.built_in import star
    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> by_ports(synchronous_graph(star(4), 1, 2, 3, 4), [0, 1, 1, 1, 1], "one-port")
    13
    """
    around = parts_around(graph, own)
    leaving: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for tail, head, steps in graph.arcs:
        leaving[tail].append((head, steps))
    informed = steps_from(graph.sources, leaving)
    entered: _Steps = {}
    for tail, head, _ in graph.arcs:
        entered[head] = min(informed[tail], entered.get(head, informed[tail]))
    total, best = sum(own), 0
    for node, parts in enumerate(around):
        sends = [part.sending(node, total - part.packets[node]) for part in parts]
        rest = [
            _Task(tail, part.packets[node] * part.fastest_to.get(node, 0))
            for tail, part in zip(_into_others(parts, node), parts, strict=True)
        ]
        if ports == "half-duplex":
            best = max(best, (0 if own[node] else entered[node]) + _duration([*sends, *rest]))
        else:
            best = max(best, informed[node] + _duration(sends))
            best = max(best, entered.get(node, 0) + _duration(rest))
    return best


def steps_from(starts: Iterable[int], leaving: Mapping[int, Iterable[tuple[int, int]]]) -> _Steps:
    """The least steps from one of the starts to every node that can be reached.

    >>> steps_from([0], {0: [(1, 5), (2, 1)], 1: [], 2: [(1, 3)]})
    {0: 0, 2: 1, 1: 4}
    """
    arriving: dict[int, list[int]] = {0: list(starts)}
    moments = [0]
    times: _Steps = {}
    while moments:
        now = heappop(moments)
        for node in arriving.pop(now):
            if node in times:
                continue
            times[node] = now
            for head, steps in leaving.get(node, ()):
                if now + steps not in arriving:
                    arriving[now + steps] = []
                    heappush(moments, now + steps)
                arriving[now + steps].append(head)
    return times


def _duration(tasks: Iterable[_Task]) -> int:
    """Of tasks of one port, those with the longest tail first; those without work are none."""
    worked = longest = 0
    for tail, steps in sorted(tasks, reverse=True):
        if steps:
            worked += steps
            longest = max(longest, worked + tail)
    return longest


def _into_others(parts: Sequence[_Part], node: int) -> list[int]:
    """For each part the time in which the node sends a packet into all others, and it spreads."""
    tasks = sorted((part.sending(node), place) for place, part in enumerate(parts))
    times = [0] * len(parts)
    # What is sent later, from the last one on, ends at most this long after what is before it.
    later = 0
    for task, place in tasks:
        times[place] = later
        later = max(later + task.steps, task.steps + task.tail)
    # What is sent before takes this long, and ends at most at this time.
    worked = longest = 0
    for task, place in reversed(tasks):
        times[place] = max(longest, worked + times[place])
        worked += task.steps
        longest = max(longest, worked + task.tail)
    return times


def parts_around(graph: SynchronousGraph, own: Sequence[int]) -> list[list[_Part]]:
    """The parts of every node, with the packets behind each, and how a packet spreads there."""
    whole = networkx.Graph()
    whole.add_nodes_from(range(graph.size))
    whole.add_edges_from(arc[:2] for arc in graph.arcs)
    around: list[list[_Part]] = [[] for _ in range(graph.size)]
    for nodes in networkx.biconnected_components(whole):
        part = _Part(nodes)
        for node in part.nodes:
            around[node].append(part)
    outward, home = _from_node_0(around)
    for tail, head, steps in graph.arcs:
        before = home.get(head)
        common = before if before and tail in before.leaving else home[tail]
        common.add(tail, head, steps)
    within = list(own)
    for part, top in reversed(outward):
        part.packets[top] = sum(within[node] for node in part.nodes if node != top)
        within[top] += part.packets[top]
    for part, top in outward:
        for node in part.nodes:
            if node != top:
                part.packets[node] = within[0] - within[node]
    _spread(around, outward, own)
    return around


def _from_node_0(
    around: Sequence[Sequence[_Part]],
) -> tuple[list[tuple[_Part, int]], dict[int, _Part]]:
    """All parts, each with its first node as seen from node 0, and the part before each node."""
    outward: list[tuple[_Part, int]] = []
    home: dict[int, _Part] = {}
    found = [0]
    for top in found:  # grows while it is read
        for part in around[top]:
            if part is not home.get(top):
                outward.append((part, top))
                others = [node for node in part.nodes if node != top]
                home |= dict.fromkeys(others, part)
                found += others
    return outward, home


def _spread(
    around: Sequence[Sequence[_Part]], outward: Sequence[tuple[_Part, int]], own: Sequence[int]
) -> None:
    # How long a node sends a packet into its parts other than the one it comes from.
    onward = dict.fromkeys(range(len(own)), 0)
    for part, top in reversed(outward):
        for node in part.nodes:
            if node != top:
                farther = (other for other in around[node] if other is not part)
                onward[node] = _duration(other.sending(node) for other in farther)
        part.spread_from((top,), onward)
    backward: dict[int, dict[int, int]] = {}
    for part, top in outward:
        if top not in backward:
            times = _into_others(around[top], top)
            backward[top] = {id(one): time for one, time in zip(around[top], times, strict=True)}
        onward[top], forward = backward[top][id(part)], onward[top]
        others = (node for node in part.nodes if node != top)
        # Into its only part a node sends nothing but what starts at it.
        senders = [node for node in others if own[node] or len(around[node]) > 1]
        part.spread_from(senders, onward)
        onward[top] = forward
