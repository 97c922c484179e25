"""Overlays in words: what was asked and claimed, and why nothing is better."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from exactsched.certificate.overlay import CaseProof, Overlay
from exactsched.drawing.lettering import counted, listed, short
from exactsched.drawing.overlay.traffic import Traffic

_DIGITS = 30
_NOUNS = {"any": "overlay", "acyclic": "acyclic overlay", "tree": "tree"}


def headline(traffic: Traffic) -> tuple[str, str]:
    """What was asked, and what is claimed, each on a line."""
    overlay = traffic.overlay
    noun, bound = _NOUNS[overlay.structure], _shown(overlay.bound)
    kind = {"any": "overlay", "acyclic": "overlay without cycles", "tree": "tree"}
    others = counted(overlay.machine.size - 1, "node")
    title = f"Broadcast {kind[overlay.structure]}: a source and {others}"
    reached = f"Throughput {_shown(overlay.throughput)}"
    if overlay.optimal:
        return title, f"{reached} \u2014 optimal: no {noun} within the degrees is faster"
    if traffic.above:
        most = max(traffic.degrees[node] - overlay.machine.degrees[node] for node in traffic.above)
        by = f"by {most}" if len(traffic.above) == 1 else f"by at most {most}"
        above = f"{counted(len(traffic.above), 'node')} above the degree bound {by}"
        return title, f"{reached} with {above}; no {noun} within the degrees exceeds {bound}"
    return title, f"{reached} \u2014 no {noun} within the degrees exceeds {bound}"


def bound_in_words(traffic: Traffic) -> list[str]:
    """The argument behind `bound`, in paragraphs."""
    overlay = traffic.overlay
    if overlay.proof:
        return _by_cases(overlay.proof[0])
    machine, bound = overlay.machine, Fraction(overlay.bound)
    degrees = allowed_degrees(overlay)
    if not degrees[0]:
        return ["The source may send to nobody."]
    if bound == machine.bandwidths[0]:
        rate = _shown(bound)
        return [f"The source sends no faster than {rate}, and every part comes from it first."]
    for node, incoming in enumerate(machine.incoming[1:], 1):
        if incoming == bound:
            return [f"{traffic.name(node)} receives no faster than {_shown(bound)}."]
    if overlay.structure == "tree":
        return _by_degrees(overlay, degrees)
    silent = None
    if overlay.structure == "acyclic":
        others = range(1, machine.size)
        silent = min(others, key=lambda node: min(machine.bandwidths[node], bound * degrees[node]))
    return _by_counting(traffic, degrees, silent)


def bound_in_short(traffic: Traffic) -> str:
    """The same on a line."""
    overlay = traffic.overlay
    if overlay.proof:
        proof = overlay.proof[0]
        cases = "one case" if len(proof.leaves) == 1 else f"each of {len(proof.leaves)} cases"
        return f"inequalities of a linear program add up to a contradiction in {cases}"
    *_, last = bound_in_words(traffic)
    return last[0].lower() + last[1:].rstrip(".")


def allowed_degrees(overlay: Overlay) -> list[int]:
    """To how many others each node may send."""
    machine = overlay.machine
    most = Counter(sender for sender, _ in machine.arcs)
    all_others = machine.size - 1
    return [
        min(degree, most[node] if machine.arcs else all_others)
        for node, degree in enumerate(machine.degrees)
    ]


def _by_counting(traffic: Traffic, degrees: list[int], silent: int | None) -> list[str]:
    """n T <= B + D T: B of those whom their bandwidths limit, D of those whom degrees limit."""
    machine, bound = traffic.overlay.machine, Fraction(traffic.overlay.bound)
    needed = machine.size - 1
    narrow: list[int] = []
    wide: list[int] = []
    for node in range(machine.size):
        if node != silent:
            limited = machine.bandwidths[node] <= bound * degrees[node]
            (narrow if limited else wide).append(node)
    sending = sum((machine.bandwidths[node] for node in narrow), Fraction(0))
    reaching = sum(degrees[node] for node in wide)
    said = [
        "At throughput T, a node sends at a rate of at most its bandwidth, and of at most T to each"
        " of as many others as its degree allows."
    ]
    if silent is not None:
        said.append(
            "Without cycles some node sends nothing to the others: all that it has, they have"
            f" already. At best this is {traffic.name(silent)}, which can send the least."
        )
    terms = []
    if sending:
        names = listed(traffic.name(node) for node in narrow)
        said.append(f"The bandwidths of {names} count: together {_shown(sending)}.")
        terms.append(_shown(sending))
    if reaching:
        names = listed(traffic.name(node) for node in wide)
        said.append(f"The degrees of {names} count: together {reaching:,} times T.")
        terms.append(f"{reaching} T")
    received = f"What {counted(needed, 'node')} receive, {needed} T, is at most what is sent"
    said.append(f"{received}, {' + '.join(terms)}: T is at most {_shown(bound)}.")
    return said


def _by_degrees(overlay: Overlay, degrees: list[int]) -> list[str]:
    machine, bound = overlay.machine, Fraction(overlay.bound)
    reached = 0
    for bandwidth, degree in zip(machine.bandwidths, degrees, strict=True):
        if bandwidth:
            # The largest k with k T < b, for a T that is a little larger than the bound.
            often = -(-bandwidth // bound) - 1 if bound else degree
            reached += min(degree, often)
    return [
        "In a tree a node sends the whole message to each of its receivers, so that k of them cost"
        " it a bandwidth of k times T.",
        f"If T is above {_shown(bound)}, bandwidths and degrees are enough for"
        f" {counted(reached, 'receiver')} in all, and there are {machine.size - 1}.",
    ]


def _by_cases(proof: CaseProof) -> list[str]:
    ceiling, bound = _shown(proof.ceiling), _shown(proof.bound)
    cases = len(proof.leaves)
    said = [
        f"An overlay within the degrees that is faster than {bound} would solve a system of linear"
        f" inequalities, in which every arc is used or not; {ceiling} is the most that bandwidths"
        " and degrees allow by counting."
    ]
    sums = max((len(factors) for _, factors in proof.leaves), default=0)
    if cases == 1:
        said.append(f"It has no solution: {sums} of the inequalities add up to a contradiction.")
    else:
        said.append(
            f"By whether an arc is used, and then another one, this splits into {cases:,} cases."
            f" None has a solution: at most {sums:,} of its inequalities add up to a contradiction."
        )
    if proof.cuts:
        sets = f"{len(proof.cuts):,} sets" if len(proof.cuts) > 1 else "a set"
        said.append(f"The inequalities use that everything has to be sent into {sets} of nodes.")
    return said


def _shown(number: Fraction | int) -> str:
    return short(number, _DIGITS)
