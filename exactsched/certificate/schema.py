"""The JSON Schema of all certificates, derived from the types of their records.

    python -m exactsched.certificate.schema          # prints it
    python -m exactsched.certificate.schema --write  # writes exactsched/certificate.schema.json

It accepts a little more than the reader: a schema compares no two members, so the rules in the
`validate` methods of the records are not in it.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from exactsched.certificate.files import text_of
from exactsched.certificate.kinds import KINDS, record_of
from exactsched.certificate.limits import FORMAT, LARGEST_JSON_INTEGER, VERSION
from exactsched.certificate.model_documents import DOCUMENTS
from exactsched.certificate.rules import (
    Count,
    Natural,
    NotNegative,
    NotNegativeFraction,
    Positive,
    PositiveFraction,
    Sign,
)
from exactsched.certificate.shapes import columns, member_names, optional_names
from exactsched.exact.rational import MAX_DIGITS, Rational
from exactsched.model.platform import Node

FILE: Final = Path(__file__).parents[1] / "certificate.schema.json"

_NAMES: Final[dict[Any, str]] = {
    int: "integer",
    Natural: "natural",
    Count: "count",
    Rational: "rational",
    Fraction: "rational",
    NotNegative: "notNegative",
    Positive: "positive",
    NotNegativeFraction: "notNegative",
    PositiveFraction: "positive",
    Node: "node",
}


def _number(digits: str, least: int) -> dict[str, Any]:
    """A small integer, or digits; `least` is the least of the integers."""
    small = {"type": "integer", "minimum": least, "maximum": LARGEST_JSON_INTEGER}
    text = {"type": "string", "pattern": f"^{digits}$", "maxLength": 2 * MAX_DIGITS}
    return {"anyOf": [small, text]}


_ELEMENTS: Final = {
    "integer": _number("-?(0|[1-9][0-9]*)", -LARGEST_JSON_INTEGER),
    "natural": _number("(0|[1-9][0-9]*)", 0),
    "count": _number("[1-9][0-9]*", 1),
    "rational": _number("-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", -LARGEST_JSON_INTEGER),
    "notNegative": _number("(0|[1-9][0-9]*)(/[1-9][0-9]*)?", 0),
    "positive": _number("[1-9][0-9]*(/[1-9][0-9]*)?", 1),
    "node": {
        "anyOf": [
            {"type": "string"},
            {
                "type": "integer",
                "minimum": -LARGEST_JSON_INTEGER,
                "maximum": LARGEST_JSON_INTEGER,
            },
        ]
    },
}


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a certificate of any kind.

    >>> schema()["$defs"]["maximum-flow"]["properties"]["source"]
    {'$ref': '#/$defs/natural'}
    """
    definitions: dict[str, Any] = dict(_ELEMENTS)
    for kind in KINDS:
        record = record_of(kind)
        described = _object(record, definitions)
        described["properties"] = {
            "format": True,
            "version": True,
            "kind": {"const": kind},
            **described["properties"],
        }
        definitions[kind] = described
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:exactsched:certificate:{VERSION}",
        "title": f"{FORMAT} certificate, version {VERSION}",
        "description": "The structure of a certificate, made of the types of its records. "
        "proofs/certificate-format.md says what is checked beyond it.",
        "type": "object",
        "required": ["format", "version", "kind"],
        "properties": {
            "format": {"const": FORMAT},
            "version": {"type": "integer", "const": VERSION},
            "kind": {"enum": [*KINDS]},
        },
        "oneOf": [{"$ref": f"#/$defs/{kind}"} for kind in KINDS],
        "$defs": definitions,
    }


def _object(record: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(record, include_extras=True)
    tag = getattr(record, "TAG", None)
    properties = {} if tag is None else {tag[0]: {"const": tag[1]}}
    for field in fields(record):
        properties[field.name] = _described(hints[field.name], definitions)
    optional = optional_names(record)
    return {
        "type": "object",
        "required": [name for name in member_names(record) if name not in optional],
        "additionalProperties": False,
        "properties": properties,
    }


def _described(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type; records are put among the definitions."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _NAMES:
        return {"$ref": f"#/$defs/{_NAMES[kind]}"}
    if origin is Annotated:
        base, says = parts
        return _described(base if isinstance(says, Sign) else Natural, definitions)
    if kind is str or kind is bool:
        return {"type": "string" if kind is str else "boolean"}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_described(part, definitions) for part in parts]}
    if kind is types.NoneType:
        return {"type": "null"}
    if kind in DOCUMENTS:
        return _described(DOCUMENTS[kind].record, definitions)
    if is_dataclass(kind):
        name = kind.__name__  # type: ignore[union-attr]
        if name not in definitions:
            definitions[name] = {}  # for a record that contains itself
            definitions[name] = _object(kind, definitions)
        return {"$ref": f"#/$defs/{name}"}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _described(parts[1], definitions)}
    if parts[1:] == (...,):
        return {"type": "array", "items": _described(parts[0], definitions)}
    row = columns(kind)
    return {
        "description": f"[{', '.join(row.names)}]",
        "type": "array",
        "prefixItems": [_described(part, definitions) for part in row.types],
        "minItems": row.least,
        "items": False,
    }


def text() -> str:
    """The file of the schema."""
    return text_of(schema())


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(text(), encoding="utf-8")
    else:
        sys.stdout.write(text())
