"""The command line: what is printed and written, the exit codes, and one line for bad input."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from exactsched import Platform, __version__, broadcast, built_in, check
from exactsched.check import ProvedRun, ProvedSeries
from exactsched.cli import terminal
from exactsched.drawing import draw
from exactsched.exact.errors import InvalidInput
from exactsched.platforms.built_in import catalog
from exactsched.platforms.files import write_platform
from tests.cli.command_line import Run, files, platform_file, refused

CORPUS = Path(__file__).parents[1] / "corpus"


@pytest.fixture
def fig1(run: Run) -> str:
    assert run("broadcast legrand-fig1 --source Ps -o fig1.json").code == 0
    return "fig1.json"


def series(path: str | Path) -> ProvedSeries:
    """What the checker proves about a file."""
    claim = check(str(path))
    assert isinstance(claim, ProvedSeries)
    return claim


def finite(path: str | Path) -> ProvedRun:
    """The same for a finite run."""
    claim = check(str(path))
    assert isinstance(claim, ProvedRun)
    return claim


# The commands of the README.


def test_the_commands_of_the_readme(run: Run) -> None:
    said = run("broadcast legrand-fig1 --source Ps -o fig1.json")
    assert said.code == 0
    assert said.err == ""
    lines = said.out.splitlines()
    assert lines[0].startswith("legrand-fig1: throughput 1 proved optimal")
    assert [line.split()[0] for line in lines[1:]] == ["schedule", "finite", "why", "certificate"]
    assert "period 2, 2 trees, no message is interrupted" in lines[1]
    assert "at most M * 1 + 6, for every M" in lines[2]
    assert "every message into {P1, P2, P3, P4} keeps send:Ps busy for 1" in lines[3]

    said = run("check fig1.json")
    assert said == (0, said.out, "")
    assert said.out.startswith("accepted: fig1.json: throughput 1 proved optimal")

    said = run("simulate fig1.json --operations 100")
    assert said.code == 0
    assert "100 of 100 everywhere" in said.out
    assert "makespan     104\n" in said.out
    assert "106 = operations / throughput + 6" in said.out

    for suffix, opening in ((".svg", "<svg"), (".html", "<!doctype html>")):
        said = run("draw", "fig1.json", "-o", f"drawn{suffix}")
        assert said == (0, f"drawn{suffix}: {check('fig1.json')}\n", "")
        assert Path(f"drawn{suffix}").read_text().lower().startswith(opening)
    assert run("draw fig1.json -o trace.json").code == 0
    assert json.loads(Path("trace.json").read_text())["traceEvents"]
    assert set(files()) == {"fig1.json", "drawn.svg", "drawn.html", "trace.json"}


@pytest.mark.parametrize(
    ("command", "throughput"),
    [
        ("legrand-fig1 --source Ps", "1"),
        ("legrand-fig1 --source Ps --restrict dag", "4/5"),
        ("legrand-fig1 --source Ps --restrict tree", "2/3"),
        ("legrand-fig1 --source Ps --restrict tree --time-limit 1000", "2/3"),
        ("legrand-fig1 --source Ps --restrict dag --time-limit 1e400", "4/5"),
        ("legrand-fig1 --source Ps --ports link", "2"),
        ("grid:4x4 --source 0 --ports half-duplex", "8/15"),
        ("star:3 --source 0 --ports one-port", "1/3"),
        ("star:3 --source 0 --ports link", "1"),
    ],
)
def test_known_optima(run: Run, command: str, throughput: str) -> None:
    """Printed, as JSON, and in a certificate that the checker accepts."""
    said = run(f"broadcast {command} -o found.json")
    assert f"throughput {throughput} proved optimal" in said.out.splitlines()[0]
    shown = run(f"broadcast {command} --json").object
    assert (str(shown["throughput"]), shown["optimal"]) == (throughput, True)
    assert shown["bound"] == shown["throughput"]
    assert series("found.json").throughput == Fraction(throughput)
    assert run("check found.json").code == 0


def test_a_broadcast_around_a_long_cycle(run: Run) -> None:
    """Its certificate is the cycle: all trees together are too many to be written down."""
    asked = "broadcast grid:64x65 --source 0 --ports half-duplex"
    said = run(f"{asked} -o cycle.json")
    lines = said.out.splitlines()
    assert "throughput 2080/4159 proved optimal" in lines[0]
    assert lines[1].split(maxsplit=1)[1] == "period 4159, 2080 trees, no message is interrupted"
    assert run(f"{asked} --json").object == {
        "throughput": "2080/4159",
        "optimal": True,
        "bound": "2080/4159",
        "period": 4159,
        "trees": 2080,
        "depth": 4159,
        "makespan_constant": 4159**2,
    }
    assert "2080/4159 proved optimal" in run("check cycle.json").out
    assert len(Path("cycle.json").read_bytes()) < 700_000
    delivered = run(f"{asked} --within {2 * 4159**2}").out
    assert f"delivered    {2080 * 4160} messages" in delivered
    for command in ("simulate cycle.json", "advise cycle.json", f"{asked} --period 5"):
        assert "written down for at most 4096 nodes" in refused(run(command))


def test_json_of_a_series_says_what_the_solution_says(run: Run) -> None:
    solution = broadcast(built_in("legrand-fig1"), "Ps")
    assert solution.schedule is not None
    assert run("broadcast legrand-fig1 --source Ps --json").object == {
        "throughput": 1,
        "optimal": True,
        "bound": 1,
        "period": solution.schedule.period,
        "trees": len(solution.trees),
        "depth": solution.depth,
        "makespan_constant": solution.makespan_constant,
    }


def test_json_and_a_certificate_in_one_go(run: Run) -> None:
    shown = run("broadcast ring:6 --source 0 --json -o ring.json").object
    assert str(series("ring.json").throughput) == str(shown["throughput"])
    assert list(files()) == ["ring.json"]


def test_packets_are_a_finite_run(run: Run) -> None:
    shown = run("broadcast legrand-fig1 --source Ps --packets 20 --json -o run.json").object
    proved = finite("run.json")
    assert (shown["packets"], proved.operations) == (20, 20)
    assert Fraction(shown["makespan"]) == proved.makespan >= proved.bound == shown["bound"]
    assert shown["optimal"] == proved.optimal
    said = run("broadcast legrand-fig1 --source Ps --packets 20")
    assert said.out.startswith(f"legrand-fig1: makespan <= {proved.makespan} by the schedule")
    assert "packets: 20" in said.out
    said = run("simulate run.json")
    assert "operations   20 of 20 everywhere" in said.out
    assert run("draw run.json -o run.svg").code == 0


def test_a_run_of_one_packet_can_be_proved_optimal(run: Run) -> None:
    shown = run("broadcast grid:2 --source 0 --packets 7 --json").object
    assert shown == {
        "makespan": 7,
        "optimal": True,
        "bound": 7,
        "packets": 7,
        "guarantee": 7,
        "constant": 1,
    }


def test_within_is_as_many_as_fit(run: Run) -> None:
    shown = run("broadcast legrand-fig1 --source Ps --within 15/2 --json").object
    assert Fraction(shown["makespan"]) <= Fraction(15, 2)
    assert 1 <= shown["packets"] <= 7
    more = run("broadcast legrand-fig1 --source Ps --within 30 --json").object
    assert more["packets"] > shown["packets"]


def test_size_cuts_one_message_over_start_ups(run: Run) -> None:
    chain = platform_file("chain.json", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    shown = run(f"broadcast {chain} --source a --size 9 --json -o run.json").object
    # Three packets of size 3: each takes 4, and the last one goes over the second arc at time 12.
    assert shown == {"makespan": 16, "optimal": False, "bound": 10, "packets": 3}
    assert finite("run.json").makespan == 16
    assert run("simulate run.json --json").object["makespan"] == 16


def test_whole_never_interrupts(run: Run) -> None:
    asked = "broadcast random:8,20,20 --source 0"
    plain, whole = run(f"{asked} -o plain.json"), run(f"{asked} --whole -o whole.json")
    assert "messages may be interrupted" in plain.out
    assert "no message is interrupted" in whole.out
    assert json.loads(Path("whole.json").read_text())["schedule"]["whole"] is True
    assert series("whole.json") == series("plain.json")


def test_what_cannot_be_reached_has_throughput_zero(run: Run) -> None:
    lonely = platform_file("lonely.json", [("a", "b", 1)], ["a", "b", "c"])
    said = run(f"broadcast {lonely} --source a -o zero.json")
    assert "throughput 0 proved optimal" in said.out
    assert "no arc enters {c}" in said.out
    assert "\n  schedule" not in said.out
    assert run(f"broadcast {lonely} --source a --whole --json").object == {
        "throughput": 0,
        "optimal": True,
        "bound": 0,
        "unreachable": ["c"],
    }
    words = "no path leads from a to c"
    assert words in refused(run(f"broadcast {lonely} --source a --packets 3"))
    assert words in refused(run(f"broadcast {lonely} --source a --size 3"))
    assert run("check zero.json").code == 0


@pytest.mark.parametrize("written", ["0.1", '"0.1"', '"1/10"', "1e-1"])
def test_decimal_text_in_a_file_is_exact(run: Run, written: str) -> None:
    Path("ab.json").write_text(
        '{"directed": true, "nodes": [{"id": "a"}, {"id": "b"}], '
        f'"edges": [{{"source": "a", "target": "b", "cost": {written}}}]}}'
    )
    assert run("broadcast ab.json --source a --json").object["throughput"] == 10


def test_graphml_is_a_platform_too(run: Run) -> None:
    Path("ab.graphml").write_text(
        '<graphml><key id="c" for="edge" attr.name="cost"/><graph edgedefault="undirected">'
        '<node id="a"/><node id="b"/><edge source="a" target="b"><data key="c">2/3</data></edge>'
        "</graph></graphml>"
    )
    assert run("broadcast ab.graphml --source b --json").object["throughput"] == "3/2"


def test_floats_in_python_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r'write a string such as "0\.1"'):
        Platform("ab", [("a", "b", 0.1)])


def test_the_ratio_tends_to_one(run: Run) -> None:
    chain = platform_file("chain.json", [("a", "b", 1, 1), ("b", "c", 1, 1)])
    points = run(f"ratio {chain} --source a --sizes 1,9,1000 --json").object["points"]
    assert points[0] == {"size": 1, "packets": 1, "makespan": 4, "bound": 2}
    assert points[1] == {"size": 9, "packets": 3, "makespan": 16, "bound": 10}
    ratios = [Fraction(point["makespan"]) / Fraction(point["bound"]) for point in points]
    assert ratios == sorted(ratios, reverse=True)
    said = run(f"ratio {chain} --source a --sizes 1,9 -o curve.svg")
    assert [line.split() for line in said.out.splitlines()] == [
        ["size", "packets", "makespan", "bound", "ratio"],
        ["1", "1", "4", "2", "2"],
        ["9", "3", "16", "10", "~1.6000"],
    ]
    assert Path("curve.svg").read_text().startswith("<svg")


def test_ratios_of_messages_beyond_floats(run: Run) -> None:
    said = run("ratio grid:2 --source 0 --sizes 1e5000,2/3")
    assert said.code == 0
    assert "~1.0000e+5000" in said.out
    assert "~0.67" in said.out


def test_simulate_prints_one_object(run: Run, fig1: str) -> None:
    shown = run(f"simulate {fig1} --operations 10 --json").object
    assert shown == {
        "makespan": 14,
        "operations": 10,
        "rate": "5/7",
        "throughput": 1,
        "limit": 16,
    }
    platform_file("chain.json", [("a", "b", 1), ("b", "c", 1)])
    run("broadcast chain.json --source a --packets 3 -o run.json")
    assert run("simulate run.json --json").object["limit"] is None


def test_platforms_are_listed(run: Run) -> None:
    said = run("platforms")
    assert len(said.out.splitlines()) == len(catalog())
    families = run("platforms --json").object["platforms"]
    assert [family["pattern"] for family in families] == [entry.pattern for entry in catalog()]
    for family in families:
        assert family["pattern"] in said.out
        assert built_in(family["example"]).nodes


def test_help_and_version(run: Run) -> None:
    assert run("--version") == (0, f"exactsched {__version__}\n", "")
    assert "broadcast" in run("--help").out
    for command in ("broadcast", "ratio", "check", "simulate", "draw", "platforms"):
        said = run(f"{command} --help")
        assert said.code == 0
        assert said.out.startswith(f"usage: exactsched {command}")


def test_names_cannot_write_to_the_terminal(run: Run) -> None:
    """Escapes, line breaks and lone surrogates in names of nodes come out as their codes."""
    names = ["a\x1b[2J\nz", "b\u2028\ud800"]
    platform_file("odd.json", [(*names, 1)])
    for command in (
        ("broadcast", "odd.json", "--source", names[0], "-o", "found.json"),
        ("check", "found.json"),
        ("simulate", "found.json"),
        ("draw", "found.json", "-o", "found.svg"),
    ):
        said = run(*command)
        assert said.code == 0, said
        assert all(char == "\n" or char.isprintable() for char in said.out)
        assert "\\x1b[2J" in said.out


# Bad input: one line, the exit code, nothing written.

FIG1 = "broadcast legrand-fig1 --source Ps -o out.json"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("nonsense", "invalid choice: 'nonsense'"),
        ("allgther ring:3", "invalid choice: 'allgther': did you mean allgather?"),
        ("broadcast ring:3 --ports oneport", "'oneport': did you mean one-port?"),
        ("broadcast legrand-fig1", "required: --source"),
        ("broadcast legrand-fig1 --source Ps --ports two", "invalid choice: 'two'"),
        ("broadcast legrand-fig1 --source Ps --restrict path", "invalid choice: 'path'"),
        ("broadcast legrand-fig1 --source Ps --nonsense", "unrecognized arguments: --nonsense"),
        (f"{FIG1} --packets 3 --within 4", "not allowed with argument --packets"),
        (f"{FIG1} --whole --packets 4", "not allowed with argument --whole"),
        (f"{FIG1} --packets 0", "--packets: '0': a positive number"),
        (f"{FIG1} --packets=-3", "--packets: '-3': a positive number"),
        (f"{FIG1} --packets 1.5", "--packets: '1.5': a whole number"),
        (f"{FIG1} --packets abc", "--packets: 'abc': not a number"),
        (f"{FIG1} --packets 1/0", "--packets: '1/0': the denominator is zero"),
        (f"{FIG1} --packets=", "--packets: '': not a number"),
        (f"{FIG1} --packets 1e9000", "at most"),
        (f"{FIG1} --size -1", "--size: '-1': a positive number"),
        (f"{FIG1} --size 0", "--size: '0': a positive number"),
        (f"{FIG1} --size=", "--size: '': not a number"),
        (f"{FIG1} --within 0", "--within: '0': a positive number"),
        (f"{FIG1} --within=", "--within: '': not a number"),
        (f"{FIG1} --within 1/1000", "no operation is complete by then"),
        (f"{FIG1} --within inf", "--within: 'inf': not a number"),
        (f"{FIG1} --restrict dag --size=", "not together with --size"),
        (f"{FIG1} --time-limit 0", "--time-limit: '0': a positive number"),
        (f"{FIG1} --restrict tree --time-limit 0", "--time-limit: '0': a positive number"),
        (f"{FIG1} --restrict tree --time-limit soon", "--time-limit: 'soon': not a number"),
        ("broadcast legrand-fig1 --source P9 -o out.json", "--source: 'P9': not a node"),
        ("broadcast legrand-fig1 --source= -o out.json", "--source: '': not a node"),
        ("broadcast gird:4x4 --source 0 -o out.json", "did you mean grid"),
        ("broadcast grid:4 --source 7 -o out.json", "its nodes are 0, 1, 2, 3"),
        ("broadcast grid:0x4 --source 0 -o out.json", "at least 1"),
        ("broadcast grid:1x1 --source 0 -o out.json", "at least two nodes"),
        ("broadcast grid:9999x9999 --source 0 -o out.json", "at most 1000000 are built"),
        ("broadcast no-such-file --source 0 -o out.json", "no-such-file"),
        ("broadcast no-such-file.json --source 0 -o out.json", "'no such file'"),
        ("broadcast complete:3 --source 0 --ports half-duplex --restrict dag", "odd cycle"),
        ("broadcast grid:2 --source 0 -o missing/out.json", "there is no folder missing"),
        ("broadcast grid:2 --source 0 -o .", "this is a folder"),
        ("broadcast grid:2 --source 0 -o=", "this is a folder"),
        (f"broadcast grid:2 --source 0 -o {'x' * 300}", "cannot be written"),
        ("ratio grid:2 --source 0 --sizes 1,,2", "--sizes: '': not a number"),
        ("ratio grid:2 --source 0 --sizes 1,0", "--sizes: '0': a positive number"),
        ("ratio grid:2 --source 5", "--source: '5': not a node"),
        (
            "ratio grid:2 --source 0 -o curve.gif",
            "'curve.gif': write a .svg, .pdf or .png",
        ),
        ("ratio grid:2 --source 0 -o missing/curve.svg", "there is no folder missing"),
        ("check", "required: FILE"),
        ("simulate missing.json", "missing.json: 'no such file'"),
        ("draw missing.json -o out.svg", "missing.json: 'no such file'"),
        ("draw missing.json", "required: -o/--output"),
        ("platforms grid", "unrecognized arguments: grid"),
    ],
)
def test_bad_input_is_one_line(run: Run, command: str, reason: str) -> None:
    assert reason in refused(run(command))
    assert files() == {}


AB = '{"directed": true, "nodes": [{"id": "a"}, {"id": "b"}], "edges": [%s]}'


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (AB % '{"source": "a", "target": "b", "cost": -1}', "cost is positive"),
        (AB % '{"source": "a", "target": "b", "cost": 0}', "cost is positive"),
        (AB % '{"source": "a", "target": "b", "cost": "1/0"}', "the denominator is zero"),
        (AB % '{"source": "a", "target": "b", "cost": NaN}', "this is not a number"),
        (AB % '{"source": "a", "target": "b", "cost": true}', "a truth value is not a number"),
        (AB % '{"source": "a", "target": "b", "cost": "fast"}', "not a number"),
        (AB % '{"source": "a", "target": "b"}', 'an arc needs an attribute "cost"'),
        (AB % '{"source": "a", "target": "c", "cost": 1}', "c"),
        (AB % '{"source": "a", "target": "a", "cost": 1}', "loops are not allowed"),
        (AB % '{"source": "a", "cost": 1}', '"target" is missing'),
        (AB % '{"source": "a", "target": "b", "cost": 1, "latency": 1}', "latency"),
        ('{"directed": true, "nodes": [{"id": "a"}], "edges": []}', "at least two nodes"),
        ('{"directed": true, "nodes": [], "edges": []}', ""),
        (AB[:40], "this is not JSON, or only a part of it"),
        ("", "this is not JSON"),
        ("[1, 2]", "list"),
        ('"a->b"', "str"),
        ('{"format": "exactsched"}', "node-link JSON is an object"),
        ("[" * 100_000, "nested too deeply"),
        ("<graphml><graph", "not XML, or only a part of it"),
        ("caf\xe9".encode("latin-1"), "text in UTF-8"),
    ],
)
def test_bad_platform_files_are_one_line(run: Run, written: str | bytes, reason: str) -> None:
    content = written if isinstance(written, bytes) else written.encode()
    name = "bad.graphml" if content.startswith(b"<") else "bad.json"
    Path(name).write_bytes(content)
    assert reason in refused(run(f"broadcast {name} --source a -o out.json"))
    refused(run(f"ratio {name} --source a --sizes="))
    assert files() == {name: content}


def test_unreadable_files(run: Run) -> None:
    Path("folder.json").mkdir()
    assert "folder.json" in refused(run("broadcast folder.json --source a"))
    assert "folder.json" in refused(run("simulate folder.json"))
    assert "folder.json" in refused(run("draw folder.json -o out.svg"))
    said = run("check folder.json")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)


def test_a_folder_that_cannot_be_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not by its mode, which does not bind the superuser who may run the tests.
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert "cannot be written to" in refused(run("broadcast grid:2 --source 0 -o out.json"))
    assert files() == {}


def test_a_disk_that_fills_up(run: Run, fig1: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there stays, and nothing half-written beside it."""
    before = files()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "part")

    monkeypatch.setattr(os, "replace", full)
    for command in (
        f"broadcast grid:3 --source 0 -o {fig1}",
        "ratio grid:2 --source 0 --sizes 1 -o curve.svg",
        f"draw {fig1} -o out.svg",
    ):
        assert "No space left on device" in refused(run(command))
        assert files() == before


@pytest.mark.parametrize(
    "command",
    [
        "broadcast {0} --source s -o {0}",
        "broadcast {0} --source s -o ./{0}",
        "ratio {0} --source s -o {0} --sizes 1",
        "draw {0} -o {0}",
    ],
)
def test_the_file_that_is_read_is_never_replaced(run: Run, command: str) -> None:
    read = platform_file("given.json", [("s", "a", 1)])
    before = files()
    assert "this is the file to be read" in refused(run(command.format(read)))
    assert files() == before


def test_an_answer_replaces_an_old_one_and_a_refusal_does_not(run: Run, fig1: str) -> None:
    before = files()
    refused(run(f"broadcast legrand-fig1 --source Ps --packets 0 -o {fig1}"))
    assert files() == before
    assert run(f"broadcast legrand-fig1 --source Ps --restrict tree -o {fig1}").code == 0
    assert series(fig1).throughput == Fraction(2, 3)
    assert list(files()) == [fig1]


def _later(document: dict[str, Any]) -> None:
    """A slot moves to where another one of its ports works, or past the period."""
    slot = document["schedule"]["slots"][0]
    slot[1:] = [slot[1] + 1, slot[2] + 1]


def _shorter(document: dict[str, Any]) -> None:
    document["schedule"]["slots"].pop()


@pytest.mark.parametrize("tamper", [_later, _shorter])
def test_tampered_schedules_are_rejected(
    run: Run, fig1: str, tamper: Callable[[dict[str, Any]], None]
) -> None:
    document = json.loads(Path(fig1).read_text())
    tamper(document)
    Path(fig1).write_text(json.dumps(document))
    before = files()
    refused(run(f"simulate {fig1}"), code=1)
    refused(run(f"simulate {fig1} --json"), code=1)
    refused(run(f"draw {fig1} -o out.svg"), code=1)
    said = run(f"check {fig1}")
    assert said == (1, said.out, "")
    assert said.out.startswith(f"rejected: {fig1}: ")
    assert said.out.count("\n") == 1
    assert files() == before


def test_tampered_claims_are_rejected(run: Run, fig1: str) -> None:
    document = json.loads(Path(fig1).read_text())
    document["throughput"] = document["bound"] = 2
    Path(fig1).write_text(json.dumps(document))
    assert "the schedule reaches 1" in run(f"check {fig1}").out
    Path("out.html").write_text("old")
    refused(run(f"draw {fig1} -o out.html"), code=1)
    assert Path("out.html").read_text() == "old"


@pytest.mark.parametrize("written", ["", "{}", "[]", '{"format": "exactsched", ', AB % ""])
def test_what_is_no_certificate(run: Run, written: str) -> None:
    Path("bad.json").write_text(written)
    refused(run("simulate bad.json"))
    if written != AB % "":  # a platform, which can be drawn
        refused(run("draw bad.json -o out.svg"))
    said = run("check bad.json")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("malformed: bad.json")
    assert said.err.count("\n") == 1
    assert set(files()) == {"bad.json"}


def test_check_gives_the_worst_verdict_and_a_line_for_each(run: Run) -> None:
    accepted = CORPUS / "accepted" / "run-star.json"
    rejected = CORPUS / "rejected" / "slots-overlap.json"
    malformed = CORPUS / "malformed" / "truncated.json"
    for paths, code in (
        ([accepted], 0),
        ([accepted, accepted], 0),
        ([rejected, accepted], 1),
        ([accepted, malformed, rejected], 2),
    ):
        said = run("check", *map(str, paths))
        assert said.code == code
        assert len(said.out.splitlines()) + len(said.err.splitlines()) == len(paths)


@pytest.mark.parametrize("operations", ["0", "-1", "1.5", "x", "1/0", "", "1e9000"])
def test_simulate_needs_a_number_of_operations(run: Run, fig1: str, operations: str) -> None:
    refused(run("simulate", fig1, f"--operations={operations}"))


def test_a_run_is_simulated_as_it_is(run: Run) -> None:
    said = run("simulate", str(CORPUS / "accepted" / "run-star.json"), "--operations", "3")
    assert "a run has its own operations" in refused(said)


@pytest.mark.parametrize("output", ["out.gif", "out", ".svg"])
def test_draw_knows_five_forms(run: Run, fig1: str, output: str) -> None:
    assert "write a .svg, .pdf, .png, .html or .json file" in refused(
        run(f"draw {fig1} -o {output}")
    )
    assert list(files()) == [fig1]


def test_platforms_are_drawn_by_name_and_from_files(run: Run) -> None:
    """What a file says decides, not its name; the picture is that of `draw` in Python."""
    boxes = built_in("dgx-a100:2")
    write_platform(boxes, "boxes.json")
    write_platform(boxes, "boxes.graphml")
    Path("boxes").write_bytes(Path("boxes.json").read_bytes())
    for named in ("dgx-a100:2", "boxes.json", "boxes.graphml", "./boxes"):
        said = run(f"draw {named} -o boxes.svg")
        assert said == (0, "boxes.svg: Platform(36 nodes, 96 arcs)\n", "")
        title = f"Platform {Path(named).name}"
        assert Path("boxes.svg").read_text() == str(draw(boxes, title=title))
    assert run("draw grid:2x2 -o grid.html").code == 0
    assert "drawn as .svg or .html" in refused(run("draw grid:2x2 -o grid.json"))
    assert "did you mean grid:" in refused(run("draw gird:2x2 -o grid.svg"))
    assert "no such file" in refused(run("draw boxes.json.gz -o grid.svg"))
    Path("bad.json").write_text('{"directed": true, "nodes": [], "edges": []}')
    assert "at least one node" in refused(run("draw bad.json -o grid.svg"))


def test_an_interruption_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("exactsched.steady_state.broadcast.broadcast", interrupted)
    assert "interrupted" in refused(run("broadcast grid:2 --source 0 -o out.json"), code=130)
    assert files() == {}


# Whole processes.


def process(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """`python -m exactsched` in a process of its own, with buffers as they usually are."""
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    defaults: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": usual}
    command = [sys.executable, "-m", "exactsched", *arguments]
    return subprocess.run(command, text=True, check=False, **(defaults | options))


def test_as_a_module() -> None:
    done = process("broadcast", "legrand-fig1", "--source", "Ps", "--json")
    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)["throughput"] == 1
    done = process("broadcast", "legrand-fig1", "--source", "P9")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_a_reader_that_leaves_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = process("platforms", stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_closed_streams(tmp_path: Path) -> None:
    """A process may be started without standard streams; the answer goes to the file."""
    closing = "import os, sys; os.close(1); os.close(2); os.execv(sys.argv[1], sys.argv[1:])"
    module = [sys.executable, "-m", "exactsched"]
    start = [sys.executable, "-c", closing, *module]
    answer = tmp_path / "out.json"
    asked = ["broadcast", "grid:3", "--source", "0", "-o", str(answer)]
    assert subprocess.run([*start, *asked], check=False).returncode == 0
    assert series(answer).throughput == 1
    assert subprocess.run([*start, *asked, "--packets=0"], check=False).returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_output_that_is_full() -> None:
    with open("/dev/full", "w") as full:
        done = process("platforms", stdout=full)
    assert done.returncode == 2
    assert done.stderr == (
        "exactsched: standard output: No space left on device: cannot be written\n"
    )


def test_names_beyond_the_encoding_of_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "accents.json"
    path.write_text(
        '{"directed": true, "nodes": [{"id": "\u00e9"}, {"id": "b"}],'
        ' "edges": [{"source": "\u00e9", "target": "b", "cost": 1}]}',
        encoding="utf-8",
    )
    ascii_only = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}
    done = process("broadcast", str(path), "--source", "\u00e9", env=ascii_only)
    assert (done.returncode, done.stderr) == (0, "")
    assert "broadcast from \\xe9" in done.stdout
    done = process("broadcast", str(path), "--source", "\u00e8", env=ascii_only)
    assert (done.returncode, done.stdout) == (2, "")
    assert "'\\xe8': not a node" in done.stderr


# Progress is shown from the second second on; here at once.
AT_ONCE = """
import sys
from exactsched.cli import main, terminal
terminal.Progress.quiet = 0.0
sys.exit(main(sys.argv[1:]))
"""


def test_progress_on_a_terminal_only() -> None:
    """The bounds close in on one line, which is blank in the end; a pipe stays clean."""
    asked = ["broadcast", "legrand-fig1", "--source", "Ps"]
    at_once = [sys.executable, "-c", AT_ONCE, *asked]
    shown, terminal = pty.openpty()
    try:
        done = subprocess.run(at_once, stdout=subprocess.PIPE, stderr=terminal, check=True)
    finally:
        os.close(terminal)
    written = b""
    while True:
        try:  # Linux reports the end of a terminal as an error
            piece = os.read(shown, 4096)
        except OSError:
            break
        if not piece:
            break
        written += piece
    os.close(shown)
    lines = [line for line in written.decode().split("\r") if line]
    # A slow machine is at work for a second before the first round.
    lines = [line for line in lines if not line.startswith("at work: ")]
    assert lines[0].startswith("round 1: ")
    assert "<= throughput <=" in lines[0]
    assert lines[-1].isspace()
    assert not subprocess.run(at_once, capture_output=True, check=True).stderr
    assert done.stdout == subprocess.run(at_once, capture_output=True, check=True).stdout


def test_an_answer_within_a_second_shows_no_progress() -> None:
    shown, terminal = pty.openpty()
    try:
        done = process("logp", "broadcast", "--L", "6", "--P", "8", stderr=terminal)
    finally:
        os.close(terminal)
    assert done.returncode == 0
    with suppress(OSError):  # Linux reports the end of a terminal as an error
        assert os.read(shown, 4096) == b""
    os.close(shown)


def test_a_horizon_is_answered_at_any_distance(run: Run) -> None:
    """An explicit run where it can be written down, the periodic schedule's count beyond."""
    near = json.loads(run(*f"{FIG1} --within 20 --json".split()).out)
    assert near["delivered"] == near["packets"] <= near["at_most"] == 20
    far = json.loads(run(*f"{FIG1} --within 1e30 --json".split()).out)
    assert far["throughput"] == 1
    assert int(far["at_most"]) == 10**30
    assert 10**30 - far["constant"] <= int(far["delivered"]) <= 10**30


def test_a_restricted_run_keeps_to_its_tree(run: Run) -> None:
    answer = json.loads(run(*f"{FIG1} --restrict tree --packets 20 --json".split()).out)
    assert Fraction(answer["makespan"]) <= Fraction(answer["guarantee"])
    assert Fraction(answer["guarantee"]) <= 20 * Fraction(3, 2) + Fraction(answer["constant"])


def test_long_work_is_told_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Second by second, then the line is blank; a short piece of work says nothing."""
    shown, end = pty.openpty()
    with os.fdopen(end, "w") as error:
        monkeypatch.setattr(sys, "stderr", error)
        with terminal.working("the plan"):
            pass
        monkeypatch.setattr(terminal.Progress, "quiet", 0.01)
        with terminal.working("the plan"):
            sleep(0.3)
        monkeypatch.undo()
    written = b""
    with suppress(OSError):  # Linux reports the end of a terminal as an error
        while piece := os.read(shown, 4096):
            written += piece
    os.close(shown)
    lines = written.decode().split("\r")
    assert lines[1].rstrip() == "the plan: 0 s (Ctrl-C ends it)"
    assert "".join(lines[2:]).isspace()
