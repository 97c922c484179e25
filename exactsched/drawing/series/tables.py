"""The tables of the page: structures, steps of a period, rows of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from exactsched.certificate.collectives import Run, Series, Slot
from exactsched.drawing.lettering import counted, printable, short
from exactsched.drawing.scene import Table
from exactsched.drawing.series.activity import Flow, stints
from exactsched.drawing.series.colors import Key
from exactsched.drawing.words import ARROW
from exactsched.drawing.words.series import (
    PIPELINE,
    operation_noun,
    part_names,
    place_name,
    run_noun,
    step_name,
    structure_noun,
    task_name,
)
from exactsched.model.problem import (
    Allgather,
    Alltoall,
    Broadcast,
    Collective,
    Combination,
    Reduction,
)
from exactsched.model.reduction_steps import reduction_steps
from exactsched.model.tasks import levels

_MOST_STRUCTURES = 60
_MOST_STEPS = 60
_MOST_ROWS = 200
_MOST_PLACES = 60
_DIGITS = 40


def structure_table(series: Series, key: Key) -> Table:
    """The trees, routes or schemes with their weights, the heaviest first."""
    problem, schedule = series.problem, series.schedule
    assert schedule is not None
    noun, times = structure_noun(problem), operation_noun(problem)
    names = part_names(problem)
    # Structures of a part belong together.
    order = sorted(key.ranks, key=lambda index: key.flows[index].part)[:_MOST_STRUCTURES]
    rows = []
    for index in order:
        flow = key.flows[index]
        rows.append(
            (
                str(index + 1),
                *names[flow.part : flow.part + 1],
                short(flow.operations / schedule.period, _DIGITS),
                short(flow.operations, _DIGITS),
                str(max(levels(problem, flow.tasks))),
                _told(problem, flow),
            )
        )
    what = "way" if noun == "route" else "steps"
    last = "arcs" if isinstance(problem, Broadcast) else what
    head = (
        noun,
        *([_part_noun(problem)] if names else []),
        f"{times}s per time unit",
        "per period",
    )
    return Table(
        f"{noun.capitalize()}s",
        (*head, "depth", last),
        tuple(rows),
        tuple(key.flow_colors[index] for index in order),
        (PIPELINE,),
        panel="structures",
        more=len(key.flows) - len(rows),
    )


def _part_noun(problem: Collective) -> str:
    if isinstance(problem, Combination):
        return "block"
    return "shard" if isinstance(problem, Allgather) else "message"


def step_table(series: Series) -> Table:
    """Who works at the same time, one moment after the other."""
    problem, schedule = series.problem, series.schedule
    assert schedule is not None
    moments = sorted({time for _, start, end in schedule.slots for time in (start, end)})
    total = max(0, len(moments) - 1)
    # Steps cost time proportional to the arcs at work in each; only the first ones are shown.
    until = moments[min(_MOST_STEPS, total)]
    slots = [
        Slot(place, start, min(end, until)) for place, start, end in schedule.slots if start < until
    ]
    time = moments[0] * schedule.tick
    rows = []
    for number, (lasts, active) in enumerate(replace(schedule, slots=tuple(slots)).steps(), 1):
        at_work = _places(problem, active) or "none"
        rows.append((str(number), short(time, 20), short(lasts, 20), at_work))
        time += lasts
    noun = "task" if isinstance(problem, Reduction) else "message"
    whole = f"No {noun} is" if schedule.whole else f"{noun.capitalize()}s may be"
    who = "arcs at work together"
    if any(place >= len(problem.platform.arcs) for place, _, _ in schedule.slots):
        who = "arcs and processors at work together"
    period = f"The period is {short(schedule.period, _DIGITS)} time units. {whole} interrupted."
    head = "step", "begins at", "lasts", who
    return Table(
        "Steps of one period",
        head,
        tuple(rows),
        notes=(period,),
        panel="steps",
        more=total - len(rows),
    )


def row_table(run: Run) -> Table:
    """The transfers (and tasks) of a run, in order of time."""
    problem = run.problem
    rows = tuple(
        (str(one.stream), short(one.start, 20), short(one.end, 20), task_name(problem, one.task))
        for one in islice(stints(run), _MOST_ROWS)
    )
    title, last = "Tasks", "task"
    if isinstance(problem, Broadcast):
        title, last = "Transfers", "arc"
    head = run_noun(problem), "begins at", "ends at", last
    return Table(title, head, rows, panel="transfers", more=len(run.rows) - len(rows))


def _told(problem: Collective, flow: Flow) -> str:
    if isinstance(problem, Broadcast):
        return _places(problem, [task[0] for task in flow.tasks])
    if isinstance(problem, Alltoall):
        arcs = [problem.platform.arcs[task[0]] for task in flow.tasks]
        nodes = [arcs[0].tail, *(arc.head for arc in arcs)]
        return f" {ARROW} ".join(printable(node, 40) for node in nodes[:_MOST_PLACES])
    if isinstance(problem, (Allgather, Combination)):
        return _places(problem, [task[0] for task in flow.tasks])
    steps = [step for step in reduction_steps(problem, flow.tasks) if step.kind != "value"]
    shown = "; ".join(step_name(step) for step in steps[:_MOST_PLACES])
    return shown + (f"; \u2026 {counted(len(steps), 'step')}" if len(steps) > _MOST_PLACES else "")


def _places(problem: Collective, places: Sequence[int]) -> str:
    named = ", ".join(place_name(problem, place) for place in places[:_MOST_PLACES])
    noun = "arc" if isinstance(problem, (Broadcast, Allgather, Combination)) else "place"
    more = f", \u2026 {counted(len(places), noun)}" if len(places) > _MOST_PLACES else ""
    return named + more
