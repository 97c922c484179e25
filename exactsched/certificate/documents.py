"""From the document of a certificate to its record, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactsched.certificate.codec import read_record, write
from exactsched.certificate.collectives import Certificate
from exactsched.certificate.elements import (
    read_choice,
    read_member,
    read_members,
    sketch,
)
from exactsched.certificate.kinds import KINDS, kind_of, record_of
from exactsched.certificate.limits import FORMAT, VERSION
from exactsched.certificate.shapes import member_names
from exactsched.exact.collection import without_collection
from exactsched.exact.errors import Malformed

if TYPE_CHECKING:
    from exactsched.certificate.compact_series import CompactSeries

_SCHEDULES = ("series", "run", "series-around-cycle", "series-by-symmetry")


def parse(document: object) -> Any:
    """The record that a document states, if every part of it has the right structure.

    The document consists of `dict`, `list`, `str`, `int`, `bool` and None, as `read_certificate`
    returns it.  Raises `Malformed`, with a place such as ``schedule.structures[3].operations``.
    Linear time in the size of the document.
    """
    kind = read_choice(read_member(document, "kind"), "kind", tuple(KINDS))
    record = record_of(kind)
    names = ("format", "version", "kind", *member_names(record))
    members = read_members(document, "document", names)
    read_choice(members["format"], "format", (FORMAT,))
    version = members["version"]
    if type(version) is not int or version != VERSION:
        raise Malformed("version", sketch(version), f"only version {VERSION} is known, an integer")
    return read_record(record, members)


def parse_schedule(document: object) -> Certificate | CompactSeries:
    """The document of a schedule as it states it; `Malformed` for every other kind as well."""
    kind = read_choice(read_member(document, "kind"), "kind", tuple(KINDS))
    if kind not in _SCHEDULES:
        raise Malformed("kind", kind, "there is a schedule in a series or a run only")
    stated: Certificate | CompactSeries = parse(document)
    return stated


@without_collection()
def to_document(certificate: Any) -> dict[str, Any]:
    """The document that states a certificate; `parse` is its inverse."""
    record = type(certificate)
    members = write(record, certificate)
    return {"format": FORMAT, "version": VERSION, "kind": kind_of(record), **members}
