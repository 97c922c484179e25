"""Which color means what: trees by weight, or the packets of a run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactsched.certificate import BroadcastCertificate, RunCertificate, SeriesCertificate
from exactsched.drawing.canvas import (
    COLORS,
    OTHER,
    SOFT_INK,
    Fragment,
    color,
    lettered,
    stacked,
    tag,
)
from exactsched.drawing.lettering import clipped, counted, short, text_width
from exactsched.drawing.timeline import Flow, flows, packet_routes

_ROUTES_IN_COLOR = 8
_ROUTE = "#41607f"
_LINE = 19
_SIZE = 11.5


@dataclass(frozen=True, slots=True)
class Key:
    """Colors of the flows (trees) on the graph and of the streams (trees, packets) on the rows.

    `ranks` lists the flows from the heaviest; `entries` explains the colors in this order.
    """

    flows: list[Flow]
    ranks: list[int]
    flow_colors: list[str]
    stream_colors: list[str]
    entries: list[tuple[str, str]]


def key_of(certificate: BroadcastCertificate) -> Key:
    """Trees have colors by weight; packets those of their routes if there are few, else in turn."""
    found = flows(certificate)
    ranks = sorted(range(len(found)), key=lambda index: (-found[index].messages, index))
    colors = [OTHER] * len(found)
    for rank, index in enumerate(ranks[:COLORS]):
        colors[index] = color(rank)
    if isinstance(certificate, SeriesCertificate):
        period = certificate.schedule.period if certificate.schedule else Fraction(1)
        entries = [
            (
                colors[index],
                f"tree {index + 1}: {short(found[index].messages / period)} per time unit, "
                f"{counted(found[index].messages, 'message')} a period",
            )
            for index in ranks[:COLORS]
        ]
        if len(ranks) > COLORS:
            entries.append((OTHER, f"the {len(ranks) - COLORS} lightest trees"))
        return Key(found, ranks, colors, colors, entries)
    if 1 < len(found) <= _ROUTES_IN_COLOR:
        index_of = {flow.arcs: index for index, flow in enumerate(found)}
        entries = [
            (colors[index], f"tree {index + 1}: {counted(found[index].messages, 'packet')}")
            for index in ranks
        ]
        streams = [colors[index_of[route]] for route in packet_routes(certificate)]
        return Key(found, ranks, colors, streams, entries)
    return _packets_in_turn(certificate, found, ranks)


def _packets_in_turn(run: RunCertificate, found: list[Flow], ranks: list[int]) -> Key:
    streams = [color(packet % 8) for packet in range(len(run.packets))]
    one = "all packets take one tree"
    routes = one if len(found) == 1 else f"the packets take {len(found)} different trees"
    entries = [(_ROUTE, f"arcs in use: {routes}")]
    return Key(found, ranks, [_ROUTE] * len(found), streams, entries)


def legend(key: Key, width: float) -> Fragment:
    """The entries of a key in one column, or in two if they fit."""
    widest = max((text_width(shown, _SIZE) for _, shown in key.entries), default=0) + 34
    columns = 2 if len(key.entries) > 4 and 2 * widest <= width else 1
    lines = -(-len(key.entries) // columns)
    body = []
    for index, (fill, shown) in enumerate(key.entries):
        x, y = index // lines * (width / columns), index % lines * _LINE
        body.append(tag("rect", x=x, y=y + 3, width=16, height=11, rx=2, fill=fill))
        body.append(lettered(clipped(shown, width - 24, _SIZE), x + 24, y + 12.5, _SIZE))
    return Fragment(width, lines * _LINE, "".join(body))


def notes(lines: list[str], width: float) -> Fragment:
    """Small print: each line is broken where the width ends."""
    broken: list[str] = []
    for line in lines:
        current = ""
        for word in line.split():
            longer = f"{current} {word}".strip()
            if current and text_width(longer, 10.5) > width:
                broken.append(current)
                longer = word
            current = longer
        broken.append(clipped(current, width, 10.5))
    return stacked(
        (Fragment(width, 10, lettered(line, 0, 9, 10.5, fill=SOFT_INK)) for line in broken), 5
    )
