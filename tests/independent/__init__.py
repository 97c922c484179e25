"""A second checker, written from the pages on certificates alone.

It imports nothing of the package. One module for each page: `collectives` (certificate-format),
`min_max`, `logp` with `logp_bounds`, `overlay` and `rounds`. It is slow: a rule of a page is a line
or a function here, so some hostile files take it too long (`TOO_LONG` in test_agreement). `fuzz`
compares it with the checker of the package.
"""

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.independent import collectives, logp, min_max, overlay, rounds
from tests.independent.document import Malformed, Rejected, WrongClaim, parse, structure

CHECKS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    **collectives.CHECKS,
    **min_max.CHECKS,
    **logp.CHECKS,
    **overlay.CHECKS,
    **rounds.CHECKS,
}


class Verdict(NamedTuple):
    """`accepted`, `rejected` or `malformed`; the numbers that an accepted document proves."""

    word: str
    values: dict[str, Any]
    reason: str = ""
    computed: tuple[str, Any] | None = None  # a member with a wrong claim, and what it should be


def verdict(content: bytes | str) -> Verdict:
    """What the pages say about a file, or about its text."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # The format allows numbers of 200,000 digits.
    try:
        document = parse(content)
        structure(document.pop("format", None) == "exactsched", "not the format")
        version = document.pop("version", None)
        structure(type(version) is int and version == 2, "not version 2")
        kind = document.pop("kind", None)
        structure(isinstance(kind, str) and kind in CHECKS, "unknown kind")
        return Verdict("accepted", CHECKS[kind](document))
    except Malformed as refusal:
        return Verdict("malformed", {}, str(refusal))
    except WrongClaim as refusal:
        return Verdict("rejected", {}, str(refusal), (refusal.member, refusal.computed))
    except Rejected as refusal:
        return Verdict("rejected", {}, str(refusal))
    finally:
        sys.set_int_max_str_digits(digits)
