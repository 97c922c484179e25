"""Runs in rounds as scenes and traces."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.lettering import counted
from exactsched.drawing.palette import SHADES
from exactsched.drawing.rounds.curves import activity_figure, lack_figure
from exactsched.drawing.rounds.frames import (
    FULL,
    by_packet,
    color_key,
    frames_figure,
    graph_figure,
    mesh_of,
    palette,
)
from exactsched.drawing.rounds.traffic import RoundTraffic
from exactsched.drawing.scene import (
    Figure,
    Mesh,
    Motion,
    Panels,
    Scene,
    Slice,
    Table,
    Trace,
    Words,
    Work,
)
from exactsched.drawing.words import ARROW, BACK, CLOSING
from exactsched.drawing.words.rounds import bound_in_words, headline

MOST_NODES = 1500
MOST_TABLE_ROWS = 60
MOST_LISTED = 40
MOST_TRANSFERS = 300_000
MOST_STEPS = 20_000
MOST_ARCS = 8000
_MOST_PACKETS = 1_000_000


def rounds_scene(run: SynchronousRun) -> Scene:
    """Graph and curves, the steps in motion and as frames, a table of them, the bound in words.

    Graphs of more than `MOST_NODES` nodes, and their steps, are not drawn.
    """
    traffic = RoundTraffic(run)
    mesh = mesh_of(run) if run.size <= MOST_NODES else None
    parts: list[Panels | Motion | Table | Words] = []
    if mesh and traffic.transfers:
        parts.append(_motion(traffic, mesh))
    graph = graph_figure(traffic, mesh) if mesh else _too_large(traffic)
    curves = (activity_figure(traffic), lack_figure(traffic)) if traffic.transfers else (_NOTHING,)
    parts.append(Panels("The run at a glance", (graph, *curves)))
    if mesh and traffic.transfers:
        parts.append(Panels("", (frames_figure(traffic, mesh),)))
    if run.sends:
        parts.append(_table(traffic))
    why = tuple(bound_in_words(traffic))
    parts.append(Words("Why fewer steps are not enough", why, panel="why"))
    return Scene(*headline(traffic), (*parts, *CLOSING))


_NOTHING = Figure("Nothing is sent", None, "Nothing is sent.", panel="activity")


def _too_large(traffic: RoundTraffic) -> Figure:
    what = f"A graph of {traffic.run.size:,} nodes is not drawn"
    note = f"{what} (at most {MOST_NODES:,} nodes), and neither are its steps."
    return Figure("Graph", None, notes=(note,), panel="graph")


def _table(traffic: RoundTraffic) -> Table:
    """What starts in each step."""
    run = traffic.run
    rows = []
    for number, starting in enumerate(run.sends[:MOST_TABLE_ROWS]):
        sent = []
        for arc, packet in starting[:MOST_LISTED]:
            tail, head, _ = run.arcs[arc]
            sent.append(f"{traffic.name(tail)} {ARROW} {traffic.name(head)}: {packet:,}")
        if len(starting) > MOST_LISTED:
            sent.append(f"{len(starting) - MOST_LISTED:,} more")
        under_way = f"{traffic.under_way(number):,}"
        rows.append((f"{number:,}", f"{len(starting):,}", under_way, ", ".join(sent)))
    columns = "step", "begin", "under way", "packets sent"
    return Table("Steps", columns, tuple(rows), panel="transfers", more=len(run.sends) - len(rows))


def _motion(traffic: RoundTraffic, mesh: Mesh) -> Motion:
    """The first steps, as far as the page stays below some 5 MB."""
    run = traffic.run
    rows = _first_rows(run) if traffic.packets <= _MOST_PACKETS else ()
    whole = len(rows) == len(run.sends) and traffic.end <= MOST_STEPS
    # The picture after the last step is one more.
    last = traffic.end if whole else len(rows) - 1
    what = "packets" if by_packet(traffic) else "transfers"
    notes = [
        f"Steps are numbered from 0; colors are those of {what}, and the darker a node, the more"
        " packets it has."
    ]
    if not rows:
        notes = ["The steps are not shown in motion: there are too many."]
    elif not whole:
        shown = f"The first {len(rows):,} of {counted(traffic.end, 'step')} can be played."
        notes.append(shown)
    return Motion(
        mesh,
        tuple(traffic.name(node) for node in range(run.size)),
        rows,
        tuple(traffic.durations),
        tuple(traffic.own),
        traffic.packets,
        last,
        traffic.end if whole else -1,
        by_packet(traffic),
        palette(traffic),
        (*SHADES, FULL),
        color_key(traffic),
        tuple(notes),
    )


def _first_rows(run: SynchronousRun) -> tuple[tuple[int, ...], ...]:
    """As many rows as may be shown, each arc, packet, arc, packet, ..."""
    rows: list[tuple[int, ...]] = []
    used: set[int] = set()
    transfers = 0
    for row in run.sends[:MOST_STEPS]:
        used.update(arc for arc, _ in row)
        transfers += len(row)
        if transfers > MOST_TRANSFERS or len(used) > MOST_ARCS:
            break
        rows.append(tuple(chain.from_iterable(row)))
    return tuple(rows)


def rounds_trace(run: SynchronousRun) -> Trace:
    """Two slices for each transfer, at its sender and at its receiver.

    A node has one track in half-duplex, and two, for what it sends and receives, in one-port.
    """
    traffic = RoundTraffic(run)
    half = run.ports == "half-duplex"
    receiving = 1 if half else 2
    names = ("port",) if half else ("send", "receive")
    tracks = {(k, 1 + track): name for k in range(run.size) for track, name in enumerate(names)}

    def works() -> Iterator[Work]:
        for step, row in enumerate(run.sends):
            for arc, packet in row:
                tail, head, duration = run.arcs[arc]
                start, end = Fraction(step), Fraction(step + duration)
                to, by = traffic.name(head), traffic.name(tail)
                sent = Slice(tail, 1, f"{packet} {ARROW} {to}", start, end)
                received = Slice(head, receiving, f"{packet} {BACK} {by}", start, end)
                args = {"arc": f"{by} {ARROW} {to}", "packet": packet}
                yield Work("transfer", (sent, received), args)

    asked, claimed = headline(traffic)
    span = Fraction(traffic.end or 1)
    processes = {node: traffic.name(node) for node in range(run.size)}
    return Trace(asked, claimed, "step", span, processes, tracks, works())
