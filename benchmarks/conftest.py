"""What the benchmarks share: the way to measure, rows that take long, what tables need to know."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest

import exactsched
from exactsched.exact.rational import text

sys.path.append(str(Path(__file__).parents[1] / "tests"))

# Seconds of the processor: everything here runs in one thread, and other work on the machine
# does not count.
TIMER = process_time

# Processor seconds for all rounds of a row, and for what its test does beside them.
LIMIT = 120


def best_of(rounds: int, work: Callable[[], object]) -> float:
    """The least time of several rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = TIMER()
        work()
        times.append(TIMER() - start)
    return min(times)


def found_and_checked(
    benchmark: Any, solved: Callable[[], tuple[Any, Any]], path: Path, rounds: int, checks: int
) -> tuple[Any, dict[str, Any]]:
    """A solution, found with its document so often, and the figures of this certificate.

    The checker reads it from its file, so often before each of the rounds: what disturbs the one
    disturbs the other.
    """
    exactsched.write_certificate(solved()[1], path)
    seconds = []

    def check_before() -> None:
        seconds.append(best_of(checks, lambda: exactsched.check(str(path))))

    solution, _ = benchmark.pedantic(solved, setup=check_before, rounds=rounds)
    assert exactsched.check(str(path)).optimal
    return solution, {
        "period_digits": len(text(solution.schedule.period).partition("/")[0]),
        "certificate_kilobytes": path.stat().st_size // 1000,
        "check_seconds": round(min(seconds), 4),
        "check_to_find": round(min(seconds) / benchmark.stats.stats.min, 3),
    }


def checked(benchmark: Any, made: object, besides: float = 0.0) -> dict[str, float]:
    """The checker's part on what was measured, from its file if it has one.

    `besides` are seconds that belong to finding it and that the benchmark has not counted.
    """
    exactsched.check(made)  # imports what it needs
    once = best_of(1, lambda: exactsched.check(made))
    # What takes a thousandth of a second is measured fifty times.
    again = best_of(max(1, min(50, int(0.5 / once))), lambda: exactsched.check(made))
    seconds = min(once, again)
    return {
        "check_seconds": float(f"{seconds:.2g}"),
        "check_to_find": round(seconds / (benchmark.stats.stats.min + besides), 3),
    }


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and the seconds of one time."""
    start = TIMER()
    made = work()
    return made, TIMER() - start


# Rows: their parameters, and those that are not measured, since they are long or have failed -----

_unmeasured: list[dict[str, Any]] = []


def parameters(item: Any) -> dict[str, str]:
    """What a row of the table is called."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return {name: getattr(value, "__name__", str(value)) for name, value in given.items()}


def _unmeasured_row(item: Any, failed: bool) -> dict[str, Any]:
    return {"fullname": item.nodeid, "parameters": parameters(item), "failed": failed}


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--long", action="store_true", help="benchmarks of over a minute, too")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "long: takes over a minute, measured with --long only")


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    if config.getoption("--long"):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    _unmeasured.extend(_unmeasured_row(item, failed=False) for item in long)
    items[:] = [item for item in items if item not in long]
    config.hook.pytest_deselected(items=long)


@pytest.fixture(autouse=True)
def _row(request: Any) -> Iterator[None]:
    """The parameters into the results; an end to rows that are long and not marked so."""
    if "benchmark" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("benchmark").extra_info["parameters"] = parameters(request.node)

    # Not a timer of processor time: while one runs, Linux counts processor time in ticks of 4 ms.
    end = process_time() + LIMIT

    def look(*_: object) -> None:
        if process_time() > end:
            raise TimeoutError(f"over {LIMIT} processor seconds: mark this row as long")

    if request.node.get_closest_marker("long"):
        yield
        return
    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 5, 5)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any) -> Any:
    report = yield
    if report.when == "call" and report.failed:
        _unmeasured.append(_unmeasured_row(item, failed=True))
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_benchmark_update_json(output_json: dict[str, Any]) -> None:
    output_json["unmeasured"] = _unmeasured
