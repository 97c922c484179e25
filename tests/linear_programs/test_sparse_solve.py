"""Exact square systems: every solution is multiplied out, every singularity has its reason."""

from __future__ import annotations

import random
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactsched.linear_programs import sparse_solve as sparse_linear_algebra
from exactsched.linear_programs.sparse_solve import DenseMatrix, SparseFactors, factorize

Columns = list[dict[int, int]]


def assert_solves(columns: Columns, right: list[int]) -> None:
    """A x = right and y A = right, over least common denominators."""
    factorized = factorize(columns)
    assert factorized is not None
    x, unit = factorized.solve(right)
    left = [0] * len(right)
    for column, amount in zip(columns, x, strict=True):
        for row, entry in column.items():
            left[row] += entry * amount
    assert left == [unit * value for value in right]
    y, dual_unit = factorized.solve_transposed(right)
    priced = [sum(entry * y[row] for row, entry in column.items()) for column in columns]
    assert priced == [dual_unit * value for value in right]
    for numerators, denominator in ((x, unit), (y, dual_unit)):
        assert denominator > 0
        assert all(type(numerator) is int for numerator in (*numerators, denominator))
        assert in_lowest_terms(numerators, denominator)


def in_lowest_terms(numerators: list[int], denominator: int) -> bool:
    return gcd(denominator, *numerators) == 1


def sparse(dice: random.Random, size: int, count: int, largest: int) -> Columns:
    """Random columns with a transversal, so that most are nonsingular."""
    order = dice.sample(range(size), size)
    columns = []
    for row in order:
        entries = {dice.randrange(size): dice.randint(-largest, largest) for _ in range(count)}
        columns.append(entries | {row: dice.randint(1, largest)})
    return columns


def is_singular_by_definition(columns: Columns) -> bool:
    """By elimination in fractions, row by row."""
    size = len(columns)
    rows = [[Fraction(column.get(row, 0)) for column in columns] for row in range(size)]
    for place in range(size):
        pivot = next((row for row in rows[place:] if row[place]), None)
        if pivot is None:
            return True
        rows.remove(pivot)
        rows.insert(place, pivot)
        for row in rows[place + 1 :]:
            factor = row[place] / pivot[place]
            row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return False


@given(st.integers(0, 6), st.integers(0, 4), st.randoms(use_true_random=False), st.booleans())
def test_small_systems(size: int, count: int, dice: random.Random, dense: bool) -> None:
    columns = [
        {dice.randrange(size): dice.randint(-3, 3) for _ in range(count)} for _ in range(size)
    ]
    with pytest.MonkeyPatch.context() as patch:
        if not dense:  # eliminate to the end
            patch.setattr(sparse_linear_algebra, "_is_dense", lambda *_: False)
        if is_singular_by_definition(columns):
            assert factorize(columns) is None
        else:
            assert_solves(columns, [dice.randint(-9, 9) for _ in range(size)])


@pytest.mark.parametrize(("size", "count"), [(40, 1), (60, 2), (150, 2), (120, 3)])
@pytest.mark.parametrize("largest", [1, 9, 10**30])
def test_sparse_systems(size: int, count: int, largest: int) -> None:
    dice = random.Random(f"{size} {count} {largest}")
    tried = 0
    while tried < 2:
        columns = sparse(dice, size, count, largest)
        factorized = factorize(columns)
        if factorized is not None:
            tried += 1
            assert isinstance(factorized, SparseFactors)
            assert_solves(columns, [dice.randint(-9, 9) for _ in range(size)])


def test_triangular_systems_leave_no_kernel() -> None:
    dice = random.Random(0)
    size = 300
    order = dice.sample(range(size), size)
    columns: Columns = [
        {order[place]: 1, **{order[dice.randrange(place, size)]: 2 for _ in range(3)}}
        for place in range(size)
    ]
    factorized = factorize(columns)
    assert isinstance(factorized, SparseFactors)
    assert factorized.kernel.solve([]) == ([], 1)
    assert_solves(columns, [1] * size)


def test_dense_systems_go_to_flint() -> None:
    dice = random.Random(0)
    columns = [{row: dice.randint(-9, 9) for row in range(50)} for _ in range(50)]
    assert isinstance(factorize(columns), DenseMatrix)
    assert_solves(columns, list(range(50)))


@pytest.mark.parametrize("size", [3, 80])
def test_dependent_columns_and_rows_are_singular(size: int) -> None:
    dice = random.Random(size)
    columns = sparse(dice, size, 2, 5)
    assert factorize([*columns[:-1], {}]) is None
    assert factorize([*columns[:-1], dict(columns[0])]) is None
    # Both entries of the last column cancel to those of a combination.
    combined: dict[int, int] = {}
    for column in columns[:2]:
        for row, entry in column.items():
            combined[row] = combined.get(row, 0) + 3 * entry
    assert factorize([*columns[:-1], combined]) is None
    without_row = [{row: a for row, a in column.items() if row} for column in columns]
    assert factorize(without_row) is None


def test_what_is_singular_modulo_the_prime_alone_is_not_singular() -> None:
    prime = sparse_linear_algebra._PRIME
    assert_solves([{0: prime, 1: 1}, {1: prime}, {2: 1}], [1, 1, 1])


@pytest.mark.parametrize("seed", range(5))
def test_small_systems_of_long_numbers_are_eliminated_entirely(seed: int) -> None:
    dice = random.Random(seed)
    columns = sparse(dice, 8, 3, 10**900)
    factorized = factorize(columns)
    assert isinstance(factorized, SparseFactors)
    assert factorized.kernel.solve([]) == ([], 1)
    assert_solves(columns, [dice.randint(-(10**900), 10**900) for _ in columns])
    assert factorize([*columns[:-1], columns[0]]) is None
