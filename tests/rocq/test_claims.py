"""What proofs/rocq/claims.json says of the proofs is what the proof assistant says of them.

The table names the theorems behind the claims; Rocq prints, for those of every `Assumptions.v`,
what they assume.  The second half of the tests needs `coqc` (Debian: `coq`); the first does not.
"""

from __future__ import annotations

import re
import shutil

import pytest

from exactsched.campaign.index import machine_checked
from exactsched.theorems import claims
from tests.rocq.build import ROCQ, assumptions

TABLE = machine_checked(ROCQ.parent / "README.md")
ROWS = [(name, proved) for name, rows in TABLE.items() for proved in rows]
SOURCES = sorted(ROCQ.rglob("*.v"))
PRINTED = {
    found
    for path in SOURCES
    if path.name == "Assumptions.v"
    for found in re.findall(r"^Print Assumptions ([\w.]+)\.$", path.read_text("utf-8"), re.M)
}


def test_the_table_names_claims():
    assert TABLE
    assert set(TABLE) <= set(claims())


@pytest.mark.parametrize(("name", "proved"), ROWS)
def test_a_theorem_of_the_table_stands_in_its_file_and_is_printed(name, proved):
    text = (ROCQ / proved.file).read_text(encoding="utf-8")
    last = proved.theorem.rpartition(".")[-1]
    assert re.search(rf"^(Theorem|Corollary|Lemma) {last}\b", text, re.M), name
    assert last in {printed.rpartition(".")[-1] for printed in PRINTED}
    assert proved.covers


@pytest.mark.parametrize("path", SOURCES, ids=[str(path.relative_to(ROCQ)) for path in SOURCES])
def test_nothing_is_admitted_or_assumed(path):
    """Comments are left out; `Print Assumptions` says the same, where it can be asked."""
    text = re.sub(r"\(\*.*?\*\)", "", path.read_text(encoding="utf-8"), flags=re.S)
    words = r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Unset Guard Checking|bypass_check)\b"
    assert re.search(words, text) is None


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed (Debian: coq)")
def test_all_main_theorems_are_closed_under_the_global_context():
    said = assumptions()
    assert set(said) == PRINTED
    open_ones = {
        name: text for name, text in said.items() if text != "Closed under the global context"
    }
    assert open_ones == {}
