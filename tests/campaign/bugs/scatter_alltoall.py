"""Bugs that the claims of `theorems.legrand2003`, section 3, must find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # nodes beyond the farthest target are taken to be near
        "legrand2003.sssp",
        "steady_state.route_packing",
        "distance.get(node, farthest) for node",
        "distance.get(node, 0) for node",
    ),
    Bug(  # the first path to a node is taken for the shortest
        "legrand2003.sssp",
        "steady_state.route_packing",
        "if head not in tentative or longer < tentative[head]:",
        "if head not in tentative:",
    ),
    Bug(  # a message of any size keeps a port busy like one of size 1
        "legrand2003.sspa2a",
        "steady_state.alltoall",
        "[cost_unit * size_unit] * len(names)",
        "[cost_unit] * len(names)",
    ),
    Bug(  # distances are divided by their common divisor, prices are not
        "legrand2003.sspa2a",
        "steady_state.alltoall",
        "factor = cost_unit // common",
        "factor = cost_unit",
    ),
    Bug(  # the last to start need not be the last to end
        "legrand2003.lemma1.scatter",
        "runs.finite_run",
        "max(row[3] for row in rows) * tick",
        "rows[-1][3] * tick",
    ),
    Bug(  # an all-to-all is given up only if no target at all can be reached
        "legrand2003.lemma1.alltoall",
        "steady_state.alltoall",
        "if any(distances[demand.source]",
        "if all(distances[demand.source]",
    ),
    Bug(  # off by one: R periods of operations take R + depth - 1 periods
        "legrand2003.prop1",
        "steady_state.solution",
        "- self.depth + 1",
        "- self.depth + 2",
    ),
    Bug(  # the least common multiple of all denominators, as in the paper, is no shortest period
        "legrand2003.prop1",
        "steady_state.broadcast_schedule",
        "gcd(*(value.numerator * (unit // value.denominator) for value in listed))",
        "1",
    ),
    Bug(  # right for whole batches only
        "legrand2003.prop2",
        "steady_state.solution",
        "return self.depth * self.schedule.period if",
        "return (self.depth - 1) * self.schedule.period if",
    ),
    Bug(  # a task counts for the batch that its first structure is for
        "legrand2003.prop2",
        "steady_state.schedule",
        "uses[task] = uses.get(task, 0) + count",
        "uses[task] = uses.get(task, count)",
    ),
)
