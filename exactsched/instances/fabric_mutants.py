"""Certificates of collectives over nodes that only forward, which may be false: seeded changes."""

from __future__ import annotations

from dataclasses import dataclass

from exactsched.instances.choices import Choices
from exactsched.instances.instance_type import Instances
from exactsched.instances.mixes import MIXES
from exactsched.instances.mutants import Seeds, mutants_of
from exactsched.instances.switches import (
    GATHERED,
    SUMS_EVERYWHERE,
    allreduce,
    multicast,
    reduce_scatter,
)
from exactsched.model.problem import Allgather, Combination


@dataclass(frozen=True, slots=True)
class AllgatherMutants:
    """Changes of a certificate about allgathers, each by its seed."""

    problem: Allgather
    seeds: Seeds


@dataclass(frozen=True, slots=True)
class CombinationMutants:
    """Changes of a certificate about sums, messages to some or mixes, each by its seed."""

    problem: Combination
    seeds: Seeds


def _combination(choices: Choices, bound: int) -> Combination:
    if choices.flip(3):
        return reduce_scatter(choices, bound + 1)
    return choices.one_of((allreduce, multicast))(choices, bound)


SUMS = Instances(Combination, _combination, SUMS_EVERYWHERE.bounds)
GATHERED_MUTANTS = mutants_of(AllgatherMutants, GATHERED, 4, 4, 5)
MIX_MUTANTS = mutants_of(CombinationMutants, MIXES, 4, 4, 4)
COMBINATION_MUTANTS = mutants_of(CombinationMutants, SUMS, 3, 3, 4)
