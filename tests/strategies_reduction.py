"""Random small reductions with a single goal, biased to the corners."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from strategies import costs, platforms

from exactsched.platform import Platform
from exactsched.problem import PORTS, Ports, Reduction


@st.composite
def reductions(
    draw: st.DrawFn,
    *,
    ports: Ports | None = None,
    min_nodes: int = 2,
    max_nodes: int = 4,
    max_values: int = 3,
    same_tasks: bool = False,
) -> Reduction:
    """Some result is wanted anywhere; mostly the whole one, and mostly it can be had.

    A node owns any number of values.  It computes nothing, any task in the same time, or, unless
    `same_tasks`, some tasks in times of their own.  Sizes are equal or depend on the interval.
    Shrinks to a pair of nodes with unit costs.
    """
    chosen = draw(st.sampled_from(PORTS)) if ports is None else ports
    platform = draw(
        platforms(
            min_nodes=min_nodes,
            max_nodes=max_nodes,
            reachable=draw(st.sampled_from((True, True, True, None))),
            bipartite=chosen == "half-duplex",
        )
    )
    if draw(st.booleans()):
        # Then paths lead from the leaves of the tree to its root.
        turned = [(arc.head, arc.tail, arc.cost) for arc in platform.arcs]
        platform = Platform(platform.nodes, turned)
    node = st.sampled_from(platform.nodes)
    least = draw(st.sampled_from((1, 2, max_values)))
    owners = tuple(draw(st.lists(node, min_size=least, max_size=max_values)))
    if len(platform.nodes) == 1 == len(owners):
        owners *= 2
    intervals = [(k, m) for k in range(len(owners)) for m in range(k, len(owners))]
    part = (0, len(owners) - 1)
    if draw(st.sampled_from((False, False, False, True))):
        part = draw(st.sampled_from(intervals))
    if part[0] == part[1] and len(platform.nodes) == 1:
        part = (0, len(owners) - 1)
    there = owners[part[0]] if part[0] == part[1] else None
    target = draw(st.sampled_from([other for other in platform.nodes if other != there]))
    size: Any = draw(costs())
    if draw(st.booleans()):
        size = tuple((k, m, draw(costs())) for k, m in intervals)
    kinds = ("any", "any", "none") if same_tasks else ("any", "any", "none", "some")
    compute: list[tuple[Any, ...]] = []
    for able in platform.nodes:
        kind = draw(st.sampled_from(kinds))
        if kind == "any":
            compute.append((able, draw(costs())))
        elif kind == "some":
            for k, m in intervals:
                for cut in range(k, m):
                    if draw(st.booleans()):
                        compute.append((able, k, cut, m, draw(costs())))
    return Reduction(platform, owners, ((part, target),), size, tuple(compute), chosen)  # type: ignore[arg-type]
