"""Sweeps: a row for every combination, resumed where they stopped, refused with a reason."""

from __future__ import annotations

import csv
import shlex
import signal
from pathlib import Path
from typing import Any

import pytest

from exactsched.cli import sweep
from exactsched.exact.journal_file import JournalFile
from tests.cli.command_line import Run, refused

SERIAL = "--executor serial"
RINGS = (
    f"sweep 'broadcast ring:{{n}} --source 0 --ports {{ports}}' n=3..5 ports=one-port,link {SERIAL}"
)


def words(command: str) -> list[str]:
    return shlex.split(command)


def rows(path: str = "t.csv") -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_combination_has_a_row_with_what_is_proved(run: Run) -> None:
    said = run(*words(f"{RINGS} -o t.csv"))
    assert (said.code, said.out) == (0, "t.csv: 6 rows\n")
    table = rows()
    assert [(row["n"], row["ports"]) for row in table] == [
        (n, ports) for n in "345" for ports in ("one-port", "link")
    ]
    assert [row["throughput"] for row in table] == ["1", "2", "1", "2", "1", "2"]
    assert {row["optimal"] for row in table} == {"True"}
    assert all(float(row["seconds"]) >= 0 for row in table)
    assert list(table[0])[:3] == ["n", "ports", "throughput"]
    assert not Path("t.csv.journal").exists()


def test_processes_find_the_same(run: Run) -> None:
    assert run(*words(f"{RINGS} -o one.csv")).code == 0
    assert run(*words(RINGS.replace(SERIAL, "--jobs 2 -o two.csv"))).code == 0
    one, two = rows("one.csv"), rows("two.csv")
    for row in [*one, *two]:
        del row["seconds"]
    assert one == two


def test_parquet_has_types_and_exact_fractions(run: Run) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    command = f"sweep 'broadcast ring:{{n}} --source 0 --ports {{p}}' n=3,4 p=half-duplex {SERIAL}"
    assert run(*words(f"{command} -o t.parquet")).code == 0
    assert run(*words(f"{command} -o t.csv")).code == 0
    table = parquet.read_table("t.parquet").to_pydict()
    assert list(table) == list(rows()[0])
    assert (table["n"], table["p"]) == ([3, 4], ["half-duplex"] * 2)
    assert table["throughput"] == [row["throughput"] for row in rows()] == ["1/2", "2/3"]
    assert table["optimal"] == [True, True]
    assert all(seconds >= 0 for seconds in table["seconds"])


def test_parquet_where_an_answer_is_missing(run: Run) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    said = run(*words(f"sweep 'broadcast ring:{{n}} --source 0' n=2,3 {SERIAL} -o t.parquet"))
    assert said.code == 1
    table = parquet.read_table("t.parquet").to_pydict()
    assert (table["throughput"], table["optimal"]) == ([None, 1], [None, True])
    assert "ring" in table["error"][0]
    # A row whose process was lost has no seconds.
    written = sweep._parquet([sweep._Case({"n": "x"}, [])], {0: {"error": "killed"}})
    Path("lost.parquet").write_bytes(b"".join(written))
    assert parquet.read_table("lost.parquet").to_pydict() == {"n": ["x"], "error": ["killed"]}


def test_parquet_without_its_library_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "find_spec", lambda _name: None)
    said = run(*words(f"{RINGS} -o t.parquet"))
    assert "pip install 'exactsched[parquet]'" in refused(said)
    assert not Path("t.parquet.journal").exists()


def test_a_row_without_an_answer_says_why(run: Run) -> None:
    said = run(*words(f"sweep 'broadcast ring:{{n}} --source 0' n=2,3 {SERIAL} -o t.csv"))
    assert (said.code, said.out) == (
        1,
        "t.csv: 2 rows, 1 without an answer: see the column error\n",
    )
    bad, good = rows()
    assert "ring" in bad["error"]
    assert (bad["throughput"], good["throughput"], good["error"]) == ("", "1", "")
    said = run(*words(f"sweep 'broadcast ring:3 --sauce {{n}}' n=2 {SERIAL} -o t.csv"))
    assert "--source" in rows()[0]["error"]


def test_what_takes_too_long_is_a_row_too(run: Run) -> None:
    said = run(*words("sweep 'alltoall torus:{n}x16' n=16 --limit 1/20 --jobs 1 -o t.csv"))
    assert said.code == 1
    assert "0.05" in rows()[0]["error"] or "second" in rows()[0]["error"]


def test_a_sweep_goes_on_where_it_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[list[str]] = []

    def interrupting(case: list[str]) -> dict[str, Any]:
        solved.append(case)
        if len(solved) == 3:
            signal.raise_signal(signal.SIGINT)
        return answered(case)

    answered = sweep.answered
    monkeypatch.setattr(sweep, "answered", interrupting)
    said = run(*words(f"{RINGS} -o t.csv"))
    assert said.code == 130
    assert "the same command goes on with what is in t.csv.journal" in said.err
    assert not Path("t.csv").exists()
    kept = Path("t.csv.journal").read_text()
    Path("t.csv.journal").write_text(kept + '[5, {"throughp')  # the last line is not whole
    assert run(*words(f"{RINGS} -o t.csv")).code == 0
    assert len({tuple(case) for case in solved}) == 6
    assert len(solved) == 6 + (kept.count("\n") < 4)  # the third row came, or was lost
    assert [row["throughput"] for row in rows()] == ["1", "2", "1", "2", "1", "2"]


@pytest.mark.parametrize(
    ("kept", "whose"),
    [
        ('{"command": [], "values": {}}\n', "belongs to another sweep"),
        ("no journal\n", "belongs to another sweep"),
        ("no journal", "belongs to no sweep"),
        ("[1]\n7\n", "belongs to another sweep"),
    ],
)
def test_a_journal_of_another_sweep_is_left_alone(run: Run, kept: str, whose: str) -> None:
    Path("t.csv.journal").write_text(kept)
    said = run(*words(f"{RINGS} -o t.csv"))
    refused(said)
    assert whose in said.err
    assert Path("t.csv.journal").read_text() == kept


def test_two_sweeps_do_not_share_a_table(run: Run) -> None:
    with JournalFile("t.csv", "-o", "sweep"):
        said = run(*words(f"{RINGS} -o t.csv"))
    refused(said)
    assert "another process runs this sweep" in said.err
    assert not Path("t.csv").exists()


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ("sweep 'broadcast ring:{n}' m=1 -o t.csv", "the command has no such place"),
        ("sweep 'broadcast ring:{n} --source {s}' n=3 -o t.csv", "no values are given for it"),
        ("sweep 'broadcast ring:{n}' n=3 n=4 -o t.csv", "this name has values already"),
        ("sweep 'broadcast ring:{n}' n -o t.csv", "NAME=VALUES"),
        ("sweep 'broadcast ring:{n}' n=3,,4 -o t.csv", "values are 1,2,5 or 1..100 or words"),
        ("sweep 'broadcast ring:{n}' n=5..3 -o t.csv", "from the first to the last"),
        ("sweep 'broadcast ring:{n}' n=1..9999999999 -o t.csv", "at most 10000000 values"),
        ("sweep 'alltoall g:{n}x{m}' n=1..9999 m=1..9999 -o t.csv", "at most 10000000 combin"),
        ("sweep 'platforms {n}' n=3 -o t.csv", "a command that solves: broadcast"),
        ("sweep 'broadcast \"ring:{n}' n=3 -o t.csv", "a command in quotes"),
        ("sweep 'broadcast ring:{n} -o x' n=3 -o t.csv", "the table is the output"),
        ("sweep 'broadcast ring:{n}' n=3 -o t.csv --jobs 0", "--jobs"),
        ("sweep 'broadcast ring:{n}' n=3 -o t.csv --limit 0", "--limit"),
        ("sweep 'broadcast ring:{n}' n=3 -o nowhere/t.csv", "nowhere"),
    ],
)
def test_what_is_no_sweep_is_refused(run: Run, command: str, rule: str) -> None:
    said = run(*words(command))
    refused(said)
    assert rule in said.err
