"""Edge coloring of bipartite multigraphs with as few colors as the largest degree.

Method: there are two.  "matching", the default: where most edges are single, their copies are
colored one by one, in a regular graph.  One of single edges, with few nodes for its degree, gives
one perfect matching after the other.  Others are halved by Euler partitions; at an odd degree they
need a perfect matching (Gabow 1976), which random walks find.  Where copies are many, whole
matchings are counted instead, and the number of copies costs nothing but digits.  "gabow-kariv":
Euler splits and recoloring, deterministic and without matchings (`exactsched.graphs.gabow_kariv`).
Limits: the graph is bipartite; `exactsched.graphs.fractional_edge_coloring` is for all graphs.

Proofs of both methods: proofs/konig-edge-coloring.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, compress, repeat
from typing import Final, Literal, get_args

from exactsched.certificate.graphs import ColorClass, EdgeColoring
from exactsched.exact.arguments import exact_numbers
from exactsched.exact.collection import without_collection
from exactsched.exact.dice import Dice
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.graphs.contraction import degrees, packed
from exactsched.graphs.gabow_kariv import color_by_recoloring
from exactsched.graphs.matching_decomposition import (
    checked_edges,
    decompose_into_few_matchings,
    decompose_into_matchings,
)

Method = Literal["matching", "gabow-kariv"]
Classes = list[tuple[int, tuple[int, ...]]]

# A graph of single edges with at most that many nodes on a side for each unit of its degree is
# colored by single matchings in at most 0.9 of the time of Euler partitions; 400 nodes of degree
# 304 in 0.6 of it.  Others are not: frames of balanced saturation would take up to 4 steps more.
_FEW: Final = 8
Matchings = Iterable[tuple[Rational, tuple[int, ...]]]


@without_collection()
def color_edges(
    edges: Sequence[tuple[int, int]],
    multiplicities: Sequence[object] | None = None,
    method: Method = "matching",
) -> EdgeColoring:
    """The edges of a bipartite multigraph can be colored with as many colors as its largest degree.

    An edge (left, right) joins node `left` of one side to node `right` of the other; nodes are
    non-negative integers, the sides are numbered separately, and a pair may be given several
    times.  A multiplicity is a positive integer of any length; without them all edges are single.
    The result has classes (number of colors, matching), edges in increasing order.  By the method
    "matching" there are at most min(D, |E|) classes, D the largest degree; by "gabow-kariv" at
    most D, and for long multiplicities many more than |E|.

    Raises `InvalidInput` for edges that are not pairs of non-negative integers, for multiplicities
    that are not positive integers or not as many as the edges, and for another method.

    Complexity of "matching", for N copies of E edges that are B distinct pairs: if N <= 2 B and
    D <= E (always, without multiplicities or parallel edges), O(N (log D + log |V|)) expected; for
    |V| <= 8 D and N = E <= 11 B instead D matchings, each by at most |V|^2 operations on sets of
    nodes.
    Otherwise N does not matter: that of `decompose_into_few_matchings` or, where D is very long or
    the degrees very uneven, of `decompose_into_matchings`, for B edges, and the size of the result.
    Of "gabow-kariv": that of `color_by_recoloring` for B edges, and the size of the result.
    References: Konig 1916; Gabow 1976; Gabow and Kariv 1982; Goel, Kapralov and Khanna 2013.

    >>> color_edges([(0, 0), (0, 1), (1, 0)], [10**20, 1, 1]).classes
    (ColorClass(colors=100000000000000000000, edges=(0,)), ColorClass(colors=1, edges=(1, 2)))
    >>> color_edges([(0, 0), (0, 1), (1, 0)], method="gabow-kariv").classes
    (ColorClass(colors=1, edges=(0,)), ColorClass(colors=1, edges=(1, 2)))
    """
    if method not in get_args(Method):
        raise InvalidInput("method", method, f"a method is one of {', '.join(get_args(Method))}")
    pairs, lefts, rights = checked_edges(edges)
    if multiplicities is None:
        copies: tuple[int, ...] = (1,) * len(pairs)
    else:
        copies = _checked_multiplicities(multiplicities, len(pairs))
    at_sides = [degrees(lefts, copies), degrees(rights, copies)]
    colors = max(chain.from_iterable(at_side.values() for at_side in at_sides), default=0)
    if method == "gabow-kariv":
        classes = _by_bundles(pairs, copies, _recolored)
    elif _mostly_single(pairs, copies, at_sides, colors) and colors <= len(pairs):
        classes = _colored_one_by_one(lefts, rights, copies, at_sides, colors)
    else:
        classes = _by_bundles(pairs, copies, _counted)
    return EdgeColoring(pairs, copies, tuple(map(ColorClass._make, classes)), colors)


def _checked_multiplicities(multiplicities: Sequence[object], count: int) -> tuple[int, ...]:
    copies = []
    for index, number in enumerate(exact_numbers(multiplicities, "multiplicity of edge", count)):
        if type(number) is not int or number < 1:
            rule = "a multiplicity is a positive integer"
            raise InvalidInput(f"multiplicity of edge {index}", number, rule)
        copies.append(number)
    return tuple(copies)


def _mostly_single(
    pairs: Sequence[tuple[int, int]],
    copies: Sequence[int],
    at_sides: Sequence[dict[int, int]],
    degree: int,
) -> bool:
    """Whether there are few copies on average of a pair of ends: at most two by Euler partitions.

    Measured with up to 100,000 edges, the two ways of coloring take the same time there.  Single
    matchings of single edges take it for 9 to 12: 0.6 of it for 5, 1.1 to 1.4 of it for 20.
    """
    total = sum(copies)
    in_turn = total == len(copies) and max(map(len, at_sides), default=0) <= _FEW * degree
    few = 11 if in_turn else 2
    possible = len(at_sides[0]) * len(at_sides[1])  # spares the set where there are few nodes
    return total <= few * possible and total <= few * len(set(pairs))


# Many copies: matchings of whole bundles ----------------------------------------------------------


def _by_bundles(
    pairs: Sequence[tuple[int, int]],
    copies: Sequence[int],
    decompose: Callable[[list[tuple[int, int]], list[int]], Matchings],
) -> Classes:
    """Matchings of the bundles of parallel edges, dealt out to the edges of the bundles."""
    edges_of: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for edge, ends in enumerate(pairs):
        edges_of[ends].append(edge)
    bundles = list(edges_of)
    single = max(copies, default=1) == 1
    if single:
        weights = list(map(len, edges_of.values()))
    else:
        weights = [sum([copies[edge] for edge in edges]) for edges in edges_of.values()]
    matchings = decompose(bundles, weights)
    queues = [edges[::-1] for edges in edges_of.values()]
    if single:
        return _dealt_to_single_edges(matchings, queues)
    return _dealt(matchings, queues, copies)


def _recolored(bundles: list[tuple[int, int]], weights: list[int]) -> Matchings:
    return color_by_recoloring(
        [left for left, _ in bundles], [right for _, right in bundles], weights
    ).classes


def _counted(bundles: list[tuple[int, int]], weights: list[int]) -> Matchings:
    if _matchings_will_be_few(bundles, weights):
        return decompose_into_few_matchings(bundles, weights).matchings
    return decompose_into_matchings(bundles, weights).matchings


def _dealt(matchings: Matchings, queues: list[list[int]], copies: Sequence[int]) -> Classes:
    """Classes of edges for matchings of bundles, cut where the copies of an edge are used up.

    `queues` has for every bundle its edges, the next one last; they are emptied.
    """
    edge_of = [queue.pop() for queue in queues]
    left = [copies[edge] for edge in edge_of]
    classes: Classes = []
    for duration, matching in matchings:
        number = int(duration)
        while number:
            step = min(number, min([left[bundle] for bundle in matching]))
            classes.append((step, tuple(sorted([edge_of[bundle] for bundle in matching]))))
            number -= step
            for bundle in matching:
                left[bundle] -= step
                if not left[bundle] and queues[bundle]:
                    edge_of[bundle] = queues[bundle].pop()
                    left[bundle] = copies[edge_of[bundle]]
    return classes


def _dealt_to_single_edges(matchings: Matchings, queues: list[list[int]]) -> Classes:
    """As `_dealt` if every edge has one copy, in a third of the time."""
    classes: Classes = []
    for duration, matching in matchings:
        number = int(duration)
        dealt = []
        for bundle in matching:
            dealt.append(queues[bundle][: -number - 1 : -1])
            del queues[bundle][-number:]
        classes += [(1, tuple(sorted(edges))) for edges in zip(*dealt, strict=True)]
    return classes


def _matchings_will_be_few(edges: Sequence[tuple[int, int]], weights: Sequence[int]) -> bool:
    """Whether bottleneck matchings are worth their time, which grows with |V| times their number.

    That number is near |E| anyway for long multiplicities, and is at least the number of edges
    at any one node.  (60 + 60 nodes, 3,600 edges: 369 matchings for 20 bits, 3,600 for 1,660.)
    The others are about |E|.  Where they are large as well they cost memory and checking: 400
    million entries instead of 5 million on a path of 40,000 edges with 100 digits.
    """
    colors = max(max(degrees([edge[side] for edge in edges], weights).values()) for side in (0, 1))
    at_node = [Counter(edge[side] for edge in edges) for side in (0, 1)]
    busiest = max(max(count.values()) for count in at_node)
    node_count = sum(map(len, at_node))
    size = sum(weights) // colors  # of a matching, on average over the colors
    return busiest * node_count * colors.bit_length() <= (256 + size // 8) * len(edges)


# Few copies: matchings of a regular graph ---------------------------------------------------------


def _colored_one_by_one(
    lefts: Sequence[int],
    rights: Sequence[int],
    copies: Sequence[int],
    at_sides: Sequence[dict[int, int]],
    degree: int,
) -> Classes:
    """One class for every color, by perfect matchings of a regular graph of this degree.

    Its nodes are bins of nodes that have room beside each other: a matching of bins is one of
    nodes, and the bins are fewer and have nearly the same degree.

    """
    edge_of: Sequence[int] = range(len(copies))
    if max(copies, default=1) > 1:
        edge_of = [edge for edge, number in enumerate(copies) for _ in range(number)]
        lefts, rights = ([side[edge] for edge in edge_of] for side in (lefts, rights))
    left_bins, right_bins = (
        list(map(packed(at_side, degree).__getitem__, side))
        for at_side, side in zip(at_sides, (lefts, rights), strict=True)
    )
    nodes = 1 + max(max(left_bins, default=0), max(right_bins, default=0))
    right_of, copy_at = _padded_to_regular(left_bins, right_bins, nodes, degree)
    in_turn = len(edge_of) == len(copies) and nodes <= _FEW * degree
    method = _matched_in_turn if in_turn else _partitioned
    colored = method(right_of, copy_at, nodes, degree)
    classes: Classes = []
    for start in range(0, len(colored), nodes):
        matching = colored[start : start + nodes]
        if len(edge_of) < len(right_of):
            matching = [copy for copy in matching if copy < len(edge_of)]
        classes.append((1, tuple(sorted(map(edge_of.__getitem__, matching)))))
    return classes


def _padded_to_regular(
    lefts: list[int], rights: list[int], nodes: int, degree: int
) -> tuple[list[int], list[int]]:
    """The right end of every copy and the copies by left node, dummy copies last in both."""
    at_left: list[list[int]] = [[] for _ in range(nodes)]
    for copy, left in enumerate(lefts):
        at_left[left].append(copy)
    present = Counter(rights)
    right_of = [
        *rights,
        *chain.from_iterable(repeat(right, degree - present[right]) for right in range(nodes)),
    ]
    dummy = len(lefts)
    for at_node in at_left:
        lacking = degree - len(at_node)
        at_node.extend(range(dummy, dummy + lacking))
        dummy += lacking
    return right_of, list(chain.from_iterable(at_left))


def _matched_in_turn(right_of: list[int], copy_at: list[int], nodes: int, degree: int) -> list[int]:
    """The copies of one perfect matching after the other, by sets of nodes that are integers.

    Most nodes get a free partner at once.  From another one paths are tried, depth first, until a
    node on them has a free partner; that every node on the right is passed once is enough.
    """
    bits = [1 << right for right in range(nodes)]
    everywhere = (1 << nodes) - 1
    copies: list[dict[int, list[int]]] = [{} for _ in range(nodes)]  # by left and right node
    for place in reversed(range(len(copy_at))):  # the first one is the first to go
        copy = copy_at[place]
        copies[place // degree].setdefault(right_of[copy], []).append(copy)
    partners = [sum(map(bits.__getitem__, rights)) for rights in copies]
    colored: list[int] = []
    for color in range(degree):
        # Parallel copies far from each other: every color begins with another node.
        lower = everywhere >> color % nodes
        free = everywhere
        mate = [0] * nodes  # of right nodes that are not free
        exposed = []
        for left, rights in enumerate(partners):
            rights &= free
            if rights:
                right = (rights & lower or rights).bit_length() - 1
                mate[right] = left
                free ^= bits[right]
            else:
                exposed.append(left)
        for left in exposed:
            unseen = everywhere
            path: list[tuple[int, int]] = []
            while not (rights := partners[left] & free):
                rights = partners[left] & unseen
                if rights:
                    right = rights.bit_length() - 1
                    unseen ^= bits[right]
                    path.append((left, right))
                    left = mate[right]
                else:
                    left, _ = path.pop()
            path.append((left, rights.bit_length() - 1))
            free ^= bits[path[-1][1]]
            for left, right in path:
                mate[right] = left
        for right, left in enumerate(mate):
            parallel = copies[left][right]
            colored.append(parallel.pop())
            if not parallel:
                partners[left] ^= bits[right]
    return colored


def _partitioned(right_of: list[int], copy_at: list[int], nodes: int, degree: int) -> list[int]:
    """The copies of one perfect matching after the other, by Euler partitions.

    The graphs of one stage all have the same degree and lie one after the other in `copy_at`,
    each as the copies at its left node 0, at its left node 1, and so on, `degree` of them each.
    So a pair of *places* 2k, 2k + 1 belongs to one left node.  `by_right` holds the places again,
    in the same way by right nodes.
    """
    by_right: list[int] = []
    colored: list[int] = []
    while degree > 1:
        if degree % 2:
            right_at = list(map(right_of.__getitem__, copy_at))
            kept = bytearray(b"\1") * len(copy_at)
            for place in _perfect_matchings(right_at, nodes, degree):
                colored.append(copy_at[place])
                kept[place] = 0
            copy_at = list(compress(copy_at, kept))
            moved = list(accumulate(kept, initial=0))
            by_right = [moved[place] for place in by_right if kept[place]]
        by_right = by_right or _by_right(map(right_of.__getitem__, copy_at), nodes)
        copy_at, by_right = _halved(copy_at, by_right)
        degree //= 2
    return colored + copy_at


def _by_right(right_at: Iterable[int], nodes: int) -> list[int]:
    """The places of one graph, by their right nodes."""
    at_right: list[list[int]] = [[] for _ in range(nodes)]
    for place, right in enumerate(right_at):
        at_right[right].append(place)
    return list(chain.from_iterable(at_right))


def _halved(copy_at: list[int], by_right: list[int]) -> tuple[list[int], list[int]]:
    """Two graphs of half the degree for every graph of even degree: first all of one half.

    The pairs of places at left nodes and the pairs at right nodes form cycles together.  Every
    other place of a cycle is put into the first half: one of each pair, on both sides.
    """
    half = len(copy_at) // 2
    ones, others = by_right[::2], by_right[1::2]
    after_next = [0] * len(copy_at)  # from a place to its left partner and to that one's right one
    for one, other in zip(ones, others, strict=True):
        after_next[one ^ 1] = other
        after_next[other ^ 1] = one
    first = bytearray(len(copy_at))
    for start in range(0, len(copy_at), 2):
        if not first[start + 1]:
            place = start
            while not first[place]:
                first[place] = 1
                place = after_next[place]
    second = first.translate(b"\1\0" + bytes(254))
    # The copy at a place comes to the place of its left pair, in the first or the second half.
    moved = [(one if first[one] else other) >> 1 for one, other in zip(ones, others, strict=True)]
    moved += [
        half + ((other if first[one] else one) >> 1)
        for one, other in zip(ones, others, strict=True)
    ]
    return [*compress(copy_at, first), *compress(copy_at, second)], moved


def _perfect_matchings(right_at: list[int], nodes: int, degree: int) -> list[int]:
    """A place of every left node in every graph, no two at the same right node of a graph.

    From an exposed node walk over a random copy to the right and back over the matching, until an
    exposed node is met; the last copies by which the nodes were left form an alternating path.
    (A copy of the matching leads back at once; it can be drawn, but is never the last.)
    """
    random = Dice(0).random  # Decides how long the walks are, not where they may end.
    order = list(range(nodes))
    matched: list[int] = []
    for offset in range(0, len(right_at), nodes * degree):
        order.sort(key=[random() for _ in order].__getitem__)
        mate = [-1] * nodes  # of right nodes
        leaving = [-1] * nodes
        taken = [-1] * nodes
        for start in order:
            node = start
            while node >= 0:
                leaving[node] = place = offset + node * degree + int(random() * degree)
                node = mate[right_at[place]]
            node = start
            while node >= 0:
                taken[node] = place = leaving[node]
                right = right_at[place]
                node, mate[right] = mate[right], node
        matched += taken
    return matched
