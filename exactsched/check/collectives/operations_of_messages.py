"""Operations that carry messages as they are: broadcast, alltoall, allgather."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate, chain, pairwise

from exactsched.certificate.collectives import Structure
from exactsched.certificate.rules import column
from exactsched.check.collectives.operation import Effect, Operation, repeated
from exactsched.model.problem import Allgather, Alltoall, Broadcast
from exactsched.model.tasks import Task


class BroadcastOperation(Operation):
    """One message, which all nodes want."""

    problem: Broadcast

    def __init__(self, problem: Broadcast, tick: Fraction) -> None:
        super().__init__(problem, tick, 1, [Fraction(1)])
        self._source = problem.platform.position[problem.source]
        self.given = self._source.__eq__

    def wanted(self, _part: int) -> Iterable[int]:
        return [node for node in range(self.node_count) if node != self._source]

    def effect(self, task: Task) -> Effect:
        tail, head = self.ends[task[0]]
        return Effect((tail,), head, self.sizes[0])

    def named(self, state: int) -> str:
        return f"the message at {self.problem.platform.nodes[state]}"

    def works_at_once(self, structures: Sequence[Structure]) -> list[int] | None:
        """Of trees: every node but the source is entered once, after its parent."""
        platform, others = self.problem.platform, self.node_count - 1
        source, tails, heads = self.problem.source, platform.tails, platform.heads
        for structure in structures:
            # One arc for each other node: if they reach all of these, none is entered twice.
            if len(structure.tasks) != others:
                return None
            reached = {source}
            for (arc,) in structure.tasks:
                if tails[arc] not in reached:
                    return None
                reached.add(heads[arc])
            if len(reached) <= others:
                return None
        return self.sizes * (others * len(structures))


class AlltoallOperation(Operation):
    """A message for every demand."""

    problem: Alltoall

    def __init__(self, problem: Alltoall, tick: Fraction) -> None:
        sizes = [demand.size for demand in problem.demands]
        super().__init__(problem, tick, len(sizes), sizes)
        position = problem.platform.position
        ends = [(position[d.source], position[d.target]) for d in problem.demands]
        self._given = {self.state(index, source) for index, (source, _) in enumerate(ends)}
        self.given = self._given.__contains__
        self._goals = [self.state(index, target) for index, (_, target) in enumerate(ends)]

    def wanted(self, part: int) -> Iterable[int]:
        return [self._goals[part]]

    def effect(self, task: Task) -> Effect:
        tail, head = self.ends[task[0]]
        first = task[1] * self.node_count
        return Effect((first + tail,), first + head, self.sizes[task[1]])

    def named(self, state: int) -> str:
        item, node = divmod(state, self.node_count)
        return f"message {self.problem.demands[item]} at {self.problem.platform.nodes[node]}"

    def works_at_once(self, structures: Sequence[Structure]) -> list[int] | None:
        """Of simple paths: every task goes on, and the last one reaches the target."""
        tasks = list(chain.from_iterable([structure.tasks for structure in structures]))
        lengths = [len(structure.tasks) for structure in structures]
        parts = [structure.part for structure in structures]
        if column(tasks, 1) != repeated(parts, lengths):
            return None
        arcs, platform = column(tasks, 0), self.problem.platform
        used, position = {*arcs}, platform.position  # of few messages few arcs
        tails, heads = (
            list(map({arc: position[ends[arc]] for arc in used}.__getitem__, arcs))
            for ends in (platform.tails, platform.heads)
        )
        bounds = list(accumulate(lengths, initial=0))
        sources = [tails[first] for first in bounds[:-1]]
        # A path goes on where the arc before has led.
        reached = [0, *heads[:-1]]
        for first, source in zip(bounds, sources, strict=False):
            reached[first] = source
        if tails != reached:
            return None
        count, goals, given = self.node_count, self._goals, self._given
        for part, source, (first, end) in zip(parts, sources, pairwise(bounds), strict=True):
            message = part * count
            if goals[part] != message + heads[end - 1] or message + source not in given:
                return None
            if len({source, *heads[first:end]}) <= end - first:
                return None
        return repeated([self.sizes[part] for part in parts], lengths)


class AllgatherOperation(Operation):
    """A shard of every root, which all of the group want; elsewhere there are copies of it."""

    problem: Allgather

    def __init__(self, problem: Allgather, tick: Fraction) -> None:
        super().__init__(problem, tick, len(problem.roots), [root.size for root in problem.roots])
        position = problem.platform.position
        self._roots = [position[root.node] for root in problem.roots]
        self._group = frozenset(position[node] for node, _ in problem.shards)
        self.given = {
            self.state(index, root) for index, root in enumerate(self._roots)
        }.__contains__

    def wanted(self, part: int) -> Iterable[int]:
        """Not in a list: they are more than its document is long, if it is wrong."""
        return (self.state(part, node) for node in self._group if node != self._roots[part])

    def effect(self, task: Task) -> Effect:
        tail, head = self.ends[task[0]]
        needs, size = self._copy(task, tail), self.sizes[task[1]]
        return Effect(
            (needs,), self._copy(task, head), size, () if tail in self._group else (needs,)
        )

    def named(self, state: int) -> str:
        item, position = divmod(state, self.node_count)
        node, roots = self.problem.platform.nodes[position], self.problem.roots
        if item < len(roots):
            return f"{roots[item]} at {node}"
        root, copy = divmod(item - len(roots), len(self._group) - 1)
        return f"copy {copy} of {roots[root]} at {node}"

    def works_at_once(self, structures: Sequence[Structure]) -> list[int] | None:
        """Of trees of paths: all of the group are reached once, copies come once and leave once."""
        # What is known at both ends of an arc: there, and how much further copy after copy.
        known_at = [
            (node, 0) if node in self._group else (node + self.node_count, self.node_count)
            for node in range(self.node_count)
        ]
        ends = [(*known_at[tail], *known_at[head]) for tail, head in self.ends]
        works: list[int] = []
        for structure in structures:
            part, tasks = structure.part, structure.tasks
            known, sent = {self._roots[part]}, list[int]()
            for place, item, copy in tasks:
                tail, behind, head, ahead = ends[place]
                needs = tail + behind * copy
                if item != part or needs not in known:
                    return None
                if behind:
                    sent.append(needs)
                known.add(head + ahead * copy)
            # Nothing is made twice, or sent on twice.
            if len(known) <= len(tasks) or len({*sent}) < len(sent):
                return None
            if not known.issuperset(self._group):
                return None
            works += [self.sizes[part]] * len(tasks)
        return works

    def _copy(self, task: Task, node: int) -> int:
        """What a task of an allgather carries over its arc, at one end of it."""
        _, root, copy = task
        if node in self._group:
            return self.state(root, node)
        # The items of the group come first, then the copies elsewhere.
        roots, copies = len(self._roots), len(self._group) - 1
        return self.state(roots + root * copies + copy, node)
