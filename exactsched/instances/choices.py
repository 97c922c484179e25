"""Random choices: drawn from a seed, or read again from a list.

A generator of instances is a function of `Choices`.  All that it decides goes through `below`; so a
list of small integers stands for the instance, and a list that is shorter or smaller stands for a
simpler one (`exactsched.campaign.shrinking`).  Generators therefore put what is simple at 0.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

from exactsched.exact.dice import Dice

T = TypeVar("T")


class Choices(ABC):
    """Where a generator takes its decisions from; 0 is the simplest one."""

    @abstractmethod
    def below(self, end: int) -> int:
        """One of 0..end-1, for end >= 1."""

    def between(self, least: int, most: int) -> int:
        """One of least..most; `least` is the simplest."""
        return least + self.below(most - least + 1)

    def size(self, least: int, most: int, usual: int = 3) -> int:
        """One of least..most, in one case of twelve less than `usual`; `least` is the simplest.

        Small numbers, such as that of the nodes, are where nothing can go wrong.

        >>> [Replayed(made).size(1, 9) for made in ([], [0, 1], [1, 0], [1, 6])]
        [1, 2, 3, 9]
        """
        usual = min(usual, most)
        if usual <= least or self.below(12):
            return self.between(max(least, usual), most)
        return self.between(least, usual - 1)

    def flip(self, one_in: int = 2) -> bool:
        """True in one case of `one_in`; False is simpler."""
        return self.below(one_in) == one_in - 1

    def one_of(self, options: Sequence[T]) -> T:
        """One of the options; the first one is the simplest."""
        return options[self.below(len(options))]

    def some_of(self, options: Iterable[T], one_in: int = 2) -> list[T]:
        """Each of the options, in their order, with the probability of `flip`."""
        return [option for option in options if self.flip(one_in)]

    def several_of(self, options: Sequence[T], count: int) -> list[T]:
        """This many different ones, in random order; the first ones are the simplest."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All of them, in random order; their own order is the simplest."""
        return self.several_of(options, len(options))

    def fraction(self, most: int, denominators: Sequence[int]) -> Fraction:
        """A positive rational p/q with p <= most and q one of the denominators."""
        return Fraction(self.between(1, most), self.one_of(denominators))


class Seeded(Choices):
    """Choices from a text, the same in every version of Python (`Dice`); `made` lists them.

    >>> one, other = Seeded("a seed"), Seeded("a seed")
    >>> [one.below(6) for _ in range(4)] == [other.below(6) for _ in range(4)] == one.made
    True
    """

    def __init__(self, seed: str) -> None:
        digest = hashlib.sha256(seed.encode()).digest()
        self._dice = Dice(int.from_bytes(digest, "big"))
        self.made: list[int] = []

    def below(self, end: int) -> int:
        made = self._dice.below(end)
        self.made.append(made)
        return made


class Replayed(Choices):
    """Choices from a list, each made small enough; 0 when the list has ended.  `made` lists them.

    >>> again = Replayed([2, 9])
    >>> again.below(6), again.below(6), again.below(6), again.made
    (2, 5, 0, [2, 5, 0])
    """

    def __init__(self, listed: Sequence[int]) -> None:
        self._listed = iter(listed)
        self.made: list[int] = []

    def below(self, end: int) -> int:
        made = min(next(self._listed, 0), end - 1)
        self.made.append(made)
        return made
