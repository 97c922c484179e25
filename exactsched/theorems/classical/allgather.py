"""Edmonds, with Bang-Jensen, Frank and Jackson: allgathers over switches reach the cut bound."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Final

from exactsched.instances.switches import GATHERED
from exactsched.model.problem import Allgather
from exactsched.model.tasks import duration
from exactsched.oracles.collectives import batch, depth, simulate_series
from exactsched.oracles.switches import largest_multiple
from exactsched.simulation import simulate
from exactsched.steady_state.allgather import solve_allgather
from exactsched.steady_state.solution import Solution
from exactsched.theorems.claim import Say, claim

# Up to this many nodes, all sets are tried.
ALL_SETS: Final = 10
# With this many tasks in a period at most, its transfers are played one by one.
PLAYED = 3_000
# Operations of which every value is really sent, and added up.
OPERATIONS = 3


@claim(
    "fabrics.allgather",
    number="Edmonds 1973 with Bang-Jensen, Frank and Jackson 1995",
    instances=GATHERED,
    page="steady-state-allgather",
    implements=(
        "exactsched/steady_state/allgather.py",
        "exactsched/graphs/splitting_off.py",
        "exactsched/graphs/direct_links.py",
        "exactsched/graphs/branching_packing.py",
    ),
    judged=f"`check`; all sets, up to {ALL_SETS} nodes; transfers played; shards really sent",
)
def allgathers_over_switches(problem: Allgather, say: Say) -> None:
    """Where no node outside the group sends more than it receives, the largest throughput of a
    series of allgathers is the least ratio of the bandwidth into a set with a node of the group and
    the sizes of the shards outside. Trees of paths reach it in which the nodes outside the group
    only forward; none of them copies.
    """
    found = solve_allgather(problem)
    few = solve_allgather(problem, "few")
    say(nodes=len(problem.platform.nodes), group=len(problem.group), throughput=found.throughput)
    say.accepts(found)
    say.accepts(few)
    say.require(found.optimal and few.optimal, "trees below the bound")
    say.require(found.bound == few.bound, "the bound depends on the trees")
    if len(problem.platform.nodes) <= ALL_SETS:
        say.require(found.bound == _by_all_sets(problem), "not the least ratio of all sets")
    for solution in (found, few):
        _fits(solution, say)
        plays(solution, say)


def _by_all_sets(problem: Allgather) -> Fraction | None:
    position = problem.platform.position
    arcs = [(position[arc.tail], position[arc.head]) for arc in problem.platform.arcs]
    switches = [position[node] for node in position if node not in problem.group]
    demands = [Fraction(0)] * len(position)
    for node, size in problem.shards:
        demands[position[node]] = size
    capacities = [1 / arc.cost for arc in problem.platform.arcs]
    return largest_multiple(len(position), arcs, capacities, switches, demands)


def _fits(solution: Solution, say: Say) -> None:
    """No arc works more than full time, and the schedule delivers what it says."""
    work: defaultdict[int, Fraction] = defaultdict(Fraction)
    for structure in solution.structures:
        for task in structure.tasks:
            work[task[0]] += structure.weight * duration(solution.problem, task)
    say.require(max(work.values(), default=Fraction(0)) <= 1, "an arc works more than full time")
    document = solution.certificate()
    if solution.schedule is None:
        return
    tasks = sum(one.operations * len(one.tasks) for one in solution.schedule.structures)
    if tasks * depth(document) <= PLAYED:
        done = simulate_series(document, depth(document) + 1)
        say.require(done >= 2 * batch(document), "shards are missing after depth + 1 periods")


def plays(found: Solution, say: Say) -> None:
    """The player sends real values, adds them up, and finds each of them where it is wanted."""
    if found.throughput:
        report = simulate(found.certificate(), OPERATIONS)
        say.require(report.operations == OPERATIONS, "operations are missing")
