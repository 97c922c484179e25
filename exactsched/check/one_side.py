"""Half of a certificate: a schedule without a bound, or a bound without a schedule.

For those who test schedulers of their own: what is handed in is written out and read again, so
that anything that a file could not say is refused, and then judged by the rules of its kind.
"""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from exactsched.certificate import (
    CollectiveSeries,
    CutBound,
    SeriesCertificate,
    parse_schedule,
    to_document,
)
from exactsched.certificate.nouns import (
    Bound,
    CollectiveSchedule,
    DistanceBound,
    PeriodicSchedule,
    PotentialBound,
    SplitOnCycle,
    SplitOnNode,
)
from exactsched.check.collectives import (
    broadcast_schedule as schedule,
)
from exactsched.check.collectives import cuts as prices
from exactsched.check.collectives import (
    potentials,
)
from exactsched.check.collectives import (
    schedule as collective_schedule,
)
from exactsched.exact.errors import InvalidInput
from exactsched.model.problem import Alltoall, Broadcast, Collective, Reduction

NOTHING = Fraction(0)
_BOUNDS = {
    Broadcast: (CutBound, SplitOnNode, SplitOnCycle),
    Alltoall: (DistanceBound,),
    Reduction: (PotentialBound,),
}


def judge_schedule(problem: Collective, stated: PeriodicSchedule | CollectiveSchedule) -> Fraction:
    """The operations per time unit that a periodic schedule does, whoever made it.

    A `PeriodicSchedule` is for a `Broadcast`, a `CollectiveSchedule` for an `Alltoall` or a
    `Reduction`.  Raises `InvalidInput` for what is none, `Rejected`, with place, value and rule,
    for one that breaks a rule: two transfers at a port, a tree that misses a node, time that is
    not what the messages need.

    >>> from exactsched.certificate.nouns import WeightedTree
    >>> from exactsched.model.platform import Platform
    >>> chain = Broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), "a")
    >>> one = Fraction(1)
    >>> tree = WeightedTree(1, (0, 1))
    >>> judge_schedule(chain, PeriodicSchedule(one, one, (tree,), ((0, 0, 1), (1, 0, 1)), True))
    Fraction(1, 1)
    """
    fitting = PeriodicSchedule if isinstance(problem, Broadcast) else CollectiveSchedule
    _refuse_misfit(problem, stated, "schedule", (fitting,))
    read = _read(problem, stated, None)
    if isinstance(read, SeriesCertificate):
        return schedule.achieved_throughput(read.problem, read.schedule)
    return collective_schedule.achieved_throughput(read.problem, read.schedule)


def judge_bound(problem: Collective, stated: Bound | DistanceBound | PotentialBound) -> Fraction:
    """The operations per time unit that no schedule passes, as prices prove it, whoever found them.

    A `CutBound` (or a branching of them) is for a `Broadcast`, a `DistanceBound` for an `Alltoall`,
    a `PotentialBound` for a `Reduction`.  Raises `InvalidInput` and `Rejected` as `judge_schedule`.

    >>> from exactsched.model.platform import Platform
    >>> chain = Broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), "a")
    >>> judge_bound(chain, CutBound({"send:a": Fraction(1)}, ("b", "c"), ((0, 2, Fraction(1)),)))
    Fraction(1, 1)
    """
    _refuse_misfit(problem, stated, "bound", _BOUNDS.get(type(problem), ()))
    read = _read(problem, None, stated)
    if isinstance(read, SeriesCertificate):
        return prices.proved_throughput_bound(read.problem, read.bound)
    return potentials.proved_throughput_bound(read.problem, read.bound)


def _refuse_misfit(problem: object, stated: object, place: str, fitting: tuple[type, ...]) -> None:
    if type(problem) not in _BOUNDS:
        raise InvalidInput("problem", problem, "a Broadcast, a Alltoall or a Reduction")
    if not isinstance(stated, fitting):
        names = " or ".join(kind.__name__ for kind in fitting)
        rule = f"for a {type(problem).__name__} it is a {names}"
        raise InvalidInput(place, type(stated).__name__, rule)


def _read(
    problem: Collective,
    schedule: PeriodicSchedule | CollectiveSchedule | None,
    bound: Bound | DistanceBound | PotentialBound | None,
) -> SeriesCertificate | CollectiveSeries:
    stated: SeriesCertificate | CollectiveSeries
    if isinstance(problem, Broadcast):
        without = CutBound({}, tuple(n for n in problem.platform.nodes if n != problem.source), ())
        stated = SeriesCertificate(
            problem,
            NOTHING,
            NOTHING,
            False,
            schedule,  # type: ignore[arg-type]  # the reader refuses what does not fit
            without if bound is None else bound,  # type: ignore[arg-type]
        )
    else:
        zeros = (NOTHING,) * len(problem.platform.nodes)
        empty: DistanceBound | PotentialBound
        if isinstance(problem, Alltoall):
            empty = DistanceBound({}, (zeros,) * len(problem.sources))
        else:
            empty = PotentialBound({}, ((zeros,) * len(problem.intervals),) * len(problem.goals))
        stated = CollectiveSeries(
            problem,
            NOTHING,
            NOTHING,
            False,
            schedule,  # type: ignore[arg-type]
            empty if bound is None else bound,  # type: ignore[arg-type]
        )
    return cast("SeriesCertificate | CollectiveSeries", parse_schedule(to_document(stated)))
