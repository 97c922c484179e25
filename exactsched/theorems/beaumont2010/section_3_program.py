"""The mixed integer program of the paper, section III-A, as printed and corrected."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from exactsched.certificate.minmax import LinearOptimum
from exactsched.check import check
from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.machines import multi_port
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import (
    PAPER,
    Arc,
    best_of_all_supports,
    count_of_supports,
    misses,
    rates_of,
    receivers,
    supports,
)
from exactsched.overlay.rate import best_rates
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted

# Sets of arcs that are tried, and arcs of a program that is solved in rational numbers.
_SUPPORTS, _ARCS = 60, 6


def optimum_on(machine: MultiPort, arcs: Iterable[Arc], *, printed: bool = False) -> Fraction:
    """The optimum of the program where delta is 1 on these arcs and 0 on all others.

    Variables are T, the flows f_k(a) and the capacities c(a).  What arrives at k goes back to the
    source on an arc that nothing bounds.

    >>> machine = MultiPort([1, 0, 0], [2, 0, 0])
    >>> [str(optimum_on(machine, [(0, 1), (0, 2)], printed=flag)) for flag in (True, False)]
    ['1', '1/2']
    """
    listed, nodes = list(arcs), range(machine.size)
    width = len(listed)
    rows: list[dict[int, int]] = []
    limits: list[Fraction | int] = []
    equations: list[int] = []

    def add(row: dict[int, int], limit: Fraction | int) -> None:
        rows.append(row)
        limits.append(limit)

    capacity = {arc: 1 + number for number, arc in enumerate(listed)}
    for k in nodes[1:]:
        flow = {arc: 1 + width * k + number for number, arc in enumerate(listed)}
        for node in nodes[1:]:
            row = {flow[arc]: 1 for arc in listed if arc[1] == node}
            row |= {flow[arc]: -1 for arc in listed if arc[0] == node}
            equations.append(len(rows))
            add(row | ({0: -1} if node == k else {}), 0)
        for arc in listed:
            add({flow[arc]: 1, capacity[arc]: -1}, 0)
            if printed:
                add({flow[arc]: 1}, 1)
        if printed:
            for node in nodes:
                add({flow[a]: 1 for a in listed if a[0] == node}, machine.bandwidths[node])
    if not printed:
        for node in nodes:
            add({capacity[a]: 1 for a in listed if a[0] == node}, machine.bandwidths[node])
    count = 1 + width * machine.size
    best = maximize(linear_program([1] + [0] * (count - 1), rows, limits, equations, range(count)))
    assert isinstance(best, LinearOptimum)
    check(best)
    return Fraction(best.value)


def _corrected(machine: MultiPort) -> Verdict:
    from exactsched.overlay.exact import optimal_overlay

    if machine.incoming:
        return not_applicable("the program has no incoming bandwidths")
    overlay = optimal_overlay(machine)
    claim = check(overlay)
    facts: dict[str, Any] = {
        "throughput": to_json(overlay.throughput),
        "proof": "by cases" if overlay.proof else "by counting",
    }
    if not claim.optimal or claim.bound != overlay.throughput:
        return refuted("it is not proved that this is the optimum", **facts)
    if reason := misses(overlay):
        return refuted(reason, **facts)
    if any(used > most for used, most in zip(receivers(overlay), machine.degrees, strict=True)):
        return refuted("somebody has too many receivers", **facts)
    arcs = tuple(rates_of(overlay))
    if best_rates(machine, arcs).throughput != overlay.throughput:
        return refuted("on its arcs more is possible", **facts)
    if len(arcs) <= _ARCS and optimum_on(machine, arcs) != overlay.throughput:
        return refuted("on its arcs the program has another optimum", **facts)
    if count_of_supports(machine) <= _SUPPORTS:
        best = best_of_all_supports(machine)
        facts["best"] = to_json(best)
        if best != overlay.throughput:
            return refuted("the best of all sets of arcs is another one", **facts)
    return held(**facts)


def _literal(machine: MultiPort) -> Verdict:
    if machine.incoming or machine.arcs or count_of_supports(machine) > _SUPPORTS:
        return not_applicable("there are too many choices of delta")
    printed = max(optimum_on(machine, arcs, printed=True) for arcs in supports(machine))
    best = best_of_all_supports(machine)
    facts = {"printed": to_json(printed), "best": to_json(best)}
    if printed != best:
        return refuted("the best overlay has another throughput", **facts)
    return held(**facts)


def _machine(choices: Choices, bound: int) -> MultiPort:
    """Often with few receivers each: then the bound by counting is out of reach."""
    if choices.flip():
        return multi_port(choices, max_receivers=bound, max_degree=choices.between(1, 3))
    size = 1 + choices.between(1, bound)
    bandwidths = [choices.between(1, 6) for _ in range(size)]
    bandwidths[0] = max(bandwidths)
    return MultiPort(bandwidths, [choices.one_of((1, 1, 2)) for _ in range(size)])


CLAIMS = (
    Claim(
        id="beaumont2010.milp",
        statement=(
            "The mixed integer program with sum_i c(j, i) <= b_j, f_k <= c and c(j, i) <= b_j"
            " delta(j, i) has the best throughput within the degrees as its optimum. On the arcs"
            " with delta = 1 that is the best packing of arborescences. The search finds it, with a"
            " proof by counting or by cases."
        ),
        reference=f"{PAPER}, section III-A",
        status="corrected",
        page="overlay-model",
        implemented=(
            "exactsched/overlay/exact.py",
            "exactsched/overlay/scip_model.py",
            "exactsched/overlay/cases.py",
            "exactsched/overlay/rate.py",
        ),
        checked_by="`check`; the program, row by row; the best rates on all sets of few arcs",
        instance_type=MultiPort,
        instance=_machine,
        check=_corrected,
        bounds=Bounds(3, 4, 7),
        corners=lambda: (
            MultiPort([3, 0], [1, 0]),
            MultiPort([7, 1], [0, 1]),
            MultiPort([0, 7], [1, 1]),
            MultiPort([1, 0, 0], [2, 0, 0]),  # as printed: 1
            MultiPort([5, 0], [1, 0]),  # as printed: 1
            MultiPort([2, 1, 1], [2, 1, 1]),  # figure 1
            MultiPort([2, 2, 1, 1], [1, 1, 1, 1]),
            MultiPort([Fraction(1, 3), Fraction(1, 7), 0], [2, 1, 0]),
        ),
        corrects="beaumont2010.milp.printed",
    ),
    Claim(
        id="beaumont2010.milp.printed",
        statement=(
            "The mixed integer program with f_k(j, i) <= c(j, i), sum_i f_k(j, i) <= b_j for every"
            " k, f_k(j, i) <= delta(j, i) in {0, 1} and sum_i delta(j, i) <= d_j has the best"
            " throughput within the degrees as its optimum (arcs back to the source are not"
            " bounded)."
        ),
        reference=f"{PAPER}, section III-A",
        status="wrong as printed",
        page="overlay-model",
        implemented=(),
        checked_by="the program as printed, and the best rates, on all sets of arcs",
        instance_type=MultiPort,
        instance=_machine,
        check=_literal,
        bounds=Bounds(2, 2, 3),
        # The source has to send everything twice: 1/2, as printed 1.
        counterexample=lambda: MultiPort([1, 0, 0], [2, 0, 0]),
    ),
)
