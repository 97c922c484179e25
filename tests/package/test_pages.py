"""README.md and proofs/ are true: code runs, links lead somewhere, every page is indexed."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "proofs").glob("*.md"))
DOCUMENTS = [ROOT / "README.md", ROOT / "benchmarks" / "README.md", *PAGES]
_LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
_PATH = re.compile(r"`((?:exactsched|tests|proofs|benchmarks)/[\w./-]+?)(?:::(\w+))?`")


def _code(document: Path) -> str:
    return "\n".join(re.findall(r"^```python\n(.*?)^```$", document.read_text(), re.M | re.S))


def test_the_python_of_the_readme_runs() -> None:
    names: dict[str, Any] = {}
    exec(compile(_code(ROOT / "README.md"), "README.md", "exec"), names)
    assert names["solution"].throughput == 1
    assert names["claim"].optimal
    assert names["check"](names["best"]).value == Fraction(7, 2)
    assert names["judge_schedule"](names["asked"], names["slower"]) == Fraction(1, 3)
    names["test_my_scheduler"]()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_links_and_names_lead_somewhere(document: Path) -> None:
    written = document.read_text()
    for target in _LINK.findall(written):
        if "://" not in target:
            assert (document.parent / target).exists(), target
    for path, test in _PATH.findall(written):
        assert (ROOT / path).exists(), path
        if test:
            assert f"def {test}(" in (ROOT / path).read_text(), f"{path}::{test}"


@pytest.mark.parametrize("page", [p for p in PAGES if p.name != "README.md"], ids=lambda p: p.name)
def test_every_page_is_in_the_index(page: Path) -> None:
    assert f"({page.name})" in (ROOT / "proofs" / "README.md").read_text()


def test_no_document_names_a_place_of_one_machine() -> None:
    for document in DOCUMENTS:
        assert not re.search(r"(?<![\w.])/(root|home|tmp|opt|work)/", document.read_text())
