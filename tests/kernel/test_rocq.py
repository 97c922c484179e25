"""Theorems about single platforms, checked by Rocq where it is there and the proofs are built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from exactsched.exact.errors import InvalidInput
from exactsched.kernel import NotCovered, theorem
from tests.rocq.build import ROCQ, needs_proofs

ROOT = Path(__file__).parents[2]
ACCEPTED = ROOT / "tests" / "corpus" / "accepted"

pytestmark = needs_proofs


def accepted_by_rocq(text: str, folder: Path) -> str:
    file = folder / "T.v"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["coqc", "-q", "-Q", str(ROCQ), "Exactsched", str(file)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout if done.returncode == 0 else f"refused: {done.stderr}"


@pytest.mark.parametrize(
    "name",
    [
        "odd-set",
        "crossing-cuts",
        "unreachable",
        "collectives/tiers",
        "collectives/scatter-toy",
        "figure-1-tree",
        "figure-1-dag",
        "run-star",
        "run-latency",
        "collectives/run-reduce",
        "collectives/allgather",
        "collectives/allgather-not-shown-optimal",
        "collectives/allgather-by-forwarding",
        "collectives/run-allgather",
        "collectives/run-allgather-by-forwarding",
    ],
)
def test_rocq_accepts_the_theorem(name: str, tmp_path: Path) -> None:
    written = theorem(str(ACCEPTED / f"{name}.json"))
    said = accepted_by_rocq(written, tmp_path)
    assert said.count("Closed under the global context") == written.count("Theorem ")


@pytest.mark.parametrize(
    ("name", "number", "other"),
    [
        ("odd-set", "(3 # 8)", "(1 # 3)"),
        ("collectives/run-allgather", " (8 # 1)", " (7 # 1)"),
        ("collectives/run-allgather-by-forwarding", " (4 # 1)", " (5 # 1)"),
    ],
)
def test_rocq_refuses_another_number(name: str, number: str, other: str, tmp_path: Path) -> None:
    head, claim, rest = theorem(str(ACCEPTED / f"{name}.json")).partition("Theorem first")
    assert number in rest
    written = head + claim + rest.replace(number, other)
    assert accepted_by_rocq(written, tmp_path).startswith("refused")


def test_the_modules_are_what_is_extracted() -> None:
    """Byte by byte."""
    done = subprocess.run(
        ["make", "-s", "-C", str(ROCQ / "extraction"), "compare"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_numbers_that_take_rocq_too_long_are_refused() -> None:
    with pytest.raises(NotCovered, match="Rocq reads"):
        theorem(str(ACCEPTED / "long-numbers.json"))
    with pytest.raises(InvalidInput, match="other collectives"):
        theorem(str(ACCEPTED / "collectives" / "combination-allreduce.json"))
