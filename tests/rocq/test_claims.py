"""What proofs/rocq/claims.json says of the proofs is what the proof assistant says of them.

The table names the theorems behind the claims; Rocq prints, for those of every `Assumptions.v`,
what they assume.  The tests at the end need the compiled proofs.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exactsched.campaign.index import machine_checked
from exactsched.theorems import claims
from tests.rocq.build import ROCQ, assumed_by, needs_proofs, printed

TABLE = machine_checked(ROCQ.parent / "README.md")
ROWS = [(name, proved) for name, rows in TABLE.items() for proved in rows]
SOURCES = sorted(ROCQ.rglob("*.v"))


def test_the_table_names_claims():
    assert TABLE
    assert list(TABLE) == [name for name in claims() if name in TABLE]


@pytest.mark.parametrize(
    ("name", "proved"), ROWS, ids=[f"{name}-{row.theorem}" for name, row in ROWS]
)
def test_a_theorem_of_the_table_stands_in_its_file_and_is_printed(name, proved):
    text = (ROCQ / proved.file).read_text(encoding="utf-8")
    assert re.search(rf"^(Theorem|Corollary|Lemma|Example) {proved.theorem}\b", text, re.M), name
    assert proved.theorem in printed()[str(Path(proved.file).parent)]
    assert proved.covers


def test_a_claim_about_the_checker_in_python_is_proved_by_no_theorem():
    assert [name for name in TABLE if name.startswith("check.")] == []


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ROCQ)) for path in SOURCES])
def test_nothing_is_admitted_or_assumed(path):
    """Comments are left out; `Print Assumptions` says the same, where it can be asked."""
    text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
    words = r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Unset Guard Checking|bypass_check)\b"
    assert re.search(words, text) is None


@needs_proofs
def test_the_theorems_of_the_table_assume_nothing():
    """Each has to stand in its file.  For all that is printed, see what `make` prints."""
    asked = {(proved.file, proved.theorem) for _, proved in ROWS}
    assert assumed_by(asked) == "Closed under the global context"
