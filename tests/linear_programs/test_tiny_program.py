"""Programs without a float solver: their optima are those of the exact simplex method."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.linear_programs import master_program, tiny_program
from exactsched.linear_programs.simplex import ComputationalForm, Vertex, simplex
from exactsched.linear_programs.sparse_solve import DenseMatrix, TinyMatrix
from exactsched.linear_programs.tiny_program import TinyProgram

ENTRIES = st.integers(-9, 9)


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[int], list[int], list[dict[int, int]]]:
    rows, columns = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    right_sides = draw(st.lists(st.integers(0, 9), min_size=rows, max_size=rows))
    objective = draw(st.lists(ENTRIES, min_size=columns, max_size=columns))
    listed = st.lists(ENTRIES, min_size=rows, max_size=rows)
    entries = draw(st.lists(listed, min_size=columns, max_size=columns))
    return right_sides, objective, [{k: a for k, a in enumerate(c) if a} for c in entries]


@given(programs())
def test_the_value_is_that_of_the_exact_simplex_method(
    program: tuple[list[int], list[int], list[dict[int, int]]],
) -> None:
    end = simplex(ComputationalForm(*program).origin())
    tiny = TinyProgram(*program, largest=4)
    value = tiny.solve()
    assert tiny.isOptimal() is isinstance(end, Vertex)
    if not isinstance(end, Vertex):
        assert value == inf
        return
    right_sides, objective, columns = program
    assert value == float(end.value() / 4)
    duals = [Fraction(dual, tiny.unit) for dual in tiny.duals]
    assert min(duals, default=0) >= 0
    assert sum(d * b for d, b in zip(duals, right_sides, strict=True)) == end.value()
    for gain, column in zip(objective, columns, strict=True):
        assert sum(duals[row] * entry for row, entry in column.items()) >= gain
    basic, tight = tiny.getBase()
    proposed = ComputationalForm(*program).proposed(
        master_program.Basis(
            tuple(k for k, status in enumerate(basic) if status),
            tuple(k for k, status in enumerate(tight) if not status),
        )
    )
    assert proposed is not None
    assert proposed.is_optimal
    primal = dict(zip(proposed.basis.columns, proposed.primal, strict=True))
    expected = [primal.get(k, 0) / proposed.unit / 4 for k in range(len(columns))]
    assert tiny.getPrimal() == pytest.approx(expected)


def test_steps_without_a_gain_end() -> None:
    """Beale's example of 1955: the largest gain alone goes around for ever."""
    columns = [{0: 25, 1: 50}, {0: -6000, 1: -9000}, {0: -4, 1: -2, 2: 100}, {0: 900, 1: 300}]
    tiny = TinyProgram([0, 0, 100], [75, -15000, 2, -600], columns, 1)
    assert tiny.solve() == 5
    assert tiny.isOptimal()


@pytest.mark.parametrize("patience", [0, 2])
def test_after_some_steps_without_a_gain_the_first_variable_enters(
    patience: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No step gains here: the steepest of 1, 2, ..., 9 first, and then in their order."""
    entered: list[int] = []

    class Recorded(TinyProgram):
        def _exchange(self, entering: int, leaving: int, slopes: Sequence[int]) -> None:
            entered.append(entering)
            super()._exchange(entering, leaving, slopes)

    monkeypatch.setattr(tiny_program, "_PATIENCE", patience)
    count = 9
    columns = [{row: 1} for row in range(count)]
    assert Recorded([0] * count, range(1, count + 1), columns, 1).solve() == 0
    steepest = range(2 * count - 1, 2 * count - 2 - patience, -1)
    rest = range(count, 2 * count - 1 - patience)
    assert entered == [*steepest, *rest]


@given(st.lists(st.lists(ENTRIES, min_size=2, max_size=2), min_size=2, max_size=2), st.data())
def test_cramers_rule_agrees_with_flint(rows: list[list[int]], data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 2))
    columns = [{k: rows[k][j] for k in range(size)} for j in range(size)]
    tiny, dense = TinyMatrix(columns), DenseMatrix(columns)
    assert bool(tiny.determinant) is dense.is_nonsingular()
    if tiny.determinant:
        right = data.draw(st.lists(ENTRIES, min_size=size, max_size=size))
        assert tiny.solve(right) == dense.solve(right)
        assert tiny.solve_transposed(right) == dense.solve_transposed(right)


def test_three_columns_load_no_library_and_a_fourth_one_does() -> None:
    lines = (
        "import sys",
        "from exactsched.linear_programs.master_program import PackingProgram",
        "program = PackingProgram([4, 6])",
        "for column in ({0: 2, 1: 1}, {0: 1, 1: 3}, {0: 3, 1: 3}, {0: 1, 1: 1}):",
        "    program.add_column(1, column)",
        "    print(program.solve().value, *{'flint', 'pyscipopt'} & {*sys.modules})",
    )
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    *three, fourth = done.stdout.splitlines()
    assert three == ["2", "14/5", "14/5"]
    assert fourth.split()[0] == "4"
    assert "pyscipopt" in fourth
