"""Lower bounds on the steps of all schedules of packets: ports, distances, counting, occupancy.

Proofs: `proofs/rounds-certificates.md`, for broadcasts and for packets from several nodes, with
arcs of any whole durations, in both port models.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, gcd

from exactsched.certificate.bounds import CutBound
from exactsched.certificate.collectives import Series
from exactsched.certificate.synchronous import OccupancyProof, WeightedSet
from exactsched.exact.arguments import over_common_denominator
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast
from exactsched.synchronous.branches import by_ports
from exactsched.synchronous.graph import PORTS, SynchronousGraph


@dataclass(frozen=True, slots=True)
class RoundsBound:
    """No schedule needs fewer than `steps` steps; `rule` says why.

    Rules are "ports", "distances", "counting" and "occupancy".
    """

    steps: int
    rule: str


def rounds_bound(
    graph: SynchronousGraph,
    packets: int,
    ports: str = "half-duplex",
    occupancy: Sequence[OccupancyProof] = (),
) -> RoundsBound:
    """The largest bound on the steps in which `packets` packets of each source reach everybody.

    - ports: a node receives what it lacks and sends into each of its branches, which it alone
      joins with the others, every packet that starts elsewhere;
    - distances: the packet that leaves its source last has to reach the last node;
    - counting: a step has no more transfers to the nodes from some distance on than senders that
      can have a packet by then, and no more than pairs of nodes that can have one after it;
    - occupancy: prices of ports and odd sets pay for the cuts that every packet has to cross;
      a second proof has the prices of the last step.

    It is a multiple of what divides the durations of all arcs, as the optimum is.

    Raises `InvalidInput` for a number of packets that is not positive, and for other `ports`.
    Near-linear time for each source; hardly any for the number of packets.

    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.platforms.built_in import complete, grid
    >>> rounds_bound(synchronous_graph(grid(32, 32), 0), 2500)
    RoundsBound(steps=5027, rule='counting')
    >>> [rounds_bound(synchronous_graph(complete(4), 0), packets).steps for packets in range(1, 7)]
    [2, 4, 5, 7, 8, 10]
    """
    if ports not in PORTS:
        raise InvalidInput("ports", ports, f"ports are one of {', '.join(PORTS)}")
    own = [0] * graph.size
    for source, number in graph.origins(packets):
        own[source] = number
    if graph.size == 1:
        return RoundsBound(0, "ports")
    bounds = {
        "ports": by_ports(graph, own, ports),
        "distances": _by_distances(graph, packets),
        "counting": _by_counting(graph, own, ports),
    }
    if occupancy:
        bounds["occupancy"] = _by_occupancy(own, occupancy)
    rule = max(bounds, key=lambda name: bounds[name])
    unit = gcd(*(steps for _, _, steps in graph.arcs))
    return RoundsBound(_up(bounds[rule], unit) * unit, rule)


def occupancy_proof(certificate: Series) -> OccupancyProof:
    """The proof that no steady broadcast is faster, for runs in steps on the same platform.

    N packets take at least N / throughput steps.  Raises `InvalidInput` for a certificate about
    link ports or about restricted broadcasts.

    >>> from exactsched.certificate import parse
    >>> from exactsched.steady_state.broadcast import broadcast
    >>> from exactsched.platforms.built_in import ring
    >>> steady = broadcast(ring(4), 0, ports="half-duplex")
    >>> steady.throughput
    Fraction(2, 3)
    >>> proof = occupancy_proof(parse(steady.certificate()))
    >>> sum(proof.prices) / sum(weight for _, weight in proof.cuts)
    Fraction(2, 3)
    """
    problem, leaf = certificate.problem, certificate.proof
    if problem.ports not in PORTS:
        raise InvalidInput("ports", problem.ports, f"ports are one of {', '.join(PORTS)}")
    if not isinstance(leaf, CutBound) or not isinstance(problem, Broadcast):
        raise InvalidInput(
            "restrict", getattr(problem, "restrict", ""), "a bound on all broadcasts is needed"
        )
    kinds = ("port",) if problem.ports == "half-duplex" else ("send", "recv")
    nodes, position = problem.platform.nodes, problem.platform.position

    def numbers(some: Sequence[Node]) -> tuple[int, ...]:
        return tuple(sorted(position[node] for node in some))

    return OccupancyProof(
        prices=tuple(
            leaf.prices.get(f"{kind}:{node}", Fraction(0)) for kind in kinds for node in nodes
        ),
        odd_sets=tuple(WeightedSet(numbers(members), price) for members, price in leaf.odd_sets),
        cuts=tuple(
            WeightedSet(numbers(leaf.order[start:stop]), weight)
            for start, stop, weight in leaf.cuts
        ),
    )


def _fastest(graph: SynchronousGraph) -> tuple[list[int], list[int]]:
    """For each node the steps of its fastest arc in, and out; 0 if there is none."""
    into, out_of = [0] * graph.size, [0] * graph.size
    for tail, head, steps in sorted(graph.arcs, key=lambda arc: -arc[2]):
        into[head] = out_of[tail] = steps
    return into, out_of


def _by_distances(graph: SynchronousGraph, packets: int) -> int:
    out_of = _fastest(graph)[1]
    fastest = min(steps for _, _, steps in graph.arcs)
    best = 0
    for source in graph.sources:
        rounds = max(rounds for _, _, rounds in _gains(graph, (source,)))
        last = max(rounds * fastest, _farthest(graph, source))
        best = max(best, (packets - 1) * out_of[source] + last)
    return best


def _farthest(graph: SynchronousGraph, source: int) -> int:
    """The largest distance in steps: nodes by the step in which they are reached."""
    leaving = defaultdict(list)
    for tail, head, steps in graph.arcs:
        leaving[tail].append((head, steps))
    reached: set[int] = set()
    arriving = {0: [source]}
    last = 0
    while len(reached) < graph.size:
        last = min(arriving)
        for node in set(arriving.pop(last)) - reached:
            reached.add(node)
            for head, steps in leaving[node]:
                arriving.setdefault(last + steps, []).append(head)
    return last


def _by_counting(graph: SynchronousGraph, own: Sequence[int], ports: str) -> int:
    """The largest bound of those on the nodes from some distance on, which their ports give."""
    into = _fastest(graph)[0]
    work: defaultdict[int, int] = defaultdict(int)
    for node, walks in enumerate(_walks(graph, graph.sources)):
        work[min(walks)] += (sum(own) - own[node]) * into[node]
    gains = _gains(graph, graph.sources)
    last = max(rounds for _, _, rounds in gains)
    steps = [duration for _, _, duration in graph.arcs]
    durations = min(steps), max(steps)
    # Which nodes a transfer pairs off, if their ports do one thing at a time.
    pairs = "none" if ports == "one-port" else "any two" if _sides(graph) is None else "two sides"
    # In each round how many more can be informed, on either side: a sum from the farthest on.
    far, near = ([[0, 0] for _ in range(last + 1)] for _ in range(2))
    levels = defaultdict(list)
    for (distance, side, rounds), number in gains.items():
        levels[distance].append((side, rounds, number))
    spacing = _up(len(levels) ** 2, 1 << 18)
    received = best = 0
    for distance in range(len(levels), -1, -1):
        # Receivers are far; their senders are near, no more than one arc less far.
        for side, rounds, number in levels.get(distance, ()):
            far[rounds][side] += number
        for side, rounds, number in levels.get(distance - 1, ()):
            near[rounds][side] += number
        received += work[distance]
        if distance % spacing == 0:
            best = max(best, _time_to_receive(durations, pairs, received, far, near))
    return best


def _time_to_receive(
    durations: tuple[int, int],
    pairs: str,
    work: int,
    far: Sequence[Sequence[int]],
    near: Sequence[Sequence[int]],
) -> int:
    """Steps in which so much work at far nodes may be done, if all are busy that can be."""
    fastest, slowest = durations
    receivers, senders = [[*accumulate(map(sum, rows))] for rows in (far, near)]
    one, other = ([*accumulate(row[side] for row in near)] for side in (0, 1))
    last = len(far) - 1
    done = 0
    for rounds in range(last + 1):
        end = min(rounds + _up(slowest, fastest), last)
        most = [senders[rounds], receivers[end]]
        if pairs == "two sides":
            most += [one[end], other[end]]
        elif pairs == "any two":
            most.append(senders[end] // 2)
        now = min(most)
        if work <= done + now * fastest or rounds == last:
            break
        done += now * fastest
    return rounds * fastest + (_up(work - done, now) if work > done else 0)


def _up(number: int, divisor: int) -> int:
    return (number + divisor - 1) // divisor


def _gains(graph: SynchronousGraph, sources: Sequence[int]) -> dict[tuple[int, int, int], int]:
    """By (distance, side, round) how many more nodes can have a packet after it than before.

    Without two sides all are on the first.  Whoever has a packet got it first along a chain of
    sends in different rounds, and there is one chain at most for each source and set of rounds.
    """
    sides = _sides(graph) or [0] * graph.size
    detours: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for node, (one, other) in enumerate(_walks(graph, sources)):
        detours[min(one, other), sides[node]].append(max(one, other))
    gains = {}
    for (distance, side), lengths in detours.items():
        lengths.sort()
        rounds, reached = distance, 0
        while reached < len(lengths):
            now = _by_chains(len(sources), distance, rounds, lengths)
            gains[distance, side, rounds] = now - reached
            rounds, reached = rounds + 1, now
    return gains


def _by_chains(sources: int, distance: int, rounds: int, detours: Sequence[int]) -> int:
    """How many nodes at a distance can be at the end of a chain of sends in these rounds.

    For chains of each length no more than nodes to which a walk is that long: all of them if its
    parity is that of the distance, and those whose detour is no longer otherwise.
    """
    direct = sum(
        min(sources * comb(rounds, length), len(detours))
        for length in range(distance, rounds + 1, 2)
    )
    indirect = sum(
        min(sources * comb(rounds, length), bisect_right(detours, length))
        for length in range(distance + 1, rounds + 1, 2)
    )
    return min(len(detours), direct + indirect)


def _walks(graph: SynchronousGraph, sources: Sequence[int]) -> list[list[int]]:
    """For each node the lengths of a shortest even and a shortest odd walk from a source.

    Where there is none its length is 4 n + 1 for n nodes, longer than any other.
    """
    heads = defaultdict(set)
    for tail, head, _ in graph.arcs:
        heads[tail].add(head)
    walks = [[4 * graph.size + 1] * 2 for _ in range(graph.size)]
    front, length = set(sources), 0
    while front:
        for node in front:
            walks[node][length % 2] = length
        length += 1
        front = {head for node in front for head in heads[node] if walks[head][length % 2] > length}
    return walks


def _sides(graph: SynchronousGraph) -> list[int] | None:
    """Two sides between which all arcs go, if there are such."""
    near = defaultdict(list)
    for tail, head, _ in graph.arcs:
        near[tail].append(head)
        near[head].append(tail)
    sides: dict[int, int] = {}
    stack = [(0, 0)]
    while stack:
        node, side = stack.pop()
        if node not in sides:
            sides[node] = side
            stack += [(other, 1 - side) for other in near[node]]
    if any(sides[tail] == sides[head] for tail, head, _ in graph.arcs):
        return None
    return [sides[node] for node in range(graph.size)]


def _by_occupancy(own: Sequence[int], proofs: Sequence[OccupancyProof]) -> int:
    """Of proofs whose prices pay for the cuts: whether they do is for the checker to say."""
    cuts = [
        (sum(own) - sum(own[node] for node in nodes)) * weight for nodes, weight in proofs[0].cuts
    ]
    offered = [
        sum([*proof.prices, *(len(nodes) // 2 * price for nodes, price in proof.odd_sets)])
        for proof in proofs
    ]
    numbers, _ = over_common_denominator([*offered, *cuts])
    each, last, needed = numbers[0], numbers[1 : len(proofs)], sum(numbers[len(proofs) :])
    if each <= 0:
        raise InvalidInput("occupancy", each, "some price is positive")
    return len(last) + _up(needed - sum(last), each)
