"""A single arborescence that keeps no resource busy for longer than allowed, found greedily.

Deciding whether there is one is NP-hard: with unit costs and one port it is a Hamiltonian path.

Method: Warnsdorff's rule, less and less strictly in every restart.  It finds Hamiltonian paths of
grids, tori and hypercubes of a thousand nodes at the first try, in 10 ms.
Limits: a heuristic: that none is found proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from exactsched.exact.dice import Dice

# A try costs O(m).  Of 120 random platforms (n=30, m=120) 20 tries meet the simple bound on 56 and
# 500 tries on 85; column generation takes less time than the other 480.
TRIES = 20
# Where none of the first tries has reached half of the nodes, there are no more.  Of 640 random
# broadcasts with n = 30 and 100 and four kinds of costs, 52 meet the simple bound in five tries and
# 26 later, of which this gives up one; where costs are in 0.8..1.2 none does, and nearly all end
# here.
TELLING = 5
# On large graphs tries are fewer: at most this many arcs in all, but one try.  With 10^5 nodes and
# 5 * 10^5 arcs all 20 fail, after 90 s.  And from MANY_ARCS on a try ends when it cannot
# succeed; on smaller graphs what the next try draws, and so what is found, would change.
ARCS_TRIED = 10**6
MANY_ARCS = 20_000


def load_bounded_arborescence(
    size: int,
    root: int,
    arcs: Sequence[tuple[int, int]],
    costs: Sequence[int],
    uses: Sequence[tuple[int, ...]],
    limits: Sequence[int],
) -> tuple[int, ...] | None:
    """The arc indices of a spanning arborescence within the limits, or None if none was found.

    It keeps each resource r busy for at most `limits[r]`, arc k adding `costs[k]` to each
    resource in `uses[k]`.  None proves nothing.  The tree grows from the node reached last, to the
    neighbor from which the fewest unreached nodes can be entered; later tries follow this rule less
    and less strictly.  The generator has a fixed seed, so the result is always the same.

    >>> arcs = [(0, 1), (0, 2), (1, 2)]
    >>> load_bounded_arborescence(3, 0, arcs, [1, 1, 1], [(0,), (0,), (1,)], [1, 1])
    (0, 2)
    """
    dice = Dice(0)
    leaving: list[list[int]] = [[] for _ in range(size)]
    entering: list[list[int]] = [[] for _ in range(size)]
    for arc, (tail, head) in enumerate(arcs):
        if head != root:  # the root is never entered, and must not count as a way on
            leaving[tail].append(arc)
        entering[head].append(tail)
    heads = [head for _, head in arcs]
    tries, farthest = min(TRIES, max(1, ARCS_TRIED // max(1, len(arcs)))), 0
    for attempt in range(tries):
        left = list(limits)
        onward = [len(out) for out in leaving]
        ways = [len(tails) for tails in entering]  # from nodes that may still send
        reached = [node == root for node in range(size)]
        chosen: list[int] = []
        line = [root]
        while line and len(chosen) < size - 1:
            least, best = inf, -1
            for arc in leaving[line[-1]]:
                if not reached[heads[arc]]:
                    cost = costs[arc]
                    for row in uses[arc]:
                        if left[row] < cost:
                            break
                    else:
                        ways_on = onward[heads[arc]] + attempt * dice.random() / 4
                        if ways_on < least:
                            least, best = ways_on, arc
            if best < 0:
                stuck = False
                for arc in leaving[line.pop()]:
                    head = heads[arc]
                    ways[head] -= 1
                    stuck = stuck or not (ways[head] or reached[head])
                if stuck and len(arcs) >= MANY_ARCS:
                    break
                continue
            for row in uses[best]:
                left[row] -= costs[best]
            head = heads[best]
            chosen.append(best)
            reached[head] = True
            line.append(head)
            for tail in entering[head]:
                onward[tail] -= 1
        if len(chosen) == size - 1:
            return tuple(sorted(chosen))
        farthest = max(farthest, sum(reached))
        if attempt == TELLING - 1 and 2 * farthest < size:
            break
    return None
