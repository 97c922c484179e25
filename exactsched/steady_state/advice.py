"""What to buy: how much throughput more of a link or a port brings, and what its failure costs.

Method: the throughput is a concave function, in linear pieces, of how much there is of something;
its value and a line above it come from exact optima, and lines that meet give the break points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import Any

from exactsched.certificate.bounds import SplitOnCycle, SplitOnNode
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import readable, text
from exactsched.exact.search_limits import until
from exactsched.linear_programs.column_generation import pack_structures
from exactsched.model.platform import Arc, Platform, one_line
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.resources import arc_resources, resources
from exactsched.steady_state.allgather import growing, solve_allgather, tightest_cut
from exactsched.steady_state.allgather_by_columns import as_messages
from exactsched.steady_state.alltoall import solve_alltoall
from exactsched.steady_state.arborescence_packing import pack_arborescences
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.combination import solve_combination
from exactsched.steady_state.reduce import solve_reduction
from exactsched.steady_state.route_packing import pack_routes
from exactsched.steady_state.slots import sides
from exactsched.steady_state.solution import Solution, solution_of
from exactsched.steady_state.symmetric_items import first_alike
from exactsched.steady_state.target_trees import cheapest_structures

# How much there is of every resource; 1 where nothing is said.
Amounts = Mapping[str, Fraction]
_ONE = Fraction(1)
# The port models whose resources are links, of which bandwidth is bought.
_LINKS = ("link", "routes")


@readable
@dataclass(frozen=True, slots=True)
class Item:
    """What can be bought or fail: resources, and how much of each comes with one unit more.

    A resource has the amount 1 at first.  Under link ports a unit is one more of bandwidth, for
    both directions of a cable, and under routes of a link that they share; otherwise it is one more
    port of the same kind at the node.  `single` items are one cable or one port.
    """

    name: str
    units: tuple[tuple[str, Fraction], ...]
    single: bool = True


@readable
@dataclass(frozen=True, slots=True)
class Row:
    """What is said of an item.

    - `gain`: throughput per unit more: the derivative to the right
    - `until`: up to how many units more exactly that is gained, and no longer; None if for ever
    - `one_more`: the throughput with one unit more
    - `without`: the throughput without the item
    - `reached`: whether schedules are known that reach all these values; if not, they are upper
      bounds, by cuts: a node that only forwards would send more than it receives
    """

    item: Item
    gain: Fraction
    until: Fraction | None
    one_more: Fraction
    without: Fraction
    reached: bool = True


@readable
@dataclass(frozen=True)
class Advice:
    """Rows of what to buy, the largest gain first, for an optimal solution.

    `left_out` is the number of items that nothing is said of, as the search was ended before.
    """

    solution: Solution
    rows: tuple[Row, ...]
    left_out: int = 0

    @property
    def throughput(self) -> Fraction:
        """What the platform as it is reaches, which is optimal."""
        return self.solution.throughput

    @property
    def unit(self) -> str:
        """What one unit more is."""
        return "bandwidth" if self.solution.problem.ports in _LINKS else "port"


def advise(
    solution: Solution,
    *,
    every: bool = False,
    resolved: Callable[[Solution], object] | None = None,
    time_limit: float | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Advice:
    """The optimum is a concave function of how much there is of a resource; its pieces are advice.

    For every cable (under link ports), every group of cables of one bandwidth, every shared link
    (under routes), or every port (under the other models) that has a price in the proof, or with
    `every` for all: how much throughput one unit more brings, up to which amount, and what is left
    if it fails.  See `Row`.

    Every value is an exact optimum.  Of links, and for failures under all, it is that of
    another platform, whose solution `resolved` is called with: so it can be checked as any other.
    For more ports it is the optimum of the packing with this amount.  `progress` is called
    with how many rows are done, and how many there are; if it returns True, or after `time_limit`
    seconds, the others are left out.

    Raises `InvalidInput` for a solution that is not optimal, for throughput 0, for a problem with a
    restriction, for broadcasts to some of the nodes, for reductions with several goals, for ports
    of ordered reductions, for half-duplex ports on graphs with odd cycles, and for
    allgathers over links through nodes that could send more than they receive.

    Three to a few more optima for each row; of items that automorphisms take to each other one is
    solved for (`symmetric_items`).

    Reference: proofs/what-to-buy.md.

    Every row takes as long as a few optima of the same collective, so polynomial where they are.

    >>> from exactsched.steady_state.broadcast import broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", "1/3")])
    >>> row, = advise(broadcast(chain, "a", ports="link")).rows
    >>> row.item.name, row.gain, row.until, row.one_more, row.without
    ('a->b', Fraction(1, 1), Fraction(2, 1), Fraction(2, 1), Fraction(0, 1))
    """
    progress = until(time_limit, progress)
    solution = solution_of(solution)
    _refuse_unknown(solution)
    if isinstance(solution.problem, Allgather) and solution.problem.ports != "link":
        solution = solve_combination(as_messages(solution.problem))
    priced = _prices(solution)
    listed = list(_items(solution.problem))
    items = [item for item in listed if every or any(priced.get(name) for name, _ in item.units)]
    items += _all_priced(listed, priced)
    # Single items come first.
    single = [[name for name, _ in item.units] for item in items if item.single]
    first = [*first_alike(solution.problem, single), *range(len(single), len(items))]
    rows: list[Row] = []
    for number, item in enumerate(items):
        if progress is not None and progress(number, len(items)) is True:
            break
        if first[number] < number:
            rows.append(replace(rows[first[number]], item=item))
        else:
            rows.append(_Question(solution, item, resolved).row())
    rows.sort(key=lambda row: (-row.gain, row.without, row.item.name))
    return Advice(solution, tuple(rows), len(items) - len(rows))


def _refuse_unknown(solution: Solution) -> None:
    problem = solution.problem
    if isinstance(problem, Allgather) and problem.ports == "link" and growing(problem):
        (node, more), *_ = growing(problem).items()
        rule = "advice is for nodes that receive as much as they send, or are of the group"
        raise InvalidInput(f"node {one_line(node)}", f"{text(more)} more is sent", rule)
    if isinstance(problem, Combination) and problem.multicast:
        rule = "advice on a broadcast is for all nodes as its targets, or for one"
        raise InvalidInput("targets", len(problem.blocks[0].targets), rule)
    if not solution.throughput:
        raise InvalidInput("throughput", "0", "where nothing arrives no resource has a price")
    if isinstance(solution.proof, (SplitOnNode, SplitOnCycle)) or (
        isinstance(problem, Broadcast) and problem.restrict != "none"
    ):
        raise InvalidInput("restrict", "tree or dag", "advice is for problems without restriction")
    if not solution.optimal:
        rule = "advice is given where the optimum is known"
        raise InvalidInput("throughput", text(solution.throughput), rule)
    if isinstance(problem, Reduction):
        if len(problem.goals) > 1:
            rule = "advice on ordered reductions is for a single goal"
            raise InvalidInput("goals", len(problem.goals), rule)
        if problem.ports != "link":
            rule = "advice on ordered reductions is for link ports: --ports link"
            raise InvalidInput("ports", problem.ports, rule)
    sides(problem)


def _items(problem: Collective) -> Iterator[Item]:
    """Cables and groups of them, shared links, or ports."""
    if problem.ports == "routes":
        for name, cost in dict(chain(*(arc.route for arc in problem.platform.arcs))).items():
            yield Item(name, ((f"link:{name}", cost),))
        return
    if problem.ports != "link":
        for name in resources(problem):
            yield Item(name, ((name, _ONE),))
        return
    arcs = problem.platform.arcs
    number = {(arc.tail, arc.head): index for index, arc in enumerate(arcs)}
    groups: dict[tuple[Fraction, ...], list[tuple[tuple[str, Fraction], ...]]] = {}
    for index, arc in enumerate(arcs):
        back = number.get((arc.head, arc.tail))
        if back is not None and back < index:
            continue
        name = str(arc) if back is None else f"{arc.tail}<->{arc.head}"
        both = [index] if back is None else [index, back]
        # One more of the bandwidth 1 / cost is `cost` times as much of the link.
        units = tuple((f"link:{one}", arcs[one].cost) for one in both)
        yield Item(name, units)
        groups.setdefault(tuple(sorted({cost for _, cost in units})), []).append(units)
    for costs, cables in groups.items():
        if len(cables) > 1 and len(groups) > 1:
            told = " and ".join(text(1 / cost) for cost in costs)
            yield Item(f"all cables of bandwidth {told}", tuple(chain.from_iterable(cables)), False)


def _all_priced(items: Sequence[Item], priced: Mapping[str, Fraction]) -> list[Item]:
    """All single items with a price as one, unless that is one of the items already."""
    bought = [item for item in items if any(priced.get(name) for name, _ in item.units)]
    units = {name: unit for item in bought if item.single for name, unit in item.units}
    if any(units.keys() <= dict(item.units).keys() for item in items):
        return []
    return [Item("all that has a price", tuple(units.items()), False)]


@dataclass
class _Question:
    """An item, and the throughput as a function of the units of it that are added."""

    solution: Solution
    item: Item
    resolved: Callable[[Solution], object] | None
    reached: bool = True
    known: dict[Fraction, tuple[Fraction, Fraction]] = field(default_factory=dict)

    def row(self) -> Row:
        """Everything that is said of the item."""
        value = self.solution.throughput
        slope = self._slope(_prices(self.solution))
        gain, until, one_more = Fraction(0), None, value
        if slope:
            gain, until = first_piece(self._line, value, slope, self._forever())
            one_more = self._line(_ONE)[0]
        without, _ = self._value(self._amounts(None))
        if isinstance(self.solution.problem, Allgather):
            self._reach(without, gain, until, one_more)
        return Row(self.item, gain, until, one_more, without, self.reached)

    def _amounts(self, more: Fraction | None) -> Amounts:
        """With so much more of the item, or without it."""
        if more is None:
            return dict.fromkeys((name for name, _ in self.item.units), Fraction(0))
        return {name: 1 + more * unit for name, unit in self.item.units}

    def _reach(
        self, without: Fraction, gain: Fraction, until: Fraction | None, one_more: Fraction
    ) -> None:
        """Find the trees of an allgather for what is stated; values alone are those of cuts.

        For throughput 0 none are needed, and for no gain those that are there.
        """
        stated: list[Fraction | None] = [None] if without else []
        if one_more > self.solution.throughput:
            stated.append(_ONE)
        if gain and until and until != 1:
            stated.append(until)
        for more in stated:
            problem = self._changed(self._amounts(more))
            if growing(problem):
                self.reached = False
            elif self.resolved:
                self.resolved(solve(problem))

    def _changed(self, amounts: Amounts) -> Any:
        """The problem on the platform with other amounts."""
        problem = self.solution.problem
        return replace(problem, platform=_with_amounts(problem, amounts))

    def _forever(self) -> Fraction:
        """What a unit brings if there is very much of the item: what it can do all alone."""
        problem = self.solution.problem
        if isinstance(problem, Reduction) and len(problem.owners) > 1:
            return Fraction(0)  # processors are needed
        nothing = dict.fromkeys(resources(problem), Fraction(0))
        return self._value(nothing | dict(self.item.units))[0]

    def _line(self, more: Fraction) -> tuple[Fraction, Fraction]:
        """The throughput with so much more, and the slope of a line above the function there."""
        if more not in self.known:
            value, prices = self._value(self._amounts(more))
            self.known[more] = value, self._slope(prices)
        return self.known[more]

    def _slope(self, prices: Mapping[str, Fraction]) -> Fraction:
        """What one unit more is worth at these prices."""
        worth = (prices.get(name, Fraction(0)) * unit for name, unit in self.item.units)
        return sum(worth, start=Fraction(0))

    def _value(self, amounts: Amounts) -> tuple[Fraction, dict[str, Fraction]]:
        """The optimum with other amounts, and the prices of one more of each resource."""
        problem = self.solution.problem
        if problem.ports not in _LINKS and any(amount not in (0, 1) for amount in amounts.values()):
            return packed(problem, amounts)
        changed = self._changed(amounts)
        if isinstance(changed, Allgather):
            rate, proof = tightest_cut(changed)
            solution = Solution(changed, (), proof, rate)
        else:
            solution = solve(changed)
            if self.resolved:
                self.resolved(solution)
        kept = _kept(problem, amounts)
        found: dict[str, Fraction] = {}
        for name, price in _prices(solution).items():
            before = f"link:{kept[int(name[5:])]}" if problem.ports == "link" else name
            found[before] = price / amounts.get(before, _ONE)
        return solution.bound, found


def first_piece(
    line: Callable[[Fraction], tuple[Fraction, Fraction]],
    value: Fraction,
    slope: Fraction,
    forever: Fraction,
) -> tuple[Fraction, Fraction | None]:
    """The slope of a concave function to the right of 0, and where its first piece ends.

    The function has finitely many linear pieces and does not fall.  `line(t)` is its value at t > 0
    and the slope of a line above it there, of finitely many; `value` and `slope` are those at 0,
    and `forever` is the slope of its last piece.

    Of the two lines, one through the value at 0 and one beyond, the point where they meet is on the
    function, or a line there is below one of them.  Before there is a line beyond, t doubles.

    >>> first_piece(lambda t: (min(t, Fraction(3)), Fraction(t < 3)), Fraction(0), Fraction(2),
    ...     Fraction(0))
    (Fraction(1, 1), Fraction(3, 1))
    """
    beyond: tuple[Fraction, Fraction] | None = None  # the value of a line at 0, and its slope
    at = _ONE
    while slope > forever:
        found, slope_there = line(at)
        if found < value + slope * at:
            start = found - slope_there * at
            if start == value:
                slope = slope_there
            else:
                beyond = start, slope_there
        elif beyond:
            return slope, at
        else:
            at *= 2
        if beyond and slope > forever:
            at = (beyond[0] - value) / (slope - beyond[1])
    return slope, None


def solve(problem: Collective) -> Solution:
    """The optimum of a series, whatever the collective is; reductions have a single goal.

    >>> solve(Broadcast(Platform("ab", [("a", "b", 2)]), "a")).throughput
    Fraction(1, 2)
    """
    if isinstance(problem, Broadcast):
        return solve_series(problem)
    if isinstance(problem, Alltoall):
        return solve_alltoall(problem)
    if isinstance(problem, Allgather):
        return solve_allgather(problem)
    if isinstance(problem, Combination):
        return solve_combination(problem)
    return solve_reduction(problem)


def packed(problem: Collective, amounts: Amounts) -> tuple[Fraction, dict[str, Fraction]]:
    """The largest packing into these amounts of ports, and the price of one more of each.

    Broadcasts, alltoalls and combinations; every target can be reached, no amount is 0.

    >>> chain = Platform("abc", [("a", "b", 1), ("a", "c", 1)])
    >>> value, prices = packed(Broadcast(chain, "a"), {"send:a": Fraction(3, 2)})
    >>> value, prices["send:a"]
    (Fraction(3, 4), Fraction(1, 2))
    """
    names = resources(problem)
    scaled, whole = over_common_denominator([amounts.get(name, _ONE) for name in names])
    value, prices = _packing(problem, names, scaled)
    # Only the ratios of the prices are needed: together they pay for the value.
    paid = sum((scaled[row] * price for row, price in prices.items()), start=Fraction(0))
    return value / whole, {names[row]: price * value / paid for row, price in prices.items()}


def _packing(
    problem: Collective, names: Sequence[str], scaled: Sequence[int]
) -> tuple[Fraction, Mapping[int, Fraction | int]]:
    """The packing into whole amounts, and its prices."""
    if isinstance(problem, Combination):
        pairs = cheapest_structures(problem)
        trees = pack_structures(pairs, [pairs.unit * amount for amount in scaled])
        return trees.value, trees.prices
    if not isinstance(problem, (Broadcast, Alltoall)):
        raise ValueError("only a broadcast, an alltoall or a combination is packed")
    place, listed = problem.platform.position, problem.platform.arcs
    row = {name: index for index, name in enumerate(names)}
    root = problem.source if isinstance(problem, Broadcast) else None
    numbers = [index for index, arc in enumerate(listed) if arc.head != root]
    ends = [(place[listed[arc].tail], place[listed[arc].head]) for arc in numbers]
    costs, unit = over_common_denominator([listed[arc].cost for arc in numbers])
    used = arc_resources(problem)
    uses = [tuple(row[name] for name in used[arc]) for arc in numbers]
    if isinstance(problem, Broadcast):
        into = [unit * amount for amount in scaled]
        found = pack_arborescences(len(place), place[problem.source], ends, costs, uses, into)
        return found.value, found.prices
    sizes, size_unit = over_common_denominator([demand.size for demand in problem.demands])
    demands = [
        (place[demand.source], place[demand.target], size)
        for demand, size in zip(problem.demands, sizes, strict=True)
    ]
    into = [unit * size_unit * amount for amount in scaled]
    routes = pack_routes(len(place), ends, costs, uses, into, demands)
    return routes.value, routes.prices


def _prices(solution: Solution) -> dict[str, Fraction]:
    """What the bound of an optimal solution grows by for one more of each resource."""
    proof = solution.proof
    if isinstance(proof, (SplitOnNode, SplitOnCycle)) or not solution.bound:
        return {}
    total = sum(proof.prices.values(), start=Fraction(0))
    return {name: price * solution.bound / total for name, price in proof.prices.items()}


def _kept(problem: Collective, amounts: Amounts) -> list[int]:
    """The arcs of which something is left."""
    return [
        index
        for index, names in enumerate(arc_resources(problem))
        if all(amounts.get(name, _ONE) for name in names)
    ]


def _with_amounts(problem: Collective, amounts: Amounts) -> Platform:
    """The platform with so much of every link, or without what fails.

    An amount b of a link divides its cost by b; without a port there are no arcs that use it.
    """
    platform = problem.platform
    kept = ((index, platform.arcs[index]) for index in _kept(problem, amounts))
    if problem.ports == "routes":
        return platform.with_arcs([_shared(arc, amounts) for _, arc in kept])
    return platform.with_arcs(
        [(arc.tail, arc.head, arc.cost / amounts.get(f"link:{index}", _ONE)) for index, arc in kept]
    )


def _shared(arc: Arc, amounts: Amounts) -> tuple[Any, ...]:
    """An arc over links of which there is so much."""
    route = tuple((name, cost / amounts.get(f"link:{name}", _ONE)) for name, cost in arc.route)
    return arc.tail, arc.head, max(cost for _, cost in route), 0, route
