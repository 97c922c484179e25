"""Section 3.5, series of alltoalls: SSPA2A(G), lemma 1, proposition 2."""

from __future__ import annotations

from exactsched.instances.alltoall import (
    ALLGATHERS,
    ALLTOALL_SCHEDULES,
    ALLTOALLS,
    ONE_PAIR,
    SERVED_ALLTOALLS,
    AlltoallSchedule,
)
from exactsched.model.problem import Alltoall
from exactsched.oracles.alltoall import printed_alltoall
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
    "legrand2003.sspa2a",
    number="SSPA2A(G), section 3.5",
    status="corrected",
    corrects="legrand2003.sspa2a.printed",
    instances=ALLTOALLS,
    page="steady-state-alltoall",
    implements=ALLTOALL,
    judged="`check`; the programs, stated row by row; all simple paths on small platforms",
)
def sspa2a(problem: Alltoall, say: Say) -> None:
    """The throughput of a series of alltoalls is the optimum of SSPA2A(G): a flow for each
    demand, conserved at all nodes but its two ends, where what arrives net at the target is TP, no
    port busy for more than all the time. One flow of volume for every source has the same optimum,
    and so have all simple paths; as many of these are enough as there are resources and demands.
    Any sizes, each of the port models.
    """
    routes_are_optimal(problem, say)


@claim(
    "legrand2003.sspa2a.printed",
    number="SSPA2A(G), section 3.5",
    counterexample=lambda: ONE_PAIR,
    instances=ALLGATHERS,
    corners=ALLGATHERS.corners,
    page="steady-state-alltoall",
    implements=ALLTOALL,
    judged="the program as printed, and as corrected",
)
def sspa2a_as_printed(problem: Alltoall, say: Say) -> None:
    """The optimum of SSPA2A(G) with messages m[k,l] for all sources k and all targets l, those with
    k = l included, and with all in the last line that enters the target is the throughput of a
    series of alltoalls.
    """
    targets = {demand.target for demand in problem.demands}
    pairs = {(source, target) for source in problem.sources for target in targets}
    if len(problem.demands) < sum(source != target for source, target in pairs):
        say.not_applicable("a message goes from every source to every target")
    same_optimum(problem, printed_alltoall(problem), say)


@claim(
    "legrand2003.lemma1.alltoall",
    number="lemma 1, for alltoalls (section 3.5)",
    status="sharpened",
    instances=ALLTOALL_SCHEDULES,
    page="steady-state-alltoall",
    implements=(*RUNS, *ALLTOALL),
    judged="`check`; potentials by definition; random schedules, task by task",
)
def lemma_1(instance: AlltoallSchedule, say: Say) -> None:
    """No schedule of alltoalls is faster than the optimum TP of SSPA2A(G). For all prices p >= 0
    of the resources, and under them the least cost P of a message for each demand together: a
    schedule, periodic or not, that completes M operations within K has M P <= K Y, Y the sum of all
    p. Hence M <= K TP.
    """
    no_schedule_is_faster(instance, solve_alltoall(instance.problem), say)


@claim(
    "legrand2003.prop2",
    number="proposition 2",
    status="sharpened",
    instances=SERVED_ALLTOALLS,
    page="steady-state-alltoall",
    implements=(*SCHEDULES, *ALLTOALL),
    judged="`check`; `simulate`; rows of tasks counted again",
)
def proposition_2(problem: Alltoall, say: Say) -> None:
    """Asymptotic optimality of alltoalls, with its constant. A periodic schedule of an optimum
    with TP > 0, of the shortest period T in which all weights are whole, and with H arcs on the
    longest of its routes completes M operations within M / TP + H T and at least TP (K - H T) by
    any time K; no schedule completes more than TP K.
    """
    solution = solve_alltoall(problem)
    if not solution.throughput:
        say.not_applicable("some target cannot be reached")
    asymptotically_optimal(solution, say)
