"""No resource does two things at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from exactsched.certificate.rules import column
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import to_json
from exactsched.model.problem import Collective
from exactsched.model.resources import place_resources


def refuse_overlaps(
    problem: Collective, intervals: Sequence[tuple[int, int, int]], place: str
) -> None:
    """Raises `Rejected` unless the half-open intervals on every resource are disjoint.

    They are (place of work, start, end) with start < end; an arc or a processor works.  Sorted by
    start, an interval overlaps an earlier one of its resource if and only if it starts before the
    latest of them ends: O(k log k) comparisons.
    """
    if _ports_do_one_thing(problem, sorted(intervals, key=itemgetter(1))):
        return
    order = sorted(range(len(intervals)), key=column(intervals, 1).__getitem__)
    used = place_resources(problem)
    latest: dict[str, int] = {}
    for position in order:
        working, start, end = intervals[position]
        for resource in used[working]:
            busy_until = latest.get(resource, 0)
            if start < busy_until:
                raise Rejected(
                    f"{place}[{position}]",
                    [resource, to_json(start), to_json(busy_until)],
                    "a resource does one thing at a time: it starts this while busy with another",
                )
            latest[resource] = end


def _ports_do_one_thing(problem: Collective, ordered: Iterable[tuple[int, int, int]]) -> bool:
    """Whether arcs alone work, and their ports at one time each: a third of the time of names."""
    if problem.ports not in ("one-port", "half-duplex"):
        return False
    platform = problem.platform
    tails, heads, count = platform.tails, platform.heads, len(platform.tails)
    sending = dict.fromkeys(platform.nodes, 0)
    receiving = sending if problem.ports == "half-duplex" else sending.copy()
    for working, start, end in ordered:
        if working >= count:
            return False
        tail, head = tails[working], heads[working]
        if start < sending[tail] or start < receiving[head]:
            return False
        sending[tail] = receiving[head] = end
    return True
