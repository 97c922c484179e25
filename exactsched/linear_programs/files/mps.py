"""Linear programs in MPS files, every number taken from its digits.

Sections NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS and ENDATA; the first N row is the
objective, to be minimized unless OBJSENSE says otherwise, further N rows are left out.  A right
side of the objective is its constant, negated.  Fields are separated by blanks (free form); where
that does not fit, as with blanks in names, they are taken from their columns (fixed form).

Limits: integer and semicontinuous variables, special ordered sets and quadratic terms are refused.
Reference: the format is that of IBM's MPSX, in the reading that today's solvers share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import exact
from exactsched.linear_programs.stated_program import (
    NOT_NEGATIVE,
    Range,
    StatedProgram,
    StatedRow,
)

# In fixed form: where a field starts and ends.
_COLUMNS = ((1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61))
_WITHIN: dict[str, Callable[[Fraction], Range]] = {
    "E": lambda side: Range(side, side),
    "L": lambda side: Range(None, side),
    "G": lambda side: Range(side, None),
}
_NO_VALUE = ("FR", "MI", "PL")
_INTEGERS = {"BV", "LI", "UI", "SC", "SI"}


def parse_mps(written: str) -> StatedProgram:
    """The program that the text of an MPS file states.

    Raises `InvalidInput` with the number of the line that breaks a rule.

    >>> program = parse_mps('''
    ... ROWS
    ...  N cost
    ...  G energy
    ... COLUMNS
    ...  bread cost 2 energy 1
    ...  milk cost 3 energy 1
    ... RHS
    ...  need energy 4
    ... BOUNDS
    ...  UP limits bread .3e1
    ... ENDATA
    ... ''')
    >>> program.rows["energy"].within, program.variables["bread"]
    (Range(low=Fraction(4, 1), high=None), Range(low=0, high=Fraction(3, 1)))
    """
    try:
        return _Reader(fixed=False).read(written)
    except InvalidInput:
        try:
            return _Reader(fixed=True).read(written)
        except InvalidInput:
            pass
        raise  # what free form says is what most people have to mend


class _Reader:
    def __init__(self, fixed: bool) -> None:
        self._fields = _by_columns if fixed else str.split
        self._minimize = True
        self._cost: str | None = None
        self._others: set[str] = set()  # further N rows
        self._kinds: dict[str, str] = {}
        self._forms: dict[str, dict[str, Fraction]] = {}
        self._sides: dict[str, Fraction] = {}
        self._spans: dict[str, Fraction] = {}
        self._objective: dict[str, Fraction] = {}
        self._constant = Fraction(0)
        self._variables: dict[str, Range] = {}
        self._lows: set[str] = set()  # variables whose lower end is given
        self._sections: dict[str, Callable[[list[str], str], None]] = {
            "OBJSENSE": self._sense,
            "ROWS": self._row,
            "COLUMNS": self._entries,
            "RHS": self._right_side,
            "RANGES": self._span,
            "BOUNDS": self._bound,
        }

    def read(self, written: str) -> StatedProgram:
        section, ended = "", False
        for number, line in enumerate(written.splitlines(), 1):
            place = f"line {number}"
            if not line.strip() or line.startswith("*"):
                continue
            if ended:
                raise InvalidInput(place, line.strip(), "nothing follows ENDATA")
            if line[0].isspace():
                if section not in self._sections:
                    raise InvalidInput(place, line.strip(), f"section {section or 'NAME'} is empty")
                self._sections[section](self._fields(line), place)
                continue
            section, *rest = line.split()
            section = section.upper()
            ended = section == "ENDATA"
            if section == "OBJSENSE" and rest:
                self._sense(rest, place)
            elif section not in self._sections and section not in ("NAME", "ENDATA"):
                known = ", ".join(["NAME", *self._sections, "ENDATA"])
                raise InvalidInput(place, section, f"the sections that are read are {known}")
        if not ended:
            raise InvalidInput("end of the file", section, "the last section is ENDATA")
        return self._program()

    def _program(self) -> StatedProgram:
        rows = {}
        for name, kind in self._kinds.items():
            side = self._sides.get(name, Fraction(0))
            within = _WITHIN[kind](side)
            if name in self._spans:
                span = self._spans[name]
                low = side if kind == "G" or (kind == "E" and span >= 0) else side - abs(span)
                within = Range(low, low + abs(span))
            rows[name] = StatedRow(self._forms[name], within)
        return StatedProgram(self._minimize, self._objective, rows, self._variables, self._constant)

    def _sense(self, fields: list[str], place: str) -> None:
        word = fields[0].upper()
        if word not in ("MIN", "MAX", "MINIMIZE", "MAXIMIZE"):
            raise InvalidInput(place, fields[0], "OBJSENSE is MIN or MAX")
        self._minimize = word.startswith("MIN")

    def _row(self, fields: list[str], place: str) -> None:
        if len(fields) != 2 or fields[0].upper() not in ("N", *_WITHIN):
            raise InvalidInput(place, " ".join(fields), "a row is N, E, L or G and a name")
        kind, name = fields[0].upper(), fields[1]
        if name in self._kinds or name in self._others or name == self._cost:
            raise InvalidInput(place, name, "two rows have this name")
        if kind != "N":
            self._kinds[name] = kind
            self._forms[name] = {}
        elif self._cost is None:
            self._cost = name
        else:
            self._others.add(name)

    def _entries(self, fields: list[str], place: str) -> None:
        if "'MARKER'" in fields:
            rule = "variables are real; integer ones are not read"
            raise InvalidInput(place, " ".join(fields), rule)
        name = fields[0]
        self._variables.setdefault(name, NOT_NEGATIVE)
        for row, number in self._pairs(fields[1:], place):
            form = self._objective if row == self._cost else self._form(row, place)
            if form is None:
                continue
            if name in form:
                raise InvalidInput(place, f"{name} in {row}", "this entry is given twice")
            form[name] = number

    def _right_side(self, fields: list[str], place: str) -> None:
        for row, number in self._of_rows(fields, place):
            if row == self._cost:
                self._constant = -number
            elif self._form(row, place) is not None:
                self._sides[row] = number

    def _span(self, fields: list[str], place: str) -> None:
        for row, number in self._of_rows(fields, place):
            if row != self._cost and self._form(row, place) is not None:
                self._spans[row] = number

    def _of_rows(self, fields: list[str], place: str) -> Iterator[tuple[str, Fraction]]:
        """Pairs of rows and numbers, with or without the name of the vector before them."""
        return self._pairs(fields[len(fields) % 2 :], place)

    def _pairs(self, fields: list[str], place: str) -> Iterator[tuple[str, Fraction]]:
        if not fields or len(fields) % 2:
            raise InvalidInput(place, " ".join(fields), "after the name: a row and a number, twice")
        for name, number in zip(fields[::2], fields[1::2], strict=True):
            yield name, exact(number, place)

    def _form(self, row: str, place: str) -> dict[str, Fraction] | None:
        """The entries of a row; None of an N row that is not the objective."""
        if row not in self._forms and row not in self._others:
            raise InvalidInput(place, row, "no row has this name")
        return self._forms.get(row)

    def _bound(self, fields: list[str], place: str) -> None:
        kind = fields[0].upper()
        if kind in _INTEGERS:
            rule = "variables are real; integer and semicontinuous ones are not read"
            raise InvalidInput(place, " ".join(fields), rule)
        if kind not in (*_NO_VALUE, "LO", "UP", "FX"):
            raise InvalidInput(place, kind, "a bound is one of LO, UP, FX, FR, MI, PL")
        most = 2 if kind in _NO_VALUE else 3
        # The name of the vector may be missing, and a number may stand where none is needed.
        words = fields[1:] if len(fields) == most else fields[2:]
        if not words or (kind not in _NO_VALUE and len(words) != 2):
            raise InvalidInput(place, " ".join(fields), f"{kind} needs a variable and a number")
        name = words[0]
        if name not in self._variables:
            raise InvalidInput(place, name, "no variable has this name")
        within = self._variables[name]
        if kind not in _NO_VALUE:
            number = exact(words[1], place)
            if kind == "UP" and number < 0 and name not in self._lows:
                rule = "solvers differ on a negative upper end without a lower one; write MI or LO"
                raise InvalidInput(place, " ".join(fields), rule)
            low = within.low if kind == "UP" else number
            high = within.high if kind == "LO" else number
            within = Range(low, high)
        elif kind == "FR":
            within = Range()
        else:
            within = replace(within, **{"low" if kind == "MI" else "high": None})
        if kind in ("LO", "FX", "FR", "MI"):
            self._lows.add(name)
        self._variables[name] = within


def _by_columns(line: str) -> list[str]:
    """The fields of a line in fixed form; those at its start that are empty are left out."""
    fields = [line[start:end].strip() for start, end in _COLUMNS]
    while fields and not fields[-1]:
        fields.pop()
    return fields[1:] if not fields[0] else fields
