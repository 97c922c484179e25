"""Under routes no shared link carries more than its bandwidth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exactsched.certificate.budget import spend
from exactsched.check.collectives.operation import Operation
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import text, to_json
from exactsched.model.platform import one_line


def refuse_overfull_links(
    operation: Operation, slots: Sequence[tuple[int, int, int]], work: Mapping[int, int]
) -> None:
    """Raises `Rejected` unless all arcs with work send all the time, and every link carries it all.

    `work` is the size of all that an arc sends in a period, in units of work.  Each of these arcs
    has one slot, which starts at 0, and all slots end at one time T.  An arc sends at a constant
    speed, so a link is never overfull if the sizes on the arcs that use it, together, take at
    most T on the link.  One addition for each link of each route.
    """
    ends = {end for _, _, end in slots}
    last = max(ends, default=0)
    waiting = dict.fromkeys(work)
    for index, (place, start, end) in enumerate(slots):
        if start != 0 or end != last:
            value = [to_json(start), to_json(end), to_json(last)]
            rule = "under routes all slots are the same: they start at 0 and end at one time"
            raise Rejected(f"schedule.slots[{index}]", value, rule)
        if place not in waiting:
            rule = "under routes an arc with work has one slot, and others have none"
            raise Rejected(f"schedule.slots[{index}]", place, rule)
        del waiting[place]
    if waiting:
        raise Rejected(
            "schedule.slots", list(waiting)[:8], "under routes an arc with work has a slot"
        )
    platform = operation.problem.platform
    spend(sum([len(platform.arcs[place].route) for place in work]), "schedule")
    carried: dict[str, int] = {}
    for place, size in work.items():
        for name, _ in platform.arcs[place].route:
            carried[name] = carried.get(name, 0) + size
    for name, size in carried.items():
        if not operation.room(platform.links[name], last, size):
            raise Rejected(
                f"schedule.slots, link {one_line(name)}",
                [text(operation.time(platform.links[name], size)), text(operation.tick * last)],
                "what the arcs over a link send takes no longer on the link than the slots last",
            )
