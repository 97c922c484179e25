"""Lengths of arcs under prices of the resources that they use: cost times the sum of prices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from operator import add, itemgetter, mul
from typing import Any

# What floats hold exactly.
LARGEST_SUM = 1 << 53


class ArcLengths:
    """Arc k keeps each resource in `uses[k]` busy for `costs[k]`, a positive integer.

    >>> lengths = ArcLengths([4, 2], [(0, 1), (1,)])
    >>> lengths.floats([0.5, 1.0]), lengths.exact({1: 7})
    ([1.5, 0.5], [28, 14])
    >>> lengths.load([0, 1], 10)
    {0: 40, 1: 60}
    """

    def __init__(self, costs: Sequence[int], uses: Sequence[tuple[int, ...]]) -> None:
        self._costs, self._uses = costs, uses
        largest = max(costs, default=1)
        self._float_costs = [cost / largest for cost in costs]
        # The k-th resource of every arc, for each k; -1, where it has fewer, is a free one.
        most = max(map(len, uses), default=0) or 1
        self._ranks = [[rows[k] if k < len(rows) else -1 for rows in uses] for k in range(most)]

    @cached_property
    def _priced(self) -> list[Callable[[Sequence[float]], tuple[float, ...]]]:
        """The k-th price of every arc, for each k, and two more: of one there would be no tuple."""
        return [itemgetter(*rank, -1, -1) for rank in self._ranks]

    def floats(self, prices: Sequence[float]) -> list[float]:
        """The lengths over the largest cost."""
        # By map and not by comprehension: these were a sixth of the running time of a broadcast.
        priced = [*prices, 0.0]
        first, *others = self._priced
        totals: Iterable[float] = first(priced)
        for rank in others:
            totals = map(add, totals, rank(priced))
        return list(map(mul, self._float_costs, totals))

    def exact(self, prices: Mapping[int, int]) -> list[int]:
        """The lengths in integers; prices not given are 0."""
        first, *others = [map(prices.get, rank, repeat(0)) for rank in self._ranks]
        totals: Iterable[int] = first
        for rank in others:
            totals = map(add, totals, rank)
        return list(map(mul, self._costs, totals))

    def load(self, arcs: Iterable[int], amount: int = 1) -> dict[int, int]:
        """How long messages of that size on all these arcs keep each resource busy."""
        busy: dict[int, int] = {}
        costs, uses = self._costs, self._uses
        for arc in arcs:
            time = costs[arc] * amount
            for row in uses[arc]:
                busy[row] = busy[row] + time if row in busy else time
        return busy


class LengthsInBulk(ArcLengths):
    """The same with arrays of numpy, where the sum of all costs is below `LARGEST_SUM`.

    >>> lengths = LengthsInBulk([4, 2], [(0, 1), (1,)])
    >>> lengths.floats([0.5, 1.0]), lengths.load([0, 1])
    (array([1.5, 0.5]), {0: 4, 1: 6})
    """

    def __init__(self, costs: Sequence[int], uses: Sequence[tuple[int, ...]]) -> None:
        import numpy

        super().__init__(costs, uses)
        self._weights = numpy.array(costs, dtype=float)
        self._scaled = numpy.array(self._float_costs)
        self._rows = [numpy.array(rank) for rank in self._ranks]
        del self._float_costs

    def floats(self, prices: Sequence[float]) -> Any:
        import numpy

        priced = numpy.array([*prices, 0.0])
        return self._scaled * sum(priced[rows] for rows in self._rows)

    def load(self, arcs: Iterable[int], amount: int = 1) -> dict[int, int]:
        import numpy

        tree = numpy.fromiter(arcs, dtype=numpy.int64)
        rows = numpy.concatenate([rows[tree] for rows in self._rows])
        # The sums are integers that floats hold exactly; -1 is no resource.
        times = numpy.bincount(rows + 1, numpy.tile(self._weights[tree], len(self._rows)))[1:]
        (busy,) = numpy.nonzero(times)
        whole = times[busy].astype(numpy.int64).tolist()
        return {row: time * amount for row, time in zip(busy.tolist(), whole, strict=True)}
