"""Links around switches by definition: all sets of nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from exactsched.exact.rational import Rational
from exactsched.model.platform import Node
from exactsched.model.problem import Allgather, Combination
from exactsched.model.tasks import Task, needs
from exactsched.oracles.flows_and_cuts import Arcs, bits, entered
from exactsched.oracles.series import paths

Links = Iterable[tuple[Sequence[int], Rational]]  # (arcs of a path, capacity)


def keeps_demands(
    size: int,
    arcs: Arcs,
    capacities: Iterable[Rational],
    switches: Collection[int],
    demands: Sequence[Rational],
) -> bool:
    """Whether every set with a node that is no switch is entered by the demand of those outside.

    >>> keeps_demands(3, [(0, 1), (1, 2)], [1, 1], [1], [1, 0, 0])
    True
    >>> keeps_demands(3, [(0, 1), (1, 2)], [1, 1], [1], [1, 0, 1])
    False
    """
    amounts, forwarding = entered(size, arcs, capacities), bits(switches)
    return all(
        amounts[nodes] >= sum(demands[node] for node in range(size) if not nodes >> node & 1)
        for nodes in range(1 << size)
        if nodes & ~forwarding
    )


def largest_multiple(
    size: int,
    arcs: Arcs,
    capacities: Iterable[Rational],
    switches: Collection[int],
    demands: Sequence[Rational],
) -> Fraction | None:
    """Of all demands: the least ratio of what enters a set and what is demanded outside of it.

    >>> largest_multiple(3, [(0, 1), (1, 2)], [3, 5], [1], [2, 0, 0])
    Fraction(3, 2)
    """
    amounts, forwarding = entered(size, arcs, capacities), bits(switches)
    ratios = []
    for nodes in range(1 << size):
        needed = sum(demands[node] for node in range(size) if not nodes >> node & 1)
        if nodes & ~forwarding and needed:
            ratios.append(Fraction(amounts[nodes]) / needed)
    return min(ratios, default=None)


def fault_of_links(
    size: int,
    arcs: Arcs,
    capacities: Sequence[Rational],
    switches: Collection[int],
    demands: Sequence[Rational],
    links: Links,
) -> str:
    """Why these are no links around switches that fit and keep all demands; empty if they are.

    >>> fault_of_links(3, [(0, 1), (1, 2)], [2, 1], [1], [1, 0, 0], [((0, 1), 1)])
    ''
    >>> fault_of_links(3, [(0, 1), (1, 2)], [2, 1], [1], [1, 0, 0], [((0, 1), 2)])
    'more than the capacity of arc 1'
    """
    left, ends, amounts = list(capacities), [], []
    for path, capacity in links:
        nodes = [arcs[path[0]][0]]
        for arc in path:
            if arcs[arc][0] != nodes[-1]:
                return f"a link that is broken at arc {arc}"
            nodes.append(arcs[arc][1])
            left[arc] -= capacity
        inner = set(nodes[1:-1])
        if len(set(nodes)) < len(nodes) or not inner <= set(switches):
            return f"a link through {nodes}"
        ends.append((nodes[0], nodes[-1]))
        amounts.append(capacity)
    for arc, rest in enumerate(left):
        if rest < 0:
            return f"more than the capacity of arc {arc}"
    if any(node in switches for pair in ends for node in pair):
        return "a link that ends at a switch"
    if any(capacity <= 0 for capacity in amounts):
        return "a link without capacity"
    return "" if keeps_demands(size, ends, amounts, switches, demands) else "an unmet set"


def trees_of_paths(problem: Allgather) -> list[list[list[Task]]]:
    """For every root all trees of simple paths that only forward, from node to node of the group.

    Exponential: for three or four nodes in the group.

    >>> from exactsched.model.platform import Platform
    >>> line = Platform("asb", [("a", "s", 1), ("s", "b", 2)])
    >>> trees_of_paths(Allgather(line, (("a", 1), ("b", 0))))
    [[[(0, 0, 0), (1, 0, 0)]]]
    """
    group = [node for node, _ in problem.shards]
    between = {
        (one, other): list(paths(problem.platform, one, other, problem.group - {one, other}))
        for one in group
        for other in group
        if one != other
    }
    return [
        [
            [(arc, part, copy) for copy, path in enumerate(chosen) for arc in path]
            for links in _trees(root.node, group)
            for chosen in product(*(between[link] for link in links))
        ]
        for part, root in enumerate(problem.roots)
    ]


def _trees(root: Node, nodes: Sequence[Node]) -> Iterator[list[tuple[Node, Node]]]:
    """The arcs of all arborescences from the root, every arc after the one into its tail."""
    others = [node for node in nodes if node != root]
    for parents in product(nodes, repeat=len(others)):
        parent = dict(zip(others, parents, strict=True))
        reached, links = [root], []
        for node in reached:  # grows while it is read
            heads = [other for other in others if parent[other] == node]
            links += [(node, head) for head in heads]
            reached += heads
        if len(links) == len(others):
            yield links


def forwarded_twice(problem: Allgather | Combination, tasks: Iterable[Task]) -> bool:
    """Whether two of the tasks send on what a node outside the group has received once.

    >>> from exactsched.model.platform import Platform
    >>> fork = Platform("asbc", [("a", "s", 1), ("s", "b", 1), ("s", "c", 1)])
    >>> asked = Allgather(fork, (("a", 1), ("b", 0), ("c", 0)))
    >>> forwarded_twice(asked, [(0, 0, 0), (0, 0, 1), (1, 0, 0), (2, 0, 1)])
    False
    >>> forwarded_twice(asked, [(0, 0, 0), (1, 0, 0), (2, 0, 0)])
    True
    """
    arcs = problem.platform.arcs
    others = [task for task in tasks if arcs[task[0]].tail not in _sending_on(problem, task)]
    sent = [s for task in others for s in needs(problem, task) if s[1] == arcs[task[0]].tail]
    return len(set(sent)) < len(sent)


def _sending_on(problem: Allgather | Combination, task: Task) -> frozenset[Node]:
    """The nodes that may send what a task sends more than once."""
    return problem.group if isinstance(problem, Allgather) else problem.group_of(task[1])
