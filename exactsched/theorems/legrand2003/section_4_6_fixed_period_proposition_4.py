"""Section 4.6, reductions with a given period: proposition 4."""

from __future__ import annotations

from math import floor

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import to_json
from exactsched.instances.reduce import PERIODS, ReductionPeriod
from exactsched.steady_state.fixed_period import best_for_period, with_period
from exactsched.steady_state.reduce import solve_reduction
from exactsched.theorems.claim import Say, claim


@claim(
    "legrand2003.prop4",
    number="proposition 4",
    instances=PERIODS,
    page="fixed-period",
    implements=(
        "exactsched/steady_state/fixed_period.py",
        "exactsched/steady_state/structure_counts.py",
    ),
    judged="`check`; weights rounded down again",
)
def proposition_4(instance: ReductionPeriod, say: Say) -> None:
    """For every period T the weights of the k trees of an optimum TP, times T and rounded down, are
    a schedule with more than T TP - k reductions in every period; its throughput exceeds
    TP - k / T. The schedule returned has as many or more, and never more than the whole part of
    T TP.
    """
    solution = solve_reduction(instance.problem)
    throughput, trees = solution.throughput, solution.structures
    if not throughput or instance.operations <= 0:
        say.not_applicable("there is no reduction tree, or no period")
    period = instance.operations / throughput
    rounded = sum(floor(tree.weight * period) for tree in trees)
    most = floor(instance.operations)
    say(trees=len(trees), rounded=rounded, most=most)
    enough = instance.operations - len(trees) < rounded <= most
    say.require(enough, "rounding down loses an operation for each tree")
    try:
        fixed = with_period(solution, period)
    except InvalidInput as error:
        say.require(not rounded, f"something fits: {error}")
        say(operations=0)
        return
    operations = fixed.throughput * period
    say(operations=to_json(operations))
    proved = say.accepts(fixed)
    stated = None if fixed.schedule is None else fixed.schedule.period
    as_asked = stated == period and proved.throughput == fixed.throughput
    say.require(as_asked and operations.denominator == 1, "it is no schedule with this period")
    say.require(
        rounded <= operations <= most and best_for_period(fixed) == (operations == most),
        "fewer operations than by rounding down, or more than TP T",
    )
