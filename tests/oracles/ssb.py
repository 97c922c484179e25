"""The linear program SSB(G) of RR-4871, section 5.2, in full: as corrected and as printed.

Both are stated with TP = 1/T* to maximize, which multiplies every variable of the paper by TP;
the variables are TP, x_i^{j,k} and n_{j,k}, and t, t_in and t_out are substituted.
"""

from __future__ import annotations

from collections.abc import Iterable

from exactsched.certificate.linear_programs import LinearProgram
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast
from tests.oracles.throughput_program import ONE, THROUGHPUT, ThroughputProgram


def corrected_ssb(problem: Broadcast) -> LinearProgram:
    """SSB(G) as it must be: a flow of value TP from the source to every P_i, each below n.

    Nothing flows into the source or out of P_i, and (7) is for i != s.
    """
    source = problem.source
    program = ThroughputProgram()
    flows: dict[Node, dict[int, int]] = {}
    for target in problem.platform.nodes:
        if target != source:
            flows[target] = {
                index: program.variable()
                for index, arc in enumerate(problem.platform.arcs)
                if arc.head != source and arc.tail != target
            }
    _flow_rows(problem, program, flows)
    _port_rows(problem, program, flows)
    return program.stated()


def printed_ssb(problem: Broadcast) -> LinearProgram:
    """SSB(G) as printed: gross flow in (7) and (8), and (7) for i = s as well."""
    program = ThroughputProgram()
    flows = {
        target: {index: program.variable() for index in range(len(problem.platform.arcs))}
        for target in problem.platform.nodes
    }
    _flow_rows(problem, program, flows)
    _port_rows(problem, program, flows)
    return program.stated()


def _flow_rows(
    problem: Broadcast, program: ThroughputProgram, flows: dict[Node, dict[int, int]]
) -> None:
    """(7), (8) and (9)."""
    arcs, source = problem.platform.arcs, problem.source
    for target, x in flows.items():
        from_source = [variable for index, variable in x.items() if arcs[index].tail == source]
        program.equation({**dict.fromkeys(from_source, ONE), THROUGHPUT: -ONE})
        into_target = [variable for index, variable in x.items() if arcs[index].head == target]
        if target != source:
            program.equation({**dict.fromkeys(into_target, ONE), THROUGHPUT: -ONE})
        for node in problem.platform.nodes:
            if node not in (source, target):
                entering = [v for index, v in x.items() if arcs[index].head == node]
                leaving = [v for index, v in x.items() if arcs[index].tail == node]
                program.equation({**dict.fromkeys(entering, ONE), **dict.fromkeys(leaving, -ONE)})


def _port_rows(
    problem: Broadcast, program: ThroughputProgram, flows: dict[Node, dict[int, int]]
) -> None:
    """(10) to (16): n is at least every flow, and no arc and no port is busy more than all time."""
    arcs = problem.platform.arcs
    n = [program.variable() for _ in arcs]
    for x in flows.values():
        for index, variable in x.items():
            program.at_most({variable: ONE, n[index]: -ONE}, 0)

    def busy(chosen: Iterable[int]) -> None:
        program.at_most({n[index]: arcs[index].cost for index in chosen}, 1)

    for index in range(len(arcs)):
        busy([index])
    for node in problem.platform.nodes:
        entering = [index for index, arc in enumerate(arcs) if arc.head == node]
        leaving = [index for index, arc in enumerate(arcs) if arc.tail == node]
        if problem.ports == "one-port":
            busy(entering)
            busy(leaving)
        elif problem.ports == "half-duplex":
            busy(entering + leaving)
