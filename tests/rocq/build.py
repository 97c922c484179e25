"""What the tests ask of the proofs once they are compiled."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest

ROCQ = Path(__file__).parents[2] / "proofs" / "rocq"
BUILT = (ROCQ / "Assumptions.vo").exists() and shutil.which("coqc") is not None

# Compiling takes a minute or two, so it is not done here.
needs_proofs = pytest.mark.skipif(
    not BUILT and "EXACTSCHED_ROCQ" not in os.environ,
    reason="coqc (Debian: coq) and `make -C proofs/rocq` are needed",
)


def printed() -> dict[str, tuple[str, ...]]:
    """The theorems that each `Assumptions.v` prints, by its folder below that of the proofs.

    A name may be qualified, as two files may prove theorems of one name: the last part counts.
    """
    return {
        str(path.parent.relative_to(ROCQ)): tuple(
            re.findall(r"^ *@(?:\w+\.)*(\w+),?$", _asked_in(path), re.M)
        )
        for path in sorted(ROCQ.rglob("Assumptions.v"))
    }


def _asked_in(path: Path) -> str:
    """The theorems that Rocq is asked about at the end of a file, all at once."""
    text = path.read_text(encoding="utf-8")
    question = re.search(
        r"^Definition theorems := \(\n([^()]*)\n\)\.\nPrint Assumptions theorems\.$", text, re.M
    )
    assert question, f"{path} does not end with a question about all its theorems"
    return question[1]


def assumed_by(theorems: Iterable[tuple[str, str]]) -> str:
    """What Rocq says that theorems, by file and name, assume all together.

    One question for all: each looks through everything that the theorem rests on.
    """
    listed = sorted(theorems)
    modules = [f"Exactsched.{file.removesuffix('.v').replace('/', '.')}" for file, _ in listed]
    names = [f"@{module}.{name}" for module, (_, name) in zip(modules, listed, strict=True)]
    lines = [f"Require {module}." for module in dict.fromkeys(modules)]
    lines += [f"Definition asked := ({', '.join(names)}).", "Print Assumptions asked."]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "Asked.v"
        source.write_text("\n".join(lines) + "\n", encoding="utf-8")
        said = subprocess.run(
            ["coqc", "-Q", ROCQ, "Exactsched", source],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,  # tactics leave caches in the working directory
        )
    assert said.returncode == 0, said.stderr
    return said.stdout.strip()
