"""Sections 3.2 and 3.3, the example of scatters: figures 2 to 4."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

from exactsched.certificate.collectives import PeriodicSchedule, Slot, Structure
from exactsched.exact.rational import to_json
from exactsched.graphs.matching_decomposition import decompose_into_matchings
from exactsched.instances.figures import Copy, copies
from exactsched.model.parts import Demand
from exactsched.model.platform import Platform
from exactsched.model.problem import Alltoall
from exactsched.platforms.papers import scatter_toy
from exactsched.steady_state.alltoall import solve_alltoall
from exactsched.steady_state.solution import Solution
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.legrand2003.series import ALLTOALL

_Ends = tuple[str, str]

_TARGETS = ("P0", "P1")
_PERIOD = 12
# Figure 2(b): how many messages for which target go over an arc in a period.
_MESSAGES: Mapping[_Ends, Mapping[str, int]] = {
    ("Ps", "Pa"): {"P0": 3},
    ("Ps", "Pb"): {"P0": 3, "P1": 6},
    ("Pa", "P0"): {"P0": 3},
    ("Pb", "P0"): {"P0": 3},
    ("Pb", "P1"): {"P1": 6},
}
# Figure 2(c): how long the arcs work in this period.
_WORK = {("Ps", "Pa"): 3, ("Ps", "Pb"): 9, ("Pa", "P0"): 2, ("Pb", "P0"): 4, ("Pb", "P1"): 8}
# Figures 3(b) to 3(e): how long each matching takes, and what goes over its arcs: target, messages.
_MATCHINGS: tuple[tuple[int, Mapping[_Ends, tuple[str, Fraction]]], ...] = (
    (6, {("Ps", "Pb"): ("P1", Fraction(6)), ("Pb", "P1"): ("P1", Fraction(9, 2))}),
    (3, {("Ps", "Pb"): ("P0", Fraction(3)), ("Pb", "P0"): ("P0", Fraction(9, 4))}),
    (
        2,
        {
            ("Ps", "Pa"): ("P0", Fraction(2)),
            ("Pa", "P0"): ("P0", Fraction(3)),
            ("Pb", "P1"): ("P1", Fraction(3, 2)),
        },
    ),
    (1, {("Ps", "Pa"): ("P0", Fraction(1)), ("Pb", "P0"): ("P0", Fraction(3, 4))}),
)
# The routes of these messages, and how many of them take each in a period.
_ROUTES = ((6, "Ps", "Pb", "P1"), (3, "Ps", "Pb", "P0"), (3, "Ps", "Pa", "P0"))


@claim(
    "legrand2003.fig2",
    number="figures 2 and 3",
    instances=copies(scatter_toy),
    page="steady-state-alltoall",
    implements=ALLTOALL,
    judged="`check`; the printed numbers of messages, by definition; the best mixture of routes",
)
def toy_scatter(asked: Copy, say: Say) -> None:
    """On figure 2 the best throughput of the scatter from Ps to P0 and P1 is 1/2: 6 messages for
    each in a period of 12, in which the arcs work for 3, 9, 2, 4 and 8, and Ps all the time. Four
    matchings carry these working times (figure 3). If every time is multiplied by c, the throughput
    is divided by c.
    """
    platform = asked.of(scatter_toy())
    _best(platform, asked.factor, say)
    for arc in platform.arcs:
        ends = str(arc.tail), str(arc.head)
        work = sum(_MESSAGES[ends].values()) * arc.cost / asked.factor
        say.require(work == _WORK[ends], f"{arc} works for {work} in a period of {_PERIOD}")
    for target in _TARGETS:
        for node in platform.nodes:
            net = sum(
                counts.get(target, 0) * ((head == node) - (tail == node))
                for (tail, head), counts in _MESSAGES.items()
            )
            expected = 6 * ((node == target) - (node == "Ps"))
            say.require(net == expected, f"{net} messages for {target} stay at {node}")
    tails, heads = ["Ps", "Pa", "Pb"], ["Pa", "Pb", "P0", "P1"]
    schedule = decompose_into_matchings(
        [(tails.index(tail), heads.index(head)) for tail, head in _WORK], list(_WORK.values())
    )
    say.accepts(schedule)
    say(matchings=len(schedule.matchings), time=schedule.value)
    fits = schedule.value == _PERIOD and len(schedule.matchings) <= 4
    say.require(fits, "the working times do not fit into 12 by four matchings")


@claim(
    "legrand2003.fig4",
    number="figures 3 and 4",
    instances=copies(scatter_toy),
    page="steady-state-alltoall",
    implements=ALLTOALL,
    judged="`check` of the printed schedules; the printed numbers of messages, by definition",
)
def toy_schedules(asked: Copy, say: Say) -> None:
    """On figure 2 the four matchings of figure 3, which take 6, 3, 2 and 1 one after the other, are
    an optimal schedule of the period 12, in which transfers are interrupted. Repeated with all
    times multiplied by 4, the least common multiple of the denominators of its numbers of messages,
    they are one of the period 48, in which none is. If every time is multiplied by c, so are the
    periods.
    """
    platform = asked.of(scatter_toy())
    solution = _best(platform, asked.factor, say)
    cost = {(str(arc.tail), str(arc.head)): arc.cost / asked.factor for arc in platform.arcs}
    carried: dict[_Ends, dict[str, Fraction]] = {}
    for lasting, arcs in _MATCHINGS:
        for nodes in zip(*arcs, strict=True):
            say.require(len(set(nodes)) == len(arcs), f"{nodes} are not different nodes")
        for ends, (target, count) in arcs.items():
            say.require(count * cost[ends] == lasting, f"{count} messages do not take {lasting}")
            row = carried.setdefault(ends, {})
            row[target] = row.get(target, Fraction(0)) + count
    say.require(carried == _MESSAGES, "the matchings do not carry the messages of figure 2")
    for times in (1, 2, 3, 4):
        schedule = _printed(platform, asked.factor, times)
        proved = say.accepts(solution.scheduled(schedule))
        say.require(proved.optimal, f"the schedule of the period {schedule.period} is slower")
        numbers = [times * count for _, arcs in _MATCHINGS for _, count in arcs.values()]
        whole = all(number.denominator == 1 for number in numbers)
        say.require(whole == schedule.whole, f"a matching carries {numbers} messages")


def _printed(platform: Platform, factor: Fraction, times: int) -> PeriodicSchedule:
    """The matchings one after the other, each this many times as long; whole if it is 4 times."""
    place = {(str(arc.tail), str(arc.head)): index for index, arc in enumerate(platform.arcs)}
    slots: list[Slot] = []
    now = 0
    for lasting, arcs in _MATCHINGS:
        slots += [Slot(place[ends], now, now + times * lasting) for ends in arcs]
        now += times * lasting
    structures = []
    for count, *nodes in _ROUTES:
        part = _TARGETS.index(nodes[-1])
        tasks = tuple((place[ends], part) for ends in pairwise(nodes))
        structures.append(Structure(times * count, part, tasks))
    return PeriodicSchedule(factor * now, factor, tuple(structures), tuple(slots), times == 4)


def _best(platform: Platform, factor: Fraction, say: Say) -> Solution:
    """The optimum, which is 1/2 on the figure."""
    problem = Alltoall(platform, tuple(Demand("Ps", target, Fraction(1)) for target in _TARGETS))
    solution = solve_alltoall(problem)
    proved = say.accepts(solution)
    say(throughput=to_json(proved.throughput))
    right = proved.optimal and proved.throughput * factor == Fraction(1, 2)
    say.require(right, "the throughput is not 1/2")
    return solution
