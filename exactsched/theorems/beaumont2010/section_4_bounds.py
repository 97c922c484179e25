"""Overlays on bounded multi-port machines: bounds by counting, constructions, trees, programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor, gcd, lcm
from typing import Any

from exactsched.check import check
from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.machines import multi_port
from exactsched.model.machine import MultiPort
from exactsched.oracles.branchings import spans
from exactsched.oracles.overlay import (
    PAPER,
    Arc,
    Attempt,
    attempt,
    best_of_all_supports,
    count_of_supports,
    degrees_of,
    has_no_cycle,
    is_largest_root,
    least_entrance,
    machine_without_arcs,
    misses,
    rates_of,
    receivers,
    sent_at,
    within,
)
from exactsched.overlay.augmented import augmented_overlay, unconstrained_overlay
from exactsched.overlay.bounds import acyclic_bound, throughput_bound, tree_bound
from exactsched.overlay.rate import best_rates
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.shares import overlay_of_rates
from exactsched.overlay.tree import best_tree
from exactsched.theorems.beaumont2010 import (
    section_3_packings as overlay_packings,
)
from exactsched.theorems.beaumont2010 import (
    section_3_program as overlay_programs,
)
from exactsched.theorems.beaumont2010 import (
    section_4_diversions as overlay_diversions,
)
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted

# Sets of arcs of which the best rates are found, and receivers for which all trees are listed.
_SUPPORTS = 9
_ALL_TREES = 3


# Equation (5) ------------------------------------------------------------------------------------


def _counted(asked: Attempt) -> Verdict:
    machine, n = asked.machine, asked.machine.size - 1
    if not within(machine, asked.arcs):
        return not_applicable("the arcs are not within the degrees")
    bound, most = throughput_bound(machine), least_entrance(machine)
    facts: dict[str, Any] = {"nodes": n, "bound": to_json(bound), "entrance": to_json(most)}
    if bound > most or (bound < most and not is_largest_root(machine, bound)):
        return refuted("it is neither C nor the largest root", **facts)
    for quarters in range(9):
        rate = bound * quarters / 4
        if (sum(sent_at(machine, rate)) >= n * rate) < (quarters <= 4):
            return refuted(f"below it, at {rate}, too little can be sent", **facts)
        if quarters > 4 and 0 < bound < most and sum(sent_at(machine, rate)) >= n * rate:
            return refuted(f"above it, at {rate}, enough can be sent", **facts)
    # More than n receivers are of no use.
    for degrees in ([min(d, n) for d in machine.degrees], [d + (d >= n) for d in machine.degrees]):
        if throughput_bound(replace(machine, degrees=tuple(degrees))) != bound:
            return refuted(f"another bound for the degrees {degrees}", **facts)
    best = best_rates(machine, asked.arcs)
    overlay = overlay_of_rates(machine, "any", best.rates, best.throughput, bound)
    facts["throughput"] = to_json(overlay.throughput)
    if check(overlay).bound != bound or overlay.throughput > bound:
        return refuted("an overlay exceeds the bound", **facts)
    if reason := misses(overlay):
        return refuted(reason, **facts)
    if count_of_supports(machine) <= _SUPPORTS:
        facts["best"] = to_json(best_of_all_supports(machine))
        if best_of_all_supports(machine) > bound:
            return refuted("on some arcs more can be sent than the bound", **facts)
    return held(**facts)


def _roots_as_printed(machine: MultiPort) -> Verdict:
    """One T > 0 at which f vanishes?  It is linear between the bends b / d."""
    n = machine.size - 1
    bends = {b / d for b, d in zip(machine.bandwidths, machine.degrees, strict=True) if d}
    ends = sorted(bends - {0})
    ends.append(max([*ends, *machine.bandwidths, Fraction(1)]) * (n + 2))
    roots, low = 0, Fraction(0)
    for high in ends:
        left, right = (sum(sent_at(machine, rate)) - n * rate for rate in (low, high))
        if left == right == 0:
            return refuted(f"every T from {low} to {high} is a root")
        roots += right == 0 or left > 0 > right
        low = high
    return held(roots=roots) if roots == 1 else refuted(f"{roots} roots")


# Augmented degrees -------------------------------------------------------------------------------


def _augmented(machine: MultiPort) -> Verdict:
    n = machine.size - 1
    overlay = augmented_overlay(machine)
    claim = check(overlay)
    rate, most = Fraction(overlay.throughput), least_entrance(machine)
    facts: dict[str, Any] = {"nodes": n, "throughput": to_json(rate), "parts": overlay.parts}
    if claim.bound != rate or rate > most or (rate < most and not is_largest_root(machine, rate)):
        return refuted("it is not as fast as the bound by counting", **facts)
    if reason := misses(overlay):
        return refuted(reason, **facts)
    free = unconstrained_overlay(machine)
    fastest = min(machine.bandwidths[0], sum(machine.bandwidths) / n, *machine.incoming[1:], most)
    if not degrees_of(machine)[0]:
        fastest = min(machine.bandwidths[0], sum(machine.bandwidths) / n, *machine.incoming[1:])
    if free.throughput != fastest or not check(free).optimal or misses(free):
        return refuted(f"without degrees, {fastest} is possible", **facts)
    if not rate:
        return held(**facts)
    sending, used = sent_at(machine, rate), receivers(overlay)
    facts["excess"] = max(u - d for u, d in zip(used, machine.degrees, strict=True))
    for count, x, degree in zip(used, sending, machine.degrees, strict=True):
        if count > min(ceil(x / rate), degree) + 1:
            return refuted(f"{count} receivers, where {degree} are allowed", **facts)
    if claim.optimal != (facts["excess"] <= 0):
        return refuted("optimal, or not, against the degrees", **facts)
    ranges = Counter(len(row) for _, _, row in overlay.arcs)
    if len(overlay.arcs) > 2 * n + 2 or set(ranges) > {1, 2} or ranges[2] > 1:
        return refuted("more than 2 n + 2 arcs, or than one range on most", **facts)
    scale = lcm(*(x.denominator for x in (rate, *sending)))
    if overlay.parts > rate * scale / gcd(*(int(x * scale) for x in (rate, *sending))):
        return refuted("more parts than the unit of T and the X_i asks for", **facts)
    easy = sum(sending) - min(sending[1:]) >= n * rate
    cycles = not has_no_cycle(machine.size, rates_of(overlay))
    if easy == cycles:
        return refuted("a cycle although none is needed, or none although one is", **facts)
    return held(**facts, cycles=cycles)


# Acyclic overlays and trees ----------------------------------------------------------------------


def _acyclic(asked: Attempt) -> Verdict:
    machine, n = asked.machine, asked.machine.size - 1
    if not within(machine, asked.arcs) or not has_no_cycle(machine.size, asked.arcs):
        return not_applicable("the arcs have cycles, or are not within the degrees")
    bound, most = acyclic_bound(machine), least_entrance(machine)
    facts: dict[str, Any] = {"nodes": n, "bound": to_json(bound)}
    sending = sent_at(machine, bound)
    spare = [sum(sending) - sending[i] - n * bound for i in range(1, n + 1)]
    if bound > most or max(spare) < 0:
        return refuted("without any of the nodes, too little is sent", **facts)
    if bound < most and not all(
        is_largest_root(machine, bound, i) for i, left in enumerate(spare, 1) if left >= 0
    ):
        return refuted("some node could be silent at a higher rate", **facts)
    if bound > throughput_bound(machine):
        return refuted("it is above the bound for all overlays", **facts)
    best = best_rates(machine, asked.arcs)
    tried = overlay_of_rates(machine, "acyclic", best.rates, best.throughput, bound)
    if best.throughput > bound or check(tried).bound != bound:
        return refuted(f"on arcs without a cycle {best.throughput} is possible", **facts)
    if machine.arcs:
        return held(**facts)
    overlay = acyclic_overlay(machine)
    if check(overlay).throughput != bound or not has_no_cycle(machine.size, rates_of(overlay)):
        return refuted("the overlay has a cycle, or is not so fast", **facts)
    if reason := misses(overlay):
        return refuted(reason, **facts)
    if not bound:
        return held(**facts)
    used = receivers(overlay)
    facts["excess"] = max(u - d for u, d in zip(used, machine.degrees, strict=True))
    for count, x in zip(used[1:], sending[1:], strict=True):
        if count > ceil(x / bound) + 1:
            return refuted("a node has more than ceil(X / T) + 1 receivers", **facts)
    if used[0] > min(ceil(sending[0] / bound), machine.degrees[0]) or len(overlay.arcs) > 2 * n:
        return refuted("the source has too many receivers, or there are over 2 n arcs", **facts)
    return held(**facts)


@cache
def _trees(size: int) -> tuple[tuple[Arc, ...], ...]:
    """All spanning arborescences of so many nodes."""
    options = product(*([(i, j) for i in range(size) if i != j] for j in range(1, size)))
    return tuple(arcs for arcs in options if spans(size, [0], arcs))


def _rate_of(machine: MultiPort, tree: tuple[Arc, ...]) -> Fraction:
    """The rate of a tree, by its least arc; 0 if it is not within the degrees."""
    if not within(machine, tree):
        return Fraction(0)
    children = Counter(i for i, _ in tree)
    rates = [machine.bandwidths[i] / count for i, count in children.items()]
    return min([*rates, *machine.incoming[1:]])


def _depth(arcs: Iterable[Arc]) -> int:
    """Arcs from the source to the deepest node of a tree."""
    parent, deepest = {j: i for i, j in arcs}, 0
    for node in parent:
        depth = 0
        while node:
            node, depth = parent[node], depth + 1
        deepest = max(deepest, depth)
    return deepest


def _tree(machine: MultiPort) -> Verdict:
    if machine.arcs:
        return not_applicable("arcs are given")
    n, bound, most = machine.size - 1, tree_bound(machine), least_entrance(machine)
    facts: dict[str, Any] = {"nodes": n, "bound": to_json(bound)}
    rows = list(zip(machine.bandwidths, machine.degrees, strict=True))
    children = [min(d, floor(b / bound)) if bound else d for b, d in rows]
    if bound > most or (bound and sum(children) < n):
        return refuted("at this rate there are fewer than n children", **facts)
    # How many b / j with j <= d are above the bound.
    above = sum(min(d, ceil(b / bound) - 1) if bound else d * (b > 0) for b, d in rows)
    if bound < most and above >= n:
        return refuted("at a higher rate there are n children", **facts)
    tree = best_tree(machine)
    if check(tree).throughput != bound or not tree.optimal:
        return refuted("the tree does not reach the bound", **facts)
    if reason := misses(tree):
        return refuted(reason, **facts)
    if bound:
        arcs = [(i, j) for i, j, _ in tree.arcs]
        facts["depth"] = _depth(arcs)
        if not spans(machine.size, [0], arcs):
            return refuted("it is no tree", **facts)
    if n <= _ALL_TREES:
        rates = {one: _rate_of(machine, one) for one in _trees(machine.size)}
        if bound != max(rates.values()):
            return refuted(f"of all trees the best has {max(rates.values())}", **facts)
        if bound and facts["depth"] > min(_depth(t) for t, rate in rates.items() if rate == bound):
            return refuted("another tree of this rate is less deep", **facts)
    return held(**facts)


def _tree_as_printed(machine: MultiPort) -> Verdict:
    """The largest T with sum_i min(d_i, floor(b_i / T)) >= n is one of the b_i / j."""
    n = machine.size - 1
    if n > _ALL_TREES:
        return not_applicable("too many trees to look at")
    rows = list(zip(machine.bandwidths, machine.degrees, strict=True))
    rates = [b / j for b, d in rows for j in range(1, d + 1) if b]
    fitting = [T for T in rates if sum(min(d, floor(b / T)) for b, d in rows) >= n]
    printed = max(fitting, default=Fraction(0))
    best = max(_rate_of(machine, tree) for tree in _trees(machine.size))
    facts = {"printed": to_json(printed), "best": to_json(best)}
    if printed != best:
        return refuted("the best of all trees has another rate", **facts)
    return held(**facts)


# Instances ---------------------------------------------------------------------------------------


def _attempt(choices: Choices, bound: int) -> Attempt:
    return attempt(choices, bound)


def _forward(choices: Choices, bound: int) -> Attempt:
    return attempt(choices, bound, forward=True)


def _free(choices: Choices, bound: int) -> MultiPort:
    return multi_port(choices, max_receivers=bound, incoming=True)


def _open(choices: Choices, bound: int) -> MultiPort:
    return multi_port(choices, max_receivers=bound)


_FIGURE_1 = MultiPort([2, 1, 1], [2, 1, 1])
_EVERYWHERE = tuple((i, j) for i in range(3) for j in range(1, 3) if i != j)
_SILENT_SOURCE = MultiPort([1, 1, 1], [0, 2, 2])
_EQUAL = MultiPort([1, 5], [1, 0])


def _machines() -> tuple[MultiPort, ...]:
    return (
        MultiPort([3, 0], [1, 0]),
        MultiPort([0, 1], [1, 1]),
        _EQUAL,  # f vanishes from 0 to 1
        _SILENT_SOURCE,
        _FIGURE_1,
        MultiPort([1, 0, 0], [1, 1, 1]),  # degrees of nodes without bandwidth
        MultiPort([2, 1, 2], [1, 2, 1]),  # who can send least depends on T
        MultiPort([1, 1, 2], [1, 1, 0]),
        MultiPort([2, 1, 1, 0], [2, 1, 1, 0]),  # one receiver more is needed
        MultiPort([1, 4, 4], [1, 1, 1]),
        MultiPort([3, Fraction(3, 2), 1, Fraction(1, 2)], [3, 2, 1, 1]),
        MultiPort([3, 4, 1, 0, 0], [2, 2, 1, 0, 0]),
        MultiPort([9, 9, 9], [2, 2, 2], [0, 4, 3]),
        MultiPort([10**40 + 1, 10**40, 10**40], [2, 10**20, 1]),
        MultiPort([9, *[8] * 9], [1] * 10),  # a long path
    )


_COUNTED = ("exactsched/overlay/bounds.py",)
_BUILT = ("exactsched/overlay/sequential.py", *_COUNTED)

CLAIMS = (
    Claim(
        id="beaumont2010.eq5",
        statement=(
            "X_i(T) = min(b_i, T d_i), and C is the least of b_0 (0 if d_0 = 0) and all incoming"
            " bandwidths. The T >= 0 with sum_i X_i(T) >= n T are an interval [0, T*], and no"
            " overlay within the degrees has a throughput above U = min(C, T*). Degrees above n"
            " change nothing."
        ),
        reference=f"{PAPER}, equation (5)",
        status="corrected",
        page="overlay-bounds",
        implemented=_COUNTED,
        checked_by="`check`; value and slope at T*; the best rates on arcs; all sets of few arcs",
        instance_type=Attempt,
        instance=_attempt,
        check=_counted,
        bounds=Bounds(5, 12, 40),
        corners=lambda: (
            *[Attempt(machine, ()) for machine in _machines()],
            Attempt(_FIGURE_1, _EVERYWHERE),
            Attempt(MultiPort([1, 1, 1], [2, 1, 1], (), [(0, 1), (1, 2)]), ((0, 1), (1, 2))),
        ),
        corrects="beaumont2010.eq5.printed",
    ),
    Claim(
        id="beaumont2010.eq5.printed",
        statement="There is only one T > 0 with sum_i min(b_i, T d_i) = n T.",
        reference=f"{PAPER}, section IV-A",
        status="wrong as printed",
        page="overlay-bounds",
        implemented=(),
        checked_by="the roots between all bends",
        instance_type=MultiPort,
        instance=_open,
        check=_roots_as_printed,
        bounds=Bounds(5, 12, 40),
        counterexample=lambda: _EQUAL,
    ),
    Claim(
        id="beaumont2010.augmented",
        statement=(
            "Without given arcs there is an overlay of throughput U in which node i sends to at"
            " most ceil(X_i / U) + 1 <= d_i + 1 others, with 2 n + 2 arcs and one range of parts on"
            " all but one of them; if the X_i and U are multiples of a unit, U / unit parts do. It"
            " has cycles only if the nodes but the least send less than n U. Without degrees,"
            " min(b_0, r_1, ..., r_n, sum b / n) is possible."
        ),
        reference=f"{PAPER}, section IV-B (max(d_i + 2, 4) receivers)",
        status="sharpened",
        page="overlay-augmentation",
        implemented=("exactsched/overlay/augmented.py", *_BUILT),
        checked_by="`check`; parts one by one; value and slope at T*; receivers counted again",
        instance_type=MultiPort,
        instance=machine_without_arcs,
        check=_augmented,
        bounds=Bounds(7, 20, 300),
        corners=_machines,
        corrects="beaumont2010.augmented.printed",
    ),
    *overlay_diversions.CLAIMS,
    Claim(
        id="beaumont2010.acyclic",
        statement=(
            "No acyclic overlay within the degrees exceeds A = min(C, A*), A* the largest T for"
            " which the sum of the X_j(T), without some X_i(T), i > 0, is n T at least; and A <= U."
            " Without given arcs there is an acyclic one of throughput A in which node i sends to"
            " at most ceil(X_i / A) + 1 <= d_i + 1 others, and the source to ceil(X_0 / A) <= d_0."
        ),
        reference=f"{PAPER}, section V-A and algorithm 1",
        status="corrected",
        page="overlay-bounds",
        implemented=_BUILT,
        checked_by="`check`; value and slope without each node; the best rates on acyclic arcs",
        instance_type=Attempt,
        instance=_forward,
        check=_acyclic,
        bounds=Bounds(5, 12, 40),
        corners=lambda: tuple(Attempt(machine, ()) for machine in _machines()),
    ),
    Claim(
        id="beaumont2010.tree",
        statement=(
            "Without given arcs the best tree within the degrees has the rate min(C, B), B the n-th"
            " largest of all b_i / j, j = 1, ..., d_i. Of the trees of this rate with at most"
            " min(d_i, floor(b_i / T)) children at node i, the one returned is least deep."
        ),
        reference=f"{PAPER}, section V-A",
        status="corrected",
        page="overlay-bounds",
        implemented=("exactsched/overlay/tree.py", *_COUNTED),
        checked_by=f"`check`; shares counted again; all trees, up to {_ALL_TREES} receivers",
        instance_type=MultiPort,
        instance=_free,
        check=_tree,
        bounds=Bounds(5, 20, 200),
        corners=_machines,
        corrects="beaumont2010.tree.printed",
    ),
    Claim(
        id="beaumont2010.tree.printed",
        statement=(
            "The largest throughput of a single tree is the largest T such that the sum of all"
            " min(d_i, floor(b_i / T)) is n at least."
        ),
        reference=f"{PAPER}, section V-A",
        status="wrong as printed",
        page="overlay-bounds",
        implemented=(),
        checked_by="all trees",
        instance_type=MultiPort,
        instance=_open,
        check=_tree_as_printed,
        bounds=Bounds(3, 3, 3),
        counterexample=lambda: MultiPort([1, 4, 4], [1, 1, 1]),
    ),
    *overlay_packings.CLAIMS,
    *overlay_programs.CLAIMS,
)
