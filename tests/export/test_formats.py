"""`exactsched.export` writes what `exactsched export` writes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import exactsched
from exactsched import InvalidInput, Platform, allgather, broadcast, export, write_certificate
from tests.cli.command_line import Run

PAIR = Platform("ab", [("a", "b", 1), ("b", "a", 1)])


@pytest.mark.parametrize(
    ("name", "known"), [("x.xml", "msccl"), ("x.json", "mscclpp"), ("x.py", "simgrid")]
)
def test_the_suffix_says_the_format(name: str, known: str, tmp_path: Path, run: Run) -> None:
    best = allgather(PAIR)
    by_suffix = export(best, tmp_path / name)
    assert (by_suffix.format, by_suffix.path) == (known, str(tmp_path / name))
    assert by_suffix.ranks == (() if known == "simgrid" else ("a", "b"))
    export(best.certificate(), str(tmp_path / "named"), known)
    write_certificate(best, tmp_path / "certificate.json")
    done = run(f"export {tmp_path}/certificate.json -o {tmp_path}/command-{name}")
    assert done.code == 0
    assert by_suffix.told.replace(name, f"command-{name}") in done.out
    written = (tmp_path / name).read_text()
    assert written == (tmp_path / "named").read_text()
    assert written == (tmp_path / f"command-{name}").read_text()


def test_options_go_to_their_formats(tmp_path: Path) -> None:
    whole = export(allgather(PAIR), tmp_path / "x.xml").told
    assert export(allgather(PAIR), tmp_path / "x.xml", segments=2).told != whole
    with pytest.raises(InvalidInput, match="operations: 3: does not go with the format msccl"):
        export(allgather(PAIR), tmp_path / "x.xml", operations=3)
    with pytest.raises(InvalidInput, match="segments: 3: does not go with the format simgrid"):
        export(allgather(PAIR), tmp_path / "x.py", segments=3)
    with pytest.raises(InvalidInput, match=r"msccl \(\.xml\), mscclpp \(\.json\), simgrid"):
        export(allgather(PAIR), tmp_path / "x.txt")
    with pytest.raises(InvalidInput, match="'mpi': one of msccl"):
        export(allgather(PAIR), tmp_path / "x.xml", "mpi")  # type: ignore[arg-type]


def test_the_command_names_its_options(tmp_path: Path, run: Run) -> None:
    write_certificate(broadcast(PAIR, "a"), tmp_path / "c.json")
    done = run(f"export {tmp_path}/c.json -o {tmp_path}/x.py --segments 2")
    assert (done.code, done.out) == (2, "")
    assert "--segments: 2: does not go with the format simgrid" in done.err
    assert "--format: '.txt': one of" in run(f"export {tmp_path}/c.json -o {tmp_path}/x.txt").err


def test_the_module_is_a_call() -> None:
    assert exactsched.export is sys.modules["exactsched.export"]
    from exactsched.export.plan import plan

    assert plan(broadcast(PAIR, "a")).ranks == ("a", "b")
