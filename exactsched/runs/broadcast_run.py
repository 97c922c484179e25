"""Finite runs of a series of broadcasts: every transfer with start and end, and a proved excess.

The layout is that of `time_scaling`; here are the request, the bound and the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactsched.certificate.limits import MAX_PACKETS
from exactsched.certificate.nouns import CutBound, RunCertificate
from exactsched.certificate.writing import to_document
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact, text
from exactsched.model.problem import Broadcast
from exactsched.model.tasks import Structure
from exactsched.runs.list_scheduling import Ports, Row, by_priority, earliest_arrival_tree
from exactsched.runs.time_scaling import (
    MANY_ROWS,
    Steady,
    coarsest,
    laid_out,
    longest_within,
    plans,
    shortest,
)
from exactsched.steady_state.broadcast import BroadcastSolution, Tree, solve_series
from exactsched.steady_state.broadcast_schedule import common_measure, depths
from exactsched.steady_state.odd_sets import offered

# Rows of a run that is still a document: about 150 MB.  More messages than that are described
# by the periodic schedule, which is as long for all of them as for one.
MAX_TRANSFERS = 5_000_000


@dataclass(frozen=True)
class FiniteRun:
    """A schedule of packets with a start and an end, and a time before which no schedule ends.

    `packets` are the sizes; `transfers` holds (arc, packet, start, end) in units of `tick`, by
    start; `makespan` is the last end.  `leaf` proves the lower bound `bound` on the makespan of
    every schedule of this total size.
    """

    problem: Broadcast
    packets: tuple[Fraction, ...]
    tick: Fraction
    transfers: tuple[Row, ...]
    makespan: Fraction
    bound: Fraction
    leaf: CutBound

    @property
    def excess(self) -> Fraction:
        """How far the makespan is from the bound; the optimum lies between the two."""
        return self.makespan - self.bound

    def certificate(self) -> dict[str, Any]:
        """The document of kind ``run`` that `exactsched.check` accepts."""
        return to_document(
            RunCertificate(
                self.problem,
                self.packets,
                self.makespan,
                self.bound,
                self.makespan == self.bound,
                self.tick,
                self.transfers,
                self.leaf,
            )
        )


def run_messages(solution: BroadcastSolution, messages: int) -> FiniteRun:
    """M messages take at most M / throughput + C, with C independent of M; here is the schedule.

    The makespan is at most `makespan_guarantee(solution, messages)`, which never exceeds
    M / throughput + `solution.makespan_constant`, and stays close to M / throughput even where
    the period is longer than anybody can wait for.  Several layouts are tried and the shortest
    kept.  A transfer may be interrupted; latencies do not occur.  A restricted solution keeps to
    its trees, while the bound allows all arcs.

    The result holds about 2 M (n-1) transfers, and time is proportional to that (a second for
    100,000, with times of few digits).  Raises `InvalidInput` for M < 1, for throughput 0, and for
    more than MAX_TRANSFERS transfers or MAX_PACKETS messages.

    Reference: RR-4871, theorem 7, whose constant is a number of periods.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> run = run_messages(broadcast(chain, "a"), 10)
    >>> run.makespan, run.bound, run.transfers[:3]
    (Fraction(11, 1), Fraction(10, 1), ((0, 0, 0, 1), (0, 1, 1, 2), (1, 0, 1, 2)))
    """
    _check_request(solution, messages)
    problem = _unrestricted(solution)
    leaf, bound = _lower_bound(solution, messages)
    steady = _steady(solution)
    candidates = laid_out(steady, messages)
    if steady.rows(messages) <= MANY_ROWS and solution.problem.restrict == "none":
        candidates += _quick_start(problem, Ports(problem), messages)
    tick, rows = shortest(candidates)
    return finished_run(problem, (Fraction(1),) * messages, tick, rows, leaf, bound)


def run_within(solution: BroadcastSolution, horizon: Fraction | int | str) -> FiniteRun:
    """A run of as many messages as the explicit schedule delivers everywhere by time `horizon`.

    At least throughput * (horizon - C) of them with the C of `run_messages`, where no schedule
    under the restriction of the solution (for ``none``: no schedule at all) delivers more than
    `solution.upper` * horizon.  Raises `InvalidInput` if that is no message at all, and as
    `run_messages` does.

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> len(run_within(broadcast(chain, "a"), "21/2").packets)
    9
    """
    end = exact(horizon, "horizon")
    run = longest_within(
        lambda messages: run_messages(solution, messages), end, solution.throughput, solution.upper
    )
    if run.makespan > end:
        rule = "no message is everywhere by then; this schedule of a single one takes "
        raise InvalidInput("horizon", text(end), rule + text(run.makespan))
    return run


def makespan_guarantee(solution: BroadcastSolution, messages: int) -> Fraction:
    """A time within which `run_messages` is proved to end before anything is laid out.

    It is the least, over the plans considered, of P (Q + max (H - 1) L) / Q, where P is the
    largest load of a resource by the whole run, Q the number of slices, H the depth of a tree and
    L the lag between its levels in slices (proofs/asymptotic-optimality.md, theorem B).  It
    is at most M / throughput + `solution.makespan_constant` (theorem A).

    >>> from exactsched import Platform, broadcast
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> makespan_guarantee(broadcast(chain, "a"), 10)
    Fraction(11, 1)
    """
    _check_request(solution, messages)
    return plans(_steady(solution), messages)[0].limit


def finished_run(
    problem: Broadcast,
    packets: tuple[Fraction, ...],
    tick: Fraction,
    rows: Sequence[Row],
    leaf: CutBound,
    bound: Fraction,
) -> FiniteRun:
    """The run made of the rows, with the coarsest tick that keeps their times whole."""
    tick, transfers = coarsest(tick, rows)
    makespan = max(row[3] for row in transfers) * tick
    return FiniteRun(problem, packets, tick, transfers, makespan, bound, leaf)


def _steady(solution: BroadcastSolution) -> Steady:
    problem = _unrestricted(solution)
    arcs = [(arc,) for arc in range(len(problem.platform.arcs))]
    return Steady(problem, [_structure(problem, tree) for tree in solution.trees], arcs)


def _structure(problem: Broadcast, tree: Tree) -> Structure:
    """The tree with its arcs in the order in which a message takes them."""
    depth = depths(problem.platform, problem.source, tree.arcs)
    ordered = sorted(tree.arcs, key=lambda arc: depth[problem.platform.arcs[arc].head])
    return Structure(0, tuple((arc,) for arc in ordered), tree.weight)


def _quick_start(
    problem: Broadcast, ports: Ports, messages: int
) -> Iterator[tuple[Fraction, list[Row]]]:
    """All messages along one tree that a single message takes quickly."""
    costs = [arc.cost for arc in problem.platform.arcs]
    tick = common_measure(costs)
    durations = [int(cost / tick) for cost in costs]
    quick = earliest_arrival_tree(ports, durations)
    if quick is not None:
        yield tick, by_priority(ports, [quick], [(0,)] * messages, lambda arc, _: durations[arc])


def _check_request(solution: BroadcastSolution, messages: int) -> None:
    if isinstance(messages, bool) or not isinstance(messages, int) or messages < 1:
        raise InvalidInput("messages", messages, "a run has a whole number of messages, at least 1")
    if not solution.trees:
        rule = "no message from it ever arrives everywhere: the throughput is 0"
        raise InvalidInput("source", solution.problem.source, rule)
    transfers = messages * (len(solution.problem.platform.nodes) - 1)
    if transfers > MAX_TRANSFERS or messages > MAX_PACKETS:
        rule = (
            f"an explicit run has at most {MAX_TRANSFERS} transfers and {MAX_PACKETS} messages;"
            " the periodic schedule describes any number of them, and delivers M within"
            " M / throughput + makespan_constant"
        )
        raise InvalidInput("messages", messages, rule)


def _unrestricted(solution: BroadcastSolution) -> Broadcast:
    asked = solution.problem
    return Broadcast(asked.platform, asked.source, asked.ports)


def _lower_bound(solution: BroadcastSolution, messages: int) -> tuple[CutBound, Fraction]:
    """No schedule of the messages ends earlier, and the prices and cuts that show it.

    A finite run may use all arcs, so a bound that branches on them (a restriction) proves nothing
    here, and that of the unrestricted problem takes its place.
    """
    leaf = solution.bound
    if not isinstance(leaf, CutBound):
        leaf = solve_series(_unrestricted(solution)).bound
        assert isinstance(leaf, CutBound)
    weight = sum((weight for _, _, weight in leaf.cuts), start=Fraction(0))
    return leaf, messages * weight / offered(leaf)
