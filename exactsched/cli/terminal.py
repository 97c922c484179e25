"""Output of the commands: one line for every error, progress on a terminal, decimals."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TextIO

INTERRUPTED = 130  # the exit code after Ctrl-C, as of a shell

# Numbers from here on have too many digits for a column of a table.
WIDE = 10**12


def complain(error: object, code: int) -> int:
    """One line on standard error; returns the exit code."""
    say(f"exactsched: {error}", sys.stderr)
    return code


def say(line: str, stream: TextIO | None) -> None:
    """One line whatever names are in it: no line breaks, escapes or lone surrogates."""
    if stream is None:  # closed by whoever started this process
        return
    visible = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    encoding = stream.encoding or "ascii"
    print(visible.encode(encoding, "backslashreplace").decode(encoding), file=stream)


def say_rows(rows: Sequence[tuple[str, str]]) -> None:
    """The first row as a headline, the others below it with their names in a column."""
    width = max((len(name) for name, _ in rows[1:]), default=0)
    say(f"{rows[0][0]}: {rows[0][1]}", sys.stdout)
    for name, value in rows[1:]:
        say(f"  {name:<{width}}  {value}", sys.stdout)


def decimal(number: Fraction, places: int = 2) -> str:
    """A rational to look at; "~" where digits were dropped."""
    if number.denominator == 1 and number < WIDE:
        return str(number)
    quotient = Decimal(number.numerator) / number.denominator
    return f"~{quotient:.{places}f}" if number < WIDE else f"~{quotient:.4e}"


class Progress:
    """One line on a terminal that says how close the bounds are; silence anywhere else."""

    def __enter__(self) -> Progress:
        self._shown = False
        return self

    def __call__(self, rounds: int, lower: float, upper: float) -> None:
        self._say(f"round {rounds}: {lower:.8g} <= throughput <= {upper:.8g}")

    def between(self, lower: float, upper: float) -> None:
        """The same where there are no rounds."""
        self._say(f"{lower:.8g} <= throughput <= {upper:.8g}")

    def steps(self, steps: int, transfers: int) -> None:
        """How far a schedule in steps has come."""
        self._say(f"step {steps}: {transfers} transfers")

    def sizes(self, done: int, number: int) -> None:
        """How many sizes of a message are done."""
        self._say(f"size {done + 1} of {number}")

    def rows(self, done: int, number: int) -> None:
        """How many rows of a table are done."""
        self._say(f"row {done + 1} of {number}")

    def _say(self, line: str) -> None:
        if sys.stderr and sys.stderr.isatty():
            self._shown = True
            print(f"\r{line:<70}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print(f"\r{'':<70}\r", end="", file=sys.stderr, flush=True)
