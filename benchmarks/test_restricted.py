"""The best tree and the best DAG.

Instances where nothing but cases closes the gap, to the certificate.

Why these instances: on equal relays a tree is an assignment of jobs to machines (3-PARTITION), and
no price tells the relays apart; on a ring of relays the best packing goes around, and each of its
cycles is a split.  Random costs of three digits are what users have: there rounding does not help;
of six seeds the hardest is measured.  We lose on many relays with few jobs each: the cases of equal
relays are searched once for each relay, where an assignment solver needs milliseconds.

Columns: subproblems split, linear programs, arborescences priced, cases of the proof.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest
from conftest import TIMER, checked, timed

import exactsched
from exactsched.certificate.bounds import SplitOnCycle, SplitOnNode
from exactsched.instances.broadcasts import Relays
from exactsched.model.platform import Platform
from exactsched.steady_state.restricted.best_dag import broadcast_dag
from exactsched.steady_state.restricted.best_tree import broadcast_tree
from exactsched.steady_state.solution import Solution

pytestmark = pytest.mark.benchmark(timer=TIMER)


def relays(count: int, jobs: int) -> Platform:
    """Relays that take the same time for a job, a prime from 53 on."""
    primes = [p for p in range(53, 200) if all(p % q for q in range(2, 15))]
    return Relays((tuple(primes[:jobs]),) * count).broadcast().platform


def ring(size: int) -> Platform:
    """A ring of relays of which each can pass on a little less than it receives."""
    arcs: list[tuple[int, int, Fraction]] = [(0, relay, Fraction(1)) for relay in range(1, size)]
    for relay in range(1, size):
        arcs.append((relay, relay % (size - 1) + 1, 1 + Fraction(relay % 4 + 1, 4 * (size - 2))))
    return Platform(range(size), arcs)


def three_digits(size: int, count: int, seed: int) -> Platform:
    """Random arcs with costs of three digits."""
    dice = random.Random(seed)
    arcs = dice.sample(list(permutations(range(size), 2)), count)
    return Platform(range(size), [(*pair, dice.randint(100, 999)) for pair in arcs])


INSTANCES: dict[str, tuple[Callable[..., Solution], Platform]] = {
    "tree, 2 relays, 7 jobs": (broadcast_tree, relays(2, 7)),
    "tree, 3 relays, 7 jobs": (broadcast_tree, relays(3, 7)),
    "tree, 3 relays, 10 jobs": (broadcast_tree, relays(3, 10)),
    "tree, 10 nodes, 90 arcs, three digits": (broadcast_tree, three_digits(10, 90, 6)),
    "tree, 20 nodes, 120 arcs, three digits": (broadcast_tree, three_digits(20, 120, 5)),
    "DAG, ring of 4": (broadcast_dag, ring(5)),
    "DAG, ring of 6": (broadcast_dag, ring(7)),
    "DAG, ring of 8": (broadcast_dag, ring(9)),
    "DAG, 6 nodes, 30 arcs, three digits": (broadcast_dag, three_digits(6, 30, 5)),
    "DAG, 8 nodes, 48 arcs, three digits": (broadcast_dag, three_digits(8, 48, 6)),
}


def cases(proof: object) -> int:
    """How many cases a proof has that are not split further."""
    if isinstance(proof, SplitOnNode | SplitOnCycle):
        return sum(cases(case.proof) for case in proof.cases)
    return 1


@pytest.mark.parametrize("name", INSTANCES)
def test_restricted(benchmark, name: str) -> None:  # type: ignore[no-untyped-def]
    solve, platform = INSTANCES[name]
    found = benchmark.pedantic(solve, (platform, 0), rounds=3)
    certificate, planned = timed(found.certificate)
    assert exactsched.check(certificate).optimal
    benchmark.extra_info.update(
        {
            "1 / throughput": str(1 / Fraction(found.throughput)),
            "rounds": found.rounds,
            "priced": found.priced,
            "cases of the proof": cases(found.proof),
            **checked(benchmark, certificate, planned),
        }
    )
