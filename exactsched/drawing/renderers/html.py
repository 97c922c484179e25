"""Scenes as pages of HTML that load nothing."""

from __future__ import annotations

from html import escape

from exactsched.drawing.lettering import and_more
from exactsched.drawing.palette import KNOWN, dark_rules
from exactsched.drawing.renderers.motion import motion_markup
from exactsched.drawing.renderers.svg import figure_fragment
from exactsched.drawing.scene import Motion, Panels, Scene, Table, Words

_STYLE = """
:root{--ink:#1d2733;--soft:#5b6775;--rule:#d5dbe3;--paper:#fff;--ground:#f6f7f9;--accent:#0072b2}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#a3afbf;--rule:#3a4553;--paper:#161b22;
--ground:#0f1318;--accent:#56b4e9}}
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
figure{margin:1rem 0;background:var(--paper)}
figure svg{display:block;margin:0 auto}
.row{display:flex;flex-wrap:wrap;gap:1rem;margin:1rem 0}
.row figure{margin:0;max-width:100%}
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
summary{cursor:pointer;color:var(--accent);padding:.6rem .8rem}
details table{border-top:1px solid var(--rule)}
button{font:inherit;font-size:.9rem;color:var(--ink);background:var(--paper);min-width:2.75rem;
padding:.35rem .9rem;border:1px solid var(--rule);border-radius:6px;cursor:pointer}
button:hover{border-color:var(--accent);color:var(--accent)}
button:focus-visible,input:focus-visible,summary:focus-visible{outline:2px solid var(--accent);
outline-offset:2px}
.play{min-width:4.5rem;color:#fff;background:#0072b2;border-color:#0072b2}
.play:hover{color:#fff;background:#005a8c}
.controls{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem}
.controls input{flex:1 1 12rem;max-width:34rem;accent-color:var(--accent)}
@media(max-width:40rem){main{padding:1.25rem .75rem 3rem}h1{font-size:1.3rem}
h2{margin:1.75rem 0 .5rem}.result{font-size:1rem}th,td{padding:.35rem .5rem}
td.n,th{white-space:normal}td{overflow-wrap:anywhere;min-width:3.5rem}}
"""
_ROWS_UP_TO = 16
# More figures than these stand side by side.
_FEW = 3


def scene_html(scene: Scene) -> str:
    """One self-contained page; it has a script only if something moves in it."""
    parts = [f"<h1>{escape(scene.title)}</h1>", f'<p class="result">{escape(scene.result)}</p>']
    for part in scene.parts:
        match part:
            case Panels():
                parts += _heading(part.heading)
                drawn = [figure(figure_fragment(one).element(one.name, 20)) for one in part.figures]
                several = len(drawn) > _FEW
                parts += [f'<div class="row">{"".join(drawn)}</div>'] if several else drawn
                parts += [_soft(note) for note in part.notes]
            case Words() if part.where != "picture":
                parts += _heading(part.heading)
                parts += [f"<p>{escape(paragraph)}</p>" for paragraph in part.paragraphs]
            case Table() if part.where != "picture":
                parts += _table(part)
            case Motion():
                parts += motion_markup(part)
            case _:
                pass
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(scene.title)}</title><style>{_STYLE}{dark_rules(KNOWN, 'svg')}</style>"
        "</head>\n<body><main>\n" + "\n".join(parts) + "\n</main></body></html>\n"
    )


def figure(svg: str) -> str:
    """A picture that can be scrolled if it is too wide."""
    return f'<figure class="scroll">{svg}</figure>'


def _heading(shown: str) -> list[str]:
    return [f"<h2>{escape(shown)}</h2>"] if shown else []


def _soft(note: str) -> str:
    return f'<p class="soft">{escape(note)}</p>'


def _table(table: Table) -> list[str]:
    """A table whose rows begin with a swatch of their color; only the last column breaks."""
    lines = []
    swatches = table.swatches or ("",) * len(table.rows)
    for fill, row in zip(swatches, table.rows, strict=True):
        swatch = f'<span class="swatch" style="background:{fill}"></span>' if fill else ""
        cells = "".join(f'<td class="n">{escape(cell)}</td>' for cell in row[:-1])
        cells = cells.replace('<td class="n">', f'<td class="n">{swatch}', 1)
        lines.append(f"<tr>{cells}<td>{escape(row[-1])}</td></tr>")
    titles = "".join(f"<th>{escape(title)}</th>" for title in table.columns)
    head = [f"<tr>{titles}</tr>"] if titles else []
    first, rest = [*head, *lines[:_ROWS_UP_TO]], lines[_ROWS_UP_TO:]
    below = ""
    if rest:
        inside = "\n".join([*rest, *_missing(table)])
        summary = f"<summary>{and_more(len(rest) + table.more)}</summary>"
        below = f"<details>{summary}<table>{inside}</table></details>"
    else:
        first += _missing(table)
    body = "\n".join(first)
    scroll = f'<div class="scroll"><table>{body}</table>{below}</div>'
    return [*_heading(table.heading), scroll, *map(_soft, table.notes)]


def _missing(table: Table) -> list[str]:
    """A last row for those that the page does not have."""
    if not table.more:
        return []
    said = f"{and_more(table.more)}, which this page leaves out"
    return [f'<tr><td colspan="{len(table.columns)}">{said}</td></tr>']
