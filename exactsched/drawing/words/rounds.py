"""Runs in rounds in words: what was asked and claimed, and why fewer steps are not enough."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd

from exactsched.certificate.synchronous import OccupancyProof
from exactsched.drawing.lettering import counted, percent, short
from exactsched.drawing.rounds.traffic import RoundTraffic

_DIGITS = 30
# Of distances from several origins: nodes and arcs looked at in all.
_MOST_LOOKS = 2_000_000
_LEVELS_TIMES_ROUNDS = 1 << 18


def headline(traffic: RoundTraffic) -> tuple[str, str]:
    """What was asked, and what is claimed, each on a line."""
    run = traffic.run
    packets = counted(traffic.packets, "packet")
    if len(traffic.origins) == 1:
        title = f"Broadcast in steps, {packets} from {traffic.called(traffic.origins[0])}"
    elif len(traffic.origins) == run.size:
        title = f"All-gather in steps, {packets}"
    else:
        title = f"Broadcast in steps, {packets} from {counted(len(traffic.origins), 'node')}"
    title += f": {counted(run.size, 'node')}, {counted(len(run.arcs), 'arc')}, {run.ports}"
    result = counted(run.steps, "step")
    if run.optimal:
        result += " \u2014 optimal: no run takes fewer"
    else:
        result += f" \u2014 no run takes fewer than {_whole(run.bound)}"
        gap = run.steps - run.bound
        if run.bound > 0 and gap > 0:
            result += f": at most {_whole(gap)} too many"
            if gap * 2 < run.bound:
                result += f" ({percent(Fraction(gap, run.bound))})"
    if traffic.end:
        mean, most = short(traffic.mean(), 1), f"{traffic.ceiling:,}"
        result += f"; {mean} of at most {most} transfers under way on average"
    return title, result


def _whole(number: int) -> str:
    return f"{number:,}" if number.bit_length() <= 64 else short(number, _DIGITS)


def bound_in_words(traffic: RoundTraffic) -> list[str]:
    """Arguments that give `bound`, each a paragraph; what they say is computed here again."""
    run = traffic.run
    if not traffic.receivers:
        return ["There is nothing to send: every node has everything from the start."]
    if not run.arcs:
        return ["There are no arcs."]
    divisor = gcd(*traffic.durations)
    found = []
    for value, said in (
        _by_ports(traffic),
        _by_counting(traffic),
        *_by_distances(traffic),
        *([_by_occupancy(traffic, run.occupancy)] if run.occupancy else []),
    ):
        rounded = -(-value // divisor) * divisor
        if rounded == run.bound:
            up = ""
            if rounded != value:
                up = (
                    f" Every duration is a multiple of {divisor:,}, so the least number of steps is"
                    f" one as well: {_whole(rounded)}."
                )
            found.append(said + up)
    if found:
        return found
    return [
        f"The certificate states that no run takes fewer than {_whole(run.bound)} steps,"
        " by what a node has to send into its branches, by how many transfers to far nodes there"
        " can be in each step, or by the distances of nodes; the checker computes this again"
        " (bounds 1 to 4 of proofs/rounds-certificates.md)."
    ]


def _by_ports(traffic: RoundTraffic) -> tuple[int, str]:
    """Each node receives what it lacks, and sends what it alone has at first."""
    size, run = traffic.run.size, traffic.run
    into, out_of = [0] * size, [0] * size
    for tail, head, duration in run.arcs:
        into[head] = min(into[head] or duration, duration)
        out_of[tail] = min(out_of[tail] or duration, duration)
    best, busiest = -1, 0
    for node, own in enumerate(traffic.own):
        receiving, sending = (traffic.packets - own) * into[node], own * out_of[node]
        both = receiving + sending
        busy = both if run.ports == "half-duplex" else max(receiving, sending)
        if busy > best:
            best, busiest = busy, node
    own = traffic.own[busiest]
    lacks = counted(traffic.packets - own, "packet")
    steps = counted(best, "step")
    if run.ports == "half-duplex":
        said = f"{traffic.called(busiest)} has to receive {lacks} and to send {own:,} of its own"
    elif (traffic.packets - own) * into[busiest] == best:
        said = f"{traffic.called(busiest)} has to receive {lacks}"
    else:
        said = f"{traffic.called(busiest)} has to send {counted(own, 'packet')} of its own"
    return best, f"Ports: {said}, which keeps a port busy for {steps} at least."


def _by_counting(traffic: RoundTraffic) -> tuple[int, str]:
    """The first time at which all that far nodes lack may have been sent."""
    into: dict[int, int] = {}
    for _, head, duration in traffic.run.arcs:
        into[head] = min(into.get(head, duration), duration)
    farthest = max(traffic.distances)
    work = [0] * (farthest + 1)
    for node in traffic.receivers:
        lacking = (traffic.packets - traffic.own[node]) * into.get(node, 0)
        work[max(traffic.distances[node], 0)] += lacking
    capacity = traffic.capacity()
    best, at = counted_until(capacity, sum(work)), 0
    # As the checker does, not all distances in a very long graph.
    spacing = -(-((farthest + 1) ** 2) // _LEVELS_TIMES_ROUNDS)
    for distance in range(spacing, farthest + 1, spacing):
        steps = counted_until(traffic.capacity(distance), sum(work[distance:]))
        best, at = max((best, at), (steps, distance), key=lambda pair: pair[0])
    needed = counted(sum(work[at:]), "transfer" if traffic.unit else "step")
    of = "" if traffic.unit else " of transfers"
    if not at:
        said = f"Counting: what the nodes lack takes {needed}{of}"
        if capacity[0][1] < traffic.ceiling:
            said += ". At first few nodes can have a packet and send it"
    else:
        said = (
            f"Counting: what the nodes {counted(at, 'arc')} or more away lack takes {needed}{of}."
            " Packets are not there before some steps, and then at few nodes"
        )
    return best, (
        f"{said}, and no more than {counted(traffic.ceiling, 'transfer')} can be under way"
        f" together: this takes {counted(best, 'step')}."
    )


def counted_until(capacity: Sequence[tuple[int, int]], needed: int) -> int:
    """The first time at which numbers that hold from a time on add up to what is needed.

    >>> counted_until([(0, 1), (1, 2)], 6)
    4
    """
    for (start, number), (stop, _) in pairwise(capacity):
        if number and needed <= number * (stop - start):
            return start - (-needed // number)
        needed -= number * (stop - start)
    start, number = capacity[-1]
    return start - (-needed // number) if number else start


def _by_distances(traffic: RoundTraffic) -> list[tuple[int, str]]:
    """The packet that leaves its origin after all others still has to go everywhere."""
    run = traffic.run
    if len(traffic.origins) * (run.size + len(run.arcs)) > _MOST_LOOKS:
        return []
    best, said = -1, ""
    for origin in traffic.origins:
        fastest = min((d for tail, _, d in run.arcs if tail == origin), default=0)
        waiting = (traffic.own[origin] - 1) * fastest
        far = traffic.farthest(origin)
        if waiting + far > best:
            best = waiting + far
            said = (
                f"Distances: the packet that leaves {traffic.called(origin)} after all others"
                f" leaves it in step {_whole(waiting)} or later, and the farthest node is"
                f" {counted(far, 'step')} away: this takes {counted(best, 'step')}."
            )
    return [(best, said)]


def _by_occupancy(traffic: RoundTraffic, proofs: Sequence[OccupancyProof]) -> tuple[int, str]:
    """What the prices of all ports and odd sets pay, and what the cuts need."""
    proof, *later = proofs
    spent, last = _offered(proof), sum(map(_offered, later), Fraction(0))
    needed = sum(
        (
            weight * (traffic.packets - sum(traffic.own[node] for node in nodes))
            for nodes, weight in proof.cuts
        ),
        Fraction(0),
    )
    steps = len(later) - (last - needed) // spent if spent else 0
    sets = counted(len(proof.odd_sets), "odd set")
    priced = f"the ports and {sets}" if proof.odd_sets else "the ports"
    at_last = f", and {short(last, _DIGITS)} in the last step" if later else ""
    return steps, (
        f"Occupancy: prices of {priced} pay {short(spent, _DIGITS)} in a step at most{at_last}. All"
        f" packets together cost {short(needed, _DIGITS)}, since they enter"
        f" {counted(len(proof.cuts), 'cut')}: this takes {counted(steps, 'step')}."
    )


def _offered(proof: OccupancyProof) -> Fraction:
    odd = [price * (len(nodes) // 2) for nodes, price in proof.odd_sets]
    return Fraction(sum([*proof.prices, *odd]))
