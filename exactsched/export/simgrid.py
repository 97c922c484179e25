"""SimGrid: the dates of a schedule, replayed by a simulator that knows nothing of this package."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.exact.rational import text
from exactsched.export import simgrid_replay
from exactsched.simulation import Timetable, timetable

# Sizes are whole bytes, and doubles keep no more digits.
_MOST_BYTES = 1 << 53
# Dates of doubles differ from exact ones by rounding only: relative to the last date.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Replayed:
    """What SimGrid says of a timetable: every date is the exact one, up to rounding.

    - `makespan`: the exact end of the last transfer or computation
    - `simgrid`: the same as SimGrid has it
    - `works`: how many transfers and computations there are
    - `difference`: the largest between a date of SimGrid and the exact one
    """

    makespan: Fraction
    simgrid: float
    works: int
    difference: float

    def __str__(self) -> str:
        return (
            f"simgrid: the last of {self.works} transfers and computations ends at"
            f" {self.simgrid!r}, exactly {text(self.makespan)};"
            f" no date differs by more than {self.difference:.1g}"
        )


def program(certificate: object, operations: int | None = None) -> str:
    """A Python program that replays the schedule on SimGrid, alone: `python3 FILE`.

    Of a series the first `operations` are replayed, as in `simulate`.  Raises `InvalidInput` where
    sizes, in the unit in which all are whole, have more digits than doubles.

    >>> from exactsched import Platform, broadcast
    >>> pair = Platform("ab", [("a", "b", 3)])
    >>> '["transfer", 0, 1, "3"]' in program(broadcast(pair, "a").certificate(), 2)
    True
    """
    written = json.dumps(_written(timetable(certificate, operations)))
    given = f"TIMETABLE: Any = json.loads({written!r})"
    return _source().replace("TIMETABLE: Any = None", given, 1)


def replay(certificate: object, operations: int | None = None) -> Replayed:
    """Replays the schedule on SimGrid and compares all dates with the exact ones.

    Raises `InvalidInput` if no Python on this machine has SimGrid, and as in `program`; `Rejected`
    if a date differs by more than rounding.
    """
    played = timetable(certificate, operations)
    command = [_python(), "-c", _source(), "--json"]
    said = subprocess.run(
        command, input=json.dumps(_written(played)), capture_output=True, text=True, check=False
    )
    if said.returncode:
        message = (said.stderr.strip().splitlines() or ["no message"])[-1]
        raise InvalidInput("simgrid", message, "SimGrid ended with an error")
    found: list[float] = json.loads(said.stdout.splitlines()[-1])
    last = max(work.end for work in played.works)
    largest = 0.0
    for work, date in zip(played.works, found, strict=True):
        difference = abs(date - float(work.end))
        largest = max(largest, difference)
        if difference > _ROUNDING * float(last):
            rule = f"by the schedule it ends at {text(work.end)}"
            raise Rejected("date of SimGrid", date, rule)
    return Replayed(last, max(found), len(found), largest)


def _source() -> str:
    return Path(simgrid_replay.__file__).read_text(encoding="utf-8")


def _written(played: Timetable) -> dict[str, Any]:
    """The timetable as the program reads it."""
    platform, works = played.problem.platform, played.works
    sizes = [_size(played, work.place, work.end - work.start) for work in works]
    speed = lcm(*(size.denominator for size in sizes if size is not None))
    if max((size * speed for size in sizes if size is not None), default=0) > _MOST_BYTES:
        raise InvalidInput("sizes", speed, "in whole bytes they have more digits than doubles")
    arcs = len(platform.arcs)
    return {
        "nodes": [str(node) for node in platform.nodes],
        "arcs": [
            [
                platform.position[arc.tail],
                platform.position[arc.head],
                text(arc.cost),
                text(arc.latency),
            ]
            for arc in platform.arcs
        ],
        "speed": speed,
        "work": [
            ["transfer", work.place, int(size * speed), text(work.start)]
            if size is not None
            else ["compute", work.place - arcs, text(work.end - work.start), text(work.start)]
            for work, size in zip(works, sizes, strict=True)
        ],
    }


def _size(played: Timetable, place: int, time: Fraction) -> Fraction | None:
    """How much an arc sends in this time; None for a processor."""
    arcs = played.problem.platform.arcs
    return (time - arcs[place].latency) / arcs[place].cost if place < len(arcs) else None


def _python() -> str:
    """A Python that has SimGrid: this one, or that of the system."""
    for python in _candidates():
        asked = [python, "-c", "import simgrid"]
        if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
            return python
    rule = "no Python here has it; on Debian type apt-get install python3-simgrid"
    raise InvalidInput("simgrid", "not installed", rule)


def _candidates() -> Iterable[str]:
    found = [sys.executable, "/usr/bin/python3", shutil.which("python3")]
    return dict.fromkeys(path for path in found if path and Path(path).exists())
