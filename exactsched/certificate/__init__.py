"""The certificate: what was asked, what is claimed, a schedule that does it, a bound on all others.

Or both sides of a classical min-max theorem (`minmax`).  `proofs/certificate-format.md` and
`proofs/min-max-certificates.md` define the documents; this package turns it into typed nouns
(`parse`), back (`to_document`), and reads and writes files.  It decides whether a document *is*
a certificate; whether the certificate *proves* anything is decided by `exactsched.check` alone.
"""

from exactsched.certificate import to_document
from exactsched.certificate.collectives import (
    Bound,
    BroadcastCertificate,
    Case,
    Certificate,
    CollectiveCertificate,
    CollectiveRun,
    CollectiveSchedule,
    CollectiveSeries,
    CutBound,
    DistanceBound,
    PeriodicSchedule,
    PotentialBound,
    RunCertificate,
    SeriesCertificate,
    SplitOnCycle,
    SplitOnNode,
    WeightedRoute,
    WeightedScheme,
    WeightedTree,
)
from exactsched.certificate.files import read_certificate, write_certificate
from exactsched.certificate.reading import parse, parse_schedule
from exactsched.model.resources import arc_resources, place_resources, resources
from exactsched.model.tasks import Task

__all__ = [
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
    "parse",
    "parse_schedule",
    "place_resources",
    "read_certificate",
    "resources",
    "to_document",
    "write_certificate",
]
