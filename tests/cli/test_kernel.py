"""`check --kernel` and `check --theorem`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.command_line import Run

CORPUS = Path(__file__).parents[1] / "corpus"


@pytest.mark.parametrize(
    ("file", "code", "word"),
    [
        ("accepted/odd-set.json", 0, "proved"),
        ("accepted/run-latency.json", 0, "proved"),
        ("rejected/period-too-short.json", 1, "refused"),
        ("accepted/overlay/two-cases.json", 2, "not covered"),
        ("malformed/empty.json", 2, "malformed"),
        ("nowhere.json", 2, "unreadable"),
    ],
)
def test_a_line_and_an_exit_code(run: Run, file: str, code: int, word: str) -> None:
    path = str(CORPUS / file)
    if code == 1:
        document = json.loads((CORPUS / "accepted" / "odd-set.json").read_text())
        path = "other.json"
        Path(path).write_text(json.dumps(document | {"throughput": "1/3"}))
    said = run("check", "--kernel", path)
    assert said.code == code
    assert (said.out + said.err).startswith(f"{word}: ")
    answer = json.loads(run("check", "--kernel", "--json", path).out)["files"][0]
    assert answer["verdict"] == word
    assert ("error" in answer) is (code > 0)


def test_the_answer_says_what_is_proved_and_trusted(run: Run) -> None:
    path = str(CORPUS / "accepted" / "odd-set.json")
    said = run("check", "--kernel", path).out
    assert "exactly T = 3/8" in said
    assert "Soundness.check_sound" in said
    assert "not proved: that no task is interrupted" in said
    assert "trusted: the definitions" in said
    answer = json.loads(run("check", "--kernel", "--json", path).out)["files"][0]
    assert (answer["throughput"], answer["bound"], answer["constant"]) == ("3/8", "3/8", 16)
    assert answer["claims"][0]["formal"].startswith("never_more S (3 # 8)")
    assert answer["trusted"]


def test_the_exit_code_is_the_worst(run: Run) -> None:
    good, none = (
        str(CORPUS / "accepted/odd-set.json"),
        str(CORPUS / "accepted/overlay/one-case.json"),
    )
    assert run("check", "--kernel", good, good).code == 0
    assert run("check", "--kernel", good, none).code == 2


def test_a_theorem_is_written(run: Run) -> None:
    shutil.copy(CORPUS / "accepted" / "odd-set.json", "c.json")
    assert run("check c.json --theorem -o T.v").code == 0
    written = Path("T.v").read_text()
    assert "Theorem first : never_more S (3 # 8)" in written
    assert run("check c.json --theorem").code == 2
    assert run("check c.json c.json --theorem -o T.v").code == 2
    Path("d.json").write_text(Path("c.json").read_text().replace('"3/8"', '"1/3"'))
    assert run("check d.json --theorem -o T.v").code == 1


@pytest.mark.parametrize("words", ["check c.json --json", "check c.json -o T.v"])
def test_options_that_need_another_one(run: Run, words: str) -> None:
    assert run(words).code == 2
