"""Order-free reductions by definition: all trees, all sequences of calls, sums value by value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import combinations, permutations, product
from math import prod

from exactsched.exact.rational import Rational
from exactsched.model.platform import Node
from exactsched.model.problem import Combination
from exactsched.model.tasks import Path, State, Task, calls, given, makes, needs
from exactsched.oracles.series import paths

Calls = Sequence[tuple[int, int]]


def all_pairs_of_trees(problem: Combination) -> list[list[tuple[Task, ...]]]:
    """For every block all in-trees to a root, each with all out-trees from it that are needed.

    For a block with a source all out-trees from it to its targets, or all paths to its target.
    Trees and paths lead from node to node of the group of the block.

    Exponential: for three or four nodes, or five with few arcs.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> all_pairs_of_trees(Combination(pair, ((1, ("a", "b")),)))
    [[((1, 0, 1), (0, 0, 2)), ((0, 0, 1), (1, 0, 2))]]
    """
    found: list[list[tuple[Task, ...]]] = []
    between_in = {number: _all_paths(problem, number) for number in problem.parts_of}
    for part, (_, targets, source, number) in enumerate(problem.blocks):
        members, between = problem.members_of(number), between_in[number]
        ways: list[tuple[Task, ...]] = []
        if source is not None:
            if len(targets) > 1:
                messages = list(_trees_to(problem, between, source, targets, members))
            else:
                messages = list(_ways(problem, between, source, targets[0], frozenset()))
            found.append([calls(problem, part, (), way, Fraction(1)).tasks for way in messages])
            continue
        for root in targets:
            several = len(targets) > 1
            spread = list(_trees(problem, between, root, members, False)) if several else [()]
            gathered = _trees(problem, between, root, members, True)
            for inwards, outwards in product(gathered, spread):
                ways.append(calls(problem, part, inwards, outwards, Fraction(1)).tasks)
        found.append(ways)
    return found


def most_ways(problem: Combination) -> int:
    """At least the number of `all_pairs_of_trees` of an all-reduce, or of a message to several.

    Every node but the root chooses a path out of it, and one into it; of a message, every target a
    path into it, and every other node such a path or none.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> most_ways(Combination(pair, ((1, ("a", "b")),)))
    2
    """
    ((_, targets, source, _),) = problem.blocks
    arcs = problem.platform.arcs
    outwards = Counter(arcs[path[0]].tail for path in _all_paths(problem))
    inwards = Counter(arcs[path[-1]].head for path in _all_paths(problem))
    members = set(problem.members)
    if source is not None:
        return prod(inwards[node] + (node not in targets) for node in members - {source})
    return sum(
        prod(outwards[node] * inwards[node] for node in members - {root}) for root in members
    )


def _ways(
    problem: Combination, between: Sequence[Path], start: Node, end: Node, seen: frozenset[Node]
) -> Iterator[tuple[Path, ...]]:
    """All sequences of paths that lead from node to node of the group, to no node twice."""
    arcs = problem.platform.arcs
    if start == end:
        yield ()
        return
    for path in between:
        head = arcs[path[-1]].head
        if arcs[path[0]].tail == start and head not in seen:
            for rest in _ways(problem, between, head, end, seen | {start}):
                yield (path, *rest)


def _all_paths(problem: Combination, number: int | None = None) -> list[Path]:
    """All paths from node to node of a group through nodes outside of it."""
    group = problem.numbered(number)
    return [
        tuple(path)
        for one, other in permutations(problem.members_of(number), 2)
        for path in paths(problem.platform, one, other, group - {one, other})
    ]


def _trees_to(
    problem: Combination,
    between: Sequence[Path],
    source: Node,
    targets: Sequence[Node],
    members: Sequence[Node],
) -> Iterator[tuple[Path, ...]]:
    """The arborescences of all sets of nodes of the group with the source and all targets."""
    needed = {source, *targets}
    rest = [node for node in members if node not in needed]
    for count in range(len(rest) + 1):
        for more in combinations(rest, count):
            nodes = [node for node in members if node in needed or node in more]
            yield from _trees(problem, between, source, nodes, False)


def _trees(
    problem: Combination,
    between: Sequence[Path],
    root: Node,
    nodes: Sequence[Node],
    inwards: bool,
) -> Iterator[tuple[Path, ...]]:
    """The paths of all arborescences of these nodes, one for each of them but the root."""
    arcs = problem.platform.arcs
    ends = [(arcs[path[0]].tail, arcs[path[-1]].head) for path in between]
    others = [node for node in nodes if node != root]
    own = [
        [
            k
            for k, (tail, head) in enumerate(ends)
            if (tail if inwards else head) == node and {tail, head}.issubset(nodes)
        ]
        for node in others
    ]
    for chosen in product(*own):
        parent = {
            node: ends[k][1] if inwards else ends[k][0]
            for node, k in zip(others, chosen, strict=True)
        }
        if all(_leads(parent, node, root) for node in others):
            yield tuple(between[k] for k in chosen)


def _leads(parent: dict[Node, Node], node: Node, root: Node) -> bool:
    for _ in range(len(parent)):
        if node == root:
            return True
        node = parent[node]
    return node == root


def cheapest_calls(
    size: int, arcs: Calls, costs: Sequence[Rational], targets: Iterable[int]
) -> Rational | None:
    """The least cost of a sequence of calls after which each target knows the value of each node.

    A call over an arc tells the head all that the tail knows.  None if there is no such sequence.
    Dijkstra over all states of knowledge, in which calls that cost nothing are made at once: for up
    to four nodes, or five with few arcs that cost something.

    >>> cheapest_calls(3, [(0, 1), (1, 2), (2, 1), (1, 0)], [1, 1, 1, 1], range(3))
    4
    """
    wanted = tuple(targets)
    everything = (1 << size) - 1
    free = [call for call, cost in zip(arcs, costs, strict=True) if not cost]
    start = _told(tuple(1 << node for node in range(size)), free)
    best: dict[tuple[int, ...], Rational] = {start: 0}
    heap: list[tuple[Rational, tuple[int, ...]]] = [(0, start)]
    while heap:
        cost, known = heappop(heap)
        if cost > best[known]:
            continue
        if all(known[node] == everything for node in wanted):
            return cost
        for (tail, head), more in zip(arcs, costs, strict=True):
            after = _told(known, [(tail, head)], free)
            if after not in best or cost + more < best[after]:
                best[after] = cost + more
                heappush(heap, (cost + more, after))
    return None


def _told(known: tuple[int, ...], *rows: Calls) -> tuple[int, ...]:
    """Who knows what after the calls of each row, made until they tell nothing new."""
    after = list(known)
    for calls_made in rows:
        before = None
        while before != after:
            before = list(after)
            for tail, head in calls_made:
                after[head] |= after[tail]
    return tuple(after)


def wrong_sum(problem: Combination, tasks: Iterable[Task]) -> State | None:
    """A sum in which not every value is contained once, of tasks that are carried out in an order.

    >>> from exactsched.model.platform import Platform
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
    >>> asked = Combination(chain, ((1, ("c",)),))
    >>> wrong_sum(asked, [(0, 0, 0), (1, 0, 1, 0)]), wrong_sum(asked, [(0, 0, 0), (1, 0, 1)])
    (None, ((0,), 'c'))
    """
    known = {state: Counter([state]) for state in given(problem)}
    waiting = list(tasks)
    while waiting:
        ready = [task for task in waiting if all(s in known for s in needs(problem, task))]
        if not ready:
            break
        waiting = [task for task in waiting if task not in ready]
        for task in ready:
            made = makes(problem, task)
            total: Counter[State] = Counter()
            for state in needs(problem, task):
                total += known[state]
            if len(made[0]) == 1 and total != _whole(problem, made[0][0]):
                return made
            known[made] = total
    return None


def _whole(problem: Combination, block: int) -> Counter[State]:
    return Counter([state for state in given(problem) if state[0][0] == block])
