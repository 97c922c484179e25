"""Series and runs of collectives as scenes and traces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from exactsched.certificate.collectives import Certificate, Run, Series
from exactsched.drawing.lettering import printable, written
from exactsched.drawing.scene import Figure, Panels, Scene, Slice, Table, Trace, Words, Work
from exactsched.drawing.series.activity import Stint, flows, principals, refuse_hanging, stints
from exactsched.drawing.series.chart import gantt_chart
from exactsched.drawing.series.colors import key_of
from exactsched.drawing.series.graph import certificate_figure
from exactsched.drawing.series.roles import roles_of
from exactsched.drawing.series.structures import structure_panels
from exactsched.drawing.series.tables import row_table, step_table, structure_table
from exactsched.drawing.series.trees import tree_panels
from exactsched.drawing.words import ARROW, BACK, CLOSING, WHY
from exactsched.drawing.words.bounds import bound_in_words
from exactsched.drawing.words.series import (
    arc_name,
    headline,
    item_name,
    operation_noun,
    run_noun,
    structure_noun,
    task_name,
)
from exactsched.model.problem import Broadcast, Collective
from exactsched.model.tasks import computes, levels

_PERIODS_AT_FULL_SPEED = 3


def series_scene(certificate: Certificate) -> Scene:
    """The platform and the Gantt chart, reduction trees, tables, and the bound in words.

    Raises `Rejected` for a structure that starts from what is not there.
    """
    refuse_hanging(certificate)
    key = key_of(certificate)
    graph = certificate_figure(certificate, key)
    figures: tuple[Figure, ...] = (graph,)
    tables: tuple[Table, ...] = ()
    if isinstance(certificate, Run):
        figures = (*figures, gantt_chart(certificate, key))
        tables = (row_table(certificate),)
    elif certificate.schedule is not None:
        figures = (*figures, gantt_chart(certificate, key))
        tables = structure_table(certificate, key), step_table(certificate)
    trees = tree_panels(certificate, key) or structure_panels(certificate, key, graph)
    why = Words(WHY, tuple(bound_in_words(certificate)), panel="why")
    panels = [Panels("", figures), *([trees] if trees else [])]
    return Scene(*headline(certificate), (*panels, *tables, why, *CLOSING))


@dataclass(frozen=True, slots=True)
class Batch:
    """A stint at its time in the unrolled schedule; `number` counts those of a structure from 0."""

    stint: Stint
    start: Fraction
    end: Fraction
    number: int


def series_trace(certificate: Certificate) -> Trace:
    """A process for each node, a track for each port and processor, slices for the work.

    A series is unrolled from its cold start.  A transfer is two slices, at its sender and at its
    receiver; a task of a processor is one.
    """
    refuse_hanging(certificate)
    problem = certificate.problem
    span = Fraction(1)
    if isinstance(certificate, Run):
        span = certificate.makespan
    elif certificate.schedule is not None:
        span = certificate.schedule.period
    tracks = _Tracks(problem)
    roles, first = roles_of(problem), principals(problem)
    nodes = problem.platform.nodes
    return Trace(
        *headline(certificate),
        "time unit",
        span,
        {number: printable(node, 80) + roles[node].told for number, node in enumerate(nodes)},
        tracks.names,
        (_work(certificate, tracks, batch) for batch in unrolled(certificate)),
        "transfer" if isinstance(problem, Broadcast) else "task",
        frozenset(number for number, node in enumerate(nodes) if node in first),
    )


def unrolled(certificate: Certificate) -> Iterator[Batch]:
    """The stints in order of time: of a run as they are, of a series from its cold start.

    A task of level h of a structure begins to work for it in period h, and
    `_PERIODS_AT_FULL_SPEED` periods follow the one in which all do.
    """
    found = stints(certificate)
    if isinstance(certificate, Run):
        for one in found:
            yield Batch(one, one.start, one.end, 0)
        return
    if certificate.schedule is None:
        return
    # How many periods after the first one a structure begins with a task.
    delay = {
        (stream, task): level - 1
        for stream, flow in enumerate(flows(certificate))
        for task, level in zip(flow.tasks, levels(certificate.problem, flow.tasks), strict=True)
    }
    for number in range(max(delay.values()) + 1 + _PERIODS_AT_FULL_SPEED):
        shift = number * certificate.schedule.period
        for one in found:
            batch = number - delay[one.stream, one.task]
            if batch >= 0:
                yield Batch(one, shift + one.start, shift + one.end, batch)


@dataclass(slots=True)
class _Tracks:
    """The numbers of tracks; a track has its name when it is first used."""

    problem: Collective
    names: dict[tuple[int, int], str] = field(default_factory=dict)

    def of(self, place: int) -> list[tuple[int, int]]:
        """The tracks of the sender and of the receiver of an arc, or that of a processor."""
        arcs, position = self.problem.platform.arcs, self.problem.platform.position
        link = self.problem.ports in ("link", "routes")
        if place >= len(arcs):
            return [self._track(place - len(arcs), 1 + 2 * len(arcs) if link else 3, "compute")]
        tail, head = position[arcs[place].tail], position[arcs[place].head]
        if link:
            # Two tracks for each link, the arcs out of a node above those into it.
            to, by = (
                f"{ARROW} {printable(arcs[place].head, 40)}",
                f"{BACK} {printable(arcs[place].tail, 40)}",
            )
            return [self._track(tail, 1 + place, to), self._track(head, 1 + len(arcs) + place, by)]
        if self.problem.ports == "half-duplex":
            return [self._track(tail, 1, "port"), self._track(head, 1, "port")]
        return [self._track(tail, 1, "send"), self._track(head, 2, "receive")]

    def _track(self, process: int, track: int, name: str) -> tuple[int, int]:
        self.names.setdefault((process, track), name)
        return process, track


def _work(certificate: Certificate, tracks: _Tracks, batch: Batch) -> Work:
    problem, task = certificate.problem, batch.stint.task
    stream, args = _described(certificate, batch)
    used = tracks.of(task[0])
    item = item_name(problem, task)
    if computes(problem, task):
        names = [f"{item}, {stream}"]
    else:
        arc = problem.platform.arcs[task[0]]
        item += " " if item else ""
        names = [
            f"{item}{ARROW} {printable(arc.head, 40)}, {stream}",
            f"{item}{BACK} {printable(arc.tail, 40)}, {stream}",
        ]
    slices = tuple(
        Slice(*track, name, batch.start, batch.end) for track, name in zip(used, names, strict=True)
    )
    return Work(stream, slices, args)


def _described(certificate: Certificate, batch: Batch) -> tuple[str, dict[str, Any]]:
    """The structure or operation that is served, and all that is told of the work."""
    problem, stint = certificate.problem, batch.stint
    args: dict[str, Any] = {"task": task_name(problem, stint.task)}
    if isinstance(problem, Broadcast):
        args = {"arc": arc_name(problem.platform.arcs[stint.place])}
    if isinstance(certificate, Series):
        noun, times = structure_noun(problem), f"{operation_noun(problem)}s"
        done = written(stint.length / stint.each)
        more = {noun: stint.stream + 1, "batch": batch.number, times: done}
        return f"{noun} {stint.stream + 1}", args | more
    noun = run_noun(problem)
    return f"{noun} {stint.stream}", args | {noun: stint.stream}
