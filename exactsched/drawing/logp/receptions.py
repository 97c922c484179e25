"""Role cycles as the paper's figures 2, 4 and 5 show them: who receives which item when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Literal

from exactsched.certificate.logp import Cycle, LogPBuffered, LogPCycles, Role
from exactsched.drawing.lettering import counted, short
from exactsched.drawing.logp.trees import cycles_tree, depth_of
from exactsched.drawing.palette import IDLE, PAPER, color
from exactsched.drawing.scene import Cell, CellRow, Cells, Figure, Panels
from exactsched.drawing.words.logp import role_name

MOST_ROWS = 40
MOST_STEPS = 48
_MOST_WORDS = 16
_MOST_LETTERS = 40
_MOST_COLORS = 8
_PERIODS = 2

# How a reception is marked: as late, or as what another message waits for; by the number of the
# cycle, that of the role, and the step.
Mark = Literal["", "box", "circle"]
Marking = Callable[[int, int, int], Mark]


def cycle_panels(stated: LogPCycles | LogPBuffered) -> list[Panels]:
    """The tree of an item, if there is one; the words of the cycles; and the table of receptions.

    Buffered cycles have a tree only if all items have the same one and only its leaves are late.
    """
    if isinstance(stated, LogPCycles):
        tree, words = cycles_tree(stated), cycle_words(stated)
        table = reception_table(stated, lambda *_: "")
    else:
        late = any(
            wait and (children or shift > 1)
            for shift, roles in stated.cycles
            for _, children, wait in roles
        )
        tree = None if late else cycles_tree(_without_buffers(stated, (0,)))
        received = _without_buffers(stated, (0, 2))
        words = cycle_words(received)
        table = reception_table(received, _marking(stated), _buffer_notes(stated))
    return [Panels("", (figure,)) for figure in (tree, words, table) if figure]


def _without_buffers(stated: LogPBuffered, columns: tuple[int, ...]) -> LogPCycles:
    """The same cycles without buffers; the delay of a role is the sum of these columns."""
    cycles = tuple(
        Cycle(shift, tuple([Role(sum(role[k] for k in columns), role.children) for role in roles]))
        for shift, roles in stated.cycles
    )
    return LogPCycles(
        stated.machine, cycles, stated.items, (), stated.time, stated.bound, stated.optimal
    )


def _marking(stated: LogPBuffered) -> Marking:
    """Late receptions are in a box, those for which a message waits in a circle."""
    latency = stated.machine.L.numerator

    def mark(cycle: int, number: int, step: int) -> Mark:
        _, roles = stated.cycles[cycle]
        if roles[number][2]:
            return "box"
        length = len(roles)
        for other, (delay, _, wait) in enumerate(roles):
            # It arrives L + delay + wait after it was sent or later, a round apart; one of these is
            # received after `step` and has arrived by then.
            later = step + (other - number - 1) % length + 1
            arrival = latency + delay + wait
            first = later + max(0, -(-(arrival - later) // length)) * length
            if first <= min(step + wait, arrival + stated.items - 1):
                return "circle"
        return ""

    return mark


def _buffer_notes(stated: LogPBuffered) -> tuple[str, ...]:
    most = "one message waits" if stated.buffer == 1 else f"{stated.buffer} messages wait"
    return (
        "In a box: the item arrived before, and waited. In a circle: another one waits meanwhile.",
        f"At most {most} at a processor at any time.",
    )


def reception_table(cycles: LogPCycles, mark: Marking, more: tuple[str, ...] = ()) -> Figure:
    """A row for each processor, a column for each step, in a cell the item that is received.

    Cells of a role with children are colored and bold: the item is sent on from this step on.
    """
    fills = _role_colors(cycles)
    steps = _steps(cycles)
    sources = [
        Cell(_copy_name(cycles, step), IDLE, f"step {short(step)}") if step >= 0 else Cell("")
        for step in steps
    ]
    rows = [CellRow("source", tuple(sources))]
    processor = 0
    for index, (shift, roles) in enumerate(cycles.cycles[:MOST_ROWS]):
        for position in range(len(roles) // shift):
            if processor < MOST_ROWS:
                cells = _received(cycles, steps, index, position * shift, fills, mark)
                rows.append(CellRow(f"P{processor}", tuple(cells), apart=not position))
            processor += 1
    header = ("step", *(short(step) for step in steps))
    repeated = any(cell.pale for row in rows for cell in row.cells)
    notes = (*_table_notes(cycles, steps, len(rows) - 1, repeated), *more)
    title = "Receptions: the item that arrives at each step"
    drawn = Cells(tuple(rows), header)
    return Figure("Receptions", drawn, title, notes=notes, panel="receptions")


def _received(
    cycles: LogPCycles, steps: range, index: int, offset: int, fills: dict[Role, str], mark: Marking
) -> list[Cell]:
    """What a processor receives, which is `offset` steps behind its cycle."""
    roles = cycles.cycles[index][1]
    latency = cycles.machine.L.numerator
    known: set[str] = set()
    cells = []
    for step in steps:
        number = (step - offset) % len(roles)
        role = roles[number]
        name = _copy_name(cycles, step - latency - role[0])
        if not name:
            cells.append(Cell(""))
            continue
        told = f"step {short(step)}: {_role_told(role)}"
        fill, bold = fills.get(role, PAPER), role[1] > 0
        cells.append(Cell(name, fill, told, bold, name in known, mark(index, number, step)))
        known.add(name)
    return cells


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


def cycle_words(cycles: LogPCycles) -> Figure:
    """The words of the cycles in letters: a for the item whose broadcast ends now, and so on."""
    fills = _role_colors(cycles)
    last = depth_of(cycles)
    alike = Counter(cycles.cycles)
    rows = [
        _word(shift, roles, count, fills, last)
        for (shift, roles), count in islice(alike.items(), _MOST_WORDS)
    ]
    notes = [
        "a is the item whose broadcast ends at this step, b that whose broadcast ends one step"
        " later, and so on; a capital letter is sent on, to as many processors as its number says."
    ]
    if len(alike) > _MOST_WORDS:
        notes.append(f"The first {_MOST_WORDS} of {counted(len(alike), 'different cycle')}.")
    title = "Cycles of roles: what a processor receives in turn"
    drawn = Cells(tuple(rows))
    return Figure("Cycles of roles", drawn, title, notes=tuple(notes), panel="cycles")


def _word(
    shift: int, roles: Sequence[Role], count: int, fills: dict[Role, str], last: int
) -> CellRow:
    cells = [
        Cell(
            role_name(last - role[0], role[1]),
            fills.get(role, PAPER),
            _role_told(role),
            role[1] > 0,
        )
        for role in roles[:_MOST_LETTERS]
    ]
    processors = len(roles) // shift
    told = counted(processors, "processor")
    if processors > 1:
        told += f", each {counted(shift, 'step')} after the one before"
    if count > 1:
        told += f"; {count} such cycles"
    if len(roles) > len(cells):
        told = f"\u2026 {len(roles)} letters; {told}"
    return CellRow("", tuple(cells), told, apart=True)
