"""A counterexample as a picture: its graph or platform, its other fields, and what is violated."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from html import escape
from typing import Any

from exactsched.campaign.counterexample import Counterexample, read_counterexample
from exactsched.certificate.codec import read
from exactsched.certificate.collectives import Certificate, CutBound, DistanceBound, Series
from exactsched.drawing.canvas import INK, SOFT_INK, Fragment, in_rows, lettered, stacked
from exactsched.drawing.key import key_of, notes
from exactsched.drawing.lettering import clipped, printable, text_width
from exactsched.drawing.masthead import masthead, rule
from exactsched.drawing.numbered_graph import is_numbered_graph, numbered_graph
from exactsched.drawing.page import figure, page
from exactsched.drawing.platform_graph import platform_graph
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.model.problem import Broadcast, Collective
from exactsched.theorems.claim import SIZES

_MARGIN = 28
_GAP = 44
_WIDTH = 760
_SIZE = 11.5
_LINE = 17
_MOST_LINES = 24
# Members of a problem that its graph shows.
_SHOWN = ("platform", "collective")
PROVISO = "\u201cexactsched verify --replay FILE\u201d checks the claim on this instance again."


def drawn_as(extension: str, document: dict[str, Any]) -> str:
    """The document of a counterexample as ``.svg`` or ``.html``."""
    found = read_counterexample(document)
    if extension == ".svg":
        return counterexample_svg(found)
    if extension == ".html":
        return counterexample_html(found)
    raise InvalidInput("picture", extension, "a counterexample is drawn as .svg or .html")


def counterexample_svg(found: Counterexample) -> str:
    """The SVG document: what fails, the instance as a graph (if it has one), fields and facts.

    >>> text = dict.fromkeys(("statement", "reference", "library", "package"), "")
    >>> one = {"claim": "a.b", "size": "small", "reason": "too large", "failure": "refuted"}
    >>> rest = {"seed": 0, "number": 7, "facts": {"rate": "1/3"}, "instance": {"limit": 5}}
    >>> head = {"format": "exactsched", "kind": "counterexample", "version": 1}
    >>> drawn = counterexample_svg(read_counterexample(head | text | one | rest))
    >>> "too large" in drawn, "limit" in drawn, "1/3" in drawn
    (True, True, True)
    """
    title, result = _headline(found)
    figures = in_rows([graph for _, graph in _graphs(found)], 1600, _GAP)
    tables = [_table(name, rows) for name, rows in _tables(found)]
    width = max(_WIDTH, figures.width)
    parts = [masthead(title, result, width), rule(width)]
    if figures.body:
        parts += [figures, rule(width)]
    words = [printable(found.statement, 2000), _origin(found), PROVISO]
    parts += [*tables, rule(width), notes([line for line in words if line], width)]
    return stacked(parts, 18).document(f"{title}. {result}", _MARGIN)


def counterexample_html(found: Counterexample) -> str:
    """The same as a page; fields and facts are written out."""
    title, result = _headline(found)
    parts = [f"<h1>{escape(title)}</h1>", f'<p class="result">{escape(result)}</p>']
    parts.append(f"<p>{escape(printable(found.statement, 10_000))}</p>")
    parts += [figure(graph.document(name, 20)) for name, graph in _graphs(found)]
    for name, rows in _tables(found):
        lines = "".join(
            f'<tr><td class="n">{escape(printable(field))}</td>'
            f"<td>{escape(printable(value, 100_000))}</td></tr>"
            for field, value in rows
        )
        parts.append(f'<h2>{name}</h2><div class="scroll"><table>{lines}</table></div>')
    parts.append(f'<p class="soft">{escape(_origin(found))} {escape(PROVISO)}</p>')
    return page(title, parts)


def _headline(found: Counterexample) -> tuple[str, str]:
    title = f"{printable(found.claim)}: a counterexample"
    if found.failure != "refuted":
        title = f"{printable(found.claim)}: the check {_WORDS[found.failure]}"
    return title, printable(found.reason, 400)


_WORDS = {
    "raised": "raised an exception",
    "unmade": "got no instance",
    "died": "killed its process",
    "hung": "did not come to an end",
}


def _origin(found: Counterexample) -> str:
    package = f"exactsched {printable(found.package)}"
    if found.size not in SIZES:
        return f"Number {found.number} of the {printable(found.size)}, {package}."
    where = f"{found.size} instance {found.number} of seed {found.seed}"
    return f"Made smaller from {where}, {package}."


def _graphs(found: Counterexample) -> list[tuple[str, Fragment]]:
    """The instance itself, or those of its fields that have a graph."""
    bipartite = "bipartite" in found.statement.lower()
    fields: Mapping[str, Any] = {"instance": found.instance}
    if not _has_graph(found.instance):
        fields = {name: value for name, value in found.instance.items() if _has_graph(value)}
    drawn = []
    for name, value in fields.items():
        problem = _problem(value)
        if problem is not None:
            drawn.append((name, _platform(problem)))
        elif is_numbered_graph(value):
            drawn.append((name, numbered_graph(value, bipartite)))
    return drawn


def _has_graph(value: object) -> bool:
    return is_numbered_graph(value) or _problem(value) is not None


def _problem(value: object) -> Collective | None:
    """The problem of a document, if it is one."""
    if not isinstance(value, dict) or "platform" not in value:
        return None
    try:
        problem: Collective = read(Collective, value, "instance")
        return problem
    except Malformed:  # an instance of another kind: its fields are shown
        return None


def _platform(problem: Collective) -> Fragment:
    """The platform as pictures of certificates show it: one that claims nothing yet."""
    nothing = Fraction(0)
    # A bound whose price is not 0 does not say that a node is out of reach.
    certificate: Certificate
    if isinstance(problem, Broadcast):
        leaf = CutBound({"": Fraction(1)}, (), ())
        certificate = Series(problem, nothing, nothing, False, None, leaf)
    else:
        routes = DistanceBound({"": Fraction(1)}, ())
        certificate = Series(problem, nothing, nothing, False, None, routes)
    return platform_graph(certificate, key_of(certificate))


def _tables(found: Counterexample) -> list[tuple[str, list[tuple[str, str]]]]:
    fields = {name: value for name, value in found.instance.items() if name not in _SHOWN}
    tables = [("Instance", fields), ("Facts", found.facts if isinstance(found.facts, dict) else {})]
    return [
        (title, [(name, _written(value)) for name, value in table.items()])
        for title, table in tables
        if table
    ]


def _written(value: object) -> str:
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)


def _table(title: str, rows: list[tuple[str, str]]) -> Fragment:
    """Names in a column, values beside them, broken where the width ends."""
    names = [clipped(printable(name), 200, _SIZE) for name, _ in rows]
    left = max(text_width(name, _SIZE) for name in names) + 18
    body = [lettered(title, 0, 13, 13, bold=True)]
    y = 20.0
    for name, (_, value) in zip(names, rows, strict=True):
        body.append(lettered(name, 0, y + 12, _SIZE, fill=SOFT_INK))
        for line in _broken(printable(value, 20_000), _WIDTH - left):
            body.append(lettered(line, left, y + 12, _SIZE, fill=INK))
            y += _LINE
    return Fragment(_WIDTH, y, "".join(body))


def _broken(shown: str, width: float) -> list[str]:
    """Lines of at most this width, the last one with an ellipsis if there would be too many."""
    lines = [""]
    for word in shown.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and text_width(longer, _SIZE) > width:
            lines.append(word)
        else:
            lines[-1] = longer
        if len(lines) > _MOST_LINES:
            lines[-2] += " \u2026"
            del lines[-1]
            break
    return [clipped(line, width, _SIZE) for line in lines]
