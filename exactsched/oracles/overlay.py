"""Overlays by definition: rates, parts and cuts, the bounds by counting, and the best of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, islice, pairwise, permutations, product
from math import lcm, prod

import networkx

from exactsched.certificate.linear_programs import Entry, LinearProgram
from exactsched.certificate.overlay import Overlay
from exactsched.exact.rational import Rational
from exactsched.model.machine import MultiPort
from exactsched.oracles.branchings import branchings, spans
from exactsched.oracles.simplex import simplex_solution

Arc = tuple[int, int]

# Up to this many nodes all sets of them are looked at.
_ALL_SETS = 6

# Counting ----------------------------------------------------------------------------------------


def degrees_of(machine: MultiPort) -> list[int]:
    """Degrees, or the number of given arcs of a node where that is less.

    >>> degrees_of(MultiPort([1, 1], [5, 2], arcs=[(0, 1)]))
    [1, 0]
    """
    if not machine.arcs:
        return list(machine.degrees)
    sending = Counter(i for i, _ in machine.arcs)
    return [min(degree, sending[node]) for node, degree in enumerate(machine.degrees)]


def sent_at(machine: MultiPort, rate: Rational) -> list[Fraction]:
    """What each node can send at most where nobody receives faster: X_i = min(b_i, T d_i).

    >>> [str(x) for x in sent_at(MultiPort([3, 2], [1, 3]), 1)]
    ['1', '2']
    """
    most = [Fraction(rate * degree) for degree in degrees_of(machine)]
    return list(map(min, machine.bandwidths, most))


def least_entrance(machine: MultiPort) -> Fraction:
    """C: what leaves the source at most, and enters each of the others.

    >>> print(least_entrance(MultiPort([9, 9, 9], [2, 2, 2], [0, 4, 3])))
    3
    """
    leaves = machine.bandwidths[0] if degrees_of(machine)[0] else Fraction(0)
    return min(leaves, *machine.incoming[1:]) if machine.incoming else leaves


def largest_root(machine: MultiPort, silent: int | None = None) -> Fraction:
    """The largest T with sum_i X_i(T) = n T, without the X of the silent node.

    The difference is concave, 0 at T = 0, and linear between the bends b_i / d_i.

    >>> figure_1 = MultiPort([2, 1, 1], [2, 1, 1])
    >>> print(largest_root(figure_1), largest_root(figure_1, silent=0))
    2 1
    """
    rows = zip(machine.bandwidths, degrees_of(machine), strict=True)
    pairs = [row for node, row in enumerate(rows) if node != silent]

    def spare(rate: Fraction) -> Fraction:
        return sum((min(b, rate * d) for b, d in pairs), -rate * (machine.size - 1))

    bends = sorted({Fraction(0), *(b / d for b, d in pairs if d)})
    low = max(bend for bend in bends if spare(bend) >= 0)
    high = min([bend for bend in bends if bend > low], default=low + 1)
    return low + (high - low) * spare(low) / (spare(low) - spare(high))


def bound_by_counting(machine: MultiPort, structure: str) -> Fraction:
    """What no overlay within the degrees exceeds: any, an acyclic one, or a tree.

    The rate of a tree is one of the b_i / j, j <= d_i, and n of them are not below it.

    >>> line = MultiPort([2, 1, 1, 0], [2, 1, 1, 0])
    >>> print(*(bound_by_counting(line, kind) for kind in ("any", "acyclic", "tree")))
    4/3 4/3 1
    """
    n = machine.size - 1
    if structure == "any":
        rate = largest_root(machine)
    elif structure == "acyclic":
        rate = max(largest_root(machine, silent) for silent in range(1, n + 1))
    else:
        rows = zip(machine.bandwidths, degrees_of(machine), strict=True)
        rates = sorted((b / j for b, d in rows for j in range(1, min(d, n) + 1)), reverse=True)
        rate = rates[n - 1] if len(rates) >= n else Fraction(0)
    return min(least_entrance(machine), rate)


# Overlays ----------------------------------------------------------------------------------------


def receivers(overlay: Overlay) -> list[int]:
    """To how many others each node sends.

    >>> tree = ((0, 1, ((0, 1),)), (0, 2, ((0, 1),)))
    >>> receivers(Overlay(MultiPort([2, 0, 0], [2, 0, 0]), "tree", 1, tree, 1, 1, (), True))
    [2, 0, 0]
    """
    used = Counter(sender for sender, _, _ in overlay.arcs)
    return [used[node] for node in range(overlay.machine.size)]


def rates_of(overlay: Overlay) -> dict[Arc, Fraction]:
    """The rate on every arc."""
    part = Fraction(overlay.throughput) / overlay.parts
    return {(i, j): part * sum(end - start for start, end in row) for i, j, row in overlay.arcs}


def overlay_fault(overlay: Overlay, most: int | None = None) -> str:
    """What is wrong with an overlay, apart from degrees; "" if nothing is.

    Every range of parts that no piece cuts is followed, or the first `most` of them.

    >>> half = Overlay(MultiPort([1, 0, 0], [2, 0, 0]), "any", 1, ((0, 1, ((0, 1),)),), 1, 1, (),
    ...     False)
    >>> overlay_fault(half)
    'part 0 does not come to all'
    """
    machine, rates = overlay.machine, rates_of(overlay)
    if len(rates) < len(overlay.arcs) or not {*rates} <= {*possible_arcs(machine)}:
        return "an arc is there twice, or not possible"
    for node, bandwidth in enumerate(machine.bandwidths):
        if sum(rate for (i, _), rate in rates.items() if i == node) > bandwidth:
            return f"node {node} sends too much"
    if any(overlay.throughput > limit for limit in machine.incoming[1:]):
        return "somebody receives too much"
    if not overlay.throughput:
        return "arcs for nothing" if overlay.arcs else ""
    for i, j, row in overlay.arcs:
        ends = list(chain.from_iterable(row))
        if not row or not 0 <= ends[0] <= ends[-1] <= overlay.parts:
            return f"no parts of the message from {i} to {j}"
        if any(end < start for start, end in pairwise(ends)) or any(a == b for a, b in row):
            return f"the parts from {i} to {j} are not in order"
    cuts = {end for _, _, row in overlay.arcs for piece in row for end in piece}
    for part in islice(sorted({0} | cuts - {overlay.parts}), most):
        tree = [(i, j) for i, j, row in overlay.arcs if any(a <= part < b for a, b in row)]
        if not spans(machine.size, [0], tree):
            return f"part {part} does not come to all"
    return ""


def has_no_cycle(arcs: Iterable[Arc]) -> bool:
    """Whether no node sends to one from which it gets anything, directly or not.

    >>> has_no_cycle([(0, 1), (0, 2), (1, 2)]), has_no_cycle([(0, 1), (1, 2), (2, 1)])
    (True, False)
    """
    left = set(arcs)
    while left:
        first = {tail for tail, _ in left} - {head for _, head in left}
        if not first:
            return False
        left = {arc for arc in left if arc[0] not in first}
    return True


def least_cut(size: int, rates: Mapping[Arc, Rational]) -> Rational:
    """The least that is sent into a set of nodes without the source.

    By all sets of few nodes, and by a minimum cut for every one of many nodes.

    >>> least_cut(3, {(0, 1): 2, (1, 2): 1})
    1
    """
    if size <= _ALL_SETS:
        return min(
            sum(rate for (i, j), rate in rates.items() if j in inside and i not in inside)
            for count in range(1, size)
            for inside in combinations(range(1, size), count)
        )
    unit = lcm(*(rate.denominator for rate in rates.values()))
    network = networkx.DiGraph()
    network.add_nodes_from(range(size))
    for (i, j), rate in rates.items():
        network.add_edge(i, j, capacity=int(rate * unit))
    cuts = [networkx.minimum_cut_value(network, 0, node) for node in range(1, size)]
    return Fraction(min(cuts), unit)


# The best of all sets of arcs --------------------------------------------------------------------


def possible_arcs(machine: MultiPort) -> tuple[Arc, ...]:
    """The given arcs, or all."""
    size = machine.size
    return machine.arcs or tuple((i, j) for i in range(size) for j in range(1, size) if i != j)


def within(machine: MultiPort, arcs: Sequence[Arc]) -> bool:
    """Whether the arcs are possible ones, and keep the degrees.

    >>> within(MultiPort([1, 1, 1], [1, 1, 1]), [(0, 1), (0, 2)])
    False
    """
    sending = Counter(i for i, _ in arcs)
    return {*arcs} <= {*possible_arcs(machine)} and all(
        sending[node] <= degree for node, degree in enumerate(machine.degrees)
    )


def supports(machine: MultiPort) -> Iterator[tuple[Arc, ...]]:
    """The sets of arcs in which every node has as many receivers as it can have.

    Smaller sets can do no more.

    >>> list(supports(MultiPort([2, 1, 1], [1, 1, 0])))
    [((0, 1), (1, 2)), ((0, 2), (1, 2))]
    """
    for chosen in product(*_served_by_each(machine, possible_arcs(machine))):
        yield tuple(chain.from_iterable(chosen))


def acyclic_supports(machine: MultiPort) -> Iterator[tuple[Arc, ...]]:
    """The same among the arcs that lead forwards in some order of the nodes, for every order.

    >>> list(acyclic_supports(MultiPort([2, 1, 1], [1, 1, 0])))
    [((0, 1), (1, 2)), ((0, 2), (1, 2)), ((0, 1),), ((0, 2),)]
    """
    for order in permutations(range(1, machine.size)):
        place = {node: index for index, node in enumerate((0, *order))}
        forwards = [(i, j) for i, j in possible_arcs(machine) if place[i] < place[j]]
        for chosen in product(*_served_by_each(machine, forwards)):
            yield tuple(chain.from_iterable(chosen))


def count_of_supports(machine: MultiPort) -> int:
    """How many `supports` there are."""
    return prod(len(options) for options in _served_by_each(machine, possible_arcs(machine)))


def _served_by_each(machine: MultiPort, arcs: Sequence[Arc]) -> list[list[tuple[Arc, ...]]]:
    mine = [[arc for arc in arcs if arc[0] == i] for i in range(machine.size)]
    most = zip(mine, machine.degrees, strict=True)
    return [list(combinations(a, min(d, len(a)))) for a, d in most]


def arborescences(size: int, arcs: Iterable[Arc]) -> Iterator[tuple[Arc, ...]]:
    """All spanning arborescences of these arcs from the source.

    >>> list(arborescences(3, [(0, 1), (0, 2), (1, 2), (2, 1)]))
    [((0, 1), (0, 2)), ((0, 1), (1, 2)), ((0, 2), (2, 1))]
    """
    listed = sorted(arcs)
    for tree in branchings(size, listed, [0]):
        yield tuple(listed[index] for index in sorted(tree))


def best_on(machine: MultiPort, arcs: Iterable[Arc]) -> tuple[Fraction, dict[Arc, Fraction]]:
    """The best throughput on these arcs, whatever the degrees, and rates that have it.

    It is the largest weight of spanning arborescences within the bandwidths (theorem 3.2), of all
    that there are.

    >>> value, rates = best_on(MultiPort([2, 1, 1], [2, 1, 1]), [(0, 1), (0, 2), (1, 2), (2, 1)])
    >>> print(value, *rates.values())
    2 1 1 1 1
    """
    trees = list(arborescences(machine.size, arcs))
    everything = tuple(range(len(trees)))
    rows = [
        tuple(Entry(number, sum(i == node for i, _ in trees[number])) for number in everything)
        for node in range(machine.size)
    ]
    rows.append(tuple(Entry(number, 1) for number in everything))
    limits = [*machine.bandwidths, min(machine.incoming[1:], default=sum(machine.bandwidths))]
    program = LinearProgram((1,) * len(trees), tuple(rows), tuple(limits), (), everything)
    weights = simplex_solution(program)
    rates: dict[Arc, Fraction] = {}
    for number, weight in weights.items():
        for arc in trees[number]:
            rates[arc] = rates.get(arc, Fraction(0)) + weight
    return sum(weights.values(), Fraction(0)), dict(sorted(rates.items()))


@cache
def best_throughput(machine: MultiPort, structure: str = "any") -> Fraction:
    """The best throughput within the degrees: of any overlay, of an acyclic one, or of a tree.

    >>> circle = MultiPort([2, 1, 1], [1, 1, 1])
    >>> print(*(best_throughput(circle, kind) for kind in ("any", "acyclic", "tree")))
    1 1 1
    """
    if structure == "tree":
        trees = arborescences(machine.size, possible_arcs(machine))
        return max((rate_of_tree(machine, tree) for tree in trees), default=Fraction(0))
    chosen = supports(machine) if structure == "any" else acyclic_supports(machine)
    return max(best_on(machine, arcs)[0] for arcs in chosen)


def overlay_certificate_fault(stated: Overlay) -> str:
    """What is false of all that a certificate says, degrees included; empty if nothing is.

    A bound with a proof by cases is held against the best overlay; another one is counted again.
    """
    machine, arcs = stated.machine, [row[:2] for row in stated.arcs]
    if fault := overlay_fault(stated):
        return fault
    if stated.structure == "tree" and arcs and len(arcs) != machine.size - 1:
        return "the arcs form no tree"
    if stated.structure != "any" and not has_no_cycle(arcs):
        return "the arcs have a cycle"
    if not stated.proof and stated.bound != bound_by_counting(machine, stated.structure):
        return "counting yields another bound"
    if stated.proof and best_throughput(machine) > stated.bound:
        return f"the best throughput is {best_throughput(machine)}"
    if stated.optimal != (within(machine, arcs) and stated.throughput == stated.bound):
        return "optimal means that the degrees are kept and the bound is reached"
    return ""


# Trees -------------------------------------------------------------------------------------------


def rate_of_tree(machine: MultiPort, tree: Sequence[Arc]) -> Fraction:
    """The rate of a tree, by its slowest arc; 0 if it is not within the degrees."""
    if not within(machine, tree):
        return Fraction(0)
    children = Counter(i for i, _ in tree)
    rates = [machine.bandwidths[i] / count for i, count in children.items()]
    return min([*rates, *machine.incoming[1:]])


def depth_of_tree(tree: Iterable[Arc]) -> int:
    """Arcs from the source to the deepest node.

    >>> depth_of_tree([(0, 1), (1, 2), (0, 3)])
    2
    """
    parent, deepest = {j: i for i, j in tree}, 0
    for node in parent:
        depth = 0
        while node:
            node, depth = parent[node], depth + 1
        deepest = max(deepest, depth)
    return deepest
