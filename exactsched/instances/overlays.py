"""Random multi-port machines, arcs, rates and groups of numbers, for the claims on overlays."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.machines import multi_port
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import possible_arcs

Arc = tuple[int, int]

# Machines ----------------------------------------------------------------------------------------


def open_machine(choices: Choices, bound: int) -> MultiPort:
    """Any machine without incoming bandwidths or given arcs."""
    return multi_port(choices, max_receivers=bound)


def closed_machine(choices: Choices, bound: int) -> MultiPort:
    """Any machine without given arcs, in one case of two with incoming bandwidths."""
    return multi_port(choices, max_receivers=bound, incoming=True)


def machine_without_arcs(choices: Choices, bound: int) -> MultiPort:
    """Any machine, or with small integers, or where all have to send almost all that they can."""
    kind = choices.below(3)
    if kind == 0:
        size = 1 + choices.size(1, bound, 2)
        bandwidths = [choices.below(6) for _ in range(size)]
        bandwidths[0] += choices.between(1, 6)
        return MultiPort(
            bandwidths, [1 + choices.below(3), *(choices.below(4) for _ in range(size - 1))]
        )
    return closed_machine(choices, bound) if kind == 1 else tight_machine(choices, bound)


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


def narrow_machine(choices: Choices, bound: int) -> MultiPort:
    """Often with few receivers each: then the bound by counting is out of reach."""
    if choices.flip():
        return multi_port(choices, max_receivers=bound, max_degree=choices.between(1, 3))
    size = 1 + choices.size(1, bound, 2)
    bandwidths = [choices.between(1, 6) for _ in range(size)]
    bandwidths[0] = max(bandwidths)
    return MultiPort(bandwidths, [choices.one_of((1, 1, 2)) for _ in range(size)])


def slow_machine(choices: Choices, bound: int) -> MultiPort:
    """Machines with zeros, equal nodes, slow sources and narrow entrances, without given arcs."""
    size = 1 + choices.size(1, bound, 2)
    unit, largest = choices.one_of((1, 1, 2, 3, 12)), choices.one_of((1, 3, 6, 1000))

    def rate() -> Fraction:
        return Fraction(choices.below(largest + 1), unit)

    others = [rate()] * (size - 1) if choices.flip() else [rate() for _ in range(size - 1)]
    enough = Fraction(-(-sum(others) // (size - 1)))
    source = choices.one_of((enough, sum(others) + enough, rate()))
    degrees = [choices.below(choices.one_of((2, 3, 5))) for _ in range(size)]
    if choices.flip():
        degrees = [max(1, degree) for degree in degrees]
    incoming = [rate() for _ in range(size)] if choices.flip(4) else []
    return MultiPort([source, *others], degrees, incoming)


FIGURE_1 = MultiPort([2, 1, 1], [2, 1, 1])
FLAT = MultiPort([1, 5], [1, 0])
"""The function of equation (5) vanishes from 0 to 1."""


def _machines() -> tuple[MultiPort, ...]:
    return (
        MultiPort([3, 0], [1, 0]),
        MultiPort([0, 1], [1, 1]),
        FLAT,
        MultiPort([1, 1, 1], [0, 2, 2]),  # a silent source
        FIGURE_1,
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


MACHINES = Instances(MultiPort, machine_without_arcs, Bounds(7, 20, 300), _machines)
CLOSED_MACHINES = Instances(MultiPort, closed_machine, Bounds(5, 20, 200), _machines)
OPEN_MACHINES = Instances(MultiPort, open_machine, Bounds(5, 12, 40))
TIGHT_MACHINES = Instances(
    MultiPort,
    tight_machine,
    Bounds(5, 9, 30),
    lambda: (
        FIGURE_1,
        MultiPort([3, Fraction(3, 2), 1, Fraction(1, 2)], [3, 2, 1, 1]),
        MultiPort([10, *[9] * 10], [1] * 11),  # each lacks as much as all others
        MultiPort([10**30, *[10**30 - 10**29] * 10], [1] * 11),
    ),
)
NARROW_MACHINES = Instances(
    MultiPort,
    narrow_machine,
    Bounds(3, 4, 7),
    lambda: (
        MultiPort([3, 0], [1, 0]),
        MultiPort([7, 1], [0, 1]),
        MultiPort([0, 7], [1, 1]),
        MultiPort([1, 0, 0], [2, 0, 0]),  # as printed: 1
        MultiPort([5, 0], [1, 0]),  # as printed: 1
        FIGURE_1,
        MultiPort([2, 2, 1, 1], [1, 1, 1, 1]),
        MultiPort([Fraction(1, 3), Fraction(1, 7), 0], [2, 1, 0]),
    ),
)

# Machines with arcs ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attempt:
    """A machine, and arcs on which somebody wants to broadcast."""

    machine: MultiPort
    arcs: tuple[tuple[int, int], ...]


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


_EVERYWHERE = tuple((i, j) for i in range(3) for j in range(1, 3) if i != j)

ATTEMPTS = Instances(
    Attempt,
    attempt,
    Bounds(5, 12, 40),
    lambda: (
        *[Attempt(machine, ()) for machine in _machines()],
        Attempt(FIGURE_1, _EVERYWHERE),
        Attempt(MultiPort([1, 1, 1], [2, 1, 1], (), [(0, 1), (1, 2)]), ((0, 1), (1, 2))),
    ),
)
FORWARD_ATTEMPTS = Instances(
    Attempt,
    lambda choices, bound: attempt(choices, bound, forward=True),
    Bounds(5, 12, 40),
    lambda: tuple(Attempt(machine, ()) for machine in _machines()),
)
WHOLE_ATTEMPTS = Instances(
    Attempt,
    lambda choices, bound: attempt(choices, bound, whole=True),
    Bounds(5, 10, 30),
    lambda: (
        Attempt(MultiPort([3, 1], [1, 1]), ()),
        Attempt(MultiPort([1, 0, 0], [2, 0, 0]), ((0, 1), (0, 2))),
        Attempt(MultiPort([5, 0], [1, 0]), ((0, 1),)),
        Attempt(FIGURE_1, ((0, 1), (0, 2), (1, 2), (2, 1))),
        Attempt(MultiPort([9, 9, 9], [2, 2, 2], [0, 4, 3]), ((0, 1), (1, 2), (2, 1))),
        Attempt(MultiPort([9, 9, 9], [2, 2, 2], [1, 0, 3]), ((0, 1), (1, 2))),
        Attempt(MultiPort([10**40, 10**40 - 1, 7], [2, 1, 1]), ((0, 1), (0, 2), (1, 2), (2, 1))),
    ),
)

# Rates -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Flows:
    """Rates on arcs that leave node 0 and enter it never, and a part of what they can send."""

    size: int
    arcs: tuple[tuple[int, int], ...]
    rates: tuple[Rational, ...]
    part: Fraction


def flows(choices: Choices, bound: int) -> Flows:
    """Mostly weighted trees and something to spare; or anything."""
    size = choices.size(2, max(2, bound))
    whole = choices.flip()
    rates: dict[Arc, Rational] = {}

    def weight() -> Rational:
        if choices.flip(12):
            return 10**30 + choices.below(3)
        return choices.below(7) if whole else choices.fraction(9, (1, 2, 3))

    for _ in range(choices.between(1, 4)):
        amount, reached = weight(), [0]
        for node in choices.shuffled(range(1, size)):
            arc = (choices.one_of(reached), node)
            rates[arc] = rates.get(arc, 0) + amount
            reached.append(node)
    for _ in range(choices.below(size)):
        head = choices.between(1, size - 1)
        tail = choices.one_of([node for node in range(size) if node != head])
        rates[tail, head] = rates.get((tail, head), 0) + weight()
    if choices.flip(4):
        del rates[choices.one_of(sorted(rates))]
    part = Fraction(choices.below(6), 5) if choices.flip() else Fraction(1)
    numbers = [n if type(n) is int or n.denominator > 1 else int(n) for n in rates.values()]
    return Flows(size, tuple(rates), tuple(numbers), part)


FLOWS = Instances(
    Flows,
    flows,
    Bounds(5, 9, 25),
    lambda: (
        Flows(2, ((0, 1),), (0,), Fraction(1)),
        Flows(2, ((0, 1),), (Fraction(1, 3),), Fraction(1, 2)),
        Flows(3, ((0, 1), (0, 2), (1, 2), (2, 1)), (1, 1, 1, 1), Fraction(1)),
        Flows(3, ((1, 2), (2, 1)), (5, 5), Fraction(1)),
        Flows(4, ((0, 1), (1, 2), (2, 3), (3, 2)), (10**40, 10**40, 1, 0), Fraction(0)),
    ),
)
