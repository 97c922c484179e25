"""Proofs by cases as VIPR certificates, the public format for exact proofs of integer programs.

Cheung, Gleixner and Steffy 2017 (*Verifying integer programming results*); version 1.0 of the
format.  The program in the file is the relaxation of `proofs/overlay-exact.md`, with uses whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TextIO

from exactsched.certificate.overlay import CaseProof, Overlay
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, text
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.relaxation import Arc, Relaxation, Row, RowName


def write_vipr(overlay: Overlay, stream: TextIO) -> None:
    """Writes that no overlay within the degrees has a throughput above `overlay.bound`.

    The proof of the overlay, or one that is searched for where counting was enough.  The overlay
    itself is in the file as a solution if it solves the program: in a program that speaks of
    overlays above the bound it need not.

    Raises `InvalidInput` where the bound is about acyclic overlays or trees only, and where no
    proof is found.  Linear in the number of factors.

    >>> import io
    >>> from exactsched.model.machine import MultiPort
    >>> machine = MultiPort([2, 1, 0], [1, 1, 0])
    >>> chain = ((0, 1, ((0, 1),)), (1, 2, ((0, 1),)))
    >>> file = io.StringIO()
    >>> write_vipr(Overlay(machine, "any", 1, chain, 1, 1, (), True), file)
    >>> from exactsched.check.linear_programs.vipr import check_vipr
    >>> print(check_vipr(file.getvalue()))
    1 <= maximum <= 1 (7 variables, 21 constraints, 1 derivations)
    """
    if overlay.structure != "any":
        rule = "a VIPR certificate is about all overlays within the degrees"
        raise InvalidInput("structure", overlay.structure, rule)
    proof = next(iter(overlay.proof), None) or prove_by_cases(overlay.machine, overlay.bound)
    if proof is None:
        raise InvalidInput("bound", overlay.bound, "no proof of this bound was found")
    stream.writelines(_File(overlay, proof).lines())


Terms = Mapping[int, Rational]


@dataclass(slots=True)
class _File:
    overlay: Overlay
    proof: CaseProof
    relaxation: Relaxation = field(init=False)
    _arcs: tuple[Arc, ...] = field(init=False)
    _index: dict[tuple[str, int, int], int] = field(init=False)  # of rows, by name
    _rows: list[Row] = field(init=False)
    _derived: list[str] = field(init=False)

    def __post_init__(self) -> None:
        proof, machine = self.proof, self.overlay.machine
        self.relaxation = Relaxation(machine, proof.bound, proof.ceiling, proof.places)
        self._arcs = self.relaxation.arcs()
        names: list[RowName] = []
        names += [("rates", *arc) for arc in self._arcs]
        names += [("uses", *arc) for arc in self._arcs]
        names += [("used", *arc) for arc in self._arcs]
        names += self.relaxation.standing()
        named = {factor[:3] for _, factors in proof.leaves for factor in factors}
        names += sorted(name for name in named if name[0] in ("cut", "feed"))
        # Any other row that this proof makes use of, such as an order of nodes far apart.
        names += sorted(named - set(names) - {("chosen", *arc) for arc in self._arcs})
        self._index = {name: index for index, name in enumerate(names)}
        self._rows = [self._row(name) for name in names]
        self._derived = []

    def _row(self, name: RowName) -> Row:
        rule, first, second = name
        if rule == "rates":
            return Row(0, {(first, second): -1}, {}, 0)
        if rule == "uses":
            return Row(0, {}, {(first, second): -1}, 0)
        if rule == "used":
            return Row(0, {}, {(first, second): 1}, 1)
        return self.relaxation.row(name, self.proof.cuts[first] if rule == "cut" else ())

    def lines(self) -> Iterable[str]:
        arcs, solution = self._arcs, self._solution()
        yield f"% no broadcast overlay has a throughput above {text(self.proof.bound)}\n"
        yield f"VER 1.0\nVAR {1 + 2 * len(arcs)}\nT\n"
        yield from (f"{noun}_{i}_{j}\n" for noun in "cy" for i, j in arcs)
        yield f"INT {len(arcs)}\n"
        yield from (f"{1 + len(arcs) + index}\n" for index in range(len(arcs)))
        yield f"OBJ max\n1 0 1\nCON {len(self._rows)} {3 * len(arcs)}\n"
        for name, row in zip(self._index, self._rows, strict=True):
            sense = "E" if row.equal else "L"
            label = "_".join(map(str, name))
            yield f"{label} {sense} {text(row.right)} {_listed(self._terms(row))}\n"
        reached = "-inf" if solution is None else text(self.overlay.throughput)
        yield f"RTP range {reached} {text(self.proof.bound)}\n"
        yield "SOL 0\n" if solution is None else f"SOL 1\noverlay {_listed(solution)}\n"
        self._derive()
        yield f"DER {len(self._derived)}\n"
        yield from self._derived

    def _terms(self, row: Row) -> Terms:
        column = {arc: 1 + index for index, arc in enumerate(self._arcs)}
        terms: dict[int, Rational] = {0: row.throughput}
        terms |= {column[arc]: value for arc, value in row.rates.items()}
        terms |= {len(self._arcs) + column[arc]: value for arc, value in row.uses.items()}
        return {index: value for index, value in terms.items() if value}

    def _added(self, line: str) -> int:
        self._derived.append(line)
        return len(self._rows) + len(self._derived) - 1

    def _derive(self) -> None:
        """Assumptions on the way down, the bound of a case from those of its two parts."""
        branches = {case: rest for case, *rest in self.proof.branches}
        leaves = dict(self.proof.leaves)
        bound = text(self.proof.bound)
        proved: dict[int, int] = {}
        assumed: dict[int, dict[Arc, tuple[bool, int]]] = {0: {}}
        waiting = [0]
        while waiting:
            case = waiting[-1]
            if case in leaves:
                proved[case] = self._leaf(case, leaves[case], assumed[case])
                waiting.pop()
                continue
            sender, receiver, without, using = branches[case]
            arc = (sender, receiver)
            if without not in assumed:
                column = 1 + len(self._arcs) + self._arcs.index(arc)
                for part, sense, right in ((without, "L", 0), (using, "G", 1)):
                    index = self._added(f"case_{part} {sense} {right} 1 {column} 1 {{ asm }} -1\n")
                    assumed[part] = {**assumed[case], arc: (part == using, index)}
                waiting += [without, using]
                continue
            (_, first), (_, second) = assumed[without][arc], assumed[using][arc]
            reason = f"uns {proved[without]} {first} {proved[using]} {second}"
            proved[case] = self._added(f"bound_{case} L {bound} OBJ {{ {reason} }} -1\n")
            waiting.pop()

    def _leaf(
        self,
        case: int,
        factors: Iterable[tuple[str, int, int, Rational]],
        assumed: Mapping[Arc, tuple[bool, int]],
    ) -> int:
        """The rows and the assumptions add up to a multiple of T <= bound, or to 0 <= -1."""
        total: dict[int, Rational] = {}
        combined: dict[int, Rational] = {}
        for rule, first, second, factor in factors:
            arc = (first, second)
            scale: Rational = factor
            if rule == "chosen" or (rule == "used" and assumed.get(arc, (True, 0))[0] is False):
                # An assumption, about y only; y >= 1 is an inequality of the other direction.
                scale = -factor if rule == "chosen" else factor
                index = assumed[arc][1]
                row = Row(0, {}, {arc: 1}, 0)
            else:
                index = self._index[rule, first, second]
                row = self._rows[index]
            combined[index] = scale
            for column, value in self._terms(row).items():
                total[column] = total.get(column, 0) + scale * value
        for column, value in total.items():
            if column and value:
                combined[column - 1] = value  # -c <= 0 and -y <= 0 are the first rows
        unit = Fraction(total.get(0, 0)) or Fraction(1)
        terms: Terms = {index: value / unit for index, value in sorted(combined.items()) if value}
        reason = f"lin {_listed(terms)}"
        return self._added(f"leaf_{case} L {text(self.proof.bound)} OBJ {{ {reason} }} -1\n")

    def _solution(self) -> Terms | None:
        """The overlay, with its nodes in the order that the program asks for."""
        overlay = self.overlay
        unit = Fraction(overlay.throughput) / overlay.parts
        rates = {(i, j): unit * sum(b - a for a, b in pieces) for i, j, pieces in overlay.arcs}
        senders, receivers = self._placed(rates) if self.proof.places else self._sorted(rates)
        column = {arc: 1 + index for index, arc in enumerate(self._arcs)}
        values: dict[int, Rational] = {0: overlay.throughput}
        for (i, j), rate in rates.items():
            arc = (senders[i], receivers[j])
            if arc not in column:
                return None
            values[column[arc]] = rate
            values[len(self._arcs) + column[arc]] = 1
        for row in self._rows:
            left = sum(values.get(index, 0) * value for index, value in self._terms(row).items())
            if left > row.right or (row.equal and left < row.right):
                return None
        return {index: value for index, value in sorted(values.items()) if value}

    def _placed(self, rates: Mapping[Arc, Fraction]) -> tuple[dict[int, int], dict[int, int]]:
        """Places in the order of first use, of alike senders the lexicographically first one."""
        machine = self.overlay.machine
        served: dict[int, list[int]] = {node: [] for node in range(machine.size)}
        for sender, receiver in sorted(rates):
            served[sender].append(receiver)
        names: dict[int, int] = {}
        places: dict[int, int] = {}

        def key(node: int) -> list[bool]:
            known = {places[j] for j in served[node] if j in places}
            new = range(len(places) + 1, len(places) + 1 + len(served[node]) - len(known))
            return [place in known or place in new for place in range(1, machine.size)]

        for name in self.proof.places:
            kind = (machine.bandwidths[name], machine.degrees[name])
            node = max(
                [
                    other
                    for other in range(machine.size)
                    if (machine.bandwidths[other], machine.degrees[other]) == kind
                    and other not in names
                ],
                key=key,
            )
            names[node] = name
            for receiver in served[node]:
                places.setdefault(receiver, len(places) + 1)
        return names, places

    def _sorted(self, rates: Mapping[Arc, Fraction]) -> tuple[dict[int, int], dict[int, int]]:
        """Alike nodes take each other's names, so that the first gets most from the source."""
        machine = self.overlay.machine
        names = {node: node for node in range(machine.size)}
        kinds: dict[tuple[Fraction, int], list[int]] = {}
        for node in range(1, machine.size):
            kinds.setdefault((machine.bandwidths[node], machine.degrees[node]), []).append(node)
        for nodes in [] if machine.arcs else kinds.values():
            order = sorted(nodes, key=lambda node: -rates.get((0, node), Fraction(0)))
            names |= dict(zip(order, nodes, strict=True))
        return names, names


def _listed(terms: Terms) -> str:
    pairs = (f"{index} {text(value)}" for index, value in terms.items())
    return " ".join([str(len(terms)), *pairs])
