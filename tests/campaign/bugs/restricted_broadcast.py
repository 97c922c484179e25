"""Slips that theorems 1 and 2 of `exactsched.theorems.beaumont2003` must find."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # an arc with half the load of the best tree passes for hopeless
        "beaumont2003.thm1",
        "steady_state.restricted.best_tree",
        "if total >= self._load:",
        "if 2 * total >= self._load:",
    ),
    Bug(  # a tree changed for the better closes a cycle
        "beaumont2003.thm1",
        "steady_state.restricted.best_tree",
        "if max(after.values()) < largest and not above(model.tails[other], node):",
        "if max(after.values()) < largest:",
    ),
    Bug(  # the bound by one resource and one cut with the dearest arc
        "beaumont2003.thm2",
        "steady_state.broadcast",
        "least = min(platform.arcs[arc].cost for arc in crossing)",
        "least = max(platform.arcs[arc].cost for arc in crossing)",
    ),
    Bug(  # every level counts twice
        "beaumont2003.thm2",
        "steady_state.broadcast_schedule",
        "depth[child] = depth[node] + 1",
        "depth[child] = depth[node] + 2",
    ),
)
