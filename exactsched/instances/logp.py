"""Random LogP machines, words, exchanges and sums, for the claims on the LogP model."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.machines import logp
from exactsched.model.machine import LogP
from exactsched.oracles.logp import labels_by_definition, sequence

# Machines ----------------------------------------------------------------------------------------


def any_machine(choices: Choices, bound: int) -> LogP:
    """Any machine of at most `bound` processors."""
    return logp(choices, max_processors=bound)


def broadcast_machine(choices: Choices, bound: int) -> LogP:
    """Any machine; some with huge parameters that nearly agree, some with many processors."""
    if choices.flip(20):
        huge = 10**20
        latency, overhead, gap = (
            Fraction(huge + choices.below(3), choices.between(1, 3)) for _ in range(3)
        )
        return LogP(latency, overhead, gap, choices.size(1, bound))
    if choices.flip(10):
        few = logp(choices, max_processors=1)
        return LogP(few.L, few.o, few.g, 10 ** choices.between(6, 18) + choices.below(3))
    return any_machine(choices, bound)


def paced_machine(choices: Choices, bound: int) -> LogP:
    """Any machine; some of the postal model with f_t processors, some where g divides D."""
    kind = choices.below(5)
    if kind == 0:
        postal = logp(choices, max_processors=bound, postal=True)
        f = sequence(int(postal.L), 6 * bound)
        fitting = [x for x in f if 3 <= x <= 4 * bound]
        return LogP(postal.L, 0, 1, choices.one_of(fitting))
    if kind == 1:  # D is a multiple of g, and 2 o <= g
        g, o = choices.between(3, 6), choices.below(2)
        return LogP(g * choices.between(1, 4) - 2 * o, o, g, choices.size(1, 2 * bound))
    if kind == 2 and choices.flip():
        few = logp(choices, max_processors=1)
        return LogP(few.L, few.o, few.g, 10 ** choices.between(3, 18) - choices.below(3))
    return any_machine(choices, 2 * bound)


ANY_MACHINES = Instances(LogP, any_machine, Bounds(9, 60, 500))
BROADCAST_MACHINES = Instances(
    LogP,
    broadcast_machine,
    Bounds(9, 150, 5000),
    lambda: (
        LogP(6, 2, 4, 8),  # figure 1
        LogP(1, 0, 1, 1),
        LogP(1, 2, 1, 3),  # the overhead is longer than the gap
        LogP(1, 0, 5, 6),  # the gap is longer than the delay
        LogP(Fraction(1, 10**20), 0, 1, 6),
        LogP(10**30, 10**30, 10**30 + 1, 6),
        LogP(3, 0, 1, 10**18),
    ),
)
PACED_MACHINES = Instances(
    LogP,
    paced_machine,
    Bounds(8, 30, 400),
    lambda: (
        LogP(1, 0, 1, 1),
        LogP(3, 0, 1, 9),
        LogP(6, 2, 4, 8),  # figure 1's machine: one more than the bound
        LogP(1, 1, 1, 3),
        LogP(1, 0, 5, 40),
        LogP(Fraction(7, 3), Fraction(1, 2), Fraction(3, 4), 10**18),
    ),
)

# Steps and words ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Steps:
    """A number of steps of the postal model (o = 0, g = 1) of the latency L."""

    L: int
    steps: int


@dataclass(frozen=True, slots=True)
class Letters:
    """Integers to be put into the order of a juggling pattern."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a length over the letters 0, ..., L - 1."""

    L: int
    length: int


def long_sequence(choices: Choices, bound: int) -> Steps:
    """Latencies up to 8, in one case of ten a huge one."""
    if choices.flip(10):
        return Steps(10**18 + choices.below(3), choices.between(0, bound))
    return Steps(choices.between(1, 8), choices.size(0, bound))


def few_steps(choices: Choices, bound: int) -> Steps:
    """Latencies up to 12; fewer steps for the latency 1, which reaches 2^t processors."""
    latency = choices.between(1, 12)
    return Steps(latency, choices.size(0, 2 * bound if latency > 1 else bound // 2))


def letters(choices: Choices, bound: int) -> Letters:
    """Integers up to 2, or long ones; in four cases of five their number divides their sum.

    >>> from exactsched.instances.choices import Replayed
    >>> letters(Replayed([1, 0, 0, 1, 1, 2]), 5)
    Letters(numbers=(1, 1, 4))
    """
    size = choices.size(1, bound)
    most = choices.one_of((2, size, 3 * size, 10**20))
    numbers = [choices.below(most + 1) for _ in range(size)]
    if not choices.flip(5):
        numbers[-1] += -sum(numbers) % size
    return Letters(tuple(choices.shuffled(numbers)))


LONG_SEQUENCES = Instances(
    Steps,
    long_sequence,
    Bounds(30, 200, 2000),
    lambda: (Steps(1, 0), Steps(1, 100), Steps(2, 20), Steps(7, 6), Steps(10**30, 3)),
)
FEW_STEPS = Instances(
    Steps,
    few_steps,
    Bounds(9, 22, 200),
    lambda: (Steps(1, 0), Steps(1, 10), Steps(3, 7), Steps(5, 4), Steps(3, 3000)),
)
LETTERS = Instances(
    Letters,
    letters,
    Bounds(7, 100, 600),
    lambda: (
        Letters((0,)),
        Letters((7, 0, 0, 1, 2)),  # the root's block of figure 2
        Letters((1, 0)),
        Letters((-3, 1, 1, 10**30 + 1, 10**30)),
        Letters((1,) * 30),
    ),
    lambda asked: len(asked.numbers) <= 2,
)
WORDS_OF_THE_LEMMA = Instances(
    Words,
    lambda choices, bound: Words(choices.between(3, bound), choices.size(0, 2 * bound - 1)),
    Bounds(16, 24, 40),
    lambda: (Words(3, 0), Words(3, 4), Words(6, 1), Words(5, 3), Words(26, 60)),
)
WORDS_OF_THE_AUTOMATA = Instances(
    Words,
    lambda choices, bound: Words(choices.between(1, bound), choices.below(5)),
    Bounds(3, 4, 5),
    lambda: (Words(3, 4), Words(1, 6), Words(2, 0), Words(4, 1)),
)

# Exchanges and sums ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Exchange:
    """Everybody has `items` items for everybody, or, `personal`, for each of the others."""

    machine: LogP
    items: int
    personal: bool


@dataclass(frozen=True, slots=True)
class Sum:
    """As many operands as can be added up within `time`, in additions."""

    machine: LogP
    time: Rational


def exchange(choices: Choices, bound: int) -> Exchange:
    """In half of the cases the first reception is near the start of a send."""
    if choices.flip(20):
        few = logp(choices, max_processors=2)
        return Exchange(few, choices.between(1, 10 * bound), choices.flip())
    machine = any_machine(choices, bound)
    if choices.flip():
        gap = max(machine.g, machine.o)
        near = gap * choices.between(1, bound) + Fraction(choices.below(5) - 2, 2)
        latency = max(near - machine.o, Fraction(1, 2))
        machine = LogP(latency, machine.o, machine.g, machine.P)
    return Exchange(machine, choices.between(1, 3), choices.flip())


def _sum(machine: LogP, time: Fraction) -> Sum:
    return Sum(machine, time.numerator if time.denominator == 1 else time)


def whole_sum(choices: Choices, bound: int) -> Sum:
    """Whole L, o and g; some have a very long time."""
    machine = logp(choices, max_processors=bound, whole=True)
    if choices.flip(15):
        return Sum(machine, 10**18 + choices.below(3))
    return _sum(machine, Fraction(choices.below(6 * bound + 1), choices.one_of((1, 1, 1, 2, 3))))


def fractional_sum(choices: Choices, bound: int) -> Sum:
    """L, o, g and the time are multiples of a half, a third or a quarter."""
    unit = choices.between(2, 4)
    latency, o, g = (Fraction(choices.between(n, 3 * unit), unit) for n in (1, 0, 1))
    machine = LogP(latency, o, g, choices.size(1, bound))
    return _sum(machine, Fraction(choices.below(3 * bound * unit), unit))


def long_sum(choices: Choices, bound: int) -> Sum:
    """Gaps and times are long enough for all to take part."""
    latency, o = choices.between(1, 6), choices.below(4)
    machine = LogP(latency, o, o + choices.between(1, 4), choices.size(1, bound))
    labels = labels_by_definition(latency + 2 * o + 1, int(machine.g))
    last = list(islice(labels, machine.P))[-1]
    return Sum(machine, last + o + 1 + choices.below(4 * bound))


EXCHANGES = Instances(
    Exchange,
    exchange,
    Bounds(5, 8, 60),
    lambda: (
        Exchange(LogP(6, 2, 4, 4), 1, personal=False),
        Exchange(LogP(1, 1, 2, 3), 1, personal=True),
        Exchange(LogP(1, 0, 1, 1), 3, personal=False),
        Exchange(LogP(1, 2, 1, 2), 4, personal=False),
        Exchange(LogP(7, 2, 3, 5), 1, personal=False),
        Exchange(LogP(6, 2, 4, 1000), 1, personal=False),
    ),
)
WHOLE_SUMS = Instances(
    Sum,
    whole_sum,
    Bounds(6, 20, 300),
    lambda: (
        Sum(LogP(5, 2, 4, 8), 28),  # figure 6: 79
        Sum(LogP(1, 1, 1, 1), 5),
        Sum(LogP(1, 0, 1, 1), 0),
        Sum(LogP(5, 2, 4, 3), 15),  # the third would add 1 and cost 2
        Sum(LogP(3, 4, 1, 5), Fraction(81, 2)),
        Sum(LogP(2, 1, 1, 10**4), 30),
    ),
)
LONG_SUMS = Instances(Sum, long_sum, Bounds(6, 12, 30))
FRACTIONAL_SUMS = Instances(
    Sum,
    fractional_sum,
    Bounds(5, 10, 60),
    lambda: (
        Sum(LogP(1, Fraction(1, 2), 1, 4), 10),
        Sum(LogP(Fraction(1, 3), 0, Fraction(3, 2), 5), 7),
        Sum(LogP(Fraction(1, 2), 0, 1, 1), 0),
        # One tree adds 20 operands, 19 are found, in less time.
        Sum(LogP(Fraction(7, 4), Fraction(1, 2), Fraction(9, 4), 5), Fraction(39, 4)),
        Sum(LogP(Fraction(5, 2), Fraction(1, 2), Fraction(7, 2), 12), 20),
    ),
)
