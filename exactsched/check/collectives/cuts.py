"""The bound that no schedule passes, from prices of the resources and a packing of cuts.

Half-duplex, odd sets of nodes have prices too.

Weak duality, in one line: in time K every resource works at most K, so the priced work of a
schedule is at most K times the sum of the prices; every message crosses every cut, and the arcs
of a cut can pay for its weight; so a schedule that performs M broadcasts has M W <= K Y.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import gcd
from typing import NamedTuple, cast

from exactsched.certificate.bounds import (
    Bound,
    Case,
    Cut,
    CutBound,
    RootCuts,
    SplitOnCycle,
    SplitOnNode,
    TreeBound,
)
from exactsched.certificate.budget import bits_of, products, spend, sums
from exactsched.certificate.collectives import Run
from exactsched.check.collectives.arc_prices import (
    Arcs,
    Links,
    offered_by,
    refuse_overpaid,
    tolls_of,
)
from exactsched.check.common_denominator import exact_sum, over_common_denominator
from exactsched.check.graphs.crossing import entered_weights
from exactsched.exact.errors import Rejected
from exactsched.model.parts import Block
from exactsched.model.platform import Node
from exactsched.model.problem import Allgather, Broadcast, Combination


def largest_rate(problem: Broadcast | Allgather | Combination, bound: Bound) -> Fraction:
    """The largest Y / W over the cases: no schedule has more broadcasts per time unit.

    Under the restriction to a tree each case is improved by rounding, see `_case_bound`.  Every
    case takes O((m + k) log n) additions for m arcs and k cuts.  Raises `Rejected`.
    """
    arcs = Arcs(problem)
    shown: dict[int, _Shown] = {}
    if isinstance(bound, CutBound):
        return _case_bound(arcs, bound, "proof", shown)
    largest = Fraction(0)
    # Depth first: arcs are removed on the way down and put back on the way up.
    above = [_Split(arcs, cast(Split, bound), "proof")]
    while above:
        split = above[-1]
        if not split.next_case():
            above.pop()
            continue
        stated, place = split.case.proof, f"{split.place}.cases[{split.index}].proof"
        if isinstance(stated, CutBound):
            largest = max(largest, _case_bound(arcs, stated, place, shown))
        else:
            above.append(_Split(arcs, cast(Split, stated), place))
    return largest


Split = SplitOnNode | SplitOnCycle


class _Split:
    """A split that has been found complete, and the case of it that is looked at."""

    def __init__(self, arcs: Arcs, stated: Split, place: str) -> None:
        if isinstance(stated, SplitOnNode):
            _refuse_incomplete_entering(arcs, stated, place)
        else:
            _refuse_incomplete_cycle(arcs, stated, place)
        self.arcs, self.cases, self.place, self.index = arcs, stated.cases, place, -1

    @property
    def case(self) -> Case:
        return self.cases[self.index]

    def next_case(self) -> bool:
        """Goes to the next case, if there is one: puts arcs back, and removes those of the case."""
        if self.index >= 0:
            self._mark(0)
        self.index += 1
        if self.index == len(self.cases):
            return False
        self._mark(1)
        return True

    def _mark(self, gone: int) -> None:
        for index in self.case.without:
            self.arcs.gone[index] = gone


def cheapest_trees(problem: Combination, bound: TreeBound) -> tuple[Fraction, Fraction]:
    """What an operation pays, and what all resources can be charged per time unit.

    For a block that is wanted at a node it is the weight of the cuts that trees to this root leave;
    for one that is wanted everywhere the least, over all roots, of the weights of the cuts that
    trees to the root leave and trees from it enter.  For a message to all it is the weight of the
    cuts that trees from its source enter, for one to a single target that of the cuts around the
    target that paths enter.  Where nodes only forward, trees consist of paths from node to node of
    the group of the block, whose rows count.  Raises `Rejected`.
    """
    arcs = Arcs(problem)
    rows: dict[int | None, list[tuple[int, RootCuts]]] = {}
    for index, row in enumerate(bound.roots):
        rows.setdefault(row.group, []).append((index, row))
    worth_in = {
        number: _Worth(arcs, bound, number, rows.get(number, ())) for number in problem.parts_of
    }
    rates = [
        worth_in[block.group].of(block, problem.everywhere(part))
        for part, block in enumerate(problem.blocks)
    ]
    numbers = max(map(bits_of, [*(block.size for block in problem.blocks), *rates]))
    spend(len(problem.blocks) * products(numbers, numbers), "proof.roots")
    charged = [block.size * rate for block, rate in zip(problem.blocks, rates, strict=True)]
    paid = Fraction(exact_sum(charged, "proof.roots"))
    if not paid:
        raise Rejected("proof.roots", 0, "no operation has to pay, so nothing is bounded")
    offered = Fraction(offered_by(bound, "proof"))
    spend(3 * products(bits_of(paid), bits_of(offered)), "proof")  # the quotient
    return paid, offered


class _Worth:
    """What the cuts for a group show: the weights that its trees and paths have to pay."""

    def __init__(
        self,
        arcs: Arcs,
        bound: TreeBound,
        group: int | None,
        rows: Sequence[tuple[int, RootCuts]],
    ) -> None:
        problem = cast(Combination, arcs.problem)
        spend(len(problem.platform.nodes) + len(arcs.tails), "proof.roots")
        links = Links(arcs, bound, problem.members_of(group))
        self.to_root = dict.fromkeys(links.members, Fraction(0))
        both = dict.fromkeys(links.members, Fraction(0))
        self.from_root = dict.fromkeys(links.members, Fraction(0))
        self.around = _targets_of_messages(problem, group)
        for index, row in rows:
            both[row.root] = self._weigh(row, f"proof.roots[{index}]", links)
        self.anywhere = min(both.values())

    def _weigh(self, row: RootCuts, place: str, links: Links) -> Fraction:
        """The weights of a row that trees in and out have to pay, together."""
        weights: list[Fraction] = []
        for name, order, cuts in (
            ("left", row.outwards, row.left),
            ("entered", row.inwards, row.entered),
            ("passed", row.beyond, row.passed),
        ):
            if not cuts:  # and so nobody has to pay
                weights.append(Fraction(0))
                continue
            at = f"{place}.{name}"
            held = len(links.tails) + len(order) * (1 + len(self.around))
            scaled, weight_unit = over_common_denominator([cut.weight for cut in cuts], at, held)
            entered = links.entered(order, cuts, scaled, turned=name == "left")
            links.refuse_overpaid(entered, weight_unit, at)
            weights.append(Fraction(sum(scaled), weight_unit))
            if name == "passed" and row.root in self.around:
                spend(len(order) * sums(bits_of(weight_unit, *scaled)), at)
                self.around[row.root] = _around(order, cuts, scaled, weight_unit)
        self.to_root[row.root], self.from_root[row.root] = weights[:2]
        return Fraction(exact_sum(weights[:2], place))

    def of(self, block: Block, everywhere: bool) -> Fraction:
        """What a unit of size of a block of the group pays."""
        if block.source is None:
            return self.anywhere if everywhere else self.to_root[block.targets[0]]
        if everywhere:
            return self.from_root[block.source]
        return self.around[block.source].get(block.targets[0], Fraction(0))


def gathered_trees(problem: Allgather, bound: TreeBound) -> tuple[Fraction, Fraction]:
    """What an operation pays, and what all resources can be charged per time unit.

    The shard of a root has to enter every set of nodes of the group without the root, so for each
    unit of size it pays their weights, over an arc or along a path through nodes that only forward.
    Raises `Rejected`.
    """
    arcs = Arcs(problem)
    spend(len(problem.platform.nodes) + len(arcs.tails), "proof.roots")
    links = Links(arcs, bound, [node for node in problem.platform.nodes if node in problem.group])
    worth = dict.fromkeys(links.members, Fraction(0))
    for index, row in enumerate(bound.roots):
        at = f"proof.roots[{index}].entered"
        weights, held = [cut.weight for cut in row.entered], len(row.inwards) + len(links.tails)
        scaled, weight_unit = over_common_denominator(weights, at, held)
        entered = links.entered(row.inwards, row.entered, scaled, turned=False)
        links.refuse_overpaid(entered, weight_unit, at)
        worth[row.root] = Fraction(sum(scaled), weight_unit)
    numbers = max(map(bits_of, [*worth.values(), *(size for _, size in problem.shards)]))
    spend(len(problem.roots) * products(numbers, numbers), "proof.roots")
    paid = Fraction(exact_sum([size * worth[node] for node, size in problem.roots], "proof.roots"))
    if not paid:
        raise Rejected("proof.roots", 0, "no operation has to pay, so nothing is bounded")
    return paid, Fraction(offered_by(bound, "proof"))


def _targets_of_messages(
    problem: Combination, group: int | None
) -> dict[Node, dict[Node, Fraction]]:
    """The sources of messages to a single target; nothing has been shown of any target yet."""
    listed = (problem.blocks[part] for part in problem.parts_of[group])
    single = (block for block in listed if len(block.targets) == 1)
    return {block.source: {} for block in single if block.source is not None}


def _around(
    order: Sequence[Node], cuts: Sequence[Cut], scaled: Sequence[int], unit: int
) -> dict[Node, Fraction]:
    """For every node of the order the weight of the cuts that contain it."""
    change = [0] * (len(order) + 1)
    for (start, stop, _), weight in zip(cuts, scaled, strict=True):
        change[start] += weight
        change[stop] -= weight
    totals = accumulate(change)
    return {node: Fraction(total, unit) for node, total in zip(order, totals, strict=False)}


def least_makespan(
    run: Run, problem: Broadcast | Allgather | Combination, bound: CutBound
) -> Fraction:
    """(S W + M W') / Y for M packets of total size S: no schedule of them ends earlier.

    W is the weight of the cuts, W' that of the start-up cuts, Y the sum of the prices: a packet
    of size s enters every set at least once, which costs s W for its size and W' for its
    start-ups.  Raises `Rejected`.
    """
    offered = offered_by(bound, "proof")
    if offered == 0:
        raise Rejected("proof.prices", 0, "without a positive price no time is bounded")
    arcs = Arcs(problem)
    latencies = [arc.latency for arc in problem.platform.arcs]
    weight, _ = _packed(arcs, bound, bound.cuts, arcs.costs, "proof.cuts")
    startup, _ = _packed(arcs, bound, bound.startup_cuts, latencies, "proof.startup_cuts")
    size = exact_sum(run.sizes, "sizes") if run.sizes else run.operations
    numbers = bits_of(size, weight, startup, offered)
    spend(4 * products(numbers, numbers), "proof")
    return (size * weight + run.operations * startup) / offered


class _Shown(NamedTuple):
    """What prices and cuts show wherever the arcs are gone that cannot pay: all others can.

    The rate is the price by the weight, as they stand here over one denominator.  `steps` is what
    it takes to divide them, with a common factor.
    """

    price: int
    weight: int
    rate: Fraction
    steps: int
    unpaid: list[int]


def _case_bound(arcs: Arcs, bound: CutBound, place: str, shown: dict[int, _Shown]) -> Fraction:
    """Y / W; for a tree the best rate of a load that the costs of the remaining arcs can make.

    The load of a resource by one tree is a multiple of g, the greatest rational of which all
    remaining costs are multiples, and the busiest resource has load at least W / Y.  Many cases
    have the same record: `shown` is what is known of those seen before, by their identity.
    """
    known = shown.get(id(bound))
    if known is None or not all(map(arcs.gone.__getitem__, known.unpaid)):
        known = shown[id(bound)] = _shown_by(arcs, bound, place)
    price, weight, rate, steps, _ = known
    spend(len(arcs.tails) + steps, place)
    remaining = [cost for cost, gone in zip(arcs.scaled_costs, arcs.gone, strict=False) if not gone]
    if price == 0 or not remaining:
        return rate
    load = gcd(*remaining)  # g, over the unit of the costs
    return Fraction(arcs.unit, load * -(-weight * arcs.unit // (price * load)))


def _shown_by(arcs: Arcs, bound: CutBound, place: str) -> _Shown:
    if not bound.cuts:
        raise Rejected(f"{place}.cuts", 0, "without a cut nothing is bounded")
    weight, unpaid = _packed(arcs, bound, bound.cuts, arcs.costs, f"{place}.cuts")
    if not weight:
        raise Rejected(f"{place}.cuts", 0, "nothing has to enter these sets, so nothing is bounded")
    price = offered_by(bound, place)
    steps = 2 * products(bits_of(price), bits_of(weight))
    spend(steps, place)
    over, under = price.numerator * weight.denominator, weight.numerator * price.denominator
    return _Shown(over, under, Fraction(over, under), steps, unpaid)


def _packed(
    arcs: Arcs,
    bound: CutBound,
    cuts: Sequence[Cut],
    times: list[Fraction],
    place: str,
) -> tuple[Fraction, list[int]]:
    """The weight that an operation has to pay, and the removed arcs that cannot afford it.

    Every arc that is not removed can.  An operation pays the weight of every cut for each unit of
    size that has to enter it.  An arc pays with its time, multiplied by the prices of the resources
    that it uses and of the odd sets that contain both its ends.
    """
    weights = [weight for _, _, weight in cuts]
    sums = len(bound.order) + len(times)
    scaled_weights, weight_unit = over_common_denominator(weights, place, sums)
    entered = entered_weights(arcs.tails, arcs.heads, bound.order, cuts, scaled_weights)
    tolls, price_unit = tolls_of(arcs, bound, place, entered)
    unpaid = refuse_overpaid(arcs, entered, weight_unit, tolls, price_unit, times, place)
    if not isinstance(arcs.problem, Broadcast):
        demands = _shards_outside if isinstance(arcs.problem, Allgather) else _blocks_wanted
        sizes, size_unit = demands(arcs.problem, bound.order, cuts, place)  # type: ignore[arg-type]
        longest = max(map(int.bit_length, [*sizes, *scaled_weights]), default=0)
        spend(len(sizes) * products(longest, longest), place)
        paid = sum(size * weight for size, weight in zip(sizes, scaled_weights, strict=True))
        return Fraction(paid, size_unit * weight_unit), unpaid
    return Fraction(sum(scaled_weights), weight_unit), unpaid


def _shards_outside(
    problem: Allgather, order: Sequence[Node], cuts: Sequence[Cut], place: str
) -> tuple[list[int], int]:
    """For every set with a node of the group the shards of the nodes outside, else 0; the unit."""
    scaled, unit = over_common_denominator([size for _, size in problem.shards], place, len(order))
    size_of = dict(zip((node for node, _ in problem.shards), scaled, strict=True))
    sizes = [0, *accumulate(size_of.get(node, 0) for node in order)]
    members = [0, *accumulate(node in size_of for node in order)]
    total = sum(scaled)
    return [
        total - (sizes[stop] - sizes[start]) if members[stop] > members[start] else 0
        for start, stop, _ in cuts
    ], unit


def _blocks_wanted(
    problem: Combination, order: Sequence[Node], cuts: Sequence[Cut], place: str
) -> tuple[list[int], int]:
    """For every set the blocks wanted inside, if a node of the group is outside, else 0; the unit.

    The sum of such a block depends on what is outside, so a block of data has to enter.
    """
    count = len(problem.blocks)
    scaled, unit = over_common_denominator([one.size for one in problem.blocks], place, count)
    wanted = dict.fromkeys(problem.platform.nodes, 0)
    everywhere = 0
    for part, (block, size) in enumerate(zip(problem.blocks, scaled, strict=True)):
        if problem.everywhere(part):
            everywhere += size
        else:
            wanted[block.targets[0]] += size
    sizes = [0, *accumulate(wanted[node] for node in order)]
    members = [0, *accumulate(node in problem.group for node in order)]
    inside = [(members[stop] - members[start], start, stop) for start, stop, _ in cuts]
    return [
        sizes[stop] - sizes[start] + everywhere if 0 < some < len(problem.group) else 0
        for some, start, stop in inside
    ], unit


def _refuse_incomplete_entering(state: Arcs, split: SplitOnNode, place: str) -> None:
    arcs = state.problem.platform.arcs
    spend(len(state.into[split.node]), place)
    unkept = {index for index in state.into[split.node] if not state.gone[index]}
    for number, case in enumerate(split.cases):
        at = f"{place}.cases[{number}].without"
        _refuse_unless_remaining(state, case.without, at)
        for index in case.without:
            if arcs[index].head != split.node:
                raise Rejected(at, str(arcs[index]), "a case drops arcs into the node only")
        unkept.intersection_update(case.without)
    if unkept:
        dropped = str(arcs[min(unkept)])
        raise Rejected(f"{place}.cases", dropped, "every arc into the node is kept by a case")


def _refuse_incomplete_cycle(state: Arcs, split: SplitOnCycle, place: str) -> None:
    arcs = state.problem.platform.arcs
    _refuse_unless_remaining(state, split.cycle, f"{place}.cycle")
    for index, following in zip(split.cycle, (*split.cycle[1:], split.cycle[0]), strict=True):
        if arcs[index].head != arcs[following].tail:
            pair = [str(arcs[index]), str(arcs[following])]
            raise Rejected(f"{place}.cycle", pair, "an arc starts where the one before it ends")
    inside = frozenset(split.cycle)
    for number, case in enumerate(split.cases):
        if len(case.without) != 1 or case.without[0] not in inside:
            at = f"{place}.cases[{number}].without"
            raise Rejected(at, list(case.without), "a case drops exactly one arc of the cycle")
    undropped = inside.difference(*(case.without for case in split.cases))
    if undropped:
        kept = str(arcs[min(undropped)])
        raise Rejected(f"{place}.cases", kept, "every arc of the cycle is dropped by a case")


def _refuse_unless_remaining(state: Arcs, listed: tuple[int, ...], place: str) -> None:
    seen: set[int] = set()
    for index in listed:
        if state.gone[index] or index in seen:
            raise Rejected(place, index, "an arc is named once, and not when it is gone already")
        seen.add(index)
