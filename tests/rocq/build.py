"""The proofs, compiled once for all tests that need them."""

from __future__ import annotations

import fcntl
import re
import subprocess
import tempfile
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


def assumptions() -> dict[str, str]:
    """What Rocq says that each theorem of an `Assumptions.v` assumes."""
    folder = compiled()
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("Assumptions.v")):
        names = re.findall(r"^Print Assumptions ([\w.]+)\.$", path.read_text("utf-8"), re.M)
        said = subprocess.run(
            ["coqc", "-Q", str(folder), "Exactsched", str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert said.returncode == 0, said.stderr
        answers = re.split(r"\n(?=Closed under|Axioms:)", said.stdout.strip())
        found.update(zip(names, (answer.strip() for answer in answers), strict=True))
    return found
