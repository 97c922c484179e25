"""A reduction that two modules measure."""

from __future__ import annotations

from exactsched.model.problem import Reduction
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.reduce import reduction_problem


def tiers() -> Reduction:
    """The eight values of the example in RR-4872, on its platform."""
    platform = built_in("tiers-2003")
    data = platform.node_data
    hosts = sorted(
        (node for node in data if "index" in data[node]), key=lambda node: data[node]["index"]
    )
    return reduction_problem(platform, hosts, [((0, 7), 6)], 1, None, "one-port")
