"""Series of scatters and all-to-alls: RR-4872, section 3."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from exactsched.certificate.collectives import DistanceBound
from exactsched.exact.rational import Rational, to_json
from exactsched.instances.choices import Choices, Replayed
from exactsched.instances.platforms import alltoall
from exactsched.model.platform import Node, Platform, both_ways
from exactsched.model.problem import Alltoall, Ports
from exactsched.model.resources import resources
from exactsched.model.tasks import WeightedStructure
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.alltoall import solve_alltoall
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted
from exactsched.theorems.legrand2003.series import (
    Order,
    ThroughputProgram,
    any_order,
    asymptotically_optimal,
    best_mixture,
    first_possible,
    no_schedule_is_faster,
    overload,
    paths,
    shortcoming,
)

_PAPER = "Legrand, Marchal, Robert, RR-4872 (2003)"
# Paths are listed where there are so few of them for every demand, on so few nodes.
_NODES, _PATHS = 4, 30


@dataclass(frozen=True)
class AlltoallSchedule:
    """Tasks in the `order` in which they begin, `prices` of resources, and a number of operations.

    A row of the order is (operation, arc, demand).
    """

    problem: Alltoall
    order: Order
    prices: tuple[int, ...]
    operations: int


# The linear programs -----------------------------------------------------------------------------


def _one_flow_for_every_demand(problem: Alltoall) -> Fraction:
    """Corrected: (5) for all but source and target, what enters a target counts net in (6)."""
    program = ThroughputProgram(problem)
    for demand in problem.demands:
        flow = program.flow(demand.size)
        for node in problem.platform.nodes:
            if node == demand.target:
                program.equation({0: -1} | program.net(flow, node))
            elif node != demand.source:
                program.equation(program.net(flow, node))
    return program.value()


def _one_flow_for_every_source(problem: Alltoall) -> Fraction:
    """All messages of a source are one commodity, of which targets keep size times TP."""
    program = ThroughputProgram(problem)
    for source in problem.sources:
        flow = program.flow(1)
        kept: dict[Node, Rational] = {
            one.target: one.size for one in problem.demands if one.source == source
        }
        for node in problem.platform.nodes:
            if node != source:
                program.equation({**program.net(flow, node), 0: -kept.get(node, 0)})
    return program.value()


def _printed_scatter(problem: Alltoall, exempt: Collection[Node]) -> Fraction:
    """SSSP(G): (5) for every i but the target k and those exempt, (6) counts what enters k."""
    program = ThroughputProgram(problem)
    for target in (demand.target for demand in problem.demands):
        flow = program.flow(1)
        for node in problem.platform.nodes:
            if node != target and node not in exempt:
                program.equation(program.net(flow, node))
        program.equation({0: -1} | program.entering(flow, target))
    return program.value()


def _printed_alltoall(problem: Alltoall) -> Fraction:
    """SSPA2A(G): messages m[k,l] for all sources k and all targets l, k = l among them."""
    program = ThroughputProgram(problem)
    for source in problem.sources:
        for target in dict.fromkeys(demand.target for demand in problem.demands):
            flow = program.flow(1)
            for node in problem.platform.nodes:
                if node not in (source, target):
                    program.equation(program.net(flow, node))
            program.equation({0: -1} | program.entering(flow, target))
    return program.value()


def _best_routes(problem: Alltoall) -> Fraction | None:
    """The best mixture of all simple paths; None if they are many."""
    if len(problem.platform.nodes) > _NODES:
        return None
    parts = []
    for index, demand in enumerate(problem.demands):
        found = paths(problem, demand.source, demand.target, frozenset({demand.source}))
        listed = list(islice(found, _PATHS + 1))
        if len(listed) > _PATHS:
            return None
        parts.append([frozenset((arc, index) for arc in route) for route in listed])
    return best_mixture(problem, parts)


# Checks ------------------------------------------------------------------------------------------


def _optimum(problem: Alltoall) -> Verdict:
    solution = solve_alltoall(problem)
    assert isinstance(solution.proof, DistanceBound)
    throughput = solution.throughput
    facts = {
        "throughput": to_json(throughput),
        "routes": len(solution.structures),
        "prices": len(solution.proof.prices),
    }
    reason = shortcoming(solution) or _not_routes(problem, solution.structures, throughput)
    if reason:
        return refuted(reason, **facts)
    if busy := overload(solution):
        return refuted(f"{busy} works more than full time", **facts)
    if len(solution.structures) > len(resources(problem)) + len(problem.demands):
        return refuted("more routes than resources and demands", **facts)
    others: dict[str, Callable[[Alltoall], Fraction | None]] = {
        "a flow for every demand": _one_flow_for_every_demand,
        "a flow for every source": _one_flow_for_every_source,
        "all simple paths": _best_routes,
    }
    for name, value_of in others.items():
        value = value_of(problem)
        if value not in (None, throughput):
            return refuted(f"with {name} it is {value}", **facts)
    return held(**facts)


def _not_routes(
    problem: Alltoall, structures: Iterable[WeightedStructure], throughput: Fraction
) -> str:
    """Whether some structure is no simple path of its demand, or weights do not add up to TP."""
    arcs = problem.platform.arcs
    sums = [Fraction(0)] * len(problem.demands)
    for structure in structures:
        demand = problem.demands[structure.part]
        passed = [demand.source]
        for arc, _ in structure.tasks:
            if arcs[arc].tail != passed[-1]:
                return "a route has a gap"
            passed.append(arcs[arc].head)
        if passed[-1] != demand.target or len(set(passed)) < len(passed):
            return "a route is no simple path from source to target"
        if structure.weight <= 0:
            return "a route is of no weight"
        sums[structure.part] += structure.weight
    if any(total != throughput for total in sums):
        return "the weights of a demand do not add up to the throughput"
    return ""


def _literal_scatter(problem: Alltoall) -> Verdict:
    if len(problem.sources) > 1:
        return not_applicable("a scatter has a single source")
    exempt = _printed_scatter(problem, problem.sources)
    return _compared(problem, _printed_scatter(problem, ()), source_exempt=to_json(exempt))


def _literal_alltoall(problem: Alltoall) -> Verdict:
    targets = {demand.target for demand in problem.demands}
    pairs = {(source, target) for source in problem.sources for target in targets}
    if len(problem.demands) < sum(source != target for source, target in pairs):
        return not_applicable("a message goes from every source to every target")
    return _compared(problem, _printed_alltoall(problem))


def _compared(problem: Alltoall, printed: Fraction, **facts: int | str) -> Verdict:
    if problem.ports != "one-port" or any(demand.size != 1 for demand in problem.demands):
        return not_applicable("the paper speaks of messages of size 1 and of one port")
    best = _one_flow_for_every_demand(problem)
    facts = {"printed": to_json(printed), "throughput": to_json(best), **facts}
    if printed != best:
        return refuted("the program as printed has another optimum than all routes", **facts)
    return held(**facts)


def _lemma(instance: AlltoallSchedule) -> Verdict:
    solution = solve_alltoall(instance.problem)
    return no_schedule_is_faster(
        instance.problem, instance.order, instance.prices, instance.operations, solution
    )


def _proposition(problem: Alltoall) -> Verdict:
    solution = solve_alltoall(problem)
    if not solution.throughput:
        return not_applicable("some target cannot be reached")
    return asymptotically_optimal(solution)


# Instances ---------------------------------------------------------------------------------------


def _scatter(choices: Choices, bound: int) -> Alltoall:
    return alltoall(choices, max_nodes=bound, max_demands=bound, one_source=True)


def _alltoall(choices: Choices, bound: int) -> Alltoall:
    return alltoall(choices, max_nodes=bound, max_demands=bound)


def _served(choices: Choices, bound: int) -> Alltoall:
    """An all-to-all all of whose targets can be reached: the first of a few, which fails rarely."""
    return first_possible(_alltoall(choices, bound) for _ in range(6))


def _unit_scatter(choices: Choices, bound: int) -> Alltoall:
    made = alltoall(choices, ports="one-port", max_nodes=bound, max_demands=3, one_source=True)
    return _of_unit_size(made)


def _allgather(choices: Choices, bound: int) -> Alltoall:
    """From every one of some nodes to every other one of some nodes."""
    made = alltoall(choices, ports="one-port", max_nodes=bound, max_demands=3)
    targets = dict.fromkeys(demand.target for demand in made.demands)
    pairs = ((source, target) for source in made.sources for target in targets)
    return _asked(made.platform, *(pair for pair in pairs if pair[0] != pair[1]))


def _asked(platform: Platform, *demands: tuple[Any, ...], ports: Ports = "one-port") -> Alltoall:
    listed: tuple[Any, ...] = demands
    return Alltoall(platform, listed, ports)


def _of_unit_size(problem: Alltoall) -> Alltoall:
    return replace(
        problem, demands=tuple(one._replace(size=Fraction(1)) for one in problem.demands)
    )


def _schedule_of(problem: Alltoall, choices: Choices) -> AlltoallSchedule:
    order = any_order(problem, choices, choices.between(1, 3))
    prices = tuple(choices.below(4) for _ in range(5))
    return AlltoallSchedule(problem, order, prices, choices.between(1, 4))


def _scatter_schedule(choices: Choices, bound: int) -> AlltoallSchedule:
    return _schedule_of(_scatter(choices, bound), choices)


def _alltoall_schedule(choices: Choices, bound: int) -> AlltoallSchedule:
    return _schedule_of(_alltoall(choices, bound), choices)


_LINE = Platform("st", [("s", "t", 1)])
_CIRCLE = Platform("sta", both_ways([("t", "a", 1)]))
_PAIR = Platform("ab", both_ways([("a", "b", 1)]))
_TOY = built_in("scatter-toy")
_TOY_DEMANDS = (("Ps", "P0"), ("Ps", "P1"))
_BACK_AND_FORTH = Platform(_TOY.nodes, both_ways([(a.tail, a.head, a.cost) for a in _TOY.arcs]))
# Every node is one slow arc away, the optimum takes three fast ones.
_DETOUR = Platform(
    range(4), [(i, j, 1 if j == i + 1 else 100) for i in range(4) for j in range(4) if i != j]
)
_HUGE = Platform("sat", [("s", "a", 10**40), ("a", "t", 10**40 + 1), ("s", "t", "1/7")])


def _scatters() -> tuple[Alltoall, ...]:
    return (
        _asked(_LINE, ("s", "t")),
        _asked(_TOY, *_TOY_DEMANDS),
        _asked(_BACK_AND_FORTH, *_TOY_DEMANDS),
        _asked(_DETOUR, (0, 3)),
        _asked(_HUGE, ("s", "a", 10**20), ("s", "t", "1/3")),
    )


def _alltoalls() -> tuple[Alltoall, ...]:
    ring = built_in("ring:4")
    everybody = tuple((one, two) for one in ring.nodes for two in ring.nodes if one != two)
    return (
        _asked(_PAIR, ("a", "b"), ("b", "a")),
        _asked(_PAIR, ("a", "b"), ("b", "a"), ports="half-duplex"),
        _asked(ring, *everybody),
        _asked(_BACK_AND_FORTH, ("P0", "Ps"), ("P1", "P0"), ("Ps", "P1")),
    )


def _schedules(problems: Iterable[Alltoall]) -> tuple[AlltoallSchedule, ...]:
    return tuple(
        AlltoallSchedule(problem, any_order(problem, Replayed([]), 2), (1, 0, 2), 3)
        for problem in problems
    )


_SOLVER = ("exactsched/steady_state/alltoall.py", "exactsched/steady_state/route_packing.py")
_RUNS = ("exactsched/runs/finite_run.py", "exactsched/runs/time_scaling.py", *_SOLVER)
_SERIES = ("exactsched/steady_state/solution.py", "exactsched/steady_state/schedule.py", *_SOLVER)
_PROGRAMS = "`check`; the programs, stated row by row; all simple paths on small platforms"
_CLOCK = "`check`; potentials by definition; random schedules, task by task"
_PLAY = "`check`; `simulate`; rows of tasks counted again"
_NOTHING_FASTER = (
    " For all prices p >= 0 of the resources, and under them the least cost P of a message for"
    " each demand together: a schedule, periodic or not, that completes M operations within K has"
    " M P <= K Y, Y the sum of all p. Hence M <= K TP."
)
_LONG_RUN = (
    " A periodic schedule of an optimum with TP > 0, of the shortest period T in which all weights"
    " are whole, and with H arcs on the longest of its routes completes M operations within"
    " M / TP + H T and at least TP (K - H T) by any time K; no schedule completes more than TP K."
)

CLAIMS = (
    Claim(
        id="legrand2003.sssp",
        statement=(
            "The throughput of a series of scatters is the optimum of SSSP(G): a flow for every"
            " target, conserved at all nodes but the source and the target, where what arrives net"
            " is TP, no port busy for more than all the time. A single flow of volume has the same"
            " optimum, and so have all simple paths; as many of these are enough as there are"
            " resources and demands. Messages of any sizes, each of the port models."
        ),
        reference=f"{_PAPER}, section 3.1, SSSP(G)",
        status="corrected",
        page="steady-state-alltoall",
        implemented=_SOLVER,
        checked_by=_PROGRAMS,
        instance_type=Alltoall,
        instance=_scatter,
        check=_optimum,
        bounds=Bounds(4, 7, 20),
        corners=_scatters,
        corrects="legrand2003.sssp.printed",
    ),
    Claim(
        id="legrand2003.sssp.printed",
        statement=(
            "The optimum of SSSP(G) with (5) for every node but the target, the source included,"
            " and with all in (6) that enters the target is the throughput of a series of scatters."
            " (With the source exempt, too, a message may leave its target and count again.)"
        ),
        reference=f"{_PAPER}, section 3.1, SSSP(G)",
        status="wrong as printed",
        page="steady-state-alltoall",
        implemented=_SOLVER,
        checked_by="the program as printed, and as corrected",
        instance_type=Alltoall,
        instance=_unit_scatter,
        check=_literal_scatter,
        bounds=Bounds(4, 7, 20),
        corners=lambda: (
            _asked(_CIRCLE, ("s", "t")),
            _asked(_BACK_AND_FORTH, *_TOY_DEMANDS),
        ),
        counterexample=lambda: _asked(_LINE, ("s", "t")),
    ),
    Claim(
        id="legrand2003.lemma1.scatter",
        statement="No schedule of scatters is faster than the optimum TP of SSSP(G)."
        + _NOTHING_FASTER,
        reference=f"{_PAPER}, lemma 1",
        status="sharpened",
        page="steady-state-alltoall",
        implemented=_RUNS,
        checked_by=_CLOCK,
        instance_type=AlltoallSchedule,
        instance=_scatter_schedule,
        check=_lemma,
        bounds=Bounds(4, 7, 16),
        corners=lambda: _schedules(_scatters()),
    ),
    Claim(
        id="legrand2003.prop1",
        statement="Asymptotic optimality of scatters, with its constant." + _LONG_RUN,
        reference=f"{_PAPER}, proposition 1; the paper takes the diameter for H",
        status="corrected",
        page="steady-state-alltoall",
        implemented=_SERIES,
        checked_by=_PLAY,
        instance_type=Alltoall,
        instance=_scatter,
        check=_proposition,
        bounds=Bounds(4, 7, 16),
        corners=_scatters,
    ),
    Claim(
        id="legrand2003.sspa2a",
        statement=(
            "The throughput of a series of all-to-alls is the optimum of SSPA2A(G): a flow for each"
            " demand, conserved at all nodes but its two ends, where what arrives net at the"
            " target is TP, no port busy for more than all the time. One flow of volume for every"
            " source has the same optimum, and so have all simple paths; as many of these are"
            " enough as there are resources and demands. Any sizes, each of the port models."
        ),
        reference=f"{_PAPER}, section 3.5, SSPA2A(G)",
        status="corrected",
        page="steady-state-alltoall",
        implemented=_SOLVER,
        checked_by=_PROGRAMS,
        instance_type=Alltoall,
        instance=_alltoall,
        check=_optimum,
        bounds=Bounds(4, 6, 16),
        corners=_alltoalls,
        corrects="legrand2003.sspa2a.printed",
    ),
    Claim(
        id="legrand2003.sspa2a.printed",
        statement=(
            "The optimum of SSPA2A(G) with messages m[k,l] for all sources k and all targets l,"
            " those with k = l included, and with all in the last line that enters the target is"
            " the throughput of a series of all-to-alls."
        ),
        reference=f"{_PAPER}, section 3.5, SSPA2A(G)",
        status="wrong as printed",
        page="steady-state-alltoall",
        implemented=_SOLVER,
        checked_by="the program as printed, and as corrected",
        instance_type=Alltoall,
        instance=_allgather,
        check=_literal_alltoall,
        bounds=Bounds(4, 6, 12),
        corners=lambda: (_asked(_CIRCLE, ("s", "t")),),
        counterexample=lambda: _asked(_PAIR, ("a", "b"), ("b", "a")),
    ),
    Claim(
        id="legrand2003.lemma1.alltoall",
        statement="No schedule of all-to-alls is faster than the optimum TP of SSPA2A(G)."
        + _NOTHING_FASTER,
        reference=f"{_PAPER}, lemma 1, for all-to-alls (section 3.5)",
        status="sharpened",
        page="steady-state-alltoall",
        implemented=_RUNS,
        checked_by=_CLOCK,
        instance_type=AlltoallSchedule,
        instance=_alltoall_schedule,
        check=_lemma,
        bounds=Bounds(4, 6, 12),
        corners=lambda: _schedules(_alltoalls()),
    ),
    Claim(
        id="legrand2003.prop2",
        statement="Asymptotic optimality of all-to-alls, with its constant." + _LONG_RUN,
        reference=f"{_PAPER}, proposition 2",
        status="sharpened",
        page="steady-state-alltoall",
        implemented=_SERIES,
        checked_by=_PLAY,
        instance_type=Alltoall,
        instance=_served,
        check=_proposition,
        bounds=Bounds(4, 6, 12),
        corners=_alltoalls,
    ),
)
