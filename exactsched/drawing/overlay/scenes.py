"""Overlays as scenes: strands as wide as their rates, and the message as all receive it."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

from exactsched.certificate.overlay import Overlay
from exactsched.drawing.layout.stress import node_places
from exactsched.drawing.lettering import and_more, counted, short
from exactsched.drawing.overlay.traffic import Traffic, share
from exactsched.drawing.palette import ALARM, ALARM_PAPER, OTHER, PAPER, UNUSED
from exactsched.drawing.scene import (
    Bar,
    Edge,
    Entry,
    Figure,
    Graph,
    Hint,
    Node,
    Panels,
    Row,
    Scene,
    Table,
    Timeline,
    Words,
)
from exactsched.drawing.words import ARROW, CLOSING, WHY
from exactsched.drawing.words.overlay import bound_in_words, headline

MOST_NODES = 1500
MOST_ARCS = 3000
MOST_RATES = 80
MOST_ROWS = 60
MOST_PIECES = 4000
MOST_TABLE_ROWS = 500
MOST_RANGES = 12
_TOLD_UP_TO = 40
_TICKED_UP_TO = 12
_ACROSS = 560


def overlay_scene(overlay: Overlay) -> Scene:
    """The graph, the parts of the message, what every node and every arc carries, the bound."""
    traffic = Traffic(overlay)
    figures = graph_figure(traffic), message_figure(traffic)
    tables = (_node_table(traffic), *([_arc_table(traffic)] if overlay.arcs else []))
    why = Words(WHY, tuple(bound_in_words(traffic)), panel="why")
    return Scene(*headline(traffic), (Panels("", figures), *tables, why, *CLOSING))


def graph_figure(traffic: Traffic) -> Figure:
    """Nodes with name, used and allowed degree, sent rate and bandwidth; arcs with their rates.

    Nodes above their degree are on red ground.  More than `MOST_NODES` nodes are not drawn; of more
    than `MOST_ARCS` arcs those with the least rates are left out.
    """
    overlay, size = traffic.overlay, traffic.overlay.machine.size
    arcs = overlay.arcs
    if size > MOST_NODES:
        what = f"A graph of {size:,} nodes and {len(arcs):,} arcs is not drawn"
        note = f"{what} (at most {MOST_NODES:,} nodes)."
        return Figure("Overlay", None, notes=(note,), panel="graph")
    widest = sorted(range(len(arcs)), key=lambda arc: -traffic.amounts[arc])[:MOST_ARCS]
    labeled = size <= _TOLD_UP_TO and len(widest) <= MOST_RATES
    notes: list[str | Hint] = []
    if len(widest) < len(arcs):
        notes.append(
            f"{len(arcs) - len(widest):,} of {len(arcs):,} arcs, those with the least rates, are"
            " not drawn."
        )
    if traffic.above:
        notes.append("In red: nodes that send to more others than their degree allows.")
    if arcs and not labeled:
        notes.append(Hint("Rates are shown when the pointer rests on an arc."))
    graph = Graph(
        tuple(_node(traffic, node) for node in range(size)),
        tuple(_edge(traffic, arc, labeled) for arc in sorted(widest)),
        node_places(size, [(sender, receiver) for sender, receiver, _ in arcs], 0),
        label_noun="rate",
    )
    return Figure("Overlay", graph, notes=tuple(notes), panel="graph")


def _node(traffic: Traffic, node: int) -> Node:
    machine = traffic.overlay.machine
    used, allowed = traffic.degrees[node], machine.degrees[node]
    sent = short(traffic.rate(traffic.sent[node]), 12)
    lines = f"degree {used} of {allowed}", f"sends {sent} of {short(machine.bandwidths[node], 12)}"
    told = f"{traffic.name(node)}: {', '.join(lines)}"
    if machine.incoming and node:
        told += f", receives at most {short(machine.incoming[node], 12)}"
    above = used > allowed
    if above:
        told += " (above its degree)"
    own = traffic.color(node) if used else UNUSED
    fill = own if node == 0 else ALARM_PAPER if above else PAPER
    return Node(traffic.name(node), lines, told, fill, own, ALARM if above else "")


def _edge(traffic: Traffic, arc: int, labeled: bool) -> Edge:
    sender, receiver, _ = traffic.overlay.arcs[arc]
    rate = traffic.rate(traffic.amounts[arc])
    told = f"{traffic.name(sender)} {ARROW} {traffic.name(receiver)}: rate {short(rate, 30)}"
    part = Fraction(traffic.amounts[arc], traffic.overlay.parts)
    strands = ((traffic.color(sender), part),)
    return Edge(sender, receiver, short(rate, 9) if labeled else "", told, strands)


def message_figure(traffic: Traffic) -> Figure:
    """A row for each node that receives: the parts of the message from 0 to 1, by their senders.

    Of more than `MOST_ROWS` nodes, or `MOST_PIECES` pieces, the first are shown; a note says so.
    """
    overlay = traffic.overlay
    name = "Parts of the message"
    if not overlay.throughput:
        return Figure(name, None, "Nothing is sent.", panel="message")
    rows = []
    budget = MOST_PIECES
    for node, pieces in list(enumerate(traffic.received()))[1 : MOST_ROWS + 1]:
        budget -= len(pieces)
        if budget < 0:
            break
        rows.append(Row(traffic.name(node), (tuple(_bars(traffic, pieces)),)))
    notes = ["A share s of the message is sent at the rate of s times the throughput."]
    missing = overlay.machine.size - 1 - len(rows)
    if missing:
        notes.append(f"{counted(missing, 'more node')} not shown.")
    what = "all from one" if overlay.parts == 1 else f"in {counted(overlay.parts, 'equal part')}"
    each = overlay.parts if overlay.parts <= _TICKED_UP_TO else 2
    ticks = tuple(Fraction(step, each) for step in range(each + 1))
    entries = [Entry(traffic.color(node), traffic.name(node)) for node in traffic.colored]
    if rest := len(traffic.senders) - len(entries):
        entries.append(Entry(OTHER, and_more(rest)))
    title = f"The message as everybody receives it, {what}"
    timeline = Timeline(Fraction(1), tuple(rows), ticks, _ACROSS)
    return Figure(name, timeline, title, tuple(entries), tuple(notes), panel="message")


def _bars(traffic: Traffic, pieces: list[tuple[int, int, int]]) -> list[Bar]:
    """What a node receives; pieces of the same sender that touch are one bar."""
    bars = []
    for sender, same in groupby(pieces, key=lambda piece: piece[2]):
        run = list(same)
        start, stop, name = run[0][0], run[-1][1], traffic.name(sender)
        rate = short(traffic.rate(stop - start), 24)
        told = f"{_range(traffic, start, stop)} from {name}, rate {rate}"
        left, right = share(start, traffic.overlay.parts), share(stop, traffic.overlay.parts)
        bars.append(Bar(Fraction(left), Fraction(right), traffic.color(sender), told, (name,)))
    return bars


def _range(traffic: Traffic, start: int, stop: int) -> str:
    parts = traffic.overlay.parts
    return f"[{short(share(start, parts), 24)}, {short(share(stop, parts), 24)})"


def _node_table(traffic: Traffic) -> Table:
    machine = traffic.overlay.machine
    head = ["node", "sends", "bandwidth", "receivers", "degree"]
    head += ["may receive"] * bool(machine.incoming)
    rows, swatches = [], []
    for node in range(min(machine.size, MOST_TABLE_ROWS)):
        sent, bandwidth = traffic.rate(traffic.sent[node]), machine.bandwidths[node]
        row = [traffic.name(node), short(sent, 30), short(bandwidth, 30)]
        row += [str(traffic.degrees[node]), str(machine.degrees[node])]
        if machine.incoming:
            row.append(short(machine.incoming[node], 30) if node else "")
        rows.append(tuple(row))
        swatches.append(traffic.color(node) if traffic.degrees[node] else "")
    more = machine.size - len(rows)
    return Table("Nodes", tuple(head), tuple(rows), tuple(swatches), panel="nodes", more=more)


def _arc_table(traffic: Traffic) -> Table:
    overlay = traffic.overlay
    rows = []
    for index, (sender, receiver, pieces) in enumerate(overlay.arcs[:MOST_TABLE_ROWS]):
        ranges = [_range(traffic, *piece) for piece in pieces[:MOST_RANGES]]
        if len(pieces) > MOST_RANGES:
            ranges.append(f"{len(pieces) - MOST_RANGES:,} more")
        rate = short(traffic.rate(traffic.amounts[index]), 30)
        rows.append((traffic.name(sender), traffic.name(receiver), rate, " ".join(ranges)))
    swatches = tuple(traffic.color(sender) for sender, _, _ in overlay.arcs[:MOST_TABLE_ROWS])
    head = "from", "to", "rate", "parts of the message [0, 1)"
    more = len(overlay.arcs) - len(rows)
    return Table("Arcs", head, tuple(rows), swatches, panel="arcs", more=more)
