"""What can be said of the site without sphinx: nothing is left out, and nothing is fetched."""

import re
from collections import Counter
from pathlib import Path

import exactsched

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [path for kind in ("md", "rst") for path in DOCS.rglob(f"*.{kind}")]
_TREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.M | re.S)
_NAME = re.compile(r"^\.\. (?:autofunction|autoclass|py:data):: (\w+)$", re.M)


def _entries(page: Path) -> list[Path]:
    """The files that the tables of contents of a page name."""
    found = []
    for tree in _TREE.findall(page.read_text()):
        for line in tree.splitlines():
            if line and not line.startswith(":"):
                stem = page.parent / line.rpartition("<")[2].rstrip(">")
                (file,) = [f for end in ("md", "rst") if (f := Path(f"{stem}.{end}")).exists()]
                found.append(file.resolve())
    return found


def _reached() -> Counter[Path]:
    seen = Counter([DOCS / "index.md"])
    waiting = list(seen)
    while waiting:
        entries = _entries(waiting.pop())
        waiting += [page for page in entries if page not in seen]
        seen.update(entries)
    return seen


def test_every_public_name_has_one_place_in_the_reference() -> None:
    text = "\n".join(page.read_text() for page in sorted((DOCS / "reference").glob("*.rst")))
    assert Counter(_NAME.findall(text)) == Counter(exactsched.__all__)


def test_every_page_has_one_place_in_the_tables_of_contents() -> None:
    pages = {page.resolve() for page in (ROOT / "proofs").rglob("*.md")}
    pages |= set(PAGES)
    pages |= {ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")}
    reached = _reached()
    assert pages - reached.keys() == set()
    assert {page for page, times in reached.items() if times > 1} == set()


def test_links_of_the_site_lead_to_files() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists(), (page, target)


def test_nothing_is_fetched() -> None:
    for path in DOCS.rglob("*"):
        if path.is_file() and path.suffix in (".md", ".rst", ".py", ".html"):
            assert "://" not in path.read_text(), path
