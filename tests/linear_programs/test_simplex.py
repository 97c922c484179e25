"""Vertices of bases and turns of the simplex method, by hand; whole programs are in test_lp.py."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import exactsched.linear_programs.simplex
from exactsched.linear_programs.simplex import (
    Basis,
    ComputationalForm,
    Ray,
    Vertex,
    relaxation,
    simplex,
)


def kite() -> ComputationalForm:
    """Maximize x + y over 2x + y <= 4, x + 3y <= 6, x >= 0, y >= 0."""
    return ComputationalForm([4, 6], [1, 1], [{0: 2, 1: 1}, {0: 1, 1: 3}])


def test_an_optimal_vertex() -> None:
    vertex = kite().vertex(Basis((0, 1), (0, 1)))
    assert (vertex.primal, vertex.unit) == ([6, 8], 5)
    assert (vertex.dual, vertex.dual_unit) == ([2, 1], 5)
    assert vertex.slacks == vertex.reduced == [0, 0]
    assert vertex.value() == Fraction(14, 5)
    assert vertex.is_optimal


def test_a_vertex_that_is_not_feasible_and_one_that_is_not_optimal() -> None:
    outside = kite().vertex(Basis((0,), (1,)))  # x = 6
    assert outside.violations == {0: -8}
    assert not outside.is_optimal
    corner = kite().vertex(Basis((0,), (0,)))  # x = 2, at the price 1/2
    assert not corner.violations
    assert corner.improving == {~1: 1}
    assert not corner.is_optimal


def test_optimality_is_read_from_the_numbers_not_from_the_basis() -> None:
    for name, numbers in (
        ("primal", [5, 8]),
        ("_prices", ([3, 1], 5)),
    ):  # feasible, and not optimal
        vertex = kite().vertex(Basis((0, 1), (0, 1)))
        setattr(vertex, name, numbers)
        assert not vertex.violations
        assert not vertex.improving
        assert not vertex.is_optimal


def test_free_variables_and_equalities_have_other_signs() -> None:
    """Maximize -x over x <= -3, y = 1; x free, y >= 0."""
    form = ComputationalForm([-3, 1], [-1, 0], [{0: 1}, {1: 1}], frozenset({1}), frozenset({0}))
    origin = form.origin()
    assert origin.violations == {0: -3, 1: 1}
    assert origin.improving == {~0: -1}
    vertex = form.vertex(Basis((0, 1), (0, 1)))  # x = -3 and y = 1
    assert not vertex.violations
    assert vertex.improving == {0: 1}  # the slack of x <= -3 improves the objective
    equal = ComputationalForm([-3], [-1], [{0: 1}], frozenset({0}), frozenset({0}))
    assert equal.vertex(Basis((0,), (0,))).is_optimal  # at the price -1


def test_a_basis_is_square_and_nonsingular() -> None:
    form = ComputationalForm([1, 1], [0, 0], [{0: 1, 1: 2}, {0: 2, 1: 4}])
    assert form.proposed(Basis((0,), ())) is None
    assert form.proposed(Basis((0, 1), (0, 1))) is None
    assert form.proposed(Basis((0,), (1,))) is not None
    with pytest.raises(ArithmeticError, match="singular"):
        form.vertex(Basis((0, 1), (0, 1)))


def test_a_ray() -> None:
    """Maximize x + y over x - y <= 2, x >= 0, y free."""
    form = ComputationalForm([2], [1, 1], [{0: 1}, {0: -1}], free=frozenset({1}))
    end = simplex(form.origin())
    assert isinstance(end, Ray)
    steps = [end.direction.get(column, 0) for column in (0, 1)]
    assert sum(steps) > 0
    assert steps[0] - steps[1] <= 0
    assert steps[0] >= 0


def test_units_bring_the_largest_entry_of_a_column_near_one() -> None:
    form = ComputationalForm(
        [0, 0, 0], [0] * 3, [{0: 10**60, 1: 10**30}, {0: 10**30, 1: 1}, {}], free=frozenset()
    )
    rows, columns = form.units()
    for column, unit in zip(form.columns, columns, strict=True):
        sizes = [entry / 2 ** (rows[row] + unit) for row, entry in column.items()]
        assert not sizes or 0.5 <= max(sizes) <= 1
        assert all(size > 0.1 for size in sizes)  # a product of a row's and a column's unit
    assert (rows[2], columns[2]) == (0, 0)


def test_units_of_entries_of_one_size_are_those_of_the_search() -> None:
    columns = [{0: 5, 2: -7}, {2: 4}, {}]
    network = ComputationalForm([0] * 4, [0] * 3, columns)
    assert network.units() == ([3, 0, 3, 0], [0, 0, 0])
    apart = ComputationalForm([0] * 4, [0] * 4, [*columns, {3: 1}])
    assert apart.units() == ([3, 0, 3, 1], [0, 0, 0, 0])


@pytest.mark.parametrize("bits", [0, 40])
def test_the_unit_of_a_variable_does_not_choose_the_one_that_enters(
    monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    """Maximize 3x + 2y over x + y <= 1, with y in another unit: one turn."""
    turns = []
    leaving = exactsched.linear_programs.simplex._leaving
    monkeypatch.setattr(
        exactsched.linear_programs.simplex,
        "_leaving",
        lambda *arguments: turns.append(1) or leaving(*arguments),
    )
    end = simplex(ComputationalForm([1], [3, 2 << bits], [{0: 1}, {0: 1 << bits}]).origin())
    assert isinstance(end, Vertex)
    assert (end.basis, end.value(), len(turns)) == (Basis((0,), (0,)), 3, 1)


def test_of_those_that_come_to_their_bounds_together_the_least_leaves() -> None:
    """At x = 1, in x + y <= 1 and y <= 1, where y enters."""
    vertex = ComputationalForm([1, 1], [0, 1], [{0: 1}, {0: 1, 1: 1}]).vertex(Basis((0,), (0,)))
    falls = vertex.falls(~1, 1)
    assert falls == {~0: 1, 1: 1, ~1: -1}
    assert exactsched.linear_programs.simplex._leaving(vertex, falls) == ~0


@pytest.mark.parametrize("seed", range(30))
def test_turns_lead_where_their_bases_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(seed)
    height, width = 9, 10
    columns = [
        {row: dice.choice([-3, -1, 2, 7]) for row in dice.sample(range(height), 3)}
        for _ in range(width)
    ]
    form = ComputationalForm(
        [dice.choice([-5, 0, 0, 9]) for _ in range(height)],
        [dice.randint(-9, 9) for _ in range(width)],
        columns,
        frozenset(dice.sample(range(height), 2)),
        frozenset(dice.sample(range(width), 2)),
    )
    moved = Vertex.moved

    def compared(vertex: Vertex, falls: dict[int, int], entering: int, leaving: int) -> Vertex:
        found = moved(vertex, falls, entering, leaving)
        solved = found.form.vertex(found.basis)
        assert (found.primal, found.unit) == (solved.primal, solved.unit)
        return found

    monkeypatch.setattr(Vertex, "moved", compared)
    simplex(relaxation(form.origin()))


def test_a_relaxation_starts_where_all_that_was_violated_is_zero() -> None:
    """Maximize x over x <= -2, y = 6; its column is (-2, 6), divided by 2."""
    form = ComputationalForm([-2, 6], [1, 0], [{0: 1}, {1: 1}], frozenset({1}))
    start = relaxation(form.origin())
    assert start.form.columns[2] == {0: -1, 1: 3}
    assert start.form.objective == [0, 0, -1]
    assert not start.violations
    assert (start.basis.columns, start.primal, start.unit) == ((2,), [2], 1)
    end = simplex(start)
    assert isinstance(end, Vertex)
    assert end.value() == -2  # infeasible: x <= -2 and x >= 0
    assert dict(zip(end.basis.rows, end.dual, strict=True))[0] > 0


def test_a_relaxation_adds_up_what_meets_in_a_row() -> None:
    """At x = -1, the slack of x <= -5 is -4: the column is -1 (1, 1) - 4 (0, 1)."""
    form = ComputationalForm([-1, -5], [0], [{0: 1, 1: 1}])
    vertex = form.vertex(Basis((0,), (0,)))
    assert vertex.violations == {~0: -1, 1: -4}
    start = relaxation(vertex)
    assert start.form.columns[1] == {0: -1, 1: -5}
    assert not start.violations


def test_a_column_is_exchanged_for_a_slack_that_moves_it() -> None:
    form = ComputationalForm([0, 0, 5], [0, 0], [{0: 1, 2: 1}, {1: 1}])
    vertex = form.vertex(Basis((0, 1), (0, 1)))
    assert vertex.without(1) == Basis((0,), (0,))
    assert vertex.without(0) == Basis((1,), (1,))
