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
    ],
)
def test_what_is_refused(run: Run, mix: str, rule: str) -> None:
    Path("object.json").write_text("{}")
    Path("latin.json").write_bytes(b"[\xff]")
    Path("point.json").write_text('[{"collective": "allreduce", "size": -0.5}]')
    assert rule in refused(run("mix", "ring:4", mix))
