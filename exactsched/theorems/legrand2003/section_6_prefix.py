"""Parallel prefixes: a bound for all schedules, not always reached (RR-4872, section 6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.platforms import cost, reduction
from exactsched.model.platform import Platform
from exactsched.model.problem import Reduction
from exactsched.oracles.reductions import (
    TOY,
    ReductionSchedule,
    flow_of_results,
    schedule_of,
    schemes,
    simple_schedule,
)
from exactsched.steady_state.prefix import solve_shared_reduction
from exactsched.steady_state.reduce import solve_reduction
from exactsched.steady_state.reduction_program import optimal_rates
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted
from exactsched.theorems.legrand2003.series import (
    best_mixture,
    first_possible,
    no_schedule_is_faster,
    proved,
)

_PAPER = "Legrand, Marchal, Robert, RR-4872 (2003)"
# Schemes are listed, to be sure of a gap, or for the bound, if they are no more.
_SCHEMES, _FEW = 2_000, 100


# Checks ------------------------------------------------------------------------------------------


def _prefix_bound(instance: ReductionSchedule) -> Verdict:
    problem = instance.problem
    solution = solve_shared_reduction(problem)
    verdict = no_schedule_is_faster(
        problem, instance.order, instance.prices, instance.operations, solution
    )
    if not verdict.holds:
        return verdict
    facts = dict(verdict.facts)
    if not solution.throughput <= solution.bound:
        return refuted("a schedule is faster than the bound", **facts)
    others: dict[str, Callable[[Reduction], Fraction]] = {
        "by the whole program": lambda asked: optimal_rates(asked).throughput,
        "row by row": flow_of_results,
    }
    for name, value_of in others.items():
        if (value := value_of(problem)) != solution.bound:
            return refuted(f"the optimum of the shared flows is {value}, {name}", **facts)
    for goal in problem.goals:
        if solve_reduction(replace(problem, goals=(goal,))).throughput < solution.bound:
            return refuted("a single goal bounds more than all together", **facts)
    if (listed := schemes(problem, _FEW)) is not None:
        best = best_mixture(problem, [listed])
        facts["optimum"] = to_json(best)
        if not solution.throughput <= best <= solution.bound:
            return refuted("all schemes together do better than the bound", **facts)
    if len(problem.goals) == 1 and not solution.optimal:
        return refuted("with a single goal the bound is reached", **facts)
    return held(**facts)


def _prefix_reached(problem: Reduction) -> Verdict:
    solution = solve_shared_reduction(problem)
    facts = {"bound": to_json(solution.bound), "throughput": to_json(solution.throughput)}
    if proved(solution).optimal:
        return held(**facts)
    listed = schemes(problem, _SCHEMES)
    if listed is None:
        return not_applicable("the bound is not reached by what is found, among many schemes")
    best = best_mixture(problem, [listed])
    facts |= {"schemes": len(listed), "optimum": to_json(best)}
    if best < solution.bound:
        return refuted("all schemes together do not reach the bound", **facts)
    return held(**facts)


# Instances ---------------------------------------------------------------------------------------


def _prefix(choices: Choices, bound: int) -> Reduction:
    """One in four may well have goals that cannot be made."""
    tries = 1 if choices.flip(4) else 6
    return first_possible(_any_prefix(choices, bound) for _ in range(tries))


def _any_prefix(choices: Choices, bound: int) -> Reduction:
    """The goals of a prefix; at times one more result is wanted."""
    made = reduction(choices, max_nodes=bound, max_values=3)
    owners = list(made.owners)
    while len(owners) < 3:
        owners.append(choices.one_of(made.platform.nodes))
    goals = [((0, index), owner) for index, owner in enumerate(owners) if index]
    if choices.flip(4):
        k = choices.below(len(owners) - 1)
        goals.append(((k, len(owners) - 1), choices.one_of(made.platform.nodes)))
    return replace(
        made, owners=tuple(owners), goals=tuple(dict.fromkeys(goals)), size=cost(choices)
    )


def _prefix_schedule(choices: Choices, bound: int) -> ReductionSchedule:
    return schedule_of(_prefix(choices, bound), choices)


# Both goals want the same results over the arc 0 -> 1, as in a butterfly: flows may overlap there
# as they like, those of a scheme may not.
_BUTTERFLY = Reduction(
    Platform(range(4), [(0, 1, "1/2"), (1, 2, "1/2"), (1, 3, "1/2"), (2, 0, "1/2"), (3, 0, "1/4")]),
    (2, 3, 0),
    (((0, 1), 3), ((0, 2), 0)),
    Fraction(1),
    ((1, 1), (2, 1), (3, 1)),
)
_CHAIN = Reduction(
    Platform("abc", [("a", "b", 1), ("b", "c", 1)]),
    ("a", "b", "c"),
    (((0, 1), "b"), ((0, 2), "c")),
    Fraction(1),
    (("b", "1/2"), ("c", "1/2")),
)
_SHARED = ("exactsched/steady_state/prefix.py", "exactsched/steady_state/shared_flow_bound.py")

CLAIMS = (
    Claim(
        id="legrand2003.prefix.bound",
        statement=(
            "Of a series of parallel prefixes (or of reductions with any goals) no schedule"
            " completes more than K FLOW operations within K: FLOW is the largest TP such that"
            " every goal has conserved rates of its own, of which TP arrives, and no resource works"
            " more than full time if tasks are done as often as the largest of the rates says."
            " Prices divided among the goals prove it; with a single goal FLOW is reached."
        ),
        reference=f"{_PAPER}, section 6, an open problem",
        status="new",
        page="parallel-prefix",
        implemented=_SHARED,
        checked_by="`check`; the program, stated row by row; random schedules, task by task",
        instance_type=ReductionSchedule,
        instance=_prefix_schedule,
        check=_prefix_bound,
        bounds=Bounds(3, 4, 5),
        corners=lambda: tuple(
            map(simple_schedule, (_CHAIN, _BUTTERFLY, replace(_BUTTERFLY, ports="link"), TOY))
        ),
        corrects="legrand2003.prefix.reached",
    ),
    Claim(
        id="legrand2003.prefix.reached",
        statement=(
            "Schedules of parallel prefixes reach the optimum FLOW of the program in which a task"
            " is done as often as the largest rate of a goal says. (The paper asks; it does not"
            " claim it.)"
        ),
        reference=f"{_PAPER}, section 6, an open problem",
        status="wrong as printed",
        page="parallel-prefix",
        implemented=_SHARED,
        checked_by="`check`; all schemes, and the best mixture of them",
        instance_type=Reduction,
        instance=_prefix,
        check=_prefix_reached,
        bounds=Bounds(3, 4, 5),
        corners=lambda: (_CHAIN,),
        counterexample=lambda: _BUTTERFLY,
    ),
)
