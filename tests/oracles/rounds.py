"""Packets in steps, slowly and by definition: what a run does, and the shortest run by search."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from exactsched.certificate.synchronous import Send, SynchronousRun

Arcs = tuple[tuple[int, int, int], ...]
Origins = tuple[tuple[int, int], ...]
# For every packet and node: it LACKS it, HAS it, or receives it from (sender, for so many steps).
_Place = tuple[int, int]
_State = tuple[tuple[_Place, ...], ...]
HAS, LACKS = (-1, 0), (-2, 0)
_Start = tuple[int, int]


def last_step_by_definition(stated: SynchronousRun) -> int:
    """After which everybody has everything; fails if a transfer is not possible or not needed."""
    state = _at_first(stated.size, stated.origins)
    last = 0
    for step in range(stated.steps + 1):
        if step < len(stated.sends):
            row = stated.sends[step]
            for send in row:
                assert _can_start(stated.arcs, stated.ports, state, send)
                state = _started(stated.arcs, state, send)
        if any(place not in (HAS, LACKS) for places in state for place in places):
            last = step + 1
        state = _one_step_later(state)
    assert all(place == HAS for places in state for place in places)
    return last


def shortest_run(
    size: int, arcs: Arcs, ports: str, origins: Origins
) -> tuple[tuple[Send, ...], ...]:
    """What starts in each step of a run that no other beats: all states, step by step.

    Packets with the same places are alike.
    """
    unit = all(duration == 1 for _, _, duration in arcs)
    first = _at_first(size, origins)
    layer: dict[_State, tuple[_State, tuple[tuple[Send, ...], ...]]] = {
        tuple(sorted(first)): (first, ())
    }
    for _ in count():
        for state, rows in layer.values():
            if all(place == HAS for places in state for place in places):
                return rows
        following: dict[_State, tuple[_State, tuple[tuple[Send, ...], ...]]] = {}
        for state, rows in layer.values():
            for begun, row in _choices(arcs, ports, state, 0, unit):
                later = _one_step_later(begun)
                following.setdefault(tuple(sorted(later)), (later, (*rows, row)))
        layer = _undominated(following) if unit else following
    raise AssertionError


def _at_first(size: int, origins: Origins) -> _State:
    return tuple(
        tuple(HAS if node == origin else LACKS for node in range(size))
        for origin, number in origins
        for _ in range(number)
    )


def _one_step_later(state: _State) -> _State:
    def later(place: _Place) -> _Place:
        sender, rest = place
        if sender < 0:
            return place
        return (sender, rest - 1) if rest > 1 else HAS

    return tuple(tuple(map(later, places)) for places in state)


def _can_start(arcs: Arcs, ports: str, state: _State, start: _Start) -> bool:
    arc, packet = start
    tail, head, _ = arcs[arc]
    if state[packet][tail] != HAS or state[packet][head] != LACKS:
        return False
    senders = {sender for places in state for sender, _ in places if sender >= 0}
    receivers = {node for places in state for node, (sender, _) in enumerate(places) if sender >= 0}
    if ports == "half-duplex":
        return not {tail, head} & (senders | receivers)
    return tail not in senders and head not in receivers


def _started(arcs: Arcs, state: _State, start: _Start) -> _State:
    arc, packet = start
    tail, head, duration = arcs[arc]
    places = list(state[packet])
    places[head] = (tail, duration)
    return (*state[:packet], tuple(places), *state[packet + 1 :])


def _choices(
    arcs: Arcs, ports: str, state: _State, arc: int, maximal: bool
) -> Iterator[tuple[_State, tuple[Send, ...]]]:
    """All that may start in a step, arc by arc; packets with the same places are alike."""
    if arc == len(arcs):
        if not maximal or not any(
            _can_start(arcs, ports, state, (other, packet))
            for other in range(len(arcs))
            for packet in range(len(state))
        ):
            yield state, ()
        return
    yield from _choices(arcs, ports, state, arc + 1, maximal)
    seen = set()
    for packet, places in enumerate(state):
        if places not in seen and _can_start(arcs, ports, state, (arc, packet)):
            seen.add(places)
            begun = _started(arcs, state, (arc, packet))
            for after, row in _choices(arcs, ports, begun, arc + 1, maximal):
                yield after, (Send(arc, packet), *row)


def _undominated(
    layer: dict[_State, tuple[_State, tuple[tuple[Send, ...], ...]]],
) -> dict[_State, tuple[_State, tuple[tuple[Send, ...], ...]]]:
    """Those with the most received: to have more never hurts, so a state within another is left."""
    kept: dict[_State, tuple[_State, tuple[tuple[Send, ...], ...]]] = {}
    for state in sorted(layer, key=lambda state: -sum(p.count(HAS) for p in state)):
        if not any(_within(state, other) for other in kept):
            kept[state] = layer[state]
    return kept


def _within(state: _State, other: _State) -> bool:
    return all(
        place == LACKS or better == HAS
        for places, betters in zip(state, other, strict=True)
        for place, better in zip(places, betters, strict=True)
    )
