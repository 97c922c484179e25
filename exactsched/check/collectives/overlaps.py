"""No resource does two things at once."""

from __future__ import annotations

from collections.abc import Sequence

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
    used = place_resources(problem)
    latest: dict[str, int] = {}
    for position in sorted(range(len(intervals)), key=lambda k: intervals[k][1]):
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
