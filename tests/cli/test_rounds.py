"""`steps`, and `broadcast --ports half-duplex --packets N`: step by step, with their bounds."""

from __future__ import annotations

import pytest

from tests.cli.command_line import Run, files, platform_file, refused

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


def test_the_command_steps_does_what_broadcast_does(run: Run) -> None:
    """One code behind both: the same answer, and the same certificate."""
    assert run(f"{FOUR} -o one.json").code == 0
    assert run("rounds grid:4x4 --source 0 --packets 20 -o two.json").code == 0
    written = files()
    assert written["one.json"] == written["two.json"]
    assert run("rounds grid:4x4 --source 0 --packets 20").out == run(FOUR).out


def test_several_sources_and_all_nodes(run: Run) -> None:
    said = run("rounds grid:4x4 --source 0,15 --packets 10 --json -o two.json").object
    assert (said["packets"], said["transfers"]) == (20, 300)
    assert said["bound"] <= said["steps"] <= said["bound"] + 2
    # In a ring of five, every node receives 12 packets, one in a step.
    said = run("rounds ring:5 --allgather --packets 3 --ports one-port --json -o all.json").object
    expected = {"steps": 12, "bound": 12, "optimal": True, "packets": 15, "transfers": 60}
    assert said == expected
    assert run("rounds ring:5 --allgather --packets 3").out.startswith("allgather in steps: 15")
    assert run("check two.json all.json").out.count("accepted") == 2


def test_arcs_of_several_steps_in_one_direction(run: Run) -> None:
    name = platform_file("ring.json", [("a", "b", 2), ("b", "c", 1), ("c", "a", 3)])
    said = run(f"rounds {name} --source a --packets 4 --ports one-port --json -o run.json").object
    # b receives every two steps, and c a step later.
    assert (said["steps"], said["transfers"], said["optimal"]) == (9, 8, True)
    assert run("check run.json").code == 0


@pytest.mark.parametrize(
    ("asked", "steps"),
    [
        ("grid:4x4 --source 0 --method tree", 303),
        ("cubic-16 --source 0 --method tree", 302),
        ("grid:3 --source 0 --method tree", 200),
        ("grid:3x3 --source 4 --method tree", 400),
    ],
)
def test_trees(run: Run, asked: str, steps: int) -> None:
    """The paper's 3 (N - 1) + 6 and 5; a path, 2 (N - 1) + 2, and 4 neighbors, 4 (N - 1) + 4."""
    said = run(f"rounds {asked} --packets 100 --json -o run.json").object
    assert said["steps"] == steps
    assert run("check run.json").code == 0


@pytest.mark.parametrize("method", ["greedy", "scatter"])
def test_methods_that_draw(run: Run, method: str) -> None:
    ten = f"rounds grid:4x4 --source 0 --packets 10 --method {method}"
    for seed, name in ((1, "a"), (1, "b"), (2, "c")):
        assert run(f"{ten} --seed {seed} -o {name}.json").code == 0
    written = files()
    assert written["a.json"] == written["b.json"] != written["c.json"]
    assert run("check a.json c.json").out.count("accepted") == 2


def test_balanced_saturation(run: Run) -> None:
    balanced = run("rounds grid:4x4 --source 0 --packets 50 --method balanced --json").object
    assert 100 <= balanced["steps"] <= 120


def test_packed_files_are_written_and_read(run: Run) -> None:
    for name in ("run.json", "run.json.gz"):
        assert run(f"rounds grid:4x4 --source 0 --packets 20 -o {name}").code == 0
    written = files()
    assert written["run.json.gz"][:2] == b"\x1f\x8b"
    assert len(written["run.json.gz"]) < len(written["run.json"])
    for command in ("check", "simulate"):
        packed, plain = (run(f"{command} {name}") for name in ("run.json.gz", "run.json"))
        assert packed.out.replace(".gz", "") == plain.out
        assert packed.code == 0
    refused(run("overlay ipdps-fig1 --vipr bound.vipr.gz"))
    assert "bound.vipr.gz" not in files()


def test_a_run_is_played(run: Run) -> None:
    assert run("rounds grid:2x2 --source 0 --packets 3 -o run.json").code == 0
    assert run("simulate run.json").out.startswith("simulated     4 nodes, half-duplex, 18 events")
    said = run("simulate run.json --json").object
    assert (said["steps"], said["transfers"], said["mean_active"]) == (5, 9, "18/5")
    for option, name in (("items", "operations"), ("rate", "rate"), ("seed", "seed")):
        assert f"--{name}: " in refused(run(f"simulate run.json --{option} 3"))


def test_a_broken_run_is_rejected_by_the_simulator(run: Run) -> None:
    assert run("rounds grid:2x2 --source 0 --packets 3 -o run.json").code == 0
    with open("run.json", encoding="utf-8") as file:
        written = file.read()
    with open("run.json", "w", encoding="utf-8") as file:
        file.write(written.replace('"steps": 5', '"steps": 6'))
    assert "the last transfer ends after 5 steps" in refused(run("simulate run.json"), 1)


GRID = "rounds grid:4x4 --packets 3"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (GRID, "--source --allgather"),
        (f"{GRID} --source 0 --allgather", "--allgather"),
        (f"{GRID} --source 99", "--source: '99'"),
        (f"{GRID} --source 0,0", "given twice"),
        ("rounds grid:4x4 --source 0", "--packets"),
        ("rounds grid:4x4 --source 0 --packets 0", "--packets"),
        ("rounds grid:4x4 --source 0 --packets 1/2", "--packets"),
        ("rounds grid:4x4 --source 0 --packets 99999999", "at most 100000000 transfers"),
        ("rounds grid:4x4 --source 0 --packets 99999999 --method tree", "at most 100000000"),
        ("rounds legrand-fig1 --source Ps --packets 3", "a whole number of steps on every arc"),
        ("rounds nowhere:4 --source 0 --packets 3", "nowhere"),
        (f"{GRID} --source 0 --ports link", "--ports"),
        (f"{GRID} --source 0 --method best", "--method"),
        (f"{GRID} --source 0,1 --method tree", "--method tree, sources"),
        (f"{GRID} --allgather --method greedy", "--method greedy, sources"),
        (f"{GRID} --source 0,5 --method scatter", "--method scatter, sources"),
        (f"{GRID} --source 0 --method balanced --ports one-port", "--ports"),
        (f"{GRID} --source 0 --method greedy --effort 2", "--effort"),
        (f"{GRID} --source 0 --method tree --seed 2", "--seed"),
        (f"{GRID} --source 0 --method tree --time-limit 2", "--time-limit"),
        (f"{GRID} --source 0 --effort -1", "--effort"),
        (f"{GRID} --source 0 --seed 1/2", "--seed"),
        (f"{GRID} --source 0 --time-limit 0", "--time-limit"),
    ],
)
def test_bad_options_of_steps(run: Run, command: str, expected: str) -> None:
    assert expected in refused(run(f"{command} -o found.json"))
    assert files() == {}


def test_graphs_on_which_it_cannot_be_done(run: Run) -> None:
    one_way = platform_file("one-way.json", [("a", "b", 1), ("c", "b", 1)])
    assert "can be reached" in refused(run(f"rounds {one_way} --source a --packets 3"))
    slow = platform_file("slow.json", [("a", "b", 2), ("b", "a", 2)])
    said = refused(run(f"rounds {slow} --source a --packets 3 --method tree"))
    assert "every arc takes one step" in said


def test_time_limits_beyond_reason_are_none(run: Run) -> None:
    said = run(f"rounds grid:2x2 --source 0 --packets 3 --time-limit 1{'0' * 400} --json")
    assert said.object["steps"] == 5
