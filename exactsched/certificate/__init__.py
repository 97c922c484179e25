"""Certificates: what was asked, a schedule that does it, a proof that none does better.

Or both sides of a classical min-max theorem, a schedule of a LogP machine, an overlay, a run in
rounds.  `proofs/certificate-format.md` defines the documents; the modules of this package have the
records by family, `kinds` lists them, and one codec leads from a document to its record (`parse`)
and back (`to_document`).  Here is decided whether a document *is* a certificate; whether the
certificate *proves* anything is decided by `exactsched.check` alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactsched.certificate.files import read_certificate as read_certificate
    from exactsched.certificate.files import write_certificate as write_certificate
    from exactsched.certificate.nouns import Bound as Bound
    from exactsched.certificate.nouns import BroadcastCertificate as BroadcastCertificate
    from exactsched.certificate.nouns import Case as Case
    from exactsched.certificate.nouns import Certificate as Certificate
    from exactsched.certificate.nouns import CollectiveCertificate as CollectiveCertificate
    from exactsched.certificate.nouns import CollectiveRun as CollectiveRun
    from exactsched.certificate.nouns import CollectiveSchedule as CollectiveSchedule
    from exactsched.certificate.nouns import CollectiveSeries as CollectiveSeries
    from exactsched.certificate.nouns import CutBound as CutBound
    from exactsched.certificate.nouns import DistanceBound as DistanceBound
    from exactsched.certificate.nouns import PeriodicSchedule as PeriodicSchedule
    from exactsched.certificate.nouns import PotentialBound as PotentialBound
    from exactsched.certificate.nouns import RunCertificate as RunCertificate
    from exactsched.certificate.nouns import SeriesCertificate as SeriesCertificate
    from exactsched.certificate.nouns import SplitOnCycle as SplitOnCycle
    from exactsched.certificate.nouns import SplitOnNode as SplitOnNode
    from exactsched.certificate.nouns import Task as Task
    from exactsched.certificate.nouns import WeightedRoute as WeightedRoute
    from exactsched.certificate.nouns import WeightedScheme as WeightedScheme
    from exactsched.certificate.nouns import WeightedTree as WeightedTree
    from exactsched.certificate.nouns import arc_resources as arc_resources
    from exactsched.certificate.nouns import place_resources as place_resources
    from exactsched.certificate.nouns import resources as resources
    from exactsched.certificate.reading import parse as parse
    from exactsched.certificate.reading import parse_schedule as parse_schedule
    from exactsched.certificate.writing import to_document as to_document

# Loaded when first used: a kernel needs the records of its own family only.
_HOME = {
    "parse": "reading",
    "parse_schedule": "reading",
    "read_certificate": "files",
    "to_document": "writing",
    "write_certificate": "files",
    **dict.fromkeys(
        (
            "Bound",
            "BroadcastCertificate",
            "Case",
            "Certificate",
            "CollectiveCertificate",
            "CollectiveRun",
            "CollectiveSchedule",
            "CollectiveSeries",
            "CutBound",
            "DistanceBound",
            "PeriodicSchedule",
            "PotentialBound",
            "RunCertificate",
            "SeriesCertificate",
            "SplitOnCycle",
            "SplitOnNode",
            "Task",
            "WeightedRoute",
            "WeightedScheme",
            "WeightedTree",
            "arc_resources",
            "place_resources",
            "resources",
        ),
        "nouns",
    ),
}


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(f"exactsched.certificate.{_HOME[name]}"), name)
    raise AttributeError(f"module 'exactsched.certificate' has no attribute {name!r}")
