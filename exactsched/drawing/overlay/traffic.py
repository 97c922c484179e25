"""Who sends how much in an overlay, and in which color."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactsched.certificate.overlay import Overlay, Piece
from exactsched.drawing.lettering import printable
from exactsched.drawing.palette import COLORS, FEW_COLORS, OTHER, color
from exactsched.exact.rational import Rational


class Traffic:
    """Amounts are in parts of the message; `rate` makes rates of them.

    `sent` and `degrees` are what nodes send and to how many, `senders` are those who send, from
    the source to the one who sends the least.  Arcs and parts have the colors of their senders
    if these are `colored`: all of them, or of too many the first few.
    """

    def __init__(self, overlay: Overlay) -> None:
        size = overlay.machine.size
        self.overlay = overlay
        self.amounts = [amount(pieces) for _, _, pieces in overlay.arcs]
        self.sent, self.degrees = [0] * size, [0] * size
        for (sender, _, _), parts in zip(overlay.arcs, self.amounts, strict=True):
            self.sent[sender] += parts
            self.degrees[sender] += 1
        self.above = [
            node for node in range(size) if self.degrees[node] > overlay.machine.degrees[node]
        ]
        active = [node for node in range(size) if self.degrees[node]]
        self.senders = sorted(active, key=lambda node: (node > 0, -self.sent[node], node))
        few = len(self.senders) <= COLORS
        self.colored = self.senders if few else self.senders[:FEW_COLORS]
        self._colors = {node: color(rank) for rank, node in enumerate(self.colored)}

    def rate(self, parts: int) -> Fraction:
        return Fraction(self.overlay.throughput) * parts / self.overlay.parts

    def color(self, node: int) -> str:
        return self._colors.get(node, OTHER)

    def name(self, node: int) -> str:
        names = self.overlay.machine.names
        return printable(names[node]) if names else str(node)

    def received(self) -> list[list[tuple[int, int, int]]]:
        """For every node (start, stop, sender), in the order of the message."""
        rows: list[list[tuple[int, int, int]]] = [[] for _ in self.sent]
        for sender, receiver, pieces in self.overlay.arcs:
            rows[receiver] += [(start, stop, sender) for start, stop in pieces]
        for row in rows:
            row.sort()
        return rows


def amount(pieces: Sequence[Piece]) -> int:
    """How many parts these are."""
    return sum([stop - start for start, stop in pieces])


def share(place: int, parts: int) -> Rational:
    """The place in the message [0, 1] where this many of all parts end.

    >>> share(2, 6), share(6, 6)
    (Fraction(1, 3), 1)
    """
    reached = Fraction(place, parts)
    return reached.numerator if reached.denominator == 1 else reached
