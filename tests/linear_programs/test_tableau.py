"""Small programs in a tableau of integers: elimination by definition, and what is not for it."""

from __future__ import annotations

import random
from fractions import Fraction
from operator import mul

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import exactsched.linear_programs.linear_program
from exactsched.certificate.linear_programs import LinearProgram
from exactsched.linear_programs.basis_refinement import FloatProgram
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.linear_programs.simplex import Basis, ComputationalForm, Ray, simplex
from exactsched.linear_programs.tableau import tableau_bases
from exactsched.oracles.linear_programs import outcome_by_elimination
from tests.linear_programs.test_linear_program import assert_proved, status

NUMBERS = st.integers(-9, 9)


@st.composite
def forms(draw: st.DrawFn, *, dense: bool) -> ComputationalForm:
    """All coefficients are there, or half of them."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return ComputationalForm(
        [draw(st.integers(1, 9)) for _ in range(height)],
        [draw(NUMBERS) for _ in range(width)],
        [
            {row: draw(NUMBERS.filter(bool)) for row in range(height) if dense or (row + place) % 2}
            for place in range(width)
        ],
    )


def last_basis(form: ComputationalForm) -> Basis | None:
    return next(reversed([*tableau_bases(form)]), None)


def program_of(form: ComputationalForm) -> LinearProgram:
    height, width = len(form.right_sides), len(form.columns)
    rows = [[column.get(row, 0) for column in form.columns] for row in range(height)]
    return linear_program(form.objective, rows, form.right_sides, (), range(width))


@given(forms(dense=False))
@settings(max_examples=100)
def test_the_basis_of_a_sparse_program_is_optimal(form: ComputationalForm) -> None:
    assume(2 * sum(map(len, form.columns)) <= len(form.right_sides) * len(form.columns))
    basis, outcome = last_basis(form), outcome_by_elimination(program_of(form))
    if outcome == "unbounded":
        assert basis is None
    else:
        assert basis is not None
        vertex = form.vertex(basis)
        assert vertex.is_optimal
        assert vertex.value() == outcome


@given(forms(dense=False), st.lists(NUMBERS, min_size=4, max_size=4))
@settings(max_examples=100)
def test_rows_are_equations_that_hold_everywhere(form: ComputationalForm, x: list[int]) -> None:
    """At any x, feasible or not, once the slacks are what is left; so they do after exchanges."""
    slacks = form.right_sides.copy()
    for amount, column in zip(x, form.columns, strict=False):
        for row, entry in column.items():
            slacks[row] -= entry * amount
    gained = sum(gain * amount for gain, amount in zip(form.objective, x, strict=False))
    tableau = exactsched.linear_programs.tableau._Tableau(form)
    tableau.dense = False

    def value(variable: int) -> int:
        return slacks[variable] if variable >= 0 else x[~variable]

    for _ in range(4):
        amounts = [*map(value, tableau.basic), -gained]
        for amount, unit, row in zip(amounts, tableau.units, tableau.rows, strict=True):
            left = sum(map(mul, row[1:], map(value, tableau.others[1:])))
            assert unit * amount + left == row[0]
        best = tableau.best_exchange() if tableau.gains() else None
        if best is None:
            return
        tableau.exchange(*best)


@given(forms(dense=True))
@settings(max_examples=100)
def test_where_the_basis_of_a_dense_program_is_not_optimal_a_slack_comes_back(
    form: ComputationalForm,
) -> None:
    basis, outcome = last_basis(form), outcome_by_elimination(program_of(form))
    if basis is None:
        assert outcome == "unbounded"
        return
    vertex = form.vertex(basis)
    assert not vertex.violations
    assert min(vertex.improving, default=0) >= 0  # slacks, no columns
    if outcome != "unbounded":
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(FloatProgram, "__init__", lambda *_: pytest.fail("floats are asked"))
            assert status(maximize(program_of(form))) == outcome


def test_a_slack_comes_back_without_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maximize 2x + 2y over x - y <= 1, 3x + 2y <= 3 and 3x + 3y <= 3.

    x enters until both of the first are tight at (1, 0), y takes the place of one; the best is 2.
    """
    monkeypatch.setattr(FloatProgram, "__init__", lambda *_: pytest.fail("floats are asked"))
    form = ComputationalForm([1, 3, 3], [2, 2], [{0: 1, 1: 3, 2: 3}, {0: -1, 1: 2, 2: 3}])
    basis = last_basis(form)
    assert basis == Basis((0, 1), (0, 1))
    assert not form.vertex(basis).is_optimal
    assert status(maximize(program_of(form))) == 2


def test_in_a_sparse_program_slacks_come_back_in_the_tableau() -> None:
    """Maximize x + 3y + 2z over y <= 1, x <= 2, z <= 2, x + y + z <= 2: z = 2 gains most alone."""
    columns = [{1: 1, 3: 1}, {0: 1, 3: 1}, {2: 1, 3: 1}]
    form = ComputationalForm([1, 2, 2, 2], [1, 3, 2], columns)
    assert last_basis(form) == Basis((1, 2), (0, 3))


def test_a_slack_that_comes_back_may_gain_for_ever() -> None:
    columns = [{0: 1, 1: -2, 2: 1}, {0: -2, 1: 2, 2: -1}, {0: 1, 1: 3, 2: 3}]
    form = ComputationalForm([1, 1, 3], [3, 3, 1], columns)
    basis = last_basis(form)
    assert basis is not None
    assert isinstance(simplex(form.vertex(basis)), Ray)
    outcome = maximize(program_of(form))
    assert_proved(outcome)
    assert status(outcome) == "unbounded"


def hilbert(size: int) -> ComputationalForm:
    """Row i says that the sum of x[j] / (i + j + 1) is at most what it is for x = (1, ..., 1)."""
    unit = 1
    for number in range(1, 2 * size):
        unit *= number
    columns = [{i: unit // (i + j + 1) for i in range(size)} for j in range(size)]
    sums = [sum(column.values()) for column in columns]
    return ComputationalForm(sums, sums, columns)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The exchanges of all tableaux."""
    seen: list[tuple[int, int]] = []
    exchange = exactsched.linear_programs.tableau._Tableau.exchange

    def counted(tableau: object, index: int, place: int) -> None:
        seen.append((index, place))
        exchange(tableau, index, place)  # type: ignore[arg-type]

    monkeypatch.setattr(exactsched.linear_programs.tableau._Tableau, "exchange", counted)
    return seen


@pytest.mark.parametrize(("size", "all_steps"), [(10, 11), (20, 22)])
def test_hilbert_matrices_take_a_step_or_hardly_more_than_rows(
    size: int, all_steps: int, steps: list[tuple[int, int]]
) -> None:
    """No float program solves them: all rows are tight, and all x are 1."""
    form = hilbert(size)
    everything = Basis(tuple(range(size)), tuple(range(size)))
    assert set(form.vertex(everything).primal) == {1}
    bases = tableau_bases(form)
    assert next(bases) == everything
    assert len(steps) == 1
    assert [*bases] == [everything]
    assert len(steps) == all_steps


def test_rows_that_are_nearly_tight_may_not_all_be_tight(
    steps: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """8x - 2y + 7z over 5x + y + 5z <= 3, 7x + 5y + 9z <= 5 and 8x + 6y + 3z <= 2.

    With z = 5/9 all rows are tight to a quarter of their right sides; with all of them y < 0.
    """
    monkeypatch.setattr(FloatProgram, "__init__", lambda *_: pytest.fail("floats are asked"))
    columns = [{0: 5, 1: 7, 2: 8}, {0: 1, 1: 5, 2: 6}, {0: 5, 1: 9, 2: 3}]
    form = ComputationalForm([3, 5, 2], [8, -2, 7], columns)
    bases = tableau_bases(form)
    everything = next(bases)
    assert everything == Basis((0, 1, 2), (0, 1, 2))
    assert len(steps) == 1
    assert form.vertex(everything).primal[1] * form.vertex(everything).unit < 0
    assert [*bases] == [Basis((0, 2), (1, 2))]
    assert status(maximize(program_of(form))) == Fraction(206, 51)


def test_after_a_try_in_vain_the_gain_may_have_no_end() -> None:
    """9x - y over x - y <= 6 and 2x - y <= 9: both are tight where x = 3 and y = -3."""
    form = ComputationalForm([6, 9], [9, -1], [{0: 1, 1: 2}, {0: -1, 1: -1}])
    assert [*tableau_bases(form)] == [Basis((0, 1), (0, 1))]
    assert form.vertex(Basis((0, 1), (0, 1))).violations
    outcome = maximize(program_of(form))
    assert_proved(outcome)
    assert status(outcome) == "unbounded"


@pytest.mark.parametrize(
    ("right", "entry", "near"), [(4, 3, True), (100, 74, False), (9, 0, False)]
)
def test_rows_are_nearly_tight_where_slacks_are_a_quarter_of_right_sides(
    right: int, entry: int, near: bool
) -> None:
    """x <= 1 gets tight; the other row has the rest."""
    column = {0: 1, 1: entry} if entry else {0: 1}
    tableau = exactsched.linear_programs.tableau._Tableau(
        ComputationalForm([1, right], [1], [column])
    )
    assert not tableau.is_nearly_tight([1, right])
    tableau.exchange(0, 1)
    assert tableau.is_nearly_tight([1, right]) == near


@pytest.mark.parametrize("size", [6, 10, 20])
def test_long_rows_lose_their_common_divisor(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Always or never, the basis is the same; never, the numbers are more than twice as long."""
    tableau = exactsched.linear_programs.tableau
    basis_of, lengths, bases = tableau._Tableau.basis, [], []

    def measured(found: tableau._Tableau) -> Basis:
        lengths.append(max(unit.bit_length() for unit in found.units))
        return basis_of(found)

    monkeypatch.setattr(tableau._Tableau, "basis", measured)
    for limit in (0, 10**9):
        monkeypatch.setattr(tableau, "_LONG", limit)
        bases.append(last_basis(hilbert(size)))
    assert bases[0] == bases[1] is not None
    assert 2 * lengths[0] < lengths[1]


def test_small_programs_need_no_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FloatProgram, "__init__", lambda *_: pytest.fail("floats are asked"))
    assert status(maximize([1, 1], [[2, 1], [1, 3]], [4, 6], (), range(2))) == Fraction(14, 5)


def test_what_is_not_for_a_tableau() -> None:
    unbounded = ComputationalForm([1], [1, 1], [{0: 1}, {0: -1}])
    infeasible_origin = ComputationalForm([1, -1], [1], [{0: 1, 1: -1}])
    equality = ComputationalForm([1], [1], [{0: 1}], equalities=frozenset([0]))
    free = ComputationalForm([1], [1], [{0: 1}], free=frozenset([0]))
    large = ComputationalForm([1] * 21, [1] * 21, [{row: 1} for row in range(21)])
    beyond_floats = ComputationalForm([10**700], [1], [{0: 3}])
    for form in (unbounded, infeasible_origin, equality, free, large, beyond_floats):
        assert last_basis(form) is None
    assert last_basis(ComputationalForm([], [-1], [{}])) == Basis()


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_tableau_proposes_the_outcome_is_exact(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(seed)
    size = dice.randint(1, 4)
    rows = [[dice.randint(-3, 5) for _ in range(size)] for _ in range(size)]
    program = linear_program([1] * size, rows, [dice.randint(0, 9) for _ in rows], (), range(size))
    count = dice.randint(0, size)
    wrong = Basis(tuple(dice.sample(range(size), count)), tuple(dice.sample(range(size), count)))
    monkeypatch.setattr(
        exactsched.linear_programs.linear_program, "tableau_bases", lambda _: [wrong]
    )
    outcome = maximize(program)
    assert_proved(outcome)
    assert status(outcome) == outcome_by_elimination(program)
