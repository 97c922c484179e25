"""What the benchmarks share: the way to measure, and the oracles of the tests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

sys.path.append(str(Path(__file__).parents[1] / "tests"))

# Seconds of the processor: everything here runs in one thread, and other work on the machine
# does not count.
TIMER = process_time


def best_of(rounds: int, work: Callable[[], object]) -> float:
    """The least time of several rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = TIMER()
        work()
        times.append(TIMER() - start)
    return min(times)
