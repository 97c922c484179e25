"""Half-duplex broadcast: the theorems of BBS (2025), sections 2.1 and 2.2, and its optimum."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from exactsched.certificate.nouns import CutBound
from exactsched.check import ProvedRun, check
from exactsched.exact.rational import Rational, to_json
from exactsched.graphs.reachability import bipartition
from exactsched.instances.choices import Choices
from exactsched.model.platform import Platform, both_ways
from exactsched.model.problem import Broadcast
from exactsched.oracles.branchings import spans
from exactsched.oracles.broadcast_programs import ends_of, proved
from exactsched.oracles.half_duplex import (
    ALL_SETS,
    AnyRun,
    Causality,
    Occupancies,
    any_run,
    best_by_cuts,
    best_rate,
    half_duplex,
    least_entering,
    lost,
    occupancies,
    overfull,
    received,
    run_of,
    scaled,
)
from exactsched.platforms.built_in import complete, star
from exactsched.runs.broadcast_run import makespan_guarantee, run_messages
from exactsched.steady_state.broadcast import BroadcastSolution, broadcast
from exactsched.synchronous.balanced import largest_rate
from exactsched.synchronous.graph import synchronous_graph
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted
from exactsched.theorems.lu2025.hamiltonian import LINE_CLAIMS

_PAPER = "Balanced Saturation (BBS), Lu et al. 2025"
_PAGE = "half-duplex"
# Up to so many nodes the program with all cuts and odd sets is solved.
_ALL_ROWS = 5


def _solved(problem: Broadcast) -> BroadcastSolution:
    return broadcast(problem.platform, problem.source, ports="half-duplex")


# Theorem 1 ---------------------------------------------------------------------------------------


def _occupied(asked: AnyRun) -> tuple[Fraction, Occupancies]:
    """The time of a run, and (12): the shares of it in which arcs work."""
    end, counts = run_of(asked)
    arcs = asked.problem.platform.arcs
    shares = tuple(n * arc.cost / end for n, arc in zip(counts, arcs, strict=True))
    return end, Occupancies(asked.problem, shares)


def _as_good(asked: AnyRun) -> Verdict:
    problem, messages = asked.problem, asked.messages
    end, limit = _occupied(asked)
    solution = _solved(problem)
    claim = proved(solution)
    root = problem.platform.position[problem.source]
    least = min(rate for node, rate in enumerate(received(limit)) if node != root)
    facts = {"time": to_json(end), "rate": to_json(least), "bound": to_json(claim.bound)}
    if reason := lost(limit):
        return refuted(reason, **facts)
    if least * end < messages:
        return refuted("the occupancies take longer than the run", **facts)
    if len(problem.platform.nodes) <= ALL_SETS:
        if reason := overfull(limit):
            return refuted(reason, **facts)
        if least_entering(limit) * end < messages:
            return refuted("a set without the source is entered by too little", **facts)
    if messages > claim.bound * end:
        return refuted("the run is faster than the optimum", **facts)
    ours = run_messages(solution, messages)
    claimed = check(ours.certificate())
    assert isinstance(claimed, ProvedRun)
    guarantee = makespan_guarantee(solution, messages)
    if not messages <= claim.bound * claimed.makespan or claimed.makespan > guarantee:
        return refuted("our run is faster than the optimum, or slower than it says", **facts)
    return held(**facts, ours=to_json(claimed.makespan))


def _causal_as_printed(at_root: bool) -> Callable[[AnyRun], Verdict]:
    def judge(asked: AnyRun) -> Verdict:
        end, limit = _occupied(asked)
        facts = {"time": to_json(end), "shares": [to_json(Fraction(x)) for x in limit.shares]}
        reason = lost(limit, "printed", at_root=at_root)
        return refuted(reason, **facts) if reason else held(**facts)

    return judge


# Theorem 2 ---------------------------------------------------------------------------------------


def _balanced(asked: Occupancies) -> tuple[Fraction, Occupancies]:
    """The least rate, and the occupancies scaled as in the proof so that all receive at it."""
    problem, rates = asked.problem, received(asked)
    root = problem.platform.position[problem.source]
    least = min(rate for node, rate in enumerate(rates) if node != root)
    shares = tuple(
        Fraction(0) if head == root or not share else share * least / rates[head]
        for (_, head), share in zip(ends_of(problem), asked.shares, strict=True)
    )
    return least, Occupancies(problem, shares)


def _balance_is_free(asked: Occupancies) -> Verdict:
    if reason := lost(asked):
        return not_applicable(reason)
    problem = asked.problem
    root = problem.platform.position[problem.source]
    least, evened = _balanced(asked)
    facts: dict[str, Any] = {"rate": to_json(least)}
    if any(rate != least for v, rate in enumerate(received(evened)) if v != root):
        return refuted("a node receives at another rate", **facts)
    if reason := lost(evened):
        return refuted(reason, **facts)
    best = best_rate(problem, "rates", balanced=False)
    facts["best"] = to_json(best)
    if best != best_rate(problem, "rates", balanced=True) or least > best:
        return refuted("balanced occupancies have another optimum", **facts)
    if all(arc.cost == 1 for arc in problem.platform.arcs):
        ours = largest_rate(synchronous_graph(problem.platform, problem.source))
        stated = Occupancies(problem, ours.occupancy)
        if ours.rate != best:
            return refuted(f"the program of the package says {to_json(ours.rate)}", **facts)
        if reason := lost(stated):
            return refuted(reason, **facts)
        if any(rate != best for v, rate in enumerate(received(stated)) if v != root):
            return refuted("the solution of the package is not balanced", **facts)
    return held(**facts)


def _balance_as_printed(asked: Occupancies) -> Verdict:
    if reason := lost(asked, "printed"):
        return not_applicable(reason)
    least, evened = _balanced(asked)
    best = best_rate(asked.problem, "printed", balanced=False)
    balanced = best_rate(asked.problem, "printed", balanced=True)
    facts = {"rate": to_json(least), "best": to_json(best), "balanced": to_json(balanced)}
    if best != balanced:
        return refuted("no balanced occupancies are as good", **facts)
    if reason := lost(evened, "printed"):
        return refuted(f"scaled, {reason}", **facts)
    return held(**facts)


# Sufficiency, and the optimum --------------------------------------------------------------------


def _enough_as_printed(asked: Occupancies) -> Verdict:
    if reason := lost(asked, "printed"):
        return not_applicable(reason)
    least, _ = _balanced(asked)
    claim = proved(_solved(asked.problem))
    facts = {"rate": to_json(least), "bound": to_json(claim.bound)}
    if least > claim.bound:
        return refuted("no algorithm has the rate of the occupancies", **facts)
    if len(asked.problem.platform.nodes) <= ALL_SETS:
        if least_entering(asked) < least:
            return refuted("a set without the source receives less from outside", **facts)
        if reason := overfull(asked):
            return refuted(reason, **facts)
    return held(**facts)


def _optimum(problem: Broadcast) -> Verdict:
    platform = problem.platform
    size, root, ends = len(platform.nodes), platform.position[problem.source], ends_of(problem)
    solution = _solved(problem)
    claim = proved(solution)
    assert isinstance(solution.bound, CutBound)
    odd = solution.bound.odd_sets
    facts: dict[str, Any] = {"throughput": to_json(claim.throughput), "odd sets": len(odd)}
    if not claim.optimal or claim.throughput != solution.throughput:
        return refuted("schedule and bound do not agree", **facts)
    for tree in solution.trees:
        if not spans(size, [root], [ends[arc] for arc in tree.arcs]):
            return refuted("a tree does not span", **facts)
    shares = tuple(
        sum((t.weight for t in solution.trees if a in t.arcs), Fraction(0)) * arc.cost
        for a, arc in enumerate(platform.arcs)
    )
    working = Occupancies(problem, shares)
    if reason := lost(working):
        return refuted(reason, **facts)
    if any(rate != claim.bound for v, rate in enumerate(received(working)) if v != root):
        return refuted("(14): a node receives at another rate", **facts)
    if claim.bound > size // 2 / ((size - 1) * min(arc.cost for arc in platform.arcs)):
        return refuted("more than floor(P / 2) / ((P - 1) c)", **facts)
    if odd and bipartition(size, ends) is not None:
        return refuted("odd sets are paid for in a bipartite graph", **facts)
    if size <= ALL_SETS:
        if reason := overfull(working):
            return refuted(reason, **facts)
        if least_entering(working) < claim.bound:
            return refuted("a set without the source is entered by too little", **facts)
    if size <= _ALL_ROWS and (value := best_by_cuts(problem)) != claim.bound:
        return refuted(f"with all cuts and odd sets the optimum is {to_json(value)}", **facts)
    return held(**facts)


# Claims ------------------------------------------------------------------------------------------


def _of(platform: Platform, source: Any = 0) -> Broadcast:
    return Broadcast(platform, source, "half-duplex")


def _arcs(*arcs: tuple[int, int, Rational]) -> Broadcast:
    return _of(Platform(range(1 + max(max(arc[:2]) for arc in arcs)), arcs))


_ARC = _arcs((0, 1, 1))
_FAST_THEN_SLOW = _arcs((0, 1, 1), (1, 2, 2))
# Between 2 and 3 it takes three time units: the odd set {0, 2, 3} is needed.
_ODD = _arcs((0, 1, 1), (0, 2, 1), (0, 3, 1), (2, 3, 3), (3, 2, 3))
_LEGS = _of(
    Platform(
        range(7), both_ways([(0, 1, 1), (1, 2, 1), (0, 3, 1), (3, 4, 1), (0, 5, 1), (5, 6, 1)])
    )
)


def _occupying(causality: Causality) -> Callable[[Choices, int], Occupancies]:
    return lambda choices, bound: occupancies(choices, bound, causality)


def _evenly(problem: Broadcast, causality: Causality = "rates") -> Occupancies:
    return scaled(problem, [1] * len(problem.platform.arcs), causality)


def _occupancies() -> tuple[Occupancies, ...]:
    """An arc; a clique; a node with two suppliers of different rates; rates that differ by much."""
    problems = _ARC, _of(complete(4)), _ODD, _arcs((0, 1, 10**30), (1, 2, 1), (0, 2, 3))
    return tuple(_evenly(problem) for problem in problems)


def _problems() -> tuple[Broadcast, ...]:
    huge = _arcs((0, 1, 10**30), (1, 2, Fraction(1, 3)), (2, 1, 1), (0, 2, 10**30 + 1))
    return (_ARC, _ODD, _LEGS, _of(complete(5)), _of(star(4)), huge)


def _runs() -> tuple[AnyRun, ...]:
    return tuple(AnyRun(problem, 3, (14, 6, 500)) for problem in _problems())


def _bbs(name: str, **fields: Any) -> Claim:
    fields.setdefault("bounds", Bounds(4, 6, 20))
    fields.setdefault("page", _PAGE)
    return Claim(id=f"lu2025.{name}", **fields)


_SOLVER = (
    "exactsched/steady_state/broadcast.py",
    "exactsched/steady_state/odd_sets.py",
    "exactsched/graphs/odd_cut.py",
)

CLAIMS: tuple[Claim, ...] = (
    _bbs(
        "thm1",
        statement=(
            "A half-duplex run of N messages ends at T, and no arc carries one twice. With O(a) ="
            " c(a) n(a) / T for n(a) messages over the arc a, E = 1 / c: sum O <= floor(P/2), at"
            " most 1 at a node, O(i,j) E(i,j) <= sum over k of O(k,i) E(k,i) but for the source,"
            " no node receives at less than N / T, so max N / (sum of O E) <= T. No set of 2k + 1"
            " nodes has more than k inside, and N / T is at most the optimum."
        ),
        reference=f"{_PAPER}, theorem 1",
        status="corrected",
        implemented=("exactsched/runs/broadcast_run.py", *_SOLVER),
        checked_by="runs in random order, by definition; `check` on the optimum and our run",
        instance_type=AnyRun,
        instance=any_run,
        check=_as_good,
        bounds=Bounds(4, 6, 12),
        corners=_runs,
        corrects="lu2025.thm1.printed",
    ),
    _bbs(
        "thm1.printed",
        statement=(
            "The occupancies (12) of every run satisfy the three constraints, (8) as printed:"
            " O(i,j) <= sum over k of O(k,i) for all i and j."
        ),
        reference=f"{_PAPER}, theorem 1 and (8)",
        status="wrong as printed",
        implemented=(),
        checked_by="runs in random order; the constraints by definition",
        instance_type=AnyRun,
        instance=any_run,
        check=_causal_as_printed(at_root=True),
        counterexample=lambda: AnyRun(_ARC, 1, ()),
    ),
    _bbs(
        "thm1.rates.printed",
        statement=(
            "The occupancies (12) of every run satisfy the three constraints, (8) but at the"
            " source: O(i,j) <= sum over k of O(k,i) for all j and all other i."
        ),
        reference=f"{_PAPER}, theorem 1 and (8)",
        status="wrong as printed",
        implemented=(),
        checked_by="runs in random order; the constraints by definition",
        instance_type=AnyRun,
        instance=any_run,
        check=_causal_as_printed(at_root=False),
        counterexample=lambda: AnyRun(_FAST_THEN_SLOW, 1, ()),
    ),
    _bbs(
        "thm2",
        statement=(
            "O keeps (6), (7) and, with rates and but for the source, (8); C > 0 is the least rate"
            " at which another node receives. Then what every node receives can be scaled down to"
            " C, and (6), (7), (8) hold. So the largest C is the same with (14), where all nodes"
            " but the source receive at C."
        ),
        reference=f"{_PAPER}, theorem 2",
        status="corrected",
        implemented=("exactsched/synchronous/balanced.py",),
        checked_by="the constraints by definition; both programs, with `check`",
        instance_type=Occupancies,
        instance=_occupying("rates"),
        check=_balance_is_free,
        bounds=Bounds(4, 5, 8),
        corners=_occupancies,
        corrects="lu2025.thm2.printed",
    ),
    _bbs(
        "thm2.printed",
        statement=(
            "The largest C is the same with (14), by the same scaling, if (8) is O(i,j) <= sum over"
            " k of O(k,i) for all i but the source."
        ),
        reference=f"{_PAPER}, theorem 2",
        status="wrong as printed",
        implemented=(),
        checked_by="the constraints by definition; both programs, with `check`",
        instance_type=Occupancies,
        instance=_occupying("printed"),
        check=_balance_as_printed,
        bounds=Bounds(4, 5, 8),
        counterexample=lambda: Occupancies(_FAST_THEN_SLOW, (Fraction(1, 2), Fraction(1, 2))),
    ),
    _bbs(
        "sufficiency.printed",
        statement=(
            "If occupancies satisfy (6), (7) and (8), the source exempt, an algorithm for many"
            " messages has nearly these occupancies, and so nearly the rate at which they let each"
            " node receive at least."
        ),
        reference=f"{_PAPER}, section 2.2, after (8)",
        status="wrong as printed",
        implemented=_SOLVER,
        checked_by="the proved optimum; all cuts and odd sets up to 7 nodes",
        instance_type=Occupancies,
        instance=_occupying("printed"),
        check=_enough_as_printed,
        # The two nodes send to each other what never came from the source.
        counterexample=lambda: Occupancies(
            _arcs((0, 1, 2), (1, 2, 1), (2, 1, 1)), (0, Fraction(1, 2), Fraction(1, 2))
        ),
    ),
    _bbs(
        "optimum",
        statement=(
            "If all P nodes can be reached, the largest throughput C of half-duplex broadcasts is"
            " the largest weight of arborescences that keep no node busy for more than 1, and no"
            " set of 2k + 1 nodes for more than k; or of flows that enter every set without the"
            " source at C. C <= floor(P/2) / ((P-1) c), c the least cost. In bipartite graphs odd"
            " sets are superfluous."
        ),
        reference="proofs/half-duplex.md, theorem A; Edmonds 1965 and 1973",
        status="corrected",
        implemented=_SOLVER,
        checked_by="`check`; all cuts and odd sets up to 7 nodes, as a program up to 5",
        instance_type=Broadcast,
        instance=half_duplex,
        check=_optimum,
        bounds=Bounds(5, 7, 20),
        corners=_problems,
        corrects="lu2025.sufficiency.printed",
    ),
    *LINE_CLAIMS,
)
