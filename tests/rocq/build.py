"""The proofs, compiled once for all tests that need them."""

from __future__ import annotations

import fcntl
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROCQ = Path(__file__).parents[2] / "proofs" / "rocq"


def compiled() -> Path:
    """The folder of the proofs, compiled by its Makefile; what is compiled already is kept.

    One process at a time: the tests may run in several.
    """
    with (Path(tempfile.gettempdir()) / "exactsched-rocq.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = subprocess.run(["make", "-C", ROCQ], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr[-4000:]
    return ROCQ


def printed() -> dict[str, tuple[str, ...]]:
    """The theorems that each `Assumptions.v` prints, by its folder below that of the proofs.

    A name may be qualified, as two files may prove theorems of one name: the last part counts.
    """
    return {
        str(path.parent.relative_to(ROCQ)): tuple(
            re.findall(r"^Print Assumptions (?:\w+\.)*(\w+)\.$", path.read_text("utf-8"), re.M)
        )
        for path in sorted(ROCQ.rglob("Assumptions.v"))
    }


def answers(source: Path) -> list[str]:
    """What Rocq says to each `Print Assumptions` of a file."""
    folder = compiled()
    with tempfile.TemporaryDirectory() as aside:
        said = subprocess.run(
            ["coqc", "-Q", folder, "Exactsched", "-o", f"{aside}/{source.stem}.vo", source],
            capture_output=True,
            text=True,
            check=False,
            cwd=aside,  # tactics leave caches in the working directory
        )
    assert said.returncode == 0, said.stderr
    return [text.strip() for text in re.split(r"\n(?=Closed under|Axioms:)", said.stdout.strip())]


def assumptions() -> dict[tuple[str, str], str]:
    """What Rocq says that each theorem of an `Assumptions.v`, by folder and name, assumes."""
    return {
        (folder, name): text
        for folder, names in printed().items()
        for name, text in zip(names, answers(ROCQ / folder / "Assumptions.v"), strict=True)
    }


def assumptions_of(theorems: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What Rocq says that theorems, by file and name, assume; each has to stand in its file."""
    listed = sorted(theorems)
    modules = [f"Exactsched.{file.removesuffix('.v').replace('/', '.')}" for file, _ in listed]
    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "Asked.v"
        lines = [f"Require {module}." for module in dict.fromkeys(modules)]
        lines += [
            f"Print Assumptions {module}.{name}."
            for module, (_, name) in zip(modules, listed, strict=True)
        ]
        asked.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return dict(zip(listed, answers(asked), strict=True))
