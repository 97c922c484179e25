"""Half of a certificate: a schedule without a bound, or a bound without a schedule.

For those who test schedulers of their own: what is handed in is written out and read again, so
that anything that a file could not say is refused, and then judged by the rules of its kind.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from fractions import Fraction
from typing import TypeVar, get_args

from exactsched.certificate.bounds import Bound, refuse_unfit_bound
from exactsched.certificate.budget import within, written_size
from exactsched.certificate.codec import read, write
from exactsched.certificate.collectives import (
    PeriodicSchedule,
    refuse_latencies,
    refuse_unfit_schedule,
)
from exactsched.check.collectives.certificates import proved_throughput_bound
from exactsched.check.collectives.schedule import achieved_throughput
from exactsched.exact.errors import InvalidInput
from exactsched.model.problem import Collective

T = TypeVar("T")


def judge_schedule(problem: Collective, schedule: PeriodicSchedule) -> Fraction:
    """The operations per time unit that a periodic schedule does, whoever made it.

    Raises `InvalidInput` for anything else, `Malformed` for tasks and places that the problem does
    not have, `Rejected`, with place, value and rule, for a schedule that breaks a rule: two
    transfers at a port, a tree that misses a node, time that is not what the messages need.

    >>> from exactsched.certificate.collectives import Structure
    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> chain = Broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), "a")
    >>> one, tree = Fraction(1), Structure(1, 0, ((0,), (1,)))
    >>> judge_schedule(chain, PeriodicSchedule(one, one, (tree,), ((0, 0, 1), (1, 0, 1)), True))
    Fraction(1, 1)
    """
    asked = _problem(problem)
    if not isinstance(schedule, PeriodicSchedule):
        raise InvalidInput("schedule", type(schedule).__name__, "a PeriodicSchedule is needed")
    with _within_budget(Collective, asked, PeriodicSchedule, schedule):
        read_again = _again(PeriodicSchedule, schedule, "schedule")
        refuse_unfit_schedule(asked, read_again)
        return achieved_throughput(asked, read_again)


def judge_bound(problem: Collective, proof: Bound) -> Fraction:
    """The operations per time unit that no schedule passes, as prices prove it, whoever found them.

    A `CutBound` is for a `Broadcast`, an `Allgather` or a `Combination`, a split into cases for a
    restricted `Broadcast`, a `DistanceBound` for an `Alltoall`, a `PotentialBound` for a
    `Reduction`, a `TreeBound` for an `Allgather` or a `Combination`.  Raises
    `InvalidInput`, `Malformed` and `Rejected` as `judge_schedule`.

    >>> from exactsched.certificate.bounds import CutBound
    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> chain = Broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), "a")
    >>> judge_bound(chain, CutBound({"send:a": Fraction(1)}, ("b", "c"), ((0, 2, Fraction(1)),)))
    Fraction(1, 1)
    """
    asked = _problem(problem)
    if not isinstance(proof, get_args(Bound)):
        names = ", ".join(kind.__name__ for kind in get_args(Bound))
        raise InvalidInput("proof", type(proof).__name__, f"one of {names} is needed")
    with _within_budget(Collective, asked, Bound, proof):
        read_again = _again(Bound, proof, "proof")
        refuse_unfit_bound(asked, read_again, run=False)
        return proved_throughput_bound(asked, read_again)


def _problem(problem: Collective) -> Collective:
    if not isinstance(problem, get_args(Collective)):
        rule = "a Broadcast, an Alltoall, an Allgather, a Combination or a Reduction"
        raise InvalidInput("problem", problem, rule)
    asked: Collective = _again(Collective, problem, "problem")
    refuse_latencies(asked)
    return asked


def _within_budget(
    kind: object, problem: object, other: object, half: object
) -> AbstractContextManager[None]:
    """The budget of a document of the two parts."""
    return within(lambda: written_size([write(kind, problem), write(other, half)]))


def _again(kind: object, stated: T, place: str) -> T:
    """What a file would say."""
    again: T = read(kind, write(kind, stated), place)
    return again
