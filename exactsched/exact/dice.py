"""Random integers from a seed, the same in every version of Python."""

from __future__ import annotations

import random


class Dice:
    """Random integers that are the same in every version of Python.

    Of all methods of `random.Random`, only the sequence of `random()` is promised not to change;
    its values are multiples of 2^-53, at least 0 and less than 1.

    >>> dice = Dice(1)
    >>> 0 <= dice.below(6) < 6, 1 <= dice.between(1, 6) <= 6
    (True, True)
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def below(self, end: int) -> int:
        """One of 0..end-1, for an end below 2^53."""
        return int(self.random() * 2**53) * end >> 53

    def between(self, least: int, most: int) -> int:
        """One of least..most."""
        return least + self.below(most - least + 1)
