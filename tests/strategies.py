"""Random small problems: one strategy per noun, biased to the corners, shrinking to the trivial."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from hypothesis import strategies as st

from exactsched.platform import Node, Platform
from exactsched.problem import PORTS, Broadcast, Ports, Restriction

# Pairwise coprime denominators make the common denominator, hence the period, large.
_DENOMINATORS = (1, 2, 3, 5, 7, 11, 4, 9, 13)


def costs() -> st.SearchStrategy[Fraction]:
    """Positive rationals; every other one is 1, so that ties and symmetries are common."""
    rational = st.builds(Fraction, st.integers(1, 12), st.sampled_from(_DENOMINATORS))
    return st.just(Fraction(1)) | rational


def latencies() -> st.SearchStrategy[Fraction]:
    """Rationals >= 0, zero half of the time."""
    return st.just(Fraction(0)) | costs()


@st.composite
def node_names(draw: st.DrawFn, size: int) -> list[Node]:
    """Names 0..size-1, or any mixture of integers and awkward strings that print differently."""
    if draw(st.booleans()):
        awkward = st.integers(-99, 99) | st.text(alphabet='a0:,>- é"\\', max_size=4)
        return draw(st.lists(awkward, min_size=size, max_size=size, unique_by=str))
    return list(range(size))


@st.composite
def platforms(
    draw: st.DrawFn,
    *,
    min_nodes: int = 2,
    max_nodes: int = 7,
    reachable: bool | None = None,
    bipartite: bool = False,
    with_latencies: bool = False,
    with_node_data: bool = False,
    cost: st.SearchStrategy[Fraction] | None = None,
) -> Platform:
    """Platforms with cycles, opposite arcs of different costs, sparse or nearly complete.

    `reachable` speaks of paths from the first node: to every node (True), not to every node
    (False, at least two nodes), or either (None).  `bipartite` leaves no odd undirected cycle.
    Shrinks to 0..n-1 with unit costs and the fewest arcs (a star if reachable).
    """
    size = draw(st.integers(max(min_nodes, 2) if reachable is False else min_nodes, max_nodes))
    parents = [draw(st.integers(0, node - 1)) for node in range(1, size)]
    tree = [(parent, node) for node, parent in enumerate(parents, start=1)]
    allowed = list(permutations(range(size), 2))
    if bipartite:
        side = [0]
        for parent in parents:
            side.append(1 - side[parent])
        allowed = [(tail, head) for tail, head in allowed if side[tail] != side[head]]
    if reachable is False:
        cut = draw(st.integers(1, size - 1))
        allowed = [(tail, head) for tail, head in allowed if not tail < cut <= head]
    required = tree if reachable else []
    optional = [pair for pair in allowed if pair not in required]
    chosen: list[tuple[int, int]] = []
    nearly_complete = draw(st.booleans())
    if nearly_complete:
        # One draw for each pair: longer than a list of the few pairs wanted, so it shrinks to that.
        chosen = [pair for pair in optional if draw(st.sampled_from((False, True, True)))]
    elif optional:
        chosen = draw(st.lists(st.sampled_from(optional), unique=True))
    pairs = draw(st.permutations(required + chosen))
    names = draw(node_names(size))
    one_cost = costs() if cost is None else cost
    arcs = [
        (
            names[tail],
            names[head],
            draw(one_cost),
            draw(latencies()) if with_latencies else Fraction(0),
        )
        for tail, head in pairs
    ]
    data: dict[Node, dict[str, object]] = {}
    if with_node_data:
        data = {name: {"compute": draw(costs())} for name in names if draw(st.booleans())}
    return Platform(names, arcs, data)


@st.composite
def broadcasts(
    draw: st.DrawFn,
    *,
    ports: Ports | None = None,
    restrict: Restriction = "none",
    min_nodes: int = 2,
    max_nodes: int = 7,
    reachable: bool | None = True,
    bipartite: bool = False,
    with_latencies: bool = False,
    cost: st.SearchStrategy[Fraction] | None = None,
) -> Broadcast:
    """Broadcasts under the given port model, or any of them; the source is anywhere in the order.

    `reachable` speaks of paths from the source, as in `platforms`.
    """
    platform = draw(
        platforms(
            min_nodes=min_nodes,
            max_nodes=max_nodes,
            reachable=reachable,
            bipartite=bipartite,
            with_latencies=with_latencies,
            cost=cost,
        )
    )
    source = platform.nodes[0]
    shuffled = Platform(draw(st.permutations(platform.nodes)), platform.arcs, platform.node_data)
    chosen_ports = draw(st.sampled_from(PORTS)) if ports is None else ports
    return Broadcast(shuffled, source, chosen_ports, restrict)  # type: ignore[arg-type]
