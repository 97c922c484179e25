"""Float solvers that propose nonsense, in the place of `PackingProgram.propose`."""

from __future__ import annotations

import random
from collections.abc import Callable

from exactsched.linear_programs.master_program import PackingProgram, Proposal


def silent(_: PackingProgram) -> None:
    return None


def saboteurs(dice: random.Random) -> dict[str, Callable[[PackingProgram], Proposal | None]]:
    def zeros(program: PackingProgram) -> Proposal:
        return Proposal(0.0, [0.0] * len(program._form.right_sides))

    def at_random(program: PackingProgram) -> Proposal:
        rows = len(program._form.right_sides)
        return Proposal(
            dice.uniform(0, 9), [dice.choice([0.0, dice.random()]) for _ in range(rows)]
        )

    def without_measure(program: PackingProgram) -> Proposal:
        values = [float("inf"), float("nan"), 1e308, 5e-324, 0.0]
        return Proposal(
            dice.choice(values), [dice.choice(values) for _ in program._form.right_sides]
        )

    def too_sure(program: PackingProgram) -> Proposal:
        return Proposal(1e9, [1.0] * len(program._form.right_sides))

    return {
        "silent": silent,
        "zeros": zeros,
        "at_random": at_random,
        "without_measure": without_measure,
        "too_sure": too_sure,
    }
