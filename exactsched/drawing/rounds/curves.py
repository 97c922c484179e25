"""The transfers under way, and the packets that are lacking, as curves; several runs together."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.drawing.layout.axes import round_numbers
from exactsched.drawing.lettering import counted, percent, printable, short
from exactsched.drawing.palette import ALARM, COLORS, PALE_BLUE, PALE_GREEN, color
from exactsched.drawing.rounds.traffic import Course, RoundTraffic
from exactsched.drawing.scene import (
    Area,
    Axis,
    Curve,
    Entry,
    Figure,
    Number,
    Panels,
    Plot,
    Scene,
    Table,
)
from exactsched.exact.errors import InvalidInput

ACROSS = 480
_ACROSS_TOGETHER = 760
# Narrower steps are not drawn one by one.
BINS = ACROSS // 2
_ACTIVE, _BAND, _CAP = color(0), PALE_BLUE, color(4)
_LACK, _LACK_BAND = color(2), PALE_GREEN

Points = list[tuple[Number, Number]]
# (start, stop, fewest, mean, most)
Bin = tuple[int, int, int, Fraction, int]


def activity_figure(traffic: RoundTraffic) -> Figure:
    """Transfers under way in every step, below what fits at most, and what counting allows.

    Of long runs a column of pixels shows the fewest, the mean and the most of several steps.
    """
    run, end = traffic.run, traffic.end
    spacing = -(-end // BINS) or 1
    shapes: list[Curve | Area]
    if spacing == 1:
        steps = staircase(traffic.course, end)
        shapes = [Area(((0, 0), *steps, (end, 0)), _BAND), Curve(tuple(steps), _ACTIVE)]
        entries = [Entry(_ACTIVE, "transfers under way in a step")]
    else:
        bins = binned(traffic.course, end, spacing)
        shapes = [Area(_around(bins), _BAND), Curve(tuple(_means(bins)), _ACTIVE)]
        entries = [
            Entry(_ACTIVE, f"transfers under way, mean of {spacing:,} steps"),
            Entry(_BAND, "from the fewest to the most of them"),
        ]
    cap = traffic.capacity()
    if len(cap) > 1 and cap[0][1] < traffic.ceiling:
        shapes.append(Curve(tuple(staircase(cap, end)), _CAP, 1.6, dashed=True))
        entries.append(Entry(_CAP, "what counting allows", line=True))
    mark = None
    if 0 < run.bound <= end:
        mark = run.bound, f"no run ends before step {run.bound:,}"
        entries.append(Entry(ALARM, f"bound: {counted(run.bound, 'step')}", line=True))
    why = f"{counted(run.size, 'node')} make no more pairs"
    if run.ports == "one-port":
        why = "one into each node that lacks something"
    return Figure(
        "Transfers under way",
        _plot(end, traffic.ceiling, shapes, mark),
        "Transfers under way",
        tuple(entries),
        (f"At most {counted(traffic.ceiling, 'transfer')} fit into a step: {why}.",),
        panel="activity",
    )


def lack_figure(traffic: RoundTraffic) -> Figure:
    """The fewest, the mean and the most packets that a node lacks, over time."""
    samples = traffic.lacks(BINS)
    upper = [(one.time, one.most) for one in samples]
    lower = [(one.time, one.fewest) for one in samples]
    shapes: list[Curve | Area] = []
    if samples:
        shapes = [
            Area((*upper, *reversed(lower)), _LACK_BAND),
            Curve(tuple((one.time, one.mean) for one in samples), _LACK, 1.6),
        ]
    most = max((one.most for one in samples), default=0)
    return Figure(
        "Packets that are lacking",
        _plot(traffic.end, most, shapes),
        "Packets that a node still lacks",
        (
            Entry(_LACK, "mean"),
            Entry(_LACK_BAND, "from the node that lacks the fewest to the most"),
        ),
        panel="lack",
    )


def _plot(
    end: int,
    top: int,
    shapes: list[Curve | Area],
    mark: tuple[Number, str] | None = None,
    width: int = ACROSS,
) -> Plot:
    steps, top = max(end, 1), max(top, 1)
    x = Axis(0, steps, tuple((step, short(step, 7)) for step in round_numbers(steps, 8)), "steps")
    y = Axis(0, top, tuple((number, short(number, 6)) for number in round_numbers(top, 5)))
    return Plot(x, y, tuple(shapes), mark, width)


def staircase(course: Course, end: int) -> Points:
    """The corners of a line that keeps each number until the next one, from 0 to the end."""
    corners: Points = []
    for index, (time, number) in enumerate(course):
        if time >= end:
            break
        until = course[index + 1][0] if index + 1 < len(course) else end
        corners += (time, number), (min(until, end), number)
    return corners or [(0, 0), (end, 0)]


def binned(course: Course, end: int, spacing: int) -> list[Bin]:
    """(start, stop, fewest, mean, most) for every `spacing` steps; the last ones may be fewer.

    >>> binned([(0, 1), (3, 5), (4, 0)], 4, 2)
    [(0, 2, 1, Fraction(1, 1), 1), (2, 4, 1, Fraction(3, 1), 5)]
    """
    found = []
    index = 0
    for start in range(0, end, spacing):
        stop = min(start + spacing, end)
        while index + 1 < len(course) and course[index + 1][0] <= start:
            index += 1
        fewest = most = course[index][1]
        total, place, here = 0, start, index
        while True:
            until = course[here + 1][0] if here + 1 < len(course) else stop
            number = course[here][1]
            total += number * (min(until, stop) - place)
            fewest, most = min(fewest, number), max(most, number)
            if until >= stop:
                break
            here, place = here + 1, until
        found.append((start, stop, fewest, Fraction(total, stop - start), most))
    return found


def _means(bins: list[Bin]) -> Points:
    """The mean of each bin in its middle."""
    return [(start + Fraction(stop - start, 2), mean) for start, stop, _, mean, _ in bins]


def _around(bins: list[Bin]) -> tuple[tuple[Number, Number], ...]:
    """The outline of all bins, from the fewest to the most."""
    above: Points = []
    below: Points = []
    for start, stop, fewest, _, most in bins:
        above += (start, most), (stop, most)
        below += (start, fewest), (stop, fewest)
    return (*above, *reversed(below))


def comparison_scene(runs: Mapping[str, SynchronousRun]) -> Scene:
    """Several runs over each other, in a table and as curves.

    See `exactsched.drawing.active_edges`.
    """
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
    # Pale: every step, or what a column of pixels can show of it.  Strong: means of more steps.
    fine = -(-end // (_ACROSS_TOGETHER // 2)) or 1
    coarse = max(1, -(-end // (_ACROSS_TOGETHER // 8)))
    pale: list[Curve | Area] = []
    strong: list[Curve | Area] = []
    for rank, one in enumerate(traffics.values()):
        if not one.end:
            continue
        if fine == 1:
            steps = tuple(staircase(one.course, one.end))
            pale.append(Curve(steps, color(rank), 0.8, opacity=0.45))
        else:
            pale.append(Area(_around(binned(one.course, one.end, fine)), color(rank), 0.22))
        means = _means(binned(one.course, one.end, coarse))
        strong.append(Curve(((0, 0), *means, (one.end, 0)), color(rank), 2.2))
    per = "every step" if fine == 1 else f"the fewest and the most of {fine:,} steps"
    note = (
        f"Strong lines: means of {coarse:,} steps; pale: {per}. At most {first.ceiling:,} transfers"
        " fit into a step."
    )
    plot = _plot(end, first.ceiling, [*pale, *strong], None, _ACROSS_TOGETHER)
    title = f"Transfers under way: {first.run.size:,} nodes, {first.run.ports}"
    figure = Figure("Transfers under way", plot, notes=(note,))
    return Scene(title, "", (_table(traffics), Panels("", (figure,))))


def _table(traffics: Mapping[str, RoundTraffic]) -> Table:
    """For each run its color, its steps, and its mean."""
    rows = []
    for label, one in traffics.items():
        share = one.mean() / one.ceiling if one.ceiling else Fraction(0)
        numbers = short(one.run.steps, 12), short(one.run.bound, 12), short(one.mean(), 1)
        rows.append((printable(label), *numbers, percent(share)))
    head = ("", "steps", "bound", "mean", "of the most")
    swatches = tuple(color(rank) for rank in range(len(rows)))
    return Table("", head, tuple(rows), swatches, where="everywhere")
