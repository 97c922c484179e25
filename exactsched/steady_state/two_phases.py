"""All-reduces that scatter first: a reduce-scatter, followed by an allgather of its blocks.

Method: both phases by optimal schedules of their own; their bottlenecks price the links.
Limits: trees, and prices, under link ports only; not optimal in general.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from math import lcm

from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.patience import PATIENT, EnoughError, Patience
from exactsched.graphs.flow import maximum_flow
from exactsched.graphs.lovasz import Preference
from exactsched.graphs.splitting_off import falling_multiples
from exactsched.model.parts import Shard
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import Path, WeightedStructure, calls
from exactsched.steady_state.allgather import solve_allgather
from exactsched.steady_state.shallow_trees import balanced_trees


@dataclass(frozen=True, slots=True)
class Phase:
    """A network in which every node of a group spreads an equal share of a block to the others.

    Nodes are positions in the platform.  `rate` is how often that can be done in a time unit, and
    `tight` a set of nodes that allows no more.
    """

    size: int
    ends: tuple[tuple[int, int], ...]
    capacities: tuple[Fraction, ...]
    group: tuple[int, ...]
    rate: Fraction
    tight: tuple[int, ...]

    def bottlenecks(self, patience: Patience = PATIENT) -> list[frozenset[int]]:
        """Of the sets that are entered by just enough, for every node of the group a smallest one.

        Those with another one inside are left out.  By a maximum flow for each node: the shares of
        all nodes, backwards.
        """
        share = self.rate / len(self.group)
        arcs = [(head, tail) for tail, head in self.ends]
        arcs += [(node, self.size) for node in self.group]
        capacities = [*self.capacities, *(share for _ in self.group)]
        found: set[frozenset[int]] = set()
        for node in self.group:
            patience.ask()
            flow = maximum_flow(self.size + 1, node, self.size, arcs, capacities)
            if not found.issuperset([frozenset(flow.cut)]) and len(flow.cut) < self.size:
                found.add(frozenset(flow.cut))
        kept = [one for one in found if not any(other < one for other in found)]
        return sorted((one for one in kept if not one.issuperset(self.group)), key=sorted)

    def entering(self, patience: Patience = PATIENT) -> list[int]:
        """How many of the bottlenecks every arc enters."""
        counts = [0] * len(self.ends)
        for nodes in self.bottlenecks(patience):
            for index, (tail, head) in enumerate(self.ends):
                counts[index] += head in nodes and tail not in nodes
        return counts


def phases(problem: Combination, patience: Patience = PATIENT) -> tuple[Phase, Phase]:
    """The reduce-scatter, with all arcs turned round, and the allgather, under link ports."""
    place, arcs = problem.platform.position, problem.platform.arcs
    ends = tuple((place[arc.tail], place[arc.head]) for arc in arcs)
    speeds = tuple(1 / arc.cost for arc in arcs)
    group = tuple(place[node] for node in problem.members)
    others = [place[node] for node in problem.platform.nodes if node not in problem.group]
    demands = [Fraction(0)] * len(place)
    for node in group:
        demands[node] = Fraction(1, len(group))
    turned = tuple((head, tail) for tail, head in ends)
    found: list[Phase] = []
    for pairs in (turned, ends):
        *_, (rate, tight) = falling_multiples(len(place), pairs, speeds, others, demands, patience)
        found.append(Phase(len(place), pairs, speeds, group, rate, tight))
    return found[0], found[1]


def rate_of(first: Fraction, second: Fraction) -> Fraction:
    """The throughput of one phase after the other: the harmonic sum."""
    return 1 / (1 / first + 1 / second) if first and second else Fraction(0)


def balanced(problem: Combination) -> bool:
    """Whether as much leaves each node that only forwards as enters it: then trees reach the rates.

    Both phases need it, as one is the other one turned round.
    """
    excess = dict.fromkeys(problem.platform.nodes, Fraction(0))
    for arc in problem.platform.arcs:
        excess[arc.tail] += 1 / arc.cost
        excess[arc.head] -= 1 / arc.cost
    return not any(more for node, more in excess.items() if node not in problem.group)


def bottleneck_prices(
    problem: Combination, pair: tuple[Phase, Phase], patience: Patience = PATIENT
) -> Iterator[dict[int, int]]:
    """Prices of the links that may prove the rate of the two phases to be the optimum.

    A price for each time that an arc enters a bottleneck of the allgather, or, the other way,
    of the reduce-scatter, or both.  Of sets that divide the group equally this is a proof.
    """
    costs, _ = over_common_denominator([arc.cost for arc in problem.platform.arcs])
    whole = lcm(*costs)
    gathers, spreads = (phase.entering(patience) for phase in pair)
    both = [one + other for one, other in zip(gathers, spreads, strict=True)]
    for counts in (spreads, gathers, both):
        rows = zip(counts, costs, strict=True)
        yield {row: count * whole // cost for row, (count, cost) in enumerate(rows) if count}


def two_phase_pairs(
    problem: Combination,
    pair: tuple[Phase, Phase],
    prefer: Preference = "shallow",
    patience: Patience = PATIENT,
) -> tuple[WeightedStructure, ...]:
    """Pairs of trees that reach the rate of the two phases; every node is the root of equal parts.

    The trees of both phases to and from a root are joined in their order, so that there are fewer
    pairs than trees.  `prefer` is as in `allgather`.
    """
    total = rate_of(pair[0].rate, pair[1].rate) / problem.blocks[0].size

    def gathered(asked: Allgather) -> list[Trees]:
        return gathering_trees(asked, prefer, patience)

    outwards = gathered(_among(problem.platform, problem.members))
    inwards = _gathering(problem, outwards, gathered)
    return _joined_at_roots(problem, inwards, outwards, total)


def pairs_at_once(problem: Combination) -> tuple[WeightedStructure, ...]:
    """A pair of trees for every root, and as many operations as the busiest link has time for.

    The trees are those of `balanced_trees`: this is for when there is no time for better ones.

    >>> from exactsched.platforms.built_in import built_in
    >>> grid = built_in("grid:2x3")
    >>> pairs = pairs_at_once(Combination(grid, ((1, grid.nodes),), "link"))
    >>> sum(pair.weight for pair in pairs)
    Fraction(6, 5)
    """

    def gathered(asked: Allgather) -> list[Trees]:
        return _by_roots(asked, balanced_trees(asked))

    outwards = gathered(_among(problem.platform, problem.members))
    inwards = _gathering(problem, outwards, gathered)
    pairs = _joined_at_roots(problem, inwards, outwards, Fraction(1))
    work = [Fraction(0)] * len(problem.platform.arcs)
    for pair in pairs:
        for arc, *_ in pair.tasks:
            work[arc] += pair.weight
    size = problem.blocks[0].size
    time = max(
        size * arc.cost * done for arc, done in zip(problem.platform.arcs, work, strict=True)
    )
    return tuple(replace(pair, weight=pair.weight / time) for pair in pairs)


def _joined_at_roots(
    problem: Combination,
    inwards: Sequence[Trees],
    outwards: Sequence[Trees],
    total: Fraction,
) -> tuple[WeightedStructure, ...]:
    found: list[WeightedStructure] = []
    for into, out in zip(inwards, outwards, strict=True):
        for gathering, spreading, share in joined(into, out):
            weight = share * total / len(problem.members)
            found.append(calls(problem, 0, gathering, spreading, weight))
    return tuple(found)


Trees = Sequence[tuple[list[Path], Fraction]]


def _among(platform: Platform, members: Sequence[Node]) -> Allgather:
    return Allgather(platform, tuple(Shard(node) for node in members))


def gathering_trees(
    asked: Allgather, prefer: Preference, patience: Patience = PATIENT
) -> list[Trees]:
    """For every root the trees of an optimal allgather, as paths, with their weights."""
    found = solve_allgather(asked, prefer, progress=lambda *_: patience.ended())
    if not found.optimal:
        raise EnoughError
    return _by_roots(asked, found.structures)


def _by_roots(asked: Allgather, structures: Iterable[WeightedStructure]) -> list[Trees]:
    trees: list[list[tuple[list[Path], Fraction]]] = [[] for _ in asked.roots]
    for one in structures:
        copies = groupby(one.tasks, lambda task: task[2])
        paths = [tuple(task[0] for task in path) for _, path in copies]
        trees[one.part].append((paths, one.weight))
    return list(trees)


def _gathering(
    problem: Combination,
    outwards: Sequence[Trees],
    gathered: Callable[[Allgather], Sequence[Trees]],
) -> list[Trees]:
    """The same for a reduce-scatter: trees of the platform turned round, from back to front."""
    platform = problem.platform
    turned = [(arc.head, arc.tail, arc.cost) for arc in platform.arcs]
    number = {(arc.tail, arc.head, arc.cost): index for index, arc in enumerate(platform.arcs)}
    back: Sequence[int] = range(len(turned))
    if number.keys() == set(turned):  # links work both ways: the same trees
        back = [number[arc] for arc in turned]
    else:
        outwards = gathered(_among(Platform(platform.nodes, turned), problem.members))

    def reverse(path: Path) -> Path:
        return tuple(back[arc] for arc in path[::-1])

    return [[(list(map(reverse, paths)), weight) for paths, weight in trees] for trees in outwards]


def joined(into: Trees, out: Trees) -> Iterator[tuple[list[Path], list[Path], Fraction]]:
    """Pairs of a tree of each list, with shares of 1, in the order of the lists."""

    def ends(trees: Trees) -> list[Fraction]:
        whole = sum((weight for _, weight in trees), Fraction(0))
        listed, reached = [], Fraction(0)
        for _, weight in trees:
            reached += weight / whole
            listed.append(reached)
        return listed

    one, other = ends(into), ends(out)
    reached = Fraction(0)
    first = second = 0
    while reached < 1:
        until = min(one[first], other[second])
        yield into[first][0], out[second][0], until - reached
        reached = until
        first += one[first] == until
        second += other[second] == until
