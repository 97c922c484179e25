"""Platforms on which the papers work out an example.

RR-4871: Beaumont, Legrand, Marchal, Robert, *Optimizing the steady-state throughput of broadcasts
on heterogeneous platforms*, INRIA 2003.  RR-4872: Legrand, Marchal, Robert, *Optimizing the
steady-state throughput of scatter and reduce operations on heterogeneous platforms*, INRIA 2003.
"""

from __future__ import annotations

from fractions import Fraction

from exactsched.model.platform import Platform, both_ways


def legrand_fig1() -> Platform:
    """Figure 1 of RR-4871: one-port throughput 1 for a broadcast from Ps, 2/3 with a single tree.

    The costs are reconstructed (the figure survives as an image only); with them all numbers of
    section 4.4 come out, and the best acyclic solution has throughput 4/5.

    >>> legrand_fig1().nodes
    ('Ps', 'P1', 'P2', 'P3', 'P4')
    """
    return Platform(
        ["Ps", "P1", "P2", "P3", "P4"],
        [
            *[("Ps", "P1", 1), ("Ps", "P2", 1), ("P1", "P2", 1), ("P2", "P1", 1)],
            *[("P1", "P3", "1/2"), ("P2", "P4", "1/2")],
        ],
    )


def scatter_toy() -> Platform:
    """The scatter example of RR-4872: throughput 1/2 from Ps to the targets P0 and P1.

    >>> print(scatter_toy())
    Platform(5 nodes, 5 arcs)
    """
    return Platform(
        ["Ps", "Pa", "Pb", "P0", "P1"],
        [
            *[("Ps", "Pa", 1), ("Ps", "Pb", 1), ("Pa", "P0", "2/3")],
            *[("Pb", "P0", "4/3"), ("Pb", "P1", "4/3")],
        ],
    )


def reduce_toy() -> Platform:
    """The reduce example of RR-4872: a unit triangle, throughput 1 towards P0.

    The time `compute` of a task is 1/2 on P0 and 1 on P1 and P2.

    >>> print(reduce_toy())
    Platform(3 nodes, 6 arcs)
    """
    return Platform(
        ["P0", "P1", "P2"],
        both_ways([("P0", "P1", 1), ("P0", "P2", 1), ("P1", "P2", 1)]),
        {"P0": {"compute": "1/2"}, "P1": {"compute": 1}, "P2": {"compute": 1}},
    )


def tiers_2003() -> Platform:
    """The Tiers platform of section 4.7 of RR-4872: reduce throughput 2/9 towards node 6.

    Costs are 10/bandwidth (messages of size 10), `compute` is 10/speed for the hosts 6..13, and
    `index` is their logical index in the reduction; the routers 0..5 have neither.

    Printed in Figure 9: the nodes, speeds, logical indices and the 17 bandwidths.  Reconstructed:
    the links, which are those of the routes of Figures 10 to 12 (17 as well), and which bandwidth
    belongs to which link.  The local links have 1000 (four times).  For the others we took
    the order in which the text of Figure 9 runs down the page, each label near the middle
    of its link.  Several assignments fit that almost equally well, and this is one of them.
    The throughput does not tell them apart: it hangs on the two slowest links, 8 and
    10, which must have a node in common (here 0, which both trees then keep busy all the time:
    4/9 * (10/8 + 10/10) = 1), and not on the order of the others.

    >>> print(tiers_2003())
    Platform(14 nodes, 34 arcs)
    """
    bandwidths = {
        # wide area
        (0, 1): 10,
        (0, 5): 8,
        (1, 2): 14,
        # metropolitan
        (2, 3): 240,
        (2, 6): 144,
        (2, 8): 146,
        (3, 6): 187,
        (3, 8): 286,
        (4, 5): 125,
        (4, 10): 182,
        (4, 12): 266,
        (5, 10): 295,
        (5, 12): 208,
        # local
        (6, 7): 1000,
        (8, 9): 1000,
        (10, 11): 1000,
        (12, 13): 1000,
    }
    speeds = {6: 92, 7: 64, 8: 55, 9: 75, 10: 17, 11: 15, 12: 38, 13: 79}
    index = {6: 4, 7: 6, 8: 1, 9: 3, 10: 7, 11: 0, 12: 5, 13: 2}
    return Platform(
        range(14),
        both_ways((*link, Fraction(10, bandwidth)) for link, bandwidth in bandwidths.items()),
        {host: {"compute": Fraction(10, speeds[host]), "index": index[host]} for host in speeds},
    )
