"""Sums over switches, in any order: trees of allgathers turned round, and pairs of trees."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import Final

from exactsched.certificate.bounds import TreeBound
from exactsched.instances.switches import SCATTERED_SUMS, SUMS_EVERYWHERE
from exactsched.model.platform import Node
from exactsched.model.problem import Combination
from exactsched.model.resources import place_resources
from exactsched.oracles.collectives import optimal_throughput_by_definition
from exactsched.oracles.order_free import cheapest_calls, most_ways
from exactsched.oracles.series import paths
from exactsched.oracles.switches import largest_multiple
from exactsched.steady_state.combination import solve_combination
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.classical.allgather import ALL_SETS, plays

# Pairs of trees, of which all are tried.
_WAYS: Final = 10_000
# Calls that cost something, where five nodes make all sequences of them; four make any.
_CALLS: Final = 12


@claim(
    "fabrics.reduce-scatter",
    number="Edmonds 1973 with Bang-Jensen, Frank and Jackson 1995, from back to front",
    instances=SCATTERED_SUMS,
    page="steady-state-order-free",
    implements=(
        "exactsched/steady_state/combination.py",
        "exactsched/steady_state/gathered_sums.py",
        "exactsched/steady_state/allgather.py",
        "exactsched/graphs/splitting_off.py",
        "exactsched/graphs/direct_links.py",
    ),
    judged=f"`check`; all sets, up to {ALL_SETS} nodes; values sent and added up",
)
def sums_over_switches(problem: Combination, say: Say) -> None:
    """Where no node outside the group receives more than it sends, the largest throughput of a
    series of reduce-scatters is the least ratio of the bandwidth out of a set with a node of the
    group and the sizes of the blocks that are wanted outside. Trees of paths reach it in which the
    nodes outside the group only forward; none of them adds anything up.
    """
    found = solve_combination(problem)
    say(nodes=len(problem.platform.nodes), group=len(problem.group), throughput=found.throughput)
    say.accepts(found)
    say.require(found.optimal, "trees below the bound")
    if len(problem.platform.nodes) <= ALL_SETS:
        say.require(found.bound == _by_all_sets(problem), "not the least ratio of all sets")
    plays(found, say)


def _by_all_sets(problem: Combination) -> Fraction | None:
    """The same sets as of an allgather on the arcs turned round."""
    position = problem.platform.position
    arcs = [(position[arc.head], position[arc.tail]) for arc in problem.platform.arcs]
    forwarding = [position[node] for node in position if node not in problem.group]
    demands = [Fraction(0)] * len(position)
    for size, (node,), *_ in problem.blocks:
        demands[position[node]] = size
    capacities = [1 / arc.cost for arc in problem.platform.arcs]
    return largest_multiple(len(position), arcs, capacities, forwarding, demands)


@claim(
    "fabrics.allreduce",
    number="two disjoint sets of calls, proofs/steady-state-order-free.md",
    status="new",
    instances=SUMS_EVERYWHERE,
    page="steady-state-order-free",
    implements=(
        "exactsched/steady_state/combination.py",
        "exactsched/steady_state/two_phases.py",
        "exactsched/steady_state/allreduce_by_cuts.py",
        "exactsched/steady_state/tree_pairs.py",
        "exactsched/steady_state/call_paths.py",
    ),
    judged=f"`check`; all pairs of trees, up to {_WAYS:,}; all sequences of calls of up to 4 nodes,"
    f" or of 5 with up to {_CALLS} calls that cost something; values sent and added up",
)
def sums_everywhere(problem: Combination, say: Say) -> None:
    """The largest throughput of a series of all-reduces, in any order, in which the nodes outside
    the group only forward, is the largest packing of pairs of trees of paths, one into a root and
    one out of it. Some prices of the resources show it: no sequence of calls after which the whole
    group knows all values costs less than a pair of trees.
    """
    found = solve_combination(problem)
    say(group=len(problem.group), arcs=len(problem.platform.arcs), throughput=found.throughput)
    say.accepts(found)
    say.require(found.optimal, "pairs of trees below the bound")
    if 0 < most_ways(problem) <= _WAYS:
        best = optimal_throughput_by_definition(problem)
        say.require(found.throughput == best, f"all pairs of trees reach {best}")
    if found.throughput and isinstance(found.proof, TreeBound) and not found.proof.odd_sets:
        _no_calls_are_cheaper(problem, found.proof, found.throughput, say)
    plays(found, say)


def _no_calls_are_cheaper(
    problem: Combination, proof: TreeBound, throughput: Fraction, say: Say
) -> None:
    """What is paid in a time unit is the throughput times the cheapest calls."""
    place = {node: index for index, node in enumerate(problem.members)}
    costs = _costs_of_calls(problem, proof)
    paid = sum(cost > 0 for cost in costs.values())
    if len(place) > 5 or (len(place) == 5 and paid > _CALLS):
        return
    whole = lcm(*(cost.denominator for cost in costs.values()))
    ends = [(place[tail], place[head]) for tail, head in costs]
    scaled = [int(cost * whole) for cost in costs.values()]
    least = cheapest_calls(len(place), ends, scaled, place.values())
    say.require(least is not None, "no calls tell everybody everything")
    assert least is not None
    income = sum(proof.prices.values(), Fraction(0))
    say.require(Fraction(least, whole) * throughput >= income, "calls that cost less than trees")


def _costs_of_calls(problem: Combination, proof: TreeBound) -> dict[tuple[Node, Node], Fraction]:
    """What the cheapest path costs between any two nodes of the group, for a whole vector."""
    used, arcs = place_resources(problem), problem.platform.arcs
    size = problem.blocks[0].size
    lengths = [
        size
        * arc.cost
        * sum((proof.prices.get(name, Fraction(0)) for name in used[k]), Fraction(0))
        for k, arc in enumerate(arcs)
    ]
    found: dict[tuple[Node, Node], Fraction] = {}
    for one, other in permutations(problem.members, 2):
        ways = paths(problem.platform, one, other, problem.group - {one, other})
        costs = [sum((lengths[arc] for arc in way), Fraction(0)) for way in ways]
        if costs:
            found[one, other] = min(costs)
    return found
