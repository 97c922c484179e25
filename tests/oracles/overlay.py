"""Overlays by definition: what one is, the best ones by trying all of them, and machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, combinations, pairwise, permutations, product
from random import Random

from hypothesis import strategies as st

from exactsched.certificate.overlay import Overlay
from exactsched.model.machine import MultiPort
from tests.oracles.overlay_supports import best_on, supports


def proved_overlay(overlay: Overlay) -> list[int]:
    """The number of receivers of each node, after a look at every part and every rate."""
    machine, parts = overlay.machine, overlay.parts
    used, out, coming = (
        [0] * machine.size,
        [Fraction(0)] * machine.size,
        [Fraction(0)] * machine.size,
    )
    known = set()
    for sender, receiver, pieces in overlay.arcs:
        assert (sender, receiver) not in known
        known.add((sender, receiver))
        assert sender != receiver != 0
        assert not machine.arcs or (sender, receiver) in machine.arcs
        assert pieces
        assert all(0 <= start < stop <= parts for start, stop in pieces)
        assert all(before[1] < after[0] for before, after in pairwise(pieces))
        rate = Fraction(sum(stop - start for start, stop in pieces), parts) * overlay.throughput
        used[sender] += 1
        out[sender] += rate
        coming[receiver] += rate
    assert all(rate <= limit for rate, limit in zip(out, machine.bandwidths, strict=True))
    if overlay.throughput:
        assert coming[1:] == [overlay.throughput] * (machine.size - 1)
        if machine.incoming:
            assert min(machine.incoming[1:]) >= overlay.throughput
        for part in _different_parts(overlay):
            _arborescence(overlay, part)
    else:
        assert not overlay.arcs
    return used


def _different_parts(overlay: Overlay) -> list[int]:
    """One part of each range that no piece cuts."""
    ends = chain.from_iterable(chain.from_iterable(row[2] for row in overlay.arcs))
    return sorted({0, *ends} - {overlay.parts})


def _arborescence(overlay: Overlay, part: int) -> None:
    parent: dict[int, int] = {}
    for sender, receiver, pieces in overlay.arcs:
        if any(start <= part < stop for start, stop in pieces):
            assert receiver not in parent, "a part is received twice"
            parent[receiver] = sender
    assert set(parent) == set(range(1, overlay.machine.size))
    reached = {0}
    for node in parent:
        path = []
        while node not in reached:
            assert node not in path, "a part comes from nowhere"
            path.append(node)
            node = parent[node]
        reached.update(path)


def acyclic(overlay: Overlay) -> bool:
    """Nodes that nobody sends to are taken away again and again, until none is left."""
    arcs = {row[:2] for row in overlay.arcs}
    while arcs:
        silent = {sender for sender, _ in arcs} - {receiver for _, receiver in arcs}
        if not silent:
            return False
        arcs = {arc for arc in arcs if arc[0] not in silent}
    return True


def best_by_supports(machine: MultiPort, structure: str) -> Fraction:
    """The best throughput within the degrees, by a linear program for every set of arcs."""
    chosen = _acyclic_supports(machine) if structure == "acyclic" else supports(machine)
    return max(best_on(machine, support)[0] for support in chosen)


def _acyclic_supports(machine: MultiPort) -> Iterator[list[tuple[int, int]]]:
    """Sets of arcs to later ones in any order of the nodes, as large as degrees permit."""
    for order in permutations(range(1, machine.size)):
        choices = []
        for position, node in enumerate((0, *order)):
            later = [(node, other) for other in order[position:]]
            choices.append(list(combinations(later, min(machine.degrees[node], len(later)))))
        for chosen in product(*choices):
            yield list(chain.from_iterable(chosen))


def best_tree_by_parents(machine: MultiPort) -> Fraction:
    """The best throughput of a tree within the degrees, by all choices of parents."""
    best = Fraction(0)
    for parents in product(range(machine.size), repeat=machine.size - 1):
        children = [parents.count(node) for node in range(machine.size)]
        if any(have > most for have, most in zip(children, machine.degrees, strict=True)):
            continue
        if not all(_from_source(node, parents) for node in range(1, machine.size)):
            continue
        rates = [b / have for b, have in zip(machine.bandwidths, children, strict=True) if have]
        best = max(best, min([*rates, *machine.incoming[1:]]))
    return best


def _from_source(node: int, parents: tuple[int, ...]) -> bool:
    for _ in parents:
        node = parents[node - 1] if node else 0
    return node == 0


def largest_root(machine: MultiPort, silent: int | None = None) -> Fraction:
    """The largest root of sum min(b_i, T d_i) = n T, without node `silent`: all pairs of bends."""
    count = machine.size - 1
    pairs = [
        (b, d)
        for i, (b, d) in enumerate(zip(machine.bandwidths, machine.degrees, strict=True))
        if i != silent
    ]

    def surplus(rate: Fraction) -> Fraction:
        return sum((min(b, rate * d) for b, d in pairs), Fraction(0)) - count * rate

    bends = sorted({Fraction(0), *(b / d for b, d in pairs if d)})
    bends.append(sum((b for b, _ in pairs), bends[-1] + 1))  # past the last root
    roots = []
    for low, high in pairwise(bends):
        left, right = surplus(low), surplus(high)
        if right == 0:
            roots.append(high)
        elif left >= 0 > right:
            roots.append(low + (high - low) * left / (left - right))
    return max(roots, default=Fraction(0))


def diverted(
    limits: list[Fraction],
    rate: Fraction,
    choose: Callable[[Fraction, Fraction, Fraction], Fraction],
) -> dict[tuple[int, int], Fraction]:
    """Rates by the paper's diversions (IV-B2, corrected), nodes 1..n by falling limits.

    `choose` says how much is taken from what comes to the last node, given that amount, all that
    the next node needs from before, and the rate.
    """
    count = len(limits) - 1
    rates: dict[tuple[int, int], Fraction] = {}
    first = next((k for k in range(1, count + 1) if sum(limits[:k]) < k * rate), count + 1)
    sender, left = 0, limits[0]
    for receiver in range(1, min(first, count) + 1):
        need = rate
        while need and sender < min(first, count):
            amount = min(left, need)
            rates[sender, receiver] = rates.get((sender, receiver), Fraction(0)) + amount
            need, left = need - amount, left - amount
            if not left:
                sender += 1
                left = limits[sender]
    if first > count:
        return {arc: amount for arc, amount in rates.items() if amount}

    def missing(k: int) -> Fraction:
        return k * rate - sum(limits[:k], Fraction(0))

    def move(sender: int, receiver: int, amount: Fraction) -> None:
        rates[sender, receiver] = rates.get((sender, receiver), Fraction(0)) + amount

    # (u, v) = (0, 1).  What comes to the last node from before, by sender, first in service first.
    coming = [[u, amount] for (u, v), amount in sorted(rates.items()) if v == first and amount]
    move(0, 1, -missing(first))
    move(0, first, missing(first))
    move(first, 1, missing(first))
    back = 1
    for k in range(first, count):
        needed = missing(k + 1)
        alpha = choose(rate - rates[k, back], needed, rate)
        move(k, k + 1, rate - needed)
        move(k + 1, k, alpha)
        left = alpha
        for sender, amount in coming:
            taken = min(left, amount)
            move(sender, k, -taken)
            move(sender, k + 1, taken)
            left -= taken
        assert not left
        beta = needed - alpha
        move(k, back, -beta)
        move(k, k + 1, beta)
        move(k + 1, back, beta)
        coming, back = [[k, rates[k, k + 1]]], k
    assert min(rates.values()) >= 0
    return {arc: amount for arc, amount in rates.items() if amount}


def root_connectivity(size: int, rates: dict[tuple[int, int], Fraction]) -> Fraction:
    """The least rate into a set of nodes without the source, by all sets."""
    return min(
        sum((r for (u, v), r in rates.items() if u not in inside and v in inside), Fraction(0))
        for count in range(1, size)
        for inside in combinations(range(1, size), count)
    )


@st.composite
def machines(draw: st.DrawFn, most: int = 10) -> MultiPort:
    """Machines with zeros, equal nodes, slow sources and narrow entrances, without given arcs."""
    size = draw(st.integers(1, most)) + 1
    unit = draw(st.sampled_from([1, 1, 2, 3, 12]))
    largest = draw(st.sampled_from([1, 3, 6, 1000]))
    rate = st.integers(0, largest).map(lambda units: Fraction(units, unit))
    alike = draw(st.booleans())
    others = (
        [draw(rate)] * (size - 1)
        if alike
        else draw(st.lists(rate, min_size=size - 1, max_size=size - 1))
    )
    enough = -(-sum(others) // (size - 1))
    source = draw(st.one_of(rate, st.just(Fraction(enough)), st.just(sum(others) + enough)))
    highest = draw(st.sampled_from([1, 2, 4]))
    degrees = draw(st.lists(st.integers(0, highest), min_size=size, max_size=size))
    if draw(st.booleans()):
        degrees = [max(1, degree) for degree in degrees]
    incoming = draw(st.one_of(st.just([]), st.lists(rate, min_size=size, max_size=size)))
    if draw(st.booleans()):
        incoming = []
    return MultiPort([source, *others], degrees, incoming)


def tight_machine(chance: Random, size: int) -> MultiPort:
    """All bandwidths are needed for the rate T* = T, by design: X_i < T but for a few nodes.

    Nodes after the first few lack less than T together, so all of them have to go in a circle.
    """
    rate = chance.randint(size, 60)
    strong = chance.randint(0, min(3, size - 2))
    degrees = [chance.randint(1, 3) for _ in range(size)]
    bandwidths = [rate * degree - chance.randint(0, rate // 2) for degree in degrees[: strong + 1]]
    bandwidths[0] = max(bandwidths[0], rate)
    bandwidths += [rate - 1] * (size - strong - 1)
    # n T is to be sent: what is too much is taken from the others, what is missing given to 0.
    surplus = sum(bandwidths) - (size - 1) * rate
    for node in range(strong + 1, size):
        less = chance.randint(0, max(0, min(surplus, rate - 2)))
        bandwidths[node] -= less
        surplus -= less
    bandwidths[0] += max(0, -surplus)
    degrees[0] = max(degrees[0], -(-bandwidths[0] // rate))
    return MultiPort(bandwidths, degrees)
