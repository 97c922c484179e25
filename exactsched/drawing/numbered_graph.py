"""Graphs on nodes 0, 1, ... with a number on each arc or edge, parallel ones included."""

from __future__ import annotations

from typing import Any

from exactsched.drawing.canvas import INK, PAPER, SOFT_INK, Fragment, lettered, tag
from exactsched.drawing.curves import Curve, arrowhead, unit
from exactsched.drawing.key import notes
from exactsched.drawing.layout import node_positions
from exactsched.drawing.lettering import clipped, counted, printable
from exactsched.drawing.node_boxes import LABELED_AT, NodeBoxes, placed_label

_RADIUS = 15.0
_UNIT = 118.0
_APART = 15.0
# Between two columns the middle is where lines cross.
_NEAR_ITS_END = (0.22, 0.3, 0.16, 0.38, 0.78, 0.7, 0.5)
_MOST_NODES = 200
_MOST_LINKS = 600


def is_numbered_graph(value: object) -> bool:
    """Whether a document has a size, arcs or edges between nodes below it, and their numbers.

    >>> is_numbered_graph({"size": 2, "arcs": [[0, 1]], "numbers": ["1/2"]})
    True
    >>> is_numbered_graph({"size": 1, "arcs": [[0, 1]], "numbers": [1]})
    False
    """
    if not isinstance(value, dict) or not {"size", "numbers"} <= set(value):
        return False
    links, size, numbers = _links(value), value["size"], value["numbers"]
    if type(size) is not int or not isinstance(numbers, list) or not isinstance(links, list):
        return False
    return (
        0 < size <= _MOST_NODES
        and len(links) == len(numbers) <= _MOST_LINKS
        and all(
            isinstance(link, list)
            and len(link) == 2
            and all(type(end) is int and 0 <= end < size for end in link)
            for link in links
        )
    )


def _links(value: dict[str, Any]) -> Any:
    return value.get("arcs", value.get("edges"))


def numbered_graph(value: dict[str, Any], bipartite: bool) -> Fragment:
    """The graph of such a document; `arcs` have arrowheads, `edges` have none.

    `bipartite`: edges go from the nodes on the left to those on the right, numbered alike.

    >>> drawn = numbered_graph({"size": 2, "edges": [[0, 0], [0, 0]], "numbers": [7, 8]}, True)
    >>> drawn.body.count("<path"), ">v1<" in drawn.body
    (2, True)
    """
    size, directed = value["size"], "arcs" in value
    links = [tuple(link) for link in _links(value)]
    names = [str(node) for node in range(size)]
    if bipartite and not directed:
        links = [(left, size + right) for left, right in links]
        names = [f"u{node}" for node in range(size)] + [f"v{node}" for node in range(size)]
        points = [complex(0, 0.62 * node) for node in range(size)]
        points += [point + 2.4 for point in points]
        labeled_at = _NEAR_ITS_END
    else:
        labeled_at = LABELED_AT
        points = node_positions(size, [link for link in links if link[0] != link[1]], 0)
    edge = _RADIUS + 10
    points = [point * _UNIT + complex(edge, edge) for point in points]
    boxes = NodeBoxes(points, [_RADIUS] * len(points), _RADIUS)
    covered = boxes.covered()
    lines, labels, loops, missing = [], [], [], 0
    for (tail, _), number, curve in zip(
        links, value["numbers"], _curves(boxes, links), strict=True
    ):
        shown = clipped(printable(number, 24), 110, 10.5)
        if curve is None:
            loops.append(f"{tail} (number {shown})")
            continue
        lines.append(tag("path", d=curve.path, stroke=SOFT_INK, stroke_width=1.3, fill="none"))
        if directed:
            lines.append(arrowhead(curve, 8, SOFT_INK))
        spots = [curve.at(share) for share in labeled_at]
        label = placed_label(shown, spots, 10.5, INK, covered)
        missing += label is None
        labels.append(label or "")
    nodes = [
        boxes.outline(node, 0, fill=PAPER, stroke=INK, stroke_width=1.6)
        + lettered(name, points[node].real, points[node].imag + 4, 12, anchor="middle")
        for node, name in enumerate(names)
    ]
    width = max(point.real for point in points) + edge + 20
    height = max(point.imag for point in points) + edge
    graph = Fragment(width, height, "".join([*lines, *labels, *nodes]))
    small = []
    if loops:
        small.append(f"Loops, not drawn: {', '.join(loops)}.")
    if missing:
        small.append(f"{counted(missing, 'number')} not shown for lack of room.")
    if not small:
        return graph
    words = notes(small, max(width, 320))
    body = graph.body + words.at(0, height + 8)
    return Fragment(max(width, words.width), height + 8 + words.height, body)


def _curves(boxes: NodeBoxes, links: list[tuple[int, ...]]) -> list[Curve | None]:
    """A curve for each link, none for a loop; those between the same two nodes side by side."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for index, link in enumerate(links):
        alike.setdefault(tuple(sorted(link)), []).append(index)
    curves: list[Curve | None] = []
    for index, (tail, head) in enumerate(links):
        if tail == head:
            curves.append(None)
            continue
        group = alike[tuple(sorted((tail, head)))]
        offset = (group.index(index) - (len(group) - 1) / 2) * _APART
        if len(group) == 1:
            curves.append(boxes.curve(tail, head))
            continue
        sign = 1 if tail < head else -1
        start, end = boxes.points[tail], boxes.points[head]
        across = unit(end - start) * 1j * sign * offset
        middle = (start + end) / 2 + 2 * across
        first, last = unit(middle - start), unit(end - middle)
        curves.append(Curve(start + first * (_RADIUS + 1), middle, end - last * (_RADIUS + 2)))
    return curves
