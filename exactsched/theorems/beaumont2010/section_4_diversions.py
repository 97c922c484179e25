"""Section IV-B of the paper: overlays with cycles, made by diversions, as printed and corrected.

The package itself uses a simpler construction (`exactsched.overlay.augmented`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm

from exactsched.exact.rational import to_json
from exactsched.instances.choices import Choices
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import PAPER, Arc, least_cut, sent_at, tight_machine
from exactsched.overlay.bounds import throughput_bound
from exactsched.theorems.claim import Bounds, Claim, Verdict, held, not_applicable, refuted

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


def fault(
    limits: Sequence[Fraction], rate: Fraction, rates: dict[Arc, Fraction], most: Sequence[int]
) -> str:
    """What is wrong with rates that should send T everywhere, to at most so many receivers; or "".

    >>> fault([Fraction(1), Fraction(0)], Fraction(1), {(0, 1): Fraction(2)}, [1, 0])
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


def _sorted(machine: MultiPort) -> tuple[Fraction, list[Fraction], list[int]]:
    """T, and the X_i and degrees, those of the source first and then by falling X_i."""
    rate = throughput_bound(machine)
    sending = sent_at(machine, rate)
    order = [0, *sorted(range(1, machine.size), key=lambda i: -sending[i])]
    return rate, [sending[i] for i in order], [machine.degrees[i] for i in order]


def _corrected(machine: MultiPort) -> Verdict:
    rate, limits, degrees = _sorted(machine)
    short = [k for k in range(1, machine.size) if sum(limits[:k]) < k * rate]
    if not rate or not short:
        return not_applicable("Algorithm 1 serves everybody")
    facts: dict[str, int | str | list[int]] = {"throughput": to_json(rate), "first": short[0]}
    for share, most in (
        (proportional, [max(d + 2, 4) for d in degrees]),
        (greedy, [max(d + 1, 3) for d in degrees]),
    ):
        rates = diversions(limits, rate, short[0], share)
        if reason := fault(limits, rate, rates, most):
            return refuted(f"{share.__name__}: {reason}", **facts)
        facts[share.__name__] = lcm(*(amount.denominator for amount in rates.values()))
    return held(**facts)


def _printed(machine: MultiPort) -> Verdict:
    rate, limits, degrees = _sorted(machine)
    if not rate or sum(limits[:-1]) >= (machine.size - 1) * rate:
        return not_applicable("Algorithm 1 serves everybody")
    first = min(k for k in range(machine.size) if sum(limits[: k + 1]) < (k + 1) * rate)
    missing = first * rate - sum(limits[:first])
    facts = {"throughput": to_json(rate), "first": first, "missing": to_json(missing)}
    rates = diversions(limits, rate, first, proportional)
    if reason := fault(limits, rate, rates, [max(d + 2, 4) for d in degrees]):
        return refuted(reason, **facts)
    return held(**facts)


def _circle(choices: Choices, bound: int) -> MultiPort:
    return tight_machine(choices, bound)


CLAIMS = (
    Claim(
        id="beaumont2010.augmented.diversions",
        statement=(
            "Let X_0, X_1 >= ... >= X_n be the limits for T = U > 0, S_(n-1) < n T, and k the least"
            " number with S_(k-1) < k T. The construction of section IV-B2 from k on, with"
            " (u, v) = (0, 1) and shares taken from the senders to k in the order of service, sends"
            " T to all, to max(d_i + 2, 4) receivers at most; with greedy shares to max(d_i + 1, 3)"
            " at most."
        ),
        reference=f"{PAPER}, section IV-B2; proofs/overlay-augmentation.md, theorem 4",
        status="corrected",
        page="overlay-augmentation",
        implemented=(
            "exactsched/theorems/beaumont2010/section_4_diversions.py",
            "exactsched/overlay/bounds.py",
        ),
        checked_by="rates and cuts by definition",
        instance_type=MultiPort,
        instance=_circle,
        check=_corrected,
        bounds=Bounds(5, 9, 30),
        corners=lambda: (
            MultiPort([2, 1, 1], [2, 1, 1]),  # figure 1
            MultiPort([3, Fraction(3, 2), 1, Fraction(1, 2)], [3, 2, 1, 1]),
            MultiPort([10, *[9] * 10], [1] * 11),  # each lacks as much as all others
            MultiPort([10**30, *[10**30 - 10**29] * 10], [1] * 11),
        ),
        corrects="beaumont2010.augmented.printed",
    ),
    Claim(
        id="beaumont2010.augmented.printed",
        statement=(
            "For T <= b_0 that satisfies (5), k_0 the least k with S_k < (k + 1) T and"
            " M_k = k T - S_(k-1), the construction of section IV-B2 sends T to all, at rates >= 0"
            " within the X_i, to max(d_i + 2, 4) receivers at most."
        ),
        reference=f"{PAPER}, section IV-B2",
        status="wrong as printed",
        page="overlay-augmentation",
        implemented=(),
        checked_by="rates and cuts by definition",
        instance_type=MultiPort,
        instance=_circle,
        check=_printed,
        bounds=Bounds(5, 9, 12),
        # k_0 = 1 with M = -1.
        counterexample=lambda: MultiPort([4, 1, 1], [2, 1, 1]),
    ),
)
