"""Sections 3.1 to 3.4, series of scatters: SSSP(G), lemma 1, proposition 1."""

from __future__ import annotations

from exactsched.exact.rational import to_json
from exactsched.instances.alltoall import (
    ONE_ARC,
    SCATTER_SCHEDULES,
    SCATTERS,
    UNIT_SCATTERS,
    AlltoallSchedule,
)
from exactsched.instances.instance_type import Bounds
from exactsched.model.problem import Alltoall
from exactsched.oracles.alltoall import printed_scatter
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
