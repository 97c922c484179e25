"""Counterexamples made small: fewer and smaller choices, while the check fails in the same way.

A list of choices stands for an instance (`exactsched.instances.choices`), so nothing here knows
what an instance is: whatever list is tried, the generator makes an instance of it, if any
(MacIver and Donaldson, *Test-case reduction via test-case generation*, ECOOP 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

# At most this many choices are removed together when an earlier one is lowered: the elements of a
# list whose length that is.
_ELEMENT = 8


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
    steps = (
        search.delete,
        search.zero,
        search.lower,
        search.lower_equal,
        search.lower_and_delete,
        search.pass_on,
    )
    try:
        changed = True
        while changed:
            changed = False
            for step in steps:
                changed = step() or changed
    except _Spent:
        pass
    return search.best


def _key(choices: Sequence[int]) -> tuple[int, Sequence[int]]:
    return len(choices), choices


class _Search:
    """The best list so far; each step changes it where it can and says whether it did."""

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

    def delete(self) -> bool:
        """Pieces of the list left out, long ones first, from the end on."""
        changed = False
        length = len(self.best)
        while length:
            stop = len(self.best)
            while stop > 0:
                start = max(0, stop - length)
                if self._take(self.best[:start] + self.best[stop:]):
                    changed = True
                    stop = min(stop, len(self.best))
                else:
                    stop -= length
            length //= 2
        return changed

    def zero(self) -> bool:
        """Pieces of the list replaced by zeros, long ones first."""
        changed = False
        length = len(self.best)
        while length:
            for start in range(0, len(self.best), length):
                zeros = [0] * len(self.best[start : start + length])
                rest = self.best[start + length :]
                changed = self._take(self.best[:start] + zeros + rest) or changed
            length //= 2
        return changed

    def lower(self) -> bool:
        """Each choice alone, by bisection."""
        return self._bisected([[place] for place in range(len(self.best))])

    def lower_equal(self) -> bool:
        """All choices of a value together: ties may be what it is about."""
        values = sorted(set(self.best) - {0}, reverse=True)
        groups = [[k for k, one in enumerate(self.best) if one == value] for value in values]
        return self._bisected([group for group in groups if len(group) > 1])

    def _bisected(self, groups: list[list[int]]) -> bool:
        changed = False
        for group in groups:
            if group[-1] >= len(self.best):
                continue
            low, high = -1, self.best[group[0]]  # the latter fails
            while high - low > 1:
                middle = (low + high) // 2
                if low < 0:
                    middle = 0
                if self._take(self._with(group, middle)):
                    changed = True
                    if group[-1] >= len(self.best):
                        break
                    high = min(high - 1, self.best[group[0]])
                else:
                    low = middle
        return changed

    def _with(self, group: list[int], value: int) -> list[int]:
        candidate = list(self.best)
        for place in group:
            candidate[place] = value
        return candidate

    def lower_and_delete(self) -> bool:
        """A choice by 1 and some later ones left out: a list of elements with its length before."""
        changed = False
        place = 0
        while place < len(self.best):
            if self.best[place] and self._shorter(place):
                changed = True
            else:
                place += 1
        return changed

    def _shorter(self, place: int) -> bool:
        for length in range(1, _ELEMENT + 1):
            for start in range(len(self.best) - length, place, -1):
                candidate = self.best[:start] + self.best[start + length :]
                candidate[place] -= 1
                if self._take(candidate):
                    return True
        return False

    def pass_on(self) -> bool:
        """What is taken from a choice is added to the next one: sums may be what it is about."""
        changed = False
        for place in range(len(self.best) - 1):
            amount = self.best[place] if place < len(self.best) else 0
            while amount and place + 1 < len(self.best):
                candidate = list(self.best)
                amount = min(amount, candidate[place])
                candidate[place] -= amount
                candidate[place + 1] += amount
                if amount and self._take(candidate):
                    changed = True
                else:
                    amount //= 2
        return changed
