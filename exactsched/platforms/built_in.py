"""Built-in platforms by name: regular families, random ones, and the examples of the papers.

Each family is a function here (`grid(4, 4)`) and a name on the command line (`grid:4x4`), read by
`built_in` and listed by `catalog`.  Every undirected link becomes two arcs of the same cost.  In
the regular families all costs are 1 and nodes are the integers 0..n-1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms.machines import dgx_a100 as dgx_a100
from exactsched.platforms.machines import dgx_h100 as dgx_h100
from exactsched.platforms.machines import fat_tree as fat_tree
from exactsched.platforms.machines import leaf_spine as leaf_spine
from exactsched.platforms.machines import mi250 as mi250
from exactsched.platforms.papers import legrand_fig1, reduce_toy, scatter_toy, tiers_2003
from exactsched.platforms.random_platforms import random_platform as random_platform
from exactsched.platforms.random_platforms import random_regular as random_regular
from exactsched.platforms.random_platforms import tiers as tiers
from exactsched.platforms.switch_networks import butterfly as butterfly
from exactsched.platforms.switch_networks import dragonfly as dragonfly
from exactsched.platforms.switch_networks import fat_tree_graph as fat_tree_graph
from exactsched.platforms.switch_networks import wrapped_butterfly as wrapped_butterfly
from exactsched.platforms.unit_links import MAX_SIZE as MAX_SIZE
from exactsched.platforms.unit_links import check_integers, check_size, from_links

# 2^20 > MAX_SIZE, and further sides of length 1 add nothing.
_MAX_DIMENSION = 20


def grid(*sides: int) -> Platform:
    """The grid with the given sides: nodes are the points, links join points at distance 1.

    Node 0 is a corner and the last coordinate varies fastest.  `grid(n)` is a path.

    >>> [str(arc) for arc in grid(3).arcs]
    ['0->1', '1->0', '1->2', '2->1']
    """
    _check_sides("grid", sides)
    links = sum(prod(sides) // side * (side - 1) for side in sides)
    check_size("grid", prod(sides), 2 * links)
    import networkx

    return _numbered(networkx.grid_graph(dim=sides[::-1]))


def torus(*sides: int) -> Platform:
    """The grid with the given sides whose opposite borders are linked as well.

    A side of 2 has one link, not two parallel ones; a side of 1 has none.

    >>> print(torus(3, 3), torus(2, 2) == grid(2, 2))
    Platform(9 nodes, 36 arcs) True
    """
    _check_sides("torus", sides)
    links = sum(prod(sides) // side * (side if side > 2 else side - 1) for side in sides)
    check_size("torus", prod(sides), 2 * links)
    import networkx

    return _numbered(networkx.grid_graph(dim=sides[::-1], periodic=True))


def hypercube(dimension: int) -> Platform:
    """The graph on 0..2^d - 1 that links two numbers if they differ in one binary digit.

    >>> sorted(arc.head for arc in hypercube(3).arcs if arc.tail == 5)
    [1, 4, 7]
    """
    check_integers("hypercube", [dimension], least=1)
    if dimension > _MAX_DIMENSION:
        raise InvalidInput("hypercube", dimension, f"a dimension is at most {_MAX_DIMENSION}")
    return grid(*[2] * dimension)


def complete(nodes: int) -> Platform:
    """The complete graph: an arc between any two nodes, both ways.

    >>> print(complete(8))
    Platform(8 nodes, 56 arcs)
    """
    check_integers("complete", [nodes], least=2)
    check_size("complete", nodes, nodes * (nodes - 1))
    import networkx

    return _numbered(networkx.complete_graph(nodes))


def ring(nodes: int) -> Platform:
    """The cycle 0, 1, ..., n-1, 0, both ways around.

    >>> print(ring(6))
    Platform(6 nodes, 12 arcs)
    """
    check_integers("ring", [nodes], least=3)
    check_size("ring", nodes, 2 * nodes)
    import networkx

    return _numbered(networkx.cycle_graph(nodes))


def star(leaves: int) -> Platform:
    """The hub 0 linked to the leaves 1..n: the number counts the leaves, so there are n+1 nodes.

    >>> print(star(9))
    Platform(10 nodes, 18 arcs)
    """
    check_integers("star", [leaves], least=1)
    check_size("star", leaves + 1, 2 * leaves)
    import networkx

    return _numbered(networkx.star_graph(leaves))


def cubic_16() -> Platform:
    """A graph on 16 nodes of degree 3 whose mean distance, 11/5, is the least possible.

    It is the cycle 0, 1, ..., 15, 0 with eight chords.  Every node has 3, 6 and 6 nodes at
    distance 1, 2 and 3, and no node of degree 3 can have more than 3 and 6 at distance 1 and 2.
    Six graphs with a Hamiltonian cycle have this mean; this one and another have the most
    automorphisms, 6.

    >>> print(cubic_16())
    Platform(16 nodes, 48 arcs)
    """
    chords = [(0, 4), (1, 7), (2, 10), (3, 13), (5, 9), (6, 12), (8, 14), (11, 15)]
    return from_links(16, sorted([*pairwise(range(16)), (0, 15), *chords]))


class Family(NamedTuple):
    """How to name a family of built-in platforms: the pattern to type, what it is, an example."""

    pattern: str
    description: str
    example: str


def catalog() -> list[Family]:
    """All built-in platforms, in the order in which `exactsched platforms` lists them.

    >>> [family.pattern for family in catalog()][:2]
    ['grid:AxB[xC...]', 'torus:AxB[xC...]']
    """
    return [registered.entry for registered in _FAMILIES.values()]


def is_built_in(name: str) -> bool:
    """Whether the part of a name before the colon is that of a built-in platform.

    >>> is_built_in("grid:4x4"), is_built_in("grid.json")
    (True, False)
    """
    return name.partition(":")[0] in _FAMILIES


def built_in(name: str) -> Platform:
    """The built-in platform of a name such as ``grid:4x4``; `catalog` lists the names.

    Raises `InvalidInput` for unknown names (with the nearest known one), for parameters that do
    not fit (with the pattern), and for platforms beyond `MAX_SIZE`, before they are built.

    Polynomial in the size of the platform, linear but for random ones. Reference: proofs/tour.md.

    >>> print(built_in("torus:3x3x3"))
    Platform(27 nodes, 162 arcs)
    """
    family, _, parameters = name.partition(":")
    if family not in _FAMILIES:
        near = get_close_matches(family.lower(), _FAMILIES, n=1, cutoff=0.5)
        hint = (
            f"did you mean {_FAMILIES[near[0]].entry.pattern}?"
            if near
            else f"there are {', '.join(_FAMILIES)}"
        )
        raise InvalidInput("platform", name, f"no built-in platform has this name; {hint}")
    entry, parameter_shape, build = _FAMILIES[family]
    if not re.fullmatch(family + parameter_shape, name):
        how = f"for example {entry.example} (whole numbers)" if parameter_shape else "without more"
        raise InvalidInput("platform", name, f"type {entry.pattern}, {how}")
    return build(*map(int, re.findall(r"[0-9]+", parameters))).called(name)


class _Registered(NamedTuple):
    entry: Family
    parameter_shape: str
    build: Callable[..., Platform]


def _tiers_with_default_hosts(wan: int, mans: int, lans: int, *hosts_and_seed: int) -> Platform:
    *hosts, seed = hosts_and_seed
    return tiers(wan, mans, lans, hosts[0] if hosts else 3, seed)


_N = "[0-9]{1,18}"

_FAMILIES: dict[str, _Registered] = {
    entry.pattern.partition(":")[0]: _Registered(entry, parameter_shape, build)
    for entry, parameter_shape, build in (
        (Family("grid:AxB[xC...]", "grid with these sides", "grid:4x4"), f":{_N}(x{_N})*", grid),
        (
            Family("torus:AxB[xC...]", "grid with its borders joined", "torus:3x3x3"),
            f":{_N}(x{_N})*",
            torus,
        ),
        (Family("hypercube:D", "hypercube of dimension D", "hypercube:5"), f":{_N}", hypercube),
        (Family("complete:N", "N nodes, all linked", "complete:8"), f":{_N}", complete),
        (Family("ring:N", "cycle of N nodes", "ring:6"), f":{_N}", ring),
        (Family("star:N", "hub 0 and N leaves (N+1 nodes)", "star:9"), f":{_N}", star),
        (
            Family("cubic-16", "16 nodes of degree 3, least mean distance 11/5", "cubic-16"),
            "",
            cubic_16,
        ),
        (
            Family(
                "fat-tree-graph:K",
                "fat tree of switches with K ports, all nodes alike",
                "fat-tree-graph:4",
            ),
            f":{_N}",
            fat_tree_graph,
        ),
        (
            Family(
                "dragonfly:A,H",
                "A*H+1 groups of A routers, H global links each",
                "dragonfly:4,1",
            ),
            f":{_N},{_N}",
            dragonfly,
        ),
        (
            Family("butterfly:D", "D+1 levels of 2^D nodes, two links to the next", "butterfly:3"),
            f":{_N}",
            butterfly,
        ),
        (
            Family(
                "wrapped-butterfly:D",
                "its last level is the first: D levels, all of degree 4",
                "wrapped-butterfly:3",
            ),
            f":{_N}",
            wrapped_butterfly,
        ),
        (
            Family(
                "random-regular:N,D,SEED",
                "N nodes of degree D, connected, near uniform",
                "random-regular:32,3,1",
            ),
            f":{_N},{_N},{_N}",
            random_regular,
        ),
        (
            Family(
                "random:N,M,SEED",
                "N nodes, M arcs with different costs, all reached from node 0",
                "random:20,60,1",
            ),
            f":{_N},{_N},{_N}",
            random_platform,
        ),
        (
            Family(
                "tiers:WAN,MANS,LANS[,HOSTS],SEED",
                "WAN routers, MANS networks of LANS routers, each with HOSTS hosts (3)",
                "tiers:4,3,2,3,1",
            ),
            f":{_N},{_N},{_N},({_N},)?{_N}",
            _tiers_with_default_hosts,
        ),
        (
            Family("dgx-a100:N", "N boxes of 8 GPUs, 300 GB/s inside, 25 out", "dgx-a100:2"),
            f":{_N}",
            dgx_a100,
        ),
        (
            Family("dgx-h100:N", "N boxes of 8 GPUs, 450 GB/s inside, 50 on rails", "dgx-h100:2"),
            f":{_N}",
            dgx_h100,
        ),
        (
            Family("mi250:N", "N boxes of 16 dies, 50 to 200 GB/s inside, 16 out", "mi250:2"),
            f":{_N}",
            mi250,
        ),
        (
            Family(
                "fat-tree:K",
                "K^3/4 hosts, 5K^2/4 switches with K ports, which only forward",
                "fat-tree:4",
            ),
            f":{_N}",
            fat_tree,
        ),
        (
            Family(
                "leaf-spine:L,S,H",
                "L leaf and S spine switches, which only forward, H hosts at each leaf",
                "leaf-spine:4,2,3",
            ),
            f":{_N},{_N},{_N}",
            leaf_spine,
        ),
        (
            Family("legrand-fig1", "broadcast example of RR-4871 (source Ps)", "legrand-fig1"),
            "",
            legrand_fig1,
        ),
        (
            Family("scatter-toy", "scatter example of RR-4872 (Ps to P0, P1)", "scatter-toy"),
            "",
            scatter_toy,
        ),
        (
            Family("reduce-toy", "reduce example of RR-4872 (P0, P1, P2 to P0)", "reduce-toy"),
            "",
            reduce_toy,
        ),
        (
            Family("tiers-2003", "reduce example of RR-4872, Figure 9 (to node 6)", "tiers-2003"),
            "",
            tiers_2003,
        ),
    )
}


def _numbered(graph: Any) -> Platform:
    """An undirected networkx graph with its nodes numbered in their own order."""
    number = {node: index for index, node in enumerate(sorted(graph))}
    links = (sorted((number[u], number[v])) for u, v in graph.edges if u != v)
    return from_links(len(number), ((low, high) for low, high in sorted(links)))


def _check_sides(family: str, sides: tuple[int, ...]) -> None:
    check_integers(f"{family}, side", sides, least=1)
    if len(sides) > _MAX_DIMENSION:
        raise InvalidInput(family, len(sides), f"a dimension is at most {_MAX_DIMENSION}")
    if prod(sides) < 2:
        raise InvalidInput(family, list(sides), "at least two nodes are built")
