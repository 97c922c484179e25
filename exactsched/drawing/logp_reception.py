"""Role cycles as the paper's figures 2 and 4 show them: who receives which item at which step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Literal

from exactsched.certificate.logp import LogPCycles, Role
from exactsched.drawing.canvas import (
    IDLE,
    INK,
    PAPER,
    RULE,
    SOFT_INK,
    UNUSED,
    Fragment,
    color,
    hint,
    ink_on,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import counted, short, text_width
from exactsched.drawing.logp_tree import depth_of
from exactsched.drawing.logp_wording import role_name

MOST_ROWS = 40
MOST_STEPS = 48
_MOST_WORDS = 16
_MOST_LETTERS = 40
_MOST_COLORS = 8
_ROW = 18
_BETWEEN = 6
_PERIODS = 2

# How a reception is marked: as late, or as what another message waits for.
Mark = Literal["", "box", "circle"]


def _no_mark(*_: int) -> Mark:
    return ""


def reception_table(
    cycles: LogPCycles, mark: Callable[[int, int, int], Mark] = _no_mark
) -> Fragment:
    """A row for each processor, a column for each step, in a cell the item that is received.

    Cells of a role with children are colored and bold: the item is sent on from this step on.
    `mark` tells whether the reception in a role of a cycle, both given by their numbers, at a step
    is in a box or in a circle.
    """
    fills = _role_colors(cycles)
    steps = _steps(cycles)
    latency = cycles.machine.L.numerator
    names = [_copy_name(cycles, step) for step in steps]
    received = [
        (first + position, index, position, shift, roles)
        for first, index, shift, roles in _numbered(cycles)
        for position in range(min(len(roles) // shift, MOST_ROWS))
    ][:MOST_ROWS]
    widest = max(
        [text_width(short(step), 10) for step in steps] + [text_width(n, 10) for n in names]
    )
    cell = max(22.0, widest + 8)
    left = max(text_width(f"P{cycles.machine.P - 1}", 11) + 14, text_width("source sends", 10) + 12)
    body = [lettered("Receptions: the item that arrives at each step", 0, 12, 11.5, bold=True)]
    body += [
        lettered(short(step), left + (column + 0.5) * cell, 32, 10, fill=SOFT_INK, anchor="middle")
        for column, step in enumerate(steps)
    ]
    body.append(lettered("step", left - 9, 32, 10, fill=SOFT_INK, anchor="end"))
    y = 40.0
    body.append(lettered("source sends", left - 9, y + 13, 10, fill=SOFT_INK, anchor="end"))
    for column, name in enumerate(names):
        body.append(
            _cell(name, left + column * cell, y, cell, IDLE, f"step {short(steps[column])}")
        )
    y += _ROW + _BETWEEN
    before = None
    repeated = False
    for processor, index, position, shift, roles in received:
        if before is not None and before != index:
            y += _BETWEEN
        before = index
        body.append(lettered(f"P{processor}", left - 9, y + 13, 11, anchor="end", bold=True))
        known: set[str] = set()
        for column, step in enumerate(steps):
            number = (step - position * shift) % len(roles)
            role = roles[number]
            name = _copy_name(cycles, step - latency - role[0])
            again = name != "" and name in known
            repeated = repeated or again
            known.add(name)
            fill = fills.get(role, PAPER) if name else PAPER
            told = f"step {short(step)}: {_role_told(role)}"
            x = left + column * cell
            body.append(_cell(name, x, y, cell, fill, told, bold=role[1] > 0, again=again))
            if name:
                body.append(_around(mark(index, number, step), x, y, cell, ink_on(fill)))
        y += _ROW
    width = left + len(steps) * cell
    table = Fragment(width, y, "".join(body))
    small = _table_notes(cycles, steps, len(received), repeated)
    return stacked([table, notes(small, max(width, 420))], 10)


def _numbered(cycles: LogPCycles) -> list[tuple[int, int, int, Sequence[Role]]]:
    """(first processor, index, shift, roles) of each cycle of the first ones."""
    found: list[tuple[int, int, int, Sequence[Role]]] = []
    first = 0
    for index, (shift, roles) in enumerate(cycles.cycles[:MOST_ROWS]):
        found.append((first, index, shift, roles))
        first += len(roles) // shift
    return found


def _steps(cycles: LogPCycles) -> range:
    """A few rounds of the longest cycle after everybody has the first item; or from its end on."""
    longest = max((len(roles) for _, roles in cycles.cycles), default=1)
    if cycles.items:
        return range(max(1, min(cycles.time + 1, MOST_STEPS)))
    steady = cycles.machine.L.numerator + depth_of(cycles)
    first = 0 if steady + longest < MOST_STEPS else steady
    return range(first, min(steady + _PERIODS * longest, first + MOST_STEPS - 1) + 1)


def _copy_name(cycles: LogPCycles, copy: int) -> str:
    """The item that the source sends at this step; empty if it sends nothing."""
    if copy < 0:
        return ""
    if not cycles.items:
        return short(copy)
    once = cycles.items - len(set(cycles.endgame))
    if copy < once:
        return str(copy)
    return str(cycles.endgame[copy - once]) if copy - once < len(cycles.endgame) else ""


def _role_told(role: Role) -> str:
    delay, children = role
    return f"delay {short(delay)}, {counted(children, 'message')} sent on"


def _cell(
    name: str,
    x: float,
    y: float,
    width: float,
    fill: str,
    told: str,
    *,
    bold: bool = False,
    again: bool = False,
) -> str:
    box = tag(
        "rect",
        x=x,
        y=y,
        width=width,
        height=_ROW,
        fill=fill,
        fill_opacity="0.3" if again else None,
        stroke=RULE,
        stroke_width=0.8,
    )
    if not name:
        return box
    pale = SOFT_INK if fill != PAPER else UNUSED
    ink = pale if again else ink_on(fill)
    written = lettered(name, x + width / 2, y + 13, 10, fill=ink, anchor="middle", bold=bold)
    return f"<g>{hint(told)}{box}{written}</g>"


def _around(mark: Mark, x: float, y: float, width: float, ink: str) -> str:
    """A line inside a cell, around its item."""
    if not mark:
        return ""
    inset, high = 2.5, _ROW - 5.0
    wide = width - 2 * inset
    round_corner = high / 2 if mark == "circle" else 0
    return tag(
        "rect",
        x=x + inset,
        y=y + inset,
        width=wide,
        height=high,
        rx=round_corner,
        fill="none",
        stroke=ink,
        stroke_width=1.1,
    )


def _role_colors(cycles: LogPCycles) -> dict[Role, str]:
    """Colors of the roles with children, those with the most children first."""
    sending = {role for _, roles in cycles.cycles for role in roles if role[1]}
    ranked = sorted(sending, key=lambda role: (-role[1], role[0]))
    return {role: color(min(rank, _MOST_COLORS - 1)) for rank, role in enumerate(ranked)}


def _table_notes(cycles: LogPCycles, steps: range, rows: int, repeated: bool) -> list[str]:
    in_time = ", as far as it arrives in time" if cycles.items else ""
    small = [f"Colored: the item is sent on, in this step and the following ones{in_time}."]
    if repeated:
        small.append("Pale: a further copy of an item that the processor has received before.")
    others = cycles.machine.P - 1
    if rows < others:
        small.append(f"The first {rows} of {counted(others, 'processor')} beside the source.")
    if cycles.items and steps[-1] < cycles.time:
        small.append(f"The first steps, up to {steps[-1]}, of {short(cycles.time)}.")
    if not cycles.items:
        beginning = f"From step {short(steps[0])} on" if steps[0] else "The first steps"
        small.append(f"{beginning}; the series goes on in the same way.")
    return small


def cycle_words(cycles: LogPCycles) -> Fragment:
    """The words of the cycles in letters: a for the item whose broadcast ends now, and so on."""
    fills = _role_colors(cycles)
    last = depth_of(cycles)
    alike = Counter(cycles.cycles)
    lines = [
        Fragment(
            420,
            16,
            lettered("Cycles of roles: what a processor receives in turn", 0, 12, 11.5, bold=True),
        )
    ]
    for (shift, roles), count in islice(alike.items(), _MOST_WORDS):
        lines.append(_word(shift, roles, count, fills, last))
    small = [
        "a is the item whose broadcast ends at this step, b that whose broadcast ends one step"
        " later, and so on; a capital letter is sent on, to so many processors as its number says."
    ]
    if len(alike) > _MOST_WORDS:
        small.append(f"The first {_MOST_WORDS} of {counted(len(alike), 'different cycle')}.")
    return stacked([*lines, notes(small, max(560, *(line.width for line in lines)))], 6)


def _word(
    shift: int, roles: Sequence[Role], count: int, fills: dict[Role, str], last: int
) -> Fragment:
    processors = len(roles) // shift
    names = [role_name(last - delay, children) for delay, children in roles[:_MOST_LETTERS]]
    cell = max(24.0, max(text_width(name, 11) for name in names) + 8)
    body = []
    for place, (name, role) in enumerate(zip(names, roles, strict=False)):
        fill = fills.get(role, PAPER)
        box = tag("rect", x=place * cell, y=1, width=cell, height=20, fill=fill, stroke=RULE)
        letter = lettered(
            name,
            (place + 0.5) * cell,
            15,
            11,
            fill=ink_on(fill) if fill != PAPER else INK,
            anchor="middle",
            bold=role[1] > 0,
        )
        body.append(f"<g>{hint(_role_told(role))}{box}{letter}</g>")
    told = counted(processors, "processor")
    if processors > 1:
        told += f", each {counted(shift, 'step')} after the one before"
    if count > 1:
        told += f"; {count} such cycles"
    if len(roles) > len(names):
        told = f"\u2026 {len(roles)} letters; {told}"
    end = len(names) * cell
    body.append(lettered(told, end + 10, 15, 10.5, fill=SOFT_INK))
    return Fragment(end + 10 + text_width(told, 10.5), 22, "".join(body))
