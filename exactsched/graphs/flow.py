"""Maximum flows and minimum cuts on integers and rationals of any size (Ford and Fulkerson).

Method: push-relabel in passes over the nodes, farthest first (Goldberg and Tarjan 1988).
Limits: one commodity.  Compiled flows are faster, and wrong beyond 32 or 53 bits; one may propose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import add, sub
from typing import Final, Literal

from exactsched.certificate.graphs import MaximumFlow, Pairs
from exactsched.exact.arguments import (
    checked_arcs,
    checked_node,
    checked_size,
    divided,
    exact_numbers,
    not_negative,
    over_common_denominator,
)
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational

MOST_IN_A_FLOAT: Final = 2**53  # every whole number up to it is one


def maximum_flow(
    size: int,
    source: int,
    sink: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    *,
    proposed_by: Literal["igraph"] | None = None,
) -> MaximumFlow:
    """The largest value of a flow equals the least capacity of a cut (Ford and Fulkerson 1956).

    Nodes are 0..size-1; parallel arcs, opposite arcs and loops are allowed.  Capacities are exact
    numbers >= 0 of any size.  The flow has the denominators of the capacities, and may go round in
    circles, through the source as well: `without_cycles` removes them.  The cut is the smallest
    minimum cut: the nodes that every minimum cut contains.

    With `proposed_by` a compiled library proposes amounts, in floats.  What is a flow, exactly, is
    where the search starts; so value and cut are the same, and the flow may be another one.

    Raises `InvalidInput` for other numbers, if source and sink are one node, and if the library is
    not there.

    O(n^3 + n m) additions and O(n^3 log n + n m) comparisons in the worst case, whatever the
    capacities; a few times m on ordinary graphs.

    Reference: Ford and Fulkerson 1956; Goldberg and Tarjan 1988; Schrijver, sections 10.2, 10.7.

    >>> both = maximum_flow(4, 0, 3, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)], [4, 1, 1, "1/2", 5])
    >>> both.value, both.flow, both.cut
    (Fraction(5, 2), (Fraction(3, 2), 1, 1, Fraction(1, 2), 2), (0, 1))
    """
    size = checked_size(size)
    source = checked_node(source, size, "source")
    sink = checked_node(sink, size, "sink")
    if source == sink:
        raise InvalidInput("sink", sink, "source and sink are different nodes")
    pairs = checked_arcs(size, arcs)
    numbers = exact_numbers(capacities, "capacity of arc", len(pairs))
    not_negative(numbers, "capacity of arc")
    whole, denominator = over_common_denominator(numbers)
    network = FlowNetwork(size, pairs, whole)
    value, cut = 0, {sink}
    if proposed_by is not None:
        proposed = _proposed(proposed_by, size, source, sink, pairs, whole)
        value, cut = network.adopt(proposed, source, sink), network.reachable(source)
    if sink in cut:
        value += network.push(source, sink)
        cut = network.reachable(source)
    flow: Sequence[Rational] = network.flows()
    if denominator > 1:
        flow = [divided(amount, denominator) for amount in network.flows()]
    best = Fraction(value, denominator)
    return MaximumFlow(size, pairs, numbers, source, sink, tuple(flow), tuple(sorted(cut)), best)


def _proposed(
    library: str, size: int, source: int, sink: int, arcs: Pairs, capacities: list[int]
) -> list[int]:
    """What igraph takes for a largest flow, rounded down; nothing if floats do not hold it."""
    if library != "igraph":
        raise InvalidInput("proposed_by", library, 'write "igraph", or leave it away')
    try:
        import igraph
    except ImportError:
        rule = "type pip install 'exactsched[flow]', or leave it away"
        raise InvalidInput("proposed_by", "no igraph", rule) from None
    if max(capacities, default=0) > MOST_IN_A_FLOAT:
        return []
    graph = igraph.Graph(size, arcs, directed=True)
    try:
        return list(map(int, graph.maxflow(source, sink, capacity=capacities).flow))
    except (OverflowError, ValueError):  # infinite, or no number
        return []


def without_cycles(best: MaximumFlow) -> MaximumFlow:
    """Every flow is the sum of a flow on arcs without a cycle and of circulations.

    The first of them: value and cut are those of `best`, no arc carries more than before, and the
    arcs that carry something form no directed cycle.  So no more than the value leaves the source.

    A depth-first search stops at every cycle and takes away its least amount, which empties an arc.
    O(n m) additions.  Raises `InvalidInput` for an amount below 0.

    Reference: Ford and Fulkerson 1962, section I.2; Ahuja, Magnanti and Orlin 1993, theorem 3.5.

    >>> best = maximum_flow(2, 0, 1, [(0, 1), (1, 0)], [3, 1])
    >>> without_cycles(replace(best, flow=(3, 1))).flow
    (2, 0)
    """
    not_negative(best.flow, "flow of arc")
    amounts, denominator = over_common_denominator(best.flow)
    leaving: list[list[int]] = [[] for _ in range(best.size)]
    for arc, (tail, _) in enumerate(best.arcs):
        leaving[tail].append(arc)
    finished = [False] * best.size  # no cycle goes through such a node
    for root in range(best.size):
        _cancel_from(root, best.arcs, leaving, amounts, finished)
    return replace(best, flow=tuple([divided(amount, denominator) for amount in amounts]))


def _cancel_from(
    root: int,
    arcs: Sequence[tuple[int, int]],
    leaving: list[list[int]],
    amounts: list[int],
    finished: list[bool],
) -> None:
    """Cancel all cycles that can be reached from the root; arcs leave the lists as they are done.

    Every step forward is followed by the end of a node or by the end of an arc: at most n steps
    for each of them.
    """
    path: list[int] = []  # arcs from the root to the node
    entered = {root: 0}  # nodes of the path, and how many arcs are before them
    node = root
    while True:
        waiting = leaving[node]
        while waiting and (not amounts[waiting[-1]] or finished[arcs[waiting[-1]][1]]):
            waiting.pop()
        if not waiting:
            finished[node] = True
            del entered[node]
            if not path:
                return
            node = arcs[path.pop()][0]
            continue
        path.append(waiting[-1])
        node = arcs[waiting[-1]][1]
        if node not in entered:
            entered[node] = len(path)
            continue
        cycle = path[entered[node] :]
        least = min([amounts[arc] for arc in cycle])
        for arc in cycle:
            amounts[arc] -= least
        # Back to the tail of the first arc that carries nothing now.
        first = next(place for place, arc in enumerate(cycle) if not amounts[arc])
        for arc in cycle[first:-1]:
            del entered[arcs[arc][1]]
        node = arcs[cycle[first]][0]
        del path[len(path) - len(cycle) + first :]


class FlowNetwork:
    """A directed graph with integer capacities and a flow in it, for kernels: nothing is checked.

    The flow starts at zero, and every `push` adds to it.  Pushes may have different sources and
    sinks, and arcs and capacities may be added in between.  Several sources are one new node with
    an arc to each.

    >>> network = FlowNetwork(3, [(0, 1)], [7])
    >>> network.add_arc(1, 2, 5)
    1
    >>> network.push(0, 2, limit=3), network.push(0, 2), network.flow(0)
    (3, 2, 5)
    >>> sorted(network.reachable(0)), sorted(network.reaching(2))
    ([0, 1], [2])
    """

    __slots__ = ("_heads", "_leaving", "_room")

    # Arc k is two opposite residual arcs, 2k and 2k + 1; what fits through one of them, its room,
    # shrinks as the other's grows.

    def __init__(
        self, size: int, arcs: Iterable[tuple[int, int]] = (), capacities: Iterable[int] = ()
    ) -> None:
        heads: list[int] = []
        leaving: list[list[int]] = [[] for _ in range(size)]
        forth = 0
        for tail, head in arcs:
            leaving[tail].append(forth)
            heads += (head, tail)
            forth += 2
        # Arcs before opposite arcs: of two ways to equally near nodes the first is taken, and what
        # comes along a path would be sent back.  15 times fewer passes over two long paths.
        for back in range(1, forth, 2):
            leaving[heads[back - 1]].append(back)
        room = [0] * forth
        room[::2] = capacities
        self._heads, self._room, self._leaving = heads, room, leaving

    def add_arc(self, tail: int, head: int, capacity: int) -> int:
        """A new arc without flow; returns its index, counted from 0."""
        forth = len(self._heads)
        self._heads += (head, tail)
        self._room += (capacity, 0)
        self._leaving[tail].append(forth)
        self._leaving[head].append(forth + 1)
        return forth >> 1

    def flow(self, arc: int) -> int:
        """The amount on an arc."""
        return self._room[2 * arc + 1]

    def flows(self) -> list[int]:
        """The amounts on all arcs."""
        return self._room[1::2]

    def capacity(self, arc: int) -> int:
        """The largest amount that an arc can have."""
        return self._room[2 * arc] + self._room[2 * arc + 1]

    def grow(self, arc: int, amount: int) -> None:
        """Add to the capacity of an arc, or take away what its flow does not use."""
        self._room[2 * arc] += amount

    def clear(self) -> None:
        """Set the flow back to zero."""
        room = self._room
        room[::2] = map(add, room[::2], room[1::2])
        room[1::2] = [0] * (len(room) // 2)

    def adopt(self, amounts: Sequence[int], source: int, sink: int) -> int:
        """Begin with these amounts, if they are a flow and there is none yet; returns its value.

        >>> network = FlowNetwork(3, [(0, 1), (1, 2)], [7, 5])
        >>> network.adopt([6, 6], 0, 2), network.adopt([2, 2], 0, 2), network.push(0, 2)
        (0, 2, 3)
        """
        heads, room = self._heads, self._room
        if 2 * len(amounts) != len(room):
            return 0
        left = list(map(sub, room[::2], amounts))
        if min(amounts, default=0) < 0 or min(left, default=0) < 0:
            return 0
        gained = [0] * len(self._leaving)
        for head, tail, amount in zip(heads[::2], heads[1::2], amounts, strict=True):
            if amount:
                gained[head] += amount
                gained[tail] -= amount
        value = gained[sink]
        gained[source] += value
        gained[sink] = 0
        if value < 0 or any(gained):
            return 0
        room[::2], room[1::2] = left, amounts
        return value

    def reachable(self, source: int) -> set[int]:
        """The nodes that more flow from the source could reach: its least minimum cut."""
        return self._search(source, 0)

    def reaching(self, sink: int) -> set[int]:
        """The nodes from which more flow could reach the sink: outside its largest minimum cut."""
        return self._search(sink, 1)

    def _search(self, start: int, against: int) -> set[int]:
        """The nodes on residual paths from the start, or to it if `against` is 1."""
        heads, room, leaving = self._heads, self._room, self._leaving
        size = len(leaving)
        found, frontier = {start}, [start]
        missing: Iterable[int] = range(size)
        while frontier:
            near, frontier = frontier, []
            if len(near) < size - len(found):
                for node in near:
                    for arc in leaving[node]:
                        if room[arc ^ against] and heads[arc] not in found:
                            found.add(heads[arc])
                            frontier.append(heads[arc])
            else:
                # Few are missing, and most of them see one that was found among their first arcs
                # (Beamer, Asanovic and Patterson 2012): a tenth of the steps with 20 arcs a node.
                missing = [node for node in missing if node not in found]
                for node in missing:
                    for arc in leaving[node]:
                        if room[arc ^ against ^ 1] and heads[arc] in found:
                            found.add(node)
                            frontier.append(node)
                            break
        return found

    def push(self, source: int, sink: int, limit: int | None = None) -> int:
        """Send as much more flow as possible, at most `limit`; returns the amount sent.

        Goldberg and Tarjan 1988: the source gets an excess, and every node with an excess passes
        it on to nodes nearer to the sink; what cannot get there is brought back in the same way.
        O(n^2) passes over the nodes; the proof is in `proofs/max-flow-min-cut.md`.
        """
        room, leaving = self._room, self._leaving
        # Beginning with no more than the sink can take often leaves nothing to bring back.
        supply = sum([room[arc] for arc in leaving[source]])
        supply = min(supply, sum([room[arc ^ 1] for arc in leaving[sink]]))
        if limit is not None:
            supply = min(supply, limit)
        excess = [0] * len(leaving)
        excess[source] = supply
        self._drain(excess, sink)
        sent = excess[sink]
        if sent + excess[source] < supply:
            excess[source] = excess[sink] = 0
            self._drain(excess, source)
        return sent

    def _drain(self, excess: list[int], sink: int) -> None:
        """Move to the sink whatever excess can get there, farthest nodes first in every pass.

        Passes in this order, and going on with a node until it has no excess left, take 3.5 ms on
        a ladder of 2000 nodes; queues, first in, first out, 27 ms; Dinitz' algorithm 200 ms.
        Bounds that rise by one stay near the distances; those that rise by more ask for a search.
        Where augmenting paths of every length occur (two paths of 300 arcs with single arcs between
        them) that takes a seventh of the time of searches after as many relabelings of any kind.
        """
        heads, room, leaving = self._heads, self._room, self._leaving
        size = len(leaving)
        bound = [0] * size  # at most the distance to the sink; `size` if there is no path
        while active := self._raise_bounds(bound, excess, sink):
            current = [0] * size  # the arcs before it have no room or lead to no nearer node
            number = [0] * (size + 1)  # of nodes with each bound
            for known in bound:
                number[known] += 1
            jumps = 0
            while active and jumps <= size // 4:
                active.sort(key=bound.__getitem__, reverse=True)
                passed_to: list[int] = []
                for node in active:
                    amount, arcs, start = excess[node], leaving[node], current[node]
                    while amount and bound[node] < size:
                        nearer = bound[node] - 1
                        for index in range(start, len(arcs)):
                            arc = arcs[index]
                            fits = room[arc]
                            if not fits:
                                continue
                            head = heads[arc]
                            if bound[head] != nearer:
                                continue
                            if not excess[head] and head != sink:
                                passed_to.append(head)
                            if fits < amount:
                                room[arc] = 0
                                room[arc ^ 1] += fits
                                excess[head] += fits
                                amount -= fits
                            else:
                                room[arc] = fits - amount
                                room[arc ^ 1] += amount
                                excess[head] += amount
                                amount = 0
                                start = index
                                break
                        else:
                            before = bound[node]
                            bound[node], start = size, 0
                            for index, arc in enumerate(arcs):
                                if room[arc] and bound[heads[arc]] + 1 < bound[node]:
                                    bound[node], start = bound[heads[arc]] + 1, index
                            jumps += bound[node] > before + 1
                            number[before] -= 1
                            number[bound[node]] += 1
                            if not number[before]:
                                # A gap: no path leads over it to the sink (Cherkassky, Goldberg).
                                bound[:] = [size if d > before else d for d in bound]
                                number[before:] = [0] * (size - before) + [sum(number[before:])]
                    excess[node], current[node] = amount, start
                active = passed_to

    def _raise_bounds(self, bound: list[int], excess: list[int], sink: int) -> list[int]:
        """Make the bounds of the nodes with excess exact; returns those that reach the sink.

        The search goes back from the sink until it has met them: no other node is nearer.
        """
        heads, room, leaving = self._heads, self._room, self._leaving
        size = len(leaving)
        waiting = [node for node in range(size) if excess[node] and bound[node] < size]
        unseen = len(waiting) - (excess[sink] > 0)
        if not unseen:
            return []
        distance = [size] * size
        distance[sink] = 0
        near, active = [sink], []
        for node in near:
            beyond = distance[node] + 1
            for arc in leaving[node]:
                tail = heads[arc]
                if distance[tail] == size and room[arc ^ 1]:
                    distance[tail] = beyond
                    near.append(tail)
                    if excess[tail]:
                        active.append(tail)
            if len(active) == unseen:
                distance = [min(known, beyond) for known in distance]
                break
        bound[:] = map(max, bound, distance)
        return active
