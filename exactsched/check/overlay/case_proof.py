"""Proofs by cases that no overlay within the degrees is faster than a bound.

Every row is made here from the machine, by the list in `proofs/overlay-exact.md`, which proves
that each overlay faster than the bound yields a solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, pairwise
from typing import Any, Final

from exactsched.certificate.budget import hold, products, spend, sums
from exactsched.certificate.overlay import CaseProof
from exactsched.check.common_denominator import over_common_denominator
from exactsched.check.proved import shown
from exactsched.exact.errors import Rejected
from exactsched.exact.rational import Rational
from exactsched.model.machine import MultiPort

MAX_SHARES: Final = 1000

Arc = tuple[int, int]
# Arcs, as sender * size + receiver, with a coefficient of each.
_Terms = Iterable[tuple[int, int]]
# (coefficient of T, coefficients of rates, coefficients of uses, right side), in integers
_Row = tuple[int, _Terms, _Terms, int]


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
    for index, decided in _leaves(proof, rows):
        _refuse_unless_contradiction(rows, proof, index, decided)
    return proof.bound


def _leaves(proof: CaseProof, rows: _Rows) -> Iterator[tuple[int, dict[Arc, bool]]]:
    """The index of every leaf, and which arcs are used in it and which not, until the next one."""
    branches: dict[str, tuple[Arc, int, int]] = {}
    for index, (case, sender, receiver, without, using) in enumerate(proof.branches):
        place = f"branches[{index}]"
        if _name(case) in branches:
            raise Rejected(place, case, "a case is split once")
        if not rows.is_arc(sender, receiver):
            raise Rejected(place, [sender, receiver], "nothing can be sent on this arc")
        if not case < min(without, using):
            raise Rejected(place, [case, without, using], "the parts have larger numbers")
        branches[_name(case)] = ((sender, receiver), without, using)
    leaves: dict[str, int] = {}
    for index, (case, _) in enumerate(proof.leaves):
        if _name(case) in leaves or _name(case) in branches:
            raise Rejected(f"leaves[{index}]", case, "a case is split or proved, and that once")
        leaves[_name(case)] = index
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
        name = _name(case)
        if name in leaves:
            yield leaves[name], decided
        elif name in branches:
            arc, without, using = branches[name]
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


def _name(number: int) -> str:
    """A number as a key: whoever writes the document can make the hashes of all integers equal."""
    return f"{number:x}"


def _refuse_unless_contradiction(
    rows: _Rows, proof: CaseProof, index: int, decided: dict[Arc, bool]
) -> None:
    """The rows times the factors say: something not negative is at most something negative."""
    place = f"leaves[{index}]"
    factors = proof.leaves[index][1]
    listed = sorted([row[:3] for row in factors])
    for one, other in pairwise(listed):
        if one == other:
            raise Rejected(place, list(one), "a row has one factor")
    size = rows.machine.size
    numbers, unit = over_common_denominator([row[3] for row in factors], place, 2 * size * size)
    rates, uses = rows.rates, rows.uses
    rates.clear()
    uses.clear()
    throughput, right = 0, 0
    for row, number in zip(factors, numbers, strict=True):
        name = row[:3]
        if number < 0 and name[0] != "receive":
            raise Rejected(f"{place}, row {name}", number, "a factor of an inequality is >= 0")
        of_throughput, of_rates, of_uses, of_right = rows.row(name, number, decided, place)
        if not number:
            continue  # a cut would still have as many coefficients as the machine has arcs
        throughput += number * of_throughput
        right += number * of_right
        rates.add(number, of_rates)
        uses.add(number, of_uses)
    for noun, values in (("rate", rates), ("use", uses)):
        arc, least = values.least()
        if least < 0:
            rule = f"the coefficient of the {noun} of an arc is >= 0 in the sum"
            raise Rejected(f"{place}, arc {divmod(arc, size)}", shown(rows.true(least, unit)), rule)
    if throughput < 0:
        rule = "the coefficient of the throughput is >= 0 in the sum"
        raise Rejected(place, shown(rows.true(throughput, unit)), rule)
    most = throughput * rows.bound
    if right > most or (not throughput and right == 0):
        limit = f"at most {shown(rows.true(most, unit))}" if throughput else "less than 0"
        rule = f"the right sides add up to {limit}"
        raise Rejected(place, shown(rows.true(right, unit)), rule)


class _Sums:
    """A sum for every arc.  A list, used again and again: a dictionary takes five times as much."""

    def __init__(self, arcs: int) -> None:
        self._values = [0] * arcs
        self._touched: list[int] = []

    def clear(self) -> None:
        for arc in self._touched:
            self._values[arc] = 0
        self._touched = []

    def add(self, factor: int, terms: _Terms) -> None:
        values, touched = self._values, self._touched
        for arc, coefficient in terms:
            if not values[arc]:
                touched.append(arc)
            values[arc] += factor * coefficient

    def least(self) -> tuple[int, int]:
        """An arc with the least sum, and the sum; 0 if there is none."""
        arc = min(self._touched, key=self._values.__getitem__, default=0)
        return arc, self._values[arc]


@dataclass(slots=True)
class _Rows:
    """The rows of a proof, all of them times `unit`, with rates in units of 1 / `unit`."""

    machine: MultiPort
    proof: CaseProof
    unit: int = field(init=False)
    bound: int = field(init=False)
    rates: _Sums = field(init=False)
    uses: _Sums = field(init=False)
    _ceiling: int = field(init=False)
    _bandwidths: list[int] = field(init=False)
    _incoming: list[int] = field(init=False)
    _longest: int = field(init=False)  # bits of a bandwidth or the bound
    _is_arc: bytearray = field(init=False)
    _leaving: list[list[int]] = field(init=False)  # the receivers, for every sender
    _entering: list[list[int]] = field(init=False)  # the senders, for every receiver
    _position: dict[int, int] = field(init=False)  # of every sender among the places

    def __post_init__(self) -> None:
        machine, proof, size = self.machine, self.proof, self.machine.size
        if proof.bound < 0:
            raise Rejected("bound", shown(proof.bound), "a throughput is not negative")
        if proof.ceiling <= proof.bound:
            rule = f"the ceiling is above the bound, {shown(proof.bound)}"
            raise Rejected("ceiling", shown(proof.ceiling), rule)
        # Where every node may send to every other, a short list stands for many arcs.
        spend(size * size, "machine")
        hold(256 * size * size, "machine")
        self.rates, self.uses = _Sums(size * size), _Sums(size * size)
        numbers = [proof.bound, proof.ceiling, *machine.bandwidths, *machine.incoming]
        scaled, self.unit = over_common_denominator(numbers, "machine")
        self.bound, self._ceiling, *bandwidths = scaled
        self._bandwidths, self._incoming = bandwidths[:size], bandwidths[size:]
        self._longest = max(map(int.bit_length, scaled))
        self._leaving = _receivers(machine, proof)
        self._is_arc, self._entering = bytearray(size * size), [[] for _ in range(size)]
        for sender, receivers in enumerate(self._leaving):
            for receiver in receivers:
                self._is_arc[sender * size + receiver] = 1
                self._entering[receiver].append(sender)
        self._position = {sender: index for index, sender in enumerate(proof.places)}
        for index, cut in enumerate(proof.cuts):
            if not cut:
                raise Rejected(f"cuts[{index}]", [], "nothing needs to be sent into no node")
            for node in cut:
                if not 0 < node < machine.size:
                    raise Rejected(f"cuts[{index}]", node, "a node other than the source")

    def is_arc(self, sender: int, receiver: int) -> bool:
        """Whether anything can be sent on this arc."""
        size = self.machine.size
        inside = 0 <= sender < size and 0 <= receiver < size
        return inside and bool(self._is_arc[sender * size + receiver])

    def true(self, number: int, unit: int) -> Fraction:
        """What a sum of rows times factors over `unit` stands for."""
        return Fraction(number, unit * self.unit)

    def row(self, name: Sequence[Any], factor: int, decided: dict[Arc, bool], place: str) -> _Row:
        """Raises `Rejected` for a row that does not exist, or not in this case.

        It spends what it takes to add the row, if the factor is not 0.
        """
        rule, first, second = name
        decision = decided.get((first, second)) if self.is_arc(first, second) else None
        if rule == "chosen" and not decision:
            raise Rejected(
                f"{place}, row {name}", [first, second], "this arc is not chosen in this case"
            )
        if rule == "used" and decision is False:
            return 0, (), self._one(first, second, self.unit), 0
        made = self._made(rule, first, second)
        if made is None:
            raise Rejected(f"{place}, row", [rule, first, second], "there is no such row")
        if factor:
            spend(2 * self._coefficients(rule, first, second) * sums(factor.bit_length()), place)
        return made

    def _coefficients(self, rule: str, first: int, second: int) -> int:
        """About how many steps it takes to go through the coefficients of a row that exists."""
        match rule:
            case "send" | "rate" | "degree":
                return len(self._leaving[first])
            case "receive":
                return len(self._entering[first])
            case "feed":
                return len(self._entering[first]) * products(self._longest, self._longest)
            case "cut":
                return sum([len(self._entering[node]) for node in self.proof.cuts[first]])
            case "order":
                return len(self._leaving[first]) + len(self._leaving[second])
        return 1

    def _made(self, rule: str, first: int, second: int) -> _Row | None:
        """None if there is no such row; its coefficients are worked out when they are added."""
        machine, unit, is_arc = self.machine, self.unit, self.is_arc(first, second)
        is_receiver = 0 < first < machine.size
        match rule:
            case "send" if 0 <= first < machine.size and second == 0:
                return 0, self._out_of(first, 1), (), self._bandwidths[first]
            case "rate" if 0 <= first < machine.size and second == 0:
                return -machine.degrees[first], self._out_of(first, 1), (), 0
            case "degree" if 0 <= first < machine.size and second == 0:
                return 0, (), self._out_of(first, unit), unit * machine.degrees[first]
            case "link" if is_arc:
                most = min(self._bandwidths[first], self._ceiling)
                return 0, self._one(first, second, 1), self._one(first, second, -most), 0
            case "used" if is_arc:
                return 0, (), self._one(first, second, unit), unit
            case "chosen" if is_arc:
                return 0, (), self._one(first, second, -unit), -unit
            case "receive" if is_receiver and second == 0:
                return 1, self._into(first), (), 0
            case "cut" if 0 <= first < len(self.proof.cuts) and second == 0:
                return 1, self._into_cut(first), (), 0
            case "incoming" if 0 < first < len(self._incoming) and second == 0:
                return 1, (), (), self._incoming[first]
            case "bound" if first == second == 0:
                return 1, (), (), self._ceiling
            case "feed" if is_receiver and 2 <= second <= MAX_SHARES and self.bound:
                size, senders = machine.size, self._entering[first]
                uses = ((i * size + first, -unit * self._shares(i, second)) for i in senders)
                return 0, (), uses, -unit * second
            case "order" if self._are_alike(first, second):
                return self._order(first, second)
        return None

    def _one(self, sender: int, receiver: int, coefficient: int) -> _Terms:
        return ((sender * self.machine.size + receiver, coefficient),)

    def _out_of(self, sender: int, coefficient: int) -> _Terms:
        begin = sender * self.machine.size
        return ((begin + receiver, coefficient) for receiver in self._leaving[sender])

    def _into(self, node: int, inside: frozenset[int] = frozenset()) -> _Terms:
        size = self.machine.size
        return ((i * size + node, -1) for i in self._entering[node] if i not in inside)

    def _into_cut(self, index: int) -> Iterator[tuple[int, int]]:
        inside = frozenset(self.proof.cuts[index])
        for node in inside:
            yield from self._into(node, inside)

    def _shares(self, sender: int, wanted: int) -> int:
        """The bandwidth in shares of the bound over wanted - 1, rounded up, or all of them."""
        return min(wanted, -(-self._bandwidths[sender] * (wanted - 1) // self.bound))

    def _are_alike(self, one: int, other: int) -> bool:
        """Nodes in their order that could be exchanged, or senders in that of the places."""
        machine, places = self.machine, self.proof.places
        if machine.arcs or not 0 <= one < machine.size or not 0 <= other < machine.size:
            return False
        if places:
            in_order = self._position[one] < self._position[other]
        else:
            in_order = 0 < one < other and machine.degrees[0] > 0
        same = machine.bandwidths[one] == machine.bandwidths[other]
        return in_order and same and machine.degrees[one] == machine.degrees[other]

    def _order(self, first: int, second: int) -> _Row:
        """The first gets more from the source; or its places are lexicographically earlier."""
        size, unit = self.machine.size, self.unit
        if not self.proof.places:
            return 0, ((second, 1), (first, -1)), (), 0
        # Numbers as long as the machine is large.
        spend((len(self._leaving[first]) + len(self._leaving[second])) * sums(size), "places")
        later = ((second * size + j, unit << size - 1 - j) for j in self._leaving[second])
        earlier = ((first * size + j, -unit << size - 1 - j) for j in self._leaving[first])
        return 0, (), chain(later, earlier), 0


def _receivers(machine: MultiPort, proof: CaseProof) -> list[list[int]]:
    """To whom every node may send: nodes; or places, the first d of the first sender, and so on."""
    size, degrees = machine.size, machine.degrees
    if not proof.places:
        if not machine.arcs:
            others = range(1, size)
            return [[j for j in others if j != i] if degrees[i] else [] for i in range(size)]
        found: list[list[int]] = [[] for _ in range(size)]
        for sender, receiver in machine.arcs:
            if degrees[sender]:
                found[sender].append(receiver)
        return found
    if sorted(proof.places) != list(range(size)):
        raise Rejected("places", list(proof.places), "every node is listed once")
    if machine.arcs:
        raise Rejected("places", list(proof.places), "places are alike if all arcs are allowed")
    if proof.cuts:
        raise Rejected("cuts", len(proof.cuts), "there are no cuts among places")
    found = [[] for _ in range(size)]
    used = 0
    for sender in proof.places:
        used = min(used + degrees[sender], size - 1)
        if degrees[sender]:
            found[sender] = list(range(1, used + 1))
    return found
