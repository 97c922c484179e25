"""Fractional edge coloring: weighted graphs, bipartite or not, cut into matchings with durations.

The load of a node is the sum of the weights of its edges.  No decomposition into matchings lasts
less long than the largest load, nor, for an odd set S of nodes, than the weight inside S divided
by (|S| - 1) / 2, since no matching has more edges inside S.  Edmonds showed that the largest of
these bounds is reached.  Here this is found without flows and without linear programs: a matching
is repaired by alternating paths while time passes, and where no path is left, Edmonds' search
shows an odd set that was overlooked.  proofs/matching-polytope.md follows the code.

Method: a matching swept through time (`graphs.matching_sweep`); a split where an odd set is full.
Limits: graphs without loops; slower by far than the bipartite case where many odd sets are full.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exactsched.certificate.graphs import FractionalEdgeColoring, TimedMatching
from exactsched.exact.arguments import (
    checked_arcs,
    checked_size,
    exact_numbers,
    over_common_denominator,
    whole,
)
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.graphs.matching_decomposition import decompose_into_matchings
from exactsched.graphs.matching_sweep import Step, Sweep
from exactsched.graphs.odd_cut import minimum_odd_cut
from exactsched.graphs.reachability import bipartition

Matching = tuple[Fraction, list[int]]  # duration, edges

_SLACK = -1
# Odd tori needed most, up to 0.33 (25x25, unit weights); random graphs at most 0.17.
MISTAKES_PER_EDGE = 1


def color_fractionally(
    size: int, edges: Sequence[tuple[int, int]], weights: Sequence[object]
) -> FractionalEdgeColoring:
    """The weighted fractional chromatic index: matchings of least total duration, and a witness.

    The durations of the matchings that contain an edge add up to its weight, all durations to the
    largest of the loads of the nodes and, over the odd sets S of at least three nodes, of the
    weight inside S divided by (|S| - 1) / 2.  Half-duplex transfers, where every node talks to at
    most one neighbor at a time, need exactly so much time.

    Nodes are 0..size-1; edges are pairs of distinct nodes, parallel ones are allowed; weights are
    positive exact numbers.  The incidence vectors of the matchings are linearly independent, so
    there are at most |E| of them.  Without edges the value is 0, and node 0 the witness.

    Raises `InvalidInput` for loops, unknown nodes, and weights that are not positive or not exact.

    Complexity: without mistakes at most |V| sweeps for each value that is tried, of at most
    |E| + |V| steps and 2 (|E| + |V|) searches for an alternating path, O(|E| + |V|^2) each; in
    practice one sweep, and two searches per step.  Mistakes are limited, and all is polynomial.
    With integer weights the denominators have O(|V| log |V|) bits.
    References: Edmonds 1965 (Maximum matching and a polyhedron with 0,1-vertices); Seymour 1979;
    Schrijver, *Combinatorial Optimization*, chapters 25 and 28; proofs/matching-polytope.md.

    >>> triangle = color_fractionally(3, [(0, 1), (1, 2), (0, 2)], [1, 1, 1])
    >>> triangle.value, triangle.witness, triangle.matchings[0]
    (Fraction(3, 1), (0, 1, 2), TimedMatching(duration=1, edges=(0,)))
    """
    size = checked_size(size)
    ends = checked_arcs(size, edges, "edge")
    numbers = _positive_weights(weights, ends)
    sides = bipartition(size, ends)
    if sides is not None:
        pairs = [(v, u) if u in sides else (u, v) for u, v in ends]
        bipartite = decompose_into_matchings(pairs, numbers)
        _, witness = _largest_load(size, ends, numbers)
        return FractionalEdgeColoring(
            size, ends, numbers, bipartite.matchings, tuple(witness), bipartite.value
        )
    integers, denominator = over_common_denominator(numbers)
    value, witness, matchings = _matchings_and_witness(size, ends, integers)
    return FractionalEdgeColoring(
        size,
        ends,
        numbers,
        tuple(
            TimedMatching(whole(time / denominator), tuple(sorted(edges)))
            for time, edges in matchings
        ),
        tuple(sorted(witness)),
        value / denominator,
    )


def _positive_weights(
    weights: Sequence[object], ends: Sequence[tuple[int, int]]
) -> tuple[Rational, ...]:
    """The weights as numbers; refuses loops and weights that are not positive."""
    numbers = exact_numbers(weights, "weight of edge", len(ends))
    for index, (pair, weight) in enumerate(zip(ends, numbers, strict=True)):
        if pair[0] == pair[1]:
            raise InvalidInput(f"edge {index}", pair, "a loop is in no matching")
        if weight <= 0:
            raise InvalidInput(f"weight of edge {index}", weight, "a weight is positive")
    return numbers


def _matchings_and_witness(
    size: int, ends: Sequence[tuple[int, int]], weights: Sequence[int]
) -> tuple[Fraction, frozenset[int], list[Matching]]:
    """Raises the value from one overlooked odd set to the next until matchings reach it."""
    value, witness = _largest_load(size, ends, weights)
    decomposer = _Decomposer(MISTAKES_PER_EDGE * len(ends))
    while True:
        outcome = decomposer.decompose_whole(_whole(size, ends, weights, value))
        if isinstance(outcome, list):
            return value, witness, outcome
        inside = sum(w for pair, w in zip(ends, weights, strict=True) if outcome.issuperset(pair))
        value, witness = Fraction(inside, len(outcome) // 2), outcome


def _largest_load(
    size: int, ends: Sequence[tuple[int, int]], weights: Sequence[Rational]
) -> tuple[Fraction, frozenset[int]]:
    load: list[Rational] = [0] * size
    for pair, weight in zip(ends, weights, strict=True):
        for node in pair:
            load[node] += weight
    return Fraction(max(load)), frozenset([load.index(max(load))])


@dataclass(frozen=True, slots=True)
class _Part:
    """A graph with weights and a slack for every node: load and slack add up to `total` at each.

    At any time one item works at every node, an edge of the matching or the slack.  All these
    numbers are integers, in units of 1 / `unit`.
    """

    ends: Sequence[tuple[int, int]]
    weights: list[int]
    slack: list[int]
    total: int
    unit: int

    def room(self, odd: Collection[int]) -> int:
        """How much more could be inside an odd set: total * (|S| - 1) / 2 minus what is inside."""
        inside = 0
        for (one, other), weight in zip(self.ends, self.weights, strict=True):
            if one in odd and other in odd:
                inside += weight
        return self.total * (len(odd) // 2) - inside

    def after(self, steps: list[Step], refinement: int) -> _Part:
        """What is left after steps whose durations are in units `refinement` times as fine."""
        weights = [weight * refinement for weight in self.weights]
        slack = [at_node * refinement for at_node in self.slack]
        total = self.total * refinement
        for duration, matching in steps:
            total -= duration
            for node in range(len(slack)):
                slack[node] -= duration
            for edge in matching:
                weights[edge] -= duration
                for node in self.ends[edge]:
                    slack[node] += duration
        return _Part(self.ends, weights, slack, total, self.unit * refinement)

    def fullest_odd_set(self) -> frozenset[int] | None:
        """The odd set with the least room, if that is less than none."""
        size = len(self.slack)
        slacks = [(node, size) for node in range(size)]
        terminals = range(size + size % 2)
        # Slacks lead out.  What leaves an odd set is `total` and twice its room.
        leaving, side = minimum_odd_cut(
            size + 1, [*self.ends, *slacks], [*self.weights, *self.slack], terminals
        )
        if leaving >= self.total:
            return None
        return frozenset(range(size)) - side if size in side else side


def _whole(
    size: int, ends: Sequence[tuple[int, int]], weights: Sequence[int], value: Fraction
) -> _Part:
    unit = value.denominator
    slack = [value.numerator] * size
    for pair, weight in zip(ends, weights, strict=True):
        for node in pair:
            slack[node] -= weight * unit
    return _Part(ends, [weight * unit for weight in weights], slack, value.numerator, unit)


class _Decomposer:
    """Decomposes parts, and makes at most `mistakes` mistakes without asking minimum odd cuts.

    Where a matching cannot be repaired, some odd sets have too much weight inside, and we go back
    to the last moment when one of them fitted.  If another one did not fit even then, that comes
    out later, and the work since is lost: a mistake.  Minimum odd cuts exclude it, and so bound
    the running time by a polynomial, but to take the chance was 5 to 9 times as fast (5x5 to
    15x15 tori with unit weights, sums of matchings on 100 nodes).
    """

    def __init__(self, mistakes: int) -> None:
        self.mistakes_left = mistakes

    def decompose_whole(self, part: _Part) -> list[Matching] | frozenset[int]:
        """As `decompose`; once there were too many mistakes, the fullest odd set."""
        odd = None if self.mistakes_left > 0 else part.fullest_odd_set()
        return self.decompose(part) if odd is None else odd

    def decompose(self, part: _Part) -> list[Matching] | frozenset[int]:
        """Matchings that use up the part, or an odd set with too much weight inside for it.

        The smaller side of a split is decomposed by recursion, which is therefore not deeper than
        log2 |V|; the larger side is next in the loop.
        """
        undone: list[_Split] = []
        while True:
            sweep = Sweep(part.ends, part.weights, part.slack, part.total)
            overfull = sweep.run()
            if not overfull:
                matchings = _in_time(sweep.steps, part.unit)
                while undone:
                    matchings = undone.pop().joined(matchings)
                return matchings
            run = _Run(part, sweep.steps)
            odd = run.first(overfull)
            while True:
                split = run.split(odd)
                if split is None:
                    self.mistakes_left -= 1
                    if not undone:
                        return odd
                    before = undone.pop()
                    run, odd = before.run, before.larger.lifted(odd)
                    continue
                fuller = None if self.mistakes_left > 0 else split.part.fullest_odd_set()
                if fuller is not None:
                    odd = fuller
                    continue
                outcome = self.decompose(split.smaller.part)
                if isinstance(outcome, list):
                    break
                odd = split.smaller.lifted(outcome)
            split.matchings = outcome
            undone.append(split)
            part = split.larger.part


def _in_time(steps: Sequence[Step], unit: int) -> list[Matching]:
    return [(Fraction(duration, unit), matching) for duration, matching in steps]


@dataclass(frozen=True, slots=True)
class _Run:
    """A part and the steps of a sweep through it."""

    part: _Part
    steps: list[Step]

    def last_moment(self, odd: Collection[int]) -> tuple[int, Fraction] | None:
        """When an odd set that does not fit in the end fits for the last time.

        That is, the number of whole steps until then and the part of the next one; None if it
        does not even fit at the start.  A step uses up room as long as its matching has less than
        (|S| - 1) / 2 edges inside S, and never gives any back.
        """
        room = self.part.room(odd)
        if room < 0:
            return None
        ends = self.part.ends
        for index, (duration, matching) in enumerate(self.steps):
            missing = len(odd) // 2
            for edge in matching:
                one, other = ends[edge]
                if one in odd and other in odd:
                    missing -= 1
            if duration * missing > room:
                return index, Fraction(room, missing)
            room -= duration * missing
        raise AssertionError("the odd set fits until the end")

    def first(self, sets: Iterable[frozenset[int]]) -> frozenset[int]:
        """The odd set that is the first to have no room."""
        return min(sets, key=lambda odd: self.last_moment(odd) or (-1, Fraction(0)))

    def split(self, odd: frozenset[int]) -> _Split | None:
        """The two sides of an odd set at the last moment when it fits; None if it never does."""
        moment = self.last_moment(odd)
        if moment is None:
            return None
        whole_steps, rest = moment
        refinement = rest.denominator
        steps = [(time * refinement, matching) for time, matching in self.steps[:whole_steps]]
        if rest:
            steps.append((rest.numerator, self.steps[whole_steps][1]))
        part = self.part.after(steps, refinement)
        inner, outer = _inner_side(part, odd), _outer_side(part, odd)
        if len(inner.part.slack) > len(outer.part.slack):
            inner, outer = outer, inner
        return _Split(self, odd, _in_time(steps, part.unit), part, inner, outer)


@dataclass(frozen=True, slots=True)
class _Side:
    """A part with the nodes of one side of an odd set contracted into one, its last node.

    `edges` and `nodes` say what the others are in the whole; edges that were slack are `_SLACK`.
    `contracted` is the odd set, or None if everything outside it has been contracted.
    """

    part: _Part
    edges: list[int]
    nodes: list[int]
    contracted: frozenset[int] | None

    def lifted(self, odd: frozenset[int]) -> frozenset[int]:
        """The odd set of the whole that is behind an odd set of this side."""
        lifted = frozenset(self.nodes[node] for node in odd if node < len(self.nodes))
        if len(self.nodes) not in odd:
            return lifted
        if self.contracted is None:
            return frozenset(self.nodes) - lifted
        return lifted | self.contracted


def _contracted(part: _Part, nodes: list[int]) -> tuple[list[tuple[int, int]], list[int]]:
    """The edges that keep an end among `nodes`, renumbered, if all other nodes are made one."""
    number = [len(nodes)] * len(part.slack)
    for index, node in enumerate(nodes):
        number[node] = index
    ends, edges = [], []
    for edge, (one, other) in enumerate(part.ends):
        if part.weights[edge] and number[one] != number[other]:
            ends.append((number[one], number[other]))
            edges.append(edge)
    return ends, edges


def _outer_side(part: _Part, odd: frozenset[int]) -> _Side:
    nodes = [node for node in range(len(part.slack)) if node not in odd]
    ends, edges = _contracted(part, nodes)
    weights = [part.weights[edge] for edge in edges]
    slack = [part.slack[node] for node in nodes]
    slack.append(sum(part.slack[node] for node in odd))
    return _Side(_Part(ends, weights, slack, part.total, part.unit), edges, nodes, odd)


def _inner_side(part: _Part, odd: frozenset[int]) -> _Side:
    """Here slacks become edges to the contracted node: exactly one node is not matched inside."""
    nodes = sorted(odd)
    ends, edges = _contracted(part, nodes)
    weights = [part.weights[edge] for edge in edges]
    for index, node in enumerate(nodes):
        if part.slack[node]:
            ends.append((index, len(nodes)))
            edges.append(_SLACK)
            weights.append(part.slack[node])
    slack = [0] * (len(nodes) + 1)
    return _Side(_Part(ends, weights, slack, part.total, part.unit), edges, nodes, None)


@dataclass(slots=True)
class _Split:
    """The two sides of an odd set that became tight in a run: `part` is left after what is `done`.

    Every matching of a side uses exactly one edge of the cut, or slack, for the same time in all.
    """

    run: _Run
    odd: frozenset[int]
    done: list[Matching]
    part: _Part
    smaller: _Side
    larger: _Side
    matchings: list[Matching] = field(default_factory=list)  # of the smaller side

    def joined(self, matchings: list[Matching]) -> list[Matching]:
        """Matchings of the whole, from those of the two sides.

        For every edge of the cut the matchings with it are put side by side in time, so a and b of
        them make at most a + b - 1, and what was linearly independent stays so.
        """
        joined = self.done
        waiting = self._by_cut_edge(self.smaller, self.matchings)
        for cut_edge, larger in self._by_cut_edge(self.larger, matchings).items():
            smaller = waiting[cut_edge]
            time, matching = smaller.pop()
            for other_time, other in larger:
                while other_time:
                    if not time:
                        time, matching = smaller.pop()
                    shared = min(time, other_time)
                    joined.append((shared, sorted({*matching, *other})))
                    time -= shared
                    other_time -= shared
        return joined

    def _by_cut_edge(self, side: _Side, matchings: list[Matching]) -> dict[int, list[Matching]]:
        """The matchings in terms of the whole, by their edge in the cut (slack counts as one)."""
        groups: defaultdict[int, list[Matching]] = defaultdict(list)
        for time, matching in matchings:
            edges, cut_edge = [], _SLACK
            for index in matching:
                edge = side.edges[index]
                if edge == _SLACK:
                    continue
                edges.append(edge)
                one, other = self.run.part.ends[edge]
                if (one in self.odd) != (other in self.odd):
                    cut_edge = edge
            groups[cut_edge].append((time, edges))
        return groups
