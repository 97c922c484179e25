"""Bugs that the claims of `theorems.legrand2003`, sections 4 and 6, must find."""

from __future__ import annotations

from exactsched.model.tasks import levels
from exactsched.steady_state.extract_trees import _cancel_cycles, _peel
from exactsched.steady_state.prefix import solve_shared_reduction
from exactsched.steady_state.reduction_pricing import ReductionTrees
from exactsched.steady_state.reduction_program import FlowProgram, balances
from exactsched.steady_state.reduction_tree import PricedStates
from exactsched.steady_state.shared_flow_bound import unreachable_goals
from exactsched.steady_state.structure_counts import StructureLoads
from tests.campaign.planted import Bug

BUGS = (
    # v[k,m] is made of v[k,k] and the rest only.
    Bug(
        "legrand2003.ssr",
        PricedStates.__init__,
        "[map(A, B[C, D], B[D + 1, E]) for D in range(C, E)]",
        "[map(A, B[C, D], B[D + 1, E]) for D in (C,)]",
    ),
    # v[i,i] is conserved at its owner.
    Bug("legrand2003.ssr", FlowProgram._add_flow, "A not in B", "True"),
    # Prices for the units of time in which trees are priced.
    Bug("legrand2003.lemma1.reduce", ReductionTrees.bound, "A * B.unit", "A"),
    # A cycle loses the rate of its first arc, not the least one.
    Bug("legrand2003.lemma2", _cancel_cycles, "min(A[B] for B in C)", "A[C[0]]"),
    # Trees go on beyond what arrives, into the waste.
    Bug("legrand2003.thm1", _peel, "min(A, *B)", "min(B)"),
    # A result that leaves the target has not arrived.
    Bug(
        "legrand2003.thm1",
        balances,
        "A.get(B, C) - D",
        "A.get(B, C) - D * (B != problem.goals[0])",
    ),
    # A task waits for v[k,l] only.
    Bug(
        "legrand2003.prop3",
        levels,
        "needs(A, B)",
        "needs(A, B)[:1]",
    ),
    # Rounded up.
    Bug("legrand2003.prop4", StructureLoads.rounded_down, "int(A * B)", "-int(-A * B // 1)"),
    # What several goals share is not looked at.
    Bug(
        "legrand2003.prefix.bound",
        solve_shared_reduction,
        "_throughput(A) < B",
        "_throughput(A) > B",
    ),
    # Potentials where the goals can be made, not where they cannot.
    Bug(
        "legrand2003.prefix.bound",
        unreachable_goals,
        "{A: 1 for B in C if D}",
        "{A: 1 for B in C if not D}",
    ),
    # A tree takes more than the least rate of its tasks.
    Bug("legrand2003.fig7", _peel, "min(A, *B)", "A"),
    Bug("legrand2003.fig9", _peel, "min(A, *B)", "A"),
    # A cycle loses the rate of its first arc, not the least one.
    Bug("legrand2003.trees", _cancel_cycles, "min(A[B] for B in C)", "A[C[0]]"),
    # v[k,m] is made of v[k,k] and the rest only.
    Bug(
        "legrand2003.commutative",
        PricedStates.__init__,
        "[map(A, B[C, D], B[D + 1, E]) for D in range(C, E)]",
        "[map(A, B[C, D], B[D + 1, E]) for D in (C,)]",
    ),
)
