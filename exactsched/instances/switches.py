"""Random networks with switches, and collectives on them: allgathers, sums, messages to some."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from exactsched.exact.arguments import whole
from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.model.parts import Block, Shard
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import Allgather, Combination, Ports

# Of capacities: plain, long, fractions, long fractions.
_UNITS = (Fraction(1), Fraction(10**12), Fraction(1, 6), Fraction(10**12, 7))

# A message among this many nodes may have more targets than trees are found for exactly.
MANY = 13


@dataclass(frozen=True, slots=True)
class SwitchNetwork:
    """A digraph with capacities, the nodes that only forward, and how much each node demands."""

    size: int
    arcs: tuple[tuple[int, int], ...]
    capacities: tuple[Rational, ...]
    switches: tuple[int, ...]
    demands: tuple[Rational, ...]


def switch_network(choices: Choices, bound: int) -> SwitchNetwork:
    """Mostly planted: paths through switches that meet the demands, with hardly more; or anything.

    A planted network is a sum of branchings of paths, so that many sets are tight; in one case of
    four of them a capacity is too small.  Switches may be chained, arcs parallel, shards unequal
    or empty, and all numbers long or fractions.
    """
    size = choices.size(2, bound, 4)
    forwarding = choices.between(min(1, size - 2), max(1, size // 2)) if size > 2 else 0
    terminals = size - forwarding
    planted = not choices.flip(4)
    unit = choices.one_of(_UNITS)
    amounts: defaultdict[tuple[int, int], int] = defaultdict(int)
    demands = [0] * size
    for root in range(terminals):
        demands[root] = choices.below(4)
        parts = choices.between(1, 2)
        for part in range(parts if planted and demands[root] else 0):
            amount = demands[root] - (parts - 1) if part == 0 else 1
            reached = [root]
            for head in choices.shuffled([v for v in range(terminals) if v != root]):
                through = choices.several_of(range(terminals, size), choices.below(forwarding + 1))
                stops = [choices.one_of(reached), *through, head]
                for arc in pairwise(stops):
                    amounts[arc] += amount
                reached.append(head)
    listed = [(*arc, amount) for arc, amount in amounts.items() if amount > 0]
    for _ in range(choices.below(3) if planted else choices.below(4 * size)):
        listed.append((choices.below(size), choices.below(size), choices.below(4)))
    if planted and listed and choices.flip(4):
        tail, head, amount = listed.pop(choices.below(len(listed)))
        listed.append((tail, head, max(0, amount - 1)))
    listed = choices.shuffled([*listed, *_returned(listed, terminals)])
    spare = choices.below(2) if unit.numerator > 1 else 0
    return SwitchNetwork(
        size,
        tuple([(tail, head) for tail, head, _ in listed]),
        tuple([whole(k * unit + (spare if tail < terminals else 0)) for tail, _, k in listed]),
        tuple(choices.shuffled(range(terminals, size))),
        tuple([whole(demand * unit) for demand in demands]),
    )


def _returned(arcs: list[tuple[int, int, int]], terminals: int) -> list[tuple[int, int, int]]:
    """Arcs into the switches that send more than they receive."""
    gained: defaultdict[int, int] = defaultdict(int)
    for tail, head, amount in arcs:
        gained[head] += amount
        gained[tail] -= amount
    return [
        (v % terminals, v, -gained[v]) for v in sorted(gained) if v >= terminals > 0 > gained[v]
    ]


def allgather(choices: Choices, bound: int) -> Allgather:
    """Mostly planted, as `switch_network`: then the throughput is near the number of its unit.

    Numbers of nodes are shuffled.  Nodes of the group may send more than they receive, or less;
    some shards are empty, and some nodes may be out of reach.
    """
    made = switch_network(choices, bound)
    names = choices.shuffled(range(made.size))
    group = [node for node in range(made.size) if node not in made.switches]
    sizes = [max(0, choices.between(-1, 3)) for _ in group] if choices.flip(3) else made.demands
    if not any(sizes[: len(group)]):
        sizes = [1, *sizes[1:]]
    shards = [Shard(names[node], Fraction(size)) for node, size in zip(group, sizes, strict=False)]
    amounts: defaultdict[tuple[int, int], Rational] = defaultdict(int)
    for (tail, head), capacity in zip(made.arcs, made.capacities, strict=True):
        if tail != head and capacity:
            amounts[names[tail], names[head]] += capacity
    entered = {head for _, head in amounts}
    for node in group:
        if names[node] not in entered and not choices.flip(8):
            tail = choices.one_of([other for other in group if other != node])
            amounts[names[tail], names[node]] = choices.between(1, 3)
    arcs = [(*ends, 1 / Fraction(amount)) for ends, amount in amounts.items()]
    return Allgather(Platform(range(made.size), arcs), tuple(choices.shuffled(shards)), "link")


def reduce_scatter(choices: Choices, bound: int) -> Combination:
    """As `allgather`, from back to front; nodes with an empty shard have values, and no block."""
    return _turned(allgather(choices, bound))


def _turned(gathered: Allgather) -> Combination:
    blocks = tuple(Block(size, (node,)) for node, size in gathered.shards if size)
    group = tuple(node for node, _ in gathered.shards)
    return Combination(gathered.platform.turned(), blocks, "link", group)


def allreduce(choices: Choices, bound: int) -> Combination:
    """All-reduces of 2 to `bound` nodes; up to two others, which may send more than they receive.

    Paths lead around a ring of the group, mostly, and further ones between any of its nodes.
    """
    size = choices.size(2, bound)
    group, names = _named(choices, size, 2)
    ring = choices.shuffled(range(size))
    ends = [(ring[k - 1], ring[k]) for k in range(size)]
    if choices.flip(10):
        ends.pop()
    ends += [_pair(choices, size) for _ in range(choices.below(size + 1))]
    platform = _of_paths(choices, names, size, ends)
    block = Block(choices.fraction(3, (1, 2)), group)
    return Combination(platform, (block,), _ports(choices))


def multicast(choices: Choices, bound: int) -> Combination:
    """A message to some of up to `bound` nodes, few arcs; or, in one case of eight, to many.

    Then there are more than ten targets, and nearly a tree.
    """
    many = choices.flip(8)
    size = choices.between(MANY, MANY + 1) if many else choices.size(3, bound, 4)
    group, names = _named(choices, size, 0 if many else 2)
    parents = [(choices.below(node), node) for node in range(1, size)]
    most = 4 if many else size
    ends = parents + [_pair(choices, size) for _ in range(choices.between(1, 1 + most))]
    platform = _of_paths(choices, names, size, ends)
    least = MANY - 2 if many else 2
    targets = choices.several_of(group[1:], choices.between(least, max(least, size - 2)))
    block = Block(choices.fraction(3, (1, 2)), tuple(targets), group[0])
    return Combination(platform, (block,), "link" if many else _ports(choices), group)


def _ports(choices: Choices) -> Ports:
    """Those of links in every other case."""
    every: tuple[Ports, ...] = ("link", "one-port", "half-duplex", "link")
    return choices.one_of(every)


def _named(choices: Choices, size: int, most: int) -> tuple[tuple[Node, ...], list[Node]]:
    """The group, and all nodes: of the group first, then as many at most that only forward."""
    names: list[Node] = [*choices.shuffled(range(size + choices.below(most + 1)))]
    return tuple(names[:size]), names


def _pair(choices: Choices, size: int) -> tuple[int, int]:
    tail = choices.below(size)
    head = choices.below(size - 1)
    return tail, head + (head >= tail)


def _of_paths(
    choices: Choices, names: Sequence[Node], size: int, ends: Iterable[tuple[int, int]]
) -> Platform:
    """Each path from end to end through some of the nodes that only forward."""
    unit = choices.one_of(_UNITS)
    amounts: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for tail, head in ends:
        others = range(size, len(names))
        stops = [tail, *choices.several_of(others, choices.below(len(others) + 1)), head]
        for arc in pairwise(stops):
            amounts[arc] += choices.between(1, 4) * unit
    spare = choices.below(2) if unit.numerator > 1 else 0
    arcs = [
        (names[tail], names[head], 1 / (amount + spare * tail))
        for (tail, head), amount in amounts.items()
    ]
    return Platform(sorted(names), arcs)


def _by_hand() -> tuple[Allgather, ...]:
    star = Platform("abs", [("a", "s", 1), ("s", "a", 1), ("b", "s", "1/3"), ("s", "b", 1)])
    alone = Platform("abs", [("a", "s", 1), ("s", "b", 1)])
    # What enters the switch from a node has to go back to it in part.
    costs = (("a", Fraction(1, 10**12)), ("b", 1), ("c", 1))
    back = Platform("abcs", both_ways([(node, "s", cost) for node, cost in costs]))
    one = Fraction(1)
    return (
        Allgather(alone, (Shard("a"), Shard("b", 0 * one))),
        Allgather(alone, (Shard("a"), Shard("b"))),
        Allgather(star, (Shard("a", 2 * one), Shard("b", one / 3))),
        Allgather(back, (Shard("a"), Shard("b", 0 * one), Shard("c", 0 * one))),
        Allgather(back, (Shard("a", 10**12 * one), Shard("b", one), Shard("c", one))),
    )


SWITCH_NETWORKS = Instances(
    SwitchNetwork,
    switch_network,
    Bounds(6, 10, 30),
    lambda: (
        SwitchNetwork(1, ((0, 0),), (1,), (), (3,)),
        # A star, and one arc of it that is too small.
        SwitchNetwork(3, ((0, 2), (2, 0), (1, 2), (2, 1)), (1, 1, 1, 1), (2,), (1, 1, 0)),
        SwitchNetwork(3, ((0, 2), (2, 0), (1, 2), (2, 1)), (1, 1, 2, 1), (2,), (2, 1, 0)),
        # A chain of switches, with more than is needed; loops.
        SwitchNetwork(
            4, ((0, 1), (1, 2), (2, 2), (2, 3), (3, 1)), (3, 3, 5, 1, 0), (1, 2), (1, 0, 0, 0)
        ),
        # What enters the switch from a node has to go back to it in part.
        SwitchNetwork(
            4,
            ((0, 3), (1, 3), (2, 3), (3, 0), (3, 1), (3, 2)),
            (10**12, 1, 1, 10**12, 1, 1),
            (3,),
            (1, 0, 0, 0),
        ),
    ),
)

GATHERED = Instances(Allgather, allgather, Bounds(6, 10, 24), _by_hand)


def _sums_by_hand() -> tuple[Combination, ...]:
    return tuple(_turned(gathered) for gathered in _by_hand())


def _everywhere_by_hand() -> tuple[Combination, ...]:
    """A switch between three nodes; one box of two is slower: two phases are not the best."""
    star = Platform("abcs", both_ways([(node, "s", 1) for node in "abc"]))
    uneven = both_ways([("a", "b", 1), ("c", "d", 1), ("a", "s", 1), ("c", "s", 2)])
    boxes = Platform("abcds", uneven)
    alone = Platform("abs", [("a", "s", 1), ("s", "b", 1)])
    everywhere = [(star, "abc"), (boxes, "abcd"), (alone, "ab")]
    every: tuple[Ports, ...] = ("link", "one-port", "half-duplex")
    return tuple(
        Combination(platform, (Block(Fraction(1), tuple(group)),), ports)
        for platform, group in everywhere
        for ports in every
    )


def _messages_by_hand() -> tuple[Combination, ...]:
    """The butterfly, where coding would do more; a switch instead of a node; no way to a target."""
    one = Fraction(1)
    arcs = ["sa", "sb", "at", "bu", "ac", "bc", "cd", "dt", "du"]
    butterfly = Platform("sabcdtu", [(*arc, 1) for arc in arcs])
    fork = Platform("sabhx", [("s", "h", 1), ("h", "a", 1), ("h", "b", 1), ("s", "a", 3)])
    return (
        Combination(butterfly, (Block(one, ("t", "u"), "s"),), "link", butterfly.nodes),
        Combination(butterfly, (Block(one, ("t", "u"), "s"),), "link", tuple("sabdtu")),
        Combination(fork, (Block(one, ("a", "b"), "s"),), "one-port", fork.nodes),
        Combination(fork, (Block(one, ("a", "x"), "s"),), "one-port", fork.nodes),
        Combination(fork, (Block(one, ("a", "b"), "s"),), "half-duplex", tuple("sabx")),
    )


SCATTERED_SUMS = Instances(Combination, reduce_scatter, Bounds(6, 10, 24), _sums_by_hand)
SUMS_EVERYWHERE = Instances(Combination, allreduce, Bounds(5, 7, 12), _everywhere_by_hand)
MESSAGES_TO_SOME = Instances(Combination, multicast, Bounds(6, 8, 24), _messages_by_hand)
