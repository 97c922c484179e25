"""What is shown of a certificate, as plain data: a scene, which any renderer can draw.

The modules of the families (`series`, `logp`, `overlay`, `rounds`, `counterexample`) make scenes
and traces of certificates; the renderers (SVG, HTML, traces) know nothing else.  Times and
shares are exact, colors are written as ``#rrggbb``, and all text is plain: renderers escape it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from exactsched.drawing.layout.geometry import Point
from exactsched.drawing.palette import INK, PAPER, SOFT_INK

Number = int | Fraction
Where = Literal["everywhere", "picture", "page"]


@dataclass(frozen=True, slots=True)
class Scene:
    """All of a picture or a page: what was asked, what is claimed, and what shows it.

    Figures, words and tables with a `panel` can be drawn alone, by this name.
    """

    title: str
    result: str
    parts: tuple[Panels | Table | Words | Motion, ...]


@dataclass(frozen=True, slots=True)
class Panels:
    """Figures side by side, with a heading on pages, and notes below them."""

    heading: str
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    where: Where = "everywhere"


@dataclass(frozen=True, slots=True)
class Words:
    """Paragraphs under a heading."""

    heading: str
    paragraphs: tuple[str, ...]
    where: Where = "everywhere"
    panel: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; `swatches` has a color for each row, or is empty.

    These are the first of all rows if there are `more`.
    """

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    swatches: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    where: Where = "page"
    panel: str = ""
    more: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What a color means; `line` if it is the color of lines."""

    fill: str
    words: str
    line: bool = False


@dataclass(frozen=True, slots=True)
class Hint:
    """A note for those who have a pointer; on paper `printed` is said instead, if anything."""

    told: str
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with a title above it, and its legend, an alarm and notes below it.

    `name` is what it is called where it cannot be seen.  One that is `printed` has no pointer.
    `alone` is the legend of a figure that is drawn without those that have one.
    """

    name: str
    drawing: Timeline | Graph | Tree | Cells | Plot | MeshView | Frames | None
    title: str = ""
    legend: tuple[Entry, ...] = ()
    notes: tuple[str | Hint, ...] = ()
    alarm: str = ""
    panel: str = ""
    printed: bool = False
    alone: tuple[Entry, ...] = ()


# --- rows of bars over time --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that lasts from `start` to `end`.

    The first of the `names` that fits is written on it, `told` is what the pointer is told.
    `cuts` are the first of the thin lines across it, and how far apart these are.
    """

    start: Fraction
    end: Fraction
    fill: str
    told: str = ""
    names: tuple[str, ...] = ()
    cuts: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Bars in one lane or in several below each other.

    Rows of the same `group` stand together, under its name; `side` says what a row shows of it,
    `share` stands at its end, and a `marked` row has a red mark.
    """

    group: str
    lanes: tuple[tuple[Bar, ...], ...]
    side: str = ""
    share: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A line from a time in a lane of a row to a later one elsewhere: a message under way."""

    start: Fraction
    end: Fraction
    tail: tuple[int, int]
    head: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Rows over an axis from 0 to `span`; what reaches beyond it is cut off.

    `mark` is a time with its name, at a red line; `shares` stands above the `share` of all rows.
    """

    span: Fraction
    rows: tuple[Row, ...]
    ticks: tuple[Fraction, ...]
    width: int
    links: tuple[Link, ...] = ()
    mark: tuple[Fraction, str] | None = None
    shares: str = ""


# --- graphs ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Node:
    """A box with a name, and more `lines` below it.

    A `ring` is a second line around it in this color, an `alarm` puts it on red ground.
    """

    name: str
    lines: tuple[str, ...] = ()
    told: str = ""
    fill: str = PAPER
    stroke: str = INK
    ring: str = ""
    alarm: bool = False


@dataclass(frozen=True, slots=True)
class Edge:
    """From node to node; without `strands` it is thin and gray.

    `strands` are colors and widths, these as parts of the greatest width; `told` is what the
    pointer is told.
    """

    tail: int
    head: int
    label: str = ""
    told: str = ""
    strands: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes at their `places`, where neighbors are about 1 apart, and edges between them.

    Parallel edges run side by side, loops leave their nodes and come back.  Edges have arrowheads
    if they are `directed`; all their labels are written if `every_label`, else those that have
    room.  `width` is the greatest width of strands, in pixels, if nodes are not too small for it.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    places: tuple[Point, ...]
    directed: bool = True
    every_label: bool = False
    label_noun: str = "label"
    width: float = 9.0


# --- trees -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """A box of a tree: `inputs` are boxes before or after it, `rank` is its order in a layer."""

    lines: tuple[str, ...]
    rank: Fraction
    inputs: tuple[int, ...]
    told: str = ""
    fill: str = PAPER
    stroke: str = SOFT_INK
    round: bool = False


@dataclass(frozen=True, slots=True)
class Tree:
    """Boxes in layers, each above what it is an input of; upside down if `root_on_top`.

    Arrows lead from the inputs down; a tree with its root on top has lines only.
    """

    boxes: tuple[Box, ...]
    root_on_top: bool = False


# --- cells -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table that is drawn; `mark` is a line around its text."""

    text: str
    fill: str = PAPER
    told: str = ""
    bold: bool = False
    pale: bool = False
    mark: Literal["", "box", "circle"] = ""


@dataclass(frozen=True, slots=True)
class CellRow:
    """Cells between a name and a remark; `apart` if there is room above."""

    name: str
    cells: tuple[Cell, ...]
    remark: str = ""
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows of cells, all of the same width, below a header (of a name, and of every column)."""

    rows: tuple[CellRow, ...]
    header: tuple[str, ...] = ()


# --- plots -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, with names at its ticks, those of the ends in any case."""

    low: Number
    high: Number
    ticks: tuple[tuple[Number, str], ...]
    name: str = ""
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points; with `dots` each has a dot, and the pointer is told what it is."""

    points: tuple[tuple[Number, Number], ...]
    color: str
    width: float = 1.4
    dashed: bool = False
    opacity: float = 1.0
    dots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Area:
    """What is inside a closed line."""

    outline: tuple[tuple[Number, Number], ...]
    color: str
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Plot:
    """Curves and areas over two axes; `mark` is a place on the x axis and what it is."""

    x: Axis
    y: Axis
    shapes: tuple[Curve | Area, ...]
    mark: tuple[Number, str] | None = None
    width: int = 620
    height: int = 170


# --- a graph in many states --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mesh:
    """A graph whose nodes and arcs change their looks from frame to frame.

    `wraps` are links around the border: they leave it and come in again.  With `lanes` two opposite
    arcs keep apart.
    """

    places: tuple[Point, ...]
    arcs: tuple[tuple[int, int], ...]
    links: tuple[tuple[int, int], ...]
    wraps: frozenset[tuple[int, int]]
    lanes: bool


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arc at work; `label` stands beside it."""

    arc: int
    color: str
    label: str
    told: str
    dashed: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """A state of a mesh: the color, the label and what is told of every node; and arrows."""

    fills: tuple[str, ...]
    labels: tuple[str, ...]
    told: tuple[str, ...]
    arrows: tuple[Arrow, ...] = ()
    title: str = ""
    short_title: str = ""


@dataclass(frozen=True, slots=True)
class MeshView:
    """One frame alone; `heads` are arcs that have arrowheads without being at work."""

    mesh: Mesh
    frame: Frame
    heads: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Frames:
    """Frames side by side, in groups with titles."""

    mesh: Mesh
    groups: tuple[tuple[str, tuple[Frame, ...]], ...]


@dataclass(frozen=True, slots=True)
class Motion:
    """A mesh with a slider over its steps: only pages show it.

    `rows` say what starts in each step: arc, packet, arc, packet, ...; `durations` are those of
    arcs, `own` what every node has from the start, `last` the last step that can be shown, and
    `end` the number of steps if all can be shown, else -1.  `colors` are those of the packets if
    there is one for each (`by_packet`), else of how widespread they are; `shades` those of nodes.
    """

    mesh: Mesh
    names: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]
    durations: tuple[int, ...]
    own: tuple[int, ...]
    packets: int
    last: int
    end: int
    by_packet: bool
    colors: tuple[str, ...]
    shades: tuple[str, ...]
    legend: tuple[Entry, ...]
    notes: tuple[str, ...]


# --- traces ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slice:
    """A bar on a track of a process, both given by their numbers."""

    process: int
    track: int
    name: str
    start: Fraction
    end: Fraction


@dataclass(frozen=True, slots=True)
class Work:
    """Slices that belong together: of two, the first sends what the second receives."""

    category: str
    slices: tuple[Slice, ...]
    args: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """Work in order of time on the tracks of processes.

    `span` is the time that is to take some seconds, `unit` the name of a unit of time.
    `processes` have their names by number, `tracks` by (process, track); those in `first` are
    shown on top.
    """

    asked: str
    claimed: str
    unit: str
    span: Fraction
    processes: Mapping[int, str]
    tracks: Mapping[tuple[int, int], str]
    works: Iterable[Work]
    noun: str = "transfer"
    first: frozenset[int] = frozenset()
