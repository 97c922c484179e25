"""The whole picture of a certificate: headline, platform, key, Gantt chart, reduction trees."""

from __future__ import annotations

from exactsched.certificate.collectives import Certificate, CutBound, Run
from exactsched.drawing.canvas import ALARM, Fragment, in_rows, lettered, stacked
from exactsched.drawing.gantt import gantt
from exactsched.drawing.key import Key, key_of, legend, notes
from exactsched.drawing.masthead import masthead, rule
from exactsched.drawing.platform_graph import platform_graph
from exactsched.drawing.tree_picture import tree_panels
from exactsched.drawing.wording import headline, out_of_reach

_MARGIN = 28
_GAP = 44
_MOST_TREES = 6
_FOREST = 1180
PROVISO = (
    "Numbers as stated in the certificate; \u201cexactsched check\u201d proves them or refuses."
)


def svg_document(certificate: Certificate) -> str:
    """The SVG document of a certificate."""
    key = key_of(certificate)
    left = graph_panel(certificate, key)
    right = chart_panel(certificate, key)
    width = left.width + (_GAP + right.width if right else 0)
    title, result = headline(certificate)
    head_width = max(width, 560)
    height = max(left.height, right.height if right else 0)
    body = left.at(0, 0)
    if right:
        body += right.at(left.width + _GAP, 0)
    parts = [masthead(title, result, head_width), rule(head_width), Fragment(width, height, body)]
    trees, left_out = tree_panels(certificate, key, _MOST_TREES)
    if trees:
        parts += [rule(head_width), in_rows(trees, max(head_width, _FOREST), _GAP)]
    parts.append(notes([*left_out, PROVISO], head_width))
    whole = stacked(parts, 20)
    return whole.document(f"{title}. {result}", _MARGIN)


def graph_panel(certificate: Certificate, key: Key) -> Fragment:
    """The platform with its structures, and the key below it."""
    graph = platform_graph(certificate, key)
    width = max(graph.width, 380)
    centered = Fragment(width, graph.height, graph.at((width - graph.width) / 2, 0))
    parts = [centered]
    if key.entries:
        parts.append(legend(key, width))
    missing = out_of_reach(certificate)
    if missing:
        text = f"The nodes on red ground wait for ever: {missing}."
        if isinstance(certificate.proof, CutBound):
            text = "The nodes on red ground cannot be reached: no arc enters their set."
        parts.append(Fragment(width, 14, lettered(text, 0, 11, 11.5, fill=ALARM)))
    return stacked(parts, 18)


def chart_panel(certificate: Certificate, key: Key) -> Fragment | None:
    """The Gantt chart, if there is a schedule."""
    if isinstance(certificate, Run) or certificate.schedule is not None:
        return gantt(certificate, key)
    return None
