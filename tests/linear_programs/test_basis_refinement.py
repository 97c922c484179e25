"""What the float programs are made of; that they lead to optimal bases is tested in test_lp.py."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.linear_programs import basis_refinement
from exactsched.linear_programs.basis_refinement import ROUNDS, FloatProgram, refined
from exactsched.linear_programs.simplex import Basis, ComputationalForm, Vertex


@given(
    st.integers(-(2**200), 2**200),
    st.integers(1, 2**200),
    st.integers(-300, 300),
    st.integers(-300, 300),
)
def test_floats_of_numbers_of_any_size(
    numerator: int, denominator: int, exponent: int, zoom: int
) -> None:
    true = Fraction(numerator, denominator) * Fraction(2) ** (exponent + zoom)
    zero, found = basis_refinement._floats([0, numerator], denominator, [0, exponent], zoom)
    assert zero == 0
    assert found == pytest.approx(float(true), rel=1e-15, abs=1e-300)


def test_floats_of_numbers_beyond_floats() -> None:
    floats = basis_refinement._floats
    assert floats([1, -1], 1, [5000, 5000], 0) == [inf, -inf]
    assert floats([-3], 7, [0], 5000) == [-inf]
    assert floats([10**5000], 10**5000 * 4, [0], 0) == [0.25]
    assert floats([1], 1, [0], -5000) == [0.0]
    assert floats([3, 10**5000, 0], 1, [0, 0, 0], 0) == [3, inf, 0]


def test_entries_too_small_for_floats_are_left_out() -> None:
    """The unit of both rows is that of their own column; the other entry is 10^-80 of it."""
    columns = [{0: 10**80, 1: 1}, {1: 10**80}, {0: -(10**80)}]
    program = FloatProgram(ComputationalForm([0, 0], [0] * 3, columns).origin())
    program._rows, program._units = [266, 266], [0, 0, 0]
    kept, other, negative, *_ = program._entries()
    assert [row for row, _ in kept] == [0]
    assert other == [(1, kept[0][1])]
    assert negative == [(0, -kept[0][1])]


def test_zeros_do_not_set_the_magnification() -> None:
    largest = basis_refinement._largest_bits
    assert largest([0, -3, 1], 1, [500, 0, -40], 7) == 1
    assert largest([0, -3, 1], 2**40, [500, 0, 0], 7) == -39
    assert largest([0], 1, [500], 7) == 7


def test_what_is_loaded_first_has_its_bounds() -> None:
    """Of a free column, one that is not, the slack of a row and that of an equality."""
    form = ComputationalForm(
        [4, 6], [1, -1], [{0: 2, 1: 1}, {0: 1, 1: 3}], frozenset([1]), frozenset([0])
    )
    program = FloatProgram(form.origin())
    program.propose(form.origin())
    infinity = program._solver.infinity()
    lower, upper = program._solver.getBounds()
    assert (lower[0], lower[1], upper[:3]) == (-infinity, 0, [infinity] * 3)
    assert lower[3] == upper[3] == 1.5 * lower[2] < 0


def test_an_optimal_basis_is_proposed_and_left_alone() -> None:
    form = ComputationalForm([4, 6], [1, 1], [{0: 2, 1: 1}, {0: 1, 1: 3}])
    origin = form.origin()
    assert FloatProgram(origin).propose(origin) == Basis((0, 1), (0, 1))
    vertex = refined(origin)
    assert vertex.is_optimal
    assert refined(vertex) is vertex


def test_what_is_violated_far_below_the_tolerance_is_magnified_to_about_one() -> None:
    """Maximize x over x <= 1 and 10^40 x <= 10^40 - 1, seen from x = 1."""
    form = ComputationalForm([1, 10**40 - 1], [1], [{0: 1, 1: 10**40}])
    program = FloatProgram(form.origin())
    program.propose(form.origin())
    vertex = form.vertex(Basis((0,), (0,)))
    assert vertex.violations == {1: -1}
    assert program.propose(vertex) == Basis((0,), (1,))
    lower, _ = program._solver.getBounds()
    assert 0.5 <= lower[2] <= 2  # the slack of the second row has to rise by so much


def test_nothing_is_proposed_without_an_optimum() -> None:
    for form in (
        ComputationalForm([-1], [1], [{0: 1}]),  # x <= -1, x >= 0
        ComputationalForm([1], [1], [{0: -1}]),  # x >= -1, unbounded
    ):
        assert FloatProgram(form.origin()).propose(form.origin()) is None


def test_refinement_stops_where_it_stands_still_and_after_so_many_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    form = ComputationalForm([4, 6], [1, 1], [{0: 2, 1: 1}, {0: 1, 1: 3}])
    turns = [Basis((0,), (0,)), Basis((1,), (1,))]
    seen: list[Vertex] = []

    def alternating(_: FloatProgram, vertex: Vertex) -> Basis:
        seen.append(vertex)
        return turns[len(seen) % 2]

    def still(_: FloatProgram, vertex: Vertex) -> Basis:
        seen.append(vertex)
        return vertex.basis

    monkeypatch.setattr(FloatProgram, "propose", alternating)
    refined(form.origin())
    assert len(seen) == ROUNDS
    seen.clear()
    monkeypatch.setattr(FloatProgram, "propose", still)
    refined(form.origin())
    assert len(seen) == 2  # the first round presolves, which can lose the basis
