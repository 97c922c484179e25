"""Bugs that the claims of `theorems.karp1993.section_3_items` must find."""

from __future__ import annotations

from exactsched.logp.buffered import _choices, _ordered
from exactsched.logp.continuous import _doubling
from exactsched.logp.items import (
    _copies,
    _made_for_the_endgame,
    _with_an_endgame,
    items_lower_bound,
    single_sending,
)
from tests.campaign.planted import Bug

BUGS = (
    # Theorem 3.1 as printed.
    Bug("karp1993.thm3.1", items_lower_bound, "if A <= B: return C", "pass"),
    # An item more than a tree of this depth can carry.
    Bug("karp1993.thm3.1", items_lower_bound, "(fibonacci(A, B) - 1) // C", "fibonacci(A, B) // C"),
    # The copies are of other items.
    Bug(
        "karp1993.thm3.2",
        _made_for_the_endgame,
        "[A - B + C for C in D]",
        "[A - B + C for C in reversed(D)]",
    ),
    # One copy fewer.
    Bug("karp1993.cor3.2", _copies, "A, B - C + A", "A, B - C + A - 1"),
    # At the bound nothing is tried.
    Bug(
        "karp1993.cor3.2",
        _with_an_endgame,
        "range(A, B.time)",
        "range(A + 1, B.time)",
    ),
    # A block loses one processor more.
    Bug("karp1993.thm3.6", _doubling, "A -= B[C] * (C - 1)", "A -= B[C] * C"),
    # The endless series begins with item 1.
    Bug("karp1993.thm3.7", single_sending, "A.time + B - 1", "A.time + B"),
    # The last item may be a letter that waits.
    Bug("karp1993.thm3.8", _ordered, "A - (B >= C)", "A - (B > C)"),
    # A letter 0 cannot be late.
    Bug("karp1993.thm3.8", _choices, "A <= B - (C > 0)", "A <= B"),
    # One copy fewer.
    Bug("karp1993.fig2", _copies, "A, B - C + A", "A, B - C + A - 1"),
    # A letter 0 cannot be late.
    Bug("karp1993.fig5", _ordered, "A - (B >= C)", "A - (B > C)"),
)
