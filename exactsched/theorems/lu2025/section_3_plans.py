"""Broadcasts in steps by fixed plans: binary trees, and arborescences in frames (BBS, 2.3, 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, prod
from typing import Any

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.check import check
from exactsched.exact.errors import InvalidInput
from exactsched.graphs.reachability import bipartition
from exactsched.instances.choices import Choices
from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.branchings import spans
from exactsched.oracles.half_duplex import ALL_SETS, Occupancies, least_entering, lost, received
from exactsched.oracles.synchronous import played, two_ways
from exactsched.platforms.built_in import cubic_16, grid
from exactsched.steady_state.broadcast import broadcast
from exactsched.synchronous.balanced import BalancedSolution
from exactsched.synchronous.baselines import DelayTree, early_tree, grid_tree, tree_broadcast
from exactsched.synchronous.cyclic_plan import (
    CyclicPlan,
    balanced_plan,
    cyclic_broadcast,
    cyclic_plan,
)
from exactsched.synchronous.graph import SynchronousGraph, synchronous_graph
from exactsched.synchronous.quarter_solutions import quarter_solutions
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, refuted

_PAPER = "Balanced Saturation (BBS), Lu et al. 2025"
_BASELINES = "exactsched/synchronous/baselines.py"
_PLANS = ("exactsched/synchronous/cyclic_plan.py", "exactsched/synchronous/balanced.py")


# Trees -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """So many packets on a grid from its corner; no sides stand for 16K3."""

    sides: tuple[int, ...]
    packets: int


@dataclass(frozen=True, slots=True)
class Delays:
    """Node k + 1 is served by node `parents[k]`, `delays[k]` steps after that one."""

    parents: tuple[int, ...]
    delays: tuple[int, ...]
    packets: int


def _not_down_the_tree(run: SynchronousRun, tree: DelayTree, period: int, packets: int) -> str:
    """Whether the run is against the rules, or packet i does not come at r(v) + p i."""
    check(run)
    reason, has, _ = played(run)
    if reason:
        return reason
    for node, times in enumerate(has):
        after, at = 0, node
        while tree.parent[at] >= 0:
            after, at = after + tree.delay[at], tree.parent[at]
        if times != [0 if at == node else after + period * i for i in range(packets)]:
            return f"node {node} does not receive a packet every {period} steps"
    return ""


def _closed_form(asked: Grid) -> Verdict:
    sides, packets = asked.sides, asked.packets
    if not sides:
        graph, period, last = synchronous_graph(cubic_16(), 0), 3, 5
        tree = early_tree(graph)
    else:
        graph, tree = synchronous_graph(grid(*sides), 0), grid_tree(*sides)
        if len(sides) == 2:
            period, last = 3, sides[0] + sides[1] - 2
        else:
            a, b, c = sides
            period, last = 3 if a == 2 else 4, 3 * (a - 1) + 2 * (b - 1) + (c - 1)
    run = tree_broadcast(graph, packets, tree)
    steps = period * (packets - 1) + last
    children = Counter(up for up in tree.parent if up >= 0)
    degree = max(number + (tree.parent[v] >= 0) for v, number in children.items())
    facts: dict[str, Any] = {"steps": run.steps, "closed form": steps, "degree": degree}
    if run.steps != steps:
        return refuted("the closed form says something else", **facts)
    if reason := _not_down_the_tree(run, tree, period, packets):
        return refuted(reason, **facts)
    if period != degree:
        return refuted("the period is not the largest degree", **facts)
    return held(**facts)


def _delayed(asked: Delays) -> Verdict:
    tree = DelayTree((-1, *asked.parents), (0, *asked.delays))
    size, packets = len(tree.parent), asked.packets
    graph = SynchronousGraph(
        size, two_ways(*((up, v) for v, up in enumerate(asked.parents, 1))), (0,), ()
    )
    period, last = tree.period(), max(tree.arrivals())
    run = tree_broadcast(graph, packets, tree)
    facts: dict[str, Any] = {"period": period, "last": last, "steps": run.steps}
    ends = [[0] if up >= 0 else [] for up in tree.parent]
    for up, wait in zip(asked.parents, asked.delays, strict=True):
        ends[up].append(wait)
    least = next(
        p
        for p in range(max(map(len, ends)), sum(asked.delays) + 2)
        if all(len({end % p for end in some}) == len(some) for some in ends)
    )
    if period != least:
        return refuted("the period is not the least with different remainders", **facts)
    if run.steps != period * (packets - 1) + last:
        return refuted("it does not take p (N - 1) + max r steps", **facts)
    if reason := _not_down_the_tree(run, tree, period, packets):
        return refuted(reason, **facts)
    return held(**facts)


def _grid(choices: Choices, bound: int) -> Grid:
    packets = choices.between(1, 2 * bound)
    if choices.flip():
        a, b, c = (choices.between(least, max(least, bound // 2)) for least in (2, 2, 2))
        return Grid((a, b, max(c, 3) if a == 2 else c), packets)
    return Grid((choices.between(2, bound), choices.between(3, bound)), packets)


def _delays(choices: Choices, bound: int) -> Delays:
    """The children of a node have different delays."""
    size = choices.between(2, bound)
    parents = tuple(choices.below(v) for v in range(1, size))
    taken: list[set[int]] = [set() for _ in range(size)]
    delays = []
    for up in parents:
        free = [wait for wait in range(1, 2 * size) if wait not in taken[up]]
        delays.append(choices.one_of(free[: choices.between(1, 4)]))
        taken[up].add(delays[-1])
    return Delays(parents, tuple(delays), choices.between(1, 2 * bound))


# Arborescences in frames -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Copies:
    """So many copies of each arc, none into node 0, and packets that start there."""

    size: int
    arcs: tuple[tuple[int, int, int], ...]
    copies: tuple[int, ...]
    packets: int


def _pipelined(
    graph: SynchronousGraph, plan: CyclicPlan, packets: int, facts: dict[str, Any]
) -> str:
    """What is not as stated: trees of weights w that add up to H, f w times in L frames."""
    ends = [(tail, head) for tail, head, _ in graph.arcs]
    root = graph.sources[0]
    weights = Counter(plan.deal)
    used: list[Counter[int]] = [Counter() for _ in weights]
    for frame in plan.frames:
        nodes = [node for arc, _ in frame for node in ends[arc]]
        if len(set(nodes)) < len(nodes):
            return "a frame is no matching"
        for arc, tree in frame:
            used[tree][arc] += 1
    factor = max(used[0].values()) // weights[0]
    deepest = 0
    for tree, arcs in enumerate(used):
        if not spans(graph.size, [root], [ends[arc] for arc in arcs]):
            return "an arborescence does not span"
        if set(arcs.values()) != {factor * weights[tree]}:
            return "the arcs of an arborescence are not in f w frames"
        deepest = max(deepest, _depth(graph.size, root, [ends[arc] for arc in arcs]))
    length, whole = len(plan.frames), len(plan.deal)
    most = length * ceil(Fraction(packets, factor * whole)) + length * (deepest - 1)
    apart, run = plan.pipelined_steps(packets), cyclic_broadcast(plan, packets)
    facts |= {
        "frames": length,
        "copies": factor * whole,
        "depth": deepest,
        "at most": most,
        "pipelined": apart,
        "steps": run.steps,
    }
    check(run)
    if reason := played(run)[0]:
        return reason
    if length <= 2 * factor * whole and most > 2 * packets + length * deepest:
        return "at rate 1/2 more than 2 N + L d"
    if not run.bound <= run.steps <= apart <= most:
        return "it takes more steps than is proved"
    return ""


def _depth(size: int, root: int, arcs: Sequence[tuple[int, int]]) -> int:
    depth = {root: 0}
    while len(depth) < size:
        depth |= {head: depth[tail] + 1 for tail, head in arcs if tail in depth}
    return max(depth.values())


def _shared_out(asked: Copies) -> Verdict:
    graph = SynchronousGraph(asked.size, asked.arcs, (0,), ())
    ends = [(tail, head) for tail, head, _ in asked.arcs]
    degree = max(
        sum(n for pair, n in zip(ends, asked.copies, strict=True) if v in pair)
        for v in range(asked.size)
    )
    entering = sum(n for (_, head), n in zip(ends, asked.copies, strict=True) if head == 1)
    shares = tuple(Fraction(n, degree) for n in asked.copies)
    plan = cyclic_plan(BalancedSolution(graph, shares, Fraction(entering, degree)))
    facts: dict[str, Any] = {"degree": degree, "entering": entering}
    if reason := _pipelined(graph, plan, asked.packets, facts):
        return refuted(reason, **facts)
    rate = Fraction(len(plan.deal), len(plan.frames))
    edges = [pair for pair, n in zip(ends, asked.copies, strict=True) if n]
    if bipartition(asked.size, edges) is not None and rate != Fraction(entering, degree):
        return refuted("a bipartite graph has as many frames as its largest degree", **facts)
    return held(**facts)


def _copies(choices: Choices, bound: int) -> Copies:
    """Arborescences, each once or twice, and arcs without a copy; in one of two cases bipartite."""
    size = choices.between(2, bound)
    two_sides = choices.flip()
    side = [0, 1, *(choices.below(2) for _ in range(size - 2))] if two_sides else [0] * size
    copies: Counter[tuple[int, int]] = Counter()
    for _ in range(choices.between(1, 3)):
        weight = choices.between(1, 2)
        reached, left = [0], set(range(1, size))
        while left:
            pairs = [
                (u, v) for u in reached for v in sorted(left) if not two_sides or side[u] != side[v]
            ]
            tail, head = choices.one_of(pairs)
            copies[tail, head] += weight
            reached.append(head)
            left.discard(head)
    for tail, head in list(copies):
        copies[head, tail] += 0
    arcs = tuple((*pair, 1) for pair in sorted(copies))
    counts = tuple(copies[pair] for pair in sorted(copies))
    return Copies(size, arcs, counts, choices.between(1, 4 * bound))


def _no_quarters(solution: BalancedSolution) -> str:
    """Which of the constraints is not met; empty if all are, at the rate 1/2."""
    graph, half = solution.graph, Fraction(1, 2)
    problem = Broadcast(Platform(range(graph.size), graph.arcs), 0, "half-duplex")
    stated = Occupancies(problem, solution.occupancy)
    if any(4 * Fraction(share) not in (0, 1, 2) for share in solution.occupancy):
        return "an occupancy is not 0, 1/4 or 1/2"
    if received(stated)[1:] != [half] * (graph.size - 1) or solution.rate != half:
        return "a node does not receive at rate 1/2"
    if reason := lost(stated):
        return reason
    if graph.size <= ALL_SETS and least_entering(stated) < half:
        return "a set without the source is entered by less than 1/2"
    return ""


def _quarters(asked: Copies) -> Verdict:
    """Only the graph is asked for; the plan is that of the package."""
    graph = SynchronousGraph(asked.size, asked.arcs, (0,), ())
    platform = Platform(range(asked.size), asked.arcs)
    best = broadcast(platform, 0, ports="half-duplex").throughput
    facts: dict[str, Any] = {"half": best >= Fraction(1, 2), "quarters": False}
    try:
        for solution in quarter_solutions(graph, 1):
            facts["quarters"] = True
            if reason := _no_quarters(solution):
                return refuted(reason, **facts)
            plan = cyclic_plan(solution)
        if not facts["quarters"]:
            plan = balanced_plan(graph, tries=1)
    except InvalidInput:
        if facts["half"]:
            return refuted("rate 1/2 is possible, and there is no plan", **facts)
        return held(**facts)
    if not facts["half"]:
        return refuted("there is a plan for more than the optimum", **facts)
    if reason := _pipelined(graph, plan, asked.packets, facts):
        return refuted(reason, **facts)
    if facts["frames"] > 2 * facts["copies"]:
        return refuted("the plan has a rate of less than 1/2", **facts)
    if facts["quarters"] and facts["pipelined"] > 2 * asked.packets + 4 * facts["depth"]:
        return refuted("more than 2 N + 4 d steps", **facts)
    return held(**facts)


def _bipartite(choices: Choices, bound: int) -> Copies:
    """A path through all nodes, mostly from the source, or a tree; and links between its sides."""
    size = choices.between(2, bound)
    any_tree = choices.flip(4)
    up = [choices.below(v) if any_tree else v - 1 for v in range(1, size)]
    side = [0]
    for parent in up:
        side.append(1 - side[parent])
    first = choices.below(size) if choices.flip(6) else 0  # node 0 is the source
    name = [0 if v == first else v + (v < first) for v in range(size)]
    links = {(name[parent], name[v]) for v, parent in enumerate(up, 1)}
    crossing = [(name[u], name[v]) for v in range(size) for u in range(v) if side[u] != side[v]]
    links |= set(choices.some_of(crossing, choices.one_of((size * size, 3))))
    arcs = two_ways(*sorted(links))
    return Copies(size, arcs, (0,) * len(arcs), choices.between(1, 4 * bound))


def _of_grid(*sides: int) -> Copies:
    arcs = synchronous_graph(grid(*sides), 0).arcs
    return Copies(prod(sides), arcs, (0,) * len(arcs), 60)


# Claims ------------------------------------------------------------------------------------------


def _plan(name: str, **fields: Any) -> Claim:
    return Claim(id=f"lu2025.{name}", page="rounds-published", **fields)


PLAN_CLAIMS = (
    _plan(
        "binary-tree",
        statement=(
            "N packets by the binary trees take 3 (N-1) + a + b - 2 steps on an a x b grid (a >= 2,"
            " b >= 3), p (N-1) + 3 (a-1) + 2 (b-1) + c - 1 on an a x b x c grid, p = 4 for a >= 3,"
            " p = 3 for a = 2 and c >= 3, and 3 (N-1) + 5 on our graph for 16K3. p is the largest"
            " degree of the tree, so no schedule on it has a shorter period."
        ),
        reference=f"{_PAPER}, section 3, binary trees of tables 2 to 6",
        status="sharpened",
        implemented=(_BASELINES,),
        checked_by="`check`; every arrival, by the delays; the degrees",
        instance_type=Grid,
        instance=_grid,
        check=_closed_form,
        bounds=Bounds(5, 8, 16),
        corners=lambda: (
            Grid((4, 4), 100),  # 303
            Grid((2, 2, 4), 100),  # 305
            Grid((4, 4, 4), 100),  # 414
            Grid((), 100),  # 302
            Grid((2, 3), 1),
            Grid((2, 2, 3), 2),
        ),
    ),
    _plan(
        "binary-tree.delays",
        statement=(
            "At every node of a spanning tree the delays of its children, and 0 if it has a parent,"
            " are different modulo p; r(v) is the sum of the delays down to v. Packet i = 0, 1, ..."
            " comes to v after r(v) + p i steps, so N packets take p (N-1) + max r. The least such"
            " p is found."
        ),
        reference="proofs/rounds-published.md, Binary trees",
        status="new",
        implemented=(_BASELINES,),
        checked_by="`check`; every arrival; remainders modulo all p",
        instance_type=Delays,
        instance=_delays,
        check=_delayed,
        bounds=Bounds(7, 15, 60),
        corners=lambda: (
            Delays((0,), (1,), 1),
            Delays((0, 0, 0), (1, 4, 7), 3),
            Delays((0, 1, 2), (2, 2, 2), 4),
            Delays((0, 1), (3, 1), 2),
        ),
    ),
    _plan(
        "pipelines",
        statement=(
            "H copies of arcs enter every node but the root, no fewer any set without it, none the"
            " root. They are arborescences of weights w_i with sum H. If L frames use every copy f"
            " times, packets that keep to their arborescences, w_i of H in a row, take at most"
            " L ceil(N / (f H)) + L (d-1) steps, d the largest depth, and the cyclic broadcast no"
            " more. On a bipartite graph L = f times the largest degree."
        ),
        reference="proofs/rounds-published.md, Packets",
        status="new",
        implemented=_PLANS,
        checked_by="`check`; played; trees, frames and depths by definition",
        instance_type=Copies,
        instance=_copies,
        check=_shared_out,
        bounds=Bounds(6, 9, 30),
        corners=lambda: (
            Copies(2, ((0, 1, 1),), (1,), 1),
            Copies(3, ((0, 1, 1), (1, 2, 1)), (2, 2), 7),
            # A triangle: three frames are needed for two copies.
            Copies(3, ((0, 1, 1), (0, 2, 1), (1, 2, 1), (2, 1, 1)), (1, 1, 1, 1), 5),
        ),
    ),
    _plan(
        "pipelines.quarters",
        statement=(
            "On a bipartite graph where rate 1/2 is possible `balanced_plan` has a plan of rate 1/2"
            " or more (if no node works full time), by which N packets take at most 2 N + L d"
            " steps, L the frames of a cycle and d the largest depth: 2 N + 4 d with occupancies"
            " that are quarters. Where it is not possible there is no plan."
        ),
        reference="proofs/rounds-published.md, Packets",
        status="new",
        implemented=(*_PLANS, "exactsched/synchronous/quarter_solutions.py"),
        checked_by="`check`; played; trees, frames and depths by definition; the proved optimum",
        instance_type=Copies,
        instance=_bipartite,
        check=_quarters,
        bounds=Bounds(6, 8, 16),
        corners=lambda: (
            Copies(2, ((0, 1, 1),), (0,), 3),
            _of_grid(3),
            _of_grid(2, 2, 2),
            _of_grid(4, 4),
            # A star from its center: 1/3.
            Copies(4, two_ways((0, 1), (0, 2), (0, 3)), (0,) * 6, 4),
        ),
    ),
)
