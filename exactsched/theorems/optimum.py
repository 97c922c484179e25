"""The optimum of a linear program that a paper states."""

from __future__ import annotations

from exactsched.certificate.minmax import LinearOptimum, LinearProgram
from exactsched.check import check
from exactsched.linear_programs.linear_program import maximize


def optimum(program: LinearProgram) -> LinearOptimum:
    """An optimal basis, accepted by the checker.

    Rates are bounded by ports, and 0 is feasible: so these programs have an optimum.

    >>> from exactsched.oracles.linear_programs import ThroughputProgram
    >>> program = ThroughputProgram()
    >>> program.at_most({0: 3}, 1)
    >>> optimum(program.stated()).value
    Fraction(1, 3)
    """
    outcome = maximize(program)
    check(outcome)
    assert isinstance(outcome, LinearOptimum)
    return outcome
