"""Allgathers over switches that may send more than they receive: by definition, and played."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from exactsched import Platform, simulate
from exactsched.certificate.bounds import CutBound, ForwardingBound
from exactsched.check import check
from exactsched.instances.choices import Choices, Seeded
from exactsched.instances.switches import allgather as random_allgather
from exactsched.model.problem import Allgather
from exactsched.oracles.collectives import optimal_throughput_by_definition
from exactsched.oracles.switches import forwarded_twice
from exactsched.steady_state.allgather import growing, solve_allgather, tightest_cut


def growing_allgather(choices: Choices, bound: int) -> Allgather | None:
    """A random one, in which arcs out of nodes that only forward are wider; None if none is."""
    asked = random_allgather(choices, bound)
    arcs = []
    for arc in asked.platform.arcs:
        wider = 1 if arc.tail in asked.group else choices.between(1, 3)
        arcs.append((arc.tail, arc.head, arc.cost / wider))
    made = Allgather(Platform(asked.platform.nodes, arcs), asked.shards)
    return made if growing(made) else None


def test_switches_that_could_send_more_than_they_receive() -> None:
    """What trees of paths reach by definition; proofs are accepted, and transfers are played."""
    below = by_cuts = compared = 0
    for seed in range(60):
        problem = growing_allgather(Seeded(f"growing {seed}"), 5)
        if problem is None:
            continue
        solution = solve_allgather(problem)
        assert solution.optimal
        if not solution.structures:
            continue
        assert not any(forwarded_twice(problem, one.tasks) for one in solution.structures)
        proved: Any = check(solution.certificate())
        assert proved.optimal
        if isinstance(solution.proof, ForwardingBound):
            assert solution.throughput < tightest_cut(problem)[0]
            below += 1
        else:
            assert isinstance(solution.proof, CutBound)
            by_cuts += 1
        if len(problem.group) <= 3 and len(problem.platform.arcs) <= 7:
            assert solution.throughput == optimal_throughput_by_definition(problem)
            compared += 1
        simulate(solution.certificate(), 2)
    assert below > 1
    assert by_cuts > 10
    assert compared > 5


@pytest.mark.parametrize("chunks", [1, 3])
def test_in_chunks(chunks: int) -> None:
    fork = Platform("asbc", [("a", "s", 1), ("s", "b", 1), ("s", "c", 1)])
    asked = Allgather(fork, (("a", 1), ("b", 0), ("c", 0)))  # type: ignore[arg-type]
    assert solve_allgather(asked, chunks=chunks).throughput == Fraction(1, 2)
