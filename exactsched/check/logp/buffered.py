"""Role cycles with buffers: trees, one reception and one send per step, what waits, and the bound.

The rules, and why they are enough for series of any length, are those of
`proofs/logp-certificates.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from exactsched.certificate.logp import BufferedCycle, BufferedRole, LogPBuffered
from exactsched.check.logp.role_cycles import alike, refuse_two_at_once, refuse_unless_trees
from exactsched.check.logp.universal_tree import least_broadcast_time
from exactsched.check.proved import ClassBounds, ProvedLogP, shown
from exactsched.exact.errors import Rejected


def logp_buffered(stated: LogPBuffered) -> ProvedLogP:
    """The time in which everybody has all items, and the bound on single-sending schedules.

    Linear in the roles of all cycles times the number of different trees.  Raises `Rejected`.

    >>> from exactsched.model.machine import LogP
    >>> cycles = ((1, ((0, 2, 0), (3, 0, 1))), (1, ((4, 0, 0),)))
    >>> stated = LogPBuffered(LogP(3, 0, 1, 4), cycles, 10**18, 10**18 + 6, 10**18 + 6, 1, True)
    >>> print(logp_buffered(stated).optimal)
    True
    """
    latency = stated.machine.L.numerator
    kinds = alike(
        stated.cycles,
        lambda roles: [(delay, delay + wait, children) for delay, children, wait in roles],
    )
    rule = "number - delay - wait is different for all roles, modulo their number"
    refuse_two_at_once(kinds, rule)
    refuse_unless_trees(kinds, latency)
    different = [stated.cycles[kind.first] for kind in kinds]
    time = _last_reception(different, stated.items, latency)
    if stated.time != time:
        raise Rejected("time", shown(stated.time), f"the last reception is at {shown(time)}")
    waiting = max(_most_waiting(roles) for _, roles in different)
    if stated.buffer != waiting:
        rule = f"at most {shown(waiting)} messages wait at a processor at once"
        raise Rejected("buffer", shown(stated.buffer), rule)
    size = stated.machine.P
    after_the_source = least_broadcast_time(latency, 1, size - 1, 1)
    bound = latency + after_the_source + stated.items - 1
    if stated.bound != bound:
        raise Rejected("bound", shown(stated.bound), f"what is proved is {shown(bound)}")
    if stated.optimal != (time == bound):
        rule = "optimal means that the bound allows no less time, and nothing else"
        raise Rejected("optimal", stated.optimal, rule)
    return ProvedLogP(
        kind="logp-buffered",
        machine=stated.machine,
        collective="buffered broadcast",
        count=stated.items,
        time=Fraction(time),
        bound=Fraction(bound),
        optimal=stated.optimal,
        bounds=ClassBounds(
            "single-sending",
            Fraction(bound),
            Fraction(least_broadcast_time(latency, 1, size, stated.items)),
        ),
    )


def _last_reception(cycles: Sequence[BufferedCycle], items: int, latency: int) -> int:
    """Of each role the last item that it receives, among those sent in steps 0..items-1."""
    receptions = []
    for shift, roles in cycles:
        for number, (delay, _, wait) in enumerate(roles):
            known = delay + wait + latency
            item = items - 1 - (items - 1 - number + known) % shift
            if item >= 0:
                receptions.append(item + known)
    return max(receptions)


def _most_waiting(roles: tuple[BufferedRole, ...]) -> int:
    """What is received in role r after w steps waits from the steps r - w, ..., r - 1 on.

    Counted modulo the number of roles, as the difference of what begins and what ends to wait.
    """
    length = len(roles)
    always = 0
    changes = [0] * length
    for number, (_, _, wait) in enumerate(roles):
        rounds, rest = divmod(wait, length)
        always += rounds
        changes[number] -= 1
        changes[(number - rest) % length] += 1
        always += number < rest
    return always + max(accumulate(changes))
