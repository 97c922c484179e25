"""The tables of the page: structures, steps of a period, rows of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import islice

from exactsched.certificate.collectives import PeriodicSchedule, Run, Series, Slot
from exactsched.drawing.key import Key
from exactsched.drawing.lettering import counted, printable, short
from exactsched.drawing.timeline import Flow, bars
from exactsched.drawing.wording import (
    ARROW,
    demand_name,
    operation_noun,
    place_name,
    step_name,
    structure_noun,
    task_name,
)
from exactsched.model.problem import Alltoall, Broadcast, Collective
from exactsched.model.tasks import levels
from exactsched.steady_state.reduction_tree import tree_steps

_MOST_STRUCTURES = 60
_MOST_STEPS = 60
_MOST_ROWS = 200
_MOST_PLACES = 60
_DIGITS = 40


def structure_table(certificate: Series, key: Key) -> list[str]:
    """The trees, routes or schemes with their weights, the heaviest first."""
    problem, schedule = certificate.problem, certificate.schedule
    assert schedule is not None
    noun, times = structure_noun(problem), operation_noun(problem)
    names = [demand_name(one) for one in problem.demands] if isinstance(problem, Alltoall) else []
    rows = []
    # Routes of a demand belong together.
    order = sorted(key.ranks, key=lambda index: key.flows[index].part)
    for index in order[:_MOST_STRUCTURES]:
        flow = key.flows[index]
        swatch = f'<span class="swatch" style="background:{key.flow_colors[index]}"></span>'
        rows.append(
            [
                f"{swatch}{index + 1}",
                *map(escape, names[flow.part : flow.part + 1]),
                short(flow.operations / schedule.period, _DIGITS),
                short(flow.operations, _DIGITS),
                str(_depth(problem, flow)),
                _told(problem, flow),
            ]
        )
    what = "way" if noun == "route" else "steps"
    last = "arcs" if isinstance(problem, Broadcast) else what
    head = [noun, *(["message"] if names else []), f"{times}s per time unit", "per period"]
    return [
        f"<h2>{noun.capitalize()}s</h2>",
        _table([*head, "depth", last], rows),
        *_left_out(len(rows), len(key.flows), noun),
        f'<p class="soft">{_PIPELINE[isinstance(problem, Broadcast)]}</p>',
    ]


_PIPELINE = {
    True: "A node at depth d of a tree forwards in each period what it received in the period"
    " before; so after as many periods as the largest depth all trees run at full speed.",
    False: "A task works in each period on what the tasks before it made in the period before; so"
    " after as many periods as the largest depth, the number of tasks in a row, all structures run"
    " at full speed.",
}


def step_table(certificate: Series) -> list[str]:
    """Who works at the same time, one moment after the other."""
    problem, schedule = certificate.problem, certificate.schedule
    assert schedule is not None
    moments = sorted({time for _, start, end in schedule.slots for time in (start, end)})
    total = max(0, len(moments) - 1)
    # Steps cost time proportional to the arcs at work in each; only the first ones are shown.
    until = moments[min(_MOST_STEPS, total)]
    beginning = _until(schedule, until)
    time = moments[0] * schedule.tick
    rows = []
    for number, (duration, active) in enumerate(beginning.steps(), start=1):
        at_work = _places(problem, active) or "none"
        rows.append([str(number), short(time, 20), short(duration, 20), at_work])
        time += duration
    noun = "message" if isinstance(problem, (Broadcast, Alltoall)) else "task"
    whole = f"No {noun} is interrupted." if schedule.whole else f"{noun}s may be interrupted."
    who = "arcs at work together"
    if any(place >= len(problem.platform.arcs) for place, _, _ in schedule.slots):
        who = "arcs and processors at work together"
    return [
        "<h2>Steps of one period</h2>",
        _table(["step", "begins at", "lasts", who], rows),
        *_left_out(len(rows), total, "step"),
        f'<p class="soft">The period is {escape(short(schedule.period, _DIGITS))} time units. '
        f"{whole[0].upper()}{whole[1:]}</p>",
    ]


def _until(schedule: PeriodicSchedule, until: int) -> PeriodicSchedule:
    slots = tuple(
        Slot(place, start, min(end, until)) for place, start, end in schedule.slots if start < until
    )
    return replace(schedule, structures=(), slots=slots)


def row_table(run: Run) -> list[str]:
    """The transfers (and tasks) of a run, in order of time."""
    problem = run.problem
    rows = [
        [
            str(bar.stream),
            short(bar.start, 20),
            short(bar.end, 20),
            escape(task_name(problem, bar.task)),
        ]
        for bar in islice(bars(run), _MOST_ROWS)
    ]
    total = len(run.rows)
    if isinstance(problem, Broadcast):
        title, head, noun = "Transfers", ["packet", "arc"], "transfer"
    else:
        title, head, noun = "Tasks", ["operation", "task"], "row"
    return [
        f"<h2>{title}</h2>",
        _table([head[0], "begins at", "ends at", head[1]], rows),
        *_left_out(len(rows), total, noun),
    ]


def _depth(problem: Collective, flow: Flow) -> int:
    return max(levels(problem, flow.tasks))


def _told(problem: Collective, flow: Flow) -> str:
    if isinstance(problem, Broadcast):
        return _places(problem, [task[0] for task in flow.tasks])
    if isinstance(problem, Alltoall):
        arcs = [problem.platform.arcs[task[0]] for task in flow.tasks]
        nodes = [arcs[0].tail, *(arc.head for arc in arcs)]
        return escape(f" {ARROW} ".join(printable(node, 40) for node in nodes[:_MOST_PLACES]))
    steps = [step for step in tree_steps(problem, flow.tasks) if step.kind != "value"]
    shown = "; ".join(step_name(step) for step in steps[:_MOST_PLACES])
    more = f"; \u2026 {counted(len(steps), 'step')}" if len(steps) > _MOST_PLACES else ""
    return escape(shown + more)


def _places(problem: Collective, places: Sequence[int]) -> str:
    named = ", ".join(place_name(problem, place) for place in places[:_MOST_PLACES])
    noun = "arc" if isinstance(problem, Broadcast) else "place"
    more = f", \u2026 {counted(len(places), noun)}" if len(places) > _MOST_PLACES else ""
    return escape(named + more)


def _table(head: list[str], rows: list[list[str]]) -> str:
    """Cells are markup; those of all columns but the last do not break."""
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    lines = "\n".join(
        "<tr>"
        + "".join(f'<td class="n">{cell}</td>' for cell in row[:-1])
        + f"<td>{row[-1]}</td></tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><tr>{titles}</tr>\n{lines}</table></div>'


def _left_out(shown: int, total: int, noun: str) -> list[str]:
    if shown >= total:
        return []
    return [f'<p class="soft">The first {shown} of {counted(total, noun)}.</p>']
