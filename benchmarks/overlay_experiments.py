"""The experiments of Beaumont, Eyraud-Dubois and Agrawal (2010), section V, again.

    python benchmarks/overlay_experiments.py                   # synthetic bandwidths, the figures
    python benchmarks/overlay_experiments.py VALUES.csv        # its column `bandwidth`, if positive

Prints tables in Markdown.  All ratios are exact; what is printed are means of 30 of them.  What
holds of the claims of the paper, and what does not: proofs/overlay-experiments.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean

from series_plot import Series, series_plot

from exactsched.model.machine import MultiPort
from exactsched.overlay.bounds import acyclic_bound, sending_limits, throughput_bound, tree_bound
from exactsched.platforms.random_machines import SHAPES, bandwidth_trace, sample_machine

INSTANCES = 30
SIZES = (3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 20, 30, 50, 70, 100, 200, 300, 500, 1000)
DEGREES = range(2, 13)
SOURCES = ("drawn", "fastest")
FIGURES = Path(__file__).parent / "figures"


@dataclass(frozen=True)
class Row:
    """Means over the instances of one size n and degree d.

    `tree` and `acyclic` are divided by the cyclic throughput as in the paper: they may use the
    max(d + 2, 4) that its cyclic algorithm uses.  `equal` is acyclic by cyclic, both with bounds d,
    for which ours use d + 1 (3 if d = 1).  `free` is the cyclic throughput by that without degrees,
    `worst` the least of these ratios.  `first` counts n - k0, k0 the first k such that the source
    and the k - 1 fastest others cannot serve k nodes; None where there is no such k.
    """

    tree: float
    acyclic: float
    equal: float
    free: float
    worst: float
    first: Counter[int | None]


def experiment(
    count: int, degree: int, values: Sequence[object], source: str, instances: int = INSTANCES
) -> Row:
    """Random machines with `count` nodes besides the source; that is drawn too, or the fastest."""
    ratios: list[tuple[Fraction, ...]] = []
    first: Counter[int | None] = Counter()
    for seed in range(instances):
        drawn = sample_machine(count, degree, seed, values).bandwidths
        bandwidths = drawn if source == "drawn" else tuple(sorted(drawn, reverse=True))
        machine = of_degree(bandwidths, degree)
        cyclic = throughput_bound(machine)
        # Algorithm 1 uses one more than it is given.
        used = max(degree + 2, 4)
        ratios.append(
            (
                tree_bound(of_degree(bandwidths, used)) / cyclic,
                acyclic_bound(of_degree(bandwidths, used - 1)) / cyclic,
                acyclic_bound(machine) / cyclic,
                cyclic / throughput_bound(of_degree(bandwidths, count)),
            )
        )
        k0 = first_short(machine, cyclic)
        first[None if k0 is None else count - k0] += 1
    tree, acyclic, equal, free = (
        [float(ratio) for ratio in column] for column in zip(*ratios, strict=True)
    )
    return Row(fmean(tree), fmean(acyclic), fmean(equal), fmean(free), min(free), first)


def of_degree(bandwidths: Sequence[Fraction], degree: int) -> MultiPort:
    return MultiPort(bandwidths, [degree] * len(bandwidths))


def first_short(machine: MultiPort, rate: Fraction) -> int | None:
    """k0 = min{k : S_{k-1} < k T}, as corrected; the k0 that the paper defines is one less."""
    limits, message = sending_limits(machine, rate)
    sent = 0
    for k, limit in enumerate([limits[0], *sorted(limits[1:], reverse=True)][:-1], 1):
        sent += limit
        if sent < k * message:
            return k
    return None


Rows = dict[tuple[int, int], Row]


def table(title: str, columns: Iterable[object], rows: Iterable[Sequence[object]]) -> str:
    head = [str(column) for column in columns]
    lines = [f"### {title}", "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for row in rows:
        cells = [f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def tables(name: str, rows: Rows) -> str:
    degrees, sizes = (2, 3, 4, 5, 7, 10), (5, 7, 10, 11, 20, 100, 1000)
    spread: Counter[int | None] = Counter()
    for row in rows.values():
        spread += row.first
    counted = {"none": spread.pop(None, 0), "n": spread.pop(0, 0), "n - 1": spread.pop(1, 0)}
    counted["less"] = spread.total()
    parts = [
        table(
            f"{name}: single tree / cyclic, then acyclic / cyclic",
            ["n", *[f"d = {d}" for d in degrees], *[f"d = {d}" for d in degrees]],
            [
                [n, *[rows[n, d].tree for d in degrees], *[rows[n, d].acyclic for d in degrees]]
                for n in sizes
            ],
        ),
        table(
            f"{name}: acyclic / cyclic, both of degree d, then cyclic / no degrees",
            ["n", *[f"d = {d}" for d in degrees], *[f"d = {d}" for d in degrees]],
            [
                [n, *[rows[n, d].equal for d in degrees], *[rows[n, d].free for d in degrees]]
                for n in sizes
            ],
        ),
        table(
            f"{name}: cyclic / no degrees, by degree",
            ["d", "least mean of all n", "n = 1000", "worst instance"],
            [
                [
                    d,
                    min(rows[n, d].free for n in SIZES),
                    rows[1000, d].free,
                    min(rows[n, d].worst for n in SIZES),
                ]
                for d in DEGREES
            ],
        ),
        table(f"{name}: k0", counted, [list(counted.values())]),
    ]
    return "\n".join(parts)


def figures(rows: Rows) -> dict[str, str]:
    """Figures 5(a) and 5(b), and 5(b) over the degree."""
    sizes = [n for n in SIZES if n >= 5]
    compared = [
        Series(
            f"{noun}, d = {d}",
            [(n, getattr(rows[n, d], noun)) for n in sizes],
            rank,
            noun == "tree",
        )
        for noun in ("acyclic", "tree")
        for rank, d in enumerate((2, 3, 5, 10))
    ]
    over_sizes = [
        Series(f"d = {d}", [(n, rows[n, d].free) for n in sizes], rank)
        for rank, d in enumerate((10, 7, 5, 4, 3, 2))
    ]
    over_degrees = [
        Series(f"n = {n}", [(d, rows[n, d].free) for d in DEGREES], rank)
        for rank, n in enumerate((5, 7, 10, 20, 100, 1000))
    ]
    below = "n (logarithmic)"
    return {
        "overlay-5a": series_plot(
            "Throughput divided by that of the cyclic overlay", below, compared, logarithmic=True
        ),
        "overlay-5b": series_plot(
            "Cyclic overlay divided by the throughput without degrees",
            below,
            over_sizes,
            logarithmic=True,
        ),
        "overlay-5b-degrees": series_plot(
            "Cyclic overlay divided by the throughput without degrees",
            "d",
            over_degrees,
            logarithmic=False,
        ),
    }


def main(arguments: Sequence[str]) -> None:
    if arguments:
        from exactsched.platforms.machine_files import read_machine

        machines = {path: read_machine(path, degree=0) for path in arguments}
        lists = {path: [b for b in of.bandwidths if b] for path, of in machines.items()}
    else:
        lists = {shape: [Fraction(b) for b in bandwidth_trace(shape)] for shape in SHAPES}
    for name, values in lists.items():
        for source in SOURCES:
            rows = {(n, d): experiment(n, d, values, source) for n in SIZES for d in DEGREES}
            print(tables(f"{name}, source {source}", rows))
            if (name, source) == ("log-uniform", "fastest"):
                FIGURES.mkdir(exist_ok=True)
                for title, drawn in figures(rows).items():
                    (FIGURES / f"{title}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
