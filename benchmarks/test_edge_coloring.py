"""Edge coloring of bipartite multigraphs.

Why these instances, all with about 100,000 copies: a sparse graph, where contraction leaves a
ninth of the nodes; a dense one without room for contraction; a regular one whose edges are all
parallel to others; uneven degrees; and a star, the largest degree that this many edges can have.
Each is measured as single edges and, where there are parallel ones, with multiplicities; and
where multiplicities are long, so that nobody could look at the copies.

The peer knows no multiplicities: `rustworkx.graph_bipartite_edge_color` (Rust), which was stopped
on the star after 150 seconds.  *Ratio* is the time of the method "gabow-kariv" of `color_edges` by
that of the default, in the same run, and *steps* are the edges it looks at; the regular graph of
odd degree is there because no color is spare in it, which makes its alternating paths long.  That
method is left out where multiplicities have 300 digits: five million copies would be inserted.
The checker is given the coloring as it is.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from itertools import product
from typing import Any

import pytest
from conftest import TIMER, best_of, checked

from exactsched.graphs.edge_coloring import color_edges
from exactsched.graphs.gabow_kariv import color_by_recoloring

pytestmark = pytest.mark.benchmark(timer=TIMER)

Edges = list[tuple[int, int]]


def uniform(nodes: int) -> Edges:
    source = random.Random(1)
    return [(source.randrange(nodes), source.randrange(nodes)) for _ in range(100_000)]


def regular(nodes: int, degree: int) -> Edges:
    source = random.Random(1)
    edges = [edge for _ in range(degree) for edge in enumerate(source.sample(range(nodes), nodes))]
    source.shuffle(edges)
    return edges


def skewed() -> Edges:
    """64 + 64 nodes, the k-th drawn with probability proportional to 1 / (k + 26)."""
    source = random.Random(1)
    odds = [1 / (node + 26) for node in range(64)]
    lefts, rights = (source.choices(range(64), odds, k=100_000) for _ in range(2))
    return list(zip(lefts, rights, strict=True))


SINGLE: dict[str, Callable[[], Edges]] = {
    "sparse 100,000 + 100,000": lambda: uniform(100_000),
    "dense 400 + 400": lambda: uniform(400),
    "1000-regular 100 + 100": lambda: regular(100, 1000),
    "skewed 64 + 64": skewed,
    "17-regular 5,882 + 5,882": lambda: regular(5882, 17),
    "star of 65,535": lambda: [(0, leaf) for leaf in range(65_535)],
}
TOO_SLOW_FOR_RUSTWORKX = {"star of 65,535": "> 150 (2026-11-21)"}


def with_long_multiplicities(edges: Edges, most: int) -> tuple[Edges, list[int]]:
    source = random.Random(1)
    return edges, [source.randint(1, most) for _ in edges]


MULTIPLE: dict[str, Callable[[], tuple[Edges, list[int]]]] = {
    "dense 400 + 400": lambda: aggregated(uniform(400)),
    "1000-regular 100 + 100": lambda: aggregated(regular(100, 1000)),
    "skewed 64 + 64": lambda: aggregated(skewed()),
    "star of 65,535, to 1000 copies": lambda: with_long_multiplicities(
        [(0, leaf) for leaf in range(65_535)], 1000
    ),
    "uniform 1000 + 1000, 95,000 pairs, to 1000 copies": lambda: with_long_multiplicities(
        list(dict.fromkeys(uniform(1000))), 1000
    ),
    "complete 100 x 100, 9 digits": lambda: with_long_multiplicities(
        list(product(range(100), range(100))), 10**9
    ),
    "complete 100 x 100, 300 digits": lambda: with_long_multiplicities(
        list(product(range(100), range(100))), 10**300
    ),
}

TOO_LONG = {"complete 100 x 100, 300 digits"}


def aggregated(edges: Edges) -> tuple[Edges, list[int]]:
    copies = Counter(edges)
    return list(copies), list(copies.values())


def by_gabow_kariv(
    edges: Edges, multiplicities: list[int] | None, default: float
) -> dict[str, Any]:
    """The other method of `color_edges`, with its time by that of the default."""
    made = []
    seconds = best_of(
        2, lambda: made.append(color_edges(edges, multiplicities, method="gabow-kariv"))
    )
    lefts, rights = zip(*edges, strict=True)
    return {
        "gabow_kariv_classes": len(made[0].classes),
        "steps": color_by_recoloring(lefts, rights, made[0].multiplicities).steps,
        "gabow_kariv_seconds": round(seconds, 3),
        "ratio": round(seconds / default, 2),
    }


@pytest.mark.parametrize("name", SINGLE)
def test_single_edges(benchmark, name):
    edges = SINGLE[name]()
    coloring = benchmark.pedantic(color_edges, (edges,), rounds=3)
    benchmark.extra_info.update(
        edges=len(edges),
        colors=coloring.colors,
        **checked(benchmark, coloring),
        **by_gabow_kariv(edges, None, benchmark.stats.stats.min),
        peers={"rustworkx": TOO_SLOW_FOR_RUSTWORKX.get(name) or in_rustworkx(edges)},
    )


@pytest.mark.parametrize("name", MULTIPLE)
def test_multiplicities(benchmark, name):
    edges, multiplicities = MULTIPLE[name]()
    coloring = benchmark.pedantic(color_edges, (edges, multiplicities), rounds=3)
    benchmark.extra_info.update(
        edges=len(edges),
        bits=coloring.colors.bit_length(),
        classes=len(coloring.classes),
        entries=sum(len(matching) for _, matching in coloring.classes),
        **checked(benchmark, coloring),
    )
    if name not in TOO_LONG:
        benchmark.extra_info.update(
            by_gabow_kariv(edges, multiplicities, benchmark.stats.stats.min)
        )


def in_rustworkx(edges: Edges) -> float | str:
    """Seconds of the peer, once its graph is built."""
    if not find_spec("rustworkx"):
        return "not installed"
    import rustworkx

    rights = 1 + max(left for left, _ in edges)
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(rights + 1 + max(right for _, right in edges)))
    graph.add_edges_from_no_data([(left, rights + right) for left, right in edges])
    return best_of(1, lambda: rustworkx.graph_bipartite_edge_color(graph))
