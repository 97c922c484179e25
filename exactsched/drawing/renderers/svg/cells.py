"""Rows of cells: tables of receptions, and words."""

from __future__ import annotations

from dataclasses import replace

from exactsched.drawing.lettering import text_width
from exactsched.drawing.palette import PAPER, RULE, SOFT_INK, UNUSED, ink_on
from exactsched.drawing.renderers.svg.canvas import (
    Fragment,
    broken_lines,
    group,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.scene import Cell, CellRow, Cells

_ROW = 18.0
_APART = 6.0
_SIZE = 10.5


def cells_fragment(cells: Cells, room: float | None = None) -> Fragment:
    """Names at the left, cells as wide as the longest text needs, remarks at the right.

    Where there is no room for all columns they go on below, and so do remarks.
    """
    texts = [*cells.header[1:], *(cell.text for row in cells.rows for cell in row.cells)]
    wide = max([22.0, *(text_width(shown, _SIZE) * 1.08 + 8 for shown in texts)])
    names = [*cells.header[:1], *(row.name for row in cells.rows)]
    left = max((text_width(name, _SIZE) * 1.08 for name in names), default=0)
    left += 12 if left else 0
    columns = max([len(cells.header[1:]), *(len(row.cells) for row in cells.rows)])
    fitting = columns if room is None else max(1, int((room - left) // wide))
    # As many columns in each band as in the others.
    each = -(-columns // -(-columns // fitting)) if columns else 1
    bands = [
        _band(_columns(cells, start, start + each), left, wide, room)
        for start in range(0, max(columns, 1), each)
    ]
    return stacked(bands, 14)


def _columns(cells: Cells, start: int, stop: int) -> Cells:
    """Some of the columns, and every row that has cells there, with its remark if it ends there."""
    rows = tuple(
        replace(row, cells=row.cells[start:stop], remark=row.remark if ends else "")
        for row in cells.rows
        for ends in [len(row.cells) <= stop]
        if start < len(row.cells) or not start
    )
    return Cells(rows, (*cells.header[:1], *cells.header[1 + start : 1 + stop]))


def _band(cells: Cells, left: float, wide: float, room: float | None) -> Fragment:
    rows, header = cells.rows, cells.header
    body: list[str] = []
    y = 0.0
    if header:
        body.append(lettered(header[0], left - 9, 12, _SIZE, fill=SOFT_INK, anchor="end"))
        body += [
            lettered(shown, left + (k + 0.5) * wide, 12, 10, fill=SOFT_INK, anchor="middle")
            for k, shown in enumerate(header[1:])
        ]
        y = 20.0
    across = left + len(header[1:]) * wide
    for row in rows:
        y += _APART if row.apart else 0
        body.append(_row(row, left, y, wide))
        end = left + len(row.cells) * wide
        if row.remark and (room is None or end + 10 + text_width(row.remark, _SIZE) <= room):
            body.append(lettered(row.remark, end + 10, y + 13, _SIZE, fill=SOFT_INK))
            end += 10 + text_width(row.remark, _SIZE)
        elif row.remark and room is not None:
            for line in broken_lines(row.remark, room - left, _SIZE):
                y += _ROW
                body.append(lettered(line, left, y + 12, _SIZE, fill=SOFT_INK))
        across = max(across, end)
        y += _ROW
    return Fragment(across, y + 1, "".join(body))


def _row(row: CellRow, left: float, y: float, wide: float) -> str:
    drawn = [_cell(cell, left + k * wide, y, wide) for k, cell in enumerate(row.cells)]
    if row.name:
        drawn.append(lettered(row.name, left - 9, y + 13, _SIZE, anchor="end", bold=True))
    return "".join(drawn)


def _cell(cell: Cell, x: float, y: float, width: float) -> str:
    box = tag(
        "rect",
        x=x,
        y=y,
        width=width,
        height=_ROW,
        fill=cell.fill,
        fill_opacity="0.3" if cell.pale else None,
        stroke=RULE,
        stroke_width=0.8,
    )
    if not cell.text:
        return box
    pale = SOFT_INK if cell.fill != PAPER else UNUSED
    ink = pale if cell.pale else ink_on(cell.fill)
    middle = x + width / 2
    text = lettered(cell.text, middle, y + 13, 10, fill=ink, anchor="middle", bold=cell.bold)
    return group(box + text + _around(cell, x, y, width), cell.told)


def _around(cell: Cell, x: float, y: float, width: float) -> str:
    """A line inside a cell, around its text."""
    if not cell.mark:
        return ""
    inset, high = 2.5, _ROW - 5
    return tag(
        "rect",
        x=x + inset,
        y=y + inset,
        width=width - 2 * inset,
        height=high,
        rx=high / 2 if cell.mark == "circle" else 0,
        fill="none",
        stroke=ink_on(cell.fill),
        stroke_width=1.1,
    )
