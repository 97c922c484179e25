"""Kernels stand alone: each can be imported by itself, and says how it works and where it stops."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "exactsched"

KERNELS = sorted(
    f"{folder}.{path.stem}"
    for folder in ("graphs", "linear_programs")
    for path in (PACKAGE / folder).glob("[a-z]*.py")
)

# The kernel, its record, and what both stand on: what results have in common, rules, limits,
# arguments, errors, rationals.
MOST = 9
# These stand on other kernels as well, or end when somebody has enough: how many modules they need
# beyond MOST.
MORE = {
    "graphs.arborescence_decomposition": 5,
    "graphs.arborescence_peeling": 5,
    "graphs.branching_packing": 4,
    "graphs.edge_coloring": 4,
    "graphs.fractional_edge_coloring": 4,
    "graphs.lovasz": 3,
    "graphs.root_connectivity": 2,
    "graphs.root_cut": 1,
    "graphs.splitting_off": 6,
    "graphs.switch_pairing": 4,
    "graphs.whole_units": 3,
    "linear_programs.linear_program": 6,
    "linear_programs.stated_program": 7,
}
BELOW = {"exact", "certificate", "graphs", "linear_programs"}


def loaded_by(statement: str) -> set[str]:
    """The modules in a fresh interpreter after a statement."""
    program = f"import sys\n{statement}\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, cwd=ROOT
    )
    return set(done.stdout.split())


@pytest.fixture(scope="module")
def before() -> set[str]:
    """What the interpreter loads by itself, hooks of the environment included."""
    return loaded_by("pass")


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_loads_few_modules(kernel: str, before: set[str]) -> None:
    """Folders are not counted: their `__init__` holds nothing."""
    loaded = loaded_by(f"import exactsched.{kernel}") - before
    ours = {name for name in loaded if name.split(".")[0] == "exactsched"}
    modules = {name for name in ours if name.count(".") > 1}
    assert len(modules) <= MOST + MORE.get(kernel, 0), sorted(modules)
    assert kernel not in MORE or len(modules) > MOST, "the exception is not needed any more"
    assert {name.split(".")[1] for name in modules} <= BELOW
    if kernel.startswith("graphs."):
        foreign = {name.split(".")[0] for name in loaded - ours}
        assert not foreign - sys.stdlib_module_names


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernel_says_its_method_and_its_limits(kernel: str) -> None:
    """In the docstring of the module, each on a line that begins with the word."""
    path = PACKAGE / (kernel.replace(".", "/") + ".py")
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    lines = docstring.splitlines()
    for word in ("Method", "Limits"):
        assert any(line.startswith(f"{word}: ") for line in lines), word
