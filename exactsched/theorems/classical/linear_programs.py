"""Farkas, Gale, Kuhn and Tucker: what comes of a linear program, and of its dual."""

from __future__ import annotations

from exactsched.certificate.minmax import (
    LinearInfeasibility,
    LinearOptimum,
    LinearProgram,
    LinearUnboundedness,
)
from exactsched.instances.linear_programs import LINEAR_PROGRAMS
from exactsched.linear_programs.linear_program import maximize
from exactsched.oracles.linear_programs import dual, outcome_by_elimination
from exactsched.theorems.claim import Say, claim

# Programs of at most this many variables and rows are solved by elimination, too.
ELIMINATED = 3


@claim(
    "farkas.trichotomy",
    number="Farkas 1902; Gale, Kuhn and Tucker 1951; Schrijver 1986, corollary 7.1g",
    instances=LINEAR_PROGRAMS,
    page="linear-programming-duality",
    implements=(
        "exactsched/linear_programs/linear_program.py",
        "exactsched/linear_programs/simplex.py",
    ),
    judged="`check`; the outcome of the dual; Fourier's elimination up to 3 x 3",
)
def trichotomy(program: LinearProgram, say: Say) -> None:
    """A linear program with rational numbers has exactly one of: an optimum with a dual solution of
    the same value; multipliers of its m rows that add up to a contradiction; a feasible point and a
    ray of gain. At most m entries of x and y, and m + 1 of a ray, need not be 0. The dual has the
    same optimum, or none.
    """
    stated, other = maximize(program), maximize(dual(program))
    say.accepts(stated)
    say.accepts(other)
    height = len(program.rows)
    say(outcome=type(stated).__name__)
    by_elimination: object
    match stated:
        case LinearOptimum():
            say(value=stated.value)
            short = max(len(stated.primal), len(stated.dual)) <= height
            fits = isinstance(other, LinearOptimum) and other.value == -stated.value
            by_elimination = stated.value
        case LinearInfeasibility():
            short, fits = True, not isinstance(other, LinearOptimum)
            by_elimination = "infeasible"
        case LinearUnboundedness():
            short = len(stated.point) <= height and len(stated.ray) <= height + 1
            fits = isinstance(other, LinearInfeasibility)
            by_elimination = "unbounded"
    say.require(fits, f"the dual has the outcome {type(other).__name__}")
    say.require(short, "a solution with more entries than rows")
    if len(program.objective) <= ELIMINATED and height <= ELIMINATED:
        found = outcome_by_elimination(program)
        say.require(found == by_elimination, f"by elimination: {found}")
