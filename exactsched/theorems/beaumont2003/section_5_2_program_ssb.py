"""Section 5.2, the lower bound: the linear program SSB(G)."""

from __future__ import annotations

from fractions import Fraction

from exactsched.instances.broadcasts import ANY_BROADCASTS, cycles_apart
from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import ends_of, largest_load, ssb_corrected, ssb_printed
from exactsched.oracles.flows_and_cuts import ALL_SETS, least_root_cut
from exactsched.steady_state.broadcast import broadcast
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.optimum import optimum


@claim(
    "beaumont2003.ssb",
    number="SSB(G), section 5.2, as corrected",
    status="corrected",
    instances=ANY_BROADCASTS,
    page="steady-state-broadcast",
    implements=(
        "exactsched/steady_state/broadcast.py",
        "exactsched/steady_state/arborescence_packing.py",
    ),
    judged=f"`check` on both; ports by definition; all cuts, up to {ALL_SETS} nodes",
    corrects="beaumont2003.ssb.printed",
)
def ssb_is_the_best_packing(problem: Broadcast, say: Say) -> None:
    """With flows x_i from the source to every P_i that neither enter the source nor leave P_i, the
    optimum of SSB(G) is the largest total weight of arborescences that overload no port, and the
    largest throughput of all schedules; 0 if a node is out of reach. Its rates n enter every cut
    with TP at least.
    """
    arcs, pairs = problem.platform.arcs, ends_of(problem)
    root = problem.platform.position[problem.source]
    solution = broadcast(problem.platform, problem.source)
    proved = say.accepts(solution)
    best = optimum(ssb_corrected(problem)[0])
    say(throughput=proved.bound, SSB=best.value, arborescences=len(solution.trees))
    equal = proved.optimal and proved.bound == best.value
    say.require(equal, "the packing of arborescences and SSB(G) differ")
    into_source = any(pairs[arc][1] == root for tree in solution.trees for arc in tree.arcs)
    say.require(not into_source, "an arborescence enters the source")
    value = dict(best.primal)
    by_trees = [
        sum((tree.weight for tree in solution.trees if k in tree.arcs), start=Fraction(0))
        for k in range(len(arcs))
    ]
    for rates in (by_trees, [Fraction(value.get(1 + k, 0)) for k in range(len(arcs))]):
        times = [rate * arc.cost for rate, arc in zip(rates, arcs, strict=True)]
        fits = largest_load(problem, times) <= 1
        say.require(fits, "a port works more than full time")
        if len(problem.platform.nodes) <= ALL_SETS:
            cut = least_root_cut(len(problem.platform.nodes), pairs, rates, root)
            say.require(cut >= best.value, "a cut is entered by less than TP")


@claim(
    "beaumont2003.ssb.gross.printed",
    number="SSB(G), section 5.2, (7) and (8) as printed, (7) for i != s",
    instances=ANY_BROADCASTS,
    page="steady-state-broadcast",
    implements=("exactsched/steady_state/broadcast.py",),
    judged="the certified optimum of the series of broadcasts",
    statement="""The optimum of SSB(G) is the largest throughput if (7) counts all that leaves the
    source for P_i, i != s, and (8) all that enters P_i, whatever comes back.""",
    # A cycle through the source and one through the target count as delivery.
    counterexample=lambda: cycles_apart()[0],
    to_source=False,
)
@claim(
    "beaumont2003.ssb.printed",
    number="SSB(G), section 5.2, as printed",
    instances=ANY_BROADCASTS,
    page="steady-state-broadcast",
    implements=("exactsched/steady_state/broadcast.py",),
    judged="the certified optimum of the series of broadcasts",
    counterexample=lambda: Broadcast(Platform("sa", [("s", "a", 1)]), "s"),
    to_source=True,
)
def ssb_as_printed(problem: Broadcast, say: Say, *, to_source: bool) -> None:
    """The optimum of SSB(G), with (7) for every i, the source included, is the largest throughput.
    (An infeasible program counts as throughput 0.)
    """
    printed = optimum(ssb_printed(problem, to_source=to_source)).value
    true = say.accepts(broadcast(problem.platform, problem.source)).bound
    say(printed=printed, true=true)
    say.require(printed == true, f"SSB(G) as printed says {printed}, the best rate is {true}")
