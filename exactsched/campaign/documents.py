"""The beginning of the documents of campaigns: their format, kind and version."""

from __future__ import annotations

from typing import Any

from exactsched.certificate.elements import read_members
from exactsched.certificate.limits import FORMAT, VERSION
from exactsched.exact.errors import Malformed


def head(kind: str) -> dict[str, Any]:
    """What a document of this kind begins with."""
    return {"format": FORMAT, "kind": kind, "version": VERSION}


def read_headed(document: object, kind: str, names: tuple[str, ...]) -> dict[str, Any]:
    """The members of these names in a document that begins with the `head` of its kind."""
    expected = head(kind)
    members = read_members(document, kind, (*expected, *names))
    for name, value in expected.items():
        if members[name] != value:
            raise Malformed(name, members[name], f"a {kind} has {value!r} here")
    return {name: members[name] for name in names}
