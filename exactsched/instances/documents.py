"""Instances as JSON, so that a counterexample can be run again from its file alone."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

from exactsched.certificate.codec import read, write
from exactsched.certificate.elements import read_members
from exactsched.certificate.problems import read_problem
from exactsched.certificate.writing import problem_document
from exactsched.exact.errors import InvalidInput, Malformed
from exactsched.model.problem import Alltoall, Broadcast, Reduction

_PROBLEMS = (Broadcast, Alltoall, Reduction)


def instance_document(instance: Any) -> dict[str, Any]:
    """The JSON object of an instance; `read_instance` is its inverse.

    >>> from exactsched.instances.graphs import Digraph
    >>> instance_document(Digraph(2, ((0, 1),), (3,)))
    {'size': 2, 'arcs': [[0, 1]], 'numbers': [3]}
    """
    if isinstance(instance, _PROBLEMS):
        return problem_document(instance)
    written = {}
    for name, kind in _types(type(instance)).items():
        value = getattr(instance, name)
        problem = isinstance(value, _PROBLEMS)
        written[name] = problem_document(value) if problem else write(kind, value)
    return written


def read_instance(kind: type, document: object, place: str = "instance") -> Any:
    """The instance of this type that a JSON object states.

    Raises `Malformed` for a member that is missing, unknown or of another type, and for what the
    type itself refuses.

    >>> from exactsched.model.machine import LogP
    >>> read_instance(LogP, {"L": "5/2", "o": 0, "g": 1, "P": 4})
    LogP(L=Fraction(5, 2), o=Fraction(0, 1), g=Fraction(1, 1), P=4)
    """
    if kind in _PROBLEMS:
        problem, _ = read_problem(document, counted=False)
        if not isinstance(problem, kind):
            raise Malformed(place, type(problem).__name__, f"a {kind.__name__} is needed here")
        return problem
    types = _types(kind)
    members = read_members(document, place, tuple(types))
    values = {}
    for name, stated in types.items():
        at = f"{place}.{name}"
        if stated in _PROBLEMS:
            values[name] = read_instance(stated, members[name], at)
        else:
            values[name] = read(stated, members[name], at)
    try:
        return kind(**values)
    except Malformed:
        raise
    except InvalidInput as error:
        raise Malformed(f"{place}.{error.place}", error.value, error.rule) from None


def _types(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
