"""Role cycles of the postal model: no processor sends or receives two things at once, all arrives.

The rules, and why they are enough for schedules of any length, are those of
`proofs/logp-certificates.md`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from exactsched.certificate.budget import spend
from exactsched.certificate.logp import LogPCycles
from exactsched.check.logp.role_cycles import alike, refuse_two_at_once, refuse_unless_trees
from exactsched.check.logp.universal_tree import least_broadcast_time
from exactsched.check.proved import ClassBounds, ProvedLogP, shown
from exactsched.exact.errors import Rejected


def logp_cycles(stated: LogPCycles) -> ProvedLogP:
    """The time in which everybody has an item, or all items, and the bound on all other schedules.

    If the source sends every item once, the claim names the bound on such schedules as well.

    Linear in the roles of all cycles times the number of different trees, and in the number of
    processors of different cycles times the part of the endgame that some do not receive.
    Raises `Rejected`.

    >>> from exactsched.model.machine import LogP
    >>> cycles = ((1, ((0, 1), (2, 0))), (1, ((3, 0),)))
    >>> stated = LogPCycles(LogP(3, 0, 1, 4), cycles, 0, (), 6, 5, False)
    """
    latency, size = stated.machine.L.numerator, stated.machine.P
    kinds = alike(stated.cycles, lambda roles: [(delay, delay, sent) for delay, sent in roles])
    refuse_two_at_once(kinds, "number - delay is different for all roles, modulo their number")
    refuse_unless_trees(kinds, latency)
    depth = max([delay for kind in kinds for delay, *_ in kind.roles])
    if stated.items:
        _refuse_incomplete(stated, latency, depth)
    elif stated.time != latency + depth:
        rule = f"everybody has an item {shown(latency + depth)} steps after it was sent"
        raise Rejected("time", shown(stated.time), rule)
    # The last item is sent in step items - 1 or later, if nothing is sent twice.
    alone = latency + least_broadcast_time(latency, 1, size - 1, 1) + max(stated.items - 1, 0)
    bound = least_broadcast_time(latency, 1, size, stated.items) if stated.items else alone
    once = stated.items > 0 and len(set(stated.endgame)) == len(stated.endgame)
    if stated.bound != bound:
        raise Rejected("bound", shown(stated.bound), f"what is proved is {shown(bound)}")
    if stated.optimal != (stated.time == bound):
        rule = "optimal means that the bound allows no less time, and nothing else"
        raise Rejected("optimal", stated.optimal, rule)
    return ProvedLogP(
        kind="logp-cycles",
        machine=stated.machine,
        collective="broadcast" if stated.items else "continuous broadcast",
        count=stated.items,
        time=Fraction(stated.time),
        bound=Fraction(bound),
        optimal=stated.optimal,
        bounds=ClassBounds("single-sending", Fraction(alone), Fraction(bound)) if once else None,
    )


def _refuse_incomplete(stated: LogPCycles, latency: int, depth: int) -> None:
    """Everybody receives every item, in some copy, at `time` or before.

    Copy v is sent at step v.  Those sent at time - L - depth or before reach everybody; of the
    others it is worked out who receives them in time.
    """
    sent = stated.items - len(set(stated.endgame))  # the copies before the endgame
    safe = stated.time - latency - depth  # copies up to this one reach everybody
    if sent + len(stated.endgame) - 1 + latency > stated.time:
        rule = "what the source sends is received in time"
        raise Rejected("time", shown(stated.time), rule)
    for index, (shift, roles) in enumerate(stated.cycles):
        for number, (delay, _) in enumerate(roles):
            # The last copy before the endgame that is received in this role.
            last = sent - 1 - (sent - 1 - number + delay + latency) % shift
            if last >= 0 and last + latency + delay > stated.time:
                rule = f"role {number} of cycle {index} receives it later"
                raise Rejected(f"item {last}", shown(stated.time), rule)
    everywhere = {item for v, item in enumerate(stated.endgame, sent) if v <= safe}
    late = [
        (v, item)
        for v, item in enumerate(stated.endgame, sent)
        if v > safe and item not in everywhere
    ]
    open_items = {item for _, item in late}
    if not open_items:
        return
    first = [0]  # processor of every cycle
    for shift, roles in stated.cycles:
        first.append(first[-1] + len(roles) // shift)
    # Processors in equal cycles receive the same.  Sorted, not in a set: whoever writes the
    # document can make the hashes of all cycles equal.
    order = sorted(range(len(stated.cycles)), key=stated.cycles.__getitem__)
    different = [min(equal) for _, equal in groupby(order, stated.cycles.__getitem__)]
    for index in sorted(different):
        shift, roles = stated.cycles[index]
        length = len(roles)
        spend(len(late) * (length // shift), "endgame")
        delays = {(number - delay) % length: delay for number, (delay, _) in enumerate(roles)}
        for position in range(length // shift):
            received = {
                item
                for v, item in late
                if v + latency + delays[(v + latency - position * shift) % length] <= stated.time
            }
            if received != open_items:
                missing = min(open_items - received)
                rule = f"processor {first[index] + position} does not receive it in time"
                raise Rejected(f"item {missing}", shown(stated.time), rule)
