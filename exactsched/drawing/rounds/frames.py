"""Steps of a run as frames: who sends what, and who has how much."""

from __future__ import annotations

from collections.abc import Iterable

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.layout.mesh import LETTERED_UP_TO, SMALL, frames_in_a_row
from exactsched.drawing.layout.stress import grid_places, node_places
from exactsched.drawing.lettering import counted, short
from exactsched.drawing.palette import COLORS, INK, SHADES, color
from exactsched.drawing.rounds.traffic import Moment, RoundTraffic
from exactsched.drawing.scene import Arrow, Entry, Figure, Frame, Frames, Mesh, MeshView
from exactsched.drawing.words import ARROW

FULL = INK
_NEW = "#d55e00"
# Up to this share of all nodes, in quarters, has the packet.
_SPREAD = (
    (1, "#e69f00", "up to a quarter of the nodes"),
    (2, "#009e73", "up to a half of the nodes"),
    (4, "#0072b2", "more of them"),
)
MOST_LINKS = 4000
_ALL_UP_TO = 24
# Of the links of a grid one in this many may be missing.
_MISSING = 4


# --- where nodes stand -------------------------------------------------------------------------


def mesh_of(run: SynchronousRun) -> Mesh:
    """The graph of a run; nodes numbered row by row, as those of a grid or torus, stand in rows.

    More than `MOST_LINKS` links are not drawn.
    """
    links = sorted({(min(arc[:2]), max(arc[:2])) for arc in run.arcs})
    columns = grid_columns(run.size, links)
    wraps: frozenset[tuple[int, int]] = frozenset()
    if columns:
        places = grid_places(run.size, columns)
        wraps = frozenset(link for link in links if _apart(*link, columns) != 1)
    else:
        places = node_places(run.size, links, run.origins[0][0])
    arcs = tuple(arc[:2] for arc in run.arcs)
    shown = tuple(links) if len(links) <= MOST_LINKS else ()
    return Mesh(places, arcs, shown, wraps, run.ports == "one-port")


def grid_columns(size: int, links: Iterable[tuple[int, int]]) -> int:
    """How many columns a grid or torus of two sides has whose nodes are numbered row by row.

    0 for another graph, and if more than a quarter of the links are missing.

    >>> grid_columns(6, [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)])
    3
    >>> grid_columns(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)])
    0
    """
    every = list(links)
    for columns in range(2, size // 2 + 1):
        if size % columns:
            continue
        rows = size // columns
        whole = rows * (columns - 1) + columns * (rows - 1)
        inside = sum(_apart(*link, columns) == 1 for link in every)
        if inside * _MISSING < whole * (_MISSING - 1):
            continue
        if all(_neighbors(*link, columns, rows) for link in every):
            return columns
    return 0


def _apart(one: int, other: int, columns: int) -> int:
    across = abs(one % columns - other % columns)
    return across + abs(one // columns - other // columns)


def _neighbors(one: int, other: int, columns: int, rows: int) -> bool:
    across = abs(one % columns - other % columns)
    down = abs(one // columns - other // columns)
    return (not down and across in (1, columns - 1)) or (not across and down in (1, rows - 1))


# --- which color means what --------------------------------------------------------------------


def by_packet(traffic: RoundTraffic) -> bool:
    """Whether there are few enough packets to give each its own color."""
    return traffic.packets <= COLORS


def palette(traffic: RoundTraffic) -> tuple[str, ...]:
    """The colors of transfers: of their packets, or of how widespread these are."""
    if by_packet(traffic):
        return tuple(color(packet) for packet in range(traffic.packets))
    return (_NEW, *(fill for _, fill, _ in _SPREAD))


def color_class(traffic: RoundTraffic, packet: int, copies: int) -> int:
    """The place in the palette of a transfer of a packet that `copies` nodes have."""
    if by_packet(traffic):
        return packet
    if copies == 1:
        return 0
    quarters = -(-4 * copies // traffic.run.size)
    return next((1 + k for k, (most, *_) in enumerate(_SPREAD) if quarters <= most), len(_SPREAD))


def color_key(traffic: RoundTraffic) -> tuple[Entry, ...]:
    """What the colors mean."""
    if by_packet(traffic):
        return tuple(Entry(fill, f"packet {k}") for k, fill in enumerate(palette(traffic)))
    spread = [Entry(fill, words) for _, fill, words in _SPREAD]
    return (Entry(_NEW, "a packet that one node has"), *spread)


def shade(have: int, packets: int) -> str:
    """The darker, the more of the packets a node has; `FULL` for all of them.

    >>> shade(0, 9), shade(1, 9) == SHADES[1], shade(8, 9) == SHADES[7], shade(9, 9)
    ('#ffffff', True, True, '#1d2733')
    """
    if have >= packets:
        return FULL
    # 0 is white, and nothing else is.
    return SHADES[-(-have * (len(SHADES) - 1) // packets)]


# --- the figures -------------------------------------------------------------------------------


def graph_figure(traffic: RoundTraffic, mesh: Mesh) -> Figure:
    """The graph with the names of its nodes; those that have packets from the start are dark."""
    size, nodes = traffic.run.size, range(traffic.run.size)
    ways = set(mesh.arcs)
    one_way = any((head, tail) not in ways for tail, head in ways)
    frame = Frame(
        tuple(shade(own, traffic.packets) for own in traffic.own),
        tuple(traffic.name(node) for node in nodes),
        tuple(
            f"{traffic.name(node)}: {counted(traffic.own[node], 'packet')} at first"
            for node in nodes
        ),
    )
    heads = tuple(range(len(mesh.arcs))) if one_way and mesh.links else ()
    dark = "Dark: where packets are from the start."
    arcs = counted(len(mesh.arcs), "arc")
    return Figure(
        "Graph",
        MeshView(mesh, frame, heads),
        f"The graph: {counted(size, 'node')}, {arcs}",
        notes=(dark,) if len(traffic.origins) < size else (),
        panel="graph",
    )


def frames_figure(traffic: RoundTraffic, mesh: Mesh) -> Figure:
    """Small multiples: all steps if they are few, else the first, some between, and the last."""
    in_a_row = frames_in_a_row(mesh)
    each = max(in_a_row, 2)
    stages = traffic.stages() if traffic.run.size > SMALL else None
    all_up_to = max(_ALL_UP_TO // in_a_row * in_a_row, 3 * each)
    groups = chosen_steps(traffic.end, each, all_up_to, stages)
    moments = iter(traffic.moments([step for _, steps in groups for step in steps]))
    frames = tuple(
        (title, tuple(frame_of(traffic, next(moments)) for _ in steps)) for title, steps in groups
    )
    none, every = Entry(SHADES[1], "a node that has few packets"), Entry(FULL, "has all of them")
    half = Entry(SHADES[4], "about half")
    legend = (none, half, every, *color_key(traffic))
    notes = _notes(traffic, mesh)
    return Figure("Steps", Frames(mesh, frames), legend=legend, notes=notes, panel="steps")


def _notes(traffic: RoundTraffic, mesh: Mesh) -> tuple[str, ...]:
    told = ["Steps are numbered from 0. An arrow is a transfer in this step."]
    if traffic.run.size <= LETTERED_UP_TO:
        told[0] += " Numbers in nodes count packets, those at arrows say which one is sent."
    if not traffic.unit:
        told[0] += " Dashed: under way since an earlier step."
    if traffic.run.arcs and not mesh.links:
        told.append(f"More than {counted(MOST_LINKS, 'link')} are not drawn, only those at work.")
    if mesh.wraps:
        told.append("Links around the border are cut in two: they leave it and come in again.")
    return tuple(told)


def frame_of(traffic: RoundTraffic, moment: Moment) -> Frame:
    """A step with its number, its transfers as arrows, and the nodes as dark as they are full."""
    colors = palette(traffic)
    arrows = []
    for arc, packet, copies, earlier in moment.transfers:
        tail, head, _ = traffic.run.arcs[arc]
        told = f"{traffic.name(tail)} {ARROW} {traffic.name(head)}: packet {packet:,}"
        told += ", sent earlier" if earlier else ""
        fill = colors[color_class(traffic, packet, copies)]
        arrows.append(Arrow(arc, fill, short(packet, 6), told, earlier))
    count = len(moment.transfers)
    return Frame(
        tuple(shade(have, traffic.packets) for have in moment.have),
        tuple(short(have, 4) if have else "" for have in moment.have),
        tuple(
            f"{traffic.name(node)}: {counted(have, 'packet')}"
            for node, have in enumerate(moment.have)
        ),
        tuple(arrows),
        f"step {moment.step:,}: {counted(count, 'transfer')}",
        f"step {moment.step:,}: {count:,}",
    )


def chosen_steps(
    end: int, each: int, all_up_to: int, stages: tuple[int, int] | None = None
) -> list[tuple[str, list[int]]]:
    """Which steps are shown, under which title: all, or the first, some between, and the last.

    Of a large graph nothing is seen in the first steps: given its `stages`, some steps of each.

    >>> chosen_steps(5, 2, 6)
    [('Step by step', [0, 1, 2, 3, 4])]
    >>> chosen_steps(100, 3, 9)
    [('The first steps', [0, 1, 2]), ('In between', [26, 50, 73]), ('The last steps', [97, 98, 99])]
    >>> [steps for _, steps in chosen_steps(100, 3, 9, (20, 80))]
    [[0, 10, 19], [35, 50, 64], [80, 90, 99]]
    """
    if end <= all_up_to:
        return [("Step by step", list(range(end)))]
    if stages is None:
        first, last = list(range(each)), list(range(end - each, end))
        between = list(range(each, 2 * each))
        if end > 3 * each + 1:  # else two of them would be the same
            between = _spread(each, end - each - 1, each + 2)[1:-1]
        return [("The first steps", first), ("In between", between), ("The last steps", last)]
    informed, full = stages
    if informed < each or full > end - each or full - informed <= each + 1:
        return [("Some of the steps", _spread(0, end - 1, 3 * each))]
    return [
        ("Until every node has a packet", _spread(0, informed - 1, each)),
        ("In between", _spread(informed, full - 1, each + 2)[1:-1]),
        ("After the first node has all packets", _spread(full, end - 1, each)),
    ]


def _spread(first: int, last: int, count: int) -> list[int]:
    """Numbers from the first to the last at equal distances, up to rounding."""
    return [first + (2 * k * (last - first) + count - 1) // (2 * (count - 1)) for k in range(count)]
