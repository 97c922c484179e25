"""The answer of a solving command as one JSON object, and with --json=full what was found."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactsched.exact.rational import to_json

if TYPE_CHECKING:
    from exactsched.certificate.result import Result


def print_json(
    members: Mapping[str, Any], result: Result, options: Namespace, indent: int | None = None
) -> None:
    """With --json=full the member `tables` has those of the result: schedule, structures, ..."""
    found = {"tables": _written(result.tables())} if options.json == "full" else {}
    print(json.dumps({**members, **found}, indent=indent))


def _written(value: Any) -> Any:
    """The value in JSON: exact numbers as documents have them, tuples as lists."""
    if isinstance(value, dict):
        return {name: _written(part) for name, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [_written(part) for part in value]
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return to_json(value)
    return value
