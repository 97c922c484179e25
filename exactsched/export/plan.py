"""One operation of a certified schedule as transfers of chunks between ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

from exactsched.certificate import parse
from exactsched.certificate.collectives import Run, Series
from exactsched.certificate.compact_series import CompactSeries
from exactsched.certificate.given import document_of
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.model.collective_names import collective_name
from exactsched.model.platform import Node
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.tasks import (
    COMPLETE,
    FORWARD,
    SPREAD,
    State,
    Task,
    given,
    makes,
    needs,
    parts,
    size,
)

Operation = Literal[
    "broadcast",
    "scatter",
    "gather",
    "alltoall",
    "allgather",
    "reduce",
    "reduce_scatter",
    "allreduce",
]


class Part(NamedTuple):
    """A vector that moves as one: the message of a demand, a shard, a block of a sum.

    - `size`: in the unit of the problem
    - `sources`: the ranks that have it at the start; where it is added up, all
    - `targets`: the ranks that want it
    """

    size: Fraction
    sources: tuple[int, ...]
    targets: tuple[int, ...]


class Chunk(NamedTuple):
    """The share of a part from `start` to `end`, between 0 and 1."""

    part: int
    start: Fraction
    end: Fraction


class Transfer(NamedTuple):
    """The rank `sender` sends the chunk to `receiver`, when all of `after` are done.

    - `adds`: the receiver adds what comes to what it has; else it takes it as it is
    - `after`: indices of earlier transfers: those that bring what is sent; and for one that does
      not add, those that have to leave the receiver before its values are replaced
    """

    chunk: int
    sender: int
    receiver: int
    adds: bool
    after: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """One operation of a collective as transfers between ranks.

    - `operation`: the name of the collective, as MPI has it
    - `throughput`: operations per time unit that the certificate promises for the series
    - `ranks`: the node of every rank; nodes that only forward have none
    - `parts`, `chunks`: the vectors and how they are cut
    - `transfers`: each after those that it waits for
    """

    operation: Operation
    throughput: Fraction
    ranks: tuple[Node, ...]
    parts: tuple[Part, ...]
    chunks: tuple[Chunk, ...]
    transfers: tuple[Transfer, ...]

    @property
    def combines(self) -> bool:
        """Whether values are added up."""
        return self.operation in ("reduce", "reduce_scatter", "allreduce")

    def ranges(self, lengths: Sequence[int]) -> list[tuple[int, int]]:
        """The elements of every chunk in its part; `lengths` has those of every part.

        The bounds are floors of exact numbers, so the chunks of a part cover it without overlap.

        >>> chunks = (Chunk(0, Fraction(0), Fraction(1, 3)), Chunk(0, Fraction(1, 3), Fraction(1)))
        >>> part = Part(Fraction(1), (0,), (1,))
        >>> Plan("broadcast", Fraction(1), ("a", "b"), (part,), chunks, ()).ranges([10])
        [(0, 3), (3, 10)]
        """
        return [
            (int(chunk.start * lengths[chunk.part]), int(chunk.end * lengths[chunk.part]))
            for chunk in self.chunks
        ]

    def lengths(self, unit: int) -> list[int]:
        """The elements of every part when size 1 means `unit` elements, rounded down."""
        return [int(part.size * unit) for part in self.parts]


def plan(certificate: object, segments: int = 1) -> Plan:
    """One operation of an accepted certificate, cut as its structures are weighted.

    `certificate` is a path, a document, or any result that has one, such as a solution.

    Each structure carries a chunk of its part, in proportion to its operations; each chunk is cut
    into `segments` equal ones, which follow one another.  Of a run, each operation is one chunk, in
    proportion to its size.  What a switch forwards is sent by the last rank before it.

    Raises `InvalidInput` for certificates of other kinds, for a throughput of 0, for a mix, and for
    ordered reductions, whose values are combined in a given order; `Rejected` for a certificate
    that the checker refuses.

    >>> from exactsched import Platform, broadcast
    >>> made = plan(broadcast(Platform("abc", [("a", "b", 1), ("b", "c", 1)]), "a").certificate())
    >>> [(transfer.sender, transfer.receiver, transfer.after) for transfer in made.transfers]
    [(0, 1, ()), (1, 2, (0,))]
    """
    if type(segments) is not int or not 1 <= segments <= 1 << 20:
        raise InvalidInput("segments", segments, "a whole number from 1")
    document, _ = document_of(certificate)
    check(document)
    record = parse(document)
    if isinstance(record, CompactSeries):
        record = record.written_out()
    if not isinstance(record, (Series, Run)):
        rule = "a plan is made of a series or a run of a collective"
        raise InvalidInput("kind", type(record).__name__, rule)
    problem = record.problem
    if isinstance(problem, Reduction):
        rule = "it combines in a given order, which no plan keeps; without --ordered it has none"
        raise InvalidInput("problem", "reduction", rule)
    if isinstance(problem, Combination) and problem.mixed:
        rule = "a plan is for one collective of MPI among all ranks, and no mix"
        raise InvalidInput("problem", collective_name(problem), rule)
    carried, throughput = _carried(record)
    return cut(_Writer(problem, _ranks(problem), throughput).written(carried), segments)


def cut(plan: Plan, segments: int) -> Plan:
    """The same plan with every chunk cut into equal ones, which follow one another.

    >>> whole = Chunk(0, Fraction(0), Fraction(1))
    >>> sent = Transfer(0, 0, 1, False, ())
    >>> made = Plan("broadcast", Fraction(1), ("a", "b"), (), (whole,), (sent,))
    >>> [transfer.chunk for transfer in cut(made, 3).transfers]
    [0, 1, 2]
    """
    if segments == 1:
        return plan
    of_chunk: list[list[int]] = [[] for _ in plan.chunks]
    for index, transfer in enumerate(plan.transfers):
        of_chunk[transfer.chunk].append(index)
    chunks: list[Chunk] = []
    transfers: list[Transfer] = []
    for (part, start, end), indices in zip(plan.chunks, of_chunk, strict=True):
        share = (end - start) / segments
        for low, high in pairwise(accumulate([share] * segments, initial=start)):
            # A transfer waits for others of its chunk only.
            now = {index: len(transfers) + place for place, index in enumerate(indices)}
            transfers += [
                plan.transfers[index]._replace(
                    chunk=len(chunks),
                    after=tuple(now[before] for before in plan.transfers[index].after),
                )
                for index in indices
            ]
            chunks.append(Chunk(part, low, high))
    return replace(plan, chunks=tuple(chunks), transfers=tuple(transfers))


# A structure that carries a part of an operation: the part, its weight, its tasks in order.
_Carried = tuple[int, Fraction, Sequence[Task]]


def _carried(record: Series | Run) -> tuple[list[_Carried], Fraction]:
    if isinstance(record, Series):
        if record.schedule is None:
            raise InvalidInput("throughput", 0, "nothing is delivered, so there is nothing to run")
        listed: list[_Carried] = [
            (one.part, Fraction(one.operations), one.tasks) for one in record.schedule.structures
        ]
        return listed, record.throughput
    found: dict[tuple[int, int], dict[Task, None]] = {}
    for row in sorted(record.rows, key=lambda row: row.start):
        task = record.tasks[row.task]
        part = 0 if isinstance(record.problem, Broadcast) else task[1]
        found.setdefault((row.operation, part), {})[task] = None
    sizes = record.sizes or (Fraction(1),) * record.operations
    runs: list[_Carried] = [
        (part, sizes[number], tuple(tasks)) for (number, part), tasks in sorted(found.items())
    ]
    return runs, record.volume / record.makespan


def _ranks(problem: Collective) -> tuple[Node, ...]:
    """Documents do not tell switches: of an alltoall the nodes that have or want a message."""
    platform = problem.platform
    if isinstance(problem, (Allgather, Combination)):
        return tuple(node for node in platform.nodes if node in problem.group)
    if isinstance(problem, Alltoall):
        ends = {node for demand in problem.demands for node in (demand.source, demand.target)}
        return tuple(node for node in platform.nodes if node in ends)
    return tuple(node for node in platform.nodes if node not in platform.switches)


class _Writer:
    """Makes the plan of a problem, one structure after the other."""

    def __init__(self, problem: Collective, ranks: tuple[Node, ...], throughput: Fraction) -> None:
        self._problem = problem
        self._throughput = throughput
        self._nodes = ranks
        self._rank = {node: rank for rank, node in enumerate(ranks)}
        self._chunks: list[Chunk] = []
        self._transfers: list[Transfer] = []

    def written(self, carried: list[_Carried]) -> Plan:
        totals: dict[int, Fraction] = {}
        for part, weight, _ in carried:
            totals[part] = totals.get(part, Fraction(0)) + weight
        ends = dict.fromkeys(totals, Fraction(0))
        for part, weight, tasks in carried:
            start = ends[part]
            ends[part] += weight / totals[part]
            self._chunks.append(Chunk(part, start, ends[part]))
            if isinstance(self._problem, Combination):
                self._add_calls(part, tasks)
            else:
                self._add_copies(tasks)
        found = self._parts()
        return Plan(
            self._operation(found),
            self._throughput,
            self._nodes,
            found,
            tuple(self._chunks),
            tuple(self._transfers),
        )

    def _append(self, sender: Node, receiver: Node, adds: bool, after: Iterable[int]) -> int:
        chunk, ranks = len(self._chunks) - 1, self._rank
        ordered = tuple(sorted(set(after)))
        self._transfers.append(Transfer(chunk, ranks[sender], ranks[receiver], adds, ordered))
        return len(self._transfers) - 1

    def _add_copies(self, tasks: Sequence[Task]) -> None:
        """A rank has a chunk from the start or from one transfer; a switch has it from a rank."""
        arcs = self._problem.platform.arcs
        came: dict[State, tuple[Node, tuple[int, ...]]] = {
            state: (state[1], ()) for state in given(self._problem)
        }
        for task in tasks:
            (state,) = needs(self._problem, task)
            sender, after = came[state]
            head = arcs[task[0]].head
            if head in self._rank:
                made = self._append(sender, head, False, after)
                came[makes(self._problem, task)] = head, (made,)
            else:
                came[makes(self._problem, task)] = sender, after

    def _add_calls(self, part: int, tasks: Sequence[Task]) -> None:
        """A node adds up what it has been told; when the sum comes back it has told it on."""
        arcs = self._problem.platform.arcs
        told: dict[int, int] = {}  # by the name of a call: the transfer, before the sum is known
        left: dict[Node, list[int]] = {}  # the transfers by which a node told its part of the sum
        whole: dict[Node, tuple[int, ...]] = {}
        # Who sent what comes along a path of switches, and after which transfers.
        calling: dict[int, tuple[Node, list[int]]] = {}
        passing: dict[int, Node] = {}  # by the copy of the sum

        def tell(name: int, receiver: Node) -> int:
            sender, sent = calling[name]
            told[name] = self._append(sender, receiver, True, sent)
            left.setdefault(sender, []).append(told[name])
            return told[name]

        for place, _, does, *over in tasks:
            tail, head = arcs[place].tail, arcs[place].head
            if does == SPREAD:
                sender = tail if tail in self._rank else passing[over[0]]
                if head in self._rank:
                    made = self._append(sender, head, False, (*whole[sender], *left.get(head, ())))
                    whole[head] = (made,)
                else:
                    passing[over[0]] = sender
                continue
            name, met = place, []
            if does == COMPLETE and tail in self._rank:
                met = [arc for arc in over if arcs[arc].head == head]
            elif does == COMPLETE:
                name, *met = over
            elif does == FORWARD:
                name = over[0]
            if tail in self._rank:
                calling[name] = tail, [told[arc] for arc in over if arc not in met]
            if head in self._rank:
                made = tell(name, head)
                if does == COMPLETE:
                    whole[head] = (made, *(told[arc] for arc in met))
        if any(len(listed) > 1 for listed in left.values()):
            structure = f"structure of block {part}"
            raise InvalidInput(structure, len(tasks), "a plan adds up along one tree to the root")

    def _parts(self) -> tuple[Part, ...]:
        problem, ranks = self._problem, self._rank
        listed = parts(problem)
        if isinstance(problem, Combination):
            everyone = tuple(range(len(ranks)))
            return tuple(
                Part(block.size, everyone, tuple(sorted(ranks[node] for node in block.targets)))
                for block in problem.blocks
            )
        sources = dict(given(problem))
        return tuple(
            Part(
                size(problem, states[0][0]),
                (ranks[sources[states[0][0]]],),
                tuple(sorted(ranks[node] for _, node in states)),
            )
            for states in listed
        )

    def _operation(self, found: tuple[Part, ...]) -> Operation:
        problem = self._problem
        if isinstance(problem, Broadcast):
            return "broadcast"
        if isinstance(problem, Allgather):
            return "allgather"
        if isinstance(problem, Combination):
            everywhere = {len(part.targets) > 1 for part in found}
            if len(everywhere) > 1:
                rule = "all blocks are wanted everywhere, or each at one node, as MPI has it"
                raise InvalidInput("blocks", len(found), rule)
            if True in everywhere:
                return "allreduce"
            return "reduce" if len(found) == 1 else "reduce_scatter"
        if len({part.sources for part in found}) == 1:
            return "scatter"
        return "gather" if len({part.targets for part in found}) == 1 else "alltoall"
