"""Certificates of LogP machines in words: what was asked and claimed, why nothing is better."""

from __future__ import annotations

from exactsched.certificate.logp import LogPBuffered, LogPCycles, LogPSchedule
from exactsched.drawing.lettering import counted, short

# What is drawn; rounds are drawn message by message.
LogPDrawn = LogPSchedule | LogPCycles | LogPBuffered

_SUBSCRIPTS = str.maketrans(
    "0123456789", "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089"
)
_LETTERS = 26
_DIGITS = 30


def headline(certificate: LogPDrawn) -> tuple[str, str]:
    """What was asked, and what is claimed, each on a line."""
    machine = certificate.machine
    on = ", ".join(
        f"{name} = {short(value, _DIGITS)}"
        for name, value in (("L", machine.L), ("o", machine.o), ("g", machine.g))
    )
    title = f"{_asked(certificate)}: {on}"
    bound = short(certificate.bound, _DIGITS)
    time = short(certificate.time, _DIGITS)
    if isinstance(certificate, LogPSchedule) and certificate.collective == "summation":
        agree = (
            "optimal: less time is not enough"
            if certificate.optimal
            else f"no schedule adds more than {bound}"
        )
        return title, f"{counted(certificate.count, 'operand')} in time {time} \u2014 {agree}"
    agree = (
        "optimal: no schedule takes less"
        if certificate.optimal
        else f"no schedule takes less than {bound}"
    )
    done = f"Time {time}"
    if isinstance(certificate, LogPCycles) and not certificate.items:
        done = f"Everybody has an item {time} steps after it was sent"
    if isinstance(certificate, LogPBuffered):
        agree = agree.replace("schedule", "single-sending schedule")
    return title, f"{done} \u2014 {agree}"


def _asked(certificate: LogPDrawn) -> str:
    processors = counted(certificate.machine.P, "processor")
    if isinstance(certificate, LogPBuffered):
        items = counted(certificate.items, "item")
        return f"Single-sending broadcast of {items} to {processors} with buffers"
    if isinstance(certificate, LogPCycles):
        if not certificate.items:
            return f"Continuous broadcast to {processors}"
        single = "Single-sending broadcast" if _single_sending(certificate) else "Broadcast"
        return f"{single} of {counted(certificate.items, 'item')} to {processors}"
    items = f" of {counted(certificate.count, 'item')}" if certificate.count > 1 else ""
    match certificate.collective:
        case "broadcast":
            return f"Broadcast{items} to {processors}"
        case "allgather":
            return f"Allgather{items} among {processors}"
        case "alltoall":
            return f"Alltoall{items} among {processors}"
        case "allreduce":
            return f"Allreduce among {processors}"
        case _:
            return f"Summation by {processors}"


def _single_sending(cycles: LogPCycles) -> bool:
    return cycles.items > 0 and len(set(cycles.endgame)) == len(cycles.endgame)


def bound_in_words(certificate: LogPDrawn) -> str:
    """The argument behind `bound`, for a reader who knows the machine."""
    bound = short(certificate.bound, _DIGITS)
    if not isinstance(certificate, LogPSchedule):
        return _bound_of_cycles(certificate, bound)
    match certificate.collective:
        case "broadcast" if certificate.count == 1:
            return (
                "Whoever has the item at time t lets others have it at t + L + 2o and from then on"
                " once in max(g, o) time units. If everybody does so without rest, as many as"
                " possible have it at any time; all processors have it for the first time at"
                f" {bound}."
            )
        case "broadcast":
            return (
                "Every receiver has to receive every item; from a single source, that many"
                f" receptions are not possible before {bound}."
            )
        case "allreduce":
            return (
                "Each value has to reach everybody, and for one value alone this is a broadcast,"
                f" which takes {bound} at least."
            )
        case "summation":
            return (
                "A processor that sends its sum at time S adds S - o operands to the result, and it"
                " cannot send later than the time that is left for its message to be added up. The"
                f" latest times that these processors can have add up to {bound} operands."
            )
        case _:
            return (
                "Every processor has to receive an item of each other one. The first arrives after"
                f" L + 2o, and then one in max(g, o) time units, so that {bound} is needed."
            )


def _bound_of_cycles(cycles: LogPCycles | LogPBuffered, bound: str) -> str:
    tree = "the others cannot have it sooner than an optimal broadcast among them takes"
    if not cycles.items:
        return f"The source sends an item once, which takes L, and {tree}: {bound} steps."
    if isinstance(cycles, LogPBuffered):
        return (
            f"A source that sends every item once sends the last at step {short(cycles.items - 1)}"
            f" or later. It arrives L steps later, and {tree}: {bound} steps."
        )
    return (
        "Every receiver has to receive every item; from a single source, that many receptions are"
        f" not possible before {bound}."
    )


def index_name(index: int) -> str:
    """The letter of an index: a for the item whose broadcast ends now, b for one step later, ...

    >>> index_name(0), index_name(7), index_name(31)
    ('a', 'h', '(31)')
    """
    return chr(ord("a") + index) if 0 <= index < _LETTERS else f"({short(index)})"


def role_name(index: int, children: int) -> str:
    """A role as the paper writes it: who sends is a capital letter with the number of its sends.

    >>> role_name(2, 0), role_name(7, 5)
    ('c', 'H\u2085')
    """
    if not children:
        return index_name(index)
    return index_name(index).upper() + short(children).translate(_SUBSCRIPTS)
