"""Section 3, comparing topologies: figure 2, the best DAG, and theorem 1, the best tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb

from exactsched.instances.broadcasts import (
    DEGREE_BOUNDED,
    PERIODS,
    RELAYS,
    RINGS,
    DegreeBounded,
    Periods,
    Relays,
)
from exactsched.instances.figures import Copy, copies
from exactsched.model.platform import Arc, Node, Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.branchings import spans
from exactsched.oracles.broadcast import ends_of, largest_load, ssbpdag
from exactsched.platforms.papers import legrand_fig1
from exactsched.steady_state.broadcast import broadcast
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.optimum import optimum

# In odd steps (0) or in even steps (1) an arc works.
_PRINTED = {"Ps->P1": 0, "Ps->P2": 1, "P1->P2": 1, "P2->P1": 0, "P1->P3": 0, "P2->P4": 1}
_CORRECTED = {"Ps->P1": 0, "Ps->P2": 1, "P1->P2": 0, "P2->P1": 1, "P1->P3": 1, "P2->P4": 0}


@claim(
    "beaumont2003.fig2.printed",
    number="figure 2, as printed",
    instances=PERIODS,
    page="periodic-schedule",
    implements=("exactsched/steady_state/schedule.py",),
    judged="step by step",
    statement="""Figure 2 is a schedule: P2->P1 and P1->P3 in odd steps, P1->P2 and P2->P4 in even
    steps.""",
    counterexample=lambda: Periods(1),
    steps=_PRINTED,
)
@claim(
    "beaumont2003.fig2",
    number="figure 2, with other steps",
    status="corrected",
    instances=PERIODS,
    page="periodic-schedule",
    implements=(
        "exactsched/steady_state/broadcast.py",
        "exactsched/steady_state/schedule.py",
    ),
    judged="step by step; `check` on the best schedule",
    corrects="beaumont2003.fig2.printed",
    steps=_CORRECTED,
)
def figure_2(periods: Periods, say: Say, *, steps: Mapping[str, int]) -> None:
    """If P1->P2 and P2->P4 work in odd steps, P2->P1 and P1->P3 in even steps, no port of figure 1
    works for two at once, and from the third period on two more messages have come everywhere after
    every two steps. The best throughput is 1.
    """
    collision, delivered = _run_steps(steps, periods.count)
    say.require(not collision, collision)
    best = say.accepts(broadcast(legrand_fig1(), "Ps"))
    say(periods=periods.count, delivered=delivered, throughput=best.bound)
    say.require(best.optimal and best.bound == 1, "the best throughput is not 1")
    two_each = 2 * (periods.count - 2) <= delivered <= 2 * periods.count
    say.require(two_each, "not two messages in every period from the third on")


def _run_steps(steps: Mapping[str, int], periods: int) -> tuple[str, int]:
    """The first collision, or else "", and how many messages have come everywhere.

    In step t the source sends message t.  P1 and P2 send to each other what came from the source,
    and to P3 and P4 everything, oldest first, as many messages as fit into one step; what they
    send they have had before the step.

    >>> _run_steps(_CORRECTED, 4)
    ('', 4)
    """
    platform = legrand_fig1()
    has: dict[object, list[int]] = {node: [] for node in platform.nodes}
    for step in range(1, 2 * periods + 1):
        has["Ps"].append(step)
        received: list[tuple[object, int]] = []
        busy: dict[tuple[str, object], tuple[Fraction, str]] = {}
        for arc in platform.arcs:
            if (step - 1) % 2 != steps[str(arc)]:
                continue
            wanted = [m for m in has[arc.tail] if m not in has[arc.head]]
            if arc.tail == "Ps":
                wanted = [step]
            elif arc.head in ("P1", "P2"):
                own = 1 if arc.tail == "P1" else 0  # odd messages come to P1 first
                wanted = [m for m in wanted if m % 2 == own]
            sent = wanted[: int(1 / arc.cost)]
            if not sent:
                continue
            for port in (("send", arc.tail), ("receive", arc.head)):
                before, other = busy.get(port, (Fraction(0), ""))
                busy[port] = before + len(sent) * arc.cost, str(arc)
                if busy[port][0] > 1:
                    does = f"{port[1]} has to {port[0]} over {other} and {arc} at once"
                    return f"in step {step} {does}", 0
            received += [(arc.head, message) for message in sent]
        for node, message in received:
            has[node].append(message)
    return "", sum(all(m in got for got in has.values()) for m in has["Ps"])


@claim(
    "beaumont2003.fig5",
    number="figures 1 and 3 to 5, the costs reconstructed",
    instances=copies(legrand_fig1),
    page="best-dag",
    implements=(
        "exactsched/steady_state/broadcast.py",
        "exactsched/steady_state/restricted/best_dag.py",
        "exactsched/steady_state/restricted/best_tree.py",
    ),
    judged="`check`; all spanning trees by definition; SSBPDAG(G)",
)
def trees_and_dags_of_figure_1(asked: Copy, say: Say) -> None:
    """On figure 1 a tree in which Ps serves P1 and P2 has throughput 1/2 at most (figure 3), any
    other tree 2/3 (figure 4), the platform without P2->P1 4/5 (figure 5), and so has the best DAG;
    all arcs together have 1. If every time is multiplied by c, throughputs are divided by c.
    """
    platform = asked.of(legrand_fig1())
    whole = Broadcast(platform, "Ps")
    dag = Platform(platform.nodes, [arc for arc in platform.arcs if str(arc) != "P2->P1"])
    found = {
        "figure 3": max(_rates_of_trees(whole, both=True)) * asked.factor,
        "figure 4": max(_rates_of_trees(whole, both=False)) * asked.factor,
        "figure 5": optimum(ssbpdag(Broadcast(dag, "Ps"))).value * asked.factor,
    }
    printed = dict(zip(found, map(Fraction, ("1/2", "2/3", "4/5")), strict=True))
    say(found)
    say.require(found == printed, "by definition a figure has another throughput")
    solved = (broadcast_tree(platform, "Ps"), broadcast_dag(platform, "Ps"), broadcast(dag, "Ps"))
    for solution, value in zip(solved, ("2/3", "4/5", "4/5"), strict=True):
        proved = say.accepts(solution)
        say.require(proved.optimal, "a throughput is not proved")
        right = proved.throughput * asked.factor == Fraction(value)
        say.require(right, f"the throughput is {proved.throughput}")
    best = say.accepts(broadcast(platform, "Ps")).throughput
    say.require(best * asked.factor == 1, "all arcs together have another throughput than 1")


def _rates_of_trees(problem: Broadcast, both: bool) -> Iterator[Fraction]:
    """1 / the largest load of each spanning tree in which the source serves both, or one node."""
    arcs, pairs = problem.platform.arcs, ends_of(problem)
    source = problem.platform.position[problem.source]
    for chosen in combinations(range(len(arcs)), len(problem.platform.nodes) - 1):
        listed = [pairs[index] for index in chosen]
        served = sum(tail == source for tail, _ in listed)
        if (served == 2) == both and spans(len(problem.platform.nodes), [source], listed):
            times = [arc.cost * (index in chosen) for index, arc in enumerate(arcs)]
            yield 1 / Fraction(largest_load(problem, times))


@claim(
    "beaumont2003.best-dag",
    number="section 3.1.3",
    instances=RINGS,
    page="best-dag",
    implements=(
        "exactsched/steady_state/restricted/best_dag.py",
        "exactsched/steady_state/restricted/branch_and_bound.py",
        "exactsched/steady_state/restricted/case_proof.py",
    ),
    judged="`check`; SSBPDAG(G) for every order of the nodes",
)
def best_acyclic_part(problem: Broadcast, say: Say) -> None:
    """The best acyclic part of a platform reaches the largest optimum of SSBPDAG over all orders of
    the nodes. On figure 1 it is 4/5, where the best tree has 2/3 and all arcs together have 1.
    """
    platform = problem.platform
    best = say.accepts(broadcast_dag(platform, problem.source))
    say({"best DAG": best.throughput}, nodes=len(platform.nodes))
    say.require(best.optimal, "the best DAG is not proved")
    others = [node for node in platform.nodes if node != problem.source]
    families = {_forwards(platform, (problem.source, *order)) for order in permutations(others)}
    parts = (Broadcast(Platform(platform.nodes, arcs), problem.source) for arcs in families)
    largest = max(optimum(ssbpdag(part)).value for part in parts)
    say({"over all orders": largest})
    say.require(best.throughput == largest, "some order has another optimum")
    if platform == legrand_fig1():
        tree = broadcast_tree(platform, problem.source).throughput
        whole = broadcast(platform, problem.source).throughput
        three = (tree, largest, whole) == (Fraction(2, 3), Fraction(4, 5), Fraction(1))
        say.require(three, "figure 1 has other throughputs")


def _forwards(platform: Platform, order: tuple[Node, ...]) -> tuple[Arc, ...]:
    """The arcs that lead forwards in an order of the nodes."""
    place = {node: index for index, node in enumerate(order)}
    return tuple(arc for arc in platform.arcs if place[arc.tail] < place[arc.head])


# Up to this many sets of edges are looked at for a spanning tree of bounded degree.
_ALL_TREES = 5_000


@claim(
    "beaumont2003.thm1",
    number="theorem 1",
    status="corrected",
    instances=DEGREE_BOUNDED,
    page="best-tree",
    implements=(
        "exactsched/steady_state/restricted/best_tree.py",
        "exactsched/steady_state/restricted/branch_and_bound.py",
    ),
    judged="`check`; all spanning trees by definition; both directions carried out",
)
def best_tree_is_np_complete(asked: DegreeBounded, say: Say) -> None:
    """To decide whether some spanning arborescence of a one-port platform has throughput D is
    NP-complete: for K >= 2 a graph has a spanning tree of degree at most K if and only if, with
    opposite arcs for edges that cost 1/K out of the source and 1/(K - 1) out of other nodes, the
    best tree has throughput 1 or more. (Printed for K >= 1.)
    """
    if asked.degree < 2:
        say.not_applicable("the gadget needs K >= 2")
    problem = Broadcast(_gadget(asked), 0)
    solution = broadcast_tree(problem.platform, 0)
    best = say.accepts(solution)
    say({"best tree": best.throughput}, K=asked.degree)
    say.require(best.optimal, "the best tree is not proved")
    pairs = ends_of(problem)
    if best.throughput >= 1:  # a fast tree is a spanning tree of the degree
        chosen = [pairs[arc] for arc in solution.trees[0].arcs]
        degree = max(sum(v in pair for pair in chosen) for v in range(asked.size))
        fits = spans(asked.size, [0], chosen) and degree <= asked.degree
        say.require(fits, "a tree of throughput 1 that has a larger degree")
    if comb(len(asked.edges), asked.size - 1) > _ALL_TREES:
        return
    tree = next(_trees_of_the_degree(asked), None)
    if tree is None:
        say(tree="none")
        say.require(best.bound < 1, "throughput 1 without a spanning tree of the degree")
        return
    say(tree=sorted(map(list, tree)))
    say.require(best.throughput >= 1, "a spanning tree of the degree, but no throughput of 1")
    # Directed away from the source, the spanning tree is a broadcast tree of throughput 1.
    used = [pairs.index(pair) for pair in _directed(asked.size, tree)]
    times = [arc.cost * (k in used) for k, arc in enumerate(problem.platform.arcs)]
    carries = largest_load(problem, times) <= 1
    say.require(carries, "the spanning tree of the degree does not carry 1")


def _gadget(asked: DegreeBounded) -> Platform:
    """Both arcs of every edge; they cost 1/K out of the source 0 and 1/(K - 1) elsewhere."""
    arcs = [
        (tail, head, Fraction(1, asked.degree if tail == 0 else asked.degree - 1))
        for u, v in asked.edges
        for tail, head in ((u, v), (v, u))
    ]
    return Platform(range(asked.size), arcs)


def _trees_of_the_degree(asked: DegreeBounded) -> Iterator[frozenset[tuple[int, int]]]:
    """All spanning trees in which no node has more neighbors, by definition."""
    for chosen in combinations(sorted(asked.edges), asked.size - 1):
        degree = max(sum(v in edge for edge in chosen) for v in range(asked.size))
        if degree <= asked.degree and len(_directed(asked.size, frozenset(chosen))) == len(chosen):
            yield frozenset(chosen)


def _directed(size: int, edges: frozenset[tuple[int, int]]) -> list[tuple[int, int]]:
    """Arcs away from node 0 to all that these edges reach, one into every node."""
    reached, arcs = {0}, list[tuple[int, int]]()
    for _ in range(size):
        for edge in sorted(edges):
            for tail, head in (edge, edge[::-1]):
                if tail in reached and head not in reached:
                    reached.add(head)
                    arcs.append((tail, head))
    return arcs


@claim(
    "beaumont2003.thm1.relays",
    number="theorem 1, by another reduction",
    status="sharpened",
    instances=RELAYS,
    page="best-tree",
    implements=(
        "exactsched/steady_state/restricted/best_tree.py",
        "exactsched/steady_state/restricted/branch_and_bound.py",
        "exactsched/steady_state/restricted/case_proof.py",
    ),
    judged="`check`; all assignments of jobs to machines",
)
def best_tree_is_scheduling(asked: Relays, say: Say) -> None:
    """Where only relays, which the source serves first, reach the other nodes, a tree is an
    assignment of jobs to machines, and 1 / throughput of the best one is the least makespan. So two
    relays make the best tree NP-hard, and any number of them strongly NP-hard.
    """
    problem = asked.broadcast()
    solution = broadcast_tree(problem.platform, 0)
    best = say.accepts(solution)
    relays, jobs = len(asked.times), range(len(asked.times[0]))
    say(relays=relays, jobs=len(jobs), throughput=best.throughput)
    say.require(best.optimal, "the best tree is not proved")
    least = min(
        max(relays, *(sum(asked.times[m][job] for job in jobs if on[job] == m) for m in set(on)))
        for on in product(range(relays), repeat=len(jobs))
    )
    say(makespan=least)
    say.require(best.throughput == Fraction(1, least), "the best tree is no shortest schedule")
