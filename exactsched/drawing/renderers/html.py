"""Scenes as pages of HTML that load nothing."""

from __future__ import annotations

from html import escape

from exactsched.drawing.renderers.motion import motion_markup
from exactsched.drawing.renderers.svg import figure_fragment
from exactsched.drawing.scene import Motion, Panels, Scene, Table, Words

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


def scene_html(scene: Scene) -> str:
    """One self-contained page; it has a script only if something moves in it."""
    parts = [f"<h1>{escape(scene.title)}</h1>", f'<p class="result">{escape(scene.result)}</p>']
    for part in scene.parts:
        match part:
            case Panels():
                parts += _heading(part.heading)
                parts += [
                    figure(figure_fragment(one).document(one.name, 20)) for one in part.figures
                ]
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
        f"<title>{escape(scene.title)}</title><style>{_STYLE}</style></head>\n<body><main>\n"
        + "\n".join(parts)
        + "\n</main></body></html>\n"
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
    body = "\n".join([*head, *lines])
    scroll = f'<div class="scroll"><table>{body}</table></div>'
    return [*_heading(table.heading), scroll, *map(_soft, table.notes)]
