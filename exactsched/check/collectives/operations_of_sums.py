"""Operations that combine values: reductions, and combinations of blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from exactsched.certificate.collectives import Structure
from exactsched.check.collectives.operation import Effect, Operation
from exactsched.check.common_denominator import over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.model.problem import Combination, Reduction
from exactsched.model.tasks import COMPLETE, FORWARD, GATHER, SPREAD, Task


class ReductionOperation(Operation):
    """Values v[k,m], which processors make of v[k,l] and v[l+1,m]."""

    problem: Reduction

    def __init__(self, problem: Reduction, tick: Fraction) -> None:
        varying = isinstance(problem.size, tuple)
        sizes = list(problem.sizes.values()) if varying else [problem.sizes[0, 0]]
        times, unit = over_common_denominator(
            [row[-1] for row in problem.compute], "problem.compute"
        )
        super().__init__(problem, tick, 1, sizes, unit)
        position = problem.platform.position
        self._whole: dict[int, int] = {}
        self._single: dict[Task, int] = {}
        for row, time in zip(problem.compute, times, strict=True):
            place = self.arc_count + position[row[0]]
            if len(row) == 2:
                self._whole[place] = time
            else:
                self._single[place, row[1], row[2], row[3]] = time
        own = {
            self.state(self._number(index, index), position[owner])
            for index, owner in enumerate(problem.owners)
        }
        self.given = own.__contains__
        self._goals = [
            self.state(self._number(*interval), position[node]) for interval, node in problem.goals
        ]

    def wanted(self, _part: int) -> Iterable[int]:
        return self._goals

    def effect(self, task: Task) -> Effect:
        if task[0] >= self.arc_count:
            return self._computed(task)
        tail, head = self.ends[task[0]]
        first = self._number(*task[1:]) * self.node_count
        return Effect((first + tail,), first + head, self._size(*task[1:]))

    def named(self, state: int) -> str:
        item, node = divmod(state, self.node_count)
        k, m = divmod(item, len(self.problem.owners))
        return f"v[{k},{m}] at {self.problem.platform.nodes[node]}"

    def _number(self, first: int, last: int) -> int:
        """The number of an interval."""
        return first * len(self.problem.owners) + last

    def _computed(self, task: Task) -> Effect:
        place, k, cut, m = task
        node = place - self.arc_count
        left, right, made = self._number(k, cut), self._number(cut + 1, m), self._number(k, m)
        needs = self.state(left, node), self.state(right, node)
        work = self._whole.get(place) or self._single.get(task)
        return Effect(needs, self.state(made, node), work)

    def _size(self, k: int, m: int) -> int:
        """The size of v[k,m] of a reduction."""
        if len(self.sizes) == 1:
            return self.sizes[0]
        # Before the intervals from k on come those from every smaller start.
        values = len(self.problem.owners)
        return self.sizes[k * values - k * (k - 1) // 2 + m - k]


class CombinationOperation(Operation):
    """Blocks, each summed up over its group, or known at its source, and told to its targets.

    The items of every block are first the whole, then what is told over each arc, then own values,
    then the copies of the whole that nodes forward.
    """

    problem: Combination

    def __init__(self, problem: Combination, tick: Fraction) -> None:
        blocks, position = problem.blocks, problem.platform.position
        super().__init__(problem, tick, len(blocks), [block.size for block in blocks])
        group_of = {
            number: frozenset(position[node] for node in problem.numbered(number))
            for number in problem.parts_of
        }
        self._groups = [group_of[block.group] for block in blocks]
        self._items = 1 + self.arc_count + self.node_count + max(map(len, self._groups))
        self._sources = {
            self.state(index * self._items, position[block.source])
            for index, block in enumerate(blocks)
            if block.source is not None
        }
        self.given = self._is_given
        self._goals = [
            [self.state(index * self._items, position[node]) for node in block.targets]
            for index, block in enumerate(blocks)
        ]

    def _is_given(self, state: int) -> bool:
        # Not in a set: every node has a value of every block.  Only its own is ever asked for.
        item, node = divmod(state, self.node_count)
        block, number = divmod(item, self._items)
        if self.problem.blocks[block].source is not None:
            return state in self._sources
        own = number - self.arc_count - 1
        return own == node and node in self._groups[block]

    def wanted(self, part: int) -> Iterable[int]:
        return self._goals[part]

    def effect(self, task: Task) -> Effect:
        tail = self.ends[task[0]][0]
        needs, makes, size = self._told(task), self._tells(task), self.sizes[task[1]]
        if tail in self._groups[task[1]]:
            return Effect(needs, makes, size)
        sent = [state for state in needs if state % self.node_count == tail]
        return Effect(needs, makes, size, tuple(sent))

    def named(self, state: int) -> str:
        item, position = divmod(state, self.node_count)
        node = self.problem.platform.nodes[position]
        block, number = divmod(item, self._items)
        what = self.problem.blocks[block]
        if number == 0:
            return f"the whole of {what} at {node}"
        if number <= self.arc_count:
            told = self.problem.platform.arcs[number - 1]
            return f"what {told} has told of {what} at {node}"
        number -= 1 + self.arc_count + self.node_count
        if number >= 0:
            return f"copy {number} of the whole of {what} at {node}"
        return f"the value of {node} for {what}"

    def works_at_once(self, structures: Sequence[Structure]) -> list[int] | None:
        """Of calls in an order in which they can be made, which together do what is asked.

        Nearly all calls lead from node to node of the group and tell a part of a sum, or the sum:
        of these the states are worked out here.
        """
        blocks, position = self.problem.blocks, self.problem.platform.position
        count, works = self.node_count, list[int]()
        for structure in structures:
            part, source = structure.part, blocks[structure.part].source
            group = self._groups[part]
            whole = part * self._items * count
            told = whole + count  # over the first arc, at the first node
            known = set[int]() if source is None else {whole + position[source]}
            sent = set[int]()
            for task in structure.tasks:
                place, block, does, *arcs = task
                tail, head = self.ends[place]
                if block != part:
                    return None
                if does == GATHER and source is None and tail in group:
                    needs = [told + arc * count + tail for arc in arcs]
                    makes = told + place * count + head
                elif does == SPREAD and tail in group and head in group:
                    needs, makes = [whole + tail], whole + head
                else:
                    effect = self.effect(task)
                    needs = [state for state in effect.needs if not self.given(state)]
                    makes = effect.makes
                    if not sent.isdisjoint(needs):
                        return None
                    sent.update(effect.forwarded)
                if makes in known or not known.issuperset(needs):
                    return None
                known.add(makes)
            try:
                self.refuse_no_in_tree(part, structure.tasks, "")
            except Rejected:
                return None
            if not known.issuperset(self._goals[part]):
                return None
            works += [self.sizes[part]] * len(structure.tasks)
        return works

    def refuse_no_in_tree(self, part: int, tasks: Collection[Task], place: str) -> None:
        """Raises `Rejected` unless these calls bring every value of a block to the whole once.

        Every node of the group but one, the root, makes one call of an in-tree, and all these calls
        are told on: each by the next one, or by the last one to the root.  A message is no sum:
        nobody has a value of it to begin with.
        """
        if self.problem.blocks[part].source is not None:
            return
        group = self._groups[part]
        inwards = [task for task in tasks if task[1] == part and task[2] in (GATHER, COMPLETE)]
        others = len(group) - 1
        last = [task for task in inwards if task[2] == COMPLETE]
        if len(last) != 1:
            raise Rejected(place, len(last), "one call completes the sum of a block")
        root = self.ends[last[0][0]][1]
        # What nodes outside the group send on are calls that begin elsewhere.
        begun = [task for task in inwards if self.ends[task[0]][0] in group]
        tails = {self.ends[task[0]][0] for task in begun}
        if len(begun) != others or len(tails) != others or root in tails:
            rule = f"every node but the root of its tree, {others} nodes, makes one call"
            raise Rejected(place, [len(begun), len(tails)], rule)
        told = sorted(arc for task in inwards for arc in task[3:])
        if told != sorted(task[0] for task in inwards if task[2] == GATHER):
            rule = "what a call of an in-tree tells is told on, by one other call"
            raise Rejected(place, told[:8], rule)

    def _told(self, call: Task) -> tuple[int, ...]:
        """What a call starts from: values of its own, and what calls before it have told."""
        place, block, does, *arcs = call
        first, (tail, head), group = block * self._items, self.ends[place], self._groups[block]
        if does == SPREAD:
            return (self._sum(block, tail, arcs),)
        if does == FORWARD:
            return (self.state(first + 1 + arcs[0], tail),)
        own = (tail, head) if does == COMPLETE else (tail,)
        if tail not in group and does == COMPLETE:
            own, at = (head,), [tail, *(head for _ in arcs[1:])]
        elif does == COMPLETE:
            # Where a call has come to that went to the group at once; forwarded ones to the tail.
            ends = [self.ends[arc][1] for arc in arcs]
            at = [end if end in group else tail for end in ends]
        else:
            at = [tail] * len(arcs)
        return (
            *(self.state(first + 1 + self.arc_count + node, node) for node in own),
            *(self.state(first + 1 + arc, node) for arc, node in zip(arcs, at, strict=True)),
        )

    def _tells(self, call: Task) -> int:
        """What the head knows after a call."""
        place, block, does, *arcs = call
        head = self.ends[place][1]
        if does == GATHER:
            return self.state(block * self._items + 1 + place, head)
        if does == FORWARD:
            return self.state(block * self._items + 1 + arcs[0], head)
        return self._sum(block, head, arcs if does == SPREAD else ())

    def _sum(self, block: int, node: int, copy: Sequence[int]) -> int:
        """The sum of a block; at nodes that only forward every copy is another one."""
        first = block * self._items
        if node in self._groups[block]:
            return self.state(first, node)
        return self.state(first + 1 + self.arc_count + self.node_count + copy[0], node)
