"""What a switch is replaced by: how much of what enters it goes on to which node behind it.

Method: capacity is paired greedily within the slack of the cuts met so far; a cut that is found
short is learned, and as much as it lacks is taken back.
Limits: for kernels: no cut is short at the start, and no more leaves a switch than enters it.

The proof is in `proofs/splitting-off.md`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import gcd, lcm

from exactsched.exact.patience import PATIENT, Patience
from exactsched.graphs.hops import Hops
from exactsched.graphs.root_connectivity import unmet_set

Path = tuple[int, ...]  # indices of arcs
Pair = tuple[int, int]

# Links thinner than this part of the largest demand are not made for all heads, but for as many as
# get the whole of it, or for `FEW` if those are more.
THIN, FEW = 5, 4


@dataclass(slots=True)
class SwitchNetwork:
    """What is left of the network: capacity between pairs of nodes, in pieces with their paths.

    Numbers are integers >= 0.  `learned` are sets of nodes, none of which may become unmet.
    """

    size: int
    demands: list[int]
    terminals: set[int]
    pieces: defaultdict[Pair, dict[Path, int]] = field(default_factory=lambda: defaultdict(dict))
    learned: list[frozenset[int]] = field(default_factory=list)
    patience: Patience = PATIENT

    def capacities(self) -> dict[Pair, int]:
        """The capacity of every pair of nodes that has some."""
        return {pair: sum(pieces.values()) for pair, pieces in self.pieces.items() if pieces}

    def unmet_set(self, capacities: dict[Pair, int]) -> list[int] | None:
        """A set with a terminal that is entered by less than the demand outside, if any."""
        roots = [[([node], demand)] for node, demand in enumerate(self.demands) if demand]
        links = list(capacities)
        numbers = list(capacities.values())
        return unmet_set(self.size, links, numbers, roots, self.terminals, self.patience)

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
            for tail in into:
                most = self._wide_enough(tail, switch, sum(head != tail for head in out), spread)
                weights[tail] = hops.behind(tail, switch, out, most)
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

    def _wide_enough(self, tail: int, switch: int, heads: int, spread: int) -> int:
        """Among how many heads what enters from the tail is shared, at most `spread`.

        Trees that are packed into links much thinner than what their roots demand are cut into
        many.  (mi250:4, shared among all: 2,057 trees of depth 35 in 9 s; now 256 of depth 26 in
        0.7 s.  dgx-a100:4, shared among four: depth 24; among all, as it is: 8.)
        """
        given = sum(self.pieces[tail, switch].values())
        most = max(self.demands)
        return spread if THIN * given >= most * heads else min(spread, max(FEW, given // most))

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


def in_order(switches: tuple[int, ...], arcs: Iterable[Pair], hops: Hops | None) -> list[int]:
    """Those with few arcs first, as they add few; then those far from terminals."""
    degrees = Counter(node for arc in arcs for node in arc)
    far = {switch: hops.to_a_terminal(switch) if hops else 0 for switch in switches}
    return sorted(switches, key=lambda switch: (degrees[switch], -far[switch]))


class _Pairing:
    """How much of the capacity tail -> switch -> head each pair (tail, head) takes over.

    A pair reduces the capacity into a set that contains the switch and none of the two, or both
    of the two and not the switch; into any other set it leaves the capacity as it is.
    """

    def __init__(
        self, network: SwitchNetwork, switch: int, into: list[int], out: list[int]
    ) -> None:
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
            self.network.patience.ask()
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
