"""The relaxation of a case in floats, with cuts added when they are violated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from exactsched.linear_programs.column_generation import quotient
from exactsched.overlay.relaxation import Arc, Relaxation, Row, RowName

if TYPE_CHECKING:
    from pyscipopt import LP

# These rows may be violated, at a price of this number of ceilings for each unit.  So every case
# has a solution, and no multiplier is larger than the price.
ELASTIC = frozenset({"feed", "order"})
PRICE = 100
MOST_SHARES = 6
VIOLATION = 1e-8


class UnsolvedError(Exception):
    """The solver in floats has failed: then there is nothing to propose."""


@dataclass(slots=True)
class Point:
    """A solution in floats, in units of the ceiling, with the multipliers of all rows."""

    value: float
    rates: dict[Arc, float]
    uses: dict[Arc, float]
    multipliers: dict[RowName, float]


@dataclass(slots=True)
class CaseProgram:
    """Cases differ in the bounds of y only, so that each starts from the basis of the last."""

    relaxation: Relaxation
    arcs: tuple[Arc, ...] = field(init=False)
    names: list[RowName] = field(init=False)
    cuts: list[tuple[int, ...]] = field(init=False)
    _program: LP = field(init=False)
    _fixed: dict[Arc, bool] = field(init=False)
    _column: dict[Arc, int] = field(init=False)

    def __post_init__(self) -> None:
        from pyscipopt import LP, SCIP_LPPARAM  # type: ignore[attr-defined]

        relaxation = self.relaxation
        self.arcs = relaxation.arcs()
        self.names, self.cuts, self._fixed = [], [], {}
        self._column = {arc: index for index, arc in enumerate(self.arcs)}
        self._program = program = LP(sense="maximize")
        program.setRealParam(SCIP_LPPARAM.FEASTOL, 1e-9)
        program.setRealParam(SCIP_LPPARAM.DUALFEASTOL, 1e-9)
        count, most = len(self.arcs), program.infinity()
        program.addCols(
            [[] for _ in range(2 + 2 * count)],
            objs=[1.0] + [0.0] * (2 * count) + [-float(PRICE)],
            lbs=[0.0] * (2 + 2 * count),
            ubs=[1.0] + [most] * count + [1.0] * count + [most],
        )
        for name in relaxation.standing():
            if name[0] != "bound":
                self._add(name, relaxation.row(name))

    def _add(self, name: RowName, row: Row) -> None:
        ceiling, count = Fraction(self.relaxation.ceiling), len(self.arcs)
        entries = [(0, float(row.throughput))] if row.throughput else []
        entries += [(1 + self._column[arc], float(value)) for arc, value in row.rates.items()]
        scale = ceiling if name[0] == "link" else 1
        entries += [
            (1 + count + self._column[arc], float(value / scale)) for arc, value in row.uses.items()
        ]
        ratio = Fraction(row.right) / (ceiling if name[0] in ("send", "incoming") else 1)
        right = quotient(ratio.numerator, ratio.denominator)
        if name[0] in ELASTIC:
            entries.append((1 + 2 * count, -1.0))
        low = right if row.equal else -self._program.infinity()
        self._program.addRow(entries, lhs=low, rhs=right)
        self.names.append(name)

    def enter(self, case: Mapping[Arc, bool]) -> None:
        """Goes to a case: arcs that are used, and arcs that are not."""
        offset = 1 + len(self.arcs)
        for arc in self._fixed.keys() - case.keys():
            self._program.chgBound(offset + self._column[arc], 0.0, 1.0)
        for arc, used in case.items():
            if self._fixed.get(arc) is not used:
                self._program.chgBound(offset + self._column[arc], float(used), float(used))
        self._fixed = dict(case)

    def value(self) -> float:
        """The optimum of the case with the rows that there are."""
        return self._solved()

    def _solved(self) -> float:
        try:
            return float(self._program.solve(dual=True))
        except Exception as error:  # pyscipopt has no narrower one
            raise UnsolvedError from error

    def solve(self, enough: float) -> Point:
        """An optimum that satisfies all cuts, or one below `enough`."""
        while True:
            value = self._solved()
            primal, count = self._program.getPrimal(), len(self.arcs)
            rates = {arc: max(primal[1 + k], 0.0) for arc, k in self._column.items()}
            uses = {arc: primal[1 + count + k] for arc, k in self._column.items()}
            if value <= enough or not self._cut_off(primal[0], rates, uses):
                duals = self._program.getDual()
                return Point(value, rates, uses, dict(zip(self.names, duals, strict=True)))

    def _cut_off(self, value: float, rates: Mapping[Arc, float], uses: Mapping[Arc, float]) -> bool:
        """Whether rows were added that this solution violates."""
        before, known_rows, relaxation = len(self.names), set(self.names), self.relaxation
        nodes = range(1, relaxation.machine.size)
        if relaxation.bound:
            for node in nodes:
                for wanted in range(2, MOST_SHARES + 1):
                    name = ("feed", node, wanted)
                    if name in known_rows:
                        continue
                    row = relaxation.row(name)
                    left = sum(float(share) * uses[arc] for arc, share in row.uses.items())
                    if left > row.right + 1e-3:
                        self._add(name, row)
                        break
        if not relaxation.places:
            known = set(self.cuts)
            for inside in violated_cuts(relaxation.machine.size, rates, value - VIOLATION):
                if inside not in known:
                    known.add(inside)
                    self._add(("cut", len(self.cuts), 0), relaxation.row(("cut", 0, 0), inside))
                    self.cuts.append(inside)
        return len(self.names) > before


def violated_cuts(
    size: int, rates: Mapping[Arc, float], wanted: float
) -> Iterable[tuple[int, ...]]:
    """Sets without node 0 into which less than wanted is sent: two least ones for each node.

    >>> sorted(violated_cuts(3, {(0, 1): 1.0, (1, 2): 0.5}, 1.0))
    [(2,)]
    """
    found = set()
    for target in range(1, size):
        residual: list[dict[int, float]] = [{} for _ in range(size)]
        for (i, j), rate in rates.items():
            if rate > 1e-12 and i != j:
                residual[i][j] = residual[i].get(j, 0.0) + rate
                residual[j].setdefault(i, 0.0)
        flow = 0.0
        while flow < wanted:
            parents = _reached(residual, 0)
            if target not in parents:
                found.add(tuple(sorted(set(range(size)) - parents.keys())))
                backward: list[dict[int, float]] = [{} for _ in range(size)]
                for node, heads in enumerate(residual):
                    for head, rest in heads.items():
                        backward[head][node] = rest
                found.add(tuple(sorted(_reached(backward, target))))
                break
            path, node = [], target
            while node:
                path.append((parents[node], node))
                node = parents[node]
            amount = min(residual[i][j] for i, j in path)
            for i, j in path:
                residual[i][j] -= amount
                residual[j][i] += amount
            flow += amount
    return found


def _reached(residual: list[dict[int, float]], start: int) -> dict[int, int]:
    """The nodes that can be reached, each with the one before it."""
    parents, waiting = {start: start}, [start]
    for node in chain(waiting):
        for head, rest in residual[node].items():
            if rest > 1e-12 and head not in parents:
                parents[head] = node
                waiting.append(head)
    return parents
