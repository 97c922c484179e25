"""Series that are stated in a few words: the proved checkers about their schedules, written out.

That needs no trust: the statements say that a schedule exists, and the problem and the claims are
read from the document as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactsched.certificate.by_symmetry import SeriesBySymmetry
from exactsched.certificate.collectives import Series
from exactsched.certificate.compact_series import CompactSeries
from exactsched.certificate.documents import to_document
from exactsched.exact.errors import InvalidInput, Rejected
from exactsched.kernel import series
from exactsched.kernel.limits import afford_translation
from exactsched.kernel.problems import with_demands
from exactsched.kernel.proved import NotCovered, ProvedByKernel


def check(document: dict[str, Any], stated: CompactSeries) -> ProvedByKernel:
    """What is proved about the series.  Raises `Rejected` and `NotCovered`."""
    return replace(series.check(*_written_out(document, stated)), kind=document["kind"])


def theorem(document: dict[str, Any], stated: CompactSeries) -> str:
    """The claims of `check` as theorems about the problem, with their proofs."""
    return series.theorem(*_written_out(document, stated))


def tokens(document: dict[str, Any], stated: CompactSeries) -> str:
    """What the OCaml program reads of the ordinary series."""
    return series.tokens(*_written_out(document, stated))


def _written_out(document: dict[str, Any], stated: CompactSeries) -> tuple[dict[str, Any], Series]:
    if stated.long:
        refused = stated.too_long()
        raise NotCovered(refused.place, refused.value, refused.rule)
    try:
        afford_translation(4 * stated.tasks, document, "kind")
    except NotCovered as error:
        rule = f"{error.rule}; the series that `written_out()` makes is larger, and may take more"
        raise NotCovered(error.place, error.value, rule) from None
    try:
        ordinary = stated.written_out()
    except InvalidInput as error:
        raise Rejected(error.place, error.value, error.rule) from None
    asked = {name: document[name] for name in ("problem", "throughput", "bound", "optimal")}
    if isinstance(stated, SeriesBySymmetry):
        asked["problem"] = with_demands(document["problem"])
    return to_document(ordinary) | asked, ordinary
