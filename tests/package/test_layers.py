"""The layers of the package: imports run one way, downwards, and never in a circle.

Every import counts, also one inside a function, or for type checkers alone.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "exactsched"

# From the lowest to the highest.  Folders of one row do not import each other.
LAYERS = (
    ("exact",),
    ("model",),
    ("certificate",),
    ("kernel",),
    ("check",),
    ("graphs", "linear_programs"),
    ("platforms",),
    ("steady_state",),
    ("runs",),
    ("logp", "overlay", "synchronous"),
    ("oracles",),
    ("simulation", "drawing"),
    ("export", "nx"),
    ("instances",),
    ("theorems",),
    ("campaign",),
    ("cli",),
)
RANK = {folder: rank for rank, row in enumerate(LAYERS) for folder in row}
NOUNS = {"exact", "model", "certificate"}
# Layers that import less than all that is below them.
ONLY = {"kernel": NOUNS, "check": NOUNS | {"kernel"}, "oracles": NOUNS}

# Modules at the top: the facade loads everything lazily, the strategies wrap the instances, and
# networkx loads its backend whenever it is imported.
TOP = {
    "exactsched",
    "exactsched.__main__",
    "exactsched.networkx_backend",
    "exactsched.strategies",
}


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imported_by(name: str) -> set[str]:
    """The modules of the package that this module imports, anywhere in it.

    The version is a constant of the facade that every layer may name.
    """
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: a relative import"
            if node.module == "exactsched" and [a.name for a in node.names] == ["__version__"]:
                continue
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update(inside & set(MODULES) or {str(node.module)})
    return {other for other in found if other.split(".")[0] == "exactsched"} - {name}


IMPORTS = {name: imported_by(name) for name in MODULES}


def folder_of(name: str) -> str:
    return name.split(".")[1]


def allowed(name: str, other: str) -> bool:
    if name in TOP:
        return True
    if other in TOP:
        return False
    here, there = folder_of(name), folder_of(other)
    if here == there:
        return True
    return RANK[there] < RANK[here] and there in ONLY.get(here, RANK)


def upwards() -> dict[str, set[str]]:
    wrong = {
        name: {other for other in others if not allowed(name, other)}
        for name, others in IMPORTS.items()
    }
    return {name: others for name, others in wrong.items() if others}


@pytest.mark.parametrize("folder", sorted(RANK))
def test_imports_run_downwards(folder: str) -> None:
    assert {name: up for name, up in upwards().items() if folder_of(name) == folder} == {}


def test_every_folder_has_a_layer() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert folders <= set(RANK)
    assert {name for name in MODULES if name.count(".") < 2 and name not in TOP} <= {
        f"exactsched.{folder}" for folder in RANK
    }


def test_all_that_is_imported_is_there() -> None:
    assert [other for others in IMPORTS.values() for other in others if other not in MODULES] == []


def test_no_module_imports_itself_in_a_circle() -> None:
    """Modules without imports are taken away, again and again, until there are none."""
    left = {name: others & set(MODULES) for name, others in IMPORTS.items()}
    while free := {name for name, others in left.items() if not others}:
        left = {name: others - free for name, others in left.items() if name not in free}
    assert left == {}


def test_drawing_and_simulation_use_nothing_private() -> None:
    """Of solvers they import whole modules and names without an underscore."""
    private = []
    for name, path in MODULES.items():
        if name.startswith(("exactsched.drawing", "exactsched.simulation")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and folder_of(f"{node.module}.") in RANK:
                    private += [
                        (name, alias.name) for alias in node.names if alias.name.startswith("_")
                    ]
    assert private == []
