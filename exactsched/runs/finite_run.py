"""Finite runs of all-to-alls and reductions: every task with start and end, and a proved excess.

The layout is that of `time_scaling`; here are the request, the bound and the document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from exactsched.certificate.limits import MAX_PACKETS
from exactsched.certificate.nouns import CollectiveRun, DistanceBound, PotentialBound, Task
from exactsched.certificate.writing import to_document
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact, text
from exactsched.model.problem import Alltoall, Reduction
from exactsched.model.tasks import State, given, makes, needs, wanted
from exactsched.runs.list_scheduling import Row
from exactsched.runs.time_scaling import Steady, coarsest, laid_out, longest_within, plans, shortest
from exactsched.steady_state.solution import CollectiveSolution

# Rows of a run that is still a document, as for broadcasts.
MAX_ROWS = 5_000_000


@dataclass(frozen=True)
class CollectiveRunResult:
    """A schedule of `operations` all-to-alls or reductions with a start and an end, and a bound.

    `rows` holds (index into `tasks`, operation, start, end) in units of `tick`, by start;
    `makespan` is the last end.  `proof` shows the lower bound `bound` on the makespan of every
    schedule of so many operations.
    """

    problem: Alltoall | Reduction
    operations: int
    tick: Fraction
    tasks: tuple[Task, ...]
    rows: tuple[Row, ...]
    makespan: Fraction
    bound: Fraction
    proof: DistanceBound | PotentialBound

    @property
    def excess(self) -> Fraction:
        """How far the makespan is from the bound; the optimum lies between the two."""
        return self.makespan - self.bound

    def certificate(self) -> dict[str, Any]:
        """The document of kind ``run`` that `exactsched.check` accepts."""
        return to_document(
            CollectiveRun(
                self.problem,
                self.operations,
                self.makespan,
                self.bound,
                self.makespan == self.bound,
                self.tick,
                self.tasks,
                self.rows,
                self.proof,
            )
        )


def run_operations(solution: CollectiveSolution, operations: int) -> CollectiveRunResult:
    """M operations take at most M / throughput + C, with C independent of M; here is the schedule.

    The makespan is at most `operations_guarantee(solution, operations)`, which never exceeds
    M / throughput + `solution.makespan_constant` and does not depend on the period where that
    is long.  Several layouts are tried and the shortest kept.  A task may be interrupted.  In
    every operation each demand of an all-to-all goes along one of its routes, and a reduction
    follows one of the trees.

    Time is proportional to the number of rows, about two for each task of an operation.  Raises
    `InvalidInput` for M < 1, for throughput 0, and for more than MAX_ROWS tasks or MAX_PACKETS
    operations.

    Reference: RR-4872, propositions 1 to 3, whose constant is a number of periods.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> run = run_operations(scatter(chain, "a", ["c"]), 10)
    >>> run.makespan, run.bound, run.tasks, run.rows[:3]
    (Fraction(11, 1), Fraction(10, 1), ((0, 0), (1, 0)), ((0, 0, 0, 1), (0, 1, 1, 2), (1, 0, 1, 2)))
    """
    steady, tasks = _checked(solution, operations)
    tick, rows = coarsest(*shortest(laid_out(steady, operations)))
    return CollectiveRunResult(
        solution.problem,
        operations,
        tick,
        tasks,
        rows,
        max(row[3] for row in rows) * tick,
        operations / solution.upper,
        solution.bound,
    )


def run_operations_within(
    solution: CollectiveSolution, horizon: Fraction | int | str
) -> CollectiveRunResult:
    """A run of as many operations as the explicit schedule completes by time `horizon`.

    At least throughput * (horizon - C) of them with the C of `run_operations`, where no schedule
    completes more than `solution.upper` * horizon.  Raises `InvalidInput` if that is no operation
    at all, and as `run_operations` does.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> run_operations_within(scatter(chain, "a", ["c"]), "21/2").operations
    9
    """
    end = exact(horizon, "horizon")
    if not solution.structures:
        rule = "no operation is ever complete: the throughput is 0"
        raise InvalidInput("horizon", text(end), rule)
    run = longest_within(
        lambda operations: run_operations(solution, operations),
        end,
        solution.throughput,
        solution.upper,
    )
    if run.makespan > end:
        rule = "no operation is complete by then; this schedule of a single one takes "
        raise InvalidInput("horizon", text(end), rule + text(run.makespan))
    return run


def operations_guarantee(solution: CollectiveSolution, operations: int) -> Fraction:
    """A time within which `run_operations` is proved to end before anything is laid out.

    It is the least, over the plans considered, of P (Q + max (H - 1) L) / Q, where P is the
    largest load of a resource by the whole run, Q the number of slices, H the depth of a
    structure and L the lag between its levels in slices (proofs/asymptotic-optimality.md, theorem
    B).  It is at most M / throughput + `solution.makespan_constant` (theorem A).

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> operations_guarantee(scatter(chain, "a", ["c"]), 10)
    Fraction(11, 1)
    """
    steady, _ = _checked(solution, operations)
    return plans(steady, operations)[0].limit


def can_be_listed(solution: CollectiveSolution, operations: int) -> bool:
    """Whether `run_operations` writes down so many operations, at least one and not too many.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> one = scatter(Platform("ab", [("a", "b", 1)]), "a", ["b"])
    >>> can_be_listed(one, 1_000_000), can_be_listed(one, 1_000_001)
    (True, False)
    """
    longest: dict[int, int] = {}
    for structure in solution.structures:
        longest[structure.part] = max(longest.get(structure.part, 0), len(structure.tasks))
    return 1 <= operations <= MAX_PACKETS and 0 < operations * sum(longest.values()) <= MAX_ROWS


def _checked(solution: CollectiveSolution, operations: int) -> tuple[Steady, tuple[Task, ...]]:
    """The structures by numbers, and the tasks of these, for a run that can be asked for."""
    if isinstance(operations, bool) or not isinstance(operations, int) or operations < 1:
        rule = "a run has a whole number of operations, at least 1"
        raise InvalidInput("operations", operations, rule)
    if not solution.structures:
        raise InvalidInput("operations", operations, "none is ever complete: the throughput is 0")
    if not can_be_listed(solution, operations):
        rule = (
            f"an explicit run has at most {MAX_ROWS} tasks and {MAX_PACKETS} operations; the"
            " periodic schedule describes any number of them, and completes M within"
            " M / throughput + makespan_constant"
        )
        raise InvalidInput("operations", operations, rule)
    direct = [
        replace(one, tasks=_without_detours(solution.problem, one.tasks))
        for one in solution.structures
    ]
    tasks = tuple(sorted({task for one in direct for task in one.tasks}))
    return Steady(solution.problem, direct, tasks), tasks


def _without_detours(problem: Alltoall | Reduction, tasks: Sequence[Task]) -> tuple[Task, ...]:
    """Only what is needed: a schedule may send a message in a circle, a run makes a state once."""
    maker: dict[State, Task] = {}
    for task in tasks:
        maker.setdefault(makes(problem, task), task)
    part = tasks[0][1] if isinstance(problem, Alltoall) else None
    missing = [state for state in wanted(problem) if part is None or state[0] == (part,)]
    there = given(problem)
    kept: set[Task] = set()
    for state in missing:  # grows while it is read
        if state not in there and maker[state] not in kept:
            kept.add(maker[state])
            missing.extend(needs(problem, maker[state]))
    return tuple(task for task in tasks if task in kept)
