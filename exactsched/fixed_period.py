"""Periodic schedules whose period is chosen or limited by the user (RR-4872, section 4.6)."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from exactsched.collective import CollectiveSolution
from exactsched.errors import InvalidInput
from exactsched.rational import exact, text
from exactsched.schedule import common_measure
from exactsched.structure_counts import Counts, StructureLoads
from exactsched.structure_schedule import schedule_of

# `within_period` tries so many numbers of operations, the largest that fit: rounding in proportion
# costs microseconds; and so many integer programs, for those that look best.
ROUNDED = 2_000
PROGRAMS = 24


def with_period(solution: CollectiveSolution, period: Fraction | int | str) -> CollectiveSolution:
    """In every period T at least TP T - k operations fit, k the most structures of one part.

    That is the guarantee of rounding down (RR-4872, proposition 4).  What is returned has at
    least as many: room that is left is filled up, and an integer program looks for better
    numbers of the structures at hand.  There are never more than `most_operations(solution, T)`;
    where there are as many, `best_for_period` says that no schedule of this period is better.

    The schedule has exactly the period T, whose end may be idle.  Raises `InvalidInput` for
    periods in which not a single operation fits, T <= 0 among them, and for throughput 0.

    Numbers may be of any length; the time does not depend on them.

    Reference: RR-4872, section 4.6; proofs/fixed-period.md.

    >>> from exactsched import Platform
    >>> from exactsched.gossip import scatter
    >>> star = Platform("sab", [("s", "a", 1), ("s", "b", "1/2")])
    >>> fixed = with_period(scatter(star, "s", ["a", "b"]), 7)
    >>> fixed.schedule.period, fixed.throughput, best_for_period(fixed)
    (Fraction(7, 1), Fraction(4, 7), True)
    """
    length = _checked_period(solution, period)
    loads = StructureLoads(solution.problem, solution.structures)
    return _scheduled(solution, loads, _most(solution, loads, length), length)


def within_period(
    solution: CollectiveSolution, longest: Fraction | int | str
) -> CollectiveSolution:
    """The best schedule found whose period is at most `longest`.

    It is the given steady state itself if its own period fits, and otherwise never worse than
    `with_period(solution, longest)`: R operations in the time in which their busiest resource is
    done, for the R of the largest R / time among those tried.

    Raises `InvalidInput` if not a single operation fits, and for throughput 0.

    >>> from exactsched import Platform
    >>> from exactsched.gossip import scatter
    >>> star = Platform("sab", [("s", "a", 1), ("s", "b", "1/2")])
    >>> fixed = within_period(scatter(star, "s", ["a", "b"]), 7)
    >>> fixed.schedule.period, fixed.throughput
    (Fraction(3, 2), Fraction(2, 3))
    """
    length = _checked_period(solution, longest)
    if 1 / common_measure(one.weight for one in solution.structures) <= length:
        return solution
    loads = StructureLoads(solution.problem, solution.structures)
    capacity = floor(length * loads.unit)
    best = _most(solution, loads, length)

    def rate(counts: Counts) -> Fraction:
        return Fraction(loads.operations(counts), max(loads.busy(counts)))

    top = most_operations(solution, length)
    rounded = (
        loads.apportioned(operations) for operations in range(max(1, top - ROUNDED), top + 1)
    )
    promising = sorted(rounded, key=rate, reverse=True)
    for counts in promising:
        if max(loads.busy(counts)) <= capacity:
            best = max(best, counts, key=rate)
            break
    for counts in promising[:PROGRAMS]:
        if rate(best) * loads.unit == solution.upper:
            break
        improved = loads.least_time(loads.operations(counts))
        if max(loads.busy(improved)) <= capacity:
            best = max(best, improved, key=rate)
    return _scheduled(solution, loads, best, Fraction(max(loads.busy(best)), loads.unit))


def most_operations(solution: CollectiveSolution, period: Fraction | int | str) -> int:
    """No schedule of this period has more operations: the whole part of `solution.upper` * period.

    >>> from exactsched import Platform
    >>> from exactsched.gossip import scatter
    >>> most_operations(scatter(Platform("ab", [("a", "b", 2)]), "a", ["b"]), 7)
    3
    """
    return floor(solution.upper * exact(period, "period"))


def best_for_period(solution: CollectiveSolution) -> bool:
    """Whether `solution.upper` proves that no schedule of the same period has more operations."""
    schedule = solution.schedule
    if schedule is None:
        return solution.upper == 0
    return solution.throughput * schedule.period == most_operations(solution, schedule.period)


def _checked_period(solution: CollectiveSolution, period: Fraction | int | str) -> Fraction:
    length = exact(period, "period")
    if not solution.structures:
        raise InvalidInput("period", text(length), "the throughput is 0: no period is long enough")
    return length


def _most(solution: CollectiveSolution, loads: StructureLoads, length: Fraction) -> Counts:
    """Numbers for as many operations as are found to fit, at least one."""
    ceiling = most_operations(solution, length)
    counts = loads.most_operations(floor(length * loads.unit), ceiling) if ceiling > 0 else ()
    if not any(counts):
        least = Fraction(max(loads.busy(loads.least_time(1))), loads.unit)
        rule = f"not one operation is found that fits; one takes {text(least)}"
        raise InvalidInput("period", text(length), rule)
    return counts


def _scheduled(
    solution: CollectiveSolution, loads: StructureLoads, counts: Counts, period: Fraction
) -> CollectiveSolution:
    schedule = schedule_of(solution.problem, period, loads.structures, counts)
    return solution.scheduled(schedule)
