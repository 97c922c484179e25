"""Sections 4.2 and 4.5, series of reductions: SSR(G), lemma 1 again, proposition 3."""

from __future__ import annotations

from exactsched.exact.rational import to_json
from exactsched.instances.reduce import (
    NOBODY_COMPUTES,
    POSSIBLE_REDUCTIONS,
    REDUCTION_SCHEDULES,
    REDUCTIONS,
    REDUCTIONS_OF_ALL_VALUES,
    ReductionSchedule,
)
from exactsched.model.problem import Reduction
from exactsched.model.resources import resources
from exactsched.oracles.reduce import flow_of_results, no_tree, reduction_program, trees_at_most
from exactsched.oracles.series import best_mixture
from exactsched.steady_state.reduce import solve_reduction
from exactsched.steady_state.reduction_program import optimal_rates, refuse_unless_feasible
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.legrand2003.series import (
    RUNS,
    SCHEDULES,
    asymptotically_optimal,
    is_optimal,
    no_schedule_is_faster,
)

# Reduction trees are listed if there are at most this many.
_TREES = 60

_SOLVER = (
    "exactsched/steady_state/reduce.py",
    "exactsched/steady_state/task_packing.py",
    "exactsched/steady_state/reduction_tree.py",
)
_PROGRAM = "exactsched/steady_state/reduction_program.py"


@claim(
    "legrand2003.ssr",
    number="SSR(G), section 4.2",
    status="corrected",
    corrects="legrand2003.ssr.printed",
    instances=REDUCTIONS,
    page="steady-state-reduce",
    implements=(*_SOLVER, _PROGRAM),
    judged="`check`; the program, stated row by row; all trees of small problems",
)
def ssr(problem: Reduction, say: Say) -> None:
    """The throughput of a series of reductions is the optimum of SSR(G), where every state but the
    given ones and the goal is conserved, what the goal gains minus what leaves it is TP, and no
    port and no processor is busy for more than all the time. The best mixture of all reduction
    trees has the same value; as many trees are enough as there are resources, each with N tasks
    T[k,l,m] and 2 N + 1 intervals.
    """
    solution = solve_reduction(problem)
    throughput, found = solution.throughput, solution.structures
    say(throughput=to_json(throughput), trees=len(found))
    is_optimal(solution, say)
    say.require(len(found) <= len(resources(problem)), "more trees than resources")
    for tree in found:
        reason = no_tree(problem, tree.tasks)
        say.require(not reason, reason)
    best = optimal_rates(problem)
    reached = refuse_unless_feasible(problem, best.rates)
    agree = best.throughput == reached == throughput
    say.require(agree, f"the best rates reach {reached}")
    value = flow_of_results(problem)
    say.require(value == throughput, f"the program, row by row, has the optimum {value}")
    listed = trees_at_most(problem, _TREES)
    if listed is not None:
        value = best_mixture(problem, [listed])
        say.require(value == throughput, f"all {len(listed)} trees together reach {value}")


@claim(
    "legrand2003.ssr.printed",
    number="SSR(G), section 4.2",
    counterexample=lambda: NOBODY_COMPUTES,
    instances=REDUCTIONS_OF_ALL_VALUES,
    corners=REDUCTIONS_OF_ALL_VALUES.corners,
    page="steady-state-reduce",
    implements=(*_SOLVER, _PROGRAM),
    judged="the program as printed, and as corrected",
)
def ssr_as_printed(problem: Reduction, say: Say) -> None:
    """The optimum of SSR(G) with all in (11) that enters the target is the throughput of a series
    of reductions. (v[0,N] stands for v[0,n-1], and l is less than N.)
    """
    if [interval for interval, _ in problem.goals] != [(0, len(problem.owners) - 1)]:
        say.not_applicable("the paper reduces all values to a single target")
    printed, best = reduction_program(problem, gross=True).value(), flow_of_results(problem)
    say(printed=to_json(printed), throughput=to_json(best))
    say.require(printed == best, "the program as printed has another optimum than all trees")


@claim(
    "legrand2003.lemma1.reduce",
    number="lemma 1, for reductions (section 4.5)",
    status="sharpened",
    instances=REDUCTION_SCHEDULES,
    page="steady-state-reduce",
    implements=(*RUNS, *_SOLVER),
    judged="`check`; potentials by definition; random schedules, task by task",
)
def lemma_1(instance: ReductionSchedule, say: Say) -> None:
    """No schedule of reductions is faster than the optimum TP of SSR(G). For all prices p >= 0 of
    the resources, and P the cost of a cheapest reduction tree under them: a schedule, periodic or
    not, that completes M reductions within K, whatever else it does, has M P <= K Y, Y the sum of
    all p. Hence M <= K TP.
    """
    no_schedule_is_faster(instance, solve_reduction(instance.problem), say)


@claim(
    "legrand2003.prop3",
    number="proposition 3",
    status="sharpened",
    instances=POSSIBLE_REDUCTIONS,
    page="steady-state-reduce",
    implements=(*SCHEDULES, *_SOLVER),
    judged="`check`; `simulate`; rows of tasks counted again",
)
def proposition_3(problem: Reduction, say: Say) -> None:
    """Asymptotic optimality of reductions, with its constant. A periodic schedule of an optimum
    with TP > 0, of the shortest period T in which all weights are whole, and with H tasks in a row
    at most in one of its trees completes M reductions within M / TP + H T and at least TP (K - H T)
    by any time K; no schedule completes more than TP K.
    """
    solution = solve_reduction(problem)
    if not solution.throughput:
        say.not_applicable("there is no reduction tree")
    asymptotically_optimal(solution, say)
