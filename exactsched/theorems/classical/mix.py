"""Several collectives at once, each among a group of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from exactsched.instances.mixes import MIXES
from exactsched.model.problem import Combination
from exactsched.oracles.collectives import optimal_throughput_by_definition
from exactsched.steady_state.combination import solve_combination
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.classical.allgather import plays

# On this many nodes at most, all structures of all blocks are tried.
_NODES: Final = 4


@claim(
    "fabrics.mix",
    number="proofs/mix.md",
    status="new",
    instances=MIXES,
    page="mix",
    implements=(
        "exactsched/steady_state/mix.py",
        "exactsched/steady_state/combination.py",
        "exactsched/steady_state/tree_pairs.py",
        "exactsched/steady_state/group_trees.py",
        "exactsched/steady_state/call_paths.py",
    ),
    judged=f"`check`; all structures of all blocks, up to {_NODES} nodes; each block alone; values"
    " sent and added up",
)
def mixes_of_groups(problem: Combination, say: Say) -> None:
    """The largest throughput of a mix in which every block has a group, outside of which nodes only
    forward what is about it, is the largest packing of trees, pairs of trees and paths, each for
    the group of its block. No block alone is slower, and one after the other they are not faster.
    """
    found = solve_combination(problem)
    say(blocks=len(problem.blocks), ports=problem.ports, throughput=found.throughput)
    say.accepts(found)
    say.require(found.optimal, "structures below the bound")
    if len(problem.platform.nodes) <= _NODES:
        best = optimal_throughput_by_definition(problem)
        say.require(found.throughput == best, f"all structures reach {best}")
    alone = [solve_combination(one).throughput for one in _alone(problem)]
    say.require(found.throughput <= min(alone), "faster than one block alone")
    in_turn = 1 / sum((1 / one for one in alone), Fraction(0)) if all(alone) else Fraction(0)
    say.require(in_turn <= found.throughput, "one after the other is faster")
    plays(found, say)


def _alone(problem: Combination) -> Iterator[Combination]:
    """Every block as the only one: its group is that of the problem then."""
    for block in problem.blocks:
        among = problem.members_of(block.group)
        yield replace(problem, blocks=(block._replace(group=None),), among=among, groups=None)
