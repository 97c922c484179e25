"""The steady state of order-free all-reduces, reduces and reduce-scatters.

Method: column generation; a structure is an in-tree to a root and an out-tree from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, inf, lcm
from typing import Any

from exactsched.certificate.bounds import Cut, OddSet, RootCuts, TreeBound
from exactsched.exact.arguments import over_common_denominator
from exactsched.graphs.minimum_cost_arborescence import (
    Arborescence,
    arborescence_and_cuts,
    cheapest_arborescence,
)
from exactsched.graphs.reachability import breadth_first
from exactsched.graphs.splitting_off import largest_multiple
from exactsched.linear_programs.column_generation import Progress, pack_structures
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Combination, Ports
from exactsched.model.resources import arc_resources, resources
from exactsched.model.tasks import calls
from exactsched.steady_state.arc_lengths import ArcLengths
from exactsched.steady_state.odd_sets import OddSets
from exactsched.steady_state.solution import Solution

# The arcs of the in-tree and those of the out-tree, for a block.
Pair = tuple[int, tuple[int, ...], tuple[int, ...]]


def order_free_allreduce(
    platform: Platform, *, ports: Ports = "one-port", progress: Progress | None = None
) -> Solution:
    """The largest throughput of all-reduces is a packing of pairs: a tree in, and a tree out.

    In every operation the vectors of all nodes, of size 1, are added up, by an operator that is
    associative and commutative, and all nodes want the sum; combining takes no time.  No scheme of
    calls is faster, whatever it does in which order (proofs/steady-state-order-free.md).

    `ports` and `progress` are as in `broadcast`.  If some node cannot be reached from another one,
    the throughput is 0.  Raises `InvalidInput` for switches, for arcs with a latency, and for a
    single node.

    A round costs a linear program with a row per resource, and some tens of times two
    arborescences for every root.

    Reference: Edmonds 1967; Fulkerson 1974; proofs/steady-state-order-free.md.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> solution = order_free_allreduce(pair)
    >>> solution.throughput, solution.optimal
    (Fraction(1, 2), True)
    """
    return solve_combination(Combination(platform, (_everywhere(platform),), ports), progress)


def order_free_reduce(
    platform: Platform,
    target: Node,
    *,
    ports: Ports = "one-port",
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of reduces in any order is a packing of trees to the target.

    The same as `order_free_allreduce`, but only `target` wants the sum: these are the broadcasts
    from it, on the reversed platform.

    >>> star = Platform("abc", [("a", "c", 1), ("b", "c", 2), ("b", "a", 1)])
    >>> order_free_reduce(star, "c", ports="link").throughput
    Fraction(1, 1)
    """
    blocks: Any = ((1, (target,)),)
    return solve_combination(Combination(platform, blocks, ports), progress)


def reduce_scatter(
    platform: Platform,
    sizes: Mapping[Node, object] | Iterable[Node] | None = None,
    *,
    ports: Ports = "one-port",
    progress: Progress | None = None,
) -> Solution:
    """The largest throughput of reduce-scatters is a packing of trees to every node.

    The same as `order_free_reduce`, for a block of size 1 for each node, or those of `sizes`.

    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 2)])
    >>> reduce_scatter(pair).throughput, reduce_scatter(pair, {"a": "1/2", "b": 2}).throughput
    (Fraction(1, 2), Fraction(1, 2))
    """
    if sizes is None:
        sizes = platform.nodes
    listed = sizes if isinstance(sizes, Mapping) else dict.fromkeys(sizes, 1)
    blocks: Any = tuple((size, (node,)) for node, size in listed.items())
    return solve_combination(Combination(platform, blocks, ports), progress)


def two_phase_throughput(
    platform: Platform, ports: Ports = "one-port", progress: Progress | None = None
) -> Fraction:
    """The largest throughput of all-reduces that scatter first: the rate 1 / (1 / R + 1 / A).

    R is that of reduce-scatters with equal blocks of total size 1, A that of the allgathers of
    these blocks; one phase follows the other, each by an optimal schedule of its own.  An
    allgather is a reduce-scatter on the reversed platform.

    >>> from exactsched.platforms.built_in import built_in
    >>> two_phase_throughput(built_in("grid:2x3"), "link")
    Fraction(6, 5)
    """
    arcs = [(arc.tail, arc.head, arc.cost) for arc in platform.arcs]
    turned = [(head, tail, cost) for tail, head, cost in arcs]
    shard = Fraction(1, len(platform.nodes))
    first = _scattered(platform, shard, ports, progress)
    second = first
    if first and set(arcs) != set(turned):
        second = _scattered(Platform(platform.nodes, turned), shard, ports, progress)
    return 1 / (1 / first + 1 / second) if first and second else Fraction(0)


def _scattered(
    platform: Platform, shard: Fraction, ports: Ports, progress: Progress | None
) -> Fraction:
    """The throughput of reduce-scatters with such blocks; under link ports by cuts alone."""
    if ports != "link":
        sizes = dict.fromkeys(platform.nodes, shard)
        return reduce_scatter(platform, sizes, ports=ports, progress=progress).throughput
    place = platform.position
    rate, _ = largest_multiple(
        len(place),
        [(place[arc.head], place[arc.tail]) for arc in platform.arcs],
        [1 / arc.cost for arc in platform.arcs],
        [],
        [shard] * len(place),
    )
    return rate


def _everywhere(platform: Platform) -> Any:
    return 1, platform.nodes


def solve_combination(problem: Combination, progress: Progress | None = None) -> Solution:
    """The optimum of a series of combinations; see `order_free_allreduce`."""
    unreached = _unreached(problem)
    if unreached:
        return Solution(problem, (), unreached, Fraction(0))
    pairs = TreePairs(problem)
    odd = OddSets(pairs.ends, pairs.unit) if problem.ports == "half-duplex" else None

    def overworked(weights: Sequence[tuple[int, Pair, Fraction]], first: int) -> list[int]:
        found = odd.overworked(pairs.working(weights)) if odd else []
        pairs.join([arcs for arcs, _ in found], first)
        return [capacity for _, capacity in found]

    capacities = [pairs.unit] * len(pairs.names)
    packing = pack_structures(pairs, capacities, progress, overworked if odd else None)
    return Solution(
        problem,
        tuple(
            calls(problem, part, gathering, spreading, weight)
            for part, (_, gathering, spreading), weight in packing.weights
        ),
        pairs.bound(packing.prices, odd.found if odd else []),
        packing.value,
        packing.rounds,
        packing.priced,
    )


def _unreached(problem: Combination) -> TreeBound | None:
    """Sets that no arc leaves, where a target cannot be reached from all nodes."""
    nodes, leaving = problem.platform.nodes, _heads(problem)
    wanted = {node for block in problem.blocks for node in block.targets}
    shared = any(map(problem.everywhere, range(len(problem.blocks))))
    for node in nodes:
        reached = breadth_first([node], lambda one: leaving[one])
        if wanted <= reached.keys():
            continue
        inside = tuple(one for one in nodes if one in reached)
        outside = tuple(one for one in nodes if one not in reached)
        whole = (Cut(0, len(inside), Fraction(1)),)
        rest = (Cut(0, len(outside), Fraction(1)),)
        rows = [RootCuts(one, inside, whole, (), ()) for one in outside if one in wanted]
        if shared:
            rows += [RootCuts(one, (), (), outside, rest) for one in inside]
        return TreeBound({}, tuple(rows))
    return None


def _heads(problem: Combination) -> dict[Node, list[Node]]:
    leaving: dict[Node, list[Node]] = {node: [] for node in problem.platform.nodes}
    for arc in problem.platform.arcs:
        leaving[arc.tail].append(arc.head)
    return leaving


@dataclass(frozen=True, slots=True)
class _Trees:
    """The cheapest trees to a root, and from it if they are needed, with their cuts."""

    inwards: Arborescence[int]
    outwards: Arborescence[int] | None

    @property
    def cost(self) -> int:
        return self.inwards.cost + (self.outwards.cost if self.outwards else 0)


class TreePairs:
    """Cheapest pairs of trees under prices of the resources, in floats and exactly.

    Durations are integers in 1 / `unit` of a time unit.
    """

    def __init__(self, problem: Combination) -> None:
        place, arcs = problem.platform.position, problem.platform.arcs
        self.problem, self.names = problem, resources(problem)
        self.parts = len(problem.blocks)
        self.ends = [(place[arc.tail], place[arc.head]) for arc in arcs]
        self._tails = [tail for tail, _ in self.ends]
        self._heads = [head for _, head in self.ends]
        self._costs, priced = over_common_denominator([arc.cost for arc in arcs])
        self._sizes, self._sized = over_common_denominator([one.size for one in problem.blocks])
        self.unit = priced * self._sized
        row = {name: index for index, name in enumerate(self.names)}
        self._uses = [tuple(row[name] for name in names) for names in arc_resources(problem)]
        self._lengths = ArcLengths(self._costs, self._uses)
        # The root of every block, or None where any root will do.
        self._roots = [
            None if problem.everywhere(part) else place[block.targets[0]]
            for part, block in enumerate(problem.blocks)
        ]
        self._exactly: dict[int, _Trees] = {}  # of the last prices

    def join(self, users: Sequence[Collection[int]], first: int) -> None:
        """Resources from number `first` on join, each used by some arcs."""
        further: list[tuple[int, ...]] = [()] * len(self._uses)
        for row, arcs in enumerate(users, first):
            for arc in arcs:
                further[arc] += (row,)
        self._uses = [uses + more for uses, more in zip(self._uses, further, strict=True)]
        self._lengths = ArcLengths(self._costs, self._uses)

    def load(self, structure: Pair) -> dict[int, int]:
        part, gathering, spreading = structure
        return self._lengths.load((*gathering, *spreading), self._sizes[part])

    def working(self, weights: Sequence[tuple[int, Pair, Fraction]]) -> dict[int, Fraction]:
        """How long every arc works."""
        times: dict[int, Fraction] = {}
        for part, (_, gathering, spreading), weight in weights:
            for arc in (*gathering, *spreading):
                time = self._costs[arc] * self._sizes[part] * weight
                times[arc] = times.get(arc, Fraction(0)) + time
        return times

    def cheapest(self, prices: Sequence[float]) -> list[Pair]:
        lengths = self._lengths.floats(prices)
        size = len(self.problem.platform.nodes)
        best = self._best_pair(lengths) if None in self._roots else ((), ())
        found: list[Pair] = []
        for part, fixed in enumerate(self._roots):
            if fixed is None:
                found.append((part, *best))
            else:
                to = cheapest_arborescence(size, fixed, self._heads, self._tails, lengths)
                found.append((part, to, ()))
        return found

    def _best_pair(self, lengths: Sequence[float]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cheapest trees to a root and from it.

        Every node but the root pays at least its shortest arc on either side.  Roots are tried in
        the order of these bounds, until a bound is no better than what has been found: on a
        complete graph of 16 nodes, link ports, that takes 6.9 s instead of 9.8 s in all.
        """
        size = len(self.problem.platform.nodes)
        out, into = [inf] * size, [inf] * size
        for tail, head, length in zip(self._tails, self._heads, lengths, strict=True):
            out[tail] = min(out[tail], length)
            into[head] = min(into[head], length)
        saved = [one + other for one, other in zip(out, into, strict=True)]
        total = sum(saved)
        least = inf
        best: tuple[tuple[int, ...], tuple[int, ...]] = (), ()
        for root in sorted(range(size), key=saved.__getitem__, reverse=True):
            if total - saved[root] >= least:
                break
            gathering = cheapest_arborescence(size, root, self._heads, self._tails, lengths)
            spreading = cheapest_arborescence(size, root, self._tails, self._heads, lengths)
            cost = sum([lengths[arc] for arc in (*gathering, *spreading)])
            if cost < least:
                least, best = cost, (gathering, spreading)
        return best

    def cheapest_exactly(self, prices: Mapping[int, int]) -> tuple[list[Pair], list[int]]:
        lengths = self._lengths.exact(prices)
        shared = None in self._roots
        size = len(self.problem.platform.nodes)
        wanted = range(size) if shared else {root for root in self._roots if root is not None}
        self._exactly = {
            root: _Trees(
                arborescence_and_cuts(size, root, self._heads, self._tails, lengths),
                arborescence_and_cuts(size, root, self._tails, self._heads, lengths)
                if shared
                else None,
            )
            for root in wanted
        }
        best = min(self._exactly, key=lambda root: self._exactly[root].cost)
        found: list[Pair] = []
        costs: list[int] = []
        for part, fixed in enumerate(self._roots):
            trees = self._exactly[best if fixed is None else fixed]
            spreading = trees.outwards.arcs if trees.outwards and fixed is None else ()
            found.append((part, trees.inwards.arcs, spreading))
            cost = trees.cost if fixed is None else trees.inwards.cost
            costs.append(cost * self._sizes[part])
        return found, costs

    def bound(self, prices: Mapping[int, Fraction], odd: Sequence[Sequence[int]]) -> TreeBound:
        """The cuts that the last prices give, all in integers without a common divisor."""
        whole = lcm(*(price.denominator for price in prices.values()))
        charged = {row: int(price * whole) * self.unit for row, price in prices.items()}
        weights = [
            weight
            for trees in self._exactly.values()
            for tree in (trees.inwards, trees.outwards)
            if tree
            for _, _, weight in tree.cuts
        ]
        common = gcd(*charged.values(), *(weight * self._sized for weight in weights))
        nodes, count = self.problem.platform.nodes, len(self.names)

        def order(tree: Arborescence[int] | None) -> tuple[Node, ...]:
            return tuple(nodes[index] for index in tree.order) if tree else ()

        def cuts(tree: Arborescence[int] | None) -> tuple[Cut, ...]:
            return tuple(
                Cut(start, stop, Fraction(weight * self._sized, common))
                for start, stop, weight in (tree.cuts if tree else ())
            )

        return TreeBound(
            {
                self.names[row]: Fraction(price, common)
                for row, price in charged.items()
                if row < count
            },
            tuple(
                RootCuts(
                    nodes[root],
                    order(trees.inwards),
                    cuts(trees.inwards),
                    order(trees.outwards),
                    cuts(trees.outwards),
                )
                for root, trees in self._exactly.items()
            ),
            tuple(
                OddSet(tuple(nodes[node] for node in odd[row - count]), Fraction(price, common))
                for row, price in charged.items()
                if row >= count
            ),
        )
