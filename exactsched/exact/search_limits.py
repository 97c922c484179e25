"""How long a search for an NP-hard optimum may go on."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic
from typing import ParamSpec, TypeVar

from exactsched.exact.errors import InvalidInput

P = ParamSpec("P")
T = TypeVar("T")


def checked_node_limit(nodes: int | None) -> int | None:
    """A number of subproblems, 0 or more, or None for no limit; else `InvalidInput`."""
    if nodes is not None and (type(nodes) is not int or nodes < 0):
        raise InvalidInput("node_limit", nodes, "a number of subproblems is an integer >= 0")
    return nodes


def deadline_after(seconds: float | None) -> float | None:
    """The moment, on the monotonic clock, that is so far away; None for no limit.

    A wish, not a number that any result depends on, so a float is welcome.  Raises `InvalidInput`
    for what is not a number >= 0.
    """
    if seconds is None:
        return None
    if type(seconds) not in (int, float) or not 0 <= seconds < inf:
        raise InvalidInput("time_limit", seconds, "a time in seconds is a finite number >= 0")
    return monotonic() + seconds


def until(
    time_limit: float | None, progress: Callable[P, T] | None
) -> Callable[P, T | bool] | None:
    """The progress of a search that ends after the seconds of a limit, or when `progress` says so.

    Raises `InvalidInput` as `deadline_after` does.

    >>> until(None, print) is print, until(0, None)(), until(60, lambda: None)()
    (True, True, False)
    """
    end = deadline_after(time_limit)
    if end is None:
        return progress

    def told(*numbers: P.args, **named: P.kwargs) -> bool:
        enough = progress is not None and progress(*numbers, **named) is True
        return enough or monotonic() >= end

    return told
