"""Linear programs so small that no solver need be loaded for them, solved in integers.

The program is: maximize c x over A x <= b and x >= 0, with b >= 0, all integers.  SoPlex takes a
seventh of a second to load, with numpy; a few rows and columns take a millisecond here.

Method: the simplex method with integer pivots (Edmonds 1967): the inverse of the basis times its
determinant is an integer matrix, and so is every one after it.  The steepest edge is taken, as in
SoPlex; after a few steps that gain nothing, and until one does, the first variable that gains
(Bland 1977): so it ends.
Limits: dense; the whole inverse changes in every step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from operator import mul

# Up to this many steps that gain nothing the steepest edge is taken.
_PATIENCE = 10


class TinyProgram:
    """An optimum in the place of PySCIPOpt's `LP`; right sides and results are over `largest`.

    Variables are numbered: the slack of row i is i, column j follows all slacks.  `basic` has the
    one of every row, `values` and `duals` are over `unit`.

    >>> program = TinyProgram([4, 6], [1, 1], [{0: 2, 1: 1}, {0: 1, 1: 3}], 1)
    >>> program.solve(), program.getPrimal(), program.getDual()
    (2.8, [1.2, 1.6], [0.4, 0.2])
    """

    def __init__(
        self,
        right_sides: Sequence[int],
        objective: Sequence[int],
        columns: Sequence[Mapping[int, int]],
        largest: int,
    ) -> None:
        height = len(right_sides)
        self.objective, self.columns, self.largest = objective, columns, largest
        self._optimal = False
        self.unit = 1
        self.basic = list(range(height))
        self.values = list(right_sides)
        self.duals = [0] * height
        self._inverse = [[int(i == k) for k in range(height)] for i in range(height)]

    def solve(self, dual: bool = False) -> float:  # noqa: ARG002
        """Goes to an optimal basis, or to a ray along which the gain is unbounded."""
        idle = 0
        while (entering := self._entering(first=idle > _PATIENCE)) is not None:
            slopes = self._slopes(entering)
            leaving = self._leaving(slopes)
            if leaving is None:
                return inf
            idle = 0 if self.values[leaving] else idle + 1
            self._exchange(entering, leaving, slopes)
        self._optimal = True
        value: int = sum(map(mul, self._gains(), self.values))
        return value / (self.unit * self.largest)

    def isOptimal(self) -> bool:  # noqa: N802
        """Whether an optimum has been found."""
        return self._optimal

    def getPrimal(self) -> list[float]:  # noqa: N802
        """The value of every column."""
        height = len(self.basic)
        found = dict(zip(self.basic, self.values, strict=True))
        places = range(height, height + len(self.columns))
        return [found.get(place, 0) / (self.unit * self.largest) for place in places]

    def getDual(self) -> list[float]:  # noqa: N802
        """The dual value of every row."""
        return [dual / self.unit for dual in self.duals]

    def getBase(self) -> tuple[list[int], list[int]]:  # noqa: N802
        """For every column, and for the slack of every row, whether it is basic."""
        height = len(self.basic)
        basic = [int(k in self.basic) for k in range(height + len(self.columns))]
        return basic[height:], basic[:height]

    def _entering(self, *, first: bool) -> int | None:
        """A variable with a gain: the first one, or one with the largest gain on its way."""
        gains = [-dual for dual in self.duals] + [
            gain * self.unit - sum([self.duals[row] * entry for row, entry in column.items()])
            for gain, column in zip(self.objective, self.columns, strict=True)
        ]
        rising = [variable for variable, gain in enumerate(gains) if gain > 0]
        if not rising or first:
            return rising[0] if rising else None
        return max(rising, key=lambda variable: (self._steepness(variable, gains), variable))

    def _steepness(self, variable: int, gains: Sequence[int]) -> Fraction:
        """The square of the gain on a way of length 1, on which the basic variables change, too."""
        length = self.unit**2 + sum([slope * slope for slope in self._slopes(variable)])
        return Fraction(gains[variable] ** 2, length)

    def _slopes(self, variable: int) -> list[int]:
        """How fast the basic variables fall as this one grows, times the unit."""
        height = len(self.basic)
        if variable < height:
            return [row[variable] for row in self._inverse]
        column = self.columns[variable - height].items()
        return [sum([row[place] * entry for place, entry in column]) for row in self._inverse]

    def _leaving(self, slopes: Sequence[int]) -> int | None:
        """The row of the basic variable that comes to 0 first, the least variable of several."""
        least: int | None = None
        for row, slope in enumerate(slopes):
            if slope <= 0:
                continue
            if least is None:
                least = row
                continue
            ahead = self.values[row] * slopes[least] - self.values[least] * slope
            if ahead < 0 or (ahead == 0 and self.basic[row] < self.basic[least]):
                least = row
        return least

    def _exchange(self, entering: int, leaving: int, slopes: Sequence[int]) -> None:
        pivot, unit = slopes[leaving], self.unit
        kept, value = self._inverse[leaving], self.values[leaving]
        for row, slope in enumerate(slopes):
            if row != leaving:
                entries = zip(self._inverse[row], kept, strict=True)
                self._inverse[row] = [
                    (one * pivot - other * slope) // unit for one, other in entries
                ]
                self.values[row] = (self.values[row] * pivot - value * slope) // unit
        self.unit, self.basic[leaving] = pivot, entering
        gains = self._gains()
        self.duals = [
            sum([gain * row[place] for gain, row in zip(gains, self._inverse, strict=True) if gain])
            for place in range(len(self.basic))
        ]

    def _gains(self) -> list[int]:
        """What each of the basic variables gains; slacks gain nothing."""
        height = len(self.basic)
        return [0 if basic < height else self.objective[basic - height] for basic in self.basic]
