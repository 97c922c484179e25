"""Splitting off the switches of a network: links between its other nodes that keep all cuts.

Method: capacity through a switch is paired greedily within the slack of the cuts met so far; a cut
that is found short is learned, and as much as it lacks is taken back.
Limits: a switch sends out at most what may enter it; the links are few, not the fewest.

The proof is in `proofs/splitting-off.md`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Final

from exactsched.certificate.graphs import FlowOnArc, Link, RootSet, SplittingOff, UnmetDemand
from exactsched.exact.arguments import (
    checked_arcs,
    checked_node,
    checked_size,
    divided,
    exact_numbers,
    not_negative,
    over_common_denominator,
)
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.graphs.hao_orlin import GrowingSource
from exactsched.graphs.hops import Hops
from exactsched.graphs.root_connectivity import least_ratio, unmet_set

Path = tuple[int, ...]  # indices of arcs
Pair = tuple[int, int]

SPREAD: Final = 64  # `spread` of `split_off`, if nothing else is said
FINEST: Final = 1 << 16  # `parts` of `split_off`, if nothing else is said


def split_off(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    switches: Iterable[int],
    demands: Sequence[object],
    *,
    spread: int = SPREAD,
    parts: int = FINEST,
) -> SplittingOff | UnmetDemand:
    """Links between the nodes that are no switches, which keep the capacity into every set of them.

    Let every set X with a node that is no switch be entered by at least the demand of the nodes
    outside X.  Then there are links, each a path through switches with a capacity, that share the
    capacities of the arcs, so that every nonempty set X of nodes that are no switches is entered
    by links of at least the demand outside X (after Bang-Jensen, Frank and Jackson 1995).
    Otherwise the result is a set that is entered by less.

    Nodes are 0..size-1.  Arcs may be parallel, loops, or of capacity zero.  Capacities and demands
    are exact numbers >= 0; a demand is given for every node, and is 0 at a switch.  No more may
    leave a switch than enters it.

    What enters a switch from one node is first shared among at most `spread` nodes behind it, in
    the ratio of the nodes to which shortest paths lead on from there.  With more of them there
    are more links, and trees packed into them are shallower; with 0 there are few links.  To share
    evenly, a unit is divided into at most `parts` parts at each switch; with 1 part, or with no
    spread, integers give integer links.

    A handful of searches for an unmet set for every switch, each of at most `size` maximum flows;
    the links are at most the arcs and the pairs that were made at all switches.
    Errors: `InvalidInput`.

    >>> star = [(0, 2), (2, 0), (1, 2), (2, 1)]
    >>> split_off(3, star, [1, 1, 1, 1], [2], [1, 1, 0]).links
    (Link(arcs=(0, 3), capacity=1), Link(arcs=(2, 1), capacity=1))
    >>> split_off(3, star, [1, 1, 1, 1], [2], [2, 1, 0]).nodes
    (1,)
    """
    pairs, given, off, needs = _checked(size, arcs, capacities, switches, demands)
    if type(spread) is not int or spread < 0:
        raise InvalidInput("spread", spread, "a number of nodes is an integer >= 0")
    if type(parts) is not int or parts < 1:
        raise InvalidInput("parts", parts, "the number of parts is an integer >= 1")
    numbers, denominator = over_common_denominator((*given, *needs))
    whole, demand = numbers[: len(pairs)], numbers[len(pairs) :]
    _refuse_growing(off, pairs, whole)

    network = _Network(size, demand, set(range(size)) - set(off))
    for index, (pair, capacity) in enumerate(zip(pairs, whole, strict=True)):
        if capacity and pair[0] != pair[1]:
            network.pieces[pair][(index,)] = capacity
    unmet = network.unmet_set(network.capacities())
    if unmet is not None:
        return _unmet(size, pairs, given, needs, unmet)
    hops = Hops(size, list(network.pieces), network.terminals) if spread else None
    for switch in _in_order(off, list(network.pieces), hops):
        denominator *= network.split_off(switch, pairs, hops, spread, parts)
    return _result(size, pairs, given, off, needs, network, denominator)


def largest_multiple(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    switches: Iterable[int],
    demands: Sequence[object],
) -> tuple[Fraction, tuple[int, ...]]:
    """The largest multiple of all demands that `split_off` can keep, and a set that allows no more.

    It is the least of c(X) / d(X) over the sets X with a node that is no switch, for which d(X),
    the demand of the nodes outside X, is positive; c(X) is the capacity that enters X.  Arguments
    are those of `split_off`; capacities of switches need not balance.

    Newton's method (`least_ratio`).  Raises `InvalidInput`, also if no set has a positive d(X).

    >>> largest_multiple(3, [(0, 2), (2, 0), (1, 2), (2, 1)], [1, 1, 4, 3], [2], [1, 1, 0])
    (Fraction(1, 1), (0,))
    """
    pairs, given, off, needs = _checked(size, arcs, capacities, switches, demands)
    numbers, _ = over_common_denominator((*given, *needs))
    whole, demand = numbers[: len(pairs)], numbers[len(pairs) :]
    roots = [([node], need) for node, need in enumerate(demand) if need]
    terminals = sorted(set(range(size)) - set(off))
    found = least_ratio(size, pairs, whole, roots, terminals)
    if found is None:
        rule = "a node that is no switch needs a positive demand of another one"
        raise InvalidInput("demands", [str(need) for need in needs], rule)
    multiple, tight = found
    return multiple, tuple(sorted(tight))


@dataclass(slots=True)
class _Network:
    """What is left of the network: capacity between pairs of nodes, in pieces with their paths.

    Numbers are integers >= 0.  `learned` are sets of nodes, none of which may become unmet.
    """

    size: int
    demands: list[int]
    terminals: set[int]
    pieces: defaultdict[Pair, dict[Path, int]] = field(default_factory=lambda: defaultdict(dict))
    learned: list[frozenset[int]] = field(default_factory=list)

    def capacities(self) -> dict[Pair, int]:
        """The capacity of every pair of nodes that has some."""
        return {pair: sum(pieces.values()) for pair, pieces in self.pieces.items() if pieces}

    def unmet_set(self, capacities: dict[Pair, int]) -> list[int] | None:
        """A set with a terminal that is entered by less than the demand outside, if any."""
        roots = [[([node], demand)] for node, demand in enumerate(self.demands) if demand]
        links = list(capacities)
        return unmet_set(self.size, links, list(capacities.values()), roots, self.terminals)

    def needed(self, nodes: frozenset[int]) -> int:
        """The demand of the nodes outside."""
        return sum(need for node, need in enumerate(self.demands) if node not in nodes)

    def split_off(
        self, switch: int, arcs: Sequence[Pair], hops: Hops | None, spread: int, parts: int
    ) -> int:
        """Replaces all arcs at the switch by arcs around it; the factor by which numbers grew."""
        into = sorted(t for t, head in self.pieces if head == switch and self.pieces[t, head])
        out = sorted(h for tail, h in self.pieces if tail == switch and self.pieces[tail, h])
        weights: dict[int, dict[int, int]] = {}
        factor = 1
        if hops:
            weights = {tail: hops.behind(tail, switch, out, spread) for tail in into}
            factor = self._scale(min(self._missing_factor(switch, weights), parts))
        pairing = _Pairing(self, switch, into, out)
        pairing.pair_all(weights)
        for (tail, head), amount in pairing.paired.items():
            if amount:
                self._join(tail, switch, head, amount, arcs)
        for node in into:
            del self.pieces[node, switch]
        for node in out:
            self.pieces.pop((switch, node), None)
        return self._unscale(factor)

    def _missing_factor(self, switch: int, weights: dict[int, dict[int, int]]) -> int:
        """By which capacities can be divided in the ratio of the weights."""
        factor = 1
        for tail, behind in weights.items():
            given = sum(self.pieces[tail, switch].values())
            if whole := sum(behind.values()):
                factor = lcm(factor, whole // gcd(whole, given * gcd(*behind.values())))
        return factor

    def _scale(self, factor: int) -> int:
        for pieces in self.pieces.values():
            pieces.update({path: amount * factor for path, amount in pieces.items()})
        self.demands = [demand * factor for demand in self.demands]
        return factor

    def _unscale(self, factor: int) -> int:
        """Divides by what of the factor divides all numbers; returns the rest of the factor."""
        common = gcd(
            factor,
            *self.demands,
            *(amount for pieces in self.pieces.values() for amount in pieces.values()),
        )
        if common > 1:
            for pieces in self.pieces.values():
                pieces.update({path: amount // common for path, amount in pieces.items()})
            self.demands = [demand // common for demand in self.demands]
        return factor // common

    def _join(self, tail: int, switch: int, head: int, amount: int, arcs: Sequence[Pair]) -> None:
        """Takes the amount from tail -> switch -> head, and gives it to tail -> head."""
        first, second = self.pieces[tail, switch], self.pieces[switch, head]
        while amount:
            path, one = first.popitem()
            rest, other = second.popitem()
            least = min(one, other, amount)
            amount -= least
            if one > least:
                first[path] = one - least
            if other > least:
                second[rest] = other - least
            if tail != head:
                joined, pieces = _without_circles(path + rest, arcs), self.pieces[tail, head]
                pieces[joined] = pieces.get(joined, 0) + least


def _in_order(switches: tuple[int, ...], arcs: Iterable[Pair], hops: Hops | None) -> list[int]:
    """Those with few arcs first, as they add few; then those far from terminals."""
    degrees = Counter(node for arc in arcs for node in arc)
    far = {switch: hops.to_a_terminal(switch) if hops else 0 for switch in switches}
    return sorted(switches, key=lambda switch: (degrees[switch], -far[switch]))


class _Pairing:
    """How much of the capacity tail -> switch -> head each pair (tail, head) takes over.

    A pair reduces the capacity into a set that contains the switch and none of the two, or both
    of the two and not the switch; into any other set it leaves the capacity as it is.
    """

    def __init__(self, network: _Network, switch: int, into: list[int], out: list[int]) -> None:
        self.network, self.switch, self.into, self.out = network, switch, into, out
        self.capacities = network.capacities()
        self.left_in = {tail: self.capacities[tail, switch] for tail in into}
        self.left_out = {head: self.capacities[switch, head] for head in out}
        self.paired: dict[Pair, int] = {}
        self.slack: list[int] = []  # of each learned set
        for nodes in network.learned:
            self.slack.append(self._slack(nodes))

    def pair_all(self, weights: dict[int, dict[int, int]]) -> None:
        """Pairs until nothing leaves the switch any more, every set being met in the end."""
        if weights:
            self._pair(self._shares(weights))
            self._mend()
        loops = False
        while any(self.left_out.values()):
            before = sum(self.left_out.values()), len(self.network.learned)
            self._pair((tail, head, None) for tail, head in self._pairs(loops=loops))
            self._mend()
            # Nothing taken and nothing learned: no pair of two nodes has slack left, a loop has.
            loops = before == (sum(self.left_out.values()), len(self.network.learned))

    def _pairs(self, *, loops: bool) -> list[Pair]:
        """All pairs, those first that have something already, so that there are fewer links."""
        pairs = [(t, head) for t in self.into for head in self.out if (t == head) == loops]
        return sorted(pairs, key=lambda pair: not self.paired.get(pair))

    def _shares(self, weights: dict[int, dict[int, int]]) -> Iterator[tuple[int, int, int]]:
        """What each tail gives to the heads, in the ratio of their weights.

        What is left over by rounding goes to some of the heads, which lie evenly on a circle that
        starts behind the tail.
        """
        for tail, behind in weights.items():
            whole, given, before = sum(behind.values()), self.left_in[tail], 0
            for head in sorted(behind, key=lambda head: (head < tail, head)):
                after = before + given * behind[head]
                yield tail, head, after // whole - before // whole
                before = after

    def _pair(self, wanted: Iterable[tuple[int, int, int | None]]) -> None:
        """Takes of every pair as much as is wanted and the learned sets allow."""
        for tail, head, most in wanted:
            amount = min(self.left_in[tail], self.left_out[head])
            if most is not None:
                amount = min(amount, most)
            if not amount:
                continue
            reduced = [
                index
                for index, nodes in enumerate(self.network.learned)
                if self._reduces(tail, head, nodes)
            ]
            amount = min([amount, *(self.slack[index] for index in reduced)])
            if amount > 0:
                self._change(tail, head, amount, reduced)

    def _mend(self) -> None:
        """Learns unmet sets, and takes back what they lack, until there are none."""
        while (unmet := self.network.unmet_set(self._now())) is not None:
            nodes = frozenset(unmet)
            self.network.learned.append(nodes)
            lack = -self._slack(nodes)
            self.slack.append(-lack)
            for (tail, head), amount in reversed(list(self.paired.items())):
                if lack and amount and self._reduces(tail, head, nodes):
                    back = min(amount, lack)
                    lack -= back
                    reduced = [
                        index
                        for index, other in enumerate(self.network.learned)
                        if self._reduces(tail, head, other)
                    ]
                    self._change(tail, head, -back, reduced)

    def _change(self, tail: int, head: int, amount: int, reduced: Iterable[int]) -> None:
        # A pair that is taken last is given back first.
        self.paired[tail, head] = self.paired.pop((tail, head), 0) + amount
        self.left_in[tail] -= amount
        self.left_out[head] -= amount
        for index in reduced:
            self.slack[index] -= amount

    def _reduces(self, tail: int, head: int, nodes: frozenset[int]) -> bool:
        with_tail = tail in nodes
        return with_tail == (head in nodes) != (self.switch in nodes)

    def _now(self) -> dict[Pair, int]:
        """The capacities with what is paired."""
        now = dict(self.capacities)
        for tail, left in self.left_in.items():
            now[tail, self.switch] = left
        for head, left in self.left_out.items():
            now[self.switch, head] = left
        for (tail, head), amount in self.paired.items():
            if tail != head:
                now[tail, head] = now.get((tail, head), 0) + amount
        return {pair: capacity for pair, capacity in now.items() if capacity}

    def _slack(self, nodes: frozenset[int]) -> int:
        entering = sum(
            capacity
            for (tail, head), capacity in self._now().items()
            if head in nodes and tail not in nodes
        )
        return entering - self.network.needed(nodes)


def _without_circles(path: Path, arcs: Sequence[Pair]) -> Path:
    """The path without what lies between two visits of a node."""
    start = arcs[path[0]][0]
    kept: list[int] = []
    reached = {start: 0}
    for index in path:
        head = arcs[index][1]
        if head in reached:
            for dropped in kept[reached[head] :]:
                del reached[arcs[dropped][1]]
            del kept[reached[head] :]
        else:
            kept.append(index)
            reached[head] = len(kept)
    return tuple(kept)


def _checked(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    switches: Iterable[int],
    demands: Sequence[object],
) -> tuple[tuple[Pair, ...], tuple[Rational, ...], tuple[int, ...], tuple[Rational, ...]]:
    size = checked_size(size)
    pairs = checked_arcs(size, arcs)
    given = exact_numbers(capacities, "capacity of arc", len(pairs))
    not_negative(given, "capacity of arc")
    needs = exact_numbers(demands, "demand of node", size)
    not_negative(needs, "demand of node")
    return pairs, given, _checked_switches(size, switches, needs), needs


def _checked_switches(
    size: int, switches: Iterable[int], demands: Sequence[Rational]
) -> tuple[int, ...]:
    listed = [checked_node(switch, size, f"switches[{at}]") for at, switch in enumerate(switches)]
    for at, switch in enumerate(listed):
        if switch in listed[:at]:
            raise InvalidInput(f"switches[{at}]", switch, "this switch is named twice")
        if demands[switch]:
            rule = "a switch demands nothing"
            raise InvalidInput(f"demand of node {switch}", demands[switch], rule)
    if len(listed) == size:
        raise InvalidInput("switches", listed, "a node that is no switch is needed")
    return tuple(listed)


def _refuse_growing(switches: Iterable[int], arcs: Sequence[Pair], capacities: list[int]) -> None:
    gained: defaultdict[int, int] = defaultdict(int)
    for (tail, head), capacity in zip(arcs, capacities, strict=True):
        gained[head] += capacity
        gained[tail] -= capacity
    for switch in switches:
        if gained[switch] < 0:
            rule = "no more capacity leaves a switch than enters it"
            raise InvalidInput("switches", switch, rule)


def _unmet(
    size: int,
    arcs: tuple[Pair, ...],
    capacities: tuple[Rational, ...],
    demands: tuple[Rational, ...],
    nodes: Sequence[int],
) -> UnmetDemand:
    inside = set(nodes)
    entering = [
        capacity
        for (tail, head), capacity in zip(arcs, capacities, strict=True)
        if head in inside and tail not in inside
    ]
    return UnmetDemand(
        size,
        arcs,
        capacities,
        tuple(RootSet((node,), demand) for node, demand in enumerate(demands) if demand),
        tuple(sorted(inside)),
        Fraction(sum(entering)),
        Fraction(sum(demands[node] for node in range(size) if node not in inside)),
    )


def _result(
    size: int,
    arcs: tuple[Pair, ...],
    capacities: tuple[Rational, ...],
    switches: tuple[int, ...],
    demands: tuple[Rational, ...],
    network: _Network,
    denominator: int,
) -> SplittingOff:
    listed = [piece for pair in sorted(network.pieces) for piece in network.pieces[pair].items()]
    ends = [(arcs[path[0]][0], arcs[path[-1]][1]) for path, _ in listed]
    order, flows = _flows(size, ends, [amount for _, amount in listed], network)
    return SplittingOff(
        size,
        arcs,
        capacities,
        switches,
        demands,
        tuple(Link(path, divided(amount, denominator)) for path, amount in listed),
        tuple(order),
        tuple(
            tuple(FlowOnArc(link, divided(amount, denominator)) for link, amount in flow)
            for flow in flows
        ),
    )


def _flows(
    size: int, links: list[Pair], capacities: list[int], network: _Network
) -> tuple[list[int], list[list[tuple[int, int]]]]:
    """Flows of the whole demand into node after node, from where it is and the nodes before."""
    demands = network.demands
    growing = GrowingSource(
        size + 1,
        size,
        [*links, *((size, node) for node in range(size))],
        [*capacities, *demands],
        network.terminals,
    )
    total, order, flows = sum(demands), [], []
    for _ in network.terminals:
        node, sent = growing.nearest(), 0
        while sent < total:
            growing.search(node)
            sent += growing.augment(node, total - sent)
        order.append(node)
        flows.append(growing.take_flow())
        growing.join(node)
    return order, flows
