"""Bugs that the claims of `theorems.beaumont2010.section_4_bounds` must find."""

from __future__ import annotations

from exactsched.oracles.overlay_diversions import diversions
from exactsched.overlay.augmented import (
    _first_short,
    _with_path,
    augmented_overlay,
    unconstrained_overlay,
)
from exactsched.overlay.bounds import _cap, _largest_root, acyclic_bound, tree_bound
from exactsched.overlay.exact import _constructed, _Search
from exactsched.overlay.sequential import served_in_turn
from exactsched.overlay.shares import overlay_of_rates
from exactsched.overlay.tree import best_tree
from tests.campaign.planted import Bug

BUGS = (
    # The source receives nothing, whatever it could.
    Bug("beaumont2010.eq5", _cap, "A.incoming[1:]", "A.incoming"),
    # A source without arcs.
    Bug("beaumont2010.eq5", _cap, "allowed_degrees(A)", "A.degrees"),
    # Not the largest root.
    Bug(
        "beaumont2010.eq5",
        _largest_root,
        "A.sort(key=B, reverse=True)",
        "A.sort(key=B)",
    ),
    # Quotients that differ by less are in any order.
    Bug("beaumont2010.eq5", _largest_root, "lambda A: B * C // D", "lambda A: B // D"),
    # As printed: where bandwidth gets short.
    Bug("beaumont2010.augmented", _first_short, "A + 1, -B", "A, -B"),
    # What the other side lacks is forgotten.
    Bug("beaumont2010.augmented", _with_path, "A = B - C - A", "A = B - C"),
    # The beginning of the path gets nothing from before.
    Bug("beaumont2010.augmented", augmented_overlay, "A[: B + 1]", "A[:B]"),
    # The source serves everybody.
    Bug(
        "beaumont2010.augmented",
        unconstrained_overlay,
        "[A.size - 1] * A.size",
        "[A.size - 2] * A.size",
    ),
    # M goes around node 1.
    Bug(
        "beaumont2010.augmented.diversions",
        diversions,
        "A(B, (0, C), D)",
        "A(B, (0, C))",
    ),
    # All of it from behind, too.
    Bug("beaumont2010.augmented.diversions", diversions, "A[B + 1] - C", "A[B + 1]"),
    # The node with the least bandwidth, as if X did not depend on T.
    Bug(
        "beaumont2010.acyclic",
        acyclic_bound,
        "A.append((-min(B[1:]), C))",
        "del A[B.index(min(B[1:]), 1)]",
    ),
    # As printed: what is left when all are served has nobody to go to.
    Bug("beaumont2010.acyclic", served_in_turn, "A > 0 and B < len(C)", "A > 0"),
    # As printed: a tree need not begin at the source.
    Bug("beaumont2010.tree", tree_bound, "min(A, _cap(B))", "A"),
    # d - 1 children.
    Bug("beaumont2010.tree", tree_bound, "A < B", "A < B - 1"),
    # The others in any order.
    Bug("beaumont2010.tree", best_tree, "by_limits(A)", "range(machine.size)"),
    # Ranges are joined over a gap.
    Bug("beaumont2010.thm3.2", overlay_of_rates, "A and A[-1][1] == B", "A"),
    # Heavy and light trees carry as much.
    Bug("beaumont2010.thm3.2", overlay_of_rates, "A + B // C", "A + 1"),
    # Arcs of overlays that exceed the degrees.
    Bug("beaumont2010.milp", _constructed, "A and not excess(B, A)", "A"),
    # Nothing that is better by less than a half is looked for.
    Bug("beaumont2010.milp", _Search._optimum_but_for, "A * (1 + B)", "A * 3 / 2"),
    # All nodes send in an acyclic overlay, the last one too.
    Bug("beaumont2010.fig1", acyclic_bound, "A.append((-min(B[1:]), C))", "pass"),
)
