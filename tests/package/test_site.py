"""What can be said of the site without sphinx: nothing is left out, and nothing is fetched."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

import exactsched

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [path for kind in ("md", "rst") for path in DOCS.rglob(f"*.{kind}")]
_TREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.M | re.S)
_NAME = re.compile(r"^\.\. (?:autofunction|autoclass|py:data):: (\w+)$", re.M)


@pytest.fixture
def building(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of the build can be imported."""
    monkeypatch.syspath_prepend(str(DOCS))


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
        if path.is_file() and path.suffix in (".md", ".rst", ".py", ".html", ".css", ".js"):
            assert "://" not in path.read_text(), path


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://cdn.example/mathjax.js"></script>',
        "<script async src=//cdn.example/x.js></script>",
        '<link rel="stylesheet" href="http://fonts.example/css">',
        '<img alt="a" src="https://example.org/a.png">',
        '<svg><image xlink:href="https://example.org/a.png"/></svg>',
        "@font-face { src: url(https://fonts.example/a.woff2) }",
        '@import "https://fonts.example/css";',
        'const m = await import("https://cdn.example/m.js");',
    ],
)
@pytest.mark.usefixtures("building")
def test_the_build_sees_what_a_page_would_load(text: str, tmp_path: Path) -> None:
    from building.offline import loaded_by_site

    (tmp_path / "page.html").write_text(text)
    assert [path.name for path, _ in loaded_by_site(tmp_path)] == ["page.html"]


@pytest.mark.usefixtures("building")
def test_links_and_files_of_the_site_load_nothing(tmp_path: Path) -> None:
    from building.offline import loaded_by_site

    links = '<a href="https://example.org">x</a><script src="../_static/a.js"></script>'
    (tmp_path / "page.html").write_text(f'{links}<link rel="stylesheet" href="a.css">')
    assert list(loaded_by_site(tmp_path)) == []


@pytest.mark.usefixtures("building")
def test_formulas_are_typeset_and_words_are_not() -> None:
    from building.mathematics import pieces

    def typeset(text: str) -> str:
        return "".join(
            f"<{style}>{piece}</{style}>" if style else piece
            for style, piece in pieces(text, letters=True)
        )

    assert typeset("g_(i+1) >= 10^-9") == "<var>g</var><sub>i+1</sub> ≥ 10<sup>−9</sup>"
    assert typeset("Let A be (a, b). A graph") == (
        "Let <var>A</var> be (<var>a</var>, <var>b</var>). A graph"
    )
    for words in ("reduce_scatter of x86_64", "a C++ program", "M. Hall and I", "it's J. Combin."):
        assert typeset(words) == words


@pytest.mark.usefixtures("building")
def test_the_page_of_stored_answers_is_a_table_of_what_commands_print(tmp_path: Path) -> None:
    from building.chooser import Question, answer, page, questions

    asked = list(questions())
    assert len({question[1:] for question in asked}) == len(asked)
    words = (
        "broadcast legrand-fig1 --source Ps --ports link",
        "alltoall ring:3 --ports half-duplex",
    )
    chosen = [Question(w, w.split()[1], w.split()[0], w.split()[-1]) for w in words]
    answered = [(question, answer(question)) for question in chosen]
    assert answered[0][1].short == "throughput 2 proved optimal"
    assert answered[0][1].why in answered[0][1].printed
    assert "odd cycle" in answered[1][1].why
    html = page(answered, tmp_path / "choose")
    assert "exactsched broadcast legrand-fig1 --source Ps --ports link" in html
    assert [path.name for path in (tmp_path / "choose").iterdir()] == ["0.svg"]
    assert "://" not in html
    with pytest.raises(RuntimeError, match="star:0"):
        answer(Question("allgather star:0", "star:0", "allgather", "link"))


def test_the_citation_is_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cited = (ROOT / "CITATION.cff").read_text()
    assert cited.startswith("cff-version: 1.2.0\n")
    (author,) = project["authors"]
    for line in (
        f"version: {exactsched.__version__}",
        f"title: {project['name']}",
        f"name: {author['name']}",
        f"license: {project['license']}",
    ):
        assert line in cited
