"""The bound that no schedule of alltoalls or reductions passes, from prices and potentials.

Weak duality, in one line: in time K every resource works at most K, so the priced work of a
schedule is at most K Y with Y the sum of the prices; what a task adds to the potentials is at
most its priced time, and an operation has to add the potential P of all that is wanted; so a
schedule that performs M operations has M P <= K Y.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, compress, groupby, pairwise
from operator import add, gt, mul, sub
from typing import cast

from exactsched.certificate.bounds import DistanceBound, PotentialBound
from exactsched.certificate.budget import SHORT, bits_of, products, spend, sums
from exactsched.check.collectives.arc_prices import charged_on
from exactsched.check.common_denominator import over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational, text
from exactsched.model.problem import Alltoall, Collective, Interval, Reduction
from exactsched.model.resources import size_costs


def prices_and_potential(
    problem: Collective, bound: DistanceBound | PotentialBound
) -> tuple[int, int]:
    """Y, the sum of the prices, and P, the potential of an operation, in the same unit.

    O(m s) additions for an alltoall with m arcs and s sources; for a reduction of q values with g
    goals, O(g q^2 m) for the transfers and O(g q^3 p) for the tasks of p processors.  Raises
    `Rejected` where a task adds more than its priced time, and where P is not positive.
    """
    if isinstance(bound, DistanceBound):
        return _alltoall(cast(Alltoall, problem), bound)
    return _reduction(cast(Reduction, problem), bound)


class _Prices:
    """The prices in the unit of the potentials.

    `charged` are the prices times the factors of their resources.
    """

    def __init__(
        self, problem: Alltoall | Reduction, prices: dict[str, int], charged: dict[str, int]
    ) -> None:
        self.problem = problem
        self.costs, _ = size_costs(problem)
        self.total = sum(prices.values())
        self.longest = max(self.total, sum(charged.values())).bit_length()
        self._prices, self._charged = prices, charged

    @cached_property
    def of_nodes(self) -> list[int]:
        """The prices of the processors."""
        nodes = self.problem.platform.nodes
        return [self._prices.get(f"compute:{node}", 0) for node in nodes]

    def charged_on(self, arcs: Sequence[int]) -> Iterator[int]:
        """What the resources of each of the arcs charge together, one at a time."""
        return charged_on(self.problem, self._charged, arcs)

    def refuse_steep_arc(
        self, index: int, charged: int, gains: Iterable[tuple[int, int]], unit: int, place: str
    ) -> None:
        """Raises `Rejected` if a gain on an arc is above size / unit times its priced cost.

        Of pairs (gain, size); the gains are positive.
        """
        cost = self.costs[index]
        for gain, size in gains:
            if self.longest > SHORT:
                spend(products(self.longest, bits_of(cost, size, unit)), place)
            price = charged * cost.numerator * size
            if gain * cost.denominator * unit > price:
                raise Rejected(
                    f"{place} at arc {index} ({self.problem.platform.arcs[index]})",
                    text(Fraction(gain * cost.denominator * unit, price)) if price else "no price",
                    "along an arc they grow by at most the priced time of a message",
                )


def _scaled(
    problem: Alltoall | Reduction,
    bound: DistanceBound | PotentialBound,
    numbers: Sequence[Rational],
    inequalities: int,
) -> tuple[_Prices, list[int]]:
    """Prices and potentials over their common denominator, which no longer matters.

    A document of n numbers can demand n^1.5 inequalities, of numbers as long as it likes.
    """
    listed, charged = list(bound.prices.values()), []
    _, factor_of = size_costs(problem)
    if factor_of and listed:
        factors = [factor_of[name] for name in bound.prices]
        longest = bits_of(*listed, *factors)
        spend(len(listed) * products(longest, longest), "bound")
        charged = [price * factor for price, factor in zip(listed, factors, strict=True)]
    scaled, _ = over_common_denominator([*listed, *charged, *numbers], "bound")
    longest = max(map(int.bit_length, scaled), default=0)
    spend(inequalities * sums(longest), "bound")
    first, second = len(listed), len(listed) + len(charged)
    prices = dict(zip(bound.prices, scaled[:first], strict=True))
    of_sizes = dict(zip(bound.prices, scaled[first:second], strict=True)) if charged else prices
    return _Prices(problem, prices, of_sizes), scaled[second:]


def _alltoall(problem: Alltoall, bound: DistanceBound) -> tuple[int, int]:
    platform, sources = problem.platform, problem.sources
    listed = [distance for row in bound.distances for distance in row]
    prices, scaled = _scaled(problem, bound, listed, len(platform.tails) * len(sources))
    # Row by row, for every source the distances of all nodes.
    count, position = len(platform.nodes), platform.position
    first_of = {source: row * count for row, source in enumerate(sources)}
    for row, source in enumerate(sources):
        if scaled[row * count + position[source]] > 0:
            place = f"proof.distances[{row}]"
            raise Rejected(place, str(source), "a source has no positive distance from itself")
    rises: Iterable[bool]
    if len(sources) == 1:  # a scatter, half of the time
        at = dict(zip(platform.nodes, scaled, strict=True)).__getitem__
        rises = map(gt, map(at, platform.heads), map(at, platform.tails))
    else:
        columns = [scaled[node::count] for node in range(count)]
        of_node = dict(zip(platform.nodes, columns, strict=True)).__getitem__
        ends = zip(map(of_node, platform.heads), map(of_node, platform.tails), strict=True)
        rises = (any(map(gt, ahead, behind)) for ahead, behind in ends)
    rising = list(compress(range(len(platform.tails)), rises))
    for index, charged in zip(rising, prices.charged_on(rising), strict=True):
        # One at a time: a short document can ask for long ones.
        head, tail = position[platform.heads[index]], position[platform.tails[index]]
        gain = max(map(sub, scaled[head::count], scaled[tail::count]))
        prices.refuse_steep_arc(index, charged, [(gain, 1)], 1, "proof.distances")
    sizes, unit = over_common_denominator([d.size for d in problem.demands], "problem, sizes")
    distances = [scaled[first_of[d.source] + position[d.target]] for d in problem.demands]
    longest = [max(map(int.bit_length, numbers)) for numbers in (sizes, scaled)]
    spend(len(sizes) * products(*longest), "problem, sizes")
    potential = sum(map(mul, sizes, distances))
    return _positive_potential(prices.total * unit, potential, "proof.distances")


def _positive_potential(price: int, potential: int, place: str) -> tuple[int, int]:
    if potential <= 0:
        rule = "all that is wanted has a positive potential, or nothing is bounded"
        raise Rejected(place, 0, rule)
    return price, potential


def _reduction(problem: Reduction, bound: PotentialBound) -> tuple[int, int]:
    platform, intervals = problem.platform, problem.intervals
    count, goals = len(platform.nodes), len(problem.goals)
    anything = [row[0] for row in problem.compute if len(row) == 2]
    merges = sum((m - k) for k, m in intervals)
    tasks = len(platform.tails) * len(intervals) + len(anything) * merges
    listed = [number for table in bound.potentials for row in table for number in row]
    prices, scaled = _scaled(problem, bound, listed, goals * (tasks + len(problem.compute)))
    # For every node and goal the potentials of all intervals.
    span = len(intervals) * count
    columns = [
        [scaled[goal * span + node : (goal + 1) * span : count] for goal in range(goals)]
        for node in range(count)
    ]
    place_of = {interval: place for place, interval in enumerate(intervals)}
    for index, owner in enumerate(problem.owners):
        for goal, potentials in enumerate(columns[platform.position[owner]]):
            if potentials[place_of[index, index]] > 0:
                place = f"proof.potentials[{goal}]"
                at = f"v[{index},{index}] at {owner}"
                raise Rejected(place, at, "what is there at the start has no positive potential")
    _refuse_steep_transfers(problem, prices, columns)
    _refuse_steep_merges(problem, prices, columns, place_of)
    wanted = [
        columns[platform.position[node]][goal][place_of[interval]]
        for goal, (interval, node) in enumerate(problem.goals)
    ]
    return _positive_potential(prices.total, sum(wanted), "proof.potentials")


# For every node, for every goal, the potentials of all intervals.
_Columns = list[list[list[int]]]


def _refuse_steep_transfers(problem: Reduction, prices: _Prices, columns: _Columns) -> None:
    platform = problem.platform
    groups, unit = _by_size(problem)
    of_node = dict(zip(platform.nodes, columns, strict=True)).__getitem__
    ends = zip(map(of_node, platform.heads), map(of_node, platform.tails), strict=True)
    charges = prices.charged_on(range(len(platform.tails)))
    for index, ((ahead, behind), charged) in enumerate(zip(ends, charges, strict=True)):
        # Nothing is subtracted where it falls: half of the time, if numbers are long.
        gains = _together(
            [
                [head - tail if head > tail else 0 for head, tail in zip(h, t, strict=True)]
                for h, t in zip(ahead, behind, strict=True)
            ]
        )
        steepest = [
            (max(map(gains.__getitem__, places)) if len(groups) > 1 else max(gains), size)
            for size, places in groups
        ]
        if rising := [(gain, size) for gain, size in steepest if gain > 0]:
            prices.refuse_steep_arc(index, charged, rising, unit, "proof.potentials")


def _by_size(problem: Reduction) -> tuple[list[tuple[int, list[int]]], int]:
    """Sizes over a common denominator, each with the intervals of this size."""
    if isinstance(problem.size, Fraction):
        everywhere = list(range(len(problem.intervals)))
        return [(problem.size.numerator, everywhere)], problem.size.denominator
    written = list(problem.sizes.values())
    sizes, unit = over_common_denominator(written, "problem.size")
    longest = max(map(int.bit_length, sizes))
    spend(2 * len(sizes) * len(problem.platform.arcs) * products(longest, longest), "problem.size")
    # Sorted, not in a dict: whoever writes the document can make the hashes of all sizes equal.
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    return [(size, list(places)) for size, places in groupby(order, sizes.__getitem__)], unit


def _refuse_steep_merges(
    problem: Reduction,
    prices: _Prices,
    columns: _Columns,
    place_of: dict[Interval, int],
) -> None:
    position = problem.platform.position
    times, unit = over_common_denominator([row[-1] for row in problem.compute], "problem.compute")
    longest = max(map(int.bit_length, [unit, *times]))
    spend(len(times) * products(longest, prices.longest), "problem.compute")
    for row, time in zip(problem.compute, times, strict=True):
        node = row[0]
        price = prices.of_nodes[position[node]]
        most = time * price // unit
        if len(row) == 2:
            tables = columns[position[node]]
            gain = max(_gains_of_merges(tables, len(problem.owners), most), default=0)
        else:
            k, cut, m = row[1:4]
            made, left, right = place_of[k, m], place_of[k, cut], place_of[cut + 1, m]
            (gain,) = _together([[p[made] - p[left] - p[right]] for p in columns[position[node]]])
        if gain > most:
            raise Rejected(
                f"proof.potentials at the processor of {node}",
                text(Fraction(gain * unit, time * price)) if price else "no price",
                "a task adds at most its priced time to the potentials of its inputs",
            )


def _gains_of_merges(tables: list[list[int]], count: int, most: int) -> Iterator[int]:
    """The most that a task adds to the potentials at a node, for each v[k,m] that tasks make.

    Some are left out that add `most` or less.  `tables` has for every goal the potentials of all
    intervals of 0..count-1.
    """
    starts = [0]
    for k in range(count):
        starts.append(starts[-1] + count - k)
    by_start = [[table[a:b] for a, b in pairwise(starts)] for table in tables]
    by_end = [
        [[table[starts[k] + m - k] for k in range(m + 1)] for m in range(count)] for table in tables
    ]
    if len(tables) == 1:  # of a reduce, in a third of the time
        (by_first,), (by_last,) = by_start, by_end
        least = list(map(min, by_last))
        for k, row in enumerate(by_first):
            enough = most + min(row)
            longer = zip(range(k + 1, count), row[1:], strict=True)
            for m, potential in [(m, p) for m, p in longer if p - least[m] > enough]:
                yield potential - min(map(add, row, by_last[m][k + 1 :]))
        return
    for k, m in combinations(range(count), 2):
        gains = []
        for lefts, rights in zip(by_start, by_end, strict=True):
            made, inputs = lefts[k][m - k], map(add, lefts[k], rights[m][k + 1 :])
            gains.append([made - both for both in inputs])
        yield max(_together(gains))


def _together(gains: list[list[int]]) -> list[int]:
    """The sum over the goals of what is gained; where it is lost, the task need not be used."""
    if len(gains) == 1:
        return gains[0]
    return [sum([gain for gain in column if gain > 0]) for column in zip(*gains, strict=True)]
