"""Random LogP machines, series of items, words and sums, for the claims on the LogP model."""

# ruff: noqa: N803, N806  (L and P are the names in all of the literature)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.instances.machines import logp
from exactsched.model.machine import LogP
from exactsched.oracles.logp import ItemNumbers, labels_by_definition, sequence

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
        return LogP(latency, overhead, gap, choices.between(1, bound))
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
        fitting = [x for x in f if x <= 4 * bound]
        return LogP(postal.L, 0, 1, choices.one_of(fitting))
    if kind == 1:  # D is a multiple of g, and 2 o <= g
        g, o = choices.between(3, 6), choices.below(2)
        return LogP(g * choices.between(1, 4) - 2 * o, o, g, choices.between(1, 2 * bound))
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
    return Steps(choices.between(1, 8), choices.between(0, bound))


def few_steps(choices: Choices, bound: int) -> Steps:
    """Latencies up to 6; fewer steps for the latency 1, which reaches 2^t processors."""
    latency = choices.between(1, 6)
    return Steps(latency, choices.between(0, bound if latency > 1 else bound // 2))


def letters(choices: Choices, bound: int) -> Letters:
    """Integers up to 2, or long ones; in four cases of five their number divides their sum.

    >>> from exactsched.instances.choices import Replayed
    >>> letters(Replayed([2, 0, 1, 1, 2]), 5)
    Letters(numbers=(1, 1, 4))
    """
    size = choices.between(1, bound)
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
)
WORDS_OF_THE_LEMMA = Instances(
    Words,
    lambda choices, bound: Words(choices.between(3, bound), choices.below(2 * bound)),
    Bounds(6, 16, 40),
    lambda: (Words(3, 0), Words(3, 4), Words(6, 1), Words(5, 3), Words(26, 60)),
)
WORDS_OF_THE_AUTOMATA = Instances(
    Words,
    lambda choices, bound: Words(choices.between(1, bound), choices.below(5)),
    Bounds(3, 4, 5),
    lambda: (Words(3, 4), Words(1, 6), Words(2, 0), Words(4, 1)),
)

# Items -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Series:
    """An endless series of items, one a step, for P processors with the source."""

    L: int
    P: int


@dataclass(frozen=True, slots=True)
class Items:
    """k items for P processors with the source."""

    L: int
    P: int
    k: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """k items for P processors, sent by any rule: that of `oracles.logp.any_schedule`."""

    L: int
    P: int
    k: int
    picks: tuple[int, ...]


def processors_of(choices: Choices, L: int, most: int) -> int:
    """P: any, one or two more than a full tree, or the exception L + 4.

    >>> from exactsched.instances.choices import Replayed
    >>> processors_of(Replayed([1]), 4, 20), processors_of(Replayed([2, 4]), 3, 20)
    (8, 7)
    """
    kind = choices.below(5)
    if kind == 0:
        return choices.between(2, most + 1)
    if kind == 1:
        return min(L + 4, most + 1)
    full = [number for number in sequence(L, 64 * L) if number <= most]
    return min(most, choices.one_of(full[L - 1 :]) + choices.below(2)) + 1


def series(choices: Choices, bound: int) -> Series:
    """Latencies from 3; some with so many processors that the tree is put together from others."""
    L = choices.between(3, bound)
    return Series(L, processors_of(choices, L, (30 if choices.flip(6) else 5) * bound))


def items_of(choices: Choices, least: int, bound: int, most: int) -> Items:
    """Latencies from `least` to the bound, `most` processors, some items or very many.

    >>> from exactsched.instances.choices import Replayed
    >>> items_of(Replayed([]), 3, 6, 18)
    Items(L=3, P=2, k=1)
    """
    L = choices.between(least, bound)
    k = 10**18 - choices.below(3) if choices.flip(10) else choices.between(1, 3 * bound)
    return Items(L, processors_of(choices, L, most), k)


def items(least: int, times: int) -> Callable[[Choices, int], Items]:
    """The generator of `items_of` with `times` as many processors as the bound."""
    return lambda choices, bound: items_of(choices, least, bound, times * bound)


def any_attempt(choices: Choices, bound: int) -> Attempt:
    """Some are so small that all schedules can be examined, some have very many items."""
    L = choices.between(1, bound)
    if choices.flip(6):
        P, k = choices.one_of(((2, 1), (3, 1), (3, 2), (2, 3), (5, 1)))
        return Attempt(min(L, 3), P, k, ())
    P = processors_of(choices, L, 2 * bound)
    if choices.flip(10):
        return Attempt(L, P, 10**18 - choices.below(3), ())
    k = choices.between(1, bound)
    picks = [choices.below(12) for _ in range(choices.below(4) * P)]
    return Attempt(L, P, k, tuple(picks))


def many_items(choices: Choices, bound: int) -> Items:
    """At least k* items; in one case of three all schedules can be examined."""
    if choices.flip(3):
        P, k = choices.one_of(((3, 3), (2, 4), (4, 2), (3, 2), (2, 6)))
        return Items(choices.between(1, 4), P, k)
    L = choices.between(1, 3)
    P = choices.between(3, bound)
    return Items(L, P, ItemNumbers(L, P).most + choices.between(0, bound))


def full_trees_of_latency_two(choices: Choices, bound: int) -> Items:
    """P - 1 = f_t, t >= 7."""
    full = sequence(2, bound)[7:]
    return Items(2, choices.one_of(full) + 1, choices.between(2, 100 * bound))


SERIES = Instances(
    Series,
    series,
    Bounds(6, 20, 60),
    lambda: (
        Series(3, 10),  # figure 2
        Series(3, 2),
        Series(4, 8),  # the exception
        Series(12, 16),
        Series(4, 2000),
        Series(40, 900),
    ),
)
SERIES_OF_LATENCY_TWO = Instances(
    Series,
    lambda choices, bound: Series(2, processors_of(choices, 2, bound)),
    Bounds(60, 250, 10_000),
    lambda: (Series(2, 2), Series(2, 22), Series(2, 35), Series(2, 56), Series(2, 988)),
)
ATTEMPTS = Instances(
    Attempt,
    any_attempt,
    Bounds(5, 12, 30),
    lambda: (
        Attempt(4, 3, 1, ()),
        Attempt(5, 3, 2, ()),
        Attempt(1, 2, 1, ()),
        Attempt(1, 8, 5, (1, 2, 3)),
        Attempt(3, 10, 8, (5, 4, 3, 2, 1) * 9),  # figure 2
        Attempt(6, 1000, 10**18, ()),
    ),
)
FEW_ITEMS = Instances(Items, items(1, 2), Bounds(5, 8, 20))
MANY_ITEMS = Instances(
    Items,
    many_items,
    Bounds(5, 8, 14),
    lambda: (
        Items(3, 10, 8),
        Items(1, 2, 5),
        Items(2, 3, 3),
        Items(1, 4, 2),
        Items(2, 9, 10**6),
    ),
)
ITEMS_FROM_LATENCY_THREE = Instances(
    Items,
    items(3, 3),
    Bounds(6, 14, 60),
    lambda: (
        Items(3, 10, 8),
        Items(3, 2, 1),
        Items(4, 8, 20),
        Items(7, 100, 10**18),
    ),
)
ITEMS_IN_FULL_TREES = Instances(Items, full_trees_of_latency_two, Bounds(7, 7, 9))
ITEMS_OF_LATENCY_TWO = Instances(
    Items,
    lambda choices, bound: Items(2, choices.between(2, bound), choices.between(1, 2 * bound)),
    Bounds(5, 8, 35),
    lambda: (Items(2, 2, 1), Items(2, 22, 3), Items(2, 14, 10**18)),
)
ITEMS = Instances(
    Items,
    items(1, 3),
    Bounds(6, 20, 60),
    lambda: (
        Items(1, 2, 1),
        Items(1, 64, 5),
        Items(2, 22, 20),
        Items(5, 14, 20),
        Items(3, 42, 10**18),  # P - 1 = P(11) of figure 3
    ),
)
BUFFERED_ITEMS = Instances(
    Items,
    items(1, 5),
    Bounds(6, 20, 60),
    lambda: (
        Items(3, 14, 14),  # figure 5
        Items(1, 2, 1),
        Items(4, 8, 9),
        Items(2, 22, 9),
        Items(7, 500, 10**18),
    ),
)

# Latency 2 ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Walk:
    """For the latency 2, what one of the processors beside the source may receive in turn.

    Bit x of `received` says that the item due in step x has been received before.  Of the roles
    that are possible in a step, in the order of their indices, the one with the number
    `picks`[step], modulo their number, is taken.  `program`: the linear program is solved as well.
    """

    processors: int
    received: int
    picks: tuple[int, ...]
    program: bool


@dataclass(frozen=True, slots=True)
class Processors:
    """How many there are beside the source; `program`: the linear program is solved as well."""

    count: int
    program: bool


_PROGRAMS = (1, 2, 3, 5, 8, 13, 7, 12, 20, 19, 21, 33, 34, 54, 55)  # their programs are fast


def walk(choices: Choices, bound: int) -> Walk:
    """Processors for which counting excludes the least delay, f_7 = 21 or more.

    >>> from exactsched.instances.choices import Replayed
    >>> walk(Replayed([]), 9).processors
    21
    """
    depth = choices.between(7, bound)
    full = sequence(2, depth)
    most = (full[depth - 2] - depth) // (2 * depth - 2)
    m = full[depth] - choices.between(0, most)
    received = choices.below(2**depth)
    return Walk(m, received, tuple(choices.below(6) for _ in range(10 * depth)), choices.flip(40))


def processors(choices: Choices, bound: int) -> Processors:
    """Any number, or in one case of 25 one whose linear program is solved.

    >>> from exactsched.instances.choices import Replayed
    >>> processors(Replayed([24, 10]), 89)
    Processors(count=21, program=True)
    """
    if choices.flip(25):
        return Processors(choices.one_of(_PROGRAMS), program=True)
    return Processors(choices.between(1, bound), program=False)


WALKS = Instances(
    Walk,
    walk,
    Bounds(10, 12, 15),
    lambda: (
        Walk(21, 0b1111111, (5, 4, 3, 2, 1, 0) * 10, program=True),
        Walk(34, 0, (), program=True),
        Walk(55, 0, (), program=True),
        Walk(88, 0b1010101010, (1, 2, 3) * 20, program=False),
    ),
)
PROCESSORS = Instances(
    Processors,
    processors,
    Bounds(89, 89, 89),
    lambda: (
        Processors(1, program=True),
        Processors(20, program=True),
        Processors(33, program=True),
        Processors(76, program=False),
        Processors(77, program=False),
    ),
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
    machine = LogP(latency, o, g, choices.between(1, bound))
    return _sum(machine, Fraction(choices.below(3 * bound * unit), unit))


def long_sum(choices: Choices, bound: int) -> Sum:
    """Gaps and times are long enough for all to take part."""
    latency, o = choices.between(1, 6), choices.below(4)
    machine = LogP(latency, o, o + choices.between(1, 4), choices.between(1, bound))
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
