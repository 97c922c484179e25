"""Counterexamples made small: fewer and smaller choices, while the check fails in the same way.

A list of choices stands for an instance (`exactsched.instances.choices`), so nothing here knows
what an instance is: the generator makes one of every list that is tried, if it can
(MacIver and Donaldson, *Test-case reduction via test-case generation*, ECOOP 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from time import monotonic

# At most this many choices are removed together when an earlier one is lowered: the elements of a
# list whose length the earlier one is.
_ELEMENT = 8

# A step proposes lists, and is told of each whether it has become the best one.
_Step = Generator[list[int], bool, None]


class _Spent(Exception):
    """The budget is used up; the best list so far stands."""


def shrink(
    choices: Sequence[int],
    still_fails: Callable[[Sequence[int]], list[int] | None],
    *,
    checks: int = 5000,
    seconds: float = 60,
) -> list[int]:
    """The first list found, in shortlex order, from which no step leads to a smaller failing one.

    `still_fails` gets choices and returns those that the generator made of them if the check fails
    in the same way, else None.  It is asked at most `checks` times, and not after `seconds`.

    >>> def too_large(listed):
    ...     made = list(listed) + [0, 0]
    ...     return made[:2] if sum(made[:2]) >= 7 else None
    >>> shrink([90, 80], too_large)
    [0, 7]
    """
    search = _Search(list(choices), still_fails, checks, monotonic() + seconds)
    steps = (_delete, _zero, _lower, _lower_equal, _lower_and_delete, _pass_on)
    with suppress(_Spent):
        while sum(search.is_improved_by(step(search)) for step in steps):
            pass
    return search.best


def _key(choices: Sequence[int]) -> tuple[int, Sequence[int]]:
    return len(choices), choices


class _Search:
    """The best list so far."""

    def __init__(
        self,
        best: list[int],
        still_fails: Callable[[Sequence[int]], list[int] | None],
        checks: int,
        deadline: float,
    ) -> None:
        self.best = best
        self._still_fails, self._checks, self._deadline = still_fails, checks, deadline
        self._seen: set[tuple[int, ...]] = set()

    def is_improved_by(self, step: _Step) -> bool:
        """Tries what the step proposes."""
        improved = False
        with suppress(StopIteration):
            candidate = next(step)
            while True:
                taken = self._take(candidate)
                improved = improved or taken
                candidate = step.send(taken)
        return improved

    def _take(self, candidate: list[int]) -> bool:
        """Whether the candidate fails, too, and what is made of it is smaller than the best."""
        known = tuple(candidate)
        if known in self._seen or _key(candidate) >= _key(self.best):
            return False
        if not self._checks or monotonic() > self._deadline:
            raise _Spent
        self._checks -= 1
        self._seen.add(known)
        made = self._still_fails(candidate)
        # The generator may have asked for more than was listed.
        if made is None or _key(made) >= _key(self.best):
            return False
        self.best = made
        return True


def _halves(length: int) -> Iterator[int]:
    while length:
        yield length
        length //= 2


def _delete(search: _Search) -> _Step:
    """Pieces of the list left out, long ones first, from the end on."""
    for length in _halves(len(search.best)):
        stop = len(search.best)
        while stop > 0:
            start = max(0, stop - length)
            taken = yield search.best[:start] + search.best[stop:]
            stop = min(stop, len(search.best)) if taken else stop - length


def _zero(search: _Search) -> _Step:
    """Pieces of the list replaced by zeros, long ones first."""
    for length in _halves(len(search.best)):
        for start in range(0, len(search.best), length):
            zeros = [0] * len(search.best[start : start + length])
            yield search.best[:start] + zeros + search.best[start + length :]


def _lower(search: _Search) -> _Step:
    """Each choice alone, by bisection."""
    for place in range(len(search.best)):
        yield from _bisect(search, [place])


def _lower_equal(search: _Search) -> _Step:
    """All choices of a value together: the check may fail where there are ties."""
    values = sorted(set(search.best) - {0}, reverse=True)
    groups = [[k for k, one in enumerate(search.best) if one == value] for value in values]
    for group in groups:
        if len(group) > 1:
            yield from _bisect(search, group)


def _bisect(search: _Search, group: list[int]) -> _Step:
    """The choices at these places lowered to one value, the least with which the check fails."""
    if group[-1] >= len(search.best):
        return
    low, high = -1, search.best[group[0]]  # the latter fails
    while high - low > 1 and group[-1] < len(search.best):
        middle = 0 if low < 0 else (low + high) // 2
        candidate = list(search.best)
        for place in group:
            candidate[place] = middle
        if (yield candidate):
            high = min(high - 1, *search.best[group[0] : group[0] + 1])
        else:
            low = middle


def _lower_and_delete(search: _Search) -> _Step:
    """A choice lowered by 1 and some later ones left out: elements of a list, and its length."""
    place = 0
    while place < len(search.best):
        taken = False
        for candidate in _shorter(search.best, place):
            taken = yield candidate
            if taken:
                break
        place += not taken


def _shorter(best: list[int], place: int) -> Iterator[list[int]]:
    if not best[place]:
        return
    for length in range(1, _ELEMENT + 1):
        for start in range(len(best) - length, place, -1):
            candidate = best[:start] + best[start + length :]
            candidate[place] -= 1
            yield candidate


def _pass_on(search: _Search) -> _Step:
    """A choice lowered by what is added to the next one: the check may fail for a sum."""
    for place in range(len(search.best) - 1):
        amount = search.best[place] if place < len(search.best) else 0
        while amount and place + 1 < len(search.best):
            candidate = list(search.best)
            amount = min(amount, candidate[place])
            candidate[place] -= amount
            candidate[place + 1] += amount
            taken = amount and (yield candidate)
            if not taken:
                amount //= 2
