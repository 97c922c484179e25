"""Every public function says how it works: an example, its errors, its complexity, a reference."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import exactsched

# What a docstring has to say, and how one sees that it does.
SAYS = {
    "an example": r">>> ",
    "errors": r"\braises?\s|errors?: |\brefuse[sd]?\s|no errors",
    "complexity": r"\bO\(|NP-hard|polynomial|exponential|operations|linear in|comparisons"
    r"|takes? (?:time|as long)|linear time|amount of work|complexity",
    "a reference": r"proofs/[\w-]+|\b(?:1[89]|20)\d\d\b|RR-487[12]|Schrijver",
}


def _functions() -> dict[str, Callable[..., Any]]:
    found = {name: getattr(exactsched, name) for name in exactsched.__all__}
    found["check"] = exactsched.check.check
    return {name: one for name, one in found.items() if inspect.isfunction(one)}


@pytest.mark.parametrize("what", SAYS)
def test_every_public_function_says(what: str) -> None:
    silent = [
        name
        for name, function in _functions().items()
        if not re.search(SAYS[what], inspect.getdoc(function) or "", re.I)
    ]
    assert not silent, f"without {what}: {', '.join(silent)}"
