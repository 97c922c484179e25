"""Reduction trees as RR-4872 draws them (figures 5, 11, 12): values on top, the result below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from exactsched.certificate.collectives import Certificate, Series
from exactsched.drawing.layout.layers import Placed, count_placed
from exactsched.drawing.lettering import counted, printable, short, text_width
from exactsched.drawing.palette import FRAME, INK, PAPER
from exactsched.drawing.scene import Box, Entry, Figure, Panels, Tree
from exactsched.drawing.series.colors import Key
from exactsched.drawing.words import ARROW
from exactsched.drawing.words.series import step_name, structure_noun
from exactsched.model.platform import Node
from exactsched.model.problem import Reduction
from exactsched.model.reduction_steps import Step, reduction_steps
from exactsched.model.tasks import State

MOST_TREES = 12
MOST_BOXES = 300
MOST_PLACED = 6000
_SIZE = 10.5
_WIDEST = 170.0


def tree_panels(certificate: Certificate, key: Key) -> Panels | None:
    """The heaviest trees (or schemes) of a reduction, and what is to be said of the others.

    Of other collectives nothing.  Trees of more than MOST_BOXES boxes are left out, and schemes
    whose arrows cross too many layers.
    """
    problem = certificate.problem
    if not isinstance(problem, Reduction) or not key.ranks:
        return None
    noun = structure_noun(problem)
    figures: list[Figure] = []
    large = 0
    for index in key.ranks[:MOST_TREES]:
        flow = key.flows[index]
        caption = f"{noun} {index + 1}: {counted(flow.operations, 'operation')}"
        if isinstance(certificate, Series) and certificate.schedule:
            rate = short(flow.operations / certificate.schedule.period, 24)
            caption = f"{noun} {index + 1}: weight {rate}"
        fill = key.flow_colors[index]
        boxes = _boxes(problem, reduction_steps(problem, flow.tasks), key.names, fill)
        placed = [Placed(0, box.rank, box.inputs) for box in boxes]
        if len(boxes) <= MOST_BOXES and count_placed(placed) <= MOST_PLACED:
            legend = (Entry(fill, caption),)
            drawn = Tree(tuple(boxes))
            figures.append(Figure(f"Reduction {noun}", drawn, legend=legend, panel="trees"))
        else:
            large += 1
    notes = []
    if len(key.ranks) > MOST_TREES:
        notes.append(f"The {MOST_TREES} heaviest of {counted(len(key.ranks), noun)}.")
    if large:
        verb = "is" if large == 1 else "are"
        notes.append(f"{counted(large, noun)} {verb} too large to be drawn.")
    return Panels(f"Reduction {noun}s", tuple(figures), tuple(notes))


def _boxes(
    problem: Reduction, steps: Sequence[Step], names: Mapping[Node, str], fill: str
) -> list[Box]:
    """A box for each transfer, task and result, and for each use of a value."""
    boxes: list[Box] = []
    number: dict[int, int] = {}
    known: dict[State, int] = {}
    for index, step in enumerate(steps):
        if step.kind == "value":
            continue
        inputs = []
        for one in step.inputs:
            if one not in number:
                inputs.append(len(boxes))
                boxes.append(_step_box(steps[one], names, fill, ()))
            else:
                inputs.append(number[one])
        number[index] = known[(step.item[0], step.item[-1]), step.nodes[-1]] = len(boxes)
        boxes.append(_step_box(step, names, fill, tuple(inputs)))
    for (k, m), node in problem.goals:
        if ((k, m), node) in known:
            lines = f"result [{k},{m}]", f"at {names[node]}"
            told = f"result [{k},{m}] at {printable(node, 80)}"
            inputs_of = (known[(k, m), node],)
            boxes.append(Box(lines, Fraction(k + m, 2), inputs_of, told, INK, INK))
    return boxes


def _step_box(step: Step, names: Mapping[Node, str], fill: str, inputs: tuple[int, ...]) -> Box:
    rank = Fraction(step.item[0] + step.item[-1], 2)
    item, where, told = ",".join(map(str, step.item)), names[step.nodes[0]], step_name(step)
    if step.kind == "value":
        lines = f"v[{step.item[0]}]", f"at {where}"
        return Box(lines, rank, inputs, told, PAPER, FRAME, round=True)
    if step.kind == "task":
        return Box((f"cons[{item}]", f"on node {where}"), rank, inputs, told, fill, fill)
    route = _route_lines([names[node] for node in step.nodes])
    return Box((f"transfer [{item}]", *route), rank, inputs, told, PAPER, fill)


def _route_lines(names: Sequence[str]) -> list[str]:
    """A route on one line or two of about the same length, without its middle if it is long."""
    for kept in range(len(names), 1, -1):
        first, last = -(-kept // 2), kept // 2
        shown = names if kept == len(names) else [*names[:first], "\u2026", *names[-last:]]
        one = [f" {ARROW} ".join(shown)]
        halves = (
            [f" {ARROW} ".join(shown[:cut]), f"{ARROW} " + f" {ARROW} ".join(shown[cut:])]
            for cut in range(1, len(shown))
        )
        lines = one if _widest(one) <= _WIDEST else min(halves, key=_widest)
        if _widest(lines) <= _WIDEST:
            return lines
    return [names[0], f"{ARROW} {names[-1]}"]


def _widest(lines: Sequence[str]) -> float:
    return max(text_width(line, _SIZE) for line in lines)
