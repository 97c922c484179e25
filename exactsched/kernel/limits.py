"""What a document may cost the proved checkers, whose steps are not counted while they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from exactsched.certificate.budget import products, spend
from exactsched.exact.errors import Rejected
from exactsched.kernel.proved import NotCovered

# A call of a generated function on a task, a slot or a row takes about this many simple steps.
STEPS = 64
# Rocq 8.16 takes minutes for a literal of 5,000 digits.
LONGEST_IN_ROCQ = 3000


@contextmanager
def affordable() -> Iterator[None]:
    """What is refused inside because it is too large is not covered."""
    try:
        yield
    except Rejected as error:
        raise NotCovered(
            error.place, error.value, f"too large for the kernel: {error.rule}"
        ) from error


def afford(calls: int, terms: tuple[Any, ...], place: str) -> None:
    """Raises `NotCovered` unless a document of this size may cost this many calls."""
    longest = longest_number(terms)
    with affordable():
        spend(calls * (STEPS + products(longest, longest)), place)


def afford_translation(calls: int, document: Any, place: str) -> None:
    """The same before anything is translated: four numbers of the document are multiplied."""
    longest = 4 * longest_written(document)
    with affordable():
        spend(calls * (STEPS // 2 + products(longest, longest)), place)


def longest_written(document: Any) -> int:
    """About how many bits the longest number in a document has.

    >>> longest_written({"bound": "1/1000", "nodes": [7]})
    24
    """
    longest, pending = 0, [document]
    while pending:
        part = pending.pop()
        if type(part) is dict:
            pending.extend(part.values())
        elif type(part) is list:
            pending.extend(part)
        elif type(part) is str and len(part) > longest:
            longest = len(part)
    return 4 * longest


def refuse_long(terms: tuple[Any, ...]) -> None:
    """Raises `NotCovered` for numbers that Rocq takes minutes to read."""
    bits = longest_number(terms)
    if bits > LONGEST_IN_ROCQ:
        rule = f"Rocq reads numbers of at most {LONGEST_IN_ROCQ} bits in reasonable time"
        raise NotCovered("numbers", bits, rule)


def longest_number(terms: Any) -> int:
    """The bits of the longest integer in nested tuples.

    >>> longest_number((1, (2, ("Values", 1024)), ()))
    11
    """
    longest, pending = 0, [terms]
    visit: Callable[[Any], None] = pending.append
    while pending:
        for part in pending.pop():
            if type(part) is tuple:
                visit(part)
            elif type(part) is int and part.bit_length() > longest:
                longest = part.bit_length()
    return longest
