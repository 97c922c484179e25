"""`exactsched verify`: campaigns, counterexamples and reports on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exactsched.campaign import read_report
from exactsched.cli.campaign_progress import CampaignProgress
from tests.cli.command_line import Run, files, refused

ROOT = Path(__file__).parents[2]
TOYS = "--library tests.campaign.toy_claims --executor serial"


def test_a_campaign_that_finds_nothing(run: Run) -> None:
    said = run(f"verify toy.holds toy.printed --instances 40 {TOYS}")
    assert (said.code, said.err) == (0, "")
    head, holds, printed, total = said.out.splitlines()
    assert head.split() == ["claim", "verdict", "instances", "not", "applicable", "ms", "each"]
    assert holds.split()[:4] == ["toy.holds", "holds", "42", "9"]
    assert "refuted as expected" in printed
    assert total.startswith("83 instances of 2 claims in ")
    assert total.endswith(" a second: all as expected")
    assert not files()


def test_a_campaign_that_refutes(run: Run) -> None:
    said = run(f"verify toy.sum toy.misprinted --instances 40 {TOYS}")
    assert (said.code, said.err) == (1, "")
    assert "toy.misprinted  not refuted as expected" in said.out
    assert "toy.sum: small instance " in said.out
    [name] = files()
    assert f"counterexample: {name}\n" in said.out
    assert said.out.endswith("2 claims not as expected: toy.misprinted, toy.sum\n")
    again = run(f"verify --replay {name} --library tests.campaign.toy_claims")
    assert again.code == 1
    assert again.out == f"{name}: toy.sum: still refuted: the sum is 150 or more\n  sum: 150\n"


def test_json_says_the_same(run: Run) -> None:
    said = run(f"verify toy.holds --instances 40 --size medium,small {TOYS} --json")
    assert said.object == {
        "verified": True,
        "complete": True,
        "instances": 82,
        "wrong": [],
        "results": [
            {"claim": "toy.holds", "verdict": "holds", "instances": 82, "not_applicable": 10}
            | {"failed": 0}
        ],
        "counterexamples": [],
    }
    wrong = run(f"verify toy.raises --instances 40 {TOYS} --json")
    assert wrong.code == 1
    assert json.loads(wrong.out)["wrong"] == ["toy.raises"]


def test_counterexamples_go_beside_the_report_or_where_asked(run: Run) -> None:
    Path("here").mkdir()
    run(f"verify toy.sum --instances 9 {TOYS} --report here/a.json")
    assert sorted(path.name for path in Path("here").iterdir()) == [
        "a.json",
        "toy.sum-small-0-0.json",
    ]
    run(f"verify toy.sum --instances 9 --seed 3 {TOYS} --counterexamples there")
    [path] = Path("there").iterdir()
    assert path.name.startswith("toy.sum-small-3-")


def test_replay_of_what_holds_now(run: Run) -> None:
    run(f"verify toy.sum --instances 9 {TOYS}")
    [name] = files()
    document = json.loads(Path(name).read_text())
    Path(name).write_text(json.dumps(document | {"instance": {"listed": [149]}}))
    said = run(f"verify --replay {name} --library tests.campaign.toy_claims")
    assert (said.code, said.out) == (0, f"{name}: toy.sum: holds now\n  sum: 149\n")
    again = run(f"verify --replay {name} --library tests.campaign.toy_claims --json")
    assert again.object["refuted"] is False


def test_a_file_does_not_decide_what_is_imported(run: Run) -> None:
    run(f"verify toy.sum --instances 9 {TOYS}")
    [name] = files()
    told = refused(run(f"verify --replay {name}"))
    assert "add --library tests.campaign.toy_claims if you trust it" in told


def test_shards_are_merged(run: Run) -> None:
    common = f"verify toy.holds toy.printed --instances 300 {TOYS}"
    for number in (1, 2):
        said = run(f"{common} --shard {number}/2 --report {number}.json")
        assert f"only shards {number}/2\n" in said.out
    run(f"{common} --report whole.json")
    said = run("verify --merge 1.json 2.json -o both.json")
    assert said.code == 0
    assert read_report("both.json") == read_report("whole.json")
    assert "603 instances of 2 claims: all as expected" in said.out


def test_a_finished_report_is_printed(run: Run) -> None:
    common = f"verify toy.holds --instances 30 {TOYS} --report a.json"
    first, again = run(common), run(common)
    assert again.out.splitlines()[:-1] == first.out.splitlines()[:-1]
    assert again.out.endswith("32 instances of 1 claim: all as expected\n")
    assert "belongs to another campaign (seed 0 and 1)" in refused(run(f"{common} --seed 1"))


def test_the_list_of_claims(run: Run) -> None:
    said = run("verify --list --library exactsched.theorems.classical.matchings konig")
    assert said.code == 0
    first, second = said.out.splitlines()[:2]
    assert first.startswith("konig.")
    assert second.startswith("    ")
    listed = run("verify --list --json --library exactsched.theorems.classical.matchings").object[
        "claims"
    ]
    assert {"claim", "status", "reference", "statement", "page"} == set(listed[0])


def test_where_a_claim_is_stated(run: Run) -> None:
    said = run("verify --where konig.edge-coloring")
    file, line, name = said.out.strip().split(":")
    assert (said.code, name.strip()) == (0, "konig.edge-coloring")
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    assert lines[int(line) - 1].strip() == '"konig.edge-coloring",'
    rows = run("verify --where --json karp1993").object["claims"]
    assert {"claim", "file", "line"} == set(rows[0])
    assert all(row["claim"].startswith("karp1993.") for row in rows)
    assert "not with --where" in refused(run("verify --where --seed 1"))


def test_drawn(run: Run) -> None:
    run(f"verify toy.sum --instances 9 {TOYS}")
    [name] = files()
    said = run(f"draw {name} -o x.svg")
    assert (said.code, said.err) == (0, "")
    assert "the sum is 150 or more" in said.out
    assert Path("x.svg").read_text().startswith("<svg")
    assert run(f"draw {name} -o x.html").code == 0
    assert "a counterexample is drawn as .svg or .html" in refused(run(f"draw {name} -o x.json"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("toy.sun", "there are toy.sum"),
        ("--instances 1/2", "a whole number"),
        ("--instances -1", "0 or more"),
        ("--instances 1e16", "below 2^53"),
        ("--seed x", "not a number"),
        ("--jobs 0", "a positive number"),
        ("--jobs 3/2", "a whole number"),
        ("--size tiny", "one of small, medium, large"),
        ("--size small,", "one of small, medium, large"),
        ("--shard 2", "K/N, such as 1/4"),
        ("--shard 3/2", "K from 1 to N"),
        ("--shard 0/2", "a positive number"),
        ("--shard 1/x", "not a number"),
        ("--limit 0", "a positive number"),
        ("--executor cluster", "process, serial, dask"),
        ("--report no/a.json", "there is no folder no"),
        ("-o a.json", "goes with --merge"),
        ("--replay no.json", "a file that can be read"),
        ("--merge no.json", "a file that can be read"),
        ("--replay a.json --seed 1", "not with --replay"),
        ("--merge a.json --instances 5", "not with --merge"),
        ("toy.sum --replay a.json", "not with --replay"),
        ("--list --shard 1/2", "not with --list"),
        ("--list --replay a.json", "not allowed with argument"),
    ],
)
def test_refusals(run: Run, words: str, told: str) -> None:
    library = "" if "--executor" in words else "--executor serial"
    if "--replay" in words or "--merge" in words or "--list" in words:
        library = ""
    assert told in refused(run(f"verify --library tests.campaign.toy_claims {library} {words}"))
    assert not files()


def test_other_files_are_refused(run: Run) -> None:
    for content in ("", "[]", "{}", '{"kind": "counterexample"}', '{"format": 1.5}'):
        Path("a.json").write_text(content)
        refused(run("verify --replay a.json --library tests.campaign.toy_claims"))
        refused(run("verify --merge a.json"))
        refused(run(f"verify toy.sum {TOYS} --report a.json"))


def test_an_interruption_says_how_to_go_on(tmp_path: Path) -> None:
    """Ctrl-C after the first blocks: the journal stays, and no child does."""
    words = ["verify", "toy.slow", "--instances", "2000", "--jobs", "2", "--report", "a.json"]
    # What is started in the background ignores Ctrl-C; this command does not.
    program = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
    program += "from exactsched.cli import main; sys.exit(main())"
    asked = subprocess.Popen(
        [sys.executable, "-c", program, *words, "--library", "tests.campaign.toy_claims"],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = tmp_path / "a.json.journal"
    deadline = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    asked.send_signal(signal.SIGINT)
    out, err = asked.communicate(timeout=30)
    assert asked.returncode == 130
    assert out == ""
    assert err.count("\n") == 1
    assert "the same command continues with what is in a.json.journal" in err
    assert journal.exists()


def test_progress_has_a_rate_and_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from exactsched.campaign import Standing

    now = [100.0]
    monkeypatch.setattr("exactsched.cli.campaign_progress.monotonic", lambda: now[0])
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with CampaignProgress() as progress:
        now[0] += 10
        progress.told(Standing(3000, 10_000, 1000, 2, 0))
        progress.told(Standing(3001, 10_000, 1000, 2, 0))  # too soon to draw again
    shown = capsys.readouterr().err
    assert "3,000 of 10,000 instances, 200 a second, 35.0 s left, 2 failed" in shown
    assert "3,001" not in shown
