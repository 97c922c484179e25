"""Machines and fabrics by name: accelerators or hosts, network cards and switches, with bandwidths.

The cost of an arc of a vendor's machine is 1 / its nominal bandwidth in GB/s each way, so
throughputs are in GB/s; real machines reach less.  The links of fat trees and leaf-spine networks
have bandwidth 1, so throughputs are in the bandwidth of a link.  Network cards and switches only
forward.
"""

from __future__ import annotations

from fractions import Fraction

from exactsched.model.platform import Node, Platform, both_ways
from exactsched.platforms.switch_networks import fat_tree_graph
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

    >>> print(dgx_a100(1), len(dgx_a100(2).switches))
    Platform(9 nodes, 16 arcs) 20
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

    >>> print(dgx_h100(1), len(dgx_h100(2).switches))
    Platform(9 nodes, 16 arcs) 10
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

    >>> print(mi250(1), len(mi250(2).switches))
    Platform(16 nodes, 56 arcs) 1
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


def fat_tree(ports: int) -> Platform:
    """The fat tree of switches with k ports each (k even), which only forward: k^3/4 hosts.

    Hosts are 0..k^3/4-1; the 5k^2/4 switches are numbered, and linked, as in `fat_tree_graph`.
    Into every host leads one link of bandwidth 1, which is the bottleneck of an allgather.

    Reference: Al-Fares, Loukissas, Vahdat, *A scalable, commodity data center network
    architecture*, SIGCOMM 2008: all links of one bandwidth, there 1 Gb/s.

    >>> print(fat_tree(4), len(fat_tree(4).switches))
    Platform(36 nodes, 96 arcs) 20
    """
    graph = fat_tree_graph(ports)
    return Platform(graph.nodes, graph.arcs, None, graph.nodes[ports**3 // 4 :])


def leaf_spine(leaves: int, spines: int, hosts: int) -> Platform:
    """Leaf switches with this many hosts each, all linked to all spine switches; both only forward.

    All links have bandwidth 1.  With more hosts at a leaf than spines the links upwards are
    oversubscribed, as hosts to spines.

    Reference: Alizadeh, Edsall, *On the data path performance of leaf-spine datacenter fabrics*,
    Hot Interconnects 2013 (the topology).

    >>> print(leaf_spine(4, 2, 3), sorted(map(str, leaf_spine(2, 1, 1).switches)))
    Platform(18 nodes, 40 arcs) ['leaf0', 'leaf1', 'spine0']
    """
    check_integers("leaf-spine", [leaves, spines, hosts], least=1)
    links_of_leaf = hosts + spines
    check_size("leaf-spine", leaves * (hosts + 1) + spines, 2 * leaves * links_of_leaf)
    below = [(f"host{host}", f"leaf{host // hosts}", 1) for host in range(leaves * hosts)]
    above = [(f"leaf{one}", f"spine{two}", 1) for one in range(leaves) for two in range(spines)]
    return _platform([host for host, _, _ in below], below + above)


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
