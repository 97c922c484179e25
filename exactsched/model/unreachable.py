"""Why a throughput is 0: the wanted states that no tasks bring about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exactsched.model.platform import Node, one_line
from exactsched.model.problem import Allgather, Broadcast, Collective, Combination, Reduction
from exactsched.model.tasks import Item, State, given, wanted

# At most this number of nodes, pairs or results is named.
_SOME = 6


def unreachable(problem: Collective) -> tuple[State, ...]:
    """The wanted states that no tasks bring about; the throughput is 0 if there are any.

    O(m) for a broadcast, O(m) for each source of an alltoall, and O(N^2 m + N^3 n) for a
    reduction of N values on n nodes with m arcs.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Alltoall
    >>> asked = Alltoall(Platform("abc", [("a", "b", 1)]), (("a", "b"), ("a", "c")))
    >>> unreachable(asked)
    (((1,), 'c'),)
    """
    leaving: dict[Node, list[Node]] = {}
    for arc in problem.platform.arcs:
        leaving.setdefault(arc.tail, []).append(arc.head)
    if isinstance(problem, Reduction):
        known = _partial_results(problem, leaving)
    elif isinstance(problem, Combination):
        known = _whole_sums(problem, leaving)
    else:
        starts = given(problem)
        spread = {node: _spread(leaving, {node}) for node in {node for _, node in starts}}
        known = {item: spread[node] for item, node in starts}
    return tuple((item, node) for item, node in wanted(problem) if node not in known[item])


def _partial_results(
    problem: Reduction, leaving: Mapping[Node, Sequence[Node]]
) -> dict[Item, set[Node]]:
    """Where every partial result that goals may be made of can be known, short ones first."""
    ends = [goal for goal, _ in problem.goals]
    inside = [i for i in problem.intervals if any(k <= i[0] and i[1] <= m for k, m in ends)]
    known: dict[Item, set[Node]] = {}
    for k, m in sorted(inside, key=lambda interval: interval[1] - interval[0]):
        makers = {problem.owners[k]} if k == m else set()
        for cut in range(k, m):
            able = known[k, cut] & known[cut + 1, m] - makers
            makers |= {node for node in able if problem.time(node, (k, cut, m)) is not None}
        known[k, m] = _spread(leaving, makers)
    return known


def _whole_sums(
    problem: Combination, leaving: Mapping[Node, Sequence[Node]]
) -> dict[Item, set[Node]]:
    """The nodes to which a path leads from all nodes with a value, or from the source, by block."""
    told: dict[int | None, set[Node]] = {}
    for number in problem.parts_of:
        reached = [_spread(leaving, {node}) for node in problem.members_of(number)]
        told[number] = set.intersection(*reached)
    return {
        (index,): told[block.group] if block.source is None else _spread(leaving, {block.source})
        for index, block in enumerate(problem.blocks)
    }


def _spread(leaving: Mapping[Node, Sequence[Node]], starts: set[Node]) -> set[Node]:
    """The nodes to which a path leads from one of the starts."""
    found = list(starts)
    reached = set(starts)
    for node in found:  # grows while it is read
        for head in leaving.get(node, ()):
            if head not in reached:
                reached.add(head)
                found.append(head)
    return reached


def unreachable_in_words(problem: Collective) -> str:
    """The same for a message, "" if everything can be brought about.

    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Alltoall
    >>> line = Platform("abc", [("a", "b", 1)])
    >>> unreachable_in_words(Alltoall(line, (("a", "b"), ("a", "c"))))
    'no path leads from a to c'
    >>> unreachable_in_words(Broadcast(line, "b"))
    'no path leads from b to a, c'
    >>> unreachable_in_words(Reduction(line, "ab", (((0, 1), "b"),), 1, (("a", 1),)))
    'no tasks make v[0,1] at b'
    """
    missing = unreachable(problem)
    if not missing:
        return ""
    rest = ", ..." if len(missing) > _SOME else ""
    some = [(item, one_line(node)) for item, node in missing[:_SOME]]
    if isinstance(problem, Reduction):
        results = [f"v[{item[0]},{item[1]}] at {node}" for item, node in some]
        return f"no tasks make {', '.join(results)}{rest}"
    if isinstance(problem, Combination):
        (block,), node = missing[0]
        source = problem.blocks[block].source
        if source is not None:
            return f"no path leads from {one_line(source)} to {one_line(node)}"
        nodes = ", ".join(dict.fromkeys(node for _, node in some))
        return f"not from all nodes a path leads to {nodes}{rest}"
    if isinstance(problem, Broadcast):
        nodes = ", ".join(node for _, node in some)
        return f"no path leads from {one_line(problem.source)} to {nodes}{rest}"
    if isinstance(problem, Allgather):
        sources = [one_line(problem.roots[item[0]].node) for item, _ in some]
    else:
        sources = [one_line(problem.demands[item[0]].source) for item, _ in some]
    pairs = [f"from {source} to {node}" for source, (_, node) in zip(sources, some, strict=True)]
    return f"no path leads {', '.join(pairs)}{rest}"
