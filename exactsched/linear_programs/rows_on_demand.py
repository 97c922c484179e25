"""Float programs of few columns and many rows: SoPlex sees a row when a solution violates it.

Method: solve, look for rows that are violated, add the worst, solve again.
Limits: proposes only, as every float program; at the end no row is violated by more than SoPlex
tolerates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

# What is violated by less is as right as floats get; where the right side is 0, SoPlex's 1e-10.
_VIOLATED = 1e-12
_VIOLATED_ZERO = 1e-10
# The most rows that join at a time.  Of 2 * 10^5 ports of a broadcast some ten are ever seen.
_TOGETHER = 50


class RowsOnDemand:
    """In the place of PySCIPOpt's `LP`: rows a x <= b with b >= 0, and x >= 0, maximized.

    With n = 20,000 nodes and 23 trees the first program takes 0.10 s and 150 MiB, and 2.1 s and
    381 MiB with all of its rows.

    >>> from pyscipopt import LP
    >>> program = RowsOnDemand(LP(sense="maximize"), [9.0, 2.0, 4.0])
    >>> program.addCols([[(0, 1.0), (1, 1.0)], [(2, 2.0)]], objs=[1.0, 1.0])
    >>> program.solve(), program.getPrimal(), program.getDual()
    (4.0, [2.0, 2.0], [0.0, 1.0, 0.5])
    >>> program.getBase()
    ([1, 1], [1, 2, 2])
    """

    def __init__(self, program: Any, right_sides: Sequence[float]) -> None:
        import numpy

        self._program = program
        self._right_sides = numpy.array(right_sides)
        self._shown: list[int] = []  # the rows that the program has, in its order
        self._columns: list[tuple[Any, Any]] = []  # rows and entries, as arrays
        self._value = 0.0

    def addCols(  # noqa: N802
        self, columns: Iterable[Sequence[tuple[int, float]]], objs: Sequence[float], **_: object
    ) -> None:
        """Append columns; a row that a new one needs most is shown, so that all are bounded."""
        import numpy

        first = len(self._columns)
        for column in columns:
            flat = numpy.fromiter(chain.from_iterable(column), float, 2 * len(column))
            self._columns.append((flat[::2].astype(numpy.int64), flat[1::2].copy()))
        fresh = self._columns[first:]
        place = {row: index for index, row in enumerate(self._shown)}
        infinity = self._program.infinity()
        self._program.addCols(
            [
                [
                    (place[row], entry)
                    for row, entry in zip(rows.tolist(), entries.tolist(), strict=True)
                    if row in place
                ]
                for rows, entries in fresh
            ],
            objs=list(objs),
            lbs=[0.0] * len(fresh),
            ubs=[infinity] * len(fresh),
        )
        with numpy.errstate(divide="ignore"):
            peaks = {
                int(rows[numpy.argmax(entries / self._right_sides[rows])])
                for rows, entries in fresh
                if len(rows)
            }
        self._show(sorted(peaks.difference(place)))

    def addRows(  # noqa: N802
        self, rows: Sequence[Sequence[tuple[int, float]]], _: object, right_sides: Sequence[float]
    ) -> None:
        """Append rows, with their entries in columns that are there."""
        import numpy

        first = len(self._right_sides)
        self._right_sides = numpy.append(self._right_sides, right_sides)
        for row, entries in enumerate(rows, first):
            for index, entry in entries:
                places, column = self._columns[index]
                self._columns[index] = numpy.append(places, row), numpy.append(column, entry)

    def chgObj(self, column: int, gain: float) -> None:  # noqa: N802
        """Change the gain of a column."""
        self._program.chgObj(column, gain)

    def infinity(self) -> float:
        """What SoPlex takes for infinity."""
        infinity: float = self._program.infinity()
        return infinity

    def solve(self, dual: bool = False) -> float:
        """The optimum of all rows, by some of them."""
        import numpy

        while True:
            self._value = self._program.solve(dual=dual)
            if not self.isOptimal():
                return self._value
            right = self._right_sides
            excess = -numpy.where(right > 0, right * (1 + _VIOLATED), _VIOLATED_ZERO)
            for (rows, entries), amount in zip(
                self._columns, self._program.getPrimal(), strict=True
            ):
                if amount:
                    excess[rows] += entries * amount
            excess[self._shown] = 0.0
            (violated,) = numpy.nonzero(excess > 0)
            if not len(violated):
                return self._value
            worst = numpy.argsort(-excess[violated], kind="stable")[:_TOGETHER]
            self._show(sorted(violated[worst].tolist()))

    def _show(self, fresh: Sequence[int]) -> None:
        if not fresh:
            return
        import numpy

        entries: dict[int, list[tuple[int, float]]] = {row: [] for row in fresh}
        sought = numpy.array(fresh)
        for index, (rows, column) in enumerate(self._columns):
            (places,) = numpy.nonzero(numpy.isin(rows, sought))
            for place in places.tolist():
                entries[int(rows[place])].append((index, float(column[place])))
        self._program.addRows(
            list(entries.values()),
            [-self._program.infinity()] * len(fresh),
            self._right_sides[sought].tolist(),
        )
        self._shown += fresh

    def isOptimal(self) -> bool:  # noqa: N802
        """Whether an optimum has been found."""
        optimal: bool = self._program.isOptimal()
        return optimal

    def getNIterations(self) -> int:  # noqa: N802
        """The iterations of the last program of some rows."""
        iterations: int = self._program.getNIterations()
        return iterations

    def getPrimal(self) -> list[float]:  # noqa: N802
        """The value of every column."""
        values: list[float] = self._program.getPrimal()
        return values

    def getDual(self) -> list[float]:  # noqa: N802
        """The dual value of every row; of those that were not shown it is 0."""
        duals = [0.0] * len(self._right_sides)
        for row, dual in zip(self._shown, self._program.getDual(), strict=True):
            duals[row] = dual
        return duals

    def getBase(self) -> tuple[list[int], list[int]]:  # noqa: N802
        """The status of columns and of rows: 1 if basic, as rows that were not shown are."""
        columns, shown = self._program.getBase()
        rows = [1] * len(self._right_sides)
        for row, status in zip(self._shown, shown, strict=True):
            rows[row] = status
        return columns, rows
