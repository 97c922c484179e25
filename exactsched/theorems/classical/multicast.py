"""Dreyfus and Wagner: broadcasts to some nodes, exactly for ten targets, else an interval."""

from __future__ import annotations

from typing import Final

from exactsched.certificate.limits import MAX_TARGETS
from exactsched.instances.switches import MESSAGES_TO_SOME
from exactsched.model.problem import Combination
from exactsched.oracles.collectives import optimal_throughput_by_definition
from exactsched.oracles.order_free import most_ways
from exactsched.steady_state.combination import solve_combination
from exactsched.theorems.claim import Say, claim
from exactsched.theorems.classical.allgather import plays

# Trees, of which all are tried.
_WAYS: Final = 10_000


@claim(
    "fabrics.multicast",
    number="after Dreyfus and Wagner, Networks 1 (1971)",
    instances=MESSAGES_TO_SOME,
    page="multicast",
    implements=(
        "exactsched/steady_state/target_trees.py",
        "exactsched/steady_state/tree_pairs.py",
        "exactsched/steady_state/combination.py",
        "exactsched/graphs/steiner_arborescence.py",
    ),
    judged=f"`check`; all trees, up to {_WAYS:,}; messages sent one by one",
)
def messages_to_some(problem: Combination, say: Say) -> None:
    """The largest throughput of a series of broadcasts to some nodes of a group, which the others
    of the group may copy and nodes outside only forward, is the largest packing of trees of paths
    from the source to the targets: up to ten targets trees reach the bound that is given, and for
    more targets it lies between what trees reach and the bound.
    """
    found = solve_combination(problem)
    targets = len(problem.blocks[0].targets)
    say(targets=targets, throughput=found.throughput, bound=found.bound, optimal=found.optimal)
    say.accepts(found)
    say.require(found.optimal or targets > MAX_TARGETS, "trees below the bound")
    if most_ways(problem) <= _WAYS:
        best = optimal_throughput_by_definition(problem)
        reason = f"all trees reach {best}, which is not within the interval"
        say.require(found.throughput <= best <= found.bound, reason)
    plays(found, say)
