"""Role cycles by integer programming: circulations of processors in an automaton.

In a steady schedule as many processors enter a state in a step as leave it, and the roles taken for
an item are the nodes of a tree.  Closed walks of such a circulation are role cycles.
Proofs: proofs/logp-items.md.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from exactsched.certificate.logp import Cycle, Role
from exactsched.exact.patience import PATIENT, Patience
from exactsched.linear_programs.integer_programs import solve_patiently
from exactsched.logp.endgame_automaton import Arc, State

# Branch and bound of one program is cut off here; nearly all are decided at the root.
_MAX_NODES = 10

# What presolving costs, per variable, in units of work.
_PRESOLVING = 400


class CirculationProgram:
    """How many of `processors` processors use each arc of the automaton, phase by phase.

    `phases[p]` are the arcs of the steps p modulo the period, which is their number; trees have
    `depth` at most.  Variable v belongs to the arc `columns[v]` = (phase, arc); row r of the
    equations has the right side `sides[r]`, and `entries[v]` are the (row, coefficient) of v.
    `work` counts what the solver has done: iterations of the simplex method times rows.
    """

    def __init__(
        self, L: int, processors: int, depth: int, phases: Sequence[Sequence[Arc]]
    ) -> None:
        self.period = len(phases)
        self.work = 0
        self.columns = [(phase, arc) for phase, arcs in enumerate(phases) for arc in arcs]
        row: dict[tuple[str, Any, int], int] = {}
        for item in range(self.period):
            for delay in range(depth + 1):
                row["delay", delay, item] = len(row)
        self.sides = [int(delay == 0) for _, delay, _ in row]
        self.most = processors * self.period
        self.sides.append(self.most)
        row["all", None, 0] = len(row)
        self.entries: list[list[tuple[int, int]]] = []
        for phase, (tail, (delay, children), head) in self.columns:
            item = (phase - delay) % self.period
            entry: Counter[tuple[str, Any, int]] = Counter()
            entry["state", tail, phase] += 1
            entry["state", head, (phase + 1) % self.period] -= 1
            entry["delay", delay, item] += 1
            for child in range(children):
                entry["delay", delay + L + child, item] -= 1
            entry["all", None, 0] += 1
            self.entries.append([(row.setdefault(r, len(row)), c) for r, c in entry.items() if c])
        self.sides += [0] * (len(row) - len(self.sides))

    def cycles(self, patience: Patience = PATIENT) -> tuple[Cycle, ...] | None:
        """The cycles of an integer circulation, or None if none is found.

        The walks begin in phase 0.  It is SCIP that proposes; certificates are checked.

        >>> from exactsched.logp.endgame_automaton import automaton
        >>> CirculationProgram(1, 2, 1, [automaton(1, 1, [0, 1], 1, 99)]).cycles() == (
        ...     (1, ((1, 0),)), (1, ((0, 1),))
        ... )
        True
        """
        from pyscipopt import SCIP_PARAMSETTING, Model, quicksum  # type: ignore[attr-defined]

        model = Model()
        model.hideOutput()
        # All of presolving finds as much and takes six times as long: 9.5 s instead of 1.5 s of
        # the search for L = 7, P = 10, k = 50, which fails.
        model.setPresolve(SCIP_PARAMSETTING.FAST)
        model.setParam("limits/nodes", _MAX_NODES)
        for rounds in ("separating/maxroundsroot", "separating/maxrounds"):
            model.setParam(rounds, 0)  # with cuts it takes twice as long
        counts = [model.addVar(vtype="I") for _ in self.columns]
        rows: list[list[Any]] = [[] for _ in self.sides]
        for count, entry in zip(counts, self.entries, strict=True):
            for row, coefficient in entry:
                rows[row].append(coefficient * count)
        for terms, side in zip(rows, self.sides, strict=True):
            if terms:
                model.addCons(quicksum(terms) == side)
            elif side:
                return None
        solve_patiently(model, patience)
        self.work += model.getNLPIterations() * len(self.sides) + _PRESOLVING * len(counts)
        if model.getNSols() == 0:
            return None
        leaving: dict[tuple[State, int], list[tuple[Role, tuple[State, int]]]] = defaultdict(list)
        for count, (phase, arc) in zip(counts, self.columns, strict=True):
            head = arc.head, (phase + 1) % self.period
            leaving[arc.tail, phase] += [(arc.role, head)] * round(model.getVal(count))
        return tuple([Cycle(self.period, walk) for walk in _closed_walks(leaving)])


def _closed_walks(
    leaving: dict[tuple[State, int], list[tuple[Role, tuple[State, int]]]],
) -> Iterator[tuple[Role, ...]]:
    """Closed walks from phase 0 that use every arc once, as lists of roles.

    A walk is closed as soon as it comes to a state again: short ones, many of which are alike.
    """
    for start in list(leaving):
        path, roles, place = [start], list[Role](), {start: 0}
        while leaving[path[-1]]:
            role, head = leaving[path[-1]].pop()
            roles.append(role)
            if head not in place:
                place[head] = len(path)
                path.append(head)
                continue
            first = place[head]
            turn = next(i for i in range(first, len(path)) if path[i][1] == 0)
            yield (*roles[turn:], *roles[first:turn])
            for state in path[first + 1 :]:
                del place[state]
            del path[first + 1 :], roles[first:]
