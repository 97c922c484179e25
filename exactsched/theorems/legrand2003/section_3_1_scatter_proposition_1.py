"""Sections 3.1 to 3.4, series of scatters: SSSP(G), lemma 1, proposition 1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from exactsched.exact.rational import to_json
from exactsched.graphs.matching_decomposition import decompose_into_matchings
from exactsched.instances.alltoall import (
    ONE_ARC,
    SCATTER_SCHEDULES,
    SCATTERS,
    UNIT_SCATTERS,
    AlltoallSchedule,
)
from exactsched.instances.figures import Copy, copies
from exactsched.instances.instance_type import Bounds
from exactsched.model.problem import Alltoall
from exactsched.oracles.alltoall import printed_scatter
from exactsched.platforms.papers import scatter_toy
from exactsched.steady_state.alltoall import solve_alltoall
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.legrand2003.series import (
    ALLTOALL,
    RUNS,
    SCHEDULES,
    asymptotically_optimal,
    no_schedule_is_faster,
    routes_are_optimal,
    same_optimum,
)


@claim(
    "legrand2003.sssp",
    number="SSSP(G), section 3.1",
    status="corrected",
    corrects="legrand2003.sssp.printed",
    instances=SCATTERS,
    page="steady-state-alltoall",
    implements=ALLTOALL,
    judged="`check`; the programs, stated row by row; all simple paths on small platforms",
)
def sssp(problem: Alltoall, say: Say) -> None:
    """The throughput of a series of scatters is the optimum of SSSP(G): a flow for every target,
    conserved at all nodes but the source and the target, where what arrives net is TP, no port busy
    for more than all the time. A single flow of volume has the same optimum, and so have all simple
    paths; as many of these are enough as there are resources and demands. Messages of any sizes,
    each of the port models.
    """
    routes_are_optimal(problem, say)


@claim(
    "legrand2003.sssp.printed",
    number="SSSP(G), section 3.1",
    counterexample=lambda: ONE_ARC,
    instances=UNIT_SCATTERS,
    corners=UNIT_SCATTERS.corners,
    page="steady-state-alltoall",
    implements=ALLTOALL,
    judged="the program as printed, and as corrected",
)
def sssp_as_printed(problem: Alltoall, say: Say) -> None:
    """The optimum of SSSP(G) with (5) for every node but the target, the source included, and with
    all in (6) that enters the target is the throughput of a series of scatters. (With the source
    exempt, too, a message may leave its target and count again.)
    """
    if len(problem.sources) > 1:
        say.not_applicable("a scatter has a single source")
    say(source_exempt=to_json(printed_scatter(problem, problem.sources)))
    same_optimum(problem, printed_scatter(problem, ()), say)


@claim(
    "legrand2003.lemma1.scatter",
    number="lemma 1",
    status="sharpened",
    instances=SCATTER_SCHEDULES,
    page="steady-state-alltoall",
    implements=(*RUNS, *ALLTOALL),
    judged="`check`; potentials by definition; random schedules, task by task",
)
def lemma_1(instance: AlltoallSchedule, say: Say) -> None:
    """No schedule of scatters is faster than the optimum TP of SSSP(G). For all prices p >= 0 of
    the resources, and under them the least cost P of a message for each demand together: a
    schedule, periodic or not, that completes M operations within K has M P <= K Y, Y the sum of all
    p. Hence M <= K TP.
    """
    no_schedule_is_faster(instance, solve_alltoall(instance.problem), say)


@claim(
    "legrand2003.prop1",
    number="proposition 1; the paper takes the diameter for H",
    status="corrected",
    instances=SCATTERS,
    bounds=Bounds(4, 7, 16),
    page="steady-state-alltoall",
    implements=(*SCHEDULES, *ALLTOALL),
    judged="`check`; `simulate`; rows of tasks counted again",
)
def proposition_1(problem: Alltoall, say: Say) -> None:
    """Asymptotic optimality of scatters, with its constant. A periodic schedule of an optimum with
    TP > 0, of the shortest period T in which all weights are whole, and with H arcs on the longest
    of its routes completes M operations within M / TP + H T and at least TP (K - H T) by any time
    K; no schedule completes more than TP K.
    """
    solution = solve_alltoall(problem)
    if not solution.throughput:
        say.not_applicable("some target cannot be reached")
    asymptotically_optimal(solution, say)


# Figure 2(b): how many messages for which target go over an arc in a period of 12.
_IN_A_PERIOD = {
    ("Ps", "Pa"): {"P0": 3},
    ("Ps", "Pb"): {"P0": 3, "P1": 6},
    ("Pa", "P0"): {"P0": 3},
    ("Pb", "P0"): {"P0": 3},
    ("Pb", "P1"): {"P1": 6},
}
# Figure 2(c): how long the arcs work in this period.
_WORK = {("Ps", "Pa"): 3, ("Ps", "Pb"): 9, ("Pa", "P0"): 2, ("Pb", "P0"): 4, ("Pb", "P1"): 8}


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
    demands: tuple[Any, ...] = (("Ps", "P0"), ("Ps", "P1"))
    problem = Alltoall(platform, demands)
    solution = solve_alltoall(problem)
    proved = say.accepts(solution)
    say(throughput=to_json(proved.throughput))
    right = proved.optimal and proved.throughput * asked.factor == Fraction(1, 2)
    say.require(right, "the throughput is not 1/2")
    for arc in platform.arcs:
        ends = str(arc.tail), str(arc.head)
        work = sum(_IN_A_PERIOD[ends].values()) * arc.cost / asked.factor
        say.require(work == _WORK[ends], f"{arc} works for {work} in a period of 12")
    for target in ("P0", "P1"):
        for node in platform.nodes:
            net = sum(
                counts.get(target, 0) * ((head == node) - (tail == node))
                for (tail, head), counts in _IN_A_PERIOD.items()
            )
            expected = 6 * ((node == target) - (node == "Ps"))
            say.require(net == expected, f"{net} messages for {target} stay at {node}")
    edges = [(ends[0], ends[1]) for ends in _WORK]
    schedule = decompose_into_matchings(
        [(_SIDES[0].index(tail), _SIDES[1].index(head)) for tail, head in edges],
        list(_WORK.values()),
    )
    say.accepts(schedule)
    say(matchings=len(schedule.matchings), time=schedule.value)
    fits = schedule.value == 12 and len(schedule.matchings) <= 4
    say.require(fits, "the working times do not fit into 12 by four matchings")


_SIDES = (["Ps", "Pa", "Pb"], ["Pa", "Pb", "P0", "P1"])
