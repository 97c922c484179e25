"""The checker stands alone: nothing of a solver is loaded, and nothing of one is imported."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ACCEPTED = Path(__file__).parents[1] / "corpus" / "accepted"
NOUNS = ("exact", "model", "certificate")
AUDITOR = sorted(
    path
    for layer in ("check", "kernel", "certificate", "model", "exact")
    for path in (ROOT / "exactsched" / layer).rglob("*.py")
)

_LOADED = """
import sys
{statement}
print("\\n".join(sorted(sys.modules)))
"""


def _loaded_by(statement: str) -> set[str]:
    """The modules in a fresh interpreter after a statement."""
    done = subprocess.run(
        [sys.executable, "-c", _LOADED.format(statement=statement)],
        capture_output=True,
        check=True,
        text=True,
        cwd=ROOT,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("file", "family"),
    [
        (None, None),
        ("run-star", "collectives"),
        ("figure-1-dag", "collectives"),
        ("collectives/tiers", "collectives"),
        ("min-max/flow-back-over-the-cut", "graphs"),
        ("min-max/linear-equalities", "linear_programs"),
        ("logp/figure-2", "logp"),
        ("overlay/two-cases", "overlay"),
        ("rounds/square", "synchronous"),
    ],
)
def test_checking_loads_nothing_but_records_and_the_standard_library(
    file: str | None, family: str | None
) -> None:
    """A document loads the checkers of its own family, and of what its proof rests on."""
    path = str(ACCEPTED / f"{file}.json")
    statement = f"import exactsched; exactsched.check({path!r})"
    if file is None:
        statement = "import exactsched.check.__main__"
    # Everything that the interpreter itself loads, site hooks of the environment included.
    loaded = _loaded_by(statement) - _loaded_by("pass")
    families = {path.parent.name for path in (ROOT / "exactsched" / "check").glob("*/__init__.py")}
    found = {name for name in families if f"exactsched.check.{name}" in loaded}
    assert found <= {family, "graphs", "linear_programs"}
    assert family is None or family in found
    ours = {name for name in loaded if name.split(".")[0] == "exactsched"}
    allowed = {"exactsched", "exactsched.check", *(f"exactsched.{noun}" for noun in NOUNS)}
    parts = tuple(f"exactsched.{layer}." for layer in ("check", *NOUNS))
    assert {name for name in ours if not name.startswith(parts)} <= allowed
    foreign = {name.split(".")[0] for name in loaded - ours} - sys.stdlib_module_names
    assert not foreign


@pytest.mark.parametrize("path", AUDITOR, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_auditor_imports_only_nouns(path: Path) -> None:
    """Also inside functions, where a fresh interpreter would not notice."""
    allowed = {f"exactsched.{noun}" for noun in NOUNS}
    if "check" in path.parts:
        allowed |= {"exactsched.check", "exactsched.kernel"}
    if "kernel" in path.parts:
        allowed.add("exactsched.kernel")
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names = [str(node.module)]
        for name in names:
            top, *rest = name.split(".")
            if top == "exactsched":
                assert f"{top}.{rest[0]}" in allowed, name
            else:
                assert top in sys.stdlib_module_names, name


def test_no_assert_guards_the_auditor() -> None:
    """`python -O` removes assertions; a refusal that it could remove would be none."""
    for path in AUDITOR:
        tree = ast.parse(path.read_text())
        assert not any(isinstance(node, ast.Assert) for node in ast.walk(tree)), path
