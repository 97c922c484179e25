"""The auditor: re-reads a certificate from the definitions and returns what it has proved.

It shares no code with any solver: it imports the standard library and the nouns (errors,
rational, platform, problem, certificate), nothing else.  The documents it believes are specified
in `proofs/certificate-format.md`, `proofs/min-max-certificates.md`,
`proofs/logp-certificates.md`, `proofs/overlay-certificates.md` and `proofs/rounds-certificates.md`.

    import exactsched.check             # the module ...
    exactsched.check("broadcast.json")  # ... can be called
    python -m exactsched.check FILE...
"""

from __future__ import annotations

import os
import sys
from types import ModuleType
from typing import overload

from exactsched.certificate import (
    Certificate,
    CollectiveRun,
    CollectiveSeries,
    RunCertificate,
    SeriesCertificate,
    parse,
    parse_schedule,
    read_certificate,
    to_document,
)
from exactsched.certificate.logp import (
    LogPBuffered,
    LogPCertificate,
    LogPCycles,
    LogPRounds,
    LogPSchedule,
)
from exactsched.certificate.minmax import (
    ArborescenceDecomposition,
    BranchingPacking,
    ConcurrentBranchingPacking,
    EdgeColoring,
    FractionalEdgeColoring,
    LinearInfeasibility,
    LinearOptimum,
    LinearUnboundedness,
    MatchingDecomposition,
    MaximumFlow,
    MinimumCostArborescence,
    MinimumRootCut,
    MinMax,
    UnmetDemand,
)
from exactsched.certificate.overlay import Overlay
from exactsched.certificate.synchronous import SynchronousRun
from exactsched.check.collectives import (
    broadcast_run as run,
)
from exactsched.check.collectives import (
    broadcast_schedule as schedule,
)
from exactsched.check.collectives import (
    cuts as bound,
)
from exactsched.check.collectives import (
    potentials,
)
from exactsched.check.collectives import (
    run as collective_run,
)
from exactsched.check.collectives import (
    schedule as collective_schedule,
)
from exactsched.check.graphs import branching, flow, matching
from exactsched.check.linear_programs import linear_program
from exactsched.check.logp import (
    buffered as logp_buffered,
)
from exactsched.check.logp import (
    cycles as logp_cycles,
)
from exactsched.check.logp import (
    rounds as logp_rounds,
)
from exactsched.check.logp import (
    schedule as logp_schedule,
)
from exactsched.check.one_side import judge_bound, judge_schedule
from exactsched.check.overlay import overlay
from exactsched.check.proved import (
    Claim,
    ProvedLogP,
    ProvedMinMax,
    ProvedOverlay,
    ProvedRounds,
    ProvedRun,
    ProvedSeries,
    shown,
)
from exactsched.check.synchronous import rounds as steps
from exactsched.exact.errors import Rejected

__all__ = [
    "Claim",
    "ProvedLogP",
    "ProvedMinMax",
    "ProvedOverlay",
    "ProvedRounds",
    "ProvedRun",
    "ProvedSeries",
    "check",
    "check_schedule",
    "judge_bound",
    "judge_schedule",
]


AnyProved = ProvedSeries | ProvedRun | ProvedMinMax | ProvedLogP | ProvedOverlay | ProvedRounds


@overload
def check(certificate: SeriesCertificate | CollectiveSeries) -> ProvedSeries: ...
@overload
def check(certificate: RunCertificate | CollectiveRun) -> ProvedRun: ...
@overload
def check(certificate: MinMax) -> ProvedMinMax: ...
@overload
def check(certificate: LogPCertificate) -> ProvedLogP: ...
@overload
def check(certificate: Overlay) -> ProvedOverlay: ...
@overload
def check(certificate: SynchronousRun) -> ProvedRounds: ...
@overload
def check(certificate: object) -> AnyProved: ...
def check(certificate: object) -> AnyProved:
    """What a certificate proves, recomputed from its problem and its witnesses.

    `certificate` is a path, a document (the `dict` of `read_certificate`), or a noun, which is
    written out and read again so that nothing is believed that a file would not say.  The
    numbers of the result are worked out here and only then compared with the claim.

    Raises `Malformed` for what is not a certificate (`InvalidInput` for a file that cannot be
    read), `Rejected`, with place, value and rule, for one that does not prove what it claims.

    >>> from fractions import Fraction
    >>> from exactsched.certificate import CutBound, PeriodicSchedule, WeightedTree
    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> two = Fraction(2)
    >>> schedule = PeriodicSchedule(two, two, (WeightedTree(1, (0,)),), ((0, 0, 1),), True)
    >>> leaf = CutBound({"send:a": Fraction(1)}, ("b",), ((0, 1, two),))
    >>> asked = Broadcast(Platform(["a", "b"], [("a", "b", 2)]), "a")
    >>> claim = check(SeriesCertificate(asked, 1 / two, 1 / two, True, schedule, leaf))
    >>> claim.throughput, claim.optimal
    (Fraction(1, 2), True)
    >>> print(check(EdgeColoring(((0, 0), (1, 0)), (1, 1), ((1, (0,)), (1, (1,))), 2)))
    2 colors proved optimal: coloring and largest degree agree (2 edges)
    """
    stated = parse(_document(certificate))
    if isinstance(stated, Certificate):
        return _schedule_claim(stated)
    if isinstance(stated, LogPSchedule):
        return logp_schedule.logp_schedule(stated)
    if isinstance(stated, LogPCycles):
        return logp_cycles.logp_cycles(stated)
    if isinstance(stated, LogPBuffered):
        return logp_buffered.logp_buffered(stated)
    if isinstance(stated, LogPRounds):
        return logp_rounds.logp_rounds(stated)
    if isinstance(stated, Overlay):
        return overlay.overlay(stated)
    if isinstance(stated, SynchronousRun):
        return steps.steps(stated)
    return _min_max_claim(stated)


def check_schedule(certificate: object) -> ProvedSeries | ProvedRun:
    """As `check`, for those who have to do with schedules only: other kinds are `Malformed`."""
    return _schedule_claim(parse_schedule(_document(certificate)))


def _document(certificate: object) -> object:
    if isinstance(certificate, (Certificate, MinMax, LogPCertificate, Overlay, SynchronousRun)):
        return to_document(certificate)
    if isinstance(certificate, (str, os.PathLike)):
        return read_certificate(certificate)
    return certificate


def _schedule_claim(stated: Certificate) -> ProvedSeries | ProvedRun:
    proved: ProvedSeries | ProvedRun
    if isinstance(stated, (SeriesCertificate, CollectiveSeries)):
        proved = _series(stated)
    else:
        proved = _run(stated)
    if stated.bound_value != proved.bound:
        rule = f"the bound proves {shown(proved.bound)}"
        raise Rejected("claim.bound", shown(stated.bound_value), rule)
    if stated.optimal != proved.optimal:
        rule = "optimal means that schedule and bound agree, and nothing else"
        raise Rejected("claim.optimal", stated.optimal, rule)
    return proved


def _series(stated: SeriesCertificate | CollectiveSeries) -> ProvedSeries:
    if isinstance(stated, SeriesCertificate):
        throughput = schedule.achieved_throughput(stated.problem, stated.schedule)
        upper = bound.proved_throughput_bound(stated.problem, stated.bound)
    else:
        throughput = collective_schedule.achieved_throughput(stated.problem, stated.schedule)
        upper = potentials.proved_throughput_bound(stated.problem, stated.bound)
    if stated.throughput != throughput:
        rule = f"the schedule reaches {shown(throughput)}"
        raise Rejected("claim.throughput", shown(stated.throughput), rule)
    return ProvedSeries(stated.problem, upper, throughput)


def _run(stated: RunCertificate | CollectiveRun) -> ProvedRun:
    if isinstance(stated, RunCertificate):
        makespan = run.achieved_makespan(stated)
        lower = bound.proved_makespan_bound(stated)
        count = len(stated.packets)
    else:
        makespan = collective_run.achieved_makespan(stated)
        lower = potentials.proved_makespan_bound(stated)
        count = stated.operations
    if stated.makespan != makespan:
        rule = f"the run ends at {shown(makespan)}"
        raise Rejected("claim.makespan", shown(stated.makespan), rule)
    return ProvedRun(stated.problem, lower, makespan, count)


def _min_max_claim(stated: MinMax) -> ProvedMinMax:
    match stated:
        case MaximumFlow():
            return flow.maximum_flow(stated)
        case MinimumRootCut():
            return flow.minimum_root_cut(stated)
        case BranchingPacking():
            return branching.branching_packing(stated)
        case UnmetDemand():
            return branching.unmet_demand(stated)
        case ConcurrentBranchingPacking():
            return branching.concurrent_branching_packing(stated)
        case ArborescenceDecomposition():
            return branching.arborescence_decomposition(stated)
        case MinimumCostArborescence():
            return branching.minimum_cost_arborescence(stated)
        case EdgeColoring():
            return matching.edge_coloring(stated)
        case MatchingDecomposition():
            return matching.matching_decomposition(stated)
        case FractionalEdgeColoring():
            return matching.fractional_edge_coloring(stated)
        case LinearOptimum():
            return linear_program.linear_optimum(stated)
        case LinearInfeasibility():
            return linear_program.linear_infeasibility(stated)
        case LinearUnboundedness():
            return linear_program.linear_unboundedness(stated)


class _CallableModule(ModuleType):
    def __call__(self, certificate: object) -> AnyProved:
        return check(certificate)


# `exactsched.check` is this module as soon as anybody has imported it, and the package's public
# function otherwise: one name for both, so the module itself can be called.  Python allows a
# module to change its class for such uses (data model, "Customizing module attribute access").
sys.modules[__name__].__class__ = _CallableModule
