"""Scenes as SVG documents, and their figures for pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard, TypeVar

from exactsched.drawing.lettering import and_more, clipped, text_width
from exactsched.drawing.palette import ALARM, INK, RULE, SOFT_INK
from exactsched.drawing.paper import SCREEN, Paper
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
    Hint,
    MeshView,
    Panels,
    Plot,
    Scene,
    Table,
    Timeline,
    Tree,
    Words,
)

__all__ = ["figure_fragment", "legend", "panel_svg", "scene_svg"]

Shown = TypeVar("Shown", Panels, Words, Table)

# Around a picture, a panel, and anything on paper of a given width.
_MARGIN, _SMALL_MARGIN, _THIN_MARGIN = 28, 12, 2
_GAP = 44
# How wide a picture is that nobody gave a width.
_LEAST, _PAGE = 640.0, 1240.0
# Below this width a figure with axes does not stand beside others.
_LEAST_AXIS, _LEAST_AXIS_ON_PAGE = 300.0, 400.0
_LEAST_NOTES = 420.0
_NARROW = 480.0
# Text that is read: its size, and the longest line.
_READ, _READ_ON_PAPER, _MEASURE = 13.5, 11.0, 820.0
_MOST_ROWS = 24
# What fits on a page of a paper: so high; rows of bars about so high; of two figures both.
_PAGE_HEIGHT, _ROW_HEIGHT, _LEAST_ROWS, _SEVERAL = 900.0, 25.0, 12, 3
# How much wider bold text is.
_BOLD = 1.15
_MOST_LINES = 24
_SIZE = 11.5


def scene_svg(scene: Scene, paper: Paper = SCREEN) -> str:
    """The document: title and result, then the parts below each other, with lines between them.

    On paper of some width everything is laid out for this width; letters keep their size.
    """
    margin = _MARGIN if paper.room is None else _THIN_MARGIN
    room = None if paper.room is None else paper.room - 2 * margin
    rows = {id(part): _row(part, room) for part in scene.parts if _shown(part, Panels)}
    width = room
    if width is None:
        head = max(text_width(scene.title, 19) * _BOLD, text_width(scene.result, 13.5))
        width = max([_LEAST, min(head, _PAGE), *(one.width for one in rows.values())])
    line = Fragment(width, 1, tag("line", x1=0, y1=0.5, x2=width, y2=0.5, stroke=RULE))
    parts = [_masthead(scene, width)]
    for part in scene.parts:
        if id(part) in rows:
            parts += [line, rows[id(part)]]
        elif _shown(part, Words):
            parts += [line] * bool(part.heading) + [_words(part, width)]
        elif _shown(part, Table):
            parts += [line, _table(part, width)]
    return stacked(parts, 20).document(f"{scene.title}. {scene.result}", margin, paper)


def panel_svg(scene: Scene, paper: Paper = SCREEN) -> str:
    """The document of a scene of a single panel: nothing but the panel, with little room around."""
    margin = _SMALL_MARGIN if paper.room is None else _THIN_MARGIN
    room = None if paper.room is None else paper.room - 2 * margin
    parts = []
    for part in scene.parts:
        match part:
            case Panels():
                parts.append(_row(part, room))
            case Words():
                parts.append(_words(part, room or _MEASURE))
            case Table():
                parts.append(_table(part, room or _MEASURE))
            case _:
                pass
    return stacked(parts, 16).document(f"{scene.title}. {scene.result}", margin, paper)


def _shown(part: object, kind: type[Shown]) -> TypeGuard[Shown]:
    """Whether it is such a part, and is meant for pictures."""
    return isinstance(part, kind) and part.where != "page"


def _row(panels: Panels, room: float | None) -> Fragment:
    """Figures side by side, or below each other where they are too wide; notes below them."""
    figures = panels.figures
    if room is not None:
        figures = tuple(_on_a_page(figure, room) for figure in figures)
    most = _PAGE if room is None else room
    drawn = [figure_fragment(figure) for figure in figures]
    if sum(one.width for one in drawn) + _GAP * (len(drawn) - 1) > most:
        drawn = _fitted(figures, drawn, most, _LEAST_AXIS if room else _LEAST_AXIS_ON_PAGE)
    elif room is not None and len(figures) == 1 and _has_axes(figures[0]):
        drawn = [figure_fragment(figures[0], room)]
    row, notes = in_rows(drawn, most, _GAP), list(panels.notes)
    if room is not None and len(drawn) >= _SEVERAL:
        shown = len(drawn)
        while shown > 1 and row.height > _PAGE_HEIGHT:
            shown -= 1
            row = in_rows(drawn[:shown], most, _GAP)
        if shown < len(drawn):
            notes.append(f"The first {shown} of {len(drawn)}: the others do not fit on a page.")
    under = [small_print(notes, max(row.width, _LEAST if room is None else room))]
    return stacked([row, *(under if notes else [])], 12)


def _on_a_page(figure: Figure, room: float) -> Figure:
    """The figure with as many rows of bars as fit on a page, and a note on the others."""
    drawing = figure.drawing
    if not isinstance(drawing, Timeline) or drawing.links:
        return figure
    left = _PAGE_HEIGHT - legend(figure.legend, room).height
    most = max(_LEAST_ROWS, int(left / _ROW_HEIGHT))
    if len(drawing.rows) <= most:
        return figure
    rows = f"{len(drawing.rows) - most} of {len(drawing.rows)} rows"
    note = f"{rows} are left out: they do not fit on a page."
    shown = replace(drawing, rows=drawing.rows[:most])
    return replace(figure, drawing=shown, notes=(*figure.notes, note))


def _fitted(
    figures: Sequence[Figure], drawn: Sequence[Fragment], most: float, least: float
) -> list[Fragment]:
    """Figures with axes share what the others leave, if that is enough; else all use all of it."""
    axes = [_has_axes(figure) for figure in figures]
    others = sum(one.width for one, axis in zip(drawn, axes, strict=True) if not axis)
    left = most - others - _GAP * (len(figures) - 1)
    if any(axes) and left >= least * sum(axes):
        each = left / sum(axes)
        return [
            figure_fragment(figure, each) if axis else one
            for figure, one, axis in zip(figures, drawn, axes, strict=True)
        ]
    return [
        figure_fragment(figure, most) if axis or one.width > most else one
        for figure, one, axis in zip(figures, drawn, axes, strict=True)
    ]


def _has_axes(figure: Figure) -> bool:
    return isinstance(figure.drawing, (Timeline, Plot))


def figure_fragment(figure: Figure, room: float | None = None) -> Fragment:
    """Title, drawing, legend, alarm and notes below each other, as wide as there is room."""
    notes = list(figure.notes)
    parts: list[Fragment] = []
    body = Fragment(0, 0, "")
    match figure.drawing:
        case Timeline():
            body = timeline_fragment(figure.drawing, room)
            if not figure.title:  # what stands above the rows needs its room
                body = Fragment(body.width, body.height + 6, body.at(0, 6))
        case Graph():
            body, missing = graph_fragment(figure.drawing, room)
            notes += missing
        case Tree():
            body = tree_fragment(figure.drawing)
        case Cells():
            body = cells_fragment(figure.drawing, room)
        case Plot():
            body = plot_fragment(figure.drawing, room)
        case MeshView():
            body = mesh_fragment(figure.drawing, room)
        case Frames():
            body = frames_fragment(figure.drawing, room)
        case None:
            pass
    if room is not None and body.width > room:
        notes.append(f"Drawn at {int(100 * room / body.width)} % of its size.")
        body = body.narrowed(room)
    said = [_said(note, figure.printed) for note in notes]
    said = [note for note in said if note]
    longest = [text_width(note, NOTE) for note in said]
    longest += [22 + text_width(entry.words, 11) for entry in figure.legend]
    width = max(body.width, min(_LEAST_NOTES, max(longest, default=0)))
    titles = [figure.title] if figure.title else []
    if room is not None:
        width = min(width, room)
        titles = broken_lines(figure.title, room / _BOLD, 12.5) if figure.title else []
    if titles:
        lines = [
            Fragment(text_width(one, 12.5) * _BOLD, 14, lettered(one, 0, 12, 12.5, bold=True))
            for one in titles
        ]
        parts.append(stacked(lines, 3))
        width = max(width, parts[-1].width)
    if body.body:
        parts.append(body)
    if figure.legend:
        parts.append(legend(figure.legend, width))
    if figure.alarm:
        alarm = broken_lines(figure.alarm, max(width, 240), _SIZE)
        lines = [Fragment(width, 14, lettered(line, 0, 11, _SIZE, fill=ALARM)) for line in alarm]
        parts.append(stacked(lines, 2))
    if said:
        parts.append(small_print(said, width))
    return stacked(parts, 12)


def _said(note: str | Hint, printed: bool) -> str:
    if isinstance(note, str):
        return note
    return note.printed if printed else note.told


def legend(entries: tuple[Entry, ...], width: float) -> Fragment:
    """Which color is what, in lines."""
    body = []
    x = y = 0.0
    for entry in entries:
        lines = broken_lines(entry.words, width - 22, 11, 3)
        wide = 22 + max(text_width(line, 11) for line in lines)
        if x and (x + wide > width or len(lines) > 1):
            x, y = 0.0, y + 18
        top, height = (y + 6, 2) if entry.line else (y + 2, 11)
        body.append(
            tag("rect", x=x, y=top, width=16, height=height, rx=height / 6, fill=entry.fill)
        )
        body += [lettered(line, x + 22, y + 11 + 14 * k, 11) for k, line in enumerate(lines)]
        x += wide + 16
        if len(lines) > 1:
            x, y = width, y + 14 * (len(lines) - 1)
    return Fragment(width, y + 15, "".join(body))


def _masthead(scene: Scene, width: float) -> Fragment:
    """The title and, below it, the result, on as many lines as they need."""
    large, middling = (19.0, 13.5) if width > _NARROW else (14.0, 12.0)
    lines = [
        *((one, large, INK) for one in broken_lines(scene.title, width / _BOLD, large, 3)),
        *((one, middling, SOFT_INK) for one in broken_lines(scene.result, width, middling, 4)),
    ]
    drawn = []
    for shown, size, ink in lines:
        letters = lettered(shown, 0, size * 0.95, size, fill=ink, bold=ink == INK)
        drawn += [Fragment(width, size * 1.2, letters)] * bool(shown)
    return stacked(drawn, 4)


def _words(words: Words, width: float) -> Fragment:
    """The closing words in small print; others as text that is read."""
    if not words.heading:
        return small_print(words.paragraphs, width)
    wide, size = min(width, _MEASURE), _READ if width > _NARROW else _READ_ON_PAPER
    head = Fragment(wide, 18, lettered(words.heading, 0, 13, 13, bold=True))
    paragraphs = [
        stacked(
            [
                Fragment(wide, size * 1.2, lettered(line, 0, size, size))
                for line in broken_lines(paragraph, wide, size)
            ],
            size * 0.25,
        )
        for paragraph in words.paragraphs
    ]
    return stacked([head, *paragraphs], 9)


def _table(table: Table, width: float) -> Fragment:
    """Two columns or more: the last one is broken where the width ends; of many rows the first."""
    left_out = max(0, len(table.rows) - _MOST_ROWS)
    some = table.rows[:_MOST_ROWS]
    rows = [table.columns, *some] if any(table.columns) else list(some)
    most = min(260.0, 0.7 * width / max(1, len(table.columns) - 1))
    shown = [[clipped(cell, most, _SIZE) for cell in row[:-1]] for row in rows]
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
    if table.more + left_out:
        body.append(lettered(and_more(table.more + left_out), inset, y + 12, _SIZE, fill=SOFT_INK))
        y += 17
    small = [small_print(table.notes, width)] if table.notes else []
    return stacked([Fragment(width, y, "".join(body)), *small], 8)
