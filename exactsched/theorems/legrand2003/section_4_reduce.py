"""Series of reductions: RR-4872, section 4, and parallel prefixes, section 6."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import floor

from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.platforms import reduction
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Reduction
from exactsched.model.resources import resources
from exactsched.oracles.reductions import (
    TOY,
    ReductionSchedule,
    any_reduction,
    flow_of_results,
    no_tree,
    possible_reduction,
    schedule_of,
    simple_schedule,
    trees,
)
from exactsched.steady_state.fixed_period import best_for_period, with_period
from exactsched.steady_state.reduce import solve_reduction
from exactsched.steady_state.reduction_program import optimal_rates, refuse_unless_feasible
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted
from exactsched.theorems.legrand2003 import (
    section_4_extract_trees as extracted_trees,
)
from exactsched.theorems.legrand2003 import (
    section_6_prefix as prefixes,
)
from exactsched.theorems.legrand2003.series import (
    asymptotically_optimal,
    best_mixture,
    no_schedule_is_faster,
    overload,
    proved,
    shortcoming,
)

_PAPER = "Legrand, Marchal, Robert, RR-4872 (2003)"
# Reduction trees are listed if they are no more.
_TREES = 60


@dataclass(frozen=True)
class ReductionPeriod:
    """A period of `operations` / TP, for the optimal throughput TP."""

    problem: Reduction
    operations: Fraction


# Checks ------------------------------------------------------------------------------------------


def _optimum(problem: Reduction) -> Verdict:
    solution = solve_reduction(problem)
    throughput = solution.throughput
    facts = {"throughput": to_json(throughput), "trees": len(solution.structures)}
    reason = shortcoming(solution)
    if reason:
        return refuted(reason, **facts)
    if busy := overload(solution):
        return refuted(f"{busy} works more than full time", **facts)
    if len(solution.structures) > len(resources(problem)):
        return refuted("more trees than resources", **facts)
    for tree in solution.structures:
        if reason := no_tree(problem, tree.tasks):
            return refuted(reason, **facts)
    best = optimal_rates(problem)
    found = refuse_unless_feasible(problem, best.rates)
    if not best.throughput == found == throughput:
        return refuted(f"the best rates reach {found}", **facts)
    if (value := flow_of_results(problem)) != throughput:
        return refuted(f"the program, row by row, has the optimum {value}", **facts)
    listed = list(islice(trees(problem, *problem.goals[0]), _TREES + 1))
    if len(listed) <= _TREES and (value := best_mixture(problem, [listed])) != throughput:
        return refuted(f"all {len(listed)} trees together reach {value}", **facts)
    return held(**facts)


def _literal(problem: Reduction) -> Verdict:
    if [interval for interval, _ in problem.goals] != [(0, len(problem.owners) - 1)]:
        return not_applicable("the paper reduces all values to a single target")
    printed, best = flow_of_results(problem, gross=True), flow_of_results(problem)
    facts = {"printed": to_json(printed), "throughput": to_json(best)}
    if printed != best:
        return refuted("the program as printed has another optimum than all trees", **facts)
    return held(**facts)


def _lemma(instance: ReductionSchedule) -> Verdict:
    solution = solve_reduction(instance.problem)
    return no_schedule_is_faster(
        instance.problem, instance.order, instance.prices, instance.operations, solution
    )


def _proposition_3(problem: Reduction) -> Verdict:
    solution = solve_reduction(problem)
    if not solution.throughput:
        return not_applicable("there is no reduction tree")
    return asymptotically_optimal(solution)


def _proposition_4(instance: ReductionPeriod) -> Verdict:
    solution = solve_reduction(instance.problem)
    throughput, trees = solution.throughput, solution.structures
    if not throughput or instance.operations <= 0:
        return not_applicable("there is no reduction tree, or no period")
    period = instance.operations / throughput
    rounded = sum(floor(tree.weight * period) for tree in trees)
    most = floor(instance.operations)
    facts: dict[str, int | str] = {"trees": len(trees), "rounded": rounded, "most": most}
    if not instance.operations - len(trees) < rounded <= most:
        return refuted("rounding down loses an operation for each tree", **facts)
    try:
        fixed = with_period(solution, period)
    except InvalidInput as error:
        if rounded:
            return refuted(f"something fits: {error}", **facts)
        return held(**facts, operations=0)
    operations = fixed.throughput * period
    facts["operations"] = to_json(operations)
    try:
        claim = proved(fixed)
    except Rejected as error:
        return refuted(f"the schedule is refused: {error}", **facts)
    stated = None if fixed.schedule is None else fixed.schedule.period
    if stated != period or claim.throughput != fixed.throughput or operations.denominator > 1:
        return refuted("it is no schedule with this period", **facts)
    if not rounded <= operations <= most or best_for_period(fixed) != (operations == most):
        return refuted("fewer operations than by rounding down, or more than TP T", **facts)
    return held(**facts)


# Instances ---------------------------------------------------------------------------------------


def _of_all_values(choices: Choices, bound: int) -> Reduction:
    """The result of all values is wanted, at a node that has not got it."""
    made = reduction(choices, ports="one-port", max_nodes=bound, max_values=3)
    _, target = made.goals[0]
    return replace(made, goals=(((0, len(made.owners) - 1), target),))


def _schedule(choices: Choices, bound: int) -> ReductionSchedule:
    return schedule_of(any_reduction(choices, bound), choices)


def _period(choices: Choices, bound: int) -> ReductionPeriod:
    return ReductionPeriod(possible_reduction(choices, bound), choices.fraction(40, (1, 2, 3, 7)))


_PAIR = Platform("ta", both_ways([("t", "a", 1)]))
_NOBODY = Reduction(_PAIR, ("t", "a"), (((0, 1), "t"),), Fraction(1), ())
_LINE = Platform("abcd", both_ways([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)]))
# The values pass through their owners and the target, are joined at the end, and come back.
_DETOUR = Reduction(_LINE, ("a", "b"), (((0, 1), "c"),), Fraction(1), (("d", "1/7"),))
_ALONE = Reduction(_LINE, ("a",), (((0, 0), "d"),), Fraction(3), ())
_TWICE = Reduction(
    _PAIR, ("t", "a", "t", "a"), (((0, 3), "t"),), Fraction(10**30), (("t", 1), ("a", 1))
)


def _reductions() -> tuple[Reduction, ...]:
    return (_NOBODY, TOY, _DETOUR, _ALONE, _TWICE, replace(TOY, ports="link"))


_OPTIMUM = (
    "exactsched/steady_state/reduce.py",
    "exactsched/steady_state/task_packing.py",
    "exactsched/steady_state/reduction_tree.py",
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="legrand2003.ssr",
        statement=(
            "The throughput of a series of reductions is the optimum of SSR(G), where every state"
            " but the given ones and the goal is conserved, what the goal gains minus what leaves"
            " it is TP, and no port and no processor is busy for more than all the time. The best"
            " mixture of all reduction trees has the same value; as many trees are enough as there"
            " are resources, each with N tasks T[k,l,m] and 2 N + 1 intervals."
        ),
        reference=f"{_PAPER}, section 4.2, SSR(G)",
        status="corrected",
        page="steady-state-reduce",
        implemented=(*_OPTIMUM, "exactsched/steady_state/reduction_program.py"),
        checked_by="`check`; the program, stated row by row; all trees of small problems",
        instance_type=Reduction,
        instance=any_reduction,
        check=_optimum,
        bounds=Bounds(3, 4, 8),
        corners=_reductions,
        corrects="legrand2003.ssr.printed",
    ),
    Claim(
        id="legrand2003.ssr.printed",
        statement=(
            "The optimum of SSR(G) with all in (11) that enters the target is the throughput of a"
            " series of reductions. (v[0,N] stands for v[0,n-1], and l is less than N.)"
        ),
        reference=f"{_PAPER}, section 4.2, SSR(G)",
        status="wrong as printed",
        page="steady-state-reduce",
        implemented=(*_OPTIMUM, "exactsched/steady_state/reduction_program.py"),
        checked_by="the program as printed, and as corrected",
        instance_type=Reduction,
        instance=_of_all_values,
        check=_literal,
        bounds=Bounds(3, 4, 8),
        corners=lambda: (TOY, _DETOUR),
        counterexample=lambda: _NOBODY,
    ),
    Claim(
        id="legrand2003.lemma1.reduce",
        statement=(
            "No schedule of reductions is faster than the optimum TP of SSR(G). For all prices"
            " p >= 0 of the resources, and P the cost of a cheapest reduction tree under them: a"
            " schedule, periodic or not, that completes M reductions within K, whatever else it"
            " does, has M P <= K Y, Y the sum of all p. Hence M <= K TP."
        ),
        reference=f"{_PAPER}, lemma 1, for reductions (section 4.5)",
        status="sharpened",
        page="steady-state-reduce",
        implemented=("exactsched/runs/finite_run.py", "exactsched/runs/time_scaling.py", *_OPTIMUM),
        checked_by="`check`; potentials by definition; random schedules, task by task",
        instance_type=ReductionSchedule,
        instance=_schedule,
        check=_lemma,
        bounds=Bounds(3, 4, 8),
        corners=lambda: tuple(map(simple_schedule, _reductions())),
    ),
    *extracted_trees.CLAIMS,
    Claim(
        id="legrand2003.prop3",
        statement=(
            "Asymptotic optimality of reductions, with its constant. A periodic schedule of an"
            " optimum with TP > 0, of the shortest period T in which all weights are whole, and"
            " with H tasks in a row at most in one of its trees completes M reductions within"
            " M / TP + H T and at least TP (K - H T) by any time K; no schedule completes more than"
            " TP K."
        ),
        reference=f"{_PAPER}, proposition 3",
        status="sharpened",
        page="steady-state-reduce",
        implemented=(
            "exactsched/steady_state/solution.py",
            "exactsched/steady_state/schedule.py",
            *_OPTIMUM,
        ),
        checked_by="`check`; `simulate`; rows of tasks counted again",
        instance_type=Reduction,
        instance=possible_reduction,
        check=_proposition_3,
        bounds=Bounds(3, 4, 8),
        corners=lambda: _reductions()[1:],
    ),
    Claim(
        id="legrand2003.prop4",
        statement=(
            "For every period T the weights of the k trees of an optimum TP, times T and rounded"
            " down, are a schedule with more than T TP - k reductions in every period; its"
            " throughput exceeds TP - k / T. The schedule returned has as many or more, and never"
            " more than the whole part of T TP."
        ),
        reference=f"{_PAPER}, proposition 4",
        status="as printed",
        page="fixed-period",
        implemented=(
            "exactsched/steady_state/fixed_period.py",
            "exactsched/steady_state/structure_counts.py",
        ),
        checked_by="`check`; weights rounded down again",
        instance_type=ReductionPeriod,
        instance=_period,
        check=_proposition_4,
        bounds=Bounds(3, 4, 8),
        corners=lambda: (
            ReductionPeriod(TOY, Fraction(3)),
            ReductionPeriod(TOY, Fraction(1, 2)),
            ReductionPeriod(_DETOUR, Fraction(7, 2)),
            ReductionPeriod(_TWICE, Fraction(10**40, 3)),
        ),
    ),
    *prefixes.CLAIMS,
)
