"""Claims: lemma 1 and theorem 6 of RR-4871: times on arcs as matchings with durations."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from exactsched.certificate.minmax import MatchingDecomposition
from exactsched.check import check
from exactsched.exact.rational import Rational, to_json
from exactsched.graphs.matching_decomposition import decompose_into_matchings
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import Multigraph, bipartite_multigraph, multiplicity
from exactsched.instances.platforms import broadcast as random_broadcast
from exactsched.instances.platforms import cost
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast_programs import largest_load, report_claim, small_broadcasts
from exactsched.steady_state.slots import place_slots
from exactsched.theorems.claim import Bounds, Verdict, held, refuted


@dataclass(frozen=True, slots=True)
class Busy:
    """How long every arc of the platform shall work; 0 for an arc that is not used."""

    problem: Broadcast
    times: tuple[Fraction, ...]


def _busy(choices: Choices, bound: int) -> Busy:
    problem = random_broadcast(choices, ports="one-port", max_nodes=bound, reachable=None)
    times = tuple(Fraction(0) if choices.flip(6) else cost(choices) for _ in problem.platform.arcs)
    return Busy(problem, times)


def _laid_out(asked: Busy) -> Verdict:
    arcs = asked.problem.platform.arcs
    used = {index: time for index, time in enumerate(asked.times) if time}
    period = largest_load(asked.problem, asked.times)
    if not used:
        return held(period=0, matchings=0)
    tick, slots = place_slots(asked.problem, used)
    moments = sorted({moment for _, start, end in slots for moment in (start, end)})
    facts = {"period": to_json(period), "slots": len(slots), "matchings": len(moments) - 1}
    if not 0 <= moments[0] < moments[-1] * tick <= period:
        return refuted("slots outside of the period", **facts)
    worked = dict.fromkeys(used, Fraction(0))
    for arc, start, end in slots:
        worked[arc] += (end - start) * tick
    if worked != used:
        return refuted("some arc does not work as long as it shall", **facts)
    for start, end in pairwise(moments):
        now = [arcs[arc] for arc, begin, stop in slots if begin <= start and end <= stop]
        if len({arc.tail for arc in now}) < len(now) or len({arc.head for arc in now}) < len(now):
            return refuted("a port is used twice at the same time", **facts)
    if len(moments) - 1 > len(used):
        return refuted("more matchings than arcs in use", **facts)
    return held(**facts)


def _weights(choices: Choices, bound: int) -> Multigraph:
    return bipartite_multigraph(choices, max_side=bound, number=multiplicity)


def _rational_weights(choices: Choices, bound: int) -> Multigraph:
    return bipartite_multigraph(choices, max_side=bound, number=cost)


def _matchings_of(graph: Multigraph) -> tuple[MatchingDecomposition, dict[str, Any], int]:
    """The decomposition, checked; facts; and the bound |E| - t + c + 1 on its size."""
    stated = decompose_into_matchings(graph.edges, graph.numbers)
    check(stated)
    load: dict[tuple[int, int], Rational] = {}
    for edge, weight in zip(graph.edges, graph.numbers, strict=True):
        for port in enumerate(edge):
            load[port] = load.get(port, 0) + weight
    largest = max(load.values(), default=0)
    part = {port: {port} for port in load}
    for left, right in graph.edges:
        joined = part[0, left] | part[1, right]
        part.update(dict.fromkeys(joined, joined))
    components = {frozenset(ports) for ports in part.values()}
    balanced = sum(all(load[port] == largest for port in ports) for ports in components)
    tight = sum(at_node == largest for at_node in load.values())
    facts = {
        "edges": len(graph.edges),
        "matchings": len(stated.matchings),
        "load": to_json(largest),
        "total": to_json(sum((time for time, _ in stated.matchings), start=Fraction(0))),
    }
    return stated, facts, len(graph.edges) - tight + balanced + bool(graph.edges)


def _integer_durations(graph: Multigraph) -> Verdict:
    stated, facts, most = _matchings_of(graph)
    if facts["total"] != facts["load"]:
        return refuted("the durations do not add up to the largest load", **facts)
    if not all(type(time) is int for time, _ in stated.matchings):
        return refuted("a duration is no integer", **facts)
    if len(stated.matchings) > most:
        return refuted(f"more than |E| - t + c + 1 = {most} matchings", **facts)
    return held(**facts)


def _printed_durations(graph: Multigraph) -> Verdict:
    """Integers add up to integers: a broken weight is no sum of integer durations."""
    stated, facts, _ = _matchings_of(graph)
    broken = [weight for weight in graph.numbers if Fraction(weight).denominator > 1]
    if broken:
        rule = f"integers do not add up to the weight {broken[0]}"
        return refuted(rule, **facts)
    if len(stated.matchings) > len(graph.edges):
        return refuted("more matchings than edges", **facts)
    return held(**facts)


COLORING_CLAIMS = (
    report_claim(
        "lemma1",
        "lemma 1 (edge coloring lemma)",
        "as printed",
        statement=(
            "Communication times that keep no send port and no receive port busy for longer than T"
            " have a schedule within T in which a node never sends two messages, or receives two,"
            " at the same time; at most |E| sets of arcs work together."
        ),
        page="periodic-schedule",
        implemented=(
            "exactsched/steady_state/schedule.py",
            "exactsched/graphs/matching_decomposition.py",
        ),
        checked_by="the definition: every moment, every port, every arc",
        instance_type=Busy,
        instance=_busy,
        check=_laid_out,
        bounds=Bounds(5, 14, 50),
        corners=lambda: (
            *(Busy(one, (Fraction(1),) * len(one.platform.arcs)) for one in small_broadcasts()),
            Busy(small_broadcasts()[1], (Fraction(0),)),
        ),
    ),
    report_claim(
        "thm6",
        "theorem 6, for integer m c",
        "corrected",
        statement=(
            "A bipartite graph with positive integer weights is a sum of matchings with integer"
            " durations that add up to its largest load; at most |E| - t + c + 1 <= |E| do, t the"
            " number of nodes of largest load and c of the components of such nodes."
        ),
        page="weighted-edge-coloring",
        implemented=("exactsched/graphs/matching_decomposition.py",),
        checked_by="`check`; loads, t and c counted again",
        instance_type=Multigraph,
        instance=_weights,
        check=_integer_durations,
        bounds=Bounds(5, 16, 80),
        corners=lambda: (
            Multigraph(1, (), ()),
            Multigraph(1, ((0, 0), (0, 0)), (1, 10**40)),
            Multigraph(3, tuple((0, v) for v in range(3)), (5, 5, 7)),
            Multigraph(3, ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1)), (2, 2, 2, 2, 1)),
        ),
        corrects="beaumont2003.thm6.printed",
    ),
    report_claim(
        "thm6.printed",
        "theorem 6, for rational c",
        "wrong as printed",
        statement=(
            "A bipartite graph with weights m c, c rational, is a sum of at most |E| matchings with"
            " integer durations."
        ),
        page="weighted-edge-coloring",
        implemented=("exactsched/graphs/matching_decomposition.py",),
        checked_by="sums of integers are integers",
        instance_type=Multigraph,
        instance=_rational_weights,
        check=_printed_durations,
        bounds=Bounds(5, 12, 60),
        counterexample=lambda: Multigraph(1, ((0, 0),), (Fraction(1, 2),)),
    ),
)
