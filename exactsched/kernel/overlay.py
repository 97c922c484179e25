"""Kind `overlay`: the proved checkers of overlays on bounded multi-port machines.

Only `problem` and `check` are trusted, which compares what is proved with what the document states.
The other functions cut pieces into trees, and find the reason why nothing is faster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any, Final

from exactsched.certificate.budget import hold, products, spend
from exactsched.certificate.overlay import Overlay
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import exact
from exactsched.kernel.generated import overlay as _overlay
from exactsched.kernel.limits import STEPS, affordable, longest_number
from exactsched.kernel.problems import rational
from exactsched.kernel.proved import (
    Claim,
    NotCovered,
    ProvedByKernel,
    not_accepted,
    shown,
    trusted,
)
from exactsched.kernel.runtime import listed
from exactsched.kernel.witnesses import common
from exactsched.kernel.written import fraction
from exactsched.model.machine import MultiPort

# Its functions have no types.
overlay: Any = _overlay
STRUCTURES: Final = {"any": "Any", "acyclic": "Acyclic", "tree": "Tree"}

Term = Any


def problem(document: dict[str, Any]) -> Term:
    """`machine` of overlay/Definitions.v: the source, the other nodes, and which pairs are allowed.

    >>> stated = {"bandwidths": [2, "1/2"], "degrees": [1, 0], "incoming": [], "arcs": []}
    >>> problem({"machine": stated})
    ((0, (2, 1), 1, None), ((1, (1, 2), 0, None), ()), None)
    """
    machine = document["machine"]
    limits = [(rational(number),) for number in machine["incoming"]]
    nodes = [
        (index, rational(bandwidth), int(degree), limits[index] if limits else None)
        for index, (bandwidth, degree) in enumerate(
            zip(machine["bandwidths"], machine["degrees"], strict=True)
        )
    ]
    arcs = [(int(sender), int(receiver)) for sender, receiver in machine["arcs"]]
    return nodes[0], listed(nodes[1:]), (listed(arcs),) if arcs else None


def check(document: dict[str, Any], stated: Overlay) -> ProvedByKernel:
    """What is proved about the best throughput.  Raises `Rejected`, `NotCovered`."""
    if document["proof"]:
        raise NotCovered("proof", len(stated.proof), "proofs by cases have no proved checker")
    machine, structure = problem(document), STRUCTURES[document["structure"]]
    throughput, bound = (exact(document[name], name) for name in ("throughput", "bound"))
    rate = throughput.as_integer_ratio()
    _afford(stated, longest_number((machine, rate)))
    trees = _trees(stated)
    arcs = [(sender, receiver) for sender, receiver, _ in stated.arcs]
    heights = _heights(arcs)
    if (stated.structure == "acyclic" and heights is None) or _two_parents(stated):
        raise Rejected("arcs", "as they are", f"an overlay of the structure {stated.structure}")
    run = machine, rate, stated.parts, trees
    rows = listed(arcs), listed(heights or ())
    reached = overlay.check_reached(machine, structure, *run[1:], *rows)
    if not reached and not overlay.check_overlay(*run):
        raise not_accepted("arcs")
    least, reason = _bound(stated)
    if not overlay.proves(machine, structure, least.as_integer_ratio(), reason):
        raise NotCovered("bound", document["bound"], "its proof by counting has no proved checker")
    if bound != least:
        raise Rejected("bound", document["bound"], f"the proved checker finds {shown(least)}")
    optimal = reached and throughput == bound
    if document["optimal"] is not optimal:
        rule = "whether throughput and bound are the same, within the degrees"
        raise Rejected("optimal", document["optimal"], rule)
    left_open = () if reached or stated.structure == "any" else ("the structure of the overlay",)
    size = f"{stated.machine.size} nodes"
    return ProvedByKernel(
        kind="overlay",
        asked=size if stated.structure == "any" else f"{size}, {stated.structure}",
        claims=_claims(throughput, bound, reached, structure.lower()),
        values={"throughput": throughput, "bound": bound},
        optimal=optimal,
        left_open=left_open,
        trusted=trusted("exactsched/kernel/overlay.py"),
    )


def _claims(
    throughput: Fraction, bound: Fraction, reached: bool, structure: str
) -> tuple[Claim, ...]:
    rate, most = fraction(Fraction(throughput)), fraction(Fraction(bound))
    if reached and throughput == bound:
        says = f"the best throughput is {shown(throughput)}"
        theorem = "overlay.Soundness.check_best_sound"
        return (Claim(says, f"best M {structure} {rate}", theorem),)
    says = f"an overlay within the degrees has the throughput {shown(throughput)}"
    has = Claim(says, f"reached M {structure} {rate}", "overlay.Soundness.check_reached_sound")
    if not reached:
        says = f"an overlay, whatever its degrees, has the throughput {shown(throughput)}"
        has = Claim(says, f"overlay_of M {rate}", "overlay.Soundness.check_overlay_sound")
    says = f"none within the degrees has more than {shown(bound)}"
    no_more = Claim(says, f"never_more M {structure} {most}", "overlay.Bounds.proves_sound")
    return has, no_more


def _afford(stated: Overlay, longest: int) -> None:
    """Every tree has all nodes; the bandwidths are added up."""
    machine = stated.machine
    with affordable():
        trees = len(_ends(stated)) * (machine.size + 1)
        spend(STEPS * (trees + 2 * len(stated.arcs)), "arcs")
        hold(512 * trees, "arcs")
        bits = longest + common(machine.bandwidths, "machine").bit_length()
        spend(8 * machine.size * (STEPS // 4 + products(bits, bits)), "machine")


def _ends(stated: Overlay) -> list[int]:
    return sorted({end for _, _, pieces in stated.arcs for piece in pieces for end in piece})


def _trees(stated: Overlay) -> Term:
    """For each range between neighboring ends of pieces how many parts it has, and its tree."""
    ends = _ends(stated)
    starts: dict[int, list[tuple[int, int]]] = {}
    stops: dict[int, list[int]] = {}
    for sender, receiver, pieces in stated.arcs:
        for start, stop in pieces:
            starts.setdefault(start, []).append((sender, receiver))
            stops.setdefault(stop, []).append(receiver)
    sender_of: dict[int, int] = {}
    found = []
    for start, stop in pairwise(ends):
        for receiver in stops.get(start, ()):
            sender_of.pop(receiver, None)
        for sender, receiver in starts.get(start, ()):
            if receiver in sender_of:
                rule = f"node {receiver} receives every part once"
                raise Rejected("arcs", [sender, receiver], rule)
            sender_of[receiver] = sender
        found.append((stop - start, listed(_from_the_source(sender_of))))
    return listed(found)


def _from_the_source(sender_of: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The arcs of a tree, each after the one into its sender; those on cycles are left out."""
    receivers: dict[int, list[int]] = {}
    for receiver, sender in sender_of.items():
        receivers.setdefault(sender, []).append(receiver)
    reached = [0]
    for sender in reached:  # grows while it is read
        for receiver in receivers.get(sender, ()):
            reached.append(receiver)
            yield sender, receiver


def _heights(arcs: Sequence[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """The place of each node in an order along the arcs, if they have no cycle."""
    order: TopologicalSorter[int] = TopologicalSorter()
    for sender, receiver in arcs:
        order.add(receiver, sender)
    try:
        return [(node, place) for place, node in enumerate(order.static_order())]
    except CycleError:
        return None


def _two_parents(stated: Overlay) -> bool:
    receivers = [receiver for _, receiver, _ in stated.arcs]
    return stated.structure == "tree" and len(set(receivers)) < len(receivers)


def _bound(stated: Overlay) -> tuple[Fraction, Term]:
    """The bound by counting, and the reason for it."""
    machine = stated.machine
    degrees = _degrees(machine)
    if not degrees[0]:
        return Fraction(0), ("By_no_degree",)
    others = range(1, machine.size)
    bounds: list[tuple[Fraction, Term]] = [(machine.bandwidths[0], ("By_source",))]
    if machine.incoming:
        slowest = min(others, key=machine.incoming.__getitem__)
        bounds.append((machine.incoming[slowest], ("By_receiver", slowest)))
    bandwidths = machine.bandwidths
    if stated.structure == "tree":
        bounds.append((_child(bandwidths, degrees), ("By_children",)))
    elif stated.structure == "any":
        best = _largest(bandwidths, degrees, -1)
        bounds.append((best, ("By_all", _full(bandwidths, degrees, best))))
    else:
        weakest = min(others, key=bandwidths.__getitem__)
        fewest = min(others, key=degrees.__getitem__)
        best = max(_largest(bandwidths, degrees, node) for node in (weakest, fewest))
        full = _full(bandwidths, degrees, best)
        least = bandwidths[weakest].as_integer_ratio(), degrees[fewest]
        bounds.append((best, ("By_acyclic", full, full, *least)))
    return min(bounds, key=lambda bound_and_reason: bound_and_reason[0])


def _degrees(machine: MultiPort) -> list[int]:
    """The degrees, or the numbers of allowed arcs if these are less."""
    if not machine.arcs:
        return list(machine.degrees)
    allowed = [0] * machine.size
    for sender, _ in machine.arcs:
        allowed[sender] += 1
    return [min(pair) for pair in zip(machine.degrees, allowed, strict=True)]


def _largest(bandwidths: Sequence[Fraction], degrees: Sequence[int], without: int) -> Fraction:
    """The largest T with sum of min(bandwidth, T degree) >= n T, without one of the nodes."""
    needed = len(bandwidths) - 1
    senders = [
        node
        for node in range(len(bandwidths))
        if node != without and degrees[node] and bandwidths[node]
    ]
    senders.sort(key=lambda node: bandwidths[node] / degrees[node])
    slope = needed - sum(degrees[node] for node in senders)
    total, best = Fraction(0), None
    if slope > 0:
        best = total
    for node in senders:
        total, slope = total + bandwidths[node], slope + degrees[node]
        if slope > 0 and (best is None or total < best * slope):
            best = total / slope
    return best if best is not None else Fraction(0)


def _full(bandwidths: Sequence[Fraction], degrees: Sequence[int], rate: Fraction) -> Term:
    """The nodes whose bandwidth, and not the degree, limits what they send at this rate."""
    nodes = range(len(bandwidths))
    return listed(node for node in nodes if bandwidths[node] <= rate * degrees[node])


def _child(bandwidths: Sequence[Fraction], degrees: Sequence[int]) -> Fraction:
    """The n-th largest of all bandwidths / j, j = 1, ..., degree; 0 if fewer are positive."""
    needed = len(bandwidths) - 1
    known = [(b, min(d, needed)) for b, d in zip(bandwidths, degrees, strict=True) if b and d]
    with affordable():
        spend(STEPS // 2 * sum(degree for _, degree in known), "machine")
    rates = sorted((b / j for b, degree in known for j in range(1, degree + 1)), reverse=True)
    return rates[needed - 1] if len(rates) >= needed else Fraction(0)
