"""The automaton of legal words as the paper's figure 2 draws it: start states in double circles."""

from __future__ import annotations

from cmath import exp, pi
from collections.abc import Sequence
from itertools import combinations
from typing import TypeVar

from exactsched.drawing.canvas import INK, PAPER, SOFT_INK, Fragment, color, lettered, stacked, tag
from exactsched.drawing.curves import Curve, arrowhead, shortened, unit
from exactsched.drawing.key import notes
from exactsched.drawing.lettering import text_width
from exactsched.drawing.logp_wording import index_name
from exactsched.exact.errors import InvalidInput
from exactsched.logp.word_automaton import WordAutomaton

MOST_STATES = 40
# A round of exchanges takes n^2 counts of crossings; 0.1 s for twelve states.
_MOST_SORTED = 12
_SIZE = 12.0
_HEAD = 8.0
_MARGIN = 28
_LOOP = 26.0
# How far a curve bends to its right, as a share of its length.
_BEND = 0.12

State = TypeVar("State")


def automaton_svg(automaton: WordAutomaton[State]) -> str:
    """The states on a circle, in an order in which few transitions cross, with their letters.

    Start states have double borders.  Raises `InvalidInput` for more than MOST_STATES states.

    >>> from exactsched.logp.word_automaton import word_automaton
    >>> drawn = automaton_svg(word_automaton(3))
    >>> drawn.count("<circle"), drawn.count("<polygon")  # 7 states, 2 of them starts; transitions
    (9, 14)
    """
    count = len(automaton.states)
    if count > MOST_STATES:
        raise InvalidInput("automaton", f"{count} states", f"at most {MOST_STATES} are drawn")
    number = {state: index for index, state in enumerate(automaton.states)}
    names = [_state_name(state) for state in automaton.states]
    arcs = [
        (number[state], number[head], index_name(letter))
        for state, following in automaton.transitions.items()
        for letter, head in following.items()
    ]
    radius = max(15.0, *(text_width(name, _SIZE) / 2 + 6 for name in names))
    circle = max(110.0, count * (2 * radius + 56) / (2 * pi)) if count > 1 else 0.0
    half = circle + radius + 2 * _LOOP
    center = complex(half, half)
    order = _few_crossings(count, [(tail, head) for tail, head, _ in arcs])
    place = [0j] * count
    for position, state in enumerate(order):
        place[state] = center - circle * 1j * exp(2j * pi * position / count)
    lines: list[str] = []
    letters: list[str] = []
    for tail, head, letter in arcs:
        line, label = _transition(place[tail], place[head], center, radius)
        path = shortened(line, _HEAD - 2).path
        lines.append(tag("path", d=path, fill="none", stroke=SOFT_INK, stroke_width=1.2))
        lines.append(arrowhead(line, _HEAD, SOFT_INK))
        letters.append(
            tag(
                "text",
                letter,
                x=label.real,
                y=label.imag + 4,
                font_size=_SIZE,
                fill=INK,
                text_anchor="middle",
                paint_order="stroke",
                font_weight="600",
                stroke=PAPER,
                stroke_width=4,
                stroke_linejoin="round",
            )
        )
    states = [
        _state(name, place[index], radius, automaton.states[index] in automaton.starts)
        for index, name in enumerate(names)
    ]
    drawn = Fragment(2 * half, 2 * half, "".join([*lines, *states, *letters]))
    title = f"Legal words for L = {automaton.L}"
    heading = Fragment(max(2 * half, 230), 16, lettered(title, 0, 13, 14, bold=True))
    small = notes(["States in double circles are start states."], max(2 * half, 230))
    return stacked([heading, drawn, small], 6).document(title, _MARGIN)


def _state_name(state: object) -> str:
    """A window of letters as a word; a juggling state as the set of its landing times."""
    if isinstance(state, tuple):
        return "".join(index_name(letter) for letter in state) or "\u03b5"
    if isinstance(state, frozenset):
        return f"{{{','.join(map(str, sorted(state)))}}}"
    return str(state)


def _transition(
    tail: complex, head: complex, center: complex, radius: float
) -> tuple[Curve, complex]:
    """The curve from border to border, and the place of its letter."""
    if tail == head:
        # Away from the center; upwards if there is one state only.
        out = unit(tail - center) if tail != center else -1j
        sides = out * exp(0.75j), out * exp(-0.75j)
        control = tail + out * (radius + 2.6 * _LOOP)
        loop = Curve(tail + radius * sides[0], control, tail + radius * sides[1])
        return loop, loop.at(0.5) + out * 2
    # Both directions between two states bend apart.
    control = (tail + head) / 2 + (head - tail) * 1j * _BEND
    start = tail + unit(control - tail) * radius
    curve = Curve(start, control, head + unit(control - head) * radius)
    return curve, curve.at(0.42)


def _few_crossings(count: int, arcs: Sequence[tuple[int, int]]) -> list[int]:
    """An order around a circle: two states change places as long as fewer chords cross then."""
    chords = sorted({(min(ends), max(ends)) for ends in arcs if ends[0] != ends[1]})
    order = list(range(count))

    def crossings() -> int:
        position = {state: index for index, state in enumerate(order)}
        spans = [tuple(sorted((position[one], position[other]))) for one, other in chords]
        return sum(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(spans, 2))

    fewest = crossings()
    improved = count <= _MOST_SORTED
    while improved:
        improved = False
        for one, other in combinations(range(count), 2):
            order[one], order[other] = order[other], order[one]
            now = crossings()
            if now < fewest:
                fewest, improved = now, True
            else:
                order[one], order[other] = order[other], order[one]
    return order


def _state(name: str, place: complex, radius: float, start: bool) -> str:
    rings = [radius, radius - 3] if start else [radius]
    drawn = [
        tag(
            "circle",
            cx=place.real,
            cy=place.imag,
            r=ring,
            fill=PAPER if ring == radius else "none",
            stroke=color(0),
            stroke_width=1.4,
        )
        for ring in rings
    ]
    drawn.append(lettered(name, place.real, place.imag + 4, _SIZE, anchor="middle", bold=True))
    return "".join(drawn)
