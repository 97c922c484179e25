"""Rows of cells: tables of receptions, and words."""

from __future__ import annotations

from exactsched.drawing.lettering import text_width
from exactsched.drawing.palette import PAPER, RULE, SOFT_INK, UNUSED, ink_on
from exactsched.drawing.renderers.svg.canvas import Fragment, group, lettered, tag
from exactsched.drawing.scene import Cell, CellRow, Cells

_ROW = 18.0
_APART = 6.0
_SIZE = 10.5


def cells_fragment(cells: Cells) -> Fragment:
    """Names at the left, cells as wide as the longest text needs, remarks at the right."""
    rows, header = cells.rows, cells.header
    texts = [*header[1:], *(cell.text for row in rows for cell in row.cells)]
    wide = max([22.0, *(text_width(shown, _SIZE) * 1.08 + 8 for shown in texts)])
    names = [*header[:1], *(row.name for row in rows)]
    left = max((text_width(name, _SIZE) * 1.08 for name in names), default=0)
    left += 12 if left else 0
    body: list[str] = []
    y = 0.0
    if header:
        body.append(lettered(header[0], left - 9, 12, _SIZE, fill=SOFT_INK, anchor="end"))
        body += [
            lettered(shown, left + (k + 0.5) * wide, 12, 10, fill=SOFT_INK, anchor="middle")
            for k, shown in enumerate(header[1:])
        ]
        y = 20.0
    for row in rows:
        y += _APART if row.apart else 0
        body.append(_row(row, left, y, wide))
        y += _ROW
    across = [len(header[1:]) * wide, *(_remark_end(row, wide) for row in rows)]
    return Fragment(left + max(across), y + 1, "".join(body))


def _remark_end(row: CellRow, wide: float) -> float:
    end = len(row.cells) * wide
    return end + 10 + text_width(row.remark, _SIZE) if row.remark else end


def _row(row: CellRow, left: float, y: float, wide: float) -> str:
    drawn = [_cell(cell, left + k * wide, y, wide) for k, cell in enumerate(row.cells)]
    if row.name:
        drawn.append(lettered(row.name, left - 9, y + 13, _SIZE, anchor="end", bold=True))
    if row.remark:
        x = left + len(row.cells) * wide + 10
        drawn.append(lettered(row.remark, x, y + 13, _SIZE, fill=SOFT_INK))
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
