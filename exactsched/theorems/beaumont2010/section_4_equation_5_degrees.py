"""The bound by counting, and overlays with one receiver more: equation (5), section IV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, gcd, lcm

from exactsched.instances.instance_type import Bounds
from exactsched.instances.overlays import (
    ATTEMPTS,
    FLAT,
    MACHINES,
    OPEN_MACHINES,
    TIGHT_MACHINES,
    Attempt,
)
from exactsched.model.machine import MultiPort
from exactsched.oracles.overlay import (
    best_throughput,
    bound_by_counting,
    count_of_supports,
    has_no_cycle,
    least_entrance,
    overlay_fault,
    rates_of,
    receivers,
    sent_at,
    within,
)
from exactsched.oracles.overlay_diversions import (
    Share,
    diversions,
    greedy,
    proportional,
    rates_fault,
)
from exactsched.overlay.augmented import augmented_overlay, unconstrained_overlay
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.rate import best_rates
from exactsched.overlay.shares import overlay_of_rates
from exactsched.theorems.claim import Say, claim

_SUPPORTS = 9  # sets of arcs of which the best rates are found
_FOLLOWED = 60  # ranges of parts


@claim(
    "beaumont2010.eq5",
    number="equation (5)",
    status="corrected",
    instances=ATTEMPTS,
    page="overlay-bounds",
    implements=("exactsched/overlay/bounds.py",),
    judged="`check`; value and slope at T*; the best rates on arcs; all sets of few arcs",
    corrects="beaumont2010.eq5.printed",
)
def bound_of_any_overlay(asked: Attempt, say: Say) -> None:
    """X_i(T) = min(b_i, T d_i), and C is the least of b_0 (0 if d_0 = 0) and all incoming
    bandwidths. The T >= 0 with sum_i X_i(T) >= n T are an interval [0, T*], and no overlay within
    the degrees has a throughput above U = min(C, T*). Degrees above n change nothing.
    """
    machine, n = asked.machine, asked.machine.size - 1
    if not within(machine, asked.arcs):
        say.not_applicable("the arcs are not within the degrees")
    bound, most = throughput_bound(machine), least_entrance(machine)
    say(nodes=n, bound=bound, entrance=most)
    say.require(bound == bound_by_counting(machine, "any"), "it is neither C nor the largest root")
    for rate in (bound * quarters / 4 for quarters in range(9)):
        enough = sum(sent_at(machine, rate)) >= n * rate
        say.require(enough or rate > bound, f"below it, at {rate}, too little can be sent")
        above = not enough or rate <= bound or bound == most
        say.require(above, f"above it, at {rate}, enough can be sent")
    for degrees in ([min(d, n) for d in machine.degrees], [d + (d >= n) for d in machine.degrees]):
        same = throughput_bound(replace(machine, degrees=tuple(degrees))) == bound
        say.require(same, f"another bound for the degrees {degrees}")
    best = best_rates(machine, asked.arcs)
    overlay = overlay_of_rates(machine, "any", best.rates, best.throughput, bound)
    say(throughput=overlay.throughput)
    kept = say.accepts(overlay).bound == bound >= overlay.throughput
    say.require(kept, "an overlay exceeds the bound")
    fault = overlay_fault(overlay, _FOLLOWED)
    say.require(not fault, fault)
    if count_of_supports(machine) <= _SUPPORTS:
        say(best=best_throughput(machine))
        less = best_throughput(machine) <= bound
        say.require(less, "on some arcs more can be sent than the bound")


@claim(
    "beaumont2010.eq5.printed",
    number="equation (5), section IV-A",
    instances=OPEN_MACHINES,
    page="overlay-bounds",
    judged="the roots between all bends",
    counterexample=lambda: FLAT,
)
def only_one_root(machine: MultiPort, say: Say) -> None:
    """There is only one T > 0 with sum_i min(b_i, T d_i) = n T."""
    n = machine.size - 1
    bends = {b / d for b, d in zip(machine.bandwidths, machine.degrees, strict=True) if d}
    ends = sorted(bends - {0})  # the difference is linear between them
    ends.append(max([*ends, *machine.bandwidths, Fraction(1)]) * (n + 2))
    roots, low = 0, Fraction(0)
    for high in ends:
        left, right = (sum(sent_at(machine, rate)) - n * rate for rate in (low, high))
        say.require(bool(left or right), f"every T from {low} to {high} is a root")
        roots += right == 0 or left > 0 > right
        low = high
    say.require(roots == 1, f"{roots} roots")
    say(roots=roots)


@claim(
    "beaumont2010.augmented",
    number="section IV-B (max(d_i + 2, 4) receivers)",
    status="sharpened",
    instances=MACHINES,
    page="overlay-augmentation",
    implements=(
        "exactsched/overlay/augmented.py",
        "exactsched/overlay/sequential.py",
        "exactsched/overlay/bounds.py",
    ),
    judged="`check`; parts one by one; value and slope at T*; receivers counted again",
    corrects="beaumont2010.augmented.printed",
)
def one_receiver_more(machine: MultiPort, say: Say) -> None:
    """Without given arcs there is an overlay of throughput U in which node i sends to at most
    ceil(X_i / U) + 1 <= d_i + 1 others, with 2 n + 2 arcs and one range of parts on all but one of
    them; if the X_i and U are multiples of a unit, U / unit parts do. It has cycles only if the
    nodes but the least send less than n U. Without degrees, min(b_0, r_1, ..., r_n, sum b / n) is
    possible.
    """
    n = machine.size - 1
    overlay = augmented_overlay(machine)
    proved, rate = say.accepts(overlay), Fraction(overlay.throughput)
    say(nodes=n, throughput=rate, parts=overlay.parts)
    reached = proved.bound == rate == bound_by_counting(machine, "any")
    say.require(reached, "it is not as fast as the bound by counting")
    fault = overlay_fault(overlay, _FOLLOWED)
    say.require(not fault, fault)
    free = unconstrained_overlay(machine)
    fastest = min(machine.bandwidths[0], sum(machine.bandwidths) / n, *machine.incoming[1:])
    best = say.accepts(free).optimal and free.throughput == fastest
    say.require(best and not overlay_fault(free, _FOLLOWED), f"{fastest} without degrees is missed")
    if not rate:
        return
    sending, used = sent_at(machine, rate), receivers(overlay)
    excess = max(u - d for u, d in zip(used, machine.degrees, strict=True))
    say(excess=excess)
    for count, x, degree in zip(used, sending, machine.degrees, strict=True):
        few = count <= min(ceil(x / rate), degree) + 1
        say.require(few, f"{count} receivers, where {degree} are allowed")
    say.require(proved.optimal == (excess <= 0), "optimal, or not, against the degrees")
    ranges = Counter(len(row) for _, _, row in overlay.arcs)
    say.require(len(overlay.arcs) <= 2 * n + 2, "more than 2 n + 2 arcs")
    say.require(set(ranges) <= {1, 2} and ranges[2] <= 1, "more than one range on most arcs")
    scale = lcm(*(x.denominator for x in (rate, *sending)))
    parts = rate * scale / gcd(*(int(x * scale) for x in (rate, *sending)))
    say.require(overlay.parts <= parts, "more parts than the unit of T and the X_i asks for")
    easy = sum(sending) - min(sending[1:]) >= n * rate
    cycles = not has_no_cycle(rates_of(overlay))
    say.require(easy != cycles, "a cycle that is not needed, or none although one is needed")
    say(cycles=cycles)


@claim(
    "beaumont2010.augmented.diversions",
    number="section IV-B2; proofs/overlay-augmentation.md, theorem 4",
    status="corrected",
    instances=TIGHT_MACHINES,
    page="overlay-augmentation",
    implements=("exactsched/oracles/overlay_diversions.py", "exactsched/overlay/bounds.py"),
    judged="rates and cuts by definition",
    corrects="beaumont2010.augmented.printed",
    printed=False,
)
@claim(
    "beaumont2010.augmented.printed",
    statement=(
        "For T <= b_0 that satisfies (5), k_0 the least k with S_k < (k + 1) T and"
        " M_k = k T - S_(k-1), the construction of section IV-B2 sends T to all, at rates >= 0"
        " within the X_i, to max(d_i + 2, 4) receivers at most."
    ),
    number="section IV-B2",
    instances=TIGHT_MACHINES,
    bounds=Bounds(5, 9, 12),
    page="overlay-augmentation",
    judged="rates and cuts by definition",
    # k_0 = 1 with M = -1.
    counterexample=lambda: MultiPort([4, 1, 1], [2, 1, 1]),
    printed=True,
)
def diverted(machine: MultiPort, say: Say, *, printed: bool) -> None:
    """Let X_0, X_1 >= ... >= X_n be the limits for T = U > 0, S_(n-1) < n T, and k the least number
    with S_(k-1) < k T. The construction of section IV-B2 from k on, with (u, v) = (0, 1) and shares
    taken from the senders to k in the order of service, sends T to all, to max(d_i + 2, 4)
    receivers at most; with greedy shares to max(d_i + 1, 3) at most.
    """
    rate = throughput_bound(machine)
    sending = sent_at(machine, rate)
    order = [0, *sorted(range(1, machine.size), key=lambda i: -sending[i])]
    limits, degrees = [sending[i] for i in order], [machine.degrees[i] for i in order]
    short = [k for k in range(machine.size) if k and sum(limits[:k]) < k * rate]
    if not rate or not short:
        say.not_applicable("Algorithm 1 serves everybody")
    first = short[0]
    few: dict[Share, Sequence[int]] = {proportional: [max(d + 2, 4) for d in degrees]}
    if printed:
        first = min(k for k in range(machine.size) if sum(limits[: k + 1]) < (k + 1) * rate)
        say(missing=first * rate - sum(limits[:first]))
    else:
        few[greedy] = [max(d + 1, 3) for d in degrees]
    say(throughput=rate, first=first)
    for share, most in few.items():
        rates = diversions(limits, rate, first, share)
        fault = rates_fault(limits, rate, rates, most)
        say.require(not fault, f"{share.__name__}: {fault}")
        if not printed:
            say({share.__name__: lcm(*(amount.denominator for amount in rates.values()))})
