"""Section 6, parallel prefixes, an open problem: a bound for all schedules, not always reached."""

from __future__ import annotations

from dataclasses import replace

from exactsched.exact.rational import to_json
from exactsched.instances.reduce import BUTTERFLY, PREFIX_SCHEDULES, PREFIXES, ReductionSchedule
from exactsched.model.problem import Reduction
from exactsched.oracles.reduce import flow_of_results, schemes
from exactsched.oracles.series import best_mixture
from exactsched.steady_state.prefix import solve_shared_reduction
from exactsched.steady_state.reduce import solve_reduction
from exactsched.steady_state.reduction_program import optimal_rates
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.legrand2003.series import no_schedule_is_faster

# All schemes are listed if there are at most this many: to be sure of a gap, or for the bound.
_SCHEMES, _FEW = 2_000, 100

_SOLVER = ("exactsched/steady_state/prefix.py", "exactsched/steady_state/shared_flow_bound.py")


@claim(
    "legrand2003.prefix.bound",
    number="section 6: parallel prefix",
    reference="RR-4872, section 6, an open problem",
    status="new",
    corrects="legrand2003.prefix.reached",
    instances=PREFIX_SCHEDULES,
    page="parallel-prefix",
    implements=_SOLVER,
    judged="`check`; the program, stated row by row; random schedules, task by task",
)
def prefix_bound(instance: ReductionSchedule, say: Say) -> None:
    """Of a series of parallel prefixes (or of reductions with any goals) no schedule completes more
    than K FLOW operations within K: FLOW is the largest TP such that every goal has conserved rates
    of its own, of which TP arrives, and no resource works more than full time if tasks are done as
    often as the largest of the rates says. Prices divided among the goals prove it; with a single
    goal FLOW is reached.
    """
    problem = instance.problem
    solution = solve_shared_reduction(problem)
    no_schedule_is_faster(instance, solution, say)
    say.require(solution.throughput <= solution.bound, "a schedule is faster than the bound")
    values = {
        "by the whole program": optimal_rates(problem).throughput,
        "row by row": flow_of_results(problem),
    }
    for name, value in values.items():
        reached = value == solution.bound
        say.require(reached, f"the optimum of the shared flows is {value}, {name}")
    for goal in problem.goals:
        alone = solve_reduction(replace(problem, goals=(goal,))).throughput
        say.require(alone >= solution.bound, "a single goal bounds more than all together")
    if (listed := schemes(problem, _FEW)) is not None:
        best = best_mixture(problem, [listed])
        say(optimum=to_json(best))
        between = solution.throughput <= best <= solution.bound
        say.require(between, "all schemes together do better than the bound")
    single = len(problem.goals) == 1
    say.require(solution.optimal or not single, "with a single goal the bound is reached")


@claim(
    "legrand2003.prefix.reached",
    number="section 6: parallel prefix",
    reference="RR-4872, section 6, an open problem",
    status="asked, answered no",
    counterexample=lambda: BUTTERFLY,
    instances=PREFIXES,
    corners=PREFIXES.corners,
    page="parallel-prefix",
    implements=_SOLVER,
    judged="`check`; all schemes, and the best mixture of them",
)
def prefix_bound_is_reached(problem: Reduction, say: Say) -> None:
    """Schedules of parallel prefixes reach the optimum FLOW of the program in which a task is done
    as often as the largest rate of a goal says. (The paper asks; it does not claim it.)
    """
    solution = solve_shared_reduction(problem)
    say(bound=to_json(solution.bound), throughput=to_json(solution.throughput))
    if say.accepts(solution).optimal:
        return
    listed = schemes(problem, _SCHEMES)
    if listed is None:
        say.not_applicable("the bound is not reached by what is found, among many schemes")
    best = best_mixture(problem, [listed])
    say(schemes=len(listed), optimum=to_json(best))
    say.require(best >= solution.bound, "all schemes together do not reach the bound")
