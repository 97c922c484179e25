"""Programs on ranks of MPI: it is started by a command of its own, here that of a wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).parents[1])


def mpiexec(ranks: int, *words: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Runs `python words` on each of the ranks; skips the test where there is no MPI."""
    pytest.importorskip("mpi4py")
    beside = Path(sys.executable).with_name("mpiexec")
    found = str(beside) if beside.exists() else shutil.which("mpiexec")
    if found is None:
        pytest.skip("there is no mpiexec")
    path = os.environ.get("PYTHONPATH", "")
    return subprocess.run(
        [found, "-n", str(ranks), sys.executable, *words],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{path}"},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
