"""What processors have received of copies that others still wait for: states, roles between them.

Bit x of a state says that a copy that it has received is everywhere x steps later.  As one such
copy comes in every step, and one goes, their number (the number of balls of a juggling pattern)
does not change from state to state.  Proofs: proofs/logp-items.md.
"""

# ruff: noqa: N803  (L is the name of the latency in all of the literature)

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from exactsched.certificate.logp import Role

# Receptions that are pending, as bits, and the sends that are still to be made.
State = tuple[int, int]


class Arc(NamedTuple):
    """In the state `tail` a processor takes a role, and is in the state `head` a step later."""

    tail: State
    role: Role
    head: State


def automaton(
    L: int, depth: int, balls: Iterable[int], lost: int, most: int
) -> tuple[Arc, ...] | None:
    """All roles in all states from which a processor can return to where it has nothing to send.

    Trees have the depth `depth`.  Nodes may lack up to `lost` of the last children for which there
    would be time; with lost = 0 one child, if they keep another.  None if there are more than
    `most` arcs.

    The states with nothing to send have at most L + lost steps to go.  Time and space are linear in
    the arcs.

    >>> [arc.role for arc in automaton(1, 1, [1], 0, 9)]
    [Role(delay=0, children=1)]
    """
    sizes = list(balls)
    soon = range(1, L + lost + 1)
    if sum([comb(len(soon), size) for size in sizes]) > most:
        return None
    found: list[State] = [
        (sum([1 << x for x in pending]), 0)
        for size in sizes
        for pending in combinations(soon, size)
    ]
    seen = set(found)
    roles = [_roles(L, depth, delay, lost) for delay in range(depth + 1)]
    arcs: list[Arc] = []
    for state in found:  # which grows
        pending, busy = state
        # If one is received by all, another takes its place; if not, what comes is a last one.
        for delay in range(depth) if pending & 2 else (depth,):
            landing = 2 << (depth - delay)
            if pending & landing:
                continue
            later = (pending | landing) >> 1 & ~1
            for role in roles[delay]:
                children = role[1]
                if children and busy:
                    continue
                head = later, max(busy, children, 1) - 1
                arcs.append(Arc(state, role, head))
                if head not in seen:
                    seen.add(head)
                    found.append(head)
        if len(arcs) > most:
            return None
    (pruned,) = closed([arcs])
    return pruned


def _roles(L: int, depth: int, delay: int, lost: int) -> list[Role]:
    full = max(depth - delay - L + 1, 0)
    least = max(full - lost, 0) if lost else max(full - 1, min(full, 1))
    return [Role(delay, children) for children in range(least, full + 1)]


def closed(phases: Sequence[Iterable[Arc]]) -> tuple[tuple[Arc, ...], ...]:
    """What is left if arcs that no closed walk can use, for want of a next or a previous one, go.

    The arcs of a phase lead to states of the next one, and those of the last phase to the first.

    >>> loop, out = Arc((2, 0), (1, 0), (2, 0)), Arc((2, 0), (0, 1), (4, 0))
    >>> closed([[loop, out]]) == ((loop,),)
    True
    """
    kept = [list(arcs) for arcs in phases]
    size = 0
    while size != sum(map(len, kept)):
        size = sum(map(len, kept))
        heads = [{arc.head for arc in arcs} for arcs in kept]
        for phase, arcs in enumerate(kept):
            kept[phase] = [arc for arc in arcs if arc.tail in heads[phase - 1]]
        tails = [{arc.tail for arc in arcs} for arcs in kept]
        for phase, arcs in enumerate(kept):
            following = tails[(phase + 1) % len(kept)]
            kept[phase] = [arc for arc in arcs if arc.head in following]
    return tuple([tuple(arcs) for arcs in kept])
