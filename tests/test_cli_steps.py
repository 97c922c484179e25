"""`broadcast --ports half-duplex --packets N`: step by step, checked, with its bound."""

from __future__ import annotations

import pytest
from command_line import Run, files, refused

FOUR = "broadcast grid:4x4 --source 0 --ports half-duplex --packets 20"


def test_steps_and_their_bound(run: Run) -> None:
    said = run(f"{FOUR} --json -o found.json").object
    assert said == {"steps": 41, "bound": 41, "optimal": True, "packets": 20, "transfers": 300}
    assert run("check found.json").out.startswith("accepted: found.json: 20 packets to all nodes")
    lines = run(FOUR).out.splitlines()
    assert lines[0].endswith("in 41 steps proved optimal (16 nodes, 48 arcs, half-duplex)")
    assert lines[1].split(maxsplit=1) == ["sent", "300 transfers, 7.3 in a step on average"]


def test_odd_cycles_and_other_roots(run: Run) -> None:
    said = run("broadcast torus:3x5 --source 7 --ports half-duplex --packets 10 --json").object
    assert said["transfers"] == 140
    assert said["bound"] <= said["steps"] <= said["bound"] + 1


def test_the_same_seed_is_the_same_schedule(run: Run) -> None:
    for seed, name in ((1, "a"), (1, "b"), (2, "c")):
        assert run(f"{FOUR} --seed {seed} --effort 2 -o {name}.json").code == 0
    written = files()
    assert written["a.json"] == written["b.json"] != written["c.json"]


def test_times_that_are_not_whole_are_a_run_in_time(run: Run) -> None:
    arcs = '{"source": "a", "target": "b", "cost": "1/2"}'
    with open("half.json", "w", encoding="utf-8") as file:
        file.write(
            f'{{"directed": true, "nodes": [{{"id": "a"}}, {{"id": "b"}}], "links": [{arcs}]}}'
        )
    asked = "broadcast half.json --source a --ports half-duplex --packets 3 --json"
    assert run(asked).object["makespan"] == "3/2"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (f"{FOUR} --effort -1", "--effort"),
        (f"{FOUR} --seed x", "--seed"),
        (f"{FOUR} --time-limit 0", "--time-limit"),
        ("broadcast grid:4x4 --source 0 --packets 20 --seed 1", "--seed"),
        ("broadcast grid:4x4 --source 0 --ports half-duplex --effort 1", "--effort"),
        ("broadcast grid:4x4 --source 0 --ports half-duplex --packets 0", "--packets"),
    ],
)
def test_bad_options(run: Run, command: str, expected: str) -> None:
    assert expected in refused(run(f"{command} -o found.json"))
    assert files() == {}
