"""Section 5.3, weighted broadcast trees: theorems 3 to 5 and lemmas 2 to 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt, lcm, prod

from exactsched.certificate.graphs import ArborescenceDecomposition
from exactsched.certificate.linear_programs import LinearProgram
from exactsched.exact.rational import Rational
from exactsched.graphs.arborescence_decomposition import decompose_into_arborescences
from exactsched.graphs.flow import maximum_flow
from exactsched.graphs.root_cut import minimum_root_cut
from exactsched.instances.broadcasts import BROADCASTS
from exactsched.instances.graphs import MULTIPLICITIES, Digraph
from exactsched.instances.instance_type import Bounds
from exactsched.model.platform import Node
from exactsched.model.problem import Broadcast
from exactsched.oracles.branchings import spans
from exactsched.oracles.broadcast import ends_of, largest_load, ssb_corrected
from exactsched.oracles.flows_and_cuts import ALL_SETS, least_root_cut
from exactsched.steady_state.broadcast import broadcast
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.optimum import optimum

Arcs = Sequence[tuple[int, int]]


def kappa_of(say: Say, size: int, root: int, arcs: Arcs, copies: Sequence[Rational]) -> int:
    """The least number of arcs whose deletion makes some node unreachable from the root."""
    cut = minimum_root_cut(size, root, arcs, copies)
    say.accepts(cut)
    if size <= ALL_SETS:
        least = least_root_cut(size, arcs, copies, root)
        say.require(cut.value == least, "the certified cut is not the least")
    return int(cut.value)


def trees_of(
    say: Say, size: int, root: int, arcs: Arcs, copies: Sequence[Rational]
) -> ArborescenceDecomposition:
    """Arborescences with positive integer weights that fit into the copies, by definition."""
    stated = decompose_into_arborescences(size, root, arcs, copies)
    say.accepts(stated)
    whole = all(type(weight) is int and weight > 0 for weight, _ in stated.trees)
    say.require(whole, "a weight is no positive integer")
    spanning = all(spans(size, [root], [arcs[arc] for arc in tree]) for _, tree in stated.trees)
    say.require(spanning, "one of the trees is no arborescence")
    for arc, number in enumerate(copies):
        used = sum(weight for weight, tree in stated.trees if arc in tree)
        say.require(used <= number, "more trees with an arc than the arc has copies")
    return stated


@claim(
    "beaumont2003.thm3",
    number="theorem 3 (Edmonds)",
    instances=MULTIPLICITIES,
    bounds=Bounds(5, 11, 60),
    page="steady-state-broadcast",
    implements=(
        "exactsched/graphs/arborescence_decomposition.py",
        "exactsched/graphs/root_cut.py",
    ),
    judged=f"`check`; trees and copies by definition; all cuts, up to {ALL_SETS} nodes",
)
def edmonds_branching_theorem(graph: Digraph, say: Say) -> None:
    """The number of arc-disjoint spanning arborescences of a directed multigraph, rooted at a node,
    is exactly kappa, the least number of arcs whose deletion makes some node unreachable from it.
    """
    kappa = kappa_of(say, graph.size, 0, graph.arcs, graph.numbers)
    stated = trees_of(say, graph.size, 0, graph.arcs, graph.numbers)
    total = sum(weight for weight, _ in stated.trees)
    say(kappa=kappa, arborescences=total)
    say.require(total == kappa, "not as many disjoint arborescences as kappa")


@dataclass(frozen=True, slots=True)
class MessageMultigraph:
    """The G^(m) of section 5.3.1: an optimum of the corrected SSB(G) for one message, times N.

    Every n and x times `copies` = N is an integer: `capacities` of the arcs, and `flows` for every
    target.
    """

    problem: Broadcast
    program: LinearProgram
    throughput: Fraction
    copies: int
    capacities: tuple[int, ...]
    flows: dict[Node, dict[int, int]]

    def kappa(self, say: Say) -> int:
        return kappa_of(say, *self._graph())

    def trees(self, say: Say) -> ArborescenceDecomposition:
        """The weighted trees of theorem 5."""
        return trees_of(say, *self._graph())

    def _graph(self) -> tuple[int, int, Arcs, tuple[int, ...]]:
        platform = self.problem.platform
        root = platform.position[self.problem.source]
        return len(platform.nodes), root, ends_of(self.problem), self.capacities


def multigraph_of(problem: Broadcast) -> MessageMultigraph:
    """Of a basic optimum; every node can be reached.

    >>> from exactsched.platforms.papers import legrand_fig1
    >>> multigraph_of(Broadcast(legrand_fig1(), "Ps")).capacities
    (1, 1, 1, 1, 2, 2)
    """
    program, variables = ssb_corrected(problem)
    best = optimum(program)
    throughput = Fraction(best.value)
    one = {variable: amount / throughput for variable, amount in best.primal}
    copies = lcm(*(amount.denominator for amount in one.values()))

    def times(variable: int) -> int:
        return int(one.get(variable, 0) * copies)

    return MessageMultigraph(
        problem,
        program,
        throughput,
        copies,
        tuple(times(1 + arc) for arc in range(len(problem.platform.arcs))),
        {node: {arc: times(v) for arc, v in x.items()} for node, x in variables.items()},
    )


@claim(
    "beaumont2003.lemma2",
    number="lemma 2, for the corrected SSB(G)",
    status="corrected",
    instances=BROADCASTS,
    page="steady-state-broadcast",
    implements=(
        "exactsched/graphs/root_cut.py",
        "exactsched/linear_programs/linear_program.py",
    ),
    judged=f"`check`; the flows by definition; all cuts, up to {ALL_SETS} nodes",
)
def kappa_is_at_least_n(problem: Broadcast, say: Say) -> None:
    """Let N be the common denominator of the n and x of a solution of the corrected SSB(G) for one
    message. Every x_i times N is a flow of value N within the N n, and so kappa >= N in the
    multigraph with N n copies of every arc.
    """
    many = multigraph_of(problem)
    kappa = many.kappa(say)
    say(N=many.copies, kappa=kappa)
    arcs = problem.platform.arcs
    for target, x in many.flows.items():
        net = dict.fromkeys(problem.platform.nodes, 0)
        for arc, amount in x.items():
            fits = 0 <= amount <= many.capacities[arc]
            say.require(fits, f"x of {target} exceeds n on {arcs[arc]}")
            net[arcs[arc].tail] -= amount
            net[arcs[arc].head] += amount
        wanted = {target: many.copies, problem.source: -many.copies}
        flow = all(amount == wanted.get(node, 0) for node, amount in net.items())
        say.require(flow, f"x of {target} is no flow of value N")
    say.require(kappa >= many.copies, "kappa is less than N")


@claim(
    "beaumont2003.lemma3",
    number="lemma 3",
    instances=BROADCASTS,
    page="steady-state-broadcast",
    implements=("exactsched/graphs/flow.py", "exactsched/graphs/root_cut.py"),
    judged="`check`; the flows of the proof, and their ports by definition",
)
def kappa_is_at_most_n(problem: Broadcast, say: Say) -> None:
    """For an optimal solution kappa <= N: flows of value kappa to all nodes within the N n, divided
    by kappa, are a solution of SSB(G) again and do not take less time than T*.
    """
    many = multigraph_of(problem)
    kappa, position = many.kappa(say), problem.platform.position
    say({"T*": 1 / many.throughput}, N=many.copies, kappa=kappa)
    arcs = ends_of(problem)
    largest = [Fraction(0)] * len(arcs)
    for node in problem.platform.nodes:
        if node != problem.source:
            ends = position[problem.source], position[node]
            best = maximum_flow(len(position), *ends, arcs, many.capacities)
            say.accepts(best)
            say.require(best.value >= kappa, f"no flow of value kappa to {node}")
            # A flow of value kappa: the largest one scaled.
            scale = Fraction(kappa) / Fraction(best.value)
            largest = [max(a, scale * b) for a, b in zip(largest, best.flow, strict=True)]
    times = [n * a.cost / kappa for n, a in zip(largest, problem.platform.arcs, strict=True)]
    shortest = largest_load(problem, times)
    say({"by these flows": shortest})
    slow = kappa <= many.copies and shortest * many.throughput >= 1
    say.require(slow, "the flows of value kappa need less time than T*")


@claim(
    "beaumont2003.thm4",
    number="theorem 4",
    instances=BROADCASTS,
    page="steady-state-broadcast",
    implements=("exactsched/graphs/root_cut.py", "exactsched/steady_state/broadcast.py"),
    judged="`check`, also on the packing that proves T*; ports by definition",
)
def kappa_is_n(problem: Broadcast, say: Say) -> None:
    """For an optimal solution of SSB(G), kappa = N: N messages in a time of N T*."""
    many = multigraph_of(problem)
    kappa = many.kappa(say)
    true = say.accepts(broadcast(problem.platform, problem.source)).bound
    say({"T*": 1 / true}, N=many.copies, kappa=kappa)
    say.require(kappa == many.copies, "kappa is not N")
    # N messages in N T*: nothing is faster, by the certificate.
    times = [n * a.cost for n, a in zip(many.capacities, problem.platform.arcs, strict=True)]
    exactly = largest_load(problem, times) * true == many.copies
    say.require(exactly, "N messages do not take N T*")


@claim(
    "beaumont2003.thm5",
    number="theorem 5",
    status="sharpened",
    instances=MULTIPLICITIES,
    page="arborescence-decomposition",
    implements=(
        "exactsched/graphs/arborescence_decomposition.py",
        "exactsched/graphs/lovasz.py",
    ),
    judged="`check`; trees, weights and capacities by definition",
)
def few_weighted_trees(graph: Digraph, say: Say) -> None:
    """A digraph with integer capacities on m arcs that do not enter the root has spanning
    arborescences with positive integer weights within the capacities, of the largest total weight;
    at most m - |V| + 2 different ones do (printed: |V|^3 + |E|).
    """
    kappa = kappa_of(say, graph.size, 0, graph.arcs, graph.numbers)
    stated = trees_of(say, graph.size, 0, graph.arcs, graph.numbers)
    used = sum(
        tail != head != 0 and number > 0
        for (tail, head), number in zip(graph.arcs, graph.numbers, strict=True)
    )
    say(kappa=kappa, trees=len(stated.trees), arcs=used)
    total = sum(weight for weight, _ in stated.trees)
    say.require(total == kappa, "the total weight is not the largest")
    few = len(stated.trees) <= min(used - graph.size + 2, graph.size**3 + used)
    say.require(few or not kappa, "more than m - n + 2 arborescences")


@claim(
    "beaumont2003.lemma4",
    number="lemma 4",
    instances=BROADCASTS,
    page="steady-state-broadcast",
    implements=(
        "exactsched/graphs/arborescence_decomposition.py",
        "exactsched/graphs/lovasz.py",
    ),
    judged="`check`; trees and capacities by definition",
)
def trees_weigh_n(problem: Broadcast, say: Say) -> None:
    """The arborescences of theorem 5 in N n weigh N = kappa together."""
    many = multigraph_of(problem)
    kappa, stated = many.kappa(say), many.trees(say)
    total = sum(weight for weight, _ in stated.trees)
    say(N=many.copies, kappa=kappa, total=total, trees=len(stated.trees))
    say.require(total == kappa == many.copies, "total weight, kappa and N are not equal")


@claim(
    "beaumont2003.lemma5",
    number="lemma 5",
    instances=BROADCASTS,
    page="steady-state-broadcast",
    implements=(
        "exactsched/graphs/arborescence_decomposition.py",
        "exactsched/graphs/lovasz.py",
    ),
    judged="bits counted",
)
def trees_have_polynomial_size(problem: Broadcast, say: Say) -> None:
    """The trees can be written in polynomial size: N has at most as many bits B as Hadamard allows
    a minor of SSB(G), and the trees take at most (|V|^3 + |E|) times (|V| - 1) bits(|E|) + B bits.
    """
    many = multigraph_of(problem)
    stated = many.trees(say)
    bits = _bits_of_a_minor(many.program)
    nodes, arcs = len(problem.platform.nodes), len(problem.platform.arcs)
    shape = (nodes - 1) * arcs.bit_length()
    written = sum(shape + int(weight).bit_length() for weight, _ in stated.trees)
    most = (nodes**3 + arcs) * (shape + bits)
    say(N=many.copies.bit_length(), Hadamard=bits, trees=written, most=most)
    short = many.copies.bit_length() <= bits and written <= most
    say.require(short, "N or the trees take more bits than they may")


def _bits_of_a_minor(program: LinearProgram) -> int:
    """Cramer's rule: N divides a minor of SSB(G) in integers, and Hadamard bounds that."""
    squares = []
    for row, limit in zip(program.rows, program.right_sides, strict=True):
        numbers = [Fraction(number) for number in (*(number for _, number in row), limit)]
        unit = lcm(*(number.denominator for number in numbers))
        whole = [int(number * unit) for number in numbers]
        common = gcd(*whole) or 1
        squares.append(max(1, sum((number // common) ** 2 for number in whole)))
    return (isqrt(prod(squares)) + 1).bit_length()
