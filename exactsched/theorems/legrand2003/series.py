"""What claims on series of alltoalls and of reductions share: optima, any run, long runs."""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Any

from exactsched.certificate.bounds import DistanceBound
from exactsched.exact.rational import to_json
from exactsched.instances.alltoall import AlltoallSchedule
from exactsched.instances.choices import Replayed
from exactsched.instances.reduce import ReductionSchedule
from exactsched.instances.series import any_order
from exactsched.model.problem import Alltoall, Reduction
from exactsched.model.resources import place_resources, resources
from exactsched.model.tasks import State, makes, wanted
from exactsched.oracles.alltoall import (
    flow_for_every_demand,
    flow_for_every_source,
    no_routes,
    routes,
)
from exactsched.oracles.collectives import simulate_series
from exactsched.oracles.series import (
    best_mixture,
    complete,
    completions,
    least_costs,
    load,
    ranks,
)
from exactsched.oracles.transfers import ImpossibleError
from exactsched.runs.finite_run import makespan_guarantee, run_operations
from exactsched.simulation import simulate
from exactsched.steady_state.alltoall import solve_alltoall
from exactsched.steady_state.solution import Solution
from exactsched.theorems.claim import Say

# What is put to the test.
ALLTOALL = (
    "exactsched/steady_state/alltoall.py",
    "exactsched/steady_state/route_packing.py",
)
RUNS = ("exactsched/runs/finite_run.py", "exactsched/runs/time_scaling.py")
SCHEDULES = ("exactsched/steady_state/solution.py", "exactsched/steady_state/schedule.py")

# Paths are listed if there are at most this many for every demand, on at most this many nodes.
_PATHS, _NODES = 30, 4
# Operations that are played event by event, and pieces of work in all.
_PLAYED = 12
_PIECES = 400
# Operations of schedules that others make, and how these choose their tasks (`any_order`).
_OTHERS = 6
_PICKS = ((), (1, 0, 2, 0, 1, 3) * 40, (5, 3, 1, 4, 2) * 40)


def is_optimal(solution: Solution, say: Say) -> None:
    """Schedule and bound prove the throughput, and no resource works more than full time."""
    claim = say.accepts(solution)
    agree = claim.optimal and claim.bound == solution.throughput
    say.require(agree, "schedule and bound do not agree")
    busy = load(solution.problem, [(one.tasks, one.weight) for one in solution.structures])
    for name, time in busy.items():
        say.require(time <= 1, f"{name} works more than full time")


# SSSP(G) and SSPA2A(G) ---------------------------------------------------------------------------


def routes_are_optimal(problem: Alltoall, say: Say) -> None:
    """The solution has simple paths, few of them, and the value of all programs and paths."""
    solution = solve_alltoall(problem)
    throughput, found = solution.throughput, solution.structures
    assert isinstance(solution.proof, DistanceBound)
    prices = len(solution.proof.prices)
    say(throughput=to_json(throughput), routes=len(found), prices=prices)
    is_optimal(solution, say)
    reason = no_routes(problem, found, throughput)
    say.require(not reason, reason)
    few = len(found) <= len(resources(problem)) + len(problem.demands)
    say.require(few, "more routes than resources and demands")
    values = {
        "a flow for every demand": flow_for_every_demand(problem),
        "a flow for every source": flow_for_every_source(problem),
    }
    if len(problem.platform.nodes) <= _NODES and (listed := routes(problem, _PATHS)) is not None:
        values["all simple paths"] = best_mixture(problem, listed)
    for name, value in values.items():
        say.require(value == throughput, f"with {name} it is {value}")


def same_optimum(problem: Alltoall, printed: Fraction, say: Say) -> None:
    """A printed program has the optimum of the corrected one."""
    if problem.ports != "one-port" or any(demand.size != 1 for demand in problem.demands):
        say.not_applicable("the paper speaks of messages of size 1 and of one port")
    best = flow_for_every_demand(problem)
    say(printed=to_json(printed), throughput=to_json(best))
    say.require(printed == best, "the program as printed has another optimum than all routes")


# Lemma 1 -----------------------------------------------------------------------------------------


def no_schedule_is_faster(
    instance: AlltoallSchedule | ReductionSchedule, solution: Solution, say: Say
) -> None:
    """Lemma 1 for the schedule of the instance and for the best run of its number of operations.

    M operations within K: M P <= K Y for the prices of the resources, in the order of their names,
    P the potential of what is wanted by definition; and M <= K TP for what is proved.  With several
    goals each pays an equal part of every price.
    """
    problem, prices = instance.problem, instance.prices
    names = sorted({name for used in place_resources(problem) for name in used})
    priced = {name: prices[at % len(prices)] for at, name in enumerate(names)}
    least = least_costs(problem, priced)
    say(throughput=to_json(solution.throughput), bound=to_json(solution.bound))
    reachable = all(state in least for state in wanted(problem))
    say.require(
        reachable == (solution.throughput > 0),
        "the throughput is 0 where, and only where, nothing can be done",
    )
    claim = say.accepts(solution)
    say.require(claim.bound == solution.bound, "the proved bound is not the stated one")
    if not reachable:
        say(operations=0)
        return
    shares = len(problem.goals) if isinstance(problem, Reduction) else 1
    potential = sum((least[state] for state in wanted(problem)), start=Fraction(0)) / shares
    ends = completions(problem, instance.order)
    ran = _ends_of_run(solution, instance.operations, say)
    for listed in (ends, ran):
        for done, end in enumerate(listed, start=1):
            say.require(done <= end * solution.bound, f"{done} operations by {end}")
            paid = done * potential <= end * sum(priced.values())
            say.require(paid, f"{done} operations cost more than {end} pays for")
    within = to_json(ends[-1] if ends else 0)
    say(operations=len(ends), within=within, run=to_json(ran[-1]))


def _ends_of_run(solution: Solution, operations: int, say: Say) -> list[Fraction]:
    """When the operations of the package's own run are complete; the run is what it says."""
    problem, run = solution.problem, run_operations(solution, operations)
    claim = say.accepts(run)
    last: dict[tuple[int, int], Fraction] = {}
    for task, operation, _, stop in run.rows:
        last[operation, task] = max(stop * run.tick, last.get((operation, task), Fraction(0)))
    known: dict[tuple[int, State], Fraction] = {}
    for (operation, task), end in last.items():
        key = operation, makes(problem, run.tasks[task])
        known[key] = min(end, known.get(key, end))
    ends = complete(problem, known)
    in_time = len(ends) == operations and ends[-1] <= run.makespan == claim.makespan
    say.require(in_time, "the run is not complete when it says so")
    guarantee = makespan_guarantee(solution, operations)
    most = operations / solution.throughput + solution.makespan_constant
    say.require(run.makespan <= guarantee <= most, "the run takes longer than is guaranteed")
    return ends


# Propositions 1 to 3 -----------------------------------------------------------------------------


def asymptotically_optimal(solution: Solution, say: Say) -> None:
    """Propositions 1 to 3, for TP > 0: M operations within M / TP + H T, never above TP K by K."""
    throughput, schedule = solution.throughput, solution.schedule
    is_optimal(solution, say)
    if schedule is None:
        say.refute("there is no schedule")
    period = schedule.period
    longest = max(max(ranks(solution.problem, one.tasks)) for one in solution.structures)
    say(throughput=to_json(throughput), period=to_json(period), longest=longest)
    counts = [one.weight * period for one in solution.structures]
    shortest = all(count.denominator == 1 for count in counts) and gcd(*map(int, counts)) == 1
    say.require(shortest, "it is not the shortest period in which weights are whole")
    waste = longest * period
    constant = solution.depth == longest and solution.makespan_constant == waste
    say.require(constant, "the constant is not that of the longest row of tasks")
    batch = int(throughput * period)
    played = {1, min(batch + 1, _PLAYED), min(2 * batch, _PLAYED)}
    document = solution.certificate()
    small = len(schedule.slots) * max(played) <= _PIECES
    for operations in sorted(played) if small else (1,):
        in_time = simulate(document, operations).makespan <= operations / throughput + waste
        say.require(in_time, f"{operations} operations take more than M / TP + H T")
    work = sum(one.operations * len(one.tasks) for one in schedule.structures)
    if work * (longest + 2) + len(schedule.slots) <= _PIECES:
        _refuse_unless_played(document, throughput, period, longest, say)
    _refuse_faster_others(solution, say)
    for horizon in _horizons(period, longest):
        done = solution.operations_within(horizon)
        possible = done >= 0 and throughput * (horizon - waste) <= done <= throughput * horizon
        say.require(possible, f"{done} operations by {horizon}")
        if 0 < done <= _PLAYED and small:
            complete_by = simulate(document, done).makespan
            say.require(complete_by <= horizon, f"{done} operations are not complete by {horizon}")
    for power in (2, 6):
        horizon = 10**power * waste
        quotient = solution.operations_within(horizon) / (throughput * horizon)
        say.require(1 - Fraction(1, 10**power) <= quotient <= 1, "the quotient does not tend to 1")
    say(operations=to_json(batch))


def _refuse_unless_played(
    document: dict[str, Any], throughput: Fraction, period: Fraction, longest: int, say: Say
) -> None:
    """Played by definition, H and H + 2 periods complete as many operations as they should."""
    for periods in (longest, longest + 2):
        try:
            done = simulate_series(document, periods)
        except ImpossibleError as error:
            say.refute(f"played by definition: {error}")
        time = periods * period
        enough = throughput * (time - longest * period) <= done <= throughput * time
        say.require(enough, f"played for {periods} periods, {done} operations are complete")


def _refuse_faster_others(solution: Solution, say: Say) -> None:
    """Operations by random schemes, one after the other or mixed, are never above TP K by K."""
    problem = solution.problem
    assert isinstance(problem, Alltoall | Reduction)
    for picks in _PICKS:
        order = any_order(problem, Replayed(picks), _OTHERS)
        for done, end in enumerate(completions(problem, order), start=1):
            within = done <= solution.throughput * end
            say.require(within, f"another schedule completes {done} operations by {end}")


def _horizons(period: Fraction, longest: int) -> list[Fraction]:
    """Before, at and after the end of each of the first periods, and much later."""
    ends = [period * count for count in range(1, longest + 3)]
    return [end * part for end in ends for part in (Fraction(9, 10), 1)] + [1000 * ends[-1]]
