"""One operation of a collective, from its definition: states, what a task does, how long it lasts.

A *state* is an item (a message, or v[k,m]) that is known at a node.  It is an integer here, the
number of the item times the number of nodes plus the index of the node.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain, compress, repeat
from math import gcd, prod
from typing import Final, NamedTuple

from exactsched.certificate.budget import SHORT, bits_of, products, spend
from exactsched.certificate.collectives import Structure
from exactsched.check.common_denominator import over_common_denominator
from exactsched.model.problem import Collective
from exactsched.model.tasks import Task

_SMALL: Final = 1 << 256


class Effect(NamedTuple):
    """What a task needs, makes and takes.

    `work` is how many units it is for its place, None if it cannot be done; `forwarded` is what a
    node sends by it that only forwards, and has no longer then.
    """

    needs: tuple[int, ...]
    makes: int
    work: int | None
    forwarded: tuple[int, ...] = ()


class Operation(ABC):
    """What the tasks of an operation need, make and take.

    It has `parts`, each with its size; `given` says whether a state is there at the start.  Times
    are integers: ticks, and units of work, which are sizes or times over the common denominator of
    all of them.
    """

    given: Callable[[int], bool]

    def __init__(
        self,
        problem: Collective,
        tick: Fraction,
        parts: int,
        sizes: Sequence[Fraction],
        time_unit: int = 1,
    ) -> None:
        platform = problem.platform
        self.problem, self.tick, self.parts = problem, tick, parts
        self.node_count, self.arc_count = len(platform.nodes), len(platform.tails)
        # Arcs and processors.
        self.places = self.arc_count + self.node_count
        self._costs = platform.costs
        self.sizes, self._size_unit = over_common_denominator(sizes, "problem, sizes")
        self._tick_of_sizes = (tick * self._size_unit).as_integer_ratio()
        self._tick_of_times = (tick * time_unit).as_integer_ratio()

    @abstractmethod
    def wanted(self, part: int) -> Iterable[int]:
        """The states that a part has to bring about."""

    @abstractmethod
    def effect(self, task: Task) -> Effect:
        """What the task needs, makes and takes."""

    @abstractmethod
    def named(self, state: int) -> str:
        """A state for a message."""

    def works_at_once(self, _structures: Sequence[Structure]) -> list[int] | None:
        """The work of each task, if the structures are what they mostly are; None says nothing.

        All tasks at once, because there are millions; what else carries a message to all who want
        it is looked at task by task.
        """
        return None

    def state(self, item: int, node: int) -> int:
        """The state of an item at a node."""
        return item * self.node_count + node

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """The indices of the nodes that every arc joins."""
        platform, position = self.problem.platform, self.problem.platform.position.__getitem__
        pairs = zip(map(position, platform.tails), map(position, platform.heads), strict=True)
        return list(pairs)

    def lasts(self, place: int, ticks: int, work: int) -> bool:
        """Whether this many ticks are exactly the time for this much work at a place."""
        if place >= self.arc_count:
            over, under = self._tick_of_times
            return equal_products((ticks, over), (work, under))
        over, under = self._tick_of_sizes
        numerator, denominator = self._costs[place].as_integer_ratio()
        return equal_products((ticks, over, denominator), (work, under, numerator))

    def all_last(self, ticks: Sequence[int], works: Sequence[int]) -> bool:
        """Whether arcs alone work, and as long as their tasks last, all at once.

        Of every place its ticks and its work are given.  False says nothing.
        """
        over, under = self._tick_of_sizes
        if over >= _SMALL or under >= _SMALL or any(works[self.arc_count :]):
            return False
        working = list(compress(range(self.arc_count), works))
        if len(ticks) - ticks.count(0) > len(working):
            return False
        for place in working:
            lasted, work = ticks[place], works[place]
            if lasted >= _SMALL or work >= _SMALL:
                return False
            # The cost of an arc is multiplied once, however long it is.
            numerator, denominator = self._costs[place].as_integer_ratio()
            if lasted * over * denominator != work * under * numerator:
                return False
        return True

    def time(self, cost: Fraction, work: int) -> Fraction:
        """How long this much work takes, at a cost per unit of size."""
        return cost * work / self._size_unit

    def room(self, cost: Fraction, ticks: int, work: int) -> bool:
        """Whether this much work, at a cost per unit of size, takes at most this many ticks."""
        over, under = self._tick_of_sizes
        bits = work.bit_length() + ticks.bit_length() + over.bit_length() + under.bit_length()
        spend(4 * products(bits, bits_of(cost)), "schedule")
        return work * under * cost.numerator <= ticks * over * cost.denominator

    def exchange(self, place: int) -> tuple[int, int]:
        """The least numbers (ticks, units) that are the same time at a place."""
        if place >= self.arc_count:
            return self._tick_of_times[1], self._tick_of_times[0]
        over, under = self._tick_of_sizes
        cost = self._costs[place]
        # Not kept: a long tick would be copied for every arc.
        spend(products(bits_of(cost), over.bit_length() + under.bit_length()), "tick")
        # All of over / under, which may be long, and of the cost, is in lowest terms already.
        one, other = gcd(cost.numerator, over), gcd(under, cost.denominator)
        return (
            cost.numerator // one * (under // other),
            cost.denominator // other * (over // one),
        )


def equal_products(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether numbers that are not negative have the same product as others.

    >>> equal_products((2, 6), (3, 4)), equal_products((2, 6), (3, 5))
    (True, False)
    """
    # Not to multiply long numbers in vain: a short document can ask for many such products.
    bits = sum(map(int.bit_length, one))
    if not -len(other) < bits - sum(map(int.bit_length, other)) < len(one):
        return False
    if bits > SHORT:
        spend(len(one) * products(bits // 2, bits // 2), "tick")
    return prod(one) == prod(other)


def repeated(values: Sequence[int], lengths: Sequence[int]) -> list[int]:
    """Each of the values this number of times.

    >>> repeated([5, 7], [2, 1])
    [5, 5, 7]
    """
    return list(chain.from_iterable(map(repeat, values, lengths)))
