"""Trees of boxes, with arrows from above to below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from exactsched.drawing.layout.layers import Placed, place_in_layers
from exactsched.drawing.lettering import text_width
from exactsched.drawing.palette import PAPER, SOFT_INK, ink_on
from exactsched.drawing.renderers.svg.canvas import Fragment, group, lettered, px, tag
from exactsched.drawing.scene import Box, Tree

_SIZE = 10.5
_LINE = 13.0
_BETWEEN = 26.0
_HEADED = 7.0


def tree_fragment(tree: Tree) -> Fragment:
    """The boxes in layers, and arrows or lines between them."""
    boxes = tree.boxes
    every, threads = place_in_layers([Placed(_width(box), box.rank, box.inputs) for box in boxes])
    tall: dict[int, float] = {}
    for box, place in zip(boxes, every, strict=False):
        tall[place.layer] = max(tall.get(place.layer, 0.0), _height(box))
    middle: dict[int, float] = {}
    y = 2.0
    for layer in sorted(tall, reverse=not tree.root_on_top):
        middle[layer] = y + tall[layer] / 2
        y += tall[layer] + _BETWEEN
    arrows: list[str] = []
    crossing = iter(threads)
    for box, place in zip(boxes, every, strict=False):
        for number, source in enumerate(box.inputs):
            through = [every[index] for index in next(crossing)]
            if tree.root_on_top:
                arrows.append(_line(every[source], place, boxes[source], box, middle))
            else:
                arrows.append(
                    _arrow(every[source], boxes[source], place, box, number, through, middle, tall)
                )
    drawn = [
        _box(box, place.x, middle[place.layer]) for box, place in zip(boxes, every, strict=False)
    ]
    width = max(place.x + place.width / 2 for place in every)
    return Fragment(width + 2, y - _BETWEEN + 2, "".join(arrows) + "".join(drawn))


def _width(box: Box) -> float:
    # The first line is bold.
    lines = [text_width(box.lines[0], _SIZE) * 1.08, *(text_width(s, _SIZE) for s in box.lines[1:])]
    return max(max(lines) + 18, _height(box) if box.round else 0)


def _height(box: Box) -> float:
    return _LINE * len(box.lines) + 9


def _line(child: Placed, parent: Placed, below: Box, above: Box, middle: dict[int, float]) -> str:
    """A straight line from the parent down to a child in the next layer."""
    return tag(
        "line",
        x1=parent.x,
        y1=middle[parent.layer] + _height(above) / 2,
        x2=child.x,
        y2=middle[child.layer] - _height(below) / 2,
        stroke=SOFT_INK,
        stroke_width=1.2,
    )


def _arrow(
    above: Placed,
    source: Box,
    place: Placed,
    box: Box,
    number: int,
    through: Sequence[Placed],
    middle: dict[int, float],
    tall: dict[int, float],
) -> str:
    """From an input down to its box; two inputs meet the box apart, the left one at the left.

    Arrows bend between the layers only, where no box is in their way.
    """
    aside = place.width * (number + 1) / (len(box.inputs) + 1) - place.width / 2
    bends = [
        (above.x, middle[above.layer] + _height(source) / 2),
        (above.x, middle[above.layer] + tall[above.layer] / 2),
    ]
    for one in through:
        bends.append((one.x, middle[one.layer] - tall[one.layer] / 2))
        bends.append((one.x, middle[one.layer] + tall[one.layer] / 2))
    bends.append((place.x + aside, middle[place.layer] - tall[place.layer] / 2 - _HEADED))
    end_x, end_y = place.x + aside, middle[place.layer] - _height(box) / 2
    path = f"M{px(bends[0][0])} {px(bends[0][1])}"
    for (x, y), (to_x, to_y) in pairwise([*bends, (end_x, end_y - _HEADED + 1)]):
        half = (y + to_y) / 2
        bent = f"C{px(x)} {px(half)} {px(to_x)} {px(half)} "
        path += f"{bent if x != to_x else 'L'}{px(to_x)} {px(to_y)}"
    corners = (end_x, end_y), (end_x - 3.5, end_y - _HEADED), (end_x + 3.5, end_y - _HEADED)
    head = " ".join(f"{px(x)} {px(y)}" for x, y in corners)
    line = tag("path", d=path, fill="none", stroke=SOFT_INK, stroke_width=1.2)
    return line + tag("polygon", points=head, fill=SOFT_INK)


def _box(box: Box, x: float, y: float) -> str:
    width, height = _width(box), _height(box)
    frame = tag(
        "rect",
        x=x - width / 2,
        y=y - height / 2,
        width=width,
        height=height,
        rx=height / 2 if box.round else 4,
        fill=box.fill,
        stroke=box.stroke,
        stroke_width=1.3,
    )
    ink = ink_on(box.fill)
    lines = [
        lettered(
            line,
            x,
            y - height / 2 + 4.5 + _LINE * (number + 0.76),
            _SIZE,
            fill=ink if number == 0 or box.fill != PAPER else SOFT_INK,
            anchor="middle",
            bold=number == 0,
        )
        for number, line in enumerate(box.lines)
    ]
    return group(frame + "".join(lines), box.told)
