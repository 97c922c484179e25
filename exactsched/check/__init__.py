"""The auditor: re-reads a certificate from the definitions and returns what it has proved.

It shares no code with any solver: it imports the standard library, `exactsched.exact`, `model` and
`certificate`, nothing else.  The documents it believes are specified in
`proofs/certificate-format.md`, `proofs/min-max-certificates.md`, `proofs/logp-certificates.md`,
`proofs/overlay-certificates.md` and `proofs/rounds-certificates.md`.

    import exactsched.check             # the module ...
    exactsched.check("broadcast.json")  # ... can be called
    python -m exactsched.check FILE...
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

from exactsched.certificate.budget import within, written_size
from exactsched.certificate.documents import parse, parse_schedule, to_document
from exactsched.certificate.given import document_of
from exactsched.certificate.kinds import is_record, kind_of
from exactsched.certificate.restated import restated
from exactsched.certificate.result import Result
from exactsched.check.proved import (
    Proved,
    ProvedLogP,
    ProvedMinMax,
    ProvedOverlay,
    ProvedRounds,
    ProvedRun,
    ProvedSeries,
)
from exactsched.exact.collection import without_collection

if TYPE_CHECKING:
    from exactsched.check.one_side import judge_bound as judge_bound
    from exactsched.check.one_side import judge_schedule as judge_schedule

__all__ = [
    "Proved",
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

# The rule of every kind: its module in this package, its function.
RULES: Final = {
    "series": ("collectives.certificates", "series"),
    "run": ("collectives.certificates", "run"),
    "series-around-cycle": ("collectives.around_cycle", "series_around_cycle"),
    "series-by-symmetry": ("collectives.by_symmetry", "series_by_symmetry"),
    "maximum-flow": ("graphs.flow", "maximum_flow"),
    "minimum-root-cut": ("graphs.flow", "minimum_root_cut"),
    "branching-packing": ("graphs.branching", "branching_packing"),
    "unmet-demand": ("graphs.branching", "unmet_demand"),
    "splitting-off": ("graphs.splitting_off", "splitting_off"),
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


def check(certificate: object, *, kernel: bool = False) -> Any:
    """What a certificate proves, recomputed from its problem and its witnesses.

    `certificate` is a path, a document (the `dict` of `read_certificate`), or a result (a record, a
    solution, a run), of which nothing is believed that a file would not say.  The numbers of the
    result are worked out here and only then compared with what is stated.  It is a
    `ProvedSeries`, `ProvedRun`, `ProvedMinMax`, `ProvedLogP`, `ProvedOverlay` or `ProvedRounds`.

    With `kernel` checkers are asked that are proved in Rocq: see `exactsched.kernel.check`.

    Raises `Malformed` for what is not a certificate (`InvalidInput` for a file that cannot be
    read), `Rejected`, with place, value and rule, for one that does not prove what it states.

    Polynomial in the length of the document. Reference: proofs/certificate-format.md.

    >>> from fractions import Fraction
    >>> from exactsched.certificate.bounds import CutBound
    >>> from exactsched.certificate.collectives import PeriodicSchedule, Series, Structure
    >>> from exactsched.model.platform import Platform
    >>> from exactsched.model.problem import Broadcast
    >>> half, two = Fraction(1, 2), Fraction(2)
    >>> tree = Structure(1, 0, ((0,),))
    >>> schedule = PeriodicSchedule(two, two, (tree,), ((0, 0, 1),), True)
    >>> proof = CutBound({"send:a": Fraction(1)}, ("b",), ((0, 1, two),))
    >>> asked = Broadcast(Platform(["a", "b"], [("a", "b", 2)]), "a")
    >>> proved = check(Series(asked, half, half, True, schedule, proof))
    >>> proved.throughput, proved.optimal
    (Fraction(1, 2), True)
    """
    if kernel:
        from exactsched.kernel import check as proved_by_kernel

        return proved_by_kernel(certificate)
    return _checked(certificate, parse)


def check_schedule(certificate: object) -> ProvedSeries | ProvedRun:
    """As `check`, for those who have to do with schedules only: other kinds are `Malformed`."""
    return cast("ProvedSeries | ProvedRun", _checked(certificate, parse_schedule))


def _checked(certificate: object, parsed: Callable[[object], Any]) -> Any:
    """Within the budget of work of the document."""
    with without_collection():
        return _checked_at_once(certificate, parsed)


def _checked_at_once(certificate: object, parsed: Callable[[object], Any]) -> Any:
    record = certificate.record() if isinstance(certificate, Result) and parsed is parse else None
    if is_record(record):
        with within(lambda: written_size(to_document(record))):
            stated = restated(record)
            if stated is not None:
                return _rule(kind_of(type(stated)))(stated)
    document, size_of = document_of(certificate)
    with within(size_of):
        stated = parsed(document)
        del document  # its parts may take as much memory as those of the record
        return _rule(kind_of(type(stated)))(stated)


def _rule(kind: str) -> Callable[[Any], Any]:
    module, name = RULES[kind]
    return cast("Callable[[Any], Any]", getattr(import_module(f"{__name__}.{module}"), name))


def __getattr__(name: str) -> object:
    if name in ("judge_bound", "judge_schedule"):
        return getattr(import_module(f"{__name__}.one_side"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _CallableModule(ModuleType):
    def __call__(self, certificate: object, *, kernel: bool = False) -> Any:
        return check(certificate, kernel=kernel)


# `import exactsched.check` makes Python bind this module to the name `check` of the package, over
# the public function of that name: only a module that can be called serves as both.  Python allows
# a module to change its class for such uses (data model, "Customizing module attribute access").
sys.modules[__name__].__class__ = _CallableModule
