"""Bugs in collectives over nodes that only forward, and rules about them that the checker drops."""

from __future__ import annotations

from exactsched.check.collectives import arc_prices, cuts, schedule
from exactsched.check.collectives.operations_of_messages import AllgatherOperation
from exactsched.graphs.steiner_arborescence import _divide, ascending_cuts, steiner_table
from exactsched.steady_state.call_paths import CallPaths
from exactsched.steady_state.gathered_sums import backwards, turned_allgather
from exactsched.steady_state.group_trees import GroupTrees
from tests.campaign.planted import Bug

BUGS = (
    # The set that the shards enter on the reversed platform is that which the blocks enter here.
    Bug("fabrics.reduce-scatter", backwards, "A not in proof.order", "A in proof.order"),
    # All blocks weigh the same.
    Bug("fabrics.reduce-scatter", turned_allgather, "A.get(B, Fraction(0))", "Fraction(1)"),
    # A path costs what its first arc costs.
    Bug(
        "fabrics.allreduce",
        CallPaths._reached,
        "A + B[C], D, (*E, F)",
        "A, D, (*E, F)",
    ),
    # The cheapest root gathers, its way out counts for nothing.
    Bug(
        "fabrics.allreduce",
        GroupTrees.cheapest_exactly,
        "A.arcs, B + A.cost",
        "A.arcs, B",
    ),
    # Cuts for one group are taken for cuts for another.
    Bug("fabrics.mix", GroupTrees.rows, "self.number", "None"),
    # A tree leads over all nodes, whoever takes part.
    Bug("fabrics.mix", GroupTrees.__init__, "CallPaths(A, B)", "CallPaths(A)"),
    # All blocks are worth what those of the first group are.
    Bug(
        "check.mix-mutants",
        cuts.cheapest_trees,
        "A[B.group].of",
        "next(iter(A.values())).of",
    ),
    # No tree has a branch.
    Bug("fabrics.multicast", _divide, "A > B ^ A", "A > B"),
    # A target pays for itself.
    Bug(
        "fabrics.multicast",
        steiner_table,
        "A[B] = C[D ^ (1 << E)][B]\nF[B] = None",
        "A[B] = C[D ^ (1 << E)][B] + 1\nF[B] = None",
    ),
    # With many targets, cuts are paid for twice.
    Bug("fabrics.multicast", ascending_cuts, "A[B] += C", "A[B] += 2 * C"),
    # A node that only forwards copies as well.
    Bug(
        "check.allgather-mutants",
        schedule._works_of_complete,
        "state in sent",
        "False",
        first=500,
    ),
    # The same where all tasks are looked at at once.
    Bug(
        "check.allgather-mutants",
        AllgatherOperation.works_at_once,
        "len({*A}) < len(A)",
        "False",
        first=500,
    ),
    # A path from node to node pays less than what it enters.
    Bug(
        "check.combination-mutants",
        arc_prices.Links.refuse_overpaid,
        "A * self.unit > B * C",
        "False",
    ),
)
