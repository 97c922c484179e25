"""Claims of RR-4871 about the steady state of a series of broadcasts (sections 3 to 5)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.instances.platforms import broadcast as random_broadcast
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast_programs import (
    PROGRAMS,
    SSB_PAGE,
    ends_of,
    largest_load,
    optimum,
    proved,
    reachable_broadcast,
    report_claim,
    small_broadcasts,
    ssb_corrected,
    ssb_printed,
)
from exactsched.platforms.papers import legrand_fig1
from exactsched.steady_state.broadcast import broadcast
from exactsched.theorems.beaumont2003.figure_2 import CORRECTED, PRINTED, Periods, run_steps
from exactsched.theorems.beaumont2003.section_5_coloring import COLORING_CLAIMS
from exactsched.theorems.beaumont2003.section_5_multigraph import MULTIGRAPH_CLAIMS
from exactsched.theorems.claim import Bounds, Verdict, held, refuted
from exactsched.theorems.classical.duality import entered
from exactsched.theorems.classical.matchings import ALL_SETS

# --- SSB(G)


def _any_broadcast(choices: Choices, bound: int) -> Broadcast:
    """In one case of six any platform, where some nodes may be out of reach."""
    if choices.flip(6):
        return random_broadcast(choices, ports="one-port", max_nodes=bound, reachable=None)
    return reachable_broadcast(choices, bound)


def _values_agree(problem: Broadcast) -> Verdict:
    platform = problem.platform
    root = platform.position[problem.source]
    solution = broadcast(platform, problem.source)
    claim = proved(solution)
    best = optimum(ssb_corrected(problem)[0])
    value = dict(best.primal)
    facts = {"throughput": to_json(claim.bound), "SSB": to_json(best.value)}
    if not claim.optimal or claim.bound != best.value:
        return refuted("the packing of arborescences and SSB(G) differ", **facts)
    for arc, (tail, head) in enumerate(ends_of(problem)):
        if tail == head or (head == root and any(arc in tree.arcs for tree in solution.trees)):
            return refuted("an arborescence enters the source", **facts)
    carried = [
        sum((tree.weight for tree in solution.trees if arc in tree.arcs), start=Fraction(0))
        for arc in range(len(platform.arcs))
    ]
    for rates in (carried, [Fraction(value.get(1 + arc, 0)) for arc in range(len(platform.arcs))]):
        times = [rate * arc.cost for rate, arc in zip(rates, platform.arcs, strict=True)]
        if largest_load(problem, times) > 1:
            return refuted("a port works more than full time", **facts)
        if len(platform.nodes) <= ALL_SETS:
            amounts = entered(len(platform.nodes), ends_of(problem), rates)
            cuts = [a for nodes, a in enumerate(amounts) if nodes and not nodes >> root & 1]
            if min(cuts) < best.value:
                return refuted("a cut is entered by less than TP", **facts)
    return held(**facts, arborescences=len(solution.trees))


def _printed_value(to_source: bool) -> Callable[[Broadcast], Verdict]:
    def compare(problem: Broadcast) -> Verdict:
        printed = optimum(ssb_printed(problem, to_source=to_source)).value
        true = proved(broadcast(problem.platform, problem.source)).bound
        facts = {"printed": to_json(printed), "true": to_json(true)}
        if printed != true:
            return refuted(f"SSB(G) as printed says {printed}, the best rate is {true}", **facts)
        return held(**facts)

    return compare


# --- Figure 2


def _periods(choices: Choices, bound: int) -> Periods:
    return Periods(choices.between(1, bound))


def _figure_printed(asked: Periods) -> Verdict:
    collision, _ = run_steps(PRINTED, asked.count)
    return refuted(collision) if collision else held()


def _figure_corrected(asked: Periods) -> Verdict:
    collision, delivered = run_steps(CORRECTED, asked.count)
    best = proved(broadcast(legrand_fig1(), "Ps"))
    facts = {"periods": asked.count, "delivered": delivered, "throughput": to_json(best.bound)}
    if collision:
        return refuted(collision, **facts)
    if not best.optimal or best.bound != 1:
        return refuted("the best throughput is not 1", **facts)
    if not 2 * (asked.count - 2) <= delivered <= 2 * asked.count:
        return refuted("not two messages in every period from the third on", **facts)
    return held(**facts)


def _gross() -> tuple[Broadcast, ...]:
    """Cycles at both ends, with nothing or with a slow arc between them."""
    cycles = both_ways([("s", "a", 1), ("b", "c", 1)])
    return (
        Broadcast(Platform("sabc", cycles), "s"),
        Broadcast(Platform("sabc", [*cycles, ("a", "b", 1000)]), "s"),
    )


CLAIMS = (
    *COLORING_CLAIMS,
    report_claim(
        "ssb",
        "section 5.2, program SSB(G), as corrected",
        "corrected",
        statement=(
            "With flows x_i from the source to every P_i that neither enter the source nor leave"
            " P_i, the optimum of SSB(G) is the largest total weight of arborescences that overload"
            " no port, and the largest throughput of all schedules; 0 if a node is out of reach."
            " Its rates n enter every cut with TP at least."
        ),
        page=SSB_PAGE,
        implemented=(
            "exactsched/steady_state/broadcast.py",
            "exactsched/steady_state/arborescence_packing.py",
        ),
        checked_by="`check` on both; ports by definition; all cuts, up to 8 nodes",
        instance_type=Broadcast,
        instance=_any_broadcast,
        check=_values_agree,
        bounds=PROGRAMS,
        corners=lambda: (*small_broadcasts(), *_gross()),
        corrects="beaumont2003.ssb.printed",
    ),
    report_claim(
        "ssb.printed",
        "section 5.2, program SSB(G), as printed",
        "wrong as printed",
        statement=(
            "The optimum of SSB(G), with (7) for every i, the source included, is the largest"
            " throughput. (An infeasible program counts as throughput 0.)"
        ),
        page=SSB_PAGE,
        implemented=("exactsched/steady_state/broadcast.py",),
        checked_by="the certified optimum of the series of broadcasts",
        instance_type=Broadcast,
        instance=_any_broadcast,
        check=_printed_value(to_source=True),
        bounds=PROGRAMS,
        counterexample=lambda: Broadcast(Platform("sa", [("s", "a", 1)]), "s"),
    ),
    report_claim(
        "ssb.gross.printed",
        "section 5.2, (7) and (8) as printed, (7) for i != s",
        "wrong as printed",
        statement=(
            "The optimum of SSB(G) is the largest throughput if (7) counts all that leaves the"
            " source for P_i, i != s, and (8) all that enters P_i, whatever comes back."
        ),
        page=SSB_PAGE,
        implemented=("exactsched/steady_state/broadcast.py",),
        checked_by="the certified optimum of the series of broadcasts",
        instance_type=Broadcast,
        instance=_any_broadcast,
        check=_printed_value(to_source=False),
        bounds=PROGRAMS,
        # A cycle through the source and one through the target count as delivery.
        counterexample=lambda: _gross()[0],
    ),
    *MULTIGRAPH_CLAIMS,
    report_claim(
        "fig2",
        "figure 2, with other steps",
        "corrected",
        statement=(
            "If P1->P2 and P2->P4 work in odd steps, P2->P1 and P1->P3 in even steps, no port of"
            " figure 1 works for two at once, and from the third period on two more messages have"
            " come everywhere after every two steps. The best throughput is 1."
        ),
        page="periodic-schedule",
        implemented=(
            "exactsched/steady_state/broadcast.py",
            "exactsched/steady_state/schedule.py",
        ),
        checked_by="step by step; `check` on the best schedule",
        instance_type=Periods,
        instance=_periods,
        check=_figure_corrected,
        bounds=Bounds(6, 20, 60),
        corners=lambda: tuple(Periods(count) for count in (1, 2, 3)),
        corrects="beaumont2003.fig2.printed",
    ),
    report_claim(
        "fig2.printed",
        "figure 2, as printed",
        "wrong as printed",
        statement=(
            "Figure 2 is a schedule: P2->P1 and P1->P3 in odd steps, P1->P2 and P2->P4 in even"
            " steps."
        ),
        page="periodic-schedule",
        implemented=("exactsched/steady_state/schedule.py",),
        checked_by="step by step",
        instance_type=Periods,
        instance=_periods,
        check=_figure_printed,
        bounds=Bounds(6, 20, 60),
        counterexample=lambda: Periods(1),
    ),
)
