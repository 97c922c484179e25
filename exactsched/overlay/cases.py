"""Proofs that no overlay within the degrees is faster than a bound: cases, an arc used or not.

A branch and bound over the arcs.  Relaxations are solved in floats.  Every leaf has rational
multipliers of its rows, which are repaired so that they are valid even if the floats are wrong,
and computed exactly where that is not enough
(`proofs/overlay-exact.md`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from time import monotonic

from exactsched.certificate.linear_programs import LinearOptimum
from exactsched.certificate.overlay import Branch, CaseProof, Factor, Leaf
from exactsched.exact.arguments import whole
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational, exact, text
from exactsched.exact.search_limits import checked_node_limit, deadline_after
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.machine import MultiPort
from exactsched.overlay.case_program import ELASTIC, PRICE, CaseProgram, Point, UnsolvedError
from exactsched.overlay.relaxation import Arc, Relaxation, Row, RowName

Case = Mapping[Arc, bool]
Multipliers = dict[RowName, Fraction]

# Small denominators make short proofs, and suffice in most cases.
DENOMINATORS = (60, 10_000, 10**8)
# Floats are believed to be right up to this much, in units of the ceiling, when it is decided
# whether multipliers are tried or the case is split.
MARGIN = 1e-7
INTEGRAL = 1e-8
# The ceiling is at most so much of the bound above it.
HEADROOM = Fraction(1, 64)
# Arcs of which both parts are solved before one is chosen: with 8 of them the number of cases is
# about half of that with 1, and more do not pay.
TRIED = 8
# Cases after which a proof by places is given up, if one by nodes can be tried.
PLACES_LIMIT = 4_000
# With more arcs a single linear program takes longer than anybody waits: 60 nodes.
MOST_ARCS = 3_600


def prove_by_cases(
    machine: MultiPort, bound: object, *, nodes: int | None = None, seconds: float | None = None
) -> CaseProof | None:
    """A proof that no overlay within the degrees has a throughput above the bound.

    None if none was found within a number of cases, or of seconds, or because it is not a bound.
    First, for half of the time at most, receivers are places without a name, which is short where
    degrees and bandwidths alone are the reason; then nodes, with cuts.

    Raises `InvalidInput` for a bound that is not an exact number >= 0.  Takes exponential time at
    worst: the problem is NP-hard (Beaumont, Eyraud-Dubois and Agrawal 2010, theorem 3.6).

    >>> machine = MultiPort([2, 1, 1], [1, 1, 0])  # a chain, at the rate of its middle
    >>> proof = prove_by_cases(machine, 1)
    >>> from exactsched.check.overlay.case_proof import bound_of
    >>> bound_of(machine, proof)
    1
    """
    limit, deadline = checked_node_limit(nodes), deadline_after(seconds)
    by_places = None if seconds is None else deadline_after(seconds / 2)
    number = exact(bound, "bound")
    if number < 0:
        raise InvalidInput("bound", text(number), "a throughput is not negative")
    for relaxation, most in _relaxations(machine, whole(number), limit):
        try:
            end = by_places if relaxation.places else deadline
            return _Search(relaxation, most, end).proof()
        except (_NoProofError, UnsolvedError):
            continue
    return None


def best_proof_by_cases(
    machine: MultiPort,
    lower: object,
    upper: object,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    steps: int = 4,
) -> CaseProof | None:
    """A proof of the lower number as a bound, or else of a larger one, as small as could be found.

    `nodes` limits every one of `steps` + 1 attempts; the first takes half of the `seconds`, the
    next half of what is left.  They halve the interval from `lower` to `upper`, which is
    known to be a bound and for which None stands.

    >>> machine = MultiPort([2, 1, 1], [1, 1, 0])
    >>> best_proof_by_cases(machine, 1, 2).bound
    1
    >>> best_proof_by_cases(machine, "1/2", 2).bound
    1
    """
    low, high = exact(lower, "lower"), exact(upper, "upper")
    deadline = deadline_after(seconds)
    best, target = None, low
    for _ in range(steps + 1):
        left = None if deadline is None else max(deadline - monotonic(), 0.0) / 2
        proof = prove_by_cases(machine, target, nodes=nodes, seconds=left)
        if proof is not None:
            best, high = proof, target
        else:
            low = target
        if high == low:
            break
        target = simplest_between(low + (high - low) / 3, low + (high - low) * 2 / 3)
    return best


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator in (low, high], and the least of those.

    >>> simplest_between(Fraction(1), Fraction(5, 4))
    Fraction(5, 4)
    """
    below = floor(low)
    if below + 1 <= high:
        return Fraction(below + 1)
    return below + 1 / _simplest_from(
        1 / (high - below), None if low == below else 1 / (low - below)
    )


def _simplest_from(low: Fraction, high: Fraction | None) -> Fraction:
    """The same in [low, high), where None stands for no end."""
    above = ceil(low)
    if high is None or above < high:
        return Fraction(above)
    below = above - 1
    return below + 1 / simplest_between(1 / (high - below), 1 / (low - below))


def _relaxations(
    machine: MultiPort, bound: Rational, limit: int | None
) -> Iterator[tuple[Relaxation, int | None]]:
    """With the numbers of cases that may be spent on them."""
    headroom = bound * HEADROOM if bound else max(*machine.bandwidths, Fraction(1))
    ceiling = whole(simplest_between(Fraction(bound), bound + headroom))
    if not machine.arcs:
        senders = range(machine.size)
        degrees, bandwidths = machine.degrees, machine.bandwidths
        order = tuple(sorted(senders, key=lambda node: (degrees[node], -bandwidths[node], node)))
        least = PLACES_LIMIT if limit is None else min(limit, PLACES_LIMIT)
        yield Relaxation(machine, bound, ceiling, order), least
    yield Relaxation(machine, bound, ceiling, ()), limit


class _NoProofError(Exception):
    """A limit is reached, or a solution that uses arcs wholly is above the bound."""


@dataclass(slots=True)
class _Search:
    """Depth first: the target is fixed, so the order of the cases makes no difference."""

    relaxation: Relaxation
    limit: int | None
    deadline: float | None
    _program: CaseProgram = field(init=False)
    _rows: dict[RowName, Row] = field(init=False)
    _enough: float = field(init=False)

    def __post_init__(self) -> None:
        if len(self.relaxation.arcs()) > MOST_ARCS:
            raise _NoProofError
        self._program, self._rows = CaseProgram(self.relaxation), {}
        self._enough = float(Fraction(self.relaxation.bound) / Fraction(self.relaxation.ceiling))

    def proof(self) -> CaseProof:
        branches: list[tuple[int, int, int, int, int]] = []
        leaves: list[tuple[int, Multipliers]] = []
        waiting: list[tuple[int, dict[Arc, bool]]] = [(0, {})]
        count = 1
        while waiting:
            if self.limit is not None and count > self.limit:
                raise _NoProofError
            if self.deadline is not None and monotonic() > self.deadline:
                raise _NoProofError
            number, case = waiting.pop()
            self._program.enter(case)
            point = self._program.solve(self._enough + MARGIN)
            if point.value <= self._enough + MARGIN:
                factors = self._factors(case, point)
                if factors is not None:
                    leaves.append((number, factors))
                    continue
                point = self._program.solve(0.0)
            arc = self._undecided(case, point)
            branches.append((number, *arc, count, count + 1))
            waiting += [(count, {**case, arc: False}), (count + 1, {**case, arc: True})]
            count += 2
        return self._with_cuts_in_use(branches, leaves)

    def _undecided(self, case: Case, point: Point) -> Arc:
        """The arc that lowers the values of both parts the most, among those of large rates.

        To look at the fractions of uses as well makes no fewer cases.
        """
        rates = {
            arc: point.rates[arc]
            for arc, use in point.uses.items()
            if arc not in case and INTEGRAL < use < 1 - INTEGRAL
        }
        if not rates:
            raise _NoProofError
        tried = sorted(rates, key=lambda arc: (-rates[arc], arc))[:TRIED]
        if len(tried) == 1:
            return tried[0]
        return max(tried, key=lambda arc: self._progress(case, point, arc))

    def _progress(self, case: Case, point: Point, arc: Arc) -> float:
        progress = 1.0
        for used in (False, True):
            self._program.enter({**case, arc: used})
            progress *= max(point.value - max(self._program.value(), self._enough), 1e-6)
        return progress

    def _row(self, name: RowName) -> Row:
        if name not in self._rows:
            cut = self._program.cuts[name[1]] if name[0] == "cut" else ()
            self._rows[name] = self.relaxation.row(name, cut)
        return self._rows[name]

    def _factors(self, case: Case, point: Point) -> Multipliers | None:
        """Factors that prove the bound in this case, if there are any."""
        proposals = {
            # Rows about uses only are not in units of the ceiling.
            name: Fraction(value) * (self.relaxation.ceiling if self._row(name).uses else 1)
            for name, value in point.multipliers.items()
            if name[0] != "link" and abs(value) > MARGIN
        }
        for denominator in DENOMINATORS:
            rounded = {
                name: value.limit_denominator(denominator) for name, value in proposals.items()
            }
            factors = self._repaired(case, rounded)
            if factors is not None:
                return factors
        return self._repaired(case, self._exact_multipliers(case))

    def _repaired(self, case: Case, multipliers: Multipliers) -> Multipliers | None:
        """The other factors as they have to be, or None if the sum proves too little.

        Rates need coefficients >= 0, which links provide, and so do uses, which are at most 1.
        """
        relaxation = self.relaxation
        factors: Multipliers = {}
        throughput = right = Fraction(0)
        rates: dict[Arc, Fraction] = {}
        uses: dict[Arc, Fraction] = {}
        for name, factor in multipliers.items():
            row = self._row(name)
            if factor == 0 or (factor < 0 and not row.equal):
                continue
            factors[name] = factor
            throughput += factor * row.throughput
            right += factor * row.right
            for arc, sign in row.rates.items():
                rates[arc] = rates.get(arc, Fraction(0)) + factor * sign
            for arc, coefficient in row.uses.items():
                uses[arc] = uses.get(arc, Fraction(0)) + factor * coefficient
        for arc, rate in rates.items():
            if rate < 0:
                factors["link", *arc] = -rate
                uses[arc] = uses.get(arc, Fraction(0)) + rate * relaxation.capacity(arc[0])
        for arc, use in uses.items():
            if use < 0:
                factors["used", *arc] = -use
                right -= use if case.get(arc, True) else 0
            elif use > 0 and case.get(arc):
                factors["chosen", *arc] = use
                right -= use
        if throughput < 1:
            # Up to 1 with T <= ceiling: what a dual solution says about the column of T.
            factors["bound", 0, 0] = factors.get(("bound", 0, 0), Fraction(0)) + 1 - throughput
            right += (1 - throughput) * relaxation.ceiling
            throughput = Fraction(1)
        if right > throughput * relaxation.bound:
            return None
        return {name: factor for name, factor in sorted(factors.items()) if factor}

    def _exact_multipliers(self, case: Case) -> Multipliers:
        """The dual of the case, without arcs that are not used, and with shortage at a price."""
        arcs = [arc for arc in self._program.arcs if case.get(arc, True)]
        rate_column = {arc: 1 + index for index, arc in enumerate(arcs)}
        free = [arc for arc in arcs if arc not in case]
        use_column = {arc: 1 + len(arcs) + index for index, arc in enumerate(free)}
        shortage = 1 + len(arcs) + len(free)
        names = [*self._program.names, ("bound", 0, 0)]
        rows: list[dict[int, Rational]] = []
        right_sides: list[Rational] = []
        for name in names:
            row = self._row(name)
            entries: dict[int, Rational] = {0: row.throughput}
            entries |= {rate_column[a]: value for a, value in row.rates.items() if a in rate_column}
            entries |= {use_column[a]: value for a, value in row.uses.items() if a in use_column}
            entries |= {shortage: -1} if name[0] in ELASTIC else {}
            rows.append(entries)
            right_sides.append(row.right - sum(v for a, v in row.uses.items() if case.get(a)))
        rows += [{column: 1} for column in use_column.values()]
        right_sides += [1] * len(use_column)
        best = maximize(
            linear_program(
                [1] + [0] * (shortage - 1) + [-PRICE * self.relaxation.ceiling],
                rows,
                right_sides,
                [index for index, name in enumerate(names) if self._row(name).equal],
                range(shortage + 1),
            )
        )
        if not isinstance(best, LinearOptimum):
            raise _NoProofError  # more arcs were chosen than the degree allows
        return {
            names[index]: Fraction(factor)
            for index, factor in best.dual
            if index < len(names) and names[index][0] not in ("link", "bound")
        }

    def _with_cuts_in_use(
        self, branches: list[tuple[int, int, int, int, int]], leaves: list[tuple[int, Multipliers]]
    ) -> CaseProof:
        used = sorted({name[1] for _, rows in leaves for name in rows if name[0] == "cut"})
        number = {cut: index for index, cut in enumerate(used)}

        def listed(name: RowName, factor: Fraction) -> Factor:
            rule, first, second = name
            return Factor(rule, number[first] if rule == "cut" else first, second, whole(factor))

        return CaseProof(
            self.relaxation.bound,
            self.relaxation.ceiling,
            self.relaxation.places,
            tuple(self._program.cuts[cut] for cut in used),
            tuple(map(Branch._make, branches)),
            tuple(
                Leaf(number, tuple(listed(name, factor) for name, factor in rows.items()))
                for number, rows in sorted(leaves)
            ),
        )
