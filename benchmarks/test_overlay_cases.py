"""Proofs by cases that no overlay within the degrees is faster.

Why these instances: the 3-PARTITION machine without a partition, where degrees and bandwidths
alone decide and every receiver is like every other; machines on which the counting bound is
missed, found at random, with named nodes and cuts where a chain from the source has to be
followed (n = 5, 7), and without (n = 7, 8); the largest, by places, has as many cases as any seen.
All optima are known from a search over the supports.
"""

from __future__ import annotations

import io
from fractions import Fraction

import pytest
from conftest import TIMER, best_of

from exactsched.certificate.overlay import Overlay
from exactsched.check.linear_programs.vipr import check_vipr
from exactsched.check.overlay.case_proof import bound_of
from exactsched.model.machine import MultiPort
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.vipr import write_vipr

pytestmark = pytest.mark.benchmark(timer=TIMER)

NO_PARTITION = MultiPort([40, 40, 14, 14, 14, 14, 13, 11, 0], [4, 4, 1, 1, 1, 1, 1, 1, 0])
MACHINES = {
    "3-PARTITION, p = 2": (NO_PARTITION, Fraction(79, 4)),
    "places, n = 7": (
        MultiPort([28, 20, 27, 33, 25, 37, 23, 35], [2, 1, 1, 2, 1, 2, 0, 0]),
        Fraction(70, 3),
    ),
    "places, n = 8": (
        MultiPort([24, 11, 20, 17, 39, 14, 39, 3, 38], [2, 0, 0, 0, 1, 1, 1, 1, 3]),
        Fraction(38, 3),
    ),
    "nodes, n = 5": (MultiPort([19, 10, 35, 13, 18, 20], [1, 1, 1, 1, 1, 1]), 13),
    "nodes, n = 7, few chains": (
        MultiPort([25, 22, 21, 24, 9, 25, 25, 30], [1, 1, 2, 1, 1, 2, 1, 1]),
        24,
    ),
    "nodes, n = 7, many chains": (
        MultiPort([27, 32, 14, 17, 28, 20, 27, 33], [1, 2, 1, 1, 1, 1, 1, 1]),
        Fraction(49, 2),
    ),
}


@pytest.mark.parametrize("name", MACHINES)
def test_proof(benchmark, name):
    """Our proof and its check; the same proof as a VIPR certificate, and the check of that."""
    machine, bound = MACHINES[name]
    proof = benchmark.pedantic(prove_by_cases, (machine, bound), rounds=1)
    assert proof is not None
    assert bound_of(machine, proof) == bound
    file = io.StringIO()
    write_vipr(Overlay(machine, "any", 1, (), 0, bound, (proof,), False), file)
    claims = []
    vipr = best_of(1, lambda: claims.append(check_vipr(file.getvalue())))
    assert claims[0].upper == bound
    checking = best_of(3, lambda: bound_of(machine, proof))
    benchmark.extra_info.update(
        leaves=len(proof.leaves),
        cuts=len(proof.cuts),
        factors=sum(len(factors) for _, factors in proof.leaves),
        places=bool(proof.places),
        check_seconds=round(checking, 4),
        check_to_find=round(checking / benchmark.stats.stats.min, 3),
        vipr_check_seconds=round(vipr, 3),
        vipr_derivations=claims[0].derivations,
        vipr_bytes=len(file.getvalue()),
    )
