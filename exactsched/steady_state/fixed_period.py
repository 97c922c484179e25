"""Periodic schedules whose period is chosen or limited by the user (RR-4872, section 4.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from math import ceil, floor

from exactsched.exact.errors import InvalidInput
from exactsched.exact.patience import Patience
from exactsched.exact.rational import exact, text
from exactsched.exact.search_limits import until
from exactsched.linear_programs.column_generation import Listener, Progress
from exactsched.model.unreachable import unreachable_in_words
from exactsched.steady_state.nearby_structures import nearby_structures
from exactsched.steady_state.odd_sets import OddSets
from exactsched.steady_state.schedule import schedule_of, working_times
from exactsched.steady_state.slots import common_measure
from exactsched.steady_state.solution import Solution, solution_of
from exactsched.steady_state.structure_counts import Counts, StructureLoads

# `within_period` rounds in proportion for this many numbers of operations, the largest that fit,
# with at most this many additions, and solves integer programs for the best ones.
ROUNDED = 2_000
ADDITIONS = 2_000_000
PROGRAMS = 12

OddSetsFound = Sequence[Sequence[int]]
_Numbers = tuple[StructureLoads, Counts]


def with_period(
    solution: Solution,
    period: Fraction | int | str,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """In every period T at least TP T - k operations fit, k the most structures of one part.

    That is the guarantee of rounding down (RR-4872, proposition 4).  What is returned has at
    least as many: room that is left is filled up, and an integer program looks for better
    numbers, of the structures at hand and of others that cost about the same.  There are never
    more than `most_operations(solution, T)`; where there are as many, `best_for_period` says that
    no schedule of this period is better.

    The schedule has exactly the period T, whose end may be idle.  Raises `InvalidInput` for
    periods in which not a single operation fits, T <= 0 among them, and for throughput 0.

    Numbers may be of any length; the time does not depend on them.  After `time_limit` seconds, or
    if `progress`, as in `broadcast`, returns True, no more integer programs are solved.

    Reference: RR-4872, section 4.6; proofs/fixed-period.md.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> star = Platform("sab", [("s", "a", 1), ("s", "b", "1/2")])
    >>> fixed = with_period(scatter(star, "s", ["a", "b"]), 7)
    >>> fixed.schedule.period, fixed.throughput, best_for_period(fixed)
    (Fraction(7, 1), Fraction(4, 7), True)
    """
    progress = until(time_limit, progress)
    solution = solution_of(solution)
    length = _checked_period(solution, period)
    patience = Listener(progress, solution.bound).patience
    most = partial(_most, solution, length, patience)
    return _scheduled(solution, lambda odd_sets: (*most(odd_sets), length))


def within_period(
    solution: Solution,
    longest: Fraction | int | str,
    *,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Solution:
    """The best schedule found whose period is at most `longest`.

    It is the given steady state itself if that is optimal and its own period fits, and otherwise
    not worse than `with_period(solution, longest)`: R operations in the time that their busiest
    resource takes, for the R of the largest R / time among those tried.  After
    `time_limit` seconds, or if `progress` returns True, no more are tried.

    Raises `InvalidInput` if not a single operation fits, and for throughput 0.

    Reference: proofs/fixed-period.md.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> star = Platform("sab", [("s", "a", 1), ("s", "b", "1/2")])
    >>> fixed = within_period(scatter(star, "s", ["a", "b"]), 7)
    >>> fixed.schedule.period, fixed.throughput
    (Fraction(3, 2), Fraction(2, 3))
    """
    progress = until(time_limit, progress)
    solution = solution_of(solution)
    length = _checked_period(solution, longest)
    measure, _ = common_measure(one.weight for one in solution.structures)
    period = 1 / measure
    if period <= length and solution.optimal:
        return solution

    patience = Listener(progress, solution.bound).patience

    def best(odd_sets: OddSetsFound) -> tuple[StructureLoads, Counts, Fraction]:
        found = _best_within(solution, length, period, patience, odd_sets)
        return *found, _time(found)

    return _scheduled(solution, best)


def _best_within(
    solution: Solution,
    length: Fraction,
    period: Fraction,
    patience: Patience,
    odd_sets: OddSetsFound,
) -> _Numbers:
    """The numbers with the largest rate among those tried; `period` is the solution's own."""
    loads = StructureLoads(solution.problem, solution.structures, odd_sets, patience)
    found = [_most(solution, length, patience, odd_sets)]
    if period <= length:
        found.append((loads, tuple(int(weight * period) for weight in loads.weights)))
    top = most_operations(solution, length)
    tried = min(ROUNDED, ADDITIONS // sum(map(len, loads.loads)))
    numbers = range(max(1, top - tried), top + 1)
    rounded = [(loads, loads.apportioned(operations)) for operations in numbers]
    rounded.sort(key=_rate, reverse=True)
    found += islice((one for one in rounded if _time(one) <= length), 1)
    wider = _with_nearby(solution, patience, odd_sets)
    for _, counts in rounded[:PROGRAMS]:
        if max(map(_rate, found)) == solution.bound or patience.ended():
            break
        operations = loads.operations(counts)
        for structures in (loads, wider):
            improved = structures, structures.least_time(operations)
            if _time(improved) <= length:
                found.append(improved)
    return max(found, key=_rate)


def most_operations(solution: Solution, period: Fraction | int | str) -> int:
    """No schedule of this period has more operations: the whole part of `solution.bound` * period.

    Raises no errors; two operations. Reference: proofs/fixed-period.md.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> most_operations(scatter(Platform("ab", [("a", "b", 2)]), "a", ["b"]), 7)
    3
    """
    return floor(solution_of(solution).bound * exact(period, "period"))


def period_for_loss(solution: Solution, loss: Fraction | int | str) -> Fraction:
    """A period in which a schedule with `with_period` loses at most this share of the throughput.

    It is the least whole number, or the inverse of one, that proposition 4 vouches for: k / (loss
    TP), where k is the most structures of one part.  The period of an optimum may have hundreds of
    digits; this one has few.

    Raises `InvalidInput` for a loss that is not positive, and for throughput 0.

    Reference: RR-4872, proposition 4; proofs/fixed-period.md.

    >>> from exactsched import Platform
    >>> from exactsched.steady_state.alltoall import scatter
    >>> star = Platform("sab", [("s", "a", 1), ("s", "b", "1/2")])
    >>> period_for_loss(scatter(star, "s", ["a", "b"]), "1/100")
    Fraction(150, 1)
    """
    solution, share = solution_of(solution), exact(loss, "loss")
    if share <= 0:
        raise InvalidInput("loss", text(share), "a share of the throughput is positive")
    _checked_period(solution, share)
    parts = Counter(structure.part for structure in solution.structures)
    least = max(parts.values()) / (share * solution.throughput)
    return Fraction(ceil(least)) if least >= 1 else Fraction(1, floor(1 / least))


def best_for_period(solution: Solution) -> bool:
    """Whether `solution.bound` proves that no schedule of the same period has more operations.

    Raises no errors for a solution with a schedule; one comparison, of `most_operations` and what
    the period does. Reference: proofs/fixed-period.md.

    >>> from exactsched import Platform, broadcast
    >>> best_for_period(broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), "a"))
    True
    """
    solution = solution_of(solution)
    schedule = solution.schedule
    if schedule is None:
        return solution.bound == 0
    return solution.throughput * schedule.period == most_operations(solution, schedule.period)


def _checked_period(solution: Solution, period: Fraction | int | str) -> Fraction:
    length = exact(period, "period")
    if not solution.structures:
        why = unreachable_in_words(solution.problem)
        rule = f"no period is long enough, the throughput is 0: {why}"
        raise InvalidInput("period", text(length), rule)
    return length


def _time(found: _Numbers) -> Fraction:
    """The shortest period for these numbers of structures."""
    loads, counts = found
    return Fraction(max(loads.busy(counts)), loads.unit)


def _rate(found: _Numbers) -> Fraction:
    loads, counts = found
    return loads.operations(counts) / _time(found)


def _most(
    solution: Solution, length: Fraction, patience: Patience, odd_sets: OddSetsFound
) -> _Numbers:
    """Numbers for as many operations as are found to fit, at least one."""
    loads = StructureLoads(solution.problem, solution.structures, odd_sets, patience)
    ceiling = most_operations(solution, length)
    counts: Counts = ()
    if ceiling > 0:
        counts = loads.most_operations(floor(length * loads.unit), ceiling)
        if loads.operations(counts) < ceiling:
            wider = _with_nearby(solution, patience, odd_sets)
            others = wider.most_operations(floor(length * wider.unit), ceiling)
            if wider.operations(others) > loads.operations(counts):
                return wider, others
    if not any(counts):
        rule = "not one operation is found that fits; one takes "
        least = loads, loads.least_time(1)
        raise InvalidInput("period", text(length), rule + text(_time(least)))
    return loads, counts


def _with_nearby(solution: Solution, patience: Patience, odd_sets: OddSetsFound) -> StructureLoads:
    structures = [*solution.structures, *nearby_structures(solution)]
    return StructureLoads(solution.problem, structures, odd_sets, patience)


def _scheduled(
    solution: Solution,
    choose: Callable[[OddSetsFound], tuple[StructureLoads, Counts, Fraction]],
) -> Solution:
    """The schedule of the structures, numbers and period that are chosen.

    Half-duplex, they are chosen again with every odd set of nodes that they overwork as a resource.
    """
    problem, platform = solution.problem, solution.problem.platform
    ends = [(platform.position[arc.tail], platform.position[arc.head]) for arc in platform.arcs]
    odd = OddSets(ends, 1)
    while True:
        loads, counts, period = choose(odd.found)
        busy = working_times(problem, loads.structures, counts)
        working = {arc: time / period for arc, time in busy.items() if arc < len(ends)}
        if problem.ports != "half-duplex" or not odd.overworked(working):
            schedule = schedule_of(problem, period, loads.structures, counts)
            return solution.scheduled(schedule)
