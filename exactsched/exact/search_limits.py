"""How long a search for an NP-hard optimum may go on."""

from __future__ import annotations

from math import inf
from time import monotonic

from exactsched.exact.errors import InvalidInput


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
