"""What people type in a hurry: no words, half an option, a picture's name, Ctrl-C at once."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from exactsched.cli import COMMANDS, _parser
from exactsched.cli.examples import EXAMPLES
from tests.campaign.toy_campaigns import LIBRARY
from tests.cli.command_line import Run, files, platform_file, refused

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "tests" / "corpus"
TOYS = f"--library {LIBRARY} --executor serial"


def test_the_command_alone_prints_its_help(run: Run) -> None:
    assert run() == run("--help")
    assert run().code == 0
    assert "broadcast" in run().out


@pytest.mark.parametrize(
    "command",
    [
        "broadcast legrand-fig1 --sou Ps",
        "overlay ipdps-fig1 --meth tree",
        "verify --lis",
        "logp broadcast --pro 3",
        "rounds ring:4 --sour 0",
        "--vers",
    ],
)
def test_options_are_not_abbreviated(run: Run, command: str) -> None:
    refused(run(command))


@pytest.mark.parametrize(
    "command",
    [
        "broadcast grid:2 --source 0",
        "scatter grid:2 --source 0",
        "overlay ipdps-fig1",
        "rounds ring:4 --source 0 --packets 2",
        "logp broadcast --L 1 --o 0 --g 1 --P 3",
    ],
)
@pytest.mark.parametrize("name", ["fig.svg", "fig.HTML", "fig.png", "fig.pdf"])
def test_a_certificate_is_not_named_as_a_picture(run: Run, command: str, name: str) -> None:
    line = refused(run(f"{command} -o {name}"))
    assert "type -o fig.json, then exactsched draw fig.json -o fig.svg" in line
    assert files() == {}


@pytest.mark.parametrize(
    "command",
    ["check no.json", "simulate no.json", "draw no.json -o x.svg", "broadcast no.json --source 0"],
)
def test_a_missing_file_is_missing_and_not_malformed(run: Run, command: str) -> None:
    said = run(command)
    assert said.code == 2
    assert "no.json" in said.err
    assert "no such file" in said.err
    assert "malformed" not in said.err


def test_a_folder_for_counterexamples_is_made(run: Run) -> None:
    run(f"verify toy.sum --instances 9 {TOYS} --counterexamples new/deeper")
    assert [path.name for path in Path("new/deeper").iterdir()] == ["toy.sum-small-0-0.json"]
    Path("file").touch()
    assert "cannot be made" in refused(run(f"verify toy.sum {TOYS} --counterexamples file"))


def test_reports_of_equal_campaigns_differ_in_one_line_of_times(run: Run) -> None:
    """Whatever the number of processes; the members of the other lines are the same bytes."""
    for name, how in (("a", "serial"), ("b", "serial"), ("c", "process --jobs 2")):
        command = f"verify toy.sum toy.holds --library {LIBRARY} --instances 30 --executor {how}"
        run(f"{command} --report {name}.json")
    lines = [Path(f"{name}.json").read_text().splitlines() for name in "abc"]
    apart = [
        [line for line in listed if not line.startswith(' "microseconds": ')] for listed in lines
    ]
    assert apart[0] == apart[1] == apart[2]
    assert {len(listed) for listed in lines} == {len(apart[0]) + 1}


def test_ratios_without_latencies_are_computed_once(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exactsched.runs import pipelined

    computed: list[object] = []
    solve = pipelined.pipelined_broadcast

    def counting(platform: object, source: object, size: object, **ports: object) -> object:
        computed.append(size)
        return solve(platform, source, size, **ports)  # type: ignore[arg-type]

    monkeypatch.setattr(pipelined, "pipelined_broadcast", counting)
    plain = platform_file("plain.json", [("a", "b", 1), ("b", "c", "1/2")])
    run(f"ratio {plain} --source a --sizes 3,1,10")
    assert computed == [3]
    slow = platform_file("slow.json", [("a", "b", 1, 1), ("b", "c", "1/2")])
    run(f"ratio {slow} --source a --sizes 3,1,10")
    assert computed == [3, 3, 1, 10]


# Ctrl-C.

_AT = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
sys.argv = ["exactsched", "platforms"]
from exactsched.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "name", ["exactsched.cli", "exactsched.cli.certificates", "exactsched.platforms.built_in"]
)
def test_an_interruption_of_imports_is_one_line(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _AT.format(name=name)], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr == b"exactsched: interrupted\n"


def test_the_console_script_and_the_module_start_in_the_same_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"exactsched": "exactsched.__main__:main"}


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_signal_ends_a_solution_in_one_line() -> None:
    """Which takes some ten seconds."""
    command = [sys.executable, "-m", "exactsched", "broadcast", "random:20000,100000,1"]
    with subprocess.Popen([*command, "--source", "0"], cwd=ROOT, stdout=-1, stderr=-1) as started:
        with pytest.raises(subprocess.TimeoutExpired):
            started.wait(1)
        started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=60)
    assert (out, err) == (b"", b"exactsched: interrupted\n")
    # CPython ends by the signal itself, 130 for a shell, if it arrives while `exec` runs, as it
    # does where a dataclass is made.
    assert started.returncode in (130, -signal.SIGINT)


# Help and completion ------------------------------------------------------------------------------


def commands_below(parser: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
    found = [x for x in parser._actions if isinstance(x, argparse._SubParsersAction)]
    yield name
    for commands in found:
        for word, command in commands.choices.items():
            yield from commands_below(command, f"{name} {word}".strip())


def test_every_command_has_examples_that_can_be_typed() -> None:
    parser = _parser()
    assert set(EXAMPLES) == set(commands_below(parser))
    for name, examples in EXAMPLES.items():
        for words in examples:
            assert words.startswith(name)
            assert parser.parse_args(shlex.split(words)).command


def test_the_parser_of_a_command_is_that_of_all_commands() -> None:
    everything = next(x for x in _parser()._actions if isinstance(x, argparse._SubParsersAction))
    assert list(everything.choices) == list(COMMANDS)
    for word, command in everything.choices.items():
        alone = next(x for x in _parser(word)._actions if isinstance(x, argparse._SubParsersAction))
        assert alone.choices[word].format_help() == command.format_help()


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_help_shows_the_examples(name: str, run: Run) -> None:
    shown = run(*name.split(), "--help").out
    assert "\nexamples:\n" in shown
    for words, about in EXAMPLES[name].items():
        assert re.search(f"  exactsched {re.escape(words)}  +{re.escape(about)}\n", shown)


@pytest.mark.parametrize(
    ("typed", "one"),
    [("exactsched allg", "allgather"), ("exactsched allgather dgx-a", "dgx-a100:2")],
)
def test_the_shell_completes_commands_and_platforms(typed: str, one: str, tmp_path: Path) -> None:
    answered = tmp_path / "answer"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "COMP_LINE": typed,
        "COMP_TYPE": "9",
        "COMP_POINT": str(len(typed)),
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answered),
    }
    program = "import sys; sys.argv[0] = 'exactsched'; from exactsched.cli import main; main()"
    subprocess.run([sys.executable, "-c", program], env={**os.environ, **asked}, check=True)
    assert one in [line.strip() for line in answered.read_text().split("\n")]


# Verdicts as JSON ---------------------------------------------------------------------------------


def test_check_says_what_is_proved_as_json(run: Run) -> None:
    names = ["accepted/odd-set", "accepted/min-max/flow-of-nothing", "malformed/empty", "nowhere"]
    paths = [str(CORPUS / f"{name}.json") for name in names]
    said = run("check", "--json", *paths)
    series, flow, malformed, nowhere = json.loads(said.out)["files"]
    assert said.code == 2
    assert (series["verdict"], series["throughput"], series["optimal"]) == ("accepted", "3/8", True)
    assert (flow["kind"], flow["value"], flow["file"]) == ("maximum-flow", 0, paths[1])
    assert flow["proved"].startswith("maximum flow 0 proved optimal")
    assert (malformed["verdict"], nowhere["verdict"]) == ("malformed", "unreadable")
    assert "a certificate is a JSON document" in malformed["error"]


def test_check_says_what_is_refused_as_json(run: Run) -> None:
    path = str(next(path for path in sorted((CORPUS / "rejected").rglob("*.json"))))
    said = run("check", "--json", path)
    (answer,) = json.loads(said.out)["files"]
    assert (said.code, answer["verdict"]) == (1, "rejected")


def test_plans_are_judged_as_json_too(run: Run) -> None:
    path = str(CORPUS / "msccl" / "accepted" / "allreduce-of-two.xml")
    (answer,) = json.loads(run("check", "--json", path).out)["files"]
    assert (answer["verdict"], answer["messages"]) == ("accepted", 4)
    refused = run("check", "--json", path, "--platform", "dgx-a100:1")
    assert (refused.code, "not together with --json" in refused.err) == (2, True)


def test_a_period_of_many_digits_comes_with_shorter_ones(run: Run) -> None:
    costs = Random(1)
    arcs = [(u, v, f"{costs.randint(800, 1200)}/997") for u in "012345" for v in "012345" if u != v]
    asked = f"broadcast {platform_file('long.json', arcs)} --source 0 --ports half-duplex"
    answer = json.loads(run(f"{asked} --json").out)
    (percent, permille) = answer["shorter_periods"]
    assert (percent["loss"], permille["loss"]) == ("1/100", "1/1000")
    said = run(asked).out
    assert f"shorter      --period {percent['period']} loses at most 1 %, --period " in said
    shorter = json.loads(run(f"{asked} --period {percent['period']} --json").out)
    assert Fraction(shorter["throughput"]) >= Fraction(99, 100) * Fraction(answer["throughput"])
    assert "shorter_periods" not in shorter
