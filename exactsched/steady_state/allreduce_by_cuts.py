"""All-reduces under link ports: how arcs are shared by the trees to all roots and those from them.

Method: a program of two uses of all arcs, with cuts (`steady_state.cut_program`); then the trees
of two allgathers, one of them turned round.
Limits: link ports; one block, for the whole group.

The proof is in `proofs/steady-state-order-free.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.patience import PATIENT, Patience
from exactsched.graphs.lovasz import Preference
from exactsched.linear_programs.column_generation import Progress, quotient
from exactsched.model.parts import Shard
from exactsched.model.platform import Platform
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import WeightedStructure, calls
from exactsched.steady_state.cut_program import CutProgram
from exactsched.steady_state.two_phases import gathering_trees, joined


@dataclass(frozen=True, slots=True)
class SharedLinks:
    """The largest weights of pairs of trees for every node of the group as a root.

    `outwards` and `inwards` is what each arc carries for trees from all roots, and to them;
    `prices` are those of the whole of each arc that is full.
    """

    weights: list[Fraction]
    outwards: list[Fraction]
    inwards: list[Fraction]
    prices: dict[int, Fraction]
    rounds: int

    @property
    def throughput(self) -> Fraction:
        """Of blocks of size 1."""
        return sum(self.weights, Fraction(0))


def shared_links(problem: Combination, progress: Progress | None = None) -> SharedLinks | None:
    """The optimum of an all-reduce of size 1 under link ports; None if progress ends it.

    Pairs of trees with a common root, of the weight x(r) for each root r, exist if and only if the
    arcs can be shared between trees from the roots and trees to them so that what the first carry
    into each set is the weight of the roots outside at least, and what the others carry out of it.

    >>> from exactsched.platforms.built_in import built_in
    >>> grid = built_in("grid:2x3")
    >>> shared_links(Combination(grid, ((1, grid.nodes),), "link")).throughput
    Fraction(7, 5)
    """
    place, arcs = problem.platform.position, problem.platform.arcs
    ends = [(place[arc.tail], place[arc.head]) for arc in arcs]
    turned = [(head, tail) for tail, head in ends]
    capacities, unit = over_common_denominator([1 / arc.cost for arc in arcs])
    group = [place[node] for node in problem.members]
    program = CutProgram(
        len(place), [ends, turned], capacities, group, [{node: 1} for node in group]
    )

    whole = unit * problem.blocks[0].size

    def scaled(rounds: int, lower: float, upper: float) -> object:
        size = quotient(whole.numerator, whole.denominator)
        return progress is not None and progress(rounds, lower, upper / size)

    found = program.solve(scaled)
    if found is None:
        return None
    outwards, inwards = ([amount / unit for amount in use] for use in found.carried)
    prices = {
        row: price * capacity
        for row, (price, capacity) in enumerate(zip(found.prices, capacities, strict=True))
        if price
    }
    weights = [weight / unit for weight in found.met]
    return SharedLinks(weights, outwards, inwards, prices, found.rounds)


def pairs_within(
    problem: Combination,
    shared: SharedLinks,
    prefer: Preference,
    patience: Patience = PATIENT,
) -> tuple[WeightedStructure, ...]:
    """Pairs of trees of these weights, within what the arcs carry."""
    asked = shared.weights, prefer, patience
    into = _trees(problem, shared.inwards, *asked, turned=True)
    out = _trees(problem, shared.outwards, *asked, turned=False)
    size = problem.blocks[0].size
    found: list[WeightedStructure] = []
    rooted = [weight for weight in shared.weights if weight]
    for gathering, spread, weight in zip(into, out, rooted, strict=True):
        for one, other, share in joined(gathering, spread):
            found.append(calls(problem, 0, one, other, share * weight / size))
    return tuple(found)


def _trees(
    problem: Combination,
    carried: Sequence[Fraction],
    weights: Sequence[Fraction],
    prefer: Preference,
    patience: Patience,
    *,
    turned: bool,
) -> list[list[tuple[list[tuple[int, ...]], Fraction]]]:
    """For every root with a weight its trees, as paths, in what the arcs carry."""
    used = [index for index, amount in enumerate(carried) if amount]
    arcs = []
    for index in used:
        arc = problem.platform.arcs[index]
        ends = (arc.head, arc.tail) if turned else (arc.tail, arc.head)
        arcs.append((*ends, 1 / carried[index]))
    shards = tuple(map(Shard, problem.members, weights))
    asked = Allgather(Platform(problem.platform.nodes, arcs), shards)
    found = gathering_trees(asked, prefer, patience)
    step = -1 if turned else 1
    return [
        [
            ([tuple(used[arc] for arc in path)[::step] for path in paths], weight)
            for paths, weight in trees
        ]
        for trees in found
    ]
