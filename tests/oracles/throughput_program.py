"""How the oracles state a linear program of a paper, row by row, and learn its exact optimum."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exactsched.certificate.linear_programs import LinearOptimum, LinearProgram
from exactsched.check import check
from exactsched.linear_programs.linear_program import linear_program, maximize

THROUGHPUT = 0  # the variable to maximize
ONE = Fraction(1)

Row = Mapping[int, Fraction]  # variable -> coefficient


class ThroughputProgram:
    """Maximize the throughput over the rows, all variables being at least 0."""

    def __init__(self) -> None:
        self._variables = 1
        self._rows: list[tuple[Row, int]] = []
        self._equations: list[int] = []

    def variable(self) -> int:
        self._variables += 1
        return self._variables - 1

    def equation(self, row: Row) -> None:
        """The row is 0."""
        self._equations.append(len(self._rows))
        self._rows.append((row, 0))

    def at_most(self, row: Row, limit: int) -> None:
        self._rows.append((row, limit))

    def stated(self) -> LinearProgram:
        return linear_program(
            [1] + [0] * (self._variables - 1),
            [row for row, _ in self._rows],
            [limit for _, limit in self._rows],
            self._equations,
            range(self._variables),
        )


def optimum(program: LinearProgram) -> Fraction:
    """The exact maximum, proved by the checker."""
    outcome = maximize(program)
    assert isinstance(outcome, LinearOptimum)
    value = check(outcome).value
    assert value is not None
    return Fraction(value)
