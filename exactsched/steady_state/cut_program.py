"""The largest demands that branchings of paths can meet, if they may share the capacities of arcs.

Method: a linear program of what each arc carries, with a row for each set of nodes that is found
to be entered by too little; floats find nearly all of them, exact numbers the rest.
Limits: for kernels: nothing is checked.

The proofs are in `proofs/steady-state-allgather.md` and `proofs/steady-state-order-free.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from exactsched.exact.arguments import over_common_denominator
from exactsched.graphs.root_connectivity import unmet_sets
from exactsched.linear_programs.column_generation import Progress, quotient
from exactsched.linear_programs.master_program import Optimum, PackingProgram

Pairs = Sequence[tuple[int, int]]

# What floats carry is counted in this part of the largest capacity, and may be that much too low.
GRID, NEAR = 2**40, 2**10


@dataclass(frozen=True, slots=True)
class Shared:
    """How much of each demand is met, what each arc carries for each use, and what that costs.

    `prices` are those of a unit of capacity of each arc, `potentials` those of what enters a
    switch, for each use, and `cuts` the weights of sets of nodes, for each use.
    """

    met: list[Fraction]
    carried: list[list[Fraction]]
    prices: list[Fraction]
    potentials: list[dict[int, Fraction]]
    cuts: list[dict[frozenset[int], Fraction]]
    rounds: int


class CutProgram:
    """Several uses of the same arcs, forwards or turned round, each of which meets all demands.

    In every use a set X with a terminal is entered by all demand outside, and no more leaves a
    switch than enters it: then there are links, and branchings from the nodes with a demand
    (proofs/splitting-off.md, proofs/edmonds-branchings.md).  A demand j of `shapes` asks for
    x[j] times its numbers, by node; the sum of the x[j] is to be large.

    >>> fork = CutProgram(4, [[(0, 3), (3, 1), (3, 2)]], [1, 1, 1], [0, 1, 2], [{0: 1}])
    >>> fork.solve(None).met
    [Fraction(1, 2)]
    """

    def __init__(
        self,
        size: int,
        uses: Sequence[Pairs],
        capacities: Sequence[int],
        terminals: Sequence[int],
        shapes: Sequence[Mapping[int, int]],
    ) -> None:
        self._size, self._uses, self._terminals, self._shapes = size, uses, terminals, shapes
        self._count = len(capacities)
        self._program = PackingProgram(capacities)
        self._known: list[dict[frozenset[int], int]] = [{} for _ in uses]  # their rows
        self._rooms: list[dict[int, int]] = []  # the rows of switches
        for _ in shapes:
            self._program.add_column(1, {})
        for _ in uses:
            for arc in range(self._count):
                self._program.add_column(0, {arc: 1})
        inside = set(range(size)).difference(terminals)
        for use, ends in enumerate(uses):
            first = self._first(use)
            rows: dict[int, dict[int, int]] = {node: {} for node in sorted(inside)}
            for arc, (tail, head) in enumerate(ends):
                if tail in inside and tail != head:
                    rows[tail][first + arc] = 1
                if head in inside and tail != head:
                    rows[head][first + arc] = -1
            self._rooms.append(
                {node: self._program.add_row(0, entries) for node, entries in rows.items()}
            )
            for node in terminals:
                self._learn(use, frozenset([node]))
                self._learn(use, frozenset(range(size)).difference([node]))

    def _first(self, use: int) -> int:
        """The column of what the first arc carries."""
        return len(self._shapes) + use * self._count

    def _learn(self, use: int, nodes: frozenset[int]) -> None:
        """A row for a set: what is demanded outside of it enters it."""
        if nodes in self._known[use]:
            return
        entries = {
            column: sum(demand for node, demand in shape.items() if node not in nodes)
            for column, shape in enumerate(self._shapes)
        }
        if not any(entries.values()):
            return
        first = self._first(use)
        for arc, (tail, head) in enumerate(self._uses[use]):
            if head in nodes and tail not in nodes:
                entries[first + arc] = -1
        entries = {column: entry for column, entry in entries.items() if entry}
        self._known[use][nodes] = self._program.add_row(0, entries)

    def solve(self, progress: Progress | None) -> Shared | None:
        """The optimum, or None if the progress ends the search.  Floats find sets first.

        Each round learns a set that is new, so there is a last one.
        """
        rounds = 0
        while (values := self._program.proposed_values()) is not None:
            rounds += 1
            met = sum(values[: len(self._shapes)]) * quotient(self._program.largest, 1)
            if progress is not None and progress(rounds, 0.0, met) is True:
                return None
            largest = max(values)
            if not 0 < largest < inf:
                break
            if not self._separate([int(value / largest * GRID) for value in values], NEAR):
                break
        while True:
            rounds += 1
            optimum = self._program.solve()
            met = quotient(*optimum.value.as_integer_ratio())
            if progress is not None and progress(rounds, 0.0, met) is True:
                return None
            columns = len(self._shapes) + len(self._uses) * self._count
            exact = [optimum.primal.get(column, Fraction(0)) for column in range(columns)]
            numbers, _ = over_common_denominator(exact)
            if not self._separate(numbers, 0):
                return self._shared(optimum, exact, rounds)

    def _separate(self, numbers: Sequence[int], near: int) -> bool:
        """Learns sets that are entered by too little, if any are."""
        fresh = [
            (use, nodes)
            for use in range(len(self._uses))
            for nodes in self._unmet(use, numbers, near)
        ]
        for use, nodes in fresh:
            self._learn(use, nodes)
        return bool(fresh)

    def _unmet(self, use: int, numbers: Sequence[int], near: int) -> Iterator[frozenset[int]]:
        demands: dict[int, int] = {}
        for met, shape in zip(numbers, self._shapes, strict=False):
            for node, demand in shape.items():
                demands[node] = demands.get(node, 0) + met * demand
        first = self._first(use)
        carried = [number + near for number in numbers[first : first + self._count]]
        roots = [[([node], demand)] for node, demand in demands.items() if demand]
        for nodes in unmet_sets(self._size, self._uses[use], carried, roots, self._terminals):
            if frozenset(nodes) not in self._known[use]:
                yield frozenset(nodes)

    def _shared(self, optimum: Optimum, exact: list[Fraction], rounds: int) -> Shared:
        dual = optimum.dual
        firsts = [self._first(use) for use in range(len(self._uses))]
        return Shared(
            exact[: len(self._shapes)],
            [exact[first : first + self._count] for first in firsts],
            [dual.get(arc, Fraction(0)) for arc in range(self._count)],
            [
                {node: dual[row] for node, row in rooms.items() if row in dual}
                for rooms in self._rooms
            ],
            [
                {nodes: dual[row] for nodes, row in known.items() if row in dual}
                for known in self._known
            ],
            rounds,
        )
