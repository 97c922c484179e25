"""Kind `rounds`: the proved checkers of runs in synchronous rounds.

Only `problem` and `check` are trusted, which compares what is proved with what the document states.
The other functions find a proof that fewer steps are not enough, of the kinds that are proved:
occupancy, distances, and counting.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import accumulate
from math import comb, gcd
from typing import Any, Final, NamedTuple

from exactsched.certificate.budget import spend
from exactsched.certificate.synchronous import OccupancyProof, SynchronousRun, WeightedSet
from exactsched.exact.errors import Rejected
from exactsched.kernel.generated import rounds as _rounds
from exactsched.kernel.limits import STEPS, affordable, longest_number
from exactsched.kernel.proved import (
    Claim,
    NotCovered,
    ProvedByKernel,
    not_accepted,
    shown,
    trusted,
)
from exactsched.kernel.runtime import listed
from exactsched.kernel.witnesses import common, scaled

# Its functions have no types.
rounds: Any = _rounds
PORTS: Final = {"half-duplex": "Half_duplex", "one-port": "One_port"}
# Far nodes are tried from every distance on, or in a long graph from some.
LEVELS_TIMES_ROUNDS: Final = 1 << 18

Term = Any
Arcs = Sequence[tuple[int, int, int]]  # tail, head, steps


def problem(document: dict[str, Any]) -> Term:
    """`problem` of rounds/Definitions.v: nodes, arcs, ports, packets by their numbers.

    >>> arcs = [[0, 1, 1], [1, 0, 1]]
    >>> asked = {"size": 2, "arcs": arcs, "ports": "one-port", "origins": [[1, 1]]}
    >>> problem(asked)
    ((0, (1, ())), ((0, 1, 1), ((1, 0, 1), ())), 'One_port', ((0, 1), ()))
    """
    nodes = listed(range(int(document["size"])))
    arcs = listed((int(tail), int(head), int(steps)) for tail, head, steps in document["arcs"])
    sources = [int(node) for node, number in document["origins"] for _ in range(int(number))]
    return nodes, arcs, PORTS[document["ports"]], listed(enumerate(sources))


def check(document: dict[str, Any], stated: SynchronousRun) -> ProvedByKernel:
    """What is proved about the least number of steps.  Raises `Rejected`, `NotCovered`."""
    packets = _packets(stated)
    asked = problem(document)
    steps, bound = int(document["steps"]), int(document["bound"])
    rows = listed(listed(map(tuple, row)) for row in stated.sends)
    if steps < 0 or not rounds.check_rounds(asked, rows, steps):
        raise not_accepted("sends")
    divisor = gcd(*(duration for _, _, duration in stated.arcs)) or 1
    least, proof = _proof(stated, asked, divisor)
    proved = -(-least // divisor) * divisor
    if not rounds.check_bound(asked, proof, least, divisor, proved):
        raise NotCovered("bound", bound, "its proof has no proved checker")
    if bound > proved:
        rule = f"{proved} is proved; branches of nodes have no proved checker"
        raise NotCovered("bound", bound, rule)
    if bound < proved:
        raise Rejected("bound", bound, f"the proved checker finds {shown(proved)}")
    optimal = steps == bound
    if document["optimal"] is not optimal:
        raise Rejected("optimal", document["optimal"], "whether steps and bound are the same")
    return ProvedByKernel(
        kind="rounds",
        asked=f"{stated.size} nodes, {len(stated.arcs)} arcs, {packets} packets, {stated.ports}",
        claims=_claims(steps, bound),
        values={"steps": steps, "bound": bound},
        optimal=optimal,
        trusted=trusted("exactsched/kernel/rounds.py"),
    )


def _claims(steps: int, bound: int) -> tuple[Claim, ...]:
    if steps == bound:
        says = f"every node has every packet after {shown(steps)} steps at the earliest"
        return (Claim(says, f"least_steps P {steps}", "rounds.Main.check_optimal_sound"),)
    reached = Claim(
        f"a run brings every packet to every node in {shown(steps)} steps",
        f"done_within P {steps}",
        "rounds.Soundness.check_rounds_sound",
    )
    no_less = Claim(
        f"no run takes fewer than {shown(bound)} steps",
        f"never_before P {bound}",
        "rounds.Main.check_bound_sound",
    )
    return reached, no_less


def _packets(stated: SynchronousRun) -> int:
    """The number of packets, if it is no larger than what the document lists."""
    packets = sum(number for _, number in stated.origins)
    transfers = sum(map(len, stated.sends))
    if transfers < packets * (stated.size - 1):
        rule = "every packet is received by all nodes but its source"
        raise Rejected("sends", transfers, rule)
    with affordable():
        work = 2 * transfers + packets * stated.size // 2 + len(stated.arcs) + stated.size
        spend(STEPS * work, "sends")
    return packets


def _proof(stated: SynchronousRun, asked: Term, divisor: int) -> tuple[int, Term]:
    """The largest bound before rounding for which there is a proof, and the proof."""
    if stated.size == 1:
        return 0, ("By_nothing",)
    found = [_by_distance(stated)]
    if stated.occupancy:
        found.append(_by_occupancy(stated, asked, divisor))
    best = max(found, key=lambda bound_and_proof: bound_and_proof[0])
    # A proof by counting is the longest, and written only if it is needed.
    counted = _Counted(stated)
    bound, distance = max(counted.bounds())
    return (bound, ("By_counting", counted.witness(distance))) if bound > best[0] else best


def _by_distance(stated: SynchronousRun) -> tuple[int, Term]:
    """The packet that leaves its origin last still has to go to the farthest node."""
    leaving = _leaving(stated)
    best = 0, 0, 0
    own: dict[int, int] = {}
    for node, number in stated.origins:
        own[node] = own.get(node, 0) + number
    for origin, number in own.items():
        with affordable():
            spend(STEPS // 8 * (stated.size + len(stated.arcs)), "origins")
        waiting = (number - 1) * min(steps for _, steps in leaving[origin])
        best = max(best, (waiting + max(_distances(leaving, origin)), -origin, waiting))
    value, origin, waiting = best[0], -best[1], best[2]
    distances = _distances(leaving, origin)
    target = distances.index(max(distances))
    first = min(steps for _, steps in leaving[origin])
    return value, ("By_distance", (origin, target, first, listed(enumerate(distances))))


def _leaving(stated: SynchronousRun) -> list[list[tuple[int, int]]]:
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(stated.size)]
    for tail, head, steps in stated.arcs:
        leaving[tail].append((head, steps))
    return leaving


def _distances(leaving: Sequence[Sequence[tuple[int, int]]], origin: int) -> list[int]:
    """In steps to every node (Dijkstra 1959)."""
    found: dict[int, int] = {}
    queue = [(0, origin)]
    while queue:
        distance, node = heappop(queue)
        if node in found:
            continue
        found[node] = distance
        for head, steps in leaving[node]:
            if head not in found:
                heappush(queue, (distance + steps, head))
    return [found[node] for node in range(len(leaving))]


def _by_occupancy(stated: SynchronousRun, asked: Term, divisor: int) -> tuple[int, Term]:
    """What the prices pay for; they have to pay, so that the document is refused otherwise.

    A second proof has the prices of the last step.
    """
    proofs = [_Priced(stated, given, _unit(stated.occupancy)) for given in stated.occupancy]
    first, packets = proofs[0], sum(number for _, number in stated.origins)
    longest = longest_number(tuple(proof.term for proof in proofs))
    with affordable():
        sets = (len(first.odd) + 3 * len(first.cuts)) * len(stated.arcs)
        sets += len(proofs[-1].odd) * len(stated.arcs) + len(first.cuts) * packets
        spend(STEPS // 8 * (1 + longest // 1024) * (sets + 8 * len(stated.arcs)), "occupancy")
    if first.needed == 0 < first.spent:
        return 0, ("By_nothing",)
    spent = first.spent or 1
    proof: Term = ("By_occupancy", first.term)
    value = -(-first.needed // spent)
    if len(proofs) > 1:
        last = proofs[1]
        proof = "By_last_step", first.term, last.term
        value = 1 - (last.spent - first.needed) // spent
    if not first.spent or not rounds.check_bound(asked, proof, value, divisor, value):
        raise not_accepted("occupancy")
    return value, proof


def _unit(proofs: Sequence[OccupancyProof]) -> int:
    """The common denominator of all prices and weights."""
    weights = [weight for proof in proofs for _, weight in (*proof.odd_sets, *proof.cuts)]
    return common([*weights, *(price for proof in proofs for price in proof.prices)], "occupancy")


class _Priced:
    """`occupancy` of rounds/Checker.v: prices and weights in units; nothing is paid late."""

    def __init__(self, stated: SynchronousRun, given: OccupancyProof, unit: int) -> None:
        nodes = range(stated.size)
        ports = [("Whole", node) for node in nodes]
        if stated.ports == "one-port":
            ports = [(side, node) for side in ("Sending", "Receiving") for node in nodes]
        prices = scaled(given.prices, unit)
        priced = [(port, price) for port, price in zip(ports, prices, strict=True) if price]
        self.odd, self.cuts = _scaled(given.odd_sets, unit), _scaled(given.cuts, unit)
        self.term = listed(priced), _sets(self.odd), _sets(self.cuts), (), 0
        self.spent = sum(prices) + sum(weight * (len(odd) // 2) for odd, weight in self.odd)
        self.needed = sum(
            weight * sum(number for node, number in stated.origins if node not in members)
            for members, weight in ((set(nodes), weight) for nodes, weight in self.cuts)
        )


def _scaled(some: Sequence[WeightedSet], unit: int) -> list[tuple[tuple[int, ...], int]]:
    """Sets of positive weight."""
    weights = scaled([weight for _, weight in some], unit)
    return [(nodes, weight) for (nodes, _), weight in zip(some, weights, strict=True) if weight]


def _sets(some: Sequence[tuple[Sequence[int], int]]) -> Term:
    return listed((listed(nodes), weight) for nodes, weight in some)


class _Level(NamedTuple):
    """Nodes of one side at one distance, and how many may be informed, round by round.

    The first round is that with the number of the distance; after the last it may be all of them.
    """

    distance: int
    side: int
    nodes: list[int]
    informed: list[int]

    @property
    def rounds(self) -> int:
        """After this many rounds all may be informed."""
        return self.distance + len(self.informed)


class _Counted:
    """How many nodes chains of transfers can have informed, round by round.

    So few transfers can be under way to the nodes from some distance on.
    """

    def __init__(self, stated: SynchronousRun) -> None:
        self.stated = stated
        self.half_duplex = stated.ports == "half-duplex"
        self.sources = sorted({node for node, _ in stated.origins})
        self.even, self.odd = self._walks()
        self.sides, self.bipartite = self._two_coloring()
        self.fastest = min(steps for _, _, steps in stated.arcs)
        self.slow_rounds = -(-max(steps for _, _, steps in stated.arcs) // self.fastest)
        self.entry: dict[int, int] = {}
        for _, head, steps in stated.arcs:
            self.entry[head] = min(self.entry.get(head, steps), steps)
        self.levels = self._levels()

    def _walks(self) -> tuple[list[int], list[int]]:
        """The shortest walks of even and of odd length; a large number if there is none."""
        leaving = _leaving(self.stated)
        longest = 2 * self.stated.size + 2
        lengths = [longest] * (2 * self.stated.size)
        ends = [2 * node for node in self.sources]
        for end in ends:
            lengths[end] = 0
        for end in ends:  # grows while it is read
            for head, _ in leaving[end // 2]:
                other = 2 * head + 1 - end % 2
                if lengths[other] == longest:
                    lengths[other] = lengths[end] + 1
                    ends.append(other)
        return lengths[::2], lengths[1::2]

    def _two_coloring(self) -> tuple[list[int], bool]:
        near: list[list[int]] = [[] for _ in range(self.stated.size)]
        for tail, head, _ in self.stated.arcs:
            near[tail].append(head)
            near[head].append(tail)
        sides, found = {0: 0}, [0]
        for node in found:  # grows while it is read
            for other in near[node]:
                if other not in sides:
                    sides[other] = 1 - sides[node]
                    found.append(other)
        if any(sides[tail] == sides[head] for tail, head, _ in self.stated.arcs):
            return [0] * len(near), False
        return [sides[node] for node in range(len(near))], True

    def _levels(self) -> list[_Level]:
        members: dict[tuple[int, int], list[int]] = {}
        for node, side in enumerate(self.sides):
            distance = min(self.even[node], self.odd[node])
            members.setdefault((distance, side), []).append(node)
        return [
            _Level(*key, nodes, [*self._informed(key[0], nodes)])
            for key, nodes in sorted(members.items())
        ]

    def _informed(self, distance: int, nodes: Sequence[int]) -> Iterator[int]:
        detours = sorted(max(self.even[node], self.odd[node]) for node in nodes)
        rounds = distance
        while True:
            number = 0
            for length in range(distance, rounds + 1):
                walks = len(nodes)
                if (length - distance) % 2:
                    walks = sum(detour <= length for detour in detours)
                number += min(len(self.sources) * comb(rounds, length), walks)
                if number >= len(nodes):
                    return
            yield number
            rounds += 1

    def bounds(self) -> Iterator[tuple[int, int]]:
        """For distances from which on nodes are far: the bound, and the distance."""
        farthest = self.levels[-1].distance
        spacing = -(-((farthest + 1) ** 2) // LEVELS_TIMES_ROUNDS)
        rounds = max(level.rounds for level in self.levels) + 1
        tried = farthest // spacing + 1
        with affordable():
            spend(8 * rounds * tried, "origins")
        packets = sum(number for _, number in self.stated.origins)
        missing = [packets] * self.stated.size
        for node, number in self.stated.origins:
            missing[node] -= number
        work, far, near = 0, [0] * rounds, ([0] * rounds, [0] * rounds)
        pending = list(self.levels)
        ahead = list(self.levels)
        for distance in reversed(range(farthest + 1)):
            while pending and pending[-1].distance >= distance:
                level = pending.pop()
                work += sum(missing[node] * self.entry.get(node, 0) for node in level.nodes)
                _count_in(far, level)
            while ahead and ahead[-1].distance >= distance - 1:
                level = ahead.pop()
                _count_in(near[level.side], level)
            if distance % spacing == 0:
                most = self._most(far, *near)
                yield self._when_done(work, most), distance

    def _most(self, far: Sequence[int], here: Sequence[int], there: Sequence[int]) -> list[int]:
        """How many transfers to far nodes are under way in each round, by the nodes informed.

        Rows say how many more are informed: far nodes, and those of either side.
        """
        receivers, one, other = ([*accumulate(row)] for row in (far, here, there))
        last = len(receivers) - 1
        found = []
        for now in range(len(receivers)):
            then = min(now + self.slow_rounds, last)
            few = min(one[now] + other[now], receivers[then])
            if self.half_duplex and self.bipartite:
                few = min(few, one[then], other[then])
            elif self.half_duplex:
                few = min(few, (one[then] + other[then]) // 2)
            found.append(few)
        return found

    def _when_done(self, work: int, most: Sequence[int]) -> int:
        """The first time at which this many steps of transfers may be over."""
        time = 0
        for number in most[:-1]:
            if work <= number * self.fastest:
                return time - (-work // number if work else 0)
            work -= number * self.fastest
            time += self.fastest
        return time - (-work // most[-1] if work else 0)

    def witness(self, distance: int) -> Term:
        """`counting` of rounds/Checker.v for the nodes from this distance on."""
        some = [level for level in self.levels if level.distance >= distance - 1]
        rounds = max(level.rounds for level in some)
        nodes = sum(len(level.nodes) for level in some)
        with affordable():
            spend(4 * rounds * (rounds * (len(some) + 2) + 2 * nodes), "origins")
            spend(STEPS // 4 * (self.stated.size + len(self.stated.arcs)), "origins")
        far, here, there = [0] * (rounds + 1), [0] * (rounds + 1), [0] * (rounds + 1)
        for level in some:
            _count_in(there if level.side else here, level)
            if level.distance >= distance:
                _count_in(far, level)
        bounds = self._most(far, here, there)[:rounds]
        groups = [(level.distance >= distance, level.side == 1, level.nodes) for level in some]
        entry = [(node, steps) for node, steps in self.entry.items()]
        return (
            listed((far, side, listed(nodes)) for far, side, nodes in groups),
            self.bipartite,
            listed(self.sources),
            listed(enumerate(self.even)),
            listed(enumerate(self.odd)),
            listed(entry),
            self.fastest,
            self.slow_rounds,
            listed(bounds),
        )


def _count_in(row: list[int], level: _Level) -> None:
    """Adds to each round how many more nodes of the level may be informed after it."""
    before = 0
    for rounds, number in enumerate([*level.informed, len(level.nodes)], level.distance):
        row[rounds] += number - before
        before = number
