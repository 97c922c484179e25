"""Names from the papers: a stranger who knows one finds its file, and the first line says it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import exactsched

PACKAGE = Path(exactsched.__file__).parent

NAMES = {
    "graphs/branching_packing.py": "Edmonds branching packing",
    "graphs/arborescence_decomposition.py": "Weighted arborescence decomposition",
    "graphs/minimum_cost_arborescence.py": "Edmonds, Fulkerson",
    "graphs/edge_coloring.py": "Edge coloring",
    "graphs/gabow_kariv.py": "Gabow-Kariv edge coloring",
    "graphs/hao_orlin.py": "Hao and Orlin",
    "graphs/shortest_paths.py": "Dijkstra",
    "graphs/splitting_off.py": "Splitting off",
    "steady_state/extract_trees.py": "EXTRACT_TREES",
    "logp/broadcast.py": "universal tree",
    "logp/word_automaton.py": "block-cyclic word automaton",
    "overlay/scip_model.py": "SCIP model",
}


@pytest.mark.parametrize(("path", "name"), NAMES.items())
def test_the_first_line_says_the_name(path: str, name: str) -> None:
    docstring = ast.get_docstring(ast.parse((PACKAGE / path).read_text(encoding="utf-8")))
    assert name in (docstring or "").splitlines()[0]
