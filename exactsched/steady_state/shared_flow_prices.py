"""Prices for flows that share tasks, in floats, where the program is too large for a basis.

Method: the whole program of `shared_flow_bound` by a primal-dual hybrid gradient method, with
steps of the size that rows and columns allow, reflection, Halpern's anchor, and restarts.  No task
has to be found before, and a step costs a few passes over the variables.  These stand in arrays:
transfers by *row*, an interval and a goal that contains it, and arc; merges by *cut*, a row and the
place where it is cut, and processor.
Limits: floats of single precision.  They propose prices and shares, and nothing else: whoever
divides the prices exactly has a proof, however good these are.

Reference: Chambolle and Pock 2011; Pock and Chambolle 2011 for the sizes of steps; Lu and Yang
2024 for anchor and restarts; proofs/parallel-prefix.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any

from exactsched.steady_state.state_graph import StateGraph

# Steps between two looks at the distance to a fixed point.
_LOOK = 20
# A restart comes when the distance is the first share of what it was after the last one, or the
# second share and grows, or when the third share of all steps has been made since.
_MUCH, _SOME, _LONG = 0.2, 0.8, 0.36
# Primal steps are longer by this factor, and dual steps shorter.  An all-reduce with 30 nodes and
# 15 values is bounded by 0.0946 after 2,000 steps, with 1 by 0.0980, with 4 by 0.0964; by 0.0972 if
# the factor follows the ways that both have gone, as is usual.  The optimum is 0.0942.
_BALANCE = 2
# Multiplications of a product of matrices that OpenBLAS does not divide among threads.
_ONE_THREAD = 1 << 18
# A point: T, u of transfers and of merges, x of transfers and of merges; and the dual prices of
# resources, of states, and of x <= u for transfers and for merges.
_PRIMAL = 5


class SharedFlowPrices:
    """A point that nears an optimum of all flows of a state graph, and its dual prices.

    The program: maximize T; every goal g gets T, and makes of each state what it uses; its rates
    x[g, task] are at most u[task]; no resource works longer than the time.  Variables are counted
    in operations per `measure` of the graph over `rate`, so that they are near 1.
    """

    def __init__(self, graph: StateGraph, rate: float) -> None:
        import numpy

        self._graph, self._rate = graph, rate
        self._lay_rows()
        self._lay_cuts()
        with numpy.errstate(all="ignore"):
            self._lay_times()
            self._sizes = self._sizes_of_steps()
        self._point = self._origin()
        self.steps = 0
        self._drop_anchor()

    def _lay_rows(self) -> None:
        """Rows by interval, then goal, and which of their states have to be made."""
        import numpy

        graph, size = self._graph, self._graph.size
        ends = [graph.intervals[goal // size] for goal in graph.goals]
        rows = [
            (index, number)
            for index, (k, m) in enumerate(graph.intervals)
            for number, (first, last) in enumerate(ends)
            if first <= k and m <= last
        ]
        self._row_of = {row: at for at, row in enumerate(rows)}
        self._interval, self._number = numpy.array(rows).T
        self._first_rows = numpy.searchsorted(self._interval, numpy.arange(len(graph.intervals)))
        self._arcs = graph.arcs
        nodes = numpy.eye(size, dtype="f4")
        leaving = nodes[[tail for (tail,) in graph.needs[: self._arcs]]]
        entering = nodes[graph.makes[: self._arcs]]
        self._incidence = leaving - entering
        self._degrees = (leaving + entering).sum(0)
        there = numpy.isin(numpy.arange(len(graph.named)), list(graph.there))
        self._open = ~there.reshape(-1, size)[self._interval]
        rows_of_goals = [
            self._row_of[goal // size, number] for number, goal in enumerate(graph.goals)
        ]
        self._goals = (numpy.array(rows_of_goals), numpy.array(graph.goals) % size)

    def _lay_cuts(self) -> None:
        """Cuts by interval, place and goal; the rows that each makes and needs."""
        import numpy

        graph, index = self._graph, {ends: at for at, ends in enumerate(self._graph.intervals)}
        merges = [
            (index[k, m], index[k, cut], index[cut + 1, m])
            for k, m in graph.intervals
            for cut in range(k, m)
        ]
        cuts = [
            (merge, *(self._row_of[interval, number] for interval in parts))
            for merge, parts in enumerate(merges)
            for number in range(len(graph.goals))
            if (parts[0], number) in self._row_of
        ]
        columns = numpy.array(cuts, dtype=int).reshape(-1, 4).T
        self._merge, self._made, self._left, self._right = columns
        self._first_cuts = numpy.searchsorted(self._merge, numpy.arange(len(merges)))
        self._makings, self._needs = _Sums(self._made), _Sums(self._left, self._right)
        self._able = numpy.array(graph.able, dtype=int)

    def _lay_times(self) -> None:
        """What u[task] loads: the times of tasks, and the resources of arcs and processors."""
        import numpy

        graph, first = self._graph, len(self._graph.intervals) * self._arcs
        able = numpy.array(graph.possible)
        times = numpy.where(able, graph.durations, 0) * self._rate
        sent = len(graph.intervals), self._arcs
        merged = len(self._first_cuts), len(self._able)
        self._possible = able[first:].reshape(merged)
        self._all_possible = bool(self._possible.all())
        self._times = [
            times[:first].reshape(sent).astype("f4"),
            times[first:].reshape(merged).astype("f4"),
        ]
        places = [graph.uses[: self._arcs], graph.uses[first:][: len(self._able)]]
        self._used = [
            numpy.array(
                [[row in uses for row in range(graph.rows)] for uses in users], dtype="f4"
            ).reshape(len(users), graph.rows)
            for users in places
        ]

    def _sizes_of_steps(self) -> list[Any]:
        """For every variable the inverse of the sum of its entries, or less, without their signs.

        One number for all where that is nearly the same, as a pass over an array costs time.
        """
        import numpy

        counts = [
            numpy.add.reduceat(numpy.ones((len(rows), 1), dtype="f4"), first)
            for rows, first in ((self._interval, self._first_rows), (self._merge, self._first_cuts))
        ]
        usage = [
            1 / (count + times * used.sum(1))
            for count, times, used in zip(counts, self._times, self._used, strict=True)
        ]
        load = sum(times.sum(0) @ used for times, used in zip(self._times, self._used, strict=True))
        # The sums for states: arcs, the goal, and the merges that are possible.
        used_up, made = self._into_rows(self._possible[self._merge].astype("f4"))
        states = self._degrees + numpy.zeros_like(self._open)
        states[self._goals] += 1
        states[:, self._able] += used_up + made
        one = numpy.float32(1)
        sizes = [
            numpy.full(1, one / len(self._graph.goals)),
            *usage,
            one / 3,
            one / 4,
            _ratio(numpy.ones_like(load), load),
            _ratio(self._open, states),
            one / 2,
            one / 2,
        ]
        return [
            size * _BALANCE if at < _PRIMAL else size / _BALANCE for at, size in enumerate(sizes)
        ]

    def _origin(self) -> list[Any]:
        import numpy

        sent = len(self._interval), self._arcs
        merged = len(self._merge), len(self._able)
        shapes = [numpy.shape(size) or None for size in self._sizes]
        shapes[3:5] = shapes[7:9] = sent, merged
        return [numpy.zeros(shape, dtype="f4") for shape in shapes]

    def _into_rows(self, merged: Any) -> tuple[Any, Any]:
        """Of every row and processor, what merges use of the state, and what they make."""
        shape = len(self._interval), len(self._able)
        return self._needs.sums(merged, shape), self._makings.sums(merged, shape)

    def _broken(self, primal: Sequence[Any]) -> list[Any]:
        """By dual variable, the sum of its row; broken if above 1 for a resource, above 0 else."""
        rate, sent, merged, x_sent, x_merged = primal
        load = sum(
            (times * u).sum(0) @ used
            for times, u, used in zip(self._times, (sent, merged), self._used, strict=True)
        )
        states = _product(x_sent, self._incidence)
        used_up, made = self._into_rows(x_merged)
        states[:, self._able] += used_up - made
        states[self._goals] += rate
        return [load, states, x_sent - sent[self._interval], x_merged - merged[self._merge]]

    def _costs(self, dual: Sequence[Any]) -> list[Any]:
        """By primal variable, what a unit of it costs under dual prices, less what it brings."""
        import numpy

        prices, states, shares, merge_shares = dual
        paid = (
            numpy.add.reduceat(shares, self._first_rows),
            numpy.add.reduceat(merge_shares, self._first_cuts),
        )
        usage = [
            times * (used @ prices) - part
            for times, used, part in zip(self._times, self._used, paid, strict=True)
        ]
        sent = _product(states, self._incidence.T)
        sent += shares
        at_work = states[:, self._able]
        merged = at_work[self._left]
        merged += at_work[self._right]
        merged -= at_work[self._made]
        merged += merge_shares
        return [states[self._goals].sum(keepdims=True), *usage, sent, merged]

    def walk(self, steps: int) -> None:
        """Steps towards an optimum."""
        import numpy

        with numpy.errstate(all="ignore"):
            for _ in range(steps):
                self._go_on()

    def _go_on(self) -> None:
        stepped = self._step()
        self.steps += 1
        self._age += 1
        if self._age % _LOOK == 1 and self._restarted(stepped):
            return
        share = self._age / (self._age + 1)
        # Twice the step, and back to the anchor by a share that falls.
        for at, new, anchor in zip(self._point, stepped, self._anchor, strict=True):
            new *= 2
            at -= new
            at *= -share
            at += (1 - share) * anchor

    def _step(self) -> list[Any]:
        import numpy

        primal, dual = self._point[:_PRIMAL], self._point[_PRIMAL:]
        stepped = self._costs(dual)
        stepped[0] -= 1
        for new, at, step in zip(stepped, primal, self._sizes[:_PRIMAL], strict=True):
            new *= -step
            new += at
            numpy.maximum(new, 0, out=new)
        if not self._all_possible:
            stepped[4] *= self._possible[self._merge]
        ahead = [2 * new for new in stepped]
        for new, at in zip(ahead, primal, strict=True):
            new -= at
        broken = self._broken(ahead)
        broken[0] -= 1
        for new, at, step in zip(broken, dual, self._sizes[_PRIMAL:], strict=True):
            new *= step
            new += at
            numpy.maximum(new, 0, out=new)
        return stepped + broken

    def _restarted(self, stepped: list[Any]) -> bool:
        """Anchors the point where it is if it has come near enough since it was anchored."""
        moved = [new - at for new, at in zip(stepped, self._point, strict=True)]
        distance = self._distance(moved)
        if self._age == 1:
            self._distances = distance, distance
            return False
        first, last = self._distances
        self._distances = first, distance
        if (
            distance > _MUCH * first
            and not last < distance < _SOME * first
            and self._age < _LONG * self.steps
        ):
            return False
        self._point = stepped
        self._drop_anchor()
        return True

    def _drop_anchor(self) -> None:
        self._anchor = [part.copy() for part in self._point]
        self._age = 0

    def _distance(self, moved: list[Any]) -> float:
        """In the norm in which a step never leads away from an optimum."""
        squares = sum(
            float((part * part * _ratio(part != 0, size)).sum())
            for part, size in zip(moved, self._sizes, strict=True)
        )
        rows = self._broken(moved[:_PRIMAL])
        both = sum(
            float((part * row).sum()) for part, row in zip(moved[_PRIMAL:], rows, strict=True)
        )
        return sqrt(max(0.0, squares - 2 * both))

    def division(self) -> tuple[list[float], list[dict[int, float]]] | None:
        """Prices of the resources, 1 altogether, and what every goal pays for tasks.

        All goals together pay no task more than it costs.  None while all prices are 0, and where
        the times are too far apart for single precision.
        """
        import numpy

        # A step ends at 0 or above; the points between, beyond the anchor, need not.
        with numpy.errstate(all="ignore"):
            prices, _, *paid = self._step()[_PRIMAL:]
        total = float(prices.sum())
        if not (0 < total < inf and all(numpy.isfinite(part).all() for part in paid)):
            return None
        shares: list[dict[int, float]] = [{} for _ in self._graph.goals]
        first_task = 0
        for times, used, part, kinds, first, numbers in zip(
            self._times,
            self._used,
            paid,
            (self._interval, self._merge),
            (self._first_rows, self._first_cuts),
            (self._number, self._number[self._made]),
            strict=True,
        ):
            most = _ratio(times * (used @ prices), numpy.add.reduceat(part, first))
            fair = part * numpy.minimum(1, most)[kinds] / (self._rate * total)
            at, place = numpy.nonzero(fair)
            tasks = first_task + kinds[at] * times.shape[1] + place
            for number, task, share in zip(
                numbers[at].tolist(), tasks.tolist(), fair[at, place].tolist(), strict=True
            ):
                shares[number][task] = share
            first_task += times.size
        return [price / total for price in prices.tolist()], shares


class _Sums:
    """Sums of the rows of an array by the targets that lists of the same length name for them."""

    def __init__(self, *targets: Any) -> None:
        import numpy

        listed = numpy.concatenate(targets)
        order = numpy.argsort(listed, kind="stable")
        self._from = order % max(1, len(targets[0]))
        self._to, self._first = numpy.unique(listed[order], return_index=True)

    def sums(self, rows: Any, shape: tuple[int, int]) -> Any:
        """For each target the sum of the rows that name it."""
        import numpy

        found = numpy.zeros(shape, dtype=rows.dtype)
        found[self._to] = numpy.add.reduceat(rows[self._from], self._first)
        return found


def _product(rows: Any, matrix: Any) -> Any:
    """The matrix product, some rows at a time: so small ones BLAS leaves in one thread.

    A walk of an all-reduce took twice the processor time, and longer, with two threads.
    """
    import numpy

    found = numpy.empty((len(rows), matrix.shape[1]), dtype="f4")
    some = max(1, _ONE_THREAD // max(1, matrix.size))
    for first in range(0, len(rows), some):
        part = slice(first, first + some)
        numpy.matmul(rows[part], matrix, out=found[part])
    return found


def _ratio(one: Any, other: Any) -> Any:
    """One over the other in single precision, and 0 where the other is 0."""
    import numpy

    shape = numpy.broadcast_shapes(numpy.shape(one), numpy.shape(other))
    nothing = numpy.zeros(shape, dtype="f4")
    return numpy.divide(one, other, out=nothing, where=other != 0)
