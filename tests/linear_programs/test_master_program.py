"""Packing programs: planted optima, an independent simplex, and float solvers that lie."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lcm
from typing import Any

import pyscipopt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactsched.exact.errors import InvalidInput
from exactsched.linear_programs import master_program as packing_program
from exactsched.linear_programs.master_program import Optimum, PackingProgram
from exactsched.linear_programs.simplex import Basis, ComputationalForm, Vertex
from exactsched.oracles.linear_programs import maximum

Program = tuple[list[int], list[list[int]], list[int]]  # gains, matrix by rows, capacities


def program_of(instance: Program) -> PackingProgram:
    gains, matrix, capacities = instance
    program = PackingProgram(capacities)
    for column, gain in enumerate(gains):
        index = program.add_column(
            gain, {row: entries[column] for row, entries in enumerate(matrix)}
        )
        assert index == column
    return program


def assert_optimal(instance: Program, best: Optimum) -> None:
    """Primal and dual are feasible and of the same value: the definition of an optimum."""
    gains, matrix, capacities = instance
    x = [best.primal.get(column, Fraction(0)) for column in range(len(gains))]
    y = [best.dual.get(row, Fraction(0)) for row in range(len(capacities))]
    assert set(best.primal) <= set(range(len(gains)))
    assert set(best.dual) <= set(range(len(capacities)))
    assert all(value > 0 for value in [*best.primal.values(), *best.dual.values()])
    for entries, capacity in zip(matrix, capacities, strict=True):
        assert sum(a * amount for a, amount in zip(entries, x, strict=True)) <= capacity
    for column, gain in enumerate(gains):
        priced = sum(entries[column] * p for entries, p in zip(matrix, y, strict=True))
        assert priced >= gain
    assert best.value == sum(gain * amount for gain, amount in zip(gains, x, strict=True))
    assert best.value == sum(b * price for b, price in zip(capacities, y, strict=True))
    assert len(best.primal) <= len(capacities)  # basic


def optimum_by_oracle(instance: Program) -> Fraction | None:
    """The value by a tableau that shares nothing with the package; None if unbounded."""
    gains, matrix, capacities = instance
    rows = [[Fraction(entry) for entry in entries] for entries in matrix]
    try:
        return maximum([Fraction(gain) for gain in gains], rows, [Fraction(b) for b in capacities])
    except ValueError:
        return None


def assert_solved(instance: Program) -> None:
    expected = optimum_by_oracle(instance)
    if expected is None:
        with pytest.raises(InvalidInput, match="unbounded"):
            program_of(instance).solve()
        return
    best = program_of(instance).solve()
    assert_optimal(instance, best)
    assert best.value == expected


# Instances --------------------------------------------------------------------------------------


@st.composite
def programs(draw: st.DrawFn, least: int = -3) -> Program:
    """Small programs: degenerate (capacities 0), with ties, with negative entries, unbounded."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(0, 5))
    entry = st.integers(least, 5) | st.just(0)
    matrix = [[draw(entry) for _ in range(width)] for _ in range(height)]
    capacities = [draw(st.just(0) | st.integers(0, 9)) for _ in range(height)]
    return [draw(st.integers(-2, 7)) for _ in range(width)], matrix, capacities


@st.composite
def planted(draw: st.DrawFn, entries: st.SearchStrategy[int]) -> tuple[Program, Fraction]:
    """A program whose optimum is known: x > 0 and y > 0 chosen first, then b = A x, c = A^T y.

    Further columns gain at most what y makes them cost; those that gain exactly this are ties.
    """
    size, more = draw(st.integers(1, 6)), draw(st.integers(0, 4))
    matrix = [[draw(entries) for _ in range(size + more)] for _ in range(size)]
    x = [draw(st.integers(1, 5)) for _ in range(size)]
    y = [draw(st.integers(1, 5)) for _ in range(size)]
    capacities = [sum(row[j] * x[j] for j in range(size)) for row in matrix]
    gains = [sum(matrix[i][j] * y[i] for i in range(size)) for j in range(size + more)]
    for j in range(size, size + more):
        gains[j] -= draw(st.integers(0, 2))
    value = sum(price * capacity for price, capacity in zip(y, capacities, strict=True))
    return (gains, matrix, capacities), Fraction(value)


def hilbert(size: int) -> Program:
    """A x = b, A^T y = c for all-one x and y; the condition number grows like 30^size."""
    unit = lcm(*range(1, 2 * size))
    matrix = [[unit // (i + j + 1) for j in range(size)] for i in range(size)]
    sums = [sum(row) for row in matrix]
    return sums, matrix, sums


def klee_minty(size: int) -> Program:
    """The cube on which the largest coefficient visits all 2^size vertices; optimum 5^size."""
    matrix = [
        [2 ** (i - j + 1) if j < i else int(i == j) for j in range(size)] for i in range(size)
    ]
    return [2 ** (size - 1 - j) for j in range(size)], matrix, [5 ** (i + 1) for i in range(size)]


# Beale 1955, and the example of Chvatal's book: a careless simplex method cycles on them.
CYCLING: list[tuple[Program, Fraction]] = [
    (
        (
            [75, -15000, 2, -600],
            [[25, -6000, -4, 900], [50, -9000, -2, 300], [0, 0, 1, 0]],
            [0, 0, 1],
        ),
        Fraction(5),
    ),
    (
        ([10, -57, -9, -24], [[1, -11, -5, 18], [1, -3, -1, 2], [1, 0, 0, 0]], [0, 0, 1]),
        Fraction(1),
    ),
]


# Answers ----------------------------------------------------------------------------------------


@given(programs())
@settings(max_examples=100)
def test_the_optimum_is_that_of_an_independent_simplex(instance: Program) -> None:
    assert_solved(instance)


@given(planted(st.integers(0, 9)))
def test_planted_optima_are_found(known: tuple[Program, Fraction]) -> None:
    instance, value = known
    best = program_of(instance).solve()
    assert_optimal(instance, best)
    assert best.value == value


@given(planted(st.builds(lambda k: 10**k, st.integers(0, 60)) | st.just(0)))
def test_planted_optima_over_sixty_decades_are_found(known: tuple[Program, Fraction]) -> None:
    instance, value = known
    best = program_of(instance).solve()
    assert_optimal(instance, best)
    assert best.value == value


@pytest.mark.parametrize("size", [2, 5, 10, 20])
def test_hilbert_programs(size: int) -> None:
    instance = hilbert(size)
    best = program_of(instance).solve()
    assert_optimal(instance, best)
    assert best.value == sum(instance[0])
    assert best.primal == best.dual == dict.fromkeys(range(size), Fraction(1))


@pytest.mark.parametrize("size", [1, 2, 5, 12, 30])
def test_klee_minty_programs(size: int) -> None:
    best = program_of(klee_minty(size)).solve()
    assert_optimal(klee_minty(size), best)
    assert best.value == 5**size


@pytest.mark.parametrize(("instance", "value"), CYCLING)
def test_programs_on_which_the_simplex_method_can_cycle(instance: Program, value: Fraction) -> None:
    assert optimum_by_oracle(instance) == value
    assert_solved(instance)


def test_numbers_beyond_floats() -> None:
    instance = [1, 10**500], [[1, 10**500], [3, 1]], [10**700, 3]
    best = program_of(instance).solve()
    assert_optimal(instance, best)
    assert best.value == optimum_by_oracle(instance)


@given(programs(least=0), st.integers(1, 10**30), st.randoms(use_true_random=False))
def test_scaling_and_order_change_nothing(
    instance: Program, factor: int, dice: random.Random
) -> None:
    gains, matrix, capacities = instance
    expected = optimum_by_oracle(instance)
    if expected is None:
        return
    scaled = gains, matrix, [factor * capacity for capacity in capacities]
    assert program_of(scaled).solve().value == factor * expected
    columns, rows = list(range(len(gains))), list(range(len(capacities)))
    dice.shuffle(columns)
    dice.shuffle(rows)
    shuffled = (
        [gains[j] for j in columns],
        [[matrix[i][j] for j in columns] for i in rows],
        [capacities[i] for i in rows],
    )
    assert program_of(shuffled).solve().value == expected


def test_unbounded_gain_is_refused() -> None:
    for instance in [([1], [[0]], [5]), ([2, 1], [[1, -1]], [3]), ([1], [[-1]], [0])]:
        assert optimum_by_oracle(instance) is None
        with pytest.raises(InvalidInput, match="the gain is unbounded"):
            program_of(instance).solve()


def test_a_negative_capacity_is_refused() -> None:
    with pytest.raises(InvalidInput, match="capacity of row 1: -1"):
        PackingProgram([0, -1])


def test_nothing_to_gain() -> None:
    assert PackingProgram([3]).solve() == Optimum(Fraction(0), {}, {})
    assert program_of(([-1, 0], [[1, 1]], [3])).solve() == Optimum(Fraction(0), {}, {})
    assert program_of(([5], [[1]], [0])).solve().value == 0


def test_the_float_proposal_is_close_to_the_optimum() -> None:
    # With two more columns, of no use, it is not tiny.
    program = program_of(([1] * 4, [[2, 1, 9, 9], [1, 3, 9, 9]], [4, 6]))
    proposal = program.propose()
    assert proposal is not None
    # In the scaled program entries are divided by 2 and capacities by 6.
    assert program.scale == 2
    assert proposal.value == pytest.approx(14 / 5 * 2 / 6)
    assert proposal.duals == pytest.approx([2 / 5 * 2, 1 / 5 * 2])


def test_proposed_prices_are_not_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    # Rounding errors make them so; a negative price would be refused as a length.
    class SlightlyNegative(Liar):
        def getDual(self) -> list[float]:  # noqa: N802
            return [-1e-17, float("nan")]

    monkeypatch.setattr(pyscipopt, "LP", SlightlyNegative)
    proposal = program_of(([1] * 4, [[2, 1, 9, 9], [1, 3, 9, 9]], [4, 6])).propose()
    assert proposal is not None
    assert proposal.duals == [0.0, 0.0]


# Float solvers that lie -------------------------------------------------------------------------

TRUTHFUL = pyscipopt.LP


class Liar:
    """A float solver with the true one inside; subclasses say how it goes wrong."""

    dice = random.Random(0)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.inner = TRUTHFUL(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class Raises(Liar):
    def solve(self, **_: Any) -> float:
        raise Exception("SCIP: error in LP solver!")


class RaisesNow(Liar):
    def addCols(self, *_: Any, **__: Any) -> None:  # noqa: N802
        raise RuntimeError("out of memory")


class GivesUp(Liar):
    def isOptimal(self) -> bool:  # noqa: N802
        return False


class HasNoBasis(Liar):
    def getBase(self) -> Any:  # noqa: N802
        raise Exception("SCIP: method cannot be called at this time")


class HasAnEmptyBasis(Liar):
    def getBase(self) -> Any:  # noqa: N802
        return [], []


class IsAlwaysOptimal(Liar):
    """Says yes at once, without having solved anything; the basis is that of the slacks."""

    def solve(self, **_: Any) -> float:
        return 0.0

    def isOptimal(self) -> bool:  # noqa: N802
        return True

    def getDual(self) -> list[float]:  # noqa: N802
        return [0.0] * self.inner.nrows()

    def getBase(self) -> Any:  # noqa: N802
        return [0] * self.inner.ncols(), [1] * self.inner.nrows()


class HasARandomBasis(IsAlwaysOptimal):
    """Of the right size: mostly infeasible, not optimal, or singular."""

    def getBase(self) -> Any:  # noqa: N802
        width, height = self.inner.ncols(), self.inner.nrows()
        basic = set(self.dice.sample(range(width + height), height))
        return [int(j in basic) for j in range(width)], [
            int(width + i in basic) for i in range(height)
        ]


class HasABasisOfAnySize(IsAlwaysOptimal):
    def getBase(self) -> Any:  # noqa: N802
        width, height = self.inner.ncols(), self.inner.nrows()
        return self.dice.choices(range(4), k=width), self.dice.choices(range(4), k=height)


class IsOffByOne(Liar):
    """Exchanges one basic variable of the true basis for another."""

    def getBase(self) -> Any:  # noqa: N802
        columns, rows = map(list, self.inner.getBase())
        states = columns + rows
        basic = [k for k, state in enumerate(states) if state == 1]
        others = [k for k, state in enumerate(states) if state != 1]
        if basic and others:
            states[self.dice.choice(basic)] = 0
            states[self.dice.choice(others)] = 1
        return states[: len(columns)], states[len(columns) :]


class IsNotANumber(IsAlwaysOptimal):
    def solve(self, **_: Any) -> float:
        return float("nan")

    def getDual(self) -> list[float]:  # noqa: N802
        return [float("nan"), *[float("inf")] * (self.inner.nrows() - 1)]


class LiesNowAndThen(Liar):
    def isOptimal(self) -> bool:  # noqa: N802
        return bool(self.dice.getrandbits(1))


LIARS: list[type[Liar]] = [
    Raises,
    RaisesNow,
    GivesUp,
    HasNoBasis,
    HasAnEmptyBasis,
    IsAlwaysOptimal,
    HasARandomBasis,
    HasABasisOfAnySize,
    IsOffByOne,
    IsNotANumber,
    LiesNowAndThen,
]


@pytest.fixture(params=LIARS, ids=lambda liar: liar.__name__)
def liar(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[Liar]:
    chosen: type[Liar] = request.param
    chosen.dice = random.Random(chosen.__name__)
    monkeypatch.setattr(pyscipopt, "LP", chosen)
    return chosen


def random_programs(count: int, seed: int) -> Iterator[Program]:
    dice = random.Random(seed)
    for _ in range(count):
        height, width = dice.randint(1, 5), dice.randint(1, 6)
        matrix = [
            [dice.choice([0, 0, 1, 1, 2, 3, -1]) for _ in range(width)] for _ in range(height)
        ]
        capacities = [dice.choice([0, 0, 1, 1, 2, 7]) for _ in range(height)]
        yield [dice.randint(-1, 4) for _ in range(width)], matrix, capacities


def test_whatever_the_floats_do_the_answer_is_exact(liar: type[Liar]) -> None:
    for instance in random_programs(60, seed=len(liar.__name__)):
        assert_solved(instance)
    for known, value in CYCLING:
        assert program_of(known).solve().value == value
    assert program_of(hilbert(7)).solve().value == sum(hilbert(7)[0])
    assert program_of(klee_minty(6)).solve().value == 5**6


def test_columns_that_join_after_a_lie(liar: type[Liar]) -> None:
    # Each exact optimum is the start of the next; a wrong basis that was kept would show here.
    del liar
    for gains, matrix, capacities in random_programs(25, seed=7):
        program = PackingProgram(capacities)
        for width, gain in enumerate(gains, start=1):
            column = {row: entries[width - 1] for row, entries in enumerate(matrix)}
            program.add_column(gain, column)
            sub = gains[:width], [entries[:width] for entries in matrix], capacities
            expected = optimum_by_oracle(sub)
            if expected is None:
                with pytest.raises(InvalidInput, match="unbounded"):
                    program.solve()
                break
            best = program.solve()
            assert_optimal(sub, best)
            assert best.value == expected


def test_the_fallback_ends_where_largest_gains_take_exponentially_many_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The largest coefficient takes 2^9 - 1 = 511 turns; after 2 * 18 of them Bland's rule goes on.
    # Measured in units it takes one.
    monkeypatch.setattr(ComputationalForm, "units", lambda _: ([0] * 9, [0] * 9))
    monkeypatch.setattr(pyscipopt, "LP", GivesUp)
    turns = count_turns(monkeypatch)
    best = program_of(klee_minty(9)).solve()
    assert best.value == 5**9
    assert 36 < turns() < 511


def count_turns(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    visited: list[None] = []
    vertex = ComputationalForm.proposed

    def counted(self: ComputationalForm, basis: Basis, *primal: Any) -> Vertex | None:
        visited.append(None)
        return vertex(self, basis, *primal)

    monkeypatch.setattr(ComputationalForm, "proposed", counted)
    return lambda: len(visited)


def test_an_exact_basis_of_the_floats_needs_no_simplex_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = count_turns(monkeypatch)
    assert program_of(klee_minty(9)).solve().value == 5**9
    assert turns() == 1


def test_the_exact_simplex_goes_on_from_the_last_exact_optimum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program = program_of(klee_minty(9))
    program.solve()
    monkeypatch.setattr(PackingProgram, "propose", lambda _: None)
    turns = count_turns(monkeypatch)
    program.add_column(1, {8: 1})  # row 8 has price 1: nothing to gain
    assert program.solve().value == 5**9
    assert turns() == 1


def test_the_exact_simplex_goes_on_from_its_own_last_optimum(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(PackingProgram, "propose", lambda _: None)
    program = program_of(klee_minty(5))
    turns = count_turns(monkeypatch)
    program.solve()
    before = turns()
    assert before > 1
    assert program.solve().value == 5**5
    assert turns() == before + 1


def test_the_last_optimum_may_be_too_much_for_a_row_that_joins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without floats, the exact simplex must not start there: x = 6 alone, then x <= 2."""
    monkeypatch.setattr(PackingProgram, "propose", lambda _: None)
    monkeypatch.setattr(packing_program, "refined", lambda start: start)
    program = program_of(([3, 2], [[1, 1]], [6]))
    assert program.solve().value == 18
    program.add_row(2, {0: 1})
    best = program.solve()
    assert_optimal(([3, 2], [[1, 1], [1, 0]], [6, 2]), best)
    assert best.primal == {0: 2, 1: 4}


@given(st.data())
def test_rows_may_join(data: st.DataObject) -> None:
    """Rows and columns in any order, proposals in between: the optimum of all of them at once."""
    number = st.integers(1, 300)
    capacities = data.draw(st.lists(number, min_size=1, max_size=3))
    largest = max(capacities)
    grown = PackingProgram(capacities)
    columns: list[dict[int, int]] = []
    gains: list[int] = []
    for _ in range(data.draw(st.integers(1, 8))):
        if columns and data.draw(st.booleans()):
            entries = data.draw(st.dictionaries(st.sampled_from(range(len(columns))), number))
            capacities.append(data.draw(st.integers(0, 9)))
            row = grown.add_row(capacities[-1], entries)
            for column, entry in entries.items():
                columns[column][row] = entry
        else:
            gains.append(data.draw(st.integers(0, 9)))
            columns.append({row: data.draw(number) for row in range(len(capacities))})
            grown.add_column(gains[-1], dict(columns[-1]))
        if data.draw(st.booleans()):
            assert grown.propose() is not None
        if data.draw(st.booleans()):
            grown.solve()
    whole = PackingProgram(capacities)
    for gain, column in zip(gains, columns, strict=True):
        whole.add_column(gain, column)
    best, expected = grown.solve(), whole.solve()
    assert best.value == expected.value
    proposal = grown.propose()
    assert proposal is not None
    unscaled = proposal.value * largest / grown.scale
    assert abs(unscaled - float(best.value)) <= 1e-6 * max(1, float(best.value))
