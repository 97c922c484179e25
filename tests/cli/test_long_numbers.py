"""Answers of more than 4,300 digits, which CPython writes only in pieces, are answers, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command_line import Run

HUGE = "1" + 4999 * "0" + "7"
PATH = {
    "directed": False,
    "nodes": [{"id": node} for node in range(3)],
    "links": [{"source": 0, "target": 1, "cost": HUGE}, {"source": 1, "target": 2, "cost": HUGE}],
}


@pytest.mark.parametrize(
    "command",
    [
        "broadcast path.json --source 0",
        "broadcast path.json --source 0 --packets 3",
        "scatter path.json --source 0 --show",
        "alltoall path.json",
        "reduce path.json --target 0 --participants 0,1,2 --compute 1",
        "allreduce path.json --participants 0,1,2 --compute 1",
        f"overlay machine.csv --degree {HUGE}",
        f"logp broadcast --L {HUGE} --P 8",
        f"logp items --L {HUGE} --P 5 --items 2",
        f"logp allgather --L 6 --P 8 --items {HUGE}",
        f"logp allreduce --L 1/{HUGE} --P 8",
        f"logp sum --L 6/7 --P 3 --time {HUGE}/3",
        f"logp sum --L 6 --P 3 --operands {HUGE}",
    ],
)
def test_long_answers_are_written_and_read_back(run: Run, command: str) -> None:
    Path("path.json").write_text(json.dumps(PATH), encoding="utf-8")
    Path("machine.csv").write_text(f"bandwidth\n{HUGE}\n1/{HUGE}\n{HUGE}\n", encoding="utf-8")
    words = command.split()
    told = run(*words, "-o", "certificate.json")
    assert (told.code, told.err) == (0, "")
    summary = run(*words, "--json").object
    numbers = [str(summary[name]) for name in summary if name in NUMBERS]
    assert max(map(len, numbers)) > 4300
    checked = run("check", "certificate.json")
    assert checked.code == 0
    assert "e500" in checked.out or "e-500" in checked.out


NUMBERS = ("throughput", "makespan", "time", "messages", "operands", "bound")
