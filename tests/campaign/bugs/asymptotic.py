"""Slips that the claims of `exactsched.theorems.beaumont2003`, sections 5.5 and 6, must find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # a cut as if all of its entering arcs were taken
        "beaumont2003.lemma7",
        "steady_state.broadcast",
        "least = min(platform.arcs[arc].cost for arc in crossing)",
        "least = sum(platform.arcs[arc].cost for arc in crossing)",
    ),
    Bug(  # off by one: the next level starts before its messages are complete
        "beaumont2003.thm7",
        "runs.time_scaling",
        "return 1 - (1 - slices // common) // (capacity // common)",
        "return -(1 - slices // common) // (capacity // common)",
    ),
    Bug(  # off by one: the last of the periods that have ended
        "beaumont2003.thm7",
        "steady_state.broadcast_solution",
        'periods = floor(exact(horizon, "horizon") / self.schedule.period) - self.depth + 1',
        'periods = floor(exact(horizon, "horizon") / self.schedule.period) - self.depth',
    ),
    Bug(  # off by one: the first level is not behind
        "beaumont2003.thm8",
        "runs.frames",
        "stages = frames + self.depth - 1",
        "stages = frames + self.depth",
    ),
    Bug(  # of latencies at the same moment the least
        "beaumont2003.thm8",
        "runs.frames",
        "startups[now] = max(startups.get(now, Fraction(0)), latency)",
        "startups[now] = min(startups.get(now, latency), latency)",
    ),
    Bug(  # the start-up cuts are charged to every packet in full
        "beaumont2003.thm8",
        "runs.pipelined",
        "each = tuple((start, stop, weight / count) for start, stop, weight in leaf.startup_cuts)",
        "each = leaf.startup_cuts",
    ),
)
