"""Sections 4.2 to 4.7, examples of reductions: figures 6 and 7, the Tiers platform of 9 to 12."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from exactsched.exact.rational import Rational, to_json
from exactsched.instances.figures import Copy, copies
from exactsched.model.platform import Node, Platform
from exactsched.model.problem import Reduction
from exactsched.model.tasks import Task, given, makes, needs
from exactsched.oracles.reduce import no_tree
from exactsched.oracles.series import load
from exactsched.platforms.papers import reduce_toy, tiers_2003
from exactsched.steady_state.extract_trees import extract_trees
from exactsched.steady_state.reduce import solve_reduction
from exactsched.theorems.claim import Say, claim

_SOLVER = (
    "exactsched/steady_state/reduce.py",
    "exactsched/steady_state/reduction_tree.py",
    "exactsched/steady_state/extract_trees.py",
)

# The trees of the figures with their weights: which partial result goes over which nodes, which
# task is done where.
_Trees = Iterable[tuple[Fraction, str]]
_FIGURE_7: _Trees = (
    (Fraction(1, 3), "[2,2] P2 P1; T 1,1,2 P1; [1,2] P1 P0; T 0,0,2 P0"),
    (Fraction(2, 3), "[1,1] P1 P2; T 1,1,2 P2; [1,2] P2 P0; T 0,0,2 P0"),
)
_FIGURE_11 = """
[3,3] 9 8 2 6 7; [4,4] 6 7; T 3,3,4 7; [3,4] 7 6 2 1 0 5 4 12; [6,6] 7 6 2 1 0 5 12;
T 3,4,5 12; T 3,5,6 12; [3,6] 12 13; T 2,2,6 13; [1,1] 8 2 1 0 5 12 13;
[0,0] 11 10 4 12 13; T 0,0,1 13; T 0,1,6 13; [0,6] 13 12 5 4 10; T 0,6,7 10;
[0,7] 10 4 12 5 0 1 2 6
"""
_FIGURE_12 = """
[2,2] 13 12 4 5 0 1 2 6; [1,1] 8 3 6; T 1,1,2 6; [3,3] 9 8 2 6 7; [5,5] 12 5 0 1 2 6 7;
[1,2] 6 7; T 1,2,3 7; T 5,5,6 7; [4,4] 6 2 8; [5,6] 7 6 2 3 8; T 1,3,4 8; [1,3] 7 6 3 8;
T 1,4,6 8; [1,6] 8 2 1 0 5 10; [0,0] 11 10; T 0,0,6 10; T 0,6,7 10; [0,7] 10 4 12 5 0 1 2 6
"""


@claim(
    "legrand2003.fig7",
    number="figures 6 and 7",
    instances=copies(reduce_toy),
    page="tree-extraction",
    implements=_SOLVER,
    judged="`check`; definition 1 of a tree; loads by definition",
)
def toy_reduction(asked: Copy, say: Say) -> None:
    """On the triangle of figure 6 the best throughput of a reduction to P0 is 1. The two trees of
    figure 7, with the weights 1/3 and 2/3, reach it, and they are what EXTRACT_TREES makes of their
    rates. If every time is multiplied by c, all weights are divided by c.
    """
    problem = _reduction(asked.of(reduce_toy()), ("P0", "P1", "P2"), "P0")
    _reach(problem, _FIGURE_7, asked.factor, say)
    _is_best(problem, Fraction(1), asked.factor, say)


@claim(
    "legrand2003.fig9",
    number="figures 9 to 12, the links of the platform reconstructed",
    instances=copies(tiers_2003),
    page="tree-extraction",
    implements=_SOLVER,
    judged="definition 1 of a tree; loads by definition; `check` for the copies that are solved",
)
def tiers(asked: Copy, say: Say) -> None:
    """On the Tiers platform of figure 9 the best throughput of the reduction to node 6 is 2/9. The
    trees of figures 11 and 12, with the weight 1/9 each, reach it, and they are what EXTRACT_TREES
    makes of their rates. If every time is multiplied by c, all weights are divided by c.
    """
    platform = asked.of(tiers_2003())
    known = platform.node_data
    hosts = sorted((n for n in known if "index" in known[n]), key=lambda n: known[n]["index"])
    problem = _reduction(platform, tuple(hosts), 6)
    _reach(problem, [(Fraction(1, 9), _FIGURE_11), (Fraction(1, 9), _FIGURE_12)], asked.factor, say)
    if asked.factor.numerator % 3 == 1:  # solving takes a tenth of a second
        _is_best(problem, Fraction(2, 9), asked.factor, say)


def _reduction(platform: Platform, owners: tuple[Node, ...], target: Node) -> Reduction:
    times = [(node, data["compute"]) for node, data in platform.node_data.items() if data]
    goal = (0, len(owners) - 1), target
    return Reduction(platform, owners, (goal,), Fraction(1), tuple(times))


def _is_best(problem: Reduction, value: Fraction, factor: Fraction, say: Say) -> None:
    proved = say.accepts(solve_reduction(problem))
    say(throughput=to_json(proved.throughput))
    right = proved.optimal and proved.throughput * factor == value
    say.require(right, f"the best throughput is not {value}")


def _reach(problem: Reduction, trees: _Trees, factor: Fraction, say: Say) -> None:
    """The trees of the figures overload nothing, and come out of their rates again."""
    printed = [(_tasks_of(problem, figure), weight / factor) for weight, figure in trees]
    rates: dict[Task, Rational] = {}
    for tasks, weight in printed:
        reason = no_tree(problem, tasks)
        say.require(not reason, reason)
        for task in tasks:
            rates[task] = rates.get(task, 0) + weight
    busy = load(problem, printed)
    say(busiest=max(busy, key=lambda name: busy[name]), tasks=len(rates))
    say.require(max(busy.values()) <= 1, "the printed trees overload a port or a processor")
    found = extract_trees(problem, rates)
    same = {(frozenset(tree.tasks), tree.weight) for tree in found.trees} == {
        (frozenset(tasks), weight) for tasks, weight in printed
    }
    say.require(same and not found.circulation, "EXTRACT_TREES finds other trees")


def _tasks_of(problem: Reduction, figure: str) -> list[Task]:
    """The tasks of a tree that is written as above, each after those that make what it needs."""
    platform = problem.platform
    names = {str(node): node for node in platform.nodes}
    place = {(str(arc.tail), str(arc.head)): index for index, arc in enumerate(platform.arcs)}
    found: list[Task] = []
    for line in figure.replace("\n", " ").split(";"):
        kind, *words = re.findall(r"\[|T|\w+", line.replace(",", " "))
        if kind == "T":
            *merge, node = words
            processor = len(platform.arcs) + platform.position[names[node]]
            found.append((processor, *map(int, merge)))
        else:
            k, m, *route = words
            found += [(place[pair], int(k), int(m)) for pair in pairwise(route)]
    known, ordered = set(given(problem)), list[Task]()
    while ready := [t for t in found if t not in ordered and known.issuperset(needs(problem, t))]:
        ordered += ready
        known.update(makes(problem, task) for task in ready)
    return ordered if len(ordered) == len(found) else found
