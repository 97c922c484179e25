"""What the tasks of a collective need, make and take; what is given and what is wanted.

A *state* is a pair (item, node): at that node the item is known.  A *task* is a tuple
(place, *item).  On an arc it makes the state (item, head) of (item, tail).  On the processor of a
node it is T[k,l,m], which makes v[k,m] of v[k,l] and v[l+1,m].

In an allgather an arc carries a *copy* of the shard of a root: the task is (arc, root, copy).
At the nodes of the group all copies of a shard are one item; elsewhere each is an item of its
own, and a node that forwards a copy has it no longer.

In a combination a task is a *call*, whose item says what it tells.  The state (block, place) is
what the call over the arc `place` has told its head, or, for the place of a processor, what its
node has at the start; the state (block,) is the whole sum.

- (arc, block, GATHER, *arcs): the tail tells its own value together with what it has been told over
  `arcs`, all of which enter it.
- (arc, block, COMPLETE, *arcs): the same, and the head adds its own value and what it has been told
  over the other arcs of `arcs`, which enter the head; then it knows the whole sum.
- (arc, block, SPREAD): the tail, which knows the whole sum, tells it.

Nodes outside the group of a combination only forward.  A call through them is a path of arcs; its
name is its first arc.

- (arc, block, FORWARD, call): the tail, which only forwards, sends a call on.
- (arc, block, COMPLETE, call, *arcs): the same, and the head adds its own value and what it has
  been told by the calls `arcs`.
- (arc, block, SPREAD, copy): the sum on its way from a node of the group to another one; at the
  nodes between, every copy is an item of its own, (block, SPREAD, copy).

The calls that a COMPLETE over one arc from node to node of the group names have come to its tail,
if they have been forwarded.

The message of a block with a source is such a sum, and its source knows it at the start.

| collective | item | given | wanted, by part |
|---|---|---|---|
| broadcast | () | the source has it | all other nodes have it |
| alltoall | (demand,) | its source has it | one part for each demand: its target has it |
| allgather | (root,), (root, copy) | the root has it | one part for each root: the group has it |
| combination | (block,), (block, place) | values, messages | one part for each block: its sum |
| reduction | (k, m), for v[k,m] | the owner of v[k] has (k, k) | all goals |

Every operation is carried out by one structure of each part.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from fractions import Fraction

from exactsched.exact.rational import readable
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)

Item = tuple[int, ...]
State = tuple[Item, Node]
Task = tuple[int, ...]

# What a call of a combination does.
GATHER, COMPLETE, SPREAD, FORWARD = 0, 1, 2, 3

# The arcs from a node of a group to another one, through nodes that only forward.
Path = tuple[int, ...]


@readable
@dataclass(frozen=True, slots=True)
class WeightedStructure:
    """Tasks that carry out one part of an operation, `weight` operations per time unit.

    `tasks` are listed after the tasks that make what they need.
    """

    part: int
    tasks: tuple[Task, ...]
    weight: Fraction

    @property
    def arcs(self) -> tuple[int, ...]:
        """The places of the tasks: the arcs, where nothing is computed."""
        return tuple(task[0] for task in self.tasks)


@readable
@dataclass(frozen=True, slots=True)
class Tree(WeightedStructure):
    """A structure that knows its platform, and so the names of its nodes.

    It is equal to another one with the same tasks and weight.
    """

    platform: Platform = field(repr=False, compare=False)

    @property
    def edges(self) -> tuple[tuple[Node, Node], ...]:
        """The pairs (tail, head) of its arcs, in the order of its tasks; each once.

        >>> from exactsched.model.platform import Platform
        >>> line = Platform("abc", [("a", "b", 1), ("b", "c", 1)])
        >>> Tree(0, ((0,), (1,)), Fraction(1), line).edges
        (('a', 'b'), ('b', 'c'))
        """
        arcs = self.platform.arcs
        pairs = ((arcs[place].tail, arcs[place].head) for place in self.arcs if place < len(arcs))
        return tuple(dict.fromkeys(pairs))


def computes(problem: Collective, task: Task) -> bool:
    """Whether a processor does the task."""
    return task[0] >= len(problem.platform.arcs)


def processor(problem: Collective, task: Task) -> Node:
    """The node whose processor does a computing task."""
    return problem.platform.nodes[task[0] - len(problem.platform.arcs)]


_ONE = Fraction(1)


def size(problem: Collective, item: Item) -> Fraction:
    """The size of an item: a message of size s takes s times the cost of an arc."""
    if isinstance(problem, Broadcast):
        return _ONE
    if isinstance(problem, Alltoall):
        return problem.demands[item[0]].size
    if isinstance(problem, Allgather):
        return problem.roots[item[0]].size
    if isinstance(problem, Combination):
        return problem.blocks[item[0]].size
    return problem.sizes[item[0], item[1]]


def duration(problem: Collective, task: Task) -> Fraction:
    """How long the task keeps its place busy: size times cost, or the time to compute.

    The latency of an arc, which only finite runs of broadcasts have, is not included.

    >>> from exactsched.model.platform import Platform
    >>> asked = Alltoall(Platform("ab", [("a", "b", 2)]), (("a", "b", 3),))
    >>> duration(asked, (0, 0))
    Fraction(6, 1)
    """
    if not computes(problem, task):
        cost, sent = problem.platform.arcs[task[0]].cost, size(problem, task[1:])
        return cost if sent is _ONE else cost * sent
    merge = (task[1], task[2], task[3])
    time = None
    if isinstance(problem, Reduction):
        time = problem.time(processor(problem, task), merge)
    if time is None:
        raise ValueError(f"no processor does {task}")
    return time


def needs(problem: Collective, task: Task) -> tuple[State, ...]:
    """The states from which the task starts."""
    if computes(problem, task):
        node, (k, cut, m) = processor(problem, task), task[1:]
        return ((k, cut), node), ((cut + 1, m), node)
    if isinstance(problem, Combination):
        return _told(problem, task)
    return (_item_at(problem, task, problem.platform.arcs[task[0]].tail),)


def makes(problem: Collective, task: Task) -> State:
    """The state that the task brings about."""
    if computes(problem, task):
        return (task[1], task[3]), processor(problem, task)
    if isinstance(problem, Combination):
        return _tells(problem, task)
    return _item_at(problem, task, problem.platform.arcs[task[0]].head)


def _told(problem: Combination, call: Task) -> tuple[State, ...]:
    """What the call tells; of the last one to the root what the root adds as well."""
    arcs, position = problem.platform.arcs, problem.platform.position
    place, block, does, *told = call
    tail, head = arcs[place].tail, arcs[place].head
    first, group = len(arcs), problem.group_of(block)
    if does == SPREAD:
        return (((block,) if tail in group else (block, SPREAD, *told), tail),)
    if does == FORWARD:
        return (((block, told[0]), tail),)
    if does == GATHER:
        own, at = [tail], [tail] * len(told)
    elif tail in group:
        own = [tail, head]
        at = [arcs[arc].head if arcs[arc].head in group else tail for arc in told]
    else:
        own, at = [head], [tail, *(head for _ in told[1:])]
    return (
        *(((block, first + position[node]), node) for node in own),
        *(((block, arc), node) for arc, node in zip(told, at, strict=False)),
    )


def _tells(problem: Combination, call: Task) -> State:
    """What is known after the call."""
    place, block, does, *told = call
    head = problem.platform.arcs[place].head
    if does == GATHER:
        return (block, place), head
    if does == FORWARD:
        return (block, told[0]), head
    if does == SPREAD and head not in problem.group_of(block):
        return (block, SPREAD, *told), head
    return (block,), head


def _item_at(problem: Collective, task: Task, node: Node) -> State:
    """What is sent, at one end of the arc."""
    if isinstance(problem, Allgather) and node in problem.group:
        return task[1:2], node
    return task[1:], node


def given(problem: Collective) -> set[State]:
    """The states that are there at the start of every operation."""
    if isinstance(problem, Broadcast):
        return {((), problem.source)}
    if isinstance(problem, Alltoall):
        return {((index,), demand.source) for index, demand in enumerate(problem.demands)}
    if isinstance(problem, Allgather):
        return {((index,), root.node) for index, root in enumerate(problem.roots)}
    if isinstance(problem, Combination):
        position, first = problem.platform.position, len(problem.platform.arcs)
        own: set[State] = set()
        for b, block in enumerate(problem.blocks):
            if block.source is None:
                group = problem.group_of(b)
                own.update({((b, first + position[node]), node) for node in group})
            else:
                own.add(((b,), block.source))
        return own
    return {((index, index), owner) for index, owner in enumerate(problem.owners)}


def wanted(problem: Collective) -> list[State]:
    """The states that an operation has to bring about."""
    if isinstance(problem, Broadcast):
        return [((), node) for node in problem.platform.nodes if node != problem.source]
    if isinstance(problem, Alltoall):
        return [((index,), demand.target) for index, demand in enumerate(problem.demands)]
    if isinstance(problem, (Allgather, Combination)):
        return [state for part in parts(problem) for state in part]
    return list(problem.goals)


def part_count(problem: Collective) -> int:
    """How many parts an operation has: the structures of each carry it out."""
    if isinstance(problem, Alltoall):
        return len(problem.demands)
    if isinstance(problem, Combination):
        return len(problem.blocks)
    return len(problem.roots) if isinstance(problem, Allgather) else 1


def parts(problem: Collective) -> list[list[State]]:
    """The wanted states by the parts of an operation: for an alltoall each is a part."""
    if isinstance(problem, Alltoall):
        return [[state] for state in wanted(problem)]
    if isinstance(problem, Allgather):
        return [
            [((index,), node) for node, _ in problem.shards if node != root.node]
            for index, root in enumerate(problem.roots)
        ]
    if isinstance(problem, Combination):
        return [
            [((index,), node) for node in block.targets if node != block.source]
            for index, block in enumerate(problem.blocks)
        ]
    return [wanted(problem)]


def levels(
    problem: Collective, tasks: Iterable[Task], there: Set[State] | None = None
) -> list[int]:
    """How many tasks in a row each task ends, itself included: 1 where all inputs are given.

    `there` is `given(problem)`; whoever has many structures computes it once.

    >>> from exactsched.model.platform import Platform
    >>> asked = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), (("a", "c"),))
    >>> levels(asked, [(0, 0), (1, 0)])
    [1, 2]
    """
    there = given(problem) if there is None else there
    level: dict[State, int] = {}
    found: list[int] = []
    for task in tasks:
        inputs = needs(problem, task)
        made = [level[state] for state in inputs if state in level or state not in there]
        found.append(1 + max(made, default=0))
        level[makes(problem, task)] = found[-1]
    return found


def tree(problem: Broadcast, arcs: Sequence[int], weight: Fraction) -> WeightedStructure:
    """The arborescence of these arcs as a structure, every arc after the one into its tail.

    >>> from exactsched.model.platform import Platform
    >>> chain = Broadcast(Platform("abc", [("b", "c", 1), ("a", "b", 1)]), "a")
    >>> tree(chain, (0, 1), Fraction(1)).arcs
    (1, 0)
    """
    tails, heads = problem.platform.tails, problem.platform.heads
    leaving: dict[Node, list[int]] = {}
    for arc in arcs:
        leaving.setdefault(tails[arc], []).append(arc)
    ordered = leaving.pop(problem.source, [])
    for arc in ordered:  # grows while it is read
        ordered += leaving.pop(heads[arc], ())
    return WeightedStructure(0, tuple([(arc,) for arc in ordered]), weight)


def calls(
    problem: Combination,
    part: int,
    gathering: Iterable[int | Path],
    spreading: Iterable[int | Path],
    weight: Fraction,
) -> WeightedStructure:
    """The calls along an in-tree to a root, and along an out-tree from it, as a structure.

    Both are given by their arcs, or by paths through nodes that only forward, in any order; of two
    trees with other roots nothing is said.  For a block with a source there is no in-tree, and the
    out-tree may lead to a single node.

    >>> from exactsched.model.platform import Platform
    >>> chain = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "b", 1), ("b", "a", 1)])
    >>> asked = Combination(chain, ((1, tuple("abc")),))
    >>> calls(asked, 0, (1, 0), (3, 2), Fraction(1)).tasks
    ((0, 0, 0), (1, 0, 1, 0), (2, 0, 2), (3, 0, 2))
    >>> calls(Combination(chain, ((1, ("a", "c")),)), 0, [(0, 1)], [(2, 3)], Fraction(1)).tasks
    ((0, 0, 0), (1, 0, 1, 0), (2, 0, 2, 0), (3, 0, 2, 0))
    """
    ends = problem.platform.arcs
    source = problem.blocks[part].source
    root, tasks = _gathered(problem, part, gathering) if source is None else (source, [])
    leaving: dict[Node, list[Path]] = {}
    for path in sorted(map(_as_path, spreading)):
        leaving.setdefault(ends[path[0]].tail, []).append(path)
    reached = [root]
    copy = 0
    for node in reached:  # grows while it is read
        for path in leaving.get(node, ()):
            told = () if len(path) == 1 else (copy,)
            tasks += [(arc, part, SPREAD, *told) for arc in path]
            copy += len(told)
            reached.append(ends[path[-1]].head)
    return WeightedStructure(part, tuple(tasks), weight)


def _gathered(
    problem: Combination, part: int, gathering: Iterable[int | Path]
) -> tuple[Node, list[Task]]:
    """The root of an in-tree, and its calls, each after those that it tells on."""
    ends = problem.platform.arcs
    into: dict[Node, list[Path]] = {}
    tails = set()
    for path in sorted(map(_as_path, gathering)):
        into.setdefault(ends[path[-1]].head, []).append(path)
        tails.add(ends[path[0]].tail)
    (root,) = into.keys() - tails

    def before(path: Path) -> list[Path]:
        return into.get(ends[path[0]].tail, [])

    def names(paths: Iterable[Path]) -> list[int]:
        return sorted(path[0] for path in paths)

    # From the root backwards, each call before those into its tail; then the other way round.
    # The first one completes the sum: one that is forwarded, if there is any.
    backwards = sorted(into[root], key=lambda path: len(path) == 1)
    for path in backwards:  # grows while it is read
        backwards += before(path)
    last, *others = backwards
    tasks: list[Task] = []
    for path in reversed(others):
        tasks.append((path[0], part, GATHER, *names(before(path))))
        tasks += [(arc, part, FORWARD, path[0]) for arc in path[1:]]
    rest = [path for path in into[root] if path != last]
    if len(last) == 1:
        tasks.append((last[0], part, COMPLETE, *names([*rest, *before(last)])))
    else:
        tasks.append((last[0], part, GATHER, *names(before(last))))
        tasks += [(arc, part, FORWARD, last[0]) for arc in last[1:-1]]
        tasks.append((last[-1], part, COMPLETE, last[0], *names(rest)))
    return root, tasks


def _as_path(link: int | Path) -> Path:
    return (link,) if isinstance(link, int) else link
