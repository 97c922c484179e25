"""Finite runs of a series: every task with start and end, and a proved excess over the optimum.

The layout is that of `time_scaling`; here are the request, the bound and the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import cast

from exactsched.certificate.bounds import Bound, CutBound
from exactsched.certificate.collectives import Row, Run
from exactsched.certificate.limits import MAX_PACKETS
from exactsched.certificate.result import Result
from exactsched.exact.arguments import plain
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact, text
from exactsched.exact.search_limits import until
from exactsched.graphs.reachability import breadth_first
from exactsched.linear_programs.column_generation import Listener, Progress
from exactsched.model.problem import Broadcast, Collective
from exactsched.model.tasks import State, Task, given, makes, needs, parts
from exactsched.model.unreachable import unreachable_in_words
from exactsched.runs.list_scheduling import Piece, Ports, by_priority, earliest_arrival_tree
from exactsched.runs.time_scaling import (
    MANY_ROWS,
    Steady,
    coarsest,
    laid_out,
    longest_within,
    plans,
    shortest,
)
from exactsched.steady_state.around_cycle import SolutionAroundCycle
from exactsched.steady_state.broadcast import solve_series
from exactsched.steady_state.odd_sets import offered
from exactsched.steady_state.slots import common_measure
from exactsched.steady_state.solution import Solution, solution_of

# Rows of a run that is still a document: about 150 MB.  More operations than that are described
# by the periodic schedule, which is as long for all of them as for one.
MAX_ROWS = 5_000_000


@dataclass(frozen=True)
class FiniteRun(Result):
    """A schedule of `operations` operations with a start and an end, and a bound on all others.

    `sizes` has the size of each operation of a broadcast (a packet), and is empty where all are 1.
    `rows` holds (index into `tasks`, operation, start, end) in units of `tick`, by start;
    `makespan` is the last end.  `proof` shows that no schedule of these operations ends before
    `bound`.
    """

    problem: Collective
    operations: int
    sizes: tuple[Fraction, ...]
    tick: Fraction
    tasks: tuple[Task, ...]
    rows: tuple[Row, ...]
    makespan: Fraction
    bound: Fraction
    proof: Bound

    @property
    def optimal(self) -> bool:
        return self.makespan == self.bound

    @property
    def excess(self) -> Fraction:
        """How far the makespan is from the bound; the optimum lies between the two."""
        return self.makespan - self.bound

    def record(self) -> Run:
        """What the certificate of kind ``run`` says."""
        return Run(
            self.problem,
            self.operations,
            self.sizes,
            self.makespan,
            self.bound,
            self.optimal,
            self.tick,
            self.tasks,
            self.rows,
            self.proof,
        )


def run_operations(
    solution: Solution,
    operations: int,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> FiniteRun:
    """M operations take at most M / throughput + C, with C independent of M; here is the schedule.

    The makespan is at most `makespan_guarantee(solution, operations)`, which never exceeds M /
    throughput + `solution.makespan_constant` and does not depend on the period where that is long.
    Several layouts are tried and the shortest kept, a first one at least after `time_limit`
    seconds, or if `progress`, as in `broadcast`, returns True.  A task may be interrupted.  In
    every operation each part is carried out by one of its structures.  Under a restriction the
    structures of the solution are used, while the bound holds for all schedules.

    Time is proportional to the number of rows, about two for each task of an operation (a second
    for 100,000, with times of few digits).  Raises `InvalidInput` for M < 1, for throughput 0, and
    for more than MAX_ROWS tasks or MAX_PACKETS operations.

    Reference: RR-4871, theorem 7; RR-4872, propositions 1 to 3, whose constant is a number of
    periods.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> run = run_operations(scatter(chain, "a", ["c"]), 10)
    >>> run.makespan, run.bound, run.tasks, run.rows[1]
    (Fraction(11, 1), Fraction(10, 1), ((0, 0), (1, 0)), Row(task=0, operation=1, start=1, end=2))
    """
    progress = until(time_limit, progress)
    solution, operations = solution_of(solution), plain(operations)
    _refuse_request(solution, operations)
    steady = _steady(solution)
    candidates: Iterable[tuple[Fraction, list[Piece]]]
    candidates = laid_out(steady, operations, Listener(progress, solution.bound).patience)
    asked = solution.problem
    free = isinstance(asked, Broadcast) and asked.restrict == "none"
    if free and steady.rows(operations) <= MANY_ROWS:
        candidates = chain(candidates, _quick_start(cast(Broadcast, asked), operations))
    solution = _unrestricted(solution)
    tick, rows = shortest(candidates)
    bound = operations / solution.bound
    return finished_run(
        solution.problem, operations, (), tick, steady.listed, rows, bound, solution.proof
    )


def run_within(
    solution: Solution,
    horizon: Fraction | int | str,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> FiniteRun:
    """A run of as many operations as the explicit schedule completes by time `horizon`.

    At least throughput * (horizon - C) of them with the C of `run_operations`, where no schedule
    under the restriction of the solution completes more than `solution.bound` * horizon.  After
    `time_limit` seconds, or if `progress` returns True, few more runs are tried.  Raises
    `InvalidInput` if that is no operation at all, and as `run_operations` does.

    Reference: proofs/asymptotic-optimality.md.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> run_within(broadcast(chain, "a"), "21/2").operations
    9
    """
    progress = until(time_limit, progress)
    solution, end = solution_of(solution), exact(horizon, "horizon")
    if not solution.structures:
        why = unreachable_in_words(solution.problem)
        rule = f"no operation is ever complete, the throughput is 0: {why}"
        raise InvalidInput("horizon", text(end), rule)
    run = longest_within(
        lambda operations: run_operations(solution, operations, progress=progress),
        end,
        solution.throughput,
        solution.bound,
        Listener(progress, solution.bound).patience,
    )
    if run.makespan > end:
        rule = "no operation is complete by then; this schedule of a single one takes "
        raise InvalidInput("horizon", text(end), rule + text(run.makespan))
    return run


def makespan_guarantee(solution: Solution, operations: int) -> Fraction:
    """A time within which `run_operations` is proved to end before anything is laid out.

    It is the least, over the plans considered, of P (Q + max (H - 1) L) / Q, where P is the
    largest load of a resource by the whole run, Q the number of slices, H the depth of a
    structure and L the lag between its levels in slices (proofs/asymptotic-optimality.md, theorem
    B).  It is at most M / throughput + `solution.makespan_constant` (theorem A).

    Raises `InvalidInput` as `run_operations` does.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> makespan_guarantee(broadcast(chain, "a"), 10)
    Fraction(11, 1)
    """
    solution, operations = solution_of(solution), plain(operations)
    _refuse_request(solution, operations)
    return plans(_steady(solution), operations)[0].limit


def can_be_listed(solution: Solution, operations: int) -> bool:
    """Whether `run_operations` writes down this many operations, at least one and not too many.

    Under `routes`, and around a cycle with too many trees to be written down, it writes down none.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> one = scatter(Platform("ab", [("a", "b", 1)]), "a", ["b"])
    >>> can_be_listed(one, 1_000_000), can_be_listed(one, 1_000_001)
    (True, False)
    """
    if isinstance(solution, SolutionAroundCycle) and solution.record().long:
        return False
    solution = solution_of(solution)
    if solution.problem.ports == "routes":
        return False
    longest: dict[int, int] = {}
    for structure in solution.structures:
        longest[structure.part] = max(longest.get(structure.part, 0), len(structure.tasks))
    return 1 <= operations <= MAX_PACKETS and 0 < operations * sum(longest.values()) <= MAX_ROWS


def finished_run(
    problem: Collective,
    operations: int,
    sizes: tuple[Fraction, ...],
    tick: Fraction,
    tasks: tuple[Task, ...],
    rows: Sequence[tuple[int, int, int, int]],
    bound: Fraction,
    proof: Bound,
) -> FiniteRun:
    """The run made of the rows, with the coarsest tick that keeps their times whole."""
    tick, timed = coarsest(tick, rows)
    makespan = max(row.end for row in timed) * tick
    return FiniteRun(problem, operations, sizes, tick, tasks, timed, makespan, bound, proof)


def _steady(solution: Solution) -> Steady:
    """The structures by numbers: without detours, whatever a schedule may do."""
    problem = solution.problem
    direct = [
        replace(one, tasks=_without_detours(problem, one.part, one.tasks))
        for one in solution.structures
    ]
    if isinstance(problem, Broadcast):
        tasks: Sequence[Task] = [(arc,) for arc in range(len(problem.platform.arcs))]
    else:
        tasks = sorted({task for one in direct for task in one.tasks})
    return Steady(problem, direct, tuple(tasks))


def _quick_start(
    problem: Broadcast, messages: int
) -> Iterator[tuple[Fraction, list[tuple[int, int, int, int]]]]:
    """All messages along one tree that a single message takes quickly."""
    ports = Ports(problem)
    costs = [arc.cost for arc in problem.platform.arcs]
    tick, durations = common_measure(costs)
    quick = earliest_arrival_tree(ports, durations)
    if quick is not None:
        yield tick, by_priority(ports, [quick], [(0,)] * messages, lambda arc, _: durations[arc])


def _refuse_request(solution: Solution, operations: int) -> None:
    if isinstance(operations, bool) or not isinstance(operations, int) or operations < 1:
        rule = "a run has a whole number of operations, at least 1"
        raise InvalidInput("operations", operations, rule)
    if not solution.structures:
        why = unreachable_in_words(solution.problem)
        rule = f"none is ever complete, the throughput is 0: {why}"
        raise InvalidInput("operations", operations, rule)
    refuse_routes(solution.problem)
    if not can_be_listed(solution, operations):
        rule = (
            f"an explicit run has at most {MAX_ROWS} tasks and {MAX_PACKETS} operations; the"
            " periodic schedule describes any number of them, and completes M within"
            " M / throughput + makespan_constant"
        )
        raise InvalidInput("operations", operations, rule)


def refuse_routes(problem: Collective) -> None:
    """Raises `InvalidInput` under `routes`, where no runs are defined."""
    if problem.ports == "routes":
        rule = "an explicit run needs another port model; under routes the periodic schedule serves"
        raise InvalidInput("ports", problem.ports, rule)


def _unrestricted(solution: Solution) -> Solution:
    """The same structures with a bound for all schedules.

    A finite run may use all arcs, so a bound that splits on them (a restriction) proves nothing
    here, and that of the unrestricted problem takes its place.
    """
    asked = solution.problem
    if not isinstance(asked, Broadcast) or asked.restrict == "none":
        return solution
    free = Broadcast(asked.platform, asked.source, asked.ports)
    proof, bound = solution.proof, solution.bound
    if isinstance(proof, CutBound):
        # That of the restriction may have been rounded.
        bound = offered(proof) / sum((cut[2] for cut in proof.cuts), start=Fraction(0))
    else:
        solved = solve_series(free)
        proof, bound = solved.proof, solved.bound
    return replace(solution, problem=free, proof=proof, bound=bound)


def _without_detours(problem: Collective, part: int, tasks: tuple[Task, ...]) -> tuple[Task, ...]:
    """Only what is needed: a schedule may make what it does not use, a run makes a state once."""
    maker: dict[State, Task] = {}
    for task in tasks:
        maker.setdefault(makes(problem, task), task)
    there = given(problem)
    made = breadth_first(
        parts(problem)[part],  # none of these is there
        lambda state: [other for other in needs(problem, maker[state]) if other not in there],
    )
    kept = {maker[state] for state in made}
    return tuple(task for task in tasks if task in kept)
