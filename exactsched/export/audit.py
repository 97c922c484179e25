"""Allgathers and broadcasts that another program has scheduled, judged beside the optimum.

A schedule here is a list of hops of whole chunks, in steps.  It becomes a run: the hops of an arc
keep their order, and each begins as soon as its chunk is there and the arc is free.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heapreplace
from io import StringIO
from itertools import pairwise
from typing import Any, NamedTuple

from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.exact_json import file_text, parsed_json
from exactsched.exact.rational import exact, text
from exactsched.exact.words import counted
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Allgather
from exactsched.model.tasks import Task
from exactsched.runs.finite_run import FiniteRun, finished_run
from exactsched.runs.latency_bound import best_bound, for_operations
from exactsched.steady_state.slots import common_measure

# The largest files of TE-CCL that are published have 20 MB.
MAX_BYTES = 200_000_000


class Hop(NamedTuple):
    """In a step a chunk goes from a sender to a receiver, through switches in their order.

    Nodes are numbers, and the chunk is number `chunk` of those of `source`.
    """

    source: int
    chunk: int
    sender: int
    receiver: int
    step: int
    through: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"chunk {self.chunk} of {self.source}, {self.sender} to {self.receiver}"


@dataclass(frozen=True, slots=True)
class Audit:
    """What a schedule of another program is worth.

    - `run`: the schedule as a run, with a bound on all schedules; the checker accepts it
    - `steps`: how many steps it has
    - `hops`: how many hops there are
    - `wasted`: how many of them bring what is there already; the run leaves them out
    - `whole`: no schedule of chunks that stay whole ends before; at least the bound of the run
    """

    run: FiniteRun
    steps: int
    hops: int
    wasted: int
    whole: Fraction

    @property
    def gap(self) -> Fraction:
        """By which part the makespan is larger than the bound for whole chunks."""
        return self.run.makespan / self.whole - 1

    def __str__(self) -> str:
        wasted = f", {self.wasted} of them of no use" if self.wasted else ""
        told = f"valid: {counted(self.hops, 'hop')} in {counted(self.steps, 'step')}{wasted};"
        told += f" ends at {text(self.run.makespan)}"
        if not self.gap:
            told += ", proved optimal for whole chunks"
        else:
            more = f"{float(100 * self.gap):.3g} %"
            told += f", {more} more than the bound {text(self.whole)} for whole chunks"
        if self.run.bound < self.whole:
            more = f"{float(100 * (self.run.makespan / self.run.bound - 1)):.3g} %"
            told += f", {more} more than the bound {text(self.run.bound)} for chunks of any sizes"
        return told


def audit(
    platform: Platform,
    hops: Iterable[Hop],
    size: Fraction | int | str = 1,
    nodes: Sequence[Node] | None = None,
    source: Node | None = None,
) -> Audit:
    """Whether the hops deliver every chunk to every node of the group, when, and how far from best.

    The group are the nodes that are no switches.  Each of them has the same number of chunks, or
    only `source` has chunks, in a broadcast; each chunk has this `size`.  `nodes` names the node of
    every number, by default in the order of the platform.  A hop starts with what its sender has
    received in an earlier step; a node that it goes through has received it completely before it
    sends it on.  The port model is "link".

    `whole` counts: into some set with n chunks outside go n whole chunks, and an arc that takes
    t for one takes no more than floor(T / t) until T.  It is tried for the set of the proof, and
    for every single node.

    Raises `Rejected`, which names the first wrong hop, if a sender does not have the chunk, if
    there is no arc, or if a node does not get a chunk; `InvalidInput` for a wrong size, wrong
    numbers, and no hop at all.  The cost is that of two allgathers, and O(h log h) for h hops.

    >>> ring = Platform("abc", [("a", "b", 1), ("b", "c", 1), ("c", "a", 1)])
    >>> first = [Hop(0, 0, 0, 1, 0), Hop(1, 0, 1, 2, 0), Hop(2, 0, 2, 0, 0)]
    >>> second = [Hop(0, 0, 1, 2, 1), Hop(1, 0, 2, 0, 1), Hop(2, 0, 0, 1, 1)]
    >>> str(audit(ring, first + second))
    'valid: 6 hops in 2 steps; ends at 2, proved optimal for whole chunks'
    """
    part = exact(size, "size")
    if part <= 0:
        raise InvalidInput("size", text(part), "a chunk has a positive size")
    listed = sorted(hops, key=lambda hop: hop.step)
    if not listed:
        raise InvalidInput("hops", 0, "a schedule has at least one hop")
    named = _Named(platform, tuple(platform.nodes if nodes is None else nodes), listed, source)
    tasks, wasted = named.tasks(listed)
    asked, chunks = named.problem, named.chunks
    times = [arc.latency + part * arc.cost for arc in platform.arcs]
    tick, _ = common_measure({times[task[0]] for task, _ in tasks})
    rows = _as_soon_as_possible(asked, tasks, [time / tick for time in times])
    number = {task: index for index, task in enumerate(dict.fromkeys(task for task, _ in tasks))}
    written = [(number[task], chunk, start, end) for (task, chunk), start, end in rows]
    bound, proof = best_bound(asked, part * chunks)
    sizes = (part,) * chunks
    run = finished_run(
        asked, chunks, sizes, tick, tuple(number), written, bound, for_operations(proof, chunks)
    )
    inside = frozenset(proof.nodes)
    sets = [inside, *(frozenset([node]) for node in asked.group)]
    whole = max(bound, *(_whole_chunks(asked, chunks, times, one) for one in sets))
    steps = len({hop.step for hop in listed})
    return Audit(run, steps, len(listed), wasted, whole)


class _Named:
    """Numbers of a schedule as nodes of a platform, and the problem that it solves."""

    def __init__(
        self, platform: Platform, nodes: tuple[Node, ...], hops: list[Hop], source: Node | None
    ) -> None:
        if len(set(nodes)) < len(nodes) or any(node not in platform.position for node in nodes):
            rule = "they are different nodes of the platform"
            raise InvalidInput("nodes", [str(node) for node in nodes[:8]], rule)
        self._platform, self._nodes = platform, nodes
        self._place = {(arc.tail, arc.head): index for index, arc in enumerate(platform.arcs)}
        group = [node for node in platform.nodes if node not in platform.switches]
        if len(group) < 2:
            rule = "at least two nodes of the platform are no switches"
            raise InvalidInput("platform", len(group), rule)
        if source is not None and source not in group:
            raise InvalidInput("source", source, "a node of the platform that is no switch")
        chunks: dict[Node, set[int]] = {node: set() for node in group if source in (None, node)}
        for hop in hops:
            owner = self._node(hop.source, hop)
            if owner not in chunks:
                raise Rejected(f"step {hop.step}, {hop}", str(owner), "this node has no chunks")
            chunks[owner].add(hop.chunk)
        fewest = min(chunks, key=lambda node: len(chunks[node]))
        self.chunks = max(map(len, chunks.values()))
        if len(chunks[fewest]) < self.chunks:
            rule = f"of other nodes the schedule moves {self.chunks}"
            raise Rejected(f"chunks of node {fewest}", len(chunks[fewest]), rule)
        self._number = {
            node: {chunk: index for index, chunk in enumerate(sorted(numbers))}
            for node, numbers in chunks.items()
        }
        shards: Any = tuple((node, int(node in chunks)) for node in group)
        self.problem = Allgather(platform, shards, "link")
        self._root = {root.node: index for index, root in enumerate(self.problem.roots)}
        self._turn = {node: index for index, node in enumerate(group)}

    def _node(self, number: int, hop: Hop) -> Node:
        if not 0 <= number < len(self._nodes):
            rule = (
                f"the schedule numbers nodes from 0 to {len(self._nodes) - 1}; name them in order"
            )
            raise InvalidInput(f"step {hop.step}, {hop}", number, rule)
        return self._nodes[number]

    def tasks(self, hops: list[Hop]) -> tuple[list[tuple[Task, int]], int]:
        """(task, chunk) for every hop from arc to arc, and how many hops were of no use."""
        # In which step a node has received a chunk; -1 where it is from the start.
        has = {
            (root, chunk, node): -1
            for node, root in self._root.items()
            for chunk in range(self.chunks)
        }
        found: list[tuple[Task, int]] = []
        wasted = 0
        for hop in hops:
            source, sender = self._node(hop.source, hop), self._node(hop.sender, hop)
            receiver = self._node(hop.receiver, hop)
            root, chunk = self._root[source], self._number[source][hop.chunk]
            place = f"step {hop.step}, {hop}"
            if has.get((root, chunk, sender), hop.step) >= hop.step:
                rule = f"node {sender} has received it in an earlier step"
                raise Rejected(place, str(sender), rule)
            way = [sender, *(self._node(number, hop) for number in hop.through), receiver]
            for node in way[1:-1]:
                if node in self._turn:
                    raise Rejected(place, str(node), "it goes through switches; others keep chunks")
            arcs = [self._arc(tail, head, place) for tail, head in pairwise(way)]
            if receiver not in self._turn:
                raise Rejected(
                    place, str(receiver), "a switch keeps nothing: name what is behind it"
                )
            if (root, chunk, receiver) in has:
                wasted += 1
                continue
            has[root, chunk, receiver] = hop.step
            copy = self._turn[receiver] - (self._turn[receiver] > self._turn[source])
            found += [((arc, root, copy), chunk) for arc in arcs]
        self._refuse_missing(has)
        return found, wasted

    def _arc(self, tail: Node, head: Node, place: str) -> int:
        arc = self._place.get((tail, head))
        if arc is None:
            raise Rejected(place, f"{tail} to {head}", "the platform has an arc between them")
        return arc

    def _refuse_missing(self, has: dict[tuple[int, int, Node], int]) -> None:
        for source, root in self._root.items():
            for chunk, index in self._number[source].items():
                for node in self._turn:
                    if (root, index, node) not in has:
                        place = f"chunk {chunk} of node {source}"
                        raise Rejected(place, str(node), "every node receives every chunk")


def _as_soon_as_possible(
    problem: Allgather, tasks: list[tuple[Task, int]], times: Sequence[Fraction]
) -> list[tuple[tuple[Task, int], int, int]]:
    """Start and end of every task, in the order given on each arc, in ticks."""
    arcs = problem.platform.arcs
    ready = {
        ((root, chunk), one.node): 0
        for root, one in enumerate(problem.roots)
        for chunk in range(1 + max(chunk for _, chunk in tasks))
    }
    free = [0] * len(arcs)
    copies: dict[tuple[int, int, int, Node], int] = {}
    rows: list[tuple[tuple[Task, int], int, int]] = []
    for task, chunk in tasks:
        place, root, copy = task
        tail, head = arcs[place].tail, arcs[place].head
        if tail in problem.group:
            there = ready[(root, chunk), tail]
        else:
            there = copies[root, copy, chunk, tail]
        start = max(there, free[place])
        end = free[place] = start + int(times[place])
        if head in problem.group:
            ready[(root, chunk), head] = end
        else:
            copies[root, copy, chunk, head] = end
        rows.append(((task, chunk), start, end))
    return sorted(rows, key=lambda row: row[1])


def _whole_chunks(
    problem: Allgather, chunks: int, times: Sequence[Fraction], inside: frozenset[Node]
) -> Fraction:
    """The first time at which the arcs into a set can have moved all whole chunks from outside."""
    needed = chunks * sum(1 for root in problem.roots if root.node not in inside)
    entering = [
        (times[index], times[index])
        for index, arc in enumerate(problem.platform.arcs)
        if arc.head in inside and arc.tail not in inside
    ]
    if not needed:
        return Fraction(0)
    heapify(entering)
    for _ in range(needed - 1):
        end, time = entering[0]
        heapreplace(entering, (end + time, time))
    return entering[0][0]


_FLOW = re.compile(
    r"Chunk (\d{1,9}) from (\d{1,9}) traveled over (\d{1,9})->(\d{1,9})"
    r"(?: with volume ([0-9.e-]{1,30}))? in epoch (\d{1,9})(?: via switches (\d[\d, ]{0,99}))?"
)


def read_teccl(path: str) -> list[Hop]:
    """The hops of a schedule that TE-CCL has written: the list whose name ends with "Flows".

    Raises `InvalidInput` for other files, and for parts of chunks ("with volume 0.5").
    """
    document = parsed_json(file_text(path, "schedule of TE-CCL", MAX_BYTES), "schedule of TE-CCL")
    listed = [
        value
        for name, value in (document.items() if isinstance(document, dict) else ())
        if name.endswith("Flows")
    ]
    if len(listed) != 1 or not isinstance(listed[0], list):
        rule = 'a schedule of TE-CCL is a JSON object with one list "7-Flows"'
        raise InvalidInput(path, len(listed), rule)
    return [_flow(written, f"flow {index}") for index, written in enumerate(listed[0])]


def _flow(written: object, place: str) -> Hop:
    found = _FLOW.fullmatch(written) if isinstance(written, str) else None
    if found is None:
        rule = "Chunk C from S traveled over A->B in epoch E"
        raise InvalidInput(place, written, f"a flow is {rule!r}")
    chunk, source, sender, receiver, volume, step, through = found.groups()
    if volume is not None and exact(volume, place) != 1:
        raise InvalidInput(place, volume, "chunks are whole here: volume 1")
    passed = tuple(int(number) for number in (through or "").replace(",", " ").split())
    return Hop(int(source), int(chunk), int(sender), int(receiver), int(step), passed)


COLUMNS = ("source", "chunk", "sender", "receiver", "step")


def read_table(path: str) -> list[Hop]:
    """The hops of a CSV file with the columns of COLUMNS, in any order, and perhaps `through`.

    All are whole numbers; in `through` those of switches, with blanks between.  Raises
    `InvalidInput`, with the line.
    """
    rows = csv.DictReader(StringIO(file_text(path, "table of hops", MAX_BYTES)))
    names = rows.fieldnames or []
    if (
        set(COLUMNS) - set(names)
        or set(names) - {*COLUMNS, "through"}
        or len(set(names)) < len(names)
    ):
        rule = f"a table of hops has the columns {','.join(COLUMNS)}, and perhaps through"
        raise InvalidInput(path, list(names)[:8], rule)
    hops: list[Hop] = []
    for row in rows:
        place = f"line {rows.line_num}"
        if None in row or None in row.values():
            raise InvalidInput(place, len(names), "every line has a number for each column")
        source, chunk, sender, receiver, step = (
            _whole(row[name], f"{place}, {name}") for name in COLUMNS
        )
        through = [_whole(one, f"{place}, through") for one in row.get("through", "").split()]
        hops.append(Hop(source, chunk, sender, receiver, step, tuple(through)))
    return hops


def _whole(written: str, place: str) -> int:
    if not re.fullmatch(r" *\d{1,9} *", written):
        raise InvalidInput(place, written, "a whole number from 0, of at most nine digits")
    return int(written)
