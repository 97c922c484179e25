"""A notebook shows results: it is executed, and every cell has a picture and a line."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

ROOT = Path(__file__).parents[2]
# What stands last in a cell, and what its line says.
CELLS = {
    "broadcast(built_in('legrand-fig1'), 'Ps')": "throughput 1",
    "maximum_flow(3, 0, 2, [(0, 1), (1, 2)], [2, 1])": "value 1",
    "optimal_overlay(MultiPort([2, 2], [1, 1]))": "throughput 2",
    "draw(broadcast(built_in('legrand-fig1'), 'Ps'), panel='gantt', width='84mm')": "",
    "read(certificate)": "throughput 1",
}


def test_an_executed_notebook_shows_every_result(tmp_path: Path) -> None:
    certificate = ROOT / "tests/corpus/accepted/figure-1-one-port.json"
    first = f"from exactsched import *; import exactsched; certificate = {str(certificate)!r}"
    sources = [first, *CELLS]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in sources])
    paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3")
    client.execute(cwd=str(tmp_path), env=env)
    for cell, line in zip(notebook.cells[1:], CELLS.values(), strict=True):
        [output] = cell.outputs
        assert output.output_type == "execute_result", cell.source
        shown = output.data
        assert ElementTree.fromstring(shown["image/svg+xml"]).tag.endswith("svg")
        if line:
            assert line in shown["text/plain"]
            assert "<figure><figcaption>" in shown["text/html"]
