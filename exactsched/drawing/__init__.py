"""Pictures of certificates: SVG, a page of HTML, a trace for Perfetto; plots of several.

Everything is drawn from a certificate alone, without any solver, and nothing is checked: the
numbers are those that the certificate claims.  Check it first (`exactsched.check`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from exactsched.certificate import parse, parse_schedule, read_certificate
from exactsched.certificate.collectives import Certificate
from exactsched.certificate.logp import LogPCertificate, LogPRounds, LogPSchedule
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.logp_picture import logp_html, logp_svg
from exactsched.drawing.logp_trace import logp_trace
from exactsched.drawing.logp_wording import LogPDrawn
from exactsched.drawing.overlay_picture import overlay_html, overlay_svg
from exactsched.drawing.page import html_document
from exactsched.drawing.perfetto import trace_document
from exactsched.drawing.picture import svg_document
from exactsched.drawing.ratios import ratio_plot
from exactsched.drawing.rounds_comparison import activity_comparison
from exactsched.drawing.rounds_picture import rounds_html, rounds_svg
from exactsched.drawing.rounds_trace import rounds_trace
from exactsched.drawing.timeline import refuse_hanging
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput
from exactsched.simulation.logp_messages import listed

__all__ = ["active_edges", "draw", "html", "ratio_plot", "svg", "trace"]

Drawable = (
    Mapping[str, Any]
    | Certificate
    | LogPCertificate
    | Overlay
    | SynchronousRun
    | str
    | os.PathLike[str]
)

# Kinds of certificates that are no schedules on platforms with costs.
_OTHERS = ("logp-schedule", "logp-cycles", "logp-rounds", "logp-buffered", "overlay", "rounds")


def svg(certificate: Drawable) -> str:
    """The picture of a certificate: the platform with its trees beside the Gantt chart.

    The strands on an arc are as wide as the share of their trees in all messages; arcs that are
    not used are gray.  The chart shows one period (or the whole run), a row for each port that
    works.  Large certificates are drawn in part, which is stated below them: the result never
    exceeds a few megabytes.

    A schedule on a LogP machine is drawn as the tree of its broadcast or summation, with times, and
    what every processor does when; so are rounds, message by message; role cycles as their words
    and a table of receptions.  An overlay is drawn as a graph of strands as wide as their rates,
    beside the message as every node receives it.  A run in steps is drawn as curves of what is
    under way and of what is lacking, and as small pictures of some of its steps.

    Raises `Malformed` for what is not a certificate, `InvalidInput` for rounds of more messages
    than can be listed.

    >>> from exactsched.steady_state.broadcast import broadcast
    >>> from exactsched.platforms.built_in import built_in
    >>> drawn = svg(broadcast(built_in("legrand-fig1"), "Ps").certificate())
    >>> drawn.startswith("<svg"), "One period: 2 time units" in drawn
    (True, True)
    """
    noun = _noun(certificate)
    if isinstance(noun, Overlay):
        return overlay_svg(noun)
    if isinstance(noun, SynchronousRun):
        return rounds_svg(noun)
    return logp_svg(noun) if isinstance(noun, LogPDrawn) else svg_document(noun)


def html(certificate: Drawable) -> str:
    """A self-contained page: the picture, the trees, the steps, and the bound in words.

    Runs in steps can be played there, by a script that is part of the page; all other pages have
    none.  Raises `Malformed` for what is not a certificate.
    """
    noun = _noun(certificate)
    if isinstance(noun, Overlay):
        return overlay_html(noun)
    if isinstance(noun, SynchronousRun):
        return rounds_html(noun)
    return logp_html(noun) if isinstance(noun, LogPDrawn) else html_document(noun)


def trace(certificate: Drawable) -> dict[str, Any]:
    """The schedule as trace events (JSON) for Perfetto and Chrome, from its cold start on.

    Node by node and port by port, a slice for each transfer at either end, joined by an arrow;
    exact times are in the arguments.  See `exactsched.drawing.perfetto`.  Raises `Malformed` for
    what is not a certificate, `InvalidInput` for role cycles and for overlays: a trace is of a
    schedule.
    """
    noun = _noun(certificate)
    if isinstance(noun, LogPSchedule):
        return logp_trace(noun)
    if isinstance(noun, SynchronousRun):
        return rounds_trace(noun)
    if isinstance(noun, Overlay):
        rule = "an overlay has rates and no times: it is drawn as .svg or .html"
        raise InvalidInput("trace", "an overlay", rule)
    if isinstance(noun, LogPDrawn):
        raise InvalidInput("trace", "role cycles", "role cycles are drawn as .svg or .html")
    return trace_document(noun)


def active_edges(runs: Mapping[str, Drawable]) -> str:
    """The SVG document of runs in steps laid over each other: transfers under way, and means.

    For each label a certificate of the kind ``steps`` (a document, a noun, or a path), all on
    graphs of one size, so that as many transfers fit into a step.  Raises `Malformed` for what is
    not a certificate, `InvalidInput` for another kind or size, and for no or too many runs.

    >>> from exactsched.synchronous.baselines import grid_tree, tree_broadcast
    >>> from exactsched.synchronous.graph import synchronous_graph
    >>> from exactsched.synchronous.saturation import broadcast_in_rounds
    >>> from exactsched.platforms.built_in import grid
    >>> graph = synchronous_graph(grid(2, 3), 0)
    >>> tree = tree_broadcast(graph, 9, grid_tree(2, 3))
    >>> drawn = active_edges({"ours": broadcast_in_rounds(graph, 9), "tree": tree})
    >>> "6 nodes, half-duplex" in drawn, drawn.count(">tree<")
    (True, 1)
    """
    nouns: dict[str, SynchronousRun] = {}
    for label, run in runs.items():
        noun = _noun(run)
        if not isinstance(noun, SynchronousRun):
            raise InvalidInput(f"runs[{label!r}]", type(noun).__name__, "a run in steps is needed")
        nouns[label] = noun
    return activity_comparison(nouns)


def draw(certificate: Drawable, path: str | os.PathLike[str]) -> None:
    """Writes a certificate (a document, a noun, or a path) as ``.svg``, ``.html`` or ``.json``.

    The extension decides: a picture, a page, or a trace for Perfetto; counterexamples of campaigns
    (`exactsched.campaign`) have no trace.  A reader finds the old file
    or the new one, never a part.  Raises `InvalidInput` for another extension, before anything is
    read; `Malformed` for what is not a certificate; and `OSError`.
    """
    form = _FORMS.get(Path(path).suffix.lower())
    if form is None:
        raise InvalidInput("picture", os.fspath(path), "write a .svg, .html or .json file")
    if isinstance(certificate, (str, os.PathLike)):
        certificate = read_certificate(certificate)
    if isinstance(certificate, Mapping) and certificate.get("kind") == "counterexample":
        from exactsched.drawing.counterexample_picture import drawn_as

        write_whole(path, drawn_as(Path(path).suffix.lower(), dict(certificate)))
        return
    write_whole(path, form(certificate))


def _trace_text(certificate: Drawable) -> str:
    return json.dumps(trace(certificate), separators=(",", ":")) + "\n"


_FORMS: dict[str, Callable[[Drawable], str]] = {".svg": svg, ".html": html, ".json": _trace_text}


def _noun(certificate: Drawable) -> Certificate | LogPDrawn | Overlay | SynchronousRun:
    if isinstance(certificate, (Certificate, LogPCertificate, Overlay, SynchronousRun)):
        noun: Certificate | LogPCertificate | Overlay | SynchronousRun = certificate
    elif isinstance(certificate, (str, os.PathLike)):
        noun = _parsed(read_certificate(certificate))
    else:
        noun = _parsed(certificate)
    if isinstance(noun, LogPRounds):
        return listed(noun)
    if isinstance(noun, Certificate):
        refuse_hanging(noun)
    return noun


def _parsed(document: object) -> Certificate | LogPCertificate | Overlay | SynchronousRun:
    if isinstance(document, Mapping) and document.get("kind") in _OTHERS:
        stated = parse(document)
        assert isinstance(stated, (LogPCertificate, Overlay, SynchronousRun))
        return stated
    return parse_schedule(document)
