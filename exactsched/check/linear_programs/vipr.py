"""VIPR certificates: exact proofs about mixed-integer linear programs, line by line.

The public format, versions 1.0 and 1.1 (Cheung, Gleixner and Steffy 2017, *Verifying integer
programming results*), without derivations that somebody else has to complete.  Stricter than
viprchk: rounding needs variables that are integers and an inequality, the two sides of a split
differ by 1 at an integer, no number is given twice, a constraint is not used after the last use
that it announces, and a bound on the side of the solutions needs a solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Final

from exactsched.certificate.budget import bits_of, hold, products, spend, within
from exactsched.certificate.limits import MAX_BYTES
from exactsched.check.common_denominator import over_common_denominator
from exactsched.check.proved import shown
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.exact.rational import Rational, exact, readable

# What an assumption of a derivation, or a term of a constraint, takes in memory, in bits.
_BITS: Final = 1 << 9
_SENSES: Final = {"L": -1, "E": 0, "G": 1}


@readable
@dataclass(frozen=True, slots=True)
class ViprClaim:
    """What a VIPR certificate has proved about a mixed-integer linear program.

    It is infeasible, or its optimum lies between `lower` and `upper`, None where nothing is said.
    """

    infeasible: bool
    minimized: bool
    lower: Fraction | None
    upper: Fraction | None
    variables: int
    constraints: int
    derivations: int

    def __str__(self) -> str:
        size = f"{self.variables} variables, {self.constraints} constraints"
        if self.infeasible:
            return f"infeasible ({size}, {self.derivations} derivations)"
        noun = "minimum" if self.minimized else "maximum"
        above = "" if self.lower is None else f"{shown(self.lower)} <= "
        below = "" if self.upper is None else f" <= {shown(self.upper)}"
        return f"{above}{noun}{below} ({size}, {self.derivations} derivations)"


def check_vipr(source: str | PathLike[str]) -> ViprClaim:
    """What a certificate proves: `source` is its text, or the path of a file.

    Linear in the numbers of the file and in those of the rows that derivations combine.  Raises
    `Malformed` for what is not in the format and `Rejected` for what is not proved.

    >>> print(check_vipr('''VER 1.0 VAR 1 x INT 1 0 OBJ max 1 0 1
    ... CON 1 0 half L 3/2 OBJ RTP range 1 1 SOL 1 one 1 0 1
    ... DER 1 rounded L 1 OBJ { rnd 1 0 1 } -1'''))
    1 <= maximum <= 1 (1 variables, 1 constraints, 1 derivations)
    """
    if isinstance(source, str):
        if len(source) > MAX_BYTES:
            raise Malformed("certificate", len(source), f"at most {MAX_BYTES} characters")
        with within(lambda: len(source)):
            return _Checker(_Words(iter(source.splitlines()))).claim()
    path = Path(source)
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise Malformed(str(path), size, f"at most {MAX_BYTES} bytes")
    with within(lambda: size), path.open(encoding="utf-8", errors="replace") as lines:
        return _Checker(_Words(lines)).claim()


class _Words:
    """The words of a file, with the line of the last one; lines of comment come first."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.line = 0
        self._digits = 0  # of exponents
        self._words = self._split(lines)

    def _split(self, lines: Iterator[str]) -> Iterator[str]:
        begun = False
        for number, line in enumerate(lines, 1):
            if not begun and line.startswith("%"):
                continue
            self.line = number
            for word in line.split():
                begun = True
                yield word

    @property
    def place(self) -> str:
        return f"line {self.line}"

    def word(self, noun: str) -> str:
        found = next(self._words, None)
        if found is None:
            raise Malformed(self.place, "the end", f"{noun} is expected")
        return found

    def expect(self, *words: str) -> str:
        found = self.word(" or ".join(words))
        if found not in words:
            raise Malformed(self.place, found, f"{' or '.join(words)} is expected")
        return found

    def integer(self, noun: str, limit: int | None = None) -> int:
        """At least 0, and less than the limit."""
        found = self.word(noun)
        if not (found.isascii() and found.isdigit() and len(found) <= 10):
            raise Malformed(self.place, found, f"{noun} is an integer >= 0")
        if limit is not None and int(found) >= limit:
            raise Malformed(self.place, int(found), f"{noun} is less than {limit}")
        return int(found)

    def number(self, noun: str) -> Fraction:
        found = self.word(noun)
        try:
            number = exact(found, self.place)
        except InvalidInput as refusal:
            raise Malformed(self.place, found, f"{noun}: {refusal.rule}") from None
        if "e" in found or "E" in found:  # a short word that stands for a long number
            self._digits += bits_of(number)
            hold(self._digits, self.place)
        return number

    def terms(self, noun: str, limit: int) -> dict[int, Fraction]:
        """How many, then pairs of an index below the limit and a number; no index twice."""
        return self.pairs(self.integer(f"a number of {noun}s"), noun, limit)

    def pairs(self, count: int, noun: str, limit: int) -> dict[int, Fraction]:
        terms: dict[int, Fraction] = {}
        for _ in range(count):
            index = self.integer(f"the index of a {noun}", limit)
            if index in terms:
                raise Malformed(self.place, index, f"no {noun} is listed twice")
            terms[index] = self.number(f"the number of {noun} {index}")
        return terms

    def ended(self) -> None:
        found = next(self._words, None)
        if found is not None:
            raise Malformed(self.place, found, "nothing follows the last derivation")


@dataclass(frozen=True, slots=True)
class _Constraint:
    """The sum of terms[j] * x_j is at most (sense -1), equal to (0) or at least (1) `right`.

    All in integers, over `unit`; terms are not 0.
    """

    terms: Mapping[int, int]
    sense: int
    right: int
    unit: int

    @property
    def absurd(self) -> bool:
        below = self.sense <= 0 and self.right < 0
        return not self.terms and (below or (self.sense >= 0 and self.right > 0))

    @property
    def longest(self) -> int:
        """The most bits of a number."""
        bits = max(self.right.bit_length(), self.unit.bit_length())
        return max(map(int.bit_length, self.terms.values()), default=0) + bits

    def dominates(self, other: _Constraint, place: str) -> bool:
        if self.absurd:
            return True
        if self.sense not in (0, other.sense) or self.terms.keys() != other.terms.keys():
            return False
        ours, theirs = other.unit, self.unit
        spend(len(self.terms) * products(self.longest, other.longest), place)
        if any(ours * value != theirs * other.terms[j] for j, value in self.terms.items()):
            return False
        surplus = ours * self.right - theirs * other.right
        return surplus == 0 if other.sense == 0 else surplus * other.sense >= 0


def _constraint(terms: Mapping[int, Rational], sense: int, right: Rational) -> _Constraint:
    numbers, unit = over_common_denominator([right, *terms.values()], "constraint")
    scaled = dict(zip(terms, numbers[1:], strict=True))
    return _Constraint({j: value for j, value in scaled.items() if value}, sense, numbers[0], unit)


@dataclass(slots=True)
class _Checker:
    _words: _Words
    _integers: frozenset[int] = field(init=False)
    _count: int = field(init=False)  # of variables
    _minimized: bool = field(init=False)
    _objective: dict[int, Fraction] = field(init=False)
    _known: dict[int, _Constraint] = field(init=False)
    _assumptions: dict[int, frozenset[int]] = field(init=False)  # only where there are any
    _last_use: dict[int, int] = field(init=False)
    _best: Fraction | None = field(init=False)  # of the solutions
    _cut_off: bool = field(init=False)
    _objective_row: _Constraint = field(init=False)
    _bits: int = field(init=False)  # that all constraints and assumptions take in memory

    def claim(self) -> ViprClaim:
        words = self._words
        self._known, self._assumptions, self._last_use = {}, {}, {}
        self._best, self._cut_off, self._bits = None, False, 0
        words.expect("VER")
        words.expect("1.0", "1.1")
        words.expect("VAR")
        self._count = words.integer("a number of variables")
        for _ in range(self._count):
            words.word("the name of a variable")
        words.expect("INT")
        wholes = words.integer("a number of integer variables")
        indices = [words.integer("the index of a variable", self._count) for _ in range(wholes)]
        self._integers = frozenset(indices)
        words.expect("OBJ")
        self._minimized = words.expect("min", "max") == "min"
        self._objective = words.terms("variable", self._count)
        self._objective_row = _constraint(self._objective, 0, 0)
        words.expect("CON")
        constraints = words.integer("a number of constraints")
        words.integer("the number of bounds among them", constraints + 1)
        for index in range(constraints):
            self._known[index] = self._read_constraint()
        infeasible, lower, upper = self._read_relation()
        self._read_solutions(infeasible, constraints)
        self._refuse_unreached(lower, upper)
        words.expect("DER")
        derivations = words.integer("a number of derivations")
        for index in range(constraints, constraints + derivations):
            self._derive(index)
        words.ended()
        last = constraints + derivations - 1
        self._refuse_unproved(infeasible, lower, upper, last if derivations else None)
        return ViprClaim(
            infeasible,
            self._minimized,
            lower,
            upper,
            self._count,
            constraints,
            derivations,
        )

    def _read_constraint(self) -> _Constraint:
        words = self._words
        words.word("the name of a constraint")
        sense = _SENSES[words.expect(*_SENSES)]
        right = words.number("the right side")
        head = words.word("a number of terms or OBJ")
        if head == "OBJ":
            return self._objective_with(sense, right)
        if not (head.isascii() and head.isdigit() and len(head) <= 10):
            raise Malformed(words.place, head, "a number of terms or OBJ is expected")
        return _constraint(words.pairs(int(head), "variable", self._count), sense, right)

    def _objective_with(self, sense: int, right: Rational) -> _Constraint:
        """The objective with a right side: without a copy of its terms, if that is possible."""
        row = self._objective_row
        factor, rest = divmod(row.unit, right.denominator)
        if not rest:
            return _Constraint(row.terms, sense, right.numerator * factor, row.unit)
        self._keep(len(row.terms))
        return _constraint(self._objective, sense, right)

    def _keep(self, parts: int) -> None:
        """Terms or assumptions that are kept to the end, and for which the file has no words."""
        self._bits += parts * _BITS
        spend(parts, self._words.place)
        hold(self._bits, self._words.place)

    def _read_relation(self) -> tuple[bool, Fraction | None, Fraction | None]:
        words = self._words
        words.expect("RTP")
        if words.expect("infeas", "range") == "infeas":
            return True, None, None
        bounds: list[Fraction | None] = []
        for endless in ("-inf", "inf"):
            found = words.word("a bound")
            try:
                bounds.append(None if found == endless else exact(found, words.place))
            except InvalidInput as refusal:
                raise Malformed(words.place, found, f"a bound: {refusal.rule}") from None
        lower, upper = bounds
        if lower is not None and upper is not None and lower > upper:
            raise Rejected("RTP", shown(lower), f"not above the upper bound, {shown(upper)}")
        if lower is None and upper is None:
            raise Rejected("RTP", "range -inf inf", "something is to be proved")
        return False, lower, upper

    def _read_solutions(self, infeasible: bool, constraints: int) -> None:
        words = self._words
        words.expect("SOL")
        solutions = words.integer("a number of solutions")
        if infeasible and solutions:
            raise Rejected("SOL", solutions, "an infeasible program has no solutions")
        for _ in range(solutions):
            name = words.word("the name of a solution")
            values = words.terms("variable", self._count)
            for index, value in values.items():
                if index in self._integers and value.denominator != 1:
                    rule = f"variable {index} is an integer"
                    raise Rejected(f"solution {name}", shown(value), rule)
            numbers, unit = over_common_denominator(list(values.values()), f"solution {name}")
            at = dict(zip(values, numbers, strict=True))
            longest = max(map(int.bit_length, [unit, *numbers]))
            for index in range(constraints):
                row = self._known[index]
                spend(len(row.terms) * products(row.longest, longest), words.place)
                total = sum(value * at.get(j, 0) for j, value in row.terms.items())
                excess = total - row.right * unit
                if excess * row.sense < 0 or (row.sense == 0 and excess):
                    raise Rejected(f"solution {name}", index, "this constraint is violated")
            gain = sum(
                (value * values.get(j, 0) for j, value in self._objective.items()), Fraction(0)
            )
            if self._best is None or (gain < self._best) == self._minimized:
                self._best = gain

    def _refuse_unreached(self, lower: Fraction | None, upper: Fraction | None) -> None:
        limit = upper if self._minimized else lower
        if limit is None:
            return
        if self._best is None:
            raise Rejected("SOL", 0, f"a solution reaches {shown(limit)}")
        if self._best != limit and (self._best > limit) == self._minimized:
            raise Rejected("SOL", shown(self._best), f"a solution reaches {shown(limit)}")

    def _derive(self, index: int) -> None:
        words = self._words
        stated = self._read_constraint()
        words.expect("{")
        reason = words.expect("asm", "lin", "rnd", "uns", "sol")
        assumptions: frozenset[int] = frozenset()
        if reason == "asm":
            assumptions = frozenset([index])
        elif reason == "uns":
            assumptions = self._unsplit(index, stated)
        elif reason == "sol":
            self._refuse_unless_cutoff(stated)
        else:
            derived, assumptions = self._combined(index)
            if reason == "rnd":
                derived = self._rounded(derived)
            if not derived.dominates(stated, words.place):
                rule = "the multiplied constraints add up to the one stated or a stronger one"
                raise Rejected(words.place, index, rule)
        words.expect("}")
        if assumptions:
            self._keep(len(assumptions))
            self._assumptions[index] = assumptions
        self._known[index] = stated
        last_use = words.word("the index of the last use")
        if last_use != "-1":
            if not (last_use.isascii() and last_use.isdigit() and len(last_use) <= 10):
                raise Malformed(words.place, last_use, "the last use is an index, or -1")
            self._last_use[index] = int(last_use)

    def _used(self, index: int, user: int) -> _Constraint:
        if self._last_use.get(index, user) < user:
            rule = f"its last use was announced for {self._last_use[index]}"
            raise Rejected(f"{self._words.place}, constraint {user}", index, rule)
        return self._known[index]

    def _combined(self, index: int) -> tuple[_Constraint, frozenset[int]]:
        words = self._words
        head = words.word("a number of constraints")
        if head in ("weak", "incomplete"):
            raise Rejected(words.place, head, "the derivation has to be completed first")
        if not (head.isascii() and head.isdigit() and len(head) <= 10):
            raise Malformed(words.place, head, "a number of constraints is expected")
        multipliers = words.pairs(int(head), "constraint", index)
        rows = [(self._used(at, index), factor) for at, factor in multipliers.items() if factor]
        sense = 0
        for row, factor in rows:
            side = row.sense if factor > 0 else -row.sense
            if side and sense not in (0, side):
                rule = "all multiplied inequalities have the same direction"
                raise Rejected(f"{words.place}, constraint {index}", shown(factor), rule)
            sense = side or sense
        factors = [factor / row.unit for row, factor in rows]
        numbers, unit = over_common_denominator(factors, words.place)
        longest = max(map(int.bit_length, numbers), default=0)
        spend(
            sum([2 * len(row.terms) * products(row.longest, longest) for row, _ in rows]),
            words.place,
        )
        total: dict[int, int] = {}
        right = 0
        for (row, _), number in zip(rows, numbers, strict=True):
            right += number * row.right
            for j, value in row.terms.items():
                total[j] = total.get(j, 0) + number * value
        terms = {j: value for j, value in total.items() if value}
        held = [self._assumptions.get(at, ()) for at, factor in multipliers.items() if factor]
        spend(sum(map(len, held)), words.place)
        return _Constraint(terms, sense, right, unit), frozenset(chain.from_iterable(held))

    def _rounded(self, derived: _Constraint) -> _Constraint:
        self._refuse_unless_integral(derived, "a row of integers is rounded")
        if derived.sense == 0:
            raise Rejected(self._words.place, "=", "an inequality is rounded")
        if derived.sense < 0:
            right = derived.right // derived.unit
        else:
            right = -(-derived.right // derived.unit)
        terms = {j: value // derived.unit for j, value in derived.terms.items()}
        return _Constraint(terms, derived.sense, right, 1)

    def _refuse_unless_integral(self, row: _Constraint, rule: str) -> None:
        for j, value in row.terms.items():
            if j not in self._integers:
                raise Rejected(self._words.place, f"variable {j}", f"{rule}: not an integer")
            if value % row.unit:
                coefficient = shown(Fraction(value, row.unit))
                raise Rejected(self._words.place, coefficient, f"{rule}: not an integer")

    def _unsplit(self, index: int, stated: _Constraint) -> frozenset[int]:
        words = self._words
        place = f"{words.place}, constraint {index}"
        one, first, other, second = (
            words.integer("the index of a constraint", index) for _ in range(4)
        )
        for part in (one, other):
            if not self._used(part, index).dominates(stated, place):
                raise Rejected(place, part, "both cases prove the constraint stated")
        low, high = self._used(first, index), self._used(second, index)
        if low.sense > high.sense:
            low, high = high, low
        if (low.sense, high.sense) != (-1, 1):
            raise Rejected(place, [first, second], "one case is <= and the other >=")
        rule = "a split is about integers"
        spend(2 * len(low.terms) + 2 * len(high.terms), place)
        self._refuse_unless_integral(low, rule)
        self._refuse_unless_integral(high, rule)
        if {j: value // low.unit for j, value in low.terms.items()} != {
            j: value // high.unit for j, value in high.terms.items()
        }:
            raise Rejected(place, [first, second], "both cases are about the same sum")
        if low.right % low.unit:
            raise Rejected(place, shown(Fraction(low.right, low.unit)), f"{rule}: not an integer")
        if (low.right + low.unit) * high.unit != high.right * low.unit:
            raise Rejected(place, [first, second], "the cases are <= b and >= b + 1")
        nothing: frozenset[int] = frozenset()
        spend(sum([len(self._assumptions.get(part, nothing)) for part in (one, other)]), place)
        in_one = self._assumptions.get(one, nothing) - {first}
        return in_one | (self._assumptions.get(other, nothing) - {second})

    def _refuse_unless_cutoff(self, stated: _Constraint) -> None:
        """A solution is known: only better ones, for a minimum, need to be looked at."""
        if self._best is None or not self._minimized:
            raise Rejected(self._words.place, "sol", "a solution of a minimization is known")
        spend(3 * len(self._objective), self._words.place)
        integral = all(j in self._integers for j in self._objective) and all(
            value.denominator == 1 for value in self._objective.values()
        )
        cutoff = self._objective_with(-1, self._best - 1 if integral else self._best)
        if not (stated.sense == -1 and cutoff.dominates(stated, self._words.place)):
            rule = f"the objective is at most {shown(Fraction(cutoff.right, cutoff.unit))}"
            raise Rejected(self._words.place, "sol", rule)
        self._cut_off = True

    def _refuse_unproved(
        self, infeasible: bool, lower: Fraction | None, upper: Fraction | None, last: int | None
    ) -> None:
        limit = lower if self._minimized else upper
        if not infeasible and limit is None and last is None:
            return
        if last is None:
            raise Rejected("DER", 0, "the relation is the last derivation")
        if last in self._assumptions:
            open_ones = sorted(self._assumptions[last])[:4]
            raise Rejected("DER", open_ones, "the last derivation holds without assumptions")
        if infeasible:
            if not self._known[last].absurd:
                raise Rejected("DER", last, "the last derivation is absurd")
            return
        if limit is None:
            raise Rejected("DER", last, "nothing is to be derived")
        if self._cut_off and self._best is not None and limit > self._best:
            raise Rejected("RTP", shown(limit), f"a solution has {shown(self._best)}")
        target = _constraint(self._objective, 1 if self._minimized else -1, limit)
        if not self._known[last].dominates(target, "DER"):
            raise Rejected("DER", last, f"the last derivation proves {shown(limit)}")


def _whole(value: Fraction) -> Rational:
    return value.numerator if value.denominator == 1 else value
