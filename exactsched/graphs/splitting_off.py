"""Splitting off the switches of a network: links between its other nodes that keep all cuts.

Method: switch after switch (`graphs.switch_pairing`); an allgather first asks for direct links.
Limits: a switch sends out at most what may enter it; the links are few, not the fewest.

The proof is in `proofs/splitting-off.md`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

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
from exactsched.exact.patience import PATIENT, Patience
from exactsched.exact.rational import Rational
from exactsched.graphs.direct_links import direct_links
from exactsched.graphs.hao_orlin import GrowingSource
from exactsched.graphs.hops import Hops
from exactsched.graphs.root_connectivity import falling_ratios
from exactsched.graphs.switch_pairing import Pair, Path, SwitchNetwork, in_order

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

    Polynomial in the number of nodes and arcs for a given number of `parts`. Reference:
    proofs/splitting-off.md.

    >>> star = [(0, 2), (2, 0), (1, 2), (2, 1)]
    >>> split_off(3, star, [1, 1, 1, 1], [2], [1, 1, 0]).links
    (Link(arcs=(0, 3), capacity=1), Link(arcs=(2, 1), capacity=1))
    >>> split_off(3, star, [1, 1, 1, 1], [2], [2, 1, 0]).nodes
    (1,)
    """
    asked = _checked(size, arcs, capacities, switches, demands)
    found = _links(asked, spread, parts)
    return _stated(asked, found) if isinstance(found, _Links) else _unmet(asked, found)


def links_around(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    switches: Iterable[int],
    demands: Sequence[object],
    *,
    spread: int = SPREAD,
    parts: int = FINEST,
    patience: Patience = PATIENT,
) -> tuple[Link, ...]:
    """Links as those of `split_off`, without the flows that prove them; there must be some.

    With spread, links from every node v to each other one that are as wide as the demand of v, if
    shortest paths have room for them: trees are stars then, and few.  Other capacity is not used.
    The patience is asked before every flow and every pair.

    >>> star = [(0, 2), (2, 0), (1, 2), (2, 1)]
    >>> links_around(3, star, [1, 1, 1, 1], [2], [1, 1, 0])
    (Link(arcs=(0, 3), capacity=1), Link(arcs=(2, 1), capacity=1))
    """
    asked = _checked(size, arcs, capacities, switches, demands)
    if spread:
        whole, needs, denominator = asked.integers()
        direct = direct_links(asked.arcs, whole, asked.terminals(), needs, patience)
        if direct is not None:
            return _Links(direct, needs, denominator).shared()
    found = _links(asked, spread, parts, patience)
    if not isinstance(found, _Links):
        raise ValueError(f"the set {sorted(found)} is entered by less than the demand outside")
    return found.shared()


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

    Raises `InvalidInput`, also if no set has a positive d(X).

    >>> largest_multiple(3, [(0, 2), (2, 0), (1, 2), (2, 1)], [1, 1, 4, 3], [2], [1, 1, 0])
    (Fraction(1, 1), (0,))
    """
    *_, last = falling_multiples(size, arcs, capacities, switches, demands)
    return last


def falling_multiples(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    switches: Iterable[int],
    demands: Sequence[object],
    patience: Patience = PATIENT,
) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """Multiples of all demands, each with a set that allows no more, down to the largest kept one.

    Newton's method (`falling_ratios`), as far as the patience lasts: it is asked before every flow,
    and the first set takes none.  Arguments and errors are those of `largest_multiple`.

    >>> star = [(0, 2), (2, 0), (1, 2), (2, 1)], [1, 1, 4, 3], [2], [1, 1, 0]
    >>> list(falling_multiples(3, *star))
    [(Fraction(1, 1), (0,))]
    """
    asked = _checked(size, arcs, capacities, switches, demands)
    whole, demand, _ = asked.integers()
    roots = [([node], need) for node, need in enumerate(demand) if need]
    none = True
    for multiple, tight in falling_ratios(
        size, asked.arcs, whole, roots, asked.terminals(), patience
    ):
        none = False
        yield multiple, tuple(sorted(tight))
    if none:
        rule = "a node that is no switch needs a positive demand of another one"
        raise InvalidInput("demands", [str(need) for need in asked.demands], rule)


class _Asked(NamedTuple):
    """A checked network."""

    size: int
    arcs: tuple[Pair, ...]
    capacities: tuple[Rational, ...]
    switches: tuple[int, ...]
    demands: tuple[Rational, ...]

    def terminals(self) -> list[int]:
        return sorted(set(range(self.size)) - set(self.switches))

    def integers(self) -> tuple[list[int], list[int], int]:
        """Capacities and demands over their common denominator."""
        numbers, denominator = over_common_denominator((*self.capacities, *self.demands))
        return numbers[: len(self.arcs)], numbers[len(self.arcs) :], denominator


class _Links(NamedTuple):
    """Paths with their capacities, and the demands of all nodes, over a common denominator."""

    amounts: dict[Path, int]
    demands: list[int]
    denominator: int

    def shared(self) -> tuple[Link, ...]:
        return tuple(
            Link(path, divided(amount, self.denominator)) for path, amount in self.amounts.items()
        )


def _links(
    asked: _Asked, spread: int, parts: int, patience: Patience = PATIENT
) -> _Links | list[int]:
    """The links, or a set with a terminal that is entered by too little."""
    if type(spread) is not int or spread < 0:
        raise InvalidInput("spread", spread, "a number of nodes is an integer >= 0")
    if type(parts) is not int or parts < 1:
        raise InvalidInput("parts", parts, "the number of parts is an integer >= 1")
    capacities, demands, denominator = asked.integers()
    _refuse_growing(asked.switches, asked.arcs, capacities)
    network = SwitchNetwork(asked.size, demands, set(asked.terminals()), patience=patience)
    for index, (pair, capacity) in enumerate(zip(asked.arcs, capacities, strict=True)):
        if capacity and pair[0] != pair[1]:
            network.pieces[pair][(index,)] = capacity
    unmet = network.unmet_set(network.capacities())
    if unmet is not None:
        return unmet
    hops = Hops(asked.size, list(network.pieces), network.terminals) if spread else None
    for switch in in_order(asked.switches, list(network.pieces), hops):
        denominator *= network.split_off(switch, asked.arcs, hops, spread, parts)
    amounts: dict[Path, int] = {}
    for pair in sorted(network.pieces):
        amounts.update(network.pieces[pair])
    return _Links(amounts, network.demands, denominator)


def _checked(
    size: int,
    arcs: Sequence[tuple[int, int]],
    capacities: Sequence[object],
    switches: Iterable[int],
    demands: Sequence[object],
) -> _Asked:
    size = checked_size(size)
    pairs = checked_arcs(size, arcs)
    given = exact_numbers(capacities, "capacity of arc", len(pairs))
    not_negative(given, "capacity of arc")
    needs = exact_numbers(demands, "demand of node", size)
    not_negative(needs, "demand of node")
    return _Asked(size, pairs, given, _checked_switches(size, switches, needs), needs)


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


def _unmet(asked: _Asked, nodes: Iterable[int]) -> UnmetDemand:
    inside = set(nodes)
    entering = [
        capacity
        for (tail, head), capacity in zip(asked.arcs, asked.capacities, strict=True)
        if head in inside and tail not in inside
    ]
    outside = [demand for node, demand in enumerate(asked.demands) if node not in inside]
    return UnmetDemand(
        asked.size,
        asked.arcs,
        asked.capacities,
        tuple(RootSet((node,), demand) for node, demand in enumerate(asked.demands) if demand),
        tuple(sorted(inside)),
        Fraction(sum(entering)),
        Fraction(sum(outside)),
    )


def _stated(asked: _Asked, found: _Links) -> SplittingOff:
    """The links with flows of the whole demand into node after node.

    Demand comes from where it is and from the nodes before.
    """
    ends = [(asked.arcs[path[0]][0], asked.arcs[path[-1]][1]) for path in found.amounts]
    growing = GrowingSource(
        asked.size + 1,
        asked.size,
        [*ends, *((asked.size, node) for node in range(asked.size))],
        [*found.amounts.values(), *found.demands],
        asked.terminals(),
    )
    total = sum(found.demands)
    order: list[int] = []
    flows: list[tuple[FlowOnArc, ...]] = []
    for _ in asked.terminals():
        node, sent = growing.nearest(), 0
        while sent < total:
            growing.search(node)
            sent += growing.augment(node, total - sent)
        order.append(node)
        flows.append(
            tuple(
                FlowOnArc(link, divided(amount, found.denominator))
                for link, amount in growing.take_flow()
            )
        )
        growing.join(node)
    return SplittingOff(*asked, found.shared(), tuple(order), tuple(flows))
