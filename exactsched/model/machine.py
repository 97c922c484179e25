"""Machines given by a few numbers per processor, where everybody may send to everybody.

The LogP machine (Culler et al. 1993) and the bounded multi-port machine (Hong and Prasanna 2007;
Beaumont, Eyraud-Dubois and Agrawal 2010).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from operator import attrgetter
from typing import Any

from exactsched.exact.arguments import are_all, checked_integer, plain, rows_of
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Fractions, are_fractions, exact, pasteable, text


@pasteable
@dataclass(frozen=True, slots=True)
class LogP:
    """The parameters of Karp, Sahay, Santos and Schauser (1993), in units of one time.

    A message is sent during the *overhead* `o`, travels for the *latency* `L`, and is received
    during the overhead `o`.  A processor does one overhead, or one addition of unit time, at a
    time, and starts sends, and starts receptions, at least the *gap* `g` apart.  At most
    `capacity` = ceil(L / g) messages are under way from a processor, or to one, at any time.
    Processors are 0..P-1.

    - `L`: the latency, positive
    - `o`: the overhead, not negative
    - `g`: the gap, positive
    - `P`: the number of processors, positive

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
        number = checked_integer(P, 1, "P", "a positive whole number of processors")
        for name, value in (("L", latency), ("o", overhead), ("g", gap), ("P", number)):
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


@pasteable
@dataclass(frozen=True, slots=True)
class MultiPort:
    """A bounded multi-port machine: nodes 0..n, of which node 0 is the source of a broadcast.

    - `bandwidths`: n + 1 numbers that are not negative, n >= 1: node i sends to several others at
      once, at rates with a sum of at most `bandwidths[i]`
    - `degrees`: n + 1 numbers that are not negative: node i sends to at most `degrees[i]` others
    - `incoming`: n + 1 numbers that are not negative: node i receives at a rate of at most
      `incoming[i]`; if empty, at any rate
    - `arcs`: different pairs [sender, receiver] of two nodes, the receiver not 0, along which
      something may be sent; if empty, along all such pairs
    - `names`: n + 1 different names for pictures; if empty, the nodes are called 0, 1, ...

    Raises `InvalidInput` unless there are the source and n >= 1 others, all numbers are exact and
    not negative, degrees are integers, all given lists have a place for each node, and arcs and
    names are not repeated.

    >>> MultiPort([2, 1, 1], [2, 1, 1]).bandwidths
    (Fraction(2, 1), Fraction(1, 1), Fraction(1, 1))
    """

    bandwidths: tuple[Fraction, ...]
    degrees: tuple[int, ...]
    incoming: tuple[Fraction, ...]
    arcs: tuple[tuple[int, int], ...]
    names: tuple[str, ...]

    def __init__(
        self,
        bandwidths: Iterable[Any],
        degrees: Iterable[int],
        incoming: Iterable[Any] = (),
        arcs: Iterable[tuple[int, int]] = (),
        names: Iterable[str] = (),
    ) -> None:
        sending = _rates(bandwidths, "bandwidths")
        receiving = _rates(incoming, "incoming")
        rule = "a degree is a whole number, not negative"
        listed = tuple(degrees)
        if not are_all(int, listed) or min(listed, default=0) < 0:
            numbered = enumerate(listed)
            listed = tuple([checked_integer(d, 0, f"degrees[{i}]", rule) for i, d in numbered])
        called = rows_of(names)
        size = len(sending)
        if size < 2:
            raise InvalidInput("bandwidths", size, "the source and at least one other node")
        for place, count, needed in (
            ("degrees", len(listed), True),
            ("incoming", len(receiving), False),
            ("names", len(called), False),
        ):
            if count != size and (needed or count):
                raise InvalidInput(place, count, f"one for each of the {size} nodes")
        for index, name in enumerate(called):
            if type(name) is not str:
                raise InvalidInput(f"names[{index}]", name, "a name is a string")
        if len(set(called)) < len(called):
            twice = Counter(called).most_common(1)[0][0]
            raise InvalidInput("names", twice, "two nodes may not have the same name")
        for name, value in (
            ("bandwidths", sending),
            ("degrees", listed),
            ("incoming", receiving),
            ("arcs", _allowed(arcs, size)),
            ("names", called),
        ):
            object.__setattr__(self, name, value)

    @property
    def size(self) -> int:
        """The number of nodes, with the source."""
        return len(self.bandwidths)


_NUMERATOR = attrgetter("numerator")


def _rates(values: Iterable[Any], place: str) -> tuple[Fraction, ...]:
    if type(values) is Fractions and min(values.numerators, default=0) >= 0:
        return values
    rates = tuple(values)
    if not are_fractions(rates):
        rates = tuple([exact(value, f"{place}[{index}]") for index, value in enumerate(rates)])
    if min(map(_NUMERATOR, rates), default=0) < 0:
        index, rate = next((index, rate) for index, rate in enumerate(rates) if rate < 0)
        raise InvalidInput(f"{place}[{index}]", text(rate), "a bandwidth is not negative")
    return rates


def _allowed(arcs: Iterable[tuple[int, int]], size: int) -> tuple[tuple[int, int], ...]:
    listed: list[tuple[int, int]] = []
    known: set[tuple[int, int]] = set()
    for index, arc in enumerate(rows_of(arcs)):
        place = f"arcs[{index}]"
        if not isinstance(arc, (tuple, list)) or len(arc) != 2:
            raise InvalidInput(place, arc, "an arc is a pair (sender, receiver)")
        sender, receiver = map(plain, arc)
        for node in (sender, receiver):
            if type(node) is not int or not 0 <= node < size:
                raise InvalidInput(place, node, f"nodes are 0..{size - 1}")
        if receiver in (0, sender):
            raise InvalidInput(place, [sender, receiver], "a node sends to others than the source")
        if (sender, receiver) in known:
            raise InvalidInput(place, [sender, receiver], "this arc is there already")
        known.add((sender, receiver))
        listed.append((sender, receiver))
    return tuple(listed)
