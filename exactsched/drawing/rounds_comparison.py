"""Several runs on one graph laid over each other: how many transfers are under way in each step."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.canvas import (
    COLORS,
    RULE,
    SOFT_INK,
    Fragment,
    color,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import clipped, percent, printable, short, text_width
from exactsched.drawing.rounds_curves import Chart, binned, staircase
from exactsched.drawing.rounds_traffic import RoundTraffic
from exactsched.exact.errors import InvalidInput

_ACROSS = 760
_MARGIN = 24


def activity_comparison(runs: Mapping[str, SynchronousRun]) -> str:
    """The SVG document with a curve for each run.  See `exactsched.drawing.active_edges`."""
    if not runs:
        raise InvalidInput("runs", {}, "a plot has at least one run")
    if len(runs) > COLORS:
        raise InvalidInput("runs", len(runs), f"at most {COLORS} runs can be told from each other")
    traffics = {label: RoundTraffic(run) for label, run in runs.items()}
    first = next(iter(traffics.values()))
    for label, one in traffics.items():
        if one.ceiling != first.ceiling or one.run.size != first.run.size:
            rule = f"all runs are on {first.run.size} nodes, and {first.ceiling} transfers fit"
            raise InvalidInput(f"runs[{label!r}]", [one.run.size, one.ceiling], rule)
    end = max(one.end for one in traffics.values())
    chart = Chart(end, first.ceiling, "transfers", _ACROSS)
    # Pale: every step, or what a column of pixels can show of it.  Strong: means of more steps.
    fine, coarse = -(-end // (_ACROSS // 2)) or 1, max(1, -(-end // (_ACROSS // 8)))
    pale, strong = [], []
    for rank, one in enumerate(traffics.values()):
        if not one.end:
            continue
        if fine == 1:
            pale.append(chart.line(staircase(one.course, one.end), color(rank), 0.8, opacity=0.45))
        else:
            area = chart.band(binned(one.course, one.end, fine))
            pale.append(tag("path", d=area, fill=color(rank), fill_opacity=0.22))
        middles = [
            (start + Fraction(stop - start, 2), mean)
            for start, stop, _, mean, _ in binned(one.course, one.end, coarse)
        ]
        strong.append(chart.line([(0, 0), *middles, (one.end, 0)], color(rank), 2.2))
    ports = first.run.ports
    title = f"Transfers under way: {first.run.size:,} nodes, {ports}"
    head = Fragment(chart.width, 20, lettered(title, 0, 15, 15, bold=True))
    per = "every step" if fine == 1 else f"the fewest and the most of {fine:,} steps"
    told = [
        f"Strong lines: means of {coarse:,} steps; pale: {per}. At most {first.ceiling:,} transfers"
        " fit into a step."
    ]
    figure = [head, _table(traffics, chart.width), chart.fragment([*pale, *strong])]
    return stacked([*figure, notes(told, chart.width)], 12).document(title, _MARGIN)


def _table(traffics: Mapping[str, RoundTraffic], width: float) -> Fragment:
    """For each run its color, its steps, and its mean."""
    columns = width - 330, width - 215, width - 105, width
    body = [
        lettered(name, x, 10, 10.5, fill=SOFT_INK, anchor="end")
        for name, x in zip(("steps", "bound", "mean", "of the most"), columns, strict=True)
    ]
    y = 16.0
    body.append(tag("line", x1=0, y1=y, x2=width, y2=y, stroke=RULE))
    for rank, (label, one) in enumerate(traffics.items()):
        share = one.mean() / one.ceiling if one.ceiling else Fraction(0)
        numbers = (
            short(one.run.steps, 12),
            short(one.run.bound, 12),
            short(one.mean(), 1),
            percent(share),
        )
        body.append(tag("rect", x=0, y=y + 6, width=16, height=10, rx=2, fill=color(rank)))
        shown = clipped(printable(label), columns[0] - text_width("0" * 12, 11.5) - 24, 11.5)
        body.append(lettered(shown, 24, y + 15, 11.5))
        for number, x in zip(numbers, columns, strict=True):
            body.append(lettered(number, x, y + 15, 11.5, anchor="end"))
        y += 19
    return Fragment(width, y + 2, "".join(body))
