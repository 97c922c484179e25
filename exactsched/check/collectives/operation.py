"""One operation of a collective, from its definition: states, and what a task does.

A *state* is an item (a message, or v[k,m]) that is known at a node.  It is an integer here, the
number of the item times the number of nodes plus the index of the node.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain, compress, pairwise, repeat
from math import gcd, prod
from typing import Final, NamedTuple, cast

from exactsched.certificate.budget import bits_of, products, spend
from exactsched.certificate.collectives import Structure
from exactsched.certificate.rules import column
from exactsched.check.common_denominator import over_common_denominator
from exactsched.exact.errors import Rejected
from exactsched.model.platform import Node
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.tasks import COMPLETE, FORWARD, GATHER, SPREAD, Task

# What it costs to multiply numbers of together not more bits need not be counted.
_SHORT: Final = 1 << 10
_SMALL: Final = 1 << 256


class Effect(NamedTuple):
    """What a task needs, makes and takes.

    `work` is how many units it is for its place, None if it cannot be done; `forwarded` is what a
    node sends by it that only forwards, and has no longer then.
    """

    needs: tuple[int, ...]
    makes: int
    work: int | None
    forwarded: tuple[int, ...] = ()


class Operation:
    """What the tasks of an operation need, make and take.

    `given` says whether a state is there at the start, `wanted` which ones have to be there in
    the end, for each of `parts` parts.  Times are integers: ticks, and units of work, which are
    sizes or times over the common denominator of all of them.
    """

    def __init__(self, problem: Collective, tick: Fraction) -> None:
        position = problem.platform.position
        self.problem = problem
        self._node_count = len(position)
        self._arc_count = len(problem.platform.tails)
        # Arcs and processors.
        self.places = self._arc_count + len(position)
        self._costs = problem.platform.costs
        self._whole: dict[int, int] = {}
        self._single: dict[Task, int] = {}
        time_unit = 1
        # The nodes that do not only forward: of all parts, or of every block.
        self._group: frozenset[int] = frozenset()
        self._groups: list[frozenset[int]] = []
        self._given: set[int] = set()
        self._goals: list[list[int]] = []
        self._roots: list[int] = []
        self._items = 1
        sizes: list[Fraction]
        if isinstance(problem, Broadcast):
            sizes = [Fraction(1)]
            source = position[problem.source]
            self._given = {source}
            self._goals = [[node for node in range(len(position)) if node != source]]
        elif isinstance(problem, Alltoall):
            sizes = [demand.size for demand in problem.demands]
            ends = [(position[d.source], position[d.target]) for d in problem.demands]
            self._given = {self._state(index, source) for index, (source, _) in enumerate(ends)}
            self._goals = [[self._state(index, target)] for index, (_, target) in enumerate(ends)]
        elif isinstance(problem, Allgather):
            sizes = [root.size for root in problem.roots]
            self._roots = [position[root.node] for root in problem.roots]
            self._group = frozenset(position[node] for node, _ in problem.shards)
            self._given = {self._state(index, root) for index, root in enumerate(self._roots)}
        elif isinstance(problem, Combination):
            sizes = [block.size for block in problem.blocks]
            # Of every block first the whole, then what is told over each arc, then own values, then
            # the copies of the whole that nodes forward.
            group_of = {
                number: frozenset(position[node] for node in problem.numbered(number))
                for number in problem.parts_of
            }
            self._groups = [group_of[block.group] for block in problem.blocks]
            self._items = 1 + self._arc_count + len(position) + max(map(len, self._groups))
            self._given = {
                self._state(index * self._items, position[block.source])
                for index, block in enumerate(problem.blocks)
                if block.source is not None
            }
            self._goals = [
                [self._state(index * self._items, position[node]) for node in block.targets]
                for index, block in enumerate(problem.blocks)
            ]
        else:
            sizes = list(problem.sizes.values()) if _varies(problem) else [problem.sizes[0, 0]]
            self._given = {
                self._state(self._number(i, i), position[owner])
                for i, owner in enumerate(problem.owners)
            }
            self._goals = [
                [
                    self._state(self._number(*interval), position[node])
                    for interval, node in problem.goals
                ]
            ]
            time_unit = self._read_times(problem)
        self.parts = len(self._goals) or len(self._roots)
        self._sizes, size_unit = over_common_denominator(sizes, "problem, sizes")
        self.tick, self._size_unit = tick, size_unit
        self._tick_of_sizes = (tick * size_unit).as_integer_ratio()
        self._tick_of_times = (tick * time_unit).as_integer_ratio()
        self.given: Callable[[int], bool] = self._given.__contains__
        if isinstance(problem, Combination):
            self.given = self._given_to_combine

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        platform, position = self.problem.platform, self.problem.platform.position.__getitem__
        pairs = zip(map(position, platform.tails), map(position, platform.heads), strict=True)
        return list(pairs)

    def _given_to_combine(self, state: int) -> bool:
        # Not in a set: every node has a value of every block.  Only its own is ever asked for.
        item, node = divmod(state, self._node_count)
        block, number = divmod(item, self._items)
        if cast(Combination, self.problem).blocks[block].source is not None:
            return state in self._given
        own = number - self._arc_count - 1
        return own == node and node in self._groups[block]

    def wanted(self, part: int) -> Iterable[int]:
        """The states that a part has to bring about.

        Of an allgather not in a list: they are more than its document is long, if it is wrong.
        """
        if not isinstance(self.problem, Allgather):
            return self._goals[part]
        return (self._state(part, node) for node in self._group if node != self._roots[part])

    def works_at_once(self, structures: Sequence[Structure]) -> list[int] | None:
        """The work of each task, if the structures are what they mostly are; None says nothing.

        A structure of a broadcast is a tree to all nodes, one of an alltoall a simple path of its
        message, one of an allgather a tree of paths to the group, one of a combination its calls in
        an order in which they can be made.  All tasks at once, because there are millions; what
        else carries a message to all who want it is looked at task by task.
        """
        if isinstance(self.problem, Broadcast):
            return self._works_on_trees(self.problem.source, structures)
        if isinstance(self.problem, Alltoall):
            return self._works_on_paths(structures)
        if isinstance(self.problem, Allgather):
            return self._works_on_copies(structures)
        return self._works_of_calls(structures) if isinstance(self.problem, Combination) else None

    def _works_on_trees(self, source: Node, structures: Sequence[Structure]) -> list[int] | None:
        """Every node but the source is entered once, after its parent."""
        platform, others = self.problem.platform, self._node_count - 1
        tails, heads = platform.tails, platform.heads
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
        return self._sizes * (others * len(structures))

    def _works_on_paths(self, structures: Sequence[Structure]) -> list[int] | None:
        """Every task has its input and makes something new, and the last one reaches the target."""
        tasks = list(chain.from_iterable([structure.tasks for structure in structures]))
        lengths = [len(structure.tasks) for structure in structures]
        parts = [structure.part for structure in structures]
        if column(tasks, 1) != _repeated(parts, lengths):
            return None
        platform, position = self.problem.platform, self.problem.platform.position.__getitem__
        tails, heads = (
            list(map(list(map(position, ends)).__getitem__, column(tasks, 0)))
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
        for part, source, (first, end) in zip(parts, sources, pairwise(bounds), strict=True):
            count = self._node_count
            if self._goals[part] != [part * count + heads[end - 1]]:
                return None
            if part * count + source not in self._given:
                return None
            if len({source, *heads[first:end]}) <= end - first:
                return None
        return _repeated(list(map(self._sizes.__getitem__, parts)), lengths)

    def _works_on_copies(self, structures: Sequence[Structure]) -> list[int] | None:
        """All of the group are reached once; elsewhere every copy arrives once and leaves once."""
        # What is known at both ends of an arc: there, and how much further copy after copy.
        known_at = [
            (node, 0) if node in self._group else (node + self._node_count, self._node_count)
            for node in range(self._node_count)
        ]
        ends = [(*known_at[tail], *known_at[head]) for tail, head in self._ends]
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
            works += [self._sizes[part]] * len(tasks)
        return works

    def _works_of_calls(self, structures: Sequence[Structure]) -> list[int] | None:
        """Every call has what it tells and brings something new; all together do what is asked.

        Nearly all calls lead from node to node of the group and tell a part of a sum, or the sum:
        of these the states are worked out here.
        """
        blocks, position = cast(Combination, self.problem).blocks, self.problem.platform.position
        count, works = self._node_count, list[int]()
        for structure in structures:
            part, source = structure.part, blocks[structure.part].source
            group = self._groups[part]
            whole = part * self._items * count
            told = whole + count  # over the first arc, at the first node
            known = set[int]() if source is None else {whole + position[source]}
            sent = set[int]()
            for task in structure.tasks:
                place, block, does, *arcs = task
                tail, head = self._ends[place]
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
            works += [self._sizes[part]] * len(structure.tasks)
        return works

    def effects(self, tasks: Sequence[Task]) -> list[Effect]:
        """What each of the tasks needs, makes and takes."""
        return list(map(self.effect, tasks))

    def effect(self, task: Task) -> Effect:
        """What the task needs, makes and takes."""
        if task[0] >= self._arc_count:
            return self._computed(task)
        problem, (tail, head) = self.problem, self._ends[task[0]]
        if isinstance(problem, Broadcast):
            return Effect((tail,), head, self._sizes[0])
        if isinstance(problem, Alltoall):
            first = task[1] * self._node_count
            return Effect((first + tail,), first + head, self._sizes[task[1]])
        if isinstance(problem, Reduction):
            first = self._number(*task[1:]) * self._node_count
            return Effect((first + tail,), first + head, self._size(*task[1:]))
        if isinstance(problem, Combination):
            needs, makes, group = self._told(task), self._tells(task), self._groups[task[1]]
        else:
            needs, makes = (self._copy(task, tail),), self._copy(task, head)
            group = self._group
        size = self._sizes[task[1]]
        if tail in group:
            return Effect(needs, makes, size)
        sent = [state for state in needs if state % self._node_count == tail]
        return Effect(needs, makes, size, tuple(sent))

    def refuse_no_in_tree(self, part: int, tasks: Collection[Task], place: str) -> None:
        """Raises `Rejected` unless these calls bring every value of a block to the whole once.

        Every node of the group but one, the root, makes one call of an in-tree, and all these calls
        are told on: each by the next one, or by the last one to the root.  A message is no sum:
        nobody has a value of it to begin with.
        """
        if isinstance(self.problem, Combination) and self.problem.blocks[part].source is not None:
            return
        group = self._groups[part]
        inwards = [task for task in tasks if task[1] == part and task[2] in (GATHER, COMPLETE)]
        others = len(group) - 1
        last = [task for task in inwards if task[2] == COMPLETE]
        if len(last) != 1:
            raise Rejected(place, len(last), "one call completes the sum of a block")
        root = self._ends[last[0][0]][1]
        # What nodes outside the group send on are calls that begin elsewhere.
        begun = [task for task in inwards if self._ends[task[0]][0] in group]
        tails = {self._ends[task[0]][0] for task in begun}
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
        first, (tail, head), group = block * self._items, self._ends[place], self._groups[block]
        if does == SPREAD:
            return (self._sum(block, tail, arcs),)
        if does == FORWARD:
            return (self._state(first + 1 + arcs[0], tail),)
        own = (tail, head) if does == COMPLETE else (tail,)
        if tail not in group and does == COMPLETE:
            own, at = (head,), [tail, *(head for _ in arcs[1:])]
        elif does == COMPLETE:
            # Where a call has come to that went to the group at once; forwarded ones to the tail.
            ends = [self._ends[arc][1] for arc in arcs]
            at = [end if end in group else tail for end in ends]
        else:
            at = [tail] * len(arcs)
        return (
            *(self._state(first + 1 + self._arc_count + node, node) for node in own),
            *(self._state(first + 1 + arc, node) for arc, node in zip(arcs, at, strict=True)),
        )

    def _tells(self, call: Task) -> int:
        """What the head knows after a call."""
        place, block, does, *arcs = call
        head = self._ends[place][1]
        if does == GATHER:
            return self._state(block * self._items + 1 + place, head)
        if does == FORWARD:
            return self._state(block * self._items + 1 + arcs[0], head)
        return self._sum(block, head, arcs if does == SPREAD else ())

    def _sum(self, block: int, node: int, copy: Sequence[int]) -> int:
        """The sum of a block; at nodes that only forward every copy is another one."""
        first = block * self._items
        if node in self._groups[block]:
            return self._state(first, node)
        return self._state(first + 1 + self._arc_count + self._node_count + copy[0], node)

    def _copy(self, task: Task, node: int) -> int:
        """What a task of an allgather carries over its arc, at one end of it."""
        _, root, copy = task
        if node in self._group:
            return self._state(root, node)
        # The items of the group come first, then the copies elsewhere.
        roots, copies = len(self._roots), len(self._group) - 1
        return self._state(roots + root * copies + copy, node)

    def _computed(self, task: Task) -> Effect:
        place, k, cut, m = task
        node = place - self._arc_count
        left, right, made = self._number(k, cut), self._number(cut + 1, m), self._number(k, m)
        needs = self._state(left, node), self._state(right, node)
        work = self._whole.get(place) or self._single.get(task)
        return Effect(needs, self._state(made, node), work)

    def _size(self, k: int, m: int) -> int:
        """The size of v[k,m] of a reduction."""
        if len(self._sizes) == 1:
            return self._sizes[0]
        # Before the intervals from k on come those from every smaller start.
        values = len(cast(Reduction, self.problem).owners)
        return self._sizes[k * values - k * (k - 1) // 2 + m - k]

    def lasts(self, place: int, ticks: int, work: int) -> bool:
        """Whether this many ticks are exactly the time for this much work at a place."""
        if place >= self._arc_count:
            over, under = self._tick_of_times
            return equal_products((ticks, over), (work, under))
        over, under = self._tick_of_sizes
        numerator, denominator = self._costs[place].as_integer_ratio()
        return equal_products((ticks, over, denominator), (work, under, numerator))

    def all_last(self, ticks: Sequence[int], works: Sequence[int]) -> bool:
        """Whether arcs alone work, and as long as their tasks last, all at once.

        Of every place its ticks and its work are given.  False says nothing.
        """
        over, under = self._tick_of_sizes
        if over >= _SMALL or under >= _SMALL or any(works[self._arc_count :]):
            return False
        working = list(compress(range(self._arc_count), works))
        if len(ticks) - ticks.count(0) > len(working):
            return False
        for place in working:
            lasted, work = ticks[place], works[place]
            if lasted >= _SMALL or work >= _SMALL:
                return False
            # The cost of an arc is multiplied once, however long it is.
            numerator, denominator = self._costs[place].as_integer_ratio()
            if lasted * over * denominator != work * under * numerator:
                return False
        return True

    def time(self, cost: Fraction, work: int) -> Fraction:
        """How long this much work takes, at a cost per unit of size."""
        return cost * work / self._size_unit

    def room(self, cost: Fraction, ticks: int, work: int) -> bool:
        """Whether this much work, at a cost per unit of size, takes at most this many ticks."""
        over, under = self._tick_of_sizes
        bits = work.bit_length() + ticks.bit_length() + over.bit_length() + under.bit_length()
        spend(4 * products(bits, bits_of(cost)), "schedule")
        return work * under * cost.numerator <= ticks * over * cost.denominator

    def exchange(self, place: int) -> tuple[int, int]:
        """The least numbers (ticks, units) that are the same time at a place."""
        if place >= self._arc_count:
            return self._tick_of_times[1], self._tick_of_times[0]
        over, under = self._tick_of_sizes
        cost = self._costs[place]
        # Not kept: a long tick would be copied for every arc.
        spend(products(bits_of(cost), over.bit_length() + under.bit_length()), "tick")
        # All of over / under, which may be long, and of the cost, is in lowest terms already.
        one, other = gcd(cost.numerator, over), gcd(under, cost.denominator)
        return (
            cost.numerator // one * (under // other),
            cost.denominator // other * (over // one),
        )

    def named(self, state: int) -> str:
        """A state for a message."""
        item, position = divmod(state, self._node_count)
        node = self.problem.platform.nodes[position]
        if isinstance(self.problem, Broadcast):
            return f"the message at {node}"
        if isinstance(self.problem, Alltoall):
            return f"message {self.problem.demands[item]} at {node}"
        if isinstance(self.problem, Allgather):
            roots = self.problem.roots
            if item < len(roots):
                return f"{roots[item]} at {node}"
            root, copy = divmod(item - len(roots), len(self._group) - 1)
            return f"copy {copy} of {roots[root]} at {node}"
        if isinstance(self.problem, Combination):
            block, number = divmod(item, self._items)
            what = self.problem.blocks[block]
            if number == 0:
                return f"the whole of {what} at {node}"
            if number <= self._arc_count:
                told = self.problem.platform.arcs[number - 1]
                return f"what {told} has told of {what} at {node}"
            number -= 1 + self._arc_count + self._node_count
            if number >= 0:
                return f"copy {number} of the whole of {what} at {node}"
            return f"the value of {node} for {what}"
        k, m = divmod(item, len(self.problem.owners))
        return f"v[{k},{m}] at {node}"

    def _state(self, item: int, node: int) -> int:
        return item * self._node_count + node

    def _number(self, first: int = 0, last: int = 0) -> int:
        """The number of an item: a demand has one index, an interval two, a broadcast's none."""
        if isinstance(self.problem, Reduction):
            return first * len(self.problem.owners) + last
        return first

    def _read_times(self, problem: Reduction) -> int:
        times = [row[-1] for row in problem.compute]
        scaled, unit = over_common_denominator(times, "problem.compute")
        for row, time in zip(problem.compute, scaled, strict=True):
            place = self._arc_count + problem.platform.position[row[0]]
            if len(row) == 2:
                self._whole[place] = time
            else:
                self._single[place, row[1], row[2], row[3]] = time
        return unit


def _varies(problem: Reduction) -> bool:
    return isinstance(problem.size, tuple)


def equal_products(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether numbers that are not negative have the same product as others.

    >>> equal_products((2, 6), (3, 4)), equal_products((2, 6), (3, 5))
    (True, False)
    """
    # Not to multiply long numbers in vain: a short document can ask for many such products.
    bits = sum(map(int.bit_length, one))
    if not -len(other) < bits - sum(map(int.bit_length, other)) < len(one):
        return False
    if bits > _SHORT:
        spend(len(one) * products(bits // 2, bits // 2), "tick")
    return prod(one) == prod(other)


def _repeated(values: Sequence[int], lengths: Sequence[int]) -> list[int]:
    """Each of the values this number of times."""
    return list(chain.from_iterable(map(repeat, values, lengths)))
