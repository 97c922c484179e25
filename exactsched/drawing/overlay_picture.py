"""An overlay as one picture, and as a page of HTML."""

from __future__ import annotations

from html import escape

from exactsched.certificate.overlay import Overlay
from exactsched.drawing.canvas import Fragment, in_rows, lettered, stacked
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import counted, short, text_width
from exactsched.drawing.masthead import masthead, rule
from exactsched.drawing.overlay_graph import overlay_graph
from exactsched.drawing.overlay_message import message_chart
from exactsched.drawing.overlay_traffic import Traffic, share
from exactsched.drawing.overlay_wording import bound_in_words, headline
from exactsched.drawing.page import HOW_TO_CHECK, figure, page
from exactsched.drawing.picture import PROVISO

MOST_TABLE_ROWS = 500
MOST_RANGES = 12
_MARGIN = 28
_GAP = 44
_WIDEST_ROW = 1900


def overlay_svg(overlay: Overlay) -> str:
    """The SVG document: the graph, the parts of the message beside it, and the bound in words."""
    traffic = Traffic(overlay)
    title, result = headline(traffic)
    figures = in_rows([overlay_graph(traffic), message_chart(traffic)], _WIDEST_ROW, _GAP)
    words = max(text_width(title, 19) * 1.08, text_width(result, 13.5))
    width = max(min(words, _WIDEST_ROW), figures.width, 640)
    why = Fragment(width, 18, lettered("Why nothing is better", 0, 13, 13, bold=True))
    reasons = notes(bound_in_words(traffic), width)
    small = notes([PROVISO], width)
    above, line = masthead(title, result, width), rule(width)
    whole = stacked([above, line, figures, line, stacked([why, reasons], 6), small], 22)
    return whole.document(f"{title}. {result}", _MARGIN)


def overlay_html(overlay: Overlay) -> str:
    """One self-contained page: figures, what every node and every arc carries, the bound."""
    traffic = Traffic(overlay)
    title, result = headline(traffic)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="result">{escape(result)}</p>',
        figure(overlay_graph(traffic).document("Overlay", 20)),
        figure(message_chart(traffic).document("Parts of the message", 20)),
        *_node_table(traffic),
        *_arc_table(traffic),
        "<h2>Why nothing is better</h2>",
        *[f"<p>{escape(line)}</p>" for line in bound_in_words(traffic)],
    ]
    return page(title, [*parts, *HOW_TO_CHECK])


def _node_table(traffic: Traffic) -> list[str]:
    machine = traffic.overlay.machine
    head = ["node", "sends", "bandwidth", "receivers", "degree"]
    head += ["may receive"] * bool(machine.incoming)
    rows = []
    for node in range(min(machine.size, MOST_TABLE_ROWS)):
        sent, bandwidth = traffic.rate(traffic.sent[node]), machine.bandwidths[node]
        row = [traffic.name(node), short(sent, 30), short(bandwidth, 30)]
        row += [str(traffic.degrees[node]), str(machine.degrees[node])]
        if machine.incoming:
            row.append(short(machine.incoming[node], 30) if node else "")
        rows.append((traffic.color(node) if traffic.degrees[node] else "", row))
    return _table("Nodes", head, rows, machine.size - len(rows), "node")


def _arc_table(traffic: Traffic) -> list[str]:
    overlay = traffic.overlay
    rows = []
    for index, (sender, receiver, pieces) in enumerate(overlay.arcs[:MOST_TABLE_ROWS]):
        ranges = [
            f"[{short(share(start, overlay.parts), 24)}, {short(share(stop, overlay.parts), 24)})"
            for start, stop in pieces[:MOST_RANGES]
        ]
        if len(pieces) > MOST_RANGES:
            ranges.append(f"{len(pieces) - MOST_RANGES:,} more")
        rate = short(traffic.rate(traffic.amounts[index]), 30)
        row = [traffic.name(sender), traffic.name(receiver), rate, " ".join(ranges)]
        rows.append((traffic.color(sender), row))
    if not rows:
        return []
    head = ["from", "to", "rate", "parts of the message [0, 1)"]
    return _table("Arcs", head, rows, len(overlay.arcs) - len(rows), "arc")


def _table(
    title: str, head: list[str], rows: list[tuple[str, list[str]]], missing: int, noun: str
) -> list[str]:
    """A table of which the first column has a swatch of this color, if any."""
    lines = [
        f'<h2>{title}</h2><div class="scroll"><table><thead><tr>',
        "".join(f"<th>{escape(name)}</th>" for name in head),
        "</tr></thead><tbody>",
    ]
    for fill, (first, *others) in rows:
        swatch = f'<span class="swatch" style="background:{fill}"></span>' if fill else ""
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in others)
        lines.append(f'<tr><td class="n">{swatch}{escape(first)}</td>{cells}</tr>')
    lines.append("</tbody></table></div>")
    if missing:
        lines.append(f'<p class="soft">{counted(missing, f"more {noun}")} not shown.</p>')
    return lines
