"""The construction of section IV-B2 of the paper: overlays with cycles, made by diversions.

The package itself uses a simpler one (`exactsched.overlay.augmented`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction

from exactsched.oracles.overlay import Arc, least_cut

# How much of M is taken from what comes to the last node, given that, M and T.
Share = Callable[[Fraction, Fraction, Fraction], Fraction]


def proportional(coming: Fraction, missing: Fraction, rate: Fraction) -> Fraction:
    """As printed: M times the part of T that comes from before.

    >>> print(proportional(Fraction(2), Fraction(1), Fraction(3)))
    2/3
    """
    return missing * coming / rate


def greedy(coming: Fraction, missing: Fraction, _: Fraction) -> Fraction:
    """As much as possible.

    >>> print(greedy(Fraction(2), Fraction(3), Fraction(3)))
    2
    """
    return min(coming, missing)


def diversions(
    limits: Sequence[Fraction], rate: Fraction, first: int, share: Share
) -> dict[Arc, Fraction]:
    """Rates T into nodes 1..n with decreasing limits, of which `first` is the first on a path.

    Algorithm 1 serves the nodes before it, and sends it all that they have left.  It gets the
    missing M from the source, which takes it away from node 1, and sends that to node 1.  Then the
    others come one by one.

    >>> rates = diversions([Fraction(2), Fraction(1), Fraction(1)], Fraction(2), 2, greedy)
    >>> {arc: int(amount) for arc, amount in rates.items()}
    {(0, 1): 1, (1, 2): 1, (0, 2): 1, (2, 1): 1}
    """
    rates: defaultdict[Arc, Fraction] = defaultdict(Fraction)

    def move(amount: Fraction, *path: Arc) -> None:
        for arc in path:
            rates[arc] += amount

    receiver, need = 1, rate
    for sender in range(first):
        left = limits[sender]
        while left:
            amount = left if receiver == first else min(left, need)
            move(amount, (sender, receiver))
            left, need = left - amount, need - amount
            if not need and receiver < first:
                receiver, need = receiver + 1, rate
    missing = [k * rate - sum(limits[:k], Fraction(0)) for k in range(len(limits))]
    back, before = 1, list(range(first))
    move(-missing[first], (0, 1))
    coming = [(sender, rates[sender, first]) for sender in before]
    move(missing[first], (0, first), (first, back))
    for k in range(first, len(limits) - 1):
        from_before = share(
            sum((amount for _, amount in coming), Fraction(0)), missing[k + 1], rate
        )
        from_behind = missing[k + 1] - from_before
        move(limits[k] - missing[k] + from_behind, (k, k + 1))
        move(from_before, (k + 1, k))
        move(-from_behind, (k, back))
        move(from_behind, (k + 1, back))
        left = from_before
        for sender, amount in coming:
            taken = min(left, amount)
            move(-taken, (sender, k))
            move(taken, (sender, k + 1))
            left -= taken
        back, coming = k, [(k, rates[k, k + 1])]
    return {arc: amount for arc, amount in rates.items() if amount}


def rates_fault(
    limits: Sequence[Fraction], rate: Fraction, rates: dict[Arc, Fraction], most: Sequence[int]
) -> str:
    """What is wrong with rates that should send T to all, where node i has at most most[i]
    receivers; or "".

    >>> rates_fault([Fraction(1), Fraction(0)], Fraction(1), {(0, 1): Fraction(2)}, [1, 0])
    'node 0 sends too much'
    """
    for (i, j), amount in rates.items():
        if amount < 0 or i == j:
            return f"the rate {amount} from {i} to {j}"
    for node, limit in enumerate(limits):
        amounts = [amount for (i, _), amount in rates.items() if i == node]
        if sum(amounts) > limit:
            return f"node {node} sends too much"
        if len(amounts) > most[node]:
            return f"node {node} has {len(amounts)} receivers"
    into = least_cut(len(limits), rates)
    return "" if into >= rate else f"into some set only {into} is sent"
