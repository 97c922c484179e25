"""The bound that no schedule passes, from prices of the resources and a packing of cuts.

Half-duplex, odd sets of nodes have prices too.

Weak duality, in one line: in time K every resource works at most K, so the priced work of a
schedule is at most K times the sum of the prices; every message crosses every cut, and the arcs
of a cut can pay for its weight; so a schedule that performs M broadcasts has M W <= K Y.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import accumulate
from math import gcd
from typing import cast

from exactsched.certificate.bounds import (
    Bound,
    Case,
    Cut,
    CutBound,
    SplitOnCycle,
    SplitOnNode,
    TreeBound,
)
from exactsched.certificate.budget import bits_of, products, spend, sums
from exactsched.certificate.collectives import Run
from exactsched.check.common_denominator import exact_sum, over_common_denominator
from exactsched.check.graphs.crossing import entered_weights
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational, text
from exactsched.model.platform import Node
from exactsched.model.problem import Allgather, Block, Broadcast, Combination
from exactsched.model.resources import arc_resources, size_costs


class _Arcs:
    """What every case needs to know of the arcs, read from the problem once.

    `gone` says which arcs are removed in the case that is looked at.
    """

    def __init__(self, problem: Broadcast | Allgather | Combination) -> None:
        self.problem = problem
        self.used = arc_resources(problem)
        self.ends = [(arc.tail, arc.head) for arc in problem.platform.arcs]
        self.costs, self.factors = size_costs(problem)
        # Only the rounding under a restriction to a tree needs them over a common denominator.
        to_a_tree = isinstance(problem, Broadcast) and problem.restrict == "tree"
        scaled = self.costs if to_a_tree else []
        self.scaled_costs, self.unit = over_common_denominator(scaled, "problem.platform.arcs")
        self.gone = bytearray(len(self.ends))
        self.into: dict[Node, list[int]] = {node: [] for node in problem.platform.nodes}
        self.at: dict[Node, list[int]] = {node: [] for node in problem.platform.nodes}
        for index, (tail, head) in enumerate(self.ends):
            self.into[head].append(index)
            self.at[tail].append(index)


def largest_rate(problem: Broadcast | Allgather | Combination, bound: Bound) -> Fraction:
    """The largest Y / W over the cases: no schedule has more broadcasts per time unit.

    Under the restriction to a tree each case is improved by rounding, see `_case_bound`.  Every
    case takes O((m + k) log n) additions for m arcs and k cuts.  Raises `Rejected`.
    """
    arcs = _Arcs(problem)
    if isinstance(bound, CutBound):
        return _case_bound(arcs, bound, "proof")
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
            largest = max(largest, _case_bound(arcs, stated, place))
        else:
            above.append(_Split(arcs, cast(Split, stated), place))
    return largest


Split = SplitOnNode | SplitOnCycle


class _Split:
    """A split that has been found complete, and the case of it that is looked at."""

    def __init__(self, arcs: _Arcs, stated: Split, place: str) -> None:
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
    the group.  Raises `Rejected`.
    """
    links = _Links(_Arcs(problem), bound)
    turned = [(head, tail) for tail, head in links.ends]
    to_root = dict.fromkeys(problem.members, Fraction(0))
    both = dict.fromkeys(problem.members, Fraction(0))
    from_root = dict.fromkeys(problem.members, Fraction(0))
    around = _targets_of_messages(problem)
    for index, row in enumerate(bound.roots):
        place = f"proof.roots[{index}]"
        weights: list[Fraction] = []
        for name, ends, order, cuts in (
            ("left", turned, row.outwards, row.left),
            ("entered", links.ends, row.inwards, row.entered),
            ("passed", links.ends, row.beyond, row.passed),
        ):
            at = f"{place}.{name}"
            scaled, weight_unit = over_common_denominator([cut.weight for cut in cuts], at)
            entered = entered_weights(ends, order, cuts, scaled)
            links.refuse_overpaid(entered, weight_unit, at)
            weights.append(Fraction(sum(scaled), weight_unit))
            if name == "passed" and row.root in around:
                spend(len(order) * sums(bits_of(weight_unit, *scaled)), at)
                around[row.root] = _around(order, cuts, scaled, weight_unit)
        to_root[row.root], from_root[row.root] = weights[:2]
        both[row.root] = Fraction(exact_sum(weights[:2], place))
    anywhere = min(both.values())

    def worth(part: int, block: Block) -> Fraction:
        if block.source is None:
            return anywhere if problem.everywhere(part) else to_root[block.targets[0]]
        if problem.everywhere(part):
            return from_root[block.source]
        return around[block.source].get(block.targets[0], Fraction(0))

    rates = [worth(part, block) for part, block in enumerate(problem.blocks)]
    numbers = max(map(bits_of, [*(block.size for block in problem.blocks), *rates]))
    spend(len(problem.blocks) * products(numbers, numbers), "proof.roots")
    charged = [block.size * rate for block, rate in zip(problem.blocks, rates, strict=True)]
    paid = Fraction(exact_sum(charged, "proof.roots"))
    if not paid:
        raise Rejected("proof.roots", 0, "no operation has to pay, so nothing is bounded")
    offered = Fraction(_offered(bound, "proof"))
    spend(3 * products(bits_of(paid), bits_of(offered)), "proof")  # the quotient
    return paid, offered


class _Links:
    """What a call pays at least, from node to node of the group: over an arc, or along a path."""

    def __init__(self, arcs: _Arcs, bound: TreeBound) -> None:
        self.arcs, self.ends = arcs, arcs.ends
        self.tolls, self.unit = _tolls(arcs, bound, "proof")
        problem = cast(Combination, arcs.problem)
        self.paths = len(problem.group) < len(problem.platform.nodes)
        if self.paths:
            self._shorten(problem)

    def refuse_overpaid(self, entered: list[int], weight_unit: int, place: str) -> None:
        """Raises `Rejected` where the cuts that a call crosses weigh more than it pays."""
        longest = max(map(int.bit_length, [*entered, *self.tolls, self.unit, weight_unit]))
        spend(2 * len(entered) * products(longest, longest), place)
        if not self.paths:
            costs = self.arcs.costs
            _refuse_overpaid(self.arcs, entered, weight_unit, self.tolls, self.unit, costs, place)
            return
        for weight, paid, (tail, head) in zip(entered, self.tolls, self.ends, strict=True):
            if weight * self.unit > weight_unit * paid:
                raise Rejected(
                    f"{place} from {tail} to {head}",
                    [text(Fraction(weight, weight_unit)), text(Fraction(paid, self.unit))],
                    "the sets that a path crosses weigh no more than its priced time",
                )

    def _shorten(self, problem: Combination) -> None:
        """The least that a path pays through nodes outside the group: Dijkstra from every node."""
        costs = self.arcs.costs
        scaled, cost_unit = over_common_denominator(costs, "problem.platform.arcs", len(costs))
        longest = max(map(int.bit_length, [*scaled, *self.tolls, cost_unit, self.unit]))
        count = len(self.tolls) + len(problem.platform.nodes)
        spend(len(problem.group) * count * count.bit_length() * products(longest, longest), "proof")
        paid = [cost * toll for cost, toll in zip(scaled, self.tolls, strict=True)]
        leaving: dict[Node, list[tuple[Node, int]]] = {v: [] for v in problem.platform.nodes}
        for (tail, head), toll in zip(self.arcs.ends, paid, strict=True):
            leaving[tail].append((head, toll))
        self.ends, self.tolls = [], []
        for member in problem.members:
            for node, least in _distances(member, leaving, problem.group).items():
                self.ends.append((member, node))
                self.tolls.append(least)
        self.unit *= cost_unit


def _distances(
    start: Node, leaving: dict[Node, list[tuple[Node, int]]], group: frozenset[Node]
) -> dict[Node, int]:
    """How far it is to the other nodes of the group, if inner nodes are outside the group."""
    position = {node: index for index, node in enumerate(leaving)}
    found: dict[Node, int] = {}
    heap = [(0, position[start], start)]
    while heap:
        least, _, node = heappop(heap)
        if node in found:
            continue
        found[node] = least
        if node == start or node not in group:
            for head, more in leaving[node]:
                if head not in found:
                    heappush(heap, (least + more, position[head], head))
    return {node: least for node, least in found.items() if node in group and node != start}


def gathered_trees(problem: Allgather, bound: TreeBound) -> tuple[Fraction, Fraction]:
    """What an operation pays, and what all resources can be charged per time unit.

    The shard of a root has to enter every set of nodes of the group without the root, so for each
    unit of size it pays their weights.  Raises `Rejected`.
    """
    arcs = _Arcs(problem)
    tolls, unit = _tolls(arcs, bound, "proof")
    worth = dict.fromkeys(problem.platform.nodes, Fraction(0))
    for index, row in enumerate(bound.roots):
        at = f"proof.roots[{index}].entered"
        scaled, weight_unit = over_common_denominator([cut.weight for cut in row.entered], at)
        entered = entered_weights(arcs.ends, row.inwards, row.entered, scaled)
        longest = max(map(int.bit_length, [*entered, *tolls, unit, weight_unit]))
        spend(2 * len(entered) * products(longest, longest), at)
        _refuse_overpaid(arcs, entered, weight_unit, tolls, unit, arcs.costs, at)
        worth[row.root] = Fraction(sum(scaled), weight_unit)
    numbers = max(map(bits_of, [*worth.values(), *(size for _, size in problem.shards)]))
    spend(len(problem.roots) * products(numbers, numbers), "proof.roots")
    paid = Fraction(exact_sum([size * worth[node] for node, size in problem.roots], "proof.roots"))
    if not paid:
        raise Rejected("proof.roots", 0, "no operation has to pay, so nothing is bounded")
    return paid, Fraction(_offered(bound, "proof"))


def _targets_of_messages(problem: Combination) -> dict[Node, dict[Node, Fraction]]:
    """The sources of messages to a single target; nothing has been shown of any target yet."""
    single = (block for block in problem.blocks if len(block.targets) == 1)
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
    offered = _offered(bound, "proof")
    if offered == 0:
        raise Rejected("proof.prices", 0, "without a positive price no time is bounded")
    arcs = _Arcs(problem)
    latencies = [arc.latency for arc in problem.platform.arcs]
    weight = _packed(arcs, bound, bound.cuts, arcs.costs, "proof.cuts")
    startup = _packed(arcs, bound, bound.startup_cuts, latencies, "proof.startup_cuts")
    size = exact_sum(run.sizes, "sizes") if run.sizes else run.operations
    numbers = bits_of(size, weight, startup, offered)
    spend(4 * products(numbers, numbers), "proof")
    return (size * weight + run.operations * startup) / offered


def _case_bound(arcs: _Arcs, bound: CutBound, place: str) -> Fraction:
    """Y / W; for a tree the best rate of a load that the costs of the remaining arcs can make.

    The load of a resource by one tree is a multiple of g, the greatest rational of which all
    remaining costs are multiples, and the busiest resource has load at least W / Y.
    """
    if not bound.cuts:
        raise Rejected(f"{place}.cuts", 0, "without a cut nothing is bounded")
    weight = _packed(arcs, bound, bound.cuts, arcs.costs, f"{place}.cuts")
    if not weight:
        raise Rejected(f"{place}.cuts", 0, "nothing has to enter these sets, so nothing is bounded")
    price = _offered(bound, place)
    spend(len(arcs.ends) + 2 * products(bits_of(price), bits_of(weight)), place)
    remaining = [cost for cost, gone in zip(arcs.scaled_costs, arcs.gone, strict=False) if not gone]
    if price == 0 or not remaining:
        return price / weight
    unit = Fraction(gcd(*remaining), arcs.unit)
    return 1 / (unit * -(-weight // (price * unit)))


def _offered(bound: CutBound | TreeBound, place: str) -> Rational:
    """What all resources together can be charged per time unit.

    At most k arcs inside 2k + 1 nodes work at a time, as no two of them share a node.
    """
    odd = [len(nodes) // 2 * price for nodes, price in bound.odd_sets]
    return exact_sum([*bound.prices.values(), *odd], f"{place}.prices")


def _packed(
    arcs: _Arcs,
    bound: CutBound,
    cuts: Sequence[Cut],
    times: list[Fraction],
    place: str,
) -> Fraction:
    """The weight that an operation has to pay, which every arc that is not removed can afford.

    An operation pays the weight of every cut for each unit of size that has to enter it.  An arc
    pays with its time, multiplied by the prices of the resources that it uses and of the
    odd sets that contain both its ends.
    """
    weights = [weight for _, _, weight in cuts]
    sums = len(bound.order) + len(times)
    scaled_weights, weight_unit = over_common_denominator(weights, place, sums)
    tolls, price_unit = _tolls(arcs, bound, place)
    entered = entered_weights(arcs.ends, bound.order, cuts, scaled_weights)
    _refuse_overpaid(arcs, entered, weight_unit, tolls, price_unit, times, place)
    if not isinstance(arcs.problem, Broadcast):
        demands = _shards_outside if isinstance(arcs.problem, Allgather) else _blocks_wanted
        sizes, size_unit = demands(arcs.problem, bound.order, cuts, place)  # type: ignore[arg-type]
        longest = max(map(int.bit_length, [*sizes, *scaled_weights]), default=0)
        spend(len(sizes) * products(longest, longest), place)
        paid = sum(size * weight for size, weight in zip(sizes, scaled_weights, strict=True))
        return Fraction(paid, size_unit * weight_unit)
    return Fraction(sum(scaled_weights), weight_unit)


def _tolls(arcs: _Arcs, bound: CutBound | TreeBound, place: str) -> tuple[list[int], int]:
    """What a time unit of work on each arc pays, over a common denominator.

    On a route it is what a unit of size pays: the prices times the costs of the links.  Others are
    the prices of the resources that it uses and of the odd sets with both its ends.
    """
    charged = list(bound.prices.values())
    if arcs.factors:  # shared links: the price of a unit of size
        factors = [arcs.factors[name] for name in bound.prices]
        numbers = bits_of(*charged, *factors) if charged else 0
        spend(len(charged) * products(numbers, numbers), place)
        charged = [price * factor for price, factor in zip(charged, factors, strict=True)]
    prices = [*charged, *(price for _, price in bound.odd_sets)]
    scaled, unit = over_common_denominator(prices, place)
    price_of = dict(zip(bound.prices, scaled, strict=False))
    inside = _paid_inside(arcs, bound, scaled[len(bound.prices) :])
    return [
        paid + sum(price_of.get(name, 0) for name in names)
        for paid, names in zip(inside, arcs.used, strict=True)
    ], unit


def _refuse_overpaid(
    arcs: _Arcs,
    entered: list[int],
    weight_unit: int,
    tolls: list[int],
    price_unit: int,
    times: list[Fraction],
    place: str,
) -> None:
    for index, time in enumerate(times):
        if arcs.gone[index] or not entered[index]:
            continue
        toll = tolls[index]
        if entered[index] * price_unit * time.denominator > weight_unit * time.numerator * toll:
            arc = arcs.problem.platform.arcs[index]
            raise Rejected(
                f"{place} at arc {index} ({arc})",
                [text(Fraction(entered[index], weight_unit)), text(time * toll / price_unit)],
                "the sets that an arc crosses weigh no more than its priced time",
            )


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


def _paid_inside(arcs: _Arcs, bound: CutBound | TreeBound, prices: list[int]) -> list[int]:
    """For every arc the sum of the prices of the odd sets with both its ends."""
    paid = [0] * len(arcs.ends)
    longest = sums(max(map(int.bit_length, prices), default=0))
    for (nodes, _), price in zip(bound.odd_sets, prices, strict=True):
        spend(sum([len(arcs.at[node]) for node in nodes]) * longest, "proof.odd_sets")
        members = frozenset(nodes)
        for node in nodes:
            for index in arcs.at[node]:
                if arcs.ends[index][1] in members:
                    paid[index] += price
    return paid


def _refuse_incomplete_entering(state: _Arcs, split: SplitOnNode, place: str) -> None:
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


def _refuse_incomplete_cycle(state: _Arcs, split: SplitOnCycle, place: str) -> None:
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


def _refuse_unless_remaining(state: _Arcs, listed: tuple[int, ...], place: str) -> None:
    seen: set[int] = set()
    for index in listed:
        if state.gone[index] or index in seen:
            raise Rejected(place, index, "an arc is named once, and not when it is gone already")
        seen.add(index)
