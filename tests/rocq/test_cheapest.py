"""The program of proofs/rocq/algorithms finds what the package finds.

It is extracted to OCaml and compiled here; what it finds is the least cost by its theorem.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from exactsched.exact.errors import InvalidInput
from exactsched.graphs.minimum_cost_arborescence import minimum_cost_arborescence
from tests.rocq.build import ROCQ, needs_proofs

needs_ocaml = pytest.mark.skipif(
    shutil.which("ocamlfind") is None
    or subprocess.run(["ocamlfind", "query", "zarith"], capture_output=True).returncode != 0,
    reason="ocamlfind and zarith (Debian: libzarith-ocaml-dev) are needed",
)
pytestmark = [needs_proofs, needs_ocaml]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cheapest")
    for name in ("CheapestOCaml.v", "cheapest_arborescence.ml"):
        shutil.copy(ROCQ / "extraction" / name, folder)
    compiler = ["ocamlfind", "ocamlopt", "-package", "zarith", "-linkpkg", "-w", "-a"]
    sources = ["cheapest.mli", "cheapest.ml", "cheapest_arborescence.ml"]
    for command in (
        ["coqc", "-q", "-Q", str(ROCQ), "Exactsched", "CheapestOCaml.v"],
        [*compiler, *sources, "-o", "run"],
    ):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "run"


def found(
    program: Path, size: int, arcs: Sequence[tuple[int, int]], costs: Sequence[Fraction]
) -> tuple[list[int], list[tuple[Fraction, set[int]]]] | None:
    """The tree, and the cuts with their weights."""
    words = [size, 0, len(arcs)]
    for (tail, head), cost in zip(arcs, costs, strict=True):
        words += [tail, head, cost.numerator, cost.denominator]
    text = " ".join(map(str, words))
    said = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in said.splitlines()]
    if lines == [["none"]]:
        return None
    cuts = [(Fraction(int(x), int(y)), set(map(int, nodes))) for x, y, *nodes in lines[1:]]
    return list(map(int, lines[0])), cuts


def test_the_program_finds_the_least_cost_and_cuts_of_this_weight(program: Path) -> None:
    random = Random(1967)
    seen = {True: 0, False: 0}
    for _ in range(60):
        size = random.randint(1, 8)
        arcs = [(random.randrange(size), random.randrange(size)) for _ in range(3 * size)]
        costs = [Fraction(random.randint(0, 9), random.randint(1, 3)) for _ in arcs]
        answer = found(program, size, arcs, costs)
        seen[answer is None] += 1
        if answer is None:
            with pytest.raises(InvalidInput):
                minimum_cost_arborescence(size, 0, arcs, costs)
            continue
        tree, cuts = answer
        least = minimum_cost_arborescence(size, 0, arcs, costs).value
        assert sum((costs[k] for k in tree), Fraction(0)) == least
        assert sum((weight for weight, _ in cuts), Fraction(0)) == least
        assert sorted(arcs[k][1] for k in tree) == list(range(1, size))
        for (tail, head), cost in zip(arcs, costs, strict=True):
            paid = sum(weight for weight, nodes in cuts if head in nodes and tail not in nodes)
            assert paid <= cost
    assert min(seen.values()) > 0
