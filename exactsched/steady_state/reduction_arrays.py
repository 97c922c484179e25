"""Cheapest reduction trees in floats, for all intervals of one length at once, in arrays.

Method: that of `reduction_tree.PricedStates`, by the length of the intervals; the search of
shortest paths is Bellman's and Ford's, which goes over all arcs and all intervals of a length in
one step of an array.
Limits: floats only.  They propose tasks, and nothing else: `PricedStates` decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactsched.model.tasks import Task
from exactsched.steady_state.reduction_tree import ReductionStates


class ArrayStates:
    """The states of a reduction in arrays, to be priced again and again.

    A state is a length, a place among the intervals of that length, and a node.
    """

    def __init__(self, states: ReductionStates[float]) -> None:
        import numpy

        self.states: ReductionStates[float] = states
        (self.first, last), self.target = states.goal
        self.length = last - self.first
        # Nodes by the number of arcs that enter them; the first such arc of every node, then the
        # second of those that have two, and so on: one step of an array for each layer.
        self.entering: list[list[int]] = [[] for _ in range(states.size)]
        for arc, (_, head) in enumerate(states.arcs):
            self.entering[head].append(arc)
        nodes = sorted(range(states.size), key=lambda node: -len(self.entering[node]))
        self.row = [0] * states.size
        for row, node in enumerate(nodes):
            self.row[node] = row
        rows = numpy.array(self.row)
        self.layers = [
            [self.entering[node][turn] for node in nodes if len(self.entering[node]) > turn]
            for turn in range(len(self.entering[nodes[0]]))
        ]
        self.tails = [
            numpy.array([self.row[states.arcs[arc][0]] for arc in layer]) for layer in self.layers
        ]
        self.owners = rows[states.owners[self.first : last + 1]]
        self.able = list(states.times)
        self.at_work = rows[self.able]
        self.times = numpy.array(list(states.times.values()), dtype=float)
        self.sizes = [
            numpy.array([states.sizes[k, k + more] for k in range(self.first, last - more + 1)])
            for more in range(self.length + 1)
        ]
        # By length: (place, node, length of the left part, time) of tasks with a time of their own.
        self.single: dict[int, list[tuple[int, int, int, float]]] = {}
        for (k, m), tasks in states.single.items():
            if self.first <= k and m <= last:
                self.single.setdefault(m - k, []).extend(
                    (k - self.first, node, cut - k, time) for node, cut, time in tasks
                )


class PricedArrays:
    """What every state costs at least, in floats, and a cheapest reduction tree.

    As `PricedStates`; what cannot be reached costs infinity.
    """

    def __init__(
        self, arrays: ArrayStates, lengths: Sequence[float], prices: Sequence[float]
    ) -> None:
        import numpy

        self._arrays, self._lengths, self._prices = arrays, lengths, prices
        sent = [numpy.array([lengths[arc] for arc in layer])[:, None] for layer in arrays.layers]
        weights = arrays.times[:, None] * numpy.array([[prices[node]] for node in arrays.able])
        # By length, of every node and place: what a state costs where it is made, and anywhere.
        self._made: list[Any] = []
        self._labels: list[Any] = []
        here: list[Any] = []  # the labels of nodes that compute
        for more in range(arrays.length + 1):
            count = arrays.length - more + 1
            label = numpy.full((arrays.states.size, count), numpy.inf)
            if not more:
                label[arrays.owners, numpy.arange(count)] = 0.0
            elif len(arrays.able):
                best = here[0][:, :count] + here[more - 1][:, 1:]
                for left in range(1, more):
                    parts = here[left][:, :count] + here[more - 1 - left][:, left + 1 :]
                    numpy.minimum(best, parts, out=best)
                label[arrays.at_work] = best + weights
            for place, node, left, time in arrays.single.get(more, ()):
                cost = self._task(more, place, left, node, time)
                row = arrays.row[node]
                label[row, place] = min(label[row, place], cost)
            self._made.append(label.copy())
            spread(label, arrays.tails, [steps * arrays.sizes[more] for steps in sent])
            self._labels.append(label)
            here.append(label[arrays.at_work])

    @property
    def cost(self) -> float:
        """What the goal costs."""
        return float(self._labels[-1][self._arrays.row[self._arrays.target], 0])

    def tree(self) -> tuple[Task, ...]:
        """A cheapest reduction tree, each task after those that make its inputs."""
        arrays = self._arrays
        first, arcs = arrays.first, len(arrays.states.arcs)
        backwards: list[Task] = []
        waiting = [(arrays.length, 0, arrays.target)]
        while waiting:
            more, place, node = waiting.pop()
            k, m = first + place, first + place + more
            way = self._way(more, place, node)
            backwards += [(arc, k, m) for arc in way]
            if more:
                node = arrays.states.arcs[way[-1]][0] if way else node
                left = self._left(more, place, node)
                backwards.append((arcs + node, k, k + left, m))
                waiting += [(left, place, node), (more - 1 - left, place + left + 1, node)]
        return tuple(reversed(backwards))

    def _way(self, more: int, place: int, node: int) -> list[int]:
        """The arcs back to a node where the state is made at the same cost.

        Every label that was lowered is the sum, in floats, of the label at some tail and a step.
        Arcs of length 0 may lead around, so no node is met twice.
        """
        label, made = self._labels[more][:, place].tolist(), self._made[more][:, place].tolist()
        row, arcs = self._arrays.row, self._arrays.states.arcs
        size = float(self._arrays.sizes[more][place])
        after = {node: -1}
        waiting = [node]
        while made[row[waiting[-1]]] > label[row[waiting[-1]]]:
            head = waiting.pop()
            for arc in self._arrays.entering[head]:
                tail = arcs[arc][0]
                reached = label[row[tail]] + self._lengths[arc] * size
                if tail not in after and reached == label[row[head]]:
                    after[tail] = arc
                    waiting.append(tail)
        way: list[int] = []
        node = waiting[-1]
        while after[node] >= 0:
            way.append(after[node])
            node = arcs[way[-1]][1]
        return way[::-1]

    def _left(self, more: int, place: int, node: int) -> int:
        """The length of the left part of a cheapest task on the node."""
        time = self._arrays.states.times.get(node)
        if time is not None:
            return min(range(more), key=lambda left: self._task(more, place, left, node, 0.0))
        rows = [row for row in self._arrays.single[more] if row[:2] == (place, node)]
        return min(rows, key=lambda row: self._task(more, place, row[2], node, row[3]))[2]

    def _task(self, more: int, place: int, left: int, node: int, time: float) -> float:
        row = self._arrays.row[node]
        parts = self._labels[left][row, place]
        parts += self._labels[more - 1 - left][row, place + left + 1]
        return float(parts + time * self._prices[node])


def spread(label: Any, tails: Sequence[Any], steps: Sequence[Any]) -> None:
    """Lower labels, in place, to the least sums of a label and a path, for columns of labels.

    `tails[t]` has, for the first nodes, the tail of the arc number t that enters each, and
    `steps[t]` its lengths, >= 0, by column.  At the end no arc leads to less, and a label that was
    lowered is, in floats, the sum of the label at some tail and the step.  O(m h) additions for
    each column, where shortest paths have h arcs.

    >>> import numpy
    >>> labels = numpy.array([[9.0], [0.0], [9.0]])
    >>> spread(labels, [numpy.array([1, 2])], [numpy.array([[1.0], [4.0]])]), labels.tolist()
    (None, [[1.0], [0.0], [9.0]])
    """
    import numpy

    while True:
        before = label.copy()
        for entered, length in zip(tails, steps, strict=True):
            nodes = label[: len(entered)]
            numpy.minimum(nodes, label.take(entered, axis=0) + length, out=nodes)
        if (before == label).all():
            return
