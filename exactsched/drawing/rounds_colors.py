"""Which color means what in pictures of runs in steps: packets, or how widespread they are."""

from __future__ import annotations

from exactsched.drawing.canvas import COLORS, color
from exactsched.drawing.rounds_traffic import RoundTraffic

_NEW = "#d55e00"
# Up to this share of all nodes, in quarters, has the packet.
_SPREAD = (
    (1, "#e69f00", "up to a quarter"),
    (2, "#009e73", "up to a half"),
    (4, "#0072b2", "more"),
)
SHADES = ("#ffffff", "#e9edf2", "#d0d8e1", "#b4c0cd", "#97a7b8", "#7b8fa4", "#607890", "#486178")
FULL = "#1d2733"


def by_packet(traffic: RoundTraffic) -> bool:
    """Whether there are few enough packets to give each its own color."""
    return traffic.packets <= COLORS


def arrow_color(traffic: RoundTraffic, packet: int, copies: int) -> str:
    """The color of a transfer of a packet that so many nodes have."""
    return palette(traffic)[color_class(traffic, packet, copies)]


def color_class(traffic: RoundTraffic, packet: int, copies: int) -> int:
    """The place of this color in the palette."""
    if by_packet(traffic):
        return packet
    if copies == 1:
        return 0
    quarters = -(-4 * copies // traffic.run.size)
    return next((1 + k for k, (most, *_) in enumerate(_SPREAD) if quarters <= most), len(_SPREAD))


def palette(traffic: RoundTraffic) -> list[str]:
    """All colors of transfers."""
    if by_packet(traffic):
        return [color(packet) for packet in range(traffic.packets)]
    return [_NEW, *(fill for _, fill, _ in _SPREAD)]


def color_key(traffic: RoundTraffic) -> list[tuple[str, str]]:
    """What the colors mean."""
    if by_packet(traffic):
        return [(fill, f"{number}") for number, fill in enumerate(palette(traffic))]
    spread = [(fill, f"{said} of the nodes") for _, fill, said in _SPREAD[:-1]]
    return [(_NEW, "a packet that one node has"), *spread, (_SPREAD[-1][1], "more of them")]


def shade(have: int, packets: int) -> str:
    """The darker, the more of the packets a node has; `FULL` for all of them.

    >>> shade(0, 9), shade(1, 9) == SHADES[1], shade(8, 9) == SHADES[7], shade(9, 9)
    ('#ffffff', True, True, '#1d2733')
    """
    if have >= packets:
        return FULL
    # 0 is white, and nothing else is.
    return SHADES[-(-have * (len(SHADES) - 1) // packets)]
