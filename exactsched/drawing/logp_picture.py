"""A certificate of a LogP machine as one picture, and as a page of HTML."""

from __future__ import annotations

from html import escape

from exactsched.certificate.logp import LogPBuffered, LogPSchedule
from exactsched.drawing.canvas import Fragment, in_rows, stacked
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import text_width
from exactsched.drawing.logp_buffered import buffered_table, buffered_tree, buffered_words
from exactsched.drawing.logp_chart import activity_chart
from exactsched.drawing.logp_reception import cycle_words, reception_table
from exactsched.drawing.logp_tree import cycles_tree, schedule_trees
from exactsched.drawing.logp_wording import LogPDrawn, bound_in_words, headline
from exactsched.drawing.masthead import masthead, rule
from exactsched.drawing.page import HOW_TO_CHECK, figure, page
from exactsched.drawing.picture import PROVISO

_MARGIN = 28
_GAP = 44
_WIDEST_ROW = 1200


def logp_svg(certificate: LogPDrawn) -> str:
    """The SVG document: trees and chart, or tree, words and receptions."""
    title, result = headline(certificate)
    rows = [in_rows(row, _WIDEST_ROW, _GAP) for _, row in _panels(certificate)]
    words = max(text_width(title, 19) * 1.08, text_width(result, 13.5))
    width = max([min(words, _WIDEST_ROW), *(row.width for row in rows)])
    small = notes([PROVISO], width)
    whole = stacked([masthead(title, result, width), rule(width), *rows, small], 24)
    return whole.document(f"{title}. {result}", _MARGIN)


def logp_html(certificate: LogPDrawn) -> str:
    """One self-contained page: the figures, and the bound in words."""
    title, result = headline(certificate)
    parts = [f"<h1>{escape(title)}</h1>", f'<p class="result">{escape(result)}</p>']
    for name, row in _panels(certificate):
        parts += [figure(panel.document(name, 20)) for panel in row]
    parts += ["<h2>Why nothing is better</h2>", f"<p>{escape(bound_in_words(certificate))}</p>"]
    return page(title, [*parts, *HOW_TO_CHECK])


def _panels(certificate: LogPDrawn) -> list[tuple[str, list[Fragment]]]:
    """Named rows of figures."""
    if isinstance(certificate, LogPSchedule):
        trees = schedule_trees(certificate)
        chart = [activity_chart(certificate)]
        return [*([("Communication tree", trees)] if trees else []), ("Activity chart", chart)]
    if isinstance(certificate, LogPBuffered):
        tree = buffered_tree(certificate)
        words, table = buffered_words(certificate), buffered_table(certificate)
    else:
        tree = cycles_tree(certificate)
        words, table = cycle_words(certificate), reception_table(certificate)
    return [
        *([("Broadcast tree", [tree])] if tree else []),
        ("Cycles of roles", [words]),
        ("Receptions", [table]),
    ]
