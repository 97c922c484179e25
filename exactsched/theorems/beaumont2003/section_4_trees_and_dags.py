"""Claims of RR-4871 about broadcasts on a single tree and on a DAG (sections 3.2 and 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from typing import Any

from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.platforms import cost, node_names
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.model.tasks import tree as tree_of
from exactsched.oracles.broadcast_programs import ends_of, largest_load, optimum, proved, ssbpdag
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.steady_state.schedule import periodic_schedule
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted
from exactsched.theorems.classical.duality import spans

# As many sets of edges are looked at for a spanning tree of bounded degree.
ALL_TREES = 5_000

# --- Theorem 1


@dataclass(frozen=True, slots=True)
class DegreeBounded:
    """Is there a spanning tree of the graph in which no node has more neighbors than `degree`?"""

    size: int
    edges: tuple[tuple[int, int], ...]
    degree: int


def _degree_bounded(choices: Choices, bound: int) -> DegreeBounded:
    """A tree and few more edges; stars and bristles among the trees, so that "no" is common."""
    size = choices.between(2, bound)
    reach = choices.one_of((size, 1, 2))
    edges = {(choices.below(min(v, reach)), v) for v in range(1, size)}
    others = [pair for pair in combinations(range(size), 2) if pair not in edges]
    edges |= set(choices.several_of(others, min(len(others), choices.one_of((0, 1, 1, 2, 3)))))
    degree = 3 if choices.flip(4) else 2
    return DegreeBounded(size, tuple(choices.shuffled(sorted(edges))), degree)


def _bounded_trees(asked: DegreeBounded) -> Iterator[frozenset[tuple[int, int]]]:
    """All spanning trees of the degree, by definition."""
    for chosen in combinations(sorted(asked.edges), asked.size - 1):
        degrees = [sum(v in edge for edge in chosen) for v in range(asked.size)]
        reached = {0}
        for _ in chosen:
            reached |= {v for edge in chosen if reached & set(edge) for v in edge}
        if len(reached) == asked.size and max(degrees) <= asked.degree:
            yield frozenset(chosen)


def _gadget(asked: DegreeBounded) -> Platform:
    """Both arcs of every edge; they cost 1/K out of the source 0 and 1/(K - 1) elsewhere."""
    arcs = [
        (tail, head, Fraction(1, asked.degree if tail == 0 else asked.degree - 1))
        for u, v in asked.edges
        for tail, head in ((u, v), (v, u))
    ]
    return Platform(range(asked.size), arcs)


def _reduction(asked: DegreeBounded) -> Verdict:
    if asked.degree < 2:
        return not_applicable("the gadget needs K >= 2")
    platform = _gadget(asked)
    solution = broadcast_tree(platform, 0)
    claim = proved(solution)
    facts: dict[str, Any] = {"K": asked.degree, "best tree": to_json(claim.throughput)}
    if not claim.optimal:
        return refuted("the best tree is not proved", **facts)
    if claim.throughput >= 1:  # a fast tree is a spanning tree of the degree
        chosen = [platform.arcs[arc] for arc in solution.trees[0].arcs]
        pairs = [(int(arc.tail), int(arc.head)) for arc in chosen]
        degrees = [sum(v in pair for pair in pairs) for v in range(asked.size)]
        if not spans(asked.size, [0], pairs) or max(degrees) > asked.degree:
            return refuted("a tree of throughput 1 that has a larger degree", **facts)
    if comb(len(asked.edges), asked.size - 1) > ALL_TREES:
        return held(**facts)
    tree = next(_bounded_trees(asked), None)
    if tree is None:
        if claim.bound >= 1:
            return refuted("throughput 1 without a spanning tree of the degree", **facts)
        return held(**facts, tree="none")
    if claim.throughput < 1:
        return refuted("a spanning tree of the degree, but no throughput of 1", **facts)
    # Directed away from the source, the spanning tree is a broadcast tree of throughput 1.
    reached, arcs = {0}, []
    for _ in range(asked.size - 1):
        tail, head = next(
            (u, v)
            for edge in sorted(tree)
            for u, v in (edge, edge[::-1])
            if u in reached and v not in reached
        )
        reached.add(head)
        arcs.append(ends_of(Broadcast(platform, 0)).index((tail, head)))
    times = [arc.cost if index in arcs else Fraction(0) for index, arc in enumerate(platform.arcs)]
    problem = Broadcast(platform, 0)
    schedule = periodic_schedule(problem, [tree_of(problem, arcs, Fraction(1))])
    if largest_load(problem, times) > 1 or schedule.period != schedule.structures[0].operations:
        return refuted("the spanning tree of the degree does not carry 1", **facts)
    return held(**facts, tree=sorted(map(list, tree)))


# --- Theorem 2


def _dag(choices: Choices, bound: int) -> Broadcast:
    """Arcs lead forwards in a hidden order of the nodes, into every node but the source."""
    size = choices.between(2, bound)
    names = node_names(choices, size)
    one_in = choices.one_of((4, 2, 1))
    arcs = []
    for head in range(1, size):
        first = choices.below(head)
        tails = [tail for tail in range(head) if tail == first or choices.flip(one_in)]
        arcs += [(names[tail], names[head], cost(choices)) for tail in tails]
    platform = Platform(choices.shuffled(names), choices.shuffled(arcs))
    return Broadcast(platform, names[0])


def _heights(problem: Broadcast) -> dict[Node, int]:
    """The number of arcs of a longest path to every node."""
    heights = dict.fromkeys(problem.platform.nodes, 0)
    for _ in problem.platform.nodes:
        for arc in problem.platform.arcs:
            heights[arc.head] = max(heights[arc.head], heights[arc.tail] + 1)
    return heights


def _laid_on_a_line(
    problem: Broadcast, messages: dict[int, Fraction], throughput: Fraction
) -> list[tuple[tuple[int, ...], Fraction]]:
    """The entering arcs of every node one after the other on [0, TP), cut at all their ends."""
    lines: dict[Node, list[tuple[Fraction, int]]] = {}
    for arc, amount in sorted(messages.items()):
        line = lines.setdefault(problem.platform.arcs[arc].head, [])
        line.append(((line[-1][0] if line else Fraction(0)) + amount, arc))
    moments = sorted({Fraction(0), throughput}.union(e for line in lines.values() for e, _ in line))
    return [
        (
            tuple(sorted(next(a for e, a in line if e > start) for line in lines.values())),
            end - start,
        )
        for start, end in pairwise(moments)
    ]


def _program_is_optimum(problem: Broadcast) -> Verdict:
    platform = problem.platform
    best = optimum(ssbpdag(problem))
    value = dict(best.primal)
    solution = broadcast_dag(platform, problem.source)
    claim = proved(solution)
    facts: dict[str, Any] = {"SSBPDAG": to_json(best.value), "throughput": to_json(claim.bound)}
    if not claim.optimal or claim.bound != best.value:
        return refuted("the program and the best packing differ", **facts)
    if proved(broadcast(platform, problem.source)).bound != claim.bound:
        return refuted("on a DAG, not all trees may be used", **facts)
    messages = {
        arc: Fraction(value[1 + arc]) for arc in range(len(platform.arcs)) if 1 + arc in value
    }
    trees = _laid_on_a_line(problem, messages, Fraction(best.value))
    facts |= {"arcs": len(messages), "trees": len(trees)}
    if len(trees) > len(messages) - len(platform.nodes) + 2:
        return refuted("more than m - n + 2 arborescences", **facts)
    pairs, root = ends_of(problem), platform.position[problem.source]
    if not all(spans(len(platform.nodes), [root], [pairs[a] for a in tree]) for tree, _ in trees):
        return refuted("entering arcs that are no arborescence", **facts)
    schedule = periodic_schedule(problem, [tree_of(problem, *one) for one in trees])
    if sum(one.operations for one in schedule.structures) != best.value * schedule.period:
        return refuted("the periodic schedule does not carry TP", **facts)
    longest = max(_heights(problem).values())
    if solution.depth > longest:
        return refuted("a tree that is deeper than the longest path", **facts)
    return held(**facts, depth=solution.depth, height=longest)


def _printed_heights(problem: Broadcast) -> Verdict:
    """If any h serves, the number of nodes with a path to j does: it grows where h grows."""
    nodes = problem.platform.nodes
    before = {
        node: {arc.tail for arc in problem.platform.arcs if arc.head == node} for node in nodes
    }
    for _ in nodes:
        for node in nodes:
            before[node] |= set().union(*(before[other] for other in before[node]))
    height = {node: len(before[node]) for node in nodes}
    for one in nodes:
        for other in nodes:
            if (height[one] < height[other]) != (one in before[other]):
                where = f"a path from {one} to {other}"
                return refuted(f"no h with h(j) < h(k) if and only if there is {where}")
    return held(heights=sorted(height.values()))


def _dags() -> tuple[Broadcast, ...]:
    """One arc; the receive ports bind; figure 5; two ways of the same length; long numbers."""
    return (
        Broadcast(Platform("sa", [("s", "a", 2)]), "s"),
        Broadcast(Platform("sav", [("s", "a", "1/2"), ("s", "v", 1), ("a", "v", 1)]), "s"),
        Broadcast(
            Platform(
                range(5), [(0, 1, 1), (0, 2, 1), (1, 2, 1), (1, 3, Fraction(1, 2)), (2, 4, "1/2")]
            ),
            0,
        ),
        Broadcast(Platform("sabt", [(*p, 1) for p in ("sa", "sb", "at", "bt")]), "s"),
        Broadcast(Platform("sab", [("s", "a", 10**30), ("s", "b", "1/3"), ("a", "b", 7)]), "s"),
    )


CLAIMS = (
    Claim(
        id="beaumont2003.thm1",
        statement=(
            "To decide whether some spanning arborescence of a one-port platform has throughput D"
            " is NP-complete: for K >= 2 a graph has a spanning tree of degree at most K if and"
            " only if, with opposite arcs for edges that cost 1/K out of the source and 1/(K - 1)"
            " out of other nodes, the best tree has throughput 1 or more. (Printed for K >= 1.)"
        ),
        reference="RR-4871, theorem 1",
        status="corrected",
        page="best-tree",
        implemented=(
            "exactsched/steady_state/restricted/best_tree.py",
            "exactsched/steady_state/restricted/branch_and_bound.py",
        ),
        checked_by="`check`; all spanning trees by definition; both directions carried out",
        instance_type=DegreeBounded,
        instance=_degree_bounded,
        check=_reduction,
        bounds=Bounds(5, 8, 16),
        corners=lambda: (
            DegreeBounded(2, ((0, 1),), 2),
            DegreeBounded(3, ((0, 1),), 2),
            DegreeBounded(4, ((0, 1), (0, 2), (0, 3)), 2),
            DegreeBounded(4, ((0, 1), (1, 2), (1, 3)), 2),
            DegreeBounded(4, ((0, 1), (1, 2), (1, 3)), 3),
            DegreeBounded(5, tuple(combinations(range(5), 2)), 2),
        ),
    ),
    Claim(
        id="beaumont2003.thm2",
        statement=(
            "On a one-port DAG all of whose nodes can be reached the optimum of SSBPDAG(G) is the"
            " largest throughput of a series of broadcasts; a periodic schedule of at most"
            " m - n + 2 arborescences reaches it, m the arcs with n > 0, none deeper than the"
            " longest path."
        ),
        reference="RR-4871, theorem 2",
        status="sharpened",
        page="best-dag",
        implemented=(
            "exactsched/steady_state/restricted/best_dag.py",
            "exactsched/steady_state/broadcast.py",
        ),
        checked_by="`check` on program and packing; the decomposition of the page",
        instance_type=Broadcast,
        instance=_dag,
        check=_program_is_optimum,
        bounds=Bounds(5, 12, 30),
        corners=_dags,
        corrects="beaumont2003.thm2.printed",
    ),
    Claim(
        id="beaumont2003.thm2.printed",
        statement=(
            "The nodes of a DAG have heights h such that h(j) < h(k) if and only if there is a path"
            " from j to k (used in the proof)."
        ),
        reference="RR-4871, theorem 2, proof",
        status="wrong as printed",
        page="best-dag",
        implemented=("exactsched/steady_state/restricted/best_dag.py",),
        checked_by="the definition: the number of nodes before each is such an h, or none is",
        instance_type=Broadcast,
        instance=_dag,
        check=_printed_heights,
        bounds=Bounds(5, 12, 30),
        counterexample=lambda: Broadcast(
            Platform("s123", [(*pair, 1) for pair in ("s1", "12", "s3")]), "s"
        ),
    ),
)
