"""Overlays by definition, for the claims: rates, parts, cuts, all sets of arcs; and instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, islice, product
from math import prod

from exactsched.certificate.overlay import Overlay
from exactsched.exact.rational import Rational
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.instances.choices import Choices
from exactsched.instances.machines import multi_port
from exactsched.model.machine import MultiPort
from exactsched.oracles.branchings import spans
from exactsched.overlay.rate import best_rates

Arc = tuple[int, int]

PAPER = "Beaumont, Eyraud-Dubois and Agrawal, IPDPS 2010"
# Up to so many nodes all sets of them are looked at.
_ALL_SETS = 6
# Ranges of parts that are followed one by one.
_FOLLOWED = 60


@dataclass(frozen=True, slots=True)
class Attempt:
    """A machine, and arcs on which somebody wants to broadcast."""

    machine: MultiPort
    arcs: tuple[tuple[int, int], ...]


# Counting ----------------------------------------------------------------------------------------


def degrees_of(machine: MultiPort) -> list[int]:
    """Degrees, or the number of given arcs of a node where that is less.

    >>> degrees_of(MultiPort([1, 1], [5, 2], arcs=[(0, 1)]))
    [1, 0]
    """
    if not machine.arcs:
        return list(machine.degrees)
    sending = [sum(i == node for i, _ in machine.arcs) for node in range(machine.size)]
    return list(map(min, machine.degrees, sending))


def sent_at(machine: MultiPort, rate: Rational) -> list[Fraction]:
    """What each node can send at most where nobody receives faster: X_i = min(b_i, T d_i).

    >>> [str(x) for x in sent_at(MultiPort([3, 2], [1, 3]), 1)]
    ['1', '2']
    """
    most = [Fraction(rate * degree) for degree in degrees_of(machine)]
    return list(map(min, machine.bandwidths, most))


def least_entrance(machine: MultiPort) -> Fraction:
    """C: what leaves the source at most, and enters each of the others."""
    leaves = machine.bandwidths[0] if degrees_of(machine)[0] else Fraction(0)
    return min(leaves, *machine.incoming[1:]) if machine.incoming else leaves


def is_largest_root(machine: MultiPort, rate: Rational, silent: int | None = None) -> bool:
    """Whether T = `rate` is the largest one with sum_i X_i(T) = n T, without the silent node.

    The difference f is concave, and 0 at T = 0: it is enough that f(T) = 0, and that f decreases
    from there on.  Its slope there is the sum of those d_i with T d_i < b_i, minus n.

    >>> circle = MultiPort([2, 1, 1], [2, 1, 1])
    >>> [is_largest_root(circle, rate) for rate in (0, 1, 2)], is_largest_root(circle, 1, 0)
    ([False, False, True], True)
    """
    nodes = [node for node in range(machine.size) if node != silent]
    sending, degrees = sent_at(machine, rate), degrees_of(machine)
    growing = sum(degrees[i] for i in nodes if rate * degrees[i] < machine.bandwidths[i])
    total = sum(sending[i] for i in nodes)
    return total == (machine.size - 1) * rate and growing < machine.size - 1


# Overlays ----------------------------------------------------------------------------------------


def receivers(overlay: Overlay) -> list[int]:
    """To how many others each node sends.

    >>> from exactsched.overlay.tree import best_tree
    >>> receivers(best_tree(MultiPort([2, 1, 1, 0], [2, 1, 1, 0])))
    [2, 1, 0, 0]
    """
    used = [0] * overlay.machine.size
    for sender, _, _ in overlay.arcs:
        used[sender] += 1
    return used


def rates_of(overlay: Overlay) -> dict[Arc, Fraction]:
    """The rate on every arc."""
    part = Fraction(overlay.throughput) / overlay.parts
    return {(i, j): part * sum(end - start for start, end in row) for i, j, row in overlay.arcs}


def misses(overlay: Overlay) -> str:
    """What is wrong with an overlay, part by part; "" if nothing is.

    >>> tree = Overlay(MultiPort([1, 0, 0], [2, 0, 0]), "any", 1, ((0, 1, ((0, 1),)),), 1, 1, (),
    ...     False)
    >>> misses(tree)
    'part 0 does not come to all'
    """
    machine, rates = overlay.machine, rates_of(overlay)
    for node, bandwidth in enumerate(machine.bandwidths):
        if sum(rate for (i, _), rate in rates.items() if i == node) > bandwidth:
            return f"node {node} sends too much"
    if any(overlay.throughput > limit for limit in machine.incoming[1:]):
        return "somebody receives too much"
    if not overlay.throughput:
        return "arcs for nothing" if overlay.arcs else ""
    ends = {end for _, _, row in overlay.arcs for piece in row for end in piece}
    for part in islice(sorted({0} | ends - {overlay.parts}), _FOLLOWED):
        tree = [(i, j) for i, j, row in overlay.arcs if any(a <= part < b for a, b in row)]
        if not spans(machine.size, [0], tree):
            return f"part {part} does not come to all"
    return ""


def has_no_cycle(size: int, arcs: Iterable[Arc]) -> bool:
    """Whether no node sends to one from which it gets anything, directly or not.

    >>> has_no_cycle(3, [(0, 1), (0, 2), (1, 2)]), has_no_cycle(3, [(0, 1), (1, 2), (2, 1)])
    (True, False)
    """
    left, nodes = set(arcs), set(range(size))
    while nodes:
        entered = {head for _, head in left}
        if nodes <= entered:
            return False
        nodes &= entered
        left = {arc for arc in left if arc[0] in nodes}
    return True


def least_cut(size: int, rates: Mapping[Arc, Rational]) -> Rational:
    """The least that is sent into a set of nodes without the source.

    >>> least_cut(3, {(0, 1): 2, (1, 2): 1})
    1
    """
    if size > _ALL_SETS:
        return minimum_root_cut(size, 0, list(rates), list(rates.values())).value
    return min(
        sum(rate for (i, j), rate in rates.items() if j in inside and i not in inside)
        for count in range(1, size)
        for inside in combinations(range(1, size), count)
    )


# All sets of arcs --------------------------------------------------------------------------------


def possible_arcs(machine: MultiPort) -> tuple[Arc, ...]:
    """The given arcs, or all."""
    size = machine.size
    return machine.arcs or tuple((i, j) for i in range(size) for j in range(1, size) if i != j)


def supports(machine: MultiPort) -> Iterator[tuple[Arc, ...]]:
    """The sets of arcs in which every node has as many receivers as it can have.

    >>> list(supports(MultiPort([2, 1, 1], [1, 1, 0])))
    [((0, 1), (1, 2)), ((0, 2), (1, 2))]
    """
    for chosen in product(*_served_by_each(machine)):
        yield tuple(chain.from_iterable(chosen))


def count_of_supports(machine: MultiPort) -> int:
    """How many `supports` there are."""
    return prod(len(options) for options in _served_by_each(machine))


def _served_by_each(machine: MultiPort) -> list[list[tuple[Arc, ...]]]:
    degrees = degrees_of(machine)
    mine = [[arc for arc in possible_arcs(machine) if arc[0] == i] for i in range(machine.size)]
    return [list(combinations(a, min(d, len(a)))) for a, d in zip(mine, degrees, strict=True)]


def best_of_all_supports(machine: MultiPort) -> Fraction:
    """The best throughput within the degrees.

    >>> print(best_of_all_supports(MultiPort([2, 1, 1], [1, 1, 1])))
    1
    """
    return max(Fraction(best_rates(machine, arcs).throughput) for arcs in supports(machine))


# Instances ---------------------------------------------------------------------------------------


def machine_without_arcs(choices: Choices, bound: int) -> MultiPort:
    """Any machine, or with small integers, or where all have to send almost all that they can."""
    kind = choices.below(3)
    if kind == 0:
        size = 1 + choices.between(1, bound)
        bandwidths = [choices.below(6) for _ in range(size)]
        bandwidths[0] += choices.between(1, 6)
        return MultiPort(
            bandwidths, [1 + choices.below(3), *(choices.below(4) for _ in range(size - 1))]
        )
    if kind == 1:
        return multi_port(choices, max_receivers=bound, incoming=True)
    return tight_machine(choices, bound)


def tight_machine(choices: Choices, bound: int) -> MultiPort:
    """All bandwidths are needed for a rate T, and many nodes can send less than T."""
    size = 1 + choices.between(2, max(2, bound))
    rate = choices.between(3, 12) if choices.flip() else choices.between(size, 60)
    bandwidths = [rate] * size
    for node in choices.some_of(range(size), 4):
        bandwidths[node] += choices.below(2 * rate)
    lacking = sum(bandwidths) - (size - 1) * rate
    order = choices.shuffled(range(1, size))
    for node in order:
        bandwidths[node] -= (less := choices.below(min(rate, lacking + 1)))
        lacking -= less
    for node in order:  # what is still too much
        bandwidths[node] -= (less := min(lacking, bandwidths[node] - 1))
        lacking -= less
    degrees = [max(1, -(-b // rate)) + choices.flip(4) for b in bandwidths]
    unit = choices.one_of((1, 1, 2, 3))
    return MultiPort([Fraction(b, unit) for b in bandwidths], degrees)


def attempt(choices: Choices, bound: int, *, forward: bool = False, whole: bool = False) -> Attempt:
    """Arcs within the degrees, which reach everybody if nodes have the degrees for it.

    `forward`: without cycles.  `whole`: all bandwidths are integers.
    """
    machine = machine_without_arcs(choices, bound)
    if whole:
        machine = MultiPort(
            [b.numerator for b in machine.bandwidths],
            machine.degrees,
            [r.numerator for r in machine.incoming],
        )
    if choices.flip(4):
        kept = choices.some_of(possible_arcs(machine), 4)
        given = tuple(arc for arc in possible_arcs(machine) if arc not in kept)
        machine = MultiPort(machine.bandwidths, machine.degrees, machine.incoming, given)
    room, allowed = list(machine.degrees), set(possible_arcs(machine))
    arcs: list[Arc] = []
    reached = [0]
    for node in choices.shuffled(range(1, machine.size)):
        senders = [i for i in reached if room[i] and (i, node) in allowed]
        if senders:
            first = max(senders, key=lambda i: machine.bandwidths[i])
            arcs.append((choices.one_of([first, *senders]), node))
            room[arcs[-1][0]] -= 1
        reached.append(node)
    place = {node: number for number, node in enumerate(reached)}
    for i, j in choices.shuffled(sorted(allowed.difference(arcs))):
        if room[i] and (place[i] < place[j] or not forward) and not choices.flip(5):
            arcs.append((i, j))
            room[i] -= 1
    return Attempt(machine, tuple(sorted(arcs)))


def within(machine: MultiPort, arcs: Sequence[Arc]) -> bool:
    """Whether the arcs are possible ones, and keep the degrees.

    >>> within(MultiPort([1, 1, 1], [1, 1, 1]), [(0, 1), (0, 2)])
    False
    """
    sending = [sum(i == node for i, _ in arcs) for node in range(machine.size)]
    most = zip(sending, machine.degrees, strict=True)
    return {*arcs} <= {*possible_arcs(machine)} and all(used <= degree for used, degree in most)
