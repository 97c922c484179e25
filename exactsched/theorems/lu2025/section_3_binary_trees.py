"""Section 3, the binary trees of tables 2 to 6: their numbers of steps in closed form."""

from __future__ import annotations

from collections import Counter

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.instances.synchronous_plans import DELAYS, GRIDS, Delays, Grid
from exactsched.oracles.synchronous import played, two_ways
from exactsched.platforms.built_in import cubic_16, grid
from exactsched.synchronous.baselines import DelayTree, early_tree, grid_tree, tree_broadcast
from exactsched.synchronous.graph import SynchronousGraph, synchronous_graph
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.lu2025.spreads import BASELINES


@claim(
    "lu2025.binary-tree",
    number="section 3: binary trees",
    reference="Balanced Saturation (BBS), Lu et al. 2025, section 3, binary trees of tables 2 to 6",
    status="sharpened",
    instances=GRIDS,
    page="rounds-published",
    implements=BASELINES,
    judged="`check`; every arrival, by the delays; the degrees",
)
def binary_trees(asked: Grid, say: Say) -> None:
    """N packets by the binary trees take 3 (N-1) + a + b - 2 steps on an a x b grid (a >= 2,
    b >= 3), p (N-1) + 3 (a-1) + 2 (b-1) + c - 1 on an a x b x c grid, p = 4 for a >= 3, p = 3 for
    a = 2 and c >= 3, and 3 (N-1) + 5 on our graph for 16K3. p is the largest degree of the tree, so
    no schedule on it has a shorter period.
    """
    period = 3
    match asked.sides:
        case ():
            last, graph = 5, synchronous_graph(cubic_16(), 0)
            tree = early_tree(graph)
        case (a, b):
            last = a + b - 2
        case (a, b, c):
            period, last = 3 if a == 2 else 4, 3 * (a - 1) + 2 * (b - 1) + (c - 1)
    if asked.sides:
        graph, tree = synchronous_graph(grid(*asked.sides), 0), grid_tree(*asked.sides)
    run = tree_broadcast(graph, asked.packets, tree)
    steps = period * (asked.packets - 1) + last
    children = Counter(up for up in tree.parent if up >= 0)
    degree = max(number + (tree.parent[v] >= 0) for v, number in children.items())
    say({"steps": run.steps, "closed form": steps, "degree": degree})
    say.require(run.steps == steps, "the closed form says something else")
    _is_down_the_tree(run, tree, period, say)
    say.require(period == degree, "the period is not the largest degree")


@claim(
    "lu2025.binary-tree.delays",
    number="section 3: binary trees",
    reference="proofs/rounds-published.md, Binary trees",
    status="new",
    instances=DELAYS,
    page="rounds-published",
    implements=BASELINES,
    judged="`check`; every arrival; remainders modulo all p",
)
def trees_with_delays(asked: Delays, say: Say) -> None:
    """At every node of a spanning tree the delays of its children, and 0 if it has a parent, are
    different modulo p; r(v) is the sum of the delays down to v. Packet i = 0, 1, ... comes to v
    after r(v) + p i steps, so N packets take p (N-1) + max r. The least such p is found.
    """
    tree = DelayTree((-1, *asked.parents), (0, *asked.delays))
    links = two_ways(*((up, v) for v, up in enumerate(asked.parents, 1)))
    graph = SynchronousGraph(len(tree.parent), links, (0,), ())
    period, last = tree.period(), max(tree.arrivals())
    run = tree_broadcast(graph, asked.packets, tree)
    say(period=period, last=last, steps=run.steps)
    ends = [[0] if up >= 0 else [] for up in tree.parent]
    for up, wait in zip(asked.parents, asked.delays, strict=True):
        ends[up].append(wait)
    least = next(
        p
        for p in range(max(map(len, ends)), sum(asked.delays) + 2)
        if all(len({end % p for end in some}) == len(some) for some in ends)
    )
    say.require(period == least, "the period is not the least with different remainders")
    steps = period * (asked.packets - 1) + last
    say.require(run.steps == steps, "it does not take p (N - 1) + max r steps")
    _is_down_the_tree(run, tree, period, say)


def _is_down_the_tree(run: SynchronousRun, tree: DelayTree, period: int, say: Say) -> None:
    """The run is by the rules, and packet i comes to v after r(v) + p i steps."""
    say.accepts(run)
    reason, has, _ = played(run)
    say.require(not reason, reason)
    for node, times in enumerate(has):
        after, at = 0, node
        while tree.parent[at] >= 0:
            after, at = after + tree.delay[at], tree.parent[at]
        due = [0 if at == node else after + period * i for i in range(len(times))]
        say.require(times == due, f"node {node} does not receive a packet every {period} steps")
