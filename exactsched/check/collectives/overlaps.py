"""No resource does two things at once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from operator import le

from exactsched.exact.errors import Rejected
from exactsched.exact.rational import to_json
from exactsched.model.problem import Collective
from exactsched.model.resources import place_resources


def refuse_overlaps(
    problem: Collective, place: str, at: Sequence[int], starts: Sequence[int], ends: Sequence[int]
) -> None:
    """Raises `Rejected` unless the half-open intervals on every resource are disjoint.

    Each has a place of work, where an arc or a processor works, a start, and an end after it.
    Sorted by start, an interval overlaps an earlier one of its resource if and only if it starts
    before the latest of them ends: O(k log k) comparisons.
    """
    order = by_start(starts)
    if _ports_do_one_thing(problem, *(arranged(column, order) for column in (at, starts, ends))):
        return
    used = place_resources(problem)
    latest: dict[str, int] = {}
    for position in order:
        start = starts[position]
        for resource in used[at[position]]:
            busy_until = latest.get(resource, 0)
            if start < busy_until:
                raise Rejected(
                    f"{place}[{position}]",
                    [resource, to_json(start), to_json(busy_until)],
                    "a resource does one thing at a time: it starts this while busy with another",
                )
            latest[resource] = ends[position]


def by_start(starts: Sequence[int]) -> Sequence[int]:
    """The positions of the starts in their order; those that are in order are not sorted.

    >>> by_start([0, 2, 2]), by_start([2, 0, 2])
    (range(0, 3), [1, 0, 2])
    """
    if all(map(le, starts, islice(starts, 1, None))):
        return range(len(starts))
    return sorted(range(len(starts)), key=starts.__getitem__)


def arranged(column: Sequence[int], order: Sequence[int]) -> Sequence[int]:
    """The numbers of a column in this order.

    >>> arranged([5, 6, 7], [1, 0, 2])
    [6, 5, 7]
    """
    return column if type(order) is range else list(map(column.__getitem__, order))


def _ports_do_one_thing(
    problem: Collective, at: Sequence[int], starts: Sequence[int], ends: Sequence[int]
) -> bool:
    """Whether arcs alone work, and their ports at one time each: a third of the time of names."""
    tails, heads = problem.platform.tails, problem.platform.heads
    if problem.ports not in ("one-port", "half-duplex") or max(at, default=0) >= len(tails):
        return False
    sending = dict.fromkeys(problem.platform.nodes, 0)
    receiving = sending if problem.ports == "half-duplex" else sending.copy()
    for working, start, end in zip(at, starts, ends, strict=True):
        tail, head = tails[working], heads[working]
        if start < sending[tail] or start < receiving[head]:
            return False
        sending[tail] = receiving[head] = end
    return True
