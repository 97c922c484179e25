"""Linear programs: elimination by definition, planted answers, laws, and floats that lie."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from math import gcd
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactsched.linear_programs.linear_program
from exactsched.certificate.linear_programs import (
    Entries,
    Entry,
    LinearInfeasibility,
    LinearOptimum,
    LinearOutcome,
    LinearProgram,
    LinearUnboundedness,
)
from exactsched.check import ProvedMinMax, check
from exactsched.exact.errors import InvalidInput
from exactsched.exact.rational import Rational
from exactsched.linear_programs.basis_refinement import FloatProgram
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.linear_programs.simplex import Basis, ComputationalForm, Vertex
from exactsched.oracles.linear_programs import outcome_by_elimination

# The definition --------------------------------------------------------------------------------


def product(line: Entries, vector: dict[int, Rational]) -> Rational:
    return sum(coefficient * vector.get(index, 0) for index, coefficient in line)


def assert_proved(outcome: LinearOutcome) -> None:
    """The certificate is what its docstring says, read from the definition and by the checker."""
    program = outcome.program
    width, height = len(program.objective), len(program.rows)
    columns: list[list[tuple[int, Rational]]] = [[] for _ in range(width)]
    for row, entries in enumerate(program.rows):
        for column, coefficient in entries:
            columns[column].append((row, coefficient))

    def assert_point(point: Entries, right_sides: tuple[Rational, ...]) -> dict[int, Rational]:
        assert [index for index, _ in point] == sorted({index for index, _ in point})
        x = dict(point)
        assert all(x.values())
        assert all(value > 0 for index, value in point if index in program.nonnegative)
        for row, (entries, right) in enumerate(zip(program.rows, right_sides, strict=True)):
            left = product(entries, x)
            assert left == right if row in program.equalities else left <= right
        return x

    def assert_dual(multipliers: Entries, objective: tuple[Rational, ...]) -> dict[int, Rational]:
        assert [index for index, _ in multipliers] == sorted({index for index, _ in multipliers})
        y = dict(multipliers)
        assert all(y.values())
        assert all(value > 0 for row, value in multipliers if row not in program.equalities)
        for column, (entries, gain) in enumerate(zip(columns, objective, strict=True)):
            priced = product(tuple(entries), y)
            assert priced >= gain if column in program.nonnegative else priced == gain
        return y

    if isinstance(outcome, LinearOptimum):
        x = assert_point(outcome.primal, program.right_sides)
        y = assert_dual(outcome.dual, program.objective)
        assert outcome.value == product(tuple(enumerate(program.objective)), x)
        assert outcome.value == product(tuple(enumerate(program.right_sides)), y)
        assert len(x) <= height  # a basic solution
    elif isinstance(outcome, LinearInfeasibility):
        y = assert_dual(outcome.multipliers, (0,) * width)
        assert product(tuple(enumerate(program.right_sides)), y) < 0
    else:
        assert_point(outcome.point, program.right_sides)
        ray = assert_point(outcome.ray, (0,) * height)
        assert product(tuple(enumerate(program.objective)), ray) > 0
    claim = check(outcome)
    assert isinstance(claim, ProvedMinMax)
    assert claim.value == (outcome.value if isinstance(outcome, LinearOptimum) else None)


def status(outcome: LinearOutcome) -> Rational | str:
    if isinstance(outcome, LinearOptimum):
        return outcome.value
    return "infeasible" if isinstance(outcome, LinearInfeasibility) else "unbounded"


# Instances -------------------------------------------------------------------------------------


@st.composite
def programs(draw: st.DrawFn) -> LinearProgram:
    """Tiny ones of every status: degenerate, with ties, zero rows, redundant equalities."""
    width, height = draw(st.integers(0, 3)), draw(st.integers(0, 4))
    entry = st.integers(-3, 3) | st.just(0)
    rows = [[draw(entry) for _ in range(width)] for _ in range(height)]
    copies = draw(st.lists(st.sampled_from([1, -1, 2]), max_size=1))
    rows += [[factor * value for value in row] for factor, row in zip(copies, rows, strict=False)]
    return linear_program(
        [draw(entry) for _ in range(width)],
        rows,
        [draw(st.integers(-4, 4) | st.just(0)) for _ in rows],
        [row for row in range(len(rows)) if draw(st.integers(0, 3)) == 0],
        [column for column in range(width) if draw(st.booleans())],
    )


def planted(
    dice: random.Random, width: int, height: int, decades: int = 0
) -> tuple[LinearProgram, Rational]:
    """A sparse program and its optimum: x and y first, complementary, then b and c."""

    def coefficient() -> Fraction:
        size = Fraction(dice.choice([-1, 1]) * dice.randint(1, 20))
        return size * Fraction(10) ** dice.randint(-decades, decades)

    rows = [
        {column: coefficient() for column in dice.choices(range(width), k=5)} for _ in range(height)
    ]
    free = {column for column in range(width) if dice.random() < 0.2}
    equal = {row for row in range(height) if dice.random() < 0.2}
    x = [
        dice.randint(-9, 9) if column in free else dice.choice([0, 0, dice.randint(1, 9)])
        for column in range(width)
    ]
    y = [
        dice.randint(-9, 9) if row in equal else dice.choice([0, 0, dice.randint(1, 9)])
        for row in range(height)
    ]
    right_sides = [
        sum(a * x[column] for column, a in row.items())
        + (0 if index in equal or y[index] else dice.randint(0, 5))
        for index, row in enumerate(rows)
    ]
    objective = [
        sum(row[column] * y[index] for index, row in enumerate(rows) if column in row)
        - (0 if column in free or x[column] else dice.randint(0, 5))
        for column in range(width)
    ]
    value = sum((a * b for a, b in zip(right_sides, y, strict=True)), start=Fraction(0))
    bounded = [column for column in range(width) if column not in free]
    return linear_program(objective, rows, right_sides, equal, bounded), value


def with_rows(
    program: LinearProgram, rows: list[dict[int, Rational]], right_sides: list[Rational]
) -> LinearProgram:
    """The program with more inequalities."""
    return linear_program(
        program.objective,
        [*map(dict, program.rows), *rows],
        [*program.right_sides, *right_sides],
        program.equalities,
        program.nonnegative,
    )


def contradicted(dice: random.Random, program: LinearProgram, gap: Fraction) -> LinearProgram:
    """With a row that a combination of the others misses by the gap."""
    row: dict[int, Rational] = {}
    right: Rational = -gap
    for entries, b in zip(program.rows, program.right_sides, strict=True):
        weight = dice.randint(0, 3)
        right -= weight * b
        for column, a in entries:
            row[column] = row.get(column, 0) - weight * a
    return with_rows(program, [row], [right])


def unbounded(dice: random.Random, width: int, height: int, gain: Fraction) -> LinearProgram:
    """Rows that a ray leaves satisfied, and an objective that it improves by the gain."""
    ray = [dice.choice([0, 1, 2]) for _ in range(width)]
    ray[0] = 1
    rows = [[dice.choice([0, 0, 0, -2, 1, 3]) for _ in range(width)] for _ in range(height)]
    for row in rows:
        row[0] -= sum(a * r for a, r in zip(row, ray, strict=True))
    objective = [Fraction(dice.randint(-5, 5)) for _ in range(width)]
    objective[0] += gain - sum(c * r for c, r in zip(objective, ray, strict=True))
    point = [dice.randint(0, 5) for _ in range(width)]
    right_sides = [sum(a * x for a, x in zip(row, point, strict=True)) for row in rows]
    equal = [row for row in range(height) if dice.random() < 0.3]
    return linear_program(objective, rows, right_sides, equal, range(0, width, 2))


def hilbert(size: int, nonnegative: range) -> tuple[LinearProgram, Fraction]:
    """A x <= b, A^T y = c for all-one x and y; the condition number grows like 30^size."""
    rows = [[Fraction(1, i + j + 1) for j in range(size)] for i in range(size)]
    sums = [sum(row) for row in rows]
    return linear_program(sums, rows, sums, (), nonnegative), Fraction(sum(sums))


def klee_minty(size: int) -> LinearProgram:
    """The cube on which the largest coefficient visits all 2^size vertices; optimum 5^size."""
    rows = [{**{j: 2 ** (i - j + 1) for j in range(i)}, i: 1} for i in range(size)]
    objective = [2 ** (size - 1 - j) for j in range(size)]
    return linear_program(objective, rows, [5 ** (i + 1) for i in range(size)], (), range(size))


# Floats that lie -------------------------------------------------------------------------------

Proposal = Callable[[FloatProgram, Vertex], Basis | None]
TRUTHFUL = FloatProgram.propose


def liars(dice: random.Random) -> dict[str, Proposal]:
    def silent(_: FloatProgram, __: Vertex) -> None:
        return None

    def at_random(_: FloatProgram, vertex: Vertex) -> Basis:
        """Of the right size: mostly infeasible, not optimal, or singular."""
        width, height = len(vertex.form.columns), len(vertex.form.right_sides)
        size = dice.randint(0, min(width, height))
        return Basis(
            tuple(dice.sample(range(width), size)), tuple(dice.sample(range(height), size))
        )

    def of_any_size(_: FloatProgram, vertex: Vertex) -> Basis:
        width, height = len(vertex.form.columns), len(vertex.form.right_sides)
        return Basis(
            tuple(j for j in range(width) if dice.getrandbits(1)),
            tuple(i for i in range(height) if dice.getrandbits(1)),
        )

    def origin(_: FloatProgram, __: Vertex) -> Basis:
        return Basis()

    def off_by_one(program: FloatProgram, vertex: Vertex) -> Basis | None:
        true = TRUTHFUL(program, vertex)
        if true is None or not true.columns:
            return true
        others = [j for j in range(len(vertex.form.columns)) if j not in true.columns]
        return Basis((*true.columns[1:], *others[:1]), true.rows)

    def now_and_then(program: FloatProgram, vertex: Vertex) -> Basis | None:
        return TRUTHFUL(program, vertex) if dice.getrandbits(1) else at_random(program, vertex)

    lies: list[Proposal] = [silent, at_random, of_any_size, origin, off_by_one, now_and_then]
    return {lie.__name__: lie for lie in lies}


def without_tableau(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(exactsched.linear_programs.linear_program, "_start", ComputationalForm.origin)


# Answers ---------------------------------------------------------------------------------------


@given(programs())
@settings(max_examples=100)
def test_the_outcome_is_that_of_elimination(program: LinearProgram) -> None:
    outcome = maximize(program)
    assert outcome.program == program
    assert_proved(outcome)
    assert status(outcome) == outcome_by_elimination(program)


@pytest.mark.parametrize("name", sorted(liars(random.Random(0))))
@given(program=programs(), dice=st.randoms(use_true_random=False))
def test_whatever_the_floats_propose_the_outcome_is_exact(
    name: str, program: LinearProgram, dice: random.Random
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        without_tableau(patch)
        patch.setattr(FloatProgram, "propose", liars(dice)[name])
        outcome = maximize(program)
    assert_proved(outcome)
    assert status(outcome) == outcome_by_elimination(program)


@pytest.mark.parametrize("seed", range(12))
def test_planted_optima_are_found(seed: int) -> None:
    dice = random.Random(seed)
    program, value = planted(dice, dice.randint(1, 120), dice.randint(1, 90))
    outcome = maximize(program)
    assert_proved(outcome)
    assert status(outcome) == value


@pytest.mark.parametrize("name", sorted(liars(random.Random(0))))
def test_planted_optima_are_found_whatever_the_floats_propose(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(name)
    without_tableau(monkeypatch)
    monkeypatch.setattr(FloatProgram, "propose", liars(dice)[name])
    for _ in range(4):
        program, value = planted(dice, dice.randint(5, 20), dice.randint(5, 20))
        outcome = maximize(program)
        assert_proved(outcome)
        assert status(outcome) == value


@pytest.mark.parametrize("decades", [3, 5, 10, 30])
@pytest.mark.parametrize("seed", range(3))
def test_planted_optima_over_many_decades_are_found(decades: int, seed: int) -> None:
    program, value = planted(random.Random(seed), 30, 25, decades)
    outcome = maximize(program)
    assert_proved(outcome)
    assert status(outcome) == value


@pytest.mark.parametrize("exponent", [0, 12, 40])
@pytest.mark.parametrize("seed", range(4))
def test_planted_contradictions_are_found(seed: int, exponent: int) -> None:
    dice = random.Random(seed)
    program, _ = planted(dice, 40, 30)
    outcome = maximize(contradicted(dice, program, Fraction(1, 10**exponent)))
    assert_proved(outcome)
    assert status(outcome) == "infeasible"


@pytest.mark.parametrize("exponent", [0, 12, 40])
@pytest.mark.parametrize("seed", range(4))
def test_planted_rays_are_found(seed: int, exponent: int) -> None:
    program = unbounded(random.Random(seed), 30, 25, Fraction(1, 10**exponent))
    outcome = maximize(program)
    assert_proved(outcome)
    assert status(outcome) == "unbounded"


@pytest.mark.parametrize("size", [1, 2, 5, 10, 15, 20])
def test_hilbert_programs(size: int) -> None:
    for nonnegative in (range(size), range(0)):
        program, value = hilbert(size, nonnegative)
        outcome = maximize(program)
        assert_proved(outcome)
        assert isinstance(outcome, LinearOptimum)
        assert outcome.value == value
        if not nonnegative:
            assert outcome.primal == outcome.dual == tuple((i, 1) for i in range(size))


@pytest.mark.parametrize("size", [1, 2, 5, 12, 30])
def test_klee_minty_programs(size: int) -> None:
    outcome = maximize(klee_minty(size))
    assert_proved(outcome)
    assert status(outcome) == 5**size


# A careless simplex method cycles on them: Beale 1955; Kuhn (in Balinski and Tucker 1969); the
# example of Chvatal's book.  (Hoffman's, the first one, has the cosine of 72 degrees in it.)
CYCLING: list[tuple[list[Any], list[list[Any]], list[int], Rational]] = [
    (
        ["3/4", -150, "1/50", -6],
        [["1/4", -60, "-1/25", 9], ["1/2", -90, "-1/50", 3], [0, 0, 1, 0]],
        [0, 0, 1],
        Fraction(1, 20),
    ),
    (
        [2, 3, -1, -12],
        [[-2, -9, 1, 9], ["1/3", 1, "-1/3", -2], [2, 3, -1, -12]],
        [0, 0, 2],
        2,
    ),
    (
        [10, -57, -9, -24],
        [["1/2", "-11/2", "-5/2", 9], ["1/2", "-3/2", "-1/2", 1], [1, 0, 0, 0]],
        [0, 0, 1],
        1,
    ),
]


@pytest.mark.parametrize("method", ["tableau", "floats", "neither"])
@pytest.mark.parametrize(("objective", "rows", "right_sides", "value"), CYCLING)
def test_programs_on_which_the_simplex_method_can_cycle(
    objective: list[Any],
    rows: list[list[Any]],
    right_sides: list[int],
    value: Rational,
    method: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if method != "tableau":
        without_tableau(monkeypatch)
    if method == "neither":
        monkeypatch.setattr(FloatProgram, "propose", lambda *_: None)
    program = linear_program(objective, rows, right_sides, (), range(4))
    assert outcome_by_elimination(program) == value
    outcome = maximize(program)
    assert_proved(outcome)
    assert status(outcome) == value


TINY = Fraction(1, 10**40)

CASES: dict[str, tuple[LinearProgram, Rational | str]] = {
    "empty": (linear_program([], [], []), 0),
    "no rows": (linear_program([0, 0], [], []), 0),
    "no rows, a gain": (linear_program([0, -1], [], []), "unbounded"),
    "no rows, a loss": (linear_program([0, -1], [], [], (), [1]), 0),
    "no columns": (linear_program([], [{}, {}], [0, 1], [0]), 0),
    "no columns, impossible": (linear_program([], [{}], [-1]), "infeasible"),
    "no columns, unequal": (linear_program([], [{}], [1], [0]), "infeasible"),
    "zero row": (linear_program([1], [[0], [1]], [0, 3], [0]), 3),
    "zero row, impossible": (linear_program([1], [[0], [1]], [-1, 3]), "infeasible"),
    "both infeasible": (linear_program([1], [[0]], [-1], (), [0]), "infeasible"),
    "both infeasible, larger": (
        linear_program([1, 1], [[1, -1], [-1, 1]], [-1, 0], (), [0, 1]),
        "infeasible",
    ),
    "a free variable below zero": (linear_program([-1], [[-1]], [7]), 7),
    "a free variable that does not matter": (linear_program([0, 1], [[0, 1]], [2]), 2),
    "equality alone": (linear_program([1], [[3]], [2], [0]), Fraction(2, 3)),
    "negative equality": (linear_program([-1], [[3]], [-2], [0]), Fraction(2, 3)),
    "the same equality twice": (
        linear_program([1, 1], [[1, 2], [2, 4], [1, 0]], [3, 6, 1], [0, 1], [0, 1]),
        2,
    ),
    "two equalities that differ": (
        linear_program([1, 1], [[1, 2], [2, 4]], [3, 7], [0, 1]),
        "infeasible",
    ),
    "an equality between free variables": (
        linear_program([1, 0], [[1, -1]], [0], [0]),
        "unbounded",
    ),
    "a gap of 10^-40": (linear_program([0], [[1], [-1]], [1, -1 - TINY]), "infeasible"),
    "a gap of 10^-40 among equalities": (
        linear_program([0, 0], [[1, 1], [1, 1]], [1, 1 + TINY], [0, 1]),
        "infeasible",
    ),
    "room of 10^-40": (linear_program([1], [[1], [-1]], [1 + TINY, -1]), 1 + TINY),
    "less room by 10^-40": (linear_program([1], [[1], [1]], [1, 1 - TINY]), 1 - TINY),
    "less room by 10^-40 before": (linear_program([1], [[1], [1]], [1 - TINY, 1]), 1 - TINY),
    "a gain of 10^-40": (linear_program([1, TINY - 1], [[1, -1]], [0]), "unbounded"),
    "a loss of 10^-40": (linear_program([1, -TINY - 1], [[1, -1]], [0], (), [0, 1]), 0),
    "numbers beyond floats": (
        linear_program([1, 10**500], [[1, 10**500], [3, 1]], [10**700, 3], (), [0, 1]),
        3 * 10**500,
    ),
}


@pytest.mark.parametrize("method", ["tableau", "floats", "neither"])
@pytest.mark.parametrize("name", CASES)
def test_corner_cases(name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if method != "tableau":
        without_tableau(monkeypatch)
    if method == "neither":
        monkeypatch.setattr(FloatProgram, "propose", lambda *_: None)
    program, expected = CASES[name]
    outcome = maximize(program)
    assert_proved(outcome)
    assert status(outcome) == expected == outcome_by_elimination(program)


# Programs are looked at once ---------------------------------------------------------------------


@given(programs())
def test_what_is_made_is_plain_and_needs_no_look(program: LinearProgram) -> None:
    assert exactsched.linear_programs.linear_program._is_plain(program)


def test_entries_in_any_order_are_made_plain() -> None:
    rows = [{1: 1, 0: Fraction(4, 2)}, {1: 0}, [0, "6/2"]]
    made = linear_program([1, 1], rows, [4, 1, 2], [2, 0], [1, 0])
    assert exactsched.linear_programs.linear_program._is_plain(made)
    assert made.rows == (((0, 2), (1, 1)), (), ((1, 3),))


def test_a_program_that_was_made_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = linear_program([1], [[2]], [3])
    looked_at: list[LinearProgram] = []
    monkeypatch.setattr(exactsched.linear_programs.linear_program, "_is_plain", looked_at.append)
    assert maximize(made).value == Fraction(3, 2)
    assert not looked_at
    by_hand = LinearProgram(made.objective, made.rows, made.right_sides)
    assert by_hand == made
    assert maximize(by_hand).value == Fraction(3, 2)
    assert looked_at == [by_hand]


# Laws ------------------------------------------------------------------------------------------


def dual_of(program: LinearProgram) -> LinearProgram:
    """Minimize y b, as maximize -b y, over the duals of a program."""
    rows: list[dict[int, Rational]] = [{} for _ in program.objective]
    for row, entries in enumerate(program.rows):
        for column, coefficient in entries:
            rows[column][row] = -coefficient
    return linear_program(
        [-right for right in program.right_sides],
        rows,
        [-gain for gain in program.objective],
        [column for column in range(len(rows)) if column not in program.nonnegative],
        [row for row in range(len(program.rows)) if row not in program.equalities],
    )


@given(programs())
def test_the_dual_has_the_same_value_and_the_dual_of_the_dual_is_the_program(
    program: LinearProgram,
) -> None:
    dual = dual_of(program)
    assert dual_of(dual) == program
    value, mirrored = status(maximize(program)), status(maximize(dual))
    if value == "infeasible":
        assert mirrored in ("infeasible", "unbounded")
    elif value == "unbounded":
        assert mirrored == "infeasible"
    else:
        assert isinstance(mirrored, int | Fraction)
        assert value == -mirrored


@given(programs(), st.fractions(Fraction(1, 9), 9), st.randoms(use_true_random=False))
def test_order_scale_and_redundant_rows_change_nothing(
    program: LinearProgram, factor: Fraction, dice: random.Random
) -> None:
    expected = status(maximize(program))
    order = list(range(len(program.rows)))
    dice.shuffle(order)
    scales = [factor if dice.getrandbits(1) else 1 for _ in order]
    shuffled = linear_program(
        [3 * gain for gain in program.objective],
        [
            {j: scale * a for j, a in program.rows[row]}
            for row, scale in zip(order, scales, strict=True)
        ],
        [scale * program.right_sides[row] for row, scale in zip(order, scales, strict=True)],
        [place for place, row in enumerate(order) if row in program.equalities],
        program.nonnegative,
    )
    row = {
        j: sum(dict(entries).get(j, 0) for entries in program.rows)
        for j in range(len(program.objective))
    }
    weaker = with_rows(shuffled, [row], [sum(program.right_sides) + dice.randint(0, 1)])
    for other in (shuffled, weaker):
        found = status(maximize(other))
        assert found == (expected if isinstance(expected, str) else 3 * expected)


# How the answer is found -----------------------------------------------------------------------


@pytest.fixture
def no_simplex(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: Vertex) -> Any:
        raise AssertionError("the exact simplex method was called")

    monkeypatch.setattr(exactsched.linear_programs.linear_program, "simplex", refused)


@pytest.mark.usefixtures("no_simplex")
def test_floats_and_their_refinement_are_enough_for_ordinary_programs() -> None:
    for seed in range(5):
        dice = random.Random(seed)
        program, value = planted(dice, 80, 60, decades=seed % 3)
        assert status(maximize(program)) == value
        assert status(maximize(contradicted(dice, program, Fraction(1, 7)))) == "infeasible"
        ray = unbounded(dice, 60, 50, Fraction(1, 3))
        assert status(maximize(ray)) == "unbounded"


@pytest.mark.usefixtures("no_simplex")
@pytest.mark.parametrize(
    "name", [name for name in CASES if "10^-40" in name and "gain" not in name]
)
def test_refinement_sees_what_is_below_the_tolerance_of_floats(name: str) -> None:
    program, expected = CASES[name]
    assert status(maximize(program)) == expected


def count_proposals(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    seen: list[None] = []

    def counted(program: FloatProgram, vertex: Vertex) -> Basis | None:
        seen.append(None)
        return TRUTHFUL(program, vertex)

    monkeypatch.setattr(FloatProgram, "propose", counted)
    return lambda: len(seen)


def test_a_relaxation_that_ends_with_its_column_in_the_basis(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # x = 1 and x <= 1: the floats may end with t = 0 basic and both rows tight.
    def degenerate(_: FloatProgram, vertex: Vertex) -> Basis:
        return Basis((0, 1), (0, 1)) if len(vertex.form.columns) == 2 else Basis()

    monkeypatch.setattr(FloatProgram, "propose", degenerate)
    outcome = maximize(linear_program([1], [[1], [1]], [1, 1], [0], [0]))
    assert_proved(outcome)
    assert status(outcome) == 1


def test_an_ordinary_program_takes_one_proposal(monkeypatch: pytest.MonkeyPatch) -> None:
    proposals = count_proposals(monkeypatch)
    program, value = planted(random.Random(1), 80, 60)
    assert status(maximize(program)) == value
    assert proposals() == 1


def test_where_nothing_is_to_be_gained_nothing_is_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    proposals = count_proposals(monkeypatch)
    assert status(maximize(linear_program([-1], [[1]], [3], (), [0]))) == 0
    assert proposals() == 0


# What is refused -------------------------------------------------------------------------------


def refusals() -> Iterator[tuple[Callable[[], object], str]]:
    yield lambda: linear_program([0.5], [], []), "coefficient of the objective 0: 0.5"
    yield lambda: linear_program([True], [], []), "coefficient of the objective 0: True"
    yield lambda: linear_program([1], [[1.5]], [1]), "row 0, column 0: 1.5"
    yield lambda: linear_program([1], [{0: 1.5}], [1]), "row 0 0: 1.5"
    yield lambda: linear_program([1], [[1]], [0.1]), "right side of row 0: 0.1"
    yield lambda: linear_program([1], [[1]], []), "right side of row.*: 0: 1 are needed"
    yield lambda: linear_program([1], [[1, 2]], [1]), "row 0, column.*: 2: 1 are needed"
    yield lambda: linear_program([1], [{1: 2}], [1]), "row 0: 1: a column is .* from 0 to 0"
    yield lambda: linear_program([1], [{-1: 2}], [1]), "row 0: -1: a column is"
    yield lambda: linear_program([1, 1], [{True: 2}], [1]), "row 0: True: a column is"
    yield lambda: linear_program([1], ["1"], [1]), "row 0: '1': a row is a mapping"
    yield lambda: linear_program([1], [7], [1]), "row 0: 7: a row is a mapping"  # type: ignore[list-item]
    yield lambda: linear_program([1], [[1]], [1], [1]), "equality: 1: a row is .* from 0 to 0"
    yield lambda: linear_program([1], [[1]], [1], (), [-1]), "nonnegative variable: -1: a column"
    program = LinearProgram((1,), (((0, 1), (0, 2)),), (3,))
    yield lambda: maximize(program), "row 0: .*: every column has at most one coefficient"
    yield lambda: maximize(LinearProgram((1,), (((1, 1),),), (3,))), "row 0: 1: a column is"
    wrong: Any = 0.5
    yield lambda: maximize(LinearProgram((wrong,), (), ())), "coefficient of the objective 0: 0.5"


@pytest.mark.parametrize(("call", "reason"), list(refusals()))
def test_what_is_not_a_program_is_refused(call: Callable[[], object], reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        call()


def test_rows_in_either_form_are_the_same_and_zeros_are_left_out() -> None:
    dense = linear_program(["1/2", 1], [[0, "2/4"], (1, 0)], ["0.5", 2], [1, 1], iter([1, 0]))
    sparse = linear_program(
        [Fraction(1, 2), 1], [{1: Fraction(1, 2), 0: 0}, {0: 1}], ["1/2", 2], [1], [0, 1]
    )
    assert dense == sparse
    assert dense.rows == (((1, Fraction(1, 2)),), ((0, 1),))
    assert dense.equalities == (1,)
    assert dense.nonnegative == (0, 1)
    assert list(chain(*(row for row in dense.rows))) == [(1, Fraction(1, 2)), (0, 1)]


def test_whole_numbers_of_vectors_are_integers() -> None:
    outcome = maximize(linear_program(["1/2"], [["1/3"]], ["4/3"]))
    assert isinstance(outcome, LinearOptimum)
    assert (outcome.value, outcome.primal, outcome.dual) == (2, ((0, 4),), ((0, Fraction(3, 2)),))
    assert type(outcome.primal[0][1]) is int
    assert type(outcome.value) is Fraction


def test_rays_and_multipliers_are_integers_without_a_common_divisor() -> None:
    ray = maximize(linear_program([1, 1], [["2/3", -1]], [4]))
    assert isinstance(ray, LinearUnboundedness)
    proof = maximize(linear_program([0], [["2/3"], ["-4/5"]], [2, -4], (), [0]))
    assert isinstance(proof, LinearInfeasibility)
    assert proof.multipliers == ((0, 6), (1, 5))
    dice = random.Random(0)
    program, _ = planted(dice, 30, 20)
    more = maximize(contradicted(dice, program, Fraction(1, 7)))
    assert isinstance(more, LinearInfeasibility)
    far = maximize(unbounded(dice, 30, 20, Fraction(3)))
    assert isinstance(far, LinearUnboundedness)
    for vector in (ray.ray, proof.multipliers, more.multipliers, far.ray):
        assert gcd(*(value for _, value in vector if type(value) is int)) == 1
        assert all(type(value) is int for _, value in vector)


# What is taken as it is --------------------------------------------------------------------------

PLAIN = linear_program([1, Fraction(1, 2)], [[2, 3], {1: 1}], [4, Fraction(1, 3)], [1], range(2))


@given(programs())
def test_a_program_made_by_linear_program_is_not_made_again(program: LinearProgram) -> None:
    assert exactsched.linear_programs.linear_program._checked(program) is program


@pytest.mark.parametrize(
    "changes",
    [
        {"objective": [1, Fraction(1, 2)]},
        {"objective": (1, Fraction(2, 1))},
        {"objective": ("1", Fraction(1, 2))},
        {"right_sides": (4, Decimal("0.5"))},
        {"rows": [*PLAIN.rows]},
        {"rows": (list(PLAIN.rows[0]), PLAIN.rows[1])},
        {"rows": (tuple(map(tuple, PLAIN.rows[0])), PLAIN.rows[1])},
        {"rows": (PLAIN.rows[0][::-1], PLAIN.rows[1])},
        {"rows": (PLAIN.rows[0], (Entry(0, 0), Entry(1, 1)))},
        {"rows": (PLAIN.rows[0], (Entry(1, "1"),))},
        {"equalities": (1, 1)},
        {"nonnegative": (1, 0)},
        {"nonnegative": range(2)},
    ],
    ids=str,
)
def test_a_program_made_otherwise_is_made_plain(changes: dict[str, Any]) -> None:
    stated = dataclasses.replace(PLAIN, **changes)
    found = exactsched.linear_programs.linear_program._checked(stated)
    assert found is not stated
    assert exactsched.linear_programs.linear_program._checked(found) is found


@pytest.mark.parametrize(
    "changes",
    [
        {"objective": (1, 0.5)},
        {"objective": (1, True)},
        {"right_sides": (4,)},
        {"rows": (PLAIN.rows[0], (Entry(2, 1),))},
        {"rows": (PLAIN.rows[0], (Entry(-1, 1),))},
        {"rows": (PLAIN.rows[0], (Entry(1, 1), Entry(1, 1)))},
        {"rows": (PLAIN.rows[0], (Entry(True, 1),))},
        {"equalities": (2,)},
        {"equalities": (-1,)},
        {"nonnegative": (0, 2)},
        {"nonnegative": (False, 1)},
    ],
    ids=str,
)
def test_a_program_that_nobody_has_looked_at_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        maximize(dataclasses.replace(PLAIN, **changes))
