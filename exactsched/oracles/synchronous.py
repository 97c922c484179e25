"""Packets in steps by definition: runs played step by step, runs in any order, all runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import cast

from exactsched.certificate.synchronous import Origin, RoundsPorts, Send, SynchronousRun, TimedArc
from exactsched.oracles.transfers import ImpossibleError

Arcs = tuple[tuple[int, int, int], ...]  # (tail, head, steps)
Origins = tuple[tuple[int, int], ...]  # (node, number of packets)

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
    ports: str
    picks: tuple[int, ...]

    def origins(self) -> Origins:
        """The rows of `SynchronousRun.origins`."""
        return tuple((source, self.packets) for source in self.sources)

    def of_one_packet(self) -> Spread:
        """The same with one packet and no picks."""
        return replace(self, packets=1, picks=())


# Runs --------------------------------------------------------------------------------------------


def any_run(asked: Spread, bound: int = 0) -> SynchronousRun:
    """In every step one arc after the other starts what its pick says, or waits.

    The run states the bound that is given.

    >>> any_run(Spread(2, ((0, 1, 3),), (0,), 2, "half-duplex", (0, 5))).sends[:2]
    ((), (Send(arc=0, packet=1),))
    """
    picks = iter(asked.picks)
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
    return SynchronousRun(
        size=asked.size,
        arcs=tuple(map(TimedArc._make, asked.arcs)),
        ports=cast(RoundsPorts, asked.ports),
        origins=tuple(map(Origin._make, asked.origins())),
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


def last_step(run: SynchronousRun) -> int:
    """The step after which everybody has everything; raises `ImpossibleError` if a run cannot be.

    >>> last_step(any_run(Spread(2, ((0, 1, 3),), (0,), 2, "half-duplex", ())))
    6
    """
    reason, has, _ = played(run)
    if reason:
        raise ImpossibleError(reason)
    return max(time for times in has for time in times)


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


def fewest_steps(
    size: int, arcs: Arcs, ports: str, origins: Origins, limit: int | None = None
) -> int | None:
    """The least number of steps of all runs; None if it exceeds the limit.

    All states that can be reached are looked at, step by step.  Packets with the same places are
    alike.  Every packet can reach every node; exponential: for at most a dozen transfers.

    >>> ring = two_ways((0, 1), (1, 2), (2, 3), (3, 0))
    >>> fewest_steps(4, ring, "half-duplex", ((0, 3),))
    5
    >>> fewest_steps(4, ring, "half-duplex", ((0, 3),), limit=4) is None
    True
    """
    unit = all(steps == 1 for _, _, steps in arcs)
    everybody = (1 << size) - 1
    layer: set[_State] = {
        tuple(sorted((1 << node, ()) for node, number in origins for _ in range(number)))
    }
    for now in count():
        if any(all(have == everybody for have, _ in state) for state in layer):
            return now
        layer = {
            tuple(sorted(map(_later, begun)))
            for state in layer
            for begun in _begun(arcs, ports, state, 0, unit)
        }
        if limit is not None:
            layer = {state for state in layer if not _late(size, state, limit - now - 1)}
        if unit:
            layer = _undominated(layer)
        if not layer:
            break
    return None


def fits(asked: Spread, limit: int) -> bool:
    """Whether some run takes no more steps.

    >>> [fits(Spread(2, ((0, 1, 3),), (0,), 2, "half-duplex", ()), limit) for limit in (5, 6)]
    [False, True]
    """
    found = fewest_steps(asked.size, asked.arcs, asked.ports, asked.origins(), limit)
    return found is not None


def _later(packet: _Packet) -> _Packet:
    have, moving = packet
    for _, head, rest in moving:
        if rest == 1:
            have |= 1 << head
    return have, tuple((tail, head, rest - 1) for tail, head, rest in moving if rest > 1)


def _late(size: int, state: _State, rest: int) -> bool:
    """Whether a node lacks more than it can receive in the rest of the steps."""
    missing = [0] * size
    for have, moving in state:
        coming = have | sum(1 << head for _, head, _ in moving)
        for node in range(size):
            missing[node] += not coming >> node & 1
        if any(left > rest for _, _, left in moving):
            return True
    return rest < 0 or max(missing) > rest


def _begun(arcs: Arcs, ports: str, state: _State, arc: int, maximal: bool) -> Iterator[_State]:
    """All that can start in a step from this arc on; `maximal`: all that can start does."""
    if arc == len(arcs):
        if not maximal or not any(_startable(ports, state, one) for one in arcs):
            yield state
        return
    yield from _begun(arcs, ports, state, arc + 1, maximal)
    seen = set()
    for place in _startable(ports, state, arcs[arc]):
        if state[place] not in seen:
            seen.add(state[place])
            have, moving = state[place]
            started = have, tuple(sorted((*moving, arcs[arc])))
            begun = (*state[:place], started, *state[place + 1 :])
            yield from _begun(arcs, ports, begun, arc + 1, maximal)


def _startable(ports: str, state: _State, arc: tuple[int, int, int]) -> list[int]:
    """The packets that may start over the arc."""
    tail, head, _ = arc
    senders = {one for _, moving in state for one, _, _ in moving}
    receivers = {other for _, moving in state for _, other, _ in moving}
    if ports == "half-duplex":
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


def rounds_fault(run: SynchronousRun) -> str:
    """What is false of all that a certificate says; empty if nothing is.

    It is played, and all runs of fewer steps than its bound are tried.
    """
    try:
        steps = last_step(run)
    except ImpossibleError as error:
        return str(error)
    if steps != run.steps:
        return f"the run takes {steps} steps"
    if run.optimal != (run.steps == run.bound):
        return "optimal means that the steps are the bound"
    fewer = fewest_steps(run.size, run.arcs, run.ports, run.origins, limit=run.bound - 1)
    return "" if fewer is None or fewer >= run.bound else f"{fewer} steps are enough"


def two_ways(*links: tuple[int, int], steps: int = 1) -> Arcs:
    """Arcs in both directions.

    >>> two_ways((0, 1))
    ((0, 1, 1), (1, 0, 1))
    """
    return tuple(arc for u, v in links for arc in ((u, v, steps), (v, u, steps)))
