"""Section 2.3, the balanced solution: theorems 1 and 2."""

from __future__ import annotations

from fractions import Fraction

from exactsched.exact.rational import to_json
from exactsched.instances.half_duplex import (
    OCCUPANCIES,
    OCCUPANCIES_AS_PRINTED,
    OVER_A_SLOWER_ARC,
    OVER_ONE_ARC,
    RUNS,
    UNBALANCED,
)
from exactsched.instances.instance_type import Bounds
from exactsched.oracles.broadcast import ends_of
from exactsched.oracles.half_duplex import (
    ALL_SETS,
    AnyRun,
    Causality,
    Occupancies,
    best_rate,
    least_entering,
    least_received,
    lost,
    overfull,
    received,
    run_of,
)
from exactsched.runs.finite_run import makespan_guarantee, run_operations
from exactsched.steady_state.broadcast import broadcast
from exactsched.synchronous.balanced import largest_rate
from exactsched.synchronous.graph import synchronous_graph
from exactsched.theorems.claim import Say, claim

# Theorem 1 ---------------------------------------------------------------------------------------


@claim(
    "lu2025.thm1",
    number="theorem 1",
    status="corrected",
    corrects="lu2025.thm1.printed",
    instances=RUNS,
    bounds=Bounds(4, 6, 12),
    page="half-duplex",
    implements=(
        "exactsched/runs/finite_run.py",
        "exactsched/steady_state/broadcast.py",
        "exactsched/steady_state/odd_sets.py",
        "exactsched/graphs/odd_cut.py",
    ),
    judged="runs in random order, by definition; `check` on the optimum and our run",
)
def theorem_1(asked: AnyRun, say: Say) -> None:
    """A half-duplex run of N messages ends at T, and no arc carries one twice. With
    O(a) = c(a) n(a) / T for n(a) messages over the arc a, E = 1 / c: sum O <= floor(P/2), at most 1
    at a node, O(i,j) E(i,j) <= sum over k of O(k,i) E(k,i) but for the source, no node receives at
    less than N / T, so max N / (sum of O E) <= T. No set of 2k + 1 nodes has more than k inside,
    and N / T is at most the optimum.
    """
    problem, messages = asked.problem, asked.messages
    end, limit = _occupied(asked)
    solution = broadcast(problem.platform, problem.source, ports="half-duplex")
    best, least = say.accepts(solution), least_received(limit)
    say(time=to_json(end), rate=to_json(least), bound=to_json(best.bound))
    reason = lost(limit)
    say.require(not reason, reason)
    say.require(least * end >= messages, "the occupancies take longer than the run")
    if len(problem.platform.nodes) <= ALL_SETS:
        reason = overfull(limit)
        say.require(not reason, reason)
        enough = least_entering(limit) * end >= messages
        say.require(enough, "a set without the source is entered by too little")
    say.require(messages <= best.bound * end, "the run is faster than the optimum")
    ours = say.accepts(run_operations(solution, messages)).makespan
    guarantee = makespan_guarantee(solution, messages)
    between = messages <= best.bound * ours and ours <= guarantee
    say.require(between, "our run is faster than the optimum, or slower than it says")
    say(ours=to_json(ours))


@claim(
    "lu2025.thm1.rates.printed",
    number="theorem 1, with (8) as printed",
    statement=(
        "The occupancies (12) of every run satisfy the three constraints, (8) but at the source:"
        " O(i,j) <= sum over k of O(k,i) for all j and all other i."
    ),
    counterexample=lambda: OVER_A_SLOWER_ARC,
    instances=RUNS,
    page="half-duplex",
    judged="runs in random order; the constraints by definition",
    at_root=False,
)
@claim(
    "lu2025.thm1.printed",
    number="theorem 1, with (8) as printed",
    counterexample=lambda: OVER_ONE_ARC,
    instances=RUNS,
    page="half-duplex",
    judged="runs in random order; the constraints by definition",
    at_root=True,
)
def theorem_1_as_printed(asked: AnyRun, say: Say, *, at_root: bool) -> None:
    """The occupancies (12) of every run satisfy the three constraints, (8) as printed:
    O(i,j) <= sum over k of O(k,i) for all i and j.
    """
    end, limit = _occupied(asked)
    say(time=to_json(end), shares=[to_json(Fraction(share)) for share in limit.shares])
    reason = lost(limit, "printed", at_root=at_root)
    say.require(not reason, reason)


def _occupied(asked: AnyRun) -> tuple[Fraction, Occupancies]:
    """The time of a run, and (12): the shares of it in which arcs work."""
    end, counts = run_of(asked)
    arcs = asked.problem.platform.arcs
    shares = tuple(n * arc.cost / end for n, arc in zip(counts, arcs, strict=True))
    return end, Occupancies(asked.problem, shares)


# Theorem 2 ---------------------------------------------------------------------------------------


@claim(
    "lu2025.thm2.printed",
    number="theorem 2",
    statement=(
        "The largest C is the same with (14), by the same scaling, if (8) is O(i,j) <= sum over k"
        " of O(k,i) for all i but the source."
    ),
    counterexample=lambda: UNBALANCED,
    instances=OCCUPANCIES_AS_PRINTED,
    page="half-duplex",
    judged="the constraints by definition; both programs, by the simplex method",
    causality="printed",
)
@claim(
    "lu2025.thm2",
    number="theorem 2",
    status="corrected",
    corrects="lu2025.thm2.printed",
    instances=OCCUPANCIES,
    page="half-duplex",
    implements=("exactsched/synchronous/balanced.py",),
    judged="the constraints by definition; both programs, by the simplex method",
    causality="rates",
)
def theorem_2(asked: Occupancies, say: Say, *, causality: Causality) -> None:
    """O keeps (6), (7) and, with rates and but for the source, (8); C > 0 is the least rate at
    which another node receives. Then what every node receives can be scaled down to C, and (6),
    (7), (8) hold. So the largest C is the same with (14), where all nodes but the source receive at
    C.
    """
    if reason := lost(asked, causality):
        say.not_applicable(reason)
    least, evened = least_received(asked), _evened(asked)
    best = best_rate(asked.problem, causality, balanced=False)
    balanced = best_rate(asked.problem, causality, balanced=True)
    say(rate=to_json(least), best=to_json(best))
    if causality == "printed":
        say(balanced=to_json(balanced))
    say.require(least <= best == balanced, "no balanced occupancies are as good")
    say.require(_balanced(evened, least), "a node receives at another rate")
    reason = lost(evened, causality)
    say.require(not reason, f"scaled, {reason}")
    unit = all(arc.cost == 1 for arc in asked.problem.platform.arcs)
    if causality == "rates" and unit:
        ours = largest_rate(synchronous_graph(asked.problem.platform, asked.problem.source))
        stated = Occupancies(asked.problem, ours.occupancy)
        say.require(ours.rate == best, f"the program of the package says {to_json(ours.rate)}")
        reason = lost(stated)
        say.require(not reason, reason)
        say.require(_balanced(stated, best), "the solution of the package is not balanced")


def _evened(asked: Occupancies) -> Occupancies:
    """Occupancies scaled as in the proof, so that all nodes receive at the least rate."""
    problem, rates, least = asked.problem, received(asked), least_received(asked)
    root = problem.platform.position[problem.source]
    shares = tuple(
        Fraction(0) if head == root or not share else share * least / rates[head]
        for (_, head), share in zip(ends_of(problem), asked.shares, strict=True)
    )
    return Occupancies(problem, shares)


def _balanced(asked: Occupancies, rate: Fraction) -> bool:
    """(14): whether all nodes but the source receive at the rate."""
    root = asked.problem.platform.position[asked.problem.source]
    return all(found == rate for node, found in enumerate(received(asked)) if node != root)
