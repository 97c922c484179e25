"""Claims: theorems 3 to 5 and lemmas 2 to 6 of RR-4871: from SSB(G) to arborescences."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isqrt, lcm, prod

from exactsched.certificate.graphs import ArborescenceDecomposition
from exactsched.check import check
from exactsched.exact.rational import Rational, to_json
from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.graphs.flow import maximum_flow
from exactsched.graphs.matching_decomposition import decompose_into_matchings
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import Digraph, digraph, multiplicity
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast_programs import (
    SSB_PAGE,
    Multigraph,
    ends_of,
    largest_load,
    multigraph_of,
    proved,
    report_claim,
    ssb_claim,
)
from exactsched.steady_state.broadcast import broadcast
from exactsched.theorems.claim import Bounds, Verdict, held, refuted
from exactsched.theorems.classical.duality import entered, spans
from exactsched.theorems.classical.matchings import ALL_SETS


def _capacities(choices: Choices, bound: int) -> Digraph:
    """Multiplicities of arcs; some node cannot be reached in one case of eight."""
    return digraph(
        choices,
        min_size=2,
        max_size=bound,
        max_arcs=5 * bound,
        connected=not choices.flip(8),
        number=multiplicity,
    )


def _decomposed(
    size: int, root: int, arcs: Sequence[tuple[int, int]], copies: Sequence[Rational]
) -> tuple[ArborescenceDecomposition, int, str]:
    """Trees, kappa by a certified root cut, and what is wrong with them by definition, if any."""
    cut = minimum_root_cut(size, root, arcs, copies)
    check(cut)
    stated = decompose_into_arborescences(size, root, arcs, copies)
    check(stated)
    wrong = ""
    if any(type(weight) is not int or weight < 1 for weight, _ in stated.trees):
        wrong = "a weight is no positive integer"
    elif not all(spans(size, [root], [arcs[arc] for arc in tree]) for _, tree in stated.trees):
        wrong = "one of the trees is no arborescence"
    elif any(
        sum(weight for weight, tree in stated.trees if arc in tree) > number
        for arc, number in enumerate(copies)
    ):
        wrong = "more trees with an arc than the arc has copies"
    return stated, int(cut.value), wrong


def _edmonds(graph: Digraph) -> Verdict:
    stated, kappa, wrong = _decomposed(graph.size, 0, graph.arcs, graph.numbers)
    total = sum(weight for weight, _ in stated.trees)
    facts = {"kappa": to_json(kappa), "arborescences": to_json(total)}
    if wrong:
        return refuted(wrong, **facts)
    if graph.size <= ALL_SETS:
        kappa = min(entered(graph.size, graph.arcs, graph.numbers)[2::2])
    if total != kappa:
        return refuted(f"not as many disjoint arborescences as kappa = {kappa}", **facts)
    return held(**facts)


def _few_trees(graph: Digraph) -> Verdict:
    stated, kappa, wrong = _decomposed(graph.size, 0, graph.arcs, graph.numbers)
    used = sum(
        tail != head != 0 and number > 0
        for (tail, head), number in zip(graph.arcs, graph.numbers, strict=True)
    )
    total = sum(weight for weight, _ in stated.trees)
    facts = {"kappa": to_json(kappa), "trees": len(stated.trees), "arcs": used}
    if wrong or total != kappa:
        return refuted(wrong or "the total weight is not the largest", **facts)
    if len(stated.trees) > min(used - graph.size + 2, graph.size**3 + used) and kappa:
        return refuted("more than m - n + 2 arborescences", **facts)
    return held(**facts)


def _kappa(problem: Broadcast, many: Multigraph) -> int:
    """The least number of arcs of the multigraph whose deletion cuts some node off."""
    nodes = problem.platform.nodes
    root, arcs = problem.platform.position[problem.source], ends_of(problem)
    cut = minimum_root_cut(len(nodes), root, arcs, many.capacities)
    check(cut)
    kappa = int(cut.value)
    if len(nodes) <= ALL_SETS:
        amounts = entered(len(nodes), arcs, many.capacities)
        assert kappa == min(a for some, a in enumerate(amounts) if some and not some >> root & 1), (
            "the certified cut is not the least"
        )
    return kappa


def _flows_reach(problem: Broadcast) -> Verdict:
    """Lemma 2, with its "indeed": the x of every node are a flow of value N within N n."""
    many = multigraph_of(problem)
    kappa = _kappa(problem, many)
    facts = {"N": to_json(many.copies), "kappa": to_json(kappa)}
    arcs = problem.platform.arcs
    for target, x in many.flows.items():
        net = dict.fromkeys(problem.platform.nodes, 0)
        for arc, amount in x.items():
            if not 0 <= amount <= many.capacities[arc]:
                return refuted(f"x of {target} exceeds n on {arcs[arc]}", **facts)
            net[arcs[arc].tail] -= amount
            net[arcs[arc].head] += amount
        wanted = {target: many.copies, problem.source: -many.copies}
        if any(amount != wanted.get(node, 0) for node, amount in net.items()):
            return refuted(f"x of {target} is no flow of value N", **facts)
    if kappa < many.copies:
        return refuted("kappa is less than N", **facts)
    return held(**facts)


def _no_more_than_optimal(problem: Broadcast) -> Verdict:
    """Lemma 3: kappa > N would give flows for a shorter T*, as the proof makes them."""
    many = multigraph_of(problem)
    kappa, position = _kappa(problem, many), problem.platform.position
    arcs = ends_of(problem)
    largest = [Fraction(0)] * len(arcs)
    for node in problem.platform.nodes:
        if node != problem.source:
            ends = position[problem.source], position[node]
            best = maximum_flow(len(position), *ends, arcs, many.capacities)
            check(best)
            if best.value < kappa:
                return refuted(f"no flow of value kappa to {node}", N=many.copies, kappa=kappa)
            # A flow of value kappa: the largest one scaled.
            scale = Fraction(kappa) / Fraction(best.value)
            largest = [max(a, scale * b) for a, b in zip(largest, best.flow, strict=True)]
    times = [
        amount * arc.cost / kappa
        for amount, arc in zip(largest, problem.platform.arcs, strict=True)
    ]
    shortest = largest_load(problem, times)
    facts = {
        "N": to_json(many.copies),
        "kappa": to_json(kappa),
        "T*": to_json(1 / many.throughput),
        "by these flows": to_json(shortest),
    }
    if kappa > many.copies or shortest * many.throughput < 1:
        return refuted("the flows of value kappa need less time than T*", **facts)
    return held(**facts)


def _trees_of(problem: Broadcast, many: Multigraph) -> tuple[ArborescenceDecomposition, int, str]:
    root = problem.platform.position[problem.source]
    return _decomposed(len(problem.platform.nodes), root, ends_of(problem), many.capacities)


def _kappa_is_n(problem: Broadcast) -> Verdict:
    many = multigraph_of(problem)
    kappa = _kappa(problem, many)
    true = proved(broadcast(problem.platform, problem.source)).bound
    facts = {"N": to_json(many.copies), "kappa": to_json(kappa), "T*": to_json(1 / true)}
    if kappa != many.copies:
        return refuted("kappa is not N", **facts)
    # N messages in N T*: nothing is faster, by the certificate.
    times = [n * a.cost for n, a in zip(many.capacities, problem.platform.arcs, strict=True)]
    if largest_load(problem, times) * true != many.copies:
        return refuted("N messages do not take N T*", **facts)
    return held(**facts)


def _total_weight(problem: Broadcast) -> Verdict:
    many = multigraph_of(problem)
    stated, kappa, wrong = _trees_of(problem, many)
    total = sum(weight for weight, _ in stated.trees)
    facts = {"N": to_json(many.copies), "kappa": to_json(kappa), "total": to_json(total)}
    if wrong or not total == kappa == many.copies:
        return refuted(wrong or "total weight, kappa and N are not equal", **facts)
    return held(**facts, trees=len(stated.trees))


def _encoding(problem: Broadcast) -> Verdict:
    """Cramer's rule: N divides a minor of SSB(G) in integers, and Hadamard bounds that."""
    many = multigraph_of(problem)
    stated, _, wrong = _trees_of(problem, many)
    squares = []
    rows = zip(many.program.rows, many.program.right_sides, strict=True)
    for numbers in ([*(number for _, number in row), limit] for row, limit in rows):
        unit = lcm(*(Fraction(number).denominator for number in numbers))
        whole = [int(number * unit) for number in numbers]
        common = gcd(*whole) or 1
        squares.append(max(1, sum((number // common) ** 2 for number in whole)))
    bits = (isqrt(prod(squares)) + 1).bit_length()
    nodes, arcs = len(problem.platform.nodes), len(problem.platform.arcs)
    written = sum(
        (nodes - 1) * arcs.bit_length() + weight.bit_length()
        for weight, _ in stated.trees
        if isinstance(weight, int)
    )
    most = (nodes**3 + arcs) * ((nodes - 1) * arcs.bit_length() + bits)
    facts = {"N": many.copies.bit_length(), "Hadamard": bits, "trees": written, "most": most}
    if wrong or many.copies.bit_length() > bits or written > most:
        return refuted(wrong or "N or the trees take more bits than they may", **facts)
    return held(**facts)


def _period(problem: Broadcast) -> Verdict:
    """Lemma 6: m, the trees; their matchings last N T*, which is no less by the dual of SSB(G)."""
    many = multigraph_of(problem)
    stated, _, wrong = _trees_of(problem, many)
    arcs, pairs = problem.platform.arcs, ends_of(problem)
    used = [sum(w for w, tree in stated.trees if arc in tree) for arc in range(len(arcs))]
    busy = {arc: amount * arcs[arc].cost for arc, amount in enumerate(used) if amount}
    matchings = decompose_into_matchings([pairs[arc] for arc in busy], list(busy.values()))
    check(matchings)
    total = sum((Fraction(time) for time, _ in matchings.matchings), start=Fraction(0))
    facts = {
        "total": to_json(total),
        "N T*": to_json(many.copies / many.throughput),
        "matchings": len(matchings.matchings),
        "spared": sum(n > m for n, m in zip(many.capacities, used, strict=True)),
    }
    if wrong or total != many.copies / many.throughput:
        return refuted(wrong or "the matchings do not last N T*", **facts)
    return held(**facts)


def _multigraphs() -> tuple[Digraph, ...]:
    return (
        Digraph(2, (), ()),
        Digraph(2, ((0, 1), (0, 1), (1, 0), (1, 1)), (1, 10**20, 3, 4)),
        Digraph(3, ((0, 1), (0, 2), (1, 2), (2, 1)), (3, 2, 1, 9)),
        Digraph(3, ((0, 1), (1, 2), (2, 1)), (10**40, 1, 1)),
    )


_DECOMPOSITION = ("exactsched/graphs/arborescence_decomposition.py", "exactsched/graphs/lovasz.py")

MULTIGRAPH_CLAIMS = (
    report_claim(
        "thm3",
        "theorem 3 (Edmonds)",
        "as printed",
        statement=(
            "The number of arc-disjoint spanning arborescences of a directed multigraph, rooted at"
            " a node, is exactly kappa, the least number of arcs whose deletion makes some node"
            " unreachable from it."
        ),
        page=SSB_PAGE,
        implemented=(
            "exactsched/graphs/arborescence_decomposition.py",
            "exactsched/graphs/root_cut.py",
        ),
        checked_by="`check`; trees and copies by definition; all cuts, up to 8 nodes",
        instance_type=Digraph,
        instance=_capacities,
        check=_edmonds,
        bounds=Bounds(5, 11, 60),
        corners=_multigraphs,
    ),
    ssb_claim(
        "lemma2",
        "lemma 2, for the corrected SSB(G)",
        "corrected",
        statement=(
            "Let N be the common denominator of the n and x of a solution of the corrected SSB(G)"
            " for one message. Every x_i times N is a flow of value N within the N n, and so"
            " kappa >= N in the multigraph with N n copies of every arc."
        ),
        implemented=(
            "exactsched/graphs/root_cut.py",
            "exactsched/linear_programs/linear_program.py",
        ),
        checked_by="`check`; the flows by definition; all cuts, up to 8 nodes",
        check=_flows_reach,
    ),
    ssb_claim(
        "lemma3",
        "lemma 3",
        "as printed",
        statement=(
            "For an optimal solution kappa <= N: flows of value kappa to all nodes within the N n,"
            " divided by kappa, are a solution of SSB(G) again and do not take less time than T*."
        ),
        implemented=("exactsched/graphs/flow.py", "exactsched/graphs/root_cut.py"),
        checked_by="`check`; the flows of the proof, and their ports by definition",
        check=_no_more_than_optimal,
    ),
    ssb_claim(
        "thm4",
        "theorem 4",
        "as printed",
        statement="For an optimal solution of SSB(G), kappa = N: N messages in a time of N T*.",
        implemented=("exactsched/graphs/root_cut.py", "exactsched/steady_state/broadcast.py"),
        checked_by="`check`, also on the packing that proves T*; ports by definition",
        check=_kappa_is_n,
    ),
    report_claim(
        "thm5",
        "theorem 5",
        "sharpened",
        statement=(
            "A digraph with integer capacities on m arcs that do not enter the root has spanning"
            " arborescences with positive integer weights within the capacities, of the largest"
            " total weight; at most m - |V| + 2 different ones do (printed: |V|^3 + |E|)."
        ),
        page="arborescence-decomposition",
        implemented=_DECOMPOSITION,
        checked_by="`check`; trees, weights and capacities by definition",
        instance_type=Digraph,
        instance=_capacities,
        check=_few_trees,
        bounds=Bounds(5, 12, 60),
        corners=_multigraphs,
    ),
    ssb_claim(
        "lemma4",
        "lemma 4",
        "as printed",
        statement="The arborescences of theorem 5 in N n weigh N = kappa together.",
        implemented=_DECOMPOSITION,
        checked_by="`check`; trees and capacities by definition",
        check=_total_weight,
    ),
    ssb_claim(
        "lemma5",
        "lemma 5",
        "as printed",
        statement=(
            "The trees can be written in polynomial size: N has at most as many bits B as Hadamard"
            " allows a minor of SSB(G), and the trees take at most (|V|^3 + |E|) times"
            " (|V| - 1) bits(|E|) + B bits."
        ),
        implemented=_DECOMPOSITION,
        checked_by="bits counted",
        check=_encoding,
    ),
    ssb_claim(
        "lemma6",
        "lemma 6, with (12), (15) and (13), (16) exchanged",
        "corrected",
        statement=(
            "With m the messages of the trees on every arc, m <= N n and the matchings for the"
            " times m c last N T*, not less."
        ),
        implemented=("exactsched/graphs/matching_decomposition.py", *_DECOMPOSITION),
        checked_by="`check`; m and the durations added up again",
        check=_period,
    ),
)
