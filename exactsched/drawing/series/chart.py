"""The Gantt chart of a period or a run: a row for each port and processor, a bar for each task."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import floor

from exactsched.certificate.bounds import (
    CutBound,
    DistanceBound,
    PotentialBound,
    TargetBound,
    TreeBound,
)
from exactsched.certificate.collectives import Certificate, Run
from exactsched.drawing.layout.axes import round_times
from exactsched.drawing.layout.pieces import Piece, drawable
from exactsched.drawing.lettering import counted, percent, printable, short
from exactsched.drawing.palette import IDLE
from exactsched.drawing.scene import Bar, Entry, Figure, Row, Timeline
from exactsched.drawing.series.activity import Lane, Stint, lanes, principals, stints
from exactsched.drawing.series.colors import Key
from exactsched.drawing.words import ARROW, BACK
from exactsched.drawing.words.series import item_name, run_noun, structure_noun, task_name
from exactsched.model.platform import Node
from exactsched.model.problem import Allgather, Alltoall, Broadcast, Collective
from exactsched.model.tasks import computes

MOST_ROWS = 64
MOST_BARS = 8000
_TOLD_UP_TO = 2500
WIDTH = 760
_SIDES = {"send": "send", "recv": "receive", "port": "port", "compute": "compute"}


def gantt_chart(certificate: Certificate, key: Key) -> Figure:
    """The rows of all resources that work, from 0 to the period or the makespan.

    Notes state everything that is left out.
    """
    problem = certificate.problem
    run = isinstance(certificate, Run)
    span = _span(certificate)
    every = lanes(problem, stints(certificate))
    chosen = busiest(every, principals(problem))
    pieces, least = drawable([lane.stints for lane in chosen], span, WIDTH, MOST_BARS)
    tight = _priced(certificate)
    told = sum(map(len, pieces)) <= _TOLD_UP_TO
    rows = tuple(
        Row(
            key.names[lane.node],
            (tuple(_bar(certificate, key, lane, piece, told) for piece in some),),
            _side(problem, key, lane),
            percent(lane.busy / span),
            lane.resource in tight,
        )
        for lane, some in zip(chosen, pieces, strict=True)
    )
    mark = None
    if run and not certificate.optimal and 0 < certificate.bound <= span:
        mark = certificate.bound, f"lower bound {short(certificate.bound)}"
    units = f"{short(span, 24)} time unit{'s' if span > 1 else ''}"
    title = f"The whole run: {units}" if run else f"One period: {units}"
    timeline = Timeline(span, rows, round_times(span), WIDTH, mark=mark, shares="busy")
    notes = _notes(problem, every, chosen, least, span, tight)
    fills = {bar.fill for row in rows for lane in row.lanes for bar in lane}
    legend = tuple(entry for entry in key.entries if entry.fill in fills)
    if any(lane.busy < span for lane in chosen):
        legend += (Entry(IDLE, "at rest"),)
    return Figure("Gantt chart", timeline, title, notes=notes, panel="gantt", alone=legend)


def busiest(every: Sequence[Lane], first: Collection[Node]) -> list[Lane]:
    """At most MOST_ROWS lanes: of the nodes `first`, then node by node, the busiest nodes first.

    The lanes chosen stay in their order.  Of a node with more lanes than there is room for, the
    busiest are taken.
    """
    if len(every) <= MOST_ROWS:
        return list(every)
    load: dict[Node, Fraction] = {}
    busy = [lane.busy for lane in every]
    for lane, time in zip(every, busy, strict=True):
        load[lane.node] = load.get(lane.node, Fraction(0)) + time
    order = {node: index for index, node in enumerate(load)}
    ranked = sorted(
        range(len(every)),
        key=lambda index: (
            every[index].node not in first,
            -load[every[index].node],
            order[every[index].node],
            -busy[index],
            index,
        ),
    )
    return [every[index] for index in sorted(ranked[:MOST_ROWS])]


def _span(certificate: Certificate) -> Fraction:
    if isinstance(certificate, Run):
        return certificate.makespan
    assert certificate.schedule is not None
    return certificate.schedule.period


def _priced(certificate: Certificate) -> set[str]:
    """The resources that the bound speaks of; those of an optimal schedule never rest."""
    proof = certificate.proof
    if isinstance(certificate, Run):
        return set()
    if not isinstance(proof, (CutBound, TreeBound, TargetBound, DistanceBound, PotentialBound)):
        return set()
    return {name for name, price in proof.prices.items() if price}


def _side(problem: Collective, key: Key, lane: Lane) -> str:
    if lane.side == "link":
        return f"{ARROW} {key.names[problem.platform.arcs[lane.stints[0].place].head]}"
    return _SIDES[lane.side]


def _bar(certificate: Certificate, key: Key, lane: Lane, piece: Piece[Stint], told: bool) -> Bar:
    stint = piece.longest
    fill, said = key.fill(stint), _told(certificate, piece) if told else ""
    if piece.several:
        return Bar(piece.start, piece.end, fill, said)
    names = _names(certificate, key, lane, stint)
    cuts = None
    if not isinstance(certificate, Run):
        # Where a task has been done once more.
        cuts = stint.start + (floor(stint.done) + 1 - stint.done) * stint.each, stint.each
    return Bar(piece.start, piece.end, fill, said, names, cuts)


def _told(certificate: Certificate, piece: Piece[Stint]) -> str:
    problem, stint = certificate.problem, piece.longest
    when = f"{short(piece.start, 20)} to {short(piece.end, 20)}"
    if piece.several:
        return f"several short pieces of work, {when}"
    stream = f"{structure_noun(problem)} {stint.stream + 1}"
    if isinstance(certificate, Run):
        stream = f"{run_noun(problem)} {stint.stream}"
    return f"{task_name(problem, stint.task)}, {stream}, {when}"


def _names(certificate: Certificate, key: Key, lane: Lane, stint: Stint) -> tuple[str, ...]:
    """What may be written on a bar, the longest first."""
    problem = certificate.problem
    number = f"#{stint.stream} " if isinstance(certificate, Run) else ""
    alone = (number.strip(),) if number else ()
    item = item_name(problem, stint.task, key.names)
    if computes(problem, stint.task):
        return (number + item, number + item[1:], *(alone or (item[1:],)))
    arc = problem.platform.arcs[stint.place]
    sends = arc.tail == lane.node
    to = f"{ARROW if sends else BACK} {key.names[arc.head if sends else arc.tail]}"
    if isinstance(problem, Broadcast):
        if number:
            return number + to, *alone, str(stint.stream)
        if lane.side == "link":
            return f"tree {stint.stream + 1}", str(stint.stream + 1)
        return (to, to.replace(" ", "", 1)) if lane.side == "port" else (to[2:],)
    if isinstance(problem, Alltoall):
        target = key.names[problem.demands[stint.task[1]].target]
        shorter = f"{number}\u21d2 {target}", f"\u21d2{target}"
        return f"{number}({item}) {to}", number + item, *shorter, *alone
    if isinstance(problem, Allgather):
        root = key.names[problem.roots[stint.task[1]].node]
        return f"{number}{root} {to}", number + root, *alone
    return (*(() if lane.side == "link" else (f"{number}{item} {to}",)), number + item, *alone)


def _notes(
    problem: Collective,
    every: Sequence[Lane],
    chosen: Sequence[Lane],
    least: Fraction,
    span: Fraction,
    tight: set[str],
) -> tuple[str, ...]:
    lines = []
    if any(lane.resource in tight for lane in chosen):
        lines.append("A red mark stands at the rows whose work the bound counts.")
    if len(chosen) < len(every):
        left_out = counted(len(every) - len(chosen), "row")
        ends = principals(problem)
        first = f" {printable(ends[0], 24)} and of" if ends else ""
        lines.append(
            f"{left_out} of {len(every):,} left out: shown are the rows of{first} the busiest"
            f" nodes, at most {MOST_ROWS} rows."
        )
    if least:
        work = "Transfers" if isinstance(problem, Broadcast) else "Tasks"
        lines.append(
            f"{work} shorter than {short(least)} time units (1/{span / least} of the axis) are"
            " drawn together with their neighbors."
        )
    return tuple(lines)
