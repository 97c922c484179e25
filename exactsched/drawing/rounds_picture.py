"""A run in steps as one picture, and as a page of HTML with an animation."""

from __future__ import annotations

from html import escape

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.canvas import Fragment, lettered, stacked
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import counted, text_width
from exactsched.drawing.masthead import masthead, rule
from exactsched.drawing.page import HOW_TO_CHECK, figure, page
from exactsched.drawing.picture import PROVISO
from exactsched.drawing.rounds_animation import animation
from exactsched.drawing.rounds_curves import activity_chart, lack_chart
from exactsched.drawing.rounds_frames import MOST_NODES, frames, graph_panel, too_large
from exactsched.drawing.rounds_places import Places
from exactsched.drawing.rounds_traffic import RoundTraffic
from exactsched.drawing.rounds_wording import bound_in_words, headline
from exactsched.drawing.wording import ARROW

MOST_TABLE_ROWS = 60
MOST_LISTED = 40
_MARGIN = 28
_GAP = 44
_WIDEST = 1400


def rounds_svg(run: SynchronousRun) -> str:
    """The SVG document: graph, curves, some of the steps, and the bound in words."""
    traffic = RoundTraffic(run)
    title, result = headline(traffic)
    places = Places(run) if run.size <= MOST_NODES else None
    above = _above(traffic, places)
    below = [frames(traffic, places)] if places and traffic.transfers else []
    words = max(text_width(title, 19) * 1.08, text_width(result, 13.5))
    width = max(min(words, _WIDEST), above.width, 640, *(part.width for part in below))
    why = Fragment(width, 18, lettered("Why fewer steps are not enough", 0, 13, 13, bold=True))
    reasons = stacked([why, notes(bound_in_words(traffic), width)], 6)
    parts = [masthead(title, result, width), rule(width), above, rule(width)]
    for part in below:
        parts += [part, rule(width)]
    whole = stacked([*parts, reasons, notes([PROVISO], width)], 20)
    return whole.document(f"{title}. {result}", _MARGIN)


def rounds_html(run: SynchronousRun) -> str:
    """One self-contained page: the figures, the steps in motion, a table of them, the bound."""
    traffic = RoundTraffic(run)
    title, result = headline(traffic)
    places = Places(run) if run.size <= MOST_NODES else None
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="result">{escape(result)}</p>',
        *(animation(traffic, places) if places and traffic.transfers else []),
        "<h2>The run at a glance</h2>",
        figure(_above(traffic, places).document("Graph and curves", 20)),
    ]
    if places and traffic.transfers:
        parts.append(figure(frames(traffic, places).document("Steps", 20)))
    parts += _table(traffic)
    parts += ["<h2>Why fewer steps are not enough</h2>"]
    parts += [f"<p>{escape(line)}</p>" for line in bound_in_words(traffic)]
    return page(title, [*parts, *HOW_TO_CHECK])


def _above(traffic: RoundTraffic, places: Places | None) -> Fragment:
    graph = graph_panel(traffic, places) if places else too_large(traffic)
    if not traffic.transfers:
        nothing = Fragment(200, 18, lettered("Nothing is sent.", 0, 13, 13, bold=True))
        return stacked([graph, nothing], 12)
    charts = stacked([activity_chart(traffic, traffic.run.bound), lack_chart(traffic)], 18)
    left = graph.width + _GAP
    body = graph.at(0, 0) + charts.at(left, 0)
    return Fragment(left + charts.width, max(graph.height, charts.height), body)


def _table(traffic: RoundTraffic) -> list[str]:
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
        cells = [f"{number:,}", f"{len(starting):,}", f"{traffic.under_way(number):,}"]
        line = "".join(f'<td class="n">{cell}</td>' for cell in cells)
        rows.append(f"<tr>{line}<td>{escape(', '.join(sent))}</td></tr>")
    if not rows:
        return []
    titles = "".join(f"<th>{name}</th>" for name in ("step", "begin", "under way", "packets sent"))
    lines = ["<h2>Steps</h2>", f'<div class="scroll"><table><tr>{titles}</tr>', *rows]
    lines.append("</table></div>")
    if len(run.sends) > MOST_TABLE_ROWS:
        shown = f"The first {MOST_TABLE_ROWS} of {counted(len(run.sends), 'step')}."
        lines.append(f'<p class="soft">{shown}</p>')
    return lines
