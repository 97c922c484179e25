"""The page that leads from a cluster to a plan: its blocks are executed, one after the other."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from pathlib import Path

from exactsched import check
from exactsched.cli import main
from tests.mpiexec import ROOT, mpiexec

PAGE = Path(ROOT) / "proofs" / "cluster-to-plan.md"


def blocks(language):
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert found
    return found


def test_the_blocks_of_the_page_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (topology,) = blocks("json")
    Path("cluster.json").write_text(topology)
    solving, running, replaying, exporting = blocks("sh")
    for line in [*solving.splitlines(), *exporting.splitlines()]:
        _, *words = shlex.split(line)
        assert main(words) == 0
    assert check("sum.json").throughput == Fraction(50)
    assert Path("sum.svg").stat().st_size
    _, _, ranks, _, *words = shlex.split(running)
    said = mpiexec(int(ranks), "-m", "exactsched", *words)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("allreduce: 4 ranks, 4000000 bytes, every byte as MPI's own; ")
    (program,) = blocks("python")
    Path("sum.py").write_text(program)
    said = mpiexec(4, "sum.py")
    assert (said.returncode, said.stderr) == (0, "")
    _, *words = shlex.split(replaying)
    code = main(words)
    said = capsys.readouterr()
    if code == 2 and "apt-get install python3-simgrid" in said.err:
        return
    assert (code, said.err) == (0, "")
    assert "no date differs" in said.out
