"""Series of scatters and alltoalls by definition: the programs of RR-4872, and all routes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from itertools import islice

from exactsched.exact.rational import Rational
from exactsched.model.platform import Node
from exactsched.model.problem import Alltoall
from exactsched.model.tasks import Task, WeightedStructure
from exactsched.oracles.linear_programs import THROUGHPUT
from exactsched.oracles.series import SeriesProgram, paths


def flow_for_every_demand(problem: Alltoall) -> Fraction:
    """SSPA2A(G), with one source SSSP(G), as corrected: the optimum with a flow for each demand.

    It is conserved at all nodes but source and target, and what enters a target counts net.

    >>> from exactsched.model.platform import Platform
    >>> star = Platform("sab", [("s", "a", 1), ("s", "b", 1)])
    >>> flow_for_every_demand(Alltoall(star, (("s", "a"), ("s", "b"))))
    Fraction(1, 2)
    """
    program = SeriesProgram(problem)
    for demand in problem.demands:
        flow = program.flow(demand.size)
        for node in problem.platform.nodes:
            if node == demand.target:
                program.equation({THROUGHPUT: -1} | program.net(flow, node))
            elif node != demand.source:
                program.equation(program.net(flow, node))
    return program.value()


def flow_for_every_source(problem: Alltoall) -> Fraction:
    """All messages of a source are one commodity, of which targets keep size times TP.

    >>> from exactsched.model.platform import Platform
    >>> star = Platform("sab", [("s", "a", 1), ("s", "b", 1)])
    >>> flow_for_every_source(Alltoall(star, (("s", "a"), ("s", "b"))))
    Fraction(1, 2)
    """
    program = SeriesProgram(problem)
    for source in problem.sources:
        flow = program.flow(1)
        kept: dict[Node, Rational] = {
            one.target: one.size for one in problem.demands if one.source == source
        }
        for node in problem.platform.nodes:
            if node != source:
                program.equation({**program.net(flow, node), THROUGHPUT: -kept.get(node, 0)})
    return program.value()


def printed_scatter(problem: Alltoall, exempt: Collection[Node]) -> Fraction:
    """SSSP(G) as printed: (5) for all nodes but the target k and those exempt, (6) gross.

    The printed program names no source: (5) is for all i != k.

    >>> from exactsched.model.platform import Platform
    >>> arc = Alltoall(Platform("st", [("s", "t", 1)]), (("s", "t"),))
    >>> printed_scatter(arc, []), printed_scatter(arc, ["s"])
    (Fraction(0, 1), Fraction(1, 1))
    """
    program = SeriesProgram(problem)
    for target in (demand.target for demand in problem.demands):
        flow = program.flow(1)
        for node in problem.platform.nodes:
            if node != target and node not in exempt:
                program.equation(program.net(flow, node))
        program.equation({THROUGHPUT: -1} | program.entering(flow, target))
    return program.value()


def printed_alltoall(problem: Alltoall) -> Fraction:
    """SSPA2A(G) as printed: messages m[k,l] for all sources k and all targets l, also for k = l.

    >>> from exactsched.model.platform import Platform
    >>> pair = Platform("ab", [("a", "b", 1), ("b", "a", 1)])
    >>> printed_alltoall(Alltoall(pair, (("a", "b"), ("b", "a"))))
    Fraction(1, 3)
    """
    program = SeriesProgram(problem)
    for source in problem.sources:
        for target in dict.fromkeys(demand.target for demand in problem.demands):
            flow = program.flow(1)
            for node in problem.platform.nodes:
                if node not in (source, target):
                    program.equation(program.net(flow, node))
            program.equation({THROUGHPUT: -1} | program.entering(flow, target))
    return program.value()


def routes(problem: Alltoall, most: int) -> list[list[list[Task]]] | None:
    """For every demand all simple paths as tasks; None if there are more than `most` for one.

    >>> from exactsched.model.platform import Platform
    >>> routes(Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),)), 1)
    [[[(0, 0), (1, 0)]]]
    """
    parts: list[list[list[Task]]] = []
    for index, demand in enumerate(problem.demands):
        found = list(islice(paths(problem.platform, demand.source, demand.target), most + 1))
        if len(found) > most:
            return None
        parts.append([[(arc, index) for arc in path] for path in found])
    return parts


def no_routes(
    problem: Alltoall, structures: Iterable[WeightedStructure], throughput: Fraction
) -> str:
    """Why structures are no simple paths that carry the throughput; empty if they are.

    >>> from exactsched.model.platform import Platform
    >>> line = Alltoall(Platform("abc", [("a", "b", 1), ("b", "c", 2)]), (("a", "c"),))
    >>> half = Fraction(1, 2)
    >>> no_routes(line, [WeightedStructure(0, ((0, 0), (1, 0)), half)], half)
    ''
    >>> no_routes(line, [WeightedStructure(0, ((1, 0),), half)], half)
    'a route has a gap'
    """
    arcs = problem.platform.arcs
    sums = [Fraction(0)] * len(problem.demands)
    for structure in structures:
        demand = problem.demands[structure.part]
        passed = [demand.source]
        for arc, part in structure.tasks:
            if part != structure.part:
                return "a route carries messages of another demand"
            if arcs[arc].tail != passed[-1]:
                return "a route has a gap"
            passed.append(arcs[arc].head)
        if passed[-1] != demand.target or len(set(passed)) < len(passed):
            return "a route is no simple path from source to target"
        if structure.weight <= 0:
            return "a route has no weight"
        sums[structure.part] += structure.weight
    if any(total != throughput for total in sums):
        return "the weights of a demand do not add up to the throughput"
    return ""
