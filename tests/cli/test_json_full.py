"""`--json=full` is `--json` with the tables of the result."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.command_line import Run, refused

COMMANDS = {
    "broadcast legrand-fig1 --source Ps": ["schedule", "structures"],
    "broadcast ring:4 --source 0 --packets 2": ["schedule"],
    "scatter scatter-toy --source Ps --targets P0,P1": ["schedule", "structures"],
    "allgather ring:4": ["schedule", "structures"],
    "reduce grid:2x3 --target 0": ["schedule", "structures"],
    'mix ring:4 [{"collective":"alltoall"}]': ["schedule", "structures"],
    "overlay ipdps-fig1": ["arcs"],
    "rounds ring:4 --source 0 --packets 2": ["sends"],
    "logp broadcast --L 2 --o 0 --g 1 --P 3": ["messages"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_plain_json_is_a_part_of_the_full_one(run: Run, command: str) -> None:
    words = command.split()
    plain, full = json.loads(run(*words, "--json").out), json.loads(run(*words, "--json=full").out)
    tables = full.pop("tables")
    assert full == plain
    assert list(tables) == COMMANDS[command]
    assert all(tables.values())


def test_the_trees_carry_the_throughput(run: Run) -> None:
    full = json.loads(run("broadcast legrand-fig1 --source Ps --json=full").out)
    trees = full["tables"]["structures"]
    assert sum(Fraction(tree["weight"]) for tree in trees) == full["throughput"]
    for tree in trees:
        assert {head for _, head in tree["edges"]} == {"P1", "P2", "P3", "P4"}


def test_linear_programs_in_names(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.lp"
    file.write_text("Maximize\n obj: 3 x + y\nSubject To\n c: 2 x + y <= 3\nEnd\n")
    tables = json.loads(run("lp", str(file), "--json=full").out)["tables"]
    assert tables["variables"] == [{"variable": "x", "value": "3/2"}, {"variable": "y", "value": 0}]
    assert tables["rows"] == [{"row": "c", "price": "3/2"}]


def test_the_option_takes_no_other_word(run: Run) -> None:
    refused(run("broadcast ring:4 --source 0 --json=some"))
    # What follows --json is not its value.
    assert run("broadcast --json ring:4 --source 0").code == 0
    assert run("broadcast --json=full ring:4 --source 0").code == 0


def test_a_sweep_writes_its_own_table(run: Run) -> None:
    line = refused(run("sweep", "broadcast ring:{n} --source 0 --json=full", "n=4", "-o", "t.csv"))
    assert "the table is the output" in line
