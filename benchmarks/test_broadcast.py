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
from conftest import TIMER, best_of
from instances import INSTANCES, Instance, near_one, recosted

import exactsched
from exactsched.exact.rational import text
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
    instance = INSTANCES[name]
    platform = instance.build()
    solution, document = benchmark.pedantic(
        solved, (platform, instance.ports), rounds=3, warmup_rounds=1
    )
    path = tmp_path / "certificate.json"
    exactsched.write_certificate(document, path)
    checking = best_of(3, lambda: exactsched.check(str(path)))
    assert exactsched.check(str(path)).optimal
    benchmark.extra_info.update(
        nodes=len(platform.nodes),
        arcs=len(platform.arcs),
        throughput=float(solution.throughput),
        rounds=solution.rounds,
        priced=solution.priced,
        trees=len(solution.trees),
        slots=len(solution.schedule.slots),
        period_digits=len(text(solution.schedule.period).partition("/")[0]),
        certificate_kilobytes=path.stat().st_size // 1000,
        check_seconds=round(checking, 4),
        check_to_find=round(checking / benchmark.stats.stats.min, 3),
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
