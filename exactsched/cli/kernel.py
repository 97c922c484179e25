"""`check --kernel` and `check --theorem`: what the checkers that are proved in Rocq say."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from exactsched.cli.arguments import writable
from exactsched.cli.terminal import say
from exactsched.exact.atomic_files import write_whole
from exactsched.exact.errors import InvalidInput, Malformed, Rejected
from exactsched.exact.exact_json import unreadable
from exactsched.exact.rational import to_json

PROVED, REFUSED, NO_ANSWER = 0, 1, 2


def check_with_kernel(files: Sequence[str], as_json: bool) -> int:
    """A line or an object for each file; the worst exit code: 0 proved, 1 refused, 2 else."""
    answers = [_answer(file) for file in files]
    if as_json:
        print(json.dumps({"files": [answer for answer, _, _ in answers]}))
        return max(code for _, code, _ in answers)
    for _, code, line in answers:
        say(line, sys.stdout if code < NO_ANSWER else sys.stderr)
    trusted = [answer["trusted"] for answer, _, _ in answers if "trusted" in answer]
    if trusted:
        say(f"trusted: {'; '.join(trusted[0])}", sys.stdout)
    return max(code for _, code, _ in answers)


def _answer(file: str) -> tuple[dict[str, Any], int, str]:
    """The answer as an object, its exit code, and as a line."""
    from exactsched.kernel import NotCovered, check

    try:
        proved = check(file)
    except Rejected as error:
        return _refusal(file, "refused", error), REFUSED, f"refused: {file}: {error}"
    except InvalidInput as error:
        verdict = "unreadable"
        if isinstance(error, NotCovered):
            verdict = "not covered"
        elif isinstance(error, Malformed):
            verdict = "malformed"
        where = "" if error.place.startswith(file) else f"{file}: "
        return _refusal(file, verdict, error), NO_ANSWER, f"{verdict}: {where}{error}"
    except OSError as error:
        problem = unreadable(error, file, "certificate")
        return _refusal(file, "unreadable", problem), NO_ANSWER, f"unreadable: {problem}"
    except MemoryError:
        rule = "too large for the memory of this machine"
        refusal = {"file": file, "verdict": "unreadable", "error": rule}
        return refusal, NO_ANSWER, f"unreadable: {file}: {rule}"
    answer = {
        "file": file,
        "verdict": "proved",
        "kind": proved.kind,
        "asked": proved.asked,
        **{name: to_json(value) for name, value in proved.values.items()},
        "optimal": proved.optimal,
        "claims": [
            {"says": claim.says, "formal": claim.formal, "theorem": f"Exactsched.{claim.theorem}"}
            for claim in proved.claims
        ],
        "not_proved": list(proved.left_open),
        "by": proved.by,
        "trusted": list(proved.trusted),
    }
    return answer, PROVED, f"proved: {file}: {proved}"


def _refusal(file: str, verdict: str, error: Exception) -> dict[str, Any]:
    return {"file": file, "verdict": verdict, "error": str(error)}


def write_theorem(options: Namespace) -> int:
    """Writes the theorem about one certificate."""
    from exactsched.kernel import theorem

    if len(options.files) != 1:
        raise InvalidInput("--theorem", len(options.files), "a theorem is about one certificate")
    if not options.output:
        raise InvalidInput("--theorem", options.files[0], "-o T.v says where to write it")
    (file,) = options.files
    writable(options.output, file)
    try:
        written = theorem(file)
    except Rejected as error:
        say(f"refused: {file}: {error}", sys.stdout)
        return REFUSED
    write_whole(options.output, written)
    say(f"{options.output}: coqc -Q proofs/rocq Exactsched {options.output}", sys.stdout)
    return PROVED
