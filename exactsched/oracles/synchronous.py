"""Packets in steps by definition: runs played step by step, runs in any order, all runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations

from exactsched.certificate.synchronous import RoundsPorts, Send, SynchronousRun, TimedArc
from exactsched.instances.choices import Choices
from exactsched.synchronous.bounds import rounds_bound
from exactsched.synchronous.graph import SynchronousGraph

# The nodes that have a packet, as bits, and those under way: (tail, head, steps left).
_Packet = tuple[int, tuple[tuple[int, int, int], ...]]
_State = tuple[_Packet, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """`packets` packets of each of the sources go to all nodes; arcs are (tail, head, steps).

    Each of the `picks` is a packet that starts over an arc, or an arc that waits.
    """

    size: int
    arcs: tuple[tuple[int, int, int], ...]
    sources: tuple[int, ...]
    packets: int
    ports: RoundsPorts
    picks: tuple[int, ...]

    def graph(self) -> SynchronousGraph:
        """As the package takes it."""
        return SynchronousGraph(self.size, self.arcs, self.sources, ())

    def bound(self) -> int:
        """The steps that the package says no run does without."""
        return rounds_bound(self.graph(), self.packets, self.ports).steps


# Runs --------------------------------------------------------------------------------------------


def any_run(asked: Spread) -> SynchronousRun:
    """In every step one arc after the other starts what its pick says, or waits.

    >>> any_run(Spread(2, ((0, 1, 3),), (0,), 2, "half-duplex", (0, 5))).sends
    ((), (Send(arc=0, packet=1),), (), (), (Send(arc=0, packet=0),))
    """
    graph, picks = asked.graph(), iter(asked.picks)
    total = asked.packets * len(asked.sources)
    has = [[-1] * total for _ in range(asked.size)]  # from when on
    for place, source in enumerate(asked.sources):
        for packet in range(place * asked.packets, (place + 1) * asked.packets):
            has[source][packet] = 0
    sending = [0] * asked.size
    receiving = sending if asked.ports == "half-duplex" else [0] * asked.size
    rows: list[tuple[Send, ...]] = []
    step = last = 0
    while any(min(row) < 0 for row in has):
        row: list[Send] = []
        for arc, (tail, head, steps) in enumerate(asked.arcs):
            useful = [p for p in range(total) if 0 <= has[tail][p] <= step and has[head][p] < 0]
            if not useful or sending[tail] > step or receiving[head] > step:
                continue
            # Without picks the first one; one of three picks is to wait.
            pick = next(picks, 1)
            if pick % 3 == 0:
                continue
            packet = useful[pick // 3 % len(useful)]
            last = max(last, step + steps)
            has[head][packet] = sending[tail] = receiving[head] = step + steps
            row.append(Send(arc, packet))
        rows.append(tuple(row))
        step += 1
    bound = asked.bound()
    return SynchronousRun(
        size=asked.size,
        arcs=tuple(map(TimedArc._make, asked.arcs)),
        ports=asked.ports,
        origins=graph.origins(asked.packets),
        sends=tuple(rows),
        steps=last,
        bound=bound,
        occupancy=(),
        optimal=last == bound,
        names=(),
    )


def played(run: SynchronousRun) -> tuple[str, list[list[int]], int]:
    """What is against the rules, when each node has each packet, and the steps without transfers.

    >>> two = Spread(2, ((0, 1, 3),), (0,), 2, "half-duplex", ())
    >>> played(any_run(two))
    ('', [[0, 0], [3, 6]], 0)
    """
    total = sum(number for _, number in run.origins)
    has = [[-1] * total for _ in range(run.size)]
    first = 0
    for node, number in run.origins:
        has[node][first : first + number] = [0] * number
        first += number
    busy: dict[tuple[int, str, int], int] = {}  # the arc that works, by step and port
    kinds = ("port", "port") if run.ports == "half-duplex" else ("send", "receive")
    for start, row in enumerate(run.sends):
        for arc, packet in row:
            tail, head, steps = run.arcs[arc]
            if not 0 <= has[tail][packet] <= start:
                return f"{tail} sends what it has not in step {start}", has, 0
            if has[head][packet] >= 0:
                return f"{head} receives again in step {start}", has, 0
            for now in range(start, start + steps):
                for port in ((now, kinds[0], tail), (now, kinds[1], head)):
                    if port in busy:
                        return f"two transfers at {port}", has, 0
                    busy[port] = arc
            has[head][packet] = start + steps
    if any(time < 0 for times in has for time in times):
        return "a packet is missing", has, 0
    end = max(time for times in has for time in times)
    return "", has, end - len({now for now, _, _ in busy})


def stages(run: SynchronousRun) -> tuple[int, int, int, int]:
    """T_I, T_S, T_F and T: until all have a packet, and from the first with all to the end.

    A path of three nodes: the first packet is everywhere after 2 steps, the last one, which waits
    for it, after 4, when the node in the middle has had everything for a step.

    >>> stages(any_run(Spread(3, ((1, 2, 1), (0, 1, 1)), (0,), 2, "half-duplex", ())))
    (2, 1, 1, 4)
    """
    _, has, _ = played(run)
    sources = {node for node, _ in run.origins}
    end = max(time for times in has for time in times)
    informed = max(min(times) for times in has)
    complete = min((max(times) for v, times in enumerate(has) if v not in sources), default=end)
    return informed, complete - informed, end - complete, end


# All runs ----------------------------------------------------------------------------------------


def fits(asked: Spread, limit: int) -> bool:
    """Whether some run takes no more steps, by all states that can be reached step by step.

    >>> ring = tuple((v, (v + way) % 4, 1) for v in range(4) for way in (1, 3))
    >>> [fits(Spread(4, ring, (0,), 3, "half-duplex", ()), limit) for limit in (4, 5)]
    [False, True]
    """
    unit = all(steps == 1 for _, _, steps in asked.arcs)
    everybody = (1 << asked.size) - 1
    start = tuple((1 << source, ()) for source in asked.sources for _ in range(asked.packets))
    layer: set[_State] = {tuple(sorted(start))}
    for rest in range(limit, -1, -1):
        if any(all(have == everybody for have, _ in state) for state in layer):
            return True
        if not rest:
            return False
        following = {
            tuple(sorted(map(_later, begun)))
            for state in layer
            for begun in _begun(asked, state, 0, unit)
        }
        layer = {state for state in following if not _late(asked, state, rest - 1)}
        if unit:
            layer = _undominated(layer)
    return False


def _later(packet: _Packet) -> _Packet:
    have, moving = packet
    for _, head, rest in moving:
        if rest == 1:
            have |= 1 << head
    return have, tuple((tail, head, rest - 1) for tail, head, rest in moving if rest > 1)


def _late(asked: Spread, state: _State, rest: int) -> bool:
    """Whether a node lacks more than it can receive."""
    missing = [0] * asked.size
    for have, moving in state:
        coming = have | sum(1 << head for _, head, _ in moving)
        for node in range(asked.size):
            missing[node] += not coming >> node & 1
        if any(left > rest for _, _, left in moving):
            return True
    return max(missing) > rest


def _begun(asked: Spread, state: _State, arc: int, maximal: bool) -> Iterator[_State]:
    """All that can start in a step from this arc on; with unit arcs what can start does."""
    if arc == len(asked.arcs):
        if not maximal or not any(_startable(asked, state, a) for a in range(arc)):
            yield state
        return
    yield from _begun(asked, state, arc + 1, maximal)
    seen = set()
    for place in _startable(asked, state, arc):
        if state[place] not in seen:
            seen.add(state[place])
            have, moving = state[place]
            started = have, tuple(sorted((*moving, asked.arcs[arc])))
            yield from _begun(
                asked, (*state[:place], started, *state[place + 1 :]), arc + 1, maximal
            )


def _startable(asked: Spread, state: _State, arc: int) -> list[int]:
    tail, head, _ = asked.arcs[arc]
    senders = {one for _, moving in state for one, _, _ in moving}
    receivers = {other for _, moving in state for _, other, _ in moving}
    if asked.ports == "half-duplex":
        senders = receivers = senders | receivers
    if tail in senders or head in receivers:
        return []
    return [
        place
        for place, (have, moving) in enumerate(state)
        if have >> tail & 1
        and not have >> head & 1
        and all(other != head for _, other, _ in moving)
    ]


def _undominated(layer: set[_State]) -> set[_State]:
    """Those in which most has arrived; having more never hurts."""
    kept: list[tuple[int, ...]] = []
    for state in sorted(layer, key=lambda state: -sum(have.bit_count() for have, _ in state)):
        sets = tuple(have for have, _ in state)
        if not any(all(a & ~b == 0 for a, b in zip(sets, other, strict=True)) for other in kept):
            kept.append(sets)
    return {tuple((have, ()) for have in sets) for sets in kept}


# Instances ---------------------------------------------------------------------------------------


def spread(
    choices: Choices,
    bound: int,
    *,
    packets: int,
    half_duplex: bool = False,
    one_source: bool = False,
    unit: bool = False,
) -> Spread:
    """Unit steps in two of three cases; long paths, rings, trees, and anything else."""
    size = choices.between(2, bound)
    parents = [choices.below(v) if choices.flip(3) else v - 1 for v in range(1, size)]
    pairs = {pair for v, up in enumerate(parents, 1) for pair in ((up, v), (v, up))}
    if not choices.flip():
        pairs |= set(choices.some_of(permutations(range(size), 2), choices.one_of((size, 3))))
    if choices.flip(4):  # In one direction only, all from node 0.
        pairs = {(tail, head) for tail, head in pairs if tail < head}
    most = 1 if unit else choices.one_of((1, 1, 3))
    arcs = tuple((*pair, choices.between(1, most)) for pair in sorted(pairs))
    heads = {v: [h for t, h in pairs if t == v] for v in range(size)}
    able = [v for v in range(size) if len(_reached(heads, v)) == size]
    count = 1 if one_source or choices.flip() else choices.between(1, len(able))
    both: tuple[RoundsPorts, ...] = "half-duplex", "one-port"
    ports = "half-duplex" if half_duplex else choices.one_of(both)
    number = choices.between(1, packets)
    picks = tuple(choices.below(600) for _ in range(choices.below(4 * size * number)))
    return Spread(size, arcs, tuple(choices.several_of(able, count)), number, ports, picks)


def _reached(heads: dict[int, list[int]], start: int) -> set[int]:
    reached, stack = {start}, [start]
    while stack:
        for head in heads[stack.pop()]:
            if head not in reached:
                reached.add(head)
                stack.append(head)
    return reached


def two_ways(*links: tuple[int, int], steps: int = 1) -> tuple[tuple[int, int, int], ...]:
    """Arcs in both directions.

    >>> two_ways((0, 1))
    ((0, 1, 1), (1, 0, 1))
    """
    return tuple(arc for u, v in links for arc in ((u, v, steps), (v, u, steps)))


def of_one_packet(asked: Spread) -> Spread:
    """The same with one packet and no picks."""
    return replace(asked, packets=1, picks=())
