"""The kinds of certificates: the member `kind` of a document, and the record that it names.

A new kind is one line here; the module of a record is loaded when the first document of its kind
is read.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final

# Where a record is: its module in this package, its class.
KINDS: Final = {
    "series": ("collectives", "Series"),
    "run": ("collectives", "Run"),
    "series-around-cycle": ("around_cycle", "SeriesAroundCycle"),
    "series-by-symmetry": ("by_symmetry", "SeriesBySymmetry"),
    "maximum-flow": ("graphs", "MaximumFlow"),
    "minimum-root-cut": ("graphs", "MinimumRootCut"),
    "branching-packing": ("graphs", "BranchingPacking"),
    "unmet-demand": ("graphs", "UnmetDemand"),
    "splitting-off": ("graphs", "SplittingOff"),
    "concurrent-branching-packing": ("graphs", "ConcurrentBranchingPacking"),
    "arborescence-decomposition": ("graphs", "ArborescenceDecomposition"),
    "minimum-cost-arborescence": ("graphs", "MinimumCostArborescence"),
    "edge-coloring": ("graphs", "EdgeColoring"),
    "matching-decomposition": ("graphs", "MatchingDecomposition"),
    "fractional-edge-coloring": ("graphs", "FractionalEdgeColoring"),
    "linear-optimum": ("linear_programs", "LinearOptimum"),
    "linear-infeasibility": ("linear_programs", "LinearInfeasibility"),
    "linear-unboundedness": ("linear_programs", "LinearUnboundedness"),
    "logp-schedule": ("logp", "LogPSchedule"),
    "logp-cycles": ("logp", "LogPCycles"),
    "logp-rounds": ("logp", "LogPRounds"),
    "logp-buffered": ("logp", "LogPBuffered"),
    "overlay": ("overlay", "Overlay"),
    "rounds": ("synchronous", "SynchronousRun"),
}


@cache
def record_of(kind: str) -> Any:
    """The record of a kind.

    >>> record_of("overlay").__name__
    'Overlay'
    """
    module, name = KINDS[kind]
    return getattr(import_module(f"exactsched.certificate.{module}"), name)


def kind_of(record: type) -> str:
    """The kind of a record; a `KeyError` for what is not the record of a kind.

    >>> kind_of(record_of("overlay"))
    'overlay'
    """
    return _kinds()[record.__module__.rpartition(".")[2], record.__name__]


def is_record(given: object) -> bool:
    """Whether this is the record of a kind.

    >>> is_record(3)
    False
    """
    package, _, module = type(given).__module__.rpartition(".")
    return package == "exactsched.certificate" and (module, type(given).__name__) in _kinds()


@cache
def _kinds() -> dict[tuple[str, str], str]:
    return {where: kind for kind, where in KINDS.items()}
