"""Random bounded multi-port machines for experiments, and where their bandwidths come from.

Beaumont, Eyraud-Dubois and Agrawal (2010), section V, draw from more than 7,500 upload bandwidths
of volunteers (XtremLab), kept to [1000, 100000].  That trace is not public.  The lists here are
synthetic; `proofs/overlay-experiments.md` says what is known of the trace, and what was chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from itertools import accumulate
from random import Random

from exactsched.exact.arguments import checked_integer
from exactsched.exact.errors import InvalidInput
from exactsched.model.machine import MultiPort

LEAST, MOST = 1_000, 100_000
VALUES = 7_500

# Access lines by their rate in bytes per second, and how many in a hundred have it.
LINES = ((4_000, 15), (16_000, 30), (32_000, 25), (64_000, 20), (100_000, 10))

SHAPES = ("log-uniform", "uniform", "hyperbolic", "lines")


def sample_machine(
    count: int, degree: int, seed: int, bandwidths: Sequence[object] | None = None
) -> MultiPort:
    """A source and `count` others, with bandwidths drawn uniformly from a list, all of one degree.

    The list is `bandwidth_trace("log-uniform")` unless one is given, for instance the `bandwidths`
    of a machine that was read from a file.  Draws are those of `random.Random(seed)`, with
    repetition, the source first.  So a longer machine of the same seed continues a shorter one, and
    machines that differ in their degree only have the same bandwidths.

    Raises `InvalidInput` unless count >= 1, degree >= 0 and seed are integers and the list is a
    sequence of exact numbers >= 0, at least one.

    >>> [int(bandwidth) for bandwidth in sample_machine(3, 2, 0).bandwidths]
    [69930, 6941, 45275, 88037]
    """
    count = checked_integer(count, 1, "count", "an integer, at least 1")
    degree = checked_integer(degree, 0, "degree", "an integer, at least 0")
    if type(seed) is not int:
        raise InvalidInput("seed", seed, "a seed is an integer")
    listed = bandwidth_trace("log-uniform") if bandwidths is None else bandwidths
    if not listed:
        raise InvalidInput("bandwidths", [], "at least one bandwidth to draw from")
    draw = Random(seed)
    drawn = [listed[draw.randrange(len(listed))] for _ in range(count + 1)]
    return MultiPort(drawn, [degree] * (count + 1))


@cache
def bandwidth_trace(shape: str) -> tuple[int, ...]:
    """VALUES integers from LEAST to MOST, in increasing order: the middles of equal quantiles.

    "log-uniform": as many between b and 2b for every b; "uniform": as many between b and b + 1;
    "hyperbolic": a share of 1/b is faster than b, as far as the ends allow; "lines": the few rates
    of LINES.  Raises `InvalidInput` for another shape.

    >>> [bandwidth_trace("log-uniform")[k] for k in (0, 3750, 7499)]
    [1000, 10003, 99969]
    >>> sorted(set(bandwidth_trace("lines")))
    [4000, 16000, 32000, 64000, 100000]
    """
    if shape not in SHAPES:
        raise InvalidInput("shape", shape, f"one of {', '.join(SHAPES)}")
    return tuple([_quantile(shape, Fraction(2 * k + 1, 2 * VALUES)) for k in range(VALUES)])


def _quantile(shape: str, share: Fraction) -> int:
    """The bandwidth, rounded down, below which is this share of the distribution."""
    ratio = MOST // LEAST
    if shape == "log-uniform":
        # Decimal arithmetic of a stated precision is the same everywhere, unlike that of floats.
        context = Context(prec=30)
        exponent = context.divide(Decimal(share.numerator), Decimal(share.denominator))
        return int(context.multiply(Decimal(LEAST), context.power(Decimal(ratio), exponent)))
    if shape == "uniform":
        return int(LEAST + (MOST - LEAST) * share)
    if shape == "hyperbolic":
        return int(MOST / (ratio - (ratio - 1) * share))
    limits = accumulate(percent for _, percent in LINES)
    return next(line for (line, _), limit in zip(LINES, limits, strict=True) if 100 * share < limit)
