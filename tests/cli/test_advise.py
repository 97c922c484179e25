"""The command `advise`."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactsched import Platform, write_certificate, write_platform
from exactsched.platforms.built_in import built_in
from exactsched.steady_state.hamiltonian import hamiltonian_optimum
from tests.cli.command_line import Run, refused


def test_what_is_printed(run: Run) -> None:
    said = run("advise dgx-a100:1 --collective allgather")
    assert said.code == 0
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0].startswith("dgx-a100:1: throughput 300/7 proved optimal")
    assert lines[-1].split() == ["gpu0<->nvswitch0", "0", "ever", "300/7", "0"]
    assert "with one unit of bandwidth more" in said.out


def test_a_certificate_is_advised_on(run: Run) -> None:
    assert run("scatter scatter-toy --source Ps --targets P0,P1 -o toy.json").code == 0
    said = run("advise toy.json -o toy.svg --json").object
    (row,) = said["rows"]
    assert said["throughput"] == "1/2"
    assert said["unit"] == "port"
    assert row == {
        "item": "send:Ps",
        "resources": ["send:Ps"],
        "gain": "1/2",
        "until": "1/2",
        "one_more": "3/4",
        "without": 0,
        "reached": True,
    }
    assert said["checked"] == 2  # alone, and without
    assert Path("toy.svg").read_text().startswith("<svg")
    assert "picture" in run("advise toy.json --every -o toy.svg").out


def test_a_cycle_is_advised_on(run: Run) -> None:
    ring = hamiltonian_optimum(built_in("ring:6"), 0, range(6)).around_cycle()
    write_certificate(ring, "cycle.json")
    write_certificate(ring.written_out(), "trees.json")
    assert run("advise cycle.json --json").object == run("advise trees.json --json").object


@pytest.mark.parametrize(
    ("words", "throughput"),
    [
        ("ring:4 --collective broadcast --source 0", "1"),
        ("ring:4 --collective scatter --source 0 --ports link", "2/3"),
        ("ring:4 --collective alltoall", "1/4"),
        ("ring:4 --collective allgather", "2/3"),
        ("grid:2x2 --collective reduce --target 0 --ports link", "2"),
        ("ring:4 --collective reduce-scatter", "1/3"),
        ("grid:2x3 --collective allreduce --ports link", "7/5"),
    ],
)
def test_collectives_by_name(run: Run, words: str, throughput: str) -> None:
    assert str(run(f"advise {words} --json").object["throughput"]) == throughput


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("ring:4", "a platform needs --collective"),
        ("platform.json", "a platform needs --collective"),
        ("missing.json", "missing.json"),
        ("run.json", "an endless series"),
        ("series.json --ports link", "goes with a platform"),
        ("series.json -o x.json", "write a .svg, .pdf or .png file"),
        ("ring:4 --collective broadcast", "'missing': is for broadcast and scatter"),
        ("ring:4 --collective allreduce --source 0", "is for broadcast and scatter"),
        ("ring:5 --collective allreduce --ports half-duplex", "an odd cycle"),
    ],
)
def test_what_is_refused(run: Run, words: str, rule: str) -> None:
    assert run("broadcast ring:4 --source 0 -o series.json").code == 0
    assert run("broadcast ring:4 --source 0 --packets 2 -o run.json").code == 0
    Path("platform.json").write_text(
        '{"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": 0}, {"id": 1}],'
        ' "links": [{"source": 0, "target": 1, "cost": 1}]}'
    )
    assert rule in refused(run(f"advise {words}"))


def test_what_no_schedule_is_known_to_reach_is_marked(run: Run) -> None:
    arcs = [("a", "s", "1/2"), ("s", "b", 1), ("s", "c", 1), ("a", "c", 1)]
    data = {"a": {"shard": 1}, "b": {"shard": 0}, "c": {"shard": 0}}
    write_platform(Platform("absc", arcs, data, switches="s"), "network.json")
    said = run("advise network.json --collective allgather")
    assert "s->b *" in said.out
    assert "bounds by cuts" in said.out
