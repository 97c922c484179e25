"""Instances as JSON, so that a counterexample can be run again from its file alone."""

from __future__ import annotations

from typing import Any

from exactsched.certificate.codec import read, write


def instance_document(instance: Any) -> dict[str, Any]:
    """The JSON object of an instance; `read_instance` is its inverse.

    >>> from exactsched.instances.graphs import Digraph
    >>> instance_document(Digraph(2, ((0, 1),), (3,)))
    {'size': 2, 'arcs': [[0, 1]], 'numbers': [3]}
    """
    document: dict[str, Any] = write(type(instance), instance)
    return document


def read_instance(kind: type, document: object, place: str = "instance") -> Any:
    """The instance of this type that a JSON object states.

    Raises `Malformed` for a member that is missing, unknown or of another type, and for what the
    type itself refuses.

    >>> from exactsched.model.machine import LogP
    >>> read_instance(LogP, {"L": "5/2", "o": 0, "g": 1, "P": 4})
    LogP(L='5/2', o=0, g=1, P=4)
    """
    return read(kind, document, place)
