"""Bugs in the kernels that the claims of `theorems.classical` must find."""

from __future__ import annotations

from exactsched.graphs.edge_coloring import _colored_one_by_one, _dealt
from exactsched.graphs.flow import FlowNetwork, maximum_flow
from exactsched.graphs.fractional_edge_coloring import _Split
from exactsched.graphs.gabow_kariv import _Halving, color_by_recoloring
from exactsched.graphs.lovasz import GrowingPacking
from exactsched.graphs.matching_decomposition import decompose_into_matchings
from exactsched.graphs.minimum_cost_arborescence import Contraction
from exactsched.graphs.root_connectivity import _send, falling_ratios
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.graphs.splitting_off import _unmet
from exactsched.graphs.switch_pairing import SwitchNetwork, _without_circles
from exactsched.linear_programs.linear_program import _Scaled
from exactsched.steady_state.allgather import _bottleneck, _tasks, _trees
from tests.campaign.planted import Bug

BUGS = (
    # The largest minimum cut instead of the smallest.
    Bug(
        "ford-fulkerson.max-flow-min-cut",
        maximum_flow,
        "cut = A.reachable(B)",
        "cut = set(range(size)) - A.reaching(sink)",
    ),
    # Flow that cannot reach the sink stays where it is.
    Bug(
        "ford-fulkerson.max-flow-min-cut",
        FlowNetwork.push,
        "A[B] = A[C] = 0\nD._drain(A, B)",
        "A[B] = A[C] = 0",
    ),
    # Off by one: a set that lacks a single arc is not seen.
    Bug("edmonds.branching", _send, "while A: ...", "while A > 1: ..."),
    # A flow that is too small is called large enough.
    Bug(
        "edmonds.branching",
        minimum_root_cut,
        "least = min(least, sent)",
        "least = least",
    ),
    # A set that a prefix does not meet loses slack as well.
    Bug(
        "edmonds.branchings",
        GrowingPacking._entered_again,
        "A[B] & ~A[C] & D",
        "A[B] & D",
    ),
    # Newton's method stops after one step.
    Bug("edmonds.branchings", falling_ratios, "unmet_set(A, B, C, D, E, F)", "None"),
    # Links go in circles.
    Bug("bang-jensen-frank-jackson.splitting-off", _without_circles, "A in B", "False"),
    # What numbers were multiplied with is divided by once too often.
    Bug(
        "bang-jensen-frank-jackson.splitting-off",
        SwitchNetwork._unscale,
        "return A // B",
        "return A",
    ),
    # The capacity that leaves an unmet set, instead of that which enters it.
    Bug(
        "bang-jensen-frank-jackson.splitting-off",
        _unmet,
        "A in B and C not in B",
        "C in B and A not in B",
    ),
    # The capacity that leaves the bottleneck has a price.
    Bug(
        "fabrics.allgather",
        _bottleneck,
        "A in B and C not in B",
        "C in B and A not in B",
    ),
    # Newton's method stops after one step.
    Bug("fabrics.allgather", falling_ratios, "unmet_set(A, B, C, D, E, F)", "None"),
    # A tree carries operations, not units of size.
    Bug("fabrics.allgather", _trees, "A * Fraction(B, C)", "Fraction(B)"),
    # All paths of a tree carry the same copy.
    Bug("fabrics.allgather", _tasks, "A += 1", "A += 0"),
    # The entering arc of a contracted set is not handed down.
    Bug(
        "fulkerson.arborescence",
        Contraction.chosen,
        "A != B and not C[A]",
        "A != B and C[A]",
    ),
    # A rational row is scaled to integers, its multiplier is not scaled back.
    Bug(
        "farkas.trichotomy",
        _Scaled.infeasibility,
        "{A: B[A] * C for A, C in D.items()}",
        "dict(D)",
    ),
    # A free variable may not move downwards.
    Bug(
        "farkas.trichotomy",
        _Scaled.__init__,
        "frozenset(range(A)).difference(B)",
        "frozenset()",
    ),
    # An edge gives a copy more than it has.
    Bug("konig.edge-coloring", _dealt, "min(A, min([B[C] for C in D]))", "A"),
    # The last copy is taken for a dummy, which are left out.
    Bug("konig.edge-coloring", _colored_one_by_one, "copy < len(A)", "copy < len(A) - 1"),
    # A color more than the largest degree is good enough.
    Bug("gabow-kariv.edge-coloring", _Halving._colored, "A > B", "A > B + 1"),
    # Where the copies of a bundle are inserted, those of lower bits count already.
    Bug("gabow-kariv.edge-coloring", color_by_recoloring, "A & -B", "A"),
    # The last matching is forgotten.
    Bug("birkhoff.von-neumann", decompose_into_matchings, "A.keys() | B.keys()", "A"),
    # Where the two sides of an odd set are joined, one of them is lost.
    Bug("edmonds.matching-polytope", _Split.joined, "{*A, *B}", "{*B}"),
)
