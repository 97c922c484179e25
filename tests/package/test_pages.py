"""The pages are true: code and commands run, links lead somewhere, every page is indexed."""

import os
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Run

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "proofs").glob("*.md"))
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "benchmarks" / "README.md",
    ROOT / "tests" / "README.md",
    *PAGES,
]
PYTHON = ["README.md", "proofs/tour.md", "proofs/kernels.md", "proofs/judge-your-scheduler.md"]
_LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
_PATH = re.compile(r"`((?:exactsched|tests|proofs|benchmarks)/[\w./-]+?)(?:::(\w+))?`")


def _blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text(), re.M | re.S)


def _executed(name: str) -> dict[str, Any]:
    """The names that the Python of a page leaves behind, all its blocks in one module."""
    names: dict[str, Any] = {}
    exec(compile("\n".join(_blocks(ROOT / name, "python")), name, "exec"), names)
    return names


def test_the_python_of_the_readme_runs() -> None:
    names = _executed("README.md")
    assert names["solution"].throughput == 1
    assert names["proved"].optimal


def test_the_python_of_the_tour_runs() -> None:
    names = _executed("proofs/tour.md")
    assert names["proved"].optimal
    summation = names["summation_of"](names["LogP"](L=5, o=2, g=4, P=8), operands=79)
    assert names["check"](summation).time == 28


def test_the_python_of_the_kernels_runs() -> None:
    names = _executed("proofs/kernels.md")
    assert names["check"](names["best"]).value == Fraction(7, 2)


# Those of from a cluster to a plan are in tests/export, those of the kernel in tests/kernel.
SITE = [
    page
    for page in sorted((ROOT / "docs").rglob("*.md"))
    if page.name != "README.md" and _blocks(page, "sh")
] + [ROOT / "proofs" / name for name in ("mix.md", "msccl-plans.md")]


@pytest.mark.parametrize("page", SITE, ids=lambda page: page.stem)
def test_the_commands_of_the_site_run(page: Path, run: Run) -> None:
    """But for pictures, which are SVG here: PDF and PNG need a program that not everybody has."""
    for line in "".join(_blocks(page, "sh")).splitlines():
        name, *words = shlex.split(re.sub(r"\.(?:pdf|png)\b", ".svg", line), comments=True)
        assert name == "exactsched", line
        said = run(*words)
        assert said.code == 0, (line, said.err)


def test_the_python_of_the_site_is_in_cells() -> None:
    for page in (ROOT / "docs").rglob("*.md"):
        assert not _blocks(page, "python"), page


def test_another_scheduler_is_judged_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    names = _executed("proofs/judge-your-scheduler.md")
    assert "schedule.slots[2]: ['send:a', 3, 4]: a resource does one" in capsys.readouterr().out
    assert names["judge_schedule"](names["problem"], names["slower"]) == Fraction(1, 3)
    assert names["judge_bound"](names["problem"], names["prices"]) == Fraction(1, 2)
    names["test_my_scheduler"]()


def _cold(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The code in a new process: nothing is imported yet, and no profile of the tests is loaded."""
    call = "\nfor name, test in list(globals().items()):\n    name[:5] == 'test_' and test()\n"
    path = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, "-c", code + call],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", PYTHON)
def test_the_python_of_a_page_runs_in_a_cold_process(name: str, tmp_path: Path) -> None:
    done = _cold("\n".join(_blocks(ROOT / name, "python")), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_an_example_for_hypothesis_runs_alone_in_a_cold_process(tmp_path: Path) -> None:
    """Its first call imports the solvers, on most machines for longer than the usual deadline."""
    blocks = [block for page in DOCUMENTS for block in _blocks(page, "python") if "@given" in block]
    assert blocks
    for block in blocks:
        assert "deadline=None" in block
        done = _cold(block, tmp_path)
        assert (done.returncode, done.stderr) == (0, "")


def test_no_python_is_left_out() -> None:
    here = {Path(name).name for name in PYTHON}
    # tests/drawing/test_rounds.py compares the figures of the first, tests/kernel/test_kernel.py
    # the lines of the second, tests/export/test_page.py runs the third on ranks of MPI.
    elsewhere = {"rounds-published.md", "kernel.md", "cluster-to-plan.md"}
    assert {path.name for path in DOCUMENTS if _blocks(path, "python")} == here | elsewhere


def test_the_readme_shows_the_certificate_that_its_command_writes(run: Run) -> None:
    """The first block; `.ci/run` executes both blocks as written, in a fresh environment."""
    solve, test = _blocks(ROOT / "README.md", "sh")
    assert "pytest" in test
    for command in solve.split("&&")[2:]:
        assert run(command.strip().removeprefix(".venv/bin/exactsched ")).code == 0
    (shown,) = _blocks(ROOT / "README.md", "json")
    assert shown == Path("fig1.json").read_text()
    assert Path("fig1.svg").read_text() == (ROOT / "proofs/figures/legrand-fig1.svg").read_text()


TOUR = _blocks(ROOT / "proofs" / "tour.md", "sh")
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:/\d+)?(?![\w-])")


@pytest.mark.parametrize("block", TOUR, ids=lambda block: " ".join(block.split()[1:3]))
def test_the_commands_of_the_tour_say_what_their_comments_say(block: str, run: Run) -> None:
    for line in block.splitlines():
        command, _, comment = line.partition("#")
        program, *words = shlex.split(command)
        assert program == "exactsched"
        said = run(*words)
        assert said.code == 0, said.err
        printed = set(_NUMBER.findall(said.out))
        numbers = _NUMBER.findall(re.sub(r"Figure \d+", "", comment))
        assert set(numbers) <= printed, line


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


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "proofs/README.md"])
def test_the_glossary_is_one_click_away(name: str) -> None:
    assert "glossary.md)" in (ROOT / name).read_text()


def test_no_document_names_a_place_of_one_machine() -> None:
    for document in DOCUMENTS:
        assert not re.search(r"(?<![\w.])/(root|home|tmp|opt|work)/", document.read_text())
