"""Networks of switches and routers: fat trees, dragonflies, butterflies.

All costs are 1, and all nodes are alike: a broadcast serves switches too.  The fat trees and the
leaf-spine networks whose switches only forward are in `machines`.
"""

from __future__ import annotations

from itertools import combinations, product

from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform
from exactsched.platforms.unit_links import MAX_SIZE, Link, check_integers, check_size, from_links


def fat_tree_graph(ports: int) -> Platform:
    """The fat tree of switches with k ports each (k even): k^3/4 hosts, 5k^2/4 switches.

    There are k pods of k/2 edge and k/2 aggregation switches.  An edge switch is linked to k/2
    hosts and to all aggregation switches of its pod; the j-th aggregation switch of every pod to
    the j-th group of k/2 core switches.  Numbered are hosts first (host 0 in pod 0), then the edge,
    aggregation and core switches.  Switches are nodes like any other: a broadcast serves them too.
    In `machines.fat_tree` they only forward.

    Reference: Al-Fares, Loukissas, Vahdat, *A scalable, commodity data center network
    architecture*, SIGCOMM 2008.

    >>> print(fat_tree_graph(4))
    Platform(36 nodes, 96 arcs)
    """
    check_integers("fat-tree", [ports], least=2)
    if ports % 2:
        raise InvalidInput("fat-tree", ports, "a switch has an even number of ports")
    half = ports // 2
    hosts, layer = ports * half**2, ports * half
    check_size("fat-tree", hosts + 2 * layer + half**2, 6 * hosts)
    edge, aggregation, core = hosts, hosts + layer, hosts + 2 * layer
    links = [(host, edge + host // half) for host in range(hosts)]
    for pod in range(ports):
        above = range(pod * half, (pod + 1) * half)
        links += [(edge + low, aggregation + high) for low, high in product(above, above)]
    for switch in range(layer):
        group = core + switch % half * half
        links += [(aggregation + switch, group + j) for j in range(half)]
    return from_links(core + half**2, links)


def dragonfly(routers: int, global_links: int) -> Platform:
    """The largest dragonfly of groups of a routers with h global links each: a*h + 1 groups.

    A group is a complete graph, and every pair of groups has one global link.  Router r of group q
    is node q*a + r.  Group q numbers its global links from 0: link l goes to group q + l + 1
    (modulo the number of groups) and belongs to router l // h.  Terminals are not nodes.

    Reference: Kim, Dally, Scott, Abts, *Technology-driven, highly-scalable dragonfly topology*,
    ISCA 2008.

    >>> print(dragonfly(4, 1))
    Platform(20 nodes, 80 arcs)
    """
    check_integers("dragonfly", [routers, global_links], least=1)
    groups = routers * global_links + 1
    size = routers * groups
    check_size("dragonfly", size, size * (routers - 1 + global_links))
    links: list[Link] = []
    for group in range(groups):
        links += combinations(range(group * routers, (group + 1) * routers), 2)
    for low, high in combinations(range(groups), 2):
        there, back = (high - low - 1) // global_links, (low - high - 1) % groups // global_links
        links.append((low * routers + there, high * routers + back))
    return from_links(size, links)


def butterfly(dimension: int) -> Platform:
    """The butterfly: D + 1 levels of 2^D nodes; every node has two links to the next level.

    Node i * 2^D + w is the one of row w in level i.  It is linked to the row w of level i + 1, and
    to the row that differs from w in the binary digit 2^i.  Nodes of the first and the last level
    have degree 2, all others 4.

    Reference: Leighton, *Introduction to parallel algorithms and architectures*, 1992, section
    3.2.

    >>> print(butterfly(3))
    Platform(32 nodes, 96 arcs)
    >>> [arc.head for arc in butterfly(3).arcs if arc.tail == 9]  # level 1, row 1
    [0, 1, 17, 19]
    """
    _check_dimension("butterfly", dimension, least=1)
    rows = 2**dimension
    check_size("butterfly", rows * (dimension + 1), 4 * rows * dimension)
    return from_links(rows * (dimension + 1), _steps_of_levels(dimension))


def wrapped_butterfly(dimension: int) -> Platform:
    """The butterfly whose last level is the first one again: D levels of 2^D nodes of degree 4.

    For D < 3 some links would be loops or parallel, so D is at least 3.

    Reference: Leighton 1992, section 3.2.

    >>> print(wrapped_butterfly(3))
    Platform(24 nodes, 96 arcs)
    """
    _check_dimension("wrapped-butterfly", dimension, least=3)
    size = dimension * 2**dimension
    check_size("wrapped-butterfly", size, 4 * size)
    return from_links(size, [(low, high % size) for low, high in _steps_of_levels(dimension)])


def _steps_of_levels(dimension: int) -> list[Link]:
    """The links of a butterfly, from level to level."""
    rows = 2**dimension
    return [
        (level * rows + row, (level + 1) * rows + other)
        for level in range(dimension)
        for row in range(rows)
        for other in (row, row ^ 1 << level)
    ]


def _check_dimension(family: str, dimension: int, least: int) -> None:
    check_integers(family, [dimension], least)
    # Beyond, 2^D alone is more than is ever built; a number of 10^18 digits is not even computed.
    largest = MAX_SIZE.bit_length()
    if dimension > largest:
        raise InvalidInput(family, dimension, f"a dimension is at most {largest}")
