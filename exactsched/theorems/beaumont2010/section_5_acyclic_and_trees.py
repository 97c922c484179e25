"""Acyclic overlays, and single trees: section V-A."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from exactsched.instances.figures import FACTORS, Factor
from exactsched.instances.instance_type import Bounds
from exactsched.instances.overlays import (
    CLOSED_MACHINES,
    FORWARD_ATTEMPTS,
    OPEN_MACHINES,
    Attempt,
)
from exactsched.model.machine import MultiPort
from exactsched.oracles.branchings import spans
from exactsched.oracles.overlay import (
    arborescences,
    best_throughput,
    bound_by_counting,
    depth_of_tree,
    has_no_cycle,
    overlay_fault,
    possible_arcs,
    rate_of_tree,
    rates_of,
    receivers,
    sent_at,
    within,
)
from exactsched.overlay.bounds import acyclic_bound, throughput_bound, tree_bound
from exactsched.overlay.rate import best_rates
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.shares import overlay_of_rates
from exactsched.overlay.tree import best_tree
from exactsched.theorems.claim import Say, claim

_ALL_TREES = 3  # receivers for which all trees are listed
_FOLLOWED = 60  # ranges of parts


@claim(
    "beaumont2010.fig1",
    number="figure 1",
    instances=FACTORS,
    page="overlay-bounds",
    implements=(
        "exactsched/overlay/exact.py",
        "exactsched/overlay/sequential.py",
        "exactsched/overlay/tree.py",
        "exactsched/overlay/bounds.py",
    ),
    judged="`check`; the best of all sets of arcs",
)
def three_nodes(asked: Factor, say: Say) -> None:
    """On the machine of figure 1, bandwidths 2 c, c, c and degrees 2, 1, 1, the best tree has the
    throughput c, the best acyclic overlay 3 c / 2, and the best overlay 2 c, within the degrees.
    """
    from exactsched.overlay.exact import optimal_overlay  # loads SCIP

    c = asked.factor
    machine = MultiPort([2 * c, c, c], [2, 1, 1])
    found = {
        "tree": best_tree(machine),
        "acyclic": acyclic_overlay(machine),
        "any": optimal_overlay(machine),
    }
    for kind, value in (("tree", c), ("acyclic", 3 * c / 2), ("any", 2 * c)):
        proved = say.accepts(found[kind])
        say({kind: proved.throughput})
        right = proved.optimal and proved.throughput == value and not proved.excess
        say.require(right, f"{kind}: not {value} within the degrees")
        best = best_throughput(machine, kind)
        say.require(best == value, f"{kind}: of all sets of arcs the best has {best}")


@claim(
    "beaumont2010.acyclic",
    number="section V-A, algorithm 1",
    status="corrected",
    instances=FORWARD_ATTEMPTS,
    page="overlay-bounds",
    implements=("exactsched/overlay/sequential.py", "exactsched/overlay/bounds.py"),
    judged="`check`; value and slope without each node; the best rates on acyclic arcs",
)
def acyclic_overlays(asked: Attempt, say: Say) -> None:
    """No acyclic overlay within the degrees exceeds A = min(C, A*), A* the largest T for which the
    sum of the X_j(T), without some X_i(T), i > 0, is n T at least; and A <= U. Without given arcs
    there is an acyclic one of throughput A in which node i sends to at most ceil(X_i / A) + 1 <=
    d_i + 1 others, and the source to ceil(X_0 / A) <= d_0.
    """
    machine, n = asked.machine, asked.machine.size - 1
    if not within(machine, asked.arcs) or not has_no_cycle(asked.arcs):
        say.not_applicable("the arcs have cycles, or are not within the degrees")
    bound = acyclic_bound(machine)
    say(nodes=n, bound=bound)
    say.require(bound == bound_by_counting(machine, "acyclic"), "it is neither C nor A*")
    say.require(bound <= throughput_bound(machine), "it is above the bound for all overlays")
    best = best_rates(machine, asked.arcs)
    tried = overlay_of_rates(machine, "acyclic", best.rates, best.throughput, bound)
    kept = say.accepts(tried).bound == bound >= best.throughput
    say.require(kept, f"on arcs without a cycle {best.throughput} is possible")
    if machine.arcs:
        return
    overlay = acyclic_overlay(machine)
    say.require(say.accepts(overlay).throughput == bound, "the overlay is not as fast as A")
    say.require(has_no_cycle(rates_of(overlay)), "the overlay has a cycle")
    fault = overlay_fault(overlay, _FOLLOWED)
    say.require(not fault, fault)
    if not bound:
        return
    used, sending = receivers(overlay), sent_at(machine, bound)
    say(excess=max(u - d for u, d in zip(used, machine.degrees, strict=True)))
    for count, x in zip(used[1:], sending[1:], strict=True):
        few = count <= ceil(x / bound) + 1
        say.require(few, "a node has more than ceil(X / T) + 1 receivers")
    few = used[0] <= min(ceil(sending[0] / bound), machine.degrees[0])
    say.require(few, "the source has too many receivers")
    say.require(len(overlay.arcs) <= 2 * n, "there are more than 2 n arcs")


@claim(
    "beaumont2010.tree",
    number="section V-A",
    status="corrected",
    instances=CLOSED_MACHINES,
    page="overlay-bounds",
    implements=("exactsched/overlay/tree.py", "exactsched/overlay/bounds.py"),
    judged="`check`; shares counted again; all trees, up to 3 receivers",
    corrects="beaumont2010.tree.printed",
)
def trees(machine: MultiPort, say: Say) -> None:
    """Without given arcs the best tree within the degrees has the rate min(C, B), B the n-th
    largest of all b_i / j, j = 1, ..., d_i. Of the trees of this rate with at most min(d_i,
    floor(b_i / T)) children at node i, the one returned is least deep.
    """
    if machine.arcs:
        say.not_applicable("arcs are given")
    n, bound = machine.size - 1, tree_bound(machine)
    say(nodes=n, bound=bound)
    say.require(bound == bound_by_counting(machine, "tree"), "it is neither C nor the n-th rate")
    tree = best_tree(machine)
    reached = say.accepts(tree).throughput == bound and tree.optimal
    say.require(reached, "the tree does not reach the bound")
    fault = overlay_fault(tree, _FOLLOWED)
    say.require(not fault, fault)
    arcs = [(i, j) for i, j, _ in tree.arcs]
    if bound:
        say(depth=depth_of_tree(arcs))
        say.require(spans(machine.size, [0], arcs), "it is no tree")
    if n <= _ALL_TREES:
        best = best_throughput(machine, "tree")
        say.require(bound == best, f"of all trees the best has {best}")
        everything = arborescences(machine.size, possible_arcs(machine))
        depths = [depth_of_tree(one) for one in everything if rate_of_tree(machine, one) == bound]
        least = not bound or depth_of_tree(arcs) <= min(depths)
        say.require(least, "another tree of this rate is less deep")


@claim(
    "beaumont2010.tree.printed",
    number="section V-A",
    instances=OPEN_MACHINES,
    bounds=Bounds(3, 3, 3),
    page="overlay-bounds",
    judged="all trees",
    counterexample=lambda: MultiPort([1, 4, 4], [1, 1, 1]),
)
def trees_as_printed(machine: MultiPort, say: Say) -> None:
    """The largest throughput of a single tree is the largest T such that the sum of all min(d_i,
    floor(b_i / T)) is n at least.
    """
    n = machine.size - 1
    if n > _ALL_TREES:
        say.not_applicable("too many trees to look at")
    rows = list(zip(machine.bandwidths, machine.degrees, strict=True))
    rates = [b / j for b, d in rows for j in range(1, d + 1) if b]
    fitting = [T for T in rates if sum(min(d, floor(b / T)) for b, d in rows) >= n]
    printed, best = max(fitting, default=Fraction(0)), best_throughput(machine, "tree")
    say(printed=printed, best=best)
    say.require(printed == best, "the best of all trees has another rate")
