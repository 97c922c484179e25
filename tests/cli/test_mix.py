"""The command `mix`."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactsched import check
from tests.cli.command_line import Run, refused

MIX = '[{"collective": "allreduce", "weight": 2}, {"collective": "alltoall", "size": "1/4"}]'


@pytest.mark.parametrize(
    ("ports", "throughput"), [("link", "28/65"), ("one-port", "12/65"), ("half-duplex", "6/65")]
)
def test_known_optima(run: Run, ports: str, throughput: str) -> None:
    Path("mix.json").write_text(MIX)
    said = run("mix", "grid:2x3", "mix.json", "--ports", ports, "--json", "-o", "both.json").object
    assert str(said["throughput"]) == throughput
    assert [one["collective"] for one in said["collectives"]] == ["allreduce", "alltoall"]
    proved = check("both.json")
    assert proved.optimal
    assert "two_phases" not in said


def test_what_is_printed(run: Run) -> None:
    said = run("mix", "grid:2x2", MIX, "--show")
    assert said.code == 0
    assert "mix of 13 blocks among 4 nodes" in said.out
    assert "allreduce" in said.out
    assert "the message of 0 to 1:" in said.out
    assert "the block of all nodes:" in said.out
    assert run("mix", "grid:2x2", MIX, "--operations", "2", "--json").object["operations"] == 2
    alone = run("mix", "grid:2x2", '[{"collective": "allreduce"}]')
    assert "two phases" not in alone.out


def test_groups(run: Run) -> None:
    boxes = '{"collective": "allgather", "within": [[0, 1], [2, 3]]}'
    across = '{"collective": "allreduce", "participants": [0, 2], "weight": "1/2"}'
    said = run("mix", "ring:4", f"[{boxes}, {across}]", "--show", "-o", "groups.json")
    assert said.code == 0
    assert "mix of 5 blocks among 4 nodes, 3 groups" in said.out
    assert "the block of all nodes in group 2:" in said.out
    assert "other nodes only forward" in said.out
    said = run("mix", "ring:4", f"[{boxes}, {across}]", "--json", "--ports", "link")
    assert check("groups.json").optimal
    assert said.object["throughput"] == "4/5"
    assert run("simulate", "groups.json").code == 0
    assert run("draw", "groups.json", "-o", "groups.html").code == 0
    assert "block of group 2" in Path("groups.html").read_text()
    kernel = run("check", "groups.json", "--kernel")
    assert kernel.code == 2
    assert "not covered" in kernel.out + kernel.err
    assert "without groups" in kernel.out + kernel.err


@pytest.mark.parametrize(
    ("mix", "rule"),
    [
        ("missing.json", "a file that can be read"),
        ("[", "a JSON list"),
        ("object.json", "a JSON list"),
        ("latin.json", "in UTF-8"),
        ("point.json", "a positive number"),
        ('[{"collective": "barrier"}]', "one of broadcast"),
        ('[{"collective": "allreduce", "weight": 0}]', "a positive number"),
        ("[]", "at least one collective"),
        ('[{"collective": "allreduce", "participants": [0]}]', "at least two nodes"),
        ('[{"collective": "reduce", "target": 0, "within": [[0, 1]]}]', "reduce has weight"),
    ],
)
def test_what_is_refused(run: Run, mix: str, rule: str) -> None:
    Path("object.json").write_text("{}")
    Path("latin.json").write_bytes(b"[\xff]")
    Path("point.json").write_text('[{"collective": "allreduce", "size": -0.5}]')
    assert rule in refused(run("mix", "ring:4", mix))
