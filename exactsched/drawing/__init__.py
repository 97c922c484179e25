"""Pictures of certificates: SVG, PDF, PNG, a page of HTML, a trace for Perfetto; several in one.

Everything is drawn from a certificate alone, without any solver, and nothing is checked: the
numbers are those that the certificate claims.  Check it first (`exactsched.check`).

The packages of the families (`series`, `logp`, `overlay`, `rounds`) make scenes (`scene`) of
certificates, with the sentences of `words`; three `renderers` (SVG, HTML, traces) draw any
scene, with the places that `layout` finds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactsched.certificate import parse, parse_schedule
from exactsched.certificate.collectives import Certificate, Run, Series
from exactsched.certificate.compact_series import CompactSeries
from exactsched.certificate.given import record_or_document
from exactsched.certificate.graphs import GraphCertificate
from exactsched.certificate.kinds import KINDS, is_record, kind_of
from exactsched.certificate.linear_programs import LinearOutcome
from exactsched.certificate.logp import LogPBuffered, LogPCycles, LogPRounds, LogPSchedule
from exactsched.certificate.logp_messages import listed
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.advice import advice_scene
from exactsched.drawing.counterexample import counterexample_scene
from exactsched.drawing.logp.scenes import logp_scene, logp_trace
from exactsched.drawing.min_max import min_max_scene
from exactsched.drawing.notebook import Picture
from exactsched.drawing.others import scene_of_other
from exactsched.drawing.overlay.scenes import overlay_scene
from exactsched.drawing.panels import on_paper, panel_names, panel_of
from exactsched.drawing.paper import Paper, paper
from exactsched.drawing.printing import PRINTED, able_to_write, write_picture
from exactsched.drawing.ratios import ratio_scene
from exactsched.drawing.renderers.html import scene_html
from exactsched.drawing.renderers.svg import panel_svg, scene_svg
from exactsched.drawing.renderers.trace import trace_document
from exactsched.drawing.rounds.curves import comparison_scene
from exactsched.drawing.rounds.scenes import rounds_scene, rounds_trace
from exactsched.drawing.scene import Scene, Trace
from exactsched.drawing.series.graph import platform_scene
from exactsched.drawing.series.scenes import series_scene, series_trace
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput
from exactsched.model.platform import Platform

__all__ = ["active_edges", "advice_chart", "draw", "html", "panels", "ratio_plot", "svg", "trace"]

_Record = (
    Certificate
    | CompactSeries
    | LogPSchedule
    | LogPCycles
    | LogPBuffered
    | Overlay
    | SynchronousRun
    | GraphCertificate
    | LinearOutcome
)
# A path, a document, any result, or a platform.
Drawable = object


def svg(
    certificate: Drawable,
    *,
    panel: str | None = None,
    width: str | None = None,
    font_size: str | None = None,
) -> str:
    """The picture of a certificate as an SVG document.

    A series or a run is drawn as the platform with its trees beside a Gantt chart: the strands on
    an arc are as wide as the share of their trees in all messages, and the chart has a row for each
    port that works.  A schedule on a LogP machine is drawn as the tree of its broadcast or
    summation, with times, and what every processor does when; so are rounds, message by message;
    role cycles as their words and a table of receptions.  An overlay is drawn as a graph of strands
    as wide as their rates, beside the message as every node receives it.  A run in rounds is drawn
    as curves of what is under way and of what is lacking, and as small pictures of some steps.
    A platform alone is drawn as its graph, its switches shaded, what they can do below their names.
    Certificates do not tell switches, so they stand out like this only in solutions and runs that
    are objects; of a document the nodes are shaded that forward only.
    Both sides of a min-max theorem are drawn as its graph, with what uses its links and the set
    that shows why nothing is better, or as two vectors of a linear program.

    Large certificates are drawn in part, which is stated below them: the result never exceeds a few
    megabytes.

    A `panel` is drawn alone, without title: ``graph``, ``gantt``, ``trees``, ``why``, and what else
    there is; `panels` lists them.  `width` is that of a column (``"84mm"``, ``"240pt"``,
    ``"640px"``): everything is laid out for it, and letters keep the size `font_size`
    (``"8pt"``; 11px if none is given).  On a dark screen the picture is dark, in print it is light.

    Raises `Malformed` for what is not a certificate, `InvalidInput` for rounds of more messages
    than can be listed, for a panel that there is not, and for a width or a font size that is none.

    >>> from exactsched.steady_state.broadcast import broadcast
    >>> from exactsched.platforms.built_in import built_in
    >>> drawn = svg(broadcast(built_in("legrand-fig1"), "Ps").certificate())
    >>> drawn.startswith("<svg"), "One period: 2 time units" in drawn
    (True, True)
    """
    return _drawn(_scene(certificate), panel, paper(width, font_size))


def _drawn(scene: Scene, panel: str | None, sheet: Paper) -> str:
    return scene_svg(scene, sheet) if panel is None else panel_svg(panel_of(scene, panel), sheet)


def panels(certificate: Drawable) -> tuple[str, ...]:
    """The names of the panels of a picture, which `draw` draws alone.

    >>> from exactsched.steady_state.broadcast import broadcast
    >>> from exactsched.platforms.built_in import built_in
    >>> panels(broadcast(built_in("legrand-fig1"), "Ps"))
    ('graph', 'gantt', 'trees', 'structures', 'steps', 'why')
    """
    return panel_names(_scene(certificate))


def html(certificate: Drawable) -> str:
    """A self-contained page: the picture, the trees, the steps, and the bound in words.

    Runs in rounds can be played there, by a script that is part of the page; all other pages have
    none.  Raises `Malformed` for what is not a certificate.
    """
    return scene_html(_scene(certificate))


def trace(certificate: Drawable) -> dict[str, Any]:
    """The schedule as trace events (JSON) for Perfetto and Chrome, from its cold start on.

    Node by node and port by port, a slice for each transfer at either end, joined by an arrow;
    exact times are in the arguments (`exactsched.drawing.renderers.trace`).  Raises `Malformed` for
    what is not a certificate, `InvalidInput` for role cycles and for overlays: a trace is of a
    schedule.
    """
    return trace_document(_trace(certificate))


def active_edges(
    runs: Mapping[str, Drawable], *, width: str | None = None, font_size: str | None = None
) -> str:
    """The SVG document of runs in rounds laid over each other: transfers under way, and means.

    For each label a certificate of the kind ``rounds`` (a document, a record, or a path), all on
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
    sheet = paper(width, font_size)
    found: dict[str, SynchronousRun] = {}
    for label, run in runs.items():
        record = _record(run)
        if not isinstance(record, SynchronousRun):
            rule = "a run in rounds is needed"
            raise InvalidInput(f"runs[{label!r}]", type(record).__name__, rule)
        found[label] = record
    return scene_svg(comparison_scene(found), sheet)


def ratio_plot(
    rows: Sequence[tuple[int | Fraction, Fraction]],
    *,
    panel: str | None = None,
    width: str | None = None,
    font_size: str | None = None,
) -> str:
    """The SVG document with a point for every (size, ratio), sizes on a logarithmic axis.

    Meant for the makespan of M packets divided by its lower bound, which tends to 1.  Width and
    font size are those of `svg`; the panel ``curve`` has no title.  Raises
    `InvalidInput` if there is no row, a size is not positive, or a ratio is below 1.

    >>> ratio_plot([(1, Fraction(3)), (10, Fraction(6, 5))]).count("<circle")
    2
    """
    return _drawn(ratio_scene(rows), panel, paper(width, font_size))


def advice_chart(
    asked: str,
    throughput: Fraction,
    rows: Sequence[tuple[str, Fraction, Fraction]],
    *,
    panel: str | None = None,
    width: str | None = None,
    font_size: str | None = None,
) -> str:
    """The SVG document with a bar for every (name, throughput without it, with one more of it).

    `asked` is what the throughput is of.  Of many rows the first ones are drawn.  Width and font
    size are those of `svg`; the panel ``bars`` has no title.  Raises `InvalidInput` if there is no
    row, and for numbers that are out of order.

    >>> drawn = advice_chart("a broadcast", Fraction(2), [("a->b", Fraction(0), Fraction(5, 2))])
    >>> "lost if it fails" in drawn, "now 2" in drawn
    (True, True)
    """
    return _drawn(advice_scene(asked, throughput, rows), panel, paper(width, font_size))


def draw(
    certificate: Drawable,
    path: str | os.PathLike[str] | None = None,
    *,
    panel: str | None = None,
    width: str | None = None,
    font_size: str | None = None,
    title: str | None = None,
) -> Picture | None:
    """Writes a result (a document, a record, a solution, a path) as .svg, .pdf, .png, .html, .json.

    Platforms are drawn as well, what `advise` returns, and what `ratio_curve` returns.

    The extension decides: a picture, a page, or a trace for Perfetto; counterexamples of campaigns
    have no trace, nor has a platform.  Without a path nothing is
    written, and the picture is returned: the text of its SVG document, which a notebook shows.  A
    reader finds the old file or the new one, never a part.

    `title` is the headline, in the place of one that tells what is asked, on which platform if that
    has a name, and of which size.  Pictures may have a single `panel`, the `width` of a column, and
    a `font_size`: see `svg`.  PDF and PNG (300 dots per inch) need cairosvg, ``pip install
    'exactsched[pictures]'``, or the program rsvg-convert.

    Raises `InvalidInput` for another extension and for a path that stands first, before anything is
    read, and for a page or a trace with a panel or a width; `Malformed` for what is not a
    certificate; and `OSError`.

    Polynomial in the size of the document. Reference: proofs/tour.md.

    >>> from exactsched import Platform
    >>> draw(Platform("ab", [("a", "b", 1)]))[:4]
    '<svg'
    """
    if path is None:
        scene = _titled(_scene(certificate), title, panel)
        return Picture(_drawn(scene, panel, paper(width, font_size)))
    if not isinstance(path, (str, os.PathLike)):
        rule = "a path; type draw(result, path), such as draw(solution, 'x.svg')"
        raise InvalidInput("path", path, rule)
    able_to_write(path, tuple(_WHOLE))
    ending = Path(path).suffix.lower()
    if ending in _WHOLE:
        looks = {"panel": panel, "width": width, "font_size": font_size, "title": title}
        for name, given in looks.items():
            if given is not None:
                rule = "goes with pictures only: write a .svg, .pdf or .png file"
                raise InvalidInput(name, given, rule)
        write_whole(path, _WHOLE[ending](certificate))
        return None
    sheet = paper(width, font_size)
    scene = _titled(_scene(certificate), title, panel)
    if ending in PRINTED:
        scene = on_paper(scene)
    write_picture(path, _drawn(scene, panel, sheet))
    return None


def _titled(scene: Scene, title: str | None, panel: str | None) -> Scene:
    """With another headline; a panel alone has none."""
    if title is None:
        return scene
    if panel is not None:
        raise InvalidInput("title", title, "a panel alone has no title")
    return replace(scene, title=title)


def _trace_text(certificate: Drawable) -> str:
    return json.dumps(trace(certificate), separators=(",", ":")) + "\n"


_WHOLE = {".html": html, ".json": _trace_text}


def _scene(certificate: Drawable) -> Scene:
    if isinstance(certificate, Platform):
        return platform_scene(certificate)
    if (scene := scene_of_other(certificate)) is not None:
        return scene
    document: Any = record_or_document(certificate)
    if _is_counterexample(document):
        return counterexample_scene(document)
    match record := _record(document):
        case Overlay():
            return overlay_scene(record)
        case SynchronousRun():
            return rounds_scene(record)
        case Series() | Run():
            return series_scene(record)
        case CompactSeries():
            if record.long:
                return replace(platform_scene(record.problem.platform), title=str(record))
            return series_scene(record.written_out())
        case LogPSchedule() | LogPCycles() | LogPBuffered():
            return logp_scene(record)
        case _:
            return min_max_scene(record, getattr(certificate, "names", ()))


def _trace(certificate: Drawable) -> Trace:
    if isinstance(certificate, Platform):
        raise InvalidInput("trace", "a platform", "a platform is drawn as .svg or .html")
    if scene_of_other(certificate) is not None:
        rule = "bars and curves are drawn as .svg or .html"
        raise InvalidInput("trace", type(certificate).__name__, rule)
    document: Any = record_or_document(certificate)
    if _is_counterexample(document):
        rule = "a counterexample is drawn as .svg or .html"
        raise InvalidInput("trace", "a counterexample", rule)
    match record := _record(document):
        case LogPSchedule():
            return logp_trace(record)
        case SynchronousRun():
            return rounds_trace(record)
        case Series() | Run():
            return series_trace(record)
        case CompactSeries():
            return series_trace(record.written_out())
        case Overlay():
            rule = "an overlay has rates and no times: it is drawn as .svg or .html"
            raise InvalidInput("trace", "an overlay", rule)
        case LogPCycles() | LogPBuffered():
            raise InvalidInput("trace", "role cycles", "role cycles are drawn as .svg or .html")
        case _:
            rule = "a theorem has no times: it is drawn as .svg or .html"
            raise InvalidInput("trace", kind_of(type(record)), rule)


def _is_counterexample(document: object) -> bool:
    return isinstance(document, Mapping) and document.get("kind") == "counterexample"


def _record(certificate: Drawable) -> _Record:
    """The record that is drawn; rounds of a LogP machine are drawn message by message."""
    given: Any = record_or_document(certificate)
    if not is_record(given):
        kind = given.get("kind") if isinstance(given, Mapping) else None
        given = parse(given) if kind in KINDS else parse_schedule(given)
    record: _Record = listed(given) if isinstance(given, LogPRounds) else given
    return record
