"""Certificates of every collective that has a plan, on platforms with corners."""

from __future__ import annotations

from functools import cache

from exactsched import Platform, alltoall, broadcast, scatter
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.allgather_any_ports import allgather
from exactsched.steady_state.combination import (
    order_free_allreduce,
    order_free_reduce,
    reduce_scatter,
)

# Two fast ends of a slow middle: two trees, which weigh 1/3 and 2/3.
UNEQUAL = Platform(
    "abcd",
    [
        (tail, head, cost)
        for one, other, cost in [("a", "b", 1), ("b", "c", 2), ("c", "d", 1), ("a", "c", "3/2")]
        for tail, head in [(one, other), (other, one)]
    ],
)


@cache
def certificates():
    """By the name of what they do."""
    gathered = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)])
    return {
        "broadcast": broadcast(UNEQUAL, "a"),
        "broadcast-link": broadcast(UNEQUAL, "a", ports="link"),
        "scatter": scatter(UNEQUAL, "b", "acd"),
        "gather": alltoall(UNEQUAL, [("a", "d", 2), ("b", "d", 1), ("c", "d", "1/2")]),
        "alltoall": alltoall(UNEQUAL, [("a", "b"), ("b", "d", 3), ("c", "a"), ("d", "c", "1/3")]),
        "allgather": allgather(built_in("dgx-a100:1")),
        "allgather-ring": allgather(gathered, {"a": 1, "b": 0, "c": "5/3"}),
        "reduce": order_free_reduce(UNEQUAL, "c"),
        "reduce-scatter": reduce_scatter(UNEQUAL),
        "reduce-scatter-unequal": reduce_scatter(UNEQUAL, {"d": 2, "a": "1/2", "b": 1}),
        "allreduce": order_free_allreduce(UNEQUAL),
        "allreduce-link": order_free_allreduce(UNEQUAL, ports="link"),
    }
