"""Linear programs in LP files, as CPLEX defined them, every number taken from its digits.

An objective (``minimize`` or ``maximize``), ``subject to`` rows, ``bounds``, ``end``.  A row is
``name: 2 x + 3 y <= 4``, also with a form between two numbers; without a name it gets one, R1 for
the first row.  Variables are at least 0 unless a bound says otherwise.

Limits: sections of integer or binary variables, quadratic terms and indicators are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.linear_programs.stated_program import (
    NOT_NEGATIVE,
    Range,
    StatedProgram,
    StatedRow,
)

_TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<relation><=|=<|>=|=>|<|>|=)"
    r"|(?P<sign>[+-])"
    r"|(?P<colon>:)"
    r"|(?P<name>[A-Za-z!\"#$%&(),;?@_'`{}~][\w!\"#$%&(),.;?@'`{}~]*)"
    r"|(?P<other>\S)"
)
_BLANKS = re.compile(r"\s*")
# The words at the start of a line that begin a section.
_SECTIONS = {
    **dict.fromkeys(("minimize", "minimise", "minimum", "min"), "minimize"),
    **dict.fromkeys(("maximize", "maximise", "maximum", "max"), "maximize"),
    **dict.fromkeys(("subject to", "such that", "st", "s.t.", "st."), "rows"),
    **dict.fromkeys(("bounds", "bound"), "bounds"),
    "end": "end",
}
_REFUSED = {"general", "generals", "gen", "integer", "integers", "int", "binary", "binaries", "bin"}
_REFUSED |= {"semi-continuous", "semis", "semi", "sos"}
_INFINITE = {"inf", "infinity"}
_TURNED = {"<": ">", ">": "<", "=": "="}


class _Token(NamedTuple):
    kind: str
    text: str
    place: str


class _Form(NamedTuple):
    """A sum of numbers and of coefficients times variables; infinite if `infinite` is 1 or -1."""

    coefficients: dict[str, Fraction]
    constant: Fraction
    infinite: int = 0


def parse_lp(written: str) -> StatedProgram:
    r"""The program that the text of an LP file states.

    Raises `InvalidInput` with the number of the line that breaks a rule.

    >>> program = parse_lp('''
    ... minimize  cost: 2 bread + 3 milk
    ... subject to
    ...   energy: bread + milk >= 4
    ... bounds
    ...   bread <= .3e1
    ... end
    ... ''')
    >>> program.rows["energy"].within, program.variables["bread"]
    (Range(low=Fraction(4, 1), high=None), Range(low=0, high=Fraction(3, 1)))
    """
    sections = _sections(written)
    sense = next((name for name in ("minimize", "maximize") if name in sections), None)
    if sense is None:
        raise InvalidInput("file", "no objective", "it starts with minimize or maximize")
    objective = _Reader(sections[sense])
    objective.name()
    gains = objective.form()
    objective.end("the objective is one linear form")
    rows = _rows(_Reader(sections.get("rows", [])))
    variables = dict.fromkeys(gains.coefficients, NOT_NEGATIVE)
    for row in rows.values():
        variables.update(dict.fromkeys(row.coefficients, NOT_NEGATIVE))
    # A bound ends with its line: the sign that the next one starts with does not go on with it.
    for _, tokens in groupby(sections.get("bounds", []), key=attrgetter("place")):
        _set_bounds(_Reader(list(tokens)), variables)
    return StatedProgram(sense == "minimize", gains.coefficients, rows, variables, gains.constant)


def _sections(written: str) -> dict[str, list[_Token]]:
    """The tokens of each section."""
    found: dict[str, list[_Token]] = {}
    current: list[_Token] | None = None
    for number, line in enumerate(written.splitlines(), 1):
        place, rest = f"line {number}", line.split("\\")[0].strip()
        word, after = _heading(rest)
        if word in _REFUSED:
            raise InvalidInput(place, rest, "variables are real; sections of others are not read")
        if word:
            if word in found or (word == "maximize" and "minimize" in found):
                raise InvalidInput(place, rest, "this section is there twice")
            current = found[word] = []
            rest = after
        if not rest:
            continue
        if current is None or "end" in found:
            rule = "nothing follows end" if found else "it starts with minimize or maximize"
            raise InvalidInput(place, rest, rule)
        current += _tokens(rest, place)
    return found


def _heading(line: str) -> tuple[str, str]:
    """The section that starts on this line, and what follows on it; or two empty texts."""
    lower = line.lower()
    for words, section in _SECTIONS.items():
        if lower == words or (lower.startswith(words + " ") and ":" not in words):
            after = line[len(words) :].strip()
            # `st + x >= 1` goes on with a variable of this name.
            if not after.startswith(("+", "-", "<", ">", "=", ":")) or section in (
                "minimize",
                "maximize",
            ):
                return section, after
    return (lower, "") if lower in _REFUSED else ("", "")


def _tokens(line: str, place: str) -> Iterable[_Token]:
    start = 0
    while start < len(line):
        match = _TOKEN.match(line, start)
        assert match is not None  # `other` is anything
        assert match.lastgroup is not None
        if match.lastgroup == "other":
            rule = "numbers, names, + - <= >= = and : are read, no products and quotients"
            raise InvalidInput(place, match[0], rule)
        yield _Token(match.lastgroup, match[0], place)
        blanks = _BLANKS.match(line, match.end())
        start = blanks.end() if blanks else match.end()


def _rows(reader: _Reader) -> dict[str, StatedRow]:
    rows: dict[str, StatedRow] = {}
    while reader.more():
        place = reader.place
        name = reader.name() or f"R{len(rows) + 1}"
        if name in rows:
            raise InvalidInput(place, name, "two rows have this name")
        coefficients, within = _related(reader)
        rows[name] = StatedRow(coefficients, within)
    return rows


def _set_bounds(reader: _Reader, variables: dict[str, Range]) -> None:
    while reader.more():
        place = reader.place
        name = reader.free_variable()
        if name is not None:
            variables[name] = Range()
            continue
        coefficients, within = _related(reader)
        if len(coefficients) != 1 or set(coefficients.values()) != {Fraction(1)}:
            raise InvalidInput(place, " ".join(coefficients), "a bound is of one variable")
        (name,) = coefficients
        before = variables.get(name, NOT_NEGATIVE)
        # What a bound does not speak of stays; a stated infinity takes an end away.
        low, high, spoken = within.low, within.high, reader.spoken
        if spoken == {"<"} and high is not None and high < 0 == before.low:
            rule = "solvers differ on a negative upper end without a lower one; write both"
            raise InvalidInput(place, name, rule)
        variables[name] = Range(
            low if ">" in spoken else before.low, high if "<" in spoken else before.high
        )


def _related(reader: _Reader) -> tuple[dict[str, Fraction], Range]:
    """One form between numbers: form op number, or number op form, or number op form op number.

    Sets `reader.spoken` to the ends that are given, "<" for the upper one.
    """
    place, rule = reader.place, "a row is a form with variables, one or two of <= >= =, and numbers"
    form, sides = reader.form(), []
    if not form.coefficients:
        left = form
        sides.append((_TURNED[reader.relation(rule)], left))
        form = reader.form()
    if not sides or reader.relates():
        sides.append((reader.relation(rule), reader.number(rule)))
    if not form.coefficients or reader.relates():
        raise InvalidInput(place, "".join(relation for relation, _ in sides), rule)
    ends: dict[str, Fraction | None] = {}
    for relation, side in sides:
        for end in "<>" if relation == "=" else relation:
            if end in ends or (side.infinite and side.infinite != (1 if end == "<" else -1)):
                raise InvalidInput(place, relation, rule)
            ends[end] = None if side.infinite else side.constant - form.constant
    reader.spoken = set(ends)
    return form.coefficients, Range(ends.get(">"), ends.get("<"))


class _Reader:
    """Takes the tokens of a section one after the other."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self.spoken: set[str] = set()

    def more(self) -> bool:
        return self._at < len(self._tokens)

    @property
    def place(self) -> str:
        if not self._tokens:
            return "end of the file"
        return self._tokens[min(self._at, len(self._tokens) - 1)].place

    def _kind(self, ahead: int) -> str:
        at = self._at + ahead
        return self._tokens[at].kind if at < len(self._tokens) else ""

    def name(self) -> str | None:
        """A name and a colon, if they come next."""
        if (self._kind(0), self._kind(1)) != ("name", "colon"):
            return None
        self._at += 2
        return self._tokens[self._at - 2].text

    def free_variable(self) -> str | None:
        """A name and the word free, if they come next."""
        if (self._kind(0), self._kind(1)) != ("name", "name"):
            return None
        name, word = self._tokens[self._at : self._at + 2]
        if word.text.lower() != "free":
            raise InvalidInput(word.place, word.text, "the only word after a variable is free")
        self._at += 2
        return name.text

    def relates(self) -> bool:
        return self._kind(0) == "relation"

    def relation(self, rule: str) -> str:
        if not self.relates():
            raise InvalidInput(self.place, self._text(), rule)
        token = self._tokens[self._at]
        self._at += 1
        return "=" if token.text == "=" else token.text.strip("=")

    def number(self, rule: str) -> _Form:
        """One number with its signs: what follows belongs to the next row."""
        sign = self._signs()
        if self._kind(0) == "name" and self._text().lower() in _INFINITE:
            self._at += 1
            return _Form({}, Fraction(0), sign)
        if self._kind(0) != "number":
            raise InvalidInput(self.place, self._text(), rule)
        self._at += 1
        token = self._tokens[self._at - 1]
        return _Form({}, sign * exact(token.text, token.place))

    def _signs(self) -> int:
        sign = 1
        while self._kind(0) == "sign":
            sign = -sign if self._text() == "-" else sign
            self._at += 1
        return sign

    def _text(self) -> str:
        return self._tokens[self._at].text if self.more() else "nothing"

    def form(self) -> _Form:
        """A linear form, up to what cannot belong to it."""
        coefficients: dict[str, Fraction] = {}
        constant, infinite, first = Fraction(0), 0, True
        while first or self._kind(0) == "sign":
            first = False
            number, place = Fraction(self._signs()), self.place
            counted = self._kind(0) == "number"
            if counted:
                number *= exact(self._text(), place)
                self._at += 1
            # A name belongs to the number before it, unless it is the name of the next row.
            if self._kind(0) == "name" and self._kind(1) != "colon":
                name = self._text()
                if name.lower() in _INFINITE:
                    infinite = 1 if number > 0 else -1
                else:
                    coefficients[name] = coefficients.get(name, Fraction(0)) + number
                self._at += 1
            elif counted:
                constant += number
            else:
                raise InvalidInput(place, self._text(), "a term is a number, a variable, or both")
        return _Form(coefficients, constant, infinite)

    def end(self, rule: str) -> None:
        if self.more():
            raise InvalidInput(self.place, self._text(), rule)
