"""Bugs that the claims of `theorems.lu2025.section_2_half_duplex` must find."""

from __future__ import annotations

from exactsched.graphs.arborescence_peeling import _Peeling
from exactsched.graphs.root_connectivity import unmet_from_root
from exactsched.runs.finite_run import run_operations
from exactsched.steady_state.arc_rates import ArcRates
from exactsched.steady_state.hamiltonian import HamiltonianOptimum, hamiltonian_optimum
from exactsched.steady_state.hamiltonian_search import _too_much_is_forced, no_line
from exactsched.steady_state.odd_sets import OddSets, offered, overfull_odd_sets
from exactsched.synchronous.balanced import _solved
from tests.campaign.planted import Bug

BUGS = (
    # A message too many in the bound of a finite run.
    Bug(
        "lu2025.thm1",
        run_operations,
        "A / B.bound",
        "(A + 1) / B.bound",
    ),
    # Odd sets are paid for as ports are: half of a node for each member.
    Bug("lu2025.thm1", OddSets.overworked, "A * (len(B) // 2)", "A * len(B) // 2"),
    Bug("lu2025.hamiltonian", offered, "len(A) // 2", "Fraction(len(A), 2)"),
    # (6) without rounding down.
    Bug("lu2025.thm2", _solved, "A.size // 2", "Fraction(A.size, 2)"),
    # Only what a node receives keeps it busy.
    Bug(
        "lu2025.thm2",
        _solved,
        "dict.fromkeys(A + B, 1)",
        "dict.fromkeys(B or A, 1)",
    ),
    # Sets with room are taken for overfull ones.
    Bug(
        "lu2025.optimum",
        overfull_odd_sets,
        "{A for B in C if D < E}",
        "{A for B in C if D > E}",
    ),
    # The idle times of one end only.
    Bug("lu2025.optimum", overfull_odd_sets, "A[B] -= C\nA[D] -= C", "A[B] -= C"),
    # A set offers more than the time that its nodes have.
    Bug("lu2025.optimum", OddSets.overworked, "len(A) // 2", "len(A) // 2 + 1"),
    # Five nodes or more offer one less than they have: for arcs to work, and in the bound.
    Bug("lu2025.optimum", OddSets.overworked, "len(A) // 2", "len(A) // 2 - (len(A) > 3)"),
    Bug("lu2025.hamiltonian", offered, "len(A) // 2", "len(A) // 2 - (len(A) > 3)"),
    # The path is a node short.
    Bug(
        "lu2025.hamiltonian",
        HamiltonianOptimum.solution,
        "pairwise(A.line)",
        "pairwise(A.line[:-1])",
    ),
    # One of the trees around the cycle is left out.
    Bug(
        "lu2025.hamiltonian",
        HamiltonianOptimum.solution,
        "tuple(A.structures)",
        "tuple(A.structures)[1:]",
    ),
    # What comes before the source is read backwards.
    Bug("lu2025.hamiltonian", hamiltonian_optimum, "A[B:] + A[:B]", "A[B:] + A[:B][::-1]"),
    # A node of two blocks, or the start of a path, is a cut node too many.
    Bug("lu2025.hamiltonian.search", no_line, "max(A.values()) > 2", "max(A.values()) > 1"),
    # A cycle of all nodes is refused as one that closes too early.
    Bug("lu2025.hamiltonian.search", _too_much_is_forced, "A > (len(B) == len(C))", "A > 0"),
    # A tree is taken off as often as arcs allow, whatever sets it enters.
    Bug("lu2025.optimum", _Peeling._look, "if not A:\n    ...", "if True:\n    ..."),
    # Nodes that get anything from a single node join it.
    Bug("lu2025.optimum", unmet_from_root, "A < B", "A < 0"),
    # Sets that are entered by too little are forgotten.
    Bug("lu2025.optimum", ArcRates._separate, "sum(A for B in C) > 0", "False"),
)
