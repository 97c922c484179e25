"""Bugs that the claims of `theorems.legrand2003`, section 3, must find."""

from __future__ import annotations

from exactsched.runs.finite_run import finished_run
from exactsched.steady_state.alltoall import _unreached, solve_alltoall
from exactsched.steady_state.charges import distance_bound
from exactsched.steady_state.route_packing import _Pricing
from exactsched.steady_state.schedule import working_times
from exactsched.steady_state.slots import common_measure
from exactsched.steady_state.solution import Solution
from tests.campaign.planted import Bug

BUGS = (
    # Nodes beyond the farthest target are taken to be near.
    Bug(
        "legrand2003.sssp",
        _Pricing.cheapest_exactly,
        "[min(A, B) for B in C]",
        "[B if B <= A else 0 for B in C]",
    ),
    # The first path to a node is taken for the shortest.
    Bug("legrand2003.sssp", _Pricing._tree, "not A[B] <= C", "A[B] != A[B]"),
    # A message of any size keeps a port busy like one of size 1.
    Bug("legrand2003.sspa2a", solve_alltoall, "[A * B for A in C]", "[A for A in C]"),
    # Distances are divided by their common divisor, prices are not.
    Bug("legrand2003.sspa2a", distance_bound, "A[B] // C", "A[B]"),
    # The last operation to start need not be the last to end.
    Bug("legrand2003.lemma1.scatter", finished_run, "max(A.end for A in B)", "B[-1].end"),
    # An alltoall is given up only if no target at all can be reached.
    Bug("legrand2003.lemma1.alltoall", _unreached, "any(A)", "all(A)"),
    # Off by one: R periods of operations take R + depth - 1 periods.
    Bug(
        "legrand2003.prop1",
        Solution.operations_within,
        "A - B.depth + 1",
        "A - B.depth + 2",
    ),
    # The least common multiple of all denominators, as in the paper, is no shortest period.
    Bug("legrand2003.prop1", common_measure, "gcd(*A)", "1"),
    # Right for whole batches only.
    Bug(
        "legrand2003.prop2",
        Solution.makespan_constant,
        "A.depth * B",
        "(A.depth - 1) * B",
    ),
    # A task counts for the batch of its first structure.
    Bug("legrand2003.prop2", working_times, "A[B] + C if B in A else C", "C"),
    # Distances are divided by their common divisor, prices are not.
    Bug("legrand2003.fig2", distance_bound, "A[B] // C", "A[B]"),
    Bug("legrand2003.fig4", distance_bound, "A[B] // C", "A[B]"),
)
