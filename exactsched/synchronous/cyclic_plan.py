"""Cyclic plans: the frames of a balanced solution, every edge with an arborescence, and their runs.

From Balanced Saturation (2025), section 2.3; numbers in parentheses are its equations.  What the
text leaves open, and why packets keep to arborescences: `proofs/rounds-published.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate.minmax import UnmetDemand
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.branching_packing import pack_branchings
from exactsched.graphs.lovasz import Preference
from exactsched.synchronous.balanced import (
    BalancedSolution,
    balanced_frames,
    balanced_solution,
    largest_rate,
    outward_arcs,
)
from exactsched.synchronous.baselines import arcs_from, holdings, root_of, stated
from exactsched.synchronous.graph import SynchronousGraph
from exactsched.synchronous.quarter_solutions import quarter_solutions

# Plans are compared by a broadcast of this number of packets: for more, steps differ as much.
_SAMPLE = 60


@dataclass(frozen=True, slots=True)
class CyclicPlan:
    """The frames of one cycle, in order, and which packets have to keep to which arborescence.

    A frame has pairs (arc, number of an arborescence); its arcs are a matching.  Packet p belongs
    to arborescence `deal[p % len(deal)]`.
    """

    graph: SynchronousGraph
    frames: tuple[tuple[tuple[int, int], ...], ...]
    deal: tuple[int, ...]

    def pipelined_steps(self, packets: int) -> int:
        """The steps if every packet uses the arcs of its arborescence only: 2 N + K at rate 1/2.

        `cyclic_broadcast` takes no more.

        >>> from exactsched.synchronous.graph import synchronous_graph
        >>> from exactsched.platforms.built_in import grid
        >>> path = BalancedSolution(synchronous_graph(grid(3), 0), ("1/2", 0, "1/2", 0), "1/2")
        >>> plan = cyclic_plan(path)
        >>> [plan.pipelined_steps(packets) for packets in (1, 2, 10)]
        [3, 5, 21]
        """
        root = root_of(self.graph)
        self.graph.origins(packets)
        _refuse_frames(self)
        total = [0] * (max(self.deal, default=-1) + 1)
        for packet in range(packets):
            if self.deal:
                total[self.deal[packet % len(self.deal)]] += 1
        # Of every arborescence, how many of its packets a node has.
        have = [[0] * self.graph.size for _ in total]
        for number, of_nodes in zip(total, have, strict=True):
            of_nodes[root] = number
        missing = sum(total) * (self.graph.size - 1)
        steps = idle = 0
        while missing:
            received = []
            for arc, tree in self.frames[steps % len(self.frames)]:
                tail, head, _ = self.graph.arcs[arc]
                if have[tree][tail] > have[tree][head]:
                    received.append((tree, head))
            for tree, head in received:
                have[tree][head] += 1
            missing -= len(received)
            steps += 1
            idle = 0 if received else idle + 1
            if idle == len(self.frames):
                raise InvalidInput("frames", missing, "every arborescence reaches all nodes")
        return steps


def cyclic_plan(solution: BalancedSolution, prefer: Preference = "shallow") -> CyclicPlan:
    """The frames of a balanced solution, its edges shared out to arborescences (Edmonds 1973).

    As the rate enters every set of nodes without the root, arborescences whose weights add up to
    the rate share the occupancies, all of them: every node receives at the rate, neither more nor
    less.  The edges between two nodes are shared out evenly, and so are the packets.  `prefer`
    is that of `pack_branchings`.  Raises `InvalidInput` for a solution by which less enters a set.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> path = synchronous_graph(grid(3), 0)
    >>> cyclic_plan(BalancedSolution(path, ("1/2", 0, "1/2", 0), "1/2")).frames
    (((2, 0),), ((0, 0),))
    """
    graph = solution.graph
    root = root_of(graph)
    if graph.size == 1:
        return CyclicPlan(graph, (), ())
    copies = solution.multiplicities()
    received = max(
        sum(number for (_, head, _), number in zip(graph.arcs, copies, strict=True) if head == node)
        for node in range(graph.size)
        if node != root
    )
    ends = [(tail, head) for tail, head, _ in graph.arcs]
    packing = pack_branchings(graph.size, ends, copies, [((root,), received)], prefer=prefer)
    if isinstance(packing, UnmetDemand):
        raise InvalidInput("solution", packing.nodes, "the rate enters every set of nodes")
    weights = [int(weight) for _, weight, _ in packing.branchings]
    trees_of: list[list[int]] = [[] for _ in ends]
    for tree, (_, _, arcs) in enumerate(packing.branchings):
        for arc in arcs:
            trees_of[arc].append(tree)
    turns = [_evenly(trees, [weights[tree] for tree in trees]) for trees in trees_of]
    used = [0] * len(ends)
    frames = []
    for frame in balanced_frames(solution):
        row = []
        for arc in frame:
            row.append((arc, turns[arc][used[arc] % len(turns[arc])]))
            used[arc] += 1
        frames.append(tuple(row))
    return CyclicPlan(graph, tuple(frames), tuple(_evenly(range(len(weights)), weights)))


def balanced_plan(graph: SynchronousGraph, tries: int = 8) -> CyclicPlan:
    """The plan for rate 1/2 with the fewest steps, out of up to twice as many as `tries`.

    They come from `quarter_solutions`; where there are none, from `balanced_solution`.  Raises
    `InvalidInput` for a number of tries that is not positive, and where rate 1/2 is impossible.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> plan = balanced_plan(synchronous_graph(grid(4, 4), 0))
    >>> len(plan.frames), plan.deal
    (4, (0, 1))
    """
    if type(tries) is not int or tries < 1:
        raise InvalidInput("tries", tries, "a whole number >= 1")
    root_of(graph)
    solutions = list(dict.fromkeys(quarter_solutions(graph, tries)))
    if not solutions:
        solutions = [balanced_solution(graph, "1/2")]
    preferences: tuple[Preference, ...] = ("shallow", "few")
    plans = [cyclic_plan(one, prefer) for one in solutions for prefer in preferences]
    return min(plans, key=lambda plan: len(_rows(plan, _SAMPLE)))


def cyclic_broadcast(plan: CyclicPlan, packets: int) -> SynchronousRun:
    """Send over the arcs of one frame after the other, around and around (algorithm 1).

    Over an arc goes the packet with the largest forward potential, the number of neighbors of the
    head that lack it, and of several the lowest.  Packets of the arc's arborescence are tried
    first; others, as in the paper, if it has none that the head lacks.  Nothing goes where there
    is none.  Raises `InvalidInput` for a number of packets that is not positive, and for frames
    that are no matchings of arcs with arborescences, or whose arcs do not reach all nodes.
    O(degree^2) operations on sets for each transfer.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> path = BalancedSolution(synchronous_graph(grid(3), 0), ("1/2", 0, "1/2", 0), "1/2")
    >>> plan = cyclic_plan(path)
    >>> cyclic_broadcast(plan, 5).steps
    11
    """
    _refuse_frames(plan)
    return stated(plan.graph, packets, _rows(plan, packets))


def _rows(plan: CyclicPlan, packets: int) -> list[list[int]]:
    """Arc, packet, arc, packet, ... of every step."""
    graph = plan.graph
    have = holdings(graph, packets)
    everything = (1 << packets) - 1
    own = [0] * (max(plan.deal, default=-1) + 1)
    for packet in range(packets):
        if plan.deal:
            own[plan.deal[packet % len(plan.deal)]] |= 1 << packet
    near = [[head for _, head in pairs] for pairs in arcs_from(graph)]
    missing = packets * (graph.size - 1)
    rows: list[list[int]] = []
    while missing:
        row: list[int] = []
        received = []
        for arc, tree in plan.frames[len(rows) % len(plan.frames)]:
            tail, head, _ = graph.arcs[arc]
            useful = have[tail] & ~have[head]
            if useful:
                tried = useful & own[tree] or useful
                best = _most_lacked(tried, [everything & ~have[other] for other in near[head]])
                bit = best & -best
                row += arc, bit.bit_length() - 1
                received.append((head, bit))
        for head, bit in received:
            have[head] |= bit
        missing -= len(received)
        rows.append(row)
    return rows


def balanced_broadcast(graph: SynchronousGraph, packets: int, tries: int = 8) -> SynchronousRun:
    """BBS at the rate 1/2 of its tables: 2 * packets steps and a constant.

    On graphs with odd cycles a cycle has more frames, where odd sets demand it.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> square = synchronous_graph(grid(4, 4), 0)
    >>> runs = [balanced_broadcast(square, packets) for packets in (100, 200)]
    >>> runs[1].steps - runs[0].steps
    200
    """
    return cyclic_broadcast(balanced_plan(graph, tries), packets)


def outward_broadcast(graph: SynchronousGraph, packets: int) -> SynchronousRun:
    """BBS to the letter: every edge is oriented away from the root, at the largest rate left.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import grid
    >>> outward_broadcast(synchronous_graph(grid(4, 4), 0), 100).steps >= 250
    True
    """
    return cyclic_broadcast(cyclic_plan(largest_rate(graph, outward_arcs(graph))), packets)


def _refuse_frames(plan: CyclicPlan) -> None:
    graph = plan.graph
    trees = set(plan.deal)
    if trees != set(range(len(trees))):
        raise InvalidInput("deal", plan.deal, "arborescences numbered from 0 on")
    used: list[list[int]] = [[] for _ in range(graph.size)]
    for index, frame in enumerate(plan.frames):
        ends: set[int] = set()
        for arc, tree in frame:
            if type(arc) is not int or not 0 <= arc < len(graph.arcs):
                raise InvalidInput(f"frames[{index}]", arc, "an arc of the graph")
            if tree not in trees:
                raise InvalidInput(f"frames[{index}]", tree, "an arborescence with packets")
            tail, head, _ = graph.arcs[arc]
            if tail in ends or head in ends:
                raise InvalidInput(f"frames[{index}]", arc, "no two arcs of a frame share a node")
            ends |= {tail, head}
            used[tail].append(head)
    reached, stack = {root_of(graph)}, [root_of(graph)]
    while stack:
        for head in used[stack.pop()]:
            if head not in reached:
                reached.add(head)
                stack.append(head)
    if len(reached) < graph.size:
        missed = min(set(range(graph.size)) - reached)
        raise InvalidInput("frames", missed, "the arcs of the frames lead from the root to all")


def _evenly(items: Iterable[int], weights: Sequence[int]) -> list[int]:
    """Every item as often as its weight says, at even distances."""
    places = [
        (Fraction(2 * turn + 1, weight), item)
        for item, weight in zip(items, weights, strict=True)
        for turn in range(weight)
    ]
    return [item for _, item in sorted(places)]


def _most_lacked(useful: int, lacks: Sequence[int]) -> int:
    """Those of the useful packets that are in the largest number of the sets."""
    at_least = [useful]  # at_least[k]: what is in k of the sets seen so far, or more
    for lack in lacks:
        at_least.append(0)
        for number in range(len(at_least) - 1, 0, -1):
            at_least[number] |= at_least[number - 1] & lack
    return next(some for some in reversed(at_least) if some)
