"""Bugs that theorems 1 and 2 of `theorems.beaumont2003` must find."""

from __future__ import annotations

from exactsched.model.tasks import levels
from exactsched.steady_state.broadcast import _Arcs
from exactsched.steady_state.restricted.best_dag import _Acyclic
from exactsched.steady_state.restricted.best_tree import _locally_best, _OneTree
from tests.campaign.planted import Bug

BUGS = (
    # An arc with half the load of the best tree passes for hopeless.
    Bug("beaumont2003.thm1", _OneTree.reduce, "A >= B._load", "2 * A >= B._load"),
    # A tree changed for the better closes a cycle.
    Bug(
        "beaumont2003.thm1",
        _locally_best,
        "max(A) < B and not above(C, D)",
        "max(A) < B",
    ),
    # A split forgets its last case.
    Bug("beaumont2003.thm1.relays", _OneTree.expand, "for A in B: ...", "for A in B[:-1]: ..."),
    # A split on a cycle forgets one of its arcs.
    Bug("beaumont2003.best-dag", _Acyclic.expand, "for A in B: ...", "for A in B[1:]: ..."),
    # A case is the same whatever was removed before.
    Bug("beaumont2003.best-dag", _Acyclic.expand, "A = B.C | 1 << D", "A = 1 << D"),
    # The bound by one resource and one cut takes the most expensive arc.
    Bug(
        "beaumont2003.thm2",
        _Arcs.single_price_bound,
        "min([A[B] for B in C])",
        "max([A[B] for B in C])",
    ),
    # Every level counts twice.
    Bug("beaumont2003.thm2", levels, "1 + max(A, default=0)", "2 + max(A, default=0)"),
    # A split on a cycle forgets one of its arcs.
    Bug("beaumont2003.fig5", _Acyclic.expand, "for A in B: ...", "for A in B[1:]: ..."),
)
