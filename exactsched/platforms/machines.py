"""Machines of vendors by name: accelerators, network cards and switches, with nominal bandwidths.

The cost of an arc is 1 / bandwidth in GB/s each way, so throughputs are in GB/s.  Network cards and
switches only forward.  Real machines reach less than the nominal figures.
"""

from __future__ import annotations

from fractions import Fraction

from exactsched.model.platform import Node, Platform, both_ways
from exactsched.platforms.unit_links import check_integers, check_size

# The links of a box of 16 dies by their bandwidths: four links of 50 GB/s, two, or one.
_DIES = 16
_DIE_LINKS = {
    200: ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 13), (14, 15)),
    100: ((0, 4), (3, 7), (8, 12), (11, 15)),
    50: (
        *((0, 8), (1, 5), (1, 9), (1, 10), (2, 6), (2, 9), (2, 10), (3, 11)),
        *((4, 6), (5, 6), (5, 7), (9, 13), (10, 14), (12, 14), (13, 14), (13, 15)),
    ),
}


def dgx_a100(boxes: int) -> Platform:
    """Boxes of 8 GPUs, each with 300 GB/s to the NVSwitch of its box and a network card of 25 GB/s.

    The cards with even index hang on one InfiniBand switch, those with odd index on another.  A
    single box has no cards.

    Reference: NVIDIA, *DGX A100 system user guide*: six NVSwitches, here one, and eight ConnectX-6
    cards of 200 Gb/s.

    >>> dgx_a100(1), len(dgx_a100(2).switches)
    (Platform(9 nodes, 16 arcs), 20)
    """
    _check("dgx-a100", boxes, 18, 48)
    links: list[tuple[str, str, int]] = []
    for box in range(boxes):
        for gpu in range(8 * box, 8 * box + 8):
            links.append((f"gpu{gpu}", f"nvswitch{box}", 300))
            if boxes > 1:
                links.append((f"gpu{gpu}", f"nic{gpu}", 25))
                links.append((f"nic{gpu}", f"switch{gpu % 2}", 25))
    return _platform([f"gpu{gpu}" for gpu in range(8 * boxes)], links)


def dgx_h100(boxes: int) -> Platform:
    """Boxes of 8 GPUs, each with 450 GB/s to the NVSwitch of its box and 50 GB/s to a rail switch.

    GPU i of every box hangs on rail switch i.  A single box has no rails.

    Reference: NVIDIA, *DGX H100 system user guide*: four NVSwitches, here one, and eight ConnectX-7
    cards of 400 Gb/s.

    >>> dgx_h100(1), len(dgx_h100(2).switches)
    (Platform(9 nodes, 16 arcs), 10)
    """
    _check("dgx-h100", boxes, 17, 32)
    links: list[tuple[str, str, int]] = []
    for box in range(boxes):
        for gpu in range(8 * box, 8 * box + 8):
            links.append((f"gpu{gpu}", f"nvswitch{box}", 450))
            if boxes > 1:
                links.append((f"gpu{gpu}", f"rail{gpu % 8}", 50))
    return _platform([f"gpu{gpu}" for gpu in range(8 * boxes)], links)


def mi250(boxes: int) -> Platform:
    """Boxes of 8 MI250 cards, which are 16 dies with links of 50, 100 and 200 GB/s among them.

    With more than one box every die has 16 GB/s to an InfiniBand switch.

    Reference: AMD, *CDNA 2 architecture* white paper (the links among dies).

    >>> mi250(1), len(mi250(2).switches)
    (Platform(16 nodes, 56 arcs), 1)
    """
    _check("mi250", boxes, 17, 2 * (28 + _DIES))
    links: list[tuple[str, str, int]] = []
    for box in range(boxes):
        first = _DIES * box
        for bandwidth, pairs in _DIE_LINKS.items():
            links += [(f"die{first + u}", f"die{first + v}", bandwidth) for u, v in pairs]
        if boxes > 1:
            links += [(f"die{first + die}", "switch", 16) for die in range(_DIES)]
    return _platform([f"die{die}" for die in range(_DIES * boxes)], links)


def _check(family: str, boxes: int, nodes: int, arcs: int) -> None:
    check_integers(family, [boxes], least=1)
    check_size(family, nodes * boxes, arcs * boxes)


def _platform(computing: list[str], links: list[tuple[str, str, int]]) -> Platform:
    known = set(computing)
    others = [end for link in links for end in link[:2] if end not in known]
    switches = list(dict.fromkeys(others))
    arcs = both_ways((one, other, Fraction(1, speed)) for one, other, speed in links)
    nodes: list[Node] = [*computing, *switches]
    return Platform(nodes, arcs, None, switches)
