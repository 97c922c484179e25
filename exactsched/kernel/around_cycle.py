"""Series of broadcasts around a cycle: the proved checkers about their schedules, written out.

That needs no trust: the statements say that a schedule exists, and the problem and the claims are
read from the document as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactsched.certificate.around_cycle import SeriesAroundCycle
from exactsched.certificate.collectives import Series
from exactsched.certificate.documents import to_document
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.kernel import series
from exactsched.kernel.limits import afford_translation
from exactsched.kernel.proved import NotCovered, ProvedByKernel


def check(document: dict[str, Any], stated: SeriesAroundCycle) -> ProvedByKernel:
    """What is proved about the series.  Raises `Rejected` and `NotCovered`."""
    return replace(series.check(*_written_out(document, stated)), kind=document["kind"])


def theorem(document: dict[str, Any], stated: SeriesAroundCycle) -> str:
    """The claims of `check` as theorems about the problem, with their proofs."""
    return series.theorem(*_written_out(document, stated))


def tokens(document: dict[str, Any], stated: SeriesAroundCycle) -> str:
    """What the OCaml program reads of the ordinary series."""
    return series.tokens(*_written_out(document, stated))


def _written_out(
    document: dict[str, Any], stated: SeriesAroundCycle
) -> tuple[dict[str, Any], Series]:
    size = len(stated.cycle)
    if stated.long:
        raise NotCovered("cycle", size, stated.too_long().rule)
    afford_translation(2 * size * (size - 1), document, "cycle")  # four for each arc of a tree
    try:
        ordinary = stated.written_out()
    except InvalidInput as error:
        raise Rejected(error.place, error.value, error.rule) from None
    asked = {name: document[name] for name in ("problem", "throughput", "bound", "optimal")}
    return to_document(ordinary) | asked, ordinary
