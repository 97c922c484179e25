"""Documents with a single change: what a damaged certificate may look like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import pytest

from exactsched.check import check
from exactsched.exact.errors import Malformed, Rejected
from exactsched.exact.rational import text
from tests.check.refusals.broadcasts import changed

T = TypeVar("T")
Path = tuple[str | int, ...]


def refused_or_true(path: Path, mutant: Any, fault: Callable[[Any], str]) -> str:
    """Whether it is "refused" or "true", and a failure if it is accepted and false.

    `fault` says what is false of an accepted document.
    """
    try:
        check(mutant)
    except (Rejected, Malformed):
        return "refused"
    if reason := fault(mutant):
        pytest.fail(f"accepted but false after a change of {path}: {mutant}: {reason}")
    return "true"


def some(changes: Iterable[T]) -> Iterator[T]:
    """The first 200, and then every third: campaigns try all kinds of them by the thousand."""
    for index, change in enumerate(changes):
        if index < 200 or not index % 3:
            yield change


def refuse_accepted_lies(
    changes: Iterable[tuple[Path, Any]], fault: Callable[[Any], str], refused: int = 1
) -> None:
    """Any single change makes a certificate that is refused, or one that is still true.

    More than `refused` times as many documents are refused as are true.
    """
    verdicts = Counter(refused_or_true(path, mutant, fault) for path, mutant in some(changes))
    assert verdicts["refused"] > refused * verdicts["true"], verdicts


def mutants(document: dict[str, Any], names: Sequence[object] = ()) -> Iterator[tuple[Path, Any]]:
    """The document with one number, name or truth value changed, one row removed or repeated."""
    for path in places(document):
        *_, above, last = (document, *values(document, path))
        others: list[Any] = []
        if isinstance(last, bool):
            others = [not last]
        elif last in names:
            others = [name for name in names if name != last]
        elif isinstance(last, int) or (isinstance(last, str) and last.lstrip("-")[:1].isdigit()):
            others = _other_numbers(last)
        for value in others:
            yield path, changed(document, path, value)
        if isinstance(above, list):
            position = path[-1]
            assert isinstance(position, int)
            for row in (
                [*above[:position], *above[position + 1 :]],
                [*above[:position], last, *above[position:]],
                [
                    *above[:position],
                    *above[position + 1 : position + 2],
                    last,
                    *above[position + 2 :],
                ],
            ):
                if row != above:
                    yield path, changed(document, path[:-1], row)
        if isinstance(above, dict):
            fewer = {name: part for name, part in above.items() if name != path[-1]}
            if len(path) > 1:
                yield path, changed(document, path[:-1], fewer)


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, (dict, list)):
        for step, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield (*path, step)
            yield from places(part, (*path, step))


def values(document: Any, path: Path) -> Iterator[Any]:
    for step in path:
        document = document[step]
        yield document


def _other_numbers(value: int | str) -> list[int | str]:
    number = Fraction(value)
    near = number + Fraction(1, 7)
    others = [number + 1, number - 1, number * 2, number / 2, Fraction(0), -number, near]
    return [int(x) if x.denominator == 1 and abs(x) < 2**53 else text(x) for x in others]
