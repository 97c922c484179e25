"""Certificates of overlays (proofs/overlay-certificates.md, proofs/overlay-exact.md)."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from tests.independent.collectives import acyclic
from tests.independent.document import (
    Document,
    any_rational,
    choice,
    claim,
    each,
    index,
    integer,
    listing,
    members,
    nonnegative,
    row,
    rule,
    structure,
    text,
    truth,
)


class Machine(NamedTuple):
    b: list[Fraction]
    d: list[int]
    incoming: list[Fraction]
    arcs: set[tuple[int, int]]  # empty: all

    @property
    def n(self) -> int:
        return len(self.b) - 1

    def allows(self, sender: int, receiver: int) -> bool:
        return not self.arcs or (sender, receiver) in self.arcs


def read_machine(value: Any) -> Machine:
    take = members(value, "bandwidths degrees incoming arcs names")
    b = take("bandwidths", listing(nonnegative, least=2))
    d = take("degrees", each(integer(0), len(b)))
    incoming = take("incoming", listing(nonnegative))
    structure(len(incoming) in (0, len(b)), "incoming bandwidths are missing")
    node = index(len(b))
    arcs = take("arcs", listing(row(node, node), distinct=True))
    structure(all(u != v and v != 0 for u, v in arcs), "an arc into the source, or a loop")
    names = take("names", listing(text, distinct=True))
    structure(len(names) in (0, len(b)), "names are missing")
    return Machine(b, d, incoming, set(arcs))


def check_overlay(document: Document) -> dict[str, Any]:
    take = members(document, "machine structure parts arcs throughput bound proof optimal")
    machine = take("machine", read_machine)
    form = take("structure", choice("any", "acyclic", "tree"))
    parts = take("parts", integer(1))
    node = index(machine.n + 1)
    piece = row(integer(0), integer(0))
    arcs = take("arcs", listing(row(node, node, listing(piece, least=1))))
    for sender, receiver, pieces in arcs:
        structure(sender != receiver and receiver != 0, "an arc into the source, or a loop")
        stops = [0] + [stop for _, stop in pieces]
        structure(stops[-1] <= parts, "a piece ends after the last part")
        for before, (start, stop) in zip(stops, pieces, strict=False):
            structure(before <= start < stop, "pieces do not follow each other")
    rate, bound = take("throughput", nonnegative), take("bound", any_rational)
    proof = take("proof", listing(read_proof, most=1 if form == "any" else 0))
    optimal = take("optimal", truth)
    pairs = [(sender, receiver) for sender, receiver, _ in arcs]
    rule(len(set(pairs)) == len(pairs), "1: an arc is there twice")
    rule(all(machine.allows(*pair) for pair in pairs), "1: an arc that is not there")
    if rate == 0:
        rule(not arcs, "2: arcs without throughput")
    else:
        _broadcasts(machine, parts, arcs, rate)
    if form == "acyclic":
        rule(acyclic(pairs), "3: a cycle")
    if form == "tree":
        rule(len({receiver for _, receiver in pairs}) == len(pairs), "3: two senders")
    shown = check_proof(machine, proof[0]) if proof else counting_bound(machine, form)
    claim("bound", bound, shown)
    used = [sum(sender == i for sender, _ in pairs) for i in range(machine.n + 1)]
    within = all(number <= d for number, d in zip(used, machine.d, strict=True))
    claim("optimal", optimal, within and rate == bound)
    return {"throughput": rate, "bound": bound, "optimal": optimal}


def _broadcasts(machine: Machine, parts: int, arcs: Any, rate: Fraction) -> None:
    ends = {0, parts} | {end for _, _, pieces in arcs for piece in pieces for end in piece}
    ordered = sorted(ends)
    for first in ordered[:-1]:
        senders = defaultdict(list)
        count = 0
        for sender, receiver, pieces in arcs:
            if any(start <= first < stop for start, stop in pieces):
                senders[sender].append(receiver)
                count += 1
        heads = [head for receivers in senders.values() for head in receivers]
        rule(len(set(heads)) == count == machine.n, "2.1: not received on exactly one arc")
        reached, queue = 1, [0]
        while queue:
            after = senders.pop(queue.pop(), [])
            reached += len(after)
            queue += after
        rule(reached == machine.n + 1, "2.2: a part goes around")
    sent = [0] * (machine.n + 1)
    for sender, _, pieces in arcs:
        sent[sender] += sum(stop - start for start, stop in pieces)
    rule(all(rate * s <= b * parts for s, b in zip(sent, machine.b, strict=True)), "2.3: too fast")
    rule(all(rate <= r for r in machine.incoming[1:]), "2.4: received too fast")


# Bounds by counting


def counting_bound(machine: Machine, form: str) -> Fraction:
    n, d = machine.n, machine.d
    if machine.arcs:
        d = [min(d[i], sum(u == i for u, _ in machine.arcs)) for i in range(n + 1)]
    if d[0] == 0:
        return Fraction(0)
    nodes = list(zip(machine.b, d, strict=True))
    if form == "tree":
        shares = [b / j for b, degree in nodes for j in range(1, min(n, degree) + 1)]
        shares.sort(reverse=True)
        best = shares[n - 1] if len(shares) >= n else Fraction(0)
    elif form == "acyclic":
        best = max(_largest_root(nodes[:k] + nodes[k + 1 :], n) for k in range(1, n + 1))
    else:
        best = _largest_root(nodes, n)
    return min([machine.b[0], best, *machine.incoming[1:]])


def _largest_root(nodes: Sequence[tuple[Fraction, int]], n: int) -> Fraction:
    """The largest T with sum min(b, T d) >= n T: the least B(S) / (n - D(S')) over prefixes S."""
    ordered = sorted((b / d, b, d) for b, d in nodes if d > 0)
    bandwidth, degrees = Fraction(0), sum(d for *_, d in ordered)
    best = None
    for _, b, d in [(Fraction(0), Fraction(0), 0), *ordered]:
        bandwidth, degrees = bandwidth + b, degrees - d
        if degrees < n and (best is None or bandwidth / (n - degrees) < best):
            best = bandwidth / (n - degrees)
    return best if best is not None else Fraction(0)


# Proofs by cases


class Proof(NamedTuple):
    bound: Fraction
    ceiling: Fraction
    places: list[int]
    cuts: list[list[int]]
    branches: list[tuple[int, int, int, int, int]]
    leaves: list[tuple[int, list[tuple[str, int, int, Fraction]]]]


def read_proof(value: Any) -> Proof:
    take = members(value, " ".join(Proof._fields))
    number = integer()
    factors = listing(row(text, number, number, any_rational))
    return Proof(
        take("bound", any_rational),
        take("ceiling", any_rational),
        take("places", listing(number)),
        take("cuts", listing(listing(number))),
        take("branches", listing(row(*[number] * 5))),
        take("leaves", listing(row(number, factors))),
    )


def check_proof(machine: Machine, proof: Proof) -> Fraction:
    n = machine.n
    rule((n + 1) ** 2 <= 1_000_000, "too many nodes")
    rule(0 <= proof.bound < proof.ceiling, "the ceiling is not above the bound")
    if proof.places:
        rule(sorted(proof.places) == list(range(n + 1)), "a sender is missing")
        rule(not machine.arcs and not proof.cuts, "places with arcs or cuts")
    for cut in proof.cuts:
        rule(bool(cut) and all(1 <= v <= n for v in cut), "a cut is empty or contains the source")
    pairs = _pairs(machine, proof)
    decided: dict[int, dict[tuple[int, int], int]] = {0: {}}
    for case, i, j, without, using in sorted(proof.branches):
        rule(case in decided, "no case, or split twice")
        rule((i, j) in pairs and (i, j) not in decided[case], "no arc to split by")
        before = decided.pop(case)
        for part, use in ((without, 0), (using, 1)):
            rule(part > case and part not in decided, "a part is no new case")
            decided[part] = {**before, (i, j): use}
    parts = [part for *_, without, using in proof.branches for part in (without, using)]
    rule(len(set(parts)) == len(parts), "a part of two cases")
    cases = [case for case, _ in proof.leaves]
    rule(sorted(cases) == sorted(decided), "not one leaf for each case")
    for case, factors in proof.leaves:
        _leaf(_Program(machine, proof, pairs, decided[case]), proof.bound, factors)
    return proof.bound


def _pairs(machine: Machine, proof: Proof) -> set[tuple[int, int]]:
    """The pairs (sender, receiver) or (sender, place) that have variables."""
    n, d = machine.n, machine.d
    if not proof.places:
        every = ((i, j) for i in range(n + 1) for j in range(1, n + 1) if i != j)
        return {(i, j) for i, j in every if d[i] > 0 and machine.allows(i, j)}
    pairs, used = set(), 0
    for s in proof.places:
        used += d[s]
        if d[s] > 0:
            pairs |= {(s, p) for p in range(1, min(n, used) + 1)}
    return pairs


Row = tuple[dict[Any, Fraction], Fraction]  # coefficients of T, ("c", i, j), ("y", i, j) <= number


class _Program:
    """The rows of the linear relaxation, in one case."""

    def __init__(self, machine: Machine, proof: Proof, pairs: Any, decided: Any) -> None:
        self.machine, self.proof, self.pairs, self.decided = machine, proof, pairs, decided

    def row(self, name: str, i: int, j: int) -> Row:
        """The row of this name."""
        n, single = self.machine.n, name in ("send", "rate", "degree", "receive", "cut", "incoming")
        rule(not (single or name == "bound") or j == 0, "a row with an index too many")
        lowest, end = (0, n + 1) if name in ("send", "rate", "degree", "order") else (1, n + 1)
        if name == "cut":
            lowest, end = 0, len(self.proof.cuts)
        if name in ("link", "used", "chosen"):
            rule((i, j) in self.pairs, "a row of no arc")
        elif name == "bound":
            rule(i == 0, "a row with an index too many")
        else:
            rule(lowest <= i < end, "a row of no node")
        rows = {
            "send": self.send,
            "rate": self.rate,
            "degree": self.degree,
            "link": self.link,
            "receive": self.receive,
            "cut": self.cut,
            "incoming": self.incoming,
            "bound": lambda *_: ({"T": 1}, self.proof.ceiling),
            "feed": self.feed,
            "order": self.order,
            "used": lambda *arc: ({("y", *arc): 1}, self.decided.get(arc, 1)),
            "chosen": self.chosen,
        }
        rule(name in rows, "no such row")
        return rows[name](i, j)  # type: ignore[operator]

    def out(self, word: str, i: int) -> dict[Any, Any]:
        return {(word, u, v): 1 for u, v in self.pairs if u == i}

    def send(self, i: int, _: int) -> Any:
        return self.out("c", i), self.machine.b[i]

    def rate(self, i: int, _: int) -> Any:
        return {**self.out("c", i), "T": -self.machine.d[i]}, 0

    def degree(self, i: int, _: int) -> Any:
        return self.out("y", i), self.machine.d[i]

    def link(self, i: int, j: int) -> Any:
        most = min(self.machine.b[i], self.proof.ceiling)
        return {("c", i, j): 1, ("y", i, j): -most}, 0

    def receive(self, j: int, _: int) -> Any:
        return {"T": 1, **{("c", u, v): -1 for u, v in self.pairs if v == j}}, 0

    def cut(self, k: int, _: int) -> Any:
        nodes = set(self.proof.cuts[k])
        into = [(u, v) for u, v in self.pairs if v in nodes and u not in nodes]
        return {"T": 1, **{("c", u, v): -1 for u, v in into}}, 0

    def incoming(self, j: int, _: int) -> Any:
        rule(bool(self.machine.incoming), "no incoming bandwidths")
        return {"T": 1}, self.machine.incoming[j]

    def feed(self, j: int, r: int) -> Any:
        bound = self.proof.bound
        rule(bound > 0 and 2 <= r <= 1000, "no such row feed")
        shares = {i: min(r, ceil(b * (r - 1) / bound)) for i, b in enumerate(self.machine.b)}
        return {("y", u, v): -shares[u] for u, v in self.pairs if v == j}, -r

    def order(self, u: int, v: int) -> Any:
        machine, n, places = self.machine, self.machine.n, self.proof.places
        rule(0 <= v <= n, "a row of no node")
        rule((machine.b[u], machine.d[u]) == (machine.b[v], machine.d[v]), "nodes that differ")
        if not places:
            rule(1 <= u < v and not machine.arcs and machine.d[0] > 0, "no such row order")
            return {("c", 0, v): 1, ("c", 0, u): -1}, 0
        rule(places.index(u) < places.index(v), "no such row order")
        keys = {("y", s, p): (-1 if s == u else 1) * 2 ** (n - p) for s, p in self.pairs}
        return {key: number for key, number in keys.items() if key[1] in (u, v)}, 0

    def chosen(self, i: int, j: int) -> Any:
        rule(self.decided.get((i, j)) == 1, "an arc that is not chosen")
        return {("y", i, j): -1}, -1


def _leaf(program: _Program, bound: Fraction, factors: Sequence[Any]) -> None:
    rule(len({factor[:3] for factor in factors}) == len(factors), "a row has two factors")
    total: dict[Any, Fraction] = defaultdict(Fraction)
    z = Fraction(0)
    for name, i, j, factor in factors:
        rule(factor >= 0 or name == "receive", "a factor is negative")
        coefficients, number = program.row(name, i, j)
        for variable, coefficient in coefficients.items():
            total[variable] += factor * coefficient
        z += factor * number
    rule(all(number >= 0 for number in total.values()), "a coefficient is negative")
    t = total["T"]
    rule(z <= t * bound if t > 0 else z < 0, "the rows do not contradict")


CHECKS = {"overlay": check_overlay}
