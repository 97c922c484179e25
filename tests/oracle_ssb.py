"""The linear program SSB(G) of RR-4871, section 5.2, in full: as corrected and as printed.

Both are stated with TP = 1/T* to maximize, which multiplies every variable of the paper by TP;
the variables are x_i^{j,k}, n_{j,k} and TP, and t, t_in and t_out are substituted.  A program is
data: benchmarks hand it to other solvers, `optimum` solves it exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from exactsched.packing_program import PackingProgram
from exactsched.platform import Node
from exactsched.problem import Broadcast

ONE = Fraction(1)


@dataclass(frozen=True)
class Row:
    """The sum of coefficient * variable is `limit` (>= 0) if `equal`, else at most `limit`."""

    name: str
    coefficients: dict[int, Fraction]
    equal: bool
    limit: Fraction


@dataclass
class LinearProgram:
    """Maximize variable 0 over the rows, all variables being at least 0."""

    variables: list[str] = field(default_factory=lambda: ["TP"])
    rows: list[Row] = field(default_factory=list)

    def variable(self, name: str) -> int:
        self.variables.append(name)
        return len(self.variables) - 1

    def equation(self, name: str, coefficients: dict[int, Fraction]) -> None:
        self.rows.append(Row(name, coefficients, True, Fraction(0)))

    def at_most(self, name: str, coefficients: dict[int, Fraction], limit: int) -> None:
        self.rows.append(Row(name, coefficients, False, Fraction(limit)))


def corrected_ssb(problem: Broadcast) -> LinearProgram:
    """SSB(G) as it must be: a flow of value TP from the source to every P_i, each below n.

    Nothing flows into the source or out of P_i, and (7) is for i != s.
    """
    source = problem.source
    program = LinearProgram()
    flows: dict[Node, dict[int, int]] = {}
    for target in problem.platform.nodes:
        if target != source:
            flows[target] = {
                index: program.variable(f"x_{target}^{arc}")
                for index, arc in enumerate(problem.platform.arcs)
                if arc.head != source and arc.tail != target
            }
    _flow_rows(problem, program, flows)
    _port_rows(problem, program, flows)
    return program


def printed_ssb(problem: Broadcast) -> LinearProgram:
    """SSB(G) as printed: gross flow in (7) and (8), and (7) for i = s as well."""
    program = LinearProgram()
    flows = {
        target: {
            index: program.variable(f"x_{target}^{arc}")
            for index, arc in enumerate(problem.platform.arcs)
        }
        for target in problem.platform.nodes
    }
    _flow_rows(problem, program, flows)
    _port_rows(problem, program, flows)
    return program


def _flow_rows(
    problem: Broadcast, program: LinearProgram, flows: dict[Node, dict[int, int]]
) -> None:
    """(7), (8) and (9)."""
    arcs, source = problem.platform.arcs, problem.source
    for target, x in flows.items():
        from_source = [variable for index, variable in x.items() if arcs[index].tail == source]
        program.equation(f"(7) {target}", {**dict.fromkeys(from_source, ONE), 0: -ONE})
        into_target = [variable for index, variable in x.items() if arcs[index].head == target]
        if target != source:
            program.equation(f"(8) {target}", {**dict.fromkeys(into_target, ONE), 0: -ONE})
        for node in problem.platform.nodes:
            if node not in (source, target):
                entering = [v for index, v in x.items() if arcs[index].head == node]
                leaving = [v for index, v in x.items() if arcs[index].tail == node]
                program.equation(
                    f"(9) {target}, {node}",
                    {**dict.fromkeys(entering, ONE), **dict.fromkeys(leaving, -ONE)},
                )


def _port_rows(
    problem: Broadcast, program: LinearProgram, flows: dict[Node, dict[int, int]]
) -> None:
    """(10) to (16): n is at least every flow, and no arc and no port is busy more than all time."""
    arcs = problem.platform.arcs
    n = [program.variable(f"n_{arc}") for arc in arcs]
    for target, x in flows.items():
        for index, variable in x.items():
            program.at_most(f"(10) {target}, {arcs[index]}", {variable: ONE, n[index]: -ONE}, 0)

    def busy(name: str, chosen: Iterable[int]) -> None:
        program.at_most(name, {n[index]: arcs[index].cost for index in chosen}, 1)

    for index, arc in enumerate(arcs):
        busy(f"(14) {arc}", [index])
    for node in problem.platform.nodes:
        entering = [index for index, arc in enumerate(arcs) if arc.head == node]
        leaving = [index for index, arc in enumerate(arcs) if arc.tail == node]
        if problem.ports == "one-port":
            busy(f"(15) {node}", entering)
            busy(f"(16) {node}", leaving)
        elif problem.ports == "half-duplex":
            busy(f"(15) + (16) {node}", entering + leaving)


def optimum(program: LinearProgram) -> Fraction:
    """The exact maximum; an equation is two inequalities."""
    columns: list[dict[int, int]] = [{} for _ in program.variables]
    limits: list[int] = []
    for row in program.rows:
        unit = lcm(row.limit.denominator, *(a.denominator for a in row.coefficients.values()))
        for sign in (1, -1) if row.equal else (1,):
            for variable, coefficient in row.coefficients.items():
                columns[variable][len(limits)] = sign * int(coefficient * unit)
            limits.append(sign * int(row.limit * unit))
    exact = PackingProgram(limits)
    for variable, column in enumerate(columns):
        exact.add_column(int(variable == 0), column)
    return exact.solve().value
