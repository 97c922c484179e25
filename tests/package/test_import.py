"""The package as others import it: lazily, completely, and with a checker of two kinds."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import exactsched

CERTIFICATE = Path(__file__).parents[1] / "corpus" / "accepted" / "figure-1-one-port.json"
HEAVY = {
    "flint",
    "networkx",
    "numpy",
    "pyscipopt",
    "exactsched.linear_programs.linear_program",
    "exactsched.linear_programs.master_program",
    "exactsched.drawing",
}
LOADED = "print(); print(*sys.modules)"


def fresh(*lines: str) -> str:
    """What a program prints in an interpreter that has imported nothing of ours yet."""
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(("import sys", *lines)), str(CERTIFICATE)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "use",
    [
        "import exactsched",
        "import exactsched; dir(exactsched), exactsched.__version__, exactsched.__all__",
        "from exactsched import Arc, Broadcast, InvalidInput, Malformed, Platform, Rejected",
        "import exactsched; exactsched.check(sys.argv[1])",
        "import exactsched.check; exactsched.check(sys.argv[1])",
        "from exactsched.cli import main; main(['check', sys.argv[1]]); print()",
    ],
)
def test_importing_and_checking_load_no_solver(use: str) -> None:
    loaded = set(fresh(use, "print(*sys.modules)").split())
    assert "exactsched" in loaded
    assert not loaded & HEAVY


DRAWING = {"exactsched.drawing", "exactsched.simulation"}
FORMATS = {"exactsched.platforms.graphml", "xml.parsers.expat", "concurrent.futures", "logging"}
LIBRARIES = {"flint", "networkx", "numpy", "pyscipopt"}
OTHERS = {"exactsched.cli.logp", "exactsched.cli.overlay", "exactsched.cli.sweep"}
PARTS = {"exactsched.steady_state.allgather", "exactsched.steady_state.hamiltonian_search"}


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        ("--version", LIBRARIES | DRAWING | FORMATS | {"exactsched.steady_state"}),
        ("--help", LIBRARIES | DRAWING | FORMATS | {"exactsched.steady_state"}),
        (f"check {CERTIFICATE}", LIBRARIES | DRAWING | FORMATS | OTHERS),
        ("platforms", {"flint", "numpy", "pyscipopt"} | DRAWING | FORMATS | OTHERS),
        (
            "broadcast legrand-fig1 --source Ps",
            LIBRARIES | DRAWING | FORMATS | OTHERS | PARTS | {"exactsched.cli.collectives"},
        ),
        ("alltoall grid:2x2", {"exactsched.platforms.graphml"} | DRAWING | OTHERS),
        ("logp broadcast 6 2 4 8", {"numpy", "pyscipopt"} | DRAWING | FORMATS),
    ],
)
def test_commands_load_only_what_they_need(words: str, unneeded: set[str]) -> None:
    """Nearly all the time of a short command is that of imports."""
    say = f"try: main({words.split()!r})"
    loaded = fresh("from exactsched.cli import main", say, "except SystemExit: pass", LOADED)
    assert not set(loaded.splitlines()[-1].split()) & unneeded


def test_a_solver_is_loaded_with_its_first_use() -> None:
    before, after = fresh(
        "import exactsched",
        "print('exactsched.linear_programs.master_program' in sys.modules)",
        "exactsched.broadcast",
        "print('exactsched.linear_programs.master_program' in sys.modules)",
    ).split()
    assert (before, after) == ("False", "True")


def test_every_public_name_resolves() -> None:
    assert len(set(exactsched.__all__)) == len(exactsched.__all__)
    for name in exactsched.__all__:
        assert getattr(exactsched, name) is not None
    star: dict[str, object] = {}
    exec("from exactsched import *", star)
    assert set(exactsched.__all__) <= set(star)


def test_dir_lists_the_public_names() -> None:
    assert dir(exactsched) == sorted(exactsched.__all__)


def test_a_public_name_is_the_one_of_its_module() -> None:
    from exactsched.model.platform import Platform
    from exactsched.steady_state.broadcast import broadcast

    assert exactsched.Platform is Platform
    assert exactsched.broadcast is broadcast
    for name in ("Platform", "broadcast", "draw", "simulate"):
        assert getattr(exactsched, name).__name__ == name


def test_type_checkers_see_the_same_names() -> None:
    """The imports under TYPE_CHECKING are not executed, so nothing else would notice a gap."""
    tree = ast.parse(Path(exactsched.__file__).read_text(encoding="utf-8"))
    seen = {
        str(alias.asname): str(node.module)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert {*seen, "__version__"} == set(exactsched.__all__)
    for name, module in seen.items():
        if name not in ("check", "export"):
            assert exactsched._HOME[name] == module.removeprefix("exactsched.")


def test_other_names_do_not_exist() -> None:
    with pytest.raises(AttributeError, match=r"module 'exactsched' has no attribute 'brodcast'"):
        _ = exactsched.brodcast


@pytest.mark.parametrize(
    "lines",
    [
        ("import exactsched", "check = exactsched.check"),
        ("from exactsched import check",),
        ("import exactsched.check", "check = exactsched.check"),
        ("import exactsched", "exactsched.broadcast", "import exactsched.check as check"),
        ("from exactsched.check import ProvedSeries", "from exactsched import check"),
        ("from exactsched.check import check",),
        ("import exactsched.check", "from exactsched.check import check"),
        ("from exactsched import check", "import exactsched.check"),
    ],
)
def test_check_is_a_module_and_a_call_in_either_order(lines: tuple[str, ...]) -> None:
    proved = fresh(*lines, "print(check(sys.argv[1]).throughput)")
    assert proved == "1"


def test_the_module_check_keeps_its_parts() -> None:
    from exactsched.check import ProvedSeries
    from exactsched.check import check as function

    module = sys.modules["exactsched.check"]
    assert vars(exactsched)["check"] is module
    assert vars(module)["ProvedSeries"] is ProvedSeries
    assert isinstance(exactsched.check(str(CERTIFICATE)), ProvedSeries)
    assert exactsched.check(str(CERTIFICATE)) == function(str(CERTIFICATE))
