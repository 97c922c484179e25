"""The SCIP model of overlays: one faster than a known one, by a mixed integer program with cuts.

A root cut becomes a row of the program when a proposal violates it.

SCIP works in floats, so its result is a proposal: arcs within the degrees.  Another module finds
the best rates on them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pyscipopt import (  # type: ignore[attr-defined]
    SCIP_EVENTTYPE,
    SCIP_RESULT,
    Conshdlr,
    Eventhdlr,
    Model,
    quicksum,
)

from exactsched.linear_programs.column_generation import quotient
from exactsched.model.machine import MultiPort
from exactsched.overlay.case_program import violated_cuts
from exactsched.overlay.relaxation import Arc, Relaxation

# Called with bounds on the optimum, as good as floats are.
Progress = Callable[[float, float], object]

# Cuts that are violated by less may be: SCIP's own tolerance, in units of the upper bound.
TOLERANCE = 1e-6
# A relaxed solution is cut off if it violates a cut by more than that.
WORTH_A_CUT = 1e-4
# Rows "feed" for this number of shares.  Four random machines with n = 20 and 30 took 59, 68, 54
# and 222 nodes with 4 of them, 548, 73, 302 and 76 without.
MOST_SHARES = 5


class Proposal(NamedTuple):
    """Arcs of an overlay that seems to be faster, if one was found; whether SCIP is done."""

    arcs: tuple[Arc, ...] | None
    finished: bool


def faster_overlay(
    machine: MultiPort,
    least: Fraction,
    most: Fraction,
    known: Sequence[Collection[Arc]],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    progress: Progress | None = None,
) -> Proposal:
    """The fastest overlay with a throughput above `least` and at most `most`, as SCIP sees it.

    Nothing faster than `least` can be done with arcs that are all in one of the `known` sets, so
    one other arc is demanded.  Exponential time at worst.

    The program is that of `proofs/overlay-exact.md` with the ceiling `most`, uses whole:
    rates in units of `most`, bandwidths no larger than what the degrees can make use of.

    >>> machine = MultiPort([1, 0, 0], [2, 0, 0])
    >>> faster_overlay(machine, Fraction(0), Fraction(1, 2), [])
    Proposal(arcs=((0, 1), (0, 2)), finished=True)
    >>> faster_overlay(machine, Fraction(0), Fraction(1, 2), [[(0, 1), (0, 2)]])
    Proposal(arcs=None, finished=True)
    """
    program = _Program(Relaxation(machine, least, most, ()))
    for arcs in known:
        program.demand_others(arcs)
    if seconds is not None:
        program.model.setParam("limits/time", seconds)
    if nodes is not None:
        program.model.setParam("limits/nodes", nodes)
    if progress is not None:
        program.watch(progress)
    return program.run()


class _Program:
    def __init__(self, relaxation: Relaxation) -> None:
        machine = relaxation.machine
        self.size, self.least, self.most = machine.size, relaxation.bound, relaxation.ceiling
        self.model = Model()
        self.model.hideOutput()
        self.model.setParam("limits/gap", TOLERANCE / 10)
        self.model.setParam("numerics/feastol", TOLERANCE / 100)
        lower = float(self.least / Fraction(self.most))
        self.throughput = self.model.addVar("T", lb=lower, ub=1.0, obj=1.0)
        self.rates: dict[Arc, Any] = {}
        self.uses: dict[Arc, Any] = {}
        self._shares = [
            float(min(bandwidth / Fraction(self.most), Fraction(degree)))
            for bandwidth, degree in zip(machine.bandwidths, machine.degrees, strict=True)
        ]
        for arc in relaxation.arcs():
            most = min(self._shares[arc[0]], 1.0)
            self.rates[arc] = self.model.addVar(f"c_{arc[0]}_{arc[1]}", ub=most)
            self.uses[arc] = self.model.addVar(f"y_{arc[0]}_{arc[1]}", vtype="B")
            self.model.addCons(self.rates[arc] <= most * self.uses[arc])
        self._add_rows(relaxation)
        self.model.setMaximize()
        self.model.includeConshdlr(
            _Cuts(self),
            "cuts",
            "as much is sent into every set of nodes as everybody receives",
            sepapriority=100,
            enfopriority=-100,
            chckpriority=-100,
            sepafreq=1,
            needscons=False,
        )

    def _add_rows(self, relaxation: Relaxation) -> None:
        machine, model = relaxation.machine, self.model
        leaving: list[list[Arc]] = [[] for _ in range(machine.size)]
        entering: list[list[Arc]] = [[] for _ in range(machine.size)]
        for arc in self.rates:
            leaving[arc[0]].append(arc)
            entering[arc[1]].append(arc)
        for node, arcs in enumerate(leaving):
            sent, degree = quicksum(self.rates[arc] for arc in arcs), machine.degrees[node]
            if arcs:
                model.addCons(sent <= self._shares[node])
                model.addCons(sent <= degree * self.throughput)
                model.addCons(quicksum(self.uses[arc] for arc in arcs) <= degree)
        for node in range(1, machine.size):
            received = quicksum(self.rates[arc] for arc in entering[node])
            model.addCons(received == self.throughput)
            for wanted in range(2, MOST_SHARES + 1) if self.least else ():
                brought = [
                    relaxation.shares(arc[0], wanted) * self.uses[arc] for arc in entering[node]
                ]
                model.addCons(quicksum(brought) >= wanted)
        for rule, first, second in relaxation.standing():
            if rule == "order":
                model.addCons(self.rates[0, first] >= self.rates[0, second])

    def demand_others(self, arcs: Collection[Arc]) -> None:
        known = set(arcs)
        others = [use for arc, use in self.uses.items() if arc not in known]
        self.model.addCons(quicksum(others) >= 1)

    def watch(self, progress: Progress) -> None:
        watch = _Watch(lambda: self._report(progress))
        self.model.includeEventhdlr(watch, "watch", "progress")

    def _report(self, progress: Progress) -> None:
        # SCIP has minus infinity where it found nothing.
        lower = max(self.model.getPrimalbound(), float(self.least / Fraction(self.most)))
        upper = min(self.model.getDualbound(), 1.0)
        most = quotient(self.most.numerator, self.most.denominator)
        progress(lower * most, upper * most)

    def run(self) -> Proposal:
        model = self.model
        model.optimize()
        status = model.getStatus()
        if status == "userinterrupt":
            raise KeyboardInterrupt
        arcs = None
        if model.getNSols():
            arcs = tuple(arc for arc, use in self.uses.items() if model.getVal(use) > 0.5)
        return Proposal(arcs, status in ("optimal", "gaplimit", "infeasible"))


class _Cuts(Conshdlr):
    """Into every set of nodes without the source as much is sent as everybody receives."""

    def __init__(self, program: _Program) -> None:
        self._program = program

    def _violated(self, solution: Any, slack: float) -> list[tuple[int, ...]]:
        program, value_of = self._program, self.model.getSolVal
        wanted = value_of(solution, program.throughput) - slack
        rates = {arc: value_of(solution, rate) for arc, rate in program.rates.items()}
        return sorted(violated_cuts(program.size, rates, wanted))

    def _cut_off(self, slack: float, otherwise: Any) -> Mapping[str, Any]:
        violated = self._violated(None, slack)
        model = self.model
        for inside in map(set, violated):
            row = model.createEmptyRowUnspec("cut", lhs=0.0, rhs=None, local=False)
            model.cacheRowExtensions(row)
            model.addVarToRow(row, self._program.throughput, -1.0)
            for (i, j), rate in self._program.rates.items():
                if j in inside and i not in inside:
                    model.addVarToRow(row, rate, 1.0)
            model.flushRowExtensions(row)
            if model.addCut(row, forcecut=True):
                return {"result": SCIP_RESULT.CUTOFF}
        return {"result": SCIP_RESULT.SEPARATED if violated else otherwise}

    def _verdict(self, solution: Any) -> Mapping[str, Any]:
        violated = self._violated(solution, TOLERANCE)
        return {"result": SCIP_RESULT.INFEASIBLE if violated else SCIP_RESULT.FEASIBLE}

    def conssepalp(self, constraints: Any, nusefulconss: int) -> Mapping[str, Any]:  # noqa: ARG002
        return self._cut_off(WORTH_A_CUT, SCIP_RESULT.DIDNOTFIND)

    def consenfolp(self, constraints: Any, *_: Any) -> Mapping[str, Any]:  # noqa: ARG002
        return self._cut_off(TOLERANCE, SCIP_RESULT.FEASIBLE)

    def consenfops(self, constraints: Any, *_: Any) -> Mapping[str, Any]:  # noqa: ARG002
        return self._verdict(None)

    def conscheck(self, constraints: Any, solution: Any, *_: Any) -> Mapping[str, Any]:  # noqa: ARG002
        return self._verdict(solution)

    def conslock(self, constraint: Any, locktype: Any, pos: int, neg: int) -> None:  # noqa: ARG002
        program, lock = self._program, self.model.addVarLocksType
        lock(program.throughput, locktype, neg, pos)
        for rate in program.rates.values():
            lock(rate, locktype, pos, neg)


class _Watch(Eventhdlr):
    """Reports whenever a solution is found or a subproblem is done."""

    def __init__(self, report: Callable[[], object]) -> None:
        self._report = report

    def eventinit(self) -> None:
        for kind in (SCIP_EVENTTYPE.BESTSOLFOUND, SCIP_EVENTTYPE.NODESOLVED):
            self.model.catchEvent(kind, self)

    def eventexec(self, event: Any) -> None:  # noqa: ARG002
        self._report()
