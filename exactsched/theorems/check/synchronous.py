"""Changed certificates of runs in synchronous rounds."""

from __future__ import annotations

from typing import Any

from exactsched.certificate import parse
from exactsched.instances.mutants import SPREAD_MUTANTS, SpreadMutants
from exactsched.model.platform import Platform
from exactsched.model.problem import Ports
from exactsched.oracles.synchronous import Spread, rounds_fault
from exactsched.steady_state.broadcast import broadcast
from exactsched.synchronous.bounds import occupancy_proof
from exactsched.synchronous.graph import SynchronousGraph
from exactsched.synchronous.saturation import broadcast_in_rounds
from exactsched.theorems.check.mutants import refused_or_true
from exactsched.theorems.claim import Say, claim

PAGE = "rounds-certificates"
_CHECKERS = (
    "exactsched/check/synchronous/rounds.py",
    "exactsched/check/synchronous/bounds.py",
    "exactsched/check/synchronous/branches.py",
)
_JUDGED = "the run played; all runs of fewer steps than the bound, of few transfers"
# Transfers of which all runs are looked at.
_SEARCHED = 8


def _fault(stated: Any) -> str:
    """Bounds of longer runs are not judged."""
    transfers = sum(number for _, number in stated.origins) * (stated.size - 1)
    return "" if transfers > _SEARCHED else rounds_fault(stated)


@claim(
    "check.rounds-mutants",
    number="rounds-certificates, bounds by ports, distances and counting",
    status="new",
    instances=SPREAD_MUTANTS,
    page=PAGE,
    implements=_CHECKERS,
    judged=_JUDGED,
)
def rounds(asked: SpreadMutants, say: Say) -> None:
    """Every change of the certificate of a run in rounds is refused, or it can be played, ends in
    the step that it states, and no run takes fewer steps than its bound.
    """
    problem = asked.problem
    made = broadcast_in_rounds(_graph(problem), problem.packets, problem.ports, effort=0)
    refused_or_true(made, asked.seeds, _fault, say)


@claim(
    "check.occupancy-mutants",
    number="rounds-certificates, bounds by occupancy",
    status="new",
    instances=SPREAD_MUTANTS,
    page=PAGE,
    implements=_CHECKERS,
    judged=_JUDGED,
)
def occupancies(asked: SpreadMutants, say: Say) -> None:
    """Every change of the certificate of a run with a proof by prices of ports is refused, or it
    can be played, ends in the step that it states, and no run takes fewer steps than its bound.
    """
    problem = asked.problem
    ports: Ports = "one-port" if problem.ports == "one-port" else "half-duplex"
    platform = Platform(range(problem.size), problem.arcs)
    steady = broadcast(platform, problem.sources[0], ports=ports)
    proof = occupancy_proof(parse(steady.certificate()))
    made = broadcast_in_rounds(
        _graph(problem), problem.packets, problem.ports, effort=0, occupancy=(proof,)
    )
    refused_or_true(made, asked.seeds, _fault, say)


def _graph(asked: Spread) -> SynchronousGraph:
    return SynchronousGraph(asked.size, asked.arcs, asked.sources, ())
