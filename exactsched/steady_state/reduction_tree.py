"""Reduction trees (RR-4872, definition 1): the cheapest one, and what one looks like.

A state is a pair of an interval [k,m] and a node: v[k,m] is known there.  A transfer leads from
state to state along an arc, and the task T[k,l,m] joins the states of [k,l] and [l+1,m] at a node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import repeat
from operator import add
from typing import Generic, TypeVar

from exactsched.exact.arguments import (
    checked_arcs,
    checked_node,
    checked_size,
    divided,
    exact_numbers,
    not_negative,
    over_common_denominator,
)
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, readable
from exactsched.graphs.shortest_paths import spread
from exactsched.model.platform import one_line
from exactsched.model.problem import Interval, Reduction
from exactsched.model.reduction_steps import Step, reduction_steps
from exactsched.model.tasks import State, Task

Number = TypeVar("Number", int, float)

_WORDS = {"transfer": "transfer [{}] {}", "task": "cons[{}] on {}"}


@readable
@dataclass(frozen=True, slots=True)
class CheapestTree:
    """A reduction tree of least cost, and the potentials that prove it.

    A task is (arc, k, m), the transfer of v[k,m], or (number of arcs + node, k, l, m), the task
    T[k,l,m]; each is listed after those that make its inputs.  `potentials[k, m]` has the least
    cost of v[k,m] at every node, or `cost` where that is more or v[k,m] cannot get there: no
    transfer and no task adds more to the potentials of its inputs than it costs, and what is
    there from the start has potential 0.
    """

    cost: Fraction
    tasks: tuple[Task, ...]
    potentials: dict[Interval, tuple[Rational, ...]]


def cheapest_reduction_tree(
    size: int,
    arcs: Sequence[tuple[int, int]],
    lengths: Sequence[object],
    owners: Sequence[int],
    target: int,
    times: Sequence[object | None],
) -> CheapestTree:
    """A reduction tree of least cost; potentials of the same value on the states prove it.

    Nodes are 0..size-1.  `owners[i]` has the value v[i]; v[0] + ... + v[N], in this order, is
    wanted at `target`.  The transfer of any partial result costs the length of the arc, any task
    the entry of `times` for its node, which is None where nothing can be computed.  Numbers are
    exact and >= 0.

    Raises `InvalidInput` for other numbers, for unknown nodes, and if no tree exists.

    O(N^2 m log n + N^3 n) additions and comparisons for m >= n arcs and N + 1 values.

    Reference: Knuth 1977 (*A generalization of Dijkstra's algorithm*); RR-4872, section 4.3.

    >>> both = [(0, 1), (1, 0)]
    >>> best = cheapest_reduction_tree(2, both, [5, "1/2"], [0, 1, 1], 1, [None, 1])
    >>> best.cost, best.tasks
    (Fraction(7, 1), ((0, 0, 0), (3, 1, 1, 2), (3, 0, 0, 2)))
    >>> best.potentials[0, 1]
    (Fraction(13, 2), 6)
    """
    size = checked_size(size)
    pairs = checked_arcs(size, arcs)
    numbers = exact_numbers(lengths, "length of arc", len(pairs))
    not_negative(numbers, "length of arc")
    if not owners:
        raise InvalidInput("owners", [], "a reduction has at least one value")
    values = [checked_node(node, size, f"owner of v[{index}]") for index, node in enumerate(owners)]
    target = checked_node(target, size, "target")
    computing = _checked_times(times, size)
    whole, denominator = over_common_denominator([*numbers, *computing.values()])
    prices = dict(zip(computing, whole[len(pairs) :], strict=True))
    last = len(values) - 1
    ones = {(k, m): 1 for k in range(last + 1) for m in range(k, last + 1)}
    goal = (0, last), target
    states = ReductionStates(size, pairs, values, goal, dict.fromkeys(computing, 1), {}, ones)
    priced = PricedStates(
        states, whole[: len(pairs)], [prices.get(node, 0) for node in range(size)]
    )
    if not priced.reachable:
        raise InvalidInput("target", target, "no reduction tree ends here")
    return CheapestTree(
        Fraction(priced.cost, denominator),
        priced.tree(),
        {
            interval: tuple(divided(label, denominator) for label in priced.potentials(interval))
            for interval in states.intervals
        },
    )


def _checked_times(times: Sequence[object | None], size: int) -> dict[int, Rational]:
    """The times of the nodes that compute."""
    if len(times) != size:
        raise InvalidInput("number of values (time of node)", len(times), f"{size} are needed")
    able = [node for node, time in enumerate(times) if time is not None]
    numbers = exact_numbers([times[node] for node in able], "time of node", len(able))
    not_negative(numbers, "time of node")
    return dict(zip(able, numbers, strict=True))


class ReductionStates(Generic[Number]):
    """The states of a reduction on a graph with nodes 0..size-1, to be priced again and again.

    `owners[i]` has v[i]; the `goal` is ((k, m), node).  A message with v[k,m] takes
    `sizes[k, m]` times the length of an arc.  `times` says what any task takes on a node,
    `single` what T[k,l,m] takes there, by (node, k, l, m); no node is in both.  These are positive,
    integers or floats; little is checked.
    """

    def __init__(
        self,
        size: int,
        arcs: Sequence[tuple[int, int]],
        owners: Sequence[int],
        goal: tuple[Interval, int],
        times: Mapping[int, Number],
        single: Mapping[tuple[int, int, int, int], Number],
        sizes: Mapping[Interval, Number],
    ) -> None:
        self.size = size
        self.arcs = arcs
        self.owners = owners
        self.goal = goal
        self.times: Mapping[int, Number] = times
        self.sizes: Mapping[Interval, Number] = sizes
        self.leaving: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        for arc, (tail, head) in enumerate(arcs):
            self.leaving[tail].append((arc, head))
        # By interval the single tasks that make it: (node, l, time).
        self.single: dict[Interval, list[tuple[int, int, Number]]] = {}
        for (node, k, cut, m), time in single.items():
            self.single.setdefault((k, m), []).append((node, cut, time))
        first, last = goal[0]
        # Those that matter for the goal, each after those that are parts of it.
        self.intervals = [
            (k, k + more) for more in range(last - first + 1) for k in range(first, last - more + 1)
        ]
        # No reduction tree takes longer than this on an arc of length 1, or on a node.
        largest: Number = max(map(sizes.__getitem__, self.intervals))
        durations: list[Number] = [largest]
        durations += times.values()
        durations += single.values()
        self.most_sent: Number = (2 * (last - first) + 1) * largest
        self.most_computed: Number = (last - first) * max(durations)


class PricedStates(Generic[Number]):
    """What every state costs at least, and a cheapest reduction tree.

    A transfer costs the size of its interval times the entry of `lengths` for the arc, a task its
    time times the entry of `prices` for the node.  These are >= 0, integers (then all is exact) or
    floats.

    The and-or graph of states has no way back from an interval to a shorter one.  So Knuth's
    generalization of Dijkstra's algorithm goes by the length of the intervals: the tasks label
    some nodes, and a search of shortest paths spreads the labels over all.
    """

    def __init__(
        self, states: ReductionStates[Number], lengths: Sequence[Number], prices: Sequence[Number]
    ) -> None:
        self._states: ReductionStates[Number] = states
        self._prices: Sequence[Number] = prices
        zero = 0 * (sum(lengths) + sum(prices))
        # More than any tree costs; the label of what cannot be reached.
        self._far: Number = (
            1 + 2 * states.most_sent * sum(lengths) + 2 * states.most_computed * sum(prices)
        )
        far = self._far
        steady = list(states.times)
        weights = [states.times[node] * prices[node] for node in steady]
        self._labels: dict[Interval, list[Number]] = {}
        # The last arc on the way to a state, or -1 if a task makes it or it is given.
        self._via: dict[Interval, list[int]] = {}
        # The labels of the nodes in `steady`.
        here: dict[Interval, list[Number]] = {}
        by_size: dict[Number, list[Number]] = {}
        for interval in states.intervals:
            k, m = interval
            label = [far] * states.size
            if k == m:
                label[states.owners[k]] = zero
            else:
                # All nodes and all l at once: this is most of the additions.
                sums = [map(add, here[k, cut], here[cut + 1, m]) for cut in range(k, m)]
                made = map(add, map(min, repeat(far), *sums), weights)
                for node, cost in zip(steady, made, strict=False):
                    if cost < far:
                        label[node] = cost
                for node, cut, time in states.single.get(interval, ()):
                    cost = self._task(k, cut, m, node, time)
                    if cost < label[node]:
                        label[node] = cost
            size = states.sizes[interval]
            if size not in by_size:
                by_size[size] = [size * length for length in lengths]
            self._via[interval] = spread(label, states.leaving, by_size[size], far)
            self._labels[interval] = label
            here[interval] = [label[node] for node in steady]

    @property
    def cost(self) -> Number:
        """What the goal costs."""
        interval, node = self._states.goal
        return self._labels[interval][node]

    @property
    def reachable(self) -> bool:
        """Whether there is a reduction tree."""
        return self.cost < self._far

    def potentials(self, interval: Interval) -> tuple[Number, ...]:
        """For every node what v[k,m] costs there, but no more than the goal: see `CheapestTree`."""
        most = self.cost
        return tuple([min(label, most) for label in self._labels[interval]])

    def tree(self) -> tuple[Task, ...]:
        """A cheapest reduction tree, as in `CheapestTree`; there must be one."""
        states = self._states
        backwards: list[Task] = []
        waiting = [states.goal]
        while waiting:
            (k, m), node = waiting.pop()
            via = self._via[k, m]
            while via[node] >= 0:
                backwards.append((via[node], k, m))
                node = states.arcs[via[node]][0]
            if k < m:
                cut = self._cut(k, m, node)
                backwards.append((len(states.arcs) + node, k, cut, m))
                waiting += [((k, cut), node), ((cut + 1, m), node)]
        return tuple(reversed(backwards))

    def _cut(self, k: int, m: int, node: int) -> int:
        """The l of a cheapest task T[k,l,m] on the node."""
        if node in self._states.times:
            possible = [(cut, self._states.times[node]) for cut in range(k, m)]
        else:
            rows = self._states.single[k, m]
            possible = [(cut, time) for able, cut, time in rows if able == node]
        return min(possible, key=lambda row: self._task(k, row[0], m, node, row[1]))[0]

    def _task(self, k: int, cut: int, m: int, node: int, time: Number) -> Number:
        parts = self._labels[k, cut][node] + self._labels[cut + 1, m][node]
        return parts + time * self._prices[node]


def tree_text(problem: Reduction, tasks: Sequence[Task]) -> str:
    """The same in the words of figures 11 and 12, every step above those that bring its inputs.

    What two steps use is written out where it is first met.

    No errors. Linear in the length of the text. Reference: RR-4872, figures 11 and 12.

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)], {"c": {"compute": 1}})
    >>> asked = Reduction(line, ("a", "c"), (((0, 1), "c"),), 1, (("c", 1),))
    >>> print(tree_text(asked, [(0, 0, 0), (1, 0, 0), (4, 0, 0, 1)]))
    result [0,1] on c
      cons[0,0,1] on c
        transfer [0,0] a -> b -> c
    """
    steps = reduction_steps(problem, tasks)
    bringing = {_brought(step): index for index, step in enumerate(steps)}
    lines: list[str] = []
    written: set[int] = set()
    for (k, m), node in problem.goals:
        lines.append(f"result [{k},{m}] on {one_line(node)}")
        waiting = [(bringing[(k, m), node], 1)]
        while waiting:
            index, depth = waiting.pop()
            step = steps[index]
            if step.kind == "value":
                continue
            item = ",".join(map(str, step.item))
            route = " -> ".join(map(one_line, step.nodes))
            shown = _WORDS[step.kind].format(item, route)
            again = " (above)" if index in written else ""
            lines.append("  " * depth + shown + again)
            if not again:
                written.add(index)
                waiting += [(below, depth + 1) for below in reversed(step.inputs)]
    return "\n".join(lines)


def _brought(step: Step) -> State:
    return (step.item[0], step.item[-1]), step.nodes[-1]
