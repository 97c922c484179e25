"""Built-in platforms by name: regular families, random ones, and the examples of the papers.

Each family is a function here (`grid(4, 4)`) and a name on the command line (`grid:4x4`), read by
`built_in` and listed by `catalog`.  Every undirected link becomes two arcs of the same cost.  In
the regular families all costs are 1 and nodes are the integers 0..n-1.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import prod
from typing import Any, NamedTuple

from exactsched.errors import InvalidInput
from exactsched.examples import legrand_fig1, reduce_toy, scatter_toy, tiers_2003
from exactsched.platform import Platform, both_ways

MAX_SIZE = 1_000_000
"""No built-in platform has more nodes, or more arcs, than this."""

# 2^20 > MAX_SIZE, and further sides of length 1 add nothing.
_MAX_DIMENSION = 20

_Link = tuple[int, int]


def grid(*sides: int) -> Platform:
    """The grid with the given sides: nodes are the points, links join points at distance 1.

    Node 0 is a corner and the last coordinate varies fastest.  `grid(n)` is a path.

    >>> [str(arc) for arc in grid(3).arcs]
    ['0->1', '1->0', '1->2', '2->1']
    """
    _check_sides("grid", sides)
    links = sum(prod(sides) // side * (side - 1) for side in sides)
    _check_size("grid", prod(sides), 2 * links)
    import networkx

    return _numbered(networkx.grid_graph(dim=sides[::-1]))


def torus(*sides: int) -> Platform:
    """The grid with the given sides whose opposite borders are linked as well.

    A side of 2 has one link, not two parallel ones; a side of 1 has none.

    >>> torus(3, 3), torus(2, 2) == grid(2, 2)
    (Platform(9 nodes, 36 arcs), True)
    """
    _check_sides("torus", sides)
    links = sum(prod(sides) // side * (side if side > 2 else side - 1) for side in sides)
    _check_size("torus", prod(sides), 2 * links)
    import networkx

    return _numbered(networkx.grid_graph(dim=sides[::-1], periodic=True))


def hypercube(dimension: int) -> Platform:
    """The graph on 0..2^d - 1 that links two numbers if they differ in one binary digit.

    >>> sorted(arc.head for arc in hypercube(3).arcs if arc.tail == 5)
    [1, 4, 7]
    """
    _check_integers("hypercube", [dimension], least=1)
    if dimension > _MAX_DIMENSION:
        raise InvalidInput("hypercube", dimension, f"a dimension is at most {_MAX_DIMENSION}")
    return grid(*[2] * dimension)


def complete(nodes: int) -> Platform:
    """The complete graph: an arc between any two nodes, both ways.

    >>> complete(8)
    Platform(8 nodes, 56 arcs)
    """
    _check_integers("complete", [nodes], least=2)
    _check_size("complete", nodes, nodes * (nodes - 1))
    import networkx

    return _numbered(networkx.complete_graph(nodes))


def ring(nodes: int) -> Platform:
    """The cycle 0, 1, ..., n-1, 0, both ways around.

    >>> ring(6)
    Platform(6 nodes, 12 arcs)
    """
    _check_integers("ring", [nodes], least=3)
    _check_size("ring", nodes, 2 * nodes)
    import networkx

    return _numbered(networkx.cycle_graph(nodes))


def star(leaves: int) -> Platform:
    """The hub 0 linked to the leaves 1..n: the number counts the leaves, so there are n+1 nodes.

    >>> star(9)
    Platform(10 nodes, 18 arcs)
    """
    _check_integers("star", [leaves], least=1)
    _check_size("star", leaves + 1, 2 * leaves)
    import networkx

    return _numbered(networkx.star_graph(leaves))


def cubic_16() -> Platform:
    """A graph on 16 nodes of degree 3 whose mean distance, 11/5, is the least possible.

    It is the cycle 0, 1, ..., 15, 0 with eight chords.  Every node has 3, 6 and 6 nodes at
    distance 1, 2 and 3, and no node of degree 3 can have more than 3 and 6 at distance 1 and 2.
    Six graphs with a Hamiltonian cycle have this mean; this one and another have the most
    automorphisms, 6.

    >>> cubic_16()
    Platform(16 nodes, 48 arcs)
    """
    chords = [(0, 4), (1, 7), (2, 10), (3, 13), (5, 9), (6, 12), (8, 14), (11, 15)]
    return _from_links(16, sorted([*pairwise(range(16)), (0, 15), *chords]))


def fat_tree(ports: int) -> Platform:
    """The fat tree of switches with k ports each (k even): k^3/4 hosts, 5k^2/4 switches.

    There are k pods of k/2 edge and k/2 aggregation switches.  An edge switch is linked to k/2
    hosts and to all aggregation switches of its pod; the j-th aggregation switch of every pod to
    the j-th group of k/2 core switches.  Numbered are hosts first (host 0 in pod 0), then the edge,
    aggregation and core switches.  Switches are nodes like any other: a broadcast serves them too.

    Reference: Al-Fares, Loukissas, Vahdat, *A scalable, commodity data center network
    architecture*, SIGCOMM 2008.

    >>> fat_tree(4)
    Platform(36 nodes, 96 arcs)
    """
    _check_integers("fat-tree", [ports], least=2)
    if ports % 2:
        raise InvalidInput("fat-tree", ports, "a switch has an even number of ports")
    half = ports // 2
    hosts, layer = ports * half**2, ports * half
    _check_size("fat-tree", hosts + 2 * layer + half**2, 6 * hosts)
    edge, aggregation, core = hosts, hosts + layer, hosts + 2 * layer
    links = [(host, edge + host // half) for host in range(hosts)]
    for pod in range(ports):
        above = range(pod * half, (pod + 1) * half)
        links += [(edge + low, aggregation + high) for low, high in product(above, above)]
    for switch in range(layer):
        group = core + switch % half * half
        links += [(aggregation + switch, group + j) for j in range(half)]
    return _from_links(core + half**2, links)


def dragonfly(routers: int, global_links: int) -> Platform:
    """The largest dragonfly of groups of a routers with h global links each: a*h + 1 groups.

    A group is a complete graph, and every pair of groups has one global link.  Router r of group q
    is node q*a + r.  Group q numbers its global links from 0: link l goes to group q + l + 1
    (modulo the number of groups) and belongs to router l // h.  Terminals are not nodes.

    Reference: Kim, Dally, Scott, Abts, *Technology-driven, highly-scalable dragonfly topology*,
    ISCA 2008.

    >>> dragonfly(4, 1)
    Platform(20 nodes, 80 arcs)
    """
    _check_integers("dragonfly", [routers, global_links], least=1)
    groups = routers * global_links + 1
    size = routers * groups
    _check_size("dragonfly", size, size * (routers - 1 + global_links))
    links: list[_Link] = []
    for group in range(groups):
        links += combinations(range(group * routers, (group + 1) * routers), 2)
    for low, high in combinations(range(groups), 2):
        there, back = (high - low - 1) // global_links, (low - high - 1) % groups // global_links
        links.append((low * routers + there, high * routers + back))
    return _from_links(size, links)


def random_platform(nodes: int, arcs: int, seed: int) -> Platform:
    """A random directed platform in which node 0 reaches every node.

    A random recursive tree (the parent of node v is uniform in 0..v-1) comes first, then other
    arcs, uniform among all that are absent.  A cost is p/q, p uniform in 1..30 and q in 1, 1, 2, 3.
    Equal arguments give equal platforms in every version of Python.

    >>> random_platform(10, 20, seed=1) == random_platform(10, 20, seed=1)
    True
    """
    _check_integers("random", [nodes], least=2)
    _check_integers("random, seed", [seed], least=0)
    _check_integers("random, arcs", [arcs], least=nodes - 1)
    if arcs > nodes * (nodes - 1):
        raise InvalidInput("random, arcs", arcs, f"{nodes} nodes have {nodes * (nodes - 1)} arcs")
    _check_size("random", nodes, arcs)
    dice = _Dice(seed)
    pairs: dict[_Link, None] = dict.fromkeys((dice.below(node), node) for node in range(1, nodes))
    if 2 * arcs <= nodes * (nodes - 1):
        while len(pairs) < arcs:
            tail, head = dice.below(nodes), dice.below(nodes)
            if tail != head:
                pairs[tail, head] = None
    else:  # few arcs are absent: draw those
        absent = [pair for pair in permutations(range(nodes), 2) if pair not in pairs]
        while len(pairs) < arcs:
            place = dice.below(len(absent))
            absent[place], absent[-1] = absent[-1], absent[place]
            pairs[absent.pop()] = None
    costs = (Fraction(1 + dice.below(30), (1, 1, 2, 3)[dice.below(4)]) for _ in pairs)
    return Platform(range(nodes), [(*pair, cost) for pair, cost in zip(pairs, costs, strict=True)])


def tiers(wan: int, mans: int, lans: int, hosts: int, seed: int) -> Platform:
    """A random wide area network with metropolitan and local networks, slow above and fast below.

    `wan` routers form the wide area network.  Each of `mans` metropolitan networks has `lans`
    routers, the first of them linked to a random router of the wide area network.  Every
    metropolitan router serves a local network: a star of `hosts` hosts.  A wide or metropolitan
    network is a random recursive tree; each router left with one link in it gets a second link to
    another router of the same network, where there is one.

    Bandwidths are integers drawn from the ranges of Figure 9 of RR-4872: wide area and links
    to it 8..14, metropolitan 125..295, local 1000.  Costs are 1000/bandwidth, so that a local link
    costs 1; both directions cost the same.  Hosts have a time `compute` of 1000/speed, speed in
    15..92; routers have none.  Wide area routers are numbered
    first, then metropolitan routers network by network, then hosts in the order of their routers.

    Reference: after Doar, *A better model for generating test networks*, GLOBECOM 1996.

    >>> tiers(wan=4, mans=2, lans=2, hosts=3, seed=0).nodes[-1]
    19
    """
    _check_integers("tiers", [wan, mans, lans, hosts], least=1)
    _check_integers("tiers, seed", [seed], least=0)
    metropolitan = mans * lans
    routers = wan + metropolitan
    # A network of n routers has fewer than 2n links.
    _check_size("tiers", routers + metropolitan * hosts, 4 * routers + 2 * metropolitan * hosts)
    dice = _Dice(seed)
    bandwidths = {link: dice.between(8, 14) for link in _network(range(wan), dice)}
    for man in range(mans):
        here = range(wan + man * lans, wan + (man + 1) * lans)
        bandwidths[dice.below(wan), here[0]] = dice.between(8, 14)
        bandwidths |= {link: dice.between(125, 295) for link in _network(here, dice)}
    for host in range(metropolitan * hosts):
        bandwidths[wan + host // hosts, routers + host] = 1000
    size = routers + metropolitan * hosts
    return Platform(
        range(size),
        both_ways((*link, Fraction(1000, bandwidth)) for link, bandwidth in bandwidths.items()),
        {host: {"compute": Fraction(1000, dice.between(15, 92))} for host in range(routers, size)},
    )


def _network(routers: range, dice: _Dice) -> list[_Link]:
    """A random recursive tree on the routers, and a second link for those that have one."""
    links = [(routers[dice.below(k)], routers[k]) for k in range(1, len(routers))]
    degree = dict.fromkeys(routers, 0)
    neighbor: dict[int, int] = {}
    for tail, head in links:
        degree[tail] += 1
        degree[head] += 1
        neighbor[tail], neighbor[head] = head, tail
    for router in routers:
        if degree[router] == 1 and len(routers) > 2:
            taken = sorted((router - routers[0], neighbor[router] - routers[0]))
            # Uniform among the others: skip the two that are taken.
            place = dice.below(len(routers) - 2)
            for skipped in taken:
                place += place >= skipped
            other = routers[place]
            links.append((router, other))
            degree[router] += 1
            degree[other] += 1
    return links


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

    >>> built_in("torus:3x3x3")
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
    return build(*map(int, re.findall(r"[0-9]+", parameters)))


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
                "fat-tree:K", "switches with K ports: K^3/4 hosts, 5K^2/4 switches", "fat-tree:4"
            ),
            f":{_N}",
            fat_tree,
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


class _Dice:
    """Random integers that are the same in every version of Python.

    Of all methods of `random.Random`, only the sequence of `random()` is promised not to change;
    its values are multiples of 2^-53.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, end: int) -> int:
        return int(self._random.random() * 2**53) * end >> 53

    def between(self, least: int, most: int) -> int:
        return least + self.below(most - least + 1)


def _from_links(size: int, links: Iterable[_Link]) -> Platform:
    return Platform(range(size), both_ways((*link, 1) for link in links))


def _numbered(graph: Any) -> Platform:
    """An undirected networkx graph with its nodes numbered in their own order."""
    number = {node: index for index, node in enumerate(sorted(graph))}
    links = (sorted((number[u], number[v])) for u, v in graph.edges if u != v)
    return _from_links(len(number), ((low, high) for low, high in sorted(links)))


def _check_integers(place: str, values: Sequence[object], least: int) -> None:
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InvalidInput(place, value, f"write a whole number that is at least {least}")


def _check_sides(family: str, sides: tuple[int, ...]) -> None:
    _check_integers(f"{family}, side", sides, least=1)
    if len(sides) > _MAX_DIMENSION:
        raise InvalidInput(family, len(sides), f"a dimension is at most {_MAX_DIMENSION}")
    if prod(sides) < 2:
        raise InvalidInput(family, list(sides), "at least two nodes are built")


def _check_size(family: str, nodes: int, arcs: int) -> None:
    for size, things in ((nodes, "nodes"), (arcs, "arcs")):
        if size > MAX_SIZE:
            raise InvalidInput(f"{family}, {things}", size, f"at most {MAX_SIZE} are built")
