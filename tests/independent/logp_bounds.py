"""Bounds 1 to 5 on LogP schedules (proofs/logp-certificates.md, "The bounds")."""

import heapq
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from tests.independent.document import Budget


class Machine(NamedTuple):
    L: Fraction
    o: Fraction
    g: Fraction
    P: int

    @property
    def D(self) -> Fraction:  # noqa: N802
        return self.L + 2 * self.o

    @property
    def G(self) -> Fraction:  # noqa: N802
        return max(self.g, self.o)


def labels(machine: Machine, count: int) -> Iterator[tuple[Fraction, int]]:
    """The labels of the first `count` nodes of the universal tree, and how often each is there."""
    if count > 0:
        yield Fraction(0), 1
    count -= 1
    sends: dict[Fraction, int] = defaultdict(int, {Fraction(0): 1})
    queue = [Fraction(0)]
    while count > 0:
        start = heapq.heappop(queue)
        number = sends.pop(start)
        Budget.spend(4)
        yield start + machine.D, min(number, count)
        count -= number
        for later in (start + machine.G, start + machine.D):
            if later not in sends:
                heapq.heappush(queue, later)
            sends[later] += number


def broadcast_time(machine: Machine) -> Fraction:
    """Bound 1: B(P)."""
    return max(label for label, _ in labels(machine, machine.P))


def broadcast_bound(machine: Machine, items: int) -> Fraction:
    """Bound 2: D + s."""
    if machine.P == 1:
        return Fraction(0)
    gap, needed = machine.G, items * (machine.P - 1)
    starts = list(labels(machine, machine.P - 1))

    def sent(s: Fraction) -> int:
        return sum(n * (floor((s - label) / gap) + 1) for label, n in starts if label <= s)

    low, high = -1, needed  # C(low * G) < needed <= C(high * G)
    while high - low > 1:
        middle = (low + high) // 2
        if sent(middle * gap) < needed:
            low = middle
        else:
            high = middle
    missing = needed - (sent(low * gap) if low >= 0 else 0)
    places = []
    for label, number in starts:
        if label <= high * gap:
            earlier = max(0, floor((low * gap - label) / gap) + 1)
            places.append((label + earlier * gap, number))
    for s, number in sorted(places):
        missing -= number
        if missing <= 0:
            return machine.D + s
    raise AssertionError("the window holds all places")


def exchange_bound(machine: Machine, count: int) -> Fraction:
    """Bound 3: allgather and alltoall."""
    D, G, o, m = machine.D, machine.G, machine.o, count * (machine.P - 1)  # noqa: N806
    if m == 0:
        return Fraction(0)
    bound = simple = D + (m - 1) * G
    if o > 0 and (m - 1) * G > machine.L:
        c = machine.L + o
        for d in (floor(c / G), ceil(c / G)):
            nearest = min(max(d, 1), m - 1)
            bound = max(bound, simple + min(G, o - abs(c - nearest * G)))
        n = floor(machine.L / G) + 1
        w = n * o + max(Fraction(0), c - n * G)
        bound = max(bound, 2 * D, 2 * m * o + 2 * (c - w))
    return bound


def summation_bound(machine: Machine, time: Fraction) -> int:
    """Bound 5: n*(t), the most operands that are added within a time."""
    if time < 0:
        return 0
    L, o, P = machine.L, machine.o, machine.P  # noqa: N806
    gap = max(machine.g, o + 1)
    if all(number.denominator == 1 for number in (L, o, gap)):
        t = floor(time)
        tree = Machine(L + 2 * o + 1, Fraction(0), gap, P)
        late = sum(n * max(t - x - o, Fraction(0)) for x, n in labels(tree, P) if x > 0)
        return 1 + t + int(late)
    a = floor(gap - o)
    choices = [(a, gap)] + ([(a + 1, o + a + 1)] if (gap - o).denominator > 1 else [])

    def most(z: int) -> int:
        """V(z), by a stack of what is needed, as the depth is not bounded."""
        known: dict[tuple[str, Fraction], int] = {}
        stack = [("F", time)]
        while stack:
            which, x = stack[-1]
            if which == "F":
                deeper = x > z + L + 3 * o + 1
                ways = [(1 - z, x - o - 1, x - L - 2 * o - 1)] if deeper else []
            else:
                deeper = x > z + gap + L + 2 * o
                ways = [(b - z, x - w, x - w - L - o) for b, w in choices] if deeper else []
            needs = [key for _, r, y in ways for key in (("H", r), ("F", y)) if key not in known]
            if needs:
                stack += needs
                Budget.spend(100 * len(needs))  # they are fractions in a dictionary
                continue
            stack.pop()
            sums = [b + known["H", r] + known["F", y] for b, r, y in ways]
            known[which, x] = max([floor(x), *sums])
        return known["F", time]

    # z (P - 1) + V(z) is convex, as V(z) is the maximum of linear functions of z. V is cheap to
    # compute for large z, so the search for the least one begins there.
    if P == 1:
        return 1 + floor(time)

    def falls(z: int) -> bool:
        return most(z) > P - 1 + most(z + 1)

    high, step = ceil(time), 1
    while high >= step and not falls(high - step):
        high, step = high - step, 2 * step
    low = max(0, high - step + 1)
    while low < high:
        z = (low + high) // 2
        if falls(z):
            low = z + 1
        else:
            high = z
    return 1 + low * (P - 1) + most(low)
