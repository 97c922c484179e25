"""Which item the source sends as which of the last copies: a search with linear programs.

The search decides copies one by one, first those that most processors receive.  After each decision
a linear program says whether a fractional circulation exists through states in which no item is
missing; an undecided copy counts as any item.  If there is none, no schedule of the class, of any
period, contains these decisions, and the search goes back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from exactsched.exact.patience import PATIENT, Patience
from exactsched.logp.endgame_automaton import Arc, closed
from exactsched.logp.item_program import CirculationProgram


class ColoringSearch:
    """Colorings of the copies with which a circulation exists, in fractions, for a number of steps.

    `phases` are arcs for the steps of a period, of which the states after the last must have all
    colors.  `sizes` are the numbers of processors that receive the copies in time, those that are
    sent last first; copy x has arrived everywhere depth - x steps after the last moment.
    The search ends when its linear programs have cost `limit` units of work, which are iterations
    of the simplex method times rows.
    """

    def __init__(
        self,
        latency: int,
        processors: int,
        depth: int,
        phases: Sequence[Sequence[Arc]],
        sizes: Sequence[int],
        colors: int,
        limit: int,
        patience: Patience = PATIENT,
    ) -> None:
        self._latency, self._processors, self._depth = latency, processors, depth
        self._phases, self._sizes, self._colors, self._limit = phases, sizes, colors, limit
        self._patience = patience
        self.work = 0

    def found(self) -> Iterator[dict[int, int]]:
        """One coloring after the other, as color by copy; each differs early from the ones before.

        When the caller comes back for another, he had no use for the last one; those that differ
        from it only in copies that few receive would hardly do him more good.
        """
        program = CirculationProgram(self._latency, self._processors, self._depth, self._phases)
        self._program = _OpenStates(program)
        self._color: dict[int, int] = {}
        self._lacking = [self._processors] * self._colors
        self._returns = 0
        return self._extended(len(self._sizes) - 1)

    def _extended(self, copy: int) -> Iterator[dict[int, int]]:
        """The colorings that have the decisions made so far; this copy is decided next."""
        if copy < 0:
            yield dict(self._color)
            self._returns += 1
            return
        before = self._returns
        for choice in self._choices():
            if self.work > self._limit:
                return
            self._color[copy] = choice
            self._lacking[choice] -= self._sizes[copy]
            if self._may_go_on(copy):
                yield from self._extended(copy - 1)
            self._lacking[choice] += self._sizes[copy]
            del self._color[copy]
            if self._returns > before and self._depth - copy > self._latency:
                return

    def _choices(self) -> list[int]:
        """The colors in use and one more; first what is nearly complete, so the surplus stays."""
        lacking, used = self._lacking, max(self._color.values(), default=-1) + 1
        return sorted(
            range(min(used + 1, self._colors)), key=lambda c: (lacking[c] <= 0, lacking[c])
        )

    def _may_go_on(self, last: int) -> bool:
        """Whether the copies before `last` are enough, and a circulation exists."""
        lack = sum([max(lack, 0) for lack in self._lacking])
        if lack > sum(self._sizes[:last]):
            return False
        self._patience.ask()
        masks, wild = self._masks(self._color, last)
        feasible, work = self._program.solved(masks, wild)
        self.work += work
        return feasible

    def restricted(self, color: dict[int, int], steps: Sequence[bool]) -> list[tuple[Arc, ...]]:
        """The arcs of `phases`, without states that lack a color before the steps that are marked.

        In the order of `steps`, of which there may be a multiple of the phases.
        """
        masks, _ = self._masks(color, 0)
        phases = [
            [
                arc
                for arc in self._phases[number % len(self._phases)]
                if not marked or _has_all(arc.tail[0], masks, 0)
            ]
            for number, marked in enumerate(steps)
        ]
        return list(closed(phases))

    def _masks(self, color: dict[int, int], last: int) -> tuple[list[int], int]:
        """The copies of each color, and those before `last`, as bits of states."""
        masks = [0] * self._colors
        for copy, choice in color.items():
            masks[choice] |= 1 << self._depth - copy
        return masks, sum([1 << self._depth - copy for copy in range(last)])


class _OpenStates:
    """The linear program of circulations; states that lack too many colors are closed."""

    def __init__(self, program: CirculationProgram) -> None:
        from pyscipopt import LP

        self._model = LP()
        sides = [float(side) for side in program.sides]
        self._rows, self._most = len(sides), float(program.most)
        self._model.addRows([[] for _ in sides], sides, sides)
        zeros = [0.0] * len(program.columns)
        self._model.addCols(program.entries, zeros, zeros, [self._most] * len(zeros))
        # The columns of the arcs that leave a state of the first phase.
        self._through: dict[int, list[int]] = defaultdict(list)
        for column, (phase, arc) in enumerate(program.columns):
            if phase == 0:
                self._through[arc.tail[0]].append(column)
        self._is_open = dict.fromkeys(self._through, True)

    def solved(self, masks: Sequence[int], wild: int) -> tuple[bool, int]:
        """Whether a circulation exists, and the work: iterations times rows."""
        for pending, columns in self._through.items():
            right = _has_all(pending, masks, wild)
            if right != self._is_open[pending]:
                self._is_open[pending] = right
                for column in columns:
                    self._model.chgBound(column, 0.0, self._most if right else 0.0)
        self._model.solve()
        return bool(self._model.isOptimal()), self._model.getNIterations() * self._rows


def _has_all(pending: int, masks: Sequence[int], wild: int) -> bool:
    """Whether no more colors are missing than there are copies that may have any."""
    missing = len([mask for mask in masks if not pending & mask])
    return missing <= (pending & wild).bit_count()
