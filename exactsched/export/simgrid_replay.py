"""Replays a timetable on SimGrid: every transfer begins at its date, SimGrid says when it ends.

Needs SimGrid's Python binding (Debian: python3-simgrid) and nothing else.  `python FILE` prints
when the last one ends, `python FILE --json` the dates of all.
"""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from typing import Any

# Set by `exactsched.export.simgrid`: "nodes", "arcs" [tail, head, cost, latency], "speed" (bytes
# of a message of size 1), "work" [arc, bytes, start] or [node, time, start], in order of start.
TIMETABLE: Any = None

# Flows at the full bandwidth of their links: no TCP window, no acknowledgments, no overheads.
CONFIGURATION = {
    "network/model": "CM02",
    "network/TCP-gamma": "0",
    "network/crosstraffic": "0",
    "network/weight-S": "0",
    "network/latency-factor": "1",
    "network/bandwidth-factor": "1",
    "maxmin/precision": "1e-12",
    "surf/precision": "1e-12",
}


def replayed(timetable: Any) -> list[float]:
    """When each transfer or computation of the timetable ends."""
    import simgrid

    options = [f"--cfg={key}:{value}" for key, value in CONFIGURATION.items()]
    engine = simgrid.Engine(["replay", "--log=root.thres:error", *options])
    zone = simgrid.NetZone.create_full_zone("platform")
    hosts = [zone.create_host(f"node {index}", 1.0) for index in range(len(timetable["nodes"]))]
    routes = []
    for index, (tail, head, cost, latency) in enumerate(timetable["arcs"]):
        bandwidth = float(timetable["speed"] / Fraction(cost))
        link = zone.create_link(f"arc {index}", bandwidth)
        link.set_latency(float(Fraction(latency)))
        ends = hosts[tail].netpoint, hosts[head].netpoint
        zone.add_route(*ends, None, None, [simgrid.LinkInRoute(link)], False)
        routes.append((hosts[tail], hosts[head], bandwidth))
    zone.seal()
    ends_at = [0.0] * len(timetable["work"])
    places: dict[tuple[str, int], list[tuple[int, int | str, float]]] = {}
    for index, (kind, where, amount, start) in enumerate(timetable["work"]):
        places.setdefault((kind, where), []).append((index, amount, float(Fraction(start))))

    def send(mailbox: Any, rate: float, work: Any) -> None:
        for index, size, start in work:
            simgrid.this_actor.sleep_until(start)
            mailbox.put_init(index, size).set_rate(rate).wait()

    def receive(mailbox: Any, work: Any) -> None:
        for _ in work:
            index = mailbox.get()
            ends_at[index] = simgrid.Engine.clock

    def compute(work: Any) -> None:
        for index, time, start in work:
            simgrid.this_actor.sleep_until(start)
            simgrid.this_actor.execute(float(Fraction(time)))
            ends_at[index] = simgrid.Engine.clock

    for (kind, where), work in places.items():
        if kind == "compute":
            simgrid.Actor.create("compute", hosts[where], compute, work)
            continue
        tail, head, rate = routes[where]
        mailbox = simgrid.Mailbox.by_name(f"arc {where}")
        simgrid.Actor.create("send", tail, send, mailbox, rate, work)
        simgrid.Actor.create("receive", head, receive, mailbox, work)
    engine.run()
    return ends_at


if __name__ == "__main__":
    found = replayed(TIMETABLE if TIMETABLE is not None else json.load(sys.stdin))
    print(json.dumps(found) if "--json" in sys.argv else f"the last one ends at {max(found)!r}")
