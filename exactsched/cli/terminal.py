"""Output of the commands: one line for every error, progress on a terminal, decimals."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from signal import SIGINT, signal
from threading import Event, Thread, current_thread, main_thread
from time import monotonic
from typing import Any, TextIO

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
    """One line on a terminal, from the second second on, and when a search is to end.

    A search that calls this is answered True once `seconds` are over, and after Ctrl-C: then it
    ends with what it has, an interval.  Ctrl-C before any search has called, or a second one, ends
    the command at once.
    """

    quiet = 1.0  # seconds: a search that takes no longer says nothing

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = seconds
        self.interrupted = False

    def __enter__(self) -> Progress:
        self._shown = self._asked = False
        self._began = monotonic()
        self._before: Any = None
        self._silence = working("at work", 1.0, lambda: not self._shown)
        self._silence.__enter__()
        if current_thread() is main_thread():
            self._before = signal(SIGINT, self._interrupt)
        return self

    def __call__(self, rounds: int, lower: float, upper: float) -> bool:
        self.round(rounds, lower, upper)
        return self.asked()

    def round(self, rounds: int, lower: float, upper: float) -> None:
        """How close the bounds are, of a search that goes on to its end."""
        self._say(f"round {rounds}: {lower:.8g} <= throughput <= {upper:.8g}")

    def tried(self, done: int, number: int) -> bool:
        """How many schedules of a run have been tried; whether that is enough."""
        self._say(f"schedule {done + 1} of {number}" if number else "steady states, for schedules")
        return self.asked()

    def searching(self) -> bool:
        """That a search goes on; whether it is to end."""
        self._say("a search for something better")
        return self.asked()

    def asked(self) -> bool:
        """Whether the search that asks is to end."""
        self._asked = True
        return self.ended

    @property
    def ended(self) -> bool:
        """Whether searches are told to end, so that their results may be intervals."""
        late = self._seconds is not None and monotonic() - self._began >= self._seconds
        return self.interrupted or late

    def _interrupt(self, *_: object) -> None:
        if self.interrupted or not self._asked:
            raise KeyboardInterrupt
        self.interrupted = True
        self._say("interrupted: this round is the last (Ctrl-C again: end at once)")

    def between(self, lower: float, upper: float) -> None:
        """The same where there are no rounds."""
        self._say(f"{lower:.8g} <= throughput <= {upper:.8g}")

    def steps(self, steps: int, transfers: int) -> None:
        """How far a schedule in steps has come."""
        self._say(f"step {steps}: {transfers} transfers")

    def sizes(self, done: int, number: int) -> bool:
        """How many sizes of a message are done; whether these are enough."""
        self._say(f"size {done + 1} of {number}")
        return self.asked()

    def rows(self, done: int, number: int) -> bool:
        """How many rows of a table are done; whether these are enough."""
        self._say(f"row {done + 1} of {number}")
        return self.asked()

    def _say(self, line: str) -> None:
        if monotonic() - self._began >= self.quiet and sys.stderr and sys.stderr.isatty():
            self._shown = True
            print(f"\r{line:<70}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal(SIGINT, self._before)
        self._silence.__exit__(None, None, None)
        if self._shown:
            print(f"\r{'':<70}\r", end="", file=sys.stderr, flush=True)


@contextmanager
def working(
    what: str, first: float | None = None, silent: Callable[[], bool] = lambda: True
) -> Iterator[None]:
    """Says on a terminal what takes time, second by second, while nothing else tells how far it is.

    It begins after `first` seconds.  The block prints nothing, or `silent` says so until it does.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield
        return
    ended, shown = Event(), Event()

    def tell() -> None:
        began, pause = monotonic(), Progress.quiet if first is None else first
        while not ended.wait(pause) and silent():
            told = f"{what}: {monotonic() - began:.0f} s (Ctrl-C ends it)"
            print(f"\r{told:<70}", end="", file=sys.stderr, flush=True)
            shown.set()
            pause = 1.0

    telling = Thread(target=tell, daemon=True)
    telling.start()
    try:
        yield
    finally:
        ended.set()
        telling.join()
        if shown.is_set():
            print(f"\r{'':<70}\r", end="", file=sys.stderr, flush=True)
