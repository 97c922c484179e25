"""Broadcast, from the platform to the certificate.

Optimum, trees, schedule and certificate; then the checker's part.  The instances, with the reason
for each, are in [instances.py](instances.py).

Columns: rounds (linear programs), priced (arborescences), trees, slots, digits of the period,
kilobytes of the certificate; and the seconds of the checker, which reads the certificate from its
file, with their ratio to the seconds of finding it in the same run.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from conftest import TIMER, found_and_checked
from instances import INSTANCES, Instance, near_one, recosted, to_hundred

import exactsched
from exactsched.linear_programs.master_program import PackingProgram
from exactsched.model.platform import Platform
from exactsched.model.problem import Ports
from exactsched.steady_state.broadcast import Solution

pytestmark = pytest.mark.benchmark(timer=TIMER)


def solved(platform: Platform, ports: Ports) -> tuple[Solution, dict[str, Any]]:
    solution = exactsched.broadcast(platform, 0, ports=ports)
    return solution, solution.certificate()


@pytest.mark.parametrize("name", INSTANCES)
def test_find_and_check(benchmark, name, tmp_path):
    """Checks are made between the rounds, so that what disturbs one disturbs both."""
    instance = INSTANCES[name]
    platform, path = instance.build(), tmp_path / "certificate.json"
    solution, certificate = found_and_checked(
        benchmark, lambda: solved(platform, instance.ports), path, rounds=5, checks=3
    )
    benchmark.extra_info.update(
        nodes=len(platform.nodes),
        arcs=len(platform.arcs),
        throughput=float(solution.throughput),
        rounds=solution.rounds,
        priced=solution.priced,
        trees=len(solution.trees),
        slots=len(solution.schedule.slots),
        **certificate,
    )


_PEAK = """
import sys
from pathlib import Path
from instances import INSTANCES
import exactsched
name = sys.argv[1]
if name:
    solution = exactsched.broadcast(INSTANCES[name].build(), 0)
    exactsched.check(solution.certificate())
status = Path("/proc/self/status").read_text()
print(int(status.partition("VmHWM:")[2].split()[0]) // 1024)
"""


@pytest.mark.benchmark(timer=perf_counter)
@pytest.mark.parametrize("name", ["", *(name for name in INSTANCES if "1000" in name)])
def test_peak_memory(benchmark, name, pytestconfig):
    """Of a whole process, in MiB; the one without a name imports the package and stops.

    Not from getrusage, whose peak a process inherits from the one that starts it.
    """
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak is read from Linux's /proc")
    folder = pytestconfig.rootpath / "benchmarks"
    command = [sys.executable, "-c", _PEAK, name]
    done = benchmark.pedantic(
        subprocess.run,
        (command,),
        {"cwd": folder, "capture_output": True, "check": True, "text": True},
        rounds=1,
    )
    benchmark.extra_info.update(mebibytes=int(done.stdout))


LARGE = {
    "random:10000,50000,1, costs 1..100": lambda: recosted("random:10000,50000,1", to_hundred),
    "random:100000,500000,1, costs 1..100": lambda: recosted("random:100000,500000,1", to_hundred),
    "random:100000,500000,1, costs 0.8..1.2": lambda: recosted("random:100000,500000,1", near_one),
    "random:200000,1000000,1, costs 1..100": lambda: recosted(
        "random:200000,1000000,1", to_hundred
    ),
}
_LARGE = """
import sys
from pathlib import Path
from time import process_time
from test_broadcast import LARGE
import exactsched
platform = LARGE[sys.argv[1]]()
start = process_time()
solution = exactsched.broadcast(platform, 0)
found = process_time()
exactsched.write_certificate(solution.certificate(), sys.argv[2])
written = process_time()
verdict = exactsched.check(sys.argv[2])
checked = process_time()
status = Path("/proc/self/status").read_text()
print(found - start, written - found, checked - written, len(solution.trees))
print(float(verdict.bound / verdict.throughput - 1))
print(int(status.partition("VmHWM:")[2].split()[0]) // 1024)
"""


@pytest.mark.benchmark(timer=perf_counter)
@pytest.mark.parametrize(
    "name",
    [
        name if name.startswith("random:10000,") else pytest.param(name, marks=pytest.mark.long)
        for name in LARGE
    ],
)
def test_large(benchmark, name, pytestconfig, tmp_path):
    """Found, written to a file and checked, in a process of its own; the peak of it in MiB.

    The ratio is to finding and writing.  The first column is the time of the clock, with the
    platform, which is made before.  Before arrays and rows on demand (November 2026) the second row
    took 196 s to find, and 4.4 GiB.
    """
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak is read from Linux's /proc")
    folder = pytestconfig.rootpath / "benchmarks"
    done = benchmark.pedantic(
        subprocess.run,
        ([sys.executable, "-c", _LARGE, name, str(tmp_path / "certificate.json")],),
        {"cwd": folder, "capture_output": True, "check": True, "text": True},
        rounds=1,
    )
    find, write, check, trees, gap, peak = done.stdout.split()
    benchmark.extra_info.update(
        find_seconds=round(float(find), 1),
        write_seconds=round(float(write), 1),
        check_seconds=round(float(check), 1),
        check_to_find=round(float(check) / (float(find) + float(write)), 3),
        trees=int(trees),
        gap=float(gap),
        mebibytes=int(peak),
    )


# The exact linear programs alone, as where floats are always wrong.  The simplex method solves a
# square system at every step, so it is for small platforms and for short repairs.
SMALL = {
    "grid:4x4, half-duplex": Instance(
        lambda: exactsched.built_in("grid:4x4"), "degenerate", "half-duplex"
    ),
    "random:30,120,1, costs 0.8..1.2": Instance(
        lambda: recosted("random:30,120,1", near_one), "many tight ports"
    ),
}


@pytest.mark.parametrize("floats", ["floats", "no floats"])
@pytest.mark.parametrize("name", SMALL)
def test_exact_fallback(benchmark, name, floats, monkeypatch):
    instance = SMALL[name]
    asked = instance.build(), instance.ports
    expected, _ = solved(*asked)
    if floats == "no floats":
        monkeypatch.setattr(PackingProgram, "propose", lambda _program: None)
    solution, _ = benchmark.pedantic(solved, asked, rounds=3)
    assert solution.throughput == expected.throughput
    benchmark.extra_info.update(rounds=solution.rounds, priced=solution.priced)
