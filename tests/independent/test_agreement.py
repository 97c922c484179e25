"""Two checkers, of which one knows the pages only, say the same about every document."""

from pathlib import Path

import pytest

from tests.check.test_hostile import TRUE
from tests.corpus.hostile.cases import CASES
from tests.independent import Verdict, verdict
from tests.independent.fuzz import CORPUS, Checker, compare, disagreement, documents

FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file())
DOCUMENTS = documents("accepted")


@pytest.mark.parametrize("folder", ["accepted", "rejected", "malformed"])
def test_the_corpus(folder: str, tmp_path: Path) -> None:
    theirs = Checker(tmp_path)
    files = [path for path in FILES if path.is_relative_to(CORPUS / folder)]
    assert files
    for path in files:
        content = path.read_bytes()
        mine = verdict(content)
        assert mine.word == folder, f"{path.name}: {mine}"
        assert not disagreement(mine, theirs(content)), path.name


# Nothing is done cleverly here: each of these takes more than ten seconds, or a gigabyte.
TOO_LONG = {
    "arcs-of-one-hash.json",
    "cases-of-many-arcs.json",
    "cuts-of-factor-0.json",
    "cuts-of-many-coefficients.json",
    "cuts-of-weight-0.json",
    "cuts-that-are-kept.json",
    "labels-of-a-million.json",
    "long-numbers.json.gz",
    "origins-in-a-dense-graph.json.gz",
    "removed-arcs-for-every-case.json.gz",
    "rows-of-one-hash.json",
    "starts-in-long-units.json",
    "trees-of-many-kinds.json",
    "values-of-every-block.json",
}


@pytest.mark.parametrize(
    "name", [name for name in CASES if name not in TOO_LONG and not name.endswith(".vipr")]
)
def test_hostile_files_are_not_accepted(name: str) -> None:
    """The budgets of the two checkers count differently, so reasons may differ."""
    assert name not in TRUE
    assert verdict(CASES[name]()).word != "accepted"


@pytest.mark.parametrize("kind", sorted(DOCUMENTS))
def test_mutants(kind: str, tmp_path: Path) -> None:
    mutants = max(60, 15 * len(DOCUMENTS[kind]))
    words = set()
    for case in compare(DOCUMENTS[kind], mutants, f"suite {kind}", tmp_path):
        assert not case["problem"], f"{case['problem']}\n{case['text']}"
        words.add(case["verdict"].word)
    assert len(words) == 3  # The mutants reach all verdicts.


def test_fresh_documents(tmp_path: Path) -> None:
    words = []
    for case in compare([], 150, "suite fresh", tmp_path):
        assert not case["problem"], f"{case['problem']}\n{case['text']}"
        words.append(case["verdict"].word)
    assert words.count("accepted") >= 0.8 * len(words)
    assert "malformed" not in words


def test_a_difference_is_seen() -> None:
    accepted = Verdict("accepted", {"bound": 3, "optimal": True})
    assert not disagreement(accepted, Verdict("accepted", {"bound": 3, "optimal": True}))
    assert disagreement(accepted, Verdict("accepted", {"bound": 3, "optimal": False}))
    assert disagreement(accepted, Verdict("rejected", {}))
    assert disagreement(Verdict("rejected", {}), Verdict("malformed", {}))


def test_nothing_of_the_package_is_imported() -> None:
    for path in Path(__file__).parent.glob("*.py"):
        if path.name not in ("fuzz.py", Path(__file__).name):
            lines = path.read_text(encoding="utf-8").splitlines()
            words = [line.split()[:2] for line in lines if "import" in line]
            assert not [pair for pair in words if pair[-1].startswith("exactsched")], path.name
