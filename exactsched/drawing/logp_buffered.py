"""Buffered role cycles as the paper's figure 5 shows them: which receptions are late, and why."""

from __future__ import annotations

from exactsched.certificate.logp import Cycle, LogPBuffered, LogPCycles, Role
from exactsched.drawing.canvas import Fragment, stacked
from exactsched.drawing.key import notes
from exactsched.drawing.logp_reception import Mark, cycle_words, reception_table
from exactsched.drawing.logp_tree import cycles_tree


def buffered_tree(stated: LogPBuffered) -> Fragment | None:
    """The tree of an item with the delays of its messages, as they arrive.

    None unless all items have the same tree and only its leaves are late.
    """
    for shift, roles in stated.cycles:
        if any(wait and (children or shift > 1) for _, children, wait in roles):
            return None
    return cycles_tree(_cycles(stated, (0,)))


def buffered_words(stated: LogPBuffered) -> Fragment:
    """The words of the cycles, in the letters of what is received."""
    return cycle_words(_cycles(stated, (0, 2)))


def buffered_table(stated: LogPBuffered) -> Fragment:
    """The table of receptions: late ones in a box, those for which a message waits in a circle."""
    latency = stated.machine.L.numerator

    def mark(cycle: int, number: int, step: int) -> Mark:
        _, roles = stated.cycles[cycle]
        if roles[number][2]:
            return "box"
        length = len(roles)
        for other, (delay, _, wait) in enumerate(roles):
            # It arrives at `arrival` or later, a round apart; one of them is received after `step`
            # and has arrived by then.
            later = (other - number - 1) % length + 1
            first = max(step + later, _not_before(latency + delay + wait, step + later, length))
            last = min(step + wait, latency + delay + wait + stated.items - 1)
            if first <= last:
                return "circle"
        return ""

    table = reception_table(_cycles(stated, (0, 2)), mark)
    most = "one message waits" if stated.buffer == 1 else f"{stated.buffer} messages wait"
    told = [
        "In a box: the item arrived before, and waited. In a circle: another one waits meanwhile.",
        f"At most {most} at a processor at any time.",
    ]
    return stacked([table, notes(told, max(table.width, 420))], 10)


def _not_before(least: int, step: int, length: int) -> int:
    """The first of step, step + length, step + 2 length, ... that is `least` or more."""
    return step + max(0, -(-(least - step) // length)) * length


def _cycles(stated: LogPBuffered, columns: tuple[int, ...]) -> LogPCycles:
    """The same cycles without buffers; the delay of a role is the sum of these columns."""
    cycles = tuple(
        Cycle(shift, tuple([Role(sum(role[k] for k in columns), role.children) for role in roles]))
        for shift, roles in stated.cycles
    )
    return LogPCycles(
        stated.machine, cycles, stated.items, (), stated.time, stated.bound, stated.optimal
    )
