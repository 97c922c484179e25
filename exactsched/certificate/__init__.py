"""Certificates: what was asked, a schedule that does it, a proof that none does better.

Or both sides of a classical min-max theorem, a schedule of a LogP machine, an overlay, a run in
steps.  `proofs/certificate-format.md` defines the documents; the modules of this package have the
records by family, and one codec between the two.  Here is decided whether a document *is* a
certificate; whether the certificate *proves* anything is decided by `exactsched.check` alone.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactsched.certificate.documents import parse as parse
    from exactsched.certificate.documents import parse_schedule as parse_schedule
    from exactsched.certificate.documents import to_document as to_document
    from exactsched.certificate.files import read as read
    from exactsched.certificate.files import read_certificate as read_certificate
    from exactsched.certificate.files import write_certificate as write_certificate

# Loaded when first used: a kernel needs the records of its own family only.
_HOME = {
    "parse": "documents",
    "parse_schedule": "documents",
    "read": "files",
    "read_certificate": "files",
    "to_document": "documents",
    "write_certificate": "files",
}

__all__ = [
    "parse",
    "parse_schedule",
    "read",
    "read_certificate",
    "to_document",
    "write_certificate",
]


def __getattr__(name: str) -> object:
    if name in _HOME:
        return getattr(import_module(f"exactsched.certificate.{_HOME[name]}"), name)
    raise AttributeError(f"module 'exactsched.certificate' has no attribute {name!r}")
