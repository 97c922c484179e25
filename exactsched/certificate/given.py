"""What callers hand over as a certificate: a path, a document, a record, or another result."""

from __future__ import annotations

import os
from collections.abc import Callable

from exactsched.certificate.budget import written_size
from exactsched.certificate.files import read_certificate, read_with_size
from exactsched.certificate.result import Result


def document_of(given: object) -> tuple[object, Callable[[], int]]:
    """The document, and the function that tells its size: that of its file, if it has one.

    Records and other results are written out, so that nothing counts that a file would not say.
    """
    if isinstance(given, (str, os.PathLike)):
        read, size = read_with_size(given)
        return read, lambda: size
    document = given.certificate() if isinstance(given, Result) else given
    return document, lambda: written_size(document)


def record_or_document(given: object) -> object:
    """The same for those who believe records: that of a result, otherwise a document."""
    if isinstance(given, (str, os.PathLike)):
        return read_certificate(given)
    return given.record() if isinstance(given, Result) else given
