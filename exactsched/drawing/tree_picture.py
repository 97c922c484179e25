"""Reduction trees as RR-4872 draws them (figures 5, 11, 12): values on top, the result below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from exactsched.certificate.collectives import Certificate, Series
from exactsched.drawing.canvas import (
    INK,
    PAPER,
    SOFT_INK,
    Fragment,
    hint,
    ink_on,
    lettered,
    px,
    tag,
)
from exactsched.drawing.key import Key
from exactsched.drawing.lettering import counted, printable, short, text_width
from exactsched.drawing.tree_layout import Box, placed
from exactsched.drawing.wording import ARROW, step_name, structure_noun
from exactsched.model.platform import Node
from exactsched.model.problem import Reduction
from exactsched.model.tasks import State
from exactsched.steady_state.reduction_tree import Step, tree_steps

MOST_BOXES = 300
_MOST_PLACED = 6000
_SIZE = 10.5
_LINE = 13.0
_WIDEST = 170.0
_BETWEEN = 26.0
_HEADED = 7.0
_HEAD = 30.0
# The frame of a value, which is rounder than the others.
_FRAME = "#97a3b3"


@dataclass(frozen=True, slots=True)
class _Words:
    """What a box says: its lines, all that is told, and how it looks."""

    lines: tuple[str, ...]
    told: str
    fill: str
    stroke: str

    @property
    def width(self) -> float:
        # The first line is bold.
        return max(text_width(self.lines[0], _SIZE) * 1.07, _widest(self.lines)) + 18

    @property
    def height(self) -> float:
        return _LINE * len(self.lines) + 9


def tree_panels(certificate: Certificate, key: Key, most: int) -> tuple[list[Fragment], list[str]]:
    """The heaviest trees (or schemes) of a reduction, and what is to be said of the others.

    Of other collectives nothing; trees of more than MOST_BOXES boxes are left out, and schemes
    whose arrows cross too many layers.
    """
    problem = certificate.problem
    if not isinstance(problem, Reduction):
        return [], []
    noun = structure_noun(problem)
    drawn: list[Fragment] = []
    large = 0
    for index in key.ranks[:most]:
        flow = key.flows[index]
        caption = f"{noun} {index + 1}: {counted(flow.operations, 'operation')}"
        if isinstance(certificate, Series) and certificate.schedule:
            rate = short(flow.operations / certificate.schedule.period, 24)
            caption = f"{noun} {index + 1}: weight {rate}"
        fill = key.flow_colors[index]
        words, boxes = _boxes(problem, tree_steps(problem, flow.tasks), key.names, fill)
        every, threads = placed(boxes) if len(boxes) <= MOST_BOXES else ([], [])
        if every and len(every) <= _MOST_PLACED:
            drawn.append(_drawn(words, every, threads, caption, fill))
        else:
            large += 1
    notes = []
    if len(key.ranks) > most:
        notes.append(f"The {most} heaviest of {counted(len(key.ranks), noun)}.")
    if large:
        verb = "is" if large == 1 else "are"
        notes.append(f"{counted(large, noun)} {verb} too large to be drawn.")
    return drawn, notes


def _boxes(
    problem: Reduction, steps: Sequence[Step], names: Mapping[Node, str], fill: str
) -> tuple[list[_Words], list[Box]]:
    """A box for each transfer, task and result, and for each use of a value."""
    words: list[_Words] = []
    boxes: list[Box] = []

    def add(said: _Words, rank: Fraction, inputs: tuple[int, ...]) -> int:
        words.append(said)
        boxes.append(Box(said.width, rank, inputs))
        return len(boxes) - 1

    number: dict[int, int] = {}
    known: dict[State, int] = {}
    for index, step in enumerate(steps):
        if step.kind == "value":
            continue
        inputs = tuple(
            number[one]
            if one in number
            else add(_step_words(steps[one], names, fill), _middle(steps[one]), ())
            for one in step.inputs
        )
        number[index] = add(_step_words(step, names, fill), _middle(step), inputs)
        known[(step.item[0], step.item[-1]), step.nodes[-1]] = number[index]
    for (k, m), node in problem.goals:
        if ((k, m), node) in known:
            told = f"result [{k},{m}] at {printable(node, 80)}"
            said = _Words((f"result [{k},{m}]", f"at {names[node]}"), told, INK, INK)
            add(said, Fraction(k + m, 2), (known[(k, m), node],))
    return words, boxes


def _middle(step: Step) -> Fraction:
    return Fraction(step.item[0] + step.item[-1], 2)


def _drawn(
    words: Sequence[_Words],
    every: Sequence[Box],
    threads: Sequence[Sequence[int]],
    caption: str,
    fill: str,
) -> Fragment:
    tall: dict[int, float] = {}
    for one, box in zip(words, every, strict=False):
        tall[box.layer] = max(tall.get(box.layer, 0.0), one.height)
    middle: dict[int, float] = {}
    y = _HEAD
    for layer in sorted(tall, reverse=True):
        middle[layer] = y + tall[layer] / 2
        y += tall[layer] + _BETWEEN
    height = y - _BETWEEN + 2
    arrows: list[str] = []
    crossing = iter(threads)
    for box, one in zip(every, words, strict=False):
        for number, source in enumerate(box.inputs):
            # Two inputs meet the box apart, the left one at the left.
            aside = box.width * (number + 1) / (len(box.inputs) + 1) - box.width / 2
            above = every[source]
            start = middle[above.layer] + words[source].height / 2
            # Arrows bend between the layers only, where no box is in their way.
            bends = [(above.x, start), (above.x, middle[above.layer] + tall[above.layer] / 2)]
            for thread in next(crossing):
                through = every[thread]
                half = tall[through.layer] / 2
                bends.append((through.x, middle[through.layer] - half))
                bends.append((through.x, middle[through.layer] + half))
            bends.append((box.x + aside, middle[box.layer] - tall[box.layer] / 2 - _HEADED))
            bends.append((box.x + aside, middle[box.layer] - one.height / 2))
            arrows.append(_arrow(bends))
    drawn = [_box(one, box.x, middle[box.layer]) for one, box in zip(words, every, strict=False)]
    head = tag("rect", x=0, y=2, width=16, height=11, rx=2, fill=fill)
    head += lettered(caption, 24, 12, 12, bold=True)
    width = max(max(box.x + box.width / 2 for box in every), text_width(caption, 12) * 1.08 + 26)
    return Fragment(width + 2, height, head + "".join(arrows) + "".join(drawn))


def _step_words(step: Step, names: Mapping[Node, str], fill: str) -> _Words:
    item = ",".join(map(str, step.item))
    where = names[step.nodes[0]]
    told = step_name(step)
    if step.kind == "value":
        return _Words((f"v[{step.item[0]}]", f"at {where}"), told, PAPER, _FRAME)
    if step.kind == "task":
        return _Words((f"cons[{item}]", f"on node {where}"), told, fill, fill)
    route = _route_lines([names[node] for node in step.nodes])
    return _Words((f"transfer [{item}]", *route), told, PAPER, fill)


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


def _box(words: _Words, x: float, y: float) -> str:
    width, height = words.width, words.height
    frame = tag(
        "rect",
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=4 if words.stroke != _FRAME else height / 2,
        fill=words.fill,
        stroke=words.stroke,
        stroke_width=1.3,
    )
    ink = ink_on(words.fill)
    lines = [
        lettered(
            line,
            x,
            y - height / 2 + 4.5 + _LINE * (number + 0.76),
            _SIZE,
            fill=ink if number == 0 or words.fill != PAPER else SOFT_INK,
            anchor="middle",
            bold=number == 0,
        )
        for number, line in enumerate(words.lines)
    ]
    return f"<g>{hint(words.told)}{frame}{''.join(lines)}</g>"


def _arrow(bends: Sequence[tuple[float, float]]) -> str:
    """Down through all points to the last one, on the upper border of a box."""
    path = f"M{px(bends[0][0])} {px(bends[0][1])}"
    end_x, end_y = bends[-1]
    for (x, y), (to_x, to_y) in pairwise([*bends[:-1], (end_x, end_y - _HEADED + 1)]):
        half = (y + to_y) / 2
        bent = f"C{px(x)} {px(half)} {px(to_x)} {px(half)} "
        path += f"{bent if x != to_x else 'L'}{px(to_x)} {px(to_y)}"
    corners = (end_x, end_y), (end_x - 3.5, end_y - _HEADED), (end_x + 3.5, end_y - _HEADED)
    head = " ".join(f"{px(x)} {px(y)}" for x, y in corners)
    line = tag("path", d=path, fill="none", stroke=SOFT_INK, stroke_width=1.2)
    return line + tag("polygon", points=head, fill=SOFT_INK)
