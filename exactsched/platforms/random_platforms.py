"""Random platforms, named by a seed: equal in every version of Python and of all libraries."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations

from exactsched.exact.dice import Dice
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform, both_ways
from exactsched.platforms.unit_links import Link, check_integers, check_size, from_links


def random_platform(nodes: int, arcs: int, seed: int) -> Platform:
    """A random directed platform in which node 0 reaches every node.

    A random recursive tree (the parent of node v is uniform in 0..v-1) comes first, then other
    arcs, uniform among all that are absent.  A cost is p/q, p uniform in 1..30 and q in 1, 1, 2, 3.
    Equal arguments give equal platforms in every version of Python.

    >>> random_platform(10, 20, seed=1) == random_platform(10, 20, seed=1)
    True
    """
    check_integers("random", [nodes], least=2)
    check_integers("random, seed", [seed], least=0)
    check_integers("random, arcs", [arcs], least=nodes - 1)
    if arcs > nodes * (nodes - 1):
        raise InvalidInput("random, arcs", arcs, f"{nodes} nodes have {nodes * (nodes - 1)} arcs")
    check_size("random", nodes, arcs)
    dice = Dice(seed)
    pairs: dict[Link, None] = dict.fromkeys((dice.below(node), node) for node in range(1, nodes))
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
    choices = _costs()
    costs = (choices[dice.below(30)][dice.below(4)] for _ in pairs)
    return Platform(range(nodes), [(*pair, cost) for pair, cost in zip(pairs, costs, strict=True)])


@cache
def _costs() -> list[list[Fraction]]:
    return [[Fraction(p, q) for q in (1, 1, 2, 3)] for p in range(1, 31)]


def random_regular(nodes: int, degree: int, seed: int) -> Platform:
    """A random connected graph in which all nodes have the same degree, with costs of 1.

    From a circulant graph on, 10 random switches are tried for every link: two links a-b and c-d
    become a-c and b-d, if these are neither loops nor there already.  All simple regular graphs
    can be reached, and in the limit each is as likely as any other (Taylor 1981).  Milo et al.
    2003 try 100, to be safe; after 10 no difference shows in how often the graphs on 8 nodes
    appear, nor in the triangles on 200 nodes (measured in the tests).  At last all further
    components, rare from degree 3 on, are joined to the first by switches of two links on cycles,
    and the nodes change names at random.  Equal arguments give equal platforms in every version
    of Python.

    Raises `InvalidInput` for nodes times degree that is odd, a degree as large as the number of
    nodes, and degree 1 on more than two nodes, which are not connected.

    References: Taylor, *Constrained switchings in graphs*, 1981; Milo, Kashtan, Itzkovitz,
    Newman, Alon, *On the uniform generation of random graphs with prescribed degree sequences*,
    arXiv:cond-mat/0312028.

    >>> print(random_regular(8, 3, seed=1))
    Platform(8 nodes, 24 arcs)
    """
    place = "random-regular"
    check_integers(place, [nodes], least=2)
    check_integers(f"{place}, degree", [degree], least=1)
    check_integers(f"{place}, seed", [seed], least=0)
    if degree >= nodes:
        raise InvalidInput(
            f"{place}, degree", degree, f"a degree on {nodes} nodes is at most {nodes - 1}"
        )
    if nodes * degree % 2:
        rule = "the product of nodes and degree is even, as every link has two ends"
        raise InvalidInput(place, f"{nodes},{degree}", rule)
    if degree == 1 and nodes > 2:
        raise InvalidInput(
            f"{place}, degree", degree, "more than 2 nodes of degree 1 are not connected"
        )
    check_size(place, nodes, nodes * degree)
    dice = Dice(seed)
    links = [
        (node, (node + step) % nodes) for step in range(1, degree // 2 + 1) for node in range(nodes)
    ]
    if degree % 2:
        links += [(node, node + nodes // 2) for node in range(nodes // 2)]
    _switch(links, dice)
    _connect(links, dice)
    names = list(range(nodes))
    for place_left in range(nodes, 1, -1):  # Fisher and Yates
        other = dice.below(place_left)
        names[place_left - 1], names[other] = names[other], names[place_left - 1]
    return from_links(nodes, sorted(_ordered(names[u], names[v]) for u, v in links))


def _switch(links: list[Link], dice: Dice) -> None:
    """Ten random switches for every link; those that would not leave a simple graph do nothing."""
    present = {_ordered(*link) for link in links}
    for _ in range(10 * len(links)):
        one, other = dice.below(len(links)), dice.below(len(links))
        (a, b), (c, d) = links[one], links[other]
        if dice.below(2):
            c, d = d, c
        across, along = _ordered(a, c), _ordered(b, d)
        if a != c and b != d and across not in present and along not in present:
            present -= {_ordered(a, b), _ordered(c, d)}
            present |= {across, along}
            links[one], links[other] = (a, c), (b, d)


def _connect(links: list[Link], dice: Dice) -> None:
    """Join all components by switches of links that lie on cycles; degrees stay as they are.

    Without a link outside some spanning tree a component stays in one piece.  Two such links,
    a-b and c-d, become a-c and b-d: the first joins the two components, and the second is then
    outside of a spanning tree.
    """
    from networkx.utils import UnionFind

    joined = UnionFind()
    outside: list[int] = []
    for index, (a, b) in enumerate(links):
        if joined[a] == joined[b]:
            outside.append(index)
        joined.union(a, b)
    spare: dict[int, list[int]] = {}
    for index in outside:
        spare.setdefault(joined[links[index][0]], []).append(index)
    first: list[int] = []
    for component in spare.values():
        if first:
            one, other = _drawn(first, dice), _drawn(component, dice)
            (a, b), (c, d) = links[one], links[other]
            links[one], links[other] = (a, c), (b, d)
            first.append(other)
        first += component


def _drawn(indices: list[int], dice: Dice) -> int:
    place = dice.below(len(indices))
    indices[place], indices[-1] = indices[-1], indices[place]
    return indices.pop()


def _ordered(one: int, other: int) -> Link:
    return (one, other) if one < other else (other, one)


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
    check_integers("tiers", [wan, mans, lans, hosts], least=1)
    check_integers("tiers, seed", [seed], least=0)
    metropolitan = mans * lans
    routers = wan + metropolitan
    # A network of n routers has fewer than 2n links.
    check_size("tiers", routers + metropolitan * hosts, 4 * routers + 2 * metropolitan * hosts)
    dice = Dice(seed)
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


def _network(routers: range, dice: Dice) -> list[Link]:
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
