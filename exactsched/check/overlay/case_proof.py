"""Proofs by cases that no overlay within the degrees is faster than a bound.

Every row is made here from the machine, by the list in `proofs/overlay-exact.md`, which proves
that each overlay faster than the bound yields a solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from exactsched.certificate.overlay import CaseProof
from exactsched.check.common_denominator import over_common_denominator
from exactsched.check.proved import shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational
from exactsched.model.machine import MultiPort

MAX_SHARES: Final = 1000
# Nodes times nodes, where every node may send to every other: few seconds.
MAX_ARCS: Final = 1_000_000

Arc = tuple[int, int]
# (coefficient of T, coefficients of rates, coefficients of uses, right side), in integers
_Row = tuple[int, dict[Arc, int], dict[Arc, int], int]


def bound_of(machine: MultiPort, proof: CaseProof) -> Rational:
    """What no overlay within the degrees exceeds, if the proof is one.

    Linear in the number of coefficients of all rows that all leaves use.  Raises `Rejected`.

    >>> from fractions import Fraction
    >>> machine = MultiPort([2, 1, 0], [1, 1, 0])  # 2 T <= what is received <= T + 1
    >>> rows = ("receive", 1, 0, 1), ("receive", 2, 0, 1), ("rate", 0, 0, 1), ("send", 1, 0, 1)
    >>> bound_of(machine, CaseProof(1, 2, (), (), (), ((0, rows),)))
    1
    >>> bound_of(machine, CaseProof(Fraction(1, 2), 2, (), (), (), ((0, rows),)))
    Traceback (most recent call last):
    exactsched.exact.errors.Rejected: leaves[0]: '1': the right sides add up to at most 1/2
    """
    rows = _Rows(machine, proof)
    for index, decided in _leaves(proof, rows.arcs):
        _refuse_unless_contradiction(rows, proof, index, decided)
    return proof.bound


def _leaves(proof: CaseProof, arcs: frozenset[Arc]) -> Iterator[tuple[int, dict[Arc, bool]]]:
    """The index of every leaf, and which arcs are used in it and which not, until the next one."""
    branches: dict[int, tuple[Arc, int, int]] = {}
    for index, (case, sender, receiver, without, using) in enumerate(proof.branches):
        place = f"branches[{index}]"
        if case in branches:
            raise Rejected(place, case, "a case is split once")
        if (sender, receiver) not in arcs:
            raise Rejected(place, [sender, receiver], "nothing can be sent on this arc")
        if not case < min(without, using):
            raise Rejected(place, [case, without, using], "the parts have larger numbers")
        branches[case] = ((sender, receiver), without, using)
    leaves: dict[int, int] = {}
    for index, (case, _) in enumerate(proof.leaves):
        if case in leaves or case in branches:
            raise Rejected(f"leaves[{index}]", case, "a case is split or proved, and that once")
        leaves[case] = index
    seen = 0
    # Numbers only grow on the way down, and an arc is decided once: the walk ends.
    # One dictionary for all cases: where the walk is deep, one for each would be quadratic.
    decided: dict[Arc, bool] = {}
    waiting: list[tuple[int, int, dict[Arc, bool]]] = [(0, 0, {})]
    while waiting:
        case, depth, last = waiting.pop()
        while len(decided) > depth:
            decided.popitem()
        decided |= last
        seen += 1
        if case in leaves:
            yield leaves[case], decided
        elif case in branches:
            arc, without, using = branches[case]
            if arc in decided:
                raise Rejected(f"case {case}", list(arc), "this arc has been decided before")
            depth = len(decided)
            waiting += [(without, depth, {arc: False}), (using, depth, {arc: True})]
        else:
            raise Rejected("cases", case, "every case is split or proved")
        if seen > len(leaves) + len(branches):
            raise Rejected("branches", case, "a case is a part of one other")
    if seen < len(leaves) + len(branches):
        raise Rejected("cases", len(leaves) + len(branches), f"only {seen} belong to the proof")


def _refuse_unless_contradiction(
    rows: _Rows, proof: CaseProof, index: int, decided: dict[Arc, bool]
) -> None:
    """The rows times the factors say: something not negative is at most something negative."""
    place = f"leaves[{index}]"
    factors = proof.leaves[index][1]
    names = [(rule, first, second) for rule, first, second, _ in factors]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise Rejected(place, list(twice), "a row has one factor")
    numbers, unit = over_common_denominator([row[3] for row in factors], place, 2 * len(rows.arcs))
    throughput, right = 0, 0
    rates: dict[Arc, int] = {}
    uses: dict[Arc, int] = {}
    for name, number in zip(names, numbers, strict=True):
        if number < 0 and name[0] != "receive":
            raise Rejected(f"{place}, row {name}", number, "a factor of an inequality is >= 0")
        of_throughput, of_rates, of_uses, of_right = rows.row(name, decided, place)
        throughput += number * of_throughput
        right += number * of_right
        for arc, coefficient in of_rates.items():
            rates[arc] = rates.get(arc, 0) + number * coefficient
        for arc, coefficient in of_uses.items():
            uses[arc] = uses.get(arc, 0) + number * coefficient
    for noun, values in (("rate", rates), ("use", uses)):
        for arc, value in values.items():
            if value < 0:
                rule = f"the coefficient of the {noun} of an arc is >= 0 in the sum"
                raise Rejected(f"{place}, arc {arc}", shown(rows.true(value, unit)), rule)
    if throughput < 0:
        rule = "the coefficient of the throughput is >= 0 in the sum"
        raise Rejected(place, shown(rows.true(throughput, unit)), rule)
    most = throughput * rows.bound
    if right > most or (not throughput and right == 0):
        limit = f"at most {shown(rows.true(most, unit))}" if throughput else "less than 0"
        rule = f"the right sides add up to {limit}"
        raise Rejected(place, shown(rows.true(right, unit)), rule)


@dataclass(slots=True)
class _Rows:
    """The rows of a proof, all of them times `unit`, with rates in units of 1 / `unit`."""

    machine: MultiPort
    proof: CaseProof
    arcs: frozenset[Arc] = field(init=False)
    unit: int = field(init=False)
    bound: int = field(init=False)
    _ceiling: int = field(init=False)
    _bandwidths: list[int] = field(init=False)
    _incoming: list[int] = field(init=False)
    _known: dict[tuple[str, int, int], _Row] = field(init=False)
    _leaving: dict[int, list[Arc]] = field(init=False)
    _entering: dict[int, list[Arc]] = field(init=False)

    def __post_init__(self) -> None:
        machine, proof = self.machine, self.proof
        if proof.bound < 0:
            raise Rejected("bound", shown(proof.bound), "a throughput is not negative")
        if proof.ceiling <= proof.bound:
            rule = f"the ceiling is above the bound, {shown(proof.bound)}"
            raise Rejected("ceiling", shown(proof.ceiling), rule)
        numbers = [proof.bound, proof.ceiling, *machine.bandwidths, *machine.incoming]
        scaled, self.unit = over_common_denominator(numbers, "machine")
        self.bound, self._ceiling, *bandwidths = scaled
        self._bandwidths, self._incoming = bandwidths[: machine.size], bandwidths[machine.size :]
        arcs = sorted(_possible_arcs(machine, proof))
        self.arcs, self._known = frozenset(arcs), {}
        self._leaving, self._entering = {}, {}
        for arc in arcs:
            self._leaving.setdefault(arc[0], []).append(arc)
            self._entering.setdefault(arc[1], []).append(arc)
        for index, cut in enumerate(proof.cuts):
            if not cut:
                raise Rejected(f"cuts[{index}]", [], "nothing needs to be sent into no node")
            for node in cut:
                if not 0 < node < machine.size:
                    raise Rejected(f"cuts[{index}]", node, "a node other than the source")

    def true(self, number: int, unit: int) -> Fraction:
        """What a sum of rows times factors over `unit` stands for."""
        return Fraction(number, unit * self.unit)

    def row(self, name: tuple[str, int, int], decided: dict[Arc, bool], place: str) -> _Row:
        """Raises `Rejected` for a row that does not exist, or not in this case."""
        rule, *arc = name
        decision = decided.get((arc[0], arc[1]))
        if rule == "chosen" and not decision:
            raise Rejected(f"{place}, row {name}", list(arc), "this arc is not chosen in this case")
        if rule == "used" and decision is False and (arc[0], arc[1]) in self.arcs:
            return 0, {}, {(arc[0], arc[1]): self.unit}, 0
        if name not in self._known:
            made = self._made(rule, arc[0], arc[1])
            if made is None:
                raise Rejected(f"{place}, row", list(name), "there is no such row")
            self._known[name] = made
        return self._known[name]

    def _made(self, rule: str, first: int, second: int) -> _Row | None:
        """None if there is no such row."""
        machine, unit, arc = self.machine, self.unit, (first, second)
        is_receiver = 0 < first < machine.size
        match rule:
            case "send" if 0 <= first < machine.size and second == 0:
                rates = dict.fromkeys(self._leaving.get(first, ()), 1)
                return 0, rates, {}, self._bandwidths[first]
            case "rate" if 0 <= first < machine.size and second == 0:
                rates = dict.fromkeys(self._leaving.get(first, ()), 1)
                return -machine.degrees[first], rates, {}, 0
            case "degree" if 0 <= first < machine.size and second == 0:
                uses = dict.fromkeys(self._leaving.get(first, ()), unit)
                return 0, {}, uses, unit * machine.degrees[first]
            case "link" if arc in self.arcs:
                return 0, {arc: 1}, {arc: -min(self._bandwidths[first], self._ceiling)}, 0
            case "used" if arc in self.arcs:
                return 0, {}, {arc: unit}, unit
            case "chosen" if arc in self.arcs:
                return 0, {}, {arc: -unit}, -unit
            case "receive" if is_receiver and second == 0:
                return 1, dict.fromkeys(self._entering.get(first, ()), -1), {}, 0
            case "cut" if 0 <= first < len(self.proof.cuts) and second == 0:
                return 1, self._into(frozenset(self.proof.cuts[first])), {}, 0
            case "incoming" if 0 < first < len(self._incoming) and second == 0:
                return 1, {}, {}, self._incoming[first]
            case "bound" if arc == (0, 0):
                return 1, {}, {}, self._ceiling
            case "feed" if is_receiver and 2 <= second <= MAX_SHARES and self.bound:
                uses = {
                    (i, j): -unit * self._shares(i, second)
                    for i, j in self._entering.get(first, ())
                }
                return 0, {}, uses, -unit * second
            case "order" if self._are_alike(first, second):
                return self._order(first, second)
        return None

    def _into(self, inside: frozenset[int]) -> dict[Arc, int]:
        entering = [
            arc for node in inside for arc in self._entering.get(node, ()) if arc[0] not in inside
        ]
        return dict.fromkeys(entering, -1)

    def _shares(self, sender: int, wanted: int) -> int:
        """The bandwidth in shares of the bound over wanted - 1, rounded up, or all of them."""
        return min(wanted, -(-self._bandwidths[sender] * (wanted - 1) // self.bound))

    def _are_alike(self, one: int, other: int) -> bool:
        """Nodes in their order that could be exchanged, or senders in that of the places."""
        machine, places = self.machine, self.proof.places
        if machine.arcs or not 0 <= one < machine.size or not 0 <= other < machine.size:
            return False
        if places:
            in_order = places.index(one) < places.index(other)
        else:
            in_order = 0 < one < other and machine.degrees[0] > 0
        same = machine.bandwidths[one] == machine.bandwidths[other]
        return in_order and same and machine.degrees[one] == machine.degrees[other]

    def _order(self, first: int, second: int) -> _Row:
        """The first gets more from the source; or its places are lexicographically earlier."""
        if not self.proof.places:
            return 0, {(0, second): 1, (0, first): -1}, {}, 0
        weights = [self.unit << self.machine.size - 1 - j for j in range(self.machine.size)]
        later = {(i, j): weights[j] for i, j in self._leaving.get(second, ())}
        earlier = {(i, j): -weights[j] for i, j in self._leaving.get(first, ())}
        return 0, {}, later | earlier, 0


def _possible_arcs(machine: MultiPort, proof: CaseProof) -> set[Arc]:
    """Without nodes of degree 0; among places, the first d of the first sender, and so on."""
    size, degrees = machine.size, machine.degrees
    if size * size > MAX_ARCS:
        raise Rejected("machine", size, "too many nodes for a proof by cases to be checked")
    if not proof.places:
        among_all = ((i, j) for i in range(size) for j in range(1, size) if i != j)
        return {arc for arc in machine.arcs or among_all if degrees[arc[0]]}
    if sorted(proof.places) != list(range(size)):
        raise Rejected("places", list(proof.places), "every node is listed once")
    if machine.arcs:
        raise Rejected("places", list(proof.places), "places are alike if all arcs are allowed")
    if proof.cuts:
        raise Rejected("cuts", len(proof.cuts), "there are no cuts among places")
    arcs: set[Arc] = set()
    used = 0
    for sender in proof.places:
        used = min(used + degrees[sender], size - 1)
        if degrees[sender]:
            arcs.update((sender, place) for place in range(1, used + 1))
    return arcs
