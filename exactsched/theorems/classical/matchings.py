"""Classical theorems about matchings: König, Birkhoff and von Neumann, Edmonds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from exactsched.check import check
from exactsched.exact.rational import Rational, to_json
from exactsched.graphs.edge_coloring import color_edges
from exactsched.graphs.fractional_edge_coloring import color_fractionally
from exactsched.graphs.matching_decomposition import (
    decompose_into_few_matchings,
    decompose_into_matchings,
)
from exactsched.instances.choices import Choices
from exactsched.instances.graphs import BIPARTITE, Multigraph, multigraph
from exactsched.theorems.claim import Bounds, Claim, Say, Verdict, claim, held, refuted

# Up to so many nodes all sets of nodes are looked at.
ALL_SETS = 8


def rank(vectors: Iterable[Sequence[Rational]]) -> int:
    """The number of linearly independent vectors among these, by elimination.

    >>> rank([(1, 1, 0), (0, 1, 1), (1, 2, 1)])
    2
    """
    kept: list[tuple[int, list[Fraction]]] = []
    for vector in vectors:
        rest = [Fraction(entry) for entry in vector]
        for place, row in kept:
            if rest[place]:
                factor = rest[place]
                rest = [a - factor * b for a, b in zip(rest, row, strict=True)]
        place = next((k for k, entry in enumerate(rest) if entry), -1)
        if place >= 0:
            kept.append((place, [entry / rest[place] for entry in rest]))
    return len(kept)


# --- König and Birkhoff


@claim(
    "konig.edge-coloring",
    number="König, Math. Ann. 77 (1916); Gabow and Kariv, SIAM J. Comput. 11 (1982)",
    instances=BIPARTITE,
    page="konig-edge-coloring",
    implements=("exactsched/graphs/edge_coloring.py",),
    judged="`check`; degrees counted again",
)
def edge_coloring(graph: Multigraph, say: Say) -> None:
    """A bipartite multigraph whose largest degree is D is colored with D colors, each of which is a
    matching, in at most max(1, min(D, |E|)) classes of equal matchings, E the set of edges without
    their multiplicities.
    """
    stated = color_edges(graph.edges, graph.numbers)
    degrees: Counter[tuple[str, int]] = Counter()
    for (left, right), copies in zip(graph.edges, graph.numbers, strict=True):
        degrees["left", left] += int(copies)
        degrees["right", right] += int(copies)
    largest = max(degrees.values(), default=0)
    say(degree=largest, colors=stated.colors, classes=len(stated.classes))
    say.accepts(stated)
    say.require(stated.colors == largest, "the colors are not as many as the largest degree")
    few = len(stated.classes) <= max(1, min(largest, len(graph.edges)))
    say.require(few, "more classes than min(D, |E|)")


@dataclass(frozen=True, slots=True)
class DoublyStochastic:
    """A square matrix of numbers >= 0 whose rows and columns add up to 1."""

    rows: tuple[tuple[Rational, ...], ...]


def _doubly_stochastic(choices: Choices, bound: int) -> DoublyStochastic:
    """Permutation matrices with weights; long weights and repeated ones among them."""
    size = choices.between(1, bound)
    weights = [
        10**30 + choices.below(3) if choices.flip(8) else choices.between(1, 6)
        for _ in range(choices.between(1, choices.one_of((size, 2 * size, size * size))))
    ]
    rows = [[0] * size for _ in range(size)]
    for weight in weights:
        for row, column in enumerate(choices.shuffled(range(size))):
            rows[row][column] += weight
    total = sum(weights)
    return DoublyStochastic(tuple(tuple(Fraction(a, total) for a in row) for row in rows))


def _permutations(matrix: DoublyStochastic) -> Verdict:
    size = len(matrix.rows)
    entries = {(r, c): a for r, row in enumerate(matrix.rows) for c, a in enumerate(row) if a}
    counts = []
    for decompose in (decompose_into_matchings, decompose_into_few_matchings):
        stated = decompose(list(entries), list(entries.values()))
        facts = {"size": size, "entries": len(entries), "permutations": len(stated.matchings)}
        if check(stated).value != 1:
            return refuted("the weights do not add up to 1", **facts)
        again = dict.fromkeys(entries, Fraction(0))
        for weight, matching in stated.matchings:
            chosen = [stated.edges[edge] for edge in matching]
            if any({place[side] for place in chosen} != set(range(size)) for side in (0, 1)):
                return refuted(f"{chosen} is no permutation", **facts)
            for place in chosen:
                again[place] += Fraction(weight)
        if again != entries:
            return refuted("the permutations do not add up to the matrix", **facts)
        if len(stated.matchings) > (size - 1) ** 2 + 1:
            return refuted("more than (n - 1)^2 + 1 permutations", **facts)
        counts.append(len(stated.matchings))
    return held(size=size, entries=len(entries), permutations=counts[0], few=counts[1])


# --- Edmonds' matchings


def _weighted(choices: Choices, bound: int) -> Multigraph:
    return multigraph(choices, max_size=bound)


def _fractional(graph: Multigraph) -> Verdict:
    size, edges, weights = graph.size, graph.edges, graph.numbers
    stated = color_fractionally(size, edges, weights)
    facts: dict[str, Any] = {
        "edges": len(edges),
        "value": to_json(stated.value),
        "k": len(stated.matchings),
    }
    if check(stated).value != stated.value:
        return refuted("the checker proves another value", **facts)
    load = [sum(w for e, w in zip(edges, weights, strict=True) if v in e) for v in range(size)]
    if size <= ALL_SETS:
        densities = [
            Fraction(2 * sum(w for e, w in zip(edges, weights, strict=True) if odd.issuperset(e)))
            / (len(odd) - 1)
            for count in range(3, size + 1, 2)
            for odd in map(frozenset, combinations(range(size), count))
        ]
        if stated.value != max(*load, *densities):
            return refuted("not the largest load or density of an odd set", **facts)
    vectors = [[int(e in chosen) for e in range(len(edges))] for _, chosen in stated.matchings]
    if rank(vectors) < len(vectors):
        return refuted("the matchings are not linearly independent", **facts)
    tight = [v for v in range(size) if load[v] == stated.value]
    if tight and edges:
        balanced = sum(
            set(part) <= set(tight) and two_sided for part, two_sided in _components(size, edges)
        )
        facts |= {"tight": len(tight), "balanced": balanced}
        if len(vectors) > len(edges) - len(tight) + balanced + 1:
            return refuted("more than |E| - t + c + 1 matchings", **facts)
    return held(**facts)


def _components(size: int, edges: Sequence[tuple[int, int]]) -> Iterator[tuple[list[int], bool]]:
    """The connected components, and whether each is bipartite."""
    side: dict[int, int] = {}
    for start in range(size):
        if start in side:
            continue
        part, side[start] = [start], 0
        for node in part:
            for edge in edges:
                if node in edge:
                    other = sum(edge) - node
                    if other not in side:
                        side[other] = 1 - side[node]
                        part.append(other)
        yield part, all(side[u] != side[v] for u, v in edges if u in part)


def classical_claim(name: str, **fields: Any) -> Claim:
    """A claim of this id that none of the papers makes."""
    return Claim(id=name, status="classical", **fields)


MATCHING_CLAIMS = (
    classical_claim(
        "birkhoff.von-neumann",
        statement=(
            "A doubly stochastic n x n matrix with rational entries is a convex combination of at"
            " most (n - 1)^2 + 1 permutation matrices, with rational weights."
        ),
        reference="Birkhoff 1946; von Neumann 1953; Marcus and Ree 1959 (their number)",
        page="weighted-edge-coloring",
        implemented=("exactsched/graphs/matching_decomposition.py",),
        checked_by="`check`; permutations and their sum by definition, for both decompositions",
        instance_type=DoublyStochastic,
        instance=_doubly_stochastic,
        check=_permutations,
        bounds=Bounds(4, 10, 30),
        corners=lambda: (
            DoublyStochastic(((1,),)),
            DoublyStochastic(((Fraction(1, 2),) * 2,) * 2),
            DoublyStochastic(((0, 1), (1, 0))),
            DoublyStochastic(((Fraction(1, 3),) * 3,) * 3),
            DoublyStochastic(  # 5 permutations, as many as 3 x 3 can need
                tuple(
                    tuple(Fraction(a, 16) for a in row) for row in ((8, 5, 3), (1, 9, 6), (7, 2, 7))
                )
            ),
        ),
    ),
    classical_claim(
        "edmonds.matching-polytope",
        statement=(
            "A graph with positive rational weights is a sum of matchings with durations that last,"
            " together, as long as the largest load of a node or density of an odd set (the weight"
            " inside S over (|S| - 1) / 2), not less. They are linearly independent: at most |E|,"
            " and |E| - t + c + 1 if t > 0 nodes are tight, c bipartite components all tight."
        ),
        reference="Edmonds, J. Res. Nat. Bur. Standards 69B (1965); Schrijver, chapter 25",
        page="matching-polytope",
        implemented=(
            "exactsched/graphs/fractional_edge_coloring.py",
            "exactsched/graphs/matching_sweep.py",
        ),
        checked_by=f"`check`; all odd sets, up to {ALL_SETS} nodes; the rank by elimination",
        instance_type=Multigraph,
        instance=_weighted,
        check=_fractional,
        bounds=Bounds(6, 12, 30),
        corners=lambda: (
            Multigraph(2, (), ()),
            Multigraph(3, ((0, 1), (1, 2), (0, 2)), (1, 1, 1)),
            Multigraph(5, tuple((v, (v + 1) % 5) for v in range(5)), (1,) * 5),
            Multigraph(4, ((0, 1), (0, 1), (1, 2), (2, 0), (2, 3)), (10**40, 1, 10**40, 1, 3)),
        ),
    ),
)
