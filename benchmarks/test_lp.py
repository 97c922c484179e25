"""Exact linear programs.

Columns: proposals (float programs solved; 0 where a tableau of integers finds the optimum, 1 where
the first basis is right, one more for every round of refinement, and those of the auxiliary
programs), turns of the exact simplex method, digits of the longest number in the result.  SoPlex
and HiGHS, with their default settings, answer with one float and no certificate (*wrong*: off by
more than 1e-6 of the value).

QSopt_ex (in C) and PPL (in C++) are exact, and prove nothing to us either.  They are asked in some
rows, where they end within seconds.  As with SoPlex and HiGHS their seconds are those of solving
what is loaded, while ours are from a program in Python to the certificate.  Like with like is
*with loading*, which is reading an LP file that is there, for QSopt_ex, and taking the rows from
Python, already in integers, for PPL.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from conftest import TIMER, checked
from exact_peers import solved_exactly
from float_peers import solved_in_floats
from instances import near_one, recosted

import exactsched
from exactsched.certificate.linear_programs import LinearOptimum, LinearOutcome, LinearProgram
from exactsched.linear_programs import simplex as exact_simplex
from exactsched.linear_programs.basis_refinement import FloatProgram
from exactsched.linear_programs.linear_program import linear_program, maximize
from exactsched.model.platform import Platform
from exactsched.model.problem import Broadcast
from exactsched.oracles.broadcast import ssb_corrected

pytestmark = pytest.mark.benchmark(timer=TIMER)


def planted(width: int, height: int, per_row: int, decades: int = 0) -> LinearProgram:
    """Sparse rows, half of them tight, a fifth equalities, a fifth of the variables free."""
    dice = random.Random(f"{width} {height} {per_row} {decades}")
    rows = [
        {
            column: dice.choice([-1, 1])
            * dice.randint(1, 20)
            * Fraction(10) ** dice.randint(-decades, decades)
            for column in dice.choices(range(width), k=per_row)
        }
        for _ in range(height)
    ]
    free = {column for column in range(width) if dice.random() < 0.2}
    equal = {row for row in range(height) if dice.random() < 0.2}
    x = [
        dice.randint(-9, 9) if column in free else dice.choice([0, 0, dice.randint(1, 9)])
        for column in range(width)
    ]
    y = [
        dice.randint(-9, 9) if row in equal else dice.choice([0, dice.randint(1, 9)])
        for row in range(height)
    ]
    right_sides = [
        sum(a * x[column] for column, a in row.items())
        + (0 if index in equal or y[index] else dice.randint(0, 5))
        for index, row in enumerate(rows)
    ]
    objective: list[Fraction | int] = [
        0 if column in free or x[column] else -dice.randint(0, 5) for column in range(width)
    ]
    for row, price in zip(rows, y, strict=True):
        for column, a in row.items():
            objective[column] += a * price
    bounded = [column for column in range(width) if column not in free]
    return linear_program(objective, rows, right_sides, equal, bounded)


def contradicted(program: LinearProgram) -> LinearProgram:
    """With one more row, which a combination of the others misses by 1."""
    dice = random.Random(0)
    row: dict[int, Fraction | int] = {}
    right: Fraction | int = -1
    for entries, b in zip(program.rows, program.right_sides, strict=True):
        weight = dice.choice([0, 0, 0, 1, 2])
        right -= weight * b
        for column, a in entries if weight else ():
            row[column] = row.get(column, 0) - weight * a
    return linear_program(
        program.objective,
        [*map(dict, program.rows), row],
        [*program.right_sides, right],
        program.equalities,
        program.nonnegative,
    )


def with_ray(program: LinearProgram) -> LinearProgram:
    """With two more variables that move together, for ever, and gain."""
    width = len(program.objective)
    rows = [
        {**dict(entries), width: index % 7, width + 1: -(index % 7)}
        for index, entries in enumerate(program.rows)
    ]
    return linear_program(
        [*program.objective, 3, -2],
        rows,
        program.right_sides,
        program.equalities,
        [*program.nonnegative, width, width + 1],
    )


def assignment(size: int) -> LinearProgram:
    """Cheapest perfect matching in a complete bipartite graph: every vertex is degenerate."""
    dice = random.Random(size)
    pairs = [(left, right) for left in range(size) for right in range(size)]
    rows: list[dict[int, int]] = [{} for _ in range(2 * size)]
    for index, (left, right) in enumerate(pairs):
        rows[left][index] = rows[size + right][index] = 1
    costs = [-dice.randint(1, 20) for _ in pairs]
    return linear_program(costs, rows, [1] * (2 * size), range(2 * size), range(len(pairs)))


def transport(sources: int, targets: int) -> LinearProgram:
    """Cheapest shipment, each target getting what it needs; a few sources have more than that."""
    dice = random.Random(f"{sources} {targets}")
    pairs = [(source, target) for source in range(sources) for target in range(targets)]
    rows: list[dict[int, int]] = [{} for _ in range(sources + targets)]
    for index, (source, target) in enumerate(pairs):
        rows[source][index], rows[sources + target][index] = 1, -1
    needs = [dice.randint(1, 20) for _ in range(targets)]
    stocks = [dice.randint(0, 3) for _ in range(sources)]
    for _ in range(sum(needs)):
        stocks[dice.randrange(sources)] += 1
    costs = [-dice.randint(1, 100) for _ in pairs]
    return linear_program(costs, rows, [*stocks, *(-n for n in needs)], (), range(len(pairs)))


def ssb(platform: Platform) -> LinearProgram:
    """The multi-commodity program of a broadcast."""
    return ssb_corrected(Broadcast(platform, platform.nodes[0]))[0]


def hilbert(size: int) -> LinearProgram:
    rows = [[Fraction(1, i + j + 1) for j in range(size)] for i in range(size)]
    sums = [sum(row) for row in rows]
    return linear_program(sums, rows, sums, (), range(size))


def klee_minty(size: int) -> LinearProgram:
    rows = [{**{j: 2 ** (i - j + 1) for j in range(i)}, i: 1} for i in range(size)]
    objective = [2 ** (size - 1 - j) for j in range(size)]
    return linear_program(objective, rows, [5 ** (i + 1) for i in range(size)], (), range(size))


PROGRAMS: dict[str, Callable[[], LinearProgram]] = {
    "planted 300x200": lambda: planted(300, 200, 5),
    "planted 2000x1500": lambda: planted(2000, 1500, 7),
    "planted 10000x5000": lambda: planted(10000, 5000, 4),
    "planted 40000x20000": lambda: planted(40000, 20000, 3),
    "planted 200x150, 10^-5..10^5": lambda: planted(200, 150, 5, decades=5),
    "planted 60x50, 10^-30..10^30": lambda: planted(60, 50, 5, decades=30),
    "contradicted 600x300": lambda: contradicted(planted(600, 300, 5)),
    "contradicted 2000x1000": lambda: contradicted(planted(2000, 1000, 5)),
    "with a ray 2000x1000": lambda: with_ray(planted(2000, 1000, 5)),
    "assignment 50": lambda: assignment(50),
    "transport 30x60": lambda: transport(30, 60),
    "assignment 200": lambda: assignment(200),
    "SSB, random:30,120,1": lambda: ssb(exactsched.built_in("random:30,120,1")),
    "SSB, random:30,120,1, costs 0.8..1.2": lambda: ssb(recosted("random:30,120,1", near_one)),
    "SSB, random:60,240,1": lambda: ssb(exactsched.built_in("random:60,240,1")),
    "Hilbert 10": lambda: hilbert(10),
    "Hilbert 20": lambda: hilbert(20),
    "Klee-Minty 12": lambda: klee_minty(12),
    "Klee-Minty 40": lambda: klee_minty(40),
}
# The compiled exact solvers are asked where they end within seconds.
EXACT_PEERS = {
    **dict.fromkeys(("Hilbert 10", "Hilbert 20", "Klee-Minty 12"), ("QSopt_ex", "PPL")),
    "planted 60x50, 10^-30..10^30": ("QSopt_ex", "PPL"),
    "planted 300x200": ("QSopt_ex",),
    "planted 2000x1500": ("QSopt_ex",),
    "planted 200x150, 10^-5..10^5": ("QSopt_ex",),
    "contradicted 600x300": ("QSopt_ex",),
    "assignment 50": ("QSopt_ex",),
    "transport 30x60": ("QSopt_ex",),
    "SSB, random:30,120,1": ("QSopt_ex",),
    "Klee-Minty 40": ("QSopt_ex",),
}


def longest(outcome: LinearOutcome) -> int:
    """Digits of the longest numerator or denominator."""
    vectors = {
        "LinearOptimum": ("primal", "dual"),
        "LinearInfeasibility": ("multipliers",),
        "LinearUnboundedness": ("point", "ray"),
    }[type(outcome).__name__]
    numbers = [value for name in vectors for _, value in getattr(outcome, name)]
    bits = [max(v.numerator.bit_length(), v.denominator.bit_length()) for v in numbers]
    return max(bits, default=1) * 30103 // 100000 + 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_exactly(benchmark, name, monkeypatch):
    program = PROGRAMS[name]()
    counts = {"proposals": 0, "turns": 0}
    propose, leaving = FloatProgram.propose, exact_simplex._leaving

    def counted_proposal(*arguments):
        counts["proposals"] += 1
        return propose(*arguments)

    def counted_turn(*arguments):
        counts["turns"] += 1
        return leaving(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(FloatProgram, "propose", counted_proposal)
        patch.setattr(exact_simplex, "_leaving", counted_turn)
        outcome = maximize(program)
    benchmark.pedantic(maximize, (program,), rounds=5)
    value = outcome.value if isinstance(outcome, LinearOptimum) else None
    exactly = solved_exactly(program, value, EXACT_PEERS.get(name, ()))
    benchmark.extra_info.update(
        variables=len(program.objective),
        rows=len(program.rows),
        nonzeros=sum(map(len, program.rows)),
        outcome=type(outcome).__name__,
        **counts,
        digits=longest(outcome),
        **checked(benchmark, outcome),
        peers=solved_in_floats(program, value) | exactly,
    )


# The exact simplex method alone, as where floats are always wrong.
SMALL: dict[str, Callable[[], LinearProgram]] = {
    "planted 60x50": lambda: planted(60, 50, 5),
    "Hilbert 10": lambda: hilbert(10),
    "Klee-Minty 8": lambda: klee_minty(8),
    "assignment 8": lambda: assignment(8),
}


@pytest.mark.parametrize("floats", ["floats", "no floats"])
@pytest.mark.parametrize("name", SMALL)
def test_exact_fallback(benchmark, name, floats, monkeypatch):
    program = SMALL[name]()
    expected = maximize(program).value
    if floats == "no floats":
        monkeypatch.setattr(FloatProgram, "propose", lambda *_: None)
    outcome = benchmark.pedantic(maximize, (program,), rounds=3)
    assert outcome.value == expected
