"""Series of alltoalls by symmetry: what they reach, from the routes of one source of each orbit.

No image of a route is looked at.  That the images of the routes under all automorphisms, averaged,
are a schedule with the slots stated here is theorem S of `proofs/steady-state-alltoall.md`; its
hypotheses are decided here, exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from exactsched.certificate.budget import bits_of, products, spend, sums
from exactsched.certificate.by_symmetry import SeriesBySymmetry
from exactsched.certificate.rules import column
from exactsched.check.collectives.certificates import proved_series, proved_throughput_bound
from exactsched.check.collectives.overlaps import refuse_overlaps
from exactsched.check.collectives.schedule import refuse_misplaced_slots
from exactsched.check.common_denominator import over_common_denominator
from exactsched.check.proved import ProvedSeries, shown
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.orbits import orbits
from exactsched.exact.rational import Rational, text
from exactsched.model.resources import SIDES


def series_by_symmetry(stated: SeriesBySymmetry) -> ProvedSeries:
    """What the images of routes reach, and what the proof shows.  Raises `Rejected`.

    With g automorphisms of n nodes and m arcs, t tasks in all routes and k slots: O(g (n + m) + t +
    k log k) steps on integers, and the proof as for the alltoall of the representatives.

    >>> from exactsched.certificate.bounds import DistanceBound
    >>> from exactsched.certificate.by_symmetry import Route
    >>> from exactsched.model.alltoall_among import AlltoallAmong
    >>> from exactsched.model.platform import Platform
    >>> pair = AlltoallAmong(Platform("ab", [("a", "b", 2), ("b", "a", 2)]), ("a", "b"))
    >>> half, two = Fraction(1, 2), Fraction(2)
    >>> proof = DistanceBound({"send:a": 1, "send:b": 1}, ((0, 2),))
    >>> one = Route("a", "b", Fraction(1), (0,))
    >>> slots = ((0, 0, 1), (1, 0, 1))
    >>> stated = SeriesBySymmetry(pair, ((1, 0),), (one,), two, two, slots, half, half, True, proof)
    >>> series_by_symmetry(stated).throughput
    Fraction(1, 2)
    """
    arcs = _orbits_of_arcs(stated)
    _refuse_other_costs(stated, arcs)
    _refuse_other_prices(stated, arcs)
    work, unit = _work_of_orbits(stated, arcs)
    refuse_misplaced_slots(stated.period, stated.tick, stated.slots, "slots")
    columns = [column(stated.slots, position) for position in range(3)]
    refuse_overlaps(stated.of_representatives, "slots", *columns)
    _refuse_wrong_amounts(stated, arcs, work, unit)
    bound = proved_throughput_bound(stated.of_representatives, stated.proof)
    return proved_series(stated, 1 / stated.period, bound)


def _orbits_of_arcs(stated: SeriesBySymmetry) -> list[int]:
    """For every arc the first one of its orbit.  Raises `Rejected` if arcs are moved elsewhere."""
    arcs, generators = len(stated.problem.platform.tails), stated.automorphisms
    spend(4 * len(generators) * arcs, "automorphisms")

    def moved() -> Iterator[list[int]]:
        for index, images in enumerate(generators):
            try:
                yield stated.arcs_under(images)
            except InvalidInput as error:
                raise Rejected(f"automorphisms[{index}]", error.value, error.rule) from None

    return orbits(arcs, moved())


def _refuse_other_costs(stated: SeriesBySymmetry, first: Sequence[int]) -> None:
    """Raises `Rejected` unless all arcs of an orbit have the same cost."""
    costs = stated.problem.platform.costs
    for index in _unlike(costs, first):
        arcs = stated.problem.platform.arcs
        rule = f"automorphisms keep costs; they take {arcs[first[index]]} to this arc"
        raise Rejected("automorphisms", f"{arcs[index]} ({shown(costs[index])})", rule)


def _refuse_other_prices(stated: SeriesBySymmetry, arcs: Sequence[int]) -> None:
    """Raises `Rejected` unless all resources of an orbit have the same price."""
    nodes, prices = stated.problem.platform.nodes, stated.proof.prices
    if stated.problem.ports == "link":
        listed = [([f"link:{arc}" for arc in range(len(arcs))], arcs)]
    else:
        first = orbits(len(nodes), stated.automorphisms)
        sides = dict.fromkeys(SIDES[stated.problem.ports])
        listed = [([f"{side}:{node}" for node in nodes], first) for side in sides]
    for names, alike in listed:
        charged = [prices.get(name, 0) for name in names]
        for index in _unlike(charged, alike):
            rule = f"automorphisms keep prices; that of {names[alike[index]]} is another"
            raise Rejected(f"proof.prices.{names[index]}", shown(charged[index]), rule)


def _unlike(values: Sequence[Rational], first: Sequence[int]) -> Iterator[int]:
    """The indices of values that differ from the first ones of their orbits."""
    over, under = zip(*[value.as_integer_ratio() for value in values], strict=True)
    for index, other in enumerate(first):
        if over[index] != over[other] or under[index] != under[other]:
            yield index


def _work_of_orbits(stated: SeriesBySymmetry, first: Sequence[int]) -> tuple[list[int], int]:
    """How often an operation uses an arc of each orbit, by its first arc, over a unit.

    Every target has all of its messages, and every route leads to it from its source.
    """
    listed = [route.share for route in stated.routes]
    shares, unit = over_common_denominator(listed, "routes", len(first))
    tasks = sum([len(route.arcs) for route in stated.routes])
    spend((len(shares) + tasks) * sums(max(map(int.bit_length, shares))), "routes")
    place, count = stated.problem.platform.position, len(stated.problem.platform.nodes)
    work = [0] * len(first)
    got: dict[int, int] = {}
    for index, (share, route) in enumerate(zip(shares, stated.routes, strict=True)):
        _refuse_no_path(stated, index)
        # Not pairs: whoever writes a document can make the hashes of all pairs of integers equal.
        pair = place[route.source] * count + place[route.target]
        got[pair] = got.get(pair, 0) + share
        alike = share * stated.representatives[route.source]
        for arc in route.arcs:
            work[first[arc]] += alike
    for demand in stated.of_representatives.demands:
        share = got.get(place[demand.source] * count + place[demand.target], 0)
        if share != unit:
            rule = "the shares of the routes to a target add up to 1"
            raise Rejected("routes", [str(demand), text(Fraction(share, unit))], rule)
    return work, unit


def _refuse_no_path(stated: SeriesBySymmetry, index: int) -> None:
    source, target, _, taken = stated.routes[index]
    tails, heads = stated.problem.platform.tails, stated.problem.platform.heads
    passed = [source, *[heads[arc] for arc in taken]]
    if passed[:-1] != [tails[arc] for arc in taken] or passed[-1] != target:
        rule = "a route is a path of arcs from its source to its target"
        raise Rejected(f"routes[{index}][3]", list(taken[:8]), rule)
    if len({*passed}) < len(passed):
        raise Rejected(f"routes[{index}][3]", list(taken[:8]), "a route visits no node twice")


def _refuse_wrong_amounts(
    stated: SeriesBySymmetry, first: Sequence[int], work: Sequence[int], unit: int
) -> None:
    """Raises `Rejected` unless every arc works as long as the mean of its orbit in an operation."""
    costs, size, tick = stated.problem.platform.costs, stated.problem.size, stated.tick
    ticks, alike = [0] * len(first), Counter(first)
    for place, start, end in stated.slots:
        ticks[place] += end - start
    longest = max(map(int.bit_length, ticks)) + bits_of(size, tick, unit)
    lasts: dict[int, Fraction] = {}
    for index, one in enumerate(first):
        if index == one:
            long = longest + bits_of(costs[one], work[one])
            spend(4 * products(long, long), "slots")
            lasts[one] = size * costs[one] * Fraction(work[one], unit * alike[one])
            right = lasts[one] == ticks[one] * tick
        if not right or ticks[index] != ticks[one]:
            raise Rejected(
                f"slots on place {index}",
                [text(ticks[index] * tick), text(lasts[one])],
                "the slots of an arc last as long as the mean of its orbit in an operation",
            )
