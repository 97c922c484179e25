"""SimGrid's dates are the exact ones; where SimGrid is not installed, the tests say so."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given, settings

from exactsched import (
    Platform,
    alltoall,
    broadcast,
    built_in,
    pipelined_broadcast,
    reduce,
    run_operations,
    simulate,
    write_certificate,
)
from exactsched.cli import main
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.export import simgrid
from exactsched.simulation import timetable
from exactsched.strategies import broadcasts
from tests.export.solved import UNEQUAL, certificates


@pytest.fixture(scope="module")
def python():
    """A Python that has SimGrid."""
    try:
        return simgrid._python()
    except InvalidInput as missing:
        pytest.skip(str(missing))


simgrid_written = simgrid._written
SOLVED = {name: solution.certificate() for name, solution in certificates().items()}
SOLVED["reduce-ordered"] = reduce(UNEQUAL, "abcd", "c", compute="1/3").certificate()
SOLVED["interrupted"] = broadcast(built_in("ring:5"), 0, ports="half-duplex").certificate()


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.usefixtures("python")
def test_all_dates_are_the_exact_ones(name):
    replayed = simgrid.replay(SOLVED[name], 7)
    assert replayed.makespan == simulate(SOLVED[name], 7).makespan
    assert replayed.works >= 7
    assert abs(replayed.simgrid - float(replayed.makespan)) <= replayed.difference


@pytest.mark.usefixtures("python")
def test_latencies_and_packets_of_a_run():
    chain = Platform("abc", [("a", "b", 1, "1/3"), ("b", "c", "1/2", 2)])
    run = pipelined_broadcast(chain, "a", 20)
    assert simgrid.replay(run.certificate()).makespan == run.makespan
    operations = run_operations(broadcast(UNEQUAL, "a"), 5)
    assert simgrid.replay(operations.certificate()).makespan == operations.makespan


@settings(deadline=None, max_examples=12)
@given(broadcasts(max_nodes=5))
def test_random_broadcasts(python, asked):
    del python
    solution = broadcast(asked.platform, asked.source, ports=asked.ports)
    if not solution.throughput:
        return
    with suppress(InvalidInput):  # costs with more digits than doubles
        simgrid.replay(solution.certificate(), 3)


def test_the_program_runs_alone(python, tmp_path):
    path = tmp_path / "replay.py"
    path.write_text(simgrid.program(SOLVED["broadcast"], 4))
    said = subprocess.run([python, str(path)], capture_output=True, text=True, check=True)
    makespan = float(simulate(SOLVED["broadcast"], 4).makespan)
    assert said.stdout == f"the last one ends at {makespan!r}\n"


@pytest.mark.usefixtures("python")
def test_a_date_that_is_not_that_of_the_schedule_is_told(monkeypatch):
    played = timetable(SOLVED["broadcast"], 2)
    monkeypatch.setattr(simgrid, "_written", lambda _: written)
    written = simgrid_written(played)
    written["arcs"][written["work"][0][1]][2] = "9"  # SimGrid is told of a slower arc
    with pytest.raises(Rejected, match="date of SimGrid"):
        simgrid.replay(SOLVED["broadcast"], 2)


@pytest.mark.usefixtures("python")
def test_an_error_of_simgrid_is_one_line(monkeypatch):
    monkeypatch.setattr(simgrid, "_written", lambda _: {"nodes": []})
    with pytest.raises(InvalidInput, match=r"simgrid: .*KeyError.*: SimGrid ended with an error"):
        simgrid.replay(SOLVED["broadcast"], 2)


def test_without_simgrid_the_refusal_says_what_to_install(monkeypatch):
    monkeypatch.setattr(simgrid, "_candidates", list)
    with pytest.raises(InvalidInput, match="apt-get install python3-simgrid"):
        simgrid.replay(SOLVED["broadcast"], 2)
    monkeypatch.setattr(simgrid, "_candidates", lambda: ["/bin/false"])
    with pytest.raises(InvalidInput, match="apt-get install python3-simgrid"):
        simgrid.replay(SOLVED["broadcast"], 2)


def test_candidates_are_this_python_and_that_of_the_system():
    assert next(iter(simgrid._candidates())) == sys.executable


def test_sizes_with_more_digits_than_doubles_are_refused():
    chain = Platform("abc", [("a", "b", 3**40), ("b", "c", 2**70)])
    assert simgrid.program(broadcast(chain, "a").certificate(), 1)
    odd = alltoall(chain, [("a", "b"), ("b", "c", Fraction(1, 3**40))]).certificate()
    with pytest.raises(InvalidInput, match="in whole bytes they have more digits than doubles"):
        simgrid.program(odd, 1)


@pytest.mark.usefixtures("python")
def test_the_command(tmp_path, capsys):
    path = str(tmp_path / "fig1.json")
    write_certificate(broadcast(built_in("legrand-fig1"), "Ps").certificate(), path)
    assert main(["simulate", path, "--engine", "simgrid", "--operations", "20", "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["makespan"], summary["simgrid"], summary["works"]) == (24, 24.0, 80)
    assert main(["simulate", path, "--engine", "simgrid", "--operations", "20"]) == 0
    told = "simgrid: the last of 80 transfers and computations ends at 24.0, exactly 24;"
    assert capsys.readouterr().out.startswith(told)


def test_the_program_is_written_by_a_command(tmp_path, capsys):
    path, target = str(tmp_path / "fig1.json"), tmp_path / "replay.py"
    write_certificate(broadcast(built_in("legrand-fig1"), "Ps").certificate(), path)
    words = ["export", path, "--format", "simgrid", "-o", str(target)]
    assert main([*words, "--operations", "3"]) == 0
    assert target.read_text() == simgrid.program(path, 3)
    assert main([*words, "--segments", "3"]) == 2
    assert main([*words, "--format", "msccl", "--operations", "3"]) == 2
    told = capsys.readouterr().err
    assert "--segments: 3: does not go with the format simgrid" in told
    assert "--operations: 3: does not go with the format msccl" in told
