"""Scenes as SVG documents, and their figures for pages."""

from __future__ import annotations

from exactsched.drawing.lettering import clipped, text_width
from exactsched.drawing.palette import ALARM, RULE, SOFT_INK
from exactsched.drawing.renderers.svg.canvas import (
    NOTE,
    Fragment,
    broken_lines,
    in_rows,
    lettered,
    small_print,
    stacked,
    tag,
)
from exactsched.drawing.renderers.svg.cells import cells_fragment
from exactsched.drawing.renderers.svg.frames import frames_fragment, mesh_fragment
from exactsched.drawing.renderers.svg.graph import graph_fragment
from exactsched.drawing.renderers.svg.plot import plot_fragment
from exactsched.drawing.renderers.svg.timeline import timeline_fragment
from exactsched.drawing.renderers.svg.tree import tree_fragment
from exactsched.drawing.scene import (
    Cells,
    Entry,
    Figure,
    Frames,
    Graph,
    MeshView,
    Panels,
    Plot,
    Scene,
    Table,
    Timeline,
    Tree,
    Words,
)

__all__ = ["figure_fragment", "legend", "scene_svg"]

_MARGIN = 28
_GAP = 44
_LEAST, _MOST = 640.0, 1400.0
_WIDEST_ROW = 1900.0
_ROW_OF_MANY = 1180.0
_FEW = 3
_LEAST_NOTES = 420.0
# How much wider bold text is.
_BOLD = 1.15
_MOST_LINES = 24
_SIZE = 11.5


def scene_svg(scene: Scene) -> str:
    """The document: title and result, then the parts below each other, with lines between them."""
    panels = [part for part in scene.parts if isinstance(part, Panels)]
    rows = {id(one): [figure_fragment(figure) for figure in one.figures] for one in panels}
    # Many figures are no wider together than the few of another row.
    few = [in_rows(row, _WIDEST_ROW, _GAP).width for row in rows.values() if len(row) <= _FEW]
    many = max([_ROW_OF_MANY, *few])
    laid = {
        key: in_rows(row, _WIDEST_ROW if len(row) <= _FEW else many, _GAP)
        for key, row in rows.items()
    }
    head = max(text_width(scene.title, 19) * _BOLD, text_width(scene.result, 13.5))
    width = max([_LEAST, min(head, _MOST), *(one.width for one in laid.values())])
    line = Fragment(width, 1, tag("line", x1=0, y1=0.5, x2=width, y2=0.5, stroke=RULE))
    parts = [_masthead(scene, width)]
    for part in scene.parts:
        if isinstance(part, Panels):
            under = [small_print(part.notes, width)] if part.notes else []
            parts += [line, stacked([laid[id(part)], *under], 12)]
        elif isinstance(part, Words) and part.where != "page":
            parts += [line] * bool(part.heading) + [_words(part, width)]
        elif isinstance(part, Table) and part.where != "page":
            parts += [line, _table(part, width)]
    return stacked(parts, 20).document(f"{scene.title}. {scene.result}", _MARGIN)


def figure_fragment(figure: Figure) -> Fragment:
    """Title, drawing, legend, alarm and notes below each other."""
    notes = list(figure.notes)
    parts: list[Fragment] = []
    body = Fragment(0, 0, "")
    match figure.drawing:
        case Timeline():
            body = timeline_fragment(figure.drawing)
        case Graph():
            body, missing = graph_fragment(figure.drawing)
            notes += missing
        case Tree():
            body = tree_fragment(figure.drawing)
        case Cells():
            body = cells_fragment(figure.drawing)
        case Plot():
            body = plot_fragment(figure.drawing)
        case MeshView():
            body = mesh_fragment(figure.drawing)
        case Frames():
            body = frames_fragment(figure.drawing)
        case None:
            pass
    longest = [text_width(note, NOTE) for note in notes]
    longest += [22 + text_width(entry.words, 11) for entry in figure.legend]
    width = max(body.width, min(_LEAST_NOTES, max(longest, default=0)))
    if figure.title:
        wide = text_width(figure.title, 12.5) * _BOLD
        width = max(width, wide)
        parts.append(Fragment(wide, 16, lettered(figure.title, 0, 12, 12.5, bold=True)))
    if body.body:
        parts.append(body)
    if figure.legend:
        parts.append(legend(figure.legend, width))
    if figure.alarm:
        parts.append(Fragment(width, 14, lettered(figure.alarm, 0, 11, _SIZE, fill=ALARM)))
    if notes:
        parts.append(small_print(notes, width))
    return stacked(parts, 12)


def legend(entries: tuple[Entry, ...], width: float) -> Fragment:
    """Which color is what, in lines."""
    body = []
    x = y = 0.0
    for entry in entries:
        shown = clipped(entry.words, width - 22, 11)
        wide = 22 + text_width(shown, 11)
        if x and x + wide > width:
            x, y = 0.0, y + 18
        top, height = (y + 6, 2) if entry.line else (y + 2, 11)
        body.append(
            tag("rect", x=x, y=top, width=16, height=height, rx=height / 6, fill=entry.fill)
        )
        body.append(lettered(shown, x + 22, y + 11, 11))
        x += wide + 16
    return Fragment(width, y + 15, "".join(body))


def _masthead(scene: Scene, width: float) -> Fragment:
    """The title and, below it, the result, both on one line."""
    title, result = clipped(scene.title, width / _BOLD, 19), clipped(scene.result, width, 13.5)
    lines = lettered(title, 0, 18, 19, bold=True) + lettered(result, 0, 42, 13.5, fill=SOFT_INK)
    return Fragment(width, 46 if result else 22, lines)


def _words(words: Words, width: float) -> Fragment:
    paragraphs = small_print(words.paragraphs, width)
    if not words.heading:
        return paragraphs
    head = Fragment(width, 18, lettered(words.heading, 0, 13, 13, bold=True))
    return stacked([head, paragraphs], 6)


def _table(table: Table, width: float) -> Fragment:
    """Two columns or more: the last one is broken where the width ends."""
    rows = [table.columns, *table.rows] if any(table.columns) else list(table.rows)
    shown = [[clipped(cell, 260, _SIZE) for cell in row[:-1]] for row in rows]
    wide = [
        max(text_width(cell, _SIZE) for cell in column) + 18 for column in zip(*shown, strict=True)
    ]
    left = sum(wide)
    body: list[str] = []
    y = 0.0
    if table.heading:
        body.append(lettered(table.heading, 0, 13, 13, bold=True))
        y = 20.0
    inset = 24 if table.swatches else 0
    swatches = ["", *table.swatches] if any(table.columns) else list(table.swatches)
    for index, (row, cells) in enumerate(zip(rows, shown, strict=True)):
        if table.swatches and swatches[index]:
            body.append(tag("rect", x=0, y=y + 3, width=16, height=10, rx=2, fill=swatches[index]))
        x = float(inset)
        for cell, step in zip(cells, wide, strict=True):
            body.append(lettered(cell, x, y + 12, _SIZE, fill=SOFT_INK))
            x += step
        for part in broken_lines(row[-1], width - left - inset, _SIZE, _MOST_LINES):
            body.append(lettered(part, left + inset, y + 12, _SIZE))
            y += 17
    return Fragment(width, y, "".join(body))
