"""What a problem is called, in the words of the field."""

from __future__ import annotations

from collections.abc import Callable

from exactsched.exact.words import counted
from exactsched.model.alltoall_among import AlltoallAmong
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)


def collective_name(
    problem: Collective | AlltoallAmong, name: Callable[[object], str] = str
) -> str:
    """What is asked, in the words of the field; `name` writes the name of a node.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> collective_name(Alltoall(pair, (("a", "b"),)))
    'scatter from a to 1 target'
    >>> everywhere = ((0, 1), "a"), ((0, 1), "b")
    >>> collective_name(Reduction(pair, "ab", everywhere, 1, (("a", 1),)))
    'all-reduce of 2 values'
    """
    if isinstance(problem, Broadcast):
        return f"broadcast from {name(problem.source)}"
    if isinstance(problem, Alltoall):
        return _alltoall_name(problem, name)
    if isinstance(problem, AlltoallAmong):
        count = len(problem.among)
        return _messages(count * (count - 1), count, counted(count, "target"))
    if isinstance(problem, Allgather):
        return _allgather_name(problem, name)
    if isinstance(problem, Combination):
        return _combination_name(problem, name)
    return _reduction_name(problem, name)


def _alltoall_name(problem: Alltoall, name: Callable[[object], str]) -> str:
    sources = problem.sources
    targets = list(dict.fromkeys(demand.target for demand in problem.demands))
    to = counted(len(targets), "target")
    if len(sources) == 1:
        return f"scatter from {name(sources[0])} to {to}"
    if len(targets) == 1:
        return f"gather at {name(targets[0])} from {len(sources)} sources"
    return _messages(len(problem.demands), len(sources), to)


def _messages(count: int, sources: int, to: str) -> str:
    return f"alltoall of {count} messages from {sources} sources to {to}"


def _allgather_name(problem: Allgather, name: Callable[[object], str]) -> str:
    if len(problem.roots) == 1:
        others = counted(len(problem.shards) - 1, "node")
        return f"broadcast from {name(problem.roots[0].node)} to {others}"
    return f"allgather among {counted(len(problem.shards), 'node')}"


def _combination_name(problem: Combination, name: Callable[[object], str]) -> str:
    among = f"among {counted(len(problem.combining), 'node')}"
    (_, targets, source, _), *others = problem.blocks
    if source is not None and not others:
        count = len({*targets} - {source})
        return f"broadcast from {name(source)} to {counted(count, 'target')}"
    if problem.mixed:
        numbers = problem.parts_of.keys() - {None}
        groups = f", {counted(len(numbers), 'group')}" if numbers else ""
        return f"mix of {counted(len(problem.blocks), 'block')} {among}{groups}"
    if len(problem.blocks) > 1:
        wanted = {block.targets for block in problem.blocks}
        scattered = len(wanted) == len(problem.blocks) == sum(map(len, wanted))
        what = "reduce-scatter" if scattered else f"reduction of {len(problem.blocks)} blocks"
        return f"order-free {what} {among}"
    if problem.everywhere(0):
        return f"order-free all-reduce {among}"
    return f"order-free reduce to {name(problem.blocks[0].targets[0])} {among}"


def _reduction_name(problem: Reduction, name: Callable[[object], str]) -> str:
    owners, goals = problem.owners, set(problem.goals)
    values, whole = counted(len(owners), "value"), (0, len(owners) - 1)
    if len(goals) == 1:
        (((k, m), node),) = goals
        what = values if (k, m) == whole else f"v[{k}..{m}]"
        return f"reduction of {what} to {name(node)}"
    if goals == {((0, i), owner) for i, owner in enumerate(owners) if i}:
        return f"prefix of {values}"
    if goals == {(whole, owner) for owner in owners}:
        return f"all-reduce of {values}"
    return f"reduction of {values} to {len(goals)} goals"
