"""Exact solutions of sparse square systems of linear equations over the integers.

Gaussian elimination in rational numbers, pivots after Markowitz (1957), until what is left is
small or dense; there flint's lifting (Dixon 1982) takes over, whose numbers stay short.  Bases of
linear programs are nearly triangular, so that for most of them little is left.  Lifting takes a
step for each word of the solution, so small systems of very long numbers are eliminated entirely.

Method: Markowitz pivots, then Dixon's lifting (python-flint) for what is left.
Limits: square matrices of integers; a dense one is flint's from the start.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import gcd, lcm
from operator import mul
from typing import Any

# What goes to flint: less than _SMALL rows, or at least this share of nonzeros.  Measured on random
# systems of 300 to 2000 rows with 2 to 6 nonzeros a column: shares from 0.1 to 0.6 are as good.
# Programs of 50 rows with 60 digits: 0.15 s, with 10 rows and a share of 0.4 a tenth more, with 30
# rows and a share of 0.2 twice as much.
_SMALL = 5
# Up to this many rows flint, which takes 30 ms to load, is not needed.
_TINY = 2
_DENSE = 0.6
_PRIME = (1 << 61) - 1
# From this number of bits on entries are long.  The 194 systems of an all-reduce on 3 nodes with
# costs of 10^5000 + 7 and 1: 20 s by lifting, 0.6 s by elimination.
_LONG = 1 << 11


def factorize(columns: Sequence[Mapping[int, int]]) -> Factorization | None:
    """A factorization of the square matrix with these columns (entries by row); None if singular.

    Rows are 0..len(columns)-1.  Almost linear time where the matrix is triangular up to
    permutations, O(n^3) operations always.

    >>> factorized = factorize([{0: 2}, {0: 1, 1: 3}])
    >>> factorized.solve([1, 1]), factorized.solve_transposed([1, 1])
    (([1, 1], 3), ([3, 1], 6))
    >>> factorize([{0: 1, 1: 2}, {0: 2, 1: 4}]) is None
    True
    """
    if len(columns) <= _TINY:
        tiny = TinyMatrix(columns)
        return tiny if tiny.determinant else None
    long = any(entry.bit_length() > _LONG for column in columns for entry in column.values())
    if not long and _is_dense(len(columns), sum(map(len, columns))):
        dense = DenseMatrix(columns)
        return dense if dense.is_nonsingular() else None
    elimination = _Elimination(columns)
    if not elimination.run(entirely=long):
        return None
    sparse = SparseFactors(len(columns), elimination)
    return sparse if sparse.kernel.is_nonsingular() else None


def _is_dense(size: int, nonzeros: int) -> bool:
    return size < _SMALL or nonzeros >= _DENSE * size * size


class TinyMatrix:
    """A matrix of at most two rows, and its solutions by Cramer's rule."""

    def __init__(self, columns: Sequence[Mapping[int, int]]) -> None:
        rows = [[column.get(row, 0) for column in columns] for row in range(len(columns))]
        self.determinant, self._adjugate = 1, rows
        if len(rows) == 1:
            self.determinant, self._adjugate = rows[0][0], [[1]]
        if len(rows) == _TINY:
            (a, b), (c, d) = rows
            self.determinant, self._adjugate = a * d - b * c, [[d, -b], [-c, a]]

    def solve(self, right: Sequence[int]) -> tuple[list[int], int]:
        """The x with A x = right, as integers over their least common denominator."""
        return self._quotients([sum(map(mul, row, right)) for row in self._adjugate])

    def solve_transposed(self, right: Sequence[int]) -> tuple[list[int], int]:
        """The y with y A = right, as integers over their least common denominator."""
        return self._quotients(
            [sum(map(mul, row, right)) for row in zip(*self._adjugate, strict=True)]
        )

    def _quotients(self, numerators: list[int]) -> tuple[list[int], int]:
        divisor = gcd(self.determinant, *numerators)
        divisor = divisor if self.determinant > 0 else -divisor
        return [numerator // divisor for numerator in numerators], self.determinant // divisor


class DenseMatrix:
    """A nonsingular integer matrix, all of whose entries flint knows."""

    def __init__(self, columns: Sequence[Mapping[int, int]]) -> None:
        from flint import fmpz_mat

        size = self._size = len(columns)
        rows = range(size)
        entries = [column.get(row, 0) for column in columns for row in rows]
        self._matrix = fmpz_mat(size, size, entries).transpose()

    def is_nonsingular(self) -> bool:
        """What has full rank modulo a prime has full rank; the converse fails for few primes."""
        from flint import nmod_mat

        size = self._size
        return bool(nmod_mat(self._matrix, _PRIME).rank() == size or self._matrix.rank() == size)

    def solve(self, right: Sequence[int]) -> tuple[list[int], int]:
        """The x with A x = right, as integers over their least common denominator."""
        return _dixon(self._matrix, right)

    def solve_transposed(self, right: Sequence[int]) -> tuple[list[int], int]:
        """The y with y A = right, as integers over their least common denominator."""
        return _dixon(self._matrix.transpose(), right)


def _dixon(matrix: Any, right: Sequence[int]) -> tuple[list[int], int]:
    from flint import fmpz_mat

    if not right:
        return [], 1
    numerators, denominator = matrix.solve(fmpz_mat(len(right), 1, right)).numer_denom()
    return list(map(int, numerators.entries())), int(denominator)


# A pivot: its row, its column, its value, the other entries of its row by column, and by how many
# times its row the others were diminished.
_Step = tuple[int, int, Any, list[tuple[int, Any]], list[tuple[int, Any]]]


class SparseFactors:
    """The steps of an elimination and the kernel that it left, ready for right-hand sides.

    A solution takes one operation for each nonzero of the steps, and a dense one of the kernel.
    """

    def __init__(self, size: int, elimination: _Elimination) -> None:
        self._size, self._steps = size, elimination.steps
        self._rows, self._columns = list(elimination.rows), list(elimination.columns)
        # The kernel's rows times these factors are integer.
        self._factors = [
            lcm(*{int(entry.q) for entry in entries.values()})
            for entries in elimination.rows.values()
        ]
        columns: dict[int, dict[int, int]] = {column: {} for column in self._columns}
        for place, row in enumerate(self._rows):
            for column, entry in elimination.rows[row].items():
                columns[column][place] = int((entry * self._factors[place]).p)
        self.kernel = DenseMatrix(list(columns.values()))

    def solve(self, right: Sequence[int]) -> tuple[list[int], int]:
        """The x with A x = right, as integers over their least common denominator."""
        from flint import fmpq

        known: list[Any] = list(map(fmpq, right))
        for row, _, _, _, multipliers in self._steps:
            if value := known[row]:
                for other, multiplier in multipliers:
                    known[other] -= multiplier * value
        solution: list[Any] = [fmpq(0)] * self._size
        numerators, unit = _over_common_denominator(
            [known[row] * factor for row, factor in zip(self._rows, self._factors, strict=True)]
        )
        numerators, denominator = self.kernel.solve(numerators)
        for column, numerator in zip(self._columns, numerators, strict=True):
            solution[column] = fmpq(numerator, denominator * unit)
        for row, column, pivot, entries, _ in reversed(self._steps):
            value = known[row]
            for other, entry in entries:
                if moved := solution[other]:
                    value -= entry * moved
            solution[column] = value / pivot
        return _over_common_denominator(solution)

    def solve_transposed(self, right: Sequence[int]) -> tuple[list[int], int]:
        """The y with y A = right, as integers over their least common denominator."""
        from flint import fmpq

        known: list[Any] = list(map(fmpq, right))
        solution: list[Any] = [fmpq(0)] * self._size
        for row, column, pivot, entries, _ in self._steps:
            if known[column]:
                value = solution[row] = known[column] / pivot
                for other, entry in entries:
                    known[other] -= entry * value
        numerators, unit = _over_common_denominator([known[column] for column in self._columns])
        numerators, denominator = self.kernel.solve_transposed(numerators)
        for row, factor, numerator in zip(self._rows, self._factors, numerators, strict=True):
            solution[row] = fmpq(numerator * factor, denominator * unit)
        for row, _, _, _, multipliers in reversed(self._steps):
            value = solution[row]
            for other, multiplier in multipliers:
                if moved := solution[other]:
                    value -= multiplier * moved
            solution[row] = value
        return _over_common_denominator(solution)


Factorization = TinyMatrix | DenseMatrix | SparseFactors


def _over_common_denominator(values: list[Any]) -> tuple[list[int], int]:
    """Numerators of flint's rationals over their least common denominator."""
    from flint import fmpq_mat

    numerators, denominator = fmpq_mat(len(values), 1, values).numer_denom()
    return list(map(int, numerators.entries())), int(denominator)


class _Elimination:
    """The part of a matrix that is not yet eliminated, by rows, with its pattern by columns."""

    def __init__(self, columns: Sequence[Mapping[int, int]]) -> None:
        from flint import fmpq

        size = self._size = len(columns)
        self.steps: list[_Step] = []
        self.rows: dict[int, dict[int, Any]] = {row: {} for row in range(size)}
        self.columns: dict[int, set[int]] = {column: set() for column in range(size)}
        for column, entries in enumerate(columns):
            for row, entry in entries.items():
                if entry:
                    self.rows[row][column] = fmpq(entry)
                    self.columns[column].add(row)
        self._nonzeros = sum(map(len, self.rows.values()))
        # Counts of the rows and, numbered from `size`, of the columns; old counts stay behind.
        self._heap = [(len(entries), row) for row, entries in self.rows.items()]
        self._heap += [(len(rows), size + column) for column, rows in self.columns.items()]
        heapify(self._heap)

    def run(self, *, entirely: bool) -> bool:
        """Eliminates until the rest is small or dense, or nothing; false if it is singular."""
        while self.rows:
            count, line = self._sparsest()
            if count == 0:
                return False
            if count > 1 and not entirely and _is_dense(len(self.rows), self._nonzeros):
                break
            if line < self._size:
                row = line
                column = min(self.rows[row], key=lambda j: (len(self.columns[j]), j))
            else:
                column = line - self._size
                row = min(self.columns[column], key=lambda i: (len(self.rows[i]), i))
            self._eliminate(row, column)
        return True

    def _sparsest(self) -> tuple[int, int]:
        """The count of a row or a column with the fewest nonzeros, and which one."""
        while True:
            count, line = self._heap[0]
            entries: Any = (
                self.rows.get(line) if line < self._size else self.columns.get(line - self._size)
            )
            if entries is not None and len(entries) == count:
                return count, line
            heappop(self._heap)

    def _eliminate(self, row: int, column: int) -> None:
        entries = self.rows.pop(row)
        pivot = entries.pop(column)
        others = self.columns.pop(column)
        others.remove(row)
        self._nonzeros -= len(entries) + len(others) + 1
        for place in entries:
            self.columns[place].remove(row)
        multipliers = []
        for other in others:
            target = self.rows[other]
            multiplier = target.pop(column) / pivot
            multipliers.append((other, multiplier))
            for place, entry in entries.items():
                change = multiplier * entry
                if place not in target:
                    target[place] = -change
                    self.columns[place].add(other)
                    self._nonzeros += 1
                elif changed := target[place] - change:
                    target[place] = changed
                else:
                    del target[place]
                    self.columns[place].remove(other)
                    self._nonzeros -= 1
            heappush(self._heap, (len(target), other))
        for place in entries:
            heappush(self._heap, (len(self.columns[place]), self._size + place))
        self.steps.append((row, column, pivot, list(entries.items()), multipliers))
