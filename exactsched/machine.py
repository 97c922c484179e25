"""The LogP machine: P processors that exchange small messages (Culler et al. 1993)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from exactsched.errors import InvalidInput
from exactsched.rational import exact, text


@dataclass(frozen=True, slots=True)
class LogP:
    """The parameters of Karp, Sahay, Santos and Schauser (1993), in units of one time.

    A message is sent during the *overhead* `o`, travels for the *latency* `L`, and is received
    during the overhead `o`.  A processor does one overhead, or one addition of unit time, at a
    time, and starts sends, and starts receptions, at least the *gap* `g` apart.  At most
    `capacity` = ceil(L / g) messages are under way from a processor, or to one, at any time.
    Processors are 0..P-1.

    Raises `InvalidInput` unless L > 0, o >= 0, g > 0 are exact numbers and P is a positive integer.

    >>> LogP(6, 2, 4, 8).delay, LogP(6, 2, 4, 8).capacity
    (Fraction(10, 1), 2)
    """

    L: Fraction
    o: Fraction
    g: Fraction
    P: int

    def __init__(self, L: Any, o: Any, g: Any, P: int) -> None:  # noqa: N803
        latency, overhead, gap = exact(L, "L"), exact(o, "o"), exact(g, "g")
        if latency <= 0:
            raise InvalidInput("L", text(latency), "the latency is positive")
        if overhead < 0:
            raise InvalidInput("o", text(overhead), "the overhead is not negative")
        if gap <= 0:
            raise InvalidInput("g", text(gap), "the gap is positive")
        if type(P) is not int or P < 1:
            raise InvalidInput("P", P, "a positive whole number of processors")
        for name, value in (("L", latency), ("o", overhead), ("g", gap), ("P", P)):
            object.__setattr__(self, name, value)

    @property
    def delay(self) -> Fraction:
        """From the start of a send to the end of the reception: L + 2 o."""
        return self.L + 2 * self.o

    @property
    def period(self) -> Fraction:
        """The least time between two starts of sends of one processor: max(g, o)."""
        return max(self.g, self.o)

    @property
    def capacity(self) -> int:
        """How many messages from, or to, a processor may be under way at a time."""
        return ceil(self.L / self.g)
