"""A certificate as one HTML page: pictures, tables, and the bound explained in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from exactsched.certificate.collectives import Certificate, Run
from exactsched.drawing.bound_words import bound_in_words
from exactsched.drawing.key import key_of
from exactsched.drawing.picture import chart_panel, graph_panel
from exactsched.drawing.tables import row_table, step_table, structure_table
from exactsched.drawing.tree_picture import tree_panels
from exactsched.drawing.wording import headline, structure_noun

_MOST_TREES = 12

_STYLE = """
:root{--ink:#1d2733;--soft:#5b6775;--rule:#d5dbe3;--paper:#fff;--ground:#f6f7f9;--accent:#0072b2}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a3afbf;--rule:#3a4553;--paper:#1b222c;
--ground:#12171e;--accent:#56b4e9}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.6 Inter,"Helvetica Neue",
Helvetica,Arial,sans-serif}
main{max-width:72rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem}
p{max-width:44rem;margin:.5rem 0;overflow-wrap:anywhere}
.result{font-size:1.15rem;color:var(--accent);font-weight:600}
.soft{color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto;border:1px solid var(--rule);border-radius:8px}
figure{margin:1rem 0;background:#fff}
figure svg{display:block;margin:0 auto}
table{border-collapse:collapse;width:100%;background:var(--paper);font-size:.9rem;
font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.45rem .8rem;border-bottom:1px solid var(--rule)}
th{font-weight:600;color:var(--soft);white-space:nowrap}
tr:last-child td{border-bottom:0}
td.n{white-space:nowrap}
.swatch{display:inline-block;width:.9em;height:.9em;border-radius:3px;margin-right:.55em;
vertical-align:-.1em}
code{font:0.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--rule);
padding:.1em .35em;border-radius:4px}
"""

HOW_TO_CHECK = (
    "<h2>How to check it</h2>",
    "<p>This page repeats what the certificate states. The certificate carries its own proof,"
    " which a program without any solver reads: <code>exactsched check FILE</code>.</p>",
)


def html_document(certificate: Certificate) -> str:
    """The page of a certificate; see `page`."""
    key = key_of(certificate)
    title, result = headline(certificate)
    chart = chart_panel(certificate, key)
    parts = [f"<h1>{escape(title)}</h1>", f'<p class="result">{escape(result)}</p>']
    noun = f"{structure_noun(certificate.problem)}s"
    parts.append(figure(graph_panel(certificate, key).document(f"Platform and {noun}", 20)))
    if chart:
        parts.append(figure(chart.document("Gantt chart", 20)))
    trees, left_out = tree_panels(certificate, key, _MOST_TREES)
    if trees:
        parts.append(f"<h2>Reduction {noun}</h2>")
        parts += [figure(tree.document(f"Reduction {noun[:-1]}", 20)) for tree in trees]
        parts += [f'<p class="soft">{escape(line)}</p>' for line in left_out]
    if isinstance(certificate, Run):
        parts += row_table(certificate)
    elif certificate.schedule:
        parts += structure_table(certificate, key) + step_table(certificate)
    bound = [f"<p>{escape(line)}</p>" for line in bound_in_words(certificate)]
    parts += ["<h2>Why nothing is better</h2>", *bound]
    return page(title, [*parts, *HOW_TO_CHECK])


def page(title: str, parts: Sequence[str]) -> str:
    """A document of these elements: nothing is loaded from elsewhere, and no script is added."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
    )


def figure(svg: str) -> str:
    """A picture that can be scrolled if it is too wide."""
    return f'<figure class="scroll">{svg}</figure>'
