"""Prints the results of `pytest benchmarks --benchmark-json=FILE` as tables for the README.

python benchmarks/table.py FILE
"""

from __future__ import annotations

import json
import sys
from itertools import groupby
from typing import Any


def tables(results: list[dict[str, Any]]) -> str:
    """A table for each test; a row for each of its instances: best seconds, then the work."""
    written = []
    for test, rows in groupby(results, key=lambda result: result["name"].partition("[")[0]):
        written += [f"### {test}", ""]
        for index, row in enumerate(rows):
            work = row["extra_info"]
            instance = row["name"].partition("[")[2][:-1] or "-"
            if index == 0:
                columns = ["instance", "seconds", *work]
                written += [line(columns), line(["---"] * len(columns))]
            written.append(
                line([instance, f"{row['stats']['min']:.3g}", *map(shown, work.values())])
            )
        written.append("")
    return "\n".join(written)


def line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def shown(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(tables(json.load(file)["benchmarks"]))
