"""Random linear programs."""

from __future__ import annotations

from exactsched.certificate.linear_programs import LinearProgram
from exactsched.exact.rational import Rational
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import number
from exactsched.instances.instance_type import Bounds, Instances
from exactsched.linear_programs.linear_program import linear_program


def _program(choices: Choices, bound: int) -> LinearProgram:
    """Small coefficients, so that all three outcomes are common; long and broken ones as well."""
    width, height = choices.size(1, bound, 2), choices.size(0, bound, 2)

    def entry() -> Rational:
        size = number(choices) if choices.flip(8) else choices.below(4)
        return -size if choices.flip() else size

    return linear_program(
        [entry() for _ in range(width)],
        [[entry() for _ in range(width)] for _ in range(height)],
        [entry() for _ in range(height)],
        choices.some_of(range(height), 4),
        choices.some_of(range(width)),
    )


LINEAR_PROGRAMS = Instances(
    LinearProgram,
    _program,
    Bounds(3, 8, 24),
    lambda: (
        linear_program([0], [], []),
        linear_program([1], [[0]], [-1], nonnegative=[0]),  # both infeasible
        linear_program([1], [[-1]], [3]),
        linear_program([1, 1], [[2, 1], [1, 3]], [4, 6], nonnegative=range(2)),
        linear_program([1], [[1], [-1]], [10**40, -(10**40) - 1]),
    ),
)
