"""The whole picture of a certificate: headline, platform with trees, key, Gantt chart."""

from __future__ import annotations

from exactsched.certificate import BroadcastCertificate, RunCertificate
from exactsched.drawing.canvas import (
    ALARM,
    RULE,
    SOFT_INK,
    Fragment,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.gantt import gantt
from exactsched.drawing.key import Key, key_of, legend, notes
from exactsched.drawing.lettering import clipped, counted, listed, printable, short
from exactsched.drawing.platform_graph import isolated, platform_graph

_MARGIN = 28
_GAP = 44
_PROVISO = (
    "Numbers as stated in the certificate; \u201cexactsched check\u201d proves them or refuses."
)


def svg_document(certificate: BroadcastCertificate) -> str:
    """The SVG document of a certificate."""
    key = key_of(certificate)
    left = graph_panel(certificate, key)
    right = chart_panel(certificate, key)
    width = left.width + (_GAP + right.width if right else 0)
    title, result = headline(certificate)
    head_width = max(width, 560)
    head = Fragment(
        head_width,
        52,
        lettered(clipped(title, head_width, 19), 0, 18, 19, bold=True)
        + lettered(clipped(result, head_width, 13.5), 0, 42, 13.5, fill=SOFT_INK),
    )
    height = max(left.height, right.height if right else 0)
    body = left.at(0, 0)
    if right:
        body += right.at(left.width + _GAP, 0)
    rule = tag("line", x1=0, y1=0.5, x2=head_width, y2=0.5, stroke=RULE)
    whole = stacked(
        [
            head,
            Fragment(head_width, 1, rule),
            Fragment(width, height, body),
            notes([_PROVISO], head_width),
        ],
        20,
    )
    return whole.document(f"{title}. {result}", _MARGIN)


def graph_panel(certificate: BroadcastCertificate, key: Key) -> Fragment:
    """The platform with its trees, and the key below it."""
    graph = platform_graph(certificate, key)
    width = max(graph.width, 380)
    centered = Fragment(width, graph.height, graph.at((width - graph.width) / 2, 0))
    parts = [centered]
    if key.entries:
        parts.append(legend(key, width))
    if isolated(certificate):
        text = "The nodes on red ground cannot be reached: no arc enters their set."
        parts.append(Fragment(width, 14, lettered(text, 0, 11, 11.5, fill=ALARM)))
    return stacked(parts, 18)


def chart_panel(certificate: BroadcastCertificate, key: Key) -> Fragment | None:
    """The Gantt chart, if there is a schedule."""
    if isinstance(certificate, RunCertificate) or certificate.schedule is not None:
        return gantt(certificate, key)
    return None


def headline(certificate: BroadcastCertificate) -> tuple[str, str]:
    """What was asked, and what is claimed, each on a line."""
    problem = certificate.problem
    platform = problem.platform
    size = f"{counted(len(platform.nodes), 'node')}, {counted(len(platform.arcs), 'arc')}"
    only = "" if problem.restrict == "none" else f", a single {problem.restrict} only"
    if problem.restrict == "dag":
        only = ", acyclic only"
    title = f"Broadcast from {printable(problem.source, 30)}: {size}, {problem.ports}{only}"
    if isinstance(certificate, RunCertificate):
        what = f"{counted(len(certificate.packets), 'packet')} in {short(certificate.makespan, 30)}"
        bound = short(certificate.bound_value, 30)
        agree = "optimal" if certificate.optimal else f"no schedule takes less than {bound}"
        return title, f"{what} time units \u2014 {agree}"
    cut = isolated(certificate)
    if cut:
        return title, f"Throughput 0: no arc enters {listed(cut, 6)}"
    reached, bound = short(certificate.throughput, 30), short(certificate.bound_value, 30)
    if certificate.optimal:
        return title, f"Throughput {reached} per time unit \u2014 optimal: the bound is the same"
    return title, f"Throughput {reached} per time unit \u2014 no schedule reaches more than {bound}"
