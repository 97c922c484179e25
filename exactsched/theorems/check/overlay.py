"""Changed certificates of overlays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from exactsched.instances.mutants import CASE_MUTANTS, OVERLAY_MUTANTS, OverlayMutants
from exactsched.oracles.overlay import (
    best_throughput,
    count_of_supports,
    overlay_certificate_fault,
    possible_arcs,
)
from exactsched.overlay.bounds import throughput_bound
from exactsched.overlay.cases import prove_by_cases
from exactsched.overlay.rate import best_rates
from exactsched.overlay.sequential import acyclic_overlay
from exactsched.overlay.shares import overlay_of_rates
from exactsched.overlay.tree import best_tree
from exactsched.theorems.check.mutants import refused_or_true
from exactsched.theorems.claim import Say, claim

PAGE = "overlay-certificates"
# Sets of arcs among which the best overlay is looked for.
_SETS_OF_ARCS = 400
_CASES = 400


def _fault(stated: Any) -> str:
    """A proof by cases on a machine with too many sets of arcs is not judged."""
    if stated.proof and count_of_supports(stated.machine) > _SETS_OF_ARCS:
        return ""
    return overlay_certificate_fault(stated)


@claim(
    "check.overlay-mutants",
    number="overlay-certificates, bounds by counting",
    status="new",
    instances=OVERLAY_MUTANTS,
    page=PAGE,
    implements=(
        "exactsched/check/overlay/overlay.py",
        "exactsched/check/overlay/arrivals.py",
        "exactsched/check/overlay/counting.py",
    ),
    judged="every part followed, rates and degrees added up; the bound counted again",
)
def overlays(asked: OverlayMutants, say: Say) -> None:
    """Every change of the certificate of an overlay, whether a tree, acyclic or any, is refused, or
    every part reaches everybody at its rate within the bandwidths, and counting yields its bound.
    """
    machine, kind = asked.problem, asked.seeds[0] % 3
    if kind == 0:
        stated = best_tree(machine)
    elif kind == 1:
        stated = acyclic_overlay(machine)
    else:
        best = best_rates(machine, possible_arcs(machine))
        bound = throughput_bound(machine)
        stated = overlay_of_rates(machine, "any", best.rates, best.throughput, bound)
    refused_or_true(stated, asked.seeds, _fault, say)


@claim(
    "check.case-proof-mutants",
    number="overlay-certificates, proofs by cases",
    status="new",
    instances=CASE_MUTANTS,
    page=PAGE,
    implements=("exactsched/check/overlay/case_proof.py", "exactsched/check/overlay/overlay.py"),
    judged="the best throughput of all sets of arcs within the degrees",
)
def case_proofs(asked: OverlayMutants, say: Say) -> None:
    """Every change of a proof by cases is refused, or no overlay within the degrees has a larger
    throughput than its bound.
    """
    machine = asked.problem
    proof = prove_by_cases(machine, best_throughput(machine), nodes=_CASES)
    if proof is None:
        say.not_applicable("no proof was found")
    shown = acyclic_overlay(machine)
    optimal = shown.optimal and shown.throughput == proof.bound
    stated = replace(
        shown, structure="any", bound=Fraction(proof.bound), proof=(proof,), optimal=optimal
    )
    refused_or_true(stated, asked.seeds, _fault, say)
