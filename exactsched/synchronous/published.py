"""Tables 2 to 6 of Balanced Saturation (2025), and the same rows as our schedules give them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from exactsched.certificate.synchronous import SynchronousRun
from exactsched.exact.errors import InvalidInput
from exactsched.platforms.built_in import cubic_16, grid
from exactsched.synchronous.baselines import early_tree, greedy_broadcast, grid_tree, tree_broadcast
from exactsched.synchronous.cyclic_plan import CyclicPlan, balanced_plan, cyclic_broadcast
from exactsched.synchronous.graph import SynchronousGraph, synchronous_graph
from exactsched.synchronous.scatter_allgather import scatter_allgather

PACKETS = (100, 500, 2500)
ALGORITHMS = ("BBS", "Greedy", "Binary-Tree", "SRDA")

# The solutions tried for BBS: at most _MOST_TRIES, and a limit on all their nodes together.
_MOST_TRIES = 16
_WORK = 2048

# For each algorithm steps, average number of active edges, and steps relative to BBS, as printed,
# for 100 | 500 | 2500 packets.
_PRINTED = """
4x4
  BBS: 212 7.1 1.00 | 1012 7.4 1.00 | 5012 7.5 1.00
  Greedy: 266 5.6 1.25 | 1294 5.8 1.28 | 6365 5.9 1.27
  Binary-Tree: 303 5.0 1.43 | 1503 5.0 1.49 | 7503 5.0 1.50
  SRDA: 360 5.0 1.70 | 1771 5.1 1.75 | 8790 5.1 1.75
2x2x4
  BBS: 209 7.2 1.00 | 1009 7.4 1.00 | 5009 7.5 1.00
  Greedy: 278 5.4 1.33 | 1324 5.7 1.31 | 6678 5.6 1.33
  Binary-Tree: 305 4.9 1.46 | 1505 5.0 1.49 | 7505 5.0 1.50
  SRDA: 308 4.9 1.47 | 1522 4.9 1.51 | 7586 4.9 1.51
16K3
  BBS: 206 7.3 1.00 | 1006 7.5 1.00 | 5006 7.5 1.00
  Greedy: 303 5.0 1.47 | 1505 5.0 1.50 | 7517 5.0 1.50
  Binary-Tree: 302 5.0 1.47 | 1502 5.0 1.49 | 7502 5.0 1.50
  SRDA: 309 5.5 1.50 | 1528 5.6 1.52 | 7609 5.6 1.52
4x16
  BBS: 250 25.2 1.00 | 1050 30.0 1.00 | 5050 31.2 1.00
  Greedy: 288 21.9 1.15 | 1332 23.6 1.27 | 6501 24.2 1.29
  Binary-Tree: 315 20.0 1.26 | 1515 20.8 1.44 | 7515 21.0 1.49
  SRDA: 432 16.5 1.73 | 2035 17.7 1.94 | 9944 18.1 1.97
8x8
  BBS: 231 27.3 1.00 | 1031 30.6 1.00 | 5031 31.3 1.00
  Greedy: 292 21.6 1.26 | 1334 23.6 1.29 | 6589 23.9 1.31
  Binary-Tree: 311 20.3 1.35 | 1511 20.8 1.47 | 7511 21.0 1.49
  SRDA: 409 16.9 1.77 | 1945 18.0 1.89 | 9621 18.2 1.91
4x4x4
  BBS: 224 28.1 1.00 | 1026 30.7 1.00 | 5024 31.3 1.00
  Greedy: 316 19.9 1.41 | 1579 19.9 1.54 | 7811 20.2 1.55
  Binary-Tree: 414 15.2 1.85 | 2014 15.6 1.96 | 10014 15.7 1.99
  SRDA: 356 17.7 1.59 | 1768 17.8 1.72 | 8799 17.9 1.75
6x32
  BBS: 317 60.3 1.00 | 1114 85.7 1.00 | 5114 93.4 1.00
  Greedy: 321 59.5 1.01 | 1384 69.0 1.24 | 6633 72.0 1.30
  Binary-Tree: 333 57.4 1.05 | 1533 62.3 1.38 | 7533 63.4 1.47
  SRDA: 463 44.7 1.46 | 2122 49.1 1.90 | 10240 51.0 2.00
12x16
  BBS: 273 70.0 1.00 | 1073 89.0 1.00 | 5073 94.1 1.00
  Greedy: 308 62.0 1.13 | 1359 70.3 1.27 | 6600 72.3 1.30
  Binary-Tree: 323 59.1 1.18 | 1523 62.7 1.42 | 7523 63.5 1.48
  SRDA: 431 46.6 1.58 | 2054 49.5 1.91 | 9990 51.0 1.97
4x6x8
  BBS: 242 78.9 1.00 | 1042 91.7 1.00 | 5042 94.7 1.00
  Greedy: 322 59.3 1.33 | 1564 61.1 1.50 | 7830 61.0 1.55
  Binary-Tree: 422 45.3 1.74 | 2022 47.2 1.94 | 10022 47.6 1.99
  SRDA: 335 57.0 1.38 | 1787 53.4 1.71 | 8961 53.3 1.78
8x64
  BBS: 442 115.6 1.00 | 1245 205.2 1.00 | 5245 243.6 1.00
  Greedy: 371 137.7 0.84 | 1424 179.4 1.14 | 6700 190.7 1.28
  Binary-Tree: 367 139.2 0.83 | 1567 163.1 1.26 | 7567 168.8 1.44
  SRDA: 504 106.7 1.14 | 2195 124.2 1.76 | 10499 130.0 2.00
16x32
  BBS: 328 155.8 1.00 | 1128 226.5 1.00 | 5128 249.1 1.00
  Greedy: 332 153.9 1.01 | 1387 184.2 1.23 | 6641 192.4 1.30
  Binary-Tree: 343 149.0 1.05 | 1543 165.6 1.37 | 7543 169.4 1.47
  SRDA: 463 113.8 1.41 | 2132 125.1 1.89 | 10254 130.1 2.00
4x8x16
  BBS: 275 185.8 1.00 | 1073 238.1 1.00 | 5075 251.7 1.00
  Greedy: 342 149.4 1.24 | 1588 160.9 1.48 | 7820 163.4 1.54
  Binary-Tree: 434 117.7 1.58 | 2034 125.6 1.90 | 10034 127.3 1.98
  SRDA: 405 126.2 1.47 | 1849 138.2 1.72 | 9040 141.3 1.78
8x8x8
  BBS: 259 197.3 1.00 | 1062 240.6 1.00 | 5059 252.5 1.00
  Greedy: 329 155.3 1.27 | 1595 160.2 1.50 | 7844 162.9 1.55
  Binary-Tree: 438 116.7 1.69 | 2038 125.4 1.92 | 10038 127.3 1.98
  SRDA: 352 145.2 1.36 | 1946 131.3 1.83 | 9583 133.3 1.89
16x64
  BBS: 442 231.4 1.00 | 1247 410.2 1.00 | 5247 487.4 1.00
  Greedy: 375 272.8 0.85 | 1437 355.9 1.15 | 6647 384.8 1.27
  Binary-Tree: 375 272.8 0.85 | 1575 324.8 1.26 | 7575 337.6 1.44
  SRDA: 505 207.9 1.14 | 2181 242.4 1.75 | 10478 253.2 2.00
32x32
  BBS: 385 265.7 1.00 | 1182 432.7 1.00 | 5182 493.5 1.00
  Greedy: 343 298.3 0.89 | 1395 366.7 1.18 | 6676 383.1 1.29
  Binary-Tree: 359 285.0 0.93 | 1559 328.1 1.32 | 7559 338.3 1.46
  SRDA: 478 217.4 1.24 | 2132 245.2 1.80 | 10287 255.8 1.99
8x8x16
  BBS: 284 360.2 1.00 | 1084 471.9 1.00 | 5113 500.2 1.00
  Greedy: 350 292.3 1.23 | 1609 317.9 1.48 | 7839 326.3 1.53
  Binary-Tree: 446 229.4 1.57 | 2046 250.0 1.89 | 10046 254.6 1.96
  SRDA: 410 249.5 1.44 | 1861 274.9 1.72 | 9553 267.7 1.87
"""


@dataclass(frozen=True, slots=True)
class Printed:
    """An entry as printed: steps, and average active edges and ratio in decimals."""

    steps: int
    active: str
    ratio: str


@dataclass(frozen=True, slots=True)
class Row:
    """An algorithm on a topology: `printed`, and our `run` with its number of transfers a step."""

    topology: str
    packets: int
    algorithm: str
    printed: Printed
    run: SynchronousRun

    def active(self) -> Fraction:
        """Transfers a step, on average over our run.

        >>> table_row("4x4", "Binary-Tree", 100).active()
        Fraction(500, 101)
        """
        return Fraction(sum(map(len, self.run.sends)) // 2, self.run.steps)


def printed_entries() -> dict[tuple[str, str, int], Printed]:
    """The entries of tables 2 to 6 by topology, algorithm and number of packets.

    >>> printed_entries()["32x32", "BBS", 2500]
    Printed(steps=5182, active='493.5', ratio='1.00')
    """
    entries = {}
    topology = ""
    for line in _PRINTED.split("\n"):
        algorithm, colon, figures = line.strip().partition(": ")
        if not colon:
            topology = algorithm
            continue
        for packets, entry in zip(PACKETS, figures.split(" | "), strict=True):
            steps, active, ratio = entry.split()
            entries[topology, algorithm, packets] = Printed(int(steps), active, ratio)
    return entries


def printed_graph(topology: str) -> SynchronousGraph:
    """The graph of a row: a grid with the source in a corner, or our graph for 16K3, from node 0.

    >>> printed_graph("2x2x4").size, printed_graph("16K3").size
    (16, 16)
    """
    if topology not in {name for name, _, _ in printed_entries()}:
        raise InvalidInput("topology", topology, "a topology of tables 2 to 6")
    sides = _sides(topology)
    return synchronous_graph(grid(*sides) if sides else cubic_16(), 0)


def binary_tree_steps(topology: str, packets: int) -> int:
    """The steps of the printed binary trees, in closed form: exact for all 48 entries.

    >>> binary_tree_steps("8x8x16", 2500), binary_tree_steps("2x2x4", 100)
    (10046, 305)
    """
    sides = _sides(topology)
    if not sides:
        return 3 * (packets - 1) + 5
    if len(sides) == 2:
        return 3 * (packets - 1) + sum(sides) - 2
    period = 3 if sides[0] == 2 else 4
    return period * (packets - 1) + sum((3 - k) * (side - 1) for k, side in enumerate(sides))


def _sides(topology: str) -> list[int]:
    return [] if topology == "16K3" else [int(side) for side in topology.split("x")]


@cache
def printed_plan(topology: str) -> CyclicPlan:
    """The cyclic plan of BBS for a topology: one for all numbers of packets.

    It takes seconds up to 192 nodes, and half a minute for 1024: `proofs/rounds-published.md`.

    >>> len(printed_plan("4x4").frames)
    4
    """
    graph = printed_graph(topology)
    return balanced_plan(graph, min(_MOST_TRIES, _WORK // graph.size))


def table_row(topology: str, algorithm: str, packets: int) -> Row:
    """One algorithm of a table run again, beside what is printed.

    The plan behind BBS is found once for each topology.  Raises `InvalidInput` for what is not in
    tables 2 to 6.

    >>> row = table_row("4x4", "Binary-Tree", 100)
    >>> row.run.steps, row.printed
    (303, Printed(steps=303, active='5.0', ratio='1.43'))
    """
    entry = printed_entries().get((topology, algorithm, packets))
    if entry is None:
        place = (topology, algorithm, packets)
        raise InvalidInput("entry", place, "topology, algorithm and packets of tables 2 to 6")
    graph, sides = printed_graph(topology), _sides(topology)
    if algorithm == "BBS":
        run = cyclic_broadcast(printed_plan(topology), packets)
    elif algorithm == "Greedy":
        run = greedy_broadcast(graph, packets)
    else:
        tree = grid_tree(*sides) if sides else early_tree(graph)
        spread = tree_broadcast if algorithm == "Binary-Tree" else scatter_allgather
        run = spread(graph, packets, tree)
    return Row(topology, packets, algorithm, entry, run)


def table(topology: str, packets: int) -> str:
    """The rows of one topology as text: ours beside the printed figures.

    Steps, average active edges, steps relative to BBS.

    >>> lines = table("4x4", 100).splitlines()
    >>> print(lines[0], lines[3][:33], sep="\\n")
    4x4 100 packets           ours                  printed
    Binary-Tree               303 5.0
    """
    lines = [f"{topology} {packets} packets".ljust(26) + "ours".ljust(22) + "printed"]
    balanced = 0
    for algorithm in ALGORITHMS:  # one run at a time: the largest have 2.5 million transfers
        row = table_row(topology, algorithm, packets)
        balanced = balanced or row.run.steps
        ratio = decimals(Fraction(row.run.steps, balanced), 2)
        ours = f"{row.run.steps} {decimals(row.active(), 1)} {ratio}"
        entry = row.printed
        printed = f"{entry.steps} {entry.active} {entry.ratio}"
        lines.append(algorithm.ljust(26) + ours.ljust(22) + printed)
    return "\n".join(lines)


def decimals(value: Fraction, places: int) -> str:
    """A number rounded to `places` decimal places, halves up.

    >>> decimals(Fraction(1, 8), 2)
    '0.13'
    """
    scaled = int(value * 10**places + Fraction(1, 2))
    whole, rest = divmod(scaled, 10**places)
    return f"{whole}.{rest:0{places}d}"
