"""The auditor: re-reads a certificate from the definitions and returns what it has proved.

It shares no code with any solver: it imports the standard library and the records (exact, model,
certificate), nothing else.  The documents it believes are specified in
`proofs/certificate-format.md`, `proofs/min-max-certificates.md`, `proofs/logp-certificates.md`,
`proofs/overlay-certificates.md` and `proofs/rounds-certificates.md`.

    import exactsched.check             # the module ...
    exactsched.check("broadcast.json")  # ... can be called
    python -m exactsched.check FILE...
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import is_dataclass
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, overload

from exactsched.certificate import parse, parse_schedule, read_certificate, to_document
from exactsched.check.proved import (
    Claim,
    ProvedLogP,
    ProvedMinMax,
    ProvedOverlay,
    ProvedRounds,
    ProvedRun,
    ProvedSeries,
)

if TYPE_CHECKING:
    from exactsched.certificate.graphs import GraphCertificate
    from exactsched.certificate.linear_programs import LinearOutcome
    from exactsched.certificate.logp import LogPCertificate
    from exactsched.certificate.nouns import (
        CollectiveRun,
        CollectiveSeries,
        RunCertificate,
        SeriesCertificate,
    )
    from exactsched.certificate.overlay import Overlay
    from exactsched.certificate.synchronous import SynchronousRun
    from exactsched.check.one_side import judge_bound as judge_bound
    from exactsched.check.one_side import judge_schedule as judge_schedule

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

# The function that checks the record of a kind: its module in this package, its name.
CHECKS: Final = {
    "series": ("collectives.certificates", "series"),
    "run": ("collectives.certificates", "run"),
    "maximum-flow": ("graphs.flow", "maximum_flow"),
    "minimum-root-cut": ("graphs.flow", "minimum_root_cut"),
    "branching-packing": ("graphs.branching", "branching_packing"),
    "unmet-demand": ("graphs.branching", "unmet_demand"),
    "concurrent-branching-packing": ("graphs.branching", "concurrent_branching_packing"),
    "arborescence-decomposition": ("graphs.branching", "arborescence_decomposition"),
    "minimum-cost-arborescence": ("graphs.branching", "minimum_cost_arborescence"),
    "edge-coloring": ("graphs.matching", "edge_coloring"),
    "matching-decomposition": ("graphs.matching", "matching_decomposition"),
    "fractional-edge-coloring": ("graphs.matching", "fractional_edge_coloring"),
    "linear-optimum": ("linear_programs.linear_program", "linear_optimum"),
    "linear-infeasibility": ("linear_programs.linear_program", "linear_infeasibility"),
    "linear-unboundedness": ("linear_programs.linear_program", "linear_unboundedness"),
    "logp-schedule": ("logp.schedule", "logp_schedule"),
    "logp-cycles": ("logp.cycles", "logp_cycles"),
    "logp-rounds": ("logp.rounds", "logp_rounds"),
    "logp-buffered": ("logp.buffered", "logp_buffered"),
    "overlay": ("overlay.overlay", "overlay"),
    "rounds": ("synchronous.rounds", "steps"),
}


@overload
def check(certificate: SeriesCertificate | CollectiveSeries) -> ProvedSeries: ...
@overload
def check(certificate: RunCertificate | CollectiveRun) -> ProvedRun: ...
@overload
def check(certificate: GraphCertificate | LinearOutcome) -> ProvedMinMax: ...
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

    `certificate` is a path, a document (the `dict` of `read_certificate`), or a record, which is
    written out and read again so that nothing is believed that a file would not say.  The
    numbers of the result are worked out here and only then compared with the claim.

    Raises `Malformed` for what is not a certificate (`InvalidInput` for a file that cannot be
    read), `Rejected`, with place, value and rule, for one that does not prove what it claims.

    >>> from exactsched.certificate.graphs import EdgeColoring
    >>> print(check(EdgeColoring(((0, 0), (1, 0)), (1, 1), ((1, (0,)), (1, (1,))), 2)))
    2 colors proved optimal: coloring and largest degree agree (2 edges)
    """
    document = _document(certificate)
    stated = parse(document)
    proved: AnyProved = _check_of(document["kind"])(stated)
    return proved


def check_schedule(certificate: object) -> ProvedSeries | ProvedRun:
    """As `check`, for those who have to do with schedules only: other kinds are `Malformed`."""
    document = _document(certificate)
    stated = parse_schedule(document)
    proved: ProvedSeries | ProvedRun = _check_of(document["kind"])(stated)
    return proved


def _document(certificate: object) -> Any:
    if isinstance(certificate, (str, os.PathLike)):
        return read_certificate(certificate)
    return to_document(certificate) if is_dataclass(certificate) else certificate


def _check_of(kind: str) -> Callable[[Any], Any]:
    module, name = CHECKS[kind]
    found: Callable[[Any], Any] = getattr(import_module(f"exactsched.check.{module}"), name)
    return found


def __getattr__(name: str) -> object:
    if name in ("judge_bound", "judge_schedule"):
        return getattr(import_module("exactsched.check.one_side"), name)
    raise AttributeError(f"module 'exactsched.check' has no attribute {name!r}")


class _CallableModule(ModuleType):
    def __call__(self, certificate: object) -> AnyProved:
        return check(certificate)


# `import exactsched.check` makes Python bind this module to the name `check` of the package, over
# the public function of that name: only a module that can be called serves as both.  Python allows
# a module to change its class for such uses (data model, "Customizing module attribute access").
sys.modules[__name__].__class__ = _CallableModule
