"""What the claims on the checker share: changed certificates are refused, or true all the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from exactsched.certificate import parse, to_document
from exactsched.check import check
from exactsched.exact.errors import Malformed, Rejected
from exactsched.instances.mutants import mutant
from exactsched.theorems.claim import Say

# How often a number that the checker computes otherwise is put right.
_CORRECTIONS = 4
# What a certificate states and its check returns.
_STATED = ("value", "throughput", "makespan", "time", "steps", "bound", "optimal")


def refused_or_true(
    certificate: Any, seeds: tuple[int, ...], fault: Callable[[Any], str], say: Say
) -> None:
    """The certificate is accepted; each change of it is refused, or what is accepted is true.

    `fault` says what is false of a record, by definition.
    """
    say.accepts(certificate)
    document = certificate if isinstance(certificate, dict) else to_document(certificate)
    verdicts = Counter[str]()
    for seed in seeds:
        changed = mutant(document, seed)
        verdict = "unchanged" if changed == document else _verdict(changed, fault, say)
        verdicts[verdict] += 1
    say(**verdicts)


def _verdict(changed: dict[str, Any], fault: Callable[[Any], str], say: Say) -> str:
    """Whether a change is malformed, rejected or true.

    A liar states what the checker computes: numbers that it finds to be others are put right, so
    that all other rules have to hold.
    """
    for _ in range(_CORRECTIONS + 1):
        try:
            proved = check(changed)
        except Malformed:
            return "malformed"
        except Rejected as error:
            if not _corrected(changed, error):
                return "rejected"
        else:
            stated = parse(changed)
            for name in _STATED:
                if hasattr(stated, name) and hasattr(proved, name):
                    same = getattr(stated, name) == getattr(proved, name)
                    say.require(same, f"accepted, but the {name} that is proved is another one")
            reason = fault(stated)
            say.require(not reason, f"accepted, but {reason}")
            return "true"
    return "rejected"


def _corrected(changed: dict[str, Any], refused: Rejected) -> bool:
    """Whether a stated number, or whether it is optimal, has been put right."""
    if refused.place == "optimal":
        changed["optimal"] = not changed["optimal"]
        return True
    found = re.findall(r"-?\d+(?:/\d+)?", refused.rule)
    if refused.place not in changed or isinstance(changed[refused.place], (list, dict)):
        return False
    if len(found) != 1 or str(changed[refused.place]) == found[0]:
        return False
    whole = found[0].lstrip("-").isdigit() and len(found[0]) < 16
    changed[refused.place] = int(found[0]) if whole else found[0]
    return True
