"""Bugs that the claims of karp1993 on k items have to find: theorems 3.1, 3.2, 3.6 to 3.8."""

from __future__ import annotations

from tests.campaign.planted import Bug

BUGS = (
    Bug(  # theorem 3.1 as printed
        "karp1993.thm3.1",
        "logp.items",
        "    if k <= most:\n        return _broadcast_time(L, k * (P - 1) + 1)\n",
        "",
    ),
    Bug(
        "karp1993.thm3.1",
        "logp.items",
        "fibonacci(L, depth - 1 + L) - 1) // (P - 1)",
        "fibonacci(L, depth - 1 + L)) // (P - 1)",
    ),
    Bug(  # the copies are of other items
        "karp1993.thm3.2",
        "logp.items",
        "endgame = tuple([k - items + color[x] for x in reversed(range(copies))])",
        "endgame = tuple([k - items + color[x] for x in range(copies)])",
    ),
    Bug(  # one copy fewer
        "karp1993.cor3.2",
        "logp.items",
        "return items, depth - saved + items",
        "return items, depth - saved + items - 1",
    ),
    Bug(  # at the bound nothing is tried
        "karp1993.cor3.2",
        "logp.items",
        "for time in range(bound, plain.time):",
        "for time in range(bound + 1, plain.time):",
    ),
    Bug(
        "karp1993.thm3.6",
        "logp.continuous",
        "left -= lost[size] * (size - 1)",
        "left -= lost[size] * size",
    ),
    Bug(  # the endless series begins with item 1
        "karp1993.thm3.7",
        "logp.items",
        "endless.time + k - 1)",
        "endless.time + k)",
    ),
    Bug(  # the last item may be a letter that waits
        "karp1993.thm3.8",
        "logp.buffered",
        "indices = [x - (place >= prompt) for",
        "indices = [x - (place > prompt) for",
    ),
    Bug(  # a letter 0 cannot be late
        "karp1993.thm3.8",
        "logp.buffered",
        "if late <= positive - (spare > 0):",
        "if late <= positive:",
    ),
)
