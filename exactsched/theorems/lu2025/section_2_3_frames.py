"""Section 2.3, frames and packets: arborescences whose arcs work in frames, around and around."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from exactsched.exact.errors import InvalidInput
from exactsched.graphs.reachability import bipartition
from exactsched.instances.synchronous_plans import BIPARTITE_GRAPHS, COPIES, Copies
from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.branchings import spans
from exactsched.oracles.half_duplex import ALL_SETS, Occupancies, least_entering, lost, received
from exactsched.oracles.synchronous import played
from exactsched.steady_state.broadcast import broadcast
from exactsched.synchronous.balanced import BalancedSolution
from exactsched.synchronous.cyclic_plan import (
    CyclicPlan,
    balanced_plan,
    cyclic_broadcast,
    cyclic_plan,
)
from exactsched.synchronous.graph import SynchronousGraph
from exactsched.synchronous.quarter_solutions import quarter_solutions
from exactsched.theorems.claim import Say, claim

_PLANS = ("exactsched/synchronous/cyclic_plan.py", "exactsched/synchronous/balanced.py")


@claim(
    "lu2025.pipelines",
    number="section 2.3: frames and packets",
    reference="proofs/rounds-published.md, Packets",
    status="new",
    instances=COPIES,
    page="rounds-published",
    implements=_PLANS,
    judged="`check`; played; trees, frames and depths by definition",
)
def pipelines(asked: Copies, say: Say) -> None:
    """H copies of arcs enter every node but the root, no fewer any set without it, none the root.
    They are arborescences of weights w_i with sum H. If L frames use every copy f times, packets
    that keep to their arborescences, w_i of H in a row, take at most L ceil(N / (f H)) + L (d-1)
    steps, d the largest depth, and the cyclic broadcast no more. On a bipartite graph L = f times
    the largest degree.
    """
    graph = SynchronousGraph(asked.size, asked.arcs, (0,), ())
    ends = [(tail, head) for tail, head, _ in asked.arcs]
    copied = list(zip(ends, asked.copies, strict=True))
    degree = max(sum(n for pair, n in copied if v in pair) for v in range(asked.size))
    entering = sum(n for (_, head), n in copied if head == 1)
    shares = tuple(Fraction(n, degree) for n in asked.copies)
    say(degree=degree, entering=entering)
    plan = cyclic_plan(BalancedSolution(graph, shares, Fraction(entering, degree)))
    _pipelined(graph, plan, asked.packets, say)
    if bipartition(asked.size, [pair for pair, n in copied if n]) is not None:
        rate = Fraction(len(plan.deal), len(plan.frames))
        full = rate == Fraction(entering, degree)
        say.require(full, "a bipartite graph has as many frames as its largest degree")


def _pipelined(graph: SynchronousGraph, plan: CyclicPlan, packets: int, say: Say) -> None:
    """Trees of weights w that add up to H, f w times in L frames, and as fast as is stated."""
    ends = [(tail, head) for tail, head, _ in graph.arcs]
    root = graph.sources[0]
    weights = Counter(plan.deal)
    used: list[Counter[int]] = [Counter() for _ in weights]
    for frame in plan.frames:
        nodes = [node for arc, _ in frame for node in ends[arc]]
        say.require(len(set(nodes)) == len(nodes), "a frame is no matching")
        for arc, tree in frame:
            used[tree][arc] += 1
    factor = max(used[0].values()) // weights[0]
    deepest = 0
    for tree, arcs in enumerate(used):
        pairs = [ends[arc] for arc in arcs]
        say.require(spans(graph.size, [root], pairs), "an arborescence does not span")
        dealt = set(arcs.values()) == {factor * weights[tree]}
        say.require(dealt, "the arcs of an arborescence are not in f w frames")
        deepest = max(deepest, _depth(graph.size, root, pairs))
    length, copies = len(plan.frames), factor * len(plan.deal)
    most = length * ceil(Fraction(packets, copies)) + length * (deepest - 1)
    apart, run = plan.pipelined_steps(packets), cyclic_broadcast(plan, packets)
    say(frames=length, copies=copies, depth=deepest, pipelined=apart, steps=run.steps)
    say({"at most": most})
    say.accepts(run)
    reason = played(run)[0]
    say.require(not reason, reason)
    half = length <= 2 * copies
    few = not half or most <= 2 * packets + length * deepest
    say.require(few, "at rate 1/2 more than 2 N + L d")
    say.require(run.bound <= run.steps <= apart <= most, "it takes more steps than is proved")


def _depth(size: int, root: int, arcs: Sequence[tuple[int, int]]) -> int:
    depth = {root: 0}
    while len(depth) < size:
        depth |= {head: depth[tail] + 1 for tail, head in arcs if tail in depth}
    return max(depth.values())


@claim(
    "lu2025.pipelines.quarters",
    number="section 2.3: frames and packets",
    reference="proofs/rounds-published.md, Packets",
    status="new",
    instances=BIPARTITE_GRAPHS,
    page="rounds-published",
    implements=(*_PLANS, "exactsched/synchronous/quarter_solutions.py"),
    judged="`check`; played; trees, frames and depths by definition; the proved optimum",
)
def pipelines_of_quarters(asked: Copies, say: Say) -> None:
    """On a bipartite graph where rate 1/2 is possible `balanced_plan` has a plan of rate 1/2 or
    more (if no node works full time), by which N packets take at most 2 N + L d steps, L the frames
    of a cycle and d the largest depth: 2 N + 4 d with occupancies that are quarters. Where it is
    not possible there is no plan.
    """
    graph = SynchronousGraph(asked.size, asked.arcs, (0,), ())  # its copies are not asked for
    best = broadcast(Platform(range(asked.size), asked.arcs), 0, ports="half-duplex").throughput
    half = best >= Fraction(1, 2)
    say(half=half, quarters=False)
    plan = None
    try:
        for solution in quarter_solutions(graph, 1):
            say(quarters=True)
            _is_of_quarters(solution, say)
            plan = cyclic_plan(solution)
        plan = plan or balanced_plan(graph, tries=1)
    except InvalidInput:
        say.require(not half, "rate 1/2 is possible, and there is no plan")
        return
    say.require(half, "there is a plan for more than the optimum")
    _pipelined(graph, plan, asked.packets, say)
    few = say.facts["frames"] <= 2 * say.facts["copies"]
    say.require(few, "the plan has a rate of less than 1/2")
    if say.facts["quarters"]:
        most = 2 * asked.packets + 4 * say.facts["depth"]
        say.require(say.facts["pipelined"] <= most, "more than 2 N + 4 d steps")


def _is_of_quarters(solution: BalancedSolution, say: Say) -> None:
    """All constraints are met, at the rate 1/2, by occupancies 0, 1/4 and 1/2."""
    graph, half = solution.graph, Fraction(1, 2)
    problem = Broadcast(Platform(range(graph.size), graph.arcs), 0, "half-duplex")
    stated = Occupancies(problem, solution.occupancy)
    quarters = all(4 * share in (0, 1, 2) for share in solution.occupancy)
    say.require(quarters, "an occupancy is not 0, 1/4 or 1/2")
    at_half = received(stated)[1:] == [half] * (graph.size - 1) and solution.rate == half
    say.require(at_half, "a node does not receive at rate 1/2")
    reason = lost(stated)
    say.require(not reason, reason)
    if graph.size <= ALL_SETS:
        enough = least_entering(stated) >= half
        say.require(enough, "a set without the source is entered by less than 1/2")
